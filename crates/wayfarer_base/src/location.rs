//! A location in any domain, for errors, events and explanations.

use std::fmt;

use crate::{Cell, Point2, Voxel};

/// A location on the ground, on the plane of the obstacles or in the air.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// A floor of the ground.
    Cell(Cell),
    /// A position on the plane of the obstacles.
    Point(Point2),
    /// A voxel of the air.
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
