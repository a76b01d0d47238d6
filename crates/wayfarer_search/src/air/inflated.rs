//! The free space of an agent with a radius, and of air with volumes, computed on demand.
//!
//! A voxel is free for an agent if the agent's ball around its center overlaps nothing solid. A
//! cube keeps its state if nothing solid lies within the radius and no volume begins or ends in
//! it; otherwise its octants are examined, down to leaves, whose voxels are tested by dilating
//! rows of bits. Of a box of free centers, the point nearest to a solid voxel is a corner, so any
//! straight line between two voxels of a free box is free. A searcher keeps the blocks of 16 voxels a
//! side that its queries have reached ([`InflatedBlocks`]); the nodes are the same with and without.

use std::cell::RefCell;

use wayfarer_base::{CostMultiplier, Fixed, Voxel};
use wayfarer_world::air::{Air, AirCursor, LocalNode, Volume, VolumeRule, bits};

use super::inflated_blocks::{
    self, BlockRows, InflatedBlock, InflatedBlocks, free_octants, unblocked_leaves,
};
use super::node_source::{CursorNode, LocalVoxel, NodeSource};
use super::octree::corner;

/// Largest radius, in voxels: a row of a leaf with its surroundings must fit 32 bits.
pub(super) const MAX_RADIUS: i32 = 12;

/// The air inflated for one agent (configuration space).
pub(super) struct InflatedSource<'a> {
    air: &'a Air,
    cursor: AirCursor<'a>,
    size: LocalVoxel,
    /// The largest distance along an axis at which a solid voxel blocks.
    reach: i32,
    /// The same along x, by distance along y and z, each 0 to `reach`; -1 if it never blocks.
    along: [[i8; MAX_RADIUS as usize + 2]; MAX_RADIUS as usize + 2],
    has_volumes: bool,
    /// The blocks kept; `None` with volumes.
    blocks: Option<&'a RefCell<InflatedBlocks>>,
}

/// The largest distance along an axis at which a solid voxel blocks an agent of a radius, in 1/256.
pub(super) fn reach_of(radius: Fixed) -> i32 {
    let radius = radius.raw().clamp(0, MAX_RADIUS * 256);
    let blocks = |steps: &i32| (steps * 256 - 128).max(0) < radius;
    (0..=MAX_RADIUS).rev().find(blocks).unwrap_or(0)
}

impl<'a> InflatedSource<'a> {
    /// The source that keeps its blocks, which must be bound to this air and radius.
    pub(super) fn with_blocks(
        air: &'a Air,
        radius: Fixed,
        blocks: &'a RefCell<InflatedBlocks>,
    ) -> Self {
        let source = Self::new(air, radius);
        Self {
            blocks: (!source.has_volumes && source.reach > 0).then_some(blocks),
            ..source
        }
    }

    pub(super) fn new(air: &'a Air, radius: Fixed) -> Self {
        let radius = radius.raw().clamp(0, MAX_RADIUS * 256);
        // From a center to the near face of the voxel `steps` away.
        let gap = |steps: i32| i64::from((steps * 256 - 128).max(0));
        let near = |a: i32, b: i32, c: i32| {
            let square = gap(a) * gap(a) + gap(b) * gap(b) + gap(c) * gap(c);
            square < i64::from(radius) * i64::from(radius)
        };
        let reach = (0..=MAX_RADIUS).rev().find(|n| near(*n, 0, 0)).unwrap_or(0);
        let mut along = [[-1; MAX_RADIUS as usize + 2]; MAX_RADIUS as usize + 2];
        for (y, row) in (0..=reach).zip(&mut along) {
            for (z, along) in (0..=reach).zip(row) {
                let far = (0..=reach).rev().find(|x| near(*x, y, z));
                *along = far.map_or(-1, |far| i8::try_from(far).unwrap_or(i8::MAX));
            }
        }
        // A solid voxel blocks a point agent as well.
        along[0][0] = along[0][0].max(0);
        let size = air.size().map(u32::cast_signed);
        Self {
            air,
            cursor: air.cursor(),
            size,
            reach,
            along,
            has_volumes: air.volumes().next().is_some(),
            blocks: None,
        }
    }

