//! Checks of the benchmark adapters for path finding crates of the registry.
//!
//! Those crates take longer to build than the workspace, so `cargo xtask test` only lints the
//! adapters; `cargo xtask baselines` runs their tests.

use crate::run::cargo;
use crate::{Context, tools};

/// The baselines that build quickly, and clusters.
pub(crate) const FEATURE: &str = "wayfarer_cli/baselines,wayfarer_cli/nats";
/// All baselines, including the game engine that one of them needs.
const ALL: &str = "wayfarer_cli/baseline-northstar";

/// Lints every target of the workspace with `feature`; warnings are errors.
pub(crate) fn clippy(context: &Context, feature: &str) -> Result<(), String> {
    tools::cargo_command("clippy", "clippy")?;
    let words = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        feature,
    ];
    cargo(context, &[&words[..], &["--", "-D", "warnings"]].concat())
}

/// Lints and tests every adapter.
pub(crate) fn run(context: &Context) -> Result<(), String> {
    clippy(context, ALL)?;
    let northstar = "wayfarer_bench/baseline-northstar";
    let words = [
        "test",
        "--package",
        "wayfarer_bench",
        "--features",
        northstar,
    ];
    cargo(context, &[&words[..], &["--lib", "baselines::"]].concat())
}
