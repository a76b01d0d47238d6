//! Overlap tests against sampled floating-point references.
use wayfarer_base::math::length;
use wayfarer_base::{Fixed, Rng};
use wayfarer_testkit::point;

use super::super::{BodyShape, ConvexPolygon, Heading, MAX_COORDINATE, MAX_SIZE};
use super::*;

fn heading(rng: &mut Rng) -> Heading {
    loop {
        if let Ok(heading) = Heading::new(rng.between(-9, 9), rng.between(-9, 9)) {
            return heading;
        }
    }
}

/// Random footprints of about `size`, of every variant; one in four is degenerate.
pub(in crate::bodies) fn random_footprint(rng: &mut Rng, size: i32) -> Footprint {
    let point = |rng: &mut Rng| point(rng.between(-size, size), rng.between(-size, size));
    let center = point(rng);
    let mut length = |min: i32| Fixed::from_raw(rng.between(min, size));
    let (mut radius, mut other) = (length(0), length(0));
    let is_thin = rng.chance(1, 4);
    if is_thin {
        match rng.below(3) {
            0 => radius = other,
            1 => radius = Fixed::default(),
            _ => other = Fixed::default(),
        }
    }
    match rng.below(6) {
        0 => Footprint::Circle { center, radius },
        1 => Footprint::Ring {
            center,
            inner: radius.min(other),
            outer: radius.max(other),
        },
        2 => Footprint::Capsule {
            from: center,
            to: if is_thin { center } else { point(rng) },
            radius,
        },
        3 => {
            let left = heading(rng);
            let right = match rng.below(8) {
                0 => left,
                1 => Heading {
                    x: -left.x,
                    y: -left.y,
                },
                _ => heading(rng),
            };
            Footprint::Wedge {
                tip: center,
                radius,
                left,
                right,
            }
        }
        4 => Footprint::OrientedBox {
            center,
            heading: heading(rng),
            half_along: radius,
            half_across: other,
        },
        _ => loop {
            let corners = [point(rng), point(rng), point(rng), point(rng)];
            let n_corners = 3 + rng.below(2) as usize;
            if let Ok(corners) = ConvexPolygon::new(&corners[..n_corners]) {
                return Footprint::Polygon(corners);
            }
        },
    }
}

/// The signed depth by definition, in floating point: positive inside.
pub(in crate::bodies) fn depth(footprint: &Footprint, x: f64, y: f64) -> f64 {
    let local = |from: Point2| (x - f64::from(from.x.raw()), y - f64::from(from.y.raw()));
    let raw = |size: Fixed| f64::from(size.raw());
    match *footprint {
        Footprint::Circle { center, radius } => {
            let (x, y) = local(center);
            raw(radius) - length(x, y)
        }
        Footprint::Ring {
            center,
            inner,
            outer,
        } => {
            let (x, y) = local(center);
            (raw(outer) - length(x, y)).min(length(x, y) - raw(inner))
        }
        Footprint::Capsule { from, to, radius } => {
            let (x, y) = local(from);
            let (dx, dy) = sub(to, from);
            let (dx, dy) = (dx as f64, dy as f64);
            let square = dx * dx + dy * dy;
            let along = if square > 0.0 {
                ((x * dx + y * dy) / square).clamp(0.0, 1.0)
            } else {
                0.0
            };
            raw(radius) - length(x - along * dx, y - along * dy)
        }
        Footprint::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let (x, y) = local(tip);
            let side = |heading: Heading| {
                let (dx, dy) = (f64::from(heading.x), f64::from(heading.y));
                let far = length(dx, dy);
                ((dx * y - dy * x) / far, (dx * x + dy * y) / far)
            };
            let ((from_left, ahead), (from_right, _)) = (side(left), side(right));
            let (wide, ray) = (
                is_wide(vector(left), vector(right)),
                is_ray(vector(left), vector(right)),
            );
            let cone = if wide {
                from_left.max(-from_right)
            } else if ray {
                ahead.min(-from_left.abs())
            } else {
                from_left.min(-from_right)
            };
            cone.min(raw(radius) - length(x, y))
        }
        Footprint::OrientedBox {
            center,
            heading,
            half_along,
            half_across,
        } => {
            let (x, y) = local(center);
            let (dx, dy) = (f64::from(heading.x), f64::from(heading.y));
            let far = length(dx, dy);
            let (along, across) = ((x * dx + y * dy) / far, (y * dx - x * dy) / far);
            (raw(half_along) - along.abs()).min(raw(half_across) - across.abs())
        }
        Footprint::Polygon(corners) => {
            let mut min_depth = f64::MAX;
            for (a, b) in corners.edges() {
                let (x, y) = local(a);
                let (dx, dy) = sub(b, a);
                let (dx, dy) = (dx as f64, dy as f64);
                if (dx, dy) != (0.0, 0.0) {
                    min_depth = min_depth.min((dx * y - dy * x) / length(dx, dy));
                }
            }
            min_depth
        }
    }
}

