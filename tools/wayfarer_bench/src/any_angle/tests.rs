use super::*;
use wayfarer_testkit::ascii;

/// Walks `points` over a drawing (`.` is open) from the middle of the first cell to that of the
/// last; the length, or what is wrong.
#[track_caller]
fn check(drawing: &str, points: &[(f64, f64)], expected: &Result<f64, PathFault>) {
    let open = OpenCells::of(&ascii::raster(drawing));
    let cell = |point: &(f64, f64)| Column::new(whole(point.0), whole(point.1));
    let ends = (cell(&points[0]), cell(points.last().unwrap()));
    let found = walk(&open, ends, points);
    match (&found, expected) {
        (Ok(walked), Ok(length)) => assert!((walked.length - length).abs() < 1e-9, "{walked:?}"),
        _ => assert_eq!(&found.map(|walked| walked.length), expected),
    }
}

const CORNER: &str = "
    ..
    #.
";
const GATE: &str = "
    .#
    #.
";

#[test]
fn a_line_may_touch_a_corner_but_not_enter_the_square() {
    // Around the closed square's corner at (1, 1).
    let half = 0.5_f64.sqrt();
    check(
        CORNER,
        &[(0.5, 0.5), (1.0, 1.0), (1.5, 1.5)],
        &Ok(2.0 * half),
    );
    check(
        CORNER,
        &[(0.5, 0.5), (0.8, 1.2), (1.5, 1.5)],
        &Err(PathFault::Closed { x: 0, y: 1 }),
    );
}

#[test]
fn a_line_may_run_along_a_wall() {
    let drawing = "
        ....
        .##.
        ....
    ";
    check(
        drawing,
        &[(0.5, 1.5), (1.0, 1.0), (3.0, 1.0), (3.5, 1.5)],
        &Ok(2.0 + 2.0 * 0.5_f64.sqrt()),
    );
}

#[test]
fn a_dip_within_the_rounding_of_32_bits_is_forgiven() {
    check(
        CORNER,
        &[(0.5, 0.5), (0.9999, 1.0001), (1.5, 1.5)],
        &Ok(math::length(0.4999, 0.5001) + math::length(0.5001, 0.4999)),
    );
}

#[test]
fn nobody_slips_between_two_closed_squares_that_touch() {
    check(
        GATE,
        &[(0.5, 0.5), (1.5, 1.5)],
        &Err(PathFault::Corner { x: 1, y: 1 }),
    );
}

#[test]
fn a_line_across_a_wall_is_caught_wherever_it_crosses() {
    let drawing = "
        ...#...
        ...#...
        .......
    ";
    check(
        drawing,
        &[(0.5, 0.5), (6.5, 1.5)],
        &Err(PathFault::Closed { x: 3, y: 0 }),
    );
    check(
        drawing,
        &[(0.5, 0.5), (3.0, 2.0), (4.0, 2.0), (6.5, 0.5)],
        &Ok(2.0 * math::length(2.5, 1.5) + 1.0),
    );
}

#[test]
fn paths_that_end_elsewhere_leave_the_map_or_are_no_numbers_are_caught() {
    let open = OpenCells::of(&ascii::raster(".."));
    let ends = (Column::new(0, 0), Column::new(1, 0));
    assert_eq!(walk(&open, ends, &[]), Err(PathFault::Ends));
    assert_eq!(walk(&open, ends, &[(0.5, 0.5)]), Err(PathFault::Ends));
    for far in [-1.0, 1.5, 9.0, -1e12, 1e12] {
        let found = walk(&open, ends, &[(0.5, 0.5), (0.5, far), (1.5, 0.5)]);
        assert!(
            matches!(found, Err(PathFault::Closed { x: 0, .. })),
            "{far}: {found:?}"
        );
    }
    assert!(walk(&open, ends, &[(0.5, 0.5), (f64::NAN, 0.5), (1.5, 0.5)]).is_err());
    assert!(walk(&open, ends, &[(0.5, 0.5), (f64::INFINITY, 0.5), (1.5, 0.5)]).is_err());
}
