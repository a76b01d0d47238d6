//! Navigation in game worlds that change.
//!
//! A [`World`] is made of ground, field, objects and air, as many of them as a game has. One batch
//! of edits changes all of it or nothing; one request in world units asks the way, whoever goes.
//!
//! | question | example |
//! |---|---|
//! | How do I get there? | [`find_a_path`](../examples/find_a_path.rs) |
//! | Does my path still hold when a door closes? | [`a_door_closes`](../examples/a_door_closes.rs) |
//! | What becomes of everybody if the bridge falls? | [`a_bridge_collapses`](../examples/a_bridge_collapses.rs) |
//! | Do I fit through the gate? | [`a_wide_agent`](../examples/a_wide_agent.rs) |
//! | Who sees whom? | [`sensors_on_a_battlefield`](../examples/sensors_on_a_battlefield.rs) |
//! | How do I fly there? | [`a_flight_through_asteroids`](../examples/a_flight_through_asteroids.rs) |
//! | Should I walk or fly? | [`a_walker_that_flies`](../examples/a_walker_that_flies.rs) |
//! | How do I get through a crowd? | [`a_moving_crowd`](../examples/a_moving_crowd.rs) |
//! | How do I save a game? | [`save_and_load`](../examples/save_and_load.rs) |
//! | What does a search do, step by step? | [`a_search_in_slices`](../examples/a_search_in_slices.rs) |
//!
//! What most programs name is in the [`prelude`]; the layers below are re-exported under short
//! names, with everything that one part of a world can be asked besides.

pub use wayfarer_base as base;
pub use wayfarer_formats as formats;
pub use wayfarer_make as make;
pub use wayfarer_search as search;
pub use wayfarer_world as world;

mod facade;
pub mod picture;
pub mod prelude;
mod scale;

pub use facade::{
    AgentType, AgentTypeError, AgentTypeId, AirLinkDifference, AttachError, BodyDifference,
    BodyEdit, ChangeCursor, Edit, EditError, LoadError, ModeTransition, ObstacleDifference,
    ObstacleEdit, Path, PathExposure, PathLeg, PathRequest, PathResult, Searcher, SearcherPool,
    Viewer, World, WorldCanonical, WorldChanges, WorldFileError, WorldVisibility,
};
pub use scale::{Position, Scale, ScaleError};

/// The example of README.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
