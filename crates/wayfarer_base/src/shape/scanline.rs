//! Shapes sector by sector and polygons row by row: scan conversion with exact crossings, in
//! time of the crossings instead of columns times corners.

use std::ops::RangeInclusive;

use super::Shape;
use crate::{Column, Point2, Rect, SectorId};

/// Consecutive columns of a row: y, first x, last x.
pub(super) type Run = (i32, i32, i32);

/// The columns of a polygon in some rows, as disjoint runs in row-major order.
pub(super) fn polygon_runs(vertices: &[Point2], rows: RangeInclusive<i32>) -> Vec<Run> {
    let mut crossings: Vec<Run> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    let mut previous = vertices.last().copied();
    for &vertex in vertices {
        let Some(a) = previous.replace(vertex) else {
            continue;
        };
        add_edge(a, vertex, &rows, &mut crossings, &mut runs);
    }
    crossings.sort_unstable();
    // Between an odd crossing and the next is the inside; the crossings themselves are edges.
    for pair in crossings.chunks_exact(2) {
        let [(y, _, low), (_, high, _)] = [pair[0], pair[1]];
        if low <= high {
            runs.push((y, low, high));
        }
    }
    runs.sort_unstable();
    merge(&mut runs);
    runs
}

/// Adds the crossings of an edge with the center lines of rows (y, and x rounded down and up), and
/// the runs where it lies on such a line without crossing it.
fn add_edge(
    a: Point2,
    b: Point2,
    rows: &RangeInclusive<i32>,
    crossings: &mut Vec<Run>,
    runs: &mut Vec<Run>,
) {
    let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
    let (first, end) = (row_from(a.y.raw()), row_from(b.y.raw()));
    for y in first.max(*rows.start())..=(end - 1).min(*rows.end()) {
        let (low, high) = crossing(a, b, y);
        crossings.push((y, low, high));
    }
    // The upper end of an edge does not count as crossed.
    if rows.contains(&end) && center(end) == i64::from(b.y.raw()) {
        let (west, east) = if a.y == b.y {
            (a.x.min(b.x), a.x.max(b.x))
        } else {
            (b.x, b.x)
        };
        let (low, high) = (
            row_from(west.raw()),
            row_from(east.raw().saturating_add(1)) - 1,
        );
        if low <= high {
            runs.push((end, low, high));
        }
    }
}

/// The center of a column or row, in 1/256 of a cell.
fn center(index: i32) -> i64 {
    i64::from(index) * 256 + 128
}

/// The first column or row whose center is at or beyond `raw`.
fn row_from(raw: i32) -> i32 {
    let from = (i64::from(raw) + 127) >> 8;
    i32::try_from(from).expect("a 256th of a 32-bit number")
}

/// The columns at or before and at or after the point where an edge crosses the center of a row.
fn crossing(a: Point2, b: Point2, y: i32) -> (i32, i32) {
    let rise = i64::from(b.y.raw()) - i64::from(a.y.raw());
    let run = i64::from(b.x.raw()) - i64::from(a.x.raw());
    let along = center(y) - i64::from(a.y.raw());
    let (whole, is_exact) = match along.checked_mul(run) {
        Some(product) => (product.div_euclid(rise), product.rem_euclid(rise) == 0),
        None => {
            let (product, rise) = (i128::from(along) * i128::from(run), i128::from(rise));
            let whole = i64::try_from(product.div_euclid(rise)).expect("no longer than the edge");
            (whole, product.rem_euclid(rise) == 0)
        }
    };
    let past_center = i64::from(a.x.raw()) + whole - 128;
    let low = i32::try_from(past_center >> 8).expect("between the ends of the edge");
    (low, low + i32::from(!is_exact || past_center & 255 != 0))
}

/// Merges sorted runs that overlap.
fn merge(runs: &mut Vec<Run>) {
    runs.dedup_by(|next, kept| {
        let overlaps = next.0 == kept.0 && next.1 <= kept.2.saturating_add(1);
        if overlaps {
            kept.2 = kept.2.max(next.2);
        }
        overlaps
    });
}

