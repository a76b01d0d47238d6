//! Random small worlds and profiles; random edits are in [`batch`].
//!
//! Every world lies in [`AREA`], which spans sector borders and negative coordinates, with floors
//! in [`HEIGHTS`]; equal seeds give equal worlds on every target.

use std::collections::BTreeMap;

use wayfarer_base::{
    Cell, Column, Cost, CostMultiplier, Fixed, LinkDirection, LinkState, NavLink, NavLinkKind,
    Profile, Rect, Rng, Terrain, Wall, WallSide, WorldData,
};

pub mod batch;

/// The columns of random worlds and batches: 40 by 40, over 16 sectors.
pub const AREA: Rect = Rect {
    low: Column::new(-20, -20),
    high: Column::new(19, 19),
};

/// The lowest and highest floor of random worlds and batches, in steps.
pub const HEIGHTS: (i32, i32) = (-3, 14);

/// The emphasis of a random world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WorldKind {
    /// One floor at height 0 with holes and empty strips.
    Flat,
    /// One floor per column, rolling heights with cliffs.
    Hilly,
    /// Platforms, ramps, and columns with many floors close together.
    Floors,
    /// Flat, with nav links of every kind and state, and doors.
    NavLinks,
    /// Hilly, with a max drop above the max step and one-way nav links.
    OneWay,
    /// Flat, with swamp, water, trees and user terrains, some of them costly.
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

/// A random world with a matching default profile. One in four seeds gives a nearly full world, one
/// in four a nearly empty one.
///
/// ```
/// use wayfarer_testkit::random::{WorldKind, random_world};
/// let data = random_world(7, WorldKind::Floors);
/// assert_eq!(data, random_world(7, WorldKind::Floors));
/// assert!(data.cells.len() > 100);
/// ```
pub fn random_world(seed: u64, kind: WorldKind) -> WorldData {
    let mut rng = Rng::for_stream(seed, kind as u64);
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
    remove_floors(rng, &mut cells, n_holes);
    if matches!(kind, WorldKind::Terrains | WorldKind::Mixed) {
        set_terrains(rng, &mut cells);
    }
    let mut data = WorldData {
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
        let mut nav_link = random_nav_link(rng, &data.cells);
        if kind == WorldKind::OneWay {
            nav_link.direction = LinkDirection::OneWay;
        }
        if !data.nav_links.iter().any(|p| is_same_id(p, &nav_link)) {
            data.nav_links.push(nav_link);
        }
    }
    let n_walls = match kind {
        WorldKind::Walls => 250,
        WorldKind::Mixed => 60,
        _ => 0,
    };
    for _ in 0..n_walls {
        data.walls.extend(random_wall(rng, &data.cells));
    }
    if matches!(kind, WorldKind::NavLinks | WorldKind::Mixed) {
        add_doors(rng, &mut data);
    }
    data.walls.sort_unstable();
    data.walls.dedup();
    data
}

/// A random profile: radius, height, step limits, keys, terrains and their costs.
pub fn random_profile(rng: &mut Rng) -> Profile {
    let radii = [0, 100, 128, 129, 180, 182, 256, 371, 400];
    let terrains = [Terrain::GROUND, Terrain::SWAMP, Terrain::WATER, terrain(4)];
    let mut multipliers = Vec::new();
    for terrain in terrains {
        if rng.chance(1, 3) {
            let sixteenths = 16 + rng.below(100);
            multipliers.push((terrain, cost_multiplier(sixteenths)));
        }
    }
    let max_step = rng.between(0, 3);
    Profile {
        // Two of three are narrow: wide agents find few paths.
        radius: Fixed::from_raw(if rng.chance(2, 3) {
            128
        } else {
            *rng.pick(&radii).expect("there are radii")
        }),
        height: rng.between(1, 4),
        max_step,
        max_drop: if rng.chance(1, 2) {
            max_step
        } else {
            rng.between(0, 5)
        },
        keys: rng.below(16),
        allowed_terrains: Terrain::GROUND.bit() | u64::from(rng.below(32)),
        terrain_costs: multipliers,
    }
}

/// The default profile of a world of this kind.
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
    Terrain::new(number).expect("random terrains are below 64")
}

pub(crate) fn cost_multiplier(sixteenths: u32) -> CostMultiplier {
    let sixteenths = u16::try_from(sixteenths).expect("random multipliers are small");
    CostMultiplier::from_sixteenths(sixteenths).expect("random multipliers are at least 1")
}

type Cells = BTreeMap<Cell, Terrain>;

