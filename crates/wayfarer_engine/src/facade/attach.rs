//! Cost modifiers attached to bodies: a batch that moves a body moves its modifiers, one that
//! unregisters the body removes them. A batch costs one pass over the attached modifiers.

use thiserror::Error;
use wayfarer_base::{CostModifier, CostModifierId, Fixed, GroundEdit, Point2};
use wayfarer_world::bodies::{BodyId, BodySet};

use super::World;
use super::apply::EditBatch;
use super::edit::{BodyEdit, EditError};

/// A cost modifier and the body that carries it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Attached {
    pub(super) body: BodyId,
    /// Position and height of the body for which `modifier` holds.
    pub(super) at: (Point2, Fixed),
    pub(super) modifier: CostModifier,
}

/// Why a cost modifier was not attached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AttachError {
    /// The ground has no such cost modifier.
    #[error("cost modifier {} does not exist", id.0)]
    UnknownCostModifier {
        /// The id given.
        id: CostModifierId,
    },
    /// The body is not registered.
    #[error("body {id:?} is not registered")]
    Dead {
        /// The id given.
        id: BodyId,
    },
}

impl World {
    /// Attaches a cost modifier to a body: it moves with the body in the same batch and change set,
    /// and is removed with it. Edits of the modifier itself in the same batch take precedence. A
    /// modifier has one body at a time. Attaching is not an edit: [`WorldChanges::inverse`] does not
    /// undo it, but snapshots store it.
    ///
    /// [`WorldChanges::inverse`]: crate::WorldChanges::inverse
    ///
    /// # Errors
    /// The cost modifier or the body does not exist.
    ///
    /// ```
    /// use wayfarer_engine::{BodyEdit, World};
    /// use wayfarer_engine::base::{
    ///     Cell, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit, Point2, Raster,
    ///     Shape,
    /// };
    /// use wayfarer_engine::world::bodies::Body;
    ///
    /// let mut world = World::from_raster(&Raster::from_bytes(20, 1, vec![0; 20]).unwrap());
    /// let at = |x: i32| Point2::from_raw(x * 256 + 128, 128);
    /// let changes = world.apply([BodyEdit::Register(Body::at(at(2)))])?;
    /// let beast = changes.bodies[0].id();
    /// let fear = CostModifierId(7);
    /// world.apply([GroundEdit::PutCostModifier { id: fear, modifier: CostModifier {
    ///     shape: Shape::Circle { center: at(2), radius: Fixed::from_raw(256) },
    ///     heights: (0, 0),
    ///     multiplier: CostMultiplier::from_sixteenths(64).unwrap(),
    /// } }])?;
    /// world.attach_cost_modifier(fear, beast)?;
    ///
    /// world.apply([BodyEdit::MoveTo { id: beast, to: at(12) }])?;
    /// let multiplier = |world: &World, x| {
    ///     let node = world.ground().node(Cell::flat(x, 0)).unwrap();
    ///     world.ground().cost_multiplier(node).sixteenths()
    /// };
    /// assert_eq!((multiplier(&world, 2), multiplier(&world, 12)), (16, 64));
    /// world.apply([BodyEdit::Unregister { id: beast }])?;
    /// assert_eq!(multiplier(&world, 12), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attach_cost_modifier(
        &mut self,
        id: CostModifierId,
        body: BodyId,
    ) -> Result<(), AttachError> {
        let modifier = self
            .cost_modifier(id)
            .ok_or(AttachError::UnknownCostModifier { id })?;
        let at = location(&self.bodies, body).ok_or(AttachError::Dead { id: body })?;
        let modifier = modifier.clone();
        self.attached.insert(id, Attached { body, at, modifier });
        Ok(())
    }

    /// Detaches a cost modifier, which stays in place. Returns the body it was attached to; `None`,
    /// without effect, if it was not attached.
    pub fn detach_cost_modifier(&mut self, id: CostModifierId) -> Option<BodyId> {
        self.attached.remove(&id).map(|attached| attached.body)
    }

    /// The attached cost modifiers and their bodies, by id.
    pub fn attached_cost_modifiers(&self) -> impl Iterator<Item = (CostModifierId, BodyId)> {
        let attached = self.attached.iter();
        attached.map(|(id, attached)| (*id, attached.body))
    }

    fn cost_modifier(&self, id: CostModifierId) -> Option<&CostModifier> {
        let mut modifiers = self.ground.cost_modifiers();
        modifiers
            .find(|(other, _)| *other == id)
            .map(|(_, modifier)| modifier)
    }

    /// Adds the ground edits of modifiers whose bodies the batch moves or unregisters.
    pub(super) fn add_attached_edits(&self, batch: &mut EditBatch) -> Result<(), EditError> {
        if batch.bodies.is_empty() {
            return Ok(());
        }
        for (&id, attached) in &self.attached {
            if batch.ground.iter().any(|edit| edits_modifier(edit, id)) {
                continue;
            }
            let mut now = location(&self.bodies, attached.body);
            let mut cause = None;
            for (number, edit) in &batch.bodies {
                if let Some(moved) = moved(edit, attached.body, now) {
                    (now, cause) = (moved, Some(*number));
                }
            }
            let Some(number) = cause else { continue };
            batch.ground.push(match now {
                None => GroundEdit::RemoveCostModifier(id),
                Some(now) => {
                    let modifier = attached.moved_to(now);
                    let modifier =
                        modifier.ok_or(EditError::CostModifierLost { edit: number, id })?;
                    GroundEdit::PutCostModifier { id, modifier }
                }
            });
            batch.ground_sources.push(number);
        }
        Ok(())
    }

    /// After a batch: detaches modifiers that no longer exist and records those that an edit replaced.
    pub(super) fn sync_attached(&mut self) {
        if self.attached.is_empty() {
            return;
        }
        let mut attached = std::mem::take(&mut self.attached);
        attached.retain(|id, attached| {
            let at = location(&self.bodies, attached.body);
            let (Some(modifier), Some(at)) = (self.cost_modifier(*id), at) else {
                return false;
            };
            // A modifier that is not at the position derived from its body was put by an edit.
            if attached.moved_to(at).as_ref() != Some(modifier) {
                (attached.at, attached.modifier) = (at, modifier.clone());
            }
            true
        });
        self.attached = attached;
    }
}

