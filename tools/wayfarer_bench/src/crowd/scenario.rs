//! The scenarios: maps, starts and goals, the same for all crowds.

use clap::ValueEnum;
use wayfarer::{AgentType, AgentTypeId, Position, Scale, Solid, World};
use wayfarer_engine::base::{Column, Rng};
use wayfarer_engine::make::City;

use super::{Arguments, RADIUS};
use crate::error::BenchError;

/// Where a crowd walks.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scenario {
    /// Antipodal exchange on a circle, exactly symmetric
    Circle,
    /// Two streams at a right angle
    Crossing,
    /// Two groups against each other in a corridor
    Counterflow,
    /// All through a gate of one cell
    Gate,
    /// A gate of one cell, a quarter of the agents against the others
    BothSides,
    /// Two gates, a near and a far one: agents that are held up make others take the far one
    Gates,
    /// A full room is left through two doors of two cells
    Evacuation,
    /// All to one point
    Goal,
    /// All to one point in a room of five by five cells with one door
    Room,
    /// A box of agents in formation through a gap of four cells
    Formation,
    /// All to one point along a flow field, around walls
    Flow,
    /// Flyers that exchange places on a ball around a solid cube
    Flyers,
    /// The city of `bench world`: new goals on arrival, for all ticks
    City,
}

impl Scenario {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Crossing => "crossing",
            Self::Counterflow => "counterflow",
            Self::Gate => "gate",
            Self::BothSides => "both-sides",
            Self::Gates => "gates",
            Self::Evacuation => "evacuation",
            Self::Goal => "goal",
            Self::Room => "room",
            Self::Formation => "formation",
            Self::Flow => "flow",
            Self::Flyers => "flyers",
            Self::City => "city",
        }
    }
}

/// Side of the city, in cells, as in `bench world`.
const CITY_SIDE: u32 = 1_024;

/// How the agents of a scenario are sent to their goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupOrder {
    /// Each by a path of its own.
    Single,
    /// All to the first goal in formation.
    Formation,
    /// All to the first goal along a flow field.
    Flow,
}

/// A map with starts and goals.
pub(super) struct Setup {
    pub(super) width: usize,
    pub(super) is_blocked: Vec<bool>,
    pub(super) starts: Vec<[f64; 3]>,
    pub(super) goals: Vec<[f64; 3]>,
    /// True if nothing blocks.
    pub(super) is_open: bool,
    /// How agents are sent.
    pub(super) order: GroupOrder,
    /// Height of the air, and the solid cube in it; 0 for agents that walk.
    pub(super) air: usize,
    pub(super) cube: [[f64; 3]; 2],
    /// Length that an agent that is held up adds to paths.
    pub(super) waiting_cost: f64,
    /// True if agents that arrive go on.
    pub(super) is_endless: bool,
}

impl Setup {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, BenchError> {
        let n = arguments.agents;
        Ok(match arguments.scenario {
            Scenario::Circle => Self::circle(n),
            Scenario::Crossing => Self::crossing(n),
            Scenario::Counterflow => Self::counterflow(n, arguments.width, arguments.seed),
            Scenario::Gate => Self::gate(n),
            Scenario::BothSides => Self::both_sides(n),
            Scenario::Gates => Self::gates(n),
            Scenario::Evacuation => Self::evacuation(n),
            Scenario::Goal => Self::goal(n),
            Scenario::Room => Self::room(n),
            Scenario::Formation => Self::formation(n),
            Scenario::Flow => Self::flow(n),
            Scenario::Flyers => Self::flyers(n, arguments.seed),
            Scenario::City => Self::city(n, arguments.seed)?,
        })
    }

    fn open(width: usize, height: usize) -> Self {
        Self {
            width,
            is_blocked: vec![false; width * height],
            starts: Vec::new(),
            goals: Vec::new(),
            is_open: true,
            order: GroupOrder::Single,
            air: 0,
            cube: [[0.0; 3]; 2],
            waiting_cost: 0.0,
            is_endless: false,
        }
    }

