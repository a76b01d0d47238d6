//! What a searcher caches of one ground: jump point graph, bridge tree and bitmap, with the
//! bookkeeping of edits and limits.
//!
//! The cache belongs to one ground, by identity and revision. Change sets that lead on from that
//! revision mark dirty rectangles; [`CacheState::flush`] invalidates what read them, at the latest
//! when the next search begins. Any other difference clears the cache.

use wayfarer_base::{Cell, ChangeLog, ChangeSet, Column, Rect, Revision, SectorId, Terrain};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, ProfileGround};

use super::bridge_tree::{BridgeTree, ComponentChange};
use super::jump_bitmap::JumpBitmap;
use super::jump_point_graph::{JumpPointGraph, hash_node};
use crate::ground::nav_graph::inflated;

/// With more dirty rectangles than this, the cache is cleared.
const MAX_DIRTY: usize = 1 << 10;

/// Grounds of more sheets than this are large: their scans are fenced.
const LARGE: usize = 1 << 12;

/// Lower bound of the bytes of a bitmap per sheet.
const BITMAP_BYTES_PER_SHEET: usize = 256;

/// Entries of the table of fence hits.
const N_FENCE_RECORDS: usize = 1 << 12;

/// After this many scans from a cell that ended at a fence, one without a fence is worth caching.
const MIN_FENCE_HITS: u32 = 16;

/// Limit of the memory of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheLimit {
    /// This multiple of the bytes of the ground at the time of the first search on it, clamped to
    /// [`CacheLimit::MIN_BYTES`] and [`CacheLimit::MAX_BYTES`].
    GroundMultiple(u16),
    /// Bytes.
    Bytes(usize),
}

impl CacheLimit {
    /// Lower clamp of `GroundMultiple`: 16 MiB. Scattered obstacles have many jump points for few
    /// bytes of ground.
    pub const MIN_BYTES: usize = 16 << 20;
    /// Upper clamp of `GroundMultiple`: 32 MiB.
    pub const MAX_BYTES: usize = 32 << 20;
}

impl Default for CacheLimit {
    fn default() -> Self {
        Self::GroundMultiple(4)
    }
}

/// The cache of one ground.
#[derive(Clone, Debug)]
pub(super) struct CacheState {
    pub(super) graph: JumpPointGraph,
    pub(super) tree: BridgeTree,
    /// Version of the tree: components cached for another one are invalid.
    pub(super) tree_version: u32,
    /// Flat ground as long rows of bits, built after enough scans.
    pub(super) bitmap: JumpBitmap,
    /// Whether a bitmap of the ground can fit into its limit.
    pub(super) may_have_bitmap: bool,
    /// Cells whose scans ended at a fence, with the number of times; a lossy hash table.
    fence_hits: Vec<(u32, u32)>,
    /// Identity of the ground and number of the layer.
    pub(super) source: (u64, u32),
    /// Identity and revision of the ground.
    pub(super) bound_to: (u64, Revision),
    /// Columns around a changed floor where cells and steps may have changed.
    step_columns: u32,
    /// Terrains with a multiplier above 1, as a bit mask.
    costly_terrains: u64,
    /// Whether scans over the ground may be long.
    pub(super) is_large: bool,
    /// Changes that are not flushed yet.
    dirty: Vec<DirtyRect>,
    /// Searches since the cache was cleared.
    pub(super) n_searches: u32,
    limit: CacheLimit,
    /// The limit in bytes, for the current ground.
    pub(super) limit_bytes: usize,
    /// Bytes of it that the caches of other types take.
    pub(super) parked_bytes: usize,
    /// True if no list fits any more, until the cache is cleared.
    pub(super) is_full: bool,
    /// Lists that were not cached since.
    pub(super) n_rejected: usize,
}

/// Changed floors of a sector, or changed walls, nav links or cost modifiers there.
#[derive(Clone, Copy, Debug)]
struct DirtyRect {
    sector: SectorId,
    rect: Rect,
    /// Their height, if all have the same.
    z: Option<i32>,
}

impl DirtyRect {
    /// All floors of a sector.
    fn whole(sector: SectorId) -> Self {
        Self {
            sector,
            rect: sector.rect(),
            z: None,
        }
    }
}

impl CacheState {
    pub(super) fn new(limit: CacheLimit) -> Self {
        Self {
            graph: JumpPointGraph::default(),
            tree: BridgeTree::default(),
            tree_version: 1,
            bitmap: JumpBitmap::default(),
            may_have_bitmap: true,
            fence_hits: Vec::new(),
            source: (0, 0),
            bound_to: (0, Revision::default()),
            step_columns: 0,
            costly_terrains: 0,
            is_large: false,
            dirty: Vec::new(),
            n_searches: 0,
            limit,
            limit_bytes: 0,
            parked_bytes: 0,
            is_full: false,
            n_rejected: 0,
        }
    }

