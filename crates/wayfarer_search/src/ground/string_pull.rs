//! String pulling: the straight walkable lines of a grid path.
//!
//! Walks the cells of each line exactly, in integers; a body wider than a cell is swept along it.

use wayfarer_base::{Cell, Column, Direction, Point2, Rect, Wall, WallSide};
use wayfarer_world::ground::{Ground, NodeId};

use super::nav_graph::{NavGraph, inflated};
use super::overlay::Overlay;
use super::{GroundPath, GroundRequest, LegKind};
use crate::sight::{LineCoverage, is_clear};

/// True if the agent can walk straight from the center of one cell to the center of another, at one
/// cost multiplier.
///
/// The line crosses an edge by a straight step and a corner by a diagonal one, which needs both
/// corner cells (see [`LineCoverage::Closed`]). Every step must be possible in both directions, so
/// the result is symmetric. The swept disc of a body wider than a cell must overlap only columns
/// that are open to it, and no thin wall.
pub fn is_straight_walkable<'g>(nav_graph: impl Into<NavGraph<'g>>, from: Cell, to: Cell) -> bool {
    is_line_walkable(nav_graph.into(), &Overlay::default(), from, to)
}

/// [`is_straight_walkable`] under the overlay of a request.
fn is_line_walkable(nav_graph: NavGraph<'_>, overlay: &Overlay, from: Cell, to: Cell) -> bool {
    let (Some(start), Some(end)) = (nav_graph.node(from), nav_graph.node(to)) else {
        return false;
    };
    let multiplier = overlay.cost_multiplier(nav_graph, start, from);
    let (n_x, n_y) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let (n_x, n_y) = (u64::from(n_x), u64::from(n_y));
    let (sign_x, sign_y) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    let (mut at_x, mut at_y) = (0, 0);
    let mut node = start;
    let disc = SweptDisc::new(nav_graph, from, to);
    while (at_x, at_y) != (n_x, n_y) {
        // Where the line crosses the next edge along x and along y, at a common scale.
        let (next_x, next_y) = ((2 * at_x + 1) * n_y, (2 * at_y + 1) * n_x);
        let along_x = at_x < n_x && (next_x <= next_y || at_y == n_y);
        let along_y = at_y < n_y && (next_y <= next_x || at_x == n_x);
        let step = (i32::from(along_x) * sign_x, i32::from(along_y) * sign_y);
        let Some(next) = reversible_step(nav_graph, node, step) else {
            return false;
        };
        if overlay.multiplier_inside(nav_graph, next) != Some(multiplier) {
            return false;
        }
        let fits = |disc: &SweptDisc<'_>| disc.fits(node) && disc.fits(next);
        if !disc.as_ref().is_none_or(fits) {
            return false;
        }
        node = next;
        at_x += u64::from(along_x);
        at_y += u64::from(along_y);
    }
    node == end
}

/// True if the line between the centers of two columns enters no column without a floor but that of
/// `of`: missing floors are opaque, but a pillar itself is visible; heights do not count.
/// Symmetric; see [`LineCoverage::Interior`].
pub(super) fn has_line_of_sight(ground: &Ground, from: Cell, of: Cell) -> bool {
    let (here, there) = (from.column(), of.column());
    let (Some(from), Some(to)) = (Point2::center_of(here), Point2::center_of(there)) else {
        return false;
    };
    let is_open = |column: Column| column == there || ground.floors(column).next().is_some();
    is_clear(from, to, LineCoverage::Interior, is_open)
}

/// The disc of a body wider than a cell, swept along the line between two cell centers.
struct SweptDisc<'g> {
    nav_graph: NavGraph<'g>,
    /// Both centers and the radius, in 1/256 of a cell.
    from: (i64, i64),
    to: (i64, i64),
    radius: i64,
}

