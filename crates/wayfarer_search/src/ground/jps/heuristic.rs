//! A lower bound for the rest of the way, also where teleports make the straight line too long.

use wayfarer_base::{Column, Cost, LinkDirection};
use wayfarer_world::ground::{Ground, NavLinkEdge};

/// The estimate of one search: octile distance, unless some nav link is shorter than that.
#[derive(Clone, Debug, Default)]
pub(super) struct Heuristic {
    goal: (i32, i32),
    /// Where nav links begin that cost less than the way between their ends must, and the least
    /// cost from there to the goal, nav link included.
    shortcuts: Vec<(i32, i32, u32)>,
    /// The least cost to the goal over any shortcut, or `u32::MAX`; for when there are too many
    /// to look at each.
    least: u32,
}

/// Shortcuts that are looked at one by one.
const MAX: usize = 32;

impl Heuristic {
    /// Makes ready for a search to `goal`. Takes time in proportion to the shortcuts there are.
    pub(super) fn prepare(&mut self, ground: &Ground, goal: Column) {
        self.goal = (goal.x, goal.y);
        self.shortcuts.clear();
        self.least = u32::MAX;
        let mut n_shortcuts = 0;
        for edge in shortcuts(ground) {
            n_shortcuts += 1;
            let rest = octile((edge.to.x, edge.to.y), self.goal);
            self.least = self.least.min(edge.cost.units().saturating_add(rest));
            if n_shortcuts <= MAX {
                self.shortcuts
                    .push((edge.from.x, edge.from.y, edge.cost.units()));
            }
        }
        if n_shortcuts > MAX {
            self.shortcuts.clear();
            return;
        }
        self.settle(ground);
    }

    /// Finds the least cost from the beginning of every shortcut to the goal: straight over open
    /// ground or by any sequence of shortcuts.
    fn settle(&mut self, ground: &Ground) {
        let mut ends = [(0, 0); MAX];
        for (end, edge) in ends.iter_mut().zip(shortcuts(ground)) {
            *end = (edge.to.x, edge.to.y);
        }
        let mut costs = [0; MAX];
        for ((cost, end), shortcut) in costs.iter_mut().zip(ends).zip(&mut self.shortcuts) {
            *cost = shortcut.2;
            shortcut.2 = cost.saturating_add(octile(end, self.goal));
        }
        // Bellman and Ford: few shortcuts, and mostly settled in two rounds.
        loop {
            let mut settled = true;
            for index in 0..self.shortcuts.len() {
                let onwards = self
                    .shortcuts
                    .iter()
                    .map(|&(x, y, rest)| octile(ends[index], (x, y)).saturating_add(rest));
                let best = onwards.min().unwrap_or(u32::MAX);
                let best = best.saturating_add(costs[index]);
                if best < self.shortcuts[index].2 {
                    self.shortcuts[index].2 = best;
                    settled = false;
                }
            }
            if settled {
                return;
            }
        }
    }

    /// A lower bound of the cost from (x, y) to the goal; falls by no more than a step's cost
    /// along any step.
    #[inline]
    pub(super) fn from(&self, x: i32, y: i32) -> u32 {
        let straight = octile((x, y), self.goal);
        if self.least == u32::MAX {
            return straight;
        }
        self.with_shortcuts(x, y, straight)
    }

    #[inline(never)]
    fn with_shortcuts(&self, x: i32, y: i32, straight: u32) -> u32 {
        if self.shortcuts.is_empty() {
            return straight.min(self.least);
        }
        let over = self
            .shortcuts
            .iter()
            .map(|&(from_x, from_y, rest)| octile((x, y), (from_x, from_y)).saturating_add(rest));
        over.fold(straight, u32::min)
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.shortcuts.capacity() * size_of::<(i32, i32, u32)>()
    }
}

/// Every way that costs less than the straight path between its ends, as gates stand now; the
/// ground keeps a list of them.
fn shortcuts(ground: &Ground) -> impl Iterator<Item = NavLinkEdge> {
    let keys = ground.default_profile().keys;
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
