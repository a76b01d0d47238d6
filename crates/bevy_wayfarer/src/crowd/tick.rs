//! The crowd of a world: agents join it, it moves them, what happened becomes events.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use wayfarer::{Axes, Crowd, CrowdAgentId, CrowdAgentState, CrowdEvent, CrowdOptions};

use super::NavCrowdAgent;
use crate::agent::{DesiredVelocity, NavAgent, NavPath, NavState};
use crate::apply::in_order;
use crate::body::NavEntity;
use crate::collect::sorted;
use crate::events::{AgentDisplaced, AgentStuck, LinkAhead, LinkReached, NavEvent, TargetReached};
use crate::settings::NavSettings;
use crate::shape::{lifted, up_index};
use crate::world::{CrowdMember, InNavWorld, NavWorld};

/// Seconds of a tick in an app without fixed time.
const TICK_SECONDS: f64 = 1.0 / 64.0;

type Joining = Or<(
    Changed<NavCrowdAgent>,
    Changed<NavAgent>,
    Changed<NavEntity>,
    Changed<InNavWorld>,
    Changed<Transform>,
)>;

/// An agent that may join a crowd.
#[derive(QueryData)]
pub(crate) struct Candidate {
    crowd_agent: Ref<'static, NavCrowdAgent>,
    agent: Ref<'static, NavAgent>,
    world: Ref<'static, InNavWorld>,
    transform: &'static Transform,
}

/// Adds agents to the crowds of their worlds, again if they or their bodies are others or the game has
/// put them elsewhere.
pub(crate) fn join_crowds(
    settings: Res<'_, NavSettings>,
    time: Option<Res<'_, Time<Fixed>>>,
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    agents: Query<'_, '_, Candidate>,
    joining: Query<'_, '_, Entity, (With<NavCrowdAgent>, Joining)>,
) {
    let seconds = time.map_or(TICK_SECONDS, |time| time.timestep().as_secs_f64());
    let options = settings.crowd.to_options(seconds, settings.threads);
    let mut joining = sorted(joining.iter(), std::iter::empty());
    for (entity, mut world) in in_order(worlds.iter_mut()) {
        let left = renew(world.bypass_change_detection(), entity, options);
        joining = sorted(joining.into_iter(), left.into_iter());
    }
    for entity in joining {
        let Ok(agent) = agents.get(entity) else {
            continue;
        };
        let own = worlds.get(agent.world.0);
        if own.is_ok_and(|(_, world)| is_in_place(world, entity, &agent)) {
            continue;
        }
        for (_, mut world) in &mut worlds {
            leave(world.bypass_change_detection(), entity);
        }
        if let Ok((_, mut world)) = worlds.get_mut(agent.world.0) {
            join(world.bypass_change_detection(), entity, &agent, options);
        }
    }
}

/// Begins the crowd of a world anew if its options are others; its agents up to now.
fn renew(world: &mut NavWorld, entity: Entity, options: CrowdOptions) -> Vec<Entity> {
    let Some(crowd) = &mut world.crowd else {
        return Vec::new();
    };
    let before = crowd.options();
    if before == options {
        return Vec::new();
    }
    crowd.set_threads(options.n_threads);
    if crowd.options() == options {
        return Vec::new();
    }
    match Crowd::new(&world.world, options) {
        Ok(crowd) => {
            let left: Vec<Entity> = world.registry.entities_of_crowd.values().copied().collect();
            left.iter().for_each(|agent| leave(world, *agent));
            world.crowd = Some(crowd);
            left
        }
        Err(error) => {
            world.reject(entity, error);
            Vec::new()
        }
    }
}

/// True if an agent is in the crowd of its world as it should be: nothing changed but what the crowd
/// itself has written.
fn is_in_place(world: &NavWorld, entity: Entity, agent: &CandidateItem<'_, '_>) -> bool {
    let Some(member) = world.member(entity) else {
        return false;
    };
    if world.restored.contains(&entity) {
        return true;
    }
    let is_other =
        agent.crowd_agent.is_changed() || agent.agent.is_changed() || agent.world.is_changed();
    let is_there = member.written == agent.transform.translation;
    !is_other && is_there && world.body_of(entity) == Some(member.body)
}

/// Takes an agent out of the crowd of a world; its target is looked at again.
pub(crate) fn leave(world: &mut NavWorld, entity: Entity) {
    let Some(member) = world.registry.take_member(entity) else {
        return;
    };
    world.registry.take_request(entity);
    world.unsent.push(entity);
    let NavWorld { crowd, planner, .. } = world;
    if let Some(crowd) = crowd {
        // The crowd has dropped an agent whose body is gone.
        drop(crowd.remove(planner, member.id));
    }
}

fn join(
    world: &mut NavWorld,
    entity: Entity,
    agent: &CandidateItem<'_, '_>,
    options: CrowdOptions,
) {
    let Some(body) = world.body_of(entity) else {
        return;
    };
    if world.crowd.is_none() {
        match Crowd::new(&world.world, options) {
            Ok(crowd) => world.crowd = Some(crowd),
            Err(error) => return world.reject(entity, error),
        }
    }
    let Some(crowd) = &mut world.crowd else {
        return;
    };
    let added = crowd.add(&world.world, body, agent.crowd_agent.to_agent(&agent.agent));
    let id = match added {
        Ok(id) => id,
        Err(error) => return world.reject(entity, error),
    };
    let member = CrowdMember {
        id,
        body,
        position: crowd.position(id).unwrap_or_default(),
        written: agent.transform.translation,
    };
    let record = world.registry.agents.entry(entity).or_default();
    record.member = Some(member);
    world.registry.entities_of_crowd.insert(id, entity);
    world.unsent.push(entity);
}

