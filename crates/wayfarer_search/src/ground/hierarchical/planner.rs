//! The plan of a far way: from part to part of squares of one width.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::collections::FastMap;
use wayfarer_world::ground::{AbstractNodeId, Ground};

use super::middle;

const NONE: u32 = u32::MAX;

/// Memory for plans, reused.
///
/// A* with every step from square to square equally far. What is left counts a quarter more, or one
/// detour would have every square looked at from which a way without it would be as long: a plan
/// may be that much longer than the shortest. Of equal estimates the square nearest to
/// the straight line from start to goal goes first, then the one farther along, then the one that
/// was found first; squares around one are found row by row. So a plan follows from the ground and
/// the ends alone, not from the numbers that the ground gave its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractPlanner {
    records: Vec<Record>,
    numbers: FastMap<AbstractNodeId, u32>,
    open: BinaryHeap<Reverse<Entry>>,
    around: Vec<((i32, i32), AbstractNodeId)>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    part: AbstractNodeId,
    square: (i32, i32),
    n_steps: u32,
    before: u32,
}

/// Estimate, distance from the straight line, steps that are left, number; the lowest goes first.
type Entry = (u32, u64, u32, u32);

/// Where a plan leads, and what it may lead over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'t> {
    pub(super) start: AbstractNodeId,
    /// This part, or if there is none any part of the last of `through`.
    pub(super) goal: Option<AbstractNodeId>,
    /// Parts of the next wider squares that it may lead through; any if there are none.
    pub(super) through: &'t [AbstractNodeId],
    /// The straight line to keep to, from square to square.
    pub(super) line: Line,
}

/// From which square to which.
pub(super) type Line = ((i32, i32), (i32, i32));

impl AbstractPlanner {
    /// Writes the parts from the start, left out, to the target to the end of `parts`; false if no
    /// plan leads there.
    pub(super) fn find(
        &mut self,
        ground: &Ground,
        task: &Task<'_>,
        parts: &mut Vec<AbstractNodeId>,
    ) -> bool {
        let Some(mut at) = self.search(ground, task) else {
            return false;
        };
        let first = parts.len();
        while self.records[at as usize].before != NONE {
            let record = self.records[at as usize];
            parts.push(record.part);
            at = record.before;
        }
        parts[first..].reverse();
        true
    }

    /// The number of the target's record; `None` if no plan leads there.
    fn search(&mut self, ground: &Ground, task: &Task<'_>) -> Option<u32> {
        self.records.clear();
        self.numbers.clear();
        self.open.clear();
        let (low, high) = if let Some(goal) = task.goal {
            (ground.block_of(goal), ground.block_of(goal))
        } else {
            let (x, y) = ground.block_of(*task.through.last()?);
            ((x * 4, y * 4), (x * 4 + 3, y * 4 + 3))
        };
        let (first, last) = task.line;
        let line = (i64::from(last.0 - first.0), i64::from(last.1 - first.1));
        let left = |(x, y): (i32, i32)| {
            let along = |at: i32, low: i32, high: i32| at.abs_diff(at.clamp(low, high));
            along(x, low.0, high.0) + along(y, low.1, high.1)
        };
        let entry = |record: &Record, number: u32| {
            let (x, y) = record.square;
            let left = left(record.square);
            let (dx, dy) = (i64::from(x - first.0), i64::from(y - first.1));
            let off_line = (dx * line.1 - dy * line.0).unsigned_abs();
            Reverse((record.n_steps * 4 + left * 5, off_line, left, number))
        };
        let record = Record {
            part: task.start,
            square: ground.block_of(task.start),
            n_steps: 0,
            before: NONE,
        };
        self.records.push(record);
        self.numbers.insert(task.start, 0);
        self.open.push(entry(&record, 0));
        while let Some(Reverse((total, _, left, number))) = self.open.pop() {
            let from = self.records[number as usize];
            if from.n_steps * 4 + left * 5 != total {
                continue; // A shorter way was found since.
            }
            let is_there = match task.goal {
                Some(goal) => from.part == goal,
                None => {
                    left == 0 && ground.abstract_parent(from.part) == task.through.last().copied()
                }
            };
            if is_there {
                return Some(number);
            }
            self.look_around(ground, from.part, from.square);
            for index in 0..self.around.len() {
                let (square, part) = self.around[index];
                let record = Record {
                    part,
                    square,
                    n_steps: from.n_steps + 1,
                    before: number,
                };
                let next = u32::try_from(self.records.len()).unwrap_or(NONE);
                let known = match self.numbers.get(&part) {
                    Some(known) => *known,
                    None => {
                        let leads_through = || {
                            let above = ground.abstract_parent(part);
                            above.is_some_and(|above| task.through.contains(&above))
                        };
                        if !task.through.is_empty() && !leads_through() {
                            continue;
                        }
                        self.numbers.insert(part, next);
                        next
                    }
                };
                if known == next {
                    self.records.push(record);
                } else if record.n_steps < self.records[known as usize].n_steps {
                    self.records[known as usize] = record;
                } else {
                    continue;
                }
                self.open.push(entry(&record, known));
            }
        }
        None
    }

    /// The parts around one, each once: those over the sides, then all others in the order of
    /// their squares and cells.
    fn look_around(&mut self, ground: &Ground, part: AbstractNodeId, square: (i32, i32)) {
        let around = &mut self.around;
        around.clear();
        let mut n_beside = 0;
        ground.for_each_abstract_neighbor(part, |next, side| {
            if around.iter().any(|(_, known)| *known == next) {
                return;
            }
            if let Some(side) = side {
                let (dx, dy) = side.offset();
                around.push(((square.0 + dx, square.1 + dy), next));
                n_beside += 1;
            } else {
                around.push((ground.block_of(next), next));
            }
        });
        let cell = |(block, part): &((i32, i32), AbstractNodeId)| {
            let node = ground.cell_in(*part, middle(*block));
            node.map(|node| ground.cell(node))
        };
        around[n_beside..].sort_by(|a, b| {
            let rows = |((x, y), _): &((i32, i32), AbstractNodeId)| (*y, *x);
            rows(a).cmp(&rows(b)).then_with(|| cell(a).cmp(&cell(b)))
        });
    }
}
