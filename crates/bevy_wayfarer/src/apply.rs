//! The batch of the tick, then bodies and sensors.

use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use wayfarer::{BodyId, Mount, Position, SensorEvent, SensorId};

use crate::body::{NavEntity, NavSensor};
use crate::changes::order;
use crate::collect::sorted;
use crate::events::{NavEvent, SensorEntered, SensorLeft};
use crate::world::{CrowdMember, InNavWorld, NavWorld, SensorRecord};

/// Applies the batch of the tick to each world.
pub(crate) fn apply_edits(mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>) {
    for (entity, mut world) in in_order(worlds.iter_mut()) {
        let world = world.bypass_change_detection();
        world.n_edits = 0;
        world.report_foreign_changes(entity);
        if !world.pending.is_empty() {
            let mut batch = std::mem::take(&mut world.pending);
            batch.apply(world, entity);
            world.pending = batch;
        }
        world.skip_own_changes();
    }
}

/// Worlds in the order of their entities.
pub(crate) fn in_order<T>(all: impl Iterator<Item = (Entity, T)>) -> Vec<(Entity, T)> {
    let mut all: Vec<(Entity, T)> = all.collect();
    all.sort_unstable_by_key(|(entity, _)| order(*entity));
    all
}

type NewBodies = Or<(Changed<NavEntity>, Changed<InNavWorld>)>;

/// Registers, removes and moves bodies: what goes, what comes by entity, then all moves at once.
pub(crate) fn apply_bodies(
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    bodies: Query<'_, '_, (&NavEntity, &Transform, &InNavWorld)>,
    new: Query<'_, '_, Entity, (With<NavEntity>, NewBodies)>,
    moved: Query<'_, '_, (Entity, &NavEntity, &Transform, &InNavWorld), Changed<Transform>>,
) {
    let new = sorted(new.iter(), std::iter::empty());
    for (_, mut world) in &mut worlds {
        let world = world.bypass_change_detection();
        for entity in new
            .iter()
            .filter(|entity| !world.restored.contains(*entity))
        {
            if let Some(old) = world.registry.bodies.remove(entity) {
                world.removed_bodies.push(old);
            }
        }
        remove_bodies(world);
    }
    for entity in new {
        let Ok((body, transform, in_world)) = bodies.get(entity) else {
            continue;
        };
        if let Ok((_, mut world)) = worlds.get_mut(in_world.0)
            && !world.registry.bodies.contains_key(&entity)
        {
            add_body(world.bypass_change_detection(), entity, *body, transform);
        }
    }
    for (entity, body, transform, in_world) in &moved {
        if let Ok((_, mut world)) = worlds.get_mut(in_world.0) {
            let world = world.bypass_change_detection();
            let feet = body.feet(transform.translation, world.axes());
            let is_written = |member: &CrowdMember| member.written == transform.translation;
            if world.member(entity).is_some_and(is_written) {
                continue;
            }
            if let Some(id) = world.registry.bodies.get(&entity) {
                world.moves.push((*id, feet));
            }
        }
    }
    for (_, mut world) in &mut worlds {
        move_bodies(world.bypass_change_detection());
    }
}

fn remove_bodies(world: &mut NavWorld) {
    let mut removed = std::mem::take(&mut world.removed_bodies);
    removed.sort_unstable();
    for id in removed {
        // What the game removed by itself is gone already.
        if world.world.remove_body(id).is_ok() {
            world
                .gone_bodies
                .extend(world.registry.entities_of_bodies.remove_entry(&id));
        }
    }
}

fn add_body(world: &mut NavWorld, entity: Entity, body: NavEntity, transform: &Transform) {
    let body = body.to_body(transform.translation, world.axes());
    match world.world.add_body(body) {
        Ok(id) => {
            world.registry.bodies.insert(entity, id);
            world.registry.entities_of_bodies.insert(id, entity);
        }
        Err(error) => world.reject(entity, error),
    }
}

/// Moves what moved, in one batch. A body at an invalid position stays where it was.
fn move_bodies(world: &mut NavWorld) {
    let mut moves = std::mem::take(&mut world.moves);
    moves.sort_unstable_by_key(|(id, _)| *id);
    if !moves.is_empty() && world.world.move_bodies(&moves).is_err() {
        for (id, to) in &moves {
            if let Err(error) = world.world.move_bodies(&[(*id, *to)])
                && let Some(entity) = world.entity_of(*id)
            {
                world.reject(entity, error);
            }
        }
    }
    moves.clear();
    world.moves = moves;
    world.skip_own_changes();
}

type ChangedSensors = (
    With<NavSensor>,
    Or<(
        Changed<NavSensor>,
        Changed<InNavWorld>,
        Changed<NavEntity>,
        Changed<Transform>,
    )>,
);

