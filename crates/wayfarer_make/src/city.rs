//! A city of any size, made block by block as one walks into it: avenues, streets, alleys,
//! houses with courtyards, parks with ponds.
//!
//! Nothing is kept: what a sector holds follows from the city's seed and size alone, so that a
//! city of a million cells a side costs nothing until somebody looks, and it does not matter who
//! looks where first. Every open cell can be reached from every other.

use wayfarer_base::{Cell, Column, Raster, Rect, SectorId, Terrain};

use crate::carving_grid::{Board, GROUND, ROCK};
use crate::{Generator, MakeError, Recipe};

mod block;
mod lot;
mod streets;

use streets::Streets;

/// A city that is made sector by sector.
///
/// ```
/// use wayfarer_base::SectorId;
/// use wayfarer_make::City;
/// let city = City::new(1 << 20, 7)?; // a million cells a side
/// let far = city.sector(SectorId::new(40_000, 61_000));
/// assert_eq!(far, city.sector(SectorId::new(40_000, 61_000)));
/// assert!(city.sector(SectorId::new(-1, 0)).is_empty()); // the city ends here
/// # Ok::<(), wayfarer_make::MakeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct City {
    rect: Rect,
    seed: u64,
}

impl City {
    /// Longest side of a city, in cells: 2^20.
    pub const MAX_SIDE: u32 = 1 << 20;

    /// A square city with sides of `size` cells, 1 to [`City::MAX_SIDE`], from column (0, 0) on.
    ///
    /// # Errors
    /// A size outside the limits.
    pub fn new(size: u32, seed: u64) -> Result<Self, MakeError> {
        Self::with_sides(size, size, seed)
    }

    /// A city of `width` times `height` cells, each 1 to [`City::MAX_SIDE`].
    ///
    /// # Errors
    /// A side outside the limits.
    pub fn with_sides(width: u32, height: u32, seed: u64) -> Result<Self, MakeError> {
        let kind = Generator::City;
        if width == 0 || height == 0 {
            return Err(MakeError::TooSmall {
                kind,
                width,
                height,
                least: 1,
            });
        }
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return Err(MakeError::TooLong {
                kind,
                width,
                height,
                most: Self::MAX_SIDE,
            });
        }
        let high = Column::new(width.cast_signed() - 1, height.cast_signed() - 1);
        Ok(Self {
            rect: Rect::around(Column::new(0, 0), high),
            seed,
        })
    }

    /// The columns it covers.
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// What a sector holds; nothing outside the city. Depends on nothing but the city and `id`.
    pub fn sector(&self, id: SectorId) -> SectorCells {
        let mut cells = [ROCK; SectorCells::COUNT];
        if let Some(area) = overlap(sector_rect(id), self.rect) {
            let mut canvas = Canvas {
                area,
                origin: id.origin(),
                cells: &mut cells,
            };
            Streets::new(self).draw(area, &mut canvas);
        }
        SectorCells { id, cells }
    }

    /// The sectors that hold some of the city, row by row.
    pub fn sectors(&self) -> impl Iterator<Item = SectorId> + use<> {
        let last = SectorId::from_column(self.rect.high);
        (0..=last.y).flat_map(move |y| (0..=last.x).map(move |x| SectorId::new(x, y)))
    }
}

/// What one sector of a city holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectorCells {
    id: SectorId,
    /// Row by row; a terrain's number or `ROCK`.
    cells: [u8; Self::COUNT],
}

impl SectorCells {
    /// Columns of a sector.
    pub const COUNT: usize = 256;

    /// Which sector.
    pub const fn id(&self) -> SectorId {
        self.id
    }

    /// The terrain at `column`; `None` for nothing there and for outside the sector.
    pub fn terrain(&self, column: Column) -> Option<Terrain> {
        Terrain::new(self.cells[index(self.id.origin(), column)?])
    }

    /// True if there is nothing to stand on.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(|&cell| cell == ROCK)
    }

    /// The cells with something to stand on, at height 0, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Terrain)> {
        let columns = sector_rect(self.id).columns();
        columns
            .zip(self.cells)
            .filter_map(|(column, cell)| Some((column.at(0), Terrain::new(cell)?)))
    }

    /// The sector as a small map, as an edit that overwrites a rectangle takes it.
    pub fn to_raster(&self) -> Raster {
        let side = SectorId::SIDE.cast_unsigned();
        Raster::from_bytes(side, side, self.cells.to_vec())
            .expect("16 x 16 cells, terrains and nothing only")
    }
}

fn sector_rect(id: SectorId) -> Rect {
    // Outside any city the corners may lie beyond the numbers.
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

/// The columns that two rectangles share, if any.
fn overlap(a: Rect, b: Rect) -> Option<Rect> {
    let both = Rect {
        low: Column::new(a.low.x.max(b.low.x), a.low.y.max(b.low.y)),
        high: Column::new(a.high.x.min(b.high.x), a.high.y.min(b.high.y)),
    };
    (!both.is_empty()).then_some(both)
}

/// The part of a sector that lies in the city, to draw on.
struct Canvas<'a> {
    area: Rect,
    origin: Column,
    cells: &'a mut [u8; SectorCells::COUNT],
}

impl Canvas<'_> {
    /// Writes the cells of `rect` that lie on the canvas.
    fn fill(&mut self, rect: Rect, what: u8) {
        self.each(rect, |_| Some(what));
    }

    /// Writes what `choose` says to the cells of `rect` that lie on the canvas.
    fn each(&mut self, rect: Rect, mut choose: impl FnMut(Column) -> Option<u8>) {
        if let Some(rect) = overlap(rect, self.area) {
            for column in rect.columns() {
                if let (Some(index), Some(what)) = (index(self.origin, column), choose(column)) {
                    self.cells[index] = what;
                }
            }
        }
    }
}

/// Draws the whole city of a recipe.
pub(crate) fn draw(recipe: &Recipe, board: &mut Board) -> Result<(), MakeError> {
    let city = City::with_sides(recipe.width, recipe.height, recipe.seed)?;
    for id in city.sectors() {
        let sector = city.sector(id);
        for (column, what) in id.rect().columns().zip(sector.cells) {
            board.put(column.x, column.y, what);
        }
    }
    debug_assert_eq!(board.at(0, 0), GROUND, "the first avenues cross there");
    Ok(())
}

#[cfg(test)]
mod tests;
