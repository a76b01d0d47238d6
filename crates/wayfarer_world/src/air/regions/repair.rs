//! Incremental repair of regions after an edit, layer by layer from the leaves up.

use super::{LISTED, NodeState, Regions};
use crate::air::AirError;
use crate::air::tree::{Content, Cursor, LocalVoxel, Tree, code_at, corner, reserve_one};

impl Regions {
    /// Releases groups and contacts of removed blocks: the layer of the node, and the block.
    fn release(&mut self, removed: &[(u8, u32)]) {
        for &(layer, block) in removed {
            let items = &mut self.layers[usize::from(layer) - 1];
            let Some(group) = items.groups.get_mut(block as usize) else {
                continue; // Added and removed in the same batch.
            };
            let words = [*group].into_iter().chain(items.contacts[block as usize]);
            for word in words.filter(|word| word & LISTED != 0) {
                self.pool.remove(word & !LISTED);
            }
            *group = 0;
            items.contacts[block as usize] = [0; 3];
        }
    }

    /// Recomputes groups and contacts that depend on dirty nodes.
    ///
    /// `nodes` are the layers and codes of nodes whose blocks changed, appeared or vanished;
    /// `removed` the layers and indices of removed blocks.
    pub(in crate::air) fn repair(
        &mut self,
        tree: &Tree,
        nodes: &mut Vec<(u8, u64)>,
        removed: &[(u8, u32)],
    ) -> Result<(), AirError> {
        self.release(removed);
        nodes.sort_unstable();
        nodes.dedup();
        let mut scratch = std::mem::take(&mut self.scratch);
        let (mut current, mut next) = (
            std::mem::take(&mut scratch.current),
            std::mem::take(&mut scratch.next),
        );
        self.scratch = scratch;
        next.clear();
        let mut rest = &nodes[..];
        let mut result = Ok(());
        for layer in 1..=tree.top {
            std::mem::swap(&mut current, &mut next);
            next.clear();
            while let Some(((_, code), others)) = rest.split_first().filter(|(n, _)| n.0 == layer) {
                reserve_one(&mut current);
                current.push(*code);
                rest = others;
            }
            current.sort_unstable();
            current.dedup();
            if current.is_empty() && rest.is_empty() {
                break;
            }
            result = self.repair_layer(tree, layer, &current, &mut next);
            if result.is_err() {
                break;
            }
        }
        self.scratch.current = current;
        self.scratch.next = next;
        result
    }

    /// Recomputes nodes of one layer; appends the codes of parents to recompute to `next`.
    fn repair_layer(
        &mut self,
        tree: &Tree,
        layer: u8,
        current: &[u64],
        next: &mut Vec<u64>,
    ) -> Result<(), AirError> {
        let count = self.n_blocks(tree, layer);
        let items = &mut self.layers[usize::from(layer) - 1];
        while items.groups.len() < count {
            reserve_one(&mut items.groups);
            items.groups.push(0);
            reserve_one(&mut items.contacts);
            items.contacts.push([0; 3]);
        }
        let mut mark_parent = |code: u64| {
            if next.last() != Some(&(code >> 3)) {
                reserve_one(next);
                next.push(code >> 3);
            }
        };
        let mut cursor = Cursor::new(tree);
        for &code in current {
            self.scratch.own_block = None;
            if let Content::Block(block) = cursor.content(layer, corner(layer, code))
                && self.update_group(tree, layer, block)?
            {
                mark_parent(code);
            }
        }
        for &code in current {
            let low = corner(layer, code);
            let own = self.node_state_near(&mut cursor, layer, low);
            if let (1, NodeState::Split(block)) = (layer, own) {
                self.cache_regions(tree, block);
            }
            let mut changed = false;
            for axis in 0..3 {
                if let NodeState::Split(block) = own {
                    let other = self.neighbor_state(&mut cursor, layer, low, (axis, true));
                    changed |= self.update_contacts(tree, layer, (block, other), axis)?;
                }
                // A scheduled neighbor updates this contact itself.
                if let NodeState::Split(block) =
                    self.neighbor_state(&mut cursor, layer, low, (axis, false))
                    && !is_scheduled(current, layer, low, axis)
                {
                    changed |= self.update_contacts(tree, layer, (block, own), axis)?;
                }
            }
            if changed {
                mark_parent(code);
            }
        }
        Ok(())
    }

    fn update_contacts(
        &mut self,
        tree: &Tree,
        layer: u8,
        (low, high): (u32, NodeState),
        axis: usize,
    ) -> Result<bool, AirError> {
        if let NodeState::Split(high) = high {
            return self.recompute_contacts(tree, layer, (low, high), axis);
        }
        let slot = &mut self.layers[usize::from(layer) - 1].contacts[low as usize][axis];
        let word = std::mem::take(slot);
        if word & LISTED != 0 {
            self.pool.remove(word & !LISTED);
        }
        Ok(word != 0)
    }

    /// Recomputes the group of a split node; true if its open regions changed.
    fn update_group(&mut self, tree: &Tree, layer: u8, block: u32) -> Result<bool, AirError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = self
            .compute_group(tree, layer, block, &mut scratch)
            .and_then(|head| self.store_group(tree, layer, block, (head, &scratch)));
        self.scratch = scratch;
        result
    }

    /// Recomputes the contacts of two split nodes, `low` below `high` along `axis`; true if they
    /// changed.
    fn recompute_contacts(
        &mut self,
        tree: &Tree,
        layer: u8,
        (low, high): (u32, u32),
        axis: usize,
    ) -> Result<bool, AirError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.compute_contacts_between(tree, layer, (low, high), (axis, &mut scratch));
        let result = self.store_contacts(tree, layer, (low, axis), &scratch.pairs);
        self.scratch = scratch;
        result
    }

    /// Caches the regions of a block for its six contacts, if it has several.
    fn cache_regions(&mut self, tree: &Tree, block: u32) {
        if self.group(1, block).n_regions() > 1 {
            let mut own = std::mem::take(&mut self.scratch.own);
            let n_open = self.split_block(tree, block, &mut own);
            self.scratch.own = own;
            self.scratch.own_block = Some((block, n_open));
        }
    }
}

/// True if the next node down along `axis` is in `current`, which is sorted.
fn is_scheduled(current: &[u64], layer: u8, low: LocalVoxel, axis: usize) -> bool {
    let mut at = low;
    at[axis] -= 4 << layer;
    current.binary_search(&code_at(layer, at)).is_ok()
}
