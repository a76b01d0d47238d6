//! Layering: every dependency in a manifest is allowed by the table in ARCHITECTURE.md.

use std::collections::BTreeMap;

use super::Fault;
use super::manifest::{Dependency, dependencies, setting};
use super::tree::Tree;

/// The document with the table.
const DOCUMENT: &str = "ARCHITECTURE.md";
/// The headings of the columns that are read.
const COLUMNS: [&str; 4] = ["layer", "crate", "may depend on", "from outside"];

/// A row of the table.
struct Row {
    line: usize,
    /// Allowed crates, of the workspace and external.
    allowed: Vec<String>,
}

struct Table {
    rows: BTreeMap<String, Row>,
    /// Crates that the tests of every crate may use.
    in_tests: Vec<String>,
}

/// Finds dependencies that the table does not allow, and crates that it does not list.
pub(super) fn check(tree: &Tree, faults: &mut Vec<Fault>) {
    let text = tree.documents.get(DOCUMENT).map_or("", String::as_str);
    let Some(table) = Table::read(text) else {
        let wanted = COLUMNS.join(" | ");
        faults.push(Fault::new(
            DOCUMENT,
            0,
            format!("no table of layers: expected a heading with the columns {wanted}"),
        ));
        return;
    };
    for (folder, manifest) in &tree.manifests {
        let path = format!("{folder}/Cargo.toml");
        check_settings(&path, manifest, faults);
        check_repeated(tree, &path, manifest, faults);
        let name = setting(manifest, "package", "name").unwrap_or_default();
        let Some(row) = table.rows.get(&name) else {
            let message = format!("`{name}` has no row in the table of layers in {DOCUMENT}");
            faults.push(Fault::new(&path, 0, message));
            continue;
        };
        for dependency in dependencies(manifest) {
            if !table.allows(row, &dependency) {
                let message = format!(
                    "`{name}` may not use `{}`: {DOCUMENT}:{} does not allow it",
                    dependency.name, row.line
                );
                faults.push(Fault::new(&path, dependency.line, message));
            }
        }
    }
    for (name, row) in &table.rows {
        let is_named = |text: &String| setting(text, "package", "name").as_ref() == Some(name);
        if !tree.manifests.values().any(is_named) {
            let message = format!("the table of layers names `{name}`, which does not exist");
            faults.push(Fault::new(DOCUMENT, row.line, message));
        }
    }
}

fn check_settings(path: &str, manifest: &str, faults: &mut Vec<Fault>) {
    let mut expect = |section: &str, key: &str| {
        if setting(manifest, section, key).as_deref() != Some("true") {
            let message = format!("expected `{key} = true` in [{section}]");
            faults.push(Fault::new(path, 0, message));
        }
    };
    expect("lints", "workspace");
    expect("package", "version.workspace");
}

/// A workspace of its own repeats what the others inherit.
fn check_repeated(tree: &Tree, path: &str, manifest: &str, faults: &mut Vec<Fault>) {
    if !manifest.contains("[workspace.package]") {
        return;
    }
    let root = tree.text("Cargo.toml").unwrap_or_default();
    for key in ["version", "edition", "rust-version", "license"] {
        let value = |text: &str| setting(text, "workspace.package", key);
        if value(manifest) != value(&root) {
            let message = format!("`{key}` differs from that of the main workspace");
            faults.push(Fault::new(path, 0, message));
        }
    }
    if lints(manifest) != lints(&root) {
        let message = "the lints differ from those of the main workspace";
        faults.push(Fault::new(path, 0, message));
    }
}

/// The lines of the lints of a workspace.
fn lints(manifest: &str) -> Vec<&str> {
    let mut is_inside = false;
    let mut lines = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            is_inside = line.starts_with("[workspace.lints.");
        }
        if is_inside && !line.is_empty() && !line.starts_with('#') {
            lines.push(line);
        }
    }
    lines
}

impl Table {
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines().enumerate();
        let columns = lines.find_map(|(_, line)| {
            let heads = cells(line);
            let column = |wanted| heads.iter().position(|head| head == wanted);
            Some([
                column(COLUMNS[0])?,
                column(COLUMNS[1])?,
                column(COLUMNS[2])?,
                column(COLUMNS[3])?,
            ])
        })?;
        let mut table = Self {
            rows: BTreeMap::new(),
            in_tests: Vec::new(),
        };
        for (index, line) in lines.take_while(|(_, line)| line.starts_with('|')) {
            let cells = cells(line);
            let [layer, names, ours, others] =
                columns.map(|column| cells.get(column).map_or("", String::as_str));
            let allowed = [quoted(ours), quoted(others)].concat();
            if layer == "tests" {
                table.in_tests = allowed;
                continue;
            }
            for name in quoted(names) {
                let allowed = allowed.clone();
                let line = index + 1;
                table.rows.insert(name, Row { line, allowed });
            }
        }
        Some(table)
    }

    fn allows(&self, row: &Row, dependency: &Dependency) -> bool {
        row.allowed.contains(&dependency.name)
            || (dependency.in_tests && self.in_tests.contains(&dependency.name))
    }
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect()
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<String> {
    let words = text.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}
