//! Cell counts of regions: all cells, and those under a cost modifier.

use super::Ground;
use super::bitboard;
use super::lookup::RegionId;

impl Ground {
    /// The number of cells of a region, and of those that a cost modifier makes costlier. O(cells).
    pub fn region_cell_counts(&self, region: RegionId) -> (u16, u16) {
        let sheet = self.sheet_of_region(region);
        let count = sheet.regions()[usize::from(region.ordinal)].count;
        let affected = match sheet
            .details
            .as_deref()
            .and_then(|details| details.modifiers.as_deref())
        {
            None => 0,
            Some(modifiers) => bitboard::cells(&sheet.board_of(region.ordinal))
                .filter(|local| modifiers[usize::from(*local)] > 0)
                .fold(0, |n, _| n + 1),
        };
        (count, affected)
    }
}
