//! What agents of a crowd are, do and report, in world units.

use thiserror::Error;
use wayfarer_engine::crowd as core;

pub use core::CrowdAgentId;

use crate::agent_type::AgentTypeId;
use crate::body::{BodyError, BodyId};
use crate::edit::LinkId;
use crate::request::NoPath;
use crate::units::{BadNumber, Position, cosine};

/// What all agents of a crowd share. Lengths in units, times in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdOptions {
    /// Length of a tick, 1/1,024 to 1.
    pub tick_seconds: f64,
    /// How long ahead agents avoid each other, 1/64 to 64.
    pub horizon: f64,
    /// Largest overlap of two agents as a share of the smaller radius, 0 to 1. Agents that overlap
    /// more already never come nearer.
    pub max_overlap: f64,
    /// Distance within which the end of a path counts as reached.
    pub arrival: f64,
    /// Time without progress after which an agent is replanned; after the third time it is reported.
    pub stuck_seconds: f64,
    /// Distance at which a link ahead is reported.
    pub announced: f64,
    /// Length by which a path through a crowded place counts as longer for every agent that is held up
    /// there, so that others choose another gate; 0, the default, turns it off. A gate of one cell lets an
    /// agent pass in about the time that it walks 1.5 units.
    pub waiting_cost: f64,
    /// True if agents stop at links until [`Crowd::traverse`](super::Crowd::traverse). A closed link is
    /// waited for in any case.
    pub waits_at_links: bool,
    /// Threads that choose velocities, at least 1. Results do not depend on it.
    pub n_threads: usize,
}

impl Default for CrowdOptions {
    /// 30 ticks a second, 2 seconds ahead, 5 % overlap, arrival within 0.05 units, stuck after 3
    /// seconds, links reported 3 units ahead, one thread.
    fn default() -> Self {
        Self {
            tick_seconds: 1.0 / 30.0,
            horizon: 2.0,
            max_overlap: 0.05,
            arrival: 0.05,
            stuck_seconds: 3.0,
            announced: 3.0,
            waiting_cost: 0.0,
            waits_at_links: false,
            n_threads: 1,
        }
    }
}

impl CrowdOptions {
    pub(super) fn check(&self) -> Result<(), BadNumber> {
        match (0.0..=1_024.0).contains(&self.waiting_cost) {
            true => Ok(()),
            false => Err(BadNumber {
                what: "the cost of agents that wait",
                found: self.waiting_cost,
                expected: "a length from 0 to 1,024 units",
            }),
        }
    }

    /// In cells or voxels of a size.
    pub(super) fn to_core(self, cell: f64) -> core::CrowdOptions {
        let ticks = (self.stuck_seconds / self.tick_seconds).clamp(1.0, 1e6);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped just before; a number that is not finite becomes 0"
        )]
        let stuck_ticks = ticks as u32;
        core::CrowdOptions {
            tick_seconds: self.tick_seconds,
            horizon: self.horizon,
            max_overlap: self.max_overlap,
            arrival: self.arrival / cell,
            stuck_ticks: stuck_ticks.max(1),
            announced: self.announced / cell,
            n_threads: self.n_threads.max(1),
            traverses_links: false,
            ..core::CrowdOptions::default()
        }
    }
}

/// How an agent of a crowd moves. Lengths in units, times in seconds.
///
/// Its radius and position are those of its body, its height that of its body or of its agent type, whichever
/// is larger.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdAgent {
    /// The type that its paths are for; one that walks or one that flies, not both. Its body must not
    /// be wider.
    pub agent_type: AgentTypeId,
    /// Largest speed; in a tick at most a cell.
    pub max_speed: f64,
    /// Largest change of velocity per second.
    pub max_acceleration: f64,
    /// Largest turn per second, in radians; infinite if it moves in any direction at once.
    pub max_turn: f64,
    /// Others make room for agents of higher priority: an agent of priority p takes the share
    /// (1 + q) / (2 + p + q) of avoiding one of priority q.
    pub priority: u8,
    /// The layers that the agent is in, one bit each.
    pub layers: u32,
    /// The layers that it avoids; two agents that avoid each other in neither direction overlap
    /// freely.
    pub avoids: u32,
}

