//! Regions of the air for one agent, flooded on demand, and a search over them.
//!
//! A region is a connected component of the voxels free for the agent in a block of 16 x 16 x 16
//! voxels, or a larger cube free for it. Blocks are flooded when the search reaches them and
//! dropped with the request. A* from the start alternates with breadth-first search from the goal,
//! so that the smaller of two components proves the goal unreachable. The path then serves as a
//! corridor for the octree search.

use wayfarer_base::Cost;
use wayfarer_base::collections::FastMap;
use wayfarer_world::air::bits;

use super::node_source::{LocalVoxel, NodeSource};
use super::octree::corner;
use super::scratch::key_of;
use crate::kernel::{Entry, QuaternaryHeap};

/// Binary logarithm of a block's side.
const LOG: u8 = 4;
const NONE: u32 = u32::MAX;

/// The result of a search over regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Connectivity {
    /// A path over regions leads to the goal.
    Connected,
    /// No path exists.
    Disconnected,
    /// The limit of undecided expansions is reached.
    Undecided,
    /// The budget is used up.
    OutOfBudget,
}

/// A block, or a larger uniform cube.
#[derive(Clone, Copy, Debug)]
struct Block {
    low: LocalVoxel,
    log: u8,
    first: u32,
    n_regions: u32,
}

/// A region: its block, and the index of its voxel mask, or [`NONE`] for the whole block.
#[derive(Clone, Copy, Debug)]
struct Region {
    block: u32,
    mask: u32,
}

/// A region's node in the search from the start.
#[derive(Clone, Copy, Debug)]
struct Record {
    g: u32,
    parent: u32,
    is_closed: bool,
    is_on_path: bool,
}

const UNREACHED: Record = Record {
    g: u32::MAX,
    parent: NONE,
    is_closed: false,
    is_on_path: false,
};

/// A search over the regions of an agent, then the regions of its path.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentRegions {
    size: LocalVoxel,
    blocks: Vec<Block>,
    by_low: FastMap<u64, u32>,
    regions: Vec<Region>,
    /// Voxels of regions, one word per leaf of the block.
    masks: Vec<[u64; 64]>,
    records: Vec<Record>,
    open: QuaternaryHeap,
    goal_at: LocalVoxel,
    ends: (u32, u32),
    /// Breadth-first queue from the goal; the first `n_backward` are expanded.
    backward: Vec<u32>,
    is_backward: Vec<bool>,
    n_backward: usize,
    neighbors: Vec<u32>,
    is_connected: bool,
    pub(super) n_expansions: u64,
}

impl AgentRegions {
    /// Starts a search between two voxels that are free for the agent.
    pub(super) fn begin(
        &mut self,
        source: &mut impl NodeSource,
        size: LocalVoxel,
        (start, goal): (LocalVoxel, LocalVoxel),
    ) {
        self.size = size;
        self.blocks.clear();
        self.by_low.clear();
        self.regions.clear();
        self.masks.clear();
        self.records.clear();
        self.open.clear();
        self.backward.clear();
        self.is_backward.clear();
        self.n_backward = 0;
        self.n_expansions = 0;
        self.is_connected = false;
        self.goal_at = goal;
        let from = self.region_at(source, start).unwrap_or(NONE);
        let to = self.region_at(source, goal).unwrap_or(NONE);
        self.ends = (from, to);
        if from != NONE && to != NONE {
            self.records[from as usize].g = 0;
            self.open.push(Entry::new(0, 0, from));
            self.is_backward[to as usize] = true;
            self.backward.push(to);
        }
    }

    /// Runs until connectivity is decided, `limit` regions are expanded in all, or `max_undecided`
    /// of them without a decision.
    pub(super) fn advance(
        &mut self,
        source: &mut impl NodeSource,
        limit: u64,
        max_undecided: u64,
    ) -> Connectivity {
        loop {
            if self.is_connected {
                return Connectivity::Connected;
            }
            if self.n_expansions >= limit {
                return Connectivity::OutOfBudget;
            }
            if self.n_expansions >= max_undecided {
                return Connectivity::Undecided;
            }
            let has_met = self.is_backward.get(self.ends.0 as usize) == Some(&true);
            if !has_met && self.n_expansions & 1 == 1 {
                let Some(region) = self.backward.get(self.n_backward).copied() else {
                    return Connectivity::Disconnected;
                };
                self.n_backward += 1;
                self.n_expansions += 1;
                self.find_neighbors(source, region);
                for at in 0..self.neighbors.len() {
                    let next = self.neighbors[at];
                    if !std::mem::replace(&mut self.is_backward[next as usize], true) {
                        self.backward.push(next);
                    }
                }
                continue;
            }
            let Some(entry) = self.open.pop() else {
                return Connectivity::Disconnected;
            };
            let region = entry.node();
            let record = &mut self.records[region as usize];
            if record.is_closed || record.g != entry.g() {
                continue;
            }
            if region == self.ends.1 {
                self.mark_path(region);
                self.is_connected = true;
                continue;
            }
            record.is_closed = true;
            let parent_g = record.g;
            self.n_expansions += 1;
            self.find_neighbors(source, region);
            for at in 0..self.neighbors.len() {
                let next = self.neighbors[at];
                let step = distance(self.center(region), self.center(next));
                let g = parent_g.saturating_add(step);
                let record = &mut self.records[next as usize];
                if record.is_closed || record.g <= g {
                    continue;
                }
                (record.g, record.parent) = (g, region);
                let h = distance(self.center(next), self.goal_at);
                self.open.push(Entry::new(g.saturating_add(h), g, next));
            }
        }
    }

