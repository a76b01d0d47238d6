//! Navigation for Bevy games whose worlds change: the library [`wayfarer`] as a plugin.
//!
//! A [`NavWorld`] is a component; agents, solids, links, doors, cost areas, bodies and sensors are
//! components too, and belong to it by [`InNavWorld`]. Each tick of the plugin's schedule what changed
//! becomes one batch of edits, paths are searched within a budget in an order that does not depend on
//! threads or frames, and [`DesiredVelocity`] tells the game where each agent goes. With a
//! [`NavCrowdAgent`] the plugin moves the agent itself, around others.
//!
//! # Example
//!
//! ```
//! use bevy_app::App;
//! use bevy_math::Vec3;
//! use bevy_time::TimePlugin;
//! use bevy_transform::components::Transform;
//! use bevy_wayfarer::{NavAgent, NavTarget, NavWorld, WayfarerPlugin, wayfarer, y_up};
//!
//! let map = b"type octile\nheight 1\nwidth 5\nmap\n.....\n";
//! let ground = wayfarer::World::import("lane.map", map, y_up(1.0)).unwrap();
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, WayfarerPlugin::default())); // ticks need time: `DefaultPlugins` has it
//! app.world_mut().spawn(NavWorld::new(ground));
//! let target = NavTarget::Position(Vec3::new(4.5, 0.0, 0.5));
//! app.world_mut().spawn((NavAgent::new(2.0), target, Transform::from_xyz(0.5, 0.0, 0.5)));
//! app.update();
//! ```
//!
//! # Parts of a tick
//!
//! [`NavSystems`] lists them: collect edits, apply, plan, steer, output. They run in
//! [`FixedPreUpdate`](bevy_app::FixedPreUpdate) unless [`WayfarerPlugin::schedule`] says otherwise;
//! [`NavSettings`] holds the budget.
//!
//! # Cargo features
//!
//! * `gizmos`: the plugin `NavGizmosPlugin` draws worlds, paths and sensors.
//! * `mesh`: `NavSolidMesh`, solids from mesh assets.
//! * `images`, `meshes`, `tilemaps`: more formats of [map assets](NavMap).
//! * `serde`: components as text and bytes.
//! * `multi_threaded`: the systems of an app on several threads.

#![expect(
    clippy::needless_pass_by_value,
    reason = "systems take their parameters by value"
)]

mod agent;
mod apply;
mod batch;
mod body;
mod build;
mod changes;
mod collect;
mod cost_area;
mod crowd;
mod diagnostics;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
mod link;
#[cfg(feature = "mesh")]
mod mesh;
mod output;
mod plan;
mod plugin;
mod query;
mod save;
mod settings;
mod shape;
mod solid;
mod world;

pub use crate::agent::{
    DesiredVelocity, NavAgent, NavMethod, NavPartial, NavPath, NavState, NavTarget,
};
pub use crate::body::{NavEntity, NavFootprint, NavSensor};
pub use crate::build::{
    NavMap, NavMapError, NavMapLoader, NavMapSettings, NavWorldSource, NavWorldTask,
};
pub use crate::cost_area::NavCostArea;
pub use crate::crowd::group::NavGroupError;
pub use crate::crowd::{NavCrowdAgent, NavCrowdSettings};
pub use crate::diagnostics::NavDiagnosticsPlugin;
pub use crate::events::{
    AgentDisplaced, AgentStuck, LinkAhead, LinkReached, NavRejected, PathFailed, PathFound,
    PathInvalidated, PathRepaired, RejectReason, SensorEntered, SensorLeft, TargetReached,
    WorldChanged,
};
#[cfg(feature = "gizmos")]
pub use crate::gizmos::{NavGizmos, NavGizmosPlugin};
pub use crate::link::{LinkKind, NavDoor, NavLink};
#[cfg(feature = "mesh")]
pub use crate::mesh::NavSolidMesh;
pub use crate::plugin::{NavSystems, WayfarerPlugin};
pub use crate::query::{NavGoal, NavQuery, NavQueryError};
pub use crate::save::{NavSavedIds, NavSnapshot, save_worlds};
pub use crate::settings::NavSettings;
pub use crate::shape::NavShape;
pub use crate::solid::NavSolid;
pub use crate::world::{InNavWorld, NavMembers, NavWorld, y_up};

#[doc(no_inline)]
pub use wayfarer;

/// The example of README.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
