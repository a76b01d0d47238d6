//! Walkable cells and steps of an agent in a planar sheet: erosion of the bitboard by the body's disc
//! and by the thin walls within its reach.
//!
//! A sheet is *planar* for a profile if each rank of its sector and of the eight around it has one
//! height, and the heights of others are out of step reach: then all steps stay within the rank.

use wayfarer_base::{Direction, SectorId, WallSide};

use super::diagonals::DiagonalMasks;
use super::levels::MAX_RANKS;
use super::open_cells::OpenSector;
use super::step_masks::StepMasks;
use super::{Layer, LayerSheetRef};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY, PaddedBitboard};
use crate::ground::compiled_profile::CompiledProfile;
use crate::ground::page::position_of;
use crate::ground::sheet::{self, Sheet, SheetCells};

/// Cells of a sector and of the eight around it: bit x + 16 of row y + 16.
type WideRows = [u64; 48];

/// What determines the steps of a planar sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StepRule {
    /// The walkable cells.
    Cells,
    /// The walkable cells, and masks with more diagonals than those.
    Masks,
    /// Thin walls too.
    Walls,
}

/// Where an agent fits and steps in a planar sheet and one cell outside.
pub(super) struct PlanarSheet {
    /// Cells where it fits: bit x + 16 of row y + 1, from -1 to 16 each.
    walkable: [u64; 18],
    /// Cells with a diagonal step south-east and south-west, likewise; unless the rule is cells.
    south_east: [u64; 18],
    south_west: [u64; 18],
    /// Cells with a straight step east and south, likewise; if walls are the rule.
    east: [u64; 18],
    south: [u64; 18],
    rule: StepRule,
    /// True if a nav link ends in the sheet.
    has_nav_links: bool,
    /// True if a multiplier above 1 applies to a cell where it fits.
    is_costly: bool,
    /// The height of its floors.
    level: i32,
}

/// The bit of column -1 in the rows of a [`PlanarSheet`].
const FIRST: u32 = 15;
/// Columns -1 to 15, from which steps east stay within one cell of the sector.
const TO_EAST: u64 = 0x1_FFFF << FIRST;
/// Columns 0 to 16, likewise for steps west.
const TO_WEST: u64 = TO_EAST << 1;

