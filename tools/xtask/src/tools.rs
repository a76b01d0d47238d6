//! External tools of the checks: installed by rustup if missing, else reported.

use std::process::{Command, Stdio};

use crate::run::say;

/// Installs a part of the toolchain unless `is_installed`: `kind` is component or target.
///
/// # Errors
/// A line that names what is missing and how to install it, if rustup cannot.
pub(crate) fn install(
    kind: &str,
    name: &str,
    is_installed: impl Fn() -> bool,
) -> Result<(), String> {
    if is_installed() {
        return Ok(());
    }
    say(&format!("$ rustup {kind} add {name}"));
    runs("rustup", &[kind, "add", name]);
    if is_installed() {
        return Ok(());
    }
    Err(format!(
        "{name} is missing: install rustup, then rustup {kind} add {name}"
    ))
}

/// Installs the toolchain component that provides `cargo command`, if missing.
///
/// # Errors
/// As [`install`].
pub(crate) fn cargo_command(command: &str, component: &str) -> Result<(), String> {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    install("component", component, || {
        runs(&program, &[command, "--version"])
    })
}

/// True if the program exists and succeeds.
pub(crate) fn runs(program: &str, words: &[&str]) -> bool {
    let status = Command::new(program)
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests;
