use wayfarer_base::math::length;
use wayfarer_base::{Fixed, Rng};

use super::super::{BodyShape, ConvexPolygon, Heading, MAX_COORDINATE, MAX_SIZE};
use super::*;

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn heading(rng: &mut Rng) -> Heading {
    loop {
        if let Ok(heading) = Heading::new(rng.between(-9, 9), rng.between(-9, 9)) {
            return heading;
        }
    }
}

/// Footprints of about `size`, of every kind; one in four is as thin as its kind can be.
pub(in crate::bodies) fn some_footprint(rng: &mut Rng, size: i32) -> Footprint {
    let point = |rng: &mut Rng| at(rng.between(-size, size), rng.between(-size, size));
    let center = point(rng);
    let mut length = |least: i32| Fixed::from_raw(rng.between(least, size));
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
        4 => Footprint::Turned {
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

/// In floating point, by the definition; how far inside (positive) or outside.
pub(in crate::bodies) fn depth(footprint: &Footprint, x: f64, y: f64) -> f64 {
    let seen = |from: Point2| (x - f64::from(from.x.raw()), y - f64::from(from.y.raw()));
    let raw = |size: Fixed| f64::from(size.raw());
    match *footprint {
        Footprint::Circle {
            center: centre,
            radius,
        } => {
            let (x, y) = seen(centre);
            raw(radius) - length(x, y)
        }
        Footprint::Ring {
            center: centre,
            inner,
            outer,
        } => {
            let (x, y) = seen(centre);
            (raw(outer) - length(x, y)).min(length(x, y) - raw(inner))
        }
        Footprint::Capsule { from, to, radius } => {
            let (x, y) = seen(from);
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
            let (x, y) = seen(tip);
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
        Footprint::Turned {
            center: centre,
            heading,
            half_along,
            half_across,
        } => {
            let (x, y) = seen(centre);
            let (dx, dy) = (f64::from(heading.x), f64::from(heading.y));
            let far = length(dx, dy);
            let (along, across) = ((x * dx + y * dy) / far, (y * dx - x * dy) / far);
            (raw(half_along) - along.abs()).min(raw(half_across) - across.abs())
        }
        Footprint::Polygon(corners) => {
            let mut least = f64::MAX;
            for (a, b) in corners.edges() {
                let (x, y) = seen(a);
                let (dx, dy) = sub(b, a);
                let (dx, dy) = (dx as f64, dy as f64);
                if (dx, dy) != (0.0, 0.0) {
                    least = least.min((dx * y - dy * x) / length(dx, dy));
                }
            }
            least
        }
    }
}

#[test]
fn points_belong_to_a_footprint_as_its_definition_says() {
    let mut rng = Rng::new(81);
    let mut n_edges = 0;
    for _ in 0..4_000 {
        let footprint = some_footprint(&mut rng, 12);
        for _ in 0..40 {
            let (x, y) = (rng.between(-26, 26), rng.between(-26, 26));
            let depth = depth(&footprint, x.into(), y.into());
            if depth.abs() < 1e-9 {
                n_edges += 1;
                let belongs = footprint.contains(at(x, y));
                assert!(belongs, "{footprint:?} edge ({x}, {y})");
            } else {
                assert_eq!(
                    footprint.contains(at(x, y)),
                    depth > 0.0,
                    "{footprint:?} ({x}, {y})"
                );
            }
        }
    }
    assert!(n_edges > 200, "edges were met {n_edges} times only");
}

/// Looks for a common point on a fine grid: none means apart by a step or so, one means together.
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
    let found = footprint.overlaps(center, outline);
    assert!(
        !is_common || found,
        "missed: {footprint:?} {center} {outline:?}"
    );
    assert!(
        is_near || !found,
        "false: {footprint:?} {center} {outline:?}"
    );
}

#[test]
fn bodies_touch_a_footprint_if_they_have_a_point_in_common() {
    let mut rng = Rng::new(82);
    for _ in 0..500 {
        let footprint = some_footprint(&mut rng, 30);
        let center = at(rng.between(-60, 60), rng.between(-60, 60));
        let mut size = || Fixed::from_raw(rng.between(1, 38));
        let (radius, half_x, half_y) = (size(), size(), size());
        check_body(&footprint, center, BodyShape::Disc { radius });
        check_body(&footprint, center, BodyShape::Box { half_x, half_y });
    }
}

#[test]
fn bodies_that_meet_in_a_single_point_touch() {
    let quarter = Footprint::Wedge {
        tip: at(0, 0),
        radius: Fixed::from_raw(100),
        left: Heading::new(0, -1).unwrap(),
        right: Heading::new(1, 0).unwrap(),
    };
    let disc = |radius| BodyShape::Disc {
        radius: Fixed::from_raw(radius),
    };
    // Three to four to five, from the far end of the wedge's lower edge.
    assert!(quarter.overlaps(at(103, 4), disc(5)));
    assert!(!quarter.overlaps(at(104, 4), disc(5)));
    assert!(quarter.overlaps(at(50, 7), disc(7)));
    assert!(!quarter.overlaps(at(50, 8), disc(7)));
    let turned = Footprint::Turned {
        center: at(0, 0),
        heading: Heading::new(3, 4).unwrap(),
        half_along: Fixed::from_raw(50),
        half_across: Fixed::from_raw(25),
    };
    // Its corner is at 50 (3, 4) / 5 + 25 (4, -3) / 5 = (50, 25).
    assert!(turned.overlaps(at(53, 29), disc(5)));
    assert!(!turned.overlaps(at(54, 29), disc(5)));
    let boxed = |half_x, half_y| BodyShape::Box {
        half_x: Fixed::from_raw(half_x),
        half_y: Fixed::from_raw(half_y),
    };
    assert!(turned.overlaps(at(60, 25), boxed(10, 1)));
    assert!(!turned.overlaps(at(61, 25), boxed(10, 1)));
}

#[test]
fn a_wedge_opens_from_a_ray_over_half_a_turn_to_a_whole_one() {
    let radius = Fixed::from_raw(1_000);
    for (x, y) in [(1, 0), (3, -7), (-16_383, 5), (0, -1), (9, 9)] {
        let heading = Heading::new(x, y).unwrap();
        // How many of 3,600 directions a wedge with this cosine of half its opening holds.
        let share = |cosine: f64| {
            let wedge = Footprint::wedge(at(5, 5), radius, heading, cosine);
            wedge.check().unwrap();
            let ring = (-30..30).flat_map(|a| [(a, -30), (30, a), (-a, 30), (-30, -a)]);
            let inside = ring.filter(|(x, y)| wedge.contains(at(5 + 20 * x, 5 + 20 * y)));
            inside.count()
        };
        assert_eq!(share(-1.0), 240, "{heading:?}");
        assert_eq!(share(-7.0), 240, "{heading:?}");
        assert!((235..=240).contains(&share(-0.999_9)), "{heading:?}");
        assert!((119..=122).contains(&share(0.0)), "{heading:?}");
        assert!(share(1.0) <= 1 && share(f64::NAN) <= 1, "{heading:?}");
        assert!(share(-0.5) > share(0.0) && share(0.0) > share(0.5));
    }
}

#[test]
fn nothing_beyond_the_limits_belongs_to_a_footprint_and_nothing_is_too_far_to_ask_about() {
    let mut rng = Rng::new(83);
    let far = [
        i32::MIN,
        i32::MIN + 1,
        -MAX_COORDINATE - 1,
        MAX_COORDINATE + 1,
        i32::MAX,
    ];
    let near = [-MAX_COORDINATE, -1, 0, 5, MAX_COORDINATE];
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
    let all = || far.into_iter().chain(near);
    for _ in 0..120 {
        let footprint = some_footprint(&mut rng, MAX_SIZE / 4);
        let origin = at(*rng.pick(&near).unwrap(), *rng.pick(&near).unwrap());
        for to in [origin, at(*rng.pick(&far).unwrap(), 0)] {
            let moved = footprint.translated_to(to);
            for (x, y) in all().flat_map(|x| all().map(move |y| (x, y))) {
                let is_far = moved.check().is_err() || far.contains(&x) || far.contains(&y);
                assert!(
                    !(is_far && moved.contains(at(x, y))),
                    "{moved:?} ({x}, {y})"
                );
                for outline in outlines {
                    let touches = moved.overlaps(at(x, y), outline);
                    assert!(!(is_far && touches), "{moved:?} ({x}, {y}) {outline:?}");
                }
            }
        }
    }
    let huge = Footprint::circle(at(0, 0), Fixed::from_raw(i32::MAX));
    assert!(!huge.contains(at(0, 0)));
}
