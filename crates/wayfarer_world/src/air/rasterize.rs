//! Rasterization into the octree: fills, clears or recomposes cubes, splitting nodes where contents
//! differ and merging uniform siblings bottom-up.
//!
//! The result is canonical: the same voxels give the same tree, whatever the edit history.

use super::AirError;
use super::bits;
use super::change::AirCube;
use super::tree::{Content, LocalVoxel, Slot, Tree};

/// The action of a rasterizer on a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeAction {
    /// Leaves it unchanged.
    Keep,
    /// Makes all of it free.
    Free,
    /// Makes all of it solid.
    Solid,
    /// Descends into its children.
    Split,
}

/// A source of voxels to write into the tree.
pub(super) trait Rasterizer {
    /// The lowest and highest voxel it may change.
    fn bounds(&self) -> (LocalVoxel, LocalVoxel);
    /// The action on the cube of `layer` with low corner `low`.
    fn cube(&self, layer: u8, low: LocalVoxel) -> NodeAction;
    /// The new voxels of a leaf that was split and had `voxels`.
    fn leaf(&self, low: LocalVoxel, voxels: u64) -> u64;
    /// Rewrites the leaves of a block selected by the bits of `mask`; `low` is the low corner of
    /// the block.
    fn leaves(&self, low: LocalVoxel, mask: u8, voxels: &mut [u64; 8]) {
        for child in (0..8_u8).filter(|child| mask >> child & 1 == 1) {
            let low = child_corner(0, low, child);
            let voxels = &mut voxels[usize::from(child)];
            *voxels = match self.cube(0, low) {
                NodeAction::Keep => *voxels,
                NodeAction::Free => 0,
                NodeAction::Solid => bits::ALL,
                NodeAction::Split => self.leaf(low, *voxels),
            };
        }
    }
}

/// Bit of `Marks::dirty`: a voxel became free.
pub(super) const OPENED: u8 = 1;
/// Bit of `Marks::dirty`: a voxel became solid.
pub(super) const CLOSED: u8 = 2;

/// What rasterization dirtied: the input of the repair of derived state.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// Nodes whose block of children changed, appeared or vanished: layer and code.
    pub(super) nodes: Vec<(u8, u64)>,
    /// Removed blocks: the layer of their node, and their index.
    pub(super) removed_blocks: Vec<(u8, u32)>,
    /// Dirty sectors and larger nodes, with `OPENED` or `CLOSED` bits.
    pub(super) dirty: Vec<(AirCube, u8)>,
    /// Leaves and uniform cubes changed so far.
    pub(super) n_changes: u64,
    /// Set when the tree is full; the pending change is then discarded.
    pub(super) error: Option<AirError>,
}

impl Marks {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.removed_blocks.clear();
        self.dirty.clear();
        self.n_changes = 0;
        self.error = None;
    }

    fn record_change(&mut self, (layer, code): (u8, u64), before: u64, after: u64) {
        self.n_changes += 1;
        let mut flags = 0;
        if before & !after != 0 {
            flags |= OPENED;
        }
        if after & !before != 0 {
            flags |= CLOSED;
        }
        let cube = AirCube::around(layer, code);
        match self.dirty.last_mut() {
            Some(last) if last.0 == cube => last.1 |= flags,
            _ => self.dirty.push((cube, flags)),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(u8, u64)>()
            + self.removed_blocks.capacity() * size_of::<(u8, u32)>()
            + self.dirty.capacity() * size_of::<(AirCube, u8)>()
    }
}

impl Tree {
    /// Applies a rasterizer; if the tree is full, sets `marks.error` and stops halfway.
    pub(super) fn rasterize(&mut self, rasterizer: &impl Rasterizer, marks: &mut Marks) {
        self.root = self.rasterize_node(rasterizer, (self.top, 0, [0; 3]), self.root, marks);
    }

    fn rasterize_node(
        &mut self,
        rasterizer: &impl Rasterizer,
        (layer, code, low): (u8, u64, LocalVoxel),
        slot: Slot,
        marks: &mut Marks,
    ) -> Slot {
        match rasterizer.cube(layer, low) {
            NodeAction::Keep => slot,
            NodeAction::Free => self.replace((layer, code), slot, Slot::FREE, marks),
            NodeAction::Solid => self.replace((layer, code), slot, Slot::SOLID, marks),
            NodeAction::Split if layer == 1 => {
                self.rasterize_leaves(rasterizer, (code, low), slot, marks)
            }
            NodeAction::Split => {
                self.rasterize_children(rasterizer, (layer, code, low), slot, marks)
            }
        }
    }

