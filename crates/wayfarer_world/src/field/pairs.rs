//! Who overlaps whom: every pair once.

use super::Field;
use super::entity::{Body, EntityId, TypeMask};
use super::grid::Level;

/// Two entities that share more than an edge; the one at the lower place first.
pub type Pair = (EntityId, EntityId);

/// Memory for finding pairs, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    /// As found: lower place, higher place.
    found: Vec<(u32, u32)>,
    counts: Vec<u32>,
    pairs: Vec<Pair>,
}

/// Pairs whose boxes overlap, as they are found.
struct Found {
    /// Longer than what was found: what is next is written before it is known whether it counts.
    pairs: Vec<(u32, u32)>,
    n_pairs: usize,
    types: u64,
    others: u64,
}

impl Found {
    /// Notes which of `others` the box of `body` overlaps. There is no branch for each, because
    /// nobody could foretell it.
    #[inline]
    fn meet(&mut self, body: &Body, others: &[Body]) {
        let room = self.n_pairs + others.len();
        if self.pairs.len() < room {
            self.pairs.resize(2 * room, (0, 0));
        }
        let (first, second) = (body.types & self.types != 0, body.types & self.others != 0);
        for other in others {
            let wanted = (first & (other.types & self.others != 0))
                | (second & (other.types & self.types != 0));
            let (low, high) = (body.slot.min(other.slot), body.slot.max(other.slot));
            self.pairs[self.n_pairs] = (low, high);
            self.n_pairs += usize::from(wanted & body.boxes_overlap(other));
        }
    }
}

impl Field {
    /// All pairs of an entity of `types` and an entity of `others` that share more than an edge,
    /// each once, sorted by the place of the first, then of the second.
    ///
    /// ```
    /// use wayfarer_world::field::{Entity, Field, PairScratch, TypeMask};
    /// let mut field = Field::square(100)?;
    /// let mut batch = field.edit();
    /// let a = batch.insert(&Entity::cells(0, 0, 10, 10, TypeMask::ALL)?)?;
    /// let b = batch.insert(&Entity::cells(9, 9, 10, 10, TypeMask::ALL)?)?;
    /// batch.insert(&Entity::cells(10, 0, 9, 9, TypeMask::ALL)?)?; // touches both
    /// drop(batch);
    /// let mut scratch = PairScratch::default();
    /// assert_eq!(field.pairs(TypeMask::ALL, TypeMask::ALL, &mut scratch), [(a, b)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs<'a>(
        &self,
        types: TypeMask,
        others: TypeMask,
        scratch: &'a mut PairScratch,
    ) -> &'a [Pair] {
        let mut found = Found {
            pairs: std::mem::take(&mut scratch.found),
            n_pairs: 0,
            types: types.bits(),
            others: others.bits(),
        };
        let any = types.bits() | others.bits();
        for (number, level) in self.grid.levels.iter().enumerate() {
            if level.has_chains() {
                level.pairs_with_chains(&mut found);
            } else {
                level.pairs_within(&mut found);
            }
            for coarser in &self.grid.levels[number + 1..] {
                level.each(|body| {
                    if body.types & any != 0 {
                        let low = [0, 1].map(|axis| body.low[axis] - coarser.largest[axis]);
                        coarser.any(low, body.high, |other| {
                            found.meet(body, std::slice::from_ref(other));
                            false
                        });
                    }
                });
            }
        }
        scratch.found = found.pairs;
        scratch.found.truncate(found.n_pairs);
        if self.n_discs > 0 {
            let body = |slot: u32| &self.bodies[slot as usize];
            scratch.found.retain(|&(a, b)| body(a).overlaps(body(b)));
        }
        self.sort_pairs(scratch);
        &scratch.pairs
    }

    /// Sorts what was found, by counting: linear in entities and pairs.
    fn sort_pairs(&self, scratch: &mut PairScratch) {
        let PairScratch {
            found,
            counts,
            pairs,
        } = scratch;
        counts.clear();
        counts.resize(self.bodies.len() + 1, 0);
        for &(first, _) in found.iter() {
            counts[first as usize + 1] += 1;
        }
        for place in 1..counts.len() {
            counts[place] += counts[place - 1];
        }
        pairs.clear();
        pairs.resize(found.len(), (EntityId::new(0, 0), EntityId::new(0, 0)));
        for &(first, second) in found.iter() {
            let place = &mut counts[first as usize];
            pairs[*place as usize] = (self.name(first), self.name(second));
            *place += 1;
        }
        // Each start has moved to the end of its run.
        let mut start = 0;
        for &end in counts.iter() {
            let end = end as usize;
            if end > start + 1 {
                pairs[start..end].sort_unstable();
            }
            start = end.max(start);
        }
    }
}

impl Level {
    /// Calls `visit` with every body.
    fn each(&self, mut visit: impl FnMut(&Body)) {
        let [columns, rows] = self.counts();
        for row in 0..rows {
            self.run(row, 0, columns - 1).iter().for_each(&mut visit);
            if self.has_chains() {
                for column in 0..columns {
                    self.chain(row, column).for_each(&mut visit);
                }
            }
        }
    }

    /// Bodies of a cell against those after them in it and in the next, then against three cells
    /// of the next row: two runs of memory each.
    fn pairs_within(&self, found: &mut Found) {
        let [columns, rows] = self.counts();
        for row in 0..rows {
            for column in 0..columns {
                let own = self.run(row, column, column);
                if own.is_empty() {
                    continue;
                }
                let east = (column + 1).min(columns - 1);
                let ahead = self.run(row, column, east);
                let below = if row + 1 < rows {
                    self.run(row + 1, (column - 1).max(0), east)
                } else {
                    &[]
                };
                for (number, body) in own.iter().enumerate() {
                    found.meet(body, &ahead[number + 1..]);
                    found.meet(body, below);
                }
            }
        }
    }

    /// The same where bodies are chained: every body asks for those of higher places around it.
    fn pairs_with_chains(&self, found: &mut Found) {
        self.each(|body| {
            if body.types != 0 {
                let low = [0, 1].map(|axis| body.low[axis] - self.largest[axis]);
                self.any(low, body.high, |other| {
                    if other.slot > body.slot && other.types != 0 {
                        found.meet(body, std::slice::from_ref(other));
                    }
                    false
                });
            }
        });
    }
}
