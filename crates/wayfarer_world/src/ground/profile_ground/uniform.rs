//! Walkable cells and diagonals of a wide body on uniform ground: erosion of the bitboard by the
//! body's disc.

use wayfarer_base::{Direction, SectorId};

use super::diagonals::DiagonalMasks;
use super::open_cells::{OpenSectors, SectorKind};
use super::{Layer, LayerSheet};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY, PaddedBitboard};
use crate::ground::compiled_profile::CompiledProfile;
use crate::ground::page::position_of;
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
    /// Page of the sector's sheet.
    pub(super) page: u32,
}

/// The bit of column -1 in the rows of a [`UniformSector`].
const FIRST: u32 = 15;

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

    /// The cells with a terrain of a set.
    pub(super) fn board_of_terrains(&self, terrains: u64) -> Bitboard {
        std::array::from_fn(|y| self.row_of(y, terrains))
    }

    /// True if a multiplier above 1 applies to one of the cells of a board.
    pub(super) fn is_costly_in(&self, profile: &CompiledProfile, cells: &Bitboard) -> bool {
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

/// The open cells of the nine sectors, if all are planar and of one height or out of step reach;
/// and the page of the one in the middle.
fn open_rows(
    ground: &Ground,
    layer: &Layer,
    sector: SectorId,
    open: &mut OpenSectors,
) -> Option<(OpenRows, u32)> {
    let mut rows = [0; 48];
    let profile = &layer.compiled;
    let terrains = profile.allowed_terrains;
    let own = *open.find(ground, sector, terrains);
    if own.kind != SectorKind::Planar {
        return None;
    }
    for dy in 0..3_i32 {
        for dx in 0..3_i32 {
            let next = SectorId::new(sector.x + dx - 1, sector.y + dy - 1);
            let next = open.find(ground, next, terrains);
            match next.kind {
                SectorKind::Empty => continue,
                SectorKind::Irregular => return None,
                SectorKind::Planar => {}
            }
            if next.base != own.base {
                if profile.can_step(own.base, next.base) || profile.can_step(next.base, own.base) {
                    return None;
                }
                continue;
            }
            let top = usize::try_from(dy * 16).unwrap_or(0);
            for (row, open) in rows[top..top + 16].iter_mut().zip(next.board) {
                *row |= u64::from(open) << (dx * 16);
            }
        }
    }
    Some((rows, own.page))
}

/// Row y shifted so that bit x has the value at (x + dx, y + dy).
fn shifted(rows: &OpenRows, y: usize, (dx, dy): (i32, i32)) -> u64 {
    let row = rows[y.wrapping_add_signed(dy as isize)];
    if dx >= 0 { row >> dx } else { row << -dx }
}

impl UniformSector {
    /// The walkable cells and diagonals of a sector, if it and its eight neighbors are planar.
    pub(super) fn new(
        ground: &Ground,
        layer: &Layer,
        sector: SectorId,
        open: &mut OpenSectors,
    ) -> Option<Self> {
        let (rows, page) = open_rows(ground, layer, sector, open)?;
        let mut found = Self {
            walkable: [0; 18],
            south_east: [0; 18],
            south_west: [0; 18],
            is_bit_exact: !layer.disc.is_wide(),
            is_costly: false,
            page,
        };
        found.erode(&rows, &layer.disc.half_widths);
        let board = found.walkable_board();
        let sheet = ground.page(page).sheet(position_of(sector));
        found.is_costly = sheet.is_some_and(|sheet| sheet.is_costly_in(&layer.compiled, &board));
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

    /// Finds the cells where a body fits whose disc covers these half widths of the rows around it,
    /// from the northernmost; none for a body within its cell.
    fn erode(&mut self, rows: &OpenRows, half_widths: &[u32]) {
        let reach = half_widths.len() / 2;
        if reach == 0 {
            self.walkable.copy_from_slice(&rows[15..33]);
            return;
        }
        self.walkable = [u64::MAX; 18];
        // Rows eroded by runs of growing width; a disc is as wide above its middle as below.
        let mut eroded = *rows;
        let mut width = 0;
        for (above, &half_width) in half_widths[..=reach].iter().enumerate() {
            while width < half_width {
                width += 1;
                for (eroded, row) in eroded.iter_mut().zip(rows) {
                    *eroded &= row >> width & row << width;
                }
            }
            let dy = reach - above;
            for (index, walkable) in self.walkable.iter_mut().enumerate() {
                *walkable &= eroded[index + 15 - dy] & eroded[index + 15 + dy];
            }
        }
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

    /// True if the agent fits nowhere in the sector.
    pub(super) fn is_empty(&self) -> bool {
        bitboard::is_empty(&self.walkable_board())
    }

    /// True if `sheet` holds the same cells, diagonals and costs; the flag `WEIGHTED` aside.
    pub(super) fn equals(&self, sheet: &LayerSheet, floors: &Sheet) -> bool {
        let mut flags = if self.is_bit_exact {
            0
        } else {
            sheet::DIAGONALS
        };
        if self.is_costly {
            flags |= sheet::WEIGHTED_HERE;
        }
        let cells = &sheet.cells;
        let are_diagonals_equal = |masks: &DiagonalMasks| {
            masks.south_east.equals_wide_rows(&self.south_east, FIRST)
                && masks.south_west.equals_wide_rows(&self.south_west, FIRST)
        };
        cells.flags & !sheet::WEIGHTED == flags
            && (cells.base, cells.terrain) == (floors.base, floors.terrain)
            && cells.walkable.equals_wide_rows(&self.walkable, FIRST)
            && sheet.diagonals.as_deref().is_none_or(are_diagonals_equal)
    }

    /// Cells where the agent fits, with borders; the flag `WEIGHTED` is left to the caller.
    pub(super) fn cells(&self, position: u8, floors: &Sheet) -> SheetCells {
        let mut cells = SheetCells::new(position, floors.base, floors.terrain);
        cells.walkable = PaddedBitboard::from_wide_rows(&self.walkable, FIRST);
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
            let both = [&self.south_east, &self.south_west];
            let [south_east, south_west] =
                both.map(|rows| PaddedBitboard::from_wide_rows(rows, FIRST));
            Box::new(DiagonalMasks::new(south_east, south_west))
        };
        (!self.is_bit_exact).then(masks)
    }

    /// Cells of the sector where the agent fits.
    fn walkable_board(&self) -> Bitboard {
        std::array::from_fn(|y| low_bits(self.walkable[y + 1]))
    }

    /// Writes the connected parts of the sector's walkable cells to `parts`.
    pub(super) fn split(&self, parts: &mut Vec<Bitboard>) {
        let mut rest = self.walkable_board();
        parts.clear();
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
