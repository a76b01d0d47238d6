//! Generators, recipes and [`make`], the entry point. Limits are checked before allocation.

use std::fmt;

use wayfarer_base::{Raster, Rng, VoxelSet, WorldData};

use crate::carving_grid::{CarvingGrid, GROUND};
use crate::{
    MakeError, adversarial, building, caves, city, clutter, land, maze, noise, rooms, space,
};

/// A world generator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Generator {
    /// Winding caves in solid rock.
    Caves,
    /// Rooms connected by corridors.
    Rooms,
    /// A maze of corridors.
    Maze,
    /// Streets, houses, courtyards, parks.
    City,
    /// Open ground with scattered obstacles.
    Clutter,
    /// Value noise thresholded to open and blocked ground.
    Noise,
    /// Open country with swamp, water and trees.
    Terrain,
    /// Hills with slopes and cliffs.
    Heights,
    /// A multi-floor building with stairs, bridges and doors.
    Building,
    /// Spheres of rock in space (voxels).
    Asteroids,
    /// A cluttered hall (voxels).
    Hall,
    /// Independent random blocked cells.
    Random,
    /// One spiral corridor.
    Spiral,
    /// Long dead ends along one corridor.
    Comb,
    /// One boustrophedon corridor.
    Snake,
    /// Alternating open and blocked cells.
    Checkerboard,
    /// Open ground without obstacles.
    Open,
}

impl Generator {
    /// All generators, in declaration order.
    pub const ALL: [Self; 17] = [
        Self::Caves,
        Self::Rooms,
        Self::Maze,
        Self::City,
        Self::Clutter,
        Self::Noise,
        Self::Terrain,
        Self::Heights,
        Self::Building,
        Self::Asteroids,
        Self::Hall,
        Self::Random,
        Self::Spiral,
        Self::Comb,
        Self::Snake,
        Self::Checkerboard,
        Self::Open,
    ];

    /// The name in commands and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Caves => "caves",
            Self::Rooms => "rooms",
            Self::Maze => "maze",
            Self::City => "city",
            Self::Clutter => "clutter",
            Self::Noise => "noise",
            Self::Terrain => "terrain",
            Self::Heights => "heights",
            Self::Building => "building",
            Self::Asteroids => "asteroids",
            Self::Hall => "hall",
            Self::Random => "random",
            Self::Spiral => "spiral",
            Self::Comb => "comb",
            Self::Snake => "snake",
            Self::Checkerboard => "checkerboard",
            Self::Open => "open",
        }
    }

    /// The generator with this name.
    ///
    /// ```
    /// use wayfarer_make::Generator;
    /// assert_eq!(Generator::from_name("maze"), Some(Generator::Maze));
    /// assert_eq!(Generator::from_name("labyrinth"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|generator| generator.name() == name)
    }

    /// A description in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Caves => "winding caves in solid rock, all connected",
            Self::Rooms => "rooms of many shapes connected by corridors",
            Self::Maze => "a maze of corridors of any width, with or without loops",
            Self::City => "avenues, streets and alleys, houses with courtyards, parks with ponds",
            Self::Clutter => "open ground with boulders, trees, hedges, ruins and ponds",
            Self::Noise => "noise of open and blocked ground, not connected",
            Self::Terrain => "open country with swamp, water, woods and rivers",
            Self::Heights => "hills with slopes to walk and cliffs to walk around",
            Self::Building => {
                "floors of rooms around a hall: stairs, ladders, bridges, doors, a vault"
            }
            Self::Asteroids => "spheres of rock in space, large and small (voxels)",
            Self::Hall => "a hall full of pillars, beams, windows and crates to fly in (voxels)",
            Self::Random => "independent random blocked cells",
            Self::Spiral => "one spiral corridor: one more wall cuts off half of it",
            Self::Comb => "long dead ends along one corridor",
            Self::Snake => "one boustrophedon corridor over the whole map",
            Self::Checkerboard => {
                "alternating open and blocked cells: every cell is its own region"
            }
            Self::Open => "open ground without obstacles",
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An option of a recipe that only some generators use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum RecipeOption {
    /// [`Recipe::depth`].
    Depth,
    /// [`Recipe::corridor`].
    Corridor,
    /// [`Recipe::braid`].
    Braid,
    /// [`Recipe::obstacles`].
    Obstacles,
    /// [`Recipe::n_floors`].
    Floors,
}

