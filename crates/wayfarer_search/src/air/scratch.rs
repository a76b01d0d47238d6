//! Node table and open list of the octree search.
//!
//! A hash table, cleared in O(1) by generation, and a 4-ary heap of packed 64-bit
//! keys. Ties: lowest f, then the entry pushed last. All memory is reused.

use super::node_source::LocalVoxel;
use crate::kernel::{QuaternaryHeap, StampedTable};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A search node: a free cube, or a connected component of free voxels in a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The component's voxels in the leaf; all bits for a cube.
    pub(super) free: u64,
    /// The low corner of cube or leaf.
    pub(super) low: LocalVoxel,
    /// The voxel by which it is entered.
    pub(super) entry: LocalVoxel,
    pub(super) parent: u32,
    pub(super) g: u32,
    pub(super) f: u32,
    /// Binary logarithm of the side.
    pub(super) log: u8,
    /// The face of the parent by which it is entered.
    pub(super) face: u8,
    pub(super) is_closed: bool,
    /// Cost multiplier, in sixteenths.
    pub(super) multiplier: u16,
}

/// An open list entry: a node, or a face whose nodes beyond are not generated yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenEntry {
    /// The node, or the node that the face belongs to.
    pub(super) node: u32,
    /// Cost of the path to `at`; differs from the node's g if the entry is stale.
    pub(super) g: u32,
    /// The voxel beyond the face where the path would cross at best.
    pub(super) at: LocalVoxel,
    /// The face; [`NO_FACE`] if the entry is a node.
    pub(super) face: u8,
    /// Binary logarithm of the side of the part of the face.
    pub(super) log: u8,
}

/// The face of an entry that is a node, and of the start.
pub(super) const NO_FACE: u8 = 6;

/// Node table and open list.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The node of each key.
    numbers: StampedTable,
    pub(super) nodes: Vec<Node>,
    entries: Vec<OpenEntry>,
    /// Heap of f in the high half and the complement of the index into `entries` in the low half.
    open: QuaternaryHeap<u64>,
    pub(super) n_pushes: u64,
}

impl Scratch {
    /// Removes all nodes and entries; O(1).
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.entries.clear();
        self.open.clear();
        self.n_pushes = 0;
        self.numbers.clear();
    }

    /// The node of a key.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.numbers.find(key)
    }

    /// Adds a node under a new key.
    pub(super) fn add(&mut self, key: u64, node: Node) -> u32 {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes fit in memory");
        self.nodes.push(node);
        self.numbers.entry(key, number);
        number
    }

    /// Pushes an entry to the open list.
    #[inline]
    pub(super) fn push(&mut self, f: u32, entry: OpenEntry) {
        let index = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(entry);
        self.n_pushes += 1;
        let word = u64::from(f) << 32 | u64::from(u32::MAX - index);
        self.open.push(word);
    }

    /// Pops the entry of lowest f, with its f.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "two halves of a word")]
    pub(super) fn pop(&mut self) -> Option<(u32, OpenEntry)> {
        let word = self.open.pop()?;
        let index = u32::MAX - word as u32;
        Some(((word >> 32) as u32, self.entries[index as usize]))
    }

    /// True if one more expansion could grow the scratch beyond `bytes`.
    #[inline]
    pub(super) fn is_beyond(&self, bytes: u64) -> bool {
        bytes != u64::MAX && self.heap_bytes() as u64 + self.growth_ahead() > bytes
    }

    /// Bytes that one more expansion allocates at worst.
    fn growth_ahead(&self) -> u64 {
        const MAX: usize = 256;
        fn grown<T>(list: &Vec<T>) -> usize {
            let short = list.len() + MAX > list.capacity();
            if short {
                list.capacity().max(MAX) * size_of::<T>()
            } else {
                0
            }
        }
        let table = self.numbers.growth_for(MAX);
        (grown(&self.nodes) + grown(&self.entries) + grown(&self.open.entries) + table) as u64
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.numbers.heap_bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + self.entries.capacity() * size_of::<OpenEntry>()
            + self.open.heap_bytes()
    }
}

/// A unique key for a voxel within bounds.
#[inline]
pub(super) const fn key_of([x, y, z]: LocalVoxel) -> u64 {
    (x.cast_unsigned() as u64) | (y.cast_unsigned() as u64) << 17 | (z.cast_unsigned() as u64) << 34
}
