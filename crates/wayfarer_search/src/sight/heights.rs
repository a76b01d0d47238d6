//! Lines of sight and of fire over floors, walls and doors, at any height.
//!
//! Heights are in steps, like those of floors, in parts of 1/256. A line is blocked
//! * by a column without a floor that it enters, unless the rules say that one looks over those;
//! * below the lowest floor of a column that it enters;
//! * by a floor that it crosses inside a column: it passes from above to below;
//! * by what stands on a floor of an opaque terrain, as high as the rules say;
//! * between the foot of something [solid](Terrain::SOLID) and the next floor above;
//! * by a thin wall or a closed door that it crosses, as high as the rules say.
//!
//! A line may run along a floor, an edge or a corner; along an edge it is blocked where both columns
//! beside it block. All rules are the same from both ends: the line is always walked from the same
//! end. A graze of a floor or of the top of a wall is told from a hit on lines of up to 65,536 cells.

use wayfarer_base::{
    Column, LinkState, NavLinkKind, Point2, Point3, SectorId, Terrain, Wall, WallSide,
};
use wayfarer_world::air::Air;
use wayfarer_world::ground::Ground;

use super::{LineCoverage, is_clear};

mod edge;

/// Anything that one can look through: the ground, the air.
pub trait LineOfSightTest {
    /// True if nothing blocks the line; the same from both ends.
    fn is_clear(&self, from: Point3, to: Point3) -> bool;
}

/// What blocks the eye besides floors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OcclusionRules {
    /// True if one looks over columns without a floor, as over a chasm; false if they are rock.
    pub is_void_transparent: bool,
    /// Terrains that carry something opaque: a bit for each.
    pub opaque: u64,
    /// How high that is, in steps.
    pub opaque_height: i32,
    /// How high thin walls and closed doors are, in steps.
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

/// The ground to look over.
///
/// ```
/// use wayfarer_base::{Cell, Edit, Fixed, Point3, Profile, Terrain};
/// use wayfarer_search::sight::{GroundVisibility, LineOfSightTest, OcclusionRules};
/// use wayfarer_world::ground::Ground;
///
/// // A wall of four steps between two low places.
/// let mut ground = Ground::new(Profile::DEFAULT).unwrap();
/// let floor = |x, z| Edit::PutCell { cell: Cell::new(x, 0, z), terrain: Terrain::GROUND };
/// ground.apply(&[floor(0, 0), floor(1, 4), floor(2, 0)]).unwrap();
/// let sight = GroundVisibility { ground: &ground, rules: OcclusionRules::default() };
/// let at = |x: i32, z: i32| Point3 {
///     x: Fixed::from_raw(256 * x + 128),
///     y: Fixed::from_raw(128),
///     z: Fixed::from_raw(256 * z),
/// };
/// assert!(!sight.is_clear(at(0, 2), at(2, 2)));
/// assert!(sight.is_clear(at(0, 5), at(2, 5))); // from a saddle over the wall
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GroundVisibility<'a> {
    /// What lies and stands there.
    pub ground: &'a Ground,
    /// What blocks.
    pub rules: OcclusionRules,
}

/// A line from its north-western end.
#[derive(Clone, Copy)]
struct Line {
    from: [f64; 3],
    by: [f64; 3],
}

/// Heights that are less than this apart, in 1/256 of a step, are the same. Floors and the tops of
/// walls are at whole numbers; a line of up to 65,536 cells that does not graze them stays farther
/// away, and rounding goes less far.
const GRAZE: f64 = 1.0 / 16_777_216.0;

impl Line {
    #[inline]
    fn height(&self, moment: f64) -> f64 {
        self.from[2] + moment * self.by[2]
    }

    /// The moments at which it is inside a column.
    fn moments(&self, column: Column) -> (f64, f64) {
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
        let key = |point: &Point3| (point.y, point.x, point.z);
        let (a, b) = if key(&from) <= key(&to) {
            (from, to)
        } else {
            (to, from)
        };
        let parts = |point: Point3| [point.x, point.y, point.z].map(|at| f64::from(at.raw()));
        let (start, end) = (parts(a), parts(b));
        let line = Line {
            from: start,
            by: [end[0] - start[0], end[1] - start[1], end[2] - start[2]],
        };
        if let Some(is_clear) = self.edge_is_clear(a, b, &line) {
            return is_clear;
        }
        let flat = |point: Point3| Point2::new(point.x, point.y);
        is_clear(flat(a), flat(b), LineCoverage::Interior, |column| {
            self.column_is_clear(column, &line)
        }) && self.walls_are_clear(a, b, &line)
    }
}

