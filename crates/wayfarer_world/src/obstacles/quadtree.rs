//! The field cut into spaces, where and when someone asks, and no further than asked.
//!
//! A row of equal root spaces covers the field; nothing is known of a space until it is looked
//! at. A space that holds more than the criterion allows is cut in four when someone looks into
//! it, and only the quarter looked into learns what it holds. Neighbors are found by arithmetic
//! on the places of spaces. The tree lives in the caller's scratch and is forgotten at once.
//!
//! Outlines keep agents 1/256 of a cell away from obstacles. What reaches into a space by no more
//! than that does not count: a space is judged without its rim, so that a wall along the edge of a
//! space leaves the whole space free, and a gap of twice the smallest space is always seen. Who
//! walks through a space keeps off its rim but for crossing it; [`ObstacleQuadtree::interior`] is where.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places are counted within the field, lists are shorter than 2^32"
)]

use wayfarer_base::{Aabb2, Fixed, Point2, Revision};

use super::obstacle::ObstacleBody;
use super::{DiscAgent, InflatedOutline, ObstacleCategories, ObstacleSet};

mod pairs;
mod split_criterion;

pub use split_criterion::SplitCriterion;

/// The number of a space in its tree, until that is reset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QuadId(u32);

impl QuadId {
    /// As an index: 0 for the first space of a tree, then up by one.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As a number, for open lists.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// From [`QuadId::number`].
    #[inline]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }
}

/// What is known of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuadState {
    /// Nothing yet.
    Unknown,
    /// It meets the criterion.
    Free,
    /// It does not, and is not cut further.
    Blocked,
    /// It is cut in four.
    Cut,
}

/// A side of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Towards smaller y.
    North,
    /// Towards larger x.
    East,
    /// Towards larger y.
    South,
    /// Towards smaller x.
    West,
}

impl Side {
    /// All four, clockwise.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
}

/// A free or blocked space beside another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdjacentQuad {
    /// Which.
    pub id: QuadId,
    /// True if it meets the criterion and can be stepped into.
    pub is_free: bool,
    /// Where what can be crossed of the edge that the two share begins, along it.
    pub low: Fixed,
    /// Where it ends.
    pub high: Fixed,
}

#[derive(Clone, Copy, Debug)]
struct Space {
    /// North-west corner, in smallest spaces from the field's.
    x: i32,
    y: i32,
    /// The side is 2^`bits` smallest spaces.
    bits: u8,
    state: QuadState,
    /// The first of its four quarters.
    quarters: u32,
    /// The space it is a quarter of; itself for a root.
    parent: u32,
    /// Its obstacles in `lists`; those of the parent until it is looked at.
    list: u32,
    n_list: u32,
    types: u64,
}

/// An obstacle as a list holds it: its outline, its place and its types.
#[derive(Clone, Copy, Debug)]
struct Listed {
    outline: InflatedOutline,
    slot: u32,
    types: u64,
}

/// The memory of a tree; see the [module](self).
#[derive(Clone, Debug)]
pub struct ObstacleQuadtree {
    criterion: SplitCriterion,
    agent: DiscAgent,
    /// Types that do not block, but that spaces are cut for until they are all in or all out.
    weighted: u64,
    most_spaces: usize,
    unit: i32,
    /// How much of a space's edge does not count: 1, or 0 where spaces are too small for that.
    border: i32,
    origin: [i32; 2],
    far: [i32; 2],
    /// Smallest spaces in all, each way.
    extent: [i32; 2],
    root_bits: u32,
    /// Root spaces in a row.
    n_roots: i32,
    roots: Vec<(u32, u32)>,
    generation: u32,
    spaces: Vec<Space>,
    lists: Vec<Listed>,
    /// True if it may be asked who is in a space that is not cut, by the boxes around them.
    keeps_lists: bool,
    revision: Revision,
}

/// Spaces in a row from the smallest to a root, as a power of two.
const ROOT_BITS: u32 = 6;
const MAX_ROOTS: u64 = 1 << 18;
/// Spaces with smaller sides, in 1/256 of a cell, have no rim.
const MIN_WITH_RIM: i32 = 8;
/// More levels than any tree has: sides are below 2^30.
const MAX_DEPTH: usize = 32;

