//! Citations: every key like `[Harabor2011]` in a comment or document is listed in the references.
//!
//! A bracket may hold several keys and a remark, `[Harabor2011, Harabor2014, relative]`; rustdoc
//! needs its brackets escaped. Only keys that end in a year are checked.

use std::collections::BTreeSet;

use super::Fault;
use super::code::comments_only;
use super::tree::Tree;

/// The table of references; the first cell of a row is its key.
const REFERENCES: &str = "docs/references.md";

/// Finds citations of unlisted keys.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    let table = tree.documents.get(REFERENCES).map_or("", String::as_str);
    let listed: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.split('|').next())
        .map(str::trim)
        .collect();
    let mut check_text = |path: &str, text: &str| {
        for (number, line) in (1..).zip(text.lines()) {
            for key in keys(line).filter(|key| !listed.contains(key)) {
                let message = format!("[{key}] is not listed in {REFERENCES}");
                faults.push(Fault::new(path, number, message));
            }
        }
    };
    for source in &tree.sources {
        // The tests of this rule cite unlisted keys, in literals and comments alike.
        if !source.path.starts_with("tools/xtask/src/tidy/") {
            check_text(&source.path, &comments_only(&source.text));
        }
    }
    for (path, text) in &tree.documents {
        check_text(path, text);
    }
}

/// The keys in brackets of a line.
fn keys(line: &str) -> impl Iterator<Item = &str> {
    line.split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .flat_map(|(inner, _)| inner.split(','))
        .map(|item| item.trim().trim_end_matches('\\'))
        .filter(|item| is_key(item))
}

/// True for a capitalized name followed by a year.
fn is_key(item: &str) -> bool {
    let name = item.trim_end_matches(|c: char| c.is_ascii_digit());
    item.len() == name.len() + 4
        && name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}
