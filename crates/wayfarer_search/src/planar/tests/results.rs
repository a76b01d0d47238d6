//! Outcomes: rejected and moved ends, budgets, slicing, costs, validity and repair.

use super::*;

fn room() -> ObstacleSet {
    // Four walls of ten cells around the center, and a rock outside.
    let mut obstacles = ObstacleSet::square(400).unwrap();
    let mut batch = obstacles.edit();
    for (x, y, width, height) in [
        (150, 150, 100, 10),
        (150, 240, 100, 10),
        (150, 150, 10, 100),
        (240, 150, 10, 100),
        (20, 20, 40, 40),
    ] {
        batch
            .insert(&Obstacle::cells(x, y, width, height, ObstacleCategories::ALL).unwrap())
            .unwrap();
    }
    drop(batch);
    obstacles
}

#[test]
fn an_enclosed_goal_is_unreachable_from_either_side() {
    let obstacles = room();
    let mut searcher = PlanarSearcher::default();
    for (from, to) in [
        (cells(200, 200), cells(380, 380)),
        (cells(380, 380), cells(200, 200)),
    ] {
        let outcome = searcher
            .find(&obstacles, &PlanarRequest::new(from, to))
            .unwrap();
        assert!(
            matches!(outcome, Outcome::Unreachable { .. }),
            "{outcome:?}"
        );
    }
}

#[test]
fn blocked_ends_are_rejected_or_moved_as_the_policy_says() {
    let obstacles = room();
    let mut searcher = PlanarSearcher::default();
    let (rock, open) = (cells(30, 40), cells(380, 380));
    let rejected = searcher.find(&obstacles, &PlanarRequest::new(rock, open));
    assert!(
        matches!(rejected, Err(RequestError::StartBlocked { .. })),
        "{rejected:?}"
    );
    let rejected = searcher.find(&obstacles, &PlanarRequest::new(open, rock));
    assert!(
        matches!(rejected, Err(RequestError::GoalBlocked { .. })),
        "{rejected:?}"
    );
    let rejected = searcher.find(&obstacles, &PlanarRequest::new(open, cells(401, 3)));
    assert!(
        matches!(rejected, Err(RequestError::GoalBlocked { .. })),
        "{rejected:?}"
    );

    let request = PlanarRequest {
        start_policy: EndpointPolicy::NearestFree,
        ..PlanarRequest::new(rock, open)
    };
    let Outcome::Found(path) = searcher.find(&obstacles, &request).unwrap() else {
        panic!("the rock can be left");
    };
    check_path(&obstacles, &path, rock, open, "leaving a rock");
    assert_eq!(path.n_exit_legs, 1);
    // The nearest free point lies 10 cells and 1/256 to the west.
    assert_eq!(path.points[1], point(20 * 256 - 1, 40 * 256));

    let request = PlanarRequest {
        goal_policy: EndpointPolicy::NearestFree,
        ..PlanarRequest::new(open, rock)
    };
    let Outcome::Partial { best, .. } = searcher.find(&obstacles, &request).unwrap() else {
        panic!("the rock can be approached");
    };
    check_path(
        &obstacles,
        &best,
        open,
        point(20 * 256 - 1, 40 * 256),
        "towards a rock",
    );
}

#[test]
fn the_nearest_free_point_is_the_nearest_of_all() {
    let mut rng = Rng::new(8);
    let mut scratch = wayfarer_world::obstacles::FreeScratch::default();
    for seed in 0..40 {
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 2)),
            blocked_by: ObstacleCategories::ALL,
        };
        // 40 x 40 raw units, small enough to check every point.
        let bounds = Aabb2 {
            low: point(0, 0),
            high: point(40, 40),
        };
        let mut obstacles = ObstacleSet::new(bounds).unwrap();
        let mut batch = obstacles.edit();
        for _ in 0..rng.between(1, 12) {
            let low = point(rng.between(-5, 35), rng.between(-5, 35));
            let high = point(
                low.x.raw() + rng.between(1, 20),
                low.y.raw() + rng.between(1, 20),
            );
            let shape = ObstacleShape::Box(Aabb2 { low, high });
            batch
                .insert(&Obstacle {
                    shape,
                    categories: ObstacleCategories::ALL,
                })
                .unwrap();
        }
        drop(batch);
        for _ in 0..20 {
            let at = point(rng.between(0, 40), rng.between(0, 40));
            let square = |to: Point2| {
                let (x, y) = (to.x.raw() - at.x.raw(), to.y.raw() - at.y.raw());
                (x * x + y * y, y, x)
            };
            let all = (0..=40).flat_map(|y| (0..=40).map(move |x| point(x, y)));
            let expected = all
                .filter(|at| obstacles.is_free(*at, agent))
                .min_by_key(|to| square(*to));
            let found = obstacles.nearest_free(at, agent, &mut scratch);
            assert_eq!(found, expected, "seed {seed}, {at:?}");
        }
    }
}

