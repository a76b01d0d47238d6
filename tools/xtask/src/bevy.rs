//! The plugin for Bevy, a workspace of its own: Bevy stays out of the lock file, the lints and the
//! dependency counts of the library.

use std::fs;

use crate::run::{self, Outcome, say};
use crate::{Context, examples, tools};

/// The manifest of the plugin.
pub(crate) const MANIFEST: &str = "crates/bevy_wayfarer/Cargo.toml";
/// Its builds, beside those of the workspace.
const TARGET: &str = "target/bevy";
/// Every feature, the ones that need crates for rendering included.
const FEATURES: &str = "--all-features";
/// The examples.
const EXAMPLES: &str = "crates/bevy_wayfarer/examples";

/// Formats, lints, tests and documents the plugin, and runs examples with a snapshot. Where dependencies cannot
/// be had, the step is skipped and says so.
pub(crate) fn check(context: &Context) -> Result<Outcome, String> {
    tools::cargo_command("clippy", "clippy")?;
    if run::cargo(context, &fetch()).is_err() {
        let reason = "the dependencies of the plugin for Bevy cannot be had from here";
        return match context.strict {
            true => Err(reason.to_owned()),
            false => Ok(Outcome::Skipped(reason.to_owned())),
        };
    }
    run::cargo(context, &plugin("fmt", &["--check"]))?;
    let built = ["--locked", "--target-dir", TARGET];
    let lint = [
        &built[..],
        &["--all-targets", FEATURES, "--", "-D", "warnings"],
    ]
    .concat();
    run::cargo(context, &plugin("clippy", &lint))?;
    run::cargo(context, &plugin("test", &built))?;
    let document = [
        &built[..],
        &["--no-deps", "--document-private-items", FEATURES],
    ]
    .concat();
    let environment = [("RUSTDOCFLAGS", "-D warnings")];
    run::cargo_with(context, &plugin("doc", &document), &environment)?;
    run_examples(context, &built)
}

/// Compares the output of each example that has a snapshot beside it.
fn run_examples(context: &Context, built: &[&str]) -> Result<Outcome, String> {
    let entries = fs::read_dir(context.root.join(EXAMPLES))
        .into_iter()
        .flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut snapshots: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "out"))
        .collect();
    snapshots.sort();
    let mut faults = 0;
    for path in &snapshots {
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.ok_or("an example has no name")?;
        let options = ["--quiet", "--profile", "test", "--example", name];
        let words = plugin("run", &[built, &options[..]].concat());
        let found = run::cargo_output(context, &words)?;
        if let Some(fault) = examples::compare(path, &found, context.update)? {
            say(&fault);
            faults += 1;
        }
    }
    match faults {
        0 => Ok(Outcome::Passed),
        n => Err(format!(
            "{n} examples of the plugin differ; UPDATE=1 rewrites their snapshots"
        )),
    }
}

/// The command that fetches the dependencies of the plugin.
pub(crate) fn fetch() -> Vec<&'static str> {
    plugin("fetch", &["--locked", "--quiet"])
}

/// Measures the plugin against the library alone.
pub(crate) fn bench(context: &Context, options: &[&str]) -> Result<(), String> {
    let run = [
        "--release",
        "--locked",
        "--target-dir",
        TARGET,
        "--example",
        "bench",
        "--",
    ];
    run::cargo(context, &plugin("run", &[&run[..], options].concat()))
}

/// A command of cargo for the plugin.
fn plugin<'a>(command: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    [&[command, "--manifest-path", MANIFEST][..], options].concat()
}
