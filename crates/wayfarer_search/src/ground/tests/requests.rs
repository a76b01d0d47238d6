//! Tests of requests with every method, goal, overlay and policy against the reference world.

use wayfarer_testkit::sight;

use super::*;

/// The optimal cost from `from` to every cell, over the reference steps but not into `avoid`.
fn costs_avoiding(both: &Both, from: Cell, avoid: &[Area]) -> BTreeMap<Cell, Cost> {
    let steps = both.world.successor_table(&both.profile);
    let mut costs = BTreeMap::from([(from, Cost::ZERO)]);
    let mut open = BTreeSet::from([(Cost::ZERO, from)]);
    while let Some((g, cell)) = open.pop_first() {
        for (to, step_cost) in &steps[&cell] {
            let cost = g + *step_cost;
            let is_avoided = avoid.iter().any(|area| area.contains(*to));
            if !is_avoided && costs.get(to).is_none_or(|known| cost < *known) {
                costs.insert(*to, cost);
                open.insert((cost, *to));
            }
        }
    }
    costs
}

#[track_caller]
fn check_outcome(
    both: &Both,
    request: &GroundRequest,
    outcome: Outcome<GroundPath>,
    expected: Option<Cost>,
    note: &str,
) {
    match (outcome, expected) {
        (Outcome::Found(path), Some(cost)) => {
            assert_eq!(path.cost, cost, "{note}: {request:?}");
            assert_eq!(path.start(), Some(request.from));
            check_path(both, &path, note);
        }
        (Outcome::Unreachable { nearest: None, .. }, None) => {}
        (outcome, expected) => panic!("{note}: {request:?} gave {outcome:?}, not {expected:?}"),
    }
}

/// Checks that a path of method `Bounded` is legal, within its bound, and proves a true one.
#[track_caller]
fn check_bounded(
    both: &Both,
    outcome: Outcome<GroundPath>,
    distance: Option<Cost>,
    best: Option<Cost>,
    note: &str,
) {
    let path = outcome.found();
    assert_eq!(path.as_ref().map(|path| path.cost), distance, "{note}");
    assert_eq!(path.is_some(), best.is_some(), "{note}");
    if let (Some(path), Some(best)) = (path, best) {
        check_path(both, &path, note);
        assert!(path.cost_lower_bound <= best && best <= path.cost, "{note}");
        let max = u64::from(jps_cached::HeuristicWeight::BOUNDED.to_1024ths()) * 1_000_000 / 1024;
        assert!(
            path.suboptimality_bound() <= Some(max + 1),
            "{note}: {path:?}"
        );
    }
}

#[test]
fn costs_match_the_reference_search_on_every_kind_of_world_with_edits_between() {
    let mut searcher = PathSearcher::default();
    for seed in 0..2 {
        for kind in scenes().filter(|kind| kind.includes_seed(seed)) {
            let mut both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0x5EED);
            for batch in 0..4 {
                let note = format!("{kind:?} {seed} batch {batch}");
                let cells = both.walkable_cells();
                for _ in 0..2 {
                    let from = *rng.pick(&cells).unwrap();
                    let costs = both.world.dijkstra(from, &both.profile);
                    for method in Method::ALL {
                        let to = *rng.pick(&cells).unwrap();
                        let mut request = both.request(from, to);
                        request.method = method;
                        let outcome = searcher.find(&both.ground, &request).unwrap();
                        if let Outcome::Unreachable { proof, .. } = &outcome {
                            let components = both.world.components(&both.profile);
                            let is_apart = components[&from] != components[&to];
                            assert_eq!(
                                is_apart,
                                *proof == UnreachableProof::DifferentComponents,
                                "{note}"
                            );
                            assert_eq!(is_apart, searcher.stats().expansions == 0, "{note}");
                        }
                        let distance = searcher.distance(&both.ground, &request).unwrap();
                        let best = costs.get(&to).copied();
                        if method == Method::Bounded {
                            check_bounded(&both, outcome, distance, best, &note);
                            continue;
                        }
                        check_outcome(&both, &request, outcome, best, &note);
                        assert_eq!(distance, best, "{note}");
                    }
                    let goals: Vec<Cell> = (0..12).map(|_| *rng.pick(&cells).unwrap()).collect();
                    for goals in [&goals[..3], &goals[..]] {
                        let request = both.request(from, GroundGoal::AnyOf(goals.to_vec()));
                        let least = goals.iter().filter_map(|goal| costs.get(goal)).min();
                        let outcome = searcher.find(&both.ground, &request).unwrap();
                        check_outcome(&both, &request, outcome, least.copied(), &note);
                    }
                    let goal = *rng.pick(&cells).unwrap();
                    let within = GroundGoal::Within {
                        of: goal,
                        radius: Fixed::from_raw(700),
                    };
                    let rect = Rect::around(goal.column(), rng.pick(&cells).unwrap().column());
                    let area = Area {
                        shape: Shape::Box(rect),
                        heights: (goal.z - 1, goal.z + 1),
                    };
                    let line_of_sight = GroundGoal::LineOfSightTo {
                        of: goal,
                        radius: Fixed::from_raw(1500),
                    };
                    for to in [within, GroundGoal::Area(area), line_of_sight] {
                        let area = to.area().unwrap();
                        let sight_of = to.sight_of();
                        let request = both.request(from, to);
                        let center = |cell: Cell| Point2::center_of(cell.column()).unwrap();
                        let is_visible = |cell: Cell| {
                            sight_of.is_none_or(|of| {
                                let is_void =
                                    |at| at != of.column() && both.world.floors(at).is_empty();
                                let meets = sight::LineCoverage::Interior;
                                sight::has_line_of_sight(center(cell), center(of), meets, is_void)
                            })
                        };
                        let inside = costs.iter().filter(|(cell, _)| area.contains(**cell));
                        let inside = inside.filter(|(cell, _)| is_visible(**cell));
                        let least = inside.map(|(_, cost)| *cost).min();
                        let outcome = searcher.find(&both.ground, &request).unwrap();
                        check_outcome(&both, &request, outcome, least, &note);
                    }
                }
                let edits = random_batch(&mut rng, &both.world);
                both.apply(&edits);
            }
        }
    }
}

