//! The squares of a sector as bits: sixteen rows of sixteen, with a border of the neighbours'.
//!
//! A [`Board`] is the bare 16 x 16. A [`Plane`] has one cell more on every side, so that the
//! 3 x 3 window around any cell is read without asking a neighbour. Bit x of a row is column x.

#![expect(
    clippy::cast_possible_truncation,
    reason = "rows are cut out of wider words on purpose"
)]

/// Sixteen rows of sixteen bits.
pub(crate) type Board = [u16; 16];

/// No bit set.
pub(crate) const EMPTY: Board = [0; 16];

/// Cells along a side of the plane: a sector's and one more on each side.
const SIDE: u32 = 18;

/// A board with a border, 18 x 18 bits row by row without gaps.
///
/// Bit `(y + 1) * 18 + (x + 1)` is cell (x, y); -1 and 16 are the border.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Plane {
    words: [u64; 6],
}

impl Plane {
    /// The 54 bits that begin at bit `start`.
    #[inline]
    pub(crate) fn bits(&self, start: u32) -> u64 {
        let (word, shift) = ((start >> 6) as usize, start & 63);
        let high = if word < 5 { self.words[word + 1] } else { 0 };
        self.words[word] >> shift | high << 1 << (63 - shift)
    }

    /// True if every cell is set, the border's too.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        let [a, b, c, d, e, last] = self.words;
        a & b & c & d & e & (last | !0 << (SIDE * SIDE - 320)) == u64::MAX
    }

    /// Overwrites `n_bits` bits, at most 18, from bit `start` on.
    #[inline]
    fn write(&mut self, start: u32, n_bits: u32, value: u32) {
        let (word, shift) = ((start >> 6) as usize, start & 63);
        let mask = (1_u64 << n_bits) - 1;
        let value = u64::from(value) & mask;
        self.words[word] = self.words[word] & !(mask << shift) | value << shift;
        if shift + n_bits > 64 {
            let over = 64 - shift;
            self.words[word + 1] = self.words[word + 1] & !(mask >> over) | value >> over;
        }
    }

    /// Nine bits around cell (x, y), 0 to 15: row above first, west first; the middle is bit 4.
    #[inline]
    pub(crate) fn window(&self, x: u32, y: u32) -> usize {
        let start = y * SIDE + x;
        let (word, shift) = ((start >> 6) as usize, start & 63);
        let bits = self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift);
        (bits & 7 | bits >> 15 & 0o70 | bits >> 30 & 0o700) as usize
    }

    /// True if cell (x, y) is set, -1 to 16 each.
    #[inline]
    pub(crate) fn get(&self, x: i32, y: i32) -> bool {
        let bit = (y + 1).cast_unsigned() * SIDE + (x + 1).cast_unsigned();
        self.words[(bit >> 6) as usize] >> (bit & 63) & 1 == 1
    }

    /// Sets or clears cell (x, y), -1 to 16 each.
    #[inline]
    pub(crate) fn set(&mut self, x: i32, y: i32, value: bool) {
        let bit = (y + 1).cast_unsigned() * SIDE + (x + 1).cast_unsigned();
        let (word, bit) = ((bit >> 6) as usize, 1 << (bit & 63));
        if value {
            self.words[word] |= bit;
        } else {
            self.words[word] &= !bit;
        }
    }

    /// Row y, -1 to 16, without the border's two bits.
    #[inline]
    pub(crate) fn row(&self, y: i32) -> u16 {
        (self.bits((y + 1).cast_unsigned() * SIDE + 1)) as u16
    }

    /// Overwrites row y, -1 to 16, but for the border's two bits.
    #[inline]
    pub(crate) fn set_row(&mut self, y: i32, row: u16) {
        self.write((y + 1).cast_unsigned() * SIDE + 1, 16, u32::from(row));
    }

    /// Overwrites row y, -1 to 16, the border's two bits too: bit x + 1 is column x.
    #[inline]
    pub(crate) fn set_whole_row(&mut self, y: i32, row: u32) {
        self.write((y + 1).cast_unsigned() * SIDE, SIDE, row);
    }

    /// Overwrites column x, rows 0 to 15.
    pub(crate) fn set_column(&mut self, x: i32, column: u16) {
        for y in 0..16 {
            self.set(x, y, column >> y & 1 == 1);
        }
    }

    /// Rows 0 to 15 in which both column x and the next are set, x from -1 to 15.
    pub(crate) fn pairs_of_columns(&self, x: u32) -> u16 {
        (0..16).fold(0, |pairs, y| {
            let both = self.bits((y + 1) * SIDE + x) & 3 == 3;
            pairs | u16::from(both) << y
        })
    }

    /// Row y, -1 to 16, with the border's two bits: bit x + 1 is column x.
    #[inline]
    pub(crate) fn whole_row(&self, y: i32) -> u32 {
        self.bits((y + 1).cast_unsigned() * SIDE) as u32 & 0x3_FFFF
    }

    /// The sixteen rows without the border.
    #[inline]
    pub(crate) fn board(&self) -> Board {
        std::array::from_fn(|y| (self.bits((y as u32 + 1) * SIDE + 1)) as u16)
    }

    /// Overwrites the sixteen rows; the border stays.
    pub(crate) fn set_board(&mut self, board: &Board) {
        for (y, row) in (0..16).zip(board) {
            self.set_row(y, *row);
        }
    }
}

