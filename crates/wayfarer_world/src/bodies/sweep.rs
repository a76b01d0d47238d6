//! Continuous collision queries: bodies that touch a moving footprint within a tick, and when, at
//! any speed.
//!
//! The search area is inflated by the largest reach of a level, then each bin by its own reach.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, Extent, ShapeError};
use super::contact::{Motion, contact_interval};
use super::coverage::{bin_of, for_each_page};
use super::footprint::{Footprint, sub};
use super::hits::{QueryHits, QueryStats};
use super::level::{BinEntry, Level, PAGE_BITS, PAGE_SIDE, Page};
use super::query::{BodyFilter, CompiledFilter};
use super::{Area, BodyId, BodySet, PreparedArea, with_area};

/// A contact of a body with the footprint within the tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contact {
    /// The index of the body.
    pub index: u32,
    /// The time of first contact, 0 at the start of the tick to 1 at its end.
    pub enter: f64,
    /// The time of last contact; 1 if the two still touch at the end.
    pub leave: f64,
}

/// The contacts of a query, owned by the caller and reused; by time of first contact, then index.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    list: Vec<Contact>,
    hits: QueryHits,
    /// The work of the query.
    pub stats: QueryStats,
}

impl Contacts {
    /// All contacts.
    pub fn list(&self) -> &[Contact] {
        &self.list
    }

    /// All contacts with ids.
    pub fn ids<'a>(&'a self, bodies: &'a BodySet) -> impl Iterator<Item = (BodyId, Contact)> {
        let with_id = |contact: &Contact| Some((bodies.id_at(contact.index)?, *contact));
        self.list.iter().filter_map(with_id)
    }

    fn sort(&mut self) {
        self.list
            .sort_unstable_by(|a, b| a.enter.total_cmp(&b.enter).then(a.index.cmp(&b.index)));
    }
}

impl BodySet {
    /// All bodies whose motion of this tick touches the footprint, which itself translates until
    /// its [origin](Footprint::origin) is at `to`.
    ///
    /// Bodies and footprint move in straight lines at constant speed. The result does not depend on
    /// [`DetectionTiming`](super::DetectionTiming).
    ///
    /// # Errors
    /// A footprint beyond the limits, at either end.
    pub fn sweep(
        &self,
        footprint: &Footprint,
        to: Point2,
        filter: &BodyFilter,
        contacts: &mut Contacts,
    ) -> Result<(), ShapeError> {
        footprint.check()?;
        let end = footprint.translated_to(to);
        end.check()?;
        contacts.list.clear();
        contacts.stats = QueryStats::default();
        let compiled = CompiledFilter::new(self, filter);
        let footprint_motion = Motion {
            from: footprint.origin(),
            to,
        };
        for level in self.used_levels() {
            let reach = i64::from(level.bounds.reach);
            let (first, last) = (aabb(footprint), aabb(&end));
            let span = |a: (i64, i64), b: (i64, i64)| {
                (
                    bin_of(a.0.min(b.0) - reach, level.shift),
                    bin_of(a.1.max(b.1) + reach, level.shift),
                )
            };
            let (columns, rows) = (span(first.0, last.0), span(first.1, last.1));
            for_each_page(level, rows, columns, |number, page| {
                self.sweep_page(level, (number, page), (rows, columns), |entries| {
                    self.sweep_entries(entries, footprint, footprint_motion, &compiled, contacts);
                });
                true
            });
        }
        contacts.sort();
        Ok(())
    }

