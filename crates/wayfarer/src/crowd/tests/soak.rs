//! Random edits, doors and orders for thousands of ticks.

use wayfarer_engine::base::Rng;

use super::*;

const SIDE: u32 = 18;
const RADIUS: f64 = 0.4;

/// True if a disc overlaps the square of a cell.
fn is_inside(position: Position, (x, y): (u32, u32)) -> bool {
    let [at_x, at_y, _] = position.units();
    let (x, y) = (f64::from(x), f64::from(y));
    let (dx, dy) = (at_x - at_x.clamp(x, x + 1.0), at_y - at_y.clamp(y, y + 1.0));
    dx * dx + dy * dy < (RADIUS - 1e-3) * (RADIUS - 1e-3)
}

#[test]
fn no_agent_is_in_a_wall_in_ten_thousand_ticks_of_edits_doors_and_orders() {
    let row = ".".repeat(SIDE as usize);
    let mut world = world(&vec![row.as_str(); SIDE as usize], Scale::UNIT);
    let wall = ThinWall {
        from: at(9.0, 0.0),
        to: at(9.0, 12.0),
    };
    world.apply(&[Edit::add_wall(wall)]).unwrap();
    let door = NavLink::new(at(8.5, 4.5), at(9.5, 4.5), NavLinkKind::Door);
    let (link, _) = world.add_link(door).unwrap();
    let mut scene = Scene::new(world, CrowdOptions::default());
    let agents: Vec<_> = (0..12)
        .map(|n| scene.add(at(f64::from(n) + 0.5, 14.5)))
        .collect();
    let mut rng = Rng::new(2_525);
    let mut solids = VecDeque::new();
    for tick in 0..10_000 {
        if tick % 9 == 0 {
            let cell = (rng.below(SIDE), rng.below(SIDE));
            let low = at(f64::from(cell.0), f64::from(cell.1));
            let high = Position::new(f64::from(cell.0) + 1.0, f64::from(cell.1) + 1.0, 3.0);
            if let Ok((id, _)) = scene.world.add_solid(Solid::cuboid(low, high)) {
                solids.push_back((id, cell));
            }
            if solids.len() > 8
                && let Some((id, _)) = solids.pop_front()
            {
                scene.world.remove_solid(id).unwrap();
            }
        }
        if tick % 31 == 0 {
            let state = [LinkState::Open, LinkState::Closed][rng.below(2) as usize];
            scene
                .world
                .apply(&[Edit::set_link_state(link, state)])
                .unwrap();
        }
        if tick % 5 == 0 {
            let agent = agents[rng.below(12) as usize];
            let goal = at(
                f64::from(rng.below(SIDE)) + 0.5,
                f64::from(rng.below(SIDE)) + 0.5,
            );
            scene.order(agent, goal);
        }
        scene.planner.update(&scene.world);
        scene.planner.take_events();
        scene
            .crowd
            .tick(&mut scene.world, &mut scene.planner)
            .unwrap();
        for agent in &agents {
            let position = scene.crowd.position(*agent).unwrap();
            let found = solids.iter().find(|(_, cell)| is_inside(position, *cell));
            assert!(
                found.is_none(),
                "tick {tick}: {agent:?} at {position} in {found:?}"
            );
        }
        scene.crowd.take_events();
    }
}
