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
        scratch.found.clear();
        let (types, others) = (types.bits(), others.bits());
        let mut meet = |a: &Body, b: &Body| {
            if a.boxes_overlap(b) {
                let wanted = (a.types & types != 0 && b.types & others != 0)
                    || (a.types & others != 0 && b.types & types != 0);
                if wanted && a.overlaps(b) {
                    scratch.found.push((a.slot.min(b.slot), a.slot.max(b.slot)));
                }
            }
        };
        let any = types | others;
        for (number, level) in self.grid.levels.iter().enumerate() {
            if level.has_chains() {
                level.pairs_with_chains(&mut meet);
            } else {
                level.pairs_within(&mut meet);
            }
            for coarser in &self.grid.levels[number + 1..] {
                level.each(|body| {
                    if body.types & any != 0 {
                        let low = [0, 1].map(|axis| body.low[axis] - coarser.largest[axis]);
                        coarser.any(low, body.high, |other| {
                            meet(body, other);
                            false
                        });
                    }
                });
            }
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
    fn pairs_within(&self, meet: &mut impl FnMut(&Body, &Body)) {
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
                    for other in &ahead[number + 1..] {
                        meet(body, other);
                    }
                    for other in below {
                        meet(body, other);
                    }
                }
            }
        }
    }

    /// The same where bodies are chained: every body asks for those of higher places around it.
    fn pairs_with_chains(&self, meet: &mut impl FnMut(&Body, &Body)) {
        self.each(|body| {
            if body.types != 0 {
                let low = [0, 1].map(|axis| body.low[axis] - self.largest[axis]);
                self.any(low, body.high, |other| {
                    if other.slot > body.slot && other.types != 0 {
                        meet(body, other);
                    }
                    false
                });
            }
        });
    }
}
