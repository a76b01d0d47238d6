//! [`Edit`]: changes of the world in world units, by handle where something may be taken back.

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::{LinkDirection, LinkState, NavLinkKind, Terrain};

pub use wayfarer_engine::Solid;
pub use wayfarer_engine::base::SolidId;

use crate::goal::Area;
use crate::request::RequestError;
use crate::units::{BadNumber, Position};

/// One edit of a world, for [`World::apply`](crate::World::apply).
///
/// A batch is applied as a whole or not at all; ids of what it adds are in the change set.
#[derive(Clone, PartialEq, Debug)]
pub struct Edit(pub(crate) EditKind);

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum EditKind {
    AddSolid(Solid),
    RemoveSolid(SolidId),
    Fill {
        low: Position,
        high: Position,
        top: Terrain,
    },
    Carve {
        low: Position,
        high: Position,
        floor: Option<Terrain>,
    },
    AddFloors {
        area: Area,
        height: f64,
        terrain: Terrain,
    },
    RemoveFloors(Area),
    AddWall(ThinWall),
    RemoveWall(ThinWall),
    AddLink(NavLink),
    RemoveLink(LinkId),
    SetLinkState(LinkId, LinkState),
    AddCostArea(CostArea),
    RemoveCostArea(CostAreaId),
    AddAirLink(AirLink),
    RemoveAirLink(AirLinkId),
    /// Edits of the engine, with the handles that they bring back and take away.
    Restore {
        edits: Vec<engine::Edit>,
        handles: Vec<HandleChange>,
    },
}

/// A handle that a batch added or removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandleChange {
    Link(LinkId, engine::base::NavLinkId, bool),
    CostArea(CostAreaId, bool),
    AirLink(AirLinkId, AirLinkEnds, bool),
}

/// What identifies an air link in the engine.
pub(crate) type AirLinkEnds = (engine::base::Cell, engine::base::Voxel);

impl HandleChange {
    pub(crate) const fn inverse(self) -> Self {
        match self {
            Self::Link(id, link, is_added) => Self::Link(id, link, !is_added),
            Self::CostArea(id, is_added) => Self::CostArea(id, !is_added),
            Self::AirLink(id, ends, is_added) => Self::AirLink(id, ends, !is_added),
        }
    }
}

impl Edit {
    /// Places a solid.
    pub const fn add_solid(solid: Solid) -> Self {
        Self(EditKind::AddSolid(solid))
    }

    /// Removes a solid: what stood there before, or was changed below it, shows again. An unknown id
    /// is an error.
    pub const fn remove_solid(id: SolidId) -> Self {
        Self(EditKind::RemoveSolid(id))
    }

    /// Fills a box of the terrain in ground and air, rounded outward to whole cells; its top becomes
    /// a floor of terrain `top`.
    pub const fn fill(low: Position, high: Position, top: Terrain) -> Self {
        Self(EditKind::Fill { low, high, top })
    }

    /// Carves a box out of the terrain in ground and air, rounded outward to whole cells; where the
    /// bottom was solid it becomes a floor of terrain `floor`, or none.
    pub const fn carve(low: Position, high: Position, floor: Option<Terrain>) -> Self {
        Self(EditKind::Carve { low, high, floor })
    }

    /// Adds floors in an area at a height, or changes their terrain.
    pub const fn add_floors(area: Area, height: f64, terrain: Terrain) -> Self {
        Self(EditKind::AddFloors {
            area,
            height,
            terrain,
        })
    }

    /// Removes the floors of an area, within its heights.
    pub const fn remove_floors(area: Area) -> Self {
        Self(EditKind::RemoveFloors(area))
    }

    /// Adds a thin wall.
    pub const fn add_wall(wall: ThinWall) -> Self {
        Self(EditKind::AddWall(wall))
    }

    /// Removes a thin wall; no effect where there is none.
    pub const fn remove_wall(wall: ThinWall) -> Self {
        Self(EditKind::RemoveWall(wall))
    }

    /// Adds a nav link.
    pub const fn add_link(link: NavLink) -> Self {
        Self(EditKind::AddLink(link))
    }

    /// Removes a nav link; an unknown id is an error.
    pub const fn remove_link(id: LinkId) -> Self {
        Self(EditKind::RemoveLink(id))
    }

    /// Opens, closes or locks a nav link; an unknown id is an error.
    pub const fn set_link_state(id: LinkId, state: LinkState) -> Self {
        Self(EditKind::SetLinkState(id, state))
    }

    /// Adds a cost area.
    pub const fn add_cost_area(area: CostArea) -> Self {
        Self(EditKind::AddCostArea(area))
    }

    /// Removes a cost area; an unknown id is an error.
    pub const fn remove_cost_area(id: CostAreaId) -> Self {
        Self(EditKind::RemoveCostArea(id))
    }

    /// Adds an air link.
    pub const fn add_air_link(link: AirLink) -> Self {
        Self(EditKind::AddAirLink(link))
    }

    /// Removes an air link; an unknown id is an error.
    pub const fn remove_air_link(id: AirLinkId) -> Self {
        Self(EditKind::RemoveAirLink(id))
    }
}

/// The id of a nav link; never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkId(pub(crate) u64);

