//! Tests of budgets, distant goals, previous paths and sessions at their limits.

use wayfarer_base::{Progress, Raster, SectorId, Session, Terrain};

use super::*;

/// A ground of some rectangles of columns, all at height 0.
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
    // An angle of corridors around a distant goal: its corner lies in the last ring of sectors that
    // is scanned, its ends are nearer but one ring farther out.
    for (x, y) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        let near = if x > 0 { 1045 } else { -1046 };
        let corner = (near - 10 * x, 1030 * y);
        let ground = ground_of(&[
            rect((near, 0), (near, corner.1)),
            rect((near, corner.1), corner),
        ]);
        let from = Cell::flat(near, corner.1);
        for policy in [
            PartialPolicy::NearestEuclidean,
            PartialPolicy::NearestOctile,
        ] {
            let request = GroundRequest {
                partial: policy,
                method: Method::Optimal,
                ..GroundRequest::new(from, Cell::flat(0, 0))
            };
            let outcome = PathSearcher::default().find(&ground, &request).unwrap();
            let end = outcome.best().and_then(|path| path.end());
            assert_eq!(end, Some(Cell::flat(near, 0)), "{policy:?}");
            // Without a search it is unknown.
            let known = nearest_reachable(&ground, from, Cell::flat(0, 0), policy);
            assert_eq!(known, None, "{policy:?}");
        }
    }
}

#[test]
fn the_distance_equals_the_cost_of_the_path_also_with_a_previous_path() {
    let (mut both, (start, goal), north) = around_a_wall();
    // Neither the lower bound nor the path south decides at once whether to keep the path north.
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
        for tolerance_per_mille in [0, 100, 400, 700, 1_000, u16::MAX] {
            let request = GroundRequest {
                method,
                previous: Some(PreviousPath {
                    cells: north.clone(),
                    tolerance_per_mille,
                }),
                ..both.request(start, goal)
            };
            let path = searcher.find(&both.ground, &request).unwrap().found();
            let cost = path.map(|path| path.cost);
            let distance = searcher.distance(&both.ground, &request).unwrap();
            assert_eq!(distance, cost, "{method:?} {tolerance_per_mille}");
        }
    }
}

#[test]
fn a_valid_previous_path_is_kept_when_the_budget_runs_out() {
    let mut rows = vec![".".repeat(30); 30];
    for y in (3..30).step_by(4) {
        let wall = if y % 8 == 3 { 0..29 } else { 1..30 };
        rows[y].replace_range(wall, &"#".repeat(29));
    }
    let both = Both::from_ascii(&rows.join("\n"));
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
            panic!("{method:?}: the previous path is valid: {outcome:?}");
        };
        check_path(&both, &path, "previous");
        assert_eq!((&path.cells, path.cost), (&whole.cells, whole.cost));
        assert!(path.cost_lower_bound <= whole.cost && path.cost_lower_bound > Cost::ZERO);
        let distance = searcher.distance(&both.ground, &request).unwrap();
        assert_eq!(distance, Some(whole.cost), "{method:?}");
    }
}