    fn rasterize_leaves(
        &mut self,
        rasterizer: &impl Rasterizer,
        (code, from): (u64, LocalVoxel),
        slot: Slot,
        marks: &mut Marks,
    ) -> Slot {
        let before = match slot.content() {
            Content::Free => [0; 8],
            Content::Solid => [bits::ALL; 8],
            Content::Block(block) => self.leaves.items[block as usize],
        };
        let mut after = before;
        let mask =
            children_in(rasterizer.bounds(), 0, from).fold(0, |mask, child| mask | 1 << child);
        rasterizer.leaves(from, mask, &mut after);
        if after == before {
            return slot;
        }
        for (child, (was, is)) in (0..).zip(before.into_iter().zip(after)) {
            if was != is {
                marks.record_change((0, code << 3 | child), was, is);
            }
        }
        marks.nodes.push((1, code));
        let is_uniform = after == [0; 8] || after == [bits::ALL; 8];
        if let (Content::Block(block), false) = (slot.content(), is_uniform) {
            self.leaves.items[block as usize] = after;
            return slot;
        }
        match self.add_leaves(code, after) {
            Ok(replacement) => {
                if let Content::Block(block) = slot.content() {
                    self.leaves.remove(block);
                    marks.removed_blocks.push((1, block));
                }
                replacement
            }
            Err(error) => {
                marks.error = Some(error);
                slot
            }
        }
    }

    fn rasterize_children(
        &mut self,
        rasterizer: &impl Rasterizer,
        (layer, code, low): (u8, u64, LocalVoxel),
        slot: Slot,
        marks: &mut Marks,
    ) -> Slot {
        let blocks = usize::from(layer) - 2;
        let before = match slot.content() {
            Content::Block(block) => self.inner[blocks].items[block as usize],
            Content::Free | Content::Solid => [slot; 8],
        };
        let mut after = before;
        for child in children_in(rasterizer.bounds(), layer - 1, low) {
            if marks.error.is_some() {
                break;
            }
            let from = child_corner(layer - 1, low, child);
            let node = (layer - 1, code << 3 | u64::from(child), from);
            let was = before[usize::from(child)];
            after[usize::from(child)] = self.rasterize_node(rasterizer, node, was, marks);
        }
        if after == before {
            return slot;
        }
        marks.nodes.push((layer, code));
        let is_uniform = after == [Slot::FREE; 8] || after == [Slot::SOLID; 8];
        if let (Content::Block(block), false) = (slot.content(), is_uniform) {
            self.inner[blocks].items[block as usize] = after;
            return slot;
        }
        match self.add_nodes(layer - 1, code, after) {
            Ok(replacement) => {
                if let Content::Block(block) = slot.content() {
                    self.inner[blocks].remove(block);
                    marks.removed_blocks.push((layer, block));
                }
                replacement
            }
            Err(error) => {
                // The children were uniform before: discarding their blocks undoes everything
                // below.
                for (child, new) in (0..).zip(after) {
                    self.discard((layer - 1, code << 3 | child), new, marks);
                }
                marks.error = Some(error);
                slot
            }
        }
    }

    /// Makes a node all free or all solid.
    fn replace(
        &mut self,
        (layer, code): (u8, u64),
        slot: Slot,
        with: Slot,
        marks: &mut Marks,
    ) -> Slot {
        if slot == with {
            return slot;
        }
        let all = |slot| if slot == Slot::SOLID { bits::ALL } else { 0 };
        let Content::Block(block) = slot.content() else {
            marks.record_change((layer, code), all(slot), all(with));
            return with;
        };
        if layer == 1 {
            for (child, voxels) in (0..).zip(self.leaves.items[block as usize]) {
                if voxels != all(with) {
                    marks.record_change((0, code << 3 | child), voxels, all(with));
                }
            }
            self.leaves.remove(block);
            marks.removed_blocks.push((1, block));
        } else {
            let blocks = usize::from(layer) - 2;
            for (child, slot) in (0..).zip(self.inner[blocks].items[block as usize]) {
                self.replace((layer - 1, code << 3 | child), slot, with, marks);
            }
            self.inner[blocks].remove(block);
            marks.removed_blocks.push((layer, block));
        }
        marks.nodes.push((layer, code));
        with
    }

    /// Removes a node's blocks without recording changes.
    fn discard(&mut self, (layer, code): (u8, u64), slot: Slot, marks: &mut Marks) {
        let Content::Block(block) = slot.content() else {
            return;
        };
        marks.nodes.push((layer, code));
        marks.removed_blocks.push((layer, block));
        if layer == 1 {
            self.leaves.remove(block);
            return;
        }
        let blocks = usize::from(layer) - 2;
        for (child, slot) in (0..).zip(self.inner[blocks].items[block as usize]) {
            self.discard((layer - 1, code << 3 | child), slot, marks);
        }
        self.inner[blocks].remove(block);
    }
}

