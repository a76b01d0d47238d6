use std::collections::BTreeSet;
use std::ops::ControlFlow;

use wayfarer_base::Rng;

use super::overlap::tests::some_footprint;
use super::*;

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn some_point(rng: &mut Rng, size: i32) -> Point2 {
    at(rng.between(-size, size), rng.between(-size, size))
}

fn some_body(rng: &mut Rng, size: i32) -> Body {
    // Most are small, some are huge.
    let most = [1, 30, 30, 200, 3_000][rng.below(5) as usize];
    let mut length = || Fixed::from_raw(rng.between(0, most));
    let (one, other, height) = (length(), length(), length());
    let outline = match rng.below(4) {
        0 => BodyShape::Disc { radius: one },
        1 => BodyShape::Box {
            half_x: one,
            half_y: other,
        },
        _ => BodyShape::Point,
    };
    Body {
        outline,
        z: Fixed::from_raw(rng.between(-60, 60)),
        height,
        categories: BodyCategories::from_bits(rng.below(8)),
        team: rng.between(0, 3).to_le_bytes()[0],
        ..Body::at(some_point(rng, size))
    }
}

fn some_filter(rng: &mut Rng, ids: &[BodyId]) -> BodyFilter {
    let low = rng.between(-80, 80);
    BodyFilter {
        categories: if rng.chance(1, 2) {
            BodyCategories::ALL
        } else {
            BodyCategories::from_bits(rng.below(8))
        },
        teams: match rng.below(3) {
            0 => Teams::only(1),
            1 => Teams::except(2),
            _ => Teams::ALL,
        },
        heights: rng.chance(1, 3).then(|| {
            (
                Fixed::from_raw(low),
                Fixed::from_raw(low + rng.between(0, 60)),
            )
        }),
        except: rng.pick(ids).copied(),
    }
}

/// By the definition, looking at everybody.
fn brute(
    bodies: &BodySet,
    ids: &[BodyId],
    footprint: &Footprint,
    filter: &BodyFilter,
) -> BTreeSet<u32> {
    let is_wanted = |id: &&BodyId| {
        let Ok(body) = bodies.body(**id) else {
            return false;
        };
        (filter.categories == BodyCategories::ALL || body.categories.meets(filter.categories))
            && filter.teams.contains(body.team)
            && filter.except != Some(**id)
            && filter.heights.is_none_or(|(low, high)| {
                body.z <= high && body.z.raw() + body.height.raw() >= low.raw()
            })
            && footprint.overlaps(body.position, body.outline)
    };
    ids.iter().filter(is_wanted).map(|id| id.index()).collect()
}

