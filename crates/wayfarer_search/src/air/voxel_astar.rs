//! A* over 26-connected voxels with the voxel octile heuristic: optimal, for reference.
//!
//! A move requires all voxels of the box that it spans to be free. Node records lie on pages of
//! one leaf (4 x 4 x 4 voxels), so that most neighbors share a page. No allocation once warm.

use wayfarer_base::{Cost, Location, SearchEvent, SearchObserver, SearchStats};
use wayfarer_world::air::bits;

use super::node_source::{LocalVoxel, NodeSource};
use super::octree::{AirExtent, corner};
use super::scratch::key_of;
use crate::kernel::{BucketQueue, Entry, OpenList, StampedTable, StopReason};

/// No page.
const NONE: u32 = u32::MAX;
/// The move into the start.
const NO_MOVE: u8 = 26;

/// The moves: offset; mask of the 3 x 3 x 3 voxels that must be free; cost.
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
            let square = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
            let cost = match square {
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

/// Node records of the voxels of one leaf.
#[derive(Clone, Copy, Debug)]
struct Page {
    low: LocalVoxel,
    free: u64,
    closed: u64,
    /// Adjacent pages by offset, this page at 13; [`NONE`] until first used.
    around: [u32; 27],
    g: [u32; 64],
    /// The move by which each voxel is reached.
    by: [u8; 64],
}

/// State and scratch of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct VoxelAStarSearch {
    /// The page of each leaf.
    numbers: StampedTable,
    pages: Vec<Page>,
    open: BucketQueue,
    extent: Option<AirExtent>,
    goal: LocalVoxel,
    is_reachable: bool,
    stats: SearchStats,
    nearest: (u32, u32),
}

impl VoxelAStarSearch {
    /// Starts a search from a free voxel. Without `is_reachable` the goal may be blocked; the
    /// search then expands every reachable voxel. `max_multiplier` is in sixteenths.
    pub(super) fn begin(
        &mut self,
        source: &mut impl NodeSource,
        extent: AirExtent,
        ((start, goal), is_reachable): ((LocalVoxel, LocalVoxel), bool),
        max_multiplier: u16,
    ) {
        self.pages.clear();
        self.numbers.clear();
        (self.extent, self.goal, self.stats) = (Some(extent), goal, SearchStats::default());
        self.is_reachable = is_reachable;
        let h = self.heuristic(start);
        let max_step = Cost::SPACE_DIAGONAL
            .units()
            .saturating_mul(u32::from(max_multiplier) / 16 + 1);
        let max_increase = max_step.saturating_add(Cost::SPACE_DIAGONAL.units());
        self.open.clear(h, max_increase);
        let page = self.page(source, start);
        let bit = bits::index(start.map(i32::cast_unsigned));
        let records = &mut self.pages[page as usize];
        (records.g[bit as usize], records.by[bit as usize]) = (0, NO_MOVE);
        let node = page << 6 | bit;
        self.nearest = (node, h);
        self.open.push(Entry::new(h, 0, node));
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
        self.numbers.heap_bytes()
            + self.pages.capacity() * size_of::<Page>()
            + self.open.heap_bytes()
    }

    /// Runs until the goal is reached, the open list is empty, or `limit` expansions are made in
    /// all.
    pub(super) fn advance<L: NodeSource, O: SearchObserver>(
        &mut self,
        source: &mut L,
        observer: &mut O,
        (limit, memory): (u64, u64),
    ) -> StopReason {
        loop {
            // An expansion adds at most 27 pages and 26 entries.
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
            let records = &mut self.pages[page as usize];
            if records.closed >> bit & 1 == 1 {
                continue;
            }
            let at = voxel(records.low, bit);
            if at == self.goal && self.is_reachable {
                return StopReason::Goal(entry.node());
            }
            if entry.g() == u32::MAX {
                return StopReason::TooFar;
            }
            records.closed |= 1 << bit;
            self.stats.expansions += 1;
            let h = self.heuristic(at);
            if h < self.nearest.1 {
                self.nearest = (entry.node(), h);
            }
            if O::ACTIVE {
                observer.on_event(SearchEvent::Expanded {
                    at: self.location(at),
                    cost: Cost::from_units(entry.g()),
                });
            }
            self.expand(source, observer, (page, bit, at), entry.g());
        }
    }

    fn expand<L: NodeSource, O: SearchObserver>(
        &mut self,
        source: &mut L,
        observer: &mut O,
        (page, bit, at): (u32, u32, LocalVoxel),
        parent_g: u32,
    ) {
        let free = self.free_around(source, page, bit);
        let multiplier = source.cost_multiplier(at);
        for (number, (by, needed, cost)) in (0_u8..).zip(MOVES) {
            if free & needed != needed {
                continue;
            }
            let to: LocalVoxel = std::array::from_fn(|axis| at[axis] + by[axis]);
            let other = self.adjacent_page(source, page, to);
            let bit = bits::index(to.map(i32::cast_unsigned));
            let records = &mut self.pages[other as usize];
            if records.closed >> bit & 1 == 1 {
                continue;
            }
            let step = if L::WEIGHTED {
                let sum = u32::from(multiplier) + u32::from(source.cost_multiplier(to));
                Cost::from_units(cost.units().saturating_mul(sum) / 32)
            } else {
                cost
            };
            let g = parent_g.saturating_add(step.units());
            if g >= records.g[bit as usize] {
                continue;
            }
            (records.g[bit as usize], records.by[bit as usize]) = (g, number);
            let f = g.saturating_add(self.heuristic(to));
            self.open.push(Entry::new(f, g, other << 6 | bit));
            self.stats.pushes += 1;
            if O::ACTIVE {
                observer.on_event(SearchEvent::Opened {
                    at: self.location(to),
                    cost: Cost::from_units(g),
                });
            }
        }
    }

