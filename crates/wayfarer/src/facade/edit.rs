//! What can be done to a world in one batch, whichever part of it is meant.

use thiserror::Error;
use wayfarer_base::{Cell, CostModifierId, Fixed, GroundEdit, Point2, Terrain, Voxel};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::{AirEdit, AirError};
use wayfarer_world::bodies::{Body, BodyError, BodyId};
use wayfarer_world::ground::GroundEditError;
use wayfarer_world::obstacles::{Obstacle, ObstacleError, ObstacleId};

use crate::Position;

/// One edit of a world; batches of them are applied all or not at all.
///
/// Edits of one part can be given as they are: they turn into this by themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Of the ground: floors, thin walls, nav links, effects.
    Ground(GroundEdit),
    /// Of the air: solid voxels, named things, volumes.
    Air(AirEdit),
    /// Of the field: obstacles come, change, move and go.
    Obstacle(ObstacleEdit),
    /// Of the objects: bodies come, move and go.
    Body(BodyEdit),
    /// Makes a nav link between ground and air, or changes the one between the same cell and voxel.
    PutAirLink(AirLink),
    /// Takes such a nav link away; nothing happens if there is none.
    RemoveAirLink {
        /// Where one stands.
        cell: Cell,
        /// Where one flies.
        voxel: Voxel,
    },
    /// Puts up something solid that stands in every part: nobody walks, flies or looks through.
    ///
    /// The box is grown to whole cells, steps and voxels. In each of its columns floors inside it
    /// are gone, its foot is a floor of [`Terrain::SOLID`], so that there is less room below, and
    /// its top can be stood on. What it touches that is solid becomes one with it. Voxels outside
    /// the bounds of the air are left out; thin walls stay. It may span 16,777,216 columns.
    FillBox {
        /// The lowest corner, in world units.
        low: Position,
        /// The highest corner; above `low` in x, y and z.
        high: Position,
        /// What its top is made of.
        top: Terrain,
    },
    /// Takes away what is solid in a box, in every part; named things of the air stay.
    ///
    /// The box is grown to whole cells, steps and voxels. Floors inside it are gone, those at its
    /// very foot and top that belong to nothing solid stay. What stands up into it gets a new top
    /// of `floor`, or of what it had. A column without floors is rock, as is what lies below its
    /// lowest floor. It may span 16,777,216 columns.
    CarveBox {
        /// The lowest corner, in world units.
        low: Position,
        /// The highest corner; above `low` in x, y and z.
        high: Position,
        /// What is left to stand on at the foot of the box where it was solid there; nothing with
        /// `None`, as when a bridge falls.
        floor: Option<Terrain>,
    },
}

/// One edit of the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObstacleEdit {
    /// Puts an obstacle in; its name is in the change set.
    Insert(Obstacle),
    /// Makes an obstacle another; its name stays.
    Set {
        /// Which.
        id: ObstacleId,
        /// What it is from now on.
        obstacle: Obstacle,
    },
    /// Moves an obstacle: the north-west corner of the box around it goes to `low`.
    MoveTo {
        /// Which.
        id: ObstacleId,
        /// Where to, within 1,048,576 cells of the origin.
        low: Point2,
    },
    /// Removes an obstacle; its name is dead from then on.
    Remove {
        /// Which.
        id: ObstacleId,
    },
}

/// One edit of the objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BodyEdit {
    /// Registers a body; its name is in the change set.
    Register(Body),
    /// Takes an object out; its name is dead from then on.
    Unregister {
        /// Which.
        id: BodyId,
    },
    /// Moves an object within the tick: its way ends at `to`.
    MoveTo {
        /// Which.
        id: BodyId,
        /// Where to, within 4,194,303 cells of the origin.
        to: Point2,
    },
    /// Puts an object somewhere else without a way there.
    Teleport {
        /// Which.
        id: BodyId,
        /// Where to, within 4,194,303 cells of the origin.
        to: Point2,
    },
    /// Changes the height of an object's feet.
    Lift {
        /// Which.
        id: BodyId,
        /// The height, in steps.
        z: Fixed,
    },
    /// A whole tick: everybody moves to the position at its index, one for each place of the table.
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

/// Why a batch of edits was refused; nothing of it was done.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EditError {
    /// The ground cannot be changed so.
    #[error(transparent)]
    Ground(#[from] GroundEditError),
    /// The air cannot be changed so.
    #[error("in the air: {0}")]
    Air(#[from] AirError),
    /// The field cannot be changed so.
    #[error("edit {edit}: {error}")]
    Obstacle {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// What is wrong with it.
        error: ObstacleError,
    },
    /// The objects cannot be changed so.
    #[error("edit {edit}: {error}")]
    Body {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// What is wrong with it.
        error: BodyError,
    },
    /// The world has no such part.
    #[error("edit {edit}: the world has no {part}")]
    NoSuchPart {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// Air or field.
        part: &'static str,
    },
    /// A box that is empty or leaves the world.
    #[error("edit {edit}: the box from {low} to {high} is empty or leaves the world")]
    BadBox {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// Its low corner.
        low: Position,
        /// Its high corner.
        high: Position,
    },
    /// A box that spans more columns than one edit may.
    #[error("edit {edit}: the box spans {found} columns, expected at most {limit}")]
    TooWide {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// How many columns it spans.
        found: u64,
        /// The most there can be.
        limit: u64,
    },
    /// An object would take an effect that follows it out of the world.
    #[error("edit {edit}: effect {} would follow its object out of the world", name.0)]
    CostModifierLost {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// The effect.
        name: CostModifierId,
    },
}
