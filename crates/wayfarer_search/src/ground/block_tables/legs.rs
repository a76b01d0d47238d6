//! A cache of unpacked legs: the nodes between two frame cells of a block.
//!
//! Unpacking is a fixed function of the block, so results do not depend on what is cached. Entries
//! lie in a table of fixed size, where a new one replaces another of equal hash, and their nodes in
//! a ring that overwrites the oldest.

/// Entries of the table.
const N_ENTRIES: usize = 1 << 14;
/// Nodes in the ring: 2 MiB.
const N_NODES: usize = 1 << 19;

/// Version of a block, and two of its frame cells. Versions are never reused, and a rebuilt block
/// has a new one.
pub(super) type LegKey = (u32, u16, u16);

/// The legs unpacked last.
#[derive(Clone, Debug, Default)]
pub(super) struct LegCache {
    entries: Vec<Entry>,
    nodes: Vec<u32>,
    /// Nodes written to the ring since the cache was created.
    n_written: usize,
    pub(super) is_enabled: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: LegKey,
    /// `n_written` before its nodes.
    start: usize,
    len: u32,
}

impl LegCache {
    /// The nodes of a leg after its first one.
    pub(super) fn find(&self, key: LegKey) -> Option<&[u32]> {
        let entry = self.entries.get(slot(key))?;
        let is_valid = entry.key == key && entry.len > 0 && self.n_written - entry.start <= N_NODES;
        let start = entry.start % N_NODES;
        is_valid.then(|| &self.nodes[start..start + entry.len as usize])
    }

    /// Adds a leg.
    pub(super) fn insert(&mut self, key: LegKey, nodes: &[u32]) {
        if !self.is_enabled || nodes.is_empty() || nodes.len() > N_NODES / 64 {
            return;
        }
        self.entries.resize(N_ENTRIES, Entry::default());
        // A leg does not continue at the other end of the ring.
        let mut start = self.n_written % N_NODES;
        if start + nodes.len() > N_NODES {
            self.n_written += N_NODES - start;
            start = 0;
        }
        if self.nodes.len() < start + nodes.len() {
            self.nodes.resize(start + nodes.len(), 0);
        }
        self.nodes[start..start + nodes.len()].copy_from_slice(nodes);
        self.entries[slot(key)] = Entry {
            key,
            start: self.n_written,
            len: u32::try_from(nodes.len()).unwrap_or(0),
        };
        self.n_written += nodes.len();
    }

    /// Forgets all legs and their memory.
    pub(super) fn clear(&mut self) {
        (self.entries, self.nodes) = (Vec::new(), Vec::new());
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.nodes.capacity() * 4
    }
}

fn slot((version, from, to): LegKey) -> usize {
    let word = u64::from(version) << 32 | u64::from(from) << 16 | u64::from(to);
    let mixed = word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50;
    usize::try_from(mixed).unwrap_or(0) % N_ENTRIES
}

#[cfg(test)]
mod tests;
