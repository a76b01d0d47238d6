use wayfarer_base::{Fixed, Rng};

use super::super::overlap::tests::{depth, some_footprint};
use super::super::{BodyShape, ConvexPolygon, Heading};
use super::*;

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

/// How far the body and the footprint are from touching at a moment, seen at many points of the
/// body: negative if they are apart.
fn closeness(
    footprint: &Footprint,
    carrier: Motion,
    body: Motion,
    outline: BodyShape,
    moment: f64,
) -> f64 {
    let between = |from: Fixed, to: Fixed| {
        f64::from(from.raw()) + moment * (f64::from(to.raw()) - f64::from(from.raw()))
    };
    let origin = footprint.origin();
    let x = between(body.from.x, body.to.x) - between(carrier.from.x, carrier.to.x)
        + f64::from(origin.x.raw());
    let y = between(body.from.y, body.to.y) - between(carrier.from.y, carrier.to.y)
        + f64::from(origin.y.raw());
    let (half_x, half_y, round) = match outline {
        BodyShape::Point => return depth(footprint, x, y),
        BodyShape::Disc { radius } => (f64::from(radius.raw()), f64::from(radius.raw()), true),
        BodyShape::Box { half_x, half_y } => {
            (f64::from(half_x.raw()), f64::from(half_y.raw()), false)
        }
    };
    let mut best = f64::MIN;
    for step_y in -12..=12 {
        for step_x in -12..=12 {
            let (u, v) = (f64::from(step_x) / 12.0, f64::from(step_y) / 12.0);
            let length = math::length(u, v);
            let scale = if round && length > 0.0 {
                u.abs().max(v.abs()) / length
            } else {
                1.0
            };
            let spot = (x + u * scale * half_x, y + v * scale * half_y);
            best = best.max(depth(footprint, spot.0, spot.1));
        }
    }
    best
}

#[test]
fn moments_are_those_that_looking_often_shows() {
    let mut rng = Rng::new(84);
    let mut n_crossings = 0;
    for round in 0..700 {
        let footprint = some_footprint(&mut rng, 60);
        let mut point = || at(rng.between(-200, 200), rng.between(-200, 200));
        let (body, shift) = (
            Motion {
                from: point(),
                to: point(),
            },
            point(),
        );
        let carrier = Motion {
            from: footprint.origin(),
            to: if round % 2 == 0 {
                footprint.origin()
            } else {
                shift
            },
        };
        let mut size = || Fixed::from_raw(rng.between(1, 40));
        let outline = match round % 3 {
            0 => BodyShape::Point,
            1 => BodyShape::Disc { radius: size() },
            _ => BodyShape::Box {
                half_x: size(),
                half_y: size(),
            },
        };
        let extent = Extent::of(outline).unwrap();
        let found = moments(&footprint, carrier, body, extent);
        let (mut first, mut last): (Option<f64>, f64) = (None, 0.0);
        let mut is_near = false;
        for step in 0..=200 {
            let moment = f64::from(step) / 200.0;
            let close = closeness(&footprint, carrier, body, outline, moment);
            // Points of the body are 4 apart, moments up to 6.
            is_near |= close > -10.0;
            if close > 1e-6 {
                first = first.or(Some(moment));
                last = moment;
            }
        }
        match (found, first) {
            (Some((enter, leave)), Some(first)) => {
                n_crossings += 1;
                assert!(
                    0.0 <= enter && enter <= first + 1e-9,
                    "{footprint:?} {enter} {first}"
                );
                assert!(
                    leave <= 1.0 && leave >= last - 1e-9,
                    "{footprint:?} {leave} {last}"
                );
                // At the moments themselves they touch, but for what the points leave out.
                for moment in [enter, leave] {
                    let close = closeness(&footprint, carrier, body, outline, moment);
                    assert!(close > -4.0, "{footprint:?} {outline:?} {moment} {close}");
                }
            }
            (None, Some(first)) => panic!("missed at {first}: {footprint:?} {outline:?} {body:?}"),
            (Some(found), None) => {
                assert!(
                    is_near,
                    "false {found:?}: {footprint:?} {outline:?} {body:?}"
                );
            }
            (None, None) => {}
        }
    }
    assert!(n_crossings > 150, "only {n_crossings} crossings");
}

