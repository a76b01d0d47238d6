//! From added, changed, moved and removed components to the batch of the tick.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_math::Affine3A;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::helper::TransformHelper;
use wayfarer::Edit;

use crate::agent::{DesiredVelocity, NavAgent, NavPath, NavState};
use crate::body::{NavEntity, NavSensor};
use crate::changes::{Kind, Removals, order};
use crate::cost_area::NavCostArea;
use crate::crowd::tick::leave;
use crate::link::{NavDoor, NavLink, link_state};
use crate::solid::NavSolid;
use crate::world::{InNavWorld, NavMembers, NavWorld};

/// Any component that makes an entity part of a world.
type AnyMember = Or<(
    With<NavAgent>,
    With<NavSolid>,
    With<NavLink>,
    With<NavCostArea>,
    With<NavEntity>,
    With<NavSensor>,
)>;

/// Entities without a world join the only one there is.
pub(crate) fn join_only_world(
    worlds: Query<'_, '_, Entity, With<NavWorld>>,
    loose: Query<'_, '_, Entity, (AnyMember, Without<InNavWorld>)>,
    mut commands: Commands<'_, '_>,
) {
    if loose.is_empty() {
        return;
    }
    let Ok(world) = worlds.single() else {
        return;
    };
    for entity in &loose {
        commands.entity(entity).try_insert(InNavWorld(world));
    }
}

/// Entities that belonged to a world before it was there are new in it.
pub(crate) fn rejoin_new_worlds(
    mut removals: ResMut<'_, Removals>,
    worlds: Query<'_, '_, &NavMembers, With<NavWorld>>,
    mut commands: Commands<'_, '_>,
) {
    for world in removals.bypass_change_detection().take_worlds() {
        for member in worlds.get(world).into_iter().flat_map(NavMembers::iter) {
            commands.entity(member).try_insert(InNavWorld(world));
        }
    }
}

/// Agents that are none any more, or in no world, stand.
fn stop(
    removed: &[(Entity, Kind)],
    agents: &Query<'_, '_, (), With<DesiredVelocity>>,
    commands: &mut Commands<'_, '_>,
) {
    for (entity, kind) in removed {
        if matches!(kind, Kind::Member | Kind::Agent) && agents.contains(*entity) {
            let outputs = (NavPath(None), NavState::Idle, DesiredVelocity::default());
            commands.entity(*entity).try_insert(outputs);
        }
    }
}

/// What moves an entity.
type Moved = Or<(
    Changed<Transform>,
    Changed<GlobalTransform>,
    Changed<InNavWorld>,
)>;

type ChangedSolid = Or<(Changed<NavSolid>, Changed<NavDoor>, Moved)>;
type ChangedLink = Or<(Changed<NavLink>, Changed<NavDoor>, Moved)>;
type ChangedCostArea = Or<(Changed<NavCostArea>, Moved)>;

/// Components that stand for edits: all of a kind, and the entities where they may have changed.
#[derive(SystemParam)]
pub(crate) struct Members<'w, 's> {
    solids: Query<'w, 's, Member<NavSolid>>,
    changed_solids: Query<'w, 's, Entity, (With<NavSolid>, ChangedSolid)>,
    links: Query<'w, 's, Member<NavLink>>,
    changed_links: Query<'w, 's, Entity, (With<NavLink>, ChangedLink)>,
    cost_areas: Query<'w, 's, Member<NavCostArea>>,
    changed_cost_areas: Query<'w, 's, Entity, (With<NavCostArea>, ChangedCostArea)>,
}

/// A component that stands for something in the world.
#[derive(QueryData)]
pub(crate) struct Member<C: Component> {
    entity: Entity,
    component: Ref<'static, C>,
    world: Ref<'static, InNavWorld>,
    door: Option<Ref<'static, NavDoor>>,
}

/// Collects the edits of the tick; see [`Batch`](crate::batch::Batch) for their order.
pub(crate) fn collect_edits(
    mut removals: ResMut<'_, Removals>,
    members: Members<'_, '_>,
    mut worlds: Query<'_, '_, &mut NavWorld>,
    agents: Query<'_, '_, (), With<DesiredVelocity>>,
    helper: TransformHelper<'_, '_>,
    mut commands: Commands<'_, '_>,
) {
    let removed = match removals.is_empty() {
        true => Vec::new(),
        false => removals.bypass_change_detection().take(),
    };
    stop(&removed, &agents, &mut commands);
    for (entity, kind) in &removed {
        for mut world in &mut worlds {
            forget(&mut world, *entity, *kind);
        }
    }
    let without_door = || removed.iter().filter(|(_, kind)| *kind == Kind::Door);
    let place = |entity| affine(&helper, entity);
    let dirty_solids = sorted(
        members.changed_solids.iter(),
        without_door().map(|(entity, _)| *entity),
    );
    for member in dirty_solids
        .iter()
        .filter_map(|entity| members.solids.get(*entity).ok())
    {
        leave_others(&mut worlds, member.entity, &member.world, Kind::Solid);
        if let Ok(mut world) = worlds.get_mut(member.world.0) {
            update_solid(&mut world, &member, place(member.entity));
        }
    }
    let dirty_links = sorted(
        members.changed_links.iter(),
        without_door().map(|(entity, _)| *entity),
    );
    for member in dirty_links
        .iter()
        .filter_map(|entity| members.links.get(*entity).ok())
    {
        leave_others(&mut worlds, member.entity, &member.world, Kind::Link);
        if let Ok(mut world) = worlds.get_mut(member.world.0) {
            update_link(&mut world, &member, place(member.entity));
        }
    }
    for entity in sorted(members.changed_cost_areas.iter(), std::iter::empty()) {
        let Ok(member) = members.cost_areas.get(entity) else {
            continue;
        };
        leave_others(&mut worlds, entity, &member.world, Kind::CostArea);
        if let Ok(mut world) = worlds.get_mut(member.world.0) {
            update_cost_area(&mut world, &member, place(entity));
        }
    }
}

