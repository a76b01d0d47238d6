//! Generators of the worlds of any size.

use wayfarer_engine::base::{Column, Raster, SectorId};
use wayfarer_engine::make::{City, GeneratedWorld, Generator as MadeKind, Recipe, make};
use wayfarer_engine::world::ground::Ground;

use crate::error::BenchError;

/// A world of any size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Avenues, streets, houses, parks.
    City,
    /// A city with a wall from north to south through its middle, and one gap at the south end.
    Wall,
    /// Open ground.
    Open,
    /// Corridors of width 1, without loops; made as one map, so not of every size.
    Maze,
}

/// Columns that the gap in the wall is wide.
const GAP: i32 = 8;

impl Kind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::Wall => "wall",
            Self::Open => "open",
            Self::Maze => "maze",
        }
    }

    /// Makes the ground.
    pub(super) fn make(self, size: u32, seed: u64) -> Result<Ground, BenchError> {
        if self == Self::Maze {
            return match make(&Recipe::new(MadeKind::Maze, size, size, seed))? {
                GeneratedWorld::Flat(map) => Ok(Ground::from_raster(&map)),
                _ => unreachable!("a maze is flat"),
            };
        }
        let city = City::new(size, seed)?;
        let last = size.cast_signed() - 1;
        let raster = |id: SectorId| match self {
            Self::Open => open(id, last),
            Self::Wall => walled(id, city.sector(id).to_raster(), last),
            _ => city.sector(id).to_raster(),
        };
        let sectors = city.sectors().map(|id| (id, raster(id)));
        Ok(Ground::from_sectors(sectors)?)
    }
}

/// A sector with nothing in it, as far as the world reaches.
fn open(id: SectorId, last: i32) -> Raster {
    let inside = |column: Column| column.x <= last && column.y <= last;
    let bytes = id
        .rect()
        .columns()
        .map(|at| if inside(at) { 0 } else { 255 });
    let side = SectorId::SIDE.cast_unsigned();
    Raster::from_bytes(side, side, bytes.collect()).expect("16 x 16 cells")
}

/// A sector with its piece of the wall.
fn walled(id: SectorId, mut raster: Raster, last: i32) -> Raster {
    let origin = id.origin();
    for column in id.rect().columns() {
        if column.x == last / 2 && column.y <= last - GAP {
            raster.set(column.x - origin.x, column.y - origin.y, None);
        }
    }
    raster
}
