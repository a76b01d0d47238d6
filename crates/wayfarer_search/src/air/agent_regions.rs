//! What is connected for an agent with a body, block by block as it is come to: so a flight that
//! cannot be is known long before all the air was searched.
//!
//! A region is what is connected for the agent in a block of 16 x 16 x 16 voxels, or a larger
//! cube that is free for it. Nothing is kept with the air: blocks are looked at when the search
//! comes to them. It goes from both ends in turn, so that the smaller of two parts decides.

use wayfarer_base::Cost;
use wayfarer_base::collections::FastMap;
use wayfarer_world::air::bits;

use super::node_source::{At, NodeSource};
use super::octree::corner;
use super::scratch::key_of;
use crate::kernel::{Entry, OpenList, QuaternaryHeap};

/// The logarithm of a block's side.
const LOG: u8 = 4;
const NONE: u32 = u32::MAX;

/// What came of a search among regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// A way among regions leads to the goal.
    Joined,
    /// There is no way.
    Apart,
    /// As many regions were expanded as may be before it is undecided.
    Undecided,
    /// The budget is used up.
    OutOfBudget,
}

/// A block, or a larger cube all alike.
#[derive(Clone, Copy, Debug)]
struct Block {
    low: At,
    log: u8,
    first: u32,
    n_regions: u32,
}

/// A region: its block, and which part of it, or [`NONE`] for all.
#[derive(Clone, Copy, Debug)]
struct Region {
    block: u32,
    part: u32,
}

/// What the search from the start knows of a region.
#[derive(Clone, Copy, Debug)]
struct Known {
    cost: u32,
    parent: u32,
    is_closed: bool,
    is_on_path: bool,
}

const UNKNOWN: Known = Known {
    cost: u32::MAX,
    parent: NONE,
    is_closed: false,
    is_on_path: false,
};

/// A search among regions in the making, and afterwards the regions of the way.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentRegions {
    size: At,
    blocks: Vec<Block>,
    by_low: FastMap<u64, u32>,
    regions: Vec<Region>,
    /// The voxels of parts, a word for each leaf of their block.
    parts: Vec<[u64; 64]>,
    known: Vec<Known>,
    open: QuaternaryHeap,
    goal_at: At,
    ends: (u32, u32),
    /// From the goal: what was come to, in order, and how many of these were expanded.
    back: Vec<u32>,
    is_back: Vec<bool>,
    n_back: usize,
    around: Vec<u32>,
    /// True once the way is known.
    is_joined: bool,
    pub(super) n_expansions: u64,
}

impl AgentRegions {
    /// Begins anew between two places that are free for the agent.
    pub(super) fn begin(&mut self, look: &mut impl NodeSource, size: At, (start, goal): (At, At)) {
        self.size = size;
        self.blocks.clear();
        self.by_low.clear();
        self.regions.clear();
        self.parts.clear();
        self.known.clear();
        self.open.clear(0, 0);
        self.back.clear();
        self.is_back.clear();
        self.n_back = 0;
        self.n_expansions = 0;
        self.is_joined = false;
        self.goal_at = goal;
        let from = self.region_at(look, start).unwrap_or(NONE);
        let to = self.region_at(look, goal).unwrap_or(NONE);
        self.ends = (from, to);
        if from != NONE && to != NONE {
            self.known[from as usize].cost = 0;
            self.open.push(Entry::new(0, 0, from));
            self.is_back[to as usize] = true;
            self.back.push(to);
        }
    }

