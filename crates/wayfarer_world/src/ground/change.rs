//! Change sets of the ground, their inverses, and edit errors.

use thiserror::Error;
use wayfarer_base::{
    Cell, ChangeSet, CostModifier, CostModifierId, Difference, FloorBlock, GroundEdit, GroundSolid,
    NavLink, NavLinkId, SectorId, SolidId, Terrain, Wall,
};

use super::floor_changes::FloorChange;

/// One difference that a batch made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundDifference {
    /// A floor that was added, removed, or changed its terrain.
    Floor {
        /// The floor's cell.
        cell: Cell,
        /// Its terrain before, if it existed.
        before: Option<Terrain>,
        /// Its terrain now, if it exists.
        after: Option<Terrain>,
    },
    /// Floors of an area, or under solids.
    Floors(Box<FloorsDifference>),
    /// A solid that was placed, removed, or replaced.
    Solid(Box<SolidDifference>),
    /// A thin wall that was added or removed.
    Wall {
        /// The wall.
        wall: Wall,
        /// True if it exists now.
        is_present: bool,
    },
    /// A nav link that was added, removed, or changed.
    NavLink(Box<NavLinkDifference>),
    /// A cost modifier that was added, removed, or changed.
    CostModifier(Box<CostModifierDifference>),
}

/// Floors that one edit changed, in blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloorsDifference {
    /// Floors of columns without solids.
    pub floors: Vec<FloorChange>,
    /// Floors of the terrain under solids.
    pub covered: Vec<FloorChange>,
    /// What that changed for agents.
    pub shown: Vec<FloorChange>,
}

impl FloorsDifference {
    /// True if nothing changed.
    pub const fn is_empty(&self) -> bool {
        self.floors.is_empty() && self.covered.is_empty()
    }
}

/// A solid before and after a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolidDifference {
    /// Its id.
    pub id: SolidId,
    /// The solid before, if it existed.
    pub before: Option<GroundSolid>,
    /// The solid now, if it exists.
    pub after: Option<GroundSolid>,
    /// The floors that this changed for agents.
    pub shown: Vec<FloorChange>,
}

/// A nav link before and after a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NavLinkDifference {
    /// Its id.
    pub id: NavLinkId,
    /// The nav link before, if it existed.
    pub before: Option<NavLink>,
    /// The nav link now, if it exists.
    pub after: Option<NavLink>,
}

