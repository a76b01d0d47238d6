//! Who is in a footprint: all of them, how many, anybody, the best.

use std::ops::ControlFlow;

use wayfarer_base::Fixed;

use super::area::{Area, Disc, EMPTY, Ready, Row, Solid, Span, with_area};
use super::body::{Categories, ShapeError, Tag, Teams};
use super::footprint::Footprint;
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Page, Slot};
use super::touch::touches;
use super::{ObjectId, Objects};

/// Who is wanted; the default wants everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// At least one of these kinds; [`Categories::ALL`] wants those of no kind, too.
    pub categories: Categories,
    /// One of these teams.
    pub teams: Teams,
    /// Bodies that share a height with this range, both ends included.
    pub heights: Option<(Fixed, Fixed)>,
    /// Anybody but this one: usually who asks.
    pub except: Option<ObjectId>,
}

impl Filter {
    /// Everybody.
    pub const ALL: Self = Self {
        categories: Categories::ALL,
        teams: Teams::ALL,
        heights: None,
        except: None,
    };

    /// Everybody but one.
    pub const fn but(id: ObjectId) -> Self {
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

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}

/// What a question took: how much less than looking at everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Squares looked at.
    pub squares: u64,
    /// Bodies that were tested exactly.
    pub tests: u64,
    /// Bodies in squares that lie inside the footprint, taken without a test.
    pub skips: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.squares += other.squares;
        self.tests += other.tests;
        self.skips += other.skips;
    }
}

/// Who was found, kept by the caller and used again, so that no question asks for memory.
///
/// In order: small bodies before large ones; then page by page of 32 x 32 squares, from north to
/// south and from west to east; square by square in the same way; by rising index.
#[derive(Clone, Debug, Default)]
pub struct Found {
    indices: Vec<u32>,
    n_found: usize,
    /// What it took.
    pub work: Work,
}

impl Found {
    /// Places in the table of those who were found; see [`Objects::id_at`].
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.n_found]
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.n_found
    }

    /// True if nobody was found.
    pub fn is_empty(&self) -> bool {
        self.n_found == 0
    }

    /// Their names.
    pub fn ids<'a>(&'a self, objects: &'a Objects) -> impl Iterator<Item = ObjectId> + 'a {
        self.indices().iter().filter_map(|&at| objects.id_at(at))
    }

    /// Puts them in the order of their indices.
    pub fn sort(&mut self) {
        self.indices[..self.n_found].sort_unstable();
    }

    pub(super) fn clear(&mut self) {
        self.n_found = 0;
        self.work = Work::default();
    }

    /// Takes out one who was found.
    pub(super) fn leave_out(&mut self, index: u32) {
        let found = &mut self.indices[..self.n_found];
        if let Some(at) = found.iter().position(|&other| other == index) {
            found.copy_within(at + 1.., at);
            self.n_found -= 1;
        }
    }

    /// Becomes those of `near` whose number in `squares` is at most `limit`, but `except`.
    #[inline]
    pub(super) fn take_near(&mut self, near: &[u32], squares: &[f64], limit: f64, except: u32) {
        self.clear();
        let room = self.room_for(near.len());
        let mut n_found = 0;
        for (&index, &square) in near.iter().zip(squares) {
            room[n_found] = index;
            n_found += usize::from((square <= limit) & (index != except));
        }
        self.n_found = n_found;
    }

    #[inline]
    fn room_for(&mut self, n_more: usize) -> &mut [u32] {
        if self.indices.len() < self.n_found + n_more {
            self.grow(n_more);
        }
        &mut self.indices[self.n_found..]
    }

    #[cold]
    fn grow(&mut self, n_more: usize) {
        self.indices.resize(2 * (self.n_found + n_more) + 64, 0);
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
    pub(super) fn new(objects: &Objects, filter: &Filter) -> Self {
        // A dead name keeps nobody out who was born into its place.
        let except = filter.except.filter(|&id| objects.is_alive(id));
        Self {
            kinds: Tag::new(filter.categories, 0).0,
            any_kind: filter.categories == Categories::ALL,
            teams: filter.teams,
            heights: filter.heights.map(|(low, high)| (low.raw(), high.raw())),
            except: except.map_or(u32::MAX, |id| id.index()),
        }
    }

    #[inline]
    pub(super) fn passes(&self, objects: &Objects, slot: &Slot) -> bool {
        (self.any_kind || slot.tag & self.kinds != 0)
            && self.teams.contains(Tag(slot.tag).team())
            && slot.index != self.except
            && self.heights.is_none_or(|(low, high)| {
                let (z, height) = objects.heights[slot.index as usize];
                z <= high && z + height >= low
            })
    }
}

