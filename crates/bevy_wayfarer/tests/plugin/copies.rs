//! What a tick writes and allocates: nothing per agent that did not change.

use bevy_app::{FixedPreUpdate, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_wayfarer::wayfarer::{Body, BodyShape, PathRequest, Planner, PlannerOptions, Position};
use bevy_wayfarer::{DesiredVelocity, NavAgent, NavCrowdAgent, NavEntity, NavPath, NavState};
use wayfarer_counting::allocation_stats;

use super::{App, app_on, at, get, ground, spawn_agent, until, updates};

/// Counts entities in each tick, in `FixedUpdate`.
#[derive(Resource, Default)]
struct Written(usize);

fn count<F: bevy_ecs::query::QueryFilter + 'static>(app: &mut App) {
    app.init_resource::<Written>();
    app.add_systems(
        FixedUpdate,
        |agents: Query<'_, '_, (), F>, mut written: ResMut<'_, Written>| {
            written.0 += agents.iter().count();
        },
    );
}

/// The entities that a filter counts in so many ticks.
fn written(app: &mut App, ticks: usize) -> usize {
    let before = app.world().resource::<Written>().0;
    updates(app, ticks);
    app.world().resource::<Written>().0 - before
}

type Outputs = Or<(
    Changed<DesiredVelocity>,
    Changed<NavPath>,
    Changed<NavState>,
)>;

#[test]
fn an_agent_at_rest_is_not_written() {
    let mut app = app_on(&["........"]);
    for x in 0..8 {
        let place = Transform::from_translation(at(x, 0));
        let agent = (NavAgent::new(2.0), NavEntity::default(), place);
        let agent = app.world_mut().spawn(agent).id();
        if x % 2 == 0 {
            app.world_mut()
                .entity_mut(agent)
                .insert(NavCrowdAgent::default());
        }
    }
    updates(&mut app, 2);
    count::<Or<(Outputs, Changed<Transform>)>>(&mut app);
    app.update();
    assert_eq!(written(&mut app, 10), 0);
}

#[test]
fn an_agent_that_walks_keeps_its_path_and_its_state() {
    let mut app = app_on(&[&".".repeat(100)]);
    let agent = spawn_agent(&mut app, at(0, 0), at(99, 0));
    until(&mut app, agent, NavState::Following);
    count::<Or<(Changed<NavPath>, Changed<NavState>)>>(&mut app);
    app.update();
    assert_eq!(written(&mut app, 10), 0);
    assert!(get::<NavPath>(&app, agent).0.is_some());
}

/// What agents do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Resting,
    RestingInCrowd,
    Walking,
}

/// Ground of 200 x 64 cells.
fn meadow() -> Vec<String> {
    vec![".".repeat(200); 64]
}

/// Ticks before allocations are counted, and counted ticks.
const WARM: usize = 60;
const COUNTED: usize = 20;

/// Allocated bytes of the ticks of a game.
fn counted(mut tick: impl FnMut()) -> u64 {
    (0..WARM).for_each(|_| tick());
    let before = allocation_stats();
    (0..COUNTED).for_each(|_| tick());
    allocation_stats().bytes_total - before.bytes_total
}

/// Allocated bytes with so many agents of the plugin.
fn by_plugin(n_agents: u8, kind: Kind) -> u64 {
    let rows = meadow();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut app = app_on(&rows);
    // The thread that counts runs the systems.
    for schedule in [FixedPreUpdate.intern(), FixedUpdate.intern()] {
        app.edit_schedule(schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
    for z in 0..n_agents {
        let target = match kind {
            Kind::Walking => at(199, z),
            Kind::Resting | Kind::RestingInCrowd => at(0, z),
        };
        let agent = spawn_agent(&mut app, at(0, z), target);
        let mut agent = app.world_mut().entity_mut(agent);
        agent.insert(NavEntity::default());
        if kind == Kind::RestingInCrowd {
            agent.insert(NavCrowdAgent::default());
        }
    }
    counted(|| app.update())
}

/// Allocated bytes of the library for as many bodies that walk.
fn by_library(n_agents: u8) -> u64 {
    let rows = meadow();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = ground(&rows);
    let mut planner = Planner::new(PlannerOptions::default());
    let mut moves: Vec<_> = (0..n_agents)
        .map(|z| {
            let position = at(0, z).into();
            let shape = BodyShape::disc(0.4);
            let body = Body {
                position,
                shape,
                ..Body::default()
            };
            let request = PathRequest::new(position, Position::from(at(199, z)));
            planner.request(request);
            (world.add_body(body).unwrap(), position)
        })
        .collect();
    counted(|| {
        for (_, position) in &mut moves {
            *position = (Vec3::from(*position) + Vec3::X / 8.0).into();
        }
        world.move_bodies(&moves).unwrap();
        planner.update(&world);
    })
}

/// Bevy's executors allocate now and then; 8 bytes for each further agent and tick would be more.
const NOISE: u64 = 56 * 8 * COUNTED as u64;

#[test]
fn a_tick_copies_nothing_of_agents_at_rest() {
    for kind in [Kind::Resting, Kind::RestingInCrowd] {
        let (few, many) = (by_plugin(8, kind), by_plugin(64, kind));
        assert!(few.abs_diff(many) < NOISE, "{kind:?}: {few}, {many} bytes");
    }
}

#[test]
fn a_tick_copies_no_more_of_agents_that_walk_than_the_library() {
    let (few, many) = (by_plugin(8, Kind::Walking), by_plugin(64, Kind::Walking));
    let (few_bodies, many_bodies) = (by_library(8), by_library(64));
    let (grown, expected) = (many - few, many_bodies - few_bodies);
    assert!(
        grown < expected + NOISE,
        "{grown} bytes, {expected} by the library"
    );
}
