//! The shortest flight from voxel to voxel in 26 directions, as the benchmarks have it: for
//! reference, and for short hops.
//!
//! A move is allowed if all voxels of the box that it spans are free. What is known of voxels is
//! kept by leaves, so that neighbors are mostly found on the same page.

use wayfarer_base::{Cost, Location, SearchEvent, SearchObserver, SearchStats};
use wayfarer_world::air::bits;

use super::node_source::{At, NodeSource};
use super::octree::{Scene, corner};
use super::scratch::key_of;
use crate::kernel::{BucketQueue, Entry, OpenList, StopReason};

/// No page.
const NONE: u32 = u32::MAX;
/// Where the start was reached from.
const BEGIN: u8 = 26;

/// The moves: along each axis -1, 0 or 1; which of 27 voxels around must be free; the cost.
pub(crate) const MOVES: [([i32; 3], u32, Cost); 26] = moves();

const fn moves() -> [([i32; 3], u32, Cost); 26] {
    let mut list = [([0; 3], 0, Cost::ZERO); 26];
    let (mut n, mut number) = (0, 0_i32);
    while number < 27 {
        let by = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
        if number != 13 {
            let mut needed = 0_u32;
            let mut other = 0_i32;
            while other < 27 {
                let at = [other % 3 - 1, other / 3 % 3 - 1, other / 9 - 1];
                let mut is_spanned = true;
                let mut axis = 0;
                while axis < 3 {
                    if at[axis] != 0 && at[axis] != by[axis] {
                        is_spanned = false;
                    }
                    axis += 1;
                }
                if is_spanned {
                    needed |= 1 << other;
                }
                other += 1;
            }
            let apart = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
            let cost = match apart {
                1 => Cost::STRAIGHT,
                2 => Cost::DIAGONAL,
                _ => Cost::SPACE_DIAGONAL,
            };
            list[n] = (by, needed, cost);
            n += 1;
        }
        number += 1;
    }
    list
}

/// What is known of the voxels of one leaf.
#[derive(Clone, Copy, Debug)]
struct Page {
    low: At,
    free: u64,
    closed: u64,
    /// The pages around, in the order of moves with this one in the middle; unknown at first.
    around: [u32; 27],
    cost: [u32; 64],
    /// The move by which each voxel was reached.
    by: [u8; 64],
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    generation: u32,
    page: u32,
}

/// A search in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct VoxelAStarSearch {
    slots: Vec<Slot>,
    generation: u32,
    pages: Vec<Page>,
    open: BucketQueue,
    scene: Option<Scene>,
    goal: At,
    is_reachable: bool,
    stats: SearchStats,
    nearest: (u32, u32),
}

