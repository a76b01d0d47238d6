//! Spatial index from sectors to the paths whose steps depend on them.
//!
//! Each path has an entry per sector it crosses, with a bit per column that its steps depend on: 32
//! bytes. An edit scans the entries of its sectors and checks only the steps that depend on a
//! changed column. A path knows its entries, so removal takes no search; after a repair only the
//! sectors where the path differs are updated.

use wayfarer_base::collections::{FastMap, SlotMap};
use wayfarer_base::subscription::SubscriptionId;
use wayfarer_base::{ChangeSet, Column, Id, Rect, SectorId, SpatialKey};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::super::GroundPath;
use super::super::area::dirty_columns;
use super::super::nav_graph::NavGraph;
use super::super::path::step_between;
use super::super::status::invalid_at;
use super::InvalidationReport;
use super::runs::{Run, may_depend_on, position_in_sector, rect_masks, runs_of, runs_that_differ};

/// A spatial index of paths kept elsewhere; `T` identifies the owner of each.
#[derive(Clone, Debug)]
pub struct PathIndex<T> {
    paths: SlotMap<IndexedPath<T>>,
    buckets: Vec<Bucket>,
    /// The bucket of a sector.
    bucket_of: FastMap<SpatialKey, u32>,
    /// Empty buckets.
    free: Vec<u32>,
    /// Scratch: the runs of the current path.
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
struct IndexedPath<T> {
    owner: T,
    slots: Vec<EntrySlot>,
    is_invalid: bool,
}

/// Where a path's entry for one sector lies.
#[derive(Clone, Copy, Debug)]
struct EntrySlot {
    sector: SectorId,
    bucket: u32,
    /// Index of the entry in the bucket.
    index: u32,
}

/// The entries of one sector.
#[derive(Clone, Debug, Default)]
struct Bucket {
    entries: Vec<BucketEntry>,
    /// Per entry the columns that the path's steps depend on, row by row.
    rows: Vec<[u16; 16]>,
}

/// A path with steps that depend on one sector.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    id: SubscriptionId,
    /// Index of its slot in the path's slots.
    slot: u32,
}

/// Changed columns of one sector.
#[derive(Clone, Copy, Debug)]
struct Changed {
    sector: SectorId,
    /// A bit per column, row by row.
    rows: [u16; 16],
    /// True if costs may have changed, so that whole legs must be summed up.
    is_weighted: bool,
}

