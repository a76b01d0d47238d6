//! Crowds over worlds drawn in letters.

mod groups;
mod soak;

use super::*;
use crate::BodyShape;
use crate::prelude::*;
use crate::{LinkState, NavLink, NavLinkKind, ThinWall};

fn world(rows: &[&str], scale: Scale) -> World {
    let (width, height) = (rows[0].len(), rows.len());
    let rows = rows.join("\n").replace('#', "@");
    let map = format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}\n");
    World::import("test.map", map.as_bytes(), scale).unwrap()
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

/// A world, a planner and a crowd of agents of radius 0.4.
struct Scene {
    world: World,
    planner: Planner,
    crowd: Crowd,
}

impl Scene {
    fn new(world: World, options: CrowdOptions) -> Self {
        Self {
            crowd: Crowd::new(&world, options).unwrap(),
            planner: Planner::new(PlannerOptions::default()),
            world,
        }
    }

    fn drawn(rows: &[&str]) -> Self {
        Self::new(world(rows, Scale::UNIT), CrowdOptions::default())
    }

    fn add(&mut self, position: Position) -> CrowdAgentId {
        let body = self.add_body(position, 0.4);
        let agent = CrowdAgent::default();
        self.crowd.add(&self.world, body, agent).unwrap()
    }

    fn add_body(&mut self, position: Position, radius: f64) -> BodyId {
        let body = Body {
            position,
            shape: BodyShape::disc(radius),
            blocks_movement: false,
            ..Body::default()
        };
        self.world.add_body(body).unwrap()
    }

    fn order(&mut self, agent: CrowdAgentId, goal: impl Into<Goal>) {
        self.crowd.order(&mut self.planner, agent, goal).unwrap();
    }

    fn tick(&mut self) -> Vec<CrowdEvent> {
        self.planner.update(&self.world);
        self.planner.take_events();
        self.crowd.tick(&mut self.world, &mut self.planner).unwrap();
        self.check();
        self.crowd.take_events()
    }

    /// Ticks until an event, which must come.
    fn until(&mut self, expected: &CrowdEvent) -> usize {
        let limit = 2_000;
        let found = (0..limit).position(|_| self.tick().contains(expected));
        found.unwrap_or_else(|| panic!("{expected:?} does not come in {limit} ticks"))
    }

    fn run(&mut self, n_ticks: usize) -> Vec<CrowdEvent> {
        (0..n_ticks).flat_map(|_| self.tick()).collect()
    }

    /// Bodies are where agents are, on floors, off each other.
    fn check(&self) {
        for agent in self.crowd.agents() {
            let position = self.crowd.position(agent).unwrap();
            let body = self.world.body(self.crowd.body(agent).unwrap()).unwrap();
            assert!(body.position.distance(position) < 0.01, "{position}");
            let is_floor = self
                .world
                .project_to_floor(AgentTypeId::DEFAULT, position)
                .is_some();
            assert!(is_floor, "an agent at {position} has no floor");
        }
        assert!(self.crowd.max_overlap() <= 0.05 + 1e-9);
    }
}

#[test]
fn an_agent_walks_around_a_wall_to_a_position_a_distance_or_an_area() {
    let rows = ["..........", "....#.....", "....#.....", "....#....."];
    let goal = at(8.5, 2.5);
    let area = Area::rect(at(7.0, 0.0), at(10.0, 4.0));
    let center = goal;
    for (goal, distance) in [
        (Goal::from(goal), 0.06),
        (
            Goal::Within {
                center,
                distance: 2.0,
            },
            2.1,
        ),
        (Goal::Area(area), 3.0),
    ] {
        let mut scene = Scene::drawn(&rows);
        let agent = scene.add(at(1.5, 2.5));
        assert_eq!(scene.crowd.state(agent), Some(CrowdAgentState::Idle));
        scene.order(agent, goal.clone());
        assert_eq!(scene.crowd.state(agent), Some(CrowdAgentState::Planning));
        let n_ticks = scene.until(&CrowdEvent::Arrived { agent });
        assert!(n_ticks < 400, "{goal:?}: {n_ticks} ticks");
        let end = scene.crowd.position(agent).unwrap();
        assert!(end.distance(center) <= distance, "{goal:?}: {end}");
        assert_eq!(scene.crowd.state(agent), Some(CrowdAgentState::Arrived));
        assert_eq!(scene.crowd.request(agent), None);
    }
}