    /// The block of a voxel, computed if it is not kept; without volumes.
    fn block_at(&mut self, at: LocalVoxel, blocks: &RefCell<InflatedBlocks>) -> InflatedBlock {
        let low = corner(at, inflated_blocks::LOG);
        if let Some(block) = blocks.borrow().get(low) {
            return block;
        }
        if let Some(node) = self.cube_at(at, inflated_blocks::LOG) {
            return blocks.borrow_mut().add_cube(low, node);
        }
        let mut rows: BlockRows = [[0; 40]; 40];
        let mut solid_octants = 0;
        for octant in 0..8_u8 {
            let at = [octant & 1, octant >> 1 & 1, octant >> 2].map(|at| 8 * i32::from(at));
            let at: LocalVoxel = std::array::from_fn(|axis| low[axis] + at[axis]);
            let is_inside = (0..3).all(|axis| at[axis] < self.size[axis]);
            if is_inside
                && matches!(
                    self.cursor.local_node_at(at.map(i32::cast_unsigned)),
                    LocalNode::Cube {
                        layer: 1,
                        solid: true
                    }
                )
            {
                solid_octants |= 1 << octant;
            }
        }
        let first = low.map(|at| (at - self.reach) >> 2);
        let last = low.map(|at| (at + 15 + self.reach) >> 2);
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    let leaf = [x * 4, y * 4, z * 4];
                    let is_inside =
                        (0..3).all(|axis| leaf[axis] >= 0 && leaf[axis] < self.size[axis]);
                    let solid = if is_inside { self.solid(leaf) } else { 0 };
                    if solid != 0 {
                        let at = std::array::from_fn(|axis| leaf[axis] - low[axis] + self.reach);
                        write_block_rows(&mut rows, solid, at, 16 + 2 * self.reach);
                    }
                }
            }
        }
        let reach = self.reach.unsigned_abs() as usize;
        let leaves = unblocked_leaves(&rows, reach, |y, z| self.along[y][z]);
        let octants = (free_octants(&rows, reach), solid_octants);
        blocks.borrow_mut().add_leaves(low, leaves, octants)
    }

    /// The node of a voxel from its block.
    fn node_in(&self, at: LocalVoxel, block: InflatedBlock, blocks: &InflatedBlocks) -> CursorNode {
        let (masks, free, solid) = match block {
            InflatedBlock::Cube(node) => return node,
            InflatedBlock::Leaves {
                masks,
                free_octants,
                solid_octants,
            } => (masks, free_octants, solid_octants),
        };
        let part = |shift: u32, mask: i32| at.map(|at| (at >> shift & mask).unsigned_abs());
        let [x, y, z] = part(3, 1);
        let octant = x + 2 * y + 4 * z;
        if solid >> octant & 1 == 1 {
            return CursorNode::cube(3, false);
        }
        if free >> octant & 1 == 1 {
            return CursorNode::cube(3, true);
        }
        let [x, y, z] = part(2, 3);
        let free = blocks.mask(masks, (x + 4 * y + 16 * z) as usize);
        self.leaf_node(corner(at, 2), free)
    }

    /// The node of a leaf with these free voxels, bits out of bounds ignored.
    fn leaf_node(&self, low: LocalVoxel, free: u64) -> CursorNode {
        let inside = bits::cuboid(
            [0; 3],
            std::array::from_fn(|axis| (self.size[axis] - low[axis] - 1).min(3).cast_unsigned()),
        );
        let free = free & inside;
        if free == inside {
            CursorNode::cube(2, true)
        } else {
            CursorNode { free, log: 2 }
        }
    }

    /// The largest uniform cube around a voxel, of at least `2^min_log` voxels a side.
    fn cube_at(&mut self, at: LocalVoxel, min_log: u8) -> Option<CursorNode> {
        let mut log = match self.cursor.local_node_at(at.map(i32::cast_unsigned)) {
            LocalNode::Cube { layer, solid: true } => {
                let log = layer + 2;
                return (log >= min_log).then(|| CursorNode::cube(log, false));
            }
            LocalNode::Cube { layer, .. } => layer + 2,
            LocalNode::Leaf { .. } => 2,
        };
        while log >= min_log {
            let low = corner(at, log);
            let high: LocalVoxel =
                std::array::from_fn(|axis| (low[axis] + (1 << log)).min(self.size[axis]) - 1);
            let from = low.map(|at| (at - self.reach).max(0).cast_unsigned());
            let to = std::array::from_fn(|axis| {
                (high[axis] + self.reach)
                    .min(self.size[axis] - 1)
                    .cast_unsigned()
            });
            let is_near = self.reach > 0 && self.air.has_solid(from, to);
            let is_split = self.has_volumes && self.is_split(low, high, false);
            if !is_near && !is_split {
                let is_free =
                    !self.has_volumes || self.air.cost_multiplier(self.voxel(low)).is_some();
                return Some(CursorNode::cube(log, is_free));
            }
            log -= 1;
        }
        None
    }

    fn voxel(&self, at: LocalVoxel) -> Voxel {
        self.air.to_world(at.map(i32::cast_unsigned))
    }

    /// True if a volume, or one with a cost multiplier, covers a cube in part.
    fn is_split(&self, low: LocalVoxel, high: LocalVoxel, by_multiplier: bool) -> bool {
        let (low, high) = (self.voxel(low), self.voxel(high));
        let counts = |volume: &Volume| !by_multiplier || volume.rule != VolumeRule::Closed;
        let mut volumes = self.air.volumes().filter(|(_, volume)| counts(volume));
        volumes.any(|(_, volume)| {
            let (from, to) = (volume.low, volume.high);
            let is_disjoint = high.x < from.x
                || to.x < low.x
                || high.y < from.y
                || to.y < low.y
                || high.z < from.z
                || to.z < low.z;
            let is_inside = volume.contains(low) && volume.contains(high);
            !(is_disjoint || is_inside)
        })
    }

    /// The voxels of a leaf, within bounds, whose ball overlaps nothing solid.
    fn unblocked(&mut self, low: LocalVoxel) -> u64 {
        let reach = self.reach;
        let span = 4 + 2 * reach;
        // Solid voxels around the leaf, one word per row along x.
        let mut rows = [[0_u32; 4 + 2 * MAX_RADIUS as usize]; 4 + 2 * MAX_RADIUS as usize];
        let first = low.map(|at| (at - reach) >> 2);
        let last = low.map(|at| (at + 3 + reach) >> 2);
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    let leaf = [x * 4, y * 4, z * 4];
                    let inside = (0..3).all(|axis| leaf[axis] >= 0 && leaf[axis] < self.size[axis]);
                    let solid = if inside { self.solid(leaf) } else { 0 };
                    if solid != 0 {
                        write_rows(
                            &mut rows,
                            solid,
                            std::array::from_fn(|axis| leaf[axis] - low[axis] + reach),
                            span,
                        );
                    }
                }
            }
        }
        let mut free = 0_u64;
        for z in 0..4 {
            for y in 0..4 {
                let blocked = self.blocked(&rows, (y + reach, z + reach));
                let open = !(blocked >> reach) & 15;
                free |= u64::from(open) << (4 * y + 16 * z);
            }
        }
        let high: [u32; 3] =
            std::array::from_fn(|axis| (self.size[axis] - low[axis] - 1).min(3).cast_unsigned());
        free & bits::cuboid([0; 3], high)
    }

    /// The voxels of one row that are blocked by solid voxels nearby.
    fn blocked(&self, rows: &[[u32; 28]; 28], (y, z): (i32, i32)) -> u32 {
        let mut blocked = 0;
        for dz in -self.reach..=self.reach {
            for dy in -self.reach..=self.reach {
                let far = self.along[dy.unsigned_abs() as usize][dz.unsigned_abs() as usize];
                if far < 0 {
                    continue;
                }
                let mut row =
                    rows[(z + dz).unsigned_abs() as usize][(y + dy).unsigned_abs() as usize];
                for _ in 0..far {
                    row |= row << 1 | row >> 1;
                }
                blocked |= row;
            }
        }
        blocked
    }

    /// The solid voxels of a leaf.
    fn solid(&mut self, leaf: LocalVoxel) -> u64 {
        match self.cursor.local_node_at(leaf.map(i32::cast_unsigned)) {
            LocalNode::Cube { solid: true, .. } => bits::ALL,
            LocalNode::Cube { solid: false, .. } => 0,
            LocalNode::Leaf { free } => {
                let high: [u32; 3] = std::array::from_fn(|axis| {
                    (self.size[axis] - leaf[axis] - 1).min(3).cast_unsigned()
                });
                !free & bits::cuboid([0; 3], high)
            }
        }
    }

    /// The voxels of a leaf that no volume closes.
    fn not_closed(&self, low: LocalVoxel) -> u64 {
        let low = self.voxel(low);
        let closed = |(_, volume): (_, &Volume)| {
            if volume.rule != VolumeRule::Closed {
                return 0;
            }
            let ends = [
                (low.x, volume.low.x, volume.high.x),
                (low.y, volume.low.y, volume.high.y),
                (low.z, volume.low.z, volume.high.z),
            ];
            let ends = ends.map(|(low, from, to)| {
                (
                    i64::from(from) - i64::from(low),
                    i64::from(to) - i64::from(low),
                )
            });
            if ends.iter().any(|(from, to)| *from > 3 || *to < 0) {
                return 0;
            }
            let part = |at: i64| u32::try_from(at.clamp(0, 3)).expect("clamped");
            bits::cuboid(
                ends.map(|(from, _)| part(from)),
                ends.map(|(_, to)| part(to)),
            )
        };
        !self
            .air
            .volumes()
            .map(closed)
            .fold(0, |all, some| all | some)
    }
}

