//! Indoors most of what is near lies behind a wall: one sees only through the doors of the room one
//! is in, and through the doors that show behind them.
//!
//! The clear columns of a board are cut into rectangles, the rooms, that no wall parts. Where two
//! rooms touch there is an opening. From the eye's room one looks through each of its openings, from
//! there through the next, and what of the view is left gets narrower each time. Whoever stands in
//! no room that was looked into, or outside of what was left of the view there, is not seen; for all
//! others a line has to be looked along. Nobody who is seen is ever left out.

use wayfarer_base::{Column, Rect, WallSide};

use super::OpacityGrid;

/// The rooms of a board as it was when they were made.
///
/// ```
/// use wayfarer_base::{Column, Rect};
/// use wayfarer_search::sight::{VisibleRooms, RoomGraph, OpacityGrid};
/// let mut board = OpacityGrid::open(Rect { low: Column::new(0, 0), high: Column::new(20, 10) });
/// for y in 0..=10 {
///     board.set_opaque(Column::new(10, y), y != 5); // a wall with a door
/// }
/// let rooms = RoomGraph::of(&board);
/// assert_eq!(rooms.len(), 3); // the door is one of them
/// let mut glance = VisibleRooms::default();
/// glance.look(&rooms, Column::new(2, 5), 50);
/// assert!(glance.may_see(&rooms, Column::new(18, 5)));
/// assert!(!glance.may_see(&rooms, Column::new(18, 0))); // beside what the door shows
/// ```
#[derive(Clone, Debug)]
pub struct RoomGraph {
    rect: Rect,
    width: usize,
    /// The room of each column, row by row; [`NONE`] where it is opaque.
    room_of: Vec<u32>,
    n_rooms: usize,
    /// Where the openings of each room end.
    ends: Vec<u32>,
    openings: Vec<Opening>,
}

const NONE: u32 = u32::MAX;

/// A place or a direction in half columns: middles are odd, corners even.
type Vector = (i64, i64);

/// Where one sees from one room into another: a stretch of an edge, or a corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Opening {
    from: Vector,
    to: Vector,
    /// Which way one goes through: -1, 0 or 1 along x and y; both if it is a corner.
    direction: Vector,
    room: u32,
}

impl RoomGraph {
    /// Cuts a board into rooms: from north to south and from west to east, each as wide and then as
    /// deep as may be.
    pub fn of(board: &OpacityGrid) -> Self {
        let rect = board.rect();
        let (height, width) = board.size();
        let mut rooms = Self {
            rect,
            width,
            room_of: vec![NONE; width * height],
            n_rooms: 0,
            ends: Vec::new(),
            openings: Vec::new(),
        };
        for at in rect.columns() {
            if rooms.is_free(board, at) {
                rooms.grow(board, at);
            }
        }
        rooms.open(board);
        rooms
    }

    /// How many.
    pub const fn len(&self) -> usize {
        self.n_rooms
    }

    /// True if all is opaque.
    pub const fn is_empty(&self) -> bool {
        self.n_rooms == 0
    }

    #[inline]
    fn room(&self, column: Column) -> Option<u32> {
        if !self.rect.contains(column) {
            return None;
        }
        let x = column.x.abs_diff(self.rect.low.x) as usize;
        let y = column.y.abs_diff(self.rect.low.y) as usize;
        let room = *self.room_of.get(y * self.width + x)?;
        (room != NONE).then_some(room)
    }

    /// The north-west corner of a column, in half columns from that of the board.
    #[inline]
    fn corner(&self, column: Column) -> Vector {
        let away = |at: i32, low: i32| 2 * (i64::from(at) - i64::from(low));
        let low = self.rect.low;
        (away(column.x, low.x), away(column.y, low.y))
    }

    /// The middle of a column.
    #[inline]
    fn middle(&self, column: Column) -> Vector {
        let (x, y) = self.corner(column);
        (x + 1, y + 1)
    }

    fn is_free(&self, board: &OpacityGrid, column: Column) -> bool {
        !board.is_opaque(column) && self.room(column).is_none()
    }

    /// Makes the room whose north-west corner is at a free column.
    fn grow(&mut self, board: &OpacityGrid, at: Column) {
        let next_is_free = |rooms: &Self, x: i32, y: i32| {
            rooms.is_free(board, Column::new(x, y))
                && !board.has_wall(Column::new(x - 1, y), WallSide::East)
        };
        let mut east = at.x;
        while east < self.rect.high.x && next_is_free(self, east + 1, at.y) {
            east += 1;
        }
        let mut south = at.y;
        while south < self.rect.high.y {
            let y = south + 1;
            let is_open = |x: i32| !board.has_wall(Column::new(x, south), WallSide::South);
            let row_is_free = self.is_free(board, Column::new(at.x, y))
                && (at.x + 1..=east).all(|x| next_is_free(self, x, y))
                && (at.x..=east).all(is_open);
            if !row_is_free {
                break;
            }
            south = y;
        }
        let number = u32::try_from(self.n_rooms).expect("no more rooms than columns");
        let x = at.x.abs_diff(self.rect.low.x) as usize;
        let n_columns = east.abs_diff(at.x) as usize + 1;
        for y in at.y..=south {
            let row = y.abs_diff(self.rect.low.y) as usize * self.width;
            self.room_of[row + x..row + x + n_columns].fill(number);
        }
        self.n_rooms += 1;
    }

