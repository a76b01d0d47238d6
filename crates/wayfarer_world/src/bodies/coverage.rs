//! Classifies the grid bins of a query area, row by row, as inside or partial, and feeds their
//! entries to a sink.

use super::BodySet;
use super::area::{Area, Row, Span};
use super::level::{Level, PAGE_BITS, PAGE_SIDE, Page};
use super::sink::Sink;

/// Feeds the entries of all bins that an area overlaps to a sink.
#[inline]
pub(super) fn scan_area<A: Area>(bodies: &BodySet, area: &A, sink: &mut impl Sink) {
    for level in bodies.used_levels() {
        let reach = i64::from(level.bounds.extent);
        let (rows, columns) = (area.rows(), area.columns());
        if rows.0 > rows.1 || columns.0 > columns.1 {
            continue;
        }
        let bins_of = |span: Span| {
            (
                bin_of(span.0 - reach, level.shift),
                bin_of(span.1 + reach, level.shift),
            )
        };
        let (rows, columns) = (bins_of(rows), bins_of(columns));
        let side = 1 << level.shift;
        // False if no chord is wide enough for a run of inner bins.
        let has_inside = area.may_contain(side, (MIN_INNER_BINS + 1) * side);
        let n_more = (rows.1 - rows.0).max(columns.1 - columns.0);
        let is_small_round = A::ROUND && n_more < MAX_BOX_BINS;
        let is_done = for_each_page(level, rows, columns, |page_index, page| {
            if A::HAS_HOLE || has_inside {
                scan_page(level, (page_index, page), rows, area, sink)
            } else if is_small_round {
                scan_box(level, (page_index, page), (rows, columns), sink)
            } else {
                scan_boundary(level, (page_index, page), rows, area, sink)
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
    reason = "bins of positions near the world have 32 bits"
)]
pub(super) fn bin_of(at: i64, shift: u32) -> i32 {
    (at >> shift).clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32
}

/// Visits the pages with bins in these rows and columns, in order, until `visit` returns false.
#[inline]
pub(super) fn for_each_page(
    level: &Level,
    rows: (i32, i32),
    columns: (i32, i32),
    mut visit: impl FnMut(usize, &Page) -> bool,
) -> bool {
    let page_of = |bin: i32| bin >> PAGE_BITS;
    let (first_y, last_y) = (page_of(rows.0), page_of(rows.1));
    let (first_x, last_x) = (page_of(columns.0), page_of(columns.1));
    if (first_x, first_y) == (last_x, last_y) {
        return match level.page(first_x, first_y) {
            Some(page_index) => visit(page_index, &level.pages[page_index]),
            None => true,
        };
    }
    let n_pages = (i64::from(last_x) - i64::from(first_x) + 1)
        .saturating_mul(i64::from(last_y) - i64::from(first_y) + 1);
    if usize::try_from(n_pages).is_ok_and(|n_pages| n_pages <= level.pages.len()) {
        for y in first_y..=last_y {
            for x in first_x..=last_x {
                if let Some(page_index) = level.page(x, y)
                    && !visit(page_index, &level.pages[page_index])
                {
                    return false;
                }
            }
        }
        return true;
    }
    let page = |page_index: u32| &level.pages[page_index as usize];
    let begin = level.order.partition_point(|&at| page(at).y < first_y);
    for &page_index in &level.order[begin..] {
        let page = page(page_index);
        if page.y > last_y {
            break;
        }
        if (first_x..=last_x).contains(&page.x) && !visit(page_index as usize, page) {
            return false;
        }
    }
    true
}

/// The queried rows of a page, and what they have in common.
struct PageRows {
    first: i32,
    last: i32,
    north: i32,
    west: i64,
    reach: i64,
    has_wide: bool,
}

impl PageRows {
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

    /// The local index of the first bin of a row.
    #[inline]
    fn base(&self, y: i32) -> usize {
        ((y - self.north) << PAGE_BITS).cast_unsigned() as usize
    }

    /// The bins of a row of the page that an area may overlap; empty if reversed.
    #[inline]
    fn overlapped_bins(&self, outer: Span, shift: u32) -> Span {
        let bins = overlapped_bins(outer, shift, self.west);
        (bins.0.max(0), bins.1.min(i64::from(PAGE_SIDE) - 1))
    }
}

/// Feeds all bins of some rows and columns of a page, as partial.
#[inline]
fn scan_box(
    level: &Level,
    (page_index, page): (usize, &Page),
    (rows, columns): ((i32, i32), (i32, i32)),
    sink: &mut impl Sink,
) -> bool {
    let rows_of_page = PageRows::new(level, page, rows);
    let west = page.x << PAGE_BITS;
    let from = (columns.0 - west).max(0).cast_unsigned() as usize;
    let to = (columns.1 - west).min(PAGE_SIDE - 1).cast_unsigned() as usize;
    let n_rows = (rows_of_page.last - rows_of_page.first + 1)
        .max(0)
        .cast_unsigned();
    sink.add_bins(u64::from(n_rows) * (to - from + 1) as u64);
    (rows_of_page.first..=rows_of_page.last).all(|y| {
        let base = rows_of_page.base(y);
        level.for_each_range(page_index, base + from, base + to, |range| {
            sink.partial(&level.entries[range], rows_of_page.has_wide)
        })
    })
}

/// Feeds a page of an area without a hole that contains no whole bins.
#[inline]
fn scan_boundary<A: Area>(
    level: &Level,
    (page_index, page): (usize, &Page),
    rows: (i32, i32),
    area: &A,
    sink: &mut impl Sink,
) -> bool {
    let rows_of_page = PageRows::new(level, page, rows);
    let last_of_row = (1_i64 << level.shift) - 1;
    let mut n_bins = 0;
    let mut proceed = true;
    for y in rows_of_page.first..=rows_of_page.last {
        let low = i64::from(y) << level.shift;
        let outer = area.outer(low, low + last_of_row, rows_of_page.reach);
        let (from, to) = rows_of_page.overlapped_bins(outer, level.shift);
        if from > to {
            continue;
        }
        let base = rows_of_page.base(y);
        let (first, last) = (base + local(from), base + local(to));
        n_bins += last - first + 1;
        proceed = level.for_each_range(page_index, first, last, |range| {
            sink.partial(&level.entries[range], rows_of_page.has_wide)
        });
        if !proceed {
            break;
        }
    }
    sink.add_bins(n_bins as u64);
    proceed
}

#[inline]
fn scan_page<A: Area>(
    level: &Level,
    (page_index, page): (usize, &Page),
    rows: (i32, i32),
    area: &A,
    sink: &mut impl Sink,
) -> bool {
    let rows_of_page = PageRows::new(level, page, rows);
    let last_of_row = (1_i64 << level.shift) - 1;
    for y in rows_of_page.first..=rows_of_page.last {
        let low = i64::from(y) << level.shift;
        let base = rows_of_page.base(y);
        let mut emit = |is_inside: bool, from: i64, to: i64| {
            let (first, last) = (base + local(from), base + local(to));
            sink.add_bins((last - first + 1) as u64);
            level.for_each_range(page_index, first, last, |range| {
                let entries = &level.entries[range];
                if is_inside {
                    sink.inside(entries)
                } else {
                    sink.partial(entries, rows_of_page.has_wide)
                }
            })
        };
        let row = area.row(low, low + last_of_row, rows_of_page.reach);
        let proceed = if A::HAS_HOLE {
            Runs::new(&row, level.shift, rows_of_page.west)
                .all(|(is_inside, from, to)| emit(is_inside, from, to))
        } else {
            let (from, to) = rows_of_page.overlapped_bins(row.outer, level.shift);
            if from > to {
                continue;
            }
            let inner = contained_bins(row.inner, level.shift, rows_of_page.west);
            let (first, last) = (inner.0.max(from), inner.1.min(to));
            if last - first < MIN_INNER_BINS {
                emit(false, from, to)
            } else {
                (from == first || emit(false, from, first - 1))
                    && emit(true, first, last)
                    && (last == to || emit(false, last + 1, to))
            }
        };
        if !proceed {
            return false;
        }
    }
    true
}

/// Round areas up to this many bins wide are scanned as a box: skipping their corner bins costs
/// more than the tests it saves.
const MAX_BOX_BINS: i32 = 3;

/// Shorter runs of inner bins, less one, are tested with their neighbors: a run of its own costs
/// more than it saves.
const MIN_INNER_BINS: i64 = 1;

/// Bins that contain a point of the span.
#[inline]
fn overlapped_bins(span: Span, shift: u32, west: i64) -> Span {
    ((span.0 >> shift) - west, (span.1 >> shift) - west)
}

/// Bins that contain only points of the span.
#[inline]
fn contained_bins(span: Span, shift: u32, west: i64) -> Span {
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
    reason = "bins in a row of a page are numbered from 0 to 31"
)]
fn local(at: i64) -> usize {
    at as usize & 31
}

/// Runs of inner and partial bins of a row, for areas with holes.
pub(super) struct Runs {
    next: i64,
    outer: Span,
    inner: Span,
    hole_outer: Span,
    hole_inner: Span,
}

impl Runs {
    #[inline]
    fn new(row: &Row, shift: u32, west: i64) -> Self {
        Self::within(row, shift, west, i64::from(PAGE_SIDE) - 1)
    }

    /// Runs in the bins from `west`, which has number 0, to number `last`.
    #[inline]
    pub(super) fn within(row: &Row, shift: u32, west: i64, last: i64) -> Self {
        let outer = overlapped_bins(row.outer, shift, west);
        let outer = (outer.0.max(0), outer.1.min(last));
        let empty = (i64::MAX, i64::MIN);
        let non_empty = |span: Span| if span.0 <= span.1 { span } else { empty };
        let is_empty = row.outer.0 > row.outer.1;
        Self {
            next: if is_empty { i64::MAX } else { outer.0 },
            outer,
            inner: non_empty(contained_bins(row.inner, shift, west)),
            hole_outer: if row.hole_outer.0 <= row.hole_outer.1 {
                overlapped_bins(row.hole_outer, shift, west)
            } else {
                empty
            },
            hole_inner: non_empty(contained_bins(row.hole_inner, shift, west)),
        }
    }
}

impl Iterator for Runs {
    /// Whether the run is inside, its first and its last bin.
    type Item = (bool, i64, i64);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.next;
            if at > self.outer.1 {
                return None;
            }
            let contains = |span: Span| span.0 <= at && at <= span.1;
            // Up to the next boundary.
            let mut end = self.outer.1;
            for span in [self.inner, self.hole_outer, self.hole_inner] {
                if at < span.0 {
                    end = end.min(span.0.saturating_sub(1));
                } else if at <= span.1 {
                    end = end.min(span.1);
                }
            }
            self.next = end + 1;
            if !contains(self.hole_inner) {
                let is_inside = contains(self.inner) && !contains(self.hole_outer);
                return Some((is_inside, at, end));
            }
        }
    }
}
