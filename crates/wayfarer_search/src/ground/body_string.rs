//! String pulling for a body: the polyline of a ground path from a point to a point that the
//! agent's disc follows without touching anything that blocks it.
//!
//! A segment is clear if every column that the swept open disc overlaps has a floor for the body,
//! and all those floors are joined to their neighbors by straight steps in both directions, so that
//! no thin wall, ledge or gap lies under the disc. Exact integers in 1/256 of a cell. Unlike
//! [`waypoints`](super::waypoints), which joins cell centers for an agent no wider than a cell, it
//! holds for the true radius, which clips a corner as soon as a line passes nearer than it.
//! Linear in the columns under the disc, over uniform ground in its rows; `O(corners · columns)` for a path.

use wayfarer_base::{Cell, Column, CostMultiplier, Direction, Fixed, Point2};
use wayfarer_world::ground::NodeId;

use super::nav_graph::NavGraph;
use super::{GroundPath, LegKind};

mod bit_rows;
mod swept_body;

use swept_body::SweptBody;

/// A vertex of the polyline that a body follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyWaypoint {
    /// Where it is.
    pub at: Point2,
    /// The height of the floor, in steps.
    pub z: i32,
    /// True if the step to the next waypoint is a nav link.
    pub begins_nav_link: bool,
}

/// Corners tried beyond the farthest visible one before the string turns.
const LOOKAHEAD: usize = 6;

/// The polyline of a path from point `from` in its first cell to point `to` in its last.
///
/// Each segment is clear for the body and at one cost multiplier, or is a step between centers of
/// consecutive cells, or a nav link; the ends of nav links stay. A point outside its cell is
/// replaced by the cell's center. With `is_pulled` false every cell is a waypoint. A path whose
/// profile is no longer registered yields its cells.
pub fn body_waypoints(
    nav_graph: NavGraph<'_>,
    path: &GroundPath,
    (from, to): (Point2, Point2),
    is_pulled: bool,
) -> Vec<BodyWaypoint> {
    let mut waypoints = Vec::new();
    let mut begin = 0;
    for leg in &path.legs {
        if let LegKind::NavLink(_) = leg.kind {
            let part = path.cells.get(begin..=leg.begin as usize);
            write_part(
                nav_graph,
                part.unwrap_or_default(),
                is_pulled,
                &mut waypoints,
            );
            if let Some(last) = waypoints.last_mut() {
                last.begins_nav_link = true;
            }
            begin = leg.end as usize;
        }
    }
    let part = path.cells.get(begin..).unwrap_or_default();
    write_part(nav_graph, part, is_pulled, &mut waypoints);
    move_ends(nav_graph, path, (from, to), &mut waypoints);
    waypoints
}

/// True if the agent's disc can move straight between two points with the heights of their floors, over
/// floors joined to the one nearest in height at the first point, at one cost multiplier. The line must
/// end on the floor of the second point, not on one above or below it.
pub fn is_clear_for_body(nav_graph: NavGraph<'_>, from: (Point2, i32), to: (Point2, i32)) -> bool {
    is_clear_for_disc(nav_graph, nav_graph.profile().radius, from, to)
}

/// [`is_clear_for_body`] for a disc of another radius, at least 1/256 of a cell.
pub fn is_clear_for_disc(
    nav_graph: NavGraph<'_>,
    radius: Fixed,
    (from, z): (Point2, i32),
    (to, to_z): (Point2, i32),
) -> bool {
    let Some(start) = nav_graph.floor_at(from.column(), z) else {
        return false;
    };
    let body = SweptBody::new(from, to, radius);
    let (column, to) = (from.column(), to.column().at(to_z));
    let is_clear = bit_rows::is_clear(nav_graph, &body, (start, column), to);
    is_clear.unwrap_or_else(|| {
        !bit_rows::is_surely_blocked(nav_graph, &body, (start, column))
            && is_clear_by_floors(nav_graph, body, (start, column), to)
    })
}