fn check_footprint(
    bodies: &BodySet,
    ids: &[BodyId],
    footprint: &Footprint,
    filter: &BodyFilter,
    found: &mut QueryHits,
) {
    let expected = brute(bodies, ids, footprint, filter);
    bodies.find(footprint, filter, found).unwrap();
    let seen: BTreeSet<u32> = found.indices().iter().copied().collect();
    assert_eq!(seen, expected, "{footprint:?} {filter:?}");
    assert_eq!(found.len(), expected.len(), "somebody twice: {footprint:?}");
    let mut order = Vec::new();
    let work = bodies
        .visit(footprint, filter, |index| {
            order.push(index);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(order, found.indices());
    assert_eq!(work, found.work);
    assert_eq!(bodies.count(footprint, filter).unwrap(), expected.len());
    let any = bodies.any(footprint, filter).unwrap();
    assert_eq!(any.map(Id::index), order.first().copied());
    let score = |id: BodyId| (!id.index().is_multiple_of(5)).then_some(i64::from(id.index() % 7));
    let best = bodies.best(footprint, filter, score).unwrap();
    let scored = order.iter().filter_map(|&at| bodies.id_at(at));
    let scored = scored.filter_map(|id| Some((score(id)?, std::cmp::Reverse(id))));
    assert_eq!(best, scored.max().map(|(score, id)| (id.0, score)));
}

/// Everybody in every square, in order, whatever way they came there.
fn everybody(bodies: &BodySet) -> Vec<u32> {
    let all = Footprint::circle(at(0, 0), Fixed::from_raw(MAX_SIZE));
    let mut found = QueryHits::default();
    bodies.find(&all, &BodyFilter::ALL, &mut found).unwrap();
    found.indices().to_vec()
}

#[test]
fn every_footprint_finds_whom_a_look_at_everybody_finds() {
    let mut found = QueryHits::default();
    for (seed, turn) in (0..24).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [60, 500, 5_000, 100_000][turn % 4];
        let mut bodies = BodySet::new(Fixed::from_raw([16, 64, 1_000][turn % 3]));
        let mut ids = Vec::new();
        for _ in 0..150 {
            ids.push(bodies.register(&some_body(&mut rng, size)).unwrap());
        }
        for round in 0..60 {
            // Births, deaths, single moves, teleports and whole ticks in turn.
            match round % 6 {
                0 => {
                    let id = ids.swap_remove(rng.below(150) as usize % ids.len());
                    bodies.unregister(id).unwrap();
                    assert_eq!(bodies.unregister(id), Err(BodyError::Dead { id }));
                    ids.push(bodies.register(&some_body(&mut rng, size)).unwrap());
                    assert!(bodies.body(id).is_err());
                }
                1 | 2 => {
                    for _ in 0..40 {
                        let to = some_point(&mut rng, size);
                        bodies.move_to(*rng.pick(&ids).unwrap(), to).unwrap();
                    }
                }
                3 => {
                    let to = some_point(&mut rng, size);
                    bodies.teleport(ids[3], to).unwrap();
                    bodies.set_height(ids[4], Fixed::from_raw(7)).unwrap();
                }
                4 => {
                    let n_places = bodies.n_slots();
                    let to: Vec<Point2> =
                        (0..n_places).map(|_| some_point(&mut rng, size)).collect();
                    bodies.move_all(&to).unwrap();
                }
                _ => bodies.begin_tick(),
            }
            for _ in 0..6 {
                let scale = [size / 4, size, 30][rng.below(3) as usize];
                let footprint =
                    some_footprint(&mut rng, scale).translated_to(some_point(&mut rng, size));
                let filter = if rng.chance(1, 2) {
                    BodyFilter::ALL
                } else {
                    some_filter(&mut rng, &ids)
                };
                check_footprint(&bodies, &ids, &footprint, &filter, &mut found);
            }
        }
    }
}

#[test]
fn the_order_depends_on_where_they_are_and_not_on_how_they_came_there() {
    let mut rng = Rng::new(5);
    let mut one_by_one = BodySet::new(Fixed::from_raw(64));
    let mut ids = Vec::new();
    for _ in 0..300 {
        ids.push(one_by_one.register(&some_body(&mut rng, 3_000)).unwrap());
    }
    for _ in 0..1_000 {
        let to = some_point(&mut rng, 3_000);
        one_by_one.teleport(*rng.pick(&ids).unwrap(), to).unwrap();
    }
    let mut at_once = one_by_one.clone();
    at_once.begin_tick();
    assert_eq!(everybody(&one_by_one), everybody(&at_once));
    assert_eq!(everybody(&at_once).len(), 300);
}

#[test]
fn far_corners_of_the_world_are_as_good_as_its_middle() {
    let mut bodies = BodySet::new(Fixed::from_raw(256));
    let corners = [
        at(MAX_COORDINATE, MAX_COORDINATE),
        at(-MAX_COORDINATE, MAX_COORDINATE),
        at(-MAX_COORDINATE, -MAX_COORDINATE),
        at(MAX_COORDINATE, -MAX_COORDINATE),
    ];
    let mut nearest = NearestHits::default();
    for corner in corners {
        bodies.register(&Body::at(corner)).unwrap();
        let circle = Footprint::circle(corner, Fixed::from_raw(MAX_SIZE));
        assert_eq!(bodies.count(&circle, &BodyFilter::ALL), Ok(1));
        let limit = Fixed::from_raw(MAX_SIZE);
        bodies
            .nearest(corner, 3, limit, &BodyFilter::ALL, &mut nearest)
            .unwrap();
        assert_eq!(nearest.len(), 1);
    }
    // A way from one corner to the other is no trouble either.
    bodies
        .move_all(&[corners[2], corners[3], corners[0], corners[1]])
        .unwrap();
    let circle = Footprint::circle(corners[0], Fixed::from_raw(5));
    assert_eq!(bodies.count(&circle, &BodyFilter::ALL), Ok(1));
    assert!(
        bodies
            .register(&Body::at(at(MAX_COORDINATE + 1, 0)))
            .is_err()
    );
}

#[test]
fn the_nearest_are_those_that_a_look_at_everybody_finds() {
    let mut nearest = NearestHits::default();
    for (seed, turn) in (0..12).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [60, 2_000, 400_000][turn % 3];
        let mut bodies = BodySet::new(Fixed::from_raw(64));
        let ids: Vec<BodyId> = (0..120)
            .map(|_| bodies.register(&some_body(&mut rng, size)).unwrap())
            .collect();
        for _ in 0..60 {
            let from = some_point(&mut rng, size);
            let n_wanted = rng.below(9) as usize;
            let limit = Fixed::from_raw(rng.between(0, 2 * size).min(MAX_SIZE));
            let filter = some_filter(&mut rng, &ids);
            bodies
                .nearest(from, n_wanted, limit, &filter, &mut nearest)
                .unwrap();
            let all = Footprint::circle(from, limit);
            let mut expected: Vec<(i64, u32)> = ids
                .iter()
                .filter(|id| {
                    let point = Footprint::circle(bodies.body(**id).unwrap().position, limit);
                    !brute(&bodies, &[**id], &point, &filter).is_empty()
                        && all.contains(point.origin())
                })
                .map(|id| {
                    let away = footprint::sub(bodies.body(*id).unwrap().position, from);
                    (footprint::dot(away, away), id.index())
                })
                .collect();
            expected.sort_unstable();
            expected.truncate(n_wanted);
            let seen: Vec<(i64, u32)> = nearest
                .ids(&bodies)
                .map(|(id, square)| (square, id.index()))
                .collect();
            assert_eq!(seen, expected);
        }
    }
}

