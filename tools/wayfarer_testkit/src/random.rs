//! Small worlds drawn at random, and profiles to walk them with; [`batch`] draws edits to change them.
//!
//! Every world lies in [`AREA`], which crosses sector borders and holds negative coordinates, with
//! floors in [`HEIGHTS`]; equal seeds give equal worlds on every machine.

use std::collections::BTreeMap;

use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Fixed, LinkDirection, LinkState, NavLink, NavLinkKind,
    Profile, Rect, Rng, Terrain, Wall, WallSide, WorldData,
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
    /// Floors, ramps, and columns with many floors close together.
    Floors,
    /// Flat, with nav links of every kind, gates and doors.
    NavLinks,
    /// Hilly, for an agent that falls farther than it climbs; one-way nav links.
    OneWay,
    /// Flat, with swamp, water, trees and terrains of the user's, some of them costly.
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
        Self::Floors,
        Self::NavLinks,
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
/// let plan = random_world(7, WorldKind::Floors);
/// assert_eq!(plan, random_world(7, WorldKind::Floors));
/// assert!(plan.cells.len() > 100);
/// ```
pub fn random_world(seed: u64, kind: WorldKind) -> WorldData {
    let mut rng = Rng::for_part(seed, kind as u64);
    let rng = &mut rng;
    let n_holes = match seed % 4 {
        0 => 3,
        1 => 60,
        _ => 25,
    };
    let mut cells = match kind {
        WorldKind::Hilly | WorldKind::OneWay => hills(rng),
        WorldKind::Floors | WorldKind::Mixed => floors(rng),
        _ => AREA
            .columns()
            .map(|column| (column.at(0), Terrain::GROUND))
            .collect(),
    };
    punch(rng, &mut cells, n_holes);
    if matches!(kind, WorldKind::Terrains | WorldKind::Mixed) {
        paint(rng, &mut cells);
    }
    let mut plan = WorldData {
        profile: default_profile(kind),
        cells: cells.into_iter().collect(),
        ..WorldData::default()
    };
    let n_nav_links = match kind {
        WorldKind::NavLinks | WorldKind::OneWay => 20,
        WorldKind::Mixed => 8,
        _ => 0,
    };
    for _ in 0..n_nav_links {
        let mut nav_link = random_nav_link(rng, &plan.cells);
        if kind == WorldKind::OneWay {
            nav_link.direction = LinkDirection::OneWay;
        }
        if !plan.nav_links.iter().any(|p| same_name(p, &nav_link)) {
            plan.nav_links.push(nav_link);
        }
    }
    let n_walls = match kind {
        WorldKind::Walls => 250,
        WorldKind::Mixed => 60,
        _ => 0,
    };
    for _ in 0..n_walls {
        plan.walls.extend(random_wall(rng, &plan.cells));
    }
    if matches!(kind, WorldKind::NavLinks | WorldKind::Mixed) {
        hang_doors(rng, &mut plan);
    }
    plan.walls.sort_unstable();
    plan.walls.dedup();
    plan
}

/// Some agent: narrow or wide, low or tall, with some keys, terrains and cost multipliers.
pub fn random_profile(rng: &mut Rng) -> Profile {
    let radii = [0, 100, 128, 129, 180, 182, 256, 371, 400];
    let user = [Terrain::GROUND, Terrain::SWAMP, Terrain::WATER, terrain(4)];
    let mut multipliers = Vec::new();
    for terrain in user {
        if rng.chance(1, 3) {
            let costly = 16 + rng.below(100);
            multipliers.push((terrain, cost_multiplier(costly)));
        }
    }
    let climb = rng.between(0, 3);
    Profile {
        // Two of three are narrow: wide ones find few paths.
        radius: Fixed::from_raw(if rng.chance(2, 3) {
            128
        } else {
            *rng.pick(&radii).expect("there are radii")
        }),
        height: rng.between(1, 4),
        max_step: climb,
        max_drop: if rng.chance(1, 2) {
            climb
        } else {
            rng.between(0, 5)
        },
        keys: rng.below(16),
        allowed_terrains: Terrain::GROUND.bit() | u64::from(rng.below(32)),
        terrain_costs: multipliers,
    }
}

/// Whom a world of this kind is made for.
fn default_profile(kind: WorldKind) -> Profile {
    let mut profile = Profile::DEFAULT;
    if matches!(kind, WorldKind::OneWay | WorldKind::Mixed) {
        profile.max_drop = 3;
    }
    if matches!(kind, WorldKind::Terrains | WorldKind::Mixed) {
        profile.allowed_terrains |= terrain(4).bit() | terrain(5).bit();
        profile.terrain_costs = vec![
            (Terrain::SWAMP, cost_multiplier(40)),
            (terrain(5), cost_multiplier(25)),
        ];
    }
    if matches!(kind, WorldKind::NavLinks | WorldKind::Mixed) {
        profile.keys = 0b10;
    }
    profile
}

pub(crate) fn terrain(number: u8) -> Terrain {
    Terrain::new(number).expect("random worlds name terrains below 64")
}

pub(crate) fn cost_multiplier(sixteenths: u32) -> CostMultiplier {
    let sixteenths = u16::try_from(sixteenths).expect("random prices are small");
    CostMultiplier::from_sixteenths(sixteenths).expect("random prices are at least 1")
}

type Cells = BTreeMap<Cell, Terrain>;

