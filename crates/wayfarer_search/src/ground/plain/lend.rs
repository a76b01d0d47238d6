//! What other exact searches borrow from this one: looking along a row or column, the open list.

use wayfarer_world::ground::{NodeId, SheetBits};

use super::queue::{self, Queue};
use super::ray::{self, EAST, NORTH, SOUTH, Spot, WEST};

/// What a look along a row or column came upon.
#[derive(Clone, Copy, Debug)]
pub(in crate::ground) struct Seen {
    /// Cells from where it began; without a place, cells up to the last open one.
    pub(in crate::ground) length: u32,
    /// Directions worth a look from there; 0 if nothing is, all if other ground begins there.
    pub(in crate::ground) directions: u8,
    /// The cell, if `directions` is not 0.
    pub(in crate::ground) node: NodeId,
}

/// Looks from the cell in column `x` and row `y` of a plain sheet in the straight direction `to`,
/// by its index.
#[inline]
pub(in crate::ground) fn look(sheet: SheetBits<'_>, x: u32, y: u32, to: u8) -> Seen {
    let spot = Spot { sheet, x, y };
    let hit = match to {
        EAST => ray::look::<EAST>(&spot, None),
        WEST => ray::look::<WEST>(&spot, None),
        NORTH => ray::look::<NORTH>(&spot, None),
        _ => ray::look::<SOUTH>(&spot, None),
    };
    Seen {
        length: hit.length,
        directions: hit.directions,
        node: hit.node,
    }
}

/// The open list: lowest total first, of equals the place with the highest number.
#[derive(Clone, Debug, Default)]
pub(in crate::ground) struct OpenList(Queue);

impl OpenList {
    pub(in crate::ground) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(in crate::ground) fn push(&mut self, total: u32, number: u32) {
        self.0.push(queue::entry(total, number));
    }

    /// Total and number of the next place.
    #[inline]
    pub(in crate::ground) fn pop(&mut self) -> Option<(u32, u32)> {
        self.0.pop().map(queue::parts)
    }

    /// Totals and numbers of all places on it, in no order.
    pub(in crate::ground) fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.entries().map(queue::parts)
    }

    /// Bytes on the heap.
    pub(in crate::ground) fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}
