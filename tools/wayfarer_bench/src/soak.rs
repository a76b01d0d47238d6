//! `soak ground`: random worlds and edits, compared with the oracle, with a rebuilt ground and with undo,
//! for as long as asked.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use wayfarer::base::scenario::{EditTrace, TraceStep};
use wayfarer::base::{GroundEdit, Rng, WorldData};
use wayfarer::world::ground::Ground;
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_batch, random_world};

mod compare;
pub mod whole;

pub use compare::{Unequal, compare, compare_changes, compare_rebuilt};

/// How a soak goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// The first story's seed; every further story's is one more.
    pub seed: u64,
    /// Batches of each story.
    pub n_batches: usize,
    /// Every so many batches all is compared.
    pub look: usize,
}

impl Arguments {
    /// Stories of 600 batches from this seed on, compared every fiftieth batch.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            n_batches: 600,
            look: 50,
        }
    }
}

/// How far a soak has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Worlds lived through.
    pub cases: u64,
    /// Batches applied.
    pub batches: u64,
    /// Edits in them.
    pub edits: u64,
    /// Times everything was compared and undone.
    pub comparisons: u64,
}

/// A story that went wrong, with all that is needed to see it again.
#[derive(Clone, PartialEq, Debug)]
pub struct Failed {
    /// The story's seed.
    pub seed: u64,
    /// What the world is rich in.
    pub kind: WorldKind,
    /// The first batch after which something is wrong, from 1; 0 is the world as it was built.
    pub batch: usize,
    /// What is wrong.
    pub reason: String,
    /// The world at the start.
    pub world: WorldData,
    /// The batches up to the one in question.
    pub trace: EditTrace,
}

/// Lives through story after story until `go_on` says no or one goes wrong.
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
            let mut lived = Tally::default();
            let found = trace.live(arguments.look, &mut lived, |_, _| {});
            tally.cases += 1;
            tally.batches += lived.batches;
            tally.edits += lived.edits;
            tally.comparisons += lived.comparisons;
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
    fn live(
        &self,
        look: usize,
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
                let is_looked_at = batch % look.max(1) == 0;
                tally.comparisons += u64::from(is_looked_at);
                let look = match batch {
                    _ if is_looked_at => Look::Everything,
                    _ if batch % PAIRS_LOOK == 0 => Look::Pairs,
                    _ => Look::Nothing,
                };
                batches.push(edits);
                let edits = batches.last()?;
                if let Err(reason) = life.apply(edits, &reported, look) {
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
        self.live(1, &mut Tally::default(), spoil)
    }
}

/// Every so many batches what was parted and joined is compared, whatever else is not.
const PAIRS_LOOK: usize = 5;

/// What is compared after a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    Nothing,
    /// What the change set says was parted and joined.
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

    /// Applies a batch to both, `reported` to the ground, and compares what `look` says.
    fn apply(
        &mut self,
        edits: &[GroundEdit],
        reported: &[GroundEdit],
        look: Look,
    ) -> Result<(), String> {
        guarded(AssertUnwindSafe(|| {
            self.apply_unguarded(edits, reported, look)
        }))
    }

    fn apply_unguarded(
        &mut self,
        edits: &[GroundEdit],
        reported: &[GroundEdit],
        look: Look,
    ) -> Result<(), String> {
        let refused = |error: wayfarer::world::ground::GroundEditError| format!("refused: {error}");
        if look == Look::Nothing {
            self.ground.apply(reported).map_err(refused)?;
            self.world.apply(edits);
            return Ok(());
        }
        let profile = self.ground.default_profile().clone();
        let previous = (look == Look::Everything).then(|| self.ground.canonical());
        let before = self.world.components(&profile);
        let changes = self.ground.apply(reported).map_err(refused)?;
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
        undone.apply(&changes.inverse()).map_err(refused)?;
        if undone.canonical() != previous {
            return Err("undone, the ground is not what it was before the batch".to_owned());
        }
        Ok(())
    }
}

/// Lives through a trace again, comparing after every batch; the first wrong batch, from 1 (0 is
/// the world as it was built), and why, or how many batches went well.
///
/// # Errors
/// What went wrong, and after which batch.
pub fn replay(world: &WorldData, trace: &EditTrace) -> Result<usize, (usize, String)> {
    let mut life = Life::new(world).map_err(|reason| (0, reason))?;
    let mut n_batches = 0;
    for step in &trace.steps {
        if let TraceStep::Batch(edits) = step {
            n_batches += 1;
            life.apply(edits, edits, Look::Everything)
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
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", said.unwrap_or("without a word")))
    })
}

#[cfg(test)]
mod tests;