/// [`is_clear_for_disc`] over any ground, floor by floor, from the floor `start` in `column` to cell `to`.
fn is_clear_by_floors(
    nav_graph: NavGraph<'_>,
    body: SweptBody,
    (start, column): (NodeId, Column),
    to: Cell,
) -> bool {
    let sweep = Sweep {
        nav_graph,
        multiplier: nav_graph.cost_multiplier(start),
        body,
        to,
    };
    let columns = sweep.body.columns_in(column.y);
    let first = columns.and_then(|columns| sweep.row(column.y, columns, (column.x, start)));
    let Some(first) = first else {
        return false;
    };
    let rows = sweep.body.rows();
    let (up, down) = ((*rows.start()..column.y).rev(), column.y + 1..=*rows.end());
    sweep.follow(first.clone(), up, Direction::North) && sweep.follow(first, down, Direction::South)
}

/// The floors of consecutive columns of a row, from the first x on.
#[derive(Clone)]
struct Row {
    x: i32,
    nodes: Vec<NodeId>,
}

/// One test of a segment.
struct Sweep<'g> {
    nav_graph: NavGraph<'g>,
    multiplier: CostMultiplier,
    body: SweptBody,
    /// The cell at its end.
    to: Cell,
}

impl Sweep<'_> {
    /// Follows the swept disc row by row; false if something blocks it.
    fn follow(&self, mut row: Row, rows: impl Iterator<Item = i32>, direction: Direction) -> bool {
        for y in rows {
            let Some((first, last)) = self.body.columns_in(y) else {
                return true; // The disc is convex: no row beyond overlaps it either.
            };
            let end = row.x + i32::try_from(row.nodes.len()).unwrap_or(0);
            // Adjacent rows of a convex shape share a column.
            let pivot = first.max(row.x);
            if pivot > last.min(end - 1) {
                return false;
            }
            let node_at = |row: &Row, x: i32| {
                let index = usize::try_from(x - row.x).ok()?;
                row.nodes.get(index).copied()
            };
            let joined_at = |x: i32| self.nav_graph.joined_floor(node_at(&row, x)?, direction);
            let Some(next) =
                joined_at(pivot).and_then(|node| self.row(y, (first, last), (pivot, node)))
            else {
                return false;
            };
            let shared = first.max(row.x)..=last.min(end - 1);
            if !shared
                .into_iter()
                .all(|x| joined_at(x) == node_at(&next, x))
            {
                return false;
            }
            row = next;
        }
        true
    }

    /// False for a row with the end of the segment whose floor there is another than that of the end.
    fn ends_on_its_floor(&self, y: i32, row: &Row) -> bool {
        let index = usize::try_from(self.to.x - row.x);
        let node = index.ok().and_then(|index| row.nodes.get(index));
        let is_end = |node: &NodeId| self.nav_graph.cell(*node) == self.to;
        y != self.to.y || node.is_none_or(is_end)
    }

    /// The floors of a row under the disc, from column `first` to `last`, found from one of them.
    fn row(&self, y: i32, (first, last): (i32, i32), (pivot, node): (i32, NodeId)) -> Option<Row> {
        let mut nodes = vec![node];
        let mut west = node;
        for _ in first..pivot {
            west = self.nav_graph.joined_floor(west, Direction::West)?;
            nodes.push(west);
        }
        nodes.reverse();
        let mut east = node;
        for _ in pivot..last {
            east = self.nav_graph.joined_floor(east, Direction::East)?;
            nodes.push(east);
        }
        let mut columns = (first.min(pivot)..).zip(&nodes);
        let is_one_cost = columns.all(|(x, node)| {
            self.nav_graph.cost_multiplier(*node) == self.multiplier
                || !self.body.crosses(Column::new(x, y))
        });
        let row = Row {
            x: first.min(pivot),
            nodes,
        };
        (is_one_cost && self.ends_on_its_floor(y, &row)).then_some(row)
    }
}

/// Appends the waypoints of a part of a path without nav links.
fn write_part(
    nav_graph: NavGraph<'_>,
    cells: &[Cell],
    is_pulled: bool,
    waypoints: &mut Vec<BodyWaypoint>,
) {
    let center = |cell: &Cell| {
        Some(BodyWaypoint {
            at: Point2::center_of(cell.column())?,
            z: cell.z,
            begins_nav_link: false,
        })
    };
    if !is_pulled {
        waypoints.reserve(cells.len());
        waypoints.extend(cells.iter().filter_map(center));
        return;
    }
    let corners: Vec<BodyWaypoint> = corners(cells).iter().filter_map(center).collect();
    waypoints.extend(corners.first().copied());
    let mut at = 0;
    while at + 1 < corners.len() {
        let from = (corners[at].at, corners[at].z);
        let (mut farthest, mut next) = (at + 1, at + 2);
        while next < corners.len() && next <= farthest + LOOKAHEAD {
            let to = (corners[next].at, corners[next].z);
            if is_clear_for_body(nav_graph, from, to) {
                farthest = next;
            }
            next += 1;
        }
        at = farthest;
        waypoints.push(corners[at]);
    }
}