impl RecipeOption {
    /// The generators that use the option; it has no effect on all others.
    ///
    /// ```
    /// use wayfarer_make::{Generator, RecipeOption};
    /// assert_eq!(RecipeOption::Floors.generators(), [Generator::Building]);
    /// ```
    pub const fn generators(self) -> &'static [Generator] {
        match self {
            Self::Depth => &[Generator::Asteroids, Generator::Hall],
            Self::Corridor => &[
                Generator::Maze,
                Generator::Spiral,
                Generator::Comb,
                Generator::Snake,
            ],
            Self::Braid => &[Generator::Maze],
            Self::Obstacles => &[
                Generator::Caves,
                Generator::Clutter,
                Generator::Noise,
                Generator::Asteroids,
                Generator::Random,
            ],
            Self::Floors => &[Generator::Building],
        }
    }
}

/// Generator, size, seed and options; equal recipes give equal worlds on every target.
///
/// ```
/// use wayfarer_make::{Generator, GeneratedWorld, Recipe, make};
/// let recipe = Recipe { corridor: 2, ..Recipe::new(Generator::Maze, 40, 25, 7) };
/// let GeneratedWorld::Flat(map) = make(&recipe)? else { unreachable!("mazes are flat") };
/// assert_eq!((map.width(), map.height()), (40, 25));
/// # Ok::<(), wayfarer_make::MakeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The generator.
    pub generator: Generator,
    /// From west to east, in cells or voxels, at least 1.
    pub width: u32,
    /// From north to south, in cells or voxels, at least 1.
    pub height: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// Voxel worlds: from bottom to top, in voxels, at least 1.
    pub depth: u32,
    /// Maze, spiral, comb, snake: width of a corridor in cells, 1 to 4096.
    pub corridor: u32,
    /// Maze: percentage of dead ends opened into loops; 0 gives a perfect maze.
    pub braid: u32,
    /// Caves, clutter, noise, random, asteroids: approximate blocked percentage (before smoothing
    /// for caves; at most 21 for asteroids). `None` is the default of the generator.
    pub obstacles: Option<u32>,
    /// Building: number of floors, 2 to 40.
    pub n_floors: u32,
}

impl Recipe {
    /// Maximum cells of a flat world whose components are connected during generation: 2^26.
    pub const MAX_SEARCHED_CELLS: u64 = 1 << 26;

    /// Maximum cells of a world with heights: 2^24.
    pub const MAX_PLAN_CELLS: u64 = 1 << 24;
    /// Maximum voxels in the box of a voxel world: 2^28.
    pub const MAX_VOXELS: u64 = 1 << 28;

    /// A recipe with default options.
    pub fn new(generator: Generator, width: u32, height: u32, seed: u64) -> Self {
        Self {
            generator,
            width,
            height,
            seed,
            ..Self::default()
        }
    }

    /// The requested percentage of blocked cells, or `default`.
    pub(crate) fn obstacles_or(&self, default: u32) -> u32 {
        self.obstacles.unwrap_or(default)
    }

    /// An error if `count` exceeds `max`.
    pub(crate) fn check_count(&self, count: u64, max: u64) -> Result<(), MakeError> {
        if count > max {
            return Err(MakeError::TooLarge {
                generator: self.generator,
                count,
                max,
            });
        }
        Ok(())
    }

    /// An error if an option lies outside `min` to `max`.
    pub(crate) fn check_option(
        &self,
        option: &'static str,
        found: u32,
        min: u32,
        max: u32,
    ) -> Result<(), MakeError> {
        if (min..=max).contains(&found) {
            return Ok(());
        }
        Err(MakeError::BadOption {
            generator: self.generator,
            option,
            found,
            min,
            max,
        })
    }

