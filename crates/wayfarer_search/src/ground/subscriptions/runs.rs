//! Which columns the steps of a walk depend on, sector by sector.

use wayfarer_base::{Cell, Column, Rect, SectorId};

use super::super::path::sectors_of;
use super::super::{GroundPath, Leg};

/// The columns of one sector that steps of a walk depend on: a bit for each, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) sector: SectorId,
    pub(super) rows: [u16; 16],
}

/// Runs that are looked through for one that goes on: more are not open at a time.
const MAX_OPEN: usize = 16;

impl Run {
    fn new(sector: SectorId) -> Self {
        let rows = [0; 16];
        Self { sector, rows }
    }

    /// True if it is of a column at least.
    pub(super) fn is_any(&self) -> bool {
        self.rows != [0; 16]
    }

    /// Adds the columns of a rectangle, as far as they are of its sector.
    fn add(&mut self, rect: Rect) {
        let Some((rows, columns)) = masks_of(rect, self.sector) else {
            return;
        };
        for (row, bits) in self.rows.iter_mut().enumerate() {
            if rows >> row & 1 == 1 {
                *bits |= columns;
            }
        }
    }
}

/// Row and column of a column in its sector.
pub(super) fn place_in_sector(column: Column) -> (usize, u32) {
    let within = |at: i32| (at & (SectorId::SIDE - 1)).unsigned_abs();
    (within(column.y) as usize, within(column.x))
}

/// The rows and columns of a sector that a rectangle covers, a bit for each; `None` if none.
pub(super) fn masks_of(rect: Rect, sector: SectorId) -> Option<(u16, u16)> {
    let all = sector.rect();
    let span = |low: i32, high: i32, first: i32| -> Option<u16> {
        let (low, high) = (low.max(first), high.min(first + SectorId::SIDE - 1));
        let n_bits = u32::try_from(high - low + 1).ok().filter(|n| *n > 0)?;
        Some((u16::MAX >> (16 - n_bits)) << (low - first))
    };
    let rows = span(rect.low.y, rect.high.y, all.low.y)?;
    Some((rows, span(rect.low.x, rect.high.x, all.low.x)?))
}

/// Writes what a whole path depends on, by rising sectors, each once.
pub(super) fn runs_of(path: &GroundPath, runs: &mut Vec<Run>) {
    runs.clear();
    if path.legs.is_empty() {
        let rect = path.columns_of_start();
        sectors_of(rect).for_each(|sector| open_run(runs, sector).add(rect));
    }
    for (index, pair) in path.cells.windows(2).enumerate() {
        let (from, to) = (pair[0].column(), pair[1].column());
        let sector = SectorId::from_column(from);
        let is_short = from.x.abs_diff(to.x) <= 1 && from.y.abs_diff(to.y) <= 1;
        if path.clearance_columns > 0 || !is_short || sector != SectorId::from_column(to) {
            for rect in path.columns_of_step(index) {
                sectors_of(rect).for_each(|sector| open_run(runs, sector).add(rect));
            }
            continue;
        }
        let run = open_run(runs, sector);
        let ((row, bit), (next_row, next_bit)) = (place_in_sector(from), place_in_sector(to));
        let bits = 1 << bit | 1 << next_bit;
        run.rows[row] |= bits;
        run.rows[next_row] |= bits;
    }
    runs.sort_unstable_by_key(|run| run.sector);
    runs.dedup_by(|next, run| {
        let is_same = next.sector == run.sector;
        if is_same {
            let rows = run.rows.iter_mut().zip(next.rows);
            rows.for_each(|(row, more)| *row |= more);
        }
        is_same
    });
}

/// The latest run in a sector, or a new one.
fn open_run(runs: &mut Vec<Run>, sector: SectorId) -> &mut Run {
    let mut last = (0..runs.len()).rev().take(MAX_OPEN);
    let known = last.find(|at| runs[*at].sector == sector);
    let at = known.unwrap_or_else(|| {
        runs.push(Run::new(sector));
        runs.len() - 1
    });
    &mut runs[at]
}

/// Writes what a path that was repaired depends on in the sectors where that may be something else
/// than before, by rising sectors; nothing in a sector of which it no longer depends on any column.
/// False, with nothing written, if the two have too little in common.
pub(super) fn runs_that_differ(
    previous: &GroundPath,
    path: &GroundPath,
    runs: &mut Vec<Run>,
) -> bool {
    runs.clear();
    let is_alike = previous.clearance_columns == path.clearance_columns
        && previous.profile_id == path.profile_id;
    let first = path.start().filter(|_| is_alike && path.cells.len() > 1);
    let Some(begun) = first.and_then(|start| previous.cells.iter().position(|at| *at == start))
    else {
        return false;
    };
    let left = &previous.cells[begun..];
    let n_before = n_alike(left.iter(), path.cells.iter());
    let most = left.len().min(path.cells.len()) - n_before;
    let n_after = n_alike(left.iter().rev(), path.cells.iter().rev()).min(most);
    // Steps between cells that both have, one after the other, are of both.
    let mut note = |path: &GroundPath, steps: std::ops::Range<usize>| {
        for step in steps {
            for rect in path.columns_of_step(step) {
                for sector in sectors_of(rect) {
                    open_run(runs, sector);
                }
            }
        }
    };
    let last_step = |cells: usize| (cells - n_after).min(cells - 1);
    note(previous, 0..begun);
    note(
        previous,
        begun + n_before - 1..last_step(previous.cells.len()),
    );
    note(path, n_before - 1..last_step(path.cells.len()));
    runs.sort_unstable_by_key(|run| run.sector);
    runs.dedup_by_key(|run| run.sector);
    for leg in &path.legs {
        if !runs.iter().any(|run| may_touch(path, leg, run.sector)) {
            continue;
        }
        for step in leg.begin as usize..leg.end as usize {
            for rect in path.columns_of_step(step) {
                for sector in sectors_of(rect) {
                    if let Ok(at) = runs.binary_search_by_key(&sector, |run| run.sector) {
                        runs[at].add(rect);
                    }
                }
            }
        }
    }
    true
}

fn n_alike<'c>(a: impl Iterator<Item = &'c Cell>, b: impl Iterator<Item = &'c Cell>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// False if no step of a leg depends on a column of a sector, as its ends show.
#[inline]
pub(super) fn may_touch(path: &GroundPath, leg: &Leg, sector: SectorId) -> bool {
    // Steps of a leg begin in one sector or are a single one, from one end to the other.
    let most = 1 + path
        .clearance_columns
        .div_ceil(SectorId::SIDE.unsigned_abs());
    [leg.begin, leg.end].into_iter().any(|place| {
        let end = SectorId::from_column(path.cells[place as usize].column());
        end.x.abs_diff(sector.x) <= most && end.y.abs_diff(sector.y) <= most
    })
}
