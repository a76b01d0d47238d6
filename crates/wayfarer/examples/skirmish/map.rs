//! The map: tiles from noise, and compounds of thin walls with doors and gates.

use wayfarer::Position;

/// Tiles along each side of the map; a tile is a square meter.
pub(crate) const SIDE: i32 = 256;

/// What a tile is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tile {
    Grass,
    Swamp,
    Water,
}

/// A thin wall between two corners of tiles, along one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wall {
    pub(crate) from: [i32; 2],
    pub(crate) to: [i32; 2],
}

/// A door in a thin wall: the border between two tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Door {
    pub(crate) inside: [i32; 2],
    pub(crate) outside: [i32; 2],
}

/// Tiles, walls and doors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Map {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) walls: Vec<Wall>,
    pub(crate) doors: Vec<Door>,
}

/// Random numbers that depend on the seed alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number from `low` to `high - 1`.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        let n = u64::from(low.abs_diff(high).max(1));
        low + i32::try_from(self.next() % n).unwrap_or(0)
    }
}

fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Map {
    /// The map of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut map = Self {
            tiles: Vec::new(),
            walls: Vec::new(),
            doors: Vec::new(),
        };
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (height, moisture) = (noise(seed, x, y), noise(seed + 1, x, y));
                map.tiles.push(match (height, moisture) {
                    (..420, _) => Tile::Water,
                    (_, 580..) => Tile::Swamp,
                    _ => Tile::Grass,
                });
            }
        }
        let mut rng = Rng::new(seed + 2);
        let mut compounds: Vec<[i32; 3]> = Vec::new();
        for _ in 0..400 {
            let side = rng.between(12, 20);
            let (x, y) = (rng.between(6, SIDE - 28), rng.between(6, SIDE - 28));
            let apart =
                |[a, b, other]: &[i32; 3]| (x - a).abs().max((y - b).abs()) > side.max(*other) + 6;
            if compounds.len() < 20 && compounds.iter().all(apart) {
                map.build(x, y, side);
                compounds.push([x, y, side]);
            }
        }
        map
    }

    /// A compound on dry ground: a door in the north, west and east, a gate of 6 m in the south.
    fn build(&mut self, x: i32, y: i32, side: i32) {
        for row in y - 4..y + side + 4 {
            for column in x - 4..x + side + 4 {
                if let Ok(index) = usize::try_from(row * SIDE + column) {
                    self.tiles[index] = Tile::Grass;
                }
            }
        }
        let (right, bottom, middle) = (x + side, y + side, side / 2);
        for (from, to) in [
            ([x, y], [right, y]),
            ([x, y], [x, bottom]),
            ([right, y], [right, bottom]),
            ([x, bottom], [x + middle - 3, bottom]),
            ([x + middle + 3, bottom], [right, bottom]),
        ] {
            self.walls.push(Wall { from, to });
        }
        for (inside, outside) in [
            ([x + middle, y], [x + middle, y - 1]),
            ([x, y + middle], [x - 1, y + middle]),
            ([right - 1, y + middle], [right, y + middle]),
        ] {
            self.doors.push(Door { inside, outside });
        }
    }

    /// The map in the format of grid benchmarks.
    pub(crate) fn to_file(&self) -> Vec<u8> {
        let mut text = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n");
        for (index, tile) in (1..).zip(&self.tiles) {
            text.push(match tile {
                Tile::Grass => '.',
                Tile::Swamp => 'S',
                Tile::Water => 'W',
            });
            if index % SIDE == 0 {
                text.push('\n');
            }
        }
        text.into_bytes()
    }
}

/// The middle of a tile at a height.
pub(crate) fn middle([x, y]: [i32; 2], z: f64) -> Position {
    Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, z)
}

/// Noise in thousandths: two octaves of random values at lattice points, joined by straight lines.
fn noise(seed: u64, x: i32, y: i32) -> i64 {
    (2 * octave(seed, x, y, 48) + octave(seed + 7, x, y, 16)) / 3
}

fn octave(seed: u64, x: i32, y: i32, size: i32) -> i64 {
    let value = |column: i32, row: i32| {
        let place = u64::from(column.unsigned_abs()) << 32 | u64::from(row.unsigned_abs());
        i64::try_from(mixed(mixed(seed) ^ place) % 1_000).unwrap_or(0)
    };
    let (column, row) = (x / size, y / size);
    let (right, down) = (i64::from(x % size), i64::from(y % size));
    let size = i64::from(size);
    let along = |row: i32| value(column, row) * (size - right) + value(column + 1, row) * right;
    (along(row) * (size - down) + along(row + 1) * down) / (size * size)
}
