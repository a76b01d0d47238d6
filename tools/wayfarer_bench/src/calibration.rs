//! Machine speed as one figure: nanoseconds per expansion of dense A* on a fixed generated world.

use wayfarer_engine::base::{Raster, Rng};
use wayfarer_measure::clock::Timer;

use crate::engine::{Engine, EngineError, PathBuffer};
use crate::engines::Dense;
use crate::query::QuerySet;

/// Side of the fixed world, in cells.
const SIDE: u32 = 512;
/// Queries on it.
const N_QUERIES: usize = 32;
/// Runs; the best counts.
const N_RUNS: usize = 5;

/// The fixed world: a square of 512 cells with 700 blocks, and 32 queries between its open
/// cells. It must stay as it is, or calibrations of different versions cannot be compared.
pub fn world() -> QuerySet {
    let mut rng = Rng::new(0x6361_6c69_6272_6174);
    let n_cells = (SIDE * SIDE) as usize;
    let mut map = Raster::from_bytes(SIDE, SIDE, vec![0; n_cells])
        .expect("a square of plain ground is a map");
    let last = SIDE.cast_signed() - 1;
    for _ in 0..700 {
        let (west, north) = (rng.between(0, last), rng.between(0, last));
        let (wide, high) = (rng.between(2, 28), rng.between(2, 28));
        for y in north..(north + high) {
            for x in west..(west + wide) {
                // What lies over the border is left out.
                map.set(x, y, None);
            }
        }
    }
    QuerySet::random("calibration", map, N_QUERIES, &mut rng)
}

/// Nanoseconds per expansion of the dense bucket A* on the fixed world: the best of five runs.
///
/// # Errors
/// Never for this world; an engine that rejects it.
pub fn ns_per_expansion() -> Result<f64, EngineError> {
    let set = world();
    let mut engine = Dense::buckets();
    engine.prepare(&set.map)?;
    let timer = Timer::new();
    let mut path = PathBuffer::default();
    let mut best = f64::INFINITY;
    // The first run only warms up.
    for run in 0..=N_RUNS {
        let mut expansions = 0;
        let ((), nanoseconds) = timer.time(|| {
            for case in &set.cases {
                path.clear();
                let result = engine.result(case.start, case.goal, &mut path);
                expansions += result.expansions.unwrap_or(0);
            }
        });
        let each = nanoseconds / expansions.max(1) as f64;
        if run > 0 {
            best = best.min(each);
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests;
