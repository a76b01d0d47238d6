//! Whether obstacles lie scattered over the ground, where jump points are too many to gain.
//!
//! A convex corner of an obstacle is what makes jump points: two by two columns of which one is
//! closed. Scattered ground has one for every two to four walkable cells, several times as many as
//! rooms, mazes and the maps of games. Counted by sector, and after edits again near the sectors they made
//! dirty, so the result follows from the ground and the profile alone.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{ChangeLog, ChangeSet, Revision, SectorId};
use wayfarer_world::ground::{Ground, GroundDifference, SheetBits};

use super::super::nav_graph::{NavGraph, inflated};

/// Smaller grounds have short paths, which jump points find as fast.
const MIN_SHEETS: usize = 256;
/// Larger grounds are not counted.
const MAX_SHEETS: usize = 4_096;
/// With more dirty sectors than this, all are counted anew.
const MAX_DIRTY: usize = 1_024;

/// The corners of one graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Scatter {
    /// Identity and revision of the ground.
    bound_to: Option<(u64, Revision)>,
    /// Corners and walkable cells.
    by_sector: FastMap<SectorId, Count>,
    sum: Count,
    /// Sectors changed since.
    dirty: Vec<SectorId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    n_corners: u64,
    n_walkable: u64,
}

impl Scatter {
    /// True if obstacles are scattered: at least one corner for `cells_per_corner` walkable cells, on
    /// ground of 256 to 4,096 sheets.
    pub(super) fn applies(&mut self, nav_graph: NavGraph<'_>, cells_per_corner: u64) -> bool {
        let graph = nav_graph.profile_ground();
        if graph.has_at_most_sheets(MIN_SHEETS - 1) || !graph.has_at_most_sheets(MAX_SHEETS) {
            return false;
        }
        let now = Some((graph.identity(), graph.revision()));
        if self.bound_to != now {
            self.count_all(nav_graph);
            self.bound_to = now;
        }
        self.count_dirty(nav_graph);
        self.sum.n_corners * cells_per_corner >= self.sum.n_walkable
    }

    fn count_all(&mut self, nav_graph: NavGraph<'_>) {
        self.by_sector.clear();
        self.dirty.clear();
        self.sum = Count::default();
        nav_graph.profile_ground().for_each_sheet(|sheet| {
            let count = Count::of(&sheet);
            let sector = SectorId::from_column(sheet.origin());
            self.by_sector.entry(sector).or_default().add(count);
            self.sum.add(count);
            true
        });
    }

    fn count_dirty(&mut self, nav_graph: NavGraph<'_>) {
        if self.dirty.is_empty() {
            return;
        }
        // A corner lies in up to four sectors, and a body reads further.
        let margin = nav_graph.clearance_columns() + 1;
        let mut near: Vec<SectorId> = Vec::new();
        for sector in self.dirty.drain(..) {
            let rect = inflated(sector.rect(), margin);
            let (low, high) = (
                SectorId::from_column(rect.low),
                SectorId::from_column(rect.high),
            );
            for y in low.y..=high.y {
                near.extend((low.x..=high.x).map(|x| SectorId::new(x, y)));
            }
        }
        near.sort_unstable();
        near.dedup();
        for sector in near {
            let mut count = Count::default();
            let sheets = nav_graph.profile_ground().sheets_in(sector);
            sheets.for_each(|sheet| count.add(Count::of(&sheet)));
            let before = self.by_sector.insert(sector, count).unwrap_or_default();
            self.sum.n_corners = self.sum.n_corners - before.n_corners + count.n_corners;
            self.sum.n_walkable = self.sum.n_walkable - before.n_walkable + count.n_walkable;
        }
    }

    /// Marks the sectors of a change set, if it leads on from the bound revision.
    pub(super) fn apply_set(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        if self.bound_to == Some((ground.identity(), set.before)) {
            self.bound_to = Some((ground.identity(), set.after));
            let sectors = set.dirty_sectors.iter().map(|dirty| dirty.sector);
            self.dirty.extend(sectors);
            if self.dirty.len() > MAX_DIRTY {
                self.bound_to = None;
                self.dirty.clear();
            }
        }
    }

    /// [`Scatter::apply_set`] for all change sets of a log since the bound revision.
    pub(super) fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        if let Some((identity, revision)) = self.bound_to
            && identity == ground.identity()
            && revision != ground.revision()
            && let Some(sets) = log.since(revision)
        {
            sets.for_each(|set| self.apply_set(ground, set));
        }
    }
}

impl Count {
    /// The walkable cells of a sheet, and the corners whose north-western column lies in it.
    fn of(sheet: &SheetBits<'_>) -> Self {
        let mut count = Self::default();
        let mut row = sheet.whole_row(0);
        for y in 0..16 {
            let below = sheet.whole_row(y + 1);
            let [a, b, c, d] = [row, row >> 1, below, below >> 1];
            // Exactly one of four is closed: one pair is open, and one of the other pair.
            let corners = a & b & (c ^ d) | c & d & (a ^ b);
            // Bit 0 is column -1.
            count.n_corners += u64::from((corners & 0x1_FFFE).count_ones());
            count.n_walkable += u64::from((row & 0x1_FFFE).count_ones());
            row = below;
        }
        count
    }

    fn add(&mut self, other: Self) {
        self.n_corners += other.n_corners;
        self.n_walkable += other.n_walkable;
    }
}

#[cfg(test)]
mod tests;
