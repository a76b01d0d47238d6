//! What most programs name, at most 25 names: `use wayfarer_engine::prelude::*;`.

pub use crate::{
    AgentType, AgentTypeId, BodyEdit, Edit, ObstacleEdit, Path, PathLeg, PathRequest, Position,
    Scale, Searcher, SearcherPool, Viewer, World, WorldChanges,
};
pub use wayfarer_base::{
    Budget, Cell, Cost, CostMultiplier, GroundEdit, Outcome, PathStatus, Profile, Terrain,
};
pub use wayfarer_search::multimodal::FlightProfile;

#[cfg(test)]
mod tests;
