//! Successors of irregular cells: heights, walls, or several floors per column.
//!
//! A [`Neighborhood`] gathers the floors of a window around a sector once, resolves all
//! straight steps (nearest floor within step and drop limits, no wall between), and derives each
//! diagonal from the two routes around its corner, ADR 4.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a neighborhood has at most 48 x 48 columns"
)]

use wayfarer_base::{Direction, SectorId, WallSide, WorldData};

use super::Ground;
use super::bitboard::Bitboard;
use super::compiled_profile::CompiledProfile;
use super::sheet::Sheet;
use super::window::Window;

/// No floor in that direction.
pub(crate) const NO_FLOOR: u32 = u32::MAX;

/// Ranks of a sector whose sheets are looked up once; higher ones are looked up for each column.
const MAX_RANKS: usize = 12;

/// The floors of a window around a sector that a profile can stand on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighborhood {
    /// The first column, relative to the sector.
    low: (i32, i32),
    /// Columns from west to east, and from north to south.
    size: (usize, usize),
    /// For each column the index of its first floor.
    starts: Vec<u32>,
    floors: Vec<Floor>,
    /// For each floor the targets of its straight steps: north, east, south, west.
    straight: Vec<[u32; 4]>,
    /// Steps without a step back: target and start, sorted.
    one_way: Vec<(u32, u32)>,
}

/// A walkable floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    pub(crate) z: i32,
    pub(crate) rank: u8,
    /// Column in the neighborhood, row by row.
    pub(crate) at: u16,
    wall_east: bool,
    wall_south: bool,
}

/// For each direction the target floor or `NO_FLOOR`.
pub(crate) type FloorSuccessors = [u32; 8];

impl Neighborhood {
    /// Gathers the floors of a window that the default profile can stand on.
    pub(crate) fn gather(&mut self, ground: &Ground, sector: SectorId, window: Window) {
        self.gather_by(ground, sector, window, |sheet, _, local| {
            sheet
                .walkable
                .get(i32::from(local & 15), i32::from(local >> 4))
        });
        self.find_straight_steps(&ground.compiled);
    }

    /// Gathers the floors of a window that `profile` can stand on as a point.
    pub(crate) fn gather_for(
        &mut self,
        ground: &Ground,
        profile: &CompiledProfile,
        sector: SectorId,
        window: Window,
    ) {
        self.gather_by(ground, sector, window, |sheet, above, local| {
            sheet.is_open_to(profile, above, local)
        });
        self.find_straight_steps(profile);
    }

    fn gather_by(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        window: Window,
        open: impl Fn(&Sheet, Option<&Sheet>, u8) -> bool,
    ) {
        self.starts.clear();
        self.floors.clear();
        self.low = window.low;
        let columns = |low: i32, high: i32| high.abs_diff(low) as usize + 1;
        self.size = (
            columns(window.low.0, window.high.0),
            columns(window.low.1, window.high.1),
        );
        let mut at = 0;
        let mut tall: [Option<&Sheet>; WorldData::MAX_FLOORS] = [None; WorldData::MAX_FLOORS];
        // The sheets of the sectors of a row of columns, west to east.
        let none: [Option<&Sheet>; MAX_RANKS] = [None; MAX_RANKS];
        let mut sheets = [(none, 0); 3];
        let mut sector_y = i32::MIN;
        for y in window.low.1..=window.high.1 {
            if y >> 4 != sector_y {
                sector_y = y >> 4;
                for dx in window.low.0 >> 4..=window.high.0 >> 4 {
                    let next = SectorId::new(sector.x + dx, sector.y + sector_y);
                    let found = &mut sheets[(dx + 1).cast_unsigned() as usize];
                    found.1 = 0;
                    for (_, sheet) in ground.sheets_at(next) {
                        if let Some(slot) = found.0.get_mut(found.1) {
                            *slot = Some(sheet);
                        }
                        found.1 += 1;
                    }
                }
            }
            for x in window.low.0..=window.high.0 {
                self.starts.push(self.floors.len() as u32);
                let local = ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
                let (stack, n_ranks) = &sheets[((x >> 4) + 1).cast_unsigned() as usize];
                let n_ranks = *n_ranks;
                if n_ranks > MAX_RANKS {
                    let next = SectorId::new(sector.x + (x >> 4), sector.y + sector_y);
                    let ranks = ground.sheets_at(next).zip(&mut tall);
                    ranks.for_each(|((_, sheet), slot)| *slot = Some(sheet));
                    self.add_column(&tall[..n_ranks], at, local, &open);
                } else {
                    self.add_column(&stack[..n_ranks], at, local, &open);
                }
                at += 1;
            }
        }
        self.starts.push(self.floors.len() as u32);
    }

