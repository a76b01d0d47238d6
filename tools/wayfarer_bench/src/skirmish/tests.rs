use super::game::Game;
use super::units::Kind;
use super::*;
use wayfarer::Position;

#[test]
fn a_short_game_keeps_every_promise() {
    let arguments = Arguments {
        n_agents: 60,
        n_ticks: 60,
        seed: 3,
    };
    let report = arguments.run(false, |_, _| {}).unwrap();
    assert_eq!(report.figures.faults(), Vec::<String>::new());
    assert!(report.resumed_equal && report.inside == 0 && report.over_budget == 0);
    assert!(report.solids[0] > 0 && report.paths[0] > 0 && report.group_orders > 0);
    let json = report.to_json();
    for key in [
        "tick_ms",
        "parts",
        "inside",
        "max_wait_ticks",
        "resumed_equal",
    ] {
        assert!(json.contains(&format!("\"{key}\"")), "{key}: {json}");
    }
}

#[test]
fn the_disc_test_finds_units_in_walls_doors_tiles_and_solids() {
    let mut game = Game::new(3, 20).unwrap();
    for _ in 0..4 {
        game.edit().unwrap();
    }
    let soldier = game.units.iter().find(|unit| unit.kind == Kind::Soldier);
    let mut soldier = soldier.unwrap().clone();
    assert_eq!(discs::inside(&game, &soldier), None);
    let mut inside_at = |game: &Game, x: f64, y: f64| {
        soldier.at = Position::new(x, y, 0.0);
        discs::inside(game, &soldier).is_some()
    };
    // Beside the first wall, which runs along x, and across it.
    let wall = game.map.walls[0];
    let [x, y] = wall.from.map(f64::from);
    assert!(inside_at(&game, x + 1.5, y + 0.3) && inside_at(&game, x + 1.5, y - 0.3));
    // In the first door, which lies in this wall: open, then closed.
    let door = game.map.doors[0].inside.map(f64::from);
    assert!(!inside_at(&game, door[0] + 0.5, y));
    game.doors[0].1 = false;
    assert!(inside_at(&game, door[0] + 0.5, y));
    // Solids stand on any tile: ask for what the unit is inside of.
    let block = game.solids[0];
    let [x, y] = [block.low[0], block.low[1]].map(f64::from);
    let is_in_solid = |x: f64, y: f64| {
        let mut unit = game.units[0].clone();
        unit.at = Position::new(x, y, 0.0);
        discs::inside(&game, &unit).is_some_and(|what| what.contains("solid"))
    };
    assert!(is_in_solid(x - 0.3, y + 0.1) && !is_in_solid(x - 0.5, y + 0.1));
    assert!(is_in_solid(x - 0.2, y - 0.2) && !is_in_solid(x - 0.3, y - 0.3));
    let wet = game
        .map
        .tiles
        .iter()
        .position(|tile| *tile == map::Tile::Water);
    let wet = i32::try_from(wet.unwrap()).unwrap();
    assert!(inside_at(
        &game,
        f64::from(wet % map::SIDE) + 0.5,
        f64::from(wet / map::SIDE) + 0.5
    ));
    assert!(inside_at(&game, 0.2, 0.2));
}
