//! Lines that run along the grid: they enter no column, and have one on either side all the way.
//!
//! A line with columns on both sides is clear where one of them is. Thin walls across it reach up to
//! it from both sides; they bar it if it cannot be bent around them, however little: from one side
//! to the other it can be bent only where no wall stands along it.

use wayfarer_base::{Column, Fixed, NavLinkKind, Point3, SectorId, WallSide};

use super::{GRAZE, GroundVisibility, Line};

/// Where a line along the grid runs.
#[derive(Clone, Copy)]
struct Edge {
    is_upright: bool,
    /// The columns, or the rows, on its two sides.
    sides: [i32; 2],
    begin: i32,
    end: i32,
}

impl Edge {
    /// The edge that the line from `a` to `b` runs along, if it does; `a` comes first by rows, then
    /// by columns.
    fn of(a: Point3, b: Point3) -> Option<Self> {
        let is_upright = a.x == b.x;
        let (beside, other) = if is_upright { (a.x, b.x) } else { (a.y, b.y) };
        let (begin, end) = if is_upright { (a.y, b.y) } else { (a.x, b.x) };
        let is_along = beside == other && is_line(beside);
        is_along.then(|| Self {
            is_upright,
            sides: [beside.cell() - 1, beside.cell()],
            begin: begin.raw(),
            end: end.raw(),
        })
    }

    fn column(&self, along: i32, side: i32) -> Column {
        if self.is_upright {
            Column::new(side, along)
        } else {
            Column::new(along, side)
        }
    }

    /// The walls that stand across it, and those that stand along it.
    fn across_and_along(&self) -> (WallSide, WallSide) {
        if self.is_upright {
            (WallSide::South, WallSide::East)
        } else {
            (WallSide::East, WallSide::South)
        }
    }
}

fn is_line(at: Fixed) -> bool {
    at.raw().rem_euclid(256) == 0
}

impl GroundVisibility<'_> {
    /// Whether a line along the grid is clear; `None` if it does not run along it.
    #[inline]
    pub(super) fn edge_is_clear(&self, a: Point3, b: Point3, line: &Line) -> Option<bool> {
        if (a.x, a.y) == (b.x, b.y) {
            return (is_line(a.x) || is_line(a.y)).then(|| self.plumb_is_clear(a, line));
        }
        Some(self.is_clear_along(&Edge::of(a, b)?, line))
    }

    /// Straight up and down between columns: one of them must be clear.
    #[cold]
    fn plumb_is_clear(&self, at: Point3, line: &Line) -> bool {
        let around = |at: Fixed| at.cell() - i32::from(is_line(at))..=at.cell();
        around(at.y).any(|y| around(at.x).any(|x| self.column_is_clear(Column::new(x, y), line)))
    }

    #[cold]
    fn is_clear_along(&self, edge: &Edge, line: &Line) -> bool {
        let (across, along) = edge.across_and_along();
        let [low, high] = edge.sides;
        let length = f64::from(edge.end) - f64::from(edge.begin);
        let height = |at: f64| line.height((at - f64::from(edge.begin)) / length) + GRAZE;
        // On which sides of the line one gets this far.
        let mut is_open = [true, true];
        for cell in edge.begin.div_euclid(256)..=(edge.end - 1).div_euclid(256) {
            let (corner, next) = (f64::from(cell) * 256.0, f64::from(cell) * 256.0 + 256.0);
            if corner > f64::from(edge.begin) {
                for (is_open, side) in is_open.iter_mut().zip(edge.sides) {
                    let Column { x, y } = edge.column(cell - 1, side);
                    *is_open = *is_open && !self.bars(x, y, across, height(corner));
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
                if !self.bars_throughout(columns[0], along, heights) {
                    is_open = [true, true];
                }
            }
        }
        true
    }

    /// True if a thin wall or a closed door stands on that edge at all heights between two.
    fn bars_throughout(&self, column: Column, side: WallSide, (a, b): (f64, f64)) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let bars = |height: f64| self.bars(column.x, column.y, side, height);
        // From one of these heights to the next nothing changes.
        let changes = |z: i32| {
            let foot = f64::from(z) * 256.0;
            [foot, foot + f64::from(self.rules.wall_height) * 256.0]
        };
        let stays = |z: i32| {
            let changes = changes(z).into_iter();
            changes.filter(|at| low < *at && *at <= high).all(bars)
        };
        let nav_links = self.ground.nav_links_in(SectorId::from_column(column)).iter();
        let mut doors = nav_links.filter(|nav_link| nav_link.kind == NavLinkKind::Door);
        bars(low)
            && self.ground.floors(column).all(|(z, _)| stays(z))
            && doors.all(|door| stays(door.from.z) && stays(door.to.z))
    }
}
