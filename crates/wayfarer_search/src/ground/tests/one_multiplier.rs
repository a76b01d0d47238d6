//! Ground of one cost multiplier: jump points by base costs, scaled by it.

use wayfarer_base::{Terrain, WorldData};

use super::*;

fn multiplier(sixteenths: u16) -> CostMultiplier {
    CostMultiplier::from_sixteenths(sixteenths).unwrap()
}

/// A random world without nav links and its agent, for which all terrains cost the same.
fn of_one_multiplier(seed: u64, scene: Scene, sixteenths: u16) -> Both {
    let with_costs = |profile: &Profile| {
        let terrains = (0..63).filter_map(Terrain::new);
        Profile {
            terrain_costs: terrains.map(|it| (it, multiplier(sixteenths))).collect(),
            ..profile.clone()
        }
    };
    let random = Both::random(seed, scene);
    let all = random_world(seed, scene.kind);
    let data = WorldData {
        profile: with_costs(&all.profile),
        nav_links: Vec::new(),
        ..all
    };
    let mut ground = Ground::from_data(&data).unwrap();
    let profile = with_costs(&random.profile);
    let profile_id = (random.profile_id).map(|_| ground.register_profile(profile.clone()).unwrap());
    Both {
        profile,
        profile_id,
        world: ReferenceWorld::new(&data),
        log: ChangeLog::starting_at(ground.revision(), 64),
        ground,
    }
}

/// A random edit of a floor, or of a modifier.
fn random_edit(rng: &mut Rng, cells: &[Cell]) -> GroundEdit {
    let cell = *rng.pick(cells).unwrap();
    match rng.below(8) {
        0 => GroundEdit::PutCostModifier {
            id: CostModifierId(3),
            modifier: CostModifier {
                shape: Shape::Box(Rect::around(cell.column(), cell.column())),
                heights: (-99, 99),
                multiplier: multiplier(32),
            },
        },
        1 => GroundEdit::RemoveCostModifier(CostModifierId(3)),
        2..=4 => GroundEdit::RemoveCell { cell },
        _ => GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        },
    }
}

#[test]
fn paths_at_one_multiplier_are_optimal_whatever_is_cached_and_edited() {
    let mut n_found = 0;
    for (seed, scene) in (0..).zip(all_scenes()) {
        for sixteenths in [48, 40] {
            let mut both = of_one_multiplier(seed, scene, sixteenths);
            let cells = both.walkable_cells();
            let mut rng = Rng::for_stream(seed, 71);
            let mut warm = PathSearcher::default();
            for round in 0..24 {
                let (from, to) = (*rng.pick(&cells).unwrap(), *rng.pick(&cells).unwrap());
                let methods = [Method::Jps, Method::Optimal, Method::Bounded];
                let method = methods[round % 3];
                let request = GroundRequest {
                    method,
                    ..both.request(from, to)
                };
                let note = format!("{scene:?}, {sixteenths}, {round}: {method:?} {from} to {to}");
                let outcome = warm.find(&both.ground, &request);
                let fresh = PathSearcher::default().find(&both.ground, &request);
                assert_eq!(outcome, fresh, "{note}");
                if let Ok(outcome) = outcome {
                    let distance = warm.distance(&both.ground, &request).unwrap();
                    let least = both.world.dijkstra(from, &both.profile).get(&to).copied();
                    let path = outcome.found();
                    assert_eq!(path.as_ref().map(|path| path.cost), distance, "{note}");
                    assert_eq!(path.is_some(), least.is_some(), "{note}");
                    if let (Some(path), Some(least)) = (path, least) {
                        check_path(&both, &path, &note);
                        let legs: Cost = path.legs.iter().map(|leg| leg.cost).sum();
                        assert_eq!(legs, path.cost, "{note}");
                        assert!(path.cost_lower_bound <= least, "{note}");
                        assert!(method == Method::Bounded || path.cost == least, "{note}");
                        assert!(u64::from(path.cost.units()) * 10 <= u64::from(least.units()) * 11);
                        n_found += 1;
                    }
                }
                if round % 2 == 1 {
                    let edit = random_edit(&mut rng, &cells);
                    if let Ok(changes) = both.ground.apply(std::slice::from_ref(&edit)) {
                        both.world.apply(&[edit]);
                        warm.apply_changes(&both.ground, &changes);
                    }
                }
            }
        }
    }
    assert!(n_found > 200, "{n_found} paths");
}

