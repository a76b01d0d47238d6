//! String pulling for a body: the polyline of a ground path from a point to a point that the
//! agent's disc follows without touching anything that blocks it.
//!
//! A segment is clear if every column that the swept open disc overlaps has a floor for the body,
//! and all those floors are joined to their neighbors by straight steps in both directions, so that
//! no thin wall, ledge or gap lies under the disc. Exact integers in 1/256 of a cell. Unlike
//! [`waypoints`](super::waypoints), which joins cell centers for an agent no wider than a cell, it
//! holds for the true radius, which clips a corner as soon as a line passes nearer than it.
//! Linear in the columns under the disc, over uniform ground in its rows; `O(corners · columns)` for a path.

use wayfarer_base::{Cell, Column, CostMultiplier, Direction, Fixed, Point2, SectorId};
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

/// Work of a cell of a path in a sector whose steps do not follow bits: its lines are tested floor by floor.
const FLOOR_WORK: u64 = 4;

/// About the work of [`body_waypoints`] in expansions of a search: one for every cell of the path, four
/// where the ground has several heights or thin walls.
pub fn waypoint_work(nav_graph: NavGraph<'_>, path: &GroundPath) -> u64 {
    let mut known = None;
    let works = path.cells.iter().map(|cell| {
        let sector = SectorId::from_column(cell.column());
        match known {
            Some((at, work)) if at == sector => work,
            _ => {
                let mut sheets = nav_graph.profile_ground().sheets_in(sector);
                let is_regular = sheets.all(|sheet| sheet.has_regular_steps());
                let work = if is_regular { 1 } else { FLOOR_WORK };
                known = Some((sector, work));
                work
            }
        }
    });
    works.sum()
}

/// The polyline of a path from point `from` in its first cell to point `to` in its last.
///
/// Each segment is clear for the body and at one cost multiplier, or is a step between centers of
/// consecutive cells, or a nav link; the ends of nav links stay. A point outside its cell is
/// replaced by the cell's center; from one where the disc does not fit, the first segment is straight
/// to the center, so that an agent inside an obstacle can leave it. With `is_pulled` false every cell is a waypoint. A path whose
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
    let Some(columns) = sweep.body.columns_in(column.y) else {
        return false;
    };
    let mut first = Row::default();
    if !sweep.find_row(column.y, columns, (column.x, start), &mut first) {
        return false;
    }
    let rows = sweep.body.rows();
    let (up, down) = ((*rows.start()..column.y).rev(), column.y + 1..=*rows.end());
    sweep.follow(first.clone(), up, Direction::North) && sweep.follow(first, down, Direction::South)
}

/// The floors of consecutive columns of a row, from the first x on.
#[derive(Clone, Default)]
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
        let mut next = Row::default();
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
            let Some(node) = joined_at(pivot) else {
                return false;
            };
            if !self.find_row(y, (first, last), (pivot, node), &mut next) {
                return false;
            }
            let shared = first.max(row.x)..=last.min(end - 1);
            if !shared
                .into_iter()
                .all(|x| joined_at(x) == node_at(&next, x))
            {
                return false;
            }
            std::mem::swap(&mut row, &mut next);
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

    /// Finds the floors of a row under the disc, from column `first` to `last`, from one of them; false if
    /// something blocks the disc there.
    fn find_row(
        &self,
        y: i32,
        (first, last): (i32, i32),
        (pivot, node): (i32, NodeId),
        row: &mut Row,
    ) -> bool {
        row.x = first.min(pivot);
        row.nodes.clear();
        row.nodes.push(node);
        let is_joined = |n_columns: i32, direction: Direction, nodes: &mut Vec<NodeId>| {
            let mut at = node;
            (0..n_columns).all(|_| match self.nav_graph.joined_floor(at, direction) {
                Some(next) => {
                    at = next;
                    nodes.push(next);
                    true
                }
                None => false,
            })
        };
        if !is_joined(pivot - first, Direction::West, &mut row.nodes) {
            return false;
        }
        row.nodes.reverse();
        if !is_joined(last - pivot, Direction::East, &mut row.nodes) {
            return false;
        }
        let mut columns = (row.x..).zip(&row.nodes);
        let is_one_cost = columns.all(|(x, node)| {
            self.nav_graph.cost_multiplier(*node) == self.multiplier
                || !self.body.crosses(Column::new(x, y))
        });
        is_one_cost && self.ends_on_its_floor(y, row)
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
        at = farthest_in_sight((at + 1, corners.len()), |next| {
            let to = (corners[next].at, corners[next].z);
            is_clear_for_body(nav_graph, from, to)
        });
        waypoints.push(corners[at]);
    }
}

