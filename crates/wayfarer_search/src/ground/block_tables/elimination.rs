//! Tables by elimination: cells that are not on a frame leave the matrix one by one.
//!
//! A table has the least costs inside a block between any two frame cells. Blocks of 4 come from
//! their cells; four blocks join to one of twice the size: their tables meet in one matrix, and the
//! cells of the cross between them are eliminated by steps of Floyd and Warshall. Joined and direct
//! tables are equal. O(n^3) for n frame cells, in rows of vector instructions; half of it where
//! every step has its opposite.

use super::cells::{AREA, Cells, SIDE};
use super::min_plus::{CostMatrix, padded};
use uniform::{UniformPieces, only_multiplier};

mod uniform;

/// Scratch of joins.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    matrix: CostMatrix,
    /// By number the index in the matrix, or `NO_SLOT`.
    slots: Vec<u16>,
    /// Numbers of the matrix's nodes; those to keep first.
    numbers: Vec<u16>,
    /// By index in the matrix, the parts that contain the node.
    n_parts: Vec<u8>,
    /// Indices in the matrix of a part's nodes.
    part_slots: Vec<u16>,
    leaves: [Piece; 4],
    quarters: [Piece; 4],
    halves: [Piece; 2],
    /// By number, whether the node stays when two of four blocks are joined.
    stays: Vec<bool>,
    uniform_leaves: UniformPieces,
    uniform_quarters: UniformPieces,
}

/// The frame cells of a block inside a block of 16, with their table.
#[derive(Clone, Debug, Default)]
struct Piece {
    numbers: Vec<u16>,
    stride: usize,
    entries: Vec<i32>,
}

/// A table to join: the numbers of its nodes in the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'p> {
    pub(super) numbers: &'p [u16],
    pub(super) stride: usize,
    pub(super) entries: &'p [i32],
}

const NO_SLOT: u16 = u16::MAX;

impl Elimination {
    /// Writes the table of a block of 16 for the frame cells `kept` to `entries`.
    pub(super) fn table_of_cells(&mut self, cells: &Cells, kept: &[u16], entries: &mut Vec<i32>) {
        for quarter in 0..4 {
            let (x, y) = (quarter % 2 * 8, quarter / 2 * 8);
            let only = only_multiplier(cells, (x, y), 8);
            if let Some(known) = only.and_then(|only| self.uniform_quarters.find(only)) {
                known.copy_to(&mut self.quarters[quarter], (x, y));
                continue;
            }
            for leaf in 0..4 {
                self.build_leaf(cells, leaf, (x + leaf % 2 * 4, y + leaf / 2 * 4));
            }
            let leaves = std::mem::take(&mut self.leaves);
            let quarters = &mut self.quarters[quarter];
            let mut piece = std::mem::take(quarters);
            piece.numbers.clear();
            for leaf in &leaves {
                for number in &leaf.numbers {
                    let is_kept = is_on_frame(cells, *number, (x, y), 8);
                    if is_kept && !piece.numbers.contains(number) {
                        piece.numbers.push(*number);
                    }
                }
            }
            let parts = leaves.each_ref().map(Piece::part);
            self.join(
                &parts,
                &piece.numbers,
                cells.is_symmetric,
                &mut piece.entries,
            );
            piece.stride = padded(piece.numbers.len());
            if let Some(only) = only {
                self.uniform_quarters.insert(only, &piece, (x, y));
            }
            self.quarters[quarter] = piece;
            self.leaves = leaves;
        }
        let quarters = std::mem::take(&mut self.quarters);
        let parts = quarters.each_ref().map(Piece::part);
        self.join_four(&parts, kept, cells.is_symmetric, entries);
        self.quarters = quarters;
    }

