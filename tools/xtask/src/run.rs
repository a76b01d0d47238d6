//! Runs steps in order, reports the time of each, and stops at the first fault.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Context;

/// The result of a step without a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// No fault.
    Passed,
    /// The step could not run, with the reason.
    Skipped(String),
}

/// One check.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Name for `--only`.
    pub(crate) name: &'static str,
    /// What the step verifies.
    pub(crate) what: &'static str,
    /// Runs the step; an error is a message of one line.
    pub(crate) work: fn(&Context) -> Result<Outcome, String>,
}

struct Done {
    name: &'static str,
    time: Duration,
    result: Result<Outcome, String>,
}

/// Runs `steps` in order up to the first fault, then prints a summary.
pub(crate) fn all(context: &Context, steps: &[Step]) -> Result<(), String> {
    let mut done: Vec<Done> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        say(&format!(
            "\n== {}/{} {}: {}",
            index + 1,
            steps.len(),
            step.name,
            step.what
        ));
        let start = now();
        let result = (step.work)(context);
        let time = start.elapsed();
        match &result {
            Ok(Outcome::Passed) => say(&format!("== passed in {}", seconds(time))),
            Ok(Outcome::Skipped(reason)) => say(&format!("skipped: {reason}")),
            Err(fault) => say(&format!("== failed in {}: {fault}", seconds(time))),
        }
        let stop = result.is_err();
        done.push(Done {
            name: step.name,
            time,
            result,
        });
        if stop {
            break;
        }
    }
    say(&summary(&done, steps.len()));
    match done.pop().map(|last| (last.name, last.result)) {
        Some((name, Err(_))) => Err(format!("fault in {name}")),
        _ => Ok(()),
    }
}

fn summary(done: &[Done], n_steps: usize) -> String {
    let mut lines = String::from("\nsummary\n");
    let (mut n_passed, mut n_skipped, mut n_failed) = (0, 0, 0);
    for step in done {
        let word = match &step.result {
            Ok(Outcome::Passed) => {
                n_passed += 1;
                "passed".to_owned()
            }
            Ok(Outcome::Skipped(reason)) => {
                n_skipped += 1;
                format!("skipped: {reason}")
            }
            Err(_) => {
                n_failed += 1;
                "failed".to_owned()
            }
        };
        lines += &format!("  {:<10} {:>9}  {word}\n", step.name, seconds(step.time));
    }
    let total = done.iter().map(|step| step.time).sum();
    lines += &format!(
        "{n_steps} steps: {n_passed} passed, {n_skipped} skipped, {n_failed} failed, {} not run, in {}",
        n_steps - done.len(),
        seconds(total)
    );
    lines
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Runs cargo with inherited output.
pub(crate) fn cargo(context: &Context, words: &[&str]) -> Result<(), String> {
    cargo_with(context, words, &[])
}

/// Runs cargo with environment variables and inherited output.
pub(crate) fn cargo_with(
    context: &Context,
    words: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    let label = format!("cargo {}", words.join(" "));
    say(&format!("$ {label}"));
    let status = cargo_command(&context.root)
        .args(words)
        .envs(environment.iter().copied())
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{label}: {status}"))
    }
}

/// Runs cargo and returns its standard output.
pub(crate) fn cargo_output(context: &Context, words: &[&str]) -> Result<String, String> {
    let mut command = cargo_command(&context.root);
    command.args(words);
    output(command, &format!("cargo {}", words.join(" ")))
}

/// Runs a command, shown as `label`, and returns its standard output.
pub(crate) fn output(mut command: Command, label: &str) -> Result<String, String> {
    say(&format!("$ {label}"));
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run {label}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{label}: {}", output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|error| format!("{label}: output is not UTF-8: {error}"))
}

fn cargo_command(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// The first line in which two texts differ, as a message; `None` if they are equal.
pub(crate) fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (mut old, mut new) = (expected.split('\n'), found.split('\n'));
    let mut line = 1;
    loop {
        match (old.next(), new.next()) {
            (Some(a), Some(b)) if a == b => line += 1,
            (a, b) => {
                let shown = |text: Option<&str>| {
                    text.map_or("the end".to_owned(), |text| format!("`{text}`"))
                };
                return Some(format!(
                    "line {line}: expected {}, found {}",
                    shown(a),
                    shown(b)
                ));
            }
        }
    }
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "a task reports its progress")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "times are reported only; no result depends on them"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests;
