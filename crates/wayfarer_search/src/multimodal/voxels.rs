//! Node records of voxels, on pages of one leaf (4 x 4 x 4 voxels).

use wayfarer_base::{CostMultiplier, Voxel};
use wayfarer_world::air::{Air, AirCursor, LocalNode, VolumeRule, bits};

use super::moves::NO_MOVE;
use super::node::Node;
use crate::kernel::StampedTable;

/// No page.
const NONE: u32 = u32::MAX;
/// Side of the window of a page: a leaf and a voxel more on every side.
const WINDOW: u32 = 6;
/// All 6 x 6 voxels of a layer of a window.
const ALL_OF_LAYER: u64 = (1 << (WINDOW * WINDOW)) - 1;

/// The free voxels of the air as leaves. Closed volumes count as blocked.
pub(super) struct FreeSpace<'w> {
    pub(super) air: &'w Air,
    cursor: AirCursor<'w>,
    has_closed: bool,
    size: [i32; 3],
}

impl<'w> FreeSpace<'w> {
    pub(super) fn new(air: &'w Air) -> Self {
        let is_closed = |rule: VolumeRule| matches!(rule, VolumeRule::Closed);
        Self {
            air,
            cursor: air.cursor(),
            has_closed: air.volumes().any(|(_, volume)| is_closed(volume.rule)),
            size: air.size().map(u32::cast_signed),
        }
    }

    /// The free voxels of the leaf with this low corner; none beyond the bounds.
    fn leaf(&mut self, low: [i32; 3]) -> u64 {
        if (0..3).any(|axis| low[axis] < 0 || low[axis] >= self.size[axis]) {
            return 0;
        }
        let free = match self.cursor.local_node_at(low.map(i32::cast_unsigned)) {
            LocalNode::Cube { solid: true, .. } => 0,
            LocalNode::Cube { solid: false, .. } => self.inside(low),
            LocalNode::Leaf { free } => free,
        };
        if self.has_closed && free != 0 {
            return free & !self.closed(low);
        }
        free
    }

    /// The voxels of a leaf inside the bounds.
    fn inside(&self, low: [i32; 3]) -> u64 {
        let last = |axis: usize| (self.size[axis] - low[axis] - 1).min(3).cast_unsigned();
        bits::cuboid([0; 3], std::array::from_fn(last))
    }

    /// The voxels of a leaf in closed volumes.
    fn closed(&self, low: [i32; 3]) -> u64 {
        let corner = self.voxel(low);
        let corner = [corner.x, corner.y, corner.z].map(i64::from);
        let mut closed = 0;
        for (_, volume) in self.air.volumes() {
            if volume.rule != VolumeRule::Closed {
                continue;
            }
            let first = [volume.low.x, volume.low.y, volume.low.z].map(i64::from);
            let last = [volume.high.x, volume.high.y, volume.high.z].map(i64::from);
            let meets = |axis: usize| first[axis] <= corner[axis] + 3 && last[axis] >= corner[axis];
            if (0..3).all(meets) {
                let offset = |at: [i64; 3]| {
                    let offset = |axis: usize| (at[axis] - corner[axis]).clamp(0, 3);
                    std::array::from_fn(|axis| u32::try_from(offset(axis)).unwrap_or(0))
                };
                closed |= bits::cuboid(offset(first), offset(last));
            }
        }
        closed
    }