impl VoxelAStarSearch {
    /// Begins anew. The start must be free, and the goal if it is to be reached; else the search
    /// goes through everything. `dearest` is the highest cost multiplier there is, in sixteenths.
    pub(super) fn begin(
        &mut self,
        look: &mut impl NodeSource,
        scene: Scene,
        ((start, goal), is_reachable): ((At, At), bool),
        dearest: u16,
    ) {
        self.pages.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(1 << 10, Slot::default());
            self.generation = 1;
        }
        (self.scene, self.goal, self.stats) = (Some(scene), goal, SearchStats::default());
        self.is_reachable = is_reachable;
        let heuristic = self.heuristic(start);
        let most = Cost::SPACE_DIAGONAL
            .units()
            .saturating_mul(u32::from(dearest) / 16 + 1);
        self.open
            .clear(heuristic, most.saturating_add(Cost::SPACE_DIAGONAL.units()));
        let page = self.page(look, start);
        let bit = bits::index(start.map(i32::cast_unsigned));
        let known = &mut self.pages[page as usize];
        (known.cost[bit as usize], known.by[bit as usize]) = (0, BEGIN);
        let node = page << 6 | bit;
        self.nearest = (node, heuristic);
        self.open.push(Entry::new(heuristic, 0, node));
    }

    pub(super) const fn stats(&self) -> SearchStats {
        self.stats
    }

    /// The expanded voxel nearest to the goal.
    pub(super) const fn nearest(&self) -> u32 {
        self.nearest.0
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.pages.capacity() * size_of::<Page>()
            + self.open.heap_bytes()
    }

    /// Goes on until the goal is reached, everything was looked at, or `limit` expansions have
    /// been made in all.
    pub(super) fn advance<L: NodeSource, O: SearchObserver>(
        &mut self,
        look: &mut L,
        observer: &mut O,
        (limit, memory): (u64, u64),
    ) -> StopReason {
        loop {
            // Twenty-seven new pages at most, and as many entries.
            let pages = if self.pages.len() + 27 > self.pages.capacity() {
                self.pages.capacity().max(64) * size_of::<Page>()
            } else {
                0
            };
            let is_beyond = || {
                let ahead = self.open.growth_for(26) + pages as u64;
                memory != u64::MAX && self.heap_bytes() as u64 + ahead > memory
            };
            if self.stats.expansions >= limit || is_beyond() {
                return StopReason::OutOfBudget;
            }
            let Some(entry) = self.open.pop() else {
                return StopReason::Exhausted;
            };
            let (page, bit) = (entry.node() >> 6, entry.node() & 63);
            let known = &mut self.pages[page as usize];
            if known.closed >> bit & 1 == 1 {
                continue;
            }
            let at = voxel(known.low, bit);
            if at == self.goal && self.is_reachable {
                return StopReason::Goal(entry.node());
            }
            if entry.g() == u32::MAX {
                return StopReason::TooFar;
            }
            known.closed |= 1 << bit;
            self.stats.expansions += 1;
            let rest = self.heuristic(at);
            if rest < self.nearest.1 {
                self.nearest = (entry.node(), rest);
            }
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: self.place(at),
                    cost: Cost::from_units(entry.g()),
                });
            }
            self.expand(look, observer, (page, bit, at), entry.g());
        }
    }

    fn expand<L: NodeSource, O: SearchObserver>(
        &mut self,
        look: &mut L,
        observer: &mut O,
        (page, bit, at): (u32, u32, At),
        so_far: u32,
    ) {
        let around = self.free_around(look, page, bit);
        let multiplier = look.cost_multiplier(at);
        for (number, (by, needed, cost)) in (0_u8..).zip(MOVES) {
            if around & needed != needed {
                continue;
            }
            let to: At = std::array::from_fn(|axis| at[axis] + by[axis]);
            let other = self.page_beside(look, page, to);
            let bit = bits::index(to.map(i32::cast_unsigned));
            let known = &mut self.pages[other as usize];
            if known.closed >> bit & 1 == 1 {
                continue;
            }
            let step = if L::WEIGHTED {
                let mean = u32::from(multiplier) + u32::from(look.cost_multiplier(to));
                Cost::from_units(cost.units().saturating_mul(mean) / 32)
            } else {
                cost
            };
            let total = so_far.saturating_add(step.units());
            if total >= known.cost[bit as usize] {
                continue;
            }
            (known.cost[bit as usize], known.by[bit as usize]) = (total, number);
            let heuristic = self.heuristic(to);
            self.open.push(Entry::new(
                total.saturating_add(heuristic),
                total,
                other << 6 | bit,
            ));
            self.stats.pushes += 1;
            if O::ACTIVE {
                observer.on_event(SearchEvent::Opened {
                    at: self.place(to),
                    cost: Cost::from_units(total),
                });
            }
        }
    }

    /// Which of the 27 voxels around and including one are free.
    fn free_around(&mut self, look: &mut impl NodeSource, page: u32, bit: u32) -> u32 {
        let [x, y, z] = bits::place(bit).map(u32::cast_signed);
        let low = self.pages[page as usize].low;
        let mut all = 0;
        for dz in -1..=1 {
            for dy in -1..=1 {
                let (row_y, row_z) = (y + dy, z + dz);
                let mut row = 0;
                let at = |dx: i32| [low[0] + dx, low[1] + row_y, low[2] + row_z];
                let within = (4 * (row_y & 3) + 16 * (row_z & 3)).cast_unsigned();
                let center = self.page_beside(look, page, at(0));
                row |= self.four(center, within) << 1;
                if x == 0 {
                    let west = self.page_beside(look, page, at(-1));
                    row |= self.four(west, within) >> 3;
                }
                if x == 3 {
                    let east = self.page_beside(look, page, at(4));
                    row |= self.four(east, within) << 5;
                }
                let three = row >> x & 7;
                all |= three << (3 * (dy + 1) + 9 * (dz + 1));
            }
        }
        all
    }

    /// Four free bits of a row of a page.
    fn four(&self, page: u32, within: u32) -> u32 {
        self.pages.get(page as usize).map_or(0, |page| {
            u32::try_from(page.free >> within & 15).expect("four bits")
        })
    }

    /// The page of a place on `page` or beside it; [`NONE`] outside the bounds.
    #[inline]
    fn page_beside(&mut self, look: &mut impl NodeSource, page: u32, at: At) -> u32 {
        let known = &self.pages[page as usize];
        let step: [i32; 3] = std::array::from_fn(|axis| ((at[axis] - known.low[axis]) >> 2) + 1);
        let number = (step[0] + 3 * step[1] + 9 * step[2]).unsigned_abs() as usize;
        if number == 13 {
            return page;
        }
        let beside = known.around[number];
        if beside != NONE {
            return beside;
        }
        let size = self.scene.map_or([0; 3], |scene| scene.size);
        if (0..3).any(|axis| at[axis] < 0 || at[axis] >= size[axis]) {
            return NONE;
        }
        let found = self.page(look, at);
        self.pages[page as usize].around[number] = found;
        found
    }

    /// The page of a place inside the bounds.
    fn page(&mut self, look: &mut impl NodeSource, at: At) -> u32 {
        let low = corner(at, 2);
        let key = key_of(low);
        if (self.pages.len() + 1) * 2 > self.slots.len() {
            self.widen();
        }
        let mut place = home(key, self.slots.len());
        while self.slots[place].generation == self.generation {
            if self.slots[place].key == key {
                return self.slots[place].page;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        let number = u32::try_from(self.pages.len()).expect("fewer than 2^26 pages fit");
        self.slots[place] = Slot {
            key,
            generation: self.generation,
            page: number,
        };
        let size = self.scene.map_or([0; 3], |scene| scene.size);
        let inside = bits::cuboid(
            [0; 3],
            std::array::from_fn(|axis| (size[axis] - low[axis] - 1).min(3).cast_unsigned()),
        );
        self.pages.push(Page {
            low,
            free: look.leaf(at) & inside,
            closed: 0,
            around: [NONE; 27],
            cost: [u32::MAX; 64],
            by: [0; 64],
        });
        number
    }

    #[cold]
    fn widen(&mut self) {
        let wider = vec![Slot::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, wider);
        for slot in old.iter().filter(|slot| slot.generation == self.generation) {
            let mut place = home(slot.key, self.slots.len());
            while self.slots[place].generation == self.generation {
                place = (place + 1) & (self.slots.len() - 1);
            }
            self.slots[place] = *slot;
        }
    }

    fn heuristic(&self, at: At) -> u32 {
        let [x, y, z] = std::array::from_fn(|axis| at[axis].abs_diff(self.goal[axis]));
        Cost::voxel_octile(x, y, z).units()
    }

    fn place(&self, at: At) -> Location {
        let low = self
            .scene
            .map_or_else(Default::default, |scene| scene.origin);
        Location::Voxel(wayfarer_base::Voxel::new(
            low.x.wrapping_add(at[0]),
            low.y.wrapping_add(at[1]),
            low.z.wrapping_add(at[2]),
        ))
    }

    /// What the way to a node costs.
    pub(super) fn cost(&self, node: u32) -> Cost {
        Cost::from_units(self.pages[(node >> 6) as usize].cost[(node & 63) as usize])
    }

    /// Writes the places where the way to a node turns into `points`, start and end included.
    pub(super) fn waypoints(&self, node: u32, points: &mut Vec<At>) {
        points.clear();
        let (mut page, mut bit) = (node >> 6, node & 63);
        let mut last = BEGIN;
        loop {
            let known = &self.pages[page as usize];
            let at = voxel(known.low, bit);
            let by = known.by[bit as usize];
            if by != last || by == BEGIN {
                points.push(at);
            }
            if by == BEGIN {
                break;
            }
            last = by;
            let step = MOVES[usize::from(by)].0;
            let before: At = std::array::from_fn(|axis| at[axis] - step[axis]);
            if corner(before, 2) != known.low {
                let around = corner(before, 2);
                let key = key_of(around);
                page = self.known_page(key);
            }
            bit = bits::index(before.map(i32::cast_unsigned));
        }
        points.reverse();
    }

    fn known_page(&self, key: u64) -> u32 {
        let mut place = home(key, self.slots.len());
        while self.slots[place].key != key || self.slots[place].generation != self.generation {
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place].page
    }
}

fn voxel(low: At, bit: u32) -> At {
    let place = bits::place(bit);
    std::array::from_fn(|axis| low[axis] + place[axis].cast_signed())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "shifted to the length of the table"
)]
fn home(key: u64, len: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - len.trailing_zeros())) as usize
}
