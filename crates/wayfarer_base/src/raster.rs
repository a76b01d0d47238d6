//! A plain rectangle of cells, as flat map files hand it over: each is some terrain or nothing.

use crate::{Column, Rect, Terrain};

/// A flat map: for every column of a rectangle the terrain there, or nothing.
///
/// ```
/// use wayfarer_base::{Column, Raster, Terrain};
/// let mut map = Raster::new(3, 2).unwrap();
/// map.set(1, 0, Some(Terrain::SWAMP));
/// assert_eq!(map.get(1, 0), Some(Terrain::SWAMP));
/// assert_eq!(map.get(2, 1), None); // nothing to stand on
/// assert_eq!(map.get(-1, 9), None); // nor outside
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Raster {
    width: u32,
    height: u32,
    /// Row by row; a terrain's number, or `NOTHING`.
    cells: Vec<u8>,
}

const NOTHING: u8 = u8::MAX;

impl Raster {
    /// Most cells a raster may have: 2^30.
    pub const MAX_CELLS: u64 = 1 << 30;

    /// A raster with nothing in it, or `None` above [`Raster::MAX_CELLS`].
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let n_cells = u64::from(width) * u64::from(height);
        let n_cells = usize::try_from(n_cells)
            .ok()
            .filter(|_| n_cells <= Self::MAX_CELLS)?;
        Some(Self {
            width,
            height,
            cells: vec![NOTHING; n_cells],
        })
    }

    /// A raster from one byte per cell, row by row: a terrain's number (0 to 63) or 255 for
    /// nothing; `None` if a byte is neither or the count is not `width` times `height`.
    pub fn from_bytes(width: u32, height: u32, cells: Vec<u8>) -> Option<Self> {
        let n_cells = u64::from(width) * u64::from(height);
        let fits = cells.len() as u64 == n_cells
            && n_cells <= Self::MAX_CELLS
            && cells
                .iter()
                .all(|&cell| cell == NOTHING || cell < Terrain::COUNT);
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

    /// The rectangle it covers, from column (0, 0).
    pub fn rect(&self) -> Rect {
        let last = |n: u32| i32::try_from(n).map_or(i32::MAX, |n| n - 1);
        Rect {
            low: Column::new(0, 0),
            high: Column::new(last(self.width), last(self.height)),
        }
    }

    /// The place of (`x`, `y`) in [`Raster::bytes`], if it lies inside.
    #[inline]
    pub fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y as usize * self.width as usize + x as usize)
    }

    /// The terrain at (`x`, `y`); `None` for nothing there and for outside.
    #[inline]
    pub fn get(&self, x: i32, y: i32) -> Option<Terrain> {
        Terrain::new(self.cells[self.index(x, y)?])
    }

    /// Puts `terrain`, or nothing, at (`x`, `y`); false if that lies outside.
    pub fn set(&mut self, x: i32, y: i32, terrain: Option<Terrain>) -> bool {
        let Some(index) = self.index(x, y) else {
            return false;
        };
        self.cells[index] = terrain.map_or(NOTHING, Terrain::number);
        true
    }

    /// One byte per cell, row by row: a terrain's number, or 255 for nothing.
    pub fn bytes(&self) -> &[u8] {
        &self.cells
    }

    /// True if a walker under the benchmark's rule may stand at (`x`, `y`): uniform ground or swamp.
    #[inline]
    pub fn is_walkable(&self, x: i32, y: i32) -> bool {
        matches!(self.get(x, y), Some(Terrain::GROUND | Terrain::SWAMP))
    }
}

#[cfg(test)]
mod tests;
