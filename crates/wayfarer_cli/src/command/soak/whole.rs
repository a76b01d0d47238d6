//! `wayfarer soak`: whole worlds lived through at random, several at once, for as long as one likes.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use wayfarer_bench::soak::whole::{self, Arguments, Failed, Tally, Trace};

use super::{Course, Report};
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::{load, words};

/// If anything is wrong, the exit code is 1, the seed is named, and the seed and the steps that are
/// enough to see it again are written to soak-SEED.trace.
#[derive(Args)]
pub(super) struct Whole {
    #[command(flatten)]
    course: Course,
    /// Worlds lived through at once
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// Live through a trace again instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["minutes", "seed", "threads", "output"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// What went wrong.
#[derive(Serialize)]
struct Wrong {
    seed: u64,
    steps: Vec<u32>,
    reason: String,
}

impl Whole {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        if let Some(trace) = &self.replay {
            return self.replay(trace);
        }
        let seed = self.course.seed;
        let arguments = Arguments {
            n_threads: self.threads.get(),
            ..Arguments::new(seed)
        };
        let ((tally, failed), minutes) =
            (self.course).run(|go_on| whole::run(&arguments, |tally| go_on(&|| report(tally))))?;
        let mut out = Output::default();
        out.line(format!("seeds from {seed}:"));
        tell_tally(&tally, &mut out);
        match &failed {
            None => out.line("nothing is wrong"),
            Some(failed) => tell(failed, &self.course.output, &mut out)?,
        }
        let report = Report {
            seed,
            minutes,
            tally,
            wrong: failed.as_ref().map(|failed| Wrong {
                seed: failed.trace.seed,
                steps: failed.trace.steps.clone(),
                reason: failed.reason.clone(),
            }),
        };
        out.json(&self.json, "soak", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(failed.is_some()))
    }

    fn replay(&self, file: &Path) -> Result<Verdict, Failure> {
        let bytes = load::bytes(file)?;
        let text = String::from_utf8_lossy(&bytes);
        let trace = Trace::read(&text).map_err(|error| Failure::of_file(file, error))?;
        let mut out = Output::default();
        let (tally, wrong) = match whole::replay(&trace) {
            Ok(tally) => {
                tell_tally(&tally, &mut out);
                out.line("nothing is wrong");
                (tally, None)
            }
            Err((step, reason)) => {
                out.line(format!("wrong at step {step} of the trace: {reason}"));
                let wrong = Wrong {
                    seed: trace.seed,
                    steps: trace.steps.clone(),
                    reason,
                };
                (Tally::default(), Some(wrong))
            }
        };
        let is_wrong = wrong.is_some();
        let report = Report {
            seed: trace.seed,
            minutes: 0.0,
            tally,
            wrong,
        };
        out.json(&self.json, "soak", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(is_wrong))
    }
}

fn report(tally: &Tally) -> String {
    format!(
        "{} worlds, {} batches, {} questions",
        words::count(tally.traces),
        words::count(tally.batches),
        words::count(tally.queries)
    )
}

fn tell_tally(tally: &Tally, out: &mut Output) {
    let lines = [
        (tally.traces, "worlds lived through"),
        (tally.steps, "steps"),
        (tally.batches, "batches of edits done"),
        (tally.refused, "batches refused, nothing changed"),
        (tally.edits, "edits in them"),
        (tally.queries, "requests for paths"),
        (tally.paths, "paths found and gone step by step"),
        (tally.mixed, "of them walked and flown"),
        (tally.sessions, "searches in slices, as at once"),
        (tally.statuses, "times told whether a path holds"),
        (tally.repaired, "paths mended"),
        (tally.sensors, "sensors asked, as by looking at everybody"),
        (tally.saves, "worlds saved and loaded"),
        (tally.comparisons, "times compared with a world made anew"),
    ];
    for (count, what) in lines {
        out.line(format!("{:>12}  {what}", words::count(count)));
    }
}

/// Says what went wrong and writes down how to see it again.
pub(super) fn tell(failed: &Failed, folder: &Path, out: &mut Output) -> Result<(), Failure> {
    let Failed {
        trace,
        n_steps,
        reason: because,
    } = failed;
    let (seed, n_left) = (trace.seed, trace.steps.len());
    out.line(format!(
        "wrong: seed {seed}, after {n_steps} steps, {n_left} of which are enough: {because}"
    ));
    let file = folder.join(format!("soak-{seed}.trace"));
    output::can_write([file.as_path()])?;
    out.line(format!("again: wayfarer soak --replay {}", file.display()));
    let why = because.lines().next().unwrap_or_default();
    out.file(&file, format!("{trace}# {why}\n").into_bytes());
    Ok(())
}
