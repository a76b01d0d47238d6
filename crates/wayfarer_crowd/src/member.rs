//! What the crowd keeps of an agent.

use wayfarer_base::Cell;

use crate::agent::{AgentState, CrowdAgent, Route, RouteStep};
use crate::crowd::CrowdOptions;
use crate::gate::Gate;
use crate::vector::{Vec2, floor};

/// An agent of the crowd: what following its route needs. See [`MotionState`](crate::motion_state::MotionState) for the rest.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) agent: CrowdAgent,
    pub(crate) state: AgentState,
    pub(crate) route: Option<Route>,
    /// The point of the route to steer to.
    pub(crate) next: usize,
    /// That point and the one after it, copied: routes lie apart in memory, and reading them in every
    /// tick cost more than avoidance.
    pub(crate) point: Vec2,
    pub(crate) beyond: Vec2,
    /// True if the point is walked from, and if it is the last.
    pub(crate) is_walk: bool,
    pub(crate) is_last: bool,
    /// The length of the route from each of its points on, as far as the agent has not passed it.
    pub(crate) left_after_next: f64,
    /// The least distance left so far, and the ticks since it became less.
    pub(crate) least_left: f64,
    pub(crate) n_waiting: u32,
    /// The distance to the next point, and how long the agent has been much slower than it could be.
    pub(crate) left: f64,
    /// The next point, and the one after it.
    pub(crate) target: Vec2,
    pub(crate) after: Vec2,
    pub(crate) n_slow: u32,
    /// The narrow place ahead, and the cell and the point of the route that it was looked for from.
    pub(crate) gate: Option<Gate>,
    pub(crate) looked_from: Option<(Cell, usize)>,
    /// Where to steer instead of the next point, which is out of sight.
    pub(crate) aim: Option<Vec2>,
    /// The share of its speed that the agent walks at.
    pub(crate) pace: f64,
    pub(crate) is_link_announced: bool,
    /// True if an edit near by may have taken its place.
    pub(crate) is_place_changed: bool,
}

impl Member {
    pub(crate) const fn new(agent: CrowdAgent, at: Vec2, state: AgentState) -> Self {
        Self {
            agent,
            state,
            route: None,
            next: 0,
            point: at,
            beyond: at,
            is_walk: true,
            is_last: true,
            left_after_next: 0.0,
            least_left: f64::INFINITY,
            n_waiting: 0,
            left: 0.0,
            target: at,
            after: at,
            n_slow: 0,
            gate: None,
            looked_from: None,
            aim: None,
            pace: 1.0,
            is_link_announced: false,
            is_place_changed: false,
        }
    }

    /// True if the agent has been held up for so long that others make room for it by rank.
    /// One that comes no nearer to its goal all the same lets others go first for as long.
    pub(crate) const fn is_pushing(&self) -> bool {
        self.is_held_up() && (self.n_waiting / LEAD_TICKS).is_multiple_of(2)
    }

    /// True if the agent has been held up for long.
    pub(crate) const fn is_held_up(&self) -> bool {
        self.n_slow >= PATIENCE_TICKS && matches!(self.state, AgentState::Moving)
    }

    /// Steers to the point after the next.
    pub(crate) fn pass_point(&mut self) {
        let passed = (self.beyond - self.point).length();
        self.left_after_next = (self.left_after_next - passed).max(0.0);
        self.steer_to(self.next + 1);
    }

    /// Steers to a point of the route.
    pub(crate) fn steer_to(&mut self, next: usize) {
        self.next = next;
        let Some(point) = self.route.as_ref().and_then(|route| route.get(next)) else {
            return;
        };
        let after = self.route.as_ref().and_then(|route| route.get(next + 1));
        (self.point, self.is_walk) = (point.at, point.next == RouteStep::Walk);
        (self.beyond, self.is_last) = (after.map_or(point.at, |after| after.at), after.is_none());
    }

    /// The distance within which walls matter to the agent, in columns.
    pub(crate) fn reach(&self, options: &CrowdOptions) -> i32 {
        let ahead = self.agent.max_speed * options.wall_horizon.max(options.tick_seconds);
        floor(self.agent.radius + ahead.min(2.0)) + 1
    }
}

/// Ticks of standing in a jam after which an agent pushes.
const PATIENCE_TICKS: u32 = 8;
/// Ticks without progress after which a leader lets others lead.
const LEAD_TICKS: u32 = 60;
