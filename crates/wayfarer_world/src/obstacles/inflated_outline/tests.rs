//! Outlines against exact fractions.

use wayfarer_base::Rng;
use wayfarer_testkit::point;

use super::*;

fn random_body(rng: &mut Rng) -> ObstacleBody {
    let (width, is_disc) = (2 * rng.between(1, 6), rng.chance(1, 2));
    let height = if is_disc { width } else { rng.between(1, 12) };
    let low = [rng.between(-9, 9), rng.between(-9, 9)];
    ObstacleBody {
        low,
        high: [low[0] + width, low[1] + height],
        is_disc,
        categories: 1,
        ..ObstacleBody::VACANT
    }
}

/// Clips the segment by the half-planes of all sides, in exact fractions.
fn enters_by_fractions(outline: &InflatedOutline, from: Point2, to: Point2) -> bool {
    // The part of the segment inside, as (numerator, denominator).
    let (mut enter, mut leave) = ((0_i128, 1_i128), (1_i128, 1_i128));
    let wide = |at: Point2| [i128::from(at.x.raw()), i128::from(at.y.raw())];
    let ([fx, fy], [tx, ty]) = (wide(from), wide(to));
    for number in 0..outline.n_corners() {
        let ([ax, ay], [bx, by]) = (
            wide(outline.corner(number)),
            wide(outline.corner(outline.after(number))),
        );
        let side = |x: i128, y: i128| (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let (start, end) = (side(fx, fy), side(tx, ty));
        if start <= 0 && end <= 0 {
            return false;
        }
        // Positive inside; zero at start / (start - end).
        if start <= 0 && -start * enter.1 > enter.0 * (end - start) {
            enter = (-start, end - start);
        } else if end <= 0 && start * leave.1 < leave.0 * (start - end) {
            leave = (start, start - end);
        }
    }
    enter.0 * leave.1 < leave.0 * enter.1 || (from == to)
}

#[test]
fn a_segment_enters_an_outline_exactly_if_its_clipped_part_is_not_empty() {
    let mut rng = Rng::new(3);
    let mut n_entered = 0;
    for _ in 0..200_000 {
        let outline = InflatedOutline::new(&random_body(&mut rng), rng.between(1, 4));
        let mut random_point = || point(rng.between(-20, 20), rng.between(-20, 20));
        let (from, to) = (random_point(), random_point());
        let expected = enters_by_fractions(&outline, from, to);
        assert_eq!(
            outline.is_crossed(from, to),
            expected,
            "{outline:?} {from:?} {to:?}"
        );
        assert_eq!(outline.is_crossed(to, from), expected);
        assert_eq!(outline.is_crossed(from, from), outline.contains(from));
        n_entered += u32::from(expected);
    }
    assert!(n_entered > 20_000);
}

#[test]
fn an_outline_contains_its_obstacle_in_its_interior() {
    let mut rng = Rng::new(4);
    for _ in 0..2_000 {
        let body = random_body(&mut rng);
        let outline = InflatedOutline::new(&body, 1);
        for x in body.low[0]..=body.high[0] {
            for y in body.low[1]..=body.high[1] {
                let radius = u64::from(body.disc_radius().unsigned_abs());
                let within = !body.is_disc
                    || super::super::obstacle::squared_distance(body.center(), [x, y])
                        <= radius * radius;
                assert!(!within || outline.contains(point(x, y)), "{body:?} {x} {y}");
            }
        }
    }
}

#[test]
fn an_outline_lies_between_its_tangents() {
    let mut rng = Rng::new(5);
    for _ in 0..50_000 {
        let outline = InflatedOutline::new(&random_body(&mut rng), rng.between(1, 4));
        let eye = if rng.chance(1, 4) {
            outline.corner(rng.below(outline.n_corners()))
        } else {
            point(rng.between(-25, 25), rng.between(-25, 25))
        };
        if outline.contains(eye) {
            continue;
        }
        let (left, right) = outline.tangents(eye);
        let cross = |number: u32, other: Point2| {
            let wide = |at: Point2| [i64::from(at.x.raw()), i64::from(at.y.raw())];
            let ([ex, ey], [cx, cy], [ox, oy]) =
                (wide(eye), wide(outline.corner(number)), wide(other));
            (cx - ex) * (oy - ey) - (cy - ey) * (ox - ex)
        };
        for number in 0..outline.n_corners() {
            let corner = outline.corner(number);
            assert!(
                cross(left, corner) >= 0,
                "{outline:?} from {eye:?}: left {left}"
            );
            assert!(
                cross(right, corner) <= 0,
                "{outline:?} from {eye:?}: right {right}"
            );
        }
        assert!(!outline.is_crossed(eye, outline.corner(left)));
        assert!(!outline.is_crossed(eye, outline.corner(right)));
        assert_ne!(left, right, "{outline:?} from {eye:?}");
    }
}