    #[inline]
    fn add_column(
        &mut self,
        stack: &[Option<&Sheet>],
        at: u16,
        local: u8,
        open: &impl Fn(&Sheet, Option<&Sheet>, u8) -> bool,
    ) {
        for (rank, sheet) in (0..=u8::MAX).zip(stack) {
            let Some(sheet) = sheet else { break };
            let above = stack.get(usize::from(rank) + 1).copied().flatten();
            if !open(sheet, above, local) {
                continue;
            }
            let details = sheet.details.as_deref();
            let wall = |board: fn(&super::sheet::SheetDetails) -> &Bitboard| {
                details.is_some_and(|details| super::bitboard::has(board(details), local))
            };
            self.floors.push(Floor {
                z: sheet.height(local),
                rank,
                at,
                wall_east: wall(|details| &details.wall_east),
                wall_south: wall(|details| &details.wall_south),
            });
        }
    }

    /// Resolves all straight steps, and lists those without a step back.
    fn find_straight_steps(&mut self, profile: &CompiledProfile) {
        let n_floors = self.floors.len() as u32;
        self.straight.clear();
        let (width, height) = self.size;
        for y in 0..height {
            for x in 0..width {
                let at = y * width + x;
                // No column beyond the edge of the neighborhood.
                let columns = [
                    at.checked_sub(width),
                    (x + 1 < width).then_some(at + 1),
                    (y + 1 < height).then_some(at + width),
                    (x > 0).then(|| at - 1),
                ];
                for floor in self.starts[at]..self.starts[at + 1] {
                    let step = |side: usize| {
                        let to = columns[side]?;
                        self.step(profile, floor, (to, Direction::STRAIGHT[side]))
                    };
                    let steps = std::array::from_fn(|side| step(side).unwrap_or(NO_FLOOR));
                    self.straight.push(steps);
                }
            }
        }
        self.one_way.clear();
        for floor in 0..n_floors {
            for (heading, &to) in self.straight[floor as usize].iter().enumerate() {
                if to != NO_FLOOR && self.straight[to as usize][(heading + 2) & 3] != floor {
                    self.one_way.push((to, floor));
                }
            }
        }
        self.one_way.sort_unstable();
    }

    /// The number of floors.
    pub(crate) fn n_floors(&self) -> usize {
        self.floors.len()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
            + self.floors.capacity() * size_of::<Floor>()
            + self.straight.capacity() * size_of::<[u32; 4]>()
            + self.one_way.capacity() * size_of::<(u32, u32)>()
    }

    /// The floors of cell `local` of the sector.
    pub(crate) fn floors_at(&self, local: u8) -> std::ops::Range<u32> {
        self.floors_in_column(i32::from(local & 15), i32::from(local >> 4))
    }

    /// The floors of the column at (x, y), relative to the sector; none outside the neighborhood.
    pub(crate) fn floors_in_column(&self, x: i32, y: i32) -> std::ops::Range<u32> {
        let (width, height) = self.size;
        let inside = |at: i32, size: usize| usize::try_from(at).ok().filter(|at| *at < size);
        match (
            inside(x - self.low.0, width),
            inside(y - self.low.1, height),
        ) {
            (Some(x), Some(y)) => {
                let at = y * width + x;
                self.starts[at]..self.starts[at + 1]
            }
            _ => 0..0,
        }
    }

