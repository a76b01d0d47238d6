//! Batches of obstacle edits.

use std::hash::{Hash, Hasher};

use wayfarer_base::{BatchDigest, Fixed, Point2};

use super::obstacle::{MAX_COORDINATE, Obstacle, ObstacleBody, ObstacleId};
use super::{CategoryTotals, MAX_ANCESTORS, ObstacleError, ObstacleSet};

/// A batch of edits; dropping it makes one revision.
///
/// Each edit takes amortized constant time. A batch that moves much of the set sorts the grid once,
/// when it is dropped. A rejected edit changes nothing; those before it stay.
#[derive(Debug)]
pub struct ObstacleBatch<'a> {
    obstacles: &'a mut ObstacleSet,
    /// Single grid updates left before the grid is sorted at the end instead.
    edit_budget: u32,
    is_changed: bool,
    /// The number of the revision that the batch becomes.
    next_number: u64,
    digest: BatchDigest,
}

/// The kinds of edits in a digest, as numbers above all coordinates.
#[derive(Clone, Copy, Hash)]
#[repr(u64)]
enum EditKind {
    Insert = 1 << 62,
    Remove,
    Set,
}

impl ObstacleSet {
    /// Starts a batch of edits.
    pub fn edit(&mut self) -> ObstacleBatch<'_> {
        ObstacleBatch {
            edit_budget: self.grid.edit_budget(),
            next_number: self.revision.number + 1,
            digest: BatchDigest::default(),
            obstacles: self,
            is_changed: false,
        }
    }

    /// Starts a batch that changes much of the set: as [`ObstacleSet::edit`], slightly faster.
    pub fn edit_bulk(&mut self) -> ObstacleBatch<'_> {
        ObstacleBatch {
            edit_budget: self.grid.bulk_edit_budget(),
            next_number: self.revision.number + 1,
            digest: BatchDigest::default(),
            obstacles: self,
            is_changed: false,
        }
    }
}