    /// The free voxels of a leaf and of one voxel more on every side: 6 x 6 bits for each of 6 layers.
    fn window(&mut self, low: [i32; 3]) -> [u64; 6] {
        if !self.has_closed && self.is_amid_free_cube(low) {
            return [ALL_OF_LAYER; 6];
        }
        let mut window = [0; 6];
        for number in 0..27 {
            let by = [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1];
            let free = self.leaf(std::array::from_fn(|axis| low[axis] + 4 * by[axis]));
            if free == 0 {
                continue;
            }
            let span = |by: i32| match by {
                -1 => 3..4_u32,
                0 => 0..4,
                _ => 0..1,
            };
            let first = |by: i32| (4 * by + 1).max(0).cast_unsigned();
            for (layer, z) in (first(by[2])..).zip(span(by[2])) {
                for (line, y) in (first(by[1])..).zip(span(by[1])) {
                    let row = free >> (4 * y + 16 * z) & 15;
                    let row = match by[0] {
                        -1 => row >> 3,
                        0 => row << 1,
                        _ => (row & 1) << 5,
                    };
                    window[layer as usize] |= row << (WINDOW * line);
                }
            }
        }
        window
    }

    /// True if a leaf and all around it lie in one free cube, inside the bounds.
    fn is_amid_free_cube(&mut self, low: [i32; 3]) -> bool {
        let node = self.cursor.local_node_at(low.map(i32::cast_unsigned));
        let LocalNode::Cube {
            layer,
            solid: false,
        } = node
        else {
            return false;
        };
        let side = 4_i32 << layer;
        (0..3).all(|axis| {
            let within = low[axis] & (side - 1);
            within > 0 && within + 4 < side && low[axis] + 4 < self.size[axis]
        })
    }

    /// A voxel in world coordinates.
    pub(super) fn voxel(&self, at: [i32; 3]) -> Voxel {
        let low = self.air.low();
        Voxel::new(
            low.x.wrapping_add(at[0]),
            low.y.wrapping_add(at[1]),
            low.z.wrapping_add(at[2]),
        )
    }

    /// The cost multiplier of a free voxel.
    pub(super) fn cost_multiplier(&self, at: Voxel) -> CostMultiplier {
        let default = self.air.default_multiplier();
        self.air.cost_multiplier(at).unwrap_or(default)
    }
}

/// Node records of the voxels of one leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// Its lowest voxel, relative to the low corner of the air.
    low: [i32; 3],
    free: u64,
    /// See [`FreeSpace::window`]; valid once `has_window`.
    window: [u64; 6],
    has_window: bool,
    /// The columns whose floors have been looked up: bit x + 4 y.
    pub(super) scanned: u16,
    /// The voxels over floors of these columns.
    pub(super) over_floor: u64,
    /// Adjacent pages by offset; [`NONE`] until first used.
    around: [u32; 27],
    g: [u32; 64],
    parent: [Node; 64],
    /// The move by which each voxel is reached.
    by: [u8; 64],
}

/// The pages of a search. Takes about 1 kB per visited leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct VoxelPages {
    numbers: StampedTable,
    pages: Vec<Page>,
}

impl VoxelPages {
    /// Removes all pages.
    pub(super) fn clear(&mut self) {
        self.pages.clear();
        self.numbers.clear();
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.numbers.heap_bytes() + self.pages.capacity() * size_of::<Page>()
    }

    /// Bytes by which `more` further pages may grow it.
    pub(super) fn growth_for(&self, more: usize) -> usize {
        let is_full = self.pages.len() + more > self.pages.capacity();
        let pages = usize::from(is_full) * self.pages.capacity().max(more);
        pages * size_of::<Page>() + self.numbers.growth_for(more)
    }

    #[inline]
    pub(super) fn page(&self, number: u32) -> &Page {
        &self.pages[number as usize]
    }

    #[inline]
    pub(super) fn page_mut(&mut self, number: u32) -> &mut Page {
        &mut self.pages[number as usize]
    }

    /// The node of a voxel, free or not; `None` out of bounds.
    pub(super) fn node_at(&mut self, space: &mut FreeSpace<'_>, at: Voxel) -> Option<Node> {
        let local = space.air.to_local(at)?;
        let low = local.map(|at| (at & !3).cast_signed());
        let page = self.page_at(space, low);
        Some(Node::voxel(page, bits::index(local)))
    }

