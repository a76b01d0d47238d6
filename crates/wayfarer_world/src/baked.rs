//! Packed region graph of a flat map \[Sturtevant2007\]: built once, saved with the map, searched
//! in place.
//!
//! The map is divided into square sectors. A region is a connected part of a sector, represented by
//! one cell, its center, and by its edges to regions of adjacent sectors. The graph takes about 3 %
//! of a map with a byte per cell. Reads decode a few bytes and allocate nothing.
//!
//! # Layout
//! * Sectors, row by row, 32 bits each: number of regions (8 bits, 255 for a *default* sector),
//!   address of their data (23 bits), and one bit for wide data.
//! * Data of a sector: for each region its center (8 bits: row times side plus column) and the
//!   number of edges up to and including it (8 bits); then the edges, 8 bits each: direction
//!   (3 bits) and the ordinal of the region there (5 bits).
//! * Wide data, for sectors with an edge to an ordinal above 31 or with more than 255 edges: counts
//!   and edges take 16 bits.
//! * A default sector has one region with its center in the middle and an edge to the first region
//!   of each of its eight neighbors. No data is stored for it.
//!
//! ```
//! use wayfarer_base::Raster;
//! use wayfarer_world::baked::{AbstractionBuilder, BakedAbstraction};
//!
//! let open = Raster::from_bytes(64, 64, vec![0; 64 * 64]).ok_or("too large")?;
//! let baked = AbstractionBuilder::from_raster(&open, 16)?.bake()?;
//! assert_eq!(baked.n_regions(), 16);
//! // Sixteen sectors of four bytes; the four in the center are default sectors.
//! assert_eq!(baked.payload_bytes(), 16 * 4 + 12 * 2 + 4 * 3 + 8 * 5);
//! assert_eq!(BakedAbstraction::from_bytes(&baked.to_bytes())?, baked);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod compressed;
mod file;
mod variant;

pub use builder::{AbstractionBuilder, BakeError};
pub use compressed::CompressedAbstraction;
pub use file::BakedFileError;
pub use variant::VariantError;

use wayfarer_base::Direction;

use variant::Variant;

/// A region of a baked map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BakedRegion {
    /// Its sector, row by row.
    pub sector: u32,
    /// Its index in the sector.
    pub ordinal: u8,
}

/// The packed region graph of a map. At most 2^23 bytes of region data and 254 regions per sector;
/// sectors of 4 to 16 cells a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BakedAbstraction {
    side: u8,
    width: u32,
    height: u32,
    /// Sectors per row.
    across: u32,
    sectors: Vec<u32>,
    data: Vec<u8>,
    variants: Vec<Variant>,
}

/// The order of edges: straight before diagonal.
pub(crate) const EDGE_ORDER: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::SouthWest,
    Direction::NorthWest,
];

/// The word of a sector: number of regions, address and width of their data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SectorWord(u32);

impl SectorWord {
    const DEFAULT: Self = Self(255);
    const MAX_REGIONS: usize = 254;
    const WIDE: u32 = 1 << 31;
    /// One more than the highest address.
    const END: usize = 1 << 23;

    /// The word of a stored sector; `address` below [`SectorWord::END`].
    const fn new(n_regions: u8, address: u32, is_wide: bool) -> Self {
        let wide = if is_wide { Self::WIDE } else { 0 };
        Self(n_regions as u32 | address << 8 | wide)
    }

    const fn is_default(self) -> bool {
        self.0 == Self::DEFAULT.0
    }

    const fn n_regions(self) -> u8 {
        if self.is_default() {
            1
        } else {
            self.0.to_le_bytes()[0]
        }
    }

    const fn address(self) -> usize {
        (self.0 >> 8) as usize & (Self::END - 1)
    }

    const fn is_wide(self) -> bool {
        self.0 & Self::WIDE != 0
    }

    /// Bytes of a region's record.
    const fn record_bytes(self) -> usize {
        if self.is_wide() { 3 } else { 2 }
    }

    /// Bytes of an edge.
    const fn edge_bytes(self) -> usize {
        if self.is_wide() { 2 } else { 1 }
    }
}

impl BakedAbstraction {
    /// Cells along a side of a sector: 4 to 16.
    pub fn side(&self) -> u32 {
        u32::from(self.side)
    }

    /// Columns of the map.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the map.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number of sectors.
    pub fn n_sectors(&self) -> u32 {
        u32::try_from(self.sectors.len()).unwrap_or(u32::MAX)
    }

    /// The number of regions.
    pub fn n_regions(&self) -> u32 {
        let counts = self
            .sectors
            .iter()
            .map(|word| SectorWord(*word).n_regions());
        counts.map(u32::from).sum()
    }

    /// The number of directed edges.
    pub fn n_edges(&self) -> u32 {
        let edges = |word: &u32| {
            let word = SectorWord(*word);
            if word.is_default() {
                8
            } else {
                self.edges_until(word, word.n_regions())
            }
        };
        let edges = self.sectors.iter().map(edges);
        edges.map(|n| u32::try_from(n).unwrap_or(u32::MAX)).sum()
    }

