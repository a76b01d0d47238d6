//! Heap usage of a ground, exact to the byte but for solids.

use super::bitboard::Bitboard;
use super::profile_ground::{Layer, RegisteredProfile};
use super::sheet::{
    Heights, Portal, Region, RegionLink, RegionTable, Sheet, SheetDetails, WidePortal,
};
use super::step_table::StepTable;
use super::{Ground, Page};

/// Bytes on the heap by purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryReport {
    /// Pages and their directory.
    pub pages: usize,
    /// Sheets: bits in both orientations, single regions with their portals.
    pub sheets: usize,
    /// Region tables: regions, cells and portals of sheets with several regions.
    pub regions: usize,
    /// Details of irregular sheets: heights, terrains, modifier sums, direction masks.
    pub details: usize,
    /// Walls and nav links.
    pub features: usize,
    /// Cost modifiers.
    pub cost_modifiers: usize,
    /// Solids and the terrain they cover, without what their shapes share.
    pub solids: usize,
    /// Component hierarchy.
    pub components: usize,
    /// Derived data of registered profiles.
    pub profiles: usize,
    /// Repair buffers; [`Ground::trim`] frees them.
    pub scratch: usize,
}

impl MemoryReport {
    /// All bytes but scratch.
    pub fn total(&self) -> usize {
        self.pages
            + self.sheets
            + self.regions
            + self.details
            + self.features
            + self.cost_modifiers
            + self.solids
            + self.components
            + self.profiles
    }
}

impl Ground {
    /// Heap usage; without solids it equals what a counting allocator measures. O(sheets).
    pub fn memory_report(&self) -> MemoryReport {
        let mut report = MemoryReport::default();
        let n_pages = self.pages.iter().flatten().count();
        report.pages = self.pages.capacity() * size_of::<Option<Box<Page>>>()
            + n_pages * size_of::<Page>()
            + self.free_pages.capacity() * size_of::<u32>()
            + self.directory.heap_bytes();
        for page in self.pages.iter().flatten() {
            report.sheets += page.sheets.capacity() * size_of::<Sheet>();
            for sheet in &page.sheets {
                report.regions += sheet
                    .region_table
                    .as_deref()
                    .map_or(0, RegionTable::heap_bytes);
                report.details += sheet.details.as_deref().map_or(0, SheetDetails::heap_bytes);
            }
        }
        (report.features, report.cost_modifiers) = self.features.heap_bytes();
        let multipliers = self.default_profile.terrain_costs.capacity()
            * size_of::<(wayfarer_base::Terrain, wayfarer_base::CostMultiplier)>();
        report.features += multipliers;
        report.solids = self.solids.heap_bytes();
        report.components = self.hierarchy.heap_bytes();
        let layers = self.layers.iter().flatten();
        let layers = layers.map(|layer| size_of::<Layer>() + layer.heap_bytes());
        let registered = self.profiles.iter().flatten().map(|registered| {
            registered.profile.terrain_costs.capacity()
                * size_of::<(wayfarer_base::Terrain, wayfarer_base::CostMultiplier)>()
        });
        report.profiles = layers.sum::<usize>()
            + self.layers.capacity() * size_of::<Option<Box<Layer>>>()
            + registered.sum::<usize>()
            + self.profiles.capacity() * size_of::<Option<RegisteredProfile>>();
        report.scratch = self.scratch.as_deref().map_or(0, |scratch| {
            size_of::<super::Scratch>() + scratch.heap_bytes()
        });
        report
    }
}

impl RegionTable {
    fn heap_bytes(&self) -> usize {
        size_of::<Self>()
            + self.regions.capacity() * size_of::<Region>()
            + self.boards.capacity() * size_of::<Bitboard>()
            + self.portals.capacity() * size_of::<Portal>()
            + self.ordinals.as_ref().map_or(0, |_| 256)
    }
}

impl SheetDetails {
    fn heap_bytes(&self) -> usize {
        let heights = match &self.heights {
            Heights::Flat => 0,
            Heights::Near(_) => 256,
            Heights::Far(_) => 256 * size_of::<i32>(),
        };
        size_of::<Self>()
            + heights
            + self.terrains.as_ref().map_or(0, |_| 256)
            + self
                .modifiers
                .as_ref()
                .map_or(0, |_| 256 * size_of::<u32>())
            + self
                .moves
                .as_deref()
                .map_or(0, |steps| size_of::<StepTable>() + steps.heap_bytes())
            + self.wide.capacity() * size_of::<WidePortal>()
            + self.region_links.capacity() * size_of::<RegionLink>()
    }
}
