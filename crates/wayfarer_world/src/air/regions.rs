//! Which parts of the free space reach each other, known at every scale.
//!
//! A *region* of a node is a part of its free space that is connected inside the node; two free
//! voxels are connected if they share a face. (A diagonal move needs the box it spans to be free,
//! so this is reachability for every move.) A region that reaches an outer face of its node is
//! *open*, any other is *closed*: a component of its own, complete. The open regions of eight
//! brothers, joined where they touch, make the regions of their parent, and so on to the root.
//! So a voxel's component is found by climbing, an edit redoes the nodes it touched and goes on
//! upwards only while something about a node's open regions changes, and the work is bounded by
//! the regions of the nodes on the way, never by the size of the world.
//!
//! Everything is numbered by place: equal worlds have equal numbers.
//!
//! For each split node, by the number of its block of children: its *group* (how many regions,
//! which faces each reaches, and to which region each open region of a child belongs) and for each
//! axis its *contacts* with the next split node up (which regions touch). Contacts with a node
//! that is all free follow from the faces and are not stored.

use wayfarer_base::voxel::from_morton_3;

use super::bits;
use super::tree::{At, Content, Cursor, Slot, Tree, child_at, code_at, corner};

mod block;
mod build;
mod make;
mod pool;
mod repair;

use block::Eight;
use pool::Pool;

/// The layer-wise part of [`Regions`]; item n belongs to block n of the layer below.
#[derive(Clone, Debug, Default)]
struct Layer {
    groups: Vec<u32>,
    contacts: Vec<[u32; 3]>,
}

/// A word with this bit names a list in the pool.
const LISTED: u32 = 1 << 31;
/// A contact word with this bit is one pair.
const PAIR: u32 = 1 << 30;

/// The regions of every node.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// Item n is for nodes of layer n + 1.
    layers: Vec<Layer>,
    pool: Pool,
    size: [u32; 3],
    scratch: Scratch,
    /// Nodes and contacts that were made or made anew, ever.
    n_redone: u64,
}

/// Room that repairs reuse.
#[derive(Clone, Debug, Default)]
struct Scratch {
    parents: Vec<u32>,
    numbers: Vec<u32>,
    faces: Vec<u8>,
    pairs: Vec<(u16, u16)>,
    /// The regions of eight leaves that several contacts are made of, one after the other.
    own: Vec<Eight>,
    /// Which block `own` is of, and how many of its regions are open.
    own_is: Option<(u32, usize)>,
    other: Vec<Eight>,
    now: Vec<u64>,
    next: Vec<u64>,
}

/// A node as its neighbors see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Solid, or outside the bounds.
    Shut,
    /// All free: one region that reaches these faces.
    Whole(u8),
    /// Split: see its group, by the number of its block.
    Split(u32),
}

/// The regions of one split node.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    word: u32,
    list: &'a [u16],
    /// True above layer 1, where children have open regions of their own.
    inner: bool,
}

impl Group<'_> {
    /// Regions that reach a face; they are numbered first.
    #[inline]
    pub(super) fn n_open(&self) -> u32 {
        if self.word & LISTED == 0 {
            self.word & 3
        } else {
            u32::from(self.list[0])
        }
    }

    /// All regions.
    #[inline]
    pub(super) fn n_regions(&self) -> u32 {
        if self.word & LISTED == 0 {
            (self.word & 3) + (self.word >> 20)
        } else {
            u32::from(self.list[0]) + u32::from(self.list[1])
        }
    }

    /// The faces that open region `region` reaches.
    #[inline]
    pub(super) fn faces(&self, region: u32) -> u8 {
        if self.word & LISTED == 0 {
            (self.word >> (2 + 6 * region) & 63) as u8
        } else {
            let skipped = if self.inner { 10 } else { 2 };
            (self.list[skipped + region as usize] & 63) as u8
        }
    }

    /// The region that open region `region` of child `child` belongs to. Not for layer 1.
    #[inline]
    pub(super) fn up(&self, child: usize, region: u32) -> u32 {
        if self.word & LISTED == 0 {
            return 0;
        }
        let maps = &self.list[10 + usize::from(self.list[0])..];
        u32::from(maps[usize::from(self.list[2 + child]) + region as usize])
    }
}

