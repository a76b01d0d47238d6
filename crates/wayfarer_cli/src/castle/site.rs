//! The castle: a moat, a walkable wall, a yard with houses, and a building of three floors.
//!
//! Filled boxes block the ground, the air and the line of sight alike.

use wayfarer_engine::base::{
    Cell, Column, CostMultiplier, Fixed, GroundEdit, Profile, Rng, Terrain, Voxel, WorldData,
};
use wayfarer_engine::world::air::AirBuilder;
use wayfarer_engine::{Edit, EditError, Position, World};

/// Columns from west to east.
pub(crate) const WIDTH: i32 = 100;
/// Columns from north to south.
pub(crate) const DEPTH: i32 = 72;
/// Voxels of air above the ground.
pub(crate) const TOP: i32 = 32;
/// Height of the walkable top of the wall.
pub(crate) const WALL: i32 = 8;
/// Heights of the floors of the building; the last is its roof.
pub(crate) const FLOORS: [i32; 4] = [0, 6, 12, 18];
/// First and last column of the building.
pub(crate) const BUILDING: (Column, Column) = (Column::new(36, 24), Column::new(63, 47));
/// First and last column of the wall around the yard.
pub(crate) const YARD: (Column, Column) = (Column::new(22, 14), Column::new(77, 57));

/// Grass: multiplier 1.
pub(crate) fn grass() -> Terrain {
    terrain(6)
}

/// Rubble of a fallen wall: multiplier 3.
pub(crate) fn rubble() -> Terrain {
    terrain(7)
}

fn terrain(number: u8) -> Terrain {
    Terrain::new(number).unwrap_or(Terrain::GROUND)
}

/// A box of cells: its lowest corner, and one beyond its highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The lowest corner: west, north, down.
    pub(crate) low: [i32; 3],
    /// One beyond the highest corner.
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

    /// True if it covers a column.
    pub(crate) fn is_over(&self, x: i32, y: i32) -> bool {
        (self.low[0]..self.high[0]).contains(&x) && (self.low[1]..self.high[1]).contains(&y)
    }

    fn corners(&self) -> (Position, Position) {
        let at = |[x, y, z]: [i32; 3]| Position::new(x.into(), y.into(), z.into());
        (at(self.low), at(self.high))
    }

    /// The edit that fills it.
    pub(crate) fn filled(&self) -> Edit {
        let (low, high) = self.corners();
        let top = Terrain::GROUND;
        Edit::FillBox { low, high, top }
    }

    /// The edit that carves it out and leaves a floor of this terrain.
    pub(crate) fn carved(&self, floor: Terrain) -> Edit {
        let (low, high) = self.corners();
        let floor = Some(floor);
        Edit::CarveBox { low, high, floor }
    }
}

/// The ground profile: ground, grass and rubble.
pub(crate) fn ground_profile() -> Profile {
    let costly = CostMultiplier::from_sixteenths(48).unwrap_or(CostMultiplier::ONE);
    Profile {
        allowed_terrains: Profile::DEFAULT.allowed_terrains | grass().bit() | rubble().bit(),
        terrain_costs: vec![(rubble(), costly)],
        radius: Fixed::from_raw(128),
        ..Profile::DEFAULT
    }
}

/// The castle with all doors open.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The world.
    pub(crate) world: World,
    /// Openings that can be closed.
    pub(crate) doors: Vec<Block>,
    /// Pieces of wall that fall, in order.
    pub(crate) breaches: Vec<Block>,
    /// The cells of the bridge over the moat.
    pub(crate) bridge: Vec<Cell>,
}