impl Default for ObstacleQuadtree {
    fn default() -> Self {
        Self {
            criterion: SplitCriterion::default(),
            agent: DiscAgent::POINT,
            weighted: 0,
            most_spaces: Self::MAX_SPACES,
            unit: 1,
            border: 0,
            origin: [0; 2],
            far: [0; 2],
            extent: [0; 2],
            root_bits: ROOT_BITS,
            n_roots: 0,
            roots: Vec::new(),
            generation: 0,
            spaces: Vec::new(),
            lists: Vec::new(),
            keeps_lists: false,
            revision: Revision::default(),
        }
    }
}

impl ObstacleQuadtree {
    /// Spaces a tree may have unless told otherwise.
    pub const MAX_SPACES: usize = 1 << 22;

    /// Forgets everything and gets ready for `obstacles`; takes constant time once the memory is
    /// there. Spaces are cut for obstacles of `weighted` too, until they are all in or all out.
    pub fn reset(
        &mut self,
        obstacles: &ObstacleSet,
        criterion: SplitCriterion,
        agent: DiscAgent,
        weighted: ObstacleCategories,
    ) {
        let sides = [0, 1].map(|axis| (obstacles.high[axis] - obstacles.low[axis]).max(1));
        self.criterion = criterion;
        self.agent = agent;
        self.weighted = weighted.bits() & !agent.blocked_by.bits();
        self.unit = criterion.smallest.raw().clamp(1, 1 << 28);
        self.border = i32::from(self.unit >= MIN_WITH_RIM);
        self.origin = obstacles.low;
        self.far = obstacles.high;
        self.extent = sides.map(|side| (side - 1) / self.unit + 1);
        self.root_bits = ROOT_BITS;
        let roots = |bits: u32| {
            self.extent
                .map(|extent| u64::from((extent as u32 - 1) >> bits) + 1)
        };
        while roots(self.root_bits).iter().product::<u64>() > MAX_ROOTS {
            self.root_bits += 1;
        }
        let [columns, rows] = roots(self.root_bits);
        self.n_roots = columns as i32;
        let n_roots = (columns * rows) as usize;
        if self.roots.len() < n_roots || self.generation == u32::MAX {
            self.roots.clear();
            self.roots.resize(n_roots, (0, 0));
            self.generation = 0;
        }
        self.generation += 1;
        self.spaces.clear();
        self.lists.clear();
        self.keeps_lists = false;
        self.revision = obstacles.revision;
    }

    /// Bounds the number of spaces; what would need more is taken as blocked, and
    /// [`ObstacleQuadtree::is_full`] tells.
    pub fn set_limit(&mut self, most_spaces: usize) {
        self.most_spaces = most_spaces;
    }

    /// True if a space could not be cut because there are too many.
    pub fn is_full(&self) -> bool {
        self.spaces.len() + 4 > self.most_spaces
    }

    /// How many spaces there are.
    pub fn len(&self) -> usize {
        self.spaces.len()
    }

    /// True if nothing was looked at yet.
    pub fn is_empty(&self) -> bool {
        self.spaces.is_empty()
    }

    /// The criterion in force.
    pub const fn criterion(&self) -> SplitCriterion {
        self.criterion
    }

    /// What is known of a space.
    #[inline]
    pub fn state(&self, id: QuadId) -> QuadState {
        self.spaces[id.index()].state
    }

    /// The types of the obstacles in a space that was looked at: those that block and those priced.
    #[inline]
    pub fn types(&self, id: QuadId) -> ObstacleCategories {
        ObstacleCategories::from_bits(self.spaces[id.index()].types)
    }

    /// The box of a space, cut off where the field ends.
    #[inline]
    pub fn area(&self, id: QuadId) -> Aabb2 {
        let ([left, top], [right, bottom]) = self.corners(&self.spaces[id.index()]);
        let point = |x: i32, y: i32| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        Aabb2 {
            low: point(left, top),
            high: point(right.min(self.far[0]), bottom.min(self.far[1])),
        }
    }

    /// The part of a space's box that one may walk about in: all but its rim. A step straight on
    /// to the inside of a free space beside it, or over a corner around which all four are free,
    /// meets nothing.
    #[inline]
    pub fn interior(&self, id: QuadId) -> Aabb2 {
        let (low, high) = self.inner(&self.spaces[id.index()]);
        let point = |[x, y]: [i32; 2]| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        Aabb2 {
            low: point(low),
            high: point(high),
        }
    }

