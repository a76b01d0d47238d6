//! Sheets: the floors of one rank in one sector.
//!
//! The sheet of rank k has the k-th floor from below of each column, so at most one per column
//! (Recast: heightfield layer). A uniform sheet (one height, one terrain, no wall or nav link,
//! nothing above) is described by its bits; everything else is in [`SheetDetails`].

use wayfarer_base::Terrain;

use super::bitboard::{Bitboard, PaddedBitboard};
use super::compiled_profile::CompiledProfile;
use super::step_table::StepTable;

/// The cells of a sheet for one agent type: all that scans read, 88 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub(crate) struct SheetCells {
    /// Cells the agent can stand on, with the borders of the neighbors.
    pub(crate) walkable: PaddedBitboard,
    /// Sector within the page: 8 y + x.
    pub(crate) position: u8,
    /// Terrain of all cells, unless the details say otherwise.
    pub(crate) terrain: Terrain,
    /// [`MOVES`], [`WEIGHTED`], [`WEIGHTED_HERE`], [`IRREGULAR`], [`DIAGONALS`], [`LINKED`].
    pub(crate) flags: u8,
    /// The number of regions, at most 128.
    pub(crate) n_regions: u8,
    /// Height of all floors, or of the lowest.
    pub(crate) base: i32,
    /// The same cells by columns, -1 to 16, for scans along them.
    pub(crate) columns: [u16; 18],
}

/// The floors of one rank in one sector, with what is derived for the default profile.
///
/// 128 bytes; searches read the first 88, hence the fixed layout.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Sheet {
    /// The cells for the default profile.
    pub(crate) cells: SheetCells,
    /// The only region, if there is one with few portals.
    pub(crate) single_region: Region,
    /// Its portals.
    pub(crate) single_portals: [Portal; INLINE_PORTALS],
    /// All regions, if there are several or one with many portals.
    pub(crate) region_table: Option<Box<RegionTable>>,
    /// What the bits do not say.
    pub(crate) details: Option<Box<SheetDetails>>,
}

/// A sheet reads as its cells.
impl std::ops::Deref for Sheet {
    type Target = SheetCells;

    #[inline]
    fn deref(&self) -> &SheetCells {
        &self.cells
    }
}

impl std::ops::DerefMut for Sheet {
    #[inline]
    fn deref_mut(&mut self) -> &mut SheetCells {
        &mut self.cells
    }
}

/// Portals stored inline for a single region.
pub(crate) const INLINE_PORTALS: usize = 6;

/// Some steps are not what the bits say; see [`SheetDetails::moves`].
pub(crate) const MOVES: u8 = 1;
/// A multiplier above 1 here or in an adjacent sector.
pub(crate) const WEIGHTED: u8 = 2;
/// A multiplier above 1 here.
pub(crate) const WEIGHTED_HERE: u8 = 8;
/// Diagonal steps are not what the bits say, but a layer has masks for them.
pub(crate) const DIAGONALS: u8 = 16;
/// A layer's sheet has moves because nav links end in it; its cells and masks determine its steps.
pub(crate) const LINKED: u8 = 32;
/// Several heights, walls or several ranks: steps are evaluated cell by cell.
pub(crate) const IRREGULAR: u8 = 4;

/// The regions of a sheet, ordered by first cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionTable {
    pub(crate) regions: Vec<Region>,
    pub(crate) boards: Vec<Bitboard>,
    pub(crate) portals: Vec<Portal>,
    /// The ordinal of each cell, if there are more than [`FEW_REGIONS`] regions.
    pub(crate) ordinals: Option<Box<[u8; 256]>>,
}

/// Regions that a lookup scans; with more, each cell stores its ordinal.
pub(crate) const FEW_REGIONS: usize = 4;

/// Cells of a sheet connected within the sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Region {
    /// The number of cells, 1 to 256.
    pub(crate) count: u16,
    /// Component within the block.
    pub(crate) label: u16,
    /// Index of its first portal.
    pub(crate) first_portal: u16,
    /// The number of its portals.
    pub(crate) n_portals: u8,
    /// Diagonals over the sector's corners: bit 0 north-east, clockwise.
    pub(crate) corners: u8,
    /// Its first cell, row by row.
    pub(crate) first: u8,
}

/// A portal to a region of an adjacent sector: 2 bits direction (north, east, south, west), 7 bits
/// ordinal, 7 bits support (at most 46).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Portal(u16);