#[test]
fn area_costs_equal_cost_modifiers_and_avoided_areas_are_not_entered() {
    let mut searcher = PathSearcher::default();
    for seed in 0..2 {
        for kind in scenes().filter(|kind| kind.includes_seed(seed)) {
            let both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0xA40);
            let cells = both.walkable_cells();
            let note = format!("{kind:?} {seed}");
            let areas: Vec<Area> = (0..3)
                .map(|_| {
                    let at = rng.pick(&cells).unwrap().column();
                    Area::new(Shape::Circle {
                        center: Point2::center_of(at).unwrap(),
                        radius: Fixed::from_raw(256 * rng.between(1, 7)),
                    })
                })
                .collect();
            let multiplier = CostMultiplier::from_sixteenths(50).unwrap();
            let mut costly = both.world.clone();
            for (index, area) in (0..).zip(&areas) {
                let modifier = CostModifier {
                    shape: area.shape.clone(),
                    heights: area.heights,
                    multiplier,
                };
                costly.apply(&[GroundEdit::PutCostModifier {
                    id: CostModifierId(1000 + index),
                    modifier,
                }]);
            }
            for _ in 0..4 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let mut request = both.request(from, to);
                request.area_costs = areas
                    .iter()
                    .map(|area| (area.clone(), multiplier))
                    .collect();
                let outcome = searcher.find(&both.ground, &request).unwrap();
                let expected = costly.path_cost(from, to, &both.profile);
                if let Outcome::Found(path) = &outcome {
                    let cost = costly.check_path(&path.cells, &both.profile);
                    assert_eq!(cost, Ok(path.cost), "{note}");
                }
                check_outcome(&both, &request, outcome, expected, &note);

                let mut request = both.request(from, to);
                request.avoid = areas.clone();
                let result = searcher.find(&both.ground, &request);
                if areas.iter().any(|area| area.contains(to)) {
                    assert!(
                        matches!(result, Err(RequestError::GoalBlocked { .. })),
                        "{note}"
                    );
                    continue;
                }
                let costs = costs_avoiding(&both, from, &areas);
                check_outcome(
                    &both,
                    &request,
                    result.unwrap(),
                    costs.get(&to).copied(),
                    &note,
                );
            }
        }
    }
}