fn brute_pairs(bodies: &BodySet, ids: &[BodyId], ranges: &[Fixed]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    let place = |id: &BodyId| bodies.body(*id).unwrap().position;
    for a in ids {
        for b in ids.iter().filter(|b| b.index() > a.index()) {
            let sees = |from: &BodyId, to: &BodyId| {
                let range = ranges[from.index() as usize];
                Footprint::circle(place(from), range).contains(place(to))
            };
            let pair = Pair {
                low: a.index(),
                high: b.index(),
                low_reaches: sees(a, b),
                high_reaches: sees(b, a),
            };
            if pair.low_reaches || pair.high_reaches {
                pairs.insert(pair);
            }
        }
    }
    pairs
}

#[test]
fn every_pair_within_range_comes_once_and_who_stands_still_is_not_tested_again() {
    let mut scratch = PairScratch::default();
    for (seed, turn) in (0..10).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [100, 1_000, 20_000][turn % 3];
        let mut bodies = BodySet::new(Fixed::from_raw(64));
        let mut ids: Vec<BodyId> = (0..90)
            .map(|_| bodies.register(&some_body(&mut rng, size)).unwrap())
            .collect();
        let largest = if seed == 4 { 0 } else { size / 4 };
        let ranges: Vec<Fixed> = (0..90)
            .map(|_| Fixed::from_raw(rng.between(0, largest)))
            .collect();
        let mut watch = PairTracker::default();
        for round in 0..8 {
            let ready = Ranges::new(&ranges).unwrap();
            let expected = brute_pairs(&bodies, &ids, &ranges);
            let mut seen = Vec::new();
            bodies.pairs(&ready, &mut scratch, |pair| seen.push(pair));
            assert_eq!(seen.len(), expected.len());
            assert_eq!(seen.iter().copied().collect::<BTreeSet<_>>(), expected);
            let mut parts = Vec::new();
            for part in 0..3 {
                bodies.pairs_of_part(Shard { part, n_parts: 3 }, &ready, &mut scratch, |pair| {
                    parts.push(pair);
                });
            }
            assert_eq!(parts, seen);
            watch.update(&bodies, &ready);
            let expected: Vec<Pair> = expected.into_iter().collect();
            assert_eq!(watch.pairs(), expected);
            watch.update(&bodies, &ready);
            assert_eq!((watch.pairs(), watch.work.tests), (&expected[..], 0));
            for _ in 0..5 {
                let to = some_point(&mut rng, size);
                bodies.move_to(*rng.pick(&ids).unwrap(), to).unwrap();
            }
            if round % 2 == 1 {
                let id = ids.pop().unwrap();
                bodies.unregister(id).unwrap();
            }
        }
    }
}