    /// True if a voxel that is free for the agent lies in a region of the path.
    pub(super) fn contains(&mut self, source: &mut impl NodeSource, at: LocalVoxel) -> bool {
        let region = self.region_at(source, at);
        region.is_some_and(|region| self.records[region as usize].is_on_path)
    }

    /// Bytes on the heap; those of the hash table are estimated.
    pub(super) fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + self.by_low.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.regions.capacity() * size_of::<Region>()
            + self.masks.capacity() * size_of::<[u64; 64]>()
            + self.records.capacity() * size_of::<Record>()
            + (self.backward.capacity() + self.neighbors.capacity()) * size_of::<u32>()
            + self.is_backward.capacity()
            + self.open.heap_bytes()
    }

    fn mark_path(&mut self, last: u32) {
        let mut region = last;
        while let Some(record) = self.records.get_mut(region as usize) {
            record.is_on_path = true;
            region = record.parent;
        }
    }

    fn center(&self, region: u32) -> LocalVoxel {
        let block = self.blocks[self.regions[region as usize].block as usize];
        block.low.map(|low| low + (1 << block.log) / 2)
    }

    /// The region of a voxel; `None` if it is not free for the agent.
    fn region_at(&mut self, source: &mut impl NodeSource, at: LocalVoxel) -> Option<u32> {
        let number = self.block_at(source, at);
        let block = self.blocks[number as usize];
        let mut regions = block.first..block.first + block.n_regions;
        let (leaf, bit) = (
            leaf_index(at),
            bits::index(at.map(|at| (at & 3).cast_unsigned())),
        );
        regions.find(|region| match self.regions[*region as usize].mask {
            NONE => true,
            mask => self.masks[mask as usize][leaf] >> bit & 1 == 1,
        })
    }

    /// The block of a voxel within bounds, flooded on first use.
    fn block_at(&mut self, source: &mut impl NodeSource, at: LocalVoxel) -> u32 {
        let low = corner(at, LOG);
        if let Some(number) = self.by_low.get(&key_of(low)) {
            return *number;
        }
        let node = source.node_at(low);
        if node.log >= LOG {
            let corner = corner(low, node.log);
            let number = match self.by_low.get(&key_of(corner)) {
                Some(number) => *number,
                None => {
                    let number = self.add_block(corner, node.log);
                    if node.free == bits::ALL {
                        self.add_region(number, NONE);
                    }
                    self.by_low.insert(key_of(corner), number);
                    number
                }
            };
            self.by_low.insert(key_of(low), number);
            return number;
        }
        let number = self.add_block(low, LOG);
        self.by_low.insert(key_of(low), number);
        let mut left: [u64; 64] = std::array::from_fn(|leaf| self.free_in_leaf(source, low, leaf));
        while let Some(first) = left.iter().position(|leaf| *leaf != 0) {
            let mask = flood(&left, first);
            for (left, mask) in left.iter_mut().zip(&mask) {
                *left &= !mask;
            }
            let index = u32::try_from(self.masks.len()).unwrap_or(NONE);
            self.masks.push(mask);
            self.add_region(number, index);
        }
        number
    }

    fn add_block(&mut self, low: LocalVoxel, log: u8) -> u32 {
        let number = u32::try_from(self.blocks.len()).unwrap_or(NONE);
        let first = u32::try_from(self.regions.len()).unwrap_or(NONE);
        self.blocks.push(Block {
            low,
            log,
            first,
            n_regions: 0,
        });
        number
    }

    fn add_region(&mut self, block: u32, mask: u32) {
        self.blocks[block as usize].n_regions += 1;
        self.regions.push(Region { block, mask });
        self.records.push(UNREACHED);
        self.is_backward.push(false);
    }

    /// The voxels of a leaf of a block that are free for the agent and within bounds.
    fn free_in_leaf(&self, source: &mut impl NodeSource, low: LocalVoxel, leaf: usize) -> u64 {
        let at = leaf_low(low, leaf);
        if (0..3).any(|axis| at[axis] >= self.size[axis]) {
            return 0;
        }
        let node = source.node_at(at);
        let free = if node.log < 2 {
            source.leaf_mask(at)
        } else {
            node.free
        };
        let high =
            std::array::from_fn(|axis| (self.size[axis] - at[axis] - 1).min(3).cast_unsigned());
        free & bits::cuboid([0; 3], high)
    }

    /// Writes the regions adjacent to a region to `neighbors`.
    fn find_neighbors(&mut self, source: &mut impl NodeSource, region: u32) {
        let mut neighbors = std::mem::take(&mut self.neighbors);
        neighbors.clear();
        let Region { block, mask } = self.regions[region as usize];
        let Block { low, log, .. } = self.blocks[block as usize];
        let side = 1_i32 << log;
        for face in 0..6 {
            let (axis, up) = (face >> 1, face & 1 == 1);
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut at = low;
            at[axis] = if up { low[axis] + side } else { low[axis] - 1 };
            if at[axis] < 0 || at[axis] >= self.size[axis] {
                continue;
            }
            for along_b in (low[b]..(low[b] + side).min(self.size[b])).step_by(1 << LOG) {
                for along_c in (low[c]..(low[c] + side).min(self.size[c])).step_by(1 << LOG) {
                    (at[b], at[c]) = (along_b, along_c);
                    let adjacent = self.block_at(source, at);
                    let adjacent = self.blocks[adjacent as usize];
                    for other in adjacent.first..adjacent.first + adjacent.n_regions {
                        if self.is_adjacent(mask, self.regions[other as usize].mask, axis, up) {
                            neighbors.push(other);
                        }
                    }
                }
            }
        }
        self.neighbors = neighbors;
    }

    /// True if a region of a block and one of the block beyond its face share a face of a voxel;
    /// mask [`NONE`] is a whole cube.
    fn is_adjacent(&self, here: u32, there: u32, axis: usize, up: bool) -> bool {
        let word = |mask: u32, leaf: usize| match mask {
            NONE => bits::ALL,
            mask => self.masks[mask as usize][leaf],
        };
        let (near, far) = if up { (3, 0) } else { (0, 3) };
        (0..16).any(|number| {
            let (b, c) = (number & 3, number >> 2);
            let leaf_at = |depth: usize| {
                let mut leaf = [depth; 3];
                (leaf[(axis + 1) % 3], leaf[(axis + 2) % 3]) = (b, c);
                leaf[0] + 4 * leaf[1] + 16 * leaf[2]
            };
            let exits = word(here, leaf_at(near));
            let exits = if up {
                bits::across_up(exits, axis)
            } else {
                bits::across_down(exits, axis)
            };
            exits & word(there, leaf_at(far)) != 0
        })
    }
}

