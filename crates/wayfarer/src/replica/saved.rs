//! Change sets as bytes, for replicas in other processes.
//!
//! The bytes hold the batch as it was applied, the revisions around it and the handles that it gave,
//! and end with a digest; what the batch changed is derived again by the replica that applies it.

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, Digest, Revision};

use super::Replica;
use crate::changes::WorldChanges;
use crate::edit::{AirLinkId, CostAreaId, HandleChange, LinkId};
use crate::facade::World;
use crate::planner::save::codec::{Source, Stored};

const MAGIC: &[u8; 8] = b"WFBATCH1";

/// Why a replica did not take saved changes; it is as it was before.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The bytes are damaged or no saved changes.
    #[error("damaged changes: {what}")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
    /// The changes begin at another revision than the replica's.
    #[error("changes after {found}, expected those after {expected}")]
    Gap {
        /// The revision before the changes.
        found: Revision,
        /// The revision of the replica.
        expected: Revision,
    },
    /// The replica rejects the edits: it is no copy of the world that they come from.
    #[error("the edits do not fit the replica: {reason}")]
    Rejected {
        /// The reason.
        reason: String,
    },
}

impl WorldChanges {
    /// The batch as bytes for [`Replica::sync_saved`], equal on every platform.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        self.before().put(&mut bytes);
        self.revision().put(&mut bytes);
        self.last_handle.put(&mut bytes);
        self.handles.to_vec().put(&mut bytes);
        bytes.extend(engine::Command::Apply(self.edits.to_vec()).to_bytes());
        let mut digest = Digest::default();
        digest.bytes(&bytes);
        bytes.extend(digest.value().to_le_bytes());
        bytes
    }

    /// The revisions before and after the changes of [`WorldChanges::save`], without reading the rest;
    /// `None` if the bytes are too short or no saved changes.
    pub fn saved_revisions(bytes: &[u8]) -> Option<(Revision, Revision)> {
        let rest = bytes.strip_prefix(MAGIC.as_slice())?;
        let number = |index: usize| {
            let (number, _) = rest.get(8 * index..)?.split_first_chunk::<8>()?;
            Some(u64::from_le_bytes(*number))
        };
        let revision = |index: usize| {
            let (number, branch) = (number(index)?, number(index + 1)?);
            Some(Revision { number, branch })
        };
        Some((revision(0)?, revision(2)?))
    }
}

impl Replica {
    /// Applies the changes of [`WorldChanges::save`] and returns them; `None` if the replica has them
    /// already.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::Replica;
    ///
    /// let mut world = World::import("a.map", b"type octile\nheight 1\nwidth 3\nmap\n...\n", Scale::UNIT)?;
    /// let mut replica = Replica::from(World::load(&world.save())?);
    /// let (low, high) = (Position::new(1.0, 0.0, 0.0), Position::new(2.0, 1.0, 2.0));
    /// let (_, changes) = world.add_solid(Solid::cuboid(low, high))?;
    /// let bytes = changes.save(); // over a wire, or from a file
    /// assert!(replica.sync_saved(&bytes)?.is_some());
    /// assert!(replica.sync_saved(&bytes)?.is_none());
    /// assert_eq!(replica.hash(), world.hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The bytes are damaged, do not begin at the replica's revision, or hold edits that the replica
    /// rejects.
    pub fn sync_saved(&mut self, bytes: &[u8]) -> Result<Option<WorldChanges>, SyncError> {
        let damaged = |what| SyncError::Damaged { what };
        let (content, digest) = bytes.split_last_chunk::<8>().ok_or(damaged("too short"))?;
        let mut found = Digest::default();
        found.bytes(content);
        if found.value() != u64::from_le_bytes(*digest) {
            return Err(damaged("the digest does not match"));
        }
        let rest = content.strip_prefix(MAGIC.as_slice());
        let rest = rest.ok_or(damaged("the first bytes are not `WFBATCH1`"))?;
        let mut source = Source {
            rest,
            world: &self.world,
        };
        let batch = Batch::take(&mut source).ok_or(damaged("a value is out of range"))?;
        if batch.after.number <= self.world.revision().number {
            return Ok(None);
        }
        if batch.before != self.world.revision() {
            return Err(SyncError::Gap {
                found: batch.before,
                expected: self.world.revision(),
            });
        }
        let Ok(engine::Command::Apply(edits)) = engine::Command::from_bytes(source.rest) else {
            return Err(damaged("the edits cannot be read"));
        };
        let followed =
            self.world
                .follow_batch(edits, &batch.handles, batch.last_handle, batch.after);
        let rejected = |error: engine::EditError| SyncError::Rejected {
            reason: error.to_string(),
        };
        followed.map(Some).map_err(rejected)
    }
}

/// What precedes the edits.
struct Batch {
    before: Revision,
    after: Revision,
    last_handle: u64,
    handles: Vec<HandleChange>,
}

impl Batch {
    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (before, after) = (Revision::take(source)?, Revision::take(source)?);
        let (last_handle, handles) = (u64::take(source)?, Stored::take(source)?);
        (before.number < after.number).then_some(Self {
            before,
            after,
            last_handle,
            handles,
        })
    }
}

