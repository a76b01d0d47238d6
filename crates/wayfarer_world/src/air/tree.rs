//! Sparse voxel octree storage: layers of blocks of eight siblings in Morton order.
//!
//! Layer 0 holds leaves of 4 x 4 x 4 voxels; a node of layer n has side `4 << n`. A uniform node
//! (all free or all solid) has no children, and a block is never uniform, so equal contents give
//! equal trees. Freed blocks are recycled through a free list. Lookup is O(layers).

use wayfarer_base::voxel::{from_morton_3, morton_3};

use super::AirError;
use super::bits;
use super::link::OctreeLink;

/// Voxel coordinates relative to the low corner of the root.
pub(super) type LocalVoxel = [u32; 3];

/// A node above the leaves, packed: free, solid, or the index of its block of eight children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot(u32);

/// A [`Slot`], unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Free,
    Solid,
    Block(u32),
}

impl Slot {
    pub(super) const FREE: Self = Self(u32::MAX);
    pub(super) const SOLID: Self = Self(u32::MAX - 1);

    pub(super) const fn block(index: u32) -> Self {
        Self(index)
    }

    #[inline]
    pub(super) const fn content(self) -> Content {
        match self {
            Self::FREE => Content::Free,
            Self::SOLID => Content::Solid,
            Self(index) => Content::Block(index),
        }
    }
}

/// The nodes of one layer in blocks of eight, with the Morton code of each block.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    pub(super) items: Vec<[T; 8]>,
    /// The code of each block's parent; an unused entry holds [`FREED`] and the next free index.
    pub(super) codes: Vec<u64>,
    free: u32,
    n_free: u32,
}

/// Marks the code of a block that is not in use.
const FREED: u64 = 1 << 63;
/// The end of the list of free blocks.
const END: u32 = u32::MAX;

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            codes: Vec::new(),
            free: END,
            n_free: 0,
        }
    }
}

impl<T: Copy> Blocks<T> {
    fn with_capacity(count: usize) -> Self {
        Self {
            items: Vec::with_capacity(count),
            codes: Vec::with_capacity(count),
            ..Self::default()
        }
    }

    /// Adds a block; `None` if the layer has `max_blocks` already.
    #[expect(clippy::cast_possible_truncation, reason = "the low half is the index")]
    pub(super) fn add(&mut self, code: u64, items: [T; 8], max_blocks: u32) -> Option<u32> {
        if self.free != END {
            let index = self.free;
            self.free = self.codes[index as usize] as u32;
            self.n_free -= 1;
            self.items[index as usize] = items;
            self.codes[index as usize] = code;
            return Some(index);
        }
        let index = u32::try_from(self.items.len()).ok()?;
        if index >= max_blocks {
            return None;
        }
        reserve_one(&mut self.items);
        reserve_one(&mut self.codes);
        self.items.push(items);
        self.codes.push(code);
        Some(index)
    }

    pub(super) fn remove(&mut self, index: u32) {
        self.codes[index as usize] = FREED | u64::from(self.free);
        self.free = index;
        self.n_free += 1;
    }

    /// Blocks in use.
    pub(super) fn len(&self) -> usize {
        self.items.len() - self.n_free as usize
    }

    /// True if a block with this number is in use.
    pub(super) fn is_used(&self, index: u32) -> bool {
        self.codes
            .get(index as usize)
            .is_some_and(|code| code & FREED == 0)
    }

    fn shrink(&mut self) {
        self.items.shrink_to_fit();
        self.codes.shrink_to_fit();
    }

    fn heap_bytes(&self) -> usize {
        self.items.capacity() * size_of::<[T; 8]>() + self.codes.capacity() * size_of::<u64>()
    }
}

/// Grows capacity by an eighth instead of doubling, to keep memory near what is used.
pub(super) fn reserve_one<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 8 + 8);
    }
}

/// The result of a point lookup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lookup {
    /// In a uniform cube of `layer`; `node` is its index in the layer.
    Cube { layer: u8, node: u32, solid: bool },
    /// In a leaf; `voxels` are its solid voxels.
    Leaf { node: u32, voxels: u64 },
}

/// An octree of solid and free cubes.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The layer of the root, 1 to 15.
    pub(super) top: u8,
    pub(super) root: Slot,
    /// The nodes of layer 0: the solid voxels of each leaf.
    pub(super) leaves: Blocks<u64>,
    /// The nodes of layers 1 to `top - 1`.
    pub(super) inner: Vec<Blocks<Slot>>,
    /// The limit of blocks in a layer.
    pub(super) max_blocks: u32,
}

