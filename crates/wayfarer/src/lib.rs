//! Deterministic navigation for game worlds that change.
//!
//! A [`World`] combines up to four domains under one transform from world units: walkable ground
//! on a sparse multi-floor grid, free air in a sparse voxel octree, box and disc obstacles on a
//! continuous plane, and bodies in a spatial hash for range and visibility queries. One batch of
//! edits changes all of them atomically; one request in world units finds a path, on foot, in
//! flight, or both.
//!
//! # Features
//!
//! * **Ground paths**: A\* over lazily cached jump points with a proven suboptimality bound
//!   (default) or optimal, block-based jump point search, A\*, Dijkstra, Lazy Theta\*,
//!   hierarchical cluster search for long distances, region refinement over a baked abstraction.
//! * **Flight**: A\* over a sparse voxel octree, string pulling, agents with a radius.
//! * **Planar paths**: lazy tangent graph or on-demand quadtree with a funnel, around obstacles
//!   that move.
//! * **Multimodal paths**: walk, take off, fly, land; optimal over cells and voxels.
//! * **Dynamic worlds**: local repair of regions, clusters and caches after an edit; path status,
//!   path repair and path subscriptions without a search; change sets with inverses.
//! * **Agents**: radius, headroom, step height, drop height, terrain costs, keys; one derived
//!   clearance map per profile.
//! * **Reachability**: connected components, cost-limited reachable sets, flow fields, and an
//!   explanation of what blocks an unreachable goal.
//! * **Visibility**: symmetric line of sight and field of view over ground, air and bodies;
//!   sensors with enter and leave events; paths that minimize exposure.
//! * **Determinism**: integer costs, documented tie rules, equal results on every platform and
//!   for any number of threads. Searches take a budget and can run in slices.
//!
//! # Example
//!
//! ```
//! use wayfarer::prelude::*;
//! use wayfarer::base::Raster;
//!
//! // An open map of 9 by 3 cells.
//! let mut world = World::from_raster(&Raster::from_bytes(9, 3, vec![0; 27]).unwrap());
//! let mut searcher = Searcher::default();
//! let request = PathRequest::new(Position::new(2.5, 1.5, 0.0), Position::new(6.5, 1.5, 0.0));
//! let path = world.find_path(&mut searcher, &request)?.found().unwrap();
//! assert_eq!(path.locations().len(), 5);
//!
//! // A wall goes up across the path.
//! let (low, high) = (Position::new(4.0, 0.0, 0.0), Position::new(5.0, 2.0, 3.0));
//! world.apply([Edit::FillBox { low, high, top: Terrain::GROUND }])?;
//! assert!(matches!(world.status(&path), PathStatus::Invalid { leg: 0, .. }));
//! let repaired = world.repair(&mut searcher, &request, &path)?.found().unwrap();
//! assert!(repaired.cost > path.cost);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cargo features
//!
//! * `images`: flat maps and height maps from PNG in [`World::from_file`].
//! * `meshes`: ground and air from OBJ and glTF meshes.
//! * `tilemaps`: ground from tile maps of Tiled and LDtk.
//!
//! # Where to go next
//!
//! | task | items | example |
//! |---|---|---|
//! | find a path | [`World::find_path`], [`PathRequest`] | `find_a_path` |
//! | long distances | [`World::begin_hierarchical`], [`World::next_segment`] | |
//! | change the world | [`World::apply`], [`Edit`], [`WorldChanges`] | `a_bridge_collapses` |
//! | keep paths valid | [`World::status`], [`World::repair`], [`World::subscribe`] | `a_door_closes` |
//! | agents that differ | [`World::add_agent_type`], [`AgentType`] | `a_wide_agent` |
//! | fly | [`search::multimodal::FlightProfile`] | `a_flight_through_asteroids` |
//! | walk and fly | [`World::air_links`] | `a_walker_that_flies` |
//! | avoid moving obstacles | [`PathRequest::avoided_obstacles`] | `a_moving_crowd` |
//! | visibility | [`World::has_line_of_sight`], [`World::update_sensors`] | `sensors_on_a_battlefield` |
//! | stay unseen | [`PathRequest::viewers`], [`World::path_exposure`] | `a_thief_keeps_out_of_sight` |
//! | explain a missing path | [`World::explain`] | `a_locked_door` |
//! | save and load | [`World::save`], [`World::load`] | `save_and_load` |
//! | draw | [`picture::Picture`] | `a_search_in_slices` |
//!
//! `cargo run --example NAME` runs an example. The [`prelude`] re-exports what most programs
//! name; the crates below are re-exported as [`base`], [`formats`], [`make`], [`world`] and
//! [`search`], with the queries of each domain that the facade does not wrap.

#[doc(inline)]
pub use wayfarer_engine::*;

mod agent_type;
mod body;
mod changes;
mod edit;
mod explanation;
mod facade;
mod flow_field;
mod follower;
mod footprint;
mod goal;
pub mod next;
mod path;
mod planner;
mod replica;
mod request;
mod sensor;
mod snapshot;
mod units;

/// The example of README.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
