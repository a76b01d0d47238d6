//! The geometries of an air and their spatial index.
//!
//! Hierarchical hash grid: a geometry is registered in cells at least as large as itself, in at
//! most eight of them; a box query visits the cells of every size in use.

use wayfarer_base::voxel::morton_3;

use super::geometry::Geometry;
use super::table::Table;
use super::tree::{LocalVoxel, reserve_one};

/// The id of a geometry, chosen by the caller; any number but `u64::MAX`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GeometryId(pub u64);

/// A geometry and its AABB clipped to the bounds of the air.
#[derive(Clone, Debug)]
pub(super) struct PlacedGeometry {
    pub(super) id: GeometryId,
    pub(super) geometry: Geometry,
    /// Lowest and highest voxel, both included; `None` if it lies outside.
    pub(super) bounds: Option<(LocalVoxel, LocalVoxel)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    geometry: u32,
    next: u32,
}

const END: u32 = u32::MAX;
/// Log2 of the side of the smallest cells.
const MIN_SIZE: u32 = 4;
/// Number of cell sizes, up to the largest air.
const N_SIZES: usize = 14;

/// All geometries by id, with a spatial index.
#[derive(Clone, Debug, Default)]
pub(super) struct Geometries {
    index_by_id: Table,
    slots: Vec<Option<PlacedGeometry>>,
    free_slots: Vec<u32>,
    cells: Table,
    entries: Vec<Entry>,
    free_entries: Vec<u32>,
    /// Geometries registered per cell size.
    n_per_size: [u32; N_SIZES],
}

