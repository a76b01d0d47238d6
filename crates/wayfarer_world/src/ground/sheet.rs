//! One floor of one sector: which squares can be walked on, and how they are connected.
//!
//! A sheet holds at most one floor of each column: the sheet of rank k holds the k-th floor from
//! below. On uniform ground (flat, one floor, no walls, one cost multiplier) the bits say everything; what is
//! not plain is kept aside in [`SheetDetails`].

use wayfarer_base::Terrain;

use super::bitboard::{Bitboard, PaddedBitboard};
use super::compiled_profile::CompiledProfile;

/// One floor of one sector.
///
/// In this order in memory: searches read the first 88 bytes only. There are 128.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Sheet {
    /// Squares the world's profile can stand on, with the neighbors' borders.
    pub(crate) walkable: PaddedBitboard,
    /// Which sector of its page: 8 y + x.
    pub(crate) position: u8,
    /// The terrain of all its squares, unless the side says otherwise.
    pub(crate) terrain: Terrain,
    /// See the constants.
    pub(crate) flags: u8,
    /// Regions, at most 128.
    pub(crate) n_regions: u8,
    /// Height of all its floors, or of the lowest, in steps.
    pub(crate) base: i32,
    /// The squares by columns, -1 to 16, for looking along them.
    pub(crate) columns: [u16; 18],
    /// The only region, if there is one and it has few portals.
    pub(crate) single_region: Region,
    /// Its portals.
    pub(crate) single_portals: [Portal; INLINE_PORTALS],
    /// All regions, if they are several or have table portals.
    pub(crate) region_table: Option<Box<RegionTable>>,
    /// What is not plain.
    pub(crate) details: Option<Box<SheetDetails>>,
}

/// Portals that a lone region has room for.
pub(crate) const INLINE_PORTALS: usize = 6;

/// Some step is not what the bits say: see [`SheetDetails::moves`].
pub(crate) const MOVES: u8 = 1;
/// Some square is costlier than 1, here or next to here.
pub(crate) const WEIGHTED: u8 = 2;
/// Some square of it is costlier than 1.
pub(crate) const WEIGHTED_HERE: u8 = 8;
/// Heights, walls, nav links or floors over floors: steps are judged one by one.
pub(crate) const IRREGULAR: u8 = 4;

/// Several regions of a sheet, in the order of their first squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionTable {
    pub(crate) regions: Vec<Region>,
    pub(crate) boards: Vec<Bitboard>,
    pub(crate) portals: Vec<Portal>,
    /// The region of each square, where regions are too table to look through.
    pub(crate) ordinals: Option<Box<[u8; 256]>>,
}

/// Regions that are looked through one by one; above, each square knows its own.
pub(crate) const FEW_REGIONS: usize = 4;

/// Squares of a sheet that reach each other inside the sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Region {
    /// Squares, 1 to 256.
    pub(crate) count: u16,
    /// Component within the page.
    pub(crate) label: u16,
    /// Where its portals begin.
    pub(crate) first_portal: u16,
    /// How table there are.
    pub(crate) n_portals: u8,
    /// Diagonal steps over the sector's corners: bit 0 north-east, clockwise.
    pub(crate) corners: u8,
    /// Its first square, row by row.
    pub(crate) first: u8,
}

/// A border to a region of the next sector: 2 bits direction (north, east, south, west), 7 bits
/// region, 6 bits support (steps across, at most 46).
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
    /// Which region there.
    pub(crate) const fn ordinal(self) -> u8 {
        (self.0 >> 2 & 127) as u8
    }
    /// Steps across.
    pub(crate) const fn support(self) -> u16 {
        self.0 >> 9
    }
    /// The same with another support.
    pub(crate) const fn with_support(self, support: u16) -> Self {
        Self(self.target() | support << 9)
    }
    /// Without the support: where it leads.
    pub(crate) const fn target(self) -> u16 {
        self.0 & 511
    }
}

/// A border to a region that is not simply next door.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct WidePortal {
    /// From which region of the sheet.
    pub(crate) from: u8,
    /// To which sector of the page.
    pub(crate) position: u8,
    /// To which region there.
    pub(crate) ordinal: u8,
    /// True if some of the steps, this way or back, is straight.
    pub(crate) straight: bool,
    /// Steps across, this way.
    pub(crate) support: u16,
    /// To which page.
    pub(crate) page: u32,
}

