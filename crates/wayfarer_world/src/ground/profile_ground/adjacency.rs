//! The region graph of a profile, as the component hierarchy reads it.

use wayfarer_base::{Direction, SectorId};

use super::neighbors::floor_at;
use super::{Layer, LayerSheetRef};
use crate::ground::bitboard;
use crate::ground::hierarchy::{RegionAdjacency, RegionLabels, RegionSlot};
use crate::ground::lookup::over_edge;
use crate::ground::page::PageKey;
use crate::ground::portals::facing_cells;
use crate::ground::sheet::SheetCells;
use crate::ground::{Ground, NodeId};

/// A layer with its ground.
pub(super) struct LayerGraph<'a> {
    pub(super) ground: &'a Ground,
    pub(super) layer: &'a Layer,
}

/// The same, to be labeled.
pub(super) struct LayerLabels<'a> {
    pub(super) ground: &'a Ground,
    pub(super) layer: &'a mut Layer,
}

impl LayerSheetRef<'_> {
    /// On planar ground, the cells along each side with a straight step across: north first,
    /// clockwise.
    pub(super) fn all_crossings(self) -> [u16; 4] {
        crossings_of(self.cells)
    }

    /// The diagonals over the edge of the sector whose four cells are not all walkable, so that no
    /// straight steps imply them; none without masks.
    pub(super) fn corner_steps(self) -> CornerSteps {
        let Some(masks) = self.diagonals() else {
            return CornerSteps::default();
        };
        let cells = self.cells;
        let along = |y: i32| {
            let (here, below) = (cells.walkable.whole_row(y), cells.walkable.whole_row(y + 1));
            let four = here & here >> 1 & below & below >> 1;
            // A diagonal west is covered by the four cells from its end.
            [
                masks.south_east.whole_row(y) & !four,
                masks.south_west.whole_row(y) & !(four << 1),
            ]
        };
        // Between columns x and x + 1, for rows 0 to 14.
        let across = |x: usize| {
            let (here, next) = (cells.columns[x], cells.columns[x + 1]);
            let open = !(here & here >> 1 & next & next >> 1) & 0x7FFF;
            let [south_east, south_west] = masks.columns_at(x);
            [south_east & open, south_west & open]
        };
        CornerSteps {
            north: along(-1),
            south: along(15),
            west: across(0),
            east: across(16),
        }
    }
}

/// The cells along each side with a straight step across, where bits determine the steps.
pub(super) fn crossings_of(cells: &SheetCells) -> [u16; 4] {
    [
        cells.walkable.row(-1) & cells.walkable.row(0),
        cells.columns[16] & cells.columns[17],
        cells.walkable.row(16) & cells.walkable.row(15),
        cells.columns[0] & cells.columns[1],
    ]
}

/// Diagonal steps over the edge of a sector that no straight steps imply: south-east, then
/// south-west, by the cell that they begin at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CornerSteps {
    /// From row -1: bit x + 1 is column x.
    north: [u32; 2],
    /// From row 15.
    south: [u32; 2],
    /// Between columns -1 and 0: bit y is row y, 0 to 14.
    west: [u16; 2],
    /// Between columns 15 and 16.
    east: [u16; 2],
}

impl CornerSteps {
    /// Calls `visit` with each step, row by row: the cell inside the sector, and the other end, -1
    /// to 16 each.
    fn for_each(&self, mut visit: impl FnMut((i32, i32), (i32, i32))) {
        let sides = self.west.iter().chain(&self.east);
        let sides = sides.fold(0, |all, side| all | side);
        let ends = self.north.iter().chain(&self.south);
        if sides == 0 && ends.clone().all(|end| *end == 0) {
            return;
        }
        let inside = |(x, y): (i32, i32)| (0..16).contains(&x) && (0..16).contains(&y);
        for y in -1..16 {
            for (index, dx) in [(0, 1), (1, -1)] {
                let mut bare = match y {
                    -1 => self.north[index],
                    15 => self.south[index],
                    _ => {
                        let bit = |side: [u16; 2]| u32::from(side[index] >> y & 1);
                        (bit(self.west) | bit(self.east) << 16) << index
                    }
                };
                while bare != 0 {
                    let x = i32::from(bare.trailing_zeros().to_le_bytes()[0]) - 1;
                    bare &= bare - 1;
                    let (from, to) = ((x, y), (x + dx, y + 1));
                    match (inside(from), inside(to)) {
                        (true, false) => visit(from, to),
                        (false, true) => visit(to, from),
                        _ => {}
                    }
                }
            }
        }
    }
}

