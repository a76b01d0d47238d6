//! Making regions anew: all of them, or those around what changed.

use super::block::{self, Eight};
use super::{LISTED, Layer, PAIR, Part, Pool, Regions, Scratch};
use crate::air::AirError;
use crate::air::tree::{At, Content, Cursor, Tree, code_at, corner, grow};

/// Most open regions of one node, and most contacts between two.
const MOST: usize = u16::MAX as usize;

impl Regions {
    /// The regions of a tree whose free space ends at `size`.
    pub(in crate::air) fn build(tree: &Tree, size: [u32; 3]) -> Result<Self, AirError> {
        let mut layers = Vec::with_capacity(usize::from(tree.top));
        layers.resize_with(usize::from(tree.top), Layer::default);
        let mut regions = Self {
            layers,
            pool: Pool::default(),
            size,
            scratch: Scratch::default(),
            n_redone: 0,
        };
        let mut cursor = Cursor::new(tree);
        for layer in 1..=tree.top {
            let count = regions.n_blocks(tree, layer);
            let items = &mut regions.layers[usize::from(layer) - 1];
            items.groups.reserve_exact(count);
            items.groups.resize(count, 0);
            items.contacts.reserve_exact(count);
            items.contacts.resize(count, [0; 3]);
            let numbers = || 0..u32::try_from(count).expect("a layer has at most 2^19 blocks");
            for block in numbers().filter(|&block| is_used(tree, layer, block)) {
                regions.regroup(tree, layer, block)?;
            }
            for block in numbers().filter(|&block| is_used(tree, layer, block)) {
                let low = corner(layer, code_of(tree, layer, block));
                for axis in 0..3 {
                    if let Part::Split(other) =
                        regions.beside(&mut cursor, layer, low, (axis, true))
                    {
                        regions.meet(tree, layer, (block, other), axis)?;
                    }
                }
            }
        }
        regions.pool.shrink();
        regions.scratch = Scratch::default();
        Ok(regions)
    }

    fn n_blocks(&self, tree: &Tree, layer: u8) -> usize {
        match layer {
            1 => tree.leaves.items.len(),
            _ => tree.inner[usize::from(layer) - 2].items.len(),
        }
    }

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
                // A neighbour that is on the list sees to this contact as its own.
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
        self.n_redone += 1;
        if layer == 1 {
            return self.regroup_leaves(tree, block);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = self.regroup_nodes(tree, layer, block, &mut scratch);
        self.scratch = scratch;
        result
    }

    fn regroup_leaves(&mut self, tree: &Tree, block: u32) -> Result<bool, AirError> {
        let free = self.free_voxels(tree, block);
        let mut own = std::mem::take(&mut self.scratch.own);
        self.scratch.own_is = None;
        let n_open = block::split(&free, &mut own);
        let n_closed = own.len() - n_open;
        let mut faces = std::mem::take(&mut self.scratch.faces);
        faces.clear();
        faces.extend(own[..n_open].iter().map(block::faces));
        self.scratch.own = own;
        let changed = self.put_group(1, block, (&faces, n_closed), None);
        self.scratch.faces = faces;
        changed.ok_or(AirError::TooManyRegions {
            layer: 1,
            at: corner(1, tree.leaves.codes[block as usize]),
        })
    }

