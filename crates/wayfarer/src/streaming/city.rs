//! A made city as a source of tiles.

use wayfarer_engine::base::{Column, SectorId, Terrain};
use wayfarer_engine::make::City;

use super::StreamError;
use super::source::{TileDraft, TileSource};

/// A city of avenues, streets, alleys, houses with courtyards, and parks, drawn from a seed. All of its
/// open ground is connected, for agents of a cell's width; it covers the cells from 0 to its side.
#[derive(Clone, Debug)]
pub struct CitySource(City);

impl CitySource {
    /// A city of `side` cells along both axes, 1 to 1,048,576.
    ///
    /// # Errors
    /// The side is out of range.
    pub fn new(side: u32, seed: u64) -> Result<Self, StreamError> {
        let city = City::new(side, seed).map_err(|error| StreamError::Layout {
            reason: error.to_string(),
        })?;
        Ok(Self(city))
    }

    /// The terrain of a cell, counted from the origin of the scale; `None` in houses and outside.
    pub fn terrain(&self, cell: (i32, i32)) -> Option<Terrain> {
        let column = Column::new(cell.0, cell.1);
        self.0.sector(SectorId::from_column(column)).terrain(column)
    }
}

impl TileSource for CitySource {
    fn draw(&self, draft: &mut TileDraft) {
        let ((x, y), (width, height)) = (draft.first_cell(), draft.n_cells());
        let last = Column::new(x + width.cast_signed() - 1, y + height.cast_signed() - 1);
        let low = SectorId::from_column(Column::new(x, y));
        let high = SectorId::from_column(last);
        for j in low.y..=high.y {
            for i in low.x..=high.x {
                let sector = self.0.sector(SectorId::new(i, j));
                let origin = sector.id().origin();
                for y in origin.y..origin.y + SectorId::SIDE {
                    let columns = origin.x..origin.x + SectorId::SIDE;
                    let row = columns.map(|x| sector.terrain(Column::new(x, y)));
                    draft.set_row((origin.x, y), row);
                }
            }
        }
    }
}
