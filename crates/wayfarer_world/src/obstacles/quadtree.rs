//! On-demand quadtree over the obstacle plane \[Guerrilla2013\].
//!
//! A grid of equal root quads covers the bounds; a quad is unknown until a query visits it. A
//! visited quad that exceeds the split criterion is split into four, and only the visited child is
//! classified. Neighbors are found by climbing to the common ancestor. The tree lives in the
//! caller's scratch; [`ObstacleQuadtree::reset`] discards it in O(1).
//!
//! Inflated outlines keep agents 1/256 of a cell away from obstacles. A quad is therefore
//! classified without its border of that width: a wall along its edge leaves it free, and a gap of
//! twice the smallest quad is always found. Paths stay in [`ObstacleQuadtree::interior`] except for
//! crossing to the next quad.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "coordinates are counted within the bounds, lists are shorter than 2^32"
)]

use wayfarer_base::{Aabb2, Fixed, Point2, Revision};

use super::obstacle::ObstacleBody;
use super::{DiscAgent, InflatedOutline, ObstacleCategories, ObstacleSet};

mod pairs;
mod split_criterion;

pub use split_criterion::SplitCriterion;

/// The id of a quad, valid until the tree is reset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QuadId(u32);

impl QuadId {
    /// As an index: 0 for the first quad, ascending in creation order.
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

/// The classification of a quad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuadState {
    /// Not visited yet.
    Unknown,
    /// Meets the criterion.
    Free,
    /// Exceeds the criterion and is not split further.
    Blocked,
    /// Split into four.
    Split,
}

/// A side of a quad.
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

/// A free or blocked quad adjacent to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdjacentQuad {
    /// Its id.
    pub id: QuadId,
    /// True if it meets the criterion and can be entered.
    pub is_free: bool,
    /// The start of the crossable part of the shared edge, along it.
    pub low: Fixed,
    /// The end of the crossable part.
    pub high: Fixed,
}

#[derive(Clone, Copy, Debug)]
struct Quad {
    /// North-west corner, in smallest quads from that of the bounds.
    x: i32,
    y: i32,
    /// The side is `1 << bits` smallest quads.
    bits: u8,
    state: QuadState,
    /// The first of its four children.
    first_child: u32,
    /// Its parent; itself for a root.
    parent: u32,
    /// Its obstacles in `lists`; unset until it is classified.
    list: u32,
    n_list: u32,
    categories: u64,
}

/// An obstacle of a list: outline, slot and categories.
#[derive(Clone, Copy, Debug)]
struct ListEntry {
    outline: InflatedOutline,
    slot: u32,
    categories: u64,
}

/// An on-demand quadtree; see the [module](self).
#[derive(Clone, Debug)]
pub struct ObstacleQuadtree {
    criterion: SplitCriterion,
    agent: DiscAgent,
    /// Non-blocking categories for which quads are split until they are all inside or all outside.
    weighted: u64,
    max_quads: usize,
    unit: i32,
    /// The width of a quad's border that is ignored: 1, or 0 where quads are too small.
    border: i32,
    origin: [i32; 2],
    limit: [i32; 2],
    /// The number of smallest quads per axis.
    extent: [i32; 2],
    root_bits: u32,
    /// The number of root quads in a row.
    n_roots: i32,
    roots: Vec<(u32, u32)>,
    generation: u32,
    quads: Vec<Quad>,
    lists: Vec<ListEntry>,
    /// True to keep the lists of unsplit quads, by AABB.
    retains_lists: bool,
    revision: Revision,
}

/// Log2 of the smallest quads along a root.
const ROOT_BITS: u32 = 6;
const MAX_ROOTS: u64 = 1 << 18;
/// Quads with smaller sides, in 1/256 of a cell, have no border.
const MIN_BORDERED_SIDE: i32 = 8;
/// Upper bound on the depth: sides are below 2^30.
const MAX_DEPTH: usize = 32;

