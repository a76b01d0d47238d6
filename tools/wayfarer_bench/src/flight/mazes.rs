//! Worst case of octree A*: walls from floor to ceiling with one hole each.

use serde::Serialize;
use wayfarer_engine::base::{Fixed, Outcome, Rng, Voxel};
use wayfarer_engine::search::air::{
    FlightMethod, FlightPartialPolicy, FlightRequest, FlightSearcher, OctreeParams,
};
use wayfarer_engine::world::air::{Air, AirBuilder, AirEdit, AirError};
use wayfarer_measure::clock::Timer;

use super::lines::Bits;

/// A maze and how it was solved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MazeRow {
    /// Voxels along each side.
    pub side: u32,
    /// Walls, each with a hole of one voxel.
    pub walls: u32,
    /// Milliseconds for the path from one end to the other, regions first once it takes long; the
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
    /// The same walls with holes of five voxels and an agent of a radius of two: milliseconds, the
    /// best of three.
    pub wide_ms: f64,
    /// Without regions.
    pub wide_flat_ms: f64,
    /// The same agent before holes of one voxel: milliseconds until the outcome is unreachable.
    pub too_wide_ms: f64,
    /// Without regions.
    pub too_wide_flat_ms: f64,
    /// Milliseconds until a flight to the nearest place is found, the goal walled in.
    pub nearest_ms: f64,
    /// Flights that were blocked or not found.
    pub wrong: usize,
}

/// Makes a maze with so many walls and flies through it, as a point and as a ball.
///
/// # Errors
/// A box that cannot be.
pub fn measure(side: u32, walls: u32, timer: &Timer) -> Result<MazeRow, AirError> {
    let holed = maze(side, walls, (7, 0))?;
    let wide = maze(side, walls, (7, 2))?;
    let mut shut = maze(side, walls, (7, 0))?;
    let last = side.cast_signed() - 2;
    let (from, to) = (Voxel::new(1, 2, 2), Voxel::new(last, last - 1, last - 1));
    for axis in 0..3 {
        for step in [-1, 1] {
            let mut at = [to.x, to.y, to.z];
            at[axis] += step;
            let [x, y, z] = at;
            shut.0.apply(&[AirEdit::Fill {
                low: Voxel::new(x, y, z),
                high: Voxel::new(x, y, z),
            }])?;
            shut.1.fill(at.map(i64::from), true);
        }
    }
    let point = FlightRequest::new(from, to);
    let ball = FlightRequest {
        radius: Fixed::from_raw(2 * 256),
        ..point
    };
    let nearest = FlightRequest {
        partial: FlightPartialPolicy::Nearest,
        ..point
    };
    let mut solver = Solver {
        searcher: FlightSearcher::default(),
        timer,
        wrong: 0,
    };
    let (ms, expansions, length) = solver.solve(&holed, point, Expected::Path);
    let (flat_ms, flat_expansions, flat_length) = solver.solve(&holed, flat(point), Expected::Path);
    Ok(MazeRow {
        side,
        walls,
        ms,
        expansions,
        flat_ms,
        flat_expansions,
        length_ratio: length / flat_length,
        wide_ms: solver.solve(&wide, ball, Expected::Path).0,
        wide_flat_ms: solver.solve(&wide, flat(ball), Expected::Path).0,
        too_wide_ms: solver.solve(&holed, ball, Expected::None).0,
        too_wide_flat_ms: solver.solve(&holed, flat(ball), Expected::None).0,
        nearest_ms: solver.solve(&shut, nearest, Expected::Part).0,
        wrong: solver.wrong,
    })
}

/// The request without regions.
fn flat(request: FlightRequest) -> FlightRequest {
    let params = OctreeParams {
        corridor_after: u32::MAX,
        ..OctreeParams::BALANCED
    };
    FlightRequest {
        method: FlightMethod::Octree(params),
        ..request
    }
}

/// What must come of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Path,
    Part,
    None,
}

struct Solver<'a> {
    searcher: FlightSearcher,
    timer: &'a Timer,
    wrong: usize,
}

impl Solver<'_> {
    /// The best of three times in milliseconds, and the expansions and length of the flight.
    fn solve(
        &mut self,
        (air, bits): &(Air, Bits),
        request: FlightRequest,
        expected: Expected,
    ) -> (f64, u64, f64) {
        let mut best = (f64::MAX, 0, 0.0);
        for _ in 0..3 {
            let (result, nanoseconds) = self.timer.time(|| self.searcher.find(air, &request));
            best.0 = best.0.min(nanoseconds / 1e6);
            let path = match (result, expected) {
                (Ok(Outcome::Found(path)), Expected::Path)
                | (Ok(Outcome::Partial { best: path, .. }), Expected::Part) => path,
                (Ok(Outcome::Unreachable { .. }), Expected::None) => continue,
                _ => {
                    self.wrong += 1;
                    continue;
                }
            };
            let radius = request.radius;
            let is_free = |leg: &[Voxel]| {
                bits.is_line_free(leg[0], leg[1])
                    && (radius.raw() == 0 || bits.is_ball_free(leg[0], leg[1], radius))
            };
            self.wrong += usize::from(!path.waypoints.windows(2).all(is_free));
            (best.1, best.2) = (path.expansions, path.length());
        }
        best
    }
}

/// Walls square to x, evenly spaced, each with a hole somewhere: a voxel and `more` on each side.
fn maze(side: u32, walls: u32, (seed, more): (u64, i32)) -> Result<(Air, Bits), AirError> {
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [side; 3])?;
    let mut bits = Bits::empty([side; 3]);
    let mut rng = Rng::new(seed);
    let end = side.cast_signed();
    for wall in 1..=walls {
        let x = (wall * side / (walls + 1)).cast_signed();
        let hole = (
            rng.between(more, end - 1 - more),
            rng.between(more, end - 1 - more),
        );
        let is_hole = |y: i32, z: i32| (y - hole.0).abs() <= more && (z - hole.1).abs() <= more;
        for y in 0..end {
            for z in (0..end).filter(|z| !is_hole(y, *z)) {
                builder.add_voxel(Voxel::new(x, y, z))?;
                bits.fill([x, y, z].map(i64::from), true);
            }
        }
    }
    Ok((builder.build()?, bits))
}
