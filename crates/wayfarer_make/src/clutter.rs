//! Open ground with scattered obstacles: boulders, groups of trees, hedges, ruins, ponds.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND, ROCK};

/// Obstacles are scattered tile by tile of this side, in cells.
const SIDE: i32 = 32;
const TREES: u8 = Terrain::TREES.number();

/// Scatters obstacles until approximately the requested percentage is blocked.
pub(crate) fn draw(recipe: &Recipe, grid: &mut CarvingGrid) {
    grid.fill(grid.rect(), GROUND);
    let percent = recipe.obstacles_or(10).cast_signed();
    // The excess of one tile is deducted from the next.
    let mut n_missing = 0;
    for top in (0..grid.height()).step_by(SIDE as usize) {
        for left in (0..grid.width()).step_by(SIDE as usize) {
            let stream = u64::from(left.cast_unsigned()) << 32 | u64::from(top.cast_unsigned());
            let mut rng = recipe.rng(stream);
            n_missing += SIDE * SIDE * percent / 100;
            while n_missing > 0 {
                let at = Column::new(
                    left + rng.between(0, SIDE - 1),
                    top + rng.between(0, SIDE - 1),
                );
                n_missing -= add_obstacle(&mut rng, grid, at);
            }
        }
    }
}

/// Adds a random obstacle around `at`; returns its approximate area in cells.
fn add_obstacle(rng: &mut Rng, grid: &mut CarvingGrid, at: Column) -> i32 {
    match rng.below(100) {
        0..35 => {
            let radius = rng.between(0, 2);
            grid.disc(at.x, at.y, radius, ROCK);
            3 * radius * radius + 1
        }
        35..65 => {
            let count = rng.between(3, 9);
            for _ in 0..count {
                let (dx, dy) = (rng.between(-3, 3), rng.between(-3, 3));
                grid.put(at.x + dx, at.y + dy, TREES);
            }
            count
        }
        65..80 => {
            let length = rng.between(5, 14);
            grid.fill(bar(rng, at, length), TREES);
            length
        }
        80..93 => ruin(rng, grid, at),
        _ => {
            let radius = rng.between(2, 4);
            grid.disc(at.x, at.y, radius, Terrain::WATER.number());
            grid.disc(
                at.x + rng.between(-2, 2),
                at.y + rng.between(-2, 2),
                radius - 1,
                Terrain::WATER.number(),
            );
            4 * radius * radius
        }
    }
}

/// A line of `length` cells from `at` to the east or south.
fn bar(rng: &mut Rng, at: Column, length: i32) -> Rect {
    let end = if rng.chance(1, 2) {
        Column::new(at.x + length - 1, at.y)
    } else {
        Column::new(at.x, at.y + length - 1)
    };
    Rect::around(at, end)
}

/// The walls of a house with gaps.
fn ruin(rng: &mut Rng, grid: &mut CarvingGrid, at: Column) -> i32 {
    let (width, height) = (rng.between(4, 9), rng.between(4, 9));
    let house = Rect::around(at, Column::new(at.x + width, at.y + height));
    let mut area = 0;
    for column in house.columns() {
        let is_end = |low: i32, at: i32, high: i32| at == low || at == high;
        let is_wall = is_end(house.low.x, column.x, house.high.x)
            || is_end(house.low.y, column.y, house.high.y);
        if is_wall && rng.chance(3, 4) {
            grid.put(column.x, column.y, ROCK);
            area += 1;
        }
    }
    // A door of two cells.
    let door = Column::new(at.x + width / 2, at.y);
    grid.fill(Rect::around(door, Column::new(door.x + 1, door.y)), GROUND);
    area
}
