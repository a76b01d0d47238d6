//! Steps of the cells of an irregular sheet or one with thin walls, as the repair of a layer finds them: a
//! step is then a bit, and where it stays on the sheet's rank so is its end. 512 bytes for each such sheet
//! of a layer.

use wayfarer_base::Direction;

use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::node::NodeId;
use crate::ground::step_table::{Crossing, directions_out};
use crate::ground::window::Window;

/// For each cell of a sheet the directions in which the agent can step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StepMasks {
    /// Bit i of a cell: a step in direction i.
    legal: [u8; 256],
    /// Those that end on the same rank.
    level: [u8; 256],
    /// The others, with their ends; sorted by cell.
    pub(super) crossings: Vec<Crossing>,
}

/// A step of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskedStep {
    None,
    /// To the adjacent cell of the same rank.
    SameRank,
    /// To a floor of another rank.
    OtherRank,
}

impl Default for StepMasks {
    fn default() -> Self {
        Self {
            legal: [0; 256],
            level: [0; 256],
            crossings: Vec::new(),
        }
    }
}

impl StepMasks {
    /// Notes a step of a cell.
    pub(super) fn add(&mut self, local: u8, direction: Direction, stays_on_rank: bool) {
        let bit = 1 << direction.index();
        self.legal[usize::from(local)] |= bit;
        if stays_on_rank {
            self.level[usize::from(local)] |= bit;
        }
    }

    /// Notes a step on the same rank for each cell of a row that has a bit.
    pub(super) fn add_row(&mut self, y: u8, mut cells: u16, direction: Direction) {
        while cells != 0 {
            let x = cells.trailing_zeros().to_le_bytes()[0];
            cells &= cells - 1;
            self.add(y << 4 | x, direction, true);
        }
    }

    /// Forgets the steps of the cells of a window.
    pub(super) fn clear(&mut self, window: Window) {
        for local in window.cells() {
            self.legal[usize::from(local)] = 0;
            self.level[usize::from(local)] = 0;
        }
        self.crossings
            .retain(|crossing| !window.has(crossing.local));
    }

    /// The directions of the steps of a cell that stay on its rank, as bits.
    #[inline]
    pub(super) fn on_rank(&self, local: u8) -> u8 {
        self.level[usize::from(local)]
    }

    /// The directions of all steps of a cell, as bits.
    #[inline]
    pub(super) fn legal(&self, local: u8) -> u8 {
        self.legal[usize::from(local)]
    }

    /// The end of the step of a cell to another rank.
    pub(super) fn end_on_other_rank(&self, local: u8, direction: Direction) -> Option<NodeId> {
        let key = (local, direction.index());
        let key_of = |crossing: &Crossing| (crossing.local, crossing.direction);
        let at = self.crossings.partition_point(|one| key_of(one) < key);
        let crossing = self.crossings.get(at).filter(|one| key_of(one) == key)?;
        Some(NodeId::new(crossing.page, crossing.position, crossing.to))
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.crossings.capacity() * size_of::<Crossing>()
    }

    /// Splits cells into the parts that steps within the sheet connect, ordered by first cell.
    pub(super) fn split(&self, walkable: &Bitboard) -> Vec<Bitboard> {
        let edges = SheetEdges::new(self, walkable);
        let mut parts = Vec::new();
        let mut rest = *walkable;
        while let Some(first) = bitboard::first(&rest) {
            let part = edges.flood(first);
            for (rest, part) in rest.iter_mut().zip(&part) {
                *rest &= !part;
            }
            parts.push(part);
        }
        parts
    }

    /// The step of a cell in a direction.
    #[inline]
    pub(super) fn step(&self, local: u8, direction: Direction) -> MaskedStep {
        let has = |masks: &[u8; 256]| masks[usize::from(local)] >> direction.index() & 1 == 1;
        match (has(&self.legal), has(&self.level)) {
            (false, _) => MaskedStep::None,
            (true, true) => MaskedStep::SameRank,
            (true, false) => MaskedStep::OtherRank,
        }
    }
}

/// Pairs of cells of a sheet with a step in either direction: bit x of row y is the cell (x, y) and the one
/// east, south, south-east of it; south-west: the cell (x + 1, y) and the one at (x, y + 1).
struct SheetEdges {
    east: Bitboard,
    south: Bitboard,
    south_east: Bitboard,
    south_west: Bitboard,
}

impl SheetEdges {
    fn new(steps: &StepMasks, walkable: &Bitboard) -> Self {
        // Row by row, for each direction the cells with a step.
        let mut rows = [[0_u16; 8]; 16];
        for local in bitboard::cells(walkable) {
            let inside = steps.on_rank(local) & !directions_out(local);
            for (index, row) in rows[usize::from(local >> 4)].iter_mut().enumerate() {
                *row |= u16::from(inside >> index & 1) << (local & 15);
            }
        }
        let at = |y: usize, direction: Direction| {
            let row = rows.get(y).map_or(&[0; 8], |row| row);
            row[usize::from(direction.index())]
        };
        let all = |edge: &dyn Fn(usize) -> u16| std::array::from_fn(edge);
        Self {
            east: all(&|y| at(y, Direction::East) | at(y, Direction::West) >> 1),
            south: all(&|y| at(y, Direction::South) | at(y + 1, Direction::North)),
            south_east: all(&|y| {
                at(y, Direction::SouthEast) | at(y + 1, Direction::NorthWest) >> 1
            }),
            south_west: all(&|y| {
                at(y, Direction::SouthWest) >> 1 | at(y + 1, Direction::NorthEast)
            }),
        }
    }

    /// The cells connected with one.
    fn flood(&self, first: u8) -> Bitboard {
        let mut found = EMPTY;
        bitboard::put(&mut found, first, true);
        let spread = |mut row: u16, east: u16| loop {
            let next = row | (row & east) << 1 | row >> 1 & east;
            if next == row {
                return row;
            }
            row = next;
        };
        loop {
            let before = found;
            for y in 0..16 {
                let mut row = found[y];
                if y > 0 {
                    let above = found[y - 1];
                    row |= above & self.south[y - 1]
                        | (above & self.south_east[y - 1]) << 1
                        | above >> 1 & self.south_west[y - 1];
                }
                found[y] = spread(row, self.east[y]);
            }
            for y in (0..15).rev() {
                let below = found[y + 1];
                let row = found[y]
                    | below & self.south[y]
                    | below >> 1 & self.south_east[y]
                    | (below & self.south_west[y]) << 1;
                found[y] = spread(row, self.east[y]);
            }
            if found == before {
                return found;
            }
        }
    }
}
