//! How a command ends: what it answers, and what it says when it cannot.

use std::io::Write;
use std::process::ExitCode;

use thiserror::Error;

/// What came of a command that did its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Done.
    Done,
    /// Done, and the answer is no: no path, or something is wrong.
    Negative,
}

impl Verdict {
    /// Negative if `is_negative`, else done.
    pub(crate) const fn negative_if(is_negative: bool) -> Self {
        if is_negative {
            Self::Negative
        } else {
            Self::Done
        }
    }
}

/// Why a command could not do its work; each is one line.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The caller's: a file, a number, a name.
    #[error("{0}")]
    BadInput(String),
    /// Ours.
    #[error("{0} (this is a fault of wayfarer)")]
    OurFault(String),
}

impl Failure {
    /// What is wrong with the file at `path`.
    pub(crate) fn of_file(path: &std::path::Path, error: impl std::fmt::Display) -> Self {
        Self::BadInput(format!("{}: {error}", path.display()))
    }

    /// Says it on stderr, in one line, and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let line = in_one_line(&self.to_string());
        // There is nobody left to tell if stderr is gone.
        writeln!(std::io::stderr(), "error: {line}").ok();
        ExitCode::from(match self {
            Self::BadInput(_) => 2,
            Self::OurFault(_) => 3,
        })
    }
}

/// Runs `work`; a panic in it is our fault, said in one line like every other failure.
pub(crate) fn guarded(work: impl FnOnce() -> ExitCode + std::panic::UnwindSafe) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        // Said where it happens, which may be another thread; the exit code follows below.
        writeln!(std::io::stderr(), "{}", panic_line(&panic.to_string())).ok();
    }));
    std::panic::catch_unwind(work).unwrap_or(ExitCode::from(3))
}

fn panic_line(panic: &str) -> String {
    let line = in_one_line(panic);
    format!("error: {line} (this is a fault of wayfarer)")
}

/// The words of several lines in one, without what every such message says.
pub(crate) fn in_one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines = text.lines().map(str::trim).filter(|line| {
        !line.is_empty() && !line.starts_with("Usage:") && !line.starts_with("For more information")
    });
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
