//! The way among regions: for worlds where a search would spread behind every wall.
//!
//! A region is what is connected in a cube of 16 x 16 x 16 voxels, or a larger free cube. What
//! regions touch is known without a look at voxels, so a way among them is found first, and then
//! the nodes of the octree are searched only within the regions that it leads through.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cost, Voxel};
use wayfarer_world::air::{Air, AirRegionId};

use super::path::distance;
use crate::kernel::{Entry, OpenList, QuaternaryHeap, StopReason};

/// The layer of the regions: 16 voxels a side.
const LAYER: u8 = 2;

#[derive(Clone, Copy, Debug)]
struct Known {
    region: AirRegionId,
    parent: u32,
    cost: u32,
    center: Voxel,
    is_closed: bool,
    is_on_path: bool,
}

/// A search among regions in the making, and afterwards the regions of the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Corridor {
    known: Vec<Known>,
    by_id: FastMap<AirRegionId, u32>,
    open: QuaternaryHeap,
    goal: Option<(AirRegionId, Voxel)>,
    pub(super) n_expansions: u64,
}

impl Corridor {
    /// Begins anew between two free voxels of one component.
    pub(super) fn begin(&mut self, air: &Air, (start, goal): (Voxel, Voxel)) {
        self.known.clear();
        self.by_id.clear();
        self.open.clear(0, 0);
        self.n_expansions = 0;
        self.goal = air.region(goal, LAYER).map(|region| (region, goal));
        if let Some(region) = air.region(start, LAYER) {
            self.offer(air, region, u32::MAX, Some(start));
        }
    }

    /// Goes on until the goal's region is reached or `limit` regions were expanded in all.
    pub(super) fn advance(&mut self, air: &Air, limit: u64) -> StopReason {
        loop {
            if self.n_expansions >= limit {
                return StopReason::OutOfBudget;
            }
            let Some(entry) = self.open.pop() else {
                return StopReason::Exhausted;
            };
            let number = entry.node();
            let known = &mut self.known[number as usize];
            if known.is_closed || known.cost != entry.g() {
                continue;
            }
            if self.goal.is_some_and(|(goal, _)| goal == known.region) {
                self.mark(number);
                return StopReason::Goal(number);
            }
            known.is_closed = true;
            self.n_expansions += 1;
            let region = known.region;
            air.for_each_region_neighbor(region, LAYER, |_, other| {
                self.offer(air, other, number, None);
            });
        }
    }

    fn offer(&mut self, air: &Air, region: AirRegionId, parent: u32, at: Option<Voxel>) {
        let number = self.by_id.get(&region).copied();
        if number.is_some_and(|number| self.known[number as usize].is_closed) {
            return;
        }
        let center = at.unwrap_or_else(|| {
            let (low, side) = air.region_cube(region);
            let half = (side / 2).cast_signed();
            Voxel::new(low.x + half, low.y + half, low.z + half)
        });
        let cost = self.known.get(parent as usize).map_or(0, |before| {
            let step = Cost::from_cells(distance(before.center, center));
            before.cost.saturating_add(step.units())
        });
        let new = Known {
            region,
            parent,
            cost,
            center,
            is_closed: false,
            is_on_path: false,
        };
        let number = match number {
            Some(number) if self.known[number as usize].cost <= cost => return,
            Some(number) => {
                self.known[number as usize] = new;
                number
            }
            None => {
                let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
                self.known.push(new);
                self.by_id.insert(region, number);
                number
            }
        };
        let rest = self.goal.map_or(0.0, |(_, goal)| distance(center, goal));
        let total = cost.saturating_add(Cost::from_cells(rest).units());
        self.open.push(Entry::new(total, cost, number));
    }

    /// Marks the regions of the way that ends with `last`.
    fn mark(&mut self, last: u32) {
        let mut number = last;
        while let Some(known) = self.known.get_mut(number as usize) {
            known.is_on_path = true;
            number = known.parent;
        }
    }

    /// True if a free voxel lies in a region of the way.
    pub(super) fn contains(&self, air: &Air, at: Voxel) -> bool {
        let region = air.region(at, LAYER);
        let number = region.and_then(|region| self.by_id.get(&region));
        number.is_some_and(|number| self.known[*number as usize].is_on_path)
    }

    /// Bytes on the heap, the table of regions estimated.
    pub(super) fn heap_bytes(&self) -> usize {
        self.known.capacity() * size_of::<Known>()
            + self.by_id.capacity() * (size_of::<(AirRegionId, u32)>() + 1)
            + self.open.heap_bytes()
    }
}
