//! The wave front behind a wall, at its worst: walls from floor to ceiling with one hole each.

use serde::Serialize;
use wayfarer::base::{Dice, Outcome, Voxel};
use wayfarer::search::air::{FlightMethod, FlightRequest, FlightSearcher, Tuning};
use wayfarer::world::air::{Air, AirBuilder, AirError};

use super::lines::Bits;
use crate::clock::Timer;

/// A maze and how it was solved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MazeRow {
    /// Voxels along each side.
    pub side: u32,
    /// Walls, each with a hole of one voxel.
    pub walls: u32,
    /// Milliseconds for the way from one end to the other, regions first once it takes long; the
    /// best of three.
    pub ms: f64,
    /// Nodes and regions expanded.
    pub expansions: u64,
    /// Milliseconds without regions.
    pub flat_ms: f64,
    /// Nodes expanded without regions.
    pub flat_expansions: u64,
    /// Length over that without regions.
    pub length_ratio: f64,
    /// Flights that were blocked or not found.
    pub wrong: usize,
}

/// Makes a maze with so many walls and flies through it.
///
/// # Errors
/// A box that cannot be.
pub fn measure(side: u32, walls: u32, timer: &Timer) -> Result<MazeRow, AirError> {
    let (air, bits) = maze(side, walls, 7)?;
    let last = side.cast_signed() - 2;
    let request = FlightRequest::new(Voxel::new(0, 1, 1), Voxel::new(last + 1, last, last));
    let mut searcher = FlightSearcher::default();
    let mut wrong = 0;
    let mut solve = |tuning: Tuning, runs: usize| {
        let request = FlightRequest {
            method: FlightMethod::Octree(tuning),
            ..request
        };
        let mut best = (f64::MAX, 0, 0.0);
        for _ in 0..runs {
            let (answer, nanoseconds) = timer.time(|| searcher.find(&air, &request));
            let Ok(Outcome::Found(path)) = answer else {
                wrong += 1;
                continue;
            };
            let mut legs = path.waypoints.windows(2);
            wrong += usize::from(!legs.all(|leg| bits.is_line_free(leg[0], leg[1])));
            best = (
                best.0.min(nanoseconds / 1e6),
                path.expansions,
                path.length(),
            );
        }
        best
    };
    let (ms, expansions, length) = solve(Tuning::BALANCED, 3);
    let flat = Tuning {
        corridor_after: u32::MAX,
        ..Tuning::BALANCED
    };
    let (flat_ms, flat_expansions, flat_length) = solve(flat, 1);
    Ok(MazeRow {
        side,
        walls,
        ms,
        expansions,
        flat_ms,
        flat_expansions,
        length_ratio: length / flat_length,
        wrong,
    })
}

/// Walls square to x, evenly spaced, each with a hole of one voxel somewhere.
fn maze(side: u32, walls: u32, seed: u64) -> Result<(Air, Bits), AirError> {
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [side; 3])?;
    let mut bits = Bits::empty([side; 3]);
    let mut dice = Dice::new(seed);
    let end = side.cast_signed();
    for wall in 1..=walls {
        let x = (wall * side / (walls + 1)).cast_signed();
        let hole = (dice.between(0, end - 1), dice.between(0, end - 1));
        for y in 0..end {
            for z in (0..end).filter(|z| (y, *z) != hole) {
                builder.voxel(Voxel::new(x, y, z))?;
                bits.fill([x, y, z].map(i64::from), true);
            }
        }
    }
    Ok((builder.build()?, bits))
}
