//! Terrain grid that flat generators carve, with connection of its components by tunnels.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "indices of a grid: sides fit i32, cells fit u32, both checked by the constructor"
)]

use wayfarer_base::{Column, Raster, Rect, Terrain};

mod connect;

/// Blocked: no floor.
pub(crate) const ROCK: u8 = 255;
/// Ground.
pub(crate) const GROUND: u8 = Terrain::GROUND.number();
/// Swamp.
pub(crate) const SWAMP: u8 = Terrain::SWAMP.number();

/// A row-major grid of terrain numbers or `ROCK`.
#[derive(Clone, Debug)]
pub(crate) struct CarvingGrid {
    width: i32,
    height: i32,
    cells: Vec<u8>,
}

impl CarvingGrid {
    /// A grid of rock; `None` if empty or above [`Raster::MAX_CELLS`].
    pub(crate) fn new(width: u32, height: u32) -> Option<Self> {
        let n_cells = u64::from(width) * u64::from(height);
        let fits = n_cells > 0 && n_cells <= Raster::MAX_CELLS;
        fits.then(|| Self {
            width: width as i32,
            height: height as i32,
            cells: vec![ROCK; n_cells as usize],
        })
    }

    /// The grid of a map; `None` if empty.
    pub(crate) fn from_raster(map: &Raster) -> Option<Self> {
        let mut grid = Self::new(map.width(), map.height())?;
        grid.cells.copy_from_slice(map.bytes());
        Some(grid)
    }

    pub(crate) const fn width(&self) -> i32 {
        self.width
    }

    pub(crate) const fn height(&self) -> i32 {
        self.height
    }

    /// All columns.
    pub(crate) const fn rect(&self) -> Rect {
        self.inside(0)
    }

    /// All columns at least `border` cells from the edge; may be empty.
    pub(crate) const fn inside(&self, border: i32) -> Rect {
        Rect {
            low: Column::new(border, border),
            high: Column::new(self.width - 1 - border, self.height - 1 - border),
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        (0 <= x && x < self.width && 0 <= y && y < self.height)
            .then(|| y as usize * self.width as usize + x as usize)
    }

    /// The cell at (`x`, `y`); rock outside.
    pub(crate) fn at(&self, x: i32, y: i32) -> u8 {
        self.index(x, y).map_or(ROCK, |index| self.cells[index])
    }

    /// True if (`x`, `y`) is ground or swamp.
    pub(crate) fn is_open(&self, x: i32, y: i32) -> bool {
        self.at(x, y) <= SWAMP
    }

    /// Sets one cell; no effect outside.
    pub(crate) fn put(&mut self, x: i32, y: i32, terrain: u8) {
        if let Some(index) = self.index(x, y) {
            self.cells[index] = terrain;
        }
    }

    /// Sets every cell of `rect` that lies on the grid.
    pub(crate) fn fill(&mut self, rect: Rect, terrain: u8) {
        let (low, high) = (rect.low, rect.high);
        for y in low.y.max(0)..=high.y.min(self.height - 1) {
            for x in low.x.max(0)..=high.x.min(self.width - 1) {
                self.put(x, y, terrain);
            }
        }
    }

    /// Sets every cell of a disc of `radius` around (`x`, `y`), slightly rounded up.
    pub(crate) fn disc(&mut self, x: i32, y: i32, radius: i32, terrain: u8) {
        for dy in -radius..=radius {
            for dx in -radius..=radius {
                if dx * dx + dy * dy <= radius * radius + radius / 2 {
                    self.put(x + dx, y + dy, terrain);
                }
            }
        }
    }

    /// The rows, from north to south.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        self.cells.chunks_exact_mut(self.width as usize)
    }

    /// Opens the center cell if no cell is open.
    pub(crate) fn ensure_walkable(&mut self) {
        if self.cells.iter().all(|&cell| cell > SWAMP) {
            self.put(self.width / 2, self.height / 2, GROUND);
        }
    }

    /// The finished map.
    pub(crate) fn into_raster(self) -> Raster {
        Raster::from_bytes(self.width as u32, self.height as u32, self.cells)
            .expect("size checked by the constructor, terrain numbers only")
    }
}
