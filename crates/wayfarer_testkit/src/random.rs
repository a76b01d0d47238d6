//! Small worlds drawn by lot, and profiles to walk them with; [`batch`] draws edits to change them.
//!
//! Every world lies in [`AREA`], which crosses sector borders and holds negative coordinates, with
//! floors in [`HEIGHTS`]; equal seeds give equal worlds on every machine.

use std::collections::BTreeMap;

use wayfarer_base::{
    Cell, Column, Cost, Dice, Fixed, Gate, Passage, PassageKind, Price, Profile, Rect, Terrain,
    Wall, WallSide, Ways, WorldPlan,
};

pub mod batch;

/// The columns random worlds and random batches keep to: 40 by 40, over 16 sectors.
pub const AREA: Rect = Rect {
    low: Column::new(-20, -20),
    high: Column::new(19, 19),
};

/// The lowest and the highest floor of random worlds and random batches, in steps.
pub const HEIGHTS: (i32, i32) = (-3, 14);

/// What a random world is rich in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WorldKind {
    /// One floor at height 0 with holes and strips of nothing.
    Flat,
    /// One floor a column, heights that roll, with cliffs.
    Hilly,
    /// Storeys, ramps, and columns with many floors close together.
    Storeys,
    /// Flat, with passages of every kind, gates and doors.
    Passages,
    /// Hilly, for an agent that falls farther than it climbs; one-way passages.
    OneWay,
    /// Flat, with swamp, water, trees and terrains of the user's, some of them dear.
    Terrains,
    /// Flat, with many thin walls.
    Walls,
    /// Some of everything.
    Mixed,
}

impl WorldKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Flat,
        Self::Hilly,
        Self::Storeys,
        Self::Passages,
        Self::OneWay,
        Self::Terrains,
        Self::Walls,
        Self::Mixed,
    ];
}

/// A world of this kind; its profile is whom it is made for. Every fourth seed makes one that is
/// nearly full, every fourth one that is nearly empty.
///
/// ```
/// use wayfarer_testkit::random::{WorldKind, random_world};
/// let plan = random_world(7, WorldKind::Storeys);
/// assert_eq!(plan, random_world(7, WorldKind::Storeys));
/// assert!(plan.cells.len() > 100);
/// ```
pub fn random_world(seed: u64, kind: WorldKind) -> WorldPlan {
    let mut dice = Dice::for_part(seed, kind as u64);
    let dice = &mut dice;
    let n_holes = match seed % 4 {
        0 => 3,
        1 => 60,
        _ => 25,
    };
    let mut cells = match kind {
        WorldKind::Hilly | WorldKind::OneWay => hills(dice),
        WorldKind::Storeys | WorldKind::Mixed => storeys(dice),
        _ => AREA
            .columns()
            .map(|column| (column.at(0), Terrain::GROUND))
            .collect(),
    };
    punch(dice, &mut cells, n_holes);
    if matches!(kind, WorldKind::Terrains | WorldKind::Mixed) {
        paint(dice, &mut cells);
    }
    let mut plan = WorldPlan {
        profile: default_profile(kind),
        cells: cells.into_iter().collect(),
        ..WorldPlan::default()
    };
    let n_passages = match kind {
        WorldKind::Passages | WorldKind::OneWay => 20,
        WorldKind::Mixed => 8,
        _ => 0,
    };
    for _ in 0..n_passages {
        let mut passage = random_passage(dice, &plan.cells);
        if kind == WorldKind::OneWay {
            passage.ways = Ways::OneWay;
        }
        if !plan.passages.iter().any(|p| same_name(p, &passage)) {
            plan.passages.push(passage);
        }
    }
    let n_walls = match kind {
        WorldKind::Walls => 250,
        WorldKind::Mixed => 60,
        _ => 0,
    };
    for _ in 0..n_walls {
        plan.walls.extend(random_wall(dice, &plan.cells));
    }
    if matches!(kind, WorldKind::Passages | WorldKind::Mixed) {
        hang_doors(dice, &mut plan);
    }
    plan.walls.sort_unstable();
    plan.walls.dedup();
    plan
}

/// Some agent: narrow or wide, low or tall, with some keys, terrains and prices.
pub fn random_profile(dice: &mut Dice) -> Profile {
    let radii = [0, 100, 128, 129, 180, 182, 256, 371, 400];
    let user = [Terrain::GROUND, Terrain::SWAMP, Terrain::WATER, terrain(4)];
    let mut prices = Vec::new();
    for terrain in user {
        if dice.chance(1, 3) {
            let dear = 16 + dice.below(100);
            prices.push((terrain, price(dear)));
        }
    }
    let climb = dice.between(0, 3);
    Profile {
        // Two of three are narrow: wide ones find few ways.
        radius: Fixed::from_raw(if dice.chance(2, 3) {
            128
        } else {
            *dice.pick(&radii).expect("there are radii")
        }),
        height: dice.between(1, 4),
        climb,
        drop: if dice.chance(1, 2) {
            climb
        } else {
            dice.between(0, 5)
        },
        keys: dice.below(16),
        terrains: Terrain::GROUND.bit() | u64::from(dice.below(32)),
        prices,
    }
}

