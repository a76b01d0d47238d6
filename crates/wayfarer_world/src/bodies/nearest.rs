//! k-nearest queries: scans rings of bins outwards until no nearer body is possible.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, ShapeError};
use super::coverage::for_each_page;
use super::footprint::{Vector, dot, sub};
use super::hits::QueryStats;
use super::level::{BinEntry, Level, PAGE_BITS, PAGE_SIDE};
use super::query::{BodyFilter, CompiledFilter};
use super::{BodyId, BodySet};

/// Rings scanned bin by bin; beyond, page by page.
const MAX_RINGS: i32 = 8;

/// The result of a k-nearest query, owned by the caller and reused.
#[derive(Clone, Debug, Default)]
pub struct NearestHits {
    /// Squared distance and index, ascending.
    list: Vec<(i64, u32)>,
    n_wanted: usize,
    limit: i64,
    /// The work of the query.
    pub stats: QueryStats,
}

impl NearestHits {
    /// Indices, nearest first; ties by lowest index.
    pub fn indices(&self) -> impl Iterator<Item = u32> {
        self.list.iter().map(|&(_, index)| index)
    }

    /// Ids and squared distances in 1/65,536 of a square cell, nearest first.
    pub fn ids<'a>(&'a self, bodies: &'a BodySet) -> impl Iterator<Item = (BodyId, i64)> + 'a {
        let with_id = |&(distance_squared, index): &(i64, u32)| {
            Some((bodies.id_at(index)?, distance_squared))
        };
        self.list.iter().filter_map(with_id)
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The squared distance beyond which bodies need not be tested.
    #[inline]
    fn bound(&self) -> i64 {
        if self.list.len() < self.n_wanted {
            self.limit
        } else {
            self.list
                .last()
                .map_or(-1, |&(distance_squared, _)| distance_squared)
        }
    }

    #[inline]
    fn consider(&mut self, distance_squared: i64, index: u32) {
        if distance_squared > self.bound() {
            return;
        }
        let at = self
            .list
            .partition_point(|&other| other < (distance_squared, index));
        if at < self.n_wanted {
            self.list.truncate(self.n_wanted - 1);
            self.list
                .insert(at.min(self.list.len()), (distance_squared, index));
        }
    }
}

impl BodySet {
    /// The `n_wanted` bodies whose centers are nearest to `from`, within `limit` (at most 16,384
    /// cells).
    ///
    /// # Errors
    /// A position or limit out of range.
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
        nearest.stats = QueryStats::default();
        if n_wanted == 0 {
            return Ok(());
        }
        let compiled = CompiledFilter::new(self, filter);
        for level in self.used_levels() {
            self.nearest_in(level, from, &compiled, nearest);
        }
        Ok(())
    }

    fn nearest_in(
        &self,
        level: &Level,
        from: Point2,
        compiled: &CompiledFilter,
        nearest: &mut NearestHits,
    ) {
        let (x, y) = (from.x.raw() >> level.shift, from.y.raw() >> level.shift);
        for ring in 0..=MAX_RINGS {
            if ring_distance(level, from, ring) > nearest.bound() {
                return;
            }
            for row in y - ring..=y + ring {
                let is_full_row = row == y - ring || row == y + ring;
                let mut scan = |low: i32, high: i32| {
                    self.scan(level, from, (row, row), (low, high), compiled, nearest, -1);
                };
                if is_full_row {
                    scan(x - ring, x + ring);
                } else {
                    scan(x - ring, x - ring);
                    scan(x + ring, x + ring);
                }
            }
        }
        if ring_distance(level, from, MAX_RINGS + 1) <= nearest.bound() {
            let all = (i32::MIN / 2, i32::MAX / 2);
            self.scan(level, from, all, all, compiled, nearest, MAX_RINGS);
        }
    }

    /// Considers all bodies in these rows and columns of bins, except the `n_scanned_rings`
    /// innermost rings.
    #[expect(clippy::too_many_arguments, reason = "one loop, used at two scales")]
    fn scan(
        &self,
        level: &Level,
        from: Point2,
        rows: (i32, i32),
        columns: (i32, i32),
        compiled: &CompiledFilter,
        nearest: &mut NearestHits,
        n_scanned_rings: i32,
    ) {
        let (x, y) = (from.x.raw() >> level.shift, from.y.raw() >> level.shift);
        for_each_page(level, rows, columns, |number, page| {
            let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
            let page_shift = level.shift + PAGE_BITS;
            if box_distance(from, page.x, page.y, page_shift) > nearest.bound() {
                return true;
            }
            let first = Level::first_bin(number);
            for row in rows.0.max(north)..=rows.1.min(north + PAGE_SIDE - 1) {
                for column in columns.0.max(west)..=columns.1.min(west + PAGE_SIDE - 1) {
                    let local = (row - north) * PAGE_SIDE + column - west;
                    let run = level.run(first + local.cast_unsigned() as usize).entries;
                    if run.is_empty()
                        || row.abs_diff(y).max(column.abs_diff(x))
                            <= n_scanned_rings.max(0).cast_unsigned()
                            && n_scanned_rings >= 0
                        || box_distance(from, column, row, level.shift) > nearest.bound()
                    {
                        continue;
                    }
                    nearest.stats.bins += 1;
                    self.consider_all(&level.entries[run], from, compiled, nearest);
                }
            }
            true
        });
    }

    fn consider_all(
        &self,
        entries: &[BinEntry],
        from: Point2,
        compiled: &CompiledFilter,
        nearest: &mut NearestHits,
    ) {
        nearest.stats.tests += entries.len() as u64;
        for entry in entries {
            let offset: Vector = sub(entry.at(), from);
            let distance_squared = dot(offset, offset);
            if distance_squared <= nearest.bound() && compiled.passes(self, entry) {
                nearest.consider(distance_squared, entry.index);
            }
        }
    }
}

/// The squared distance to the nearest point of any bin on a ring.
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

/// The squared distance to the nearest point of a bin.
fn box_distance(from: Point2, x: i32, y: i32, shift: u32) -> i64 {
    let gap = |at: Fixed, bin: i32| {
        let low = i64::from(bin) << shift;
        let at = i64::from(at.raw());
        (low - at).max(at - (low + (1 << shift) - 1)).max(0)
    };
    let (x, y) = (gap(from.x, x), gap(from.y, y));
    x * x + y * y
}
