//! Neighbors of each agent: a hashed grid sorted every tick, and lists refreshed by turns.
//!
//! A list holds every agent that may come into contact before its next refresh, then the nearest
//! others in range. Refreshing one part of the crowd per tick keeps ticks even.

use crate::vector::{Vec2, floor};

/// Agents in one list.
pub(crate) const MAX_NEIGHBORS: usize = 16;
/// Of these, agents that are near but cannot come into contact before the next refresh.
const MAX_DISTANT: usize = 10;
/// Ticks between two refreshes of a list.
pub(crate) const REFRESH_TICKS: u32 = 4;

/// What the grid knows of an agent.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    bin: (i32, i32),
    position: Vec2,
    radius: f64,
    /// Body from its floor to its head, in height steps.
    span: (i32, i32),
    slot: u32,
}

/// An agent to be registered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Presence {
    pub(crate) slot: u32,
    pub(crate) position: Vec2,
    pub(crate) radius: f64,
    pub(crate) span: (i32, i32),
}

/// A hashed grid of agents, sorted by bin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    bin_size: f64,
    mask: u32,
    /// First entry of each bucket, and the end.
    begins: Vec<u32>,
    entries: Vec<Entry>,
    unsorted: Vec<Entry>,
    cursors: Vec<u32>,
}

impl Grid {
    /// Registers all agents; bins are `bin_size` cells wide.
    pub(crate) fn rebuild(&mut self, bin_size: f64, agents: impl Iterator<Item = Presence>) {
        self.bin_size = bin_size;
        self.unsorted.clear();
        self.unsorted.extend(agents.map(|agent| Entry {
            bin: bin_of(agent.position, bin_size),
            position: agent.position,
            radius: agent.radius,
            span: agent.span,
            slot: agent.slot,
        }));
        let n_buckets = (self.unsorted.len() * 2).next_power_of_two().max(64);
        self.mask = u32::try_from(n_buckets - 1).unwrap_or(u32::MAX);
        self.begins.clear();
        self.begins.resize(n_buckets + 1, 0);
        for entry in &self.unsorted {
            self.begins[bucket(entry.bin, self.mask) + 1] += 1;
        }
        for index in 1..self.begins.len() {
            self.begins[index] += self.begins[index - 1];
        }
        self.entries.clear();
        self.entries.resize(self.unsorted.len(), Entry::default());
        self.cursors.clone_from(&self.begins);
        for entry in &self.unsorted {
            let cursor = &mut self.cursors[bucket(entry.bin, self.mask)];
            self.entries[*cursor as usize] = *entry;
            *cursor += 1;
        }
    }

    /// Calls `visit` with every agent within `range` of a position, bin by bin.
    fn for_each_near(&self, at: Vec2, range: f64, visit: &mut impl FnMut(&Entry, f64)) {
        if self.entries.is_empty() {
            return;
        }
        let low = bin_of(at - Vec2::new(range, range), self.bin_size);
        let high = bin_of(at + Vec2::new(range, range), self.bin_size);
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                self.for_each_in((x, y), (at, range), visit);
            }
        }
    }

    /// Calls `visit` with every agent of a bin within `range` of a position.
    #[inline]
    fn for_each_in(
        &self,
        bin: (i32, i32),
        (at, range): (Vec2, f64),
        visit: &mut impl FnMut(&Entry, f64),
    ) {
        if self.entries.is_empty() {
            return;
        }
        let bucket = bucket(bin, self.mask);
        let (begin, end) = (self.begins[bucket], self.begins[bucket + 1]);
        for entry in &self.entries[begin as usize..end as usize] {
            let squared = (entry.position - at).length_squared();
            if entry.bin == bin && squared <= range * range {
                visit(entry, squared);
            }
        }
    }
}

impl Grid {
    /// True if a test holds for all agents within `range` of a position.
    pub(crate) fn all_near(&self, at: Vec2, range: f64, mut test: impl FnMut(u32) -> bool) -> bool {
        let mut is_all = true;
        self.for_each_near(at, range, &mut |entry: &Entry, _| {
            is_all &= test(entry.slot);
        });
        is_all
    }
}

fn bin_of(position: Vec2, size: f64) -> (i32, i32) {
    let bin = |at: f64| floor(at / size);
    (bin(position.x), bin(position.y))
}

