//! Paths for those who walk freely: straight lines from waypoint to waypoint.

use wayfarer_base::{Cell, Column, Direction, Point2, Rect};
use wayfarer_world::ground::{Ground, NodeId};

use super::nav_graph::{NavGraph, grown};
use super::overlay::Overlay;
use super::{GroundPath, GroundRequest, LegKind};
use crate::sight::{LineCoverage, is_clear};

/// True if one can walk in a straight line from the middle of one cell to the middle of another,
/// at one cost multiplier all the way.
///
/// The line goes from square to square: over an edge by a straight step, through a corner by a
/// diagonal one, which needs both squares beside it (see [`LineCoverage::Touches`]).
/// Every step must be legal there and back, so the answer is the same from either end.
/// A body wider than a cell must also touch no square on the way that is not open to it: the
/// whole of it is swept along the line.
pub fn is_straight_walkable<'g>(nav_graph: impl Into<NavGraph<'g>>, from: Cell, to: Cell) -> bool {
    walks_straight_over(nav_graph.into(), &Overlay::default(), from, to)
}

/// As [`is_straight_walkable`], where a request has cells to avoid and cost multipliers of its own.
fn walks_straight_over(nav_graph: NavGraph<'_>, overlay: &Overlay, from: Cell, to: Cell) -> bool {
    let (Some(start), Some(end)) = (nav_graph.node(from), nav_graph.node(to)) else {
        return false;
    };
    let multiplier = overlay.cost_multiplier(nav_graph, start, from);
    let (n_x, n_y) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let (n_x, n_y) = (u64::from(n_x), u64::from(n_y));
    let (sign_x, sign_y) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let (mut at_x, mut at_y) = (0, 0);
    let mut node = start;
    let body = Body::new(nav_graph, from, to);
    while (at_x, at_y) != (n_x, n_y) {
        // When the next edge is crossed along x and along y, in the same parts of the line.
        let (next_x, next_y) = ((2 * at_x + 1) * n_y, (2 * at_y + 1) * n_x);
        let along_x = at_x < n_x && (next_x <= next_y || at_y == n_y);
        let along_y = at_y < n_y && (next_y <= next_x || at_x == n_x);
        let step = (i32::from(along_x) * sign_x, i32::from(along_y) * sign_y);
        let Some(next) = step_there_and_back(nav_graph, node, step) else {
            return false;
        };
        let cell = nav_graph.cell(next);
        if overlay.avoids(cell) || overlay.cost_multiplier(nav_graph, next, cell) != multiplier {
            return false;
        }
        let fits = |body: &Body<'_>| body.fits(node) && body.fits(next);
        if !body.as_ref().is_none_or(fits) {
            return false;
        }
        node = next;
        at_x += u64::from(along_x);
        at_y += u64::from(along_y);
    }
    node == end
}

/// True if the straight line between the middles of the columns of two cells enters no column
/// without a floor but that of `new`: what has no floor is a wall to the eye, but a pillar can be
/// looked at, and heights do not count. The same from either end; see [`LineCoverage::Interior`].
pub(super) fn has_in_sight(ground: &Ground, from: Cell, of: Cell) -> bool {
    let (here, there) = (from.column(), of.column());
    let (Some(from), Some(to)) = (Point2::center_of(here), Point2::center_of(there)) else {
        return false;
    };
    let is_open = |column: Column| column == there || ground.floors(column).next().is_some();
    is_clear(from, to, LineCoverage::Interior, is_open)
}

/// A body wider than a cell on a straight line between the middles of two cells.
struct Body<'g> {
    nav_graph: NavGraph<'g>,
    /// Middles of both cells and the radius, in 1/256 of a cell.
    from: (i64, i64),
    to: (i64, i64),
    radius: i64,
}