    /// Checks what every generator requires: sizes above 0 and options in range.
    pub(crate) fn check(&self) -> Result<(), MakeError> {
        let (generator, width, height) = (self.generator, self.width, self.height);
        if width == 0 || height == 0 {
            let min = 1;
            return Err(MakeError::TooSmall {
                generator,
                width,
                height,
                min,
            });
        }
        self.check_option("corridor", self.corridor, 1, 4096)?;
        self.check_option("braid", self.braid, 0, 100)?;
        self.check_option("obstacles", self.obstacles_or(0), 0, 100)?;
        self.check_option("floors", self.n_floors, 1, 40)?;
        self.check_option("depth", self.depth, 1, 1 << 20)
    }

    /// A grid of rock of the requested size.
    pub(crate) fn grid(&self) -> Result<CarvingGrid, MakeError> {
        let max = match self.generator {
            Generator::Caves => Self::MAX_SEARCHED_CELLS,
            _ => Raster::MAX_CELLS,
        };
        let n_cells = u64::from(self.width) * u64::from(self.height);
        self.check_count(n_cells, max)?;
        CarvingGrid::new(self.width, self.height).ok_or(MakeError::TooLarge {
            generator: self.generator,
            count: n_cells,
            max,
        })
    }

    /// The random stream `stream` of this world.
    pub(crate) const fn rng(&self, stream: u64) -> Rng {
        Rng::for_stream(self.seed, stream)
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            generator: Generator::Caves,
            width: 128,
            height: 128,
            seed: 1,
            depth: 64,
            corridor: 1,
            braid: 0,
            obstacles: None,
            n_floors: 3,
        }
    }
}

/// The result of a generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GeneratedWorld {
    /// A flat map.
    Flat(Raster),
    /// A world with heights, floors above floors, nav links.
    MultiFloor(WorldData),
    /// Solid voxels.
    Voxels(VoxelSet),
}

/// Generates the world of a recipe. Every flat world has at least one walkable cell.
///
/// # Errors
/// A size or option out of the range of the generator.
pub fn make(recipe: &Recipe) -> Result<GeneratedWorld, MakeError> {
    recipe.check()?;
    match recipe.generator {
        Generator::Heights => {
            let n_cells = u64::from(recipe.width) * u64::from(recipe.height);
            recipe.check_count(n_cells, Recipe::MAX_PLAN_CELLS)?;
            Ok(GeneratedWorld::MultiFloor(land::hills(recipe)))
        }
        Generator::Building => Ok(GeneratedWorld::MultiFloor(building::build(recipe)?)),
        Generator::Asteroids => Ok(GeneratedWorld::Voxels(space::asteroid_voxels(recipe)?)),
        Generator::Hall => Ok(GeneratedWorld::Voxels(space::hall(recipe)?)),
        _ => Ok(GeneratedWorld::Flat(flat(recipe)?)),
    }
}

fn flat(recipe: &Recipe) -> Result<Raster, MakeError> {
    let mut grid = recipe.grid()?;
    match recipe.generator {
        Generator::Caves => caves::dig(recipe, &mut grid),
        Generator::Rooms => rooms::dig(recipe, &mut grid),
        Generator::Maze => maze::dig(recipe, &mut grid),
        Generator::City => city::draw(recipe, &mut grid)?,
        Generator::Clutter => clutter::draw(recipe, &mut grid),
        Generator::Noise => noise::draw(recipe, &mut grid),
        Generator::Terrain => land::draw(recipe, &mut grid),
        Generator::Random => noise::scatter(recipe, recipe.obstacles_or(25), &mut grid),
        Generator::Spiral => adversarial::spiral(recipe, &mut grid),
        Generator::Comb => adversarial::comb(recipe, &mut grid),
        Generator::Snake => adversarial::snake(recipe, &mut grid),
        Generator::Checkerboard => adversarial::checkerboard(&mut grid),
        // The open map; generators that are not flat do not reach this arm.
        Generator::Open
        | Generator::Heights
        | Generator::Building
        | Generator::Asteroids
        | Generator::Hall => {
            grid.fill(grid.rect(), GROUND);
        }
    }
    grid.ensure_walkable();
    Ok(grid.into_raster())
}

#[cfg(test)]
mod tests;
