//! Who is in a footprint: all of them, how many, anybody, the best.

use std::ops::ControlFlow;

use wayfarer_base::Fixed;

use super::area::{Area, Disc, Ready, Solid, with_area};
use super::body::{BodyCategories, ShapeError, Tag, Teams};
use super::coverage::walk;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::level::Slot;
use super::overlap::touches;
use super::sink::{Gather, Visit};
use super::{BodyId, BodySet};

/// Who is wanted; the default wants everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyFilter {
    /// At least one of these kinds; [`BodyCategories::ALL`] wants those of no kind, too.
    pub categories: BodyCategories,
    /// One of these teams.
    pub teams: Teams,
    /// Bodies that share a height with this range, both ends included.
    pub heights: Option<(Fixed, Fixed)>,
    /// Anybody but this one: usually who asks.
    pub except: Option<BodyId>,
}

impl BodyFilter {
    /// Everybody.
    pub const ALL: Self = Self {
        categories: BodyCategories::ALL,
        teams: Teams::ALL,
        heights: None,
        except: None,
    };

    /// Everybody but one.
    pub const fn but(id: BodyId) -> Self {
        Self {
            except: Some(id),
            ..Self::ALL
        }
    }

    /// True if it wants everybody, or everybody but one.
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

/// A filter made ready.
#[derive(Clone, Copy)]
pub(super) struct Sieve {
    kinds: u32,
    any_kind: bool,
    teams: Teams,
    heights: Option<(i32, i32)>,
    except: u32,
}

impl Sieve {
    pub(super) fn new(bodies: &BodySet, filter: &BodyFilter) -> Self {
        // A dead name keeps nobody out who was born into its place.
        let except = filter.except.filter(|&id| bodies.is_alive(id));
        Self {
            kinds: Tag::new(filter.categories, 0).0,
            any_kind: filter.categories == BodyCategories::ALL,
            teams: filter.teams,
            heights: filter.heights.map(|(low, high)| (low.raw(), high.raw())),
            except: except.map_or(u32::MAX, |id| id.index()),
        }
    }

    #[inline]
    pub(super) fn passes(&self, bodies: &BodySet, slot: &Slot) -> bool {
        (self.any_kind || slot.tag & self.kinds != 0)
            && self.teams.contains(Tag(slot.tag).team())
            && slot.index != self.except
            && self.heights.is_none_or(|(low, high)| {
                let (z, height) = bodies.heights[slot.index as usize];
                z <= high && z + height >= low
            })
    }
}

impl BodySet {
    #[inline]
    pub(super) fn touches_wide(&self, footprint: &Footprint, slot: &Slot) -> bool {
        let extent = self.extents[slot.index as usize];
        !extent.is_point() && touches(footprint, slot.at(), extent)
    }

    /// True if the object lives and the filter wants it.
    pub fn passes(&self, id: BodyId, filter: &BodyFilter) -> bool {
        self.is_alive(id) && {
            let slot = self.slot_of(id.index() as usize);
            Sieve::new(self, filter).passes(self, &slot)
        }
    }

    /// Everybody in the footprint, into the caller's buffer.
    ///
    /// A body is in it if the two share a point, edges included. Asks for memory only to make the
    /// buffer larger.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn find(
        &self,
        footprint: &Footprint,
        filter: &BodyFilter,
        found: &mut QueryHits,
    ) -> Result<(), ShapeError> {
        footprint.check()?;
        found.clear();
        if let Footprint::Circle {
            center: centre,
            radius,
        } = footprint
        {
            // Most questions: not worth a copy of the largest footprint there is.
            let disc = Disc::around(*centre, *radius);
            self.find_in(&Solid(disc), footprint, filter, found);
            return Ok(());
        }
        with_area!(&Ready::new(footprint), area => self.find_in(area, footprint, filter, found));
        Ok(())
    }

    #[inline]
    fn find_in<A: Area>(
        &self,
        area: &A,
        footprint: &Footprint,
        filter: &BodyFilter,
        found: &mut QueryHits,
    ) {
        let sieve = Sieve::new(self, filter);
        let bodies = self;
        if filter.is_all_but_one() {
            let mut sink = Gather::<_, true> {
                bodies,
                probe: area.probe(),
                footprint,
                sieve,
                found,
            };
            walk(self, area, &mut sink);
            if sieve.except != u32::MAX {
                found.leave_out(sieve.except);
            }
        } else {
            let mut sink = Gather::<_, false> {
                bodies,
                probe: area.probe(),
                footprint,
                sieve,
                found,
            };
            walk(self, area, &mut sink);
        }
    }

    /// Calls `visit` with the index of everybody in the footprint, in order, until it breaks off.
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
        let ready = Ready::new(footprint);
        with_area!(&ready, area => {
            let mut sink = Visit {
                bodies: self,
                probe: area.probe(),
                footprint,
                sieve: Sieve::new(self, filter),
                visit: &mut visit,
                work: QueryStats::default(),
            };
            walk(self, area, &mut sink);
            Ok(sink.work)
        })
    }

    /// How many are in the footprint.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn count(&self, footprint: &Footprint, filter: &BodyFilter) -> Result<usize, ShapeError> {
        let mut n_found = 0;
        self.visit(footprint, filter, |_| {
            n_found += 1;
            ControlFlow::Continue(())
        })?;
        Ok(n_found)
    }

    /// The first in the footprint, in the order of [`QueryHits`].
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn any(
        &self,
        footprint: &Footprint,
        filter: &BodyFilter,
    ) -> Result<Option<BodyId>, ShapeError> {
        let mut first = None;
        self.visit(footprint, filter, |index| {
            first = Some(index);
            ControlFlow::Break(())
        })?;
        Ok(first.and_then(|index| self.id_at(index)))
    }

    /// The one with the highest score, of equals the one with the lowest index; a score of
    /// `None` is out of the question.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn best(
        &self,
        footprint: &Footprint,
        filter: &BodyFilter,
        mut score: impl FnMut(BodyId) -> Option<i64>,
    ) -> Result<Option<(BodyId, i64)>, ShapeError> {
        let mut best: Option<(i64, std::cmp::Reverse<BodyId>)> = None;
        self.visit(footprint, filter, |index| {
            if let Some(id) = self.id_at(index)
                && let Some(score) = score(id)
            {
                best = best.max(Some((score, std::cmp::Reverse(id))));
            }
            ControlFlow::Continue(())
        })?;
        Ok(best.map(|(score, id)| (id.0, score)))
    }
}