#[test]
fn a_partial_path_ends_at_the_nearest_reachable_cell() {
    let mut searcher = PathSearcher::default();
    let mut n_partial = 0;
    for seed in 0..3 {
        for kind in scenes().filter(|kind| kind.includes_seed(seed)) {
            let both = Both::random(seed, kind);
            let mut rng = Rng::new(seed ^ 0x0EA4);
            let cells = both.walkable_cells();
            for _ in 0..8 {
                let from = *rng.pick(&cells).unwrap();
                let to = Cell::new(
                    rng.between(-30, 30),
                    rng.between(-30, 30),
                    rng.between(-3, 14),
                );
                let costs = both.world.dijkstra(from, &both.profile);
                for policy in [
                    PartialPolicy::NearestEuclidean,
                    PartialPolicy::NearestOctile,
                ] {
                    let note = format!("{kind:?} {seed} from {from} to {to} {policy:?}");
                    let mut request = both.request(from, to);
                    request.partial = policy;
                    let outcome = searcher.find(&both.ground, &request).unwrap();
                    let path = match outcome {
                        Outcome::Found(_) => {
                            assert!(costs.contains_key(&to), "{note}");
                            continue;
                        }
                        Outcome::Partial { best, reason } => {
                            assert_eq!(reason, PartialReason::GoalBlocked, "{note}");
                            assert_eq!(both.ground.node(to), None, "{note}");
                            best
                        }
                        Outcome::Unreachable { nearest, .. } => nearest.unwrap(),
                        Outcome::OutOfBudget { .. } => panic!("{note}: no limit was set"),
                    };
                    n_partial += 1;
                    assert!(!costs.contains_key(&to), "{note}");
                    check_path(&both, &path, &note);
                    let near = |cell: Cell| nearest::nearness(both.nav_graph(), policy, to, cell);
                    let distance = |cell: Cell| lower_bound::octile(from.column(), cell.column());
                    let best = costs
                        .keys()
                        .map(|cell| (near(*cell), distance(*cell), *cell))
                        .min();
                    let end = path.end().unwrap();
                    assert_eq!(best.map(|best| best.2), Some(end), "{note}");
                    assert_eq!(path.cost, costs[&end], "{note}");
                }
            }
        }
    }
    assert!(n_partial > 100, "only {n_partial} goals were unreachable");
}

#[test]
fn errors_name_what_makes_a_request_invalid() {
    let both = Both::from_ascii("..#\n...");
    let mut searcher = PathSearcher::default();
    let at = Cell::flat;
    let mut check = |request: GroundRequest, expected: &str| {
        let error = searcher.find(&both.ground, &request).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        both.request(at(2, 0), at(0, 0)),
        "the start, cell (2, 0, 0), is blocked: there is no floor",
    );
    check(
        both.request(at(0, 0), at(2, 0)),
        "the goal, cell (2, 0, 0), is blocked: there is no floor",
    );
    check(
        GroundRequest {
            budget: Budget::expansions(0),
            ..both.request(at(0, 0), at(1, 0))
        },
        "the budget in expansions is 0, expected at least 1",
    );
    check(
        both.request(at(0, 0), GroundGoal::AnyOf(Vec::new())),
        "the number of goals is 0, expected at least 1",
    );
    let radius = Fixed::from_raw(-1);
    check(
        both.request(
            at(0, 0),
            GroundGoal::Within {
                of: at(1, 1),
                radius,
            },
        ),
        "the radius in 1/256 cells is -1, expected at least 0",
    );
    check(
        GroundRequest {
            avoid: vec![Area::rect(Rect::around(
                Column::new(1, 1),
                Column::new(2, 1),
            ))],
            ..both.request(at(0, 0), at(2, 1))
        },
        "the goal, cell (2, 1, 0), is blocked: it lies in an area to be avoided",
    );
}

#[test]
fn a_previous_path_is_kept_unless_another_is_clearly_cheaper() {
    let (both, (start, goal), north) = around_a_wall();
    let mut searcher = PathSearcher::default();
    for (tolerance_per_mille, is_kept) in [(0, false), (999, false), (1000, true)] {
        let mut request = both.request(start, goal);
        request.previous = Some(PreviousPath {
            cells: north.clone(),
            tolerance_per_mille,
        });
        let path = searcher
            .find(&both.ground, &request)
            .unwrap()
            .found()
            .unwrap();
        check_path(&both, &path, "previous");
        assert_eq!(path.cells == north, is_kept, "{tolerance_per_mille}");
    }
    let mut disconnected = north;
    disconnected.remove(5);
    let mut request = both.request(start, goal);
    request.previous = Some(PreviousPath {
        cells: disconnected,
        tolerance_per_mille: u16::MAX,
    });
    let path = searcher
        .find(&both.ground, &request)
        .unwrap()
        .found()
        .unwrap();
    assert_eq!(path.cost, Cost::from_units(6 * 1463));
}

#[test]
fn a_small_budget_gives_the_best_path_so_far() {
    let both = Both::from_ascii("..........");
    let mut searcher = PathSearcher::default();
    let mut request = both.request(Cell::flat(0, 0), Cell::flat(9, 0));
    request.method = Method::AStar;
    request.budget = Budget::expansions(4);
    let Outcome::OutOfBudget { best, stats } = searcher.find(&both.ground, &request).unwrap()
    else {
        panic!("four expansions are too few");
    };
    assert_eq!(stats.expansions, 4);
    assert_eq!(best.end(), Some(Cell::flat(3, 0)));
    check_path(&both, &best, "best so far");
    request.budget = Budget {
        memory_bytes: 10,
        ..Budget::UNLIMITED
    };
    let outcome = PathSearcher::default()
        .find(&both.ground, &request)
        .unwrap();
    assert!(
        matches!(outcome, Outcome::OutOfBudget { .. }),
        "{outcome:?}"
    );
}
