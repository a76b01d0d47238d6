//! Caves by cellular automaton: random rock, majority smoothing, then tunnels between components.

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND, ROCK};
use crate::noise::scatter;

const N_SMOOTHINGS: u32 = 5;
/// Smaller caves are filled with rock.
const MIN_CAVE_CELLS: u32 = 24;

pub(crate) fn dig(recipe: &Recipe, grid: &mut CarvingGrid) {
    scatter(recipe, recipe.obstacles_or(49), grid);
    for _ in 0..N_SMOOTHINGS {
        smooth(grid);
    }
    grid.connect(MIN_CAVE_CELLS, 1);
}

/// One automaton step: each cell becomes the majority of its 3 x 3 neighborhood; the border is
/// rock.
fn smooth(grid: &mut CarvingGrid) {
    let before = grid.clone();
    let is_rock = |x, y| u32::from(before.at(x, y) == ROCK);
    let (width, height) = (before.width(), before.height());
    for y in 0..height {
        let column = |x| is_rock(x, y - 1) + is_rock(x, y) + is_rock(x, y + 1);
        let (mut west, mut middle) = (column(-1), column(0));
        for x in 0..width {
            let east = column(x + 1);
            let is_border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            let becomes_rock = is_border || west + middle + east >= 5;
            grid.put(x, y, if becomes_rock { ROCK } else { GROUND });
            (west, middle) = (middle, east);
        }
    }
}
