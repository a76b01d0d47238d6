//! A* and Dijkstra over the dense raster: one byte of moves per cell, no sectors.

use wayfarer_engine::base::{Column, Cost, GroundEdit, Outcome, Raster};
use wayfarer_engine::search::dense::{
    DenseMethod, DensePath, DenseQueue, DenseRequest, DenseSearcher, find_path,
};
use wayfarer_engine::world::dense::DenseGround;

use super::edit_of;
use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};

/// A search over the dense raster.
#[derive(Clone, Debug)]
pub struct Dense {
    name: &'static str,
    method: DenseMethod,
    queue: DenseQueue,
    ground: Option<DenseGround>,
    searcher: DenseSearcher,
}

impl Dense {
    /// A* with a bucket queue, `grid-astar`: the yardstick between machines.
    pub fn buckets() -> Self {
        Self::new("grid-astar", DenseMethod::AStar, DenseQueue::Buckets)
    }

    /// A* with a heap, `grid-astar-heap`.
    pub fn heap() -> Self {
        Self::new("grid-astar-heap", DenseMethod::AStar, DenseQueue::Heap)
    }

    /// Dijkstra with a bucket queue, `grid-dijkstra`.
    pub fn dijkstra() -> Self {
        Self::new("grid-dijkstra", DenseMethod::Dijkstra, DenseQueue::Buckets)
    }

    fn new(name: &'static str, method: DenseMethod, queue: DenseQueue) -> Self {
        Self {
            name,
            method,
            queue,
            ground: None,
            searcher: DenseSearcher::default(),
        }
    }
}

impl Engine for Dense {
    fn about(&self) -> EngineInfo {
        EngineInfo {
            name: self.name.to_owned(),
            rule: MovementRule::Benchmark,
            bound: Some(1.0),
        }
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.ground = None;
        self.searcher = DenseSearcher::default();
        let ground = DenseGround::from_raster(map.clone()).map_err(|error| EngineError::Map {
            engine: self.name.to_owned(),
            reason: error.to_string(),
        })?;
        self.ground = Some(ground);
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let Some(ground) = &self.ground else {
            return EngineResult::default();
        };
        let request = DenseRequest {
            method: self.method,
            queue: self.queue,
            ..DenseRequest::new(start.at(0), goal.at(0))
        };
        let outcome = find_path(ground, &mut self.searcher, &request);
        let expansions = Some(self.searcher.stats().expansions);
        let Ok(Outcome::Found(found)) = outcome else {
            return EngineResult {
                found: false,
                length: None,
                expansions,
            };
        };
        let length = found.cost.to_cells();
        let previous = std::mem::replace(&mut path.cells, found.cells);
        self.searcher.recycle(DensePath {
            cells: previous,
            cost: Cost::ZERO,
            expansions: 0,
        });
        EngineResult {
            found: true,
            length: Some(length),
            expansions,
        }
    }

    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let edits: Vec<GroundEdit> = changed.iter().map(|at| edit_of(map, *at)).collect();
        self.apply(&edits)
    }

    fn apply(&mut self, edits: &[GroundEdit]) -> bool {
        let ground = self.ground.as_mut();
        ground.is_some_and(|ground| ground.apply(edits))
    }
}

#[cfg(test)]
mod tests;