impl Portal {
    pub(crate) const fn new(direction: u8, ordinal: u8, support: u16) -> Self {
        Self(support << 9 | (ordinal as u16) << 2 | direction as u16)
    }
    /// 0 north, 1 east, 2 south, 3 west.
    pub(crate) const fn direction(self) -> u8 {
        (self.0 & 3) as u8
    }
    /// Ordinal of the target region.
    pub(crate) const fn ordinal(self) -> u8 {
        (self.0 >> 2 & 127) as u8
    }
    /// The number of steps across.
    pub(crate) const fn support(self) -> u16 {
        self.0 >> 9
    }
    /// The same target with another support.
    pub(crate) const fn with_support(self, support: u16) -> Self {
        Self(self.target() | support << 9)
    }
    /// Direction and ordinal, without the support.
    pub(crate) const fn target(self) -> u16 {
        self.0 & 511
    }
}

/// A portal between any two regions, for irregular sheets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct WidePortal {
    /// Ordinal of the start.
    pub(crate) from: u8,
    /// Position of the target.
    pub(crate) position: u8,
    /// Ordinal of the target.
    pub(crate) ordinal: u8,
    /// True if one of the steps, in either direction, is straight.
    pub(crate) straight: bool,
    /// The number of steps across in this direction.
    pub(crate) support: u16,
    /// Page of the target.
    pub(crate) page: u32,
}

/// What the bits of a sheet do not say.
#[derive(Clone, Debug, Default)]
pub(crate) struct SheetDetails {
    /// Cells with a floor, walkable or not.
    pub(crate) present: Bitboard,
    /// Cells with a step to another rank, or with a nav link end.
    pub(crate) irregular: Bitboard,
    /// Cells with a nav link end.
    pub(crate) nav_links: Bitboard,
    /// Thin walls on the eastern edge of cells.
    pub(crate) wall_east: Bitboard,
    /// Thin walls on the southern edge of cells.
    pub(crate) wall_south: Bitboard,
    /// Heights above the base.
    pub(crate) heights: Heights,
    /// Terrain of each cell, unless all are equal.
    pub(crate) terrains: Option<Box<[u8; 256]>>,
    /// Sums that cost modifiers add to multipliers, in sixteenths.
    pub(crate) modifiers: Option<Box<[u32; 256]>>,
    /// The steps of the cells, unless the bits determine them.
    pub(crate) moves: Option<Box<StepTable>>,
    /// Portals, if there are moves; sorted.
    pub(crate) wide: Vec<WidePortal>,
    /// Edges of open nav links out of this sheet; sorted, one per nav link and end.
    pub(crate) region_links: Vec<RegionLink>,
}

/// An edge of an open nav link from a region of the sheet to another region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RegionLink {
    /// Ordinal of the start.
    pub(crate) own: u8,
    /// Position of the target.
    pub(crate) position: u8,
    /// Ordinal of the target.
    pub(crate) ordinal: u8,
    /// Page of the target.
    pub(crate) page: u32,
}

/// Heights of a sheet's floors.
#[derive(Clone, Debug, Default)]
pub(crate) enum Heights {
    /// All at the base.
    #[default]
    Flat,
    /// Up to 255 steps above the base.
    Near(Box<[u8; 256]>),
    /// Any heights.
    Far(Box<[i32; 256]>),
}

impl SheetCells {
    pub(crate) fn new(position: u8, base: i32, terrain: Terrain) -> Self {
        Self {
            walkable: PaddedBitboard::default(),
            position,
            terrain,
            flags: 0,
            n_regions: 0,
            base,
            columns: [0; 18],
        }
    }

    /// Sets the cells without the borders, in both orientations.
    pub(crate) fn set_board(&mut self, board: &Bitboard) {
        self.walkable.set_board(board);
        self.set_column_bits(board);
    }

    /// Sets the column bits from the rows; borders stay.
    pub(crate) fn set_column_bits(&mut self, board: &Bitboard) {
        self.columns[1..17].copy_from_slice(&super::bitboard::transposed(board));
    }

    /// Copies the borders of the rows to those of the columns.
    pub(crate) fn set_column_borders(&mut self) {
        self.columns[0] = self.walkable.column_border(-1);
        self.columns[17] = self.walkable.column_border(16);
    }
}

impl Sheet {
    pub(crate) fn new(position: u8, base: i32, terrain: Terrain) -> Self {
        Self {
            cells: SheetCells::new(position, base, terrain),
            single_region: Region::default(),
            single_portals: [Portal::default(); INLINE_PORTALS],
            region_table: None,
            details: None,
        }
    }

