//! The named things in the air, and which of them lie near a place.
//!
//! A thing is filed in cells as large as itself or larger, so that it lies in eight at most; who
//! looks for things in a box goes through the cells of every size in use.

use wayfarer_base::voxel::morton_3;

use super::geometry::Geometry;
use super::table::Table;
use super::tree::{At, grow};

/// The name of a thing in the air, chosen by the user; any number but `u64::MAX`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GeometryId(pub u64);

/// A thing and the voxels inside the bounds of the air that it may make solid.
#[derive(Clone, Debug)]
pub(super) struct PlacedGeometry {
    pub(super) name: GeometryId,
    pub(super) geometry: Geometry,
    /// Lowest and highest voxel, both included; `None` if it lies outside.
    pub(super) reach: Option<(At, At)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    body: u32,
    next: u32,
}

const END: u32 = u32::MAX;
/// Side of the smallest cells as a power of two.
const MIN_SIZE: u32 = 4;
/// Sizes of cells: up to the largest air.
const N_SIZES: usize = 14;

/// All named things.
#[derive(Clone, Debug, Default)]
pub(super) struct Geometries {
    names: Table,
    slots: Vec<Option<PlacedGeometry>>,
    free: Vec<u32>,
    cells: Table,
    entries: Vec<Entry>,
    free_entries: Vec<u32>,
    /// How many things are filed under each size of cell.
    in_use: [u32; N_SIZES],
}

impl Geometries {
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    fn place(&self, name: GeometryId) -> Option<u32> {
        // Tables do not hold the one key that is not allowed as a name.
        (name.0 != u64::MAX).then(|| self.names.get(name.0))?
    }

    pub(super) fn get(&self, name: GeometryId) -> Option<&PlacedGeometry> {
        self.slots[self.place(name)? as usize].as_ref()
    }

    /// Adds a thing; nothing with its name may be there.
    pub(super) fn insert(&mut self, body: PlacedGeometry) {
        let index = self.free.pop().unwrap_or_else(|| {
            grow(&mut self.slots);
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 things fit memory")
        });
        self.names.put(body.name.0, index);
        if let Some((low, high)) = body.reach {
            let size = size_for(low, high);
            self.in_use[size] += 1;
            for cell in cells(size, low, high) {
                let next = self.cells.get(cell).unwrap_or(END);
                let entry = Entry { body: index, next };
                let at = self.add_entry(entry);
                self.cells.put(cell, at);
            }
        }
        self.slots[index as usize] = Some(body);
    }

    fn add_entry(&mut self, entry: Entry) -> u32 {
        if let Some(at) = self.free_entries.pop() {
            self.entries[at as usize] = entry;
            return at;
        }
        grow(&mut self.entries);
        self.entries.push(entry);
        u32::try_from(self.entries.len() - 1).expect("eight entries for each thing")
    }

    pub(super) fn remove(&mut self, name: GeometryId) -> Option<PlacedGeometry> {
        let index = self.place(name)?;
        let body = self.slots[index as usize].take()?;
        self.names.remove(name.0);
        grow(&mut self.free);
        self.free.push(index);
        if let Some((low, high)) = body.reach {
            let size = size_for(low, high);
            self.in_use[size] -= 1;
            for cell in cells(size, low, high) {
                self.unfile(cell, index);
            }
        }
        Some(body)
    }

    fn unfile(&mut self, cell: u64, index: u32) {
        let mut before = END;
        let mut at = self.cells.get(cell).unwrap_or(END);
        while at != END && self.entries[at as usize].body != index {
            before = at;
            at = self.entries[at as usize].next;
        }
        if at == END {
            return;
        }
        let next = self.entries[at as usize].next;
        match (before, next) {
            (END, END) => self.cells.remove(cell),
            (END, next) => self.cells.put(cell, next),
            (before, next) => self.entries[before as usize].next = next,
        }
        grow(&mut self.free_entries);
        self.free_entries.push(at);
    }

    /// The things whose box meets the box from `low` to `high`, each once, in no useful order.
    pub(super) fn near(&self, low: At, high: At, into: &mut Vec<u32>) {
        into.clear();
        for size in (0..N_SIZES).filter(|&size| self.in_use[size] > 0) {
            for cell in cells(size, low, high) {
                let mut at = self.cells.get(cell).unwrap_or(END);
                while at != END {
                    let Entry { body: object, next } = self.entries[at as usize];
                    let reach = self.slots[object as usize].as_ref().and_then(|o| o.reach);
                    let meets = |(from, to): (At, At)| {
                        (0..3).all(|axis| from[axis] <= high[axis] && low[axis] <= to[axis])
                    };
                    if reach.is_some_and(meets) {
                        grow(into);
                        into.push(object);
                    }
                    at = next;
                }
            }
        }
        into.sort_unstable();
        into.dedup();
    }

    /// The thing that [`Geometries::near`] numbered.
    pub(super) fn at(&self, index: u32) -> &PlacedGeometry {
        let body = self.slots[index as usize].as_ref();
        body.expect("numbers come from what is filed")
    }

    /// All things, in the order of their names.
    pub(super) fn sorted(&self) -> Vec<&PlacedGeometry> {
        let mut all: Vec<&PlacedGeometry> = self.slots.iter().flatten().collect();
        all.sort_unstable_by_key(|body| body.name);
        all
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.names.heap_bytes()
            + self.cells.heap_bytes()
            + self.slots.capacity() * size_of::<Option<PlacedGeometry>>()
            + self.entries.capacity() * size_of::<Entry>()
            + (self.free.capacity() + self.free_entries.capacity()) * size_of::<u32>()
    }
}

fn size_for(low: At, high: At) -> usize {
    let side = (0..3).map(|axis| high[axis] - low[axis] + 1).max();
    let power = side.unwrap_or(1).next_power_of_two().trailing_zeros();
    (power.max(MIN_SIZE) - MIN_SIZE) as usize
}

fn cells(size: usize, low: At, high: At) -> impl Iterator<Item = u64> {
    #[expect(clippy::cast_possible_truncation, reason = "there are 14 sizes")]
    let (shift, tag) = (size as u32 + MIN_SIZE, (size as u64) << 58);
    let range = move |axis: usize| low[axis] >> shift..=high[axis] >> shift;
    range(2).flat_map(move |z| {
        range(1).flat_map(move |y| range(0).map(move |x| morton_3(x, y, z) | tag))
    })
}
