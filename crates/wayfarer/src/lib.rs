//! Deterministic navigation for game worlds that change.
//!
//! A [`World`] combines walkable ground on a sparse multi-floor grid, free air in a sparse voxel
//! octree, and bodies that move, are seen and are avoided, all in world units. One batch of edits
//! changes it atomically; one request finds a path on foot, in flight, or both.
//!
//! # Features
//!
//! * **Ground paths**: A\* over lazily cached jump points with a proven suboptimality bound
//!   (default) or optimal, block tables where costs differ, block-based jump point search, A\*,
//!   Dijkstra, Lazy Theta\*, hierarchical cluster search for long distances.
//! * **Flight**: A\* over a sparse voxel octree, string pulling, agents with a radius.
//! * **Planar paths**: lazy tangent graph around bodies that move.
//! * **Multimodal paths**: walk, take off, fly, land.
//! * **Dynamic worlds**: local repair after an edit; path status, path repair and path
//!   subscriptions without a search; change sets with inverses; solids placed and removed by id.
//! * **Agent types**: radius, headroom, step height, drop height, terrain costs, keys.
//! * **Planning**: a queue of requests under a budget per tick, followers, flow fields, reachable
//!   sets, and an explanation of what blocks an unreachable goal.
//! * **Crowds**: agents that follow paths, avoid each other reciprocally and never enter a wall.
//! * **Visibility**: symmetric line of sight, sensors with enter and leave events, paths that
//!   minimize exposure.
//! * **Determinism**: integer costs, documented tie rules, equal results on every platform and for
//!   any number of threads.
//!
//! # Example
//!
//! ```
//! use wayfarer::prelude::*;
//!
//! let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n....@....\n.........\n";
//! let mut world = World::import("yard.map", map, Scale::meters(1.0))?;
//! let mut searcher = Searcher::default();
//! let request = PathRequest::new(Position::new(2.5, 0.5, 0.0), Position::new(6.5, 0.5, 0.0));
//! let path = world.find_path(&mut searcher, &request)?;
//! assert_eq!(path.waypoints().count(), 2);
//!
//! // A wall goes up across the path, and is torn down again.
//! let wall = Solid::cuboid(Position::new(4.0, 0.0, 0.0), Position::new(5.0, 1.0, 3.0));
//! let (wall, _) = world.add_solid(wall)?;
//! assert!(matches!(world.status(&path), PathStatus::Invalid { .. }));
//! let repaired = world.repair(&mut searcher, &request, &path)?;
//! assert!(repaired.cost() > path.cost());
//! world.remove_solid(wall)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cargo features
//!
//! * `images`: flat maps and height maps from PNG in [`World::import`].
//! * `meshes`: ground and air from OBJ and glTF meshes.
//! * `tilemaps`: ground from tile maps of Tiled and LDtk.
//!
//! # Where to go next
//!
//! | task | items | example |
//! |---|---|---|
//! | find a path | [`World::find_path`], [`PathRequest`] | `find_a_path` |
//! | change the world | [`World::apply`], [`Edit`], [`World::add_solid`], [`WorldChanges`] | `a_wall_goes_up` |
//! | keep paths valid | [`World::status`], [`World::repair`], [`World::subscribe`] | `a_bridge_collapses` |
//! | ask before building | [`World::would_disconnect`] | `may_i_build_here` |
//! | agents that differ | [`World::add_agent_type`], [`AgentType`] | `a_one_way_drop` |
//! | ladders, doors, jumps | [`NavLink`], [`World::add_link`], [`Follower`] | `a_ladder` |
//! | doors and keys | [`LinkState`], [`AgentType::keys`] | `a_locked_door` |
//! | fly | [`World::add_air`], [`AgentType::FLIGHT`] | `a_flight_through_asteroids` |
//! | walk and fly | [`AgentType::GROUND_AND_FLIGHT`], [`World::add_air_link`] | `a_walker_that_flies` |
//! | many agents | [`Planner`], [`Follower`] | `a_thousand_requests` |
//! | agents that avoid each other | [`Crowd`], [`CrowdAgent`] | `a_crowd_through_a_gate` |
//! | many agents, one goal | [`World::flow_field`], [`FlowField`] | `forty_units_to_one_place` |
//! | goals that are not points | [`Goal`], [`PartialPolicy`], [`PathRequest::previous`] | `goals_that_are_not_points` |
//! | avoid moving bodies | [`World::add_body`], [`PathRequest::avoid_bodies`] | `a_moving_crowd` |
//! | visibility | [`World::has_line_of_sight`], [`World::update_sensors`] | `sensors_on_a_battlefield` |
//! | stay unseen | [`PathRequest::viewers`], [`World::path_exposure`] | `a_thief_keeps_out_of_sight` |
//! | look inside, step by step | [`World::inspect`], [`inspect`] | |
//! | steady ticks | [`TickBudget`], [`TickReport`], [`Planner::prepare`] | `skirmish` |
//! | explain a missing path | [`World::explain`] | `why_not` |
//! | save and load | [`World::save`], [`World::load`], [`Planner::save`] | `save_and_load` |
//! | worlds larger than memory | [`streaming`] | `a_city_larger_than_memory` |
//! | other threads | [`World::replica`], [`SearcherPool`] | `a_background_thread` |
//! | other processes | [`WorldChanges::save`], [`Replica::sync_saved`], [`World::hash`] | |
//!
//! The [`prelude`] re-exports what most programs name.