    /// Cells with a floor.
    pub(crate) fn present(&self) -> Bitboard {
        match &self.details {
            Some(details) => details.present,
            None => self.walkable.board(),
        }
    }

    /// The height of a cell's floor.
    #[inline]
    pub(crate) fn height(&self, local: u8) -> i32 {
        match self.details.as_deref().map(|details| &details.heights) {
            None | Some(Heights::Flat) => self.base,
            Some(Heights::Near(near)) => self.base + i32::from(near[usize::from(local)]),
            Some(Heights::Far(far)) => far[usize::from(local)],
        }
    }

    /// The terrain of a cell's floor.
    #[inline]
    pub(crate) fn terrain_of(&self, local: u8) -> Terrain {
        self.details
            .as_deref()
            .and_then(|details| details.terrains.as_deref())
            .and_then(|terrains| Terrain::new(terrains[usize::from(local)]))
            .unwrap_or(self.terrain)
    }

    /// True if the cell has a floor of an allowed terrain with headroom below `over`, the sheet
    /// above.
    pub(crate) fn is_open_to(
        &self,
        profile: &CompiledProfile,
        over: Option<&Self>,
        local: u8,
    ) -> bool {
        let floor = |sheet: &Self| match &sheet.details {
            Some(details) => super::bitboard::has(&details.present, local),
            None => sheet
                .walkable
                .get(i32::from(local & 15), i32::from(local >> 4)),
        };
        let ceiling = over
            .filter(|over| floor(over))
            .map(|over| over.height(local));
        floor(self)
            && profile.allows_terrain(self.terrain_of(local))
            && profile.has_headroom(self.height(local), ceiling)
    }

    /// The sum that modifiers add to the multiplier of a cell, in sixteenths.
    #[inline]
    pub(crate) fn modifier(&self, local: u8) -> u32 {
        self.details
            .as_deref()
            .and_then(|details| details.modifiers.as_deref())
            .map_or(0, |modifiers| modifiers[usize::from(local)])
    }

    /// True if all floors have the base height.
    pub(crate) fn is_flat(&self) -> bool {
        self.details
            .as_deref()
            .is_none_or(|details| matches!(details.heights, Heights::Flat))
    }

    /// The regions, ordered by first cell.
    #[inline]
    pub(crate) fn regions(&self) -> &[Region] {
        match &self.region_table {
            Some(table) => &table.regions,
            None => &std::slice::from_ref(&self.single_region)[..usize::from(self.n_regions)],
        }
    }

    #[inline]
    pub(crate) fn regions_mut(&mut self) -> &mut [Region] {
        match &mut self.region_table {
            Some(table) => &mut table.regions,
            None => &mut std::slice::from_mut(&mut self.single_region)
                [..usize::from(self.cells.n_regions)],
        }
    }

    /// The portals of a region to adjacent sectors; none if the sheet has moves.
    #[inline]
    pub(crate) fn portals(&self, region: &Region) -> &[Portal] {
        let all = match &self.region_table {
            Some(table) => table.portals.as_slice(),
            None => &self.single_portals,
        };
        let start = usize::from(region.first_portal);
        &all[start..start + usize::from(region.n_portals)]
    }

    /// True if a region has portals to adjacent sectors.
    #[inline]
    pub(crate) fn has_portals(&self) -> bool {
        match &self.region_table {
            Some(table) => !table.portals.is_empty(),
            None => self.n_regions == 1 && self.single_region.n_portals > 0,
        }
    }

    /// The cells of region `ordinal`.
    #[inline]
    pub(crate) fn board_of(&self, ordinal: u8) -> Bitboard {
        match &self.region_table {
            Some(table) => table.boards[usize::from(ordinal)],
            None => self.walkable.board(),
        }
    }

    /// The ordinal of a walkable cell's region.
    #[inline]
    pub(crate) fn region_at(&self, local: u8) -> u8 {
        match &self.region_table {
            None => 0,
            Some(table) => match &table.ordinals {
                Some(ordinals) => ordinals[usize::from(local)],
                None => (0..)
                    .zip(&table.boards)
                    .find(|(_, board)| super::bitboard::has(board, local))
                    .map_or(0, |(ordinal, _)| ordinal),
            },
        }
    }

    /// The details, created if missing.
    pub(crate) fn details_mut(&mut self) -> &mut SheetDetails {
        let present = self.walkable.board();
        self.details.get_or_insert_with(|| {
            Box::new(SheetDetails {
                present,
                ..SheetDetails::default()
            })
        })
    }
}