impl Stored for HandleChange {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Link(id, link, is_added) => (0_u8, (id.0, (*link, *is_added))).put(bytes),
            Self::CostArea(id, is_added) => (1_u8, (id.0, *is_added)).put(bytes),
            Self::AirLink(id, ends, is_added) => (2_u8, (id.0, (*ends, *is_added))).put(bytes),
        }
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (kind, id) = (u8::take(source)?, u64::take(source)?);
        match kind {
            0 => {
                let (link, is_added) = Stored::take(source)?;
                Some(Self::Link(LinkId(id), link, is_added))
            }
            1 => Some(Self::CostArea(CostAreaId(id), bool::take(source)?)),
            2 => {
                let ((cell, voxel), is_added) =
                    <((Cell, engine::base::Voxel), bool)>::take(source)?;
                Some(Self::AirLink(AirLinkId(id), (cell, voxel), is_added))
            }
            _ => None,
        }
    }
}

impl World {
    /// A digest of all that [`World::save`] stores: equal for equal worlds on every platform. Takes the
    /// time of a save.
    pub fn hash(&self) -> u64 {
        let mut digest = Digest::default();
        digest.bytes(&self.save());
        digest.value()
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::{LinkState, NavLinkKind, Replica, SyncError, WorldChanges};
    use wayfarer_engine::base::Rng;

    fn world() -> World {
        let rows = [".".repeat(24).as_str(); 12].join("\n");
        let map = format!("type octile\nheight 12\nwidth 24\nmap\n{rows}\n");
        World::import("test.map", map.as_bytes(), Scale::meters(0.5)).unwrap()
    }

    fn place(rng: &mut Rng) -> Position {
        let at = |cells: i32| f64::from(cells) * 0.5 + 0.25;
        Position::new(at(rng.between(0, 23)), at(rng.between(0, 11)), 0.0)
    }

    /// A random change, of the kinds that leave handles and bodies too.
    fn change(world: &mut World, rng: &mut Rng) {
        let (a, b) = (place(rng), place(rng));
        match rng.below(7) {
            0 => drop(world.add_solid(Solid::cuboid(a, raised(b, 1.0)))),
            1 => drop(world.add_link(NavLink::new(a, b, NavLinkKind::Door))),
            2 => drop(world.add_cost_area(CostArea {
                area: Area::disc(a, 1.0),
                multiplier: 2.0,
            })),
            3 => drop(world.add_body(Body {
                position: a,
                shape: BodyShape::disc(0.3),
                ..Body::default()
            })),
            4 | 5 => {
                let moves: Vec<_> = world
                    .bodies()
                    .into_iter()
                    .map(|id| (id, place(rng)))
                    .collect();
                world.move_bodies(&moves).unwrap();
            }
            _ => {
                let last = crate::LinkId::from_bits(rng.below(20).into());
                let closed = Edit::set_link_state(last, LinkState::Closed);
                drop(world.apply(&[closed]));
            }
        }
    }

    fn raised(at: Position, by: f64) -> Position {
        let [x, y, z] = at.units();
        Position::new(x + 0.5, y + 0.5, z + by)
    }

    #[test]
    fn a_replica_that_follows_saved_changes_is_equal_to_the_bit() {
        let (mut world, mut rng) = (world(), Rng::new(281));
        let mut replica = Replica::from(World::load(&world.save()).unwrap());
        let mut n_changes = 0;
        for round in 0..300 {
            let before = world.revision();
            change(&mut world, &mut rng);
            if world.revision() == before {
                continue;
            }
            let changes = world.last_changes().unwrap();
            let bytes = changes.save();
            let around = (before, world.revision());
            assert_eq!(WorldChanges::saved_revisions(&bytes), Some(around));
            let followed = replica.sync_saved(&bytes).unwrap().unwrap();
            assert_eq!(followed.revision(), changes.revision());
            assert!(replica.sync_saved(&bytes).unwrap().is_none(), "a repeat");
            n_changes += 1;
            assert!(replica.save() == world.save(), "round {round}");
            assert_eq!(replica.hash(), world.hash());
        }
        assert!(n_changes > 150, "{n_changes}");
    }

    #[test]
    fn a_gap_a_cut_and_a_changed_byte_are_rejected_and_change_nothing() {
        let mut world = world();
        let mut replica = Replica::from(world.clone());
        let solid = |x: f64| {
            let low = Position::new(x, 1.0, 0.0);
            Solid::cuboid(low, raised(low, 1.0))
        };
        let (_, first) = world.add_solid(solid(1.0)).unwrap();
        let (_, second) = world.add_solid(solid(3.0)).unwrap();
        let before = replica.save();
        let gap = replica.sync_saved(&second.save()).unwrap_err();
        assert!(matches!(gap, SyncError::Gap { .. }), "{gap}");
        let bytes = first.save();
        for length in 0..bytes.len() {
            assert!(replica.sync_saved(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            assert!(replica.sync_saved(&changed).is_err(), "{at}");
        }
        assert!(replica.save() == before);
        replica.sync_saved(&bytes).unwrap();
        replica.sync_saved(&second.save()).unwrap();
        assert!(replica.save() == world.save());
    }
}
