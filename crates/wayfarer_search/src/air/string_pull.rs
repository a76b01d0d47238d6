//! String pulling of flights found by other means.

use wayfarer_base::{Fixed, Voxel};
use wayfarer_world::air::Air;

use super::FlightPath;
use super::segment_test::SegmentTest;
use super::smooth::smooth;

/// String-pulls a flight along `voxels`, each of which must be in line of sight of the next for an
/// agent of `radius`. Never raises the cost. `None` if a voxel lies out of bounds or a leg is
/// blocked.
///
/// ```
/// use wayfarer_base::{Fixed, Voxel};
/// use wayfarer_search::air::string_pull;
/// use wayfarer_world::air::AirBuilder;
///
/// let air = AirBuilder::new(Voxel::new(0, 0, 0), [8, 8, 8])?.build()?;
/// let steps: Vec<Voxel> = (0..6).map(|x| Voxel::new(x, x / 2, 0)).collect();
/// let flight = string_pull(&air, &steps, Fixed::default()).unwrap();
/// assert_eq!(flight.waypoints, [steps[0], steps[5]]);
/// assert!(flight.cost < flight.raw_cost);
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
pub fn string_pull(air: &Air, voxels: &[Voxel], radius: Fixed) -> Option<FlightPath> {
    const ROUNDS: u8 = 4;
    let test = SegmentTest::new(air, radius);
    let is_clear = |leg: &[Voxel]| test.is_clear(leg[0], leg[1]);
    if !voxels.windows(2).all(is_clear) {
        return None;
    }
    let cost = |path: &[Voxel]| {
        let legs = path.windows(2);
        legs.map(|leg| test.leg_cost(leg[0], leg[1])).sum()
    };
    let local = |at: &Voxel| air.to_local(*at).map(|at| at.map(u32::cast_signed));
    let mut points: Vec<[i32; 3]> = voxels.iter().map(local).collect::<Option<_>>()?;
    smooth(&mut points, &mut Vec::new(), ROUNDS, &test);
    let pulled = points
        .iter()
        .map(|at| air.to_world(at.map(i32::cast_unsigned)));
    let pulled: Vec<Voxel> = pulled.collect();
    let raw_cost = cost(voxels);
    // Rounding to whole units may raise the cost.
    let waypoints = if cost(&pulled) <= raw_cost {
        pulled
    } else {
        voxels.to_vec()
    };
    Some(FlightPath {
        cost: cost(&waypoints),
        waypoints,
        raw_cost,
        revision: air.revision(),
        expansions: 0,
        radius,
    })
}
