//! Accuracy, saturation and multipliers of costs.

use super::*;

#[test]
fn diagonal_costs_are_within_four_millionths_of_the_euclidean_length() {
    let diagonal = Cost::DIAGONAL.to_cells() / 2.0_f64.sqrt() - 1.0;
    let space_diagonal = Cost::SPACE_DIAGONAL.to_cells() / 3.0_f64.sqrt() - 1.0;
    assert!(diagonal.abs() < 3e-6, "{diagonal}");
    assert!(space_diagonal.abs() < 4e-6, "{space_diagonal}");
}

#[test]
fn sums_and_products_saturate() {
    assert_eq!(Cost::MAX + Cost::STRAIGHT, Cost::MAX);
    assert_eq!(Cost::octile(u32::MAX, u32::MAX), Cost::MAX);
    assert_eq!(Cost::voxel_octile(u32::MAX, 0, u32::MAX), Cost::MAX);
    assert_eq!(Cost::MAX.scaled_by(CostMultiplier::MAX), Cost::MAX);
    assert_eq!(
        Cost::MAX.scaled_by_mean(CostMultiplier::MAX, CostMultiplier::MAX),
        Cost::MAX
    );
    assert_eq!(Cost::ZERO - Cost::STRAIGHT, Cost::ZERO);
    assert!(CostMultiplier::MAX.stacked_with(CostMultiplier::MAX) == CostMultiplier::MAX);
}

#[test]
fn the_voxel_octile_distance_is_the_cheapest_mix_of_steps() {
    for (dx, dy, dz) in [
        (3, 1, 2),
        (1, 2, 3),
        (2, 3, 1),
        (0, 4, 4),
        (5, 5, 5),
        (4, 0, 1),
    ] {
        let mut sides = [dx, dy, dz];
        sides.sort_unstable();
        let expected = sides[0] * Cost::SPACE_DIAGONAL.units()
            + (sides[1] - sides[0]) * Cost::DIAGONAL.units()
            + (sides[2] - sides[1]) * Cost::STRAIGHT.units();
        assert_eq!(Cost::voxel_octile(dx, dy, dz).units(), expected);
    }
}

#[test]
fn multiplier_one_leaves_the_base_cost() {
    assert_eq!(
        Cost::STRAIGHT.scaled_by_mean(CostMultiplier::ONE, CostMultiplier::ONE),
        Cost::STRAIGHT
    );
    assert_eq!(
        Cost::DIAGONAL.scaled_by_mean(CostMultiplier::ONE, CostMultiplier::ONE),
        Cost::DIAGONAL
    );
    let mud = CostMultiplier::from_sixteenths(48).unwrap();
    assert_eq!(
        Cost::STRAIGHT.scaled_by_mean(CostMultiplier::ONE, mud),
        Cost::from_units(2926)
    );
    assert_eq!(CostMultiplier::ONE.stacked_with(mud), mud);
    assert_eq!(mud.stacked_with(mud).sixteenths(), 80);
}

#[test]
fn negative_and_non_finite_lengths_saturate() {
    assert_eq!(Cost::from_cells(-1.0), Cost::ZERO);
    assert_eq!(Cost::from_cells(f64::NAN), Cost::ZERO);
    assert_eq!(Cost::from_cells(1e30), Cost::MAX);
    assert_eq!(Cost::from_cells(2.0), Cost::STRAIGHT + Cost::STRAIGHT);
}
