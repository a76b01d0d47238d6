//! Single moves, bulk updates and restored records give identical query results.
use wayfarer_base::Rng;
use wayfarer_testkit::point;

use super::super::overlap::tests::random_footprint;
use super::super::{
    Body, BodyFilter, BodyId, BodyShape, Contacts, MAX_SIZE, NearestHits, NeighborLists, Pair,
    PairScratch, QueryHits, Ranges,
};
use super::*;

/// A random point within `size` of the origin.
fn random_point(rng: &mut Rng, size: i32) -> Point2 {
    point(rng.between(-size, size), rng.between(-size, size))
}

/// A small step, a large step or a random point.
fn random_step(rng: &mut Rng, from: Point2, size: i32) -> Point2 {
    let far = [9, 200, 3_000][rng.below(3) as usize];
    if rng.chance(1, 8) {
        return random_point(rng, size);
    }
    let mut part = |at: Fixed| {
        let by = rng.between(-far, far);
        (at.raw() + by).clamp(-MAX_COORDINATE, MAX_COORDINATE)
    };
    point(part(from.x), part(from.y))
}

fn random_body(rng: &mut Rng, size: i32, largest: i32) -> Body {
    let max_size = if rng.chance(1, 9) {
        largest
    } else {
        largest / 50
    };
    let mut length = || Fixed::from_raw(rng.between(0, max_size));
    let (first, second) = (length(), length());
    let outline = match rng.below(3) {
        0 => BodyShape::Disc { radius: first },
        1 => BodyShape::Box {
            half_x: first,
            half_y: second,
        },
        _ => BodyShape::Point,
    };
    Body {
        shape: outline,
        team: rng.between(0, 2).to_le_bytes()[0],
        ..Body::at(random_point(rng, size))
    }
}

/// Results of all queries, in order.
#[derive(PartialEq, Debug)]
struct QueryResults {
    hits: Vec<u32>,
    contacts: Vec<(u32, u64, u64)>,
    disc_contacts: Vec<(u32, u64, u64)>,
    nearest: Vec<u32>,
    pairs: Vec<Pair>,
    neighbors: Vec<(u32, Vec<u32>)>,
}

fn results(bodies: &BodySet, rng: &mut Rng, size: i32, ranges: &[Fixed]) -> QueryResults {
    let scale = [30, 900, (size / 3).min(MAX_SIZE / 2)][rng.below(3) as usize];
    let origin = match rng.below(u32::try_from(bodies.n_slots()).unwrap()) {
        index if bodies.id_at(index).is_some() && rng.chance(2, 3) => bodies.at[index as usize],
        _ => random_point(rng, size),
    };
    let footprint = random_footprint(rng, scale).translated_to(origin);
    let to = random_step(rng, origin, size);
    let filter = if rng.chance(1, 2) {
        BodyFilter::ALL
    } else {
        BodyFilter {
            teams: super::super::Teams::except(1),
            ..BodyFilter::ALL
        }
    };
    let (mut hits, mut contacts) = (QueryHits::default(), Contacts::default());
    let is_valid = bodies.find(&footprint, &filter, &mut hits).is_ok();
    let list = |contacts: &Contacts| {
        let contacts = contacts.list().iter();
        contacts
            .map(|contact| {
                (
                    contact.index,
                    contact.enter.to_bits(),
                    contact.leave.to_bits(),
                )
            })
            .collect()
    };
    let is_swept = bodies.sweep(&footprint, to, &filter, &mut contacts).is_ok();
    let swept = if is_swept {
        list(&contacts)
    } else {
        Vec::new()
    };
    let radius = Fixed::from_raw(rng.between(0, 300));
    let is_disc_valid = bodies
        .sweep_disc(origin, to, radius, &filter, &mut contacts)
        .is_ok();
    let mut nearest = NearestHits::default();
    let limit = Fixed::from_raw(scale);
    bodies
        .nearest(origin, 7, limit, &filter, &mut nearest)
        .unwrap();
    let mut pairs = Vec::new();
    let checked_ranges = Ranges::new(ranges).unwrap();
    bodies.pairs(&checked_ranges, &mut PairScratch::default(), |pair| {
        pairs.push(pair);
    });
    let mut neighbors = Vec::new();
    let range = Fixed::from_raw(scale.min(900));
    let mut scratch = NeighborLists::default();
    bodies
        .neighbors(
            range,
            &filter,
            &BodyFilter::ALL,
            &mut scratch,
            |body, near| {
                neighbors.push((body, near.to_vec()));
            },
        )
        .unwrap();
    QueryResults {
        hits: if is_valid {
            hits.indices().to_vec()
        } else {
            Vec::new()
        },
        contacts: swept,
        disc_contacts: if is_disc_valid {
            list(&contacts)
        } else {
            Vec::new()
        },
        nearest: nearest.indices().collect(),
        pairs,
        neighbors,
    }
}

