//! Who is within range of whom: every pair once, both directions at a time.

use wayfarer_base::Fixed;

use super::body::{self, ShapeError};
use super::coverage::{for_pages, square_of};
use super::footprint::{dot, sub};
use super::hits::QueryStats;
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Slot};
use super::neighbors::Shard;
use super::{BodyId, BodySet};

/// Two objects, at least one of which has the other in range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    /// The one with the lower index.
    pub low: u32,
    /// The one with the higher index.
    pub high: u32,
    /// True if `high` is in the range of `low`.
    pub low_reaches: bool,
    /// True if `low` is in the range of `high`.
    pub high_reaches: bool,
}

/// Memory for questions about pairs, used again.
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    near: Vec<(usize, std::ops::Range<usize>)>,
    /// What the last question took.
    pub work: QueryStats,
}

/// The range of each object, by index.
#[derive(Clone, Copy, Debug)]
pub struct Ranges<'a> {
    ranges: &'a [Fixed],
    largest: i64,
}

impl<'a> Ranges<'a> {
    /// A range for each index, 0 to 16,384 cells; who has none given sees nobody.
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
    fn of(&self, index: u32) -> i64 {
        match self.ranges.get(index as usize) {
            Some(range) => range.raw().into(),
            None => -1,
        }
    }

