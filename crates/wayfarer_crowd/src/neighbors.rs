//! Neighbors of each agent: a grid of agents sorted by bin, and lists refreshed by turns.
//!
//! A list holds every agent that may come into contact before its next refresh, then the nearest
//! others in range. Refreshing one part of the crowd per tick keeps ticks even. Agents are registered
//! less often than they move: queries reach farther by the distance that they may have drifted, and
//! compare where they are now, so lists do not depend on when that was.

use crate::vector::{Vec2, floor};

/// Agents in one list.
pub(crate) const MAX_NEIGHBORS: usize = 16;
/// Of these, agents that are near but cannot come into contact before the next refresh.
const MAX_DISTANT: usize = 10;
/// Ticks between two refreshes of a list.
pub(crate) const REFRESH_TICKS: u32 = 4;
/// Bins per cell, in a dense crowd and in a thin one: powers of two, so that bins are exact. Most of a
/// query in a thin crowd is to go through rows without agents.
const DENSE: f64 = 0.5;
const THIN: f64 = 0.125;
/// Agents in the bin of an agent, in the mean, below which bins become large, and above which small. Large
/// bins hold up to four times as many, which is less than the second.
const FEW: u64 = 2;
const MANY: u64 = 6;
/// Bins along a side of a block, as a power of two: bins of one block lie together in memory.
const BLOCK_BITS: u32 = 3;
/// Fewest blocks along a side of the torus, as a power of two: 128 cells, more than any query covers.
const MIN_TORUS_BITS: u32 = 3;

/// More than distances are wrong by, in cells.
const ROUNDING: f64 = 1e-6;

/// What the grid knows of an agent.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    position: Vec2,
    slot: u32,
    bucket: u32,
}

/// An agent as it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Presence {
    pub(crate) slot: u32,
    pub(crate) position: Vec2,
    pub(crate) radius: f64,
    /// Body from its floor to its head, in height steps.
    pub(crate) span: (i32, i32),
}

/// A grid of agents, sorted by bin. The plane is wrapped into a torus of blocks of bins: bins beside each
/// other lie beside each other in memory, whatever the size of the world.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    torus_bits: u32,
    /// Those of this registration and of the next: they follow the crowd, lists do not depend on them.
    bins_per_cell: f64,
    next_bins_per_cell: f64,
    /// First entry of each bucket, and the end.
    begins: Vec<u32>,
    entries: Vec<Entry>,
    unsorted: Vec<Entry>,
}

impl Default for Grid {
    fn default() -> Self {
        Self {
            torus_bits: MIN_TORUS_BITS,
            bins_per_cell: DENSE,
            next_bins_per_cell: DENSE,
            begins: Vec::new(),
            entries: Vec::new(),
            unsorted: Vec::new(),
        }
    }
}

impl Grid {
    /// Registers all agents.
    pub(crate) fn rebuild(&mut self, agents: impl Iterator<Item = (u32, Vec2)>) {
        self.unsorted.clear();
        self.unsorted.extend(agents.map(|(slot, position)| Entry {
            position,
            slot,
            bucket: 0,
        }));
        self.bins_per_cell = self.next_bins_per_cell;
        self.torus_bits = MIN_TORUS_BITS;
        // Places that the torus lays onto each other cost each other's queries: most buckets are empty.
        while 1 << (2 * (self.torus_bits + BLOCK_BITS)) < 2 * self.unsorted.len() {
            self.torus_bits += 1;
        }
        let n_buckets = 1_usize << (2 * (self.torus_bits + BLOCK_BITS));
        // Counts lie one behind: while entries are placed, they become the first of each bucket.
        self.begins.clear();
        self.begins.resize(n_buckets + 2, 0);
        let bin_of = |at: f64| floor(at * self.bins_per_cell);
        for entry in &mut self.unsorted {
            let bin = (bin_of(entry.position.x), bin_of(entry.position.y));
            let bucket = bucket(bin, self.torus_bits);
            entry.bucket = u32::try_from(bucket).unwrap_or(u32::MAX);
            self.begins[bucket + 2] += 1;
        }
        let (mut last, mut squares) = (0, 0);
        for begin in &mut self.begins[2..] {
            squares += u64::from(*begin) * u64::from(*begin);
            last += *begin;
            *begin = last;
        }
        self.entries.clear();
        self.entries.resize(self.unsorted.len(), Entry::default());
        for entry in &self.unsorted {
            let cursor = &mut self.begins[entry.bucket as usize + 1];
            self.entries[*cursor as usize] = *entry;
            *cursor += 1;
        }
        let n = u64::from(last);
        if squares < FEW * n {
            self.next_bins_per_cell = (self.bins_per_cell * 0.5).max(THIN);
        } else if squares > MANY * n {
            self.next_bins_per_cell = (self.bins_per_cell * 2.0).min(DENSE);
        }
    }

