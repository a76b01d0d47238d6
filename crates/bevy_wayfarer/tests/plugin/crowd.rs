//! Agents that the plugin moves.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{
    Body, BodyShape, Crowd, CrowdAgent, CrowdOptions, Formation, PathRequest, Planner,
    PlannerOptions, Position,
};
use bevy_wayfarer::{
    AgentDisplaced, DesiredVelocity, LinkAhead, LinkKind, LinkReached, NavAgent, NavCrowdAgent,
    NavDoor, NavEntity, NavGroupError, NavLink, NavRejected, NavSettings, NavSolid, NavState,
    NavTarget, NavWorld, PathFailed, PathFound, RejectReason, TargetReached,
};

use super::{App, app_on, at, get, ground, hear, heard, spawn_agent, until, updates};

const LANE: [&str; 3] = ["............", "............", "............"];
const SPEED: f32 = 4.0;

/// An agent of the crowd.
fn spawn(app: &mut App, from: Vec3, target: impl Into<NavTarget>) -> Entity {
    let agent = (NavAgent::new(SPEED), NavCrowdAgent::default());
    let place = Transform::from_translation(from);
    app.world_mut().spawn((agent, place, target.into())).id()
}

fn place(app: &App, agent: Entity) -> Vec3 {
    get::<Transform>(app, agent).translation
}

fn nav(app: &mut App) -> Mut<'_, NavWorld> {
    let mut worlds = app.world_mut().query::<&mut NavWorld>();
    worlds.single_mut(app.world_mut()).unwrap()
}

#[test]
fn agents_of_a_crowd_are_moved_and_pass_each_other() {
    let mut app = app_on(&LANE);
    hear::<TargetReached>(&mut app);
    let ends = [at(1, 1), at(10, 1)];
    let agents = [
        spawn(&mut app, ends[0], ends[1]),
        spawn(&mut app, ends[1], ends[0]),
    ];
    for _ in 0..400 {
        app.update();
        let apart = place(&app, agents[0]).distance(place(&app, agents[1]));
        assert!(apart >= 0.8 * 0.95, "{apart}");
    }
    for (agent, end) in agents.iter().zip([ends[1], ends[0]]) {
        assert_eq!(get::<NavState>(&app, *agent), NavState::Arrived);
        assert!(place(&app, *agent).distance(end) < 0.06);
        assert_eq!(get::<DesiredVelocity>(&app, *agent).0, Vec3::ZERO);
        let body = nav(&mut app).body_of(*agent).unwrap();
        let body = nav(&mut app).world().body(body).unwrap().position;
        let apart = Vec3::from(body).distance(place(&app, *agent));
        assert!(
            apart < 1.0 / 128.0,
            "bodies count 256 steps a cell: {apart}"
        );
    }
    assert_eq!(heard::<TargetReached>(&app).len(), 2);
}

#[test]
fn a_velocity_says_how_fast_an_agent_of_a_crowd_moves() {
    let mut app = app_on(&LANE);
    let agent = spawn(&mut app, at(1, 1), at(10, 1));
    updates(&mut app, 40);
    let before = place(&app, agent);
    app.update();
    let moved = (place(&app, agent) - before) * 64.0;
    assert!((moved.length() - SPEED).abs() < 0.1, "{moved}");
    assert!(moved.distance(get::<DesiredVelocity>(&app, agent).0) < 0.1);
}

