//! Which single steps an agent may take from a cell, and what each costs, straight from the rules.
//!
//! The exact rules, in the words of `wayfarer_base::profile` with every gap filled:
//!
//! * A floor is *open* to a profile if the profile may walk on its terrain and the next floor
//!   above it in the same column, of whatever terrain, is at least `height` steps higher.
//! * The floor *over* column B from height z is the open floor of B between `z - max_drop` and
//!   `z + max_step` (both included) that is nearest to z; of two equally near, the lower. Floors
//!   that are not open are looked through, as if they were not there.
//! * A *plain step* leads from a cell to the floor over the next column in a straight direction,
//!   unless a thin wall stands on that edge. The wall is looked up from the western or northern
//!   one of the two cells, with that cell's own height, so it forbids both ways.
//! * A diagonal step leads to the cell that two plain steps reach, if both orders of the two
//!   (first along x, first along y) reach one and the same cell.
//! * An agent *stands* in an open cell if every square that its open disc around the middle of
//!   the cell touches has a floor over it from the agent's height (its own square has: its own
//!   floor). A disc touches a square if some point of the closed square is nearer to the middle
//!   than the radius; up to half a cell that is the own square only. Thin walls do not hinder
//!   a disc.
//! * A step, straight or diagonal, needs an agent that stands at both ends, each judged from the
//!   floor of that end. Squares that the disc touches only between the two, on the straight path
//!   from middle to middle, must have a floor over them from both heights. (Only agents wider
//!   than a cell meet such squares, and only on diagonals: along an axis the two discs cover
//!   all, and the two squares beside a corner are judged by the diagonal rule.)
//! * A nav link can be taken if its gate lets the agent's keys through and the agent stands at
//!   both ends; a one-way nav link from `from` to `to` only. It costs its own cost, whatever
//!   terrain and effects lie at its ends.
//!
//! Costs, in whole units: 1463 for a straight step and 2069 for a diagonal, times the sum of the
//! two cells' cost multipliers in sixteenths, divided by 32 and rounded down; at most `u32::MAX`. A cell's
//! cost multiplier is its terrain's (16 if the profile names none) plus, for every effect that covers its
//! column and whose heights include its own, that effect's cost multiplier less 16; at most 65,535.

use wayfarer_base::{
    Cell, Column, Cost, LinkDirection, LinkState, Profile, Terrain, Wall, WallSide,
};

use super::ReferenceWorld;

const STRAIGHT: u64 = 1463;
const DIAGONAL: u64 = 2069;

impl ReferenceWorld {
    /// Every step that `profile` may take from `cell`, with its cost: first the eight directions
    /// clockwise from north, then nav links in the order of names. Two paths to one cell are two
    /// steps. None if the agent cannot stand in `cell`.
    pub fn steps(&self, cell: Cell, profile: &Profile) -> Vec<(Cell, Cost)> {
        let mut steps = Vec::new();
        if !self.stands(cell, profile) {
            return steps;
        }
        for (dx, dy) in [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ] {
            let length = if dx == 0 || dy == 0 {
                STRAIGHT
            } else {
                DIAGONAL
            };
            if let Some(to) = self.walk(cell, (dx, dy), profile) {
                steps.push((to, self.step_cost(length, cell, to, profile)));
            }
        }
        for nav_link in self.nav_links() {
            let there = nav_link.from == cell;
            let back = nav_link.to == cell && nav_link.direction == LinkDirection::Bidirectional;
            for (taken, to) in [(there, nav_link.to), (back, nav_link.from)] {
                if taken && opens(nav_link.state, profile.keys) && self.stands(to, profile) {
                    steps.push((to, nav_link.cost));
                }
            }
        }
        steps
    }

    /// Where a walker who stands in `cell` gets in one of the eight directions, if anywhere.
    pub fn walk(&self, cell: Cell, (dx, dy): (i32, i32), profile: &Profile) -> Option<Cell> {
        let to = if dx == 0 || dy == 0 {
            self.uniform_step(cell, (dx, dy), profile)?
        } else {
            let along_x = self.uniform_step(cell, (dx, 0), profile);
            let along_x = self.uniform_step(along_x?, (0, dy), profile);
            let along_y = self.uniform_step(cell, (0, dy), profile);
            let along_y = self.uniform_step(along_y?, (dx, 0), profile);
            along_x.filter(|_| along_x == along_y)?
        };
        let stands = self.stands(to, profile);
        (stands && self.fits_between(cell, to, profile)).then_some(to)
    }

    /// True if `cell` has a floor that is open to `profile`: the right terrain and enough room
    /// above. Says nothing about how wide the agent is.
    pub fn is_open(&self, cell: Cell, profile: &Profile) -> bool {
        open_floors(self.floors(cell.column()), profile).any(|z| z == cell.z)
    }

    /// True if an agent of this profile may stand in the middle of `cell`.
    pub fn stands(&self, cell: Cell, profile: &Profile) -> bool {
        self.is_open(cell, profile)
            && dirty(profile, (0, 0))
                .into_iter()
                .all(|(dx, dy)| self.floor_over(cell, (dx, dy), profile).is_some())
    }

    /// What `profile` pays for the ground of `cell`, in sixteenths, effects included.
    pub fn cost_multiplier(&self, cell: Cell, profile: &Profile) -> u16 {
        let terrain = self.terrain(cell);
        let named = profile
            .terrain_costs
            .iter()
            .find(|(of, _)| Some(*of) == terrain)
            .map_or(16, |(_, multiplier)| u64::from(multiplier.sixteenths()));
        let mut multiplier = named;
        for (modifier, covered) in self.modifiers.values() {
            let (low, high) = modifier.heights;
            if covered.contains(&cell.column()) && low <= cell.z && cell.z <= high {
                multiplier += u64::from(modifier.multiplier.sixteenths()) - 16;
            }
        }
        u16::try_from(multiplier).unwrap_or(u16::MAX)
    }