/// Adds, turns and removes sensors, then updates them once.
pub(crate) fn apply_sensors(
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    sensors: Query<'_, '_, (Ref<'_, NavSensor>, &Transform, Ref<'_, InNavWorld>)>,
    changed: Query<'_, '_, Entity, ChangedSensors>,
) {
    for (_, mut world) in &mut worlds {
        let world = world.bypass_change_detection();
        for id in std::mem::take(&mut world.removed_sensors) {
            remove_sensor(world, id);
        }
    }
    for entity in sorted(changed.iter(), std::iter::empty()) {
        let Ok((sensor, transform, in_world)) = sensors.get(entity) else {
            continue;
        };
        let own = worlds.get(in_world.0);
        if own.is_ok_and(|(_, world)| world.has_restored_sensor(entity)) {
            continue;
        }
        if in_world.is_changed() {
            for (_, mut world) in &mut worlds {
                if let Some(old) = world.registry.sensors.remove(&entity) {
                    remove_sensor(&mut world, old.id);
                }
            }
        }
        if let Ok((_, mut world)) = worlds.get_mut(in_world.0) {
            let is_new = sensor.is_changed() || in_world.is_changed();
            update_sensor(
                world.bypass_change_detection(),
                entity,
                (&sensor, is_new),
                transform,
            );
        }
    }
    for (_, mut world) in &mut worlds {
        let world = world.bypass_change_detection();
        if !world.registry.entities_of_sensors.is_empty() {
            sense(world);
        }
        world.gone_bodies.clear();
    }
}

fn remove_sensor(world: &mut NavWorld, id: SensorId) {
    world.registry.entities_of_sensors.remove(&id);
    // What the game removed by itself is gone already.
    drop(world.world.remove_sensor(id));
}

/// Places a sensor anew, or turns it.
fn update_sensor(
    world: &mut NavWorld,
    entity: Entity,
    (sensor, is_new): (&NavSensor, bool),
    transform: &Transform,
) {
    let axes = world.axes();
    let body = world.body_of(entity);
    let mut carried = Vec::new();
    if let Some(record) = world.registry.sensors.get(&entity) {
        if !is_new && body.is_some() && body == record.body {
            if sensor.has_direction() {
                let footprint = sensor.to_footprint(transform, axes);
                let turned = world.world.set_sensor_footprint(record.id, &footprint);
                turned
                    .err()
                    .into_iter()
                    .for_each(|error| world.reject(entity, error));
            }
            return;
        }
        let id = record.id;
        carried.clone_from(&record.carried);
        carried.extend(world.world.detected_by(id).unwrap_or_default());
        world.registry.sensors.remove(&entity);
        remove_sensor(world, id);
    }
    let mount = body.map_or_else(|| Position::from(transform.translation).into(), Mount::from);
    match world
        .world
        .add_sensor(sensor.to_sensor(transform, mount, axes))
    {
        Ok(id) => {
            if !carried.is_empty() {
                world.moved_sensors.push(entity);
            }
            world
                .registry
                .sensors
                .insert(entity, SensorRecord { id, body, carried });
            world.registry.entities_of_sensors.insert(id, entity);
        }
        Err(error) => world.reject(entity, error),
    }
}

/// Updates the sensors and reports what changed, by sensor and body.
fn sense(world: &mut NavWorld) {
    for event in world.world.update_sensors() {
        let (SensorEvent::Entered { sensor, body } | SensorEvent::Left { sensor, body }) = event
        else {
            continue;
        };
        let Some(entity) = world.registry.entities_of_sensors.get(&sensor).copied() else {
            continue;
        };
        let record = world.registry.sensors.get_mut(&entity);
        let carried = record.map(|record| take(&mut record.carried, body));
        let Some(detected) = detected_entity(world, body) else {
            continue;
        };
        let event = match event {
            SensorEvent::Entered { .. } if carried == Some(true) => continue,
            SensorEvent::Entered { .. } => NavEvent::Entered(SensorEntered { entity, detected }),
            _ => NavEvent::Left(SensorLeft { entity, detected }),
        };
        world.events.push(event);
    }
    leave_carried(world);
}

/// Reports what a moved sensor no longer detects.
fn leave_carried(world: &mut NavWorld) {
    for entity in std::mem::take(&mut world.moved_sensors) {
        let Some(record) = world.registry.sensors.get_mut(&entity) else {
            continue;
        };
        for body in std::mem::take(&mut record.carried) {
            if let Some(detected) = detected_entity(world, body) {
                let left = SensorLeft { entity, detected };
                world.events.push(NavEvent::Left(left));
            }
        }
    }
}

/// Takes a body out of a list; true if it was there.
fn take(list: &mut Vec<BodyId>, body: BodyId) -> bool {
    let at = list.iter().position(|other| *other == body);
    at.map(|at| list.swap_remove(at)).is_some()
}

/// The entity of a body, also of one removed in this tick.
fn detected_entity(world: &NavWorld, body: BodyId) -> Option<Entity> {
    let gone = || world.gone_bodies.iter().find(|(id, _)| *id == body);
    world
        .entity_of(body)
        .or_else(|| gone().map(|(_, entity)| *entity))
}
