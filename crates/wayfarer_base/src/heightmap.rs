//! Heightmap: the exchange type of elevation files.

use crate::Rect;

/// A row-major grid of heights in the unit of the file; the import options convert it to steps.
///
/// ```
/// use wayfarer_base::Heightmap;
/// let hill = Heightmap::new(2, 2, vec![0, 3, 1, -2]).unwrap();
/// assert_eq!(hill.get(1, 0), Some(3));
/// assert_eq!(hill.get(2, 0), None); // outside
/// assert_eq!(hill.range(), Some((-2, 3)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heightmap {
    width: u32,
    height: u32,
    /// Row by row.
    heights: Vec<i32>,
}

impl Heightmap {
    /// Maximum number of columns: 2^28.
    pub const MAX_COLUMNS: u64 = 1 << 28;

    /// A map of row-major `heights`; `None` if their count is not `width` times `height` or is
    /// above [`Heightmap::MAX_COLUMNS`].
    pub fn new(width: u32, height: u32, heights: Vec<i32>) -> Option<Self> {
        let n_columns = u64::from(width) * u64::from(height);
        let fits = heights.len() as u64 == n_columns && n_columns <= Self::MAX_COLUMNS;
        fits.then_some(Self {
            width,
            height,
            heights,
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

    /// The height at (`x`, `y`); `None` outside.
    #[inline]
    pub fn get(&self, x: i32, y: i32) -> Option<i32> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let index = y as usize * self.width as usize + x as usize;
        (x < self.width && y < self.height).then(|| self.heights[index])
    }

    /// All heights, row-major.
    pub fn heights(&self) -> &[i32] {
        &self.heights
    }

    /// The lowest and the highest height; `None` without columns. O(n).
    pub fn range(&self) -> Option<(i32, i32)> {
        let low = self.heights.iter().min()?;
        let high = self.heights.iter().max()?;
        Some((*low, *high))
    }
}

#[cfg(test)]
mod tests;
