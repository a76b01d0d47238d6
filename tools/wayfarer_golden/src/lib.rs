//! One number that stands for everything wayfarer computes, to be the same on every machine.
//!
//! A fixed suite is run part by part: each part boils its results down to a digest. Debug builds,
//! release builds and wasm32 must agree on all of them; `cargo xtask test` compares. A part has a
//! number of its own so that a difference names the place where it arose. What is written down are
//! values, never names or texts: a rename leaves every digest as it is.

mod abstraction;
mod air;
mod bodies;
mod cached_jps;
mod carriers;
mod files;
mod flights;
mod ground;
mod ground_paths;
mod imports;
mod joint;
mod numbers;
mod paths;
mod planar;
mod solids;
mod values;
mod worlds;

use std::fmt::Write as _;

use values::Values;
use wayfarer::base::Digest;

/// A part of the suite and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoldenPart {
    /// What was computed.
    pub name: &'static str,
    /// The digest of the results.
    pub digest: u64,
}

type Work = fn(&mut Values);

/// The suite, lowest layer first: the first part that differs is the one to look at.
///
/// The names are fixed keys of the report and go into the digest of all: they stay when what they
/// once were called after gets another name.
const PARTS: &[(&str, Work)] = &[
    ("dice", numbers::rng),
    ("costs", numbers::costs),
    ("maths", numbers::maths),
    ("points", numbers::points),
    ("shapes", numbers::shapes),
    ("worlds", worlds::made),
    ("problems", worlds::problems),
    ("traces", worlds::traces),
    ("pictures", worlds::pictures),
    ("maps", files::maps),
    ("scenarios", files::scenarios),
    ("world_files", files::world_files),
    ("edit_files", files::edit_files),
    ("voxel_files", carriers::voxel_files),
    ("patches", carriers::patches),
    ("images", carriers::images),
    ("heights", carriers::heights),
    ("errors", files::errors),
    ("meshes", carriers::meshes),
    ("solids", solids::solids),
    ("dense_paths", paths::dense_paths),
    ("dense_distances", paths::dense_distances),
    ("dense_edits", paths::dense_edits),
    ("grounds", ground::grounds),
    ("ground_edits", ground::ground_edits),
    ("ways", ground_paths::requests),
    ("way_statuses", ground_paths::statuses),
    ("way_questions", ground_paths::queries),
    ("turns", cached_jps::turns),
    ("imports", imports::imports),
    ("airs", air::airs),
    ("objects", bodies::bodies),
    ("sight", bodies::sight),
    ("neighbours", bodies::neighbors),
    ("fields", planar::obstacle_sets),
    ("flights", flights::flights),
    ("frozen", abstraction::baked),
    ("refined", abstraction::refined),
    ("joint", joint::joint),
];

/// Runs the suite.
pub fn golden_parts() -> Vec<GoldenPart> {
    let run = |&(name, work): &(&'static str, Work)| {
        let mut values = Values::default();
        work(&mut values);
        GoldenPart {
            name,
            digest: values.value(),
        }
    };
    PARTS.iter().map(run).collect()
}

/// Runs the suite and gives one number for all of it.
///
/// Takes a second or so.
///
/// ```
/// let digest = wayfarer_golden::golden_digest();
/// assert_eq!(format!("{digest:016x}").len(), 16); // as the report shows it
/// ```
pub fn golden_digest() -> u64 {
    digest_of(&golden_parts())
}

/// Runs the suite and tells it line by line: the name of a part, a space, its digest in 16
/// hexadecimal digits; `all` comes last.
pub fn golden_report() -> String {
    report_of(&golden_parts())
}

fn report_of(parts: &[GoldenPart]) -> String {
    let mut text = String::new();
    let all = GoldenPart {
        name: "all",
        digest: digest_of(parts),
    };
    for part in parts.iter().chain([&all]) {
        writeln!(text, "{} {:016x}", part.name, part.digest).expect("a text takes all");
    }
    text
}

fn digest_of(parts: &[GoldenPart]) -> u64 {
    let mut digest = Digest::default();
    for part in parts {
        digest.bytes(part.name.as_bytes());
        digest.number(part.digest);
    }
    digest.value()
}

#[cfg(test)]
mod tests;
