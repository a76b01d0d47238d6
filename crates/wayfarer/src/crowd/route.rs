//! From paths in world units to routes in cells.

use wayfarer_engine::base::{Cell, NavLinkId, SectorId};
use wayfarer_engine::crowd::{Route, RoutePoint, RouteStep, Vec2, is_joined};
use wayfarer_engine::search::ground::{BodyWaypoint, Leg, LegKind, NavGraph};

use super::{Crowd, CrowdAgentId};
use crate::edit::LinkId;
use crate::facade::World;
use crate::path::{Path, Traversal};

/// The route along a ground path; `None` for other paths.
pub(super) fn route_of(world: &World, path: &Path) -> Option<Route> {
    let frame = world.frame();
    let walk = path.engine().as_ground_path()?;
    let nav_graph = world.engine().nav_graph(path.agent_type()).ok()?;
    let mut links = walk.legs.iter().filter_map(|leg| match leg.kind {
        LegKind::NavLink(id) => Some(id),
        LegKind::Walk(_) => None,
    });
    let mut points: Vec<RoutePoint> = Vec::with_capacity(path.traversal().len());
    for waypoint in path.traversal() {
        let [x, y] = frame.plane(waypoint.position);
        let z = frame.cell(waypoint.position)?.z;
        let cell = frame.cell(waypoint.position)?;
        let next = match waypoint.next {
            Traversal::NavLink => links.next().map_or(RouteStep::OneWay, RouteStep::NavLink),
            _ => RouteStep::Walk,
        };
        points.push(RoutePoint {
            at: Vec2::new(x, y),
            cell: Cell::new(cell.x, cell.y, z),
            next,
        });
    }
    mark_drops(nav_graph, &mut points);
    Some(points.into())
}

/// The route along waypoints of a ground path with some legs.
pub(super) fn route_along<'a>(
    nav_graph: NavGraph<'_>,
    legs: &mut impl Iterator<Item = &'a Leg>,
    waypoints: &[BodyWaypoint],
) -> Vec<RoutePoint> {
    let mut links = legs.filter_map(|leg| match leg.kind {
        LegKind::NavLink(id) => Some(id),
        LegKind::Walk(_) => None,
    });
    let points = waypoints.iter().map(|waypoint| RoutePoint {
        at: Vec2::new(waypoint.at.x.to_cells(), waypoint.at.y.to_cells()),
        cell: waypoint.at.column().at(waypoint.z),
        next: match waypoint.begins_nav_link {
            true => links.next().map_or(RouteStep::OneWay, RouteStep::NavLink),
            false => RouteStep::Walk,
        },
    });
    let mut points: Vec<RoutePoint> = points.collect();
    mark_drops(nav_graph, &mut points);
    points
}

/// Marks the steps that cannot be taken back.
fn mark_drops(nav_graph: NavGraph<'_>, points: &mut [RoutePoint]) {
    for index in 1..points.len() {
        let (from, to) = (points[index - 1].cell, points[index].cell);
        let is_beside = (from.x - to.x).abs().max((from.y - to.y).abs()) == 1;
        let is_walk = points[index - 1].next == RouteStep::Walk;
        if is_walk && is_beside && !is_joined(nav_graph, from, to) {
            points[index - 1].next = RouteStep::OneWay;
        }
    }
}

impl Crowd {
    /// True if a link is there and admits an agent.
    pub(super) fn is_open(&self, world: &World, id: CrowdAgentId, link: NavLinkId) -> bool {
        let engine = world.engine();
        let agent_type = self.joined(id).map(|joined| joined.agent_type);
        let nav_graph = agent_type.ok().and_then(|one| engine.nav_graph(one).ok());
        let keys = nav_graph.map_or(0, |graph| graph.profile().keys);
        let sector = SectorId::from_column(link.from.column());
        let mut links = engine.ground().nav_links_in(sector).iter();
        let found = links.find(|one| NavLinkId::from(*one) == link);
        found.is_some_and(|found| found.state.admits(keys))
    }

    /// The handle of a link.
    pub(super) fn link_id(world: &World, link: NavLinkId) -> Option<LinkId> {
        world.handles().ids.get(&link).copied()
    }
}
