//! Successors of irregular cells: heights, walls, or several floors per column.
//!
//! A [`Neighborhood`] gathers the floors of a sector and a margin around it once, resolves all
//! straight steps (nearest floor within step and drop limits, no wall between), and derives each
//! diagonal from the two routes around its corner, ADR 4. One neighborhood serves the stages
//! successors, regions and portals.

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

/// No floor in that direction.
pub(crate) const NO_FLOOR: u32 = u32::MAX;

/// The floors of a sector and of a margin around it that a profile can stand on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighborhood {
    /// Columns of margin on every side, 1 to 16.
    margin: usize,
    /// Columns per side, margin included.
    side: usize,
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
    /// Gathers the floors that the default profile can stand on, with a margin of one column.
    pub(crate) fn gather(&mut self, ground: &Ground, sector: SectorId) {
        self.gather_by(ground, sector, 1, |sheet, _, local| {
            sheet
                .walkable
                .get(i32::from(local & 15), i32::from(local >> 4))
        });
        self.find_straight_steps(&ground.compiled);
    }

    /// Gathers the floors that `profile` can stand on as a point, with a margin of `margin`
    /// columns.
    pub(crate) fn gather_for(
        &mut self,
        ground: &Ground,
        profile: &CompiledProfile,
        sector: SectorId,
        margin: usize,
    ) {
        self.gather_by(ground, sector, margin, |sheet, above, local| {
            sheet.is_open_to(profile, above, local)
        });
        self.find_straight_steps(profile);
    }

    fn gather_by(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        margin: usize,
        open: impl Fn(&Sheet, Option<&Sheet>, u8) -> bool,
    ) {
        self.starts.clear();
        self.floors.clear();
        (self.margin, self.side) = (margin, 16 + 2 * margin);
        let mut sheets: [[Option<&Sheet>; 3]; 9] = [[None; 3]; 9];
        let mut more = false;
        for (index, stack) in (0_i32..).zip(&mut sheets) {
            let next = SectorId::new(sector.x + index % 3 - 1, sector.y + index / 3 - 1);
            for (rank, (_, sheet)) in ground.sheets_at(next).enumerate() {
                match stack.get_mut(rank) {
                    Some(slot) => *slot = Some(sheet),
                    None => more = true,
                }
            }
        }
        let mut tall: [Option<&Sheet>; WorldData::MAX_FLOORS] = [None; WorldData::MAX_FLOORS];
        for row in 0..self.side {
            let (sector_y, y) = self.split(row);
            for column in 0..self.side {
                let (sector_x, x) = self.split(column);
                self.starts.push(self.floors.len() as u32);
                let at = (row * self.side + column) as u16;
                let stack = &sheets[sector_y * 3 + sector_x];
                if more {
                    let next = next_sector(sector, sector_x, sector_y);
                    let ranks = ground.sheets_at(next).zip(&mut tall);
                    let n_ranks = ranks.map(|((_, sheet), slot)| *slot = Some(sheet)).count();
                    self.add_column(&tall[..n_ranks], at, y << 4 | x, &open);
                } else {
                    self.add_column(stack, at, y << 4 | x, &open);
                }
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

    /// Which of three sectors in a row contains a column of the neighborhood, and its offset there.
    fn split(&self, at: usize) -> (usize, u8) {
        let sector = if at < self.margin {
            0
        } else if at < self.margin + 16 {
            1
        } else {
            2
        };
        (sector, ((at + 16 - self.margin) & 15) as u8)
    }

    /// Resolves all straight steps, and lists those without a step back.
    fn find_straight_steps(&mut self, profile: &CompiledProfile) {
        let n_floors = self.floors.len() as u32;
        self.straight.clear();
        for y in 0..self.side {
            for x in 0..self.side {
                let at = y * self.side + x;
                // No column beyond the edge of the neighborhood.
                let columns = [
                    at.checked_sub(self.side),
                    (x + 1 < self.side).then_some(at + 1),
                    (y + 1 < self.side).then_some(at + self.side),
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
        let inside = |at: i32| {
            usize::try_from(at + self.margin as i32)
                .ok()
                .filter(|at| *at < self.side)
        };
        match (inside(x), inside(y)) {
            (Some(x), Some(y)) => {
                let at = y * self.side + x;
                self.starts[at]..self.starts[at + 1]
            }
            _ => 0..0,
        }
    }

    /// The column of a floor, relative to the sector.
    pub(crate) fn column_of(&self, floor: u32) -> (i32, i32) {
        let at = u32::from(self.floors[floor as usize].at);
        let (margin, side) = (self.margin as i32, self.side as u32);
        ((at % side) as i32 - margin, (at / side) as i32 - margin)
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

/// The sector at (x, y), 0 to 2 each, of the nine around `sector`.
fn next_sector(sector: SectorId, x: usize, y: usize) -> SectorId {
    const OFFSETS: [i32; 3] = [-1, 0, 1];
    SectorId::new(sector.x + OFFSETS[x], sector.y + OFFSETS[y])
}
