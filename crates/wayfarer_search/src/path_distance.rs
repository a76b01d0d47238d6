//! Bodies by path cost: all within a cost, and the nearest k (Dijkstra over the ground).

use wayfarer_base::{Budget, Cell, Cost, Fixed, Point2, RequestError};
use wayfarer_world::bodies::{BodyFilter, BodyId, BodySet, Footprint, QueryHits};
use wayfarer_world::ground::Ground;

use crate::ground::ReachabilitySearcher;

/// Path distance queries for the default profile, with reusable scratch.
///
/// ```
/// use wayfarer_base::{Cell, Column, Cost, Fixed, Point2, Raster};
/// use wayfarer_search::path_distance::PathDistanceSearcher;
/// use wayfarer_world::ground::Ground;
/// use wayfarer_world::bodies::{Body, BodyFilter, BodySet};
///
/// // A wall with a distant gap: the Euclidean distance is small, the path long.
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
/// let limit = Cost::from_cells(5.0);
/// let near = searcher.within_cost(&ground, &bodies, from, limit, &BodyFilter::ALL)?;
/// assert_eq!(near.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [beside]);
/// let first = searcher.nearest(&ground, &bodies, from, 2, &BodyFilter::ALL)?;
/// assert_eq!(first.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [beside, across]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathDistanceSearcher {
    /// Limit on the expansions of a query; bodies beyond are missing from the result.
    pub budget: Budget,
    reachability: ReachabilitySearcher,
    hits: QueryHits,
    near: Vec<(BodyId, Cost)>,
    cells: Vec<Cell>,
    ids: Vec<BodyId>,
}

impl Default for PathDistanceSearcher {
    /// Without scratch and with unlimited budget.
    fn default() -> Self {
        Self {
            budget: Budget::UNLIMITED,
            reachability: ReachabilitySearcher::default(),
            hits: QueryHits::default(),
            near: Vec::new(),
            cells: Vec::new(),
            ids: Vec::new(),
        }
    }
}

impl PathDistanceSearcher {
    /// The bodies whose path cost from `from` is at most `limit`, with that cost; sorted by cost,
    /// then by id.
    ///
    /// A body counts as standing on the walkable cell of its center's column that is nearest to
    /// its feet; bodies without one are skipped.
    ///
    /// # Errors
    /// If `from` is not walkable.
    pub fn within_cost(
        &mut self,
        ground: &Ground,
        bodies: &BodySet,
        from: Cell,
        limit: Cost,
        filter: &BodyFilter,
    ) -> Result<&[(BodyId, Cost)], RequestError> {
        let reachable = self
            .reachability
            .within_cost(ground, from, limit, self.budget)?;
        self.near.clear();
        let mut add = |id: BodyId| {
            let cell = cell_of(ground, bodies, id);
            if let Some(cost) = cell.and_then(|cell| reachable.cost_to(cell)) {
                self.near.push((id, cost));
            }
        };
        // Broad phase: without shortcuts no path is shorter than the straight line. Positions may
        // lie half a cell from the center of the cell.
        let radius = Fixed::from_cells(limit.to_cells() + 2.0);
        let center = Point2::center_of(from.column()).filter(|_| ground.shortcuts().is_empty());
        let is_queried = center.zip(radius).is_some_and(|(center, radius)| {
            let circle = Footprint::circle(center, radius);
            bodies.find(&circle, filter, &mut self.hits).is_ok()
        });
        if is_queried {
            self.hits.ids(bodies).for_each(&mut add);
        } else {
            // The circle exceeds the limits of bodies.
            filtered(bodies, filter).for_each(&mut add);
        }
        self.near.sort_unstable_by_key(|(id, cost)| (*cost, *id));
        Ok(&self.near)
    }

    /// The `n_max` bodies of least path cost from `from`, with that cost, in order.
    ///
    /// # Errors
    /// If `from` is not walkable.
    pub fn nearest(
        &mut self,
        ground: &Ground,
        bodies: &BodySet,
        from: Cell,
        n_max: usize,
        filter: &BodyFilter,
    ) -> Result<&[(BodyId, Cost)], RequestError> {
        self.cells.clear();
        self.ids.clear();
        for id in filtered(bodies, filter) {
            if let Some(cell) = cell_of(ground, bodies, id) {
                self.cells.push(cell);
                self.ids.push(id);
            }
        }
        let targets =
            self.reachability
                .nearest_of(ground, from, &self.cells, n_max, self.budget)?;
        self.near.clear();
        let bodies = targets
            .iter()
            .map(|target| (self.ids[target.index], target.cost));
        self.near.extend(bodies);
        Ok(&self.near)
    }
}

/// All bodies that pass the filter, in order of their slots.
fn filtered<'a>(bodies: &'a BodySet, filter: &'a BodyFilter) -> impl Iterator<Item = BodyId> + 'a {
    let n_slots = u32::try_from(bodies.n_slots()).unwrap_or(u32::MAX);
    (0..n_slots)
        .filter_map(|index| bodies.id_at(index))
        .filter(|id| bodies.passes(*id, filter))
}

/// The cell of a body at its detection point.
fn cell_of(ground: &Ground, bodies: &BodySet, id: BodyId) -> Option<Cell> {
    let (at, body) = (bodies.detection_point(id).ok()?, bodies.body(id).ok()?);
    let node = ground.project_to_floor(at.column(), body.z.cell())?;
    Some(ground.cell(node))
}

#[cfg(test)]
mod tests;
