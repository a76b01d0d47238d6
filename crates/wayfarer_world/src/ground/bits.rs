//! Bit-level access to sheets, for the block scans of the search layer.
//!
//! Rows and columns of 16 cells with the borders of the neighbors, and whether the bits alone
//! determine the successors of a sheet. Everything here reads, allocates nothing and is valid until
//! the next edit.

use wayfarer_base::{Cell, Column, Cost, Direction, LinkDirection, SectorId};

use super::Ground;
use super::bitboard;
use super::node::NodeId;
use super::page::{NONE, Page};
use super::profile_ground::DiagonalMasks;
use super::sheet::{self, Sheet, SheetCells, SheetDetails};

/// One sheet, for scans along its rows and columns.
#[derive(Clone, Copy, Debug)]
pub struct SheetBits<'g> {
    ground: &'g Ground,
    page: &'g Page,
    cells: &'g SheetCells,
    number: u32,
    /// Slot of the layer; 0 for the default profile. With [`BASE_COSTS`] multipliers count as 1.
    layer: u32,
}

/// Beside the slot of a layer: all cost multipliers count as 1.
pub(crate) const BASE_COSTS: u32 = 1 << 31;

/// The flags of cells whose steps the bits do not determine, to be read by `layer`.
#[inline(always)]
const fn irregular_flags(layer: u32) -> u8 {
    const { assert!(BASE_COSTS >> 30 == sheet::WEIGHTED as u32) };
    // The shift leaves two bits.
    let ignored = (layer >> 30).to_le_bytes()[0] & sheet::WEIGHTED;
    (sheet::MOVES | sheet::WEIGHTED) & !ignored
}

/// The positions of a page that lie at its edge in each direction; for a diagonal at either edge. A page
/// has eight positions in a row.
const EDGES: [u64; 8] = {
    let (north, east) = (0x0000_0000_0000_00FF, 0x8080_8080_8080_8080);
    let (south, west) = (0xFF00_0000_0000_0000, 0x0101_0101_0101_0101);
    [
        north,
        north | east,
        east,
        south | east,
        south,
        south | west,
        west,
        north | west,
    ]
};

/// True if a step in a direction leads over the edge of the page. For straight scans, whose direction is
/// known when they are compiled, a comparison.
#[inline(always)]
fn is_at_edge(position: u8, direction: usize) -> bool {
    match direction {
        0 => position < 8,
        2 => position & 7 == 7,
        4 => position >= 56,
        6 => position & 7 == 0,
        _ => EDGES[direction & 7] >> position & 1 == 1,
    }
}

/// What a step to the next position in each direction adds to the position, modulo 256.
const STEPS: [u8; 8] = [248, 249, 1, 9, 8, 7, 255, 247];

/// The lane of row or column `at`, 0 to 15, with the two adjacent ones.
#[inline]
fn three(lanes: &[u16; 18], at: u32) -> [u32; 3] {
    let at = (at & 15) as usize;
    [lanes[at], lanes[at + 1], lanes[at + 2]].map(u32::from)
}

/// What a straight step over the edge of a page adds to the position, modulo 256.
const OVER_EDGE: [u8; 4] = [56, 249, 200, 7];

impl<'g> SheetBits<'g> {
    /// True if the bits determine the successors of every cell here: a step leads to each set
    /// neighbor of the same rank in the 3 x 3 window, a diagonal needs both adjacent cardinals
    /// unless the sheet [has masks](Self::has_diagonal_masks), and costs are those of base terrain.
    /// A step from another sheet ends here only if the bits there show it, or if that sheet is not
    /// uniform.
    #[inline]
    pub fn is_uniform(&self) -> bool {
        let irregular = self.cells.flags & (sheet::MOVES | sheet::WEIGHTED);
        // Mostly no flag is set, and the layer need not be read.
        irregular == 0 || irregular & irregular_flags(self.layer) == 0
    }

    /// True if diagonal steps follow masks instead of the cells beside them: more of them are
    /// legal. Never so for a body within its cell.
    #[inline]
    pub fn has_diagonal_masks(&self) -> bool {
        self.cells.flags & sheet::DIAGONALS != 0
    }

    /// True if the sheet is uniform without masks.
    #[inline]
    pub fn is_bit_exact(&self) -> bool {
        self.cells.flags & (irregular_flags(self.layer) | sheet::DIAGONALS) == 0
    }