impl Default for ObstacleQuadtree {
    fn default() -> Self {
        Self {
            criterion: SplitCriterion::default(),
            agent: DiscAgent::POINT,
            weighted: 0,
            max_quads: Self::MAX_QUADS,
            unit: 1,
            border: 0,
            origin: [0; 2],
            limit: [0; 2],
            extent: [0; 2],
            root_bits: ROOT_BITS,
            n_roots: 0,
            roots: Vec::new(),
            generation: 0,
            quads: Vec::new(),
            lists: Vec::new(),
            retains_lists: false,
            revision: Revision::default(),
        }
    }
}

impl ObstacleQuadtree {
    /// The default limit of the number of quads.
    pub const MAX_QUADS: usize = 1 << 22;

    /// Discards all quads and prepares for `obstacles`; O(1) once the buffers have grown. Quads are
    /// also split for obstacles of `weighted` until these are all inside or all outside.
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
        self.unit = criterion.min_side.raw().clamp(1, 1 << 28);
        self.border = i32::from(self.unit >= MIN_BORDERED_SIDE);
        self.origin = obstacles.low;
        self.limit = obstacles.high;
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
        self.quads.clear();
        self.lists.clear();
        self.retains_lists = false;
        self.revision = obstacles.revision;
    }

    /// Limits the number of quads; quads that cannot be split count as blocked, and
    /// [`ObstacleQuadtree::is_full`] returns true.
    pub fn set_limit(&mut self, max_quads: usize) {
        self.max_quads = max_quads;
    }

    /// True if the limit of quads is reached.
    pub fn is_full(&self) -> bool {
        self.quads.len() + 4 > self.max_quads
    }

    /// The number of quads.
    pub fn len(&self) -> usize {
        self.quads.len()
    }

    /// True if no quad was visited yet.
    pub fn is_empty(&self) -> bool {
        self.quads.is_empty()
    }

    /// The split criterion.
    pub const fn criterion(&self) -> SplitCriterion {
        self.criterion
    }

    /// The classification of a quad.
    #[inline]
    pub fn state(&self, id: QuadId) -> QuadState {
        self.quads[id.index()].state
    }

    /// The categories of the blocking and weighted obstacles in a classified quad.
    #[inline]
    pub fn categories(&self, id: QuadId) -> ObstacleCategories {
        ObstacleCategories::from_bits(self.quads[id.index()].categories)
    }

    /// The box of a quad, clipped to the bounds.
    ///
    /// # Panics
    /// If the id is from before the last reset and there are fewer quads now.
    #[inline]
    pub fn area(&self, id: QuadId) -> Aabb2 {
        let ([left, top], [right, bottom]) = self.corners(&self.quads[id.index()]);
        let point = |x: i32, y: i32| Point2::from_raw(x, y);
        Aabb2 {
            low: point(left, top),
            high: point(right.min(self.limit[0]), bottom.min(self.limit[1])),
        }
    }

    /// The box of a quad without its border. A straight step to the interior of a free adjacent
    /// quad, or across a corner whose four quads are free, meets no obstacle.
    ///
    /// # Panics
    /// As [`ObstacleQuadtree::area`].
    #[inline]
    pub fn interior(&self, id: QuadId) -> Aabb2 {
        let (low, high) = self.interior_corners(&self.quads[id.index()]);
        let point = |[x, y]: [i32; 2]| Point2::from_raw(x, y);
        Aabb2 {
            low: point(low),
            high: point(high),
        }
    }

    /// The corners of a quad's interior.
    #[inline]
    fn interior_corners(&self, quad: &Quad) -> ([i32; 2], [i32; 2]) {
        let (mut low, mut high) = self.corners(quad);
        for axis in 0..2 {
            // A quad clipped by the bounds may be thinner than its borders.
            let end = high[axis].min(self.limit[axis]);
            let center = (low[axis] + end) >> 1;
            low[axis] = (low[axis] + self.border).min(center);
            high[axis] = (end - self.border).max(center);
        }
        (low, high)
    }

    /// The center of a quad, rounded down.
    pub fn center(&self, id: QuadId) -> Point2 {
        let Aabb2 { low, high } = self.area(id);
        let center_of = |low: Fixed, high: Fixed| Fixed::from_raw((low.raw() + high.raw()) >> 1);
        Point2::new(center_of(low.x, high.x), center_of(low.y, high.y))
    }

    /// The side of a quad in smallest quads.
    pub fn side(&self, id: QuadId) -> u32 {
        1 << self.quads[id.index()].bits
    }

    /// All quads, in creation order.
    pub fn quads(&self) -> impl Iterator<Item = QuadId> {
        (0..self.quads.len() as u32).map(QuadId)
    }

    #[inline]
    fn corners(&self, quad: &Quad) -> ([i32; 2], [i32; 2]) {
        // A root may extend far beyond the bounds; clamped to 2^29 so that sums of two coordinates
        // fit 32 bits.
        let side = i64::from(self.unit) << quad.bits;
        let low = |axis: usize, coordinate: i32| {
            i64::from(self.origin[axis]) + i64::from(coordinate) * i64::from(self.unit)
        };
        let (left, top) = (low(0, quad.x), low(1, quad.y));
        let clamp = |at: i64| at.min(1 << 29) as i32;
        (
            [clamp(left), clamp(top)],
            [clamp(left + side), clamp(top + side)],
        )
    }

    /// The free or blocked quad that contains `at`; splits as needed. `None` outside the bounds.
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

    /// Visits every free or blocked quad that shares an edge with `id` on `side`, in order along
    /// it; splits as needed.
    #[inline]
    pub fn for_each_edge_neighbor(
        &mut self,
        obstacles: &ObstacleSet,
        id: QuadId,
        side: Side,
        mut visit: impl FnMut(&Self, AdjacentQuad),
    ) {
        let Quad { x, y, bits, .. } = self.quads[id.index()];
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
        let Some(next) = self.edge_neighbor(obstacles, id.0, side) else {
            return;
        };
        // The children that touch the edge, in order along it.
        let (axis, touching_children) = match side {
            Side::North => (0, [2, 3]),
            Side::South => (0, [0, 1]),
            Side::West => (1, [1, 3]),
            Side::East => (1, [0, 2]),
        };
        let edge = |from: i32, bits: u8| {
            let low = self.origin[axis] + from * self.unit;
            let high = i64::from(low) + (i64::from(self.unit) << bits);
            [low, high.min(i64::from(self.limit[axis])) as i32]
        };
        let own_edge = edge([x, y][axis], bits);
        let mut stack = [0; MAX_DEPTH];
        let mut stack_len = 1;
        stack[0] = next;
        while stack_len > 0 {
            stack_len -= 1;
            let next = stack[stack_len];
            let state = self.resolve(next);
            let quad = &self.quads[next as usize];
            if state == QuadState::Split {
                let bits = quad.bits - 1;
                let first = quad.first_child + touching_children[0];
                // Skip the part beyond the bounds.
                if [quad.x, quad.y][axis] + (1 << bits) < self.extent[axis] {
                    stack[stack_len] = quad.first_child + touching_children[1];
                    stack_len += 1;
                }
                stack[stack_len] = first;
                stack_len += 1;
                continue;
            }
            let from = self.origin[axis] + [quad.x, quad.y][axis] * self.unit;
            let to = (i64::from(from) + (i64::from(self.unit) << quad.bits))
                .min(i64::from(own_edge[1])) as i32;
            let from = from.max(own_edge[0]);
            // Where the bounds clip an edge it may be thinner than its borders, as interiors are.
            let center = (from + to) >> 1;
            let neighbor = AdjacentQuad {
                id: QuadId(next),
                is_free: state == QuadState::Free,
                low: Fixed::from_raw((from + self.border).min(center)),
                high: Fixed::from_raw((to - self.border).max(center)),
            };
            visit(self, neighbor);
        }
    }

    /// The quad adjacent to `id` on a side: one of equal size, or a larger one that is not split.
    /// Climbs to the common ancestor only. The side must not lie on the bounds.
    #[inline]
    fn edge_neighbor(&mut self, obstacles: &ObstacleSet, id: u32, side: Side) -> Option<u32> {
        // Bit 0 of a child's number is east, bit 1 south.
        let (across, ahead) = match side {
            Side::North => (2, 0),
            Side::South => (2, 2),
            Side::West => (1, 0),
            Side::East => (1, 1),
        };
        let (mut path, mut depth) = (0_u64, 0);
        let mut current = id;
        let mut next = loop {
            let quad = &self.quads[current as usize];
            if u32::from(quad.bits) == self.root_bits {
                let step = if ahead == 0 { -1 } else { 1 } << self.root_bits;
                let (x, y) = if across == 1 {
                    (quad.x + step, quad.y)
                } else {
                    (quad.x, quad.y + step)
                };
                break self.root(obstacles, x, y)?;
            }
            let child = ((quad.x >> quad.bits & 1) | (quad.y >> quad.bits & 1) << 1) as u32;
            let mirrored = child ^ across;
            if child & across != ahead {
                break current - child + mirrored;
            }
            path = path << 2 | u64::from(mirrored);
            depth += 1;
            current = quad.parent;
        };
        for _ in 0..depth {
            if self.resolve(next) != QuadState::Split {
                return Some(next);
            }
            next = self.quads[next as usize].first_child + (path & 3) as u32;
            path >>= 2;
        }
        Some(next)
    }

    /// The state of a quad, classified if needed.
    #[inline]
    fn resolve(&mut self, id: u32) -> QuadState {
        match self.quads[id as usize].state {
            QuadState::Unknown => self.classify(id),
            state => state,
        }
    }

    /// The free or blocked quad across a corner of `id`, selected by `east` and `south`; `None`
    /// outside the bounds or if the limit of quads is reached.
    pub fn corner_neighbor(
        &mut self,
        obstacles: &ObstacleSet,
        id: QuadId,
        [east, south]: [bool; 2],
    ) -> Option<QuadId> {
        let Quad { x, y, bits, .. } = self.quads[id.index()];
        let length = 1 << bits;
        let x = if east { x + length } else { x - 1 };
        let y = if south { y + length } else { y - 1 };
        self.leaf(obstacles, x, y)
    }

    /// The free or blocked quad that contains the smallest quad at (`x`, `y`).
    #[inline]
    fn leaf(&mut self, obstacles: &ObstacleSet, x: i32, y: i32) -> Option<QuadId> {
        if x < 0 || y < 0 || x >= self.extent[0] || y >= self.extent[1] {
            return None;
        }
        let mut id = self.root(obstacles, x, y)?;
        loop {
            if self.resolve(id) != QuadState::Split {
                return Some(QuadId(id));
            }
            let quad = &self.quads[id as usize];
            let half = u32::from(quad.bits) - 1;
            let child = (x >> half & 1) | (y >> half & 1) << 1;
            id = quad.first_child + child as u32;
        }
    }

    /// The root quad that contains the smallest quad at (`x`, `y`), which must lie within the
    /// bounds.
    #[inline]
    fn root(&mut self, obstacles: &ObstacleSet, x: i32, y: i32) -> Option<u32> {
        let root = ((y >> self.root_bits) * self.n_roots + (x >> self.root_bits)) as usize;
        if self.roots[root].0 == self.generation {
            return Some(self.roots[root].1);
        }
        self.create_root(obstacles, root, x, y)
    }

    /// Creates the root quad that contains (`x`, `y`) and its list of obstacles.
    fn create_root(&mut self, obstacles: &ObstacleSet, root: usize, x: i32, y: i32) -> Option<u32> {
        if self.quads.len() >= self.max_quads {
            return None;
        }
        let id = self.quads.len() as u32;
        let bits = self.root_bits;
        let mut quad = Quad {
            x: x >> bits << bits,
            y: y >> bits << bits,
            bits: bits as u8,
            state: QuadState::Unknown,
            first_child: 0,
            parent: id,
            list: self.lists.len() as u32,
            n_list: 0,
            categories: 0,
        };
        let (low, high) = self.corners(&quad);
        let margin = self.agent.margin();
        let listed_categories = self.agent.blocked_by.bits() | self.weighted;
        let (lists, retains_lists) = (&mut self.lists, self.retains_lists);
        let (query_low, query_high) = (low.map(|at| at - margin), high.map(|at| at + margin));
        obstacles.for_each_overlapping(
            query_low,
            query_high,
            listed_categories,
            |body: &ObstacleBody| {
                let mut outline = InflatedOutline::new(body, margin);
                if retains_lists {
                    outline = outline.to_aabb();
                }
                if outline.overlaps_box(low, high) {
                    lists.push(ListEntry {
                        outline,
                        slot: body.slot,
                        categories: body.categories,
                    });
                }
            },
        );
        quad.n_list = self.lists.len() as u32 - quad.list;
        self.quads.push(quad);
        self.roots[root] = (self.generation, id);
        Some(id)
    }

    /// Classifies a quad; all but roots filter their list from the parent's.
    fn classify(&mut self, id: u32) -> QuadState {
        let Quad {
            x,
            y,
            bits,
            parent,
            mut list,
            mut n_list,
            ..
        } = self.quads[id as usize];
        let (low, high) = if self.retains_lists {
            self.corners(&self.quads[id as usize])
        } else {
            self.interior_corners(&self.quads[id as usize])
        };
        let is_root = parent == id;
        let mut end = list + n_list;
        let mut begin = list;
        if !is_root {
            let parent = &self.quads[parent as usize];
            (begin, end) = (parent.list, parent.list + parent.n_list);
            list = self.lists.len() as u32;
        }
        let (blocking, weighted) = (self.agent.blocked_by.bits(), self.weighted);
        let (mut categories, mut n_blocking) = (0, 0);
        let (mut is_covered, mut is_partial) = (false, false);
        for index in begin..end {
            let listed = self.lists[index as usize];
            if !listed.outline.overlaps_box(low, high) {
                continue;
            }
            categories |= listed.categories & (blocking | weighted);
            if listed.categories & blocking != 0 {
                n_blocking += 1;
                is_covered |= listed.outline.covers(low, high);
            } else {
                is_partial |= !listed.outline.covers(low, high);
            }
            if !is_root {
                self.lists.push(listed);
            }
        }
        let is_smallest = bits == 0;
        let side = i64::from(self.unit) << bits;
        let is_within_occupancy = n_blocking <= self.criterion.occupancy;
        let is_small_and_uniform = !is_partial && side <= i64::from(self.criterion.max_side.raw());
        let state = if is_within_occupancy && (is_smallest || is_small_and_uniform) {
            QuadState::Free
        } else if is_smallest || (is_covered && self.criterion.occupancy == 0) || self.is_full() {
            QuadState::Blocked
        } else {
            QuadState::Split
        };
        let mut first_child = 0;
        if state == QuadState::Split {
            if !is_root {
                n_list = self.lists.len() as u32 - list;
            }
            first_child = self.split(x, y, bits, id);
        } else if !is_root && !self.retains_lists {
            // The list of an unsplit quad is not needed.
            self.lists.truncate(list as usize);
            n_list = 0;
        } else if !is_root {
            n_list = self.lists.len() as u32 - list;
        }
        let quad = &mut self.quads[id as usize];
        (quad.state, quad.categories) = (state, categories);
        (quad.first_child, quad.list, quad.n_list) = (first_child, list, n_list);
        state
    }

    /// Creates the children of a quad; returns the first.
    fn split(&mut self, x: i32, y: i32, bits: u8, parent: u32) -> u32 {
        let first = self.quads.len() as u32;
        let half = 1_i32 << (bits - 1);
        self.quads.extend((0..4).map(|child| Quad {
            x: x + (child & 1) * half,
            y: y + (child >> 1) * half,
            bits: bits - 1,
            state: QuadState::Unknown,
            first_child: 0,
            parent,
            list: 0,
            n_list: 0,
            categories: 0,
        }));
        first
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.roots.capacity() * size_of::<(u32, u32)>()
            + self.quads.capacity() * size_of::<Quad>()
            + self.lists.capacity() * size_of::<ListEntry>()
    }
}

#[cfg(test)]
mod tests;
