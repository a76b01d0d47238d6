//! Change sets: the net difference that a batch made in each domain, and its inverse.
//!
//! Differences of bodies, obstacles and air links are sorted by key and merged, so that each key
//! occurs once and a difference without effect not at all.

use wayfarer_base::{Cell, Cost, Fixed, Point2, Revision, SolidId, SubscriptionId, Voxel};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::AirChanges;
use wayfarer_world::bodies::{Body, BodyId};
use wayfarer_world::ground::{GroundChanges, GroundDifference};
use wayfarer_world::obstacles::{Obstacle, ObstacleId};

use super::edit::{BodyEdit, Edit, ObstacleEdit};

/// The net changes of one batch of edits, by domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldChanges {
    /// The revision the batch was applied to.
    pub before: Revision,
    /// The revision it produced.
    pub after: Revision,
    /// The changes of the ground, if the batch edits it.
    pub ground: Option<GroundChanges>,
    /// The changes of the air, if the batch edits it.
    pub air: Option<AirChanges>,
    /// The changed obstacles, by id.
    pub obstacles: Vec<ObstacleDifference>,
    /// The changed bodies, by id.
    pub bodies: Vec<BodyDifference>,
    /// The changed air links, by cell and voxel.
    pub air_links: Vec<AirLinkDifference>,
    /// The subscribed paths that this batch invalidated, by id; each is reported once.
    pub invalidated: Vec<SubscriptionId>,
}

/// An obstacle that was added, removed or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObstacleDifference {
    /// Its id; dead if it was removed.
    pub id: ObstacleId,
    /// The obstacle before the batch; `None` if it was added.
    pub before: Option<Obstacle>,
    /// The obstacle after the batch; `None` if it was removed.
    pub after: Option<Obstacle>,
}

/// An air link that was added, removed or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AirLinkDifference {
    /// The link before the batch; `None` if it was added.
    pub before: Option<AirLink>,
    /// The link after the batch; `None` if it was removed.
    pub after: Option<AirLink>,
}

impl AirLinkDifference {
    /// Its cell and voxel.
    pub(super) fn key(&self) -> Option<(Cell, Voxel)> {
        let air_link = self.after.or(self.before)?;
        Some((air_link.cell, air_link.voxel))
    }

    /// True if the link was added or costs less.
    pub(super) fn may_improve_paths(&self) -> bool {
        let cost = |air_link: Option<AirLink>, part: fn(&AirLink) -> Option<Cost>| {
            let cost = air_link.and_then(|air_link| part(&air_link));
            cost.unwrap_or(Cost::MAX)
        };
        let is_less = |part| cost(self.after, part) < cost(self.before, part);
        is_less(|air_link| air_link.take_off) || is_less(|air_link| air_link.landing)
    }

    /// The net of this and `next`, of the same link; `None` if they cancel out.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        (self.before != next.after).then_some(Self {
            after: next.after,
            ..self
        })
    }
}

/// A body that was registered, unregistered or moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BodyDifference {
    /// The body was registered.
    Added {
        /// Its id.
        id: BodyId,
        /// The body after the batch.
        body: Box<Body>,
    },
    /// The body was unregistered.
    Removed {
        /// Its id, now dead.
        id: BodyId,
        /// The body before the batch.
        body: Box<Body>,
    },
    /// The body moved.
    Moved {
        /// Its id.
        id: BodyId,
        /// Position and height before the batch.
        from: (Point2, Fixed),
        /// Position and height after the batch.
        to: (Point2, Fixed),
    },
}

impl BodyDifference {
    /// The id of the body.
    pub const fn id(&self) -> BodyId {
        match self {
            Self::Added { id, .. } | Self::Removed { id, .. } | Self::Moved { id, .. } => *id,
        }
    }

    /// The net of this and `next`, of the same body; `None` if they cancel out.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::Added { id, mut body }, Self::Moved { to, .. }) => {
                (body.position, body.z) = to;
                Some(Self::Added { id, body })
            }
            (Self::Added { .. }, Self::Removed { .. }) => None,
            (Self::Moved { id, from, .. }, Self::Removed { mut body, .. }) => {
                (body.position, body.z) = from;
                Some(Self::Removed { id, body })
            }
            (Self::Moved { id, from, .. }, Self::Moved { to, .. }) => {
                (from != to).then_some(Self::Moved { id, from, to })
            }
            // An id is registered once and not edited after it is unregistered.
            (_, next) => Some(next),
        }
    }
}

impl ObstacleDifference {
    /// The net of this and `next`, of the same obstacle; `None` if they cancel out.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        (self.before != next.after).then_some(Self {
            after: next.after,
            ..self
        })
    }
}

