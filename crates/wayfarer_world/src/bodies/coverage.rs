//! Which squares a footprint covers, row by row: those inside it, and those that it covers in part.

use super::BodySet;
use super::area::{Area, Row, Span};
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Page};
use super::sink::Sink;

/// Walks the squares of an area and hands their slots to a sink.
#[inline]
pub(super) fn walk<A: Area>(bodies: &BodySet, area: &A, sink: &mut impl Sink) {
    for level in bodies.used_levels() {
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
        let has_inside = area.may_hold(side, (WORTH_WHILE + 1) * side);
        let n_more = (rows.1 - rows.0).max(columns.1 - columns.0);
        let is_small = A::ROUND && n_more < BOX_SIDE;
        let is_done = for_pages(level, rows, columns, |number, page| {
            if A::HOLED || has_inside {
                walk_page(level, (number, page), rows, area, sink)
            } else if is_small {
                walk_box(level, (number, page), (rows, columns), sink)
            } else {
                walk_edges(level, (number, page), rows, area, sink)
            }
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

/// Where a page begins, which of its rows are wanted, and what is the same for all of them.
struct Sheet {
    first: i32,
    last: i32,
    north: i32,
    west: i64,
    reach: i64,
    has_wide: bool,
}

impl Sheet {
    #[inline]
    fn new(level: &Level, page: &Page, rows: (i32, i32)) -> Self {
        let north = page.y << PAGE_BITS;
        Self {
            first: rows.0.max(north),
            last: rows.1.min(north + PAGE_SIDE - 1),
            north,
            west: i64::from(page.x << PAGE_BITS),
            reach: i64::from(level.bounds.extent),
            has_wide: level.bounds.n_wide > 0,
        }
    }

    /// The number of the first square of a row.
    #[inline]
    fn base(&self, y: i32) -> usize {
        ((y - self.north) << PAGE_BITS).cast_unsigned() as usize
    }

    /// The squares of a row of the page that an area may cover; none if they are the wrong way
    /// round.
    #[inline]
    fn touched(&self, outer: Span, shift: u32) -> Span {
        let squares = touched(outer, shift, self.west);
        (squares.0.max(0), squares.1.min(i64::from(PAGE_SIDE) - 1))
    }
}

/// Walks all squares of some rows and columns of a page.
#[inline]
fn walk_box(
    level: &Level,
    (number, page): (usize, &Page),
    (rows, columns): ((i32, i32), (i32, i32)),
    sink: &mut impl Sink,
) -> bool {
    let sheet = Sheet::new(level, page, rows);
    let west = page.x << PAGE_BITS;
    let from = (columns.0 - west).max(0).cast_unsigned() as usize;
    let to = (columns.1 - west).min(PAGE_SIDE - 1).cast_unsigned() as usize;
    let n_rows = (sheet.last - sheet.first + 1).max(0).cast_unsigned();
    sink.looked_at(u64::from(n_rows) * (to - from + 1) as u64);
    (sheet.first..=sheet.last).all(|y| {
        let base = sheet.base(y);
        level.for_ranges(number, base + from, base + to, |range| {
            sink.partial(&level.slots[range], sheet.has_wide)
        })
    })
}

/// Walks a page of an area without a hole that holds no squares, but in part.
#[inline]
fn walk_edges<A: Area>(
    level: &Level,
    (number, page): (usize, &Page),
    rows: (i32, i32),
    area: &A,
    sink: &mut impl Sink,
) -> bool {
    let sheet = Sheet::new(level, page, rows);
    let last_of_row = (1_i64 << level.shift) - 1;
    let mut n_squares = 0;
    let mut go_on = true;
    for y in sheet.first..=sheet.last {
        let low = i64::from(y) << level.shift;
        let outer = area.outer(low, low + last_of_row, sheet.reach);
        let (from, to) = sheet.touched(outer, level.shift);
        if from > to {
            continue;
        }
        let base = sheet.base(y);
        let (first, last) = (base + place(from), base + place(to));
        n_squares += last - first + 1;
        go_on = level.for_ranges(number, first, last, |range| {
            sink.partial(&level.slots[range], sheet.has_wide)
        });
        if !go_on {
            break;
        }
    }
    sink.looked_at(n_squares as u64);
    go_on
}

#[inline]
fn walk_page<A: Area>(
    level: &Level,
    (number, page): (usize, &Page),
    rows: (i32, i32),
    area: &A,
    sink: &mut impl Sink,
) -> bool {
    let sheet = Sheet::new(level, page, rows);
    let last_of_row = (1_i64 << level.shift) - 1;
    for y in sheet.first..=sheet.last {
        let low = i64::from(y) << level.shift;
        let base = sheet.base(y);
        let mut take = |is_inside: bool, from: i64, to: i64| {
            let (first, last) = (base + place(from), base + place(to));
            sink.looked_at((last - first + 1) as u64);
            level.for_ranges(number, first, last, |range| {
                let slots = &level.slots[range];
                if is_inside {
                    sink.inside(slots)
                } else {
                    sink.partial(slots, sheet.has_wide)
                }
            })
        };
        let row = area.row(low, low + last_of_row, sheet.reach);
        let go_on = if A::HOLED {
            Runs::of(&row, level.shift, sheet.west)
                .all(|(is_inside, from, to)| take(is_inside, from, to))
        } else {
            let (from, to) = sheet.touched(row.outer, level.shift);
            if from > to {
                continue;
            }
            let inner = held(row.inner, level.shift, sheet.west);
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

/// Round areas with at most as many squares each way are looked at with their corners: to find out
/// which they do not touch costs more than the few tests that it saves.
const BOX_SIDE: i32 = 3;

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
pub(super) struct Runs {
    next: i64,
    outer: Span,
    inner: Span,
    hole: Span,
    deep: Span,
}

impl Runs {
    #[inline]
    fn of(row: &Row, shift: u32, west: i64) -> Self {
        Self::within(row, shift, west, i64::from(PAGE_SIDE) - 1)
    }

    /// In the squares from `west` on, which is number 0, to number `last`.
    #[inline]
    pub(super) fn within(row: &Row, shift: u32, west: i64, last: i64) -> Self {
        let outer = touched(row.outer, shift, west);
        let outer = (outer.0.max(0), outer.1.min(last));
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
