//! `wayfarer soak` of whole worlds, several at once.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use wayfarer_bench::soak::whole::{self, Arguments, Failed, Tally, Trace};

use super::{Report, RunOptions};
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::{load, words};

/// On a failure: exit code 1, and the seed with a minimal list of steps is written to
/// soak-SEED.trace.
#[derive(Args)]
pub(super) struct Whole {
    #[command(flatten)]
    run: RunOptions,
    /// Worlds at once
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// Replay a trace instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["minutes", "seed", "threads", "output"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// A failure.
#[derive(Serialize)]
struct Wrong {
    seed: u64,
    steps: Vec<u32>,
    #[serde(rename = "because")]
    reason: String,
}

impl Whole {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        if let Some(trace) = &self.replay {
            return self.replay(trace);
        }
        let seed = self.run.seed;
        let arguments = Arguments {
            n_threads: self.threads.get(),
            ..Arguments::new(seed)
        };
        let ((tally, failed), minutes) = (self.run)
            .until_done(|go_on| whole::run(&arguments, |tally| go_on(&|| summary(tally))))?;
        let mut out = Output::default();
        out.line(format!("seeds from {seed}:"));
        print_tally(&tally, &mut out);
        match &failed {
            None => out.line("no failure"),
            Some(failed) => write_failure(failed, &self.run.output, &mut out)?,
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
        out.json(&self.json, "soak/2", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(failed.is_some()))
    }

    fn replay(&self, file: &Path) -> Result<Verdict, Failure> {
        let bytes = load::bytes(file)?;
        let text = String::from_utf8_lossy(&bytes);
        let trace = Trace::read(&text).map_err(|error| Failure::for_file(file, error))?;
        let mut out = Output::default();
        let (tally, wrong) = match whole::replay(&trace) {
            Ok(tally) => {
                print_tally(&tally, &mut out);
                out.line("no failure");
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
        out.json(&self.json, "soak/2", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(is_wrong))
    }
}

fn summary(tally: &Tally) -> String {
    format!(
        "{} worlds, {} batches, {} queries",
        words::count(tally.cases),
        words::count(tally.batches),
        words::count(tally.queries)
    )
}

fn print_tally(tally: &Tally, out: &mut Output) {
    let lines = [
        (tally.cases, "worlds"),
        (tally.steps, "steps"),
        (tally.batches, "batches of edits applied"),
        (tally.rejected, "batches rejected, nothing changed"),
        (tally.edits, "edits in them"),
        (tally.queries, "path queries"),
        (tally.paths, "paths found and walked step by step"),
        (tally.multimodal, "multimodal paths among them"),
        (tally.sessions, "sliced searches, equal to one slice"),
        (tally.statuses, "path statuses"),
        (tally.repaired, "paths repaired"),
        (tally.sensors, "sensors, equal to brute force"),
        (tally.saves, "worlds saved and loaded"),
        (tally.comparisons, "comparisons with a rebuilt world"),
    ];
    for (count, what) in lines {
        out.line(format!("{:>12}  {what}", words::count(count)));
    }
}

/// Reports a failure and writes the trace to replay it.
pub(super) fn write_failure(
    failed: &Failed,
    folder: &Path,
    out: &mut Output,
) -> Result<(), Failure> {
    let Failed {
        trace,
        n_steps,
        reason,
    } = failed;
    let (seed, n_left) = (trace.seed, trace.steps.len());
    out.line(format!(
        "wrong: seed {seed}, after {n_steps} steps, {n_left} of which are enough: {reason}"
    ));
    let file = folder.join(format!("soak-{seed}.trace"));
    output::can_write([file.as_path()])?;
    out.line(format!("again: wayfarer soak --replay {}", file.display()));
    let first_line = reason.lines().next().unwrap_or_default();
    out.file(&file, format!("{trace}# {first_line}\n").into_bytes());
    Ok(())
}
