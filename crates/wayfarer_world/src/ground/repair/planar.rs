//! Where bits determine the steps of a sector although it, or a sector next to it, has several ranks,
//! walls or heights.
//!
//! So around solids: their columns have two floors or one at another height, but none that leads
//! anywhere. Such a sector needs no evaluation cell by cell.

use wayfarer_base::{Direction, SectorId};

use crate::ground::Ground;
use crate::ground::profile_ground::{MAX_RANKS, SectorLevels};
use crate::ground::sheet::Sheet;

impl Ground {
    /// True if all steps of a sector stay within their rank and its height, and no thin wall stands at
    /// its cells or at the cells around it.
    pub(super) fn has_planar_steps(&self, sector: SectorId) -> bool {
        let own = self.levels(sector);
        let is_unwalled = |sheet: &Sheet| !sheet.has_walls();
        !own.is_mixed
            && self.sheets_at(sector).all(|(_, sheet)| is_unwalled(sheet))
            && self.is_apart(&own, &own)
            && Direction::ALL.into_iter().all(|direction| {
                let (dx, dy) = direction.offset();
                let next = SectorId::new(sector.x + dx, sector.y + dy);
                let levels = self.levels(next);
                !levels.is_mixed
                    && self.is_apart(&own, &levels)
                    && self.has_exact_border(sector, next, (&own, &levels))
                    && self
                        .sheets_at(next)
                        .all(|(_, sheet)| !has_walls_facing(sheet, direction))
            })
    }

    /// True if heights of `own` equal those of the same rank in `next`, or are out of step reach.
    fn is_apart(&self, own: &SectorLevels, next: &SectorLevels) -> bool {
        let can_step = |from: i32, to: i32| self.compiled.can_step(from, to);
        (0..MAX_RANKS).all(|rank| {
            own.level(rank).is_none_or(|z| {
                (0..MAX_RANKS).all(|other| {
                    next.level(other).is_none_or(|there| {
                        rank == other && z == there || !can_step(z, there) && !can_step(there, z)
                    })
                })
            })
        })
    }

    /// True if the border bits of two sectors show no cell of another height: of sheets that are not
    /// stored flat, they show corners at any height.
    fn has_exact_border(
        &self,
        sector: SectorId,
        next: SectorId,
        (own, levels): (&SectorLevels, &SectorLevels),
    ) -> bool {
        let mut pairs = self.sheets_at(sector).zip(self.sheets_at(next)).enumerate();
        pairs.all(|(rank, ((_, here), (_, there)))| {
            own.level(rank) == levels.level(rank) || here.is_flat() && there.is_flat()
        })
    }
}

/// True if a sheet adjacent in `direction` has a thin wall at one of the cells that face the sector.
fn has_walls_facing(sheet: &Sheet, direction: Direction) -> bool {
    let Some(details) = sheet.details.as_deref() else {
        return false;
    };
    let (dx, dy) = direction.offset();
    let columns = match dx {
        1 => 1,
        -1 => 1 << 15,
        _ => u16::MAX,
    };
    let rows = match dy {
        1 => 0..1,
        -1 => 15..16,
        _ => 0..16,
    };
    rows.into_iter()
        .any(|y: usize| (details.wall_east[y] | details.wall_south[y]) & columns != 0)
}
