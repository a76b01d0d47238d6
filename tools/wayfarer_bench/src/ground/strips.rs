//! The strips of cells that edits remove: the center of the middle row, and the strip with most cells.

use wayfarer_engine::base::{Cell, Raster, Terrain};
use wayfarer_engine::world::ground::Ground;

/// Cells in a strip, walkable or not.
pub const LENGTH: u32 = 99;

/// The walkable cells of a strip that begins at column `x` of row `y`.
fn floors(map: &Raster, ground: &Ground, x: i32, y: i32) -> Vec<(Cell, Terrain)> {
    (x..x + LENGTH.cast_signed())
        .filter_map(|x| {
            let cell = Cell::flat(x, y);
            ground.node(cell)?;
            Some((cell, map.get(x, y)?))
        })
        .collect()
}

/// The walkable cells of the strip in the middle of the middle row.
pub(super) fn middle(map: &Raster, ground: &Ground) -> Vec<(Cell, Terrain)> {
    let (width, height) = (map.width().cast_signed(), map.height().cast_signed());
    let x = (width / 2 - LENGTH.cast_signed() / 2).max(0);
    floors(map, ground, x, height / 2)
}

/// The walkable cells of the strip with most of them; of equals the first, row by row.
pub(super) fn busiest(map: &Raster, ground: &Ground) -> Vec<(Cell, Terrain)> {
    let (width, height) = (map.width().cast_signed(), map.height().cast_signed());
    let length = LENGTH.cast_signed();
    let mut most = (0, 0, 0);
    for y in 0..height {
        let is_open = |x: i32| ground.node(Cell::flat(x, y)).is_some();
        let mut count = 0;
        for end in 0..width {
            count += i32::from(is_open(end));
            if end >= length {
                count -= i32::from(is_open(end - length));
            }
            if count > most.0 {
                most = (count, (end + 1 - length).max(0), y);
            }
        }
    }
    floors(map, ground, most.1, most.2)
}
