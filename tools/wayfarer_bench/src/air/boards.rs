//! Worst case of octree connectivity: a checkerboard in which every free voxel is a component, and
//! the cost of one edit there.

use serde::Serialize;
use wayfarer::base::{Rng, VoxelSet};
use wayfarer::world::air::{AirEdit, AirError};
use wayfarer_measure::statistics::{self, Spread};

use super::Tools;
use super::one_map::build;
use super::oracle::{self, Dense, voxel};

/// Edits of single voxels.
const N_EDITS: usize = 500;
/// Times each is done and undone; the middle counts.
const REPEATS: usize = 5;

/// What came of one board.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BoardRow {
    /// Voxels a side.
    pub side: u32,
    /// Parts that do not reach each other.
    pub components: u64,
    /// Bytes of the air.
    pub memory_bytes: usize,
    /// Building it.
    pub build_ms: f64,
    /// Turning a random voxel over.
    pub edit_us: Option<Spread>,
    /// What was wrong.
    pub faults: Vec<String>,
}

pub(super) fn measure(side: u32, tools: &Tools) -> Result<BoardRow, AirError> {
    let mut dense = Dense::empty([side; 3]);
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                dense.set([x, y, z], (x + y + z) % 2 == 0);
            }
        }
    }
    let voxels = dense.to_set();
    let (air, nanoseconds) = tools.timer.time(|| build(&voxels, 1));
    let mut air = air?;
    let mut row = BoardRow {
        side,
        components: air.n_components(),
        memory_bytes: air.memory().total(),
        build_ms: nanoseconds / 1e6,
        ..BoardRow::default()
    };
    row.faults.extend(oracle::differs(&air, &voxels));
    let mut rng = Rng::for_stream(side.into(), 3);
    let mut middles = Vec::new();
    for _ in 0..N_EDITS {
        let at = [(); 3].map(|()| rng.below(side));
        let here = voxel(at);
        let (low, high) = (here, here);
        let turn = |solid| match solid {
            true => AirEdit::Fill { low, high },
            false => AirEdit::Clear { low, high },
        };
        let solid = dense.is_solid(at);
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..REPEATS {
            for (times, solid) in times.iter_mut().zip([!solid, solid]) {
                let (changes, nanoseconds) = tools.timer.time(|| air.apply(&[turn(solid)]));
                changes?;
                times.push(nanoseconds / 1e3);
            }
        }
        let center = |times: &mut Vec<f64>| statistics::median(times);
        middles.extend(times.iter_mut().filter_map(center));
        if rng.chance(1, 3) {
            air.apply(&[turn(!solid)])?;
            dense.set(at, !solid);
        }
    }
    row.edit_us = Spread::of(&mut middles);
    let edited: VoxelSet = dense.to_set();
    if build(&edited, 1)?.digest() != air.digest() {
        row.faults
            .push("edited, differs from one built anew".to_owned());
    }
    Ok(row)
}
