//! Lists that a small change has spoiled, until somebody needs them and they are mended.
//!
//! They stay in their registers: what was looked at where nothing changed still counts.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a list is as long as the cache allows"
)]

use wayfarer_base::Rect;

use super::{Cache, Draft, List, Packed, push, words_of};

/// A list, and where cells changed that it may have looked at.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Spoiled {
    pub(in super::super) list: u32,
    /// Its words as they were, or `NOTHING` if this is free; then `list` is the next free one.
    packed: Packed,
    pub(in super::super) changed: Rect,
}

/// More lists than this are not kept to be mended.
const MOST_SPOILED: usize = 1 << 12;

/// Lists are not mended where the changes spread over more rows and columns than this together:
/// looking around anew would take no longer.
const MOST_LINES: i32 = 12;

impl Cache {
    /// Notes that cells changed that a list may have looked at. False if it cannot be mended.
    pub(super) fn spoil(&mut self, number: u32, rect: Rect) -> bool {
        let list = &self.lists[number as usize];
        let is_near = |low: i32, high: i32, at: i32| {
            low <= at.saturating_add(1) && high >= at.saturating_sub(1)
        };
        // Next to the place, where it is worth to look may be another matter now.
        if is_near(rect.low.x, rect.high.x, list.x) && is_near(rect.low.y, rect.high.y, list.y) {
            return false;
        }
        let packed = &mut self.places[list.place as usize].lists[usize::from(list.arrival)];
        let changed = match packed.spoiled() {
            Some(known) => {
                let known = &mut self.spoiled[known as usize].changed;
                *known = known.including(rect.low).including(rect.high);
                *known
            }
            None => rect,
        };
        if changed.high.x - changed.low.x + changed.high.y - changed.low.y > MOST_LINES {
            return false;
        }
        if packed.spoiled().is_some() {
            return true;
        }
        let entry = Spoiled {
            list: number,
            packed: *packed,
            changed,
        };
        let at = self.free_spoiled;
        let at = if let Some(free) = self.spoiled.get_mut(at as usize) {
            self.free_spoiled = free.list;
            *free = entry;
            at
        } else if self.spoiled.len() < MOST_SPOILED {
            push(&mut self.spoiled, entry);
            self.spoiled.len() as u32 - 1
        } else {
            return false;
        };
        *packed = Packed(at << Packed::SHIFT | Packed::SPOILED);
        true
    }

    pub(super) fn free(&mut self, spoiled: u32) {
        let entry = &mut self.spoiled[spoiled as usize];
        (entry.list, entry.packed) = (self.free_spoiled, Packed::NOTHING);
        self.free_spoiled = spoiled;
    }

    /// The list of a slot, if it is spoiled and may be mended.
    #[inline]
    pub(in super::super) fn spoiled(&self, slot: u32) -> Option<Spoiled> {
        let place = self.places.get((slot >> 3) as usize)?;
        let number = place.list(slot).spoiled()?;
        Some(self.spoiled[number as usize])
    }

    /// What was looked at to make a list, and its edges: place and way of arrival, and cost.
    pub(in super::super) fn former(&self, spoiled: &Spoiled) -> (&List, &[[u32; 2]]) {
        let words = &self.words[spoiled.packed.words()];
        let edges = words.get(2..).unwrap_or_default();
        (&self.lists[spoiled.list as usize], edges.as_chunks().0)
    }

    /// Puts what is seen now in the place of a list that was spoiled, or behind all others if it
    /// takes more room and `may_grow`. False if that cannot be, or if looks went farther than its
    /// registers know.
    pub(in super::super) fn mend(
        &mut self,
        spoiled: &Spoiled,
        draft: &Draft,
        edges: &[u32],
        may_grow: bool,
    ) -> bool {
        let list = &mut self.lists[spoiled.list as usize];
        let most = |numbers: [u32; 4]| numbers.into_iter().max();
        let is_as_far = (draft.reach.iter().zip(list.reach))
            .all(|(now, before)| *now <= before.into())
            && most(draft.diagonals) <= most(list.diagonals.map(u32::from));
        let has_room = edges.len() <= usize::from(list.room);
        let can_move = may_grow && edges.len() <= Packed::MOST_EDGES;
        if !is_as_far || !has_room && !can_move {
            return false;
        }
        list.diagonals = draft.diagonals.map(|n_cells| n_cells as u16);
        let first = if has_room {
            let first = spoiled.packed.words().start;
            for (word, now) in self.words[first..].iter_mut().zip(words_of(draft, edges)) {
                *word = now;
            }
            first
        } else {
            list.room = edges.len() as u16;
            let first = self.words.len();
            for word in words_of(draft, edges) {
                push(&mut self.words, word);
            }
            first
        };
        let packed = &mut self.places[list.place as usize].lists[usize::from(list.arrival)];
        let number = packed.spoiled();
        *packed = Packed((first << Packed::SHIFT | edges.len()) as u32);
        if let Some(number) = number {
            self.free(number);
        }
        true
    }
}

#[cfg(test)]
impl Cache {
    /// The words of the list of a slot, if it counts.
    pub(in super::super) fn list_words(&self, slot: u32) -> Option<&[u32]> {
        let packed = self.places.get((slot >> 3) as usize)?.list(slot);
        packed.is_there().then(|| &self.words[packed.words()])
    }

    /// The words that a list would have.
    pub(in super::super) fn words_now(&self, draft: &Draft, edges: &[u32]) -> Vec<u32> {
        words_of(draft, edges).collect()
    }
}
