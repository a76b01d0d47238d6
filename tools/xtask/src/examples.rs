//! Runs each example of the library and compares what it prints with the snapshot beside it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Context;
use crate::run::{Outcome, cargo, cargo_output, first_difference, say};

/// Where the examples live.
pub(crate) const FOLDER: &str = "crates/wayfarer/examples";

/// The names of the examples, in order.
pub(crate) fn names(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join(FOLDER)).into_iter().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

/// The snapshot of what an example prints.
pub(crate) fn snapshot(root: &Path, name: &str) -> PathBuf {
    root.join(FOLDER).join(format!("{name}.out"))
}

/// Runs every example; with `UPDATE=1` writes the snapshots instead of comparing.
pub(crate) fn check(context: &Context) -> Result<Outcome, String> {
    let names = names(&context.root);
    if names.is_empty() {
        return Ok(Outcome::Skipped("no examples".to_owned()));
    }
    // Of the whole workspace, so that dependencies are built as the tests have them: asked for one
    // package, cargo would choose fewer features and build everything anew.
    cargo(
        context,
        &["build", "--profile", "test", "--workspace", "--examples"],
    )?;
    let mut faults = 0;
    for name in &names {
        let words = ["run", "--quiet", "--profile", "test", "--example", name];
        let found = cargo_output(context, &words)?;
        if let Some(fault) = compare(&snapshot(&context.root, name), &found, context.update)? {
            say(&fault);
            faults += 1;
        }
    }
    if faults > 0 {
        return Err(format!(
            "{faults} of {} examples print something else; UPDATE=1 rewrites the snapshots",
            names.len()
        ));
    }
    Ok(Outcome::Passed)
}

/// What is wrong with `found` against the file at `path`, if anything; `update` rewrites the file.
pub(crate) fn compare(path: &Path, found: &str, update: bool) -> Result<Option<String>, String> {
    if update {
        return fs::write(path, found)
            .map(|()| None)
            .map_err(|error| format!("cannot write {}: {error}", path.display()));
    }
    let expected = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return Ok(Some(format!("cannot read {}: {error}", path.display()))),
    };
    Ok(
        first_difference(&expected, found)
            .map(|where_to| format!("{}: {where_to}", path.display())),
    )
}
