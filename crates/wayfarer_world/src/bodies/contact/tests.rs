//! Contact intervals against dense sampling and exact references.
use wayfarer_base::{Fixed, Rng};
use wayfarer_testkit::point;

use super::super::overlap::tests::{depth, random_footprint};
use super::super::{BodyShape, ConvexPolygon, Heading};
use super::*;

/// The penetration depth of body and footprint at a time, sampled over the body; negative if apart.
fn closeness(
    footprint: &Footprint,
    footprint_motion: Motion,
    body: Motion,
    outline: BodyShape,
    time: f64,
) -> f64 {
    let between = |from: Fixed, to: Fixed| {
        f64::from(from.raw()) + time * (f64::from(to.raw()) - f64::from(from.raw()))
    };
    let origin = footprint.origin();
    let x = between(body.from.x, body.to.x)
        - between(footprint_motion.from.x, footprint_motion.to.x)
        + f64::from(origin.x.raw());
    let y = between(body.from.y, body.to.y)
        - between(footprint_motion.from.y, footprint_motion.to.y)
        + f64::from(origin.y.raw());
    let (half_x, half_y, is_round) = match outline {
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
            let scale = if is_round && length > 0.0 {
                u.abs().max(v.abs()) / length
            } else {
                1.0
            };
            let sample = (x + u * scale * half_x, y + v * scale * half_y);
            best = best.max(depth(footprint, sample.0, sample.1));
        }
    }
    best
}

#[test]
fn contact_intervals_match_dense_sampling() {
    let mut rng = Rng::new(84);
    let mut n_crossings = 0;
    for round in 0..700 {
        let footprint = random_footprint(&mut rng, 60);
        let mut point = || point(rng.between(-200, 200), rng.between(-200, 200));
        let (body, shift) = (
            Motion {
                from: point(),
                to: point(),
            },
            point(),
        );
        let footprint_motion = Motion {
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
        let extent = Extent::from_shape(outline).unwrap();
        let interval = contact_interval(&footprint, footprint_motion, body, extent);
        let (mut first, mut last): (Option<f64>, f64) = (None, 0.0);
        let mut is_near = false;
        for step in 0..=200 {
            let time = f64::from(step) / 200.0;
            let close = closeness(&footprint, footprint_motion, body, outline, time);
            // Samples of the body are 4 apart, of time up to 6.
            is_near |= close > -10.0;
            if close > 1e-6 {
                first = first.or(Some(time));
                last = time;
            }
        }
        match (interval, first) {
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
                // At the interval's ends they touch, up to the sampling error.
                for time in [enter, leave] {
                    let close = closeness(&footprint, footprint_motion, body, outline, time);
                    assert!(close > -4.0, "{footprint:?} {outline:?} {time} {close}");
                }
            }
            (None, Some(first)) => panic!("missed at {first}: {footprint:?} {outline:?} {body:?}"),
            (Some(interval), None) => {
                assert!(
                    is_near,
                    "false {interval:?}: {footprint:?} {outline:?} {body:?}"
                );
            }
            (None, None) => {}
        }
    }
    assert!(n_crossings > 150, "only {n_crossings} crossings");
}

#[test]
fn a_graze_is_a_contact_and_one_unit_further_is_not() {
    let circle = Footprint::circle(point(0, 0), Fixed::from_raw(500));
    let pass = |y: i32| Motion {
        from: point(-1_000_000_000, y),
        to: point(1_000_000_000, y),
    };
    let still = Motion::at(point(0, 0));
    let graze = contact_interval(&circle, still, pass(500), Extent::POINT);
    assert_eq!(graze, Some((0.5, 0.5)));
    assert_eq!(
        contact_interval(&circle, still, pass(501), Extent::POINT),
        None
    );
    // Along (4, 3), five units from the center.
    let slant = |x: i32, y: i32| Motion {
        from: point(x - 400_000_000, y - 300_000_000),
        to: point(x + 400_000_000, y + 300_000_000),
    };
    let small = Footprint::circle(point(0, 0), Fixed::from_raw(5));
    assert!(contact_interval(&small, still, slant(-3, 4), Extent::POINT).is_some());
    assert!(contact_interval(&small, still, slant(-3, 5), Extent::POINT).is_none());
}

