//! [`NavWorld`]: a world as a component, and the entities that belong to it.

use std::collections::BTreeMap;

use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Affine3A, Vec3};
use bevy_reflect::prelude::*;
use wayfarer::{
    Axes, BodyId, ChangeCursor, CostAreaId, Crowd, CrowdAgentId, LinkId, PathStep, Planner,
    PlannerOptions, PlannerStats, Position, RequestId, Revision, Scale, SensorId, SolidId,
    WorldChanges,
};

use crate::batch::Batch;
use crate::changes::{Kind, Removals};
use crate::events::{NavEvent, NavRejected, RejectReason, WorldChanged};

/// A world in which agents move, with the planner of their paths.
///
/// Entities belong to it by [`InNavWorld`]; one without that component joins the only world there is.
/// For queries see [`NavQuery`](crate::NavQuery).
#[derive(Component, Debug)]
#[component(on_insert = Self::on_insert)]
pub struct NavWorld {
    pub(crate) world: wayfarer::World,
    pub(crate) planner: Planner,
    /// The agents that the plugin moves; made with the first.
    pub(crate) crowd: Option<Crowd>,
    pub(crate) registry: Registry,
    /// What happened since the last output.
    pub(crate) events: Vec<NavEvent>,
    /// The change log up to the last change by the plugin.
    cursor: ChangeCursor,
    /// Edits of the last tick.
    pub(crate) n_edits: usize,
    /// The edits of this tick.
    pub(crate) pending: Batch,
    /// Sensors and bodies to remove in this tick.
    pub(crate) removed_sensors: Vec<SensorId>,
    pub(crate) removed_bodies: Vec<BodyId>,
    /// Bodies removed in this tick, with their entities.
    pub(crate) gone_bodies: Vec<(BodyId, Entity)>,
    /// Sensors placed anew in this tick that detected something before.
    pub(crate) moved_sensors: Vec<Entity>,
    /// Moves of this tick.
    pub(crate) moves: Vec<(BodyId, Position)>,
    /// Agents that joined or left the crowd in this tick: their targets are new requests.
    pub(crate) unsent: Vec<Entity>,
    /// Entities of a scene loaded in this tick: what they stand for is there already.
    pub(crate) restored: EntityHashSet,
}

impl NavWorld {
    /// A world with its agent types and its air. Its axes are those of its [`Scale`]: y up for games
    /// in space ([`y_up`]), z up for games on the plane.
    pub fn new(world: wayfarer::World) -> Self {
        let cursor = world.change_cursor();
        Self {
            world,
            planner: Planner::new(PlannerOptions::default()),
            crowd: None,
            registry: Registry::default(),
            events: Vec::new(),
            cursor,
            n_edits: 0,
            pending: Batch::default(),
            removed_sensors: Vec::new(),
            removed_bodies: Vec::new(),
            gone_bodies: Vec::new(),
            moved_sensors: Vec::new(),
            moves: Vec::new(),
            unsent: Vec::new(),
            restored: EntityHashSet::default(),
        }
    }

    /// A world of a snapshot.
    pub(crate) fn restored(
        world: wayfarer::World,
        (planner, crowd): (Planner, Option<Crowd>),
        registry: Registry,
        restored: EntityHashSet,
    ) -> Self {
        Self {
            planner,
            crowd,
            registry,
            restored,
            ..Self::new(world)
        }
    }

    /// The world, for queries.
    pub const fn world(&self) -> &wayfarer::World {
        &self.world
    }

    /// The world, for changes that no component stands for: terrain, agent types, air. The next tick
    /// reports them as [`WorldChanged`]. What belongs to a component is changed by the component.
    pub const fn world_mut(&mut self) -> &mut wayfarer::World {
        &mut self.world
    }

    /// The load of the planner in the last tick.
    pub const fn stats(&self) -> PlannerStats {
        self.planner.stats()
    }

    /// Agents with a target that they have not reached.
    pub fn n_requests(&self) -> usize {
        self.registry.entities_of_requests.len()
    }

    /// What an agent does next along its path: the waypoint that it steers to, links ahead, the
    /// distance left. `None` for agents of a crowd, which moves them itself.
    pub fn step(&self, agent: Entity) -> Option<&PathStep> {
        self.registry.agents.get(&agent)?.step.as_ref()
    }

    /// The body of an entity with a [`NavEntity`](crate::NavEntity).
    pub fn body_of(&self, entity: Entity) -> Option<BodyId> {
        self.registry.bodies.get(&entity).copied()
    }

    /// The entity of a body.
    pub fn entity_of(&self, body: BodyId) -> Option<Entity> {
        self.registry.entities_of_bodies.get(&body).copied()
    }

    /// The solid of an entity.
    pub fn solid_of(&self, entity: Entity) -> Option<SolidId> {
        Some(self.registry.solids.get(&entity)?.id)
    }

    /// The link of an entity.
    pub fn link_of(&self, entity: Entity) -> Option<LinkId> {
        Some(self.registry.links.get(&entity)?.id)
    }

    /// The entity of a link.
    pub fn entity_of_link(&self, link: LinkId) -> Option<Entity> {
        let mut links = self.registry.links.iter();
        links
            .find(|(_, placed)| placed.id == link)
            .map(|(entity, _)| *entity)
    }

    /// The agents with a [`NavCrowdAgent`](crate::NavCrowdAgent); `None` as long as there were none.
    pub const fn crowd(&self) -> Option<&Crowd> {
        self.crowd.as_ref()
    }

