//! `wayfarer edits`: lives through a story of edits and checks every answer on the way.

mod multi_floor;
mod reference;
mod trace;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use wayfarer::World;
use wayfarer::base::{EditTrace, Expected, PathStatus, Problem};
use wayfarer::world::ground::Ground;

use crate::failure::{Failure, Verdict};
use crate::ground;
use crate::load::{Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;
use multi_floor::Effort;

/// Live through a story of edits and check every answer on the way
///
/// Every batch of edits is done to the ground, everything repaired, and timed; every path is found
/// and its length compared with the one stated. On flat maps every batch is also done cell by cell
/// to a plain map, every path is walked on that map, and the paths found earlier must know whether
/// they still hold. Exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer make caves --size 200 --seed 4 -o caves.map --edits dig.edits
  wayfarer edits dig.edits --world caves.map
  wayfarer edits keep.world doors.edits --check
  wayfarer edits dao_arena2.scen

A .edits file needs the world it happens in: before it, or with --world. A dynamic .scen begins with open ground and names its
.patch file, which must lie beside it.")]
pub(crate) struct Replay {
    /// The story: .edits, or a dynamic .scen; or the world, and the story after it
    #[arg(value_name = "STORY")]
    file: PathBuf,
    /// The story, if the world comes first
    #[arg(value_name = "STORY", hide = true, conflicts_with = "world")]
    after_world: Option<PathBuf>,
    /// The world in which a .edits file happens
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// After every batch compare the ground with one built anew, and with what undoing restores
    #[arg(long)]
    check: bool,
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
    /// Answers that are the stated ones.
    matched: u64,
    /// Paths of which nobody has said how long they are, found and walkable, or rightly not found.
    unknown: u64,
    /// Of the matched and the unknown, problems without a path.
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
    /// What the ground with all its floors, regions and components says.
    ground: Option<multi_floor::GroundTrace>,
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

impl Replay {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let (edit_trace, world) = match &self.after_world {
            Some(edit_trace) => (edit_trace, Some(self.file.as_path())),
            None => (&self.file, self.world.as_deref()),
        };
        let (loaded, trace) = trace::read(edit_trace, world, &self.reading)?;
        let imported = ground::import(&loaded, &self.reading)
            .map_err(|error| Failure::of_file(world.unwrap_or(edit_trace), error))?;
        let mut report = self
            .live_through(loaded, imported.ground, &trace)
            .map_err(|error| Failure::of_file(edit_trace, error))?;
        report.file = edit_trace.display().to_string();
        report.batch_mean_us = mean_us(report.batch_time, report.batches);
        report.query_mean_us = mean_us(report.query_time, report.problems);
        let mut out = Output::default();
        out.line(words::facts(&report.facts()).trim_end());
        for fault in &report.faults {
            out.line(format!("wrong: {fault}"));
        }
        out.json(&self.json, "edits", &report)?;
        out.finish()?;
        Ok(if report.wrong == 0 {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }
}

impl Replay {
    fn live_through(
        &self,
        world: Loaded,
        ground: Ground,
        trace: &EditTrace,
    ) -> Result<Report, String> {
        let effort = if self.check {
            Effort::Everything
        } else {
            Effort::Answers
        };
        let walked = multi_floor::live_through(World::from_ground(ground), trace, effort)?;
        let Loaded::Flat(map) = world else {
            return Ok(walked);
        };
        // Flat methods live through it too, and both must be right.
        let mut report = reference::live_through(map, trace)?;
        for fault in walked.faults {
            report.fault(format!("on the ground: {fault}"));
        }
        report.ground = walked.ground;
        Ok(report)
    }
}

/// Only reported.
fn mean_us(time: Duration, count: u64) -> f64 {
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    time.as_secs_f64() * 1e6 / f64::from(count)
}

impl Report {
    /// Notes that something is wrong.
    fn fault(&mut self, what: String) {
        const MAX_REPORTED: usize = 10;
        self.wrong += 1;
        if self.faults.len() < MAX_REPORTED {
            self.faults.push(what);
        }
    }

    /// Counts the answer to a question once: right (was a way found?), or why it is wrong. One that
    /// nobody has stated is not wrong, but it is no match either.
    fn result(&mut self, problem: &Problem, judged: Result<bool, String>) {
        self.problems += 1;
        match judged {
            Err(why) => self.fault(why),
            Ok(found) => {
                let is_stated = problem.expected != Expected::Unknown;
                self.matched += u64::from(is_stated);
                self.unknown += u64::from(!is_stated);
                self.unreachable += u64::from(!found);
            }
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let times = |count: u64| words::count(count);
        let took = |mean: f64, most: f64| format!("{mean:.1}, at most {most:.1}");
        let statuses = &self.statuses;
        let mut facts = vec![
            ("batches", times(self.batches)),
            ("edits", times(self.edits)),
            ("cells changed", times(self.changed_cells)),
            ("problems", times(self.problems)),
            ("matched", times(self.matched)),
            ("unknown", times(self.unknown)),
            ("unreachable", times(self.unreachable)),
            ("wrong", times(self.wrong)),
        ];
        if statuses.n_asked() > 0 {
            facts.extend([
                ("paths that hold", times(statuses.holds)),
                ("  may be shorter", times(statuses.shorter_may_exist)),
                ("  broken", times(statuses.broken)),
                ("  forgotten", times(statuses.forgotten)),
                (
                    "us per flat batch",
                    took(self.batch_mean_us, self.batch_max_us),
                ),
            ]);
        }
        facts.push(("us per query", format!("{:.1}", self.query_mean_us)));
        if let Some(ground) = &self.ground {
            facts.extend([
                (
                    "us per batch",
                    took(ground.batch_mean_us, ground.batch_max_us),
                ),
                ("  median", format!("{:.1}", ground.batch_median_us)),
                ("parted", times(ground.split)),
                ("joined", times(ground.joined)),
                ("regions at the end", times(ground.regions)),
                ("bytes at the end", times(ground.memory_bytes)),
            ]);
            if ground.compared > 0 {
                facts.push(("compared anew", times(ground.compared)));
            }
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
            PathStatus::Valid => &mut self.holds,
            PathStatus::MaybeSuboptimal => &mut self.shorter_may_exist,
            PathStatus::Invalid { .. } => &mut self.broken,
            PathStatus::Unknown => &mut self.forgotten,
        } += 1;
    }

    fn n_asked(&self) -> u64 {
        self.holds + self.shorter_may_exist + self.broken + self.forgotten
    }
}
