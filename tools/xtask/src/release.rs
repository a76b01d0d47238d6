//! Release checks: what the product links, that every product crate packages, and the minimum
//! supported Rust version.

use std::process::Command;

use crate::run::{self, Outcome, say};
use crate::tidy::workspace_setting;
use crate::{Context, bevy, tools};

/// The crates of `crates/` and the laboratory crates that the program's feature `bench` needs, in
/// the order in which they are published.
const PUBLISHED: &[&str] = &[
    "wayfarer_base",
    "wayfarer_counting",
    "wayfarer_testkit",
    "wayfarer_formats",
    "wayfarer_make",
    "wayfarer_world",
    "wayfarer_search",
    "wayfarer_crowd",
    "wayfarer_engine",
    "wayfarer",
    "wayfarer_store",
    "wayfarer_cluster",
    "wayfarer_measure",
    "wayfarer_bench",
    "wayfarer_cli",
];

/// Foreign crates that the library may link without features.
const MAX_FOREIGN: usize = 12;

/// Licenses, duplicates and sources by cargo-deny; advisories where their database is reachable.
pub(crate) fn deny(context: &Context) -> Result<Outcome, String> {
    if !has_cargo_deny(context) {
        let reason = "cargo-deny is missing: cargo install --locked cargo-deny";
        return match context.strict {
            true => Err(reason.to_owned()),
            false => Ok(Outcome::Skipped(reason.to_owned())),
        };
    }
    let check = |manifest: &str, features: &[&str], what: &[&str]| {
        let of = ["--manifest-path", manifest, "--config", "deny.toml"];
        let common = ["--exclude-dev", "--log-level", "error"];
        Command::new("cargo-deny")
            .current_dir(&context.root)
            .args(of)
            .args(common)
            .args(features)
            .arg("check")
            .args(what)
            .status()
            .is_ok_and(|status| status.success())
    };
    // The client of NATS decides which versions of a crate there are.
    let cluster = ["--features", "wayfarer_cli/nats"];
    if !check("Cargo.toml", &cluster, &["licenses", "sources"]) {
        return Err("cargo deny check licenses sources with the feature nats".to_owned());
    }
    if !check("Cargo.toml", &[], &["licenses", "bans", "sources"]) {
        return Err("cargo deny check licenses bans sources".to_owned());
    }
    // Bevy decides which versions of a crate there are.
    if run::cargo_output(context, &bevy::fetch()).is_ok()
        && !check(bevy::MANIFEST, &[], &["licenses", "sources"])
    {
        return Err("cargo deny check licenses sources of the plugin for Bevy".to_owned());
    }
    let fetched = Command::new("cargo-deny")
        .current_dir(&context.root)
        .args(["--log-level", "off", "fetch", "db"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !fetched {
        say("advisories: the database is not reachable from here, not checked");
    } else if !check("Cargo.toml", &cluster, &["advisories"]) {
        return Err("cargo deny check advisories".to_owned());
    }
    Ok(Outcome::Passed)
}

/// Makes sure of the program cargo-deny; false if it cannot be installed.
fn has_cargo_deny(context: &Context) -> bool {
    let is_there = || tools::runs("cargo-deny", &["--version"]);
    // Unoptimized: it runs for a second and builds in a third of the time.
    let words = ["install", "--locked", "--debug", "--quiet", "cargo-deny"];
    let environment = [("CARGO_PROFILE_DEV_DEBUG", "0")];
    is_there() || (run::cargo_with(context, &words, &environment).is_ok() && is_there())
}

/// Every published crate packages, and the lean library links few foreign crates.
pub(crate) fn package(context: &Context) -> Result<Outcome, String> {
    let mut words = vec!["package", "--no-verify", "--quiet", "--allow-dirty"];
    for name in PUBLISHED {
        words.extend(["--package", name]);
    }
    run::cargo(context, &words)?;
    let words = [
        "tree",
        "--package",
        "wayfarer",
        "--no-default-features",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ];
    let tree = run::cargo_output(context, &words)?;
    let foreign = foreign(&tree);
    if foreign.len() > MAX_FOREIGN {
        let n_foreign = foreign.len();
        return Err(format!(
            "wayfarer without features links {n_foreign} foreign crates, expected at most \
             {MAX_FOREIGN}: {}",
            foreign.join(" ")
        ));
    }
    say(&format!(
        "{} foreign crates without features",
        foreign.len()
    ));
    Ok(Outcome::Passed)
}

/// The names in the output of `cargo tree` that are not ours, sorted, each once.
fn foreign(tree: &str) -> Vec<&str> {
    let mut names: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !name.is_empty() && !name.starts_with("wayfarer"))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The library builds with the compiler that `rust-version` promises.
///
/// Every other step runs with the compiler at hand; if that is the promised one, they have shown it.
pub(crate) fn msrv(context: &Context) -> Result<Outcome, String> {
    let promised = workspace_setting(&context.root, "rust-version")
        .ok_or("Cargo.toml names no rust-version")?;
    let mut rustc = Command::new("rustc");
    rustc.current_dir(&context.root).arg("--version");
    let found = run::output(rustc, "rustc --version")?;
    if is_version(&found, &promised) {
        return Ok(Outcome::Passed);
    }
    tools::install("toolchain", &promised, || {
        tools::runs("rustup", &["run", &promised, "rustc", "--version"])
    })?;
    let mut check = Command::new("rustup");
    check.current_dir(&context.root);
    check.args(["run", &promised, "cargo", "check", "--package", "wayfarer"]);
    run::output(
        check,
        &format!("cargo +{promised} check --package wayfarer"),
    )?;
    Ok(Outcome::Passed)
}

/// True if `rustc --version` printed `promised`, whatever its patch number.
fn is_version(printed: &str, promised: &str) -> bool {
    let number = printed.split(' ').nth(1).unwrap_or_default();
    number == promised
        || number
            .strip_prefix(promised)
            .is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests;
