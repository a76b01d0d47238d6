//! What world to make: its kind, its size, its seed, and a few wishes.

use std::fmt;

use wayfarer_base::{Raster, Rng, VoxelSet, WorldData};

use crate::carving_grid::{Board, GROUND};
use crate::{
    MakeError, adversarial, building, caves, city, clutter, land, maze, noise, rooms, space,
};

/// A kind of world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Generator {
    /// Winding caves in solid rock.
    Caves,
    /// Rooms joined by corridors.
    Rooms,
    /// A maze of corridors.
    Maze,
    /// Streets, houses, courtyards, parks.
    City,
    /// Open ground with clutter.
    Clutter,
    /// Blotches of open and blocked ground.
    Noise,
    /// Wide country with swamp, water and trees.
    Terrain,
    /// Hills with slopes and cliffs.
    Heights,
    /// A keep with floors, stairs, bridges and doors.
    Building,
    /// Balls of rock in space.
    Asteroids,
    /// A cluttered hall to fly in.
    Hall,
    /// Single blocked cells strewn at random.
    Random,
    /// One corridor wound into a spiral.
    Spiral,
    /// Long dead ends off one corridor.
    Comb,
    /// One corridor that runs to and fro.
    Snake,
    /// Open and blocked cells in turn.
    Checkerboard,
    /// Nothing in the way.
    Open,
}

impl Generator {
    /// All kinds, in order.
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

    /// Its name in commands and messages.
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

    /// The kind of that name, if there is one.
    ///
    /// ```
    /// use wayfarer_make::Generator;
    /// assert_eq!(Generator::from_name("maze"), Some(Generator::Maze));
    /// assert_eq!(Generator::from_name("labyrinth"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What one will see, in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Caves => "winding caves in solid rock, all joined",
            Self::Rooms => "rooms of many shapes joined by corridors",
            Self::Maze => "a maze of corridors of any width, with or without loops",
            Self::City => "avenues, streets and alleys, houses with courtyards, parks with ponds",
            Self::Clutter => "open ground with boulders, trees, hedges, ruins and ponds",
            Self::Noise => "blotches of open and blocked ground, not all joined",
            Self::Terrain => "wide country with swamp, water, woods and rivers",
            Self::Heights => "hills with slopes to walk and cliffs to walk around",
            Self::Building => {
                "storeys of rooms around a hall: stairs, ladders, bridges, doors, a vault"
            }
            Self::Asteroids => "balls of rock in space, large and small (voxels)",
            Self::Hall => "a hall full of pillars, beams, windows and crates to fly in (voxels)",
            Self::Random => "single blocked cells strewn at random",
            Self::Spiral => "one corridor wound into a spiral: one wall more and half is cut off",
            Self::Comb => "long dead ends off one corridor",
            Self::Snake => "one corridor that runs to and fro over the whole map",
            Self::Checkerboard => "open and blocked cells in turn: every cell a region of its own",
            Self::Open => "open ground with nothing in the way",
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A wish of a recipe that only some kinds of world know.
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
    /// The kinds that know it, in order; all others make the same world whatever is wished.
    ///
    /// ```
    /// use wayfarer_make::{Generator, RecipeOption};
    /// assert_eq!(RecipeOption::MultiFloor.kinds(), [Generator::Building]);
    /// ```
    pub const fn kinds(self) -> &'static [Generator] {
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

/// What to make; equal recipes make equal worlds on every machine.
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
    /// The kind of world.
    pub kind: Generator,
    /// From west to east, in cells or voxels, at least 1.
    pub width: u32,
    /// From north to south, in cells or voxels, at least 1.
    pub height: u32,
    /// Where all chance comes from.
    pub seed: u64,
    /// Worlds of voxels: from bottom to top, in voxels, at least 1.
    pub depth: u32,
    /// Mazes, spirals, combs and snakes: width of a corridor in cells, 1 to 4096.
    pub corridor: u32,
    /// Mazes: how many of the dead ends are opened into loops, in per cent; 0 is a perfect maze.
    pub braid: u32,
    /// Caves, fields, noise, random, asteroids: about how much is blocked, in per cent (before
    /// caves are smoothed; asteroids at most 21); the kind's own choice if `None`.
    pub obstacles: Option<u32>,
    /// Keeps: floors one above the other, 2 to 40.
    pub n_floors: u32,
}

impl Recipe {
    /// Most cells of a flat world whose parts are searched while it is made: 2^26.
    pub const MAX_SEARCHED_CELLS: u64 = 1 << 26;

    /// Most cells of a world with heights: 2^24.
    pub const MAX_PLAN_CELLS: u64 = 1 << 24;
    /// Most voxels in the box of a world of voxels: 2^28.
    pub const MAX_VOXELS: u64 = 1 << 28;

    /// A world of this kind, size and seed, all else as usual.
    pub fn new(kind: Generator, width: u32, height: u32, seed: u64) -> Self {
        Self {
            kind,
            width,
            height,
            seed,
            ..Self::default()
        }
    }

