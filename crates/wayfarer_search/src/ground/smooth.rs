//! Paths for those who walk freely: straight lines from waypoint to waypoint.

use wayfarer_base::{Cell, Column, Direction, Point2};
use wayfarer_world::ground::{Ground, NodeId};

use super::{GroundPath, LegBy};
use crate::sight::{Meets, is_clear};

/// True if one can walk in a straight line from the middle of one cell to the middle of another,
/// at one price all the way.
///
/// The line goes from square to square: over an edge by a straight step, through a corner by a
/// diagonal one, which needs both squares beside it (see [`Meets::Touches`]).
/// Every step must be legal there and back, so the answer is the same from either end.
pub fn walks_straight(ground: &Ground, from: Cell, to: Cell) -> bool {
    let (Some(start), Some(end)) = (ground.node(from), ground.node(to)) else {
        return false;
    };
    let price = ground.price(start);
    let (n_x, n_y) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let (n_x, n_y) = (u64::from(n_x), u64::from(n_y));
    let (sign_x, sign_y) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let (mut at_x, mut at_y) = (0, 0);
    let mut node = start;
    while (at_x, at_y) != (n_x, n_y) {
        // When the next edge is crossed along x and along y, in the same parts of the line.
        let (next_x, next_y) = ((2 * at_x + 1) * n_y, (2 * at_y + 1) * n_x);
        let along_x = at_x < n_x && (next_x <= next_y || at_y == n_y);
        let along_y = at_y < n_y && (next_y <= next_x || at_x == n_x);
        let step = (i32::from(along_x) * sign_x, i32::from(along_y) * sign_y);
        let Some(next) = step_there_and_back(ground, node, step) else {
            return false;
        };
        if ground.price(next) != price {
            return false;
        }
        node = next;
        at_x += u64::from(along_x);
        at_y += u64::from(along_y);
    }
    node == end
}

/// True if the straight line between the middles of the columns of two cells enters no column
/// without a floor: what has no floor is a wall to the eye, and heights do not count. The same
/// from either end; see [`Meets::Enters`].
pub fn sees(ground: &Ground, from: Cell, to: Cell) -> bool {
    let middles = (
        Point2::centre_of(from.column()),
        Point2::centre_of(to.column()),
    );
    let (Some(from), Some(to)) = middles else {
        return false;
    };
    let is_open = |column: Column| ground.floors(column).next().is_some();
    is_clear(from, to, Meets::Enters, is_open)
}

fn step_there_and_back(ground: &Ground, node: NodeId, step: (i32, i32)) -> Option<NodeId> {
    let mut all = Direction::ALL.into_iter();
    let direction = all.find(|direction| direction.offset() == step)?;
    let next = ground.walk(node, direction)?;
    (ground.walk(next, direction.opposite()) == Some(node)).then_some(next)
}

/// The waypoints of a path for one who walks freely: from each to the next leads a straight line
/// that can be walked at one price, a straight run of the path itself, or a passage.
///
/// A string pulled along the path: of the places where it turns, each waypoint is followed by the
/// last that can be walked to straight. The ends of passages stay. The way along them is never
/// longer than the path. Takes at most 64 lines for each turn.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::{PathRequest, PathSearcher, waypoints};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 4, vec![0; 36]).unwrap());
/// let (from, to) = (Cell::flat(0, 0), Cell::flat(8, 3));
/// let path = PathSearcher::default().find(&ground, &PathRequest::new(from, to))?;
/// assert_eq!(waypoints(&ground, &path.found().unwrap()), vec![from, to]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn waypoints(ground: &Ground, path: &GroundPath) -> Vec<Cell> {
    let mut waypoints: Vec<Cell> = path.start().into_iter().collect();
    let mut turns: Vec<Cell> = Vec::new();
    let mut begin = 0;
    let mut walk = |begin: usize, end: usize, waypoints: &mut Vec<Cell>| {
        if let Some(cells) = path.cells.get(begin..=end) {
            turns_of(ground, cells, &mut turns);
            pull(ground, &turns, waypoints);
        }
    };
    for leg in &path.legs {
        if matches!(leg.by, LegBy::Passage(_)) {
            walk(begin, leg.begin as usize, &mut waypoints);
            begin = leg.end as usize;
            waypoints.extend(path.cells.get(begin));
        }
    }
    walk(begin, path.cells.len().saturating_sub(1), &mut waypoints);
    waypoints
}

/// How far one walks along waypoints, in cells; heights do not count.
pub fn length_of(waypoints: &[Cell]) -> f64 {
    let lengths = waypoints.windows(2).map(|pair| {
        let dx = f64::from(pair[1].x) - f64::from(pair[0].x);
        let dy = f64::from(pair[1].y) - f64::from(pair[0].y);
        (dx * dx + dy * dy).sqrt()
    });
    lengths.sum()
}

/// Most turns that are looked ahead from a waypoint.
const AHEAD: usize = 64;

/// Writes the cells of a walk where it turns or its price changes, and both its ends.
fn turns_of(ground: &Ground, cells: &[Cell], turns: &mut Vec<Cell>) {
    turns.clear();
    turns.extend(cells.first());
    let price = |cell: &Cell| ground.node(*cell).map(|node| ground.price(node));
    for three in cells.windows(3) {
        let step = |a: &Cell, b: &Cell| (b.x - a.x, b.y - a.y);
        let is_straight = step(&three[0], &three[1]) == step(&three[1], &three[2]);
        if !is_straight
            || price(&three[0]) != price(&three[1])
            || price(&three[1]) != price(&three[2])
        {
            turns.push(three[1]);
        }
    }
    turns.extend(cells.last().filter(|_| cells.len() > 1));
}

/// Adds the waypoints after the first of `turns`.
fn pull(ground: &Ground, turns: &[Cell], waypoints: &mut Vec<Cell>) {
    let mut at = 0;
    while at + 1 < turns.len() {
        let farthest = turns.len().min(at + 1 + AHEAD) - 1;
        let ahead = (at + 2..=farthest).rev();
        let mut ahead = ahead.filter(|next| walks_straight(ground, turns[at], turns[*next]));
        at = ahead.next().unwrap_or(at + 1);
        waypoints.push(turns[at]);
    }
}

#[cfg(test)]
mod tests;
