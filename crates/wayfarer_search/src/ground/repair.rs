//! A broken path mended: what still holds is kept, and only the gap is searched.
//!
//! The way from the last cell before the first broken leg to any cell after the last broken one is
//! found exactly; what lies before and after is kept as it is. That is quick, but the whole need
//! not be the cheapest there is: the mended path says what the cheapest costs at least, so that
//! one can decide to ask anew.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{ChangeLog, Cost, Outcome, Refusal, Silent};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId};

use super::footing::Footing;
use super::path::step_between;
use super::searcher::PathSearcher;
use super::status::{broken_at, least_over_eased};
use super::{GroundPath, PathRequest};
use crate::kernel::Stop;

/// A path that was mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// The path as it is now. It cannot be more than `cost - at_least` dearer than the cheapest.
    pub path: GroundPath,
    /// How many of its cells were taken over from the former path.
    pub n_reused: usize,
}

impl Repaired {
    /// True if no path is cheaper.
    pub fn is_cheapest(&self) -> bool {
        self.path.is_cheapest()
    }
}

impl PathSearcher {
    /// Mends `path`, which was found for `request` at an earlier revision: keeps what still holds
    /// and searches only the gap between. The request may begin at any cell of the path: what the
    /// agent has walked already is dropped.
    ///
    /// The result is a whole path. If it [is the cheapest](Repaired::is_cheapest) it costs what a
    /// fresh search would give; else it costs at most `cost - at_least` more. Where nothing can be
    /// kept (the end is gone, or the gap cannot be closed) it is found anew, with nothing reused.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &mut self,
        ground: &Ground,
        log: &ChangeLog<GroundDifference>,
        request: &PathRequest,
        path: &GroundPath,
    ) -> Result<Outcome<Repaired>, Refusal> {
        let footing = Footing::of(ground, request.view)?;
        let has_begun = path.start() != Some(request.from);
        let rest = has_begun.then(|| path.rest(footing, request.from));
        let rest = rest.as_ref().map_or(Some(path), Option::as_ref);
        if let Some(rest) = rest
            && path.view == request.view
            && self.prepare(footing, request)?
            && let Some(repaired) = self.mend(footing, log, request, rest)
        {
            return Ok(Outcome::Found(repaired));
        }
        let fresh = self.find(ground, request)?;
        Ok(fresh.map(|path| Repaired { path, n_reused: 0 }))
    }

    fn mend(
        &mut self,
        footing: Footing<'_>,
        log: &ChangeLog<GroundDifference>,
        request: &PathRequest,
        path: &GroundPath,
    ) -> Option<Repaired> {
        let end = footing.node(path.end()?)?;
        if !self.astar.task.ends_at(footing, end) {
            return None;
        }
        let broken = (0..path.legs.len()).filter(|leg| broken_at(footing, path, *leg).is_some());
        let broken: Vec<usize> = broken.collect();
        let (kept_before, kept_after) = match (broken.first(), broken.last()) {
            (Some(first), Some(last)) => (
                path.legs[*first].begin as usize,
                path.legs[*last].end as usize,
            ),
            _ => (path.cells.len() - 1, path.cells.len()),
        };
        let mut nodes: Vec<NodeId> = Vec::with_capacity(path.cells.len());
        for cell in &path.cells[..=kept_before] {
            nodes.push(footing.node(*cell)?);
        }
        let mut n_before = nodes.len();
        let mut n_after = 0;
        if !broken.is_empty() {
            n_after = self.close_gap(footing, request, path, kept_after, &mut nodes)?;
        }
        n_before = n_before.min(nodes.len() - n_after);
        let n_reused = cut_loops(&mut nodes, n_before, n_after);
        let cost = self.cost_of(footing, &nodes)?;
        self.nodes = nodes;
        let mut mended = self.assemble(footing, cost, Some(request.to.bounds()));
        let least = self.astar.task.aim.least(request.from.column());
        let known = least_over_eased(footing, log, path).map_or(Cost::ZERO, |eased| {
            Cost::from_units(path.at_least.units().min(eased))
        });
        mended.at_least = known.max(Cost::from_units(least)).min(cost);
        Some(Repaired {
            path: mended,
            n_reused,
        })
    }

    /// Searches from the last of `nodes` to any cell of `path` from `kept_after` on, and adds the
    /// way and the rest of the path; gives how many cells the rest has.
    fn close_gap(
        &mut self,
        footing: Footing<'_>,
        request: &PathRequest,
        path: &GroundPath,
        kept_after: usize,
        nodes: &mut Vec<NodeId>,
    ) -> Option<usize> {
        let after: Option<Vec<NodeId>> = path.cells[kept_after..]
            .iter()
            .map(|cell| footing.node(*cell))
            .collect();
        let after = after?;
        let mut rest = 0_u32;
        let rests = &mut self.astar.task.rests;
        rests.clear();
        rests.push((after.last()?.index(), 0));
        for pair in after.windows(2).rev() {
            let cells = (footing.cell(pair[0]), footing.cell(pair[1]));
            let (cost, passage) = step_between(footing, (pair[0], cells.0), (pair[1], cells.1))?;
            let overlay = &self.astar.task.overlay;
            let cost = if overlay.is_empty() {
                cost
            } else {
                overlay.cost(footing, pair[0], pair[1], cost, passage.is_none())?
            };
            rest = rest.saturating_add(cost.units());
            self.astar.task.rests.push((pair[0].index(), rest));
        }
        // Of a cell that the path comes to twice, the cheaper rest comes first.
        let rests = &mut self.astar.task.rests;
        rests.sort_unstable();
        rests.dedup_by_key(|(node, _)| *node);
        self.astar.task.ends.clear();
        self.astar.task.area = None;
        if !self.astar.begin(footing, *nodes.last()?, request.budget) {
            return None;
        }
        let Stop::Goal(number) = self.astar.advance(footing, &mut Silent, request.budget) else {
            return None;
        };
        self.astar
            .way_to(self.astar.last_cell(number), &mut self.nodes);
        nodes.extend(&self.nodes[1..]);
        let junction = *self.nodes.last()?;
        let at = after.iter().rposition(|node| *node == junction)?;
        nodes.extend(&after[at + 1..]);
        Some(after.len() - at)
    }

    /// What a way costs, prices of the request included.
    fn cost_of(&self, footing: Footing<'_>, nodes: &[NodeId]) -> Option<Cost> {
        let overlay = &self.astar.task.overlay;
        let mut total = Cost::ZERO;
        for pair in nodes.windows(2) {
            let cells = (footing.cell(pair[0]), footing.cell(pair[1]));
            let (cost, passage) = step_between(footing, (pair[0], cells.0), (pair[1], cells.1))?;
            total += if overlay.is_empty() {
                cost
            } else {
                overlay.cost(footing, pair[0], pair[1], cost, passage.is_none())?
            };
        }
        Some(total)
    }
}

/// Leaves out what lies between two visits of the same cell; gives how many of the first
/// `n_before` and the last `n_after` cells are left.
fn cut_loops(nodes: &mut Vec<NodeId>, n_before: usize, n_after: usize) -> usize {
    let mut last: FastMap<u32, usize> = FastMap::default();
    for (index, node) in nodes.iter().enumerate() {
        last.insert(node.index(), index);
    }
    let first_after = nodes.len() - n_after;
    let mut kept = Vec::with_capacity(nodes.len());
    let (mut index, mut n_reused) = (0, 0);
    while let Some(node) = nodes.get(index) {
        let at = last.get(&node.index()).copied().unwrap_or(index);
        n_reused += usize::from(index < n_before || at >= first_after);
        kept.push(*node);
        index = at + 1;
    }
    *nodes = kept;
    n_reused
}