impl<'g> SweptDisc<'g> {
    /// `None` for a body no wider than a cell.
    fn new(nav_graph: NavGraph<'g>, from: Cell, to: Cell) -> Option<Self> {
        let center = |at: i32| i64::from(at) * 256 + 128;
        let center = |cell: Cell| (center(cell.x), center(cell.y));
        (nav_graph.clearance_columns() > 0).then(|| Self {
            nav_graph,
            from: center(from),
            to: center(to),
            radius: i64::from(nav_graph.profile().radius.raw()),
        })
    }

    /// True if every column near `node` that the swept disc overlaps is open to it from the height
    /// of `node`.
    fn fits(&self, node: NodeId) -> bool {
        let cell = self.nav_graph.cell(node);
        let here = Rect::around(cell.column(), cell.column());
        let margin = self.nav_graph.clearance_columns() + 1;
        let mut near = inflated(here, margin).columns();
        near.all(|column| {
            !self.overlaps(column, (256, 256)) || {
                let floor = self.nav_graph.floor_at(column, cell.z);
                floor.is_some_and(|floor| !self.hits_wall(self.nav_graph.cell(floor)))
            }
        })
    }

    /// True if the swept disc overlaps a thin wall of a floor.
    fn hits_wall(&self, cell: Cell) -> bool {
        let has_wall = |side: WallSide| self.nav_graph.ground().has_wall(Wall { cell, side });
        let (x, y) = (cell.x, cell.y);
        has_wall(WallSide::East) && self.overlaps(Column::new(x + 1, y), (0, 256))
            || has_wall(WallSide::South) && self.overlaps(Column::new(x, y + 1), (256, 0))
    }

    /// True if a box of this size at the corner of `column`, its square or an edge of it, lies
    /// nearer to the line than the radius.
    fn overlaps(&self, column: Column, (wide, high): (i64, i64)) -> bool {
        let (low_x, low_y) = (i64::from(column.x) * 256, i64::from(column.y) * 256);
        let square = |at: i64| i128::from(at) * i128::from(at);
        let radius = square(self.radius);
        let end_overlaps = |(x, y): (i64, i64)| {
            let dx = x - x.clamp(low_x, low_x + wide);
            let dy = y - y.clamp(low_y, low_y + high);
            square(dx) + square(dy) < radius
        };
        let line = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = square(line.0) + square(line.1);
        let (mut is_left, mut is_right, mut is_near) = (false, false, false);
        for (x, y) in [(0, 0), (wide, 0), (0, high), (wide, high)] {
            let (px, py) = (low_x + x - self.from.0, low_y + y - self.from.1);
            let dot = i128::from(px) * i128::from(line.0) + i128::from(py) * i128::from(line.1);
            let cross = i128::from(px) * i128::from(line.1) - i128::from(py) * i128::from(line.0);
            if (0..=length).contains(&dot) {
                is_left |= cross <= 0;
                is_right |= cross >= 0;
                is_near |= cross * cross < radius * length;
            }
        }
        // A line through the square has corners on both sides.
        is_near || (is_left && is_right) || end_overlaps(self.from) || end_overlaps(self.to)
    }
}

/// The neighbor at offset `step`, if the agent can also step back.
fn reversible_step(nav_graph: NavGraph<'_>, node: NodeId, step: (i32, i32)) -> Option<NodeId> {
    let direction = Direction::from_offset(step)?;
    let next = nav_graph.neighbor(node, direction)?;
    (nav_graph.neighbor(next, direction.opposite()) == Some(node)).then_some(next)
}

/// The waypoints of a string-pulled path: each pair is joined by a walkable line at one cost
/// multiplier, by a straight run of the path itself, or by a nav link.
///
/// From each waypoint the path continues to the farthest of its next 64 corners that is straight
/// walkable; the ends of nav links stay. The result is never longer than the path. A path of a
/// request with areas to avoid or area costs keeps all its corners, since it does not carry them;
/// see [`waypoints_for`].
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
    let lookahead = if path.has_request_costs { 0 } else { LOOKAHEAD };
    pull_string(ground, &Overlay::default(), path, lookahead)
}

