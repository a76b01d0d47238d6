//! Solid voxels as spans: for every column the height ranges that are solid (Recast: solid
//! heightfield).

use wayfarer_base::{Cell, Column, Voxel};

/// A range of solid voxels in a column of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// East of the origin, in voxels.
    pub x: i32,
    /// The lowest solid voxel.
    pub low: i32,
    /// The highest solid voxel; not below `low`.
    pub high: i32,
}

/// A range of solid voxels in any column; the input form of a [`Span`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Run {
    /// South of the origin, in voxels.
    pub y: i32,
    /// East of the origin, in voxels.
    pub x: i32,
    /// The lowest solid voxel.
    pub low: i32,
    /// The highest solid voxel.
    pub high: i32,
}

impl Run {
    /// From coordinates inside a grid's bounds.
    pub(super) fn new(x: i64, y: i64, low: i64, high: i64) -> Self {
        let fit = |at: i64| i32::try_from(at).expect("bounds have 23 bits");
        Self {
            y: fit(y),
            x: fit(x),
            low: fit(low),
            high: fit(high),
        }
    }
}

/// Solid voxels, column by column.
///
/// Invariant: rows are sorted from north to south, spans of a row by column, then height; spans of
/// a column neither overlap nor touch. Equal sets of voxels are equal values.
///
/// ```
/// use wayfarer_base::{Cell, Voxel};
/// use wayfarer_world::solid::Spans;
///
/// let table = Spans::from_boxes(&[
///     (Voxel::new(0, 0, 0), Voxel::new(4, 4, 0)), // the floor
///     (Voxel::new(1, 1, 3), Voxel::new(2, 2, 3)), // a table top
/// ]);
/// assert!(table.is_solid(Voxel::new(2, 2, 3)) && !table.is_solid(Voxel::new(2, 2, 1)));
/// assert!(table.floors(3).any(|cell| cell == Cell::new(1, 1, 4)));
/// assert!(!table.floors(3).any(|cell| cell == Cell::new(1, 1, 1))); // no headroom below it
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spans {
    /// Rows with spans, from north to south.
    rows: Vec<i32>,
    /// Start of each row in `spans`, and the end of the last; empty without spans.
    starts: Vec<u32>,
    spans: Vec<Span>,
    /// Lowest and highest voxel of the AABB.
    bounds: Option<(Voxel, Voxel)>,
}

impl Spans {
    /// Spans from runs in any order, overlapping or not; runs with `high` below `low` are empty.
    /// O(n log n).
    pub fn from_runs(mut runs: Vec<Run>) -> Self {
        runs.retain(|run| run.low <= run.high);
        runs.sort_unstable();
        let mut result = Self::default();
        for run in &runs {
            let (low, high) = result.bounds.unwrap_or_else(|| {
                let first = Voxel::new(run.x, run.y, run.low);
                (first, first)
            });
            result.bounds = Some((
                Voxel::new(low.x.min(run.x), low.y.min(run.y), low.z.min(run.low)),
                Voxel::new(high.x.max(run.x), high.y.max(run.y), high.z.max(run.high)),
            ));
            let continued = result.rows.last() == Some(&run.y);
            match result.spans.last_mut() {
                Some(last)
                    if continued && last.x == run.x && run.low <= last.high.saturating_add(1) =>
                {
                    last.high = last.high.max(run.high);
                    continue;
                }
                _ if !continued => {
                    result.rows.push(run.y);
                    result.starts.push(result.n_spans_u32());
                }
                _ => {}
            }
            result.spans.push(Span {
                x: run.x,
                low: run.low,
                high: run.high,
            });
        }
        if !runs.is_empty() {
            result.starts.push(result.n_spans_u32());
        }
        result.rows.shrink_to_fit();
        result.starts.shrink_to_fit();
        result.spans.shrink_to_fit();
        result
    }

    /// Spans of boxes, given by their lowest and highest voxels.
    pub fn from_boxes(boxes: &[(Voxel, Voxel)]) -> Self {
        let column = |&(low, high): &(Voxel, Voxel)| {
            (low.y..=high.y).flat_map(move |y| {
                (low.x..=high.x).map(move |x| Run {
                    y,
                    x,
                    low: low.z,
                    high: high.z,
                })
            })
        };
        Self::from_runs(boxes.iter().flat_map(column).collect())
    }

    /// Spans of single voxels.
    pub fn from_voxels(voxels: impl IntoIterator<Item = Voxel>) -> Self {
        let run = |at: Voxel| Run {
            y: at.y,
            x: at.x,
            low: at.z,
            high: at.z,
        };
        Self::from_runs(voxels.into_iter().map(run).collect())
    }

    fn n_spans_u32(&self) -> u32 {
        u32::try_from(self.spans.len()).expect("fewer than 2^32 spans fit memory")
    }

    /// The number of solid voxels.
    pub fn n_voxels(&self) -> u64 {
        let height = |span: &Span| u64::from(span.high.abs_diff(span.low)) + 1;
        self.spans.iter().map(height).sum()
    }

    /// True if nothing is solid.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The spans of one row, sorted by column, then height.
    pub fn row(&self, y: i32) -> &[Span] {
        match self.rows.binary_search(&y) {
            Ok(row) => &self.spans[self.starts[row] as usize..self.starts[row + 1] as usize],
            Err(_) => &[],
        }
    }

    /// The spans of one column, lowest first.
    pub fn column(&self, column: Column) -> &[Span] {
        let row = self.row(column.y);
        let from = row.partition_point(|span| span.x < column.x);
        let count = row[from..].partition_point(|span| span.x == column.x);
        &row[from..from + count]
    }

    /// True if the voxel is solid.
    pub fn is_solid(&self, at: Voxel) -> bool {
        let column = self.column(Column::new(at.x, at.y));
        let below = column.partition_point(|span| span.high < at.z);
        column.get(below).is_some_and(|span| span.low <= at.z)
    }

    /// Every column with spans, row by row.
    pub fn columns(&self) -> impl Iterator<Item = (Column, &[Span])> {
        self.rows
            .iter()
            .zip(self.starts.windows(2))
            .flat_map(|(&y, ends)| {
                self.spans[ends[0] as usize..ends[1] as usize]
                    .chunk_by(|a, b| a.x == b.x)
                    .map(move |spans| (Column::new(spans[0].x, y), spans))
            })
    }

    /// Every span as a run, in order.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        self.columns().flat_map(|(column, spans)| {
            spans.iter().map(move |span| Run {
                y: column.y,
                x: column.x,
                low: span.low,
                high: span.high,
            })
        })
    }

    /// Floors on span tops: the lowest free voxel above every span with `headroom` free voxels
    /// above it, row by row, each column from below.
    pub fn floors(&self, headroom: u32) -> impl Iterator<Item = Cell> {
        self.columns().flat_map(move |(column, spans)| {
            let roof = |index: usize| spans.get(index + 1).map_or(i64::MAX, |s| i64::from(s.low));
            (0..spans.len())
                .filter(move |&index| {
                    let room = roof(index).saturating_sub(spans[index].high.into());
                    room > i64::from(headroom)
                })
                .filter_map(move |index| Some(column.at(spans[index].high.checked_add(1)?)))
        })
    }

    /// The AABB of all solid voxels: lowest and highest voxel; `None` without any.
    pub const fn bounds(&self) -> Option<(Voxel, Voxel)> {
        self.bounds
    }
}

#[cfg(test)]
mod tests;
