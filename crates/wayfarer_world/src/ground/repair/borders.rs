//! Stage *borders*: the adjacent cells of the eight neighbors, copied into each padded bitboard.
//!
//! Reads the bits and heights of a sector and its neighbors of the same rank; writes border bits
//! and the flag `WEIGHTED`. A border cell is set if it can be entered and left by height.

use wayfarer_base::{Direction, SectorId};

use super::{Dirty, SectorState};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard};
use crate::ground::compiled_profile::CompiledProfile;
use crate::ground::page::{NONE, PageKey, position_of};
use crate::ground::sheet::{self, Sheet};

impl Ground {
    /// What neighbors and layers read of a sector.
    pub(in crate::ground) fn sector_state(&self, sector: SectorId) -> SectorState {
        let mut found = SectorState::default();
        for (rank, (_, sheet)) in self.sheets_at(sector).enumerate() {
            found.levels.add(sheet);
            found.shapes.add(sheet);
            found.is_weighted |= sheet.flags & sheet::WEIGHTED_HERE != 0;
            if rank == 0 {
                found.walkable = sheet.walkable.board();
                found.has_irregular_border = sheet.has_walls();
            } else {
                found.has_irregular_border |= sheet.has_walls() || has_border_floor(sheet);
            }
        }
        found.has_irregular_border |= found.levels.is_mixed;
        found
    }

    /// Sets the flag `WEIGHTED` of a sector's sheets.
    pub(super) fn refresh_weighted(&mut self, sector: SectorId) {
        let position = position_of(sector);
        let Some(page) = self.page_at(PageKey::from_sector(sector)) else {
            return;
        };
        let is_weighted_near = Direction::ALL.into_iter().any(|direction| {
            let (next, there) = self.next_sheet(page, position, direction);
            let other = (next != NONE)
                .then(|| self.page(next).sheet(there))
                .flatten();
            other.is_some_and(|other| self.is_weighted(next, there, other))
        });
        self.set_weighted(sector, is_weighted_near);
    }

    fn set_weighted(&mut self, sector: SectorId, is_weighted_near: bool) {
        self.for_each_sheet_mut(sector, |sheet| {
            let is_weighted = is_weighted_near || sheet.flags & sheet::WEIGHTED_HERE != 0;
            sheet.flags =
                sheet.flags & !sheet::WEIGHTED | if is_weighted { sheet::WEIGHTED } else { 0 };
        });
    }

    /// Copies the borders of a sector's sheets. Returns true if a step in or out of the sector may
    /// differ from the bits, so that its steps must be evaluated cell by cell.
    pub(in crate::ground) fn refresh_borders(&mut self, sector: SectorId) -> bool {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let (mut is_irregular, mut weighted_near) = (false, false);
        while page != NONE {
            let above = self.page(page).above;
            let mut borders = [0_u16; 8];
            let Some(sheet) = self.page(page).sheet(position) else {
                break;
            };
            let lowest = self.page(page).rank == 0;
            is_irregular |= sheet.flags & sheet::IRREGULAR != 0;
            for direction in Direction::ALL {
                let (next, next_position) = self.next_sheet(page, position, direction);
                if next == NONE {
                    continue;
                }
                let Some(other) = self.page(next).sheet(next_position) else {
                    continue;
                };
                borders[usize::from(direction.index())] =
                    sheet.border_with(other, direction, &self.compiled);
                if lowest {
                    is_irregular |= other.flags & sheet::IRREGULAR != 0
                        || (other.base != sheet.base
                            && (self.compiled.can_step(sheet.base, other.base)
                                || self.compiled.can_step(other.base, sheet.base)));
                    weighted_near |= self.is_weighted(next, next_position, other);
                }
            }
            let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
            sheet.set_borders(&borders);
            page = above;
        }
        self.set_weighted(sector, weighted_near);
        is_irregular
    }

    /// True if a cell of a sector, on any rank, has a multiplier above 1; `lowest` is its lowest
    /// sheet.
    pub(super) fn is_weighted(&self, page: u32, position: u8, lowest: &Sheet) -> bool {
        if lowest.flags & sheet::WEIGHTED_HERE != 0 {
            return true;
        }
        // With several ranks every sheet is irregular.
        let mut above = self.page(page).above;
        while lowest.flags & sheet::IRREGULAR != 0 && above != NONE {
            match self.page(above).sheet(position) {
                Some(sheet) if sheet.flags & sheet::WEIGHTED_HERE != 0 => return true,
                Some(_) => above = self.page(above).above,
                None => return false,
            }
        }
        false
    }

