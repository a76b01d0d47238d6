//! The field: things that stand and move about, and who of them is where.
//!
//! * [`ObstacleSet::edit`] puts obstacles in, moves and removes them, each in constant time; what is
//!   done before the batch is dropped becomes one revision.
//! * [`ObstacleSet::cast_ray`], [`ObstacleSet::blocking_obstacle`], [`ObstacleSet::in_box`], [`ObstacleSet::in_disc`],
//!   [`ObstacleSet::nearest`] and [`ObstacleSet::pairs`] ask who is there, against types.
//! * [`ObstacleQuadtree`](tree::SpaceTree) cuts the field into spaces where and when it is asked to.
//! * [`ObstacleSet::nearest_free`] is where one can be near a place where one cannot.
//! * [`InfluenceMap`] tells space by space how strongly obstacles are felt.
//!
//! An obstacle and an agent touch without meeting: what they may not do is share more than an edge.
//!
//! ```
//! use wayfarer_base::{Fixed, Point2};
//! use wayfarer_world::field::{Obstacle, ObstacleSet, DiscAgent, ObstacleCategories};
//!
//! let (water, tank) = (ObstacleCategories::of(0).unwrap(), ObstacleCategories::of(1).unwrap());
//! let mut field = ObstacleSet::square(100)?;
//! let mut batch = field.edit();
//! let pond = batch.insert(&Obstacle::cells(20, 0, 10, 100, water)?)?;
//! let guard = batch.insert(&Obstacle::cells(50, 45, 8, 8, tank)?)?;
//! drop(batch);
//!
//! let at = |x, y| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(y).unwrap());
//! let boat = DiscAgent { blocked_by: tank, ..DiscAgent::POINT };
//! let hit = field.cast_ray(at(0, 50), at(99, 50), boat).unwrap();
//! assert_eq!(hit.obstacle, guard);
//! let walker = DiscAgent { blocked_by: water | tank, ..DiscAgent::POINT };
//! assert_eq!(field.cast_ray(at(0, 50), at(99, 50), walker).unwrap().obstacle, pond);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use thiserror::Error;
use wayfarer_base::{Aabb2, Fixed, Point2, Revision};

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
use obstacle::{ObstacleBody, near};

/// Most tiles a side by which the field remembers where something made room.
const TILES: i32 = 32;

/// Why a field could not be made or changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// A coordinate is too far out.
    #[error(
        "{what} lies at {found} / 256 cells, expected at most {limit} from the origin",
        limit = MAX_COORDINATE.raw()
    )]
    TooFar {
        /// Of what.
        what: &'static str,
        /// The coordinate in 1/256 of a cell.
        found: i64,
    },
    /// A shape without an inside.
    #[error("a shape of {width} x {height} / 256 cells, expected at least 1 each way")]
    Empty {
        /// In 1/256 of a cell.
        width: i64,
        /// In 1/256 of a cell.
        height: i64,
    },
    /// An obstacle of no type: nothing could ever meet it.
    #[error("an entity of no type, expected at least one of the 64")]
    NoTypes,
    /// The name is of an obstacle that was removed, or of none.
    #[error("no entity is named {id:?} (any more)")]
    Dead {
        /// The name as given.
        id: ObstacleId,
    },
    /// The table of obstacles is full.
    #[error("the field holds {limit} entities already", limit = ObstacleSet::MAX_OBSTACLES)]
    Full,
}

/// Things that stand and move about in a rectangle of the world.
///
/// Obstacles may reach out of the rectangle or lie beyond it; agents may not.
#[derive(Clone, Debug)]
pub struct ObstacleSet {
    low: [i32; 2],
    high: [i32; 2],
    /// By place; no types where none lives.
    bodies: Vec<ObstacleBody>,
    generations: Vec<u32>,
    free: Vec<u32>,
    grid: Grid,
    revision: Revision,
    /// When something last made room, tile by tile of 2^`tile_bits`.
    eased: Box<[[Revision; TILES as usize]; TILES as usize]>,
    tile_bits: u32,
    crowd: Box<[Crowd; 64]>,
    n_discs: i64,
}

