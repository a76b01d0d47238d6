//! Walls near a cell: the edges of its surroundings that no body may cross.
//!
//! The floors around a cell that are joined by straight steps in both directions form a patch; its
//! border is a list of axis-parallel segments: blocked squares, thin walls, closed doors, ledges
//! and gaps. A disc whose center stays farther from all of them than its radius is inside nothing.
//! Lists follow from the ground alone; the cache only saves the time to make them.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cell, Direction, Rect};
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::NodeId;

use crate::vector::Vec2;

/// How much nearer than its radius a body may be to a wall: rounding.
pub(crate) const TOLERANCE: f64 = 1e-6;
/// Projections out of walls before a move is given up.
const MAX_PROJECTIONS: u32 = 8;
/// Segments in a chunk, as a power of two: storage that grows by chunks is never moved.
const CHUNK_BITS: u32 = 12;
/// Lists kept before the cache drops those that no agent uses, with room in the table for those of a tick.
const MAX_LISTS: usize = 3 << 14;
/// A table with this many lists grows to its largest size at once: moving more would take longer than
/// all the rest of a tick.
const MANY_LISTS: usize = 1 << 12;
/// Segments stored before it does, 16 MB: those of lists that edits replaced stay until then.
const MAX_SEGMENTS: usize = 1 << 19;

/// An axis-parallel segment, `low` at most `high` in both coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WallSegment {
    low: Vec2,
    high: Vec2,
}

impl WallSegment {
    /// The offset from the nearest point of the segment to `at`.
    #[inline]
    pub(crate) fn offset_to(&self, at: Vec2) -> Vec2 {
        // By comparisons: `f64::max` and `min` take three instructions each for the sake of NaN.
        let clamped = |at: f64, low: f64, high: f64| {
            let above = if at < low { low } else { at };
            if high < above { high } else { above }
        };
        let nearest = Vec2::new(
            clamped(at.x, self.low.x, self.high.x),
            clamped(at.y, self.low.y, self.high.y),
        );
        at - nearest
    }

    fn contains(&self, at: Vec2) -> bool {
        let is_between = |at: f64, low: f64, high: f64| low <= at && at <= high;
        is_between(at.x, self.low.x, self.high.x) && is_between(at.y, self.low.y, self.high.y)
    }
}

/// True if the point of a segment nearest to a position also belongs to a segment that is nearer, or
/// equally near and earlier in the list: of the two sides of a corner one binds. The half-planes of
/// both would hold up an agent that slides around it.
pub(crate) fn is_corner_of_nearer(wall: &WallSegment, at: Vec2, walls: &[WallSegment]) -> bool {
    let offset = wall.offset_to(at);
    let nearest = at - offset;
    let is_end = nearest == wall.low || nearest == wall.high;
    let distance = offset.length_squared();
    let mut is_earlier = true;
    is_end
        && walls.iter().any(|other| {
            is_earlier &= other != wall;
            let theirs = other.offset_to(at).length_squared();
            other.contains(nearest) && (theirs < distance || (is_earlier && theirs <= distance))
        })
}

/// True if a disc overlaps no wall.
pub(crate) fn fits(at: Vec2, radius: f64, walls: &[WallSegment]) -> bool {
    let least = radius - TOLERANCE;
    let is_off = |wall: &WallSegment| wall.offset_to(at).length_squared() >= least * least;
    walls.iter().all(is_off)
}

/// The position pushed out of the walls that a disc overlaps; `None` if it does not fit near by.
pub(crate) fn pushed_out(at: Vec2, radius: f64, walls: &[WallSegment]) -> Option<Vec2> {
    let mut at = at;
    for _ in 0..MAX_PROJECTIONS {
        let offsets = walls.iter().map(|wall| wall.offset_to(at));
        let nearest = offsets.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let Some(nearest) = nearest else {
            return Some(at);
        };
        let distance = nearest.length();
        if distance >= radius - TOLERANCE {
            return Some(at);
        }
        if distance <= TOLERANCE {
            return None;
        }
        at += nearest * ((radius - distance) / distance);
    }
    None
}

/// A list of the cache: where it begins, and its length.
pub(crate) type WallList = (u32, u32);