fn hills(rng: &mut Rng) -> Cells {
    // Heights on a lattice of 8 columns, with bilinear interpolation.
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
    // Platforms above the ground, some without headroom below.
    for _ in 0..14 {
        let z = rng.between(1, HEIGHTS.1);
        for column in random_rect(rng, 14).columns() {
            cells.insert(column.at(z), Terrain::GROUND);
        }
    }
    // Ramps one or two columns wide that rise by one step per column.
    for _ in 0..14 {
        let from = random_column(rng);
        let (along_x, extra_width) = (rng.chance(1, 2), rng.between(0, 1));
        let base = rng.between(-1, 6);
        for z in 0..=rng.between(3, 7) {
            for side in 0..=extra_width {
                let (dx, dy) = if along_x { (z, side) } else { (side, z) };
                let column = Column::new(from.x + dx, from.y + dy);
                if AREA.contains(column) {
                    cells.insert(column.at(base + z), Terrain::GROUND);
                }
            }
        }
    }
    // A spiral staircase on four columns.
    let at = random_column(rng);
    for z in 0..=HEIGHTS.1 {
        let (dx, dy) = [(0, 0), (1, 0), (1, 1), (0, 1)][(z.unsigned_abs() % 4) as usize];
        let column = Column::new((at.x + dx).min(AREA.high.x), (at.y + dy).min(AREA.high.y));
        cells.insert(column.at(z), Terrain::GROUND);
    }
    // Columns with floors at random heights.
    for _ in 0..60 {
        let column = random_column(rng);
        for _ in 0..rng.below(5) {
            let z = rng.between(HEIGHTS.0, HEIGHTS.1);
            cells.insert(column.at(z), Terrain::GROUND);
        }
    }
    cells
}

/// Removes floors: single columns, rectangles, and strips across the whole area with few gaps.
fn remove_floors(rng: &mut Rng, cells: &mut Cells, n_holes: u32) {
    let mut removed: Vec<Column> = Vec::new();
    for _ in 0..n_holes {
        match rng.below(4) {
            0 => removed.extend(random_rect(rng, 7).columns()),
            1 => removed.extend(random_strip(rng).columns().filter(|_| !rng.chance(1, 9))),
            _ => {
                for _ in 0..12 {
                    removed.push(random_column(rng));
                }
            }
        }
    }
    removed.sort_unstable();
    cells.retain(|cell, _| {
        let is_hole = removed.binary_search(&cell.column()).is_ok();
        // Some of the upper floors remain.
        !(is_hole && (cell.z <= 0 || cell.z % 2 == 0))
    });
}

/// Sets random terrains in random rectangles.
fn set_terrains(rng: &mut Rng, cells: &mut Cells) {
    for _ in 0..30 {
        let new_terrain = terrain(u8::try_from(1 + rng.below(6)).expect("a small number"));
        let rect = random_rect(rng, 8);
        for (cell, terrain) in cells.iter_mut() {
            if rect.contains(cell.column()) {
                *terrain = new_terrain;
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

/// A rectangle with sides of at most `max_side` columns, inside the area.
pub(crate) fn random_rect(rng: &mut Rng, max_side: i32) -> Rect {
    let low = random_column(rng);
    let high = Column::new(
        (low.x + rng.between(0, max_side - 1)).min(AREA.high.x),
        (low.y + rng.between(0, max_side - 1)).min(AREA.high.y),
    );
    Rect { low, high }
}

/// A row or column across the whole area.
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

pub(crate) fn random_link_state(rng: &mut Rng) -> LinkState {
    match rng.below(5) {
        0 => LinkState::Closed,
        1 => LinkState::Locked(1 + rng.below(7)),
        _ => LinkState::Open,
    }
}

/// A nav link between two different cells of `cells`; occasionally one end has no floor.
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
        kind: *rng.pick(&NavLinkKind::ALL).expect("there are kinds"),
        direction: if rng.chance(1, 3) {
            LinkDirection::OneWay
        } else {
            LinkDirection::Bidirectional
        },
        cost: Cost::from_units(1 + rng.below(20_000)),
        state: random_link_state(rng),
    }
}

/// A thin wall on a random side of one of `cells`.
pub(crate) fn random_wall(rng: &mut Rng, cells: &[(Cell, Terrain)]) -> Option<Wall> {
    let cell = rng.pick(cells)?.0;
    let side = if rng.chance(1, 2) {
        WallSide::East
    } else {
        WallSide::South
    };
    Some(Wall { cell, side })
}

/// Adds a thin wall along a whole row or column of the area, with a few doors.
fn add_doors(rng: &mut Rng, data: &mut WorldData) {
    let at = random_column(rng);
    let along_x = rng.chance(1, 2);
    for &(cell, _) in &data.cells {
        let (is_on_line, side) = if along_x {
            (cell.y == at.y, WallSide::South)
        } else {
            (cell.x == at.x, WallSide::East)
        };
        if !is_on_line {
            continue;
        }
        data.walls.push(Wall { cell, side });
        let (dx, dy) = side.direction().offset();
        let to = Cell::new(cell.x + dx, cell.y + dy, cell.z);
        let has_floor = data.cells.iter().any(|&(other, _)| other == to);
        if has_floor && rng.chance(1, 12) {
            let door = NavLink {
                from: cell,
                to,
                kind: NavLinkKind::Door,
                direction: LinkDirection::Bidirectional,
                cost: Cost::from_units(1463),
                state: random_link_state(rng),
            };
            if !data.nav_links.iter().any(|p| is_same_id(p, &door)) {
                data.nav_links.push(door);
            }
        }
    }
}

fn is_same_id(a: &NavLink, b: &NavLink) -> bool {
    (a.from, a.to, a.kind) == (b.from, b.to, b.kind)
}

#[cfg(test)]
mod tests;
