//! Navigation in game worlds that change.
//!
//! The layers below are re-exported under short names; what most programs need is in the facade
//! itself.

pub use wayfarer_base as base;
pub use wayfarer_formats as formats;
pub use wayfarer_make as make;
pub use wayfarer_search as search;
pub use wayfarer_world as world;

mod facade;
pub mod golden;
pub mod picture;
pub mod prelude;
mod scale;

pub use facade::{
    AgentKind, Answer, AttachError, ChangeCursor, FieldDifference, FieldEdit, KindId, LoadError,
    ObjectDifference, ObjectEdit, Path, PathLeg, PerchDifference, Request, Searcher, SearcherPool,
    SeenPath, Transfer, Watcher, World, WorldCanonical, WorldChanges, WorldEdit, WorldEditError,
    WorldFileError, WorldSight,
};
pub use scale::{Position, Scale, ScaleError};

/// The example of README.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