impl<'g> Body<'g> {
    /// `None` for a body no wider than a cell.
    fn new(nav_graph: NavGraph<'g>, from: Cell, to: Cell) -> Option<Self> {
        let center = |at: i32| i64::from(at) * 256 + 128;
        let place = |cell: Cell| (center(cell.x), center(cell.y));
        (nav_graph.reach() > 0).then(|| Self {
            nav_graph,
            from: place(from),
            to: place(to),
            radius: i64::from(nav_graph.profile().radius.raw()),
        })
    }

    /// True if every square near `node` that the body touches anywhere on the line is open to it
    /// from the height of `node`.
    fn fits(&self, node: NodeId) -> bool {
        let cell = self.nav_graph.cell(node);
        let here = Rect::around(cell.column(), cell.column());
        let mut near = grown(here, self.nav_graph.reach() + 1).columns();
        near.all(|column| {
            !self.touches(column) || self.nav_graph.floor_over(column, cell.z).is_some()
        })
    }

    /// True if the square of `column` lies nearer to the line than the radius.
    fn touches(&self, column: Column) -> bool {
        let (low_x, low_y) = (i64::from(column.x) * 256, i64::from(column.y) * 256);
        let square = |at: i64| i128::from(at) * i128::from(at);
        let radius = square(self.radius);
        let end_touches = |(x, y): (i64, i64)| {
            let dx = x - x.clamp(low_x, low_x + 256);
            let dy = y - y.clamp(low_y, low_y + 256);
            square(dx) + square(dy) < radius
        };
        let line = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = square(line.0) + square(line.1);
        let (mut is_left, mut is_right, mut is_near) = (false, false, false);
        for (x, y) in [(0, 0), (256, 0), (0, 256), (256, 256)] {
            let (px, py) = (low_x + x - self.from.0, low_y + y - self.from.1);
            let along = i128::from(px) * i128::from(line.0) + i128::from(py) * i128::from(line.1);
            let beside = i128::from(px) * i128::from(line.1) - i128::from(py) * i128::from(line.0);
            if (0..=length).contains(&along) {
                is_left |= beside <= 0;
                is_right |= beside >= 0;
                is_near |= beside * beside < radius * length;
            }
        }
        // A line through the square has corners on both sides.
        is_near || (is_left && is_right) || end_touches(self.from) || end_touches(self.to)
    }
}

fn step_there_and_back(nav_graph: NavGraph<'_>, node: NodeId, step: (i32, i32)) -> Option<NodeId> {
    let mut all = Direction::ALL.into_iter();
    let direction = all.find(|direction| direction.offset() == step)?;
    let next = nav_graph.walk(node, direction)?;
    (nav_graph.walk(next, direction.opposite()) == Some(node)).then_some(next)
}

/// The waypoints of a path for one who walks freely: from each to the next leads a straight line
/// that can be walked at one cost multiplier, a straight run of the path itself, or a nav link.
///
/// A string pulled along the path: of the places where it turns, each waypoint is followed by the
/// last that can be walked to straight. The ends of nav links stay. The way along them is never
/// longer than the path. Takes at most 64 lines for each turn. A path of a request with areas to
/// avoid or cost multipliers of its own keeps all its turns: what these are is not part of it; ask for
/// [`waypoints_for`] the request then.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::{GroundRequest, PathSearcher, waypoints};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 4, vec![0; 36]).unwrap());
/// let (from, to) = (Cell::flat(0, 0), Cell::flat(8, 3));
/// let path = PathSearcher::default().find(&ground, &GroundRequest::new(from, to))?;
/// assert_eq!(waypoints(&ground, &path.found().unwrap()), vec![from, to]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A path whose profile is no longer registered keeps all its cells.
pub fn waypoints(ground: &Ground, path: &GroundPath) -> Vec<Cell> {
    let reach = if path.has_request_costs { 0 } else { AHEAD };
    pulled(ground, &Overlay::default(), path, reach)
}

