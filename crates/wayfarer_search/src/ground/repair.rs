//! A broken path repaired: what still holds is kept, and only the gaps are searched.
//!
//! # What a repaired path is
//! Around each step that can no longer be taken a gap is cut, eight cells to either side, as far
//! as the path goes; a leg that became costlier is a gap as well. Each gap is closed by a cheapest
//! way between its two ends, all else stays as it is, and where the path would come to a cell
//! twice, what lies between is left out.
//!
//! That is quick, but the whole need not be the cheapest there is: the repaired path says what the
//! cheapest costs at least. The path is found anew, by the method of the request,
//!
//! * if its end no longer is one, or it does not lead over the cell the request begins at,
//! * if a gap is not closed after 512 expansions,
//! * if the repaired path is costlier by more than an eighth than what was left of the former one;
//!   then the cheaper of both is given, and the repaired one if the budget ends the other search.
//!
//! The answer follows from the ground, the request and the former path alone; only what the path
//! says of the cheapest depends on how far back the log reaches.

use wayfarer_base::{Budget, ChangeLog, Cost, NoopObserver, Outcome, RequestError, SearchStats};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::nav_graph::NavGraph;
use super::path::step_between;
use super::searcher::PathSearcher;
use super::status::least_over_eased;
use super::{GroundPath, GroundRequest};
use crate::kernel::StopReason;

mod gaps;

pub(super) use gaps::GapRepair;

/// Expansions after which a gap counts as one that is not closed nearby.
const LOCAL: u64 = 512;

/// A path that was repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedPath {
    /// The path as it is now. It cannot be more than `cost - cost_lower_bound` costlier than the cheapest.
    pub path: GroundPath,
    /// How many of its cells were taken over from the former path.
    pub n_reused: usize,
}

