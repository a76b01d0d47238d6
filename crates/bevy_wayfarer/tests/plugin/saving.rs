//! Components as reflected values; worlds in scenes.

use std::any::TypeId;

use bevy_asset::{AssetPath, LoadFromPath, UntypedHandle};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy_transform::components::Transform;
use bevy_wayfarer::{
    InNavWorld, LinkKind, NavAgent, NavCostArea, NavCrowdAgent, NavDoor, NavEntity, NavLink,
    NavRejected, NavSensor, NavSnapshot, NavSolid, NavState, NavTarget, NavWorld, PathFound,
    SensorEntered, TargetReached, WorldChanged, save_worlds,
};
use bevy_world_serialization::DynamicWorldBuilder;
use bevy_world_serialization::serde::{DynamicWorldSerializer, WorldDeserializer};
use serde::de::DeserializeSeed;

use super::{App, app, app_on, at, get, hear, heard, spawn_agent, updates};

/// A reflected value through text and back.
fn through_text(value: &dyn Reflect, app: &App) -> Box<dyn bevy_reflect::PartialReflect> {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let serializer = ReflectSerializer::new(value.as_partial_reflect(), &registry);
    let text = serde_json::to_string(&serializer).unwrap();
    let mut reader = serde_json::Deserializer::from_str(&text);
    ReflectDeserializer::new(&registry)
        .deserialize(&mut reader)
        .unwrap()
}

/// A component through the text of its own serialization and back.
#[cfg(feature = "serde")]
fn check_serde<C>(component: &C)
where
    C: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(component).unwrap();
    assert_eq!(serde_json::from_str::<C>(&text).unwrap(), *component);
}

#[cfg(feature = "serde")]
#[test]
fn components_survive_serde() {
    check_serde(&NavAgent::new(4.5));
    check_serde(&NavCrowdAgent::default());
    check_serde(&NavTarget::Position(Vec3::new(1.0, 2.0, 3.0)));
    check_serde(&NavState::Following);
    check_serde(&NavSolid::cuboid(1.0, 2.0, 3.0));
    check_serde(&NavLink::new(Vec3::ZERO, Vec3::X, LinkKind::Ladder));
    check_serde(&NavDoor::Locked { keys: 5 });
    check_serde(&NavCostArea::default());
    check_serde(&NavEntity::default());
    check_serde(&NavSensor::default());
}

/// A component that goes through text and comes back on another entity.
fn check<C: Component + Reflect + PartialEq + std::fmt::Debug>(component: &C) {
    let mut app = app();
    let value = through_text(component, &app);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let registration = registry.get(TypeId::of::<C>()).unwrap();
    let reflect = registration.data::<ReflectComponent>().unwrap();
    let mut entity = app.world_mut().spawn_empty();
    reflect.insert(&mut entity, value.as_ref(), &registry);
    assert_eq!(entity.get::<C>(), Some(component));
}

#[test]
fn components_survive_reflection() {
    check(&NavAgent {
        priority: 3,
        ..NavAgent::new(4.5)
    });
    check(&NavCrowdAgent {
        max_turn: Some(2.0),
        ..NavCrowdAgent::default()
    });
    check(&NavTarget::Position(Vec3::new(1.0, 2.0, 3.0)));
    check(&NavSolid::cuboid(1.0, 2.0, 3.0));
    check(&NavLink::new(Vec3::ZERO, Vec3::X, LinkKind::Ladder));
    check(&NavDoor::Locked { keys: 5 });
    check(&NavCostArea::default());
    check(&NavEntity {
        team: 2,
        ..NavEntity::default()
    });
    check(&NavSensor::default());
}

/// Scenes of these tests hold no handles.
struct NoAssets;

impl LoadFromPath for NoAssets {
    fn load_from_path_erased(&mut self, _: TypeId, path: AssetPath<'static>) -> UntypedHandle {
        panic!("{path} is an asset")
    }
}

