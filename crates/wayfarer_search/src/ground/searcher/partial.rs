//! The way to the cell nearest to a goal that cannot be reached.

use wayfarer_base::UnreachableProof;
use wayfarer_base::{
    Budget, Cell, Cost, Location, NoopObserver, Outcome, PartialReason, RequestError,
};
use wayfarer_world::ground::NodeId;

use super::super::check::why_blocked;
use super::super::lower_bound::octile;
use super::super::nav_graph::NavGraph;
use super::super::nearest::{nearest_in_component, nearness};
use super::super::{GroundGoal, GroundPath, GroundRequest, Method, PartialPolicy};
use super::{Engine, PathSearcher, Phase, Unreachable};
use crate::kernel::StopReason;

/// Cells of a component that are looked through before the world around the goal is.
const POCKET: u64 = 128;

impl PathSearcher {
    /// Begins to look for the nearest cell instead, if that is asked for.
    pub(super) fn begin_nearest(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        start: NodeId,
        no_path: Unreachable,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let anchor = request.to.representative_cell().unwrap_or(request.from);
        if request.partial == PartialPolicy::Never {
            return match no_path {
                Unreachable::Blocked => Err(RequestError::GoalBlocked {
                    at: Location::Cell(anchor),
                    reason: match &request.to {
                        GroundGoal::Cell(cell) => why_blocked(nav_graph, request, *cell),
                        _ => "no cell of the goal can be stood on",
                    },
                }),
                _ => Ok(Some(Outcome::Unreachable {
                    proof: UnreachableProof::DifferentComponents,
                    nearest: None,
                })),
            };
        }
        self.phase = Phase::Nearest(no_path);
        let home = nav_graph.component(start);
        self.astar.task.set_area(None);
        self.astar.task.sight_of = None;
        self.astar.task.ends.clear();
        self.astar.task.aim.clear();
        let few = POCKET.min(request.budget.expansions / 4);
        if few > 0 && self.astar.begin(nav_graph, start, request.budget) {
            // Who sits in a small pocket need not look through the world for its nearest cell.
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
            self.earlier = self.used();
        }
        let task = &mut self.astar.task;
        let overlay = &task.overlay;
        let allows = |cell: Cell| cell == request.from || !overlay.avoids(cell);
        nearest_in_component(
            nav_graph,
            request.partial,
            anchor,
            home,
            allows,
            &mut task.ends,
        );
        // One end is enough, so that the quick method can be used.
        let away = |node: &u32| {
            let cell = nav_graph.cell(NodeId::from_index(*node));
            (octile(request.from.column(), cell.column()), cell)
        };
        let end = task.ends.iter().copied().min_by_key(away);
        task.ends.clear();
        task.ends.extend(end);
        let ends = task.ends.iter();
        let columns = ends.map(|node| nav_graph.cell(NodeId::from_index(*node)).column());
        if !task.ends.is_empty() && request.method != Method::Dijkstra {
            let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
            task.aim.set_columns(columns, shortcuts, keys);
        }
        Ok(self.begin_at(nav_graph, request, start))
    }

    /// Begins to look through all that can be reached from `start`, for the cell nearest to the
    /// goal.
    pub(super) fn begin_survey(&mut self, nav_graph: NavGraph<'_>, start: NodeId) {
        if self.phase == Phase::Goal {
            self.phase = Phase::Nearest(Unreachable::Exhausted);
        }
        self.survey = None;
        self.engine = Engine::Astar;
        self.astar.task.ends.clear();
        self.astar.task.aim.clear();
        // The first cell needs little memory; the rest is counted.
        self.astar.begin(nav_graph, start, Budget::UNLIMITED);
    }

    /// The number of the cell nearest to the goal of all that a search cell by cell came to.
    pub(super) fn nearest_reached(&self, nav_graph: NavGraph<'_>, request: &GroundRequest) -> u32 {
        let anchor = request.to.representative_cell().unwrap_or(request.from);
        let order = request.partial;
        let reached = (0..).zip(self.astar.arena.records());
        let nearest = reached.min_by_key(|(_, record)| {
            let cell = nav_graph.cell(NodeId::from_index(record.node));
            let near = nearness(nav_graph, order, anchor, cell);
            (near, octile(request.from.column(), cell.column()), cell)
        });
        nearest.map_or(0, |(number, _)| number)
    }

    pub(super) fn short_of(
        &mut self,
        nav_graph: NavGraph<'_>,
        cost: Cost,
        at_least: Cost,
        no_path: Unreachable,
    ) -> Outcome<GroundPath> {
        let mut best = self.assemble(nav_graph, cost, None);
        best.cost_lower_bound = at_least;
        match no_path {
            Unreachable::Blocked => Outcome::Partial {
                best,
                reason: PartialReason::GoalBlocked,
            },
            Unreachable::Apart => Outcome::Unreachable {
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
