//! A* for one segment: from a cell to a cell, or to the first cell of a region.

use wayfarer_base::Direction;
use wayfarer_world::ground::SuccessorBuffer;

use super::abstract_graph::AbstractGraph;
use super::regions::octile;
use crate::ground::arena::{Arena, NONE, Record};
use crate::kernel::{Entry, QuaternaryHeap};

/// Reusable scratch for segment searches.
#[derive(Clone, Debug, Default)]
pub(super) struct LegSearch {
    arena: Arena,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    line: Vec<(u32, u32)>,
}

/// The target of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegTarget<'a, R> {
    /// The cell for the heuristic, and the end without `region`.
    pub(super) to: u32,
    /// If set, any cell of this region ends the segment.
    pub(super) region: Option<R>,
    /// The sectors the search is restricted to, sorted.
    pub(super) corridor: Option<&'a [u32]>,
    pub(super) max_expansions: u64,
    /// Takes a free line with one bend at the cost of the heuristic without a search, counted as
    /// one expansion.
    pub(super) allow_line: bool,
}

/// The result of a segment search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LegResult {
    Found,
    Unreachable,
    OutOfBudget,
}

impl LegSearch {
    /// Appends the cells of an optimal path after `from`, with the cost of each step, to `steps`
    /// and adds to `expansions`.
    pub(super) fn find<P: AbstractGraph>(
        &mut self,
        graph: &P,
        from: u32,
        target: LegTarget<'_, P::Region>,
        steps: &mut Vec<(u32, u32)>,
        expansions: &mut u64,
    ) -> LegResult {
        if target.allow_line && self.take_line(graph, from, target, steps) {
            *expansions += 1;
            return LegResult::Found;
        }
        let goal = graph.cell(target.to);
        let Self {
            arena,
            open,
            buffer,
            ..
        } = self;
        arena.clear();
        open.clear();
        arena.reserve(1);
        open.reserve(1);
        let h = octile(graph.cell(from), goal);
        let number = arena.add(Record {
            node: from,
            g: 0,
            parent: NONE,
            h,
        });
        open.push(Entry::new(h, 0, number));
        let mut left = target.max_expansions;
        while let Some(entry) = open.pop() {
            let number = entry.node();
            let record = arena.record(number);
            if record.g != entry.g() {
                continue; // Stale.
            }
            let is_end = match target.region {
                Some(region) => graph.region(record.node) == Some(region),
                None => record.node == target.to,
            };
            if is_end {
                append_path(graph, arena, number, buffer, steps);
                return LegResult::Found;
            }
            if left == 0 {
                return LegResult::OutOfBudget;
            }
            left -= 1;
            *expansions += 1;
            graph.for_each_successor(record.node, buffer, |to, cost| {
                if let Some(corridor) = target.corridor
                    && corridor.binary_search(&graph.sector(to)).is_err()
                {
                    return;
                }
                let g = record.g.saturating_add(cost);
                let (next, h) = match arena.find(to) {
                    Some(next) => {
                        let known = arena.record_mut(next);
                        if g >= known.g {
                            return;
                        }
                        known.g = g;
                        known.parent = number;
                        (next, known.h)
                    }
                    None => {
                        let h = octile(graph.cell(to), goal);
                        arena.reserve(1);
                        let next = arena.add(Record {
                            node: to,
                            g,
                            parent: number,
                            h,
                        });
                        (next, h)
                    }
                };
                open.reserve(1);
                open.push(Entry::new(g.saturating_add(h), g, next));
            });
        }
        LegResult::Unreachable
    }

    /// Appends a line with one bend if it costs no more than the heuristic and stays in the
    /// corridor.
    fn take_line<P: AbstractGraph>(
        &mut self,
        graph: &P,
        from: u32,
        target: LegTarget<'_, P::Region>,
        steps: &mut Vec<(u32, u32)>,
    ) -> bool {
        let lower_bound = octile(graph.cell(from), graph.cell(target.to));
        let mut line = std::mem::take(&mut self.line);
        let is_taken = target.region.is_none()
            && [true, false].into_iter().any(|is_diagonal_first| {
                let is_inside = |(to, _): &(u32, u32)| {
                    let sector = graph.sector(*to);
                    target
                        .corridor
                        .is_none_or(|corridor| corridor.binary_search(&sector).is_ok())
                };
                self.trace_line(graph, (from, target.to), is_diagonal_first, &mut line)
                    && line.iter().map(|(_, cost)| *cost).sum::<u32>() == lower_bound
                    && line.iter().all(is_inside)
            });
        if is_taken {
            steps.extend_from_slice(&line);
        }
        self.line = line;
        is_taken
    }

    /// Writes the line with one bend between two cells, diagonal first or last; false if a step of
    /// it is blocked.
    pub(super) fn trace_line<P: AbstractGraph>(
        &mut self,
        graph: &P,
        (from, to): (u32, u32),
        is_diagonal_first: bool,
        line: &mut Vec<(u32, u32)>,
    ) -> bool {
        line.clear();
        let (here, end) = (graph.cell(from), graph.cell(to));
        let (mut dx, mut dy) = (end.x - here.x, end.y - here.y);
        let mut at = from;
        while (dx, dy) != (0, 0) {
            let is_diagonal = if is_diagonal_first {
                dx != 0 && dy != 0
            } else {
                dx.abs() == dy.abs()
            };
            let step = if is_diagonal {
                (dx.signum(), dy.signum())
            } else if dx.abs() > dy.abs() {
                (dx.signum(), 0)
            } else {
                (0, dy.signum())
            };
            let direction = Direction::from_offset(step).expect("dx and dy are not both 0");
            let Some((next, cost)) = graph.step(at, direction, &mut self.buffer) else {
                return false;
            };
            line.push((next, cost));
            at = next;
            dx -= step.0;
            dy -= step.1;
        }
        at == to
    }
}

/// Appends the steps of the path to `end`. Reads step costs from the graph, not from differences of
/// g: with teleports the heuristic is inconsistent, and a cell's g may drop after its successor's
/// g is set.
fn append_path<P: AbstractGraph>(
    graph: &P,
    arena: &Arena,
    end: u32,
    buffer: &mut SuccessorBuffer,
    steps: &mut Vec<(u32, u32)>,
) {
    let first = steps.len();
    let mut record = arena.record(end);
    while record.parent != NONE {
        let parent = arena.record(record.parent);
        let mut step_cost = u32::MAX;
        graph.for_each_successor(parent.node, buffer, |to, cost| {
            if to == record.node {
                step_cost = step_cost.min(cost);
            }
        });
        steps.push((record.node, step_cost));
        record = parent;
    }
    steps[first..].reverse();
}
