//! Walkable cells of a map as bits: what paths are checked against.

use wayfarer_engine::base::{Column, Raster};

/// The open cells of a map under the benchmark's rule; all that lies outside is closed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenCells {
    width: u32,
    height: u32,
    open: Vec<bool>,
}

impl OpenCells {
    /// The open cells of `map`: uniform ground and swamp.
    pub fn of(map: &Raster) -> Self {
        let rect = map.rect();
        Self {
            width: map.width(),
            height: map.height(),
            open: rect
                .columns()
                .map(|column| map.is_walkable(column.x, column.y))
                .collect(),
        }
    }

    /// Columns from west to east.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows from north to south.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Position of `column` row by row, if it lies on the map.
    #[inline]
    pub fn index(&self, column: Column) -> Option<usize> {
        let (x, y) = (u32::try_from(column.x).ok()?, u32::try_from(column.y).ok()?);
        (x < self.width && y < self.height).then_some(y as usize * self.width as usize + x as usize)
    }

    /// The column at a position row by row.
    ///
    /// # Panics
    /// If `index` lies beyond the map; a map has at most 2^30 cells.
    pub fn column(&self, index: usize) -> Column {
        assert!(index < self.open.len(), "cell {index} lies beyond the map");
        let width = self.width as usize;
        let part = |number: usize| i32::try_from(number).expect("a map has at most 2^30 cells");
        Column::new(part(index % width), part(index / width))
    }

    /// True if one may stand at `column`.
    #[inline]
    pub fn is_open(&self, column: Column) -> bool {
        self.index(column).is_some_and(|index| self.open[index])
    }

    /// Opens or closes a cell; false if it lies outside.
    pub fn set(&mut self, column: Column, open: bool) -> bool {
        let Some(index) = self.index(column) else {
            return false;
        };
        self.open[index] = open;
        true
    }

    /// One flag per cell, row by row.
    pub fn flags(&self) -> &[bool] {
        &self.open
    }

    /// Open cells there are.
    pub fn n_open(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }
}
