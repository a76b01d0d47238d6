//! The waypoints of a path: string-pulled for the body, past bodies to avoid, and along lines that
//! cost what the cells of the path do.

use wayfarer_engine as engine;
use wayfarer_engine::PathLeg;
use wayfarer_engine::base::{Cell, Fixed, Point2};
use wayfarer_engine::search::ground::{
    BodyWaypoint, GroundPath, NavGraph, PreparedArea, body_waypoints, is_clear_for_body,
};

use super::World;
use super::queries::floor_cell;
use crate::path::{Traversal, Waypoint};
use crate::request::{PathRequest, StartPolicy};
use crate::units::Position;

/// What a request adds to the costs of the ground: areas, and clearance from walls.
struct LineCosts<'w> {
    avoid: Vec<PreparedArea>,
    areas: Vec<PreparedArea>,
    /// The ground of a body that keeps the clearance.
    wide: Option<NavGraph<'w>>,
}

impl LineCosts<'_> {
    /// True if a line crosses cells of one cost, none of them to be avoided.
    fn is_uniform(&self, (from, z): (Point2, i32), to: Point2) -> bool {
        if self.avoid.is_empty() && self.areas.is_empty() && self.wide.is_none() {
            return true;
        }
        let apart = |a: Fixed, b: Fixed| i64::from(b.raw()) - i64::from(a.raw());
        let (dx, dy) = (apart(from.x, to.x), apart(from.y, to.y));
        // Samples an eighth of a cell apart.
        let n_samples = dx.abs().max(dy.abs()) / 32 + 1;
        let at = |sample: i64| {
            let part = |low: Fixed, by: i64| i64::from(low.raw()) + by * sample / n_samples;
            let cell = |raw: i64| i32::try_from(raw >> 8).unwrap_or(i32::MAX);
            Cell::new(cell(part(from.x, dx)), cell(part(from.y, dy)), z)
        };
        let first = self.costs_of(at(0));
        let mut tested = None;
        (0..=n_samples).all(|sample| {
            let cell = at(sample);
            if tested.replace(cell) == Some(cell) {
                return true;
            }
            let is_avoided = self.avoid.iter().any(|area| area.contains(cell));
            !is_avoided && self.costs_of(cell) == first
        })
    }

    /// The areas that contain a cell, and whether it is near a wall.
    fn costs_of(&self, cell: Cell) -> (Vec<bool>, bool) {
        let areas = self.areas.iter().map(|area| area.contains(cell));
        let is_near_wall = self
            .wide
            .is_some_and(|wide| floor_cell(wide, cell).is_none());
        (areas.collect(), is_near_wall)
    }
}

/// String-pulled waypoints if they are clear, else a greedy pull over every cell.
fn pulled_along(
    nav_graph: NavGraph<'_>,
    pulled: Vec<BodyWaypoint>,
    every_cell: impl FnOnce() -> Vec<BodyWaypoint>,
    is_clear: impl Fn(&BodyWaypoint, &BodyWaypoint) -> bool,
) -> Vec<BodyWaypoint> {
    if pulled.windows(2).all(|pair| is_clear(&pair[0], &pair[1])) {
        return pulled;
    }
    let cells = every_cell();
    let mut waypoints: Vec<BodyWaypoint> = cells.first().copied().into_iter().collect();
    let mut at = 0;
    while at + 1 < cells.len() {
        let anchor = cells[at];
        // A line ends where a nav link begins.
        let ahead = cells[at + 1..].iter();
        let limit = match anchor.begins_nav_link {
            true => at + 1,
            false => at + 1 + ahead.take_while(|next| !next.begins_nav_link).count(),
        };
        at = farthest(at + 1, limit.min(cells.len() - 1), |to| {
            let next = cells[to];
            let line = ((anchor.at, anchor.z), (next.at, next.z));
            is_clear(&anchor, &next) && is_clear_for_body(nav_graph, line.0, line.1)
        });
        waypoints.push(cells[at]);
    }
    waypoints
}

/// The index up to `limit` where a search by doubling and bisection from `clear` ends: each line is
/// tested, but only the logarithm of their number.
fn farthest(mut clear: usize, limit: usize, is_straight: impl Fn(usize) -> bool) -> usize {
    let mut step = 1;
    let mut blocked = limit + 1;
    while clear < limit && blocked > limit {
        let to = (clear + step).min(limit);
        match is_straight(to) {
            true => clear = to,
            false => blocked = to,
        }
        step *= 2;
    }
    while blocked - clear > 1 && blocked <= limit {
        let middle = usize::midpoint(clear, blocked);
        match is_straight(middle) {
            true => clear = middle,
            false => blocked = middle,
        }
    }
    clear
}

