//! Worlds to fly in: a field of asteroids, and a hall full of pillars, beams and crates.

use wayfarer_base::{Rng, VoxelSet};

use crate::{Generator, MakeError, Recipe};

/// Most places where an asteroid may be: 2^24.
const MAX_PLACES: u64 = 1 << 24;
/// A hall has floor, ceiling and room between.
const SHORTEST_HALL: u32 = 8;

/// A ball of rock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Asteroid {
    /// Its middle voxel (x, y, z); inside the box.
    pub center: [u32; 3],
    /// How far it reaches from there, in voxels, 2 to 24.
    pub radius: u32,
}

impl Asteroid {
    /// True if `voxel` belongs to it.
    pub fn contains(self, voxel: [u32; 3]) -> bool {
        let far: u64 = voxel
            .iter()
            .zip(self.center)
            .map(|(&at, center)| u64::from(at.abs_diff(center)).pow(2))
            .sum();
        far <= u64::from(self.radius) * u64::from(self.radius + 1)
    }
}

/// Large, middling and small asteroids: side of the cube in which there is one at most, least and
/// greatest radius.
const SIZES: [(u32, u32, u32); 3] = [(64, 10, 24), (32, 5, 11), (16, 2, 5)];
/// Per cent of space that is rock if there is one in every cube.
const FULL: u32 = 21;

