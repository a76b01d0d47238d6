//! A broken path mended: what still holds is kept, and only the gaps are searched.
//!
//! # What a mended path is
//! Around each step that can no longer be taken a gap is cut, eight cells to either side, as far
//! as the path goes; a leg that became dearer is a gap as well. Each gap is closed by a cheapest
//! way between its two ends, all else stays as it is, and where the path would come to a cell
//! twice, what lies between is left out.
//!
//! That is quick, but the whole need not be the cheapest there is: the mended path says what the
//! cheapest costs at least. The path is found anew, by the method of the request,
//!
//! * if its end no longer is one, or it does not lead over the cell the request begins at,
//! * if a gap is not closed after 512 expansions,
//! * if the mended path is dearer by more than an eighth than what was left of the former one;
//!   then the cheaper of both is given, and the mended one if the budget ends the other search.
//!
//! The answer follows from the ground, the request and the former path alone; only what the path
//! says of the cheapest depends on how far back the log reaches.

use wayfarer_base::{Budget, ChangeLog, Cost, NoopObserver, Outcome, RequestError, SearchStats};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::footing::Footing;
use super::path::step_between;
use super::searcher::PathSearcher;
use super::status::least_over_eased;
use super::{GroundPath, PathRequest};
use crate::kernel::Stop;

mod gaps;

pub(super) use gaps::Mending;

/// Expansions after which a gap counts as one that is not closed nearby.
const LOCAL: u64 = 512;

/// A path that was mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// The path as it is now. It cannot be more than `cost - at_least` dearer than the cheapest.
    pub path: GroundPath,
    /// How many of its cells were taken over from the former path.
    pub n_reused: usize,
}

