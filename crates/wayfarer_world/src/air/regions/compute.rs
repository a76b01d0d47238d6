//! Computes groups and contacts without storing them, so that threads can work concurrently; the
//! `store_` functions write the results. Children's regions are united by union-find.

use super::block::{self, BlockVoxels};
use super::{LISTED, NodeState, PAIR, Regions, Scratch};
use crate::air::AirError;
use crate::air::tree::{Tree, corner, reserve_one};

/// Maximum number of regions of one node, and of contacts between two.
const MAX_REGIONS: usize = u16::MAX as usize;

/// The counts of a group. The scratch holds the faces of its open regions and, above layer 1, the
/// region numbers of its children's open regions.
#[derive(Clone, Copy)]
pub(super) struct GroupHeader {
    pub(super) n_open: usize,
    pub(super) n_closed: usize,
    /// The first index of each child's numbers, and the end.
    pub(super) starts: [usize; 9],
}

impl Regions {
    /// Computes the group of a split node.
    pub(super) fn compute_group(
        &self,
        tree: &Tree,
        layer: u8,
        block: u32,
        scratch: &mut Scratch,
    ) -> Result<GroupHeader, AirError> {
        if layer > 1 {
            return self.compute_inner_group(tree, layer, block, scratch);
        }
        scratch.own_block = None;
        let n_open = block::split(&self.free_voxels(tree, block), &mut scratch.own);
        scratch.faces.clear();
        let open = scratch.own[..n_open].iter();
        scratch.faces.extend(open.map(block::faces));
        scratch.numbers.clear();
        Ok(GroupHeader {
            n_open,
            n_closed: scratch.own.len() - n_open,
            starts: [0; 9],
        })
    }

    fn compute_inner_group(
        &self,
        tree: &Tree,
        layer: u8,
        block: u32,
        scratch: &mut Scratch,
    ) -> Result<GroupHeader, AirError> {
        let slots = tree.inner[usize::from(layer) - 2].items[block as usize];
        let code = tree.inner[usize::from(layer) - 2].codes[block as usize];
        let below = layer - 1;
        let states: [NodeState; 8] = std::array::from_fn(|child| {
            self.child_state(below, slots[child], code << 3 | child as u64)
        });
        let mut starts = [0_usize; 9];
        for child in 0..8 {
            let count = match states[child] {
                NodeState::Blocked => 0,
                NodeState::Free(_) => 1,
                NodeState::Split(block) => self.group(below, block).n_open() as usize,
            };
            starts[child + 1] = starts[child] + count;
        }
        let total = starts[8];
        let too_many = AirError::TooManyRegions {
            layer,
            at: corner(layer, code),
        };
        let parents = &mut scratch.parents;
        parents.clear();
        parents.extend(0..u32::try_from(total).unwrap_or(u32::MAX));
        for axis in 0..3 {
            for child in (0..8).filter(|child| child >> axis & 1 == 0) {
                let other = child | 1 << axis;
                self.for_each_contact(below, (states[child], states[other]), axis, |r, s| {
                    unite(
                        parents,
                        starts[child] + r as usize,
                        starts[other] + s as usize,
                    );
                });
            }
        }
        // The outer faces that each set reaches, stored at its first member.
        let numbers = &mut scratch.numbers;
        numbers.clear();
        numbers.resize(total, 0);
        for child in 0..8 {
            let outer = OUTER[child];
            for member in starts[child]..starts[child + 1] {
                let faces = match states[child] {
                    NodeState::Split(block) => {
                        let region = u32::try_from(member - starts[child]).unwrap_or(u32::MAX);
                        self.group(below, block).faces(region)
                    }
                    NodeState::Free(faces) => faces,
                    NodeState::Blocked => 0,
                };
                let first = find(parents, member);
                numbers[first] |= u32::from(faces & outer);
            }
        }
        let faces = &mut scratch.faces;
        faces.clear();
        let mut n_closed = 0;
        // Open sets are numbered first, each kind by first member.
        for (member, number) in numbers.iter_mut().enumerate() {
            if find(parents, member) != member {
                continue;
            }
            if *number == 0 {
                *number = CLOSED | n_closed;
                n_closed += 1;
            } else {
                faces.push((*number & 63) as u8);
                *number = u32::try_from(faces.len() - 1).unwrap_or(u32::MAX);
            }
        }
        if faces.len() + n_closed as usize > MAX_REGIONS || total > MAX_REGIONS {
            return Err(too_many);
        }
        let n_open = u32::try_from(faces.len()).unwrap_or(u32::MAX);
        for member in 0..total {
            let first = find(parents, member);
            if first == member {
                if numbers[member] & CLOSED != 0 {
                    numbers[member] = n_open + (numbers[member] & !CLOSED);
                }
            } else {
                numbers[member] = numbers[first];
            }
        }
        Ok(GroupHeader {
            n_open: faces.len(),
            n_closed: n_closed as usize,
            starts,
        })
    }

