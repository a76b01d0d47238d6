//! Ways that the lie of the land does not give: stairs, ladders, doors, jumps, teleports; and
//! thin walls that take one away.

use crate::{Cell, Cost, Direction};

/// What kind of way a nav link is; the rules are the same for all, players see the difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum NavLinkKind {
    /// Steps between floors.
    Stairs,
    /// A ladder or rope.
    Ladder,
    /// A leap over a gap.
    Jump,
    /// A fall that cannot be climbed back.
    Drop,
    /// A door or gate, usually through a thin wall.
    Door,
    /// From here to anywhere.
    Teleport,
    /// A vertical face that can be climbed.
    Climb,
}

impl NavLinkKind {
    /// All kinds, in order.
    pub const ALL: [Self; 7] = [
        Self::Stairs,
        Self::Ladder,
        Self::Jump,
        Self::Drop,
        Self::Door,
        Self::Teleport,
        Self::Climb,
    ];

    /// Its name in files and messages.
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

/// Which paths a nav link can be taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LinkDirection {
    /// There and back.
    #[default]
    Bidirectional,
    /// From `from` to `to` only.
    OneWay,
}

/// Whether a nav link can be taken at present.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LinkState {
    /// Anyone may pass.
    #[default]
    Open,
    /// Nobody may pass.
    Closed,
    /// Only who carries all these keys may pass; at least one bit.
    Locked(u32),
}

impl LinkState {
    /// True if someone with these keys may pass.
    #[inline]
    pub const fn admits(self, keys: u32) -> bool {
        match self {
            Self::Open => true,
            Self::Closed => false,
            Self::Locked(lock) => keys & lock == lock,
        }
    }
}

/// An explicit way from one cell to another, near or far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NavLink {
    /// Where it begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// What it is.
    pub kind: NavLinkKind,
    /// Which paths it can be taken.
    pub direction: LinkDirection,
    /// What taking it costs, in all; at least 1 unit.
    pub cost: Cost,
    /// Whether it can be taken at present.
    pub state: LinkState,
}

/// A thin wall on the edge between a cell and the next in a straight direction.
///
/// It forbids the step both ways, and with it the diagonals around it. Written from the cell that
/// has it in the east or the south, so that each edge has one name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Wall {
    /// The cell west or north of the edge.
    pub cell: Cell,
    /// Which of its edges.
    pub side: WallSide,
}

/// The two edges that a cell owns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WallSide {
    /// The edge to the next cell in the east.
    East,
    /// The edge to the next cell in the south.
    South,
}

impl WallSide {
    /// The direction across the edge.
    pub const fn direction(self) -> Direction {
        match self {
            Self::East => Direction::East,
            Self::South => Direction::South,
        }
    }
}
