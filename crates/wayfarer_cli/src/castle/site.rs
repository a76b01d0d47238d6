//! The castle: a moat, a walkable wall, a yard with houses, and a building of three floors.
//!
//! What stands from the beginning is terrain, filled and carved. Doors are solids, which stand in the
//! ground, in the air and in the line of sight until they are removed.

use std::error::Error;

use wayfarer::prelude::*;

use super::stone::Stone;

/// Columns from west to east.
pub(crate) const WIDTH: i32 = 100;
/// Columns from north to south.
pub(crate) const DEPTH: i32 = 72;
/// Height of the air above the ground.
pub(crate) const TOP: i32 = 32;
/// Height of the walkable top of the wall.
pub(crate) const WALL: i32 = 8;
/// Heights of the floors of the building; the last is its roof.
pub(crate) const FLOORS: [i32; 4] = [0, 6, 12, 18];
/// The columns of the building.
pub(crate) const BUILDING: Rect = Rect::new((36, 64), (24, 48));
/// The columns of the yard and the wall around it.
pub(crate) const YARD: Rect = Rect::new((22, 78), (14, 58));
/// Where the bridge crosses the moat.
pub(crate) const BRIDGE: Rect = Rect::new((47, 53), (61, 64));

/// Columns: the first, and one beyond the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rect {
    pub(crate) low: [i32; 2],
    pub(crate) high: [i32; 2],
}

impl Rect {
    pub(crate) const fn new(x: (i32, i32), y: (i32, i32)) -> Self {
        Self {
            low: [x.0, y.0],
            high: [x.1, y.1],
        }
    }

    /// With so many columns more on every side.
    pub(crate) const fn grown(self, by: i32) -> Self {
        let [(x0, y0), (x1, y1)] = [(self.low[0], self.low[1]), (self.high[0], self.high[1])];
        Self::new((x0 - by, x1 + by), (y0 - by, y1 + by))
    }

    pub(crate) const fn contains(self, x: i32, y: i32) -> bool {
        self.low[0] <= x && x < self.high[0] && self.low[1] <= y && y < self.high[1]
    }

    fn area(self) -> Area {
        let corner = |[x, y]: [i32; 2]| corner([x, y, 0]);
        Area::rect(corner(self.low), corner(self.high))
    }
}

/// A box: its lowest corner, and its highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The lowest corner: west, north, down.
    pub(crate) low: [i32; 3],
    /// The highest corner.
    pub(crate) high: [i32; 3],
}

impl Block {
    /// A box from its ranges.
    pub(crate) const fn new(x: (i32, i32), y: (i32, i32), z: (i32, i32)) -> Self {
        Self {
            low: [x.0, y.0, z.0],
            high: [x.1, y.1, z.1],
        }
    }

    /// As a solid.
    pub(crate) fn solid(&self) -> Solid {
        Solid::cuboid(corner(self.low), corner(self.high))
    }

    fn filled(&self) -> Edit {
        Edit::fill(corner(self.low), corner(self.high), Terrain::GROUND)
    }

    /// The edit that carves it out and leaves a floor of this terrain.
    pub(crate) fn carved(&self, floor: Option<Terrain>) -> Edit {
        Edit::carve(corner(self.low), corner(self.high), floor)
    }
}

fn corner([x, y, z]: [i32; 3]) -> Position {
    Position::new(x.into(), y.into(), z.into())
}

/// The middle of a column at a height.
pub(crate) fn middle([x, y]: [i32; 2], z: f64) -> Position {
    Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, z)
}

/// Grass: multiplier 1.
pub(crate) fn grass() -> Terrain {
    Terrain::new(6).unwrap_or(Terrain::GROUND)
}

/// Rubble of a fallen wall: multiplier 3.
pub(crate) fn rubble() -> Terrain {
    Terrain::new(7).unwrap_or(Terrain::GROUND)
}

/// The castle with all doors open.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The world.
    pub(crate) world: World,
    /// What is solid, counted apart from the world.
    pub(crate) stone: Stone,
    /// Openings that can be closed.
    pub(crate) doors: Vec<Block>,
    /// Pieces of wall that fall, in order.
    pub(crate) breaches: Vec<Block>,
}