/// How much room the obstacles of a type take.
#[derive(Clone, Copy, Debug, Default)]
struct Crowd {
    n_obstacles: i64,
    /// Sum of width + height, in 1/256 of a cell.
    sides: i64,
    /// Sum of the areas, in 1/65,536 of a cell.
    area: i128,
}

impl ObstacleSet {
    /// Most obstacles a field can hold.
    pub const MAX_OBSTACLES: u32 = 1 << 28;

    /// A field without obstacles.
    ///
    /// # Errors
    /// If the bounds are empty or reach beyond [`MAX_COORDINATE`].
    pub fn new(bounds: Aabb2) -> Result<Self, ObstacleError> {
        let corner = |point: Point2| -> Result<[i32; 2], ObstacleError> {
            Ok([
                near(i64::from(point.x.raw()), "the field's edge")?,
                near(i64::from(point.y.raw()), "the field's edge")?,
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
            revision: Revision::default(),
            eased: Box::new([[Revision::default(); TILES as usize]; TILES as usize]),
            crowd: Box::new([Crowd::default(); 64]),
            n_discs: 0,
        })
    }

    /// A field from the origin, `side` cells wide and high.
    ///
    /// # Errors
    /// If the bounds are empty or reach beyond [`MAX_COORDINATE`].
    pub fn square(side: i32) -> Result<Self, ObstacleError> {
        let raw = i64::from(side) * i64::from(Fixed::PARTS);
        let far = Fixed::from_raw(near(raw, "the field's edge")?);
        Self::new(Aabb2 {
            low: Point2::default(),
            high: Point2::new(far, far),
        })
    }

    /// The rectangle that agents keep to, edges included.
    pub const fn bounds(&self) -> Aabb2 {
        Aabb2 {
            low: Point2::new(Fixed::from_raw(self.low[0]), Fixed::from_raw(self.low[1])),
            high: Point2::new(Fixed::from_raw(self.high[0]), Fixed::from_raw(self.high[1])),
        }
    }

    /// True if an agent's middle may be at `at`, as far as the bounds are concerned.
    #[inline]
    pub const fn is_inside(&self, at: Point2) -> bool {
        self.low[0] <= at.x.raw()
            && at.x.raw() <= self.high[0]
            && self.low[1] <= at.y.raw()
            && at.y.raw() <= self.high[1]
    }

    /// How many batches of edits there were.
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// How many obstacles live.
    pub fn len(&self) -> usize {
        self.bodies.len() - self.free.len()
    }

    /// True if there is no obstacle.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The obstacle named `id`, if it lives.
    pub fn obstacle(&self, id: ObstacleId) -> Option<Obstacle> {
        self.body(id).map(ObstacleBody::obstacle)
    }

    /// All obstacles, in the order of their places.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, Obstacle)> {
        let living = self.bodies.iter().filter(|body| body.types != 0);
        living.map(|body| (self.id_at(body.slot), body.obstacle()))
    }

    /// What the obstacle named `id` is to `agent`, if it lives.
    #[inline]
    pub fn outline(&self, id: ObstacleId, agent: DiscAgent) -> Option<InflatedOutline> {
        self.body(id)
            .map(|body| InflatedOutline::of(body, agent.margin()))
    }

    /// What the obstacle at place `slot` is to `agent`, whether that is stopped by it or not.
    ///
    /// # Panics
    /// If no obstacle ever was at that place.
    #[inline]
    pub fn outline_at(&self, slot: u32, agent: DiscAgent) -> InflatedOutline {
        InflatedOutline::of(&self.bodies[slot as usize], agent.margin())
    }

    /// The name of the obstacle at place `slot`.
    ///
    /// # Panics
    /// If no obstacle ever was at that place.
    #[inline]
    pub fn id_at(&self, slot: u32) -> ObstacleId {
        ObstacleId::new(slot, self.generations[slot as usize])
    }

