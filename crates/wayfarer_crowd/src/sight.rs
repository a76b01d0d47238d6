//! Lines over joined floors: what an agent can walk to straight, its width aside.

use wayfarer_base::{Cell, Direction};
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::NodeId;

use crate::vector::{Vec2, floor};

/// Columns that a line may cross.
const MAX_COLUMNS: u32 = 256;

/// True if the line from a position over the floor of `cell` to another crosses joined floors only,
/// whatever they cost. Lines of more than 256 columns count as blocked.
pub(crate) fn is_straight(nav_graph: NavGraph<'_>, cell: Cell, from: Vec2, to: Vec2) -> bool {
    let Some(mut node) = nav_graph.floor_at(cell.column(), cell.z) else {
        return false;
    };
    let mut columns = ColumnWalk::new(from, to, (cell.x, cell.y));
    for _ in 0..MAX_COLUMNS {
        let Some(direction) = columns.next() else {
            return true;
        };
        match nav_graph.joined_floor(node, direction) {
            Some(beside) => node = beside,
            None => return false,
        }
    }
    false
}

/// The columns that a line crosses, by straight steps: a grid traversal.
pub(crate) struct ColumnWalk {
    from: Vec2,
    along: Vec2,
    at: (i32, i32),
    end: (i32, i32),
}

impl ColumnWalk {
    /// The line between two positions, from a column on.
    pub(crate) fn new(from: Vec2, to: Vec2, start: (i32, i32)) -> Self {
        Self {
            from,
            along: to - from,
            at: start,
            end: (floor(to.x), floor(to.y)),
        }
    }
}

impl Iterator for ColumnWalk {
    /// The step to the next column.
    type Item = Direction;

    fn next(&mut self) -> Option<Direction> {
        let (from, along, (x, y)) = (self.from, self.along, self.at);
        if self.at == self.end {
            return None;
        }
        let is_first_x = || crossing(from.x, along.x, x) <= crossing(from.y, along.y, y);
        let is_east_west = x != self.end.0 && (y == self.end.1 || is_first_x());
        let (direction, at) = match is_east_west {
            true if along.x > 0.0 => (Direction::East, (x + 1, y)),
            true => (Direction::West, (x - 1, y)),
            false if along.y > 0.0 => (Direction::South, (x, y + 1)),
            false => (Direction::North, (x, y - 1)),
        };
        self.at = at;
        Some(direction)
    }
}

/// The share of the line at which it leaves a column.
fn crossing(from: f64, along: f64, column: i32) -> f64 {
    if along > 0.0 {
        (f64::from(column) + 1.0 - from) / along
    } else if along < 0.0 {
        (f64::from(column) - from) / along
    } else {
        f64::INFINITY
    }
}

/// The floor of a neighboring column, straight or diagonal, that is joined to a cell.
pub(crate) fn cell_beside(nav_graph: NavGraph<'_>, cell: Cell, (x, y): (i32, i32)) -> Option<Cell> {
    if (x, y) == (cell.x, cell.y) {
        return Some(cell);
    }
    let node = nav_graph.floor_at(cell.column(), cell.z)?;
    let east_west = match x - cell.x {
        0 => None,
        1 => Some(Direction::East),
        -1 => Some(Direction::West),
        _ => return None,
    };
    let north_south = match y - cell.y {
        0 => None,
        1 => Some(Direction::South),
        -1 => Some(Direction::North),
        _ => return None,
    };
    let follow = |directions: [Option<Direction>; 2]| {
        let mut directions = directions.into_iter().flatten();
        directions.try_fold(node, |at: NodeId, direction| {
            nav_graph.joined_floor(at, direction)
        })
    };
    let found = follow([east_west, north_south]).or_else(|| follow([north_south, east_west]))?;
    Some(nav_graph.cell(found))
}

/// True if an agent can walk from a cell to a neighboring one and back. False for drops, and for
/// cells that are not neighbors.
pub fn is_joined(nav_graph: NavGraph<'_>, from: Cell, to: Cell) -> bool {
    cell_beside(nav_graph, from, (to.x, to.y)) == Some(to)
}

#[cfg(test)]
mod tests {
    use wayfarer_world::ground::Ground;

    use super::*;

    #[test]
    fn lines_cross_floors_and_stop_at_walls() {
        let map = "......\n..#...\n......\n";
        let ground = Ground::from_raster(&wayfarer_testkit::ascii::raster(map));
        let nav_graph = NavGraph::new(&ground, None).unwrap();
        let check = |from: (f64, f64), to: (f64, f64), expected: bool| {
            let (a, b) = (Vec2::new(from.0, from.1), Vec2::new(to.0, to.1));
            for (a, b) in [(a, b), (b, a)] {
                let cell = Cell::flat(floor(a.x), floor(a.y));
                assert_eq!(is_straight(nav_graph, cell, a, b), expected, "{a:?} {b:?}");
            }
        };
        check((0.5, 0.5), (5.5, 0.5), true);
        check((0.5, 1.5), (5.5, 1.5), false);
        check((0.5, 0.2), (5.5, 0.9), true);
        check((1.5, 0.5), (3.5, 2.6), false);
        check((0.1, 0.1), (0.9, 2.9), true);
        check((0.5, 0.5), (0.5, 9.5), false);
    }
}
