//! The columns that the steps of a path depend on, sector by sector.

use wayfarer_base::{Cell, Column, Rect, SectorId};

use super::super::path::sectors_in;
use super::super::{GroundPath, Leg};

/// Columns of one sector: a bit each, row by row.
pub(super) type Rows = [u16; 16];
/// The columns of one sector that steps of a path depend on.
type Run = crate::subscriptions::Run<SectorId, Rows>;

/// Most recent runs that are scanned for the sector of a step.
const MAX_OPEN: usize = 16;

impl Run {
    /// Adds the columns of a rectangle that lie in its sector.
    fn add(&mut self, rect: Rect) {
        let Some((rows, columns)) = rect_masks(rect, self.sector) else {
            return;
        };
        for (row, bits) in self.mask.iter_mut().enumerate() {
            if rows >> row & 1 == 1 {
                *bits |= columns;
            }
        }
    }
}

/// Row and bit of a column in its sector.
pub(super) fn position_in_sector(column: Column) -> (usize, u32) {
    let within = |at: i32| (at & (SectorId::SIDE - 1)).unsigned_abs();
    (within(column.y) as usize, within(column.x))
}

/// The rows and columns of a sector that a rectangle covers, a bit each; `None` if none.
pub(super) fn rect_masks(rect: Rect, sector: SectorId) -> Option<(u16, u16)> {
    let all = sector.rect();
    let span = |low: i32, high: i32, first: i32| -> Option<u16> {
        let (low, high) = (low.max(first), high.min(first + SectorId::SIDE - 1));
        let n_bits = u32::try_from(high - low + 1).ok().filter(|n| *n > 0)?;
        Some((u16::MAX >> (16 - n_bits)) << (low - first))
    };
    let rows = span(rect.low.y, rect.high.y, all.low.y)?;
    Some((rows, span(rect.low.x, rect.high.x, all.low.x)?))
}

/// Writes the columns that a whole path depends on, one run per sector, sorted.
pub(super) fn write_runs(path: &GroundPath, runs: &mut Vec<Run>) {
    runs.clear();
    if path.legs.is_empty() {
        let rect = path.columns_of_start();
        sectors_in(rect).for_each(|sector| run_in(runs, sector).add(rect));
    }
    for (index, pair) in path.cells.windows(2).enumerate() {
        let (from, to) = (pair[0].column(), pair[1].column());
        let sector = SectorId::from_column(from);
        let is_short = from.x.abs_diff(to.x) <= 1 && from.y.abs_diff(to.y) <= 1;
        if path.clearance_columns > 0 || !is_short || sector != SectorId::from_column(to) {
            for rect in path.columns_of_step(index) {
                sectors_in(rect).for_each(|sector| run_in(runs, sector).add(rect));
            }
            continue;
        }
        let run = run_in(runs, sector);
        let ((row, bit), (next_row, next_bit)) = (position_in_sector(from), position_in_sector(to));
        let bits = 1 << bit | 1 << next_bit;
        run.mask[row] |= bits;
        run.mask[next_row] |= bits;
    }
    runs.sort_unstable_by_key(|run| run.sector);
    runs.dedup_by(|next, run| {
        let is_same = next.sector == run.sector;
        if is_same {
            let rows = run.mask.iter_mut().zip(next.mask);
            rows.for_each(|(row, more)| *row |= more);
        }
        is_same
    });
}

/// The latest run in a sector among the recent ones, or a new one.
fn run_in(runs: &mut Vec<Run>, sector: SectorId) -> &mut Run {
    let mut last = (0..runs.len()).rev().take(MAX_OPEN);
    let known = last.find(|at| runs[*at].sector == sector);
    let at = known.unwrap_or_else(|| {
        runs.push(Run {
            sector,
            mask: [0; 16],
        });
        runs.len() - 1
    });
    &mut runs[at]
}

/// Writes what a repaired path depends on in the sectors where it may differ from the previous
/// path, sorted; an empty run in a sector on which it no longer depends. False, with nothing
/// written, if the two have too little in common.
pub(super) fn write_differing_runs(
    previous: &GroundPath,
    path: &GroundPath,
    runs: &mut Vec<Run>,
) -> bool {
    runs.clear();
    let is_alike = previous.clearance_columns == path.clearance_columns
        && previous.profile_id == path.profile_id;
    let first = path.start().filter(|_| is_alike && path.cells.len() > 1);
    let begun = first.and_then(|start| previous.cells.iter().position(|at| *at == start));
    let Some(begun) = begun else {
        return false;
    };
    let left = &previous.cells[begun..];
    let n_prefix = n_equal(left.iter(), path.cells.iter());
    let max_suffix = left.len().min(path.cells.len()) - n_prefix;
    let n_suffix = n_equal(left.iter().rev(), path.cells.iter().rev()).min(max_suffix);
    // Steps within the common prefix and suffix are common to both.
    let mut add_sectors = |path: &GroundPath, steps: std::ops::Range<usize>| {
        for step in steps {
            for rect in path.columns_of_step(step) {
                for sector in sectors_in(rect) {
                    run_in(runs, sector);
                }
            }
        }
    };
    let last_step = |cells: usize| (cells - n_suffix).min(cells - 1);
    add_sectors(previous, 0..begun);
    add_sectors(
        previous,
        begun + n_prefix - 1..last_step(previous.cells.len()),
    );
    add_sectors(path, n_prefix - 1..last_step(path.cells.len()));
    runs.sort_unstable_by_key(|run| run.sector);
    runs.dedup_by_key(|run| run.sector);
    for leg in &path.legs {
        if !runs.iter().any(|run| may_depend_on(path, leg, run.sector)) {
            continue;
        }
        for step in leg.begin as usize..leg.end as usize {
            for rect in path.columns_of_step(step) {
                for sector in sectors_in(rect) {
                    if let Ok(at) = runs.binary_search_by_key(&sector, |run| run.sector) {
                        runs[at].add(rect);
                    }
                }
            }
        }
    }
    true
}

fn n_equal<'c>(a: impl Iterator<Item = &'c Cell>, b: impl Iterator<Item = &'c Cell>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// False if no step of a leg depends on a column of a sector, judged by the ends of the leg.
#[inline]
pub(super) fn may_depend_on(path: &GroundPath, leg: &Leg, sector: SectorId) -> bool {
    // A leg starts its steps in one sector or is a single step from one end to the other.
    let max_distance = 1 + path
        .clearance_columns
        .div_ceil(SectorId::SIDE.unsigned_abs());
    [leg.begin, leg.end].into_iter().any(|index| {
        let end = SectorId::from_column(path.cells[index as usize].column());
        end.x.abs_diff(sector.x) <= max_distance && end.y.abs_diff(sector.y) <= max_distance
    })
}
