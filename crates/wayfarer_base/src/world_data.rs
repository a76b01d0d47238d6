//! Plain, unvalidated data of a whole world or obstacle set: the exchange format between file
//! readers, generators and worlds.

use crate::nav_link::{NavLink, Wall};
use crate::{Aabb2, Cell, Fixed, Point2, Profile, Raster, Terrain, Voxel};

/// The data of an obstacle set; validated when the set is built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObstacleSetData {
    /// North-west corner of the bounds, in which agents stay.
    pub low: Point2,
    /// South-east corner of the bounds.
    pub high: Point2,
    /// The obstacles, in the order of their ids.
    pub obstacles: Vec<ObstacleData>,
}

/// One obstacle of an [`ObstacleSetData`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObstacleData {
    /// Position and extent.
    pub shape: ObstacleShapeData,
    /// Bit `n` is set if the obstacle is in category `n`.
    pub categories: u64,
}

/// The shape of an [`ObstacleData`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObstacleShapeData {
    /// An axis-aligned rectangle.
    Box(Aabb2),
    /// An open disc: all points nearer to `center` than `radius`.
    Disc {
        /// Center.
        center: Point2,
        /// Radius, positive.
        radius: Fixed,
    },
}

/// The primary state of a world as plain lists in any order; validated when a world is built.
///
/// ```
/// use wayfarer_base::{Cell, Raster, Terrain, WorldData};
/// let mut map = Raster::new(2, 1).unwrap();
/// map.set(1, 0, Some(Terrain::GROUND));
/// let data = WorldData::from_raster(&map);
/// assert_eq!(data.cells, vec![(Cell::flat(1, 0), Terrain::GROUND)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorldData {
    /// The default profile of the world.
    pub profile: Profile,
    /// The floors.
    pub cells: Vec<(Cell, Terrain)>,
    /// The nav links.
    pub nav_links: Vec<NavLink>,
    /// The thin walls.
    pub walls: Vec<Wall>,
    /// Solid boxes of the air: low and high corner, both included.
    pub boxes: Vec<(Voxel, Voxel)>,
    /// Solid voxels of the air.
    pub voxels: Vec<Voxel>,
}

impl WorldData {
    /// Maximum number of floors in a column.
    pub const MAX_FLOORS: usize = 255;
    /// Maximum number of nav links that start or end at a cell.
    pub const MAX_NAV_LINKS_PER_CELL: usize = 255;

    /// The flat world of a raster: a floor at height 0 wherever the raster has terrain, walkable or
    /// not.
    pub fn from_raster(raster: &Raster) -> Self {
        let cells = raster
            .rect()
            .columns()
            .filter_map(|at| raster.get(at.x, at.y).map(|terrain| (at.at(0), terrain)))
            .collect();
        Self {
            cells,
            ..Self::default()
        }
    }
}
