//! Golden digests of cached jump point search: optimal and bounded paths between edits, by warm and
//! cold searchers.

use wayfarer_engine::base::{Cell, GroundEdit, Rng, Terrain};
use wayfarer_engine::search::ground::jps_cached::CacheLimit;
use wayfarer_engine::search::ground::{GroundRequest, Method, PathSearcher};
use wayfarer_engine::search::kernel::find_batch;

use super::values::Values;
use super::worlds::flat_worlds;
use wayfarer_engine::World;

/// Paths through every flat world by both methods, with edits in between.
pub(super) fn paths(values: &mut Values) {
    let mut rng = Rng::new(25);
    let mut warm = PathSearcher::default();
    for map in flat_worlds() {
        let mut world = World::from_raster(&map);
        let cells: Vec<Cell> = map.rect().columns().map(|column| column.at(0)).collect();
        for _ in 0..3 {
            let mut cold = PathSearcher::with_cache_limit(CacheLimit::Bytes(4_000));
            let requests = some_requests(&world, &cells, &mut rng);
            for request in &requests {
                for searcher in [&mut warm, &mut cold] {
                    searcher.sync(world.ground(), world.ground_log());
                    let result = searcher.find(world.ground(), request);
                    values.take(&result);
                }
            }
            let results = find_batch::<PathSearcher>(world.ground(), &requests, 3);
            values.take(&results);
            for _ in 0..4 {
                let cell = rng.pick(&cells).copied().unwrap_or_default();
                let terrain = Terrain::GROUND;
                let edit = if world.is_walkable(cell) {
                    GroundEdit::RemoveCell { cell }
                } else {
                    GroundEdit::PutCell { cell, terrain }
                };
                values.number(world.apply([edit]).is_ok().into());
            }
        }
    }
}

fn some_requests(world: &World, cells: &[Cell], rng: &mut Rng) -> Vec<GroundRequest> {
    let open: Vec<Cell> = cells
        .iter()
        .copied()
        .filter(|cell| world.is_walkable(*cell))
        .collect();
    let methods = [Method::Bounded, Method::Optimal].into_iter().cycle();
    methods
        .take(6)
        .map(|method| {
            let mut pick = || rng.pick(&open).copied().unwrap_or_default();
            let (from, to) = (pick(), pick());
            GroundRequest {
                method,
                ..GroundRequest::new(from, to)
            }
        })
        .collect()
}
