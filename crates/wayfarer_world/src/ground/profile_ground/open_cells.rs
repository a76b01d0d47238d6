//! The open cells of sectors during one repair, shared by all layers with the same terrains and
//! height.
//!
//! Layers erode the same few sectors one after the other; looking a sector up and reading its
//! terrains cell by cell takes longer than the erosion.

use wayfarer_base::SectorId;

use super::levels::{MAX_RANKS, SectorLevels};
use super::planar::are_planar;
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::compiled_profile::CompiledProfile;
use crate::ground::page::NONE;
use crate::ground::sheet::Sheet;

/// Sectors per side whose entries do not displace each other.
const SIDE: i32 = 8;
/// Sectors in a square of that side.
const N_SECTORS: usize = 64;
/// Sets of terrains and heights, likewise.
const N_SETS: usize = 4;

/// The open cells of a sector: those with an allowed terrain and headroom.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSector {
    /// The repair that it is valid in.
    stamp: u32,
    sector: SectorId,
    /// The terrains that count as open, as a bit mask.
    terrains: u64,
    /// The headroom that counts as enough.
    height: i64,
    /// The heights of its ranks.
    pub(super) levels: SectorLevels,
    /// Rank by rank, unless heights are mixed.
    pub(super) sheets: [OpenSheet; MAX_RANKS],
}

/// The open cells of a sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSheet {
    pub(super) page: u32,
    /// True if it has thin walls.
    pub(super) has_walls: bool,
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

    /// A sector and the eight around it, row by row, for agents like this one; `None` unless its sheets
    /// are planar for them.
    #[inline]
    pub(super) fn planar(
        &mut self,
        ground: &Ground,
        center: SectorId,
        profile: &CompiledProfile,
    ) -> Option<[&OpenSector; 9]> {
        let own = self.find(ground, center, profile);
        if self.entries[own].levels.is_mixed {
            return None;
        }
        let nine = self.nine(ground, center, profile);
        are_planar(&nine, profile).then_some(nine)
    }

    #[inline]
    fn nine(
        &mut self,
        ground: &Ground,
        center: SectorId,
        profile: &CompiledProfile,
    ) -> [&OpenSector; 9] {
        let mut at = [0; 9];
        for (index, slot) in (0_i32..).zip(&mut at) {
            let sector = SectorId::new(center.x + index % 3 - 1, center.y + index / 3 - 1);
            *slot = self.find(ground, sector, profile);
        }
        at.map(|index| &self.entries[index])
    }

    /// The index of a sector's entry, read if it is not there.
    #[inline]
    fn find(&mut self, ground: &Ground, sector: SectorId, profile: &CompiledProfile) -> usize {
        let (terrains, height) = (profile.allowed_terrains, profile.height);
        if self.entries.is_empty() {
            self.stamp = 1;
            let none = OpenSector::new(0, sector, profile);
            self.entries = vec![none; N_SECTORS * N_SETS];
        }
        let (x, y) = (sector.x & (SIDE - 1), sector.y & (SIDE - 1));
        // Sets that differ in one terrain differ in the number of terrains.
        let height_bit = usize::from(height & 1 == 1);
        let set = terrains.count_ones() as usize & 1 | height_bit << 1;
        let index = (y * SIDE + x).cast_unsigned() as usize * N_SETS + set;
        let known = &mut self.entries[index];
        let is_valid = known.stamp == self.stamp
            && known.sector == sector
            && (known.terrains, known.height) == (terrains, height);
        if !is_valid {
            *known = OpenSector::new(self.stamp, sector, profile);
            known.read(ground, profile);
        }
        index
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<OpenSector>()
    }
}

impl OpenSector {
    fn new(stamp: u32, sector: SectorId, profile: &CompiledProfile) -> Self {
        let none = OpenSheet {
            page: NONE,
            has_walls: false,
            board: EMPTY,
        };
        Self {
            stamp,
            sector,
            terrains: profile.allowed_terrains,
            height: profile.height,
            levels: SectorLevels::default(),
            sheets: [none; MAX_RANKS],
        }
    }

    fn read(&mut self, ground: &Ground, profile: &CompiledProfile) {
        self.levels = ground.levels(self.sector);
        if self.levels.is_mixed {
            return;
        }
        let mut sheets = ground.sheets_at(self.sector).peekable();
        for open in &mut self.sheets {
            let Some((page, sheet)) = sheets.next() else {
                break;
            };
            let above = sheets.peek().map(|(_, sheet)| *sheet);
            let own = &ground.compiled;
            let is_as_own = own.allowed_terrains == profile.allowed_terrains
                && (above.is_none() || own.height == profile.height);
            *open = OpenSheet {
                page,
                has_walls: sheet.has_walls(),
                board: if is_as_own {
                    sheet.walkable.board()
                } else {
                    sheet.open_board(profile, above)
                },
            };
        }
    }
}

impl Sheet {
    /// True if it has thin walls.
    pub(in crate::ground) fn has_walls(&self) -> bool {
        self.details.as_deref().is_some_and(|details| {
            !bitboard::is_empty(&details.wall_east) || !bitboard::is_empty(&details.wall_south)
        })
    }

    /// The cells with an allowed terrain and headroom below the sheet above.
    pub(in crate::ground) fn open_board(
        &self,
        profile: &CompiledProfile,
        above: Option<&Self>,
    ) -> Bitboard {
        let mut board = self.board_of_terrains(profile.allowed_terrains);
        if let Some(above) = above {
            let over = above.present();
            let under: Bitboard = std::array::from_fn(|y| board[y] & over[y]);
            for local in bitboard::cells(&under) {
                let ceiling = Some(above.height(local));
                let fits = profile.has_headroom(self.height(local), ceiling);
                bitboard::put(&mut board, local, fits);
            }
        }
        board
    }
}
