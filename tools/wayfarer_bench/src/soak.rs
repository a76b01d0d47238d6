//! `soak ground`: random worlds and edits, compared with the oracle, with a rebuilt ground and with undo,
//! until the caller stops it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use wayfarer_engine::base::scenario::{EditTrace, TraceStep};
use wayfarer_engine::base::{GroundEdit, Rng, WorldData};
use wayfarer_engine::world::ground::Ground;
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};

mod compare;
pub mod whole;

pub use compare::{Unequal, compare, compare_changes, compare_rebuilt};

/// What to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Seed of the first run; each further run takes the next.
    pub seed: u64,
    /// Batches of each run.
    pub n_batches: usize,
    /// Batches between full comparisons.
    pub compare_every: usize,
}

impl Arguments {
    /// Runs of 600 batches from this seed on, compared every fiftieth batch.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            n_batches: 600,
            compare_every: 50,
        }
    }
}

/// How far a soak has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Finished runs.
    pub cases: u64,
    /// Batches applied.
    pub batches: u64,
    /// Edits in them.
    pub edits: u64,
    /// Times everything was compared and undone.
    pub comparisons: u64,
}

/// A failed run, with everything needed to replay it.
#[derive(Clone, PartialEq, Debug)]
pub struct Failed {
    /// Its seed.
    pub seed: u64,
    /// What the world is rich in.
    pub kind: WorldKind,
    /// The first batch after which something is wrong, from 1; 0 is the world as it was built.
    pub batch: usize,
    /// What is wrong.
    pub reason: String,
    /// The initial world.
    pub world: WorldData,
    /// The batches up to the one in question.
    pub trace: EditTrace,
}

/// Starts runs until `go_on` returns false or one fails.
pub fn run(
    arguments: &Arguments,
    mut go_on: impl FnMut(&Tally) -> bool,
) -> (Tally, Option<Failed>) {
    let mut tally = Tally::default();
    let mut seed = arguments.seed;
    loop {
        for kind in WorldKind::ALL {
            let trace = EditScript {
                seed,
                kind,
                n_batches: arguments.n_batches,
            };
            let mut done = Tally::default();
            let found = trace.run(arguments.compare_every, &mut done, |_, _| {});
            tally.cases += 1;
            tally.batches += done.batches;
            tally.edits += done.edits;
            tally.comparisons += done.comparisons;
            if found.is_some() {
                return (tally, trace.explain(|_, _| {}).or(found));
            }
            if !go_on(&tally) {
                return (tally, None);
            }
        }
        seed = seed.wrapping_add(1);
    }
}

/// One world and the batches that change it, all from a seed.
#[derive(Clone, Copy, Debug)]
struct EditScript {
    seed: u64,
    kind: WorldKind,
    n_batches: usize,
}

impl EditScript {
    /// Runs it; the mismatch, if any. `spoil` may change the batch that the ground receives, so that
    /// tests can show that mismatches are detected.
    fn run(
        &self,
        compare_every: usize,
        tally: &mut Tally,
        spoil: impl Fn(usize, &mut Vec<GroundEdit>),
    ) -> Option<Failed> {
        let plan = random_world(self.seed, self.kind);
        let mut batches = Vec::new();
        let mut life = Life::new(&plan);
        let mut rng = Rng::for_stream(self.seed, 0x736f_616b);
        let mut wrong = life.as_ref().err().cloned();
        if let Ok(life) = &mut life {
            for batch in 1..=self.n_batches {
                let edits = random_batch(&mut rng, &life.world);
                let mut reported = edits.clone();
                spoil(batch, &mut reported);
                tally.batches += 1;
                tally.edits += edits.len() as u64;
                let is_compared = batch % compare_every.max(1) == 0;
                tally.comparisons += u64::from(is_compared);
                let comparison = match batch {
                    _ if is_compared => Comparison::Everything,
                    _ if batch % COMPARE_PAIRS_EVERY == 0 => Comparison::Pairs,
                    _ => Comparison::Nothing,
                };
                batches.push(edits);
                let edits = batches.last()?;
                if let Err(reason) = life.apply(edits, &reported, comparison) {
                    wrong = Some(reason);
                    break;
                }
            }
        }
        wrong.map(|reason| Failed {
            seed: self.seed,
            kind: self.kind,
            batch: batches.len(),
            reason,
            world: plan,
            trace: EditTrace {
                steps: batches.into_iter().map(TraceStep::Batch).collect(),
            },
        })
    }

