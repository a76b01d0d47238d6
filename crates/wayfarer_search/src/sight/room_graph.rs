//! Portal culling on the column grid \[Luebke1995\]: a cheap, conservative visibility test.
//!
//! Decomposes the transparent columns of a grid into rectangular rooms without inner walls;
//! adjacent rooms share portals, edges or corners. From the eye's room a depth-first traversal
//! clips the view wedge at every portal. A column outside all wedges of its room is not visible;
//! for any other column the caller tests the line of sight. No visible column is ever culled.

use wayfarer_base::{Column, Rect, WallSide};

use super::OpacityGrid;

/// The rooms of a grid and the portals between them; not updated when the grid changes.
///
/// ```
/// use wayfarer_base::{Column, Rect};
/// use wayfarer_search::sight::{VisibleRooms, RoomGraph, OpacityGrid};
/// let mut grid = OpacityGrid::open(Rect { low: Column::new(0, 0), high: Column::new(20, 10) });
/// for y in 0..=10 {
///     grid.set_opaque(Column::new(10, y), y != 5); // a wall with a door
/// }
/// let rooms = RoomGraph::new(&grid);
/// assert_eq!(rooms.len(), 3); // the door is one of them
/// let mut visible = VisibleRooms::default();
/// visible.compute(&rooms, Column::new(2, 5), 50);
/// assert!(visible.may_see(&rooms, Column::new(18, 5)));
/// assert!(!visible.may_see(&rooms, Column::new(18, 0))); // outside the door's wedge
/// ```
#[derive(Clone, Debug)]
pub struct RoomGraph {
    rect: Rect,
    width: usize,
    /// The room of each column, row by row; [`NONE`] where it is opaque.
    room_of: Vec<u32>,
    n_rooms: usize,
    /// End of each room's portals in `portals`.
    ends: Vec<u32>,
    portals: Vec<Portal>,
}

const NONE: u32 = u32::MAX;

/// A point or a direction in half columns: centers are odd, corners even.
type Vector = (i64, i64);

/// A portal into a room: part of an edge, or a corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Portal {
    from: Vector,
    to: Vector,
    /// Direction into the room: -1, 0 or 1 along x and y; both non-zero for a corner.
    direction: Vector,
    room: u32,
}

impl RoomGraph {
    /// Decomposes a grid greedily, from north to south and west to east: each room extends east as
    /// far as possible, then south.
    pub fn new(grid: &OpacityGrid) -> Self {
        let rect = grid.rect();
        let (height, width) = grid.size();
        let mut rooms = Self {
            rect,
            width,
            room_of: vec![NONE; width * height],
            n_rooms: 0,
            ends: Vec::new(),
            portals: Vec::new(),
        };
        for at in rect.columns() {
            if rooms.is_free(grid, at) {
                rooms.grow(grid, at);
            }
        }
        rooms.find_portals(grid);
        rooms
    }

    /// The number of rooms.
    pub const fn len(&self) -> usize {
        self.n_rooms
    }

    /// True if every column is opaque.
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

    /// The north-west corner of a column, in half columns relative to the grid's.
    #[inline]
    fn corner(&self, column: Column) -> Vector {
        let offset = |at: i32, low: i32| 2 * (i64::from(at) - i64::from(low));
        let low = self.rect.low;
        (offset(column.x, low.x), offset(column.y, low.y))
    }

    /// The center of a column, in half columns.
    #[inline]
    fn center(&self, column: Column) -> Vector {
        let (x, y) = self.corner(column);
        (x + 1, y + 1)
    }

    fn is_free(&self, grid: &OpacityGrid, column: Column) -> bool {
        !grid.is_opaque(column) && self.room(column).is_none()
    }

