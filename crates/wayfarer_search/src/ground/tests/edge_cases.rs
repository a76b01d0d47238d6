//! Tests of degenerate requests and of extreme coordinates.

use super::*;

const FAR: [i32; 4] = [i32::MIN, -9_000_000, 9_000_000, i32::MAX];

/// A hall of 40 x 40 with a few pillars, and an island.
fn hall() -> Both {
    let mut rows = vec![".".repeat(40); 40];
    for y in (4..40).step_by(7) {
        rows[y].replace_range(3..30, &"#".repeat(27));
    }
    rows[38] = "#".repeat(40);
    Both::from_ascii(&rows.join("\n"))
}

fn everywhere() -> Area {
    let corner = |at| Column::new(at, at);
    Area::rect(Rect::around(corner(i32::MIN), corner(i32::MAX)))
}

#[test]
fn the_path_to_the_start_is_one_cell_by_every_method_and_goal() {
    let mut both = hall();
    let here = Cell::flat(5, 5);
    let mut searcher = PathSearcher::default();
    let goals = [
        GroundGoal::Cell(here),
        GroundGoal::AnyOf(vec![Cell::flat(39, 0), here, here]),
        GroundGoal::Area(everywhere()),
        GroundGoal::Within {
            of: here,
            radius: Fixed::MAX,
        },
        GroundGoal::LineOfSightTo {
            of: here,
            radius: Fixed::from_raw(0),
        },
    ];
    for method in Method::ALL {
        for goal in &goals {
            for budget in [Budget::UNLIMITED, Budget::expansions(1)] {
                let request = GroundRequest {
                    method,
                    budget,
                    ..both.request(here, goal.clone())
                };
                let note = format!("{method:?} {goal:?} {budget:?}");
                let path = searcher.find(&both.ground, &request).unwrap().found();
                let path = path.unwrap_or_else(|| panic!("{note}"));
                assert_eq!(
                    (&path.cells, path.cost),
                    (&vec![here], Cost::ZERO),
                    "{note}"
                );
                assert!(path.legs.is_empty(), "{note}");
                let distance = searcher.distance(&both.ground, &request);
                assert_eq!(distance, Ok(Some(Cost::ZERO)), "{note}");
                assert_eq!(waypoints(&both.ground, &path), [here], "{note}");
            }
        }
    }
    let path = searcher.find(&both.ground, &both.request(here, here));
    let path = path.unwrap().found().unwrap();
    let mut subscriptions = PathIndex::default();
    let id = subscriptions.insert(path.clone(), &both.ground, &path);
    both.apply(&[GroundEdit::RemoveCell {
        cell: Cell::flat(6, 5),
    }]);
    assert_eq!(status(&both.ground, &both.log, &path), PathStatus::Valid);
    both.apply(&[GroundEdit::RemoveCell { cell: here }]);
    let invalid = status(&both.ground, &both.log, &path);
    assert!(
        matches!(invalid, PathStatus::Invalid { leg: 0, .. }),
        "{invalid:?}"
    );
    let set = both.log.since(path.revision).unwrap().last().unwrap();
    let report = subscriptions.find_invalidated(&both.ground, set, Some);
    assert_eq!(report.invalidated, [id]);
    let request = both.request(here, here);
    assert!(
        searcher
            .repair(&both.ground, &both.log, &request, &path)
            .is_err()
    );
}

#[test]
fn goals_and_starts_at_extreme_coordinates_are_handled() {
    let both = hall();
    let here = Cell::flat(0, 0);
    let mut searcher = PathSearcher::default();
    let mut any_angle = AnyAngleSearcher::default();
    for (x, y) in FAR.into_iter().flat_map(|x| FAR.map(|y| (x, y))) {
        for z in [i32::MIN, 0, i32::MAX] {
            let far = Cell::new(x, y, z);
            for method in Method::ALL {
                for partial in [
                    PartialPolicy::Never,
                    PartialPolicy::NearestOctile,
                    PartialPolicy::NearestEuclidean,
                ] {
                    let request = GroundRequest {
                        method,
                        partial,
                        ..both.request(here, far)
                    };
                    let outcome = searcher.find(&both.ground, &request);
                    let note = format!("{far} {method:?} {partial:?}: {outcome:?}");
                    match outcome {
                        Err(RequestError::GoalBlocked { .. }) => {
                            assert_eq!(partial, PartialPolicy::Never, "{note}");
                        }
                        Ok(outcome) => check_path(&both, &outcome.best().expect(&note), &note),
                        Err(_) => panic!("{note}"),
                    }
                }
                let request = both.request(far, here);
                let rejected = searcher.find(&both.ground, &request);
                assert!(
                    matches!(rejected, Err(RequestError::StartBlocked { .. })),
                    "{far}"
                );
            }
            let within = GroundGoal::Within {
                of: far,
                radius: Fixed::MAX,
            };
            // The area may have no center or contain no cell, but the request must not panic.
            let request = both.request(here, within);
            if let Ok(outcome) = searcher.find(&both.ground, &request) {
                check_path(&both, &outcome.best().unwrap(), "within");
            }
            let budget = Budget::UNLIMITED;
            assert!(any_angle.find(&both.ground, here, far, budget).is_err());
            assert!(!is_straight_walkable(&both.ground, here, far));
        }
    }
}