    /// The number of default sectors, which have no data.
    pub fn n_defaults(&self) -> u32 {
        let defaults = self
            .sectors
            .iter()
            .filter(|word| SectorWord(**word).is_default());
        u32::try_from(defaults.count()).unwrap_or(u32::MAX)
    }

    /// Bytes of sectors and region data, variants included; the measure of \[Sturtevant2007\].
    pub fn payload_bytes(&self) -> usize {
        let variants: usize = self.variants.iter().map(Variant::payload_bytes).sum();
        self.sectors.len() * size_of::<u32>() + self.data.len() + variants
    }

    /// The sector of a cell; `None` outside the map.
    #[inline]
    pub fn sector_at(&self, x: i32, y: i32) -> Option<u32> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y / self.side() * self.across + x / self.side())
    }

    /// The north-western cell of a sector.
    #[inline]
    pub fn origin(&self, sector: u32) -> (i32, i32) {
        let (row, column) = (sector / self.across, sector % self.across);
        let side = self.side();
        ((column * side).cast_signed(), (row * side).cast_signed())
    }

    /// The adjacent sector in a direction; `None` at the edge of the map.
    #[inline]
    pub fn next_sector(&self, sector: u32, direction: Direction) -> Option<u32> {
        next_sector((self.across, self.n_sectors()), sector, direction)
    }

    /// The number of regions of a sector.
    #[inline]
    pub fn n_regions_in(&self, sector: u32) -> u8 {
        self.word(sector).n_regions()
    }

    /// Every region, sector by sector.
    pub fn regions(&self) -> impl Iterator<Item = BakedRegion> {
        (0..self.n_sectors()).flat_map(|sector| {
            (0..self.n_regions_in(sector)).map(move |ordinal| BakedRegion { sector, ordinal })
        })
    }

    /// The center of a region, one of its cells.
    #[inline]
    pub fn center(&self, region: BakedRegion) -> (i32, i32) {
        let word = self.word(region.sector);
        let local = if word.is_default() {
            u32::from(default_center(self.side))
        } else {
            let at = word.address() + usize::from(region.ordinal) * word.record_bytes();
            u32::from(self.data[at])
        };
        let (x, y) = self.origin(region.sector);
        let side = self.side();
        (
            x + (local % side).cast_signed(),
            y + (local / side).cast_signed(),
        )
    }

    /// Calls `visit` with every region that has an edge with `region`: north, east, south, west,
    /// then diagonally clockwise from north-east.
    #[inline]
    pub fn for_each_edge(&self, region: BakedRegion, mut visit: impl FnMut(BakedRegion)) {
        let word = self.word(region.sector);
        if word.is_default() {
            for direction in EDGE_ORDER {
                if let Some(sector) = self.next_sector(region.sector, direction) {
                    visit(BakedRegion { sector, ordinal: 0 });
                }
            }
            return;
        }
        let first = match region.ordinal {
            0 => 0,
            ordinal => self.edges_until(word, ordinal),
        };
        let end = self.edges_until(word, region.ordinal + 1);
        for edge in first..end {
            let (direction, ordinal) = self.edge(word, edge);
            if let Some(sector) = self.next_sector(region.sector, direction) {
                visit(BakedRegion { sector, ordinal });
            }
        }
    }

    #[inline]
    fn word(&self, sector: u32) -> SectorWord {
        SectorWord(self.sectors[sector as usize])
    }

    /// The number of edges of the first `n_regions` regions of a stored sector.
    #[inline]
    fn edges_until(&self, word: SectorWord, n_regions: u8) -> usize {
        if n_regions == 0 {
            return 0;
        }
        let at = word.address() + (usize::from(n_regions) - 1) * word.record_bytes() + 1;
        if word.is_wide() {
            usize::from(u16::from_le_bytes([self.data[at], self.data[at + 1]]))
        } else {
            usize::from(self.data[at])
        }
    }

    /// An edge of a stored sector.
    #[inline]
    fn edge(&self, word: SectorWord, edge: usize) -> (Direction, u8) {
        let edges = word.address() + usize::from(word.n_regions()) * word.record_bytes();
        let at = edges + edge * word.edge_bytes();
        if word.is_wide() {
            (Direction::from_index(self.data[at] & 7), self.data[at + 1])
        } else {
            (
                Direction::from_index(self.data[at] >> 5),
                self.data[at] & 31,
            )
        }
    }
}

/// The sector adjacent to `sector`, with `across` sectors per row and `n_sectors` in all.
#[inline]
fn next_sector((across, n_sectors): (u32, u32), sector: u32, direction: Direction) -> Option<u32> {
    let (dx, dy) = direction.offset();
    let column = (sector % across).checked_add_signed(dx)?;
    let row = (sector / across).checked_add_signed(dy)?;
    let next = row.checked_mul(across)?.checked_add(column)?;
    (column < across && next < n_sectors).then_some(next)
}

/// The center of a default sector: the first of the cells nearest to its middle.
const fn default_center(side: u8) -> u8 {
    let center = (side - 1) / 2;
    center * side + center
}

#[cfg(test)]
mod tests;