impl PathSearcher {
    /// Mends `path`, which was found for `request` at an earlier revision: keeps what still holds
    /// and searches only the gaps between. The request may begin at any cell of the path: what the
    /// agent has walked already is dropped.
    ///
    /// The result is a whole path. If it [is the cheapest](GroundPath::is_cheapest) it costs what a
    /// fresh search would give; else it costs at most `cost - at_least` more. Where nothing can be
    /// kept (the end is gone, a gap cannot be closed nearby, or that is a long way round) it is
    /// found anew, with nothing reused. All expansions count for the budget and in the path.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &mut self,
        ground: &Ground,
        log: &ChangeLog<GroundDifference>,
        request: &PathRequest,
        path: &GroundPath,
    ) -> Result<Outcome<Repaired>, RequestError> {
        let footing = Footing::of(ground, request.view)?;
        let mut spent = SearchStats::default();
        let mut mended = None;
        if path.view == request.view
            && let Some(first) = path.cells.iter().position(|cell| *cell == request.from)
            && self.prepare(footing, request)?
        {
            let mut room = std::mem::take(&mut self.mending);
            room.spent = SearchStats::default();
            mended = self.mend(&mut room, footing, log, request, (path, first));
            spent = room.spent;
            self.mending = room;
            let is_dear = |mended: &Repaired| {
                let before = u64::from(path.left_from(footing, first).0.units());
                u64::from(mended.path.cost_on_ground().units()) * 8 > before * 9
            };
            if let Some(good) = mended.take_if(|mended| !is_dear(mended)) {
                return Ok(Outcome::Found(good));
            }
        }
        let fresh = self.find_anew(footing, request, spent);
        let Some(mended) = mended else {
            return Ok(fresh?.map(|path| Repaired { path, n_reused: 0 }));
        };
        Ok(Outcome::Found(match fresh {
            Ok(Outcome::Found(path)) => cheaper(mended, path),
            _ => mended,
        }))
    }

    /// Answers a request for which something was spent already.
    fn find_anew(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
        spent: SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let ground = footing.ground();
        if spent.expansions == 0 {
            return self.find(ground, request);
        }
        let expansions = request.budget.expansions.saturating_sub(spent.expansions);
        if expansions == 0 {
            self.nodes.clear();
            self.nodes.extend(footing.node(request.from));
            let mut best = self.assemble(footing, Cost::ZERO, None);
            (best.at_least, best.expansions) = (Cost::ZERO, spent.expansions);
            return Ok(Outcome::OutOfBudget { best, stats: spent });
        }
        let asked = PathRequest {
            budget: Budget {
                expansions,
                ..request.budget
            },
            ..request.clone()
        };
        let mut fresh = self.find(ground, &asked)?;
        match &mut fresh {
            Outcome::Found(path) | Outcome::Partial { best: path, .. } => {
                path.expansions += spent.expansions;
            }
            Outcome::OutOfBudget { best, stats: all } => {
                best.expansions += spent.expansions;
                all.expansions += spent.expansions;
                all.pushes += spent.pushes;
            }
            Outcome::Unreachable { nearest, .. } => {
                let nearest = nearest.iter_mut();
                nearest.for_each(|path| path.expansions += spent.expansions);
            }
        }
        Ok(fresh)
    }

    fn mend(
        &mut self,
        room: &mut Mending,
        footing: Footing<'_>,
        log: &ChangeLog<GroundDifference>,
        request: &PathRequest,
        (path, first): (&GroundPath, usize),
    ) -> Option<Repaired> {
        let end = footing.node(path.end()?)?;
        if !self.astar.task.ends_at(footing, end) {
            return None;
        }
        let straight = Cost::from_units(self.astar.task.aim.least(request.from.column()));
        room.find_gaps(footing, path, first)?;
        let area = self.astar.task.area.take();
        let is_closed = self.close_gaps(room, footing, request.budget);
        self.astar.task.area = area;
        is_closed?;
        let n_reused = room.cut_loops();
        std::mem::swap(&mut self.nodes, &mut room.whole);
        let mut mended = self.assemble(footing, Cost::ZERO, Some(request.to.bounds()));
        mended.cost = self.cost_of(footing, &mended)?;
        mended.expansions = room.spent.expansions;
        let (cost, at_least) = path.left_from(footing, first);
        let eased = least_over_eased(footing, log, path, request.from, cost, straight);
        let known = eased.map_or(Cost::ZERO, |eased| at_least.min(eased));
        mended.at_least = known.max(straight).min(mended.cost);
        Some(Repaired {
            path: mended,
            n_reused,
        })
    }

    /// Writes what is kept and a way over each gap to `room.whole`; `None` if a gap stays open.
    fn close_gaps(
        &mut self,
        room: &mut Mending,
        footing: Footing<'_>,
        budget: Budget,
    ) -> Option<()> {
        room.begin();
        for number in 0..room.gaps.len() {
            let (from, to) = room.keep_until(number)?;
            let task = &mut self.astar.task;
            let (shortcuts, keys) = (footing.shortcuts(), footing.profile().keys);
            let column = footing.cell(to).column();
            task.aim
                .set_columns(std::iter::once(column), shortcuts, keys);
            task.ends.clear();
            task.ends.push(to.index());
            let left = Budget {
                expansions: budget
                    .expansions
                    .saturating_sub(room.spent.expansions)
                    .min(LOCAL),
                ..budget
            };
            if !self.astar.begin(footing, from, left) {
                return None;
            }
            let stop = self.astar.advance(footing, &mut NoopObserver, left);
            let used = self.astar.spent();
            room.spent.expansions += used.expansions;
            room.spent.pushes += used.pushes;
            let Stop::Goal(end) = stop else {
                return None;
            };
            self.astar.way_to(end, &mut self.nodes);
            room.bridge(number, &self.nodes);
        }
        room.keep_rest()
    }

    /// What the path of the cells in `nodes` costs, prices of the request included; `None` if it
    /// leads where the request may not.
    fn cost_of(&self, footing: Footing<'_>, path: &GroundPath) -> Option<Cost> {
        let overlay = &self.astar.task.overlay;
        if overlay.is_empty() {
            return Some(path.cost_on_ground());
        }
        let at = |node: NodeId| (node, footing.cell(node));
        let mut total = Cost::ZERO;
        for pair in self.nodes.windows(2) {
            let (cost, passage) = step_between(footing, at(pair[0]), at(pair[1]))?;
            total += overlay.cost(footing, pair[0], pair[1], cost, passage.is_none())?;
        }
        Some(total)
    }
}

/// The cheaper of a mended path and one found anew, the mended one of equals, with all that is
/// known of the cheapest.
fn cheaper(mut mended: Repaired, mut fresh: GroundPath) -> Repaired {
    let least = mended.path.at_least.max(fresh.at_least);
    if fresh.cost < mended.path.cost {
        fresh.at_least = least.min(fresh.cost);
        return Repaired {
            path: fresh,
            n_reused: 0,
        };
    }
    mended.path.at_least = least.min(mended.path.cost);
    mended.path.expansions = fresh.expansions;
    mended
}
