//! Retired words: terms that the vocabulary of CONTRIBUTING.md replaced.
//!
//! Identifiers are split into parts (`snake_case` and `CamelCase`), prose into words. String
//! literals are exempt: keywords of file formats and aliases of the command line keep their words.
//! Inline code and fenced blocks of documents are exempt for the same reason.

use super::Fault;
use super::code::{comments_only, is_word};
use super::tree::{Source, Tree};

/// Parts of identifiers that the code does not use.
const IDENTIFIERS: &[&str] = &[
    "way",
    "ways",
    "dear",
    "dearer",
    "mend",
    "mended",
    "told",
    "who",
    "whom",
    "footing",
    "perch",
    "wings",
    "roams",
    "parted",
    "localise",
    "former",
    "dice",
    "spent",
    "refusal",
    "silent",
    "glance",
    "watcher",
    "refile",
    "squeezed",
    "frozen",
    "freeze",
    "guests",
    "spoiled",
    "nasty",
    "storey",
    "movers",
    "felt",
    "rival",
    "because",
    "price",
    "prices",
    "passage",
    "effect",
    "entity",
    "entities",
    "centre",
    "neighbour",
    "colour",
    "metre",
    "field",
    "view",
];

/// Identifiers, in lower case parts, in which a retired part is the field's own term.
const TERMS: &[&[&str]] = &[
    &["field", "of", "view"],
    &["fields", "of", "view"],
    &["flow", "field"],
    &["one", "way"],
    &["buffer", "view"],
];

/// Crates of a framework whose own terms their identifiers use, and these terms.
const FRAMEWORKS: &[(&str, &[&str])] = &[("crates/bevy_wayfarer/", &["entity", "entities"])];

/// Words and phrases that comments and documents do not use.
const PROSE: &[&str] = &[
    "way",
    "ways",
    "dear",
    "dearer",
    "mend",
    "mended",
    "told",
    "who",
    "whom",
    "whoever",
    "somebody",
    "nobody",
    "everybody",
    "anybody",
    "one can",
    "one cannot",
    "hang together",
    "hangs together",
    "turning point",
    "turning points",
    "the paper",
    "the chapter",
    "the walker",
    "plain ground",
    "centre",
    "centres",
    "neighbour",
    "neighbours",
    "colour",
    "colours",
];

/// Checks every source and every document.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    for source in &tree.sources {
        // The lists above, and the tests of this rule, name what they refuse.
        if source.path.starts_with("tools/xtask/src/tidy/") {
            continue;
        }
        check_identifiers(source, faults);
        check_prose(&source.path, &comments_only(&source.text), faults);
    }
    for (path, text) in &tree.documents {
        check_prose(path, &without_fences(text), faults);
    }
}

fn check_identifiers(source: &Source, faults: &mut Vec<Fault>) {
    let framework = FRAMEWORKS
        .iter()
        .find(|(begin, _)| source.path.starts_with(begin));
    let own_terms = framework.map_or(&[][..], |(_, terms)| *terms);
    for (number, line) in source.code.lines().enumerate() {
        let is_type = ["struct ", "enum ", "type ", "trait "]
            .iter()
            .any(|keyword| line.contains(keyword));
        for identifier in line.split(|c: char| !c.is_ascii() || !is_word(c as u8)) {
            if let Some(part) = retired_part(identifier, own_terms) {
                let message = format!("`{identifier}`: the vocabulary retired `{part}`");
                faults.push(Fault::new(&source.path, number + 1, message));
            }
            if is_type && identifier.len() > 4 && identifier.ends_with("Name") {
                let message = format!("`{identifier}`: the name of a key ends in `Id`");
                faults.push(Fault::new(&source.path, number + 1, message));
            }
        }
    }
}

/// The first part of `identifier` that is retired and none of `own_terms`, if any.
fn retired_part(identifier: &str, own_terms: &[&str]) -> Option<String> {
    let mut parts = parts(identifier);
    for term in TERMS {
        while let Some(at) = parts.windows(term.len()).position(|window| window == *term) {
            parts.drain(at..at + term.len());
        }
    }
    parts
        .into_iter()
        .find(|part| IDENTIFIERS.contains(&part.as_str()) && !own_terms.contains(&part.as_str()))
}

/// `identifier` cut at underscores and where a capital begins a part, in lower case.
fn parts(identifier: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for piece in identifier.split('_') {
        let bytes = piece.as_bytes();
        let mut start = 0;
        for at in 1..bytes.len() {
            let begins = bytes[at].is_ascii_uppercase()
                && (!bytes[at - 1].is_ascii_uppercase()
                    || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase));
            if begins {
                parts.push(piece[start..at].to_ascii_lowercase());
                start = at;
            }
        }
        if start < piece.len() {
            parts.push(piece[start..].to_ascii_lowercase());
        }
    }
    parts
}

fn check_prose(path: &str, text: &str, faults: &mut Vec<Fault>) {
    for (number, line) in text.lines().enumerate() {
        let line = without_inline_code(line).to_ascii_lowercase();
        for phrase in PROSE {
            if contains_phrase(&line, phrase) {
                let message = format!("the vocabulary retired \"{phrase}\"");
                faults.push(Fault::new(path, number + 1, message));
            }
        }
    }
}

/// True if `line` has `phrase` as whole words; `one-way` is a term and does not count.
fn contains_phrase(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, found)| {
        let before = &line[..at];
        let after = &line[at + found.len()..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\u{2019}';
        !before.ends_with("one-")
            && !before.chars().next_back().is_some_and(is_part)
            && !after.chars().next().is_some_and(is_part)
    })
}

/// `text` with fenced code blocks blanked out, line for line.
fn without_fences(text: &str) -> String {
    let mut is_code = false;
    let mut kept = String::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        if !is_code && !is_fence {
            kept.push_str(line);
        }
        is_code ^= is_fence;
        kept.push('\n');
    }
    kept
}

/// `line` without what stands between backticks.
fn without_inline_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("` `")
}