/// The last corner in sight before more than [`LOOKAHEAD`] that are not; the `first` is in sight, `end` is
/// beyond the last.
fn farthest_in_sight(
    (first, end): (usize, usize),
    mut is_in_sight: impl FnMut(usize) -> bool,
) -> usize {
    let mut farthest = first;
    // Corners between the farthest and this one are not in sight.
    let mut next = first + 1;
    loop {
        // From the last on: those before one in sight need no look.
        let last = (farthest + LOOKAHEAD + 1).min(end);
        match (next..last).rev().find(|at| is_in_sight(*at)) {
            Some(seen) => (farthest, next) = (seen, last),
            None => return farthest,
        }
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

/// Where a body turns that cannot move straight between a point and the center of its cell: both are
/// free, but a corner of an obstacle lies within its radius of the line. `None` if the line is clear, or
/// if the body does not fit at the point.
fn turn_within_cell(
    nav_graph: NavGraph<'_>,
    point: &BodyWaypoint,
    center: &BodyWaypoint,
) -> Option<BodyWaypoint> {
    let radius = nav_graph.profile().radius;
    // The point of a body that touches a wall may be rounded into it.
    let radii = [0, 2].map(|less| Fixed::from_raw((radius.raw() - less).max(1)));
    for radius in radii {
        let is_clear = |a: Point2, b: Point2| {
            is_clear_for_disc(nav_graph, radius, (a, center.z), (b, center.z))
        };
        if is_clear(point.at, center.at) {
            return None;
        }
        if !is_clear(point.at, point.at) {
            continue;
        }
        let mut turns = turns_beside(point.at, center.at);
        let turn = turns.find(|turn| is_clear(point.at, *turn) && is_clear(*turn, center.at));
        if let Some(at) = turn {
            return Some(BodyWaypoint {
                at,
                z: center.z,
                begins_nav_link: false,
            });
        }
    }
    None
}

/// Points beside a line within a cell, those nearest to its middle first: the arc that a disc describes
/// around a corner there is nearer to its chord than half the chord's length.
fn turns_beside(a: Point2, b: Point2) -> impl Iterator<Item = Point2> {
    let (dx, dy) = (b.x.raw() - a.x.raw(), b.y.raw() - a.y.raw());
    // In 32ths of the length of the line.
    let offsets = [1, 2, 4, 8, 16].into_iter().flat_map(|by| [by, -by]);
    offsets
        .flat_map(|aside| [16, 8, 24].map(|along| (along, aside)))
        .map(move |(along, aside)| {
            let at = |from: Fixed, by: i32| Fixed::from_raw(from.raw() + by.div_euclid(32));
            let x = at(a.x, dx * along - dy * aside);
            Point2::new(x, at(a.y, dy * along + dx * aside))
        })
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
            waypoints.extend(turn_within_cell(nav_graph, &end, &last));
        }
        waypoints.push(end);
    } else if is_in(to, path.end())
        && let [only] = waypoints[..]
        && only.at != to
    {
        let end = BodyWaypoint { at: to, ..only };
        waypoints.extend(turn_within_cell(nav_graph, &end, &only));
        waypoints.push(end);
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
            let turn = turn_within_cell(nav_graph, &start, &first);
            waypoints.splice(0..0, [Some(start), turn].into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests;
