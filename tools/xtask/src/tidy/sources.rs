//! Rules of every source file: maximum length, a module doc, no unfinished code, no unsafe code.

use super::Fault;
use super::code::is_word;
use super::tree::{Source, Tree};

/// Maximum lines of a file; tests are exempt.
const MAX_LINES: usize = 700;
/// The only crate with unsafe code.
const UNSAFE_CRATE: &str = "tools/wayfarer_counting/";

/// Finds scripts that are too long, say nothing about themselves or switch the type checker off.
pub(super) fn check_scripts(tree: &Tree, faults: &mut Vec<Fault>) {
    for (path, text) in &tree.scripts {
        let n_lines = text.lines().count();
        if n_lines > MAX_LINES {
            let message = format!("{n_lines} lines, at most {MAX_LINES}: split it");
            faults.push(Fault::new(path, 0, message));
        }
        let is_settings = path.ends_with(".config.ts");
        if !is_settings && !text.starts_with("/** ") && !text.starts_with("// ") {
            let message = "expected a first line that states what this file does";
            faults.push(Fault::new(path, 1, message));
        }
        for (number, line) in (1..).zip(text.lines()) {
            let is_off = ["@ts-ignore", "@ts-nocheck", ": any", "as any", "<any>"]
                .iter()
                .any(|word| line.contains(word));
            if is_off {
                let message = "the type checker is not switched off: name the type";
                faults.push(Fault::new(path, number, message));
            }
        }
    }
}

/// Finds files that are too long, lack a module doc or are unfinished.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    for source in &tree.sources {
        check_length(source, faults);
        check_sentence(source, faults);
        check_finished(source, faults);
        check_paths(source, faults);
        if source.path.ends_with("/mod.rs") {
            let message = "mod.rs is not used: `ground.rs` lies beside `ground/`";
            faults.push(Fault::new(&source.path, 0, message));
        }
        if !source.path.starts_with(UNSAFE_CRATE) {
            for line in lines_with(&source.code, "unsafe_code") {
                let message = format!("unsafe code is allowed in {UNSAFE_CRATE} only");
                faults.push(Fault::new(&source.path, line, message));
            }
        }
    }
}

/// Modules from files outside the crate are missing in its package.
fn check_paths(source: &Source, faults: &mut Vec<Fault>) {
    let folder = source
        .path
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    // Folders between the root of the crate, `crates/name`, and the file.
    let depth = folder.split('/').count().saturating_sub(2);
    for line in lines_with(&source.code, "#[path") {
        let text = source.text.lines().nth(line - 1).unwrap_or_default();
        if text.matches("../").count() > depth {
            let message = "the file lies outside the crate and would miss in its package";
            faults.push(Fault::new(&source.path, line, message));
        }
    }
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

fn check_length(source: &Source, faults: &mut Vec<Fault>) {
    let n_lines = source.text.lines().count();
    if n_lines > MAX_LINES && !is_test(&source.path) {
        let message = format!("{n_lines} lines, at most {MAX_LINES}: split it");
        faults.push(Fault::new(&source.path, 0, message));
    }
}

/// The file starts with `//!` and at least two words that end like a sentence.
fn check_sentence(source: &Source, faults: &mut Vec<Fault>) {
    let is_unit_test = is_test(&source.path) && source.path.contains("/src/");
    if is_unit_test {
        return;
    }
    let mut words = Vec::new();
    for line in source.text.lines() {
        match line.strip_prefix("//!").map(str::trim) {
            None | Some("") => break,
            Some(text) => words.extend(text.split_whitespace()),
        }
    }
    let ends = words
        .last()
        .is_some_and(|word| word.ends_with(['.', ':', '?', '!']));
    if words.len() < 2 || !ends {
        let message = "expected a module doc: `//! A sentence that states what this module does.`";
        faults.push(Fault::new(&source.path, 1, message));
    }
}

fn check_finished(source: &Source, faults: &mut Vec<Fault>) {
    for word in ["todo!", "unimplemented!", "#[ignore", "#![allow", "#[allow"] {
        let message = match word {
            "#[ignore" => "repair or remove a test that does not run",
            "#![allow" | "#[allow" => {
                "use `expect(…, reason = …)`, which warns once it is needless"
            }
            _ => "unfinished code",
        };
        for line in lines_with(&source.code, word) {
            faults.push(Fault::new(
                &source.path,
                line,
                format!("`{word}`: {message}"),
            ));
        }
    }
    for (index, line) in source.text.lines().enumerate() {
        let line = line.trim_start();
        let document = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let fence = document.and_then(|text| text.trim_start().strip_prefix("```"));
        let mut marks = fence.unwrap_or_default().split(',').map(str::trim);
        if marks.any(|mark| mark.starts_with("ignore") || mark == "no_run") {
            let message = "a documentation example must run";
            faults.push(Fault::new(&source.path, index + 1, message));
        }
    }
}

/// The lines of `code` that contain `word` as a whole word.
fn lines_with<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let contains = move |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            let before = line[..at].bytes().next_back();
            let after = line[at + word.len()..].bytes().next();
            let begins = !word.starts_with(char::is_alphabetic) || !before.is_some_and(is_word);
            begins && (!word.ends_with(char::is_alphabetic) || !after.is_some_and(is_word))
        })
    };
    let lines = code.lines().enumerate();
    lines.filter_map(move |(index, line)| contains(line).then_some(index + 1))
}
