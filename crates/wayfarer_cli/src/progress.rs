//! How far a long command has come, told on stderr and only to a person at a terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

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
