//! Obstacles on a continuous plane: axis-aligned boxes and discs with categories, in a size-class
//! grid.
//!
//! - [`ObstacleSet::edit`] inserts, moves and removes obstacles in amortized constant time; a batch
//!   becomes one revision when it is dropped.
//! - [`ObstacleSet::cast_ray`], [`ObstacleSet::blocking_obstacle`], [`ObstacleSet::in_box`],
//!   [`ObstacleSet::in_disc`], [`ObstacleSet::nearest`] and [`ObstacleSet::pairs`] are exact
//!   queries by category.
//! - [`ObstacleQuadtree`](quadtree::ObstacleQuadtree) subdivides the plane on demand.
//! - [`ObstacleSet::nearest_free`] projects a blocked point to the nearest free one.
//! - [`InfluenceMap`] accumulates the influence of obstacles per quad.
//!
//! An obstacle and an agent may touch; overlap means sharing more than a border.
//!
//! ```
//! use wayfarer_base::{Fixed, Point2};
//! use wayfarer_world::obstacles::{Obstacle, ObstacleSet, DiscAgent, ObstacleCategories};
//!
//! let (water, tank) = (ObstacleCategories::one(0).unwrap(), ObstacleCategories::one(1).unwrap());
//! let mut obstacles = ObstacleSet::square(100)?;
//! let mut batch = obstacles.edit();
//! let pond = batch.insert(&Obstacle::cells(20, 0, 10, 100, water)?)?;
//! let guard = batch.insert(&Obstacle::cells(50, 45, 8, 8, tank)?)?;
//! drop(batch);
//!
//! let at = |x, y| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap());
//! let boat = DiscAgent { blocked_by: tank, ..DiscAgent::POINT };
//! let hit = obstacles.cast_ray(at(0, 50), at(99, 50), boat).unwrap();
//! assert_eq!(hit.obstacle, guard);
//! let walker = DiscAgent { blocked_by: water | tank, ..DiscAgent::POINT };
//! assert_eq!(obstacles.cast_ray(at(0, 50), at(99, 50), walker).unwrap().obstacle, pond);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::VecDeque;
use thiserror::Error;

use wayfarer_base::{Aabb2, BatchDigest, Fixed, Point2, Revision};

mod batch;
mod free;
mod grid;
mod import;
mod inflated_outline;
mod influence;
mod obstacle;
mod pairs;
pub mod quadtree;
mod query;
mod ray;
mod record;

pub use batch::ObstacleBatch;
pub use free::FreeScratch;
pub use inflated_outline::{DiscAgent, InflatedOutline};
pub use influence::{Influence, InfluenceMap};
pub use obstacle::{MAX_COORDINATE, Obstacle, ObstacleCategories, ObstacleId, ObstacleShape};
pub use pairs::{ObstaclePair, ObstaclePairScratch};
pub use ray::ObstacleHit;
pub use record::{ObstacleSetRecord, ObstacleSetRecordError};

use grid::Grid;
use obstacle::{ObstacleBody, check_coordinate};

/// Maximum tiles per side of the record of removals.
const MAX_TILES: i32 = 32;

/// Errors of building and editing an [`ObstacleSet`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// A coordinate is beyond [`MAX_COORDINATE`].
    #[error(
        "{what} lies at {found} / 256 cells, expected at most {limit} from the origin",
        limit = MAX_COORDINATE.raw()
    )]
    TooFar {
        /// Which coordinate.
        what: &'static str,
        /// Its value in 1/256 of a cell.
        found: i64,
    },
    /// A shape without interior.
    #[error("a shape of {width} x {height} / 256 cells, expected at least 1 per axis")]
    Empty {
        /// In 1/256 of a cell.
        width: i64,
        /// In 1/256 of a cell.
        height: i64,
    },
    /// An obstacle without categories: no query could find it.
    #[error("an obstacle without categories, expected at least one of 64")]
    NoCategories,
    /// No obstacle has this id, or no longer.
    #[error("no obstacle has id {id:?}")]
    UnknownObstacle {
        /// The id.
        id: ObstacleId,
    },
    /// The table of obstacles is full.
    #[error("the set is full: {limit} obstacles", limit = ObstacleSet::MAX_OBSTACLES)]
    Full,
}

/// The obstacles of a rectangular world.
///
/// Obstacles may extend or lie beyond the bounds; agents may not.
#[derive(Clone, Debug)]
pub struct ObstacleSet {
    low: [i32; 2],
    high: [i32; 2],
    /// By slot; a vacant slot has no categories.
    bodies: Vec<ObstacleBody>,
    generations: Vec<u32>,
    free: Vec<u32>,
    grid: Grid,
    revision: Revision,
    /// The last revisions, newest last.
    ancestors: VecDeque<Revision>,
    /// The number of the revision of the last removal per tile of side `1 << tile_bits`.
    opened_at: Box<[[u64; MAX_TILES as usize]; MAX_TILES as usize]>,
    tile_bits: u32,
    totals: Box<[CategoryTotals; 64]>,
    n_discs: i64,
}

