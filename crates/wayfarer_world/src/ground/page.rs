//! Pages: the sheets of one rank in 8 x 8 sectors; and the hash table that finds them.

#![expect(
    clippy::cast_possible_truncation,
    reason = "coordinates are cut down to their lowest bits"
)]

use wayfarer_base::{Column, SectorId};

use super::sheet::Sheet;

/// No page, sheet or group.
pub(crate) const NONE: u32 = u32::MAX;
/// No sheet in a page's table.
const EMPTY: u8 = u8::MAX;

/// Coordinates of a page, in pages of 128 x 128 columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PageKey {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl PageKey {
    #[inline]
    pub(crate) const fn from_sector(sector: SectorId) -> Self {
        Self {
            x: sector.x >> 3,
            y: sector.y >> 3,
        }
    }

    /// The sector at `position` of the page.
    #[inline]
    pub(crate) const fn sector(self, position: u8) -> SectorId {
        SectorId::new(
            (self.x << 3) + (position & 7) as i32,
            (self.y << 3) + (position >> 3) as i32,
        )
    }
}

/// The position of a sector in its page: 8 y + x.
#[inline]
pub(crate) const fn position_of(sector: SectorId) -> u8 {
    ((sector.y & 7) << 3 | (sector.x & 7)).cast_unsigned() as u8
}

/// The index of a column in its sector: 16 y + x.
#[inline]
pub(crate) const fn local_of(column: Column) -> u8 {
    ((column.y & 15) << 4 | (column.x & 15)).cast_unsigned() as u8
}

/// The sheets of one rank of 8 x 8 sectors.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) key: PageKey,
    /// Floors below each of its floors in the same column.
    pub(crate) rank: u8,
    /// The page of the next rank, or `NONE`.
    pub(crate) above: u32,
    /// Pages of the same rank around it, clockwise from north, or `NONE`.
    pub(crate) neighbors: [u32; 8],
    /// For each position the index of its sheet.
    table: [u8; 64],
    /// In no particular order.
    pub(crate) sheets: Vec<Sheet>,
}

impl Page {
    pub(crate) fn new(key: PageKey, rank: u8) -> Self {
        Self {
            key,
            rank,
            above: NONE,
            neighbors: [NONE; 8],
            table: [EMPTY; 64],
            sheets: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn sheet(&self, position: u8) -> Option<&Sheet> {
        self.sheets
            .get(usize::from(self.table[usize::from(position & 63)]))
    }

    #[inline]
    pub(crate) fn sheet_mut(&mut self, position: u8) -> Option<&mut Sheet> {
        self.sheets
            .get_mut(usize::from(self.table[usize::from(position & 63)]))
    }

    /// Adds a sheet at a free position.
    pub(crate) fn add(&mut self, sheet: Sheet) -> &mut Sheet {
        let slot = &mut self.table[usize::from(sheet.position)];
        debug_assert_eq!(*slot, EMPTY, "one sheet per position");
        *slot = u8::try_from(self.sheets.len()).expect("at most 64 sheets");
        if self.sheets.len() == self.sheets.capacity() {
            // Pages are many and small: no doubling.
            self.sheets.reserve_exact((self.sheets.len() / 8).max(1));
        }
        self.sheets.push(sheet);
        self.sheets.last_mut().expect("one was just added")
    }

    /// Removes the sheet at a position.
    pub(crate) fn remove(&mut self, position: u8) {
        let index = std::mem::replace(&mut self.table[usize::from(position)], EMPTY);
        self.sheets.swap_remove(usize::from(index));
        if let Some(moved) = self.sheets.get(usize::from(index)) {
            self.table[usize::from(moved.position)] = index;
        }
    }
}

/// Hash map from coordinates to numbers: open addressing, linear probing, backward-shift deletion.
///
/// Never iterated, so its order affects no result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    slots: Vec<Slot>,
    n_used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    x: i32,
    y: i32,
    value: u32,
}

impl Directory {
    #[inline]
    fn start(&self, x: i32, y: i32) -> usize {
        let word = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
        let mixed = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize & (self.slots.len() - 1)
    }

    /// The number at (x, y).
    #[inline]
    pub(crate) fn find(&self, x: i32, y: i32) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.start(x, y);
        loop {
            let slot = &self.slots[at];
            if slot.value == NONE {
                return None;
            }
            if slot.x == x && slot.y == y {
                return Some(slot.value);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Inserts a number at (x, y), where there is none yet.
    pub(crate) fn insert(&mut self, x: i32, y: i32, value: u32) {
        if (self.n_used + 1) * 4 > self.slots.len() * 3 {
            let free = Slot {
                x: 0,
                y: 0,
                value: NONE,
            };
            let grown = (self.slots.len() * 2).max(4);
            let old = std::mem::replace(&mut self.slots, vec![free; grown]);
            self.n_used = 0;
            for slot in old.into_iter().filter(|slot| slot.value != NONE) {
                self.insert(slot.x, slot.y, slot.value);
            }
        }
        let mut at = self.start(x, y);
        while self.slots[at].value != NONE {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = Slot { x, y, value };
        self.n_used += 1;
    }

    /// Removes all entries, keeps the capacity.
    pub(crate) fn clear(&mut self) {
        if self.n_used > 0 {
            for slot in &mut self.slots {
                slot.value = NONE;
            }
            self.n_used = 0;
        }
    }

    /// Removes the entry at (x, y), which exists.
    pub(crate) fn remove(&mut self, x: i32, y: i32) {
        let mask = self.slots.len() - 1;
        let mut hole = self.start(x, y);
        while self.slots[hole].value == NONE || (self.slots[hole].x, self.slots[hole].y) != (x, y) {
            hole = (hole + 1) & mask;
        }
        // Shift back what follows, so that no probe ends early.
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot.value == NONE {
                break;
            }
            let home = self.start(slot.x, slot.y);
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.slots[hole] = slot;
                hole = at;
            }
        }
        self.slots[hole].value = NONE;
        self.n_used -= 1;
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests;