/// [`waypoints`] for a path of this request: lines enter no area to avoid, and its area costs count
/// as cost multipliers.
pub fn waypoints_for(ground: &Ground, request: &GroundRequest, path: &GroundPath) -> Vec<Cell> {
    let mut overlay = Overlay::default();
    overlay.set(request);
    pull_string(ground, &overlay, path, LOOKAHEAD)
}

/// The waypoints of a path, with at most `lookahead` corners ahead of each.
fn pull_string(
    ground: &Ground,
    overlay: &Overlay,
    path: &GroundPath,
    lookahead: usize,
) -> Vec<Cell> {
    let mut waypoints: Vec<Cell> = path.start().into_iter().collect();
    let mut corners: Vec<Cell> = Vec::new();
    let Ok(nav_graph) = NavGraph::new(ground, path.profile_id) else {
        return path.cells.clone();
    };
    let context = PullContext {
        nav_graph,
        overlay,
        lookahead,
    };
    let mut begin = 0;
    let mut pull_part = |begin: usize, end: usize, waypoints: &mut Vec<Cell>| {
        if let Some(cells) = path.cells.get(begin..=end) {
            write_corners(&context, cells, &mut corners);
            pull(&context, &corners, waypoints);
        }
    };
    for leg in &path.legs {
        if matches!(leg.kind, LegKind::NavLink(_)) {
            pull_part(begin, leg.begin as usize, &mut waypoints);
            begin = leg.end as usize;
            waypoints.extend(path.cells.get(begin));
        }
    }
    pull_part(begin, path.cells.len().saturating_sub(1), &mut waypoints);
    waypoints
}

/// The length of a polyline on the map, in cells; heights do not count.
pub fn polyline_length(waypoints: &[Cell]) -> f64 {
    let lengths = waypoints.windows(2).map(|pair| {
        let dx = f64::from(pair[1].x) - f64::from(pair[0].x);
        let dy = f64::from(pair[1].y) - f64::from(pair[0].y);
        (dx * dx + dy * dy).sqrt()
    });
    // Not `sum`: the sum of no lengths is -0.
    lengths.fold(0.0, |sum, length| sum + length)
}

/// The ground under a string.
struct PullContext<'a> {
    nav_graph: NavGraph<'a>,
    overlay: &'a Overlay,
    lookahead: usize,
}

impl PullContext<'_> {
    fn is_walkable(&self, from: Cell, to: Cell) -> bool {
        is_line_walkable(self.nav_graph, self.overlay, from, to)
    }
}

/// Most corners considered ahead of a waypoint.
const LOOKAHEAD: usize = 64;

/// Writes the cells where a part of a path turns or its cost multiplier changes, and both its ends.
fn write_corners(context: &PullContext<'_>, cells: &[Cell], corners: &mut Vec<Cell>) {
    corners.clear();
    corners.extend(cells.first());
    let PullContext {
        nav_graph, overlay, ..
    } = context;
    let multiplier = |cell: &Cell| {
        let node = nav_graph.node(*cell);
        node.map(|node| overlay.cost_multiplier(*nav_graph, node, *cell))
    };
    for three in cells.windows(3) {
        let step = |a: &Cell, b: &Cell| (b.x - a.x, b.y - a.y);
        let is_straight = step(&three[0], &three[1]) == step(&three[1], &three[2]);
        if !is_straight
            || multiplier(&three[0]) != multiplier(&three[1])
            || multiplier(&three[1]) != multiplier(&three[2])
        {
            corners.push(three[1]);
        }
    }
    corners.extend(cells.last().filter(|_| cells.len() > 1));
}

/// Adds the waypoints after the first of `corners`.
fn pull(context: &PullContext<'_>, corners: &[Cell], waypoints: &mut Vec<Cell>) {
    let mut at = 0;
    while at + 1 < corners.len() {
        let farthest = corners.len().min(at + 1 + context.lookahead) - 1;
        let ahead = (at + 2..=farthest).rev();
        let mut ahead = ahead.filter(|next| context.is_walkable(corners[at], corners[*next]));
        at = ahead.next().unwrap_or(at + 1);
        waypoints.push(corners[at]);
    }
}

#[cfg(test)]
mod tests;
