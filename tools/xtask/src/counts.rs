//! Counts the instructions of fixed operations under callgrind and compares them with a baseline.
//!
//! Instruction counts vary far less than times: a refactoring must not change them. The operations
//! are those of the example `operations` of `wayfarer_bench`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Context;
use crate::golden::target_folder;
use crate::run::{cargo, output, say};
use crate::tools;

const PACKAGE: &str = "wayfarer_bench";
const EXAMPLE: &str = "operations";
/// The function inside which callgrind counts; the pattern skips the mangled crate name.
const MEASURED: &str = "operations*::measured";
/// Maximum deviation from the baseline, per mille.
const MAX_DEVIATION_PER_MILLE: u64 = 30;

/// The instructions of one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Count {
    operation: String,
    instructions: u64,
}

/// Options of `cargo xtask counts`.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// File to write the counts to.
    save: Option<PathBuf>,
    /// Baseline file to compare with.
    against: Option<PathBuf>,
}

impl Options {
    /// Parses the arguments after `counts`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let file = match word {
                "--save" => &mut options.save,
                "--against" => &mut options.against,
                _ => return Err(format!("unknown option {word}; see cargo xtask --help")),
            };
            let name = words.next().ok_or(format!("{word} expects a file"))?;
            *file = Some(PathBuf::from(name));
        }
        Ok(options)
    }
}

/// Counts every operation, prints a table, and compares it with the baseline if given.
pub(crate) fn run(context: &Context, options: &Options) -> Result<(), String> {
    if !tools::runs("valgrind", &["--version"]) {
        return Err("valgrind is missing: install the package valgrind".to_owned());
    }
    let baseline = match &options.against {
        Some(file) => Some(read_file(file)?),
        None => None,
    };
    let build = ["build", "--release", "--package", PACKAGE];
    cargo(context, &[&build[..], &["--example", EXAMPLE]].concat())?;
    let folder = target_folder(context)?.join("release").join("examples");
    let program = folder.join(EXAMPLE);
    let mut list = Command::new(&program);
    list.arg("--list");
    let list = output(list, &format!("{EXAMPLE} --list"))?;
    let mut counts = Vec::new();
    say(&row("operation", "instructions", "ratio"));
    for operation in list.lines().filter_map(|line| line.split(' ').next()) {
        let count = count(&program, operation)?;
        let before = baseline
            .as_ref()
            .and_then(|baseline| baseline.get(operation));
        let ratio = before.map_or("-".to_owned(), |&before| {
            ratio_text(count.instructions, before)
        });
        say(&row(operation, &count.instructions.to_string(), &ratio));
        counts.push(count);
    }
    if let Some(file) = &options.save {
        fs::write(file, to_text(&counts))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    match baseline {
        Some(baseline) => judge(&counts, &baseline),
        None => Ok(()),
    }
}

/// Runs one operation under callgrind.
fn count(program: &Path, operation: &str) -> Result<Count, String> {
    let result = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={MEASURED}"))
        .arg(program)
        .arg(operation)
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let report = String::from_utf8_lossy(&result.stderr);
    if !result.status.success() {
        return Err(format!("{operation}: {}\n{report}", result.status));
    }
    match collected(&report) {
        None | Some(0) => Err(format!(
            "{operation}: callgrind counted nothing in {MEASURED}"
        )),
        Some(instructions) => Ok(Count {
            operation: operation.to_owned(),
            instructions,
        }),
    }
}

/// The total that callgrind reports at its end: `==7== Collected : 1234`.
fn collected(report: &str) -> Option<u64> {
    let mut totals = report.lines().filter_map(|line| {
        let total = line.split("Collected :").nth(1)?;
        total.trim().parse().ok()
    });
    totals.next_back()
}

fn row(operation: &str, instructions: &str, ratio: &str) -> String {
    format!("{operation:<16} {instructions:>13} {ratio:>8}")
}

/// The ratio to the baseline, with four decimals.
fn ratio_text(instructions: u64, before: u64) -> String {
    format!("{:.4}", instructions as f64 / before as f64)
}

/// One operation and its count on each line.
fn to_text(counts: &[Count]) -> String {
    let line = |count: &Count| format!("{} {}\n", count.operation, count.instructions);
    counts.iter().map(line).collect()
}

fn read_file(file: &Path) -> Result<BTreeMap<String, u64>, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    from_text(&text).map_err(|fault| format!("{name}: {fault}"))
}

fn from_text(text: &str) -> Result<BTreeMap<String, u64>, String> {
    let mut counts = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let pair = line.split_once(' ').and_then(|(operation, number)| {
            let instructions = number.parse().ok().filter(|number| *number > 0)?;
            Some((operation.to_owned(), instructions))
        });
        let (operation, instructions) = pair.ok_or_else(|| {
            let number = index + 1;
            format!("line {number}: expected an operation and its count, found `{line}`")
        })?;
        counts.insert(operation, instructions);
    }
    Ok(counts)
}

/// True if the deviation from the baseline is within the limit.
fn is_near(instructions: u64, before: u64) -> bool {
    let deviation = u128::from(instructions.abs_diff(before));
    deviation * 1_000 <= u128::from(before) * u128::from(MAX_DEVIATION_PER_MILLE)
}

/// An error that lists operations over the limit or missing; new ones pass.
fn judge(counts: &[Count], baseline: &BTreeMap<String, u64>) -> Result<(), String> {
    let mut faults = Vec::new();
    for (operation, &before) in baseline {
        let count = counts.iter().find(|count| count.operation == *operation);
        match count.map(|count| count.instructions) {
            None => faults.push(format!("{operation} is missing")),
            Some(now) if !is_near(now, before) => {
                faults.push(format!("{operation} {}", ratio_text(now, before)));
            }
            Some(_) => {}
        }
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "more than {} % from the baseline: {}",
            MAX_DEVIATION_PER_MILLE / 10,
            faults.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests;
