//! The node table of a search: lowest g found so far and the incoming edge, per node.

/// Lowest costs found so far, cleared in O(1) when the next search starts.
///
/// One 64-bit word per node: a generation that counts down, the cost, the label of the incoming
/// edge. A record of an earlier search is larger than any of the current one, so one comparison
/// detects both a stale record and an improvement. The table is rewritten once in 16 million
/// searches.
#[derive(Clone, Debug, Default)]
pub struct NodeTable {
    records: Vec<u64>,
    /// The current generation in the upper bits, counting down from `STALE`.
    stamp: u64,
}

/// How a node was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRecord {
    /// Cheapest cost so far, in units of `Cost`.
    pub cost: u32,
    /// The label of the incoming edge; [`NodeTable::START`] at the start.
    pub label: u8,
}

const COST_SHIFT: u32 = 8;
const STAMP_SHIFT: u32 = 40;
const STAMP_ONE: u64 = 1 << STAMP_SHIFT;
const STALE: u64 = u64::MAX;

impl NodeTable {
    /// The label of the start.
    pub const START: u8 = u8::MAX;

    /// Bytes the table must grow by to hold `n_nodes` nodes.
    pub fn growth_for(&self, n_nodes: u32) -> u64 {
        let missing = (n_nodes as usize).saturating_sub(self.records.capacity());
        (missing * size_of::<u64>()) as u64
    }

    /// Removes all records and makes room for nodes 0 to `n_nodes` - 1.
    pub fn clear(&mut self, n_nodes: u32) {
        let n_nodes = n_nodes as usize;
        if self.records.len() < n_nodes {
            self.records.reserve_exact(n_nodes - self.records.len());
            self.records.resize(n_nodes, STALE);
        }
        if self.stamp < STAMP_ONE {
            self.records.fill(STALE);
            self.stamp = STALE & !(STAMP_ONE - 1);
        }
        self.stamp -= STAMP_ONE;
    }

    /// Records `node` at `cost` over the edge `label` if that is cheaper than its record; returns
    /// whether it is.
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

    /// The record of `node`; `None` if this search has not generated it.
    #[inline]
    pub fn get(&self, node: u32) -> Option<NodeRecord> {
        let record = *self.records.get(node as usize)?;
        (record >> STAMP_SHIFT == self.stamp >> STAMP_SHIFT).then(|| Self::unpack(record))
    }

    /// The record of `node`, which this search has generated.
    #[inline]
    pub(super) fn record(&self, node: u32) -> NodeRecord {
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