impl<T> Default for PathIndex<T> {
    fn default() -> Self {
        Self {
            paths: SlotMap::default(),
            buckets: Vec::new(),
            bucket_of: FastMap::default(),
            free: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl PathIndex<GroundPath> {
    /// Adds a path that the index owns.
    pub(super) fn insert_owned(&mut self, path: GroundPath) -> SubscriptionId {
        runs_of(&path, &mut self.runs);
        self.insert_runs(path)
    }
}

impl<T> PathIndex<T> {
    /// Adds a path of the ground's present revision.
    pub fn insert(&mut self, owner: T, path: &GroundPath) -> SubscriptionId {
        runs_of(path, &mut self.runs);
        self.insert_runs(owner)
    }

    /// Adds a path with the entries in `runs`.
    fn insert_runs(&mut self, owner: T) -> SubscriptionId {
        let id = self.paths.insert(IndexedPath {
            owner,
            slots: Vec::with_capacity(self.runs.len()),
            is_invalid: false,
        });
        let id = SubscriptionId::from_bits(id.to_bits());
        let mut runs = std::mem::take(&mut self.runs);
        for run in runs.drain(..) {
            self.add_entry(id, run);
        }
        self.runs = runs;
        id
    }

    fn add_entry(&mut self, id: SubscriptionId, run: Run) {
        let Some(path) = self.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        let (sector, key) = (run.sector, SpatialKey::from_sector(run.sector));
        let at = *self.bucket_of.entry(key).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.buckets.push(Bucket::default());
                u32::try_from(self.buckets.len() - 1).expect("fewer than 2^32 sectors")
            })
        });
        let bucket = &mut self.buckets[at as usize];
        let count = |n: usize| u32::try_from(n).expect("fewer than 2^32 entries");
        let slot = count(path.slots.len());
        path.slots.push(EntrySlot {
            sector,
            bucket: at,
            index: count(bucket.entries.len()),
        });
        bucket.entries.push(BucketEntry { id, slot });
        bucket.rows.push(run.rows);
    }

    /// Removes one of a path's entries.
    fn remove_entry(&mut self, id: SubscriptionId, slot: usize) {
        let Some(path) = self.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        let EntrySlot {
            sector,
            bucket: at,
            index,
        } = path.slots.swap_remove(slot);
        // The path's last slot has moved.
        if let Some(moved) = path.slots.get(slot) {
            let entry = &mut self.buckets[moved.bucket as usize].entries[moved.index as usize];
            entry.slot = u32::try_from(slot).expect("fewer than 2^32 slots");
        }
        let bucket = &mut self.buckets[at as usize];
        bucket.entries.swap_remove(index as usize);
        bucket.rows.swap_remove(index as usize);
        // The bucket's last entry has moved.
        if let Some(moved) = bucket.entries.get(index as usize)
            && let Some(other) = self.paths.get_mut(Id::from_bits(moved.id.to_bits()))
        {
            other.slots[moved.slot as usize].index = index;
        }
        if bucket.entries.is_empty() {
            self.bucket_of.remove(&SpatialKey::from_sector(sector));
            self.free.push(at);
        }
    }

    /// Removes a path and returns its owner; `None` if there is no such path.
    pub fn remove(&mut self, id: SubscriptionId) -> Option<T> {
        self.remove_entries(id);
        let path = self.paths.remove(Id::from_bits(id.to_bits()))?;
        Some(path.owner)
    }

    fn remove_entries(&mut self, id: SubscriptionId) {
        let path = self.paths.get(Id::from_bits(id.to_bits()));
        let n_slots = path.map_or(0, |path| path.slots.len());
        for slot in (0..n_slots).rev() {
            self.remove_entry(id, slot);
        }
    }

    /// Replaces `previous`, which is indexed as `id`, by `path` of the ground's present revision.
    /// Takes time linear in what the two do not share, mostly.
    pub fn update(&mut self, id: SubscriptionId, previous: &GroundPath, path: &GroundPath) {
        let mut runs = std::mem::take(&mut self.runs);
        if runs_that_differ(previous, path, &mut runs) {
            for run in &runs {
                self.replace_entry(id, *run);
            }
        } else {
            self.remove_entries(id);
            runs_of(path, &mut runs);
            for run in &runs {
                self.add_entry(id, *run);
            }
        }
        self.runs = runs;
        if let Some(path) = self.paths.get_mut(Id::from_bits(id.to_bits())) {
            path.is_invalid = false;
        }
    }

    /// Adds, replaces or removes a path's entry for one sector.
    fn replace_entry(&mut self, id: SubscriptionId, run: Run) {
        let path = self.paths.get(Id::from_bits(id.to_bits()));
        let slots = path.map_or(&[][..], |path| &path.slots);
        let slot = slots.iter().position(|at| at.sector == run.sector);
        match slot {
            Some(slot) if !run.is_empty() => {
                let EntrySlot { bucket, index, .. } = slots[slot];
                self.buckets[bucket as usize].rows[index as usize] = run.rows;
            }
            Some(slot) => self.remove_entry(id, slot),
            None if !run.is_empty() => self.add_entry(id, run),
            None => {}
        }
    }

    /// The owner of a path.
    pub fn owner(&self, id: SubscriptionId) -> Option<&T> {
        let path = self.paths.get(Id::from_bits(id.to_bits()));
        path.map(|path| &path.owner)
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// True if there is no path.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The paths that the latest edit of `ground` invalidates, except those [marked
    /// invalid](Self::mark_invalid) already; `path_of` maps an owner to its path. Takes time linear
    /// in the changes and in the paths that cross them.
    pub fn find_invalidated<'p>(
        &'p self,
        ground: &Ground,
        set: &ChangeSet<GroundDifference>,
        path_of: impl Fn(&'p T) -> Option<&'p GroundPath>,
    ) -> InvalidationReport {
        let mut report = InvalidationReport::default();
        for change in &changes_of(set) {
            let Some(at) = self.bucket_of.get(&SpatialKey::from_sector(change.sector)) else {
                continue;
            };
            let bucket = &self.buckets[*at as usize];
            report.n_candidates += bucket.entries.len();
            for (entry, rows) in bucket.entries.iter().zip(&bucket.rows) {
                let both = rows.iter().zip(&change.rows).map(|(a, b)| a & b);
                if both.fold(0, |all, row| all | row) == 0 {
                    continue;
                }
                let indexed = self.paths.get(Id::from_bits(entry.id.to_bits()));
                let indexed = indexed.filter(|indexed| !indexed.is_invalid);
                let Some(path) = indexed.and_then(|indexed| path_of(&indexed.owner)) else {
                    continue;
                };
                // A path whose profile is no longer registered is invalid.
                let nav_graph = NavGraph::new(ground, path.profile_id);
                let n_checked = &mut report.n_checked;
                if nav_graph.map_or(true, |it| is_invalidated(it, path, change, n_checked)) {
                    report.invalidated.push(entry.id);
                }
            }
        }
        report.invalidated.sort_unstable();
        report.invalidated.dedup();
        report
    }

    /// Marks paths as invalid, so that they are not reported again.
    pub fn mark_invalid(&mut self, ids: &[SubscriptionId]) {
        for id in ids {
            if let Some(path) = self.paths.get_mut(Id::from_bits(id.to_bits())) {
                path.is_invalid = true;
            }
        }
    }
}