/// Revisions that a set knows as its ancestors.
const MAX_ANCESTORS: usize = 1 << 10;

/// Totals over the obstacles of a category.
#[derive(Clone, Copy, Debug, Default)]
struct CategoryTotals {
    n_obstacles: i64,
    /// Sum of width + height, in 1/256 of a cell.
    sides: i64,
    /// Sum of areas, in 1/65,536 of a square cell.
    area: i128,
}

impl ObstacleSet {
    /// Maximum number of obstacles.
    pub const MAX_OBSTACLES: u32 = 1 << 28;

    /// An empty set.
    ///
    /// # Errors
    /// [`ObstacleError::Empty`] if the bounds are empty, [`ObstacleError::TooFar`] if they exceed
    /// [`MAX_COORDINATE`].
    pub fn new(bounds: Aabb2) -> Result<Self, ObstacleError> {
        let corner = |point: Point2| -> Result<[i32; 2], ObstacleError> {
            Ok([
                check_coordinate(i64::from(point.x.raw()), "the bounds' edge")?,
                check_coordinate(i64::from(point.y.raw()), "the bounds' edge")?,
            ])
        };
        let (low, high) = (corner(bounds.low)?, corner(bounds.high)?);
        if low[0] >= high[0] || low[1] >= high[1] {
            return Err(ObstacleError::Empty {
                width: i64::from(high[0]) - i64::from(low[0]),
                height: i64::from(high[1]) - i64::from(low[1]),
            });
        }
        let side = (high[0] - low[0]).max(high[1] - low[1]);
        Ok(Self {
            tile_bits: 27 - side.leading_zeros().min(27),
            low,
            high,
            bodies: Vec::new(),
            generations: Vec::new(),
            free: Vec::new(),
            grid: Grid::default(),
            revision: Revision::initial(BatchDigest::of(&(low, high))),
            ancestors: VecDeque::new(),
            opened_at: Box::new([[0; MAX_TILES as usize]; MAX_TILES as usize]),
            totals: Box::new([CategoryTotals::default(); 64]),
            n_discs: 0,
        })
    }

    /// An empty set with square bounds of `side` cells from the origin.
    ///
    /// # Errors
    /// As [`ObstacleSet::new`].
    pub fn square(side: i32) -> Result<Self, ObstacleError> {
        let raw = i64::from(side) * i64::from(Fixed::UNITS_PER_CELL);
        let far = Fixed::from_raw(check_coordinate(raw, "the bounds' edge")?);
        Self::new(Aabb2 {
            low: Point2::default(),
            high: Point2::new(far, far),
        })
    }

    /// The closed rectangle that agents keep to.
    pub const fn bounds(&self) -> Aabb2 {
        Aabb2 {
            low: Point2::from_raw(self.low[0], self.low[1]),
            high: Point2::from_raw(self.high[0], self.high[1]),
        }
    }

    /// True if `at` lies within the bounds.
    #[inline]
    pub const fn is_inside(&self, at: Point2) -> bool {
        self.low[0] <= at.x.raw()
            && at.x.raw() <= self.high[0]
            && self.low[1] <= at.y.raw()
            && at.y.raw() <= self.high[1]
    }

    /// Counts the batches of edits.
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// The number of obstacles.
    pub fn len(&self) -> usize {
        self.bodies.len() - self.free.len()
    }

    /// True if there are no obstacles.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The obstacle with this id; `None` once it is removed.
    pub fn obstacle(&self, id: ObstacleId) -> Option<Obstacle> {
        self.body(id).map(ObstacleBody::obstacle)
    }

