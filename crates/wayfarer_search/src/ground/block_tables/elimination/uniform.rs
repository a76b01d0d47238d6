//! Tables of small areas where every cell is walkable at one multiplier: they follow from size and
//! multiplier alone, so the last few are kept.

use super::super::cells::{Cells, SIDE};
use super::Piece;

/// Multipliers for which tables are kept.
const MAX_KNOWN: usize = 8;

/// Tables of one size by multiplier.
#[derive(Clone, Debug, Default)]
pub(super) struct UniformPieces {
    known: Vec<UniformPiece>,
    /// The next to be replaced.
    oldest: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct UniformPiece {
    multiplier: u16,
    /// Relative to the first cell of the area.
    piece: Piece,
}

impl UniformPieces {
    pub(super) fn find(&self, multiplier: u16) -> Option<&UniformPiece> {
        self.known.iter().find(|it| it.multiplier == multiplier)
    }

    /// Keeps the table of the area at (x, y).
    pub(super) fn insert(&mut self, multiplier: u16, piece: &Piece, (x, y): (usize, usize)) {
        let mut piece = piece.clone();
        let first = number_of((x, y));
        piece.numbers.iter_mut().for_each(|number| *number -= first);
        let found = UniformPiece { multiplier, piece };
        if self.known.len() < MAX_KNOWN {
            self.known.push(found);
        } else {
            self.known[self.oldest] = found;
            self.oldest = (self.oldest + 1) % MAX_KNOWN;
        }
    }
}

impl UniformPiece {
    /// Writes the table of the area at (x, y).
    pub(super) fn copy_to(&self, piece: &mut Piece, (x, y): (usize, usize)) {
        let first = number_of((x, y));
        piece.numbers.clear();
        let numbers = self.piece.numbers.iter().map(|number| number + first);
        piece.numbers.extend(numbers);
        piece.stride = self.piece.stride;
        piece.entries.clone_from(&self.piece.entries);
    }
}

fn number_of((x, y): (usize, usize)) -> u16 {
    u16::try_from(y * SIDE + x).unwrap_or(0)
}

/// The multiplier of all cells of the area of `size` at (x, y), frame included, if they are walkable,
/// have the same one, all steps among them, and no floor above.
pub(super) fn only_multiplier(cells: &Cells, (x, y): (usize, usize), size: usize) -> Option<u16> {
    if cells.has_layers() || !cells.link_ends.is_empty() {
        return None;
    }
    let first = cells.multiplier(y * SIDE + x);
    let is_uniform = (0..=size).all(|row| {
        (0..=size).all(|column| {
            let number = (y + row) * SIDE + x + column;
            let wanted = steps_inside(column, size, [6, 2]) & steps_inside(row, size, [0, 4]);
            cells.multiplier(number) == first && cells.moves(number) & wanted == wanted
        })
    });
    (is_uniform && first != 0).then_some(first)
}

/// The directions that do not leave an area along one axis, given the straight directions that do
/// from its low and its high edge.
fn steps_inside(at: usize, size: usize, [low, high]: [u8; 2]) -> u8 {
    let out = |direction: u8| 0b1000_0011_u8.rotate_left(direction.into());
    if at == 0 {
        !out(low)
    } else if at == size {
        !out(high)
    } else {
        u8::MAX
    }
}