impl LayerSheetRef<'_> {
    /// True if such a diagonal leads over a corner to the sector at `position`.
    fn has_unsupported_corner(self, position: u8) -> bool {
        let east = (position.wrapping_sub(self.cells.position)) & 7 == 1;
        let south = ((position >> 3).wrapping_sub(self.cells.position >> 3)) & 7 == 1;
        let towards = match (east, south) {
            (true, true) => Direction::SouthEast,
            (true, false) => Direction::NorthEast,
            (false, true) => Direction::SouthWest,
            (false, false) => Direction::NorthWest,
        };
        let mut found = false;
        self.corner_steps()
            .for_each(|_, (x, y)| found |= over_edge(x, y) == towards);
        found
    }
}

impl Layer {
    /// Calls `visit` in both directions for each open nav link of a sector whose ends are walkable.
    fn for_each_nav_link(
        &self,
        ground: &Ground,
        sector: SectorId,
        mut visit: impl FnMut(RegionSlot, RegionSlot),
    ) {
        let Some(features) = ground.features.sector(sector) else {
            return;
        };
        let slot_of = |node: NodeId| {
            let sheet = self.sheet(ground, node.page(), node.position())?;
            Some(RegionSlot {
                page: node.page(),
                position: node.position(),
                ordinal: sheet.region_at(node.local())?,
            })
        };
        for nav_link in &features.nav_links {
            if !nav_link.state.admits(self.compiled.keys) {
                continue;
            }
            let end = |cell| floor_at(ground, cell).and_then(slot_of);
            if let (Some(from), Some(to)) = (end(nav_link.from), end(nav_link.to)) {
                visit(from, to);
                visit(to, from);
            }
        }
    }
}

impl LayerGraph<'_> {
    /// Edges of a sheet whose bits determine its steps, from its borders. Unless `all`, straight steps north and
    /// west inside the block are skipped: the sheets there report them.
    fn for_each_uniform_link(
        &self,
        page: u32,
        sheet: LayerSheetRef<'_>,
        all: bool,
        mut visit: impl FnMut(u8, RegionSlot),
    ) {
        let position = sheet.cells.position;
        let (x, y) = (position & 3, position >> 3 & 3);
        let skipped = [!all && y != 0, false, false, !all && x != 0];
        let crossings = sheet.all_crossings();
        let sides = (0..4_u8).zip(Direction::STRAIGHT).zip(skipped);
        for ((side, direction), _) in sides.filter(|(_, skipped)| !skipped) {
            let crossings = crossings[usize::from(side)];
            if crossings == 0 {
                continue;
            }
            let (next, there) = self.ground.next_sheet(page, position, direction);
            let Some(other) = self.layer.sheet(self.ground, next, there) else {
                continue;
            };
            // A run of cells along the border belongs to one region on each side.
            let mut firsts = crossings & !(crossings << 1);
            while firsts != 0 {
                let at = firsts.trailing_zeros().to_le_bytes()[0];
                firsts &= firsts - 1;
                let (here, beyond) = facing_cells(direction, at);
                let ends = (sheet.region_at(here), other.region_at(beyond));
                if let (Some(own), Some(ordinal)) = ends {
                    let to = RegionSlot {
                        page: next,
                        position: there,
                        ordinal,
                    };
                    visit(own, to);
                }
            }
        }
        self.for_each_corner_link(page, sheet, visit);
    }

    /// Edges of a sheet by diagonals over its border that no straight steps imply.
    pub(super) fn for_each_corner_link(
        &self,
        page: u32,
        sheet: LayerSheetRef<'_>,
        mut visit: impl FnMut(u8, RegionSlot),
    ) {
        sheet.corner_steps().for_each(|from, to| {
            if let Some((own, to)) = self.regions_of_step(page, sheet, from, to) {
                visit(own, to);
            }
        });
    }

    /// The regions at both ends of a step from a cell of a sheet; `to` may lie just outside of it.
    pub(super) fn regions_of_step(
        &self,
        page: u32,
        sheet: LayerSheetRef<'_>,
        from: (i32, i32),
        to: (i32, i32),
    ) -> Option<(u8, RegionSlot)> {
        let local = |(x, y): (i32, i32)| ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
        let over = over_edge(to.0, to.1);
        let (page, position) = self.ground.next_sheet(page, sheet.cells.position, over);
        let other = self.layer.sheet(self.ground, page, position)?;
        let own = sheet.region_at(local(from))?;
        let ordinal = other.region_at(local(to))?;
        let to = RegionSlot {
            page,
            position,
            ordinal,
        };
        Some((own, to))
    }

    /// Calls `visit` with the edges of the regions at a position of a page; those inside a block
    /// at both ends only if `all`.
    pub(super) fn for_each_edge(
        &self,
        page: u32,
        position: u8,
        all: bool,
        mut visit: impl FnMut(u8, RegionSlot),
    ) {
        let Some(sheet) = self.layer.sheet(self.ground, page, position) else {
            return;
        };
        if sheet.has_bit_steps() {
            self.for_each_uniform_link(page, sheet, all, &mut visit);
        }
        if !sheet.may_have_nav_links() {
            return;
        }
        for link in sheet.links() {
            let apart = link.position ^ position;
            let over_corner = apart & 7 != 0 && apart >> 3 != 0;
            // A narrow body can take both routes around a corner, so the straight edges imply this
            // one; on planar ground so can any, but for unsupported diagonals.
            let around = || {
                let there = self.layer.sheet(self.ground, link.page, link.position);
                let uniform = there.filter(|there| there.has_bit_steps());
                !self.layer.disc.is_wide()
                    || uniform.is_some_and(|there| !there.has_unsupported_corner(position))
            };
            if !over_corner || !around() {
                visit(link.own, link.to());
            }
        }
        let floors = self.ground.page(page).sheet(position);
        let details = floors.and_then(|floors| floors.details.as_deref());
        if details.is_some_and(|details| !bitboard::is_empty(&details.nav_links)) {
            let sector = self.ground.page(page).key.sector(position);
            self.layer
                .for_each_nav_link(self.ground, sector, |from, to| {
                    if (from.page, from.position) == (page, position) {
                        visit(from.ordinal, to);
                    }
                });
        }
    }
}

