//! Lines that run along grid lines: they cover no column's interior.
//!
//! Such a line is clear where one of its two adjacent columns is. Thin walls across it end at it
//! from either side; they block it if no path arbitrarily close to it avoids them. Such a path
//! changes sides only where no wall stands along the line.

use wayfarer_base::{Column, Fixed, NavLinkKind, Point3, SectorId, WallSide};

use super::{GRAZE, GroundVisibility, Line};

/// A line along a grid line.
#[derive(Clone, Copy)]
struct Edge {
    is_vertical: bool,
    /// The columns, or rows, on its two sides.
    sides: [i32; 2],
    begin: i32,
    end: i32,
}

impl Edge {
    /// The edge that the line from `a` to `b` runs along, if any; `a` comes first by y, then x.
    fn from_ends(a: Point3, b: Point3) -> Option<Self> {
        let is_vertical = a.x == b.x;
        let (beside, other) = if is_vertical { (a.x, b.x) } else { (a.y, b.y) };
        let (begin, end) = if is_vertical { (a.y, b.y) } else { (a.x, b.x) };
        let is_along = beside == other && is_on_grid(beside);
        is_along.then(|| Self {
            is_vertical,
            sides: [beside.cell() - 1, beside.cell()],
            begin: begin.raw(),
            end: end.raw(),
        })
    }

    fn column(&self, along: i32, side: i32) -> Column {
        if self.is_vertical {
            Column::new(side, along)
        } else {
            Column::new(along, side)
        }
    }

    /// The sides of walls across it and along it.
    fn across_and_along(&self) -> (WallSide, WallSide) {
        if self.is_vertical {
            (WallSide::South, WallSide::East)
        } else {
            (WallSide::East, WallSide::South)
        }
    }
}

fn is_on_grid(at: Fixed) -> bool {
    at.raw().rem_euclid(256) == 0
}

impl GroundVisibility<'_> {
    /// Whether a line along a grid line is clear; `None` for other lines.
    #[inline]
    pub(super) fn edge_is_clear(&self, a: Point3, b: Point3, line: &Line) -> Option<bool> {
        if (a.x, a.y) == (b.x, b.y) {
            return (is_on_grid(a.x) || is_on_grid(a.y)).then(|| self.is_vertical_clear(a, line));
        }
        Some(self.is_clear_along(&Edge::from_ends(a, b)?, line))
    }

    /// Straight up or down between columns: one of them must be clear.
    #[cold]
    fn is_vertical_clear(&self, at: Point3, line: &Line) -> bool {
        let around = |at: Fixed| at.cell() - i32::from(is_on_grid(at))..=at.cell();
        around(at.y).any(|y| around(at.x).any(|x| self.column_is_clear(Column::new(x, y), line)))
    }

    #[cold]
    fn is_clear_along(&self, edge: &Edge, line: &Line) -> bool {
        let (across, along) = edge.across_and_along();
        let [low, high] = edge.sides;
        let length = f64::from(edge.end) - f64::from(edge.begin);
        let height = |at: f64| line.height((at - f64::from(edge.begin)) / length) + GRAZE;
        // On which sides of the line a nearby path gets this far.
        let mut is_open = [true, true];
        for cell in edge.begin.div_euclid(256)..=(edge.end - 1).div_euclid(256) {
            let (corner, next) = (f64::from(cell) * 256.0, f64::from(cell) * 256.0 + 256.0);
            if corner > f64::from(edge.begin) {
                for (is_open, side) in is_open.iter_mut().zip(edge.sides) {
                    let Column { x, y } = edge.column(cell - 1, side);
                    *is_open = *is_open && !self.is_edge_blocked(x, y, across, height(corner));
                }
                if is_open == [false, false] {
                    return false;
                }
            }
            let columns = [low, high].map(|side| edge.column(cell, side));
            if !columns.iter().any(|at| self.column_is_clear(*at, line)) {
                return false;
            }
            if is_open != [true, true] && next < f64::from(edge.end) {
                let heights = (height(corner), height(next));
                if !self.is_blocked_throughout(columns[0], along, heights) {
                    is_open = [true, true];
                }
            }
        }
        true
    }

    /// True if thin walls or closed doors block an edge at all heights between two.
    fn is_blocked_throughout(&self, column: Column, side: WallSide, (a, b): (f64, f64)) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let is_blocked = |height: f64| self.is_edge_blocked(column.x, column.y, side, height);
        // The state changes only at these heights.
        let changes = |z: i32| {
            let foot = f64::from(z) * 256.0;
            [foot, foot + f64::from(self.rules.wall_height) * 256.0]
        };
        let stays_blocked = |z: i32| {
            let changes = changes(z).into_iter();
            changes
                .filter(|at| low < *at && *at <= high)
                .all(is_blocked)
        };
        let nav_links = self
            .ground
            .nav_links_in(SectorId::from_column(column))
            .iter();
        let mut doors = nav_links.filter(|nav_link| nav_link.kind == NavLinkKind::Door);
        is_blocked(low)
            && self.ground.floors(column).all(|(z, _)| stays_blocked(z))
            && doors.all(|door| stays_blocked(door.from.z) && stays_blocked(door.to.z))
    }
}