    /// The corners of a space's inside.
    #[inline]
    fn inner(&self, space: &Space) -> ([i32; 2], [i32; 2]) {
        let (mut low, mut high) = self.corners(space);
        for axis in 0..2 {
            // What the field's end leaves of a space may be thinner than its rims.
            let end = high[axis].min(self.far[axis]);
            let center = (low[axis] + end) >> 1;
            low[axis] = (low[axis] + self.border).min(center);
            high[axis] = (end - self.border).max(center);
        }
        (low, high)
    }

    /// The middle of a space, rounded down.
    pub fn middle(&self, id: QuadId) -> Point2 {
        let Aabb2 { low, high } = self.area(id);
        let half = |low: Fixed, high: Fixed| Fixed::from_raw((low.raw() + high.raw()) >> 1);
        Point2::new(half(low.x, high.x), half(low.y, high.y))
    }

    /// The side of a space, in smallest spaces.
    pub fn side(&self, id: QuadId) -> u32 {
        1 << self.spaces[id.index()].bits
    }

    /// All spaces, in the order they were made.
    pub fn spaces(&self) -> impl Iterator<Item = QuadId> {
        (0..self.spaces.len() as u32).map(QuadId)
    }

    #[inline]
    fn corners(&self, space: &Space) -> ([i32; 2], [i32; 2]) {
        // A root may reach far beyond the field, where nothing lies; it is cut off at 2^29, so
        // that sums of two coordinates fit 32 bits.
        let side = i64::from(self.unit) << space.bits;
        let low = |axis: usize, place: i32| {
            i64::from(self.origin[axis]) + i64::from(place) * i64::from(self.unit)
        };
        let (left, top) = (low(0, space.x), low(1, space.y));
        let within = |at: i64| at.min(1 << 29) as i32;
        (
            [within(left), within(top)],
            [within(left + side), within(top + side)],
        )
    }

    /// The free or blocked space that holds `locate`; cuts as far as needed.
    pub fn locate(&mut self, obstacles: &ObstacleSet, at: Point2) -> Option<QuadId> {
        if !obstacles.is_inside(at) {
            return None;
        }
        let unit = |axis: usize, raw: i32| {
            ((raw - self.origin[axis]) / self.unit).min(self.extent[axis] - 1)
        };
        let (x, y) = (unit(0, at.x.raw()), unit(1, at.y.raw()));
        self.leaf(obstacles, x, y)
    }

    /// Calls `visit` with every free or blocked space that shares an edge with `id` on `side`, in
    /// the order of their places; cuts as far as needed.
    #[inline]
    pub fn for_each_edge_neighbor(
        &mut self,
        obstacles: &ObstacleSet,
        id: QuadId,
        side: Side,
        mut visit: impl FnMut(&Self, AdjacentQuad),
    ) {
        let Space { x, y, bits, .. } = self.spaces[id.index()];
        let length = 1_i32 << bits;
        let is_outside = match side {
            Side::North => y == 0,
            Side::South => y + length >= self.extent[1],
            Side::West => x == 0,
            Side::East => x + length >= self.extent[0],
        };
        if is_outside {
            return;
        }
        let Some(next) = self.next_to(obstacles, id.0, side) else {
            return;
        };
        // The quarters that touch the edge, by their order along it.
        let (axis, touching) = match side {
            Side::North => (0, [2, 3]),
            Side::South => (0, [0, 1]),
            Side::West => (1, [1, 3]),
            Side::East => (1, [0, 2]),
        };
        let edge = |from: i32, bits: u8| {
            let low = self.origin[axis] + from * self.unit;
            let high = i64::from(low) + (i64::from(self.unit) << bits);
            [low, high.min(i64::from(self.far[axis])) as i32]
        };
        let own = edge([x, y][axis], bits);
        let mut waiting = [0; MAX_DEPTH];
        let mut n_waiting = 1;
        waiting[0] = next;
        while n_waiting > 0 {
            n_waiting -= 1;
            let next = waiting[n_waiting];
            let state = self.known(next);
            let space = &self.spaces[next as usize];
            if state == QuadState::Cut {
                let bits = space.bits - 1;
                let first = space.quarters + touching[0];
                // The part beyond the field's end is none of the field.
                if [space.x, space.y][axis] + (1 << bits) < self.extent[axis] {
                    waiting[n_waiting] = space.quarters + touching[1];
                    n_waiting += 1;
                }
                waiting[n_waiting] = first;
                n_waiting += 1;
                continue;
            }
            let from = self.origin[axis] + [space.x, space.y][axis] * self.unit;
            let to = (i64::from(from) + (i64::from(self.unit) << space.bits)).min(i64::from(own[1]))
                as i32;
            let from = from.max(own[0]);
            // Where the field ends an edge may be thinner than its rims, as the insides are.
            let center = (from + to) >> 1;
            let beside = AdjacentQuad {
                id: QuadId(next),
                is_free: state == QuadState::Free,
                low: Fixed::from_raw((from + self.border).min(center)),
                high: Fixed::from_raw((to - self.border).max(center)),
            };
            visit(self, beside);
        }
    }