impl Regions {
    /// The group of a split node of `layer`, by the number of its block.
    #[inline]
    pub(super) fn group(&self, layer: u8, block: u32) -> Group<'_> {
        let word = self.layers[usize::from(layer) - 1].groups[block as usize];
        let list = if word & LISTED == 0 {
            &[]
        } else {
            self.pool.list(word & !LISTED)
        };
        Group {
            word,
            list,
            inner: layer > 1,
        }
    }

    /// The pairs of regions of a split node and the next split node up along `axis` that touch.
    pub(super) fn contacts(
        &self,
        layer: u8,
        block: u32,
        axis: usize,
    ) -> impl Iterator<Item = (u32, u32)> {
        let word = self.layers[usize::from(layer) - 1].contacts[block as usize][axis];
        let one = (word & (LISTED | PAIR) == PAIR).then_some((word >> 15 & 0x7FFF, word & 0x7FFF));
        let list = if word & LISTED == 0 {
            &[][..]
        } else {
            let list = self.pool.list(word & !LISTED);
            &list[1..=2 * usize::from(list[0])]
        };
        let listed = list
            .chunks_exact(2)
            .map(|pair| (u32::from(pair[0]), u32::from(pair[1])));
        one.into_iter().chain(listed)
    }

    /// The node of `layer`, at least 1, with low corner `low`.
    #[inline]
    pub(super) fn part(&self, tree: &Tree, layer: u8, low: At) -> Part {
        self.part_near(&mut Cursor::new(tree), layer, low)
    }

    /// As [`Regions::part`], from where the cursor is.
    #[inline]
    fn part_near(&self, cursor: &mut Cursor<'_>, layer: u8, low: At) -> Part {
        if (0..3).any(|axis| low[axis] >= self.size[axis]) {
            return Part::Shut;
        }
        match cursor.content(layer, low) {
            Content::Free => Part::Whole(self.whole(layer, low)),
            Content::Solid => Part::Shut,
            Content::Block(block) => Part::Split(block),
        }
    }

    /// The node next to the one of `layer` with low corner `low`, down or up along `axis`.
    fn beside(
        &self,
        cursor: &mut Cursor<'_>,
        layer: u8,
        low: At,
        (axis, up): (usize, bool),
    ) -> Part {
        let side = 4_u32 << layer;
        let mut at = low;
        let moved = if up {
            low[axis].checked_add(side)
        } else {
            low[axis].checked_sub(side)
        };
        match moved {
            Some(moved) => {
                at[axis] = moved;
                self.part_near(cursor, layer, at)
            }
            None => Part::Shut,
        }
    }

    /// The faces that the free space of an all-free node reaches: not those outside the bounds.
    #[inline]
    pub(super) fn whole(&self, layer: u8, low: At) -> u8 {
        let side = 4_u32 << layer;
        let mut faces = 63;
        for (axis, (low, size)) in low.into_iter().zip(self.size).enumerate() {
            if low + side > size {
                faces &= !(2 << (2 * axis));
            }
        }
        faces
    }

    fn child_part(&self, layer: u8, slot: Slot, code: u64) -> Part {
        match slot.content() {
            Content::Block(block) => Part::Split(block),
            Content::Solid => Part::Shut,
            Content::Free => {
                let low = corner(layer, code);
                if (0..3).any(|axis| low[axis] >= self.size[axis]) {
                    Part::Shut
                } else {
                    Part::Whole(self.whole(layer, low))
                }
            }
        }
    }

    /// Calls `join` for each pair of open regions of two parts of `layer` that touch, `low` below
    /// `high` along `axis`.
    fn for_contacts(
        &self,
        layer: u8,
        (low, high): (Part, Part),
        axis: usize,
        mut join: impl FnMut(u32, u32),
    ) {
        let (down, up) = (1_u8 << (2 * axis), 2_u8 << (2 * axis));
        match (low, high) {
            (Part::Shut, _) | (_, Part::Shut) => {}
            (Part::Split(a), Part::Split(_)) => {
                self.contacts(layer, a, axis).for_each(|(r, s)| join(r, s));
            }
            (Part::Split(a), Part::Whole(_)) => {
                let group = self.group(layer, a);
                (0..group.n_open())
                    .filter(|&r| group.faces(r) & up != 0)
                    .for_each(|r| join(r, 0));
            }
            (Part::Whole(faces), _) if faces & up == 0 => {}
            (Part::Whole(_), Part::Split(b)) => {
                let group = self.group(layer, b);
                (0..group.n_open())
                    .filter(|&s| group.faces(s) & down != 0)
                    .for_each(|s| join(0, s));
            }
            (Part::Whole(_), Part::Whole(_)) => join(0, 0),
        }
    }

    /// The free voxels of eight leaves, those outside the bounds left out.
    pub(super) fn free_voxels(&self, tree: &Tree, block: u32) -> Eight {
        let solid = &tree.leaves.items[block as usize];
        if self.size.iter().all(|side| side % 8 == 0) {
            return solid.map(|voxels| !voxels); // No block lies across the bounds.
        }
        let code = tree.leaves.codes[block as usize];
        let low = corner(1, code);
        if (0..3).all(|axis| low[axis] + 8 <= self.size[axis]) {
            return solid.map(|voxels| !voxels);
        }
        std::array::from_fn(|leaf| {
            let (x, y, z) = from_morton_3(leaf as u64);
            let low: At = std::array::from_fn(|axis| low[axis] + [x, y, z][axis] * 4);
            !solid[leaf] & inside(low, self.size)
        })
    }

    /// The number of the component of a free voxel: its layer, the code of its node there, and its
    /// number in the node. `None` if the voxel is solid.
    pub(super) fn component(&self, tree: &Tree, at: At) -> Option<(u8, u64, u32)> {
        let (layer, number) = self.climb(tree, at, tree.top)?;
        Some((layer, code_at(layer, at), number))
    }

    /// Follows the region of a free voxel upwards until it is closed or `until` is reached: its
    /// layer and number there. A larger free cube is not left. `None` if the voxel is solid.
    pub(super) fn climb(&self, tree: &Tree, at: At, until: u8) -> Option<(u8, u32)> {
        let mut path = [Slot::FREE; 16];
        let (mut layer, mut slot) = (tree.top, tree.root);
        path[usize::from(layer)] = slot;
        while let (Content::Block(block), true) = (slot.content(), layer > 1) {
            layer -= 1;
            let child = child_at(at, layer) as usize;
            slot = tree.inner[usize::from(layer) - 1].items[block as usize][child];
            path[usize::from(layer)] = slot;
        }
        let (mut region, mut n_open) = match slot.content() {
            Content::Solid => return None,
            Content::Free => (0, 1),
            Content::Block(block) => {
                let region = self.region_in_block(tree, block, at)?;
                (region, self.group(layer, block).n_open())
            }
        };
        while region < n_open && layer < until {
            let child = child_at(at, layer) as usize;
            layer += 1;
            let Content::Block(block) = path[usize::from(layer)].content() else {
                return None; // Not reached: what has children is a block.
            };
            let group = self.group(layer, block);
            region = group.up(child, region);
            n_open = group.n_open();
        }
        Some((layer, region))
    }

    /// The number of the region of eight leaves that holds a voxel; `None` if it is solid.
    pub(super) fn region_in_block(&self, tree: &Tree, block: u32, at: At) -> Option<u32> {
        let leaf = child_at(at, 0) as usize;
        let bit = 1_u64 << bits::index(at);
        let free = self.free_voxels(tree, block);
        if free[leaf] & bit == 0 {
            return None;
        }
        if self.group(1, block).n_regions() == 1 {
            return Some(0);
        }
        block::number_of(&free, leaf, bit)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let layer = |layer: &Layer| {
            layer.groups.capacity() * size_of::<u32>()
                + layer.contacts.capacity() * size_of::<[u32; 3]>()
        };
        self.layers.capacity() * size_of::<Layer>()
            + self.layers.iter().map(layer).sum::<usize>()
            + self.pool.heap_bytes()
    }

    /// How many groups and contacts were made or made anew so far: a measure of work.
    pub(super) const fn n_redone(&self) -> u64 {
        self.n_redone
    }

    /// Everything as stored, for tests that compare bytes.
    #[cfg(test)]
    pub(super) fn to_words(&self) -> Vec<u32> {
        let layer = |layer: &Layer| {
            let contacts = layer.contacts.iter().flatten().copied();
            layer
                .groups
                .iter()
                .copied()
                .chain(contacts)
                .collect::<Vec<u32>>()
        };
        let pool = self.pool.words().iter().copied().map(u32::from);
        self.layers.iter().flat_map(layer).chain(pool).collect()
    }

    pub(super) fn shrink_scratch(&mut self) {
        self.scratch = Scratch::default();
    }

    pub(super) fn scratch_bytes(&self) -> usize {
        let scratch = &self.scratch;
        (scratch.parents.capacity() + scratch.numbers.capacity()) * size_of::<u32>()
            + scratch.faces.capacity()
            + scratch.pairs.capacity() * size_of::<(u16, u16)>()
            + (scratch.own.capacity() + scratch.other.capacity()) * size_of::<Eight>()
            + (scratch.now.capacity() + scratch.next.capacity()) * size_of::<u64>()
    }
}

/// The voxels of the leaf with low corner `low` that lie inside the bounds.
pub(super) fn inside(low: At, size: [u32; 3]) -> u64 {
    if (0..3).any(|axis| low[axis] >= size[axis]) {
        return 0;
    }
    bits::cuboid(
        [0; 3],
        std::array::from_fn(|axis| (size[axis] - low[axis] - 1).min(3)),
    )
}