/// Index of a voxel's leaf within its block.
fn leaf_index(at: LocalVoxel) -> usize {
    let [x, y, z] = at.map(|at| (at >> 2 & 3).unsigned_abs() as usize);
    x + 4 * y + 16 * z
}

/// The low corner of a leaf of a block.
fn leaf_low(low: LocalVoxel, leaf: usize) -> LocalVoxel {
    let offset = [leaf & 3, leaf >> 2 & 3, leaf >> 4];
    std::array::from_fn(|axis| low[axis] + 4 * i32::try_from(offset[axis]).unwrap_or(0))
}

/// The connected component, within a block, of the lowest voxel of leaf `first`.
fn flood(free: &[u64; 64], first: usize) -> [u64; 64] {
    let mut mask = [0; 64];
    let mut pending = [0; 64];
    // One bit per leaf with pending voxels.
    let mut waiting = 1_u64 << first;
    pending[first] = free[first] & free[first].wrapping_neg();
    while waiting != 0 {
        let leaf = waiting.trailing_zeros() as usize;
        waiting &= waiting - 1;
        let seed = std::mem::take(&mut pending[leaf]) & !mask[leaf];
        if seed == 0 {
            continue;
        }
        let grown = bits::flood(seed, free[leaf]) & !mask[leaf];
        mask[leaf] |= grown;
        for (axis, stride) in [(0, 1), (1, 4), (2, 16)] {
            let coordinate = (leaf / stride) & 3;
            if coordinate < 3 {
                let next = leaf + stride;
                pending[next] |= bits::across_up(grown, axis) & free[next];
                waiting |= u64::from(pending[next] != 0) << next;
            }
            if coordinate > 0 {
                let next = leaf - stride;
                pending[next] |= bits::across_down(grown, axis) & free[next];
                waiting |= u64::from(pending[next] != 0) << next;
            }
        }
    }
    mask
}

fn distance(a: LocalVoxel, b: LocalVoxel) -> u32 {
    let delta: [f64; 3] = std::array::from_fn(|axis| f64::from(a[axis] - b[axis]));
    let square = delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2];
    Cost::from_cells(square.sqrt()).units()
}
