use std::collections::BTreeSet;
use std::ops::ControlFlow;

use wayfarer_base::Rng;

use super::touch::tests::some_footprint;
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
        0 => Outline::Disc { radius: one },
        1 => Outline::Box {
            half_x: one,
            half_y: other,
        },
        _ => Outline::Point,
    };
    Body {
        outline,
        z: Fixed::from_raw(rng.between(-60, 60)),
        height,
        categories: Categories::from_bits(rng.below(8)),
        team: rng.between(0, 3).to_le_bytes()[0],
        ..Body::at(some_point(rng, size))
    }
}

fn some_filter(rng: &mut Rng, ids: &[ObjectId]) -> Filter {
    let low = rng.between(-80, 80);
    Filter {
        categories: if rng.chance(1, 2) {
            Categories::ALL
        } else {
            Categories::from_bits(rng.below(8))
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
    objects: &Objects,
    ids: &[ObjectId],
    footprint: &Footprint,
    filter: &Filter,
) -> BTreeSet<u32> {
    let is_wanted = |id: &&ObjectId| {
        let Ok(body) = objects.body(**id) else {
            return false;
        };
        (filter.categories == Categories::ALL || body.categories.meets(filter.categories))
            && filter.teams.contains(body.team)
            && filter.except != Some(**id)
            && filter.heights.is_none_or(|(low, high)| {
                body.z <= high && body.z.raw() + body.height.raw() >= low.raw()
            })
            && footprint.touches(body.position, body.outline)
    };
    ids.iter().filter(is_wanted).map(|id| id.index()).collect()
}

fn check_footprint(
    objects: &Objects,
    ids: &[ObjectId],
    footprint: &Footprint,
    filter: &Filter,
    found: &mut Found,
) {
    let expected = brute(objects, ids, footprint, filter);
    objects.find(footprint, filter, found).unwrap();
    let seen: BTreeSet<u32> = found.indices().iter().copied().collect();
    assert_eq!(seen, expected, "{footprint:?} {filter:?}");
    assert_eq!(found.len(), expected.len(), "somebody twice: {footprint:?}");
    let mut order = Vec::new();
    let work = objects
        .visit(footprint, filter, |index| {
            order.push(index);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(order, found.indices());
    assert_eq!(work, found.work);
    assert_eq!(objects.count(footprint, filter).unwrap(), expected.len());
    let any = objects.any(footprint, filter).unwrap();
    assert_eq!(any.map(Id::index), order.first().copied());
    let score = |id: ObjectId| (!id.index().is_multiple_of(5)).then_some(i64::from(id.index() % 7));
    let best = objects.best(footprint, filter, score).unwrap();
    let scored = order.iter().filter_map(|&at| objects.id_at(at));
    let scored = scored.filter_map(|id| Some((score(id)?, std::cmp::Reverse(id))));
    assert_eq!(best, scored.max().map(|(score, id)| (id.0, score)));
}

/// Everybody in every square, in order, whatever way they came there.
fn everybody(objects: &Objects) -> Vec<u32> {
    let all = Footprint::circle(at(0, 0), Fixed::from_raw(LARGEST));
    let mut found = Found::default();
    objects.find(&all, &Filter::ALL, &mut found).unwrap();
    found.indices().to_vec()
}

#[test]
fn every_footprint_finds_whom_a_look_at_everybody_finds() {
    let mut found = Found::default();
    for (seed, turn) in (0..24).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [60, 500, 5_000, 100_000][turn % 4];
        let mut objects = Objects::new(Fixed::from_raw([16, 64, 1_000][turn % 3]));
        let mut ids = Vec::new();
        for _ in 0..150 {
            ids.push(objects.register(&some_body(&mut rng, size)).unwrap());
        }
        for round in 0..60 {
            // Births, deaths, single moves, teleports and whole ticks in turn.
            match round % 6 {
                0 => {
                    let id = ids.swap_remove(rng.below(150) as usize % ids.len());
                    objects.unregister(id).unwrap();
                    assert_eq!(objects.unregister(id), Err(ObjectError::Dead { id }));
                    ids.push(objects.register(&some_body(&mut rng, size)).unwrap());
                    assert!(objects.body(id).is_err());
                }
                1 | 2 => {
                    for _ in 0..40 {
                        let to = some_point(&mut rng, size);
                        objects.move_to(*rng.pick(&ids).unwrap(), to).unwrap();
                    }
                }
                3 => {
                    let to = some_point(&mut rng, size);
                    objects.teleport(ids[3], to).unwrap();
                    objects.lift_to(ids[4], Fixed::from_raw(7)).unwrap();
                }
                4 => {
                    let n_places = objects.n_places();
                    let to: Vec<Point2> =
                        (0..n_places).map(|_| some_point(&mut rng, size)).collect();
                    objects.move_all(&to).unwrap();
                }
                _ => objects.begin_tick(),
            }
            for _ in 0..6 {
                let scale = [size / 4, size, 30][rng.below(3) as usize];
                let footprint =
                    some_footprint(&mut rng, scale).moved_to(some_point(&mut rng, size));
                let filter = if rng.chance(1, 2) {
                    Filter::ALL
                } else {
                    some_filter(&mut rng, &ids)
                };
                check_footprint(&objects, &ids, &footprint, &filter, &mut found);
            }
        }
    }
}

#[test]
fn the_order_depends_on_where_they_are_and_not_on_how_they_came_there() {
    let mut rng = Rng::new(5);
    let mut one_by_one = Objects::new(Fixed::from_raw(64));
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
    let mut objects = Objects::new(Fixed::from_raw(256));
    let corners = [
        at(FARTHEST, FARTHEST),
        at(-FARTHEST, FARTHEST),
        at(-FARTHEST, -FARTHEST),
        at(FARTHEST, -FARTHEST),
    ];
    let mut nearest = Nearest::default();
    for corner in corners {
        objects.register(&Body::at(corner)).unwrap();
        let circle = Footprint::circle(corner, Fixed::from_raw(LARGEST));
        assert_eq!(objects.count(&circle, &Filter::ALL), Ok(1));
        let limit = Fixed::from_raw(LARGEST);
        objects
            .nearest(corner, 3, limit, &Filter::ALL, &mut nearest)
            .unwrap();
        assert_eq!(nearest.len(), 1);
    }
    // A way from one corner to the other is no trouble either.
    objects
        .move_all(&[corners[2], corners[3], corners[0], corners[1]])
        .unwrap();
    let circle = Footprint::circle(corners[0], Fixed::from_raw(5));
    assert_eq!(objects.count(&circle, &Filter::ALL), Ok(1));
    assert!(objects.register(&Body::at(at(FARTHEST + 1, 0))).is_err());
}

#[test]
fn the_nearest_are_those_that_a_look_at_everybody_finds() {
    let mut nearest = Nearest::default();
    for (seed, turn) in (0..12).zip(0_usize..) {
        let mut rng = Rng::new(seed);
        let size = [60, 2_000, 400_000][turn % 3];
        let mut objects = Objects::new(Fixed::from_raw(64));
        let ids: Vec<ObjectId> = (0..120)
            .map(|_| objects.register(&some_body(&mut rng, size)).unwrap())
            .collect();
        for _ in 0..60 {
            let from = some_point(&mut rng, size);
            let n_wanted = rng.below(9) as usize;
            let limit = Fixed::from_raw(rng.between(0, 2 * size).min(LARGEST));
            let filter = some_filter(&mut rng, &ids);
            objects
                .nearest(from, n_wanted, limit, &filter, &mut nearest)
                .unwrap();
            let all = Footprint::circle(from, limit);
            let mut expected: Vec<(i64, u32)> = ids
                .iter()
                .filter(|id| {
                    let point = Footprint::circle(objects.body(**id).unwrap().position, limit);
                    !brute(&objects, &[**id], &point, &filter).is_empty()
                        && all.contains(point.origin())
                })
                .map(|id| {
                    let away = footprint::sub(objects.body(*id).unwrap().position, from);
                    (footprint::dot(away, away), id.index())
                })
                .collect();
            expected.sort_unstable();
            expected.truncate(n_wanted);
            let seen: Vec<(i64, u32)> = nearest
                .ids(&objects)
                .map(|(id, square)| (square, id.index()))
                .collect();
            assert_eq!(seen, expected);
        }
    }
}

fn brute_pairs(objects: &Objects, ids: &[ObjectId], ranges: &[Fixed]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    let place = |id: &ObjectId| objects.body(*id).unwrap().position;
    for a in ids {
        for b in ids.iter().filter(|b| b.index() > a.index()) {
            let sees = |from: &ObjectId, to: &ObjectId| {
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
        let mut objects = Objects::new(Fixed::from_raw(64));
        let mut ids: Vec<ObjectId> = (0..90)
            .map(|_| objects.register(&some_body(&mut rng, size)).unwrap())
            .collect();
        let largest = if seed == 4 { 0 } else { size / 4 };
        let ranges: Vec<Fixed> = (0..90)
            .map(|_| Fixed::from_raw(rng.between(0, largest)))
            .collect();
        let mut watch = PairWatch::default();
        for round in 0..8 {
            let ready = Ranges::new(&ranges).unwrap();
            let expected = brute_pairs(&objects, &ids, &ranges);
            let mut seen = Vec::new();
            objects.pairs(&ready, &mut scratch, |pair| seen.push(pair));
            assert_eq!(seen.len(), expected.len());
            assert_eq!(seen.iter().copied().collect::<BTreeSet<_>>(), expected);
            let mut parts = Vec::new();
            for part in 0..3 {
                objects.pairs_of_part(Part { part, n_parts: 3 }, &ready, &mut scratch, |pair| {
                    parts.push(pair);
                });
            }
            assert_eq!(parts, seen);
            watch.update(&objects, &ready);
            let expected: Vec<Pair> = expected.into_iter().collect();
            assert_eq!(watch.pairs(), expected);
            watch.update(&objects, &ready);
            assert_eq!((watch.pairs(), watch.work.tests), (&expected[..], 0));
            for _ in 0..5 {
                let to = some_point(&mut rng, size);
                objects.move_to(*rng.pick(&ids).unwrap(), to).unwrap();
            }
            if round % 2 == 1 {
                let id = ids.pop().unwrap();
                objects.unregister(id).unwrap();
            }
        }
    }
}

#[test]
fn a_square_inside_the_footprint_needs_no_test() {
    let mut rng = Rng::new(1);
    let mut objects = Objects::new(Fixed::from_raw(256));
    for _ in 0..20_000 {
        let point = some_point(&mut rng, 256 * 100);
        objects.register(&Body::at(point)).unwrap();
    }
    objects.begin_tick();
    let mut found = Found::default();
    let shapes = [
        Footprint::circle(at(0, 0), Fixed::from_raw(256 * 50)),
        Footprint::wedge(at(0, 0), Fixed::from_raw(256 * 90), Heading::EAST, 0.5),
        Footprint::wedge(at(0, 0), Fixed::from_raw(256 * 60), Heading::EAST, -0.5),
        Footprint::Ring {
            centre: at(0, 0),
            inner: Fixed::from_raw(256 * 30),
            outer: Fixed::from_raw(256 * 60),
        },
    ];
    for footprint in shapes {
        objects.find(&footprint, &Filter::ALL, &mut found).unwrap();
        let Work { tests, skips, .. } = found.work;
        assert!(skips > 8 * tests, "{footprint:?} {:?}", found.work);
        assert!(tests + skips < 6 * found.len() as u64 / 5);
    }
}

#[test]
fn a_dead_name_in_a_filter_keeps_nobody_out() {
    let mut objects = Objects::new(Fixed::from_raw(64));
    let dead = objects.register(&Body::at(at(0, 0))).unwrap();
    objects.unregister(dead).unwrap();
    let heir = objects.register(&Body::at(at(0, 0))).unwrap();
    assert_eq!(heir.index(), dead.index());
    let circle = Footprint::circle(at(0, 0), Fixed::from_raw(9));
    let who = |filter: &Filter| objects.any(&circle, filter).unwrap();
    assert_eq!(who(&Filter::but(dead)), Some(heir));
    assert_eq!(who(&Filter::but(heir)), None);
}

#[test]
fn pairs_are_right_after_the_table_has_become_smaller() {
    let mut rng = Rng::new(6);
    let crowd = |rng: &mut Rng, n_objects: usize| {
        let mut objects = Objects::new(Fixed::from_raw(64));
        let bodies = (0..n_objects).map(|_| objects.register(&some_body(rng, 300)).unwrap());
        let ids: Vec<ObjectId> = bodies.collect();
        (objects, ids)
    };
    let ranges = vec![Fixed::from_raw(90); 60];
    let ready = Ranges::new(&ranges).unwrap();
    let mut watch = PairWatch::default();
    for n_objects in [60, 20, 0, 40, 1] {
        let (objects, ids) = crowd(&mut rng, n_objects);
        watch.update(&objects, &ready);
        let expected: Vec<Pair> = brute_pairs(&objects, &ids, &ranges).into_iter().collect();
        assert_eq!(watch.pairs(), expected);
    }
}
