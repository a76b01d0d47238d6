//! Reference lengths by textbook A\* over cells, where the benchmark's files state none.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_engine::base::{Column, Direction};

use crate::engine::MovementRule;
use crate::open_cells::OpenCells;

/// Billionths of a cell.
const STRAIGHT: u64 = 1_000_000_000;
const DIAGONAL: u64 = 1_414_213_562;

/// Finds least lengths on one map; keeps its tables between queries.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    open: &'a OpenCells,
    rule: MovementRule,
    lengths: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
}

impl<'a> Reference<'a> {
    /// Least lengths over `open` under `rule`, which for lines at any angle is taken to be the
    /// benchmark's: no line is longer than the best path over cells.
    pub fn new(open: &'a OpenCells, rule: MovementRule) -> Self {
        Self {
            open,
            rule,
            lengths: vec![u64::MAX; open.flags().len()],
            queue: BinaryHeap::new(),
        }
    }

    /// The least length from `start` to `goal` in cells, or `None` if unreachable.
    ///
    /// ```
    /// use wayfarer_engine::base::Column;
    /// use wayfarer_bench::open_cells::OpenCells;
    /// use wayfarer_bench::{MovementRule, reference::Reference};
    ///
    /// let open = OpenCells::of(&wayfarer_testkit::ascii::raster("..\n#."));
    /// let ends = (Column::new(0, 0), Column::new(1, 1));
    /// let mut around = Reference::new(&open, MovementRule::Benchmark);
    /// assert_eq!(around.length(ends.0, ends.1), Some(2.0));
    /// let mut across = Reference::new(&open, MovementRule::CutsCorners);
    /// assert_eq!(across.length(ends.0, ends.1), Some(1.414_213_562));
    /// ```
    pub fn length(&mut self, start: Column, goal: Column) -> Option<f64> {
        let first = self.open.index(start)?;
        let last = self.open.index(goal)?;
        if !self.open.is_open(start) || !self.open.is_open(goal) {
            return None;
        }
        self.lengths.fill(u64::MAX);
        self.queue.clear();
        self.lengths[first] = 0;
        self.queue.push(Reverse((distance(start, goal), 0, first)));
        while let Some(Reverse((_, length, index))) = self.queue.pop() {
            if index == last {
                return Some(length as f64 / STRAIGHT as f64);
            }
            if length > self.lengths[index] {
                continue;
            }
            let cell = self.open.column(index);
            for direction in Direction::ALL {
                let Some(next) = cell.step(direction) else {
                    continue;
                };
                if !self.allows(cell, next, direction) {
                    continue;
                }
                let Some(next_index) = self.open.index(next) else {
                    continue;
                };
                let step = if direction.is_diagonal() {
                    DIAGONAL
                } else {
                    STRAIGHT
                };
                let longer = length + step;
                if longer < self.lengths[next_index] {
                    self.lengths[next_index] = longer;
                    let f = longer + distance(next, goal);
                    self.queue.push(Reverse((f, longer, next_index)));
                }
            }
        }
        None
    }

    fn allows(&self, from: Column, to: Column, direction: Direction) -> bool {
        let around = [Column::new(to.x, from.y), Column::new(from.x, to.y)];
        self.open.is_open(to)
            && (!direction.is_diagonal()
                || self.rule == MovementRule::CutsCorners
                || around.iter().all(|&cell| self.open.is_open(cell)))
    }
}

/// The least length over open ground.
fn distance(a: Column, b: Column) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    dx.max(dy) * STRAIGHT + dx.min(dy) * (DIAGONAL - STRAIGHT)
}

#[cfg(test)]
mod tests;
