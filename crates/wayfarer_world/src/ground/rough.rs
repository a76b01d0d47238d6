//! Steps judged one by one, where heights, walls or floors over floors make the bits too simple.
//!
//! All floors of a sector and of the columns around it are gathered once; then each step is
//! looked up as the rules of walking say it, and each diagonal from its two ways of two steps.

#![expect(
    clippy::cast_possible_truncation,
    reason = "indices of a neighbourhood of 18 x 18 columns are small"
)]

use wayfarer_base::{Direction, SectorId};

use super::Ground;
use super::plane::Board;
use super::sheet::Sheet;
use super::walker::Walker;

/// Columns along a side of the neighbourhood.
const SIDE: usize = 18;
/// No floor.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The walkable floors of a sector and of one column more on every side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbourhood {
    /// Where the floors of each column begin.
    starts: Vec<u32>,
    floors: Vec<Floor>,
    /// Where the four straight steps of each floor lead: north, east, south, west.
    ahead: Vec<[u32; 4]>,
    /// Steps that cannot be taken back: where they lead, and from where; in order.
    one_way: Vec<(u32, u32)>,
}

/// A walkable floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    pub(crate) z: i32,
    pub(crate) rank: u8,
    /// Column of the neighbourhood: 18 (y + 1) + (x + 1).
    pub(crate) at: u16,
    wall_east: bool,
    wall_south: bool,
}

/// Where a floor's steps lead: for each direction a floor or `NOWHERE`.
pub(crate) type Moves = [u32; 8];

impl Neighbourhood {
    /// Gathers the floors in and around `sector`.
    pub(crate) fn gather(&mut self, ground: &Ground, sector: SectorId) {
        self.starts.clear();
        self.floors.clear();
        let mut sheets: [[Option<&Sheet>; 3]; 9] = [[None; 3]; 9];
        let mut more = false;
        for (index, stack) in (0_i32..).zip(&mut sheets) {
            let next = SectorId::new(sector.x + index % 3 - 1, sector.y + index / 3 - 1);
            for (rank, (_, sheet)) in ground.sheets_at(next).enumerate() {
                match stack.get_mut(rank) {
                    Some(place) => *place = Some(sheet),
                    None => more = true,
                }
            }
        }
        for row in 0..SIDE {
            let (sector_y, y) = split(row);
            for column in 0..SIDE {
                let (sector_x, x) = split(column);
                self.starts.push(self.floors.len() as u32);
                let at = (row * SIDE + column) as u16;
                let stack = &sheets[sector_y * 3 + sector_x];
                if more {
                    let next = next_sector(sector, sector_x, sector_y);
                    for (rank, (_, sheet)) in (0..=u8::MAX).zip(ground.sheets_at(next)) {
                        self.add(sheet, rank, at, (x, y));
                    }
                } else {
                    for (rank, sheet) in (0..=u8::MAX).zip(stack.iter().map_while(|sheet| *sheet)) {
                        self.add(sheet, rank, at, (x, y));
                    }
                }
            }
        }
        self.starts.push(self.floors.len() as u32);
        self.step_everywhere(&ground.walker);
    }

    /// Looks up all straight steps, and which of them cannot be taken back.
    fn step_everywhere(&mut self, walker: &Walker) {
        let n_floors = self.floors.len() as u32;
        self.ahead.clear();
        for floor in 0..n_floors {
            let steps = Direction::STRAIGHT.map(|direction| self.step(walker, floor, direction));
            self.ahead.push(steps);
        }
        self.one_way.clear();
        for floor in 0..n_floors {
            for (way, &to) in self.ahead[floor as usize].iter().enumerate() {
                if to != NOWHERE && self.ahead[to as usize][(way + 2) & 3] != floor {
                    self.one_way.push((to, floor));
                }
            }
        }
        self.one_way.sort_unstable();
    }

