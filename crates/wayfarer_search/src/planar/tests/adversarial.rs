//! Worst-case queries, extreme parameters and long runs.

use super::*;
use wayfarer_world::obstacles::MAX_COORDINATE;

const METHODS: [PlanarMethod; 2] = [PlanarMethod::TangentGraph, PlanarMethod::Quadtree];

#[test]
fn quads_vertices_and_memory_stay_bounded_over_ten_thousand_ticks() {
    let mut rng = Rng::new(21);
    let mut obstacles = ObstacleSet::square(300).unwrap();
    let mut moving = Vec::new();
    let mut batch = obstacles.edit_bulk();
    for number in 0..24 {
        let at = point(rng.between(0, 70_000), rng.between(0, 70_000));
        let side = rng.between(500, 8_000);
        let shape = if number % 4 == 0 {
            ObstacleShape::Disc {
                center: at,
                radius: Fixed::from_raw(side / 2),
            }
        } else {
            ObstacleShape::Box(Aabb2 {
                low: at,
                high: point(at.x.raw() + side, at.y.raw() + side / 2),
            })
        };
        let categories = ObstacleCategories::ALL;
        let id = batch.insert(&Obstacle { shape, categories }).unwrap();
        let speed = [rng.between(-400, 400), rng.between(-400, 400)];
        moving.push((id, [at.x.raw(), at.y.raw()], speed));
    }
    drop(batch);
    let mut searcher = PlanarSearcher::default();
    let (mut max_quads, mut max_vertices, mut n_found) = (0, 0, 0);
    let mut early = 0;
    for tick in 0..10_000 {
        let mut batch = obstacles.edit();
        for (id, at, speed) in &mut moving {
            for axis in 0..2 {
                if !(0..70_000).contains(&(at[axis] + speed[axis])) {
                    speed[axis] = -speed[axis];
                }
                at[axis] += speed[axis];
            }
            batch.move_to(*id, point(at[0], at[1])).unwrap();
        }
        drop(batch);
        let request = PlanarRequest {
            method: METHODS[tick % 2],
            criterion: SplitCriterion {
                min_side: Fixed::from_cell(4).unwrap(),
                ..SplitCriterion::GUERRILLA_2013
            },
            start_policy: EndpointPolicy::NearestFree,
            goal_policy: EndpointPolicy::NearestFree,
            ..PlanarRequest::new(cells(5, 5), cells(295, 295))
        };
        let outcome = searcher.find(&obstacles, &request).unwrap();
        max_quads = max_quads.max(searcher.quadtree().len());
        max_vertices = max_vertices.max(searcher.n_vertices());
        if let Some(path) = outcome.best() {
            searcher.recycle(path);
            n_found += 1;
        }
        if tick == 2_000 {
            early = searcher.heap_bytes() + obstacles.heap_bytes();
        }
    }
    // 18 boxes with 4 corners, 6 discs with 8, two ends; 2 x 2 roots of 64 x 64 quads with all
    // their ancestors.
    assert!((30..=122).contains(&max_vertices), "{max_vertices}");
    assert!((100..=4 * 5_461).contains(&max_quads), "{max_quads}");
    assert!(n_found > 9_900, "{n_found}");
    let late = searcher.heap_bytes() + obstacles.heap_bytes();
    assert!(late <= early * 3 / 2, "{early} bytes, then {late}");
}

/// A wall of bricks with a gap that is full of pebbles.
fn pebbles(n_rows: i32) -> ObstacleSet {
    let mut obstacles = ObstacleSet::square(320).unwrap();
    let mut batch = obstacles.edit();
    // Bricks so small that every quad of the wall holds 10.
    for (x, y) in (0..4).flat_map(|x| (0..80).map(move |y| (150 + 5 * x, 4 * y))) {
        if !(120..200).contains(&y) {
            let brick = Obstacle::cells(x, y, 5, 4, ObstacleCategories::ALL).unwrap();
            batch.insert(&brick).unwrap();
        }
    }
    for row in 0..n_rows {
        for column in 0..2 {
            let (x, y) = (152 + 10 * column, 120 + row * 80 / n_rows);
            let pebble = Obstacle::cells(x, y, 6, 80 / n_rows, ObstacleCategories::ALL).unwrap();
            batch.insert(&pebble).unwrap();
        }
    }
    drop(batch);
    obstacles
}

