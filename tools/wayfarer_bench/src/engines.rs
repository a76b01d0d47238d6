//! Wayfarer's searches as engines, by method name.

mod cached_jps;
mod dense;
mod jps;
mod refinement;

pub use cached_jps::CachedJps;
pub use dense::Dense;
pub use jps::Jps;
pub use refinement::Refinement;

use wayfarer_engine::base::{Column, GroundEdit, Raster};
use wayfarer_engine::search::ground::jps_cached::HeuristicWeight;

use crate::engine::Engine;
use crate::error::BenchError;

/// The methods there are and what each is, in the order of the help.
pub const METHODS: [(&str, &str); 7] = [
    (
        "jps",
        "block-based jump point search over the sparse ground, no cache; optimal",
    ),
    ("optimal", "A* over cached jump points; optimal"),
    (
        "bounded",
        "weighted A* over cached jump points; at most 1.10 times the optimum",
    ),
    (
        "refine",
        "region refinement R[1,10%,-,-] over a baked abstraction, or any R with refine:n,t,c,s; no bound",
    ),
    (
        "grid-astar",
        "A* over the dense grid with a bucket queue; optimal",
    ),
    ("grid-astar-heap", "the same with a 4-ary heap"),
    (
        "grid-dijkstra",
        "Dijkstra over the dense grid with a bucket queue; optimal",
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
        "jps" => Box::new(Jps::default()),
        "optimal" => Box::new(CachedJps::new(HeuristicWeight::ONE)),
        "bounded" => Box::new(CachedJps::new(HeuristicWeight::BOUNDED)),
        "grid-astar" => Box::new(Dense::buckets()),
        "grid-astar-heap" => Box::new(Dense::heap()),
        "grid-dijkstra" => Box::new(Dense::dijkstra()),
        other => Box::new(Refinement::by_name(other).ok_or_else(|| no_method(other))?),
    })
}

/// The error that names the requested and the existing methods.
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