    #[inline]
    fn add(&mut self, sheet: &Sheet, rank: u8, at: u16, (x, y): (u8, u8)) {
        let local = y << 4 | x;
        if !sheet.plane.get(i32::from(x), i32::from(y)) {
            return;
        }
        let wall = |board: fn(&super::sheet::Side) -> &Board| {
            let side = sheet.side.as_deref();
            side.is_some_and(|side| super::plane::has(board(side), local))
        };
        self.floors.push(Floor {
            z: sheet.height(local),
            rank,
            at,
            wall_east: wall(|side| &side.wall_east),
            wall_south: wall(|side| &side.wall_south),
        });
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
            + self.floors.capacity() * size_of::<Floor>()
            + self.ahead.capacity() * size_of::<[u32; 4]>()
            + self.one_way.capacity() * size_of::<(u32, u32)>()
    }

    /// The floors of square `local` of the sector, with their numbers.
    pub(crate) fn at(&self, local: u8) -> std::ops::Range<u32> {
        let at = (usize::from(local >> 4) + 1) * SIDE + usize::from(local & 15) + 1;
        self.starts[at]..self.starts[at + 1]
    }

    pub(crate) fn floor(&self, number: u32) -> &Floor {
        &self.floors[number as usize]
    }

    /// Looks up one straight step; out of the neighbourhood leads nowhere.
    #[inline]
    fn step(&self, walker: &Walker, from: u32, direction: Direction) -> u32 {
        let floor = &self.floors[from as usize];
        let at = usize::from(floor.at);
        let (x, y) = (at % SIDE, at / SIDE);
        let to = match direction {
            Direction::North if y > 0 => at - SIDE,
            Direction::East if x < SIDE - 1 => at + 1,
            Direction::South if y < SIDE - 1 => at + SIDE,
            Direction::West if x > 0 => at - 1,
            _ => return NOWHERE,
        };
        let mut best = NOWHERE;
        let mut best_off = u32::MAX;
        // Floors come from below, so the lower of two equally near is met first.
        for number in self.starts[to]..self.starts[to + 1] {
            let z = self.floors[number as usize].z;
            let off = z.abs_diff(floor.z);
            if off < best_off && walker.reaches(floor.z, z) {
                (best, best_off) = (number, off);
            }
        }
        if best == NOWHERE {
            return NOWHERE;
        }
        let wall = match direction {
            Direction::North => self.floors[best as usize].wall_south,
            Direction::East => floor.wall_east,
            Direction::South => floor.wall_south,
            _ => self.floors[best as usize].wall_east,
        };
        if wall { NOWHERE } else { best }
    }

    /// Where one straight step leads.
    #[inline]
    pub(crate) fn straight(&self, from: u32, direction: Direction) -> u32 {
        self.ahead[from as usize][usize::from(direction.index() >> 1)]
    }

    /// Where all eight steps of a floor of the sector lead.
    pub(crate) fn moves(&self, from: u32) -> Moves {
        let mut moves = [NOWHERE; 8];
        for direction in Direction::STRAIGHT {
            moves[usize::from(direction.index())] = self.straight(from, direction);
        }
        for index in [1_u8, 3, 5, 7] {
            let (first, second) = (
                moves[usize::from(index - 1)],
                moves[usize::from((index + 1) & 7)],
            );
            if first == NOWHERE || second == NOWHERE {
                continue;
            }
            let direction = Direction::from_index(index);
            let around = self.straight(first, direction.turned(1));
            let other = self.straight(second, direction.turned(7));
            if around == other {
                moves[usize::from(index)] = around;
            }
        }
        moves
    }

    /// The floors from which one straight step leads to `to`, though none leads back.
    pub(crate) fn one_way_arrivals(&self, to: u32) -> impl Iterator<Item = u32> {
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

/// Which of three sectors in a row a column of the neighbourhood lies in, and where in it.
fn split(at: usize) -> (usize, u8) {
    match at {
        0 => (0, 15),
        17 => (2, 0),
        _ => (1, at as u8 - 1),
    }
}
