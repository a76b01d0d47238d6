//! The bits of a sector kept once for all its regions, weighed against bits for every region.

use super::bitboard::{Bitboard, PaddedBitboard};
use super::{Ground, sheet};

/// What the bits of all sectors take in bytes, kept in two paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GridBytes {
    /// As they are kept: bits with borders in both orientations once for each floor of a sector,
    /// and where it has several regions, which squares belong to each.
    pub shared: usize,
    /// If every region had bits with borders in both orientations of its own.
    pub per_region: usize,
    /// Floors of sectors with something to walk on.
    pub n_sheets: usize,
    /// Those of them that have several regions.
    pub n_shared: usize,
}

impl Ground {
    /// What the bits of all sectors take, kept once for all regions of a sector and kept for each.
    /// Goes through the whole world: for measuring.
    ///
    /// ```
    /// use wayfarer_base::Raster;
    /// use wayfarer_world::ground::Ground;
    ///
    /// let open = |cells| Ground::from_raster(&Raster::from_bytes(3, 1, cells).unwrap());
    /// let (whole, parted) = (open(vec![0, 0, 0]).grid_bytes(), open(vec![0, 255, 0]).grid_bytes());
    /// assert_eq!(whole.shared, whole.per_region);
    /// assert_eq!(parted.per_region, 2 * whole.per_region);
    /// assert_eq!((parted.n_sheets, parted.n_shared), (1, 1));
    /// ```
    pub fn grid_bytes(&self) -> GridBytes {
        let grid = size_of::<PaddedBitboard>() + size_of::<[u16; 18]>();
        let mut bytes = GridBytes::default();
        let sheets = self.pages.iter().flatten().flat_map(|page| &page.sheets);
        for sheet in sheets.filter(|sheet| sheet.n_regions > 0) {
            let boards = sheet
                .region_table
                .as_deref()
                .map_or(0, |table: &sheet::RegionTable| {
                    table.boards.capacity() * size_of::<Bitboard>()
                        + table.ordinals.as_ref().map_or(0, |_| 256)
                });
            bytes.shared += grid + boards;
            bytes.per_region += grid * usize::from(sheet.n_regions);
            bytes.n_sheets += 1;
            bytes.n_shared += usize::from(sheet.n_regions > 1);
        }
        bytes
    }
}
