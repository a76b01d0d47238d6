//! How a command ends: its verdict, or one line on stderr and an exit code.

use std::io::Write;
use std::process::ExitCode;

use thiserror::Error;

/// The result of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Done: exit code 0.
    Done,
    /// Done with a negative result, no path or something wrong: exit code 1.
    Negative,
}

impl Verdict {
    pub(crate) const fn negative_if(is_negative: bool) -> Self {
        if is_negative {
            Self::Negative
        } else {
            Self::Done
        }
    }
}

/// Why a command stopped.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A bad file, number or name: exit code 2.
    #[error("{0}")]
    BadInput(String),
    /// A fault of the program: exit code 3.
    #[error("{0} (this is a fault of wayfarer)")]
    OurFault(String),
}

impl Failure {
    /// Bad input in the file at `path`.
    pub(crate) fn for_file(path: &std::path::Path, error: impl std::fmt::Display) -> Self {
        Self::BadInput(format!("{}: {error}", path.display()))
    }

    /// Prints it on stderr in one line; returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let line = in_one_line(&self.to_string());
        // If stderr is closed, the exit code still reports the failure.
        writeln!(std::io::stderr(), "error: {line}").ok();
        ExitCode::from(match self {
            Self::BadInput(_) => 2,
            Self::OurFault(_) => 3,
        })
    }
}

/// Runs `work`; a panic becomes one line on stderr and exit code 3.
pub(crate) fn guarded(work: impl FnOnce() -> ExitCode + std::panic::UnwindSafe) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        // Printed by the panicking thread, which may not be this one.
        writeln!(std::io::stderr(), "{}", panic_line(&panic.to_string())).ok();
    }));
    std::panic::catch_unwind(work).unwrap_or(ExitCode::from(3))
}

fn panic_line(panic: &str) -> String {
    let line = in_one_line(panic);
    format!("error: {line} (this is a fault of wayfarer)")
}

/// A message of several lines in one, without clap's usage and help lines.
pub(crate) fn in_one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines = text.lines().map(str::trim).filter(|line| {
        !line.is_empty() && !line.starts_with("Usage:") && !line.starts_with("For more information")
    });
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
