//! Questions that are odd but not wrong, and wrong ones that are answered in words.

use super::*;

const FAR: [i32; 4] = [i32::MIN, -9_000_000, 9_000_000, i32::MAX];

/// A hall of 40 x 40 with a few pillars, and an island.
fn hall() -> Both {
    let mut rows = vec![".".repeat(40); 40];
    for y in (4..40).step_by(7) {
        rows[y].replace_range(3..30, &"#".repeat(27));
    }
    rows[38] = "#".repeat(40);
    Both::drawn(&rows.join("\n"))
}

fn everywhere() -> Area {
    let corner = |at| Column::new(at, at);
    Area::rect(Rect::around(corner(i32::MIN), corner(i32::MAX)))
}

#[test]
fn the_way_to_where_one_stands_is_one_cell_by_every_method_and_question() {
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
    let mut list = PathSubscriptions::default();
    let id = list.watch(path.clone());
    both.apply(&[GroundEdit::RemoveCell {
        cell: Cell::flat(6, 5),
    }]);
    assert_eq!(status(&both.ground, &both.log, &path), PathStatus::Valid);
    both.apply(&[GroundEdit::RemoveCell { cell: here }]);
    let broken = status(&both.ground, &both.log, &path);
    assert!(
        matches!(broken, PathStatus::Invalid { leg: 0, .. }),
        "{broken:?}"
    );
    let set = both.log.since(path.revision).unwrap().last().unwrap();
    assert_eq!(list.notice(&both.ground, set).invalidated, [id]);
    let request = both.request(here, here);
    assert!(
        searcher
            .repair(&both.ground, &both.log, &request, &path)
            .is_err()
    );
}

#[test]
fn goals_and_starts_at_the_ends_of_numbers_are_answered() {
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
                let refused = searcher.find(&both.ground, &request);
                assert!(
                    matches!(refused, Err(RequestError::StartBlocked { .. })),
                    "{far}"
                );
            }
            let within = GroundGoal::Within {
                of: far,
                radius: Fixed::MAX,
            };
            // Too far to have a middle, or within reach, or not: but an answer.
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
fn avoiding_where_one_stands_forbids_nothing_but_coming_back() {
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
        // All around one is forbidden as well: there is no way, but one stands there.
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
        // Everything is forbidden, the goal too.
        request.avoid = vec![everywhere()];
        let outcome = searcher.find(&both.ground, &request).unwrap();
        assert_eq!(outcome.best().unwrap().cells, [from], "{method:?}");
        request.partial = PartialPolicy::Never;
        assert!(searcher.find(&both.ground, &request).is_err());
        // Costly is not forbidden: what is costlier everywhere changes no way.
        request.avoid.clear();
        request.area_costs = vec![(everywhere(), CostMultiplier::from_sixteenths(32).unwrap())];
        let costly = searcher.distance(&both.ground, &request).unwrap().unwrap();
        let plain = free.clone().unwrap().unwrap();
        let twice = (plain.units() * 2 - 64)..=(plain.units() * 2 + 64);
        assert!(
            twice.contains(&costly.units()),
            "{method:?}: {plain} {costly}"
        );
    }
}