/// Takes runs of slots.
pub(super) trait Sink {
    /// Those who may or may not belong to the footprint; false to end.
    fn partial(&mut self, slots: &[Slot], has_wide: bool) -> bool;
    /// Those who do; false to end.
    fn inside(&mut self, slots: &[Slot]) -> bool;
    /// Squares that were looked at.
    fn looked_at(&mut self, n_squares: u64);
}

/// Gathers indices without a branch for each.
struct Gather<'a, A, const PLAIN: bool> {
    objects: &'a Objects,
    area: &'a A,
    footprint: &'a Footprint,
    sieve: Sieve,
    found: &'a mut Found,
}

impl<A: Area, const PLAIN: bool> Sink for Gather<'_, A, PLAIN> {
    #[inline]
    fn partial(&mut self, slots: &[Slot], has_wide: bool) -> bool {
        let passes = |slot: &Slot| PLAIN || self.sieve.passes(self.objects, slot);
        let room = self.found.room_for(slots.len());
        let n_found = if has_wide {
            gather(slots, room, |slot| {
                (self.area.holds(slot.x, slot.y) || self.objects.touches_wide(self.footprint, slot))
                    && passes(slot)
            })
        } else {
            gather(slots, room, |slot| {
                self.area.holds(slot.x, slot.y) && passes(slot)
            })
        };
        self.found.n_found += n_found;
        self.found.work.tests += slots.len() as u64;
        true
    }

    #[inline]
    fn inside(&mut self, slots: &[Slot]) -> bool {
        let passes = |slot: &Slot| PLAIN || self.sieve.passes(self.objects, slot);
        let n_found = gather(slots, self.found.room_for(slots.len()), passes);
        self.found.n_found += n_found;
        self.found.work.skips += slots.len() as u64;
        true
    }

    #[inline]
    fn looked_at(&mut self, n_squares: u64) {
        self.found.work.squares += n_squares;
    }
}

/// Writes the indices of those who are wanted, without a branch for each; gives how many.
#[inline]
fn gather(slots: &[Slot], room: &mut [u32], wants: impl Fn(&Slot) -> bool) -> usize {
    let mut n_found = 0;
    for slot in slots {
        room[n_found] = slot.index;
        n_found += usize::from(wants(slot));
    }
    n_found
}

/// Calls a function for each.
struct Visit<'a, A, F> {
    objects: &'a Objects,
    area: &'a A,
    footprint: &'a Footprint,
    sieve: Sieve,
    visit: F,
    work: Work,
}

impl<A: Area, F: FnMut(u32) -> ControlFlow<()>> Sink for Visit<'_, A, F> {
    fn partial(&mut self, slots: &[Slot], has_wide: bool) -> bool {
        for slot in slots {
            self.work.tests += 1;
            let is_hit = (self.area.holds(slot.x, slot.y)
                || (has_wide && self.objects.touches_wide(self.footprint, slot)))
                && self.sieve.passes(self.objects, slot);
            if is_hit && (self.visit)(slot.index).is_break() {
                return false;
            }
        }
        true
    }

    fn inside(&mut self, slots: &[Slot]) -> bool {
        for slot in slots {
            self.work.skips += 1;
            let is_hit = self.sieve.passes(self.objects, slot);
            if is_hit && (self.visit)(slot.index).is_break() {
                return false;
            }
        }
        true
    }

    fn looked_at(&mut self, n_squares: u64) {
        self.work.squares += n_squares;
    }
}

/// Walks the squares of an area and hands their slots to a sink.
#[inline]
pub(super) fn walk<A: Area>(objects: &Objects, area: &A, sink: &mut impl Sink) {
    for level in objects.used_levels() {
        let reach = i64::from(level.bounds.extent);
        let (rows, columns) = (area.rows(), area.columns());
        if rows.0 > rows.1 || columns.0 > columns.1 {
            continue;
        }
        let squares = |span: Span| {
            (
                square_of(span.0 - reach, level.shift),
                square_of(span.1 + reach, level.shift),
            )
        };
        let (rows, columns) = (squares(rows), squares(columns));
        let side = 1 << level.shift;
        // A chord that cannot hold enough squares need not be looked for.
        let has_inside = area.widest(side) >= (WORTH_WHILE + 1) * side;
        let is_done = for_pages(level, rows, columns, |number, page| {
            walk_page(level, (number, page), (rows, has_inside), area, sink)
        });
        if !is_done {
            break;
        }
    }
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "squares of positions near the world have 32 bits"
)]
pub(super) fn square_of(at: i64, shift: u32) -> i32 {
    (at >> shift).clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32
}

