//! Who is near on foot: within so far of walking, and the nearest by path.
//!
//! A wall between two makes them far from each other, however close they stand.

use wayfarer_base::{Budget, Cell, Cost, Fixed, Point2, RequestError};
use wayfarer_world::bodies::{BodyFilter, BodyId, BodySet, Footprint, QueryHits};
use wayfarer_world::ground::Ground;

use crate::ground::ReachabilitySearcher;

/// The memory that questions about walking distance reuse.
///
/// ```
/// use wayfarer_base::{Cell, Column, Cost, Fixed, Point2, Raster};
/// use wayfarer_search::near::PathDistanceSearcher;
/// use wayfarer_world::ground::Ground;
/// use wayfarer_world::bodies::{Body, BodyFilter, BodySet};
///
/// // A wall with a gap far away: near as the crow flies, far on foot.
/// let rows = ["..#..", "..#..", "..#..", "....."];
/// let bytes = rows.concat().bytes().map(|letter| 3 * u8::from(letter == b'#')).collect();
/// let ground = Ground::from_raster(&Raster::from_bytes(5, 4, bytes).unwrap());
/// let mut bodies = BodySet::new(Fixed::from_raw(2 * 256));
/// let at = |x, y| Point2::center_of(Column::new(x, y)).unwrap();
/// let across = bodies.register(&Body::at(at(3, 0)))?;
/// let beside = bodies.register(&Body::at(at(0, 3)))?;
///
/// let mut searcher = PathDistanceSearcher::default();
/// let from = Cell::flat(1, 0);
/// let near = searcher.within_cost(&ground, &bodies, from, Cost::from_cells(5.0), &BodyFilter::ALL)?;
/// assert_eq!(near.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [beside]);
/// let first = searcher.nearest(&ground, &bodies, from, 2, &BodyFilter::ALL)?;
/// assert_eq!(first.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [beside, across]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathDistanceSearcher {
    /// Expansions that a question may take; who is not found by then is left out.
    pub budget: Budget,
    reach: ReachabilitySearcher,
    found: QueryHits,
    near: Vec<(BodyId, Cost)>,
    cells: Vec<Cell>,
    ids: Vec<BodyId>,
}

impl Default for PathDistanceSearcher {
    /// Without memory yet, and without a limit.
    fn default() -> Self {
        Self {
            budget: Budget::UNLIMITED,
            reach: ReachabilitySearcher::default(),
            found: QueryHits::default(),
            near: Vec::new(),
            cells: Vec::new(),
            ids: Vec::new(),
        }
    }
}

impl PathDistanceSearcher {
    /// Everybody whom the world's walker gets to from `from` at no more than `limit`, with what
    /// the way costs: the nearest first, of equals the lowest index.
    ///
    /// Somebody stands in the walkable cell of the column of its middle that is nearest to the
    /// height of its feet; who stands in none is not found.
    ///
    /// # Errors
    /// If one cannot stand at `from`.
    pub fn within(
        &mut self,
        ground: &Ground,
        bodies: &BodySet,
        from: Cell,
        limit: Cost,
        filter: &BodyFilter,
    ) -> Result<&[(BodyId, Cost)], RequestError> {
        let reach = self.reach.within_cost(ground, from, limit, self.budget)?;
        self.near.clear();
        let mut take = |id: BodyId| {
            if let Some(cost) = cell_of(ground, bodies, id).and_then(|cell| reach.cost_to(cell)) {
                self.near.push((id, cost));
            }
        };
        // No way is shorter than the straight line, unless a nav link is. Positions may lie half a
        // cell from the middle of the cell.
        let radius = Fixed::from_cells(limit.to_cells() + 2.0);
        let center = Point2::center_of(from.column()).filter(|_| ground.shortcuts().is_empty());
        let is_found = center.zip(radius).is_some_and(|(center, radius)| {
            let circle = Footprint::circle(center, radius);
            bodies.find(&circle, filter, &mut self.found).is_ok()
        });
        if is_found {
            self.found.ids(bodies).for_each(&mut take);
        } else {
            // The circle is too large, or its middle lies where no object can be.
            everybody(bodies, filter).for_each(&mut take);
        }
        self.near.sort_unstable_by_key(|(id, cost)| (*cost, *id));
        Ok(&self.near)
    }

    /// The `n_wanted` whom the world's walker gets to at the least cost: the nearest healer is
    /// seldom the one behind the wall.
    ///
    /// # Errors
    /// If one cannot stand at `from`.
    pub fn nearest(
        &mut self,
        ground: &Ground,
        bodies: &BodySet,
        from: Cell,
        n_wanted: usize,
        filter: &BodyFilter,
    ) -> Result<&[(BodyId, Cost)], RequestError> {
        self.cells.clear();
        self.ids.clear();
        for id in everybody(bodies, filter) {
            if let Some(cell) = cell_of(ground, bodies, id) {
                self.cells.push(cell);
                self.ids.push(id);
            }
        }
        let found = self
            .reach
            .nearest_of(ground, from, &self.cells, n_wanted, self.budget)?;
        self.near.clear();
        let named = found
            .iter()
            .map(|target| (self.ids[target.index], target.cost));
        self.near.extend(named);
        Ok(&self.near)
    }
}

/// All objects that pass the filter, by rising index.
fn everybody<'a>(bodies: &'a BodySet, filter: &'a BodyFilter) -> impl Iterator<Item = BodyId> + 'a {
    let n_places = u32::try_from(bodies.n_slots()).unwrap_or(u32::MAX);
    (0..n_places)
        .filter_map(|index| bodies.id_at(index))
        .filter(|id| bodies.passes(*id, filter))
}

/// The cell that somebody stands in where it is found.
fn cell_of(ground: &Ground, bodies: &BodySet, id: BodyId) -> Option<Cell> {
    let (at, body) = (bodies.detection_point(id).ok()?, bodies.body(id).ok()?);
    let node = ground.project_to_floor(at.column(), body.z.cell())?;
    Some(ground.cell(node))
}

#[cfg(test)]
mod tests;
