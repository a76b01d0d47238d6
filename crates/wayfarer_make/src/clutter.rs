//! Open country with things in the way: boulders, groups of trees, hedges, ruins, ponds.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use crate::Recipe;
use crate::carving_grid::{Board, GROUND, ROCK};

/// Things are strewn square by square of this side.
const SIDE: i32 = 32;
const TREES: u8 = Terrain::TREES.number();

/// Draws open ground and strews things over it until about the wished share is blocked.
pub(crate) fn draw(recipe: &Recipe, board: &mut Board) {
    board.fill(board.rect(), GROUND);
    let share = recipe.obstacles_or(10).cast_signed();
    // What one square has too much, the next has less.
    let mut wanted = 0;
    for top in (0..board.height()).step_by(SIDE as usize) {
        for left in (0..board.width()).step_by(SIDE as usize) {
            let place = u64::from(left.cast_unsigned()) << 32 | u64::from(top.cast_unsigned());
            let mut rng = recipe.rng(place);
            wanted += SIDE * SIDE * share / 100;
            while wanted > 0 {
                let at = Column::new(
                    left + rng.between(0, SIDE - 1),
                    top + rng.between(0, SIDE - 1),
                );
                wanted -= thing(&mut rng, board, at);
            }
        }
    }
}

/// Draws one thing around `at`; tells about how many cells it takes.
fn thing(rng: &mut Rng, board: &mut Board, at: Column) -> i32 {
    match rng.below(100) {
        0..35 => {
            let radius = rng.between(0, 2);
            board.disc(at.x, at.y, radius, ROCK);
            3 * radius * radius + 1
        }
        35..65 => {
            let count = rng.between(3, 9);
            for _ in 0..count {
                let (dx, dy) = (rng.between(-3, 3), rng.between(-3, 3));
                board.put(at.x + dx, at.y + dy, TREES);
            }
            count
        }
        65..80 => {
            let length = rng.between(5, 14);
            board.fill(bar(rng, at, length), TREES);
            length
        }
        80..93 => ruin(rng, board, at),
        _ => {
            let radius = rng.between(2, 4);
            board.disc(at.x, at.y, radius, Terrain::WATER.number());
            board.disc(
                at.x + rng.between(-2, 2),
                at.y + rng.between(-2, 2),
                radius - 1,
                Terrain::WATER.number(),
            );
            4 * radius * radius
        }
    }
}

/// A straight line of `length` cells from `at`, eastwards or southwards.
fn bar(rng: &mut Rng, at: Column, length: i32) -> Rect {
    let end = if rng.chance(1, 2) {
        Column::new(at.x + length - 1, at.y)
    } else {
        Column::new(at.x, at.y + length - 1)
    };
    Rect::around(at, end)
}

/// What is left of a house: its walls, with stones missing.
fn ruin(rng: &mut Rng, board: &mut Board, at: Column) -> i32 {
    let (width, height) = (rng.between(4, 9), rng.between(4, 9));
    let house = Rect::around(at, Column::new(at.x + width, at.y + height));
    let mut area = 0;
    for column in house.columns() {
        let beside = |low: i32, at: i32, high: i32| at == low || at == high;
        let wall = beside(house.low.x, column.x, house.high.x)
            || beside(house.low.y, column.y, house.high.y);
        if wall && rng.chance(3, 4) {
            board.put(column.x, column.y, ROCK);
            area += 1;
        }
    }
    // A door wide enough for anyone.
    let door = Column::new(at.x + width / 2, at.y);
    board.fill(Rect::around(door, Column::new(door.x + 1, door.y)), GROUND);
    area
}
