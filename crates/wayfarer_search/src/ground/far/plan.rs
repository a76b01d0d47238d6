//! The plan of a far way: from block to block.

use wayfarer_base::Cell;
use wayfarer_base::collections::FastMap;
use wayfarer_world::ground::{Ground, NodeId, PartId};

use super::middle;

const NONE: u32 = u32::MAX;

/// Memory for plans over blocks, reused.
///
/// A* with every step from block to block equally far. What is left counts a quarter more, or one
/// detour would have every block looked at from which a way without it would be as long: a plan
/// may be that much longer than the shortest. Of equal estimates the block nearest to
/// the straight line from start to goal goes first, then the one farther along, then the one that
/// was found first; blocks around one are found row by row. So a plan follows from the ground and
/// the ends alone, not from the numbers that the ground gave its parts.
#[derive(Clone, Debug, Default)]
pub(in crate::ground) struct BlockPlan {
    records: Vec<Record>,
    numbers: FastMap<PartId, u32>,
    open: std::collections::BinaryHeap<std::cmp::Reverse<Entry>>,
    around: Vec<((i32, i32), PartId)>,
    /// Memory of an old plan.
    spare: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    part: PartId,
    block: (i32, i32),
    n_steps: u32,
    before: u32,
}

/// Estimate, distance from the straight line, steps that are left, number; the lowest goes first.
type Entry = (u32, u64, u32, u32);

impl BlockPlan {
    /// Bytes on the heap, about: what a map needs besides its entries is not counted.
    pub(in crate::ground) fn heap_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + self.numbers.capacity() * size_of::<(PartId, u32)>()
            + self.open.capacity() * size_of::<Entry>()
    }

    /// Takes the memory of an old plan.
    pub(super) fn recycle(&mut self, aims: Vec<Cell>) {
        self.spare = aims;
    }

    /// Writes a cell of each block between the ends to `aims`, both ends' own blocks left out;
    /// nothing if they lie in one block.
    pub(super) fn find(&mut self, ground: &Ground, ends: (NodeId, NodeId), aims: &mut Vec<Cell>) {
        if aims.capacity() == 0 {
            *aims = std::mem::take(&mut self.spare);
        }
        aims.clear();
        let (start, goal) = (ground.part(ends.0), ground.part(ends.1));
        let Some(mut at) = self.search(ground, start, goal) else {
            return;
        };
        at = self.records[at as usize].before;
        while at != NONE {
            let record = self.records[at as usize];
            at = record.before;
            if at == NONE {
                break; // The start's own.
            }
            if let Some(node) = ground.cell_in(record.part, middle(record.block)) {
                aims.push(ground.cell(node));
            }
        }
        aims.reverse();
    }

    /// The number of the goal's record; `None` if no plan leads there.
    fn search(&mut self, ground: &Ground, start: PartId, goal: PartId) -> Option<u32> {
        self.records.clear();
        self.numbers.clear();
        self.open.clear();
        let (first, last) = (ground.block_of(start), ground.block_of(goal));
        let line = (i64::from(last.0 - first.0), i64::from(last.1 - first.1));
        let entry = |record: &Record, number: u32| {
            let (x, y) = record.block;
            let left = x.abs_diff(last.0) + y.abs_diff(last.1);
            let (dx, dy) = (i64::from(x - first.0), i64::from(y - first.1));
            let off_line = (dx * line.1 - dy * line.0).unsigned_abs();
            std::cmp::Reverse((record.n_steps * 4 + left * 5, off_line, left, number))
        };
        let record = Record {
            part: start,
            block: first,
            n_steps: 0,
            before: NONE,
        };
        self.records.push(record);
        self.numbers.insert(start, 0);
        self.open.push(entry(&record, 0));
        while let Some(std::cmp::Reverse((total, _, left, number))) = self.open.pop() {
            let from = self.records[number as usize];
            if from.n_steps * 4 + left * 5 != total {
                continue; // A shorter way was found since.
            }
            if from.part == goal {
                return Some(number);
            }
            self.look_around(ground, from.part);
            for index in 0..self.around.len() {
                let (block, part) = self.around[index];
                let record = Record {
                    part,
                    block,
                    n_steps: from.n_steps + 1,
                    before: number,
                };
                let next = u32::try_from(self.records.len()).unwrap_or(NONE);
                let known = *self.numbers.entry(part).or_insert(next);
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

    /// The parts around one, each once, in the order of their blocks, then of their cells.
    fn look_around(&mut self, ground: &Ground, part: PartId) {
        let around = &mut self.around;
        around.clear();
        ground.for_parts_beside(part, |next| {
            if !around.iter().any(|(_, known)| *known == next) {
                around.push((ground.block_of(next), next));
            }
        });
        let cell = |(block, part): &((i32, i32), PartId)| {
            let node = ground.cell_in(*part, middle(*block));
            node.map(|node| ground.cell(node))
        };
        around.sort_unstable_by(|a, b| {
            let rows = |((x, y), _): &((i32, i32), PartId)| (*y, *x);
            rows(a).cmp(&rows(b)).then_with(|| cell(a).cmp(&cell(b)))
        });
    }
}