/// The cells where a part turns or changes height, and both its ends.
fn corners(cells: &[Cell]) -> Vec<Cell> {
    let step = |a: &Cell, b: &Cell| (b.x - a.x, b.y - a.y, b.z - a.z);
    let mut corners: Vec<Cell> = cells.first().into_iter().copied().collect();
    let turns = cells
        .windows(3)
        .filter(|three| step(&three[0], &three[1]) != step(&three[1], &three[2]));
    corners.extend(turns.map(|three| three[1]));
    corners.extend(cells.last().filter(|_| cells.len() > 1));
    corners
}

/// Replaces the centers of the first and the last cell by the points of the request; a center
/// stays as a waypoint where the segment from the point would not be clear.
fn move_ends(
    nav_graph: NavGraph<'_>,
    path: &GroundPath,
    (from, to): (Point2, Point2),
    waypoints: &mut Vec<BodyWaypoint>,
) {
    let is_in = |point: Point2, cell: Option<Cell>| {
        cell.is_some_and(|cell| point.column() == cell.column())
    };
    if is_in(to, path.end())
        && let [.., before, last] = waypoints[..]
        && last.at != to
    {
        let end = BodyWaypoint { at: to, ..last };
        let is_direct = !before.begins_nav_link
            && is_clear_for_body(nav_graph, (before.at, before.z), (to, last.z));
        if is_direct {
            waypoints.pop();
        } else {
            waypoints.extend(corner_within_cell(nav_graph, end, last));
        }
        waypoints.push(end);
    } else if is_in(to, path.end())
        && let [only] = waypoints[..]
        && only.at != to
    {
        waypoints.push(BodyWaypoint { at: to, ..only });
    }
    if is_in(from, path.start())
        && let [first, ..] = waypoints[..]
        && first.at != from
    {
        let start = BodyWaypoint {
            at: from,
            begins_nav_link: false,
            ..first
        };
        let is_direct = !first.begins_nav_link
            && waypoints.get(1).is_some_and(|next| {
                let to = (next.at, next.z);
                next.at == from || is_clear_for_body(nav_graph, (from, first.z), to)
            });
        if is_direct {
            waypoints[0] = start;
        } else {
            let corner = corner_within_cell(nav_graph, start, first);
            let start = [start].into_iter().chain(corner);
            waypoints.splice(0..0, start);
        }
    }
}

/// Where a body turns between a point of a cell and its center if the straight line passes too near to a
/// corner beside the cell: along one axis first, then along the other, or along a diagonal, where the body
/// just passes between two corners. `None` if the line is clear, or none of these is: a body inside
/// something new goes straight.
fn corner_within_cell(
    nav_graph: NavGraph<'_>,
    point: BodyWaypoint,
    center: BodyWaypoint,
) -> Option<BodyWaypoint> {
    // A point that touches a corner may be off it by the rounding.
    let radius = Fixed::from_raw(nav_graph.profile().radius.raw().saturating_sub(2));
    let is_clear = |a: Point2, b: Point2| {
        a == b || is_clear_for_disc(nav_graph, radius, (a, center.z), (b, center.z))
    };
    if is_clear(point.at, center.at) {
        return None;
    }
    let off = |at: Fixed, center: Fixed| at.raw() - center.raw();
    let (dx, dy) = (off(point.at.x, center.at.x), off(point.at.y, center.at.y));
    let from_center =
        |x: i32, y: i32| Point2::from_raw(center.at.x.raw() + x, center.at.y.raw() + y);
    let corners = [
        from_center(0, dy),
        from_center(dx, 0),
        from_center(dy.abs() * dx.signum(), dy),
        from_center(dx, dx.abs() * dy.signum()),
    ];
    let mut clear = corners
        .into_iter()
        .filter(|corner| is_clear(point.at, *corner) && is_clear(*corner, center.at));
    clear.next().map(|at| BodyWaypoint {
        at,
        begins_nav_link: false,
        ..center
    })
}

#[cfg(test)]
mod tests;