impl NodeSource for InflatedSource<'_> {
    const WEIGHTED: bool = true;

    fn cost_multiplier(&self, at: LocalVoxel) -> u16 {
        self.air
            .cost_multiplier(self.voxel(at))
            .map_or(u16::MAX, CostMultiplier::sixteenths)
    }

    fn leaf_mask(&mut self, at: LocalVoxel) -> u64 {
        let low = corner(at, 2);
        self.unblocked(low) & self.not_closed(low)
    }

    fn node_at(&mut self, at: LocalVoxel) -> CursorNode {
        if let Some(blocks) = self.blocks {
            let block = self.block_at(at, blocks);
            return self.node_in(at, block, &blocks.borrow());
        }
        if let Some(node) = self.cube_at(at, 3) {
            return node;
        }
        let low = corner(at, 2);
        if let LocalNode::Cube { solid: true, .. } =
            self.cursor.local_node_at(at.map(i32::cast_unsigned))
        {
            return CursorNode::cube(2, false);
        }
        let mut free = self.unblocked(low);
        if self.has_volumes {
            free &= self.not_closed(low);
            let high = std::array::from_fn(|axis| (low[axis] + 4).min(self.size[axis]) - 1);
            if self.is_split(low, high, true) {
                // Its voxels differ in cost multiplier: each is a node of its own.
                let bit = bits::index(at.map(i32::cast_unsigned));
                return CursorNode::cube(0, free >> bit & 1 == 1);
            }
        }
        self.leaf_node(low, free)
    }
}

