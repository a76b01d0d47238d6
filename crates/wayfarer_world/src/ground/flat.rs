//! Conversion of a ground to a flat map, if it is equivalent to one.

use thiserror::Error;
use wayfarer_base::{Cell, Column, Cost, Direction, Raster, Rect, Terrain};

use super::Ground;
use super::successors::SuccessorBuffer;

/// A flat map equivalent to a ground.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatGround {
    /// Open where the default profile can stand.
    pub map: Raster,
    /// The column of the map's first cell.
    pub origin: Column,
}

/// A ground that is not equivalent to a flat map, with the first cell that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotFlat {
    /// Two walkable floors in a column.
    #[error(
        "both {lower} and {upper} above it are walkable, expected one walkable floor per column"
    )]
    Floors {
        /// The lower floor.
        lower: Cell,
        /// The upper floor.
        upper: Cell,
    },
    /// A cell whose successors or costs are not those of a flat map: a wall, a cliff, a cost
    /// multiplier, a nav link.
    #[error(
        "the steps from {at} are not those of a flat map: a wall, a cliff, a cost or a nav link \
         changes them"
    )]
    Steps {
        /// The cell.
        at: Cell,
    },
    /// More columns than a raster can hold.
    #[error("{width} x {height} columns are too many for a flat map")]
    Size {
        /// Columns from west to east.
        width: u32,
        /// Columns from north to south.
        height: u32,
    },
}

impl Ground {
    /// The flat map on which the default profile has exactly the successors it has here; heights
    /// may differ as long as they block no step. O(world).
    ///
    /// # Errors
    /// The first cell, in storage order, below or above another walkable floor or with other
    /// successors.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let map = Raster::from_bytes(3, 1, vec![0, 0, 0]).unwrap();
    /// let flat = Ground::from_raster(&map).flat()?;
    /// assert_eq!(flat.map, map);
    /// # Ok::<(), wayfarer_world::ground::NotFlat>(())
    /// ```
    pub fn flat(&self) -> Result<FlatGround, NotFlat> {
        let mut bounds = Rect::EMPTY;
        for node in self.nodes() {
            bounds = bounds.including(self.cell(node).column());
        }
        let origin = if bounds == Rect::EMPTY {
            Column::new(0, 0)
        } else {
            bounds.low
        };
        let size = |low: i32, high: i32| high.abs_diff(low).saturating_add(1);
        let (width, height) = if bounds == Rect::EMPTY {
            (0, 0)
        } else {
            (
                size(bounds.low.x, bounds.high.x),
                size(bounds.low.y, bounds.high.y),
            )
        };
        let map = Raster::new(width, height);
        let mut map = map.ok_or(NotFlat::Size { width, height })?;
        for node in self.nodes() {
            let cell = self.cell(node);
            let (x, y) = (cell.x - origin.x, cell.y - origin.y);
            if map.is_walkable(x, y) {
                let mut floors = self.floors(cell.column()).map(|(z, _)| cell.column().at(z));
                let other = floors.find(|floor| floor.z != cell.z && self.node(*floor).is_some());
                let other = other.unwrap_or(cell);
                return Err(NotFlat::Floors {
                    lower: cell.column().at(cell.z.min(other.z)),
                    upper: cell.column().at(cell.z.max(other.z)),
                });
            }
            map.set(x, y, Some(Terrain::GROUND));
        }
        let mut buffer = SuccessorBuffer::default();
        for node in self.nodes() {
            let at = self.cell(node);
            let (x, y) = (at.x - origin.x, at.y - origin.y);
            let steps = self.successors(node, &mut buffer);
            let found = steps.map(|(to, cost)| {
                let to = self.cell(to);
                ((to.x - at.x, to.y - at.y), cost)
            });
            let expected = Direction::ALL.into_iter().filter_map(|direction| {
                let (dx, dy) = direction.offset();
                let is_open = map.is_walkable(x + dx, y + dy)
                    && map.is_walkable(x + dx, y)
                    && map.is_walkable(x, y + dy);
                is_open.then(|| ((dx, dy), Cost::for_step(direction.is_diagonal())))
            });
            if !found.eq(expected) {
                return Err(NotFlat::Steps { at });
            }
        }
        Ok(FlatGround { map, origin })
    }
}

#[cfg(test)]
mod tests;
