//! Events as messages and for observers.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;

use crate::apply::in_order;
use crate::events::{
    AgentDisplaced, AgentStuck, LinkAhead, LinkReached, NavEvent, NavRejected, PathFailed,
    PathFound, PathInvalidated, PathRepaired, SensorEntered, SensorLeft, TargetReached,
    WorldChanged,
};
use crate::world::NavWorld;

/// The messages of the plugin.
#[derive(SystemParam)]
pub(crate) struct NavMessages<'w> {
    found: MessageWriter<'w, PathFound>,
    invalidated: MessageWriter<'w, PathInvalidated>,
    repaired: MessageWriter<'w, PathRepaired>,
    failed: MessageWriter<'w, PathFailed>,
    reached: MessageWriter<'w, TargetReached>,
    stuck: MessageWriter<'w, AgentStuck>,
    displaced: MessageWriter<'w, AgentDisplaced>,
    link_ahead: MessageWriter<'w, LinkAhead>,
    link_reached: MessageWriter<'w, LinkReached>,
    entered: MessageWriter<'w, SensorEntered>,
    left: MessageWriter<'w, SensorLeft>,
    changed: MessageWriter<'w, WorldChanged>,
    rejected: MessageWriter<'w, NavRejected>,
}

/// Sends what happened in this tick.
pub(crate) fn send_events(
    mut worlds: Query<'_, '_, (Entity, &mut NavWorld)>,
    mut messages: NavMessages<'_>,
    mut commands: Commands<'_, '_>,
) {
    for (_, mut world) in in_order(worlds.iter_mut()) {
        let world = world.bypass_change_detection();
        world.restored.clear();
        for event in world.events.drain(..) {
            send(event, &mut messages, &mut commands);
        }
    }
}

fn send(event: NavEvent, messages: &mut NavMessages<'_>, commands: &mut Commands<'_, '_>) {
    macro_rules! both {
        ($writer:ident, $event:expr) => {{
            messages.$writer.write($event.clone());
            commands.trigger($event);
        }};
    }
    match event {
        NavEvent::Found(event) => both!(found, event),
        NavEvent::Invalidated(event) => both!(invalidated, event),
        NavEvent::Repaired(event) => both!(repaired, event),
        NavEvent::Failed(event) => both!(failed, event),
        NavEvent::Reached(event) => both!(reached, event),
        NavEvent::Stuck(event) => both!(stuck, event),
        NavEvent::Displaced(event) => both!(displaced, event),
        NavEvent::LinkAhead(event) => both!(link_ahead, event),
        NavEvent::LinkReached(event) => both!(link_reached, event),
        NavEvent::Entered(event) => both!(entered, event),
        NavEvent::Left(event) => both!(left, event),
        NavEvent::Changed(event) => both!(changed, event),
        NavEvent::Rejected(event) => both!(rejected, event),
    }
}
