//! Consumers of query entries: gather indices, or visit them.

use std::ops::ControlFlow;

use super::BodySet;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::level::BinEntry;
use super::query::CompiledFilter;

/// Consumes runs of bin entries.
pub(super) trait Sink {
    /// Entries that may overlap the footprint; false to stop.
    fn partial(&mut self, entries: &[BinEntry], has_wide: bool) -> bool;
    /// Entries inside the footprint; false to stop.
    fn inside(&mut self, entries: &[BinEntry]) -> bool;
    /// Counts visited bins.
    fn add_bins(&mut self, n_bins: u64);
}

/// Gathers indices without a branch per entry.
pub(super) struct Gather<'a, P, const UNFILTERED: bool> {
    pub(super) bodies: &'a BodySet,
    pub(super) probe: P,
    pub(super) footprint: &'a Footprint,
    pub(super) compiled: CompiledFilter,
    pub(super) hits: &'a mut QueryHits,
}

impl<P: Fn(i32, i32) -> bool + Copy, const UNFILTERED: bool> Sink for Gather<'_, P, UNFILTERED> {
    #[inline]
    fn partial(&mut self, entries: &[BinEntry], has_wide: bool) -> bool {
        let passes = |entry: &BinEntry| UNFILTERED || self.compiled.passes(self.bodies, entry);
        // A copy, so that stores cannot alias it.
        let contains = self.probe;
        let buffer = self.hits.reserve(entries.len());
        let n_hits = if has_wide {
            // The exact overlap of a shape takes longest.
            gather(entries, buffer, |entry| {
                passes(entry)
                    && (contains(entry.x, entry.y)
                        || self.bodies.overlaps_extended(self.footprint, entry))
            })
        } else if UNFILTERED {
            gather_by_four(entries, buffer, contains)
        } else {
            gather(entries, buffer, |entry| {
                contains(entry.x, entry.y) && passes(entry)
            })
        };
        self.hits.commit(n_hits);
        self.hits.stats.tests += entries.len() as u64;
        true
    }

    #[inline]
    fn inside(&mut self, entries: &[BinEntry]) -> bool {
        let buffer = self.hits.reserve(entries.len());
        let n_hits = if UNFILTERED {
            for (out, entry) in buffer.iter_mut().zip(entries) {
                *out = entry.index;
            }
            entries.len()
        } else {
            gather(entries, buffer, |entry| {
                self.compiled.passes(self.bodies, entry)
            })
        };
        self.hits.commit(n_hits);
        self.hits.stats.skips += entries.len() as u64;
        true
    }

    #[inline]
    fn add_bins(&mut self, n_bins: u64) {
        self.hits.stats.bins += n_bins;
    }
}

/// Writes the indices of accepted entries without a branch per entry; returns their number.
#[inline]
fn gather(entries: &[BinEntry], buffer: &mut [u32], accepts: impl Fn(&BinEntry) -> bool) -> usize {
    let mut n_hits = 0;
    for entry in entries {
        buffer[n_hits] = entry.index;
        n_hits += usize::from(accepts(entry));
    }
    n_hits
}

/// [`gather`] by position, four entries at a time.
#[inline]
fn gather_by_four(
    entries: &[BinEntry],
    buffer: &mut [u32],
    contains: impl Fn(i32, i32) -> bool,
) -> usize {
    let mut n_hits = 0;
    let (fours, rest) = entries.as_chunks::<4>();
    for four in fours {
        let Some(out) = buffer[n_hits..].first_chunk_mut::<4>() else {
            break; // Unreachable: the buffer fits all entries.
        };
        let [a, b, c, d] = four;
        let accepts = |entry: &BinEntry| usize::from(contains(entry.x, entry.y));
        let before_b = accepts(a);
        let before_c = before_b + accepts(b);
        let before_d = before_c + accepts(c);
        out[0] = a.index;
        out[before_b] = b.index;
        out[before_c] = c.index;
        out[before_d] = d.index;
        n_hits += before_d + accepts(d);
    }
    let rest = gather(rest, &mut buffer[n_hits..], |entry| {
        contains(entry.x, entry.y)
    });
    n_hits + rest
}

/// Calls a function for each hit.
pub(super) struct Visit<'a, P, F> {
    pub(super) bodies: &'a BodySet,
    pub(super) probe: P,
    pub(super) footprint: &'a Footprint,
    pub(super) compiled: CompiledFilter,
    pub(super) visit: F,
    pub(super) stats: QueryStats,
}

impl<P: Fn(i32, i32) -> bool, F: FnMut(u32) -> ControlFlow<()>> Sink for Visit<'_, P, F> {
    fn partial(&mut self, entries: &[BinEntry], has_wide: bool) -> bool {
        for entry in entries {
            self.stats.tests += 1;
            let is_hit = self.compiled.passes(self.bodies, entry)
                && ((self.probe)(entry.x, entry.y)
                    || (has_wide && self.bodies.overlaps_extended(self.footprint, entry)));
            if is_hit && (self.visit)(entry.index).is_break() {
                return false;
            }
        }
        true
    }

    fn inside(&mut self, entries: &[BinEntry]) -> bool {
        for entry in entries {
            self.stats.skips += 1;
            let is_hit = self.compiled.passes(self.bodies, entry);
            if is_hit && (self.visit)(entry.index).is_break() {
                return false;
            }
        }
        true
    }

    fn add_bins(&mut self, n_bins: u64) {
        self.stats.bins += n_bins;
    }
}
