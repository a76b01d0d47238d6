//! The error of all benchmarks.

use thiserror::Error;
use wayfarer_engine::base::RequestError;
use wayfarer_engine::make::MakeError;
use wayfarer_engine::world::air::AirError;
use wayfarer_engine::world::ground::GroundEditError;
use wayfarer_engine::world::obstacles::ObstacleError;

use crate::engine::EngineError;
use crate::load::LoadError;

/// Why nothing was measured. All are the caller's fault, but `Engine`.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// No method, or one that does not exist.
    #[error("method `{found}`, expected one of {expected}")]
    Method {
        /// The requested method.
        found: String,
        /// The methods that exist.
        expected: String,
    },
    /// Baselines are requested, but this program has none.
    #[error("this program was built without baselines; use `cargo wayfarer-baselines`")]
    NoBaselines,
    /// A baseline that does not exist.
    #[error("baseline `{found}`, expected one of {expected}")]
    Baseline {
        /// The requested baseline.
        found: String,
        /// The baselines that exist.
        expected: String,
    },
    /// Arguments out of range or in conflict.
    #[error("{0}")]
    Arguments(String),
    /// A map or its problems could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A world of such a size cannot be generated.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// A ground lies beyond the limits.
    #[error(transparent)]
    Ground(#[from] GroundEditError),
    /// An air lies beyond the limits.
    #[error(transparent)]
    Air(#[from] AirError),
    /// An obstacle lies beyond the limits.
    #[error(transparent)]
    Obstacles(#[from] ObstacleError),
    /// A request was rejected.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// One of the worlds cannot be built.
    #[error("{world}: {reason}")]
    World {
        /// Its name.
        world: String,
        /// The reason.
        reason: String,
    },
    /// An engine rejected a map or an edit, be it the fixed world that calibrates.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl BenchError {
    /// For `map_err`: the world of this name cannot be built.
    pub(crate) fn world<E: ToString>(world: &str) -> impl Fn(E) -> Self + Copy {
        move |error| Self::World {
            world: world.to_owned(),
            reason: error.to_string(),
        }
    }
}
