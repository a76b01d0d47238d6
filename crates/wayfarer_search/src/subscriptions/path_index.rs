//! Spatial index from sectors to the paths whose steps depend on them.
//!
//! Each path has an entry per sector it crosses, with a mask of what it depends on there. An edit
//! scans the entries of its sectors and checks only the paths whose mask it touches. A path knows
//! its entries, so removal takes no search; after a repair only the sectors where the path differs
//! are updated.

use wayfarer_base::collections::{OrderedMap, SlotMap};
use wayfarer_base::subscription::{Subscription, SubscriptionId};

use super::{InvalidationReport, Run, Subscribable};

/// Subscribed paths of one world, indexed by sector; `T` is the path itself or says where it is.
///
/// ```
/// use wayfarer_base::{Cell, GroundEdit, Raster};
/// use wayfarer_search::ground::{GroundPath, GroundRequest, PathSearcher};
/// use wayfarer_search::subscriptions::PathIndex;
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
/// let mut paths: PathIndex<GroundPath> = PathIndex::default();
/// for y in 0..2 {
///     let request = GroundRequest::new(Cell::flat(0, y), Cell::flat(2, y));
///     let path = PathSearcher::default().find(&ground, &request)?.found().unwrap();
///     paths.insert(path.clone(), &ground, &path);
/// }
/// let changes = ground.apply(&[GroundEdit::RemoveCell { cell: Cell::flat(1, 1) }])?;
/// let report = paths.find_invalidated(&ground, &changes.changes, Some);
/// assert_eq!(report.invalidated.len(), 1); // the southern one
/// let path = paths.owner(report.invalidated[0]).unwrap();
/// assert_eq!(path.start(), Some(Cell::flat(0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathIndex<P: Subscribable, T = P> {
    paths: SlotMap<IndexedPath<P::Sector, T>, Subscription>,
    buckets: Vec<Bucket<P::Mask>>,
    /// The bucket of a sector.
    bucket_of: OrderedMap<P::Sector, u32>,
    /// Empty buckets.
    free: Vec<u32>,
    /// Scratch: the runs of the current path.
    runs: Vec<Run<P::Sector, P::Mask>>,
}

#[derive(Clone, Debug)]
struct IndexedPath<S, T> {
    owner: T,
    slots: Vec<EntrySlot<S>>,
    is_invalid: bool,
}

/// Where a path's entry for one sector lies.
#[derive(Clone, Copy, Debug)]
struct EntrySlot<S> {
    sector: S,
    bucket: u32,
    /// Index of the entry in the bucket.
    index: u32,
}

/// The entries of one sector.
#[derive(Clone, Debug)]
struct Bucket<M> {
    entries: Vec<BucketEntry>,
    /// Per entry what the path depends on.
    masks: Vec<M>,
}

/// A path with steps that depend on one sector.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    id: SubscriptionId,
    /// Index of its slot in the path's slots.
    slot: u32,
}