    /// Builds the table of 4 x 4 cells with their frame.
    fn build_leaf(&mut self, cells: &Cells, leaf: usize, (x, y): (usize, usize)) {
        let only = only_multiplier(cells, (x, y), 4);
        if let Some(known) = only.and_then(|only| self.uniform_leaves.find(only)) {
            known.copy_to(&mut self.leaves[leaf], (x, y));
            return;
        }
        let mut piece = std::mem::take(&mut self.leaves[leaf]);
        piece.numbers.clear();
        let n_layers = cells.len() / AREA;
        let all = (0..n_layers * 25).map(|i| {
            let (layer, row, column) = (i / 25, i / 5 % 5, i % 5);
            (layer * SIDE + y + row) * SIDE + x + column
        });
        let present = all.filter(|number| cells.is_walkable(*number));
        let present = present.filter_map(|number| u16::try_from(number).ok());
        let is_kept = |number: &u16| is_on_frame(cells, *number, (x, y), 4);
        piece.numbers.extend(present.clone().filter(is_kept));
        self.numbers.clear();
        self.numbers.extend(&piece.numbers);
        self.numbers
            .extend(present.filter(|number| !is_kept(number)));
        self.assign_slots(cells.len());
        let n = self.numbers.len();
        self.matrix.reset(n);
        for (i, number) in self.numbers.iter().enumerate() {
            let (slots, matrix) = (&self.slots, &mut self.matrix);
            cells.for_each_step((*number).into(), |to, cost, _| {
                let slot = slots[to];
                if slot != NO_SLOT {
                    matrix.lower(i, slot.into(), cost);
                }
            });
        }
        let n_kept = piece.numbers.len();
        for v in (n_kept..n).rev() {
            self.eliminate(v, v, cells.is_symmetric);
        }
        // No table of a smaller block has closed paths over the frame itself.
        for v in 0..n_kept {
            self.eliminate(v, n_kept, cells.is_symmetric);
        }
        self.finish(n_kept, cells.is_symmetric, &mut piece.entries);
        piece.stride = padded(n_kept);
        if let Some(only) = only {
            self.uniform_leaves.insert(only, &piece, (x, y));
        }
        self.leaves[leaf] = piece;
    }

