//! `wayfarer run`: keeps a world in a journal and applies edits to it.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::TraceStep;
use wayfarer_engine::formats::edits_file;
use wayfarer_store::{Journal, JournalError, JournalOptions};

use crate::clock::timed;
use crate::failure::{Failure, Verdict};
use crate::ground;
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;

/// Keep a world in a journal: every batch of edits is on disk before the next
///
/// Starts a journal of the world in the folder, or goes on with the journal that is there: then the
/// world on the command line is not read. Applies the batches of an edit trace, one by one. After a
/// kill or a power cut the same command recovers every batch that was accepted.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer run caves.map --journal caves.d
  wayfarer run caves.map --journal caves.d --edits dig.edits
  wayfarer run caves.map --journal caves.d --edits dig.edits --sync-every 64 --snapshot-every 10000
  wayfarer info caves.d
  wayfarer replay caves.d --to 12 -o caves-12.wayfarer")]
pub(crate) struct Run {
    /// The world, for a new journal
    world: PathBuf,
    /// The folder of the journal
    #[arg(long, value_name = "DIR")]
    journal: PathBuf,
    /// Apply the batches of this trace; its queries are skipped
    #[arg(long, value_name = "FILE")]
    edits: Option<PathBuf>,
    /// Batches that share one sync to disk
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    sync_every: u32,
    /// Batches from one snapshot to the next
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..))]
    snapshot_every: u64,
    /// Older snapshots to keep, to rewind to
    #[arg(long, value_name = "N", default_value_t = 1)]
    keep: u32,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: Json,
}

/// The result of a run.
#[derive(Serialize)]
struct Report {
    journal: String,
    /// What was found on disk; absent for a new journal.
    recovery: Option<String>,
    /// Batches applied by this run.
    batches: u64,
    /// Commands accepted since the journal began.
    accepted: u64,
    revision: u64,
    state_hash: String,
    /// Mean time of a batch with its sync, in microseconds.
    batch_mean_us: f64,
}

impl Run {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let (mut journal, recovery) = self.open()?;
        let (applied, time) = timed(|| match &self.edits {
            Some(edits) => apply_trace(&mut journal, edits),
            None => Ok(0),
        });
        let batches = applied?;
        let report = Report {
            journal: self.journal.display().to_string(),
            recovery,
            batches,
            accepted: journal.accepted().0,
            revision: journal.revision().number,
            state_hash: format!("{:016x}", journal.state_hash()),
            batch_mean_us: time.as_secs_f64() * 1e6 / (batches.max(1) as f64),
        };
        let mut out = Output::default();
        out.line(words::facts(&report.facts()).trim_end());
        out.json(&self.json, "run/1", &report)?;
        out.finish()?;
        Ok(Verdict::Done)
    }

    fn open(&self) -> Result<(Journal, Option<String>), Failure> {
        let options = JournalOptions {
            sync_every: self.sync_every,
            snapshot_every: self.snapshot_every,
            keep_snapshots: self.keep,
        };
        let wrong = |error: JournalError| Failure::BadInput(error.to_string());
        if self.journal.is_dir() {
            match Journal::open(&self.journal, options) {
                Ok((journal, recovery)) => return Ok((journal, Some(recovery.to_string()))),
                Err(JournalError::Missing { .. }) => {}
                Err(error) => return Err(wrong(error)),
            }
        }
        let world = read_world(&self.world, &self.reading)?;
        let journal = Journal::create(&self.journal, world, options);
        Ok((journal.map_err(wrong)?, None))
    }
}

fn read_world(path: &Path, reading: &Reading) -> Result<World, Failure> {
    match load::world(path, reading)?.1 {
        Loaded::Saved(world) => Ok(*world),
        other => {
            let imported = ground::import(&other, reading);
            let imported = imported.map_err(|error| Failure::for_file(path, error))?;
            Ok(World::from_ground(imported.ground))
        }
    }
}

fn apply_trace(journal: &mut Journal, path: &Path) -> Result<u64, Failure> {
    let trace = edits_file::read(&load::bytes(path)?);
    let trace = trace.map_err(|error| Failure::for_file(path, error))?;
    let mut n_batches = 0;
    for step in trace.steps {
        let TraceStep::Batch(edits) = step else {
            continue;
        };
        let applied = journal.apply(edits);
        applied.map_err(|error| match error {
            JournalError::Command(error) => {
                Failure::for_file(path, format!("batch {n_batches}: {error}"))
            }
            other => Failure::BadInput(other.to_string()),
        })?;
        n_batches += 1;
    }
    let committed = journal.commit();
    committed.map_err(|error| Failure::BadInput(error.to_string()))?;
    Ok(n_batches)
}

impl Report {
    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![("journal".to_owned(), self.journal.clone())];
        let recovery = self.recovery.clone();
        facts.push((
            "found".to_owned(),
            recovery.unwrap_or_else(|| "nothing: a new journal".to_owned()),
        ));
        facts.push(("batches applied".to_owned(), words::count(self.batches)));
        if self.batches > 0 {
            let mean = format!("{:.1} us", self.batch_mean_us);
            facts.push(("mean batch".to_owned(), mean));
        }
        facts.push(("commands accepted".to_owned(), words::count(self.accepted)));
        facts.push(("revision".to_owned(), words::count(self.revision)));
        facts.push(("state hash".to_owned(), self.state_hash.clone()));
        facts
    }
}
