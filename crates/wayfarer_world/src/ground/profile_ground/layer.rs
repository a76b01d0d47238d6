//! A layer: what is derived of the ground for one profile, sheet by sheet.

use wayfarer_base::Profile;

use super::diagonals::DiagonalMasks;
use super::disc::Disc;
use super::step_masks::StepMasks;
use crate::ground::Ground;
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
    pub(in crate::ground) compiled: CompiledProfile,
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
    /// For each position the index of its sheet, or [`SHARED`], or [`NO_SHEET`].
    table: [u8; 64],
    /// Those that differ from the ground's, sorted by position.
    pub(super) sheets: Vec<LayerSheet>,
    /// The labels of shared sheets by position, if there is one.
    shared_labels: Option<Box<[u16; 64]>>,
}

/// Nothing is walkable at a position.
const NO_SHEET: u8 = u8::MAX;
/// The ground's cells at a position are those of the layer too: one region, steps by bits, base costs.
const SHARED: u8 = u8::MAX - 1;

impl Default for LayerPage {
    fn default() -> Self {
        Self {
            table: [NO_SHEET; 64],
            sheets: Vec::new(),
            shared_labels: None,
        }
    }
}

/// A sheet with at least one cell where the agent fits, stored by the layer.
#[derive(Clone, Debug)]
pub(super) struct LayerSheet {
    /// Cells where the agent fits; the borders are valid on planar ground only.
    pub(super) cells: SheetCells,
    /// The label of the only region, if there is one.
    pub(super) label: u16,
    /// On planar ground where the cells do not determine the diagonals.
    pub(super) diagonals: Option<Box<DiagonalMasks>>,
    /// What few sheets have.
    pub(super) details: Option<Box<LayerDetails>>,
}

/// What the cells and diagonals of a sheet do not say.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerDetails {
    /// On irregular ground and past thin walls.
    pub(super) steps: Option<Box<StepMasks>>,
    /// All regions, if there are several.
    pub(super) regions: Box<[LayerRegion]>,
    /// Edges between regions where bits do not determine the steps, each stored at both ends; sorted.
    pub(super) links: Box<[Link]>,
}

/// A sheet of a layer, its own or shared with the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerSheetRef<'a> {
    pub(super) cells: &'a SheetCells,
    label: u16,
    diagonals: Option<&'a DiagonalMasks>,
    details: Option<&'a LayerDetails>,
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
    /// True if the agent fits anywhere at a position.
    pub(super) fn has_sheet(&self, position: u8) -> bool {
        self.table[usize::from(position & 63)] != NO_SHEET
    }

    /// True if the cells at a position are the ground's.
    #[inline]
    pub(super) fn is_shared(&self, position: u8) -> bool {
        self.table[usize::from(position & 63)] == SHARED
    }

    /// The positions where the agent fits anywhere.
    pub(super) fn positions(&self) -> impl Iterator<Item = u8> {
        (0..64).filter(|position| self.has_sheet(*position))
    }

    /// The layer's own sheet at a position.
    #[inline]
    pub(super) fn own_sheet(&self, position: u8) -> Option<&LayerSheet> {
        self.sheets
            .get(usize::from(self.table[usize::from(position & 63)]))
    }

    pub(super) fn own_sheet_mut(&mut self, position: u8) -> Option<&mut LayerSheet> {
        self.sheets
            .get_mut(usize::from(self.table[usize::from(position & 63)]))
    }

    fn shared_label(&self, position: u8) -> u16 {
        let labels = self.shared_labels.as_deref();
        labels.map_or(0, |labels| labels[usize::from(position & 63)])
    }

    pub(super) fn set_shared_label(&mut self, position: u8, label: u16) {
        let labels = self.shared_labels.get_or_insert_with(|| Box::new([0; 64]));
        labels[usize::from(position & 63)] = label;
    }

    /// Shares the ground's cells at a position, instead of an own sheet if there is one.
    pub(super) fn share(&mut self, position: u8, label: u16) {
        self.remove(position);
        self.table[usize::from(position & 63)] = SHARED;
        self.set_shared_label(position, label);
    }

    /// Adds an own sheet at a position without one.
    pub(super) fn insert(&mut self, sheet: LayerSheet) {
        if self.sheets.len() == self.sheets.capacity() {
            self.sheets.reserve_exact((self.sheets.len() / 8).max(1));
        }
        let position = sheet.cells.position;
        let at = self
            .sheets
            .partition_point(|sheet| sheet.cells.position < position);
        self.sheets.insert(at, sheet);
        self.table[usize::from(position & 63)] = NO_SHEET;
        self.set_table();
    }

    /// Sets the flag `WEIGHTED` of the sheet at a position; a shared one with it becomes the layer's own,
    /// with the cells of `copy`.
    pub(super) fn set_weighted(
        &mut self,
        position: u8,
        is_weighted: bool,
        copy: impl FnOnce() -> Option<SheetCells>,
    ) {
        if self.is_shared(position) && is_weighted {
            let label = self.shared_label(position);
            if let Some(cells) = copy() {
                self.insert(LayerSheet {
                    cells,
                    label,
                    diagonals: None,
                    details: None,
                });
            }
        }
        if let Some(sheet) = self.own_sheet_mut(position) {
            sheet.cells.flags &= !sheet::WEIGHTED;
            sheet.cells.flags |= if is_weighted { sheet::WEIGHTED } else { 0 };
        }
    }

    /// Removes the sheet at a position.
    pub(super) fn remove(&mut self, position: u8) {
        let slot = std::mem::replace(&mut self.table[usize::from(position & 63)], NO_SHEET);
        if usize::from(slot) < self.sheets.len() {
            self.sheets.remove(usize::from(slot));
            self.set_table();
        }
    }

    /// Numbers the own sheets after one was added or removed.
    fn set_table(&mut self) {
        for (number, sheet) in (0..).zip(&self.sheets) {
            self.table[usize::from(sheet.cells.position)] = number;
        }
    }
}

