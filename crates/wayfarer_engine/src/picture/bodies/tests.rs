use wayfarer_base::Rect;
use wayfarer_search::sight::OpacityGrid;
use wayfarer_world::bodies::{Body, ConvexPolygon};

use super::*;

fn cells(x: i32, y: i32) -> Point2 {
    Point2::from_raw(256 * x, 256 * y)
}

#[test]
fn outlines_are_closed_and_lie_on_the_border_of_their_footprint() {
    let radius = Fixed::from_raw(20 * 256);
    let heading = Heading::new(3, -2).unwrap();
    let mut footprints = vec![
        Footprint::circle(cells(5, 7), radius),
        Footprint::Ring {
            center: cells(-5, 7),
            inner: Fixed::from_raw(10 * 256),
            outer: radius,
        },
        Footprint::Capsule {
            from: cells(0, 0),
            to: cells(30, 11),
            radius,
        },
        Footprint::OrientedBox {
            center: cells(1, 2),
            heading,
            half_along: radius,
            half_across: Fixed::from_raw(9 * 256),
        },
        Footprint::Polygon(
            ConvexPolygon::new(&[cells(0, 0), cells(30, 5), cells(12, 40)]).unwrap(),
        ),
    ];
    // From a ray to nearly a full circle.
    let cosines = [1.0, 0.99, 0.5, 0.0, -0.5, -0.99];
    footprints.extend(cosines.map(|half| Footprint::wedge(cells(3, 3), radius, heading, half)));
    for footprint in footprints {
        for points in outlines(&footprint) {
            assert_eq!(points.first(), points.last(), "{footprint:?}");
            for pair in points.windows(2) {
                let center = |a: Fixed, b: Fixed| Fixed::from_raw((a.raw() + b.raw()) / 2);
                let at = Point2::new(center(pair[0].x, pair[1].x), center(pair[0].y, pair[1].y));
                // Within a tenth of a cell lie points inside and outside, except for a ray.
                let near = |by: i32| {
                    let directions = [(by, 0), (-by, 0), (0, by), (0, -by)];
                    directions.map(|(x, y)| {
                        let part = |at: Fixed, by: i32| Fixed::from_raw(at.raw() + by);
                        footprint.contains(Point2::new(part(at.x, x), part(at.y, y)))
                    })
                };
                let (is_in, is_out) = (near(26).contains(&true), near(26).contains(&false));
                let is_thin =
                    matches!(footprint, Footprint::Wedge { left, right, .. } if left == right);
                assert!(is_out && (is_in || is_thin), "{footprint:?} at {at}");
            }
        }
    }
}

#[test]
fn a_field_of_view_is_drawn_by_rows_and_bodies_by_role() {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(6, 2),
    };
    let mut grid = OpacityGrid::open(rect);
    grid.set_opaque(Column::new(3, 1), true);
    let mut fov = FieldOfView::default();
    fov.compute(&grid, Column::new(1, 1), 4);
    let mut bodies = BodySet::new(Fixed::from_raw(1024));
    let center = |x: i32, y: i32| Point2::center_of(Column::new(x, y)).unwrap();
    let mut ids = Vec::new();
    for (x, y) in [(1, 1), (2, 0), (5, 1), (6, 2)] {
        ids.push(bodies.register(&Body::at(center(x, y))).unwrap());
    }
    let mut picture = Picture::default();
    picture.add_field_of_view(&fov, 0);
    let roles = [Role::QueryOrigin, Role::Found, Role::Hidden, Role::Other];
    for (id, role) in ids.iter().zip(roles) {
        picture.add_body(&bodies, *id, role);
    }
    bodies.unregister(ids[1]).unwrap();
    let n_marks = picture.marks().len();
    picture.add_body(&bodies, ids[1], Role::Found);
    assert_eq!(picture.marks().len(), n_marks, "dead ids are not drawn");
    assert_eq!(
        picture.to_text(),
        "\
--!--##
-@-##?#
-----#,
"
    );
}
