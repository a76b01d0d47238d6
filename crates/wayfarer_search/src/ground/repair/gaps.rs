//! Where a path is broken, and the pieces that are put together instead.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cost, SearchStats};
use wayfarer_world::ground::NodeId;

use super::super::GroundPath;
use super::super::nav_graph::NavGraph;
use super::super::stride::Stride;

/// Cells to either side of a broken step that are given up with it, so that the way around it need
/// not begin right in front of it.
const MARGIN: usize = 8;

/// Room for repairing, reused from path to path.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct GapRepair {
    /// What is left of the former path; nobody can stand in a cell without a number.
    previous: Vec<Option<NodeId>>,
    /// Pieces of it that must be replaced, by the places of their ends; in order, none touching
    /// another.
    pub(super) gaps: Vec<(usize, usize)>,
    /// The path as repaired so far.
    pub(super) whole: Vec<NodeId>,
    /// For each of its cells whether it was taken over.
    is_kept: Vec<bool>,
    /// The next place of the former path.
    next: usize,
    /// Cells that were not taken over.
    new: Vec<u32>,
    /// What the searches over gaps took.
    pub(super) stats: SearchStats,
    /// True if a gap begins and ends in the same cell.
    is_looped: bool,
}

impl GapRepair {
    /// Looks through what is left of `path` from place `first` on; `None` if its legs are not its
    /// own.
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
        let mut stride = Stride::new(nav_graph);
        let mut at = 0;
        self.previous.push(stride.node(cells[0]));
        for leg in path.legs.iter().filter(|leg| leg.end as usize > first) {
            let end = leg.end as usize - first;
            // What the leg that was begun cost from here on is not known.
            let mut is_judged = leg.begin as usize >= first;
            let mut total = Cost::ZERO;
            let begin = at;
            while at < end {
                let (n_steps, cost) = stride.glide(&cells[at..=end], &mut self.previous);
                (at, total) = (at + n_steps, total + cost);
                if at == end {
                    break;
                }
                let to = stride.node(cells[at + 1]);
                let nodes = self.previous[at].zip(to);
                match nodes.and_then(|(a, b)| stride.step((a, cells[at]), (b, cells[at + 1]))) {
                    Some((cost, _)) => total += cost,
                    None => {
                        let until = (at + 1 + MARGIN).min(last);
                        self.add_gap(at.saturating_sub(MARGIN), until);
                        is_judged = false;
                    }
                }
                self.previous.push(to);
                at += 1;
            }
            if is_judged && total > leg.cost {
                self.add_gap(begin, end);
            }
        }
        Some(())
    }

    /// Adds a piece that ends no sooner than those before.
    fn add_gap(&mut self, mut begin: usize, end: usize) {
        while let Some(before) = self.gaps.pop_if(|before| before.1 >= begin) {
            begin = begin.min(before.0);
        }
        self.gaps.push((begin, end));
    }

    pub(super) fn begin(&mut self) {
        self.whole.clear();
        self.is_kept.clear();
        self.new.clear();
        (self.next, self.is_looped) = (0, false);
    }

    /// Takes over all up to a gap; gives the two ends of the gap.
    pub(super) fn keep_until(&mut self, gap: usize) -> Option<(NodeId, NodeId)> {
        let (begin, end) = self.gaps[gap];
        self.keep(begin + 1)?;
        let ends = (self.previous[begin]?, self.previous[end]?);
        self.is_looped |= ends.0 == ends.1;
        Some(ends)
    }

    /// Adds a way over the gap just come to, both of its ends included.
    pub(super) fn bridge(&mut self, gap: usize, path: &[NodeId]) {
        let inner = path
            .get(1..path.len().saturating_sub(1))
            .unwrap_or_default();
        self.whole.extend(inner);
        self.is_kept.resize(self.whole.len(), false);
        self.new.extend(inner.iter().map(|node| node.index()));
        self.next = self.gaps[gap].1;
    }

    /// Takes over what is left after the last gap.
    pub(super) fn keep_rest(&mut self) -> Option<()> {
        self.keep(self.previous.len())
    }

    fn keep(&mut self, until: usize) -> Option<()> {
        for node in &self.previous[self.next..until] {
            self.whole.push((*node)?);
        }
        self.is_kept.resize(self.whole.len(), true);
        self.next = until;
        Some(())
    }

    /// Leaves out what lies between two visits of the same cell, if a new piece led there; gives
    /// how many of the cells that are left were taken over.
    pub(super) fn cut_loops(&mut self) -> usize {
        if self.has_loops() {
            let mut last: FastMap<u32, usize> = FastMap::default();
            for (place, node) in self.whole.iter().enumerate() {
                last.insert(node.index(), place);
            }
            let (mut from, mut n_left) = (0, 0);
            while let Some(node) = self.whole.get(from).copied() {
                let to = last.get(&node.index()).copied().unwrap_or(from);
                self.whole[n_left] = node;
                self.is_kept[n_left] = self.is_kept[from] || self.is_kept[to];
                (from, n_left) = (to + 1, n_left + 1);
            }
            self.whole.truncate(n_left);
            self.is_kept.truncate(n_left);
        }
        self.is_kept.iter().filter(|is_kept| **is_kept).count()
    }

    /// True if a new cell is come to twice.
    fn has_loops(&mut self) -> bool {
        self.new.sort_unstable();
        let (Some(&low), Some(&high)) = (self.new.first(), self.new.last()) else {
            return self.is_looped;
        };
        let is_new = |node: &NodeId| {
            let node = node.index();
            (low..=high).contains(&node) && self.new.binary_search(&node).is_ok()
        };
        let kept = self.whole.iter().zip(&self.is_kept);
        let mut kept = kept.filter(|(_, is_kept)| **is_kept);
        self.is_looped
            || self.new.windows(2).any(|pair| pair[0] == pair[1])
            || kept.any(|(node, _)| is_new(node))
    }
}