/// A cost modifier before and after a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostModifierDifference {
    /// Its id.
    pub id: CostModifierId,
    /// The modifier before, if it existed.
    pub before: Option<CostModifier>,
    /// The modifier now, if it exists.
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
            Self::Floors(floors) => Self::Floors(Box::new(FloorsDifference {
                floors: inverses(&floors.floors),
                covered: inverses(&floors.covered),
                shown: inverses(&floors.shown),
            })),
            Self::Solid(solid) => Self::Solid(Box::new(SolidDifference {
                id: solid.id,
                before: solid.after.clone(),
                after: solid.before.clone(),
                shown: inverses(&solid.shown),
            })),
            Self::Wall { wall, is_present } => Self::Wall {
                wall: *wall,
                is_present: !is_present,
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

fn inverses(changes: &[FloorChange]) -> Vec<FloorChange> {
    changes.iter().map(FloorChange::inverse).collect()
}

impl GroundDifference {
    /// Calls `visit` with every floor that changed for agents: its cell, and its terrain before and
    /// after, `None` where it did not exist.
    pub fn for_each_floor(&self, mut visit: impl FnMut(Cell, Option<Terrain>, Option<Terrain>)) {
        if let Self::Floor {
            cell,
            before,
            after,
        } = self
        {
            visit(*cell, *before, *after);
        }
        for block in self.floor_blocks() {
            for cell in block.cells() {
                visit(cell, block.before, block.after);
            }
        }
    }

    /// The floors that changed for agents in blocks; none for a single floor.
    pub fn floor_blocks(&self) -> impl Iterator<Item = &FloorChange> {
        let blocks: [&[FloorChange]; 2] = match self {
            Self::Floors(floors) => [&floors.floors, &floors.shown],
            Self::Solid(solid) => [&solid.shown, &[]],
            Self::Floor { .. } | Self::Wall { .. } | Self::NavLink(_) | Self::CostModifier(_) => {
                [&[], &[]]
            }
        };
        blocks.into_iter().flatten()
    }

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
            Self::Floors(floors) => {
                let changes = floors.floors.iter().chain(&floors.covered);
                let blocks: Vec<FloorBlock> = changes.map(|change| change.to_block()).collect();
                GroundEdit::SetFloors(blocks)
            }
            Self::Solid(solid) => match &solid.after {
                Some(after) => GroundEdit::PutSolid {
                    id: solid.id,
                    solid: after.clone(),
                },
                None => GroundEdit::RemoveSolid(solid.id),
            },
            Self::Wall {
                wall,
                is_present: true,
            } => GroundEdit::PutWall(*wall),
            Self::Wall {
                wall,
                is_present: false,
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

/// The result of a batch of edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundChanges {
    /// The differences, the dirty sectors, and the revisions before and after.
    pub changes: ChangeSet<GroundDifference>,
    /// Pairs of cells that were connected before and are not now: one pair for each part that split
    /// off a component.
    pub split_pairs: Vec<(Cell, Cell)>,
    /// Pairs of cells that are connected now and were not before: one pair for each component
    /// merged into another.
    pub merged_pairs: Vec<(Cell, Cell)>,
}

impl GroundChanges {
    /// The edits that undo the batch.
    pub fn inverse(&self) -> Vec<GroundEdit> {
        let inverse = self.changes.inverse();
        inverse.iter().map(GroundDifference::to_edit).collect()
    }
}

/// An invalid edit; nothing of its batch was applied.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GroundEditError {
    /// A cell lies outside the world.
    #[error(
        "edit {edit}: cell {cell} lies outside the world, expected x and y within {limit} of 0 and z within {z_limit}"
    )]
    OutOfWorld {
        /// Index of the edit in the batch.
        edit: usize,
        /// The cell.
        cell: Cell,
        /// Largest magnitude of x and y.
        limit: i32,
        /// Largest magnitude of z.
        z_limit: i32,
    },
    /// More floors in a column than the limit.
    #[error("edit {edit}: column of {cell} has {limit} floors already, the maximum")]
    TooManyFloors {
        /// Index of the edit in the batch.
        edit: usize,
        /// The floor that did not fit.
        cell: Cell,
        /// The limit.
        limit: usize,
    },
    /// More nav links at a cell than the limit.
    #[error("edit {edit}: {cell} has {limit} nav links already, the maximum")]
    TooManyNavLinks {
        /// Index of the edit in the batch.
        edit: usize,
        /// The cell.
        cell: Cell,
        /// The limit.
        limit: usize,
    },
    /// A nav link with equal ends, an invalid cost, a lock without keys, or one that does not exist.
    #[error("edit {edit}: the nav link from {from} to {to} {reason}")]
    BadNavLink {
        /// Index of the edit in the batch.
        edit: usize,
        /// Start of the nav link.
        from: Cell,
        /// End of the nav link.
        to: Cell,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A fill over more columns than one edit may span.
    #[error("edit {edit}: the shape to fill spans more than {limit} columns")]
    TooWide {
        /// Index of the edit in the batch.
        edit: usize,
        /// The limit.
        limit: u64,
    },
    /// A solid with which all solids together have more columns than a ground may have.
    #[error("edit {edit}: all solids together would cover more than {limit} columns")]
    SolidsTooWide {
        /// Index of the edit in the batch.
        edit: usize,
        /// The limit.
        limit: u64,
    },
    /// A polygon of too many corners for its height.
    #[error("edit {edit}: the polygon has {found} corners, at its height {limit} at most")]
    TooManyCorners {
        /// Index of the edit in the batch.
        edit: usize,
        /// The number of corners.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// More cost modifiers than the limit.
    #[error("edit {edit}: the world has {limit} cost modifiers already, the maximum")]
    TooManyCostModifiers {
        /// Index of the edit in the batch.
        edit: usize,
        /// The limit.
        limit: usize,
    },
    /// No solid has this id.
    #[error("edit {edit}: no solid has id {}", id.0)]
    UnknownSolid {
        /// Index of the edit in the batch.
        edit: usize,
        /// The id.
        id: SolidId,
    },
    /// A solid or box that is not one.
    #[error("edit {edit}: the solid {reason}")]
    BadSolid {
        /// Index of the edit in the batch.
        edit: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// More solids in a sector than the limit.
    #[error("edit {edit}: {sector} has {limit} solids already, the maximum")]
    TooManySolids {
        /// Index of the edit in the batch.
        edit: usize,
        /// The sector.
        sector: SectorId,
        /// The limit.
        limit: usize,
    },
    /// No page is left for a floor.
    #[error(
        "edit {edit}: no room for {cell}: the world has {limit} pages of 128 x 128 columns already"
    )]
    WorldFull {
        /// Index of the edit in the batch.
        edit: usize,
        /// The floor that did not fit.
        cell: Cell,
        /// The limit.
        limit: u32,
    },
}

impl GroundEditError {
    /// Index of the invalid edit in its batch.
    pub const fn edit(&self) -> usize {
        match self {
            Self::OutOfWorld { edit, .. }
            | Self::TooManyFloors { edit, .. }
            | Self::TooManyNavLinks { edit, .. }
            | Self::BadNavLink { edit, .. }
            | Self::TooWide { edit, .. }
            | Self::TooManyCorners { edit, .. }
            | Self::TooManyCostModifiers { edit, .. }
            | Self::UnknownSolid { edit, .. }
            | Self::BadSolid { edit, .. }
            | Self::TooManySolids { edit, .. }
            | Self::SolidsTooWide { edit, .. }
            | Self::WorldFull { edit, .. } => *edit,
        }
    }

    /// The same error about edit `number`, for a caller that assembled the batch from another.
    #[must_use]
    pub const fn with_edit(mut self, number: usize) -> Self {
        match &mut self {
            Self::OutOfWorld { edit, .. }
            | Self::TooManyFloors { edit, .. }
            | Self::TooManyNavLinks { edit, .. }
            | Self::BadNavLink { edit, .. }
            | Self::TooWide { edit, .. }
            | Self::TooManyCorners { edit, .. }
            | Self::TooManyCostModifiers { edit, .. }
            | Self::UnknownSolid { edit, .. }
            | Self::BadSolid { edit, .. }
            | Self::TooManySolids { edit, .. }
            | Self::SolidsTooWide { edit, .. }
            | Self::WorldFull { edit, .. } => *edit = number,
        }
        self
    }
}