    fn walled(width: usize, height: usize, is_wall: impl Fn(usize, usize) -> bool) -> Self {
        let mut setup = Self::open(width, height);
        setup.is_open = false;
        for (index, blocked) in setup.is_blocked.iter_mut().enumerate() {
            *blocked = is_wall(index % width, index / width);
        }
        setup
    }

    fn add(&mut self, from: [f64; 2], to: [f64; 2]) {
        let on_floor = |[x, y]: [f64; 2]| [x, y, 0.0];
        self.starts.push(on_floor(from));
        self.goals.push(on_floor(to));
    }

    fn circle(n: usize) -> Self {
        let radius = (float(n) * 0.2).max(6.0);
        let side = whole(2.0 * radius) + 8;
        let mut setup = Self::open(side, side);
        let center = float(side) / 2.0;
        for arm in circle(n, radius) {
            let from = [center + arm[0], center + arm[1]];
            setup.add(from, [center - arm[0], center - arm[1]]);
        }
        setup
    }

    fn crossing(n: usize) -> Self {
        let rows = whole((float(n) / 2.0).sqrt()).max(1);
        let depth = (n / 2).div_ceil(rows);
        let side = 3 * (rows.max(depth) * 3 / 2) + 12;
        let mut setup = Self::open(side, side);
        let middle = float(side) / 2.0 - float(rows) * 0.75;
        for index in 0..n {
            let (row, column) = (index / 2 % rows, index / 2 / rows);
            let across = middle + 1.5 * float(row);
            let along = 2.0 + 1.5 * float(column);
            let end = float(side) - 2.0 - 1.5 * float(depth - 1) + 1.5 * float(column);
            match index % 2 {
                0 => setup.add([along, across], [end, across]),
                _ => setup.add([across, along], [across, end]),
            }
        }
        setup
    }

    fn counterflow(n: usize, width: usize, seed: u64) -> Self {
        let half = n / 2;
        let mut setup = Self::walled(2 * half + 40, width, |_, _| false);
        let mut rng = Rng::for_stream(seed, 73);
        let room = u32::try_from((width - 1) * 100 + 1).unwrap_or(1);
        for index in 0..half {
            let mut y = || 0.5 + f64::from(rng.below(room)) / 100.0;
            let (a, b) = (y(), y());
            let (west, east) = (2.0 + float(index), 38.0 + float(half + index));
            setup.add([west, a], [east, a]);
            setup.add([east, b], [west, b]);
        }
        setup
    }

    fn gate(n: usize) -> Self {
        let side = whole((float(n) * 1.6).sqrt()) + 4;
        let mut setup = Self::walled(4 * side + 1, side, |x, y| x == side && y != side / 2);
        let (n_rows, n_far) = (whole(float(side - 2) / 1.2), (side - 1) / 2);
        for index in 0..n {
            let from = [
                float(side) - 1.5 - 1.2 * float(index / n_rows),
                1.0 + 1.2 * float(index % n_rows),
            ];
            let to = [
                4.0 * float(side) - 1.0 - 2.0 * float(index / n_far),
                1.0 + 2.0 * float(index % n_far),
            ];
            setup.add(from, to);
        }
        setup
    }

    fn both_sides(n: usize) -> Self {
        let side = whole((float(n) * 1.6).sqrt()) + 4;
        let mut setup = Self::walled(2 * side + 1, side, |x, y| x == side && y != side / 2);
        let n_rows = whole(float(side - 2) / 1.2);
        // Those of each side in a block of their own; goals lie behind the starts of the others.
        let mut counts = [0, 0];
        for index in 0..n {
            let is_back = index % 4 == 3;
            let count = &mut counts[usize::from(is_back)];
            let (column, row) = (float(*count / n_rows), float(*count % n_rows));
            *count += 1;
            let (from, to) = (
                float(side) - 1.5 - 1.2 * column,
                2.0 * float(side) - 1.2 * column,
            );
            let y = 1.0 + 1.2 * row;
            let mirrored = |x: f64| 2.0 * float(side) + 1.0 - x;
            match is_back {
                false => setup.add([from, y], [to, y]),
                true => setup.add([mirrored(from), y], [mirrored(to), y]),
            }
        }
        setup
    }

