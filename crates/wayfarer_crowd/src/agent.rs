//! Agents of a crowd: parameters, routes, states and events.

use std::sync::Arc;

use thiserror::Error;
use wayfarer_base::{Cell, Id, NavLinkId};
use wayfarer_world::ground::ProfileId;

use crate::vector::Vec2;

/// An agent of a crowd; ids are never reused.
pub type CrowdAgentId = Id<CrowdAgent>;

/// What an agent is. Lengths in cells, times in seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct CrowdAgent {
    /// The profile that its paths are for; `None` for the default profile.
    pub profile_id: Option<ProfileId>,
    /// Radius of its disc, from 1/16 to 8; at most that of the profile, or walls may hold it up.
    pub radius: f64,
    /// Height of its body in height steps: bodies above each other do not touch.
    pub height: i32,
    /// Largest speed.
    pub max_speed: f64,
    /// Largest change of velocity per second.
    pub max_acceleration: f64,
    /// Cosine and sine of the largest turn in a tick: the agent moves where it faces. (-1, 0) if it
    /// moves in any direction at once.
    pub turn: Vec2,
    /// Others make room for agents of higher priority: an agent of priority p takes the share
    /// (1 + q) / (2 + p + q) of avoiding one of priority q.
    pub priority: u8,
    /// The layers that the agent is in; it avoids agents whose layers its `avoids` names.
    pub layers: u32,
    /// The layers that it avoids.
    pub avoids: u32,
}

impl CrowdAgent {
    /// A walker a little narrower than a cell that walks three cells a second.
    pub const DEFAULT: Self = Self {
        profile_id: None,
        radius: 0.4,
        height: 2,
        max_speed: 3.0,
        max_acceleration: 12.0,
        turn: Vec2::new(-1.0, 0.0),
        priority: 0,
        layers: 1,
        avoids: u32::MAX,
    };

    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        let in_range = |what, found: f64, low: f64, high: f64| {
            if (low..=high).contains(&found) {
                Ok(())
            } else {
                Err(CrowdError::OutOfRange {
                    what,
                    found,
                    low,
                    high,
                })
            }
        };
        in_range("the radius", self.radius, 1.0 / 16.0, 8.0)?;
        in_range("the height", f64::from(self.height), 1.0, 4_096.0)?;
        in_range("the speed", self.max_speed, 0.0, 1_024.0)?;
        in_range(
            "the acceleration",
            self.max_acceleration,
            1.0 / 16.0,
            65_536.0,
        )?;
        in_range("the cosine of a turn", self.turn.x, -1.0, 1.0)?;
        in_range("the sine of a turn", self.turn.y, 0.0, 1.0)
    }
}

impl Default for CrowdAgent {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A vertex of the polyline that an agent follows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RoutePoint {
    /// Where it is, in cells.
    pub at: Vec2,
    /// The floor there.
    pub cell: Cell,
    /// How to get to the next point.
    pub next: RouteStep,
}

/// How an agent gets from one point of its route to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RouteStep {
    /// Straight over joined floors, around other agents.
    Walk,
    /// Over a nav link, without avoiding others, once its end is free.
    NavLink(NavLinkId),
    /// Down a ledge or another step that cannot be taken back, like a nav link.
    OneWay,
}

/// A polyline; cloning shares it.
pub type Route = Arc<[RoutePoint]>;

/// What an agent does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AgentState {
    /// It has no route and stands.
    #[default]
    Idle,
    /// It follows its route.
    Moving,
    /// It stands at the beginning of a nav link until [`Crowd::traverse`](crate::Crowd::traverse).
    AtLink,
    /// It is on a nav link or on a step that cannot be taken back.
    Traversing,
    /// It has reached the end of its route, or settled near it because others stand there.
    Arrived,
}

/// What happened in a tick, in the order of agents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CrowdEvent {
    /// A nav link is near ahead, [`CrowdOptions::announced`](crate::CrowdOptions::announced) or less.
    LinkAhead(CrowdAgentId, NavLinkId),
    /// The agent stands at the beginning of a nav link.
    ReachedLink(CrowdAgentId, NavLinkId),
    /// The agent is at the end of its route.
    Arrived(CrowdAgentId),
    /// The end of its route is taken; the agent has settled as near as it could.
    Settled(CrowdAgentId),
    /// The agent has come no nearer to the end of its route for
    /// [`CrowdOptions::stuck_ticks`](crate::CrowdOptions::stuck_ticks): another route may help.
    Stuck(CrowdAgentId),
    /// An edit took the floor from under the agent or put a wall into it; it was moved to the nearest
    /// place where it fits, if there is one near by, and needs another route.
    Displaced(CrowdAgentId),
}

/// Why a call was refused.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A number is not finite or out of range.
    #[error("{what} is {found}, expected {low} to {high}")]
    OutOfRange {
        /// The number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The least value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// No agent has the id.
    #[error("the agent is not in this crowd")]
    UnknownAgent,
    /// The profile of an agent is not registered with the ground.
    #[error("the profile of the agent is not registered")]
    UnknownProfile,
    /// The body overlaps a wall or has no floor.
    #[error("the agent does not fit at ({x:.2}, {y:.2})", x = at.x, y = at.y)]
    DoesNotFit {
        /// The position.
        at: Vec2,
    },
}
