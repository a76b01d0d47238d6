//! Steps of an irregular sheet, kept so that a repair evaluates only cells whose surroundings changed.
//!
//! Directions are bits of each cell. Most steps stay on their rank, so that the bit says where they lead;
//! those that do not, and those that may lead to another region within the sector, are listed with their
//! ends. So regions and portals follow from the table alone.
//!
//! Invariant: a table depends on the floors around its cells only, not on what was evaluated when.

use wayfarer_base::Direction;

use super::bitboard::{self, Bitboard, EMPTY};
use super::irregular::{NO_FLOOR, Neighborhood};
use super::lookup::offset;
use super::sheet::SheetCells;
use super::successors::LEGAL_MOVES;
use super::window::Window;

/// The steps of the cells of a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StepTable {
    /// Legal directions of each walkable cell.
    pub(crate) masks: [u8; 256],
    /// Cells with a step east and back, within the sheet.
    pub(crate) east: Bitboard,
    /// Cells with a step south and back, within the sheet.
    pub(crate) south: Bitboard,
    /// Sorted by cell.
    pub(crate) crossings: Vec<Crossing>,
}

/// A step to another rank, or within the sector perhaps to another region; or from where a step leads here
/// that none leads back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Crossing {
    /// The cell.
    pub(crate) local: u8,
    /// The direction of the step, or [`Crossing::ENTRY`].
    pub(crate) direction: u8,
    /// The other end.
    pub(crate) position: u8,
    pub(crate) to: u8,
    pub(crate) page: u32,
}

impl Crossing {
    /// In place of a direction: the other end has a straight step here, but there is none back.
    pub(crate) const ENTRY: u8 = 8;

    /// True for a step from a cell of `page` to another rank.
    pub(crate) fn changes_rank(&self, page: u32) -> bool {
        self.direction != Self::ENTRY && self.page != page
    }
}

impl StepTable {
    /// The steps that bits determine.
    pub(crate) fn from_bits(cells: &SheetCells) -> Self {
        let board = cells.walkable.board();
        let mut masks = [0; 256];
        for local in bitboard::cells(&board) {
            masks[usize::from(local)] = legal_moves(cells, local);
        }
        Self {
            masks,
            east: board.map(|row| row & row >> 1),
            south: std::array::from_fn(|y| board[y] & board.get(y + 1).unwrap_or(&0)),
            crossings: Vec::new(),
        }
    }

    /// Evaluates the cells of a window anew: those of `rank` that the neighborhood has a floor for.
    /// `stored` finds page, position and cell of a floor.
    pub(crate) fn evaluate(
        &mut self,
        rank: u8,
        window: Window,
        neighborhood: &Neighborhood,
        stored: impl Fn(u32) -> (u32, u8, u8),
    ) {
        self.crossings
            .retain(|crossing| !window.has(crossing.local));
        for local in window.cells() {
            self.masks[usize::from(local)] = 0;
            bitboard::put(&mut self.east, local, false);
            bitboard::put(&mut self.south, local, false);
            let mut floors = neighborhood.floors_at(local);
            let floor = floors.find(|floor| neighborhood.floor(*floor).rank == rank);
            if let Some(floor) = floor {
                self.evaluate_cell(local, floor, neighborhood, &stored);
            }
        }
        if !self.crossings.is_sorted() {
            self.crossings.sort_unstable();
        }
    }

    fn evaluate_cell(
        &mut self,
        local: u8,
        floor: u32,
        neighborhood: &Neighborhood,
        stored: impl Fn(u32) -> (u32, u8, u8),
    ) {
        let rank = neighborhood.floor(floor).rank;
        let is_here =
            |to: u32| neighborhood.floor(to).rank == rank && neighborhood.local_of(to).is_some();
        // A step between cells of the sheet that leads back, too.
        let is_joined = |from: u32, to: u32, direction: Direction| {
            is_here(from) && is_here(to) && neighborhood.straight(to, direction.opposite()) == from
        };
        let steps = neighborhood.successors(floor);
        let mut mask = 0;
        let mut add = |direction: u8, to: u32| {
            let (page, position, to) = stored(to);
            self.crossings.push(Crossing {
                local,
                direction,
                position,
                to,
                page,
            });
        };
        for (to, direction) in steps.into_iter().zip(Direction::ALL) {
            if to == NO_FLOOR {
                continue;
            }
            let index = direction.index();
            mask |= 1 << index;
            if neighborhood.floor(to).rank != rank {
                add(index, to);
                continue;
            }
            if neighborhood.local_of(to).is_none() {
                continue;
            }
            let is_same_region = if direction.is_diagonal() {
                let sides = [direction.turned(7), direction.turned(1)];
                [(sides[0], sides[1]), (sides[1], sides[0])]
                    .into_iter()
                    .any(|(first, then)| {
                        let between = steps[usize::from(first.index())];
                        is_joined(floor, between, first) && is_joined(between, to, then)
                    })
            } else {
                is_joined(floor, to, direction)
            };
            if !is_same_region {
                add(index, to);
            }
        }
        for from in neighborhood.one_way_predecessors(floor) {
            add(Crossing::ENTRY, from);
        }
        self.masks[usize::from(local)] = mask;
        for (direction, board) in [
            (Direction::East, &mut self.east),
            (Direction::South, &mut self.south),
        ] {
            let to = steps[usize::from(direction.index())];
            let both = to != NO_FLOOR && is_joined(floor, to, direction);
            bitboard::put(board, local, both);
        }
    }

