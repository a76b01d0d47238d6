//! Where budgets, far goals and former routes meet.

use wayfarer_base::{Progress, Session, Terrain};

use super::*;

/// A ground of the cells of some rectangles of columns, all at height 0.
fn ground_of(rects: &[Rect]) -> Ground {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let fills = rects.iter().map(|rect| GroundEdit::Fill {
        shape: Shape::Box(*rect),
        z: 0,
        terrain: Terrain::GROUND,
    });
    ground.apply(&fills.collect::<Vec<_>>()).unwrap();
    ground
}

fn rect(low: (i32, i32), high: (i32, i32)) -> Rect {
    Rect::around(Column::new(low.0, low.1), Column::new(high.0, high.1))
}

#[test]
fn a_goal_a_thousand_columns_away_has_its_true_nearest_cell() {
    // An angle of corridors around a goal far off: its corner lies in the last ring of sectors
    // that is looked through, its ends lie nearer but one ring farther out.
    for (x, y) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        let near = if x > 0 { 1045 } else { -1046 };
        let corner = (near - 10 * x, 1030 * y);
        let ground = ground_of(&[
            rect((near, 0), (near, corner.1)),
            rect((near, corner.1), corner),
        ]);
        let from = Cell::flat(near, corner.1);
        for order in [
            PartialPolicy::NearestEuclidean,
            PartialPolicy::NearestOctile,
        ] {
            let request = GroundRequest {
                partial: order,
                method: Method::Optimal,
                ..GroundRequest::new(from, Cell::flat(0, 0))
            };
            let outcome = PathSearcher::default().find(&ground, &request).unwrap();
            let end = outcome.best().and_then(|path| path.end());
            assert_eq!(end, Some(Cell::flat(near, 0)), "{order:?}");
            // Without a search it is not known.
            let known = nearest_reachable(&ground, from, Cell::flat(0, 0), order);
            assert_eq!(known, None, "{order:?}");
        }
    }
}

#[test]
fn the_distance_is_what_the_path_costs_with_a_former_route_too() {
    let (mut both, (start, goal), north) = round_a_wall();
    // Half as costly again, but the way south is closed: what is kept is not known beforehand.
    both.apply(&[GroundEdit::RemoveCell {
        cell: Cell::flat(3, 3),
    }]);
    both.apply(&[GroundEdit::PutCell {
        cell: Cell::flat(3, 2),
        terrain: Terrain::GROUND,
    }]);
    both.apply(&[2, 4].map(|x| GroundEdit::PutCell {
        cell: Cell::flat(x, 2),
        terrain: Terrain::GROUND,
    }));
    let mut searcher = PathSearcher::default();
    for method in Method::ALL {
        for slack_thousandths in [0, 100, 400, 700, 1_000, u16::MAX] {
            let request = GroundRequest {
                method,
                previous: Some(PreviousPath {
                    cells: north.clone(),
                    tolerance_per_mille: slack_thousandths,
                }),
                ..both.request(start, goal)
            };
            let path = searcher.find(&both.ground, &request).unwrap().found();
            let cost = path.map(|path| path.cost);
            let distance = searcher.distance(&both.ground, &request).unwrap();
            assert_eq!(distance, cost, "{method:?} {slack_thousandths}");
        }
    }
}

#[test]
fn a_former_route_that_leads_to_the_goal_is_kept_when_the_budget_runs_out() {
    let mut rows = vec![".".repeat(30); 30];
    for y in (3..30).step_by(4) {
        let wall = if y % 8 == 3 { 0..29 } else { 1..30 };
        rows[y].replace_range(wall, &"#".repeat(29));
    }
    let both = Both::drawn(&rows.join("\n"));
    let request = both.request(Cell::flat(0, 0), Cell::flat(0, 29));
    let mut searcher = PathSearcher::default();
    let whole = searcher
        .find(&both.ground, &request)
        .unwrap()
        .found()
        .unwrap();
    for method in Method::ALL {
        let request = GroundRequest {
            method,
            budget: Budget::expansions(2),
            previous: Some(PreviousPath {
                cells: whole.cells.clone(),
                tolerance_per_mille: 0,
            }),
            ..request.clone()
        };
        let outcome = searcher.find(&both.ground, &request).unwrap();
        let Outcome::Found(path) = outcome else {
            panic!("{method:?}: the route is known: {outcome:?}");
        };
        check_path(&both, &path, "former");
        assert_eq!((&path.cells, path.cost), (&whole.cells, whole.cost));
        assert!(path.cost_lower_bound <= whole.cost && path.cost_lower_bound > Cost::ZERO);
        let distance = searcher.distance(&both.ground, &request).unwrap();
        assert_eq!(distance, Some(whole.cost), "{method:?}");
    }
}