#[test]
fn a_path_crosses_as_many_obstacles_in_a_quad_as_the_occupancy_allows() {
    // Two columns of 4 or 16 pebbles in a gap of 80 cells: quads of 20 hold 1, or 4.
    let ends = (cells(20, 160), cells(300, 160));
    let find = |obstacles: &ObstacleSet, method: PlanarMethod, occupancy: u32| {
        let request = PlanarRequest {
            method,
            criterion: SplitCriterion {
                min_side: Fixed::from_cell(20).unwrap(),
                max_side: Fixed::from_cell(40).unwrap(),
                occupancy,
                ..SplitCriterion::GUERRILLA_2013
            },
            ..PlanarRequest::new(ends.0, ends.1)
        };
        PlanarSearcher::default().find(obstacles, &request).unwrap()
    };
    for (n_rows, min_occupancy) in [(4, 1), (16, 4)] {
        let obstacles = pebbles(n_rows);
        for occupancy in 0..7 {
            let outcome = find(&obstacles, PlanarMethod::Quadtree, occupancy);
            if occupancy < min_occupancy {
                let is_none = matches!(outcome, Outcome::Unreachable { .. });
                assert!(is_none, "{n_rows} rows, {occupancy} allowed: {outcome:?}");
            } else {
                let path = outcome.found().unwrap();
                assert_eq!((path.start(), path.end()), (Some(ends.0), Some(ends.1)));
                // The path crosses pebbles, which its status reports.
                let mut obstacles = obstacles.clone();
                obstacles
                    .edit()
                    .insert(&Obstacle::cells(1, 1, 2, 2, ObstacleCategories::ALL).unwrap())
                    .unwrap();
                assert!(status(&obstacles, &path).invalidated_by.is_some());
            }
            // The tangent graph crosses no obstacle.
            let outcome = find(&obstacles, PlanarMethod::TangentGraph, occupancy);
            assert!(
                matches!(outcome, Outcome::Unreachable { .. }),
                "{outcome:?}"
            );
        }
    }
}

#[test]
fn a_memory_budget_ends_a_sliced_search_where_it_ends_a_whole_one() {
    let mut rng = Rng::new(4);
    let agent = DiscAgent::POINT;
    let obstacles = crowd(&mut rng, 900, 70, agent);
    let mut n_out_of_budget = 0;
    for query in 0..6 {
        let ends = [0, 1].map(|_| free_point(&mut rng, &obstacles, agent).unwrap());
        for method in METHODS {
            for memory_bytes in [0, 30_000, 60_000, 120_000, 400_000] {
                let request = PlanarRequest {
                    method,
                    budget: Budget {
                        memory_bytes,
                        ..Budget::UNLIMITED
                    },
                    criterion: SplitCriterion {
                        min_side: Fixed::from_cell(1).unwrap(),
                        ..SplitCriterion::GUERRILLA_2013
                    },
                    ..PlanarRequest::new(ends[0], ends[1])
                };
                let whole = PlanarSearcher::default()
                    .find(&obstacles, &request)
                    .unwrap();
                n_out_of_budget += u32::from(matches!(whole, Outcome::OutOfBudget { .. }));
                let mut session =
                    PlanarSession::begin(&obstacles, PlanarSearcher::default(), request).unwrap();
                let sliced = loop {
                    let slice = Budget::expansions(u64::from(rng.below(90)));
                    if let Progress::Done(outcome) = session.advance(&obstacles, slice) {
                        break outcome;
                    }
                };
                assert_eq!(sliced, whole, "query {query}, {method:?}, {memory_bytes}");
            }
        }
    }
    assert!(n_out_of_budget > 10, "{n_out_of_budget}");
}

#[test]
fn a_budget_of_zero_or_one_expansions_yields_a_free_partial_path() {
    let mut rng = Rng::new(6);
    let obstacles = crowd(&mut rng, 400, 40, DiscAgent::POINT);
    let ends = [0, 1].map(|_| free_point(&mut rng, &obstacles, DiscAgent::POINT).unwrap());
    for method in METHODS {
        for max_expansions in [0, 1] {
            for memory_bytes in [0, u64::MAX] {
                let request = PlanarRequest {
                    method,
                    budget: Budget {
                        expansions: max_expansions,
                        memory_bytes,
                    },
                    ..PlanarRequest::new(ends[0], ends[1])
                };
                let outcome = PlanarSearcher::default()
                    .find(&obstacles, &request)
                    .unwrap();
                let Outcome::OutOfBudget { best, stats } = outcome else {
                    panic!("{method:?} with {max_expansions}: {outcome:?}");
                };
                assert!(stats.expansions <= max_expansions);
                check_path(
                    &obstacles,
                    &best,
                    ends[0],
                    best.end().unwrap(),
                    "a budget of at most 1",
                );
            }
        }
    }
}

