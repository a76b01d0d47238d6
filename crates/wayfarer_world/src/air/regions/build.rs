//! Builds the regions of a whole tree bottom-up, each layer on several threads if wanted.

use std::ops::Range;

use super::compute::{GroupHeader, block_code};
use super::{Layer, NodeState, Pool, Regions, Scratch};
use crate::air::AirError;
use crate::air::tree::{Cursor, Tree, corner};

/// Layers with fewer blocks are computed by the calling thread.
const MIN_PARALLEL_BLOCKS: usize = 1_024;

/// Groups of a range of blocks, concatenated.
#[derive(Default)]
struct GroupBatch {
    heads: Vec<(u32, GroupHeader)>,
    faces: Vec<u8>,
    numbers: Vec<u32>,
}

/// Contacts of a range of blocks: block, axis and number of pairs, and the pairs concatenated.
#[derive(Default)]
struct ContactBatch {
    heads: Vec<(u32, usize, usize)>,
    pairs: Vec<(u16, u16)>,
}

impl Regions {
    /// The regions of a tree whose free space ends at `size`; the result does not depend on
    /// `n_threads`. Calls `on_layer` after each layer.
    pub(in crate::air) fn build(
        tree: &Tree,
        size: [u32; 3],
        (n_threads, on_layer): (usize, &mut dyn FnMut(u8)),
    ) -> Result<Self, AirError> {
        let mut layers = Vec::with_capacity(usize::from(tree.top));
        layers.resize_with(usize::from(tree.top), Layer::default);
        let mut regions = Self {
            layers,
            pool: Pool::default(),
            size,
            scratch: Scratch::default(),
            n_rebuilt: 0,
        };
        for layer in 1..=tree.top {
            let count = regions.n_blocks(tree, layer);
            let items = &mut regions.layers[usize::from(layer) - 1];
            items.groups.reserve_exact(count);
            items.groups.resize(count, 0);
            items.contacts.reserve_exact(count);
            items.contacts.resize(count, [0; 3]);
            let results = run_ranges(count, n_threads, |range| {
                regions.compute_groups(tree, layer, range)
            });
            for groups in results {
                regions.store_groups(tree, layer, groups?)?;
            }
            let results = run_ranges(count, n_threads, |range| {
                regions.compute_contacts(tree, layer, range)
            });
            for contacts in results {
                let mut pairs = &contacts.pairs[..];
                for (block, axis, count) in contacts.heads {
                    let (own, rest) = pairs.split_at(count);
                    regions.store_contacts(tree, layer, (block, axis), own)?;
                    pairs = rest;
                }
            }
            on_layer(layer);
        }
        regions.pool.shrink();
        Ok(regions)
    }

    pub(super) fn n_blocks(&self, tree: &Tree, layer: u8) -> usize {
        match layer {
            1 => tree.leaves.items.len(),
            _ => tree.inner[usize::from(layer) - 2].items.len(),
        }
    }

    fn compute_groups(
        &self,
        tree: &Tree,
        layer: u8,
        range: Range<u32>,
    ) -> Result<GroupBatch, AirError> {
        let mut scratch = Scratch::default();
        let mut groups = GroupBatch::default();
        for block in range.filter(|&block| is_used(tree, layer, block)) {
            let head = self.compute_group(tree, layer, block, &mut scratch)?;
            groups.heads.push((block, head));
            groups.faces.extend(&scratch.faces);
            groups.numbers.extend(&scratch.numbers);
        }
        Ok(groups)
    }

    fn store_groups(&mut self, tree: &Tree, layer: u8, groups: GroupBatch) -> Result<(), AirError> {
        let mut scratch = Scratch::default();
        let (mut faces, mut numbers) = (&groups.faces[..], &groups.numbers[..]);
        for (block, head) in groups.heads {
            scratch.faces.clear();
            scratch.faces.extend(&faces[..head.n_open]);
            faces = &faces[head.n_open..];
            scratch.numbers.clear();
            scratch.numbers.extend(&numbers[..head.starts[8]]);
            numbers = &numbers[head.starts[8]..];
            self.store_group(tree, layer, block, (head, &scratch))?;
        }
        Ok(())
    }

    fn compute_contacts(&self, tree: &Tree, layer: u8, range: Range<u32>) -> ContactBatch {
        let mut scratch = Scratch::default();
        let mut cursor = Cursor::new(tree);
        let mut contacts = ContactBatch::default();
        for block in range.filter(|&block| is_used(tree, layer, block)) {
            let low = corner(layer, block_code(tree, layer, block));
            for axis in 0..3 {
                let neighbor = self.neighbor_state(&mut cursor, layer, low, (axis, true));
                if let NodeState::Split(other) = neighbor {
                    self.compute_contacts_between(
                        tree,
                        layer,
                        (block, other),
                        (axis, &mut scratch),
                    );
                    contacts.heads.push((block, axis, scratch.pairs.len()));
                    contacts.pairs.extend(&scratch.pairs);
                }
            }
        }
        contacts
    }
}

/// Runs `work` on contiguous ranges that cover 0 to `count`, each on its own thread; results in
/// order.
fn run_ranges<T: Send>(
    count: usize,
    n_threads: usize,
    work: impl Fn(Range<u32>) -> T + Sync,
) -> Vec<T> {
    let end = u32::try_from(count).expect("a layer has at most 2^19 blocks");
    if n_threads < 2 || count < MIN_PARALLEL_BLOCKS {
        return vec![work(0..end)];
    }
    let n_parts = u32::try_from(n_threads.min(64)).expect("at most 64");
    let part = |n: u32| {
        let at = |n: u32| u32::try_from(u64::from(end) * u64::from(n) / u64::from(n_parts));
        at(n).expect("not above the end")..at(n + 1).expect("not above the end")
    };
    crate::air::build::run_threads(n_parts as usize, |n| {
        work(part(u32::try_from(n).expect("at most 64")))
    })
}

fn is_used(tree: &Tree, layer: u8, block: u32) -> bool {
    match layer {
        1 => tree.leaves.is_used(block),
        _ => tree.inner[usize::from(layer) - 2].is_used(block),
    }
}
