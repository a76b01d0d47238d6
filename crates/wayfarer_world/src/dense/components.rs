//! Which cells reach each other: a number per cell, equal for cells that do.
//!
//! A diagonal step needs both cells beside it, so it never leads where two straight steps do not:
//! components are those of the four straight directions.
//!
//! An edit of one cell is answered from its eight neighbours if they settle it: an opened cell
//! that meets one component joins it; a closed cell whose neighbours still reach each other around
//! it splits nothing. Else all is labelled anew, once for a batch, at about a nanosecond or two
//! per cell of the map.

use wayfarer_base::{Direction, Raster};

use super::{Frame, moves};

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Components {
    labels: Vec<u32>,
    next: u32,
    /// Cells yet to be looked at by the flood; empty between floods.
    pending: Vec<(i32, i32)>,
    /// True from an edit that its neighbours do not settle until [`Components::settle`].
    is_unsettled: bool,
}

impl Components {
    pub(super) fn of_raster(raster: &Raster, frame: Frame) -> Self {
        let mut components = Self {
            labels: vec![NONE; frame.n_cells() as usize],
            next: 0,
            pending: Vec::new(),
            is_unsettled: false,
        };
        components.flood_all(raster, frame);
        components
    }

    #[inline]
    pub(super) fn of(&self, number: u32) -> Option<u32> {
        Some(self.labels[number as usize]).filter(|&label| label != NONE)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.labels.capacity() * size_of::<u32>()
            + self.pending.capacity() * size_of::<(i32, i32)>()
    }

    /// Takes notice that (`x`, `y`) was opened or closed; `raster` shows it already.
    pub(super) fn changed(&mut self, raster: &Raster, frame: Frame, x: i32, y: i32) {
        if self.is_unsettled {
            return;
        }
        let number = frame.number(x, y) as usize;
        let around = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            raster.is_walkable(x + dx, y + dy)
        });
        if raster.is_walkable(x, y) {
            let mut met = Direction::STRAIGHT.into_iter().filter_map(|direction| {
                let (dx, dy) = direction.offset();
                self.of(frame.number(x + dx, y + dy))
            });
            let first = met.next();
            if met.any(|label| Some(label) != first) {
                self.is_unsettled = true;
            } else if let Some(label) = first {
                self.labels[number] = label;
            } else {
                self.labels[number] = self.next;
                self.next += 1;
            }
        } else {
            self.labels[number] = NONE;
            self.is_unsettled = n_sides(around) > 1;
        }
        // Labels are only handed out upwards between floods.
        self.is_unsettled |= self.next == NONE;
    }

    /// Labels all anew if some edit since the last call was not settled by its neighbours.
    pub(super) fn settle(&mut self, raster: &Raster, frame: Frame) {
        if self.is_unsettled {
            self.labels.fill(NONE);
            self.next = 0;
            self.flood_all(raster, frame);
            self.is_unsettled = false;
        }
    }

    fn flood_all(&mut self, raster: &Raster, frame: Frame) {
        let width = raster.width() as usize;
        if width == 0 {
            return;
        }
        for (y, row) in (0..).zip(raster.bytes().chunks_exact(width)) {
            for (x, cell) in (0..).zip(row) {
                if moves::is_open(*cell) && self.of(frame.number(x, y)).is_none() {
                    self.flood(raster, frame, (x, y));
                    self.next += 1;
                }
            }
        }
    }

    /// Labels all that is reached from `seed`, a run of cells of one row at a time.
    fn flood(&mut self, raster: &Raster, frame: Frame, seed: (i32, i32)) {
        let label = self.next;
        self.pending.push(seed);
        while let Some((x, y)) = self.pending.pop() {
            if self.of(frame.number(x, y)).is_some() {
                continue;
            }
            let mut low = x;
            while raster.is_walkable(low - 1, y) {
                low -= 1;
            }
            let mut high = x;
            while raster.is_walkable(high + 1, y) {
                high += 1;
            }
            let first = frame.number(low, y) as usize;
            self.labels[first..=frame.number(high, y) as usize].fill(label);
            for beside in [y - 1, y + 1] {
                let mut was_open = false;
                for x in low..=high {
                    let is_open =
                        raster.is_walkable(x, beside) && self.of(frame.number(x, beside)).is_none();
                    if is_open && !was_open {
                        self.pending.push((x, beside));
                    }
                    was_open = is_open;
                }
            }
        }
    }
}

/// Into how many parts the open cells to the north, east, south and west fall, if they may reach
/// each other only around the ring of the eight neighbours given.
fn n_sides(around: [bool; 8]) -> usize {
    // Every run of open cells along the ring that holds a straight neighbour is one part.
    let Some(gap) = around.iter().position(|open| !open) else {
        return 1;
    };
    let mut parts = 0;
    let mut is_counted = false;
    for step in 1..=8 {
        let place = (gap + step) % 8;
        if !around[place] {
            is_counted = false;
        } else if place % 2 == 0 && !is_counted {
            parts += 1;
            is_counted = true;
        }
    }
    parts
}