    /// The masks of diagonal steps, if the sheet has them.
    #[inline(never)]
    pub fn diagonal_masks(&self) -> Option<&'g DiagonalMasks> {
        let layer = self.ground.layer(self.slot())?;
        layer.diagonals(self.number, self.cells.position)
    }

    /// True if the bits determine the steps of every cell here, at whatever costs: as
    /// [`SheetBits::is_uniform`] but for cost multipliers.
    #[inline]
    pub fn has_regular_steps(&self) -> bool {
        self.cells.flags & sheet::MOVES == 0
    }

    /// True if `next` is uniform and has the same base height: then both sheets show the same cells
    /// along their common border.
    #[inline]
    pub fn continues_in(&self, next: &Self) -> bool {
        next.is_uniform() && next.cells.base == self.cells.base
    }

    /// True if the bits determine the steps of every cell here, without masks, at whatever costs.
    #[inline]
    pub fn has_bit_exact_steps(&self) -> bool {
        self.cells.flags & (sheet::MOVES | sheet::DIAGONALS) == 0
    }

    /// True if the steps of both sheets follow their bits at one base height, at whatever costs: then both
    /// show the same cells along their common border.
    #[inline]
    pub fn steps_continue_in(&self, next: &Self) -> bool {
        next.has_bit_exact_steps() && next.cells.base == self.cells.base
    }

    /// For a registered profile on planar ground, whether columns `low` to `high` of row `y`, 0 to 15 each,
    /// have floors open to a point of the agent's body, where the agent may not fit; `None` if thin walls
    /// lie between floors of the sheet.
    pub fn is_row_open(&self, y: u32, (low, high): (u32, u32)) -> Option<bool> {
        let layer = self.ground.layer(self.slot())?;
        let floors = self.floors();
        let is_walled = |details: &SheetDetails| {
            !bitboard::is_empty(&details.wall_east) || !bitboard::is_empty(&details.wall_south)
        };
        if floors.details.as_deref().is_some_and(is_walled) {
            return None;
        }
        let above = match self.page.above {
            NONE => None,
            above => self.ground.page(above).sheet(self.cells.position),
        };
        let local = |x: u32| self.node(x, y).local();
        Some((low..=high).all(|x| floors.is_open_to(&layer.compiled, above, local(x))))
    }

    /// True if a cost multiplier other than 1 may apply here.
    #[inline]
    pub fn may_have_multipliers(&self) -> bool {
        self.cells.flags & irregular_flags(self.layer) & sheet::WEIGHTED != 0
    }

    /// Rows -1 to 16 of 16 bits each: bit x of a row is column x, 0 to 15.
    #[inline]
    pub fn row_lanes(&self) -> &'g [u16; 18] {
        self.cells.walkable.rows()
    }

    /// Columns -1 to 16 of 16 bits each: bit y of a column is row y, 0 to 15.
    #[inline]
    pub fn column_lanes(&self) -> &'g [u16; 18] {
        &self.cells.columns
    }

    /// Rows `y` - 1, `y`, `y` + 1; `y` is 0 to 15.
    #[inline]
    pub fn rows(&self, y: u32) -> [u32; 3] {
        three(self.row_lanes(), y)
    }

    /// Row `y`, -1 to 16, of 18 bits with both borders: bit x + 1 is column x, -1 to 16.
    #[inline]
    pub fn whole_row(&self, y: i32) -> u32 {
        self.cells.walkable.whole_row(y)
    }

    /// Columns `x` - 1, `x`, `x` + 1; `x` is 0 to 15.
    #[inline]
    pub fn columns(&self, x: u32) -> [u32; 3] {
        three(self.column_lanes(), x)
    }

    /// True if cell (x, y), -1 to 16 each, is walkable; border cells as reachable from here.
    #[inline]
    pub fn is_walkable(&self, x: i32, y: i32) -> bool {
        self.cells.walkable.get(x, y)
    }

    /// The rows (or columns) whose cell just beyond the edge in a straight direction is walkable
    /// from here: bit y is row y.
    #[inline]
    pub fn exits(&self, direction: Direction) -> u32 {
        u32::from(match direction {
            Direction::North => self.cells.walkable.row(-1),
            Direction::East => self.cells.columns[17],
            Direction::South => self.cells.walkable.row(16),
            _ => self.cells.columns[0],
        })
    }

    /// The adjacent sheet of the same rank in a direction; `None` where that sector has none.
    #[inline]
    pub fn neighbor(&self, direction: Direction) -> Option<Self> {
        let index = usize::from(direction.index());
        if is_at_edge(self.cells.position, index) {
            // Passed by value, so that `self` can stay in registers.
            let at = (self.number, self.cells.position);
            return next_page(self.ground, self.layer, at, direction);
        }
        let position = self.cells.position.wrapping_add(STEPS[index & 7]);
        let cells = if self.layer == 0 {
            &self.page.sheet(position)?.cells
        } else {
            layer_cells(self.ground, self.layer, self.number, position)?
        };
        Some(Self { cells, ..*self })
    }

    /// The id of the cell in column `x` and row `y`, 0 to 15 each.
    #[inline]
    pub fn node(&self, x: u32, y: u32) -> NodeId {
        NodeId(self.number << 14 | u32::from(self.cells.position) << 8 | (y & 15) << 4 | (x & 15))
    }

    /// The number of the sheet: the ids of its cells without their lowest 8 bits.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number << 6 | u32::from(self.cells.position)
    }

    /// The number of regions, at most 128.
    #[inline]
    pub fn n_regions(&self) -> u8 {
        self.cells.n_regions
    }

    /// The region of the cell in column `x` and row `y`, 0 to 15 each; unspecified if the cell is
    /// not walkable.
    #[inline]
    pub fn region_at(&self, x: u32, y: u32) -> u8 {
        if self.cells.n_regions < 2 {
            return 0;
        }
        let local = self.node(x, y).local();
        match self.ground.layer(self.slot()) {
            None => self.floors().region_at(local),
            Some(layer) => layer.region_at(self.number, self.cells.position, local),
        }
    }

    /// The same cells, read for a layer that shares them; see [`BASE_COSTS`].
    pub(crate) fn for_layer(self, layer: u32) -> Self {
        Self { layer, ..self }
    }

    /// Slot of the layer; 0 for the default profile.
    #[inline]
    fn slot(&self) -> u32 {
        self.layer & !BASE_COSTS
    }

    /// The floors of the sheet.
    #[inline]
    pub(crate) fn floors(&self) -> &'g Sheet {
        self.page
            .sheet(self.cells.position)
            .expect("an agent walks on floors")
    }

    /// The north-western column.
    #[inline]
    pub fn origin(&self) -> Column {
        self.page.key.sector(self.cells.position).origin()
    }

    /// The common height of all walkable cells, if it is stored.
    #[inline]
    pub fn uniform_height(&self) -> Option<i32> {
        // A layer has regular steps on planar ground only.
        let is_planar = self.slot() != 0 && self.has_regular_steps();
        (is_planar || self.floors().is_flat()).then_some(self.cells.base)
    }

    /// The cell of a node in this sheet.
    #[inline]
    pub fn cell(&self, node: NodeId) -> Cell {
        let origin = self.page.key.sector(self.cells.position).origin();
        let local = node.local();
        Cell::new(
            origin.x + i32::from(local & 15),
            origin.y + i32::from(local >> 4),
            self.floors().height(local),
        )
    }
}