/// An agent that a crowd moves.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Moved {
    entity: Entity,
    agent: &'static NavAgent,
    world: &'static InNavWorld,
    transform: &'static mut Transform,
    velocity: &'static mut DesiredVelocity,
    path: &'static mut NavPath,
    state: &'static mut NavState,
}

/// Moves the agents of all crowds by a tick and writes where they are.
pub(crate) fn move_crowds(
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    mut agents: Query<'_, '_, Moved, With<NavCrowdAgent>>,
) {
    for (entity, mut world) in in_order(worlds.iter_mut()) {
        let world = world.bypass_change_detection();
        let NavWorld {
            crowd: Some(crowd),
            world: ground,
            planner,
            ..
        } = world
        else {
            continue;
        };
        let ticked = crowd.tick(ground, planner);
        let events = crowd.take_events();
        if let Err(error) = ticked {
            world.reject(entity, error);
        }
        for event in events {
            hand_out(world, &mut agents, event);
        }
        world.skip_own_changes();
    }
    for mut agent in &mut agents {
        if let Ok((_, mut world)) = worlds.get_mut(agent.world.0) {
            write(world.bypass_change_detection(), &mut agent);
        }
    }
}

/// Writes the position and the velocity of an agent if they are others, and follows its request.
fn write(world: &mut NavWorld, agent: &mut MovedItem<'_, '_>) {
    let axes = world.axes();
    let (Some(crowd), Some(record)) = (&world.crowd, world.registry.agents.get_mut(&agent.entity))
    else {
        return;
    };
    let Some(member) = &mut record.member else {
        agent.velocity.set_if_neq(DesiredVelocity(Vec3::ZERO));
        return;
    };
    if let Some(position) = crowd.position(member.id)
        && position != member.position
    {
        let mut at = Vec3::from(position);
        at[up_index(axes)] += agent.agent.feet_offset;
        member.position = position;
        member.written = at;
        agent.transform.translation = at;
    }
    let velocity = velocity(crowd, member.id, axes);
    agent.velocity.set_if_neq(DesiredVelocity(velocity));
    // A member of a group has no request of its own.
    if record.request.is_none() && crowd.state(member.id) == Some(CrowdAgentState::Moving) {
        agent.state.set_if_neq(NavState::Following);
    }
    // The crowd makes another request for an agent that is stuck or was displaced.
    let request = crowd.request(member.id);
    if request != record.request {
        let requests = &mut world.registry.entities_of_requests;
        record.request.take().map(|old| requests.remove(&old));
        record.request = request;
        if let Some(request) = request {
            requests.insert(request, agent.entity);
            world.planner.set_priority(request, agent.agent.priority);
        }
    }
}

/// The velocity of an agent in space.
fn velocity(crowd: &Crowd, id: CrowdAgentId, axes: Axes) -> Vec3 {
    let flat = crowd.velocity(id).unwrap_or_default();
    let mut velocity = lifted(flat.map(narrowed).into(), axes);
    velocity[up_index(axes)] = narrowed(crowd.vertical_speed(id).unwrap_or_default());
    velocity
}

#[expect(clippy::cast_possible_truncation, reason = "components hold f32")]
const fn narrowed(speed: f64) -> f32 {
    speed as f32
}

/// Writes what happened to an agent into its components and reports it.
fn hand_out(
    world: &mut NavWorld,
    agents: &mut Query<'_, '_, Moved, With<NavCrowdAgent>>,
    event: CrowdEvent,
) {
    let entity_of = |id: CrowdAgentId| world.registry.entities_of_crowd.get(&id).copied();
    let event = match event {
        CrowdEvent::Arrived { agent } => return arrive(world, agents, agent, false),
        CrowdEvent::Settled { agent } => return arrive(world, agents, agent, true),
        CrowdEvent::BodyRemoved { agent } => {
            if let Some(entity) = entity_of(agent) {
                leave(world, entity);
            }
            return;
        }
        CrowdEvent::LinkAhead { agent, link } => entity_of(agent).map(|entity| {
            let link = link.and_then(|link| world.entity_of_link(link));
            NavEvent::LinkAhead(LinkAhead { entity, link })
        }),
        CrowdEvent::ReachedLink { agent, link } => entity_of(agent).map(|entity| {
            let link = link.and_then(|link| world.entity_of_link(link));
            NavEvent::LinkReached(LinkReached { entity, link })
        }),
        CrowdEvent::Stuck { agent } => {
            entity_of(agent).map(|entity| NavEvent::Stuck(AgentStuck { entity }))
        }
        CrowdEvent::Displaced { agent } => {
            entity_of(agent).map(|entity| NavEvent::Displaced(AgentDisplaced { entity }))
        }
        // The planner reports that there is no path.
        _ => None,
    };
    world.events.extend(event);
}

/// An agent is at its target, or as near as others let it.
fn arrive(
    world: &mut NavWorld,
    agents: &mut Query<'_, '_, Moved, With<NavCrowdAgent>>,
    id: CrowdAgentId,
    is_settled: bool,
) {
    let Some(entity) = world.registry.entities_of_crowd.get(&id).copied() else {
        return;
    };
    world.registry.take_request(entity);
    let Ok(mut agent) = agents.get_mut(entity) else {
        return;
    };
    let partial = agent.path.0.as_ref().and_then(|path| path.partial());
    world.events.push(NavEvent::Reached(TargetReached {
        entity,
        partial,
        is_settled,
    }));
    agent.state.set_if_neq(NavState::Arrived);
    agent.path.set_if_neq(NavPath(None));
}
