//! Legal moves of a dense ground: one byte per cell, a bit per direction.

use wayfarer_base::{Direction, Raster};

use super::DenseLayout;

/// The legal moves of every padded cell.
pub(super) fn from_raster(raster: &Raster, layout: DenseLayout) -> Vec<u8> {
    let (width, stride) = (raster.width() as usize, layout.stride() as usize);
    let mut open = vec![0_u8; layout.n_cells() as usize];
    if width > 0 {
        let rows = raster.bytes().chunks_exact(width);
        for (row, padded) in rows.zip(open.chunks_exact_mut(stride).skip(1)) {
            for (cell, open) in row.iter().zip(&mut padded[1..]) {
                *open = u8::from(is_open(*cell));
            }
        }
    }
    let mut moves = vec![0_u8; open.len()];
    for row in 1..=raster.height() as usize {
        // The cells of a row, shifted west (0), in place (1) or shifted east (2).
        let part = |row: usize, from: usize| &open[row * stride + from..][..width];
        let north = [0, 1, 2].map(|from| part(row - 1, from));
        let level = [0, 1, 2].map(|from| part(row, from));
        let south = [0, 1, 2].map(|from| part(row + 1, from));
        let out = &mut moves[row * stride + 1..][..width];
        for x in 0..width {
            let (n, e, s, w) = (north[1][x], level[2][x], south[1][x], level[0][x]);
            let byte = n
                | (n & e & north[2][x]) << 1
                | e << 2
                | (s & e & south[2][x]) << 3
                | s << 4
                | (s & w & south[0][x]) << 5
                | w << 6
                | (n & w & north[0][x]) << 7;
            // All bits if the cell is walkable, else none.
            out[x] = byte & level[1][x].wrapping_neg();
        }
    }
    moves
}

/// The legal moves of (`x`, `y`).
pub(super) fn at_cell(raster: &Raster, x: i32, y: i32) -> u8 {
    if !raster.is_walkable(x, y) {
        return 0;
    }
    let is_open = |direction: Direction| {
        let (dx, dy) = direction.offset();
        raster.is_walkable(x + dx, y + dy)
    };
    Direction::ALL
        .into_iter()
        .filter(|&direction| {
            let are_cardinals_open =
                || is_open(direction.turned(1)) && is_open(direction.turned(7));
            is_open(direction) && (!direction.is_diagonal() || are_cardinals_open())
        })
        .fold(0, |byte, direction| byte | 1 << direction.index())
}

/// True for the bytes of walkable terrains: ground and swamp.
#[inline]
pub(super) const fn is_open(byte: u8) -> bool {
    byte <= 1
}