#[test]
fn a_graze_is_a_touch_and_the_next_line_is_not() {
    let circle = Footprint::circle(at(0, 0), Fixed::from_raw(500));
    let pass = |y: i32| Motion {
        from: at(-1_000_000_000, y),
        to: at(1_000_000_000, y),
    };
    let still = Motion::at(at(0, 0));
    let graze = moments(&circle, still, pass(500), Extent::POINT);
    assert_eq!(graze, Some((0.5, 0.5)));
    assert_eq!(moments(&circle, still, pass(501), Extent::POINT), None);
    // Along (4, 3), five units beside the middle.
    let slant = |x: i32, y: i32| Motion {
        from: at(x - 400_000_000, y - 300_000_000),
        to: at(x + 400_000_000, y + 300_000_000),
    };
    let small = Footprint::circle(at(0, 0), Fixed::from_raw(5));
    assert!(moments(&small, still, slant(-3, 4), Extent::POINT).is_some());
    assert!(moments(&small, still, slant(-3, 5), Extent::POINT).is_none());
}

#[test]
fn a_fast_mover_is_seen_by_a_wedge_it_jumps_over() {
    let wedge = Footprint::wedge(at(0, 0), Fixed::from_raw(1_000), Heading::EAST, 0.8);
    let path = Motion {
        from: at(500, -90_000),
        to: at(500, 90_000),
    };
    let (enter, leave) = moments(&wedge, Motion::at(at(0, 0)), path, Extent::POINT).unwrap();
    // At x = 500 the wedge reaches 3/4 of that to both sides.
    let near = |moment: f64, y: f64| (moment * 180_000.0 - 90_000.0 - y).abs() < 0.1;
    assert!(near(enter, -375.0) && near(leave, 375.0), "{enter} {leave}");
    let ring = Footprint::Ring {
        center: at(0, 0),
        inner: Fixed::from_raw(400),
        outer: Fixed::from_raw(500),
    };
    let inside = Motion {
        from: at(-300, 0),
        to: at(300, 0),
    };
    assert_eq!(
        moments(&ring, Motion::at(at(0, 0)), inside, Extent::POINT),
        None
    );
    let out = Motion {
        from: at(0, 0),
        to: at(1_000, 0),
    };
    let found = moments(&ring, Motion::at(at(0, 0)), out, Extent::POINT);
    assert_eq!(found, Some((0.4, 0.5)));
}

#[test]
fn a_point_that_grazes_a_corner_of_a_polygon_touches_it_at_any_speed_and_angle() {
    let mut rng = Rng::new(61);
    let corners = [at(0, 0), at(90, 31), at(70, 140), at(-45, 77)];
    let polygon = Footprint::Polygon(ConvexPolygon::new(&corners).unwrap());
    let still = Motion::at(at(0, 0));
    let raw = |point: Point2| (i64::from(point.x.raw()), i64::from(point.y.raw()));
    let (mut n_grazes, mut n_near) = (0, 0);
    for _ in 0..4_000 {
        let corner = *rng.pick(&corners).unwrap();
        let (x, y) = raw(corner);
        let (over, down) = (rng.between(-9_999, 9_999), rng.between(-9_999, 9_999));
        let mut times = || i64::from(rng.between(1, 90_000));
        let (before, after) = (times(), times());
        let place = |times: i64, shift: i64| {
            let part = |at: i64, by: i32| i32::try_from(at + times * i64::from(by)).unwrap();
            at(part(x, over), part(y + shift, down))
        };
        // On the line through a corner all others on one side: a graze.
        let sides = corners.map(|other| {
            let (other_x, other_y) = raw(other);
            i64::from(over) * (other_y - y) - i64::from(down) * (other_x - x)
        });
        let is_graze = sides.iter().all(|side| *side >= 0) || sides.iter().all(|side| *side <= 0);
        if !is_graze || (over, down) == (0, 0) {
            continue;
        }
        n_grazes += 1;
        let motion = |shift: i64| Motion {
            from: place(-before, shift),
            to: place(after, shift),
        };
        let found = moments(&polygon, still, motion(0), Extent::POINT);
        assert!(found.is_some(), "{:?}", motion(0));
        // The next line away from all corners misses.
        let leans = sides.iter().sum::<i64>() * i64::from(over).signum();
        if over != 0 && leans != 0 {
            n_near += 1;
            let found = moments(&polygon, still, motion(-leans.signum()), Extent::POINT);
            assert_eq!(found, None, "{:?}", motion(-leans.signum()));
        }
    }
    assert!(n_grazes > 500 && n_near > 500, "{n_grazes} {n_near}");
}

