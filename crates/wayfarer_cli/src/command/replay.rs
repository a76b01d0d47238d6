//! `wayfarer replay`: replays an edit trace and verifies every result, or replays a journal.

mod journal;
mod steps;
mod trace;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::{EditTrace, Expected, PathStatus, Problem};
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::Ground;

use crate::failure::{Failure, Verdict};
use crate::ground;
use crate::load::{Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;
use steps::Checks;

/// Replay an edit trace and verify every result
///
/// Applies every batch of edits to the ground and times its repair; finds every path and compares
/// its length with the expected one; the status of earlier paths must match a walk along them. On
/// flat maps A* over a dense grid must find paths of the same length. Exit code 1 if anything is
/// wrong. Of a journal, a folder, it gives the world after the last command or at a revision.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer make caves --size 200 --seed 4 -o caves.map --edits dig.edits
  wayfarer replay dig.edits --world caves.map
  wayfarer replay tower.world doors.edits --check
  wayfarer replay dao_arena2.scen
  wayfarer replay caves.d --to 12 -o caves-12.wayfarer

An .edits file needs its world: before it, or with --world. A dynamic .scen starts from open ground
and names its .patch file, which must lie beside it.")]
pub(crate) struct Replay {
    /// The edit trace: .edits, or a dynamic .scen; or the world, and the trace after it; or the folder
    /// of a journal
    #[arg(value_name = "TRACE")]
    file: PathBuf,
    /// The edit trace, if the world comes first
    #[arg(value_name = "TRACE", hide = true, conflicts_with = "world")]
    after_world: Option<PathBuf>,
    /// The world of an .edits file
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// After every batch compare the ground with a rebuilt one, and its undo with the ground before
    #[arg(long)]
    check: bool,
    /// Of a journal: stop after this revision
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["world", "check"])]
    to: Option<u64>,
    /// Of a journal: save the world there
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["world", "check"])]
    output: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: Json,
}

/// The result of a replay.
#[derive(Serialize, Default)]
struct Report {
    file: String,
    /// Batches of edits.
    batches: u64,
    /// Edits in them.
    edits: u64,
    /// Cells that the edits changed.
    changed_cells: u64,
    /// Queries for a path.
    problems: u64,
    /// Results equal to the expected ones.
    matched: u64,
    /// Results without an expectation: valid paths, or correctly none.
    unknown: u64,
    /// Of the matched and the unknown, unreachable goals.
    unreachable: u64,
    /// Wrong results, wrong statuses, or a ground that differs from a rebuilt one.
    wrong: u64,
    /// Statuses of earlier paths after each batch.
    statuses: Statuses,
    /// Mean and largest time of a batch with its repair, in microseconds.
    batch_mean_us: f64,
    batch_max_us: f64,
    /// Mean time of a query in microseconds.
    query_mean_us: f64,
    /// Figures of the ground.
    ground: steps::GroundTrace,
    /// The first faults.
    faults: Vec<String>,
    #[serde(skip)]
    batch_time: Duration,
    #[serde(skip)]
    query_time: Duration,
}

/// Counts by status.
#[derive(Serialize, Default)]
struct Statuses {
    valid: u64,
    maybe_suboptimal: u64,
    invalid: u64,
    unknown: u64,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.output.as_deref().into_iter().chain(self.json.file()))?;
        if self.file.is_dir() {
            return self.replay_journal();
        }
        if self.to.is_some() || self.output.is_some() {
            let reason = "--to and --output are for journals only, expected a folder";
            return Err(Failure::for_file(&self.file, reason));
        }
        let (file, world) = match &self.after_world {
            Some(file) => (file, Some(self.file.as_path())),
            None => (&self.file, self.world.as_deref()),
        };
        let (loaded, trace) = trace::read(file, world, &self.reading)?;
        let imported = ground::import(&loaded, &self.reading)
            .map_err(|error| Failure::for_file(world.unwrap_or(file), error))?;
        let mut report = self
            .replay(loaded, imported.ground, &trace)
            .map_err(|error| Failure::for_file(file, error))?;
        report.file = file.display().to_string();
        report.batch_mean_us = mean_us(report.batch_time, report.batches);
        report.query_mean_us = mean_us(report.query_time, report.problems);
        let mut out = Output::default();
        out.line(words::facts(&report.facts()).trim_end());
        for fault in &report.faults {
            out.line(format!("wrong: {fault}"));
        }
        out.json(&self.json, "replay/2", &report)?;
        out.finish()?;
        Ok(if report.wrong == 0 {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }
}

