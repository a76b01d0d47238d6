//! `wayfarer check`: solves benchmark problems and compares with the published lengths.

mod pairs;
mod solve;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::clock;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::words;
use pairs::Pair;

/// Solve benchmark problems and compare with the published lengths
///
/// Solves each problem by an optimal method, walks the path cell by cell and compares its length
/// with the published one. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer check brc202d.map brc202d.map.scen
  wayfarer check --dir data/dao --json result.json
  wayfarer check --dir data --sample 20 --method jps

--dir takes every X.map with an X.map.scen beside it, here and below.
A length of 0 between different cells means that there is no path.")]
pub(crate) struct Check {
    /// The map
    #[arg(required_unless_present = "dir", requires = "scenario")]
    map: Option<PathBuf>,
    /// Its scenario file
    #[arg(required_unless_present = "dir")]
    scenario: Option<PathBuf>,
    /// Check every map with a scenario in this folder and below
    #[arg(long, value_name = "DIR", conflicts_with_all = ["map", "scenario"])]
    dir: Option<PathBuf>,
    /// Search method; all are optimal
    #[arg(long, value_enum, default_value_t = Method::Astar)]
    method: Method,
    /// Take N problems of each map, evenly spread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Threads; the result does not depend on them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
    #[command(flatten)]
    json: Json,
}

/// A search method by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// Block-based jump point search over the sparse ground
    #[value(alias = "plain")]
    Jps,
    /// A* over the dense grid
    Astar,
}

/// Counts of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
struct Tally {
    /// Problems solved.
    problems: u64,
    /// Right results: a valid path of the published length, or correctly none.
    matched: u64,
    /// Of those, unreachable goals.
    unreachable: u64,
    /// Wrong results.
    wrong: u64,
}

/// The results of one map.
#[derive(Serialize)]
struct Row {
    map: String,
    #[serde(flatten)]
    tally: Tally,
    expansions: u64,
    seconds: f64,
    /// The first faults, in the order of the problems.
    faults: Vec<Fault>,
}

/// A wrong result.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Fault {
    /// Index in the scenario file.
    problem: usize,
    from: [i32; 2],
    to: [i32; 2],
    reason: String,
}

#[derive(Serialize)]
struct Report {
    method: Method,
    #[serde(flatten)]
    tally: Tally,
    expansions: u64,
    seconds: f64,
    threads: usize,
    maps: Vec<Row>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let pairs = self.pairs()?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.and_then(|n| usize::try_from(n).ok());
        let threads = threads.unwrap_or_else(cores);
        let started = clock::now();
        let rows = solve::all(&pairs, self.method, self.sample, threads)?;
        let report = Report {
            method: self.method,
            tally: rows
                .iter()
                .fold(Tally::default(), |sum, row| sum.and(row.tally)),
            expansions: rows.iter().map(|row| row.expansions).sum(),
            seconds: started.elapsed().as_secs_f64(),
            threads,
            maps: rows,
        };
        let mut out = Output::default();
        report.print(&mut out);
        out.json(&self.json, "check/2", &report)?;
        out.finish()?;
        Ok(if report.tally.wrong == 0 {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }

    fn pairs(&self) -> Result<Vec<Pair>, Failure> {
        match (&self.dir, &self.map, &self.scenario) {
            (Some(dir), ..) => pairs::below(dir),
            (None, Some(map), Some(scenario)) => Ok(vec![Pair {
                name: map.display().to_string(),
                map: map.clone(),
                scenario: scenario.clone(),
            }]),
            _ => Err(Failure::BadInput(
                "give a map and its scenario, or --dir".to_owned(),
            )),
        }
    }
}

impl Tally {
    const fn and(self, other: Self) -> Self {
        Self {
            problems: self.problems + other.problems,
            matched: self.matched + other.matched,
            unreachable: self.unreachable + other.unreachable,
            wrong: self.wrong + other.wrong,
        }
    }
}

impl Report {
    fn print(&self, out: &mut Output) {
        let row = |name: &str, tally: &Tally, expansions: u64| {
            let counts = [
                tally.problems,
                tally.matched,
                tally.unreachable,
                tally.wrong,
                expansions,
            ];
            let mut row = vec![name.to_owned()];
            row.extend(counts.map(words::count));
            row
        };
        let names = [
            "map",
            "problems",
            "matched",
            "unreachable",
            "wrong",
            "expansions",
        ];
        let mut rows = vec![names.map(str::to_owned).to_vec()];
        rows.extend(
            self.maps
                .iter()
                .map(|map| row(&map.map, &map.tally, map.expansions)),
        );
        if self.maps.len() > 1 {
            rows.push(row("all", &self.tally, self.expansions));
        }
        out.line(words::table(&rows).trim_end());
        for map in &self.maps {
            for fault in &map.faults {
                let (from, to) = (fault.from, fault.to);
                out.line(format!(
                    "wrong: {} problem {} from {},{} to {},{}: {}",
                    map.map, fault.problem, from[0], from[1], to[0], to[1], fault.reason
                ));
            }
        }
        let time = words::duration(std::time::Duration::from_secs_f64(self.seconds));
        out.line(format!("{time} on {} threads", self.threads));
    }
}
