//! Registers agents in the grids of moving and resting ones, and refreshes neighbor lists by turns.

use crate::crowd::Crowd;
use crate::neighbors::{Presence, REFRESH_TICKS, Ranges};

/// Distance within which agents are seen, in cells.
const SIGHT: f64 = 5.0;
/// Width of bins, in cells.
const BIN: f64 = 2.5;

impl Crowd {
    /// The neighbors of agents that choose a velocity, a part of them refreshed in each tick.
    pub(crate) fn find_neighbors(&mut self) {
        self.register_agents();
        let largest = self.discs.iter().map(|disc| disc.radius);
        let largest = largest.fold(0.0, f64::max);
        for index in 0..self.members.len() {
            if !self.is_awake[index] {
                continue;
            }
            let phase = (self.n_ticks + index as u64) % u64::from(REFRESH_TICKS);
            let is_new = !std::mem::replace(&mut self.lists[index].is_fresh, true);
            let Some(member) = &self.members[index] else {
                continue;
            };
            if phase != 0 && !self.must_refresh && !is_new {
                continue;
            }
            let agent = self.presence(index);
            let speed = member.agent.max_speed;
            let contact = 2.0 * speed * self.options.tick_seconds * f64::from(REFRESH_TICKS);
            let contact = contact + agent.radius * 0.5;
            let ranges = Ranges {
                sight: (agent.radius + largest + contact).max(SIGHT),
                contact,
                largest,
                bin_size: BIN,
            };
            self.lists[index].refresh([&self.grid, &self.resting], &agent, ranges);
        }
        self.must_refresh = false;
    }

    /// Registers agents that may move, and those that rest if their set changed.
    fn register_agents(&mut self) {
        let n = self.members.len();
        let mut has_changed = self.must_refresh || self.is_resting.len() != n;
        self.is_resting.resize(n, false);
        for index in 0..n {
            let is_resting = self.peers[index].is_there && !self.may_move[index];
            has_changed |= self.is_resting[index] != is_resting;
            self.is_resting[index] = is_resting;
        }
        let (mut grid, mut resting) = (
            std::mem::take(&mut self.grid),
            std::mem::take(&mut self.resting),
        );
        let moving = (0..n).filter(|&index| self.may_move[index]);
        grid.rebuild(BIN, moving.map(|index| self.presence(index)));
        if has_changed {
            let still = (0..n).filter(|&index| self.is_resting[index]);
            resting.rebuild(BIN, still.map(|index| self.presence(index)));
        }
        (self.grid, self.resting) = (grid, resting);
    }

    fn presence(&self, index: usize) -> Presence {
        let (disc, peer) = (&self.discs[index], &self.peers[index]);
        Presence {
            slot: u32::try_from(index).unwrap_or(u32::MAX),
            position: disc.position,
            radius: disc.radius,
            span: (peer.z, peer.z.saturating_add(peer.height)),
        }
    }
}
