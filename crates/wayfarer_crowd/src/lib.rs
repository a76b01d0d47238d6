//! Crowds: agents that follow paths over the ground, avoid each other reciprocally and never enter
//! a wall.
//!
//! A [`Crowd`] moves its agents in ticks of fixed length. Each agent steers along its [`Route`],
//! chooses the velocity nearest to that which optimal reciprocal collision avoidance allows
//! \[VanDenBerg2011\], and is moved. Two guarantees hold after every tick: no disc overlaps a wall,
//! and no two discs overlap by more than [`CrowdOptions::max_overlap`], unless they did before.
//! Only `+ - * /` and `sqrt` of `f64` are used, and each agent's move depends on the positions of
//! the tick before, so results are equal on every platform and for any number of threads.
//!
//! Limits: an agent keeps clear of at most 16 others at once. Streams that meet in a gate of one cell
//! from both sides hold each other up for long. Flyers are a [`flight::Flock`] of their own: they and
//! walkers do not see each other.
//! Part of `wayfarer`; use `wayfarer`.

mod agent;
mod bytes;
mod crowd;
mod displace;
pub mod flight;
mod follow;
mod gate;
mod lanes;
mod member;
mod motion;
mod motion_state;
mod neighbors;
mod orca;
mod peer;
mod precedence;
mod register;
mod save;
mod sight;
mod vector;
mod walls;

pub use agent::{
    AgentState, CrowdAgent, CrowdAgentId, CrowdError, CrowdEvent, Route, RoutePoint, RouteStep,
};
pub use crowd::{Crowd, CrowdOptions};
pub use save::LoadError;
pub use sight::is_joined;
pub use vector::Vec2;