#[test]
fn slicing_a_search_does_not_change_its_outcome() {
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let agent = DiscAgent {
            radius: Fixed::from_raw(300),
            ..DiscAgent::POINT
        };
        let obstacles = crowd(&mut rng, 400, 60, agent);
        let ends = (
            free_point(&mut rng, &obstacles, agent),
            free_point(&mut rng, &obstacles, agent),
        );
        let (Some(from), Some(to)) = ends else {
            continue;
        };
        for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
            for max_expansions in [7, u64::MAX] {
                let request = PlanarRequest {
                    agent,
                    method,
                    budget: Budget::expansions(max_expansions),
                    ..PlanarRequest::new(from, to)
                };
                let whole = PlanarSearcher::default()
                    .find(&obstacles, &request)
                    .unwrap();
                let mut session =
                    PlanarSession::begin(&obstacles, PlanarSearcher::default(), request).unwrap();
                let sliced = loop {
                    if let Progress::Done(outcome) =
                        session.advance(&obstacles, Budget::expansions(3))
                    {
                        break outcome;
                    }
                };
                assert_eq!(sliced, whole, "seed {seed} {method:?} {max_expansions}");
            }
        }
    }
}

#[test]
fn a_budget_is_kept_and_the_best_path_so_far_is_free() {
    let mut rng = Rng::new(77);
    let agent = DiscAgent::POINT;
    let obstacles = crowd(&mut rng, 400, 60, agent);
    let (from, to) = (
        free_point(&mut rng, &obstacles, agent),
        free_point(&mut rng, &obstacles, agent),
    );
    let (from, to) = (from.unwrap(), to.unwrap());
    for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
        let request = PlanarRequest {
            method,
            budget: Budget::expansions(3),
            ..PlanarRequest::new(from, to)
        };
        match PlanarSearcher::default()
            .find(&obstacles, &request)
            .unwrap()
        {
            Outcome::OutOfBudget { best, stats } => {
                assert!(stats.expansions <= 3);
                let end = best.end().unwrap();
                check_path(&obstacles, &best, from, end, "out of budget");
            }
            other => panic!("three expansions cannot suffice: {other:?}"),
        }
    }
}

#[test]
fn the_status_names_the_obstacle_that_invalidates_a_path_and_repair_avoids_it() {
    let mut n_invalid = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let agent = DiscAgent {
            radius: Fixed::from_raw(200),
            ..DiscAgent::POINT
        };
        let mut obstacle_set = crowd(&mut rng, 400, 25, agent);
        let (from, to) = (cells(2, 2), cells(398, 398));
        let request = PlanarRequest {
            agent,
            ..PlanarRequest::new(from, to)
        };
        let mut searcher = PlanarSearcher::default();
        let Ok(Outcome::Found(path)) = searcher.find(&obstacle_set, &request) else {
            continue;
        };
        assert_eq!(status(&obstacle_set, &path).status, PathStatus::Valid);
        // A disc appears at a random point.
        let at = free_point(&mut rng, &obstacle_set, agent).unwrap();
        let shape = ObstacleShape::Disc {
            center: at,
            radius: Fixed::from_cell(25).unwrap(),
        };
        let id = obstacle_set
            .edit()
            .insert(&Obstacle {
                shape,
                categories: ObstacleCategories::ALL,
            })
            .unwrap();
        let blocking = blocking(&obstacle_set, agent);
        let outline = obstacle_set.outline(id, agent).unwrap();
        let crossed = path
            .points
            .windows(2)
            .position(|leg| outline.is_crossed(leg[0], leg[1]));
        let now = status(&obstacle_set, &path);
        match crossed {
            None => assert_eq!(now.status, PathStatus::Valid, "seed {seed}"),
            Some(leg) => {
                n_invalid += 1;
                assert_eq!(now.invalidated_by, Some(id), "seed {seed}");
                assert!(matches!(now.status, PathStatus::Invalid { leg: at, .. } if at == leg));
            }
        }
        let repaired = searcher.repair(&obstacle_set, &request, &path);
        let outlines = ReferenceOutlines::new(&blocking, obstacle_set.bounds(), agent.radius.raw());
        match repaired {
            Ok(Outcome::Found(repaired)) => {
                check_path(&obstacle_set, &repaired.path, from, to, "repaired");
                assert_eq!(repaired.invalidated_by.is_some(), crossed.is_some());
            }
            Ok(other) => assert!(
                outlines.shortest(from, to, 1e12).is_none(),
                "seed {seed}: {other:?}"
            ),
            Err(error) => assert!(
                !obstacle_set.is_free(from, agent) || !obstacle_set.is_free(to, agent),
                "{error}"
            ),
        }
        obstacle_set.edit().remove(id).unwrap();
        let now = status(&obstacle_set, &path).status;
        assert!(now == PathStatus::Valid || now == PathStatus::MaybeSuboptimal);
        if crossed.is_some() {
            assert_eq!(
                now,
                PathStatus::MaybeSuboptimal,
                "the obstacle on the path is gone"
            );
        }
    }
    assert!(n_invalid > 5);
}