    /// The space next to `id` on a side: one as large, cut or not, or a larger one that is not
    /// cut. Climbs no higher than to the first space that holds both; the side must not be the
    /// field's.
    #[inline]
    fn next_to(&mut self, obstacles: &ObstacleSet, id: u32, side: Side) -> Option<u32> {
        // Bit 0 of a quarter's number says east, bit 1 south.
        let (across, ahead) = match side {
            Side::North => (2, 0),
            Side::South => (2, 2),
            Side::West => (1, 0),
            Side::East => (1, 1),
        };
        let (mut direction, mut depth) = (0_u64, 0);
        let mut at = id;
        let mut next = loop {
            let space = &self.spaces[at as usize];
            if u32::from(space.bits) == self.root_bits {
                let step = if ahead == 0 { -1 } else { 1 } << self.root_bits;
                let (x, y) = if across == 1 {
                    (space.x + step, space.y)
                } else {
                    (space.x, space.y + step)
                };
                break self.root(obstacles, x, y)?;
            }
            let quarter = ((space.x >> space.bits & 1) | (space.y >> space.bits & 1) << 1) as u32;
            let mirrored = quarter ^ across;
            if quarter & across != ahead {
                break at - quarter + mirrored;
            }
            direction = direction << 2 | u64::from(mirrored);
            depth += 1;
            at = space.parent;
        };
        for _ in 0..depth {
            if self.known(next) != QuadState::Cut {
                return Some(next);
            }
            next = self.spaces[next as usize].quarters + (direction & 3) as u32;
            direction >>= 2;
        }
        Some(next)
    }

    /// What a space is, found out if need be.
    #[inline]
    fn known(&mut self, id: u32) -> QuadState {
        match self.spaces[id as usize].state {
            QuadState::Unknown => self.look(id),
            known => known,
        }
    }

    /// The free or blocked space beyond a corner of `id`: `east` and `south` say which corner.
    pub fn corner_neighbor(
        &mut self,
        obstacles: &ObstacleSet,
        id: QuadId,
        [east, south]: [bool; 2],
    ) -> Option<QuadId> {
        let Space { x, y, bits, .. } = self.spaces[id.index()];
        let length = 1 << bits;
        let x = if east { x + length } else { x - 1 };
        let y = if south { y + length } else { y - 1 };
        self.leaf(obstacles, x, y)
    }

    /// The free or blocked space that holds the smallest space at (`x`, `y`).
    #[inline]
    fn leaf(&mut self, obstacles: &ObstacleSet, x: i32, y: i32) -> Option<QuadId> {
        if x < 0 || y < 0 || x >= self.extent[0] || y >= self.extent[1] {
            return None;
        }
        let mut id = self.root(obstacles, x, y)?;
        loop {
            if self.known(id) != QuadState::Cut {
                return Some(QuadId(id));
            }
            let space = &self.spaces[id as usize];
            let half = u32::from(space.bits) - 1;
            let quarter = (x >> half & 1) | (y >> half & 1) << 1;
            id = space.quarters + quarter as u32;
        }
    }

    /// The root space that holds the smallest space at (`x`, `y`), which must lie in the field.
    #[inline]
    fn root(&mut self, obstacles: &ObstacleSet, x: i32, y: i32) -> Option<u32> {
        let root = ((y >> self.root_bits) * self.n_roots + (x >> self.root_bits)) as usize;
        if self.roots[root].0 == self.generation {
            return Some(self.roots[root].1);
        }
        self.plant(obstacles, root, x, y)
    }

