//! Known coverage of shapes, and agreement with the base crate.

use wayfarer_base::{Fixed, Rect, Rng};

use super::*;

fn point(x: f64, y: f64) -> Point2 {
    Point2::new(Fixed::from_cells(x).unwrap(), Fixed::from_cells(y).unwrap())
}

fn fixed(cells: f64) -> Fixed {
    Fixed::from_cells(cells).unwrap()
}

/// Compares with a drawing of the covered columns from (-1, -1).
#[track_caller]
fn check(shape: &Shape, expected: &str) {
    let rows: Vec<&str> = expected.lines().map(str::trim).collect();
    let rows: Vec<&str> = rows.into_iter().filter(|row| !row.is_empty()).collect();
    let mut found = String::new();
    for (y, row) in (-1..).zip(&rows) {
        for (x, _) in (-1..).zip(row.chars()) {
            let is_covered = covers(shape, Column::new(x, y));
            found.push(if is_covered { 'x' } else { '.' });
        }
        found.push('\n');
    }
    assert_eq!(found.trim(), rows.join("\n"), "{shape:?}");
    let listed = columns(shape);
    assert_eq!(listed.len(), expected.matches('x').count(), "{shape:?}");
    assert!(listed.iter().all(|column| covers(shape, *column)));
}

#[test]
fn a_circle_covers_the_columns_whose_centers_it_contains() {
    check(
        &Shape::Circle {
            center: point(1.5, 1.5),
            radius: fixed(2.0),
        },
        "
        ..x..
        .xxx.
        xxxxx
        .xxx.
        ..x..
        ",
    );
}

#[test]
fn a_box_includes_both_corners() {
    check(
        &Shape::Box(Rect::around(Column::new(0, -1), Column::new(1, 1))),
        "
        .xx.
        .xx.
        .xx.
        ....
        ",
    );
}

#[test]
fn a_polygon_includes_its_edges_and_excludes_its_notch() {
    let vertices = [(0.5, 0.5), (3.5, 0.5), (3.5, 3.5), (2.0, 1.5), (0.5, 3.5)];
    check(
        &Shape::Polygon(vertices.iter().map(|&(x, y)| point(x, y)).collect()),
        "
        ......
        .xxxx.
        .xxxx.
        .x..x.
        .x..x.
        ......
        ",
    );
    assert_eq!(columns(&Shape::Polygon(Vec::new())), Vec::new());
}

#[test]
fn a_segment_has_round_ends() {
    check(
        &Shape::Segment {
            from: point(0.5, 1.5),
            to: point(2.5, 1.5),
            radius: fixed(1.0),
        },
        "
        ......
        .xxx..
        xxxxx.
        .xxx..
        ......
        ",
    );
    let dot = Shape::Segment {
        from: point(0.5, 0.5),
        to: point(0.5, 0.5),
        radius: fixed(0.0),
    };
    assert_eq!(columns(&dot), vec![Column::new(0, 0)]);
}

#[test]
fn wedges_turn_clockwise_from_left_to_right() {
    let wedge = |left, right| Shape::Wedge {
        tip: point(1.5, 1.5),
        radius: fixed(2.0),
        left,
        right,
    };
    // A quarter turn, from east to south.
    check(
        &wedge((1, 0), (0, 1)),
        "
        .....
        .....
        ..xxx
        ..xx.
        ..x..
        ",
    );
    // The complement, from south over west and north to east; both include the edges.
    check(
        &wedge((0, 1), (1, 0)),
        "
        ..x..
        .xxx.
        xxxxx
        .xx..
        ..x..
        ",
    );
    // A half turn, from west over north to east.
    check(
        &wedge((-1, 0), (1, 0)),
        "
        ..x..
        .xxx.
        xxxxx
        .....
        .....
        ",
    );
    // A single ray.
    check(
        &wedge((1, 0), (2, 0)),
        "
        .....
        .....
        ..xxx
        .....
        .....
        ",
    );
}

#[test]
fn circles_of_zero_and_negative_radius() {
    let circle = |radius| Shape::Circle {
        center: point(0.5, 0.5),
        radius: Fixed::from_raw(radius),
    };
    assert_eq!(columns(&circle(0)), vec![Column::new(0, 0)]);
    assert_eq!(columns(&circle(-1)), Vec::new());
}

/// Compares with the independent implementation of the base crate.
#[test]
fn both_implementations_agree_on_random_shapes() {
    let mut rng = Rng::new(5);
    let mut n_covered = 0;
    for _ in 0..2_000 {
        let mut at = || {
            // Coarse, so that edges often pass through centers.
            let coarse = |rng: &mut Rng| Fixed::from_raw(rng.between(-12, 12) * 64);
            Point2::new(coarse(&mut rng), coarse(&mut rng))
        };
        let (a, b, c, d) = (at(), at(), at(), at());
        let radius = Fixed::from_raw(rng.between(-1, 10) * 64);
        let mut direction = || loop {
            let delta = (rng.between(-2, 2), rng.between(-2, 2));
            if delta != (0, 0) {
                return delta;
            }
        };
        let (left, right) = (direction(), direction());
        let shapes = [
            Shape::Circle { center: a, radius },
            Shape::Polygon(vec![a, b, c, d]),
            Shape::Segment {
                from: a,
                to: b,
                radius,
            },
            Shape::Wedge {
                tip: a,
                radius,
                left,
                right,
            },
        ];
        for shape in shapes {
            let reference = columns(&shape);
            let actual: Vec<Column> = shape.columns().collect();
            assert_eq!(reference, actual, "{shape:?}");
            n_covered += reference.len();
        }
    }
    assert!(
        n_covered > 10_000,
        "the shapes cover something: {n_covered}"
    );
}