/// The children of the node with low corner `low` that overlap a box; `layer` is the children's.
fn children_in(
    (from, to): (LocalVoxel, LocalVoxel),
    layer: u8,
    low: LocalVoxel,
) -> impl Iterator<Item = u8> {
    let side = 4_u32 << layer;
    let mut selected = [0_u8; 3];
    for axis in 0..3 {
        let center = low[axis] + side;
        let lower = from[axis] < center && to[axis] >= low[axis];
        let upper = to[axis] >= center && from[axis] < center + side;
        selected[axis] = u8::from(lower) | u8::from(upper) << 1;
    }
    (0..8_u8).filter(move |child| {
        selected[0] >> (child & 1)
            & selected[1] >> (child >> 1 & 1)
            & selected[2] >> (child >> 2)
            & 1
            == 1
    })
}

/// The low corner of a child; `layer` is the child's, `low` the low corner of its parent.
#[inline]
pub(super) fn child_corner(layer: u8, low: LocalVoxel, child: u8) -> LocalVoxel {
    let side = 4_u32 << layer;
    std::array::from_fn(|axis| low[axis] + u32::from(child >> axis & 1) * side)
}

/// Fills or clears a box.
pub(super) struct FillBox {
    pub(super) low: LocalVoxel,
    /// Included.
    pub(super) high: LocalVoxel,
    pub(super) solid: bool,
}

impl Rasterizer for FillBox {
    fn bounds(&self) -> (LocalVoxel, LocalVoxel) {
        (self.low, self.high)
    }

    fn cube(&self, layer: u8, low: LocalVoxel) -> NodeAction {
        let last = (4 << layer) - 1;
        let overlaps =
            |axis: usize| low[axis] <= self.high[axis] && low[axis] + last >= self.low[axis];
        let inside =
            |axis: usize| self.low[axis] <= low[axis] && low[axis] + last <= self.high[axis];
        if !(0..3).all(overlaps) {
            NodeAction::Keep
        } else if !(0..3).all(inside) {
            NodeAction::Split
        } else if self.solid {
            NodeAction::Solid
        } else {
            NodeAction::Free
        }
    }

    fn leaf(&self, low: LocalVoxel, voxels: u64) -> u64 {
        let from = std::array::from_fn(|axis| self.low[axis].max(low[axis]) - low[axis]);
        let to = std::array::from_fn(|axis| self.high[axis].min(low[axis] + 3) - low[axis]);
        let box_voxels = bits::cuboid(from, to);
        if self.solid {
            voxels | box_voxels
        } else {
            voxels & !box_voxels
        }
    }
}

/// Makes a cube solid: all of it, or the given voxels of a leaf.
struct SolidCube {
    layer: u8,
    low: LocalVoxel,
    voxels: u64,
}

impl Rasterizer for SolidCube {
    fn bounds(&self) -> (LocalVoxel, LocalVoxel) {
        let side = 4_u32 << self.layer;
        (self.low, self.low.map(|at| at + side - 1))
    }

    fn cube(&self, layer: u8, _: LocalVoxel) -> NodeAction {
        if layer == self.layer && self.voxels == bits::ALL {
            NodeAction::Solid
        } else {
            NodeAction::Split
        }
    }

    fn leaf(&self, _: LocalVoxel, voxels: u64) -> u64 {
        voxels | self.voxels
    }
}

impl Tree {
    /// The tree with root layer `top` whose solid voxels are those of `cubes`.
    pub(super) fn from_cubes(top: u8, cubes: impl Iterator<Item = (u8, LocalVoxel, u64)>) -> Self {
        let mut tree = Self::new(top);
        let mut marks = Marks::default();
        for (layer, low, voxels) in cubes {
            marks.clear();
            tree.rasterize(&SolidCube { layer, low, voxels }, &mut marks);
        }
        tree
    }
}

/// Replaces the content of a box.
pub(super) struct Replace<'a> {
    pub(super) low: LocalVoxel,
    /// Included.
    pub(super) high: LocalVoxel,
    /// The new content of the box; what it has outside is ignored.
    pub(super) content: &'a Tree,
}

impl Rasterizer for Replace<'_> {
    fn bounds(&self) -> (LocalVoxel, LocalVoxel) {
        (self.low, self.high)
    }

    fn cube(&self, layer: u8, low: LocalVoxel) -> NodeAction {
        let all = FillBox {
            low: self.low,
            high: self.high,
            solid: true,
        };
        match all.cube(layer, low) {
            NodeAction::Solid if layer > 0 => match self.content.content(layer, low) {
                Content::Free => NodeAction::Free,
                Content::Solid => NodeAction::Solid,
                Content::Block(_) => NodeAction::Split,
            },
            NodeAction::Keep => NodeAction::Keep,
            _ => NodeAction::Split,
        }
    }

    fn leaf(&self, low: LocalVoxel, voxels: u64) -> u64 {
        let solid = true;
        let (low_corner, high) = (self.low, self.high);
        let inside = FillBox {
            low: low_corner,
            high,
            solid,
        }
        .leaf(low, 0);
        voxels & !inside | self.content.leaf(low) & inside
    }
}
