//! Gates: places so narrow that agents pass them one by one.
//!
//! Paths lead through a gate at different angles, or straight, without a waypoint. Agents that know
//! the same gate ahead have one point in common, by which the queue before it is ordered.

use wayfarer_base::{Cell, Column, Direction};
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::NodeId;

use crate::agent::{RoutePoint, RouteStep};
use crate::sight::ColumnWalk;
use crate::vector::{Vec2, floor};

/// Columns of the route that are looked at for a gate.
const MAX_COLUMNS: u32 = 48;

/// A cell between two walls that the route crosses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Gate {
    /// The center of the cell.
    pub(crate) at: Vec2,
    /// The center of the cell before it on the route.
    pub(crate) entry: Vec2,
    /// The point of the route behind it.
    pub(crate) after: Vec2,
    /// Points of the route before it.
    pub(crate) n_before: usize,
}

impl Gate {
    /// True if a cell is the gate.
    pub(crate) fn is_in(&self, cell: Cell) -> bool {
        self.at == center(cell)
    }
}

/// The first gate on the route of an agent that stands in a cell and steers to point `next`; if the
/// cell is one itself, the first cell behind. Follows from the ground, the cell and the route alone.
pub(crate) fn gate_ahead(
    nav_graph: NavGraph<'_>,
    cell: Cell,
    (route, next): (&[RoutePoint], usize),
) -> Option<Gate> {
    let mut node = nav_graph.floor_at(cell.column(), cell.z)?;
    let is_inside = is_narrow(nav_graph, node);
    let mut from = center(cell);
    let previous = route[..next]
        .last()
        .filter(|point| point.next == RouteStep::Walk);
    if let Some(previous) = previous.filter(|_| !is_inside) {
        // Others may have pushed the agent aside: the route is clear, the line from it may be not.
        let along = route[next].at - previous.at;
        let squared = along.length_squared();
        if squared > 0.0 {
            let share = (along.dot(from - previous.at) / squared).clamp(0.0, 1.0);
            from = previous.at + along * share;
        }
        let column = Column::new(floor(from.x), floor(from.y));
        node = nav_graph.floor_at(column, cell.z)?;
        if is_narrow(nav_graph, node) {
            let at = center(nav_graph.cell(node));
            let back = along.normalized().unwrap_or(Vec2::ZERO);
            let entry = at - back;
            return Some(Gate {
                at,
                entry: Vec2::new(
                    f64::from(floor(entry.x)) + 0.5,
                    f64::from(floor(entry.y)) + 0.5,
                ),
                after: route[next].at,
                n_before: 0,
            });
        }
    }
    let mut n_left = MAX_COLUMNS;
    let route = &route[next..];
    for (index, point) in route.iter().enumerate() {
        let start = (floor(from.x), floor(from.y));
        let mut columns = ColumnWalk::new(from, point.at, start);
        while n_left > 0 {
            let Some(direction) = columns.next() else {
                break;
            };
            n_left -= 1;
            let before = node;
            node = nav_graph.joined_floor(node, direction)?;
            if is_narrow_across(nav_graph, node, direction) != is_inside {
                let at = center(nav_graph.cell(node));
                let entry = center(nav_graph.cell(before));
                return Some(Gate {
                    at,
                    entry,
                    after: point.at,
                    n_before: index,
                });
            }
        }
        if n_left == 0 || point.next != RouteStep::Walk {
            return None;
        }
        from = point.at;
    }
    None
}

/// True if a floor has walls on two opposite sides.
fn is_narrow(nav_graph: NavGraph<'_>, node: NodeId) -> bool {
    [Direction::North, Direction::East]
        .into_iter()
        .any(|along| is_narrow_across(nav_graph, node, along))
}

/// [`is_narrow`] of a floor entered by a straight step: along the step at least one side is open.
fn is_narrow_across(nav_graph: NavGraph<'_>, node: NodeId, step: Direction) -> bool {
    let sides = match step {
        Direction::North | Direction::South => [Direction::West, Direction::East],
        _ => [Direction::North, Direction::South],
    };
    let is_blocked = |direction| nav_graph.joined_floor(node, direction).is_none();
    sides.into_iter().all(is_blocked)
}

fn center(cell: Cell) -> Vec2 {
    Vec2::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}