    /// Adds the room whose north-west column is `at`.
    fn grow(&mut self, grid: &OpacityGrid, at: Column) {
        let next_is_free = |rooms: &Self, x: i32, y: i32| {
            rooms.is_free(grid, Column::new(x, y))
                && !grid.has_wall(Column::new(x - 1, y), WallSide::East)
        };
        let mut east = at.x;
        while east < self.rect.high.x && next_is_free(self, east + 1, at.y) {
            east += 1;
        }
        let mut south = at.y;
        while south < self.rect.high.y {
            let y = south + 1;
            let is_open = |x: i32| !grid.has_wall(Column::new(x, south), WallSide::South);
            let row_is_free = self.is_free(grid, Column::new(at.x, y))
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

    /// Finds the portals of all rooms.
    fn find_portals(&mut self, grid: &OpacityGrid) {
        let mut all: Vec<(u32, Portal)> = Vec::new();
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
                    && !grid.has_wall(at, side)
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
        self.portals = merge(all, &mut self.ends, self.n_rooms);
    }

    fn portals_of(&self, room: u32) -> &[Portal] {
        let room = room as usize;
        let begin = room.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.portals[begin as usize..self.ends[room] as usize]
    }
}

fn both_directions(
    all: &mut Vec<(u32, Portal)>,
    (room, other): (u32, u32),
    from: Vector,
    to: Vector,
    delta: Vector,
) {
    let portal = |room: u32, delta: Vector| Portal {
        from,
        to,
        direction: delta,
        room,
    };
    all.push((room, portal(other, delta)));
    all.push((other, portal(room, (-delta.0, -delta.1))));
}

/// Sorts portals by room, merges adjacent ones and drops corners that lie on an edge portal.
fn merge(mut all: Vec<(u32, Portal)>, ends: &mut Vec<u32>, n_rooms: usize) -> Vec<Portal> {
    let is_corner = |portal: &Portal| portal.from == portal.to;
    // By the coordinate across the edge, then along it.
    all.sort_unstable_by_key(|(room, portal)| {
        let Portal {
            from,
            direction,
            room: to,
            ..
        } = *portal;
        let along = if direction.0 != 0 {
            from
        } else {
            (from.1, from.0)
        };
        (*room, is_corner(portal), to, direction, along)
    });
    let mut kept: Vec<(u32, Portal)> = Vec::new();
    for (room, portal) in all {
        if let Some((last_room, last)) = kept.last_mut()
            && (*last_room, last.room, last.direction) == (room, portal.room, portal.direction)
            && last.to == portal.from
            && !is_corner(&portal)
        {
            last.to = portal.to;
            continue;
        }
        let lies_on = |(other_room, other): &&(u32, Portal)| {
            let (low, high, at) = (other.from, other.to, portal.from);
            (*other_room, other.room) == (room, portal.room)
                && (low.0..=high.0).contains(&at.0)
                && (low.1..=high.1).contains(&at.1)
        };
        let begin = kept.partition_point(|(other, _)| *other < room);
        if is_corner(&portal) && kept[begin..].iter().any(|other| lies_on(&other)) {
            continue;
        }
        kept.push((room, portal));
    }
    let number = |index: usize| u32::try_from(index).expect("fewer than 2^32 portals");
    let n_rooms = u32::try_from(n_rooms).expect("no more rooms than columns");
    ends.extend((0..n_rooms).map(|room| number(kept.partition_point(|(own, _)| *own <= room))));
    kept.into_iter().map(|(_, portal)| portal).collect()
}

/// A closed view wedge: the directions clockwise on the map from `left` to `right`, at most a half
/// turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wedge {
    left: Vector,
    right: Vector,
}

/// Positive if `b` lies clockwise of `a` on the map.
#[inline]
fn cross(a: Vector, b: Vector) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

impl Wedge {
    #[inline]
    fn contains(&self, at: Vector) -> bool {
        cross(self.left, at) >= 0 && cross(at, self.right) >= 0
    }

