//! Random edits, doors and orders for thousands of ticks.

use wayfarer_engine::base::Rng;

use super::*;

const SIDE: u32 = 18;
const RADIUS: f64 = 0.4;

/// A random whole number of meters.
fn meters(rng: &mut Rng, below: u32) -> f64 {
    f64::from(rng.below(below))
}

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

/// True if a body overlaps a box: a disc beside one that rises over it by more than a step, or a ball.
fn overlaps(position: Position, is_flyer: bool, low: [f64; 3], high: [f64; 3]) -> bool {
    let at = position.units();
    let offset = [0, 1, 2].map(|axis| at[axis] - at[axis].clamp(low[axis], high[axis]));
    let [dx, dy, dz] = offset.map(|offset| offset * offset);
    if is_flyer {
        return dx + dy + dz < (RADIUS - 5e-3) * (RADIUS - 5e-3);
    }
    let is_beside = low[2] < at[2] + 1.0 && high[2] > at[2] + 1.01;
    is_beside && dx + dy < (RADIUS - 1e-3) * (RADIUS - 1e-3)
}

#[test]
fn no_walker_flyer_or_group_is_in_a_wall_on_any_of_two_floors() {
    const SIDE: u32 = 24;
    let row = ".".repeat(SIDE as usize);
    let mut world = world(&vec![row.as_str(); SIDE as usize], Scale::UNIT);
    let air = Position::new(23.5, 23.5, 11.5);
    world.add_air(at(0.0, 0.0), air).unwrap();
    // A bridge with stairs at both ends; walkers pass over and under it.
    let boxed = |low: [f64; 3], high: [f64; 3]| {
        let corner = |[x, y, z]: [f64; 3]| Position::new(x, y, z);
        Solid::cuboid(corner(low), corner(high))
    };
    for step in 1..=3 {
        let (x, top) = (f64::from(step), f64::from(step));
        for west in [x, 22.0 - x] {
            let stair = boxed([west, 10.0, 0.0], [west + 1.0, 13.0, top]);
            world.add_solid(stair).unwrap();
        }
    }
    let (low, high) = ([4.0, 10.0, 3.0], [19.0, 13.0, 4.0]);
    world.add_solid(boxed(low, high)).unwrap();
    let flyer = world.add_agent_type(AgentType::FLIGHT).unwrap();
    let mut scene = Scene::new(world, CrowdOptions::default());
    let walkers: Vec<_> = (0..12)
        .map(|n| scene.add(at(f64::from(n) * 1.5 + 1.0, 16.5)))
        .collect();
    let flyers: Vec<_> = (0..6)
        .map(|n| {
            let position = Position::new(f64::from(n) * 3.0 + 2.5, 5.5, 8.5);
            groups::add_flyer(&mut scene, flyer, position)
        })
        .collect();
    let mut rng = Rng::new(2_526);
    let mut solids = VecDeque::from([(None, low, high)]);
    let (mut n_over, mut n_under) = (0, 0);
    for tick in 0..10_000 {
        if tick % 23 == 0 {
            let (x, y, z) = (
                meters(&mut rng, SIDE),
                meters(&mut rng, SIDE),
                [0.0, 4.0, 7.0][rng.below(3) as usize],
            );
            let (low, high) = ([x, y, z], [x + 1.0, y + 1.0, z + 2.0]);
            if let Ok((id, _)) = scene.world.add_solid(boxed(low, high)) {
                solids.push_back((Some(id), low, high));
            }
            if solids.len() > 10
                && let Some((Some(id), ..)) = solids.remove(1)
            {
                scene.world.remove_solid(id).unwrap();
            }
        }
        if tick % 7 == 0 {
            let goal = Position::new(
                meters(&mut rng, SIDE) + 0.5,
                meters(&mut rng, SIDE) + 0.5,
                meters(&mut rng, 2) * 4.0,
            );
            let first = rng.below(9) as usize;
            let group = &walkers[first..first + 3];
            let Scene {
                crowd,
                planner,
                world,
            } = &mut scene;
            match rng.below(12) as usize {
                0 => crowd
                    .order_group(planner, group, goal, (Formation::Wedge, 1.5))
                    .unwrap(),
                1 => crowd
                    .order_flow(world, planner, group, (goal.into(), 60.0))
                    .unwrap(),
                2..=5 => {
                    let goal = Position::new(
                        meters(&mut rng, 23) + 0.5,
                        meters(&mut rng, 23) + 0.5,
                        meters(&mut rng, 11) + 0.5,
                    );
                    let agent = flyers[rng.below(6) as usize];
                    crowd.order(planner, agent, goal).unwrap();
                }
                _ => crowd.order(planner, walkers[first], goal).unwrap(),
            }
        }
        scene.planner.update(&scene.world);
        scene.planner.take_events();
        scene
            .crowd
            .tick(&mut scene.world, &mut scene.planner)
            .unwrap();
        for (agent, is_flyer) in walkers
            .iter()
            .map(|one| (one, false))
            .chain(flyers.iter().map(|one| (one, true)))
        {
            let position = scene.crowd.position(*agent).unwrap();
            let [x, y, z] = position.units();
            let is_in =
                |(_, low, high): &&(Option<_>, _, _)| overlaps(position, is_flyer, *low, *high);
            let found = solids.iter().find(is_in);
            assert!(
                found.is_none(),
                "tick {tick}: {agent:?} at {position} in {found:?}"
            );
            let is_at_bridge = !is_flyer && (5.0..18.0).contains(&x) && (10.0..13.0).contains(&y);
            n_over += usize::from(is_at_bridge && z > 3.5);
            n_under += usize::from(is_at_bridge && z < 0.5);
        }
        assert!(scene.crowd.max_overlap() <= 0.05 + 1e-9, "tick {tick}");
        scene.crowd.take_events();
    }
    assert!(
        n_over > 1_000 && n_under > 1_000,
        "{n_over} over, {n_under} under the bridge"
    );
}
