//! Wayfarer's own searches as engines, by name.

mod cached_jps;
mod dense;
mod jps;
mod refinement;

pub use cached_jps::CachedJps;
pub use dense::Dense;
pub use jps::Jps;
pub use refinement::Refinement;

use wayfarer::base::{Column, GroundEdit, Raster};
use wayfarer::search::ground::jps_cached::HeuristicWeight;

use crate::engine::Engine;
use crate::error::BenchError;

/// The methods there are and what each is, in the order of the help.
pub const METHODS: [(&str, &str); 7] = [
    (
        "plain",
        "jump points over the ground that changes, exact, nothing prepared",
    ),
    (
        "exact",
        "the same, with what was seen from jump points kept from query to query",
    ),
    (
        "default",
        "as exact, but within 1.10 times the shortest, and sooner",
    ),
    (
        "mm",
        "planned over regions of a frozen map and refined by R[1,10%,-,-], or by any with mm:n,t,c,s; not exact",
    ),
    ("dense", "A* over the dense raster with a bucket queue"),
    ("dense-heap", "the same with a heap of four children"),
    (
        "dense-dijkstra",
        "Dijkstra over the dense raster with a bucket queue",
    ),
];

/// The engine of a method.
///
/// # Errors
/// There is no such method.
///
/// ```
/// use wayfarer_bench::engines;
/// for (name, _) in engines::METHODS {
///     assert_eq!(engines::by_name(name).unwrap().about().name, name);
/// }
/// assert!(engines::by_name("telepathy").is_err());
/// ```
pub fn by_name(name: &str) -> Result<Box<dyn Engine>, BenchError> {
    Ok(match name {
        "plain" => Box::new(Jps::default()),
        "exact" => Box::new(CachedJps::new(HeuristicWeight::ONE)),
        "default" => Box::new(CachedJps::new(HeuristicWeight::BOUNDED)),
        "dense" => Box::new(Dense::buckets()),
        "dense-heap" => Box::new(Dense::heap()),
        "dense-dijkstra" => Box::new(Dense::dijkstra()),
        other => Box::new(Refinement::by_name(other).ok_or_else(|| no_method(other))?),
    })
}

/// The error that names what was asked for and what there is.
pub(crate) fn no_method(found: &str) -> BenchError {
    let names = METHODS.map(|(name, _)| format!("`{name}`"));
    BenchError::Method {
        found: found.to_owned(),
        expected: names.join(", "),
    }
}

/// What makes a cell what it is in `map`.
fn edit_of(map: &Raster, at: Column) -> GroundEdit {
    match map.get(at.x, at.y) {
        Some(terrain) => GroundEdit::PutCell {
            cell: at.at(0),
            terrain,
        },
        None => GroundEdit::RemoveCell { cell: at.at(0) },
    }
}