    fn gates(n: usize) -> Self {
        let side = whole((float(n) * 1.6).sqrt()) + 4;
        let height = side + 24;
        let is_gate = move |y: usize| y == side / 2 || y + 4 == height;
        let is_wall = |x: usize, y: usize| x == side && !is_gate(y);
        let mut setup = Self::walled(4 * side + 1, height, is_wall);
        setup.waiting_cost = 1.5;
        let (n_rows, n_far) = (whole(float(side - 2) / 1.2), (side - 1) / 2);
        for index in 0..n {
            let (column, row) = (float(index / n_rows), float(index % n_rows));
            let from = [float(side) - 1.5 - 1.2 * column, 1.0 + 1.2 * row];
            let (column, row) = (float(index / n_far), float(index % n_far));
            let to = [4.0 * float(side) - 1.0 - 2.0 * column, 1.0 + 2.0 * row];
            setup.add(from, to);
        }
        setup
    }

    fn flow(n: usize) -> Self {
        let side = whole((float(n) * 1.6).sqrt()).max(12) + 4;
        // Walls from the left and from the right in turn.
        let is_wall =
            |x: usize, y: usize| (x == side + 4 && y >= 6) || (x == side + 12 && y + 6 < side);
        let mut setup = Self::walled(2 * side + 20, side, is_wall);
        setup.order = GroupOrder::Flow;
        let n_rows = whole(float(side - 2) / 1.2);
        for index in 0..n {
            let from = [
                1.0 + 1.2 * float(index / n_rows),
                1.0 + 1.2 * float(index % n_rows),
            ];
            setup.add(from, [1.5 * float(side) + 16.0, float(side) / 2.0]);
        }
        setup
    }

    /// Exactly opposite places on a ball, random but for a distance between them.
    fn flyers(n: usize, seed: u64) -> Self {
        let radius = (float(n).sqrt() * 1.2).max(8.0);
        let side = whole(2.0 * radius) + 8;
        let mut setup = Self::open(side, side);
        setup.air = side;
        let center = float(side) / 2.0;
        setup.cube = [[center - 2.0; 3], [center + 2.0; 3]].map(|at| at.map(f64::floor));
        let mut rng = Rng::for_stream(seed, 75);
        let mut arms: Vec<[f64; 3]> = Vec::new();
        while 2 * arms.len() < n {
            let arm = [0; 3].map(|_| f64::from(rng.below(2_001)) / 1_000.0 - 1.0);
            let length = dot(arm, arm).sqrt();
            if !(0.1..=1.0).contains(&length) {
                continue;
            }
            let arm = arm.map(|at| (at / length * radius * 256.0).round() / 256.0);
            let is_near = |other: &[f64; 3]| {
                let (apart, together) = (dot(arm, arm) - dot(*other, arm), dot(*other, arm));
                apart < 1.0 || dot(arm, arm) + together < 1.0
            };
            if !arms.iter().any(is_near) {
                arms.push(arm);
            }
        }
        for arm in arms {
            let ends = [arm, arm.map(|at| -at)].map(|arm| arm.map(|at| center + at));
            setup.starts.extend(ends);
            setup.goals.extend([ends[1], ends[0]]);
        }
        setup
    }

    fn evacuation(n: usize) -> Self {
        let side = whole((float(n) * 1.6).sqrt()) + 6;
        let is_door = move |y: usize| y / 2 == side / 8 || y / 2 == side / 2 - side / 8;
        let mut setup = Self::walled(4 * side + 1, side, |x, y| x == side && !is_door(y));
        let (n_rows, n_far) = (whole(float(side - 2) / 1.2), (side - 1) / 2);
        for index in 0..n {
            let from = [
                1.0 + 1.2 * float(index / n_rows),
                1.0 + 1.2 * float(index % n_rows),
            ];
            let to = [
                2.0 * float(side) + 2.0 * float(index / n_far),
                1.0 + 2.0 * float(index % n_far),
            ];
            setup.add(from, to);
        }
        setup
    }

