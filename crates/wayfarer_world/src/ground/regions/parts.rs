//! Cuts the squares of a sheet into parts that reach each other.

use wayfarer_base::Direction;

use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::irregular::{NO_FLOOR, Neighborhood};

/// Squares that reach each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) board: Bitboard,
    /// How table there are, 1 to 256.
    pub(crate) count: u16,
    /// The first of them, row by row.
    pub(crate) first: u8,
}

impl Part {
    /// Calls `visit` with each of its squares. A part is mostly small: rows without any of it are
    /// not looked at before its first square nor after its last.
    pub(super) fn for_each_cell(&self, mut visit: impl FnMut(u8)) {
        let mut left = self.count;
        for (y, row) in (0_u8..16)
            .zip(self.board)
            .skip(usize::from(self.first >> 4))
        {
            let mut rest = row;
            while rest != 0 {
                visit(y << 4 | rest.trailing_zeros().to_le_bytes()[0]);
                rest &= rest - 1;
                left -= 1;
            }
            if left == 0 {
                return;
            }
        }
    }
}

/// Squares of a board without another to the north, east, south and west.
fn alone(board: &Bitboard) -> Bitboard {
    let row = |y: usize| board.get(y).copied().unwrap_or(0);
    std::array::from_fn(|y| {
        let beside = row(y) << 1 | row(y) >> 1 | row(y.wrapping_sub(1)) | row(y + 1);
        row(y) & !beside
    })
}

/// Cuts a board into the parts that reach each other by straight steps, in the order of their
/// first squares.
pub(super) fn split(board: &Bitboard, parts: &mut Vec<Part>) {
    let alone = alone(board);
    let mut rest = *board;
    for y in 0..16 {
        while rest[y] != 0 {
            let lowest = rest[y] & rest[y].wrapping_neg();
            let first = (y << 4).to_le_bytes()[0] | lowest.trailing_zeros().to_le_bytes()[0];
            if alone[y] & lowest != 0 {
                let mut board = EMPTY;
                board[y] = lowest;
                rest[y] ^= lowest;
                parts.push(Part {
                    board,
                    count: 1,
                    first,
                });
                continue;
            }
            let board = bitboard::flood_first(&rest);
            for (rest, part) in rest.iter_mut().zip(&board) {
                *rest &= !part;
            }
            parts.push(Part {
                board,
                count: bitboard::count(&board),
                first,
            });
        }
    }
}

/// Cuts a board into the parts that reach each other by the given steps.
pub(super) fn split_by_steps(
    board: &Bitboard,
    east: &Bitboard,
    south: &Bitboard,
    parts: &mut Vec<Part>,
) {
    let mut rest = *board;
    while let Some(first) = bitboard::first(&rest) {
        let board = bitboard::flood_steps(first, east, south);
        for (rest, part) in rest.iter_mut().zip(&board) {
            *rest &= !part;
        }
        parts.push(Part {
            board,
            count: bitboard::count(&board),
            first,
        });
    }
}

/// Squares of a rank from which one can step east, or south, and back, within the rank.
pub(super) fn bidirectional(neighborhood: &Neighborhood, rank: u8) -> (Bitboard, Bitboard) {
    let (mut east, mut south) = (EMPTY, EMPTY);
    for local in 0..=255_u8 {
        let Some(floor) = neighborhood
            .floors_at(local)
            .find(|f| neighborhood.floor(*f).rank == rank)
        else {
            continue;
        };
        for (direction, inside, board) in [
            (Direction::East, local & 15 != 15, &mut east),
            (Direction::South, local >> 4 != 15, &mut south),
        ] {
            if !inside {
                continue;
            }
            let there = neighborhood.straight(floor, direction);
            let both = there != NO_FLOOR
                && neighborhood.floor(there).rank == rank
                && neighborhood.straight(there, direction.opposite()) == floor;
            bitboard::put(board, local, both);
        }
    }
    (east, south)
}
