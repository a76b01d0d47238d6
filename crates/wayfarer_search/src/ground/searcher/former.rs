//! A route that one is on already, kept unless there is a clearly shorter one.

use wayfarer_base::{Cost, Outcome};

use super::super::footing::Footing;
use super::super::path::step_between;
use super::super::{GroundPath, PathRequest};
use super::{PathSearcher, Phase};
use crate::kernel::Stop;

/// What is known of a route that still leads to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Route {
    pub(super) cost: Cost,
    /// What any way to the goal costs at least.
    pub(super) least: Cost,
}

impl Route {
    /// True if the route is worth keeping when the best costs at least `best`.
    pub(super) fn is_close_to(self, best: Cost, request: &PathRequest) -> bool {
        let slack = request.former.as_ref().map_or(0, |f| f.slack_thousandths);
        u64::from(self.cost.units()) * 1000 <= u64::from(best.units()) * (1000 + u64::from(slack))
    }
}

impl PathSearcher {
    /// The former route, if it is to be kept after a search that stopped with a way at `cost`, or
    /// before it came so far.
    pub(super) fn kept(
        &self,
        request: &PathRequest,
        stop: Stop,
        cost: Option<Cost>,
    ) -> Option<Route> {
        let route = self.former.filter(|_| self.phase == Phase::Goal)?;
        match (stop, cost) {
            (Stop::Goal(_), Some(cost)) => {
                let least = self.at_least(cost).max(route.least);
                let is_close = route.is_close_to(cost, request);
                is_close.then_some(Route { least, ..route })
            }
            (Stop::OutOfBudget | Stop::TooFar, _) => Some(route),
            _ => None,
        }
    }

    pub(super) fn keep_former(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
        route: Route,
    ) -> Outcome<GroundPath> {
        self.nodes.clone_from(&self.former_nodes);
        let mut path = self.assemble(footing, route.cost, Some(request.to.bounds()));
        path.at_least = route.least.min(route.cost);
        Outcome::Found(path)
    }

    /// What is left of the former route, if it still leads to the goal.
    pub(super) fn former_route(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
    ) -> Option<Route> {
        let former = request.former.as_ref()?;
        let at = former.cells.iter().position(|cell| *cell == request.from)?;
        let cells = &former.cells[at..];
        let task = &self.astar.task;
        let end = footing.node(*cells.last()?)?;
        if !task.ends_at(footing, end) {
            return None;
        }
        let nodes = &mut self.former_nodes;
        nodes.clear();
        nodes.push(footing.node(request.from)?);
        let mut cost = Cost::ZERO;
        for step in cells.windows(2) {
            let (from, to) = (*nodes.last()?, footing.node(step[1])?);
            let (price, passage) = step_between(footing, (from, step[0]), (to, step[1]))?;
            cost += if task.overlay.is_empty() {
                price
            } else {
                task.overlay
                    .cost(footing, from, to, price, passage.is_none())?
            };
            nodes.push(to);
        }
        let least = Cost::from_units(task.aim.least(request.from.column()));
        (!cost.is_saturated()).then_some(Route { cost, least })
    }
}