impl GroundVisibility<'_> {
    #[inline]
    fn column_is_clear(&self, column: Column, line: &Line) -> bool {
        let (enter, leave) = line.moments(column);
        let (one, other) = (line.height(enter), line.height(leave));
        // Nothing that is only grazed lies strictly between.
        let (low, high) = (one.min(other) + GRAZE, one.max(other) - GRAZE);
        let mut lowest: Option<f64> = None;
        // The foot of what reaches up to the next floor.
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

    /// Every edge between columns that the line crosses; for lines that run along none.
    fn walls_are_clear(&self, a: Point3, b: Point3, line: &Line) -> bool {
        let (x, y) = (i64::from(a.x.raw()), i64::from(a.y.raw()));
        let (dx, dy) = (i64::from(b.x.raw()) - x, i64::from(b.y.raw()) - y);
        let whole = |at: i128| i32::try_from(at).ok();
        for (is_upright, begin, by, beside, rise) in [(true, x, dx, y, dy), (false, y, dy, x, dx)] {
            // Lines of the grid strictly between the ends.
            let (low, high) = (begin.min(begin + by), begin.max(begin + by));
            for edge in low.div_euclid(256) + 1..=(high - 1).div_euclid(256) {
                let (far, length) = ((edge * 256 - begin).abs(), by.abs());
                let at =
                    i128::from(beside) * i128::from(length) + i128::from(rise) * i128::from(far);
                let parts = 256 * i128::from(length);
                let (row, rest) = (at.div_euclid(parts), at.rem_euclid(parts));
                let (Some(edge), Some(row)) = (whole(edge.into()), whole(row)) else {
                    return false;
                };
                #[expect(clippy::cast_precision_loss, reason = "a moment between 0 and 1")]
                let height = line.height(far as f64 / length as f64) + GRAZE;
                let is_barred = match (is_upright, rest == 0) {
                    (true, true) => self.corner_is_barred(edge, row, (dx > 0) == (dy > 0), height),
                    (true, false) => self.bars(edge - 1, row, WallSide::East, height),
                    (false, false) => self.bars(row, edge - 1, WallSide::South, height),
                    // Corners are looked at once, with the upright edges.
                    (false, true) => false,
                };
                if is_barred {
                    return false;
                }
            }
        }
        true
    }

    /// True if thin walls bar both ways around the corner north-west of (`x`, `y`).
    fn corner_is_barred(&self, x: i32, y: i32, falls: bool, height: f64) -> bool {
        let (west, north) = (x - 1, y - 1);
        let north_edge = self.bars(west, north, WallSide::East, height);
        let south_edge = self.bars(west, y, WallSide::East, height);
        let west_edge = self.bars(west, north, WallSide::South, height);
        let east_edge = self.bars(x, north, WallSide::South, height);
        if falls {
            (north_edge || east_edge) && (west_edge || south_edge)
        } else {
            (north_edge || west_edge) && (east_edge || south_edge)
        }
    }

    /// True if a thin wall or a closed door stands on that edge at that height, its foot included.
    #[inline]
    fn bars(&self, x: i32, y: i32, side: WallSide, height: f64) -> bool {
        let column = Column::new(x, y);
        let Some(next) = column.step(side.direction()) else {
            return false;
        };
        let stands_at = |z: i32| {
            let foot = f64::from(z) * 256.0;
            foot <= height && height < foot + f64::from(self.rules.wall_height) * 256.0
        };
        let nav_links = self.ground.nav_links_in(SectorId::from_column(column)).iter();
        let mut is_shut = false;
        for door in nav_links.filter(|nav_link| nav_link.kind == NavLinkKind::Door) {
            let ends = [(door.from, door.to), (door.to, door.from)];
            let here = ends
                .into_iter()
                .find(|(a, b)| a.column() == column && b.column() == next);
            if let Some((cell, _)) = here
                && stands_at(cell.z)
            {
                if door.state == LinkState::Open {
                    return false;
                }
                is_shut = true;
            }
        }
        is_shut
            || self.ground.floors(column).any(|(z, _)| {
                let cell = column.at(z);
                stands_at(z) && self.ground.has_wall(Wall { cell, side })
            })
    }
}

impl LineOfSightTest for Air {
    /// Nothing solid in the way; from or to outside the bounds nothing is seen.
    fn is_clear(&self, from: Point3, to: Point3) -> bool {
        matches!(self.cast_ray(from, to), Ok(None))
    }
}

#[cfg(test)]
mod tests;
