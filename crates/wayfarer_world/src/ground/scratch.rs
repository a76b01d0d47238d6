//! Buffers of the repair pipeline, one struct per stage.
//!
//! The ground keeps them between batches, so that an edit allocates only while they grow.
//! [`Ground::trim`](super::Ground::trim) drops them.

use wayfarer_base::{Cell, CostChange, NavLink, SectorId, Terrain};

use super::bitboard::Bitboard;
use super::hierarchy::{ComponentId, RegionSlot, RelabelScratch};
use super::irregular::Neighborhood;
use super::page::Directory;
use super::profile_ground::LayerWork;
use super::regions::Part;
use super::repair::Dirty;
use super::sheet::{Portal, RegionLink, WidePortal};
use super::window::Window;

/// The buffers of all stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Floors of the column under edit.
    pub(super) column: Vec<(i32, Terrain)>,
    pub(super) batch: BatchScratch,
    pub(super) sectors: SectorScratch,
    /// Floors around the sector whose steps are evaluated.
    pub(super) neighborhood: Neighborhood,
    /// Regions of the sheet at hand.
    pub(super) parts: Vec<Part>,
    pub(super) portals: PortalScratch,
    pub(super) links: LinkScratch,
    pub(super) old: OldState,
    pub(super) components: ComponentScratch,
    pub(super) layers: LayerWork,
}

/// What the edits of a batch made dirty.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchScratch {
    pub(super) dirty: Vec<Dirty>,
    /// Sector to index in `dirty`.
    pub(super) index: Directory,
    /// For each dirty sector how costs there changed, if they did.
    pub(super) cost_changes: Vec<Option<CostChange>>,
    /// Nav links that opened or closed for the default profile, as they are now.
    pub(super) toggled_links: Vec<NavLink>,
    /// What modifiers were added and removed, sector by sector.
    pub(super) modifier_changes: Vec<ModifierChange>,
}

/// A modifier that was added to or removed from a sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModifierChange {
    /// Its columns in the sector.
    pub(super) columns: Bitboard,
    pub(super) heights: (i32, i32),
    /// What it adds to multipliers, in sixteenths.
    pub(super) sixteenths: u32,
    pub(super) is_added: bool,
    /// The change of the same sector before it.
    pub(super) previous: Option<u32>,
}

/// The sectors that each stage repairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct SectorScratch {
    /// Stages borders, successors and regions; true if the sector itself is dirty.
    pub(super) borders: Vec<(SectorId, bool)>,
    /// For each of `borders`, whether the steps of cells must be evaluated, and of which.
    pub(super) touched: Vec<(bool, Option<Window>)>,
    /// Stage portals; true if the sector's regions were found anew.
    pub(super) portals: Vec<(SectorId, bool)>,
    /// Sectors whose flag `WEIGHTED` may have changed, and perhaps nothing else.
    pub(super) weights: Vec<SectorId>,
    /// Pages of the sector at hand, the lowest first.
    pub(super) pages: Vec<u32>,
}

/// Portals of the sheet at hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortalScratch {
    pub(super) uniform: Vec<(u8, Portal)>,
    /// For each region its diagonals over the sector's corners.
    pub(super) corners: Vec<u8>,
    pub(super) wide: Vec<WidePortal>,
}

/// Edges between regions that open nav links make.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkScratch {
    pub(super) sectors: Vec<SectorId>,
    pub(super) found: Vec<(RegionSlot, RegionLink)>,
}

/// Input and buffers of the component hierarchy.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComponentScratch {
    /// Blocks whose regions or edges changed.
    pub(super) blocks: Vec<u32>,
    pub(super) relabel: RelabelScratch,
    /// Pages that lost their last sheet.
    pub(super) freed_pages: Vec<u32>,
}

/// Connectivity before the batch where it may change, and what came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OldState {
    pub(super) cells: Vec<OldCell>,
    pub(super) regions: Vec<OldRegion>,
    pub(super) kept_regions: Vec<KeptRegion>,
    /// True if a cell that stayed moved from one region of its sheet to another.
    pub(super) has_renumbered_cells: bool,
    /// Components before the batch: of `regions`, then `kept_regions`, then `cells`.
    pub(super) components: Vec<ComponentId>,
    pub(super) witnesses: Vec<Witness>,
    pub(super) split_pairs: Vec<(Cell, Cell)>,
    pub(super) merged_pairs: Vec<(Cell, Cell)>,
}

/// A cell of a changed column in a sector with a rank of several heights, with the label its region had.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OldCell {
    pub(super) cell: Cell,
    pub(super) page: u32,
    pub(super) position: u8,
    pub(super) label: u16,
}

/// A region before it is found anew.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OldRegion {
    pub(super) page: u32,
    pub(super) position: u8,
    pub(super) label: u16,
    pub(super) board: Bitboard,
    /// True if the region is known to have had no portal.
    pub(super) is_isolated: bool,
    /// The height its cells had, until it is known that they kept it and their rank.
    pub(super) height_before: Option<i32>,
    /// True in a sector with a rank of several heights: cells of changed columns are recorded one by one.
    pub(super) is_mixed: bool,
}

/// A region that stays while its portals or nav links change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptRegion {
    pub(super) page: u32,
    pub(super) position: u8,
    pub(super) ordinal: u8,
    pub(super) label: u16,
}

/// A cell that exists before and after the batch, with both its components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness {
    pub(super) cell: Cell,
    pub(super) before: ComponentId,
    pub(super) after: ComponentId,
}

fn bytes<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

impl Scratch {
    /// Drops what the last repair left of borders, blocks and the old state.
    pub(super) fn begin_repair(&mut self) {
        self.sectors.borders.clear();
        self.sectors.weights.clear();
        self.components.blocks.clear();
        self.old.kept_regions.clear();
        self.old.has_renumbered_cells = false;
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        bytes(&self.column)
            + self.batch.heap_bytes()
            + bytes(&self.sectors.borders)
            + bytes(&self.sectors.touched)
            + bytes(&self.sectors.portals)
            + bytes(&self.sectors.weights)
            + bytes(&self.sectors.pages)
            + self.neighborhood.heap_bytes()
            + bytes(&self.parts)
            + bytes(&self.portals.uniform)
            + bytes(&self.portals.corners)
            + bytes(&self.portals.wide)
            + bytes(&self.links.sectors)
            + bytes(&self.links.found)
            + self.old.heap_bytes()
            + bytes(&self.components.blocks)
            + self.components.relabel.heap_bytes()
            + bytes(&self.components.freed_pages)
            + self.layers.heap_bytes()
    }
}

impl BatchScratch {
    fn heap_bytes(&self) -> usize {
        bytes(&self.dirty)
            + self.index.heap_bytes()
            + bytes(&self.cost_changes)
            + bytes(&self.toggled_links)
            + bytes(&self.modifier_changes)
    }
}

impl OldState {
    fn heap_bytes(&self) -> usize {
        bytes(&self.cells)
            + bytes(&self.regions)
            + bytes(&self.kept_regions)
            + bytes(&self.components)
            + bytes(&self.witnesses)
            + bytes(&self.split_pairs)
            + bytes(&self.merged_pairs)
    }
}