/// As [`waypoints`], for a path of this request: lines enter no area to be avoided, and cost multipliers of
/// the request count.
pub fn waypoints_for(ground: &Ground, request: &GroundRequest, path: &GroundPath) -> Vec<Cell> {
    let mut overlay = Overlay::default();
    overlay.set(request);
    pulled(ground, &overlay, path, AHEAD)
}

/// The waypoints of a path, looking at most `ahead` turns ahead.
fn pulled(ground: &Ground, overlay: &Overlay, path: &GroundPath, ahead: usize) -> Vec<Cell> {
    let mut waypoints: Vec<Cell> = path.start().into_iter().collect();
    let mut turns: Vec<Cell> = Vec::new();
    let Ok(nav_graph) = NavGraph::new(ground, path.profile_id) else {
        return path.cells.clone();
    };
    let over = Over {
        nav_graph,
        overlay,
        ahead,
    };
    let mut begin = 0;
    let mut walk = |begin: usize, end: usize, waypoints: &mut Vec<Cell>| {
        if let Some(cells) = path.cells.get(begin..=end) {
            turns_of(&over, cells, &mut turns);
            pull(&over, &turns, waypoints);
        }
    };
    for leg in &path.legs {
        if matches!(leg.kind, LegKind::NavLink(_)) {
            walk(begin, leg.begin as usize, &mut waypoints);
            begin = leg.end as usize;
            waypoints.extend(path.cells.get(begin));
        }
    }
    walk(begin, path.cells.len().saturating_sub(1), &mut waypoints);
    waypoints
}

/// How far one walks along waypoints, in cells; heights do not count.
pub fn polyline_length(waypoints: &[Cell]) -> f64 {
    let lengths = waypoints.windows(2).map(|pair| {
        let dx = f64::from(pair[1].x) - f64::from(pair[0].x);
        let dy = f64::from(pair[1].y) - f64::from(pair[0].y);
        (dx * dx + dy * dy).sqrt()
    });
    // Not `sum`: that of nothing is -0.
    lengths.fold(0.0, |sum, length| sum + length)
}

/// What a string is pulled over.
struct Over<'a> {
    nav_graph: NavGraph<'a>,
    overlay: &'a Overlay,
    ahead: usize,
}

impl Over<'_> {
    fn walks(&self, from: Cell, to: Cell) -> bool {
        walks_straight_over(self.nav_graph, self.overlay, from, to)
    }
}

/// Most turns that are looked ahead from a waypoint.
const AHEAD: usize = 64;

/// Writes the cells of a walk where it turns or its cost multiplier changes, and both its ends.
fn turns_of(over: &Over<'_>, cells: &[Cell], turns: &mut Vec<Cell>) {
    turns.clear();
    turns.extend(cells.first());
    let Over {
        nav_graph: footing,
        overlay,
        ..
    } = over;
    let multiplier = |cell: &Cell| {
        let node = footing.node(*cell);
        node.map(|node| overlay.cost_multiplier(*footing, node, *cell))
    };
    for three in cells.windows(3) {
        let step = |a: &Cell, b: &Cell| (b.x - a.x, b.y - a.y);
        let is_straight = step(&three[0], &three[1]) == step(&three[1], &three[2]);
        if !is_straight
            || multiplier(&three[0]) != multiplier(&three[1])
            || multiplier(&three[1]) != multiplier(&three[2])
        {
            turns.push(three[1]);
        }
    }
    turns.extend(cells.last().filter(|_| cells.len() > 1));
}

/// Adds the waypoints after the first of `turns`.
fn pull(over: &Over<'_>, turns: &[Cell], waypoints: &mut Vec<Cell>) {
    let mut at = 0;
    while at + 1 < turns.len() {
        let farthest = turns.len().min(at + 1 + over.ahead) - 1;
        let ahead = (at + 2..=farthest).rev();
        let mut ahead = ahead.filter(|next| over.walks(turns[at], turns[*next]));
        at = ahead.next().unwrap_or(at + 1);
        waypoints.push(turns[at]);
    }
}

#[cfg(test)]
mod tests;