    /// Finds all openings, those of one room after those of another.
    fn open(&mut self, board: &OpacityGrid) {
        let mut all: Vec<(u32, Opening)> = Vec::new();
        for at in self.rect.columns() {
            let (x, y) = self.corner(at);
            let Some(room) = self.room(at) else {
                continue;
            };
            for (side, from, delta) in [
                (WallSide::East, (x + 2, y), (1, 0)),
                (WallSide::South, (x, y + 2), (0, 1)),
            ] {
                let next = at.step(side.direction());
                let other = next.and_then(|next| self.room(next));
                if let Some(other) = other.filter(|other| *other != room)
                    && !board.has_wall(at, side)
                {
                    both_directions(&mut all, (room, other), from, (x + 2, y + 2), delta);
                }
            }
            // Through the corner, south-east and south-west.
            for east in [1, -1] {
                let beyond = at.x.checked_add(east).zip(at.y.checked_add(1));
                let beyond = beyond.and_then(|(x, y)| self.room(Column::new(x, y)));
                if let Some(other) = beyond.filter(|other| *other != room) {
                    let east = i64::from(east);
                    let corner = (x + 1 + east, y + 2);
                    both_directions(&mut all, (room, other), corner, corner, (east, 1));
                }
            }
        }
        self.openings = joined(all, &mut self.ends, self.n_rooms);
    }

    fn openings_of(&self, room: u32) -> &[Opening] {
        let room = room as usize;
        let begin = room.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.openings[begin as usize..self.ends[room] as usize]
    }
}

fn both_directions(
    all: &mut Vec<(u32, Opening)>,
    (room, other): (u32, u32),
    from: Vector,
    to: Vector,
    delta: Vector,
) {
    let opening = |room: u32, delta: Vector| Opening {
        from,
        to,
        direction: delta,
        room,
    };
    all.push((room, opening(other, delta)));
    all.push((other, opening(room, (-delta.0, -delta.1))));
}

/// Joins openings that follow each other, and leaves out corners that lie on one.
fn joined(mut all: Vec<(u32, Opening)>, ends: &mut Vec<u32>, n_rooms: usize) -> Vec<Opening> {
    let is_corner = |opening: &Opening| opening.from == opening.to;
    // Along a vertical edge by y, along a level one by x: by the other number first.
    all.sort_unstable_by_key(|(room, opening)| {
        let Opening {
            from,
            direction: way,
            room: to,
            ..
        } = *opening;
        let along = if way.0 != 0 { from } else { (from.1, from.0) };
        (*room, is_corner(opening), to, way, along)
    });
    let mut kept: Vec<(u32, Opening)> = Vec::new();
    for (room, opening) in all {
        if let Some((known_room, known)) = kept.last_mut()
            && (*known_room, known.room, known.direction) == (room, opening.room, opening.direction)
            && known.to == opening.from
            && !is_corner(&opening)
        {
            known.to = opening.to;
            continue;
        }
        let lies_on = |(known_room, known): &&(u32, Opening)| {
            let (low, high, at) = (known.from, known.to, opening.from);
            (*known_room, known.room) == (room, opening.room)
                && (low.0..=high.0).contains(&at.0)
                && (low.1..=high.1).contains(&at.1)
        };
        let begin = kept.partition_point(|(known, _)| *known < room);
        if is_corner(&opening) && kept[begin..].iter().any(|known| lies_on(&known)) {
            continue;
        }
        kept.push((room, opening));
    }
    let number = |place: usize| u32::try_from(place).expect("fewer openings than 2^32");
    let n_rooms = u32::try_from(n_rooms).expect("no more rooms than columns");
    ends.extend((0..n_rooms).map(|room| number(kept.partition_point(|(of, _)| *of <= room))));
    kept.into_iter().map(|(_, opening)| opening).collect()
}

/// What is left of the view in a room: all directions from `left` clockwise, as seen on the map, to
/// `right`, both included; at most a half turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wedge {
    left: Vector,
    right: Vector,
}

/// Positive if `b` lies clockwise from `a`, as seen on the map.
#[inline]
fn cross(a: Vector, b: Vector) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

