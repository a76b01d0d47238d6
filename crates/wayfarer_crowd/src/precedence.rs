//! Precedence: which of two agents makes room.
//!
//! Free agents share the work of avoiding each other. Of two that go to one point the nearer goes
//! first; and in a jam the agent nearest to its next point leads, and its neighbors make room for it,
//! theirs for them.

use std::cmp::Ordering;

use crate::agent::AgentState;
use crate::crowd::{Crowd, Member};
use crate::vector::Vec2;

/// Distance as a multiple of that in contact at which agents ask each other to make room.
const BESIDE: f64 = 1.25;
/// Agents between a leader and the last that makes room for it.
const MAX_HOPS: u32 = 3;
/// Distance between two points at which they count as one, in cells.
const SAME_POINT: f64 = 1.0;

impl Crowd {
    /// In a jam, the agent with the least of its route left leads: its neighbors make room for it,
    /// theirs for them, and so on. The order of leaders is total, so every jam has one that
    /// makes room for none.
    pub(crate) fn find_urges(&mut self) {
        let mut urges = std::mem::take(&mut self.next_urges);
        urges.clear();
        urges.extend((0..self.members.len()).map(|index| self.urge_of(index)));
        self.next_urges = std::mem::replace(&mut self.urges, urges);
    }

    /// The urge of an agent: its own, or that of the best leader that a body beside it makes room for.
    fn urge_of(&self, index: usize) -> Urge {
        let Some(member) = &self.members[index] else {
            return Urge::NONE;
        };
        let rank = rank(index, member);
        let own = if member.is_pushing() {
            rank
        } else {
            Urge::NONE
        };
        let at = &self.discs[index];
        let beside = |slot: &&u32| {
            let other = &self.discs[**slot as usize];
            let reach = (at.radius + other.radius) * BESIDE;
            (other.position - at.position).length_squared() <= reach * reach
        };
        let slots = self.lists[index].slots().iter().filter(beside);
        let theirs = slots.filter_map(|&slot| self.urges.get(slot as usize)?.passed_on());
        let theirs = theirs.filter(|urge| urge.leader != index && urge.goes_before(&rank));
        theirs.fold(
            own,
            |best, urge| if urge.goes_before(&best) { urge } else { best },
        )
    }

    /// Agents that rest wake up if they are asked to make room, and stay where they made it.
    pub(crate) fn wake(&mut self) {
        let mut is_awake = std::mem::take(&mut self.is_awake);
        is_awake.clear();
        is_awake.extend(self.members.iter().enumerate().map(|(index, member)| {
            let Some(member) = member else { return false };
            let is_asked = || self.urges[index].n_hops < Urge::NONE.n_hops;
            match member.state {
                AgentState::Moving => true,
                AgentState::Traversing => false,
                _ => is_asked(),
            }
        }));
        self.is_awake = is_awake;
    }

    pub(crate) fn precedence(&self, index: usize, slot: usize) -> Precedence {
        let (Some(one), Some(other)) = (&self.members[index], &self.members[slot]) else {
            return Precedence::Shared;
        };
        let (ours, theirs) = (self.urges[index], self.urges[slot]);
        let is_before = |urge: &Urge, than: &Urge, rank: &Urge| {
            urge.goes_before(than) && urge.goes_before(rank)
        };
        if is_before(&ours, &theirs, &rank(slot, other)) && self.is_awake[slot] {
            Precedence::Ours
        } else if is_before(&theirs, &ours, &rank(index, one)) {
            Precedence::Theirs
        } else {
            self.order_of_followers(index, slot)
        }
    }

    /// Of two agents that go to one point, the nearer to it goes first.
    fn order_of_followers(&self, a: usize, b: usize) -> Precedence {
        let (Some(one), Some(other)) = (&self.members[a], &self.members[b]) else {
            return Precedence::Shared;
        };
        if one.state != AgentState::Moving || other.state != AgentState::Moving {
            return Precedence::Shared;
        }
        let is_same = |a: Vec2, b: Vec2| (a - b).length_squared() < SAME_POINT * SAME_POINT;
        let ahead = if is_same(one.target, other.target) {
            other.left - one.left
        } else if is_same(one.target, other.after) {
            1.0
        } else if is_same(one.after, other.target) {
            -1.0
        } else {
            return Precedence::Shared;
        };
        if ahead > 0.0 || (ahead == 0.0 && a < b) {
            Precedence::Ours
        } else {
            Precedence::Behind
        }
    }
}

/// Which of two agents makes room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precedence {
    Ours,
    Theirs,
    /// The other goes first to the same point: the agent keeps a gap.
    Behind,
    Shared,
}

/// For which agent room is made: one that leads, or one that makes room for a leader.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Urge {
    pub(crate) left: f64,
    pub(crate) leader: usize,
    pub(crate) n_hops: u32,
}

impl Urge {
    pub(crate) const NONE: Self = Self {
        left: f64::INFINITY,
        leader: usize::MAX,
        n_hops: u32::MAX,
    };

    /// The urge of an agent beside, if it is not too far from the leader.
    fn passed_on(&self) -> Option<Self> {
        (self.n_hops < MAX_HOPS).then(|| Self {
            n_hops: self.n_hops + 1,
            ..*self
        })
    }

    fn goes_before(&self, other: &Self) -> bool {
        let order = self.left.total_cmp(&other.left);
        order
            .then(self.leader.cmp(&other.leader))
            .then(self.n_hops.cmp(&other.n_hops))
            == Ordering::Less
    }
}

/// The place of an agent in the order of leaders; agents that rest come last.
fn rank(index: usize, member: &Member) -> Urge {
    match member.state {
        AgentState::Moving => Urge {
            left: member.left,
            leader: index,
            n_hops: 0,
        },
        _ => Urge::NONE,
    }
}
