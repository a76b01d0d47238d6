use wayfarer_base::{Fixed, Rng};

use super::*;
use crate::ascii;

fn point(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn middle(x: i32, y: i32) -> Point2 {
    point(x * 256 + 128, y * 256 + 128)
}

/// The columns from (0, 0) on that the line meets, drawn: `+` entered, `o` touched only.
#[track_caller]
fn check(from: Point2, to: Point2, expected: &str) {
    let rows = expected.lines().map(str::trim);
    let rows: Vec<&str> = rows.filter(|row| !row.is_empty()).collect();
    for (a, b) in [(from, to), (to, from)] {
        let mut found = Vec::new();
        for (y, row) in (0..).zip(&rows) {
            let letter = |x: i32| {
                let column = Column::new(x, y);
                let entered = meets_column(a, b, column, Meets::Enters);
                let dirty = meets_column(a, b, column, Meets::Touches);
                assert!(dirty || !entered, "what enters touches");
                match (entered, dirty) {
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
fn lines_enter_and_touch_what_they_should() {
    check(middle(0, 0), middle(3, 0), "++++.\n.....");
    check(middle(0, 0), middle(2, 2), "+o.\no+o\n.o+");
    check(middle(0, 0), middle(2, 1), "++.\n.++");
    check(middle(0, 0), middle(3, 1), "++o.\n.o++");
    check(middle(1, 1), middle(1, 1), "...\n.+.\n...");
    // Along an edge and at a corner.
    check(point(256, 128), point(256, 640), "oo.\noo.\noo.\n...");
    check(point(256, 256), point(256, 256), "oo.\noo.\n...");
    check(point(0, 256), point(300, 256), "oo.\noo.");
}

#[test]
fn sight_is_stopped_by_what_it_meets() {
    let map = ascii::raster(
        "
        ....
        .#..
        ....
        ",
    );
    let sees = |a: (i32, i32), b: (i32, i32), meets| {
        sees(middle(a.0, a.1), middle(b.0, b.1), meets, |column| {
            map.get(column.x, column.y).is_none()
        })
    };
    assert!(sees((0, 0), (3, 0), Meets::Touches));
    assert!(!sees((0, 0), (2, 2), Meets::Enters));
    assert!(sees((0, 1), (1, 0), Meets::Enters), "past the corner");
    assert!(!sees((0, 1), (1, 0), Meets::Touches), "on the corner");
    assert!(!sees((0, 0), (3, 1), Meets::Touches) && sees((0, 0), (3, 1), Meets::Enters));
}

#[test]
fn walking_along_the_line_meets_the_same_columns() {
    let mut rng = Rng::new(21);
    for _ in 0..300 {
        let mut any = || middle(rng.between(-6, 6), rng.between(-6, 6));
        let (from, to) = (any(), any());
        let entered = columns(from, to, Meets::Enters);
        let dirty = columns(from, to, Meets::Touches);
        assert_eq!(columns(to, from, Meets::Enters), entered);
        // Points of the line, a thousand parts and all exact in 1/256 of 1/5040 of a cell.
        let fine = |a: i32, b: i32, part: i64| i64::from(a) * 5040 + i64::from(b - a) * part;
        let mut met = Vec::new();
        for part in 0..=5040 {
            let x = fine(from.x.raw(), to.x.raw(), part);
            let y = fine(from.y.raw(), to.y.raw(), part);
            let side = 256 * 5040;
            let column = Column::new(
                i32::try_from(x.div_euclid(side)).unwrap(),
                i32::try_from(y.div_euclid(side)).unwrap(),
            );
            let inside = x.rem_euclid(side) != 0 && y.rem_euclid(side) != 0;
            if inside {
                assert!(entered.contains(&column), "{from} {to} {column}");
                met.push(column);
            } else {
                // On an edge or a corner: every square there is touched.
                for (dx, dy) in [(0, 0), (-1, 0), (0, -1), (-1, -1)] {
                    let on = (dx == 0 || x.rem_euclid(side) == 0)
                        && (dy == 0 || y.rem_euclid(side) == 0);
                    let column = Column::new(column.x + dx, column.y + dy);
                    assert!(!on || dirty.contains(&column), "{from} {to} {column}");
                }
            }
        }
        // At least one of 5,040 parts lies inside any square that so short a line enters.
        assert!(entered.iter().all(|column| met.contains(column)));
    }
}