/// Writes the solid voxels of a leaf into the rows of a block; `at` is the leaf's offset among them.
fn write_block_rows(rows: &mut BlockRows, solid: u64, at: LocalVoxel, span: i32) {
    for z in 0..4_i32 {
        for y in 0..4_i32 {
            let (row, column) = (at[2] + z, at[1] + y);
            if row < 0 || column < 0 || row >= span || column >= span {
                continue;
            }
            let four = solid >> (4 * y + 16 * z) & 15;
            let word = if at[0] >= 0 {
                four << at[0]
            } else {
                four >> -at[0]
            };
            rows[row.unsigned_abs() as usize][column.unsigned_abs() as usize] |= word;
        }
    }
}

/// Writes the solid voxels of a leaf into rows; `at` is the leaf's offset among them.
fn write_rows(rows: &mut [[u32; 28]; 28], solid: u64, at: LocalVoxel, span: i32) {
    for z in 0..4_i32 {
        for y in 0..4_i32 {
            let (row, column) = (at[2] + z, at[1] + y);
            if row < 0 || column < 0 || row >= span || column >= span {
                continue;
            }
            let four = u32::try_from(solid >> (4 * y + 16 * z) & 15).expect("four bits");
            let word = if at[0] >= 0 {
                four << at[0]
            } else {
                four >> -at[0]
            };
            rows[row.unsigned_abs() as usize][column.unsigned_abs() as usize] |= word;
        }
    }
}
