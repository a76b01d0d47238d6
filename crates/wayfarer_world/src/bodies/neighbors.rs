//! Neighbor lists of all bodies at once.
//!
//! All bodies of a bin share one gathered candidate list, and bins are processed in memory order.

use wayfarer_base::Fixed;

use super::BodySet;
use super::body::{self, ShapeError};
use super::coverage::bin_of;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::level::{BinEntry, Level, PAGE_BITS, PAGE_SIDE};
use super::pairs::for_each_row;
use super::query::{BodyFilter, CompiledFilter};

/// Reusable buffers of neighbor queries.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    /// The candidates of one bin: positions and indices.
    xs: Vec<f64>,
    ys: Vec<f64>,
    indices: Vec<u32>,
    /// Squared distances from the current body.
    distances_squared: Vec<f64>,
    hits: QueryHits,
    /// The work of the last query.
    pub stats: QueryStats,
}

/// One of several parts of a query, for one thread each: the shards together give every body once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Its index, from 0.
    pub index: usize,
    /// The number of shards, at least 1.
    pub n_shards: usize,
}

impl Shard {
    /// The whole query.
    pub const WHOLE: Self = Self {
        index: 0,
        n_shards: 1,
    };

    /// The pages of this shard, small bodies first, from north to south and west to east.
    pub(super) fn pages(self, bodies: &BodySet) -> impl Iterator<Item = (usize, &Level, usize)> {
        let n_pages: usize = bodies.levels.iter().map(|level| level.order.len()).sum();
        let n_shards = self.n_shards.max(1);
        let begin = n_pages * self.index.min(n_shards) / n_shards;
        let end = n_pages * (self.index + 1).min(n_shards) / n_shards;
        let pages = bodies
            .levels
            .iter()
            .enumerate()
            .flat_map(|(level_index, level)| {
                let numbers = level.order.iter();
                numbers.map(move |&number| (level_index, level, number as usize))
            });
        pages.skip(begin).take(end - begin)
    }
}

impl BodySet {
    /// Calls `visit` with the index of every body that `sources` accepts and the indices of those
    /// that `targets` accepts within `range` of its center, itself excluded.
    ///
    /// Each list equals, in order, that of [`find`](Self::find) with a circle, but is computed
    /// several times as fast if most bodies are sources. Sources come in the order of
    /// [`QueryHits`].
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::bodies::{Body, BodyFilter, NeighborLists, BodySet};
    ///
    /// let at = |x: i32| Point2::from_raw(256 * x, 0);
    /// let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
    /// for x in [0, 3, 5, 40] {
    ///     bodies.register(&Body::at(at(x)))?;
    /// }
    /// let (mut scratch, mut lists) = (NeighborLists::default(), Vec::new());
    /// let range = Fixed::from_raw(4 * 256);
    /// bodies.neighbors(range, &BodyFilter::ALL, &BodyFilter::ALL, &mut scratch, |body, near| {
    ///     lists.push((body, near.to_vec()));
    /// })?;
    /// assert_eq!(lists, [(0, vec![1]), (1, vec![0, 2]), (2, vec![1]), (3, vec![])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A range beyond 0 to 16,384 cells.
    pub fn neighbors(
        &self,
        range: Fixed,
        sources: &BodyFilter,
        targets: &BodyFilter,
        scratch: &mut NeighborLists,
        visit: impl FnMut(u32, &[u32]),
    ) -> Result<(), ShapeError> {
        self.shard_neighbors(Shard::WHOLE, range, (sources, targets), scratch, visit)
    }

