//! Dijkstra inside one block of 16, with a circular bucket queue \[Dial1969\]: the costs of a path's
//! ends to their frame, and legs from frame cell to frame cell.

use super::cells::{Cells, SIDE};
use super::min_plus::INFINITE;
use wayfarer_base::Cost;

/// Buckets; more than the longest step spans.
const N_BUCKETS: usize = 64;

/// The direction of the paths of a flood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloodDirection {
    /// From the source to all cells.
    From,
    /// From all cells to the source.
    To,
}

/// Scratch of floods.
#[derive(Clone, Debug, Default)]
pub(super) struct Flood {
    /// By cell the cost of its path, or `INFINITE`.
    pub(super) costs: Vec<i32>,
    /// By cell the cost at which it was expanded last.
    expanded: Vec<i32>,
    buckets: Vec<Vec<u16>>,
    /// Cells expanded.
    pub(super) n_expanded: u64,
}

impl Flood {
    /// Floods a block from a cell, until a target is reached at its known cost, if one is given.
    pub(super) fn run(
        &mut self,
        cells: &Cells,
        source: usize,
        direction: FloodDirection,
        target: Option<(usize, i32)>,
    ) {
        self.costs.clear();
        self.costs.resize(cells.len(), INFINITE);
        self.expanded.clear();
        self.expanded.resize(cells.len(), INFINITE);
        self.buckets.resize_with(N_BUCKETS, Vec::new);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.n_expanded = 0;
        let longest = u64::from(Cost::DIAGONAL.units()) * u64::from(cells.max_multiplier) / 16;
        // Cells of a bucket never improve one another if it is no wider than the shortest step:
        // 2^10 units.
        let mut shift = 10;
        while longest >> shift >= N_BUCKETS as u64 - 1 {
            shift += 1;
        }
        self.costs[source] = 0;
        self.push(source, 0);
        let (mut number, mut n_empty) = (0_i32, 0);
        while n_empty < N_BUCKETS {
            let slot = number.cast_unsigned() as usize % N_BUCKETS;
            let Some(cell) = self.buckets[slot].pop() else {
                number += 1;
                n_empty += 1;
                continue;
            };
            n_empty = 0;
            let cell = usize::from(cell);
            let cost = self.costs[cell];
            if self.expanded[cell] == cost {
                continue;
            }
            self.expanded[cell] = cost;
            self.n_expanded += 1;
            match target {
                None => self.expand(cells, cell, direction, shift, |_, _| true),
                Some((target, bound)) => {
                    let can_reach = |next, cost: i32| cost + octile(next, target) <= bound;
                    self.expand(cells, cell, direction, shift, can_reach);
                    if self.costs[target] == bound {
                        return;
                    }
                }
            }
        }
    }

    #[inline]
    fn expand(
        &mut self,
        cells: &Cells,
        cell: usize,
        direction: FloodDirection,
        shift: u32,
        can_reach: impl Fn(usize, i32) -> bool,
    ) {
        let cost = self.costs[cell];
        let Self { costs, buckets, .. } = self;
        let visit = |costs: &mut [i32], next: usize, step: i32| {
            let sum = cost + step;
            if sum < costs[next] && can_reach(next, sum) {
                costs[next] = sum;
                let bucket = (sum >> shift).cast_unsigned() as usize;
                buckets[bucket % N_BUCKETS].extend(u16::try_from(next));
            }
        };
        match direction {
            FloodDirection::To if !cells.is_symmetric => {
                let mut visit = visit;
                cells.for_each_step_to(cell, |next, step, _| visit(costs, next, step));
            }
            _ => cells.for_each_target(cell, visit, costs, cost),
        }
    }

    fn push(&mut self, cell: usize, bucket: usize) {
        self.buckets[bucket].extend(u16::try_from(cell));
    }

    /// Appends the nodes of the path from the source to `cell` after a flood from the source,
    /// without those of its ends.
    pub(super) fn path_from_source(&self, cells: &Cells, cell: usize, nodes: &mut Vec<u32>) {
        let first = nodes.len();
        let mut at = cell;
        while let Some(next) = self.previous(cells, at)
            && self.costs[next] > 0
        {
            nodes.push(cells.node(next));
            at = next;
        }
        nodes[first..].reverse();
    }

    /// Appends the nodes of the path from `cell` to the source after a flood to the source, without
    /// those of its ends.
    pub(super) fn path_to_source(&self, cells: &Cells, cell: usize, nodes: &mut Vec<u32>) {
        let mut at = cell;
        while let Some(next) = self.next(cells, at)
            && self.costs[next] > 0
        {
            nodes.push(cells.node(next));
            at = next;
        }
    }

    /// The cell before `cell` on a cheapest path: the last direction of equals.
    fn previous(&self, cells: &Cells, cell: usize) -> Option<usize> {
        let mut found = None;
        if self.costs[cell] > 0 {
            cells.for_each_step_to(cell, |from, step, _| {
                if self.costs[from] + step == self.costs[cell] {
                    found = Some(from);
                }
            });
        }
        found
    }

    /// The cell after `cell` on a cheapest path to the source.
    fn next(&self, cells: &Cells, cell: usize) -> Option<usize> {
        let mut found = None;
        if self.costs[cell] > 0 {
            cells.for_each_step(cell, |to, step, _| {
                if self.costs[to] + step == self.costs[cell] {
                    found = Some(to);
                }
            });
        }
        found
    }
}

/// The octile distance between the columns of two cells.
#[inline]
fn octile(a: usize, b: usize) -> i32 {
    let apart = |a: usize, b: usize| u32::try_from(a.abs_diff(b)).unwrap_or(u32::MAX);
    let dx = apart(a % SIDE, b % SIDE);
    let dy = apart(a / SIDE % SIDE, b / SIDE % SIDE);
    Cost::octile(dx, dy).units().cast_signed()
}
