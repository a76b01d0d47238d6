//! Tests of Lazy Theta\* against the optimal grid path.

use wayfarer_base::Rng;
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_world};
use wayfarer_world::ground::Ground;

use super::super::{GroundRequest, Method, PathSearcher};
use super::*;

/// The cost between two waypoints, if a line, a step or a nav link joins them.
fn cost_between(ground: &Ground, world: &ReferenceWorld, from: Cell, to: Cell) -> Option<Cost> {
    let profile = ground.default_profile();
    let step = world.check_path(&[from, to], profile).ok();
    let line = is_straight_walkable(ground, from, to).then(|| {
        let multiplier = world.cost_multiplier(from, profile);
        let multiplier = wayfarer_base::CostMultiplier::from_sixteenths(multiplier);
        line_cost(from, to).scaled_by(multiplier.expect("multipliers are at least 1"))
    });
    step.into_iter().chain(line).min()
}

#[test]
fn any_angle_paths_are_legal_and_no_costlier_than_grid_paths() {
    let mut searcher = AnyAngleSearcher::default();
    let mut grid_searcher = PathSearcher::default();
    for kind in WorldKind::ALL {
        let (mut any_angle, mut grid, mut n_found) = (0_u64, 0_u64, 0);
        for seed in 0..4 {
            let data = random_world(seed, kind);
            let ground = Ground::from_data(&data).expect("random worlds are well formed");
            let world = ReferenceWorld::new(&data);
            let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
            cells.sort_unstable();
            let mut rng = Rng::new(seed);
            for _ in 0..25 {
                let (from, to) = (rng.pick(&cells), rng.pick(&cells));
                let (from, to) = (*from.expect("some"), *to.expect("some"));
                let note = format!("{kind:?} {seed} {from} to {to}");
                let request = GroundRequest {
                    method: Method::Optimal,
                    ..GroundRequest::new(from, to)
                };
                let grid_path = grid_searcher.find(&ground, &request);
                let grid_path = grid_path.ok().and_then(Outcome::found);
                let found = searcher.find(&ground, from, to, Budget::UNLIMITED);
                let found = found.expect("both ends are walkable").found();
                assert_eq!(found.is_some(), grid_path.is_some(), "{note}");
                let (Some(path), Some(grid_path)) = (found, grid_path) else {
                    continue;
                };
                assert_eq!(path.waypoints.first(), Some(&from), "{note}");
                assert_eq!(path.waypoints.last(), Some(&to), "{note}");
                let mut sum = Cost::ZERO;
                for pair in path.waypoints.windows(2) {
                    let cost = cost_between(&ground, &world, pair[0], pair[1]);
                    sum += cost.unwrap_or_else(|| panic!("{note}: {pair:?}"));
                }
                // A step is costlier than its line by a unit at most for each sixteenth.
                let tolerance =
                    Cost::from_units(64 * u32::try_from(path.waypoints.len()).expect("few"));
                assert!(
                    path.cost <= sum + tolerance && sum <= path.cost + tolerance,
                    "{note}"
                );
                // Line lengths are rounded down one by one, so a unit per cell may be lost.
                let n_cells = u32::try_from(grid_path.cells.len()).expect("few");
                assert!(
                    path.cost <= grid_path.cost + Cost::from_units(n_cells),
                    "{note}: {} against {} on the grid",
                    path.cost,
                    grid_path.cost
                );
                any_angle += u64::from(path.cost.units());
                grid += u64::from(grid_path.cost.units());
                n_found += 1;
            }
        }
        assert!(n_found > 10, "{kind:?}: {n_found}");
        let has_lines = !matches!(kind, WorldKind::Hilly | WorldKind::OneWay);
        let note = format!("{kind:?}: {any_angle} against {grid}");
        assert!(any_angle <= grid + grid / 50, "{note}");
        assert!(!has_lines || any_angle < grid, "{note}");
    }
}

#[test]
fn budgets_are_respected_and_blocked_ends_rejected() {
    let data = wayfarer_testkit::ascii::world("....#....");
    let ground = Ground::from_data(&data).expect("a small map");
    let mut searcher = AnyAngleSearcher::default();
    let at = Cell::flat;
    let mut find = |from, to, n| searcher.find(&ground, from, to, Budget::expansions(n));
    assert!(matches!(
        find(at(4, 0), at(0, 0), 9),
        Err(RequestError::StartBlocked { .. })
    ));
    assert!(matches!(
        find(at(0, 0), at(4, 0), 9),
        Err(RequestError::GoalBlocked { .. })
    ));
    assert!(matches!(
        find(at(0, 0), at(1, 0), 0),
        Err(RequestError::OutOfRange { .. })
    ));
    let apart = find(at(0, 0), at(8, 0), 9);
    assert!(
        matches!(apart, Ok(Outcome::Unreachable { .. })),
        "{apart:?}"
    );
    let Ok(Outcome::OutOfBudget { best, .. }) = find(at(0, 0), at(3, 0), 2) else {
        panic!("two expansions are too few");
    };
    assert_eq!(best.waypoints, vec![at(0, 0), at(1, 0)]);
}
