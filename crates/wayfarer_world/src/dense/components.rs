//! Connected components of a dense ground as one label per cell.
//!
//! A diagonal needs both adjacent cardinals, so components are those of the four straight
//! directions. A changed cell is resolved from its eight neighbors if they suffice: an opened cell
//! next to one component gets its label; a closed cell whose neighbors stay connected around it
//! splits nothing. Otherwise the whole map is relabeled once per batch by a run-based flood fill,
//! linear in the cells.

use wayfarer_base::{Direction, Raster};

use super::{DenseLayout, moves};

/// Not walkable.
const NONE: u32 = u32::MAX;
/// Walkable, not labeled yet; only during a flood fill.
const OPEN: u32 = u32::MAX - 1;

#[derive(Clone, Debug)]
pub(super) struct Components {
    /// For every padded cell.
    labels: Vec<u32>,
    /// The smallest unused label.
    next: u32,
    /// Seeds of the flood fill; empty outside it.
    stack: Vec<u32>,
    /// True from a change that its neighbors do not resolve until the next relabeling.
    is_stale: bool,
}

impl Components {
    pub(super) fn from_raster(raster: &Raster, layout: DenseLayout) -> Self {
        let mut components = Self {
            labels: vec![NONE; layout.n_cells() as usize],
            next: 0,
            stack: Vec::new(),
            is_stale: true,
        };
        components.relabel_if_stale(raster, layout);
        components
    }

    /// The label of a padded cell; `None` if it is not walkable.
    #[inline]
    pub(super) fn label(&self, number: u32) -> Option<u32> {
        Some(self.labels[number as usize]).filter(|&label| label < OPEN)
    }

    /// Updates the labels after (`x`, `y`) was opened or closed in `raster`.
    pub(super) fn update(&mut self, raster: &Raster, layout: DenseLayout, x: i32, y: i32) {
        if self.is_stale {
            return;
        }
        let number = layout.index(x, y) as usize;
        let neighbor = |direction: Direction| {
            let (dx, dy) = direction.offset();
            (x + dx, y + dy)
        };
        if !raster.is_walkable(x, y) {
            self.labels[number] = NONE;
            self.is_stale = n_arcs(Direction::ALL.map(|direction| {
                let (x, y) = neighbor(direction);
                raster.is_walkable(x, y)
            })) > 1;
            return;
        }
        let mut adjacent = Direction::STRAIGHT.into_iter().filter_map(|direction| {
            let (x, y) = neighbor(direction);
            self.label(layout.index(x, y))
        });
        let first = adjacent.next();
        if adjacent.any(|label| Some(label) != first) || self.next == OPEN {
            self.is_stale = true;
        } else if let Some(label) = first {
            self.labels[number] = label;
        } else {
            self.labels[number] = self.next;
            self.next += 1;
        }
    }

    /// Relabels the whole map if a change since the last call was not resolved.
    pub(super) fn relabel_if_stale(&mut self, raster: &Raster, layout: DenseLayout) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        self.next = 0;
        let (width, stride) = (raster.width() as usize, layout.stride());
        if width == 0 {
            return;
        }
        let rows = raster.bytes().chunks_exact(width);
        for (row, padded) in rows.zip(self.labels.chunks_exact_mut(stride as usize).skip(1)) {
            for (cell, label) in row.iter().zip(&mut padded[1..]) {
                *label = if moves::is_open(*cell) { OPEN } else { NONE };
            }
        }
        for number in 0..layout.n_cells() {
            if self.labels[number as usize] == OPEN {
                self.flood(stride, number);
                self.next += 1;
            }
        }
    }

    /// Labels everything connected to `seed`, one run of a row at a time.
    fn flood(&mut self, stride: u32, seed: u32) {
        let Self {
            labels,
            next,
            stack,
            ..
        } = self;
        stack.push(seed);
        while let Some(number) = stack.pop() {
            let number = number as usize;
            if labels[number] != OPEN {
                continue;
            }
            // The padding ends every run and surrounds every row.
            let before = labels[..number].iter().rev();
            let low = number - before.take_while(|label| **label == OPEN).count();
            let after = labels[number..].iter();
            let high = number + after.take_while(|label| **label == OPEN).count();
            labels[low..high].fill(*next);
            for first in [low - stride as usize, low + stride as usize] {
                let adjacent = &labels[first..first + (high - low)];
                let mut was_open = false;
                for (number, label) in (first..).zip(adjacent) {
                    let is_open = *label == OPEN;
                    if is_open && !was_open {
                        stack.push(u32::try_from(number).expect("a padded cell's number"));
                    }
                    was_open = is_open;
                }
            }
        }
    }
}

/// The number of arcs of open cells in the ring of eight neighbors that contain a straight
/// neighbor: the parts into which closing the center may split them.
fn n_arcs(around: [bool; 8]) -> usize {
    // Starting behind a gap, no arc wraps around.
    let Some(gap) = around.iter().position(|open| !open) else {
        return 1;
    };
    let mut parts = 0;
    let mut has_straight = false;
    for step in 1..=8 {
        let index = (gap + step) % 8;
        if !around[index] {
            has_straight = false;
        } else if index % 2 == 0 && !has_straight {
            parts += 1;
            has_straight = true;
        }
    }
    parts
}
