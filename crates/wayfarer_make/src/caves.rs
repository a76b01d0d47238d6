//! Winding caves: rock strewn at random, smoothed a few times, what is left joined by tunnels.

use crate::Recipe;
use crate::carving_grid::{Board, GROUND, ROCK};
use crate::noise::strew;

const SMOOTHINGS: u32 = 5;
/// Caves with fewer cells are filled up.
const MIN_CAVE: u32 = 24;

pub(crate) fn dig(recipe: &Recipe, board: &mut Board) {
    strew(recipe, recipe.obstacles_or(49), board);
    for _ in 0..SMOOTHINGS {
        smooth(board);
    }
    board.join(MIN_CAVE, 1);
}

/// A cell becomes what most of the nine cells around and including it are; the edge is rock.
fn smooth(board: &mut Board) {
    let before = board.clone();
    let is_rock = |x, y| u32::from(before.at(x, y) == ROCK);
    let (width, height) = (before.width(), before.height());
    for y in 0..height {
        let column = |x| is_rock(x, y - 1) + is_rock(x, y) + is_rock(x, y + 1);
        let (mut west, mut center) = (column(-1), column(0));
        for x in 0..width {
            let east = column(x + 1);
            let edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            let rock = edge || west + center + east >= 5;
            board.put(x, y, if rock { ROCK } else { GROUND });
            (west, center) = (center, east);
        }
    }
}