/// The walls around the cells that agents stand in.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallCache {
    lists: FastMap<(u32, i32, Cell), WallList>,
    chunks: Vec<Vec<WallSegment>>,
    /// Chunks left over, to be used again.
    spare: Vec<Vec<WallSegment>>,
    /// Segments in chunks, also of lists that were replaced.
    n_segments: usize,
    /// Lists in use when others were dropped, and their segments.
    n_kept: usize,
    n_kept_segments: usize,
    border: Vec<WallSegment>,
    patch: Patch,
}

impl WallCache {
    /// The list of the walls within `reach` columns of a cell, for one agent type.
    pub(crate) fn list(&mut self, nav_graph: NavGraph<'_>, cell: Cell, reach: i32) -> WallList {
        let key = (nav_graph.profile_ground().layer_id(), reach, cell);
        if let Some(list) = self.lists.get(&key) {
            return *list;
        }
        let mut border = std::mem::take(&mut self.border);
        border.clear();
        if let Some(node) = nav_graph.floor_at(cell.column(), cell.z) {
            self.patch.flood(nav_graph, node, reach);
            self.patch.write_border(&mut border);
        }
        let list = self.store(&border);
        self.border = border;
        let n = self.lists.len();
        if n == self.lists.capacity() && (MANY_LISTS..MAX_LISTS).contains(&n) {
            self.lists.reserve(MAX_LISTS + MANY_LISTS - n);
        }
        self.lists.insert(key, list);
        list
    }

    pub(crate) fn walls(&self, list: WallList) -> &[WallSegment] {
        slice_of(&self.chunks, list)
    }

    fn store(&mut self, segments: &[WallSegment]) -> WallList {
        let size = 1 << CHUNK_BITS;
        let has_room = |chunk: &Vec<_>| chunk.len() < size && chunk.len() + segments.len() <= size;
        if !self.chunks.last().is_some_and(has_room) {
            let mut chunk = self.spare.pop().unwrap_or_default();
            chunk.reserve(segments.len().max(size));
            self.chunks.push(chunk);
        }
        let last = self.chunks.len() - 1;
        let number = |n: usize| u32::try_from(n).expect("fewer than the limit");
        let begin = (number(last) << CHUNK_BITS) | number(self.chunks[last].len());
        self.chunks[last].extend_from_slice(segments);
        self.n_segments += segments.len();
        (begin, number(segments.len()))
    }

    /// True if lists that no agent uses should be dropped before the next tick.
    pub(crate) fn is_full(&self) -> bool {
        self.lists.len() >= MAX_LISTS.max(4 * self.n_kept)
            || self.n_segments >= MAX_SEGMENTS.max(4 * self.n_kept_segments)
    }

    /// Drops all lists but those in use, which move.
    pub(crate) fn keep_only<'l>(&mut self, in_use: impl Iterator<Item = &'l mut WallList>) {
        self.lists.clear();
        let old = self.take_chunks();
        self.n_kept = 0;
        // Agents in one cell get a copy each: to find those would take longer.
        for list in in_use {
            *list = self.store(slice_of(&old, *list));
            self.n_kept += 1;
        }
        self.recycle(old);
        self.n_kept_segments = self.n_segments;
    }

    pub(crate) fn clear(&mut self) {
        self.lists.clear();
        let chunks = self.take_chunks();
        self.recycle(chunks);
    }

    fn take_chunks(&mut self) -> Vec<Vec<WallSegment>> {
        self.n_segments = 0;
        std::mem::take(&mut self.chunks)
    }

    fn recycle(&mut self, mut chunks: Vec<Vec<WallSegment>>) {
        chunks.iter_mut().for_each(Vec::clear);
        self.spare.append(&mut chunks);
    }

    /// Drops the lists of cells whose surroundings meet a rectangle of columns.
    pub(crate) fn invalidate(&mut self, rect: Rect) {
        self.lists.retain(|(_, reach, cell), _| {
            let is_off = |at: i32, low: i32, high: i32| {
                at.saturating_add(reach + 1) < low || at.saturating_sub(reach + 1) > high
            };
            is_off(cell.x, rect.low.x, rect.high.x) || is_off(cell.y, rect.low.y, rect.high.y)
        });
    }
}

fn slice_of(chunks: &[Vec<WallSegment>], (begin, len): WallList) -> &[WallSegment] {
    let (chunk, offset) = (begin >> CHUNK_BITS, begin & ((1 << CHUNK_BITS) - 1));
    &chunks[chunk as usize][offset as usize..][..len as usize]
}

