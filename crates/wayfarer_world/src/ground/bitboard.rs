//! Bitboards: the 16 x 16 cells of a sector in sixteen words.
//!
//! Bit x of row y is cell (x, y). A [`Bitboard`] is the bare sector. A [`PaddedBitboard`] adds the
//! adjacent row or column of each neighbor, so that the 3 x 3 window of any cell is read without a
//! lookup next door. Flood fill works on whole rows: a carry propagates along a run of set bits.

#![expect(
    clippy::cast_possible_truncation,
    reason = "rows are cut out of wider words"
)]

/// Sixteen rows of sixteen bits.
pub(crate) type Bitboard = [u16; 16];

/// No bit set.
pub(crate) const EMPTY: Bitboard = [0; 16];

/// A bitboard with a border of one cell, 18 x 18 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PaddedBitboard {
    /// Rows -1 to 16; bit x is column x, 0 to 15.
    rows: [u16; 18],
    /// Column -1: bit y + 1 is row y, -1 to 16.
    west: u32,
    /// Column 16, likewise.
    east: u32,
}

impl PaddedBitboard {
    /// Rows -1 to 16, without the border's two bits.
    #[inline]
    pub(crate) const fn rows(&self) -> &[u16; 18] {
        &self.rows
    }

    /// The 3 x 3 window around cell (x, y), 0 to 15: nine bits, north row first, west first; the
    /// cell itself is bit 4.
    #[inline]
    pub(crate) fn window(&self, x: u32, y: u32) -> usize {
        let (y, left) = (y as usize, x.wrapping_sub(1));
        if left >= 14 {
            return self.window_at_edge(x, y);
        }
        let [north, own, south] = [self.rows[y], self.rows[y + 1], self.rows[y + 2]];
        let rows = u64::from(north) | u64::from(own) << 16 | u64::from(south) << 32;
        let bits = rows >> left;
        (bits & 7 | bits >> 13 & 0o70 | bits >> 26 & 0o700) as usize
    }

    /// [`Self::window`] in column 0 or 15.
    #[inline]
    fn window_at_edge(&self, x: u32, y: usize) -> usize {
        let row = |at: usize| (self.row_at(at as u32) >> x & 7) as usize;
        row(y) | row(y + 1) << 3 | row(y + 2) << 6
    }

    /// Row `at` - 1, with the border's two bits: bit x + 1 is column x.
    #[inline]
    fn row_at(&self, at: u32) -> u32 {
        let row = u32::from(self.rows[at as usize]) << 1;
        self.west >> at & 1 | row | (self.east >> at & 1) << 17
    }

    /// True if cell (x, y) is set, -1 to 16 each.
    #[inline]
    pub(crate) fn get(&self, x: i32, y: i32) -> bool {
        self.whole_row(y) >> (x + 1) & 1 == 1
    }

    /// Sets or clears cell (x, y), -1 to 16 each.
    #[inline]
    pub(crate) fn set(&mut self, x: i32, y: i32, value: bool) {
        let at = (y + 1).cast_unsigned();
        let put = |word: u32, bit: u32| word & !(1 << bit) | u32::from(value) << bit;
        match x {
            -1 => self.west = put(self.west, at),
            16 => self.east = put(self.east, at),
            _ => {
                let row = &mut self.rows[at as usize];
                *row = put(u32::from(*row), x.cast_unsigned()) as u16;
            }
        }
    }

    /// Row y, -1 to 16, without the border's two bits.
    #[inline]
    pub(crate) fn row(&self, y: i32) -> u16 {
        self.rows[(y + 1).cast_unsigned() as usize]
    }

    /// Overwrites row y, -1 to 16, but for the border's two bits.
    #[inline]
    pub(crate) fn set_row(&mut self, y: i32, row: u16) {
        self.rows[(y + 1).cast_unsigned() as usize] = row;
    }

    /// Overwrites column x, rows 0 to 15.
    pub(crate) fn set_column(&mut self, x: i32, column: u16) {
        let whole = |old: u32| old & 0x2_0001 | u32::from(column) << 1;
        match x {
            -1 => self.west = whole(self.west),
            16 => self.east = whole(self.east),
            _ => {
                for y in 0..16 {
                    self.set(x, y, column >> y & 1 == 1);
                }
            }
        }
    }

