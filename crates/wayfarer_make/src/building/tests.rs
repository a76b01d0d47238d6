//! Keeps hold what they promise: floors apart, ends that exist, every cell within reach.

use std::sync::LazyLock;

use super::*;
use crate::{GeneratedWorld, make};

fn keep(width: u32, height: u32, floors: u32, seed: u64) -> WorldData {
    let recipe = Recipe {
        n_floors: floors,
        ..Recipe::new(Generator::Building, width, height, seed)
    };
    match make(&recipe) {
        Ok(GeneratedWorld::MultiFloor(plan)) => plan,
        other => panic!("{recipe:?} made {other:?}"),
    }
}

/// A handful of keeps from the smallest on, with their names.
static KEEPS: LazyLock<Vec<(String, WorldData)>> = LazyLock::new(|| {
    let cases = [
        (24, 24, 2, 12),
        (24, 60, 3, 8),
        (33, 29, 4, 8),
        (64, 64, 3, 6),
        (110, 128, 5, 2),
        (80, 50, 9, 2),
    ];
    let mut keeps = Vec::new();
    for (width, height, floors, n_seeds) in cases {
        for seed in 0..n_seeds {
            let name = format!("{width} x {height}, {floors} storeys, seed {seed}");
            keeps.push((name, keep(width, height, floors, seed)));
        }
    }
    keeps
});

/// All cells that a walker with these keys reaches from the yard's corner: an oracle that reads
/// the plan alone. Straight steps only: diagonals lead nowhere else.
fn reach(plan: &WorldData, keys: u32) -> OrderedSet<Cell> {
    let floors: OrderedSet<Cell> = plan.cells.iter().map(|(cell, _)| *cell).collect();
    let walls: OrderedSet<Wall> = plan.walls.iter().copied().collect();
    let mut reached = OrderedSet::new();
    let mut successors: OrderedMap<Cell, Vec<Cell>> = OrderedMap::new();
    for nav_link in plan
        .nav_links
        .iter()
        .filter(|nav_link| nav_link.state.admits(keys))
    {
        successors
            .entry(nav_link.from)
            .or_default()
            .push(nav_link.to);
        if nav_link.direction == LinkDirection::Bidirectional {
            successors
                .entry(nav_link.to)
                .or_default()
                .push(nav_link.from);
        }
    }
    let wall = |cell: Cell, side: WallSide| walls.contains(&Wall { cell, side });
    let mut stack = vec![Cell::flat(0, 0)];
    while let Some(cell) = stack.pop() {
        if !reached.insert(cell) {
            continue;
        }
        stack.extend(successors.get(&cell).into_iter().flatten());
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            for dz in [-1, 0, 1] {
                let next = Cell::new(cell.x + dx, cell.y + dy, cell.z + dz);
                let walled = match (dx, dy) {
                    (1, _) => wall(cell, WallSide::East),
                    (-1, _) => wall(next, WallSide::East),
                    (_, 1) => wall(cell, WallSide::South),
                    _ => wall(next, WallSide::South),
                };
                if floors.contains(&next) && !walled {
                    stack.push(next);
                }
            }
        }
    }
    reached
}

#[test]
fn floors_in_a_column_lie_three_steps_apart() {
    for (name, plan) in &*KEEPS {
        let mut cells: Vec<Cell> = plan.cells.iter().map(|(cell, _)| *cell).collect();
        cells.sort_unstable();
        for pair in cells.windows(2) {
            let same = pair[0].column() == pair[1].column();
            assert!(!same || pair[1].z - pair[0].z >= 3, "{name}: {pair:?}");
        }
    }
}

#[test]
fn every_passage_and_wall_begins_and_ends_on_a_floor() {
    for (name, plan) in &*KEEPS {
        let floors: OrderedSet<Cell> = plan.cells.iter().map(|(cell, _)| *cell).collect();
        let walls: OrderedSet<Wall> = plan.walls.iter().copied().collect();
        assert_eq!(walls.len(), plan.walls.len(), "{name}");
        for wall in &plan.walls {
            assert!(floors.contains(&wall.cell), "{name}: {wall:?}");
        }
        for nav_link in &plan.nav_links {
            assert!(
                floors.contains(&nav_link.from) && floors.contains(&nav_link.to),
                "{name}: {nav_link:?}"
            );
            assert!(
                nav_link.cost
                    >= Cost::octile(
                        nav_link.from.x.abs_diff(nav_link.to.x),
                        nav_link.from.y.abs_diff(nav_link.to.y)
                    )
            );
            if nav_link.kind == NavLinkKind::Door {
                let (low, high) = (
                    nav_link.from.min(nav_link.to),
                    nav_link.from.max(nav_link.to),
                );
                let side = if high.x > low.x {
                    WallSide::East
                } else {
                    WallSide::South
                };
                assert!(
                    walls.contains(&Wall { cell: low, side }),
                    "{name}: {nav_link:?}"
                );
            }
        }
    }
}

