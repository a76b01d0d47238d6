//! Searches in progress that go on after edits of what they have not seen.
//!
//! A search over block tables has seen the blocks that it touched; A\* has seen the cells that it
//! generated and those beside them. If no edit reaches them, the state of the search is the one that
//! it would have after the same expansions on the present ground. Jump point scans read cells that
//! they keep no record of, so those searches start again.

use wayfarer_base::{ChangeLog, Rect, Revision};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::super::block_tables::changed_columns;
use super::super::nav_graph::{NavGraph, inflated};
use super::super::{GroundGoal, GroundRequest, Method, PartialPolicy};
use super::{Engine, PathSearcher, Phase};

impl PathSearcher {
    /// Carries the search in progress for `request`, begun or last carried over at revision `since`,
    /// to the present ground: true if the edits since then touch nothing that it has seen, so that it
    /// goes on as if it had begun now. False if it must start again.
    ///
    /// Takes time in the edits and, for A\*, in the cells generated.
    pub fn carry_over(
        &mut self,
        ground: &Ground,
        log: &ChangeLog<GroundDifference>,
        request: &GroundRequest,
        since: Revision,
    ) -> bool {
        let nav_graph = NavGraph::new(ground, request.profile_id);
        let (Ok(nav_graph), Some(sets)) = (nav_graph, log.since(since)) else {
            return false;
        };
        if !self.has_same_ends(nav_graph, request) {
            return false;
        }
        let margin = nav_graph.clearance_columns() + 1;
        let mut changed: Vec<Rect> = Vec::new();
        for difference in sets.flat_map(|set| &set.differences) {
            // The heuristic knows all nav links.
            if matches!(difference, GroundDifference::NavLink(_)) {
                return false;
            }
            let columns = changed_columns(difference).into_iter().flatten();
            changed.extend(columns.map(|rect| inflated(rect, margin)));
        }
        match self.state.engine {
            Engine::BlockTables => {
                let tables = self.tables.current();
                let is_same_start = nav_graph.node(request.from) == Some(tables.start());
                if !is_same_start || changed.iter().any(|rect| tables.has_seen(*rect)) {
                    return false;
                }
                self.sync(ground, log);
                self.tables.select(nav_graph, request.method)
            }
            Engine::Astar if matches!(request.method, Method::AStar | Method::Dijkstra) => {
                let mut records = self.astar.arena.records().iter();
                let has_seen = records.any(|record| {
                    let column = nav_graph.cell(NodeId::from_index(record.node)).column();
                    changed.iter().any(|rect| rect.contains(column))
                });
                !has_seen
            }
            Engine::Astar | Engine::Jps | Engine::CachedJps => false,
        }
    }

    /// True if a search for one cell would begin at the present ground as this one did.
    fn has_same_ends(&self, nav_graph: NavGraph<'_>, request: &GroundRequest) -> bool {
        let GroundGoal::Cell(goal) = request.to else {
            return false;
        };
        let (Some(start), Some(goal)) = (nav_graph.node(request.from), nav_graph.node(goal)) else {
            return false;
        };
        let task = &self.astar.task;
        task.goals == [goal.index()]
            && task.overlay.is_empty()
            && nav_graph.component(start) == nav_graph.component(goal)
            && self.state.phase == Phase::Goal
            && self.state.previous.is_none()
            && request.partial == PartialPolicy::Never
    }
}