impl Sheet {
    /// The cells of a row with a terrain of a set.
    pub(in crate::ground) fn row_of(&self, y: usize, terrains: u64) -> u16 {
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
        let row: &[u8; 16] = stored[y * 16..y * 16 + 16]
            .first_chunk()
            .expect("there are sixteen rows of sixteen");
        let is_in = |terrain: u8| terrains >> (terrain & 63) & 1 == 1;
        // Most rows have one terrain.
        let set = if *row == [row[0]; 16] {
            if is_in(row[0]) { u16::MAX } else { 0 }
        } else {
            (0..16).fold(0, |set, x| set | u16::from(is_in(row[x])) << x)
        };
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

/// True if every sheet of the sector in the middle of nine is planar for a profile.
pub(super) fn are_planar(nine: &[&OpenSector; 9], profile: &CompiledProfile) -> bool {
    if nine.iter().any(|sector| sector.levels.is_mixed) {
        return false;
    }
    let own = &nine[4].levels;
    (0..MAX_RANKS).all(|rank| {
        let Some(z) = own.level(rank) else {
            return true;
        };
        nine.iter().all(|sector| {
            (0..usize::from(sector.levels.n_ranks)).all(|other| {
                sector.levels.level(other).is_none_or(|there| {
                    other == rank && there == z
                        || !profile.can_step(z, there) && !profile.can_step(there, z)
                })
            })
        })
    })
}

/// Copies a board of one of nine sectors to its bits of the rows around.
#[inline]
fn put_board(rows: &mut WideRows, sector: usize, board: &Bitboard) {
    let (top, shift) = (sector / 3 * 16, sector % 3 * 16);
    for (row, cells) in rows[top..top + 16].iter_mut().zip(board) {
        *row |= u64::from(*cells) << shift;
    }
}

/// The open cells of one rank and level in nine sectors.
fn open_rows(nine: &[&OpenSector; 9], rank: usize, level: i32) -> WideRows {
    let mut rows = [0; 48];
    for (index, sector) in nine.iter().enumerate() {
        if sector.levels.level(rank) == Some(level) {
            put_board(&mut rows, index, &sector.sheets[rank].board);
        }
    }
    rows
}

/// The thin walls of open cells, on their eastern and southern edges.
struct WallRows {
    east: WideRows,
    south: WideRows,
}

impl WallRows {
    /// The walls of one rank and level in nine sectors; `None` without any.
    fn new(
        ground: &Ground,
        (nine, center): (&[&OpenSector; 9], SectorId),
        rank: usize,
        level: i32,
    ) -> Option<Self> {
        if nine.iter().all(|sector| !sector.sheets[rank].has_walls) {
            return None;
        }
        let (mut east, mut south) = ([0; 48], [0; 48]);
        for (index, sector) in nine.iter().enumerate() {
            let open = &sector.sheets[rank];
            if !open.has_walls || sector.levels.level(rank) != Some(level) {
                continue;
            }
            let (dx, dy) = (index % 3, index / 3);
            let near = |at: usize| i32::try_from(at).unwrap_or(0) - 1;
            let here = SectorId::new(center.x + near(dx), center.y + near(dy));
            let sheet = ground.page(open.page).sheet(position_of(here));
            if let Some(details) = sheet.and_then(|sheet| sheet.details.as_deref()) {
                let of_open = |walls: &Bitboard| std::array::from_fn(|y| walls[y] & open.board[y]);
                put_board(&mut east, index, &of_open(&details.wall_east));
                put_board(&mut south, index, &of_open(&details.wall_south));
            }
        }
        let has_any = east.iter().chain(&south).any(|row| *row != 0);
        has_any.then_some(Self { east, south })
    }

    fn side(&self, side: WallSide) -> &WideRows {
        match side {
            WallSide::East => &self.east,
            WallSide::South => &self.south,
        }
    }
}

/// Row y shifted so that bit x has the value at (x + dx, y + dy).
#[inline]
fn shifted(rows: &WideRows, y: usize, (dx, dy): (i32, i32)) -> u64 {
    let row = rows[y.wrapping_add_signed(dy as isize)];
    if dx >= 0 { row >> dx } else { row << -dx }
}

impl PlanarSheet {
    /// The walkable cells and steps of a rank of the sector in the middle of nine that are planar for
    /// the profile of `layer`; `None` if agents may stand on no floor of that rank.
    pub(super) fn new(
        ground: &Ground,
        layer: &Layer,
        (nine, sector): (&[&OpenSector; 9], SectorId),
        rank: usize,
    ) -> Option<Self> {
        let level = nine[4].levels.level(rank)?;
        let page = nine[4].sheets[rank].page;
        let rows = open_rows(nine, rank, level);
        let mut found = Self {
            walkable: [0; 18],
            south_east: [0; 18],
            south_west: [0; 18],
            east: [0; 18],
            south: [0; 18],
            rule: StepRule::Cells,
            has_nav_links: false,
            is_costly: false,
            level,
        };
        found.erode(&rows, &layer.disc.half_widths);
        let walls = WallRows::new(ground, (nine, sector), rank, level);
        if let Some(walls) = &walls {
            found.erode_by_walls(layer, walls);
        }
        if let Some(sheet) = ground.page(page).sheet(position_of(sector)) {
            found.is_costly = sheet.is_costly_in(&layer.compiled, &found.walkable_board());
            let details = sheet.details.as_deref();
            found.has_nav_links =
                details.is_some_and(|details| !bitboard::is_empty(&details.nav_links));
        }
        match &walls {
            Some(walls) => found.find_steps_past_walls(layer, &rows, walls),
            // A narrow body follows the corner rule alone.
            None if layer.disc.is_wide() => found.find_diagonals(layer, &rows),
            None => {}
        }
        Some(found)
    }

    /// Finds the diagonals of a wide body without walls around.
    fn find_diagonals(&mut self, layer: &Layer, rows: &WideRows) {
        for index in 0..17 {
            let y = index + 15;
            let (here, below) = (self.walkable[index], self.walkable[index + 1]);
            // Both routes around the corner must be open to a point.
            let east = rows[y] >> 1 & rows[y + 1];
            let west = rows[y] << 1 & rows[y + 1];
            let swept = |direction: Direction| {
                let cells = layer.disc.swept(direction).iter();
                cells.fold(u64::MAX, |left, at| left & shifted(rows, y, *at))
            };
            let south_east = here & below >> 1 & east & swept(Direction::SouthEast);
            let south_west = here & below << 1 & west & swept(Direction::SouthWest);
            self.south_east[index] = south_east & TO_EAST;
            self.south_west[index] = south_west & TO_WEST;
        }
        self.rule = if self.has_diagonals_of_cells().0 {
            StepRule::Cells
        } else {
            StepRule::Masks
        };
    }

    /// Removes the cells where the disc overlaps a wall.
    fn erode_by_walls(&mut self, layer: &Layer, walls: &WallRows) {
        for &(at, side) in &layer.disc.edges {
            let walls = walls.side(side);
            for (index, walkable) in self.walkable.iter_mut().enumerate() {
                *walkable &= !shifted(walls, index + 15, at);
            }
        }
    }

    /// Finds all steps, and whether cells or masks say the same.
    fn find_steps_past_walls(&mut self, layer: &Layer, rows: &WideRows, walls: &WallRows) {
        let disc = &layer.disc;
        // Straight steps of a point.
        let east = |y: usize| rows[y] & rows[y] >> 1 & !walls.east[y];
        let south = |y: usize| rows[y] & rows[y + 1] & !walls.south[y];
        for index in 0..18 {
            let y = index + 15;
            let free = |direction: Direction| {
                let cells = if direction.is_diagonal() {
                    disc.swept(direction)
                } else {
                    &[]
                };
                let free = cells
                    .iter()
                    .fold(u64::MAX, |left, at| left & shifted(rows, y, *at));
                let edges = disc.swept_edges(direction).iter();
                edges.fold(free, |left, (at, side)| {
                    left & !shifted(walls.side(*side), y, *at)
                })
            };
            let here = self.walkable[index];
            self.east[index] = here & here >> 1 & east(y) & free(Direction::East);
            let Some(&below) = self.walkable.get(index + 1) else {
                continue;
            };
            self.south[index] = here & below & south(y) & free(Direction::South);
            // Both routes around the corner must be open to a point.
            let around = east(y) & south(y) >> 1 & south(y) & east(y + 1);
            let south_east = here & below >> 1 & around & free(Direction::SouthEast);
            self.south_east[index] = south_east & TO_EAST;
            let around = (east(y) & south(y)) << 1;
            let around = around & south(y) & east(y + 1) << 1;
            let south_west = here & below << 1 & around & free(Direction::SouthWest);
            self.south_west[index] = south_west & TO_WEST;
        }
        let (is_exact, has_all) = self.has_diagonals_of_cells();
        self.rule = if !has_all || !self.has_straight_steps_of_cells() {
            StepRule::Walls
        } else if is_exact {
            StepRule::Cells
        } else {
            StepRule::Masks
        };
    }

    /// True if a straight step leads between any two walkable cells side by side, one of them in the
    /// sector.
    fn has_straight_steps_of_cells(&self) -> bool {
        let (to_east, inside) = (0x1_FFFF << 15, 0xFFFF << 16);
        let has_all_east = (1..17).all(|index| {
            let here = self.walkable[index];
            (self.east[index] ^ here & here >> 1) & to_east == 0
        });
        has_all_east
            && (0..17).all(|index| {
                let four = self.walkable[index] & self.walkable[index + 1];
                (self.south[index] ^ four) & inside == 0
            })
    }

    /// Finds the cells where a body fits whose disc covers these half widths of the rows around it,
    /// from the northernmost; none for a body within its cell.
    fn erode(&mut self, rows: &WideRows, half_widths: &[u32]) {
        let reach = half_widths.len() / 2;
        if reach == 0 {
            self.walkable.copy_from_slice(&rows[15..33]);
            return;
        }
        self.walkable = [u64::MAX; 18];
        // Rows eroded by runs of growing width; a disc is as wide above its middle as below.
        let mut eroded = *rows;
        let near = 15 - reach..33 + reach;
        let mut width = 0;
        for (above, &half_width) in half_widths[..=reach].iter().enumerate() {
            while width < half_width {
                width += 1;
                for (eroded, row) in eroded[near.clone()].iter_mut().zip(&rows[near.clone()]) {
                    *eroded &= row >> width & row << width;
                }
            }
            let dy = reach - above;
            for (index, walkable) in self.walkable.iter_mut().enumerate() {
                *walkable &= eroded[index + 15 - dy] & eroded[index + 15 + dy];
            }
        }
    }

    /// Whether a diagonal exists exactly where its four cells are walkable, and whether it exists in all
    /// those places.
    fn has_diagonals_of_cells(&self) -> (bool, bool) {
        let (to_east, to_west) = (TO_EAST, TO_WEST);
        let (mut more, mut fewer) = (0, 0);
        for index in 0..17 {
            let (here, below) = (self.walkable[index], self.walkable[index + 1]);
            let east = here & here >> 1 & below & below >> 1;
            let west = here & here << 1 & below & below << 1;
            let (south_east, south_west) = (self.south_east[index], self.south_west[index]);
            more |= south_east & !east & to_east | south_west & !west & to_west;
            fewer |= east & !south_east & to_east | west & !south_west & to_west;
        }
        (more | fewer == 0, fewer == 0)
    }

    /// True if the agent fits nowhere in the sector.
    pub(super) fn is_empty(&self) -> bool {
        bitboard::is_empty(&self.walkable_board())
    }

    /// The flags of its cells; `WEIGHTED` is left to the caller.
    fn flags(&self) -> u8 {
        let steps = match self.rule {
            StepRule::Cells => 0,
            StepRule::Masks => sheet::DIAGONALS,
            StepRule::Walls => sheet::MOVES,
        };
        let links = match self.rule {
            _ if !self.has_nav_links => 0,
            StepRule::Walls => sheet::MOVES,
            _ => sheet::MOVES | sheet::LINKED,
        };
        steps
            | links
            | if self.is_costly {
                sheet::WEIGHTED_HERE
            } else {
                0
            }
    }

    /// True if `sheet` holds the same cells, diagonals and costs, and no walls; the flag `WEIGHTED`
    /// aside.
    pub(super) fn equals(&self, sheet: LayerSheetRef<'_>, floors: &Sheet) -> bool {
        let cells = sheet.cells;
        let are_diagonals_equal = |masks: &DiagonalMasks| {
            masks.south_east.equals_wide_rows(&self.south_east, FIRST)
                && masks.south_west.equals_wide_rows(&self.south_west, FIRST)
        };
        self.rule != StepRule::Walls
            && cells.flags & !sheet::WEIGHTED == self.flags()
            && (cells.base, cells.terrain) == (self.level, floors.terrain)
            && cells.walkable.equals_wide_rows(&self.walkable, FIRST)
            && sheet.diagonals().is_none_or(are_diagonals_equal)
    }

    /// True if the ground's sheet says the same: cells with borders and one region, steps by bits, base
    /// costs.
    pub(super) fn is_of_ground(&self, floors: &Sheet) -> bool {
        let flags = sheet::MOVES | sheet::WEIGHTED | sheet::WEIGHTED_HERE;
        self.flags() | floors.flags & flags == 0
            && (floors.n_regions, floors.base) == (1, self.level)
            && floors.walkable.equals_wide_rows(&self.walkable, FIRST)
    }

    /// Cells where the agent fits, with borders; the flag `WEIGHTED` is left to the caller.
    pub(super) fn cells(&self, position: u8, floors: &Sheet) -> SheetCells {
        let mut cells = SheetCells::new(position, self.level, floors.terrain);
        cells.walkable = PaddedBitboard::from_wide_rows(&self.walkable, FIRST);
        cells.set_column_bits(&self.walkable_board());
        cells.set_column_borders();
        cells.flags = self.flags();
        cells
    }

    /// The diagonal steps, if they follow masks.
    pub(super) fn diagonals(&self) -> Option<Box<DiagonalMasks>> {
        let masks = || {
            let both = [&self.south_east, &self.south_west];
            let [south_east, south_west] =
                both.map(|rows| PaddedBitboard::from_wide_rows(rows, FIRST));
            Box::new(DiagonalMasks::new(south_east, south_west))
        };
        (self.rule == StepRule::Masks).then(masks)
    }

    /// All steps, where thin walls are the rule.
    pub(super) fn steps(&self) -> Option<Box<StepMasks>> {
        if self.rule != StepRule::Walls {
            return None;
        }
        let mut masks = Box::<StepMasks>::default();
        let boards = [
            (&self.east, Direction::East),
            (&self.south, Direction::South),
            (&self.south_east, Direction::SouthEast),
            (&self.south_west, Direction::SouthWest),
        ];
        for (rows, direction) in boards {
            let (dx, dy) = direction.offset();
            for y in 0..16_u8 {
                let index = usize::from(y) + 1;
                let back = rows[index.wrapping_add_signed(-dy as isize)];
                let back = if dx < 0 { back >> 1 } else { back << dx };
                masks.add_row(y, low_bits(rows[index]), direction);
                masks.add_row(y, low_bits(back), direction.opposite());
            }
        }
        Some(masks)
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
            let part = match self.rule {
                StepRule::Cells => bitboard::flood_first(&rest),
                StepRule::Masks => self.flood(first),
                StepRule::Walls => self.flood_past_walls(first),
            };
            for (rest, part) in rest.iter_mut().zip(&part) {
                *rest &= !part;
            }
            parts.push(part);
        }
    }

    /// The cells connected to `first` within the sector, by all steps.
    fn flood_past_walls(&self, first: u8) -> Bitboard {
        let inside = |rows: &[u64; 18], columns: u16| -> Bitboard {
            std::array::from_fn(|y| low_bits(rows[y + 1]) & columns)
        };
        let (east, south) = (inside(&self.east, 0x7FFF), inside(&self.south, 0xFFFF));
        let south_east = inside(&self.south_east, 0x7FFF);
        let south_west = inside(&self.south_west, 0xFFFE);
        let mut part = EMPTY;
        bitboard::put(&mut part, first, true);
        loop {
            let before = part;
            for y in 0..16 {
                part[y] = spread_by_steps(part[y], east[y]);
                if y < 15 {
                    part[y + 1] |=
                        part[y] & south[y] | diagonal(part[y], south_east[y], south_west[y]);
                }
            }
            for y in (0..15).rev() {
                let up = part[y + 1] & south[y]
                    | part[y + 1] >> 1 & south_east[y]
                    | part[y + 1] << 1 & south_west[y];
                part[y] = spread_by_steps(part[y] | up, east[y]);
            }
            if part == before {
                return part;
            }
        }
    }

    /// Calls `visit` with the ends of every step over the edge of the sector, where walls are the
    /// rule: the cell inside, and the other, -1 to 16 each.
    pub(super) fn for_each_step_out(&self, mut visit: impl FnMut((i32, i32), (i32, i32))) {
        let inside = |(x, y): (i32, i32)| (0..16).contains(&x) && (0..16).contains(&y);
        let boards = [
            (&self.east, (1, 0)),
            (&self.south, (0, 1)),
            (&self.south_east, (1, 1)),
            (&self.south_west, (-1, 1)),
        ];
        for (rows, (dx, dy)) in boards {
            for (y, row) in (-1..=16).zip(rows) {
                // Steps between columns inside cross the edge only in rows at it.
                let columns = if y == -1 || y + dy == 16 {
                    0x3_FFFF
                } else {
                    0x3_0003
                };
                let mut rest = row >> FIRST & columns;
                while rest != 0 {
                    let x = i32::from(rest.trailing_zeros().to_le_bytes()[0]) - 1;
                    rest &= rest - 1;
                    let (from, to) = ((x, y), (x + dx, y + dy));
                    match (inside(from), inside(to)) {
                        (true, false) => visit(from, to),
                        (false, true) => visit(to, from),
                        _ => {}
                    }
                }
            }
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

/// The cells reached from `seed` by steps east and back.
fn spread_by_steps(seed: u16, east: u16) -> u16 {
    let mut reached = seed;
    loop {
        let grown = reached | (reached & east) << 1 | reached >> 1 & east;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
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
