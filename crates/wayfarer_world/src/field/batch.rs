//! Things come, move and go, in batches.

use wayfarer_base::{Fixed, Point2, Revision};

use super::entity::{Body, Entity, EntityId, FARTHEST};
use super::{Crowd, Field, FieldError};

/// A batch of edits; whatever was done when it is dropped is one revision of the field.
///
/// Each edit takes constant time on average. A batch that moves much of the field sorts the grid
/// anew once, when it is dropped. An edit that is refused changes nothing; those before it stay.
#[derive(Debug)]
pub struct FieldBatch<'a> {
    field: &'a mut Field,
    /// Edits that the grid must follow until it is left alone and sorted anew at the end.
    patience: u32,
    is_changed: bool,
    /// The revision that it becomes.
    now: Revision,
}

impl Field {
    /// Begins a batch of edits.
    pub fn edit(&mut self) -> FieldBatch<'_> {
        FieldBatch {
            patience: self.grid.patience(),
            now: self.revision.next(),
            field: self,
            is_changed: false,
        }
    }

    /// Begins a batch that changes much of the field: as [`Field::edit`], a little quicker.
    pub fn edit_most(&mut self) -> FieldBatch<'_> {
        FieldBatch {
            patience: self.grid.patience_with_most(),
            now: self.revision.next(),
            field: self,
            is_changed: false,
        }
    }
}

