//! Makes worlds from seeds: caves, rooms, mazes and more, the same on every machine.
//!
//! Part of `wayfarer`; use `wayfarer`. Only whole numbers are used, and every part of a world
//! draws from numbers of its own, so that one part never disturbs another.

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
pub use scenario::{plan_scenario, scenario};
pub use space::{Asteroid, asteroids};
pub use surface::surface;
pub use trace::{TraceKind, TraceRecipe, make_trace};
