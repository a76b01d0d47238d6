//! Multi-floor building: rooms around a hall, connected by stairs, ladders, bridges and doors.
//!
//! * Levels are six steps apart; floors of a column are at min three steps apart.
//! * Thin walls separate rooms; a door is a nav link through a wall.
//! * The hall is open from the ground to the roof; a bridge crosses it on every upper floor.
//! * Flights of stairs rise one step per cell; spiral stairs and ladders are nav links.
//! * One room is a vault with one locked door (key 1); a one-way drop leads down from a bridge.
//! * With the key, every cell is reachable from the yard.

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

/// Steps between floors.
const FLOOR_HEIGHT: i32 = 6;
/// Minimum side of a building, in cells.
const MIN_SIDE: u32 = 24;

/// The id of a room.
type Room = u32;
/// No floor.
const NO_ROOM: Room = 0;
/// The yard around the building.
const YARD: Room = 1;

/// A building under construction.
struct Building {
    width: i32,
    height: i32,
    n_floors: i32,
    /// The columns inside the outer walls.
    inside: Rect,
    /// The columns of the hall.
    hall: Rect,
    /// The room of each column, per floor in row-major order.
    floors: Vec<Vec<Room>>,
    n_rooms: Room,
    /// The cells of flights and their rooms.
    steps: OrderedMap<Cell, Room>,
    /// The last step of each flight and the cell it leads to; no wall separates them.
    landings: OrderedSet<(Cell, Cell)>,
    bridges: OrderedSet<Room>,
    vault: Room,
    nav_links: Vec<NavLink>,
}

/// Generates the building of a recipe.
pub(crate) fn build(recipe: &Recipe) -> Result<WorldData, MakeError> {
    let (width, height) = (recipe.width, recipe.height);
    if width.min(height) < MIN_SIDE {
        return Err(MakeError::TooSmall {
            generator: Generator::Building,
            width,
            height,
            min: MIN_SIDE,
        });
    }
    recipe.check_option("floors", recipe.n_floors, 2, 40)?;
    let n_columns = u64::from(width) * u64::from(height);
    recipe.check_count(
        n_columns.saturating_mul(recipe.n_floors.into()),
        Recipe::MAX_PLAN_CELLS,
    )?;
    let mut building = Building::new(recipe);
    building.lay_floors(recipe);
    building.choose_vault(&mut recipe.rng(1));
    building.add_stairs(&mut recipe.rng(2));
    building.add_doors(&mut recipe.rng(3));
    building.repair();
    Ok(building.finish())
}

impl Building {
    /// The room of a cell; `None` without a floor.
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
        let is_inside = 0 <= at.x && at.x < self.width && 0 <= at.y && at.y < self.height;
        let index = i64::from(at.y) * i64::from(self.width) + i64::from(at.x);
        usize::try_from(index).ok().filter(|_| is_inside)
    }

    /// Sets the room of `cell`, which must be at the height of a floor.
    fn set_room(&mut self, cell: Cell, room: Room) {
        let floor = usize::try_from(cell.z / FLOOR_HEIGHT);
        if let (Some(index), Ok(floor)) = (self.index(cell.column()), floor) {
            self.floors[floor][index] = room;
        }
    }

    /// The cell of the adjacent column that an agent steps to, ignoring walls.
    fn neighbor(&self, cell: Cell, dx: i32, dy: i32) -> Option<Cell> {
        [0, -1, 1]
            .map(|dz| Cell::new(cell.x + dx, cell.y + dy, cell.z + dz))
            .into_iter()
            .find(|&next| self.room(next).is_some())
    }

    /// True if a thin wall separates two adjacent cells.
    fn is_walled(&self, a: Cell, b: Cell) -> bool {
        self.room(a) != self.room(b)
            && !self.landings.contains(&(a, b))
            && !self.landings.contains(&(b, a))
    }

    /// Adds a nav link.
    fn add(&mut self, kind: NavLinkKind, from: Cell, to: Cell, state: LinkState) {
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
            state,
        });
    }

    /// All cells at the height of a floor in row-major order.
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
                let has_wall = self
                    .neighbor(cell, dx, dy)
                    .is_some_and(|next| self.is_walled(cell, next));
                if has_wall {
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
