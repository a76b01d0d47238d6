//! Effects that follow somebody: a torch's light, a poison cloud around a beast, a shield.

use thiserror::Error;
use wayfarer_base::{CostModifier, CostModifierId, Fixed, GroundEdit, Point2};
use wayfarer_world::bodies::{BodyId, BodySet};

use super::World;
use super::apply::Parts;
use super::edit::{BodyEdit, EditError};

/// An effect and whom it follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Attached {
    pub(super) body: BodyId,
    /// Where the object was when the effect lay as `effect` says.
    pub(super) at: (Point2, Fixed),
    pub(super) modifier: CostModifier,
}

/// Why an effect was not attached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AttachError {
    /// There is no such effect.
    #[error("there is no effect {}, expected one that was put", name.0)]
    UnknownCostModifier {
        /// What was asked for.
        name: CostModifierId,
    },
    /// There is no such object.
    #[error("object {id:?} is not registered, or no longer")]
    Dead {
        /// Who was asked for.
        id: BodyId,
    },
}

impl World {
    /// Attaches an effect to an object: from now on it moves as the object does, in the same batch
    /// and change set, and is lifted when the object is taken out. A batch that puts or lifts the
    /// effect itself has the last word. An effect follows one object at a time. Attaching is no
    /// edit: no inverse undoes it; a saved world knows of it.
    ///
    /// # Errors
    /// If there is no such effect or no such object.
    ///
    /// ```
    /// use wayfarer::{BodyEdit, World};
    /// use wayfarer::base::{Cell, GroundEdit, CostModifier, CostModifierId, Fixed, Point2, CostMultiplier, Raster, Shape};
    /// use wayfarer::world::bodies::Body;
    ///
    /// let mut world = World::from_raster(&Raster::from_bytes(20, 1, vec![0; 20]).unwrap());
    /// let at = |x: i32| Point2::new(Fixed::from_raw(x * 256 + 128), Fixed::from_raw(128));
    /// let born = world.apply([BodyEdit::Register(Body::at(at(2)))])?;
    /// let beast = born.bodies[0].id();
    /// let fear = CostModifierId(7);
    /// world.apply([GroundEdit::PutCostModifier { id: fear, effect: CostModifier {
    ///     shape: Shape::Circle { centre: at(2), radius: Fixed::from_raw(256) },
    ///     heights: (0, 0),
    ///     multiplier: CostMultiplier::from_sixteenths(64).unwrap(),
    /// } }])?;
    /// world.attach_cost_modifier(fear, beast)?;
    ///
    /// world.apply([BodyEdit::MoveTo { id: beast, to: at(12) }])?;
    /// let multiplier = |world: &World, x| {
    ///     let node = world.ground().node(Cell::flat(x, 0)).unwrap();
    ///     world.ground().multiplier(node).sixteenths()
    /// };
    /// assert_eq!((multiplier(&world, 2), multiplier(&world, 12)), (16, 64));
    /// world.apply([BodyEdit::Unregister { id: beast }])?;
    /// assert_eq!(multiplier(&world, 12), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attach_cost_modifier(
        &mut self,
        name: CostModifierId,
        body: BodyId,
    ) -> Result<(), AttachError> {
        let modifier = self
            .cost_modifier(name)
            .ok_or(AttachError::UnknownCostModifier { name })?;
        let at = place(&self.bodies, body).ok_or(AttachError::Dead { id: body })?;
        let modifier = modifier.clone();
        self.attached.insert(name, Attached { body, at, modifier });
        Ok(())
    }

    /// Lets go of an effect: it stays where it is. Returns whom it followed.
    pub fn detach_cost_modifier(&mut self, name: CostModifierId) -> Option<BodyId> {
        self.attached.remove(&name).map(|attached| attached.body)
    }

    /// Every effect that follows somebody, by name, and whom.
    pub fn attached_cost_modifiers(&self) -> impl Iterator<Item = (CostModifierId, BodyId)> {
        let attached = self.attached.iter();
        attached.map(|(name, attached)| (*name, attached.body))
    }

    fn cost_modifier(&self, name: CostModifierId) -> Option<&CostModifier> {
        let mut modifiers = self.ground.cost_modifiers();
        modifiers
            .find(|(known, _)| *known == name)
            .map(|(_, modifier)| modifier)
    }

    /// Adds to a batch what becomes of effects whose objects move or go in it.
    pub(super) fn follow(&self, parts: &mut Parts) -> Result<(), EditError> {
        if parts.bodies.is_empty() {
            return Ok(());
        }
        for (&name, attached) in &self.attached {
            if parts.ground.iter().any(|edit| is_about(edit, name)) {
                continue;
            }
            let mut now = place(&self.bodies, attached.body);
            let mut cause = None;
            for (number, edit) in &parts.bodies {
                if let Some(moved) = moved(edit, attached.body, now) {
                    (now, cause) = (moved, Some(*number));
                }
            }
            let Some(number) = cause else { continue };
            parts.ground.push(match now {
                None => GroundEdit::RemoveCostModifier(name),
                Some(now) => {
                    let modifier = attached.moved_to(now);
                    let modifier =
                        modifier.ok_or(EditError::CostModifierLost { edit: number, name })?;
                    GroundEdit::PutCostModifier { id: name, modifier }
                }
            });
            parts.ground_of.push(number);
        }
        Ok(())
    }

    /// After a batch: lets go of effects that went, and notes where others lie that were put anew.
    pub(super) fn settle_attached(&mut self) {
        if self.attached.is_empty() {
            return;
        }
        let mut attached = std::mem::take(&mut self.attached);
        attached.retain(|name, attached| {
            let at = place(&self.bodies, attached.body);
            let (Some(modifier), Some(at)) = (self.cost_modifier(*name), at) else {
                return false;
            };
            // What followed lies where it should; anything else was put there by the user.
            if attached.moved_to(at).as_ref() != Some(modifier) {
                (attached.at, attached.modifier) = (at, modifier.clone());
            }
            true
        });
        self.attached = attached;
    }
}

impl Attached {
    /// The effect when its object is there; `None` beyond the numbers.
    fn moved_to(&self, (to, z): (Point2, Fixed)) -> Option<CostModifier> {
        let by = |from: Fixed, to: Fixed| to.raw().checked_sub(from.raw());
        let (from, from_z) = self.at;
        let shape = self
            .modifier
            .shape
            .moved((by(from.x, to.x)?, by(from.y, to.y)?))?;
        let steps = z.cell() - from_z.cell();
        let (low, high) = self.modifier.heights;
        Some(CostModifier {
            shape,
            heights: (low.saturating_add(steps), high.saturating_add(steps)),
            multiplier: self.modifier.multiplier,
        })
    }
}

fn place(bodies: &BodySet, id: BodyId) -> Option<(Point2, Fixed)> {
    let body = bodies.body(id).ok()?;
    Some((body.position, body.z))
}

fn is_about(edit: &GroundEdit, modifier: CostModifierId) -> bool {
    match edit {
        GroundEdit::PutCostModifier { id: name, .. } | GroundEdit::RemoveCostModifier(name) => {
            *name == modifier
        }
        _ => false,
    }
}

/// Where an edit leads an object that is at `now`, if it is about it: `Some(None)` if it goes.
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
