//! Voxel worlds for flight: asteroids, and a hall with pillars, beams and crates.

use wayfarer_base::{Rng, VoxelSet};

use crate::{Generator, MakeError, Recipe};

/// Maximum number of the smallest cubes that may contain an asteroid: 2^24.
const MAX_CUBES: u64 = 1 << 24;
/// Minimum side of a hall, in voxels.
const MIN_HALL_SIDE: u32 = 8;

/// A sphere of rock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Asteroid {
    /// Center voxel (x, y, z), inside the box.
    pub center: [u32; 3],
    /// Radius in voxels, 2 to 24.
    pub radius: u32,
}

impl Asteroid {
    /// True if the asteroid contains `voxel`.
    pub fn contains(self, voxel: [u32; 3]) -> bool {
        let distance_squared: u64 = voxel
            .iter()
            .zip(self.center)
            .map(|(&at, center)| u64::from(at.abs_diff(center)).pow(2))
            .sum();
        distance_squared <= u64::from(self.radius) * u64::from(self.radius + 1)
    }
}

/// Size classes: side of the cube that contains at most one asteroid, minimum and maximum radius.
const SIZES: [(u32, u32, u32); 3] = [(64, 10, 24), (32, 5, 11), (16, 2, 5)];
/// Percentage of rock if every cube contains an asteroid.
const MAX_PERCENT: u32 = 21;

