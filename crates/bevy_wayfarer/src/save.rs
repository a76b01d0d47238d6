//! [`save_worlds`]: worlds and planners in scenes, by the snapshots of the library.
//!
//! A saved world keeps its solids, links, bodies, sensors and requests, so what stands for them must
//! not be added again when the scene is loaded: their ids are saved beside the components.

mod bytes;

use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_ecs::world::World as BevyWorld;
use bevy_math::{Affine3A, Vec3};
use bevy_reflect::prelude::*;
use wayfarer::{
    BodyId, CostAreaId, Crowd, CrowdAgentId, LinkId, Planner, RequestId, SensorId, SolidId, World,
};

use self::bytes::Bytes;
use crate::agent::NavPath;
use crate::events::{NavRejected, RejectReason, reject};
use crate::world::{
    AgentRecord, CrowdMember, InNavWorld, NavWorld, Placed, Registry, SensorRecord,
};

/// A [`NavWorld`] as bytes, for scenes. An entity with it and without a [`NavWorld`] gets the saved one
/// in the next tick.
#[derive(
    Component, Reflect, Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize,
)]
#[reflect(Component, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NavSnapshot {
    world: Bytes,
    planner: Bytes,
    crowd: Option<Bytes>,
}

/// What the components of an entity are in the [`NavSnapshot`] of its world.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavSavedIds {
    solid: Option<u64>,
    link: Option<u64>,
    cost_area: Option<u64>,
    body: Option<u64>,
    sensor: Option<u64>,
    request: Option<u64>,
    followed: Option<Vec3>,
    crowd_agent: Option<u64>,
    written: Vec3,
}

impl NavSavedIds {
    /// The ids of an entity.
    fn of(registry: &Registry, entity: Entity) -> Self {
        let agent = registry.agents.get(&entity);
        let request = agent.and_then(|agent| agent.request);
        let member = agent.and_then(|agent| agent.member);
        Self {
            solid: registry.solids.get(&entity).map(|placed| placed.id.0),
            link: registry
                .links
                .get(&entity)
                .map(|placed| placed.id.to_bits()),
            cost_area: registry
                .cost_areas
                .get(&entity)
                .map(|placed| placed.id.to_bits()),
            body: registry.bodies.get(&entity).map(|id| id.to_bits()),
            sensor: registry
                .sensors
                .get(&entity)
                .map(|record| record.id.to_bits()),
            request: request.map(RequestId::to_bits),
            followed: agent.and_then(|agent| agent.followed).map(Vec3::from),
            crowd_agent: member.map(|member| member.id.to_bits()),
            written: member.map_or(Vec3::ZERO, |member| member.written),
        }
    }

    /// Registers the ids for an entity.
    fn restore(
        self,
        registry: &mut Registry,
        (planner, crowd): (&mut Planner, Option<&Crowd>),
        entity: Entity,
    ) {
        let at = Affine3A::IDENTITY;
        if let Some(id) = self.solid.map(SolidId) {
            registry.solids.insert(entity, Placed { id, at });
        }
        if let Some(id) = self.link.map(LinkId::from_bits) {
            registry.links.insert(entity, Placed { id, at });
        }
        if let Some(id) = self.cost_area.map(CostAreaId::from_bits) {
            registry.cost_areas.insert(entity, Placed { id, at });
        }
        let body = self.body.map(BodyId::from_bits);
        if let Some(id) = body {
            registry.bodies.insert(entity, id);
            registry.entities_of_bodies.insert(id, entity);
        }
        if let Some(id) = self.sensor.map(SensorId::from_bits) {
            let carried = Vec::new();
            registry
                .sensors
                .insert(entity, SensorRecord { id, body, carried });
            registry.entities_of_sensors.insert(id, entity);
        }
        let id = self.crowd_agent.map(CrowdAgentId::from_bits);
        let member = id.zip(body).zip(crowd).and_then(|((id, body), crowd)| {
            Some(CrowdMember {
                id,
                body,
                position: crowd.position(id)?,
                written: self.written,
            })
        });
        if let Some(member) = member {
            registry.entities_of_crowd.insert(member.id, entity);
        }
        let request = self.request.map(RequestId::from_bits);
        let from = request.and_then(|id| Some(planner.path_request(id)?.from));
        let step = request
            .zip(from)
            .filter(|_| member.is_none())
            .and_then(|(id, from)| planner.advance(id, from));
        let followed = self.followed.map(Into::into);
        if request.is_some() || followed.is_some() || member.is_some() {
            registry.agents.insert(
                entity,
                AgentRecord {
                    request,
                    step,
                    followed,
                    member,
                },
            );
        }
        if let Some(id) = request {
            registry.entities_of_requests.insert(id, entity);
        }
    }
}

