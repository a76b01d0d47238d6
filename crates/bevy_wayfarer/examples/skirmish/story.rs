//! The story: a map of houses, units that go from place to place, walls that rise and fall, a door.

use bevy_math::Vec3;

/// Meters per second.
pub(crate) const SPEED: f32 = 6.0;
/// Expansions per tick for each unit.
pub(crate) const BUDGET: u64 = 8;
/// Seconds of a tick.
pub(crate) const SECONDS: f32 = 1.0 / 64.0;
/// Ticks that a wall stands.
pub(crate) const STANDS: u32 = 60;
/// The ends of the door, before and behind the long wall of the first block.
pub(crate) const DOOR: [Vec3; 2] = [Vec3::new(14.5, 0.0, 11.5), Vec3::new(14.5, 0.0, 13.5)];
/// How far a unit sees.
pub(crate) const SIGHT: f32 = 3.0;

/// A block of the map, repeated.
const BLOCK: [&str; 24] = [
    "................................",
    "................................",
    "..@@@@@@@@@@@@..@@@@@@@@@@@@@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@@@@@..@@@@@..@@@@@@@.@@@@@...",
    "................................",
    "................................",
    "................................",
    "....@@@@@@@@@@@@@@@@@@@@@@......",
    "................................",
    "................................",
    "..@@@@@@.@@@@@..@@@@@@@@@@@@@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@..........@..@...........@...",
    "..@@@@@@@@@@@@..@@@@@.@@@@@@@...",
    "................................",
    "................................",
    "................................",
];

/// The map and its units.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    pub(crate) n_units: u32,
    /// Every how many units one has a sensor.
    pub(crate) sensor_step: u32,
    map: Vec<u8>,
    floors: Vec<Vec3>,
}

impl Story {
    /// A map of `side` x `side` blocks.
    pub(crate) fn new(side: u8, n_units: u32, sensor_step: u32) -> Self {
        let rows = 0..24 * u16::from(side);
        let row = |z: u16| BLOCK[usize::from(z % 24)].repeat(side.into());
        let rows: Vec<(u16, String)> = rows.map(|z| (z, row(z))).collect();
        let (width, height) = (rows[0].1.len(), rows.len());
        let mut map = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
        let mut floors = Vec::new();
        for (z, row) in &rows {
            map.push_str(row);
            map.push('\n');
            let letters = (0_u16..).zip(row.bytes());
            let cells = letters.filter(|(_, letter)| *letter == b'.');
            floors.extend(
                cells.map(|(x, _)| Vec3::new(f32::from(x) + 0.5, 0.0, f32::from(*z) + 0.5)),
            );
        }
        let map = map.into_bytes();
        Self {
            n_units,
            sensor_step,
            map,
            floors,
        }
    }

    /// The map, for `World::import`.
    pub(crate) fn map(&self) -> &[u8] {
        &self.map
    }

    /// Expansions of a tick.
    pub(crate) fn budget(&self) -> u64 {
        BUDGET * u64::from(self.n_units)
    }

    /// True if a unit has a sensor.
    pub(crate) fn has_sensor(&self, unit: u32) -> bool {
        unit.is_multiple_of(self.sensor_step)
    }

    /// Where a unit goes after so many goals.
    pub(crate) fn place(&self, unit: u32, n_goals: u32) -> Vec3 {
        let number = (u64::from(unit * 97 + n_goals * 389 + 13) * 2_654_435_761) >> 7;
        let index = usize::try_from(number).unwrap_or_default() % self.floors.len();
        self.floors[index]
    }

    /// The corners of the wall that rises in a tick.
    pub(crate) fn wall(&self, tick: u32) -> Option<[Vec3; 2]> {
        let part = |number: u32| f32::from(u8::try_from(number).unwrap_or(0));
        let low = Vec3::new(4.0 + part(tick / 3 % 20), 0.0, 9.0 + part(tick % 4 % 3));
        tick.is_multiple_of(3)
            .then(|| [low, low + Vec3::new(1.0, 4.0, 1.0)])
    }

    /// True if the door opens or closes in a tick.
    pub(crate) fn door_swings(&self, tick: u32) -> bool {
        tick.is_multiple_of(45)
    }
}

/// FNV-1a of all that happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hash(pub(crate) u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn add_place(&mut self, at: Vec3) {
        at.to_array()
            .iter()
            .for_each(|part| self.add(part.to_bits().into()));
    }

    pub(crate) fn add_event(&mut self, (unit, event): Event) {
        self.add((u64::from(unit) << 8) | event as u64);
    }
}

/// A unit and what happened to it.
pub(crate) type Event = (u32, Kind);

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Found,
    Invalidated,
    Repaired,
    Failed,
    Reached,
    Entered,
    Left,
}