    /// Column x, -1 or 16, rows 0 to 15.
    pub(crate) fn column_border(&self, x: i32) -> u16 {
        (if x < 0 { self.west } else { self.east } >> 1) as u16
    }

    /// Row y, -1 to 16, with the border's two bits: bit x + 1 is column x.
    #[inline]
    pub(crate) fn whole_row(&self, y: i32) -> u32 {
        self.row_at((y + 1).cast_unsigned())
    }

    /// Sixteen rows from row `first` - 1 on; `first` is 0 to 2.
    #[inline]
    pub(crate) fn lanes(&self, first: usize) -> PaddedLanes<'_> {
        PaddedLanes {
            cells: self.rows[first..first + 16]
                .first_chunk()
                .expect("there are eighteen rows"),
            before: (self.west >> first) as u16,
            after: (self.east >> first) as u16,
        }
    }

    /// Rows -1 to 16 cut out of wider ones: bit `shift` of a row is column -1.
    pub(crate) fn from_wide_rows(wide: &[u64; 18], shift: u32) -> Self {
        let mut found = Self::default();
        for (at, row) in wide.iter().enumerate() {
            let row = row >> shift;
            found.rows[at] = (row >> 1) as u16;
            found.west |= (row as u32 & 1) << at;
            found.east |= ((row >> 17) as u32 & 1) << at;
        }
        found
    }

    /// True if [`Self::from_wide_rows`] would give the same.
    pub(crate) fn equals_wide_rows(&self, wide: &[u64; 18], shift: u32) -> bool {
        let differing = (0..18).zip(wide).fold(0, |differing, (at, row)| {
            differing | ((row >> shift) as u32 & 0x3_FFFF) ^ self.row_at(at)
        });
        differing == 0
    }

    /// Rows and columns exchanged, the border's too.
    pub(crate) fn transposed(&self) -> Self {
        let mut found = Self {
            rows: [0; 18],
            west: self.whole_row(-1),
            east: self.whole_row(16),
        };
        found.set_board(&transposed(&self.board()));
        found.rows[0] = (self.west >> 1) as u16;
        found.rows[17] = (self.east >> 1) as u16;
        found
    }

    /// The sixteen rows without the border.
    #[inline]
    pub(crate) fn board(&self) -> Bitboard {
        let [_, board @ .., _] = self.rows;
        board
    }

    /// Overwrites the sixteen rows; the border stays.
    pub(crate) fn set_board(&mut self, board: &Bitboard) {
        self.rows[1..17].copy_from_slice(board);
    }
}

/// Sixteen rows (or columns) of a padded bitboard, with the cells at both ends of each.
#[derive(Clone, Copy, Debug)]
pub struct PaddedLanes<'b> {
    /// Bit n of a lane is its cell n.
    cells: &'b [u16; 16],
    /// Bit n is the cell before the first one of lane n.
    before: u16,
    /// Bit n is the cell after the last one of lane n.
    after: u16,
}

impl PaddedLanes<'_> {
    /// Lane n, 0 to 15.
    #[inline(always)]
    pub fn at(&self, n: usize) -> u16 {
        self.cells[n]
    }

    /// Lane n shifted: each bit is the cell before.
    #[inline(always)]
    pub fn previous(&self, n: usize) -> u16 {
        // No shift by n: that is no vector instruction.
        let outside = if self.before & 1 << n == 0 { 0 } else { 1 };
        self.cells[n] << 1 | outside
    }

    /// Lane n shifted: each bit is the cell after.
    #[inline(always)]
    pub fn next(&self, n: usize) -> u16 {
        let outside = if self.after & 1 << n == 0 { 0 } else { 0x8000 };
        self.cells[n] >> 1 | outside
    }
}

/// True if cell number `local` (16 y + x) is set.
#[inline]
pub(crate) fn has(board: &Bitboard, local: u8) -> bool {
    board[usize::from(local >> 4)] >> (local & 15) & 1 == 1
}

