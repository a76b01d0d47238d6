//! A keep: floors of rooms around a high hall, joined by stairs, ladders, bridges and doors.
//!
//! * Floors lie six steps apart; floors in one column are never nearer than three.
//! * Rooms are parted by thin walls; a door is a nav link through one.
//! * The hall reaches from the ground to the roof; on every floor above, a bridge crosses it.
//! * Stairs climb cell by cell, one step at a time; spiral stairs and ladders are nav links.
//! * One room is a vault: its only door is locked, key 1. One can drop from a bridge, not back.
//! * With that key every cell can be reached from the yard.

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{
    Cell, Column, Cost, LinkDirection, LinkState, NavLink, NavLinkKind, Rect, Terrain, Wall,
    WallSide, WorldData,
};

use crate::{Generator, MakeError, Recipe};

mod doors;
mod floors;
mod repair;
mod stairs;

/// Steps from one floor to the next.
const FLOOR_HEIGHT: i32 = 6;
/// Shortest side of a keep, in cells.
const SHORTEST: u32 = 24;

/// The name of a room.
type Room = u32;
/// No floor.
const NO_ROOM: Room = 0;
/// The yard around the keep.
const YARD: Room = 1;

/// A keep while it is built.
struct Keep {
    width: i32,
    height: i32,
    n_floors: i32,
    /// The columns of the building.
    inside: Rect,
    /// The columns of the hall.
    hall: Rect,
    /// The room of each column, floor by floor, row by row.
    floors: Vec<Vec<Room>>,
    n_rooms: Room,
    /// The cells of stairs and the room that each belongs to.
    steps: OrderedMap<Cell, Room>,
    /// The last step of each flight and the cell above it: no wall there.
    landings: OrderedSet<(Cell, Cell)>,
    bridges: OrderedSet<Room>,
    vault: Room,
    nav_links: Vec<NavLink>,
}

/// Builds the keep of a recipe.
pub(crate) fn build(recipe: &Recipe) -> Result<WorldData, MakeError> {
    let (width, height) = (recipe.width, recipe.height);
    if width.min(height) < SHORTEST {
        return Err(MakeError::TooSmall {
            kind: Generator::Building,
            width,
            height,
            least: SHORTEST,
        });
    }
    recipe.option("storeys", recipe.n_floors, 2, 40)?;
    let n_columns = u64::from(width) * u64::from(height);
    recipe.at_most(
        n_columns.saturating_mul(recipe.n_floors.into()),
        Recipe::MAX_PLAN_CELLS,
    )?;
    let mut keep = Keep::new(recipe);
    keep.lay_floors(recipe);
    keep.choose_vault(&mut recipe.rng(1));
    keep.build_stairs(&mut recipe.rng(2));
    keep.hang_doors(&mut recipe.rng(3));
    keep.repair();
    Ok(keep.finish())
}

impl Keep {
    /// The room of a cell, if there is a floor.
    fn room(&self, cell: Cell) -> Option<Room> {
        if cell.z % FLOOR_HEIGHT != 0 {
            return self.steps.get(&cell).copied();
        }
        let index = self.index(cell.column())?;
        let floor = self
            .floors
            .get(usize::try_from(cell.z / FLOOR_HEIGHT).ok()?)?;
        Some(floor[index]).filter(|&room| room != NO_ROOM)
    }

    fn index(&self, at: Column) -> Option<usize> {
        let inside = 0 <= at.x && at.x < self.width && 0 <= at.y && at.y < self.height;
        let index = i64::from(at.y) * i64::from(self.width) + i64::from(at.x);
        usize::try_from(index).ok().filter(|_| inside)
    }

    /// Gives the floor of `cell`, which must lie on a floor, to `room`.
    fn set_room(&mut self, cell: Cell, room: Room) {
        let floor = usize::try_from(cell.z / FLOOR_HEIGHT);
        if let (Some(index), Ok(floor)) = (self.index(cell.column()), floor) {
            self.floors[floor][index] = room;
        }
    }

    /// The floor of the next column that a walker may step to, walls left aside.
    fn beside(&self, cell: Cell, dx: i32, dy: i32) -> Option<Cell> {
        [0, -1, 1]
            .map(|dz| Cell::new(cell.x + dx, cell.y + dy, cell.z + dz))
            .into_iter()
            .find(|&next| self.room(next).is_some())
    }

    /// True if a thin wall stands between two cells side by side.
    fn is_walled(&self, a: Cell, b: Cell) -> bool {
        self.room(a) != self.room(b)
            && !self.landings.contains(&(a, b))
            && !self.landings.contains(&(b, a))
    }

    /// A way of this kind between two cells.
    fn add(&mut self, kind: NavLinkKind, from: Cell, to: Cell, gate: LinkState) {
        let cells = match kind {
            NavLinkKind::Ladder => 12,
            NavLinkKind::Stairs => 8,
            NavLinkKind::Drop => 2,
            _ => 1,
        };
        self.nav_links.push(NavLink {
            from,
            to,
            kind,
            direction: match kind {
                NavLinkKind::Drop => LinkDirection::OneWay,
                _ => LinkDirection::Bidirectional,
            },
            cost: Cost::from_units(cells * Cost::UNITS_PER_CELL),
            state: gate,
        });
    }

    /// The cells of one floor, row by row.
    fn floor_cells(&self, floor: i32) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height)
            .flat_map(move |y| (0..width).map(move |x| Cell::new(x, y, floor * FLOOR_HEIGHT)))
    }

    fn finish(mut self) -> WorldData {
        let mut cells: Vec<Cell> = self.steps.keys().copied().collect();
        for floor in 0..self.n_floors {
            cells.extend(
                self.floor_cells(floor)
                    .filter(|&cell| self.room(cell).is_some()),
            );
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x, cell.z));
        let mut walls = Vec::new();
        for &cell in &cells {
            for side in [WallSide::East, WallSide::South] {
                let (dx, dy) = side.direction().offset();
                let walled = self
                    .beside(cell, dx, dy)
                    .is_some_and(|next| self.is_walled(cell, next));
                if walled {
                    walls.push(Wall { cell, side });
                }
            }
        }
        let mut nav_links = std::mem::take(&mut self.nav_links);
        nav_links.retain(|nav_link| {
            self.room(nav_link.from).is_some() && self.room(nav_link.to).is_some()
        });
        nav_links.sort_unstable();
        nav_links.dedup_by_key(|nav_link| (nav_link.from, nav_link.to, nav_link.kind));
        WorldData {
            cells: cells
                .into_iter()
                .map(|cell| (cell, Terrain::GROUND))
                .collect(),
            nav_links,
            walls,
            ..WorldData::default()
        }
    }
}

#[cfg(test)]
mod tests;
