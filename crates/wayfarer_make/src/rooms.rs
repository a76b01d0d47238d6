//! Rooms and corridors: the rock is halved again and again, each piece gets a room, and the two
//! halves of every cut are joined.

use std::ops::Range;

use wayfarer_base::{Column, Rect, Rng};

use crate::Recipe;
use crate::carving_grid::{Board, GROUND, ROCK};

/// A piece of rock longer than this is cut in two.
const MAX_PIECE: i32 = 22;
/// No cut leaves a piece shorter than this.
const SHORTEST_PIECE: i32 = 8;

pub(crate) fn dig(recipe: &Recipe, board: &mut Board) {
    let inside = board.inside(1);
    if inside.is_empty() {
        return;
    }
    let mut works = Works {
        board,
        rng: recipe.rng(1),
        rooms: Vec::new(),
    };
    works.cut(inside);
}

struct Works<'a> {
    board: &'a mut Board,
    rng: Rng,
    /// In the order in which they were dug: each piece of rock holds a run of them.
    rooms: Vec<Rect>,
}

impl Works<'_> {
    /// Digs the rooms of `piece` and joins them all; tells which rooms lie in it.
    fn cut(&mut self, piece: Rect) -> Range<usize> {
        let first = self.rooms.len();
        let (width, height) = (
            piece.high.x - piece.low.x + 1,
            piece.high.y - piece.low.y + 1,
        );
        let along_x = width > height || width == height && self.rng.chance(1, 2);
        let length = width.max(height);
        if length <= MAX_PIECE {
            self.room(piece);
            return first..self.rooms.len();
        }
        let margin = (length / 3).max(SHORTEST_PIECE);
        let at = self.rng.between(margin, length - margin);
        let (mut low_half, mut high_half) = (piece, piece);
        if along_x {
            low_half.high.x = piece.low.x + at - 1;
            high_half.low.x = piece.low.x + at;
        } else {
            low_half.high.y = piece.low.y + at - 1;
            high_half.low.y = piece.low.y + at;
        }
        let low_rooms = self.cut(low_half);
        let high_rooms = self.cut(high_half);
        self.join(low_rooms.clone(), high_rooms.clone());
        if self.rng.chance(2, 5) {
            self.join(low_rooms, high_rooms);
        }
        first..self.rooms.len()
    }

    /// Digs one room somewhere in `piece`.
    fn room(&mut self, piece: Rect) {
        let (low_x, high_x) = self.span(piece.low.x, piece.high.x);
        let (low_y, high_y) = self.span(piece.low.y, piece.high.y);
        let room = Rect {
            low: Column::new(low_x, low_y),
            high: Column::new(high_x, high_y),
        };
        let (width, height) = (high_x - low_x + 1, high_y - low_y + 1);
        let least = width.min(height);
        let center = center(room);
        match self.rng.below(10) {
            0 if least >= 7 => self.board.disc(center.x, center.y, (least - 1) / 2, GROUND),
            1 if least >= 8 => {
                // A cross: two bars.
                let (arm_x, arm_y) = (width / 3, height / 3);
                let mut bar = room;
                (bar.low.x, bar.high.x) = (low_x + arm_x, high_x - arm_x);
                self.board.fill(bar, GROUND);
                let mut bar = room;
                (bar.low.y, bar.high.y) = (low_y + arm_y, high_y - arm_y);
                self.board.fill(bar, GROUND);
            }
            2..=4 if least >= 9 => {
                self.board.fill(room, GROUND);
                for y in (low_y + 2..=high_y - 2).step_by(3) {
                    for x in (low_x + 2..=high_x - 2).step_by(3) {
                        if (x, y) != (center.x, center.y) {
                            self.board.put(x, y, ROCK);
                        }
                    }
                }
            }
            _ => self.board.fill(room, GROUND),
        }
        self.rooms.push(room);
    }

    /// A stretch of at least a third from `low` to `high`, a wall's width left where there is room.
    fn span(&mut self, low: i32, high: i32) -> (i32, i32) {
        let length = high - low + 1;
        if length < 5 {
            return (low, high);
        }
        let size = self.rng.between((length / 2).max(3), length - 2);
        let start = self.rng.between(low + 1, high - size);
        (start, start + size - 1)
    }

    /// Digs a corridor from one of the rooms of `one` to the nearest of `other`.
    fn join(&mut self, one: Range<usize>, other: Range<usize>) {
        let anchor = self.rooms[other.start + self.rng.below(count(&other)) as usize];
        let from = self.nearest(one, center(anchor));
        let to = self.nearest(other, center(from));
        let (a, b) = (center(from), center(to));
        let corner = if self.rng.chance(1, 2) {
            Column::new(a.x, b.y)
        } else {
            Column::new(b.x, a.y)
        };
        let wide = i32::from(self.rng.chance(1, 4));
        let inside = self.board.inside(1);
        for (from, to) in [(a, corner), (corner, b)] {
            let mut leg = Rect::around(from, to);
            leg.high.x = (leg.high.x + wide).min(inside.high.x);
            leg.high.y = (leg.high.y + wide).min(inside.high.y);
            self.board.fill(leg, GROUND);
        }
    }

    fn nearest(&self, rooms: Range<usize>, to: Column) -> Rect {
        *self.rooms[rooms]
            .iter()
            .min_by_key(|room| {
                let at = center(**room);
                i64::from(at.x.abs_diff(to.x)) + i64::from(at.y.abs_diff(to.y))
            })
            .expect("every piece of rock holds a room")
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
