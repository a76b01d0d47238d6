use std::fs;
use std::path::PathBuf;

use super::*;

/// A small workspace without faults in a temporary folder, removed on drop.
struct TestWorkspace {
    root: PathBuf,
}

impl TestWorkspace {
    fn new(name: &str) -> Self {
        let folder = format!("wayfarer-tidy-{}-{name}", std::process::id());
        let root = std::env::temp_dir().join(folder);
        let workspace = Self { root };
        workspace.remove();
        for (path, text) in TIDY {
            workspace.put(path, text);
        }
        workspace
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn faults(&self) -> Vec<String> {
        let (faults, _) = check(&self.root).unwrap();
        faults.iter().map(Fault::to_string).collect()
    }

    fn remove(&self) {
        if self.root.exists() {
            fs::remove_dir_all(&self.root).unwrap();
        }
    }
}

impl Drop for TestWorkspace {
    fn drop(&mut self) {
        self.remove();
    }
}

const TIDY: [(&str, &str); 9] = [
    (
        "Cargo.toml",
        "[workspace.package]\nversion = \"0.3.0\"\nrust-version = \"1.95\"\n",
    ),
    ("README.md", "Version 0.3.0, for Rust 1.95 or later.\n"),
    ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n"),
    (
        "ARCHITECTURE.md",
        "Begin with `crates/low/src/lib.rs` or `low/src`; `a + b / c` is no path.\n\
         \n\
         | layer | crate | lives there | may depend on | from outside |\n\
         |---|---|---|---|---|\n\
         | L0 | `low` | words | nothing | `hash` |\n\
         | L1 | `wayfarer_world` | worlds | `low` | |\n\
         | tests | all | | `kit` | `prop` |\n",
    ),
    ("crates/low/Cargo.toml", LOW),
    ("crates/low/src/lib.rs", "//! Words for all.\n"),
    (
        "crates/wayfarer_world/Cargo.toml",
        "[package]\nname = \"wayfarer_world\"\nversion.workspace = true\n\
         [lints]\nworkspace = true\n[dependencies]\nlow.workspace = true\n",
    ),
    (
        "crates/wayfarer_world/src/lib.rs",
        "//! What the world is.\npub mod air;\n",
    ),
    (
        "crates/wayfarer_world/src/air.rs",
        "//! The air: see `crate::ground`.\nuse crate::solid::Solid;\nuse crate::{air::x, solid};\n",
    ),
];

const LOW: &str = "[package]\nname = \"low\"\nversion.workspace = true\n\
    [lints]\nworkspace = true\n[dependencies]\nhash = \"1\"\n[dev-dependencies]\nprop = \"1\"\nkit.workspace = true\n";

/// Adds one file to the workspace and expects exactly these faults.
fn check_refused(name: &str, path: &str, text: &str, expected: &[&str]) {
    let workspace = TestWorkspace::new(name);
    workspace.put(path, text);
    assert_eq!(workspace.faults(), expected, "{name}");
}

#[test]
fn a_tidy_workspace_has_no_fault() {
    assert_eq!(TestWorkspace::new("tidy").faults(), Vec::<String>::new());
}

#[test]
fn this_workspace_is_tidy() {
    let (faults, n_files) = check(&crate::root()).unwrap();
    let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_files > 50);
}

#[test]
fn a_dependency_on_a_higher_layer_is_refused() {
    let manifest = format!("{LOW}[dependencies.wayfarer_world]\nworkspace = true\n");
    check_refused(
        "higher-layer",
        "crates/low/Cargo.toml",
        &manifest,
        &[
            "crates/low/Cargo.toml:11: `low` may not use `wayfarer_world`: ARCHITECTURE.md:5 does not allow it",
        ],
    );
}

