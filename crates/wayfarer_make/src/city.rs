//! Lazily generated city of any size: avenues, streets, alleys, houses with courtyards, parks.
//!
//! Stateless: a sector is a pure function of seed and size, independent of the order of queries, so
//! a city of a million cells per side costs nothing until a sector is generated. All open cells are
//! connected.

use wayfarer_base::{Cell, Column, Raster, Rect, SectorId, Terrain};

use crate::carving_grid::{CarvingGrid, GROUND, ROCK};
use crate::{Generator, MakeError, Recipe};

mod block;
mod lot;
mod streets;

use streets::Streets;

/// A city that is generated sector by sector.
///
/// ```
/// use wayfarer_base::SectorId;
/// use wayfarer_make::City;
/// let city = City::new(1 << 20, 7)?; // a million cells per side
/// let far = city.sector(SectorId::new(40_000, 61_000));
/// assert_eq!(far, city.sector(SectorId::new(40_000, 61_000)));
/// assert!(city.sector(SectorId::new(-1, 0)).is_empty()); // outside
/// # Ok::<(), wayfarer_make::MakeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct City {
    rect: Rect,
    seed: u64,
}

impl City {
    /// Maximum side of a city, in cells: 2^20.
    pub const MAX_SIDE: u32 = 1 << 20;

    /// A square city with sides of `size` cells, 1 to [`City::MAX_SIDE`], from column (0, 0).
    ///
    /// # Errors
    /// A size out of range.
    pub fn new(size: u32, seed: u64) -> Result<Self, MakeError> {
        Self::with_sides(size, size, seed)
    }

    /// A city of `width` times `height` cells, each 1 to [`City::MAX_SIDE`].
    ///
    /// # Errors
    /// A side out of range.
    pub fn with_sides(width: u32, height: u32, seed: u64) -> Result<Self, MakeError> {
        let generator = Generator::City;
        if width == 0 || height == 0 {
            return Err(MakeError::TooSmall {
                generator,
                width,
                height,
                min: 1,
            });
        }
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return Err(MakeError::TooLong {
                generator,
                width,
                height,
                max: Self::MAX_SIDE,
            });
        }
        let high = Column::new(width.cast_signed() - 1, height.cast_signed() - 1);
        Ok(Self {
            rect: Rect::around(Column::new(0, 0), high),
            seed,
        })
    }

    /// The covered columns.
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// Generates a sector; empty outside the city. A pure function of the city and `id`.
    pub fn sector(&self, id: SectorId) -> SectorCells {
        let mut cells = [ROCK; SectorCells::COUNT];
        if let Some(area) = intersection(sector_rect(id), self.rect) {
            let mut canvas = Canvas {
                area,
                origin: id.origin(),
                cells: &mut cells,
            };
            Streets::new(self).draw(area, &mut canvas);
        }
        SectorCells { id, cells }
    }

    /// The sectors of the city in row-major order.
    pub fn sectors(&self) -> impl Iterator<Item = SectorId> + use<> {
        let last = SectorId::from_column(self.rect.high);
        (0..=last.y).flat_map(move |y| (0..=last.x).map(move |x| SectorId::new(x, y)))
    }
}

/// The content of a sector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectorCells {
    id: SectorId,
    /// Row-major terrain numbers or `ROCK`.
    cells: [u8; Self::COUNT],
}

impl SectorCells {
    /// Columns of a sector.
    pub const COUNT: usize = 256;

    /// The sector.
    pub const fn id(&self) -> SectorId {
        self.id
    }

    /// The terrain at `column`; `None` if empty or outside the sector.
    pub fn terrain(&self, column: Column) -> Option<Terrain> {
        Terrain::new(self.cells[index(self.id.origin(), column)?])
    }

    /// True if the sector has no floor.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(|&cell| cell == ROCK)
    }

    /// The floors, at height 0, in row-major order.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Terrain)> {
        let columns = sector_rect(self.id).columns();
        columns
            .zip(self.cells)
            .filter_map(|(column, cell)| Some((column.at(0), Terrain::new(cell)?)))
    }

    /// The sector as a raster, for [`wayfarer_base::GroundEdit::Patch`].
    pub fn to_raster(&self) -> Raster {
        let side = SectorId::SIDE.cast_unsigned();
        Raster::from_bytes(side, side, self.cells.to_vec()).expect("16 x 16 valid cells")
    }
}

fn sector_rect(id: SectorId) -> Rect {
    // Corners outside the city may exceed the `i32` range.
    let side = i64::from(SectorId::SIDE);
    let corner = |at: i32| i32::try_from(i64::from(at) * side);
    match (corner(id.x), corner(id.y)) {
        (Ok(_), Ok(_)) => id.rect(),
        _ => Rect::EMPTY,
    }
}

fn index(origin: Column, column: Column) -> Option<usize> {
    let along = |at: i32, from: i32| {
        let offset = i64::from(at) - i64::from(from);
        usize::try_from(offset).ok().filter(|&offset| offset < 16)
    };
    Some(along(column.y, origin.y)? * 16 + along(column.x, origin.x)?)
}

/// The intersection of two rectangles, if not empty.
fn intersection(a: Rect, b: Rect) -> Option<Rect> {
    let common = Rect {
        low: Column::new(a.low.x.max(b.low.x), a.low.y.max(b.low.y)),
        high: Column::new(a.high.x.min(b.high.x), a.high.y.min(b.high.y)),
    };
    (!common.is_empty()).then_some(common)
}

/// The part of a sector inside the city, for drawing.
struct Canvas<'a> {
    area: Rect,
    origin: Column,
    cells: &'a mut [u8; SectorCells::COUNT],
}

impl Canvas<'_> {
    /// Sets the cells of `rect` on the canvas.
    fn fill(&mut self, rect: Rect, terrain: u8) {
        self.fill_with(rect, |_| Some(terrain));
    }

    /// Sets the cells of `rect` on the canvas for which `terrain` returns a value.
    fn fill_with(&mut self, rect: Rect, mut terrain: impl FnMut(Column) -> Option<u8>) {
        if let Some(rect) = intersection(rect, self.area) {
            for column in rect.columns() {
                if let (Some(index), Some(cell)) = (index(self.origin, column), terrain(column)) {
                    self.cells[index] = cell;
                }
            }
        }
    }
}

/// Draws the whole city of a recipe.
pub(crate) fn draw(recipe: &Recipe, grid: &mut CarvingGrid) -> Result<(), MakeError> {
    let city = City::with_sides(recipe.width, recipe.height, recipe.seed)?;
    for id in city.sectors() {
        let sector = city.sector(id);
        for (column, cell) in id.rect().columns().zip(sector.cells) {
            grid.put(column.x, column.y, cell);
        }
    }
    debug_assert_eq!(
        grid.at(0, 0),
        GROUND,
        "the first avenues cross at the origin"
    );
    Ok(())
}

#[cfg(test)]
mod tests;
