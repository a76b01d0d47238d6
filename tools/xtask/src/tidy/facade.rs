//! The surface of the facade: how many names it has, and that programs on top of it need no others.

use super::Fault;
use super::code::is_word;
use super::tree::{Source, Tree};

/// The root of the facade.
const ROOT: &str = "crates/wayfarer/src/lib.rs";
/// Most public types at the root.
const MAX_TYPES: usize = 120;
/// Most names in the prelude.
const MAX_PRELUDE: usize = 40;

/// Programs that use the facade and nothing below it, with the other crates of ours that they may
/// name: examples, front ends, benchmarks of whole games.
const PROGRAMS: [(&str, &[&str]); 10] = [
    ("crates/bevy_wayfarer/", &["wayfarer_counting"]),
    ("crates/wayfarer/examples/", &[]),
    ("crates/wayfarer_c/", &["wayfarer_c"]),
    ("crates/wayfarer_cli/src/castle", &["wayfarer_measure"]),
    ("crates/wayfarer_cli/src/command/demo/castle", &[]),
    ("crates/wayfarer_cluster/", &["wayfarer_cluster"]),
    ("crates/wayfarer_python/", &["wayfarer_python"]),
    ("crates/wayfarer_web/", &["wayfarer_web"]),
    ("tools/wayfarer_bench/src/skirmish", &["wayfarer_measure"]),
    ("tools/wayfarer_bench/src/world/", &[]),
];

/// The examples, and the lines that each has at most; the whole game is exempt.
const EXAMPLES: &str = "crates/wayfarer/examples/";
const MAX_EXAMPLE_LINES: usize = 59;
const WHOLE_GAME: &str = "skirmish";

/// Finds a surface that is too large, and programs that look below it.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    for source in &tree.sources {
        if source.path == ROOT {
            check_counts(source, faults);
        }
        let program = PROGRAMS
            .iter()
            .find(|(begin, _)| source.path.starts_with(begin));
        if let Some((_, allowed)) = program {
            check_names(source, allowed, faults);
        }
        check_example(source, faults);
    }
}

fn check_counts(source: &Source, faults: &mut Vec<Fault>) {
    let (root, prelude) = surface(&source.code);
    let is_type = |name: &&&str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let n_types = root.iter().filter(is_type).count();
    let mut expect = |what: &str, found: usize, most: usize| {
        if found > most {
            let message = format!("{found} {what}, at most {most}");
            faults.push(Fault::new(&source.path, 0, message));
        }
    };
    expect("public types at the root", n_types, MAX_TYPES);
    expect("names in the prelude", prelude.len(), MAX_PRELUDE);
    if root.contains(&"*") || prelude.contains(&"*") {
        let message = "a glob hides how many names are public";
        faults.push(Fault::new(&source.path, 0, message));
    }
}

/// The names that a crate root exports, and those of its prelude.
fn surface(code: &str) -> (Vec<&str>, Vec<&str>) {
    let prelude = code.find("pub mod prelude").unwrap_or(code.len());
    let end = code[prelude..]
        .find("\n}")
        .map_or(code.len(), |at| prelude + at);
    let mut root = exports(&code[..prelude]);
    root.extend(exports(&code[end..]));
    (root, exports(&code[prelude..end]))
}

/// The last words of what `pub use`, `pub struct` and their kin export.
fn exports(code: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, item) in code.match_indices("pub ") {
        let is_whole = !code[..at].bytes().next_back().is_some_and(is_word);
        let rest = &code[at + item.len()..];
        let (keyword, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match keyword {
            "use" if is_whole => {
                let list = rest.split(';').next().unwrap_or_default();
                names.extend(list.split([',', '{', '}']).filter_map(last_word));
            }
            "struct" | "enum" | "trait" | "type" | "union" if is_whole => {
                let word = rest.split(|c: char| !c.is_ascii() || !is_word(c as u8));
                names.extend(word.take(1));
            }
            _ => {}
        }
    }
    names
}

/// `c` of `a::b::c` and of `a::b as c`; nothing for the path before a brace.
fn last_word(path: &str) -> Option<&str> {
    let path = path.trim();
    let path = path.rsplit(" as ").next().unwrap_or(path);
    let word = path.rsplit("::").next().unwrap_or(path).trim();
    (!word.is_empty()).then_some(word)
}

/// Refuses the engine and crates below the facade.
fn check_names(source: &Source, allowed: &[&str], faults: &mut Vec<Fault>) {
    for (line, code) in (1..).zip(source.code.lines()) {
        for (at, _) in code.match_indices("wayfarer") {
            let begins = !code[..at].bytes().next_back().is_some_and(is_word);
            let rest = &code[at..];
            let end = rest.bytes().position(|byte| !is_word(byte));
            let name = &rest[..end.unwrap_or(rest.len())];
            let is_engine = name == "wayfarer" && rest[name.len()..].starts_with("::engine");
            let is_below = name.starts_with("wayfarer_") && !allowed.contains(&name);
            if begins && (is_engine || is_below) {
                let message = "programs on the facade name the crate `wayfarer` alone";
                faults.push(Fault::new(&source.path, line, message));
            }
        }
        if code.contains(".engine()") {
            let message = "programs on the facade do not look below it";
            faults.push(Fault::new(&source.path, line, message));
        }
    }
}

fn check_example(source: &Source, faults: &mut Vec<Fault>) {
    let Some(name) = source.path.strip_prefix(EXAMPLES) else {
        return;
    };
    let n_lines = source.text.lines().count();
    if n_lines > MAX_EXAMPLE_LINES && !name.starts_with(WHOLE_GAME) {
        let message = format!("{n_lines} lines, an example has at most {MAX_EXAMPLE_LINES}");
        faults.push(Fault::new(&source.path, 0, message));
    }
}
