//! Reference successor function of the ground.
//!
//! The complete movement rules, of which `wayfarer_base::profile` is the summary:
//!
//! * A floor is *open* to a profile if its terrain is allowed and the next floor above it in the
//!   same column, of any terrain, is at least `height` steps higher.
//! * The floor *at* column B from height z is the open floor of B between `z - max_drop` and
//!   `z + max_step` (both included) that is nearest to z; ties go to the lower floor. Floors that
//!   are not open are ignored.
//! * A *straight step* leads from a cell to the floor at the adjacent column in a cardinal
//!   direction, unless a thin wall stands on that edge. The wall is looked up at the western or
//!   northern cell, at that cell's own height, so it blocks both directions.
//! * A diagonal step leads to the cell that two straight steps reach, if both orders of the two (x
//!   first, y first) reach the same cell.
//! * An open cell is *walkable* if every square that the agent's open disc around the center of the
//!   cell overlaps has a floor at the agent's height (its own square has its own floor). A disc
//!   overlaps a square if some point of the closed square is nearer to the center than the radius;
//!   up to half a cell that is the own square only. Nor may the disc overlap a thin wall: some
//!   point of the edge it stands on is nearer than the radius. Walls are looked up at the floors
//!   at the agent's height.
//! * A step requires both ends to be walkable, each evaluated from its own floor. Squares that the
//!   disc overlaps only between the two, on the segment from center to center, must have a floor
//!   from both heights, and thin walls that it overlaps only there must not exist from either. (Only agents wider than a cell overlap such squares, and only on diagonals:
//!   along an axis the two discs cover all, and the two squares beside a corner fall under the
//!   diagonal rule.)
//! * A nav link is traversable if its state admits the agent's keys and both ends are walkable; a
//!   one-way nav link from `from` to `to` only. It costs its own cost, independent of terrain and
//!   cost modifiers at its ends.
//!
//! Costs in units: 1463 for a straight step and 2069 for a diagonal, times the sum of the two
//! cells' multipliers in sixteenths, divided by 32, rounded down, at most `u32::MAX`. The
//! multiplier of a cell is that of its terrain (16 unless listed) plus, for every cost modifier
//! that contains its column and height, that modifier's multiplier less 16; at most 65,535.

use wayfarer_base::{
    Cell, Column, Cost, LinkDirection, LinkState, Profile, Terrain, Wall, WallSide,
};

use super::ReferenceWorld;

const STRAIGHT: u64 = 1463;
const DIAGONAL: u64 = 2069;

impl ReferenceWorld {
    /// The successors of `cell` with costs: the eight directions clockwise from north, then nav
    /// links sorted by id. Two edges to the same cell are two successors. None if `cell` is not
    /// walkable.
    pub fn successors(&self, cell: Cell, profile: &Profile) -> Vec<(Cell, Cost)> {
        let mut successors = Vec::new();
        if !self.is_walkable(cell, profile) {
            return successors;
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
            if let Some(to) = self.neighbor(cell, (dx, dy), profile) {
                successors.push((to, self.step_cost(length, cell, to, profile)));
            }
        }
        for nav_link in self.nav_links() {
            let is_forward = nav_link.from == cell;
            let is_backward =
                nav_link.to == cell && nav_link.direction == LinkDirection::Bidirectional;
            for (applies, to) in [(is_forward, nav_link.to), (is_backward, nav_link.from)] {
                if applies && admits(nav_link.state, profile.keys) && self.is_walkable(to, profile)
                {
                    successors.push((to, nav_link.cost));
                }
            }
        }
        successors
    }

    /// The cell that a step from walkable `cell` in one of the eight directions reaches.
    pub fn neighbor(&self, cell: Cell, (dx, dy): (i32, i32), profile: &Profile) -> Option<Cell> {
        let to = if dx == 0 || dy == 0 {
            self.straight_step(cell, (dx, dy), profile)?
        } else {
            let along_x = self.straight_step(cell, (dx, 0), profile);
            let along_x = self.straight_step(along_x?, (0, dy), profile);
            let along_y = self.straight_step(cell, (0, dy), profile);
            let along_y = self.straight_step(along_y?, (dx, 0), profile);
            along_x.filter(|_| along_x == along_y)?
        };
        let is_walkable = self.is_walkable(to, profile);
        (is_walkable && self.fits_between(cell, to, profile)).then_some(to)
    }

