//! Edits of the ground as plain values, shared by files, edit traces and worlds.

use crate::nav_link::{LinkState, NavLink, NavLinkKind, Wall};
use crate::{
    Cell, Column, CostMultiplier, GroundSolid, Raster, Rect, SectorId, Shape, SolidId, Terrain,
};

/// One edit of the primary state of the ground. A batch is applied atomically: all edits or none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GroundEdit {
    /// Adds a floor, or changes the terrain of an existing one.
    PutCell {
        /// The floor.
        cell: Cell,
        /// Its terrain.
        terrain: Terrain,
    },
    /// Removes a floor; no effect if there is none.
    RemoveCell {
        /// The floor.
        cell: Cell,
    },
    /// Adds a floor at height `z` in every column of a shape.
    Fill {
        /// The columns.
        shape: Shape,
        /// Height of the floors, in steps.
        z: i32,
        /// Their terrain.
        terrain: Terrain,
    },
    /// Removes every floor of a shape within a height range.
    Clear {
        /// The columns.
        shape: Shape,
        /// Lowest and highest floor to remove, inclusive, in steps.
        heights: (i32, i32),
    },
    /// Overwrites a rectangle at height `z`: a floor where the raster has terrain, none otherwise.
    Patch {
        /// Column of the north-west cell of the raster.
        at: Column,
        /// Height of the floors, in steps.
        z: i32,
        /// The new content.
        raster: Raster,
    },
    /// Sets or removes floors block by block, as the inverse of an edit of an area does.
    SetFloors(Vec<FloorBlock>),
    /// Fills a box: in each of its columns the floors inside are removed, the bottom becomes a floor
    /// of [`Terrain::SOLID`] and the top one of `terrain`. Solid terrain that it overlaps or touches
    /// merges with it.
    FillBox {
        /// The columns.
        rect: Rect,
        /// Height of the bottom, in steps.
        bottom: i32,
        /// Height of the top, above the bottom.
        top: i32,
        /// Terrain of the top.
        terrain: Terrain,
    },
    /// Carves a box out of solid terrain: floors inside are removed; terrain that reaches up into
    /// the box gets a new top there, of `terrain` or of its old one. A column without floors counts
    /// as solid, and so does everything below the lowest floor.
    CarveBox {
        /// The columns.
        rect: Rect,
        /// Height of the bottom, in steps.
        bottom: i32,
        /// Height of the top, above the bottom.
        top: i32,
        /// Terrain of the new floor at the bottom where that was solid; `None` for no floor.
        terrain: Option<Terrain>,
    },
    /// Places a solid, or replaces the one with the same id. It stands in front of the terrain,
    /// which edits of floors still change and its removal shows again. Where solids overlap, those
    /// with higher ids are placed later.
    PutSolid {
        /// Its id.
        id: SolidId,
        /// The solid.
        solid: GroundSolid,
    },
    /// Removes a solid; an unknown id is an error.
    RemoveSolid(SolidId),
    /// Adds a thin wall.
    PutWall(Wall),
    /// Removes a thin wall.
    RemoveWall(Wall),
    /// Adds a nav link, or replaces the one with the same [`NavLinkId`].
    PutNavLink(NavLink),
    /// Removes a nav link.
    RemoveNavLink(NavLinkId),
    /// Opens, closes or locks a nav link, which must exist.
    SetNavLinkState {
        /// The nav link.
        nav_link: NavLinkId,
        /// The new state.
        state: LinkState,
    },
    /// Adds a cost modifier, or replaces the one with the same id.
    PutCostModifier {
        /// Its id, chosen by the user.
        id: CostModifierId,
        /// Area and multiplier.
        modifier: CostModifier,
    },
    /// Removes a cost modifier.
    RemoveCostModifier(CostModifierId),
}

/// Floors of one height in one sector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloorBlock {
    /// The sector.
    pub sector: SectorId,
    /// Height of the floors, in steps.
    pub z: i32,
    /// Their columns: bit x of row y, from the sector's first column.
    pub columns: [u16; 16],
    /// Their terrain; `None` if the floors are removed.
    pub terrain: Option<Terrain>,
}

impl FloorBlock {
    /// The cells of the block, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        cells_of(self.sector, self.z, self.columns)
    }
}

/// The cells at height `z` in the columns of a sector: bit x of row y.
pub fn cells_of(sector: SectorId, z: i32, columns: [u16; 16]) -> impl Iterator<Item = Cell> {
    let origin = sector.origin();
    let rows = (0..).zip(columns).filter(|(_, row)| *row != 0);
    rows.flat_map(move |(y, row)| {
        let without_lowest = |rest: &u16| Some(rest & (rest - 1)).filter(|rest| *rest != 0);
        std::iter::successors(Some(row), without_lowest).map(move |rest| {
            let x = rest.trailing_zeros().cast_signed();
            Cell::new(origin.x + x, origin.y + y, z)
        })
    })
}

/// The identity of a nav link: its end cells and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NavLinkId {
    /// Start cell.
    pub from: Cell,
    /// End cell.
    pub to: Cell,
    /// Kind.
    pub kind: NavLinkKind,
}

impl From<&NavLink> for NavLinkId {
    fn from(nav_link: &NavLink) -> Self {
        Self {
            from: nav_link.from,
            to: nav_link.to,
            kind: nav_link.kind,
        }
    }
}

/// The id of a cost modifier, chosen by the user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CostModifierId(pub u64);

/// A temporary multiplier on the cells of an area: a spell, a line of fire, a crowd. Modifiers on
/// the same cell stack ([`CostMultiplier::stacked_with`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CostModifier {
    /// The columns.
    pub shape: Shape,
    /// Lowest and highest affected floor, inclusive, in steps.
    pub heights: (i32, i32),
    /// The multiplier on base cost; stacks with that of the terrain.
    pub multiplier: CostMultiplier,
}