    /// The part of [`neighbors`](Self::neighbors) in a shard, for `(sources, targets)`;
    /// concatenated shards equal the whole. For threads, each with its own scratch.
    ///
    /// # Errors
    /// A range beyond 0 to 16,384 cells.
    pub fn shard_neighbors(
        &self,
        shard: Shard,
        range: Fixed,
        (sources, targets): (&BodyFilter, &BodyFilter),
        scratch: &mut NeighborLists,
        mut visit: impl FnMut(u32, &[u32]),
    ) -> Result<(), ShapeError> {
        let reach = body::size("range", range)?;
        scratch.stats = QueryStats::default();
        let sources = CompiledFilter::new(self, sources);
        let has_wide = self.used_levels().any(|level| level.bounds.n_wide > 0);
        for (_, level, number) in shard.pages(self) {
            for local in 0..PAGE_SIDE * PAGE_SIDE {
                let bin = Level::first_bin(number) + local.cast_unsigned() as usize;
                let run = level.run(bin).entries;
                if run.is_empty() {
                    continue;
                }
                let own = &level.entries[run];
                if has_wide {
                    for entry in own.iter().filter(|entry| sources.passes(self, entry)) {
                        self.find_one(entry, range, targets, scratch, &mut visit)?;
                    }
                    continue;
                }
                let page = &level.pages[number];
                let x = (page.x << PAGE_BITS) + local % PAGE_SIDE;
                let y = (page.y << PAGE_BITS) + local / PAGE_SIDE;
                self.gather_candidates((x, y, level.shift), reach, targets, scratch);
                for entry in own.iter().filter(|entry| sources.passes(self, entry)) {
                    scratch.find_within(entry, reach);
                    visit(entry.index, scratch.hits.indices());
                }
            }
        }
        Ok(())
    }

    /// The list of one body through [`find`](Self::find): extended bodies need exact tests.
    fn find_one(
        &self,
        entry: &BinEntry,
        range: Fixed,
        targets: &BodyFilter,
        scratch: &mut NeighborLists,
        visit: &mut impl FnMut(u32, &[u32]),
    ) -> Result<(), ShapeError> {
        let circle = Footprint::circle(entry.at(), range);
        self.find(&circle, targets, &mut scratch.hits)?;
        scratch.stats += scratch.hits.stats;
        scratch.hits.remove(entry.index);
        visit(entry.index, scratch.hits.indices());
        Ok(())
    }

    /// All candidates within `reach` of a bin, in order.
    fn gather_candidates(
        &self,
        (x, y, shift): (i32, i32, u32),
        reach: i64,
        targets: &BodyFilter,
        scratch: &mut NeighborLists,
    ) {
        let compiled = CompiledFilter::new(self, targets);
        let is_all = *targets == BodyFilter::ALL;
        let NeighborLists {
            xs,
            ys,
            indices,
            stats,
            ..
        } = scratch;
        xs.clear();
        ys.clear();
        indices.clear();
        for level in self.used_levels() {
            let span = |bin: i32| {
                let low = i64::from(bin) << shift;
                let high = low + (1 << shift) - 1;
                (
                    bin_of(low - reach, level.shift),
                    bin_of(high + reach, level.shift),
                )
            };
            for_each_row(level, span(y), span(x), |page, first, last| {
                stats.bins += (last - first + 1) as u64;
                level.for_each_range(page, first, last, |range| {
                    let entries = level.entries[range].iter();
                    if is_all {
                        xs.extend(entries.clone().map(|entry| f64::from(entry.x)));
                        ys.extend(entries.clone().map(|entry| f64::from(entry.y)));
                        indices.extend(entries.map(|entry| entry.index));
                        return true;
                    }
                    for entry in entries.filter(|entry| compiled.passes(self, entry)) {
                        xs.push(entry.x.into());
                        ys.push(entry.y.into());
                        indices.push(entry.index);
                    }
                    true
                });
            });
        }
    }
}

impl NeighborLists {
    /// Collects the candidates within `reach` of one body.
    #[inline]
    fn find_within(&mut self, entry: &BinEntry, reach: i64) {
        let (x, y) = (f64::from(entry.x), f64::from(entry.y));
        // Exact, as for a disc.
        self.distances_squared.clear();
        let points = self.xs.iter().zip(&self.ys);
        self.distances_squared
            .extend(points.map(|(&other_x, &other_y)| {
                let (x, y) = (other_x - x, other_y - y);
                x * x + y * y
            }));
        #[expect(clippy::cast_precision_loss, reason = "squares of ranges have 44 bits")]
        let limit = (reach * reach) as f64;
        self.stats.tests += self.indices.len() as u64;
        self.hits
            .collect_within(&self.indices, &self.distances_squared, limit, entry.index);
    }
}

#[cfg(test)]
mod tests;
