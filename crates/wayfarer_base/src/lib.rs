//! Vocabulary types shared by every crate of wayfarer: coordinates, costs, edits, change sets,
//! search contracts.
//!
//! Part of `wayfarer`; use `wayfarer`. No I/O, clock, thread, unseeded randomness or
//! platform-dependent arithmetic: equal input gives equal bytes on every target. Conventions:
//!
//! * x grows east, y grows south, z grows up (left-handed); every coordinate may be negative.
//! * [`Cell`] and [`Voxel`] are integer grid coordinates, [`Point2`] is fixed point in 1/256 cell.
//! * [`Cost`] is an integer in 1/1463 cell and saturates; [`CostMultiplier`] counts sixteenths and is
//!   at least 1.
//! * Limits are checked where data enters; an error names the location and the expected range.

pub mod batch_digest;
pub mod budget;
pub mod cell;
pub mod change;
pub mod collections;
pub mod cost;
pub mod digest;
pub mod edit;
pub mod event;
pub mod explanation;
pub mod ground_solid;
pub mod heightmap;
pub mod id;
pub mod identity;
pub mod location;
pub mod math;
pub mod nav_link;
pub mod outcome;
pub mod point;
pub mod profile;
pub mod raster;
pub mod record;
pub mod rng;
pub mod scenario;
pub mod session;
pub mod shape;
pub mod status;
pub mod subscription;
pub mod terrain;
pub mod triangles;
pub mod voxel;
pub mod world_data;

pub use batch_digest::BatchDigest;
pub use budget::{Budget, SearchStats};
pub use cell::{Cell, Column, Direction, Rect, SectorId};
pub use change::{ChangeLog, ChangeSet, CostChange, Difference, DirtySector, Revision};
pub use cost::{Cost, CostMultiplier};
pub use digest::Digest;
pub use edit::{CostModifier, CostModifierId, FloorBlock, GroundEdit, NavLinkId};
pub use event::{NoopObserver, SearchEvent, SearchObserver};
pub use explanation::Explanation;
pub use ground_solid::{ColumnRun, GroundSolid, SolidExtent, SolidId};
pub use heightmap::Heightmap;
pub use id::Id;
pub use identity::Identity;
pub use location::Location;
pub use nav_link::{LinkDirection, LinkState, NavLink, NavLinkKind, Wall, WallSide};
pub use outcome::{Outcome, PartialReason, RequestError, UnreachableProof};
pub use point::{Aabb2, Fixed, Point2, Point3};
pub use profile::Profile;
pub use raster::Raster;
pub use rng::Rng;
pub use scenario::{EditTrace, Expected, Problem, TraceStep};
pub use session::{Progress, Session};
pub use shape::Shape;
pub use status::PathStatus;
pub use subscription::SubscriptionId;
pub use terrain::Terrain;
pub use triangles::TriangleSoup;
pub use voxel::{Voxel, VoxelSet};
pub use world_data::{ObstacleData, ObstacleSetData, ObstacleShapeData, WorldData};
