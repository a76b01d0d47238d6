//! From targets to paths: requests, positions, the planner, its events.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_math::{Affine3A, Vec3};
use bevy_transform::components::Transform;
use wayfarer::{Axes, Goal, PathRequest, PlannerEvent, Position};

use crate::agent::{DesiredVelocity, NavAgent, NavPath, NavState, NavTarget};
use crate::apply::in_order;
use crate::body::feet;
use crate::changes::order;
use crate::collect::sorted;
use crate::crowd::NavCrowdAgent;
use crate::events::{
    NavEvent, PathFailed, PathFound, PathInvalidated, PathRepaired, RejectReason, TargetReached,
};
use crate::settings::NavSettings;
use crate::shape::up_index;
use crate::world::{InNavWorld, NavWorld};

/// An agent as the planner sees it.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Agent {
    entity: Entity,
    agent: Ref<'static, NavAgent>,
    target: Ref<'static, NavTarget>,
    world: Ref<'static, InNavWorld>,
    transform: Ref<'static, Transform>,
    path: &'static mut NavPath,
    state: &'static mut NavState,
}

type NewTargets = Or<(Changed<NavTarget>, Changed<NavAgent>, Changed<InNavWorld>)>;

/// Makes requests of new targets, by entity.
pub(crate) fn request_paths(
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    mut agents: Query<'_, '_, Agent>,
    changed: Query<'_, '_, Entity, (With<NavAgent>, With<InNavWorld>, NewTargets)>,
    positions: Query<'_, '_, &Transform>,
) {
    let mut unsent: Vec<Entity> = Vec::new();
    for (_, mut world) in &mut worlds {
        unsent.append(&mut world.bypass_change_detection().unsent);
    }
    for entity in sorted(changed.iter(), unsent.into_iter()) {
        let Ok(mut agent) = agents.get_mut(entity) else {
            continue;
        };
        let own = worlds.get(agent.world.0);
        let is_restored = own.is_ok_and(|(_, world)| world.restored.contains(&entity));
        // An agent of a loaded scene goes on; one that was spawned just before it was saved begins.
        if is_restored && *agent.state != NavState::Idle {
            continue;
        }
        let is_other = agent.world.is_changed() || agent.agent.is_changed();
        if is_other {
            for (_, mut world) in &mut worlds {
                cancel(world.bypass_change_detection(), entity);
            }
        }
        if let Ok((_, mut world)) = worlds.get_mut(agent.world.0) {
            set_target(world.bypass_change_detection(), &mut agent, &positions);
        }
    }
}

/// Ends the request of an agent.
fn cancel(world: &mut NavWorld, agent: Entity) {
    let request = world.registry.take_request(agent);
    let member = world.member(agent).map(|member| member.id);
    let NavWorld { crowd, planner, .. } = world;
    match (member, crowd) {
        (Some(id), Some(crowd)) => drop(crowd.stop(planner, id)),
        _ => drop(request.map(|request| planner.cancel(request))),
    }
}

/// Makes, changes or ends the request of an agent.
fn set_target(
    world: &mut NavWorld,
    agent: &mut AgentItem<'_, '_>,
    positions: &Query<'_, '_, &Transform>,
) {
    let (entity, axes) = (agent.entity, world.axes());
    let (goal, followed) = match goal(&agent.target, agent.agent.speed, (axes, positions)) {
        Ok(Some(goal)) => goal,
        Ok(None) => return stand(world, agent, NavState::Idle),
        Err(reason) => {
            world.reject(entity, reason);
            return stand(world, agent, NavState::Failed);
        }
    };
    let from = feet(agent.transform.translation, agent.agent.feet_offset, axes);
    let record = world.registry.agents.entry(entity).or_default();
    record.followed = followed;
    if let Some(request) = record.request
        && record.member.is_none()
    {
        record.step = world.planner.advance(request, from);
        world.planner.retarget(request, goal);
    } else {
        let request = PathRequest {
            agent_type: agent.agent.type_id(),
            method: agent.agent.method.into(),
            partial: agent.agent.partial.into(),
            start: agent.agent.start_policy(),
            avoid_bodies: agent.agent.avoided(),
            own_body: world.registry.bodies.get(&entity).copied(),
            ..PathRequest::new(from, goal)
        };
        // An agent of a crowd walks on along its path until another is found.
        if record.request.is_none() {
            agent.path.set_if_neq(NavPath(None));
        }
        send(world, agent, request);
    }
    let state = match agent.path.0 {
        Some(_) => NavState::Following,
        None => NavState::Waiting,
    };
    agent.state.set_if_neq(state);
}

