//! Lines of sight and of fire over floors, walls and doors, at any height.
//!
//! Heights are in 1/256 of a step. A line is blocked
//! * by a column without a floor whose interior it covers, unless voids are transparent;
//! * below the lowest floor of a column;
//! * by a floor that it crosses inside a column;
//! * above a floor of an opaque terrain, up to `opaque_height`;
//! * between a [solid](Terrain::SOLID) floor and the next floor above;
//! * by a thin wall or a closed door that it crosses, up to `wall_height`.
//!
//! A line may run along a floor, an edge or a corner; along an edge it is blocked where both
//! adjacent columns block. Symmetric: the ends are ordered first. Grazing a floor or the top of a
//! wall is distinguished from crossing it on lines of up to 65,536 cells. Allocates nothing.

use wayfarer_base::{
    Column, LinkState, NavLinkKind, Point2, Point3, SectorId, Terrain, Wall, WallSide,
};
use wayfarer_world::air::Air;
use wayfarer_world::ground::Ground;

use super::{LineCoverage, is_clear};

mod edge;

/// A medium with lines of sight: the ground, the air.
pub trait LineOfSightTest {
    /// True if nothing blocks the line. Symmetric.
    fn is_clear(&self, from: Point3, to: Point3) -> bool;
}

/// What blocks sight besides floors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OcclusionRules {
    /// True if columns without a floor are transparent, as a chasm; false if opaque, as rock.
    pub is_void_transparent: bool,
    /// Opaque terrains, one bit per terrain.
    pub opaque: u64,
    /// Height of the occluders on opaque terrain, in steps.
    pub opaque_height: i32,
    /// Height of thin walls and closed doors, in steps.
    pub wall_height: i32,
}

impl Default for OcclusionRules {
    fn default() -> Self {
        Self {
            is_void_transparent: false,
            opaque: Terrain::TREES.bit(),
            opaque_height: 8,
            wall_height: 3,
        }
    }
}

/// Lines of sight over the ground.
///
/// ```
/// use wayfarer_base::{Cell, Fixed, GroundEdit, Point3, Profile, Terrain};
/// use wayfarer_search::sight::{GroundVisibility, LineOfSightTest, OcclusionRules};
/// use wayfarer_world::ground::Ground;
///
/// // A wall of four steps between two low floors.
/// let mut ground = Ground::new(Profile::DEFAULT).unwrap();
/// let floor = |x, z| GroundEdit::PutCell { cell: Cell::new(x, 0, z), terrain: Terrain::GROUND };
/// ground.apply(&[floor(0, 0), floor(1, 4), floor(2, 0)]).unwrap();
/// let sight = GroundVisibility { ground: &ground, rules: OcclusionRules::default() };
/// let at = |x: i32, z: i32| Point3 {
///     x: Fixed::from_raw(256 * x + 128),
///     y: Fixed::from_raw(128),
///     z: Fixed::from_raw(256 * z),
/// };
/// assert!(!sight.is_clear(at(0, 2), at(2, 2)));
/// assert!(sight.is_clear(at(0, 5), at(2, 5))); // over the wall
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GroundVisibility<'a> {
    /// The ground.
    pub ground: &'a Ground,
    /// What blocks besides floors.
    pub rules: OcclusionRules,
}

/// A line from its northern end.
#[derive(Clone, Copy)]
pub(super) struct Line {
    from: [f64; 3],
    by: [f64; 3],
}

/// Tolerance for equal heights, in 1/256 of a step. Floors and tops of walls are integers; a line
/// of up to 65,536 cells that does not graze them keeps a larger distance, and rounding errors are
/// smaller.
const GRAZE: f64 = 1.0 / 16_777_216.0;

/// The ends of a line by y, then x, then z.
#[inline]
pub(super) fn ordered(from: Point3, to: Point3) -> (Point3, Point3) {
    let key = |point: &Point3| (point.y, point.x, point.z);
    if key(&from) <= key(&to) {
        (from, to)
    } else {
        (to, from)
    }
}

