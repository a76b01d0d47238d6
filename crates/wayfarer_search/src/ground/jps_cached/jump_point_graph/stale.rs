//! Stale lists: invalidated by a small change, and kept until an expansion repairs them.
//!
//! They stay in the block index: scans that did not cross the change remain valid.

#![expect(
    clippy::cast_possible_truncation,
    reason = "lists are as long as the cache limit allows"
)]

use wayfarer_base::Rect;

use super::super::list_repair::AffectedScans;
#[cfg(test)]
use super::words_of;
use super::{JumpPointGraph, SuccessorList, SuccessorRef, SuccessorScan, diagonal_words, push};

/// A stale list, and the bounds of the cells that changed since.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct StaleList {
    /// The list; the next free entry if this one is free.
    pub(in super::super) list: u32,
    /// Its words as they were, or `MISSING` if this entry is free.
    packed: SuccessorRef,
    pub(in super::super) changed: Rect,
}

/// At most this many lists are stale; others are removed.
const MAX_STALE: usize = 1 << 12;

/// A list is not repaired if the changes span more rows and columns together: a new scan is as
/// fast.
const MAX_LINES: i32 = 12;

impl JumpPointGraph {
    /// Marks a list stale because of changed cells. False if it cannot be repaired.
    pub(super) fn mark_stale(&mut self, id: u32, rect: Rect) -> bool {
        let list = &self.lists[id as usize];
        let is_near = |low: i32, high: i32, at: i32| {
            low <= at.saturating_add(1) && high >= at.saturating_sub(1)
        };
        // Next to the jump point, the pruned directions may have changed.
        if is_near(rect.low.x, rect.high.x, list.x) && is_near(rect.low.y, rect.high.y, list.y) {
            return false;
        }
        let packed =
            &mut self.jump_points[list.jump_point as usize].lists[usize::from(list.arrival)];
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
            list: id,
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

    pub(super) fn release_stale(&mut self, stale: u32) {
        let entry = &mut self.stale[stale as usize];
        (entry.list, entry.packed) = (self.free_stale, SuccessorRef::MISSING);
        self.free_stale = stale;
    }

    /// The list of a slot, if it is stale.
    #[inline]
    pub(in super::super) fn stale(&self, slot: u32) -> Option<StaleList> {
        let jump_point = self.jump_points.get((slot >> 3) as usize)?;
        let index = jump_point.list(slot).stale()?;
        Some(self.stale[index as usize])
    }

    /// The scans of a stale list, and its edges: slot and cost.
    pub(in super::super) fn previous(&self, stale: &StaleList) -> (&SuccessorList, &[[u32; 2]]) {
        let edges = &self.words.as_chunks().0[stale.packed.pairs()];
        (
            &self.lists[stale.list as usize],
            edges.get(1..).unwrap_or_default(),
        )
    }

    /// Makes a stale list valid as it was: none of its scans crosses the change.
    pub(in super::super) fn restore(&mut self, stale: &StaleList) -> SuccessorRef {
        let list = &self.lists[stale.list as usize];
        let packed =
            &mut self.jump_points[list.jump_point as usize].lists[usize::from(list.arrival)];
        let index = packed.stale();
        *packed = stale.packed;
        if let Some(index) = index {
            self.release_stale(index);
        }
        stale.packed
    }

    /// Replaces the edges of the affected scans with those of `scan`, whose ends are `edge_slots`.
    /// The list keeps its words, or moves to the end if it needs more and `may_grow`. `None` if it
    /// cannot, or if a scan goes farther than the list is indexed for.
    pub(in super::super) fn repair(
        &mut self,
        stale: &StaleList,
        affected: &AffectedScans,
        scan: &mut SuccessorScan,
        edge_slots: &[u32],
        may_grow: bool,
    ) -> Option<SuccessorRef> {
        let list = &mut self.lists[stale.list as usize];
        let longest = |lengths: [u32; 4]| lengths.into_iter().max();
        let is_indexed = (scan.extents.iter().zip(list.extents))
            .all(|(now, before)| *now <= before.into())
            && longest(scan.diagonals) <= longest(list.diagonals.map(u32::from));
        if !is_indexed {
            return None;
        }
        // The edges that remain, in order.
        let (words, jump_points) = (self.words.as_chunks().0, &self.jump_points);
        let at = |slot: u32| jump_points[(slot >> 3) as usize].at();
        let repaired = &mut scan.repaired;
        repaired.clear();
        let previous = words[stale.packed.pairs()].iter().skip(1);
        repaired.extend(previous.filter(|[slot, _]| !affected.contains(at(*slot))));
        let n_edges = repaired.len() + edge_slots.len();
        let has_room = n_edges <= usize::from(list.capacity);
        if !(has_room || may_grow && n_edges <= SuccessorRef::MAX_EDGES) {
            return None;
        }
        // Merged from the last new edge on, so that positions before it stay.
        let mut end = repaired.len();
        for (slot, edge) in edge_slots.iter().zip(&scan.edges).rev() {
            let order = affected.order_of((edge.x, edge.y));
            let is_before = |[slot, _]: &[u32; 2]| affected.order_of(at(*slot)) < order;
            end = repaired[..end].partition_point(is_before);
            repaired.insert(end, [*slot, edge.cost as u32]);
        }
        list.diagonals = scan.diagonals.map(|n_cells| n_cells as u16);
        let words = [diagonal_words(scan)]
            .into_iter()
            .chain(scan.repaired.iter().copied());
        let first = if has_room {
            let first = stale.packed.words().start;
            for (word, now) in self.words[first..].iter_mut().zip(words.flatten()) {
                *word = now;
            }
            first
        } else {
            list.capacity = n_edges as u16;
            let first = self.words.len();
            for word in words.flatten() {
                push(&mut self.words, word);
            }
            first
        };
        let packed =
            &mut self.jump_points[list.jump_point as usize].lists[usize::from(list.arrival)];
        let index = packed.stale();
        let now = SuccessorRef((first << SuccessorRef::SHIFT | n_edges) as u32);
        *packed = now;
        if let Some(index) = index {
            self.release_stale(index);
        }
        Some(now)
    }
}

#[cfg(test)]
impl JumpPointGraph {
    /// True if the sheet table contains every jump point.
    pub(in super::super) fn finds_all_by_sheet(&self) -> bool {
        (0..).zip(&self.sites).all(|(jump_point, site)| {
            let bucket = super::hash_sheet(site.node.index() >> 8, self.sheet_table.len() - 1);
            let first = self.sheet_table[bucket];
            let next = |at: &u32| self.sites.get(*at as usize).map(|site| site.next);
            std::iter::successors(Some(first), next).any(|at| at == jump_point)
        })
    }

    /// The words of the list of a slot, if it is valid.
    pub(in super::super) fn list_words(&self, slot: u32) -> Option<&[u32]> {
        let packed = self.jump_points.get((slot >> 3) as usize)?.list(slot);
        packed.is_valid().then(|| &self.words[packed.words()])
    }

    /// The words of a new list.
    pub(in super::super) fn words_of(&self, scan: &SuccessorScan, slots: &[u32]) -> Vec<u32> {
        words_of(scan, slots).collect()
    }
}