impl Site {
    /// Builds it; trees and houses depend on the seed.
    ///
    /// # Errors
    /// None for this castle.
    pub(crate) fn new(rng: &mut Rng) -> Result<Self, Box<dyn Error>> {
        let mut world = World::new(Scale::UNIT)?;
        world.apply(&floors(rng))?;
        world.add_air(corner([0, 0, 0]), corner([WIDTH, DEPTH, TOP]))?;
        let mut doors = Vec::new();
        let mut blocks = outer(&mut doors);
        blocks.extend(building(&mut doors));
        blocks.extend(houses(rng));
        let windows = windows();
        let filled = blocks.iter().map(Block::filled);
        let carved = windows.iter().map(|window| window.carved(None));
        world.apply(&filled.chain(carved).collect::<Vec<_>>())?;
        let mut stone = Stone::default();
        blocks.iter().for_each(|block| stone.set(block, true));
        windows.iter().for_each(|window| stone.set(window, false));
        let breaches = breaches();
        Ok(Self {
            world,
            stone,
            doors,
            breaches,
        })
    }

    /// The edit that lowers the bridge, or raises it and leaves water.
    pub(crate) fn bridge(is_down: bool) -> Edit {
        let terrain = match is_down {
            true => Terrain::GROUND,
            false => Terrain::WATER,
        };
        Edit::add_floors(BRIDGE.area(), 0.0, terrain)
    }
}

/// The ground: grass with trees, the moat, the yard, the road to the gate.
fn floors(rng: &mut Rng) -> Vec<Edit> {
    let floor = |rect: Rect, terrain| Edit::add_floors(rect.area(), 0.0, terrain);
    let all = Rect::new((0, WIDTH), (0, DEPTH));
    let mut edits = vec![floor(all, grass())];
    for y in 0..DEPTH {
        for x in (0..WIDTH).filter(|x| !(44..56).contains(x)) {
            if rng.below(14) == 0 {
                edits.push(floor(Rect::new((x, x + 1), (y, y + 1)), Terrain::TREES));
            }
        }
    }
    let bank = floor(YARD.grown(3), grass());
    let road = Rect::new((47, 53), (YARD.high[1], DEPTH));
    edits.extend([
        floor(YARD.grown(6), Terrain::WATER),
        bank,
        floor(YARD, Terrain::GROUND),
        floor(road, Terrain::GROUND),
    ]);
    edits
}

/// The wall around the yard, its towers, stairs and gate.
fn outer(doors: &mut Vec<Block>) -> Vec<Block> {
    let (z, gate) = ((0, WALL), (48, 52));
    let mut blocks = vec![
        Block::new((22, 78), (14, 16), z),
        Block::new((22, gate.0), (56, 58), z),
        Block::new((gate.1, 78), (56, 58), z),
        Block::new(gate, (56, 58), (4, WALL)),
        Block::new((22, 24), (16, 56), z),
        Block::new((76, 78), (16, 56), z),
    ];
    doors.push(Block::new(gate, (57, 58), (0, 4)));
    for (x, y) in [(20, 12), (74, 12), (20, 54), (74, 54)] {
        blocks.push(Block::new((x, x + 6), (y, y + 6), z));
        blocks.push(Block::new((x + 2, x + 4), (y + 2, y + 4), (WALL, 14)));
    }
    for step in 1..=WALL {
        let north = 29 + step;
        blocks.push(Block::new((north, north + 1), (16, 18), (0, step)));
        let south = 71 - step;
        blocks.push(Block::new((south, south + 1), (54, 56), (0, step)));
    }
    blocks
}