/// Ends the request of an agent, which follows no path any more.
fn stand(world: &mut NavWorld, agent: &mut AgentItem<'_, '_>, state: NavState) {
    cancel(world, agent.entity);
    agent.path.set_if_neq(NavPath(None));
    agent.state.set_if_neq(state);
}

/// Gives a new request to the planner, for an agent of a crowd through the crowd.
fn send(world: &mut NavWorld, agent: &AgentItem<'_, '_>, request: PathRequest) {
    let NavWorld {
        crowd,
        planner,
        registry,
        ..
    } = world;
    let record = registry.agents.entry(agent.entity).or_default();
    let old = record.request.take();
    record.step = None;
    record.request = match (record.member, crowd) {
        (Some(member), Some(crowd)) => {
            let ordered = crowd.order_path(planner, member.id, request);
            ordered.ok().and_then(|()| crowd.request(member.id))
        }
        _ => Some(planner.request(request)),
    };
    let requests = &mut registry.entities_of_requests;
    old.map(|old| requests.remove(&old));
    if let Some(request) = record.request {
        planner.set_priority(request, agent.agent.priority);
        requests.insert(request, agent.entity);
    }
}

/// The goal of a target, and where the entity is that it follows; none without a target.
fn goal(
    target: &NavTarget,
    speed: f32,
    (axes, positions): (Axes, &Query<'_, '_, &Transform>),
) -> Result<Option<(Goal, Option<Position>)>, RejectReason> {
    if *target != NavTarget::None && !(speed.is_finite() && speed >= 0.0) {
        return Err(RejectReason::Speed { speed });
    }
    let position = |entity| position(entity, positions).ok_or(RejectReason::Target { entity });
    let goal = match target {
        NavTarget::None => return Ok(None),
        NavTarget::Position(at) => (Position::from(*at).into(), None),
        NavTarget::Area { center, shape } => {
            let around = Affine3A::from_translation(*center);
            (shape.area(&around, axes).into(), None)
        }
        NavTarget::Entity { entity, distance } => {
            let at = position(*entity)?;
            let goal = match *distance > 0.0 {
                true => Goal::Within {
                    center: at,
                    distance: (*distance).into(),
                },
                false => at.into(),
            };
            (goal, Some(at))
        }
        NavTarget::InSightOf { entity, distance } => {
            let target = position(*entity)?;
            let distance = (*distance).into();
            (Goal::LineOfSightTo { target, distance }, Some(target))
        }
    };
    Ok(Some(goal))
}

fn position(entity: Entity, positions: &Query<'_, '_, &Transform>) -> Option<Position> {
    let transform = positions.get(entity).ok()?;
    Some(transform.translation.into())
}

/// Tells the planner where agents are that moved, and follows targets that moved.
pub(crate) fn advance_agents(
    settings: Res<'_, NavSettings>,
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    mut agents: Query<'_, '_, Agent>,
    positions: Query<'_, '_, &Transform>,
) {
    let mut chasing: Vec<Entity> = Vec::new();
    for agent in &mut agents {
        let entity = agent.entity;
        let Ok((_, mut world)) = worlds.get_mut(agent.world.0) else {
            continue;
        };
        let world = world.bypass_change_detection();
        let axes = world.axes();
        let Some(record) = world.registry.agents.get_mut(&entity) else {
            continue;
        };
        if agent.transform.is_changed()
            && record.member.is_none()
            && let Some(request) = record.request
        {
            let at = feet(agent.transform.translation, agent.agent.feet_offset, axes);
            record.step = world.planner.advance(request, at);
        }
        if let Some(followed) = record.followed
            && let NavTarget::Entity { entity: other, .. }
            | NavTarget::InSightOf { entity: other, .. } = &*agent.target
            && let Some(at) = position(*other, &positions)
            && is_farther(followed, at, settings.retarget_distance)
        {
            chasing.push(entity);
        }
    }
    chasing.sort_unstable_by_key(|entity| order(*entity));
    for entity in chasing {
        if let Ok(mut agent) = agents.get_mut(entity)
            && let Ok((_, mut world)) = worlds.get_mut(agent.world.0)
        {
            set_target(world.bypass_change_detection(), &mut agent, &positions);
        }
    }
}

fn is_farther(a: Position, b: Position, distance: f32) -> bool {
    let apart = Vec3::from(a).distance_squared(b.into());
    apart > distance * distance
}

