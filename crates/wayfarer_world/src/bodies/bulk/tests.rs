use wayfarer_base::Rng;

use super::super::overlap::tests::some_footprint;
use super::super::{
    Body, BodyFilter, BodyShape, Contacts, MAX_SIZE, NearestHits, NeighborLists, Pair, PairScratch,
    PairTracker, QueryHits, Ranges,
};
use super::*;

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

/// Near the middle of the world, or anywhere from one end of it to the other.
fn some_point(rng: &mut Rng, size: i32) -> Point2 {
    at(rng.between(-size, size), rng.between(-size, size))
}

/// A step away, a run, or somewhere else altogether.
fn some_step(rng: &mut Rng, from: Point2, size: i32) -> Point2 {
    let far = [9, 200, 3_000][rng.below(3) as usize];
    if rng.chance(1, 8) {
        return some_point(rng, size);
    }
    let mut part = |at: Fixed| {
        let by = rng.between(-far, far);
        (at.raw() + by).clamp(-MAX_COORDINATE, MAX_COORDINATE)
    };
    at(part(from.x), part(from.y))
}

fn some_body(rng: &mut Rng, size: i32, largest: i32) -> Body {
    let most = if rng.chance(1, 9) {
        largest
    } else {
        largest / 50
    };
    let mut length = || Fixed::from_raw(rng.between(0, most));
    let (one, other) = (length(), length());
    let outline = match rng.below(3) {
        0 => BodyShape::Disc { radius: one },
        1 => BodyShape::Box {
            half_x: one,
            half_y: other,
        },
        _ => BodyShape::Point,
    };
    Body {
        outline,
        team: rng.between(0, 2).to_le_bytes()[0],
        ..Body::at(some_point(rng, size))
    }
}

/// Everything that is answered about somewhere, in order.
#[derive(PartialEq, Debug)]
struct Answers {
    found: Vec<u32>,
    contacts: Vec<(u32, u64, u64)>,
    along: Vec<(u32, u64, u64)>,
    nearest: Vec<u32>,
    pairs: Vec<Pair>,
    neighbors: Vec<(u32, Vec<u32>)>,
}

fn results(bodies: &BodySet, rng: &mut Rng, size: i32, ranges: &[Fixed]) -> Answers {
    let scale = [30, 900, (size / 3).min(MAX_SIZE / 2)][rng.below(3) as usize];
    let origin = match rng.below(u32::try_from(bodies.n_slots()).unwrap()) {
        index if bodies.id_at(index).is_some() && rng.chance(2, 3) => bodies.at[index as usize],
        _ => some_point(rng, size),
    };
    let footprint = some_footprint(rng, scale).translated_to(origin);
    let to = some_step(rng, origin, size);
    let filter = if rng.chance(1, 2) {
        BodyFilter::ALL
    } else {
        BodyFilter {
            teams: super::super::Teams::except(1),
            ..BodyFilter::ALL
        }
    };
    let (mut found, mut contacts) = (QueryHits::default(), Contacts::default());
    let is_fine = bodies.find(&footprint, &filter, &mut found).is_ok();
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
    let is_shot = bodies
        .along(origin, to, radius, &filter, &mut contacts)
        .is_ok();
    let mut nearest = NearestHits::default();
    let limit = Fixed::from_raw(scale);
    bodies
        .nearest(origin, 7, limit, &filter, &mut nearest)
        .unwrap();
    let mut pairs = Vec::new();
    let ready = Ranges::new(ranges).unwrap();
    bodies.pairs(&ready, &mut PairScratch::default(), |pair| pairs.push(pair));
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
    Answers {
        found: if is_fine {
            found.indices().to_vec()
        } else {
            Vec::new()
        },
        contacts: swept,
        along: if is_shot { list(&contacts) } else { Vec::new() },
        nearest: nearest.indices().collect(),
        pairs,
        neighbors,
    }
}