impl FieldBatch<'_> {
    /// Puts an entity in and names it.
    ///
    /// # Errors
    /// If it is empty, of no type or too far out, or the field is full.
    pub fn insert(&mut self, entity: &Entity) -> Result<EntityId, FieldError> {
        let field = &mut *self.field;
        let slot = match field.free.last() {
            Some(&slot) => slot,
            None => u32::try_from(field.bodies.len())
                .ok()
                .filter(|slot| *slot < Field::MOST_ENTITIES)
                .ok_or(FieldError::Full)?,
        };
        let body = Body::of(entity, slot)?;
        if field.free.pop().is_some() {
            field.bodies[slot as usize] = body;
        } else {
            field.bodies.push(body);
            field.generations.push(0);
        }
        field.grid.count(&body, true);
        field.note(&body, 1);
        if self.keeps_up(&body) {
            self.field.grid.put(&body);
        }
        Ok(self.field.name(slot))
    }

    /// Removes an entity; its name is dead from then on.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn remove(&mut self, id: EntityId) -> Result<Entity, FieldError> {
        let body = self.living(id)?;
        let field = &mut *self.field;
        let slot = id.index() as usize;
        field.bodies[slot] = Body::NOTHING;
        field.generations[slot] = field.generations[slot].wrapping_add(1);
        field.free.push(id.index());
        field.grid.count(&body, false);
        field.note(&body, -1);
        field.ease(body.low, body.high, self.now);
        if self.keeps_up(&body) {
            self.field.grid.take(&body);
        }
        Ok(body.entity())
    }

    /// Makes an entity another, in shape or in types; its name stays.
    ///
    /// # Errors
    /// If there is none of that name, or the new one is empty, of no type or too far out.
    pub fn set(&mut self, id: EntityId, entity: &Entity) -> Result<(), FieldError> {
        let old = self.living(id)?;
        let new = Body::of(entity, id.index())?;
        self.replace(&old, new);
        Ok(())
    }

    /// Moves an entity by `dx` and `dy`.
    ///
    /// # Errors
    /// If there is none of that name, or it would lie too far out.
    pub fn move_by(&mut self, id: EntityId, dx: Fixed, dy: Fixed) -> Result<(), FieldError> {
        let (low, by) = (self.living(id)?.low, [dx.raw(), dy.raw()]);
        let wide = |axis: usize| i64::from(low[axis]) + i64::from(by[axis]);
        let (Ok(x), Ok(y)) = (i32::try_from(wide(0)), i32::try_from(wide(1))) else {
            let found = [wide(0), wide(1)].into_iter().max_by_key(|at| at.abs());
            return Err(too_far(found.unwrap_or_default()));
        };
        self.relocate(id, [x, y])
    }

    /// Moves an entity so that the north-west corner of the box around it lies at `low`.
    ///
    /// # Errors
    /// If there is none of that name, or it would lie too far out.
    #[inline]
    pub fn move_to(&mut self, id: EntityId, low: Point2) -> Result<(), FieldError> {
        self.relocate(id, [low.x.raw(), low.y.raw()])
    }

    /// Moves the box of a body in its place: to copy all of it about takes several times as long.
    #[inline]
    fn relocate(&mut self, id: EntityId, low: [i32; 2]) -> Result<(), FieldError> {
        let field = &mut *self.field;
        let slot = id.index() as usize;
        let body = match field.bodies.get_mut(slot) {
            Some(body) if body.types != 0 && field.generations[slot] == id.generation() => body,
            _ => return Err(FieldError::Dead { id }),
        };
        let (old_low, old_high) = (body.low, body.high);
        let sides = [old_high[0] - old_low[0], old_high[1] - old_low[1]];
        for (low, side) in low.into_iter().zip(sides) {
            // Below the lowest it wraps round and is too large.
            let above_lowest = low.wrapping_add(FARTHEST.raw()).cast_unsigned();
            if above_lowest > (2 * FARTHEST.raw() - side).cast_unsigned() {
                return Err(too_far(i64::from(low)));
            }
        }
        body.low = low;
        body.high = [low[0] + sides[0], low[1] + sides[1]];
        field.ease(old_low, old_high, self.now);
        self.is_changed = true;
        let body = &field.bodies[slot];
        if self.patience > 0 && !field.grid.ignores(body, old_low) {
            self.follow(slot, old_low, old_high);
        }
        Ok(())
    }

    /// Lets the grid follow a move.
    #[cold]
    fn follow(&mut self, slot: usize, low: [i32; 2], high: [i32; 2]) {
        let new = self.field.bodies[slot];
        if self.keeps_up(&new) {
            let old = Body { low, high, ..new };
            self.field.grid.shift(&old, &new);
        }
    }

    /// The field as it is within the batch, without who is where.
    pub fn entity(&self, id: EntityId) -> Option<Entity> {
        self.field.entity(id)
    }

    fn living(&self, id: EntityId) -> Result<Body, FieldError> {
        self.field.body(id).copied().ok_or(FieldError::Dead { id })
    }

    fn replace(&mut self, old: &Body, new: Body) {
        let field = &mut *self.field;
        field.grid.count(old, false);
        field.grid.count(&new, true);
        field.note(old, -1);
        field.note(&new, 1);
        self.shift(old, new);
    }

    fn shift(&mut self, old: &Body, new: Body) {
        let field = &mut *self.field;
        field.bodies[old.slot as usize] = new;
        field.ease(old.low, old.high, self.now);
        if self.keeps_up(&new) {
            self.field.grid.shift(old, &new);
        }
    }

    /// True if the grid follows this edit; false once it will be sorted anew at the end.
    #[inline]
    fn keeps_up(&mut self, body: &Body) -> bool {
        self.is_changed = true;
        if self.patience > 0 && !self.field.grid.has_room(body) {
            self.patience = 0;
        }
        self.patience = self.patience.saturating_sub(1);
        self.patience > 0
    }
}

fn too_far(found: i64) -> FieldError {
    FieldError::TooFar {
        what: "the entity after its move",
        found,
    }
}

impl Drop for FieldBatch<'_> {
    fn drop(&mut self) {
        if !self.is_changed {
            return;
        }
        let field = &mut *self.field;
        field.revision = self.now;
        field.grid.end_batch();
        if self.patience == 0 || field.grid.wants_rebuild() {
            field.grid.rebuild(&field.bodies, field.low, field.high);
        }
    }
}

impl Field {
    /// Notes that so much more or less room is taken.
    pub(super) fn note(&mut self, body: &Body, by: i64) {
        let sides = [0, 1].map(|axis| i64::from(body.high[axis]) - i64::from(body.low[axis]));
        self.n_discs += by * i64::from(body.is_disc);
        let crowd: &mut Crowd = &mut self.crowd[(body.types.trailing_zeros() & 63) as usize];
        crowd.n_entities += by;
        crowd.sides += by * (sides[0] + sides[1]);
        crowd.area += i128::from(by) * i128::from(sides[0]) * i128::from(sides[1]);
    }
}
