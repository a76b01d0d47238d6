//! Sweeps against single contact tests.
use wayfarer_base::Rng;
use wayfarer_testkit::point;

use super::super::overlap::tests::random_footprint;
use super::super::{Body, BodyShape, DetectionTiming};
use super::*;

fn random_point(rng: &mut Rng, size: i32) -> Point2 {
    point(rng.between(-size, size), rng.between(-size, size))
}

fn random_bodies(rng: &mut Rng, size: i32) -> (BodySet, Vec<BodyId>) {
    let mut bodies = BodySet::new(Fixed::from_raw(64));
    let ids = (0..200).map(|_| {
        let mut length = || Fixed::from_raw(rng.between(0, 90));
        let (first, second) = (length(), length());
        let outline = match rng.below(4) {
            0 => BodyShape::Disc { radius: first },
            1 => BodyShape::Box {
                half_x: first,
                half_y: second,
            },
            _ => BodyShape::Point,
        };
        let body = Body {
            shape: outline,
            ..Body::at(random_point(rng, size))
        };
        bodies.register(&body).unwrap()
    });
    let ids = ids.collect();
    (bodies, ids)
}

#[test]
fn sweeps_find_every_contact_at_any_speed_for_both_detection_timings() {
    let mut contacts = Contacts::default();
    let mut n_passed = 0;
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let (mut bodies, ids) = random_bodies(&mut rng, 3_000);
        for tick in 0..8 {
            // Slow, fast, and across the world.
            let to: Vec<Point2> = ids
                .iter()
                .map(|id| {
                    let current = bodies.motion(*id).unwrap().1;
                    let far = [3, 200, 5_000, 1 << 28][rng.below(4) as usize];
                    let part = |at: i32, by: i32| (at + by).clamp(-(1 << 29), 1 << 29);
                    point(
                        part(current.x.raw(), rng.between(-far, far)),
                        part(current.y.raw(), rng.between(-far, far)),
                    )
                })
                .collect();
            bodies.move_all(&to).unwrap();
            if tick == 3 {
                bodies.teleport(ids[0], point(0, 0)).unwrap();
                bodies.move_to(ids[1], point(50, 900)).unwrap();
            }
            let before_movement = bodies
                .clone()
                .with_detection(DetectionTiming::BeforeMovement);
            for _ in 0..20 {
                let footprint = random_footprint(&mut rng, 900);
                let end = match rng.below(3) {
                    0 => random_point(&mut rng, 100_000),
                    1 => random_point(&mut rng, 900),
                    _ => footprint.origin(),
                };
                bodies
                    .sweep(&footprint, end, &BodyFilter::ALL, &mut contacts)
                    .unwrap();
                let mut expected: Vec<Contact> = ids
                    .iter()
                    .filter_map(|id| bodies.contact(*id, &footprint, end).unwrap())
                    .collect();
                expected.sort_by(|a, b| a.enter.total_cmp(&b.enter).then(a.index.cmp(&b.index)));
                assert_eq!(contacts.list(), expected, "{footprint:?}");
                let passes = |contact: &&Contact| contact.enter > 0.0 && contact.leave < 1.0;
                n_passed += expected.iter().filter(passes).count();
                before_movement
                    .sweep(&footprint, end, &BodyFilter::ALL, &mut contacts)
                    .unwrap();
                assert_eq!(contacts.list(), expected, "registered at the start");
            }
        }
    }
    assert!(
        n_passed > 1_000,
        "only {n_passed} were outside at both ends"
    );
}

#[test]
fn a_fast_body_elsewhere_does_not_add_tests_in_bins_of_slow_bodies() {
    let mut bodies = BodySet::new(Fixed::from_raw(256));
    for x in 0..100 {
        for y in 0..100 {
            bodies.register(&Body::at(point(x * 100, y * 100))).unwrap();
        }
    }
    let mut to: Vec<Point2> = (0..100)
        .flat_map(|x| (0..100).map(move |y| point(x * 100 + 3, y * 100)))
        .collect();
    // One of them, far away, is fast.
    to[9_999] = point(9_900, 200_000);
    bodies.move_all(&to).unwrap();
    let mut contacts = Contacts::default();
    let circle = Footprint::circle(point(1_000, 1_000), Fixed::from_raw(50));
    bodies
        .sweep(
            &circle,
            point(1_000, 1_000),
            &BodyFilter::ALL,
            &mut contacts,
        )
        .unwrap();
    assert_eq!(contacts.list().len(), 1);
    assert!(contacts.stats.tests < 60, "{:?}", contacts.stats);
}

#[test]
fn a_swept_disc_hits_all_bodies_on_its_path_first_hit_first() {
    let mut rng = Rng::new(9);
    let (bodies, ids) = random_bodies(&mut rng, 2_000);
    let mut contacts = Contacts::default();
    let mut n_hits = 0;
    for round in 0..200 {
        let (from, to) = (random_point(&mut rng, 2_500), random_point(&mut rng, 2_500));
        let radius = Fixed::from_raw(if round % 2 == 0 {
            0
        } else {
            rng.between(0, 60)
        });
        bodies
            .sweep_disc(from, to, radius, &BodyFilter::ALL, &mut contacts)
            .unwrap();
        let capsule = Footprint::Capsule { from, to, radius };
        let is_hit = |id: &&BodyId| {
            let body = bodies.body(**id).unwrap();
            capsule.overlaps(body.position, body.shape)
        };
        let mut expected: Vec<u32> = ids.iter().filter(is_hit).map(|id| id.index()).collect();
        let mut hits: Vec<u32> = contacts.list().iter().map(|hit| hit.index).collect();
        n_hits += hits.len();
        hits.sort_unstable();
        expected.sort_unstable();
        assert_eq!(hits, expected);
        assert!(contacts.list().is_sorted_by_key(|hit| hit.enter));
    }
    assert!(n_hits > 300, "{n_hits}");
}

#[test]
fn a_disc_sweep_of_length_zero_hits_only_bodies_within_its_radius() {
    let mut bodies = BodySet::new(Fixed::from_raw(1_024));
    let far = bodies.register(&Body::at(point(9_000, 9_000))).unwrap();
    let near = bodies.register(&Body::at(point(9_000, -4_000))).unwrap();
    let mut contacts = Contacts::default();
    bodies
        .sweep_disc(
            point(0, 0),
            point(0, 0),
            Fixed::from_raw(10_000),
            &BodyFilter::ALL,
            &mut contacts,
        )
        .unwrap();
    let hit: Vec<BodyId> = contacts.ids(&bodies).map(|(id, _)| id).collect();
    assert_eq!(hit, [near], "and not {far:?}");
}
