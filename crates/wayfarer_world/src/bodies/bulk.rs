//! A whole tick at once: everybody is counted, square by square, and put into place.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, MAX_COORDINATE};
use super::level::{Crowd, Slot};
use super::{BodyError, BodyId, BodySet, DEAD, DetectionTiming, level_for};

impl BodySet {
    /// Begins a new tick in which nobody has moved yet: all paths are as long as a point.
    pub fn begin_tick(&mut self) {
        self.before.copy_from_slice(&self.at);
        self.rebuild();
    }

    /// A whole tick at once: everybody moves from where they are to the position at their index.
    /// Positions of places where nobody lives are not looked at.
    ///
    /// The fastest way to move many: everybody is sorted into squares anew.
    ///
    /// # Errors
    /// Not one position for each place of the table, or one beyond the limits; nothing is changed.
    pub fn move_all(&mut self, to: &[Point2]) -> Result<(), BodyError> {
        if to.len() != self.at.len() {
            return Err(BodyError::Length {
                found: to.len(),
                expected: self.at.len(),
            });
        }
        let is_far = |point: &Point2| {
            let far = |at: Fixed| at.raw().unsigned_abs() > MAX_COORDINATE.unsigned_abs();
            far(point.x) | far(point.y)
        };
        // Without a branch for each, the whole slice is judged in no time.
        if to.iter().fold(false, |any, point| any | is_far(point)) {
            for (point, &level) in to.iter().zip(&self.level_of) {
                if level != DEAD {
                    body::position(*point)?;
                }
            }
        }
        std::mem::swap(&mut self.at, &mut self.before);
        self.at.copy_from_slice(to);
        self.rebuild();
        Ok(())
    }

    /// A whole tick at once for some: these move from where they are, all others stay.
    ///
    /// # Errors
    /// Fewer positions than names, a dead name, or a position beyond the limits; nothing is
    /// changed.
    pub fn move_some(&mut self, ids: &[BodyId], to: &[Point2]) -> Result<(), BodyError> {
        if ids.len() != to.len() {
            return Err(BodyError::Length {
                found: to.len(),
                expected: ids.len(),
            });
        }
        for (&id, &point) in ids.iter().zip(to) {
            self.place(id)?;
            body::position(point)?;
        }
        self.before.copy_from_slice(&self.at);
        for (id, &point) in ids.iter().zip(to) {
            self.at[id.index() as usize] = point;
        }
        self.rebuild();
        Ok(())
    }

    /// Sorts everybody into squares anew, by counting.
    pub(super) fn rebuild(&mut self) {
        let has_wide = self.levels.iter().any(|level| level.bounds.n_wide > 0);
        let has_dead = self.n_bodies < self.at.len();
        // Most worlds hold points only, all of them alive: what is not asked costs nothing.
        self.sort(has_dead || has_wide);
    }

    /// The same, whatever the levels hold. `is_mixed` unless all live and are points.
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

    /// Counts who stands in which square, and notes the square of each. Not `MIXED` if all live
    /// and are points.
    fn count_all<const MIXED: bool>(&mut self) {
        if !MIXED {
            self.level_of.fill(0);
        }
        let mut next = 0;
        while next < self.at.len() {
            let here = match self.detection {
                DetectionTiming::AfterMovement => &self.at[next..],
                DetectionTiming::BeforeMovement => &self.before[next..],
            };
            let crowd = Crowd {
                here,
                from: &self.before[next..],
                to: &self.at[next..],
                extents: &self.extents[next..],
                level_of: &mut self.level_of[next..],
                keys: &mut self.keys[next..],
            };
            next += self.levels[0].count_many::<MIXED>(crowd);
            if next < self.at.len() {
                // Somebody who goes far, or into a page that is not at hand.
                self.count_one(next);
                next += 1;
            }
        }
    }

    fn count_one(&mut self, place: usize) {
        let (extent, reach) = (self.extents[place], self.reach_of(place));
        let here = self.registered_at(place);
        let number = level_for(&self.levels, reach);
        let level = &mut self.levels[number];
        self.keys[place] = level.count(here.x.raw(), here.y.raw(), reach);
        level.bounds.widen(extent, reach);
        self.level_of[place] = u8::try_from(number).expect("at most 16 levels");
    }

    /// Puts everybody who was counted into the run of its square. `PLAIN` if all live and stand in
    /// the smallest squares.
    fn fill_all<const PLAIN: bool>(&mut self) {
        let Some((first, wider)) = self.levels.split_first_mut() else {
            return;
        };
        let mut filler = first.filler();
        let found_at = match self.detection {
            DetectionTiming::AfterMovement => &self.at,
            DetectionTiming::BeforeMovement => &self.before,
        };
        let bodies = found_at.iter().zip(&self.tags).zip(&self.keys);
        for (index, (((at, tag), &key), &level)) in bodies.zip(&self.level_of).enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "places have 32 bits")]
            let slot = Slot {
                x: at.x.raw(),
                y: at.y.raw(),
                index: index as u32,
                tag: tag.0,
            };
            if PLAIN || level == 0 {
                filler.fill(key, slot);
            } else if level != DEAD {
                wider[usize::from(level) - 1].filler().fill(key, slot);
            }
        }
    }
}

#[cfg(test)]
mod tests;
