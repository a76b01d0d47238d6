//! The search for one piece: A* from a cell to a cell, or to the first cell of a region.

use wayfarer_base::Direction;
use wayfarer_world::ground::SuccessorBuffer;

use super::abstract_graph::AbstractGraph;
use super::regions::octile;
use crate::ground::arena::{Arena, NONE, Record};
use crate::kernel::{Entry, OpenList, QuaternaryHeap};

/// Memory for the search of pieces, reused.
#[derive(Clone, Debug, Default)]
pub(super) struct LegSearch {
    arena: Arena,
    open: QuaternaryHeap,
    buffer: SuccessorBuffer,
    line: Vec<(u32, u32)>,
}

/// Where a piece leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegTarget<'a, R> {
    /// For estimates, and the end if `region` is none.
    pub(super) to: u32,
    /// Any cell of this region will do.
    pub(super) region: Option<R>,
    /// The sectors the search may go to, sorted.
    pub(super) corridor: Option<&'a [u32]>,
    /// Most cells to expand.
    pub(super) most: u64,
    /// Where a line with one bend costs no more than the estimate, it is taken without a search and
    /// counts as one expansion.
    pub(super) tries_line: bool,
}

/// What came of a search for a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LegResult {
    /// The end was reached.
    Path,
    /// All that can be reached was looked at.
    Unreachable,
    /// As many cells were expanded as may be.
    TooCostly,
}

impl LegSearch {
    /// Appends the cells of the cheapest path after `from`, with the cost of each step, to `steps`;
    /// adds what was expanded to `expansions`.
    pub(super) fn find<P: AbstractGraph>(
        &mut self,
        plan: &P,
        from: u32,
        aim: LegTarget<'_, P::Region>,
        steps: &mut Vec<(u32, u32)>,
        expansions: &mut u64,
    ) -> LegResult {
        if aim.tries_line && self.take_line(plan, from, aim, steps) {
            *expansions += 1;
            return LegResult::Path;
        }
        let goal = plan.cell(aim.to);
        let Self {
            arena,
            open,
            buffer,
            ..
        } = self;
        arena.clear();
        open.clear(0, 0);
        arena.reserve(1);
        open.reserve(1);
        let rest = octile(plan.cell(from), goal);
        let number = arena.add(Record {
            node: from,
            cost: 0,
            before: NONE,
            rest,
        });
        open.push(Entry::new(rest, 0, number));
        let mut left = aim.most;
        while let Some(entry) = open.pop() {
            let number = entry.node();
            let record = arena.record(number);
            if record.cost != entry.g() {
                continue; // A cheaper way was found since.
            }
            let is_end = match aim.region {
                Some(region) => plan.region(record.node) == Some(region),
                None => record.node == aim.to,
            };
            if is_end {
                write(plan, arena, number, buffer, steps);
                return LegResult::Path;
            }
            if left == 0 {
                return LegResult::TooCostly;
            }
            left -= 1;
            *expansions += 1;
            plan.for_steps(record.node, buffer, |to, multiplier| {
                if let Some(corridor) = aim.corridor
                    && corridor.binary_search(&plan.sector(to)).is_err()
                {
                    return;
                }
                let cost = record.cost.saturating_add(multiplier);
                let (next, rest) = match arena.find(to) {
                    Some(next) => {
                        let known = arena.record_mut(next);
                        if cost >= known.cost {
                            return;
                        }
                        known.cost = cost;
                        known.before = number;
                        (next, known.rest)
                    }
                    None => {
                        let rest = octile(plan.cell(to), goal);
                        arena.reserve(1);
                        let next = arena.add(Record {
                            node: to,
                            cost,
                            before: number,
                            rest,
                        });
                        (next, rest)
                    }
                };
                open.reserve(1);
                open.push(Entry::new(cost.saturating_add(rest), cost, next));
            });
        }
        LegResult::Unreachable
    }

    /// Appends a line with one bend, if it is as cheap as the estimate and stays in the corridor.
    fn take_line<P: AbstractGraph>(
        &mut self,
        plan: &P,
        from: u32,
        aim: LegTarget<'_, P::Region>,
        steps: &mut Vec<(u32, u32)>,
    ) -> bool {
        let least = octile(plan.cell(from), plan.cell(aim.to));
        let mut line = std::mem::take(&mut self.line);
        let is_taken = aim.region.is_none()
            && [true, false].into_iter().any(|diagonal_first| {
                let is_inside = |(to, _): &(u32, u32)| {
                    let sector = plan.sector(*to);
                    aim.corridor
                        .is_none_or(|corridor| corridor.binary_search(&sector).is_ok())
                };
                self.bent(plan, (from, aim.to), diagonal_first, &mut line)
                    && line.iter().map(|(_, cost)| *cost).sum::<u32>() == least
                    && line.iter().all(is_inside)
            });
        if is_taken {
            steps.extend_from_slice(&line);
        }
        self.line = line;
        is_taken
    }

    /// Writes the line from one cell to another with one bend, diagonal first or last; false if a
    /// step of it cannot be made.
    pub(super) fn bent<P: AbstractGraph>(
        &mut self,
        plan: &P,
        (from, to): (u32, u32),
        diagonal_first: bool,
        line: &mut Vec<(u32, u32)>,
    ) -> bool {
        line.clear();
        let (here, end) = (plan.cell(from), plan.cell(to));
        let (mut dx, mut dy) = (end.x - here.x, end.y - here.y);
        let mut at = from;
        while (dx, dy) != (0, 0) {
            let is_diagonal = if diagonal_first {
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
            let Some((next, cost)) = plan.step(at, toward(step), &mut self.buffer) else {
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

/// The direction that leads so far east and south: -1, 0 or 1 each, not both 0.
const fn toward(step: (i32, i32)) -> Direction {
    match step {
        (0, -1) => Direction::North,
        (1, -1) => Direction::NorthEast,
        (1, 0) => Direction::East,
        (1, 1) => Direction::SouthEast,
        (0, 1) => Direction::South,
        (-1, 1) => Direction::SouthWest,
        (-1, 0) => Direction::West,
        _ => Direction::NorthWest,
    }
}

/// Appends the steps that led to `end`. What a step costs is looked up: where teleports make
/// estimates too high, a cell may have been reached more cheaply after its successor was.
fn write<P: AbstractGraph>(
    plan: &P,
    arena: &Arena,
    end: u32,
    buffer: &mut SuccessorBuffer,
    steps: &mut Vec<(u32, u32)>,
) {
    let first = steps.len();
    let mut record = arena.record(end);
    while record.before != NONE {
        let before = arena.record(record.before);
        let mut least = u32::MAX;
        plan.for_steps(before.node, buffer, |to, cost| {
            if to == record.node {
                least = least.min(cost);
            }
        });
        steps.push((record.node, least));
        record = before;
    }
    steps[first..].reverse();
}
