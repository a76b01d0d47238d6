//! The engine of crate `wayfarer`: ground, air, obstacles and bodies of one world under one
//! revision, edited in atomic batches and queried in cells, voxels and points.
//!
//! The facade `wayfarer` converts world units to these types and back; games use the facade.
//! [`World`] combines the domains of `wayfarer_world`, [`World::apply`] edits them all or not at
//! all, [`World::find_path`] chooses among the searches of `wayfarer_search`. The crates below are
//! re-exported as [`base`], [`crowd`], [`formats`], [`make`], [`world`] and [`search`].

pub use wayfarer_base as base;
pub use wayfarer_crowd as crowd;
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
    BodyEdit, BodyRoles, ChangeCursor, Command, CommandError, CommandResult, Edit, EditError,
    GroundOptions, LoadError, MULTIMODAL_BOUND, ModeTransition, ObservedSearch, ObstacleDifference,
    ObstacleEdit, Path, PathExposure, PathLeg, PathRequest, PathResult, PathSession, Searcher,
    SearcherPool, SessionMethod, Solid, Viewer, World, WorldCanonical, WorldChanges,
    WorldFileError, WorldVisibility,
};
pub use scale::{Position, Scale, ScaleError};
