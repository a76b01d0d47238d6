//! Smooth chance over the plane, and maps drawn from chance alone.

use wayfarer_base::Rng;

use crate::Recipe;
use crate::carving_grid::{Board, GROUND, ROCK};

/// Heights over the plane that change smoothly from place to place, 0 to 65,535.
///
/// Whole numbers at the corners of a square lattice, drawn for each corner alone, and between
/// them a smooth ramp; each octave halves both the lattice and its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heights {
    seed: u64,
    /// Cells along a side of the widest lattice: a power of two.
    scale_bits: u32,
    octaves: u32,
}

impl Heights {
    pub(crate) const fn new(seed: u64, scale_bits: u32, octaves: u32) -> Self {
        Self {
            seed,
            scale_bits,
            octaves,
        }
    }

    /// The height at (`x`, `y`), 0 to 65,535.
    pub(crate) fn at(&self, x: i32, y: i32) -> i32 {
        let (mut sum, mut weights) = (0, 0);
        for octave in 0..self.octaves.min(self.scale_bits + 1) {
            let weight = 1_i64 << (self.octaves - octave);
            sum += weight * self.layer(x, y, octave);
            weights += weight;
        }
        i32::try_from(sum / weights.max(1)).expect("a mean of 16-bit numbers")
    }

    fn layer(&self, x: i32, y: i32, octave: u32) -> i64 {
        let bits = self.scale_bits - octave;
        let (left, top) = (x >> bits, y >> bits);
        let ramp = |at: i32| smooth(i64::from(at & ((1 << bits) - 1)), bits);
        let (ramp_x, ramp_y) = (ramp(x), ramp(y));
        let corner = |dx: i32, dy: i32| self.corner(left + dx, top + dy, octave);
        let mix = |a: i64, b: i64, ramp: i64| a + (((b - a) * ramp) >> 16);
        let north = mix(corner(0, 0), corner(1, 0), ramp_x);
        let south = mix(corner(0, 1), corner(1, 1), ramp_x);
        mix(north, south, ramp_y)
    }

    fn corner(&self, x: i32, y: i32, octave: u32) -> i64 {
        let place = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
        let seed = self.seed.wrapping_add(u64::from(octave) << 56);
        i64::from(Rng::for_part(seed, place).below(1 << 16))
    }
}

/// The ramp 3t² - 2t³ of t = `at` / 2^`bits`, in 1/65,536.
fn smooth(at: i64, bits: u32) -> i64 {
    let t = (at << 16) >> bits;
    (((t * t) >> 16) * (3 * (1 << 16) - 2 * t)) >> 16
}

/// Blotches of open ground; about the wished share is blocked.
pub(crate) fn draw(recipe: &Recipe, board: &mut Board) {
    let heights = Heights::new(recipe.seed, 4, 3);
    let level = level_of(recipe.obstacles_or(45));
    for y in 0..board.height() {
        for x in 0..board.width() {
            let open = i64::from(heights.at(x, y)) >= level;
            board.put(x, y, if open { GROUND } else { ROCK });
        }
    }
}

/// The height below which about `share` per cent of the plane lies, for scale 4 and three octaves.
fn level_of(share: u32) -> i64 {
    // Measured in steps of ten per cent over 40 seeds; straight lines between.
    const LEVELS: [i64; 11] = [
        0, 20_700, 24_600, 27_600, 30_300, 32_800, 35_400, 38_100, 41_100, 45_000, 65_536,
    ];
    let step = share.min(99) / 10;
    let (low, high) = (LEVELS[step as usize], LEVELS[step as usize + 1]);
    low + (high - low) * i64::from(share - 10 * step) / 10
}

/// Single blocked cells: each cell is rock with a chance of `share` per cent, else ground.
pub(crate) fn strew(recipe: &Recipe, share: u32, board: &mut Board) {
    for (number, row) in (0..).zip(board.rows_mut()) {
        let mut rng = recipe.rng(number);
        for cell in row {
            *cell = if rng.chance(share, 100) { ROCK } else { GROUND };
        }
    }
}

#[cfg(test)]
mod tests;