/// True if cell number `local` (16 y + x) is set.
#[inline]
pub(crate) fn has(board: &Board, local: u8) -> bool {
    board[usize::from(local >> 4)] >> (local & 15) & 1 == 1
}

/// Sets or clears cell number `local`.
#[inline]
pub(crate) fn put(board: &mut Board, local: u8, value: bool) {
    let bit = 1 << (local & 15);
    let row = &mut board[usize::from(local >> 4)];
    if value {
        *row |= bit;
    } else {
        *row &= !bit;
    }
}

/// Cells set.
pub(crate) fn count(board: &Board) -> u16 {
    board
        .chunks_exact(4)
        .map(|rows| {
            rows.iter()
                .fold(0, |word, row| word << 16 | u64::from(*row))
        })
        .map(|word: u64| word.count_ones() as u16)
        .sum()
}

/// True if no cell is set.
#[inline]
pub(crate) fn is_empty(board: &Board) -> bool {
    board.iter().fold(0, |all, row| all | row) == 0
}

/// The first cell set, row by row.
#[inline]
pub(crate) fn first(board: &Board) -> Option<u8> {
    let y = board.iter().position(|row| *row != 0)?;
    Some((y as u8) << 4 | board[y].trailing_zeros() as u8)
}

/// Every cell set, row by row.
pub(crate) fn cells(board: &Board) -> impl Iterator<Item = u8> + use<> {
    (0_u8..16).zip(*board).flat_map(|(y, row)| {
        std::iter::successors((row != 0).then_some(row), |row| {
            let rest = row & (row - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |row| y << 4 | row.trailing_zeros() as u8)
    })
}

/// Rows and columns exchanged.
pub(crate) fn transposed(board: &Board) -> Board {
    let mut rows = *board;
    let mut exchange = |distance: usize, mask: u16| {
        for high in 0..16 {
            if high & distance == 0 {
                let low = high + distance;
                let swap = (rows[high] >> distance ^ rows[low]) & mask;
                rows[low] ^= swap;
                rows[high] ^= swap << distance;
            }
        }
    };
    exchange(8, 0x00FF);
    exchange(4, 0x0F0F);
    exchange(2, 0x3333);
    exchange(1, 0x5555);
    rows
}

/// All of `open` in the row that `seed` reaches by steps east and west.
#[inline]
fn spread(seed: u16, open: u16) -> u16 {
    // Adding runs a carry from each seed's bit to the end of its run of open cells; seeds below
    // the run's first seed are reached by the same in mirror image.
    let east = |seed: u16, open: u16| {
        let (seed, open) = (u32::from(seed), u32::from(open));
        (((open + seed) ^ open) & open | seed) as u16
    };
    let reached = east(seed, open);
    let mirrored = east(reached.reverse_bits(), open.reverse_bits());
    mirrored.reverse_bits()
}

/// The cells of `open` that reach the first cell of `open` by straight steps.
pub(crate) fn flood_first(open: &Board) -> Board {
    let mut reached = EMPTY;
    let Some(top) = open.iter().position(|row| *row != 0) else {
        return reached;
    };
    reached[top] = spread(open[top] & open[top].wrapping_neg(), open[top]);
    let mut bottom = top;
    loop {
        let mut changed = false;
        // Down, then up, until a whole round adds nothing.
        for y in top + 1..16 {
            let seed = reached[y] | reached[y - 1] & open[y];
            if seed != reached[y] {
                reached[y] = spread(seed, open[y]);
                bottom = bottom.max(y);
                changed = true;
            } else if seed == 0 && y > bottom {
                break;
            }
        }
        if !changed {
            return reached;
        }
        changed = false;
        for y in (0..bottom).rev() {
            let seed = reached[y] | reached[y + 1] & open[y];
            if seed != reached[y] {
                reached[y] = spread(seed, open[y]);
                changed = true;
            }
        }
        if !changed {
            return reached;
        }
    }
}

/// The cells that reach `seed` by straight steps, where only the steps in `east` (from a cell to
/// the next in the east) and `south` can be taken, both ways.
pub(crate) fn flood_steps(seed: u8, east: &Board, south: &Board) -> Board {
    let mut reached = EMPTY;
    put(&mut reached, seed, true);
    loop {
        let before = reached;
        for y in 0..16 {
            let mut row = reached[y];
            loop {
                let grown = row | (row & east[y]) << 1 | row >> 1 & east[y];
                if grown == row {
                    break;
                }
                row = grown;
            }
            reached[y] = row;
            if y < 15 {
                reached[y + 1] |= row & south[y];
            }
        }
        for y in (0..15).rev() {
            reached[y] |= reached[y + 1] & south[y];
        }
        if reached == before {
            return reached;
        }
    }
}

#[cfg(test)]
mod tests;