#[test]
fn lengths_are_in_world_units_at_any_scale() {
    let scale = Scale::meters(0.5);
    let mut scene = Scene::new(
        world(&[&".".repeat(40)[..]; 3], scale),
        CrowdOptions::default(),
    );
    let body = scene.add_body(at(0.75, 0.75), 0.2);
    let agent = scene
        .crowd
        .add(&scene.world, body, CrowdAgent::default())
        .unwrap();
    scene.order(agent, at(18.75, 0.75));
    scene.run(60);
    let moved = scene
        .crowd
        .position(agent)
        .unwrap()
        .distance(at(0.75, 0.75));
    // Two seconds at 1.5 units a second, less a quarter of a second to speed up.
    assert!((2.5..=3.0).contains(&moved), "{moved}");
    let velocity = scene.crowd.velocity(agent).unwrap();
    assert!((velocity[0] - 1.5).abs() < 1e-9, "{velocity:?}");
}

#[test]
fn agents_pass_each_other_and_settle_around_one_goal() {
    let mut scene = Scene::drawn(&["............"; 8]);
    let (west, east) = (scene.add(at(1.5, 4.0)), scene.add(at(10.5, 4.0)));
    scene.order(west, at(10.5, 4.0));
    scene.order(east, at(1.5, 4.0));
    let events = scene.run(300);
    for agent in [west, east] {
        assert!(
            events.contains(&CrowdEvent::Arrived { agent }),
            "{events:?}"
        );
    }
    let others: Vec<_> = (0..6)
        .map(|x| scene.add(at(1.5 + f64::from(x), 1.5)))
        .collect();
    for agent in &others {
        scene.order(*agent, at(6.0, 6.0));
    }
    scene.run(600);
    for agent in others {
        let end = scene.crowd.position(agent).unwrap();
        assert_eq!(scene.crowd.state(agent), Some(CrowdAgentState::Arrived));
        assert!(end.distance(at(6.0, 6.0)) < 2.5, "{end}");
    }
}

#[test]
fn a_wall_that_goes_up_is_walked_around_and_displaces() {
    let mut scene = Scene::drawn(&["............"; 6]);
    let (walker, sleeper) = (scene.add(at(1.5, 2.5)), scene.add(at(6.5, 4.5)));
    scene.order(walker, at(10.5, 2.5));
    scene.run(30);
    let wall = Solid::cuboid(at(6.0, 1.0), Position::new(7.0, 6.0, 3.0));
    scene.world.add_solid(wall).unwrap();
    let events = scene.tick();
    let displaced = CrowdEvent::Displaced { agent: sleeper };
    assert!(events.contains(&displaced), "{events:?}");
    scene.until(&CrowdEvent::Arrived { agent: walker });
}

/// Two rooms with a door between them, and the link of the door.
fn rooms(options: CrowdOptions) -> (Scene, crate::LinkId) {
    let mut world = world(&["........"; 3], Scale::UNIT);
    let wall = ThinWall {
        from: at(4.0, 0.0),
        to: at(4.0, 3.0),
    };
    world.apply(&[Edit::add_wall(wall)]).unwrap();
    let door = NavLink::new(at(3.5, 1.5), at(4.5, 1.5), NavLinkKind::Door);
    let (link, _) = world.add_link(door).unwrap();
    (Scene::new(world, options), link)
}

#[test]
fn a_door_is_announced_reached_and_passed() {
    let (mut scene, link) = rooms(CrowdOptions::default());
    let link = Some(link);
    let agent = scene.add(at(0.5, 0.5));
    scene.order(agent, at(7.5, 2.5));
    let ahead = scene.until(&CrowdEvent::LinkAhead { agent, link });
    let reached = scene.until(&CrowdEvent::ReachedLink { agent, link });
    assert!(ahead > 0 && reached > 0);
    scene.until(&CrowdEvent::Arrived { agent });
}

#[test]
fn a_door_waits_for_the_game_or_until_it_opens() {
    let options = CrowdOptions {
        waits_at_links: true,
        ..CrowdOptions::default()
    };
    let (mut scene, link) = rooms(options);
    let agent = scene.add(at(0.5, 0.5));
    scene.order(agent, at(7.5, 2.5));
    let reached = CrowdEvent::ReachedLink {
        agent,
        link: Some(link),
    };
    scene.until(&reached);
    scene.run(60);
    assert_eq!(scene.crowd.state(agent), Some(CrowdAgentState::AtLink));
    let close = |state| Edit::set_link_state(link, state);
    scene.world.apply(&[close(LinkState::Closed)]).unwrap();
    scene.run(60);
    scene.crowd.traverse(&scene.world, agent).unwrap();
    scene.run(60);
    assert!(scene.crowd.position(agent).unwrap().units()[0] < 4.0);
    scene.world.apply(&[close(LinkState::Open)]).unwrap();
    scene.run(60);
    scene.crowd.traverse(&scene.world, agent).unwrap();
    scene.until(&CrowdEvent::Arrived { agent });
}

