//! What one batch did to a world, part by part, and how listeners hear of it.

use wayfarer_base::{Cell, Cost, Fixed, Point2, Revision, SubscriptionId, Voxel};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::{AirChanges, AirDifference, AirEdit, bits};
use wayfarer_world::bodies::{Body, BodyId};
use wayfarer_world::ground::{GroundChanges, GroundDifference};
use wayfarer_world::obstacles::{Obstacle, ObstacleId};

use super::edit::{BodyEdit, Edit, ObstacleEdit};

/// What one batch of edits changed, in every part of the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldChanges {
    /// The revision the batch was applied to.
    pub before: Revision,
    /// The revision it made.
    pub after: Revision,
    /// What became of the ground, if the batch was about it.
    pub ground: Option<GroundChanges>,
    /// What became of the air, if the batch was about it.
    pub air: Option<AirChanges>,
    /// The obstacles that are different now, by name, each once.
    pub obstacles: Vec<ObstacleDifference>,
    /// The objects that are different now, by name, each once.
    pub bodies: Vec<BodyDifference>,
    /// The air links that came, went or changed, each once.
    pub air_links: Vec<AirLinkDifference>,
    /// The subscribed paths it broke, in order; each is named once, when it breaks.
    pub invalidated: Vec<SubscriptionId>,
}

/// An obstacle that came, went, moved or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObstacleDifference {
    /// Its name; dead if it went.
    pub id: ObstacleId,
    /// As it was, if it was there.
    pub before: Option<Obstacle>,
    /// As it is, if it is there.
    pub after: Option<Obstacle>,
}

/// A air link that came, went or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AirLinkDifference {
    /// As it was, if it was there.
    pub before: Option<AirLink>,
    /// As it is, if it is there.
    pub after: Option<AirLink>,
}

impl AirLinkDifference {
    /// Between which cell and voxel.
    pub(super) fn name(&self) -> Option<(Cell, Voxel)> {
        let air_link = self.after.or(self.before)?;
        Some((air_link.cell, air_link.voxel))
    }

    /// True if a way may be cheaper now: the air link came, or takes less.
    pub(super) fn may_shorten(&self) -> bool {
        let cost = |air_link: Option<AirLink>, of: fn(&AirLink) -> Option<Cost>| {
            let cost = air_link.and_then(|air_link| of(&air_link));
            cost.unwrap_or(Cost::MAX)
        };
        let is_less = |of| cost(self.after, of) < cost(self.before, of);
        is_less(|air_link| air_link.take_off) || is_less(|air_link| air_link.land)
    }

    /// This and then `next`, about the same air link; `None` if nothing is left of it.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        (self.before != next.after).then_some(Self {
            after: next.after,
            ..self
        })
    }
}

/// An object that came, went or moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BodyDifference {
    /// It was registered.
    Came {
        /// Its name.
        id: BodyId,
        /// As it is.
        body: Box<Body>,
    },
    /// It was taken out.
    Went {
        /// Its former name.
        id: BodyId,
        /// As it was.
        body: Box<Body>,
    },
    /// It moved.
    Moved {
        /// Its name.
        id: BodyId,
        /// Where it was, and the height of its feet.
        from: (Point2, Fixed),
        /// Where it is, and the height of its feet.
        to: (Point2, Fixed),
    },
}

impl BodyDifference {
    /// Who it is about.
    pub const fn id(&self) -> BodyId {
        match self {
            Self::Came { id, .. } | Self::Went { id, .. } | Self::Moved { id, .. } => *id,
        }
    }

    /// This and then `next`, about the same object; `None` if nothing is left of it.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::Came { id, mut body }, Self::Moved { to, .. }) => {
                (body.position, body.z) = to;
                Some(Self::Came { id, body })
            }
            (Self::Came { .. }, Self::Went { .. }) => None,
            (Self::Moved { id, from, .. }, Self::Went { mut body, .. }) => {
                (body.position, body.z) = from;
                Some(Self::Went { id, body })
            }
            (Self::Moved { id, from, .. }, Self::Moved { to, .. }) => {
                (from != to).then_some(Self::Moved { id, from, to })
            }
            // The dead do nothing, and nobody is born twice.
            (_, next) => Some(next),
        }
    }
}

impl ObstacleDifference {
    /// This and then `next`, about the same obstacle; `None` if nothing is left of it.
    pub(super) fn then(self, next: Self) -> Option<Self> {
        (self.before != next.after).then_some(Self {
            after: next.after,
            ..self
        })
    }
}

