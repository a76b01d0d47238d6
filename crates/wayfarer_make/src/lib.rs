//! Procedural generators of worlds, benchmark scenarios and edit traces from seeds.
//!
//! Part of `wayfarer`; use `wayfarer`. Integer arithmetic only: equal recipes give equal worlds on
//! every target. Every part of a world has its own random stream, so that parts do not influence
//! each other.

mod adversarial;
mod building;
mod carving_grid;
mod caves;
pub mod city;
mod clutter;
pub mod error;
mod land;
mod maze;
mod noise;
pub mod recipe;
mod rooms;
pub mod scenario;
pub mod space;
mod surface;
pub mod trace;

pub use city::{City, SectorCells};
pub use error::MakeError;
pub use recipe::{GeneratedWorld, Generator, Recipe, RecipeOption, make};
pub use scenario::{scenario, world_scenario};
pub use space::{Asteroid, asteroids};
pub use surface::surface;
pub use trace::{TraceKind, TraceRecipe, make_trace};
