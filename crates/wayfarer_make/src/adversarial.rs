//! Adversarial maps for dynamic connectivity: one more wall disconnects half of the map.

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND};
use crate::maze::{EAST, JunctionGrid, SOUTH};

/// Alternating open and blocked cells; the north-west cell is open.
pub(crate) fn checkerboard(grid: &mut CarvingGrid) {
    for y in 0..grid.height() {
        for x in (y % 2..grid.width()).step_by(2) {
            grid.put(x, y, GROUND);
        }
    }
}

/// Corridors from north to south, connected along the north edge.
pub(crate) fn comb(recipe: &Recipe, grid: &mut CarvingGrid) {
    let mut junctions = JunctionGrid::new(grid, recipe.corridor);
    let (n_x, n_y) = junctions.size();
    for x in 0..n_x {
        junctions.open_from(x, 0, EAST);
        for y in 0..n_y {
            junctions.open_from(x, y, SOUTH);
        }
    }
    junctions.draw(grid);
}

/// Corridors from west to east, connected alternately at the east and the west end.
pub(crate) fn snake(recipe: &Recipe, grid: &mut CarvingGrid) {
    let mut junctions = JunctionGrid::new(grid, recipe.corridor);
    let (n_x, n_y) = junctions.size();
    for y in 0..n_y {
        for x in 0..n_x {
            junctions.open_from(x, y, EAST);
        }
        junctions.open_from(if y % 2 == 0 { n_x - 1 } else { 0 }, y, SOUTH);
    }
    junctions.draw(grid);
}

/// One corridor from the north-west corner spiraling inwards.
pub(crate) fn spiral(recipe: &Recipe, grid: &mut CarvingGrid) {
    let mut junctions = JunctionGrid::new(grid, recipe.corridor);
    let (n_x, n_y) = junctions.size();
    // The remaining rectangle, `high` excluded.
    let (mut low, mut high) = ((0, 0), (n_x, n_y));
    while low.0 < high.0 && low.1 < high.1 {
        let last = (high.0 - 1, high.1 - 1);
        for x in low.0..last.0 {
            junctions.open_from(x, low.1, EAST);
        }
        for y in low.1..last.1 {
            junctions.open_from(last.0, y, SOUTH);
        }
        if last.1 > low.1 {
            for x in low.0..last.0 {
                junctions.open_from(x, last.1, EAST);
            }
        }
        if last.0 > low.0 {
            // Up to one junction short of the start of the turn, then inwards.
            for y in low.1 + 1..last.1 {
                junctions.open_from(low.0, y, SOUTH);
            }
            if last.1 > low.1 + 1 && last.0 > low.0 + 1 {
                junctions.open_from(low.0, low.1 + 1, EAST);
            }
        }
        low = (low.0 + 1, low.1 + 1);
        high = last;
    }
    junctions.draw(grid);
}
