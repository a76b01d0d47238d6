//! A route that one is on already, kept unless there is a clearly shorter one.

use wayfarer_base::{Cost, Outcome};

use super::super::nav_graph::NavGraph;
use super::super::path::step_between;
use super::super::{GroundPath, GroundRequest};
use super::{PathSearcher, Phase};
use crate::kernel::StopReason;

/// What is known of a route that still leads to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Route {
    pub(super) cost: Cost,
    /// What any way to the goal costs at least.
    pub(super) least: Cost,
}

impl Route {
    /// True if the route is worth keeping when the best costs at least `best`.
    pub(super) fn is_close_to(self, best: Cost, request: &GroundRequest) -> bool {
        let slack = request
            .previous
            .as_ref()
            .map_or(0, |f| f.tolerance_per_mille);
        u64::from(self.cost.units()) * 1000 <= u64::from(best.units()) * (1000 + u64::from(slack))
    }
}

impl PathSearcher {
    /// The former route, if it is to be kept after a search that stopped with a way at `cost`, or
    /// before it came so far.
    pub(super) fn kept(
        &self,
        request: &GroundRequest,
        stop: StopReason,
        cost: Option<Cost>,
    ) -> Option<Route> {
        let route = self.previous.filter(|_| self.phase == Phase::Goal)?;
        match (stop, cost) {
            (StopReason::Goal(_), Some(cost)) => {
                let least = self.at_least(cost).max(route.least);
                let is_close = route.is_close_to(cost, request);
                is_close.then_some(Route { least, ..route })
            }
            (StopReason::OutOfBudget | StopReason::TooFar, _) => Some(route),
            _ => None,
        }
    }

    pub(super) fn keep_previous(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        route: Route,
    ) -> Outcome<GroundPath> {
        self.nodes.clone_from(&self.previous_nodes);
        let mut path = self.assemble(nav_graph, route.cost, Some(request.to.bounds()));
        path.cost_lower_bound = route.least.min(route.cost);
        Outcome::Found(path)
    }

    /// What is left of the former route, if it still leads to the goal.
    pub(super) fn previous_route(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
    ) -> Option<Route> {
        let previous = request.previous.as_ref()?;
        let at = previous
            .cells
            .iter()
            .position(|cell| *cell == request.from)?;
        let cells = &previous.cells[at..];
        let task = &self.astar.task;
        let end = nav_graph.node(*cells.last()?)?;
        if !task.ends_at(nav_graph, end) {
            return None;
        }
        let nodes = &mut self.previous_nodes;
        nodes.clear();
        nodes.push(nav_graph.node(request.from)?);
        let mut cost = Cost::ZERO;
        for step in cells.windows(2) {
            let (from, to) = (*nodes.last()?, nav_graph.node(step[1])?);
            let (step_cost, nav_link) = step_between(nav_graph, (from, step[0]), (to, step[1]))?;
            cost += if task.overlay.is_empty() {
                step_cost
            } else {
                task.overlay
                    .cost(nav_graph, from, to, step_cost, nav_link.is_none())?
            };
            nodes.push(to);
        }
        let least = Cost::from_units(task.aim.least(request.from.column()));
        (!cost.is_saturated()).then_some(Route { cost, least })
    }
}
