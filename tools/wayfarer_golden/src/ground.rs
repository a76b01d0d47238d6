//! Golden results of the ground: what is derived from it, and how edits change it and are undone.

use wayfarer::base::{GroundEdit, TraceStep};
use wayfarer::make::{GeneratedWorld, TraceKind, TraceRecipe, make, make_trace};
use wayfarer::world::ground::{Ground, SuccessorBuffer};

use super::values::Values;
use super::worlds::recipes;

/// Every made ground with its regions, portals, components and steps.
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

/// Grounds that are dug, built on and closed with doors, then brought back to where they began.
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
        GeneratedWorld::MultiFloor(plan) => Ground::from_plan(plan).ok(),
        GeneratedWorld::Voxels(_) => None,
    }
}
