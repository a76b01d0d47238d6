//! Blocks of an agent's free space, computed once and kept from query to query.
//!
//! A block has 16 x 16 x 16 voxels, or is part of a larger uniform cube. Its free voxels come from
//! the solid voxels around it as rows of bits: each row is dilated along x for every distance that
//! occurs, and a row of free voxels is the union of those around it. The blocks are those of one
//! air and radius; [`InflatedBlocks::sync`] drops the ones near what changed.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Fixed, Revision};
use wayfarer_world::air::{Air, AirChanges};

use super::node_source::{CursorNode, LocalVoxel};
use super::octree::corner;
use super::scratch::key_of;

/// Binary logarithm of a block's side.
pub(super) const LOG: u8 = 4;
/// Blocks kept; more empty the table.
const MAX_BLOCKS: usize = 1 << 16;

/// The blocks of one agent that searches have reached.
#[derive(Clone, Debug, Default)]
pub(super) struct InflatedBlocks {
    /// Identity and revision of the air, and the radius.
    source: Option<(u64, Revision, i32)>,
    by_low: FastMap<u64, InflatedBlock>,
    masks: Vec<[u64; 64]>,
    free: Vec<u32>,
}

/// What a block holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum InflatedBlock {
    /// Part of a uniform cube, or one.
    Cube(CursorNode),
    /// Leaves of different content: the index of their masks.
    Leaves {
        /// Voxels free for the agent, by leaf: x first, then y, then z.
        masks: u32,
        /// Octants, x first, with nothing solid within reach.
        free_octants: u8,
        /// Octants all solid.
        solid_octants: u8,
    },
}

impl InflatedBlocks {
    /// Keeps the blocks if they are those of this air and radius, else drops them.
    pub(super) fn bind(&mut self, air: &Air, radius: i32) {
        let source = (air.identity(), air.revision(), radius);
        if self.source != Some(source) || self.by_low.len() > MAX_BLOCKS {
            self.by_low.clear();
            self.masks.clear();
            self.free.clear();
            self.source = Some(source);
        }
    }

    /// The radius of the agent whose blocks these are; 0 if there are none.
    pub(super) fn radius(&self) -> Fixed {
        Fixed::from_raw(self.source.map_or(0, |(_, _, radius)| radius))
    }

    /// The revision of the air whose blocks these are.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.source.map(|(_, revision, _)| revision)
    }

    /// Drops the blocks near what a batch changed, if they are those of the revision before it.
    pub(super) fn sync(&mut self, air: &Air, changes: &AirChanges, reach: i32) {
        let Some((_, revision, _)) = &mut self.source else {
            return;
        };
        *revision = changes.after;
        for dirty in &changes.dirty_sectors {
            let first = air.sector_low(*dirty.sector.sectors().start());
            let Some(low) = air.to_local(first) else {
                // Outside the bounds: nothing is known of it.
                self.source = None;
                return;
            };
            let low = low.map(u32::cast_signed);
            self.remove_near(low, dirty.sector.side().cast_signed(), reach);
        }
    }

    /// Drops every block whose cube lies within `reach` of another.
    fn remove_near(&mut self, low: LocalVoxel, side: i32, reach: i32) {
        let Self { by_low, free, .. } = self;
        by_low.retain(|key, block| {
            let at = voxel_of(*key);
            let (from, length) = match block {
                InflatedBlock::Cube(node) => (corner(at, node.log), 1 << node.log),
                InflatedBlock::Leaves { .. } => (at, 1 << LOG),
            };
            let is_apart = (0..3).any(|axis| {
                from[axis] + length + reach < low[axis] || low[axis] + side + reach < from[axis]
            });
            if !is_apart && let InflatedBlock::Leaves { masks, .. } = block {
                free.push(*masks);
            }
            is_apart
        });
    }

    #[inline]
    pub(super) fn get(&self, low: LocalVoxel) -> Option<InflatedBlock> {
        self.by_low.get(&key_of(low)).copied()
    }

    #[inline]
    pub(super) fn mask(&self, masks: u32, leaf: usize) -> u64 {
        self.masks[masks as usize][leaf]
    }

    pub(super) fn add_cube(&mut self, low: LocalVoxel, node: CursorNode) -> InflatedBlock {
        let block = InflatedBlock::Cube(node);
        self.by_low.insert(key_of(low), block);
        block
    }

    pub(super) fn add_leaves(
        &mut self,
        low: LocalVoxel,
        leaves: [u64; 64],
        (free_octants, solid_octants): (u8, u8),
    ) -> InflatedBlock {
        let masks = match self.free.pop() {
            Some(index) => {
                self.masks[index as usize] = leaves;
                index
            }
            None => {
                self.masks.push(leaves);
                u32::try_from(self.masks.len() - 1).expect("far fewer blocks")
            }
        };
        let block = InflatedBlock::Leaves {
            masks,
            free_octants,
            solid_octants,
        };
        self.by_low.insert(key_of(low), block);
        block
    }

    /// Bytes on the heap; those of the hash table are estimated.
    pub(super) fn heap_bytes(&self) -> usize {
        self.by_low.capacity() * (size_of::<(u64, InflatedBlock)>() + 1)
            + self.masks.capacity() * size_of::<[u64; 64]>()
            + self.free.capacity() * size_of::<u32>()
    }
}

