//! Floor plans: yard, hall with pillars, rooms by recursive splitting, bridges across the hall.

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{Column, Rect, Rng};

use super::{Building, FLOOR_HEIGHT, NO_ROOM, Room, YARD};
use crate::Recipe;

/// Longer rectangles are split.
const MAX_ROOM_SIDE: i32 = 15;
/// No split leaves a shorter side: a flight of stairs must fit.
const MIN_ROOM_SIDE: i32 = 7;
/// Distance between pillars, in cells.
const PILLAR_PITCH: i32 = 4;

impl Building {
    /// The outline of the building of a recipe, without floors.
    pub(super) fn new(recipe: &Recipe) -> Self {
        let (width, height) = (recipe.width.cast_signed(), recipe.height.cast_signed());
        let yard = (width.min(height) / 10).clamp(3, 10);
        let inside = Rect {
            low: Column::new(yard, yard),
            high: Column::new(width - 1 - yard, height - 1 - yard),
        };
        let mut rng = recipe.rng(4);
        let mut span = |low: i32, high: i32| {
            let length = high - low + 1;
            let hall = (length * 2 / 5).max(8);
            let slack = (length - hall - 10).min(length / 6);
            let from = low + (length - hall) / 2 + rng.between(-slack / 2, slack / 2);
            (from, from + hall - 1)
        };
        let (west, east) = span(inside.low.x, inside.high.x);
        let (north, south) = span(inside.low.y, inside.high.y);
        Self {
            width,
            height,
            n_floors: recipe.n_floors.cast_signed(),
            inside,
            hall: Rect::around(Column::new(west, north), Column::new(east, south)),
            floors: Vec::new(),
            n_rooms: YARD,
            steps: OrderedMap::new(),
            landings: OrderedSet::new(),
            bridges: OrderedSet::new(),
            vault: NO_ROOM,
            nav_links: Vec::new(),
        }
    }

    pub(super) fn lay_floors(&mut self, recipe: &Recipe) {
        let n_columns = recipe.width as usize * recipe.height as usize;
        for floor in 0..self.n_floors {
            let mut rng = recipe.rng(100 + u64::from(floor.cast_unsigned()));
            let outside = if floor == 0 { YARD } else { NO_ROOM };
            self.floors.push(vec![outside; n_columns]);
            for rect in self.around_hall() {
                self.split_into_rooms(rect, floor, &mut rng);
            }
            if floor == 0 {
                self.lay_hall();
            } else {
                self.lay_bridge(floor, &mut rng);
            }
        }
    }

    fn fill(&mut self, rect: Rect, floor: i32, room: Room) {
        for column in rect.columns() {
            self.set_room(column.at(floor * FLOOR_HEIGHT), room);
        }
    }

    fn new_room(&mut self) -> Room {
        self.n_rooms += 1;
        self.n_rooms
    }

    /// Four rectangles around the hall, in a pinwheel.
    fn around_hall(&self) -> [Rect; 4] {
        let (house, hall) = (self.inside, self.hall);
        let rect = |west, north, east, south| Rect {
            low: Column::new(west, north),
            high: Column::new(east, south),
        };
        [
            rect(house.low.x, house.low.y, hall.high.x, hall.low.y - 1),
            rect(hall.high.x + 1, house.low.y, house.high.x, hall.high.y),
            rect(hall.low.x, hall.high.y + 1, house.high.x, house.high.y),
            rect(house.low.x, hall.low.y, hall.low.x - 1, house.high.y),
        ]
    }

    fn split_into_rooms(&mut self, rect: Rect, floor: i32, rng: &mut Rng) {
        let (width, height) = (rect.high.x - rect.low.x + 1, rect.high.y - rect.low.y + 1);
        let length = width.max(height);
        if length <= MAX_ROOM_SIDE {
            let room = self.new_room();
            self.fill(rect, floor, room);
            return;
        }
        let at = rng.between(MIN_ROOM_SIDE, length - MIN_ROOM_SIDE);
        let (mut low_half, mut high_half) = (rect, rect);
        if width > height {
            low_half.high.x = rect.low.x + at - 1;
            high_half.low.x = rect.low.x + at;
        } else {
            low_half.high.y = rect.low.y + at - 1;
            high_half.low.y = rect.low.y + at;
        }
        self.split_into_rooms(low_half, floor, rng);
        self.split_into_rooms(high_half, floor, rng);
    }

    /// The floor of the hall, with a row of pillars along each side if it is large enough.
    fn lay_hall(&mut self) {
        let (room, hall) = (self.new_room(), self.hall);
        self.fill(hall, 0, room);
        for column in hall.columns() {
            let is_on_row =
                |low: i32, at: i32, high: i32| (at - low).min(high - at) == 2 && high - low >= 11;
            // In the corners, and at multiples of the pitch between them.
            let is_in_step = |low: i32, at: i32, high: i32| {
                let is_multiple = (at - low) % PILLAR_PITCH == 2 && at <= high - 5;
                at > low + 1 && at < high - 1 && (is_multiple || at == high - 2)
            };
            let along_x = is_on_row(hall.low.y, column.y, hall.high.y)
                && is_in_step(hall.low.x, column.x, hall.high.x);
            let along_y = is_on_row(hall.low.x, column.x, hall.high.x)
                && is_in_step(hall.low.y, column.y, hall.high.y);
            if along_x || along_y {
                self.set_room(column.at(0), NO_ROOM);
            }
        }
    }

    /// A bridge across the hall, alternately west to east and north to south.
    fn lay_bridge(&mut self, floor: i32, rng: &mut Rng) {
        let room = self.new_room();
        self.bridges.insert(room);
        let mut bridge = self.hall;
        let extra_width = i32::from(bridge.width().min(bridge.height()) >= 12);
        if floor % 2 == 1 {
            bridge.low.y = rng.between(bridge.low.y + 3, bridge.high.y - 3 - extra_width);
            bridge.high.y = bridge.low.y + extra_width;
        } else {
            bridge.low.x = rng.between(bridge.low.x + 3, bridge.high.x - 3 - extra_width);
            bridge.high.x = bridge.low.x + extra_width;
        }
        self.fill(bridge, floor, room);
    }
}