#[test]
fn a_group_marches_in_formation_and_every_agent_arrives() {
    let mut app = app_on(&["........................"; 9]);
    hear::<TargetReached>(&mut app);
    hear::<PathFound>(&mut app);
    let agents: Vec<Entity> = (2..7)
        .map(|z| spawn(&mut app, at(1, z), NavTarget::None))
        .collect();
    let line = (Formation::Line, 1.5);
    let stranger = app.world_mut().spawn_empty().id();
    let early = nav(&mut app).order_group(&agents, at(20, 4), line);
    assert_eq!(early, Err(NavGroupError::NotInCrowd { agent: agents[0] }));
    app.update();
    let refused = nav(&mut app).order_group(&[stranger], at(20, 4), line);
    assert_eq!(refused, Err(NavGroupError::NotInCrowd { agent: stranger }));
    assert!(nav(&mut app).order_group(&[], at(20, 4), line).is_err());
    nav(&mut app).order_group(&agents, at(20, 4), line).unwrap();
    updates(&mut app, 60);
    for agent in &agents {
        assert_eq!(get::<NavState>(&app, *agent), NavState::Following);
    }
    updates(&mut app, 600);
    for (number, agent) in (0_u8..).zip(&agents) {
        assert_eq!(get::<NavState>(&app, *agent), NavState::Arrived);
        let slot = at(20, 4) + Vec3::Z * 1.5 * (f32::from(number) - 2.0);
        let found = place(&app, *agent);
        assert!(found.distance(slot) < 0.3, "{number}: {found} for {slot}");
    }
    assert_eq!(heard::<TargetReached>(&app).len(), 5);
    let leaders: Vec<Entity> = heard::<PathFound>(&app)
        .iter()
        .map(|found| found.entity)
        .collect();
    assert_eq!(leaders, [agents[2]], "one path for all");
}

/// Where each of twelve agents goes in turn.
fn goal(number: u8, turn: u8) -> Vec3 {
    at((number * 5 + turn * 7 + 1) % 12, (number + turn * 2) % 3)
}

#[test]
fn a_crowd_has_the_positions_of_the_library_on_one_and_on_four_threads() {
    let mut world = ground(&LANE);
    let mut planner = Planner::new(PlannerOptions::default());
    let options = CrowdOptions {
        tick_seconds: 1.0 / 64.0,
        max_overlap: f64::from(0.05_f32),
        arrival: f64::from(0.05_f32),
        ..CrowdOptions::default()
    };
    let mut crowd = Crowd::new(&world, options).unwrap();
    let agents: Vec<_> = (0..12)
        .map(|number| {
            let body = Body {
                position: goal(number, 0).into(),
                shape: BodyShape::disc(f64::from(0.4_f32)),
                height: f64::from(1.8_f32),
                blocks_movement: false,
                ..Body::default()
            };
            let body = world.add_body(body).unwrap();
            let agent = CrowdAgent {
                max_speed: SPEED.into(),
                max_acceleration: 20.0,
                ..CrowdAgent::default()
            };
            crowd.add(&world, body, agent).unwrap()
        })
        .collect();
    let apps = [1, 4].map(|threads| {
        let mut app = app_on(&LANE);
        app.world_mut().resource_mut::<NavSettings>().threads = threads;
        let units: Vec<Entity> = (0..12)
            .map(|number| spawn(&mut app, goal(number, 0), NavTarget::None))
            .collect();
        (app, units)
    });
    let mut apps = apps;
    for tick in 0..300_u16 {
        let turn = u8::try_from(tick / 100 + 1).unwrap();
        for (number, agent) in (0..12).zip(&agents).filter(|_| tick % 100 == 0) {
            let to = Position::from(goal(number, turn));
            let request = PathRequest::new(Position::default(), to);
            crowd.order_path(&mut planner, *agent, request).unwrap();
            for (app, units) in &mut apps {
                let target = NavTarget::Position(goal(number, turn));
                let unit = units[usize::from(number)];
                app.world_mut().entity_mut(unit).insert(target);
            }
        }
        planner.update(&world);
        crowd.tick(&mut world, &mut planner).unwrap();
        for (app, units) in &mut apps {
            app.update();
            for (agent, unit) in agents.iter().zip(units) {
                let expected = Vec3::from(crowd.position(*agent).unwrap());
                assert_eq!(place(app, *unit), expected, "tick {tick}");
            }
        }
    }
}