#[test]
fn with_the_key_every_cell_is_reached_and_without_it_all_but_the_vault() {
    for (name, plan) in &*KEEPS {
        let all = plan.cells.len();
        assert_eq!(reach(plan, 1).len(), all, "{name}");
        let without = reach(plan, 0).len();
        assert!(
            without < all && without * 10 >= all * 8,
            "{name}: {without} of {all}"
        );
    }
}

#[test]
fn every_storey_is_reached_on_steps_alone() {
    for (name, plan) in &*KEEPS {
        let mut plan = plan.clone();
        plan.nav_links
            .retain(|nav_link| nav_link.kind == NavLinkKind::Door);
        let highest = plan.cells.iter().map(|(cell, _)| cell.z).max().unwrap();
        let reached = reach(&plan, 1);
        for z in (0..=highest).step_by(FLOOR_HEIGHT as usize) {
            assert!(
                reached.iter().any(|cell| cell.z == z),
                "{name}: storey at {z}"
            );
        }
    }
}

#[test]
fn every_kind_of_way_is_there() {
    for (name, plan) in &*KEEPS {
        let count = |kind| {
            plan.nav_links
                .iter()
                .filter(|nav_link| nav_link.kind == kind)
                .count()
        };
        let n_up = plan.cells.iter().map(|(cell, _)| cell.z).max().unwrap() / FLOOR_HEIGHT;
        let n_up = usize::try_from(n_up).unwrap();
        assert!(count(NavLinkKind::Door) > 2 * n_up, "{name}");
        assert_eq!(count(NavLinkKind::Stairs), n_up, "{name}");
        assert_eq!(count(NavLinkKind::Ladder), n_up + 1, "{name}");
        assert_eq!(count(NavLinkKind::Drop), 1, "{name}");
        let locked = plan
            .nav_links
            .iter()
            .filter(|nav_link| nav_link.state == LinkState::Locked(1));
        assert_eq!(locked.count(), 1, "{name}");
        let one_way = plan
            .nav_links
            .iter()
            .filter(|nav_link| nav_link.direction == LinkDirection::OneWay);
        assert!(
            one_way.eq(plan
                .nav_links
                .iter()
                .filter(|way| way.kind == NavLinkKind::Drop))
        );
        assert!(
            plan.nav_links
                .iter()
                .any(|way| way.state == LinkState::Closed),
            "{name}"
        );
    }
}

#[test]
fn a_bridge_crosses_the_hall_on_every_storey_above_the_ground() {
    for seed in 0..5 {
        let recipe = Recipe {
            n_floors: 4,
            ..Recipe::new(Generator::Building, 64, 50, seed)
        };
        let (hall, plan) = (Keep::new(&recipe).hall, keep(64, 50, 4, seed));
        let over = |floor: i32| {
            let cells = plan.cells.iter().map(|(cell, _)| *cell);
            cells
                .filter(|cell| hall.contains(cell.column()) && cell.z == floor * FLOOR_HEIGHT)
                .count()
        };
        let n_hall = (hall.width() * hall.height()) as usize;
        assert!(over(0) * 10 >= n_hall * 8, "{} of {n_hall}", over(0));
        for floor in 1..4 {
            let n_over = over(floor);
            let least = hall.width().min(hall.height()) as usize;
            assert!(
                n_over >= least && n_over * 2 < n_hall,
                "{n_over} of {n_hall}"
            );
        }
    }
}

#[test]
fn bad_keeps_are_errors() {
    let check = |recipe: Recipe, message: &str| {
        assert_eq!(make(&recipe).unwrap_err().to_string(), message);
    };
    let small = Recipe::new(Generator::Building, 23, 90, 1);
    check(small, "keep: size 23 x 90, expected sides of at least 24");
    let low = Recipe {
        n_floors: 1,
        ..Recipe::new(Generator::Building, 50, 50, 1)
    };
    check(low, "keep: storeys is 1, expected 2 to 40");
    let large = Recipe::new(Generator::Building, 4096, 4096, 1);
    check(
        large,
        "keep: 50331648 cells in all, expected at most 16777216",
    );
}