/// Sets or clears cell number `local`.
#[inline]
pub(crate) fn put(board: &mut Bitboard, local: u8, value: bool) {
    let bit = 1 << (local & 15);
    let row = &mut board[usize::from(local >> 4)];
    if value {
        *row |= bit;
    } else {
        *row &= !bit;
    }
}

/// The number of set cells.
pub(crate) fn count(board: &Bitboard) -> u16 {
    board
        .chunks_exact(4)
        .map(|rows| {
            rows.iter()
                .fold(0, |word, row| word << 16 | u64::from(*row))
        })
        .map(|word: u64| word.count_ones() as u16)
        .sum()
}

/// The sides and corners of the sector where a cell is set: bit i is direction i, clockwise from north.
pub(crate) fn sides(board: &Bitboard) -> u8 {
    let (first, last) = (board[0], board[15]);
    let any = board.iter().fold(0, |any, row| any | row);
    let sides = [
        first != 0,
        first >> 15 != 0,
        any >> 15 != 0,
        last >> 15 != 0,
        last != 0,
        last & 1 != 0,
        any & 1 != 0,
        first & 1 != 0,
    ];
    let bits = (0..8).zip(sides);
    bits.fold(0, |all, (bit, is_set)| all | u8::from(is_set) << bit)
}

/// True if no cell is set.
#[inline]
pub(crate) fn is_empty(board: &Bitboard) -> bool {
    board.iter().fold(0, |all, row| all | row) == 0
}

/// True if a cell is set in both.
pub(crate) fn overlap(a: &Bitboard, b: &Bitboard) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | a & b) != 0
}

/// The first set cell, column by column: of its cells the least one.
pub(crate) fn westernmost(board: &Bitboard) -> Option<u8> {
    let columns = board.iter().fold(0, |all, row| all | row);
    let x = columns.trailing_zeros() as u8;
    let y = board.iter().position(|row| row >> x.min(15) & 1 == 1)?;
    Some((y as u8) << 4 | x)
}

/// The first set cell, row by row.
#[inline]
pub(crate) fn first(board: &Bitboard) -> Option<u8> {
    let y = board.iter().position(|row| *row != 0)?;
    Some((y as u8) << 4 | board[y].trailing_zeros() as u8)
}

/// Every set cell, row by row.
pub(crate) fn cells(board: &Bitboard) -> impl Iterator<Item = u8> + use<> {
    (0_u8..16).zip(*board).flat_map(|(y, row)| {
        std::iter::successors((row != 0).then_some(row), |row| {
            let rest = row & (row - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |row| y << 4 | row.trailing_zeros() as u8)
    })
}

/// Rows and columns exchanged.
pub(crate) fn transposed(board: &Bitboard) -> Bitboard {
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

/// The runs of `open` that contain a bit of `seed`.
#[inline]
fn spread(seed: u16, open: u16) -> u16 {
    // The addition carries from each seed to the end of its run; the bits below the run's first
    // seed are reached by the same in mirror image.
    let east = |seed: u16, open: u16| {
        let (seed, open) = (u32::from(seed), u32::from(open));
        (((open + seed) ^ open) & open | seed) as u16
    };
    let reached = east(seed, open);
    let mirrored = east(reached.reverse_bits(), open.reverse_bits());
    mirrored.reverse_bits()
}

/// The 4-connected part of `open` that contains its first cell.
pub(crate) fn flood_first(open: &Bitboard) -> Bitboard {
    let mut reached = EMPTY;
    let Some(top) = open.iter().position(|row| *row != 0) else {
        return reached;
    };
    reached[top] = spread(open[top] & open[top].wrapping_neg(), open[top]);
    let mut bottom = top;
    loop {
        let mut changed = false;
        // Downwards, then upwards, until a sweep adds nothing.
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

/// The cells connected to `seed` by the edges in `east` (from a cell to its eastern neighbor) and
/// `south`, each taken in both directions.
pub(crate) fn flood_steps(seed: u8, east: &Bitboard, south: &Bitboard) -> Bitboard {
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