impl Line {
    /// The line between [ordered] ends.
    pub(super) fn new(a: Point3, b: Point3) -> Self {
        let parts = |point: Point3| [point.x, point.y, point.z].map(|at| f64::from(at.raw()));
        let (start, end) = (parts(a), parts(b));
        Self {
            from: start,
            by: [end[0] - start[0], end[1] - start[1], end[2] - start[2]],
        }
    }

    #[inline]
    fn height(&self, time: f64) -> f64 {
        self.from[2] + time * self.by[2]
    }

    /// The times, 0 to 1, at which the line enters and leaves a column.
    fn times_in(&self, column: Column) -> (f64, f64) {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (axis, cell) in [column.x, column.y].into_iter().enumerate() {
            let by = self.by[axis];
            if by == 0.0 {
                continue;
            }
            let low = (f64::from(cell) * 256.0 - self.from[axis]) / by;
            let high = (f64::from(cell) * 256.0 + 256.0 - self.from[axis]) / by;
            enter = enter.max(low.min(high));
            leave = leave.min(low.max(high));
        }
        (enter, leave.max(enter))
    }
}

impl LineOfSightTest for GroundVisibility<'_> {
    fn is_clear(&self, from: Point3, to: Point3) -> bool {
        let (a, b) = ordered(from, to);
        let line = Line::new(a, b);
        if let Some(is_clear) = self.edge_is_clear(a, b, &line) {
            return is_clear;
        }
        let flat = |point: Point3| Point2::new(point.x, point.y);
        is_clear(flat(a), flat(b), LineCoverage::Interior, |column| {
            self.column_is_clear(column, &line)
        }) && self.walls_are_clear(a, b, &line, |_, _| true)
    }
}

impl GroundVisibility<'_> {
    /// True if the column does not block a line that covers its interior.
    #[inline]
    pub(super) fn column_is_clear(&self, column: Column, line: &Line) -> bool {
        let (enter, leave) = line.times_in(column);
        let (one, other) = (line.height(enter), line.height(leave));
        // A grazed height does not lie strictly between.
        let (low, high) = (one.min(other) + GRAZE, one.max(other) - GRAZE);
        let mut lowest: Option<f64> = None;
        // The foot of solid matter up to the next floor.
        let mut solid_from: Option<f64> = None;
        for (z, terrain) in self.ground.floors(column) {
            let floor = f64::from(z) * 256.0;
            if solid_from.is_some_and(|foot| low < floor && high > foot) {
                return false;
            }
            solid_from = (terrain == Terrain::SOLID).then_some(floor);
            lowest = Some(lowest.map_or(floor, |known| known.min(floor)));
            if low < floor && floor < high {
                return false;
            }
            let top = floor + f64::from(self.rules.opaque_height) * 256.0;
            if self.rules.opaque & terrain.bit() != 0 && low < top && high > floor {
                return false;
            }
        }
        if solid_from.is_some_and(|foot| high > foot) {
            return false;
        }
        match lowest {
            Some(lowest) => low >= lowest,
            None => self.rules.is_void_transparent,
        }
    }

    /// Tests every edge that the line crosses and for which `may_block` holds; for lines that do
    /// not run along an edge.
    pub(super) fn walls_are_clear(
        &self,
        a: Point3,
        b: Point3,
        line: &Line,
        mut may_block: impl FnMut(Column, WallSide) -> bool,
    ) -> bool {
        let (x, y) = (i64::from(a.x.raw()), i64::from(a.y.raw()));
        let (dx, dy) = (i64::from(b.x.raw()) - x, i64::from(b.y.raw()) - y);
        let mut is_blocked = |x: i32, y: i32, side: WallSide, height: f64| {
            may_block(Column::new(x, y), side) && self.is_edge_blocked(x, y, side, height)
        };
        for (is_vertical, begin, by, beside, rise) in [(true, x, dx, y, dy), (false, y, dy, x, dx)]
        {
            // Grid lines strictly between the ends.
            let (low, high) = (begin.min(begin + by), begin.max(begin + by));
            for edge in low.div_euclid(256) + 1..=(high - 1).div_euclid(256) {
                let (far, length) = ((edge * 256 - begin).abs(), by.abs());
                let (row, is_corner) = crossing(beside, rise, far, length);
                let (Ok(edge), Ok(row)) = (i32::try_from(edge), i32::try_from(row)) else {
                    return false;
                };
                #[expect(clippy::cast_precision_loss, reason = "a time between 0 and 1")]
                let height = line.height(far as f64 / length as f64) + GRAZE;
                let is_blocked = match (is_vertical, is_corner) {
                    (true, true) => {
                        let around = |x, y, side| is_blocked(x, y, side, height);
                        is_corner_blocked(edge, row, (dx > 0) == (dy > 0), around)
                    }
                    (true, false) => is_blocked(edge - 1, row, WallSide::East, height),
                    (false, false) => is_blocked(row, edge - 1, WallSide::South, height),
                    // Corners are tested once, with the vertical edges.
                    (false, true) => false,
                };
                if is_blocked {
                    return false;
                }
            }
        }
        true
    }

    /// True if a thin wall or a closed door blocks an edge at a height, its foot included.
    #[inline]
    fn is_edge_blocked(&self, x: i32, y: i32, side: WallSide, height: f64) -> bool {
        let column = Column::new(x, y);
        let Some(next) = column.step(side.direction()) else {
            return false;
        };
        let covers = |z: i32| {
            let foot = f64::from(z) * 256.0;
            foot <= height && height < foot + f64::from(self.rules.wall_height) * 256.0
        };
        let nav_links = self
            .ground
            .nav_links_in(SectorId::from_column(column))
            .iter();
        let mut has_closed_door = false;
        for door in nav_links.filter(|nav_link| nav_link.kind == NavLinkKind::Door) {
            let ends = [(door.from, door.to), (door.to, door.from)];
            let here = ends
                .into_iter()
                .find(|(a, b)| a.column() == column && b.column() == next);
            if let Some((cell, _)) = here
                && covers(cell.z)
            {
                if door.state == LinkState::Open {
                    return false;
                }
                has_closed_door = true;
            }
        }
        has_closed_door
            || self.ground.floors(column).any(|(z, _)| {
                let cell = column.at(z);
                covers(z) && self.ground.has_wall(Wall { cell, side })
            })
    }
}

