//! Keeps the documents true: paths they name exist, versions agree, every example is listed.

use super::Fault;
use super::manifest::setting;
use super::tree::Tree;
use crate::examples;

/// Finds documents that speak of what is not there.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    check_paths(tree, faults);
    check_links(tree, faults);
    check_versions(tree, faults);
    check_changelog(tree, faults);
    check_examples(tree, faults);
    check_front_page(tree, faults);
}

/// Paths in backticks in ARCHITECTURE.md exist, seen from the workspace, from `crates` or `tools`.
fn check_paths(tree: &Tree, faults: &mut Vec<Fault>) {
    const DOCUMENT: &str = "ARCHITECTURE.md";
    let Some(text) = tree.documents.get(DOCUMENT) else {
        faults.push(Fault::new(DOCUMENT, 0, "missing"));
        return;
    };
    for (line, prose) in prose(text) {
        for word in prose.split('`').skip(1).step_by(2) {
            let there = ["", "crates/", "tools/"]
                .iter()
                .any(|folder| tree.exists(&format!("{folder}{word}")));
            if is_path(word) && !there {
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

/// Links from one document to a file of the workspace lead somewhere.
fn check_links(tree: &Tree, faults: &mut Vec<Fault>) {
    for (path, text) in &tree.documents {
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        for (line, prose) in prose(text) {
            for piece in prose.split("](").skip(1) {
                let target = piece.split([')', '#', ' ']).next().unwrap_or_default();
                let outside = target.is_empty() || target.contains("://");
                if !outside && !tree.exists(&format!("{folder}{target}")) {
                    let message = format!("the link to {target} leads nowhere");
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

/// README.md names the workspace's version and the oldest Rust.
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
        if !said_versions(readme, word).eq([version.as_str()]) {
            let message = format!("expected `{word} {version}`, as in Cargo.toml, and no other");
            faults.push(Fault::new("README.md", 0, message));
        }
    }
}

/// The numbers that follow `word` in `text`, without what ends the sentence.
fn said_versions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
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

/// Every example has its snapshot and its line in the list of examples.
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

/// Where the library's front page is.
const FRONT_PAGE: &str = "crates/wayfarer/src/lib.rs";
/// Questions that it answers by an example, at least.
const N_QUERIES: usize = 10;

/// The front page of the library asks ten questions, each with an example that exists.
fn check_front_page(tree: &Tree, faults: &mut Vec<Fault>) {
    let page = tree.sources.iter().find(|source| source.path == FRONT_PAGE);
    let Some(page) = page else {
        return;
    };
    let mut n_queries = 0;
    for (line, text) in (1..).zip(page.text.lines()) {
        let row = text
            .strip_prefix("//! | ")
            .filter(|row| row.contains("? | ["));
        let Some((_, link)) = row.and_then(|row| row.split_once("](../examples/")) else {
            continue;
        };
        n_queries += 1;
        let name = link.split(')').next().unwrap_or(link);
        if !tree.exists(&format!("{}/{name}", examples::FOLDER)) {
            faults.push(Fault::new(FRONT_PAGE, line, format!("no example {name}")));
        }
    }
    if n_queries < N_QUERIES {
        let message = format!("{n_queries} questions with an example, expected {N_QUERIES}");
        faults.push(Fault::new(FRONT_PAGE, 0, message));
    }
}