/// Entities in their order, each once.
pub(crate) fn sorted(
    all: impl Iterator<Item = Entity>,
    more: impl Iterator<Item = Entity>,
) -> Vec<Entity> {
    let mut all: Vec<Entity> = all.chain(more).collect();
    all.sort_unstable_by_key(|entity| order(*entity));
    all.dedup();
    all
}

/// Where an entity is, parents included.
fn affine(helper: &TransformHelper<'_, '_>, entity: Entity) -> Affine3A {
    let global = helper.compute_global_transform(entity);
    global.map_or(Affine3A::IDENTITY, |global| global.affine())
}

/// Takes what an entity no longer has out of a world.
fn forget(world: &mut NavWorld, entity: Entity, kind: Kind) {
    let is_kind = |other: Kind| kind == other || kind == Kind::Member;
    if is_kind(Kind::CrowdAgent) || is_kind(Kind::Agent) {
        leave(world, entity);
    }
    let (registry, batch) = (&mut world.registry, &mut world.pending);
    if is_kind(Kind::Solid)
        && let Some(placed) = registry.solids.remove(&entity)
    {
        batch.remove(entity, Edit::remove_solid(placed.id));
    }
    if is_kind(Kind::Link)
        && let Some(placed) = registry.links.remove(&entity)
    {
        batch.remove(entity, Edit::remove_link(placed.id));
    }
    if is_kind(Kind::CostArea)
        && let Some(placed) = registry.cost_areas.remove(&entity)
    {
        batch.remove(entity, Edit::remove_cost_area(placed.id));
    }
    if is_kind(Kind::Agent) {
        if let Some(request) = registry.take_request(entity) {
            world.planner.cancel(request);
        }
        registry.agents.remove(&entity);
    }
    if is_kind(Kind::Sensor)
        && let Some(record) = registry.sensors.remove(&entity)
    {
        world.removed_sensors.push(record.id);
    }
    if is_kind(Kind::Body)
        && let Some(body) = registry.bodies.remove(&entity)
    {
        world.removed_bodies.push(body);
    }
}

/// Takes an entity out of every world but its own, after its world changed.
pub(crate) fn leave_others(
    worlds: &mut Query<'_, '_, &mut NavWorld>,
    entity: Entity,
    own: &Ref<'_, InNavWorld>,
    kind: Kind,
) {
    let is_restored = |world: &NavWorld| world.restored.contains(&entity);
    if !own.is_changed() || worlds.get(own.0).is_ok_and(is_restored) {
        return;
    }
    // The world itself is left too: what it had may be of an earlier visit.
    for mut world in worlds.iter_mut() {
        forget(&mut world, entity, kind);
    }
}

fn update_solid(world: &mut NavWorld, member: &MemberItem<'_, '_, NavSolid>, at: Affine3A) {
    let (entity, axes) = (member.entity, world.axes());
    let stands = !matches!(member.door.as_deref(), Some(NavDoor::Open));
    if world.restored.contains(&entity)
        && let Some(placed) = world.registry.solids.get_mut(&entity)
    {
        placed.at = at;
        return;
    }
    let placed = world.registry.solids.get(&entity).copied();
    let is_same = placed.is_some_and(|placed| placed.at == at) && !member.component.is_changed();
    if stands && is_same {
        return;
    }
    if let Some(placed) = placed {
        world.registry.solids.remove(&entity);
        world.pending.remove(entity, Edit::remove_solid(placed.id));
    }
    if stands {
        let solid = member.component.to_solid(&at, axes);
        world.pending.add_solid(entity, at, solid);
    }
}

fn update_link(world: &mut NavWorld, member: &MemberItem<'_, '_, NavLink>, at: Affine3A) {
    let entity = member.entity;
    let door = member.door.as_deref();
    if world.restored.contains(&entity)
        && let Some(placed) = world.registry.links.get_mut(&entity)
    {
        placed.at = at;
        return;
    }
    if let Some(placed) = world.registry.links.get(&entity).copied() {
        if placed.at == at && !member.component.is_changed() {
            let state = link_state(door);
            if world
                .world
                .link(placed.id)
                .is_some_and(|link| link.state != state)
            {
                let edit = Edit::set_link_state(placed.id, state);
                world.pending.set_link_state(entity, edit);
            }
            return;
        }
        world.registry.links.remove(&entity);
        world.pending.remove(entity, Edit::remove_link(placed.id));
    }
    let link = member.component.to_link(&at, door);
    world.pending.add_link(entity, at, link);
}

fn update_cost_area(world: &mut NavWorld, member: &MemberItem<'_, '_, NavCostArea>, at: Affine3A) {
    let (entity, axes) = (member.entity, world.axes());
    if world.restored.contains(&entity)
        && let Some(placed) = world.registry.cost_areas.get_mut(&entity)
    {
        placed.at = at;
        return;
    }
    if let Some(placed) = world.registry.cost_areas.get(&entity).copied() {
        if placed.at == at && !member.component.is_changed() {
            return;
        }
        world.registry.cost_areas.remove(&entity);
        let edit = Edit::remove_cost_area(placed.id);
        world.pending.remove(entity, edit);
    }
    let area = member.component.to_cost_area(&at, axes);
    world.pending.add_cost_area(entity, at, area);
}