/// The cell across a grid line that a line crosses `far` of `length` from its begin at `beside`,
/// and whether it crosses at a corner.
#[inline]
fn crossing(beside: i64, rise: i64, far: i64, length: i64) -> (i64, bool) {
    let is_short = length < 1 << 28;
    if is_short {
        // Below 2^31 * 2^28 + 2^32 * 2^28.
        let at = beside * length + rise * far;
        let parts = 256 * length;
        return (at.div_euclid(parts), at.rem_euclid(parts) == 0);
    }
    let at = i128::from(beside) * i128::from(length) + i128::from(rise) * i128::from(far);
    let parts = 256 * i128::from(length);
    // Out of the range of columns is blocked.
    let cell = i64::try_from(at.div_euclid(parts)).unwrap_or(i64::MAX);
    (cell, at.rem_euclid(parts) == 0)
}

/// True if thin walls block both paths around the corner north-west of (`x`, `y`);
/// `is_descending` for a line from north-west to south-east.
fn is_corner_blocked(
    x: i32,
    y: i32,
    is_descending: bool,
    mut is_blocked: impl FnMut(i32, i32, WallSide) -> bool,
) -> bool {
    let (west, north) = (x - 1, y - 1);
    let north_edge = is_blocked(west, north, WallSide::East);
    let south_edge = is_blocked(west, y, WallSide::East);
    let west_edge = is_blocked(west, north, WallSide::South);
    let east_edge = is_blocked(x, north, WallSide::South);
    if is_descending {
        (north_edge || east_edge) && (west_edge || south_edge)
    } else {
        (north_edge || west_edge) && (east_edge || south_edge)
    }
}

impl LineOfSightTest for Air {
    /// True if the ray hits nothing solid; false if an end lies out of bounds.
    fn is_clear(&self, from: Point3, to: Point3) -> bool {
        matches!(self.cast_ray(from, to), Ok(None))
    }
}

#[cfg(test)]
mod tests;
