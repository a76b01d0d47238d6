//! What a tile shows its neighbors of its air: the components of free voxels on its border walls.
//!
//! A wall is the line of the ground with all voxels over and under it; a step through a face of a voxel from core
//! to core touches it, so the argument of the [ground](super::lines) holds: components of two
//! tiles are one exactly if they share a voxel of the wall. A wall is kept as the runs of its lowest row, and of
//! each row that differs from the one below it; a run of no voxels stands for a row without free ones.

use std::ops::{Range, RangeInclusive};

use wayfarer_engine::base::{Column, Voxel};
use wayfarer_engine::search::air::FlightComponents;
use wayfarer_engine::world::air::Air;

use super::layout::Grid;
use super::lines::{
    Crossing, Labels, Lines, MAX_CROSSING, Run, Side, TileComponent, columns, push_parts,
};
use crate::agent_type::AgentTypeId;
use crate::facade::World;

/// Reads the walls of a tile.
pub(super) fn read(grid: &Grid, index: u32, world: &World, id: AgentTypeId) -> (Lines, Labels) {
    let (mut lines, mut labels) = (Lines::default(), Labels::default());
    let (Some(air), Some((bottom, top))) = (world.engine().air(), grid.heights()) else {
        return (lines, labels);
    };
    let radius = grid.wide_radius(id);
    labels.flight = radius.map(|radius| FlightComponents::new(air, radius));
    let mut row = Vec::new();
    for (side, wall) in Side::ALL.into_iter().zip(&mut lines.sides) {
        let columns: Vec<Column> = columns(grid, index, side).collect();
        let wide = labels.flight.as_ref();
        let wide = wide.map(|flight| wide_rows(flight, air, &columns, bottom..=top));
        let mut wide = wide.as_ref().map(|rows| rows.chunks_exact(columns.len()));
        let mut runs: Vec<Run> = Vec::new();
        // Where the last row begins that is kept.
        let mut last = 0;
        for z in bottom..=top {
            match wide.as_mut().and_then(Iterator::next) {
                Some(wide) => read_wide_row((wide, z), &mut labels, &mut row),
                None => read_row(air, (&columns, z), &mut labels, &mut row),
            }
            let kept = runs[last..].iter().filter(|run| run.len > 0);
            let place = |run: &Run| (run.start, run.len, run.label);
            if !kept.map(place).eq(row.iter().map(place)) {
                last = runs.len();
                if row.is_empty() {
                    runs.push(Run { z, ..NOTHING });
                }
                runs.append(&mut row);
            }
        }
        *wall = runs.into();
    }
    lines.n_labels = labels.len();
    (lines, labels)
}

/// A row without free voxels.
const NOTHING: Run = Run {
    z: 0,
    start: 0,
    len: 0,
    label: 0,
};

/// Reads the free voxels of a row as runs; of a cube of the octree, one voxel says it for all.
fn read_row(air: &Air, (columns, z): (&[Column], i32), labels: &mut Labels, row: &mut Vec<Run>) {
    row.clear();
    let mut at = 0;
    while let Some(column) = columns.get(at) {
        let voxel = Voxel::new(column.x, column.y, z);
        let Some(cube) = air.locate(voxel) else {
            at += 1;
            continue;
        };
        let is_in_cube = |column: &&Column| {
            let side = cube.side;
            column.x.abs_diff(cube.low.x) < side && column.y.abs_diff(cube.low.y) < side
        };
        let len = columns[at..].iter().take_while(is_in_cube).count();
        if let Some(component) = air.component(voxel) {
            let label = labels.label(TileComponent::Air(component));
            push_run(row, (z, at, len), label);
        }
        at += len;
    }
}

/// The components of a wide agent on a wall, row by row from below.
fn wide_rows(
    flight: &FlightComponents,
    air: &Air,
    columns: &[Column],
    heights: RangeInclusive<i32>,
) -> Vec<Option<u32>> {
    let mut found = Vec::new();
    let voxels = heights.flat_map(|z| {
        let columns = columns.iter();
        columns.map(move |column| Voxel::new(column.x, column.y, z))
    });
    flight.components(air, voxels, |component| found.push(component));
    found
}

fn read_wide_row((wide, z): (&[Option<u32>], i32), labels: &mut Labels, row: &mut Vec<Run>) {
    row.clear();
    for (at, component) in wide.iter().enumerate() {
        if let Some(component) = component {
            let label = labels.label(TileComponent::Flight(*component));
            push_run(row, (z, at, 1), label);
        }
    }
}

fn push_run(row: &mut Vec<Run>, (z, start, len): (i32, usize, usize), label: u32) {
    let short = |at: usize| u16::try_from(at).expect("a line has at most 4,096 cells");
    let (start, len) = (short(start), short(len));
    match row.last_mut() {
        Some(run) if run.label == label && run.start + run.len == start => run.len += len,
        _ => row.push(Run {
            z,
            start,
            len,
            label,
        }),
    }
}

/// The rows of a wall, from below.
struct Rows<'r> {
    row: &'r [Run],
    above: &'r [Run],
}

impl<'r> Rows<'r> {
    const fn new(wall: &'r [Run]) -> Self {
        let row = &[];
        Self { row, above: wall }
    }

    fn next_z(&self) -> Option<i32> {
        self.above.first().map(|run| run.z)
    }

    /// Goes on to the row that begins at a height, if there is one.
    fn rise(&mut self, z: i32) {
        if self.next_z() == Some(z) {
            let len = self.above.iter().take_while(|run| run.z == z).count();
            (self.row, self.above) = self.above.split_at(len);
        }
    }
}

/// The crossings of a wall whose highest voxel is at `top`, from what the tiles on both sides show of it.
pub(super) fn crossings(low: &[Run], high: &[Run], top: i32, found: &mut Vec<Crossing>) {
    found.clear();
    let (mut a, mut b) = (Rows::new(low), Rows::new(high));
    let next = |a: &Rows<'_>, b: &Rows<'_>| [a.next_z(), b.next_z()].into_iter().flatten().min();
    while let Some(z) = next(&a, &b) {
        a.rise(z);
        b.rise(z);
        let end = next(&a, &b).unwrap_or(top.saturating_add(1));
        push_rows(a.row, b.row, z..end, found);
    }
}

/// Adds the crossings of two rows that hold for a range of heights, in parts of at most
/// [`MAX_CROSSING`] voxels.
fn push_rows(low: &[Run], high: &[Run], heights: Range<i32>, found: &mut Vec<Crossing>) {
    let (mut a, mut b) = (low.iter().peekable(), high.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let (x_end, y_end) = (x.start + x.len, y.start + y.len);
        let (start, end) = (x.start.max(y.start), x_end.min(y_end));
        if start < end {
            for z in heights.clone().step_by(usize::from(MAX_CROSSING)) {
                let height = heights.end.abs_diff(z).min(MAX_CROSSING.into());
                let low = Run {
                    z,
                    start,
                    len: end - start,
                    label: x.label,
                };
                let crossing = Crossing {
                    low,
                    high: y.label,
                    height: u16::try_from(height).unwrap_or(MAX_CROSSING),
                };
                push_parts(crossing, found);
            }
        }
        if x_end <= y_end {
            a.next();
        } else {
            b.next();
        }
    }
}
