//! The files of the workspace as tidy reads them, in the order of their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::code::without_comments;

/// A file of Rust code.
pub(super) struct Source {
    /// From the folder of the workspace, with `/`.
    pub(super) path: String,
    /// As it is.
    pub(super) text: String,
    /// With comments and texts in quotes blanked out, line for line.
    pub(super) code: String,
}

/// The files of a workspace.
pub(super) struct Tree {
    root: PathBuf,
    /// Files of Rust code under `crates` and `tools`.
    pub(super) sources: Vec<Source>,
    /// Manifests of the workspace's crates, by the path of their folder.
    pub(super) manifests: BTreeMap<String, String>,
    /// Documents in Markdown, by path.
    pub(super) documents: BTreeMap<String, String>,
}

impl Tree {
    /// Reads the workspace at `root`.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut tree = Self {
            root: root.to_path_buf(),
            sources: Vec::new(),
            manifests: BTreeMap::new(),
            documents: BTreeMap::new(),
        };
        tree.read_folder("")?;
        tree.sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    /// How many files were read.
    pub(super) fn n_files(&self) -> usize {
        self.sources.len() + self.manifests.len() + self.documents.len()
    }

    /// True if there is a file or folder at `path`.
    pub(super) fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The text of a file that may be absent.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    fn read_folder(&mut self, folder: &str) -> Result<(), String> {
        let place = self.root.join(folder);
        let trouble = |error| format!("cannot read {}: {error}", place.display());
        for entry in fs::read_dir(&place).map_err(trouble)? {
            let entry = entry.map_err(trouble)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = match folder {
                "" => name.clone(),
                _ => format!("{folder}/{name}"),
            };
            if entry.file_type().map_err(trouble)?.is_dir() {
                let skipped = name.starts_with('.') || name == "target" || name == "out";
                if !skipped {
                    self.read_folder(&path)?;
                }
            } else {
                self.read_file(path)?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: String) -> Result<(), String> {
        let text = || {
            fs::read_to_string(self.root.join(&path))
                .map_err(|error| format!("cannot read {path}: {error}"))
        };
        let in_a_crate = path.starts_with("crates/") || path.starts_with("tools/");
        if path.ends_with(".md") {
            let text = text()?;
            self.documents.insert(path, text);
        } else if in_a_crate && path.ends_with(".rs") {
            let text = text()?;
            let code = without_comments(&text);
            self.sources.push(Source { path, text, code });
        } else if in_a_crate && let Some(folder) = path.strip_suffix("/Cargo.toml") {
            let text = text()?;
            self.manifests.insert(folder.to_owned(), text);
        }
        Ok(())
    }
}
