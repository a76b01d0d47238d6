//! What agents see of each other, apart from where they are: small records, read for every neighbor.

use crate::agent::AgentState;
use crate::member::Member;
use crate::motion_state::MotionState;
use crate::vector::Vec2;

/// An agent as its neighbors see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    /// The next point of its route or the gate before it, and the point after.
    pub(crate) target: Vec2,
    pub(crate) after: Vec2,
    /// The distance to the target.
    pub(crate) left: f64,
    /// The end of its route.
    pub(crate) end: Vec2,
    /// Its floor and its height, in height steps.
    pub(crate) z: i32,
    pub(crate) height: i32,
    pub(crate) layers: u32,
    pub(crate) avoids: u32,
    pub(crate) priority: u8,
    pub(crate) state: AgentState,
    /// True if the target is a gate.
    pub(crate) has_gate: bool,
    /// True if its next point is the end of its route.
    pub(crate) is_last: bool,
    /// True if it has been held up for long.
    pub(crate) is_pushing: bool,
    /// Ticks for which it keeps right.
    pub(crate) lane: u8,
    /// True for slots with an agent.
    pub(crate) is_there: bool,
}

impl Peer {
    /// A free slot.
    pub(crate) const NONE: Self = Self {
        target: Vec2::ZERO,
        after: Vec2::ZERO,
        left: 0.0,
        end: Vec2::ZERO,
        z: 0,
        height: 1,
        layers: 0,
        avoids: 0,
        priority: 0,
        state: AgentState::Idle,
        has_gate: false,
        is_last: true,
        is_pushing: false,
        lane: 0,
        is_there: false,
    };

    pub(crate) fn of(member: &Member, motion: &MotionState) -> Self {
        let end = member.route.as_ref().and_then(|route| route.last());
        Self {
            target: member.target,
            after: member.after,
            left: member.left,
            end: end.map_or(member.target, |end| end.at),
            z: motion.cell.z,
            height: member.agent.height,
            layers: member.agent.layers,
            avoids: member.agent.avoids,
            priority: member.agent.priority,
            state: member.state,
            has_gate: member.gate.is_some(),
            is_last: member.is_last,
            is_pushing: member.is_pushing(),
            lane: motion.lane,
            is_there: true,
        }
    }

    /// Takes over what an agent may change in a tick of following.
    pub(crate) const fn update(&mut self, seen: &Seen) {
        (self.target, self.after) = (seen.target, seen.after);
        (self.left, self.state) = (seen.left, seen.state);
        (self.has_gate, self.is_pushing) = (seen.has_gate, seen.is_pushing);
        (self.is_last, self.lane) = (seen.is_last, seen.lane);
    }

    /// True if the agent moves of its own.
    pub(crate) const fn is_active(&self) -> bool {
        self.is_there
            && matches!(
                self.state,
                AgentState::Moving | AgentState::AtLink | AgentState::Traversing
            )
    }

    /// True if two agents may not overlap.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        let sees = self.avoids & other.layers != 0 || other.avoids & self.layers != 0;
        let is_solid = |peer: &Self| peer.is_there && peer.state != AgentState::Traversing;
        sees && is_solid(self) && is_solid(other)
    }

    /// The share of avoiding `other` that the agent takes.
    pub(crate) fn share(&self, other: &Self) -> f64 {
        if self.layers & other.avoids == 0 {
            return 1.0;
        }
        let (own, theirs) = (f64::from(self.priority), f64::from(other.priority));
        (1.0 + theirs) / (2.0 + own + theirs)
    }
}

/// What an agent changes of its [`Peer`] in a tick of following: others see it only when all have
/// followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) slot: u32,
    target: Vec2,
    after: Vec2,
    left: f64,
    state: AgentState,
    has_gate: bool,
    is_last: bool,
    pub(crate) is_pushing: bool,
    lane: u8,
}

impl Seen {
    pub(crate) fn of(slot: u32, member: &Member, motion: &MotionState) -> Self {
        Self {
            slot,
            target: member.target,
            after: member.after,
            left: member.left,
            state: member.state,
            has_gate: member.gate.is_some(),
            is_last: member.is_last,
            is_pushing: member.is_pushing(),
            lane: motion.lane,
        }
    }
}
