//! The search over blocks: a block is the unit of the open list, a row of its table the unit of
//! work.
//!
//! Every frame cell has a cost so far, in each block that contains it. Taking a block from the open
//! list relaxes the rows of all frame cells that other blocks improved, a vector instruction for
//! several cells at a time, then hands what improved to the blocks beyond. A table is a metric, so
//! a block never needs its own improvements again; a row that another row reaches as cheaply adds
//! nothing and is skipped. The key of a block is the least improved cost plus the octile distance
//! from the segment to the goal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::{Column, Rect};
use wayfarer_world::ground::NodeId;

use super::super::lower_bound::LowerBound;
use super::super::nav_graph::NavGraph;
use super::super::overlay::nav_links_from;
use super::flood::FloodDirection;
use super::frame::{N_SEGMENTS, TWINS, segment_of};
use super::min_plus::{INFINITE, any_less, lower_to, padded};
use super::store::{LevelId, Store, Unsuitable};

/// Which blocks a sweep covers, and which paths it looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) nav_graph: NavGraph<'a>,
    pub(super) level: LevelId,
    /// From the seeds, or to them.
    pub(super) direction: FloodDirection,
    /// The block of 32 that contains the paths, if one does; nav links are not followed then.
    pub(super) within: Option<(i32, i32)>,
    /// The heuristic.
    pub(super) lower_bound: Option<&'a LowerBound>,
}

impl Scope<'_> {
    /// True if the block of 16 at these coordinates is covered.
    pub(super) fn covers(&self, at: (i32, i32)) -> bool {
        self.within
            .is_none_or(|within| (at.0 >> 1, at.1 >> 1) == within)
    }
}

impl Scope<'_> {
    /// The block beside another one, ready for the current search; `None` if it is not covered.
    #[inline]
    fn touch_neighbor(
        &self,
        store: &mut Store,
        number: u32,
        direction: usize,
    ) -> Result<Option<u32>, Unsuitable> {
        if self.within.is_some() {
            let neighbor = store.level_mut(self.level).neighbor(number, direction);
            if !self.covers(store.block(self.level, neighbor).at) {
                return Ok(None);
            }
        }
        let touched = store.touch_neighbor(self.nav_graph, self.level, number, direction);
        touched.map(Some)
    }
}

/// A block in the open list: key, row and column of the block, number. Numbers follow from
/// history, so they decide nothing.
type Entry = (u32, i32, i32, u32);

/// The open list and the scratch of sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    open: BinaryHeap<Reverse<Entry>>,
    /// The best costs of the current block.
    best: Vec<i32>,
    /// The highest known cost of each chunk of its frame cells.
    highest: Vec<i32>,
    links: Vec<(u32, NodeId, i32)>,
    /// Rows relaxed.
    pub(super) n_rows: u64,
}

impl Sweep {
    pub(super) fn begin(&mut self) {
        self.open.clear();
        self.n_rows = 0;
    }

    /// The least key of the open list and its block.
    pub(super) fn peek(&mut self, store: &Store, level: LevelId) -> Option<(u32, u32)> {
        while let Some(Reverse((key, _, _, block))) = self.open.peek() {
            let (key, block) = (*key, *block);
            if store.block(level, block).key == key {
                return Some((key, block));
            }
            self.open.pop();
        }
        None
    }

    /// Improves a frame cell in all blocks that contain it, and marks it in them; in its own block
    /// only if `marks_own`.
    pub(super) fn improve(
        &mut self,
        store: &mut Store,
        scope: &Scope<'_>,
        (number, i): (u32, usize),
        cost: i32,
        marks_own: bool,
    ) -> Result<(), Unsuitable> {
        let level = scope.level;
        let block = store.block_mut(level, number);
        if cost >= block.costs[i] {
            return Ok(());
        }
        block.costs[i] = cost;
        let segment = block.frame.segment_at(i);
        let column = scope
            .nav_graph
            .cell(NodeId::from_index(block.frame.nodes[i]))
            .column();
        let key = self.key(scope, Rect::around(column, column), cost);
        if marks_own {
            block.marks[i / 64] |= 1 << (i % 64);
            self.push(store, level, number, key);
        }
        let offset = i - usize::from(store.block(level, number).frame.starts[segment]);
        for &(direction, there) in TWINS[segment] {
            let Some(twin) = scope.touch_neighbor(store, number, direction)? else {
                continue;
            };
            let block = store.block_mut(level, twin);
            let i = usize::from(block.frame.starts[there]) + offset;
            block.costs[i] = cost;
            block.marks[i / 64] |= 1 << (i % 64);
            self.push(store, level, twin, key);
        }
        Ok(())
    }