#[test]
fn an_external_dependency_outside_the_table_is_refused_in_every_notation() {
    let written = [
        "serde = \"1\"\n",
        "serde.workspace = true\n",
        "\"serde\" = { version = \"1\" }\n",
        "other = { version = \"1\", package = \"serde\" }\n",
        "hash2 = [\n  \"a\",\n]\n[dependencies.other]\npackage = \"serde\"\n",
        "[target.'cfg(unix)'.dependencies]\nserde = \"1\"\n",
        "[build-dependencies]\nserde = \"1\"\n",
    ];
    for (index, lines) in written.iter().enumerate() {
        let workspace = TestWorkspace::new(&format!("foreign-{index}"));
        workspace.put(
            "crates/low/Cargo.toml",
            &LOW.replace("hash = \"1\"\n", lines),
        );
        let faults = workspace.faults();
        let named = |fault: &String| fault.contains("`low` may not use `serde`");
        assert!(faults.iter().any(named), "{lines}: {faults:?}");
    }
}

#[test]
fn a_dependency_for_tests_alone_is_refused_in_code() {
    check_refused(
        "prop",
        "crates/low/Cargo.toml",
        &LOW.replace("hash = \"1\"", "prop = \"1\""),
        &["crates/low/Cargo.toml:7: `low` may not use `prop`: ARCHITECTURE.md:5 does not allow it"],
    );
}

#[test]
fn a_crate_outside_the_table_and_a_row_without_a_crate_are_refused() {
    check_refused(
        "unknown-crate",
        "crates/low/Cargo.toml",
        &LOW.replace("\"low\"", "\"lower\""),
        &[
            "ARCHITECTURE.md:5: the table of layers names `low`, which does not exist",
            "crates/low/Cargo.toml: `lower` has no row in the table of layers in ARCHITECTURE.md",
        ],
    );
}

#[test]
fn a_crate_without_workspace_lints_or_version_is_refused() {
    check_refused(
        "lints",
        "crates/low/Cargo.toml",
        "[package]\nname = \"low\"\nversion = \"1.0.0\"\n",
        &[
            "crates/low/Cargo.toml: expected `version.workspace = true` in [package]",
            "crates/low/Cargo.toml: expected `workspace = true` in [lints]",
        ],
    );
}

#[test]
fn a_document_without_the_table_is_refused() {
    check_refused(
        "no-table",
        "ARCHITECTURE.md",
        "No table.\n",
        &[
            "ARCHITECTURE.md: no table of layers: expected a heading with the columns layer | crate | may depend on | from outside",
        ],
    );
}

#[test]
fn a_file_over_700_lines_is_refused_unless_it_holds_tests() {
    let long = format!("//! A long file.\n{}", "\n".repeat(700));
    let path = "crates/low/src/long.rs";
    let expected = format!("{path}: 701 lines, at most 700: split it");
    check_refused("long", path, &long, &[&expected]);
    check_refused("long-tests", "crates/low/src/long/tests.rs", &long, &[]);
    let short = format!("//! A long file.\n{}", "\n".repeat(699));
    check_refused("short", path, &short, &[]);
}

#[test]
fn a_file_without_a_module_doc_is_refused_unless_it_holds_tests() {
    let path = "crates/low/src/silent.rs";
    let expected = format!(
        "{path}:1: expected a module doc: `//! A sentence that states what this module does.`"
    );
    let quiet = [
        "",
        "pub fn f() {}\n",
        "\n//! Too late.\n",
        "// Not a document.\n",
        "//!\n",
        "//! silent\n",
        "//! no full stop\n",
    ];
    for (index, text) in quiet.iter().enumerate() {
        check_refused(&format!("silent-{index}"), path, text, &[&expected]);
    }
    check_refused(
        "silent-tests",
        "crates/low/src/silent/tests.rs",
        "use super::*;\n",
        &[],
    );
    check_refused(
        "two-lines",
        path,
        "//! One sentence\n//! on two lines.\n",
        &[],
    );
}