fn wide((x, y): Vector) -> (i128, i128) {
    (i128::from(x), i128::from(y))
}

fn away(to: Vector, from: Vector) -> Vector {
    (to.0 - from.0, to.1 - from.1)
}

fn square_of(at: Vector) -> i128 {
    let (x, y) = wide(at);
    x * x + y * y
}

/// True if a segment comes within `reach` of a point.
fn is_near_point((from, to): (Vector, Vector), point: Vector, reach: i128) -> bool {
    let (from, to) = (away(from, point), away(to, point));
    let ((x, y), (dx, dy)) = (wide(from), wide(away(to, from)));
    let (ahead, length) = (-(x * dx + y * dy), dx * dx + dy * dy);
    if ahead <= 0 {
        square_of(from) <= reach * reach
    } else if ahead >= length {
        square_of(to) <= reach * reach
    } else {
        let beside = x * dy - y * dx;
        // A square that has no room is larger than any radius.
        let square = beside.checked_mul(beside);
        square.is_some_and(|square| square <= length * reach * reach)
    }
}

/// True if two segments come within `reach` of each other: they are nearest at an end of one of
/// them, unless they cross.
fn are_near(one: (Vector, Vector), other: (Vector, Vector), reach: i128) -> bool {
    let side = |(a, b): (Vector, Vector), c: Vector| {
        let (b, c) = (wide(away(b, a)), wide(away(c, a)));
        (b.0 * c.1 - b.1 * c.0).signum()
    };
    let parts = |one: (Vector, Vector), other: (Vector, Vector)| {
        side(one, other.0) * side(one, other.1) < 0
    };
    (parts(one, other) && parts(other, one))
        || [other.0, other.1]
            .into_iter()
            .any(|end| is_near_point(one, end, reach))
        || [one.0, one.1]
            .into_iter()
            .any(|end| is_near_point(other, end, reach))
}

/// True if a body on its way comes within `reach` of a convex polygon, clockwise, or of a segment or
/// a point, which are polygons of no breadth.
fn comes_near(delta: (Vector, Vector), corners: &[Vector], extent: Extent, reach: i128) -> bool {
    // Where the middle of a box is when it touches: everything, wider by the box.
    let half = (i64::from(extent.half_x), i64::from(extent.half_y));
    let (shapes, reach) = if extent.half_y < 0 {
        (vec![(0, 0)], reach + i128::from(extent.half_x))
    } else {
        let corner = |x: i64, y: i64| (x * half.0, y * half.1);
        let box_corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
        (box_corners.to_vec(), reach)
    };
    let sum = |a: Vector, b: Vector| (a.0 + b.0, a.1 + b.1);
    let all: Vec<Vector> = corners
        .iter()
        .flat_map(|corner| shapes.iter().map(move |by| sum(*corner, *by)))
        .collect();
    // Within the hull of the corners of both, or near one of its edges; what lies between two
    // corners lies in the hull, so that all pairs will do.
    let pairs = || all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b)));
    let side = |(a, b): (Vector, Vector), c: Vector| {
        let (b, c) = (wide(away(b, a)), wide(away(c, a)));
        b.0 * c.1 - b.1 * c.0
    };
    let is_flat = pairs().all(|edge| all.iter().all(|c| side(edge, *c) == 0));
    let is_edge = |edge: (Vector, Vector)| all.iter().all(|c| side(edge, *c) >= 0);
    let is_inside = || pairs().all(|edge| !is_edge(edge) || side(edge, delta.0) >= 0);
    (!is_flat && is_inside()) || pairs().any(|edge| are_near(delta, edge, reach))
}

