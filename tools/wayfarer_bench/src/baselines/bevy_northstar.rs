//! Crate `bevy_northstar`: HPA* over chunks of 16 cells with path smoothing.
//!
//! It cuts corners: its filter does not apply between chunks and makes it miss existing paths.
//! Single-threaded here: preprocessing takes longer, queries the same.

use bevy_math::UVec3;
use bevy_northstar::prelude::{GridSettingsBuilder, Nav, OrdinalGrid, PathfindArgs};
use wayfarer_engine::base::{Cell, Column, Raster};

use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};

/// Cells along the side of a chunk.
const CHUNK: u32 = 16;

/// HPA* of the crate `bevy_northstar`, in its usual mode.
#[derive(Default)]
pub struct BevyNorthstar {
    grid: Option<OrdinalGrid>,
}

fn position(cell: Column) -> UVec3 {
    let number = |n: i32| u32::try_from(n).unwrap_or(u32::MAX);
    UVec3::new(number(cell.x), number(cell.y), 0)
}

fn cell(position: UVec3) -> Cell {
    let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    Column::new(number(position.x), number(position.y)).at(0)
}

fn nav(map: &Raster, at: Column) -> Nav {
    if map.is_walkable(at.x, at.y) {
        Nav::Passable(1)
    } else {
        Nav::Impassable
    }
}

impl Engine for BevyNorthstar {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: "bevy_northstar".to_owned(),
            rule: MovementRule::CutsCorners,
            bound: None,
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.grid = None;
        let settings = GridSettingsBuilder::new_2d(map.width(), map.height())
            .chunk_size(CHUNK)
            .enable_diagonal_connections()
            .default_impassable()
            .build();
        let mut grid = OrdinalGrid::new(&settings);
        for at in map.rect().columns() {
            grid.set_nav(position(at), nav(map, at));
        }
        grid.build();
        self.grid = Some(grid);
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let mut query = PathfindArgs::new(position(start), position(goal));
        let found = self.grid.as_ref().and_then(|grid| {
            // It has no result for an isolated start.
            (start != goal).then(|| grid.pathfind(&mut query))
        });
        match found {
            Some(Some(found_path)) => {
                let steps = found_path.path().iter().map(|&at| cell(at));
                // Its paths begin with the first step.
                path.cells.push(start.at(0));
                path.cells.extend(steps.skip_while(|at| *at == start.at(0)));
            }
            None if start == goal => path.cells.push(start.at(0)),
            _ => return EngineResult::default(),
        }
        EngineResult {
            found: true,
            ..EngineResult::default()
        }
    }

    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let Some(grid) = &mut self.grid else {
            return false;
        };
        for &at in changed {
            grid.set_nav(position(at), nav(map, at));
        }
        grid.build();
        true
    }
}