    fn goal(n: usize) -> Self {
        let radius = (float(n) * 0.2).max(8.0);
        let side = whole(2.0 * radius) + 8;
        let mut setup = Self::open(side, side);
        let center = float(side) / 2.0;
        for arm in circle(n, radius) {
            setup.add([center + arm[0], center + arm[1]], [center, center]);
        }
        setup
    }

    fn room(n: usize) -> Self {
        let height = whole((float(n) * 1.6).sqrt()).max(11) + 4;
        let (left, top) = (height + 10, height / 2 - 3);
        let is_wall = |x: usize, y: usize| {
            let (x, y) = (x.wrapping_sub(left), y.wrapping_sub(top));
            let is_inside = (1..=5).contains(&x) && (1..=5).contains(&y);
            x <= 6 && y <= 6 && !is_inside && (x, y) != (0, 3)
        };
        let mut setup = Self::walled(left + 12, height, is_wall);
        let n_rows = whole(float(height - 2) / 1.2);
        for index in 0..n {
            let from = [
                1.0 + 1.2 * float(index / n_rows),
                1.0 + 1.2 * float(index % n_rows),
            ];
            setup.add(from, [float(left) + 3.5, float(top) + 3.5]);
        }
        setup
    }

    fn formation(n: usize) -> Self {
        let side = whole(float(n).sqrt());
        let height = 2 * side + 8;
        let length = 4 * side + 40;
        let is_gap = move |y: usize| y + 2 >= height / 2 && y < height / 2 + 2;
        let is_wall = |x: usize, y: usize| x == length / 2 && !is_gap(y);
        let mut setup = Self::walled(length, height, is_wall);
        setup.order = GroupOrder::Formation;
        let goal = [float(length) - 6.0, float(height) / 2.0];
        for index in 0..n {
            let (row, column) = (index % side, index / side);
            let top = float(height) / 2.0 - 0.6 * float(side);
            setup.add([2.0 + 1.2 * float(column), top + 1.2 * float(row)], goal);
        }
        setup
    }

    fn city(n: usize, seed: u64) -> Result<Self, BenchError> {
        let city = City::new(CITY_SIDE, seed)?;
        let side = CITY_SIDE as usize;
        let mut setup = Self::walled(side, side, |_, _| true);
        for id in city.sectors() {
            for (cell, _) in city.sector(id).cells() {
                if let Some(index) = setup.index(cell.column()) {
                    setup.is_blocked[index] = false;
                }
            }
        }
        setup.is_endless = true;
        let mut rng = Rng::for_stream(seed, 74);
        let mut is_taken = setup.is_blocked.clone();
        while setup.starts.len() < n {
            let from = setup.any_goal(&mut rng);
            let index = setup.index_at(from).unwrap_or(0);
            if !is_taken[index] {
                is_taken[index] = true;
                let to = setup.any_goal(&mut rng);
                setup.add(from, to);
            }
        }
        Ok(setup)
    }

    /// The center of a random free cell.
    pub(super) fn any_goal(&self, rng: &mut Rng) -> [f64; 2] {
        let n_cells = u32::try_from(self.is_blocked.len()).unwrap_or(u32::MAX);
        loop {
            let index = rng.below(n_cells) as usize;
            if !self.is_blocked[index] {
                let (x, y) = (index % self.width, index / self.width);
                return [float(x) + 0.5, float(y) + 0.5];
            }
        }
    }

    fn index(&self, column: Column) -> Option<usize> {
        let (x, y) = (
            usize::try_from(column.x).ok()?,
            usize::try_from(column.y).ok()?,
        );
        let index = y * self.width + x;
        (x < self.width && index < self.is_blocked.len()).then_some(index)
    }