impl Geometries {
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free_slots.len()
    }

    fn slot(&self, id: GeometryId) -> Option<u32> {
        // The table's reserved key is not a valid id.
        (id.0 != u64::MAX).then(|| self.index_by_id.get(id.0))?
    }

    pub(super) fn get(&self, id: GeometryId) -> Option<&PlacedGeometry> {
        self.slots[self.slot(id)? as usize].as_ref()
    }

    /// Inserts a geometry whose id must be unused.
    pub(super) fn insert(&mut self, placed: PlacedGeometry) {
        let index = self.free_slots.pop().unwrap_or_else(|| {
            reserve_one(&mut self.slots);
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 geometries fit memory")
        });
        self.index_by_id.put(placed.id.0, index);
        if let Some((low, high)) = placed.bounds {
            let size = size_for(low, high);
            self.n_per_size[size] += 1;
            for cell in cells(size, low, high) {
                let next = self.cells.get(cell).unwrap_or(END);
                let entry = Entry {
                    geometry: index,
                    next,
                };
                let at = self.add_entry(entry);
                self.cells.put(cell, at);
            }
        }
        self.slots[index as usize] = Some(placed);
    }

    fn add_entry(&mut self, entry: Entry) -> u32 {
        if let Some(at) = self.free_entries.pop() {
            self.entries[at as usize] = entry;
            return at;
        }
        reserve_one(&mut self.entries);
        self.entries.push(entry);
        u32::try_from(self.entries.len() - 1).expect("at most eight entries for each geometry")
    }

    pub(super) fn remove(&mut self, id: GeometryId) -> Option<PlacedGeometry> {
        let index = self.slot(id)?;
        let placed = self.slots[index as usize].take()?;
        self.index_by_id.remove(id.0);
        reserve_one(&mut self.free_slots);
        self.free_slots.push(index);
        if let Some((low, high)) = placed.bounds {
            let size = size_for(low, high);
            self.n_per_size[size] -= 1;
            for cell in cells(size, low, high) {
                self.unlink(cell, index);
            }
        }
        Some(placed)
    }

    fn unlink(&mut self, cell: u64, index: u32) {
        let mut previous = END;
        let mut at = self.cells.get(cell).unwrap_or(END);
        while at != END && self.entries[at as usize].geometry != index {
            previous = at;
            at = self.entries[at as usize].next;
        }
        if at == END {
            return;
        }
        let next = self.entries[at as usize].next;
        match (previous, next) {
            (END, END) => self.cells.remove(cell),
            (END, next) => self.cells.put(cell, next),
            (previous, next) => self.entries[previous as usize].next = next,
        }
        reserve_one(&mut self.free_entries);
        self.free_entries.push(at);
    }

    /// The slots of geometries whose AABB overlaps the box from `low` to `high`, ascending, each
    /// once.
    pub(super) fn query_aabb(&self, low: LocalVoxel, high: LocalVoxel, into: &mut Vec<u32>) {
        into.clear();
        let is_in_use = |size: &usize| self.n_per_size[*size] > 0;
        let n_cells = (0..N_SIZES)
            .filter(is_in_use)
            .map(|size| n_cells(size, low, high));
        let n_cells = n_cells.fold(0, u64::saturating_add);
        if n_cells > self.slots.len() as u64 {
            // A box with more cells than there are geometries.
            for index in 0..u32::try_from(self.slots.len()).unwrap_or(END) {
                self.add_if_met(index, (low, high), into);
            }
            return;
        }
        for size in (0..N_SIZES).filter(is_in_use) {
            for cell in cells(size, low, high) {
                let mut at = self.cells.get(cell).unwrap_or(END);
                while at != END {
                    let Entry { geometry, next } = self.entries[at as usize];
                    self.add_if_met(geometry, (low, high), into);
                    at = next;
                }
            }
        }
        into.sort_unstable();
        into.dedup();
    }

    /// Adds a slot if its geometry's AABB overlaps the box.
    fn add_if_met(&self, index: u32, (low, high): (LocalVoxel, LocalVoxel), into: &mut Vec<u32>) {
        let placed = self.slots[index as usize].as_ref();
        let meets = |(from, to): (LocalVoxel, LocalVoxel)| {
            (0..3).all(|axis| from[axis] <= high[axis] && low[axis] <= to[axis])
        };
        if placed.and_then(|placed| placed.bounds).is_some_and(meets) {
            reserve_one(into);
            into.push(index);
        }
    }

    /// The geometry in a slot returned by [`Geometries::query_aabb`].
    pub(super) fn at(&self, index: u32) -> &PlacedGeometry {
        let placed = self.slots[index as usize].as_ref();
        placed.expect("the slot is in use")
    }

    /// All geometries, by ascending id.
    pub(super) fn sorted(&self) -> Vec<&PlacedGeometry> {
        let mut all: Vec<&PlacedGeometry> = self.slots.iter().flatten().collect();
        all.sort_unstable_by_key(|placed| placed.id);
        all
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.index_by_id.heap_bytes()
            + self.cells.heap_bytes()
            + self.slots.capacity() * size_of::<Option<PlacedGeometry>>()
            + self.entries.capacity() * size_of::<Entry>()
            + (self.free_slots.capacity() + self.free_entries.capacity()) * size_of::<u32>()
    }
}

fn size_for(low: LocalVoxel, high: LocalVoxel) -> usize {
    let side = (0..3).map(|axis| high[axis] - low[axis] + 1).max();
    let power = side.unwrap_or(1).next_power_of_two().trailing_zeros();
    (power.max(MIN_SIZE) - MIN_SIZE) as usize
}

/// The number of [`cells`].
fn n_cells(size: usize, low: LocalVoxel, high: LocalVoxel) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "there are 14 sizes")]
    let shift = size as u32 + MIN_SIZE;
    let along = |axis: usize| u64::from((high[axis] >> shift) - (low[axis] >> shift) + 1);
    along(0) * along(1) * along(2)
}

fn cells(size: usize, low: LocalVoxel, high: LocalVoxel) -> impl Iterator<Item = u64> {
    #[expect(clippy::cast_possible_truncation, reason = "there are 14 sizes")]
    let (shift, tag) = (size as u32 + MIN_SIZE, (size as u64) << 58);
    let range = move |axis: usize| low[axis] >> shift..=high[axis] >> shift;
    range(2).flat_map(move |z| {
        range(1).flat_map(move |y| range(0).map(move |x| morton_3(x, y, z) | tag))
    })
}
