use wayfarer_base::Rng;
use wayfarer_testkit::{ReferenceWorld, WorldKind, random_world};
use wayfarer_world::ground::Ground;

use super::super::{GroundRequest, Method, PathSearcher};
use super::*;

/// What a pair of waypoints costs, if it is a line, a step or a nav link.
fn cost_between(ground: &Ground, world: &ReferenceWorld, from: Cell, to: Cell) -> Option<Cost> {
    let profile = ground.default_profile();
    let step = world.check_path(&[from, to], profile).ok();
    let line = is_straight_walkable(ground, from, to).then(|| {
        let multiplier = world.cost_multiplier(from, profile);
        let multiplier = wayfarer_base::CostMultiplier::from_sixteenths(multiplier);
        line_cost(from, to).scaled_by(multiplier.expect("prices are at least 1"))
    });
    step.into_iter().chain(line).min()
}

#[test]
fn ways_in_any_direction_are_legal_and_never_dearer_than_along_the_grid() {
    let mut searcher = AnyAngleSearcher::default();
    let mut along_grid = PathSearcher::default();
    for kind in WorldKind::ALL {
        let (mut free, mut grid, mut n_found) = (0_u64, 0_u64, 0);
        for seed in 0..4 {
            let plan = random_world(seed, kind);
            let ground = Ground::from_plan(&plan).expect("random worlds are well formed");
            let world = ReferenceWorld::new(&plan);
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
                let known = along_grid.find(&ground, &request);
                let known = known.ok().and_then(Outcome::found);
                let found = searcher.find(&ground, from, to, Budget::UNLIMITED);
                let found = found.expect("both ends can be stood on").found();
                assert_eq!(found.is_some(), known.is_some(), "{note}");
                let (Some(path), Some(known)) = (found, known) else {
                    continue;
                };
                assert_eq!(path.waypoints.first(), Some(&from), "{note}");
                assert_eq!(path.waypoints.last(), Some(&to), "{note}");
                let mut most = Cost::ZERO;
                for pair in path.waypoints.windows(2) {
                    let cost = cost_between(&ground, &world, pair[0], pair[1]);
                    most += cost.unwrap_or_else(|| panic!("{note}: {pair:?}"));
                }
                // A step is costlier than its line by a unit at most for each sixteenth.
                let slack =
                    Cost::from_units(64 * u32::try_from(path.waypoints.len()).expect("few"));
                assert!(
                    path.cost <= most + slack && most <= path.cost + slack,
                    "{note}"
                );
                // Lengths of lines are rounded down one by one, so a unit a cell may be lost.
                let n_cells = u32::try_from(known.cells.len()).expect("few");
                assert!(
                    path.cost <= known.cost + Cost::from_units(n_cells),
                    "{note}: {} against {} along the grid",
                    path.cost,
                    known.cost
                );
                free += u64::from(path.cost.units());
                grid += u64::from(known.cost.units());
                n_found += 1;
            }
        }
        assert!(n_found > 10, "{kind:?}: {n_found}");
        let has_lines = !matches!(kind, WorldKind::Hilly | WorldKind::OneWay);
        assert!(free <= grid + grid / 50, "{kind:?}: {free} against {grid}");
        assert!(!has_lines || free < grid, "{kind:?}: {free} against {grid}");
    }
}

#[test]
fn budgets_and_bad_ends_are_answered() {
    let plan = wayfarer_testkit::ascii::world("....#....");
    let ground = Ground::from_plan(&plan).expect("a small map");
    let mut searcher = AnyAngleSearcher::default();
    let at = Cell::flat;
    let mut ask = |from, to, n| searcher.find(&ground, from, to, Budget::expansions(n));
    assert!(matches!(
        ask(at(4, 0), at(0, 0), 9),
        Err(RequestError::StartBlocked { .. })
    ));
    assert!(matches!(
        ask(at(0, 0), at(4, 0), 9),
        Err(RequestError::GoalBlocked { .. })
    ));
    assert!(matches!(
        ask(at(0, 0), at(1, 0), 0),
        Err(RequestError::OutOfRange { .. })
    ));
    let apart = ask(at(0, 0), at(8, 0), 9);
    assert!(
        matches!(apart, Ok(Outcome::Unreachable { .. })),
        "{apart:?}"
    );
    let Ok(Outcome::OutOfBudget { best, .. }) = ask(at(0, 0), at(3, 0), 2) else {
        panic!("two expansions are too few");
    };
    assert_eq!(best.waypoints, vec![at(0, 0), at(1, 0)]);
}
