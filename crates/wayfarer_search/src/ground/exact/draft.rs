//! Looking around from a place, once and thoroughly: where may a way from here have to turn?

use wayfarer_base::{Cost, Direction};
use wayfarer_world::ground::{Ground, NodeId, SheetBits};

use super::super::plain::lend::{Seen, look};

const NORTH: u8 = 0;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 6;

/// All eight directions; also what a look gives where ground of another kind begins.
pub(super) const EVERYWHERE: u8 = u8::MAX;

/// Blocks of the registers are 32 columns wide and high, as a shift: with single sectors registers
/// take more memory than lists.
pub(super) const BLOCK: u32 = 5;

/// The diagonals with the straight directions each is made of, along the row and the column.
const DIAGONALS: [(u8, u8, u8); 4] = [
    (1, EAST, NORTH),
    (3, EAST, SOUTH),
    (5, WEST, SOUTH),
    (7, WEST, NORTH),
];

/// Longer rays are not kept, so that costs fit; their searches are `plain`'s.
const MOST_CELLS: u32 = u16::MAX as u32;

/// Places further out are left to `plain`, so that no coordinate overflows.
const FARTHEST: u32 = i32::MAX as u32 - (1 << 18);

/// A place that was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) node: NodeId,
    pub(super) x: i32,
    pub(super) y: i32,
    /// What the way there costs.
    pub(super) cost: u32,
    /// Directions worth a look from there.
    pub(super) directions: u8,
    /// In which straight direction it is come to, 0 to 3 clockwise from north.
    pub(super) arrival: u8,
}

/// Everything seen from one place. A function of the ground, the place and the directions alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// In a fixed order: straight rays, then along each diagonal.
    pub(super) sights: Vec<Sight>,
    /// How far the diagonals lead: north-east, south-east, south-west, north-west.
    pub(super) diagonals: [u16; 4],
    /// All cells that were looked at lie in these columns and rows: west, north, east, south.
    pub(super) bounds: [i32; 4],
    /// The blocks of those cells, each once.
    pub(super) blocks: Vec<(i32, i32)>,
    /// Blocks near the first that are in the list already: 8 x 8 of them.
    near: u64,
}

impl Draft {
    /// Looks around from `node` at (x, y) in `directions`. False if a ray met ground that bits do
    /// not suffice for, or is too long: then the draft is of no use.
    pub(super) fn make(
        &mut self,
        ground: &Ground,
        (node, x, y): (NodeId, i32, i32),
        directions: u8,
        notes_blocks: bool,
    ) -> bool {
        self.sights.clear();
        self.blocks.clear();
        self.near = 0;
        self.diagonals = [0; 4];
        if x.unsigned_abs().max(y.unsigned_abs()) > FARTHEST {
            return false;
        }
        self.bounds = [x - 1, y - 1, x + 1, y + 1];
        let sheet = ground.bits(node);
        if !sheet.is_plain() {
            return false;
        }
        if notes_blocks {
            self.note(x - 1, y - 1, x + 1, y + 1);
        }
        let spot = (sheet, node.x_in_sector(), node.y_in_sector());
        for to in [EAST, WEST, NORTH, SOUTH] {
            if directions >> to & 1 == 1 && !self.ray(spot, (x, y), 0, to, notes_blocks) {
                return false;
            }
        }
        let wanted = DIAGONALS.into_iter().enumerate();
        for (index, diagonal) in wanted.filter(|(_, (to, ..))| directions >> to & 1 == 1) {
            match self.diagonal(spot, (x, y), diagonal, notes_blocks) {
                Some(length) => self.diagonals[index] = length,
                None => return false,
            }
        }
        true
    }

