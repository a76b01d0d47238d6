//! Who overlaps whom: every pair once.

use super::ObstacleSet;
use super::grid::Level;
use super::obstacle::{ObstacleBody, ObstacleCategories, ObstacleId};

/// More pairs of one obstacle than this are not put in order one by one.
const MAX_BY_HAND: u32 = 16;

/// Two obstacles that share more than an edge; the one at the lower place first.
pub type ObstaclePair = (ObstacleId, ObstacleId);

/// Memory for finding pairs, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct ObstaclePairScratch {
    /// As found, two places each, with room behind.
    found: Vec<(u32, u32)>,
    n_found: usize,
    counts: Vec<u32>,
    pairs: Vec<ObstaclePair>,
    /// The bodies of a row of cells and of the one below it.
    rows: [Vec<ObstacleBody>; 2],
}

impl ObstaclePairScratch {
    /// Forgets what was found.
    pub(super) fn begin(&mut self) {
        self.n_found = 0;
    }

    /// Notes that the obstacles at two places overlap.
    pub(super) fn note(&mut self, a: u32, b: u32) {
        self.found.truncate(self.n_found);
        self.found.push((a, b));
        self.n_found += 1;
    }
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
    /// Makes room for so many pairs more.
    #[inline]
    fn reserve(&mut self, n_more: usize) {
        let room = self.n_pairs + n_more;
        if self.pairs.len() < room {
            self.pairs.resize(2 * room, (0, 0));
        }
    }

    /// Notes which of `others` the box of `body` overlaps; `ALL` if all types count. There is no
    /// branch for each, because nobody could foretell it. There must be room.
    #[inline]
    fn sweep<const ALL: bool>(&mut self, body: &ObstacleBody, others: &[ObstacleBody]) {
        if !ALL {
            return self.meet(body, others);
        }
        let room = &mut self.pairs[self.n_pairs..self.n_pairs + others.len()];
        let mut n_met = 0;
        for other in others {
            // Ordered when they are sorted.
            room[n_met] = (body.slot, other.slot);
            n_met += usize::from(body.boxes_overlap(other));
        }
        self.n_pairs += n_met;
    }

    /// Notes which of `others` the box of `body` overlaps, if types agree.
    #[inline]
    fn meet(&mut self, body: &ObstacleBody, others: &[ObstacleBody]) {
        self.reserve(others.len());
        let (first, second) = (body.types & self.types != 0, body.types & self.others != 0);
        for other in others {
            let wanted = (first & (other.types & self.others != 0))
                | (second & (other.types & self.types != 0));
            self.pairs[self.n_pairs] = (body.slot, other.slot);
            self.n_pairs += usize::from(wanted & body.boxes_overlap(other));
        }
    }
}

impl ObstacleSet {
    /// All pairs of an obstacle of `types` and an obstacle of `others` that share more than an edge,
    /// each once, sorted by the place of the first, then of the second.
    ///
    /// ```
    /// use wayfarer_world::field::{Obstacle, ObstacleSet, ObstaclePairScratch, ObstacleCategories};
    /// let mut field = ObstacleSet::square(100)?;
    /// let mut batch = field.edit();
    /// let a = batch.insert(&Obstacle::cells(0, 0, 10, 10, ObstacleCategories::ALL)?)?;
    /// let b = batch.insert(&Obstacle::cells(9, 9, 10, 10, ObstacleCategories::ALL)?)?;
    /// batch.insert(&Obstacle::cells(10, 0, 9, 9, ObstacleCategories::ALL)?)?; // touches both
    /// drop(batch);
    /// let mut scratch = ObstaclePairScratch::default();
    /// assert_eq!(field.pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut scratch), [(a, b)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs<'a>(
        &self,
        types: ObstacleCategories,
        others: ObstacleCategories,
        scratch: &'a mut ObstaclePairScratch,
    ) -> &'a [ObstaclePair] {
        let mut found = Found {
            pairs: std::mem::take(&mut scratch.found),
            n_pairs: 0,
            types: types.bits(),
            others: others.bits(),
        };
        let any = types.bits() | others.bits();
        let all = types.bits() & others.bits() == u64::MAX;
        for (number, level) in self.grid.levels.iter().enumerate() {
            if !level.is_tight() {
                level.pairs_by_asking(&self.bodies, &mut found);
            } else if all {
                level.pairs_within::<true>(&self.bodies, &mut scratch.rows, &mut found);
            } else {
                level.pairs_within::<false>(&self.bodies, &mut scratch.rows, &mut found);
            }
            for coarser in &self.grid.levels[number + 1..] {
                level.each(&self.bodies, |body| {
                    if body.types & any != 0 {
                        let low = [0, 1].map(|axis| body.low[axis] - coarser.largest[axis]);
                        coarser.each_within(&self.bodies, low, body.high, |other| {
                            found.meet(body, std::slice::from_ref(other));
                        });
                    }
                });
            }
        }
        let Found {
            pairs, mut n_pairs, ..
        } = found;
        scratch.found = pairs;
        if self.n_discs > 0 {
            let found = &mut scratch.found[..n_pairs];
            n_pairs = 0;
            for place in 0..found.len() {
                let (a, b) = found[place];
                found[n_pairs] = (a, b);
                let meet = self.bodies[a as usize].overlaps(&self.bodies[b as usize]);
                n_pairs += usize::from(meet);
            }
        }
        scratch.n_found = n_pairs;
        self.sort_pairs(scratch)
    }

    /// Sorts what was found, by counting: linear in obstacles and pairs.
    pub(super) fn sort_pairs<'a>(
        &self,
        scratch: &'a mut ObstaclePairScratch,
    ) -> &'a [ObstaclePair] {
        let ObstaclePairScratch {
            found,
            n_found,
            counts,
            pairs,
            ..
        } = scratch;
        let n_pairs = *n_found;
        let found = &found[..n_pairs];
        counts.clear();
        counts.resize(self.bodies.len() + 1, 0);
        let counts = &mut counts[..];
        for &(a, b) in found {
            counts[a.min(b) as usize + 1] += 1;
        }
        let (mut sum, mut most) = (0, 0);
        for count in &mut *counts {
            most = most.max(*count);
            sum += *count;
            *count = sum;
        }
        pairs.resize(n_pairs, (ObstacleId::new(0, 0), ObstacleId::new(0, 0)));
        for &(a, b) in found {
            let next = &mut counts[a.min(b) as usize];
            pairs[*next as usize] = (self.id_at(a.min(b)), self.id_at(a.max(b)));
            *next += 1;
        }
        if most > MAX_BY_HAND {
            // Each count has moved to the end of its obstacle's pairs.
            let mut start = 0;
            for &end in &*counts {
                if end - start > MAX_BY_HAND {
                    pairs[start as usize..end as usize].sort_unstable();
                }
                start = end;
            }
        }
        // Those of one obstacle are few and lie together: each goes before the larger ones.
        for place in 1..n_pairs {
            let pair = pairs[place];
            let mut place = place;
            while place > 0 && pairs[place - 1] > pair {
                pairs[place] = pairs[place - 1];
                place -= 1;
            }
            pairs[place] = pair;
        }
        pairs
    }
}