impl Default for CrowdAgent {
    /// A person in meters: 1.5 a second, of the default agent type, in layer 1, avoiding all.
    fn default() -> Self {
        Self {
            agent_type: AgentTypeId::DEFAULT,
            max_speed: 1.5,
            max_acceleration: 6.0,
            max_turn: f64::INFINITY,
            priority: 0,
            layers: 1,
            avoids: u32::MAX,
        }
    }
}

impl CrowdAgent {
    /// Cosine and sine of the largest turn in a tick.
    pub(super) fn turn(&self, tick_seconds: f64) -> Result<core::Vec2, BadNumber> {
        let angle = self.max_turn * tick_seconds;
        if self.max_turn.is_nan() || angle <= 0.0 {
            return Err(BadNumber {
                what: "the largest turn",
                found: self.max_turn,
                expected: "more than 0 radians a second",
            });
        }
        if angle >= std::f64::consts::PI {
            return Ok(core::Vec2::new(-1.0, 0.0));
        }
        let cosine = cosine(angle);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        Ok(core::Vec2::new(cosine, sine))
    }
}

/// What an agent of a crowd does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CrowdAgentState {
    /// It has no order and stands.
    Idle,
    /// It waits for its first path.
    Planning,
    /// It follows its path.
    Moving,
    /// It stands before a link that is closed or that the game has not let it traverse.
    AtLink,
    /// It is on a link or a drop.
    Traversing,
    /// It has reached its goal, or settled near it because others stand there.
    Arrived,
    /// There is no path to its goal. It stands and tries again when the ground changes.
    Blocked,
}

/// What happened in a tick.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum CrowdEvent {
    /// A link is near ahead of the agent.
    LinkAhead {
        /// The agent.
        agent: CrowdAgentId,
        /// The link; `None` if it is no longer there.
        link: Option<LinkId>,
    },
    /// The agent stands at the beginning of a link.
    ReachedLink {
        /// The agent.
        agent: CrowdAgentId,
        /// The link; `None` if it is no longer there.
        link: Option<LinkId>,
    },
    /// The agent has reached its goal.
    Arrived {
        /// The agent.
        agent: CrowdAgentId,
    },
    /// Others stand at its goal; the agent has settled as near as it could.
    Settled {
        /// The agent.
        agent: CrowdAgentId,
    },
    /// The agent has come no nearer to its goal, and other paths did not help. It keeps trying.
    Stuck {
        /// The agent.
        agent: CrowdAgentId,
    },
    /// There is no path to the goal of the agent.
    NoPath {
        /// The agent.
        agent: CrowdAgentId,
        /// Why.
        reason: NoPath,
    },
    /// An edit took the place of the agent, which was moved to the nearest where it fits.
    Displaced {
        /// The agent.
        agent: CrowdAgentId,
    },
    /// The body of the agent is no longer registered; the agent is gone.
    BodyRemoved {
        /// The agent.
        agent: CrowdAgentId,
    },
}

/// Why a call was rejected; nothing changed.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A number is not finite or out of range.
    #[error(transparent)]
    BadNumber(#[from] BadNumber),
    /// A number in cells or ticks is not finite or out of range.
    #[error("{reason}")]
    Limit {
        /// The number and its range.
        reason: String,
    },
    /// No agent has the id, or no longer.
    #[error("no agent of the crowd has id {id:?}")]
    UnknownAgent {
        /// The id.
        id: CrowdAgentId,
    },
    /// The body is unknown, or could not be moved.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The body is no disc.
    #[error("the body {id:?} is no disc")]
    NoDisc {
        /// The body.
        id: BodyId,
    },
    /// The agent type is unknown, or neither walks nor flies, or does both.
    #[error("the agent type neither walks nor flies, or does both")]
    DoesNotWalk,
    /// The body is wider than its agent type.
    #[error("the body has a radius of {radius}, expected at most {limit}, that of its agent type")]
    TooWide {
        /// Its radius.
        radius: f64,
        /// The radius of its type.
        limit: f64,
    },
    /// The body overlaps a wall or has no floor.
    #[error("the body does not fit at {at}")]
    DoesNotFit {
        /// Where it is.
        at: Position,
    },
    /// The bytes are no crowd of this world.
    #[error("the bytes are no crowd of this world: {what}")]
    Damaged {
        /// What was found.
        what: &'static str,
    },
}
