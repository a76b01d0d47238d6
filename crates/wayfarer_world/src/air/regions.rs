//! Connected components of free space, as a hierarchy of regions over the octree.
//!
//! A *region* of a node is a maximal face-connected set of free voxels inside it. (A diagonal move
//! needs the box it spans to be free, so face connectivity is reachability for every move.) A
//! region that reaches an outer face of its node is *open*, any other is *closed* and a whole
//! component. The open regions of eight siblings, united where they touch, form the regions of
//! their parent, up to the root. Finding a voxel's component is one ascent. An edit recomputes the
//! nodes it dirtied and continues upwards only while a node's open regions or contacts change; the
//! work is bounded by the regions of those nodes, not by the size of the world.
//!
//! Per split node, indexed by its block of children: its *group* (number of regions, faces of each
//! open region, and the region that each open region of a child belongs to) and per axis its
//! *contacts* with the next split node up (pairs of regions that touch). Contacts with an all-free
//! node follow from faces and are not stored. Numbering depends on location only: equal worlds have
//! equal numbers.

use wayfarer_base::voxel::from_morton_3;

use super::bits;
use super::tree::{Content, Cursor, LocalVoxel, Slot, Tree, child_at, code_at, corner};

mod block;
mod build;
mod compute;
mod pool;
mod repair;

use block::BlockVoxels;
use pool::Pool;

/// Groups and contacts of one layer; item n belongs to block n of the layer below.
#[derive(Clone, Debug, Default)]
struct Layer {
    groups: Vec<u32>,
    contacts: Vec<[u32; 3]>,
}

/// A word with this bit refers to a list in the pool.
const LISTED: u32 = 1 << 31;
/// A contact word with this bit is a single pair.
const PAIR: u32 = 1 << 30;

/// The regions of every node.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// Item n is for nodes of layer n + 1.
    layers: Vec<Layer>,
    pool: Pool,
    size: [u32; 3],
    scratch: Scratch,
    /// Groups and contacts computed so far, including the build.
    n_rebuilt: u64,
}

/// Reusable buffers.
#[derive(Clone, Debug, Default)]
struct Scratch {
    parents: Vec<u32>,
    numbers: Vec<u32>,
    faces: Vec<u8>,
    pairs: Vec<(u16, u16)>,
    /// The regions of one block of leaves, kept for consecutive contacts.
    own: Vec<BlockVoxels>,
    /// The block of `own` and the number of its open regions.
    own_block: Option<(u32, usize)>,
    other: Vec<BlockVoxels>,
    current: Vec<u64>,
    next: Vec<u64>,
}

/// A node as seen from its neighbors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeState {
    /// Solid, or outside the bounds.
    Blocked,
    /// All free: one region that reaches these faces.
    Free(u8),
    /// Split: its block, which indexes its group.
    Split(u32),
}

/// The regions of one split node.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    word: u32,
    list: &'a [u16],
    /// True above layer 1, where children have open regions.
    has_child_regions: bool,
}

impl Group<'_> {
    /// Number of regions that reach a face; they are numbered first.
    #[inline]
    pub(super) fn n_open(&self) -> u32 {
        if self.word & LISTED == 0 {
            self.word & 3
        } else {
            u32::from(self.list[0])
        }
    }

    /// Number of all regions.
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
            let skipped = if self.has_child_regions { 10 } else { 2 };
            (self.list[skipped + region as usize] & 63) as u8
        }
    }

    /// The region that contains open region `region` of child `child`. Not for layer 1.
    #[inline]
    pub(super) fn parent_region(&self, child: usize, region: u32) -> u32 {
        if self.word & LISTED == 0 {
            return 0;
        }
        let maps = &self.list[10 + usize::from(self.list[0])..];
        u32::from(maps[usize::from(self.list[2 + child]) + region as usize])
    }
}

