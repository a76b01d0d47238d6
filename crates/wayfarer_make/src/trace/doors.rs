//! Door traces: random doors toggle between open and closed or locked.

use wayfarer_base::{
    EditTrace, GroundEdit, LinkState, NavLinkId, NavLinkKind, Rng, TraceStep, WorldData,
};

use super::TraceRecipe;
use crate::scenario::{draw_problem, walkable_cells};

/// Maximum number of doors per batch.
const MAX_DOORS_PER_BATCH: u32 = 3;

/// Toggles the doors of a world, one to three per batch. An initially locked door toggles between
/// open and locked. Without doors the trace is empty.
pub fn doors(data: &WorldData, recipe: &TraceRecipe) -> EditTrace {
    let mut doors: Vec<(NavLinkId, LinkState, LinkState)> = data
        .nav_links
        .iter()
        .filter(|nav_link| nav_link.kind == NavLinkKind::Door)
        .map(|nav_link| {
            let closed_state = match nav_link.state {
                LinkState::Open => LinkState::Closed,
                other => other,
            };
            (NavLinkId::from(nav_link), nav_link.state, closed_state)
        })
        .collect();
    let cells = walkable_cells(data);
    let mut trace = EditTrace::default();
    if doors.is_empty() {
        return trace;
    }
    for number in 0..u64::from(recipe.n_batches) {
        let mut rng = Rng::for_stream(recipe.seed, number);
        let n_doors = 1 + rng.below(MAX_DOORS_PER_BATCH) as usize;
        // A prefix of a permutation: no door twice in a batch.
        rng.shuffle(&mut doors);
        let mut edits = Vec::new();
        for (nav_link, state, closed_state) in doors.iter_mut().take(n_doors) {
            *state = if *state == LinkState::Open {
                *closed_state
            } else {
                LinkState::Open
            };
            edits.push(GroundEdit::SetNavLinkState {
                nav_link: *nav_link,
                state: *state,
            });
        }
        trace.steps.push(TraceStep::Batch(edits));
        let queries = (0..recipe.n_queries).filter_map(|_| draw_problem(&cells, &mut rng));
        trace.steps.extend(queries.map(TraceStep::Query));
    }
    trace
}
