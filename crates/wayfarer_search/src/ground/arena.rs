//! What a search knows of each cell it has come to, in the order it came to them.
//!
//! Cells get numbers in the order of discovery. That order follows from the ground and the
//! request alone, not from where the ground happens to store a cell, so ties broken by these
//! numbers are the same whatever edits made the ground. A table leads from stored cells to
//! numbers; an entry counts only if the record it leads to names the same cell, so nothing need be
//! cleared between searches.

/// One cell that a search has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// Where the ground stores it.
    pub(crate) node: u32,
    /// Cheapest cost so far, in units of `Cost`.
    pub(crate) cost: u32,
    /// The number of the cell it was reached from, or [`NONE`].
    pub(crate) before: u32,
    /// The least that the rest can cost.
    pub(crate) rest: u32,
}

/// No cell.
pub(crate) const NONE: u32 = u32::MAX;
/// Cells in a piece of the table, as a shift: a page of the ground.
const PIECE_SHIFT: u32 = 14;
const PIECE: usize = 1 << PIECE_SHIFT;
/// Bytes of a piece of the table.
pub(crate) const PIECE_BYTES: u64 = (PIECE * size_of::<u32>()) as u64;

/// Everything a search has come to. Takes 16 bytes per cell and 4 per cell of each page touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    records: Vec<Record>,
    /// For each page of the ground, once it was touched, the number of each cell.
    segments: Vec<Vec<u32>>,
}

impl Arena {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.records.clear();
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(NONE)
    }

    /// The record with this number.
    #[inline]
    pub(crate) fn record(&self, number: u32) -> Record {
        self.records[number as usize]
    }

    /// All records, in the order of discovery.
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    #[inline]
    pub(crate) fn record_mut(&mut self, number: u32) -> &mut Record {
        &mut self.records[number as usize]
    }

    /// The number of a stored cell, if the search has come to it.
    #[inline]
    pub(crate) fn find(&self, node: u32) -> Option<u32> {
        let piece = self.segments.get((node >> PIECE_SHIFT) as usize)?;
        let number = *piece.get(node as usize & (PIECE - 1))?;
        let record = self.records.get(number as usize)?;
        (record.node == node).then_some(number)
    }

    /// Adds a cell that the search has not come to before.
    #[inline]
    pub(crate) fn add(&mut self, record: Record) -> u32 {
        let number = self.len();
        let page = (record.node >> PIECE_SHIFT) as usize;
        if self.segments.get(page).is_none_or(Vec::is_empty) {
            self.add_piece(page);
        }
        self.segments[page][record.node as usize & (PIECE - 1)] = number;
        self.records.push(record);
        number
    }

    #[cold]
    fn add_piece(&mut self, page: usize) {
        if self.segments.len() <= page {
            self.segments.resize_with(page + 1, Vec::new);
        }
        self.segments[page] = vec![NONE; PIECE];
    }

    /// Bytes by which the arena must grow before `n_records` and the pieces of `nodes` fit.
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
            let page = (node >> PIECE_SHIFT) as usize;
            if page != last && self.segments.get(page).is_none_or(Vec::is_empty) {
                growth += PIECE_BYTES;
            }
            last = page;
        }
        growth
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