#[test]
fn an_agent_without_a_path_is_reported_and_tries_again_when_the_ground_changes() {
    let mut scene = Scene::drawn(&["....#...", "....#...", "....#..."]);
    let agent = scene.add(at(1.5, 1.5));
    scene.order(agent, at(6.5, 1.5));
    let reason = NoPath::Unreachable;
    scene.until(&CrowdEvent::NoPath { agent, reason });
    assert_eq!(scene.crowd.state(agent), Some(CrowdAgentState::Blocked));
    let gap = Area::rect(at(4.0, 1.0), at(5.0, 2.0));
    let opened = Edit::add_floors(gap, 0.0, Terrain::GROUND);
    scene.world.apply(&[opened]).unwrap();
    scene.until(&CrowdEvent::Arrived { agent });
}

#[test]
fn a_slow_turner_takes_longer() {
    let end = |max_turn: f64| {
        let mut scene = Scene::drawn(&["............"; 12]);
        let body = scene.add_body(at(6.0, 6.0), 0.4);
        let agent = CrowdAgent {
            max_turn,
            ..CrowdAgent::default()
        };
        let agent = scene.crowd.add(&scene.world, body, agent).unwrap();
        scene.order(agent, at(9.0, 6.0));
        scene.run(40);
        scene.order(agent, at(2.0, 6.0));
        scene.until(&CrowdEvent::Arrived { agent })
    };
    let (quick, slow) = (end(f64::INFINITY), end(1.0));
    assert!(slow > quick + 20, "{slow} and {quick} ticks");
}

#[test]
fn a_crowd_is_saved_loaded_and_equal_for_any_number_of_threads() {
    let mut scene = Scene::drawn(&["....................."; 21]);
    let mut agents = Vec::new();
    for index in 0..200_u32 {
        let (x, y) = (f64::from(index % 20), f64::from(index / 20));
        agents.push(scene.add(at(x + 0.5, y + 0.5)));
    }
    for (index, agent) in (0_u32..).zip(&agents) {
        let (x, y) = (f64::from(index * 7 % 20), f64::from(index / 20));
        scene.order(*agent, at(19.5 - x, 20.5 - y));
    }
    scene.run(40);
    let saved = (scene.world.save(), scene.planner.save(), scene.crowd.save());
    scene.run(60);
    for n_threads in [1, 8] {
        let world = World::load(&saved.0).unwrap();
        let planner = Planner::load(&saved.1, &world).unwrap();
        let mut crowd = Crowd::load(&saved.2, &world).unwrap();
        crowd.set_threads(n_threads);
        let mut loaded = Scene {
            world,
            planner,
            crowd,
        };
        loaded.run(60);
        assert_eq!(loaded.crowd.state_hash(), scene.crowd.state_hash());
    }
    let mut damaged = saved.2.clone();
    damaged[40] ^= 1;
    let world = World::load(&saved.0).unwrap();
    assert!(Crowd::load(&damaged, &world).is_err());
}

/// Where agents are, in order.
fn ends(scene: &Scene, agents: &[CrowdAgentId]) -> Vec<[f64; 2]> {
    let at = agents.iter().map(|id| scene.crowd.position(*id).unwrap());
    at.map(|at| [at.units()[0], at.units()[1]]).collect()
}