#[test]
fn a_session_whose_request_was_refused_does_not_answer() {
    let both = Both::drawn("..........\n.........#");
    let at = Cell::flat;
    let good = both.request(at(0, 0), at(9, 0));
    let mut session =
        GroundSession::begin(&both.ground, PathSearcher::default(), good.clone()).unwrap();
    for bad in [
        both.request(at(9, 1), at(0, 0)),
        both.request(at(0, 0), at(9, 1)),
        both.request(at(0, 0), GroundGoal::AnyOf(Vec::new())),
    ] {
        assert!(session.replace_request(&both.ground, &bad).is_err());
        for _ in 0..2 {
            let progress = session.advance(&both.ground, Budget::UNLIMITED);
            assert!(matches!(progress, Progress::Stale { .. }), "{progress:?}");
        }
        assert!(session.restart(&both.ground).is_err());
        session.replace_request(&both.ground, &good).unwrap();
        let progress = session.advance(&both.ground, Budget::UNLIMITED);
        assert!(
            matches!(progress, Progress::Done(Outcome::Found(_))),
            "{progress:?}"
        );
    }
}

#[test]
fn what_has_no_floor_comes_in_sight_as_well() {
    // A pillar in the north-east, and a wall to look around.
    let both = Both::drawn(
        "......#
         .......
         .###...
         .......",
    );
    let pillar = Cell::flat(6, 0);
    let mut searcher = PathSearcher::default();
    let mut request = both.request(Cell::flat(0, 3), pillar);
    request.to = GroundGoal::LineOfSightTo {
        of: pillar,
        radius: Fixed::from_raw(256 * 20),
    };
    let path = searcher.find(&both.ground, &request).unwrap().found();
    let path = path.expect("one sees the pillar from somewhere");
    assert!(path.cost > Cost::ZERO && path.cost < Cost::from_units(4 * 1463));
}

#[test]
fn a_session_in_any_direction_whose_ends_were_refused_does_not_answer() {
    let both = Both::drawn("..........\n.........#");
    let (from, to, void) = (Cell::flat(0, 0), Cell::flat(9, 0), Cell::flat(9, 1));
    let (searcher, budget) = (AnyAngleSearcher::default(), Budget::UNLIMITED);
    let mut session = AnyAngleSession::begin(&both.ground, searcher, (from, to), budget).unwrap();
    for ends in [(from, void), (void, to)] {
        assert!(session.replace_request(&both.ground, ends, budget).is_err());
        let progress = session.advance(&both.ground, budget);
        assert!(matches!(progress, Progress::Stale { .. }), "{progress:?}");
    }
    session
        .replace_request(&both.ground, (from, to), budget)
        .unwrap();
    let progress = session.advance(&both.ground, budget);
    assert!(
        matches!(progress, Progress::Done(Outcome::Found(_))),
        "{progress:?}"
    );
}

