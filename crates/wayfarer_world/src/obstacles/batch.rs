//! Things come, move and go, in batches.

use wayfarer_base::{Fixed, Point2, Revision};

use super::obstacle::{MAX_COORDINATE, Obstacle, ObstacleBody, ObstacleId};
use super::{Crowd, ObstacleError, ObstacleSet};

/// A batch of edits; whatever was done when it is dropped is one revision of the field.
///
/// Each edit takes constant time on average. A batch that moves much of the field sorts the grid
/// anew once, when it is dropped. An edit that is refused changes nothing; those before it stay.
#[derive(Debug)]
pub struct ObstacleBatch<'a> {
    obstacles: &'a mut ObstacleSet,
    /// Edits that the grid must follow until it is left alone and sorted anew at the end.
    patience: u32,
    is_changed: bool,
    /// The revision that it becomes.
    now: Revision,
}

impl ObstacleSet {
    /// Begins a batch of edits.
    pub fn edit(&mut self) -> ObstacleBatch<'_> {
        ObstacleBatch {
            patience: self.grid.patience(),
            now: self.revision.next(),
            obstacles: self,
            is_changed: false,
        }
    }

    /// Begins a batch that changes much of the field: as [`ObstacleSet::edit`], a little quicker.
    pub fn edit_bulk(&mut self) -> ObstacleBatch<'_> {
        ObstacleBatch {
            patience: self.grid.patience_with_most(),
            now: self.revision.next(),
            obstacles: self,
            is_changed: false,
        }
    }
}

