//! Relaxation of edges: all that an expansion writes, borrowed apart from the lists it reads.

use wayfarer_base::{Cost, Location, SearchEvent, SearchObserver};
use wayfarer_world::ground::{NodeId, ProfileGround};

use super::super::jps::shared::OpenList;
use super::bridge_tree::BridgeTree;
use super::goal_heuristic::GoalHeuristic;
use super::jump_point_graph::{CachedJumpPoint, JumpPointSite};
use super::query_state::SearchNode;
use super::search::is_active;
use super::searcher::CachedJpsSearcher;
use super::transient_nodes::TransientNodes;

/// Ids of jump points that are not cached begin here.
pub(super) const TRANSIENT: u32 = 1 << 28;

/// What an expansion writes, and the lists it reads.
pub(super) struct Frontier<'s> {
    /// Words of the lists, in pairs.
    pub(super) words: &'s [[u32; 2]],
    pub(super) jump_points: &'s mut [CachedJumpPoint],
    sites: &'s [JumpPointSite],
    transient: &'s mut TransientNodes,
    pub(super) nodes: &'s mut Vec<SearchNode>,
    pub(super) open: &'s mut OpenList,
    heuristic: NodeHeuristic<'s>,
    search: u32,
    /// Nodes before the expansion.
    n_before: usize,
    /// Nodes whose g was lowered.
    n_lowered: u64,
}

impl CachedJpsSearcher {
    /// Borrows what an expansion needs.
    #[inline]
    pub(super) fn frontier<'s>(&'s mut self, ground: ProfileGround<'s>) -> Frontier<'s> {
        let (cache, query) = (&mut self.cache, &mut self.query);
        Frontier {
            words: cache.graph.words.as_chunks().0,
            jump_points: &mut cache.graph.jump_points,
            sites: &cache.graph.sites,
            transient: &mut query.transient,
            n_before: query.nodes.len(),
            nodes: &mut query.nodes,
            open: &mut query.open,
            n_lowered: 0,
            search: query.search,
            heuristic: NodeHeuristic {
                ground,
                goal: &query.goal,
                tree: query.uses_tree.then_some(&cache.tree),
                tree_version: cache.tree_version,
            },
        }
    }
}

impl Frontier<'_> {
    /// The cell of a slot.
    #[cold]
    pub(super) fn cell(&self, slot: u32) -> NodeId {
        match self.sites.get((slot >> 3) as usize) {
            Some(site) => site.node,
            None => self.transient.at((slot >> 3) - TRANSIENT).site.node,
        }
    }

    /// Entries pushed onto the open list.
    pub(super) fn n_pushed(&self) -> u64 {
        (self.nodes.len() - self.n_before) as u64 + self.n_lowered
    }

    /// [`Self::relax`], with the node that was opened or improved reported to the observer.
    #[inline(always)]
    pub(super) fn relax_reporting(
        &mut self,
        observer: &mut impl SearchObserver,
        (parent, slot): (u32, u32),
        g: u64,
    ) -> bool {
        let (n_nodes, n_pushed) = (self.nodes.len(), self.n_pushed());
        let fits = self.relax(parent, slot, g);
        if is_active(observer) && self.n_pushed() > n_pushed {
            let at = Location::Cell(self.heuristic.ground.cell(self.cell(slot)));
            let base = Cost::from_units(u32::try_from(g).unwrap_or(u32::MAX));
            let cost = self.heuristic.ground.scaled(base);
            observer.on_event(match self.nodes.len() > n_nodes {
                true => SearchEvent::Opened { at, cost },
                false => SearchEvent::Improved { at, cost },
            });
        }
        fits
    }

    /// Relaxes the node of a slot, reached at cost `g` from `parent`. A node whose g falls is
    /// pushed again, also if it was expanded. False if its f exceeds 32 bits.
    #[inline(always)]
    pub(super) fn relax(&mut self, parent: u32, slot: u32, g: u64) -> bool {
        let index = (slot >> 3) as usize;
        let (jump_point, transient) = match self.jump_points.get_mut(index) {
            Some(jump_point) => (jump_point, None),
            None => {
                let transient = self.transient.at_mut((slot >> 3) - TRANSIENT);
                (&mut transient.jump_point, Some(transient.site.node))
            }
        };
        let (id, f) = if jump_point.search == self.search {
            if u64::from(jump_point.g) <= g {
                return true;
            }
            #[expect(clippy::cast_possible_truncation, reason = "less than the known g")]
            let g = g as u32;
            self.n_lowered += 1;
            jump_point.g = g;
            let node = &mut self.nodes[jump_point.node as usize];
            node.f -= node.g - g;
            (node.g, node.parent, node.slot) = (g, parent, slot);
            node.list = jump_point.list(slot);
            (jump_point.node, node.f)
        } else {
            jump_point.search = self.search;
            if self.heuristic.tree.is_some()
                && jump_point.tree_version != self.heuristic.tree_version
            {
                let node = transient.unwrap_or_else(|| self.sites[index].node);
                self.heuristic.update_component(jump_point, node);
            }
            let Some(h) = self.heuristic.h(jump_point) else {
                jump_point.g = 0;
                return true;
            };
            let Ok(f) = u32::try_from(g + self.heuristic.goal.weigh(h)) else {
                return false;
            };
            #[expect(clippy::cast_possible_truncation, reason = "less than f")]
            let g = g as u32;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "there are fewer nodes than cells"
            )]
            let id = self.nodes.len() as u32;
            (jump_point.node, jump_point.g) = (id, g);
            self.nodes.push(SearchNode {
                g,
                f,
                parent,
                slot,
                list: jump_point.list(slot),
            });
            (id, f)
        };
        self.open.push(f, id);
        true
    }
}

/// The unweighted heuristic: octile distance, and the bridge tree if the search uses it.
#[derive(Clone, Copy)]
struct NodeHeuristic<'s> {
    ground: ProfileGround<'s>,
    goal: &'s GoalHeuristic,
    tree: Option<&'s BridgeTree>,
    tree_version: u32,
}

impl NodeHeuristic<'_> {
    /// `None` if no optimal path leads there. The component of the jump point must be current if
    /// there is a tree.
    #[inline(always)]
    fn h(&self, jump_point: &CachedJumpPoint) -> Option<u64> {
        let direct = self.goal.wide_h(jump_point.x, jump_point.y);
        match self.tree {
            // At least the octile distance, which is exact where the goal is visible.
            Some(tree) => Some(
                tree.lower_bound(jump_point.component, jump_point.x, jump_point.y)?
                    .max(direct),
            ),
            None => Some(direct),
        }
    }

    #[inline(never)]
    fn update_component(&self, jump_point: &mut CachedJumpPoint, node: NodeId) {
        if let Some(tree) = self.tree {
            jump_point.component = tree.component(self.ground, node);
            jump_point.tree_version = self.tree_version;
        }
    }
}
