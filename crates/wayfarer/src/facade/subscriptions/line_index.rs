//! The lines of subscribed paths: those on the ground by sector, exact ends in the air by box.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_engine::PathLeg;
use wayfarer_engine::base::{Point2, Rect, SectorId};
use wayfarer_engine::world::air::{Air, AirChanges};

use crate::facade::validity::{avoids_on_lines, flight_ends};
use crate::facade::voxel_box::{VoxelBox, box_around, changed_cubes, overlap};
use crate::path::{Path, PathSubscription, Traversal};

/// Which subscribed paths have lines near a place.
#[derive(Clone, Debug, Default)]
pub(super) struct LineIndex {
    walks: BTreeMap<SectorId, Vec<PathSubscription>>,
    /// The sectors of each path in `walks`.
    sectors: BTreeMap<PathSubscription, Box<[SectorId]>>,
    /// Paths whose lines are far longer than their cells, as only forged bytes make them: near every
    /// place, so that memory stays in proportion to the bytes of a path.
    everywhere: BTreeSet<PathSubscription>,
    /// The boxes around exact ends of flights.
    flights: BTreeMap<PathSubscription, VoxelBox>,
    /// Paths that avoid obstacles.
    avoiding: BTreeSet<PathSubscription>,
}

impl LineIndex {
    /// Adds the lines of a path whose body depends on `margin` columns around them.
    pub(super) fn insert(&mut self, id: PathSubscription, path: &Path, margin: i32) {
        let Some(sectors) = sectors_of(path, margin) else {
            self.everywhere.insert(id);
            return;
        };
        let sectors: Box<[SectorId]> = sectors.into_iter().collect();
        for sector in &sectors {
            self.walks.entry(*sector).or_default().push(id);
        }
        if !sectors.is_empty() {
            self.sectors.insert(id, sectors);
        }
        if let Some(around) = box_of_flight_ends(path) {
            self.flights.insert(id, around);
        }
        if avoids_on_lines(path) {
            self.avoiding.insert(id);
        }
    }

    /// Removes what [`LineIndex::insert`] added.
    pub(super) fn remove(&mut self, id: PathSubscription) {
        for sector in self.sectors.remove(&id).unwrap_or_default() {
            let Some(walks) = self.walks.get_mut(&sector) else {
                continue;
            };
            walks.retain(|other| *other != id);
            if walks.is_empty() {
                self.walks.remove(&sector);
            }
        }
        self.flights.remove(&id);
        self.avoiding.remove(&id);
        self.everywhere.remove(&id);
    }

