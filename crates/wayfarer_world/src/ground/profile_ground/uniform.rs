//! Walkable cells and diagonals of a wide body on uniform ground: erosion of the bitboard by the
//! body's disc.

use wayfarer_base::{Direction, SectorId};

use super::Layer;
use super::diagonals::DiagonalMasks;
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY, PaddedBitboard};
use crate::ground::compiled_profile::CompiledProfile;
use crate::ground::sheet::{self, Heights, Sheet, SheetCells};

/// The open cells of a sector and of the eight around it: bit x + 16 of row y + 16.
type OpenRows = [u64; 48];

/// Where an agent fits and steps in a uniform sector and one cell outside.
pub(super) struct UniformSector {
    /// Cells where it fits: bit x + 16 of row y + 1, from -1 to 16 each.
    walkable: [u64; 18],
    /// Cells with a diagonal step south-east and south-west, likewise.
    south_east: [u64; 18],
    south_west: [u64; 18],
    /// True if `walkable` determines all steps.
    is_bit_exact: bool,
    /// True if a multiplier above 1 applies to a cell where it fits.
    is_costly: bool,
}

impl Sheet {
    /// True if all its floors have one height and it has neither walls nor nav link ends: the open
    /// cells determine the steps of a point.
    pub(in crate::ground) fn is_planar(&self) -> bool {
        self.details.as_deref().is_none_or(|details| {
            matches!(details.heights, Heights::Flat)
                && [&details.wall_east, &details.wall_south, &details.nav_links]
                    .into_iter()
                    .all(bitboard::is_empty)
        })
    }

    /// The cells of a row with a terrain of a set.
    fn row_of(&self, y: usize, terrains: u64) -> u16 {
        let Some(details) = self.details.as_deref() else {
            let is_in = terrains & self.terrain.bit() != 0;
            return if is_in {
                self.walkable.rows()[y + 1]
            } else {
                0
            };
        };
        let Some(stored) = details.terrains.as_deref() else {
            let is_in = terrains & self.terrain.bit() != 0;
            return if is_in { details.present[y] } else { 0 };
        };
        let row = &stored[y * 16..y * 16 + 16];
        let set = (0..16).fold(0, |set, x| {
            set | u16::from(terrains >> (row[x] & 63) & 1 == 1) << x
        });
        set & details.present[y]
    }

    /// True if a multiplier above 1 applies to one of the cells of a board.
    fn is_costly_in(&self, profile: &CompiledProfile, cells: &Bitboard) -> bool {
        let details = self.details.as_deref();
        let modifiers = details.and_then(|details| details.modifiers.as_deref());
        let is_modified = |modifiers: &[u32; 256]| {
            bitboard::cells(cells).any(|local| modifiers[usize::from(local)] > 0)
        };
        modifiers.is_some_and(is_modified)
            || profile.costly_terrains != 0
                && (0..16).any(|y| self.row_of(y, profile.costly_terrains) & cells[y] != 0)
    }
}

impl Ground {
    /// True if the sector has at most one sheet, and that is planar.
    pub(in crate::ground) fn is_planar(&self, sector: SectorId) -> bool {
        let mut sheets = self.sheets_at(sector);
        let is_planar = sheets.next().is_none_or(|(_, sheet)| sheet.is_planar());
        is_planar && sheets.next().is_none()
    }
}

/// The open cells of the nine sectors, if all are planar and of one height or out of step reach.
fn open_rows(ground: &Ground, layer: &Layer, sector: SectorId) -> Option<OpenRows> {
    let mut rows = [0; 48];
    let profile = &layer.compiled;
    let base = ground.sheets_at(sector).next()?.1.base;
    let margin = layer.disc.margin();
    for dy in 0..3_i32 {
        for dx in 0..3_i32 {
            let next = SectorId::new(sector.x + dx - 1, sector.y + dy - 1);
            let mut sheets = ground.sheets_at(next);
            let Some((_, sheet)) = sheets.next() else {
                continue;
            };
            if !sheet.is_planar() || sheets.next().is_some() {
                return None;
            }
            if sheet.base != base {
                if profile.can_step(base, sheet.base) || profile.can_step(sheet.base, base) {
                    return None;
                }
                continue;
            }
            // Rows farther away than the margin are not read.
            let top = usize::try_from(dy * 16).unwrap_or(0);
            let (first, last) = (16_usize.saturating_sub(margin), 32 + margin.min(16));
            let near = top.max(first)..(top + 16).min(last);
            for (y, row) in near.clone().zip(&mut rows[near]) {
                let open = sheet.row_of(y - top, profile.allowed_terrains);
                *row |= u64::from(open) << (dx * 16);
            }
        }
    }
    Some(rows)
}

/// Row y shifted so that bit x has the value at (x + dx, y + dy).
fn shifted(rows: &OpenRows, y: usize, (dx, dy): (i32, i32)) -> u64 {
    let row = rows[y.wrapping_add_signed(dy as isize)];
    if dx >= 0 { row >> dx } else { row << -dx }
}

