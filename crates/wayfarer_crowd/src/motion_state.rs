//! What moving an agent needs of it, apart from its route: small records, read several times in a tick.

use wayfarer_base::Cell;

use crate::agent::CrowdAgent;
use crate::lanes::Lane;
use crate::vector::Vec2;
use crate::walls::WallList;

/// An agent as it chooses a velocity and is moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionState {
    /// Limits of the agent; see [`CrowdAgent`].
    pub(crate) max_speed: f64,
    pub(crate) max_acceleration: f64,
    pub(crate) turn: Vec2,
    /// Where it faces, at any length; zero before its first move.
    pub(crate) heading: Vec2,
    /// The cell whose floor it stands on.
    pub(crate) cell: Cell,
    /// The walls around that cell, once they were looked for.
    pub(crate) walls: Option<WallList>,
    /// The right half of the corridor that it keeps to, if it does and is in one.
    pub(crate) corridor: Option<Lane>,
    /// How long the agent has come forward slower than it could.
    pub(crate) n_hindered: u32,
    /// Ticks for which it keeps to the right half of corridors.
    pub(crate) lane: u8,
}

impl MotionState {
    pub(crate) const fn new(agent: &CrowdAgent, cell: Cell) -> Self {
        Self {
            max_speed: agent.max_speed,
            max_acceleration: agent.max_acceleration,
            turn: agent.turn,
            heading: Vec2::ZERO,
            cell,
            walls: None,
            corridor: None,
            n_hindered: 0,
            lane: 0,
        }
    }

    /// True if the agent moves in any direction at once.
    fn is_turning_freely(&self) -> bool {
        self.turn.x <= -1.0
    }

    /// Turns toward a velocity. The heading keeps its length: few ask for it.
    pub(crate) fn turn_toward(&mut self, wanted: Vec2) {
        if !self.is_turning_freely() {
            self.heading = self.heading_toward(wanted);
        } else if wanted != Vec2::ZERO {
            self.heading = wanted;
        }
    }

    /// Where the agent faces after turning toward a velocity by at most its limit.
    fn heading_toward(&self, wanted: Vec2) -> Vec2 {
        let Some(to) = wanted.normalized() else {
            return self.heading;
        };
        let (cosine, sine) = (self.turn.x, self.turn.y);
        if self.heading == Vec2::ZERO || self.heading.dot(to) >= cosine {
            return to;
        }
        let sine = if self.heading.det(to) < 0.0 {
            -sine
        } else {
            sine
        };
        let Vec2 { x, y } = self.heading;
        let turned = Vec2::new(x * cosine - y * sine, x * sine + y * cosine);
        turned.normalized().unwrap_or(to)
    }

    /// A wanted velocity as far as the agent can turn to it.
    pub(crate) fn turned(&self, wanted: Vec2) -> Vec2 {
        if self.is_turning_freely() {
            return wanted;
        }
        let heading = self.heading_toward(wanted);
        heading * heading.dot(wanted).max(0.0)
    }
}
