//! Reads an edit trace and its world.

use std::path::Path;

use wayfarer_engine::base::EditTrace;
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::formats::{dynamic_scen, edits_file, patch};

use crate::failure::Failure;
use crate::load::{self, Loaded, Reading};

/// The world at the start, and the trace.
pub(super) fn read(
    path: &Path,
    world: Option<&Path>,
    reading: &Reading,
) -> Result<(Loaded, EditTrace), Failure> {
    let bytes = load::bytes(path)?;
    match (load::format(path, &bytes, &Reading::default())?, world) {
        (FileFormat::Edits, Some(world)) => {
            let trace = edits_file::read(&bytes).map_err(|error| Failure::for_file(path, error))?;
            Ok((load::world(world, reading)?.1, trace))
        }
        (FileFormat::Edits, None) => Err(Failure::for_file(
            path,
            "an edit trace needs its world: name it with --world",
        )),
        (FileFormat::DynamicScen, None) => dynamic(path, &bytes),
        (FileFormat::DynamicScen, Some(_)) => Err(Failure::for_file(
            path,
            "this trace brings its own world: leave out --world",
        )),
        (other, _) => Err(Failure::for_file(
            path,
            format!("found {other}, expected edits or a dynamic scenario"),
        )),
    }
}

fn dynamic(path: &Path, bytes: &[u8]) -> Result<(Loaded, EditTrace), Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::for_file(path, error);
    let scenario = dynamic_scen::read(bytes).map_err(|error| wrong(&error))?;
    let name = Path::new(&scenario.patch_file).file_name();
    let name = name.ok_or_else(|| wrong(&"the patch file has no name"))?;
    let patch_path = path.with_file_name(name);
    let patches = patch::read(&load::bytes(&patch_path)?)
        .map_err(|error| Failure::for_file(&patch_path, error))?;
    let (map, trace) = dynamic_scen::join(&scenario, &patches).map_err(|error| wrong(&error))?;
    Ok((Loaded::Flat(map), trace))
}
