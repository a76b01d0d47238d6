//! Solves the public benchmark problems with `wayfarer check` and verifies the totals.
//!
//! Counts the scenario files independently: the number of problems solved and of unreachable goals
//! must equal those in the files.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use crate::run::{Outcome, cargo, say};
use crate::{Context, test};

/// The folders of grid problems, each with maps and scenarios.
const FOLDERS: [&str; 8] = [
    "dao", "da2", "bg512", "sc1", "street", "mazes", "rooms", "random",
];

/// Problems per map of [`sample`].
const SAMPLE: u64 = 50;

/// Totals of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    problems: u64,
    matched: u64,
    unreachable: u64,
    wrong: u64,
}

/// Solves a few problems of every map.
pub(crate) fn sample(context: &Context) -> Result<Outcome, String> {
    check(context, Some(SAMPLE))
}

/// Solves every problem of every map.
pub(crate) fn whole(context: &Context) -> Result<(), String> {
    match check(context, None)? {
        Outcome::Passed => Ok(()),
        Outcome::Skipped(reason) => {
            say(&format!("skipped: {reason}"));
            Ok(())
        }
    }
}

fn check(context: &Context, sample: Option<u64>) -> Result<Outcome, String> {
    let Some(data) = &context.data else {
        return Ok(Outcome::Skipped("no data".to_owned()));
    };
    let is_present = |folder: &&str| data.join(folder).is_dir();
    let folders: Vec<&str> = FOLDERS.into_iter().filter(is_present).collect();
    for missing in FOLDERS.iter().filter(|folder| !is_present(folder)) {
        say(&format!("skipped: no {missing} in {}", data.display()));
    }
    if folders.is_empty() {
        let wanted = FOLDERS.join(" ");
        let found = data.display();
        return Err(format!(
            "WAYFARER_DATA is {found}, which holds none of {wanted}"
        ));
    }
    let mut total = Tally::default();
    for folder in folders {
        let tally = check_folder(context, &data.join(folder), sample)?;
        total.problems += tally.problems;
        total.matched += tally.matched;
        total.unreachable += tally.unreachable;
        total.wrong += tally.wrong;
    }
    say(&format!("all folders: {total}"));
    Ok(Outcome::Passed)
}

fn check_folder(context: &Context, folder: &Path, sample: Option<u64>) -> Result<Tally, String> {
    let report = std::env::temp_dir().join(format!("wayfarer-corpus-{}.json", std::process::id()));
    let text = |path: &Path| {
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| format!("{} is not UTF-8", path.display()))
    };
    let (folder_text, report_text) = (text(folder)?, text(&report)?);
    // A sample uses the build of the tests, the whole corpus the release build.
    let profile = if sample.is_some() { "test" } else { "release" };
    let mut words = vec!["run", "--quiet", "--profile", profile];
    words.extend(["--features", test::BENCH, "--bin", "wayfarer"]);
    words.extend(["--", "check"]);
    words.extend(["--dir", &folder_text, "--json", &report_text]);
    let count = sample.map(|count| count.to_string());
    if let Some(count) = &count {
        words.extend(["--sample", count]);
    }
    let done = cargo(context, &words);
    let read = fs::read_to_string(&report);
    // A report that cannot be removed is harmless.
    fs::remove_file(&report).ok();
    done?;
    let json = read.map_err(|error| format!("cannot read {report_text}: {error}"))?;
    let found = Tally::read(&json).ok_or("the report of `check` lacks a number")?;
    judge(&folder_text, found, count_folder(folder, sample)?)?;
    Ok(found)
}

/// An error unless every stated problem was solved correctly.
fn judge(folder: &str, found: Tally, stated: Stated) -> Result<(), String> {
    if found.wrong != 0 || found.matched != found.problems {
        return Err(format!("{folder}: {found}"));
    }
    if found.problems != stated.problems {
        let (found, stated) = (found.problems, stated.problems);
        return Err(format!(
            "{folder}: {found} problems solved, the files hold {stated}"
        ));
    }
    match stated.unreachable {
        Some(stated) if stated != found.unreachable => Err(format!(
            "{folder}: {} found unreachable, the files state {stated}",
            found.unreachable
        )),
        _ => Ok(()),
    }
}

impl Tally {
    /// The totals at the top of the report, before the list of maps.
    fn read(json: &str) -> Option<Self> {
        let top = json.split("\"maps\"").next()?;
        let number = |key: &str| {
            let after = top.split(&format!("\"{key}\"")).nth(1)?;
            let after = after.trim_start().strip_prefix(':')?.trim_start();
            let end = after.find(|c: char| !c.is_ascii_digit())?;
            after[..end].parse().ok()
        };
        Some(Self {
            problems: number("problems")?,
            matched: number("matched")?,
            unreachable: number("unreachable")?,
            wrong: number("wrong")?,
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            problems,
            matched,
            unreachable,
            wrong,
        } = self;
        write!(
            f,
            "{problems} problems, {matched} matched, {unreachable} of them unreachable, {wrong} wrong"
        )
    }
}

/// Totals of the scenario files of a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stated {
    problems: u64,
    /// `None` for a sample, whose problems the command chooses.
    unreachable: Option<u64>,
}

/// Counts the problems of every scenario beside its map, recursively.
fn count_folder(folder: &Path, sample: Option<u64>) -> Result<Stated, String> {
    let mut scenarios = Vec::new();
    find_scenarios(folder, &mut scenarios)?;
    let (mut n_problems, mut n_unreachable) = (0, 0);
    for path in scenarios {
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let problems = text.lines().skip(1).filter(|line| !line.trim().is_empty());
        let n_here = problems.clone().count() as u64;
        n_problems += sample.map_or(n_here, |max| n_here.min(max));
        n_unreachable += problems.filter(|line| states_no_path(line)).count() as u64;
    }
    Ok(Stated {
        problems: n_problems,
        unreachable: sample.is_none().then_some(n_unreachable),
    })
}

fn find_scenarios(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if entry.file_type().map_err(failed)?.is_dir() {
            find_scenarios(&path, found)?;
        } else if let Some(map) = path.to_str().and_then(|text| text.strip_suffix(".scen"))
            && map.ends_with(".map")
            && Path::new(map).is_file()
        {
            found.push(path);
        }
    }
    Ok(())
}

/// True if a line states length 0 between two different cells.
fn states_no_path(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().rev().take(5).collect();
    match words[..] {
        [length, goal_y, goal_x, start_y, start_x] => {
            let is_zero = length.parse() == Ok(0.0);
            is_zero && (start_x, start_y) != (goal_x, goal_y)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