impl World {
    /// What a request adds to the costs along lines; one that was converted has no bad areas.
    fn line_costs(&self, request: &PathRequest) -> LineCosts<'_> {
        let area = |area: &crate::goal::Area| {
            let area = area.to_engine(self.frame).ok();
            area.map(PreparedArea::new)
        };
        let costs = request.area_costs.iter();
        LineCosts {
            avoid: request.avoid.iter().filter_map(area).collect(),
            areas: costs.filter_map(|(one, _)| area(one)).collect(),
            wide: self
                .clearance(request.agent_type)
                .and_then(|(wide, _)| self.nav_graph(wide)),
        }
    }

    /// The waypoints of a path from the position of the request to `end`.
    pub(super) fn waypoints(
        &self,
        request: &PathRequest,
        path: &engine::Path,
        end: Option<Position>,
    ) -> Vec<Waypoint> {
        let n_legs = path.legs.len();
        let mut waypoints: Vec<Waypoint> = Vec::new();
        for (number, leg) in path.legs.iter().enumerate() {
            let from = (number == 0).then_some(request.from);
            let to = if number + 1 == n_legs { end } else { None };
            match leg {
                PathLeg::Ground(walk) => {
                    self.walk_waypoints((path, walk), (from, to), request, &mut waypoints);
                }
                PathLeg::Flight(_) | PathLeg::Planar(_) => {
                    let traversal = match leg {
                        PathLeg::Flight(_) => Traversal::Fly,
                        _ => Traversal::Walk,
                    };
                    let positions = leg.locations().into_iter();
                    let mut positions: Vec<Position> =
                        positions.map(|at| self.frame.position_of(at)).collect();
                    move_ends(&mut positions, (from, to));
                    waypoints.extend(positions.into_iter().map(|position| Waypoint {
                        position,
                        next: traversal,
                    }));
                }
                PathLeg::TakeOff(_) => set_last(&mut waypoints, Traversal::TakeOff),
                PathLeg::Landing(_) => set_last(&mut waypoints, Traversal::Land),
            }
        }
        // A start that was left first.
        let is_walk = matches!(path.legs.first(), Some(PathLeg::Ground(_)));
        let leaves_first = is_walk && request.start == StartPolicy::LeaveFirst;
        let start = waypoints.first().copied();
        if let Some(start) = start.filter(|_| leaves_first) {
            let position = self.at_floor(request.from, start.position);
            let next = Traversal::Walk;
            waypoints.insert(0, Waypoint { position, next });
        }
        waypoints.dedup_by(|next, before| next.position == before.position);
        waypoints
    }

    /// The waypoints of a ground leg, string-pulled for the body.
    fn walk_waypoints(
        &self,
        (path, walk): (&engine::Path, &GroundPath),
        (from, to): (Option<Position>, Option<Position>),
        request: &PathRequest,
        waypoints: &mut Vec<Waypoint>,
    ) {
        let center = |cell: Option<Cell>| cell.and_then(|cell| Point2::center_of(cell.column()));
        let point = |at: Option<Position>, cell: Option<Cell>| {
            at.and_then(|at| self.frame.point(at))
                .or_else(|| center(cell))
        };
        let (Some(first), Some(last)) = (point(from, walk.start()), point(to, walk.end())) else {
            return;
        };
        let ground = self.engine.ground();
        let Ok(nav_graph) = NavGraph::new(ground, walk.profile_id) else {
            return;
        };
        // A straight line could cross places in sight of a viewer.
        let is_pulled = request.smoothing && !path.includes_exposure;
        let pulled = body_waypoints(nav_graph, walk, (first, last), is_pulled);
        let every_cell = || body_waypoints(nav_graph, walk, (first, last), false);
        let costs = self.line_costs(request);
        let is_clear = |a: &BodyWaypoint, b: &BodyWaypoint| {
            let is_past_bodies = || self.engine.is_clear_of_avoided(path, a.at, b.at);
            a.begins_nav_link || is_past_bodies() && costs.is_uniform((a.at, a.z), b.at)
        };
        let pulled = match is_pulled {
            true => pulled_along(nav_graph, pulled, every_cell, is_clear),
            false => pulled,
        };
        let n_before = waypoints.len();
        waypoints.extend(pulled.iter().map(|at| {
            let height = Fixed::from_cell(at.z).unwrap_or_default();
            Waypoint {
                position: self
                    .frame
                    .to_user(self.frame.scale.ground_position(at.at, height)),
                next: match at.begins_nav_link {
                    true => Traversal::NavLink,
                    false => Traversal::Walk,
                },
            }
        }));
        // The given positions to the bit: points are rounded to 1/256 of a cell.
        let exact = |waypoint: &mut Waypoint, at: Option<Position>| {
            if let Some(at) =
                at.filter(|at| self.frame.point(*at) == self.frame.point(waypoint.position))
            {
                waypoint.position = self.at_floor(at, waypoint.position);
            }
        };
        if let Some(waypoint) = waypoints.get_mut(n_before) {
            exact(waypoint, from);
        }
        if let Some(waypoint) = waypoints.last_mut() {
            exact(waypoint, to);
        }
    }

    /// The horizontal coordinates of `at` with the height of `floor`.
    fn at_floor(&self, at: Position, floor: Position) -> Position {
        let (at, floor) = (self.frame.to_engine(at), self.frame.to_engine(floor));
        self.frame.to_user(Position { z: floor.z, ..at })
    }
}

/// Begins and ends with the given positions; the centers of the first and the last voxel stay.
fn move_ends(positions: &mut Vec<Position>, (from, to): (Option<Position>, Option<Position>)) {
    if let Some(from) = from {
        positions.insert(0, from);
    }
    positions.extend(to);
}

fn set_last(waypoints: &mut [Waypoint], traversal: Traversal) {
    if let Some(last) = waypoints.last_mut() {
        last.next = traversal;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;

    use super::*;

    #[test]
    fn the_farthest_straight_line_is_found_by_few_tests() {
        for limit in [1, 2, 3, 100, 4_000] {
            for last in 1..=limit {
                let n_tests = Counter::new(0);
                let found = farthest(1, limit, |to| {
                    n_tests.set(n_tests.get() + 1);
                    to <= last
                });
                assert_eq!(found, last, "of {limit}");
                assert!(n_tests.get() <= 24, "{} tests of {limit}", n_tests.get());
            }
        }
    }
}