impl ObstacleBatch<'_> {
    /// Inserts an obstacle and returns its id.
    ///
    /// # Errors
    /// [`ObstacleError::Empty`], [`ObstacleError::NoCategories`], [`ObstacleError::TooFar`] or
    /// [`ObstacleError::Full`].
    pub fn insert(&mut self, obstacle: &Obstacle) -> Result<ObstacleId, ObstacleError> {
        let obstacles = &mut *self.obstacles;
        let slot = match obstacles.free.last() {
            Some(&slot) => slot,
            None => u32::try_from(obstacles.bodies.len())
                .ok()
                .filter(|slot| *slot < ObstacleSet::MAX_OBSTACLES)
                .ok_or(ObstacleError::Full)?,
        };
        let body = ObstacleBody::from_obstacle(obstacle, slot)?;
        if obstacles.free.pop().is_some() {
            obstacles.bodies[slot as usize] = body;
        } else {
            obstacles.bodies.push(body);
            obstacles.generations.push(0);
        }
        obstacles.grid.count(&body, true);
        obstacles.add_totals(&body, 1);
        (EditKind::Insert, obstacle).hash(&mut self.digest);
        if self.updates_grid(&body) {
            self.obstacles.grid.insert(&body);
        }
        Ok(self.obstacles.id_at(slot))
    }

    /// Removes an obstacle; its id becomes stale.
    ///
    /// # Errors
    /// [`ObstacleError::UnknownObstacle`].
    pub fn remove(&mut self, id: ObstacleId) -> Result<Obstacle, ObstacleError> {
        let body = self.registered(id)?;
        let obstacles = &mut *self.obstacles;
        let slot = id.index() as usize;
        obstacles.bodies[slot] = ObstacleBody::VACANT;
        obstacles.generations[slot] = obstacles.generations[slot].wrapping_add(1);
        obstacles.free.push(id.index());
        obstacles.grid.count(&body, false);
        obstacles.add_totals(&body, -1);
        obstacles.mark_opened(body.low, body.high, self.next_number);
        (EditKind::Remove, id.to_bits()).hash(&mut self.digest);
        if self.updates_grid(&body) {
            self.obstacles.grid.remove(&body);
        }
        Ok(body.obstacle())
    }

    /// Replaces shape and categories of an obstacle; its id stays.
    ///
    /// # Errors
    /// [`ObstacleError::UnknownObstacle`], or an invalid obstacle as in [`insert`](Self::insert).
    pub fn set(&mut self, id: ObstacleId, obstacle: &Obstacle) -> Result<(), ObstacleError> {
        let old = self.registered(id)?;
        let new = ObstacleBody::from_obstacle(obstacle, id.index())?;
        (EditKind::Set, id.to_bits(), obstacle).hash(&mut self.digest);
        self.replace(&old, new);
        Ok(())
    }

    /// Translates an obstacle by `dx` and `dy`.
    ///
    /// # Errors
    /// [`ObstacleError::UnknownObstacle`] or [`ObstacleError::TooFar`].
    pub fn move_by(&mut self, id: ObstacleId, dx: Fixed, dy: Fixed) -> Result<(), ObstacleError> {
        let (low, delta) = (self.registered(id)?.low, [dx.raw(), dy.raw()]);
        let wide = |axis: usize| i64::from(low[axis]) + i64::from(delta[axis]);
        let (Ok(x), Ok(y)) = (i32::try_from(wide(0)), i32::try_from(wide(1))) else {
            let found = [wide(0), wide(1)].into_iter().max_by_key(|at| at.abs());
            return Err(too_far(found.unwrap_or_default()));
        };
        self.relocate(id, [x, y])
    }

    /// Moves an obstacle so that the north-west corner of its AABB lies at `low`.
    ///
    /// # Errors
    /// [`ObstacleError::UnknownObstacle`] or [`ObstacleError::TooFar`].
    #[inline]
    pub fn move_to(&mut self, id: ObstacleId, low: Point2) -> Result<(), ObstacleError> {
        self.relocate(id, [low.x.raw(), low.y.raw()])
    }

    /// Moves a body in place: copying it costs several times as much.
    #[inline]
    fn relocate(&mut self, id: ObstacleId, low: [i32; 2]) -> Result<(), ObstacleError> {
        let obstacles = &mut *self.obstacles;
        let slot = id.index() as usize;
        let body = match obstacles.bodies.get_mut(slot) {
            Some(body)
                if body.categories != 0 && obstacles.generations[slot] == id.generation() =>
            {
                body
            }
            _ => return Err(ObstacleError::UnknownObstacle { id }),
        };
        let (old_low, old_high) = (body.low, body.high);
        let sides = [old_high[0] - old_low[0], old_high[1] - old_low[1]];
        for (low, side) in low.into_iter().zip(sides) {
            // Below the minimum it wraps and is too large.
            let above_minimum = low.wrapping_add(MAX_COORDINATE.raw()).cast_unsigned();
            if above_minimum > (2 * MAX_COORDINATE.raw() - side).cast_unsigned() {
                return Err(too_far(i64::from(low)));
            }
        }
        body.low = low;
        body.high = [low[0] + sides[0], low[1] + sides[1]];
        obstacles.mark_opened(old_low, old_high, self.next_number);
        self.is_changed = true;
        // By far the most frequent edit: no kind, for no coordinate is so large.
        let [x, y] = low.map(|at| u64::from(at.cast_unsigned()));
        self.digest.write_u64(x << 32 | y);
        self.digest.write_u64(id.to_bits());
        let body = &obstacles.bodies[slot];
        if self.edit_budget > 0 && !obstacles.grid.is_unaffected(body, old_low) {
            self.update_grid(slot, old_low, old_high);
        }
        Ok(())
    }

    /// Updates the grid after a move.
    #[cold]
    fn update_grid(&mut self, slot: usize, low: [i32; 2], high: [i32; 2]) {
        let new = self.obstacles.bodies[slot];
        if self.updates_grid(&new) {
            let old = ObstacleBody { low, high, ..new };
            self.obstacles.grid.relocate(&old, &new);
        }
    }

    /// The obstacle with this id, as of this point of the batch; `None` once it is removed.
    pub fn obstacle(&self, id: ObstacleId) -> Option<Obstacle> {
        self.obstacles.obstacle(id)
    }

    fn registered(&self, id: ObstacleId) -> Result<ObstacleBody, ObstacleError> {
        self.obstacles
            .body(id)
            .copied()
            .ok_or(ObstacleError::UnknownObstacle { id })
    }

    fn replace(&mut self, old: &ObstacleBody, new: ObstacleBody) {
        let obstacles = &mut *self.obstacles;
        obstacles.grid.count(old, false);
        obstacles.grid.count(&new, true);
        obstacles.add_totals(old, -1);
        obstacles.add_totals(&new, 1);
        self.update(old, new);
    }

    fn update(&mut self, old: &ObstacleBody, new: ObstacleBody) {
        let obstacles = &mut *self.obstacles;
        obstacles.bodies[old.slot as usize] = new;
        obstacles.mark_opened(old.low, old.high, self.next_number);
        if self.updates_grid(&new) {
            self.obstacles.grid.relocate(old, &new);
        }
    }

    /// True if the grid is updated for this edit; false once it will be sorted at the end.
    #[inline]
    fn updates_grid(&mut self, body: &ObstacleBody) -> bool {
        self.is_changed = true;
        if self.edit_budget > 0 && !self.obstacles.grid.has_level(body) {
            self.edit_budget = 0;
        }
        self.edit_budget = self.edit_budget.saturating_sub(1);
        self.edit_budget > 0
    }
}

fn too_far(found: i64) -> ObstacleError {
    ObstacleError::TooFar {
        what: "the obstacle after its move",
        found,
    }
}

impl Drop for ObstacleBatch<'_> {
    fn drop(&mut self) {
        if !self.is_changed {
            return;
        }
        let obstacles = &mut *self.obstacles;
        let before = obstacles.revision;
        if obstacles.ancestors.len() == MAX_ANCESTORS {
            obstacles.ancestors.pop_front();
        }
        obstacles.ancestors.push_back(before);
        obstacles.revision = before.next(self.digest.finish());
        obstacles.grid.end_batch();
        if self.edit_budget == 0 || obstacles.grid.needs_rebuild() {
            obstacles
                .grid
                .rebuild(&obstacles.bodies, obstacles.low, obstacles.high);
        }
    }
}

impl ObstacleSet {
    /// Adds or subtracts a body in the totals of its category.
    pub(super) fn add_totals(&mut self, body: &ObstacleBody, sign: i64) {
        let sides = [0, 1].map(|axis| i64::from(body.high[axis]) - i64::from(body.low[axis]));
        self.n_discs += sign * i64::from(body.is_disc);
        let totals: &mut CategoryTotals =
            &mut self.totals[(body.categories.trailing_zeros() & 63) as usize];
        totals.n_obstacles += sign;
        totals.sides += sign * (sides[0] + sides[1]);
        totals.area += i128::from(sign) * i128::from(sides[0]) * i128::from(sides[1]);
    }
}