    /// Lets an agent of the crowd traverse the link at which it stands, once the link is open and its
    /// end is free; see [`NavCrowdSettings::waits_at_links`](crate::NavCrowdSettings::waits_at_links).
    /// False if the agent is not in the crowd.
    pub fn traverse(&mut self, agent: Entity) -> bool {
        let Some(id) = self.member(agent).map(|member| member.id) else {
            return false;
        };
        let crowd = self.crowd.as_mut();
        crowd.is_some_and(|crowd| crowd.traverse(&self.world, id).is_ok())
    }

    pub(crate) fn member(&self, agent: Entity) -> Option<&CrowdMember> {
        self.registry.agents.get(&agent)?.member.as_ref()
    }

    pub(crate) fn has_restored_sensor(&self, entity: Entity) -> bool {
        self.restored.contains(&entity) && self.registry.sensors.contains_key(&entity)
    }

    pub(crate) fn axes(&self) -> Axes {
        self.world.scale().axes
    }

    pub(crate) fn reject(&mut self, entity: Entity, reason: impl Into<RejectReason>) {
        let reason = reason.into();
        self.events
            .push(NavEvent::Rejected(NavRejected { entity, reason }));
    }

    /// Reports what the game changed by [`NavWorld::world_mut`].
    pub(crate) fn report_foreign_changes(&mut self, entity: Entity) {
        let revision = self.world.revision();
        match self.world.poll_changes(&mut self.cursor) {
            Ok(all) => {
                for changes in all {
                    self.report(entity, changes);
                }
            }
            Err(wayfarer::Lagged { .. }) => {
                let changes = None;
                let changed = WorldChanged {
                    entity,
                    revision,
                    changes,
                };
                self.events.push(NavEvent::Changed(changed));
            }
        }
    }

    /// Reports a change set.
    pub(crate) fn report(&mut self, entity: Entity, changes: WorldChanges) {
        self.events.push(NavEvent::Changed(WorldChanged {
            entity,
            revision: changes.revision(),
            changes: Some(changes),
        }));
    }

    /// The plugin has read its own changes.
    pub(crate) fn skip_own_changes(&mut self) {
        self.cursor = self.world.change_cursor();
    }

    fn on_insert(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push_world(world, context.entity);
    }

    /// The revision of the world.
    pub fn revision(&self) -> Revision {
        self.world.revision()
    }
}

/// A scale with y up, as everywhere in Bevy's space: cells, steps and voxels of one size.
pub const fn y_up(size: f64) -> Scale {
    Scale {
        axes: Axes::YUp,
        ..Scale::meters(size)
    }
}

/// The world to which an agent, solid, link, door, cost area, sensor or body belongs. An entity without
/// it joins the only [`NavWorld`] there is, if there is one; among several it waits for this component.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Debug)]
#[reflect(Component, Clone, PartialEq, Debug)]
#[relationship(relationship_target = NavMembers)]
#[component(on_remove = Self::on_remove)]
pub struct InNavWorld(#[entities] pub Entity);

impl InNavWorld {
    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Member);
    }
}

/// The entities that belong to a [`NavWorld`]; kept by [`InNavWorld`].
#[derive(Component, Reflect, Clone, PartialEq, Eq, Debug, Default)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[relationship_target(relationship = InNavWorld)]
pub struct NavMembers(EntityHashSet);

/// What the components of entities became in a world.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    pub(crate) agents: EntityHashMap<AgentRecord>,
    pub(crate) solids: EntityHashMap<Placed<SolidId>>,
    pub(crate) links: EntityHashMap<Placed<LinkId>>,
    pub(crate) cost_areas: EntityHashMap<Placed<CostAreaId>>,
    pub(crate) bodies: EntityHashMap<BodyId>,
    pub(crate) sensors: EntityHashMap<SensorRecord>,
    pub(crate) entities_of_requests: BTreeMap<RequestId, Entity>,
    pub(crate) entities_of_crowd: BTreeMap<CrowdAgentId, Entity>,
    pub(crate) entities_of_bodies: BTreeMap<BodyId, Entity>,
    pub(crate) entities_of_sensors: BTreeMap<SensorId, Entity>,
}

/// Something with an id, and where its entity was when it was placed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Placed<I> {
    pub(crate) id: I,
    pub(crate) at: Affine3A,
}

/// An agent in the planner.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentRecord {
    /// Its request; none without a target and after arrival.
    pub(crate) request: Option<RequestId>,
    /// What it does next.
    pub(crate) step: Option<PathStep>,
    /// Where the entity was that it follows when the goal was set.
    pub(crate) followed: Option<Position>,
    /// What it is in the crowd; none if the game moves it.
    pub(crate) member: Option<CrowdMember>,
}

/// An agent in the crowd.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct CrowdMember {
    pub(crate) id: CrowdAgentId,
    pub(crate) body: BodyId,
    /// Where it was when its translation was written.
    pub(crate) position: Position,
    /// The translation that was written last; another one is the game's.
    pub(crate) written: Vec3,
}

/// A sensor of the world.
#[derive(Clone, Debug)]
pub(crate) struct SensorRecord {
    pub(crate) id: SensorId,
    /// The body it is mounted on.
    pub(crate) body: Option<BodyId>,
    /// What the sensor that it replaces detected: neither entered again nor left unless it is gone.
    pub(crate) carried: Vec<BodyId>,
}

impl Registry {
    /// Forgets the request of an agent.
    pub(crate) fn take_request(&mut self, agent: Entity) -> Option<RequestId> {
        let record = self.agents.get_mut(&agent)?;
        record.step = None;
        let request = record.request.take()?;
        self.entities_of_requests.remove(&request);
        Some(request)
    }

    /// Forgets what an agent is in the crowd.
    pub(crate) fn take_member(&mut self, agent: Entity) -> Option<CrowdMember> {
        let member = self.agents.get_mut(&agent)?.member.take()?;
        self.entities_of_crowd.remove(&member.id);
        Some(member)
    }
}