#[test]
fn a_script_without_a_first_line_or_without_types_is_refused() {
    let path = "crates/wayfarer_web/page/src/main.ts";
    let cases = [
        (
            "export {};\n".to_owned(),
            ":1: expected a first line that states what this file does",
        ),
        (
            "/** A view. */\nexport const view: any = 1;\n".to_owned(),
            ":2: the type checker is not switched off: name the type",
        ),
        (
            format!("/** A view. */\n{}", "export {};\n".repeat(700)),
            ": 701 lines, at most 700: split it",
        ),
    ];
    for (number, (text, expected)) in cases.iter().enumerate() {
        let expected = format!("{path}{expected}");
        check_refused(&format!("script-{number}"), path, text, &[&expected]);
    }
    check_refused("script", path, "/** A view. */\nexport {};\n", &[]);
}

#[test]
fn a_dead_path_in_the_architecture_is_refused() {
    for (index, dead) in ["crates/low/src/gone.rs", "low/gone/", "gone.md"]
        .iter()
        .enumerate()
    {
        let text = TIDY[3].1.replace("crates/low/src/lib.rs", dead);
        let expected = format!("ARCHITECTURE.md:1: `{dead}` does not exist");
        check_refused(
            &format!("dead-{index}"),
            "ARCHITECTURE.md",
            &text,
            &[&expected],
        );
    }
}

#[test]
fn a_dead_link_in_any_document_is_refused() {
    check_refused(
        "link",
        "docs/a/note.md",
        "See [the words](../../crates/low/src/lib.rs#here), [this](https://x.org/y) and [that](gone.md).\n\
         ```\n[code](is not a link)\n```\n",
        &["docs/a/note.md:1: the target of the link to gone.md does not exist"],
    );
}

#[test]
fn a_module_outside_its_crate_is_refused() {
    check_refused(
        "outside",
        "crates/low/src/part.rs",
        "//! A part of it.\n\n#[path = \"../tests/word.rs\"]\nmod word;\n\
         #[path = \"../../high/src/word.rs\"]\nmod other;\n",
        &[
            "crates/low/src/part.rs:5: the file lies outside the crate and would miss in its \
             package",
        ],
    );
}

#[test]
fn mod_rs_is_refused() {
    check_refused(
        "mod",
        "crates/low/src/part/mod.rs",
        "//! A part of it.\n",
        &["crates/low/src/part/mod.rs: mod.rs is not used: `ground.rs` lies beside `ground/`"],
    );
}

#[test]
fn a_domain_that_imports_its_sibling_is_refused_in_every_notation() {
    let written = [
        "use crate::ground::Region;",
        "use crate::{solid, ground::{self, Region}};",
        "fn f() -> crate::ground::Region {}",
        "use super::ground;",
        // Re-exports of the crate root do not circumvent the rule.
        "use crate::Region;",
        "use crate::*;",
    ];
    for (index, line) in written.iter().enumerate() {
        let workspace = TestWorkspace::new(&format!("sibling-{index}"));
        workspace.put(
            "crates/wayfarer_world/src/ground.rs",
            "//! The ground is here.\n",
        );
        workspace.put(
            "crates/wayfarer_world/src/air.rs",
            &format!("//! The air is here.\n\n{line}\n"),
        );
        let faults = workspace.faults();
        assert_eq!(faults.len(), 1, "{line}: {faults:?}");
        let start = "crates/wayfarer_world/src/air.rs:3: `air` may not use `";
        assert!(faults[0].starts_with(start), "{line}: {faults:?}");
    }
    check_refused(
        "sibling-deep",
        "crates/wayfarer_world/src/ground/regions.rs",
        "//! The ground's own air shaft is not the air.\nuse super::air;\nuse super::super::air;\n",
        &[
            "crates/wayfarer_world/src/ground/regions.rs:3: `ground` may not use `air`: domains do not import each other; shared is solid",
        ],
    );
}

