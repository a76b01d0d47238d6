//! Queries against brute force under random edits.
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use wayfarer_testkit::point;

use wayfarer_base::Rng;

use super::overlap::tests::random_footprint;
use super::*;

fn random_point(rng: &mut Rng, size: i32) -> Point2 {
    point(rng.between(-size, size), rng.between(-size, size))
}

fn random_body(rng: &mut Rng, size: i32) -> Body {
    // Most are small, some are huge.
    let max_size = [1, 30, 30, 200, 3_000][rng.below(5) as usize];
    let mut length = || Fixed::from_raw(rng.between(0, max_size));
    let (first, second, height) = (length(), length(), length());
    let outline = match rng.below(4) {
        0 => BodyShape::Disc { radius: first },
        1 => BodyShape::Box {
            half_x: first,
            half_y: second,
        },
        _ => BodyShape::Point,
    };
    Body {
        shape: outline,
        z: Fixed::from_raw(rng.between(-60, 60)),
        height,
        categories: BodyCategories::from_bits(rng.below(8)),
        team: rng.between(0, 3).to_le_bytes()[0],
        ..Body::at(random_point(rng, size))
    }
}

fn random_filter(rng: &mut Rng, ids: &[BodyId]) -> BodyFilter {
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

/// Reference: tests every body.
fn brute(
    bodies: &BodySet,
    ids: &[BodyId],
    footprint: &Footprint,
    filter: &BodyFilter,
) -> BTreeSet<u32> {
    let is_hit = |id: &&BodyId| {
        let Ok(body) = bodies.body(**id) else {
            return false;
        };
        (filter.categories == BodyCategories::ALL || body.categories.intersects(filter.categories))
            && filter.teams.contains(body.team)
            && filter.except != Some(**id)
            && filter.heights.is_none_or(|(low, high)| {
                body.z <= high && body.z.raw() + body.height.raw() >= low.raw()
            })
            && footprint.overlaps(body.position, body.shape)
    };
    ids.iter().filter(is_hit).map(|id| id.index()).collect()
}

fn check_footprint(
    bodies: &BodySet,
    ids: &[BodyId],
    footprint: &Footprint,
    filter: &BodyFilter,
    hits: &mut QueryHits,
) {
    let expected = brute(bodies, ids, footprint, filter);
    bodies.find(footprint, filter, hits).unwrap();
    let hits_found: BTreeSet<u32> = hits.indices().iter().copied().collect();
    assert_eq!(hits_found, expected, "{footprint:?} {filter:?}");
    assert_eq!(hits.len(), expected.len(), "duplicate hit: {footprint:?}");
    let mut order = Vec::new();
    let stats = bodies
        .visit(footprint, filter, |index| {
            order.push(index);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(order, hits.indices());
    assert_eq!(stats, hits.stats);
    assert_eq!(bodies.count(footprint, filter).unwrap(), expected.len());
}

/// All indices in query order.
fn all_indices(bodies: &BodySet) -> Vec<u32> {
    let all = Footprint::circle(point(0, 0), Fixed::from_raw(MAX_SIZE));
    let mut hits = QueryHits::default();
    bodies.find(&all, &BodyFilter::ALL, &mut hits).unwrap();
    hits.indices().to_vec()
}

#[test]
fn every_footprint_query_equals_brute_force() {
    let mut hits = QueryHits::default();
    for (seed, round_robin) in (0..24).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [60, 500, 5_000, 100_000][round_robin % 4];
        let mut bodies = BodySet::new(Fixed::from_raw([16, 64, 1_000][round_robin % 3]));
        let mut ids = Vec::new();
        for _ in 0..150 {
            ids.push(bodies.register(&random_body(&mut rng, size)).unwrap());
        }
        for round in 0..60 {
            // Registers, removals, single moves, teleports and whole ticks in turn.
            match round % 6 {
                0 => {
                    let id = ids.swap_remove(rng.below(150) as usize % ids.len());
                    bodies.unregister(id).unwrap();
                    assert_eq!(bodies.unregister(id), Err(BodyError::UnknownBody { id }));
                    ids.push(bodies.register(&random_body(&mut rng, size)).unwrap());
                    assert!(bodies.body(id).is_err());
                }
                1 | 2 => {
                    for _ in 0..40 {
                        let to = random_point(&mut rng, size);
                        bodies.move_to(*rng.pick(&ids).unwrap(), to).unwrap();
                    }
                }
                3 => {
                    let to = random_point(&mut rng, size);
                    bodies.teleport(ids[3], to).unwrap();
                    bodies.set_height(ids[4], Fixed::from_raw(7)).unwrap();
                }
                4 => {
                    let n_slots = bodies.n_slots();
                    let to: Vec<Point2> =
                        (0..n_slots).map(|_| random_point(&mut rng, size)).collect();
                    bodies.move_all(&to).unwrap();
                }
                _ => bodies.begin_tick(),
            }
            for _ in 0..6 {
                let scale = [size / 4, size, 30][rng.below(3) as usize];
                let footprint =
                    random_footprint(&mut rng, scale).translated_to(random_point(&mut rng, size));
                let filter = if rng.chance(1, 2) {
                    BodyFilter::ALL
                } else {
                    random_filter(&mut rng, &ids)
                };
                check_footprint(&bodies, &ids, &footprint, &filter, &mut hits);
            }
        }
    }
}

#[test]
fn the_order_of_hits_depends_on_positions_and_not_on_history() {
    let mut rng = Rng::new(5);
    let mut single_moves = BodySet::new(Fixed::from_raw(64));
    let mut ids = Vec::new();
    for _ in 0..300 {
        ids.push(
            single_moves
                .register(&random_body(&mut rng, 3_000))
                .unwrap(),
        );
    }
    for _ in 0..1_000 {
        let to = random_point(&mut rng, 3_000);
        single_moves.teleport(*rng.pick(&ids).unwrap(), to).unwrap();
    }
    let mut bulk = single_moves.clone();
    bulk.begin_tick();
    assert_eq!(all_indices(&single_moves), all_indices(&bulk));
    assert_eq!(all_indices(&bulk).len(), 300);
}

#[test]
fn queries_work_at_the_coordinate_limits() {
    let mut bodies = BodySet::new(Fixed::from_raw(256));
    let corners = [
        point(MAX_COORDINATE, MAX_COORDINATE),
        point(-MAX_COORDINATE, MAX_COORDINATE),
        point(-MAX_COORDINATE, -MAX_COORDINATE),
        point(MAX_COORDINATE, -MAX_COORDINATE),
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
    // Motions across the whole world are valid, too.
    bodies
        .move_all(&[corners[2], corners[3], corners[0], corners[1]])
        .unwrap();
    let circle = Footprint::circle(corners[0], Fixed::from_raw(5));
    assert_eq!(bodies.count(&circle, &BodyFilter::ALL), Ok(1));
    assert!(
        bodies
            .register(&Body::at(point(MAX_COORDINATE + 1, 0)))
            .is_err()
    );
}

#[test]
fn nearest_queries_equal_brute_force() {
    let mut nearest = NearestHits::default();
    for (seed, round_robin) in (0..12).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [60, 2_000, 400_000][round_robin % 3];
        let mut bodies = BodySet::new(Fixed::from_raw(64));
        let ids: Vec<BodyId> = (0..120)
            .map(|_| bodies.register(&random_body(&mut rng, size)).unwrap())
            .collect();
        for _ in 0..60 {
            let from = random_point(&mut rng, size);
            let n_wanted = rng.below(9) as usize;
            let limit = Fixed::from_raw(rng.between(0, 2 * size).min(MAX_SIZE));
            let filter = random_filter(&mut rng, &ids);
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
                    let offset = footprint::sub(bodies.body(*id).unwrap().position, from);
                    (footprint::dot(offset, offset), id.index())
                })
                .collect();
            expected.sort_unstable();
            expected.truncate(n_wanted);
            let found: Vec<(i64, u32)> = nearest
                .ids(&bodies)
                .map(|(id, distance_squared)| (distance_squared, id.index()))
                .collect();
            assert_eq!(found, expected);
        }
    }
}