impl Tree {
    /// An all-free tree whose root has layer `top`.
    pub(super) fn new(top: u8) -> Self {
        let mut inner = Vec::with_capacity(usize::from(top) - 1);
        inner.resize_with(usize::from(top) - 1, Blocks::default);
        Self {
            top,
            root: Slot::FREE,
            leaves: Blocks::default(),
            inner,
            max_blocks: OctreeLink::MAX_NODES / 8,
        }
    }

    /// The layer of the smallest root that covers `size` voxels; `None` above layer 15.
    pub(super) fn top_for(size: [u32; 3]) -> Option<u8> {
        (1..=OctreeLink::MAX_LAYER).find(|top| size.iter().all(|&side| side <= 4 << top))
    }

    /// Builds a tree bottom-up from leaves with unique, ascending Morton codes, none all free.
    pub(super) fn from_leaves(top: u8, list: &[(u64, u64)]) -> Result<Self, AirError> {
        let mut tree = Self::new(top);
        let mut above: Vec<(u64, Slot)> = Vec::new();
        let n_blocks = |list: &[(u64, u64)]| {
            list.chunk_by(|a, b| a.0 >> 3 == b.0 >> 3)
                .filter(|siblings| {
                    siblings.len() < 8 || siblings.iter().any(|leaf| leaf.1 != bits::ALL)
                })
                .count()
        };
        tree.leaves = Blocks::with_capacity(n_blocks(list));
        for siblings in list.chunk_by(|a, b| a.0 >> 3 == b.0 >> 3) {
            let code = siblings[0].0 >> 3;
            let mut block = [0; 8];
            for (leaf, voxels) in siblings {
                block[(leaf & 7) as usize] = *voxels;
            }
            above.push((code, tree.add_leaves(code, block)?));
        }
        for layer in 1..top {
            let nodes = above;
            above = Vec::new();
            for siblings in nodes.chunk_by(|a, b| a.0 >> 3 == b.0 >> 3) {
                let code = siblings[0].0 >> 3;
                let mut block = [Slot::FREE; 8];
                for (node, slot) in siblings {
                    block[(node & 7) as usize] = *slot;
                }
                above.push((code, tree.add_nodes(layer, code, block)?));
            }
            tree.inner[usize::from(layer) - 1].shrink();
        }
        if let Some((_, slot)) = above.first() {
            tree.root = *slot;
        }
        Ok(tree)
    }

    /// The slot for eight leaves: a new block unless they are uniform.
    pub(super) fn add_leaves(&mut self, code: u64, block: [u64; 8]) -> Result<Slot, AirError> {
        if block == [0; 8] {
            Ok(Slot::FREE)
        } else if block == [bits::ALL; 8] {
            Ok(Slot::SOLID)
        } else {
            let full = AirError::TooManyNodes { layer: 0 };
            let added = self.leaves.add(code, block, self.max_blocks);
            added.map(Slot::block).ok_or(full)
        }
    }

    /// The slot for eight nodes of `layer`: a new block unless they are uniform.
    pub(super) fn add_nodes(
        &mut self,
        layer: u8,
        code: u64,
        block: [Slot; 8],
    ) -> Result<Slot, AirError> {
        if block == [Slot::FREE; 8] || block == [Slot::SOLID; 8] {
            return Ok(block[0]);
        }
        let full = AirError::TooManyNodes { layer };
        self.inner[usize::from(layer) - 1]
            .add(code, block, self.max_blocks)
            .map(Slot::block)
            .ok_or(full)
    }

    /// The uniform cube or leaf that contains `at`, which must lie inside the root.
    #[inline]
    pub(super) fn find(&self, at: LocalVoxel) -> Lookup {
        let (mut layer, mut node, mut slot) = (self.top, 0, self.root);
        loop {
            let Content::Block(block) = slot.content() else {
                let solid = slot == Slot::SOLID;
                return Lookup::Cube { layer, node, solid };
            };
            layer -= 1;
            let child = child_at(at, layer);
            node = block * 8 + child;
            if layer == 0 {
                let voxels = self.leaves.items[block as usize][child as usize];
                return Lookup::Leaf { node, voxels };
            }
            slot = self.inner[usize::from(layer) - 1].items[block as usize][child as usize];
        }
    }

