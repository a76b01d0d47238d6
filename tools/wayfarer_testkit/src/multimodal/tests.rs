//! A known result of the multimodal oracle.

use wayfarer_base::{Cell, Voxel};

use super::*;
use crate::ascii;

#[test]
fn a_flying_agent_crosses_a_gap_on_the_ground() {
    let mut world = ReferenceMultimodal {
        ground: ReferenceWorld::new(&ascii::world("..#..")),
        profile: Profile::DEFAULT,
        space: ReferenceVoxels::new([5, 1, 2]),
        flight_cost: |cost| Cost::from_units(2 * cost.units()),
        transitions: Vec::new(),
    };
    let (west, east) = (
        Location::Cell(Cell::flat(0, 0)),
        Location::Cell(Cell::flat(4, 0)),
    );
    assert_eq!(world.path_cost(west, east), None);
    let pad = |x: i32| {
        (
            Location::Cell(Cell::flat(x, 0)),
            Location::Voxel(Voxel::new(x, 0, 1)),
        )
    };
    let (up, down) = (pad(1), pad(3));
    world.transitions = vec![
        (up.0, up.1, Cost::from_units(10)),
        (down.1, down.0, Cost::from_units(20)),
    ];
    // A step, take-off, two voxels at multiplier 2, landing, a step.
    let cost = Cost::from_units(6 * 1463 + 30);
    assert_eq!(world.path_cost(west, east), Some(cost));
    let path = [
        west,
        up.0,
        up.1,
        Location::Voxel(Voxel::new(2, 0, 1)),
        down.1,
        down.0,
        east,
    ];
    assert_eq!(world.check_path(&path), Ok(cost));
    assert_eq!(world.path_cost(east, west), None);
    world.space.set(Voxel::new(2, 0, 1), true);
    world.space.set(Voxel::new(2, 0, 0), true);
    assert_eq!(world.path_cost(west, east), None);
    assert!(world.check_path(&path).is_err());
}