    /// The page with this low corner inside the bounds, created on first use.
    fn page_at(&mut self, space: &mut FreeSpace<'_>, low: [i32; 3]) -> u32 {
        let next = u32::try_from(self.pages.len()).expect("fewer than 2^25 pages fit");
        // Local coordinates have 17 bits.
        let [x, y, z] = low.map(|at| u64::from(at.cast_unsigned() >> 2));
        let (&mut number, is_new) = self.numbers.entry(x | y << 21 | z << 42, next);
        if is_new {
            let free = space.leaf(low);
            self.pages.push(Page::new(low, free));
        }
        number
    }

    /// The free voxels among the 3 x 3 x 3 around a voxel.
    #[inline]
    pub(super) fn free_around(&mut self, space: &mut FreeSpace<'_>, page: u32, bit: u32) -> u32 {
        let page = &mut self.pages[page as usize];
        if !page.has_window {
            page.window = space.window(page.low);
            page.has_window = true;
        }
        let [x, y, z] = bits::coords(bit);
        let shift = WINDOW * y + x;
        let mut free = 0;
        for (layer, number) in page.window[z as usize..].iter().zip(0..3) {
            let rows = layer >> shift;
            let nine = (rows & 7) | (rows >> 3 & 0o70) | (rows >> 6 & 0o700);
            free |= nine << (9 * number);
        }
        u32::try_from(free).expect("27 bits")
    }

    /// The node a move from a voxel leads to; its voxel must lie inside the bounds.
    #[inline]
    pub(super) fn moved(
        &mut self,
        space: &mut FreeSpace<'_>,
        (page, bit): (u32, u32),
        by: [i32; 3],
    ) -> Node {
        let [x, y, z] = bits::coords(bit).map(u32::cast_signed);
        let to = [x + by[0], y + by[1], z + by[2]];
        let bit = bits::index(to.map(i32::cast_unsigned));
        let step = to.map(|at| (at >> 2) + 1);
        let number = (step[0] + 3 * step[1] + 9 * step[2]).unsigned_abs() as usize;
        if number == 13 {
            return Node::voxel(page, bit);
        }
        let known = self.pages[page as usize].around[number];
        if known != NONE {
            return Node::voxel(known, bit);
        }
        let low = self.pages[page as usize].low;
        let low = std::array::from_fn(|axis| low[axis] + 4 * (step[axis] - 1));
        let found = self.page_at(space, low);
        self.pages[page as usize].around[number] = found;
        self.pages[found as usize].around[26 - number] = page;
        Node::voxel(found, bit)
    }
}

impl Page {
    const fn new(low: [i32; 3], free: u64) -> Self {
        Self {
            low,
            free,
            window: [0; 6],
            has_window: false,
            scanned: 0,
            over_floor: 0,
            around: [NONE; 27],
            g: [u32::MAX; 64],
            parent: [Node::NONE; 64],
            by: [NO_MOVE; 64],
        }
    }

    /// True if the voxel is free.
    #[inline]
    pub(super) const fn is_free(&self, bit: u32) -> bool {
        self.free >> bit & 1 == 1
    }

    /// A voxel relative to the low corner of the air.
    #[inline]
    pub(super) fn at(&self, bit: u32) -> [i32; 3] {
        let offset = bits::coords(bit);
        std::array::from_fn(|axis| self.low[axis] + offset[axis].cast_signed())
    }

    /// The lowest cost of a voxel so far; `u32::MAX` if not reached.
    #[inline]
    pub(super) const fn g(&self, bit: u32) -> u32 {
        self.g[bit as usize]
    }

    /// How a voxel was reached: the node before, and the move.
    #[inline]
    pub(super) const fn reached(&self, bit: u32) -> (Node, u8) {
        (self.parent[bit as usize], self.by[bit as usize])
    }

    #[inline]
    pub(super) const fn set(&mut self, bit: u32, g: u32, (parent, by): (Node, u8)) {
        self.g[bit as usize] = g;
        self.parent[bit as usize] = parent;
        self.by[bit as usize] = by;
    }
}