    /// As [`Elimination::join`] for four blocks, north-west, north-east, south-west, south-east: first
    /// two and two, so that fewer nodes are in the matrix while the first ones leave it.
    pub(super) fn join_four(
        &mut self,
        parts: &[Part<'_>; 4],
        kept: &[u16],
        is_symmetric: bool,
        entries: &mut Vec<i32>,
    ) {
        let mut halves = std::mem::take(&mut self.halves);
        let [a, b, c, d] = parts;
        self.keep_half([a, b], [c, d], kept, &mut halves[0].numbers);
        self.keep_half([c, d], [a, b], kept, &mut halves[1].numbers);
        for (half, two) in halves.iter_mut().zip([[*a, *b], [*c, *d]]) {
            self.join(&two, &half.numbers, is_symmetric, &mut half.entries);
            half.stride = padded(half.numbers.len());
        }
        let both = halves.each_ref().map(Piece::part);
        self.join(&both, kept, is_symmetric, entries);
        self.halves = halves;
    }

    /// Writes the nodes of two blocks that stay when they are joined: those of the result, and those
    /// that the other two contain as well.
    fn keep_half(
        &mut self,
        own: [&Part<'_>; 2],
        others: [&Part<'_>; 2],
        kept: &[u16],
        numbers: &mut Vec<u16>,
    ) {
        let all = own.iter().chain(&others).flat_map(|part| part.numbers);
        let n_numbers = all.max().map_or(0, |max| usize::from(*max) + 1);
        self.stays.clear();
        self.stays.resize(n_numbers, false);
        let others = others.iter().flat_map(|part| part.numbers);
        for number in others.chain(kept) {
            if let Some(stays) = self.stays.get_mut(usize::from(*number)) {
                *stays = true;
            }
        }
        numbers.clear();
        for number in own.iter().flat_map(|part| part.numbers) {
            // Once, though both may contain it.
            if std::mem::take(&mut self.stays[usize::from(*number)]) {
                numbers.push(*number);
            }
        }
    }

    /// Joins tables: writes the costs among the nodes `kept`, over paths that change from part to
    /// part at nodes they share, to `entries`.
    pub(super) fn join(
        &mut self,
        parts: &[Part<'_>],
        kept: &[u16],
        is_symmetric: bool,
        entries: &mut Vec<i32>,
    ) {
        let numbers = parts.iter().flat_map(|part| part.numbers);
        let n_numbers = numbers.clone().max().map_or(0, |max| usize::from(*max) + 1);
        self.numbers.clear();
        self.numbers.extend_from_slice(kept);
        self.assign_slots(n_numbers);
        for number in numbers.clone() {
            let slot = &mut self.slots[usize::from(*number)];
            if *slot == NO_SLOT {
                *slot = u16::try_from(self.numbers.len()).unwrap_or(NO_SLOT);
                self.numbers.push(*number);
            }
        }
        let n = self.numbers.len();
        self.n_parts.clear();
        self.n_parts.resize(n, 0);
        for number in numbers {
            self.n_parts[usize::from(self.slots[usize::from(*number)])] += 1;
        }
        self.matrix.reset(n);
        parts.iter().for_each(|part| self.add_part(part));
        for v in (kept.len()..n).rev() {
            self.eliminate(v, v, is_symmetric);
        }
        for v in 0..kept.len() {
            if self.n_parts[v] > 1 {
                self.eliminate(v, kept.len(), is_symmetric);
            }
        }
        self.finish(kept.len(), is_symmetric, entries);
    }

    fn assign_slots(&mut self, n_numbers: usize) {
        self.slots.clear();
        self.slots.resize(n_numbers, NO_SLOT);
        for (slot, number) in (0_u16..).zip(&self.numbers) {
            self.slots[usize::from(*number)] = slot;
        }
    }

    /// Lowers the entries of the matrix to those of a part, in runs of adjacent columns.
    fn add_part(&mut self, part: &Part<'_>) {
        self.part_slots.clear();
        let slots = part
            .numbers
            .iter()
            .map(|number| self.slots[usize::from(*number)]);
        self.part_slots.extend(slots);
        for (i, row) in part.entries.chunks_exact(part.stride.max(1)).enumerate() {
            let target = self.matrix.row_mut(usize::from(self.part_slots[i]));
            let mut j = 0;
            for run in self.part_slots.chunk_by(|a, b| *b == a.wrapping_add(1)) {
                let start = usize::from(run[0]);
                let targets = &mut target[start..start + run.len()];
                for (target, cost) in targets.iter_mut().zip(&row[j..j + run.len()]) {
                    *target = (*target).min(*cost);
                }
                j += run.len();
            }
        }
    }

    fn eliminate(&mut self, v: usize, n: usize, is_symmetric: bool) {
        if is_symmetric {
            self.matrix.pivot_symmetric(v, n);
        } else {
            self.matrix.pivot(v, n);
        }
    }

    /// Copies the first `n` rows and columns.
    fn finish(&mut self, n: usize, is_symmetric: bool, entries: &mut Vec<i32>) {
        if is_symmetric {
            self.matrix.mirror(n);
        }
        entries.clear();
        for row in self
            .matrix
            .entries
            .chunks_exact(self.matrix.stride.max(1))
            .take(n)
        {
            entries.extend_from_slice(&row[..n]);
            entries.resize(
                entries.len().next_multiple_of(padded(n)),
                super::min_plus::INFINITE,
            );
        }
    }
}

impl Piece {
    fn part(&self) -> Part<'_> {
        Part {
            numbers: &self.numbers,
            stride: self.stride,
            entries: &self.entries,
        }
    }
}

/// True if a cell belongs to the frame of the block of `size` at (x, y): it lies on the outer lines
/// or is the end of a nav link.
fn is_on_frame(cells: &Cells, number: u16, (x, y): (usize, usize), size: usize) -> bool {
    let number = usize::from(number);
    let (column, row) = (number % SIDE, number / SIDE % SIDE);
    column == x || column == x + size || row == y || row == y + size || cells.is_link_end(number)
}

#[cfg(test)]
mod tests;