    /// Stores a group; true if its open regions changed.
    pub(super) fn store_group(
        &mut self,
        tree: &Tree,
        layer: u8,
        block: u32,
        (head, scratch): (GroupHeader, &Scratch),
    ) -> Result<bool, AirError> {
        self.n_rebuilt += 1;
        let children = (layer > 1).then_some((&head.starts, &scratch.numbers[..]));
        let old = self.group(layer, block);
        let same = old.n_open() as usize == head.n_open
            && (0..)
                .zip(&scratch.faces)
                .all(|(region, faces)| old.faces(region) == *faces);
        let old = old.word;
        let word = self
            .group_word((&scratch.faces, head.n_closed), children)
            .ok_or_else(|| AirError::TooManyRegions {
                layer,
                at: corner(layer, block_code(tree, layer, block)),
            })?;
        if old & LISTED != 0 {
            self.pool.remove(old & !LISTED);
        }
        self.layers[usize::from(layer) - 1].groups[block as usize] = word;
        Ok(!same)
    }

    /// Encodes a group, with a list in the pool if needed; `None` if that is full.
    fn group_word(
        &mut self,
        (faces, n_closed): (&[u8], usize),
        children: Option<(&[usize; 9], &[u32])>,
    ) -> Option<u32> {
        let narrow = |number: usize| u16::try_from(number).ok();
        let fits = match children {
            None => faces.len() <= 3,
            Some(_) => faces.len() + n_closed <= 1,
        };
        if fits {
            let mut word = u32::from(narrow(faces.len())?) | u32::from(narrow(n_closed)?) << 20;
            for (region, faces) in faces.iter().enumerate() {
                word |= u32::from(*faces) << (2 + 6 * region);
            }
            return Some(word);
        }
        let counts = [narrow(faces.len())?, narrow(n_closed)?];
        let faces = faces.iter().map(|faces| u16::from(*faces));
        let slot = if let Some((starts, numbers)) = children {
            let len = 10 + faces.len() + numbers.len();
            let mut firsts = [0; 8];
            for (first, start) in firsts.iter_mut().zip(starts) {
                *first = narrow(*start)?;
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most `MAX_REGIONS`")]
            let numbers = numbers.iter().map(|number| *number as u16);
            let list = counts.into_iter().chain(firsts).chain(faces).chain(numbers);
            self.pool.add(list, len)?
        } else {
            let len = 2 + faces.len();
            self.pool.add(counts.into_iter().chain(faces), len)?
        };
        Some(slot | LISTED)
    }

    /// Computes the contacts of two split nodes, `low` below `high` along `axis`, into
    /// `scratch.pairs`, sorted.
    pub(super) fn compute_contacts_between(
        &self,
        tree: &Tree,
        layer: u8,
        nodes: (u32, u32),
        (axis, scratch): (usize, &mut Scratch),
    ) {
        scratch.pairs.clear();
        if layer == 1 {
            self.compute_leaf_contacts(tree, nodes, axis, scratch);
        } else {
            self.compute_inner_contacts(tree, layer, nodes, axis, &mut scratch.pairs);
            scratch.pairs.sort_unstable();
            scratch.pairs.dedup();
        }
    }

    /// Stores contacts; true if they changed.
    pub(super) fn store_contacts(
        &mut self,
        tree: &Tree,
        layer: u8,
        (block, axis): (u32, usize),
        pairs: &[(u16, u16)],
    ) -> Result<bool, AirError> {
        self.n_rebuilt += 1;
        let wide = |&(r, s): &(u16, u16)| (u32::from(r), u32::from(s));
        if self.contacts(layer, block, axis).eq(pairs.iter().map(wide)) {
            return Ok(false);
        }
        let word = self
            .contact_word(pairs)
            .ok_or_else(|| AirError::TooManyRegions {
                layer,
                at: corner(layer, block_code(tree, layer, block)),
            })?;
        let slot = &mut self.layers[usize::from(layer) - 1].contacts[block as usize][axis];
        let old = std::mem::replace(slot, word);
        if old & LISTED != 0 {
            self.pool.remove(old & !LISTED);
        }
        Ok(true)
    }

    fn contact_word(&mut self, pairs: &[(u16, u16)]) -> Option<u32> {
        Some(match pairs {
            [] => 0,
            &[(r, s)] if r < 1 << 15 && s < 1 << 15 => PAIR | u32::from(r) << 15 | u32::from(s),
            _ => {
                let count = u16::try_from(pairs.len()).ok()?;
                let flat = pairs.iter().flat_map(|&(r, s)| [r, s]);
                let list = std::iter::once(count).chain(flat);
                self.pool.add(list, 1 + 2 * pairs.len())? | LISTED
            }
        })
    }

    fn compute_leaf_contacts(
        &self,
        tree: &Tree,
        (low, high): (u32, u32),
        axis: usize,
        scratch: &mut Scratch,
    ) {
        let is_single = |block: u32| self.group(1, block).n_regions() == 1;
        if is_single(low) && is_single(high) {
            if block::touches(
                &self.free_voxels(tree, low),
                &self.free_voxels(tree, high),
                axis,
            ) {
                reserve_one(&mut scratch.pairs);
                scratch.pairs.push((0, 0));
            }
            return;
        }
        // Consecutive calls often share one of the two blocks.
        let cached = match scratch.own_block {
            Some((block, _)) if block == high => high,
            _ => low,
        };
        let n_own = match scratch.own_block {
            Some((block, n_open)) if block == cached => n_open,
            _ => self.split_block(tree, cached, &mut scratch.own),
        };
        scratch.own_block = Some((cached, n_own));
        let uncached = if cached == low { high } else { low };
        let n_other = self.split_block(tree, uncached, &mut scratch.other);
        let (own, other) = (&scratch.own[..n_own], &scratch.other[..n_other]);
        let (below, above) = if cached == low {
            (own, other)
        } else {
            (other, own)
        };
        let pairs = &mut scratch.pairs;
        block::for_each_contact(below, above, axis, |r, s| {
            reserve_one(pairs);
            pairs.push((r, s));
        });
    }

    /// The regions of a block of leaves; returns the number of open regions.
    pub(in crate::air) fn split_block(
        &self,
        tree: &Tree,
        block: u32,
        into: &mut Vec<BlockVoxels>,
    ) -> usize {
        let free = self.free_voxels(tree, block);
        let group = self.group(1, block);
        if group.n_regions() == 1 {
            into.clear();
            into.push(free);
            return group.n_open() as usize;
        }
        block::split(&free, into)
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most `MAX_REGIONS`")]
    fn compute_inner_contacts(
        &self,
        tree: &Tree,
        layer: u8,
        (low, high): (u32, u32),
        axis: usize,
        pairs: &mut Vec<(u16, u16)>,
    ) {
        let below = layer - 1;
        let blocks = &tree.inner[usize::from(layer) - 2];
        let (slots, code) = (blocks.items[low as usize], blocks.codes[low as usize]);
        let (others, other_code) = (blocks.items[high as usize], blocks.codes[high as usize]);
        let (group, other_group) = (self.group(layer, low), self.group(layer, high));
        for child in (0..8_usize).filter(|child| child >> axis & 1 == 1) {
            let adjacent = child ^ 1 << axis;
            let part = self.child_state(below, slots[child], code << 3 | child as u64);
            let other =
                self.child_state(below, others[adjacent], other_code << 3 | adjacent as u64);
            self.for_each_contact(below, (part, other), axis, |r, s| {
                reserve_one(pairs);
                pairs.push((
                    group.parent_region(child, r) as u16,
                    other_group.parent_region(adjacent, s) as u16,
                ));
            });
        }
    }
}

/// Per child, the faces of the parent that it lies on.
const OUTER: [u8; 8] = [0o25, 0o26, 0o31, 0o32, 0o45, 0o46, 0o51, 0o52];

/// Flags a closed set while open ones are still being counted.
const CLOSED: u32 = 1 << 31;

/// The representative of a set: its first member. Path halving.
fn find(parents: &mut [u32], mut member: usize) -> usize {
    while parents[member] as usize != member {
        parents[member] = parents[parents[member] as usize];
        member = parents[member] as usize;
    }
    member
}

/// Unites two sets under their first member.
fn unite(parents: &mut [u32], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    let (first, second) = (a.min(b), a.max(b));
    parents[second] = parents[first];
}

/// The code of the node whose children a block holds.
pub(super) fn block_code(tree: &Tree, layer: u8, block: u32) -> u64 {
    match layer {
        1 => tree.leaves.codes[block as usize],
        _ => tree.inner[usize::from(layer) - 2].codes[block as usize],
    }
}
