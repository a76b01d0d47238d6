//! Changing the octree: cubes are filled, cleared or redrawn, split where they must be and merged
//! again where they can.
//!
//! What comes out has one form only, that of a tree built anew, whatever was done before.

use super::AirError;
use super::bits;
use super::tree::{At, Content, Slot, Tree, corner};

/// What becomes of a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Nothing changes.
    Keep,
    /// All of it becomes free.
    Free,
    /// All of it becomes solid.
    Solid,
    /// Its parts differ.
    Split,
}

/// Something to draw into the tree.
pub(super) trait Paint {
    /// The lowest and highest voxel it may change.
    fn reach(&self) -> (At, At);
    /// What becomes of a cube of `layer` with low corner `low`.
    fn cube(&self, layer: u8, low: At) -> Verdict;
    /// What becomes of a leaf that was split and had `voxels`.
    fn leaf(&self, low: At, voxels: u64) -> u64;
    /// What becomes of those of eight leaves that `which` names by a bit each; `low` is the low
    /// corner of all, `voxels` what they had.
    fn leaves(&self, low: At, which: u8, voxels: &mut [u64; 8]) {
        for child in (0..8_u8).filter(|child| which >> child & 1 == 1) {
            let low = child_corner(0, low, child);
            let voxels = &mut voxels[usize::from(child)];
            *voxels = match self.cube(0, low) {
                Verdict::Keep => *voxels,
                Verdict::Free => 0,
                Verdict::Solid => bits::ALL,
                Verdict::Split => self.leaf(low, *voxels),
            };
        }
    }
}

/// A cube that was all alike, or a leaf, before and after: its solid voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CubeChange {
    pub(super) layer: u8,
    pub(super) low: At,
    pub(super) before: u64,
    pub(super) after: u64,
}

/// Bit of `Marks::dirty`: something became free.
pub(super) const OPENED: u8 = 1;
/// Bit of `Marks::dirty`: something became solid.
pub(super) const CLOSED: u8 = 2;

/// What painting did, for whoever repairs what is derived from the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// Nodes whose block of children changed, came or went: layer and code.
    pub(super) nodes: Vec<(u8, u64)>,
    /// Blocks that went: the layer of their node, and their number.
    pub(super) gone: Vec<(u8, u32)>,
    /// Sectors of 16 x 16 x 16 voxels in which voxels changed: code and `OPENED`, `CLOSED`.
    pub(super) dirty: Vec<(u64, u8)>,
    /// Each change, if wanted.
    pub(super) changes: Vec<CubeChange>,
    /// True if `changes` are wanted.
    pub(super) keep_changes: bool,
    /// Set when the tree cannot hold more; what was begun then is left undone.
    pub(super) error: Option<AirError>,
}

impl Marks {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.gone.clear();
        self.dirty.clear();
        self.changes.clear();
        self.error = None;
    }

    fn change(&mut self, (layer, code): (u8, u64), before: u64, after: u64) {
        if self.keep_changes {
            let low = corner(layer, code);
            self.changes.push(CubeChange {
                layer,
                low,
                before,
                after,
            });
        }
        let mut what = 0;
        if before & !after != 0 {
            what |= OPENED;
        }
        if after & !before != 0 {
            what |= CLOSED;
        }
        // Sectors are the nodes of layer 2: those of a larger node follow each other.
        if layer <= 2 {
            let sector = code >> (3 * (2 - layer));
            match self.dirty.last_mut() {
                Some(last) if last.0 == sector => last.1 |= what,
                _ => self.dirty.push((sector, what)),
            }
        } else {
            let shift = 3 * (layer - 2);
            let sectors = code << shift..(code + 1) << shift;
            self.dirty.extend(sectors.map(|sector| (sector, what)));
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(u8, u64)>()
            + self.gone.capacity() * size_of::<(u8, u32)>()
            + self.dirty.capacity() * size_of::<(u64, u8)>()
            + self.changes.capacity() * size_of::<CubeChange>()
    }
}

