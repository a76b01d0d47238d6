//! A world without heights as flat ground, ready to be searched.

use std::path::Path;

use wayfarer::base::{Cell, Column, Profile, Raster, Rect, WorldPlan};
use wayfarer::world::dense::DenseGround;

use crate::failure::Failure;
use crate::load::Loaded;
use crate::place::PlaceWish;

/// Flat ground; its column (0, 0) is `origin` of the world, its height 0 is `z`.
pub(crate) struct FlatGround {
    pub(crate) ground: DenseGround,
    origin: Column,
    z: i32,
}

impl FlatGround {
    /// The ground of a world that is flat: one height, no passages, no thin walls.
    pub(crate) fn of(world: Loaded, path: &Path) -> Result<Self, Failure> {
        let (raster, origin, z) = match world {
            Loaded::Flat(map) => (map, Column::default(), 0),
            Loaded::Plan(plan) => flatten(&plan).map_err(|why| Failure::of_file(path, why))?,
            Loaded::Voxels(_) => {
                let why = "there is no ground to walk on in this file";
                return Err(Failure::of_file(path, why));
            }
            Loaded::Mesh(_) => {
                let why = "flat methods cannot walk on meshes";
                return Err(Failure::of_file(path, why));
            }
            Loaded::Heights(_) => {
                let why = "flat methods cannot walk between heights";
                return Err(Failure::of_file(path, why));
            }
        };
        let ground =
            DenseGround::from_raster(raster).map_err(|error| Failure::of_file(path, error))?;
        Ok(Self { ground, origin, z })
    }

    /// The cell of the ground at a place of the world; far outside stays outside.
    pub(crate) fn cell(&self, wish: PlaceWish) -> Cell {
        let z = wish.z.unwrap_or(self.z);
        Cell::new(
            wish.x.saturating_sub(self.origin.x),
            wish.y.saturating_sub(self.origin.y),
            z.saturating_sub(self.z),
        )
    }

    /// The place in the world of a cell of the ground.
    pub(crate) fn place(&self, cell: Cell) -> Cell {
        Cell::new(
            cell.x.saturating_add(self.origin.x),
            cell.y.saturating_add(self.origin.y),
            cell.z.saturating_add(self.z),
        )
    }
}

fn flatten(plan: &WorldPlan) -> Result<(Raster, Column, i32), &'static str> {
    let z = plan.cells.first().map_or(0, |(cell, _)| cell.z);
    if plan.cells.iter().any(|(cell, _)| cell.z != z) {
        return Err("flat methods cannot walk between heights");
    }
    if !plan.passages.is_empty() || !plan.walls.is_empty() {
        return Err("flat methods know neither passages nor thin walls");
    }
    let walker = Profile::WALKER;
    if plan.profile.terrains != walker.terrains || plan.profile.prices != walker.prices {
        return Err("flat methods know only the walker of the benchmarks");
    }
    if plan.profile.radius > walker.radius {
        return Err("flat methods know only bodies no wider than a cell");
    }
    let columns = plan.cells.iter().map(|(cell, _)| cell.column());
    let bounds = columns.fold(Rect::EMPTY, Rect::including);
    let Some(mut raster) = Raster::new(bounds.width(), bounds.height()) else {
        return Err("the world is too wide for a flat map");
    };
    for (cell, terrain) in &plan.cells {
        raster.set(cell.x - bounds.low.x, cell.y - bounds.low.y, Some(*terrain));
    }
    Ok((raster, bounds.low, z))
}
