//! Area queries over bodies: all, count, any, best.

use std::ops::ControlFlow;

use wayfarer_base::Fixed;

use super::area::{Area, Disc, Filled, PreparedArea, with_area};
use super::body::{BodyCategories, ShapeError, Tag, Teams};
use super::coverage::scan_area;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::level::BinEntry;
use super::overlap::overlaps_extent;
use super::sink::{Gather, Visit};
use super::{BodyId, BodySet};

/// Which bodies a query accepts; the default accepts all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyFilter {
    /// At least one of these categories; [`BodyCategories::ALL`] also accepts bodies without a
    /// category.
    pub categories: BodyCategories,
    /// One of these teams.
    pub teams: Teams,
    /// Bodies whose height range overlaps this closed range.
    pub heights: Option<(Fixed, Fixed)>,
    /// All bodies but this one: usually the querying body.
    pub except: Option<BodyId>,
}

impl BodyFilter {
    /// All bodies.
    pub const ALL: Self = Self {
        categories: BodyCategories::ALL,
        teams: Teams::ALL,
        heights: None,
        except: None,
    };

    /// All bodies but one.
    pub const fn all_except(id: BodyId) -> Self {
        Self {
            except: Some(id),
            ..Self::ALL
        }
    }

    /// True if it accepts all bodies, or all but one.
    fn is_all_but_one(&self) -> bool {
        let all = Self {
            except: self.except,
            ..Self::ALL
        };
        *self == all
    }
}

impl Default for BodyFilter {
    fn default() -> Self {
        Self::ALL
    }
}

/// A filter in the form of the entries' tags.
#[derive(Clone, Copy)]
pub(super) struct CompiledFilter {
    categories: u32,
    accepts_all_categories: bool,
    teams: Teams,
    heights: Option<(i32, i32)>,
    except: u32,
}

impl CompiledFilter {
    pub(super) fn new(bodies: &BodySet, filter: &BodyFilter) -> Self {
        // A stale id must not exclude the body that reuses its slot.
        let except = filter.except.filter(|&id| bodies.contains(id));
        Self {
            categories: Tag::new(filter.categories, 0).0,
            accepts_all_categories: filter.categories == BodyCategories::ALL,
            teams: filter.teams,
            heights: filter.heights.map(|(low, high)| (low.raw(), high.raw())),
            except: except.map_or(u32::MAX, |id| id.index()),
        }
    }

    /// False if no body of the set can pass, whatever else it is.
    pub(super) const fn may_pass(&self, bodies: &BodySet) -> bool {
        self.accepts_all_categories || bodies.tag_bits & self.categories != 0
    }

    #[inline]
    pub(super) fn passes(&self, bodies: &BodySet, entry: &BinEntry) -> bool {
        (self.accepts_all_categories || entry.tag & self.categories != 0)
            && self.teams.contains(Tag(entry.tag).team())
            && entry.index != self.except
            && self.heights.is_none_or(|(low, high)| {
                let (z, height) = bodies.heights[entry.index as usize];
                z <= high && z + height >= low
            })
    }
}

impl BodySet {
    #[inline]
    pub(super) fn overlaps_extended(&self, footprint: &Footprint, entry: &BinEntry) -> bool {
        let extent = self.extents[entry.index as usize];
        !extent.is_point() && overlaps_extent(footprint, entry.at(), extent)
    }

    /// True if the body exists and the filter accepts it.
    pub fn passes(&self, id: BodyId, filter: &BodyFilter) -> bool {
        self.contains(id) && {
            let entry = self.entry_of(id.index() as usize);
            CompiledFilter::new(self, filter).passes(self, &entry)
        }
    }

    /// All bodies that overlap the footprint (both closed), into the caller's buffer. Allocates
    /// only to grow the buffer.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn find(
        &self,
        footprint: &Footprint,
        filter: &BodyFilter,
        hits: &mut QueryHits,
    ) -> Result<(), ShapeError> {
        footprint.check()?;
        hits.clear();
        if let Footprint::Circle { center, radius } = footprint {
            // The common case, without a copy of the largest variant.
            let disc = Disc::around(*center, *radius);
            self.find_in(&Filled(disc), footprint, filter, hits);
            return Ok(());
        }
        with_area!(&PreparedArea::new(footprint), area => self.find_in(area, footprint, filter, hits));
        Ok(())
    }

    #[inline]
    fn find_in<A: Area>(
        &self,
        area: &A,
        footprint: &Footprint,
        filter: &BodyFilter,
        hits: &mut QueryHits,
    ) {
        let compiled = CompiledFilter::new(self, filter);
        let bodies = self;
        if filter.is_all_but_one() {
            let mut sink = Gather::<_, true> {
                bodies,
                probe: area.probe(),
                footprint,
                compiled,
                hits,
            };
            scan_area(self, area, &mut sink);
            if compiled.except != u32::MAX {
                hits.remove(compiled.except);
            }
        } else {
            let mut sink = Gather::<_, false> {
                bodies,
                probe: area.probe(),
                footprint,
                compiled,
                hits,
            };
            scan_area(self, area, &mut sink);
        }
    }

    /// Calls `visit` with the index of every body in the footprint, in the order of [`QueryHits`],
    /// until it breaks.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn visit(
        &self,
        footprint: &Footprint,
        filter: &BodyFilter,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<QueryStats, ShapeError> {
        footprint.check()?;
        let area = PreparedArea::new(footprint);
        with_area!(&area, area => {
            let mut sink = Visit {
                bodies: self,
                probe: area.probe(),
                footprint,
                compiled: CompiledFilter::new(self, filter),
                visit: &mut visit,
                stats: QueryStats::default(),
            };
            scan_area(self, area, &mut sink);
            Ok(sink.stats)
        })
    }

    /// The number of bodies in the footprint.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn count(&self, footprint: &Footprint, filter: &BodyFilter) -> Result<usize, ShapeError> {
        let mut n_hits = 0;
        self.visit(footprint, filter, |_| {
            n_hits += 1;
            ControlFlow::Continue(())
        })?;
        Ok(n_hits)
    }
}