    /// The column of a floor, relative to the sector.
    pub(crate) fn column_of(&self, floor: u32) -> (i32, i32) {
        let at = u32::from(self.floors[floor as usize].at);
        let width = self.size.0 as u32;
        (
            (at % width) as i32 + self.low.0,
            (at / width) as i32 + self.low.1,
        )
    }

    /// The cell of the sector that a floor lies in; `None` in the margin.
    pub(crate) fn local_of(&self, floor: u32) -> Option<u8> {
        let (x, y) = self.column_of(floor);
        let is_inside = (0..16).contains(&x) && (0..16).contains(&y);
        is_inside.then_some((y << 4 | x).to_le_bytes()[0])
    }

    pub(crate) fn floor(&self, number: u32) -> &Floor {
        &self.floors[number as usize]
    }

    /// Resolves one straight step to a column.
    #[inline]
    fn step(
        &self,
        profile: &CompiledProfile,
        from: u32,
        (to, direction): (usize, Direction),
    ) -> Option<u32> {
        let floor = &self.floors[from as usize];
        let mut best = None;
        let mut best_difference = u32::MAX;
        // Floors are sorted from below, so the lower of two equally near comes first.
        for number in self.starts[to]..self.starts[to + 1] {
            let z = self.floors[number as usize].z;
            let difference = z.abs_diff(floor.z);
            if difference < best_difference && profile.can_step(floor.z, z) {
                (best, best_difference) = (Some(number), difference);
            }
        }
        let best = best?;
        let wall = match direction {
            Direction::North => self.floors[best as usize].wall_south,
            Direction::East => floor.wall_east,
            Direction::South => floor.wall_south,
            _ => self.floors[best as usize].wall_east,
        };
        (!wall).then_some(best)
    }

    /// True if a thin wall stands on the edge of a column, (x, y) relative to the sector, at its
    /// floor nearest in height to `z` that `profile` can step to.
    pub(crate) fn has_wall(
        &self,
        profile: &CompiledProfile,
        z: i32,
        (x, y): (i32, i32),
        side: WallSide,
    ) -> bool {
        let floors = self.floors_in_column(x, y).map(|number| self.floor(number));
        let near = floors.filter(|floor| profile.can_step(z, floor.z));
        let nearest = near.min_by_key(|floor| (floor.z.abs_diff(z), floor.z));
        nearest.is_some_and(|floor| match side {
            WallSide::East => floor.wall_east,
            WallSide::South => floor.wall_south,
        })
    }

    /// True if a gathered floor has a thin wall.
    pub(crate) fn has_walls(&self) -> bool {
        let mut floors = self.floors.iter();
        floors.any(|floor| floor.wall_east || floor.wall_south)
    }

    /// The target of a straight step.
    #[inline]
    pub(crate) fn straight(&self, from: u32, direction: Direction) -> u32 {
        self.straight[from as usize][usize::from(direction.index() >> 1)]
    }

    /// The targets of all eight steps of a floor of the sector.
    pub(crate) fn successors(&self, from: u32) -> FloorSuccessors {
        let mut successors = [NO_FLOOR; 8];
        for direction in Direction::STRAIGHT {
            successors[usize::from(direction.index())] = self.straight(from, direction);
        }
        for index in [1_u8, 3, 5, 7] {
            let (first, second) = (
                successors[usize::from(index - 1)],
                successors[usize::from((index + 1) & 7)],
            );
            if first == NO_FLOOR || second == NO_FLOOR {
                continue;
            }
            let direction = Direction::from_index(index);
            let around = self.straight(first, direction.turned(1));
            let other = self.straight(second, direction.turned(7));
            if around == other {
                successors[usize::from(index)] = around;
            }
        }
        successors
    }

    /// The floors with a straight step to `to` that has no step back.
    pub(crate) fn one_way_predecessors(&self, to: u32) -> impl Iterator<Item = u32> {
        let start = self.one_way.partition_point(|(other, _)| *other < to);
        self.one_way[start..]
            .iter()
            .take_while(move |(other, _)| *other == to)
            .map(|(_, from)| *from)
    }
}
