//! Nav links (Detour: off-mesh connections) such as doors, ladders, jumps and teleports, and thin
//! walls on cell edges.

use crate::{Cell, Cost, Direction};

/// The kind of a nav link. Movement rules are the same for all kinds; the user animates by kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NavLinkKind {
    /// Stairs between floors.
    Stairs,
    /// A ladder or rope.
    Ladder,
    /// A jump over a gap.
    Jump,
    /// A drop down.
    Drop,
    /// A door, usually through a thin wall.
    Door,
    /// A teleport to any cell.
    Teleport,
    /// A climbable vertical face.
    Climb,
}

impl NavLinkKind {
    /// All kinds, in declaration order.
    pub const ALL: [Self; 7] = [
        Self::Stairs,
        Self::Ladder,
        Self::Jump,
        Self::Drop,
        Self::Door,
        Self::Teleport,
        Self::Climb,
    ];

    /// The keyword in files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stairs => "stairs",
            Self::Ladder => "ladder",
            Self::Jump => "jump",
            Self::Drop => "drop",
            Self::Door => "door",
            Self::Teleport => "teleport",
            Self::Climb => "climb",
        }
    }
}

/// The directions in which a nav link is traversable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkDirection {
    /// Both directions.
    #[default]
    Bidirectional,
    /// From `from` to `to` only.
    OneWay,
}

/// Whether a nav link is currently traversable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkState {
    /// For every agent.
    #[default]
    Open,
    /// For no agent.
    Closed,
    /// For agents whose [`keys`](crate::Profile::keys) contain all of these bits; at least one bit.
    Locked(u32),
}

impl LinkState {
    /// True if an agent with these keys may pass.
    #[inline]
    pub const fn admits(self, keys: u32) -> bool {
        match self {
            Self::Open => true,
            Self::Closed => false,
            Self::Locked(lock) => keys & lock == lock,
        }
    }
}

/// An explicit edge between two cells at any distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NavLink {
    /// Start cell.
    pub from: Cell,
    /// End cell.
    pub to: Cell,
    /// Kind; part of the identity of the link.
    pub kind: NavLinkKind,
    /// Traversable directions.
    pub direction: LinkDirection,
    /// Total traversal cost, at least 1 unit; cell multipliers do not apply.
    pub cost: Cost,
    /// Open, closed or locked.
    pub state: LinkState,
}

/// A thin wall on the edge between a cell and its east or south neighbor.
///
/// It blocks the step in both directions and the diagonals around it. Only east and south sides
/// exist, so that every edge has one representation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wall {
    /// The cell west or north of the edge.
    pub cell: Cell,
    /// The side of `cell` on which it stands.
    pub side: WallSide,
}

/// A side of a cell that may have a wall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WallSide {
    /// The edge to the east neighbor.
    East,
    /// The edge to the south neighbor.
    South,
}

impl WallSide {
    /// The direction from the cell across the edge.
    pub const fn direction(self) -> Direction {
        match self {
            Self::East => Direction::East,
            Self::South => Direction::South,
        }
    }
}
