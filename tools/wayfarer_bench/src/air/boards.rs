//! Worst case of octree connectivity: a checkerboard in which every free voxel is a component, and
//! the cost of one edit there.

use serde::Serialize;
use wayfarer_engine::base::{Rng, VoxelSet};
use wayfarer_engine::world::air::{AirEdit, AirError};
use wayfarer_measure::statistics::{self, Spread};

use super::Tools;
use super::one_map::build;
use super::oracle::{self, voxel};
use crate::flight::lines::Bits;

/// Edits of single voxels.
const N_EDITS: usize = 500;
/// Repetitions of each; the median counts.
const REPEATS: usize = 5;

/// One board.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BoardRow {
    /// Voxels a side.
    pub side: u32,
    /// Connected components.
    pub components: u64,
    /// Bytes of the air.
    pub memory_bytes: usize,
    /// Building it.
    pub build_ms: f64,
    /// Inverting a random voxel.
    pub edit_us: Option<Spread>,
    /// Wrong results.
    pub faults: Vec<String>,
}

pub(super) fn measure(side: u32, tools: &Tools) -> Result<BoardRow, AirError> {
    let mut bits = Bits::empty([side; 3]);
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                bits.fill([x, y, z].map(i64::from), (x + y + z) % 2 == 0);
            }
        }
    }
    let voxels = bits.to_set();
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
        let solid = bits.is_solid(at.map(i64::from));
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
            bits.fill(at.map(i64::from), !solid);
        }
    }
    row.edit_us = Spread::of(&mut middles);
    let edited: VoxelSet = bits.to_set();
    if build(&edited, 1)?.digest() != air.digest() {
        row.faults
            .push("edited, differs from a rebuilt octree".to_owned());
    }
    Ok(row)
}
