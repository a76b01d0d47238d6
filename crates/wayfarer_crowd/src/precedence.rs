//! Precedence: which of two agents makes room.
//!
//! Free agents share the work of avoiding each other. Of two that go to one point the nearer goes
//! first, in a lane the one ahead; and in a jam the agent nearest to its next point leads, and its neighbors make room for it,
//! theirs for them.

use std::cmp::Ordering;

use wayfarer_world::ground::Ground;

use crate::agent::AgentState;
use crate::crowd::Crowd;
use crate::peer::Peer;
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
        let mut offers = std::mem::take(&mut self.offers);
        let mut urged = std::mem::take(&mut self.urged);
        offers.clear();
        for &slot in &urged {
            self.pass_urge_on(slot, &mut offers);
        }
        for &slot in &self.pushing {
            let peer = &self.peers[slot as usize];
            if peer.is_active() {
                offers.push((slot, rank(slot as usize, peer)));
            }
        }
        for slot in urged.drain(..) {
            self.urges[slot as usize] = Urge::NONE;
        }
        for (slot, urge) in &offers {
            let best = &mut self.urges[*slot as usize];
            if *best == Urge::NONE {
                urged.push(*slot);
            }
            if urge.goes_before(best) {
                *best = *urge;
            }
        }
        (self.offers, self.urged) = (offers, urged);
    }

    /// Offers the urge of an agent to the bodies beside it that have less of one.
    fn pass_urge_on(&self, slot: u32, offers: &mut Vec<(u32, Urge)>) {
        let Some(urge) = self.urges[slot as usize].passed_on() else {
            return;
        };
        let at = &self.discs[slot as usize];
        for &beside in self.lists[slot as usize].slots() {
            let other = &self.discs[beside as usize];
            let reach = (at.radius + other.radius) * BESIDE;
            let is_beside = (other.position - at.position).length_squared() <= reach * reach;
            let rank = rank(beside as usize, &self.peers[beside as usize]);
            if is_beside && urge.leader != beside as usize && urge.goes_before(&rank) {
                offers.push((beside, urge));
            }
        }
    }

    /// Agents that rest wake up if they are asked to make room, and stay where they made it.
    pub(crate) fn wake(&mut self, ground: &Ground) {
        self.may_move.resize(self.members.len(), false);
        self.woken.clear();
        for index in 0..self.members.len() {
            let peer = &self.peers[index];
            let is_awake = peer.is_there
                && match peer.state {
                    AgentState::Moving => true,
                    AgentState::Traversing => false,
                    _ => self.urges[index] != Urge::NONE,
                };
            let was_awake = std::mem::replace(&mut self.is_awake[index], is_awake);
            self.may_move[index] = peer.is_active() || is_awake || was_awake;
            if is_awake && !was_awake {
                self.woken.extend(u32::try_from(index).ok());
            }
            if is_awake {
                self.find_walls(ground, index);
            }
        }
    }

    pub(crate) fn precedence(&self, index: usize, slot: usize) -> Precedence {
        let (one, other) = (&self.peers[index], &self.peers[slot]);
        let (at, there) = (self.discs[index].position, self.discs[slot].position);
        let order = order_of((index, one, at), (slot, other, there));
        if order != Precedence::Shared {
            return order;
        }
        // Few keep to a lane: what others do of it lies apart in memory.
        if let Some(lane) = &self.motions[index].corridor
            && let Some(other) = &self.motions[slot].corridor
            && lane.right == other.right
        {
            let ahead = lane.along().dot(there - at);
            return match ahead > 0.0 || (ahead == 0.0 && slot < index) {
                true => Precedence::Behind,
                false => Precedence::Ours,
            };
        }
        let (ours, theirs) = (&self.urges[index], &self.urges[slot]);
        if *ours == Urge::NONE && *theirs == Urge::NONE {
            return Precedence::Shared;
        }
        let is_before = |urge: &Urge, than: &Urge, rank: &Urge| {
            urge.goes_before(than) && urge.goes_before(rank)
        };
        if is_before(ours, theirs, &rank(slot, other)) && self.is_awake[slot] {
            Precedence::Ours
        } else if is_before(theirs, ours, &rank(index, one)) {
            Precedence::Theirs
        } else {
            Precedence::Shared
        }
    }
}

/// Of two agents that go to one gate or one goal, the nearer to it goes first; one that is there already,
/// too.
pub(crate) fn order_of(
    (a, one, at): (usize, &Peer, Vec2),
    (b, other, there): (usize, &Peer, Vec2),
) -> Precedence {
    if one.state != AgentState::Moving || other.state != AgentState::Moving {
        return Precedence::Shared;
    }
    // A corner of a wall has room beside it: those that queue for the very point hold each other up.
    let is_corner = |peer: &Peer| !peer.is_last && !peer.has_gate;
    if is_corner(one) && is_corner(other) {
        return Precedence::Shared;
    }
    let is_same = |a: Vec2, b: Vec2| (a - b).length_squared() < SAME_POINT * SAME_POINT;
    let ahead = if is_same(one.target, other.target) {
        other.left - one.left
    } else if is_same(one.target, other.after) {
        1.0
    } else if is_same(one.after, other.target) || (one.has_gate && is_same(one.target, there)) {
        -1.0
    } else if other.has_gate && is_same(other.target, at) {
        1.0
    } else {
        return Precedence::Shared;
    };
    if ahead > 0.0 || (ahead == 0.0 && a < b) {
        Precedence::Ours
    } else {
        Precedence::Behind
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
fn rank(index: usize, peer: &Peer) -> Urge {
    match peer.state {
        AgentState::Moving => Urge {
            left: peer.left,
            leader: index,
            n_hops: 0,
        },
        _ => Urge::NONE,
    }
}