/// Lives through ticks that some are told one by one, others at once, others from what was saved.
fn check(seed: u64, size: i32, largest: i32, square: i32, detection: DetectionTiming) {
    let mut rng = Rng::new(seed);
    let mut singles = BodySet::new(Fixed::from_raw(square)).with_detection(detection);
    let mut ids: Vec<BodyId> = Vec::new();
    for _ in 0..90 {
        let body = some_body(&mut rng, size, largest);
        ids.push(singles.register(&body).unwrap());
    }
    let mut at_once = singles.clone();
    let mut watch = PairTracker::default();
    for tick in 0..12 {
        // Births and deaths, the same for both.
        for _ in 0..rng.below(4) {
            let place = rng.below(90) as usize % ids.len();
            let dead = ids.swap_remove(place);
            let body = some_body(&mut rng, size, largest);
            for bodies in [&mut singles, &mut at_once] {
                bodies.unregister(dead).unwrap();
            }
            if tick % 5 != 0 {
                ids.push(singles.register(&body).unwrap());
                assert_eq!(at_once.register(&body), Ok(ids[ids.len() - 1]));
            }
        }
        let moving: Vec<BodyId> = match tick % 3 {
            0 => ids.clone(),
            _ => ids.iter().copied().filter(|_| rng.chance(1, 3)).collect(),
        };
        let ends: Vec<Point2> = moving
            .iter()
            .map(|id| some_step(&mut rng, singles.motion(*id).unwrap().1, size))
            .collect();
        singles.begin_tick();
        for (id, end) in moving.iter().zip(&ends).rev() {
            if rng.chance(1, 3) {
                // By a roundabout way.
                singles.move_to(*id, some_point(&mut rng, size)).unwrap();
            }
            singles.move_to(*id, *end).unwrap();
        }
        if tick % 2 == 0 {
            at_once.move_some(&moving, &ends).unwrap();
        } else {
            let mut to = at_once.at.clone();
            for (id, end) in moving.iter().zip(&ends) {
                to[id.index() as usize] = *end;
            }
            at_once.move_all(&to).unwrap();
        }
        if tick % 4 == 1 {
            let (lucky, place) = (*rng.pick(&ids).unwrap(), some_point(&mut rng, size));
            for bodies in [&mut singles, &mut at_once] {
                bodies.teleport(lucky, place).unwrap();
            }
        }
        assert_eq!(
            singles.record(),
            at_once.record(),
            "seed {seed} tick {tick}"
        );
        let saved = BodySet::from_record(&singles.record()).unwrap();
        // Ranges change as well, and some have none.
        let ranges: Vec<Fixed> = (0..60)
            .map(|place| Fixed::from_raw(if place % 3 == tick % 3 { 0 } else { 70 * place }))
            .collect();
        for _ in 0..4 {
            let ask =
                |bodies: &BodySet, rng: &Rng| results(bodies, &mut rng.clone(), size, &ranges);
            let expected = ask(&singles, &rng);
            assert_eq!(ask(&at_once, &rng), expected, "seed {seed} tick {tick}");
            assert_eq!(
                ask(&saved, &rng),
                expected,
                "seed {seed} tick {tick}, saved"
            );
            rng.below(2);
        }
        watch.update(
            if tick % 2 == 0 { &singles } else { &saved },
            &Ranges::new(&ranges).unwrap(),
        );
        let mut expected = Vec::new();
        for (place, low) in (0_u32..).zip(0..singles.n_slots()) {
            for high in place + 1..u32::try_from(singles.n_slots()).unwrap() {
                let far = high as usize;
                if singles.id_at(place).is_none() || singles.id_at(high).is_none() {
                    continue;
                }
                let (a, b) = (singles.registered_at(low), singles.registered_at(far));
                let reaches = |place: usize, from: Point2, to: Point2| {
                    let range = ranges.get(place);
                    range.is_some_and(|range| {
                        super::super::Footprint::circle(from, *range).contains(to)
                    })
                };
                let pair = Pair {
                    low: place,
                    high,
                    low_reaches: reaches(low, a, b),
                    high_reaches: reaches(far, b, a),
                };
                if pair.low_reaches || pair.high_reaches {
                    expected.push(pair);
                }
            }
        }
        assert_eq!(watch.pairs(), expected, "seed {seed} tick {tick}");
    }
}

#[test]
fn one_by_one_at_once_or_saved_and_loaded_the_answers_and_their_order_are_the_same() {
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