impl Level {
    /// Calls `visit` with every body; there may be some of no type.
    fn each(&self, bodies: &[ObstacleBody], mut visit: impl FnMut(&ObstacleBody)) {
        match self.copies() {
            Some(copies) => copies.iter().for_each(&mut visit),
            None => {
                let slots = self.slots().iter();
                let bodies = slots.filter_map(|&slot| bodies.get(slot as usize));
                bodies.for_each(&mut visit);
            }
        }
        for slot in self.chained() {
            visit(&bodies[slot as usize]);
        }
    }

    /// Bodies of a cell against those after them in it and in the next, then against three cells
    /// of the next row: two runs of memory each. Then those that are chained.
    fn pairs_within<const ALL: bool>(
        &self,
        bodies: &[ObstacleBody],
        [here, below]: &mut [Vec<ObstacleBody>; 2],
        found: &mut Found,
    ) {
        let [columns, rows] = self.counts();
        if let Some(copies) = self.copies() {
            for row in 0..rows {
                self.pairs_of_row::<ALL>(row, [copies; 2], [0; 2], found);
            }
        } else {
            // A gap overlaps nothing.
            let body = |slot: &u32| bodies.get(*slot as usize).unwrap_or(&ObstacleBody::NOTHING);
            let copy = |row: i32, copies: &mut Vec<ObstacleBody>| {
                copies.clear();
                let [start, end] = self.run(row, 0, columns - 1);
                copies.extend(self.slots()[start..end].iter().map(body));
                start
            };
            let mut after = copy(0, below);
            for row in 0..rows {
                let before = after;
                std::mem::swap(here, below);
                if row + 1 < rows {
                    after = copy(row + 1, below);
                }
                self.pairs_of_row::<ALL>(row, [here, below], [before, after], found);
            }
        }
        for slot in self.chained() {
            let body = &bodies[slot as usize];
            let low = [0, 1].map(|axis| body.low[axis] - self.largest[axis]);
            self.each_apart(bodies, low, body.high, |other, is_chained| {
                // Of two that are both chained the one at the lower place has asked.
                if !is_chained || other.slot > slot {
                    found.meet(body, std::slice::from_ref(other));
                }
            });
        }
    }

    /// The pairs of a row with itself and with the row below it; `lists` hold the bodies of both
    /// from these places of the whole list on.
    #[inline]
    fn pairs_of_row<const ALL: bool>(
        &self,
        row: i32,
        lists: [&[ObstacleBody]; 2],
        places: [usize; 2],
        found: &mut Found,
    ) {
        let [columns, rows] = self.counts();
        let run = |list: usize, row: i32, from: i32, to: i32| {
            let [start, end] = self.run(row, from, to);
            &lists[list][start - places[list]..end - places[list]]
        };
        for column in 0..columns {
            let own = run(0, row, column, column);
            if own.is_empty() {
                continue;
            }
            let east = (column + 1).min(columns - 1);
            let ahead = run(0, row, column, east);
            let below = if row + 1 < rows {
                run(1, row + 1, (column - 1).max(0), east)
            } else {
                &[]
            };
            found.reserve(own.len() * (ahead.len() + below.len()));
            for (number, body) in own.iter().enumerate() {
                found.sweep::<ALL>(body, &ahead[number + 1..]);
                found.sweep::<ALL>(body, below);
            }
        }
    }

    /// The same where bodies reach over several cells: every body asks for those of higher places
    /// around it.
    fn pairs_by_asking(&self, bodies: &[ObstacleBody], found: &mut Found) {
        self.each(bodies, |body| {
            if body.types == 0 {
                return;
            }
            let low = [0, 1].map(|axis| body.low[axis] - self.largest[axis]);
            self.each_within(bodies, low, body.high, |other| {
                if other.slot > body.slot && other.types != 0 {
                    found.meet(body, std::slice::from_ref(other));
                }
            });
        });
    }
}