/// Whom a world of this kind is made for.
fn default_profile(kind: WorldKind) -> Profile {
    let mut profile = Profile::WALKER;
    if matches!(kind, WorldKind::OneWay | WorldKind::Mixed) {
        profile.drop = 3;
    }
    if matches!(kind, WorldKind::Terrains | WorldKind::Mixed) {
        profile.terrains |= terrain(4).bit() | terrain(5).bit();
        profile.prices = vec![(Terrain::SWAMP, price(40)), (terrain(5), price(25))];
    }
    if matches!(kind, WorldKind::Passages | WorldKind::Mixed) {
        profile.keys = 0b10;
    }
    profile
}

pub(crate) fn terrain(number: u8) -> Terrain {
    Terrain::new(number).expect("random worlds name terrains below 64")
}

pub(crate) fn price(sixteenths: u32) -> Price {
    let sixteenths = u16::try_from(sixteenths).expect("random prices are small");
    Price::from_sixteenths(sixteenths).expect("random prices are at least 1")
}

type Cells = BTreeMap<Cell, Terrain>;

fn hills(dice: &mut Dice) -> Cells {
    // Heights at the corners of a lattice of 8 columns, and straight lines between them.
    let mut lattice = BTreeMap::new();
    for j in -3..=3 {
        for i in -3..=3 {
            lattice.insert((i, j), dice.between(HEIGHTS.0, HEIGHTS.1 - 4));
        }
    }
    let mut cells = Cells::new();
    for column in AREA.columns() {
        let (i, j) = (column.x.div_euclid(8), column.y.div_euclid(8));
        let (x, y) = (column.x.rem_euclid(8), column.y.rem_euclid(8));
        let at = |i, j| lattice[&(i, j)];
        let north = at(i, j) * (8 - x) + at(i + 1, j) * x;
        let south = at(i, j + 1) * (8 - x) + at(i + 1, j + 1) * x;
        let mut z = (north * (8 - y) + south * y).div_euclid(64);
        if dice.chance(1, 12) {
            z += dice.between(-2, 3);
        }
        let z = z.clamp(HEIGHTS.0, HEIGHTS.1);
        cells.insert(column.at(z), Terrain::GROUND);
    }
    cells
}

fn storeys(dice: &mut Dice) -> Cells {
    let mut cells = Cells::new();
    for column in AREA.columns() {
        cells.insert(column.at(0), Terrain::GROUND);
    }
    // Platforms above the ground, some too low to walk under.
    for _ in 0..14 {
        let z = dice.between(1, HEIGHTS.1);
        for column in random_rect(dice, 14).columns() {
            cells.insert(column.at(z), Terrain::GROUND);
        }
    }
    // Ramps one or two columns wide that rise by one step a column.
    for _ in 0..14 {
        let from = random_column(dice);
        let (along_x, wide) = (dice.chance(1, 2), dice.between(0, 1));
        let base = dice.between(-1, 6);
        for z in 0..=dice.between(3, 7) {
            for side in 0..=wide {
                let (dx, dy) = if along_x { (z, side) } else { (side, z) };
                let column = Column::new(from.x + dx, from.y + dy);
                if AREA.contains(column) {
                    cells.insert(column.at(base + z), Terrain::GROUND);
                }
            }
        }
    }
    // A spiral stair around a pillar: four columns, many turns.
    let at = random_column(dice);
    for z in 0..=HEIGHTS.1 {
        let (dx, dy) = [(0, 0), (1, 0), (1, 1), (0, 1)][(z.unsigned_abs() % 4) as usize];
        let column = Column::new((at.x + dx).min(AREA.high.x), (at.y + dy).min(AREA.high.y));
        cells.insert(column.at(z), Terrain::GROUND);
    }
    // Columns with floors at any height.
    for _ in 0..60 {
        let column = random_column(dice);
        for _ in 0..dice.below(5) {
            let z = dice.between(HEIGHTS.0, HEIGHTS.1);
            cells.insert(column.at(z), Terrain::GROUND);
        }
    }
    cells
}

