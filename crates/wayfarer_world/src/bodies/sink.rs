//! What is done with those who stand in a square: most are written down, some are shown to the caller.

use std::ops::ControlFlow;

use super::BodySet;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::level::Slot;
use super::query::Sieve;

/// Takes runs of slots.
pub(super) trait Sink {
    /// Those who may or may not belong to the footprint; false to end.
    fn partial(&mut self, slots: &[Slot], has_wide: bool) -> bool;
    /// Those who do; false to end.
    fn inside(&mut self, slots: &[Slot]) -> bool;
    /// Squares that were looked at.
    fn looked_at(&mut self, n_squares: u64);
}

/// Gathers indices without a branch for each.
pub(super) struct Gather<'a, P, const PLAIN: bool> {
    pub(super) bodies: &'a BodySet,
    pub(super) probe: P,
    pub(super) footprint: &'a Footprint,
    pub(super) sieve: Sieve,
    pub(super) found: &'a mut QueryHits,
}

impl<P: Fn(i32, i32) -> bool + Copy, const PLAIN: bool> Sink for Gather<'_, P, PLAIN> {
    #[inline]
    fn partial(&mut self, slots: &[Slot], has_wide: bool) -> bool {
        let passes = |slot: &Slot| PLAIN || self.sieve.passes(self.bodies, slot);
        // A copy, which nothing that is written can change.
        let holds = self.probe;
        let room = self.found.room_for(slots.len());
        let n_found = if has_wide {
            gather(slots, room, |slot| {
                (holds(slot.x, slot.y) || self.bodies.touches_wide(self.footprint, slot))
                    && passes(slot)
            })
        } else if PLAIN {
            gather_fours(slots, room, holds)
        } else {
            gather(slots, room, |slot| holds(slot.x, slot.y) && passes(slot))
        };
        self.found.took(n_found);
        self.found.work.tests += slots.len() as u64;
        true
    }

    #[inline]
    fn inside(&mut self, slots: &[Slot]) -> bool {
        let room = self.found.room_for(slots.len());
        let n_found = if PLAIN {
            for (place, slot) in room.iter_mut().zip(slots) {
                *place = slot.index;
            }
            slots.len()
        } else {
            gather(slots, room, |slot| self.sieve.passes(self.bodies, slot))
        };
        self.found.took(n_found);
        self.found.work.skips += slots.len() as u64;
        true
    }

    #[inline]
    fn looked_at(&mut self, n_squares: u64) {
        self.found.work.squares += n_squares;
    }
}

/// Writes the indices of those who are wanted, without a branch for each; gives how many.
#[inline]
fn gather(slots: &[Slot], room: &mut [u32], wants: impl Fn(&Slot) -> bool) -> usize {
    let mut n_found = 0;
    for slot in slots {
        room[n_found] = slot.index;
        n_found += usize::from(wants(slot));
    }
    n_found
}

/// The same for those whose position is wanted, four at a time.
#[inline]
fn gather_fours(slots: &[Slot], room: &mut [u32], holds: impl Fn(i32, i32) -> bool) -> usize {
    let mut n_found = 0;
    let (fours, rest) = slots.as_chunks::<4>();
    for four in fours {
        let Some(places) = room[n_found..].first_chunk_mut::<4>() else {
            break; // Cannot be: there is room for all.
        };
        let [a, b, c, d] = four;
        let is_wanted = |slot: &Slot| usize::from(holds(slot.x, slot.y));
        let before_b = is_wanted(a);
        let before_c = before_b + is_wanted(b);
        let before_d = before_c + is_wanted(c);
        places[0] = a.index;
        places[before_b] = b.index;
        places[before_c] = c.index;
        places[before_d] = d.index;
        n_found += before_d + is_wanted(d);
    }
    let rest = gather(rest, &mut room[n_found..], |slot| holds(slot.x, slot.y));
    n_found + rest
}

/// Calls a function for each.
pub(super) struct Visit<'a, P, F> {
    pub(super) bodies: &'a BodySet,
    pub(super) probe: P,
    pub(super) footprint: &'a Footprint,
    pub(super) sieve: Sieve,
    pub(super) visit: F,
    pub(super) work: QueryStats,
}

impl<P: Fn(i32, i32) -> bool, F: FnMut(u32) -> ControlFlow<()>> Sink for Visit<'_, P, F> {
    fn partial(&mut self, slots: &[Slot], has_wide: bool) -> bool {
        for slot in slots {
            self.work.tests += 1;
            let is_hit = ((self.probe)(slot.x, slot.y)
                || (has_wide && self.bodies.touches_wide(self.footprint, slot)))
                && self.sieve.passes(self.bodies, slot);
            if is_hit && (self.visit)(slot.index).is_break() {
                return false;
            }
        }
        true
    }

    fn inside(&mut self, slots: &[Slot]) -> bool {
        for slot in slots {
            self.work.skips += 1;
            let is_hit = self.sieve.passes(self.bodies, slot);
            if is_hit && (self.visit)(slot.index).is_break() {
                return false;
            }
        }
        true
    }

    fn looked_at(&mut self, n_squares: u64) {
        self.work.squares += n_squares;
    }
}
