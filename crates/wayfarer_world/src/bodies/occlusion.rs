//! Occlusion of a segment by bodies: the first body found ends the query.
//!
//! Visits the bins along the segment, row by row, and rejects bodies by their distance from its
//! line before anything else of them is read. O(bodies beside the segment), no allocation.

use std::ops::ControlFlow;

use wayfarer_base::{Fixed, Point2, Point3};

use super::body::ShapeError;
use super::contact::{Motion, contact_interval};
use super::coverage::bin_of;
use super::footprint::{Footprint, cross, dot, sub};
use super::level::{BinEntry, Level, PAGE_BITS, PAGE_SIDE};
use super::overlap::overlaps_extent;
use super::query::{BodyFilter, CompiledFilter};
use super::{BodyId, BodySet};

/// Bodies between an eye and a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentOcclusion {
    /// No body occludes any line to the target.
    None,
    /// A body occludes every line to the target.
    Full,
    /// Bodies may occlude some lines to the target.
    Partial,
}

/// A segment at heights, and the bodies that may occlude it.
struct OccludedSegment<'a> {
    from: Point2,
    to: Point2,
    /// Heights at both ends.
    heights: (i32, i32),
    filter: CompiledFilter,
    excluded: &'a [BodyId],
}

/// A query visits bins up to this many along the segment one by one.
const MAX_BINS: i64 = 2_048;

impl BodySet {
    /// True if a body that passes `filter`, except those in `excluded`, occludes the segment: a
    /// body that is not a point, whose shape the segment touches at a height between its feet and
    /// its top. Symmetric.
    ///
    /// # Errors
    /// Positions beyond the limits, or a segment longer than 16,384 cells.
    pub fn is_segment_occluded(
        &self,
        (from, to): (Point3, Point3),
        filter: &BodyFilter,
        excluded: &[BodyId],
    ) -> Result<bool, ShapeError> {
        // Ordered ends, so that rounding is symmetric.
        let key = |point: &Point3| (point.y, point.x, point.z);
        let (from, to) = if key(&from) <= key(&to) {
            (from, to)
        } else {
            (to, from)
        };
        let flat = |point: Point3| Point2::new(point.x, point.y);
        let segment = OccludedSegment {
            from: flat(from),
            to: flat(to),
            heights: (from.z.raw(), to.z.raw()),
            filter: CompiledFilter::new(self, filter),
            excluded,
        };
        let occludes = |entry: &BinEntry| {
            self.touches(entry, &segment) && self.touches_between_heights(entry, &segment)
        };
        self.any_along(&segment, filter, occludes)
    }

    /// The occlusion of all lines from `eye` to the points over `target` from height `low` to
    /// `high`, as by [`BodySet::is_segment_occluded`] for each.
    ///
    /// # Errors
    /// Positions beyond the limits, or more than 16,384 cells apart.
    pub fn occlusion(
        &self,
        eye: Point3,
        (target, low, high): (Point2, Fixed, Fixed),
        filter: &BodyFilter,
        excluded: &[BodyId],
    ) -> Result<SegmentOcclusion, ShapeError> {
        let here = Point2::new(eye.x, eye.y);
        let (from, to) = if (here.y, here.x) <= (target.y, target.x) {
            (here, target)
        } else {
            (target, here)
        };
        let segment = OccludedSegment {
            from,
            to,
            heights: (low.min(eye.z).raw(), high.max(eye.z).raw()),
            filter: CompiledFilter::new(self, filter),
            excluded,
        };
        let mut is_touched = false;
        let covers = |entry: &BinEntry| {
            let is_touching = self.touches(entry, &segment);
            is_touched |= is_touching;
            is_touching && self.covers_heights(entry, &segment)
        };
        Ok(if self.any_along(&segment, filter, covers)? {
            SegmentOcclusion::Full
        } else if is_touched {
            SegmentOcclusion::Partial
        } else {
            SegmentOcclusion::None
        })
    }

