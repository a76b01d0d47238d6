//! What a search knows about each place: the cheapest cost so far and how it came there.

/// The cheapest costs found so far, forgotten all at once when the next search begins.
///
/// One word per node: a generation counted down, the cost, the label of the last step. A record of
/// an earlier search is larger than any of this one, so one comparison tells both that a record is
/// old and that a cost is an improvement. Clearing is a subtraction; the table is written through
/// once in 16 million searches.
#[derive(Clone, Debug, Default)]
pub struct NodeTable {
    records: Vec<u64>,
    /// The generation counted down from `OLDEST`, in its place.
    stamp: u64,
}

/// How a node was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRecord {
    /// Cheapest cost so far, in units of `Cost`.
    pub cost: u32,
    /// The label of the last step; [`NodeTable::BEGIN`] where the search began.
    pub label: u8,
}

const COST_SHIFT: u32 = 8;
const STAMP_SHIFT: u32 = 40;
const STAMP_ONE: u64 = 1 << STAMP_SHIFT;
const OLDEST: u64 = u64::MAX;

impl NodeTable {
    /// The label of nodes where the search began.
    pub const BEGIN: u8 = u8::MAX;

    /// Bytes the table must grow by to hold `n_nodes`.
    pub fn growth_for(&self, n_nodes: u32) -> u64 {
        let missing = (n_nodes as usize).saturating_sub(self.records.capacity());
        (missing * size_of::<u64>()) as u64
    }

    /// Forgets everything and makes room for nodes 0 to `n_nodes` - 1.
    pub fn clear(&mut self, n_nodes: u32) {
        let n_nodes = n_nodes as usize;
        if self.records.len() < n_nodes {
            self.records.reserve_exact(n_nodes - self.records.len());
            self.records.resize(n_nodes, OLDEST);
        }
        if self.stamp < STAMP_ONE {
            self.records.fill(OLDEST);
            self.stamp = OLDEST & !(STAMP_ONE - 1);
        }
        self.stamp -= STAMP_ONE;
    }

    /// Notes that `node` was reached at `cost` over a step labeled `label`, if that is cheaper
    /// than what is known; true if it is.
    #[inline]
    pub fn improve(&mut self, node: u32, cost: u32, label: u8) -> bool {
        let record = self.stamp | u64::from(cost) << COST_SHIFT;
        let old = &mut self.records[node as usize];
        // With all bits of the label set, an equal cost is never below the old record.
        let is_cheaper = record | u64::from(u8::MAX) < *old;
        if is_cheaper {
            *old = record | u64::from(label);
        }
        is_cheaper
    }

    /// How `node` was reached; `None` if it was not, in this search.
    #[inline]
    pub fn arrival(&self, node: u32) -> Option<NodeRecord> {
        let record = *self.records.get(node as usize)?;
        (record >> STAMP_SHIFT == self.stamp >> STAMP_SHIFT).then(|| Self::unpack(record))
    }

    /// How `node`, which was reached in this search, was reached.
    #[inline]
    pub(super) fn known(&self, node: u32) -> NodeRecord {
        Self::unpack(self.records[node as usize])
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "fields of a packed word")]
    const fn unpack(record: u64) -> NodeRecord {
        NodeRecord {
            cost: (record >> COST_SHIFT) as u32,
            label: record as u8,
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.records.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests;