    /// Goes on until it is known whether the ends are connected, `limit` regions were expanded in
    /// all, or `patience` of them without a decision.
    pub(super) fn advance(
        &mut self,
        look: &mut impl NodeSource,
        limit: u64,
        patience: u64,
    ) -> Reach {
        loop {
            if self.is_joined {
                return Reach::Joined;
            }
            if self.n_expansions >= limit {
                return Reach::OutOfBudget;
            }
            if self.n_expansions >= patience {
                return Reach::Undecided;
            }
            let has_met = self.is_back.get(self.ends.0 as usize) == Some(&true);
            if !has_met && self.n_expansions & 1 == 1 {
                let Some(region) = self.back.get(self.n_back).copied() else {
                    return Reach::Apart;
                };
                self.n_back += 1;
                self.n_expansions += 1;
                self.find_around(look, region);
                for at in 0..self.around.len() {
                    let next = self.around[at];
                    if !std::mem::replace(&mut self.is_back[next as usize], true) {
                        self.back.push(next);
                    }
                }
                continue;
            }
            let Some(entry) = self.open.pop() else {
                return Reach::Apart;
            };
            let region = entry.node();
            let known = &mut self.known[region as usize];
            if known.is_closed || known.cost != entry.g() {
                continue;
            }
            if region == self.ends.1 {
                self.mark(region);
                self.is_joined = true;
                continue;
            }
            known.is_closed = true;
            let so_far = known.cost;
            self.n_expansions += 1;
            self.find_around(look, region);
            for at in 0..self.around.len() {
                let next = self.around[at];
                let step = distance(self.middle(region), self.middle(next));
                let cost = so_far.saturating_add(step);
                let there = &mut self.known[next as usize];
                if there.is_closed || there.cost <= cost {
                    continue;
                }
                (there.cost, there.parent) = (cost, region);
                let rest = distance(self.middle(next), self.goal_at);
                self.open
                    .push(Entry::new(cost.saturating_add(rest), cost, next));
            }
        }
    }

    /// True if a place that is free for the agent lies in a region of the way.
    pub(super) fn contains(&mut self, look: &mut impl NodeSource, at: At) -> bool {
        let region = self.region_at(look, at);
        region.is_some_and(|region| self.known[region as usize].is_on_path)
    }

