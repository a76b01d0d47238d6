//! Levels of a sector: the heights of the floors that agents may stand on, rank by rank.
//!
//! Where every rank has one height, and heights of different ranks are out of each other's step
//! reach, steps stay within a rank: bits determine them, thin walls included.

use wayfarer_base::{SectorId, Terrain};

use crate::ground::Ground;
use crate::ground::bitboard;
use crate::ground::sheet::{Heights, Sheet};

/// Ranks whose levels are distinguished; a sector with more is mixed.
pub(crate) const MAX_RANKS: usize = 3;

/// The heights of a sector's ranks. It depends on no profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SectorLevels {
    /// The height of each rank; 0 if it has none.
    levels: [i32; MAX_RANKS],
    /// Ranks with a level, as a bit mask.
    has_level: u8,
    /// Ranks with floors, solid ones included, at most [`MAX_RANKS`].
    pub(super) n_ranks: u8,
    /// True if a rank has several heights, or there are more than [`MAX_RANKS`].
    pub(in crate::ground) is_mixed: bool,
}

impl SectorLevels {
    /// Adds the sheet of the next rank.
    #[inline]
    pub(in crate::ground) fn add(&mut self, sheet: &Sheet) {
        let rank = usize::from(self.n_ranks);
        if rank >= MAX_RANKS {
            self.is_mixed = true;
            return;
        }
        self.n_ranks += 1;
        match sheet.level() {
            SheetLevel::Nothing => {}
            SheetLevel::One(z) => {
                self.has_level |= 1 << rank;
                self.levels[rank] = z;
            }
            SheetLevel::Several => self.is_mixed = true,
        }
    }

    /// True if cells of a rank that lay at height `z` still do, and no others do.
    pub(in crate::ground) fn is_only_level(&self, rank: usize, z: i32) -> bool {
        !self.is_mixed
            && (0..MAX_RANKS).all(|other| (self.level(other) == Some(z)) == (other == rank))
    }

    /// The height of a rank; `None` without floors that an agent may stand on.
    #[inline]
    pub(in crate::ground) fn level(&self, rank: usize) -> Option<i32> {
        (self.has_level >> rank & 1 == 1).then(|| self.levels[rank])
    }
}

/// The heights of a sheet's floors, those of [`Terrain::SOLID`] aside.
enum SheetLevel {
    Nothing,
    One(i32),
    Several,
}

impl Sheet {
    fn level(&self) -> SheetLevel {
        let Some(details) = self.details.as_deref() else {
            return self.single_level();
        };
        if matches!(details.heights, Heights::Flat) && details.terrains.is_none() {
            return self.single_level();
        }
        let mut cells = bitboard::cells(&details.present)
            .filter(|local| self.terrain_of(*local) != Terrain::SOLID);
        let Some(first) = cells.next() else {
            return SheetLevel::Nothing;
        };
        if matches!(details.heights, Heights::Flat) {
            return SheetLevel::One(self.base);
        }
        let z = self.height(first);
        if cells.all(|local| self.height(local) == z) {
            SheetLevel::One(z)
        } else {
            SheetLevel::Several
        }
    }

    /// The level of a sheet of one height and terrain.
    fn single_level(&self) -> SheetLevel {
        if self.terrain == Terrain::SOLID {
            SheetLevel::Nothing
        } else {
            SheetLevel::One(self.base)
        }
    }
}

impl Ground {
    /// The levels of a sector.
    pub(in crate::ground) fn levels(&self, sector: SectorId) -> SectorLevels {
        let mut found = SectorLevels::default();
        for (_, sheet) in self.sheets_at(sector) {
            found.add(sheet);
        }
        found
    }
}