/// The building: outer walls, floors with holes for the stairs, rooms and doors.
fn building(doors: &mut Vec<Block>) -> Vec<Block> {
    let (top, door) = (20, (49, 51));
    let mut blocks = vec![
        Block::new((36, 64), (24, 25), (0, top)),
        Block::new((36, door.0), (47, 48), (0, top)),
        Block::new((door.1, 64), (47, 48), (0, top)),
        Block::new(door, (47, 48), (4, top)),
        Block::new((36, 37), (25, 47), (0, top)),
        Block::new((63, 64), (25, 47), (0, top)),
    ];
    doors.push(Block::new(door, (47, 48), (0, 4)));
    let (west, east) = (((37, 39), (26, 31)), ((61, 63), (40, 45)));
    for (number, floor) in FLOORS.into_iter().enumerate() {
        if floor > 0 {
            let hole = if number % 2 == 1 { west } else { east };
            let slab = (floor - 1, floor);
            let ((left, right), (north, south)) = hole;
            blocks.extend([
                Block::new((37, 63), (25, north), slab),
                Block::new((37, 63), (south, 47), slab),
                Block::new((37, left), (north, south), slab),
                Block::new((right, 63), (north, south), slab),
            ]);
            let under = floor - 6;
            for step in 1..=5 {
                let y = if hole == west { 25 + step } else { 45 - step };
                blocks.push(Block::new((left, right), (y, y + 1), (under, under + step)));
            }
        }
        if number < 3 {
            let rooms = (floor, floor + 5);
            blocks.extend([
                Block::new((37, 42), (36, 37), rooms),
                Block::new((44, 56), (36, 37), rooms),
                Block::new((58, 63), (36, 37), rooms),
                Block::new((50, 51), (25, 30), rooms),
                Block::new((50, 51), (32, 36), rooms),
                Block::new((50, 51), (37, 40), rooms),
                Block::new((50, 51), (42, 44), rooms),
            ]);
            doors.extend([
                Block::new((42, 44), (36, 37), rooms),
                Block::new((56, 58), (36, 37), rooms),
                Block::new((50, 51), (30, 32), rooms),
                Block::new((50, 51), (40, 42), rooms),
            ]);
        }
    }
    // Drops the empty boxes beside the holes.
    blocks.retain(|block| (0..3).all(|axis| block.low[axis] < block.high[axis]));
    blocks
}

fn houses(rng: &mut Rng) -> Vec<Block> {
    let corners = [
        (27, 21),
        (27, 31),
        (27, 41),
        (27, 49),
        (69, 20),
        (69, 30),
        (69, 40),
        (40, 51),
        (57, 18),
        (44, 18),
    ];
    corners
        .into_iter()
        .map(|(x, y)| {
            let (width, depth) = (rng.between(4, 6), rng.between(3, 5));
            let height = rng.between(3, 6);
            Block::new((x, x + width), (y, y + depth), (0, height))
        })
        .collect()
}

/// Windows of the upper floors, two wide and two high: only flights pass.
fn windows() -> Vec<Block> {
    let mut windows = Vec::new();
    for floor in &FLOORS[1..3] {
        let z = (floor + 2, floor + 4);
        for x in [43, 55] {
            windows.push(Block::new((x, x + 2), (24, 25), z));
            windows.push(Block::new((x, x + 2), (47, 48), z));
        }
        for y in [33, 42] {
            windows.push(Block::new((36, 37), (y, y + 2), z));
        }
        for y in [28, 33] {
            windows.push(Block::new((63, 64), (y, y + 2), z));
        }
    }
    windows
}

/// The walls that fall, in order.
fn breaches() -> Vec<Block> {
    vec![
        Block::new((22, 24), (28, 34), (0, WALL)),
        Block::new((53, 58), (24, 25), (0, 5)),
        Block::new((50, 51), (26, 29), (6, 11)),
        Block::new((76, 78), (44, 49), (0, WALL)),
        Block::new((76, 78), (14, 16), (WALL, 14)),
        Block::new((36, 37), (38, 41), (12, 17)),
    ]
}

/// Random numbers that depend on the seed alone (`SplitMix64`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 to `n - 1`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        u32::try_from(self.next() % u64::from(n.max(1))).unwrap_or(0)
    }

    /// A number from `low` to `high - 1`.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below(low.abs_diff(high)).cast_signed()
    }
}
