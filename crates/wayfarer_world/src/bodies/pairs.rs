//! Pairs of bodies within range: each pair once, both directions from one distance.

use wayfarer_base::Fixed;

use super::BodySet;
use super::body::{self, ShapeError};
use super::coverage::{bin_of, for_each_page};
use super::footprint::{dot, sub};
use super::hits::QueryStats;
use super::level::{BinEntry, Level, PAGE_BITS, PAGE_SIDE};
use super::neighbors::Shard;

/// Two bodies, at least one of which has the other in range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The lower index.
    pub low: u32,
    /// The higher index.
    pub high: u32,
    /// True if `high` is in the range of `low`.
    pub low_reaches: bool,
    /// True if `low` is in the range of `high`.
    pub high_reaches: bool,
}

/// Reusable buffers of pair queries.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    candidates: Vec<(usize, std::ops::Range<usize>)>,
    /// The work of the last query.
    pub stats: QueryStats,
}

/// The range of each body, by index.
#[derive(Clone, Copy, Debug)]
pub struct Ranges<'a> {
    ranges: &'a [Fixed],
    largest: i64,
}

impl<'a> Ranges<'a> {
    /// A range per index, 0 to 16,384 cells; bodies beyond the end of `ranges` have no other in
    /// range.
    ///
    /// # Errors
    /// A range beyond the limits.
    pub fn new(ranges: &'a [Fixed]) -> Result<Self, ShapeError> {
        let mut largest = 0;
        for &range in ranges {
            largest = largest.max(body::size("range", range)?);
        }
        Ok(Self { ranges, largest })
    }

    #[inline]
    fn range_of(&self, index: u32) -> i64 {
        match self.ranges.get(index as usize) {
            Some(range) => range.raw().into(),
            None => -1,
        }
    }

    #[inline]
    fn test(&self, a: &BinEntry, b: &BinEntry) -> Option<Pair> {
        let offset = sub(a.at(), b.at());
        let distance_squared = dot(offset, offset);
        let reaches = |entry: &BinEntry| {
            let range = self.range_of(entry.index);
            range >= 0 && distance_squared <= range * range
        };
        let (low, high) = if a.index < b.index { (a, b) } else { (b, a) };
        let pair = Pair {
            low: low.index,
            high: high.index,
            low_reaches: reaches(low),
            high_reaches: reaches(high),
        };
        (pair.low_reaches || pair.high_reaches).then_some(pair)
    }
}

impl BodySet {
    /// Calls `visit` once for every pair of bodies whose centers are within the range of at least
    /// one of them.
    ///
    /// Pairs are ordered by their first body in the order of [`QueryHits`](super::QueryHits). The
    /// search radius is the largest range.
    pub fn pairs(&self, ranges: &Ranges<'_>, scratch: &mut PairScratch, visit: impl FnMut(Pair)) {
        self.shard_pairs(Shard::WHOLE, ranges, scratch, visit);
    }

    /// The part of [`pairs`](Self::pairs) in a shard; concatenated shards equal the whole. For
    /// threads, each with its own scratch.
    pub fn shard_pairs(
        &self,
        shard: Shard,
        ranges: &Ranges<'_>,
        scratch: &mut PairScratch,
        mut visit: impl FnMut(Pair),
    ) {
        scratch.stats = QueryStats::default();
        for (level_index, _, number) in shard.pages(self) {
            self.page_pairs(level_index, number, ranges, scratch, &mut visit);
        }
    }

    fn page_pairs(
        &self,
        level_index: usize,
        number: usize,
        ranges: &Ranges<'_>,
        scratch: &mut PairScratch,
        visit: &mut impl FnMut(Pair),
    ) {
        let level = &self.levels[level_index];
        let page = &level.pages[number];
        for (bin, local) in (Level::first_bin(number)..).zip(0..PAGE_SIDE * PAGE_SIDE) {
            let run = level.run(bin).entries;
            if run.is_empty() {
                continue;
            }
            let x = (page.x << PAGE_BITS) + local % PAGE_SIDE;
            let y = (page.y << PAGE_BITS) + local / PAGE_SIDE;
            scratch.candidates.clear();
            gather_following(level, level_index, x, y, ranges.largest, scratch);
            for (other, wider) in self.levels.iter().enumerate().skip(level_index + 1) {
                if wider.n_bodies > 0 {
                    gather_around((wider, other), level.shift, (x, y), ranges.largest, scratch);
                }
            }
            let own = &level.entries[run];
            // Entry by entry, so that the partition of bins into runs does not affect the order.
            for (position, first) in own.iter().enumerate() {
                let candidates = scratch.candidates.iter();
                let candidates =
                    candidates.map(|(other, run)| &self.levels[*other].entries[run.clone()]);
                for others in std::iter::once(&own[position + 1..]).chain(candidates) {
                    scratch.stats.tests += others.len() as u64;
                    for second in others {
                        if let Some(pair) = ranges.test(first, second) {
                            visit(pair);
                        }
                    }
                }
            }
        }
    }
}

/// Visits the first and last bin of each row, page by page.
pub(super) fn for_each_row(
    level: &Level,
    rows: (i32, i32),
    columns: (i32, i32),
    mut visit: impl FnMut(usize, usize, usize),
) {
    for_each_page(level, rows, columns, |number, page| {
        let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
        let (low, high) = (
            columns.0.max(west) - west,
            columns.1.min(west + PAGE_SIDE - 1) - west,
        );
        for row in rows.0.max(north)..=rows.1.min(north + PAGE_SIDE - 1) {
            let base = (row - north) * PAGE_SIDE;
            let to_usize = |at: i32| at.cast_unsigned() as usize;
            visit(number, to_usize(base + low), to_usize(base + high));
        }
        true
    });
}

/// The following bins of the same level, row by row, within range.
fn gather_following(
    level: &Level,
    at: usize,
    x: i32,
    y: i32,
    range: i64,
    scratch: &mut PairScratch,
) {
    let side = 1_i64 << level.shift;
    let n_rows = bin_of(range + side - 1, level.shift);
    for n_below in 0..=n_rows {
        let gap = (i64::from(n_below) * side - side + 1).max(0);
        let remaining = range * range - gap * gap;
        if remaining < 0 {
            break;
        }
        let half = i64::try_from(remaining.cast_unsigned().isqrt()).unwrap_or(range);
        let n_columns = bin_of(half + side - 1, level.shift);
        let west = if n_below == 0 { x + 1 } else { x - n_columns };
        gather_rows(
            level,
            at,
            (y + n_below, y + n_below),
            (west, x + n_columns),
            scratch,
        );
    }
}

/// All bins of a wider level within range of a bin.
fn gather_around(
    (level, at): (&Level, usize),
    shift: u32,
    (x, y): (i32, i32),
    range: i64,
    scratch: &mut PairScratch,
) {
    let span = |bin: i32| {
        let low = i64::from(bin) << shift;
        (
            bin_of(low - range, level.shift),
            bin_of(low + (1 << shift) - 1 + range, level.shift),
        )
    };
    gather_rows(level, at, span(y), span(x), scratch);
}

fn gather_rows(
    level: &Level,
    at: usize,
    rows: (i32, i32),
    columns: (i32, i32),
    scratch: &mut PairScratch,
) {
    if columns.0 > columns.1 {
        return;
    }
    let PairScratch {
        candidates, stats, ..
    } = scratch;
    for_each_row(level, rows, columns, |page, first, last| {
        stats.bins += (last - first + 1) as u64;
        for range in level.ranges(page, first, last) {
            candidates.push((at, range));
        }
    });
}
