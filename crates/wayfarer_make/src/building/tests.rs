//! Clearance, links and reachability of buildings.

use std::sync::LazyLock;

use super::*;
use crate::{GeneratedWorld, make};

fn building(width: u32, height: u32, floors: u32, seed: u64) -> WorldData {
    let recipe = Recipe {
        n_floors: floors,
        ..Recipe::new(Generator::Building, width, height, seed)
    };
    match make(&recipe) {
        Ok(GeneratedWorld::MultiFloor(data)) => data,
        other => panic!("{recipe:?} made {other:?}"),
    }
}

/// Named sample buildings, from the smallest size.
static BUILDINGS: LazyLock<Vec<(String, WorldData)>> = LazyLock::new(|| {
    let cases = [
        (24, 24, 2, 12),
        (24, 60, 3, 8),
        (33, 29, 4, 8),
        (64, 64, 3, 6),
        (110, 128, 5, 2),
        (80, 50, 9, 2),
    ];
    let mut buildings = Vec::new();
    for (width, height, floors, n_seeds) in cases {
        for seed in 0..n_seeds {
            let name = format!("{width} x {height}, {floors} floors, seed {seed}");
            buildings.push((name, building(width, height, floors, seed)));
        }
    }
    buildings
});

/// Reference flood fill over the data: the cells that an agent with these keys reaches from the
/// corner of the yard. Straight steps suffice.
fn reachable(data: &WorldData, keys: u32) -> OrderedSet<Cell> {
    let floors: OrderedSet<Cell> = data.cells.iter().map(|(cell, _)| *cell).collect();
    let walls: OrderedSet<Wall> = data.walls.iter().copied().collect();
    let mut reached = OrderedSet::new();
    let mut successors: OrderedMap<Cell, Vec<Cell>> = OrderedMap::new();
    for nav_link in data
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
                let has_wall = match (dx, dy) {
                    (1, _) => wall(cell, WallSide::East),
                    (-1, _) => wall(next, WallSide::East),
                    (_, 1) => wall(cell, WallSide::South),
                    _ => wall(next, WallSide::South),
                };
                if floors.contains(&next) && !has_wall {
                    stack.push(next);
                }
            }
        }
    }
    reached
}

#[test]
fn floors_of_a_column_are_at_least_three_steps_apart() {
    for (name, data) in &*BUILDINGS {
        let mut cells: Vec<Cell> = data.cells.iter().map(|(cell, _)| *cell).collect();
        cells.sort_unstable();
        for pair in cells.windows(2) {
            let is_same = pair[0].column() == pair[1].column();
            assert!(!is_same || pair[1].z - pair[0].z >= 3, "{name}: {pair:?}");
        }
    }
}

#[test]
fn every_nav_link_and_wall_is_on_a_floor() {
    for (name, data) in &*BUILDINGS {
        let floors: OrderedSet<Cell> = data.cells.iter().map(|(cell, _)| *cell).collect();
        let walls: OrderedSet<Wall> = data.walls.iter().copied().collect();
        assert_eq!(walls.len(), data.walls.len(), "{name}");
        for wall in &data.walls {
            assert!(floors.contains(&wall.cell), "{name}: {wall:?}");
        }
        for nav_link in &data.nav_links {
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
fn the_key_makes_every_cell_reachable() {
    for (name, data) in &*BUILDINGS {
        let all = data.cells.len();
        assert_eq!(reachable(data, 1).len(), all, "{name}");
        let without = reachable(data, 0).len();
        assert!(
            without < all && without * 10 >= all * 8,
            "{name}: {without} of {all}"
        );
    }
}

#[test]
fn every_floor_is_reachable_by_stairs_alone() {
    for (name, data) in &*BUILDINGS {
        let mut data = data.clone();
        data.nav_links
            .retain(|nav_link| nav_link.kind == NavLinkKind::Door);
        let highest = data.cells.iter().map(|(cell, _)| cell.z).max().unwrap();
        let reached = reachable(&data, 1);
        for z in (0..=highest).step_by(FLOOR_HEIGHT as usize) {
            assert!(
                reached.iter().any(|cell| cell.z == z),
                "{name}: floor at {z}"
            );
        }
    }
}

#[test]
fn every_kind_of_connection_is_present() {
    for (name, data) in &*BUILDINGS {
        let count = |kind| {
            data.nav_links
                .iter()
                .filter(|nav_link| nav_link.kind == kind)
                .count()
        };
        let n_up = data.cells.iter().map(|(cell, _)| cell.z).max().unwrap() / FLOOR_HEIGHT;
        let n_up = usize::try_from(n_up).unwrap();
        assert!(count(NavLinkKind::Door) > 2 * n_up, "{name}");
        assert_eq!(count(NavLinkKind::Stairs), n_up, "{name}");
        assert_eq!(count(NavLinkKind::Ladder), n_up + 1, "{name}");
        assert_eq!(count(NavLinkKind::Drop), 1, "{name}");
        let locked = data
            .nav_links
            .iter()
            .filter(|nav_link| nav_link.state == LinkState::Locked(1));
        assert_eq!(locked.count(), 1, "{name}");
        let one_way = data
            .nav_links
            .iter()
            .filter(|nav_link| nav_link.direction == LinkDirection::OneWay);
        assert!(
            one_way.eq(data
                .nav_links
                .iter()
                .filter(|nav_link| nav_link.kind == NavLinkKind::Drop))
        );
        assert!(
            data.nav_links
                .iter()
                .any(|nav_link| nav_link.state == LinkState::Closed),
            "{name}"
        );
    }
}

#[test]
fn a_bridge_crosses_the_hall_on_every_upper_floor() {
    for seed in 0..5 {
        let recipe = Recipe {
            n_floors: 4,
            ..Recipe::new(Generator::Building, 64, 50, seed)
        };
        let (hall, data) = (Building::new(&recipe).hall, building(64, 50, 4, seed));
        let n_cells_in_hall = |floor: i32| {
            let cells = data.cells.iter().map(|(cell, _)| *cell);
            cells
                .filter(|cell| hall.contains(cell.column()) && cell.z == floor * FLOOR_HEIGHT)
                .count()
        };
        let n_hall = (hall.width() * hall.height()) as usize;
        assert!(
            n_cells_in_hall(0) * 10 >= n_hall * 8,
            "{} of {n_hall}",
            n_cells_in_hall(0)
        );
        for floor in 1..4 {
            let n_bridge = n_cells_in_hall(floor);
            let min_side = hall.width().min(hall.height()) as usize;
            assert!(
                n_bridge >= min_side && n_bridge * 2 < n_hall,
                "{n_bridge} of {n_hall}"
            );
        }
    }
}

#[test]
fn invalid_buildings_are_rejected() {
    let check = |recipe: Recipe, message: &str| {
        assert_eq!(make(&recipe).unwrap_err().to_string(), message);
    };
    let small = Recipe::new(Generator::Building, 23, 90, 1);
    check(
        small,
        "building: size 23 x 90, expected sides of at least 24",
    );
    let low = Recipe {
        n_floors: 1,
        ..Recipe::new(Generator::Building, 50, 50, 1)
    };
    check(low, "building: floors is 1, expected 2 to 40");
    let large = Recipe::new(Generator::Building, 4096, 4096, 1);
    check(
        large,
        "building: 50331648 cells in all, expected at most 16777216",
    );
}