    /// The slots of the registered agents, by bin.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().map(|entry| entry.slot)
    }

    fn bin_of(&self, coordinate: f64) -> i32 {
        floor(coordinate * self.bins_per_cell)
    }

    /// Calls `visit` with every agent of a row of bins registered within `range` of a position along x, and
    /// with some others.
    #[inline]
    fn for_each_in_row(&self, (x, y): (f64, i32), range: f64, mut visit: impl FnMut(&Entry)) {
        let (low, high) = (self.bin_of(x - range), self.bin_of(x + range));
        debug_assert!(high - low < self.side(), "{range} is more than the torus");
        let last_of_block = (1 << BLOCK_BITS) - 1;
        let mut x = low;
        while x <= high {
            let last = (x | last_of_block).min(high);
            let begin = self.begins[bucket((x, y), self.torus_bits)] as usize;
            let end = self.begins[bucket((last, y), self.torus_bits) + 1] as usize;
            self.entries[begin..end].iter().for_each(&mut visit);
            let Some(next) = last.checked_add(1) else {
                break;
            };
            x = next;
        }
    }

    /// Bins around the torus.
    const fn side(&self) -> i32 {
        1 << (self.torus_bits + BLOCK_BITS)
    }

    /// Finds neighbors of `agent`. Rows of bins are visited from its own outward, until no agent farther
    /// out can be among those listed.
    fn find(&self, agent: &Presence, now: &impl Fn(u32) -> Presence, found: &mut Found) {
        if self.entries.is_empty() {
            return;
        }
        let at = agent.position;
        let visit_row = |found: &mut Found, y: i32| {
            self.for_each_in_row((at.x, y), found.range, |entry| {
                let squared = (entry.position - at).length_squared();
                if squared <= found.range * found.range && entry.slot != agent.slot {
                    found.visit(agent, &now(entry.slot));
                }
            });
        };
        let own = self.bin_of(at.y);
        visit_row(found, own);
        let (mut after, mut before) = (own, own);
        loop {
            let is_after = after < self.bin_of(at.y + found.range);
            if is_after {
                after += 1;
                visit_row(found, after);
            }
            let is_before = before > self.bin_of(at.y - found.range);
            if is_before {
                before -= 1;
                visit_row(found, before);
            }
            if !is_after && !is_before {
                break;
            }
        }
    }

    /// True if a test holds for all agents registered within `range` of a position.
    pub(crate) fn all_near(&self, at: Vec2, range: f64, mut test: impl FnMut(u32) -> bool) -> bool {
        let mut is_all = true;
        if self.entries.is_empty() {
            return is_all;
        }
        let (low, high) = (self.bin_of(at.y - range), self.bin_of(at.y + range));
        for y in low..=high {
            self.for_each_in_row((at.x, y), range, |entry| is_all &= test(entry.slot));
        }
        is_all
    }
}

/// The bucket of a bin: row by row within its block, blocks row by row within the torus.
#[inline]
fn bucket((x, y): (i32, i32), torus_bits: u32) -> usize {
    let (x, y) = (x.cast_unsigned(), y.cast_unsigned());
    let within = (1 << BLOCK_BITS) - 1;
    let around = (1 << torus_bits) - 1;
    let block = ((y >> BLOCK_BITS & around) << torus_bits) | (x >> BLOCK_BITS & around);
    ((block << (2 * BLOCK_BITS)) | ((y & within) << BLOCK_BITS) | (x & within)) as usize
}

/// The neighbors of one agent, nearest first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NeighborList {
    slots: [u32; MAX_NEIGHBORS],
    len: u8,
    /// How many of the first may come into contact before the next refresh.
    n_contacts: u8,
    /// True if more agents may come into contact than the list holds.
    pub(crate) is_full: bool,
}

