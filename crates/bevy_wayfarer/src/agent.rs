//! Agents: how they move, where they go, the path they follow, the velocity they should have.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use wayfarer::{AgentTypeId, Categories, Method, PartialPolicy, Path, StartPolicy};

use crate::changes::{Kind, Removals};
use crate::shape::NavShape;

/// An agent that moves through a [`NavWorld`](crate::NavWorld).
///
/// The plugin reads the agent's [`Transform`] and [`NavTarget`] and writes [`NavPath`], [`NavState`]
/// and [`DesiredVelocity`]; the game moves the agent, or the plugin does if it has a
/// [`NavCrowdAgent`](crate::NavCrowdAgent). The translation counts in the space of the world: an agent
/// is not the child of a moved entity.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavTarget, NavPath, NavState, DesiredVelocity, Transform)]
#[component(on_remove = Self::on_remove)]
pub struct NavAgent {
    /// The [index](AgentTypeId::index) of its type, registered with the world before it became a
    /// [`NavWorld`](crate::NavWorld); 0 is the default type.
    pub agent_type: u32,
    /// Length of [`DesiredVelocity`] along the path, in units per second.
    pub speed: f32,
    /// The higher is searched first; eight ticks of waiting count as much as one level.
    pub priority: u8,
    /// Height of the translation above the feet, in units.
    pub feet_offset: f32,
    /// Whether a path may end short of a target that is blocked or out of reach.
    pub partial: NavPartial,
    /// True to begin with a straight line to the nearest place where the agent fits.
    pub leaves_blocked_start: bool,
    /// How its paths are searched.
    pub method: NavMethod,
    /// True to walk around bodies that block movement, where they are when the path is searched.
    pub avoids_bodies: bool,
}

impl NavAgent {
    /// An agent of the default type at a speed in units per second.
    pub fn new(speed: f32) -> Self {
        Self {
            speed,
            ..Self::default()
        }
    }

    /// The same agent with another type.
    #[must_use]
    pub fn with_type(mut self, id: AgentTypeId) -> Self {
        self.agent_type = u32::try_from(id.index()).unwrap_or(u32::MAX);
        self
    }

    pub(crate) fn type_id(&self) -> AgentTypeId {
        let index = usize::try_from(self.agent_type).unwrap_or(usize::MAX);
        AgentTypeId::from_index(index).unwrap_or(AgentTypeId::DEFAULT)
    }

    pub(crate) fn start_policy(&self) -> StartPolicy {
        match self.leaves_blocked_start {
            true => StartPolicy::LeaveFirst,
            false => StartPolicy::Reject,
        }
    }

    pub(crate) fn avoided(&self) -> Categories {
        match self.avoids_bodies {
            true => Categories::ALL,
            false => Categories::NONE,
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Agent);
    }
}

impl Default for NavAgent {
    /// The default type at 2 units per second.
    fn default() -> Self {
        Self {
            agent_type: 0,
            speed: 2.0,
            priority: 0,
            feet_offset: 0.0,
            partial: NavPartial::Never,
            leaves_blocked_start: false,
            method: NavMethod::Bounded,
            avoids_bodies: false,
        }
    }
}

/// Whether a path may end short of its target; see [`PartialPolicy`].
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavPartial {
    /// It fails instead.
    #[default]
    Never,
    /// At the reachable location nearest by octile distance.
    NearestOctile,
    /// At the reachable location nearest by Euclidean distance.
    NearestEuclidean,
}

impl From<NavPartial> for PartialPolicy {
    fn from(partial: NavPartial) -> Self {
        match partial {
            NavPartial::Never => Self::Never,
            NavPartial::NearestOctile => Self::NearestOctile,
            NavPartial::NearestEuclidean => Self::NearestEuclidean,
        }
    }
}

/// How paths on the ground are searched; see [`Method`], which [`NavQuery`](crate::NavQuery) takes
/// with all its parameters.
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavMethod {
    /// At most 1.1 times the optimum, mostly far less.
    #[default]
    Bounded,
    /// Optimal over cells.
    Optimal,
    /// Any-angle paths.
    AnyAngle,
    /// For thousands of cells, without a bound.
    Hierarchical,
}

impl From<NavMethod> for Method {
    fn from(method: NavMethod) -> Self {
        match method {
            NavMethod::Bounded => Self::Bounded,
            NavMethod::Optimal => Self::Optimal,
            NavMethod::AnyAngle => Self::AnyAngle,
            NavMethod::Hierarchical => Self::Hierarchical,
        }
    }
}

/// Where an agent goes. A change of it is a new request in the next tick.
#[derive(Component, Reflect, Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavTarget {
    /// Nowhere: the agent stands.
    #[default]
    None,
    /// To a position.
    Position(Vec3),
    /// After an entity with a [`Transform`], until it is at most `distance` away. It is followed as it
    /// moves ([`NavSettings::retarget_distance`](crate::NavSettings::retarget_distance)); once it is
    /// despawned, to where it was.
    Entity {
        /// The entity.
        #[entities]
        entity: Entity,
        /// How near, in units; 0 for its very position.
        distance: f32,
    },
    /// To whichever place of an area is cheapest to reach. Ground only.
    Area {
        /// Where the area is.
        center: Vec3,
        /// Its outline around the center.
        shape: NavShape,
    },
    /// To whichever place sees an entity from at most `distance` away. Ground only.
    InSightOf {
        /// The entity, with a [`Transform`].
        #[entities]
        entity: Entity,
        /// How far it may be, in units.
        distance: f32,
    },
}

impl From<Vec3> for NavTarget {
    fn from(at: Vec3) -> Self {
        Self::Position(at)
    }
}

/// The path that an agent follows; `None` before it is found and while it is replaced. Written by the
/// plugin; cloning a [`Path`] counts a reference.
#[derive(Component, Reflect, Clone, PartialEq, Debug, Default)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavPath(#[reflect(ignore)] pub Option<Path>);

/// What an agent does. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavState {
    /// It has no target.
    #[default]
    Idle,
    /// Its path is searched, the first time or again.
    Waiting,
    /// It follows a path.
    Following,
    /// It is at the end of its path.
    Arrived,
    /// There is no path ([`PathFailed`](crate::PathFailed)), or the target was
    /// [rejected](crate::NavRejected).
    Failed,
}

/// The velocity at which an agent follows its path, in units per second; zero where it has none. It
/// never overshoots the next waypoint within a tick. Written by the plugin; for an agent with a
/// [`NavCrowdAgent`](crate::NavCrowdAgent) it tells how the plugin moves it.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct DesiredVelocity(pub Vec3);