/// Takes floors away: specks, blocks, and strips across the whole area with few gaps.
fn punch(dice: &mut Dice, cells: &mut Cells, n_holes: u32) {
    let mut gone: Vec<Column> = Vec::new();
    for _ in 0..n_holes {
        match dice.below(4) {
            0 => gone.extend(random_rect(dice, 7).columns()),
            1 => gone.extend(random_strip(dice).columns().filter(|_| !dice.chance(1, 9))),
            _ => {
                for _ in 0..12 {
                    gone.push(random_column(dice));
                }
            }
        }
    }
    gone.sort_unstable();
    cells.retain(|cell, _| {
        let holed = gone.binary_search(&cell.column()).is_ok();
        // Of several floors one is hit.
        !(holed && (cell.z <= 0 || cell.z % 2 == 0))
    });
}

fn paint(dice: &mut Dice, cells: &mut Cells) {
    for _ in 0..30 {
        let kind = terrain(u8::try_from(1 + dice.below(6)).expect("a few kinds"));
        let rect = random_rect(dice, 8);
        for (cell, terrain) in cells.iter_mut() {
            if rect.contains(cell.column()) {
                *terrain = kind;
            }
        }
    }
}

pub(crate) fn random_column(dice: &mut Dice) -> Column {
    Column::new(
        dice.between(AREA.low.x, AREA.high.x),
        dice.between(AREA.low.y, AREA.high.y),
    )
}

/// A rectangle of at most `most` columns a side, inside the area.
pub(crate) fn random_rect(dice: &mut Dice, most: i32) -> Rect {
    let low = random_column(dice);
    let high = Column::new(
        (low.x + dice.between(0, most - 1)).min(AREA.high.x),
        (low.y + dice.between(0, most - 1)).min(AREA.high.y),
    );
    Rect { low, high }
}

/// One row or one column across the whole area.
pub(crate) fn random_strip(dice: &mut Dice) -> Rect {
    let at = random_column(dice);
    if dice.chance(1, 2) {
        Rect {
            low: Column::new(AREA.low.x, at.y),
            high: Column::new(AREA.high.x, at.y),
        }
    } else {
        Rect {
            low: Column::new(at.x, AREA.low.y),
            high: Column::new(at.x, AREA.high.y),
        }
    }
}

pub(crate) fn random_gate(dice: &mut Dice) -> Gate {
    match dice.below(5) {
        0 => Gate::Closed,
        1 => Gate::Locked(1 + dice.below(7)),
        _ => Gate::Open,
    }
}

/// A passage between two different cells of `cells`; now and then one end has no floor.
pub(crate) fn random_passage(dice: &mut Dice, cells: &[(Cell, Terrain)]) -> Passage {
    let end = |dice: &mut Dice| match dice.pick(cells) {
        Some((cell, _)) if !dice.chance(1, 16) => *cell,
        _ => random_column(dice).at(dice.between(HEIGHTS.0, HEIGHTS.1)),
    };
    let from = end(dice);
    let mut to = end(dice);
    while to == from {
        to = end(dice);
    }
    Passage {
        from,
        to,
        kind: *dice
            .pick(&PassageKind::ALL)
            .expect("there are kinds of passages"),
        ways: if dice.chance(1, 3) {
            Ways::OneWay
        } else {
            Ways::Both
        },
        cost: Cost::from_units(1 + dice.below(20_000)),
        gate: random_gate(dice),
    }
}

/// A thin wall at the edge of one of `cells`.
pub(crate) fn random_wall(dice: &mut Dice, cells: &[(Cell, Terrain)]) -> Option<Wall> {
    let cell = dice.pick(cells)?.0;
    let side = if dice.chance(1, 2) {
        WallSide::East
    } else {
        WallSide::South
    };
    Some(Wall { cell, side })
}

/// A thin wall along a whole row or column of the area, with a door or two in it.
fn hang_doors(dice: &mut Dice, plan: &mut WorldPlan) {
    let at = random_column(dice);
    let along_x = dice.chance(1, 2);
    for &(cell, _) in &plan.cells {
        let (hit, side) = if along_x {
            (cell.y == at.y, WallSide::South)
        } else {
            (cell.x == at.x, WallSide::East)
        };
        if !hit {
            continue;
        }
        plan.walls.push(Wall { cell, side });
        let (dx, dy) = side.direction().offset();
        let to = Cell::new(cell.x + dx, cell.y + dy, cell.z);
        let has_floor = plan.cells.iter().any(|&(other, _)| other == to);
        if has_floor && dice.chance(1, 12) {
            let door = Passage {
                from: cell,
                to,
                kind: PassageKind::Door,
                ways: Ways::Both,
                cost: Cost::from_units(1463),
                gate: random_gate(dice),
            };
            if !plan.passages.iter().any(|p| same_name(p, &door)) {
                plan.passages.push(door);
            }
        }
    }
}

fn same_name(a: &Passage, b: &Passage) -> bool {
    (a.from, a.to, a.kind) == (b.from, b.to, b.kind)
}

#[cfg(test)]
mod tests;
