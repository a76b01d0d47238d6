//! Open country from value noise: terrains by height and wetness with rivers and fords, flat or as
//! hills with slopes and cliffs.

use wayfarer_base::{Cell, Terrain, WorldData};

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND, ROCK, SWAMP};
use crate::noise::ValueNoise;

/// A flat map with all terrains.
pub(crate) fn draw(recipe: &Recipe, grid: &mut CarvingGrid) {
    let seed = |part| recipe.rng(part).next_u64();
    let height = ValueNoise::new(seed(1), 6, 5);
    let wet = ValueNoise::new(seed(2), 5, 4);
    let river = ValueNoise::new(seed(3), 6, 3);
    let ford = ValueNoise::new(seed(4), 4, 1);
    let (trees, water) = (Terrain::TREES.number(), Terrain::WATER.number());
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let (high, wetness) = (height.at(x, y), wet.at(x, y));
            let in_river = (river.at(x, y) - (1 << 15)).abs() < 900;
            let terrain = match high {
                44_500.. => ROCK,
                ..23_500 => water,
                _ if in_river && ford.at(x, y) > 36_000 => SWAMP,
                _ if in_river => water,
                ..27_500 if wetness > 31_000 => SWAMP,
                _ if wetness > 39_500 => trees,
                // Sparse trees at the edge of a wood.
                _ if wetness > 36_500 && recipe.rng(stream(x, y)).chance(1, 4) => trees,
                _ => GROUND,
            };
            grid.put(x, y, terrain);
        }
    }
}

/// Hills with walkable slopes and unwalkable cliffs; one floor per column.
pub(crate) fn hills(recipe: &Recipe) -> WorldData {
    let seed = |part| recipe.rng(part).next_u64();
    let base = ValueNoise::new(seed(1), 6, 3);
    let plateau = ValueNoise::new(seed(2), 6, 2);
    let ramp = ValueNoise::new(seed(3), 4, 1);
    let wet = ValueNoise::new(seed(4), 5, 4);
    let (width, height) = (recipe.width.cast_signed(), recipe.height.cast_signed());
    let mut cells = Vec::with_capacity(recipe.width as usize * recipe.height as usize);
    for y in 0..height {
        for x in 0..width {
            let low = base.at(x, y) * 20 / (1 << 16);
            // Plateaus of six steps: a cliff, or a slope where the ramp noise is high.
            let above = plateau.at(x, y) - 34_000;
            let slope = if ramp.at(x, y) > 33_000 { 2200 } else { 60 };
            let z = low + (above / slope).clamp(0, 6);
            let wetness = wet.at(x, y);
            let terrain = match z {
                ..=5 => Terrain::WATER,
                6 if wetness > 31_000 => Terrain::SWAMP,
                _ if wetness > 42_000 && recipe.rng(stream(x, y)).chance(1, 2) => Terrain::TREES,
                _ => Terrain::GROUND,
            };
            // Lakes are level.
            cells.push((Cell::new(x, y, z.max(5)), terrain));
        }
    }
    WorldData {
        cells,
        ..WorldData::default()
    }
}

/// The random stream of a column, disjoint from the small stream numbers.
fn stream(x: i32, y: i32) -> u64 {
    1 << 63 | u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned())
}

#[cfg(test)]
mod tests;
