//! How far a long command has come, told on stderr and only to a person at a terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfarer_bench::paths::MapBegun;

/// Counts what is done; may be told from several threads.
pub(crate) struct Progress {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    shown: bool,
}

impl Progress {
    /// Nothing done of `total` yet.
    pub(crate) fn new(what: &'static str, total: usize) -> Self {
        Self {
            what,
            total,
            done: AtomicUsize::new(0),
            shown: std::io::stderr().is_terminal(),
        }
    }

    /// Tells of a measurement, map by map.
    pub(crate) fn by_map(what: &'static str) -> impl FnMut(MapBegun) {
        let mut progress: Option<Self> = None;
        move |begun| {
            let shown = progress.get_or_insert_with(|| Self::new(what, begun.n_maps));
            if begun.place > 0 {
                shown.step();
            }
        }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.shown {
            let (what, total) = (self.what, self.total);
            // Progress that nobody can see is no loss.
            write!(std::io::stderr(), "\r{done} of {total} {what}").ok();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            // Clears the line.
            write!(std::io::stderr(), "\r\x1b[K").ok();
        }
    }
}