impl Tree {
    /// Draws `paint`; if the tree becomes too large, `marks.error` says so and only part is done.
    pub(super) fn paint(&mut self, paint: &impl Paint, marks: &mut Marks) {
        self.root = self.paint_node(paint, (self.top, 0, [0; 3]), self.root, marks);
    }

    fn paint_node(
        &mut self,
        paint: &impl Paint,
        (layer, code, low): (u8, u64, At),
        slot: Slot,
        marks: &mut Marks,
    ) -> Slot {
        match paint.cube(layer, low) {
            Verdict::Keep => slot,
            Verdict::Free => self.replace((layer, code), slot, Slot::FREE, marks),
            Verdict::Solid => self.replace((layer, code), slot, Slot::SOLID, marks),
            Verdict::Split if layer == 1 => self.paint_leaves(paint, (code, low), slot, marks),
            Verdict::Split => self.paint_children(paint, (layer, code, low), slot, marks),
        }
    }

    fn paint_leaves(
        &mut self,
        paint: &impl Paint,
        (code, from): (u64, At),
        slot: Slot,
        marks: &mut Marks,
    ) -> Slot {
        let before = match slot.content() {
            Content::Free => [0; 8],
            Content::Solid => [bits::ALL; 8],
            Content::Block(block) => self.leaves.items[block as usize],
        };
        let mut after = before;
        let n_changes = marks.changes.len();
        let which = children_in(paint.reach(), 0, from).fold(0, |which, child| which | 1 << child);
        paint.leaves(from, which, &mut after);
        if after == before {
            return slot;
        }
        for (child, (was, is)) in (0..).zip(before.into_iter().zip(after)) {
            if was != is {
                marks.change((0, code << 3 | child), was, is);
            }
        }
        marks.nodes.push((1, code));
        let uniform = after == [0; 8] || after == [bits::ALL; 8];
        if let (Content::Block(block), false) = (slot.content(), uniform) {
            self.leaves.items[block as usize] = after;
            return slot;
        }
        match self.keep_leaves(code, after) {
            Ok(kept) => {
                if let Content::Block(block) = slot.content() {
                    self.leaves.remove(block);
                    marks.gone.push((1, block));
                }
                kept
            }
            Err(error) => {
                marks.changes.truncate(n_changes);
                marks.error = Some(error);
                slot
            }
        }
    }