    fn index_at(&self, [x, y]: [f64; 2]) -> Option<usize> {
        self.index(Column::new(floor(x), floor(y)))
    }

    /// True if a disc overlaps a blocked square or leaves the map, or a ball the cube.
    pub(super) fn is_inside(&self, [x, y, z]: [f64; 3]) -> bool {
        if self.air > 0 {
            let [low, high] = self.cube;
            let at = [x, y, z];
            let offset = [0, 1, 2].map(|axis| at[axis] - at[axis].clamp(low[axis], high[axis]));
            let reach = RADIUS - 5e-3;
            return dot(offset, offset) < reach * reach;
        }
        // Positions are rounded to 1/65,536.
        let radius = RADIUS - 1e-4;
        let columns = floor(x - radius)..=floor(x + radius);
        let mut rows = floor(y - radius)..=floor(y + radius);
        rows.any(|row| {
            columns.clone().any(|column| {
                let index = self.index(Column::new(column, row));
                let is_free = index.is_some_and(|index| !self.is_blocked[index]);
                let (left, top) = (f64::from(column), f64::from(row));
                let dx = x - x.clamp(left, left + 1.0);
                let dy = y - y.clamp(top, top + 1.0);
                !is_free && dx * dx + dy * dy < radius * radius
            })
        })
    }

    /// The world, and the type of the agents.
    pub(super) fn world(&self) -> Result<(World, AgentTypeId), String> {
        let world = World::import("crowd.map", &self.to_map(), Scale::UNIT);
        let mut world = world.map_err(|error| error.to_string())?;
        if self.air == 0 {
            return Ok((world, AgentTypeId::DEFAULT));
        }
        let corner = |[x, y, z]: [f64; 3]| Position::new(x, y, z);
        let high = [float(self.width), float(self.width), float(self.air)];
        let added = world.add_air(corner([0.0; 3]), corner(high.map(|at| at - 0.5)));
        added.map_err(|error| error.to_string())?;
        let cube = Solid::cuboid(corner(self.cube[0]), corner(self.cube[1]));
        let built = world.add_solid(cube);
        built.map_err(|error| error.to_string())?;
        let flyer = AgentType {
            radius: RADIUS,
            ..AgentType::FLIGHT
        };
        let flyer = world.add_agent_type(flyer);
        Ok((world, flyer.map_err(|error| error.to_string())?))
    }

    /// The map in the format of the benchmarks.
    fn to_map(&self) -> Vec<u8> {
        let height = self.is_blocked.len() / self.width;
        let mut map = format!("type octile\nheight {height}\nwidth {}\nmap\n", self.width);
        for row in self.is_blocked.chunks(self.width) {
            map.extend(row.iter().map(|blocked| if *blocked { '@' } else { '.' }));
            map.push('\n');
        }
        map.into_bytes()
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vectors to points on a circle, exactly opposite ones in pairs; by series, equal everywhere.
fn circle(n: usize, radius: f64) -> Vec<[f64; 2]> {
    let arm = |index: usize| {
        let angle = std::f64::consts::TAU * float(index) / float(n);
        let (mut sine, mut cosine, mut term) = (0.0, 0.0, 1.0);
        for power in 0..40 {
            match power % 4 {
                0 => cosine += term,
                1 => sine += term,
                2 => cosine -= term,
                _ => sine -= term,
            }
            term *= angle / f64::from(power + 1);
        }
        [radius * cosine, radius * sine]
    };
    let half = n / 2;
    (0..n)
        .map(|index| match n.is_multiple_of(2) && index >= half {
            true => arm(index - half).map(|at: f64| -at),
            false => arm(index),
        })
        .collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of agents and cells are small"
)]
pub(super) const fn float(number: usize) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sides of maps are small and positive"
)]
pub(super) fn whole(number: f64) -> usize {
    number.ceil() as usize
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of small maps")]
pub(super) fn floor(at: f64) -> i32 {
    at.floor() as i32
}
