//! What an edit of the ground made different, and what refused it.

use thiserror::Error;
use wayfarer_base::{
    Cell, ChangeSet, CostModifier, CostModifierId, Difference, GroundEdit, NavLink, NavLinkId,
    Terrain, Wall,
};

/// One thing that is different after a batch of edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundDifference {
    /// A floor came, went, or changed its terrain.
    Floor {
        /// Where.
        cell: Cell,
        /// What it was made of, if it was there.
        before: Option<Terrain>,
        /// What it is made of, if it is there.
        after: Option<Terrain>,
    },
    /// A thin wall was put up or taken down.
    Wall {
        /// Which.
        wall: Wall,
        /// True if it stands now.
        stands: bool,
    },
    /// A nav link came, went, or changed.
    NavLink(Box<NavLinkDifference>),
    /// An effect came, went, or changed.
    CostModifier(Box<CostModifierDifference>),
}

/// A nav link that came, went, or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NavLinkDifference {
    /// Which.
    pub id: NavLinkId,
    /// As it was, if it was there.
    pub before: Option<NavLink>,
    /// As it is, if it is there.
    pub after: Option<NavLink>,
}

/// An effect that came, went, or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostModifierDifference {
    /// Which.
    pub id: CostModifierId,
    /// As it was, if it was there.
    pub before: Option<CostModifier>,
    /// As it is, if it is there.
    pub after: Option<CostModifier>,
}

impl Difference for GroundDifference {
    fn inverse(&self) -> Self {
        match self {
            Self::Floor {
                cell,
                before,
                after,
            } => Self::Floor {
                cell: *cell,
                before: *after,
                after: *before,
            },
            Self::Wall { wall, stands } => Self::Wall {
                wall: *wall,
                stands: !stands,
            },
            Self::NavLink(nav_link) => Self::NavLink(Box::new(NavLinkDifference {
                id: nav_link.id,
                before: nav_link.after,
                after: nav_link.before,
            })),
            Self::CostModifier(modifier) => Self::CostModifier(Box::new(CostModifierDifference {
                id: modifier.id,
                before: modifier.after.clone(),
                after: modifier.before.clone(),
            })),
        }
    }
}

impl GroundDifference {
    /// The edit that makes this difference.
    pub fn to_edit(&self) -> GroundEdit {
        match self {
            Self::Floor { cell, after, .. } => match after {
                Some(terrain) => GroundEdit::PutCell {
                    cell: *cell,
                    terrain: *terrain,
                },
                None => GroundEdit::RemoveCell { cell: *cell },
            },
            Self::Wall { wall, stands: true } => GroundEdit::PutWall(*wall),
            Self::Wall {
                wall,
                stands: false,
            } => GroundEdit::RemoveWall(*wall),
            Self::NavLink(nav_link) => match nav_link.after {
                Some(after) => GroundEdit::PutNavLink(after),
                None => GroundEdit::RemoveNavLink(nav_link.id),
            },
            Self::CostModifier(modifier) => match &modifier.after {
                Some(after) => GroundEdit::PutCostModifier {
                    id: modifier.id,
                    modifier: after.clone(),
                },
                None => GroundEdit::RemoveCostModifier(modifier.id),
            },
        }
    }
}

/// What a batch of edits did to the ground.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundChanges {
    /// The differences, the sectors touched, and the revisions before and after.
    pub changes: ChangeSet<GroundDifference>,
    /// Pairs of cells that hung together before and no longer do: one pair for each part that
    /// broke off a component.
    pub split_pairs: Vec<(Cell, Cell)>,
    /// Pairs of cells that are connected now and did not before: one pair for each component
    /// that was joined to another.
    pub merged_pairs: Vec<(Cell, Cell)>,
}

impl GroundChanges {
    /// The edits that restore the former state.
    pub fn inverse(&self) -> Vec<GroundEdit> {
        let inverse = self.changes.inverse();
        inverse.iter().map(GroundDifference::to_edit).collect()
    }
}

/// Why a batch of edits was refused; nothing of it was done.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GroundEditError {
    /// A cell lies outside the world.
    #[error(
        "edit {edit}: cell {cell} lies outside the world, expected x and y within {limit} of 0 and z within {z_limit}"
    )]
    OutOfWorld {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// The cell.
        cell: Cell,
        /// How far x and y may be from 0.
        limit: i32,
        /// How far z may be from 0.
        z_limit: i32,
    },
    /// A column would get too table floors.
    #[error("edit {edit}: column of {cell} has {limit} floors already, the most there can be")]
    TooManyFloors {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// The floor that did not fit.
        cell: Cell,
        /// The most there can be.
        limit: usize,
    },
    /// A cell would get too table nav links.
    #[error("edit {edit}: {cell} has {limit} passages already, the most there can be")]
    TooManyNavLinks {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// The cell.
        cell: Cell,
        /// The most there can be.
        limit: usize,
    },
    /// A nav link leads nowhere or costs nothing.
    #[error("edit {edit}: the passage from {from} to {to} {reason}")]
    BadNavLink {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A shape to be filled spans more columns than one edit may.
    #[error("edit {edit}: a shape to be filled spans more than {limit} columns")]
    TooWide {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// The most there can be.
        limit: u64,
    },
    /// The world has as table pages as it can have.
    #[error(
        "edit {edit}: no room for {cell}: the world has {limit} pages of 128 x 128 columns already"
    )]
    WorldFull {
        /// Which edit of the batch, from 0.
        edit: usize,
        /// The floor that did not fit.
        cell: Cell,
        /// The most there can be.
        limit: u32,
    },
}

impl GroundEditError {
    /// Which edit of the batch it is about, from 0.
    pub const fn edit(&self) -> usize {
        match self {
            Self::OutOfWorld { edit, .. }
            | Self::TooManyFloors { edit, .. }
            | Self::TooManyNavLinks { edit, .. }
            | Self::BadNavLink { edit, .. }
            | Self::TooWide { edit, .. }
            | Self::WorldFull { edit, .. } => *edit,
        }
    }

    /// The same about edit `number`, for who made one batch of another.
    #[must_use]
    pub const fn about(mut self, number: usize) -> Self {
        match &mut self {
            Self::OutOfWorld { edit, .. }
            | Self::TooManyFloors { edit, .. }
            | Self::TooManyNavLinks { edit, .. }
            | Self::BadNavLink { edit, .. }
            | Self::TooWide { edit, .. }
            | Self::WorldFull { edit, .. } => *edit = number,
        }
        self
    }
}
