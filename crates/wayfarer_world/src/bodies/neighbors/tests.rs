use wayfarer_base::{Point2, Rng};

use super::*;
use crate::bodies::{Body, BodyCategories, BodyShape, DetectionTiming, Teams};

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

/// Strews bodies, moves some, kills some, and compares everybody's list with its own question.
fn check(seed: u64, square: i32, range: i32, largest: i32, detection: DetectionTiming) {
    let mut rng = Rng::new(seed);
    let side = 20_000;
    let mut bodies = BodySet::new(Fixed::from_raw(square)).with_detection(detection);
    let mut ids = Vec::new();
    for _ in 0..300 {
        let place = at(rng.between(-side, side), rng.between(-side, side));
        let radius = Fixed::from_raw(rng.between(0, largest));
        let outline = if rng.chance(1, 4) {
            BodyShape::Disc { radius }
        } else {
            BodyShape::Point
        };
        let body = Body {
            outline,
            team: u8::try_from(rng.between(0, 2)).unwrap(),
            ..Body::at(place)
        };
        ids.push(bodies.register(&body).unwrap());
    }
    bodies.begin_tick();
    for &id in &ids {
        match rng.between(0, 9) {
            0 => bodies.unregister(id).unwrap(),
            1 => bodies.move_to(id, at(rng.between(-side, side), 0)).unwrap(),
            _ => {}
        }
    }
    let askers = BodyFilter {
        teams: Teams::except(1),
        ..BodyFilter::ALL
    };
    let wanted = BodyFilter {
        teams: Teams::only(1),
        categories: BodyCategories::ALL,
        ..BodyFilter::ALL
    };
    for (askers, wanted) in [(BodyFilter::ALL, BodyFilter::ALL), (askers, wanted)] {
        let range = Fixed::from_raw(range);
        let mut scratch = NeighborLists::default();
        let mut lists = Vec::new();
        let list = |body_id: u32, near: &[u32]| lists.push((body_id, near.to_vec()));
        bodies
            .neighbors(range, &askers, &wanted, &mut scratch, list)
            .unwrap();
        // By parts it is the same.
        let mut by_parts = Vec::new();
        for part in 0..8 {
            let part = Shard { part, n_parts: 8 };
            let list = |body_id: u32, near: &[u32]| by_parts.push((body_id, near.to_vec()));
            bodies
                .shard_neighbors(part, range, (&askers, &wanted), &mut scratch, list)
                .unwrap();
        }
        assert_eq!(lists, by_parts);
        let mut found = QueryHits::default();
        for (body_id, near) in &lists {
            let id = bodies.id_at(*body_id).unwrap();
            let circle = Footprint::circle(bodies.registered_at(*body_id as usize), range);
            let wanted = BodyFilter {
                except: Some(id),
                ..wanted
            };
            bodies.find(&circle, &wanted, &mut found).unwrap();
            assert_eq!(near.as_slice(), found.indices(), "of {body_id}");
        }
        let mut asked: Vec<u32> = lists.iter().map(|(body_id, _)| *body_id).collect();
        asked.sort_unstable();
        let expected: Vec<u32> = (0..300)
            .filter(|&index| {
                let id = bodies.id_at(index);
                id.is_some_and(|id| bodies.passes(id, &askers))
            })
            .collect();
        assert_eq!(asked, expected);
    }
}

#[test]
fn everybody_is_told_what_it_would_have_found_by_itself() {
    for seed in 0..12 {
        for detection in [
            DetectionTiming::AfterMovement,
            DetectionTiming::BeforeMovement,
        ] {
            check(seed, 2048, 2048, 0, detection);
            check(seed, 1024, 3000, 0, detection);
            check(seed, 16_384, 500, 0, detection);
            check(seed, 1024, 2500, 3000, detection);
            check(seed, 4096, 0, 0, detection);
        }
    }
}

#[test]
fn a_range_beyond_the_limit_is_refused() {
    let bodies = BodySet::new(Fixed::from_raw(256));
    let mut scratch = NeighborLists::default();
    let all = BodyFilter::ALL;
    let result = bodies.neighbors(Fixed::from_raw(-1), &all, &all, &mut scratch, |_, _| {});
    assert!(result.is_err());
}