    /// The same again, compared after every batch, so that the first wrong one is named.
    fn explain(&self, spoil: impl Fn(usize, &mut Vec<GroundEdit>)) -> Option<Failed> {
        self.run(1, &mut Tally::default(), spoil)
    }
}

/// Batches between comparisons of split and merged components.
const COMPARE_PAIRS_EVERY: usize = 5;

/// What is compared after a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Nothing,
    /// Split and merged components of the change set.
    Pairs,
    Everything,
}

/// A ground and the oracle's world, changed alike.
struct Life {
    ground: Ground,
    world: ReferenceWorld,
}

impl Life {
    fn new(plan: &WorldData) -> Result<Self, String> {
        guarded(|| {
            let ground = Ground::from_data(plan).map_err(|error| error.to_string())?;
            let world = ReferenceWorld::new(plan);
            compare(&ground, &world).map_err(|unequal| unequal.to_string())?;
            Ok(Self { ground, world })
        })
    }

    /// Applies a batch to both, `reported` to the ground, and compares.
    fn apply(
        &mut self,
        edits: &[GroundEdit],
        reported: &[GroundEdit],
        comparison: Comparison,
    ) -> Result<(), String> {
        guarded(AssertUnwindSafe(|| {
            self.apply_unguarded(edits, reported, comparison)
        }))
    }

    fn apply_unguarded(
        &mut self,
        edits: &[GroundEdit],
        reported: &[GroundEdit],
        comparison: Comparison,
    ) -> Result<(), String> {
        let rejected =
            |error: wayfarer_engine::world::ground::GroundEditError| format!("rejected: {error}");
        if comparison == Comparison::Nothing {
            self.ground.apply(reported).map_err(rejected)?;
            self.world.apply(edits);
            return Ok(());
        }
        let profile = self.ground.default_profile().clone();
        let previous = (comparison == Comparison::Everything).then(|| self.ground.canonical());
        let before = self.world.components(&profile);
        let changes = self.ground.apply(reported).map_err(rejected)?;
        self.world.apply(edits);
        let after = self.world.components(&profile);
        let unequal = |unequal: Unequal| unequal.to_string();
        compare_changes(&changes, &before, &after).map_err(unequal)?;
        let Some(previous) = previous else {
            return Ok(());
        };
        compare(&self.ground, &self.world).map_err(unequal)?;
        compare_rebuilt(&self.ground).map_err(unequal)?;
        let mut undone = self.ground.clone();
        undone.apply(&changes.inverse()).map_err(rejected)?;
        if undone.canonical() != previous {
            return Err("undone, the ground differs from the one before the batch".to_owned());
        }
        Ok(())
    }
}

/// Replays a trace, comparing after every batch; the number of batches.
///
/// # Errors
/// The first wrong batch, from 1 (0 is the world as built), and the reason.
pub fn replay(world: &WorldData, trace: &EditTrace) -> Result<usize, (usize, String)> {
    let mut life = Life::new(world).map_err(|reason| (0, reason))?;
    let mut n_batches = 0;
    for step in &trace.steps {
        if let TraceStep::Batch(edits) = step {
            n_batches += 1;
            life.apply(edits, edits, Comparison::Everything)
                .map_err(|reason| (n_batches, reason))?;
        }
    }
    Ok(n_batches)
}

/// Does `work`; a panic in it is a fault like any other.
fn guarded<T>(
    work: impl FnOnce() -> Result<T, String> + std::panic::UnwindSafe,
) -> Result<T, String> {
    catch_unwind(work).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!(
            "panicked: {}",
            message.unwrap_or("without a message")
        ))
    })
}

#[cfg(test)]
mod tests;
