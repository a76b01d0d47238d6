//! `soak`: random whole worlds with ground, air, obstacles and bodies, run step by step against reference
//! models and oracles.
//!
//! A run is a seed and a list of step numbers. A step is a function of the seed and its own number, so any
//! subset of steps is again a run: that is a trace, and how a long failing run is shrunk.

mod draw;
mod edits;
mod life;
mod model;
mod options;
mod paths;
mod queries;
mod saves;
mod senses;
mod subscriptions;
mod trace;

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use serde::Serialize;
use wayfarer_engine::World;

use super::guarded;
use life::Life;
pub use trace::{Trace, TraceError};

/// What to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Seed of the first run; each further run takes the next.
    pub seed: u64,
    /// Steps of each run.
    pub n_steps: u32,
    /// Concurrent runs, at least 1.
    pub n_threads: usize,
}

impl Arguments {
    /// Runs of 120 steps from this seed on, one at a time.
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            n_steps: 120,
            n_threads: 1,
        }
    }
}

/// How far a soak has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Finished runs.
    pub cases: u64,
    /// Steps taken in them.
    pub steps: u64,
    /// Batches of edits that were done.
    pub batches: u64,
    /// Batches that were rejected, rightly.
    #[serde(rename = "refused")]
    pub rejected: u64,
    /// Edits in all of them.
    pub edits: u64,
    /// Requests for paths.
    pub queries: u64,
    /// Paths found, each walked step by step.
    pub paths: u64,
    /// Of these, those that are walked and flown.
    pub multimodal: u64,
    /// Searches in slices, compared with the same at once.
    pub sessions: u64,
    /// Path statuses compared with following the path.
    pub statuses: u64,
    /// Paths that were repaired.
    pub repaired: u64,
    /// Sensors compared with brute force.
    pub sensors: u64,
    /// Worlds saved and loaded.
    pub saves: u64,
    /// Times everything was compared with the models and with a rebuilt world.
    pub comparisons: u64,
}

impl Tally {
    /// All counts, in order.
    fn counts(&mut self) -> [&mut u64; 14] {
        [
            &mut self.cases,
            &mut self.steps,
            &mut self.batches,
            &mut self.rejected,
            &mut self.edits,
            &mut self.queries,
            &mut self.paths,
            &mut self.multimodal,
            &mut self.sessions,
            &mut self.statuses,
            &mut self.repaired,
            &mut self.sensors,
            &mut self.saves,
            &mut self.comparisons,
        ]
    }

    fn add(&mut self, mut other: Self) {
        for (sum, count) in self.counts().into_iter().zip(other.counts()) {
            *sum += *count;
        }
    }
}

/// A failed run, with everything needed to replay it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The seed and the steps that are enough for it.
    pub trace: Trace,
    /// Steps of the run when it failed, before it was shrunk.
    pub n_steps: usize,
    /// The failure, in the last step of the trace.
    pub reason: String,
}

/// Corrupts a world after a step, so that tests can show that it is detected.
pub type Corruption<'a> = &'a (dyn Fn(u32, &mut World) + Sync);

/// Starts runs until `go_on` returns false or one fails. The order in which they end depends on the
/// threads, their steps do not.
pub fn run(arguments: &Arguments, go_on: impl FnMut(&Tally) -> bool) -> (Tally, Option<Failed>) {
    run_corrupted(arguments, &|_, _| {}, go_on)
}

/// As [`run`], in worlds that `spoil` may change.
pub fn run_corrupted(
    arguments: &Arguments,
    spoil: Corruption<'_>,
    mut go_on: impl FnMut(&Tally) -> bool,
) -> (Tally, Option<Failed>) {
    let next = AtomicU64::new(arguments.seed);
    let is_over = AtomicBool::new(false);
    let mut tally = Tally::default();
    let mut failed = None;
    std::thread::scope(|scope| {
        let (send, report) = mpsc::channel();
        for _ in 0..arguments.n_threads.max(1) {
            let (send, next, is_over) = (send.clone(), &next, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let trace = Trace::whole(seed, arguments.n_steps);
                    let mut done = Tally::default();
                    let wrong = run_trace(&trace, spoil, &mut done);
                    done.cases = 1;
                    if send.send((trace, done, wrong)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (trace, done, wrong) in report {
            tally.add(done);
            if let Err((n_steps, reason)) = wrong {
                is_over.store(true, Ordering::Relaxed);
                failed.get_or_insert((trace.cut(n_steps), reason));
            }
            if !is_over.load(Ordering::Relaxed) && !go_on(&tally) {
                is_over.store(true, Ordering::Relaxed);
            }
        }
    });
    let failed = failed.map(|(trace, reason)| shrunk(&trace, reason, spoil));
    (tally, failed)
}

/// Replays a trace.
///
/// # Errors
/// The number of steps at the failure (0 is the world as generated), and the reason.
pub fn replay(trace: &Trace) -> Result<Tally, (usize, String)> {
    replay_corrupted(trace, &|_, _| {})
}

/// As [`replay`], in a world that `spoil` may change.
///
/// # Errors
/// As [`replay`].
pub fn replay_corrupted(trace: &Trace, spoil: Corruption<'_>) -> Result<Tally, (usize, String)> {
    let mut tally = Tally {
        cases: 1,
        ..Tally::default()
    };
    run_trace(trace, spoil, &mut tally).map(|()| tally)
}

/// Runs a trace; on a failure the number of steps and the reason.
fn run_trace(
    trace: &Trace,
    spoil: Corruption<'_>,
    tally: &mut Tally,
) -> Result<(), (usize, String)> {
    let made = guarded(|| Life::new(trace.seed));
    let mut life = made.map_err(|reason| (0, reason))?;
    for (number, step) in (1..).zip(&trace.steps) {
        tally.steps += 1;
        let went = guarded(AssertUnwindSafe(|| {
            let result = life.step(*step, tally);
            spoil(*step, &mut life.world);
            result
        }));
        went.map_err(|reason| (number, reason))?;
    }
    Ok(())
}

/// Drops steps while the run still fails: halves, quarters, down to single ones.
fn shrunk(trace: &Trace, reason: String, spoil: Corruption<'_>) -> Failed {
    const MAX_TRIES: usize = 400;
    let n_steps = trace.steps.len();
    let (mut trace, mut reason) = (trace.clone(), reason);
    let mut size = n_steps.div_ceil(2);
    let mut n_tries = 0;
    while size > 0 && !trace.steps.is_empty() {
        let (mut start, mut is_shorter) = (0, false);
        while start < trace.steps.len() && n_tries < MAX_TRIES {
            n_tries += 1;
            let mut fewer = trace.clone();
            let end = (start + size).min(fewer.steps.len());
            fewer.steps.drain(start..end);
            match run_trace(&fewer, spoil, &mut Tally::default()) {
                Err((n_steps, found)) => {
                    (trace, reason, is_shorter) = (fewer.cut(n_steps), found, true);
                }
                Ok(()) => start += size,
            }
        }
        if !is_shorter || size > 1 {
            size /= 2;
        }
        if n_tries >= MAX_TRIES {
            break;
        }
    }
    Failed {
        trace,
        n_steps,
        reason,
    }
}

/// An error with a sentence, unless something holds.
macro_rules! ensure {
    ($holds:expr, $($sentence:tt)+) => {{
        let holds: bool = $holds;
        if !holds {
            return Err(format!($($sentence)+));
        }
    }};
}
use ensure;

#[cfg(test)]
mod tests;
