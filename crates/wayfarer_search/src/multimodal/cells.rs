//! Node records of cells.

use wayfarer_base::Cell;
use wayfarer_world::ground::NodeId;

use super::node::Node;
use crate::ground::arena::{Arena, Record};

/// The records of a search, numbered in the order of generation. Takes 30 bytes per record and 4 per cell
/// of each visited page of the ground.
#[derive(Clone, Debug, Default)]
pub(super) struct CellRecords {
    arena: Arena,
    cells: Vec<Cell>,
    /// The columns around each expanded cell, bit x + 3 y, to which walking costs no more than flying.
    walked: Vec<u16>,
}

impl CellRecords {
    /// Removes all records.
    pub(super) fn clear(&mut self) {
        self.arena.clear();
        self.cells.clear();
        self.walked.clear();
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.arena.heap_bytes()
            + self.cells.capacity() * size_of::<Cell>()
            + self.walked.capacity() * size_of::<u16>()
    }

    /// Bytes by which `more` further records may grow it, tables aside.
    pub(super) fn growth_for(&self, more: usize) -> u64 {
        let records = self.arena.growth_for(more, std::iter::empty());
        let is_full = self.cells.len() + more > self.cells.capacity();
        let cells = usize::from(is_full) * self.cells.capacity().max(more);
        records + (cells * (size_of::<Cell>() + size_of::<u16>())) as u64
    }

    /// The number of the record of a cell, if it was generated.
    #[inline]
    pub(super) fn find(&self, node: NodeId) -> Option<u32> {
        self.arena.find(node.index())
    }

    #[inline]
    pub(super) fn record(&self, number: u32) -> Record {
        self.arena.record(number)
    }

    #[inline]
    pub(super) fn cell(&self, number: u32) -> Cell {
        self.cells[number as usize]
    }

    /// See `walked`.
    #[inline]
    pub(super) fn walked(&self, number: u32) -> u16 {
        self.walked[number as usize]
    }

    #[inline]
    pub(super) fn set_walked(&mut self, number: u32, columns: u16) {
        self.walked[number as usize] = columns;
    }

    /// Lowers the cost of a record.
    #[inline]
    pub(super) fn improve(&mut self, number: u32, g: u32, parent: Node) {
        let record = self.arena.record_mut(number);
        record.g = g;
        record.parent = parent.number();
    }

    /// Adds the record of a cell that was not generated before; its number.
    #[inline]
    pub(super) fn add(
        &mut self,
        (node, cell): (NodeId, Cell),
        (g, h): (u32, u32),
        parent: Node,
    ) -> u32 {
        self.cells.push(cell);
        self.walked.push(0);
        self.arena.reserve(1);
        self.arena.add(Record {
            node: node.index(),
            g,
            parent: parent.number(),
            h,
        })
    }
}
