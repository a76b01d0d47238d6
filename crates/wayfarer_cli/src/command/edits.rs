//! `wayfarer edits`: lives through a story of edits and checks every answer on the way.

mod plain;
mod story;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::load::Reading;
use crate::output::{self, Json, Output};
use crate::words;

/// Live through a story of edits and check every answer on the way
///
/// Every batch of edits is done to the engine's ground and, cell by cell, to a plain map; every
/// path is walked on that plain map, its length compared with the one stated, and the paths found
/// earlier must know whether they still hold. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer make caves --size 200 --seed 4 -o caves.map --edits dig.edits
  wayfarer edits dig.edits --world caves.map
  wayfarer edits dao_arena2.scen

A .edits file needs the world it happens in. A dynamic .scen begins with open ground and names its
.patch file, which must lie beside it.")]
pub(crate) struct Edits {
    /// The story: .edits, or a dynamic .scen
    file: PathBuf,
    /// The world in which a .edits file happens
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: Json,
}

/// What came of a story.
#[derive(Serialize, Default)]
struct Report {
    file: String,
    /// Batches of edits.
    batches: u64,
    /// Edits in them.
    edits: u64,
    /// Cells that they changed.
    changed_cells: u64,
    /// Paths asked for.
    problems: u64,
    /// Answers that are right.
    matched: u64,
    /// Of those, problems without a path.
    unreachable: u64,
    /// Things that are not right: answers, statuses, or a ground that differs from the plain map.
    wrong: u64,
    /// What earlier paths said after each batch.
    statuses: Statuses,
    /// Mean and largest time of a batch, everything repaired, in microseconds.
    batch_mean_us: f64,
    batch_max_us: f64,
    /// Mean time of a query in microseconds.
    query_mean_us: f64,
    /// The first faults.
    faults: Vec<String>,
    #[serde(skip)]
    batch_time: Duration,
    #[serde(skip)]
    query_time: Duration,
}

/// How often earlier paths gave each status.
#[derive(Serialize, Default)]
struct Statuses {
    holds: u64,
    shorter_may_exist: u64,
    broken: u64,
    forgotten: u64,
}

impl Edits {
    pub(crate) fn run(&self) -> Result<Answer, Failure> {
        output::can_write(self.json.file())?;
        let (map, trace) = story::read(&self.file, self.world.as_deref(), &self.reading)?;
        let mut report = plain::live_through(map, &trace)
            .map_err(|error| Failure::of_file(&self.file, error))?;
        report.file = self.file.display().to_string();
        let mean = |time: Duration, count: u64| {
            let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
            time.as_secs_f64() * 1e6 / f64::from(count)
        };
        report.batch_mean_us = mean(report.batch_time, report.batches);
        report.query_mean_us = mean(report.query_time, report.problems);
        let mut out = Output::default();
        out.line(words::facts(&report.facts()).trim_end());
        for fault in &report.faults {
            out.line(format!("wrong: {fault}"));
        }
        out.json(&self.json, "edits", &report)?;
        out.finish()?;
        Ok(if report.wrong == 0 {
            Answer::Done
        } else {
            Answer::Negative
        })
    }
}

impl Report {
    /// Notes that something is wrong.
    fn fault(&mut self, what: String) {
        const MOST_TOLD: usize = 10;
        self.wrong += 1;
        if self.faults.len() < MOST_TOLD {
            self.faults.push(what);
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let times = |count: u64| words::count(count);
        let statuses = &self.statuses;
        let facts = [
            ("batches", times(self.batches)),
            ("edits", times(self.edits)),
            ("cells changed", times(self.changed_cells)),
            ("problems", times(self.problems)),
            ("matched", times(self.matched)),
            ("unreachable", times(self.unreachable)),
            ("wrong", times(self.wrong)),
            ("paths that hold", times(statuses.holds)),
            ("  may be shorter", times(statuses.shorter_may_exist)),
            ("  broken", times(statuses.broken)),
            ("  forgotten", times(statuses.forgotten)),
            (
                "us per batch",
                format!(
                    "{:.1}, at most {:.1}",
                    self.batch_mean_us, self.batch_max_us
                ),
            ),
            ("us per query", format!("{:.1}", self.query_mean_us)),
        ];
        facts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
