//! The story over the plugin.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use bevy_wayfarer::{wayfarer, *};

use crate::story::{DOOR, Event, Hash, Kind, SECONDS, SIGHT, SPEED, STANDS, Story};

/// A unit: its number and the goals it was given.
#[derive(Component)]
struct Unit {
    number: u32,
    n_goals: u32,
}

/// The game beside its components.
#[derive(Resource)]
struct Game {
    story: Story,
    tick: u32,
    units: Vec<Entity>,
    walls: BTreeMap<u32, Entity>,
    door: Entity,
    events: Vec<Event>,
    counts: BTreeMap<u32, u32>,
    hash: Hash,
}

/// An app that plays a story, a tick per update.
pub(crate) fn app(story: Story, threads: usize) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, WayfarerPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(
        SECONDS,
    )));
    let expansions_per_tick = story.budget();
    app.insert_resource(NavSettings {
        expansions_per_tick,
        threads,
        ..NavSettings::default()
    });
    let ground = wayfarer::World::import("story.map", story.map(), y_up(1.0));
    app.world_mut()
        .spawn(NavWorld::new(ground.expect("the map is valid")));
    let link = NavLink::new(DOOR[0], DOOR[1], LinkKind::Door);
    let door = app.world_mut().spawn((link, NavDoor::Closed)).id();
    let units = (0..story.n_units)
        .map(|number| spawn(&mut app, &story, number))
        .collect();
    app.insert_resource(Game {
        story,
        tick: 0,
        units,
        walls: BTreeMap::new(),
        door,
        events: Vec::new(),
        counts: BTreeMap::new(),
        hash: Hash::default(),
    });
    observe(&mut app);
    app.add_systems(FixedUpdate, (walk, react, build).chain());
    // The first update takes no time.
    app.update();
    app
}

fn spawn(app: &mut App, story: &Story, number: u32) -> Entity {
    let place = Transform::from_translation(story.place(number, 0));
    let unit = Unit { number, n_goals: 0 };
    let mut unit = app
        .world_mut()
        .spawn((unit, place, NavAgent::new(SPEED), NavEntity::default()));
    if story.has_sensor(number) {
        let footprint = NavFootprint::Disc { radius: SIGHT };
        let requires_line_of_sight = true;
        unit.insert(NavSensor {
            footprint,
            requires_line_of_sight,
            ..NavSensor::default()
        });
    }
    unit.id()
}

/// Notes every event of a unit.
fn observe(app: &mut App) {
    macro_rules! note {
        ($event:ident, $kind:ident) => {
            app.add_observer(
                |on: On<'_, '_, $event>,
                 units: Query<'_, '_, &Unit>,
                 mut game: ResMut<'_, Game>| {
                    if let Ok(unit) = units.get(on.entity) {
                        game.events.push((unit.number, Kind::$kind));
                    }
                },
            );
        };
    }
    note!(PathFound, Found);
    note!(PathInvalidated, Invalidated);
    note!(PathRepaired, Repaired);
    note!(PathFailed, Failed);
    note!(TargetReached, Reached);
    note!(SensorEntered, Entered);
    note!(SensorLeft, Left);
}

/// Moves units as they should.
fn walk(time: Res<'_, Time>, mut units: Query<'_, '_, (&mut Transform, &DesiredVelocity)>) {
    for (mut transform, velocity) in &mut units {
        if velocity.0 != bevy_math::Vec3::ZERO {
            transform.translation += velocity.0 * time.delta_secs();
        }
    }
}

/// Gives units that arrived or failed another goal.
fn react(
    mut game: ResMut<'_, Game>,
    mut units: Query<'_, '_, (&mut Unit, &mut NavTarget, &Transform)>,
) {
    let game = &mut *game;
    game.tick += 1;
    let mut send = |number: u32, story: &Story| {
        let unit = game
            .units
            .get(number as usize)
            .and_then(|unit| units.get_mut(*unit).ok());
        if let Some((mut unit, mut target, _)) = unit {
            unit.n_goals += 1;
            *target = NavTarget::Position(story.place(number, unit.n_goals));
        }
    };
    for event in game.events.drain(..) {
        game.hash.add_event(event);
        *game.counts.entry(event.1 as u32).or_default() += 1;
        if matches!(event.1, Kind::Reached | Kind::Failed) {
            send(event.0, &game.story);
        }
    }
    if game.tick == 1 {
        (0..game.story.n_units).for_each(|number| send(number, &game.story));
    }
    for unit in &game.units {
        if let Ok((_, _, transform)) = units.get(*unit) {
            game.hash.add_place(transform.translation);
        }
    }
}

/// Raises and tears down walls, swings the door.
fn build(
    mut game: ResMut<'_, Game>,
    mut doors: Query<'_, '_, &mut NavDoor>,
    mut commands: Commands<'_, '_>,
) {
    let tick = game.tick;
    if let Some(old) = tick
        .checked_sub(STANDS)
        .and_then(|old| game.walls.remove(&old))
    {
        commands.entity(old).despawn();
    }
    if let Some([low, high]) = game.story.wall(tick) {
        let half_size = (high - low) / 2.0;
        let place = Transform::from_translation(low + half_size);
        let wall = commands.spawn((NavSolid::Cuboid { half_size }, place)).id();
        game.walls.insert(tick, wall);
    }
    if game.story.door_swings(tick)
        && let Ok(mut door) = doors.get_mut(game.door)
    {
        *door = match *door {
            NavDoor::Open => NavDoor::Closed,
            _ => NavDoor::Open,
        };
    }
}

/// The hash of the game so far.
pub(crate) fn hash(app: &App) -> u64 {
    app.world().resource::<Game>().hash.0
}

/// How often a kind of event happened.
pub(crate) fn count(app: &App, kind: Kind) -> u32 {
    let counts = &app.world().resource::<Game>().counts;
    counts.get(&(kind as u32)).copied().unwrap_or(0)
}