    /// The paths with lines near columns, each with the numbers of the rectangles; ascending, each once.
    pub(super) fn near(&self, rects: &[Rect]) -> Vec<(PathSubscription, usize)> {
        let mut near = Vec::new();
        for (number, rect) in rects.iter().enumerate() {
            let at_rect = |id: &PathSubscription| (*id, number);
            near.extend(self.everywhere.iter().map(at_rect));
            let [low, high] = [rect.low, rect.high].map(SectorId::from_column);
            let n_sectors = i64::from(high.x - low.x + 1) * i64::from(high.y - low.y + 1);
            // A large area may have more sectors than paths have.
            if n_sectors > i64::try_from(self.walks.len()).unwrap_or(i64::MAX) {
                let is_inside = |at: &SectorId| {
                    (low.x..=high.x).contains(&at.x) && (low.y..=high.y).contains(&at.y)
                };
                let inside = self.walks.iter().filter(|(at, _)| is_inside(at));
                near.extend(inside.flat_map(|(_, walks)| walks).map(at_rect));
                continue;
            }
            let sectors =
                (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| SectorId::new(x, y)));
            let walks = sectors.filter_map(|sector| self.walks.get(&sector));
            near.extend(walks.flatten().map(at_rect));
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The flights with an exact end near what a batch changed, ascending.
    pub(super) fn flights_near(&self, air: &Air, changes: &AirChanges) -> Vec<PathSubscription> {
        let cubes: Vec<VoxelBox> = changed_cubes(air, changes).collect();
        let is_near = |around: &VoxelBox| cubes.iter().any(|cube| overlap(cube, around));
        let near = self.flights.iter().filter(|(_, around)| is_near(around));
        near.map(|(id, _)| *id).collect()
    }

    /// The number of sectors with lines.
    #[cfg(test)]
    pub(super) fn n_sectors(&self) -> usize {
        self.walks.len()
    }

    /// The paths that avoid obstacles, ascending.
    pub(super) fn avoiding(&self) -> impl Iterator<Item = PathSubscription> {
        self.avoiding.iter().copied()
    }
}

/// The voxels that the ball of an agent may touch at the exact ends of its flight.
fn box_of_flight_ends(path: &Path) -> Option<VoxelBox> {
    let frame = path.data().frame;
    let radii = path.engine().legs.iter().filter_map(|leg| match leg {
        PathLeg::Flight(flight) => Some(i64::from(flight.radius.raw() >> 8)),
        _ => None,
    });
    let margin = radii.max()? + 1;
    let ends = flight_ends(path).into_iter().flatten();
    let ends = ends.flat_map(|(from, to)| [from, to]);
    let voxels = ends.filter_map(|at| frame.scale.voxel(frame.to_engine(at)));
    box_around(voxels, margin)
}

/// The sectors within `margin` columns of the walked lines of a path; `None` if they are more than those
/// around its cells can be.
fn sectors_of(path: &Path, margin: i32) -> Option<BTreeSet<SectorId>> {
    let frame = path.data().frame;
    let is_on_ground = |leg: &PathLeg| matches!(leg, PathLeg::Ground(_));
    let mut sectors = BTreeSet::new();
    if !path.engine().legs.iter().any(is_on_ground) || !path.data().is_pulled {
        return Some(sectors);
    }
    let cells = path.engine().legs.iter().map(|leg| match leg {
        PathLeg::Ground(walk) => walk.cells.len(),
        _ => 0,
    });
    let across = usize::try_from(margin / 8).unwrap_or_default() + 3;
    let limit = (cells.sum::<usize>() + path.traversal().len()) * across * across;
    let lines = path.traversal().windows(2);
    for line in lines.filter(|line| line[0].next == Traversal::Walk) {
        let ends = [line[0].position, line[1].position].map(|at| frame.point(at));
        if let [Some(a), Some(b)] = ends {
            let rise = (i64::from(a.y.raw()) - i64::from(b.y.raw())).unsigned_abs();
            let run = (i64::from(a.x.raw()) - i64::from(b.x.raw())).unsigned_abs();
            if (rise.max(run) >> (8 + SectorId::SHIFT)) > limit as u64 {
                return None;
            }
            cover(a, b, margin, &mut sectors);
        }
        if sectors.len() > limit {
            return None;
        }
    }
    Some(sectors)
}

/// Adds the sectors within `margin` columns of a segment, row by row; a superset at its ends.
fn cover(a: Point2, b: Point2, margin: i32, sectors: &mut BTreeSet<SectorId>) {
    let raw = |at: Point2| [i64::from(at.x.raw()), i64::from(at.y.raw())];
    let (a, b) = match a.y <= b.y {
        true => (raw(a), raw(b)),
        false => (raw(b), raw(a)),
    };
    let margin = i64::from(margin) << 8;
    let sector = |raw: i64| i32::try_from(raw >> (8 + SectorId::SHIFT)).unwrap_or(i32::MAX);
    for y in sector(a[1] - margin)..=sector(b[1] + margin) {
        let low = (i64::from(y) << (8 + SectorId::SHIFT)) - margin;
        let high = low + (i64::from(SectorId::SIDE) << 8) + 2 * margin;
        let x_at = |y: i64| match b[1] - a[1] {
            0 => [a[0].min(b[0]), a[0].max(b[0])],
            rise => {
                let x = a[0] + (b[0] - a[0]) * (y.clamp(a[1], b[1]) - a[1]) / rise;
                // Rounded toward zero.
                [x - 1, x + 1]
            }
        };
        let ([a_low, a_high], [b_low, b_high]) = (x_at(low), x_at(high));
        let (first, last) = (a_low.min(b_low) - margin, a_high.max(b_high) + margin);
        sectors.extend((sector(first)..=sector(last)).map(|x| SectorId::new(x, y)));
    }
}

#[cfg(test)]
mod tests {
    use wayfarer_engine::base::{Column, Fixed, Rng};

    use super::*;

    #[test]
    fn every_sector_near_a_segment_is_covered_and_few_others_are() {
        let mut rng = Rng::new(7);
        for _ in 0..500 {
            let mut point = || {
                let at = |rng: &mut Rng| {
                    let raw = i32::try_from(rng.below(40_000)).unwrap_or_default();
                    Fixed::from_raw(raw - 20_000)
                };
                Point2::new(at(&mut rng), at(&mut rng))
            };
            let (a, b) = (point(), point());
            let mut sectors = BTreeSet::new();
            cover(a, b, 3, &mut sectors);
            let near = |margin: i32| {
                let mut near = BTreeSet::new();
                for part in 0..=4_000 {
                    let along = |a: Fixed, b: Fixed| {
                        let (a, b) = (i64::from(a.raw()), i64::from(b.raw()));
                        i32::try_from((a + (b - a) * part / 4_000) >> 8).unwrap_or_default()
                    };
                    let (x, y) = (along(a.x, b.x), along(a.y, b.y));
                    for (by_x, by_y) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                        let corner = Column::new(x + by_x * margin, y + by_y * margin);
                        near.insert(SectorId::from_column(corner));
                    }
                }
                near
            };
            assert!(near(2).is_subset(&sectors), "{a:?} {b:?}");
            let others = sectors.difference(&near(4)).count();
            assert!(others <= sectors.len() / 3, "{a:?} {b:?}: {others}");
        }
    }
}