    fn regroup_nodes(
        &mut self,
        tree: &Tree,
        layer: u8,
        block: u32,
        scratch: &mut Scratch,
    ) -> Result<bool, AirError> {
        let slots = tree.inner[usize::from(layer) - 2].items[block as usize];
        let code = tree.inner[usize::from(layer) - 2].codes[block as usize];
        let below = layer - 1;
        let parts: [Part; 8] = std::array::from_fn(|child| {
            self.child_part(below, slots[child], code << 3 | child as u64)
        });
        let mut starts = [0_usize; 9];
        for child in 0..8 {
            let count = match parts[child] {
                Part::Shut => 0,
                Part::Whole(_) => 1,
                Part::Split(block) => self.group(below, block).n_open() as usize,
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
                self.for_contacts(below, (parts[child], parts[other]), axis, |r, s| {
                    unite(
                        parents,
                        starts[child] + r as usize,
                        starts[other] + s as usize,
                    );
                });
            }
        }
        // The faces of the whole that each set reaches, kept at its first member.
        let numbers = &mut scratch.numbers;
        numbers.clear();
        numbers.resize(total, 0);
        for child in 0..8 {
            let outer = OUTER[child];
            for member in starts[child]..starts[child + 1] {
                let faces = match parts[child] {
                    Part::Split(block) => {
                        let region = u32::try_from(member - starts[child]).unwrap_or(u32::MAX);
                        self.group(below, block).faces(region)
                    }
                    Part::Whole(faces) => faces,
                    Part::Shut => 0,
                };
                let first = find(parents, member);
                numbers[first] |= u32::from(faces & outer);
            }
        }
        let faces = &mut scratch.faces;
        faces.clear();
        let mut n_closed = 0;
        // Open sets are numbered first, each kind by first members.
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
        if faces.len() + n_closed as usize > MOST || total > MOST {
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
        let changed = self.put_group(
            layer,
            block,
            (faces, n_closed as usize),
            Some((&starts, numbers)),
        );
        changed.ok_or(too_many)
    }

    /// Stores a group; true if its open regions are not what they were, `None` without room.
    fn put_group(
        &mut self,
        layer: u8,
        block: u32,
        (faces, n_closed): (&[u8], usize),
        children: Option<(&[usize; 9], &[u32])>,
    ) -> Option<bool> {
        let old = self.group(layer, block);
        let same = old.n_open() as usize == faces.len()
            && (0..)
                .zip(faces)
                .all(|(region, faces)| old.faces(region) == *faces);
        let old = old.word;
        let narrow = |number: usize| u16::try_from(number).ok();
        let fits = match children {
            None => faces.len() <= 3,
            Some(_) => faces.len() + n_closed <= 1,
        };
        let word = if fits {
            let mut word = u32::from(narrow(faces.len())?) | u32::from(narrow(n_closed)?) << 20;
            for (region, faces) in faces.iter().enumerate() {
                word |= u32::from(*faces) << (2 + 6 * region);
            }
            word
        } else {
            let counts = [narrow(faces.len())?, narrow(n_closed)?];
            let faces = faces.iter().map(|faces| u16::from(*faces));
            let place = if let Some((starts, numbers)) = children {
                let len = 10 + faces.len() + numbers.len();
                let mut firsts = [0; 8];
                for (first, start) in firsts.iter_mut().zip(starts) {
                    *first = narrow(*start)?;
                }
                #[expect(clippy::cast_possible_truncation, reason = "at most `MOST`")]
                let numbers = numbers.iter().map(|number| *number as u16);
                let list = counts.into_iter().chain(firsts).chain(faces).chain(numbers);
                self.pool.add(list, len)?
            } else {
                let len = 2 + faces.len();
                self.pool.add(counts.into_iter().chain(faces), len)?
            };
            place | LISTED
        };
        if old & LISTED != 0 {
            self.pool.remove(old & !LISTED);
        }
        self.layers[usize::from(layer) - 1].groups[block as usize] = word;
        Some(!same)
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
        self.n_redone += 1;
        let mut pairs = std::mem::take(&mut self.scratch.pairs);
        pairs.clear();
        if layer == 1 {
            self.meet_leaves(tree, (low, high), axis, &mut pairs);
        } else {
            self.meet_nodes(tree, layer, (low, high), axis, &mut pairs);
            pairs.sort_unstable();
            pairs.dedup();
        }
        let wide = |&(r, s): &(u16, u16)| (u32::from(r), u32::from(s));
        let same = self.contacts(layer, low, axis).eq(pairs.iter().map(wide));
        let mut stored = Some(());
        if !same {
            stored = self.put_contacts(layer, low, axis, &pairs);
        }
        self.scratch.pairs = pairs;
        stored
            .map(|()| !same)
            .ok_or_else(|| AirError::TooManyRegions {
                layer,
                at: corner(layer, code_of(tree, layer, low)),
            })
    }

    fn put_contacts(
        &mut self,
        layer: u8,
        block: u32,
        axis: usize,
        pairs: &[(u16, u16)],
    ) -> Option<()> {
        let word = match pairs {
            [] => 0,
            &[(r, s)] if r < 1 << 15 && s < 1 << 15 => PAIR | u32::from(r) << 15 | u32::from(s),
            _ => {
                let count = u16::try_from(pairs.len()).ok()?;
                let flat = pairs.iter().flat_map(|&(r, s)| [r, s]);
                let list = std::iter::once(count).chain(flat);
                self.pool.add(list, 1 + 2 * pairs.len())? | LISTED
            }
        };
        let place = &mut self.layers[usize::from(layer) - 1].contacts[block as usize][axis];
        let old = std::mem::replace(place, word);
        if old & LISTED != 0 {
            self.pool.remove(old & !LISTED);
        }
        Some(())
    }

    fn meet_leaves(
        &mut self,
        tree: &Tree,
        (low, high): (u32, u32),
        axis: usize,
        pairs: &mut Vec<(u16, u16)>,
    ) {
        let single = |block: u32| self.group(1, block).n_regions() == 1;
        if single(low) && single(high) {
            if block::touch(
                &self.free_voxels(tree, low),
                &self.free_voxels(tree, high),
                axis,
            ) {
                grow(pairs);
                pairs.push((0, 0));
            }
            return;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        // One of the two is often the same as last time.
        let kept = match scratch.own_is {
            Some((block, _)) if block == high => high,
            _ => low,
        };
        let n_own = match scratch.own_is {
            Some((block, n_open)) if block == kept => n_open,
            _ => self.regions_of(tree, kept, &mut scratch.own),
        };
        scratch.own_is = Some((kept, n_own));
        let fresh = if kept == low { high } else { low };
        let n_other = self.regions_of(tree, fresh, &mut scratch.other);
        let (own, other) = (&scratch.own[..n_own], &scratch.other[..n_other]);
        let (below, above) = if kept == low {
            (own, other)
        } else {
            (other, own)
        };
        for (r, region) in (0..).zip(below) {
            for (s, beside) in (0..).zip(above) {
                if block::touch(region, beside, axis) {
                    grow(pairs);
                    pairs.push((r, s));
                }
            }
        }
        self.scratch = scratch;
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

    /// The regions of eight leaves; returns how many are open.
    fn regions_of(&self, tree: &Tree, block: u32, into: &mut Vec<Eight>) -> usize {
        let free = self.free_voxels(tree, block);
        let group = self.group(1, block);
        if group.n_regions() == 1 {
            into.clear();
            into.push(free);
            return group.n_open() as usize;
        }
        block::split(&free, into)
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most `MOST` regions")]
    fn meet_nodes(
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
            let beside = child ^ 1 << axis;
            let part = self.child_part(below, slots[child], code << 3 | child as u64);
            let other = self.child_part(below, others[beside], other_code << 3 | beside as u64);
            self.for_contacts(below, (part, other), axis, |r, s| {
                grow(pairs);
                pairs.push((group.up(child, r) as u16, other_group.up(beside, s) as u16));
            });
        }
    }
}

/// For each of eight children the faces of the parent that it lies on.
const OUTER: [u8; 8] = [0o25, 0o26, 0o31, 0o32, 0o45, 0o46, 0o51, 0o52];

/// Marks a number of a closed set while open ones are still being counted.
const CLOSED: u32 = 1 << 31;

/// The first member of the set of `member`.
fn find(parents: &mut [u32], mut member: usize) -> usize {
    while parents[member] as usize != member {
        parents[member] = parents[parents[member] as usize];
        member = parents[member] as usize;
    }
    member
}

/// Makes one set of two; its first member stands for it.
fn unite(parents: &mut [u32], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    let (first, second) = (a.min(b), a.max(b));
    parents[second] = parents[first];
}

/// True if the next node down along `axis` is among `now`, which is sorted.
fn is_listed(now: &[u64], layer: u8, low: At, axis: usize) -> bool {
    let mut at = low;
    at[axis] -= 4 << layer;
    now.binary_search(&code_at(layer, at)).is_ok()
}

fn is_used(tree: &Tree, layer: u8, block: u32) -> bool {
    match layer {
        1 => tree.leaves.is_used(block),
        _ => tree.inner[usize::from(layer) - 2].is_used(block),
    }
}

/// The code of the node whose children a block holds.
fn code_of(tree: &Tree, layer: u8, block: u32) -> u64 {
    match layer {
        1 => tree.leaves.codes[block as usize],
        _ => tree.inner[usize::from(layer) - 2].codes[block as usize],
    }
}