#[test]
fn points_are_contained_exactly_as_defined_including_borders() {
    let mut rng = Rng::new(81);
    let mut n_edges = 0;
    for _ in 0..4_000 {
        let footprint = random_footprint(&mut rng, 12);
        for _ in 0..40 {
            let (x, y) = (rng.between(-26, 26), rng.between(-26, 26));
            let depth = depth(&footprint, x.into(), y.into());
            if depth.abs() < 1e-9 {
                n_edges += 1;
                let belongs = footprint.contains(point(x, y));
                assert!(belongs, "{footprint:?} edge ({x}, {y})");
            } else {
                assert_eq!(
                    footprint.contains(point(x, y)),
                    depth > 0.0,
                    "{footprint:?} ({x}, {y})"
                );
            }
        }
    }
    assert!(n_edges > 200, "only {n_edges} points on borders");
}

/// Samples a fine grid for a common point; a miss means apart by about a step.
fn check_body(footprint: &Footprint, center: Point2, outline: BodyShape) {
    let (x, y) = (f64::from(center.x.raw()), f64::from(center.y.raw()));
    let in_body = |dx: f64, dy: f64, more: f64| match outline {
        BodyShape::Point => length(dx, dy) <= more,
        BodyShape::Disc { radius } => length(dx, dy) <= f64::from(radius.raw()) + more,
        BodyShape::Box { half_x, half_y } => {
            dx.abs() <= f64::from(half_x.raw()) + more && dy.abs() <= f64::from(half_y.raw()) + more
        }
    };
    let mut is_common = false;
    let mut is_near = false;
    for step_y in -80..=80_i32 {
        for step_x in -80..=80_i32 {
            let (dx, dy) = (f64::from(step_x) * 0.5, f64::from(step_y) * 0.5);
            if !in_body(dx, dy, 1.0) {
                continue;
            }
            let depth = depth(footprint, x + dx, y + dy);
            is_common |= depth >= 0.0 && in_body(dx, dy, 0.0);
            is_near |= depth >= -1.5;
        }
    }
    let overlaps = footprint.overlaps(center, outline);
    assert!(
        !is_common || overlaps,
        "missed: {footprint:?} {center} {outline:?}"
    );
    assert!(
        is_near || !overlaps,
        "false: {footprint:?} {center} {outline:?}"
    );
}

#[test]
fn a_body_overlaps_a_footprint_exactly_if_they_share_a_point() {
    let mut rng = Rng::new(82);
    for _ in 0..500 {
        let footprint = random_footprint(&mut rng, 30);
        let center = point(rng.between(-60, 60), rng.between(-60, 60));
        let mut size = || Fixed::from_raw(rng.between(1, 38));
        let (radius, half_x, half_y) = (size(), size(), size());
        check_body(&footprint, center, BodyShape::Disc { radius });
        check_body(&footprint, center, BodyShape::Box { half_x, half_y });
    }
}

