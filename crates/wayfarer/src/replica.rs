//! [`Replica`]: a copy of a world for queries on another thread.

mod saved;

use std::ops::Deref;

pub use saved::SyncError;

use crate::changes::{Lagged, WorldChanges};
use crate::facade::World;

/// A copy of a world that follows its change sets and takes no edits of its own.
///
/// Agent types and other registrations are not in change sets: after one, take a new replica.
///
/// ```
/// use wayfarer::{Scale, World};
///
/// let world = World::new(Scale::UNIT)?;
/// let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
/// // … edits, then:
/// replica.sync(&world.poll_changes(&mut cursor)?)?;
/// assert_eq!(replica.revision(), world.revision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replica {
    world: World,
}

impl Replica {
    pub(crate) const fn new(world: World) -> Self {
        Self { world }
    }

    /// Applies the edits of change sets, oldest first, each at the cost of the edit itself. Sets
    /// that it already has are skipped.
    ///
    /// # Errors
    /// A set does not follow on the replica's revision: take a new replica.
    pub fn sync(&mut self, changes: &[WorldChanges]) -> Result<(), Lagged> {
        for set in changes {
            if set.revision().number <= self.world.revision().number {
                continue;
            }
            if set.before() != self.world.revision() {
                return Err(Lagged);
            }
            self.world.follow(set).map_err(|_error| Lagged)?;
        }
        Ok(())
    }
}

impl From<World> for Replica {
    /// The world itself, without edits of its own from now on.
    fn from(world: World) -> Self {
        Self { world }
    }
}

impl Deref for Replica {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

#[cfg(test)]
mod tests {
    use wayfarer_engine as engine;
    use wayfarer_engine::base::{Cell, GroundEdit, Rng};

    use crate::prelude::*;
    use crate::{Lagged, WorldChanges};

    fn random_edits(rng: &mut Rng) -> Vec<engine::Edit> {
        let edit = |rng: &mut Rng| {
            let cell = Cell::flat(rng.between(0, 19), rng.between(0, 9));
            let terrain = Terrain::SWAMP;
            let edit = match rng.chance(1, 2) {
                true => GroundEdit::RemoveCell { cell },
                false => GroundEdit::PutCell { cell, terrain },
            };
            engine::Edit::from(edit)
        };
        (0..1 + rng.below(6)).map(|_| edit(rng)).collect()
    }

    fn world() -> World {
        let row = ".".repeat(20);
        let rows = [row.as_str(); 10].join("\n");
        let map = format!("type octile\nheight 10\nwidth 20\nmap\n{rows}\n");
        let mut world = World::import("test.map", map.as_bytes(), Scale::meters(0.5)).unwrap();
        let radius = 0.7;
        let tank = AgentType {
            radius,
            ..AgentType::GROUND
        };
        world.add_agent_type(tank).unwrap();
        world
    }

    #[test]
    fn rule_9_a_replica_that_follows_the_change_sets_is_equal_to_the_bit() {
        let (mut world, mut rng) = (world(), Rng::new(91));
        let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
        for round in 0..200 {
            for _ in 0..rng.below(4) {
                world.apply_engine(random_edits(&mut rng));
            }
            let changes = world.poll_changes(&mut cursor).unwrap();
            replica.sync(&changes).unwrap();
            assert_eq!(replica.revision(), world.revision());
            assert_eq!(replica.save(), world.save(), "round {round}");
            // Change sets that it has already are skipped.
            replica.sync(&changes).unwrap();
            assert_eq!(replica.revision(), world.revision());
        }
    }

    #[test]
    fn rule_9_a_cursor_that_lags_is_an_error_and_so_is_a_missing_change_set() {
        let (mut world, mut rng) = (world(), Rng::new(92));
        let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
        for _ in 0..65 {
            world.apply_engine(random_edits(&mut rng));
        }
        assert_eq!(world.poll_changes(&mut cursor).unwrap_err(), Lagged);
        assert!(world.poll_changes(&mut cursor).unwrap().is_empty());
        world.apply_engine(random_edits(&mut rng));
        let changes = world.poll_changes(&mut cursor).unwrap();
        assert_eq!(changes.len(), 1);
        assert_eq!(replica.sync(&changes), Err(Lagged));
    }

    #[test]
    fn rule_9_change_sets_worlds_and_replicas_cross_threads() {
        fn crosses<T: Send + Sync + 'static>() {}
        crosses::<World>();
        crosses::<crate::Replica>();
        crosses::<WorldChanges>();
        crosses::<Planner>();
        let (mut world, mut rng) = (world(), Rng::new(93));
        let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
        world.apply_engine(random_edits(&mut rng));
        let changes = world.poll_changes(&mut cursor).unwrap();
        let request = PathRequest::new(Position::new(0.2, 0.2, 0.0), Position::new(9.7, 4.7, 0.0));
        let expected = world.find_path(&mut Searcher::default(), &request);
        let same = request.clone();
        let found = std::thread::spawn(move || {
            replica.sync(&changes).unwrap();
            replica.find_path(&mut Searcher::default(), &same)
        });
        assert_eq!(found.join().unwrap(), expected);
    }
}
