//! Golden digests of searches on dense grids: paths, events and distances.

use wayfarer_engine::base::{Budget, Cell, Cost, Raster, Rng, SearchEvent};
use wayfarer_engine::search::dense::{
    DenseMethod, DenseQueue, DenseRequest, DenseSearcher, find_path_observed,
};
use wayfarer_engine::search::ground::ReachabilitySearcher;
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::Ground;

use super::values::Values;
use super::worlds::flat_worlds;

/// Paths by every method and open list, with and without budget.
pub(super) fn dense_paths(values: &mut Values) {
    let mut rng = Rng::new(8);
    let mut searcher = DenseSearcher::default();
    for map in flat_worlds() {
        let Ok(ground) = DenseGround::from_raster(map) else {
            continue;
        };
        for _ in 0..6 {
            let base = some_request(&ground, &mut rng);
            let scarce = Budget::expansions(rng.between(1, 500).unsigned_abs().into());
            for request in [
                base,
                DenseRequest {
                    queue: DenseQueue::Heap,
                    ..base
                },
                DenseRequest {
                    method: DenseMethod::Dijkstra,
                    ..base
                },
                DenseRequest {
                    budget: scarce,
                    ..base
                },
            ] {
                let mut events: Vec<SearchEvent> = Vec::new();
                let result = find_path_observed(&ground, &mut searcher, &request, &mut events);
                values.each(&[&result, &events]);
            }
        }
    }
}

/// Distances from one cell to every other, by a Dijkstra sweep over the sparse ground.
pub(super) fn dense_distances(values: &mut Values) {
    let mut rng = Rng::new(9);
    let mut searcher = ReachabilitySearcher::default();
    for map in flat_worlds() {
        let Ok(dense) = DenseGround::from_raster(map) else {
            continue;
        };
        let source = some_request(&dense, &mut rng).start;
        let ground = Ground::from_raster(dense.raster());
        let Ok(distances) = searcher.within_cost(&ground, source, Cost::MAX, Budget::UNLIMITED)
        else {
            continue;
        };
        for column in dense.rect().columns() {
            let cost = distances.cost_to(column.at(0));
            values.number(cost.map_or(u64::MAX, |cost| cost.units().into()));
        }
    }
}

fn some_cell(map: &Raster, rng: &mut Rng) -> Cell {
    let high = map.rect().high;
    Cell::flat(rng.between(0, high.x), rng.between(0, high.y))
}

/// A request between two random cells, walkable if 40 samples find such.
fn some_request(ground: &DenseGround, rng: &mut Rng) -> DenseRequest {
    let mut sample = || {
        let mut cell = some_cell(ground.raster(), rng);
        for _ in 0..40 {
            if ground.is_walkable(cell) {
                break;
            }
            cell = some_cell(ground.raster(), rng);
        }
        cell
    };
    DenseRequest::new(sample(), sample())
}
