//! Iteration over the floors inside a shape or rectangle of any size.

use wayfarer_base::shape::SectorMasks;
use wayfarer_base::{Column, Rect, SectorId, Shape};

use super::{Ground, bitboard};

impl Ground {
    /// Calls `visit` with every column of a shape that has floors, walkable or not, sector by
    /// sector. Cost is bounded by the smaller of shape and ground; allocates only if the AABB is
    /// larger than the ground.
    ///
    /// ```
    /// use wayfarer_base::{Column, Point2, Raster, Rect, Shape};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let ground = Ground::from_raster(&Raster::from_bytes(2, 1, vec![0, 0]).unwrap());
    /// let far = 8_000_000;
    /// let world = Shape::Box(Rect::around(Column::new(-far, -far), Column::new(far, far)));
    /// let mut columns = Vec::new();
    /// ground.for_each_column_in(&world, |column| columns.push(column));
    /// assert_eq!(columns, [Column::new(0, 0), Column::new(1, 0)]);
    /// ```
    pub fn for_each_column_in(&self, shape: &Shape, mut visit: impl FnMut(Column)) {
        let mut masks = SectorMasks::new(shape);
        self.for_each_sector_in(shape.bounds(), |sector| {
            let origin = sector.origin();
            // Ranks have no gaps, so the lowest sheet has a floor in every such column.
            let Some((_, lowest)) = self.sheets_at(sector).next() else {
                return;
            };
            let mut columns = masks.mask(sector);
            let present = lowest.present();
            columns
                .iter_mut()
                .zip(present)
                .for_each(|(row, present)| *row &= present);
            for local in bitboard::cells(&columns) {
                let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
                visit(Column::new(origin.x + x, origin.y + y));
            }
        });
    }

    /// Calls `visit` with every sector of a rectangle of columns that has floors, row by row.
    ///
    /// Scans the rectangle, or all pages if that is less; allocates only in the second case.
    pub(crate) fn for_each_sector_in(&self, rect: Rect, mut visit: impl FnMut(SectorId)) {
        if rect.is_empty() {
            return;
        }
        let (low, high) = (
            SectorId::from_column(rect.low),
            SectorId::from_column(rect.high),
        );
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