#[test]
fn no_category_blocks_an_empty_mask_and_every_category_a_full_one() {
    let mut rng = Rng::new(9);
    let obstacles = crowd(&mut rng, 400, 60, DiscAgent::POINT);
    let (from, to) = (cells(0, 0), cells(400, 400));
    for method in METHODS {
        for radius in [0, 256, DiscAgent::MAX_RADIUS.raw()] {
            let request = PlanarRequest {
                method,
                agent: DiscAgent {
                    radius: Fixed::from_raw(radius),
                    blocked_by: ObstacleCategories::NONE,
                },
                ..PlanarRequest::new(from, to)
            };
            let path = PlanarSearcher::default()
                .find(&obstacles, &request)
                .unwrap();
            assert_eq!(path.found().unwrap().points, [from, to]);
        }
        // For the widest agent no point is free, which is an error.
        let request = PlanarRequest {
            method,
            agent: DiscAgent {
                radius: DiscAgent::MAX_RADIUS,
                blocked_by: ObstacleCategories::ALL,
            },
            start_policy: EndpointPolicy::NearestFree,
            ..PlanarRequest::new(from, to)
        };
        let rejected = PlanarSearcher::default().find(&obstacles, &request);
        assert!(
            matches!(rejected, Err(RequestError::StartBlocked { .. })),
            "{rejected:?}"
        );
        for radius in [-1, DiscAgent::MAX_RADIUS.raw() + 1] {
            let mut request = request.clone();
            request.agent.radius = Fixed::from_raw(radius);
            let rejected = PlanarSearcher::default().find(&obstacles, &request);
            assert!(
                matches!(rejected, Err(RequestError::OutOfRange { .. })),
                "{rejected:?}"
            );
        }
    }
}

#[test]
fn the_largest_bounds_are_searched_like_any_others() {
    // 2,097,152 cells a side: a wall through the center with a gap at its northern end, the
    // largest disc, obstacles on the very border.
    let far = MAX_COORDINATE.raw();
    let bounds = Aabb2 {
        low: point(-far, -far),
        high: point(far, far),
    };
    let mut obstacles = ObstacleSet::new(bounds).unwrap();
    let mut batch = obstacles.edit();
    let boxed = |low: Point2, high: Point2| Obstacle {
        shape: ObstacleShape::Box(Aabb2 { low, high }),
        categories: ObstacleCategories::ALL,
    };
    let disc = Obstacle {
        shape: ObstacleShape::Disc {
            center: point(far / 2, 0),
            radius: Fixed::from_raw(far / 4),
        },
        categories: ObstacleCategories::ALL,
    };
    for obstacle in [
        boxed(point(-5_000, -far + 900_000), point(5_000, far)),
        boxed(point(-far, -far), point(-far + 1, far)),
        boxed(point(far - 1, -far), point(far, far - 90_000)),
        boxed(point(far - 90_000, far - 1), point(far, far)),
        disc,
    ] {
        batch.insert(&obstacle).unwrap();
    }
    drop(batch);
    for method in METHODS {
        for radius in [0, 25_600] {
            let request = PlanarRequest {
                method,
                agent: DiscAgent {
                    radius: Fixed::from_raw(radius),
                    ..DiscAgent::POINT
                },
                criterion: SplitCriterion {
                    min_side: Fixed::from_cell(1_000).unwrap(),
                    max_side: Fixed::MAX,
                    ..SplitCriterion::GUERRILLA_2013
                },
                start_policy: EndpointPolicy::NearestFree,
                goal_policy: EndpointPolicy::NearestFree,
                ..PlanarRequest::new(point(-far / 2, -far), point(far, far / 2))
            };
            let what = format!("{method:?}, radius {radius}");
            let outcome = PlanarSearcher::default()
                .find(&obstacles, &request)
                .unwrap();
            let Outcome::Partial { best, .. } = outcome else {
                panic!("{what}: {outcome:?}");
            };
            check_path(&obstacles, &best, request.from, best.end().unwrap(), &what);
            // A path costlier than any cost is reported as such.
            let longest = PlanarRequest {
                from: point(-far, far),
                to: point(far, far),
                ..request
            };
            let outcome = PlanarSearcher::default()
                .find(&obstacles, &longest)
                .unwrap();
            let Outcome::Unreachable { proof, .. } = outcome else {
                panic!("{what}: {outcome:?}");
            };
            assert_eq!(proof, UnreachableProof::CostLimit, "{what}");
        }
    }
}