/// The voxel of a key.
fn voxel_of(key: u64) -> LocalVoxel {
    let part = |shift: u32| i32::try_from(key >> shift & 0x1_FFFF).expect("17 bits");
    [part(0), part(17), part(34)]
}

/// Rows of bits along x around a block: 16 voxels and up to 12 on each side.
pub(super) type BlockRows = [[u64; 40]; 40];

/// The voxels of a block that no solid voxel blocks, by leaf. Bit x of `rows[z][y]` is a solid voxel
/// at (x, y, z), counted from `reach` before the low corner of the block; `along` is the distance along x at which one blocks, by
/// distance along y and z, or -1.
pub(super) fn unblocked_leaves(
    rows: &BlockRows,
    reach: usize,
    along: impl Fn(usize, usize) -> i8,
) -> [u64; 64] {
    let span = 16 + 2 * reach;
    let mut blocked = [[0_u16; 16]; 16];
    // All rows dilated by one distance, then by the next.
    let mut dilated = *rows;
    for distance in 0..=reach {
        if distance > 0 {
            for row in dilated[..span]
                .iter_mut()
                .flat_map(|rows| &mut rows[..span])
            {
                *row |= *row << 1 | *row >> 1;
            }
        }
        for dz in 0..=2 * reach {
            for dy in 0..=2 * reach {
                let far = along(reach.abs_diff(dy), reach.abs_diff(dz));
                if usize::try_from(far) != Ok(distance) {
                    continue;
                }
                for (z, plane) in blocked.iter_mut().enumerate() {
                    let near = &dilated[z + dz][dy..dy + 16];
                    for (row, near) in plane.iter_mut().zip(near) {
                        *row |= u16::try_from(near >> reach & 0xFFFF).expect("16 bits");
                    }
                }
            }
        }
    }
    let mut leaves = [0; 64];
    for (z, plane) in blocked.iter().enumerate() {
        for (y, row) in plane.iter().enumerate() {
            for x in 0..4 {
                let open = u64::from(!row >> (4 * x) & 15);
                let leaf = x + 4 * (y >> 2) + 16 * (z >> 2);
                leaves[leaf] |= open << (4 * (y & 3) + 16 * (z & 3));
            }
        }
    }
    leaves
}

/// The octants of a block with nothing solid within `reach` along each axis: bit x + 2 y + 4 z.
pub(super) fn free_octants(rows: &BlockRows, reach: usize) -> u8 {
    let mut octants = 0;
    for octant in 0..8 {
        let [x, y, z] = [octant & 1, octant >> 1 & 1, octant >> 2].map(|at| 8 * at);
        let width = 8 + 2 * reach;
        let mask = ((1_u64 << width) - 1) << x;
        let mut near = rows[z..z + width].iter();
        if near.all(|plane| plane[y..y + width].iter().all(|row| row & mask == 0)) {
            octants |= 1 << octant;
        }
    }
    octants
}

#[cfg(test)]
mod tests;
