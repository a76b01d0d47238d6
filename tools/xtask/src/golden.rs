//! Compares the golden digests of release and wasm32 builds with the pinned ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Context;
use crate::examples::compare;
use crate::run::{Outcome, cargo, cargo_output, output, say};
use crate::tools;

/// The pinned digests.
pub(crate) const PINNED: &str = "tools/wayfarer_golden/golden.txt";
/// Runs the wasm32 build under node.
const SCRIPT: &str = "tools/wayfarer_golden/run.mjs";
const TARGET: &str = "wasm32-unknown-unknown";
/// A profile that builds quickly, see `Cargo.toml`: results matter here, speed does not.
const WASM_PROFILE: &str = "golden-wasm";

/// Compares the release build with the pinned digests; `UPDATE=1` pins its own. A test of
/// `wayfarer_golden` covers a build with assertions and overflow checks.
pub(crate) fn native(context: &Context) -> Result<Outcome, String> {
    let words = ["run", "--release", "--package", "wayfarer_golden"];
    let report = cargo_output(context, &words)?;
    say(&report);
    compare_pinned(context, "release", &report, context.update)?;
    Ok(Outcome::Passed)
}

/// Compares the wasm32 build under node with the pinned digests.
pub(crate) fn wasm(context: &Context) -> Result<Outcome, String> {
    if let Some(missing) = missing() {
        return match context.strict {
            true => Err(missing),
            false => Ok(Outcome::Skipped(missing)),
        };
    }
    let program = build_wasm(context)?;
    let mut command = Command::new("node");
    command.arg(context.root.join(SCRIPT)).arg(program);
    let report = output(command, &format!("node {SCRIPT}"))?;
    compare_pinned(context, "wasm32", &report, false)?;
    Ok(Outcome::Passed)
}

/// Builds the suite as wasm32 and returns its file.
pub(crate) fn build_wasm(context: &Context) -> Result<PathBuf, String> {
    let build = ["build", "--profile", WASM_PROFILE, "--target", TARGET];
    cargo(
        context,
        &[&build[..], &["--package", "wayfarer_golden"]].concat(),
    )?;
    let folder = target_folder(context)?.join(TARGET).join(WASM_PROFILE);
    Ok(folder.join("wayfarer_golden.wasm"))
}

fn compare_pinned(
    context: &Context,
    build: &str,
    report: &str,
    update: bool,
) -> Result<(), String> {
    match compare(&context.root.join(PINNED), report, update)? {
        None => {
            say(&format!("{build}: equal to the pinned digests"));
            Ok(())
        }
        Some(fault) => {
            say(&format!("{build} computes\n{report}"));
            Err(format!(
                "{build}: {fault}; if intended: UPDATE=1 cargo xtask test --only golden"
            ))
        }
    }
}

/// What is missing on this machine, after an attempt to install it.
fn missing() -> Option<String> {
    if !tools::runs("node", &["--version"]) {
        return Some("node is missing: install Node.js 18 or later".to_owned());
    }
    tools::install("target", TARGET, || has_target(TARGET)).err()
}

pub(crate) fn has_target(target: &str) -> bool {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    output.is_ok_and(|report| {
        let folder = String::from_utf8_lossy(&report.stdout);
        report.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// The target directory of cargo.
pub(crate) fn target_folder(context: &Context) -> Result<PathBuf, String> {
    let words = [
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ];
    let report = cargo_output(context, &words)?;
    let value = report
        .split("\"target_directory\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let folder = value.ok_or("cargo metadata names no target_directory")?;
    Ok(PathBuf::from(folder.replace("\\\\", "\\")))
}

#[cfg(test)]
mod tests;
