//! Which sectors of an area have floors, however large the area is.

use wayfarer_base::{Rect, SectorId};

use super::Ground;

impl Ground {
    /// Calls `visit` with every sector of a rectangle of columns that has floors, row by row.
    ///
    /// Looks at the rectangle, or, where it is larger than all pages together, at the pages;
    /// only then memory is asked for.
    pub(crate) fn for_sectors_in(&self, rect: Rect, mut visit: impl FnMut(SectorId)) {
        if rect.is_empty() {
            return;
        }
        let (low, high) = (SectorId::of(rect.low), SectorId::of(rect.high));
        let length = |low: i32, high: i32| i64::from(high) - i64::from(low) + 1;
        let area = length(low.x, high.x).saturating_mul(length(low.y, high.y));
        let n_pages = i64::try_from(self.pages.len()).unwrap_or(i64::MAX);
        if area <= n_pages.saturating_mul(64) {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let sector = SectorId::new(x, y);
                    if self.sheets_at(sector).next().is_some() {
                        visit(sector);
                    }
                }
            }
            return;
        }
        let lowest = self.pages.iter().flatten().filter(|page| page.rank == 0);
        let mut sectors: Vec<SectorId> = lowest
            .flat_map(|page| {
                page.sheets
                    .iter()
                    .map(|sheet| page.key.sector(sheet.position))
            })
            .filter(|sector| (low.x..=high.x).contains(&sector.x))
            .filter(|sector| (low.y..=high.y).contains(&sector.y))
            .collect();
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors.into_iter().for_each(visit);
    }
}