impl LinkId {
    /// The id as a number, the same in a world that was saved and loaded.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The id of [`LinkId::to_bits`]; whether a world knows it is found out when it is used.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The id of a cost area; never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CostAreaId(pub(crate) u64);

impl CostAreaId {
    /// The id as a number, the same in a world that was saved and loaded.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The id of [`CostAreaId::to_bits`]; whether a world knows it is found out when it is used.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The id of an air link; never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirLinkId(pub(crate) u64);

/// A place where agents that walk and fly take off and land, such as a landing pad; it may lead farther
/// than from a floor to the air over it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AirLink {
    /// The end on the ground: the floor of its column nearest in height.
    pub ground: Position,
    /// The end in the air.
    pub air: Position,
    /// Cost of taking off, as a length; `None` if agents only land here.
    pub take_off: Option<f64>,
    /// Cost of landing, as a length; `None` if agents only take off here.
    pub landing: Option<f64>,
}

/// An explicit edge between two places: stairs, ladder, jump, drop, door, teleport.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NavLink {
    /// Where it starts: the floor of its column nearest in height.
    pub from: Position,
    /// Where it ends.
    pub to: Position,
    /// Its kind, for the game to animate; movement rules are the same for all.
    pub kind: NavLinkKind,
    /// The directions in which it may be used.
    pub direction: LinkDirection,
    /// Cost of using it, as a length above 0; `None` for the distance between its ends.
    pub cost: Option<f64>,
    /// Open, closed or locked.
    pub state: LinkState,
}

impl NavLink {
    /// An open link in both directions that costs the distance between its ends.
    pub const fn new(from: Position, to: Position, kind: NavLinkKind) -> Self {
        Self {
            from,
            to,
            kind,
            direction: LinkDirection::Bidirectional,
            cost: None,
            state: LinkState::Open,
        }
    }
}

/// A wall without thickness along a line of cell borders.
///
/// Its ends are rounded to the nearest corners of cells; the line between them runs along one axis, at
/// most [`ThinWall::MAX_CELLS`] long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThinWall {
    /// One end, at the height of the floor.
    pub from: Position,
    /// The other end.
    pub to: Position,
}

impl ThinWall {
    /// Longest wall of one edit, in cells.
    pub const MAX_CELLS: u32 = 65_536;
}

/// An area that costs more: a line of fire, a muddy field, a crowd. Multipliers on one cell stack.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CostArea {
    /// The area.
    pub area: Area,
    /// Factor on the cost of base terrain, 1 to 4,095, rounded to 1/16.
    pub multiplier: f64,
}

/// Why a batch of edits was rejected; the world is unchanged.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum EditError {
    /// A number is not finite or out of range.
    #[error("edit {edit}: {error}")]
    BadNumber {
        /// Index in the batch, from 0.
        edit: usize,
        /// The cause.
        error: BadNumber,
    },
    /// An area or position is invalid.
    #[error("edit {edit}: {error}")]
    BadArea {
        /// Index in the batch, from 0.
        edit: usize,
        /// The cause.
        error: RequestError,
    },
    /// No such thing exists in this world.
    #[error("edit {edit}: {what} does not exist in this world")]
    UnknownId {
        /// Index in the batch, from 0.
        edit: usize,
        /// What was named.
        what: &'static str,
    },
    /// A thin wall that does not run along one axis, has no length, or is longer than 65,536 cells.
    #[error(
        "edit {edit}: the wall from {from} to {to} does not run along one axis for 1 to 65,536 cells"
    )]
    BadWall {
        /// Index in the batch, from 0.
        edit: usize,
        /// One end.
        from: Position,
        /// The other end.
        to: Position,
    },
    /// There is no floor for an end of a nav link.
    #[error("edit {edit}: there is no floor at {at} for an end of the link")]
    NoFloor {
        /// Index in the batch, from 0.
        edit: usize,
        /// The end.
        at: Position,
    },
    /// A link with the same ends and kind exists.
    #[error("edit {edit}: a link with these ends and this kind exists")]
    LinkExists {
        /// Index in the batch, from 0.
        edit: usize,
    },
    /// Air was to be added to a world in which solids stand.
    #[error("solids stand in the world: add the air first")]
    AirAfterSolids,
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
    /// A solid that is empty, leaves the world or exceeds a limit.
    #[error("edit {edit}: the solid {reason}")]
    BadSolid {
        /// Index in the batch, from 0.
        edit: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A limit of a world; the reason names it in cells, steps or voxels.
    #[error("edit {edit}: {reason}")]
    Limit {
        /// Index in the batch, from 0.
        edit: usize,
        /// The limit.
        reason: String,
    },
    /// The agent type of a query about edits is unknown or does not walk.
    #[error("the agent type {reason}")]
    BadAgentType {
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl EditError {
    /// Index in the batch of the edit that was rejected, from 0; `None` if the fault is in no single
    /// edit.
    ///
    /// ```
    /// use wayfarer::{Edit, Position, Scale, Solid, World};
    ///
    /// let mut world = World::new(Scale::UNIT)?;
    /// let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(1.0, 1.0, 1.0));
    /// let batch = [Edit::add_solid(Solid::cuboid(low, high)), Edit::add_solid(Solid::cuboid(low, low))];
    /// assert_eq!(world.apply(&batch).unwrap_err().index(), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn index(&self) -> Option<usize> {
        match self {
            Self::BadNumber { edit, .. }
            | Self::BadArea { edit, .. }
            | Self::UnknownId { edit, .. }
            | Self::BadWall { edit, .. }
            | Self::NoFloor { edit, .. }
            | Self::LinkExists { edit }
            | Self::BadBox { edit, .. }
            | Self::BadSolid { edit, .. }
            | Self::Limit { edit, .. } => Some(*edit),
            Self::AirAfterSolids | Self::BadAgentType { .. } => None,
        }
    }
}