/// The asteroids of a recipe, by size class from large to small, then by cube. They may overlap.
///
/// [`Recipe::obstacles`] is the percentage of rock, 5 by default, at most 21. Works for boxes far
/// larger than [`crate::make`] fills with voxels.
///
/// # Errors
/// A size of 0, or more than 2^24 cubes of 16 voxels per side.
///
/// ```
/// use wayfarer_make::{Generator, Recipe, asteroids};
/// let recipe = Recipe { depth: 128, ..Recipe::new(Generator::Asteroids, 128, 128, 4) };
/// let rocks = asteroids(&recipe)?;
/// assert!(rocks.iter().all(|rock| (2..=24).contains(&rock.radius)));
/// # Ok::<(), wayfarer_make::MakeError>(())
/// ```
pub fn asteroids(recipe: &Recipe) -> Result<Vec<Asteroid>, MakeError> {
    recipe.check()?;
    let size = [recipe.width, recipe.height, recipe.depth];
    let n_cubes = size.map(|side| u64::from(side.div_ceil(16)));
    recipe.check_count(
        n_cubes.iter().fold(1, |all, n| all.saturating_mul(*n)),
        MAX_CUBES,
    )?;
    let percent = recipe.obstacles_or(5);
    let mut found = Vec::new();
    for (level, (side, min, max)) in (1..).zip(SIZES) {
        let mut rng = recipe.rng(level);
        let counts = size.map(|length| length.div_ceil(side));
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    let radius = rng.between(min.cast_signed(), max.cast_signed());
                    let low = [x, y, z].map(|at| at * side);
                    let center = low.map(|at| at + rng.below(side));
                    let is_inside = center.iter().zip(size).all(|(&at, length)| at < length);
                    if rng.chance(percent, MAX_PERCENT) && is_inside {
                        let radius = radius.cast_unsigned();
                        found.push(Asteroid { center, radius });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The voxels of the asteroids.
pub(crate) fn asteroid_voxels(recipe: &Recipe) -> Result<VoxelSet, MakeError> {
    let size = checked_box(recipe)?;
    let mut solid = Vec::new();
    for rock in asteroids(recipe)? {
        let low = rock.center.map(|at| at.saturating_sub(rock.radius));
        let mut high = rock.center.map(|at| at + rock.radius);
        for (high, length) in high.iter_mut().zip(size) {
            *high = (*high).min(length - 1);
        }
        for_each_voxel(low, high, |voxel| {
            if rock.contains(voxel) {
                solid.push(voxel);
            }
        });
    }
    Ok(finish(size, solid))
}

/// A hall: shell, cross walls with windows, pillars with beams, galleries, crates and lamps.
pub(crate) fn hall(recipe: &Recipe) -> Result<VoxelSet, MakeError> {
    let size = checked_box(recipe)?;
    let [width, height, depth] = size;
    if width.min(height) < MIN_HALL_SIDE {
        return Err(MakeError::TooSmall {
            generator: Generator::Hall,
            width,
            height,
            min: MIN_HALL_SIDE,
        });
    }
    recipe.check_option("depth", depth, MIN_HALL_SIDE, 1 << 20)?;
    let mut hall = Hall {
        size,
        solid: Vec::new(),
    };
    hall.add_shell();
    hall.add_cross_walls(&mut recipe.rng(1));
    hall.add_pillars(&mut recipe.rng(2));
    hall.add_clutter(&mut recipe.rng(3));
    Ok(finish(size, hall.solid))
}

struct Hall {
    size: [u32; 3],
    solid: Vec<[u32; 3]>,
}

impl Hall {
    /// Adds a solid box, both corners included, clipped to the hall.
    fn add_box(&mut self, low: [u32; 3], mut high: [u32; 3]) {
        for (high, length) in high.iter_mut().zip(self.size) {
            *high = (*high).min(length - 1);
        }
        for_each_voxel(low, high, |voxel| self.solid.push(voxel));
    }

    fn add_shell(&mut self) {
        let last = self.size.map(|length| length - 1);
        for axis in 0..3 {
            let mut high = last;
            high[axis] = 0;
            self.add_box([0; 3], high);
            let mut low = [0; 3];
            low[axis] = last[axis];
            self.add_box(low, last);
        }
    }

    /// Walls across the hall every 48 voxels or so, each with windows.
    fn add_cross_walls(&mut self, rng: &mut Rng) {
        let [width, height, depth] = self.size;
        let mut x = 24 + rng.below(24);
        while x + 16 < width {
            let windows: Vec<[u32; 4]> = (0..3 + height / 32)
                .map(|_| {
                    let (window_width, window_height) = (4 + rng.below(6), 4 + rng.below(6));
                    let left = 1 + rng.below(height.saturating_sub(window_width + 1));
                    let sill = 1 + rng.below(depth.saturating_sub(window_height + 1));
                    [left, left + window_width, sill, sill + window_height]
                })
                .collect();
            for y in 1..height - 1 {
                for z in 1..depth - 1 {
                    let is_window = windows.iter().any(|&[left, right, sill, top]| {
                        (left..right).contains(&y) && (sill..top).contains(&z)
                    });
                    if !is_window {
                        self.add_box([x, y, z], [x + 1, y, z]);
                    }
                }
            }
            x += 36 + rng.below(30);
        }
    }

    /// Rows of pillars with beams between them, and galleries.
    fn add_pillars(&mut self, rng: &mut Rng) {
        let [width, height, depth] = self.size;
        for y in (10..height.saturating_sub(8)).step_by(16) {
            for x in (8..width.saturating_sub(6)).step_by(12) {
                if rng.chance(3, 4) {
                    let thickness = rng.below(3);
                    self.add_box([x, y, 0], [x + thickness, y + thickness, depth - 1]);
                }
                if rng.chance(1, 2) {
                    let z = depth / 4 + rng.below(depth / 2);
                    self.add_box([x, y, z], [x + 12, y, z + 1]);
                }
                if rng.chance(1, 4) {
                    let z = depth / 4 + rng.below(depth / 2);
                    self.add_box([x, y, z], [x, y + 16, z]);
                }
            }
        }
        // Galleries along the two long walls.
        let z = depth / 2;
        if height >= 24 {
            self.add_box([0, 0, z], [width, 4, z]);
            self.add_box([0, height - 5, z], [width, height, z]);
        }
    }

    /// Crates on the floor and lamps from the ceiling.
    fn add_clutter(&mut self, rng: &mut Rng) {
        let [width, height, depth] = self.size;
        for _ in 0..width * height / 160 {
            let (x, y) = (1 + rng.below(width - 2), 1 + rng.below(height - 2));
            let side = rng.below(4);
            if rng.chance(2, 3) {
                let top = 1 + rng.below((depth / 4).max(2));
                self.add_box([x, y, 0], [x + side, y + side, top]);
            } else {
                // A lamp on a chain.
                let z = depth / 2 + rng.below(depth / 3);
                self.add_box([x, y, z], [x, y, depth - 1]);
                self.add_box(
                    [x.saturating_sub(1), y.saturating_sub(1), z],
                    [x + 1, y + 1, z + 1],
                );
            }
        }
    }
}

fn for_each_voxel(low: [u32; 3], high: [u32; 3], mut visit: impl FnMut([u32; 3])) {
    for z in low[2]..=high[2] {
        for y in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                visit([x, y, z]);
            }
        }
    }
}

fn checked_box(recipe: &Recipe) -> Result<[u32; 3], MakeError> {
    let size = [recipe.width, recipe.height, recipe.depth];
    let count = size
        .iter()
        .fold(1_u64, |all, &side| all.saturating_mul(side.into()));
    recipe.check_count(count, Recipe::MAX_VOXELS)?;
    Ok(size)
}

fn finish(size: [u32; 3], solid: Vec<[u32; 3]>) -> VoxelSet {
    VoxelSet::new(size, solid).expect("every voxel is clipped to the box")
}

#[cfg(test)]
mod tests;