#[test]
fn a_floor_put_under_a_modifier_changes_the_engine_for_every_searcher() {
    // The modifier covers the gap alone, so that one multiplier is in use until the gap is closed.
    let mut ground = Both::from_ascii(
        "........
         ........
         ...#....
         ........",
    )
    .ground;
    let gap = Cell::flat(3, 2);
    let modifier = CostModifier {
        shape: Shape::Box(Rect::around(gap.column(), gap.column())),
        heights: (0, 0),
        multiplier: multiplier(32),
    };
    let id = CostModifierId(1);
    (ground.apply(&[GroundEdit::PutCostModifier { id, modifier }])).unwrap();
    let request = GroundRequest {
        method: Method::Optimal,
        ..GroundRequest::new(Cell::flat(0, 0), Cell::flat(7, 3))
    };
    let mut warm = PathSearcher::default();
    warm.find(&ground, &request).unwrap();
    assert!(!warm.runs_over_tables());
    let terrain = Terrain::GROUND;
    let put = GroundEdit::PutCell { cell: gap, terrain };
    let changes = ground.apply(&[put]).unwrap();
    warm.apply_changes(&ground, &changes);
    let found = warm.find(&ground, &request);
    assert!(warm.runs_over_tables(), "multipliers differ");
    assert_eq!(found, PathSearcher::default().find(&ground, &request));
}

#[test]
fn jump_points_serve_a_whole_multiplier_and_tables_any_other() {
    for (sixteenths, by_tables) in [(16, false), (32, false), (48, false), (40, true)] {
        let scene = Scene {
            kind: WorldKind::Flat,
            agent: Agent::Default,
        };
        let both = of_one_multiplier(5, scene, sixteenths);
        let cells = both.walkable_cells();
        let costs = both.world.dijkstra(cells[0], &both.profile);
        let farthest = costs.iter().max_by_key(|(_, cost)| **cost).unwrap();
        let request = both.request(cells[0], *farthest.0);
        let mut searcher = PathSearcher::default();
        let _ = searcher.find(&both.ground, &request).unwrap();
        assert_eq!(searcher.runs_over_tables(), by_tables, "{sixteenths}");
    }
}

#[test]
fn a_path_that_costs_too_much_when_scaled_is_beyond_the_limit() {
    let map = ".".repeat(900);
    let mut both = Both::from_ascii(&map);
    let costly = Profile {
        terrain_costs: vec![(Terrain::GROUND, multiplier(4_000 * 16))],
        ..both.profile.clone()
    };
    let profile_id = Some(both.ground.register_profile(costly).unwrap());
    for (to, is_found) in [(600, true), (899, false)] {
        for method in [Method::Optimal, Method::Jps, Method::AStar] {
            let request = GroundRequest {
                profile_id,
                method,
                ..GroundRequest::new(Cell::flat(0, 0), Cell::flat(to, 0))
            };
            let mut searcher = PathSearcher::default();
            let outcome = searcher.find(&both.ground, &request).unwrap();
            if !is_found {
                assert_eq!(outcome, Outcome::BEYOND_COST_LIMIT, "{method:?}");
            }
            let distance = searcher.distance(&both.ground, &request).unwrap();
            let cost = outcome.found().map(|path| path.cost);
            assert_eq!(cost, distance, "{method:?}");
            let least = Cost::STRAIGHT.units() * 4_000 * 600;
            assert_eq!(cost.map(Cost::units), is_found.then_some(least));
        }
    }
}

#[test]
fn events_report_scaled_costs() {
    let scene = Scene {
        kind: WorldKind::Flat,
        agent: Agent::Default,
    };
    let both = of_one_multiplier(7, scene, 48);
    let cells = both.walkable_cells();
    let from = cells[0];
    for method in [Method::Jps, Method::Optimal] {
        for to in cells.iter().step_by(17) {
            let request = GroundRequest {
                method,
                ..both.request(from, *to)
            };
            let mut events = Vec::new();
            let mut searcher = PathSearcher::default();
            let outcome = searcher.find_observed(&both.ground, &request, &mut events);
            let Some(path) = outcome.unwrap().found() else {
                continue;
            };
            let reached = events.iter().find_map(|event| match event {
                wayfarer_base::SearchEvent::Reached { cost, .. } => Some(*cost),
                _ => None,
            });
            assert_eq!(reached, Some(path.cost), "{method:?} {from} to {to}");
        }
    }
}
