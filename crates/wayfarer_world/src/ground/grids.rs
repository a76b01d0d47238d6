//! Memory of bitboards: one per sheet, compared with one per region.

use super::bitboard::{Bitboard, PaddedBitboard};
use super::{Ground, sheet};

/// Bytes of all bitboards under two storage schemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GridBytes {
    /// As stored: one padded bitboard in both orientations per sheet, plus the cells of each region
    /// where a sheet has several.
    pub shared: usize,
    /// With a padded bitboard in both orientations per region.
    pub per_region: usize,
    /// Sheets with walkable cells.
    pub n_sheets: usize,
    /// Those of them with several regions.
    pub n_shared: usize,
}

impl Ground {
    /// Bytes of all bitboards, per sheet and per region. O(world): for measurements.
    ///
    /// ```
    /// use wayfarer_base::Raster;
    /// use wayfarer_world::ground::Ground;
    ///
    /// let open = |cells| Ground::from_raster(&Raster::from_bytes(3, 1, cells).unwrap());
    /// let (whole, split) = (open(vec![0, 0, 0]).grid_bytes(), open(vec![0, 255, 0]).grid_bytes());
    /// assert_eq!(whole.shared, whole.per_region);
    /// assert_eq!(split.per_region, 2 * whole.per_region);
    /// assert_eq!((split.n_sheets, split.n_shared), (1, 1));
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