/// The asteroids of a recipe, in the order of their places, large ones first. They may overlap.
///
/// The recipe's `obstacles` say how many per cent of space is rock, 5 if `None`, 21 at most. The
/// list can be had for boxes far larger than [`crate::make`] fills with voxels.
///
/// # Errors
/// A size of 0, or more than 2^24 cubes of 16 voxels a side.
///
/// ```
/// use wayfarer_make::{Generator, Recipe, asteroids};
/// let recipe = Recipe { depth: 128, ..Recipe::new(Generator::Asteroids, 128, 128, 4) };
/// let rocks = asteroids(&recipe)?;
/// assert!(rocks.iter().all(|rock| (2..=24).contains(&rock.radius)));
/// # Ok::<(), wayfarer_make::MakeError>(())
/// ```
pub fn asteroids(recipe: &Recipe) -> Result<Vec<Asteroid>, MakeError> {
    recipe.checked()?;
    let size = [recipe.width, recipe.height, recipe.depth];
    let places = size.map(|side| u64::from(side.div_ceil(16)));
    recipe.at_most(
        places.iter().fold(1, |all, n| all.saturating_mul(*n)),
        MAX_PLACES,
    )?;
    let share = recipe.obstacles_or(5);
    let mut found = Vec::new();
    for (level, (side, least, most)) in (1..).zip(SIZES) {
        let mut rng = recipe.rng(level);
        let counts = size.map(|length| length.div_ceil(side));
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    let radius = rng.between(least.cast_signed(), most.cast_signed());
                    let low = [x, y, z].map(|at| at * side);
                    let center = low.map(|at| at + rng.below(side));
                    let inside = center.iter().zip(size).all(|(&at, length)| at < length);
                    if rng.chance(share, FULL) && inside {
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
        each(low, high, |voxel| {
            if rock.contains(voxel) {
                solid.push(voxel);
            }
        });
    }
    Ok(finish(size, solid))
}

/// A hall: walls, floor and ceiling, rows of pillars with beams between, galleries along the
/// walls, walls with windows across, crates on the floor and lamps from the ceiling.
pub(crate) fn hall(recipe: &Recipe) -> Result<VoxelSet, MakeError> {
    let size = checked_box(recipe)?;
    let [width, height, depth] = size;
    if width.min(height) < SHORTEST_HALL {
        return Err(MakeError::TooSmall {
            kind: Generator::Hall,
            width,
            height,
            least: SHORTEST_HALL,
        });
    }
    recipe.option("depth", depth, SHORTEST_HALL, 1 << 20)?;
    let mut works = Hall {
        size,
        solid: Vec::new(),
    };
    works.shell();
    works.windows(&mut recipe.rng(1));
    works.pillars(&mut recipe.rng(2));
    works.clutter(&mut recipe.rng(3));
    Ok(finish(size, works.solid))
}

struct Hall {
    size: [u32; 3],
    solid: Vec<[u32; 3]>,
}

impl Hall {
    /// A solid box, both corners included, cut off at the hall's end.
    fn solid(&mut self, low: [u32; 3], mut high: [u32; 3]) {
        for (high, length) in high.iter_mut().zip(self.size) {
            *high = (*high).min(length - 1);
        }
        each(low, high, |voxel| self.solid.push(voxel));
    }

    fn shell(&mut self) {
        let last = self.size.map(|length| length - 1);
        for axis in 0..3 {
            let mut high = last;
            high[axis] = 0;
            self.solid([0; 3], high);
            let mut low = [0; 3];
            low[axis] = last[axis];
            self.solid(low, last);
        }
    }

    /// Walls from floor to ceiling across the hall every 48 voxels or so, each with windows.
    fn windows(&mut self, rng: &mut Rng) {
        let [width, height, depth] = self.size;
        let mut x = 24 + rng.below(24);
        while x + 16 < width {
            let windows: Vec<[u32; 4]> = (0..3 + height / 32)
                .map(|_| {
                    let (wide, tall) = (4 + rng.below(6), 4 + rng.below(6));
                    let left = 1 + rng.below(height.saturating_sub(wide + 1));
                    let sill = 1 + rng.below(depth.saturating_sub(tall + 1));
                    [left, left + wide, sill, sill + tall]
                })
                .collect();
            for y in 1..height - 1 {
                for z in 1..depth - 1 {
                    let open = windows.iter().any(|&[left, right, sill, top]| {
                        (left..right).contains(&y) && (sill..top).contains(&z)
                    });
                    if !open {
                        self.solid([x, y, z], [x + 1, y, z]);
                    }
                }
            }
            x += 36 + rng.below(30);
        }
    }

    /// Pillars in rows, and beams from one to the next at a height of their own.
    fn pillars(&mut self, rng: &mut Rng) {
        let [width, height, depth] = self.size;
        for y in (10..height.saturating_sub(8)).step_by(16) {
            for x in (8..width.saturating_sub(6)).step_by(12) {
                if rng.chance(3, 4) {
                    let thick = rng.below(3);
                    self.solid([x, y, 0], [x + thick, y + thick, depth - 1]);
                }
                if rng.chance(1, 2) {
                    let z = depth / 4 + rng.below(depth / 2);
                    self.solid([x, y, z], [x + 12, y, z + 1]);
                }
                if rng.chance(1, 4) {
                    let z = depth / 4 + rng.below(depth / 2);
                    self.solid([x, y, z], [x, y + 16, z]);
                }
            }
        }
        // Galleries along the two long walls.
        let z = depth / 2;
        if height >= 24 {
            self.solid([0, 0, z], [width, 4, z]);
            self.solid([0, height - 5, z], [width, height, z]);
        }
    }

    fn clutter(&mut self, rng: &mut Rng) {
        let [width, height, depth] = self.size;
        for _ in 0..width * height / 160 {
            let (x, y) = (1 + rng.below(width - 2), 1 + rng.below(height - 2));
            let side = rng.below(4);
            if rng.chance(2, 3) {
                let top = 1 + rng.below((depth / 4).max(2));
                self.solid([x, y, 0], [x + side, y + side, top]);
            } else {
                // A lamp on its chain.
                let z = depth / 2 + rng.below(depth / 3);
                self.solid([x, y, z], [x, y, depth - 1]);
                self.solid(
                    [x.saturating_sub(1), y.saturating_sub(1), z],
                    [x + 1, y + 1, z + 1],
                );
            }
        }
    }
}

fn each(low: [u32; 3], high: [u32; 3], mut visit: impl FnMut([u32; 3])) {
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
    recipe.at_most(count, Recipe::MAX_VOXELS)?;
    Ok(size)
}

fn finish(size: [u32; 3], solid: Vec<[u32; 3]>) -> VoxelSet {
    VoxelSet::new(size, solid).expect("every voxel was cut off at the box")
}

#[cfg(test)]
mod tests;
