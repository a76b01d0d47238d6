//! What the checks need besides cargo: installed if it is missing, or named in one line.

use std::process::{Command, Stdio};

use crate::run::say;

/// Makes sure of a part of the toolchain: `word` is what rustup calls such parts, `name` which.
///
/// # Errors
/// A line that says what is missing and how to get it, if it is not there and rustup cannot help.
pub(crate) fn install(word: &str, name: &str, is_there: impl Fn() -> bool) -> Result<(), String> {
    if is_there() {
        return Ok(());
    }
    say(&format!("$ rustup {word} add {name}"));
    runs("rustup", &[word, "add", name]);
    if is_there() {
        return Ok(());
    }
    Err(format!(
        "{name} is missing: install rustup, then rustup {word} add {name}"
    ))
}

/// Makes sure that `cargo command` is there, which the part `component` of the toolchain brings.
///
/// # Errors
/// As [`install`].
pub(crate) fn cargo_command(command: &str, component: &str) -> Result<(), String> {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    install("component", component, || {
        runs(&program, &[command, "--version"])
    })
}

/// True if the program is there and says that all is well.
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
