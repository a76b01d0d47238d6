//! Components that were removed since the last tick.
//!
//! Hooks report them, because the change lists of Bevy last for a frame and a tick of the fixed
//! schedule may skip frames.

use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;

/// What a removed component stood for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// The entity left its world: all of it.
    Member,
    Agent,
    /// An agent of a crowd: it stays an agent that the game moves.
    CrowdAgent,
    Solid,
    Link,
    /// A door: its solid and its link stay, without a state of their own.
    Door,
    CostArea,
    Sensor,
    Body,
}

/// Components that were removed since the last tick, and worlds that were inserted.
#[derive(Resource, Default, Debug)]
pub(crate) struct Removals {
    removed: Vec<(Entity, Kind)>,
    new_worlds: Vec<Entity>,
}

impl Removals {
    /// For hooks: reports a removed component. Nothing in an app without the plugin.
    pub(crate) fn push(mut world: DeferredWorld<'_>, entity: Entity, kind: Kind) {
        if let Some(mut removals) = world.get_resource_mut::<Self>() {
            removals.removed.push((entity, kind));
        }
    }

    /// For hooks: reports a world, whose entities are new in it.
    pub(crate) fn push_world(mut world: DeferredWorld<'_>, entity: Entity) {
        if let Some(mut removals) = world.get_resource_mut::<Self>() {
            removals.new_worlds.push(entity);
        }
    }

    /// Worlds that were inserted.
    pub(crate) fn take_worlds(&mut self) -> Vec<Entity> {
        std::mem::take(&mut self.new_worlds)
    }

    /// What was removed, by entity, each once.
    pub(crate) fn take(&mut self) -> Vec<(Entity, Kind)> {
        let mut removed = std::mem::take(&mut self.removed);
        removed.sort_unstable_by_key(|(entity, kind)| (order(*entity), *kind));
        removed.dedup();
        removed
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.removed.is_empty()
    }
}

/// The order in which entities are handled: as they were spawned, as long as no index was reused.
pub(crate) fn order(entity: Entity) -> (u32, u32) {
    (entity.index_u32(), entity.generation().to_bits())
}
