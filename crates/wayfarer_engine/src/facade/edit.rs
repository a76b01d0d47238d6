//! [`Edit`]: every edit that a batch may contain, of one domain or of several, and the errors.

use thiserror::Error;
use wayfarer_base::{Cell, CostModifierId, Fixed, GroundEdit, Point2, SolidId, Terrain, Voxel};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::{AirEdit, AirError};
use wayfarer_world::bodies::{Body, BodyError, BodyId};
use wayfarer_world::ground::GroundEditError;
use wayfarer_world::obstacles::{Obstacle, ObstacleError, ObstacleId};

use super::solid::Solid;
use crate::Position;

/// One edit of a world, applied in atomic batches by [`World::apply`](crate::World::apply).
///
/// Edits of one domain convert into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// An edit of the ground: floors, walls, nav links, cost modifiers.
    Ground(GroundEdit),
    /// An edit of the air: voxels, geometries, volumes.
    Air(AirEdit),
    /// An edit of the obstacles.
    Obstacle(ObstacleEdit),
    /// An edit of the bodies.
    Body(BodyEdit),
    /// Adds a link between ground and air, or replaces the one between the same cell and voxel.
    PutAirLink(AirLink),
    /// Removes a link between ground and air; no effect if it does not exist.
    RemoveAirLink {
        /// The end on the ground.
        cell: Cell,
        /// The end in the air.
        voxel: Voxel,
    },
    /// Places a solid; [`WorldChanges::new_solids`](crate::WorldChanges::new_solids) reports its id.
    AddSolid(Solid),
    /// Removes a solid; an unknown id is an error.
    RemoveSolid(SolidId),
    /// Fills a box of the terrain in ground and air: it blocks walking, flight and lines of sight.
    ///
    /// The box is rounded outward to whole cells, steps and voxels. In each of its columns the
    /// floors inside are removed, its bottom becomes a floor of [`Terrain::SOLID`], which reduces
    /// the headroom below, and its top a floor of `top`. Solids that it overlaps or touches merge
    /// with it. Voxels outside the bounds of the air are skipped; walls stay. At most 16,777,216
    /// columns.
    FillBox {
        /// The lowest corner, in world units.
        low: Position,
        /// The highest corner; above `low` in x, y and z.
        high: Position,
        /// The terrain of its top.
        top: Terrain,
    },
    /// Removes everything solid from a box of the terrain in ground and air; solids placed by id and
    /// geometries of the air stay.
    ///
    /// The box is rounded outward to whole cells, steps and voxels. Floors inside are removed;
    /// floors at its bottom and top stay unless they belong to a solid. A solid that reaches up into
    /// the box gets a new top of `floor`, or of its old terrain. A column without floors counts as
    /// solid, and so does everything below the lowest floor. At most 16,777,216 columns.
    CarveBox {
        /// The lowest corner, in world units.
        low: Position,
        /// The highest corner; above `low` in x, y and z.
        high: Position,
        /// The terrain of the new floor at the bottom of the box where that was solid; `None` for
        /// no floor.
        floor: Option<Terrain>,
    },
}

impl Edit {
    /// Places a solid.
    pub const fn add_solid(solid: Solid) -> Self {
        Self::AddSolid(solid)
    }

    /// Removes a solid.
    pub const fn remove_solid(id: SolidId) -> Self {
        Self::RemoveSolid(id)
    }
}

/// One edit of the obstacles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObstacleEdit {
    /// Adds an obstacle; the change set reports its id.
    Insert(Obstacle),
    /// Replaces an obstacle, keeping its id.
    Set {
        /// The obstacle to replace.
        id: ObstacleId,
        /// The new obstacle.
        obstacle: Obstacle,
    },
    /// Moves the low (north-west) corner of an obstacle's AABB to `low`.
    MoveTo {
        /// The obstacle to move.
        id: ObstacleId,
        /// The new corner, within 1,048,576 cells of the origin.
        low: Point2,
    },
    /// Removes an obstacle; its id becomes dead.
    Remove {
        /// The obstacle to remove.
        id: ObstacleId,
    },
}