/// The sheet of the same rank adjacent to `position` at the edge of page `number`.
#[inline(never)]
fn next_page(
    ground: &Ground,
    layer: u32,
    (number, position): (u32, u8),
    direction: Direction,
) -> Option<SheetBits<'_>> {
    let index = usize::from(direction.index());
    let (number, position) = if direction.is_diagonal() {
        ground.next_sheet(number, position, direction)
    } else {
        let position = position.wrapping_add(OVER_EDGE[index / 2]);
        (ground.page(number).neighbors[index], position)
    };
    if number == NONE {
        return None;
    }
    ground.sheet_at(layer, number, position)
}

/// The cells of a sheet for a registered profile, or where multipliers count as 1.
#[inline(never)]
fn layer_cells(ground: &Ground, layer: u32, page: u32, position: u8) -> Option<&SheetCells> {
    match layer & !BASE_COSTS {
        0 => Some(&ground.page(page).sheet(position)?.cells),
        slot => ground.layer(slot)?.cells(ground, page, position),
    }
}

/// A directed edge of an open nav link, for the default profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NavLinkEdge {
    /// Start.
    pub from: Cell,
    /// End.
    pub to: Cell,
    /// Cost of the traversal.
    pub cost: Cost,
}

impl Ground {
    /// The sheet of a node of this revision.
    ///
    /// # Panics
    /// If an edit removed the sheet.
    #[inline]
    pub fn bits(&self, node: NodeId) -> SheetBits<'_> {
        let page = self.page(node.page());
        SheetBits {
            ground: self,
            page,
            cells: &page
                .sheet(node.position())
                .expect("a node lies in a sheet")
                .cells,
            number: node.page(),
            layer: 0,
        }
    }

    /// The sheet at a position of a page, for the profile of a layer; see [`BASE_COSTS`].
    #[inline]
    pub(crate) fn sheet_at(&self, layer: u32, number: u32, position: u8) -> Option<SheetBits<'_>> {
        let page = self.page(number);
        let cells = if layer == 0 {
            &page.sheet(position)?.cells
        } else {
            layer_cells(self, layer, number, position)?
        };
        Some(SheetBits {
            ground: self,
            page,
            cells,
            number,
            layer,
        })
    }

    /// All sheets, in storage order.
    pub fn sheets(&self) -> impl Iterator<Item = SheetBits<'_>> {
        let pages = (0_u32..).zip(&self.pages);
        let pages = pages.filter_map(|(number, page)| Some((number, page.as_deref()?)));
        pages.flat_map(move |(number, page)| {
            page.sheets.iter().map(move |sheet| SheetBits {
                ground: self,
                page,
                cells: &sheet.cells,
                number,
                layer: 0,
            })
        })
    }

    /// The sheets of a sector, lowest rank first; none where it has no floor.
    pub fn sheets_in(&self, sector: SectorId) -> impl Iterator<Item = SheetBits<'_>> {
        self.sheets_at(sector).map(|(number, sheet)| SheetBits {
            ground: self,
            page: self.page(number),
            cells: &sheet.cells,
            number,
            layer: 0,
        })
    }

    /// True if there are at most `limit` sheets. O(pages).
    pub fn has_at_most_sheets(&self, limit: usize) -> bool {
        let mut n_sheets = 0;
        self.pages.iter().flatten().all(|page| {
            n_sheets += page.sheets.len();
            n_sheets <= limit
        })
    }

    /// The rank of a cell: the number of floors below it in its column.
    #[inline]
    pub fn rank(&self, node: NodeId) -> u8 {
        self.page(node.page()).rank
    }

    /// The directed edges of all nav links that admit the default profile, whether or not floors
    /// exist at their ends; in no particular order.
    pub fn nav_link_edges(&self) -> impl Iterator<Item = NavLinkEdge> {
        let open = self
            .features
            .nav_links()
            .filter(|nav_link| nav_link.state.admits(self.compiled.keys));
        open.flat_map(|nav_link| {
            let there = NavLinkEdge {
                from: nav_link.from,
                to: nav_link.to,
                cost: nav_link.cost,
            };
            let back = NavLinkEdge {
                from: nav_link.to,
                to: nav_link.from,
                cost: nav_link.cost,
            };
            [
                Some(there),
                (nav_link.direction == LinkDirection::Bidirectional).then_some(back),
            ]
            .into_iter()
            .flatten()
        })
    }
}

