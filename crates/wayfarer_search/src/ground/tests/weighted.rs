//! Requests that block tables serve: small budgets, one cache limit, scattered obstacles.

use wayfarer_base::{NoopObserver, Progress, Raster, Session, Terrain};

use super::*;
use crate::kernel::{Resumable, Slice, WorkLimit};

/// Random worlds side by side, with costs on all of them.
fn weighted(seed: u64, kind: WorldKind) -> Both {
    let mut both = Both::random(
        seed,
        Scene {
            kind,
            agent: Agent::Default,
        },
    );
    let modifier = CostModifier {
        shape: Shape::Box(Rect::around(Column::new(-9, -9), Column::new(9, 9))),
        heights: (-99, 99),
        multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
    };
    both.apply(&[GroundEdit::PutCostModifier {
        id: CostModifierId(77),
        modifier,
    }]);
    both
}

/// The outcome of a session of a fresh searcher in slices; `None` if it does not end.
fn find_in_slices(
    ground: &Ground,
    request: GroundRequest,
    slice: Budget,
) -> Option<Outcome<GroundPath>> {
    let fresh = PathSearcher::default();
    let mut session = GroundSession::begin(ground, fresh, request).unwrap();
    (0..20_000).find_map(|_| match session.advance(ground, slice) {
        Progress::Done(outcome) => Some(outcome),
        Progress::InProgress { .. } => None,
        Progress::Stale { .. } => panic!("the ground did not change"),
    })
}

#[test]
fn small_budgets_over_weighted_ground_are_kept_and_slices_change_nothing() {
    let (mut n_found, mut n_cut) = (0, 0);
    for kind in WorldKind::ALL {
        let both = weighted(1, kind);
        let cells = both.walkable_cells();
        let mut rng = Rng::new(0x5B);
        let mut warm = PathSearcher::default();
        for _ in 0..40 {
            let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
            let most = *rng.pick(&[30, 600, 1_500, 4_000, 9_000]).unwrap();
            let budget = 1 + u64::from(rng.below(most));
            let request = GroundRequest {
                budget: Budget::expansions(budget),
                ..both.request(from, to)
            };
            let note = format!("{kind:?} {from} to {to} in {budget}");
            let outcome = warm.find(&both.ground, &request).unwrap();
            let n_expansions = warm.stats().expansions;
            assert!(n_expansions <= budget, "{note}: {n_expansions}");
            let cold = PathSearcher::default().find(&both.ground, &request);
            assert_eq!(cold.unwrap(), outcome, "{note}: cold");
            let slice = Budget::expansions(1 + u64::from(rng.below(200)));
            let done = find_in_slices(&both.ground, request, slice);
            assert_eq!(done, Some(outcome.clone()), "{note}: sliced");
            match outcome {
                Outcome::Found(path) => {
                    check_path(&both, &path, &note);
                    let costs = both.world.dijkstra(from, &both.profile);
                    assert_eq!(costs.get(&to), Some(&path.cost), "{note}");
                    n_found += 1;
                }
                Outcome::OutOfBudget { best, .. } => {
                    check_path(&both, &best, &note);
                    n_cut += 1;
                }
                _ => {}
            }
        }
    }
    assert!(n_found > 60 && n_cut > 10, "{n_found} found, {n_cut} cut");
}

/// A slice as a planner grants it: what is built is not counted.
fn resume(
    searcher: &mut PathSearcher,
    ground: &Ground,
    request: &GroundRequest,
    work: u64,
) -> Option<Outcome<GroundPath>> {
    let left = Resumable::budget_left(searcher, request);
    let slice = Slice {
        budget: Budget {
            expansions: left.expansions.min(work),
            ..left
        },
        left,
        n_before: searcher.stats().expansions,
        work: WorkLimit {
            work,
            counts_building: false,
        },
    };
    Resumable::resume(searcher, ground, request, slice, &mut NoopObserver)
}