    /// True if `cell` has a floor that is open to `profile`: allowed terrain and enough headroom,
    /// without regard to the agent's radius.
    pub fn is_open(&self, cell: Cell, profile: &Profile) -> bool {
        open_floors(self.floors(cell.column()), profile).any(|z| z == cell.z)
    }

    /// True if an agent of this profile fits at the center of `cell`.
    pub fn is_walkable(&self, cell: Cell, profile: &Profile) -> bool {
        self.is_open(cell, profile)
            && overlapped_squares(profile, (0, 0))
                .into_iter()
                .all(|(dx, dy)| self.floor_at(cell, (dx, dy), profile).is_some())
            && !overlapped_edges(profile, (0, 0))
                .into_iter()
                .any(|edge| self.has_wall_at(cell, edge, profile))
    }

    /// True if a thin wall stands on an edge, at the floor at its column from the height of `cell`.
    fn has_wall_at(
        &self,
        cell: Cell,
        (offset, side): ((i32, i32), WallSide),
        profile: &Profile,
    ) -> bool {
        let floor = self.floor_at(cell, offset, profile);
        floor.is_some_and(|cell| self.walls.contains(&Wall { cell, side }))
    }

    /// The multiplier of `cell` for `profile`, in sixteenths, including cost modifiers.
    pub fn cost_multiplier(&self, cell: Cell, profile: &Profile) -> u16 {
        let terrain = self.terrain(cell);
        let mut multiplier = profile
            .terrain_costs
            .iter()
            .find(|(listed, _)| Some(*listed) == terrain)
            .map_or(16, |(_, multiplier)| u64::from(multiplier.sixteenths()));
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

    fn straight_step(&self, cell: Cell, (dx, dy): (i32, i32), profile: &Profile) -> Option<Cell> {
        let to = self.floor_at(cell, (dx, dy), profile)?;
        let wall = match (dx, dy) {
            (1, _) => (cell, WallSide::East),
            (-1, _) => (to, WallSide::East),
            (_, 1) => (cell, WallSide::South),
            _ => (to, WallSide::South),
        };
        let (cell, side) = wall;
        (!self.walls.contains(&Wall { cell, side })).then_some(to)
    }

    /// The floor at the column (`dx`, `dy`) away, from the height of `cell`.
    fn floor_at(&self, cell: Cell, (dx, dy): (i32, i32), profile: &Profile) -> Option<Cell> {
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

    /// True if the squares that the disc overlaps only between the ends have floors from both
    /// heights.
    fn fits_between(&self, from: Cell, to: Cell, profile: &Profile) -> bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let at_start = overlapped_squares(profile, (0, 0));
        overlapped_squares(profile, (dx, dy))
            .into_iter()
            .all(|(x, y)| {
                let is_at_end = at_start.contains(&(x - dx, y - dy));
                at_start.contains(&(x, y))
                    || is_at_end
                    || (self.floor_at(from, (x, y), profile).is_some()
                        && self.floor_at(to, (x - dx, y - dy), profile).is_some())
            })
            && !self.hits_wall_between(from, to, profile)
    }

    /// True if a thin wall stands where the disc is only between the ends.
    fn hits_wall_between(&self, from: Cell, to: Cell, profile: &Profile) -> bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let at_rest = overlapped_edges(profile, (0, 0));
        overlapped_edges(profile, (dx, dy))
            .into_iter()
            .any(|((x, y), side)| {
                let from_end = ((x - dx, y - dy), side);
                !at_rest.contains(&((x, y), side))
                    && !at_rest.contains(&from_end)
                    && (self.has_wall_at(from, ((x, y), side), profile)
                        || self.has_wall_at(to, from_end, profile))
            })
    }
}

/// The heights of the floors of one column that are open to `profile`.
fn open_floors(floors: &[(i32, Terrain)], profile: &Profile) -> impl Iterator<Item = i32> {
    (0..floors.len()).filter_map(move |index| {
        let (z, terrain) = floors[index];
        let is_allowed = profile.allowed_terrains >> terrain.number() & 1 == 1;
        let has_headroom = floors
            .get(index + 1)
            .is_none_or(|&(above, _)| i64::from(above) - i64::from(z) >= i64::from(profile.height));
        (is_allowed && has_headroom).then_some(z)
    })
}

