//! Terrain raster: the exchange type of flat maps and map patches.

use crate::{Rect, Terrain};

/// A row-major grid of optional terrains, one byte per cell.
///
/// ```
/// use wayfarer_base::{Column, Raster, Terrain};
/// let mut map = Raster::new(3, 2).unwrap();
/// map.set(1, 0, Some(Terrain::SWAMP));
/// assert_eq!(map.get(1, 0), Some(Terrain::SWAMP));
/// assert_eq!(map.get(2, 1), None); // empty
/// assert_eq!(map.get(-1, 9), None); // outside
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Raster {
    width: u32,
    height: u32,
    /// Row-major terrain numbers, or `EMPTY`.
    cells: Vec<u8>,
}

const EMPTY: u8 = u8::MAX;

impl Raster {
    /// Maximum number of cells: 2^30.
    pub const MAX_CELLS: u64 = 1 << 30;

    /// An empty raster; `None` above [`Raster::MAX_CELLS`].
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let n_cells = u64::from(width) * u64::from(height);
        let n_cells = usize::try_from(n_cells)
            .ok()
            .filter(|_| n_cells <= Self::MAX_CELLS)?;
        Some(Self {
            width,
            height,
            cells: vec![EMPTY; n_cells],
        })
    }

    /// A raster from row-major bytes, a terrain number (0 to 63) or 255 for empty. `None` if a byte
    /// is neither, or the count is not `width` times `height` or is above [`Raster::MAX_CELLS`].
    pub fn from_bytes(width: u32, height: u32, cells: Vec<u8>) -> Option<Self> {
        let n_cells = u64::from(width) * u64::from(height);
        let fits = cells.len() as u64 == n_cells
            && n_cells <= Self::MAX_CELLS
            && cells
                .iter()
                .all(|&cell| cell == EMPTY || cell < Terrain::COUNT);
        fits.then_some(Self {
            width,
            height,
            cells,
        })
    }

    /// Columns from west to east.
    #[inline]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows from north to south.
    #[inline]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The covered columns, from (0, 0).
    pub fn rect(&self) -> Rect {
        Rect::from_size(self.width, self.height)
    }

    /// The index of (`x`, `y`) in [`Raster::bytes`]; `None` outside.
    #[inline]
    pub fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y as usize * self.width as usize + x as usize)
    }

    /// The terrain at (`x`, `y`); `None` if empty or outside.
    #[inline]
    pub fn get(&self, x: i32, y: i32) -> Option<Terrain> {
        Terrain::new(self.cells[self.index(x, y)?])
    }

    /// Sets the cell at (`x`, `y`), `None` for empty. Returns false, without effect, outside.
    pub fn set(&mut self, x: i32, y: i32, terrain: Option<Terrain>) -> bool {
        let Some(index) = self.index(x, y) else {
            return false;
        };
        self.cells[index] = terrain.map_or(EMPTY, Terrain::number);
        true
    }

    /// Row-major bytes: a terrain number, or 255 for empty.
    pub fn bytes(&self) -> &[u8] {
        &self.cells
    }

    /// True if (`x`, `y`) is walkable by the rules of the benchmarks: ground or swamp.
    #[inline]
    pub fn is_walkable(&self, x: i32, y: i32) -> bool {
        matches!(self.get(x, y), Some(Terrain::GROUND | Terrain::SWAMP))
    }
}

#[cfg(test)]
mod tests;