    #[inline]
    fn judge(&self, a: &Slot, b: &Slot) -> Option<Pair> {
        let away = sub(a.at(), b.at());
        let square = dot(away, away);
        let reaches = |of: &Slot| {
            let range = self.of(of.index);
            range >= 0 && square <= range * range
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
    /// Calls `visit` once with every pair of objects whose middles are within the range of at
    /// least one of them. Each distance is measured once and used both ways.
    ///
    /// In the order of [`Found`](super::Found) of the first of each pair, the same however everybody
    /// came to be where it is. Looks as far as the largest range for everybody.
    pub fn pairs(&self, ranges: &Ranges<'_>, scratch: &mut PairScratch, visit: impl FnMut(Pair)) {
        self.pairs_of_part(Shard::WHOLE, ranges, scratch, visit);
    }

    /// Part of what [`pairs`](Self::pairs) does: the parts, one after the other, are the whole. For threads, each with its own scratch.
    pub fn pairs_of_part(
        &self,
        part: Shard,
        ranges: &Ranges<'_>,
        scratch: &mut PairScratch,
        mut visit: impl FnMut(Pair),
    ) {
        scratch.work = QueryStats::default();
        for (at, _, number) in part.pages(self) {
            self.pairs_of_page(at, number, ranges, scratch, &mut visit);
        }
    }

    fn pairs_of_page(
        &self,
        at: usize,
        number: usize,
        ranges: &Ranges<'_>,
        scratch: &mut PairScratch,
        visit: &mut impl FnMut(Pair),
    ) {
        let level = &self.levels[at];
        let page = &level.pages[number];
        for (square, place) in (Level::first_of(number)..).zip(0..PAGE_SIDE * PAGE_SIDE) {
            let run = level.run(square).slots;
            if run.is_empty() {
                continue;
            }
            let x = (page.x << PAGE_BITS) + place % PAGE_SIDE;
            let y = (page.y << PAGE_BITS) + place / PAGE_SIDE;
            scratch.near.clear();
            gather_later(level, at, x, y, ranges.largest, scratch);
            for (other, wider) in self.levels.iter().enumerate().skip(at + 1) {
                if wider.n_bodies > 0 {
                    gather_around((wider, other), level.shift, (x, y), ranges.largest, scratch);
                }
            }
            let own = &level.slots[run];
            // One after the other, each with all: how squares are cut into runs does not show.
            for (place, first) in own.iter().enumerate() {
                let near = scratch.near.iter();
                let near = near.map(|(other, run)| &self.levels[*other].slots[run.clone()]);
                for others in std::iter::once(&own[place + 1..]).chain(near) {
                    scratch.work.tests += others.len() as u64;
                    for second in others {
                        if let Some(pair) = ranges.judge(first, second) {
                            visit(pair);
                        }
                    }
                }
            }
        }
    }

    /// Everybody whose middle is within `range` of anywhere in a square, but those before it.
    pub(super) fn slots_around(
        &self,
        slot: &Slot,
        range: i64,
        mut take: impl FnMut(&[Slot]),
    ) -> u64 {
        let mut n_squares = 0;
        for level in self.used_levels() {
            let span = |at: i32| {
                (
                    square_of(i64::from(at) - range, level.shift),
                    square_of(i64::from(at) + range, level.shift),
                )
            };
            for_rows(level, span(slot.y), span(slot.x), |page, first, last| {
                n_squares += (last - first + 1) as u64;
                for range in level.ranges(page, first, last) {
                    take(&level.slots[range]);
                }
            });
        }
        n_squares
    }
}

/// Calls `visit` with the first and the last square of each row, page by page.
pub(super) fn for_rows(
    level: &Level,
    rows: (i32, i32),
    columns: (i32, i32),
    mut visit: impl FnMut(usize, usize, usize),
) {
    for_pages(level, rows, columns, |number, page| {
        let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
        let (low, high) = (
            columns.0.max(west) - west,
            columns.1.min(west + PAGE_SIDE - 1) - west,
        );
        for row in rows.0.max(north)..=rows.1.min(north + PAGE_SIDE - 1) {
            let base = (row - north) * PAGE_SIDE;
            let place = |at: i32| at.cast_unsigned() as usize;
            visit(number, place(base + low), place(base + high));
        }
        true
    });
}

/// The squares of the same level that come after this one, row by row, as far as the range.
fn gather_later(level: &Level, at: usize, x: i32, y: i32, range: i64, scratch: &mut PairScratch) {
    let side = 1_i64 << level.shift;
    let n_rows = square_of(range + side - 1, level.shift);
    for below in 0..=n_rows {
        let gap = (i64::from(below) * side - side + 1).max(0);
        let rest = range * range - gap * gap;
        if rest < 0 {
            break;
        }
        let half = i64::try_from(rest.cast_unsigned().isqrt()).unwrap_or(range);
        let n_columns = square_of(half + side - 1, level.shift);
        let west = if below == 0 { x + 1 } else { x - n_columns };
        gather_rows(
            level,
            at,
            (y + below, y + below),
            (west, x + n_columns),
            scratch,
        );
    }
}

/// All squares of a wider level within range of a square.
fn gather_around(
    (level, at): (&Level, usize),
    shift: u32,
    (x, y): (i32, i32),
    range: i64,
    scratch: &mut PairScratch,
) {
    let span = |square: i32| {
        let low = i64::from(square) << shift;
        (
            square_of(low - range, level.shift),
            square_of(low + (1 << shift) - 1 + range, level.shift),
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
    let PairScratch { near, work, .. } = scratch;
    for_rows(level, rows, columns, |page, first, last| {
        work.squares += (last - first + 1) as u64;
        for range in level.ranges(page, first, last) {
            near.push((at, range));
        }
    });
}

/// Pairs within range that are kept from tick to tick: a pair neither of whose members moved is
/// not tested again.
#[derive(Clone, Debug, Default)]
pub struct PairTracker {
    pairs: Vec<Pair>,
    fresh: Vec<Pair>,
    /// What was known of each place: who, where, how far it reaches.
    known: Vec<Option<(BodyId, Slot, i64)>>,
    moved: Vec<bool>,
    /// What the last update took.
    pub work: QueryStats,
}

impl PairTracker {
    /// All pairs, by rising indices.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Brings the pairs up to date.
    pub fn update(&mut self, bodies: &BodySet, ranges: &Ranges<'_>) {
        self.work = QueryStats::default();
        let n_places = bodies.n_slots();
        self.known.resize(n_places, None);
        self.moved.clear();
        self.moved.resize(n_places, false);
        for (place, index) in (0..n_places).zip(0_u32..) {
            let now = bodies
                .id_at(index)
                .map(|id| (id, bodies.slot_of(place), ranges.of(index)));
            self.moved[place] = now != self.known[place];
            self.known[place] = now;
        }
        let moved = &self.moved;
        // Who is beyond the table has gone with its place.
        let has_moved = |index: u32| moved.get(index as usize).copied().unwrap_or(true);
        self.fresh.clear();
        let still = |pair: &&Pair| !has_moved(pair.low) && !has_moved(pair.high);
        self.fresh.extend(self.pairs.iter().filter(still));
        for (_, slot, _) in self.known.iter().flatten() {
            if !has_moved(slot.index) {
                continue;
            }
            let (fresh, work) = (&mut self.fresh, &mut self.work);
            work.squares += bodies.slots_around(slot, ranges.largest, |others| {
                for other in others {
                    // Of two who moved, the one with the lower index asks.
                    if other.index > slot.index || !has_moved(other.index) {
                        work.tests += 1;
                        fresh.extend(ranges.judge(slot, other));
                    }
                }
            });
        }
        self.fresh.sort_unstable();
        std::mem::swap(&mut self.pairs, &mut self.fresh);
    }
}