impl PathSearcher {
    /// Repairs `path`, which was found for `request` at an earlier revision: keeps what still holds
    /// and searches only the gaps between. The request may begin at any cell of the path: what the
    /// agent has walked already is dropped.
    ///
    /// The result is a whole path. If it [is the cheapest](GroundPath::is_cheapest) it costs what a
    /// fresh search would give; else it costs at most `cost - cost_lower_bound` more. Where nothing can be
    /// kept (the end is gone, a gap cannot be closed nearby, or that is a long way round) it is
    /// found anew, with nothing reused. All expansions count for the budget and in the path.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &mut self,
        ground: &Ground,
        log: &ChangeLog<GroundDifference>,
        request: &GroundRequest,
        path: &GroundPath,
    ) -> Result<Outcome<RepairedPath>, RequestError> {
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        let mut stats = SearchStats::default();
        let mut repaired = None;
        if path.profile_id == request.profile_id
            && let Some(first) = path.cells.iter().position(|cell| *cell == request.from)
            && self.prepare(nav_graph, request)?
        {
            let mut room = std::mem::take(&mut self.gap_repair);
            room.stats = SearchStats::default();
            repaired = self.repair_gaps(&mut room, nav_graph, log, request, (path, first));
            stats = room.stats;
            self.gap_repair = room;
            let is_costly = |repaired: &RepairedPath| {
                let before = u64::from(path.left_from(nav_graph, first).0.units());
                u64::from(repaired.path.ground_cost().units()) * 8 > before * 9
            };
            if let Some(good) = repaired.take_if(|repaired| !is_costly(repaired)) {
                return Ok(Outcome::Found(good));
            }
        }
        let fresh = self.find_anew(nav_graph, request, stats);
        let Some(repaired) = repaired else {
            return Ok(fresh?.map(|path| RepairedPath { path, n_reused: 0 }));
        };
        Ok(Outcome::Found(match fresh {
            Ok(Outcome::Found(path)) => cheaper(repaired, path),
            _ => repaired,
        }))
    }

    /// Answers a request for which something was spent already.
    fn find_anew(
        &mut self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        stats: SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let ground = nav_graph.ground();
        if stats.expansions == 0 {
            return self.find(ground, request);
        }
        let expansions = request.budget.expansions.saturating_sub(stats.expansions);
        if expansions == 0 {
            self.nodes.clear();
            self.nodes.extend(nav_graph.node(request.from));
            let mut best = self.assemble(nav_graph, Cost::ZERO, None);
            (best.cost_lower_bound, best.expansions) = (Cost::ZERO, stats.expansions);
            return Ok(Outcome::OutOfBudget { best, stats });
        }
        let asked = GroundRequest {
            budget: Budget {
                expansions,
                ..request.budget
            },
            ..request.clone()
        };
        let mut fresh = self.find(ground, &asked)?;
        match &mut fresh {
            Outcome::Found(path) | Outcome::Partial { best: path, .. } => {
                path.expansions += stats.expansions;
            }
            Outcome::OutOfBudget { best, stats: all } => {
                best.expansions += stats.expansions;
                all.expansions += stats.expansions;
                all.pushes += stats.pushes;
            }
            Outcome::Unreachable { nearest, .. } => {
                let nearest = nearest.iter_mut();
                nearest.for_each(|path| path.expansions += stats.expansions);
            }
        }
        Ok(fresh)
    }

    fn repair_gaps(
        &mut self,
        room: &mut GapRepair,
        nav_graph: NavGraph<'_>,
        log: &ChangeLog<GroundDifference>,
        request: &GroundRequest,
        (path, first): (&GroundPath, usize),
    ) -> Option<RepairedPath> {
        let end = nav_graph.node(path.end()?)?;
        if !self.astar.task.ends_at(nav_graph, end) {
            return None;
        }
        let straight = Cost::from_units(self.astar.task.aim.least(request.from.column()));
        room.find_gaps(nav_graph, path, first)?;
        let area = self.astar.task.area.take();
        let is_closed = self.close_gaps(room, nav_graph, request.budget);
        self.astar.task.area = area;
        is_closed?;
        let n_reused = room.cut_loops();
        std::mem::swap(&mut self.nodes, &mut room.whole);
        let mut repaired = self.assemble(nav_graph, Cost::ZERO, Some(request.to.bounds()));
        repaired.cost = self.cost_of(nav_graph, &repaired)?;
        repaired.expansions = room.stats.expansions;
        let (cost, at_least) = path.left_from(nav_graph, first);
        let eased = least_over_eased(nav_graph, log, path, request.from, cost, straight);
        let known = eased.map_or(Cost::ZERO, |eased| at_least.min(eased));
        repaired.cost_lower_bound = known.max(straight).min(repaired.cost);
        Some(RepairedPath {
            path: repaired,
            n_reused,
        })
    }

    /// Writes what is kept and a way over each gap to `room.whole`; `None` if a gap stays open.
    fn close_gaps(
        &mut self,
        room: &mut GapRepair,
        nav_graph: NavGraph<'_>,
        budget: Budget,
    ) -> Option<()> {
        room.begin();
        for number in 0..room.gaps.len() {
            let (from, to) = room.keep_until(number)?;
            let task = &mut self.astar.task;
            let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
            let column = nav_graph.cell(to).column();
            task.aim
                .set_columns(std::iter::once(column), shortcuts, keys);
            task.ends.clear();
            task.ends.push(to.index());
            let left = Budget {
                expansions: budget
                    .expansions
                    .saturating_sub(room.stats.expansions)
                    .min(LOCAL),
                ..budget
            };
            if !self.astar.begin(nav_graph, from, left) {
                return None;
            }
            let stop = self.astar.advance(nav_graph, &mut NoopObserver, left);
            let used = self.astar.stats();
            room.stats.expansions += used.expansions;
            room.stats.pushes += used.pushes;
            let StopReason::Goal(end) = stop else {
                return None;
            };
            self.astar.path_to(end, &mut self.nodes);
            room.bridge(number, &self.nodes);
        }
        room.keep_rest()
    }

    /// What the path of the cells in `nodes` costs, cost multipliers of the request included; `None` if it
    /// leads where the request may not.
    fn cost_of(&self, nav_graph: NavGraph<'_>, path: &GroundPath) -> Option<Cost> {
        let overlay = &self.astar.task.overlay;
        if overlay.is_empty() {
            return Some(path.ground_cost());
        }
        let at = |node: NodeId| (node, nav_graph.cell(node));
        let mut total = Cost::ZERO;
        for pair in self.nodes.windows(2) {
            let (cost, nav_link) = step_between(nav_graph, at(pair[0]), at(pair[1]))?;
            total += overlay.cost(nav_graph, pair[0], pair[1], cost, nav_link.is_none())?;
        }
        Some(total)
    }
}

/// The cheaper of a repaired path and one found anew, the repaired one of equals, with all that is
/// known of the cheapest.
fn cheaper(mut repaired: RepairedPath, mut fresh: GroundPath) -> RepairedPath {
    let least = repaired.path.cost_lower_bound.max(fresh.cost_lower_bound);
    if fresh.cost < repaired.path.cost {
        fresh.cost_lower_bound = least.min(fresh.cost);
        return RepairedPath {
            path: fresh,
            n_reused: 0,
        };
    }
    repaired.path.cost_lower_bound = least.min(repaired.path.cost);
    repaired.path.expansions = fresh.expansions;
    repaired
}