#[test]
fn a_fast_body_touches_a_wedge_it_would_tunnel_through() {
    let wedge = Footprint::wedge(point(0, 0), Fixed::from_raw(1_000), Heading::EAST, 0.8);
    let motion = Motion {
        from: point(500, -90_000),
        to: point(500, 90_000),
    };
    let (enter, leave) =
        contact_interval(&wedge, Motion::at(point(0, 0)), motion, Extent::POINT).unwrap();
    // At x = 500 the wedge extends 3/4 of that to both sides.
    let near = |time: f64, y: f64| (time * 180_000.0 - 90_000.0 - y).abs() < 0.1;
    assert!(near(enter, -375.0) && near(leave, 375.0), "{enter} {leave}");
    let ring = Footprint::Ring {
        center: point(0, 0),
        inner: Fixed::from_raw(400),
        outer: Fixed::from_raw(500),
    };
    let inside = Motion {
        from: point(-300, 0),
        to: point(300, 0),
    };
    assert_eq!(
        contact_interval(&ring, Motion::at(point(0, 0)), inside, Extent::POINT),
        None
    );
    let out = Motion {
        from: point(0, 0),
        to: point(1_000, 0),
    };
    let interval = contact_interval(&ring, Motion::at(point(0, 0)), out, Extent::POINT);
    assert_eq!(interval, Some((0.4, 0.5)));
}

#[test]
fn a_point_that_grazes_a_polygon_vertex_touches_it_at_any_speed_and_angle() {
    let mut rng = Rng::new(61);
    let corners = [point(0, 0), point(90, 31), point(70, 140), point(-45, 77)];
    let polygon = Footprint::Polygon(ConvexPolygon::new(&corners).unwrap());
    let still = Motion::at(point(0, 0));
    let raw = |point: Point2| (i64::from(point.x.raw()), i64::from(point.y.raw()));
    let (mut n_grazes, mut n_misses) = (0, 0);
    for _ in 0..4_000 {
        let corner = *rng.pick(&corners).unwrap();
        let (x, y) = raw(corner);
        let (over, down) = (rng.between(-9_999, 9_999), rng.between(-9_999, 9_999));
        let mut times = || i64::from(rng.between(1, 90_000));
        let (before, after) = (times(), times());
        let position = |times: i64, shift: i64| {
            let part = |at: i64, by: i32| i32::try_from(at + times * i64::from(by)).unwrap();
            point(part(x, over), part(y + shift, down))
        };
        // A line through a vertex with all others on one side is a graze.
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
            from: position(-before, shift),
            to: position(after, shift),
        };
        let interval = contact_interval(&polygon, still, motion(0), Extent::POINT);
        assert!(interval.is_some(), "{:?}", motion(0));
        // One unit further out it misses.
        let leans = sides.iter().sum::<i64>() * i64::from(over).signum();
        if over != 0 && leans != 0 {
            n_misses += 1;
            let interval =
                contact_interval(&polygon, still, motion(-leans.signum()), Extent::POINT);
            assert_eq!(interval, None, "{:?}", motion(-leans.signum()));
        }
    }
    assert!(n_grazes > 500 && n_misses > 500, "{n_grazes} {n_misses}");
}

fn wide((x, y): Vector) -> (i128, i128) {
    (i128::from(x), i128::from(y))
}

fn difference(to: Vector, from: Vector) -> Vector {
    (to.0 - from.0, to.1 - from.1)
}

fn squared_length(at: Vector) -> i128 {
    let (x, y) = wide(at);
    x * x + y * y
}

/// True if a segment comes within `reach` of a point.
fn is_near_point((from, to): (Vector, Vector), point: Vector, reach: i128) -> bool {
    let (from, to) = (difference(from, point), difference(to, point));
    let ((x, y), (dx, dy)) = (wide(from), wide(difference(to, from)));
    let (ahead, length) = (-(x * dx + y * dy), dx * dx + dy * dy);
    if ahead <= 0 {
        squared_length(from) <= reach * reach
    } else if ahead >= length {
        squared_length(to) <= reach * reach
    } else {
        let perpendicular = x * dy - y * dx;
        // A square that overflows exceeds any radius.
        let square = perpendicular.checked_mul(perpendicular);
        square.is_some_and(|square| square <= length * reach * reach)
    }
}

