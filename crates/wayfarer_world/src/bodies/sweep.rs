//! Who crosses a footprint within a tick, and when, however fast they or the footprint are.
//!
//! Squares are looked at as far from the footprint as the farthest way of those in them: each square
//! knows its own.

use wayfarer_base::{Fixed, Point2};

use super::body::{self, Extent, ShapeError};
use super::contact::{Motion, moments};
use super::coverage::{for_pages, square_of};
use super::footprint::{Footprint, sub};
use super::hits::{QueryHits, QueryStats};
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Page, Slot};
use super::query::{BodyFilter, Sieve};
use super::{Area, BodyId, BodySet, Ready, with_area};

/// Somebody who touched the footprint within the tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contact {
    /// Its place in the table.
    pub index: u32,
    /// The first moment, from 0 for the beginning of the tick to 1 for its end.
    pub enter: f64,
    /// The last moment; 1 if the two still touch at the end.
    pub leave: f64,
}

/// Who touched, kept by the caller and used again: by first moments, of equals the lowest index.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    list: Vec<Contact>,
    found: QueryHits,
    /// What it took.
    pub work: QueryStats,
}

impl Contacts {
    /// Everybody who touched.
    pub fn list(&self) -> &[Contact] {
        &self.list
    }

    /// Their names.
    pub fn ids<'a>(&'a self, bodies: &'a BodySet) -> impl Iterator<Item = (BodyId, Contact)> {
        let name = |contact: &Contact| Some((bodies.id_at(contact.index)?, *contact));
        self.list.iter().filter_map(name)
    }

    fn sort(&mut self) {
        self.list
            .sort_unstable_by(|a, b| a.enter.total_cmp(&b.enter).then(a.index.cmp(&b.index)));
    }
}

