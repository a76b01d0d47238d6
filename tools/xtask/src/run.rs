//! Runs steps in one or two lanes, reports the time of each, and stops at the first fault.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// True if its builds lie in a folder of their own, so that it can run beside other steps.
    pub(crate) is_apart: bool,
    /// Runs the step; an error is a message of one line.
    pub(crate) work: fn(&Context) -> Result<Outcome, String>,
}

/// What a run of steps does besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lanes {
    /// One step after the other.
    One,
    /// Steps with [`Step::is_apart`] run beside the others, each as a process of its own.
    Two,
}

struct Done {
    name: &'static str,
    time: Duration,
    result: Result<Outcome, String>,
}

/// Runs `steps` up to the first fault, then prints a summary.
///
/// A build on few cores leaves some of them idle: crates wait for each other, and a test at the end
/// of a binary runs alone. The second lane fills that time.
pub(crate) fn all(context: &Context, steps: &[Step], lanes: Lanes) -> Result<(), String> {
    let start = now();
    let is_apart = |step: &&Step| lanes == Lanes::Two && step.is_apart;
    let apart: Vec<Step> = steps.iter().filter(is_apart).copied().collect();
    let main: Vec<Step> = steps.iter().filter(|s| !is_apart(s)).copied().collect();
    // Asked now: a build of the workspace may put another file in its place.
    let program = std::env::current_exe().map_err(|error| format!("no program: {error}"))?;
    let fault = AtomicBool::new(false);
    let mut done = std::thread::scope(|scope| {
        let beside =
            scope.spawn(|| run_lane(&apart, &fault, |step| run_apart(context, &program, step)));
        let mut done = run_lane(&main, &fault, |step| {
            say(&format!("\n== {}: {}", step.name, step.what));
            (step.work)(context)
        });
        done.extend(beside.join().expect("a step of the second lane panicked"));
        done
    });
    let place = |done: &Done| steps.iter().position(|step| step.name == done.name);
    done.sort_by_key(place);
    say(&summary(&done, steps.len(), start.elapsed()));
    match done.iter().find(|done| done.result.is_err()) {
        Some(fault) => Err(format!("fault in {}", fault.name)),
        None => Ok(()),
    }
}

/// Runs steps in order up to the first fault of any lane.
fn run_lane(
    steps: &[Step],
    fault: &AtomicBool,
    work: impl Fn(&Step) -> Result<Outcome, String>,
) -> Vec<Done> {
    let mut done = Vec::new();
    for step in steps {
        if fault.load(Ordering::Relaxed) {
            break;
        }
        let start = now();
        let result = work(step);
        let time = start.elapsed();
        let (name, shown) = (step.name, seconds(time));
        match &result {
            Ok(Outcome::Passed) => say(&format!("== {name} passed in {shown}")),
            Ok(Outcome::Skipped(reason)) => say(&format!("== {name} skipped: {reason}")),
            Err(what) => say(&format!("== {name} failed in {shown}: {what}")),
        }
        fault.fetch_or(result.is_err(), Ordering::Relaxed);
        done.push(Done { name, time, result });
    }
    done
}

/// Runs a step as a process of its own, whose output is printed in one piece once it has ended.
fn run_apart(context: &Context, program: &Path, step: &Step) -> Result<Outcome, String> {
    let failed = |error| format!("cannot run {} apart: {error}", step.name);
    let mut command = Command::new(program);
    command.args(["test", "--only", step.name]);
    if context.strict {
        command.arg("--strict");
    }
    // Lines of both streams in the order in which they were written.
    let (mut reader, writer) = std::io::pipe().map_err(failed)?;
    command.stdout(writer.try_clone().map_err(failed)?);
    command.stderr(writer);
    let mut child = command.spawn().map_err(failed)?;
    // The command holds the writing ends of the pipe.
    drop(command);
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(failed)?;
    let status = child.wait().map_err(failed)?;
    let text = String::from_utf8_lossy(&text);
    say(text.trim_end());
    if !status.success() {
        return Err("see its output above".to_owned());
    }
    match skip_reason(&text, step.name) {
        Some(reason) => Ok(Outcome::Skipped(reason)),
        None => Ok(Outcome::Passed),
    }
}

/// The reason in the report of a step that was skipped.
fn skip_reason(text: &str, name: &str) -> Option<String> {
    let start = format!("== {name} skipped: ");
    text.lines()
        .find_map(|line| line.strip_prefix(&start).map(str::to_owned))
}

fn summary(done: &[Done], n_steps: usize, total: Duration) -> String {
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

/// Runs cargo, which says how it runs other programs, and returns that; shown if it fails.
pub(crate) fn cargo_verbose(
    context: &Context,
    words: &[&str],
    environment: &[(&str, &str)],
) -> Result<String, String> {
    let label = format!("cargo {}", words.join(" "));
    say(&format!("$ {label}"));
    let output = cargo_command(&context.root)
        .args(words)
        .envs(environment.iter().copied())
        .stdout(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(log);
    }
    say(&log);
    Err(format!("{label}: {}", output.status))
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
