use std::collections::BTreeSet;

use wayfarer_base::{Fixed, Rng};
use wayfarer_testkit::sight as oracle;

use super::*;

fn met(from: Point2, to: Point2, meets: LineCoverage) -> BTreeSet<(i32, i32)> {
    let mut columns = BTreeSet::new();
    let is_done = is_clear(from, to, meets, |column| {
        assert!(columns.insert((column.y, column.x)), "{column} twice");
        true
    });
    assert!(is_done);
    columns
}

#[track_caller]
fn check(from: Point2, to: Point2) {
    for (meets, theirs) in [
        (LineCoverage::Interior, oracle::Meets::Enters),
        (LineCoverage::Closed, oracle::Meets::Touches),
    ] {
        let expected = oracle::columns(from, to, theirs);
        let expected: BTreeSet<(i32, i32)> = expected.iter().map(|c| (c.y, c.x)).collect();
        assert_eq!(met(from, to, meets), expected, "{from} to {to} {meets:?}");
        assert_eq!(met(to, from, meets), expected, "{to} to {from} {meets:?}");
    }
}

#[test]
fn every_line_meets_the_columns_that_the_oracle_finds() {
    let mut rng = Rng::new(6);
    for round in 0..6_000 {
        // Middles, corners and edges come up often; so do steep, level and empty lines.
        let grain = [128, 256, 64, 1][round % 4];
        let mut at = || Fixed::from_raw(rng.between(-2_000 / grain, 2_000 / grain) * grain);
        let (from, to) = (Point2::new(at(), at()), Point2::new(at(), at()));
        let level = Point2::new(to.x, from.y);
        let upright = Point2::new(from.x, to.y);
        for to in [to, level, upright, from] {
            check(from, to);
        }
    }
}

#[test]
fn a_line_across_the_whole_world_is_exact_at_both_ends() {
    let end = |raw: i32| Point2::new(Fixed::from_raw(raw), Fixed::from_raw(raw / 3));
    let (from, to) = (end(-2_000_000_000), end(2_000_000_000));
    let mut n_rows = 0_i64;
    let is_done = rows_are_clear(from, to, LineCoverage::Interior, |run| {
        n_rows += 1;
        let center = Column::new((run.low + run.high) / 2, run.y);
        n_rows > 50 || oracle::meets_column(from, to, center, oracle::Meets::Enters)
    });
    assert!(is_done);
    assert_eq!(n_rows, i64::from(to.y.cell() - from.y.cell()) + 1);
}

#[test]
fn the_first_blocked_run_ends_the_question() {
    let point = |x: i32, y: i32| Point2::center_of(Column::new(x, y)).expect("near the origin");
    let mut n_asked = 0;
    let clear = rows_are_clear(point(0, 0), point(0, 9), LineCoverage::Interior, |run| {
        n_asked += 1;
        run.y < 3
    });
    assert_eq!((clear, n_asked), (false, 4));
}