    fn step_cost(&self, length: u64, from: Cell, to: Cell, profile: &Profile) -> Cost {
        let multipliers = u64::from(self.cost_multiplier(from, profile))
            + u64::from(self.cost_multiplier(to, profile));
        Cost::from_units(u32::try_from(length * multipliers / 32).unwrap_or(u32::MAX))
    }

    fn uniform_step(&self, cell: Cell, (dx, dy): (i32, i32), profile: &Profile) -> Option<Cell> {
        let to = self.floor_over(cell, (dx, dy), profile)?;
        let wall = match (dx, dy) {
            (1, _) => (cell, WallSide::East),
            (-1, _) => (to, WallSide::East),
            (_, 1) => (cell, WallSide::South),
            _ => (to, WallSide::South),
        };
        let (cell, side) = wall;
        (!self.walls.contains(&Wall { cell, side })).then_some(to)
    }

    /// The cell that one gets to from `cell` over the column so far away, by height alone.
    fn floor_over(&self, cell: Cell, (dx, dy): (i32, i32), profile: &Profile) -> Option<Cell> {
        let column = Column::new(cell.x.checked_add(dx)?, cell.y.checked_add(dy)?);
        let from = i64::from(cell.z);
        let (low, high) = (
            from - i64::from(profile.max_drop),
            from + i64::from(profile.max_step),
        );
        open_floors(self.floors(column), profile)
            .filter(|&z| low <= i64::from(z) && i64::from(z) <= high)
            .min_by_key(|&z| ((i64::from(z) - from).abs(), z))
            .map(|z| column.at(z))
    }

    /// True if the squares that the disc meets only on the way have floors from both heights.
    fn fits_between(&self, from: Cell, to: Cell, profile: &Profile) -> bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let at_start = dirty(profile, (0, 0));
        dirty(profile, (dx, dy)).into_iter().all(|(x, y)| {
            let at_end = at_start.contains(&(x - dx, y - dy));
            at_start.contains(&(x, y))
                || at_end
                || (self.floor_over(from, (x, y), profile).is_some()
                    && self.floor_over(to, (x - dx, y - dy), profile).is_some())
        })
    }
}

/// The heights that are open to `profile` among the floors of one column.
fn open_floors(floors: &[(i32, Terrain)], profile: &Profile) -> impl Iterator<Item = i32> {
    (0..floors.len()).filter_map(move |index| {
        let (z, terrain) = floors[index];
        let walkable = profile.allowed_terrains >> terrain.number() & 1 == 1;
        let room = floors
            .get(index + 1)
            .is_none_or(|&(above, _)| i64::from(above) - i64::from(z) >= i64::from(profile.height));
        (walkable && room).then_some(z)
    })
}

fn opens(gate: LinkState, keys: u32) -> bool {
    match gate {
        LinkState::Open => true,
        LinkState::Closed => false,
        LinkState::Locked(lock) => (0..32).all(|bit| lock >> bit & 1 == 0 || keys >> bit & 1 == 1),
    }
}

/// The squares other than (0, 0) and `delta` that the agent's open disc touches on its way from the
/// middle of square (0, 0) to the middle of square `delta`, at most one step off.
///
/// The two ends are left out because the rules speak of their floors anyway.
fn dirty(profile: &Profile, delta: (i32, i32)) -> Vec<(i32, i32)> {
    let radius = i64::from(profile.radius.raw());
    let reach = i32::try_from(radius / 256).unwrap_or(i32::MAX - 2) + 2;
    let mut squares = Vec::new();
    if radius <= 128 {
        return squares; // the two squares beside a corner are the diagonal rule's affair
    }
    for y in -reach..=reach {
        for x in -reach..=reach {
            if (x, y) != (0, 0) && (x, y) != delta && comes_within(radius, delta, (x, y)) {
                squares.push((x, y));
            }
        }
    }
    squares
}

/// True if the segment from (0, 0) to `delta` comes nearer than `radius` / 256 to the square of
/// side 1 around `square`.
///
/// All in 1/256 of a cell. The squared distance of the nearest points is found at a corner of the
/// square against the segment or at an end of the segment against the square, unless they meet.
fn comes_within(radius: i64, delta: (i32, i32), square: (i32, i32)) -> bool {
    let (wx, wy) = (i64::from(delta.0) * 256, i64::from(delta.1) * 256);
    let (sx, sy) = (i64::from(square.0) * 256, i64::from(square.1) * 256);
    let limit = radius * radius;
    // An end of the segment against the square.
    for (x, y) in [(0, 0), (wx, wy)] {
        let beside_x = ((x - sx).abs() - 128).max(0);
        let beside_y = ((y - sy).abs() - 128).max(0);
        if beside_x * beside_x + beside_y * beside_y < limit {
            return true;
        }
    }
    // A corner of the square against the inside of the segment.
    let length = wx * wx + wy * wy;
    for (cx, cy) in [(-128, -128), (128, -128), (-128, 128), (128, 128)] {
        let (cx, cy) = (sx + cx, sy + cy);
        let reach = cx * wx + cy * wy;
        let beside = wx * cy - wy * cx;
        if length > 0 && 0 < reach && reach < length && beside * beside < limit * length {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