/// Saves each [`NavWorld`] into a [`NavSnapshot`] of its entity, and what its entities are in it into
/// their [`NavSavedIds`], for a scene that is extracted before the next tick, which removes both.
///
/// Agents of a loaded scene go on along the same paths.
pub fn save_worlds(world: &mut BevyWorld) {
    let mut saved: Vec<(Entity, NavSnapshot)> = Vec::new();
    for (entity, nav) in world.query::<(Entity, &NavWorld)>().iter(world) {
        let (world, planner) = (Bytes(nav.world.save()), Bytes(nav.planner.save()));
        let crowd = nav.crowd.as_ref().map(|crowd| Bytes(crowd.save()));
        let snapshot = NavSnapshot {
            world,
            planner,
            crowd,
        };
        saved.push((entity, snapshot));
    }
    let mut ids: Vec<(Entity, NavSavedIds)> = Vec::new();
    for (entity, member) in world.query::<(Entity, &InNavWorld)>().iter(world) {
        if let Some(nav) = world.get::<NavWorld>(member.0) {
            ids.push((entity, NavSavedIds::of(&nav.registry, entity)));
        }
    }
    for (entity, snapshot) in saved {
        world.entity_mut(entity).insert(snapshot);
    }
    for (entity, ids) in ids {
        world.entity_mut(entity).insert(ids);
    }
}

/// Makes worlds of snapshots, and removes those that were saved before this tick.
pub(crate) fn load_snapshots(
    snapshots: Query<'_, '_, (Entity, &NavSnapshot, Has<NavWorld>)>,
    mut members: Query<'_, '_, (Entity, &NavSavedIds, &InNavWorld, Option<&mut NavPath>)>,
    mut messages: MessageWriter<'_, NavRejected>,
    mut commands: Commands<'_, '_>,
) {
    if snapshots.is_empty() && members.is_empty() {
        return;
    }
    for (entity, snapshot, is_there) in &snapshots {
        commands.entity(entity).remove::<NavSnapshot>();
        if is_there {
            continue;
        }
        let (world, mut planner, crowd) = match load(snapshot) {
            Ok(loaded) => loaded,
            Err(reason) => {
                let reason = RejectReason::Build { reason };
                let rejected = NavRejected { entity, reason };
                reject(rejected, &mut messages, &mut commands);
                continue;
            }
        };
        let mut registry = Registry::default();
        let mut restored = EntityHashSet::default();
        for (member, ids, in_world, path) in &mut members {
            if in_world.0 == entity {
                ids.restore(&mut registry, (&mut planner, crowd.as_ref()), member);
                restored.insert(member);
                if let (Some(mut path), Some(id)) = (path, ids.request) {
                    path.0 = planner.path(RequestId::from_bits(id)).cloned();
                }
            }
        }
        let world = NavWorld::restored(world, (planner, crowd), registry, restored);
        commands.entity(entity).insert(world);
    }
    for (member, ..) in &members {
        commands.entity(member).remove::<NavSavedIds>();
    }
}

fn load(snapshot: &NavSnapshot) -> Result<(World, Planner, Option<Crowd>), String> {
    let world = World::load(&snapshot.world.0).map_err(|error| error.to_string())?;
    let planner = Planner::load(&snapshot.planner.0, &world).map_err(|error| error.to_string())?;
    let crowd = snapshot.crowd.as_ref();
    let crowd = crowd.map(|bytes| Crowd::load(&bytes.0, &world)).transpose();
    let crowd = crowd.map_err(|error| error.to_string())?;
    Ok((world, planner, crowd))
}
