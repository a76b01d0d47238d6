//! A layer: what is derived of the ground for one profile, sheet by sheet.

use wayfarer_base::Profile;

use super::diagonals::DiagonalMasks;
use super::disc::Disc;
use crate::ground::bitboard::{self, Bitboard};
use crate::ground::compiled_profile::CompiledProfile;
use crate::ground::hierarchy::{Hierarchy, RegionSlot};
use crate::ground::node::NodeId;
use crate::ground::sheet::{self, SheetCells};

/// Everything derived for one profile.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Its slot, 1 or more: 0 stands for what the ground itself holds for the default profile.
    pub(super) slot: u32,
    /// Different for every layer that the ground ever had, and never 0.
    pub(super) id: u32,
    /// Registered profiles that it serves.
    pub(super) n_users: u32,
    pub(super) profile: Profile,
    pub(super) compiled: CompiledProfile,
    pub(super) disc: Disc,
    /// Indexed like the ground's pages.
    pub(super) pages: Vec<Option<Box<LayerPage>>>,
    pub(super) hierarchy: Hierarchy,
    /// Sheets with a multiplier above 1.
    pub(super) n_weighted: u32,
    /// True if there were any when their flags were last set.
    pub(super) has_weights: bool,
}

/// The sheets of a page for one profile.
#[derive(Clone, Debug)]
pub(super) struct LayerPage {
    /// For each position the index of its sheet.
    table: [u8; 64],
    /// Sorted by position.
    pub(super) sheets: Vec<LayerSheet>,
}

impl Default for LayerPage {
    fn default() -> Self {
        Self {
            table: [u8::MAX; 64],
            sheets: Vec::new(),
        }
    }
}

/// A sheet with at least one cell where the agent fits.
#[derive(Clone, Debug)]
pub(super) struct LayerSheet {
    /// Cells where the agent fits; the borders are valid on planar ground only.
    pub(super) cells: SheetCells,
    /// The label of the only region, if there is one.
    pub(super) label: u16,
    /// On planar ground where the cells do not determine the diagonals.
    pub(super) diagonals: Option<Box<DiagonalMasks>>,
    /// All regions, if there are several.
    pub(super) regions: Option<Box<[LayerRegion]>>,
    /// Edges between regions where bits do not determine the steps, each stored at both ends; sorted.
    pub(super) links: Box<[Link]>,
}

/// An edge between two regions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Link {
    pub(super) own: u8,
    pub(super) position: u8,
    pub(super) ordinal: u8,
    pub(super) page: u32,
}

impl Link {
    pub(super) fn new(own: u8, to: RegionSlot) -> Self {
        Self {
            own,
            position: to.position,
            ordinal: to.ordinal,
            page: to.page,
        }
    }

    pub(super) fn to(self) -> RegionSlot {
        RegionSlot {
            page: self.page,
            position: self.position,
            ordinal: self.ordinal,
        }
    }
}

/// Cells of a sheet that are connected for the agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerRegion {
    pub(super) board: Bitboard,
    pub(super) label: u16,
}

impl LayerPage {
    #[inline]
    pub(super) fn sheet(&self, position: u8) -> Option<&LayerSheet> {
        self.sheets
            .get(usize::from(self.table[usize::from(position & 63)]))
    }

    pub(super) fn sheet_mut(&mut self, position: u8) -> Option<&mut LayerSheet> {
        self.sheets
            .get_mut(usize::from(self.table[usize::from(position & 63)]))
    }

    /// Adds a sheet at a free position.
    pub(super) fn insert(&mut self, sheet: LayerSheet) {
        if self.sheets.len() == self.sheets.capacity() {
            self.sheets.reserve_exact((self.sheets.len() / 8).max(1));
        }
        let position = sheet.cells.position;
        let at = self
            .sheets
            .partition_point(|sheet| sheet.cells.position < position);
        self.sheets.insert(at, sheet);
        self.set_table();
    }

    /// Removes the sheet at a position.
    pub(super) fn remove(&mut self, position: u8) {
        self.sheets.retain(|sheet| sheet.cells.position != position);
        self.set_table();
    }

    /// Rebuilds the table after a sheet was added or removed.
    fn set_table(&mut self) {
        self.table = [u8::MAX; 64];
        for (number, sheet) in (0..).zip(&self.sheets) {
            self.table[usize::from(sheet.cells.position)] = number;
        }
    }
}

impl LayerSheet {
    #[inline]
    pub(super) fn is_walkable(&self, local: u8) -> bool {
        self.cells
            .walkable
            .get(i32::from(local & 15), i32::from(local >> 4))
    }

