//! What most programs name, at most 25 names: `use wayfarer::prelude::*;`.

pub use crate::{
    AgentKind, FieldEdit, KindId, ObjectEdit, Path, PathLeg, Position, Request, Scale, Searcher,
    SearcherPool, Watcher, World, WorldChanges, WorldEdit,
};
pub use wayfarer_base::{
    Budget, Cell, Cost, CostMultiplier, GroundEdit, Outcome, PathStatus, Profile, Terrain,
};
pub use wayfarer_search::mixed::FlightProfile;

#[cfg(test)]
mod tests;