    /// The intersection of two wedges that lie in one half plane.
    #[inline]
    fn intersection(self, other: Self) -> Option<Self> {
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

/// The view wedges from one column into each room; reuse it to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct VisibleRooms {
    eye: Vector,
    /// The room of the eye.
    own: Option<u32>,
    /// In half columns.
    radius: i64,
    generation: u32,
    /// By room: the generation that last entered it, and the last of its wedges.
    entered: Vec<(u32, u32)>,
    /// Wedges, each with the previous one of the same room.
    wedges: Vec<(Wedge, u32)>,
    pending: Vec<(u32, Wedge)>,
}

impl VisibleRooms {
    /// Traverses the portals within `radius` columns of `eye`.
    pub fn compute(&mut self, rooms: &RoomGraph, eye: Column, radius: i32) {
        self.generation = self.generation.wrapping_add(1);
        if self.entered.len() != rooms.n_rooms || self.generation == 0 {
            self.entered.clear();
            self.entered.resize(rooms.n_rooms, (0, NONE));
            self.generation = 1;
        }
        self.wedges.clear();
        self.pending.clear();
        self.own = rooms.room(eye);
        let Some(own) = self.own else {
            return;
        };
        self.eye = rooms.center(eye);
        self.radius = 2 * i64::from(radius.max(0)) + 1;
        for portal in rooms.portals_of(own) {
            if let Some(wedge) = self.wedge_of(portal) {
                self.enter(portal.room, wedge);
            }
        }
        while let Some((room, wedge)) = self.pending.pop() {
            for portal in rooms.portals_of(room) {
                let through = self.wedge_of(portal);
                if let Some(clipped) = through.and_then(|through| through.intersection(wedge)) {
                    self.enter(portal.room, clipped);
                }
            }
        }
    }

    /// The wedge of a portal within the radius that leads away from the eye.
    #[inline]
    fn wedge_of(&self, portal: &Portal) -> Option<Wedge> {
        let (from, to) = (self.relative(portal.from), self.relative(portal.to));
        let delta = portal.direction;
        if from.0 * delta.0 < 0 || from.1 * delta.1 < 0 {
            return None;
        }
        // Distance to the nearest point, along x and along y.
        let gap = |a: i64, b: i64| a.max(-b).max(0);
        let (x, y) = (gap(from.0, to.0), gap(from.1, to.1));
        if x.max(y) > self.radius || x * x + y * y > self.radius * self.radius {
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
    fn relative(&self, at: Vector) -> Vector {
        (at.0 - self.eye.0, at.1 - self.eye.1)
    }

    /// Adds a wedge to a room unless one of its wedges contains it.
    fn enter(&mut self, room: u32, wedge: Wedge) {
        let (generation, last) = self.entered[room as usize];
        let last = if generation == self.generation {
            last
        } else {
            NONE
        };
        if self
            .wedges_from(last)
            .any(|known| known.contains(wedge.left) && known.contains(wedge.right))
        {
            return;
        }
        let number = u32::try_from(self.wedges.len()).expect("fewer than 2^32 wedges");
        self.wedges.push((wedge, last));
        self.entered[room as usize] = (self.generation, number);
        self.pending.push((room, wedge));
    }

    fn wedges_from(&self, last: u32) -> impl Iterator<Item = &Wedge> {
        let wedge = |number: u32| self.wedges.get(number as usize);
        std::iter::successors(wedge(last), move |(_, before)| wedge(*before))
            .map(|(wedge, _)| wedge)
    }

    /// False if a column within the radius is not visible; true if its line of sight must be
    /// tested.
    #[inline]
    pub fn may_see(&self, rooms: &RoomGraph, column: Column) -> bool {
        let (Some(own), Some(room)) = (self.own, rooms.room(column)) else {
            return false;
        };
        if room == own {
            return true;
        }
        let Some(&(generation, last)) = self.entered.get(room as usize) else {
            return true; // Computed for another graph.
        };
        if generation != self.generation {
            return false;
        }
        let to = self.relative(rooms.center(column));
        self.wedges_from(last).any(|wedge| wedge.contains(to))
    }
}

#[cfg(test)]
mod tests;