#[test]
fn a_session_whose_request_was_rejected_is_stale() {
    let both = Both::from_ascii("..........\n.........#");
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
fn a_cell_without_a_floor_can_be_in_line_of_sight() {
    // A pillar in the north-east, and a wall in between.
    let both = Both::from_ascii(
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
    let path = path.expect("the pillar is visible from some cell");
    assert!(path.cost > Cost::ZERO && path.cost < Cost::from_units(4 * 1463));
}

#[test]
fn an_any_angle_session_whose_ends_were_rejected_is_stale() {
    let both = Both::from_ascii("..........\n.........#");
    let (from, to, void) = (Cell::flat(0, 0), Cell::flat(9, 0), Cell::flat(9, 1));
    let (searcher, budget) = (AnyAngleSearcher::default(), Budget::UNLIMITED);
    let good = AnyAngleRequest::new(from, to);
    let mut session = AnyAngleSession::begin(&both.ground, searcher, good).unwrap();
    for (from, to) in [(from, void), (void, to)] {
        let bad = AnyAngleRequest::new(from, to);
        assert!(session.replace_request(&both.ground, &bad).is_err());
        let progress = session.advance(&both.ground, budget);
        assert!(matches!(progress, Progress::Stale { .. }), "{progress:?}");
    }
    session.replace_request(&both.ground, &good).unwrap();
    let progress = session.advance(&both.ground, budget);
    assert!(
        matches!(progress, Progress::Done(Outcome::Found(_))),
        "{progress:?}"
    );
}

#[test]
fn any_angle_paths_are_no_costlier_than_grid_paths_and_slices_do_not_change_them() {
    let mut searcher = AnyAngleSearcher::default();
    let mut n_shorter = 0;
    let kinds = [WorldKind::NavLinks, WorldKind::OneWay, WorldKind::Mixed];
    for scene in all_scenes().filter(|scene| kinds.contains(&scene.kind)) {
        let mut both = Both::random(0, scene);
        let mut rng = Rng::new(0xA22);
        for batch in 0..3 {
            let cells = both.walkable_cells();
            for _ in 0..12 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let note = format!("{scene:?} batch {batch} {from} to {to}");
                let request = both.request(from, to);
                let grid_path = PathSearcher::default().find(&both.ground, &request);
                let budget = Budget::UNLIMITED;
                let whole = searcher.find(both.nav_graph(), from, to, budget).unwrap();
                let fresh = AnyAngleSearcher::default();
                let request = AnyAngleRequest {
                    profile_id: both.profile_id,
                    ..AnyAngleRequest::new(from, to)
                };
                let session = AnyAngleSession::begin(&both.ground, fresh, request);
                let mut session = session.unwrap();
                let slice = Budget::expansions(1 + u64::from(rng.below(9)));
                let sliced = loop {
                    if let Progress::Done(done) = session.advance(&both.ground, slice) {
                        break done;
                    }
                };
                assert_eq!(whole, sliced, "{note}");
                let (path, grid_path) = match (whole.found(), grid_path.unwrap().found()) {
                    (Some(path), Some(grid_path)) => (path, grid_path),
                    (path, grid_path) => {
                        assert!(path.is_none() && grid_path.is_none(), "{note}");
                        continue;
                    }
                };
                // Lines are rounded down one by one: a unit per cell may be lost.
                let max = grid_path.cost.units() + u32::try_from(grid_path.cells.len()).unwrap();
                assert!(
                    path.cost.units() <= max,
                    "{note}: {} {}",
                    path.cost,
                    grid_path.cost
                );
                n_shorter += u32::from(path.cost < grid_path.cost);
            }
            let edits = random_batch(&mut rng, &both.world);
            both.apply(&edits);
        }
    }
    assert!(n_shorter > 30, "only {n_shorter} paths are shorter");
}

/// Counts expansions.
#[derive(Default)]
struct ExpansionCounter(u64);

impl wayfarer_base::SearchObserver for ExpansionCounter {
    fn on_event(&mut self, event: wayfarer_base::SearchEvent) {
        self.0 += u64::from(matches!(event, wayfarer_base::SearchEvent::Expanded { .. }));
    }
}

#[test]
fn the_search_for_the_nearest_cell_respects_budgets_and_slices() {
    // A hall and an island with a one-way jump into it.
    let mut rows = vec![".".repeat(40); 40];
    rows[20] = format!("..{}#.#", "#".repeat(35));
    rows[19].replace_range(37..40, "###");
    rows[21].replace_range(37..40, "###");
    let mut both = Both::from_ascii(&rows.join("\n"));
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
    // A goal in the same weak component that is unreachable, and one without a floor.
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
                    let mut counter = ExpansionCounter::default();
                    let outcome = searcher.find_observed(&both.ground, &request, &mut counter);
                    let outcome = outcome.unwrap();
                    let n_expansions = searcher.stats().expansions;
                    assert!(
                        n_expansions <= budget && counter.0 <= budget,
                        "{note}: {n_expansions}, {}",
                        counter.0
                    );
                    let is_cut = matches!(outcome, Outcome::OutOfBudget { .. });
                    assert!(!is_cut || budget < all, "{note}: {outcome:?}");
                    assert!(is_cut || budget > 4, "{note}: {outcome:?}");
                    let path = outcome.clone().best().unwrap();
                    check_path(&both, &path, &note);
                    assert!(path.expansions <= budget, "{note}");
                    if !is_cut {
                        assert_eq!(path.end(), Some(end), "{note}");
                        let max = costs[&end].units() * 11 / 10;
                        assert!((costs[&end].units()..=max).contains(&path.cost.units()));
                    }
                    let fresh = PathSearcher::default();
                    let session = GroundSession::begin(&both.ground, fresh, request.clone());
                    let mut session = session.unwrap();
                    let slice = Budget::expansions(7);
                    let sliced = loop {
                        let mut counter = ExpansionCounter::default();
                        let now = session.advance_observed(&both.ground, slice, &mut counter);
                        assert!(counter.0 <= 7, "{note}: {} in a slice", counter.0);
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
    let mut both = Both::from_ascii(&rows.join("\n"));
    let (from, to) = (Cell::flat(0, 0), Cell::flat(0, 49));
    // The flood for the nearest cell starts after an exhausted search.
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
            let cases = Method::ALL
                .into_iter()
                .flat_map(|method| [(method, to), (method, island)]);
            for (method, to) in cases {
                let request = GroundRequest {
                    method,
                    budget,
                    partial: PartialPolicy::NearestEuclidean,
                    ..both.request(from, to)
                };
                let note = format!("{method:?} to {to} {memory_bytes} {slice:?}");
                let whole = PathSearcher::default().find(&both.ground, &request);
                let fresh = PathSearcher::default();
                let mut session = GroundSession::begin(&both.ground, fresh, request).unwrap();
                let mut all = (0..5_000).map(|_| session.advance(&both.ground, slice));
                let done = all.find(|now| !matches!(now, Progress::InProgress { .. }));
                assert_eq!(done, Some(Progress::Done(whole.unwrap())), "{note}");
            }
            let note = format!("{memory_bytes} {slice:?}");
            let fresh = AnyAngleSearcher::default();
            let whole = fresh.clone().find(&both.ground, from, to, budget);
            let request = AnyAngleRequest {
                budget,
                ..AnyAngleRequest::new(from, to)
            };
            let session = AnyAngleSession::begin(&both.ground, fresh, request);
            let mut session = session.unwrap();
            let mut all = (0..5_000).map(|_| session.advance(&both.ground, slice));
            let done = all.find(|now| !matches!(now, Progress::InProgress { .. }));
            assert_eq!(done, Some(Progress::Done(whole.unwrap())), "{note}");
        }
    }
}

