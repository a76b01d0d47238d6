//! Making regions anew around what changed.

use super::{LISTED, Part, Regions};
use crate::air::AirError;
use crate::air::tree::{At, Content, Cursor, Tree, code_at, corner, grow};

impl Regions {
    /// Forgets what is known about blocks that went: layer of the node, and number.
    fn forget(&mut self, gone: &[(u8, u32)]) {
        for &(layer, block) in gone {
            let items = &mut self.layers[usize::from(layer) - 1];
            let Some(group) = items.groups.get_mut(block as usize) else {
                continue; // It came and went in the same batch.
            };
            let words = [*group].into_iter().chain(items.contacts[block as usize]);
            for word in words.filter(|word| word & LISTED != 0) {
                self.pool.remove(word & !LISTED);
            }
            *group = 0;
            items.contacts[block as usize] = [0; 3];
        }
    }

    /// Redoes what depends on nodes whose blocks changed, came or went.
    ///
    /// `nodes` are their layers and codes, `gone` the layers and numbers of blocks that went.
    pub(in crate::air) fn repair(
        &mut self,
        tree: &Tree,
        nodes: &mut Vec<(u8, u64)>,
        gone: &[(u8, u32)],
    ) -> Result<(), AirError> {
        self.forget(gone);
        nodes.sort_unstable();
        nodes.dedup();
        let mut scratch = std::mem::take(&mut self.scratch);
        let (mut now, mut next) = (
            std::mem::take(&mut scratch.now),
            std::mem::take(&mut scratch.next),
        );
        self.scratch = scratch;
        next.clear();
        let mut rest = &nodes[..];
        let mut result = Ok(());
        for layer in 1..=tree.top {
            std::mem::swap(&mut now, &mut next);
            next.clear();
            while let Some(((_, code), others)) = rest.split_first().filter(|(n, _)| n.0 == layer) {
                grow(&mut now);
                now.push(*code);
                rest = others;
            }
            now.sort_unstable();
            now.dedup();
            if now.is_empty() && rest.is_empty() {
                break;
            }
            result = self.repair_layer(tree, layer, &now, &mut next);
            if result.is_err() {
                break;
            }
        }
        self.scratch.now = now;
        self.scratch.next = next;
        result
    }

    /// Redoes nodes of one layer; adds the codes of parents that must follow to `next`.
    fn repair_layer(
        &mut self,
        tree: &Tree,
        layer: u8,
        now: &[u64],
        next: &mut Vec<u64>,
    ) -> Result<(), AirError> {
        let count = self.n_blocks(tree, layer);
        let items = &mut self.layers[usize::from(layer) - 1];
        while items.groups.len() < count {
            grow(&mut items.groups);
            items.groups.push(0);
            grow(&mut items.contacts);
            items.contacts.push([0; 3]);
        }
        let mut follow = |code: u64| {
            if next.last() != Some(&(code >> 3)) {
                grow(next);
                next.push(code >> 3);
            }
        };
        let mut cursor = Cursor::new(tree);
        for &code in now {
            self.scratch.own_is = None;
            if let Content::Block(block) = cursor.content(layer, corner(layer, code))
                && self.regroup(tree, layer, block)?
            {
                follow(code);
            }
        }
        for &code in now {
            let low = corner(layer, code);
            let own = self.part_near(&mut cursor, layer, low);
            if let (1, Part::Split(block)) = (layer, own) {
                self.keep_regions(tree, block);
            }
            let mut changed = false;
            for axis in 0..3 {
                if let Part::Split(block) = own {
                    let other = self.beside(&mut cursor, layer, low, (axis, true));
                    changed |= self.join(tree, layer, (block, other), axis)?;
                }
                // A neighbor that is on the list sees to this contact as its own.
                if let Part::Split(block) = self.beside(&mut cursor, layer, low, (axis, false))
                    && !is_listed(now, layer, low, axis)
                {
                    changed |= self.join(tree, layer, (block, own), axis)?;
                }
            }
            if changed {
                follow(code);
            }
        }
        Ok(())
    }

    fn join(
        &mut self,
        tree: &Tree,
        layer: u8,
        (low, high): (u32, Part),
        axis: usize,
    ) -> Result<bool, AirError> {
        if let Part::Split(high) = high {
            return self.meet(tree, layer, (low, high), axis);
        }
        let place = &mut self.layers[usize::from(layer) - 1].contacts[low as usize][axis];
        let word = std::mem::take(place);
        if word & LISTED != 0 {
            self.pool.remove(word & !LISTED);
        }
        Ok(word != 0)
    }

    /// Redoes the group of a split node; true if its open regions are not what they were.
    fn regroup(&mut self, tree: &Tree, layer: u8, block: u32) -> Result<bool, AirError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = self
            .make_group(tree, layer, block, &mut scratch)
            .and_then(|head| self.put_group(tree, layer, block, (head, &scratch)));
        self.scratch = scratch;
        result
    }

    /// Redoes the contacts of two split nodes, `low` below `high` along `axis`; true if they are
    /// not what they were.
    fn meet(
        &mut self,
        tree: &Tree,
        layer: u8,
        (low, high): (u32, u32),
        axis: usize,
    ) -> Result<bool, AirError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.make_contacts(tree, layer, (low, high), (axis, &mut scratch));
        let result = self.put_contacts(tree, layer, (low, axis), &scratch.pairs);
        self.scratch = scratch;
        result
    }

    /// Makes the regions of eight leaves ready for several contacts, if there is more than one.
    fn keep_regions(&mut self, tree: &Tree, block: u32) {
        if self.group(1, block).n_regions() > 1 {
            let mut own = std::mem::take(&mut self.scratch.own);
            let n_open = self.regions_of(tree, block, &mut own);
            self.scratch.own = own;
            self.scratch.own_is = Some((block, n_open));
        }
    }
}

/// True if the next node down along `axis` is among `now`, which is sorted.
fn is_listed(now: &[u64], layer: u8, low: At, axis: usize) -> bool {
    let mut at = low;
    at[axis] -= 4 << layer;
    now.binary_search(&code_at(layer, at)).is_ok()
}
