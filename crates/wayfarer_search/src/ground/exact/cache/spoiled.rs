//! Lists that a small change has spoiled, until somebody needs them and they are mended.
//!
//! They stay in their registers: what was looked at where nothing changed still counts.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a list is as long as the cache allows"
)]

use wayfarer_base::Rect;

use super::super::mend::Again;
#[cfg(test)]
use super::words_of;
use super::{Cache, Draft, List, Packed, diagonals_of, push};

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
        let edges = &self.words.as_chunks().0[spoiled.packed.pairs()];
        (
            &self.lists[spoiled.list as usize],
            edges.get(1..).unwrap_or_default(),
        )
    }

    /// Gives a spoiled list back as it was: nothing changed that it looked at.
    pub(in super::super) fn restore(&mut self, spoiled: &Spoiled) -> Packed {
        let list = &self.lists[spoiled.list as usize];
        let packed = &mut self.places[list.place as usize].lists[usize::from(list.arrival)];
        let number = packed.spoiled();
        *packed = spoiled.packed;
        if let Some(number) = number {
            self.free(number);
        }
        spoiled.packed
    }

    /// Puts what the looks that were taken again see now, `edges` in the order of the draft, in the
    /// place of what they saw before. The list stays where it is, or goes behind all others if it
    /// takes more room and `may_grow`. `None` if that cannot be, or if looks went farther than its
    /// registers know.
    pub(in super::super) fn mend(
        &mut self,
        spoiled: &Spoiled,
        again: &Again,
        draft: &mut Draft,
        edges: &[u32],
        may_grow: bool,
    ) -> Option<Packed> {
        let list = &mut self.lists[spoiled.list as usize];
        let most = |numbers: [u32; 4]| numbers.into_iter().max();
        let is_as_far = (draft.reach.iter().zip(list.reach))
            .all(|(now, before)| *now <= before.into())
            && most(draft.diagonals) <= most(list.diagonals.map(u32::from));
        if !is_as_far {
            return None;
        }
        // What stays, in order.
        let (words, places) = (self.words.as_chunks().0, &self.places);
        let at = |slot: u32| places[(slot >> 3) as usize].at();
        let mended = &mut draft.mended;
        mended.clear();
        let former = words[spoiled.packed.pairs()].iter().skip(1);
        mended.extend(former.filter(|[slot, _]| !again.is_taken(at(*slot))));
        let n_edges = mended.len() + edges.len();
        let has_room = n_edges <= usize::from(list.room);
        if !(has_room || may_grow && n_edges <= Packed::MOST_EDGES) {
            return None;
        }
        // The last of what is new goes in first, so that the others stay where they are.
        let mut end = mended.len();
        for (edge, sight) in edges.iter().zip(&draft.sights).rev() {
            let order = again.order_of((sight.x, sight.y));
            let is_before = |[slot, _]: &[u32; 2]| again.order_of(at(*slot)) < order;
            end = mended[..end].partition_point(is_before);
            mended.insert(end, [*edge, sight.cost as u32]);
        }
        list.diagonals = draft.diagonals.map(|n_cells| n_cells as u16);
        let words = [diagonals_of(draft)]
            .into_iter()
            .chain(draft.mended.iter().copied());
        let first = if has_room {
            let first = spoiled.packed.words().start;
            for (word, now) in self.words[first..].iter_mut().zip(words.flatten()) {
                *word = now;
            }
            first
        } else {
            list.room = n_edges as u16;
            let first = self.words.len();
            for word in words.flatten() {
                push(&mut self.words, word);
            }
            first
        };
        let packed = &mut self.places[list.place as usize].lists[usize::from(list.arrival)];
        let number = packed.spoiled();
        let now = Packed((first << Packed::SHIFT | n_edges) as u32);
        *packed = now;
        if let Some(number) = number {
            self.free(number);
        }
        Some(now)
    }
}

#[cfg(test)]
impl Cache {
    /// True if every place is found by its sheet.
    pub(in super::super) fn finds_all_by_sheet(&self) -> bool {
        (0..).zip(&self.stands).all(|(number, stand)| {
            let slot = super::slot_of_sheet(stand.node.index() >> 8, self.sheet_table.len() - 1);
            let first = self.sheet_table[slot];
            let next = |at: &u32| self.stands.get(*at as usize).map(|stand| stand.next);
            std::iter::successors(Some(first), next).any(|at| at == number)
        })
    }

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