impl Regions {
    /// The group of a split node of `layer`, by its block.
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
            has_child_regions: layer > 1,
        }
    }

    /// The pairs of touching regions of a split node and the next split node up along `axis`.
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

    /// The state of the node of `layer` (at least 1) with low corner `low`.
    #[inline]
    pub(super) fn node_state(&self, tree: &Tree, layer: u8, low: LocalVoxel) -> NodeState {
        self.node_state_near(&mut Cursor::new(tree), layer, low)
    }

    /// [`Regions::node_state`] through a cursor.
    #[inline]
    fn node_state_near(&self, cursor: &mut Cursor<'_>, layer: u8, low: LocalVoxel) -> NodeState {
        if (0..3).any(|axis| low[axis] >= self.size[axis]) {
            return NodeState::Blocked;
        }
        match cursor.content(layer, low) {
            Content::Free => NodeState::Free(self.free_faces(layer, low)),
            Content::Solid => NodeState::Blocked,
            Content::Block(block) => NodeState::Split(block),
        }
    }

    /// The state of the node adjacent to the one with low corner `low`, down or up along `axis`.
    fn neighbor_state(
        &self,
        cursor: &mut Cursor<'_>,
        layer: u8,
        low: LocalVoxel,
        (axis, up): (usize, bool),
    ) -> NodeState {
        let side = 4_u32 << layer;
        let mut at = low;
        let neighbor_low = if up {
            low[axis].checked_add(side)
        } else {
            low[axis].checked_sub(side)
        };
        match neighbor_low {
            Some(neighbor_low) => {
                at[axis] = neighbor_low;
                self.node_state_near(cursor, layer, at)
            }
            None => NodeState::Blocked,
        }
    }

    /// The faces that the free space of an all-free node reaches, except those outside the bounds.
    #[inline]
    pub(super) fn free_faces(&self, layer: u8, low: LocalVoxel) -> u8 {
        let side = 4_u32 << layer;
        let mut faces = 63;
        for (axis, (low, size)) in low.into_iter().zip(self.size).enumerate() {
            if low + side > size {
                faces &= !(2 << (2 * axis));
            }
        }
        faces
    }

    fn child_state(&self, layer: u8, slot: Slot, code: u64) -> NodeState {
        match slot.content() {
            Content::Block(block) => NodeState::Split(block),
            Content::Solid => NodeState::Blocked,
            Content::Free => {
                let low = corner(layer, code);
                if (0..3).any(|axis| low[axis] >= self.size[axis]) {
                    NodeState::Blocked
                } else {
                    NodeState::Free(self.free_faces(layer, low))
                }
            }
        }
    }

    /// Calls `join` for each pair of touching open regions of two nodes of `layer`, `low` below
    /// `high` along `axis`.
    fn for_each_contact(
        &self,
        layer: u8,
        (low, high): (NodeState, NodeState),
        axis: usize,
        mut join: impl FnMut(u32, u32),
    ) {
        let (down, up) = (1_u8 << (2 * axis), 2_u8 << (2 * axis));
        match (low, high) {
            (NodeState::Blocked, _) | (_, NodeState::Blocked) => {}
            (NodeState::Split(a), NodeState::Split(_)) => {
                self.contacts(layer, a, axis).for_each(|(r, s)| join(r, s));
            }
            (NodeState::Split(a), NodeState::Free(_)) => {
                let group = self.group(layer, a);
                (0..group.n_open())
                    .filter(|&r| group.faces(r) & up != 0)
                    .for_each(|r| join(r, 0));
            }
            (NodeState::Free(faces), _) if faces & up == 0 => {}
            (NodeState::Free(_), NodeState::Split(b)) => {
                let group = self.group(layer, b);
                (0..group.n_open())
                    .filter(|&s| group.faces(s) & down != 0)
                    .for_each(|s| join(0, s));
            }
            (NodeState::Free(_), NodeState::Free(_)) => join(0, 0),
        }
    }

    /// The free voxels of a block of leaves inside the bounds.
    pub(super) fn free_voxels(&self, tree: &Tree, block: u32) -> BlockVoxels {
        let solid = &tree.leaves.items[block as usize];
        if self.size.iter().all(|side| side % 8 == 0) {
            return solid.map(|voxels| !voxels); // No block straddles the bounds.
        }
        let code = tree.leaves.codes[block as usize];
        let low = corner(1, code);
        if (0..3).all(|axis| low[axis] + 8 <= self.size[axis]) {
            return solid.map(|voxels| !voxels);
        }
        std::array::from_fn(|leaf| {
            let (x, y, z) = from_morton_3(leaf as u64);
            let low: LocalVoxel = std::array::from_fn(|axis| low[axis] + [x, y, z][axis] * 4);
            !solid[leaf] & inside(low, self.size)
        })
    }

    /// The component of a free voxel: layer and code of the node that contains it, and its number
    /// there. `None` if the voxel is solid.
    pub(super) fn component(&self, tree: &Tree, at: LocalVoxel) -> Option<(u8, u64, u32)> {
        let (layer, number) = self.ascend(tree, at, tree.top)?;
        Some((layer, code_at(layer, at), number))
    }

    /// Follows the region of a free voxel upwards until it is closed or layer `until` is reached:
    /// its layer and number there. Starts at the largest free cube. `None` if the voxel is solid.
    pub(super) fn ascend(&self, tree: &Tree, at: LocalVoxel, until: u8) -> Option<(u8, u32)> {
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
                return None; // Unreachable: an ancestor is split.
            };
            let group = self.group(layer, block);
            region = group.parent_region(child, region);
            n_open = group.n_open();
        }
        Some((layer, region))
    }

    /// The number of a voxel's region within its block of leaves; `None` if it is solid.
    pub(super) fn region_in_block(&self, tree: &Tree, block: u32, at: LocalVoxel) -> Option<u32> {
        let leaf = child_at(at, 0) as usize;
        let bit = 1_u64 << bits::index(at);
        let free = self.free_voxels(tree, block);
        if free[leaf] & bit == 0 {
            return None;
        }
        if self.group(1, block).n_regions() == 1 {
            return Some(0);
        }
        block::region_number(&free, leaf, bit)
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

    /// Groups and contacts computed so far: a measure of work.
    pub(super) const fn n_rebuilt(&self) -> u64 {
        self.n_rebuilt
    }

    /// All stored words, for tests that compare bytes.
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

    pub(super) fn scratch_bytes(&self) -> usize {
        let scratch = &self.scratch;
        (scratch.parents.capacity() + scratch.numbers.capacity()) * size_of::<u32>()
            + scratch.faces.capacity()
            + scratch.pairs.capacity() * size_of::<(u16, u16)>()
            + (scratch.own.capacity() + scratch.other.capacity()) * size_of::<BlockVoxels>()
            + (scratch.current.capacity() + scratch.next.capacity()) * size_of::<u64>()
    }
}

/// The voxels inside the bounds of the leaf with low corner `low`.
pub(super) fn inside(low: LocalVoxel, size: [u32; 3]) -> u64 {
    if (0..3).any(|axis| low[axis] >= size[axis]) {
        return 0;
    }
    bits::cuboid(
        [0; 3],
        std::array::from_fn(|axis| (size[axis] - low[axis] - 1).min(3)),
    )
}