/// The columns of a polygon as runs, row by row: tests a column in time of the logarithm of the runs.
///
/// ```
/// use wayfarer_base::{Column, Fixed, Point2, shape::PolygonRuns};
/// let at = |x, y| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap());
/// let runs = PolygonRuns::new(&[at(0, 0), at(9, 0), at(0, 9)]);
/// assert!(runs.contains(Column::new(3, 4)) && !runs.contains(Column::new(7, 7)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PolygonRuns(Vec<Run>);

impl PolygonRuns {
    /// The runs of a polygon by the even-odd rule, its edges included, as [`Shape::contains`].
    pub fn new(vertices: &[Point2]) -> Self {
        let rows = vertices.iter().map(|vertex| vertex.y.cell());
        let (first, last) = (rows.clone().min(), rows.max());
        let rows = first.unwrap_or(0)..=last.unwrap_or(-1);
        Self(polygon_runs(vertices, rows))
    }

    /// True if the center of a column lies in the polygon.
    pub fn contains(&self, column: Column) -> bool {
        let Column { x, y } = column;
        let at = self.0.partition_point(|run| (run.0, run.2) < (y, x));
        self.0.get(at).is_some_and(|run| run.0 == y && run.1 <= x)
    }
}

/// The columns of a shape in one sector after another. Fast for sectors of the same row in turn.
///
/// ```
/// use wayfarer_base::{Column, Rect, SectorId, Shape, shape::SectorMasks};
/// let shape = Shape::Box(Rect::around(Column::new(14, 0), Column::new(17, 1)));
/// let mask = SectorMasks::new(&shape).mask(SectorId::new(0, 0));
/// assert_eq!(mask[..3], [0b11 << 14, 0b11 << 14, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct SectorMasks<'a> {
    shape: &'a Shape,
    bounds: Rect,
    /// The row of sectors that `runs` belongs to.
    row: Option<i32>,
    runs: Vec<Run>,
}

impl<'a> SectorMasks<'a> {
    /// The masks of a shape.
    pub fn new(shape: &'a Shape) -> Self {
        Self {
            shape,
            bounds: shape.bounds(),
            row: None,
            runs: Vec::new(),
        }
    }

    /// The columns of a sector inside the shape: a row of bits per y, the westernmost column in
    /// bit 0.
    pub fn mask(&mut self, sector: SectorId) -> [u16; 16] {
        let rect = sector.rect();
        let clipped = rect.intersection(self.bounds);
        let Rect { low, high } = clipped;
        let mut mask = [0_u16; 16];
        if clipped.is_empty() {
            return mask;
        }
        let mut add = |y: i32, from: i32, to: i32| {
            let (from, to) = (from.max(rect.low.x), to.min(rect.high.x));
            if from <= to {
                let bits = (u16::MAX >> (15 - (to - from))) << (from - rect.low.x);
                mask[(y - rect.low.y).unsigned_abs() as usize] |= bits;
            }
        };
        match self.shape {
            Shape::Box(_) => (low.y..=high.y).for_each(|y| add(y, low.x, high.x)),
            Shape::Polygon(vertices) => {
                if self.row != Some(sector.y) {
                    self.row = Some(sector.y);
                    self.runs = polygon_runs(vertices, rect.low.y..=rect.high.y);
                }
                for y in low.y..=high.y {
                    let from = self
                        .runs
                        .partition_point(|run| (run.0, run.2) < (y, rect.low.x));
                    let here = self.runs[from..].iter();
                    let here = here.take_while(|run| run.0 == y && run.1 <= rect.high.x);
                    here.for_each(|run| add(y, run.1, run.2));
                }
            }
            shape => {
                for column in clipped.columns() {
                    if Point2::center_of(column).is_some_and(|center| shape.contains(center)) {
                        add(column.y, column.x, column.x);
                    }
                }
            }
        }
        mask
    }
}
