//! Flood fill of a bitboard into connected parts.

use crate::ground::bitboard::{self, Bitboard, EMPTY};

/// Connected cells of a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) board: Bitboard,
    /// The number of cells, 1 to 256.
    pub(crate) count: u16,
    /// The first cell, row by row.
    pub(crate) first: u8,
}

impl Part {
    /// Calls `visit` with each cell; skips the rows before the first and after the last.
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

/// Cells without a straight neighbor.
fn isolated_cells(board: &Bitboard) -> Bitboard {
    let row = |y: usize| board.get(y).copied().unwrap_or(0);
    std::array::from_fn(|y| {
        let neighbors = row(y) << 1 | row(y) >> 1 | row(y.wrapping_sub(1)) | row(y + 1);
        row(y) & !neighbors
    })
}

/// Splits a board into 4-connected parts, ordered by first cell.
pub(super) fn split(board: &Bitboard, parts: &mut Vec<Part>) {
    let isolated = isolated_cells(board);
    let mut rest = *board;
    for y in 0..16 {
        while rest[y] != 0 {
            let lowest = rest[y] & rest[y].wrapping_neg();
            let first = (y << 4).to_le_bytes()[0] | lowest.trailing_zeros().to_le_bytes()[0];
            if isolated[y] & lowest != 0 {
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

/// Splits a board into parts connected by the given edges.
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
