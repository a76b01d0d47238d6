//! Flyers, groups along a flow field, and density as a cost.

use super::*;

/// A world with air of 24 units on a side and a solid cube in its middle, and a type that flies.
fn sky() -> (Scene, AgentTypeId) {
    let mut world = world(&["........................"; 24], Scale::UNIT);
    let corner = |at: f64| Position::new(at, at, at);
    world.add_air(corner(0.0), corner(23.5)).unwrap();
    let cube = Solid::cuboid(corner(10.0), corner(14.0));
    world.add_solid(cube).unwrap();
    let flyer = world.add_agent_type(AgentType::FLIGHT).unwrap();
    (Scene::new(world, CrowdOptions::default()), flyer)
}

pub(super) fn add_flyer(
    scene: &mut Scene,
    agent_type: AgentTypeId,
    position: Position,
) -> CrowdAgentId {
    let body = scene.add_body(position, 0.4);
    let agent = CrowdAgent {
        agent_type,
        ..CrowdAgent::default()
    };
    scene.crowd.add(&scene.world, body, agent).unwrap()
}

/// Flyers at the corners of a square that exchange places around the cube.
fn exchange(scene: &mut Scene, agent_type: AgentTypeId) -> Vec<(CrowdAgentId, Position)> {
    let mut agents = Vec::new();
    for (x, y, z) in [
        (2.5, 2.5, 12.5),
        (21.5, 21.5, 11.5),
        (2.5, 21.5, 12.5),
        (21.5, 2.5, 11.5),
        (12.5, 2.5, 4.5),
        (12.5, 21.5, 19.5),
    ] {
        let agent = add_flyer(scene, agent_type, Position::new(x, y, z));
        let goal = Position::new(24.0 - x, 24.0 - y, 24.0 - z);
        scene.order(agent, goal);
        agents.push((agent, goal));
    }
    agents
}

#[test]
fn flyers_follow_their_paths_in_three_dimensions_around_a_solid() {
    let (mut scene, flyer) = sky();
    let agents = exchange(&mut scene, flyer);
    let mut n_arrived = 0;
    for _ in 0..1_500 {
        let events = scene.tick();
        n_arrived += events
            .iter()
            .filter(|event| matches!(event, CrowdEvent::Arrived { .. }))
            .count();
        for (agent, _) in &agents {
            let [x, y, z] = scene.crowd.position(*agent).unwrap().units();
            let gap = [x, y, z].map(|at| at - at.clamp(10.0, 14.0));
            let squared = gap.iter().map(|gap| gap * gap).sum::<f64>();
            assert!(squared.sqrt() >= 0.4 - 0.005, "in the cube at {x} {y} {z}");
        }
    }
    assert_eq!(n_arrived, agents.len());
    for (agent, goal) in agents {
        let end = scene.crowd.position(agent).unwrap();
        assert!(end.distance(goal) < 0.06, "{end} instead of {goal}");
        assert_eq!(scene.crowd.vertical_speed(agent), Some(0.0));
    }
}

#[test]
fn flyers_are_saved_replanned_around_new_solids_and_removed() {
    let (mut scene, flyer) = sky();
    let agents = exchange(&mut scene, flyer);
    let walker = scene.add(at(2.5, 2.5));
    scene.order(walker, at(20.5, 20.5));
    scene.run(60);
    let saved = (scene.world.save(), scene.planner.save(), scene.crowd.save());
    let wall = Solid::cuboid(Position::new(6.0, 4.0, 2.0), Position::new(7.0, 20.0, 22.0));
    let finish = |mut scene: Scene| {
        scene.world.add_solid(wall.clone()).unwrap();
        scene.run(1_500);
        for (agent, goal) in &agents {
            let end = scene.crowd.position(*agent).unwrap();
            assert!(end.distance(*goal) < 0.06, "{end} instead of {goal}");
        }
        scene
    };
    let world = World::load(&saved.0).unwrap();
    let loaded = Scene {
        planner: Planner::load(&saved.1, &world).unwrap(),
        crowd: Crowd::load(&saved.2, &world).unwrap(),
        world,
    };
    let (mut one, two) = (finish(scene), finish(loaded));
    assert_eq!(one.crowd.state_hash(), two.crowd.state_hash());
    let gone = agents[2].0;
    one.crowd.remove(&mut one.planner, gone).unwrap();
    assert_eq!(one.crowd.position(gone), None);
    assert!(one.crowd.remove(&mut one.planner, gone).is_err());
    assert_eq!(one.crowd.agents().count(), agents.len());
}

