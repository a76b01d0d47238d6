//! What happened, each as a message and as an event of the entity it concerns.
//!
//! A [`MessageReader`] reads all of a kind; an
//! [observer](bevy_ecs::observer::Observer) of an entity hears what concerns it. Both are sent in
//! [`NavSystems::Output`](crate::NavSystems::Output), in the order in which they happened.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use wayfarer::{BodyError, CrowdError, EditError, NoPath, PartialReason, Revision, WorldChanges};

/// A path to a new target was found; the agent's [`NavPath`](crate::NavPath) holds it.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct PathFound {
    /// The agent.
    pub entity: Entity,
}

/// A change of the world blocked the path ahead of an agent or made it costlier; another is searched.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct PathInvalidated {
    /// The agent.
    pub entity: Entity,
    /// Where.
    pub at: Vec3,
}

/// An invalidated path was replaced, from where the agent is.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct PathRepaired {
    /// The agent.
    pub entity: Entity,
}

/// There is no path to the target of an agent. Changes of its target are tried again.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct PathFailed {
    /// The agent.
    pub entity: Entity,
    /// Why.
    pub reason: NoPath,
}

/// An agent is at the end of its path.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct TargetReached {
    /// The agent.
    pub entity: Entity,
    /// Why the path ended short of the target; `None` if it did not.
    pub partial: Option<PartialReason>,
    /// True for an agent of a crowd that stopped as near as it could, because others stand there.
    pub is_settled: bool,
}

/// An agent of a crowd has come no nearer to its target, and other paths did not help. It keeps trying.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct AgentStuck {
    /// The agent.
    pub entity: Entity,
}

/// A solid took the place of an agent of a crowd, which was moved to the nearest where it fits.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct AgentDisplaced {
    /// The agent.
    pub entity: Entity,
}

/// A link is near ahead of an agent of a crowd.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct LinkAhead {
    /// The agent.
    pub entity: Entity,
    /// The entity of the link; `None` if it is gone or has no entity.
    pub link: Option<Entity>,
}

/// An agent of a crowd stands at the beginning of a link.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct LinkReached {
    /// The agent.
    pub entity: Entity,
    /// The entity of the link; `None` if it is gone or has no entity.
    pub link: Option<Entity>,
}

/// A sensor detects a body from now on.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct SensorEntered {
    /// The sensor.
    pub entity: Entity,
    /// The entity with the [`NavEntity`](crate::NavEntity).
    pub detected: Entity,
}

/// A sensor no longer detects a body, or the body is gone.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct SensorLeft {
    /// The sensor.
    pub entity: Entity,
    /// The entity with the [`NavEntity`](crate::NavEntity); it may be despawned.
    pub detected: Entity,
}

/// Solids, links, cost areas or terrain of a world changed, by the batch of a tick or by the game.
#[derive(EntityEvent, Message, Clone, Debug)]
pub struct WorldChanged {
    /// The world.
    pub entity: Entity,
    /// The revision since the change.
    pub revision: Revision,
    /// The change set; `None` if the game changed more than the change log holds.
    pub changes: Option<WorldChanges>,
}

/// A component could not become part of the world: it is left out until it changes.
#[derive(EntityEvent, Message, Clone, PartialEq, Debug)]
pub struct NavRejected {
    /// The entity with the component.
    pub entity: Entity,
    /// Why.
    pub reason: RejectReason,
}

/// Why a component was left out of the world.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// The edit of a solid, link, door or cost area was rejected.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The body or sensor was rejected.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The agent cannot be part of the crowd.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// The speed of an agent is negative or no number; the agent stands.
    #[error("the speed of an agent is {speed}, expected 0 or more")]
    Speed {
        /// The speed.
        speed: f32,
    },
    /// The entity of a [`NavTarget`](crate::NavTarget) has no `Transform`, or is despawned; the agent stands.
    #[error("the target {entity} has no Transform or is despawned")]
    Target {
        /// The entity.
        entity: Entity,
    },
    /// The mesh of a solid cannot be read.
    #[error("{reason}")]
    Mesh {
        /// What is wrong.
        reason: String,
    },
    /// A world could not be made.
    #[error("{reason}")]
    Build {
        /// What is wrong.
        reason: String,
    },
}

/// Reports what is no part of any world yet.
pub(crate) fn reject(
    rejected: NavRejected,
    messages: &mut MessageWriter<'_, NavRejected>,
    commands: &mut Commands<'_, '_>,
) {
    messages.write(rejected.clone());
    commands.trigger(rejected);
}

/// An event of a world, in the order in which they happened.
#[derive(Clone, Debug)]
pub(crate) enum NavEvent {
    Found(PathFound),
    Invalidated(PathInvalidated),
    Repaired(PathRepaired),
    Failed(PathFailed),
    Reached(TargetReached),
    Stuck(AgentStuck),
    Displaced(AgentDisplaced),
    LinkAhead(LinkAhead),
    LinkReached(LinkReached),
    Entered(SensorEntered),
    Left(SensorLeft),
    Changed(WorldChanged),
    Rejected(NavRejected),
}
