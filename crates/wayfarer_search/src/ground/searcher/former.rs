//! A route that one is on already, kept unless there is a clearly shorter one.

use wayfarer_base::{Cost, Outcome};

use super::super::footing::Footing;
use super::super::path::step_between;
use super::super::{GroundPath, PathRequest};
use super::PathSearcher;

impl PathSearcher {
    pub(super) fn keep_former(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
        at_least: Cost,
    ) -> Outcome<GroundPath> {
        let cost = self.former.unwrap_or_default();
        self.nodes.clone_from(&self.former_nodes);
        let mut path = self.assemble(footing, cost, Some(request.to.bounds()));
        path.at_least = at_least.min(cost);
        Outcome::Found(path)
    }

    /// What is left of the former route, if it still leads to the goal.
    pub(super) fn former_route(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
    ) -> Option<Cost> {
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
        let mut total = Cost::ZERO;
        for step in cells.windows(2) {
            let (from, to) = (*nodes.last()?, footing.node(step[1])?);
            let (cost, passage) = step_between(footing, (from, step[0]), (to, step[1]))?;
            total += if task.overlay.is_empty() {
                cost
            } else {
                task.overlay
                    .cost(footing, from, to, cost, passage.is_none())?
            };
            nodes.push(to);
        }
        Some(total)
    }
}

/// True if a former route at `cost` is worth keeping when the best costs at least `best`.
pub(super) fn is_close_enough(cost: Cost, best: Cost, request: &PathRequest) -> bool {
    let slack = request.former.as_ref().map_or(0, |f| f.slack_thousandths);
    u64::from(cost.units()) * 1000 <= u64::from(best.units()) * (1000 + u64::from(slack))
}