    /// The wished share of blocked cells, or `usual`.
    pub(crate) fn obstacles_or(&self, usual: u32) -> u32 {
        self.obstacles.unwrap_or(usual)
    }

    /// An error if there are more than `most` of `count`.
    pub(crate) fn at_most(&self, count: u64, most: u64) -> Result<(), MakeError> {
        if count > most {
            return Err(MakeError::TooLarge {
                kind: self.kind,
                count,
                most,
            });
        }
        Ok(())
    }

    /// An error if an option lies outside `least` to `most`.
    pub(crate) fn option(
        &self,
        option: &'static str,
        found: u32,
        least: u32,
        most: u32,
    ) -> Result<(), MakeError> {
        if (least..=most).contains(&found) {
            return Ok(());
        }
        Err(MakeError::BadOption {
            kind: self.kind,
            option,
            found,
            least,
            most,
        })
    }

    /// An error if a size is 0 or an option makes no sense for any kind.
    pub(crate) fn checked(&self) -> Result<(), MakeError> {
        let (kind, width, height) = (self.kind, self.width, self.height);
        if width == 0 || height == 0 {
            let least = 1;
            return Err(MakeError::TooSmall {
                kind,
                width,
                height,
                least,
            });
        }
        self.option("corridor", self.corridor, 1, 4096)?;
        self.option("braid", self.braid, 0, 100)?;
        self.option("obstacles", self.obstacles_or(0), 0, 100)?;
        self.option("storeys", self.n_floors, 1, 40)?;
        self.option("depth", self.depth, 1, 1 << 20)
    }

    /// An empty board of the wished size.
    pub(crate) fn board(&self) -> Result<Board, MakeError> {
        let most = match self.kind {
            Generator::Caves => Self::MAX_SEARCHED_CELLS,
            _ => Raster::MAX_CELLS,
        };
        let n_cells = u64::from(self.width) * u64::from(self.height);
        self.at_most(n_cells, most)?;
        Board::new(self.width, self.height).ok_or(MakeError::TooLarge {
            kind: self.kind,
            count: n_cells,
            most,
        })
    }

    /// Numbers for `part` of this world.
    pub(crate) const fn rng(&self, part: u64) -> Rng {
        Rng::for_part(self.seed, part)
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            kind: Generator::Caves,
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

/// A made world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GeneratedWorld {
    /// A flat map.
    Flat(Raster),
    /// A world with heights, floors above floors, nav links.
    MultiFloor(WorldData),
    /// Solid voxels to fly around.
    Voxels(VoxelSet),
}

/// Makes the world of a recipe. Every flat world has at least one cell to walk on.
///
/// # Errors
/// A size or an option that the kind does not allow.
pub fn make(recipe: &Recipe) -> Result<GeneratedWorld, MakeError> {
    recipe.checked()?;
    match recipe.kind {
        Generator::Heights => {
            let n_cells = u64::from(recipe.width) * u64::from(recipe.height);
            recipe.at_most(n_cells, Recipe::MAX_PLAN_CELLS)?;
            Ok(GeneratedWorld::MultiFloor(land::hills(recipe)))
        }
        Generator::Building => Ok(GeneratedWorld::MultiFloor(building::build(recipe)?)),
        Generator::Asteroids => Ok(GeneratedWorld::Voxels(space::asteroid_voxels(recipe)?)),
        Generator::Hall => Ok(GeneratedWorld::Voxels(space::hall(recipe)?)),
        _ => Ok(GeneratedWorld::Flat(flat(recipe)?)),
    }
}

fn flat(recipe: &Recipe) -> Result<Raster, MakeError> {
    let mut board = recipe.board()?;
    match recipe.kind {
        Generator::Caves => caves::dig(recipe, &mut board),
        Generator::Rooms => rooms::dig(recipe, &mut board),
        Generator::Maze => maze::dig(recipe, &mut board),
        Generator::City => city::draw(recipe, &mut board)?,
        Generator::Clutter => clutter::draw(recipe, &mut board),
        Generator::Noise => noise::draw(recipe, &mut board),
        Generator::Terrain => land::draw(recipe, &mut board),
        Generator::Random => noise::strew(recipe, recipe.obstacles_or(25), &mut board),
        Generator::Spiral => adversarial::spiral(recipe, &mut board),
        Generator::Comb => adversarial::comb(recipe, &mut board),
        Generator::Snake => adversarial::snake(recipe, &mut board),
        Generator::Checkerboard => adversarial::checkerboard(&mut board),
        // The open map; kinds that are not flat do not come here.
        Generator::Open
        | Generator::Heights
        | Generator::Building
        | Generator::Asteroids
        | Generator::Hall => {
            board.fill(board.rect(), GROUND);
        }
    }
    board.open_somewhere();
    Ok(board.into_raster())
}

#[cfg(test)]
mod tests;