#[test]
fn somebody_who_may_walk_on_nothing_stands_nowhere() {
    let mut both = hall();
    let nobody = Profile {
        allowed_terrains: 0,
        ..Profile::DEFAULT
    };
    both.profile_id = Some(both.ground.register_profile(nobody).unwrap());
    let (from, to) = (Cell::flat(0, 0), Cell::flat(9, 0));
    let mut searcher = PathSearcher::default();
    let request = both.request(from, to);
    let refused = searcher.find(&both.ground, &request);
    assert!(matches!(refused, Err(RequestError::StartBlocked { .. })));
    let mut explainer = ReachabilitySearcher::default();
    assert!(explainer.explain(&both.ground, &request).is_err());
    let results = find_batch(&both.ground, &[request.clone(), request], 8);
    assert!(results.iter().all(Result::is_err) && results.len() == 2);
    let flow = FlowField::new(
        both.nav_graph(),
        Rect::around(from.column(), to.column()),
        &[to],
    );
    assert!(flow.is_empty());
    let mut reach = ReachabilitySearcher::default();
    let limit = Cost::from_units(99);
    assert!(
        reach
            .within_cost(both.nav_graph(), from, limit, Budget::UNLIMITED)
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
fn empty_lists_and_empty_areas_give_empty_answers() {
    let mut both = hall();
    let here = Cell::flat(0, 0);
    assert!(find_batch(&both.ground, &[], 0).is_empty());
    let one = find_batch(&both.ground, &[both.request(here, here)], 0);
    assert!(one[0].is_ok());
    let mut searcher = PathSearcher::default();
    for shape in [Shape::Box(Rect::EMPTY), Shape::Polygon(Vec::new())] {
        let request = both.request(here, GroundGoal::Area(Area::new(shape.clone())));
        let refused = searcher.find(&both.ground, &request);
        assert!(
            matches!(refused, Err(RequestError::GoalBlocked { .. })),
            "{shape:?}"
        );
        let avoiding = GroundRequest {
            avoid: vec![Area::new(shape)],
            ..both.request(here, Cell::flat(3, 3))
        };
        let outcome = searcher.find(&both.ground, &avoiding).unwrap();
        assert!(outcome.found().is_some());
    }
    let mut reach = ReachabilitySearcher::default();
    let budget = Budget::UNLIMITED;
    assert_eq!(
        reach
            .nearest_of(&both.ground, here, &[], 3, budget)
            .unwrap(),
        []
    );
    assert_eq!(
        reach
            .nearest_of(&both.ground, here, &[here], 0, budget)
            .unwrap(),
        []
    );
    assert_eq!(
        reach.random_reachable(&both.ground, here, Cost::ZERO, 1, budget),
        Ok(here)
    );
    let all = reach
        .within_cost(&both.ground, here, Cost::from_units(u32::MAX), budget)
        .unwrap();
    assert_eq!(all.len(), 40 * 38 - 5 * 27);
    // A field over everything, with nothing to go to and then with something.
    let Shape::Box(world) = everywhere().shape else {
        panic!("it is a box");
    };
    let mut flow = FlowField::new(&both.ground, world, &[]);
    assert!(flow.is_empty());
    flow.retarget(&both.ground, world, &[here]);
    assert_eq!(flow.len(), 40 * 38 - 5 * 27);
    assert!(FlowField::new(&both.ground, Rect::EMPTY, &[here]).is_empty());
    // A spell over all of it: the field follows, and so does what is known of a path.
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
    let name = CostModifierId(1);
    let cast = both
        .ground
        .apply(&[GroundEdit::PutCostModifier { id: name, modifier }])
        .unwrap();
    both.log.push(cast.changes);
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
    let lifted = both
        .ground
        .apply(&[GroundEdit::RemoveCostModifier(name)])
        .unwrap();
    both.log.push(lifted.changes);
    flow.update(&both.ground, &both.log);
    let calm = FlowField::new(&both.ground, world, &[here]);
    for node in both.ground.nodes() {
        let cell = both.ground.cell(node);
        assert_eq!(flow.cost(cell), calm.cost(cell), "{cell}");
    }
    // What was found before is as cheap as ever, and nothing is cheaper than it was.
    assert_ne!(status(&both.ground, &both.log, &path), costlier);
}

#[test]
fn a_former_route_of_nonsense_is_passed_over() {
    let both = hall();
    let (from, to) = (Cell::flat(0, 0), Cell::flat(30, 30));
    let mut searcher = PathSearcher::default();
    let best = searcher.distance(&both.ground, &both.request(from, to));
    let routes = [
        vec![],
        vec![from],
        vec![to, from],
        vec![from, to],
        vec![Cell::flat(i32::MAX, i32::MIN); 3],
    ];
    for cells in routes {
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