impl<P: Subscribable, T> Default for PathIndex<P, T> {
    fn default() -> Self {
        Self {
            paths: SlotMap::default(),
            buckets: Vec::new(),
            bucket_of: OrderedMap::default(),
            free: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl<P: Subscribable, T> PathIndex<P, T> {
    /// Adds a path of the world's present revision.
    pub fn insert(&mut self, owner: T, world: &P::World, path: &P) -> SubscriptionId {
        path.write_runs(world, &mut self.runs);
        let id = self.paths.insert(IndexedPath {
            owner,
            slots: Vec::with_capacity(self.runs.len()),
            is_invalid: false,
        });
        self.add_entries(id);
        id
    }

    /// Adds the entries in `runs`.
    fn add_entries(&mut self, id: SubscriptionId) {
        let mut runs = std::mem::take(&mut self.runs);
        for run in runs.drain(..) {
            self.add_entry(id, run);
        }
        self.runs = runs;
    }

    fn add_entry(&mut self, id: SubscriptionId, Run { sector, mask }: Run<P::Sector, P::Mask>) {
        let Some(path) = self.paths.get_mut(id) else {
            return;
        };
        let at = *self.bucket_of.entry(sector).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                let (entries, masks) = (Vec::new(), Vec::new());
                self.buckets.push(Bucket { entries, masks });
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
        bucket.masks.push(mask);
    }

    /// Removes one of a path's entries.
    fn remove_entry(&mut self, id: SubscriptionId, slot: usize) {
        let Some(path) = self.paths.get_mut(id) else {
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
        bucket.masks.swap_remove(index as usize);
        // The bucket's last entry has moved.
        if let Some(moved) = bucket.entries.get(index as usize)
            && let Some(other) = self.paths.get_mut(moved.id)
        {
            other.slots[moved.slot as usize].index = index;
        }
        if bucket.entries.is_empty() {
            self.bucket_of.remove(&sector);
            self.free.push(at);
        }
    }

    /// Removes a path and returns its owner; `None` if there is no such path.
    pub fn remove(&mut self, id: SubscriptionId) -> Option<T> {
        self.remove_entries(id);
        Some(self.paths.remove(id)?.owner)
    }

    fn remove_entries(&mut self, id: SubscriptionId) {
        let n_slots = self.paths.get(id).map_or(0, |path| path.slots.len());
        for slot in (0..n_slots).rev() {
            self.remove_entry(id, slot);
        }
    }

    /// Replaces `previous`, which is indexed as `id`, by `path` of the world's present revision.
    /// Takes time linear in what the two do not share, mostly.
    pub fn update(&mut self, id: SubscriptionId, world: &P::World, previous: &P, path: &P) {
        let mut runs = std::mem::take(&mut self.runs);
        if path.write_differing_runs(previous, &mut runs) {
            for run in runs.drain(..) {
                self.replace_entry(id, run);
            }
            self.runs = runs;
        } else {
            self.runs = runs;
            self.remove_entries(id);
            path.write_runs(world, &mut self.runs);
            self.add_entries(id);
        }
        if let Some(path) = self.paths.get_mut(id) {
            path.is_invalid = false;
        }
    }

    /// Adds, replaces or removes a path's entry for one sector.
    fn replace_entry(&mut self, id: SubscriptionId, run: Run<P::Sector, P::Mask>) {
        let path = self.paths.get(id);
        let slots = path.map_or(&[][..], |path| &path.slots);
        let slot = slots.iter().position(|at| at.sector == run.sector);
        match (slot, P::is_empty(&run.mask)) {
            (Some(slot), false) => {
                let EntrySlot { bucket, index, .. } = slots[slot];
                self.buckets[bucket as usize].masks[index as usize] = run.mask;
            }
            (Some(slot), true) => self.remove_entry(id, slot),
            (None, false) => self.add_entry(id, run),
            (None, true) => {}
        }
    }

    /// The owner of a path.
    pub fn owner(&self, id: SubscriptionId) -> Option<&T> {
        self.paths.get(id).map(|path| &path.owner)
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// True if there is no path.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The paths that the latest edit of `world` invalidates, except those [marked
    /// invalid](Self::mark_invalid) already; `path_of` maps an owner to its path. Takes time linear
    /// in the changes and in the paths that cross them.
    pub fn find_invalidated<'p>(
        &'p self,
        world: &P::World,
        set: &P::Changes,
        path_of: impl Fn(&'p T) -> Option<&'p P>,
    ) -> InvalidationReport {
        let mut report = InvalidationReport::default();
        if self.paths.is_empty() {
            return report;
        }
        let changes = P::changes(world, set);
        let mut candidates: Vec<(SubscriptionId, usize)> = Vec::new();
        for (number, (sectors, change)) in changes.iter().enumerate() {
            let Some(sectors) = sectors else {
                candidates.extend(self.paths.iter().map(|(id, _)| (id, number)));
                continue;
            };
            for (_, at) in self.bucket_of.range(sectors.clone()) {
                let Bucket { entries, masks } = &self.buckets[*at as usize];
                report.n_candidates += entries.len();
                let both = entries.iter().zip(masks);
                let touched = both.filter(|(_, mask)| P::depends_on(mask, change));
                candidates.extend(touched.map(|(entry, _)| (entry.id, number)));
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut near = Vec::new();
        for same in candidates.chunk_by(|(a, _), (b, _)| a == b) {
            let id = same[0].0;
            let indexed = self.paths.get(id).filter(|indexed| !indexed.is_invalid);
            let Some(path) = indexed.and_then(|indexed| path_of(&indexed.owner)) else {
                continue;
            };
            near.clear();
            near.extend(same.iter().map(|(_, number)| changes[*number].1));
            if path.is_invalidated(world, &near, &mut report.n_checked) {
                report.invalidated.push(id);
            }
        }
        report
    }

    /// Marks paths as invalid, so that they are not reported again.
    pub fn mark_invalid(&mut self, ids: &[SubscriptionId]) {
        for id in ids {
            if let Some(path) = self.paths.get_mut(*id) {
                path.is_invalid = true;
            }
        }
    }
}
