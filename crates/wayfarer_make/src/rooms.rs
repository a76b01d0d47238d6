//! Rooms and corridors by binary space partitioning: every leaf gets a room, and the two sides of
//! every split are connected by corridors.

use std::ops::Range;

use wayfarer_base::{Column, Rect, Rng};

use crate::Recipe;
use crate::carving_grid::{CarvingGrid, GROUND, ROCK};

/// Longer rectangles are split.
const MAX_LEAF_SIDE: i32 = 22;
/// No split leaves a shorter side.
const MIN_LEAF_SIDE: i32 = 8;

pub(crate) fn dig(recipe: &Recipe, grid: &mut CarvingGrid) {
    let inside = grid.inside(1);
    if inside.is_empty() {
        return;
    }
    let mut builder = RoomBuilder {
        grid,
        rng: recipe.rng(1),
        rooms: Vec::new(),
    };
    builder.split(inside);
}

struct RoomBuilder<'a> {
    grid: &'a mut CarvingGrid,
    rng: Rng,
    /// In order of creation: each subtree has a contiguous range.
    rooms: Vec<Rect>,
}

impl RoomBuilder<'_> {
    /// Builds and connects the rooms of `rect`; returns their range.
    fn split(&mut self, rect: Rect) -> Range<usize> {
        let first = self.rooms.len();
        let (width, height) = (rect.high.x - rect.low.x + 1, rect.high.y - rect.low.y + 1);
        let is_split_in_x = width > height || width == height && self.rng.chance(1, 2);
        let length = width.max(height);
        if length <= MAX_LEAF_SIDE {
            self.build_room(rect);
            return first..self.rooms.len();
        }
        let margin = (length / 3).max(MIN_LEAF_SIDE);
        let at = self.rng.between(margin, length - margin);
        let (mut low_half, mut high_half) = (rect, rect);
        if is_split_in_x {
            low_half.high.x = rect.low.x + at - 1;
            high_half.low.x = rect.low.x + at;
        } else {
            low_half.high.y = rect.low.y + at - 1;
            high_half.low.y = rect.low.y + at;
        }
        let low_rooms = self.split(low_half);
        let high_rooms = self.split(high_half);
        self.connect(low_rooms.clone(), high_rooms.clone());
        if self.rng.chance(2, 5) {
            self.connect(low_rooms, high_rooms);
        }
        first..self.rooms.len()
    }

    /// Carves a random room in `rect`.
    fn build_room(&mut self, rect: Rect) {
        let (low_x, high_x) = self.span(rect.low.x, rect.high.x);
        let (low_y, high_y) = self.span(rect.low.y, rect.high.y);
        let room = Rect {
            low: Column::new(low_x, low_y),
            high: Column::new(high_x, high_y),
        };
        let (width, height) = (high_x - low_x + 1, high_y - low_y + 1);
        let side = width.min(height);
        let center = center(room);
        match self.rng.below(10) {
            0 if side >= 7 => self.grid.disc(center.x, center.y, (side - 1) / 2, GROUND),
            1 if side >= 8 => {
                // A cross of two bars.
                let (arm_x, arm_y) = (width / 3, height / 3);
                let mut bar = room;
                (bar.low.x, bar.high.x) = (low_x + arm_x, high_x - arm_x);
                self.grid.fill(bar, GROUND);
                let mut bar = room;
                (bar.low.y, bar.high.y) = (low_y + arm_y, high_y - arm_y);
                self.grid.fill(bar, GROUND);
            }
            2..=4 if side >= 9 => {
                self.grid.fill(room, GROUND);
                for y in (low_y + 2..=high_y - 2).step_by(3) {
                    for x in (low_x + 2..=high_x - 2).step_by(3) {
                        if (x, y) != (center.x, center.y) {
                            self.grid.put(x, y, ROCK);
                        }
                    }
                }
            }
            _ => self.grid.fill(room, GROUND),
        }
        self.rooms.push(room);
    }

    /// A random interval within `low` to `high`, at least half as long, one cell from both ends.
    fn span(&mut self, low: i32, high: i32) -> (i32, i32) {
        let length = high - low + 1;
        if length < 5 {
            return (low, high);
        }
        let size = self.rng.between((length / 2).max(3), length - 2);
        let start = self.rng.between(low + 1, high - size);
        (start, start + size - 1)
    }

    /// Carves an L-shaped corridor from a room of `one` to the nearest room of `other`.
    fn connect(&mut self, one: Range<usize>, other: Range<usize>) {
        let anchor = self.rooms[other.start + self.rng.below(count(&other)) as usize];
        let from = self.nearest(one, center(anchor));
        let to = self.nearest(other, center(from));
        let (a, b) = (center(from), center(to));
        let corner = if self.rng.chance(1, 2) {
            Column::new(a.x, b.y)
        } else {
            Column::new(b.x, a.y)
        };
        let extra_width = i32::from(self.rng.chance(1, 4));
        let inside = self.grid.inside(1);
        for (from, to) in [(a, corner), (corner, b)] {
            let mut leg = Rect::around(from, to);
            leg.high.x = (leg.high.x + extra_width).min(inside.high.x);
            leg.high.y = (leg.high.y + extra_width).min(inside.high.y);
            self.grid.fill(leg, GROUND);
        }
    }

    fn nearest(&self, rooms: Range<usize>, to: Column) -> Rect {
        *self.rooms[rooms]
            .iter()
            .min_by_key(|room| {
                let at = center(**room);
                i64::from(at.x.abs_diff(to.x)) + i64::from(at.y.abs_diff(to.y))
            })
            .expect("every leaf has a room")
    }
}

fn center(room: Rect) -> Column {
    Column::new(
        room.low.x.midpoint(room.high.x),
        room.low.y.midpoint(room.high.y),
    )
}

fn count(rooms: &Range<usize>) -> u32 {
    u32::try_from(rooms.len()).unwrap_or(u32::MAX)
}
