//! Domain isolation: no domain of `wayfarer_world` (ground, air, obstacles, bodies) imports another.

use super::Fault;
use super::code::is_word;
use super::tree::Tree;

/// The folder of the domains, each a module.
const FOLDER: &str = "crates/wayfarer_world/src/";
/// Modules that every domain may import.
const SHARED: [&str; 1] = ["solid"];

/// Finds imports of one domain by another.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    let files: Vec<(&str, &str, &str)> = tree
        .sources
        .iter()
        .filter_map(|source| {
            let inner = source.path.strip_prefix(FOLDER)?;
            Some((source.path.as_str(), inner, source.code.as_str()))
        })
        .filter(|(_, inner, _)| *inner != "lib.rs")
        .collect();
    let domains: Vec<&str> = files.iter().map(|(_, inner, _)| domain_of(inner)).collect();
    for (path, inner, code) in &files {
        let own = domain_of(inner);
        let depth = inner.matches('/').count() + 1;
        for (at, name) in from_the_root(code, depth) {
            let is_domain = domains.contains(&name.word);
            let is_allowed = name.word == own || SHARED.contains(&name.word);
            if !is_allowed && (name.by_crate || is_domain) {
                let line = code[..at].matches('\n').count() + 1;
                let message = format!(
                    "`{own}` may not use `{}`: domains do not import each other; shared is {}",
                    name.word,
                    SHARED.join(", ")
                );
                faults.push(Fault::new(path, line, message));
            }
        }
    }
}

/// The first word of `ground/regions.rs` or `ground.rs`.
fn domain_of(inner: &str) -> &str {
    let first = inner.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
}

struct Name<'a> {
    word: &'a str,
    /// True for `crate::…`, false for `super::…`.
    by_crate: bool,
}

/// The names that a module `depth` levels below the root takes from the root, with offsets.
fn from_the_root(code: &str, depth: usize) -> Vec<(usize, Name<'_>)> {
    let mut found = Vec::new();
    let mut add = |at: usize, after: usize, by_crate: bool| {
        for word in first_words(&code[after..]) {
            found.push((at, Name { word, by_crate }));
        }
    };
    for (at, path) in code.match_indices("crate::") {
        if begins_a_path(code, at) {
            add(at, at + path.len(), true);
        }
    }
    for (at, step) in code.match_indices("super::") {
        if begins_a_path(code, at) {
            let mut after = at;
            let mut n_steps = 0;
            while code[after..].starts_with(step) {
                after += step.len();
                n_steps += 1;
            }
            if n_steps >= depth {
                add(at, after, false);
            }
        }
    }
    found
}

fn begins_a_path(code: &str, at: usize) -> bool {
    let before = code[..at].bytes().next_back();
    !before.is_some_and(|byte| is_word(byte) || byte == b':' || byte == b'$')
}

/// The first word of each path in `a::b` or `{a::b, c}`.
fn first_words(rest: &str) -> Vec<&str> {
    let Some(group) = rest.strip_prefix('{') else {
        return vec![first_word(rest)];
    };
    let mut words = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in group.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            b',' | b'}' if depth == 0 => {
                words.push(first_word(&group[start..at]));
                start = at + 1;
                if byte == b'}' {
                    break;
                }
            }
            _ => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.bytes().position(|byte| !is_word(byte));
    &text[..end.unwrap_or(text.len())]
}
