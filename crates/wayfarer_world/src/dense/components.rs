//! Which cells reach each other: a number per cell, equal for cells that do.
//!
//! A diagonal step needs both cells beside it, so it never leads where two straight steps do not:
//! components are those of the four straight directions.
//!
//! An edit of one cell is answered from its eight neighbors if they relabel_if_stale it: an opened cell
//! that meets one component joins it; a closed cell whose neighbors still reach each other around
//! it splits nothing. Else all is labeled anew, once for a batch, at a nanosecond or two per cell
//! of the map.

use wayfarer_base::{Direction, Raster};

use super::{DenseLayout, moves};

/// One cannot stand there.
const NONE: u32 = u32::MAX;
/// One can, but the flood has not come there yet; never seen between floods.
const OPEN: u32 = u32::MAX - 1;

#[derive(Clone, Debug)]
pub(super) struct Components {
    /// For every padded cell.
    labels: Vec<u32>,
    /// All labels are below.
    next: u32,
    /// Cells from which the flood goes on; empty between floods.
    stack: Vec<u32>,
    /// True from an edit that its neighbors do not relabel_if_stale until [`Components::relabel_if_stale`].
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

    /// The label of a padded cell, if one can stand there.
    #[inline]
    pub(super) fn label(&self, number: u32) -> Option<u32> {
        Some(self.labels[number as usize]).filter(|&label| label < OPEN)
    }

    /// Takes notice that (`x`, `y`) was opened or closed; `raster` shows it already.
    pub(super) fn update(&mut self, raster: &Raster, layout: DenseLayout, x: i32, y: i32) {
        if self.is_stale {
            return;
        }
        let number = layout.number(x, y) as usize;
        let beside = |direction: Direction| {
            let (dx, dy) = direction.offset();
            (x + dx, y + dy)
        };
        if !raster.is_walkable(x, y) {
            self.labels[number] = NONE;
            self.is_stale = n_arcs(Direction::ALL.map(|direction| {
                let (x, y) = beside(direction);
                raster.is_walkable(x, y)
            })) > 1;
            return;
        }
        let mut met = Direction::STRAIGHT.into_iter().filter_map(|direction| {
            let (x, y) = beside(direction);
            self.label(layout.number(x, y))
        });
        let first = met.next();
        if met.any(|label| Some(label) != first) || self.next == OPEN {
            self.is_stale = true;
        } else if let Some(label) = first {
            self.labels[number] = label;
        } else {
            self.labels[number] = self.next;
            self.next += 1;
        }
    }

    /// Labels all anew if some edit since the last call was not settled by its neighbors.
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

    /// Labels all that is reached from `seed`, a run of cells of one row at a time.
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
            // The layout ends every run and lies around every row.
            let before = labels[..number].iter().rev();
            let low = number - before.take_while(|label| **label == OPEN).count();
            let after = labels[number..].iter();
            let high = number + after.take_while(|label| **label == OPEN).count();
            labels[low..high].fill(*next);
            for first in [low - stride as usize, low + stride as usize] {
                let beside = &labels[first..first + (high - low)];
                let mut was_open = false;
                for (place, label) in (first..).zip(beside) {
                    let is_open = *label == OPEN;
                    if is_open && !was_open {
                        stack.push(u32::try_from(place).expect("a padded cell's number"));
                    }
                    was_open = is_open;
                }
            }
        }
    }
}

/// Into how many parts the open cells to the north, east, south and west fall, if they may reach
/// each other only around the ring of the eight neighbors given.
fn n_arcs(around: [bool; 8]) -> usize {
    // Every run of open cells along the ring that holds a straight neighbor is one part.
    let Some(gap) = around.iter().position(|open| !open) else {
        return 1;
    };
    let mut parts = 0;
    let mut has_straight = false;
    for step in 1..=8 {
        let place = (gap + step) % 8;
        if !around[place] {
            has_straight = false;
        } else if place % 2 == 0 && !has_straight {
            parts += 1;
            has_straight = true;
        }
    }
    parts
}
