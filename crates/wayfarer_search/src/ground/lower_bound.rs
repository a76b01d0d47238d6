//! Admissible and consistent lower bounds on path costs: the A\* heuristic of this module.
//!
//! Without shortcuts (nav links cheaper than the octile distance between their ends) the bound is
//! the octile distance. With them it is the minimum of that and of the distance to the entry of a
//! shortcut plus the bound from there, chains of shortcuts included. O(goals + shortcuts) per cell,
//! both capped.

use wayfarer_base::{Column, Cost, LinkDirection, NavLink, Rect};

/// Most goals that count separately; more are replaced by their bounding rectangle.
const MAX_GOALS: usize = 8;
/// Most shortcuts that count separately; more are replaced by the rectangle around their entries.
const MAX_SHORTCUTS: usize = 16;

/// Lower bounds on the cost between any column and a target.
#[derive(Clone, Debug, Default)]
pub(super) struct LowerBound {
    /// The target: any of these; if empty, every bound is 0.
    goals: Vec<Rect>,
    /// Shortcuts as directed edges, those that lower a bound.
    shortcuts: Vec<Shortcut>,
    /// The rectangle around the entries of all shortcuts and the lowest bound from any of them,
    /// where they exceed `MAX_SHORTCUTS`.
    merged: Option<(Rect, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Shortcut {
    entry: Column,
    exit: Column,
    cost: u32,
    /// Lower bound on the cost from the entry to the target.
    bound: u32,
    is_settled: bool,
}

/// Whether paths lead to the target or come from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoundDirection {
    /// Bounds on the cost to the target.
    ToTarget,
    /// Bounds on the cost from the target.
    FromTarget,
}

impl LowerBound {
    /// No target: every bound is 0.
    pub(super) fn clear(&mut self) {
        self.goals.clear();
        self.shortcuts.clear();
        self.merged = None;
    }

    /// Sets the target to `goal`, given the shortcuts of the ground and the agent's keys.
    pub(super) fn set(
        &mut self,
        goal: Rect,
        shortcuts: &[NavLink],
        keys: u32,
        direction: BoundDirection,
    ) {
        self.clear();
        self.goals.push(goal);
        self.add_shortcuts(shortcuts, keys, direction);
    }

    /// Sets the target to any of `columns`, for paths that lead there.
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
        self.add_shortcuts(shortcuts, keys, BoundDirection::ToTarget);
    }

    fn add_shortcuts(&mut self, shortcuts: &[NavLink], keys: u32, direction: BoundDirection) {
        for nav_link in shortcuts {
            if !nav_link.state.admits(keys) {
                continue;
            }
            let (from, to) = (nav_link.from.column(), nav_link.to.column());
            let mut add = |entry: Column, exit: Column| {
                let cost = nav_link.cost.units();
                self.shortcuts.push(Shortcut {
                    entry,
                    exit,
                    cost,
                    bound: cost.saturating_add(octile_to_nearest(&self.goals, exit)),
                    is_settled: false,
                });
            };
            let is_bidirectional = nav_link.direction == LinkDirection::Bidirectional;
            if is_bidirectional || direction == BoundDirection::ToTarget {
                add(from, to);
            }
            if is_bidirectional || direction == BoundDirection::FromTarget {
                add(to, from);
            }
        }
        if self.shortcuts.len() > MAX_SHORTCUTS {
            let entries = self.shortcuts.iter().map(|shortcut| shortcut.entry);
            let around = entries.fold(Rect::EMPTY, Rect::including);
            // The last shortcut of any chain is followed by an octile path to the target.
            let bounds = self.shortcuts.iter().map(|shortcut| shortcut.bound);
            self.merged = bounds.min().map(|lowest| (around, lowest));
            self.shortcuts.clear();
            return;
        }
        self.relax_chains();
        let goals = &self.goals;
        self.shortcuts
            .retain(|shortcut| shortcut.bound < octile_to_nearest(goals, shortcut.entry));
    }

    /// Lowers the bounds by chains of shortcuts: Dijkstra over a few edges.
    fn relax_chains(&mut self) {
        let edges = &mut self.shortcuts;
        while let Some(next) = (0..edges.len())
            .filter(|&i| !edges[i].is_settled)
            .min_by_key(|&i| edges[i].bound)
        {
            edges[next].is_settled = true;
            let Shortcut { entry, bound, .. } = edges[next];
            for edge in edges.iter_mut().filter(|edge| !edge.is_settled) {
                let chained = octile(edge.exit, entry).saturating_add(bound);
                edge.bound = edge.bound.min(edge.cost.saturating_add(chained));
            }
        }
    }

    /// The lower bound on the cost between `column` and the target, in units of `Cost`.
    #[inline]
    pub(super) fn at(&self, column: Column) -> u32 {
        let mut bound = octile_to_nearest(&self.goals, column);
        for shortcut in &self.shortcuts {
            bound = bound.min(octile(column, shortcut.entry).saturating_add(shortcut.bound));
        }
        if let Some((around, lowest)) = self.merged {
            bound = bound.min(octile_to_rect(around, column).saturating_add(lowest));
        }
        bound
    }

    /// The least bound of the columns of a rectangle.
    #[inline]
    pub(super) fn over(&self, rect: Rect) -> u32 {
        let apart = |goal: &Rect| {
            let gap = |low: i32, high: i32, from: i32, to: i32| {
                low.saturating_sub(to)
                    .max(from.saturating_sub(high))
                    .max(0)
                    .unsigned_abs()
            };
            let dx = gap(goal.low.x, goal.high.x, rect.low.x, rect.high.x);
            let dy = gap(goal.low.y, goal.high.y, rect.low.y, rect.high.y);
            Cost::octile(dx, dy).units()
        };
        let mut bound = self.goals.iter().map(apart).min().unwrap_or(0);
        for shortcut in &self.shortcuts {
            let entry = apart(&Rect::around(shortcut.entry, shortcut.entry));
            bound = bound.min(entry.saturating_add(shortcut.bound));
        }
        if let Some((around, lowest)) = self.merged {
            bound = bound.min(apart(&around).saturating_add(lowest));
        }
        bound
    }
}

/// Octile distance to the nearest of `goals`; 0 if there is none.
#[inline]
fn octile_to_nearest(goals: &[Rect], column: Column) -> u32 {
    match goals {
        [only] => octile_to_rect(*only, column),
        several => {
            let distances = several.iter().map(|goal| octile_to_rect(*goal, column));
            distances.min().unwrap_or(0)
        }
    }
}

/// Octile distance from a column to a rectangle; 0 inside.
#[inline]
fn octile_to_rect(rect: Rect, column: Column) -> u32 {
    let outside = |low: i32, at: i32, high: i32| at.abs_diff(at.clamp(low, high.max(low)));
    let dx = outside(rect.low.x, column.x, rect.high.x);
    let dy = outside(rect.low.y, column.y, rect.high.y);
    Cost::octile(dx, dy).units()
}

/// Octile distance between two columns, in units of `Cost`.
#[inline]
pub(super) fn octile(a: Column, b: Column) -> u32 {
    Cost::octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y)).units()
}
