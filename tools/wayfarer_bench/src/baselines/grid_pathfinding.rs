//! Crate `grid_pathfinding`: jump point search over a grid, with components.
//!
//! It cuts corners and passes between cells that touch at a corner; there is no option against it.
//! Some of its paths are longer than optimal under that rule, so no bound is asserted.

use grid_pathfinding::PathingGrid;
use grid_util::grid::{BoolGrid, ValueGrid};
use grid_util::point::Point;
use wayfarer_engine::base::{Column, Raster};

use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};

/// Jump point search of the crate `grid_pathfinding`.
#[derive(Debug, Default)]
pub struct GridPathfinding {
    grid: Option<PathingGrid>,
}

impl Engine for GridPathfinding {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: "grid_pathfinding".to_owned(),
            rule: MovementRule::CutsCorners,
            bound: None,
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        let (width, height) = (map.width() as usize, map.height() as usize);
        let mut blocked = BoolGrid::new(width, height, true);
        for cell in map.rect().columns() {
            blocked.set(cell.x, cell.y, !map.is_walkable(cell.x, cell.y));
        }
        let mut grid = PathingGrid::new(width, height, true);
        // As its own benchmarks have it: faster, and fewer paths come out too long.
        grid.improved_pruning = false;
        grid.grid = blocked;
        grid.initialize();
        grid.generate_components();
        self.grid = Some(grid);
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let point = |cell: Column| Point::new(cell.x, cell.y);
        let found = self
            .grid
            .as_ref()
            .and_then(|grid| grid.get_path_single_goal(point(start), point(goal), false));
        let Some(points) = found else {
            return EngineResult::default();
        };
        let cells = points
            .iter()
            .map(|point| Column::new(point.x, point.y).at(0));
        path.cells.extend(cells);
        EngineResult {
            found: true,
            length: None,
            expansions: None,
        }
    }

    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let Some(grid) = &mut self.grid else {
            return false;
        };
        for cell in changed {
            grid.set(cell.x, cell.y, !map.is_walkable(cell.x, cell.y));
        }
        grid.update();
        true
    }
}
