//! Jump points of one search that are not cached: the start, irregular cells, and what exceeds the
//! cache limit.

#![expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer jump points than cells"
)]

use wayfarer_world::ground::NodeId;

use super::jump_point_graph::{CachedJumpPoint, JumpPointSite, hash_node};
use super::successor_scan::JumpEdge;

/// The transient nodes of one search, by node id. Clearing is O(1): table entries carry the
/// generation of the search that wrote them.
#[derive(Clone, Debug, Default)]
pub(super) struct TransientNodes {
    list: Vec<TransientNode>,
    /// Open addressing: generation and index.
    table: Vec<(u32, u32)>,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TransientNode {
    pub(super) jump_point: CachedJumpPoint,
    pub(super) site: JumpPointSite,
}

impl TransientNodes {
    /// Removes all nodes; keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.table.fill((0, 0));
            self.generation = 1;
        }
    }

    #[inline]
    pub(super) fn at(&self, index: u32) -> &TransientNode {
        &self.list[index as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, index: u32) -> &mut TransientNode {
        &mut self.list[index as usize]
    }

    /// The transient node of a cell, if there is one.
    #[inline]
    pub(super) fn find(&self, node: NodeId) -> Option<u32> {
        if let [only] = &self.list[..] {
            return (only.site.node == node).then_some(0);
        }
        let mask = self.table.len().checked_sub(1)?;
        let mut at = hash_node(node, mask);
        loop {
            let (generation, index) = self.table[at];
            if generation != self.generation {
                return None;
            }
            if self.list[index as usize].site.node == node {
                return Some(index);
            }
            at = (at + 1) & mask;
        }
    }

    /// The transient node at the end of an edge, inserted if it is new; stores its directions.
    pub(super) fn find_or_insert(&mut self, edge: &JumpEdge) -> u32 {
        if (self.list.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash_node(edge.node, mask);
        loop {
            let (generation, index) = self.table[at];
            if generation != self.generation {
                break;
            }
            let site = &mut self.list[index as usize].site;
            if site.node == edge.node {
                site.set_directions(edge);
                return index;
            }
            at = (at + 1) & mask;
        }
        let index = self.list.len() as u32;
        self.table[at] = (self.generation, index);
        self.list.push(TransientNode {
            jump_point: CachedJumpPoint::new(edge),
            site: JumpPointSite::new(edge),
        });
        index
    }

    #[inline]
    fn insert_into_table(&mut self, index: u32) {
        let mask = self.table.len() - 1;
        let mut at = hash_node(self.list[index as usize].site.node, mask);
        while self.table[at].0 == self.generation {
            at = (at + 1) & mask;
        }
        self.table[at] = (self.generation, index);
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.reserve_exact(size);
        self.table.resize(size, (0, 0));
        self.generation = 1;
        for index in 0..self.list.len() as u32 {
            self.insert_into_table(index);
        }
    }
}
