//! A wall across open ground, built cell by cell until the ground is split, and removed.

use wayfarer_engine::base::{Cell, Raster, Terrain};
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::statistics::{self, Spread};

use super::LIMIT_US;
use super::report::WallRow;
use crate::edit_times::{EditTimer, ReversibleEdit, differs};
use crate::error::BenchError;

/// Whole walls built and removed; the median of each cell's times counts.
const PASSES: usize = 21;
/// Shortest side of an open world.
const SHORTEST: u32 = 16;
/// Longest side of an open world: 2^28 cells.
const MAX_LENGTH: u32 = 1 << 14;
/// Longest side of an open world that is compared with a rebuilt one.
const MAX_COMPARED: u32 = 1024;

pub(super) fn measure(side: u32, timer: &EditTimer) -> Result<WallRow, BenchError> {
    let most = MAX_LENGTH;
    let error = BenchError::Arguments(format!(
        "an open world of {side} by {side} cells, expected a side of {SHORTEST} to {most}"
    ));
    if !(SHORTEST..=most).contains(&side) {
        return Err(error);
    }
    let n_cells = usize::try_from(u64::from(side) * u64::from(side));
    let bytes = n_cells.map_or_else(|_| Vec::new(), |n_cells| vec![0; n_cells]);
    let map = Raster::from_bytes(side, side, bytes).ok_or(error)?;
    let mut ground = Ground::from_raster(&map);
    let before = ground.counts();
    // Through the sectors, not between them.
    let (length, x) = (side.cast_signed(), side.cast_signed() / 2 + 5);
    let mut times = [(); 2].map(|()| vec![Vec::with_capacity(PASSES); side as usize]);
    let (mut split, mut joined) = (0, 0);
    let mut faults = Vec::new();
    for _ in 0..PASSES {
        for y in 0..length {
            let pair = ReversibleEdit::cut(&[(Cell::flat(x, y), Terrain::GROUND)]);
            let (changes, time, _) = timer.once(&mut ground, &pair.there);
            times[0][y.unsigned_abs() as usize].push(time);
            split += changes.split_pairs.len();
            let is_last = y == length - 1;
            if changes.split_pairs.is_empty() == is_last || !changes.merged_pairs.is_empty() {
                faults.push(format!(
                    "cell {y} of the wall: split {:?}",
                    changes.split_pairs
                ));
            }
        }
        for y in (0..length).rev() {
            let pair = ReversibleEdit::cut(&[(Cell::flat(x, y), Terrain::GROUND)]);
            let (changes, time, _) = timer.once(&mut ground, &pair.back);
            times[1][y.unsigned_abs() as usize].push(time);
            joined += changes.merged_pairs.len();
            let is_first = y == length - 1;
            if changes.merged_pairs.is_empty() == is_first || !changes.split_pairs.is_empty() {
                faults.push(format!(
                    "gap {y} of the wall: merged {:?}",
                    changes.merged_pairs
                ));
            }
        }
    }
    let after = ground.counts();
    if before != after {
        faults.push(format!("counts {after:?}, expected {before:?}"));
    }
    let components = |ground: &Ground| {
        let first = ground.nodes().next().map(|node| ground.component(node));
        let mut all = ground.regions();
        all.all(|region| Some(ground.component_of_region(region)) == first)
    };
    if !components(&ground) {
        faults.push("the open world has several components".to_owned());
    }
    if side <= MAX_COMPARED {
        faults.extend(differs(&ground, &map));
    }
    let [mut cut, mut add] = times.map(|cells| {
        let medians = cells
            .into_iter()
            .map(|mut passes| statistics::median(&mut passes));
        medians.flatten().collect::<Vec<f64>>()
    });
    Ok(WallRow {
        side,
        over_100_us: cut.iter().chain(&add).filter(|&&it| it > LIMIT_US).count(),
        cut_us: Spread::of(&mut cut),
        add_us: Spread::of(&mut add),
        split: split / PASSES,
        joined: joined / PASSES,
        faults,
    })
}