    /// Makes the root space that holds (`x`, `y`) and lists who is in it.
    fn plant(&mut self, obstacles: &ObstacleSet, root: usize, x: i32, y: i32) -> Option<u32> {
        if self.spaces.len() >= self.most_spaces {
            return None;
        }
        let id = self.spaces.len() as u32;
        let bits = self.root_bits;
        let mut space = Space {
            x: x >> bits << bits,
            y: y >> bits << bits,
            bits: bits as u8,
            state: QuadState::Unknown,
            quarters: 0,
            parent: id,
            list: self.lists.len() as u32,
            n_list: 0,
            types: 0,
        };
        let (low, high) = self.corners(&space);
        let margin = self.agent.margin();
        let wanted = self.agent.blocked_by.bits() | self.weighted;
        let (lists, keeps_lists) = (&mut self.lists, self.keeps_lists);
        let (near, far) = (low.map(|at| at - margin), high.map(|at| at + margin));
        obstacles.each_near(near, far, wanted, |body: &ObstacleBody| {
            let mut outline = InflatedOutline::of(body, margin);
            if keeps_lists {
                outline = outline.squared();
            }
            if outline.shares_inside(low, high) {
                lists.push(Listed {
                    outline,
                    slot: body.slot,
                    types: body.types,
                });
            }
        });
        space.n_list = self.lists.len() as u32 - space.list;
        self.spaces.push(space);
        self.roots[root] = (self.generation, id);
        Some(id)
    }

    /// Finds out what a space is; a root's list is there, others take theirs from the parent.
    fn look(&mut self, id: u32) -> QuadState {
        let Space {
            x,
            y,
            bits,
            parent,
            mut list,
            mut n_list,
            ..
        } = self.spaces[id as usize];
        let (low, high) = if self.keeps_lists {
            self.corners(&self.spaces[id as usize])
        } else {
            self.inner(&self.spaces[id as usize])
        };
        let is_root = parent == id;
        let mut end = list + n_list;
        let mut begin = list;
        if !is_root {
            let parent = &self.spaces[parent as usize];
            (begin, end) = (parent.list, parent.list + parent.n_list);
            list = self.lists.len() as u32;
        }
        let (blocking, weighted) = (self.agent.blocked_by.bits(), self.weighted);
        let (mut types, mut n_blocking) = (0, 0);
        let (mut is_covered, mut is_split) = (false, false);
        for place in begin..end {
            let listed = self.lists[place as usize];
            if !listed.outline.shares_inside(low, high) {
                continue;
            }
            types |= listed.types & (blocking | weighted);
            if listed.types & blocking != 0 {
                n_blocking += 1;
                is_covered |= listed.outline.covers(low, high);
            } else {
                is_split |= !listed.outline.covers(low, high);
            }
            if !is_root {
                self.lists.push(listed);
            }
        }
        let is_smallest = bits == 0;
        let side = i64::from(self.unit) << bits;
        let meets = n_blocking <= self.criterion.occupancy;
        let is_whole = !is_split && side <= i64::from(self.criterion.largest.raw());
        let state = if meets && (is_smallest || is_whole) {
            QuadState::Free
        } else if is_smallest || (is_covered && self.criterion.occupancy == 0) || self.is_full() {
            QuadState::Blocked
        } else {
            QuadState::Cut
        };
        let mut quarters = 0;
        if state == QuadState::Cut {
            if !is_root {
                n_list = self.lists.len() as u32 - list;
            }
            quarters = self.cut(x, y, bits, id);
        } else if !is_root && !self.keeps_lists {
            // Nobody will ask who is in it.
            self.lists.truncate(list as usize);
            n_list = 0;
        } else if !is_root {
            n_list = self.lists.len() as u32 - list;
        }
        let space = &mut self.spaces[id as usize];
        (space.state, space.types) = (state, types);
        (space.quarters, space.list, space.n_list) = (quarters, list, n_list);
        state
    }

    /// Makes the quarters of a space; gives the first.
    fn cut(&mut self, x: i32, y: i32, bits: u8, parent: u32) -> u32 {
        let first = self.spaces.len() as u32;
        let half = 1_i32 << (bits - 1);
        self.spaces.extend((0..4).map(|quarter| Space {
            x: x + (quarter & 1) * half,
            y: y + (quarter >> 1) * half,
            bits: bits - 1,
            state: QuadState::Unknown,
            quarters: 0,
            parent,
            list: 0,
            n_list: 0,
            types: 0,
        }));
        first
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.roots.capacity() * size_of::<(u32, u32)>()
            + self.spaces.capacity() * size_of::<Space>()
            + self.lists.capacity() * size_of::<Listed>()
    }
}

#[cfg(test)]
mod tests;