/// Searches within the budget and hands out paths.
pub(crate) fn update_planners(
    settings: Res<'_, NavSettings>,
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    mut agents: Query<'_, '_, Agent>,
) {
    for (_, mut world) in in_order(worlds.iter_mut()) {
        let world = world.bypass_change_detection();
        let options = settings.planner();
        if world.planner.options() != options {
            world.planner.set_options(options);
        }
        let NavWorld {
            planner,
            world: ground,
            ..
        } = world;
        planner.update(ground);
        for event in world.planner.take_events() {
            let entity = world.registry.entities_of_requests.get(&event.id());
            if let Some(mut agent) = entity.and_then(|entity| agents.get_mut(*entity).ok()) {
                hand_out(world, &mut agent, event);
            }
        }
    }
}

/// Writes what happened to a request into the components of its agent.
fn hand_out(world: &mut NavWorld, agent: &mut AgentItem<'_, '_>, event: PlannerEvent) {
    let (entity, id) = (agent.entity, event.id());
    let (state, event) = match event {
        PlannerEvent::Found { .. } => (NavState::Following, NavEvent::Found(PathFound { entity })),
        PlannerEvent::Repaired { .. } => (
            NavState::Following,
            NavEvent::Repaired(PathRepaired { entity }),
        ),
        PlannerEvent::Invalidated { at, .. } => {
            let at = at.into();
            let invalidated = PathInvalidated { entity, at };
            (NavState::Waiting, NavEvent::Invalidated(invalidated))
        }
        PlannerEvent::Failed { reason, .. } => (
            NavState::Failed,
            NavEvent::Failed(PathFailed { entity, reason }),
        ),
        _ => return,
    };
    world.events.push(event);
    agent.state.set_if_neq(state);
    agent.path.0 = world.planner.path(id).cloned();
    if world.member(entity).is_some() {
        return;
    }
    let at = feet(
        agent.transform.translation,
        agent.agent.feet_offset,
        world.axes(),
    );
    let step = world.planner.advance(id, at);
    if let Some(record) = world.registry.agents.get_mut(&entity) {
        record.step = step;
    }
}

/// What an agent needs to steer.
type Steered = Or<(
    Changed<Transform>,
    Changed<NavPath>,
    Changed<NavState>,
    Changed<NavAgent>,
)>;

/// Writes the velocity of agents that moved or have another path, and notices arrivals.
pub(crate) fn steer(
    time: Res<'_, bevy_time::Time>,
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    mut agents: Query<'_, '_, (Agent, &mut DesiredVelocity), (Steered, Without<NavCrowdAgent>)>,
) {
    let seconds = time.delta_secs();
    let mut arrived: Vec<Entity> = Vec::new();
    for (agent, mut velocity) in &mut agents {
        let world = worlds.get(agent.world.0).ok();
        let step = world.and_then(|(_, world)| Some((world.step(agent.entity)?, world.axes())));
        let wanted = match step {
            Some((step, _)) if step.has_arrived => {
                arrived.push(agent.entity);
                Vec3::ZERO
            }
            Some((step, axes)) => toward(step.target, &agent, axes, seconds),
            None => Vec3::ZERO,
        };
        velocity.set_if_neq(DesiredVelocity(wanted));
    }
    arrived.sort_unstable_by_key(|entity| order(*entity));
    for entity in arrived {
        if let Ok((mut agent, _)) = agents.get_mut(entity)
            && let Ok((_, mut world)) = worlds.get_mut(agent.world.0)
        {
            arrive(world.bypass_change_detection(), &mut agent);
        }
    }
}

/// The velocity to the next waypoint, which is not overshot within a tick.
fn toward(target: Position, agent: &AgentItem<'_, '_>, axes: Axes, seconds: f32) -> Vec3 {
    let mut offset = Vec3::from(target) - agent.transform.translation;
    offset[up_index(axes)] += agent.agent.feet_offset;
    let length = offset.length();
    let reach = agent.agent.speed * seconds;
    match length > reach && length > 0.0 {
        true => offset * (agent.agent.speed / length),
        false if seconds > 0.0 => offset / seconds,
        false => Vec3::ZERO,
    }
}

/// Ends the request of an agent that is at the end of its path.
fn arrive(world: &mut NavWorld, agent: &mut AgentItem<'_, '_>) {
    let entity = agent.entity;
    cancel(world, entity);
    let partial = agent.path.0.as_ref().and_then(|path| path.partial());
    let is_settled = false;
    let reached = TargetReached {
        entity,
        partial,
        is_settled,
    };
    world.events.push(NavEvent::Reached(reached));
    agent.state.set_if_neq(NavState::Arrived);
    agent.path.set_if_neq(NavPath(None));
}
