//! `wayfarer soak`: random worlds, random edits, everything compared, for as long as one likes.

mod whole;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;
use wayfarer::base::WorldData;
use wayfarer::formats::{edits_file, world_file};
use wayfarer_bench::soak::{self, Arguments, Failed, Tally};

use crate::failure::{Failure, Verdict};
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::{clock, words};

/// Change worlds at random for as long as you like and compare everything with the oracle
///
/// Without a name, whole worlds are lived through: ground, air, field, objects, sensors, saves and
/// loads, questions of every kind, all held to plain models and slow oracles.
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

/// What can be soaked.
#[derive(Subcommand)]
enum What {
    /// The ground: worlds of every kind, batches of edits, repaired, rebuilt, undone
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

/// Change random worlds and compare the ground with the oracle, a rebuild and its own undoing
///
/// If anything differs, the exit code is 1, the seed and the batch are named, and the world at the
/// start and the batches are written to soak-SEED.world and soak-SEED.edits, to be replayed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer soak ground --minutes 3 --seed 7
  wayfarer soak ground --replay soak-7.edits --world soak-7.world")]
struct Ground {
    #[command(flatten)]
    course: Course,
    /// Live through these batches again instead, comparing after each
    #[arg(long, value_name = "FILE", requires = "world", conflicts_with_all = ["minutes", "seed", "output"])]
    replay: Option<PathBuf>,
    /// The world at the start of --replay
    #[arg(long, value_name = "FILE", requires = "replay")]
    world: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// How long to go on, from where, and where to write what goes wrong.
#[derive(Args)]
struct Course {
    /// How long; parts of minutes may be given
    #[arg(long, value_name = "N", default_value = "1", value_parser = minutes)]
    minutes: f64,
    /// Where all chance comes from; each further world takes the next seed
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The folder for what went wrong
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
}

impl Course {
    /// Lets `live` go on until the time is up: it asks again and again whether to, and says how
    /// far it has come. Gives what came of it, and how many minutes it took.
    fn run<T>(
        &self,
        live: impl FnOnce(&mut dyn FnMut(&dyn Fn() -> String) -> bool) -> T,
    ) -> Result<(T, f64), Failure> {
        if !self.output.is_dir() {
            return Err(Failure::of_file(&self.output, "there is no such folder"));
        }
        let longest = Duration::from_secs_f64(self.minutes * 60.0);
        let begun = clock::now();
        let shown = std::io::stderr().is_terminal();
        let lived = live(&mut |report| {
            if shown {
                let done = words::duration(begun.elapsed());
                // Progress that nobody can see is no loss.
                write!(std::io::stderr(), "\r{done}: {}\x1b[K", report()).ok();
            }
            begun.elapsed() < longest
        });
        if shown {
            write!(std::io::stderr(), "\r\x1b[K").ok();
        }
        Ok((lived, begun.elapsed().as_secs_f64() / 60.0))
    }
}

/// What came of a soak.
#[derive(Serialize)]
struct Report<T, W> {
    seed: u64,
    minutes: f64,
    #[serde(flatten)]
    tally: T,
    wrong: Option<W>,
}

/// What went wrong, for other programs.
#[derive(Serialize)]
struct Wrong {
    seed: u64,
    kind: String,
    batch: usize,
    reason: String,
}

impl Ground {
    fn run(&self) -> Result<Verdict, Failure> {
        if let (Some(trace), Some(world)) = (&self.replay, &self.world) {
            return self.replay(trace, world);
        }
        output::can_write(self.json.file())?;
        let seed = self.course.seed;
        let ((tally, failed), minutes) = self
            .course
            .run(|go_on| soak::run(&Arguments::new(seed), |tally| go_on(&|| report(tally))))?;
        let mut out = Output::default();
        out.line(format!("seeds from {seed}: {}", report(&tally)));
        match &failed {
            None => out.line("no difference"),
            Some(failed) => tell(failed, &self.course.output, &mut out)?,
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
        out.json(&self.json, "soak-ground", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(failed.is_some()))
    }
}

fn report(tally: &Tally) -> String {
    format!(
        "{} worlds, {} batches, {} edits, {} times all compared",
        words::count(tally.traces),
        words::count(tally.batches),
        words::count(tally.edits),
        words::count(tally.comparisons)
    )
}

/// Says what went wrong and writes down how to see it again.
fn tell(failed: &Failed, folder: &Path, out: &mut Output) -> Result<(), Failure> {
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
        let edit_trace = edits_file::read(&load::bytes(trace)?)
            .map_err(|error| Failure::of_file(trace, error))?;
        let plan = match load::world(world, &Reading::default())? {
            (_, Loaded::Plan(plan)) => plan,
            (_, Loaded::Flat(map)) => WorldData::from_raster(&map),
            (kind, _) => {
                let what = format!("found {kind}, expected a world with floors");
                return Err(Failure::of_file(world, what));
            }
        };
        let mut out = Output::default();
        let (replayed, result) = match soak::replay(&plan, &edit_trace) {
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
        out.json(&self.json, "soak-replay", &replayed)?;
        out.finish()?;
        Ok(result)
    }
}

/// What came of batches that were lived through again.
#[derive(Serialize)]
struct Replayed {
    /// Batches before the first difference, or all.
    batches: usize,
    /// What differs, if anything does.
    wrong: Option<String>,
}

/// Reads how many minutes: up to a year.
fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|minutes| (0.0..=525_600.0).contains(minutes));
    number.ok_or_else(|| "expected a number from 0 to 525600".to_owned())
}

#[cfg(test)]
mod tests;