    /// The limit of a searcher's caches.
    pub(super) fn limit(&self) -> CacheLimit {
        self.limit
    }

    /// Binds the cache to the current revision of a ground.
    pub(super) fn bind(&mut self, ground: ProfileGround<'_>) {
        let now = (ground.identity(), ground.revision());
        let source = (ground.identity(), ground.layer_id());
        if self.source != source {
            self.source = source;
            self.bound_to = (0, Revision::default());
            self.step_columns = ground.step_columns();
            self.costly_terrains = ground.costly_terrains();
            self.limit_bytes = match self.limit {
                CacheLimit::GroundMultiple(times) => {
                    let bytes = usize::from(times) * ground.ground().memory_report().total();
                    bytes.clamp(CacheLimit::MIN_BYTES, CacheLimit::MAX_BYTES)
                }
                CacheLimit::Bytes(bytes) => bytes,
            };
            self.is_large = !ground.has_at_most_sheets(LARGE);
            self.may_have_bitmap =
                ground.has_at_most_sheets(self.bitmap_limit() / BITMAP_BYTES_PER_SHEET);
        }
        if self.bound_to != now {
            self.clear();
            self.bound_to = now;
        }
        self.flush(ground);
    }

    /// Applies all change sets of a log since the bound revision.
    pub(super) fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        if self.bound_to.0 == ground.identity()
            && self.bound_to.1 != ground.revision()
            && let Some(sets) = log.since(self.bound_to.1)
        {
            sets.for_each(|set| self.apply_set(ground, set));
        }
    }

    /// Marks the changes of a set dirty, if it leads on from the bound revision.
    pub(super) fn apply_set(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        if self.bound_to != (ground.identity(), set.before) {
            return;
        }
        if self.n_searches == 0 {
            // The cache is empty.
            self.bound_to.1 = set.after;
            return;
        }
        let mut all_floors = true;
        for difference in &set.differences {
            match difference {
                GroundDifference::Floor { .. }
                | GroundDifference::Floors(_)
                | GroundDifference::Solid(_) => {
                    difference.for_each_floor(|cell, before, after| {
                        // Where a cost multiplier comes or goes, sheets nearby may become uniform.
                        let costly = self.costly_terrains;
                        let is_costly = |terrain: Terrain| costly & terrain.bit() != 0;
                        if [before, after].into_iter().flatten().any(is_costly) {
                            self.mark_whole(SectorId::from_column(cell.column()));
                        } else {
                            self.mark_floor(cell);
                        }
                    });
                }
                _ => all_floors = false,
            }
        }
        if !all_floors {
            // Walls, nav links and cost modifiers: any step nearby may have changed.
            for dirty in &set.dirty_sectors {
                self.mark_whole(dirty.sector);
            }
        }
        if self.dirty.len() > MAX_DIRTY {
            self.clear();
        }
        self.bound_to.1 = set.after;
    }

    /// Marks all floors of a sector dirty, and those whose steps they determine.
    fn mark_whole(&mut self, sector: SectorId) {
        let near = inflated(sector.rect(), self.step_columns);
        for sector in sectors_of(near) {
            let last = self.dirty.last();
            if last.is_none_or(|last| last.sector != sector || last.z.is_some()) {
                self.dirty.push(DirtyRect::whole(sector));
            }
        }
    }

    /// Marks a changed floor dirty, and the cells whose steps it determines. Patches come row by
    /// row, so its sector is one of the last few.
    fn mark_floor(&mut self, cell: Cell) {
        let column = Rect::around(cell.column(), cell.column());
        let near = inflated(column, self.step_columns);
        for sector in sectors_of(near) {
            let own = sector.rect();
            let rect = Rect {
                low: Column::new(near.low.x.max(own.low.x), near.low.y.max(own.low.y)),
                high: Column::new(near.high.x.min(own.high.x), near.high.y.min(own.high.y)),
            };
            let mut last = self.dirty.iter_mut().rev().take(16);
            if let Some(known) = last.find(|known| known.sector == sector) {
                known.rect = known.rect.including(rect.low).including(rect.high);
                known.z = known.z.filter(|z| *z == cell.z);
            } else {
                let z = Some(cell.z);
                self.dirty.push(DirtyRect { sector, rect, z });
            }
        }
    }

    /// Invalidates what read a dirty rectangle.
    pub(super) fn flush(&mut self, ground: ProfileGround<'_>) {
        let is_current = self.bound_to == (ground.identity(), ground.revision());
        if self.dirty.is_empty() || !is_current {
            return;
        }
        let has_nav_links = ground.ground().nav_links().next().is_some();
        let mut dirty = std::mem::take(&mut self.dirty);
        for dirty in dirty.drain(..) {
            match self.tree.apply_changes(ground, dirty.sector, dirty.rect) {
                ComponentChange::None => {}
                ComponentChange::Sheet(sheet) => self.graph.invalidate_components_in(sheet),
                ComponentChange::All => self.invalidate_components(),
            }
            let is_level = dirty
                .z
                .is_some_and(|z| ground.is_level_around(dirty.rect.low, z));
            if is_level && !has_nav_links {
                let can_repair = self.bitmap.built().is_some();
                self.graph.invalidate(dirty.rect, can_repair);
                self.bitmap.apply_changes(ground, dirty.sector, dirty.rect);
            } else {
                self.bitmap.invalidate();
                self.invalidate_around(ground, dirty.sector);
            }
        }
        self.dirty = dirty;
    }

    /// Removes the lists near a sector, where steps may have changed, and near the other ends of
    /// its nav links: a nav link exists only with the floors at both ends.
    fn invalidate_around(&mut self, ground: ProfileGround<'_>, center: SectorId) {
        self.tree.invalidate();
        self.invalidate_components();
        self.graph.remove_all_in(neighborhood(center));
        for dy in -1..=1 {
            for dx in -1..=1 {
                let sector =
                    SectorId::new(center.x.saturating_add(dx), center.y.saturating_add(dy));
                for nav_link in ground.ground().nav_links_in(sector) {
                    for end in [nav_link.from, nav_link.to] {
                        let sector = SectorId::from_column(end.column());
                        self.graph.remove_all_in(neighborhood(sector));
                    }
                }
            }
        }
    }

    /// Clears the cache; keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.graph.clear(self.limit_bytes);
        self.dirty.clear();
        self.tree.invalidate();
        self.bitmap.invalidate();
        self.fence_hits.clear();
        (self.is_full, self.n_rejected, self.n_searches) = (false, 0, 0);
    }

    /// Invalidates the bridge components of all jump points.
    pub(super) fn invalidate_components(&mut self) {
        self.tree_version = self.tree_version.wrapping_add(1);
        if self.tree_version == 0 {
            for jump_point in &mut self.graph.jump_points {
                jump_point.tree_version = 0;
            }
            self.tree_version = 1;
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.graph.heap_bytes() + self.tree.heap_bytes() + self.bitmap.heap_bytes()
    }

    /// Limit of the bitmap, in bytes.
    pub(super) fn bitmap_limit(&self) -> usize {
        self.limit_bytes / 4
    }

    /// Limit of the jump point graph, in bytes.
    fn graph_limit(&self) -> usize {
        let others = self.heap_bytes() - self.graph.heap_bytes();
        let limit_bytes = self.limit_bytes.saturating_sub(self.parked_bytes);
        limit_bytes.saturating_sub(others)
    }

    /// Updates `is_full`.
    pub(super) fn check_full(&mut self) {
        if !self.is_full && self.graph.is_full(self.graph_limit()) {
            self.is_full = true;
        }
    }

    /// Clears the cache if it exceeds its limit, or if it rejected as many lists as it holds.
    pub(super) fn enforce_limit(&mut self) {
        let has_rejected_many = self.is_full && self.n_rejected >= self.graph.n_lists();
        let limit_bytes = self.limit_bytes.saturating_sub(self.parked_bytes);
        if has_rejected_many || self.heap_bytes() > limit_bytes {
            self.clear();
            if self.heap_bytes() > limit_bytes {
                self.tree.release();
                self.bitmap.release();
            }
        }
    }

    /// True if scans from a cell ended at fences often.
    pub(super) fn is_often_fenced(&self, node: NodeId) -> bool {
        let known = self.fence_hits.get(hash_node(node, N_FENCE_RECORDS - 1));
        known.is_some_and(|&(known, n_hits)| known == node.index() && n_hits >= MIN_FENCE_HITS)
    }

    /// Records that a scan from a cell ended at the fence.
    pub(super) fn record_fence_hit(&mut self, node: NodeId) {
        self.fence_hits.resize(N_FENCE_RECORDS, (u32::MAX, 0));
        let (known, n_hits) = &mut self.fence_hits[hash_node(node, N_FENCE_RECORDS - 1)];
        *n_hits = if *known == node.index() {
            n_hits.saturating_add(1)
        } else {
            1
        };
        *known = node.index();
    }
}

/// The sectors that a rectangle of columns overlaps.
fn sectors_of(rect: Rect) -> impl Iterator<Item = SectorId> {
    let (low, high) = (
        SectorId::from_column(rect.low),
        SectorId::from_column(rect.high),
    );
    (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| SectorId::new(x, y)))
}

/// The columns of a sector and its eight neighbors.
fn neighborhood(sector: SectorId) -> Rect {
    let origin = sector.origin();
    let low = Column::new(origin.x.saturating_sub(16), origin.y.saturating_sub(16));
    let high = Column::new(origin.x.saturating_add(31), origin.y.saturating_add(31));
    Rect::around(low, high)
}
