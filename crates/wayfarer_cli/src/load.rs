//! Reads a world of any format; what the file holds decides, not its name.

use std::path::Path;

use wayfarer::base::{Raster, WorldPlan};
use wayfarer::formats::{movingai_map, world_file};
use wayfarer::picture::Picture;

use crate::failure::Failure;

/// A world as its file held it.
pub(crate) enum Loaded {
    /// A flat map.
    Flat(Raster),
    /// A world with floors, passages and walls.
    Plan(WorldPlan),
}

impl Loaded {
    /// What there is to draw.
    pub(crate) fn picture(&self) -> Picture {
        match self {
            Self::Flat(map) => Picture::of_raster(map),
            Self::Plan(plan) => Picture::of_plan(plan),
        }
    }
}

/// What a file seems to be, from how it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// A flat map of the benchmarks.
    Map,
    /// A world file of our own.
    World,
}

impl Format {
    /// Its name in messages and results.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::World => "world",
        }
    }

    /// What `bytes` begin like, or what they are instead of a world.
    fn of(bytes: &[u8]) -> Result<Self, &'static str> {
        let text = bytes.trim_ascii_start();
        let begins = |word: &[u8]| text.starts_with(word);
        if begins(b"type patch") {
            Err("this file holds patches of a changing map, not a world")
        } else if begins(b"type") {
            Ok(Self::Map)
        } else if begins(b"wayfarer world") {
            Ok(Self::World)
        } else if begins(b"wayfarer edits") {
            Err("this file holds edits of a world, not a world")
        } else if begins(b"version") {
            Err("this file holds problems to solve (a scenario), not a world")
        } else if text.is_empty() {
            Err("the file is empty")
        } else {
            Err("no world format that wayfarer knows begins like this file")
        }
    }
}

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.is_dir() {
        return Err(Failure::of_file(path, "cannot read: it is a folder"));
    }
    std::fs::read(path).map_err(|error| Failure::of_file(path, format!("cannot read: {error}")))
}

/// Reads the world at `path`.
pub(crate) fn world(path: &Path) -> Result<(Format, Loaded), Failure> {
    let bytes = bytes(path)?;
    let format = Format::of(&bytes).map_err(|what| Failure::of_file(path, what))?;
    let loaded = match format {
        Format::Map => movingai_map::read(&bytes).map(Loaded::Flat),
        Format::World => world_file::read_plan(&bytes).map(Loaded::Plan),
    };
    let loaded = loaded.map_err(|error| Failure::of_file(path, error))?;
    Ok((format, loaded))
}
