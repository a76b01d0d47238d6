//! The error of all benchmarks that read map files.

use thiserror::Error;

use crate::engine::EngineError;
use crate::load::LoadError;

/// Why nothing was measured. All are the caller's fault, but `Engine`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// No method, or one that does not exist.
    #[error("method `{found}`, expected one of {expected}")]
    Method {
        /// What was asked for.
        found: String,
        /// What there is.
        expected: String,
    },
    /// Baselines were asked for, but this program has none.
    #[error("this program was built without baselines; use `cargo wayfarer-baselines`")]
    NoBaselines,
    /// A baseline that does not exist.
    #[error("baseline `{found}`, expected one of {expected}")]
    Baseline {
        /// What was asked for.
        found: String,
        /// What there is.
        expected: String,
    },
    /// A map or its problems could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// An engine refused a map or an edit, be it the fixed world that calibrates.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
