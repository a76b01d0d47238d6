//! A flat map held cell by cell: simple, fast to walk over, and the measure for everything else.
//!
//! The primary state is a [`Raster`]. Derived from it are one byte per cell with the moves that
//! are legal from there under the benchmarks' rule (ground and swamp can be walked on, a diagonal
//! needs both cells beside it), and the component that each cell belongs to. Both are repaired by
//! [`DenseGround::apply`]; nothing behind `&DenseGround` ever changes.
//!
//! Inside, cells are numbered over a layout one cell wide that nobody can walk on, so that a search
//! needs no test for the edge of the map.

mod components;
mod edit;
mod moves;

use components::Components;
pub use edit::{DenseDifference, DenseEditError};
use thiserror::Error;
use wayfarer_base::{Cell, ChangeLog, ChangeSet, Raster, Rect, Revision};

/// A flat map with its revision, ready to be searched.
///
/// Takes 6 bytes per cell. Building costs a few nanoseconds per cell.
///
/// ```
/// use wayfarer_base::{Cell, Edit, Raster, Terrain};
/// use wayfarer_world::dense::DenseGround;
///
/// let map = Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap(); // ground, nothing, ground
/// let mut ground = DenseGround::from_raster(map)?;
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(2, 0));
/// assert!(!ground.is_connected(west, east));
///
/// let bridge = Edit::PutCell { cell: Cell::flat(1, 0), terrain: Terrain::GROUND };
/// let changes = ground.apply(&[bridge])?;
/// assert_eq!(changes.differences.len(), 1);
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
    log: ChangeLog<DenseDifference>,
}

/// Why a raster cannot be made into a dense ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "{width} x {height} cells are {padded}, expected at most {}",
    DenseLayout::MAX_CELLS
)]
pub struct DenseSizeError {
    /// Columns of the raster.
    pub width: u32,
    /// Rows of the raster.
    pub height: u32,
    /// Cells with the layout.
    pub padded: u64,
}

impl DenseGround {
    /// Change sets that are kept for whoever asks what happened since a revision.
    pub const CHANGE_LOG_CAPACITY: usize = 256;

    /// The ground of `raster`, at revision 0; an error above 2^28 cells, the layout included.
    pub fn from_raster(raster: Raster) -> Result<Self, DenseSizeError> {
        let layout = DenseLayout::new(raster.width(), raster.height())?;
        let moves = moves::from_raster(&raster, layout);
        let components = Components::from_raster(&raster, layout);
        Ok(Self {
            raster,
            layout,
            moves,
            components,
            log: ChangeLog::new(Self::CHANGE_LOG_CAPACITY),
        })
    }

    /// The primary state.
    pub fn raster(&self) -> &Raster {
        &self.raster
    }

    /// The rectangle it covers, from column (0, 0).
    pub fn rect(&self) -> Rect {
        self.raster.rect()
    }

    /// The revision it has now.
    #[inline]
    pub fn revision(&self) -> Revision {
        self.log.latest_revision()
    }

    /// True if one can stand on `cell`: inside, at height 0, ground or swamp.
    #[inline]
    pub fn is_walkable(&self, cell: Cell) -> bool {
        cell.z == 0 && self.raster.is_walkable(cell.x, cell.y)
    }

    /// Why one cannot stand on `cell`, in words, or `None` if one can.
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

    /// True if both cells can be stood on and a way leads from one to the other: one comparison.
    #[inline]
    pub fn is_connected(&self, a: Cell, b: Cell) -> bool {
        match (self.component(a), self.component(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// The component of `cell`, or `None` if one cannot stand there.
    ///
    /// Equal numbers mean connected; the numbers themselves mean nothing and change with edits.
    #[inline]
    pub fn component(&self, cell: Cell) -> Option<u32> {
        if cell.z != 0 {
            return None;
        }
        self.raster.index(cell.x, cell.y)?;
        self.components.label(self.layout.number(cell.x, cell.y))
    }

    /// The legal moves from every padded cell, a bit for each of `Direction::ALL`; 0 on the layout.
    #[inline]
    pub fn moves(&self) -> &[u8] {
        &self.moves
    }

    /// How cells are numbered in [`DenseGround::moves`].
    #[inline]
    pub fn layout(&self) -> DenseLayout {
        self.layout
    }

    /// The change sets since `revision`, oldest first; `None` if they are no longer kept.
    pub fn changes_since(
        &self,
        revision: Revision,
    ) -> Option<impl Iterator<Item = &ChangeSet<DenseDifference>>> {
        self.log.since(revision)
    }
}

/// How the cells of a rectangle are numbered, with a layout of one cell around them.
///
/// Rows follow each other; a row's length is odd, so that cells above each other do not compete
/// for the same lines of the processor's cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseLayout {
    width: u32,
    height: u32,
    stride: u32,
    /// Multiplies a number so that its row is left above `shift`.
    reciprocal: u32,
    shift: u32,
}

impl DenseLayout {
    /// Most cells, the layout included: 2^28.
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
        // With 2^shift at least 2^28 times the stride, the rounding of the reciprocal stays below
        // one part in 2^28, so the row comes out exact for every number below 2^28.
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

    /// How many numbers there are.
    #[inline]
    pub const fn n_cells(self) -> u32 {
        self.stride * (self.height + 2)
    }

    /// From a cell's number to that of the next cell south.
    #[inline]
    pub const fn stride(self) -> u32 {
        self.stride
    }

    /// The number of the cell at (`x`, `y`), which must lie inside the rectangle or on its layout.
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "inside or on the layout: -1 or more")]
    pub const fn number(self, x: i32, y: i32) -> u32 {
        debug_assert!(x >= -1 && y >= -1);
        debug_assert!((x + 1) as u32 <= self.width + 1 && (y + 1) as u32 <= self.height + 1);
        (y + 1) as u32 * self.stride + (x + 1) as u32
    }

    /// Column and row of the cell with this number.
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

    /// The cell with this number, at height 0.
    #[inline]
    pub const fn cell(self, number: u32) -> Cell {
        let (x, y) = self.position(number);
        Cell::flat(x, y)
    }
}

#[cfg(test)]
mod tests;