    /// The content of the node of `layer` (at least 1) that contains `at`, or of the larger uniform
    /// cube that contains it.
    #[inline]
    pub(super) fn content(&self, layer: u8, at: LocalVoxel) -> Content {
        let (mut above, mut slot) = (self.top, self.root);
        while above > layer {
            let Content::Block(block) = slot.content() else {
                break;
            };
            above -= 1;
            let child = child_at(at, above);
            slot = self.inner[usize::from(above) - 1].items[block as usize][child as usize];
        }
        slot.content()
    }

    /// The solid voxels of the leaf that contains `at`.
    pub(super) fn leaf(&self, at: LocalVoxel) -> u64 {
        match self.find(at) {
            Lookup::Cube { solid: true, .. } => bits::ALL,
            Lookup::Cube { .. } => 0,
            Lookup::Leaf { voxels, .. } => voxels,
        }
    }

    /// All cubes that are not free, in Morton order: layer, low corner, solid voxels. Equal trees
    /// give equal lists.
    pub(super) fn cubes(&self) -> Vec<(u8, LocalVoxel, u64)> {
        let mut list = Vec::new();
        let all = ([0; 3], [u32::MAX; 3]);
        self.collect((self.top, 0), self.root, all, &mut list);
        list
    }

    /// The cubes of [`Tree::cubes`] that overlap the box from `low` to `high`, included.
    pub(super) fn cubes_in(&self, low: LocalVoxel, high: LocalVoxel) -> Vec<(u8, LocalVoxel, u64)> {
        let mut list = Vec::new();
        self.collect((self.top, 0), self.root, (low, high), &mut list);
        list
    }

    fn collect(
        &self,
        (layer, code): (u8, u64),
        slot: Slot,
        within: (LocalVoxel, LocalVoxel),
        into: &mut Vec<(u8, LocalVoxel, u64)>,
    ) {
        let low = corner(layer, code);
        let last = (4 << layer) - 1;
        let overlaps =
            |axis: usize| low[axis] <= within.1[axis] && low[axis] + last >= within.0[axis];
        if !(0..3).all(overlaps) {
            return;
        }
        match slot.content() {
            Content::Free => {}
            Content::Solid => into.push((layer, low, bits::ALL)),
            Content::Block(block) if layer == 1 => {
                for (child, voxels) in (0..).zip(self.leaves.items[block as usize]) {
                    if voxels != 0 {
                        into.push((0, corner(0, code << 3 | child), voxels));
                    }
                }
            }
            Content::Block(block) => {
                let items = self.inner[usize::from(layer) - 2].items[block as usize];
                for (child, slot) in (0..).zip(items) {
                    self.collect((layer - 1, code << 3 | child), slot, within, into);
                }
            }
        }
    }

    /// The same tree with every layer in Morton order and without spare capacity.
    pub(super) fn sorted(&self) -> Self {
        let mut tree = Self::new(self.top);
        tree.leaves = Blocks::with_capacity(self.leaves.len());
        for (new, old) in tree.inner.iter_mut().zip(&self.inner) {
            *new = Blocks::with_capacity(old.len());
        }
        tree.root = tree
            .copy(self, self.top, self.root)
            .expect("a copy has no more blocks than its source");
        tree
    }

    /// Merges trees built in parallel: subtree n of the 64 two layers below the root comes from
    /// tree `n % trees.len()`. The result is in Morton order. The root has layer 3 or more.
    pub(super) fn merged(trees: &[Self]) -> Result<Self, AirError> {
        let top = trees[0].top;
        let mut tree = Self::new(top);
        let mut block = [Slot::FREE; 8];
        for (code, slot) in (0..).zip(&mut block) {
            let mut to_raw_local = [Slot::FREE; 8];
            for (child, part) in (0..).zip(&mut to_raw_local) {
                let number = code << 3 | child;
                let from = &trees[number % trees.len()];
                let at = corner(top - 2, number as u64);
                let slot = match from.content(top - 2, at) {
                    Content::Free => Slot::FREE,
                    Content::Solid => Slot::SOLID,
                    Content::Block(block) => Slot::block(block),
                };
                *part = tree.copy(from, top - 2, slot)?;
            }
            *slot = tree.add_nodes(top - 2, code as u64, to_raw_local)?;
        }
        tree.root = tree.add_nodes(top - 1, 0, block)?;
        tree.leaves.shrink();
        tree.inner.iter_mut().for_each(Blocks::shrink);
        Ok(tree)
    }

