//! Who is nearest: squares are looked at ring by ring until nobody nearer can come.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, ShapeError};
use super::coverage::for_pages;
use super::footprint::{Vector, dot, sub};
use super::hits::QueryStats;
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Slot};
use super::query::{BodyFilter, Sieve};
use super::{BodyId, BodySet};

/// Rings of squares that are looked at one by one; farther out, page by page.
const RINGS: i32 = 8;

/// The nearest that were found, kept by the caller and used again.
#[derive(Clone, Debug, Default)]
pub struct NearestHits {
    /// Squared distance and index, rising.
    list: Vec<(i64, u32)>,
    n_wanted: usize,
    limit: i64,
    /// What it took.
    pub work: QueryStats,
}

impl NearestHits {
    /// Places in the table, the nearest first; of equals the lowest index.
    pub fn indices(&self) -> impl Iterator<Item = u32> {
        self.list.iter().map(|&(_, index)| index)
    }

    /// Their names and squared distances in 1/65,536 of a square cell, the nearest first.
    pub fn ids<'a>(&'a self, bodies: &'a BodySet) -> impl Iterator<Item = (BodyId, i64)> + 'a {
        let name = |&(square, index): &(i64, u32)| Some((bodies.id_at(index)?, square));
        self.list.iter().filter_map(name)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if nobody was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Who is farther than this need not be looked at.
    #[inline]
    fn bound(&self) -> i64 {
        if self.list.len() < self.n_wanted {
            self.limit
        } else {
            self.list.last().map_or(-1, |&(square, _)| square)
        }
    }

    #[inline]
    fn offer(&mut self, square: i64, index: u32) {
        if square > self.bound() {
            return;
        }
        let at = self.list.partition_point(|&known| known < (square, index));
        if at < self.n_wanted {
            self.list.truncate(self.n_wanted - 1);
            self.list.insert(at.min(self.list.len()), (square, index));
        }
    }
}

impl BodySet {
    /// The `n_wanted` whose middles are nearest to `from`, no farther than `limit` (at most
    /// 16,384 cells).
    ///
    /// # Errors
    /// A position or a limit out of range.
    pub fn nearest(
        &self,
        from: Point2,
        n_wanted: usize,
        limit: Fixed,
        filter: &BodyFilter,
        nearest: &mut NearestHits,
    ) -> Result<(), ShapeError> {
        body::position(from)?;
        let limit = body::size("limit", limit)?;
        nearest.list.clear();
        nearest.list.reserve(n_wanted.min(self.len()));
        nearest.n_wanted = n_wanted;
        nearest.limit = limit * limit;
        nearest.work = QueryStats::default();
        if n_wanted == 0 {
            return Ok(());
        }
        let sieve = Sieve::new(self, filter);
        for level in self.used_levels() {
            self.nearest_in(level, from, &sieve, nearest);
        }
        Ok(())
    }

    fn nearest_in(&self, level: &Level, from: Point2, sieve: &Sieve, nearest: &mut NearestHits) {
        let (x, y) = (from.x.raw() >> level.shift, from.y.raw() >> level.shift);
        for ring in 0..=RINGS {
            if ring_distance(level, from, ring) > nearest.bound() {
                return;
            }
            for row in y - ring..=y + ring {
                let whole = row == y - ring || row == y + ring;
                let mut look = |low: i32, high: i32| {
                    self.look(level, from, (row, row), (low, high), sieve, nearest, -1);
                };
                if whole {
                    look(x - ring, x + ring);
                } else {
                    look(x - ring, x - ring);
                    look(x + ring, x + ring);
                }
            }
        }
        if ring_distance(level, from, RINGS + 1) <= nearest.bound() {
            let all = (i32::MIN / 2, i32::MAX / 2);
            self.look(level, from, all, all, sieve, nearest, RINGS);
        }
    }

    /// Offers everybody in these rows and columns of squares, but those in the `seen` innermost
    /// rings.
    #[expect(clippy::too_many_arguments, reason = "one loop, used at two scales")]
    fn look(
        &self,
        level: &Level,
        from: Point2,
        rows: (i32, i32),
        columns: (i32, i32),
        sieve: &Sieve,
        nearest: &mut NearestHits,
        seen: i32,
    ) {
        let (x, y) = (from.x.raw() >> level.shift, from.y.raw() >> level.shift);
        for_pages(level, rows, columns, |number, page| {
            let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
            let page_shift = level.shift + PAGE_BITS;
            if box_distance(from, page.x, page.y, page_shift) > nearest.bound() {
                return true;
            }
            let first = Level::first_of(number);
            for row in rows.0.max(north)..=rows.1.min(north + PAGE_SIDE - 1) {
                for column in columns.0.max(west)..=columns.1.min(west + PAGE_SIDE - 1) {
                    let place = (row - north) * PAGE_SIDE + column - west;
                    let run = level.run(first + place.cast_unsigned() as usize).slots;
                    if run.is_empty()
                        || row.abs_diff(y).max(column.abs_diff(x)) <= seen.max(0).cast_unsigned()
                            && seen >= 0
                        || box_distance(from, column, row, level.shift) > nearest.bound()
                    {
                        continue;
                    }
                    nearest.work.squares += 1;
                    self.offer_all(&level.slots[run], from, sieve, nearest);
                }
            }
            true
        });
    }

    fn offer_all(&self, slots: &[Slot], from: Point2, sieve: &Sieve, nearest: &mut NearestHits) {
        nearest.work.tests += slots.len() as u64;
        for slot in slots {
            let away: Vector = sub(slot.at(), from);
            let square = dot(away, away);
            if square <= nearest.bound() && sieve.passes(self, slot) {
                nearest.offer(square, slot.index);
            }
        }
    }
}

/// The squared distance to the nearest point of any square on a ring.
fn ring_distance(level: &Level, from: Point2, ring: i32) -> i64 {
    if ring == 0 {
        return 0;
    }
    let side = 1_i64 << level.shift;
    let inside = |at: Fixed| i64::from(at.raw()).rem_euclid(side);
    let (x, y) = (inside(from.x), inside(from.y));
    let edge = (x + 1).min(side - x).min(y + 1).min(side - y);
    let gap = edge + i64::from(ring - 1) * side;
    gap * gap
}

/// The squared distance to the nearest point of a square.
fn box_distance(from: Point2, x: i32, y: i32, shift: u32) -> i64 {
    let gap = |at: Fixed, square: i32| {
        let low = i64::from(square) << shift;
        let at = i64::from(at.raw());
        (low - at).max(at - (low + (1 << shift) - 1)).max(0)
    };
    let (x, y) = (gap(from.x, x), gap(from.y, y));
    x * x + y * y
}
