//! The least a way can cost, known before it is walked.
//!
//! Without shortcuts (nav links cheaper than the straight path) that is the octile distance. With
//! them it is the cheaper of that and the distance to the entry of a shortcut plus the least cost
//! from there on, chains of shortcuts included. Both never fall by more than a step's cost along
//! a step, so that the first way found is the cheapest.

use wayfarer_base::{Column, Cost, LinkDirection, NavLink, Rect};

/// Most goals that are told apart; beyond that the rectangle around them counts.
const MAX_GOALS: usize = 8;
/// Most shortcuts that are told apart; beyond that the rectangle around their entries counts.
const MAX_SHORTCUTS: usize = 16;

/// Where paths lead (or come from), for estimates of the least cost.
#[derive(Clone, Debug, Default)]
pub(super) struct LowerBound {
    /// The way ends in one of these; nowhere in particular if empty.
    goals: Vec<Rect>,
    /// Shortcuts as directed edges, those useful for this aim.
    shortcuts: Vec<Shortcut>,
    /// The rectangle around the entries of all shortcuts and the least cost from any of them,
    /// where there are too many to tell apart.
    many: Option<(Rect, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Shortcut {
    enter: Column,
    leave: Column,
    cost: u32,
    /// Least cost from the entry to the aim.
    rest: u32,
    settled: bool,
}

/// Whether an aim is where paths lead or where they come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sense {
    /// Estimates of the cost to the aim.
    Towards,
    /// Estimates of the cost from the aim.
    From,
}

impl LowerBound {
    /// No aim: every estimate is 0.
    pub(super) fn clear(&mut self) {
        self.goals.clear();
        self.shortcuts.clear();
        self.many = None;
    }

    /// Aims at `goal`, given the shortcuts of the ground that someone with `keys` can take.
    pub(super) fn set(&mut self, goal: Rect, shortcuts: &[NavLink], keys: u32, sense: Sense) {
        self.clear();
        self.goals.push(goal);
        self.finish(shortcuts, keys, sense);
    }

    /// Aims at every one of `columns`.
    pub(super) fn set_columns(
        &mut self,
        columns: impl Iterator<Item = Column> + Clone,
        shortcuts: &[NavLink],
        keys: u32,
    ) {
        self.clear();
        let rects = columns.clone().map(|column| Rect::around(column, column));
        self.goals.extend(rects.take(MAX_GOALS + 1));
        if self.goals.len() > MAX_GOALS {
            self.goals.clear();
            let around = columns.fold(Rect::EMPTY, Rect::including);
            self.goals.push(around);
        }
        self.finish(shortcuts, keys, Sense::Towards);
    }

    fn finish(&mut self, shortcuts: &[NavLink], keys: u32, sense: Sense) {
        for nav_link in shortcuts {
            if !nav_link.state.admits(keys) {
                continue;
            }
            let (from, to) = (nav_link.from.column(), nav_link.to.column());
            let mut add = |enter: Column, leave: Column| {
                let cost = nav_link.cost.units();
                self.shortcuts.push(Shortcut {
                    enter,
                    leave,
                    cost,
                    rest: cost.saturating_add(straight(&self.goals, leave)),
                    settled: false,
                });
            };
            let both = nav_link.direction == LinkDirection::Bidirectional;
            if both || sense == Sense::Towards {
                add(from, to);
            }
            if both || sense == Sense::From {
                add(to, from);
            }
        }
        if self.shortcuts.len() > MAX_SHORTCUTS {
            let entries = self.shortcuts.iter().map(|shortcut| shortcut.enter);
            let around = entries.fold(Rect::EMPTY, Rect::including);
            // Whatever the chain, its last shortcut leads to the aim on foot.
            let rests = self.shortcuts.iter().map(|shortcut| shortcut.rest);
            self.many = rests.min().map(|least| (around, least));
            self.shortcuts.clear();
            return;
        }
        self.chain();
        let goals = &self.goals;
        self.shortcuts
            .retain(|shortcut| shortcut.rest < straight(goals, shortcut.enter));
    }

    /// Lets shortcuts lead to each other: Dijkstra over a few edges.
    fn chain(&mut self) {
        let edges = &mut self.shortcuts;
        while let Some(next) = (0..edges.len())
            .filter(|&i| !edges[i].settled)
            .min_by_key(|&i| edges[i].rest)
        {
            edges[next].settled = true;
            let Shortcut { enter, rest, .. } = edges[next];
            for edge in edges.iter_mut().filter(|edge| !edge.settled) {
                let over = octile(edge.leave, enter).saturating_add(rest);
                edge.rest = edge.rest.min(edge.cost.saturating_add(over));
            }
        }
    }

    /// The least that a way between `column` and the aim can cost, in units of `Cost`.
    #[inline]
    pub(super) fn least(&self, column: Column) -> u32 {
        let mut least = straight(&self.goals, column);
        for shortcut in &self.shortcuts {
            least = least.min(octile(column, shortcut.enter).saturating_add(shortcut.rest));
        }
        if let Some((around, rest)) = self.many {
            least = least.min(distance(around, column).saturating_add(rest));
        }
        least
    }
}

/// Octile distance to the nearest of `goals`; 0 if there is none.
#[inline]
fn straight(goals: &[Rect], column: Column) -> u32 {
    match goals {
        [only] => distance(*only, column),
        several => {
            let distances = several.iter().map(|goal| distance(*goal, column));
            distances.min().unwrap_or(0)
        }
    }
}

/// Octile distance from a column to a rectangle; 0 inside.
#[inline]
pub(super) fn distance(rect: Rect, column: Column) -> u32 {
    let away = |low: i32, at: i32, high: i32| at.abs_diff(at.clamp(low, high.max(low)));
    let dx = away(rect.low.x, column.x, rect.high.x);
    let dy = away(rect.low.y, column.y, rect.high.y);
    Cost::octile(dx, dy).units()
}

#[inline]
pub(super) fn octile(a: Column, b: Column) -> u32 {
    Cost::octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y)).units()
}
