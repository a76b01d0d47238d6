//! [`NavCrowdAgent`]: agents that the plugin moves, without walking through each other.

pub(crate) mod group;
pub(crate) mod tick;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::prelude::*;
use wayfarer::{CrowdAgent, CrowdOptions};

use crate::agent::NavAgent;
use crate::body::NavEntity;
use crate::changes::{Kind, Removals};

/// Asks the plugin to move an agent: each tick it writes the translation of the agent's
/// [`Transform`](bevy_transform::components::Transform), and [`DesiredVelocity`](crate::DesiredVelocity)
/// tells how fast the agent moves. Without this component only the velocity is written.
///
/// Agents with it, a [`Crowd`](wayfarer::Crowd) in each world, avoid each other: those that walk never
/// leave their floors, those that fly never enter a solid. Speed, at most a cell in a tick, priority and
/// type are those of the [`NavAgent`]. The body is the [`NavEntity`], a disc no wider than the agent type;
/// a flyer is a ball of that radius around its feet. A type that both walks and flies, a body that is too
/// wide and a place where it does not fit are [rejected](crate::NavRejected), and the agent stands. A game
/// that writes the translation puts the agent there: its own movement must leave agents of the crowd out.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavAgent, NavEntity = body())]
#[component(on_remove = Self::on_remove)]
pub struct NavCrowdAgent {
    /// Largest change of velocity, in units per second per second.
    pub max_acceleration: f32,
    /// Largest turn in radians per second; `None` to move in any direction at once.
    pub max_turn: Option<f32>,
    /// The layers that the agent is in, one bit each.
    pub layers: u32,
    /// The layers that it avoids; agents that avoid each other in neither direction overlap freely.
    pub avoids: u32,
}

/// The body of an agent that brings none: others avoid it by steering, so it need not block
/// paths, and its moves are cheap.
fn body() -> NavEntity {
    NavEntity {
        blocks_movement: false,
        ..NavEntity::default()
    }
}

impl Default for NavCrowdAgent {
    /// 20 units per second per second, any turn, in layer 1, avoiding all.
    fn default() -> Self {
        Self {
            max_acceleration: 20.0,
            max_turn: None,
            layers: 1,
            avoids: u32::MAX,
        }
    }
}

impl NavCrowdAgent {
    /// The agent of the library.
    pub(crate) fn to_agent(self, agent: &NavAgent) -> CrowdAgent {
        CrowdAgent {
            agent_type: agent.type_id(),
            max_speed: agent.speed.into(),
            max_acceleration: self.max_acceleration.into(),
            max_turn: self.max_turn.map_or(f64::INFINITY, f64::from),
            priority: agent.priority,
            layers: self.layers,
            avoids: self.avoids,
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::CrowdAgent);
    }
}

/// What the crowds of all worlds share. A change begins the crowds anew, with agents at rest.
#[derive(Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavCrowdSettings {
    /// How many seconds ahead agents avoid each other, 1/64 to 64.
    pub horizon: f32,
    /// Largest overlap of two agents as a share of the smaller radius, 0 to 1.
    pub max_overlap: f32,
    /// Distance within which the end of a path counts as reached, in units.
    pub arrival: f32,
    /// Seconds without progress after which another path is searched; after the third time the agent
    /// is reported ([`AgentStuck`](crate::AgentStuck)).
    pub stuck_seconds: f32,
    /// Distance at which a link ahead is reported ([`LinkAhead`](crate::LinkAhead)), in units.
    pub link_distance: f32,
    /// True if agents stop at links until [`NavWorld::traverse`](crate::NavWorld::traverse). A closed
    /// link is waited for in any case.
    pub waits_at_links: bool,
}

impl Default for NavCrowdSettings {
    /// 2 seconds ahead, 5 % overlap, arrival within 0.05 units, stuck after 3 seconds, links reported 3
    /// units ahead and traversed at once.
    fn default() -> Self {
        Self {
            horizon: 2.0,
            max_overlap: 0.05,
            arrival: 0.05,
            stuck_seconds: 3.0,
            link_distance: 3.0,
            waits_at_links: false,
        }
    }
}

impl NavCrowdSettings {
    /// The options of a crowd.
    pub(crate) fn to_options(self, tick_seconds: f64, n_threads: usize) -> CrowdOptions {
        CrowdOptions {
            tick_seconds,
            horizon: self.horizon.into(),
            max_overlap: self.max_overlap.into(),
            arrival: self.arrival.into(),
            stuck_seconds: self.stuck_seconds.into(),
            announced: self.link_distance.into(),
            waits_at_links: self.waits_at_links,
            n_threads: n_threads.max(1),
            ..CrowdOptions::default()
        }
    }
}
