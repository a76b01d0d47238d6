//! Walkable cells and diagonals of a wide body on uniform ground: erosion of the bitboard by the
//! body's disc.

use wayfarer_base::{Direction, SectorId};

use super::ProfileData;
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY, PaddedBitboard};

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
    pub(super) is_bit_exact: bool,
    /// True if a multiplier above 1 applies here or in an adjacent sector.
    pub(super) is_costly: bool,
}

/// The open cells of the nine sectors, if all are uniform and of one height or out of step reach;
/// and whether a multiplier above 1 applies.
fn open_rows(ground: &Ground, data: &ProfileData, sector: SectorId) -> Option<(OpenRows, bool)> {
    let mut rows = [0; 48];
    let mut costly = 0;
    let base = ground.sheets_at(sector).next()?.1.base;
    for dy in 0..3_i32 {
        for dx in 0..3_i32 {
            let next = SectorId::new(sector.x + dx - 1, sector.y + dy - 1);
            let mut sheets = ground.sheets_at(next);
            let Some((_, sheet)) = sheets.next() else {
                continue;
            };
            if sheet.details.is_some() || sheets.next().is_some() {
                return None;
            }
            if sheet.base != base {
                let profile = &data.compiled;
                if profile.can_step(base, sheet.base) || profile.can_step(sheet.base, base) {
                    return None;
                }
                continue;
            }
            if data.compiled.allows_terrain(sheet.terrain) {
                costly |= data.compiled.costly_terrains & sheet.terrain.bit();
                let top = usize::try_from(dy * 16).unwrap_or(0);
                for (row, bits) in rows[top..top + 16].iter_mut().zip(sheet.walkable.board()) {
                    *row |= u64::from(bits) << (dx * 16);
                }
            }
        }
    }
    Some((rows, costly != 0))
}

/// Row y shifted so that bit x has the value at (x + dx, y + dy).
fn shifted(rows: &OpenRows, y: usize, (dx, dy): (i32, i32)) -> u64 {
    let row = rows[y.wrapping_add_signed(dy as isize)];
    if dx >= 0 { row >> dx } else { row << -dx }
}

impl UniformSector {
    /// The walkable cells and diagonals of a sector, if it and its eight neighbors are uniform.
    pub(super) fn new(ground: &Ground, data: &ProfileData, sector: SectorId) -> Option<Self> {
        let (rows, costly) = open_rows(ground, data, sector)?;
        let mut found = Self {
            walkable: [0; 18],
            south_east: [0; 18],
            south_west: [0; 18],
            is_bit_exact: !data.disc.is_wide(),
            is_costly: costly,
        };
        for (y, walkable) in (15..).zip(&mut found.walkable) {
            let cells = data.disc.footprint.iter();
            *walkable = cells.fold(rows[y], |left, at| left & shifted(&rows, y, *at));
        }
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
                let cells = data.disc.swept(direction).iter();
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

    /// Cells where the agent fits, with borders.
    pub(super) fn padded_walkable(&self) -> PaddedBitboard {
        padded(&self.walkable)
    }

    /// Cells with a step south-east and south-west, if `walkable` does not determine them.
    pub(super) fn diagonals(&self) -> Option<Box<[PaddedBitboard; 2]>> {
        let both = || Box::new([padded(&self.south_east), padded(&self.south_west)]);
        (!self.is_bit_exact).then(both)
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