#[test]
fn a_costly_category_is_crossed_only_where_the_detour_costs_more() {
    let (mud, rock) = (
        ObstacleCategories::one(3).unwrap(),
        ObstacleCategories::one(4).unwrap(),
    );
    let multiplier =
        |sixteenths| wayfarer_base::CostMultiplier::from_sixteenths(sixteenths).unwrap();
    let mut obstacles = ObstacleSet::square(400).unwrap();
    let mut batch = obstacles.edit();
    batch
        .insert(&Obstacle::cells(150, 0, 100, 300, mud).unwrap())
        .unwrap();
    batch
        .insert(&Obstacle::cells(150, 300, 100, 20, rock).unwrap())
        .unwrap();
    drop(batch);
    let agent = DiscAgent {
        blocked_by: rock,
        ..DiscAgent::POINT
    };
    let (from, to) = (cells(100, 150), cells(300, 150));
    let find = |multipliers: Vec<(ObstacleCategories, wayfarer_base::CostMultiplier)>| {
        let request = PlanarRequest {
            agent,
            category_costs: multipliers,
            method: PlanarMethod::Quadtree,
            ..PlanarRequest::new(from, to)
        };
        PlanarSearcher::default()
            .find(&obstacles, &request)
            .unwrap()
            .found()
            .unwrap()
    };
    let crosses = |path: &PlanarPath| {
        let inside =
            |at: &Point2| (150 * 256..250 * 256).contains(&at.x.raw()) && at.y.raw() < 300 * 256;
        path.points.windows(2).any(|leg| {
            (0..64).any(|n| {
                let mix =
                    |a: Fixed, b: Fixed| Fixed::from_raw(a.raw() + (b.raw() - a.raw()) / 64 * n);
                inside(&Point2::new(
                    mix(leg[0].x, leg[1].x),
                    mix(leg[0].y, leg[1].y),
                ))
            })
        })
    };
    assert!(crosses(&find(Vec::new())), "base cost: straight through");
    assert!(
        crosses(&find(vec![(mud, multiplier(20))])),
        "cheap: straight through"
    );
    let detour = find(vec![(mud, multiplier(160))]);
    assert!(!crosses(&detour), "costly: around it");
    check_path(&obstacles, &detour, from, to, "around the mud");
    // No detour left: costly is not blocked.
    obstacles
        .edit()
        .insert(&Obstacle::cells(150, 320, 100, 80, rock).unwrap())
        .unwrap();
    let request = PlanarRequest {
        agent,
        category_costs: vec![(mud, multiplier(1600))],
        ..PlanarRequest::new(from, to)
    };
    let last_resort = PlanarSearcher::default()
        .find(&obstacles, &request)
        .unwrap();
    assert!(crosses(&last_resort.found().unwrap()));
}

#[test]
fn removing_the_explained_obstacle_opens_the_path() {
    let mut obstacles = room();
    let mut searcher = PlanarSearcher::default();
    let request = PlanarRequest::new(cells(380, 200), cells(200, 200));
    let explained = searcher.explain(&obstacles, &request).unwrap();
    // The eastern wall alone.
    assert_eq!(explained.unblock_options.len(), 1, "{explained:?}");
    assert_eq!(
        explained.unblock_options[0].at,
        Location::Point(cells(245, 200))
    );
    let step = explained.cheapest_blocked.unwrap();
    let Location::Point(to) = step.to else {
        panic!("{step:?}")
    };
    assert!((to.x.raw() - (250 * 256 + 1)).abs() <= 1, "{to}");
    assert!(step.cost.to_cells() > 180.0);
    let Location::Point(nearest) = explained.frontier[0] else {
        panic!("{explained:?}")
    };
    assert!(length(nearest, request.to) < 65.0, "{nearest}");
    let wall = obstacles.obstacles().find(|(_, obstacle)| {
        *obstacle == Obstacle::cells(240, 150, 10, 100, ObstacleCategories::ALL).unwrap()
    });
    obstacles.edit().remove(wall.unwrap().0).unwrap();
    assert!(
        searcher
            .find(&obstacles, &request)
            .unwrap()
            .found()
            .is_some()
    );
    let explained = searcher.explain(&obstacles, &request).unwrap();
    assert_eq!(explained, wayfarer_base::Explanation::default());
}

