//! Neighbor lists against single queries.
use wayfarer_base::Rng;
use wayfarer_testkit::point;

use super::*;
use crate::bodies::{Body, BodyCategories, BodyShape, DetectionTiming, Teams};

/// Registers, moves and removes bodies, and compares every list with its own query.
fn check(seed: u64, bin_size: i32, range: i32, largest: i32, detection: DetectionTiming) {
    let mut rng = Rng::new(seed);
    let side = 20_000;
    let mut bodies = BodySet::new(Fixed::from_raw(bin_size)).with_detection(detection);
    let mut ids = Vec::new();
    for _ in 0..300 {
        let position = point(rng.between(-side, side), rng.between(-side, side));
        let radius = Fixed::from_raw(rng.between(0, largest));
        let outline = if rng.chance(1, 4) {
            BodyShape::Disc { radius }
        } else {
            BodyShape::Point
        };
        let body = Body {
            shape: outline,
            team: u8::try_from(rng.between(0, 2)).unwrap(),
            ..Body::at(position)
        };
        ids.push(bodies.register(&body).unwrap());
    }
    bodies.begin_tick();
    for &id in &ids {
        match rng.between(0, 9) {
            0 => bodies.unregister(id).unwrap(),
            1 => bodies
                .move_to(id, point(rng.between(-side, side), 0))
                .unwrap(),
            _ => {}
        }
    }
    let sources = BodyFilter {
        teams: Teams::except(1),
        ..BodyFilter::ALL
    };
    let targets = BodyFilter {
        teams: Teams::only(1),
        categories: BodyCategories::ALL,
        ..BodyFilter::ALL
    };
    for (sources, targets) in [(BodyFilter::ALL, BodyFilter::ALL), (sources, targets)] {
        let range = Fixed::from_raw(range);
        let mut scratch = NeighborLists::default();
        let mut lists = Vec::new();
        let list = |body_id: u32, near: &[u32]| lists.push((body_id, near.to_vec()));
        bodies
            .neighbors(range, &sources, &targets, &mut scratch, list)
            .unwrap();
        // Concatenated shards equal the whole.
        let mut by_shards = Vec::new();
        for i in 0..8 {
            let shard = Shard {
                index: i,
                n_shards: 8,
            };
            let list = |body_id: u32, near: &[u32]| by_shards.push((body_id, near.to_vec()));
            bodies
                .shard_neighbors(shard, range, (&sources, &targets), &mut scratch, list)
                .unwrap();
        }
        assert_eq!(lists, by_shards);
        let mut hits = QueryHits::default();
        for (body_id, near) in &lists {
            let id = bodies.id_at(*body_id).unwrap();
            let circle = Footprint::circle(bodies.registered_at(*body_id as usize), range);
            let targets = BodyFilter {
                except: Some(id),
                ..targets
            };
            bodies.find(&circle, &targets, &mut hits).unwrap();
            assert_eq!(near.as_slice(), hits.indices(), "of {body_id}");
        }
        let mut visited: Vec<u32> = lists.iter().map(|(body_id, _)| *body_id).collect();
        visited.sort_unstable();
        let expected: Vec<u32> = (0..300)
            .filter(|&index| {
                let id = bodies.id_at(index);
                id.is_some_and(|id| bodies.passes(id, &sources))
            })
            .collect();
        assert_eq!(visited, expected);
    }
}

#[test]
fn neighbor_lists_equal_single_range_queries() {
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
fn a_range_beyond_the_limits_is_rejected() {
    let bodies = BodySet::new(Fixed::from_raw(256));
    let mut scratch = NeighborLists::default();
    let all = BodyFilter::ALL;
    let result = bodies.neighbors(Fixed::from_raw(-1), &all, &all, &mut scratch, |_, _| {});
    assert!(result.is_err());
}
