//! Fills in the expected lengths of a generated edit trace: replays it once, with an optimal
//! search per query.

use wayfarer_engine::World;
use wayfarer_engine::base::{
    Budget, Cell, EditTrace, Expected, NoopObserver, Outcome, Problem, Raster, RequestError,
    TraceStep, WorldData,
};
use wayfarer_engine::make::GeneratedWorld;
use wayfarer_engine::search::dense::{DenseMethod, DenseRequest, DenseSearcher, find_path};
use wayfarer_engine::search::ground::jps::{JpsSearcher, Query, find};
use wayfarer_engine::world::dense::DenseGround;

/// Sets the expectation of every query of `trace` in the world of that step.
pub(super) fn fill(trace: &mut EditTrace, generated: &GeneratedWorld) -> Result<(), String> {
    match generated {
        GeneratedWorld::Flat(map) => fill_flat(trace, map),
        GeneratedWorld::MultiFloor(data) => fill_multi_floor(trace, data),
        GeneratedWorld::Voxels(_) => Ok(()),
    }
}

/// By Dijkstra: simpler than the methods that replay the trace.
fn fill_flat(trace: &mut EditTrace, map: &Raster) -> Result<(), String> {
    let mut ground = DenseGround::from_raster(map.clone()).map_err(|error| error.to_string())?;
    let mut searcher = DenseSearcher::default();
    for step in &mut trace.steps {
        match step {
            TraceStep::Batch(edits) => {
                if !ground.apply(edits) {
                    return Err("an edit that a flat map cannot hold".to_owned());
                }
            }
            TraceStep::Query(problem) => {
                let mut request = DenseRequest::new(problem.start, problem.goal);
                request.method = DenseMethod::Dijkstra;
                problem.expected = match find_path(&ground, &mut searcher, &request) {
                    Ok(Outcome::Found(path)) => Expected::Length(path.cost.to_cells()),
                    Ok(_)
                    | Err(RequestError::StartBlocked { .. } | RequestError::GoalBlocked { .. }) => {
                        Expected::Unreachable
                    }
                    Err(request_error) => return Err(request_error.to_string()),
                };
            }
        }
    }
    Ok(())
}

fn fill_multi_floor(trace: &mut EditTrace, data: &WorldData) -> Result<(), String> {
    let mut world = World::from_data(data).map_err(|error| error.to_string())?;
    let mut searcher = JpsSearcher::default();
    for step in &mut trace.steps {
        match step {
            TraceStep::Batch(edits) => {
                world
                    .apply(edits.iter())
                    .map_err(|error| error.to_string())?;
            }
            TraceStep::Query(problem) => {
                problem.expected = optimal_length(&world, &mut searcher, problem);
            }
        }
    }
    Ok(())
}

fn optimal_length(world: &World, searcher: &mut JpsSearcher, problem: &Problem) -> Expected {
    let ground = world.ground();
    let node = |cell: Cell| ground.node(cell);
    let (Some(start), Some(goal)) = (node(problem.start), node(problem.goal)) else {
        return Expected::Unreachable;
    };
    let query = Query {
        start,
        goal,
        budget: Budget::UNLIMITED,
    };
    match find(ground, searcher, &query, &mut NoopObserver, &mut Vec::new()) {
        Outcome::Found(cost) => Expected::Length(cost.to_cells()),
        _ => Expected::Unreachable,
    }
}