impl UniformSector {
    /// The walkable cells and diagonals of a sector, if it and its eight neighbors are planar.
    pub(super) fn new(ground: &Ground, layer: &Layer, sector: SectorId) -> Option<Self> {
        let rows = open_rows(ground, layer, sector)?;
        let mut found = Self {
            walkable: [0; 18],
            south_east: [0; 18],
            south_west: [0; 18],
            is_bit_exact: !layer.disc.is_wide(),
            is_costly: false,
        };
        for (y, walkable) in (15..).zip(&mut found.walkable) {
            let cells = layer.disc.footprint.iter();
            *walkable = cells.fold(rows[y], |left, at| left & shifted(&rows, y, *at));
        }
        let board = found.walkable_board();
        let sheet = ground.sheets_at(sector).next();
        found.is_costly =
            sheet.is_some_and(|(_, sheet)| sheet.is_costly_in(&layer.compiled, &board));
        if found.is_bit_exact {
            // A narrow body follows the corner rule alone.
            return Some(found);
        }
        for index in 0..17 {
            let y = index + 15;
            let (here, below) = (found.walkable[index], found.walkable[index + 1]);
            // Both routes around the corner must be open to a point.
            let east = rows[y] >> 1 & rows[y + 1];
            let west = rows[y] << 1 & rows[y + 1];
            let swept = |direction: Direction| {
                let cells = layer.disc.swept(direction).iter();
                cells.fold(u64::MAX, |left, at| left & shifted(&rows, y, *at))
            };
            found.south_east[index] = here & below >> 1 & east & swept(Direction::SouthEast);
            found.south_west[index] = here & below << 1 & west & swept(Direction::SouthWest);
        }
        found.is_bit_exact = found.are_bits_exact();
        Some(found)
    }

    /// True if a diagonal exists exactly where its four cells are walkable.
    fn are_bits_exact(&self) -> bool {
        // Columns -1 to 15, and 0 to 16.
        let (to_east, to_west) = (0x1_FFFF << 15, 0x1_FFFF << 16);
        (0..17).all(|index| {
            let (here, below) = (self.walkable[index], self.walkable[index + 1]);
            let east = here & here >> 1 & below & below >> 1;
            let west = here & here << 1 & below & below << 1;
            (self.south_east[index] ^ east) & to_east == 0
                && (self.south_west[index] ^ west) & to_west == 0
        })
    }

    /// Cells where the agent fits, with borders; the flag `WEIGHTED` is left to the caller.
    pub(super) fn cells(&self, position: u8, floors: &Sheet) -> SheetCells {
        let mut cells = SheetCells::new(position, floors.base, floors.terrain);
        cells.walkable = padded(&self.walkable);
        cells.set_column_bits(&self.walkable_board());
        cells.set_column_borders();
        if !self.is_bit_exact {
            cells.flags |= sheet::DIAGONALS;
        }
        if self.is_costly {
            cells.flags |= sheet::WEIGHTED_HERE;
        }
        cells
    }

    /// The diagonal steps, if `walkable` does not determine them.
    pub(super) fn diagonals(&self) -> Option<Box<DiagonalMasks>> {
        let masks = || {
            let [south_east, south_west] = [padded(&self.south_east), padded(&self.south_west)];
            Box::new(DiagonalMasks::new(south_east, south_west))
        };
        (!self.is_bit_exact).then(masks)
    }

    /// Cells of the sector where the agent fits.
    fn walkable_board(&self) -> Bitboard {
        std::array::from_fn(|y| low_bits(self.walkable[y + 1]))
    }

    /// The connected parts of the sector's walkable cells.
    pub(super) fn parts(&self) -> Vec<Bitboard> {
        let mut rest = self.walkable_board();
        let mut parts = Vec::new();
        while let Some(first) = bitboard::first(&rest) {
            let part = if self.is_bit_exact {
                bitboard::flood_first(&rest)
            } else {
                self.flood(first)
            };
            for (rest, part) in rest.iter_mut().zip(&part) {
                *rest &= !part;
            }
            parts.push(part);
        }
        parts
    }

    fn flood(&self, first: u8) -> Bitboard {
        let walkable = self.walkable_board();
        // Diagonals within the sector.
        let east: Bitboard = std::array::from_fn(|y| low_bits(self.south_east[y + 1]) & 0x7FFF);
        let west: Bitboard = std::array::from_fn(|y| low_bits(self.south_west[y + 1]) & 0xFFFE);
        let mut part = EMPTY;
        bitboard::put(&mut part, first, true);
        loop {
            let before = part;
            for y in 0..16 {
                part[y] = spread(part[y], walkable[y]);
                if y < 15 {
                    part[y + 1] |= part[y] & walkable[y + 1] | diagonal(part[y], east[y], west[y]);
                }
            }
            for y in (0..15).rev() {
                let up = part[y + 1] & walkable[y]
                    | part[y + 1] >> 1 & east[y]
                    | part[y + 1] << 1 & west[y];
                part[y] = spread(part[y] | up, walkable[y]);
            }
            if part == before {
                return part;
            }
        }
    }
}

/// Rows -1 to 16 cut to columns -1 to 16.
fn padded(rows: &[u64; 18]) -> PaddedBitboard {
    let mut plane = PaddedBitboard::default();
    for (y, row) in (-1..17).zip(rows) {
        let bytes = (row >> 15).to_le_bytes();
        let row = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        plane.set_whole_row(y, row);
    }
    plane
}

/// The targets of diagonals in the row below.
fn diagonal(row: u16, east: u16, west: u16) -> u16 {
    (row & east) << 1 | (row & west) >> 1
}

/// The runs of `open` that contain a bit of `seed`.
fn spread(seed: u16, open: u16) -> u16 {
    let mut reached = seed & open;
    loop {
        let grown = reached | (reached << 1 | reached >> 1) & open;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// The sixteen bits of the sector itself.
fn low_bits(row: u64) -> u16 {
    let bytes = (row >> 16).to_le_bytes();
    u16::from_le_bytes([bytes[0], bytes[1]])
}