#[test]
fn one_slice_of_the_work_that_slices_report_leads_to_the_same_state() {
    let (mut n_pauses, mut n_without_path) = (0, 0);
    for kind in WorldKind::ALL {
        let both = weighted(2, kind);
        let cells = both.walkable_cells();
        let mut rng = Rng::new(0x51);
        for _ in 0..12 {
            let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
            let request = both.request(from, to);
            let slice = 20 + u64::from(rng.below(150));
            let mut sliced = PathSearcher::default();
            if sliced.start(&both.ground, &request).unwrap().is_some() {
                continue;
            }
            while resume(&mut sliced, &both.ground, &request, slice).is_none() {
                let mut again = PathSearcher::default();
                assert!(again.start(&both.ground, &request).unwrap().is_none());
                let work = Resumable::work(&sliced);
                let note = format!("{kind:?} {from} to {to}, {work} in slices of {slice}");
                let early = resume(&mut again, &both.ground, &request, work);
                assert_eq!(early, None, "{note}");
                assert_eq!(Resumable::work(&again), work, "{note}");
                let mut rest = sliced.clone();
                loop {
                    let next = resume(&mut rest, &both.ground, &request, 75);
                    let same = resume(&mut again, &both.ground, &request, 75);
                    assert_eq!(same, next, "{note}");
                    if let Some(outcome) = next {
                        n_without_path += u32::from(outcome.best().is_none());
                        break;
                    }
                }
                n_pauses += 1;
            }
        }
    }
    assert!(
        n_pauses > 100 && n_without_path > 3,
        "{n_pauses}, {n_without_path}"
    );
}

#[test]
fn one_limit_holds_for_jump_points_and_the_tables_of_all_profiles() {
    for limit in [0, 30_000, 200_000, 1 << 20] {
        let data = random_world(3, WorldKind::Flat);
        let mut ground = Ground::from_data(&data).unwrap();
        let mut rng = Rng::new(0xCA9);
        // Two that mind terrain, one that does not.
        let costly = |sixteenths| Profile {
            terrain_costs: vec![(
                Terrain::GROUND,
                CostMultiplier::from_sixteenths(sixteenths).unwrap(),
            )],
            ..data.profile.clone()
        };
        let profiles = [24, 40].map(|costs| ground.register_profile(costly(costs)).unwrap());
        let profile_ids = [None, Some(profiles[0]), Some(profiles[1])];
        let mut limited = PathSearcher::with_cache_limit(jps_cached::CacheLimit::Bytes(limit));
        let mut free = PathSearcher::default();
        assert_eq!(limited.cache_limit_bytes(), limit);
        let cells: Vec<Cell> = data.cells.iter().map(|(cell, _)| *cell).collect();
        let mut n_found = 0;
        for round in 0..120 {
            let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
            let request = GroundRequest {
                profile_id: *rng.pick(&profile_ids).unwrap(),
                method: Method::Optimal,
                ..GroundRequest::new(from, to)
            };
            let note = format!("limit {limit}, round {round}: {request:?}");
            let found = limited.find(&ground, &request);
            assert_eq!(found, free.find(&ground, &request), "{note}");
            let bytes = limited.cache_bytes();
            assert!(bytes <= limit, "{note}: {bytes} bytes");
            n_found += u32::from(found.is_ok_and(|it| it.found().is_some()));
            let cell = *rng.pick(&cells).unwrap();
            let terrain = Terrain::new(rng.below(3).to_le_bytes()[0]).unwrap();
            let changes = ground
                .apply(&[GroundEdit::PutCell { cell, terrain }])
                .unwrap();
            limited.apply_changes(&ground, &changes);
            free.apply_changes(&ground, &changes);
            assert!(limited.cache_bytes() <= limit, "{note}, after the edit");
        }
        assert!(n_found > 20, "{n_found} paths");
    }
}

#[test]
fn paths_among_scattered_obstacles_are_optimal_whatever_is_cached() {
    let mut rng = Rng::new(0x5CA);
    let size = 288;
    let bytes = (0..size * size).map(|_| if rng.chance(1, 8) { 255 } else { 0 });
    let map = Raster::from_bytes(size, size, bytes.collect()).unwrap();
    let mut ground = Ground::from_raster(&map);
    let mut warm = PathSearcher::default();
    let high = i32::try_from(size).unwrap() - 1;
    let mut n_found = 0;
    for round in 0..60 {
        let mut cell = || Cell::flat(rng.between(0, high), rng.between(0, high));
        let (from, to, changed) = (cell(), cell(), cell());
        let request = GroundRequest {
            method: Method::Optimal,
            ..GroundRequest::new(from, to)
        };
        let note = format!("round {round}: {from} to {to}");
        let found = warm.find(&ground, &request);
        let by_cell = GroundRequest {
            method: Method::AStar,
            ..request.clone()
        };
        let by_cell = PathSearcher::default().find(&ground, &by_cell);
        let cost = |outcome: &Result<Outcome<GroundPath>, RequestError>| {
            let path = outcome.clone().ok().and_then(Outcome::found);
            path.map(|path| path.cost)
        };
        assert_eq!(cost(&found), cost(&by_cell), "{note}");
        if round % 6 == 0 {
            let cold = PathSearcher::default().find(&ground, &request);
            assert_eq!(cold, found, "{note}: cold");
        }
        n_found += u32::from(cost(&found).is_some());
        let terrain = Terrain::GROUND;
        let edit = match ground.node(changed) {
            None => GroundEdit::PutCell {
                cell: changed,
                terrain,
            },
            Some(_) => GroundEdit::RemoveCell { cell: changed },
        };
        let changes = ground.apply(&[edit]).unwrap();
        warm.apply_changes(&ground, &changes);
    }
    assert!(n_found > 30, "{n_found} paths");
    assert!(warm.cache_bytes() > 1 << 20, "tables serve the ground");
}