impl Wedge {
    #[inline]
    fn contains(&self, at: Vector) -> bool {
        cross(self.left, at) >= 0 && cross(at, self.right) >= 0
    }

    /// What the two have in common, if they both lie ahead of the same edge.
    #[inline]
    fn meet(self, other: Self) -> Option<Self> {
        let left = if cross(self.left, other.left) > 0 {
            other.left
        } else {
            self.left
        };
        let right = if cross(other.right, self.right) > 0 {
            other.right
        } else {
            self.right
        };
        (cross(left, right) >= 0).then_some(Self { left, right })
    }
}

/// Which rooms one looks into from a place; kept by the caller and used again.
#[derive(Clone, Debug, Default)]
pub struct VisibleRooms {
    eye: Vector,
    /// The room of the eye, if it is in one.
    own: Option<u32>,
    reach: i64,
    looks: u32,
    /// The look that last came into each room, and what was left of the view.
    known: Vec<(u32, u32)>,
    /// What was left of the view, each with the one before of the same room.
    wedges: Vec<(Wedge, u32)>,
    ahead: Vec<(u32, Wedge)>,
}

impl VisibleRooms {
    /// Looks through the openings as far as `radius` columns.
    pub fn look(&mut self, rooms: &RoomGraph, eye: Column, radius: i32) {
        self.looks = self.looks.wrapping_add(1);
        if self.known.len() != rooms.n_rooms || self.looks == 0 {
            self.known.clear();
            self.known.resize(rooms.n_rooms, (0, NONE));
            self.looks = 1;
        }
        self.wedges.clear();
        self.ahead.clear();
        self.own = rooms.room(eye);
        let Some(own) = self.own else {
            return;
        };
        self.eye = rooms.middle(eye);
        // To the middle of a column that is so far away.
        self.reach = 2 * i64::from(radius.max(0)) + 1;
        for opening in rooms.openings_of(own) {
            if let Some(seen) = self.through(opening) {
                self.enter(opening.room, seen);
            }
        }
        while let Some((room, wedge)) = self.ahead.pop() {
            for opening in rooms.openings_of(room) {
                let seen = self.through(opening);
                if let Some(rest) = seen.and_then(|seen| seen.meet(wedge)) {
                    self.enter(opening.room, rest);
                }
            }
        }
    }

    /// All directions through an opening, if it is near and leads away from the eye.
    #[inline]
    fn through(&self, opening: &Opening) -> Option<Wedge> {
        let (from, to) = (self.away(opening.from), self.away(opening.to));
        let delta = opening.direction;
        if from.0 * delta.0 < 0 || from.1 * delta.1 < 0 {
            return None;
        }
        // How far the nearest point is, along x and along y.
        let gap = |a: i64, b: i64| a.max(-b).max(0);
        let (x, y) = (gap(from.0, to.0), gap(from.1, to.1));
        if x.max(y) > self.reach || x * x + y * y > self.reach * self.reach {
            return None;
        }
        Some(if cross(from, to) >= 0 {
            Wedge {
                left: from,
                right: to,
            }
        } else {
            Wedge {
                left: to,
                right: from,
            }
        })
    }

    #[inline]
    fn away(&self, at: Vector) -> Vector {
        (at.0 - self.eye.0, at.1 - self.eye.1)
    }

    /// Notes that one looks into a room, unless one did so in all these directions.
    fn enter(&mut self, room: u32, wedge: Wedge) {
        let (look, last) = self.known[room as usize];
        let last = if look == self.looks { last } else { NONE };
        if self
            .wedges_from(last)
            .any(|known| known.contains(wedge.left) && known.contains(wedge.right))
        {
            return;
        }
        let number = u32::try_from(self.wedges.len()).expect("fewer than 2^32 views");
        self.wedges.push((wedge, last));
        self.known[room as usize] = (self.looks, number);
        self.ahead.push((room, wedge));
    }

    fn wedges_from(&self, last: u32) -> impl Iterator<Item = &Wedge> {
        let wedge = |number: u32| self.wedges.get(number as usize);
        std::iter::successors(wedge(last), move |(_, before)| wedge(*before))
            .map(|(wedge, _)| wedge)
    }

    /// False if a column cannot be seen, as far as was looked; true if a line has to tell.
    #[inline]
    pub fn may_see(&self, rooms: &RoomGraph, column: Column) -> bool {
        let (Some(own), Some(room)) = (self.own, rooms.room(column)) else {
            return false;
        };
        if room == own {
            return true;
        }
        let Some(&(look, last)) = self.known.get(room as usize) else {
            return true; // Other rooms than were looked into: nothing is known.
        };
        if look != self.looks {
            return false;
        }
        let to = self.away(rooms.middle(column));
        self.wedges_from(last).any(|wedge| wedge.contains(to))
    }
}

#[cfg(test)]
mod tests;