    /// True if the cells alone determine all steps, and no nav link ends here.
    #[inline]
    pub(super) fn is_bit_exact(&self) -> bool {
        self.cells.flags & (sheet::MOVES | sheet::DIAGONALS) == 0
    }

    /// True if a multiplier above 1 applies here or in an adjacent sector.
    #[inline]
    pub(super) fn is_costly(&self) -> bool {
        self.cells.flags & sheet::WEIGHTED != 0
    }

    pub(super) fn region_at(&self, local: u8) -> Option<u8> {
        match &self.regions {
            None => self.is_walkable(local).then_some(0),
            Some(regions) => (0..=u8::MAX)
                .zip(regions)
                .find(|(_, region)| bitboard::has(&region.board, local))
                .map(|(ordinal, _)| ordinal),
        }
    }

    /// The cells of a region.
    pub(super) fn board_of(&self, ordinal: u8) -> Bitboard {
        match &self.regions {
            None => self.cells.walkable.board(),
            Some(regions) => regions[usize::from(ordinal)].board,
        }
    }

    /// True if cells and diagonals determine all steps, nav links aside.
    #[inline]
    pub(super) fn has_bit_steps(&self) -> bool {
        self.cells.flags & (sheet::MOVES | sheet::LINKED) != sheet::MOVES
    }

    /// True if nav links may end in the sheet.
    #[inline]
    pub(super) fn may_have_nav_links(&self) -> bool {
        self.cells.flags & sheet::MOVES != 0
    }

    pub(super) fn n_regions(&self) -> usize {
        self.regions.as_ref().map_or(1, |regions| regions.len())
    }

    pub(super) fn label(&self, ordinal: u8) -> Option<u16> {
        match &self.regions {
            None => (ordinal == 0).then_some(self.label),
            Some(regions) => regions.get(usize::from(ordinal)).map(|region| region.label),
        }
    }

    pub(super) fn set_label(&mut self, ordinal: u8, label: u16) {
        match &mut self.regions {
            None => self.label = label,
            Some(regions) => regions[usize::from(ordinal)].label = label,
        }
    }

    fn heap_bytes(&self) -> usize {
        let n_regions = self.regions.as_ref().map_or(0, |regions| regions.len());
        let diagonals = self
            .diagonals
            .as_ref()
            .map_or(0, |_| size_of::<DiagonalMasks>());
        n_regions * size_of::<LayerRegion>() + self.links.len() * size_of::<Link>() + diagonals
    }
}

impl Layer {
    #[inline]
    pub(super) fn sheet(&self, page: u32, position: u8) -> Option<&LayerSheet> {
        self.pages.get(page as usize)?.as_deref()?.sheet(position)
    }

    /// The cells of a sheet, if the agent fits anywhere in it.
    #[inline]
    pub(crate) fn cells(&self, page: u32, position: u8) -> Option<&SheetCells> {
        self.sheet(page, position).map(|sheet| &sheet.cells)
    }

    /// The diagonal steps of a sheet, if its cells do not determine them.
    pub(crate) fn diagonals(&self, page: u32, position: u8) -> Option<&DiagonalMasks> {
        self.sheet(page, position)?.diagonals.as_deref()
    }

    /// The region of a cell; 0 if the agent does not fit there.
    pub(crate) fn region_at(&self, page: u32, position: u8, local: u8) -> u8 {
        let sheet = self.sheet(page, position);
        sheet
            .and_then(|sheet| sheet.region_at(local))
            .unwrap_or_default()
    }

    pub(super) fn is_walkable(&self, node: NodeId) -> bool {
        self.sheet(node.page(), node.position())
            .is_some_and(|sheet| sheet.is_walkable(node.local()))
    }

    /// All sheets with their pages, in storage order.
    pub(super) fn sheets(&self) -> impl Iterator<Item = (u32, &LayerSheet)> {
        let pages = (0_u32..).zip(&self.pages);
        let pages = pages.filter_map(|(number, page)| Some((number, page.as_deref()?)));
        pages.flat_map(|(number, page)| page.sheets.iter().map(move |sheet| (number, sheet)))
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let page = |page: &LayerPage| {
            size_of::<LayerPage>()
                + page.sheets.capacity() * size_of::<LayerSheet>()
                + page
                    .sheets
                    .iter()
                    .map(LayerSheet::heap_bytes)
                    .sum::<usize>()
        };
        self.pages.capacity() * size_of::<Option<Box<LayerPage>>>()
            + self
                .pages
                .iter()
                .flatten()
                .map(|found| page(found))
                .sum::<usize>()
            + self.profile.terrain_costs.capacity()
                * size_of::<(wayfarer_base::Terrain, wayfarer_base::CostMultiplier)>()
            + self.disc.heap_bytes()
            + self.hierarchy.heap_bytes()
    }
}
