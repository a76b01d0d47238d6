//! The progress of a long command, on stderr and only if that is a terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts finished steps; threads may share it.
pub(crate) struct Progress {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    is_shown: bool,
}

impl Progress {
    /// No step of `total` done yet.
    pub(crate) fn new(what: &'static str, total: usize) -> Self {
        Self {
            what,
            total,
            done: AtomicUsize::new(0),
            is_shown: std::io::stderr().is_terminal(),
        }
    }

    /// Counts one more step.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown {
            let (what, total) = (self.what, self.total);
            // A failure to show progress is no failure of the command.
            write!(std::io::stderr(), "\r{done} of {total} {what}").ok();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            // Clears the line.
            write!(std::io::stderr(), "\r\x1b[K").ok();
        }
    }
}
