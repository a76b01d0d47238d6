//! The cells that a disc-shaped body overlaps, at rest and during a step.

use wayfarer_base::{Direction, Fixed};

use super::ProfileData;

impl ProfileData {
    /// Largest radius, in 1/256 cells: eight cells.
    pub(crate) const MAX_RADIUS: i32 = 2048;
}

/// The cells that an open disc overlaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Disc {
    /// At rest in the center of (0, 0), that cell excluded.
    pub(super) footprint: Vec<(i32, i32)>,
    /// During a diagonal step from the center of (0, 0), at neither end: for the four diagonals,
    /// clockwise from north-east.
    swept: [Vec<(i32, i32)>; 4],
}

impl Disc {
    pub(super) fn new(radius: Fixed) -> Self {
        let radius = i64::from(radius.raw());
        if radius <= 128 {
            // Up to half a cell the body stays within its cell; the corner rule covers diagonals.
            return Self::default();
        }
        let reach = i32::try_from(radius / 256).unwrap_or(0) + 2;
        let cells = || (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| (x, y)));
        let touches = |(x, y): (i32, i32)| {
            let off = |at: i32| (i64::from(at.abs()) * 256 - 128).max(0);
            off(x) * off(x) + off(y) * off(y) < radius * radius
        };
        let footprint = cells().filter(|at| *at != (0, 0) && touches(*at)).collect();
        let swept = [1, 3, 5, 7].map(|index| {
            let (dx, dy) = Direction::from_index(index).offset();
            let only_between = |&(x, y): &(i32, i32)| {
                let end = (x - dx, y - dy);
                (x, y) != (0, 0)
                    && end != (0, 0)
                    && !touches((x, y))
                    && !touches(end)
                    && passes((x, y), (dx, dy), radius)
            };
            cells().filter(only_between).collect()
        });
        Self { footprint, swept }
    }

    /// True if the body overlaps more than its own cell.
    pub(super) fn is_wide(&self) -> bool {
        !self.footprint.is_empty()
    }

    /// The cells overlapped only during a diagonal step.
    pub(super) fn swept(&self, direction: Direction) -> &[(i32, i32)] {
        &self.swept[usize::from(direction.index() >> 1)]
    }

    /// Columns around a sector that affect where the agent fits and steps in it or one cell
    /// outside.
    pub(super) fn margin(&self) -> usize {
        let reach = self.footprint.iter().map(|(x, _)| x.unsigned_abs()).max();
        reach.unwrap_or(0) as usize + 2
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let all = self.footprint.capacity() + self.swept.iter().map(Vec::capacity).sum::<usize>();
        all * size_of::<(i32, i32)>()
    }
}

/// True if a corner of cell (x, y) lies alongside the segment from (0, 0) to (dx, dy), nearer than
/// `radius`.
fn passes((x, y): (i32, i32), (dx, dy): (i32, i32), radius: i64) -> bool {
    let (dx, dy) = (i64::from(dx), i64::from(dy));
    [(-128, -128), (-128, 128), (128, -128), (128, 128)]
        .iter()
        .any(|(cx, cy)| {
            let (px, py) = (i64::from(x) * 256 + cx, i64::from(y) * 256 + cy);
            // The segment has direction (dx, dy) and length 256 along each axis.
            let along = px * dx + py * dy;
            let across = px * dy - py * dx;
            (1..512).contains(&along) && across * across < 2 * radius * radius
        })
}
