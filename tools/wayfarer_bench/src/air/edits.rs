//! Edits of 4 x 4 x 4 voxels with all repairs, timed; the result is compared with a rebuilt octree.

use wayfarer_engine::base::{Rng, VoxelSet};
use wayfarer_engine::world::air::{Air, AirEdit, AirError};
use wayfarer_measure::statistics::{self, Spread};

use super::Tools;
use super::oracle::{self, voxel};
use super::report::MapRow;
use crate::flight::lines::Bits;

/// Runs of the whole edit trace; the median of each edit counts.
const RUNS: usize = 11;
/// Side of the block that an edit fills or clears.
const SIDE: u32 = 4;

/// Fills and clears random blocks near what is solid, half of them on the borders of leaves.
fn trace(voxels: &VoxelSet, seed: u64, n_edits: usize) -> Vec<([u32; 3], bool)> {
    let mut rng = Rng::for_stream(seed, 2);
    let size = voxels.size();
    let edit = |_| {
        let near = rng.pick(voxels.solid()).copied().unwrap_or([0; 3]);
        let aligned = rng.chance(1, 2);
        let low = std::array::from_fn(|axis| {
            let at = near[axis].saturating_sub(rng.below(2 * SIDE));
            let at = if aligned { at & !(SIDE - 1) } else { at };
            at.min(size[axis].saturating_sub(SIDE))
        });
        (low, rng.chance(1, 2))
    };
    (0..n_edits).map(edit).collect()
}

pub(super) fn measure(
    row: &mut MapRow,
    (air, bits): (&mut Air, &mut Bits),
    voxels: &VoxelSet,
    (seed, n_edits): (u64, usize),
    tools: &Tools,
) -> Result<(), AirError> {
    let trace = trace(voxels, seed, n_edits);
    let size = voxels.size();
    let high = |low: [u32; 3]| -> [u32; 3] {
        std::array::from_fn(|axis| (low[axis] + SIDE).min(size[axis]) - 1)
    };
    let before = air.digest();
    let mut times = vec![Vec::with_capacity(RUNS); trace.len()];
    for run in 0..RUNS {
        let mut undo = Vec::with_capacity(trace.len());
        for (&(low, solid), times) in trace.iter().zip(&mut times) {
            let (from, to) = (voxel(low), voxel(high(low)));
            let edit = if solid {
                AirEdit::Fill {
                    low: from,
                    high: to,
                }
            } else {
                AirEdit::Clear {
                    low: from,
                    high: to,
                }
            };
            let (changes, nanoseconds) = tools.timer.time(|| air.apply(&[edit]));
            times.push(nanoseconds / 1e3);
            undo.push(changes?.inverse());
        }
        if run == 0 {
            row.memory_after_edits_bytes = air.memory().total();
            for &(low, solid) in &trace {
                let high = high(low);
                for z in low[2]..=high[2] {
                    for y in low[1]..=high[1] {
                        (low[0]..=high[0]).for_each(|x| bits.fill([x, y, z].map(i64::from), solid));
                    }
                }
            }
            let edited = bits.to_set();
            let rebuilt = super::one_map::build(&edited, 1)?;
            if rebuilt.digest() != air.digest() {
                row.faults
                    .push("edited, differs from a rebuilt octree".to_owned());
            }
            row.faults.extend(oracle::differs(air, &edited));
        }
        for differences in undo.iter().rev() {
            air.restore(differences)?;
        }
        if air.digest() != before {
            row.faults
                .push("undone edits leave a difference".to_owned());
        }
    }
    let mut middles: Vec<f64> = times
        .iter_mut()
        .filter_map(|times| statistics::median(times))
        .collect();
    row.edit_us = Spread::of(&mut middles);
    row.edits = middles;
    Ok(())
}
