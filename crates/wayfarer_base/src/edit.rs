//! What users may change about the ground, as plain values: files, traces and worlds share them.

use crate::nav_link::{LinkState, NavLink, NavLinkKind, Wall};
use crate::{Cell, Column, CostMultiplier, Raster, Shape, Terrain};

/// One edit of the ground's primary state; batches of them are applied all or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundEdit {
    /// Puts a floor there, or changes the terrain of the floor that is there.
    PutCell {
        /// Where.
        cell: Cell,
        /// What it is made of.
        terrain: Terrain,
    },
    /// Takes a floor away; nothing happens if there is none.
    RemoveCell {
        /// Where.
        cell: Cell,
    },
    /// Puts floors at height `z` on every column of a shape.
    Fill {
        /// Which columns.
        shape: Shape,
        /// Height of the floors, in steps.
        z: i32,
        /// What they are made of.
        terrain: Terrain,
    },
    /// Takes away every floor of a shape whose height lies in a range.
    Clear {
        /// Which columns.
        shape: Shape,
        /// Lowest and highest floor to take away, in steps.
        heights: (i32, i32),
    },
    /// Overwrites a rectangle at height `z`: floors where the raster has terrain, none elsewhere.
    Patch {
        /// Where the raster's north-west cell goes.
        at: Column,
        /// Height of the floors, in steps.
        z: i32,
        /// What to write.
        raster: Raster,
    },
    /// Puts up a thin wall.
    PutWall(Wall),
    /// Takes down a thin wall.
    RemoveWall(Wall),
    /// Makes a nav link, or changes the one of the same kind between the same cells.
    PutNavLink(NavLink),
    /// Takes away a nav link.
    RemoveNavLink(NavLinkId),
    /// Opens, closes or locks a nav link.
    SetNavLinkState {
        /// Which.
        nav_link: NavLinkId,
        /// What it is from now on.
        state: LinkState,
    },
    /// Lays an effect over an area, or moves and changes the one of the same name.
    PutCostModifier {
        /// Its name, chosen by the user.
        id: CostModifierId,
        /// What and where.
        modifier: CostModifier,
    },
    /// Lifts an effect.
    RemoveCostModifier(CostModifierId),
}

/// A nav link is known by its ends and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NavLinkId {
    /// Where it begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// What it is.
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

/// The name of an effect, chosen by the user.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CostModifierId(pub u64);

/// A temporary cost multiplier on cells: a spell, a line of fire, a crowd. Effects on the same cell add up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostModifier {
    /// Which columns.
    pub shape: Shape,
    /// Lowest and highest floor it lies on, in steps.
    pub heights: (i32, i32),
    /// What it makes uniform ground cost; what it adds to 1 is added to the ground's cost multiplier.
    pub multiplier: CostMultiplier,
}
