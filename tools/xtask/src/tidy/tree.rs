//! The files of the workspace, sorted by path.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::code::without_comments;

/// A Rust source file.
pub(super) struct Source {
    /// Path from the root of the workspace, with `/`.
    pub(super) path: String,
    /// The whole text.
    pub(super) text: String,
    /// The text with comments and literals blanked out, line for line.
    pub(super) code: String,
}

/// The files of a workspace.
pub(super) struct Tree {
    root: PathBuf,
    /// Rust sources under `crates` and `tools`.
    pub(super) sources: Vec<Source>,
    /// TypeScript and JavaScript under `crates`, by path.
    pub(super) scripts: BTreeMap<String, String>,
    /// Manifests of the crates, by folder.
    pub(super) manifests: BTreeMap<String, String>,
    /// Markdown documents, by path.
    pub(super) documents: BTreeMap<String, String>,
}

impl Tree {
    /// Reads the workspace at `root`.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut tree = Self {
            root: root.to_path_buf(),
            sources: Vec::new(),
            scripts: BTreeMap::new(),
            manifests: BTreeMap::new(),
            documents: BTreeMap::new(),
        };
        tree.read_folder("")?;
        tree.sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    /// Number of files read.
    pub(super) fn n_files(&self) -> usize {
        self.sources.len() + self.scripts.len() + self.manifests.len() + self.documents.len()
    }

    /// True if a file or folder exists at `path`.
    pub(super) fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The text of a file; `None` if it cannot be read.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    fn read_folder(&mut self, folder: &str) -> Result<(), String> {
        let full_path = self.root.join(folder);
        let failed = |error| format!("cannot read {}: {error}", full_path.display());
        for entry in fs::read_dir(&full_path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = match folder {
                "" => name.clone(),
                _ => format!("{folder}/{name}"),
            };
            if entry.file_type().map_err(failed)?.is_dir() {
                let is_made = ["target", "out", "node_modules", "pkg"].contains(&name.as_str());
                let is_skipped = name.starts_with('.') || is_made;
                if !is_skipped {
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
        } else if path.starts_with("crates/") && (path.ends_with(".ts") || path.ends_with(".mjs")) {
            let text = text()?;
            self.scripts.insert(path, text);
        } else if in_a_crate && let Some(folder) = path.strip_suffix("/Cargo.toml") {
            let text = text()?;
            self.manifests.insert(folder.to_owned(), text);
        }
        Ok(())
    }
}