#[test]
fn an_agent_that_the_game_puts_elsewhere_goes_on_from_there() {
    let mut app = app_on(&LANE);
    let agent = spawn(&mut app, at(1, 1), at(10, 1));
    updates(&mut app, 20);
    app.world_mut()
        .get_mut::<Transform>(agent)
        .unwrap()
        .translation = at(8, 2);
    app.update();
    assert!(place(&app, agent).distance(at(8, 2)) < 0.2);
    let ticks = until(&mut app, agent, NavState::Arrived);
    assert!(ticks < 64, "{ticks}");
    // A turn by the game is no such move.
    app.world_mut()
        .entity_mut(agent)
        .insert(NavTarget::Position(at(1, 1)));
    updates(&mut app, 30);
    let velocity = get::<DesiredVelocity>(&app, agent);
    app.world_mut()
        .get_mut::<Transform>(agent)
        .unwrap()
        .rotate_y(1.0);
    app.update();
    assert!(get::<DesiredVelocity>(&app, agent).0.distance(velocity.0) < 0.5);
}

#[test]
fn an_agent_that_leaves_the_crowd_is_moved_by_the_game_again() {
    let mut app = app_on(&LANE);
    let agent = spawn(&mut app, at(1, 1), at(10, 1));
    updates(&mut app, 20);
    assert_eq!(nav(&mut app).crowd().unwrap().agents().count(), 1);
    app.world_mut().entity_mut(agent).remove::<NavCrowdAgent>();
    app.update();
    assert_eq!(nav(&mut app).crowd().unwrap().agents().count(), 0);
    assert_eq!(nav(&mut app).n_requests(), 1);
    until(&mut app, agent, NavState::Arrived);
    assert!(place(&app, agent).distance(at(10, 1)) <= 0.25);
    // And back.
    app.world_mut()
        .entity_mut(agent)
        .insert((NavCrowdAgent::default(), NavTarget::Position(at(1, 1))));
    app.update();
    assert_eq!(nav(&mut app).crowd().unwrap().agents().count(), 1);
    until(&mut app, agent, NavState::Arrived);
    app.world_mut().despawn(agent);
    app.update();
    let world = nav(&mut app);
    let crowd = world.crowd().unwrap();
    assert_eq!((crowd.agents().count(), world.n_requests()), (0, 0));
}

#[test]
fn other_bodies_and_other_speeds_join_the_crowd_again() {
    let mut app = app_on(&LANE);
    let agent = spawn(&mut app, at(1, 1), at(10, 1));
    updates(&mut app, 10);
    app.world_mut().get_mut::<NavEntity>(agent).unwrap().radius = 0.3;
    updates(&mut app, 10);
    app.world_mut().get_mut::<NavAgent>(agent).unwrap().speed = 8.0;
    updates(&mut app, 40);
    let speed = get::<DesiredVelocity>(&app, agent).0.length();
    assert!((speed - 8.0).abs() < 0.1, "{speed}");
    app.world_mut().entity_mut(agent).remove::<NavEntity>();
    updates(&mut app, 3);
    assert_eq!(nav(&mut app).crowd().unwrap().agents().count(), 0);
    assert_eq!(get::<DesiredVelocity>(&app, agent).0, Vec3::ZERO);
    app.world_mut()
        .entity_mut(agent)
        .insert(NavEntity::default());
    until(&mut app, agent, NavState::Arrived);
}

#[test]
fn other_settings_begin_the_crowd_anew() {
    let mut app = app_on(&LANE);
    let agent = spawn(&mut app, at(1, 1), at(10, 1));
    updates(&mut app, 20);
    let before = place(&app, agent);
    app.world_mut().resource_mut::<NavSettings>().crowd.horizon = 1.0;
    app.update();
    assert!(place(&app, agent).distance(before) < 0.1);
    until(&mut app, agent, NavState::Arrived);
    assert!(place(&app, agent).distance(at(10, 1)) < 0.06);
}

#[test]
fn a_body_that_is_no_disc_is_rejected() {
    let mut app = app_on(&LANE);
    hear::<NavRejected>(&mut app);
    let agent = spawn(&mut app, at(1, 1), at(10, 1));
    let half_size = Some(bevy_math::Vec2::splat(0.3));
    app.world_mut().entity_mut(agent).insert(NavEntity {
        half_size,
        ..NavEntity::default()
    });
    updates(&mut app, 5);
    assert_eq!(place(&app, agent), at(1, 1));
    let rejected = heard::<NavRejected>(&app);
    assert_eq!(rejected.len(), 1);
    assert!(matches!(rejected[0].reason, RejectReason::Crowd(_)));
}

