use wayfarer_base::{Dice, Fixed};

use super::super::touch::tests::{depth, some_footprint};
use super::super::{Corners, Heading, Outline};
use super::*;

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

/// How far the body and the footprint are from touching at a moment, seen at many points of the
/// body: negative if they are apart.
fn closeness(footprint: &Footprint, carrier: Way, body: Way, outline: Outline, moment: f64) -> f64 {
    let between = |from: Fixed, to: Fixed| {
        f64::from(from.raw()) + moment * (f64::from(to.raw()) - f64::from(from.raw()))
    };
    let origin = footprint.origin();
    let x = between(body.from.x, body.to.x) - between(carrier.from.x, carrier.to.x)
        + f64::from(origin.x.raw());
    let y = between(body.from.y, body.to.y) - between(carrier.from.y, carrier.to.y)
        + f64::from(origin.y.raw());
    let (half_x, half_y, round) = match outline {
        Outline::Point => return depth(footprint, x, y),
        Outline::Disc { radius } => (f64::from(radius.raw()), f64::from(radius.raw()), true),
        Outline::Box { half_x, half_y } => {
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
    let mut dice = Dice::new(84);
    let mut n_crossings = 0;
    for round in 0..700 {
        let footprint = some_footprint(&mut dice, 60);
        let mut point = || at(dice.between(-200, 200), dice.between(-200, 200));
        let (body, shift) = (
            Way {
                from: point(),
                to: point(),
            },
            point(),
        );
        let carrier = Way {
            from: footprint.origin(),
            to: if round % 2 == 0 {
                footprint.origin()
            } else {
                shift
            },
        };
        let mut size = || Fixed::from_raw(dice.between(1, 40));
        let outline = match round % 3 {
            0 => Outline::Point,
            1 => Outline::Disc { radius: size() },
            _ => Outline::Box {
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
    let pass = |y: i32| Way {
        from: at(-1_000_000_000, y),
        to: at(1_000_000_000, y),
    };
    let still = Way::at(at(0, 0));
    let graze = moments(&circle, still, pass(500), Extent::POINT);
    assert_eq!(graze, Some((0.5, 0.5)));
    assert_eq!(moments(&circle, still, pass(501), Extent::POINT), None);
    // Along (4, 3), five units beside the middle.
    let slant = |x: i32, y: i32| Way {
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
    let way = Way {
        from: at(500, -90_000),
        to: at(500, 90_000),
    };
    let (enter, leave) = moments(&wedge, Way::at(at(0, 0)), way, Extent::POINT).unwrap();
    // At x = 500 the wedge reaches 3/4 of that to both sides.
    let near = |moment: f64, y: f64| (moment * 180_000.0 - 90_000.0 - y).abs() < 0.1;
    assert!(near(enter, -375.0) && near(leave, 375.0), "{enter} {leave}");
    let ring = Footprint::Ring {
        centre: at(0, 0),
        inner: Fixed::from_raw(400),
        outer: Fixed::from_raw(500),
    };
    let inside = Way {
        from: at(-300, 0),
        to: at(300, 0),
    };
    assert_eq!(
        moments(&ring, Way::at(at(0, 0)), inside, Extent::POINT),
        None
    );
    let out = Way {
        from: at(0, 0),
        to: at(1_000, 0),
    };
    let found = moments(&ring, Way::at(at(0, 0)), out, Extent::POINT);
    assert_eq!(found, Some((0.4, 0.5)));
}

#[test]
fn a_point_that_grazes_a_corner_of_a_polygon_touches_it_at_any_speed_and_angle() {
    let mut dice = Dice::new(61);
    let corners = [at(0, 0), at(90, 31), at(70, 140), at(-45, 77)];
    let polygon = Footprint::Polygon(Corners::new(&corners).unwrap());
    let still = Way::at(at(0, 0));
    let raw = |point: Point2| (i64::from(point.x.raw()), i64::from(point.y.raw()));
    let (mut n_grazes, mut n_near) = (0, 0);
    for _ in 0..4_000 {
        let corner = *dice.pick(&corners).unwrap();
        let (x, y) = raw(corner);
        let (over, down) = (dice.between(-9_999, 9_999), dice.between(-9_999, 9_999));
        let mut times = || i64::from(dice.between(1, 90_000));
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
        let way = |shift: i64| Way {
            from: place(-before, shift),
            to: place(after, shift),
        };
        let found = moments(&polygon, still, way(0), Extent::POINT);
        assert!(found.is_some(), "{:?}", way(0));
        // The next line away from all corners misses.
        let leans = sides.iter().sum::<i64>() * i64::from(over).signum();
        if over != 0 && leans != 0 {
            n_near += 1;
            let found = moments(&polygon, still, way(-leans.signum()), Extent::POINT);
            assert_eq!(found, None, "{:?}", way(-leans.signum()));
        }
    }
    assert!(n_grazes > 500 && n_near > 500, "{n_grazes} {n_near}");
}
