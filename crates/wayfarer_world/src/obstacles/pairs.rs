//! Overlapping pairs of obstacles, each once.

use super::ObstacleSet;
use super::grid::Level;
use super::obstacle::{ObstacleBody, ObstacleCategories, ObstacleId};

/// Longer runs of pairs of one obstacle are sorted by a general sort first.
const MAX_INSERTION_SORT: u32 = 16;

/// Two obstacles that share more than a border; the lower slot first.
pub type ObstaclePair = (ObstacleId, ObstacleId);

/// Reusable buffers of pair queries.
#[derive(Clone, Debug, Default)]
pub struct ObstaclePairScratch {
    /// Unsorted pairs of slots, followed by unused capacity.
    found: Vec<(u32, u32)>,
    n_found: usize,
    counts: Vec<u32>,
    pairs: Vec<ObstaclePair>,
    /// The bodies of a row of cells and of the next row.
    rows: [Vec<ObstacleBody>; 2],
}

impl ObstaclePairScratch {
    /// Removes all pairs.
    pub(super) fn clear(&mut self) {
        self.n_found = 0;
    }

    /// Appends a pair of slots.
    pub(super) fn push(&mut self, a: u32, b: u32) {
        self.found.truncate(self.n_found);
        self.found.push((a, b));
        self.n_found += 1;
    }
}

/// Pairs whose AABBs overlap.
struct PairBuffer {
    /// Longer than the number of pairs: the next pair is written before its test (branch-free).
    pairs: Vec<(u32, u32)>,
    n_pairs: usize,
    categories: u64,
    others: u64,
}

impl PairBuffer {
    /// Grows the buffer by `n_more` pairs.
    #[inline]
    fn reserve(&mut self, n_more: usize) {
        let buffer = self.n_pairs + n_more;
        if self.pairs.len() < buffer {
            self.pairs.resize(2 * buffer, (0, 0));
        }
    }

    /// Appends the pairs of `body` with those of `others` that it overlaps; `ALL` if all categories
    /// count. Branch-free, because the outcome is unpredictable. The buffer must be reserved.
    #[inline]
    fn push_overlapping<const ALL: bool>(&mut self, body: &ObstacleBody, others: &[ObstacleBody]) {
        if !ALL {
            return self.push_matching(body, others);
        }
        let buffer = &mut self.pairs[self.n_pairs..self.n_pairs + others.len()];
        let mut n_overlaps = 0;
        for other in others {
            // Ordered by the final sort.
            buffer[n_overlaps] = (body.slot, other.slot);
            n_overlaps += usize::from(body.boxes_overlap(other));
        }
        self.n_pairs += n_overlaps;
    }

    /// Appends the pairs of `body` with those of `others` that it overlaps, if categories match.
    #[inline]
    fn push_matching(&mut self, body: &ObstacleBody, others: &[ObstacleBody]) {
        self.reserve(others.len());
        let (first, second) = (
            body.categories & self.categories != 0,
            body.categories & self.others != 0,
        );
        for other in others {
            let matches = (first & (other.categories & self.others != 0))
                | (second & (other.categories & self.categories != 0));
            self.pairs[self.n_pairs] = (body.slot, other.slot);
            self.n_pairs += usize::from(matches & body.boxes_overlap(other));
        }
    }
}