#[test]
fn an_agent_under_a_new_solid_is_displaced() {
    let mut app = app_on(&LANE);
    hear::<AgentDisplaced>(&mut app);
    let agent = spawn(&mut app, at(5, 1), NavTarget::None);
    updates(&mut app, 3);
    let solid = NavSolid::cuboid(1.0, 4.0, 1.0);
    let wall = Transform::from_translation(at(5, 1));
    app.world_mut().spawn((solid, wall));
    updates(&mut app, 3);
    let moved = place(&app, agent) - at(5, 1);
    assert!(moved.abs().max_element() >= 0.5 + 0.4 - 0.02, "{moved}");
    let displaced = AgentDisplaced { entity: agent };
    assert_eq!(heard::<AgentDisplaced>(&app), [displaced]);
}

#[test]
fn a_link_is_reported_and_waited_for() {
    let mut app = app_on(&["...@...", "...@...", "...@..."]);
    hear::<LinkAhead>(&mut app);
    hear::<LinkReached>(&mut app);
    app.world_mut()
        .resource_mut::<NavSettings>()
        .crowd
        .waits_at_links = true;
    let door = NavLink::new(at(2, 1), at(4, 1), LinkKind::Door);
    let link = app.world_mut().spawn((door, NavDoor::Open)).id();
    let entity = spawn(&mut app, at(0, 1), at(6, 1));
    updates(&mut app, 150);
    let link = Some(link);
    assert_eq!(heard::<LinkAhead>(&app), [LinkAhead { entity, link }]);
    assert_eq!(heard::<LinkReached>(&app), [LinkReached { entity, link }]);
    assert!(place(&app, entity).x < 3.0);
    assert!(nav(&mut app).traverse(entity));
    until(&mut app, entity, NavState::Arrived);
    assert!(place(&app, entity).distance(at(6, 1)) < 0.06);
    assert!(!nav(&mut app).traverse(Entity::PLACEHOLDER));
}

#[test]
fn an_agent_without_a_path_fails_and_goes_on_when_there_is_one() {
    let mut app = app_on(&["...@...", "...@...", "...@..."]);
    hear::<PathFailed>(&mut app);
    let agent = spawn(&mut app, at(0, 1), at(6, 1));
    until(&mut app, agent, NavState::Failed);
    updates(&mut app, 3);
    assert_eq!(heard::<PathFailed>(&app).len(), 1);
    let bridge = NavLink::new(at(2, 1), at(4, 1), LinkKind::Jump);
    app.world_mut().spawn(bridge);
    until(&mut app, agent, NavState::Arrived);
}

#[test]
fn others_settle_where_the_target_is_taken() {
    // No agent can step aside for the next one.
    let mut app = app_on(&["........"]);
    hear::<TargetReached>(&mut app);
    for x in 0..4 {
        spawn(&mut app, at(x, 0), at(7, 0));
    }
    updates(&mut app, 600);
    let reached = heard::<TargetReached>(&app);
    assert_eq!(reached.len(), 4);
    assert!(reached.iter().any(|one| one.is_settled));
    assert!(reached.iter().any(|one| !one.is_settled));
}

#[test]
fn a_crowd_follows_an_entity_and_leaves_the_others_to_the_game() {
    let mut app = app_on(&LANE);
    let prey = spawn_agent(&mut app, at(2, 1), at(10, 1));
    let target = NavTarget::Entity {
        entity: prey,
        distance: 1.5,
    };
    let agent = spawn(&mut app, at(0, 1), target);
    until(&mut app, prey, NavState::Arrived);
    app.update();
    until(&mut app, agent, NavState::Arrived);
    let apart = place(&app, agent).distance(place(&app, prey));
    assert!(apart <= 2.0, "{apart}");
}
