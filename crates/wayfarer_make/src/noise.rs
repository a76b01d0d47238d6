//! Value noise with octaves (fractal noise), and maps from thresholded noise.

use wayfarer_base::Rng;

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND, ROCK};

/// Fractal value noise over the plane, 0 to 65,535.
///
/// Random values at the points of a square lattice, each from its own stream, with smoothstep
/// interpolation; each octave halves lattice spacing and weight. O(octaves) per sample, no storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueNoise {
    seed: u64,
    /// Base-2 logarithm of the widest lattice spacing, in cells.
    scale_bits: u32,
    octaves: u32,
}

impl ValueNoise {
    pub(crate) const fn new(seed: u64, scale_bits: u32, octaves: u32) -> Self {
        Self {
            seed,
            scale_bits,
            octaves,
        }
    }

    /// The value at (`x`, `y`), 0 to 65,535.
    pub(crate) fn at(&self, x: i32, y: i32) -> i32 {
        let (mut sum, mut weights) = (0, 0);
        for octave in 0..self.octaves.min(self.scale_bits + 1) {
            let weight = 1_i64 << (self.octaves - octave);
            sum += weight * self.octave(x, y, octave);
            weights += weight;
        }
        i32::try_from(sum / weights.max(1)).expect("a mean of 16-bit numbers")
    }

    fn octave(&self, x: i32, y: i32, octave: u32) -> i64 {
        let bits = self.scale_bits - octave;
        let (left, top) = (x >> bits, y >> bits);
        let ramp = |at: i32| smoothstep(i64::from(at & ((1 << bits) - 1)), bits);
        let (ramp_x, ramp_y) = (ramp(x), ramp(y));
        let point = |dx: i32, dy: i32| self.lattice_point(left + dx, top + dy, octave);
        let mix = |a: i64, b: i64, ramp: i64| a + (((b - a) * ramp) >> 16);
        let north = mix(point(0, 0), point(1, 0), ramp_x);
        let south = mix(point(0, 1), point(1, 1), ramp_x);
        mix(north, south, ramp_y)
    }

    fn lattice_point(&self, x: i32, y: i32, octave: u32) -> i64 {
        let stream = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
        let seed = self.seed.wrapping_add(u64::from(octave) << 56);
        i64::from(Rng::for_stream(seed, stream).below(1 << 16))
    }
}

/// Smoothstep 3t² - 2t³ of t = `at` / 2^`bits`, in 1/65,536.
fn smoothstep(at: i64, bits: u32) -> i64 {
    let t = (at << 16) >> bits;
    (((t * t) >> 16) * (3 * (1 << 16) - 2 * t)) >> 16
}

/// Thresholded noise with approximately the requested percentage blocked.
pub(crate) fn draw(recipe: &Recipe, grid: &mut CarvingGrid) {
    let noise = ValueNoise::new(recipe.seed, 4, 3);
    let threshold = blocking_threshold(recipe.obstacles_or(45));
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let is_open = i64::from(noise.at(x, y)) >= threshold;
            grid.put(x, y, if is_open { GROUND } else { ROCK });
        }
    }
}

/// The value below which about `percent` of the plane lies, for scale 4 and three octaves.
fn blocking_threshold(percent: u32) -> i64 {
    // Measured in steps of ten percent over 40 seeds; linear in between.
    const THRESHOLDS: [i64; 11] = [
        0, 20_700, 24_600, 27_600, 30_300, 32_800, 35_400, 38_100, 41_100, 45_000, 65_536,
    ];
    let step = percent.min(99) / 10;
    let (low, high) = (THRESHOLDS[step as usize], THRESHOLDS[step as usize + 1]);
    low + (high - low) * i64::from(percent - 10 * step) / 10
}

/// Blocks each cell independently with a probability of `percent`.
pub(crate) fn scatter(recipe: &Recipe, percent: u32, grid: &mut CarvingGrid) {
    for (number, row) in (0..).zip(grid.rows_mut()) {
        let mut rng = recipe.rng(number);
        for cell in row {
            *cell = if rng.chance(percent, 100) {
                ROCK
            } else {
                GROUND
            };
        }
    }
}

#[cfg(test)]
mod tests;