/// Sorts differences by key and merges those of equal key, in their order.
pub(super) fn merged<D, K: Ord>(
    mut list: Vec<D>,
    key: impl Fn(&D) -> K,
    then: impl Fn(D, D) -> Option<D>,
) -> Vec<D> {
    if list.is_sorted_by(|a, b| key(a) < key(b)) {
        return list;
    }
    list.sort_by_key(&key);
    let mut net: Vec<D> = Vec::with_capacity(list.len());
    let mut open: Option<(K, Option<D>)> = None;
    for next in list {
        let next_key = key(&next);
        open = match open.take() {
            Some((open_key, so_far)) if open_key == next_key => {
                let both = match so_far {
                    Some(so_far) => then(so_far, next),
                    None => Some(next),
                };
                Some((open_key, both))
            }
            other => {
                net.extend(other.and_then(|(_, done)| done));
                Some((next_key, Some(next)))
            }
        };
    }
    net.extend(open.and_then(|(_, done)| done));
    net
}

impl WorldChanges {
    /// The edits that restore the state before the batch. Removed bodies and obstacles get new ids.
    pub fn inverse(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        for difference in self
            .ground
            .iter()
            .flat_map(|ground| ground.changes.inverse())
        {
            edits.push(Edit::Ground(GroundDifference::to_edit(&difference)));
        }
        for difference in self.air.iter().flat_map(AirChanges::inverse) {
            edits.push(Edit::Air(difference.to_edit()));
        }
        for ObstacleDifference { id, before, after } in &self.obstacles {
            edits.push(Edit::Obstacle(match (before, after) {
                (Some(obstacle), Some(_)) => ObstacleEdit::Set {
                    id: *id,
                    obstacle: *obstacle,
                },
                (Some(obstacle), None) => ObstacleEdit::Insert(*obstacle),
                (None, _) => ObstacleEdit::Remove { id: *id },
            }));
        }
        for difference in &self.air_links {
            match (difference.before, difference.after) {
                (Some(air_link), _) => edits.push(Edit::PutAirLink(air_link)),
                (None, Some(AirLink { cell, voxel, .. })) => {
                    edits.push(Edit::RemoveAirLink { cell, voxel });
                }
                (None, None) => {}
            }
        }
        for difference in &self.bodies {
            let mut push = |edit| edits.push(Edit::Body(edit));
            match difference {
                BodyDifference::Added { id, .. } => push(BodyEdit::Unregister { id: *id }),
                BodyDifference::Removed { body, .. } => push(BodyEdit::Register(**body)),
                BodyDifference::Moved { id, from, to } => {
                    let id = *id;
                    if from.0 != to.0 {
                        push(BodyEdit::Teleport { id, to: from.0 });
                    }
                    if from.1 != to.1 {
                        push(BodyEdit::SetHeight { id, z: from.1 });
                    }
                }
            }
        }
        edits
    }

    /// The revision that the batch produced.
    pub const fn revision(&self) -> Revision {
        self.after
    }

    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.ground
            .as_ref()
            .is_none_or(|ground| ground.changes.is_empty())
            && self.air.as_ref().is_none_or(AirChanges::is_empty)
            && self.obstacles.is_empty()
            && self.bodies.is_empty()
            && self.air_links.is_empty()
    }

    /// Pairs of cells that the batch disconnected: one pair for each part split off a component of
    /// the default profile.
    pub fn split_pairs(&self) -> &[(Cell, Cell)] {
        self.ground
            .as_ref()
            .map_or(&[], |ground| &ground.split_pairs)
    }

    /// Pairs of cells that the batch connected: one pair for each merge of two components.
    pub fn merged_pairs(&self) -> &[(Cell, Cell)] {
        self.ground
            .as_ref()
            .map_or(&[], |ground| &ground.merged_pairs)
    }

    /// The ids of added obstacles, ascending.
    pub fn new_obstacles(&self) -> impl Iterator<Item = ObstacleId> {
        let added = self.obstacles.iter().filter(|one| one.before.is_none());
        added.map(|one| one.id)
    }

    /// The ids of placed solids, in the order of the edits.
    pub fn new_solids(&self) -> impl Iterator<Item = SolidId> {
        let ground = self.ground.iter();
        let differences = ground.flat_map(|ground| &ground.changes.differences);
        differences.filter_map(|difference| match difference {
            GroundDifference::Solid(solid) if solid.before.is_none() => Some(solid.id),
            _ => None,
        })
    }

    /// The ids of registered bodies, ascending.
    pub fn new_bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().filter_map(|one| match one {
            BodyDifference::Added { id, .. } => Some(*id),
            _ => None,
        })
    }
}

/// A listener's position in the change log; see [`World::poll_changes`](crate::World::poll_changes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChangeCursor {
    /// The latest revision that the listener has read.
    pub revision: Revision,
}
