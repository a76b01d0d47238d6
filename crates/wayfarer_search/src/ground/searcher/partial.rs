//! Partial paths: to the reachable cell nearest to an unreachable goal.

use wayfarer_base::UnreachableProof;
use wayfarer_base::{
    Budget, Cell, Cost, Location, NoopObserver, Outcome, PartialReason, RequestError,
};
use wayfarer_world::ground::NodeId;

use super::super::check::goal_blocked_reason;
use super::super::lower_bound::octile;
use super::super::nav_graph::NavGraph;
use super::super::nearest::{nearest_in_component, nearness};
use super::super::{GroundGoal, GroundPath, GroundRequest, Method, PartialPolicy};
use super::{Engine, PathSearcher, Phase, Unreachable};
use crate::kernel::StopReason;

/// Most cells of a component that A\* floods before the ground around the goal is scanned.
const MAX_POCKET: u64 = 128;

impl PathSearcher {
    /// Starts the search for the nearest cell, if the request's policy allows a partial path.
    pub(super) fn begin_nearest(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        start: NodeId,
        unreachable: Unreachable,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let anchor = request.to.representative_cell().unwrap_or(request.from);
        if request.partial == PartialPolicy::Never {
            return match unreachable {
                Unreachable::Blocked => Err(RequestError::GoalBlocked {
                    at: Location::Cell(anchor),
                    reason: match &request.to {
                        GroundGoal::Cell(cell) => goal_blocked_reason(nav_graph, request, *cell),
                        _ => "no cell of the goal is walkable",
                    },
                }),
                _ => Ok(Some(Outcome::Unreachable {
                    proof: UnreachableProof::DifferentComponents,
                    nearest: None,
                })),
            };
        }
        self.state.phase = Phase::Nearest(unreachable);
        let component = nav_graph.component(start);
        self.astar.task.set_area(None);
        self.astar.task.sight_of = None;
        self.astar.task.goals.clear();
        self.astar.task.lower_bound.clear();
        let few = MAX_POCKET.min(request.budget.expansions / 4);
        if few > 0 && self.astar.begin(nav_graph, start, request.budget) {
            // A small component is flooded at once, without scanning the ground around the goal.
            let few = Budget {
                expansions: few,
                ..self.budget_left(request)
            };
            if self.astar.advance(nav_graph, &mut NoopObserver, few) == StopReason::Exhausted {
                return Ok(Some(self.outcome(
                    nav_graph,
                    request,
                    StopReason::Exhausted,
                )));
            }
            self.state.earlier = self.used();
        }
        let task = &mut self.astar.task;
        let overlay = &task.overlay;
        let is_allowed = |cell: Cell| cell == request.from || !overlay.avoids(cell);
        nearest_in_component(
            nav_graph,
            request.partial,
            anchor,
            component,
            is_allowed,
            &mut task.goals,
        );
        // A single goal allows the jump point engines.
        let distance = |node: &u32| {
            let cell = nav_graph.cell(NodeId::from_index(*node));
            (octile(request.from.column(), cell.column()), cell)
        };
        let end = task.goals.iter().copied().min_by_key(distance);
        task.goals.clear();
        task.goals.extend(end);
        let goals = task.goals.iter();
        let columns = goals.map(|node| nav_graph.cell(NodeId::from_index(*node)).column());
        if !task.goals.is_empty() && request.method != Method::Dijkstra {
            let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
            task.lower_bound.set_columns(columns, shortcuts, keys);
        }
        Ok(self.begin_at(nav_graph, request, start))
    }

    /// Starts a flood of all cells reachable from `start`, for the one nearest to the goal.
    pub(super) fn begin_flood(&mut self, nav_graph: NavGraph<'_>, start: NodeId) {
        if self.state.phase == Phase::Goal {
            self.state.phase = Phase::Nearest(Unreachable::Exhausted);
        }
        self.state.flood_start = None;
        self.state.engine = Engine::Astar;
        self.astar.task.goals.clear();
        self.astar.task.lower_bound.clear();
        // The first cell takes little memory; the budget covers all others.
        self.astar.begin(nav_graph, start, Budget::UNLIMITED);
    }

    /// The number of the A\* record nearest to the goal.
    pub(super) fn nearest_generated(
        &self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
    ) -> u32 {
        let anchor = request.to.representative_cell().unwrap_or(request.from);
        let policy = request.partial;
        let generated = (0..).zip(self.astar.arena.records());
        let nearest = generated.min_by_key(|(_, record)| {
            let cell = nav_graph.cell(NodeId::from_index(record.node));
            let near = nearness(nav_graph, policy, anchor, cell);
            (near, octile(request.from.column(), cell.column()), cell)
        });
        nearest.map_or(0, |(number, _)| number)
    }

    /// The outcome of a path to the nearest cell.
    pub(super) fn partial_outcome(
        &mut self,
        nav_graph: NavGraph<'_>,
        cost: Cost,
        lower_bound: Cost,
        unreachable: Unreachable,
    ) -> Outcome<GroundPath> {
        let mut best = self.assemble(nav_graph, cost, None);
        best.cost_lower_bound = lower_bound;
        match unreachable {
            Unreachable::Blocked => Outcome::Partial {
                best,
                reason: PartialReason::GoalBlocked,
            },
            Unreachable::OtherComponent => Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: Some(best),
            },
            Unreachable::Exhausted => Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: Some(best),
            },
        }
    }
}