    fn body(&self, id: ObstacleId) -> Option<&ObstacleBody> {
        let body = self.bodies.get(id.index() as usize)?;
        let lives = body.types != 0 && self.generations[id.index() as usize] == id.generation();
        lives.then_some(body)
    }

    /// How much of the field the outlines of what stops `agent` would cover if none overlapped, in
    /// thousandths; an obstacle of several types counts as the lowest of them.
    pub fn density_per_mille(&self, agent: DiscAgent) -> u32 {
        let radius = i128::from(agent.radius.raw());
        let types = agent.blocked_by.numbers();
        let covered: i128 = types
            .map(|number| {
                let crowd = self.crowd[usize::from(number)];
                crowd.area
                    + 2 * radius * i128::from(crowd.sides)
                    + 4 * radius * radius * i128::from(crowd.n_obstacles)
            })
            .sum();
        let area = i128::from(self.high[0] - self.low[0]) * i128::from(self.high[1] - self.low[1]);
        u32::try_from(covered * 1000 / area.max(1)).unwrap_or(u32::MAX)
    }

    /// True if, after `since`, something that could have been in the way made room within the
    /// ellipse of all points whose distances to `from` and `to` add up to at most `length` raw
    /// units.
    pub fn may_have_opened(&self, since: Revision, from: Point2, to: Point2, length: f64) -> bool {
        let side = f64::from(1_u32 << self.tile_bits);
        let tiles = (0..).zip(self.eased.iter().flatten());
        let mut tiles = tiles.filter(|(_, eased)| **eased > since);
        tiles.any(|(number, _): (i32, _)| {
            let corner = [number % TILES, number / TILES];
            let gap = |at: Point2| {
                let at = [at.x.raw(), at.y.raw()];
                let axis = |axis: usize| {
                    let low = f64::from(self.low[axis]) + f64::from(corner[axis]) * side;
                    let (below, above) =
                        (low - f64::from(at[axis]), f64::from(at[axis]) - low - side);
                    // Border tiles stand for all that lies beyond them.
                    let below = if corner[axis] == 0 { 0.0 } else { below };
                    let above = if corner[axis] == TILES - 1 {
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

    /// Notes that something is no longer between `low` and `high`.
    #[inline]
    fn ease(&mut self, low: [i32; 2], high: [i32; 2], now: Revision) {
        // What lies below the field wraps round to far above it.
        let tile = |axis: usize, at: i32| {
            let above = at.wrapping_sub(self.low[axis]).cast_unsigned();
            (above >> self.tile_bits) as usize
        };
        let (left, right) = (tile(0, low[0]), tile(0, high[0]));
        let (top, bottom) = (tile(1, low[1]), tile(1, high[1]));
        let is_inside = (left | right | top | bottom) < TILES as usize;
        if is_inside && right - left <= 1 && bottom - top <= 1 {
            // Hardly any body is larger than a tile: the tiles of its corners are all of them.
            for row in [top, bottom] {
                self.eased[row][left] = now;
                self.eased[row][right] = now;
            }
        } else {
            self.ease_tiles(low, high, now);
        }
    }

    #[cold]
    fn ease_tiles(&mut self, low: [i32; 2], high: [i32; 2], now: Revision) {
        let tile = |axis: usize, at: i32| {
            let tile = ((at - self.low[axis]) >> self.tile_bits).clamp(0, TILES - 1);
            tile.cast_unsigned() as usize
        };
        let (left, right) = (tile(0, low[0]), tile(0, high[0]));
        for row in &mut self.eased[tile(1, low[1])..=tile(1, high[1])] {
            row[left..=right].fill(now);
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.bodies.capacity() * size_of::<ObstacleBody>()
            + (self.generations.capacity() + self.free.capacity()) * size_of::<u32>()
            + size_of_val(&*self.eased)
            + size_of::<[Crowd; 64]>()
            + self.grid.heap_bytes()
    }
}

#[cfg(test)]
mod tests;
