//! Who is near each: the same question from everybody at once.
//!
//! All who stand in one square look at the same squares around it, so those are gathered once for
//! all of them, and squares are taken in the order in which they lie in memory.

use wayfarer_base::Fixed;

use super::BodySet;
use super::body::{self, ShapeError};
use super::coverage::square_of;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Slot};
use super::pairs::for_rows;
use super::query::{BodyFilter, Sieve};

/// Memory for questions of everybody, used again.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    /// Who may be near those of one square: where they are, and their indices.
    near_x: Vec<f64>,
    near_y: Vec<f64>,
    near: Vec<u32>,
    /// Squared distances from the one who asks.
    squares: Vec<f64>,
    found: QueryHits,
    /// What the last question took.
    pub work: QueryStats,
}

/// One of several parts of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which, from 0.
    pub part: usize,
    /// Of how many; at least 1.
    pub n_parts: usize,
}

impl Shard {
    /// All there is.
    pub const WHOLE: Self = Self {
        part: 0,
        n_parts: 1,
    };

    /// The pages of this part, small bodies first, from north to south and from west to east.
    pub(super) fn pages(self, bodies: &BodySet) -> impl Iterator<Item = (usize, &Level, usize)> {
        let n_pages: usize = bodies.levels.iter().map(|level| level.order.len()).sum();
        let n_parts = self.n_parts.max(1);
        let begin = n_pages * self.part.min(n_parts) / n_parts;
        let end = n_pages * (self.part + 1).min(n_parts) / n_parts;
        let pages = bodies.levels.iter().enumerate().flat_map(|(at, level)| {
            let numbers = level.order.iter();
            numbers.map(move |&number| (at, level, number as usize))
        });
        pages.skip(begin).take(end - begin)
    }
}

impl BodySet {
    /// Calls `visit` with the index of everybody whom `askers` wants, and with those whom `wanted`
    /// wants within `range` of its middle, who asks left out.
    ///
    /// For each the same, in the same order, as [`find`](Self::find) with a circle; several times
    /// as fast if most ask. Who asks comes in the order of [`QueryHits`].
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::bodies::{Body, BodyFilter, NeighborLists, BodySet};
    ///
    /// let at = |x: i32| Point2::new(Fixed::from_raw(256 * x), Fixed::from_raw(0));
    /// let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
    /// for x in [0, 3, 5, 40] {
    ///     bodies.register(&Body::at(at(x)))?;
    /// }
    /// let (mut scratch, mut lists) = (NeighborLists::default(), Vec::new());
    /// let range = Fixed::from_raw(4 * 256);
    /// bodies.neighbors(range, &BodyFilter::ALL, &BodyFilter::ALL, &mut scratch, |who, near| {
    ///     lists.push((who, near.to_vec()));
    /// })?;
    /// assert_eq!(lists, [(0, vec![1]), (1, vec![0, 2]), (2, vec![1]), (3, vec![])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A range beyond 0 to 16,384 cells.
    pub fn neighbors(
        &self,
        range: Fixed,
        askers: &BodyFilter,
        wanted: &BodyFilter,
        scratch: &mut NeighborLists,
        visit: impl FnMut(u32, &[u32]),
    ) -> Result<(), ShapeError> {
        self.shard_neighbors(Shard::WHOLE, range, (askers, wanted), scratch, visit)
    }