    /// Mask of the free voxels among the 3 x 3 x 3 around a voxel.
    fn free_around(&mut self, source: &mut impl NodeSource, page: u32, bit: u32) -> u32 {
        let [x, y, z] = bits::coords(bit).map(u32::cast_signed);
        let low = self.pages[page as usize].low;
        let mut all = 0;
        for dz in -1..=1 {
            for dy in -1..=1 {
                let (row_y, row_z) = (y + dy, z + dz);
                let mut row = 0;
                let at = |dx: i32| [low[0] + dx, low[1] + row_y, low[2] + row_z];
                let within = (4 * (row_y & 3) + 16 * (row_z & 3)).cast_unsigned();
                let center = self.adjacent_page(source, page, at(0));
                row |= self.row_bits(center, within) << 1;
                if x == 0 {
                    let west = self.adjacent_page(source, page, at(-1));
                    row |= self.row_bits(west, within) >> 3;
                }
                if x == 3 {
                    let east = self.adjacent_page(source, page, at(4));
                    row |= self.row_bits(east, within) << 5;
                }
                let three = row >> x & 7;
                all |= three << (3 * (dy + 1) + 9 * (dz + 1));
            }
        }
        all
    }

    /// The four free bits of a row of a page.
    fn row_bits(&self, page: u32, within: u32) -> u32 {
        self.pages.get(page as usize).map_or(0, |page| {
            u32::try_from(page.free >> within & 15).expect("four bits")
        })
    }

    /// The page of a voxel on `page` or on an adjacent page; [`NONE`] out of bounds.
    #[inline]
    fn adjacent_page(&mut self, source: &mut impl NodeSource, page: u32, at: LocalVoxel) -> u32 {
        let records = &self.pages[page as usize];
        let step: [i32; 3] = std::array::from_fn(|axis| ((at[axis] - records.low[axis]) >> 2) + 1);
        let number = (step[0] + 3 * step[1] + 9 * step[2]).unsigned_abs() as usize;
        if number == 13 {
            return page;
        }
        let adjacent = records.around[number];
        if adjacent != NONE {
            return adjacent;
        }
        let size = self.extent.map_or([0; 3], |extent| extent.size);
        if (0..3).any(|axis| at[axis] < 0 || at[axis] >= size[axis]) {
            return NONE;
        }
        let found = self.page(source, at);
        self.pages[page as usize].around[number] = found;
        found
    }

    /// The page of a voxel within bounds, created on first use.
    fn page(&mut self, source: &mut impl NodeSource, at: LocalVoxel) -> u32 {
        let low = corner(at, 2);
        let next = u32::try_from(self.pages.len()).expect("fewer than 2^26 pages fit");
        let (&mut number, is_new) = self.numbers.entry(key_of(low), next);
        if !is_new {
            return number;
        }
        let size = self.extent.map_or([0; 3], |extent| extent.size);
        let inside = bits::cuboid(
            [0; 3],
            std::array::from_fn(|axis| (size[axis] - low[axis] - 1).min(3).cast_unsigned()),
        );
        self.pages.push(Page {
            low,
            free: source.leaf_mask(at) & inside,
            closed: 0,
            around: [NONE; 27],
            g: [u32::MAX; 64],
            by: [0; 64],
        });
        number
    }

    fn heuristic(&self, at: LocalVoxel) -> u32 {
        let [x, y, z] = std::array::from_fn(|axis| at[axis].abs_diff(self.goal[axis]));
        Cost::voxel_octile(x, y, z).units()
    }

    fn location(&self, at: LocalVoxel) -> Location {
        let low = self
            .extent
            .map_or_else(Default::default, |extent| extent.origin);
        Location::Voxel(wayfarer_base::Voxel::new(
            low.x.wrapping_add(at[0]),
            low.y.wrapping_add(at[1]),
            low.z.wrapping_add(at[2]),
        ))
    }

    /// The g of a node.
    pub(super) fn cost(&self, node: u32) -> Cost {
        Cost::from_units(self.pages[(node >> 6) as usize].g[(node & 63) as usize])
    }

    /// Writes the turns of the path to a node, start and end included, to `points`.
    pub(super) fn waypoints(&self, node: u32, points: &mut Vec<LocalVoxel>) {
        points.clear();
        let (mut page, mut bit) = (node >> 6, node & 63);
        let mut last = NO_MOVE;
        loop {
            let records = &self.pages[page as usize];
            let at = voxel(records.low, bit);
            let by = records.by[bit as usize];
            if by != last || by == NO_MOVE {
                points.push(at);
            }
            if by == NO_MOVE {
                break;
            }
            last = by;
            let step = MOVES[usize::from(by)].0;
            let before: LocalVoxel = std::array::from_fn(|axis| at[axis] - step[axis]);
            let low = corner(before, 2);
            if low != records.low {
                let parent = self.numbers.find(key_of(low));
                page = parent.expect("a voxel is reached from a page of the search");
            }
            bit = bits::index(before.map(i32::cast_unsigned));
        }
        points.reverse();
    }
}

fn voxel(low: LocalVoxel, bit: u32) -> LocalVoxel {
    let offset = bits::coords(bit);
    std::array::from_fn(|axis| low[axis] + offset[axis].cast_signed())
}
