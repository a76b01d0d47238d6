//! Checks what is built only to measure the registry's path finders beside ours.
//!
//! Their crates take longer to build than all of ours, so `cargo xtask test` only reads the
//! adapters; `cargo xtask baselines` runs their tests.

use crate::run::cargo;
use crate::{Context, tools};

/// The baselines that are quick to build.
pub(crate) const FEATURE: &str = "wayfarer_cli/baselines";
/// All of them, with the game engine that one of them brings.
const ALL: &str = "wayfarer_cli/baseline-northstar";

/// No warning in any target of the workspace with `feature`.
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

/// Every adapter without a warning, and its tests.
pub(crate) fn run(context: &Context) -> Result<(), String> {
    clippy(context, ALL)?;
    let northstar = "wayfarer_bench/baseline-northstar";
    let words = ["test", "--package", "wayfarer_bench", "--features", northstar];
    cargo(context, &[&words[..], &["--lib", "baselines::"]].concat())
}
