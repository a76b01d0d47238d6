//! The plugin for Bevy, a workspace of its own: Bevy stays out of the lock file, the lints and the
//! dependency counts of the library.

use std::fs;
use std::path::Path;
use std::process::Command;

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

/// Formats, lints, tests and documents the plugin, and compares the output of its examples. Where
/// dependencies cannot be had, the step is skipped and says so.
///
/// All of it comes from one build: the driver of clippy compiles what it lints, examples and tests share
/// profile and features, and the documentation is made with what the doctests link. Checking Bevy for
/// lints and documentation apart would cost as much again.
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
    let driver = clippy_driver(context)?;
    let lints = [
        ("RUSTC_WORKSPACE_WRAPPER", driver.as_str()),
        ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings"),
    ];
    let built = ["--locked", "--target-dir", TARGET, FEATURES];
    let with = |more: &[&'static str]| [&built[..], more].concat();
    let examples = with(&["--profile", "test", "--examples"]);
    run::cargo_with(context, &plugin("build", &examples), &lints)?;
    let tests = with(&["--lib", "--tests"]);
    run::cargo_with(context, &plugin("test", &tests), &lints)?;
    let doctests = plugin("test", &with(&["--doc", "--verbose"]));
    let doctests = run::cargo_verbose(context, &doctests, &lints)?;
    document(context, &doctests)?;
    run_examples(context)
}

/// The compiler that lints, beside the one that cargo runs.
fn clippy_driver(context: &Context) -> Result<String, String> {
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--print", "sysroot"])
        .current_dir(&context.root);
    let root = run::output(rustc, "rustc --print sysroot")?;
    let name = format!("clippy-driver{}", std::env::consts::EXE_SUFFIX);
    let path = Path::new(root.trim()).join("bin").join(name);
    let path = path.into_os_string().into_string();
    path.map_err(|path| format!("{} is no UTF-8", path.display()))
}

/// Makes the documentation by the command that ran the doctests, without their options.
fn document(context: &Context, log: &str) -> Result<(), String> {
    let is_command = |line: &&str| line.contains("rustdoc") && line.contains(" --test ");
    let command = log.lines().find(is_command);
    let command = command.and_then(|line| line.trim().strip_prefix("Running `")?.strip_suffix('`'));
    let mut words = words(command.ok_or("cargo did not show how it ran the doctests")?).into_iter();
    let mut rustdoc = Command::new(words.next().unwrap_or_default());
    let folder = context.root.join(MANIFEST);
    let folder = folder.parent().unwrap_or(&context.root);
    rustdoc
        .current_dir(folder)
        .env("CARGO_MANIFEST_DIR", folder);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--test" => {}
            "--test-run-directory" => drop(words.next()),
            "--extern" => {
                let library = words.next().unwrap_or_default();
                // The crate itself.
                if !library.starts_with("bevy_wayfarer=") {
                    rustdoc.args([word, library]);
                }
            }
            _ => drop(rustdoc.arg(word)),
        }
    }
    rustdoc.args(["--document-private-items", "-D", "warnings", "--out-dir"]);
    rustdoc.arg(context.root.join(TARGET).join("doc"));
    run::output(rustdoc, "rustdoc of the plugin").map(drop)
}

/// The words of a command as cargo shows it: quoted where a shell needs it.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words
                .last_mut()
                .into_iter()
                .for_each(|word| word.push(letter)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Compares the output of each example that has a snapshot beside it.
fn run_examples(context: &Context) -> Result<Outcome, String> {
    let entries = fs::read_dir(context.root.join(EXAMPLES))
        .into_iter()
        .flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut snapshots: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "out"))
        .collect();
    snapshots.sort();
    let folder = context.root.join(TARGET).join("debug").join("examples");
    let mut faults = 0;
    for path in &snapshots {
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.ok_or("an example has no name")?;
        let found = run::output(Command::new(folder.join(name)), name)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_outside_of_quotes() {
        let line = r#"rustdoc --cfg 'feature="a b"' -L x '--warn=clippy::all'"#;
        let expected = [
            "rustdoc",
            "--cfg",
            "feature=\"a b\"",
            "-L",
            "x",
            "--warn=clippy::all",
        ];
        assert_eq!(words(line), expected);
    }
}
