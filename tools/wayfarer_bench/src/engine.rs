//! The interface of a measured path finder: takes a map, answers queries.

use serde::Serialize;
use thiserror::Error;
use wayfarer_engine::base::{Cell, Column, GroundEdit, Raster};

/// How an engine's paths run over the cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MovementRule {
    /// Eight directions, a diagonal only where both cardinal cells are open: the
    /// benchmark's rule.
    Benchmark,
    /// Eight directions, diagonals past and between closed cells too.
    CutsCorners,
    /// Straight lines at any angle between points; the agent has no width.
    AnyAngle,
}

/// What an engine is and what it promises.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineInfo {
    /// Its name in tables, lower case.
    pub name: String,
    /// How its paths run.
    pub rule: MovementRule,
    /// Its paths are at most this times the optimum of its rule; 1 for exact, `None` without
    /// a bound. A result beyond it is wrong.
    pub bound: Option<f64>,
}

/// Where an engine writes its path: cells, or the corners of a line at any angle.
///
/// Both ends are included. Under [`MovementRule::AnyAngle`] only `points` are read, else only `cells`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PathBuffer {
    /// Cells from start to goal, each next to the one before; at height 0 on flat maps.
    ///
    /// An engine may swap its own list for this one, so that nothing is copied.
    pub cells: Vec<Cell>,
    /// Points from start to goal in cells; the center of cell (0, 0) is (0.5, 0.5).
    pub points: Vec<(f64, f64)>,
}

impl PathBuffer {
    /// Forgets the path, keeps the room.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.points.clear();
    }
}

/// The result of a query.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EngineResult {
    /// Whether there is a path.
    pub found: bool,
    /// The path's length in cells as the engine states it, if it does; checked against the path.
    pub length: Option<f64>,
    /// Nodes expanded, if the engine reports it.
    pub expansions: Option<u64>,
}

/// Why an engine cannot take a map.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The map is beyond the engine's limits.
    #[error("{engine} cannot take this map: {reason}")]
    Map {
        /// The engine's name.
        engine: String,
        /// The engine's reason.
        reason: String,
    },
}

/// A path finder that can be measured.
pub trait Engine {
    /// What it is.
    fn about(&self) -> EngineInfo;

    /// Takes a map and makes ready for queries; forgets any map before. What is done here is the
    /// engine's preprocessing and timed as such.
    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError>;

    /// Finds a path and writes it, whole, into `path`, which comes empty.
    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult;

    /// A proven lower bound of the last optimum, in cells; `None` without one. A bound above the
    /// optimum is wrong.
    fn cost_lower_bound(&self) -> Option<f64> {
        None
    }

    /// Empties the cache. Returns true if the engine has one: it is then warmed up by other queries
    /// than those timed. Scratch need not be dropped.
    fn clear_cache(&mut self) -> bool {
        false
    }

    /// Bytes of the cache; `None` without one.
    fn cache_bytes(&self) -> Option<usize> {
        None
    }

    /// Applies a changed map of which only `changed` cells differ from the previous one. Returns
    /// false if it cannot; the caller then prepares it again.
    fn edit(&mut self, map: &Raster, changed: &[Column]) -> bool {
        let _ = (map, changed);
        false
    }

    /// Applies edits to its map, all or nothing. Returns false if it cannot; the caller then
    /// prepares it again.
    fn apply(&mut self, edits: &[GroundEdit]) -> bool {
        let _ = edits;
        false
    }
}