#[test]
fn avoiding_the_start_forbids_only_to_enter_it_again() {
    let both = hall();
    let (from, to) = (Cell::flat(2, 2), Cell::flat(20, 30));
    let mut searcher = PathSearcher::default();
    let free = searcher.distance(&both.ground, &both.request(from, to));
    let around = Rect::around(Column::new(0, 0), Column::new(4, 3));
    for method in Method::ALL {
        let mut request = GroundRequest {
            method,
            avoid: vec![Area::rect(Rect::around(from.column(), from.column()))],
            ..both.request(from, to)
        };
        let costs = searcher.distance(&both.ground, &request).unwrap();
        assert!(costs.is_some() && (method == Method::Bounded || Ok(costs) == free));
        // Its surroundings are avoided as well: the goal is unreachable, the start stays valid.
        request.avoid = vec![Area::rect(around)];
        let outcome = searcher.find(&both.ground, &request).unwrap();
        let exhausted = matches!(
            outcome,
            Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                ..
            }
        );
        assert!(exhausted, "{method:?}: {outcome:?}");
        request.partial = PartialPolicy::NearestOctile;
        let outcome = searcher.find(&both.ground, &request).unwrap();
        assert_eq!(outcome.best().unwrap().cells, [from], "{method:?}");
        // Everything is avoided, the goal too.
        request.avoid = vec![everywhere()];
        let outcome = searcher.find(&both.ground, &request).unwrap();
        assert_eq!(outcome.best().unwrap().cells, [from], "{method:?}");
        request.partial = PartialPolicy::Never;
        assert!(searcher.find(&both.ground, &request).is_err());
        // Area costs forbid nothing: a uniform multiplier changes no path.
        request.avoid.clear();
        request.area_costs = vec![(everywhere(), CostMultiplier::from_sixteenths(32).unwrap())];
        let costly = searcher.distance(&both.ground, &request).unwrap().unwrap();
        let base = free.clone().unwrap().unwrap();
        let twice = (base.units() * 2 - 64)..=(base.units() * 2 + 64);
        assert!(
            twice.contains(&costly.units()),
            "{method:?}: {base} {costly}"
        );
    }
}

#[test]
fn for_a_profile_without_terrains_no_cell_is_walkable() {
    let mut both = hall();
    let profile = Profile {
        allowed_terrains: 0,
        ..Profile::DEFAULT
    };
    both.profile_id = Some(both.ground.register_profile(profile).unwrap());
    let (from, to) = (Cell::flat(0, 0), Cell::flat(9, 0));
    let mut searcher = PathSearcher::default();
    let request = both.request(from, to);
    let rejected = searcher.find(&both.ground, &request);
    assert!(matches!(rejected, Err(RequestError::StartBlocked { .. })));
    let mut explainer = ReachabilitySearcher::default();
    assert!(explainer.explain(&both.ground, &request).is_err());
    let results = find_batch::<PathSearcher>(&both.ground, &[request.clone(), request], 8);
    assert!(results.iter().all(Result::is_err) && results.len() == 2);
    let flow = FlowField::new(
        both.nav_graph(),
        Rect::around(from.column(), to.column()),
        &[to],
    );
    assert!(flow.is_empty());
    let mut reachability = ReachabilitySearcher::default();
    let max_cost = Cost::from_units(99);
    assert!(
        reachability
            .within_cost(both.nav_graph(), from, max_cost, Budget::UNLIMITED)
            .is_err()
    );
    both.ground
        .apply(&[GroundEdit::RemoveCell { cell: to }])
        .unwrap();
    assert_eq!(
        both.ground
            .profile_ground(both.profile_id.unwrap())
            .unwrap()
            .nodes()
            .count(),
        0
    );
}

