//! Bulk updates: counting sort of all bodies into bins.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, MAX_COORDINATE};
use super::level::{BinEntry, BulkInput};
use super::{BodyError, BodySet, DetectionTiming, VACANT, level_for};

impl BodySet {
    /// Starts a new tick without motion: every motion starts and ends at the current position.
    pub fn begin_tick(&mut self) {
        self.before.copy_from_slice(&self.at);
        self.rebuild();
    }

    /// Moves all bodies for a whole tick: each from its current position to the one at its index.
    /// Positions of vacant slots are ignored. The fastest update for many bodies: one counting
    /// sort.
    ///
    /// # Errors
    /// [`BodyError::Length`] unless there is one position per slot, or a position beyond the
    /// limits; nothing changes then.
    pub fn move_all(&mut self, to: &[Point2]) -> Result<(), BodyError> {
        if to.len() != self.at.len() {
            return Err(BodyError::Length {
                found: to.len(),
                expected: self.at.len(),
            });
        }
        let is_out_of_range = |point: &Point2| {
            let exceeds = |at: Fixed| at.raw().unsigned_abs() > MAX_COORDINATE.unsigned_abs();
            exceeds(point.x) | exceeds(point.y)
        };
        // Branch-free over the whole slice; the slow path reports the offending position.
        if to
            .iter()
            .fold(false, |any, point| any | is_out_of_range(point))
        {
            for (point, &level) in to.iter().zip(&self.level_of) {
                if level != VACANT {
                    body::position(*point)?;
                }
            }
        }
        std::mem::swap(&mut self.at, &mut self.before);
        self.at.copy_from_slice(to);
        self.rebuild();
        Ok(())
    }

    /// Sorts all bodies into bins by counting sort.
    pub(super) fn rebuild(&mut self) {
        let has_wide = self.levels.iter().any(|level| level.bounds.n_wide > 0);
        let has_vacant = self.n_bodies < self.at.len();
        // Most worlds have only points and no vacant slots: the fast path.
        self.sort(has_vacant || has_wide);
    }

    /// [`rebuild`](Self::rebuild) for levels that are not up to date. `is_mixed` unless all slots
    /// hold points.
    pub(super) fn sort(&mut self, is_mixed: bool) {
        for level in &mut self.levels {
            level.begin_bulk();
        }
        self.keys.resize(self.at.len(), 0);
        if is_mixed {
            self.count_all::<true>();
        } else {
            self.count_all::<false>();
        }
        for level in &mut self.levels {
            level.begin_filling();
        }
        let n_wider: usize = self.levels[1..].iter().map(|level| level.n_bodies).sum();
        if is_mixed || n_wider > 0 {
            self.fill_all::<false>();
        } else {
            self.fill_all::<true>();
        }
        self.mark_used();
    }

    /// Counts the bodies per bin and stores the bin of each. Not `MIXED` if all slots hold points.
    fn count_all<const MIXED: bool>(&mut self) {
        if !MIXED {
            self.level_of.fill(0);
        }
        let mut next = 0;
        while next < self.at.len() {
            let registered = match self.detection {
                DetectionTiming::AfterMovement => &self.at[next..],
                DetectionTiming::BeforeMovement => &self.before[next..],
            };
            let input = BulkInput {
                registered,
                from: &self.before[next..],
                to: &self.at[next..],
                extents: &self.extents[next..],
                level_of: &mut self.level_of[next..],
                keys: &mut self.keys[next..],
            };
            next += self.levels[0].count_many::<MIXED>(input);
            if next < self.at.len() {
                // Reaches too far, or into a page outside the window.
                self.count_one(next);
                next += 1;
            }
        }
    }

    fn count_one(&mut self, slot: usize) {
        let (extent, reach) = (self.extents[slot], self.reach_of(slot));
        let at = self.registered_at(slot);
        let number = level_for(&self.levels, reach);
        let level = &mut self.levels[number];
        self.keys[slot] = level.count(at.x.raw(), at.y.raw(), reach);
        level.bounds.widen(extent, reach);
        self.level_of[slot] = u8::try_from(number).expect("at most 16 levels");
    }

    /// Writes every counted body into the run of its bin. `UNIFORM` if all slots are used and in
    /// the smallest bins.
    fn fill_all<const UNIFORM: bool>(&mut self) {
        let Some((first, wider)) = self.levels.split_first_mut() else {
            return;
        };
        let mut filler = first.filler();
        let registered = match self.detection {
            DetectionTiming::AfterMovement => &self.at,
            DetectionTiming::BeforeMovement => &self.before,
        };
        let bodies = registered.iter().zip(&self.tags).zip(&self.keys);
        for (index, (((at, tag), &key), &level)) in bodies.zip(&self.level_of).enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "slots have 32 bits")]
            let entry = BinEntry {
                x: at.x.raw(),
                y: at.y.raw(),
                index: index as u32,
                tag: tag.0,
            };
            if UNIFORM || level == 0 {
                filler.fill(key, entry);
            } else if level != VACANT {
                wider[usize::from(level) - 1].filler().fill(key, entry);
            }
        }
    }
}

#[cfg(test)]
mod tests;
