//! Solids that stand in the ground, placed and removed by id.

use std::sync::Arc;

use crate::{Column, Rect, SectorId, Terrain};

/// The id of a solid. A world assigns each number once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SolidId(pub u64);

/// A solid in the ground: it covers the floors inside it, reduces the headroom below its bottom and
/// has a floor on top.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GroundSolid {
    /// Where it is solid.
    pub extent: SolidExtent,
    /// The terrain of its top.
    pub top: Terrain,
}

/// The columns of a solid, each with bottom and top.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SolidExtent {
    /// A box: every column of `rect` from `bottom` to `top`.
    Box {
        /// The columns.
        rect: Rect,
        /// Height of the bottom, in steps.
        bottom: i32,
        /// Height of the top, above the bottom.
        top: i32,
    },
    /// Any other shape, column by column: sorted by row, column and height, without overlaps.
    Runs(Arc<[ColumnRun]>),
}

/// A vertical run of a solid in one column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ColumnRun {
    /// Row of the column.
    pub y: i32,
    /// The column in its row.
    pub x: i32,
    /// Height of the bottom, in steps.
    pub bottom: i32,
    /// Height of the top, above the bottom.
    pub top: i32,
}

impl SolidExtent {
    /// A rectangle that contains every column; empty without columns.
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Box { rect, .. } => *rect,
            Self::Runs(runs) => {
                let columns = runs.iter().map(|run| Column::new(run.x, run.y));
                columns.fold(Rect::EMPTY, Rect::including)
            }
        }
    }

    /// The number of columns of a box, or of runs.
    pub fn n_columns(&self) -> u64 {
        match self {
            Self::Box { rect, .. } => u64::from(rect.width()) * u64::from(rect.height()),
            Self::Runs(runs) => runs.len() as u64,
        }
    }

    /// Bottom and top of each run in a column, lowest first.
    pub fn runs_in(&self, column: Column) -> impl Iterator<Item = (i32, i32)> {
        let (in_box, runs): (_, &[ColumnRun]) = match self {
            Self::Box { rect, bottom, top } => {
                (rect.contains(column).then_some((*bottom, *top)), &[])
            }
            Self::Runs(runs) => {
                let key = |run: &ColumnRun| (run.y, run.x);
                let from = runs.partition_point(|run| key(run) < (column.y, column.x));
                let count = runs[from..].partition_point(|run| key(run) == (column.y, column.x));
                (None, &runs[from..from + count])
            }
        };
        in_box
            .into_iter()
            .chain(runs.iter().map(|run| (run.bottom, run.top)))
    }

    /// The columns that lie in a sector, as a bit mask for each row.
    pub fn columns_in(&self, sector: SectorId) -> [u16; 16] {
        let mut rows = [0; 16];
        match self {
            Self::Box { rect, .. } => {
                let within = sector.rect();
                let clip = |at: i32, low: i32| at.saturating_sub(low).clamp(-1, 16);
                let (left, right) = (
                    clip(rect.low.x, within.low.x).max(0),
                    clip(rect.high.x, within.low.x),
                );
                let (first, last) = (
                    clip(rect.low.y, within.low.y).max(0),
                    clip(rect.high.y, within.low.y),
                );
                let mut row = 0;
                (left..=right.min(15)).for_each(|x| row |= 1 << x);
                for (y, bits) in (0..).zip(&mut rows) {
                    if (first..=last).contains(&y) {
                        *bits = row;
                    }
                }
            }
            Self::Runs(runs) => {
                let low = sector.rect().low;
                for (y, bits) in (low.y..).zip(&mut rows) {
                    let from = runs.partition_point(|run| (run.y, run.x) < (y, low.x));
                    let in_row = |run: &&ColumnRun| run.y == y && run.x - low.x < 16;
                    for run in runs[from..].iter().take_while(in_row) {
                        *bits |= 1 << (run.x - low.x);
                    }
                }
            }
        }
        rows
    }

    /// The sectors with columns of the solid, sorted, each once.
    pub fn sectors(&self) -> Vec<SectorId> {
        match self {
            Self::Box { rect, .. } if rect.is_empty() => Vec::new(),
            Self::Box { rect, .. } => {
                let (low, high) = (
                    SectorId::from_column(rect.low),
                    SectorId::from_column(rect.high),
                );
                let rows = (low.x..=high.x)
                    .flat_map(|x| (low.y..=high.y).map(move |y| SectorId::new(x, y)));
                rows.collect()
            }
            Self::Runs(runs) => {
                let sector = |run: &ColumnRun| SectorId::from_column(Column::new(run.x, run.y));
                let mut sectors: Vec<SectorId> = Vec::new();
                for run in runs.iter() {
                    if sectors.last() != Some(&sector(run)) {
                        sectors.push(sector(run));
                    }
                }
                sectors.sort_unstable();
                sectors.dedup();
                sectors
            }
        }
    }

    /// True if every run has its top above its bottom, and runs are sorted without overlaps.
    pub fn is_valid(&self) -> bool {
        match self {
            Self::Box { bottom, top, .. } => bottom < top,
            Self::Runs(runs) => {
                runs.iter().all(|run| run.bottom < run.top)
                    && runs.windows(2).all(|pair| {
                        let (a, b) = (pair[0], pair[1]);
                        (a.y, a.x, a.top) <= (b.y, b.x, b.bottom)
                    })
            }
        }
    }

    /// The lowest bottom and the highest top; `None` without runs.
    pub fn heights(&self) -> Option<(i32, i32)> {
        match self {
            Self::Box { bottom, top, .. } => Some((*bottom, *top)),
            Self::Runs(runs) => {
                let bottom = runs.iter().map(|run| run.bottom).min()?;
                let top = runs.iter().map(|run| run.top).max()?;
                Some((bottom, top))
            }
        }
    }
}

#[cfg(test)]
mod tests;
