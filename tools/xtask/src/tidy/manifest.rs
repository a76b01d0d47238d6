//! A minimal reader of `Cargo.toml`: dependencies and single settings.

/// A dependency of a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dependency {
    /// The name in the registry or the workspace.
    pub(super) name: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// True for a dev-dependency.
    pub(super) in_tests: bool,
}

/// The dependencies of a manifest, in file order.
pub(super) fn dependencies(text: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut section = Section::Other;
    let mut open_brackets = 0;
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let is_nested = open_brackets > 0;
        open_brackets += balance(line);
        if line.is_empty() || is_nested {
            continue;
        }
        if line.starts_with('[') {
            open_brackets = 0;
            section = Section::from_header(line.trim_matches(['[', ']']));
            if let Section::One { name, in_tests } = &section {
                found.push(Dependency {
                    name: name.clone(),
                    line: index + 1,
                    in_tests: *in_tests,
                });
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        match &section {
            Section::Many { in_tests } => found.push(Dependency {
                name: package(value).unwrap_or_else(|| bare(key)),
                line: index + 1,
                in_tests: *in_tests,
            }),
            Section::One { .. } if key.trim() == "package" => {
                if let Some(last) = found.last_mut() {
                    last.name = bare(value);
                }
            }
            Section::One { .. } | Section::Other => {}
        }
    }
    found
}

/// The value of `key` in `[section]`, without quotes.
pub(super) fn setting(text: &str, section: &str, key: &str) -> Option<String> {
    let header = format!("[{section}]");
    text.lines()
        .map(str::trim)
        .skip_while(|line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().trim_matches('"').to_owned())
}

enum Section {
    /// `[dependencies]` and its kin.
    Many { in_tests: bool },
    /// `[dependencies.name]`.
    One { name: String, in_tests: bool },
    /// Anything else.
    Other,
}

impl Section {
    fn from_header(header: &str) -> Self {
        // `[target.'cfg(…)'.dependencies]` counts like `[dependencies]`.
        let header = match header.strip_prefix("target.") {
            Some(rest) => rest
                .rfind("dependencies")
                .and_then(|at| rest[..at].rfind('.'))
                .map_or(rest, |dot| &rest[dot + 1..]),
            None => header,
        };
        let (table, name) = header.split_once('.').unwrap_or((header, ""));
        let in_tests = match table.trim() {
            "dependencies" | "build-dependencies" => false,
            "dev-dependencies" => true,
            _ => return Self::Other,
        };
        match name {
            "" => Self::Many { in_tests },
            _ => Self::One {
                name: bare(name),
                in_tests,
            },
        }
    }
}

fn balance(line: &str) -> i32 {
    let count = |wanted: [char; 2]| line.chars().filter(|c| wanted.contains(c)).count();
    let signed = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    signed(count(['[', '{'])) - signed(count([']', '}']))
}

/// The crate's name in `{ package = "name", … }`.
fn package(value: &str) -> Option<String> {
    let (before, after) = value.split_once("package")?;
    let is_key = before.trim_end().ends_with(['{', ',']);
    let after = after.trim_start().strip_prefix('=')?;
    let name = after.split('"').nth(1)?;
    is_key.then(|| name.to_owned())
}

/// `name` of `name.workspace` or `"name"`.
fn bare(key: &str) -> String {
    let key = key.trim();
    let key = key.strip_suffix(".workspace").unwrap_or(key);
    key.trim_matches('"').to_owned()
}
