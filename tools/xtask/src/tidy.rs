//! Static rules of the workspace: layers, file lengths, module docs, dead links, vocabulary.
//!
//! Each rule is a module that appends its faults; nothing is changed.

mod citations;
mod code;
mod documents;
mod facade;
mod layers;
mod manifest;
mod siblings;
mod sources;
mod tree;
mod words;

use std::fmt;
use std::path::Path;

use crate::run::say;
use tree::Tree;

/// A violation of a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Fault {
    /// Path from the root of the workspace.
    path: String,
    /// Line, from 1; 0 for the file as a whole.
    line: usize,
    /// What was found and what is expected.
    message: String,
}

impl Fault {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// The value of `key` in `[workspace.package]` of the workspace at `root`.
pub(crate) fn workspace_setting(root: &Path, key: &str) -> Option<String> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).ok()?;
    manifest::setting(&manifest, "workspace.package", key)
}

/// The version requirement of a dependency in `[workspace.dependencies]` of the workspace at `root`.
pub(crate) fn workspace_dependency(root: &Path, name: &str) -> Option<String> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).ok()?;
    manifest::setting(&manifest, "workspace.dependencies", name)
}

/// Prints every fault of the workspace at `root`; an error if there is one.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let (faults, n_files) = check(root)?;
    for fault in &faults {
        say(&fault.to_string());
    }
    match faults.len() {
        0 => {
            say(&format!("tidy: {n_files} files, no fault"));
            Ok(())
        }
        n => Err(format!("tidy: {n} faults in {n_files} files")),
    }
}

/// The faults of the workspace at `root`, by file and line, and the number of files read.
fn check(root: &Path) -> Result<(Vec<Fault>, usize), String> {
    let tree = Tree::read(root)?;
    let mut faults = Vec::new();
    layers::check(&tree, &mut faults);
    sources::check(&tree, &mut faults);
    sources::check_scripts(&tree, &mut faults);
    siblings::check(&tree, &mut faults);
    documents::check(&tree, &mut faults);
    facade::check(&tree, &mut faults);
    citations::check(&tree, &mut faults);
    words::check(&tree, &mut faults);
    faults.sort();
    Ok((faults, tree.n_files()))
}

#[cfg(test)]
mod tests;
