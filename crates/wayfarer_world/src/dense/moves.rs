//! Which of the eight steps are legal from each cell, one byte per cell.

use wayfarer_base::{Direction, Raster};

use super::Frame;

/// The legal moves of every framed cell.
pub(super) fn of_raster(raster: &Raster, frame: Frame) -> Vec<u8> {
    let (width, stride) = (raster.width() as usize, frame.stride() as usize);
    let mut open = vec![0_u8; frame.n_cells() as usize];
    if width > 0 {
        let rows = raster.bytes().chunks_exact(width);
        for (row, framed) in rows.zip(open.chunks_exact_mut(stride).skip(1)) {
            for (cell, open) in row.iter().zip(&mut framed[1..]) {
                *open = u8::from(is_open(*cell));
            }
        }
    }
    let mut moves = vec![0_u8; open.len()];
    let n_rows = raster.height() as usize;
    for row in 1..=n_rows {
        let above = &open[(row - 1) * stride..row * stride];
        let here = &open[row * stride..(row + 1) * stride];
        let below = &open[(row + 1) * stride..(row + 2) * stride];
        let out = &mut moves[row * stride..(row + 1) * stride];
        for x in 1..=width {
            let (north, east, south, west) = (above[x], here[x + 1], below[x], here[x - 1]);
            let byte = north
                | (north & east & above[x + 1]) << 1
                | east << 2
                | (south & east & below[x + 1]) << 3
                | south << 4
                | (south & west & below[x - 1]) << 5
                | west << 6
                | (north & west & above[x - 1]) << 7;
            // All bits if one can stand here, else none.
            out[x] = byte & here[x].wrapping_neg();
        }
    }
    moves
}

/// The legal moves from (`x`, `y`).
pub(super) fn of_cell(raster: &Raster, x: i32, y: i32) -> u8 {
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
            let beside = || is_open(direction.turned(1)) && is_open(direction.turned(7));
            is_open(direction) && (!direction.is_diagonal() || beside())
        })
        .fold(0, |byte, direction| byte | 1 << direction.index())
}

/// True for the bytes of a raster that a walker may stand on: ground and swamp.
#[inline]
pub(super) const fn is_open(byte: u8) -> bool {
    byte <= 1
}