/// Runs the same ticks by single moves, in bulk, and from restored records.
fn check(seed: u64, size: i32, largest: i32, bin_size: i32, detection: DetectionTiming) {
    let mut rng = Rng::new(seed);
    let mut singles = BodySet::new(Fixed::from_raw(bin_size)).with_detection(detection);
    let mut ids: Vec<BodyId> = Vec::new();
    for _ in 0..90 {
        let body = random_body(&mut rng, size, largest);
        ids.push(singles.register(&body).unwrap());
    }
    let mut bulk = singles.clone();
    for tick in 0..12 {
        // Registers and removals, the same for both.
        for _ in 0..rng.below(4) {
            let i = rng.below(90) as usize % ids.len();
            let removed = ids.swap_remove(i);
            let body = random_body(&mut rng, size, largest);
            for bodies in [&mut singles, &mut bulk] {
                bodies.unregister(removed).unwrap();
            }
            if tick % 5 != 0 {
                ids.push(singles.register(&body).unwrap());
                assert_eq!(bulk.register(&body), Ok(ids[ids.len() - 1]));
            }
        }
        let moving: Vec<BodyId> = match tick % 3 {
            0 => ids.clone(),
            _ => ids.iter().copied().filter(|_| rng.chance(1, 3)).collect(),
        };
        let ends: Vec<Point2> = moving
            .iter()
            .map(|id| random_step(&mut rng, singles.motion(*id).unwrap().1, size))
            .collect();
        singles.begin_tick();
        for (id, end) in moving.iter().zip(&ends).rev() {
            if rng.chance(1, 3) {
                // Via an intermediate position.
                singles.move_to(*id, random_point(&mut rng, size)).unwrap();
            }
            singles.move_to(*id, *end).unwrap();
        }
        let mut to = bulk.at.clone();
        for (id, end) in moving.iter().zip(&ends) {
            to[id.index() as usize] = *end;
        }
        bulk.move_all(&to).unwrap();
        if tick % 4 == 1 {
            let (teleported, position) = (*rng.pick(&ids).unwrap(), random_point(&mut rng, size));
            for bodies in [&mut singles, &mut bulk] {
                bodies.teleport(teleported, position).unwrap();
            }
        }
        assert_eq!(singles.record(), bulk.record(), "seed {seed} tick {tick}");
        let restored = BodySet::from_record(&singles.record()).unwrap();
        // Ranges vary, and some bodies have none.
        let ranges: Vec<Fixed> = (0..60)
            .map(|i| Fixed::from_raw(if i % 3 == tick % 3 { 0 } else { 70 * i }))
            .collect();
        for _ in 0..4 {
            let query =
                |bodies: &BodySet, rng: &Rng| results(bodies, &mut rng.clone(), size, &ranges);
            let expected = query(&singles, &rng);
            assert_eq!(query(&bulk, &rng), expected, "seed {seed} tick {tick}");
            assert_eq!(
                query(&restored, &rng),
                expected,
                "seed {seed} tick {tick}, restored"
            );
            rng.below(2);
        }
    }
}

#[test]
fn single_moves_bulk_updates_and_records_give_identical_results() {
    for seed in 0..2 {
        for detection in [
            DetectionTiming::AfterMovement,
            DetectionTiming::BeforeMovement,
        ] {
            check(seed, 2_000, 0, 64, detection);
            check(seed, 2_000, 400, 256, detection);
            check(seed, 60_000, 9_000, 1_024, detection);
            check(seed, MAX_COORDINATE, MAX_SIZE, 4_096, detection);
            check(seed, MAX_COORDINATE, 0, 1 << 20, detection);
        }
    }
}
