//! The node records of a cell-by-cell search, numbered in the order of generation.
//!
//! That order follows from the ground and the request alone, not from the storage order of the
//! ground, so ties broken by record numbers do not depend on the history of edits. A two-level
//! table maps stored cells to record numbers; an entry is valid only if its record names the same
//! cell, so clearing is O(1).

/// A generated node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The stored cell.
    pub(crate) node: u32,
    /// Lowest cost so far, in units of `Cost`.
    pub(crate) g: u32,
    /// The number of the parent's record, or [`NONE`].
    pub(crate) parent: u32,
    /// Lower bound on the remaining cost.
    pub(crate) h: u32,
}

/// No record.
pub(crate) const NONE: u32 = u32::MAX;
/// Cells per table segment, as a shift: a page of the ground.
const SEGMENT_SHIFT: u32 = 14;
const SEGMENT: usize = 1 << SEGMENT_SHIFT;
/// Bytes of a table segment.
pub(crate) const SEGMENT_BYTES: u64 = (SEGMENT * size_of::<u32>()) as u64;

/// The records of a search. Takes 16 bytes per record and 4 per cell of each page visited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    records: Vec<Record>,
    /// Per page of the ground, once visited, the record number of each cell.
    segments: Vec<Vec<u32>>,
}

impl Arena {
    /// Removes all records.
    pub(crate) fn clear(&mut self) {
        self.records.clear();
    }

    /// The number of records.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(NONE)
    }

    /// The record with number `number`.
    #[inline]
    pub(crate) fn record(&self, number: u32) -> Record {
        self.records[number as usize]
    }

    /// All records, in the order of generation.
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    #[inline]
    pub(crate) fn record_mut(&mut self, number: u32) -> &mut Record {
        &mut self.records[number as usize]
    }

    /// The record number of a stored cell, if the search has generated it.
    #[inline]
    pub(crate) fn find(&self, node: u32) -> Option<u32> {
        let segment = self.segments.get((node >> SEGMENT_SHIFT) as usize)?;
        let number = *segment.get(node as usize & (SEGMENT - 1))?;
        let record = self.records.get(number as usize)?;
        (record.node == node).then_some(number)
    }

    /// Adds the record of a cell that the search has not generated before.
    #[inline]
    pub(crate) fn add(&mut self, record: Record) -> u32 {
        let number = self.len();
        let page = (record.node >> SEGMENT_SHIFT) as usize;
        if self.segments.get(page).is_none_or(Vec::is_empty) {
            self.add_segment(page);
        }
        self.segments[page][record.node as usize & (SEGMENT - 1)] = number;
        self.records.push(record);
        number
    }

    #[cold]
    fn add_segment(&mut self, page: usize) {
        if self.segments.len() <= page {
            self.segments.resize_with(page + 1, Vec::new);
        }
        self.segments[page] = vec![NONE; SEGMENT];
    }

    /// Bytes the arena must grow by before `n_records` and the segments of `nodes` fit.
    pub(crate) fn growth_for(&self, n_records: usize, nodes: impl Iterator<Item = u32>) -> u64 {
        let wanted = self.records.len() + n_records;
        let mut growth = if wanted > self.records.capacity() {
            let more = wanted.max(2 * self.records.capacity()) - self.records.capacity();
            (more * size_of::<Record>()) as u64
        } else {
            0
        };
        let mut last = usize::MAX;
        for node in nodes {
            let page = (node >> SEGMENT_SHIFT) as usize;
            if page != last && self.segments.get(page).is_none_or(Vec::is_empty) {
                growth += SEGMENT_BYTES;
            }
            last = page;
        }
        growth
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let segments = self.segments.iter().map(Vec::capacity);
        self.records.capacity() * size_of::<Record>()
            + self.segments.capacity() * size_of::<Vec<u32>>()
            + segments.sum::<usize>() * size_of::<u32>()
    }

    /// Makes room for `more` records, by doubling.
    #[inline]
    pub(crate) fn reserve(&mut self, more: usize) {
        let wanted = self.records.len() + more;
        if wanted > self.records.capacity() {
            let capacity = wanted.max(2 * self.records.capacity());
            self.records.reserve_exact(capacity - self.records.len());
        }
    }
}