impl Site {
    /// Builds it; trees and houses depend on the seed.
    ///
    /// # Errors
    /// None for this castle.
    pub(crate) fn new(seed: u64) -> Result<Self, EditError> {
        let mut rng = Rng::for_stream(seed, 0x6b65_6570);
        let mut data = WorldData {
            profile: ground_profile(),
            ..WorldData::default()
        };
        for y in 0..DEPTH {
            for x in 0..WIDTH {
                let cell = Cell::flat(x, y);
                data.cells.push((cell, terrain_at(&mut rng, x, y)));
            }
        }
        let size = [WIDTH, DEPTH, TOP].map(i32::unsigned_abs);
        let air = AirBuilder::new(Voxel::default(), size)?.build()?;
        let world = World::from_data(&data).unwrap_or_else(|error| {
            unreachable!("flat data of a few thousand cells: {error}");
        });
        let mut site = Self {
            world: world.with_air(air),
            doors: Vec::new(),
            breaches: breaches(),
            bridge: (58..66)
                .flat_map(|y| (47..53).map(move |x| Cell::flat(x, y)))
                .filter(|cell| is_moat(cell.x, cell.y))
                .collect(),
        };
        let mut blocks = site.outer();
        blocks.extend(site.building());
        blocks.extend(houses(&mut rng));
        site.world.apply(blocks.iter().map(Block::filled))?;
        site.world.apply(windows().iter().map(|window| {
            let (low, high) = window.corners();
            Edit::CarveBox {
                low,
                high,
                floor: None,
            }
        }))?;
        Ok(site)
    }

    /// The wall around the yard, its towers, stairs and gate.
    fn outer(&mut self) -> Vec<Block> {
        let (z, gate) = ((0, WALL), (48, 52));
        let mut blocks = vec![
            Block::new((22, 78), (14, 16), z),
            Block::new((22, gate.0), (56, 58), z),
            Block::new((gate.1, 78), (56, 58), z),
            Block::new(gate, (56, 58), (4, WALL)),
            Block::new((22, 24), (16, 56), z),
            Block::new((76, 78), (16, 56), z),
        ];
        self.doors.push(Block::new(gate, (57, 58), (0, 4)));
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
    fn building(&mut self) -> Vec<Block> {
        let (top, door) = (20, (49, 51));
        let mut blocks = vec![
            Block::new((36, 64), (24, 25), (0, top)),
            Block::new((36, door.0), (47, 48), (0, top)),
            Block::new((door.1, 64), (47, 48), (0, top)),
            Block::new(door, (47, 48), (4, top)),
            Block::new((36, 37), (25, 47), (0, top)),
            Block::new((63, 64), (25, 47), (0, top)),
        ];
        self.doors.push(Block::new(door, (47, 48), (0, 4)));
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
                self.doors.extend([
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

    /// The edits that lower the bridge, or raise it and leave water.
    pub(crate) fn bridge(&self, is_down: bool) -> impl Iterator<Item = Edit> {
        let terrain = if is_down {
            Terrain::GROUND
        } else {
            Terrain::WATER
        };
        let cells = self.bridge.iter();
        cells.map(move |&cell| GroundEdit::PutCell { cell, terrain }.into())
    }
}

/// True for columns of the moat.
fn is_moat(x: i32, y: i32) -> bool {
    let inside = |margin: i32| {
        let (first, last) = YARD;
        (first.x - margin..=last.x + margin).contains(&x)
            && (first.y - margin..=last.y + margin).contains(&y)
    };
    inside(6) && !inside(3)
}

fn terrain_at(rng: &mut Rng, x: i32, y: i32) -> Terrain {
    let (first, last) = YARD;
    let is_yard = (first.x..=last.x).contains(&x) && (first.y..=last.y).contains(&y);
    let is_road = (47..53).contains(&x) && y > last.y;
    if is_yard || is_road {
        Terrain::GROUND
    } else if is_moat(x, y) {
        Terrain::WATER
    } else if rng.chance(1, 14) && !(44..56).contains(&x) {
        Terrain::TREES
    } else {
        grass()
    }
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
            let (width, depth) = (rng.between(4, 5), rng.between(3, 4));
            let height = rng.between(3, 5);
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
