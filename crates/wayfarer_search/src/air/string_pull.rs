//! A flight that somebody else found, pulled tight.

use wayfarer_base::{Fixed, Voxel};
use wayfarer_world::air::Air;

use super::FlightPath;
use super::sight::Sight;
use super::smooth::smooth;

/// A flight along voxels of which each is in sight of the next, pulled tight; never costlier than it
/// was. `None` if a voxel lies outside the bounds or a leg cannot be flown.
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
    let sight = Sight::new(air, radius);
    let is_clear = |leg: &[Voxel]| sight.sees_voxel(leg[0], leg[1]);
    if !voxels.windows(2).all(is_clear) {
        return None;
    }
    let cost = |path: &[Voxel]| {
        let legs = path.windows(2);
        legs.map(|leg| sight.leg_cost(leg[0], leg[1])).sum()
    };
    let place = |at: &Voxel| air.place(*at).map(|at| at.map(u32::cast_signed));
    let mut points: Vec<[i32; 3]> = voxels.iter().map(place).collect::<Option<_>>()?;
    smooth(&mut points, &mut Vec::new(), ROUNDS, &sight);
    let pulled = points
        .iter()
        .map(|at| air.voxel(at.map(i32::cast_unsigned)));
    let pulled: Vec<Voxel> = pulled.collect();
    let raw_cost = cost(voxels);
    // Whole units may say otherwise by a hair.
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