#[test]
fn a_way_in_any_direction_is_never_dearer_than_along_the_grid_and_slices_do_not_change_it() {
    let mut searcher = AnyAngleSearcher::default();
    let mut n_shorter = 0;
    let kinds = [WorldKind::NavLinks, WorldKind::OneWay, WorldKind::Mixed];
    for scene in all_scenes().filter(|scene| kinds.contains(&scene.kind)) {
        let mut both = Both::random(0, scene);
        let mut rng = Rng::new(0xA22);
        for batch in 0..3 {
            let cells = both.standing();
            for _ in 0..12 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let note = format!("{scene:?} batch {batch} {from} to {to}");
                let known = PathSearcher::default().find(&both.ground, &both.request(from, to));
                let budget = Budget::UNLIMITED;
                let whole = searcher.find(both.nav_graph(), from, to, budget).unwrap();
                let begun = AnyAngleSearcher::default();
                let session = AnyAngleSession::begin(both.nav_graph(), begun, (from, to), budget);
                let mut session = session.unwrap();
                let slice = Budget::expansions(1 + u64::from(rng.below(9)));
                let sliced = loop {
                    if let Progress::Done(done) = session.advance(&both.ground, slice) {
                        break done;
                    }
                };
                assert_eq!(whole, sliced, "{note}");
                let (path, known) = match (whole.found(), known.unwrap().found()) {
                    (Some(path), Some(known)) => (path, known),
                    (path, known) => {
                        assert!(path.is_none() && known.is_none(), "{note}");
                        continue;
                    }
                };
                // Lines are rounded down one by one: a unit a cell may be lost.
                let most = known.cost.units() + u32::try_from(known.cells.len()).unwrap();
                assert!(
                    path.cost.units() <= most,
                    "{note}: {} {}",
                    path.cost,
                    known.cost
                );
                n_shorter += u32::from(path.cost < known.cost);
            }
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits);
        }
    }
    assert!(n_shorter > 30, "only {n_shorter} ways are shorter");
}

/// How many places a search expanded.
#[derive(Default)]
struct Expanded(u64);

impl wayfarer_base::SearchObserver for Expanded {
    fn on_event(&mut self, event: wayfarer_base::SearchEvent) {
        self.0 += u64::from(matches!(event, wayfarer_base::SearchEvent::Expanded { .. }));
    }
}

#[test]
fn looking_for_the_nearest_cell_keeps_to_the_budget_and_to_slices() {
    // A hall and an island from which one can jump into it, but not back.
    let mut rows = vec![".".repeat(40); 40];
    rows[20] = format!("..{}#.#", "#".repeat(35));
    rows[19].replace_range(37..40, "###");
    rows[21].replace_range(37..40, "###");
    let mut both = Both::drawn(&rows.join("\n"));
    let island = Cell::flat(38, 20);
    both.apply(&[GroundEdit::PutNavLink(wayfarer_base::NavLink {
        from: island,
        to: Cell::flat(0, 0),
        kind: wayfarer_base::NavLinkKind::Jump,
        direction: wayfarer_base::LinkDirection::OneWay,
        cost: Cost::from_units(90_000),
        state: wayfarer_base::LinkState::Open,
    })]);
    let from = Cell::flat(5, 5);
    let costs = both.world.dijkstra(from, &both.profile);
    // One that stands apart, one without a floor, one that only an exhausted search tells of.
    for to in [island, Cell::flat(38, 19)] {
        for method in Method::ALL {
            for partial in [
                PartialPolicy::NearestEuclidean,
                PartialPolicy::NearestOctile,
            ] {
                let whole = GroundRequest {
                    method,
                    partial,
                    ..both.request(from, to)
                };
                let mut searcher = PathSearcher::default();
                let outcome = searcher.find(&both.ground, &whole).unwrap();
                let all = searcher.stats().expansions;
                let end = outcome.best().and_then(|path| path.end()).unwrap();
                for budget in [
                    1,
                    2,
                    5,
                    50,
                    127,
                    128,
                    129,
                    200,
                    all / 2,
                    all - 1,
                    all,
                    all + 1,
                ] {
                    let request = GroundRequest {
                        budget: Budget::expansions(budget.max(1)),
                        ..whole.clone()
                    };
                    let budget = request.budget.expansions;
                    let note = format!("{method:?} {partial:?} to {to}: {budget} of {all}");
                    let mut seen = Expanded::default();
                    let outcome = searcher.find_observed(&both.ground, &request, &mut seen);
                    let outcome = outcome.unwrap();
                    let n_expansions = searcher.stats().expansions;
                    assert!(
                        n_expansions <= budget && seen.0 <= budget,
                        "{note}: {n_expansions}, {}",
                        seen.0
                    );
                    let is_cut = matches!(outcome, Outcome::OutOfBudget { .. });
                    assert!(!is_cut || budget < all, "{note}: {outcome:?}");
                    assert!(is_cut || budget > 4, "{note}: {outcome:?}");
                    let path = outcome.clone().best().unwrap();
                    check_path(&both, &path, &note);
                    assert!(path.expansions <= budget, "{note}");
                    if !is_cut {
                        assert_eq!(path.end(), Some(end), "{note}");
                        let most = costs[&end].units() * 11 / 10;
                        assert!((costs[&end].units()..=most).contains(&path.cost.units()));
                    }
                    let begun = PathSearcher::default();
                    let session = GroundSession::begin(&both.ground, begun, request.clone());
                    let mut session = session.unwrap();
                    let slice = Budget::expansions(7);
                    let sliced = loop {
                        let mut seen = Expanded::default();
                        let now = session.advance_observed(&both.ground, slice, &mut seen);
                        assert!(seen.0 <= 7, "{note}: {} in a slice", seen.0);
                        if let Progress::Done(done) = now {
                            break done;
                        }
                    };
                    assert_eq!(sliced, outcome, "{note}");
                }
            }
        }
    }
}