impl Replay {
    fn replay_journal(&self) -> Result<Verdict, Failure> {
        let (report, world) = journal::replay(&self.file, self.to)?;
        let mut out = Output::default();
        out.line(words::facts(&report.facts()).trim_end());
        out.json(&self.json, "replay-journal/1", &report)?;
        if let Some(path) = &self.output {
            out.file(path, world.save());
        }
        out.finish()?;
        Ok(Verdict::Done)
    }

    fn replay(&self, world: Loaded, ground: Ground, trace: &EditTrace) -> Result<Report, String> {
        let checks = if self.check {
            Checks::Everything
        } else {
            Checks::Results
        };
        let flat = match world {
            Loaded::Flat(map) => {
                Some(DenseGround::from_raster(map).map_err(|error| error.to_string())?)
            }
            _ => None,
        };
        steps::replay(World::from_ground(ground), flat, trace, checks)
    }
}

fn mean_us(time: Duration, count: u64) -> f64 {
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    time.as_secs_f64() * 1e6 / f64::from(count)
}

impl Report {
    /// Counts a fault; keeps the first ones.
    fn fault(&mut self, what: String) {
        const MAX_REPORTED: usize = 10;
        self.wrong += 1;
        if self.faults.len() < MAX_REPORTED {
            self.faults.push(what);
        }
    }

    /// Counts a verified result: whether a path was found, or the fault. Without an expectation it
    /// is neither wrong nor matched.
    fn result(&mut self, problem: &Problem, verified: Result<bool, String>) {
        self.problems += 1;
        match verified {
            Err(reason) => self.fault(reason),
            Ok(found) => {
                let is_expected = problem.expected != Expected::Unknown;
                self.matched += u64::from(is_expected);
                self.unknown += u64::from(!is_expected);
                self.unreachable += u64::from(!found);
            }
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let count = |number: u64| words::count(number);
        let (statuses, ground) = (&self.statuses, &self.ground);
        let mut facts = vec![
            ("batches", count(self.batches)),
            ("edits", count(self.edits)),
            ("cells changed", count(self.changed_cells)),
            ("problems", count(self.problems)),
            ("matched", count(self.matched)),
            ("unknown", count(self.unknown)),
            ("unreachable", count(self.unreachable)),
            ("wrong", count(self.wrong)),
            ("valid paths", count(statuses.valid)),
            ("  maybe suboptimal", count(statuses.maybe_suboptimal)),
            ("  invalid", count(statuses.invalid)),
            ("  unknown", count(statuses.unknown)),
            ("us per query", format!("{:.1}", self.query_mean_us)),
            (
                "us per batch",
                format!(
                    "{:.1}, at most {:.1}",
                    ground.batch_mean_us, ground.batch_max_us
                ),
            ),
            ("  median", format!("{:.1}", ground.batch_median_us)),
            ("split components", count(ground.split)),
            ("merged components", count(ground.merged)),
            ("regions at the end", count(ground.regions)),
            ("bytes at the end", count(ground.memory_bytes)),
        ];
        if ground.compared > 0 {
            facts.push(("compared with a rebuild", count(ground.compared)));
        }
        facts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

impl Statuses {
    fn count(&mut self, status: &PathStatus) {
        *match status {
            PathStatus::Valid => &mut self.valid,
            PathStatus::MaybeSuboptimal => &mut self.maybe_suboptimal,
            PathStatus::Invalid { .. } => &mut self.invalid,
            PathStatus::Unknown => &mut self.unknown,
        } += 1;
    }
}
