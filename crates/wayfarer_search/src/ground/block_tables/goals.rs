//! The goals of a query: one after the other, the nearest by lower bound first, each only as long as it
//! may be cheaper than the best so far.

use wayfarer_base::SearchStats;
use wayfarer_world::ground::NodeId;

use super::super::lower_bound::octile;
use super::super::nav_graph::NavGraph;
use super::min_plus::INFINITE;

/// Goals that are left, and the best path so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    /// Octile distance from the start and node; the next one is the last.
    left: Vec<(u32, NodeId)>,
    /// The nodes of the best path to an earlier goal.
    pub(super) nodes: Vec<NodeId>,
    /// Its cost.
    pub(super) cost: Option<i32>,
    /// What the searches for earlier goals used.
    pub(super) stats: SearchStats,
    pub(super) n_work: u64,
    /// True once the search for the first goal has ended.
    pub(super) is_past_first: bool,
}

impl Goals {
    /// Sets the goals of a query. Of equally near ones the first cell comes first, so that ties do not
    /// depend on how the ground is stored. `has_shortcuts`: octile distances are no bounds.
    pub(super) fn set(
        &mut self,
        nav_graph: NavGraph<'_>,
        start: NodeId,
        goals: &[u32],
        has_shortcuts: bool,
    ) {
        let from = nav_graph.cell(start).column();
        self.left.clear();
        self.is_past_first = false;
        for goal in goals.iter().map(|goal| NodeId::from_index(*goal)) {
            let bound = match has_shortcuts {
                true => 0,
                false => octile(from, nav_graph.cell(goal).column()),
            };
            self.left.push((bound, goal));
        }
        let key = |(bound, goal): &(u32, NodeId)| (*bound, nav_graph.cell(*goal));
        (self.left).sort_unstable_by_key(|goal| std::cmp::Reverse(key(goal)));
        self.nodes.clear();
        self.cost = None;
        (self.stats, self.n_work) = (SearchStats::default(), 0);
    }

    /// The next goal that may be cheaper than the best so far.
    pub(super) fn next(&mut self) -> Option<NodeId> {
        let (bound, goal) = self.left.pop()?;
        if self.cost.is_some_and(|cost| bound >= cost.cast_unsigned()) {
            self.left.clear();
            return None;
        }
        Some(goal)
    }

    /// True if no other goal may follow: then nothing has to be kept for it.
    pub(super) fn is_last(&self) -> bool {
        self.left.is_empty()
    }

    /// A path that costs less is better than the best so far.
    pub(super) fn upper_bound(&self) -> i32 {
        self.cost.unwrap_or(INFINITE)
    }
}
