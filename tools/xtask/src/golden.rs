//! Compares what wayfarer computes in debug, in release and on wasm32 with the pinned digests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::Context;
use crate::examples::compare;
use crate::run::{Outcome, cargo, cargo_output, output, say};
use crate::tools;

/// The pinned digests.
const PINNED: &str = "tools/wayfarer_golden/golden.txt";
/// Runs the suite under node.
const SCRIPT: &str = "tools/wayfarer_golden/run.mjs";
const TARGET: &str = "wasm32-unknown-unknown";
/// Quick to build, see `Cargo.toml`: what another machine computes is asked here, not how fast.
const WASM_PROFILE: &str = "elsewhere";

/// The native builds by name and profile. The one that tests run in is compared by a test of
/// `wayfarer::golden`.
const BUILDS: [(&str, &str); 2] = [("debug", "dev"), ("release", "release")];

/// Every native build gives the pinned digests; `UPDATE=1` pins those of the first.
///
/// They go side by side: the debug build computes on one core for as long as it takes to build.
pub(crate) fn native(context: &Context) -> Result<Outcome, String> {
    let reports = thread::scope(|scope| {
        let summary = |profile| {
            let words = ["run", "--profile", profile, "--package", "wayfarer_golden"];
            cargo_output(context, &words)
        };
        let runs = BUILDS.map(|(_, profile)| scope.spawn(move || summary(profile)));
        runs.map(|run| run.join().expect("faults are told, not panicked"))
    });
    for (index, ((build, _), report)) in BUILDS.into_iter().zip(reports).enumerate() {
        let report = report?;
        if index == 0 {
            say(&report);
        }
        agree(context, build, &report, context.update && index == 0)?;
    }
    Ok(Outcome::Passed)
}

/// The wasm32 build under node gives the pinned digests.
pub(crate) fn wasm(context: &Context) -> Result<Outcome, String> {
    if let Some(missing) = missing() {
        return match context.strict {
            true => Err(missing),
            false => Ok(Outcome::Skipped(missing)),
        };
    }
    let build = ["build", "--profile", WASM_PROFILE, "--target", TARGET];
    cargo(
        context,
        &[&build[..], &["--package", "wayfarer_golden"]].concat(),
    )?;
    let program = target_folder(context)?
        .join(TARGET)
        .join(WASM_PROFILE)
        .join("wayfarer_golden.wasm");
    let mut command = Command::new("node");
    command.arg(context.root.join(SCRIPT)).arg(program);
    let report = output(command, &format!("node {SCRIPT}"))?;
    agree(context, "wasm32", &report, false)?;
    Ok(Outcome::Passed)
}

fn agree(context: &Context, build: &str, report: &str, update: bool) -> Result<(), String> {
    match compare(&context.root.join(PINNED), report, update)? {
        None => {
            say(&format!("{build}: as pinned"));
            Ok(())
        }
        Some(fault) => {
            say(&format!("{build} computes\n{report}"));
            Err(format!(
                "{build}: {fault}; if meant: UPDATE=1 cargo xtask test --only golden"
            ))
        }
    }
}

/// What the machine lacks, after an attempt to install it.
fn missing() -> Option<String> {
    if !tools::runs("node", &["--version"]) {
        return Some("node is missing: install Node.js 18 or later".to_owned());
    }
    tools::install("target", TARGET, || has_target(TARGET)).err()
}

fn has_target(target: &str) -> bool {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    asked.is_ok_and(|report| {
        let folder = String::from_utf8_lossy(&report.stdout);
        report.status.success() && Path::new(folder.trim()).is_dir()
    })
}

/// Where cargo puts what it builds.
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
