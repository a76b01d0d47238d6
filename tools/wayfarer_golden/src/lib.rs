//! Golden digests: a fixed suite over all layers, to prove equal results on every platform.
//!
//! Each part of the suite hashes its results. Debug, release and wasm32 builds must agree with
//! `golden.txt`; `cargo xtask test` compares. One digest per part localizes a difference. Digests
//! cover values only, never names or texts, so that renames do not change them.

mod abstraction;
mod air;
mod bodies;
mod cached_jps;
mod carriers;
mod crowds;
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
use wayfarer_engine::base::Digest;

/// A part of the suite and its digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoldenPart {
    /// Fixed key of the part.
    pub name: &'static str,
    /// The digest of the results.
    pub digest: u64,
}

type Part = fn(&mut Values);

/// The suite, lowest layer first: the first part that differs is closest to the cause.
///
/// The names are fixed keys of the report and part of the total digest; they never change.
const PARTS: &[(&str, Part)] = &[
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
    ("grounds", ground::grounds),
    ("ground_edits", ground::ground_edits),
    ("ways", ground_paths::requests),
    ("way_statuses", ground_paths::statuses),
    ("way_questions", ground_paths::queries),
    ("turns", cached_jps::paths),
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
    ("crowds", crowds::crowds),
    ("flocks", crowds::flocks),
];

/// Runs the suite.
pub fn golden_parts() -> Vec<GoldenPart> {
    let run = |&(name, part): &(&'static str, Part)| {
        let mut values = Values::default();
        part(&mut values);
        GoldenPart {
            name,
            digest: values.value(),
        }
    };
    PARTS.iter().map(run).collect()
}

/// Runs the suite and returns a report: per line the key of a part, a space and its digest in 16
/// hexadecimal digits; `all` is last.
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
        writeln!(text, "{} {:016x}", part.name, part.digest)
            .expect("writing to a string cannot fail");
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