impl Attached {
    /// The modifier with the body at `to` and `z`; `None` on overflow.
    fn moved_to(&self, (to, z): (Point2, Fixed)) -> Option<CostModifier> {
        let by = |from: Fixed, to: Fixed| to.raw().checked_sub(from.raw());
        let (from, from_z) = self.at;
        let shape = self
            .modifier
            .shape
            .translated((by(from.x, to.x)?, by(from.y, to.y)?))?;
        let steps = z.cell() - from_z.cell();
        let (low, high) = self.modifier.heights;
        Some(CostModifier {
            shape,
            heights: (low.saturating_add(steps), high.saturating_add(steps)),
            multiplier: self.modifier.multiplier,
        })
    }
}

/// Position and height of a body.
fn location(bodies: &BodySet, id: BodyId) -> Option<(Point2, Fixed)> {
    let body = bodies.body(id).ok()?;
    Some((body.position, body.z))
}

fn edits_modifier(edit: &GroundEdit, modifier: CostModifierId) -> bool {
    match edit {
        GroundEdit::PutCostModifier { id, .. } | GroundEdit::RemoveCostModifier(id) => {
            *id == modifier
        }
        _ => false,
    }
}

/// The location of a body after an edit, if the edit concerns it; `Some(None)` if it removes it.
fn moved(
    edit: &BodyEdit,
    body: BodyId,
    now: Option<(Point2, Fixed)>,
) -> Option<Option<(Point2, Fixed)>> {
    let (at, z) = now?;
    match edit {
        BodyEdit::MoveTo { id, to } | BodyEdit::Teleport { id, to } if *id == body => {
            Some(Some((*to, z)))
        }
        BodyEdit::SetHeight { id, z } if *id == body => Some(Some((at, *z))),
        BodyEdit::Unregister { id } if *id == body => Some(None),
        BodyEdit::MoveAll(to) => {
            let to = to.get(body.index() as usize)?;
            Some(Some((*to, z)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
