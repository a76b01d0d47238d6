//! Finds maps with scenarios: every `X.map` with an `X.map.scen` beside it.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A map and its scenario.
pub(super) struct Pair {
    /// The name of the map in the result.
    pub(super) name: String,
    pub(super) map: PathBuf,
    pub(super) scenario: PathBuf,
}

/// All pairs in `dir` and below, sorted by name.
pub(super) fn below(dir: &Path) -> Result<Vec<Pair>, Failure> {
    let mut maps = Vec::new();
    find_maps(dir, &mut maps)?;
    let mut pairs: Vec<Pair> = maps.into_iter().filter_map(|map| pair(dir, map)).collect();
    pairs.sort_by(|a, b| a.name.cmp(&b.name));
    if pairs.is_empty() {
        return Err(Failure::for_file(
            dir,
            "no X.map with an X.map.scen beside it, here or below",
        ));
    }
    Ok(pairs)
}

fn find_maps(dir: &Path, maps: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::for_file(dir, format!("cannot read: {error}"));
    for entry in std::fs::read_dir(dir).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let path = entry.path();
        // Symbolic links are not followed: they may form a cycle.
        if entry.file_type().map_err(cannot)?.is_dir() {
            find_maps(&path, maps)?;
        } else if path.extension().is_some_and(|end| end == "map") {
            maps.push(path);
        }
    }
    Ok(())
}

fn pair(dir: &Path, map: PathBuf) -> Option<Pair> {
    let mut name = map.file_name()?.to_owned();
    name.push(".scen");
    let scenario = map.with_file_name(name);
    let shown = map.strip_prefix(dir).unwrap_or(&map);
    let words: Vec<_> = shown.iter().map(|word| word.to_string_lossy()).collect();
    let name = words.join("/");
    scenario.is_file().then_some(Pair {
        name,
        map,
        scenario,
    })
}
