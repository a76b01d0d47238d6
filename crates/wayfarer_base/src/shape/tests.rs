//! Containment, bounds and translation of shapes.

use super::*;
use crate::{Direction, Rng, SectorId};

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

/// A polygon with corners on centers, on edges and between; some repeat, some edges are level.
fn random_polygon(rng: &mut Rng) -> Shape {
    let n = 1 + rng.below(12);
    let mut corners: Vec<Point2> = Vec::new();
    for _ in 0..n {
        let raw = |rng: &mut Rng| match rng.below(3) {
            0 => rng.between(-20, 60) * 128,
            1 => rng.between(-10, 30) * 256 + 128,
            _ => rng.between(-2_600, 7_800),
        };
        let mut corner = Point2::new(Fixed::from_raw(raw(rng)), Fixed::from_raw(raw(rng)));
        match (corners.last(), rng.below(6)) {
            (Some(last), 0) => corner.y = last.y,
            (Some(last), 1) => corner = *last,
            _ => {}
        }
        corners.push(corner);
    }
    Shape::Polygon(corners)
}

#[test]
fn scan_conversion_gives_the_columns_that_a_polygon_contains() {
    let mut rng = Rng::new(3);
    let mut n_columns = 0;
    for _ in 0..2_000 {
        let shape = random_polygon(&mut rng);
        let inside = |column: &Column| shape.contains(Point2::center_of(*column).unwrap());
        let expected: Vec<Column> = shape.bounds().columns().filter(inside).collect();
        let columns: Vec<Column> = shape.columns().collect();
        assert_eq!(columns, expected, "{shape:?}");
        let Shape::Polygon(vertices) = &shape else {
            panic!("a polygon");
        };
        let runs = PolygonRuns::new(vertices);
        let Rect { low, high } = shape.bounds();
        let around = Rect {
            low: Column::new(low.x - 1, low.y - 1),
            high: Column::new(high.x + 1, high.y + 1),
        };
        let by_runs = around.columns().filter(|column| runs.contains(*column));
        assert!(by_runs.eq(expected), "{shape:?}");
        n_columns += columns.len();
    }
    assert!(n_columns > 100_000, "{n_columns}");
}

#[test]
fn masks_of_sectors_are_the_columns_of_the_shape() {
    let mut rng = Rng::new(8);
    for round in 0..400 {
        let center = point(
            f64::from(rng.between(-9, 40)),
            f64::from(rng.between(-9, 40)),
        );
        let radius = Fixed::from_raw(rng.between(-9, 6_000));
        let shape = match round % 4 {
            0 => Shape::Circle { center, radius },
            1 => Shape::Segment {
                from: center,
                to: point(12.3, -4.5),
                radius,
            },
            2 => {
                let corner = Column::new(rng.between(-9, 40), rng.between(-9, 40));
                Shape::Box(Rect::around(corner, Column::new(11, 18)))
            }
            _ => random_polygon(&mut rng),
        };
        let mut masks = SectorMasks::new(&shape);
        for y in -2..4 {
            for x in -2..4 {
                let sector = SectorId::new(x, y);
                let mask = masks.mask(sector);
                for (n, column) in sector.rect().columns().enumerate() {
                    let is_in = shape.contains(Point2::center_of(column).unwrap());
                    assert_eq!(
                        mask[n / 16] >> (n % 16) & 1 == 1,
                        is_in,
                        "{shape:?} {column}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_polygon_of_four_thousand_corners_is_scanned_at_once() {
    // A comb whose teeth are as high as the map.
    let tooth = |n: i32| point(f64::from(n), if n % 2 == 0 { 0.0 } else { 4_096.0 });
    let comb = Shape::Polygon((0..4_096).map(tooth).collect());
    let n_columns = comb.columns().count();
    assert_eq!(n_columns, 4_192_256);
}
