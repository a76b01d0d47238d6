//! Path stability: the previous path is kept unless a clearly cheaper one exists.

use wayfarer_base::{Cost, Outcome};

use super::super::nav_graph::NavGraph;
use super::super::path::step_between;
use super::super::{GroundPath, GroundRequest};
use super::{PathSearcher, Phase};
use crate::kernel::StopReason;

/// A previous path that still leads to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PreviousRoute {
    pub(super) cost: Cost,
    /// Lower bound on the cost of any path to the goal.
    pub(super) lower_bound: Cost,
}

impl PreviousRoute {
    /// True if its cost is within the request's tolerance of `best`.
    pub(super) fn is_close_to(self, best: Cost, request: &GroundRequest) -> bool {
        let previous = request.previous.as_ref();
        let tolerance = previous.map_or(0, |previous| previous.tolerance_per_mille);
        u64::from(self.cost.units()) * 1000
            <= u64::from(best.units()) * (1000 + u64::from(tolerance))
    }
}

impl PathSearcher {
    /// The previous path, if it is kept after a search that found a path at `cost` or ran out of
    /// budget.
    pub(super) fn previous_to_keep(
        &self,
        request: &GroundRequest,
        stop: StopReason,
        cost: Option<Cost>,
    ) -> Option<PreviousRoute> {
        let previous = self.state.previous;
        let route = previous.filter(|_| self.state.phase == Phase::Goal)?;
        match (stop, cost) {
            (StopReason::Goal(_), Some(cost)) => {
                let lower_bound = self.cost_lower_bound(cost).max(route.lower_bound);
                let is_close = route.is_close_to(cost, request);
                is_close.then_some(PreviousRoute {
                    lower_bound,
                    ..route
                })
            }
            (StopReason::OutOfBudget | StopReason::TooFar, _) => Some(route),
            _ => None,
        }
    }

    pub(super) fn keep_previous(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        route: PreviousRoute,
    ) -> Outcome<GroundPath> {
        self.nodes.clone_from(&self.previous_nodes);
        let mut path = self.assemble(nav_graph, route.cost, Some(request.to.bounds()));
        path.cost_lower_bound = route.lower_bound.min(route.cost);
        Outcome::Found(path)
    }

    /// The remainder of the previous path, if it still leads to the goal.
    pub(super) fn previous_route(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
    ) -> Option<PreviousRoute> {
        let previous = request.previous.as_ref()?;
        let mut cells = previous.cells.iter();
        let at = cells.position(|cell| *cell == request.from)?;
        let cells = &previous.cells[at..];
        let task = &self.astar.task;
        let end = nav_graph.node(*cells.last()?)?;
        if !task.is_goal(nav_graph, end) {
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
        let lower_bound = Cost::from_units(task.lower_bound.at(request.from.column()));
        (!cost.is_saturated()).then_some(PreviousRoute { cost, lower_bound })
    }
}
