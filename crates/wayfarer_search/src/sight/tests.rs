//! Covered columns against the reference implementation.

use std::collections::BTreeSet;

use wayfarer_base::{Fixed, Rng};
use wayfarer_testkit::sight as reference;

use super::*;

fn covered(from: Point2, to: Point2, coverage: LineCoverage) -> BTreeSet<(i32, i32)> {
    let mut columns = BTreeSet::new();
    let is_done = is_clear(from, to, coverage, |column| {
        assert!(columns.insert((column.y, column.x)), "{column} twice");
        true
    });
    assert!(is_done);
    columns
}

#[track_caller]
fn check(from: Point2, to: Point2) {
    for (coverage, theirs) in [
        (LineCoverage::Interior, reference::LineCoverage::Interior),
        (LineCoverage::Closed, reference::LineCoverage::Closed),
    ] {
        let expected = reference::columns(from, to, theirs);
        let expected: BTreeSet<(i32, i32)> = expected.iter().map(|c| (c.y, c.x)).collect();
        assert_eq!(
            covered(from, to, coverage),
            expected,
            "{from} to {to} {coverage:?}"
        );
        assert_eq!(
            covered(to, from, coverage),
            expected,
            "{to} to {from} {coverage:?}"
        );
    }
}

#[test]
fn every_line_covers_the_columns_that_the_reference_finds() {
    let mut rng = Rng::new(6);
    for round in 0..6_000 {
        // Centers, corners and edges are frequent; so are vertical, horizontal and empty lines.
        let grain = [128, 256, 64, 1][round % 4];
        let mut at = || Fixed::from_raw(rng.between(-2_000 / grain, 2_000 / grain) * grain);
        let (from, to) = (Point2::new(at(), at()), Point2::new(at(), at()));
        let horizontal = Point2::new(to.x, from.y);
        let vertical = Point2::new(from.x, to.y);
        for to in [to, horizontal, vertical, from] {
            check(from, to);
        }
    }
}

#[test]
fn a_line_across_the_whole_world_is_exact_at_both_ends() {
    let end = |raw: i32| Point2::from_raw(raw, raw / 3);
    let (from, to) = (end(-2_000_000_000), end(2_000_000_000));
    let mut n_rows = 0_i64;
    let is_done = rows_are_clear(from, to, LineCoverage::Interior, |run| {
        n_rows += 1;
        let center = Column::new((run.low + run.high) / 2, run.y);
        n_rows > 50 || reference::covers_column(from, to, center, reference::LineCoverage::Interior)
    });
    assert!(is_done);
    assert_eq!(n_rows, i64::from(to.y.cell() - from.y.cell()) + 1);
}

#[test]
fn the_first_blocked_run_ends_the_test() {
    let point = |x: i32, y: i32| Point2::center_of(Column::new(x, y)).expect("near the origin");
    let mut n_visited = 0;
    let clear = rows_are_clear(point(0, 0), point(0, 9), LineCoverage::Interior, |run| {
        n_visited += 1;
        run.y < 3
    });
    assert_eq!((clear, n_visited), (false, 4));
}