impl RegionAdjacency for LayerGraph<'_> {
    fn key(&self, page: u32) -> (PageKey, u8) {
        self.ground.key(page)
    }

    fn neighbor_pages(&self, page: u32) -> [u32; 4] {
        self.ground.neighbor_pages(page)
    }

    fn n_regions(&self, page: u32, position: u8) -> u8 {
        let sheet = self.layer.sheet(self.ground, page, position);
        sheet.map_or(0, LayerSheetRef::n_regions)
    }

    fn for_each_link(&self, page: u32, position: u8, visit: impl FnMut(u8, RegionSlot)) {
        self.for_each_edge(page, position, false, visit);
    }

    fn label(&self, location: RegionSlot) -> Option<u16> {
        let sheet = self
            .layer
            .sheet(self.ground, location.page, location.position)?;
        sheet.label(location.ordinal)
    }
}

impl LayerLabels<'_> {
    fn graph(&self) -> LayerGraph<'_> {
        LayerGraph {
            ground: self.ground,
            layer: self.layer,
        }
    }
}

impl RegionAdjacency for LayerLabels<'_> {
    fn key(&self, page: u32) -> (PageKey, u8) {
        self.ground.key(page)
    }

    fn neighbor_pages(&self, page: u32) -> [u32; 4] {
        self.ground.neighbor_pages(page)
    }

    fn n_regions(&self, page: u32, position: u8) -> u8 {
        self.graph().n_regions(page, position)
    }

    fn for_each_link(&self, page: u32, position: u8, visit: impl FnMut(u8, RegionSlot)) {
        self.graph().for_each_link(page, position, visit);
    }

    fn label(&self, location: RegionSlot) -> Option<u16> {
        self.graph().label(location)
    }
}

impl RegionLabels for LayerLabels<'_> {
    fn set_labels(&mut self, page: u32, position: u8, mut next: impl FnMut() -> u16) {
        let Some(page) = self.layer.pages[page as usize].as_deref_mut() else {
            return;
        };
        if page.is_shared(position) {
            page.set_shared_label(position, next());
        } else if let Some(sheet) = page.own_sheet_mut(position) {
            for ordinal in 0..sheet.cells.n_regions {
                sheet.set_label(ordinal, next());
            }
        }
    }
}