/// True if two segments come within `reach` of each other: nearest at an end of one of them unless
/// they cross.
fn are_near(first: (Vector, Vector), other: (Vector, Vector), reach: i128) -> bool {
    let side = |(a, b): (Vector, Vector), c: Vector| {
        let (b, c) = (wide(difference(b, a)), wide(difference(c, a)));
        (b.0 * c.1 - b.1 * c.0).signum()
    };
    let separates = |first: (Vector, Vector), other: (Vector, Vector)| {
        side(first, other.0) * side(first, other.1) < 0
    };
    (separates(first, other) && separates(other, first))
        || [other.0, other.1]
            .into_iter()
            .any(|end| is_near_point(first, end, reach))
        || [first.0, first.1]
            .into_iter()
            .any(|end| is_near_point(other, end, reach))
}

/// True if a moving body comes within `reach` of a clockwise convex polygon, a segment or a point.
fn comes_near(motion: (Vector, Vector), corners: &[Vector], extent: Extent, reach: i128) -> bool {
    // The Minkowski sum of polygon and box.
    let half = (i64::from(extent.half_x), i64::from(extent.half_y));
    let (shapes, reach) = if extent.half_y < 0 {
        (vec![(0, 0)], reach + i128::from(extent.half_x))
    } else {
        let corner = |x: i64, y: i64| (x * half.0, y * half.1);
        let box_corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
        (box_corners.to_vec(), reach)
    };
    let sum = |a: Vector, b: Vector| (a.0 + b.0, a.1 + b.1);
    let sums: Vec<Vector> = corners
        .iter()
        .flat_map(|corner| shapes.iter().map(move |by| sum(*corner, *by)))
        .collect();
    // Inside the hull of all sums, or near one of its edges; a segment between two sums lies in the
    // hull, so all pairs may be tested.
    let pairs = || sums.iter().flat_map(|a| sums.iter().map(move |b| (*a, *b)));
    let side = |(a, b): (Vector, Vector), c: Vector| {
        let (b, c) = (wide(difference(b, a)), wide(difference(c, a)));
        b.0 * c.1 - b.1 * c.0
    };
    let is_flat = pairs().all(|edge| sums.iter().all(|c| side(edge, *c) == 0));
    let is_edge = |edge: (Vector, Vector)| sums.iter().all(|c| side(edge, *c) >= 0);
    let is_inside = || pairs().all(|edge| !is_edge(edge) || side(edge, motion.0) >= 0);
    (!is_flat && is_inside()) || pairs().any(|edge| are_near(motion, edge, reach))
}

fn random_extent(rng: &mut Rng, size: i32) -> Extent {
    let mut length = || rng.between(0, size);
    let (first, second) = (length(), length());
    match rng.below(4) {
        0 => Extent::POINT,
        1 | 2 if first > 0 => Extent {
            half_x: first,
            half_y: -1,
        },
        _ => Extent {
            half_x: first,
            half_y: second,
        },
    }
}

/// A random motion, or one along an axis past `edge`, one unit inside or outside.
fn random_motion(rng: &mut Rng, size: i32, edge: i32) -> Motion {
    let far = [size, 3 * size, 1 << 29][rng.below(3) as usize];
    let mut random = || point(rng.between(-far, far), rng.between(-far, far));
    let (from, to) = (random(), random());
    let past = edge + rng.between(-1, 1);
    match rng.below(6) {
        0 | 1 => Motion {
            from: point(from.x.raw(), past),
            to: point(to.x.raw(), past),
        },
        2 => Motion {
            from: point(-past, from.y.raw()),
            to: point(-past, to.y.raw()),
        },
        3 => Motion {
            from: point(from.x.raw(), 0),
            to: point(to.x.raw(), 0),
        },
        _ => Motion { from, to },
    }
}

/// Relative to the footprint's origin.
fn ends(motion: Motion) -> (Vector, Vector) {
    let origin = Point2::default();
    (sub(motion.from, origin), sub(motion.to, origin))
}