#[test]
fn a_line_marches_through_a_gap_and_spreads_again() {
    let mut rows = vec!["..............................".to_owned(); 13];
    for (y, row) in rows.iter_mut().enumerate() {
        if !(6..=7).contains(&y) {
            row.replace_range(12..13, "#");
        }
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut scene = Scene::drawn(&rows);
    let agents: Vec<_> = (0..5)
        .map(|y| scene.add(at(2.5, 4.5 + f64::from(y))))
        .collect();
    let goal = at(25.5, 6.5);
    let line = (Formation::Line, 1.5);
    scene
        .crowd
        .order_group(&mut scene.planner, &agents, goal, line)
        .unwrap();
    let events = scene.run(900);
    for agent in &agents {
        let arrived = CrowdEvent::Arrived { agent: *agent };
        assert!(events.contains(&arrived), "{agent:?}: {events:?}");
    }
    // Marching east the left is north: in the order of their starts, 1.5 apart, one behind none.
    for (index, [x, y]) in (0_u32..).zip(ends(&scene, &agents)) {
        let expected = 6.5 + 1.5 * (f64::from(index) - 2.0);
        assert!(
            (x - 25.5).abs() < 0.2 && (y - expected).abs() < 0.2,
            "{index}: {x} {y}"
        );
    }
}

#[test]
fn columns_wedges_and_boxes_stand_in_their_slots() {
    for (formation, expected) in [
        (
            Formation::Column,
            vec![[0.0, 0.0], [1.5, 0.0], [3.0, 0.0], [4.5, 0.0], [6.0, 0.0]],
        ),
        (
            Formation::Wedge,
            vec![[0.0, 0.0], [1.5, -1.5], [1.5, 1.5], [3.0, -3.0], [3.0, 3.0]],
        ),
        (
            Formation::Box,
            vec![
                [0.0, -1.5],
                [0.0, 0.0],
                [0.0, 1.5],
                [1.5, -0.75],
                [1.5, 0.75],
            ],
        ),
    ] {
        let mut scene = Scene::drawn(&["................................"; 14]);
        let agents: Vec<_> = (0..5)
            .map(|y| scene.add(at(2.5, 4.5 + f64::from(y))))
            .collect();
        let goal = at(25.5, 6.5);
        let order = (formation, 1.5);
        scene
            .crowd
            .order_group(&mut scene.planner, &agents, goal, order)
            .unwrap();
        scene.run(900);
        let mut found = ends(&scene, &agents);
        for [back, side] in expected {
            let wanted = [25.5 - back, 6.5 + side];
            let near = |at: &[f64; 2]| (at[0] - wanted[0]).abs() + (at[1] - wanted[1]).abs() < 0.3;
            let nearest = found.iter().position(near);
            assert!(
                nearest.is_some(),
                "{formation:?}: {wanted:?} among {found:?}"
            );
            found.swap_remove(nearest.unwrap());
        }
    }
}

#[test]
fn groups_need_agents_and_a_spacing() {
    let mut scene = Scene::drawn(&["...."; 3]);
    let agent = scene.add(at(1.5, 1.5));
    let mut order = |agents: &[CrowdAgentId], spacing| {
        let line = (Formation::Line, spacing);
        scene
            .crowd
            .order_group(&mut scene.planner, agents, at(2.5, 1.5), line)
    };
    assert!(order(&[], 1.0).is_err());
    assert!(order(&[agent], f64::NAN).is_err());
    assert!(order(&[agent], 0.0).is_err());
    assert!(order(&[agent], 1.0).is_ok());
}

#[test]
fn bodies_that_do_not_fit_are_refused_and_those_that_go_are_noticed() {
    let mut scene = Scene::drawn(&["....", ".##.", "...."]);
    let refused = |scene: &mut Scene, position, radius| {
        let body = scene.add_body(position, radius);
        let added = scene.crowd.add(&scene.world, body, CrowdAgent::default());
        added.unwrap_err().to_string()
    };
    let error = refused(&mut scene, at(0.5, 0.5), 0.6);
    assert_eq!(
        error,
        "the body has a radius of 0.6015625, expected at most 0.5, that of its agent type"
    );
    let error = refused(&mut scene, at(0.8, 1.5), 0.4);
    assert!(error.starts_with("the body does not fit at"), "{error}");
    let agent = scene.add(at(0.5, 0.5));
    let fast = CrowdAgent {
        max_speed: f64::NAN,
        ..CrowdAgent::default()
    };
    let body = scene.add_body(at(3.5, 0.5), 0.4);
    assert!(scene.crowd.add(&scene.world, body, fast).is_err());
    scene
        .world
        .remove_body(scene.crowd.body(agent).unwrap())
        .unwrap();
    assert_eq!(scene.tick(), [CrowdEvent::BodyRemoved { agent }]);
    assert_eq!(scene.crowd.state(agent), None);
    let unknown = scene.crowd.order(&mut scene.planner, agent, at(1.5, 0.5));
    assert_eq!(unknown, Err(CrowdError::UnknownAgent { id: agent }));
}

#[test]
fn agents_whose_bodies_have_no_height_avoid_each_other_on_a_step() {
    let mut world = world(&["........", "........", "........"], Scale::UNIT);
    let high = Solid::cuboid(at(4.0, 0.0), Position::new(8.0, 3.0, 1.0));
    world.add_solid(high).unwrap();
    let mut scene = Scene::new(world, CrowdOptions::default());
    let ends = [(1.5, 0.0), (6.5, 1.0)].map(|(x, z)| Position::new(x, 1.5, z));
    let agents = ends.map(|end| scene.add(end));
    scene.order(agents[0], ends[1]);
    scene.order(agents[1], ends[0]);
    for tick in 0..600 {
        scene.tick();
        let [a, b] = agents.map(|agent| scene.crowd.position(agent).unwrap());
        let [dx, dy] = [0, 1].map(|axis| a.units()[axis] - b.units()[axis]);
        let distance = (dx * dx + dy * dy).sqrt();
        assert!(distance > 0.78, "tick {tick}: {a} {b}");
    }
    let states = agents.map(|agent| scene.crowd.state(agent).unwrap());
    assert_eq!(states, [CrowdAgentState::Arrived; 2]);
}