    /// Visits the bins of a page whose bodies can reach the footprint.
    fn sweep_page(
        &self,
        level: &Level,
        (number, page): (usize, &Page),
        (rows, columns): ((i32, i32), (i32, i32)),
        mut take: impl FnMut(SweptBin<'_>),
    ) {
        let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
        let first = Level::first_bin(number);
        for row in rows.0.max(north)..=rows.1.min(north + PAGE_SIDE - 1) {
            for column in columns.0.max(west)..=columns.1.min(west + PAGE_SIDE - 1) {
                let local = (row - north) * PAGE_SIDE + column - west;
                let run = level.run(first + local.cast_unsigned() as usize);
                if !run.entries.is_empty() {
                    take(SweptBin {
                        entries: &level.entries[run.entries],
                        low: (
                            i64::from(column) << level.shift,
                            i64::from(row) << level.shift,
                        ),
                        side: 1 << level.shift,
                        reach: run.reach.into(),
                    });
                }
            }
        }
    }

    fn sweep_entries(
        &self,
        bin: SweptBin<'_>,
        footprint: &Footprint,
        footprint_motion: Motion,
        compiled: &CompiledFilter,
        contacts: &mut Contacts,
    ) {
        contacts.stats.bins += 1;
        if !bin.can_reach(footprint, footprint_motion) {
            return;
        }
        contacts.stats.tests += bin.entries.len() as u64;
        for entry in bin.entries {
            let slot = entry.index as usize;
            let motion = Motion {
                from: self.before[slot],
                to: self.at[slot],
            };
            if compiled.passes(self, entry)
                && let Some((enter, leave)) =
                    contact_interval(footprint, footprint_motion, motion, self.extents[slot])
            {
                contacts.list.push(Contact {
                    index: entry.index,
                    enter,
                    leave,
                });
            }
        }
    }

    /// All bodies hit by a disc (a ray if `radius` is 0) that moves from `from` to `to` while the
    /// bodies stay where they are registered; first hit first.
    ///
    /// # Errors
    /// A position or radius beyond the limits, or a length above 16,384 cells.
    pub fn sweep_disc(
        &self,
        from: Point2,
        to: Point2,
        radius: Fixed,
        filter: &BodyFilter,
        contacts: &mut Contacts,
    ) -> Result<(), ShapeError> {
        let Contacts { list, hits, stats } = contacts;
        self.find(&Footprint::Capsule { from, to, radius }, filter, hits)?;
        list.clear();
        let disc = Footprint::circle(from, radius);
        for &index in hits.indices() {
            let slot = index as usize;
            let still = Motion::at(self.registered_at(slot));
            let interval = contact_interval(&disc, Motion { from, to }, still, self.extents[slot]);
            // The exact overlap test passed; a graze may be lost in floating point.
            let (enter, leave) = interval.unwrap_or_else(|| {
                let delta = sub(to, from);
                let offset = sub(still.from, from);
                let square = super::footprint::dot(delta, delta).max(1);
                #[expect(clippy::cast_precision_loss, reason = "a time between 0 and 1")]
                let nearest = super::footprint::dot(delta, offset) as f64 / square as f64;
                (nearest.clamp(0.0, 1.0), nearest.clamp(0.0, 1.0))
            });
            list.push(Contact {
                index,
                enter,
                leave,
            });
        }
        *stats = hits.stats;
        contacts.sort();
        Ok(())
    }

    /// The contact of one body with a moving footprint, as in [`sweep`](Self::sweep); `None` for an
    /// unknown id.
    ///
    /// # Errors
    /// A footprint beyond the limits, at either end.
    pub fn contact(
        &self,
        id: BodyId,
        footprint: &Footprint,
        to: Point2,
    ) -> Result<Option<Contact>, ShapeError> {
        footprint.check()?;
        footprint.translated_to(to).check()?;
        let footprint_motion = Motion {
            from: footprint.origin(),
            to,
        };
        let Ok((from, at)) = self.motion(id) else {
            return Ok(None);
        };
        let extent = self.extents[id.index() as usize];
        let interval =
            contact_interval(footprint, footprint_motion, Motion { from, to: at }, extent);
        Ok(interval.map(|(enter, leave)| Contact {
            index: id.index(),
            enter,
            leave,
        }))
    }
}

/// A bin, its entries, and how far they reach from where they are registered.
#[derive(Clone, Copy)]
struct SweptBin<'a> {
    entries: &'a [BinEntry],
    low: (i64, i64),
    side: i64,
    reach: i64,
}

impl SweptBin<'_> {
    /// False if no body in the bin can touch the footprint within the tick.
    fn can_reach(&self, footprint: &Footprint, footprint_motion: Motion) -> bool {
        // The bin inflated by the reach, and by 1 against rounding.
        let half = (self.side + 1) / 2 + self.reach + 1;
        let center = (self.low.0 + self.side / 2, self.low.1 + self.side / 2);
        let fits = |at: i64| i32::try_from(at).ok().map(Fixed::from_raw);
        let (Some(x), Some(y), Some(half)) = (fits(center.0), fits(center.1), fits(half)) else {
            return true;
        };
        if half.raw() > body::MAX_SIZE {
            return true;
        }
        let extent = Extent {
            half_x: half.raw(),
            half_y: half.raw(),
        };
        let still = Motion::at(Point2::new(x, y));
        contact_interval(footprint, footprint_motion, still, extent).is_some()
    }
}

/// The columns and rows of a footprint's AABB.
fn aabb(footprint: &Footprint) -> ((i64, i64), (i64, i64)) {
    with_area!(PreparedArea::new(footprint), area => {
        let rows = area.rows();
        (area.row(rows.0, rows.1, 0).outer, rows)
    })
}

#[cfg(test)]
mod tests;
