//! The open cells of sectors during one repair, shared by all layers with the same terrains.
//!
//! Layers erode the same few sectors one after the other; looking a sector up and reading its
//! terrains cell by cell takes longer than the erosion.

use wayfarer_base::SectorId;

use crate::ground::Ground;
use crate::ground::bitboard::{Bitboard, EMPTY};
use crate::ground::page::NONE;

/// Sectors per side whose entries do not displace each other.
const SIDE: i32 = 8;
/// Sectors in a square of that side.
const N_SECTORS: usize = 64;
/// Sets of terrains, likewise.
const N_SETS: usize = 2;

/// What a sector is to a body that fits anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SectorKind {
    /// It has no floors.
    Empty,
    /// One sheet of one height without walls and nav link ends.
    Planar,
    /// Anything else.
    Irregular,
}

/// The open cells of a sector.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSector {
    /// The repair that it is valid in.
    stamp: u32,
    sector: SectorId,
    /// The terrains that count as open, as a bit mask.
    terrains: u64,
    pub(super) kind: SectorKind,
    /// Page of its lowest sheet.
    pub(super) page: u32,
    /// Height of its floors, if it is planar.
    pub(super) base: i32,
    /// Its open cells, if it is planar.
    pub(super) board: Bitboard,
}

/// A table of the sectors last read.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenSectors {
    stamp: u32,
    entries: Vec<OpenSector>,
}

impl OpenSectors {
    /// Forgets everything, because the ground changed.
    pub(super) fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.entries.clear();
        }
    }

    /// The open cells of a sector for agents on these terrains.
    #[inline]
    pub(super) fn find(&mut self, ground: &Ground, sector: SectorId, terrains: u64) -> &OpenSector {
        if self.entries.is_empty() {
            self.stamp = 1;
            let none = OpenSector::new(0, sector, terrains);
            self.entries = vec![none; N_SECTORS * N_SETS];
        }
        let (x, y) = (sector.x & (SIDE - 1), sector.y & (SIDE - 1));
        // Sets that differ in one terrain differ in the number of terrains.
        let set = terrains.count_ones() as usize & (N_SETS - 1);
        let index = (y * SIDE + x).cast_unsigned() as usize * N_SETS + set;
        let known = &mut self.entries[index];
        let is_valid =
            known.stamp == self.stamp && known.sector == sector && known.terrains == terrains;
        if !is_valid {
            *known = OpenSector::new(self.stamp, sector, terrains);
            known.read(ground);
        }
        known
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<OpenSector>()
    }
}

impl OpenSector {
    const fn new(stamp: u32, sector: SectorId, terrains: u64) -> Self {
        Self {
            stamp,
            sector,
            terrains,
            kind: SectorKind::Empty,
            page: NONE,
            base: 0,
            board: EMPTY,
        }
    }

    fn read(&mut self, ground: &Ground) {
        let mut sheets = ground.sheets_at(self.sector);
        let Some((page, sheet)) = sheets.next() else {
            return;
        };
        self.page = page;
        if !sheet.is_planar() || sheets.next().is_some() {
            self.kind = SectorKind::Irregular;
            return;
        }
        self.kind = SectorKind::Planar;
        self.base = sheet.base;
        self.board = sheet.board_of_terrains(self.terrains);
    }
}
