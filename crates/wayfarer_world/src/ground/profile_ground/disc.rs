//! Which squares a round body touches, standing in the middle of one or on its way to the next.

use wayfarer_base::{Direction, Fixed};

use super::ProfileData;

impl ProfileData {
    /// The widest body, in 1/256 of a cell: eight cells.
    pub(crate) const MAX_RADIUS: i32 = 2048;
}

/// The squares that an agent's open disc touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Disc {
    /// Standing in the middle of (0, 0), other than that square itself.
    pub(super) footprint: Vec<(i32, i32)>,
    /// On a diagonal from the middle of (0, 0), only between the two ends: for each of the four
    /// diagonals, clockwise from north-east.
    swept: [Vec<(i32, i32)>; 4],
}

impl Disc {
    pub(super) fn new(radius: Fixed) -> Self {
        let radius = i64::from(radius.raw());
        if radius <= 128 {
            // Up to half a cell the body stays inside its square; corners have a rule of their own.
            return Self::default();
        }
        let reach = i32::try_from(radius / 256).unwrap_or(0) + 2;
        let squares = || (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| (x, y)));
        let touches = |(x, y): (i32, i32)| {
            let off = |at: i32| (i64::from(at.abs()) * 256 - 128).max(0);
            off(x) * off(x) + off(y) * off(y) < radius * radius
        };
        let footprint = squares()
            .filter(|at| *at != (0, 0) && touches(*at))
            .collect();
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
            squares().filter(only_between).collect()
        });
        Self { footprint, swept }
    }

    /// True if the body touches more than the square it stands in.
    pub(super) fn is_wide(&self) -> bool {
        !self.footprint.is_empty()
    }

    /// Squares touched only on the way of a diagonal.
    pub(super) fn swept(&self, direction: Direction) -> &[(i32, i32)] {
        &self.swept[usize::from(direction.index() >> 1)]
    }

    /// Columns around a sector that decide about standing in it or one step outside it, and about
    /// the steps there.
    pub(super) fn margin(&self) -> usize {
        let reach = self.footprint.iter().map(|(x, _)| x.unsigned_abs()).max();
        reach.unwrap_or(0) as usize + 2
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let all = self.footprint.capacity() + self.swept.iter().map(Vec::capacity).sum::<usize>();
        all * size_of::<(i32, i32)>()
    }
}

/// True if a corner of a square lies beside the way from (0, 0) to (dx, dy), nearer than `radius`.
fn passes((x, y): (i32, i32), (dx, dy): (i32, i32), radius: i64) -> bool {
    let (dx, dy) = (i64::from(dx), i64::from(dy));
    [(-128, -128), (-128, 128), (128, -128), (128, 128)]
        .iter()
        .any(|(cx, cy)| {
            let (px, py) = (i64::from(x) * 256 + cx, i64::from(y) * 256 + cy);
            // The way has the direction (dx, dy) and length 256 along each axis.
            let along = px * dx + py * dy;
            let beside = px * dy - py * dx;
            (1..512).contains(&along) && beside * beside < 2 * radius * radius
        })
}
