//! A place in any part of the world, for messages, refusals and explanations.

use std::fmt;

use crate::{Cell, Point2, Voxel};

/// Somewhere in the world, whichever part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// On the ground.
    Cell(Cell),
    /// Among the obstacles of the field.
    Point(Point2),
    /// In the air.
    Voxel(Voxel),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(cell) => write!(f, "cell {cell}"),
            Self::Point(point) => write!(f, "point {point}"),
            Self::Voxel(voxel) => write!(f, "voxel {voxel}"),
        }
    }
}

impl From<Cell> for Location {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

impl From<Voxel> for Location {
    fn from(voxel: Voxel) -> Self {
        Self::Voxel(voxel)
    }
}

impl From<Point2> for Location {
    fn from(point: Point2) -> Self {
        Self::Point(point)
    }
}