#[test]
fn a_group_goes_to_one_place_along_a_flow_field_and_around_a_new_wall() {
    let rows = [
        "..............................",
        "............#.................",
        "............#.................",
        "............#.................",
        "............#.................",
        "..............................",
    ];
    let mut scene = Scene::drawn(&rows);
    let mut agents = Vec::new();
    for index in 0..20_u32 {
        let (x, y) = (f64::from(index % 4), f64::from(index / 4));
        agents.push(scene.add(at(1.5 + x, 0.5 + y)));
    }
    let goal = at(26.5, 3.5);
    let order = (Goal::from(goal), 100.0);
    let (world, planner) = (&scene.world, &mut scene.planner);
    scene
        .crowd
        .order_flow(world, planner, &agents, order)
        .unwrap();
    scene.run(40);
    let wall = Solid::cuboid(Position::new(18.0, 0.0, 0.0), Position::new(19.0, 4.0, 3.0));
    scene.world.add_solid(wall).unwrap();
    let saved = (scene.world.save(), scene.planner.save(), scene.crowd.save());
    scene.run(2_500);
    for agent in &agents {
        assert_eq!(scene.crowd.state(*agent), Some(CrowdAgentState::Arrived));
        let end = scene.crowd.position(*agent).unwrap();
        assert!(end.distance(goal) < 4.0, "{end}");
    }
    let world = World::load(&saved.0).unwrap();
    let mut loaded = Scene {
        planner: Planner::load(&saved.1, &world).unwrap(),
        crowd: Crowd::load(&saved.2, &world).unwrap(),
        world,
    };
    loaded.run(2_500);
    assert_eq!(loaded.crowd.state_hash(), scene.crowd.state_hash());
    // A reach that is no length is refused.
    let refused = scene.crowd.order_flow(
        &scene.world,
        &mut scene.planner,
        &agents,
        (Goal::from(goal), f64::NAN),
    );
    assert!(refused.is_err());
}

/// Ticks until 40 agents have passed a wall with a near and a far gate of one cell.
fn ticks_through_gates(waiting_cost: f64) -> usize {
    let mut rows = vec![".".repeat(40); 24];
    for (y, row) in rows.iter_mut().enumerate() {
        if y != 4 && y != 20 {
            row.replace_range(14..15, "#");
        }
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let options = CrowdOptions {
        waiting_cost,
        ..CrowdOptions::default()
    };
    let mut scene = Scene::new(world(&rows, Scale::UNIT), options);
    let mut agents = Vec::new();
    for index in 0..40_u32 {
        let (x, y) = (f64::from(index % 8), f64::from(index / 8));
        agents.push(scene.add(at(1.5 + 1.5 * x, 0.5 + 1.5 * y)));
    }
    for (index, agent) in (0_u32..).zip(&agents) {
        let (x, y) = (f64::from(index % 8), f64::from(index / 8));
        scene.order(*agent, at(24.5 + 1.5 * x, 8.5 + 1.5 * y));
    }
    let is_there = |scene: &Scene| {
        let mut agents = agents.iter();
        agents.all(|id| scene.crowd.state(*id) == Some(CrowdAgentState::Arrived))
    };
    for tick in 0..4_000 {
        scene.tick();
        if is_there(&scene) {
            return tick;
        }
    }
    4_000
}

#[test]
fn agents_that_are_held_up_make_others_take_the_far_gate() {
    let (without, with) = (ticks_through_gates(0.0), ticks_through_gates(1.5));
    assert!(with * 10 < without * 9, "{with} ticks, {without} without");
}

#[test]
fn a_bad_waiting_cost_is_refused() {
    let world = world(&["...."], Scale::UNIT);
    for waiting_cost in [-1.0, f64::NAN, 1e9] {
        let options = CrowdOptions {
            waiting_cost,
            ..CrowdOptions::default()
        };
        let refused = Crowd::new(&world, options);
        assert!(matches!(refused, Err(CrowdError::BadNumber(_))));
    }
}
