//! The state of one search: what a query sets up and the next one discards.

use wayfarer_base::{Revision, SearchStats};
use wayfarer_world::ground::NodeId;

use super::super::jps::Query;
use super::super::jps::shared::OpenList;
use super::goal_heuristic::{GoalHeuristic, HeuristicWeight};
use super::jump_point_graph::SuccessorRef;
use super::transient_nodes::TransientNodes;

/// The state of the current search.
#[derive(Clone, Debug)]
pub(super) struct QueryState {
    pub(super) query: Query,
    pub(super) goal: GoalHeuristic,
    /// Identity and revision of the ground it began on.
    pub(super) started_on: (u64, Revision),
    /// Its id; jump points of other searches count as not generated.
    pub(super) search: u32,
    /// Whether the heuristic uses the bridge tree.
    pub(super) uses_tree: bool,
    /// All generated nodes, in the order of their first generation.
    pub(super) nodes: Vec<SearchNode>,
    pub(super) open: OpenList,
    /// Jump points that are not cached.
    pub(super) transient: TransientNodes,
    /// Assumed upper bound of f, weight included; see [`CostFence`](super::cost_fence).
    pub(super) upper_bound: u32,
    /// Whether a scan ended at the fence, so that the bound matters.
    pub(super) has_met_fence: bool,
    /// Irregular nodes expanded.
    pub(super) n_irregular: u64,
    /// The expanded node with the lowest weighted h, and that h; the first of equals.
    pub(super) nearest: (u32, u32),
    pub(super) stats: SearchStats,
    /// Lower bound of the optimal cost, once the path was read.
    pub(super) cost_lower_bound: Option<u32>,
}

/// A node of the search. Its id counts first generations.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNode {
    /// Lowest cost so far.
    pub(super) g: u32,
    /// g + weighted h.
    pub(super) f: u32,
    /// The node it was reached from, or `NONE` at the start.
    pub(super) parent: u32,
    /// Jump point and arrival: id * 8 + arrival.
    pub(super) slot: u32,
    /// Its successor list, if that was valid when the node was generated.
    pub(super) list: SuccessorRef,
}

impl Default for QueryState {
    fn default() -> Self {
        Self {
            query: Query::new(NodeId::from_index(0), NodeId::from_index(0)),
            goal: GoalHeuristic::UNSET,
            started_on: (0, Revision::default()),
            search: 0,
            uses_tree: false,
            nodes: Vec::new(),
            open: OpenList::default(),
            transient: TransientNodes::default(),
            upper_bound: u32::MAX,
            has_met_fence: false,
            n_irregular: 0,
            nearest: (0, 0),
            stats: SearchStats::default(),
            cost_lower_bound: None,
        }
    }
}

impl QueryState {
    /// A lower bound of the optimal cost after the search ended with a path of cost `found`: a node
    /// of an optimal path with its optimal g is either the last node of the search or still open.
    pub(super) fn lower_bound(&self, found: u32) -> u32 {
        if self.goal.weight == HeuristicWeight::ONE {
            return found;
        }
        let entries = self.open.entries().filter_map(|(f, id)| {
            let node = self.nodes[id as usize];
            // Otherwise the entry is stale: a cheaper path was found since.
            (node.f == f).then(|| self.goal.scaled_lower_bound(node.g, f - node.g))
        });
        let lowest = entries.min().map(|lowest| self.goal.unscale(lowest));
        found.min(lowest.unwrap_or(found))
    }
}