impl BodySet {
    /// Everybody whose way of this tick touches the footprint, which itself moves, without
    /// turning, from where it is until its [origin](Footprint::origin) is at `to`.
    ///
    /// Bodies and footprint move in straight lines, all at their own steady speed. Whether objects
    /// are registered at the beginning or at the end of their paths makes no difference.
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
        contacts.work = QueryStats::default();
        let sieve = Sieve::new(self, filter);
        let carrier = Motion {
            from: footprint.origin(),
            to,
        };
        for level in self.used_levels() {
            let reach = i64::from(level.bounds.reach);
            let (first, last) = (bounds(footprint), bounds(&end));
            let span = |a: (i64, i64), b: (i64, i64)| {
                (
                    square_of(a.0.min(b.0) - reach, level.shift),
                    square_of(a.1.max(b.1) + reach, level.shift),
                )
            };
            let (columns, rows) = (span(first.0, last.0), span(first.1, last.1));
            for_pages(level, rows, columns, |number, page| {
                self.sweep_page(level, (number, page), (rows, columns), |slots| {
                    self.sweep_slots(slots, footprint, carrier, &sieve, contacts);
                });
                true
            });
        }
        contacts.sort();
        Ok(())
    }

    /// Hands out those squares of a page whose people can reach the footprint.
    fn sweep_page(
        &self,
        level: &Level,
        (number, page): (usize, &Page),
        (rows, columns): ((i32, i32), (i32, i32)),
        mut take: impl FnMut(SweptSquare<'_>),
    ) {
        let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
        let first = Level::first_of(number);
        for row in rows.0.max(north)..=rows.1.min(north + PAGE_SIDE - 1) {
            for column in columns.0.max(west)..=columns.1.min(west + PAGE_SIDE - 1) {
                let place = (row - north) * PAGE_SIDE + column - west;
                let run = level.run(first + place.cast_unsigned() as usize);
                if !run.slots.is_empty() {
                    take(SweptSquare {
                        slots: &level.slots[run.slots],
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

    fn sweep_slots(
        &self,
        square: SweptSquare<'_>,
        footprint: &Footprint,
        carrier: Motion,
        sieve: &Sieve,
        contacts: &mut Contacts,
    ) {
        contacts.work.squares += 1;
        if !square.can_reach(footprint, carrier) {
            return;
        }
        contacts.work.tests += square.slots.len() as u64;
        for slot in square.slots {
            let place = slot.index as usize;
            let path = Motion {
                from: self.before[place],
                to: self.at[place],
            };
            if sieve.passes(self, slot)
                && let Some((enter, leave)) = moments(footprint, carrier, path, self.extents[place])
            {
                contacts.list.push(Contact {
                    index: slot.index,
                    enter,
                    leave,
                });
            }
        }
    }

    /// Everybody in the way of a disc, or of a bullet if `radius` is 0, that flies from `from` to
    /// `to` while all others stand where they are registered: the first that is hit comes first.
    ///
    /// # Errors
    /// Positions or a radius beyond the limits, or a way longer than 16,384 cells.
    pub fn along(
        &self,
        from: Point2,
        to: Point2,
        radius: Fixed,
        filter: &BodyFilter,
        contacts: &mut Contacts,
    ) -> Result<(), ShapeError> {
        let Contacts { list, found, work } = contacts;
        self.find(&Footprint::Capsule { from, to, radius }, filter, found)?;
        list.clear();
        let disc = Footprint::circle(from, radius);
        for &index in found.indices() {
            let place = index as usize;
            let still = Motion::at(self.registered_at(place));
            let touch = moments(&disc, Motion { from, to }, still, self.extents[place]);
            // The capsule was touched; a graze may slip through floating point, not through here.
            let (enter, leave) = touch.unwrap_or_else(|| {
                let delta = sub(to, from);
                let away = sub(still.from, from);
                let square = super::footprint::dot(delta, delta).max(1);
                #[expect(clippy::cast_precision_loss, reason = "a moment between 0 and 1")]
                let nearest = super::footprint::dot(delta, away) as f64 / square as f64;
                (nearest.clamp(0.0, 1.0), nearest.clamp(0.0, 1.0))
            });
            list.push(Contact {
                index,
                enter,
                leave,
            });
        }
        *work = found.work;
        contacts.sort();
        Ok(())
    }

    /// When one object touches a footprint that moves: what [`sweep`](Self::sweep) tells of it.
    ///
    /// # Errors
    /// A footprint beyond the limits, at either end; nobody is touched by that.
    pub fn contact(
        &self,
        id: BodyId,
        footprint: &Footprint,
        to: Point2,
    ) -> Result<Option<Contact>, ShapeError> {
        footprint.check()?;
        footprint.translated_to(to).check()?;
        let carrier = Motion {
            from: footprint.origin(),
            to,
        };
        let Ok((from, at)) = self.motion(id) else {
            return Ok(None);
        };
        let extent = self.extents[id.index() as usize];
        let touch = moments(footprint, carrier, Motion { from, to: at }, extent);
        Ok(touch.map(|(enter, leave)| Contact {
            index: id.index(),
            enter,
            leave,
        }))
    }
}

/// A square, who is in it, and how far they reach from where they are registered.
#[derive(Clone, Copy)]
struct SweptSquare<'a> {
    slots: &'a [Slot],
    low: (i64, i64),
    side: i64,
    reach: i64,
}

impl SweptSquare<'_> {
    /// False if nobody in it can touch the footprint within the tick.
    fn can_reach(&self, footprint: &Footprint, carrier: Motion) -> bool {
        // The square wider by the reach, and by one for what floating point may lose.
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
        moments(footprint, carrier, still, extent).is_some()
    }
}

/// First and last column and row of a footprint.
fn bounds(footprint: &Footprint) -> ((i64, i64), (i64, i64)) {
    with_area!(Ready::new(footprint), area => {
        let rows = area.rows();
        (area.row(rows.0, rows.1, 0).outer, rows)
    })
}

#[cfg(test)]
mod tests;
