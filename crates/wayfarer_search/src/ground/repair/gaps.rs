//! The gaps of an invalid path, and the assembly of kept and new parts.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cost, SearchStats};
use wayfarer_world::ground::NodeId;

use super::super::GroundPath;
use super::super::nav_graph::NavGraph;
use super::super::path_cursor::PathCursor;

/// Cells to either side of an impossible step that belong to its gap, so that the detour need not
/// start right in front of it.
const MARGIN: usize = 8;

/// The scratch of path repair.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct GapRepair {
    /// The remaining cells of the previous path; `None` for a cell that is not walkable.
    previous: Vec<Option<NodeId>>,
    /// Gaps by the indices of their ends in `previous`; sorted and disjoint.
    pub(super) gaps: Vec<(usize, usize)>,
    /// The repaired path so far.
    pub(super) repaired: Vec<NodeId>,
    /// Per cell of `repaired` whether it comes from the previous path.
    is_kept: Vec<bool>,
    /// The next index in `previous`.
    next: usize,
    /// Cells of `repaired` that are new.
    new: Vec<u32>,
    /// Expansions and pushes of the searches over gaps.
    pub(super) stats: SearchStats,
    /// True if a gap starts and ends in the same cell.
    is_looped: bool,
}

impl GapRepair {
    /// Finds the gaps of `path` from cell `first` on; `None` if its legs do not match its cells.
    pub(super) fn find_gaps(
        &mut self,
        nav_graph: NavGraph<'_>,
        path: &GroundPath,
        first: usize,
    ) -> Option<()> {
        let mut ends = path.legs.iter();
        let end = ends.try_fold(0, |at, leg| {
            (leg.begin == at && leg.end > at).then_some(leg.end)
        });
        if end.map(|end| end as usize + 1) != Some(path.cells.len()) {
            return None;
        }
        let cells = &path.cells[first..];
        let last = cells.len() - 1;
        self.previous.clear();
        self.gaps.clear();
        let mut cursor = PathCursor::new(nav_graph);
        let mut at = 0;
        self.previous.push(cursor.node(cells[0]));
        for leg in path.legs.iter().filter(|leg| leg.end as usize > first) {
            let end = leg.end as usize - first;
            // What remains of a leg in progress has no known cost.
            let mut has_known_cost = leg.begin as usize >= first;
            let mut total = Cost::ZERO;
            let begin = at;
            while at < end {
                let (n_steps, cost) = cursor.follow_uniform(&cells[at..=end], &mut self.previous);
                (at, total) = (at + n_steps, total + cost);
                if at == end {
                    break;
                }
                let to = cursor.node(cells[at + 1]);
                let nodes = self.previous[at].zip(to);
                match nodes.and_then(|(a, b)| cursor.step((a, cells[at]), (b, cells[at + 1]))) {
                    Some((cost, _)) => total += cost,
                    None => {
                        let until = (at + 1 + MARGIN).min(last);
                        self.add_gap(at.saturating_sub(MARGIN), until);
                        has_known_cost = false;
                    }
                }
                self.previous.push(to);
                at += 1;
            }
            if has_known_cost && total > leg.cost {
                self.add_gap(begin, end);
            }
        }
        Some(())
    }

    /// Adds a gap that ends no sooner than those before, merging overlaps.
    fn add_gap(&mut self, mut begin: usize, end: usize) {
        while let Some(before) = self.gaps.pop_if(|before| before.1 >= begin) {
            begin = begin.min(before.0);
        }
        self.gaps.push((begin, end));
    }

    pub(super) fn begin(&mut self) {
        self.repaired.clear();
        self.is_kept.clear();
        self.new.clear();
        (self.next, self.is_looped) = (0, false);
    }

    /// Keeps all cells up to a gap; returns the two ends of the gap.
    pub(super) fn keep_until(&mut self, gap: usize) -> Option<(NodeId, NodeId)> {
        let (begin, end) = self.gaps[gap];
        self.keep(begin + 1)?;
        let ends = (self.previous[begin]?, self.previous[end]?);
        self.is_looped |= ends.0 == ends.1;
        Some(ends)
    }

    /// Adds a path over the gap last reached, both of its ends included.
    pub(super) fn close(&mut self, gap: usize, path: &[NodeId]) {
        let inner = path
            .get(1..path.len().saturating_sub(1))
            .unwrap_or_default();
        self.repaired.extend(inner);
        self.is_kept.resize(self.repaired.len(), false);
        self.new.extend(inner.iter().map(|node| node.index()));
        self.next = self.gaps[gap].1;
    }

    /// Keeps all cells after the last gap.
    pub(super) fn keep_rest(&mut self) -> Option<()> {
        self.keep(self.previous.len())
    }

    fn keep(&mut self, until: usize) -> Option<()> {
        for node in &self.previous[self.next..until] {
            self.repaired.push((*node)?);
        }
        self.is_kept.resize(self.repaired.len(), true);
        self.next = until;
        Some(())
    }

    /// Cuts out what lies between two visits of the same cell, if a new part caused the loop;
    /// returns how many of the remaining cells come from the previous path.
    pub(super) fn cut_loops(&mut self) -> usize {
        if self.has_loops() {
            let mut last: FastMap<u32, usize> = FastMap::default();
            for (index, node) in self.repaired.iter().enumerate() {
                last.insert(node.index(), index);
            }
            let (mut from, mut n_left) = (0, 0);
            while let Some(node) = self.repaired.get(from).copied() {
                let to = last.get(&node.index()).copied().unwrap_or(from);
                self.repaired[n_left] = node;
                self.is_kept[n_left] = self.is_kept[from] || self.is_kept[to];
                (from, n_left) = (to + 1, n_left + 1);
            }
            self.repaired.truncate(n_left);
            self.is_kept.truncate(n_left);
        }
        self.is_kept.iter().filter(|is_kept| **is_kept).count()
    }

    /// True if the repaired path visits a new cell twice.
    fn has_loops(&mut self) -> bool {
        self.new.sort_unstable();
        let (Some(&low), Some(&high)) = (self.new.first(), self.new.last()) else {
            return self.is_looped;
        };
        let is_new = |node: &NodeId| {
            let node = node.index();
            (low..=high).contains(&node) && self.new.binary_search(&node).is_ok()
        };
        let kept = self.repaired.iter().zip(&self.is_kept);
        let mut kept = kept.filter(|(_, is_kept)| **is_kept);
        self.is_looped
            || self.new.windows(2).any(|pair| pair[0] == pair[1])
            || kept.any(|(node, _)| is_new(node))
    }
}
