//! The words that every other part of wayfarer shares: cells, costs, revisions, contracts.
//!
//! Part of `wayfarer`; use `wayfarer`. Nothing here reads a file or a clock, starts a thread or
//! depends on chance: the same input gives the same bytes on every machine.

pub mod budget;
pub mod cell;
pub mod change;
pub mod collections;
pub mod cost;
pub mod dice;
pub mod digest;
pub mod edit;
pub mod event;
pub mod explain;
pub mod heightmap;
pub mod id;
pub mod math;
pub mod outcome;
pub mod passage;
pub mod place;
pub mod plan;
pub mod point;
pub mod profile;
pub mod raster;
pub mod record;
pub mod scenario;
pub mod session;
pub mod shape;
pub mod status;
pub mod terrain;
pub mod triangles;
pub mod voxel;
pub mod watch;

pub use budget::{Budget, SearchStats};
pub use cell::{Cell, Column, Direction, Rect, SectorId};
pub use change::{ChangeLog, ChangeSet, CostChange, Difference, DirtySector, Revision};
pub use cost::{Cost, CostMultiplier};
pub use dice::Rng;
pub use digest::Digest;
pub use edit::{CostModifier, CostModifierId, GroundEdit, NavLinkId};
pub use event::{NoopObserver, SearchEvent, SearchObserver};
pub use explain::Explanation;
pub use heightmap::Heightmap;
pub use id::Id;
pub use outcome::{Outcome, PartialReason, RequestError, UnreachableProof};
pub use passage::{LinkDirection, LinkState, NavLink, NavLinkKind, Wall, WallSide};
pub use place::Location;
pub use plan::{ObstacleData, ObstacleSetData, ObstacleShapeData, WorldData};
pub use point::{Aabb2, Fixed, Point2, Point3};
pub use profile::Profile;
pub use raster::Raster;
pub use scenario::{EditTrace, Expected, Problem, TraceStep};
pub use session::{Progress, Session};
pub use shape::Shape;
pub use status::PathStatus;
pub use terrain::Terrain;
pub use triangles::TriangleSoup;
pub use voxel::{Voxel, VoxelSet};
pub use watch::{SpatialKey, SubscriptionId};
