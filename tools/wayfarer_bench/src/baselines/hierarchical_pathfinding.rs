//! Crate `hierarchical_pathfinding`: HPA* with cached paths through chunks of 16.
//!
//! A step costs what its cell costs, straight or diagonal, so its paths prefer diagonals; there is no
//! option against it. The neighborhood given here keeps the benchmark's corner rule. Single-threaded:
//! preprocessing takes longer, queries the same.

use std::sync::Arc;

use hierarchical_pathfinding::prelude::{Neighborhood, PathCache, PathCacheConfig};
use wayfarer_engine::base::{Column, Direction, Raster};

use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};
use crate::open_cells::OpenCells;

type Point = (usize, usize);

/// HPA* of the crate `hierarchical_pathfinding`.
#[derive(Debug, Default)]
pub struct HierarchicalPathfinding {
    cache: Option<PathCache<AroundCorners>>,
    open: Arc<OpenCells>,
}

/// Eight neighbors, diagonals only where both cardinal cells are open.
#[derive(Clone, Debug)]
struct AroundCorners {
    open: Arc<OpenCells>,
}

impl Neighborhood for AroundCorners {
    fn get_all_neighbors(&self, point: Point, target: &mut Vec<Point>) {
        let here = column(point);
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            let open = |x, y| self.open.is_open(Column::new(here.x + x, here.y + y));
            if open(dx, dy) && open(dx, 0) && open(0, dy) {
                target.extend(here.step(direction).map(point_of));
            }
        }
    }

    fn heuristic(&self, point: Point, goal: Point) -> usize {
        point.0.abs_diff(goal.0).max(point.1.abs_diff(goal.1))
    }
}

fn column(point: Point) -> Column {
    let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    Column::new(number(point.0), number(point.1))
}

fn point_of(cell: Column) -> Point {
    let number = |n: i32| usize::try_from(n).unwrap_or(usize::MAX);
    (number(cell.x), number(cell.y))
}

fn cost_multiplier(open: &OpenCells, point: Point) -> isize {
    if open.is_open(column(point)) { 1 } else { -1 }
}

impl Engine for HierarchicalPathfinding {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: "hierarchical_pathfinding".to_owned(),
            rule: MovementRule::Benchmark,
            bound: None,
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.cache = None;
        let open = Arc::new(OpenCells::of(map));
        self.cache = Some(PathCache::new(
            (map.width() as usize, map.height() as usize),
            |point| cost_multiplier(&open, point),
            AroundCorners {
                open: Arc::clone(&open),
            },
            PathCacheConfig::HIGH_PERFORMANCE,
        ));
        self.open = open;
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let Some(cache) = &self.cache else {
            return EngineResult::default();
        };
        if start == goal {
            path.cells.push(start.at(0));
            return EngineResult {
                found: true,
                ..EngineResult::default()
            };
        }
        let open = &*self.open;
        let found = cache.find_path(point_of(start), point_of(goal), |point| {
            cost_multiplier(open, point)
        });
        let Some(steps) = found else {
            return EngineResult::default();
        };
        path.cells.push(start.at(0));
        path.cells.extend(steps.map(|point| column(point).at(0)));
        EngineResult {
            found: true,
            ..EngineResult::default()
        }
    }
}
