//! Golden digests of searches on dense grids: paths, events, distances and status after edits.

use wayfarer_engine::base::{
    Budget, Cell, Cost, GroundEdit, Outcome, Progress, Raster, Rng, SearchEvent, Session, Terrain,
};
use wayfarer_engine::search::dense::{
    DenseMethod, DensePath, DenseQueue, DenseRequest, DenseSearcher, DenseSession, find_path,
    find_path_observed, status,
};
use wayfarer_engine::search::ground::ReachabilitySearcher;
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::Ground;

use super::values::Values;
use super::worlds::flat_worlds;

/// Paths by every method and open list, with and without budget, in one call and in slices.
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
            in_slices(&ground, &base, values);
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

/// Path status and connectivity along random edits.
pub(super) fn dense_edits(values: &mut Values) {
    let mut rng = Rng::new(10);
    let mut searcher = DenseSearcher::default();
    for map in flat_worlds() {
        let Ok(mut ground) = DenseGround::from_raster(map) else {
            continue;
        };
        let mut paths: Vec<DensePath> = Vec::new();
        for _ in 0..12 {
            let request = some_request(&ground, &mut rng);
            let result = find_path(&ground, &mut searcher, &request);
            paths.extend(result.ok().and_then(Outcome::found));
            let edits: Vec<GroundEdit> = (0..8).map(|_| some_edit(&ground, &mut rng)).collect();
            values.take(&ground.apply(&edits));
            for path in &paths {
                values.take(&status(&ground, path));
            }
            for column in ground.rect().columns() {
                let is_connected = ground.is_connected(request.start, column.at(0));
                values.number(is_connected.into());
            }
        }
        values.bytes(ground.raster().bytes());
        values.bytes(ground.moves());
    }
}

fn in_slices(ground: &DenseGround, request: &DenseRequest, values: &mut Values) {
    let Ok(mut session) = DenseSession::begin(ground, DenseSearcher::default(), *request) else {
        return;
    };
    loop {
        let progress = session.advance(ground, Budget::expansions(97));
        values.take(&progress);
        if !matches!(progress, Progress::InProgress { .. }) {
            return;
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

fn some_edit(ground: &DenseGround, rng: &mut Rng) -> GroundEdit {
    let cell = some_cell(ground.raster(), rng);
    if rng.chance(1, 2) {
        return GroundEdit::RemoveCell { cell };
    }
    let terrain = match rng.below(4) {
        0 => Terrain::WATER,
        1 => Terrain::SWAMP,
        _ => Terrain::GROUND,
    };
    GroundEdit::PutCell { cell, terrain }
}
