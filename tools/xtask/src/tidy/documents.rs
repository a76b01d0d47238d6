//! Rules of the documents: paths and links exist, versions agree, every example is listed.

use super::Fault;
use super::manifest::setting;
use super::tree::Tree;
use crate::examples;

/// Finds documents that refer to missing files, versions or examples.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    check_paths(tree, faults);
    check_links(tree, faults);
    check_versions(tree, faults);
    check_changelog(tree, faults);
    check_examples(tree, faults);
    check_front_page(tree, faults);
}

/// Paths in backticks in ARCHITECTURE.md exist, relative to the root, `crates` or `tools`.
fn check_paths(tree: &Tree, faults: &mut Vec<Fault>) {
    const DOCUMENT: &str = "ARCHITECTURE.md";
    let Some(text) = tree.documents.get(DOCUMENT) else {
        faults.push(Fault::new(DOCUMENT, 0, "missing"));
        return;
    };
    for (line, prose) in prose(text) {
        for word in prose.split('`').skip(1).step_by(2) {
            let exists = ["", "crates/", "tools/"]
                .iter()
                .any(|folder| tree.exists(&format!("{folder}{word}")));
            if is_path(word) && !exists {
                faults.push(Fault::new(
                    DOCUMENT,
                    line,
                    format!("`{word}` does not exist"),
                ));
            }
        }
    }
}

fn is_path(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    let file = [".rs", ".md", ".toml", ".mjs", ".txt"]
        .iter()
        .any(|ending| word.len() > ending.len() && word.ends_with(ending));
    let folder = word.len() > 1 && word.contains('/');
    (file || folder) && word.bytes().all(plain)
}

/// Relative links of every document lead to existing files.
fn check_links(tree: &Tree, faults: &mut Vec<Fault>) {
    for (path, text) in &tree.documents {
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        for (line, prose) in prose(text) {
            for piece in prose.split("](").skip(1) {
                let target = piece.split([')', '#', ' ']).next().unwrap_or_default();
                let is_external = target.is_empty() || target.contains("://");
                if !is_external && !tree.exists(&format!("{folder}{target}")) {
                    let message = format!("the target of the link to {target} does not exist");
                    faults.push(Fault::new(path, line, message));
                }
            }
        }
    }
}

/// The lines of a document outside fenced blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    let lines = text.lines().enumerate();
    lines.filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fence && !fenced).then_some((index + 1, line))
    })
}

/// README.md states the version and the minimum Rust version of the workspace.
fn check_versions(tree: &Tree, faults: &mut Vec<Fault>) {
    let manifest = tree.text("Cargo.toml").unwrap_or_default();
    let readme = tree.documents.get("README.md").map_or("", String::as_str);
    let wanted = [("Version", "version"), ("Rust", "rust-version")];
    for (word, key) in wanted {
        let Some(version) = setting(&manifest, "workspace.package", key) else {
            let message = format!("expected `{key}` in [workspace.package]");
            faults.push(Fault::new("Cargo.toml", 0, message));
            continue;
        };
        if !stated_versions(readme, word).eq([version.as_str()]) {
            let message = format!("expected `{word} {version}`, as in Cargo.toml, and no other");
            faults.push(Fault::new("README.md", 0, message));
        }
    }
}

/// The numbers that follow `word` in `text`, without trailing punctuation.
fn stated_versions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    let words = text.split_whitespace();
    words
        .clone()
        .zip(words.skip(1))
        .filter(move |(before, after)| {
            *before == word && after.starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|(_, after)| after.trim_end_matches(|c: char| !c.is_ascii_digit()))
}

fn check_changelog(tree: &Tree, faults: &mut Vec<Fault>) {
    let text = tree
        .documents
        .get("CHANGELOG.md")
        .map_or("", String::as_str);
    if !text.lines().any(|line| line.trim() == "## Unreleased") {
        faults.push(Fault::new(
            "CHANGELOG.md",
            0,
            "expected the heading `## Unreleased`",
        ));
    }
}

/// Every example has a snapshot and a line in the list of examples.
fn check_examples(tree: &Tree, faults: &mut Vec<Fault>) {
    let list = format!("{}/README.md", examples::FOLDER);
    let text = tree.documents.get(&list).map_or("", String::as_str);
    let sources = tree.sources.iter().filter_map(|source| {
        let inner = source.path.strip_prefix(examples::FOLDER)?;
        inner.strip_prefix('/')?.strip_suffix(".rs")
    });
    for name in sources.filter(|name| !name.contains('/')) {
        let path = format!("{}/{name}.rs", examples::FOLDER);
        if !text.contains(&format!("]({name}.rs)")) {
            faults.push(Fault::new(&path, 0, format!("not listed in {list}")));
        }
        if !tree.exists(&format!("{}/{name}.out", examples::FOLDER)) {
            let message =
                format!("no snapshot {name}.out; UPDATE=1 cargo xtask test --only examples");
            faults.push(Fault::new(&path, 0, message));
        }
    }
}

/// The crate documentation of the library.
const FRONT_PAGE: &str = "crates/wayfarer/src/lib.rs";
/// Minimum number of examples that it refers to.
const MIN_EXAMPLES: usize = 10;

/// The tables of the crate documentation refer to at least ten examples, which exist. A row refers
/// to an example by a name in backticks in its last cell.
fn check_front_page(tree: &Tree, faults: &mut Vec<Fault>) {
    let page = tree.sources.iter().find(|source| source.path == FRONT_PAGE);
    let Some(page) = page else {
        return;
    };
    let mut n_examples = 0;
    for (line, text) in (1..).zip(page.text.lines()) {
        let row = text.strip_prefix("//! |").map(str::trim_end);
        let cell = row.and_then(|row| row.strip_suffix('|')?.rsplit('|').next());
        let name = cell.and_then(|cell| cell.trim().strip_prefix('`')?.strip_suffix('`'));
        let Some(name) = name else {
            continue;
        };
        n_examples += 1;
        if !tree.exists(&format!("{}/{name}.rs", examples::FOLDER)) {
            faults.push(Fault::new(FRONT_PAGE, line, format!("no example {name}")));
        }
    }
    if n_examples < MIN_EXAMPLES {
        let message = format!("{n_examples} examples in its tables, expected {MIN_EXAMPLES}");
        faults.push(Fault::new(FRONT_PAGE, 0, message));
    }
}