    /// Copies a subtree; the blocks of each layer are appended in Morton order.
    fn copy(&mut self, from: &Self, layer: u8, slot: Slot) -> Result<Slot, AirError> {
        let Content::Block(block) = slot.content() else {
            return Ok(slot);
        };
        if layer == 1 {
            let code = from.leaves.codes[block as usize];
            return self.add_leaves(code, from.leaves.items[block as usize]);
        }
        let blocks = &from.inner[usize::from(layer) - 2];
        let mut items = blocks.items[block as usize];
        for slot in &mut items {
            *slot = self.copy(from, layer - 1, *slot)?;
        }
        self.add_nodes(layer - 1, blocks.codes[block as usize], items)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let inner: usize = self.inner.iter().map(Blocks::heap_bytes).sum();
        self.leaves.heap_bytes() + inner + self.inner.capacity() * size_of::<Blocks<Slot>>()
    }
}

/// A cached descent: a lookup near the previous one starts at their common ancestor. Valid until
/// the tree changes.
pub(super) struct Cursor<'a> {
    tree: &'a Tree,
    at: LocalVoxel,
    /// The lowest layer whose node around `at` is cached.
    lowest_known: u8,
    /// For each layer from `lowest_known` up, the node around `at` and its index.
    nodes: [(Slot, u32); 16],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let mut nodes = [(Slot::FREE, 0); 16];
        nodes[usize::from(tree.top)] = (tree.root, 0);
        Self {
            tree,
            at: [0; 3],
            lowest_known: tree.top,
            nodes,
        }
    }

    /// Moves to `at`; returns the lowest layer whose cached node still contains it.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "32 bits at most")]
    fn move_to(&mut self, at: LocalVoxel) -> u8 {
        let diff = (at[0] ^ self.at[0]) | (at[1] ^ self.at[1]) | (at[2] ^ self.at[2]);
        self.at = at;
        // The lowest layer whose node contains both.
        let shared = (32 - (diff >> 2).leading_zeros()) as u8;
        shared.max(self.lowest_known)
    }

    /// As [`Tree::content`].
    #[inline]
    pub(super) fn content(&mut self, layer: u8, at: LocalVoxel) -> Content {
        let mut above = self.move_to(at).max(layer);
        loop {
            let content = self.nodes[usize::from(above)].0.content();
            let Content::Block(block) = content else {
                self.lowest_known = above;
                return content;
            };
            if above == layer {
                self.lowest_known = above;
                return content;
            }
            above -= 1;
            let child = child_at(at, above);
            let slot =
                self.tree.inner[usize::from(above) - 1].items[block as usize][child as usize];
            self.nodes[usize::from(above)] = (slot, block * 8 + child);
        }
    }

    /// As [`Tree::find`].
    #[inline]
    pub(super) fn find(&mut self, at: LocalVoxel) -> Lookup {
        let mut layer = self.move_to(at);
        loop {
            let (slot, node) = self.nodes[usize::from(layer)];
            let Content::Block(block) = slot.content() else {
                self.lowest_known = layer;
                let solid = slot == Slot::SOLID;
                return Lookup::Cube { layer, node, solid };
            };
            layer -= 1;
            let child = child_at(at, layer);
            let node = block * 8 + child;
            if layer == 0 {
                self.lowest_known = 1;
                let voxels = self.tree.leaves.items[block as usize][child as usize];
                return Lookup::Leaf { node, voxels };
            }
            let slot =
                self.tree.inner[usize::from(layer) - 1].items[block as usize][child as usize];
            self.nodes[usize::from(layer)] = (slot, node);
        }
    }
}

/// The index among its siblings of the node of `layer` that contains `at`.
#[inline]
pub(super) const fn child_at([x, y, z]: LocalVoxel, layer: u8) -> u32 {
    let shift = layer as u32 + 2;
    (x >> shift & 1) | (y >> shift & 1) << 1 | (z >> shift & 1) << 2
}

/// The low corner of a node.
#[inline]
pub(super) const fn corner(layer: u8, code: u64) -> LocalVoxel {
    let (x, y, z) = from_morton_3(code);
    let shift = layer as u32 + 2;
    [x << shift, y << shift, z << shift]
}

/// The Morton code of the node of `layer` that contains `at`.
#[inline]
pub(super) const fn code_at(layer: u8, [x, y, z]: LocalVoxel) -> u64 {
    let shift = layer as u32 + 2;
    morton_3(x >> shift, y >> shift, z >> shift)
}