    fn paint_children(
        &mut self,
        paint: &impl Paint,
        (layer, code, low): (u8, u64, At),
        slot: Slot,
        marks: &mut Marks,
    ) -> Slot {
        let blocks = usize::from(layer) - 2;
        let before = match slot.content() {
            Content::Block(block) => self.inner[blocks].items[block as usize],
            Content::Free | Content::Solid => [slot; 8],
        };
        let mut after = before;
        let n_changes = marks.changes.len();
        for child in children_in(paint.reach(), layer - 1, low) {
            if marks.error.is_some() {
                break;
            }
            let from = child_corner(layer - 1, low, child);
            let place = (layer - 1, code << 3 | u64::from(child), from);
            let was = before[usize::from(child)];
            after[usize::from(child)] = self.paint_node(paint, place, was, marks);
        }
        if after == before {
            return slot;
        }
        marks.nodes.push((layer, code));
        let uniform = after == [Slot::FREE; 8] || after == [Slot::SOLID; 8];
        if let (Content::Block(block), false) = (slot.content(), uniform) {
            self.inner[blocks].items[block as usize] = after;
            return slot;
        }
        match self.keep_nodes(layer - 1, code, after) {
            Ok(kept) => {
                if let Content::Block(block) = slot.content() {
                    self.inner[blocks].remove(block);
                    marks.gone.push((layer, block));
                }
                kept
            }
            Err(error) => {
                // All children were alike before: putting that back undoes everything below.
                for (child, new) in (0..).zip(after) {
                    self.forget((layer - 1, code << 3 | child), new, marks);
                }
                marks.changes.truncate(n_changes);
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
            marks.change((layer, code), all(slot), all(with));
            return with;
        };
        if layer == 1 {
            for (child, voxels) in (0..).zip(self.leaves.items[block as usize]) {
                if voxels != all(with) {
                    marks.change((0, code << 3 | child), voxels, all(with));
                }
            }
            self.leaves.remove(block);
            marks.gone.push((1, block));
        } else {
            let blocks = usize::from(layer) - 2;
            for (child, slot) in (0..).zip(self.inner[blocks].items[block as usize]) {
                self.replace((layer - 1, code << 3 | child), slot, with, marks);
            }
            self.inner[blocks].remove(block);
            marks.gone.push((layer, block));
        }
        marks.nodes.push((layer, code));
        with
    }

    /// Takes away a node's blocks without noting changes.
    fn forget(&mut self, (layer, code): (u8, u64), slot: Slot, marks: &mut Marks) {
        let Content::Block(block) = slot.content() else {
            return;
        };
        marks.nodes.push((layer, code));
        marks.gone.push((layer, block));
        if layer == 1 {
            self.leaves.remove(block);
            return;
        }
        let blocks = usize::from(layer) - 2;
        for (child, slot) in (0..).zip(self.inner[blocks].items[block as usize]) {
            self.forget((layer - 1, code << 3 | child), slot, marks);
        }
        self.inner[blocks].remove(block);
    }
}

/// The children, of layer `layer`, of the node with low corner `low` that a box meets.
fn children_in((from, to): (At, At), layer: u8, low: At) -> impl Iterator<Item = u8> {
    let side = 4_u32 << layer;
    let mut allowed = [0_u8; 3];
    for axis in 0..3 {
        let center = low[axis] + side;
        let lower = from[axis] < center && to[axis] >= low[axis];
        let upper = to[axis] >= center && from[axis] < center + side;
        allowed[axis] = u8::from(lower) | u8::from(upper) << 1;
    }
    (0..8_u8).filter(move |child| {
        allowed[0] >> (child & 1) & allowed[1] >> (child >> 1 & 1) & allowed[2] >> (child >> 2) & 1
            == 1
    })
}

/// The low corner of a child, of layer `layer`, of the node with low corner `low`.
#[inline]
pub(super) fn child_corner(layer: u8, low: At, child: u8) -> At {
    let side = 4_u32 << layer;
    std::array::from_fn(|axis| low[axis] + u32::from(child >> axis & 1) * side)
}

/// A box made all solid or all free.
pub(super) struct FillBox {
    pub(super) low: At,
    /// Included.
    pub(super) high: At,
    pub(super) solid: bool,
}

impl Paint for FillBox {
    fn reach(&self) -> (At, At) {
        (self.low, self.high)
    }

    fn cube(&self, layer: u8, low: At) -> Verdict {
        let last = (4 << layer) - 1;
        let meets =
            |axis: usize| low[axis] <= self.high[axis] && low[axis] + last >= self.low[axis];
        let inside =
            |axis: usize| self.low[axis] <= low[axis] && low[axis] + last <= self.high[axis];
        if !(0..3).all(meets) {
            Verdict::Keep
        } else if !(0..3).all(inside) {
            Verdict::Split
        } else if self.solid {
            Verdict::Solid
        } else {
            Verdict::Free
        }
    }

    fn leaf(&self, low: At, voxels: u64) -> u64 {
        let from = std::array::from_fn(|axis| self.low[axis].max(low[axis]) - low[axis]);
        let to = std::array::from_fn(|axis| self.high[axis].min(low[axis] + 3) - low[axis]);
        let filled = bits::cuboid(from, to);
        if self.solid {
            voxels | filled
        } else {
            voxels & !filled
        }
    }
}

/// One cube put to known content.
pub(super) struct PutCube(pub(super) CubeChange);

impl Paint for PutCube {
    fn reach(&self) -> (At, At) {
        let side = 4_u32 << self.0.layer;
        (self.0.low, self.0.low.map(|at| at + side - 1))
    }

    fn cube(&self, layer: u8, _: At) -> Verdict {
        match self.0.after {
            _ if layer > self.0.layer => Verdict::Split,
            0 => Verdict::Free,
            bits::ALL => Verdict::Solid,
            _ => Verdict::Split,
        }
    }

    fn leaf(&self, _: At, _: u64) -> u64 {
        self.0.after
    }
}
