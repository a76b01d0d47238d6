//! Runs each example of the library and compares its output with the snapshot beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::golden::target_folder;
use crate::run::{Outcome, cargo, first_difference, output, say};
use crate::{Context, test};

/// The folder of the examples.
pub(crate) const FOLDER: &str = "crates/wayfarer/examples";

/// The names of the examples, sorted.
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

/// The snapshot of the output of an example.
pub(crate) fn snapshot(root: &Path, name: &str) -> PathBuf {
    root.join(FOLDER).join(format!("{name}.out"))
}

/// Runs every example; `UPDATE=1` writes the snapshots instead of comparing.
pub(crate) fn check(context: &Context) -> Result<Outcome, String> {
    let names = names(&context.root);
    if names.is_empty() {
        return Ok(Outcome::Skipped("no examples".to_owned()));
    }
    // The packages, features and profile of the step `tests`, so that its build serves here.
    let words = [
        "build",
        "--profile",
        "test",
        "--workspace",
        "--features",
        test::BENCH,
        "--examples",
    ];
    cargo(context, &words)?;
    let folder = target_folder(context)?.join("debug").join("examples");
    let mut faults = 0;
    for name in &names {
        let mut example = Command::new(folder.join(name));
        example.current_dir(&context.root);
        let found = output(example, name)?;
        if let Some(fault) = compare(&snapshot(&context.root, name), &found, context.update)? {
            say(&fault);
            faults += 1;
        }
    }
    if faults > 0 {
        return Err(format!(
            "{faults} of {} examples differ from their snapshots; UPDATE=1 rewrites those",
            names.len()
        ));
    }
    Ok(Outcome::Passed)
}

/// The first difference between `found` and the file at `path`; `update` rewrites the file.
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
    Ok(first_difference(&expected, found)
        .map(|difference| format!("{}: {difference}", path.display())))
}
