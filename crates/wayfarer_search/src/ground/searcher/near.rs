//! The way to the cell nearest to a goal that cannot be reached.

use wayfarer_base::UnreachableProof;
use wayfarer_base::{
    Budget, Cell, Cost, Location, NoopObserver, Outcome, PartialReason, RequestError,
};
use wayfarer_world::ground::NodeId;

use super::super::bound::octile;
use super::super::check::why_blocked;
use super::super::footing::Footing;
use super::super::nearest::{nearest_in_component, nearness};
use super::super::{Goal, GroundPath, IfNoWay, Method, PathRequest};
use super::{Engine, NoWay, PathSearcher, Phase};
use crate::kernel::Stop;

/// Cells of a component that are looked through before the world around the goal is.
const POCKET: u64 = 128;

impl PathSearcher {
    /// Begins to look for the nearest cell instead, if that is asked for.
    pub(super) fn begin_nearest(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
        start: NodeId,
        no_way: NoWay,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let anchor = request.to.place().unwrap_or(request.from);
        if request.if_no_way == IfNoWay::Refuse {
            return match no_way {
                NoWay::Blocked => Err(RequestError::GoalBlocked {
                    at: Location::Cell(anchor),
                    reason: match &request.to {
                        Goal::Cell(cell) => why_blocked(footing, request, *cell),
                        _ => "no cell of the goal can be stood on",
                    },
                }),
                _ => Ok(Some(Outcome::Unreachable {
                    proof: UnreachableProof::DifferentComponents,
                    nearest: None,
                })),
            };
        }
        self.phase = Phase::Nearest(no_way);
        let home = footing.component(start);
        self.astar.task.set_area(None);
        self.astar.task.sight_of = None;
        self.astar.task.ends.clear();
        self.astar.task.aim.clear();
        let few = POCKET.min(request.budget.expansions / 4);
        if few > 0 && self.astar.begin(footing, start, request.budget) {
            // Who sits in a small pocket need not look through the world for its nearest cell.
            let few = Budget {
                expansions: few,
                ..self.budget_left(request)
            };
            if self.astar.advance(footing, &mut NoopObserver, few) == Stop::Exhausted {
                return Ok(Some(self.outcome(footing, request, Stop::Exhausted)));
            }
            self.earlier = self.used();
        }
        let task = &mut self.astar.task;
        let overlay = &task.overlay;
        let allows = |cell: Cell| cell == request.from || !overlay.avoids(cell);
        nearest_in_component(
            footing,
            request.if_no_way,
            anchor,
            home,
            allows,
            &mut task.ends,
        );
        // One end is enough, so that the quick method can be used.
        let away = |node: &u32| {
            let cell = footing.cell(NodeId::from_index(*node));
            (octile(request.from.column(), cell.column()), cell)
        };
        let end = task.ends.iter().copied().min_by_key(away);
        task.ends.clear();
        task.ends.extend(end);
        let ends = task.ends.iter();
        let columns = ends.map(|node| footing.cell(NodeId::from_index(*node)).column());
        if !task.ends.is_empty() && request.method != Method::Dijkstra {
            let (shortcuts, keys) = (footing.shortcuts(), footing.profile().keys);
            task.aim.set_columns(columns, shortcuts, keys);
        }
        Ok(self.begin_at(footing, request, start))
    }

    /// Begins to look through all that can be reached from `start`, for the cell nearest to the
    /// goal.
    pub(super) fn begin_survey(&mut self, footing: Footing<'_>, start: NodeId) {
        if self.phase == Phase::Goal {
            self.phase = Phase::Nearest(NoWay::Exhausted);
        }
        self.survey = None;
        self.engine = Engine::Astar;
        self.astar.task.ends.clear();
        self.astar.task.aim.clear();
        // The first cell needs little memory; the rest is counted.
        self.astar.begin(footing, start, Budget::UNLIMITED);
    }

    /// The number of the cell nearest to the goal of all that a search cell by cell came to.
    pub(super) fn nearest_reached(&self, footing: Footing<'_>, request: &PathRequest) -> u32 {
        let anchor = request.to.place().unwrap_or(request.from);
        let order = request.if_no_way;
        let reached = (0..).zip(self.astar.arena.records());
        let nearest = reached.min_by_key(|(_, record)| {
            let cell = footing.cell(NodeId::from_index(record.node));
            let near = nearness(footing, order, anchor, cell);
            (near, octile(request.from.column(), cell.column()), cell)
        });
        nearest.map_or(0, |(number, _)| number)
    }

    pub(super) fn short_of(
        &mut self,
        footing: Footing<'_>,
        cost: Cost,
        at_least: Cost,
        no_way: NoWay,
    ) -> Outcome<GroundPath> {
        let mut best = self.assemble(footing, cost, None);
        best.at_least = at_least;
        match no_way {
            NoWay::Blocked => Outcome::Partial {
                best,
                why: PartialReason::GoalBlocked,
            },
            NoWay::Apart => Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: Some(best),
            },
            NoWay::Exhausted => Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: Some(best),
            },
        }
    }
}
