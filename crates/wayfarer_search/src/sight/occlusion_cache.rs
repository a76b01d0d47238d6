//! Lines of sight over the ground by bits: a cache of what blocks, sector by sector.
//!
//! [`GroundVisibility`] reads the floors of every column under a line. Where the heights of a line
//! cross none of those floors, one bit per column says the same. A *band* of a sector holds these
//! bits with the heights at which set bits block and unset bits do not; a line reads a row of a
//! sector at once and consults floors only in columns whose band does not cover its heights. A line
//! crosses thin walls and doors only where a sector has some.
//!
//! Results equal those of [`GroundVisibility`] at the synced revision, whatever the cache holds. A
//! line over cached sectors takes time in its rows and allocates nothing.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{ChangeLog, Column, Point2, Point3, Revision, SectorId, WallSide};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::heights::Line;
use super::{GroundVisibility, LineOfSightTest, OcclusionRules};

mod band;
mod scan;

use band::{Band, SectorEdges};
use scan::RunScan;

/// Sectors cached; more empty the cache at the next [`OcclusionCache::sync`], edit or not.
const MAX_SECTORS: usize = 1 << 16;

/// Longer lines, in 1/256 of a cell, are tested without the cache.
const MAX_LENGTH: u32 = 1 << 22;

/// Cached opacity of the sectors that lines of sight have crossed.
#[derive(Clone, Debug, Default)]
pub struct OcclusionCache {
    rules: OcclusionRules,
    revision: Option<Revision>,
    /// Index of each cached sector.
    directory: FastMap<SectorId, u32>,
    sectors: Vec<CachedSector>,
    free: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct CachedSector {
    bands: Vec<Band>,
    /// `None` without thin walls and doors.
    edges: Option<Box<SectorEdges>>,
}

/// Whether the lines from a point to a vertical segment are clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentVerdict {
    /// All of them.
    Clear,
    /// None of them.
    Blocked,
    /// It depends on the height.
    Mixed,
}

impl OcclusionCache {
    /// Brings the cache to the revision of the ground, from the change sets since. Required before
    /// lines are tested, after every edit.
    pub fn sync(
        &mut self,
        ground: &Ground,
        rules: OcclusionRules,
        log: &ChangeLog<GroundDifference>,
    ) {
        let revision = ground.revision();
        // Lines over a ground at rest fill it, too.
        if self.sectors.len() > MAX_SECTORS {
            self.clear();
        }
        if self.revision == Some(revision) && self.rules == rules {
            return;
        }
        let known = self.revision.filter(|_| self.rules == rules);
        match known.and_then(|known| log.since(known)) {
            Some(sets) => {
                for set in sets {
                    for difference in &set.differences {
                        self.remove_changed(difference);
                    }
                }
            }
            None => self.clear(),
        }
        self.rules = rules;
        self.revision = Some(revision);
    }

    fn clear(&mut self) {
        self.directory.clear();
        self.sectors.clear();
        self.free.clear();
    }

    fn remove_changed(&mut self, difference: &GroundDifference) {
        match difference {
            GroundDifference::Wall { wall, .. } => self.remove(wall.cell.column()),
            GroundDifference::NavLink(link) => {
                self.remove(link.id.from.column());
                self.remove(link.id.to.column());
            }
            GroundDifference::CostModifier(_) => {}
            floors => {
                let mut last = None;
                floors.for_each_floor(|cell, _, _| {
                    let sector = SectorId::from_column(cell.column());
                    if last != Some(sector) {
                        self.remove(cell.column());
                        last = Some(sector);
                    }
                });
            }
        }
    }

    fn remove(&mut self, column: Column) {
        if let Some(index) = self.directory.remove(&SectorId::from_column(column)) {
            self.sectors[index as usize] = CachedSector::default();
            self.free.push(index);
        }
    }

    /// [`GroundVisibility::is_clear`] on the synced ground.
    pub fn is_clear(&mut self, ground: &Ground, from: Point3, to: Point3) -> bool {
        let visibility = GroundVisibility {
            ground,
            rules: self.rules,
        };
        let (a, b) = super::heights::ordered(from, to);
        if is_unsuited(a, b) {
            return visibility.is_clear(a, b);
        }
        let line = Line::new(a, b);
        let heights = (a.z.raw().min(b.z.raw()), a.z.raw().max(b.z.raw()));
        let resolve = |column: Column| Some(visibility.column_is_clear(column, &line));
        let Some((is_clear, has_edges)) = self.scan(ground, (a, b), heights, resolve) else {
            return visibility.is_clear(a, b);
        };
        is_clear
            && (!has_edges
                || visibility.walls_are_clear(a, b, &line, |column, side| {
                    self.has_edge(ground, column, side)
                }))
    }

    /// The lines from `eye` to all points over `target` from height `low` to `high`, at once: the
    /// common verdict of [`OcclusionCache::is_clear`] where bits alone decide, else
    /// [`SegmentVerdict::Mixed`], whether or not all agree.
    pub fn verdict(
        &mut self,
        ground: &Ground,
        eye: Point3,
        target: Point2,
        (low, high): (i32, i32),
    ) -> SegmentVerdict {
        let end = Point3 {
            x: target.x,
            y: target.y,
            z: eye.z,
        };
        let (a, b) = super::heights::ordered(eye, end);
        if is_unsuited(a, b) {
            return SegmentVerdict::Mixed;
        }
        let heights = (low.min(eye.z.raw()), high.max(eye.z.raw()));
        match self.scan(ground, (a, b), heights, |_| None) {
            Some((false, _)) => SegmentVerdict::Blocked,
            Some((true, false)) => SegmentVerdict::Clear,
            Some((true, true)) => {
                let visibility = GroundVisibility {
                    ground,
                    rules: self.rules,
                };
                let mut crosses_edge = false;
                let line = Line::new(a, b);
                // No edge counts as blocked: the walk visits all.
                visibility.walls_are_clear(a, b, &line, |column, side| {
                    crosses_edge |= self.has_edge(ground, column, side);
                    false
                });
                if crosses_edge {
                    SegmentVerdict::Mixed
                } else {
                    SegmentVerdict::Clear
                }
            }
            None => SegmentVerdict::Mixed,
        }
    }