/// The floors around a cell that are joined to it.
#[derive(Clone, Debug, Default)]
struct Patch {
    corner: (i32, i32),
    width: usize,
    nodes: Vec<Option<NodeId>>,
    /// True for nodes whose sides were looked at.
    is_done: Vec<bool>,
    queue: Vec<usize>,
    /// Blocked edges: west of each column, and north of each; and true if there are any.
    west: Vec<bool>,
    north: Vec<bool>,
    has_border: bool,
}

impl Patch {
    fn flood(&mut self, nav_graph: NavGraph<'_>, start: NodeId, reach: i32) {
        let cell = nav_graph.cell(start);
        self.corner = (cell.x - reach, cell.y - reach);
        self.width = usize::try_from(2 * reach + 1).expect("a positive reach");
        let (width, n) = (self.width, self.width * self.width);
        self.nodes.clear();
        self.nodes.resize(n, None);
        self.is_done.clear();
        self.is_done.resize(n, false);
        for edges in [&mut self.west, &mut self.north] {
            edges.clear();
            edges.resize((width + 1) * (width + 1), false);
        }
        self.has_border = false;
        let center = n / 2;
        self.nodes[center] = Some(start);
        self.queue.clear();
        self.queue.push(center);
        let mut head = 0;
        while let Some(&at) = self.queue.get(head) {
            head += 1;
            self.visit(nav_graph, at);
        }
    }

    fn visit(&mut self, nav_graph: NavGraph<'_>, at: usize) {
        let (x, y) = (at % self.width, at / self.width);
        let Some(node) = self.nodes[at] else { return };
        let last = self.width - 1;
        let sides = [
            (
                Direction::North,
                (y > 0).then(|| at - self.width),
                (x, y, false),
            ),
            (
                Direction::East,
                (x < last).then_some(at + 1),
                (x + 1, y, true),
            ),
            (
                Direction::South,
                (y < last).then_some(at + self.width),
                (x, y + 1, false),
            ),
            (Direction::West, (x > 0).then(|| at - 1), (x, y, true)),
        ];
        for (direction, beside, edge) in sides {
            let Some(beside) = beside else { continue };
            // Floors are joined in both directions: the other has looked at this side.
            if self.is_done[beside] {
                continue;
            }
            let next = nav_graph.joined_floor(node, direction);
            match (next, self.nodes[beside]) {
                (Some(next), None) => {
                    self.nodes[beside] = Some(next);
                    self.queue.push(beside);
                }
                // Two floors of one column: the patch winds above itself.
                (next, known) if next.is_none() || next != known => self.block(edge),
                _ => {}
            }
        }
        self.is_done[at] = true;
    }

    fn block(&mut self, (x, y, is_west): (usize, usize, bool)) {
        self.has_border = true;
        let index = y * (self.width + 1) + x;
        if is_west {
            self.west[index] = true;
        } else {
            self.north[index] = true;
        }
    }

    /// Writes the blocked edges as segments, adjacent ones joined.
    fn write_border(&self, segments: &mut Vec<WallSegment>) {
        if !self.has_border {
            return;
        }
        let stride = self.width + 1;
        let at = |x: usize, y: usize| {
            let coordinate = |corner: i32, offset: usize| {
                f64::from(corner) + f64::from(u32::try_from(offset).expect("a small patch"))
            };
            Vec2::new(coordinate(self.corner.0, x), coordinate(self.corner.1, y))
        };
        for line in 0..stride {
            let mut begin = None;
            for along in 0..=stride {
                let is_blocked = along < stride && self.west[along * stride + line];
                match (begin, is_blocked) {
                    (None, true) => begin = Some(along),
                    (Some(from), false) => {
                        let (low, high) = (at(line, from), at(line, along));
                        segments.push(WallSegment { low, high });
                        begin = None;
                    }
                    _ => {}
                }
            }
            let mut begin = None;
            for along in 0..=stride {
                let is_blocked = along < stride && self.north[line * stride + along];
                match (begin, is_blocked) {
                    (None, true) => begin = Some(along),
                    (Some(from), false) => {
                        let (low, high) = (at(from, line), at(along, line));
                        segments.push(WallSegment { low, high });
                        begin = None;
                    }
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
