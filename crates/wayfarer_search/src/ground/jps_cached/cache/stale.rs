//! Lists that a small change has spoiled, until somebody needs them and they are repaired.
//!
//! They stay in their registers: what was looked at where nothing changed still counts.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a list is as long as the cache allows"
)]

use wayfarer_base::Rect;

use super::super::list_repair::Again;
#[cfg(test)]
use super::words_of;
use super::{Cache, SuccessorList, SuccessorRef, SuccessorScan, diagonals_of, push};

/// A list, and where cells changed that it may have looked at.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct StaleList {
    pub(in super::super) list: u32,
    /// Its words as they were, or `NOTHING` if this is free; then `list` is the next free one.
    packed: SuccessorRef,
    pub(in super::super) changed: Rect,
}

/// More lists than this are not kept to be repaired.
const MAX_STALE: usize = 1 << 12;

/// Lists are not repaired where the changes spread over more rows and columns than this together:
/// looking around anew would take no longer.
const MAX_LINES: i32 = 12;

impl Cache {
    /// Notes that cells changed that a list may have looked at. False if it cannot be repaired.
    pub(super) fn spoil(&mut self, number: u32, rect: Rect) -> bool {
        let list = &self.lists[number as usize];
        let is_near = |low: i32, high: i32, at: i32| {
            low <= at.saturating_add(1) && high >= at.saturating_sub(1)
        };
        // Next to the place, where it is worth to look may be another matter now.
        if is_near(rect.low.x, rect.high.x, list.x) && is_near(rect.low.y, rect.high.y, list.y) {
            return false;
        }
        let packed = &mut self.locations[list.place as usize].lists[usize::from(list.arrival)];
        let changed = match packed.stale() {
            Some(known) => {
                let known = &mut self.stale[known as usize].changed;
                *known = known.including(rect.low).including(rect.high);
                *known
            }
            None => rect,
        };
        if changed.high.x - changed.low.x + changed.high.y - changed.low.y > MAX_LINES {
            return false;
        }
        if packed.stale().is_some() {
            return true;
        }
        let entry = StaleList {
            list: number,
            packed: *packed,
            changed,
        };
        let at = self.free_stale;
        let at = if let Some(free) = self.stale.get_mut(at as usize) {
            self.free_stale = free.list;
            *free = entry;
            at
        } else if self.stale.len() < MAX_STALE {
            push(&mut self.stale, entry);
            self.stale.len() as u32 - 1
        } else {
            return false;
        };
        *packed = SuccessorRef(at << SuccessorRef::SHIFT | SuccessorRef::STALE);
        true
    }

    pub(super) fn free(&mut self, stale: u32) {
        let entry = &mut self.stale[stale as usize];
        (entry.list, entry.packed) = (self.free_stale, SuccessorRef::NOTHING);
        self.free_stale = stale;
    }

    /// The list of a slot, if it is spoiled and may be repaired.
    #[inline]
    pub(in super::super) fn stale(&self, slot: u32) -> Option<StaleList> {
        let location = self.locations.get((slot >> 3) as usize)?;
        let number = location.list(slot).stale()?;
        Some(self.stale[number as usize])
    }

    /// What was looked at to make a list, and its edges: place and way of arrival, and cost.
    pub(in super::super) fn previous(&self, stale: &StaleList) -> (&SuccessorList, &[[u32; 2]]) {
        let edges = &self.words.as_chunks().0[stale.packed.pairs()];
        (
            &self.lists[stale.list as usize],
            edges.get(1..).unwrap_or_default(),
        )
    }

    /// Gives a spoiled list back as it was: nothing changed that it looked at.
    pub(in super::super) fn restore(&mut self, stale: &StaleList) -> SuccessorRef {
        let list = &self.lists[stale.list as usize];
        let packed = &mut self.locations[list.place as usize].lists[usize::from(list.arrival)];
        let number = packed.stale();
        *packed = stale.packed;
        if let Some(number) = number {
            self.free(number);
        }
        stale.packed
    }

    /// Puts what the looks that were taken again see now, `edges` in the order of the draft, in the
    /// place of what they saw before. The list stays where it is, or goes behind all others if it
    /// takes more room and `may_grow`. `None` if that cannot be, or if looks went farther than its
    /// registers know.
    pub(in super::super) fn repair(
        &mut self,
        stale: &StaleList,
        again: &Again,
        draft: &mut SuccessorScan,
        edges: &[u32],
        may_grow: bool,
    ) -> Option<SuccessorRef> {
        let list = &mut self.lists[stale.list as usize];
        let most = |numbers: [u32; 4]| numbers.into_iter().max();
        let is_as_far = (draft.reach.iter().zip(list.reach))
            .all(|(now, before)| *now <= before.into())
            && most(draft.diagonals) <= most(list.diagonals.map(u32::from));
        if !is_as_far {
            return None;
        }
        // What stays, in order.
        let (words, locations) = (self.words.as_chunks().0, &self.locations);
        let at = |slot: u32| locations[(slot >> 3) as usize].at();
        let repaired = &mut draft.repaired;
        repaired.clear();
        let previous = words[stale.packed.pairs()].iter().skip(1);
        repaired.extend(previous.filter(|[slot, _]| !again.is_taken(at(*slot))));
        let n_edges = repaired.len() + edges.len();
        let has_room = n_edges <= usize::from(list.room);
        if !(has_room || may_grow && n_edges <= SuccessorRef::MAX_EDGES) {
            return None;
        }
        // The last of what is new goes in first, so that the others stay where they are.
        let mut end = repaired.len();
        for (edge, sight) in edges.iter().zip(&draft.sights).rev() {
            let order = again.order_of((sight.x, sight.y));
            let is_before = |[slot, _]: &[u32; 2]| again.order_of(at(*slot)) < order;
            end = repaired[..end].partition_point(is_before);
            repaired.insert(end, [*edge, sight.cost as u32]);
        }
        list.diagonals = draft.diagonals.map(|n_cells| n_cells as u16);
        let words = [diagonals_of(draft)]
            .into_iter()
            .chain(draft.repaired.iter().copied());
        let first = if has_room {
            let first = stale.packed.words().start;
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
        let packed = &mut self.locations[list.place as usize].lists[usize::from(list.arrival)];
        let number = packed.stale();
        let now = SuccessorRef((first << SuccessorRef::SHIFT | n_edges) as u32);
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
        let packed = self.locations.get((slot >> 3) as usize)?.list(slot);
        packed.is_there().then(|| &self.words[packed.words()])
    }

    /// The words that a list would have.
    pub(in super::super) fn words_now(&self, draft: &SuccessorScan, edges: &[u32]) -> Vec<u32> {
        words_of(draft, edges).collect()
    }
}