#[test]
fn shapes_that_share_a_single_point_overlap() {
    let quarter = Footprint::Wedge {
        tip: point(0, 0),
        radius: Fixed::from_raw(100),
        left: Heading::new(0, -1).unwrap(),
        right: Heading::new(1, 0).unwrap(),
    };
    let disc = |radius| BodyShape::Disc {
        radius: Fixed::from_raw(radius),
    };
    // A 3-4-5 triangle from the far end of the wedge's lower edge.
    assert!(quarter.overlaps(point(103, 4), disc(5)));
    assert!(!quarter.overlaps(point(104, 4), disc(5)));
    assert!(quarter.overlaps(point(50, 7), disc(7)));
    assert!(!quarter.overlaps(point(50, 8), disc(7)));
    let oriented = Footprint::OrientedBox {
        center: point(0, 0),
        heading: Heading::new(3, 4).unwrap(),
        half_along: Fixed::from_raw(50),
        half_across: Fixed::from_raw(25),
    };
    // Its corner is at 50 (3, 4) / 5 + 25 (4, -3) / 5 = (50, 25).
    assert!(oriented.overlaps(point(53, 29), disc(5)));
    assert!(!oriented.overlaps(point(54, 29), disc(5)));
    let boxed = |half_x, half_y| BodyShape::Box {
        half_x: Fixed::from_raw(half_x),
        half_y: Fixed::from_raw(half_y),
    };
    assert!(oriented.overlaps(point(60, 25), boxed(10, 1)));
    assert!(!oriented.overlaps(point(61, 25), boxed(10, 1)));
}

#[test]
fn a_wedge_opens_from_a_ray_through_a_half_turn_to_a_circle() {
    let radius = Fixed::from_raw(1_000);
    for (x, y) in [(1, 0), (3, -7), (-16_383, 5), (0, -1), (9, 9)] {
        let heading = Heading::new(x, y).unwrap();
        // The number of 240 directions that a wedge with this cosine contains.
        let n_contained = |cosine: f64| {
            let wedge = Footprint::wedge(point(5, 5), radius, heading, cosine);
            wedge.check().unwrap();
            let ring = (-30..30).flat_map(|a| [(a, -30), (30, a), (-a, 30), (-30, -a)]);
            let inside = ring.filter(|(x, y)| wedge.contains(point(5 + 20 * x, 5 + 20 * y)));
            inside.count()
        };
        assert_eq!(n_contained(-1.0), 240, "{heading:?}");
        assert_eq!(n_contained(-7.0), 240, "{heading:?}");
        assert!((235..=240).contains(&n_contained(-0.999_9)), "{heading:?}");
        assert!((119..=122).contains(&n_contained(0.0)), "{heading:?}");
        assert!(
            n_contained(1.0) <= 1 && n_contained(f64::NAN) <= 1,
            "{heading:?}"
        );
        assert!(n_contained(-0.5) > n_contained(0.0) && n_contained(0.0) > n_contained(0.5));
    }
}

#[test]
fn points_beyond_the_limits_are_never_contained_and_never_overflow() {
    let mut rng = Rng::new(83);
    let out_of_range = [
        i32::MIN,
        i32::MIN + 1,
        -MAX_COORDINATE - 1,
        MAX_COORDINATE + 1,
        i32::MAX,
    ];
    let in_range = [-MAX_COORDINATE, -1, 0, 5, MAX_COORDINATE];
    let outlines = [
        BodyShape::Point,
        BodyShape::Disc {
            radius: Fixed::from_raw(MAX_SIZE),
        },
        BodyShape::Box {
            half_x: Fixed::from_raw(MAX_SIZE),
            half_y: Fixed::from_raw(1),
        },
    ];
    let all = || out_of_range.into_iter().chain(in_range);
    for _ in 0..120 {
        let footprint = random_footprint(&mut rng, MAX_SIZE / 4);
        let origin = point(*rng.pick(&in_range).unwrap(), *rng.pick(&in_range).unwrap());
        for to in [origin, point(*rng.pick(&out_of_range).unwrap(), 0)] {
            let translated = footprint.translated_to(to);
            for (x, y) in all().flat_map(|x| all().map(move |y| (x, y))) {
                let is_out_of_range = translated.check().is_err()
                    || out_of_range.contains(&x)
                    || out_of_range.contains(&y);
                assert!(
                    !(is_out_of_range && translated.contains(point(x, y))),
                    "{translated:?} ({x}, {y})"
                );
                for outline in outlines {
                    let overlaps = translated.overlaps(point(x, y), outline);
                    assert!(
                        !(is_out_of_range && overlaps),
                        "{translated:?} ({x}, {y}) {outline:?}"
                    );
                }
            }
        }
    }
    let huge = Footprint::circle(point(0, 0), Fixed::from_raw(i32::MAX));
    assert!(!huge.contains(point(0, 0)));
}