impl Changed {
    /// True if a column of the rectangle has changed.
    fn overlaps(&self, rect: Rect) -> bool {
        match rect_masks(rect, self.sector) {
            Some((rows, columns)) => {
                let mut covered = (0..16).filter(|row| rows >> row & 1 == 1);
                covered.any(|row| self.rows[row] & columns != 0)
            }
            None => false,
        }
    }
}

/// True if a change makes a step of `path` impossible or a leg costlier.
fn is_invalidated(
    nav_graph: NavGraph<'_>,
    path: &GroundPath,
    change: &Changed,
    n_checked: &mut usize,
) -> bool {
    if path.legs.is_empty() {
        return path
            .start()
            .is_some_and(|start| nav_graph.node(start).is_none());
    }
    for (number, leg) in path.legs.iter().enumerate() {
        if !may_depend_on(path, leg, change.sector) {
            continue;
        }
        let mut is_summed_up = !change.is_weighted;
        for step in leg.begin as usize..leg.end as usize {
            if !path.columns_of_step(step).any(|rect| change.overlaps(rect)) {
                continue;
            }
            *n_checked += 1;
            let (from, to) = (path.cells[step], path.cells[step + 1]);
            let nodes = nav_graph.node(from).zip(nav_graph.node(to));
            let now = nodes.and_then(|(a, b)| step_between(nav_graph, (a, from), (b, to)));
            if now.is_none() {
                return true;
            }
            if !is_summed_up {
                *n_checked += (leg.end - leg.begin) as usize;
                if invalid_at(nav_graph, path, number).is_some() {
                    return true;
                }
                is_summed_up = true;
            }
        }
    }
    false
}

/// The columns where steps may have become impossible or costlier, by sector.
fn changes_of(set: &ChangeSet<GroundDifference>) -> Vec<Changed> {
    let mut changed: Vec<Changed> = Vec::new();
    let mut add = |column: Column, is_weighted: bool| {
        let sector = SectorId::from_column(column);
        let known = changed.iter().rposition(|change| change.sector == sector);
        let at = known.unwrap_or_else(|| {
            changed.push(Changed {
                sector,
                rows: [0; 16],
                is_weighted: false,
            });
            changed.len() - 1
        });
        let (row, bit) = position_in_sector(column);
        changed[at].rows[row] |= 1 << bit;
        changed[at].is_weighted |= is_weighted;
    };
    for difference in &set.differences {
        match difference {
            GroundDifference::Floor {
                cell,
                before,
                after,
            } => add(cell.column(), before.is_some() && after.is_some()),
            GroundDifference::Wall { wall, is_present } => {
                // The wall lies between this cell and the next; the steps of both depend on it.
                if *is_present {
                    add(wall.cell.column(), false);
                }
            }
            GroundDifference::NavLink(nav_link) => {
                if nav_link.before.is_some() {
                    add(nav_link.id.from.column(), true);
                }
            }
            GroundDifference::CostModifier(modifier) => {
                if let Some(after) = &modifier.after {
                    dirty_columns(&after.shape, &set.dirty_sectors).for_each(|at| add(at, true));
                }
            }
        }
    }
    changed
}
