//! Path repair: keeps the valid parts of a path and searches only the gaps.
//!
//! # The repaired path
//! A gap spans eight cells to either side of each impossible step; a leg that became costlier is a
//! gap as well. A\* closes each gap with an optimal path between its ends; the rest stays as it is,
//! and loops are cut out. The whole need not be optimal: the repaired path carries a lower bound.
//! The method of the request searches the path from scratch
//!
//! * if its end is no longer a goal, or the request does not start on it,
//! * if a gap is not closed after 512 expansions,
//! * if the repaired path costs more than 9/8 of what remained of the previous one; the cheaper of
//!   both is returned, and the repaired one if the budget ends the other search.
//!
//! The result follows from the ground, the request and the previous path alone; only the lower
//! bound depends on how far back the change log reaches.

use wayfarer_base::{Budget, ChangeLog, Cost, NoopObserver, Outcome, RequestError, SearchStats};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::nav_graph::NavGraph;
use super::path::step_between;
use super::searcher::PathSearcher;
use super::status::lower_bound_over_eased;
use super::{GroundPath, GroundRequest};
use crate::kernel::StopReason;

mod gaps;

pub(super) use gaps::GapRepair;

/// Most expansions to close a gap.
const MAX_GAP_EXPANSIONS: u64 = 512;

/// A repaired path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedPath {
    /// The path; it costs at most `cost - cost_lower_bound` more than the optimum.
    pub path: GroundPath,
    /// How many of its cells come from the previous path.
    pub n_reused: usize,
}

impl PathSearcher {
    /// Repairs `path`, found for `request` at an earlier revision: keeps what is still valid and
    /// searches only the gaps. The request may start at any cell of the path; what lies before it
    /// is dropped.
    ///
    /// An [optimal](GroundPath::is_optimal) result costs what a new search would find; any other
    /// costs at most `cost - cost_lower_bound` more. Where nothing can be kept (the end is gone, a
    /// gap cannot be closed nearby, or only by a long detour) the path is searched from scratch,
    /// with no cell reused. All expansions count towards the budget and in the path.
    ///
    /// # Errors
    /// As [`PathSearcher::find`].
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
            let mut gap_repair = std::mem::take(&mut self.gap_repair);
            gap_repair.stats = SearchStats::default();
            repaired = self.repair_gaps(&mut gap_repair, nav_graph, log, request, (path, first));
            stats = gap_repair.stats;
            self.gap_repair = gap_repair;
            let is_costly = |repaired: &RepairedPath| {
                let before = u64::from(path.remaining_from(nav_graph, first).0.units());
                u64::from(repaired.path.ground_cost().units()) * 8 > before * 9
            };
            if let Some(good) = repaired.take_if(|repaired| !is_costly(repaired)) {
                return Ok(Outcome::Found(good));
            }
        }
        let fresh = self.find_after(nav_graph, request, stats);
        let Some(repaired) = repaired else {
            return Ok(fresh?.map(|path| RepairedPath { path, n_reused: 0 }));
        };
        Ok(Outcome::Found(match fresh {
            Ok(Outcome::Found(path)) => cheaper(repaired, path),
            _ => repaired,
        }))
    }

    /// Runs a request from scratch with what `stats` leaves of its budget.
    fn find_after(
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
        let request = GroundRequest {
            budget: Budget {
                expansions,
                ..request.budget
            },
            ..request.clone()
        };
        let mut fresh = self.find(ground, &request)?;
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
        gap_repair: &mut GapRepair,
        nav_graph: NavGraph<'_>,
        log: &ChangeLog<GroundDifference>,
        request: &GroundRequest,
        (path, first): (&GroundPath, usize),
    ) -> Option<RepairedPath> {
        let end = nav_graph.node(path.end()?)?;
        if !self.astar.task.is_goal(nav_graph, end) {
            return None;
        }
        let octile = Cost::from_units(self.astar.task.lower_bound.at(request.from.column()));
        gap_repair.find_gaps(nav_graph, path, first)?;
        let area = self.astar.task.area.take();
        let is_closed = self.close_gaps(gap_repair, nav_graph, request.budget);
        self.astar.task.area = area;
        is_closed?;
        let n_reused = gap_repair.cut_loops();
        std::mem::swap(&mut self.nodes, &mut gap_repair.repaired);
        let mut repaired = self.assemble(nav_graph, Cost::ZERO, Some(request.to.bounds()));
        repaired.cost = self.cost_of(nav_graph, &repaired)?;
        repaired.expansions = gap_repair.stats.expansions;
        let (cost, lower_bound) = path.remaining_from(nav_graph, first);
        // The change log is only read for what it may take from the bound.
        let eased = || lower_bound_over_eased(nav_graph, log, path, request.from, cost, octile);
        let proven = match lower_bound > octile {
            true => eased().map_or(Cost::ZERO, |eased| lower_bound.min(eased)),
            false => Cost::ZERO,
        };
        repaired.cost_lower_bound = proven.max(octile).min(repaired.cost);
        Some(RepairedPath {
            path: repaired,
            n_reused,
        })
    }

    /// Writes the kept parts and a path over each gap to `gap_repair.repaired`; `None` if a gap
    /// stays open.
    fn close_gaps(
        &mut self,
        gap_repair: &mut GapRepair,
        nav_graph: NavGraph<'_>,
        budget: Budget,
    ) -> Option<()> {
        gap_repair.begin();
        for number in 0..gap_repair.gaps.len() {
            let (from, to) = gap_repair.keep_until(number)?;
            let task = &mut self.astar.task;
            let (shortcuts, keys) = (nav_graph.shortcuts(), nav_graph.profile().keys);
            let column = nav_graph.cell(to).column();
            task.lower_bound
                .set_columns(std::iter::once(column), shortcuts, keys);
            task.goals.clear();
            task.goals.push(to.index());
            let left = Budget {
                expansions: budget
                    .expansions
                    .saturating_sub(gap_repair.stats.expansions)
                    .min(MAX_GAP_EXPANSIONS),
                ..budget
            };
            if !self.astar.begin(nav_graph, from, left) {
                return None;
            }
            let stop = self.astar.advance(nav_graph, &mut NoopObserver, left);
            let used = self.astar.stats();
            gap_repair.stats.expansions += used.expansions;
            gap_repair.stats.pushes += used.pushes;
            let StopReason::Goal(end) = stop else {
                return None;
            };
            self.astar.path_to(end, &mut self.nodes);
            gap_repair.close(number, &self.nodes);
        }
        gap_repair.keep_rest()
    }

    /// The cost of the path along `nodes`, area costs of the request included; `None` if it enters
    /// an area to avoid.
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

/// The cheaper of a repaired and a newly found path, the repaired one of equals, with the higher
/// lower bound.
fn cheaper(mut repaired: RepairedPath, mut fresh: GroundPath) -> RepairedPath {
    let lower_bound = repaired.path.cost_lower_bound.max(fresh.cost_lower_bound);
    if fresh.cost < repaired.path.cost {
        fresh.cost_lower_bound = lower_bound.min(fresh.cost);
        return RepairedPath {
            path: fresh,
            n_reused: 0,
        };
    }
    repaired.path.cost_lower_bound = lower_bound.min(repaired.path.cost);
    repaired.path.expansions = fresh.expansions;
    repaired
}