/// How far an agent looks for neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranges {
    /// Center to center, in cells.
    pub(crate) sight: f64,
    /// Gap between two bodies that may close before the next refresh.
    pub(crate) contact: f64,
    /// The largest radius of an agent.
    pub(crate) largest: f64,
    /// How far agents have moved at most since they were registered.
    pub(crate) drift: f64,
}

impl NeighborList {
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots[..usize::from(self.len)]
    }

    /// The agents that may come into contact before the next refresh.
    pub(crate) fn contacts(&self) -> &[u32] {
        &self.slots[..usize::from(self.n_contacts)]
    }

    /// A list of at most [`MAX_NEIGHBORS`] slots, the first of which may come into contact.
    pub(crate) fn from_slots(from: &[u32], n_contacts: u8) -> Self {
        let mut list = Self {
            n_contacts,
            ..Self::default()
        };
        for (to, from) in list.slots.iter_mut().zip(from) {
            *to = *from;
            list.len += 1;
        }
        list
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        if self.slots().contains(&slot) {
            let n_contacts = self.n_contacts - u8::from(self.contacts().contains(&slot));
            let mut kept = self.slots().to_vec();
            kept.retain(|at| *at != slot);
            *self = Self::from_slots(&kept, n_contacts);
        }
    }

    /// Finds the neighbors of `agent` among the registered agents, which are where `now` says.
    pub(crate) fn refresh(
        &mut self,
        grids: [&Grid; 2],
        (agent, now): (&Presence, impl Fn(u32) -> Presence),
        ranges: Ranges,
    ) {
        let mut found = Found::new(ranges, agent.radius);
        for grid in grids {
            grid.find(agent, &now, &mut found);
        }
        let len = found.sorted.len.min(MAX_DISTANT.max(found.n_contacts));
        self.slots = found.sorted.slots;
        self.len = u8::try_from(len).unwrap_or(0);
        self.n_contacts = u8::try_from(found.n_contacts.min(len)).unwrap_or(0);
        self.is_full = found.n_contacts > MAX_NEIGHBORS;
    }
}

/// The neighbors found so far.
struct Found {
    sorted: Sorted,
    /// Those that may come into contact, also beyond the limit.
    n_contacts: usize,
    /// The gap of those, and what an agent is seen nearer than where it was registered.
    contact: f64,
    nearer: f64,
    /// The square of the distance in sight.
    sight: f64,
    /// The distance from where they were registered of those that may be listed.
    range: f64,
}

impl Found {
    fn new(ranges: Ranges, radius: f64) -> Self {
        Self {
            sorted: Sorted::default(),
            n_contacts: 0,
            contact: radius + ranges.contact,
            nearer: ranges.largest + ranges.drift + ROUNDING,
            sight: ranges.sight * ranges.sight,
            range: ranges.sight + ranges.drift + ROUNDING,
        }
    }

    fn visit(&mut self, agent: &Presence, other: &Presence) {
        let squared = (other.position - agent.position).length_squared();
        let is_apart = other.span.0 >= agent.span.1 || agent.span.0 >= other.span.1;
        if squared > self.sight || is_apart {
            return;
        }
        // Sorted by the gap between the bodies, so that contacts come first.
        let gap = squared.sqrt() - other.radius;
        self.n_contacts += usize::from(gap <= self.contact);
        self.sorted.insert(gap, other.slot);
        if self.sorted.len >= MAX_DISTANT {
            let farthest = self.sorted.distances[MAX_DISTANT - 1].max(self.contact);
            self.range = self.range.min(farthest + self.nearer);
        }
    }
}

/// The nearest agents so far, ties by slot.
#[derive(Default)]
struct Sorted {
    distances: [f64; MAX_NEIGHBORS],
    slots: [u32; MAX_NEIGHBORS],
    len: usize,
}

impl Sorted {
    fn insert(&mut self, distance: f64, slot: u32) {
        let mut at = self.len;
        if at == MAX_NEIGHBORS {
            at -= 1;
            if (distance, slot) >= (self.distances[at], self.slots[at]) {
                return;
            }
        } else {
            self.len += 1;
        }
        while at > 0 && (distance, slot) < (self.distances[at - 1], self.slots[at - 1]) {
            self.distances[at] = self.distances[at - 1];
            self.slots[at] = self.slots[at - 1];
            at -= 1;
        }
        self.distances[at] = distance;
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests;
