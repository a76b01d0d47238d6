use super::*;

#[test]
fn any_positive_size_is_a_scale() {
    for size in [0.3, 0.1, 1.0 / 3.0, 2.5, 1_000.1] {
        let frame = Scale::meters(size).frame().unwrap();
        // The center of the millionth cell is within a hundredth of a cell of where it belongs.
        let center = frame.position_of(Location::Cell(Cell::flat(1_000_000, 0)));
        let expected = 1_000_000.5 * size;
        assert!(
            (center.units()[0] - expected).abs() < size / 100.0,
            "{size}"
        );
        assert_eq!(frame.cell(center), Some(Cell::flat(1_000_000, 0)));
    }
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let error = Scale::meters(size).frame().unwrap_err();
        assert_eq!(error.what, "the side of a cell", "{size}");
    }
}

#[test]
fn y_up_swaps_the_vertical_axis() {
    let scale = Scale {
        axes: Axes::YUp,
        ..Scale::meters(0.5)
    };
    let frame = scale.frame().unwrap();
    let at = Position::new(3.25, 1.0, 7.25);
    assert_eq!(frame.cell(at), Some(Cell::new(6, 14, 2)));
    assert_eq!(frame.position_of(Location::Cell(Cell::new(6, 14, 2))), at);
    assert_eq!(frame.user_scale(), scale);
}

#[test]
fn lengths_that_are_multiples_in_decimal_stay_multiples() {
    let frame = Scale {
        step: 0.1,
        ..Scale::meters(0.3)
    }
    .frame()
    .unwrap();
    assert_eq!(frame.steps("a step", 0.3, Rounding::Down), Ok(3));
    assert_eq!(frame.steps("a height", 1.8, Rounding::Up), Ok(18));
    assert_eq!(
        frame.length("a radius", 0.45, Rounding::Up),
        Ok(Fixed::from_raw(384))
    );
    let error = frame
        .length("the radius", f64::NAN, Rounding::Up)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the radius is NaN, expected a length from 0 to 8 million cells"
    );
}