/// One edit of the bodies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BodyEdit {
    /// Registers a body; the change set reports its id.
    Register(Body),
    /// Unregisters a body; its id becomes dead.
    Unregister {
        /// The body to unregister.
        id: BodyId,
    },
    /// Moves a body within the tick; continuous detection covers the segment to `to`.
    MoveTo {
        /// The body to move.
        id: BodyId,
        /// The new position, within 4,194,303 cells of the origin.
        to: Point2,
    },
    /// Moves a body without covering the space between.
    Teleport {
        /// The body to move.
        id: BodyId,
        /// The new position, within 4,194,303 cells of the origin.
        to: Point2,
    },
    /// Sets the height of a body's feet.
    SetHeight {
        /// The body to move.
        id: BodyId,
        /// The height, in steps.
        z: Fixed,
    },
    /// Moves all bodies in one tick: one position per slot; those of empty slots are ignored.
    MoveAll(Vec<Point2>),
}

impl From<GroundEdit> for Edit {
    fn from(edit: GroundEdit) -> Self {
        Self::Ground(edit)
    }
}

impl From<&GroundEdit> for Edit {
    fn from(edit: &GroundEdit) -> Self {
        Self::Ground(edit.clone())
    }
}

impl From<AirEdit> for Edit {
    fn from(edit: AirEdit) -> Self {
        Self::Air(edit)
    }
}

impl From<ObstacleEdit> for Edit {
    fn from(edit: ObstacleEdit) -> Self {
        Self::Obstacle(edit)
    }
}

impl From<BodyEdit> for Edit {
    fn from(edit: BodyEdit) -> Self {
        Self::Body(edit)
    }
}

impl From<AirLink> for Edit {
    fn from(air_link: AirLink) -> Self {
        Self::PutAirLink(air_link)
    }
}

impl From<&Self> for Edit {
    fn from(edit: &Self) -> Self {
        edit.clone()
    }
}

/// Why a batch of edits was rejected; the world is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EditError {
    /// An edit of the ground is invalid.
    #[error(transparent)]
    Ground(#[from] GroundEditError),
    /// An edit of the air is invalid.
    #[error("in the air: {0}")]
    Air(#[from] AirError),
    /// An edit of an obstacle is invalid.
    #[error("edit {edit}: {error}")]
    Obstacle {
        /// Index in the batch, from 0.
        edit: usize,
        /// The cause.
        error: ObstacleError,
    },
    /// An edit of a body is invalid.
    #[error("edit {edit}: {error}")]
    Body {
        /// Index in the batch, from 0.
        edit: usize,
        /// The cause.
        error: BodyError,
    },
    /// The world has no such domain.
    #[error("edit {edit}: the world has no {domain}")]
    NoSuchDomain {
        /// Index in the batch, from 0.
        edit: usize,
        /// The missing domain.
        domain: &'static str,
    },
    /// The box is empty or leaves the world.
    #[error("edit {edit}: the box from {low} to {high} is empty or leaves the world")]
    BadBox {
        /// Index in the batch, from 0.
        edit: usize,
        /// Its low corner.
        low: Position,
        /// Its high corner.
        high: Position,
    },
    /// The box spans too many columns.
    #[error("edit {edit}: the box spans {found} columns, expected at most {limit}")]
    TooWide {
        /// Index in the batch, from 0.
        edit: usize,
        /// Columns in the box.
        found: u64,
        /// Maximum number of columns.
        limit: u64,
    },
    /// A solid that is empty, leaves the world or exceeds a limit.
    #[error("edit {edit}: the solid {reason}")]
    BadSolid {
        /// Index in the batch, from 0.
        edit: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A body would move its attached cost modifier out of the world.
    #[error("edit {edit}: cost modifier {} would leave the world with its body", id.0)]
    CostModifierLost {
        /// Index in the batch, from 0.
        edit: usize,
        /// The cost modifier.
        id: CostModifierId,
    },
}