    /// One ray from a cell that is `n_diagonal` diagonal steps away.
    #[inline]
    fn ray(
        &mut self,
        (sheet, in_x, in_y): (SheetBits<'_>, u32, u32),
        (x, y): (i32, i32),
        n_diagonal: u32,
        to: u8,
        notes_blocks: bool,
    ) -> bool {
        let Seen {
            length,
            directions,
            node,
        } = look(sheet, in_x, in_y, to);
        if directions == EVERYWHERE || length > MOST_CELLS {
            return false;
        }
        let (dx, dy) = Direction::from_index(to).offset();
        let n_cells = length.cast_signed();
        if notes_blocks {
            let end = (x + dx * (n_cells + 1), y + dy * (n_cells + 1));
            let (west, east) = (x.min(end.0) - 1, x.max(end.0) + 1);
            let (north, south) = (y.min(end.1) - 1, y.max(end.1) + 1);
            let [w, n, e, s] = self.bounds;
            self.bounds = [w.min(west), n.min(north), e.max(east), s.max(south)];
            self.note(west, north, east, south);
        }
        if directions != 0 {
            self.sights.push(Sight {
                node,
                x: x + dx * n_cells,
                y: y + dy * n_cells,
                cost: n_diagonal * Cost::DIAGONAL.units() + length * Cost::STRAIGHT.units(),
                directions,
                arrival: to >> 1,
            });
        }
        true
    }

    /// Walks diagonally as far as it goes, with two rays from every cell; gives the steps taken.
    fn diagonal(
        &mut self,
        (mut sheet, mut in_x, mut in_y): (SheetBits<'_>, u32, u32),
        (mut x, mut y): (i32, i32),
        (to, along_row, along_column): (u8, u8, u8),
        notes_blocks: bool,
    ) -> Option<u16> {
        let (dx, dy) = Direction::from_index(to).offset();
        let lane = if along_column == NORTH { 0 } else { 36 };
        let ahead = if along_row == EAST { 2 } else { 0 };
        let corner: u64 = 1 << (18 + ahead) | 1 << (lane + 1) | 1 << (lane + ahead);
        let mut n_steps = 0_u16;
        while sheet.rows(in_y) >> in_x & corner == corner {
            let over_x = in_x == if along_row == EAST { 15 } else { 0 };
            let over_y = in_y == if along_column == SOUTH { 15 } else { 0 };
            if over_x || over_y {
                let over = match (over_x, over_y) {
                    (true, true) => to,
                    (true, false) => along_row,
                    _ => along_column,
                };
                let next = sheet.next(Direction::from_index(over))?;
                if !sheet.continues_in(&next) {
                    return None;
                }
                sheet = next;
            }
            in_x = in_x.wrapping_add_signed(dx) & 15;
            in_y = in_y.wrapping_add_signed(dy) & 15;
            (x, y) = (x + dx, y + dy);
            n_steps = n_steps.checked_add(1)?;
            for straight in [along_row, along_column] {
                let spot = (sheet, in_x, in_y);
                let n_diagonal = u32::from(n_steps);
                if !self.ray(spot, (x, y), n_diagonal, straight, notes_blocks) {
                    return None;
                }
            }
        }
        Some(n_steps)
    }

    /// Notes the blocks of a rectangle of columns.
    #[inline]
    fn note(&mut self, west: i32, north: i32, east: i32, south: i32) {
        for y in north >> BLOCK..=south >> BLOCK {
            for x in west >> BLOCK..=east >> BLOCK {
                let first = *self.blocks.first().unwrap_or(&(x, y));
                let (dx, dy) = (x.wrapping_sub(first.0) + 4, y.wrapping_sub(first.1) + 4);
                if (0..8).contains(&dx) && (0..8).contains(&dy) {
                    let bit = 1 << (dy * 8 + dx);
                    if self.near & bit == 0 {
                        self.near |= bit;
                        self.blocks.push((x, y));
                    }
                } else if !self.blocks.contains(&(x, y)) {
                    self.blocks.push((x, y));
                }
            }
        }
    }
}

/// Open cells in a straight direction from the cell in column `x` and row `y` of a plain sheet,
/// as far as the ground goes on as it is.
pub(super) fn open_run(mut sheet: SheetBits<'_>, x: u32, y: u32, to: Direction) -> i32 {
    let is_row = matches!(to, Direction::East | Direction::West);
    let is_up = matches!(to, Direction::East | Direction::South);
    let (mut at, across) = if is_row { (x, y) } else { (y, x) };
    // The place at which the ray stands: one more than the cell, so that it may be outside.
    at += 1;
    let mut length = 0;
    loop {
        let lane = if is_row {
            (sheet.rows(across) >> 19) & 0xFFFF
        } else {
            u64::from(sheet.columns(across)[1])
        };
        let closed = !lane & 0xFFFF;
        if is_up {
            let ahead = closed >> at;
            if ahead != 0 {
                return (length + ahead.trailing_zeros()).cast_signed();
            }
            length += 16 - at;
            at = 0;
        } else {
            let behind = closed & ((1_u64 << (at - 1)) - 1);
            if behind != 0 {
                return (length + at - 2 - behind.ilog2()).cast_signed();
            }
            length += at - 1;
            at = 17;
        }
        let leads_on = sheet.exits(to) >> across & 1 == 1;
        match sheet
            .next(to)
            .filter(|next| leads_on && sheet.continues_in(next))
        {
            Some(next) => sheet = next,
            None => return length.cast_signed(),
        }
    }
}