fn bucket((x, y): (i32, i32), mask: u32) -> usize {
    let hash =
        x.cast_unsigned().wrapping_mul(0x9e37_79b1) ^ y.cast_unsigned().wrapping_mul(0x85eb_ca77);
    ((hash ^ (hash >> 15)) & mask) as usize
}

/// The neighbors of one agent, nearest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighborList {
    slots: [u32; MAX_NEIGHBORS],
    len: u8,
    /// How many of the first may come into contact before the next refresh.
    n_contacts: u8,
    /// True if it was refreshed when the agent last woke, or since.
    pub(crate) is_fresh: bool,
    /// True if more agents may come into contact than the list holds.
    pub(crate) is_full: bool,
}

impl Default for NeighborList {
    fn default() -> Self {
        Self {
            slots: [0; MAX_NEIGHBORS],
            len: 0,
            n_contacts: 0,
            is_fresh: false,
            is_full: false,
        }
    }
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
    /// Width of the bins of both grids.
    pub(crate) bin_size: f64,
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
            let is_fresh = self.is_fresh;
            *self = Self::from_slots(&kept, n_contacts);
            self.is_fresh = is_fresh;
        }
    }

    /// Finds the neighbors of `agent` among the registered agents: bins are visited in rings around it,
    /// until no agent farther out can be among those listed. In a jam that is after the first.
    pub(crate) fn refresh(&mut self, grids: [&Grid; 2], agent: &Presence, ranges: Ranges) {
        let mut found = Sorted::default();
        let (mut n_contact, mut is_full) = (0, false);
        let at = agent.position;
        let size = ranges.bin_size;
        let reach = Vec2::new(ranges.sight, ranges.sight);
        let (center, low, high) = (
            bin_of(at, size),
            bin_of(at - reach, size),
            bin_of(at + reach, size),
        );
        let n_rings = (center.0 - low.0)
            .max(center.1 - low.1)
            .max(high.0 - center.0)
            .max(high.1 - center.1);
        let mut visit = |found: &mut Sorted, other: &Entry, squared: f64| {
            let is_apart = other.span.0 >= agent.span.1 || agent.span.0 >= other.span.1;
            if other.slot == agent.slot || is_apart {
                return;
            }
            // Sorted by the gap between the bodies, so that contacts come first.
            let gap = squared.sqrt() - other.radius;
            if gap <= agent.radius + ranges.contact {
                n_contact += 1;
                is_full |= n_contact > MAX_NEIGHBORS;
            }
            found.insert(gap, other.slot);
        };
        for ring in 0..=n_rings {
            for_each_on_ring(center, ring, |bin| {
                for grid in grids {
                    grid.for_each_in(bin, (at, ranges.sight), &mut |other, squared| {
                        visit(&mut found, other, squared);
                    });
                }
            });
            // Those not visited have a larger gap than this.
            let covered = covered(at, center, (ring, size)) - ranges.largest;
            let is_enough = found.len >= MAX_DISTANT && found.distances[MAX_DISTANT - 1] < covered;
            if is_enough && covered > agent.radius + ranges.contact {
                break;
            }
        }
        let len = found.len.min(MAX_DISTANT.max(n_contact));
        self.slots = found.slots;
        self.len = u8::try_from(len).unwrap_or(0);
        self.n_contacts = u8::try_from(n_contact.min(len)).unwrap_or(0);
        self.is_fresh = true;
        self.is_full = is_full;
    }
}

/// Calls `visit` with the bins at a distance of `ring` from a bin, by the larger coordinate.
fn for_each_on_ring((x, y): (i32, i32), ring: i32, mut visit: impl FnMut((i32, i32))) {
    for row in y - ring..=y + ring {
        let is_end = (row - y).abs() == ring;
        let step = if is_end { 1 } else { (2 * ring).max(1) };
        let mut column = x - ring;
        while column <= x + ring {
            visit((column, row));
            column += step;
        }
    }
}

/// The distance from a position to the border of the bins up to a ring around its own.
fn covered(at: Vec2, (x, y): (i32, i32), (ring, size): (i32, f64)) -> f64 {
    let side = |at: f64, bin: i32| {
        let low = at - f64::from(bin - ring) * size;
        let high = f64::from(bin + ring + 1) * size - at;
        low.min(high)
    };
    side(at.x, x).min(side(at.y, y))
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