#[test]
fn a_session_with_too_little_memory_ends() {
    let mut rows = vec![".".repeat(50); 50];
    rows[25] = format!("{}.", "#".repeat(49));
    let mut both = Both::drawn(&rows.join("\n"));
    let (from, to) = (Cell::flat(0, 0), Cell::flat(0, 49));
    // The nearest cell must be looked for after a search that comes to nothing.
    let island = Cell::flat(0, 60);
    let terrain = Terrain::GROUND;
    both.apply(&[
        GroundEdit::PutCell {
            cell: island,
            terrain,
        },
        GroundEdit::PutNavLink(wayfarer_base::NavLink {
            from: island,
            to,
            kind: wayfarer_base::NavLinkKind::Jump,
            direction: wayfarer_base::LinkDirection::OneWay,
            cost: Cost::from_units(90_000),
            state: wayfarer_base::LinkState::Open,
        }),
    ]);
    for memory_bytes in [0, 300, 3_000, 10_000, 30_000, 60_000, 100_000] {
        let budget = Budget {
            memory_bytes,
            ..Budget::UNLIMITED
        };
        for slice in [Budget::expansions(1), Budget::expansions(40), budget] {
            let asked = Method::ALL
                .into_iter()
                .flat_map(|method| [(method, to), (method, island)]);
            for (method, to) in asked {
                let request = GroundRequest {
                    method,
                    budget,
                    partial: PartialPolicy::NearestEuclidean,
                    ..both.request(from, to)
                };
                let note = format!("{method:?} to {to} {memory_bytes} {slice:?}");
                let whole = PathSearcher::default().find(&both.ground, &request);
                let begun = PathSearcher::default();
                let mut session = GroundSession::begin(&both.ground, begun, request).unwrap();
                let mut all = (0..5_000).map(|_| session.advance(&both.ground, slice));
                let done = all.find(|now| !matches!(now, Progress::InProgress { .. }));
                assert_eq!(done, Some(Progress::Done(whole.unwrap())), "{note}");
            }
            let note = format!("{memory_bytes} {slice:?}");
            let begun = AnyAngleSearcher::default();
            let whole = begun.clone().find(&both.ground, from, to, budget);
            let session = AnyAngleSession::begin(&both.ground, begun, (from, to), budget);
            let mut session = session.unwrap();
            let mut all = (0..5_000).map(|_| session.advance(&both.ground, slice));
            let done = all.find(|now| !matches!(now, Progress::InProgress { .. }));
            assert_eq!(done, Some(Progress::Done(whole.unwrap())), "{note}");
        }
    }
}