fn some_extent(rng: &mut Rng, size: i32) -> Extent {
    let mut length = || rng.between(0, size);
    let (one, other) = (length(), length());
    match rng.below(4) {
        0 => Extent::POINT,
        1 | 2 if one > 0 => Extent {
            half_x: one,
            half_y: -1,
        },
        _ => Extent {
            half_x: one,
            half_y: other,
        },
    }
}

/// A way somewhere, or along an axis past `edge`, a hair's breadth inside or outside.
fn some_motion(rng: &mut Rng, size: i32, edge: i32) -> Motion {
    let far = [size, 3 * size, 1 << 29][rng.below(3) as usize];
    let mut point = || at(rng.between(-far, far), rng.between(-far, far));
    let (from, to) = (point(), point());
    let past = edge + rng.between(-1, 1);
    match rng.below(6) {
        0 | 1 => Motion {
            from: at(from.x.raw(), past),
            to: at(to.x.raw(), past),
        },
        2 => Motion {
            from: at(-past, from.y.raw()),
            to: at(-past, to.y.raw()),
        },
        3 => Motion {
            from: at(from.x.raw(), 0),
            to: at(to.x.raw(), 0),
        },
        _ => Motion { from, to },
    }
}

/// Seen from the footprint's origin.
fn ends(path: Motion) -> (Vector, Vector) {
    let origin = Point2::default();
    (sub(path.from, origin), sub(path.to, origin))
}

#[test]
fn a_ring_is_touched_by_whoever_comes_as_near_as_its_edge_and_as_far_as_its_hole() {
    let mut rng = Rng::new(85);
    let (mut n_dirty, mut n_apart, mut n_crossed) = (0, 0, 0);
    for round in 0..40_000 {
        let size = [12, 300, 40_000, 1 << 22][round % 4];
        let mut radius = || Fixed::from_raw(rng.between(0, size));
        let (one, other) = (radius(), radius());
        let (inner, outer) = match round % 3 {
            0 => (one, one),
            1 => (one.min(other), one.max(other)),
            _ => (Fixed::default(), one), // As good as a circle.
        };
        let extent = some_extent(&mut rng, size / 2);
        let path = some_motion(&mut rng, size, outer.raw() + extent.reach());
        let center = Point2::default();
        let ring = Footprint::Ring {
            center,
            inner,
            outer,
        };
        let still = Motion::at(center);
        let found = moments(&ring, still, path, extent);
        let (from, to) = ends(path);
        // In the hole with the whole body, and so all the way if at both ends.
        let in_hole = |at: Vector| {
            let inner = i128::from(inner.raw());
            if extent.half_y < 0 {
                let rest = inner - i128::from(extent.half_x);
                rest > 0 && square_of(at) < rest * rest
            } else {
                let far = |at: i64, half: i32| at.abs() + i64::from(half);
                let corner = (far(at.0, extent.half_x), far(at.1, extent.half_y));
                square_of(corner) < inner * inner
            }
        };
        let is_near = comes_near((from, to), &[(0, 0)], extent, outer.raw().into());
        let expected = is_near && !(in_hole(from) && in_hole(to));
        assert_eq!(found.is_some(), expected, "{ring:?} {path:?} {extent:?}");
        if let Some((enter, leave)) = found {
            assert!(
                0.0 <= enter && enter <= leave && leave <= 1.0,
                "{enter} {leave}"
            );
            n_crossed += usize::from(inner == outer && enter < leave);
        }
        n_dirty += usize::from(expected);
        n_apart += usize::from(!expected);
        if inner.raw() == 0 {
            let circle = Footprint::circle(center, outer);
            assert_eq!(moments(&circle, still, path, extent), found);
        }
    }
    assert!(
        n_dirty > 9_000 && n_apart > 9_000 && n_crossed > 1_000,
        "{n_dirty} {n_apart} {n_crossed}"
    );
}