#[doc(hidden)]
pub use wayfarer_engine as engine;

mod agent_type;
mod baked;
mod body;
mod changes;
mod crowd;
mod edit;
mod explanation;
mod facade;
mod flow_field;
mod follower;
mod footprint;
mod goal;
pub mod inspect;
mod jumps;
mod path;
mod picture;
mod planner;
mod replica;
mod request;
mod searcher;
mod sensor;
mod session;
mod snapshot;
pub mod streaming;
mod tick_budget;
mod units;

pub use crate::agent_type::{AgentType, AgentTypeError, AgentTypeId, Movement, TerrainSet};
pub use crate::baked::{
    BakeError, BakeOptions, CenterPlacement, Corridor, RefinementError, RefinementParams,
    Smoothing, Trim,
};
pub use crate::body::{
    Body, BodyError, BodyFilter, BodyId, BodyShape, Categories, SensorId, Teams,
};
pub use crate::changes::{ChangeCursor, Lagged, WorldChanges};
pub use crate::crowd::{
    Crowd, CrowdAgent, CrowdAgentId, CrowdAgentState, CrowdError, CrowdEvent, CrowdOptions,
    Formation,
};
pub use crate::edit::{
    AirLink, AirLinkId, CostArea, CostAreaId, Edit, EditError, LinkId, NavLink, Solid, SolidId,
    ThinWall,
};
pub use crate::explanation::{BlockedStep, Explanation, UnblockOption};
pub use crate::facade::{ImportError, ReachablePlace, World};
pub use crate::flow_field::{Extent, FlowField, FlowUpdate};
pub use crate::follower::{Follower, LinkAhead, PathStep};
pub use crate::footprint::Footprint;
pub use crate::goal::{Area, AreaShape, Goal};
pub use crate::jumps::JumpLimits;
pub use crate::path::{Path, PathStatus, PathSubscription, Traversal, Waypoint};
pub use crate::planner::{
    Planner, PlannerEvent, PlannerLoadError, PlannerOptions, PlannerStats, RequestId,
};
pub use crate::replica::{Replica, SyncError};
pub use crate::request::{
    Method, NoPath, PartialPolicy, PartialReason, PathRequest, RequestError, StartPolicy,
};
pub use crate::searcher::{Searcher, SearcherPool};
pub use crate::sensor::{Mount, PathExposure, Sensor, SensorEvent, Viewer};
pub use crate::session::PathSession;
pub use crate::snapshot::LoadError;
pub use crate::tick_budget::{TickBudget, TickReport};
pub use crate::units::{Axes, BadNumber, Heading, Position, Scale};
pub use wayfarer_engine::base::{Budget, LinkDirection, LinkState, NavLinkKind, Revision, Terrain};
pub use wayfarer_engine::formats::tile_rules::{TileRules, TileTerrain};

/// What most programs name, at most 40 names.
pub mod prelude {
    pub use crate::{
        AgentType, AgentTypeId, Area, Axes, Body, BodyFilter, BodyId, BodyShape, Budget, CostArea,
        Edit, Extent, FlowField, Footprint, Goal, Heading, Method, Movement, NavLink, NoPath,
        PartialPolicy, Path, PathRequest, PathStatus, Planner, PlannerEvent, PlannerOptions,
        Position, Scale, Searcher, SearcherPool, Sensor, SensorEvent, Solid, SolidId, StartPolicy,
        Terrain, TerrainSet, World, WorldChanges,
    };
}

/// The example of README.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