    /// Part of what [`neighbors`](Self::neighbors) does, for `askers` and `wanted`: the parts,
    /// one after the other, are the whole. For threads, each with its own scratch.
    ///
    /// # Errors
    /// A range beyond 0 to 16,384 cells.
    pub fn shard_neighbors(
        &self,
        part: Shard,
        range: Fixed,
        (askers, wanted): (&BodyFilter, &BodyFilter),
        scratch: &mut NeighborLists,
        mut visit: impl FnMut(u32, &[u32]),
    ) -> Result<(), ShapeError> {
        let reach = body::size("range", range)?;
        scratch.work = QueryStats::default();
        let askers = Sieve::new(self, askers);
        let has_wide = self.used_levels().any(|level| level.bounds.n_wide > 0);
        for (_, level, number) in part.pages(self) {
            for place in 0..PAGE_SIDE * PAGE_SIDE {
                let square = Level::first_of(number) + place.cast_unsigned() as usize;
                let run = level.run(square).slots;
                if run.is_empty() {
                    continue;
                }
                let own = &level.slots[run];
                if has_wide {
                    for slot in own.iter().filter(|slot| askers.passes(self, slot)) {
                        self.ask_alone(slot, range, wanted, scratch, &mut visit)?;
                    }
                    continue;
                }
                let page = &level.pages[number];
                let x = (page.x << PAGE_BITS) + place % PAGE_SIDE;
                let y = (page.y << PAGE_BITS) + place / PAGE_SIDE;
                self.gather_near((x, y, level.shift), reach, wanted, scratch);
                for slot in own.iter().filter(|slot| askers.passes(self, slot)) {
                    scratch.ask(slot, reach);
                    visit(slot.index, scratch.found.indices());
                }
            }
        }
        Ok(())
    }

    /// Large bodies are tested one by one.
    fn ask_alone(
        &self,
        slot: &Slot,
        range: Fixed,
        wanted: &BodyFilter,
        scratch: &mut NeighborLists,
        visit: &mut impl FnMut(u32, &[u32]),
    ) -> Result<(), ShapeError> {
        let circle = Footprint::circle(slot.at(), range);
        self.find(&circle, wanted, &mut scratch.found)?;
        scratch.work += scratch.found.work;
        scratch.found.leave_out(slot.index);
        visit(slot.index, scratch.found.indices());
        Ok(())
    }

    /// Everybody who may be within `reach` of anywhere in a square, in order.
    fn gather_near(
        &self,
        (x, y, shift): (i32, i32, u32),
        reach: i64,
        wanted: &BodyFilter,
        scratch: &mut NeighborLists,
    ) {
        let sieve = Sieve::new(self, wanted);
        let is_all = *wanted == BodyFilter::ALL;
        let NeighborLists {
            near_x,
            near_y,
            near,
            work,
            ..
        } = scratch;
        near_x.clear();
        near_y.clear();
        near.clear();
        for level in self.used_levels() {
            let span = |square: i32| {
                let low = i64::from(square) << shift;
                let high = low + (1 << shift) - 1;
                (
                    square_of(low - reach, level.shift),
                    square_of(high + reach, level.shift),
                )
            };
            for_rows(level, span(y), span(x), |page, first, last| {
                work.squares += (last - first + 1) as u64;
                level.for_ranges(page, first, last, |range| {
                    let slots = level.slots[range].iter();
                    if is_all {
                        near_x.extend(slots.clone().map(|slot| f64::from(slot.x)));
                        near_y.extend(slots.clone().map(|slot| f64::from(slot.y)));
                        near.extend(slots.map(|slot| slot.index));
                        return true;
                    }
                    for slot in slots.filter(|slot| sieve.passes(self, slot)) {
                        near_x.push(slot.x.into());
                        near_y.push(slot.y.into());
                        near.push(slot.index);
                    }
                    true
                });
            });
        }
    }
}

impl NeighborLists {
    /// Finds those within `reach` of one, among those who may be.
    #[inline]
    fn ask(&mut self, slot: &Slot, reach: i64) {
        let (x, y) = (f64::from(slot.x), f64::from(slot.y));
        // Exact, as for a disc.
        self.squares.clear();
        let points = self.near_x.iter().zip(&self.near_y);
        self.squares.extend(points.map(|(&other_x, &other_y)| {
            let (x, y) = (other_x - x, other_y - y);
            x * x + y * y
        }));
        #[expect(clippy::cast_precision_loss, reason = "squares of ranges have 44 bits")]
        let limit = (reach * reach) as f64;
        self.work.tests += self.near.len() as u64;
        self.found
            .take_near(&self.near, &self.squares, limit, slot.index);
    }
}

#[cfg(test)]
mod tests;