impl ObstacleBatch<'_> {
    /// Puts an obstacle in and names it.
    ///
    /// # Errors
    /// If it is empty, of no type or too far out, or the field is full.
    pub fn insert(&mut self, obstacle: &Obstacle) -> Result<ObstacleId, ObstacleError> {
        let obstacles = &mut *self.obstacles;
        let slot = match obstacles.free.last() {
            Some(&slot) => slot,
            None => u32::try_from(obstacles.bodies.len())
                .ok()
                .filter(|slot| *slot < ObstacleSet::MAX_OBSTACLES)
                .ok_or(ObstacleError::Full)?,
        };
        let body = ObstacleBody::of(obstacle, slot)?;
        if obstacles.free.pop().is_some() {
            obstacles.bodies[slot as usize] = body;
        } else {
            obstacles.bodies.push(body);
            obstacles.generations.push(0);
        }
        obstacles.grid.count(&body, true);
        obstacles.note(&body, 1);
        if self.keeps_up(&body) {
            self.obstacles.grid.put(&body);
        }
        Ok(self.obstacles.id_at(slot))
    }

    /// Removes an obstacle; its name is dead from then on.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn remove(&mut self, id: ObstacleId) -> Result<Obstacle, ObstacleError> {
        let body = self.living(id)?;
        let obstacles = &mut *self.obstacles;
        let slot = id.index() as usize;
        obstacles.bodies[slot] = ObstacleBody::NOTHING;
        obstacles.generations[slot] = obstacles.generations[slot].wrapping_add(1);
        obstacles.free.push(id.index());
        obstacles.grid.count(&body, false);
        obstacles.note(&body, -1);
        obstacles.ease(body.low, body.high, self.now);
        if self.keeps_up(&body) {
            self.obstacles.grid.take(&body);
        }
        Ok(body.obstacle())
    }

    /// Makes an obstacle another, in shape or in types; its name stays.
    ///
    /// # Errors
    /// If there is none of that name, or the new one is empty, of no type or too far out.
    pub fn set(&mut self, id: ObstacleId, obstacle: &Obstacle) -> Result<(), ObstacleError> {
        let old = self.living(id)?;
        let new = ObstacleBody::of(obstacle, id.index())?;
        self.replace(&old, new);
        Ok(())
    }

    /// Moves an obstacle by `dx` and `dy`.
    ///
    /// # Errors
    /// If there is none of that name, or it would lie too far out.
    pub fn move_by(&mut self, id: ObstacleId, dx: Fixed, dy: Fixed) -> Result<(), ObstacleError> {
        let (low, by) = (self.living(id)?.low, [dx.raw(), dy.raw()]);
        let wide = |axis: usize| i64::from(low[axis]) + i64::from(by[axis]);
        let (Ok(x), Ok(y)) = (i32::try_from(wide(0)), i32::try_from(wide(1))) else {
            let found = [wide(0), wide(1)].into_iter().max_by_key(|at| at.abs());
            return Err(too_far(found.unwrap_or_default()));
        };
        self.relocate(id, [x, y])
    }

    /// Moves an obstacle so that the north-west corner of the box around it lies at `low`.
    ///
    /// # Errors
    /// If there is none of that name, or it would lie too far out.
    #[inline]
    pub fn move_to(&mut self, id: ObstacleId, low: Point2) -> Result<(), ObstacleError> {
        self.relocate(id, [low.x.raw(), low.y.raw()])
    }

    /// Moves the box of a body in its place: to copy all of it about takes several times as long.
    #[inline]
    fn relocate(&mut self, id: ObstacleId, low: [i32; 2]) -> Result<(), ObstacleError> {
        let obstacles = &mut *self.obstacles;
        let slot = id.index() as usize;
        let body = match obstacles.bodies.get_mut(slot) {
            Some(body) if body.types != 0 && obstacles.generations[slot] == id.generation() => body,
            _ => return Err(ObstacleError::Dead { id }),
        };
        let (old_low, old_high) = (body.low, body.high);
        let sides = [old_high[0] - old_low[0], old_high[1] - old_low[1]];
        for (low, side) in low.into_iter().zip(sides) {
            // Below the lowest it wraps round and is too large.
            let above_lowest = low.wrapping_add(MAX_COORDINATE.raw()).cast_unsigned();
            if above_lowest > (2 * MAX_COORDINATE.raw() - side).cast_unsigned() {
                return Err(too_far(i64::from(low)));
            }
        }
        body.low = low;
        body.high = [low[0] + sides[0], low[1] + sides[1]];
        obstacles.ease(old_low, old_high, self.now);
        self.is_changed = true;
        let body = &obstacles.bodies[slot];
        if self.patience > 0 && !obstacles.grid.ignores(body, old_low) {
            self.follow(slot, old_low, old_high);
        }
        Ok(())
    }

    /// Lets the grid follow a move.
    #[cold]
    fn follow(&mut self, slot: usize, low: [i32; 2], high: [i32; 2]) {
        let new = self.obstacles.bodies[slot];
        if self.keeps_up(&new) {
            let old = ObstacleBody { low, high, ..new };
            self.obstacles.grid.shift(&old, &new);
        }
    }

    /// The field as it is within the batch, without who is where.
    pub fn obstacle(&self, id: ObstacleId) -> Option<Obstacle> {
        self.obstacles.obstacle(id)
    }

    fn living(&self, id: ObstacleId) -> Result<ObstacleBody, ObstacleError> {
        self.obstacles
            .body(id)
            .copied()
            .ok_or(ObstacleError::Dead { id })
    }

    fn replace(&mut self, old: &ObstacleBody, new: ObstacleBody) {
        let obstacles = &mut *self.obstacles;
        obstacles.grid.count(old, false);
        obstacles.grid.count(&new, true);
        obstacles.note(old, -1);
        obstacles.note(&new, 1);
        self.shift(old, new);
    }

    fn shift(&mut self, old: &ObstacleBody, new: ObstacleBody) {
        let obstacles = &mut *self.obstacles;
        obstacles.bodies[old.slot as usize] = new;
        obstacles.ease(old.low, old.high, self.now);
        if self.keeps_up(&new) {
            self.obstacles.grid.shift(old, &new);
        }
    }

    /// True if the grid follows this edit; false once it will be sorted anew at the end.
    #[inline]
    fn keeps_up(&mut self, body: &ObstacleBody) -> bool {
        self.is_changed = true;
        if self.patience > 0 && !self.obstacles.grid.has_room(body) {
            self.patience = 0;
        }
        self.patience = self.patience.saturating_sub(1);
        self.patience > 0
    }
}

fn too_far(found: i64) -> ObstacleError {
    ObstacleError::TooFar {
        what: "the entity after its move",
        found,
    }
}

impl Drop for ObstacleBatch<'_> {
    fn drop(&mut self) {
        if !self.is_changed {
            return;
        }
        let obstacles = &mut *self.obstacles;
        obstacles.revision = self.now;
        obstacles.grid.end_batch();
        if self.patience == 0 || obstacles.grid.wants_rebuild() {
            obstacles
                .grid
                .rebuild(&obstacles.bodies, obstacles.low, obstacles.high);
        }
    }
}

impl ObstacleSet {
    /// Notes that so much more or less room is taken.
    pub(super) fn note(&mut self, body: &ObstacleBody, by: i64) {
        let sides = [0, 1].map(|axis| i64::from(body.high[axis]) - i64::from(body.low[axis]));
        self.n_discs += by * i64::from(body.is_disc);
        let crowd: &mut Crowd = &mut self.crowd[(body.types.trailing_zeros() & 63) as usize];
        crowd.n_obstacles += by;
        crowd.sides += by * (sides[0] + sides[1]);
        crowd.area += i128::from(by) * i128::from(sides[0]) * i128::from(sides[1]);
    }
}