/// Calls `visit` with the pages that hold squares of these rows and columns, in order, until it
/// says false.
#[inline]
pub(super) fn for_pages(
    level: &Level,
    rows: (i32, i32),
    columns: (i32, i32),
    mut visit: impl FnMut(usize, &Page) -> bool,
) -> bool {
    let page_of = |square: i32| square >> PAGE_BITS;
    let (first_y, last_y) = (page_of(rows.0), page_of(rows.1));
    let (first_x, last_x) = (page_of(columns.0), page_of(columns.1));
    if (first_x, first_y) == (last_x, last_y) {
        return match level.page(first_x, first_y) {
            Some(number) => visit(number, &level.pages[number]),
            None => true,
        };
    }
    let n_pages = (i64::from(last_x) - i64::from(first_x) + 1)
        .saturating_mul(i64::from(last_y) - i64::from(first_y) + 1);
    if usize::try_from(n_pages).is_ok_and(|n_pages| n_pages <= level.pages.len()) {
        for y in first_y..=last_y {
            for x in first_x..=last_x {
                if let Some(number) = level.page(x, y)
                    && !visit(number, &level.pages[number])
                {
                    return false;
                }
            }
        }
        return true;
    }
    let page = |number: u32| &level.pages[number as usize];
    let begin = level.order.partition_point(|&at| page(at).y < first_y);
    for &number in &level.order[begin..] {
        let page = page(number);
        if page.y > last_y {
            break;
        }
        if (first_x..=last_x).contains(&page.x) && !visit(number as usize, page) {
            return false;
        }
    }
    true
}

#[inline]
fn walk_page<A: Area>(
    level: &Level,
    (number, page): (usize, &Page),
    (rows, has_inside): ((i32, i32), bool),
    area: &A,
    sink: &mut impl Sink,
) -> bool {
    let (west, north) = (page.x << PAGE_BITS, page.y << PAGE_BITS);
    let first = rows.0.max(north);
    let last = rows.1.min(north + PAGE_SIDE - 1);
    let west = i64::from(west);
    let side = 1_i64 << level.shift;
    let reach = i64::from(level.bounds.extent);
    let has_wide = level.bounds.n_wide > 0;
    for y in first..=last {
        let low = i64::from(y) << level.shift;
        let base = ((y - north) << PAGE_BITS).cast_unsigned() as usize;
        let mut take = |is_inside: bool, from: i64, to: i64| {
            let (first, last) = (base + place(from), base + place(to));
            sink.looked_at((last - first + 1) as u64);
            level.for_ranges(number, first, last, |range| {
                let slots = &level.slots[range];
                if is_inside {
                    sink.inside(slots)
                } else {
                    sink.partial(slots, has_wide)
                }
            })
        };
        let go_on = if A::HOLED {
            let row = area.row(low, low + side - 1, reach);
            Runs::of(&row, level.shift, west).all(|(is_inside, from, to)| take(is_inside, from, to))
        } else {
            let outer = area.outer(low, low + side - 1, reach);
            let squares = touched(outer, level.shift, west);
            let (from, to) = (squares.0.max(0), squares.1.min(i64::from(PAGE_SIDE) - 1));
            if outer.0 > outer.1 || from > to {
                continue;
            }
            let inner = if has_inside {
                held(
                    area.row(low, low + side - 1, reach).inner,
                    level.shift,
                    west,
                )
            } else {
                EMPTY
            };
            let (first, last) = (inner.0.max(from), inner.1.min(to));
            if last - first < WORTH_WHILE {
                take(false, from, to)
            } else {
                (from == first || take(false, from, first - 1))
                    && take(true, first, last)
                    && (last == to || take(false, last + 1, to))
            }
        };
        if !go_on {
            return false;
        }
    }
    true
}

/// Fewer squares inside than this, less one, are tested with those around them: a run of its own
/// costs more than the tests it saves.
const WORTH_WHILE: i64 = 1;