/// Puts differences in the order of names, each name once.
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
        let name = key(&next);
        open = match open.take() {
            Some((known, so_far)) if known == name => {
                let both = match so_far {
                    Some(so_far) => then(so_far, next),
                    None => Some(next),
                };
                Some((known, both))
            }
            other => {
                net.extend(other.and_then(|(_, done)| done));
                Some((name, Some(next)))
            }
        };
    }
    net.extend(open.and_then(|(_, done)| done));
    net
}

impl WorldChanges {
    /// The edits that restore the former state; who went comes back under a new name.
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
            to_air_edits(&difference, |edit| edits.push(Edit::Air(edit)));
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
                BodyDifference::Came { id, .. } => push(BodyEdit::Unregister { id: *id }),
                BodyDifference::Went { body, .. } => push(BodyEdit::Register(**body)),
                BodyDifference::Moved { id, from, to } => {
                    let id = *id;
                    if from.0 != to.0 {
                        push(BodyEdit::Teleport { id, to: from.0 });
                    }
                    if from.1 != to.1 {
                        push(BodyEdit::Lift { id, z: from.1 });
                    }
                }
            }
        }
        edits
    }

    /// The revision it made.
    pub const fn revision(&self) -> Revision {
        self.after
    }

    /// True if nothing is different.
    pub fn is_empty(&self) -> bool {
        self.ground
            .as_ref()
            .is_none_or(|ground| ground.changes.is_empty())
            && self.air.as_ref().is_none_or(AirChanges::is_empty)
            && self.obstacles.is_empty()
            && self.bodies.is_empty()
            && self.air_links.is_empty()
    }

    /// Pairs of cells that hung together on foot before and no longer do: one pair for each part
    /// that broke off a component.
    pub fn split_pairs(&self) -> &[(Cell, Cell)] {
        self.ground
            .as_ref()
            .map_or(&[], |ground| &ground.split_pairs)
    }

    /// Pairs of cells that are connected on foot now and did not before.
    pub fn joined(&self) -> &[(Cell, Cell)] {
        self.ground
            .as_ref()
            .map_or(&[], |ground| &ground.merged_pairs)
    }

    /// The obstacles that came, in the order of their names.
    pub fn new_obstacles(&self) -> impl Iterator<Item = ObstacleId> {
        let came = self.obstacles.iter().filter(|one| one.before.is_none());
        came.map(|one| one.id)
    }

    /// The objects that came, in the order of their names.
    pub fn new_bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().filter_map(|one| match one {
            BodyDifference::Came { id, .. } => Some(*id),
            _ => None,
        })
    }
}

/// The edits of the air that make a difference.
fn to_air_edits(difference: &AirDifference, mut push: impl FnMut(AirEdit)) {
    match difference.clone() {
        AirDifference::Cube {
            low,
            layer,
            before,
            after,
        } => {
            let mut paint = |from: [u32; 3], to: [u32; 3], solid: bool| {
                let place = |[x, y, z]: [u32; 3]| {
                    Voxel::new(
                        low.x.saturating_add_unsigned(x),
                        low.y.saturating_add_unsigned(y),
                        low.z.saturating_add_unsigned(z),
                    )
                };
                let (low, high) = (place(from), place(to));
                push(if solid {
                    AirEdit::Fill { low, high }
                } else {
                    AirEdit::Clear { low, high }
                });
            };
            if layer > 0 {
                paint([0; 3], [(4 << layer) - 1; 3], after != 0);
                return;
            }
            // Voxel by voxel where a leaf is different.
            for bit in (0..64).filter(|bit| (before ^ after) >> bit & 1 == 1) {
                let at = bits::place(bit);
                paint(at, at, after >> bit & 1 == 1);
            }
        }
        AirDifference::Geometry { name, after, .. } => push(match after {
            Some(geometry) => AirEdit::Put { name, geometry },
            None => AirEdit::Remove { name },
        }),
        AirDifference::Volume { name, after, .. } => push(match after {
            Some(volume) => AirEdit::PutVolume { name, volume },
            None => AirEdit::RemoveVolume { name },
        }),
    }
}

/// How far a listener has heard; see [`World::news`](crate::World::news).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChangeCursor {
    /// The last revision it knows of.
    pub seen: Revision,
}