#[test]
fn unfinished_code_and_tests_that_do_not_run_are_refused() {
    let path = "crates/low/src/part.rs";
    let written = [
        ("fn f() { todo!() }", "`todo!`: unfinished code"),
        (
            "fn f() { unimplemented!(\"x\") }",
            "`unimplemented!`: unfinished code",
        ),
        (
            "#[ignore = \"slow\"]",
            "`#[ignore`: repair or remove a test that does not run",
        ),
        (
            "#[allow(dead_code)]",
            "`#[allow`: use `expect(…, reason = …)`, which warns once it is needless",
        ),
        ("/// ```no_run", "a documentation example must run"),
        ("/// ```rust,ignore", "a documentation example must run"),
        (
            "#![expect(unsafe_code)]",
            "unsafe code is allowed in tools/wayfarer_counting/ only",
        ),
    ];
    for (index, (line, message)) in written.iter().enumerate() {
        let text = format!("//! A part of it.\n{line}\n");
        let expected = format!("{path}:2: {message}");
        check_refused(&format!("unfinished-{index}"), path, &text, &[&expected]);
    }
}

#[test]
fn comments_and_literals_do_not_violate_a_rule_of_code() {
    let text = "//! Says `todo!` in words.\n\
        // todo!()\n\
        /* todo!() /* todo!() */ todo!() */\n\
        const A: &str = \"todo!() \\\" todo!()\";\n\
        const B: &str = r#\"todo!() \" todo!()\"#;\n\
        const C: [char; 3] = ['\"', '\\'', 'é'];\n\
        fn f<'a>(x: &'a str) -> &'a str { x }\n\
        fn my_todo() {}\n";
    check_refused("words", "crates/low/src/words.rs", text, &[]);
    let after = format!("{text}fn g() {{ todo!() }}\n");
    let expected = "crates/low/src/words.rs:9: `todo!`: unfinished code";
    check_refused(
        "words-then-code",
        "crates/low/src/words.rs",
        &after,
        &[expected],
    );
}

#[test]
fn versions_that_differ_are_refused() {
    let version = "README.md: expected `Version 0.3.0`, as in Cargo.toml, and no other";
    let rust = "README.md: expected `Rust 1.95`, as in Cargo.toml, and no other";
    check_refused(
        "versions",
        "README.md",
        "Version 0.2.9, Rust 1.9.\n",
        &[rust, version],
    );
    check_refused("none", "README.md", "Hello.\n", &[rust, version]);
}

#[test]
fn a_changelog_without_unreleased_is_refused() {
    check_refused(
        "changelog",
        "CHANGELOG.md",
        "# Changelog\n\n## 0.3.0\n",
        &["CHANGELOG.md: expected the heading `## Unreleased`"],
    );
}

#[test]
fn an_example_without_a_list_entry_or_a_snapshot_is_refused() {
    let workspace = TestWorkspace::new("examples");
    let path = "crates/wayfarer/examples/find.rs";
    workspace.put(path, "//! Finds a path.\n");
    assert_eq!(
        workspace.faults(),
        [
            format!("{path}: no snapshot find.out; UPDATE=1 cargo xtask test --only examples"),
            format!("{path}: not listed in crates/wayfarer/examples/README.md"),
        ]
    );
    workspace.put("crates/wayfarer/examples/README.md", "- [find](find.rs)\n");
    workspace.put("crates/wayfarer/examples/find.out", "a path\n");
    assert_eq!(workspace.faults(), Vec::<String>::new());
}

#[test]
fn a_front_page_with_too_few_or_missing_examples_is_refused() {
    let workspace = TestWorkspace::new("front_page");
    let page = "crates/wayfarer/src/lib.rs";
    let row = "//! | find a path | `find` |\n";
    workspace.put(
        page,
        &format!("//! Navigation in worlds that change.\n//!\n{row}"),
    );
    assert_eq!(
        workspace.faults(),
        [
            format!("{page}: 1 examples in its tables, expected 10"),
            format!("{page}:3: no example find"),
        ]
    );
    workspace.put("crates/wayfarer/examples/find.rs", "//! Finds a path.\n");
    workspace.put("crates/wayfarer/examples/README.md", "- [find](find.rs)\n");
    workspace.put("crates/wayfarer/examples/find.out", "a path\n");
    workspace.put(
        page,
        &format!(
            "//! Navigation in worlds that change.\n//!\n{}",
            row.repeat(10)
        ),
    );
    assert_eq!(workspace.faults(), Vec::<String>::new());
}

