//! Known results of the reference searches.

use wayfarer_base::{Column, GroundEdit, NavLinkKind, Rect, Rng, Terrain};

use super::*;
use crate::ascii;

fn world(drawing: &str) -> ReferenceWorld {
    ReferenceWorld::new(&ascii::world(drawing))
}

fn units(straight: u32, diagonal: u32) -> Option<Cost> {
    Some(Cost::from_units(1463 * straight + 2069 * diagonal))
}

#[test]
fn the_optimal_path_is_found_around_corners() {
    let world = world(
        "
        .....
        ..##.
        ..#..
        .....
        ",
    );
    let profile = &Profile::DEFAULT;
    let cost = |x, y, to_x, to_y| {
        let (from, to) = (Cell::flat(x, y), Cell::flat(to_x, to_y));
        assert_eq!(
            world.path_cost(from, to, profile),
            world.path_cost(to, from, profile)
        );
        world.path_cost(from, to, profile)
    };
    assert_eq!(cost(0, 0, 4, 0), units(4, 0));
    assert_eq!(cost(0, 0, 4, 3), units(5, 1));
    assert_eq!(cost(1, 1, 3, 2), units(5, 0));
    assert_eq!(cost(1, 1, 1, 1), units(0, 0));
    assert_eq!(cost(0, 0, 2, 1), None);
}

#[test]
fn a_cheap_detour_beats_a_costly_straight_path() {
    let world = world(
        "
        .SSS.
        .....
        ",
    );
    let costly = wayfarer_base::CostMultiplier::from_sixteenths(64).unwrap();
    let profile = Profile {
        terrain_costs: vec![(Terrain::SWAMP, costly)],
        ..Profile::DEFAULT
    };
    let (from, to) = (Cell::flat(0, 0), Cell::flat(4, 0));
    assert_eq!(world.path_cost(from, to, &profile), units(2, 2));
    let path = [(0, 0), (1, 1), (2, 1), (3, 1), (4, 0)].map(|(x, y)| Cell::flat(x, y));
    assert_eq!(world.check_path(&path, &profile).ok(), units(2, 2));
}

#[test]
fn a_path_is_checked_step_by_step() {
    let world = world("...\n.#.");
    let profile = &Profile::DEFAULT;
    let check = |path: &[(i32, i32)]| {
        let path: Vec<Cell> = path.iter().map(|&(x, y)| Cell::flat(x, y)).collect();
        world.check_path(&path, profile)
    };
    assert_eq!(check(&[(0, 1), (0, 0), (1, 0)]), Ok(units(2, 0).unwrap()));
    assert_eq!(check(&[(2, 1)]), Ok(Cost::ZERO));
    assert!(check(&[]).unwrap_err().contains("no cell"));
    assert!(check(&[(1, 1)]).unwrap_err().contains("start (1, 1, 0)"));
    let corner = check(&[(0, 0), (0, 1), (1, 0)]).unwrap_err();
    assert!(
        corner.starts_with("step 1 from (0, 1, 0) to (1, 0, 0)"),
        "{corner}"
    );
    assert!(check(&[(0, 0), (2, 0)]).is_err());
    assert!(
        check(&[(0, 0), (0, 0)]).is_err(),
        "a path has no repeated cell"
    );
}

#[test]
fn one_way_links_connect_components_but_lead_one_way() {
    let mut world = world("..#..#..");
    let (west, center) = (Cell::flat(1, 0), Cell::flat(3, 0));
    world.apply(&[GroundEdit::PutNavLink(ascii::one_way(
        NavLinkKind::Drop,
        west,
        center,
        50,
    ))]);
    let profile = &Profile::DEFAULT;
    let components =
        |map: &BTreeMap<Cell, Cell>| -> Vec<i32> { map.values().map(|c| c.x).collect() };
    assert_eq!(components(&world.components(profile)), [0, 0, 0, 0, 6, 6]);
    assert_eq!(world.dijkstra(west, profile).len(), 4);
    assert_eq!(world.dijkstra(center, profile).len(), 2);
    assert_eq!(world.dijkstra(Cell::flat(2, 0), profile).len(), 0);
}

#[test]
fn reachable_cells_lie_in_one_component() {
    let mut rng = Rng::new(8);
    let mut n_disconnected = 0;
    for _ in 0..15 {
        let mut world = ReferenceWorld::default();
        for column in Rect::around(Column::new(-4, -4), Column::new(4, 4)).columns() {
            if rng.chance(2, 3) {
                let (cell, terrain) = (column.at(rng.between(0, 3)), Terrain::GROUND);
                world.apply(&[GroundEdit::PutCell { cell, terrain }]);
            }
        }
        let profile = Profile {
            max_drop: 2,
            ..Profile::DEFAULT
        };
        let components = world.components(&profile);
        for (cell, component) in &components {
            let reached = world.dijkstra(*cell, &profile);
            assert!(reached.keys().all(|other| components[other] == *component));
            n_disconnected += components.len() - reached.len();
        }
    }
    assert!(
        n_disconnected > 1_000,
        "disconnected cells were checked: {n_disconnected}"
    );
}