impl NodeId {
    /// Column within its sector, 0 to 15.
    #[inline]
    pub const fn x_in_sector(self) -> u32 {
        self.0 & 15
    }

    /// Row within its sector, 0 to 15.
    #[inline]
    pub const fn y_in_sector(self) -> u32 {
        self.0 >> 4 & 15
    }

    /// Columns, and rows, of a page: the id space is contiguous in squares of this side.
    pub const PAGE: u32 = 128;

    /// Column and row within its page, each below [`NodeId::PAGE`].
    #[inline]
    pub const fn in_page(self) -> (u32, u32) {
        let (x, y) = (self.0 >> 4 & 0x70, self.0 >> 7 & 0x70);
        (x | self.0 & 15, y | self.0 >> 4 & 15)
    }

    /// The id of the cell of the same page and rank in column `x` and row `y`; only the lowest 7
    /// bits of both count.
    #[inline]
    pub const fn at_in_page(self, x: u32, y: u32) -> Self {
        let sector = (x & 0x70) << 4 | (y & 0x70) << 7;
        Self(self.0 & !0x3FFF | sector | (y & 15) << 4 | x & 15)
    }

    /// True if both lie in the same sheet.
    #[inline]
    pub const fn shares_sheet(self, other: Self) -> bool {
        self.0 >> 8 == other.0 >> 8
    }
}

#[cfg(test)]
mod tests;
