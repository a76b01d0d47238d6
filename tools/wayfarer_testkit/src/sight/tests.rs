//! Known coverage of segments, and agreement with sampling.

use crate::point;
use wayfarer_base::Rng;

use super::*;
use crate::ascii;

fn center(x: i32, y: i32) -> Point2 {
    point(x * 256 + 128, y * 256 + 128)
}

/// Compares with a drawing of the columns from (0, 0): `+` interior, `o` closed only.
#[track_caller]
fn check(from: Point2, to: Point2, expected: &str) {
    let rows = expected.lines().map(str::trim);
    let rows: Vec<&str> = rows.filter(|row| !row.is_empty()).collect();
    for (a, b) in [(from, to), (to, from)] {
        let mut found = Vec::new();
        for (y, row) in (0..).zip(&rows) {
            let letter = |x: i32| {
                let column = Column::new(x, y);
                let is_interior = covers_column(a, b, column, LineCoverage::Interior);
                let is_closed = covers_column(a, b, column, LineCoverage::Closed);
                assert!(is_closed || !is_interior, "interior implies closed");
                match (is_interior, is_closed) {
                    (true, _) => '+',
                    (_, true) => 'o',
                    _ => '.',
                }
            };
            let row = (0..).zip(row.chars()).map(|(x, _)| letter(x));
            found.push(row.collect::<String>());
        }
        assert_eq!(found, rows, "from {a} to {b}");
    }
}

#[test]
fn segments_cover_the_drawn_columns() {
    check(center(0, 0), center(3, 0), "++++.\n.....");
    check(center(0, 0), center(2, 2), "+o.\no+o\n.o+");
    check(center(0, 0), center(2, 1), "++.\n.++");
    check(center(0, 0), center(3, 1), "++o.\n.o++");
    check(center(1, 1), center(1, 1), "...\n.+.\n...");
    // Along an edge and at a corner.
    check(point(256, 128), point(256, 640), "oo.\noo.\noo.\n...");
    check(point(256, 256), point(256, 256), "oo.\noo.\n...");
    check(point(0, 256), point(300, 256), "oo.\noo.");
}

#[test]
fn a_blocked_column_interrupts_the_line_of_sight() {
    let map = ascii::raster(
        "
        ....
        .#..
        ....
        ",
    );
    let is_clear = |a: (i32, i32), b: (i32, i32), coverage| {
        has_line_of_sight(center(a.0, a.1), center(b.0, b.1), coverage, |column| {
            map.get(column.x, column.y).is_none()
        })
    };
    assert!(is_clear((0, 0), (3, 0), LineCoverage::Closed));
    assert!(!is_clear((0, 0), (2, 2), LineCoverage::Interior));
    assert!(
        is_clear((0, 1), (1, 0), LineCoverage::Interior),
        "past the corner"
    );
    assert!(
        !is_clear((0, 1), (1, 0), LineCoverage::Closed),
        "on the corner"
    );
    assert!(
        !is_clear((0, 0), (3, 1), LineCoverage::Closed)
            && is_clear((0, 0), (3, 1), LineCoverage::Interior)
    );
}

#[test]
fn sampling_the_segment_covers_the_same_columns() {
    let mut rng = Rng::new(21);
    for _ in 0..300 {
        let mut random_center = || center(rng.between(-6, 6), rng.between(-6, 6));
        let (from, to) = (random_center(), random_center());
        let interior = columns(from, to, LineCoverage::Interior);
        let closed = columns(from, to, LineCoverage::Closed);
        assert_eq!(columns(to, from, LineCoverage::Interior), interior);
        // 5,041 points of the segment, exact in 1/5040 of 1/256 of a cell.
        let fine = |a: i32, b: i32, part: i64| i64::from(a) * 5040 + i64::from(b - a) * part;
        let mut sampled = Vec::new();
        for part in 0..=5040 {
            let x = fine(from.x.raw(), to.x.raw(), part);
            let y = fine(from.y.raw(), to.y.raw(), part);
            let side = 256 * 5040;
            let column = Column::new(
                i32::try_from(x.div_euclid(side)).unwrap(),
                i32::try_from(y.div_euclid(side)).unwrap(),
            );
            let is_inside = x.rem_euclid(side) != 0 && y.rem_euclid(side) != 0;
            if is_inside {
                assert!(interior.contains(&column), "{from} {to} {column}");
                sampled.push(column);
            } else {
                // On an edge or a corner: every square there is covered.
                for (dx, dy) in [(0, 0), (-1, 0), (0, -1), (-1, -1)] {
                    let is_adjacent = (dx == 0 || x.rem_euclid(side) == 0)
                        && (dy == 0 || y.rem_euclid(side) == 0);
                    let column = Column::new(column.x + dx, column.y + dy);
                    assert!(
                        !is_adjacent || closed.contains(&column),
                        "{from} {to} {column}"
                    );
                }
            }
        }
        // At least one sample lies inside every square that so short a segment covers.
        assert!(interior.iter().all(|column| sampled.contains(column)));
    }
}
