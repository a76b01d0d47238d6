//! The rules of the house: what a reader can rely on in every file, checked by reading the files.
//!
//! Each rule lives in a file of its own and returns the faults it found; nothing is changed.

mod code;
mod documents;
mod layers;
mod manifest;
mod siblings;
mod sources;
mod tree;

use std::fmt;
use std::path::Path;

use crate::run::say;
use tree::Tree;

/// A broken rule, and where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Fault {
    /// The file, from the folder of the workspace.
    path: String,
    /// The line, from 1; 0 for the file as a whole.
    line: usize,
    /// What is wrong and what is expected.
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

/// Every fault of the workspace at `root`, in the order of files, and how many files were read.
fn check(root: &Path) -> Result<(Vec<Fault>, usize), String> {
    let tree = Tree::read(root)?;
    let mut faults = Vec::new();
    layers::check(&tree, &mut faults);
    sources::check(&tree, &mut faults);
    siblings::check(&tree, &mut faults);
    documents::check(&tree, &mut faults);
    faults.sort();
    Ok((faults, tree.n_files()))
}

#[cfg(test)]
mod tests;