impl LayerSheet {
    #[inline]
    pub(super) fn as_sheet(&self) -> LayerSheetRef<'_> {
        LayerSheetRef {
            cells: &self.cells,
            label: self.label,
            diagonals: self.diagonals.as_deref(),
            details: self.details.as_deref(),
        }
    }

    pub(super) fn set_label(&mut self, ordinal: u8, label: u16) {
        match self.details.as_deref_mut() {
            Some(details) if !details.regions.is_empty() => {
                details.regions[usize::from(ordinal)].label = label;
            }
            _ => self.label = label,
        }
    }

    /// Replaces the regions; none for a single one.
    pub(super) fn set_regions(&mut self, regions: Box<[LayerRegion]>) {
        if !regions.is_empty() || self.details.is_some() {
            self.details.get_or_insert_default().regions = regions;
        }
    }

    fn heap_bytes(&self) -> usize {
        let details = |details: &LayerDetails| {
            size_of::<LayerDetails>()
                + details
                    .steps
                    .as_deref()
                    .map_or(0, |steps| size_of_val(steps) + steps.heap_bytes())
                + size_of_val(&*details.regions)
                + size_of_val(&*details.links)
        };
        let masks = self.diagonals.as_deref();
        masks.map_or(0, size_of_val) + self.details.as_deref().map_or(0, details)
    }
}

impl<'a> LayerSheetRef<'a> {
    #[inline]
    pub(super) fn is_walkable(self, local: u8) -> bool {
        self.cells
            .walkable
            .get(i32::from(local & 15), i32::from(local >> 4))
    }

    /// True if the cells alone determine all steps, and no nav link ends here.
    #[inline]
    pub(super) fn is_bit_exact(self) -> bool {
        self.cells.flags & (sheet::MOVES | sheet::DIAGONALS) == 0
    }

    /// True if a multiplier above 1 applies here or in an adjacent sector.
    #[inline]
    pub(super) fn is_costly(self) -> bool {
        self.cells.flags & sheet::WEIGHTED != 0
    }

    /// True if a multiplier above 1 applies to a cell here.
    #[inline]
    pub(super) fn is_costly_here(self) -> bool {
        self.cells.flags & sheet::WEIGHTED_HERE != 0
    }

    /// True if cells and diagonals determine all steps, nav links aside.
    #[inline]
    pub(super) fn has_bit_steps(self) -> bool {
        self.cells.flags & (sheet::MOVES | sheet::LINKED) != sheet::MOVES
    }

    /// True if nav links may end in the sheet.
    #[inline]
    pub(super) fn may_have_nav_links(self) -> bool {
        self.cells.flags & sheet::MOVES != 0
    }