#[test]
fn a_square_inside_the_footprint_needs_no_test() {
    let mut rng = Rng::new(1);
    let mut bodies = BodySet::new(Fixed::from_raw(256));
    for _ in 0..20_000 {
        let point = some_point(&mut rng, 256 * 100);
        bodies.register(&Body::at(point)).unwrap();
    }
    bodies.begin_tick();
    let mut found = QueryHits::default();
    let shapes = [
        Footprint::circle(at(0, 0), Fixed::from_raw(256 * 50)),
        Footprint::wedge(at(0, 0), Fixed::from_raw(256 * 90), Heading::EAST, 0.5),
        Footprint::wedge(at(0, 0), Fixed::from_raw(256 * 60), Heading::EAST, -0.5),
        Footprint::Ring {
            center: at(0, 0),
            inner: Fixed::from_raw(256 * 30),
            outer: Fixed::from_raw(256 * 60),
        },
    ];
    for footprint in shapes {
        bodies
            .find(&footprint, &BodyFilter::ALL, &mut found)
            .unwrap();
        let QueryStats { tests, skips, .. } = found.work;
        assert!(skips > 8 * tests, "{footprint:?} {:?}", found.work);
        assert!(tests + skips < 6 * found.len() as u64 / 5);
    }
}

#[test]
fn a_dead_name_in_a_filter_keeps_nobody_out() {
    let mut bodies = BodySet::new(Fixed::from_raw(64));
    let dead = bodies.register(&Body::at(at(0, 0))).unwrap();
    bodies.unregister(dead).unwrap();
    let heir = bodies.register(&Body::at(at(0, 0))).unwrap();
    assert_eq!(heir.index(), dead.index());
    let circle = Footprint::circle(at(0, 0), Fixed::from_raw(9));
    let agent = |filter: &BodyFilter| bodies.any(&circle, filter).unwrap();
    assert_eq!(agent(&BodyFilter::but(dead)), Some(heir));
    assert_eq!(agent(&BodyFilter::but(heir)), None);
}

#[test]
fn pairs_are_right_after_the_table_has_become_smaller() {
    let mut rng = Rng::new(6);
    let crowd = |rng: &mut Rng, n_bodies: usize| {
        let mut body_set = BodySet::new(Fixed::from_raw(64));
        let bodies = (0..n_bodies).map(|_| body_set.register(&some_body(rng, 300)).unwrap());
        let ids: Vec<BodyId> = bodies.collect();
        (body_set, ids)
    };
    let ranges = vec![Fixed::from_raw(90); 60];
    let ready = Ranges::new(&ranges).unwrap();
    let mut watch = PairTracker::default();
    for n_bodies in [60, 20, 0, 40, 1] {
        let (body_set, ids) = crowd(&mut rng, n_bodies);
        watch.update(&body_set, &ready);
        let expected: Vec<Pair> = brute_pairs(&body_set, &ids, &ranges).into_iter().collect();
        assert_eq!(watch.pairs(), expected);
    }
}