/// An app with the scene of another, saved as text, and the entities there.
fn copy(from: &mut App) -> (App, EntityHashMap<Entity>) {
    let registry = from.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let mut all = from.world_mut().query::<Entity>();
    let scene = DynamicWorldBuilder::from_world(from.world(), &registry);
    let scene = scene.extract_entities(all.iter(from.world())).build();
    let text = serde_json::to_string(&DynamicWorldSerializer::new(&scene, &registry)).unwrap();
    let reader = WorldDeserializer {
        type_registry: &registry,
        load_from_path: &mut NoAssets,
    };
    let scene = reader.deserialize(&mut serde_json::Deserializer::from_str(&text));
    let (mut to, mut map) = (app(), EntityHashMap::default());
    scene
        .unwrap()
        .write_to_world(to.world_mut(), &mut map)
        .unwrap();
    (to, map)
}

const YARD: [&str; 6] = [
    "............",
    ".@@@@@@@@@@.",
    "............",
    "............",
    ".@@@@@@@@@@.",
    "............",
];

/// Saves a game, loads it and plays both on.
fn check_scene(is_crowd: bool) {
    let mut app = app_on(&YARD);
    let wall = (
        NavSolid::cuboid(1.0, 4.0, 1.0),
        Transform::from_translation(at(5, 2)),
    );
    app.world_mut().spawn(wall);
    let door = (
        NavSolid::cuboid(1.0, 4.0, 1.0),
        Transform::from_translation(at(5, 3)),
    );
    let door = app.world_mut().spawn((door, NavDoor::Open)).id();
    let agents: Vec<Entity> = (0..6)
        .map(|row| {
            let agent = spawn_agent(&mut app, at(0, row), at(11, 5 - row));
            let sensor = (NavEntity::default(), NavSensor::default());
            let mut entity = app.world_mut().entity_mut(agent);
            entity.insert(sensor);
            if is_crowd {
                entity.insert(NavCrowdAgent::default());
            }
            agent
        })
        .collect();
    updates(&mut app, 20);
    save_worlds(app.world_mut());
    let (mut loaded, map) = copy(&mut app);
    for app in [&mut app, &mut loaded] {
        hear::<WorldChanged>(app);
        hear::<PathFound>(app);
        hear::<SensorEntered>(app);
        hear::<TargetReached>(app);
    }
    for tick in 0..150 {
        if tick == 10 {
            app.world_mut().entity_mut(door).insert(NavDoor::Closed);
            loaded
                .world_mut()
                .entity_mut(map[&door])
                .insert(NavDoor::Closed);
        }
        app.update();
        loaded.update();
        for agent in &agents {
            let places = [
                get::<Transform>(&app, *agent),
                get::<Transform>(&loaded, map[agent]),
            ];
            assert_eq!(places[0], places[1], "tick {tick}");
            let states = [
                get::<NavState>(&app, *agent),
                get::<NavState>(&loaded, map[agent]),
            ];
            assert_eq!(states[0], states[1], "tick {tick}");
        }
    }
    assert_eq!(heard::<PathFound>(&loaded), []);
    assert_eq!(heard::<WorldChanged>(&loaded).len(), 1, "the door alone");
    assert_eq!(
        heard::<TargetReached>(&loaded).len(),
        heard::<TargetReached>(&app).len()
    );
    assert_eq!(
        heard::<SensorEntered>(&loaded).len(),
        heard::<SensorEntered>(&app).len()
    );
    assert!(loaded.world().get::<NavSnapshot>(map[&agents[0]]).is_none());
}

#[test]
fn a_loaded_scene_goes_on_as_the_saved_one() {
    check_scene(false);
}

#[test]
fn a_loaded_crowd_goes_on_as_the_saved_one() {
    check_scene(true);
}

#[test]
fn a_damaged_snapshot_is_reported() {
    #[derive(Resource, Default)]
    struct Rejected(Vec<Entity>);
    let mut app = app();
    app.init_resource::<Rejected>();
    app.add_observer(
        |on: On<'_, '_, NavRejected>, mut all: ResMut<'_, Rejected>| all.0.push(on.entity),
    );
    let world = app.world_mut().spawn(NavSnapshot::default()).id();
    let agent = spawn_agent(&mut app, at(0, 0), at(1, 0));
    app.world_mut().entity_mut(agent).insert(InNavWorld(world));
    updates(&mut app, 2);
    assert_eq!(app.world().resource::<Rejected>().0, [world]);
    assert!(app.world().get::<NavWorld>(world).is_none());
}