    /// True if the bits say the same: no step enters from elsewhere alone, and none leads elsewhere.
    pub(crate) fn is_as_bits(&self, page: u32, cells: &SheetCells) -> bool {
        let by_bits =
            |crossing: &Crossing| crossing.direction != Crossing::ENTRY && crossing.page == page;
        self.crossings.iter().all(by_bits)
            && bitboard::cells(&cells.walkable.board())
                .all(|local| self.masks[usize::from(local)] == legal_moves(cells, local))
    }

    /// Cells with a step to another rank, for the table of a sheet of `page`.
    pub(crate) fn cells_between_ranks(&self, page: u32) -> Bitboard {
        let mut cells = EMPTY;
        for crossing in self.crossings.iter().filter(|one| one.changes_rank(page)) {
            bitboard::put(&mut cells, crossing.local, true);
        }
        cells
    }

    /// Calls `visit` with each step of a cell over the edge of the sector that stays on the rank: the
    /// cell, the direction, and the column of its end, -1 to 16 each.
    pub(crate) fn for_each_step_out(
        &self,
        page: u32,
        mut visit: impl FnMut(u8, Direction, (i32, i32)),
    ) {
        let between_ranks = self.cells_between_ranks(page);
        for local in edge_cells() {
            let mut out = self.masks[usize::from(local)] & directions_out(local);
            if out != 0 && bitboard::has(&between_ranks, local) {
                let start = self.crossings.partition_point(|one| one.local < local);
                let own = self.crossings[start..].iter();
                for crossing in own.take_while(|one| one.local == local) {
                    if crossing.changes_rank(page) {
                        out &= !(1 << crossing.direction);
                    }
                }
            }
            while out != 0 {
                let direction = Direction::from_index(out.trailing_zeros().to_le_bytes()[0]);
                out &= out - 1;
                visit(local, direction, offset(local, direction));
            }
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.crossings.capacity() * size_of::<Crossing>()
    }
}

fn legal_moves(cells: &SheetCells, local: u8) -> u8 {
    let window = cells
        .walkable
        .window(u32::from(local & 15), u32::from(local >> 4));
    LEGAL_MOVES[window]
}

/// The outermost cells of a sector, row by row.
pub(crate) fn edge_cells() -> impl Iterator<Item = u8> {
    let sides = (1..15_u8).flat_map(|y| [y << 4, y << 4 | 15]);
    (0..16_u8).chain(sides).chain(240..=255)
}

/// The outermost cells on one side of a sector, or in a corner.
pub(crate) fn edge_cells_towards(direction: Direction) -> impl Iterator<Item = u8> {
    let (dx, dy) = direction.offset();
    let span = |d: i32| match d {
        1 => 15..=15_u8,
        -1 => 0..=0,
        _ => 0..=15,
    };
    let columns = span(dx);
    span(dy).flat_map(move |y| columns.clone().map(move |x| y << 4 | x))
}

/// The directions that lead from a cell at the edge into the sector next door in a direction, as bits.
pub(crate) fn directions_over(local: u8, direction: Direction) -> u8 {
    if direction.is_diagonal() {
        return 1 << direction.index();
    }
    let sides = [direction.turned(7), direction.turned(1)];
    sides
        .into_iter()
        .fold(1 << direction.index(), |bits, side| {
            let (x, y) = offset(local, side);
            let is_there = (x >> 4, y >> 4) == direction.offset();
            bits | u8::from(is_there) << side.index()
        })
}

/// The directions that lead out of the sector, as bits.
pub(crate) fn directions_out(local: u8) -> u8 {
    // Bit i is direction i, clockwise from north.
    let mut out = 0;
    out |= if local >> 4 == 0 { 0b1000_0011 } else { 0 };
    out |= if local & 15 == 15 { 0b0000_1110 } else { 0 };
    out |= if local >> 4 == 15 { 0b0011_1000 } else { 0 };
    out |= if local & 15 == 0 { 0b1110_0000 } else { 0 };
    out
}