fn hills(rng: &mut Rng) -> Cells {
    // Heights at the corners of a lattice of 8 columns, and straight lines between them.
    let mut lattice = BTreeMap::new();
    for j in -3..=3 {
        for i in -3..=3 {
            lattice.insert((i, j), rng.between(HEIGHTS.0, HEIGHTS.1 - 4));
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
        if rng.chance(1, 12) {
            z += rng.between(-2, 3);
        }
        let z = z.clamp(HEIGHTS.0, HEIGHTS.1);
        cells.insert(column.at(z), Terrain::GROUND);
    }
    cells
}

fn floors(rng: &mut Rng) -> Cells {
    let mut cells = Cells::new();
    for column in AREA.columns() {
        cells.insert(column.at(0), Terrain::GROUND);
    }
    // Platforms above the ground, some too low to walk under.
    for _ in 0..14 {
        let z = rng.between(1, HEIGHTS.1);
        for column in random_rect(rng, 14).columns() {
            cells.insert(column.at(z), Terrain::GROUND);
        }
    }
    // Ramps one or two columns wide that rise by one step a column.
    for _ in 0..14 {
        let from = random_column(rng);
        let (along_x, wide) = (rng.chance(1, 2), rng.between(0, 1));
        let base = rng.between(-1, 6);
        for z in 0..=rng.between(3, 7) {
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
    let at = random_column(rng);
    for z in 0..=HEIGHTS.1 {
        let (dx, dy) = [(0, 0), (1, 0), (1, 1), (0, 1)][(z.unsigned_abs() % 4) as usize];
        let column = Column::new((at.x + dx).min(AREA.high.x), (at.y + dy).min(AREA.high.y));
        cells.insert(column.at(z), Terrain::GROUND);
    }
    // Columns with floors at any height.
    for _ in 0..60 {
        let column = random_column(rng);
        for _ in 0..rng.below(5) {
            let z = rng.between(HEIGHTS.0, HEIGHTS.1);
            cells.insert(column.at(z), Terrain::GROUND);
        }
    }
    cells
}

/// Takes floors away: specks, blocks, and strips across the whole area with few gaps.
fn punch(rng: &mut Rng, cells: &mut Cells, n_holes: u32) {
    let mut gone: Vec<Column> = Vec::new();
    for _ in 0..n_holes {
        match rng.below(4) {
            0 => gone.extend(random_rect(rng, 7).columns()),
            1 => gone.extend(random_strip(rng).columns().filter(|_| !rng.chance(1, 9))),
            _ => {
                for _ in 0..12 {
                    gone.push(random_column(rng));
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

fn paint(rng: &mut Rng, cells: &mut Cells) {
    for _ in 0..30 {
        let kind = terrain(u8::try_from(1 + rng.below(6)).expect("a few kinds"));
        let rect = random_rect(rng, 8);
        for (cell, terrain) in cells.iter_mut() {
            if rect.contains(cell.column()) {
                *terrain = kind;
            }
        }
    }
}

pub(crate) fn random_column(rng: &mut Rng) -> Column {
    Column::new(
        rng.between(AREA.low.x, AREA.high.x),
        rng.between(AREA.low.y, AREA.high.y),
    )
}

/// A rectangle of at most `most` columns a side, inside the area.
pub(crate) fn random_rect(rng: &mut Rng, most: i32) -> Rect {
    let low = random_column(rng);
    let high = Column::new(
        (low.x + rng.between(0, most - 1)).min(AREA.high.x),
        (low.y + rng.between(0, most - 1)).min(AREA.high.y),
    );
    Rect { low, high }
}

/// One row or one column across the whole area.
pub(crate) fn random_strip(rng: &mut Rng) -> Rect {
    let at = random_column(rng);
    if rng.chance(1, 2) {
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

pub(crate) fn random_gate(rng: &mut Rng) -> LinkState {
    match rng.below(5) {
        0 => LinkState::Closed,
        1 => LinkState::Locked(1 + rng.below(7)),
        _ => LinkState::Open,
    }
}

/// A nav link between two different cells of `cells`; now and then one end has no floor.
pub(crate) fn random_nav_link(rng: &mut Rng, cells: &[(Cell, Terrain)]) -> NavLink {
    let end = |rng: &mut Rng| match rng.pick(cells) {
        Some((cell, _)) if !rng.chance(1, 16) => *cell,
        _ => random_column(rng).at(rng.between(HEIGHTS.0, HEIGHTS.1)),
    };
    let from = end(rng);
    let mut to = end(rng);
    while to == from {
        to = end(rng);
    }
    NavLink {
        from,
        to,
        kind: *rng
            .pick(&NavLinkKind::ALL)
            .expect("there are kinds of passages"),
        direction: if rng.chance(1, 3) {
            LinkDirection::OneWay
        } else {
            LinkDirection::Bidirectional
        },
        cost: Cost::from_units(1 + rng.below(20_000)),
        state: random_gate(rng),
    }
}

/// A thin wall at the edge of one of `cells`.
pub(crate) fn random_wall(rng: &mut Rng, cells: &[(Cell, Terrain)]) -> Option<Wall> {
    let cell = rng.pick(cells)?.0;
    let side = if rng.chance(1, 2) {
        WallSide::East
    } else {
        WallSide::South
    };
    Some(Wall { cell, side })
}

/// A thin wall along a whole row or column of the area, with a door or two in it.
fn hang_doors(rng: &mut Rng, plan: &mut WorldData) {
    let at = random_column(rng);
    let along_x = rng.chance(1, 2);
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
        if has_floor && rng.chance(1, 12) {
            let door = NavLink {
                from: cell,
                to,
                kind: NavLinkKind::Door,
                direction: LinkDirection::Bidirectional,
                cost: Cost::from_units(1463),
                state: random_gate(rng),
            };
            if !plan.nav_links.iter().any(|p| same_name(p, &door)) {
                plan.nav_links.push(door);
            }
        }
    }
}

fn same_name(a: &NavLink, b: &NavLink) -> bool {
    (a.from, a.to, a.kind) == (b.from, b.to, b.kind)
}

#[cfg(test)]
mod tests;
