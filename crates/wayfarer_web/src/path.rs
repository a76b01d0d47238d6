//! A path, or why there is none.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::prelude::*;
use wayfarer::{PartialReason, Traversal};

use crate::convert::{count, numbers};

/// A path as arrays.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, Default)]
pub struct PathArrays {
    /// True if there is a path, perhaps a partial one.
    pub is_found: bool,
    /// Why there is none, or why it ends short of the goal; else empty.
    pub message: String,
    /// Three numbers per waypoint.
    pub waypoints: Vec<f64>,
    /// Per waypoint how the agent gets to the next: 0 walk, 1 nav link, 2 take off, 3 fly, 4 land.
    pub traversal: Vec<u8>,
    /// Three numbers per cell.
    pub cells: Vec<f64>,
    /// Cost as a length in meters.
    pub cost: f64,
    /// Length in meters.
    pub length: f64,
    /// Proven bound on the cost relative to the optimum; 0 without one.
    pub bound: f64,
    /// Nodes expanded.
    pub expansions: f64,
}

impl PathArrays {
    /// A path of the library.
    pub(crate) fn new(found: &Result<Path, NoPath>) -> Self {
        match found {
            Ok(path) => Self::found(path),
            Err(error) => Self {
                message: error.to_string(),
                ..Self::default()
            },
        }
    }

    fn found(path: &Path) -> Self {
        let traversal = path.traversal().iter().map(|waypoint| match waypoint.next {
            Traversal::NavLink => 1,
            Traversal::TakeOff => 2,
            Traversal::Fly => 3,
            Traversal::Land => 4,
            _ => 0,
        });
        let message = match path.partial() {
            None => "",
            Some(PartialReason::GoalBlocked) => "the goal is blocked: as near as possible",
            Some(PartialReason::Unreachable) => "the goal is unreachable: as near as possible",
            Some(PartialReason::OutOfBudget) => "the budget ran out: as far as found",
        };
        Self {
            is_found: true,
            message: message.to_owned(),
            waypoints: numbers(path.waypoints()),
            traversal: traversal.collect(),
            cells: numbers(path.cells().iter().copied()),
            cost: path.cost(),
            length: path.length(),
            bound: path.bound().unwrap_or(0.0),
            expansions: count(path.expansions()),
        }
    }
}
