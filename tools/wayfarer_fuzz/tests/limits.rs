//! The page of limits names a test for every row, and these tests exist.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources of a folder, one after another.
fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|found| found == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn a_test_exists_for_every_row_of_the_limits() {
    let page = std::fs::read_to_string(root().join("docs/design/limits.md")).unwrap();
    let mut text = String::new();
    sources(&root().join("crates"), &mut text);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    let rows = rows.iter().filter(|row| !row.starts_with("| limit |"));
    let mut n_rows = 0;
    for row in rows {
        let last = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let tests: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test in {row}");
        for test in tests {
            let is_there = text.contains(&format!("#[test]\nfn {test}()"))
                || text.contains(&format!("#[test]\n    fn {test}()"));
            assert!(is_there, "{test} does not exist");
        }
        n_rows += 1;
    }
    assert!(n_rows > 40, "{n_rows} rows");
}