fn admits(state: LinkState, keys: u32) -> bool {
    match state {
        LinkState::Open => true,
        LinkState::Closed => false,
        LinkState::Locked(lock) => (0..32).all(|bit| lock >> bit & 1 == 0 || keys >> bit & 1 == 1),
    }
}

/// The squares other than (0, 0) and `delta` that the agent's open disc overlaps on the segment
/// from the center of square (0, 0) to the center of square `delta`, at most one step away.
fn overlapped_squares(profile: &Profile, delta: (i32, i32)) -> Vec<(i32, i32)> {
    let radius = i64::from(profile.radius.raw());
    let extent = i32::try_from(radius / 256).unwrap_or(i32::MAX - 2) + 2;
    let mut squares = Vec::new();
    if radius <= 128 {
        return squares; // the two squares beside a corner fall under the diagonal rule
    }
    for y in -extent..=extent {
        for x in -extent..=extent {
            if (x, y) != (0, 0) && (x, y) != delta && sweep_overlaps(radius, delta, (x, y)) {
                squares.push((x, y));
            }
        }
    }
    squares
}

/// The edges of cells that the agent's open disc overlaps on the segment from the center of square
/// (0, 0) to the center of square `delta`, at most one step away.
fn overlapped_edges(profile: &Profile, delta: (i32, i32)) -> Vec<((i32, i32), WallSide)> {
    let radius = f64::from(profile.radius.raw()) / 256.0;
    let mut edges = Vec::new();
    if profile.radius.raw() <= 128 {
        return edges; // no edge is nearer than half a cell but those that a step crosses
    }
    // Twice the distance in cells is a sum of squares of whole numbers over a power of two, so the
    // comparison is exact enough: no radius comes nearer to such a root than 1e-6.
    let extent = profile.radius.raw() / 256 + 2;
    let (wx, wy) = (f64::from(delta.0), f64::from(delta.1));
    for y in -extent..=extent {
        for x in -extent..=extent {
            let (cx, cy) = (f64::from(x), f64::from(y));
            for (side, ends) in [
                (WallSide::East, [(cx + 0.5, cy - 0.5), (cx + 0.5, cy + 0.5)]),
                (
                    WallSide::South,
                    [(cx - 0.5, cy + 0.5), (cx + 0.5, cy + 0.5)],
                ),
            ] {
                let nearest = [
                    distance((0.0, 0.0), ends),
                    distance((wx, wy), ends),
                    distance(ends[0], [(0.0, 0.0), (wx, wy)]),
                    distance(ends[1], [(0.0, 0.0), (wx, wy)]),
                ];
                if nearest.into_iter().any(|distance| distance < radius - 1e-9) {
                    edges.push(((x, y), side));
                }
            }
        }
    }
    edges
}

/// The distance of a point from a segment, which may be a point.
fn distance((x, y): (f64, f64), [a, b]: [(f64, f64); 2]) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 {
        (((x - a.0) * dx + (y - a.1) * dy) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (off_x, off_y) = (x - a.0 - along * dx, y - a.1 - along * dy);
    (off_x * off_x + off_y * off_y).sqrt()
}

/// True if the distance between the segment from (0, 0) to `delta` and the unit square around
/// `square` is below `radius` / 256.
///
/// In 1/256 of a cell. Unless they intersect, the distance is attained at a corner of the square or
/// at an end of the segment.
fn sweep_overlaps(radius: i64, delta: (i32, i32), square: (i32, i32)) -> bool {
    let (wx, wy) = (i64::from(delta.0) * 256, i64::from(delta.1) * 256);
    let (sx, sy) = (i64::from(square.0) * 256, i64::from(square.1) * 256);
    let limit = radius * radius;
    // The ends of the segment against the square.
    for (x, y) in [(0, 0), (wx, wy)] {
        let beside_x = ((x - sx).abs() - 128).max(0);
        let beside_y = ((y - sy).abs() - 128).max(0);
        if beside_x * beside_x + beside_y * beside_y < limit {
            return true;
        }
    }
    // The corners of the square against the inside of the segment.
    let length_squared = wx * wx + wy * wy;
    for (cx, cy) in [(-128, -128), (128, -128), (-128, 128), (128, 128)] {
        let (cx, cy) = (sx + cx, sy + cy);
        let projection = cx * wx + cy * wy;
        let area = wx * cy - wy * cx;
        let is_beside = length_squared > 0 && 0 < projection && projection < length_squared;
        if is_beside && area * area < limit * length_squared {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