    /// Takes a block from the open list: relaxes its marked rows and hands on what improves.
    pub(super) fn visit(
        &mut self,
        store: &mut Store,
        scope: &Scope<'_>,
        number: u32,
    ) -> Result<(), Unsuitable> {
        let level = scope.level;
        store.ensure_table(scope.nav_graph, level, number)?;
        let block = store.block_mut(level, number);
        block.key = u32::MAX;
        self.best.clear();
        self.best.resize(padded(block.frame.len()), INFINITE);
        self.n_rows += block.table.relax(
            scope.direction,
            &block.marks,
            &block.costs,
            &mut self.best,
            &mut self.highest,
        );
        block.marks.fill(0);
        let mut costs = std::mem::take(&mut block.costs);
        let (starts, rect) = (block.frame.starts, block.rect(level));
        let has_links = scope.within.is_none() && !block.frame.link_ends.is_empty();
        if has_links {
            self.find_links(store, scope, number, &costs);
        }
        let mut result = Ok(());
        for segment in 0..N_SEGMENTS {
            let range = usize::from(starts[segment])..usize::from(starts[segment + 1]);
            if range.is_empty() {
                continue;
            }
            let best = &self.best[range.clone()];
            let known = &mut costs[range];
            if !any_less(best, known) {
                continue;
            }
            let handed = hand_on(store, scope, (number, segment), best, known);
            for (known, best) in known.iter_mut().zip(best) {
                *known = (*known).min(*best);
            }
            match handed {
                Ok(handed) => {
                    let rect = segment_rect(rect, segment);
                    for (twin, least) in handed.into_iter().flatten() {
                        let key = self.key(scope, rect, least);
                        self.push(store, level, twin, key);
                    }
                }
                Err(unsuitable) => result = Err(unsuitable),
            }
        }
        store.block_mut(level, number).costs = costs;
        result?;
        if has_links {
            self.follow_links(store, scope)?;
        }
        Ok(())
    }

    /// Collects the nav links from frame cells that improve.
    fn find_links(&mut self, store: &Store, scope: &Scope<'_>, number: u32, costs: &[i32]) {
        self.links.clear();
        let block = store.block(scope.level, number);
        for i in block.frame.link_ends.iter().map(|i| usize::from(*i)) {
            if self.best[i] < costs[i] {
                self.add_links(scope, block.frame.nodes[i], self.best[i]);
            }
        }
    }

    fn add_links(&mut self, scope: &Scope<'_>, node: u32, cost: i32) {
        let cell = scope.nav_graph.cell(NodeId::from_index(node));
        for (nav_link, to) in nav_links_from(scope.nav_graph, cell) {
            let sum = u64::from(cost.cast_unsigned()) + u64::from(nav_link.cost.units());
            let sum = i32::try_from(sum).unwrap_or(INFINITE).min(INFINITE);
            self.links.push((node, to, sum));
        }
    }

    /// Improves the ends of the nav links collected.
    fn follow_links(&mut self, store: &mut Store, scope: &Scope<'_>) -> Result<(), Unsuitable> {
        let mut links = std::mem::take(&mut self.links);
        for (_, to, cost) in links.drain(..) {
            if let Some(at) = locate(store, scope, to)? {
                self.seed(store, scope, at, cost)?;
            }
        }
        self.links = links;
        Ok(())
    }

    /// Improves a frame cell and the ends of its nav links, and marks it in all blocks.
    pub(super) fn seed(
        &mut self,
        store: &mut Store,
        scope: &Scope<'_>,
        at: (u32, usize),
        cost: i32,
    ) -> Result<(), Unsuitable> {
        self.seed_in(store, scope, at, cost, true)
    }

