//! A* over the regions of the air, which yields a corridor for the octree search.
//!
//! A region is a connected component of free voxels in a cube of 16 x 16 x 16 voxels, or a larger
//! free cube. The air stores their adjacency, so this search reads no voxels. It bounds the octree
//! search in worlds where the heuristic leads into many dead ends. Ties: lowest f, then highest g,
//! then the region generated first.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cost, Voxel};
use wayfarer_world::air::{Air, AirRegionId};

use super::path::distance;
use crate::kernel::{Entry, QuaternaryHeap, StopReason};

/// The layer of the regions: 16 voxels a side.
const LAYER: u8 = 2;

#[derive(Clone, Copy, Debug)]
struct Record {
    region: AirRegionId,
    parent: u32,
    g: u32,
    center: Voxel,
    is_closed: bool,
    is_on_path: bool,
}

/// A search over regions, then the regions of its path.
#[derive(Clone, Debug, Default)]
pub(super) struct Corridor {
    records: Vec<Record>,
    by_id: FastMap<AirRegionId, u32>,
    open: QuaternaryHeap,
    goal: Option<(AirRegionId, Voxel)>,
    pub(super) n_expansions: u64,
}

impl Corridor {
    /// Starts a search between two free voxels of one component.
    pub(super) fn begin(&mut self, air: &Air, (start, goal): (Voxel, Voxel)) {
        self.records.clear();
        self.by_id.clear();
        self.open.clear();
        self.n_expansions = 0;
        self.goal = air.region(goal, LAYER).map(|region| (region, goal));
        if let Some(region) = air.region(start, LAYER) {
            self.generate(air, region, u32::MAX, Some(start));
        }
    }

    /// Runs until the goal's region is reached or `limit` regions are expanded in all.
    pub(super) fn advance(&mut self, air: &Air, limit: u64) -> StopReason {
        loop {
            if self.n_expansions >= limit {
                return StopReason::OutOfBudget;
            }
            let Some(entry) = self.open.pop() else {
                return StopReason::Exhausted;
            };
            let number = entry.node();
            let record = &mut self.records[number as usize];
            if record.is_closed || record.g != entry.g() {
                continue;
            }
            if self.goal.is_some_and(|(goal, _)| goal == record.region) {
                self.mark_path(number);
                return StopReason::Goal(number);
            }
            record.is_closed = true;
            self.n_expansions += 1;
            let region = record.region;
            air.for_each_region_neighbor(region, LAYER, |_, other| {
                self.generate(air, other, number, None);
            });
        }
    }

    fn generate(&mut self, air: &Air, region: AirRegionId, parent: u32, at: Option<Voxel>) {
        let number = self.by_id.get(&region).copied();
        if number.is_some_and(|number| self.records[number as usize].is_closed) {
            return;
        }
        let center = at.unwrap_or_else(|| {
            let (low, side) = air.region_cube(region);
            let half = (side / 2).cast_signed();
            Voxel::new(low.x + half, low.y + half, low.z + half)
        });
        let g = self.records.get(parent as usize).map_or(0, |parent| {
            let step = Cost::from_cells(distance(parent.center, center));
            parent.g.saturating_add(step.units())
        });
        let new = Record {
            region,
            parent,
            g,
            center,
            is_closed: false,
            is_on_path: false,
        };
        let number = match number {
            Some(number) if self.records[number as usize].g <= g => return,
            Some(number) => {
                self.records[number as usize] = new;
                number
            }
            None => {
                let number = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
                self.records.push(new);
                self.by_id.insert(region, number);
                number
            }
        };
        let h = self.goal.map_or(0.0, |(_, goal)| distance(center, goal));
        let f = g.saturating_add(Cost::from_cells(h).units());
        self.open.push(Entry::new(f, g, number));
    }

    fn mark_path(&mut self, last: u32) {
        let mut number = last;
        while let Some(record) = self.records.get_mut(number as usize) {
            record.is_on_path = true;
            number = record.parent;
        }
    }

    /// True if a free voxel lies in a region of the path.
    pub(super) fn contains(&self, air: &Air, at: Voxel) -> bool {
        let region = air.region(at, LAYER);
        let number = region.and_then(|region| self.by_id.get(&region));
        number.is_some_and(|number| self.records[*number as usize].is_on_path)
    }

    /// Bytes on the heap; those of the hash table are estimated.
    pub(super) fn heap_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.by_id.capacity() * (size_of::<(AirRegionId, u32)>() + 1)
            + self.open.heap_bytes()
    }
}
