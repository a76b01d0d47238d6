//! Making all regions of a tree, by several threads if wanted.

use std::ops::Range;

use super::make::{Head, code_of};
use super::{Layer, Part, Pool, Regions, Scratch};
use crate::air::AirError;
use crate::air::tree::{Cursor, Tree, corner};

/// Blocks of a layer below which threads do not pay.
const WORTH_IT: usize = 1_024;

/// Groups made for a range of blocks, one after the other.
#[derive(Default)]
struct Groups {
    heads: Vec<(u32, Head)>,
    faces: Vec<u8>,
    numbers: Vec<u32>,
}

/// Contacts made for a range of blocks: block, axis and how many pairs.
#[derive(Default)]
struct Contacts {
    heads: Vec<(u32, usize, usize)>,
    pairs: Vec<(u16, u16)>,
}

impl Regions {
    /// The regions of a tree whose free space ends at `size`; the same for any number of threads.
    /// `layer_done` is told of each layer.
    pub(in crate::air) fn build(
        tree: &Tree,
        size: [u32; 3],
        (n_threads, layer_done): (usize, &mut dyn FnMut(u8)),
    ) -> Result<Self, AirError> {
        let mut layers = Vec::with_capacity(usize::from(tree.top));
        layers.resize_with(usize::from(tree.top), Layer::default);
        let mut regions = Self {
            layers,
            pool: Pool::default(),
            size,
            scratch: Scratch::default(),
            n_redone: 0,
        };
        for layer in 1..=tree.top {
            let count = regions.n_blocks(tree, layer);
            let items = &mut regions.layers[usize::from(layer) - 1];
            items.groups.reserve_exact(count);
            items.groups.resize(count, 0);
            items.contacts.reserve_exact(count);
            items.contacts.resize(count, [0; 3]);
            let made = in_parts(count, n_threads, |range| {
                regions.groups_of(tree, layer, range)
            });
            for groups in made {
                regions.take_groups(tree, layer, groups?)?;
            }
            let made = in_parts(count, n_threads, |range| {
                regions.contacts_in(tree, layer, range)
            });
            for contacts in made {
                let mut pairs = &contacts.pairs[..];
                for (block, axis, count) in contacts.heads {
                    let (own, rest) = pairs.split_at(count);
                    regions.put_contacts(tree, layer, (block, axis), own)?;
                    pairs = rest;
                }
            }
            layer_done(layer);
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

    fn groups_of(&self, tree: &Tree, layer: u8, range: Range<u32>) -> Result<Groups, AirError> {
        let mut scratch = Scratch::default();
        let mut groups = Groups::default();
        for block in range.filter(|&block| is_used(tree, layer, block)) {
            let head = self.make_group(tree, layer, block, &mut scratch)?;
            groups.heads.push((block, head));
            groups.faces.extend(&scratch.faces);
            groups.numbers.extend(&scratch.numbers);
        }
        Ok(groups)
    }

    fn take_groups(&mut self, tree: &Tree, layer: u8, groups: Groups) -> Result<(), AirError> {
        let mut scratch = Scratch::default();
        let (mut faces, mut numbers) = (&groups.faces[..], &groups.numbers[..]);
        for (block, head) in groups.heads {
            scratch.faces.clear();
            scratch.faces.extend(&faces[..head.n_open]);
            faces = &faces[head.n_open..];
            scratch.numbers.clear();
            scratch.numbers.extend(&numbers[..head.starts[8]]);
            numbers = &numbers[head.starts[8]..];
            self.put_group(tree, layer, block, (head, &scratch))?;
        }
        Ok(())
    }

    fn contacts_in(&self, tree: &Tree, layer: u8, range: Range<u32>) -> Contacts {
        let mut scratch = Scratch::default();
        let mut cursor = Cursor::new(tree);
        let mut contacts = Contacts::default();
        for block in range.filter(|&block| is_used(tree, layer, block)) {
            let low = corner(layer, code_of(tree, layer, block));
            for axis in 0..3 {
                let beside = self.beside(&mut cursor, layer, low, (axis, true));
                if let Part::Split(other) = beside {
                    self.make_contacts(tree, layer, (block, other), (axis, &mut scratch));
                    contacts.heads.push((block, axis, scratch.pairs.len()));
                    contacts.pairs.extend(&scratch.pairs);
                }
            }
        }
        contacts
    }
}

/// Does work on 0 to `count` in parts, each by a thread of its own; results in order.
fn in_parts<T: Send>(
    count: usize,
    n_threads: usize,
    work: impl Fn(Range<u32>) -> T + Sync,
) -> Vec<T> {
    let end = u32::try_from(count).expect("a layer has at most 2^19 blocks");
    if n_threads < 2 || count < WORTH_IT {
        return vec![work(0..end)];
    }
    let n_parts = u32::try_from(n_threads.min(64)).expect("at most 64");
    let part = |n: u32| {
        let at = |n: u32| u32::try_from(u64::from(end) * u64::from(n) / u64::from(n_parts));
        at(n).expect("not above the end")..at(n + 1).expect("not above the end")
    };
    crate::air::build::in_threads(n_parts as usize, |n| {
        work(part(u32::try_from(n).expect("at most 64")))
    })
}

fn is_used(tree: &Tree, layer: u8, block: u32) -> bool {
    match layer {
        1 => tree.leaves.is_used(block),
        _ => tree.inner[usize::from(layer) - 2].is_used(block),
    }
}