#[test]
fn capsules_and_polygons_are_touched_by_whoever_comes_near_enough_and_by_nobody_else() {
    let mut rng = Rng::new(86);
    let (mut n_dirty, mut n_apart) = (0, 0);
    for round in 0..20_000 {
        let size = [12, 300, 40_000][round % 3];
        let mut point = || at(rng.between(-size, size), rng.between(-size, size));
        let (b, c, d) = (point(), point(), point());
        let origin = Point2::default();
        let radius = rng.between(0, size);
        let (footprint, points, reach) = if round % 2 == 0 {
            let capsule = Footprint::Capsule {
                from: origin,
                to: b,
                radius: Fixed::from_raw(radius),
            };
            (capsule, vec![origin, b], radius)
        } else {
            let points = [origin, b, c, d];
            let n_points = 3 + rng.below(2) as usize;
            match ConvexPolygon::new(&points[..n_points]) {
                Ok(corners) => (Footprint::Polygon(corners), points[..n_points].to_vec(), 0),
                Err(_) => continue,
            }
        };
        let extent = some_extent(&mut rng, size / 2);
        let lowest = points.iter().map(|point| point.y.raw()).max();
        let edge = lowest.unwrap_or(0) + reach + extent.reach();
        let path = some_motion(&mut rng, size, edge);
        let found = moments(&footprint, Motion::at(origin), path, extent);
        let corners: Vec<Vector> = points.iter().map(|point| sub(*point, origin)).collect();
        let expected = comes_near(ends(path), &corners, extent, reach.into());
        assert_eq!(
            found.is_some(),
            expected,
            "{footprint:?} {path:?} {extent:?}"
        );
        n_dirty += usize::from(expected);
        n_apart += usize::from(!expected);
    }
    assert!(n_dirty > 3_000 && n_apart > 3_000, "{n_dirty} {n_apart}");
}

#[test]
fn whoever_passes_the_tip_of_a_wedge_touches_it_whatever_way_it_points() {
    let mut rng = Rng::new(87);
    let mut n_grazes = 0;
    for _ in 0..20_000 {
        let mut part = || rng.between(-16_383, 16_383);
        let headings = [(part(), part()), (part(), part())].map(|(x, y)| Heading::new(x, y));
        let [Ok(left), Ok(right)] = headings else {
            continue;
        };
        let tip = at(part(), part());
        let wedge = Footprint::Wedge {
            tip,
            radius: Fixed::from_raw(500),
            left,
            right,
        };
        let (over, down) = (part(), part());
        let (before, after) = (1 + part().abs(), 1 + part().abs());
        let place = |times: i32| at(tip.x.raw() + times * over, tip.y.raw() + times * down);
        let path = Motion {
            from: place(-before),
            to: place(after),
        };
        let found = moments(&wedge, Motion::at(tip), path, Extent::POINT);
        let (enter, leave) = found.unwrap_or_else(|| panic!("{wedge:?} {path:?}"));
        n_grazes += usize::from(enter.total_cmp(&leave).is_eq());
    }
    assert!(n_grazes > 3_000, "{n_grazes}");
}