fn brute_pairs(bodies: &BodySet, ids: &[BodyId], ranges: &[Fixed]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    let position = |id: &BodyId| bodies.body(*id).unwrap().position;
    for a in ids {
        for b in ids.iter().filter(|b| b.index() > a.index()) {
            let reaches = |from: &BodyId, to: &BodyId| {
                let range = ranges[from.index() as usize];
                Footprint::circle(position(from), range).contains(position(to))
            };
            let pair = Pair {
                low: a.index(),
                high: b.index(),
                low_reaches: reaches(a, b),
                high_reaches: reaches(b, a),
            };
            if pair.low_reaches || pair.high_reaches {
                pairs.insert(pair);
            }
        }
    }
    pairs
}

#[test]
fn every_pair_within_range_is_visited_once_and_unmoved_pairs_are_not_retested() {
    let mut scratch = PairScratch::default();
    for (seed, round_robin) in (0..10).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [100, 1_000, 20_000][round_robin % 3];
        let mut bodies = BodySet::new(Fixed::from_raw(64));
        let mut ids: Vec<BodyId> = (0..90)
            .map(|_| bodies.register(&random_body(&mut rng, size)).unwrap())
            .collect();
        let largest = if seed == 4 { 0 } else { size / 4 };
        let ranges: Vec<Fixed> = (0..90)
            .map(|_| Fixed::from_raw(rng.between(0, largest)))
            .collect();
        for round in 0..8 {
            let checked_ranges = Ranges::new(&ranges).unwrap();
            let expected = brute_pairs(&bodies, &ids, &ranges);
            let mut pairs = Vec::new();
            bodies.pairs(&checked_ranges, &mut scratch, |pair| pairs.push(pair));
            assert_eq!(pairs.len(), expected.len());
            assert_eq!(pairs.iter().copied().collect::<BTreeSet<_>>(), expected);
            let mut shard_pairs = Vec::new();
            for index in 0..3 {
                bodies.shard_pairs(
                    Shard { index, n_shards: 3 },
                    &checked_ranges,
                    &mut scratch,
                    |pair| {
                        shard_pairs.push(pair);
                    },
                );
            }
            assert_eq!(shard_pairs, pairs);
            for _ in 0..5 {
                let to = random_point(&mut rng, size);
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
fn bodies_in_inner_bins_are_accepted_without_a_test() {
    let mut rng = Rng::new(1);
    let mut bodies = BodySet::new(Fixed::from_raw(256));
    for _ in 0..20_000 {
        let point = random_point(&mut rng, 256 * 100);
        bodies.register(&Body::at(point)).unwrap();
    }
    bodies.begin_tick();
    let mut hits = QueryHits::default();
    let shapes = [
        Footprint::circle(point(0, 0), Fixed::from_raw(256 * 50)),
        Footprint::wedge(point(0, 0), Fixed::from_raw(256 * 90), Heading::EAST, 0.5),
        Footprint::wedge(point(0, 0), Fixed::from_raw(256 * 60), Heading::EAST, -0.5),
        Footprint::Ring {
            center: point(0, 0),
            inner: Fixed::from_raw(256 * 30),
            outer: Fixed::from_raw(256 * 60),
        },
    ];
    for footprint in shapes {
        bodies
            .find(&footprint, &BodyFilter::ALL, &mut hits)
            .unwrap();
        let QueryStats { tests, skips, .. } = hits.stats;
        assert!(skips > 8 * tests, "{footprint:?} {:?}", hits.stats);
        assert!(tests + skips < 6 * hits.len() as u64 / 5);
    }
}

#[test]
fn a_stale_id_in_a_filter_excludes_no_body() {
    let mut bodies = BodySet::new(Fixed::from_raw(64));
    let stale = bodies.register(&Body::at(point(0, 0))).unwrap();
    bodies.unregister(stale).unwrap();
    let successor = bodies.register(&Body::at(point(0, 0))).unwrap();
    assert_eq!(successor.index(), stale.index());
    let circle = Footprint::circle(point(0, 0), Fixed::from_raw(9));
    let count = |filter: &BodyFilter| bodies.count(&circle, filter).unwrap();
    assert_eq!(count(&BodyFilter::all_except(stale)), 1);
    assert_eq!(count(&BodyFilter::all_except(successor)), 0);
}