    /// Bytes on the heap, the table of blocks estimated.
    pub(super) fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + self.by_low.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.regions.capacity() * size_of::<Region>()
            + self.parts.capacity() * size_of::<[u64; 64]>()
            + self.known.capacity() * size_of::<Known>()
            + (self.back.capacity() + self.around.capacity()) * size_of::<u32>()
            + self.is_back.capacity()
            + self.open.heap_bytes()
    }

    fn mark(&mut self, last: u32) {
        let mut region = last;
        while let Some(known) = self.known.get_mut(region as usize) {
            known.is_on_path = true;
            region = known.parent;
        }
    }

    fn middle(&self, region: u32) -> At {
        let block = self.blocks[self.regions[region as usize].block as usize];
        block.low.map(|low| low + (1 << block.log) / 2)
    }

    /// The region of a place; `None` if it is not free for the agent.
    fn region_at(&mut self, look: &mut impl NodeSource, at: At) -> Option<u32> {
        let number = self.block_at(look, at);
        let block = self.blocks[number as usize];
        let mut regions = block.first..block.first + block.n_regions;
        let (leaf, bit) = (
            leaf_of(at),
            bits::index(at.map(|at| (at & 3).cast_unsigned())),
        );
        regions.find(|region| match self.regions[*region as usize].part {
            NONE => true,
            part => self.parts[part as usize][leaf] >> bit & 1 == 1,
        })
    }

    /// The block around a place inside the bounds.
    fn block_at(&mut self, look: &mut impl NodeSource, at: At) -> u32 {
        let low = corner(at, LOG);
        if let Some(number) = self.by_low.get(&key_of(low)) {
            return *number;
        }
        let room = look.look(low);
        if room.log >= LOG {
            let corner = corner(low, room.log);
            let number = match self.by_low.get(&key_of(corner)) {
                Some(number) => *number,
                None => {
                    let number = self.add_block(corner, room.log);
                    if room.free == bits::ALL {
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
        let mut left: [u64; 64] = std::array::from_fn(|leaf| self.leaf(look, low, leaf));
        while let Some(first) = left.iter().position(|leaf| *leaf != 0) {
            let part = flood(&left, first);
            for (left, part) in left.iter_mut().zip(&part) {
                *left &= !part;
            }
            let index = u32::try_from(self.parts.len()).unwrap_or(NONE);
            self.parts.push(part);
            self.add_region(number, index);
        }
        number
    }

    fn add_block(&mut self, low: At, log: u8) -> u32 {
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

    fn add_region(&mut self, block: u32, part: u32) {
        self.blocks[block as usize].n_regions += 1;
        self.regions.push(Region { block, part });
        self.known.push(UNKNOWN);
        self.is_back.push(false);
    }

    /// The voxels of a leaf of a block that are free for the agent and inside the bounds.
    fn leaf(&self, look: &mut impl NodeSource, low: At, leaf: usize) -> u64 {
        let at = leaf_low(low, leaf);
        if (0..3).any(|axis| at[axis] >= self.size[axis]) {
            return 0;
        }
        let room = look.look(at);
        let free = if room.log < 2 {
            look.leaf(at)
        } else {
            room.free
        };
        let high =
            std::array::from_fn(|axis| (self.size[axis] - at[axis] - 1).min(3).cast_unsigned());
        free & bits::cuboid([0; 3], high)
    }

    /// Finds the regions that touch a region.
    fn find_around(&mut self, look: &mut impl NodeSource, region: u32) {
        let mut around = std::mem::take(&mut self.around);
        around.clear();
        let Region { block, part } = self.regions[region as usize];
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
                    let beside = self.block_at(look, at);
                    let beside = self.blocks[beside as usize];
                    for other in beside.first..beside.first + beside.n_regions {
                        if self.touch(part, self.regions[other as usize].part, axis, up) {
                            around.push(other);
                        }
                    }
                }
            }
        }
        self.around = around;
    }

    /// True if a part of a block and one of the block behind its face share a face of a voxel;
    /// [`NONE`] is all of a cube.
    fn touch(&self, here: u32, there: u32, axis: usize, up: bool) -> bool {
        let word = |part: u32, leaf: usize| match part {
            NONE => bits::ALL,
            part => self.parts[part as usize][leaf],
        };
        let (near, far) = if up { (3, 0) } else { (0, 3) };
        (0..16).any(|number| {
            let (b, c) = (number & 3, number >> 2);
            let place = |depth: usize| {
                let mut place = [depth; 3];
                (place[(axis + 1) % 3], place[(axis + 2) % 3]) = (b, c);
                place[0] + 4 * place[1] + 16 * place[2]
            };
            let exits = word(here, place(near));
            let exits = if up {
                bits::across_up(exits, axis)
            } else {
                bits::across_down(exits, axis)
            };
            exits & word(there, place(far)) != 0
        })
    }
}

/// The number of the leaf of its block that a place lies in.
fn leaf_of(at: At) -> usize {
    let [x, y, z] = at.map(|at| (at >> 2 & 3).unsigned_abs() as usize);
    x + 4 * y + 16 * z
}

/// The low corner of a leaf of a block.
fn leaf_low(low: At, leaf: usize) -> At {
    let place = [leaf & 3, leaf >> 2 & 3, leaf >> 4];
    std::array::from_fn(|axis| low[axis] + 4 * i32::try_from(place[axis]).unwrap_or(0))
}

/// All that is connected within a block with the lowest voxel of one of its leaves.
fn flood(free: &[u64; 64], first: usize) -> [u64; 64] {
    let mut part = [0; 64];
    let mut pending = [0; 64];
    // Bit by leaf: those with something pending.
    let mut waiting = 1_u64 << first;
    pending[first] = free[first] & free[first].wrapping_neg();
    while waiting != 0 {
        let leaf = waiting.trailing_zeros() as usize;
        waiting &= waiting - 1;
        let seed = std::mem::take(&mut pending[leaf]) & !part[leaf];
        if seed == 0 {
            continue;
        }
        let grown = bits::flood(seed, free[leaf]) & !part[leaf];
        part[leaf] |= grown;
        for (axis, stride) in [(0, 1), (1, 4), (2, 16)] {
            let place = (leaf / stride) & 3;
            if place < 3 {
                let next = leaf + stride;
                pending[next] |= bits::across_up(grown, axis) & free[next];
                waiting |= u64::from(pending[next] != 0) << next;
            }
            if place > 0 {
                let next = leaf - stride;
                pending[next] |= bits::across_down(grown, axis) & free[next];
                waiting |= u64::from(pending[next] != 0) << next;
            }
        }
    }
    part
}

fn distance(a: At, b: At) -> u32 {
    let apart: [f64; 3] = std::array::from_fn(|axis| f64::from(a[axis] - b[axis]));
    let square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
    Cost::from_cells(square.sqrt()).units()
}