    /// As [`Sweep::seed`]; `marks_own` as for [`Sweep::improve`].
    pub(super) fn seed_in(
        &mut self,
        store: &mut Store,
        scope: &Scope<'_>,
        (number, i): (u32, usize),
        cost: i32,
        marks_own: bool,
    ) -> Result<(), Unsuitable> {
        if cost >= store.block(scope.level, number).costs[i] {
            return Ok(());
        }
        self.improve(store, scope, (number, i), cost, marks_own)?;
        let frame = &store.block(scope.level, number).frame;
        if scope.within.is_some() || !frame.is_link_end(u16::try_from(i).unwrap_or(u16::MAX)) {
            return Ok(());
        }
        // Few cells are the ends of several nav links: a list of its own per step of a chain.
        let cell = scope.nav_graph.cell(NodeId::from_index(frame.nodes[i]));
        for (nav_link, to) in nav_links_from(scope.nav_graph, cell) {
            let sum = u64::from(cost.cast_unsigned()) + u64::from(nav_link.cost.units());
            let sum = i32::try_from(sum).unwrap_or(INFINITE).min(INFINITE);
            if let Some(at) = locate(store, scope, to)? {
                self.seed(store, scope, at, sum)?;
            }
        }
        Ok(())
    }

    fn key(&self, scope: &Scope<'_>, rect: Rect, cost: i32) -> u32 {
        let bound = scope.lower_bound.map_or(0, |bound| bound.over(rect));
        cost.cast_unsigned().saturating_add(bound)
    }

    fn push(&mut self, store: &mut Store, level: LevelId, number: u32, key: u32) {
        let block = store.block_mut(level, number);
        if key < block.key {
            block.key = key;
            let (x, y) = block.at;
            self.open.push(Reverse((key, y, x, number)));
        }
    }
}

/// A twin of a segment with the least cost handed to it.
type Handed = [Option<(u32, i32)>; 3];

/// Lowers the costs of a segment in the other blocks that contain it, and marks them.
fn hand_on(
    store: &mut Store,
    scope: &Scope<'_>,
    (number, segment): (u32, usize),
    best: &[i32],
    known: &[i32],
) -> Result<Handed, Unsuitable> {
    let mut handed = [None; 3];
    for (handed, &(direction, there)) in handed.iter_mut().zip(TWINS[segment]) {
        let Some(twin) = scope.touch_neighbor(store, number, direction)? else {
            continue;
        };
        let block = store.block_mut(scope.level, twin);
        let start = usize::from(block.frame.starts[there]);
        let costs = &mut block.costs[start..start + best.len()];
        let least = lower_to(costs, best, known);
        mark(&mut block.marks, start, best, known);
        *handed = Some((twin, least));
    }
    Ok(handed)
}

/// Sets the bits, from `start` on, of the cells whose best cost is below the known one.
#[inline]
fn mark(marks: &mut [u64], start: usize, best: &[i32], known: &[i32]) {
    for (chunk, (best, known)) in best.chunks(32).zip(known.chunks(32)).enumerate() {
        let mut bits = 0_u64;
        for (i, (best, known)) in best.iter().zip(known).enumerate() {
            bits |= u64::from(best < known) << i;
        }
        let at = start + chunk * 32;
        marks[at / 64] |= bits << (at % 64);
        if at % 64 > 32 && bits >> (64 - at % 64) != 0 {
            marks[at / 64 + 1] |= bits >> (64 - at % 64);
        }
    }
}

/// The block and index of a node that is a frame cell of its block.
pub(super) fn locate(
    store: &mut Store,
    scope: &Scope<'_>,
    node: NodeId,
) -> Result<Option<(u32, usize)>, Unsuitable> {
    let level = scope.level;
    let column = scope.nav_graph.cell(node).column();
    let block = store.touch_at(scope.nav_graph, level, level.block_at(column))?;
    let place = place_in(level, column);
    let segment = segment_of(place, level.size());
    let found = store.block(level, block).frame.find(node.index(), segment);
    Ok(found.map(|i| (block, i)))
}

/// The coordinates of a column in its block.
pub(super) fn place_in(level: LevelId, column: Column) -> (usize, usize) {
    let mask = (1 << level.shift()) - 1;
    let within = |at: i32| (at & mask).cast_unsigned() as usize;
    (within(column.x), within(column.y))
}

/// The columns of a segment.
fn segment_rect(rect: Rect, segment: usize) -> Rect {
    let Rect { low, high } = rect;
    match segment {
        0 => Rect::around(low, low),
        1 => Rect::around(low, Column::new(high.x, low.y)),
        2 => Rect::around(Column::new(high.x, low.y), Column::new(high.x, low.y)),
        3 => Rect::around(Column::new(high.x, low.y), high),
        4 => Rect::around(high, high),
        5 => Rect::around(Column::new(low.x, high.y), high),
        6 => Rect::around(Column::new(low.x, high.y), Column::new(low.x, high.y)),
        7 => Rect::around(low, Column::new(low.x, high.y)),
        _ => rect,
    }
}
