//! The ground around who walks a far way, block by block, as bits along rows and columns.
//!
//! A window holds 8 x 8 blocks of 64 x 64 columns. A block has its place by its coordinates modulo
//! 8, is copied when it is first looked at, and stays until another takes its place or the ground
//! changes. Only uniform ground at one height is seen; everything else is closed, and so is all that
//! lies outside the rectangle of blocks that is set for a search.

use wayfarer_base::Revision;
use wayfarer_world::ground::{Ground, NodeId};

/// Blocks along each side.
const SIDE: i32 = 8;
/// The tile of all that is closed.
const CLOSED: usize = (SIDE * SIDE) as usize;

/// A block: bit x of row y, and bit y of column x, are set if one can stand there.
#[derive(Clone, Debug)]
struct Tile {
    rows: [u64; 64],
    columns: [u64; 64],
}

/// Part of the ground as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct BitmapWindow {
    tiles: Vec<Tile>,
    /// Which block each tile holds.
    blocks: Vec<Option<(i32, i32)>>,
    /// Of which ground, as it was when, and of which floors: rank and height.
    bound: (u64, Revision, u8, i32),
    low: (i32, i32),
    high: (i32, i32),
}

#[expect(
    clippy::cast_sign_loss,
    reason = "the lowest bits of coordinates are never negative"
)]
impl BitmapWindow {
    /// Makes ready for searches that begin at `start`, among blocks from `low` to `high`; false if
    /// the ground is not plain there, or if that are more than eight blocks along a side.
    pub(super) fn look_at(
        &mut self,
        ground: &Ground,
        start: NodeId,
        low: (i32, i32),
        high: (i32, i32),
    ) -> bool {
        let fits = high.0 - low.0 < SIDE && high.1 - low.1 < SIDE;
        if !fits || !ground.bits(start).is_uniform() {
            return false;
        }
        if self.tiles.is_empty() {
            let closed = Tile {
                rows: [0; 64],
                columns: [0; 64],
            };
            self.tiles = vec![closed; CLOSED + 1];
            self.blocks = vec![None; CLOSED];
        }
        let now = (
            ground.identity(),
            ground.revision(),
            ground.rank(start),
            ground.cell(start).z,
        );
        if self.bound != now {
            self.bound = now;
            self.blocks.fill(None);
        }
        (self.low, self.high) = (low, high);
        true
    }

    /// True if one can stand at (x, y).
    #[inline]
    pub(super) fn is_open(&mut self, ground: &Ground, x: i32, y: i32) -> bool {
        self.row(ground, x >> 6, y) >> (x & 63) & 1 == 1
    }

    /// Row `y`, columns 64 `block` to 64 `block` + 63.
    #[inline(always)]
    fn row(&mut self, ground: &Ground, block: i32, y: i32) -> u64 {
        let tile = self.tile(ground, (block, y >> 6));
        self.tiles[tile].rows[(y & 63) as usize]
    }

    /// Rows `y` - 1, `y` and `y` + 1, columns 64 `block` to 64 `block` + 63.
    #[inline]
    pub(super) fn rows(&mut self, ground: &Ground, block: i32, y: i32) -> [u64; 3] {
        let at = (y & 63) as usize;
        if at == 0 || at == 63 {
            return [y - 1, y, y + 1].map(|y| self.row(ground, block, y));
        }
        let tile = self.tile(ground, (block, y >> 6));
        let rows = &self.tiles[tile].rows;
        [rows[at - 1], rows[at], rows[at + 1]]
    }

    /// Columns `x` - 1, `x` and `x` + 1, rows 64 `block` to 64 `block` + 63.
    #[inline]
    pub(super) fn columns(&mut self, ground: &Ground, x: i32, block: i32) -> [u64; 3] {
        let at = (x & 63) as usize;
        if at == 0 || at == 63 {
            return [x - 1, x, x + 1].map(|x| self.column(ground, x, block));
        }
        let tile = self.tile(ground, (x >> 6, block));
        let columns = &self.tiles[tile].columns;
        [columns[at - 1], columns[at], columns[at + 1]]
    }

    /// Column `x`, rows 64 `block` to 64 `block` + 63.
    #[inline]
    fn column(&mut self, ground: &Ground, x: i32, block: i32) -> u64 {
        let tile = self.tile(ground, (x >> 6, block));
        self.tiles[tile].columns[(x & 63) as usize]
    }

    #[inline]
    fn tile(&mut self, ground: &Ground, block: (i32, i32)) -> usize {
        let (x, y) = block;
        let is_outside = x < self.low.0 || x > self.high.0 || y < self.low.1 || y > self.high.1;
        if is_outside {
            return CLOSED;
        }
        let tile = ((y & (SIDE - 1)) * SIDE + (x & (SIDE - 1))) as usize;
        if self.blocks[tile] != Some(block) {
            self.copy(ground, tile, block);
        }
        tile
    }

    #[inline(never)]
    fn copy(&mut self, ground: &Ground, number: usize, block: (i32, i32)) {
        self.blocks[number] = Some(block);
        let tile = &mut self.tiles[number];
        tile.rows.fill(0);
        tile.columns.fill(0);
        let (_, _, rank, height) = self.bound;
        for ((x, y), sheet) in ground.sheets_of_block(block, rank) {
            if !sheet.is_uniform() || sheet.cell(sheet.node(0, 0)).z != height {
                continue;
            }
            for along in 0..16 {
                let row = u64::from(sheet.rows(along)[1]);
                tile.rows[(y * 16 + along) as usize] |= row << (x * 16);
                let column = u64::from(sheet.columns(along)[1]);
                tile.columns[(x * 16 + along) as usize] |= column << (y * 16);
            }
        }
    }
}