/// What is not plain about a sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct SheetDetails {
    /// Squares with a floor, walkable or not.
    pub(crate) present: Bitboard,
    /// Squares with a step to another rank, or with a nav link.
    pub(crate) irregular: Bitboard,
    /// Squares with a nav link.
    pub(crate) nav_links: Bitboard,
    /// Thin walls in the east of squares.
    pub(crate) wall_east: Bitboard,
    /// Thin walls in the south of squares.
    pub(crate) wall_south: Bitboard,
    /// Heights above the base.
    pub(crate) heights: Heights,
    /// Terrain of each square, if not all alike.
    pub(crate) terrains: Option<Box<[u8; 256]>>,
    /// What effects add to cost multipliers, in sixteenths.
    pub(crate) modifiers: Option<Box<[u32; 256]>>,
    /// Legal directions of each square, if the bits do not tell.
    pub(crate) moves: Option<Box<[u8; 256]>>,
    /// Portals, if there are moves; in order.
    pub(crate) wide: Vec<WidePortal>,
    /// What nav links that are open now join, this way; in order, one for each nav link.
    pub(crate) region_links: Vec<RegionLink>,
}

/// An open nav link from a region of the sheet to another region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RegionLink {
    /// From which region of the sheet.
    pub(crate) own: u8,
    /// To which sector of the page.
    pub(crate) position: u8,
    /// To which region there.
    pub(crate) ordinal: u8,
    /// To which page.
    pub(crate) page: u32,
}

/// Heights of a sheet's floors above its base.
#[derive(Clone, Debug, Default)]
pub(crate) enum Heights {
    /// All at the base.
    #[default]
    Flat,
    /// Up to 255 steps above it.
    Near(Box<[u8; 256]>),
    /// Any.
    Far(Box<[i32; 256]>),
}

impl Sheet {
    pub(crate) fn new(position: u8, base: i32, terrain: Terrain) -> Self {
        Self {
            walkable: PaddedBitboard::default(),
            columns: [0; 18],
            position,
            terrain,
            flags: 0,
            n_regions: 0,
            base,
            single_region: Region::default(),
            single_portals: [Portal::default(); INLINE_PORTALS],
            region_table: None,
            details: None,
        }
    }

    /// Squares with a floor.
    pub(crate) fn present(&self) -> Bitboard {
        match &self.details {
            Some(details) => details.present,
            None => self.walkable.board(),
        }
    }

    /// The height of the floor of a square that has one.
    #[inline]
    pub(crate) fn height(&self, local: u8) -> i32 {
        match self.details.as_deref().map(|details| &details.heights) {
            None | Some(Heights::Flat) => self.base,
            Some(Heights::Near(near)) => self.base + i32::from(near[usize::from(local)]),
            Some(Heights::Far(far)) => far[usize::from(local)],
        }
    }

    /// The terrain of a square that has a floor.
    #[inline]
    pub(crate) fn terrain_of(&self, local: u8) -> Terrain {
        self.details
            .as_deref()
            .and_then(|details| details.terrains.as_deref())
            .and_then(|terrains| Terrain::new(terrains[usize::from(local)]))
            .unwrap_or(self.terrain)
    }

    /// True if a square has a floor of the right terrain with enough room below the floor of
    /// `over`, the sheet above.
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
            && profile.may_walk(self.terrain_of(local))
            && profile.has_headroom(self.height(local), ceiling)
    }

    /// What effects add to the cost multiplier of a square, in sixteenths.
    #[inline]
    pub(crate) fn modifier(&self, local: u8) -> u32 {
        self.details
            .as_deref()
            .and_then(|details| details.modifiers.as_deref())
            .map_or(0, |modifiers| modifiers[usize::from(local)])
    }

    /// True if its floors lie at one height.
    pub(crate) fn is_flat(&self) -> bool {
        self.details
            .as_deref()
            .is_none_or(|details| matches!(details.heights, Heights::Flat))
    }

    /// Its regions, in the order of their first squares.
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
            None => {
                &mut std::slice::from_mut(&mut self.single_region)[..usize::from(self.n_regions)]
            }
        }
    }

    /// The portals of a region to the next sectors; none if the sheet has moves of its own.
    #[inline]
    pub(crate) fn portals(&self, region: &Region) -> &[Portal] {
        let all = match &self.region_table {
            Some(table) => table.portals.as_slice(),
            None => &self.single_portals,
        };
        let start = usize::from(region.first_portal);
        &all[start..start + usize::from(region.n_portals)]
    }

    /// True if some region has portals to the next sectors.
    #[inline]
    pub(crate) fn has_portals(&self) -> bool {
        match &self.region_table {
            Some(table) => !table.portals.is_empty(),
            None => self.n_regions == 1 && self.single_region.n_portals > 0,
        }
    }

    /// The squares of region number `ordinal`.
    #[inline]
    pub(crate) fn board_of(&self, ordinal: u8) -> Bitboard {
        match &self.region_table {
            Some(table) => table.boards[usize::from(ordinal)],
            None => self.walkable.board(),
        }
    }

    /// The region of a walkable square.
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

    /// The side, made if there is none.
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