    /// True if `occludes` is true of a body beside the segment.
    fn any_along(
        &self,
        segment: &OccludedSegment<'_>,
        filter: &BodyFilter,
        mut occludes: impl FnMut(&BinEntry) -> bool,
    ) -> Result<bool, ShapeError> {
        segment.capsule().check()?;
        if !segment.filter.may_pass(self) {
            return Ok(false);
        }
        let (x, y) = sub(segment.to, segment.from);
        if x.abs().max(y) >> self.bin_shift() > MAX_BINS {
            let mut is_occluded = false;
            self.visit(&segment.capsule(), filter, |index| {
                is_occluded = occludes(&self.entry_of(index as usize));
                if is_occluded {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            return Ok(is_occluded);
        }
        let mut levels = self.used_levels();
        let wide = |level: &&Level| level.bounds.n_wide > 0;
        Ok(levels.any(|level| wide(&level) && any_in_level(level, segment, &mut occludes)))
    }

    /// True if the body of an entry may occlude, and touches the segment seen from above.
    fn touches(&self, entry: &BinEntry, segment: &OccludedSegment<'_>) -> bool {
        // The filter reads nothing but the entry in most cases.
        if !segment.filter.passes(self, entry) {
            return false;
        }
        let slot = entry.index as usize;
        let extent = self.extents[slot];
        let (feet, height) = self.heights[slot];
        let (begin, end) = segment.heights;
        if extent.is_point() || begin.min(end) > feet + height || begin.max(end) < feet {
            return false;
        }
        let mut excluded = segment.excluded.iter();
        overlaps_extent(&segment.capsule(), entry.at(), extent)
            && !excluded.any(|id| self.id_at(entry.index) == Some(*id))
    }

    /// True if the heights of the segment lie between feet and top of the body.
    fn covers_heights(&self, entry: &BinEntry, segment: &OccludedSegment<'_>) -> bool {
        let (feet, height) = self.heights[entry.index as usize];
        let (begin, end) = segment.heights;
        begin.min(end) >= feet && begin.max(end) <= feet + height
    }

    /// True if the segment passes a body that it touches between its feet and its top.
    fn touches_between_heights(&self, entry: &BinEntry, segment: &OccludedSegment<'_>) -> bool {
        if self.covers_heights(entry, segment) {
            return true;
        }
        let slot = entry.index as usize;
        let (feet, height) = self.heights[slot];
        let (begin, end) = segment.heights;
        let (enter, leave) = segment.interval(entry.at(), self.extents[slot]);
        let (low, rise) = (f64::from(begin), f64::from(end) - f64::from(begin));
        let (a, b) = (low + enter * rise, low + leave * rise);
        let feet = f64::from(feet);
        a.min(b) <= feet + f64::from(height) && a.max(b) >= feet
    }
}

/// True if `occludes` is true of an entry of the level that is near the segment.
fn any_in_level(
    level: &Level,
    segment: &OccludedSegment<'_>,
    occludes: &mut impl FnMut(&BinEntry) -> bool,
) -> bool {
    let extent = i64::from(level.bounds.extent);
    let along = sub(segment.to, segment.from);
    let origin = sub(segment.from, Point2::default());
    // Bodies whose center is farther from the line do not touch it.
    let limit = extent.saturating_mul(along.0.abs() + along.1);
    let rows = (
        bin_of(origin.1 - extent, level.shift),
        bin_of(origin.1 + along.1 + extent, level.shift),
    );
    for row in rows.0..=rows.1 {
        let low = i64::from(row) << level.shift;
        let band = (low - extent, low + (1 << level.shift) - 1 + extent);
        let (west, east) = span_in(origin, along, band);
        let last_column = bin_of(east + extent, level.shift);
        let mut first = bin_of(west - extent, level.shift);
        while first <= last_column {
            let last = last_column.min(first | (PAGE_SIDE - 1));
            if let Some(page) = level.page(first >> PAGE_BITS, row >> PAGE_BITS) {
                let local = |column: i32| {
                    let bin = (row & (PAGE_SIDE - 1)) * PAGE_SIDE + (column & (PAGE_SIDE - 1));
                    bin.cast_unsigned() as usize
                };
                let is_free = level.for_each_range(page, local(first), local(last), |range| {
                    !level.entries[range].iter().any(|entry| {
                        let at = (i64::from(entry.x) - origin.0, i64::from(entry.y) - origin.1);
                        cross(along, at).abs() <= limit && occludes(entry)
                    })
                });
                if !is_free {
                    return true;
                }
            }
            first = last + 1;
        }
    }
    false
}

impl OccludedSegment<'_> {
    fn capsule(&self) -> Footprint {
        Footprint::Capsule {
            from: self.from,
            to: self.to,
            radius: Fixed::default(),
        }
    }

    /// Where along the segment, 0 to 1, a body that touches it does.
    fn interval(&self, at: Point2, extent: super::Extent) -> (f64, f64) {
        let point = Footprint::circle(self.from, Fixed::default());
        let motion = Motion {
            from: self.from,
            to: self.to,
        };
        // The exact overlap test passed; a graze may be lost in floating point.
        contact_interval(&point, motion, Motion::at(at), extent).unwrap_or_else(|| {
            let (along, offset) = (sub(self.to, self.from), sub(at, self.from));
            let square = dot(along, along).max(1);
            #[expect(clippy::cast_precision_loss, reason = "a fraction between 0 and 1")]
            let nearest = dot(along, offset) as f64 / square as f64;
            (nearest.clamp(0.0, 1.0), nearest.clamp(0.0, 1.0))
        })
    }
}

/// The columns of a descending segment within a band of rows, rounded outward; of its nearer end if
/// it misses the band.
fn span_in(origin: (i64, i64), along: (i64, i64), band: (i64, i64)) -> (i64, i64) {
    let at = |row: i64| {
        let ahead = (row - origin.1).clamp(0, along.1);
        let over = if along.1 == 0 {
            0
        } else {
            (along.0 * ahead).div_euclid(along.1)
        };
        origin.0 + over
    };
    if along.1 == 0 {
        return (origin.0 + along.0.min(0), origin.0 + along.0.max(0));
    }
    let (a, b) = (at(band.0), at(band.1));
    (a.min(b), a.max(b) + 1)
}

#[cfg(test)]
mod tests;