#[test]
fn every_accepted_criterion_yields_free_paths() {
    let mut rng = Rng::new(31);
    let agent = DiscAgent {
        radius: Fixed::from_raw(50),
        ..DiscAgent::POINT
    };
    let obstacles = crowd(&mut rng, 60, 40, agent);
    let widest = DiscAgent::MAX_RADIUS.raw();
    for smallest in [1, 2, 5, 7, 8, 9, 100, 256, 15_359, 15_360, widest] {
        for largest in [i32::MIN, 0, 1, 256, i32::MAX] {
            for (occupancy, diagonal) in [(0, false), (0, true), (1, true), (u32::MAX, false)] {
                let ends = [0, 1].map(|_| free_point(&mut rng, &obstacles, agent).unwrap());
                let request = PlanarRequest {
                    agent,
                    method: PlanarMethod::Quadtree,
                    criterion: SplitCriterion {
                        min_side: Fixed::from_raw(smallest),
                        max_side: Fixed::from_raw(largest),
                        occupancy,
                        diagonal,
                    },
                    budget: Budget::expansions(20_000),
                    ..PlanarRequest::new(ends[0], ends[1])
                };
                let what = format!("{:?}", request.criterion);
                let outcome = PlanarSearcher::default()
                    .find(&obstacles, &request)
                    .unwrap();
                if let Some(path) = outcome.best().filter(|_| occupancy == 0) {
                    check_path(&obstacles, &path, ends[0], path.end().unwrap(), &what);
                }
            }
        }
    }
}

#[test]
fn walls_on_the_borders_of_quads_leave_the_quads_between_them_free() {
    // A map of squares of 4 cells aligned with the quads: every corridor is one quad wide.
    let drawn = "
        ##########
        #...#...##
        #.#.#.#.##
        #.#.#.#.##
        #.#...#..#
        #.######.#
        #........#
        ##########";
    let mut obstacles = ObstacleSet::square(40).unwrap();
    let mut batch = obstacles.edit();
    for (y, line) in (0..).zip(drawn.trim().lines()) {
        for (x, letter) in (0..).zip(line.trim().chars()) {
            if letter == '#' {
                let wall = Obstacle::cells(4 * x, 4 * y, 4, 4, ObstacleCategories::ALL).unwrap();
                batch.insert(&wall).unwrap();
            }
        }
    }
    drop(batch);
    let (from, to) = (cells(6, 26), cells(22, 18));
    for diagonal in [false, true] {
        let request = PlanarRequest {
            method: PlanarMethod::Quadtree,
            criterion: SplitCriterion {
                min_side: Fixed::from_cell(4).unwrap(),
                max_side: Fixed::from_cell(16).unwrap(),
                diagonal,
                ..SplitCriterion::GUERRILLA_2013
            },
            ..PlanarRequest::new(from, to)
        };
        let outcome = PlanarSearcher::default()
            .find(&obstacles, &request)
            .unwrap();
        let path = outcome.found().expect("corridors as wide as a quad");
        check_path(&obstacles, &path, from, to, "corridors");
    }
}

#[test]
fn a_crowd_that_covers_everything_has_no_nearest_free_point() {
    // 1,600 boxes, each overlapping its neighbors: not a point is free.
    let mut obstacles = ObstacleSet::square(1_000).unwrap();
    let mut batch = obstacles.edit_bulk();
    for x in 0..40 {
        for y in 0..40 {
            let brick =
                Obstacle::cells(25 * x - 3, 25 * y - 3, 31, 31, ObstacleCategories::ALL).unwrap();
            batch.insert(&brick).unwrap();
        }
    }
    drop(batch);
    let mut scratch = wayfarer_world::obstacles::FreeScratch::default();
    let agent = DiscAgent::POINT;
    assert_eq!(
        obstacles.nearest_free(cells(500, 500), agent, &mut scratch),
        None
    );
}
