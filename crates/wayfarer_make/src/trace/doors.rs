//! Somebody plays with the doors: some open, some close, a locked one is unlocked and back.

use wayfarer_base::{
    EditTrace, GroundEdit, LinkState, NavLinkId, NavLinkKind, Rng, TraceStep, WorldData,
};

use super::TraceRecipe;
use crate::scenario::{draw_problem, walkable_cells};

/// Most doors that change in one batch.
const MAX_AT_ONCE: u32 = 3;

/// Opens and closes the doors of a world, one to three in a batch. A door that is locked at first
/// is opened and locked again, never just closed. Without doors there is no story.
pub fn doors(plan: &WorldData, recipe: &TraceRecipe) -> EditTrace {
    let mut doors: Vec<(NavLinkId, LinkState, LinkState)> = plan
        .nav_links
        .iter()
        .filter(|nav_link| nav_link.kind == NavLinkKind::Door)
        .map(|nav_link| {
            let shut = match nav_link.state {
                LinkState::Open => LinkState::Closed,
                other => other,
            };
            (NavLinkId::from(nav_link), nav_link.state, shut)
        })
        .collect();
    let cells = walkable_cells(plan);
    let mut trace = EditTrace::default();
    if doors.is_empty() {
        return trace;
    }
    for number in 0..u64::from(recipe.n_batches) {
        let mut rng = Rng::for_part(recipe.seed, number);
        let n_now = 1 + rng.below(MAX_AT_ONCE) as usize;
        // The first few of a new order: no door twice in a batch.
        rng.shuffle(&mut doors);
        let mut edits = Vec::new();
        for (link_data, gate, shut) in doors.iter_mut().take(n_now) {
            *gate = if *gate == LinkState::Open {
                *shut
            } else {
                LinkState::Open
            };
            edits.push(GroundEdit::SetNavLinkState {
                nav_link: *link_data,
                state: *gate,
            });
        }
        trace.steps.push(TraceStep::Batch(edits));
        let queries = (0..recipe.n_queries).filter_map(|_| draw_problem(&cells, &mut rng));
        trace.steps.extend(queries.map(TraceStep::Query));
    }
    trace
}