impl ObstacleSet {
    /// All pairs of an obstacle of `categories` and one of `others` that share more than a border,
    /// each once, sorted by slots.
    ///
    /// ```
    /// use wayfarer_world::obstacles::{Obstacle, ObstacleSet, ObstaclePairScratch, ObstacleCategories};
    /// let mut obstacles = ObstacleSet::square(100)?;
    /// let mut batch = obstacles.edit();
    /// let a = batch.insert(&Obstacle::cells(0, 0, 10, 10, ObstacleCategories::ALL)?)?;
    /// let b = batch.insert(&Obstacle::cells(9, 9, 10, 10, ObstacleCategories::ALL)?)?;
    /// batch.insert(&Obstacle::cells(10, 0, 9, 9, ObstacleCategories::ALL)?)?; // touches both
    /// drop(batch);
    /// let mut scratch = ObstaclePairScratch::default();
    /// assert_eq!(obstacles.pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut scratch), [(a, b)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs<'a>(
        &self,
        categories: ObstacleCategories,
        others: ObstacleCategories,
        scratch: &'a mut ObstaclePairScratch,
    ) -> &'a [ObstaclePair] {
        let mut found = PairBuffer {
            pairs: std::mem::take(&mut scratch.found),
            n_pairs: 0,
            categories: categories.bits(),
            others: others.bits(),
        };
        let all_categories = categories.bits() | others.bits();
        let accepts_all = categories.bits() & others.bits() == u64::MAX;
        for (i, level) in self.grid.levels.iter().enumerate() {
            if !level.is_tight() {
                level.pairs_by_query(&self.bodies, &mut found);
            } else if accepts_all {
                level.pairs_within::<true>(&self.bodies, &mut scratch.rows, &mut found);
            } else {
                level.pairs_within::<false>(&self.bodies, &mut scratch.rows, &mut found);
            }
            for coarser in &self.grid.levels[i + 1..] {
                level.for_each(&self.bodies, |body| {
                    if body.categories & all_categories != 0 {
                        let low = [0, 1].map(|axis| body.low[axis] - coarser.largest[axis]);
                        coarser.for_each_within(&self.bodies, low, body.high, |other| {
                            found.push_matching(body, std::slice::from_ref(other));
                        });
                    }
                });
            }
        }
        let PairBuffer {
            pairs, mut n_pairs, ..
        } = found;
        scratch.found = pairs;
        if self.n_discs > 0 {
            let found = &mut scratch.found[..n_pairs];
            n_pairs = 0;
            for i in 0..found.len() {
                let (a, b) = found[i];
                found[n_pairs] = (a, b);
                let overlaps = self.bodies[a as usize].overlaps(&self.bodies[b as usize]);
                n_pairs += usize::from(overlaps);
            }
        }
        scratch.n_found = n_pairs;
        self.sort_pairs(scratch)
    }

    /// Counting sort, then insertion sort: linear in obstacles and pairs.
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
        let (mut sum, mut max_count) = (0, 0);
        for count in &mut *counts {
            max_count = max_count.max(*count);
            sum += *count;
            *count = sum;
        }
        pairs.resize(n_pairs, (ObstacleId::new(0, 0), ObstacleId::new(0, 0)));
        for &(a, b) in found {
            let next = &mut counts[a.min(b) as usize];
            pairs[*next as usize] = (self.id_at(a.min(b)), self.id_at(a.max(b)));
            *next += 1;
        }
        if max_count > MAX_INSERTION_SORT {
            // Each count has moved to the end of its obstacle's pairs.
            let mut start = 0;
            for &end in &*counts {
                if end - start > MAX_INSERTION_SORT {
                    pairs[start as usize..end as usize].sort_unstable();
                }
                start = end;
            }
        }
        // The pairs of one obstacle are few and adjacent.
        for i in 1..n_pairs {
            let pair = pairs[i];
            let mut i = i;
            while i > 0 && pairs[i - 1] > pair {
                pairs[i] = pairs[i - 1];
                i -= 1;
            }
            pairs[i] = pair;
        }
        pairs
    }
}

impl Level {
    /// Visits every body, and possibly vacant ones.
    fn for_each(&self, bodies: &[ObstacleBody], mut visit: impl FnMut(&ObstacleBody)) {
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

    /// Tests the bodies of a cell against those after them in it and the next cell, and against
    /// three cells of the next row: two contiguous runs each. Then the chained bodies.
    fn pairs_within<const ALL: bool>(
        &self,
        bodies: &[ObstacleBody],
        [current, below]: &mut [Vec<ObstacleBody>; 2],
        found: &mut PairBuffer,
    ) {
        let [columns, rows] = self.counts();
        if let Some(copies) = self.copies() {
            for row in 0..rows {
                self.row_pairs::<ALL>(row, [copies; 2], [0; 2], found);
            }
        } else {
            // A gap overlaps nothing.
            let body = |slot: &u32| bodies.get(*slot as usize).unwrap_or(&ObstacleBody::VACANT);
            let copy = |row: i32, copies: &mut Vec<ObstacleBody>| {
                copies.clear();
                let [start, end] = self.run(row, 0, columns - 1);
                copies.extend(self.slots()[start..end].iter().map(body));
                start
            };
            let mut after = copy(0, below);
            for row in 0..rows {
                let before = after;
                std::mem::swap(current, below);
                if row + 1 < rows {
                    after = copy(row + 1, below);
                }
                self.row_pairs::<ALL>(row, [current, below], [before, after], found);
            }
        }
        for slot in self.chained() {
            let body = &bodies[slot as usize];
            let low = [0, 1].map(|axis| body.low[axis] - self.largest[axis]);
            self.for_each_within_or_chained(bodies, low, body.high, |other, is_chained| {
                // Of two chained bodies, the lower slot tests the pair.
                if !is_chained || other.slot > slot {
                    found.push_matching(body, std::slice::from_ref(other));
                }
            });
        }
    }

    /// The pairs of a row with itself and the next row; `lists` hold the bodies of both, starting
    /// at these indices of the whole list.
    #[inline]
    fn row_pairs<const ALL: bool>(
        &self,
        row: i32,
        lists: [&[ObstacleBody]; 2],
        starts: [usize; 2],
        found: &mut PairBuffer,
    ) {
        let [columns, rows] = self.counts();
        let run = |list: usize, row: i32, from: i32, to: i32| {
            let [start, end] = self.run(row, from, to);
            &lists[list][start - starts[list]..end - starts[list]]
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
            for (i, body) in own.iter().enumerate() {
                found.push_overlapping::<ALL>(body, &ahead[i + 1..]);
                found.push_overlapping::<ALL>(body, below);
            }
        }
    }

    /// The pairs of a level whose bodies span several cells: every body queries those with higher
    /// slots.
    fn pairs_by_query(&self, bodies: &[ObstacleBody], found: &mut PairBuffer) {
        self.for_each(bodies, |body| {
            if body.categories == 0 {
                return;
            }
            let low = [0, 1].map(|axis| body.low[axis] - self.largest[axis]);
            self.for_each_within(bodies, low, body.high, |other| {
                if other.slot > body.slot && other.categories != 0 {
                    found.push_matching(body, std::slice::from_ref(other));
                }
            });
        });
    }
}