#[test]
fn the_cheapest_of_several_goals_over_weighted_ground_is_found_in_any_slices() {
    let (mut n_found, mut n_cut) = (0, 0);
    for kind in WorldKind::ALL {
        let both = weighted(2, kind);
        let cells = both.walkable_cells();
        let mut rng = Rng::new(0x60A);
        let mut warm = PathSearcher::default();
        for round in 0..40 {
            let from = *rng.pick(&cells).unwrap();
            let n_goals = 2 + rng.below(9) as usize;
            let goals: Vec<Cell> = (0..n_goals).map(|_| *rng.pick(&cells).unwrap()).collect();
            let costs = both.world.dijkstra(from, &both.profile);
            let least = goals.iter().filter_map(|goal| costs.get(goal)).min();
            let mut request = both.request(from, from);
            request.to = GroundGoal::AnyOf(goals.clone());
            if round % 4 == 3 {
                request.budget = Budget::expansions(1_024 + u64::from(rng.below(3_000)));
            }
            let note = format!("{kind:?} {from} to {goals:?}");
            let outcome = warm.find(&both.ground, &request).unwrap();
            assert!(
                warm.stats().expansions <= request.budget.expansions,
                "{note}"
            );
            let slice = Budget::expansions(1 + u64::from(rng.below(500)));
            let done = find_in_slices(&both.ground, request, slice);
            assert_eq!(done, Some(outcome.clone()), "{note}: sliced");
            match outcome {
                Outcome::Found(path) => {
                    check_path(&both, &path, &note);
                    assert_eq!(Some(&path.cost), least, "{note}");
                    assert!(goals.contains(path.cells.last().unwrap()), "{note}");
                    n_found += 1;
                }
                Outcome::OutOfBudget { best, .. } => {
                    check_path(&both, &best, &note);
                    n_cut += 1;
                }
                _ => assert_eq!(least, None, "{note}"),
            }
        }
    }
    assert!(n_found > 100, "{n_found} found, {n_cut} cut");
}

#[test]
fn the_limit_holds_over_thousands_of_edits_and_queries() {
    let mut rng = Rng::new(0x100);
    let size = 96;
    let bytes = (0..size * size).map(|_| rng.below(3).to_le_bytes()[0]);
    let map = Raster::from_bytes(size, size, bytes.collect()).unwrap();
    let mut ground = Ground::from_raster(&map);
    let costs = [16, 40, 64].map(|sixteenths| CostMultiplier::from_sixteenths(sixteenths).unwrap());
    let profile = Profile {
        terrain_costs: (0..3)
            .map(|n: u8| (Terrain::new(n).unwrap(), costs[usize::from(n)]))
            .collect(),
        allowed_terrains: Profile::DEFAULT.allowed_terrains
            | Terrain::SWAMP.bit()
            | Terrain::WATER.bit(),
        ..Profile::DEFAULT
    };
    let profile_id = Some(ground.register_profile(profile).unwrap());
    let limit = 400_000;
    let mut searcher = PathSearcher::with_cache_limit(jps_cached::CacheLimit::Bytes(limit));
    let high = i32::try_from(size).unwrap() - 1;
    let mut n_found = 0;
    for round in 0..8_000 {
        let cell = Cell::flat(rng.between(0, high), rng.between(0, high));
        let terrain = Terrain::new(rng.below(3).to_le_bytes()[0]).unwrap();
        let edits = [GroundEdit::PutCell { cell, terrain }];
        let changes = ground.apply(&edits).unwrap();
        searcher.apply_changes(&ground, &changes);
        let near = |at: i32, by: i32| (at + by).clamp(0, high);
        let to = Cell::flat(
            near(cell.x, rng.between(-9, 9)),
            near(cell.y, rng.between(-9, 9)),
        );
        let request = GroundRequest {
            profile_id,
            method: Method::Optimal,
            ..GroundRequest::new(cell, to)
        };
        n_found += u32::from(searcher.distance(&ground, &request).unwrap().is_some());
        let bytes = searcher.cache_bytes();
        assert!(bytes <= limit, "round {round}: {bytes} bytes");
    }
    assert!(n_found > 4_000, "{n_found} paths");
    assert!(searcher.cache_bytes() > limit / 4, "the limit was reached");
}