#[test]
fn a_path_avoids_an_influence_unless_the_detour_costs_more() {
    let guard = ObstacleCategories::one(5).unwrap();
    let mut obstacles = ObstacleSet::square(400).unwrap();
    obstacles
        .edit()
        .insert(&Obstacle::cells(195, 195, 10, 10, guard).unwrap())
        .unwrap();
    let (from, to) = (cells(20, 200), cells(380, 200));
    let find = |obstacles: &ObstacleSet, strength: u32| {
        let request = PlanarRequest {
            agent: DiscAgent {
                blocked_by: ObstacleCategories::one(1).unwrap(),
                ..DiscAgent::POINT
            },
            criterion: SplitCriterion {
                min_side: Fixed::from_cell(2).unwrap(),
                max_side: Fixed::from_cell(8).unwrap(),
                ..SplitCriterion::GUERRILLA_2013
            },
            influences: vec![Influence {
                categories: guard,
                strength,
                reach: Fixed::from_cell(60).unwrap(),
            }],
            ..PlanarRequest::new(from, to)
        };
        let mut searcher = PlanarSearcher::default();
        searcher.find(obstacles, &request).unwrap().found().unwrap()
    };
    // The least distance from the path to the guard's center, in cells.
    let nearest = |path: &PlanarPath| {
        let mut nearest = f64::INFINITY;
        for leg in path.points.windows(2) {
            for n in 0..=200 {
                let mix = |a: Fixed, b: Fixed| {
                    let part = i64::from(b.raw() - a.raw()) * n / 200;
                    Fixed::from_raw(a.raw() + i32::try_from(part).unwrap())
                };
                let at = Point2::new(mix(leg[0].x, leg[1].x), mix(leg[0].y, leg[1].y));
                nearest = nearest.min(length(at, cells(200, 200)));
            }
        }
        nearest
    };
    let (zero, weak, strong) = (
        find(&obstacles, 0),
        find(&obstacles, 16),
        find(&obstacles, 800),
    );
    assert!(nearest(&zero) < 5.0, "{}", nearest(&zero));
    assert!(nearest(&weak) > 15.0, "{}", nearest(&weak));
    assert!(nearest(&strong) > nearest(&weak) && nearest(&strong) > 45.0);
    assert!(zero.cost < weak.cost && weak.cost < strong.cost);
    // Walls leave no detour: the path passes the guard and costs more.
    let mut batch = obstacles.edit();
    for (y, height) in [(0, 190), (210, 190)] {
        let wall = Obstacle::cells(190, y, 20, height, ObstacleCategories::one(1).unwrap());
        batch.insert(&wall.unwrap()).unwrap();
    }
    drop(batch);
    assert!(find(&obstacles, 800).cost > strong.cost);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads_or_on_earlier_queries() {
    let agent = DiscAgent {
        radius: Fixed::from_raw(300),
        ..DiscAgent::POINT
    };
    let mut rng = Rng::new(5);
    let obstacles = crowd(&mut rng, 400, 60, agent);
    let mut requests = Vec::new();
    for number in 0..24 {
        let ends = (
            free_point(&mut rng, &obstacles, agent).unwrap(),
            free_point(&mut rng, &obstacles, agent).unwrap(),
        );
        requests.push(PlanarRequest {
            agent,
            method: if number % 2 == 0 {
                PlanarMethod::TangentGraph
            } else {
                PlanarMethod::Quadtree
            },
            ..PlanarRequest::new(ends.0, ends.1)
        });
    }
    let fresh = |request: &PlanarRequest| PlanarSearcher::default().find(&obstacles, request);
    let expected: Vec<_> = requests.iter().map(fresh).collect();
    for n_threads in [1, 2, 5] {
        // Each thread takes every n-th request and reuses its scratch.
        let found = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads)
                .map(|thread| {
                    let (obstacles, requests) = (&obstacles, &requests);
                    scope.spawn(move || {
                        let mut searcher = PlanarSearcher::default();
                        let own = requests.iter().skip(thread).step_by(n_threads);
                        own.map(|request| searcher.find(obstacles, request))
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            let results: Vec<_> = threads.into_iter().map(|it| it.join().unwrap()).collect();
            (0..requests.len())
                .map(|number| results[number % n_threads][number / n_threads].clone())
                .collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{n_threads} threads");
    }
}

#[test]
fn a_weighted_path_costs_no_less_than_what_it_crosses() {
    let (mud, rock) = (
        ObstacleCategories::one(3).unwrap(),
        ObstacleCategories::one(4).unwrap(),
    );
    let multiplier = wayfarer_base::CostMultiplier::from_sixteenths(48).unwrap();
    let mut n_muddy = 0;
    for seed in 0..25 {
        let mut rng = Rng::new(seed);
        let mut obstacles = ObstacleSet::square(200).unwrap();
        let mut batch = obstacles.edit();
        for number in 0..40 {
            let (x, y) = (rng.between(0, 180), rng.between(0, 180));
            let (width, height) = (rng.between(2, 30), rng.between(2, 30));
            let category = if number % 2 == 0 { mud } else { rock };
            let obstacle = Obstacle::cells(x, y, width, height, category).unwrap();
            batch.insert(&obstacle).unwrap();
        }
        drop(batch);
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 1) * 200),
            blocked_by: rock,
        };
        let ends = [0, 1].map(|_| free_point(&mut rng, &obstacles, agent).unwrap());
        for max_expansions in [20, u64::MAX] {
            let request = PlanarRequest {
                agent,
                category_costs: vec![(mud, multiplier)],
                budget: Budget::expansions(max_expansions),
                criterion: SplitCriterion {
                    min_side: Fixed::from_cell(2).unwrap(),
                    max_side: Fixed::from_cell(16).unwrap(),
                    diagonal: seed % 2 == 0,
                    ..SplitCriterion::GUERRILLA_2013
                },
                ..PlanarRequest::new(ends[0], ends[1])
            };
            let outcome = PlanarSearcher::default()
                .find(&obstacles, &request)
                .unwrap();
            let Some(path) = outcome.best() else {
                continue;
            };
            // Numeric integral: three times the length where the agent's center is in mud.
            let mut integral = 0.0;
            for leg in path.points.windows(2) {
                let leg_length = length(leg[0], leg[1]);
                for n in 0..400 {
                    let mix = |a: Fixed, b: Fixed| {
                        let part = i64::from(b.raw() - a.raw()) * (2 * n + 1) / 800;
                        Fixed::from_raw(a.raw() + i32::try_from(part).unwrap())
                    };
                    let at = Point2::new(mix(leg[0].x, leg[1].x), mix(leg[0].y, leg[1].y));
                    let in_mud = DiscAgent {
                        radius: Fixed::from_raw(0),
                        blocked_by: mud,
                    };
                    let is_muddy = obstacles.blocking_obstacle(at, in_mud).is_some();
                    n_muddy += u32::from(is_muddy);
                    integral += leg_length / 400.0 * if is_muddy { 3.0 } else { 1.0 };
                }
            }
            let cost = path.cost.to_cells();
            assert!(
                cost >= integral * 0.99 - 0.2,
                "seed {seed}: {cost} for {integral}"
            );
        }
    }
    assert!(n_muddy > 500, "{n_muddy}");
}

#[test]
fn removing_a_distant_obstacle_may_improve_the_path_of_a_wide_agent() {
    // The rock lies 95 cells south of the straight path and blocks an agent of radius 100.
    let mut obstacles = ObstacleSet::square(1_000).unwrap();
    let rock = Obstacle::cells(450, 195, 10, 10, ObstacleCategories::ALL).unwrap();
    let id = obstacles.edit().insert(&rock).unwrap();
    let request = PlanarRequest {
        agent: DiscAgent {
            radius: Fixed::from_cell(100).unwrap(),
            ..DiscAgent::POINT
        },
        ..PlanarRequest::new(cells(50, 100), cells(950, 100))
    };
    let mut searcher = PlanarSearcher::default();
    let Outcome::Found(path) = searcher.find(&obstacles, &request).unwrap() else {
        panic!("the plane north of it is open");
    };
    assert!(path.points.len() > 2, "it leads around the rock");
    obstacles.edit().remove(id).unwrap();
    let now = status(&obstacles, &path).status;
    assert_eq!(now, PathStatus::MaybeSuboptimal);
}