    /// The diagonal steps, if the cells do not determine them.
    #[inline]
    pub(super) fn diagonals(self) -> Option<&'a DiagonalMasks> {
        self.diagonals
    }

    /// The steps of its cells on irregular ground, nav links aside.
    #[inline]
    pub(super) fn steps(self) -> Option<&'a StepMasks> {
        self.details?.steps.as_deref()
    }

    /// All regions, if there are several.
    #[inline]
    pub(super) fn regions(self) -> &'a [LayerRegion] {
        self.details.map_or(&[], |details| &details.regions)
    }

    /// Stored edges.
    pub(super) fn links(self) -> &'a [Link] {
        self.details.map_or(&[], |details| &details.links)
    }

    pub(super) fn region_at(self, local: u8) -> Option<u8> {
        let regions = self.regions();
        if regions.is_empty() {
            return self.is_walkable(local).then_some(0);
        }
        (0..=u8::MAX)
            .zip(regions)
            .find(|(_, region)| bitboard::has(&region.board, local))
            .map(|(ordinal, _)| ordinal)
    }

    /// The cells of a region.
    pub(super) fn board_of(self, ordinal: u8) -> Bitboard {
        let region = self.regions().get(usize::from(ordinal));
        region.map_or_else(|| self.cells.walkable.board(), |region| region.board)
    }

    pub(super) fn n_regions(self) -> u8 {
        u8::try_from(self.regions().len().max(1)).expect("at most 128 regions")
    }

    pub(super) fn label(self, ordinal: u8) -> Option<u16> {
        match self.regions() {
            [] => (ordinal == 0).then_some(self.label),
            regions => regions.get(usize::from(ordinal)).map(|region| region.label),
        }
    }
}

impl Layer {
    #[inline]
    fn page(&self, page: u32) -> Option<&LayerPage> {
        self.pages.get(page as usize)?.as_deref()
    }

    /// The sheet at a position of a page, if the agent fits anywhere in it.
    #[inline]
    pub(super) fn sheet<'a>(
        &'a self,
        ground: &'a Ground,
        page: u32,
        position: u8,
    ) -> Option<LayerSheetRef<'a>> {
        let here = self.page(page)?;
        if let Some(own) = here.own_sheet(position) {
            return Some(own.as_sheet());
        }
        if !here.is_shared(position) {
            return None;
        }
        Some(LayerSheetRef {
            cells: &ground.page(page).sheet(position)?.cells,
            label: here.shared_label(position),
            diagonals: None,
            details: None,
        })
    }

    /// True if the layer has a sheet at a position of a page.
    pub(super) fn has_sheet(&self, page: u32, position: u8) -> bool {
        self.page(page).is_some_and(|page| page.has_sheet(position))
    }

    /// True if the sheet at a position of a page is the ground's.
    pub(super) fn is_shared(&self, page: u32, position: u8) -> bool {
        self.page(page).is_some_and(|page| page.is_shared(position))
    }

    /// The cells of a sheet, if the agent fits anywhere in it.
    #[inline]
    pub(crate) fn cells<'a>(
        &'a self,
        ground: &'a Ground,
        page: u32,
        position: u8,
    ) -> Option<&'a SheetCells> {
        let here = self.page(page)?;
        match here.own_sheet(position) {
            Some(own) => Some(&own.cells),
            None if here.is_shared(position) => Some(&ground.page(page).sheet(position)?.cells),
            None => None,
        }
    }

    /// The diagonal steps of a sheet, if its cells do not determine them.
    pub(crate) fn diagonals(&self, page: u32, position: u8) -> Option<&DiagonalMasks> {
        self.page(page)?.own_sheet(position)?.diagonals.as_deref()
    }

    /// The region of a cell; 0 if the agent does not fit there.
    pub(crate) fn region_at(&self, page: u32, position: u8, local: u8) -> u8 {
        let own = self.page(page).and_then(|page| page.own_sheet(position));
        // A shared sheet has one region.
        own.and_then(|sheet| sheet.as_sheet().region_at(local))
            .unwrap_or_default()
    }

    pub(super) fn is_walkable(&self, ground: &Ground, node: NodeId) -> bool {
        self.sheet(ground, node.page(), node.position())
            .is_some_and(|sheet| sheet.is_walkable(node.local()))
    }

    /// All sheets with their pages, in storage order.
    pub(super) fn sheets<'a>(
        &'a self,
        ground: &'a Ground,
    ) -> impl Iterator<Item = (u32, LayerSheetRef<'a>)> {
        let pages = (0_u32..).zip(&self.pages);
        let pages = pages.filter_map(|(number, page)| Some((number, page.as_deref()?)));
        pages.flat_map(move |(number, page)| {
            page.positions()
                .filter_map(move |position| Some((number, self.sheet(ground, number, position)?)))
        })
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let page = |page: &LayerPage| {
            size_of::<LayerPage>()
                + page.sheets.capacity() * size_of::<LayerSheet>()
                + page.shared_labels.as_deref().map_or(0, size_of_val)
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