/// The faults of one source file with this line after its module doc, without the path.
fn word_faults(name: &str, line: &str) -> Vec<String> {
    let workspace = TestWorkspace::new(&format!("words-{name}"));
    let path = "crates/low/src/part.rs";
    workspace.put(path, &format!("//! A part of it.\n{line}\n"));
    let faults = workspace.faults().into_iter();
    let prefix = format!("{path}:2: ");
    faults
        .map(|fault| fault.trim_start_matches(&prefix).to_owned())
        .collect()
}

#[test]
fn an_identifier_with_a_retired_part_is_refused_in_every_case() {
    let cases = [
        ("fn find_way() {}", "find_way", "way"),
        ("struct FieldSearcher;", "FieldSearcher", "field"),
        ("struct TheWay;", "TheWay", "way"),
        ("const LARGEST_VIEW: u32 = 1;", "LARGEST_VIEW", "view"),
        ("type HTTPView = u32;", "HTTPView", "view"),
        ("let neighbour2 = 1;", "neighbour2", ""),
        ("let centre = 1;", "centre", "centre"),
    ];
    for (index, (line, identifier, part)) in cases.into_iter().enumerate() {
        let expected: Vec<String> = match part {
            "" => Vec::new(), // A digit is part of the word.
            part => vec![format!("`{identifier}`: the vocabulary retired `{part}`")],
        };
        let found = word_faults(&format!("identifier-{index}"), line);
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn terms_of_the_field_with_a_retired_part_are_allowed() {
    let lines = [
        "fn field_of_view(fields_of_view: u32) {}",
        "struct FieldOfView;",
        "struct FlowField { flow_field: u32 }",
        "fn is_one_way(x: OneWay) {}",
        "struct BufferView;",
        "fn always(runway: u32, viewer: u32) {}",
        "const KEYWORD: &str = \"passage way\";",
        "const QUOTED: char = 'w'; const RAW: &str = r#\"a \"way\" \"#;",
    ];
    for (index, line) in lines.iter().enumerate() {
        let found = word_faults(&format!("allowed-{index}"), line);
        assert_eq!(found, Vec::<String>::new(), "{line}");
    }
}

#[test]
fn a_type_name_that_ends_in_name_is_refused() {
    for (index, keyword) in ["struct", "enum", "type", "trait"].iter().enumerate() {
        let found = word_faults(&format!("name-{index}"), &format!("{keyword} VolumeName"));
        assert_eq!(found, ["`VolumeName`: the name of a key ends in `Id`"]);
    }
    assert_eq!(
        word_faults("name-fn", "fn f(x: VolumeName)"),
        Vec::<String>::new()
    );
    assert_eq!(
        word_faults("name-own", "struct Name;"),
        Vec::<String>::new()
    );
}

#[test]
fn retired_words_and_phrases_are_refused_in_comments() {
    let cases = [
        ("// The way there.", "way"),
        ("/// Somebody moves.", "somebody"),
        ("/* Told twice. */", "told"),
        ("// As the paper states.", "the paper"),
        ("// One can pass.", "one can"),
        ("// It hangs together.", "hangs together"),
        ("// (colour)", "colour"),
    ];
    for (index, (line, phrase)) in cases.into_iter().enumerate() {
        let expected = format!("the vocabulary retired \"{phrase}\"");
        let found = word_faults(&format!("prose-{index}"), line);
        assert_eq!(found, [expected], "{line}");
    }
    let allowed = [
        "// A one-way link, always away from the runway.",
        "// The keyword `way` of the format.",
        "// One cannon, the papers.",
    ];
    for (index, line) in allowed.iter().enumerate() {
        let found = word_faults(&format!("prose-allowed-{index}"), line);
        assert_eq!(found, Vec::<String>::new(), "{line}");
    }
}

#[test]
fn retired_words_are_refused_in_documents_outside_code() {
    check_refused(
        "words-document",
        "docs/note.md",
        "A path; `way` is a keyword, and one-way is a term.\n```\nway 1 2\n```\nThe way.\n",
        &["docs/note.md:5: the vocabulary retired \"way\""],
    );
}

#[test]
fn comments_are_separated_from_code_and_literals() {
    let text = "let a = \"// no\"; // yes\n/* both\nlines */ let b = 'c';\n";
    let expected = format!(
        "{}// yes\n/* both\nlines */{}\n",
        " ".repeat(17),
        " ".repeat(13)
    );
    assert_eq!(code::comments_only(text), expected);
    let code = format!(
        "let a = {}; {}\n{}\n{} let b = {};\n",
        " ".repeat(7),
        " ".repeat(6),
        " ".repeat(7),
        " ".repeat(8),
        " ".repeat(3)
    );
    assert_eq!(code::without_comments(text), code);
}

#[test]
fn a_citation_of_an_unlisted_reference_is_refused() {
    let workspace = TestWorkspace::new("citations");
    let table =
        "# References\n\n| key | reference |\n|---|---|\n| Harabor2011 | Online pruning |\n";
    workspace.put("docs/references.md", table);
    workspace.put(
        "crates/low/src/part.rs",
        "//! Jump points \\[Harabor2011, relative\\] and [Nash2010].\n\
         // See [`Cell`], [Smith] and \\[Harabor2011, Pohl1970\\].\n\
         const A: &str = \"[Else1999]\";\n",
    );
    workspace.put("docs/note.md", "As in [Dial1969].\n");
    let path = "crates/low/src/part.rs";
    assert_eq!(
        workspace.faults(),
        [
            format!("{path}:1: [Nash2010] is not listed in docs/references.md"),
            format!("{path}:2: [Pohl1970] is not listed in docs/references.md"),
            "docs/note.md:1: [Dial1969] is not listed in docs/references.md".to_owned(),
        ]
    );
}

/// A root of the facade with its table of examples, and the files that the table needs.
fn with_facade(name: &str, code: &str) -> TestWorkspace {
    let workspace = TestWorkspace::new(name);
    let rows = "//! | find a path | `find` |\n".repeat(10);
    let text = format!("//! Navigation in worlds that change.\n//!\n{rows}{code}");
    workspace.put("crates/wayfarer/src/lib.rs", &text);
    workspace.put("crates/wayfarer/examples/find.rs", "//! Finds a path.\n");
    workspace.put("crates/wayfarer/examples/README.md", "- [find](find.rs)\n");
    workspace.put("crates/wayfarer/examples/find.out", "a path\n");
    workspace
}

#[test]
fn a_facade_with_too_many_types_or_names_is_refused() {
    let names = |n: usize| {
        let names: Vec<String> = (0..n).map(|index| format!("T{index}")).collect();
        names.join(", ")
    };
    let code = |n_types: usize, n_names: usize| {
        format!(
            "#[doc(hidden)]\npub use inner as engine;\npub(crate) use a::{{Hidden}};\n\
             pub use a::{{{}}};\npub use a::b as Last;\npub struct Own;\n\
             pub mod prelude {{\n    pub use crate::{{{}}};\n}}\n",
            names(n_types - 2),
            names(n_names)
        )
    };
    let path = "crates/wayfarer/src/lib.rs";
    let largest = with_facade("surface", &code(120, 40));
    assert_eq!(largest.faults(), Vec::<String>::new());
    let too_large = with_facade("surface_too_large", &code(121, 41));
    assert_eq!(
        too_large.faults(),
        [
            format!("{path}: 121 public types at the root, at most 120"),
            format!("{path}: 41 names in the prelude, at most 40"),
        ]
    );
    let glob = with_facade("surface_glob", "pub use inner::*;\n");
    let message = "a glob hides how many names are public";
    assert_eq!(glob.faults(), [format!("{path}: {message}")]);
}

#[test]
fn an_example_that_looks_below_the_facade_or_is_long_is_refused() {
    let path = "crates/wayfarer/examples/find.rs";
    let names = "programs on the facade name the crate `wayfarer` alone";
    for (number, line, message) in [
        (0, "use wayfarer::engine::base::Cell;", names),
        (1, "use wayfarer_engine::World;", names),
        (2, "fn f() -> wayfarer_search::X {}", names),
        (
            3,
            "fn f(w: World) { w.engine(); }",
            "programs on the facade do not look below it",
        ),
    ] {
        let workspace = with_facade(&format!("below_{number}"), "");
        workspace.put(path, &format!("//! Finds a path.\n{line}\n"));
        assert_eq!(workspace.faults(), [format!("{path}:2: {message}")]);
        // A benchmark of a whole game may use the frame of measurements besides.
        workspace.put(path, "//! Finds a path.\nuse wayfarer::prelude::*;\n");
        let bench = "tools/wayfarer_bench/src/skirmish.rs";
        workspace.put(bench, "//! A whole game.\nuse wayfarer_measure::x;\n");
        assert_eq!(workspace.faults(), Vec::<String>::new());
        workspace.put(bench, &format!("//! A whole game.\n{line}\n"));
        assert_eq!(workspace.faults(), [format!("{bench}:2: {message}")]);
    }
    let workspace = with_facade("long", "");
    let text = format!("//! Finds a path.\n{}", "// A line.\n".repeat(59));
    workspace.put(path, &text);
    let message = "60 lines, an example has at most 59";
    assert_eq!(workspace.faults(), [format!("{path}: {message}")]);
}

#[test]
fn a_workspace_of_its_own_that_differs_is_refused() {
    let workspace = TestWorkspace::new("own");
    let shared = "[workspace.lints.rust]\nunsafe_code = \"deny\"\n";
    let package = |version: &str| {
        format!("[workspace.package]\nversion = \"{version}\"\nrust-version = \"1.95\"\n")
    };
    workspace.put("Cargo.toml", &(package("0.3.0") + shared));
    workspace.put("crates/low/Cargo.toml", &(package("0.3.0") + shared + LOW));
    assert_eq!(workspace.faults(), Vec::<String>::new());
    workspace.put("crates/low/Cargo.toml", &(package("0.2.0") + LOW));
    let expected = [
        "crates/low/Cargo.toml: `version` differs from that of the main workspace",
        "crates/low/Cargo.toml: the lints differ from those of the main workspace",
    ];
    assert_eq!(workspace.faults(), expected);
}

#[test]
fn the_terms_of_a_framework_are_those_of_its_crate_alone() {
    let workspace = TestWorkspace::new("framework");
    let table = &TIDY[3].1;
    let row = "| L5 | `bevy_wayfarer` | plugin | nothing | |\n| tests";
    workspace.put("ARCHITECTURE.md", &table.replace("| tests", row));
    let manifest = LOW
        .replace("low", "bevy_wayfarer")
        .replace("hash = \"1\"\n", "");
    workspace.put("crates/bevy_wayfarer/Cargo.toml", &manifest);
    let text = "//! The plugin of a framework.\nfn entity() {}\n";
    workspace.put("crates/bevy_wayfarer/src/lib.rs", text);
    assert_eq!(workspace.faults(), Vec::<String>::new());
    workspace.put("crates/low/src/lib.rs", text);
    let expected = ["crates/low/src/lib.rs:2: `entity`: the vocabulary retired `entity`"];
    assert_eq!(workspace.faults(), expected);
}