#[test]
fn a_ring_is_touched_exactly_by_bodies_that_reach_its_outer_disc_and_leave_its_hole() {
    let mut rng = Rng::new(85);
    let (mut n_contacts, mut n_apart, mut n_crossed) = (0, 0, 0);
    for round in 0..40_000 {
        let size = [12, 300, 40_000, 1 << 22][round % 4];
        let mut radius = || Fixed::from_raw(rng.between(0, size));
        let (first, second) = (radius(), radius());
        let (inner, outer) = match round % 3 {
            0 => (first, first),
            1 => (first.min(second), first.max(second)),
            _ => (Fixed::default(), first), // A circle.
        };
        let extent = random_extent(&mut rng, size / 2);
        let motion = random_motion(&mut rng, size, outer.raw() + extent.reach());
        let center = Point2::default();
        let ring = Footprint::Ring {
            center,
            inner,
            outer,
        };
        let still = Motion::at(center);
        let interval = contact_interval(&ring, still, motion, extent);
        let (from, to) = ends(motion);
        // The whole body is in the hole; at both ends means all the time.
        let in_hole = |at: Vector| {
            let inner = i128::from(inner.raw());
            if extent.half_y < 0 {
                let remaining = inner - i128::from(extent.half_x);
                remaining > 0 && squared_length(at) < remaining * remaining
            } else {
                let far = |at: i64, half: i32| at.abs() + i64::from(half);
                let corner = (far(at.0, extent.half_x), far(at.1, extent.half_y));
                squared_length(corner) < inner * inner
            }
        };
        let is_near = comes_near((from, to), &[(0, 0)], extent, outer.raw().into());
        let expected = is_near && !(in_hole(from) && in_hole(to));
        assert_eq!(
            interval.is_some(),
            expected,
            "{ring:?} {motion:?} {extent:?}"
        );
        if let Some((enter, leave)) = interval {
            assert!(
                0.0 <= enter && enter <= leave && leave <= 1.0,
                "{enter} {leave}"
            );
            n_crossed += usize::from(inner == outer && enter < leave);
        }
        n_contacts += usize::from(expected);
        n_apart += usize::from(!expected);
        if inner.raw() == 0 {
            let circle = Footprint::circle(center, outer);
            assert_eq!(contact_interval(&circle, still, motion, extent), interval);
        }
    }
    assert!(
        n_contacts > 9_000 && n_apart > 9_000 && n_crossed > 1_000,
        "{n_contacts} {n_apart} {n_crossed}"
    );
}

#[test]
fn capsules_and_polygons_are_touched_exactly_by_bodies_within_reach() {
    let mut rng = Rng::new(86);
    let (mut n_contacts, mut n_apart) = (0, 0);
    for round in 0..20_000 {
        let size = [12, 300, 40_000][round % 3];
        let mut point = || point(rng.between(-size, size), rng.between(-size, size));
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
        let extent = random_extent(&mut rng, size / 2);
        let lowest = points.iter().map(|point| point.y.raw()).max();
        let edge = lowest.unwrap_or(0) + reach + extent.reach();
        let motion = random_motion(&mut rng, size, edge);
        let interval = contact_interval(&footprint, Motion::at(origin), motion, extent);
        let corners: Vec<Vector> = points.iter().map(|point| sub(*point, origin)).collect();
        let expected = comes_near(ends(motion), &corners, extent, reach.into());
        assert_eq!(
            interval.is_some(),
            expected,
            "{footprint:?} {motion:?} {extent:?}"
        );
        n_contacts += usize::from(expected);
        n_apart += usize::from(!expected);
    }
    assert!(
        n_contacts > 3_000 && n_apart > 3_000,
        "{n_contacts} {n_apart}"
    );
}

#[test]
fn a_point_that_passes_the_tip_of_a_wedge_touches_it() {
    let mut rng = Rng::new(87);
    let mut n_grazes = 0;
    for _ in 0..20_000 {
        let mut part = || rng.between(-16_383, 16_383);
        let headings = [(part(), part()), (part(), part())].map(|(x, y)| Heading::new(x, y));
        let [Ok(left), Ok(right)] = headings else {
            continue;
        };
        let tip = point(part(), part());
        let wedge = Footprint::Wedge {
            tip,
            radius: Fixed::from_raw(500),
            left,
            right,
        };
        let (over, down) = (part(), part());
        let (before, after) = (1 + part().abs(), 1 + part().abs());
        let position = |times: i32| point(tip.x.raw() + times * over, tip.y.raw() + times * down);
        let motion = Motion {
            from: position(-before),
            to: position(after),
        };
        let interval = contact_interval(&wedge, Motion::at(tip), motion, Extent::POINT);
        let (enter, leave) = interval.unwrap_or_else(|| panic!("{wedge:?} {motion:?}"));
        n_grazes += usize::from(enter.total_cmp(&leave).is_eq());
    }
    assert!(n_grazes > 3_000, "{n_grazes}");
}