    /// All obstacles, by slot.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, Obstacle)> {
        let registered = self.bodies.iter().filter(|body| body.categories != 0);
        registered.map(|body| (self.id_at(body.slot), body.obstacle()))
    }

    /// The outline of an obstacle, inflated for `agent`; `None` once it is removed.
    #[inline]
    pub fn outline(&self, id: ObstacleId, agent: DiscAgent) -> Option<InflatedOutline> {
        self.body(id)
            .map(|body| InflatedOutline::new(body, agent.margin()))
    }

    /// The outline of the obstacle in `slot`, inflated for `agent`, whether it blocks the agent or
    /// not.
    ///
    /// # Panics
    /// If the slot was never used.
    #[inline]
    pub fn outline_at(&self, slot: u32, agent: DiscAgent) -> InflatedOutline {
        InflatedOutline::new(&self.bodies[slot as usize], agent.margin())
    }

    /// The id of the obstacle in `slot`.
    ///
    /// # Panics
    /// If the slot was never used.
    #[inline]
    pub fn id_at(&self, slot: u32) -> ObstacleId {
        ObstacleId::new(slot, self.generations[slot as usize])
    }

    fn body(&self, id: ObstacleId) -> Option<&ObstacleBody> {
        let body = self.bodies.get(id.index() as usize)?;
        let exists =
            body.categories != 0 && self.generations[id.index() as usize] == id.generation();
        exists.then_some(body)
    }

    /// The share of the bounds that the inflated outlines of blocking obstacles would cover without
    /// overlaps, per mille. An obstacle of several categories counts for the lowest.
    pub fn density_per_mille(&self, agent: DiscAgent) -> u32 {
        let radius = i128::from(agent.radius.raw());
        let categories = agent.blocked_by.numbers();
        let covered: i128 = categories
            .map(|category| {
                let totals = self.totals[usize::from(category)];
                totals.area
                    + 2 * radius * i128::from(totals.sides)
                    + 4 * radius * radius * i128::from(totals.n_obstacles)
            })
            .sum();
        let area = i128::from(self.high[0] - self.low[0]) * i128::from(self.high[1] - self.low[1]);
        u32::try_from(covered * 1000 / area.max(1)).unwrap_or(u32::MAX)
    }

    /// True if `revision` is the present one or one of the [`MAX_ANCESTORS`] before it.
    fn is_ancestor(&self, revision: Revision) -> bool {
        let Some(behind) = self.revision.number.checked_sub(revision.number) else {
            return false;
        };
        let index = usize::try_from(behind).map(|behind| self.ancestors.len().checked_sub(behind));
        match index {
            Ok(Some(index)) => *self.ancestors.get(index).unwrap_or(&self.revision) == revision,
            _ => false,
        }
    }

    /// True if, after `since`, an obstacle moved away or was removed within the ellipse of points
    /// whose distances to `from` and `to` sum to at most `length` raw units. Conservative: true for
    /// a revision of another branch or more than 1,024 batches old.
    pub fn may_have_opened(&self, since: Revision, from: Point2, to: Point2, length: f64) -> bool {
        if !self.is_ancestor(since) {
            return true;
        }
        let side = f64::from(1_u32 << self.tile_bits);
        let tiles = (0..).zip(self.opened_at.iter().flatten());
        let mut tiles = tiles.filter(|(_, opened_at)| **opened_at > since.number);
        tiles.any(|(tile, _): (i32, _)| {
            let corner = [tile % MAX_TILES, tile / MAX_TILES];
            let gap = |at: Point2| {
                let at = [at.x.raw(), at.y.raw()];
                let axis = |axis: usize| {
                    let low = f64::from(self.low[axis]) + f64::from(corner[axis]) * side;
                    let (below, above) =
                        (low - f64::from(at[axis]), f64::from(at[axis]) - low - side);
                    // Border tiles stand for everything beyond them.
                    let below = if corner[axis] == 0 { 0.0 } else { below };
                    let above = if corner[axis] == MAX_TILES - 1 {
                        0.0
                    } else {
                        above
                    };
                    below.max(above).max(0.0)
                };
                wayfarer_base::math::length(axis(0), axis(1))
            };
            gap(from) + gap(to) <= length
        })
    }

    /// Records that the box from `low` to `high` is vacated.
    #[inline]
    fn mark_opened(&mut self, low: [i32; 2], high: [i32; 2], now: u64) {
        // Coordinates below the bounds wrap to large values.
        let tile = |axis: usize, at: i32| {
            let above = at.wrapping_sub(self.low[axis]).cast_unsigned();
            (above >> self.tile_bits) as usize
        };
        let (left, right) = (tile(0, low[0]), tile(0, high[0]));
        let (top, bottom) = (tile(1, low[1]), tile(1, high[1]));
        let is_inside = (left | right | top | bottom) < MAX_TILES as usize;
        if is_inside && right - left <= 1 && bottom - top <= 1 {
            // Hardly any obstacle exceeds a tile: the tiles of its corners are all tiles.
            for row in [top, bottom] {
                self.opened_at[row][left] = now;
                self.opened_at[row][right] = now;
            }
        } else {
            self.mark_opened_tiles(low, high, now);
        }
    }

    #[cold]
    fn mark_opened_tiles(&mut self, low: [i32; 2], high: [i32; 2], now: u64) {
        let tile = |axis: usize, at: i32| {
            let tile = ((at - self.low[axis]) >> self.tile_bits).clamp(0, MAX_TILES - 1);
            tile.cast_unsigned() as usize
        };
        let (left, right) = (tile(0, low[0]), tile(0, high[0]));
        for row in &mut self.opened_at[tile(1, low[1])..=tile(1, high[1])] {
            row[left..=right].fill(now);
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.bodies.capacity() * size_of::<ObstacleBody>()
            + (self.generations.capacity() + self.free.capacity()) * size_of::<u32>()
            + size_of_val(&*self.opened_at)
            + self.ancestors.capacity() * size_of::<Revision>()
            + size_of::<[CategoryTotals; 64]>()
            + self.grid.heap_bytes()
    }
}

#[cfg(test)]
mod tests;