/// Squares of the page that hold a point of the span.
#[inline]
fn touched(span: Span, shift: u32, west: i64) -> Span {
    ((span.0 >> shift) - west, (span.1 >> shift) - west)
}

/// Squares that hold points of the span only.
#[inline]
fn held(span: Span, shift: u32, west: i64) -> Span {
    let side = (1_i64 << shift) - 1;
    (
        ((span.0 + side) >> shift) - west,
        ((span.1 + 1) >> shift) - 1 - west,
    )
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "squares in a row of a page are numbered from 0 to 31"
)]
fn place(at: i64) -> usize {
    at as usize & 31
}

/// The squares of a row in stretches that lie inside or may lie outside; for areas with holes.
struct Runs {
    next: i64,
    outer: Span,
    inner: Span,
    hole: Span,
    deep: Span,
}

impl Runs {
    fn of(row: &Row, shift: u32, west: i64) -> Self {
        let outer = touched(row.outer, shift, west);
        let outer = (outer.0.max(0), outer.1.min(i64::from(PAGE_SIDE) - 1));
        let none = (i64::MAX, i64::MIN);
        let some = |span: Span| if span.0 <= span.1 { span } else { none };
        let is_empty = row.outer.0 > row.outer.1;
        Self {
            next: if is_empty { i64::MAX } else { outer.0 },
            outer,
            inner: some(held(row.inner, shift, west)),
            hole: if row.hole.0 <= row.hole.1 {
                touched(row.hole, shift, west)
            } else {
                none
            },
            deep: some(held(row.deep, shift, west)),
        }
    }
}

impl Iterator for Runs {
    /// Whether they lie inside, the first and the last square.
    type Item = (bool, i64, i64);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.next;
            if at > self.outer.1 {
                return None;
            }
            let holds = |span: Span| span.0 <= at && at <= span.1;
            // Up to where nothing changes.
            let mut end = self.outer.1;
            for span in [self.inner, self.hole, self.deep] {
                if at < span.0 {
                    end = end.min(span.0.saturating_sub(1));
                } else if at <= span.1 {
                    end = end.min(span.1);
                }
            }
            self.next = end + 1;
            if !holds(self.deep) {
                let is_inside = holds(self.inner) && !holds(self.hole);
                return Some((is_inside, at, end));
            }
        }
    }
}

impl Objects {
    #[inline]
    pub(super) fn touches_wide(&self, footprint: &Footprint, slot: &Slot) -> bool {
        let extent = self.extents[slot.index as usize];
        !extent.is_point() && touches(footprint, slot.at(), extent)
    }

    /// True if the object lives and the filter wants it.
    pub fn passes(&self, id: ObjectId, filter: &Filter) -> bool {
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
        filter: &Filter,
        found: &mut Found,
    ) -> Result<(), ShapeError> {
        footprint.check()?;
        found.clear();
        if let Footprint::Circle { centre, radius } = footprint {
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
        filter: &Filter,
        found: &mut Found,
    ) {
        let sieve = Sieve::new(self, filter);
        let objects = self;
        if filter.is_all_but_one() {
            let mut sink = Gather::<_, true> {
                objects,
                area,
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
                objects,
                area,
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
        filter: &Filter,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<Work, ShapeError> {
        footprint.check()?;
        let ready = Ready::new(footprint);
        with_area!(&ready, area => {
            let mut sink = Visit {
                objects: self,
                area,
                footprint,
                sieve: Sieve::new(self, filter),
                visit: &mut visit,
                work: Work::default(),
            };
            walk(self, area, &mut sink);
            Ok(sink.work)
        })
    }

    /// How many are in the footprint.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn count(&self, footprint: &Footprint, filter: &Filter) -> Result<usize, ShapeError> {
        let mut n_found = 0;
        self.visit(footprint, filter, |_| {
            n_found += 1;
            ControlFlow::Continue(())
        })?;
        Ok(n_found)
    }

    /// The first in the footprint, in the order of [`Found`].
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn any(
        &self,
        footprint: &Footprint,
        filter: &Filter,
    ) -> Result<Option<ObjectId>, ShapeError> {
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
        filter: &Filter,
        mut score: impl FnMut(ObjectId) -> Option<i64>,
    ) -> Result<Option<(ObjectId, i64)>, ShapeError> {
        let mut best: Option<(i64, std::cmp::Reverse<ObjectId>)> = None;
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
