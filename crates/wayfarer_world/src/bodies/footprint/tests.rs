//! Headings and translations of footprints.
use wayfarer_base::Rng;
use wayfarer_testkit::point;

use super::super::overlap::tests::random_footprint;
use super::super::{MAX_COORDINATE, MAX_SIZE};
use super::*;

/// The direction by definition: the larger component at most 16,383, the other in proportion.
fn direction(from: Point2, to: Point2) -> Option<(i128, i128)> {
    let part = |from: Fixed, to: Fixed| i128::from(to.raw()) - i128::from(from.raw());
    let (x, y) = (part(from.x, to.x), part(from.y, to.y));
    let largest = x.abs().max(y.abs());
    match largest {
        0 => None,
        1..=16_383 => Some((x, y)),
        _ => Some((x * 16_383 / largest, y * 16_383 / largest)),
    }
}

#[test]
fn a_heading_between_points_matches_its_definition_near_and_far() {
    let mut rng = Rng::new(31);
    for round in 0..4_000 {
        let size = [2, 9, 20_000, MAX_COORDINATE, i32::MAX][round % 5];
        let mut part = || match rng.below(9) {
            0 => -size - 1,
            1 => size,
            _ => rng.between(-size, size),
        };
        let (from, to) = (point(part(), part()), point(part(), part()));
        let found = Heading::between(from, to).ok();
        let found = found.map(|heading| (i128::from(heading.x), i128::from(heading.y)));
        assert_eq!(found, direction(from, to), "{from} {to}");
    }
    assert_eq!(
        Heading::between(point(0, 0), point(3, 1)),
        Heading::new(3, 1)
    );
}

#[test]
fn translating_a_footprint_back_restores_it() {
    let mut rng = Rng::new(32);
    for _ in 0..500 {
        let footprint = random_footprint(&mut rng, 5_000);
        let mut part = || rng.between(-MAX_COORDINATE / 2, MAX_COORDINATE / 2);
        let translated = footprint.translated_to(point(part(), part()));
        assert_eq!(translated.translated_to(footprint.origin()), footprint);
        if let Footprint::Polygon(corners) = translated {
            assert_eq!(ConvexPolygon::new(corners.points()), Ok(corners));
        }
    }
}

#[test]
fn a_footprint_translated_beyond_the_limits_is_rejected() {
    let mut rng = Rng::new(33);
    let mut n_rejected = 0;
    for _ in 0..2_000 {
        let footprint = random_footprint(&mut rng, MAX_SIZE / 4);
        let mut part = || {
            let edge = *rng.pick(&[-MAX_COORDINATE, 0, MAX_COORDINATE]).unwrap();
            edge.saturating_add(rng.between(-MAX_SIZE, MAX_SIZE))
        };
        let translated = footprint.translated_to(point(part(), part()));
        let points = match &translated {
            Footprint::Capsule { from, to, .. } => vec![*from, *to],
            Footprint::Polygon(corners) => corners.points().to_vec(),
            other => vec![other.origin()],
        };
        let is_out_of_range = points.iter().any(|point| body::position(*point).is_err());
        assert_eq!(
            translated.check().is_err(),
            is_out_of_range,
            "{translated:?}"
        );
        n_rejected += usize::from(is_out_of_range);
    }
    assert!((200..1_800).contains(&n_rejected), "{n_rejected}");
}