/// A lane of `n_cells` cells of swamp, at the largest multiplier.
fn costly_lane(n_cells: i32) -> Ground {
    let mut ground = Ground::new(Profile {
        terrain_costs: vec![(Terrain::SWAMP, CostMultiplier::MAX)],
        ..Profile::DEFAULT
    })
    .unwrap();
    let fill = GroundEdit::Fill {
        shape: Shape::Box(rect((0, 0), (n_cells - 1, 0))),
        z: 0,
        terrain: Terrain::SWAMP,
    };
    ground.apply(&[fill]).unwrap();
    ground
}

/// The outcome of every method, with its cost if found; on a long lane of those that jump.
fn outcomes(ground: &Ground, from: Cell, to: Cell) -> Vec<(String, Outcome<Cost>)> {
    let mut searcher = PathSearcher::default();
    let mut all = Vec::new();
    let is_long = to.x > 10_000;
    let methods = if is_long {
        &Method::ALL[..3]
    } else {
        &Method::ALL[..]
    };
    for &method in methods {
        let request = GroundRequest {
            method,
            ..GroundRequest::new(from, to)
        };
        let outcome = searcher.find(ground, &request).unwrap();
        all.push((format!("{method:?}"), outcome.map(|path| path.cost)));
    }
    let hierarchical = searcher.find_hierarchical(ground, from, to).unwrap();
    all.push(("hierarchical".into(), hierarchical.map(|path| path.cost)));
    if is_long {
        return all;
    }
    let mut any_angle = AnyAngleSearcher::default();
    let outcome = any_angle.find(ground, from, to, Budget::UNLIMITED).unwrap();
    all.push(("any-angle".into(), outcome.map(|path| path.cost)));
    all
}

#[test]
fn a_path_beyond_the_cost_limit_is_reported_as_such_by_every_method() {
    // The limit lies at 716.7 costly cells and at 2,935,722 cells of base cost.
    let costly = costly_lane(1_000);
    let row = Raster::from_bytes(16, 1, vec![0; 16]).unwrap();
    let long = Ground::from_sectors((0..187_500).map(|x| (SectorId::new(x, 0), row.clone())));
    let long = long.unwrap();
    for (ground, near, far) in [(&costly, 700, 720), (&long, 2_935_700, 2_935_800)] {
        let at = |x| Cell::flat(x, 0);
        for (method, outcome) in outcomes(ground, at(0), at(near)) {
            let cost = outcome.found().map(|cost| cost.to_cells());
            let is_below = cost.is_some_and(|cost| (2_860_000.0..2_935_750.0).contains(&cost));
            assert!(is_below, "{method} to {near}: {cost:?}");
        }
        for (method, outcome) in outcomes(ground, at(0), at(far)) {
            assert_eq!(outcome, Outcome::BEYOND_COST_LIMIT, "{method} to {far}");
        }
    }
}
