//! A whole world as plain lists: what files hold, what makers make, what worlds are built from.

use crate::nav_link::{NavLink, Wall};
use crate::{Aabb2, Cell, Fixed, Point2, Profile, Raster, Terrain, Voxel};

/// A field as a plain list of what stands in it, not yet checked by a field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObstacleSetData {
    /// The corners of the rectangle that agents keep to.
    pub low: Point2,
    /// The other corner.
    pub high: Point2,
    /// What stands there, in order.
    pub things: Vec<ObstacleData>,
}

/// Something that stands in a planned field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObstacleData {
    /// Where and how large.
    pub shape: ObstacleShapeData,
    /// Bit `n` says whether it is of type `n`.
    pub types: u64,
}

/// The shape of something in a planned field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObstacleShapeData {
    /// A rectangle along the axes.
    Box(Aabb2),
    /// All nearer to `center` than `radius`.
    Disc {
        /// The middle.
        center: Point2,
        /// Half its width.
        radius: Fixed,
    },
}

/// A world as plain lists, in any order, not yet checked by a world.
///
/// ```
/// use wayfarer_base::plan::WorldData;
/// use wayfarer_base::{Cell, Raster, Terrain};
/// let mut map = Raster::new(2, 1).unwrap();
/// map.set(1, 0, Some(Terrain::GROUND));
/// let plan = WorldData::from_raster(&map);
/// assert_eq!(plan.cells, vec![(Cell::flat(1, 0), Terrain::GROUND)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorldData {
    /// Whom the world is made for: its step, drop and terrains are the world's.
    pub profile: Profile,
    /// Cells with something to stand on.
    pub cells: Vec<(Cell, Terrain)>,
    /// Explicit paths.
    pub nav_links: Vec<NavLink>,
    /// Thin walls.
    pub walls: Vec<Wall>,
    /// Solid boxes in the air, low and high corner, both included.
    pub boxes: Vec<(Voxel, Voxel)>,
    /// Solid voxels in the air.
    pub voxels: Vec<Voxel>,
}

impl WorldData {
    /// Most floors in one column.
    pub const MAX_FLOORS: usize = 255;
    /// Most nav links that begin or end at one cell.
    pub const MAX_NAV_LINKS_PER_CELL: usize = 255;

    /// The flat world of a raster, every floor at height 0, trees and water included.
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