    /// Scans the columns under a line whose heights lie within `heights`. Returns whether they are
    /// clear, and whether the line may cross a thin wall or door; `None` once `resolve` does.
    fn scan(
        &mut self,
        ground: &Ground,
        (a, b): (Point3, Point3),
        heights: (i32, i32),
        mut resolve: impl FnMut(Column) -> Option<bool>,
    ) -> Option<(bool, bool)> {
        let raw = |at: Point3| (i64::from(at.x.raw()), i64::from(at.y.raw()));
        let mut runs = RunScan::new(raw(a), raw(b));
        let is_transposed = runs.is_transposed();
        let reference = if heights.0 == heights.1 {
            heights.0
        } else {
            heights.1 - 1
        };
        let mut has_edges = false;
        // The band read last: its sector, lanes of bits, and whether its bits hold.
        let mut at = (i32::MIN, i32::MIN);
        let mut lanes = [0_u16; 16];
        let (mut are_clear, mut are_blocked) = (false, false);
        while let Some(run) = runs.next() {
            let mut low = run.low;
            while low <= run.high {
                let high = run.high.min(low | 15);
                let sector = (low >> 4, run.lane >> 4);
                if sector != at {
                    let key = if is_transposed {
                        SectorId::new(sector.1, sector.0)
                    } else {
                        SectorId::new(sector.0, sector.1)
                    };
                    let (index, band) = self.band(ground, key, reference);
                    let cached = &self.sectors[index];
                    let band = &cached.bands[band];
                    has_edges |= cached.edges.is_some();
                    lanes = band.opaque[usize::from(is_transposed)];
                    are_clear = band.clear_at.0 <= heights.0 && heights.1 <= band.clear_at.1;
                    are_blocked = band.opaque_at.0 <= heights.0 && heights.1 <= band.opaque_at.1;
                    at = sector;
                }
                let mask = mask_between(low & 15, high & 15);
                let opaque = lanes[(run.lane & 15).cast_unsigned() as usize] & mask;
                if opaque != 0 && are_blocked {
                    return Some((false, has_edges));
                }
                // Columns whose bit does not hold at these heights.
                let mut doubtful = if are_clear { opaque } else { mask };
                while doubtful != 0 {
                    let x = (low & !15) + doubtful.trailing_zeros().cast_signed();
                    doubtful &= doubtful - 1;
                    let column = if is_transposed {
                        Column::new(run.lane, x)
                    } else {
                        Column::new(x, run.lane)
                    };
                    if !resolve(column)? {
                        return Some((false, has_edges));
                    }
                }
                low = high + 1;
            }
        }
        Some((true, has_edges || runs.met_corner()))
    }

    /// The index of a sector and of its band for a height, computed if missing.
    fn band(&mut self, ground: &Ground, sector: SectorId, reference: i32) -> (usize, usize) {
        let index = self.sector(ground, sector);
        let cached = &mut self.sectors[index];
        let found = cached.bands.iter().position(|band| band.covers(reference));
        let band = found.unwrap_or_else(|| {
            cached
                .bands
                .push(Band::new(ground, &self.rules, sector, reference));
            cached.bands.len() - 1
        });
        (index, band)
    }

    fn sector(&mut self, ground: &Ground, sector: SectorId) -> usize {
        if let Some(index) = self.directory.get(&sector) {
            return *index as usize;
        }
        let cached = CachedSector {
            bands: Vec::new(),
            edges: SectorEdges::new(ground, sector),
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.sectors[index as usize] = cached;
                index
            }
            None => {
                self.sectors.push(cached);
                u32::try_from(self.sectors.len() - 1).expect("far fewer sectors")
            }
        };
        self.directory.insert(sector, index);
        index as usize
    }

    /// True if a thin wall or a door stands on this edge, at any height.
    fn has_edge(&mut self, ground: &Ground, column: Column, side: WallSide) -> bool {
        let index = self.sector(ground, SectorId::from_column(column));
        let edges = self.sectors[index].edges.as_deref();
        edges.is_some_and(|edges| edges.has(column, side))
    }
}

/// True for lines along a grid line, without extent, or too long to scan.
fn is_unsuited(a: Point3, b: Point3) -> bool {
    let is_on_grid = |at: i32| at.rem_euclid(256) == 0;
    let (ax, ay, bx, by) = (a.x.raw(), a.y.raw(), b.x.raw(), b.y.raw());
    (ax == bx && (ay == by || is_on_grid(ax)))
        || (ay == by && is_on_grid(ay))
        || ax.abs_diff(bx) > MAX_LENGTH
        || ay.abs_diff(by) > MAX_LENGTH
}

/// The bits from `low` to `high`, 0 to 15 each.
#[inline]
fn mask_between(low: i32, high: i32) -> u16 {
    u16::MAX << low & u16::MAX >> (15 - high)
}

#[cfg(test)]
mod tests;
