//! Registers agents in the grids of moving and resting ones, and refreshes neighbor lists by turns.

use crate::crowd::Crowd;
use crate::neighbors::{Grid, NeighborList, Presence, REFRESH_TICKS, Ranges};
use crate::vector::Vec2;

/// Distance within which agents are seen, in cells.
const SIGHT: f64 = 5.0;
/// Ticks between two registrations of the agents.
const REGISTER_TICKS: u64 = 4;
/// Distance that agents may drift in between, in cells.
const MAX_DRIFT: f64 = 1.0;

impl Crowd {
    /// The neighbors of agents that choose a velocity, a part of them refreshed in each tick.
    pub(crate) fn find_neighbors(&mut self) {
        let must_refresh = std::mem::take(&mut self.must_refresh);
        let is_new = self.is_resting.len() != self.members.len();
        let is_turn = self.n_ticks.is_multiple_of(REGISTER_TICKS) || self.drift > MAX_DRIFT;
        if must_refresh || is_new || is_turn {
            self.register_agents(must_refresh || is_new);
        }
        let every = if must_refresh { 1 } else { REFRESH_TICKS };
        let phase = u32::try_from(self.n_ticks % u64::from(REFRESH_TICKS)).unwrap_or(0);
        let first = (REFRESH_TICKS - phase) % every;
        // By bin: the queries of agents beside each other read the same.
        let grid = std::mem::take(&mut self.grid);
        for slot in grid.slots() {
            if slot % every == first && self.is_awake[slot as usize] {
                self.refresh(&grid, slot as usize);
            }
        }
        // Those that woke after they were registered.
        let (first, every) = (first as usize, every as usize);
        for index in (first..self.members.len()).step_by(every) {
            if self.is_awake[index] && self.is_resting[index] {
                self.refresh(&grid, index);
            }
        }
        let woken = std::mem::take(&mut self.woken);
        for &slot in &woken {
            if slot as usize % every != first {
                self.refresh(&grid, slot as usize);
            }
        }
        (self.woken, self.grid) = (woken, grid);
    }

    fn refresh(&mut self, moving: &Grid, index: usize) {
        let agent = self.presence(index);
        let speed = self.motions[index].max_speed;
        let contact = 2.0 * speed * self.options.tick_seconds * f64::from(REFRESH_TICKS);
        let contact = contact + agent.radius * 0.5;
        let ranges = Ranges {
            sight: (agent.radius + self.largest + contact).max(SIGHT),
            contact,
            largest: self.largest,
            drift: self.drift,
        };
        let mut list = NeighborList::default();
        let now = |slot: u32| self.presence(slot as usize);
        list.refresh([moving, &self.resting], (&agent, now), ranges);
        self.lists[index] = list;
    }

    /// Registers agents that may move, and those that rest if their set changed.
    fn register_agents(&mut self, has_changed: bool) {
        let n = self.members.len();
        let mut has_changed = has_changed;
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
        grid.rebuild(moving.map(|index| self.place(index)));
        if has_changed {
            let still = (0..n).filter(|&index| self.is_resting[index]);
            resting.rebuild(still.map(|index| self.place(index)));
        }
        (self.grid, self.resting) = (grid, resting);
        let largest = self.discs.iter().map(|disc| disc.radius);
        self.largest = largest.fold(0.0, f64::max);
        self.drift = 0.0;
    }

    fn place(&self, index: usize) -> (u32, Vec2) {
        let slot = u32::try_from(index).unwrap_or(u32::MAX);
        (slot, self.discs[index].position)
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
