//! Dense 8-connected grid of a flat map: the baseline for the sparse ground.
//!
//! Primary state is a [`Raster`]. Derived are the legal moves of each cell as a byte, under the
//! rule of the grid benchmarks (ground and swamp are walkable, a diagonal needs both adjacent
//! cardinals), and the component of each cell. [`DenseGround::apply`] repairs both.
//!
//! Cells are numbered with a padding of one blocked cell on every side, so that a search needs no
//! bounds check.

mod components;
mod edit;
mod moves;

use components::Components;
use thiserror::Error;
use wayfarer_base::{BatchDigest, Cell, Raster, Rect, Revision};

/// A flat map with legal moves and components.
///
/// Takes 6 bytes per cell. Construction is linear, a few nanoseconds per cell.
///
/// ```
/// use wayfarer_base::{Cell, GroundEdit, Raster, Terrain};
/// use wayfarer_world::dense::DenseGround;
///
/// let map = Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap(); // ground, nothing, ground
/// let mut ground = DenseGround::from_raster(map)?;
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(2, 0));
/// assert!(!ground.is_connected(west, east));
///
/// let bridge = GroundEdit::PutCell { cell: Cell::flat(1, 0), terrain: Terrain::GROUND };
/// assert!(ground.apply(&[bridge]));
/// assert!(ground.is_connected(west, east));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DenseGround {
    raster: Raster,
    layout: DenseLayout,
    /// For each padded cell a bit per legal move, in the order of `Direction::ALL`.
    moves: Vec<u8>,
    components: Components,
    revision: Revision,
}

/// A raster too large for a dense ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "{width} x {height} cells are {padded} with padding, expected at most {}",
    DenseLayout::MAX_CELLS
)]
pub struct DenseSizeError {
    /// Columns of the raster.
    pub width: u32,
    /// Rows of the raster.
    pub height: u32,
    /// Cells with padding.
    pub padded: u64,
}

impl DenseGround {
    /// The ground of `raster`, at revision 0.
    ///
    /// # Errors
    /// More than 2^28 cells, padding included.
    pub fn from_raster(raster: Raster) -> Result<Self, DenseSizeError> {
        let layout = DenseLayout::new(raster.width(), raster.height())?;
        let revision = Revision::initial(BatchDigest::of(&raster));
        let moves = moves::from_raster(&raster, layout);
        let components = Components::from_raster(&raster, layout);
        Ok(Self {
            raster,
            layout,
            moves,
            components,
            revision,
        })
    }

    /// The primary state.
    pub fn raster(&self) -> &Raster {
        &self.raster
    }

    /// The covered rectangle, from column (0, 0).
    pub fn rect(&self) -> Rect {
        self.raster.rect()
    }

    /// The current revision.
    #[inline]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// True if `cell` is walkable: inside the map, at height 0, ground or swamp.
    #[inline]
    pub fn is_walkable(&self, cell: Cell) -> bool {
        cell.z == 0 && self.raster.is_walkable(cell.x, cell.y)
    }

    /// The reason why `cell` is not walkable; `None` if it is.
    pub fn blocked_reason(&self, cell: Cell) -> Option<&'static str> {
        if self.is_walkable(cell) {
            None
        } else if cell.z != 0 {
            Some("a dense ground has one floor, at height 0")
        } else if self.raster.index(cell.x, cell.y).is_none() {
            Some("it lies outside the map")
        } else if self.raster.get(cell.x, cell.y).is_none() {
            Some("there is no floor")
        } else {
            Some("its terrain cannot be walked on")
        }
    }

    /// True if both cells are walkable and connected. O(1).
    #[inline]
    pub fn is_connected(&self, a: Cell, b: Cell) -> bool {
        match (self.component(a), self.component(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// The component of `cell`; `None` if it is not walkable.
    ///
    /// Equal numbers mean connected; the numbers are arbitrary and change with edits.
    #[inline]
    pub fn component(&self, cell: Cell) -> Option<u32> {
        if cell.z != 0 {
            return None;
        }
        self.raster.index(cell.x, cell.y)?;
        self.components.label(self.layout.index(cell.x, cell.y))
    }

    /// The legal moves of every padded cell, a bit for each of `Direction::ALL`; 0 in the padding.
    #[inline]
    pub fn moves(&self) -> &[u8] {
        &self.moves
    }

    /// The numbering of [`DenseGround::moves`].
    #[inline]
    pub fn layout(&self) -> DenseLayout {
        self.layout
    }
}

/// Numbering of the cells of a rectangle with a padding of one cell on every side.
///
/// Row-major with an odd stride, so that vertical neighbors do not map to the same cache sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseLayout {
    width: u32,
    height: u32,
    stride: u32,
    /// Fixed-point reciprocal of the stride: number x reciprocal >> shift is the row.
    reciprocal: u32,
    shift: u32,
}

impl DenseLayout {
    /// Cells, padding included, at most: 2^28.
    pub const MAX_CELLS: u64 = 1 << 28;

    fn new(width: u32, height: u32) -> Result<Self, DenseSizeError> {
        let stride = (u64::from(width) + 2) | 1;
        let padded = stride.saturating_mul(u64::from(height) + 2);
        if padded > Self::MAX_CELLS {
            return Err(DenseSizeError {
                width,
                height,
                padded,
            });
        }
        // 2^shift is at least 2^28 times the stride, so the rounding error of the reciprocal stays
        // below one part in 2^28 and the row is exact for every number below 2^28.
        let shift = 28 + (stride.ilog2() + 1);
        let narrow = |wide: u64| u32::try_from(wide).expect("below 2^30 by the limit above");
        Ok(Self {
            width,
            height,
            stride: narrow(stride),
            reciprocal: narrow((1 << shift) / stride + 1),
            shift,
        })
    }

    /// The number of padded cells.
    #[inline]
    pub const fn n_cells(self) -> u32 {
        self.stride * (self.height + 2)
    }

    /// Difference between the numbers of a cell and its southern neighbor.
    #[inline]
    pub const fn stride(self) -> u32 {
        self.stride
    }

    /// The number of cell (`x`, `y`), which must lie in the rectangle or its padding.
    #[inline]
    #[expect(
        clippy::cast_sign_loss,
        reason = "inside or in the padding: -1 or more"
    )]
    pub const fn index(self, x: i32, y: i32) -> u32 {
        debug_assert!(x >= -1 && y >= -1);
        debug_assert!((x + 1) as u32 <= self.width + 1 && (y + 1) as u32 <= self.height + 1);
        (y + 1) as u32 * self.stride + (x + 1) as u32
    }

    /// Column and row of a number.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "rows and columns are below 2^28"
    )]
    pub const fn position(self, number: u32) -> (i32, i32) {
        let row = ((number as u64 * self.reciprocal as u64) >> self.shift) as u32;
        let column = number - row * self.stride;
        (column as i32 - 1, row as i32 - 1)
    }

    /// The cell of a number, at height 0.
    #[inline]
    pub const fn cell(self, number: u32) -> Cell {
        let (x, y) = self.position(number);
        Cell::flat(x, y)
    }
}

#[cfg(test)]
mod tests;
