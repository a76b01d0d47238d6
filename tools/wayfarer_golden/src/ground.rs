//! Golden digests of the ground: derived data, successors, edits and their inverses.

use wayfarer_engine::base::{GroundEdit, TraceStep};
use wayfarer_engine::make::{GeneratedWorld, TraceKind, TraceRecipe, make, make_trace};
use wayfarer_engine::world::ground::{Ground, SuccessorBuffer};

use super::values::Values;
use super::worlds::recipes;

/// Every generated ground with its regions, portals, components and successors.
pub(super) fn grounds(values: &mut Values) {
    let mut buffer = SuccessorBuffer::default();
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        let Some(ground) = ground_of(&world) else {
            continue;
        };
        values.take(&ground.canonical());
        for node in ground.nodes() {
            values.take(&ground.cell(node));
            for (to, cost) in ground.successors(node, &mut buffer) {
                values.each(&[&ground.cell(to), &cost]);
            }
        }
    }
}

/// Edit traces on every generated ground, then all inverses.
pub(super) fn ground_edits(values: &mut Values) {
    let recipe = TraceRecipe {
        n_batches: 6,
        n_queries: 0,
        seed: 14,
    };
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        for trace in TraceKind::ALL.map(|kind| make_trace(kind, &world, &recipe)) {
            let (Ok(trace), Some(mut ground)) = (trace, ground_of(&world)) else {
                continue;
            };
            let before = ground.canonical();
            let mut undo: Vec<Vec<GroundEdit>> = Vec::new();
            for step in &trace.steps {
                let TraceStep::Batch(edits) = step else {
                    continue;
                };
                let changes = ground.apply(edits);
                values.take(&changes);
                undo.extend(changes.map(|changes| changes.inverse()));
            }
            values.take(&ground.canonical());
            for edits in undo.iter().rev() {
                values.number(ground.apply(edits).is_ok().into());
            }
            values.number((ground.canonical() == before).into());
        }
    }
}

fn ground_of(world: &GeneratedWorld) -> Option<Ground> {
    match world {
        GeneratedWorld::Flat(map) => Some(Ground::from_raster(map)),
        GeneratedWorld::MultiFloor(data) => Ground::from_data(data).ok(),
        GeneratedWorld::Voxels(_) => None,
    }
}
