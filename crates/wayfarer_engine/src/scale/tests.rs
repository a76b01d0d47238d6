use wayfarer_base::Rng;

use super::*;

#[test]
fn cells_voxels_and_points_survive_the_round_trip_through_positions() {
    let mut rng = Rng::new(1);
    let scales = [
        (1.0, 1.0, 1.0),
        (0.5, 0.25, 1.0),
        (2.0, 0.390_625, 0.003_906_25),
        (100.0, 17.5, 64.0),
        (0.3, 0.1, 0.3),
        (12.345, 0.777, 65_535.9),
    ];
    for (cell, step, voxel) in scales {
        let origin = Position::new(-1234.567, 0.001, 88.8);
        let scale = Scale::new(cell, step, voxel).unwrap().at(origin);
        for _ in 0..200 {
            let mut at = |limit: i32| rng.between(-limit, limit);
            let cell = Cell::new(at(8_000_000), at(8_000_000), at(30_000));
            assert_eq!(scale.cell(scale.cell_center(cell)), Some(cell));
            let voxel = Voxel::new(at(8_000_000), at(100), at(8_000_000));
            assert_eq!(scale.voxel(scale.voxel_center(voxel)), Some(voxel));
            let point = Point2::from_raw(at(i32::MAX), at(99));
            let height = Fixed::from_raw(at(i32::MAX));
            let position = scale.ground_position(point, height);
            assert_eq!(scale.point(position), Some(point));
            assert_eq!(scale.height(position), Some(height));
        }
    }
}

#[test]
fn a_length_out_of_range_is_rejected_by_name() {
    let check = |cell, step, voxel, expected: &str| {
        let error = Scale::new(cell, step, voxel).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let tail = "expected a number from 1/256 to 65,536";
    check(-0.3, 1.0, 1.0, &format!("a cell of -0.3 units, {tail}"));
    check(1.0, 0.0, 1.0, &format!("a step of 0 units, {tail}"));
    check(1.0, 1.0, f64::NAN, &format!("a voxel of NaN units, {tail}"));
    check(
        1.0,
        1.0,
        1e9,
        &format!("a voxel of 1000000000 units, {tail}"),
    );
}

#[test]
fn a_position_outside_the_world_has_no_cell() {
    let scale = Scale::UNIT;
    for x in [f64::NAN, f64::INFINITY, -1e30, 8_388_608.0] {
        assert_eq!(scale.cell(Position::new(x, 0.0, 0.0)), None, "{x}");
    }
    assert!(scale.cell(Position::new(8_388_607.5, 0.0, 0.0)).is_some());
}

#[test]
fn positions_are_rounded_down_on_both_sides_of_the_origin() {
    let cell = |x: f64| Scale::UNIT.cell(Position::new(x, 0.0, 0.0)).unwrap().x;
    assert_eq!(
        [cell(-0.001), cell(0.0), cell(0.999), cell(1.0)],
        [-1, 0, 0, 1]
    );
}

#[test]
fn a_box_overlaps_what_shares_its_interior_and_not_what_touches_its_edge() {
    let scale = Scale::new(1.0, 0.5, 2.0).unwrap();
    let at = Position::new;
    let extent = scale
        .box_extent(at(0.5, 1.0, 0.0), at(2.0, 2.0, 1.25))
        .unwrap();
    assert_eq!(extent.columns, (Column::new(0, 1), Column::new(1, 1)));
    assert_eq!(extent.steps, (0, 3));
    assert_eq!(extent.voxels, (Voxel::new(0, 0, 0), Voxel::new(0, 0, 0)));
    assert_eq!(scale.box_extent(at(0.0, 0.0, 0.0), at(1.0, 0.0, 1.0)), None);
}

#[test]
fn with_any_origin_cells_stay_distinct_and_invalid_positions_stay_outside() {
    let outside = Position::new(f64::NAN, f64::NEG_INFINITY, f64::INFINITY);
    for lengths in [(1.0 / 256.0, 1.0, 1.0), (65_536.0, 65_536.0, 65_536.0)] {
        let scale = Scale::new(lengths.0, lengths.1, lengths.2).unwrap();
        let scale = scale.at(outside);
        for cell in [
            Cell::new(8_388_607, -8_388_607, 8_388_606),
            Cell::flat(1, 1),
        ] {
            assert_eq!(scale.cell(scale.cell_center(cell)), Some(cell));
        }
        assert_eq!(scale.cell(outside), None);
    }
}