    /// Page and position of the adjacent sheet of the same rank; the page may be `NONE`.
    #[inline]
    pub(crate) fn next_sheet(&self, page: u32, position: u8, direction: Direction) -> (u32, u8) {
        let (dx, dy) = direction.offset();
        let (x, y) = (i32::from(position & 7) + dx, i32::from(position >> 3) + dy);
        let next_position = ((y & 7) << 3 | (x & 7)).cast_unsigned().to_le_bytes()[0];
        let (over_x, over_y) = (x >> 3, y >> 3);
        if over_x == 0 && over_y == 0 {
            return (page, next_position);
        }
        // Direction index of the page offset (over_x, over_y).
        const INDEX: [u8; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];
        let index = INDEX[((over_y + 1) * 3 + over_x + 1).unsigned_abs() as usize];
        (self.page(page).neighbors[usize::from(index)], next_position)
    }
}

/// True if a sheet has floors on the outermost cells of its sector.
fn has_border_floor(sheet: &Sheet) -> bool {
    let present = sheet.present();
    let sides = present.iter().fold(0, |sides, row| sides | row & 0x8001);
    present[0] | present[15] | sides != 0
}

/// Neighbors whose borders or steps may be stale: a bit per direction.
pub(super) fn changed_borders(dirty: &Dirty, now: &SectorState) -> u8 {
    let before = &dirty.before;
    if before.shapes.differ(&now.shapes) {
        return 0xFF;
    }
    let (old, new) = (&before.walkable, &now.walkable);
    let mut differs: Bitboard = std::array::from_fn(|y| old[y] ^ new[y]);
    if before.has_irregular_border || now.has_irregular_border {
        for (row, changed) in differs.iter_mut().zip(dirty.changed_floors) {
            *row |= changed;
        }
    }
    bitboard::sides(&differs)
}

/// How sheets are stored that neighbors read corners of at any height: those of a sector, lowest rank
/// first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SheetShapes {
    n_ranks: u8,
    /// The height of sheets stored flat, [`NOT_FLAT`] for others.
    flat: [i32; MAX_SHAPES],
}

/// Ranks whose shapes are known.
const MAX_SHAPES: usize = 8;
/// No floor is as low.
const NOT_FLAT: i32 = i32::MIN;

impl SheetShapes {
    fn add(&mut self, sheet: &Sheet) {
        let rank = usize::from(self.n_ranks);
        if let Some(flat) = self.flat.get_mut(rank) {
            *flat = if sheet.is_flat() {
                sheet.base
            } else {
                NOT_FLAT
            };
        }
        self.n_ranks = self.n_ranks.saturating_add(1);
    }

    /// True if a rank of both, so also one not known, may differ.
    pub(crate) fn differ(&self, other: &Self) -> bool {
        let n_both = usize::from(self.n_ranks.min(other.n_ranks));
        n_both > MAX_SHAPES || self.flat[..n_both] != other.flat[..n_both]
    }
}

impl Sheet {
    /// The cells of `other`, adjacent in `direction`, that can be entered and left by height: a
    /// row, a column, or a corner in bit 0.
    fn border_with(&self, other: &Self, direction: Direction, profile: &CompiledProfile) -> u16 {
        let flat = self.is_flat() && other.is_flat();
        if flat && self.base != other.base {
            let both =
                profile.can_step(self.base, other.base) && profile.can_step(other.base, self.base);
            if !both {
                return 0;
            }
        }
        let facing = match direction {
            Direction::North => other.walkable.row(15),
            Direction::East => other.columns[1],
            Direction::South => other.walkable.row(0),
            Direction::West => other.columns[16],
            Direction::NorthEast => u16::from(other.walkable.get(0, 15)),
            Direction::SouthEast => u16::from(other.walkable.get(0, 0)),
            Direction::SouthWest => u16::from(other.walkable.get(15, 0)),
            Direction::NorthWest => u16::from(other.walkable.get(15, 15)),
        };
        if flat || direction.is_diagonal() {
            return facing;
        }
        (0..16_u8).fold(0, |seen, at| {
            let (own, there) = match direction {
                Direction::North => (at, 240 | at),
                Direction::East => (at << 4 | 15, at << 4),
                Direction::South => (240 | at, at),
                _ => (at << 4, at << 4 | 15),
            };
            let (z, other_z) = (self.height(own), other.height(there));
            let both = profile.can_step(z, other_z) && profile.can_step(other_z, z);
            seen | (facing & u16::from(both) << at)
        })
    }

    fn set_borders(&mut self, borders: &[u16; 8]) {
        self.walkable.set_row(-1, borders[0]);
        self.walkable.set_row(16, borders[4]);
        if self.columns[17] != borders[2] {
            self.walkable.set_column(16, borders[2]);
            self.columns[17] = borders[2];
        }
        if self.columns[0] != borders[6] {
            self.walkable.set_column(-1, borders[6]);
            self.columns[0] = borders[6];
        }
        self.walkable.set(16, -1, borders[1] != 0);
        self.walkable.set(16, 16, borders[3] != 0);
        self.walkable.set(-1, 16, borders[5] != 0);
        self.walkable.set(-1, -1, borders[7] != 0);
    }
}
