//! Octile distance, corrected where nav links are cheaper than it: admissible and consistent.

use wayfarer_base::{Column, Cost, LinkDirection};
use wayfarer_world::ground::{NavLinkEdge, ProfileGround};

/// The heuristic of one search: octile distance, or less over nav links that are shorter.
#[derive(Clone, Debug, Default)]
pub(super) struct Heuristic {
    goal: (i32, i32),
    /// Entries of shortcuts (nav links cheaper than the octile distance between their ends), each
    /// with a lower bound of the cost from there to the goal over the nav link.
    shortcuts: Vec<(i32, i32, u32)>,
    /// Lower bound of the cost to the goal over any shortcut, or `u32::MAX`; used alone if there
    /// are more than `MAX_SHORTCUTS`.
    min_over_shortcuts: u32,
}

/// Shortcuts that are evaluated one by one.
const MAX_SHORTCUTS: usize = 32;

impl Heuristic {
    /// Prepares a search to `goal`, in time proportional to the number of shortcuts.
    pub(super) fn prepare(&mut self, ground: ProfileGround<'_>, goal: Column) {
        self.goal = (goal.x, goal.y);
        self.shortcuts.clear();
        self.min_over_shortcuts = u32::MAX;
        let mut n_shortcuts = 0;
        for edge in shortcuts(ground) {
            n_shortcuts += 1;
            let h = octile((edge.to.x, edge.to.y), self.goal);
            self.min_over_shortcuts = self
                .min_over_shortcuts
                .min(edge.cost.units().saturating_add(h));
            if n_shortcuts <= MAX_SHORTCUTS {
                self.shortcuts
                    .push((edge.from.x, edge.from.y, edge.cost.units()));
            }
        }
        if n_shortcuts > MAX_SHORTCUTS {
            self.shortcuts.clear();
            return;
        }
        self.relax_shortcuts(ground);
    }

    /// Lowers the bound of every shortcut to that over any sequence of shortcuts.
    fn relax_shortcuts(&mut self, ground: ProfileGround<'_>) {
        let mut ends = [(0, 0); MAX_SHORTCUTS];
        for (end, edge) in ends.iter_mut().zip(shortcuts(ground)) {
            *end = (edge.to.x, edge.to.y);
        }
        let mut costs = [0; MAX_SHORTCUTS];
        for ((cost, end), shortcut) in costs.iter_mut().zip(ends).zip(&mut self.shortcuts) {
            *cost = shortcut.2;
            shortcut.2 = cost.saturating_add(octile(end, self.goal));
        }
        // Bellman-Ford: few shortcuts, and mostly settled in two rounds.
        loop {
            let mut is_settled = true;
            for index in 0..self.shortcuts.len() {
                let onwards = self
                    .shortcuts
                    .iter()
                    .map(|&(x, y, h)| octile(ends[index], (x, y)).saturating_add(h));
                let best = onwards.min().unwrap_or(u32::MAX);
                let best = best.saturating_add(costs[index]);
                if best < self.shortcuts[index].2 {
                    self.shortcuts[index].2 = best;
                    is_settled = false;
                }
            }
            if is_settled {
                return;
            }
        }
    }

    /// Lower bound of the cost from (x, y) to the goal. Consistent: no step lowers it by more than
    /// its cost.
    #[inline]
    pub(super) fn h(&self, x: i32, y: i32) -> u32 {
        let direct = octile((x, y), self.goal);
        if self.min_over_shortcuts == u32::MAX {
            return direct;
        }
        self.h_with_shortcuts(x, y, direct)
    }

    #[inline(never)]
    fn h_with_shortcuts(&self, x: i32, y: i32, direct: u32) -> u32 {
        if self.shortcuts.is_empty() {
            return direct.min(self.min_over_shortcuts);
        }
        let over = self
            .shortcuts
            .iter()
            .map(|&(from_x, from_y, h)| octile((x, y), (from_x, from_y)).saturating_add(h));
        over.fold(direct, u32::min)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.shortcuts.capacity() * size_of::<(i32, i32, u32)>()
    }
}

/// Every direction of a nav link that is cheaper than the octile distance between its ends and
/// admits the agent; the ground maintains the list.
fn shortcuts(ground: ProfileGround<'_>) -> impl Iterator<Item = NavLinkEdge> + '_ {
    let keys = ground.profile().keys;
    let open = ground.shortcuts().iter();
    let open = open.filter(move |nav_link| nav_link.state.admits(keys));
    open.flat_map(|nav_link| {
        let (from, to, cost) = (nav_link.from, nav_link.to, nav_link.cost);
        let back = NavLinkEdge {
            from: to,
            to: from,
            cost,
        };
        let is_both = nav_link.direction == LinkDirection::Bidirectional;
        [
            Some(NavLinkEdge { from, to, cost }),
            is_both.then_some(back),
        ]
        .into_iter()
        .flatten()
    })
}

#[inline]
pub(super) fn octile(a: (i32, i32), b: (i32, i32)) -> u32 {
    Cost::octile(a.0.abs_diff(b.0), a.1.abs_diff(b.1)).units()
}

#[cfg(test)]
mod tests;
