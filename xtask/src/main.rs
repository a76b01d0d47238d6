//! The checks of wayfarer, the same for people and for CI: `cargo xtask test`.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "test" => test(),
        _ => Err("usage: cargo xtask test".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            report(&message);
            ExitCode::FAILURE
        }
    }
}

/// Every check, cheapest first.
fn test() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])?;
    cargo(&["test", "--workspace"])
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    report(&format!("cargo {}", arguments.join(" ")));
    let status = Command::new("cargo")
        .args(arguments)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("failed: cargo {}", arguments.join(" ")))
    }
}

#[expect(clippy::print_stderr, reason = "a task tells what it does")]
fn report(line: &str) {
    eprintln!("{line}");
}