#[test]
fn empty_lists_and_empty_areas_give_empty_results() {
    let mut both = hall();
    let here = Cell::flat(0, 0);
    assert!(find_batch::<PathSearcher>(&both.ground, &[], 0).is_empty());
    let one = find_batch::<PathSearcher>(&both.ground, &[both.request(here, here)], 0);
    assert!(one[0].is_ok());
    let mut searcher = PathSearcher::default();
    for shape in [Shape::Box(Rect::EMPTY), Shape::Polygon(Vec::new())] {
        let request = both.request(here, GroundGoal::Area(Area::new(shape.clone())));
        let rejected = searcher.find(&both.ground, &request);
        assert!(
            matches!(rejected, Err(RequestError::GoalBlocked { .. })),
            "{shape:?}"
        );
        let avoiding = GroundRequest {
            avoid: vec![Area::new(shape)],
            ..both.request(here, Cell::flat(3, 3))
        };
        let outcome = searcher.find(&both.ground, &avoiding).unwrap();
        assert!(outcome.found().is_some());
    }
    let mut reachability = ReachabilitySearcher::default();
    let budget = Budget::UNLIMITED;
    assert_eq!(
        reachability
            .nearest_of(&both.ground, here, &[], 3, budget)
            .unwrap(),
        []
    );
    assert_eq!(
        reachability
            .nearest_of(&both.ground, here, &[here], 0, budget)
            .unwrap(),
        []
    );
    assert_eq!(
        reachability.random_reachable(&both.ground, here, Cost::ZERO, 1, budget),
        Ok(here)
    );
    let all = reachability
        .within_cost(&both.ground, here, Cost::from_units(u32::MAX), budget)
        .unwrap();
    assert_eq!(all.len(), 40 * 38 - 5 * 27);
    // A flow field over everything, without goals and then with one.
    let Shape::Box(world) = everywhere().shape else {
        panic!("it is a box");
    };
    let mut flow = FlowField::new(&both.ground, world, &[]);
    assert!(flow.is_empty());
    flow.retarget(&both.ground, world, &[here]);
    assert_eq!(flow.len(), 40 * 38 - 5 * 27);
    assert!(FlowField::new(&both.ground, Rect::EMPTY, &[here]).is_empty());
    // A cost modifier over all of it: the field and the path status follow.
    let path = searcher.find(&both.ground, &both.request(here, Cell::flat(39, 37)));
    let path = path.unwrap().found().unwrap();
    let modifier = CostModifier {
        shape: Shape::Box(Rect::around(
            Column::new(-8_000_000, -8_000_000),
            Column::new(8_000_000, 8_000_000),
        )),
        heights: (0, 0),
        multiplier: CostMultiplier::from_sixteenths(32).unwrap(),
    };
    let id = CostModifierId(1);
    let put = both
        .ground
        .apply(&[GroundEdit::PutCostModifier { id, modifier }])
        .unwrap();
    both.log.push(put.changes);
    flow.update(&both.ground, &both.log);
    let fresh = FlowField::new(&both.ground, world, &[here]);
    for node in both.ground.nodes() {
        let cell = both.ground.cell(node);
        assert_eq!(flow.cost(cell), fresh.cost(cell), "{cell}");
    }
    let costlier = status(&both.ground, &both.log, &path);
    assert!(
        matches!(costlier, PathStatus::Invalid { leg: 0, .. }),
        "{costlier:?}"
    );
    let removed = both
        .ground
        .apply(&[GroundEdit::RemoveCostModifier(id)])
        .unwrap();
    both.log.push(removed.changes);
    flow.update(&both.ground, &both.log);
    let fresh = FlowField::new(&both.ground, world, &[here]);
    for node in both.ground.nodes() {
        let cell = both.ground.cell(node);
        assert_eq!(flow.cost(cell), fresh.cost(cell), "{cell}");
    }
    // The path costs what it did.
    assert_ne!(status(&both.ground, &both.log, &path), costlier);
}

#[test]
fn a_malformed_previous_path_is_ignored() {
    let both = hall();
    let (from, to) = (Cell::flat(0, 0), Cell::flat(30, 30));
    let mut searcher = PathSearcher::default();
    let best = searcher.distance(&both.ground, &both.request(from, to));
    let previous_paths = [
        vec![],
        vec![from],
        vec![to, from],
        vec![from, to],
        vec![Cell::flat(i32::MAX, i32::MIN); 3],
    ];
    for cells in previous_paths {
        let request = GroundRequest {
            previous: Some(PreviousPath {
                cells: cells.clone(),
                tolerance_per_mille: u16::MAX,
            }),
            ..both.request(from, to)
        };
        let outcome = searcher.find(&both.ground, &request).unwrap();
        let path = outcome.found().unwrap();
        check_path(&both, &path, &format!("{cells:?}"));
        assert_eq!(Ok(Some(path.cost)), best, "{cells:?}");
    }
}
