//! Maps that are hard on whoever must keep up with changes: one wall more cuts half the map off.

use crate::Recipe;
use crate::carving_grid::{Board, GROUND};
use crate::maze::{EAST, Plan, SOUTH};

/// Open and blocked cells in turn, the north-west open.
pub(crate) fn checkerboard(board: &mut Board) {
    for y in 0..board.height() {
        for x in (y % 2..board.width()).step_by(2) {
            board.put(x, y, GROUND);
        }
    }
}

/// Corridors from north to south, all ending in one along the north edge.
pub(crate) fn comb(recipe: &Recipe, board: &mut Board) {
    let mut plan = Plan::new(board, recipe.corridor);
    let (n_x, n_y) = plan.size();
    for x in 0..n_x {
        plan.step(x, 0, EAST);
        for y in 0..n_y {
            plan.step(x, y, SOUTH);
        }
    }
    plan.draw(board);
}

/// Corridors from west to east, joined in turn at the east and at the west end.
pub(crate) fn snake(recipe: &Recipe, board: &mut Board) {
    let mut plan = Plan::new(board, recipe.corridor);
    let (n_x, n_y) = plan.size();
    for y in 0..n_y {
        for x in 0..n_x {
            plan.step(x, y, EAST);
        }
        plan.step(if y % 2 == 0 { n_x - 1 } else { 0 }, y, SOUTH);
    }
    plan.draw(board);
}

/// One corridor from the north-west corner inwards, turn by turn.
pub(crate) fn spiral(recipe: &Recipe, board: &mut Board) {
    let mut plan = Plan::new(board, recipe.corridor);
    let (n_x, n_y) = plan.size();
    // What is not yet wound: from `low` to below `high`, both in x and y.
    let (mut low, mut high) = ((0, 0), (n_x, n_y));
    while low.0 < high.0 && low.1 < high.1 {
        let last = (high.0 - 1, high.1 - 1);
        for x in low.0..last.0 {
            plan.step(x, low.1, EAST);
        }
        for y in low.1..last.1 {
            plan.step(last.0, y, SOUTH);
        }
        if last.1 > low.1 {
            for x in low.0..last.0 {
                plan.step(x, last.1, EAST);
            }
        }
        if last.0 > low.0 {
            // Up to one short of where it came from, then in.
            for y in low.1 + 1..last.1 {
                plan.step(low.0, y, SOUTH);
            }
            if last.1 > low.1 + 1 && last.0 > low.0 + 1 {
                plan.step(low.0, low.1 + 1, EAST);
            }
        }
        low = (low.0 + 1, low.1 + 1);
        high = last;
    }
    plan.draw(board);
}
