//! Containment, bounds and translation of shapes.

use super::*;
use crate::Direction;

fn point(x: f64, y: f64) -> Point2 {
    Point2::new(Fixed::from_cells(x).unwrap(), Fixed::from_cells(y).unwrap())
}

/// Draws a shape over columns 0 to 8 in each direction.
fn drawn(shape: &Shape) -> Vec<String> {
    (0..9)
        .map(|y| {
            (0..9)
                .map(|x| {
                    let center = Point2::center_of(Column::new(x, y)).unwrap();
                    if shape.contains(center) { '#' } else { '.' }
                })
                .collect()
        })
        .collect()
}

#[test]
fn shapes_contain_the_columns_of_their_drawing() {
    let circle = Shape::Circle {
        center: point(4.5, 4.5),
        radius: Fixed::from_cells(2.5).unwrap(),
    };
    assert_eq!(
        drawn(&circle)[2..7],
        [
            "...###...",
            "..#####..",
            "..#####..",
            "..#####..",
            "...###..."
        ]
    );
    let segment = Shape::Segment {
        from: point(1.5, 1.5),
        to: point(7.5, 7.5),
        radius: Fixed::from_cells(0.5).unwrap(),
    };
    assert_eq!(drawn(&segment)[0], ".........");
    assert_eq!(drawn(&segment)[4], "....#....");
    let wedge = Shape::Wedge {
        tip: point(4.5, 4.5),
        radius: Fixed::from_cells(3.0).unwrap(),
        left: (1, -1),
        right: (1, 1),
    };
    assert_eq!(
        drawn(&wedge)[1..8],
        [
            ".........",
            "......#..",
            ".....##..",
            "....####.",
            ".....##..",
            "......#..",
            "........."
        ]
    );
    let triangle = Shape::Polygon(vec![point(0.0, 0.0), point(5.0, 0.0), point(0.0, 5.0)]);
    assert_eq!(
        drawn(&triangle)[..3],
        ["#####....", "####.....", "###......"]
    );
}

#[test]
fn a_wedge_contains_its_share_of_the_circle() {
    let directions = Direction::ALL.map(Direction::offset);
    for eighths in 1..8 {
        let wedge = Shape::Wedge {
            tip: point(0.0, 0.0),
            radius: Fixed::from_cells(40.0).unwrap(),
            left: directions[0],
            right: directions[eighths],
        };
        let n_columns = wedge.columns().count();
        let share = n_columns as f64 / (std::f64::consts::PI * 1600.0);
        let expected = eighths as f64 / 8.0;
        assert!((share - expected).abs() < 0.02, "{eighths}: {share}");
    }
}

#[test]
fn bounds_contain_every_column_of_the_shape() {
    let circle = Shape::Circle {
        center: point(-3.25, 2.0),
        radius: Fixed::from_cells(2.0).unwrap(),
    };
    let by_columns = circle.columns().count();
    let brute_force = Rect::around(Column::new(-9, -9), Column::new(9, 9))
        .columns()
        .filter(|c| circle.contains(Point2::center_of(*c).unwrap()))
        .count();
    assert_eq!(by_columns, brute_force);
    assert!(by_columns > 8);
}

#[test]
fn a_repeated_vertex_does_not_change_a_polygon() {
    let vertices = [(0.0, 0.0), (4.0, 0.0), (2.0, 4.0)];
    let polygon = |vertices: &[(f64, f64)]| {
        let shape = Shape::Polygon(vertices.iter().map(|&(x, y)| point(x, y)).collect());
        shape.columns().collect::<Vec<Column>>()
    };
    let [a, b, c] = vertices;
    assert_eq!(polygon(&[a, b, b, c, a]), polygon(&vertices));
    assert!(!polygon(&vertices).contains(&Column::new(0, 3)));
}

#[test]
fn a_shape_translated_by_whole_columns_contains_the_translated_columns() {
    let radius = Fixed::from_cells(2.25).unwrap();
    let shapes = [
        Shape::Circle {
            center: point(4.5, 4.25),
            radius,
        },
        Shape::Box(Rect::around(Column::new(-3, 2), Column::new(5, 4))),
        Shape::Box(Rect::EMPTY),
        Shape::Polygon(vec![point(0.0, -2.5), point(5.25, 0.0), point(0.0, 5.0)]),
        Shape::Segment {
            from: point(1.5, 1.5),
            to: point(7.5, -7.5),
            radius,
        },
        Shape::Wedge {
            tip: point(4.5, 4.5),
            radius,
            left: (1, -1),
            right: (1, 1),
        },
    ];
    for shape in shapes {
        let translated = shape.translated((-3 * 256, 7 * 256)).unwrap();
        let expected: Vec<Column> = shape
            .columns()
            .map(|column| Column::new(column.x - 3, column.y + 7))
            .collect();
        assert_eq!(
            translated.columns().collect::<Vec<_>>(),
            expected,
            "{shape:?}"
        );
        assert_eq!(translated.translated((3 * 256, -7 * 256)), Some(shape));
    }
    let far = Shape::Circle {
        center: Point2::new(Fixed::MAX, Fixed::MAX),
        radius,
    };
    assert_eq!(far.translated((1, 0)), None);
}
