//! `wayfarer soak`: random worlds and edits compared with references until the time is up.

mod whole;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;
use wayfarer_bench::soak::{self, Arguments, Failed, Tally};
use wayfarer_engine::base::WorldData;
use wayfarer_engine::formats::{edits_file, world_file};

use crate::failure::{Failure, Verdict};
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::{clock, words};

/// Edit random worlds until the time is up, and compare everything with references
///
/// Without a subcommand, whole worlds: ground, air, obstacles, bodies, sensors, saves and loads,
/// queries of every kind.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  wayfarer soak --minutes 20 --seed 7 --threads 2
  wayfarer soak --replay soak-7.trace
  wayfarer soak ground --minutes 60 --seed 7"
)]
pub(crate) struct Soak {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    whole: whole::Whole,
}

/// A part of the world; its help stands with its options.
#[derive(Subcommand)]
enum What {
    Ground(Ground),
}

impl Soak {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        match &self.what {
            Some(What::Ground(ground)) => ground.run(),
            None => self.whole.run(),
        }
    }
}

/// Edit random grounds; compare with the reference, a rebuild and the undo
///
/// On a difference: exit code 1, the seed and the batch are reported, and the world at the start
/// and the batches are written to soak-SEED.world and soak-SEED.edits for --replay.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer soak ground --minutes 3 --seed 7
  wayfarer soak ground --replay soak-7.edits --world soak-7.world")]
struct Ground {
    #[command(flatten)]
    run: RunOptions,
    /// Replay these batches instead, comparing after each
    #[arg(long, value_name = "FILE", requires = "world", conflicts_with_all = ["minutes", "seed", "output"])]
    replay: Option<PathBuf>,
    /// The world at the start of --replay
    #[arg(long, value_name = "FILE", requires = "replay")]
    world: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Duration, seed, and the folder for failures.
#[derive(Args)]
struct RunOptions {
    /// Duration in minutes, fractions allowed
    #[arg(long, value_name = "N", default_value = "1", value_parser = minutes)]
    minutes: f64,
    /// Seed of the first world; each further world takes the next
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The folder for failures
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
}

impl RunOptions {
    /// Runs `soak` until the time is up: its callback shows the progress and returns whether to go
    /// on. Returns its result and the minutes it took.
    fn until_done<T>(
        &self,
        soak: impl FnOnce(&mut dyn FnMut(&dyn Fn() -> String) -> bool) -> T,
    ) -> Result<(T, f64), Failure> {
        if !self.output.is_dir() {
            return Err(Failure::for_file(&self.output, "there is no such folder"));
        }
        let limit = Duration::from_secs_f64(self.minutes * 60.0);
        let started = clock::now();
        let is_shown = std::io::stderr().is_terminal();
        let result = soak(&mut |report| {
            if is_shown {
                let done = words::duration(started.elapsed());
                // A failure to show progress is no failure of the soak.
                write!(std::io::stderr(), "\r{done}: {}\x1b[K", report()).ok();
            }
            started.elapsed() < limit
        });
        if is_shown {
            write!(std::io::stderr(), "\r\x1b[K").ok();
        }
        Ok((result, started.elapsed().as_secs_f64() / 60.0))
    }
}

/// The result of a soak.
#[derive(Serialize)]
struct Report<T, W> {
    seed: u64,
    minutes: f64,
    #[serde(flatten)]
    tally: T,
    wrong: Option<W>,
}

/// A failure.
#[derive(Serialize)]
struct Wrong {
    seed: u64,
    kind: String,
    batch: usize,
    #[serde(rename = "because")]
    reason: String,
}

impl Ground {
    fn run(&self) -> Result<Verdict, Failure> {
        if let (Some(trace), Some(world)) = (&self.replay, &self.world) {
            return self.replay(trace, world);
        }
        output::can_write(self.json.file())?;
        let seed = self.run.seed;
        let ((tally, failed), minutes) = self.run.until_done(|go_on| {
            soak::run(&Arguments::new(seed), |tally| go_on(&|| summary(tally)))
        })?;
        let mut out = Output::default();
        out.line(format!("seeds from {seed}: {}", summary(&tally)));
        match &failed {
            None => out.line("no difference"),
            Some(failed) => write_failure(failed, &self.run.output, &mut out)?,
        }
        let report = Report {
            seed,
            minutes,
            tally,
            wrong: failed.as_ref().map(|failed| Wrong {
                seed: failed.seed,
                kind: format!("{:?}", failed.kind),
                batch: failed.batch,
                reason: failed.reason.clone(),
            }),
        };
        out.json(&self.json, "soak-ground/2", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(failed.is_some()))
    }
}

fn summary(tally: &Tally) -> String {
    format!(
        "{} worlds, {} batches, {} edits, {} comparisons",
        words::count(tally.cases),
        words::count(tally.batches),
        words::count(tally.edits),
        words::count(tally.comparisons)
    )
}

/// Reports a failure and writes the files to replay it.
fn write_failure(failed: &Failed, folder: &Path, out: &mut Output) -> Result<(), Failure> {
    let (seed, kind, batch) = (failed.seed, failed.kind, failed.batch);
    let reason = &failed.reason;
    out.line(format!(
        "wrong: seed {seed}, {kind:?}, batch {batch}: {reason}"
    ));
    let world = folder.join(format!("soak-{seed}.world"));
    let trace = folder.join(format!("soak-{seed}.edits"));
    output::can_write([world.as_path(), &trace])?;
    out.line(format!(
        "again: wayfarer soak ground --replay {} --world {}",
        trace.display(),
        world.display()
    ));
    out.file(&world, world_file::write(&failed.world).into_bytes());
    out.file(&trace, edits_file::write(&failed.trace).into_bytes());
    Ok(())
}

impl Ground {
    fn replay(&self, trace: &Path, world: &Path) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        let edits = edits_file::read(&load::bytes(trace)?)
            .map_err(|error| Failure::for_file(trace, error))?;
        let data = match load::world(world, &Reading::default())? {
            (_, Loaded::Data(data)) => data,
            (_, Loaded::Flat(map)) => WorldData::from_raster(&map),
            (kind, _) => {
                let what = format!("found {kind}, expected a world with floors");
                return Err(Failure::for_file(world, what));
            }
        };
        let mut out = Output::default();
        let (replayed, result) = match soak::replay(&data, &edits) {
            Ok(batches) => {
                out.line(format!("{batches} batches, no difference"));
                let wrong = None;
                (Replayed { batches, wrong }, Verdict::Done)
            }
            Err((batch, reason)) => {
                out.line(format!("wrong: batch {batch}: {reason}"));
                let (batches, wrong) = (batch, Some(reason));
                (Replayed { batches, wrong }, Verdict::Negative)
            }
        };
        out.json(&self.json, "soak-replay/1", &replayed)?;
        out.finish()?;
        Ok(result)
    }
}

/// The result of a replay.
#[derive(Serialize)]
struct Replayed {
    /// Batches before the first difference, or all.
    batches: usize,
    /// The first difference.
    wrong: Option<String>,
}

/// Parses minutes: up to a year.
fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|minutes| (0.0..=525_600.0).contains(minutes));
    number.ok_or_else(|| "expected a number from 0 to 525600".to_owned())
}

#[cfg(test)]
mod tests;
