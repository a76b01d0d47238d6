//! Who is near: everything that moves, registered in squares, so that few are looked at.
//!
//! An object is registered with its position in the square that holds its middle. Squares come in
//! levels, each four times as wide as the one before; an object lives in the lowest level whose
//! squares are at least as wide as it reaches, its way within a tick included. There are no bounds:
//! squares exist where somebody is.
//!
//! Who asks about a footprint looks at the squares it covers only, and tests bodies one by one only
//! in those that it covers in part.

use thiserror::Error;
use wayfarer_base::{Fixed, Id, Point2};

mod area;
mod bins;
mod body;
mod bulk;
mod contact;
mod coverage;
mod directory;
mod footprint;
mod hits;
mod level;
mod nearest;
mod neighbors;
mod overlap;
mod pairs;
mod query;
mod record;
mod sensor;
mod sink;
mod sweep;

pub use bins::GridBin;
pub use body::{Body, BodyCategories, BodyShape, MAX_COORDINATE, MAX_SIZE, ShapeError, Teams};
pub use contact::Motion;
pub use footprint::{ConvexPolygon, Footprint, Heading};
pub use hits::{QueryHits, QueryStats};
pub use nearest::NearestHits;
pub use neighbors::{NeighborLists, Shard};
pub use pairs::{Pair, PairScratch, PairTracker, Ranges};
pub use query::BodyFilter;
pub use record::{BodySetRecord, BodySetRecordError, PlacedBody, PlacedSensor};
pub use sensor::{
    Mount, Sensor, SensorEvent, SensorEventKind, SensorId, SensorShard, Sensors, SightQuery,
};
pub use sweep::{Contact, Contacts};

use area::{Area, Ready, with_area};
use body::{Extent, Tag};
use level::{Level, Slot, motion_length};

/// The name of an object; dead with it.
pub type BodyId = Id<Body>;

/// Why objects were not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// No such object, or no more.
    #[error("object {id:?} is dead or was never born")]
    Dead {
        /// Who.
        id: BodyId,
    },
    /// A body beyond the limits.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// As many positions as places were expected.
    #[error("{found} positions, expected {expected}: one for each place of the table")]
    Length {
        /// How many were given.
        found: usize,
        /// How many places there are.
        expected: usize,
    },
}

/// Which end of its way within a tick an object is registered at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DetectionTiming {
    /// Objects move, then it is asked who is where: they are found where their way ends.
    #[default]
    AfterMovement,
    /// It is asked first, then objects move: they are found where their way begins.
    BeforeMovement,
}

/// All objects of a world.
///
/// ```
/// use wayfarer_base::{Fixed, Point2};
/// use wayfarer_world::objects::{Body, BodyFilter, Footprint, QueryHits, BodySet};
///
/// let at = |x: i32, y: i32| Point2::new(Fixed::from_raw(256 * x), Fixed::from_raw(256 * y));
/// let mut objects = BodySet::new(Fixed::from_raw(4 * 256)); // bins of 4 cells
/// let orc = objects.register(&Body::at(at(10, 10)))?;
/// let elf = objects.register(&Body::at(at(13, 14)))?;
///
/// let near = |objects: &BodySet, radius: i32| {
///     let circle = Footprint::circle(at(10, 10), Fixed::from_raw(256 * radius));
///     objects.count(&circle, &BodyFilter::but(orc))
/// };
/// assert_eq!(near(&objects, 5)?, 1);
/// assert_eq!(near(&objects, 4)?, 0);
///
/// objects.move_to(elf, at(12, 12))?;
/// assert_eq!(near(&objects, 4)?, 1);
/// objects.unregister(elf)?;
/// assert!(objects.move_to(elf, at(0, 0)).is_err()); // the dead do not move
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodySet {
    /// Where each is, at the end of its way.
    at: Vec<Point2>,
    /// Where its way of this tick began.
    before: Vec<Point2>,
    extents: Vec<Extent>,
    heights: Vec<(i32, i32)>,
    tags: Vec<Tag>,
    generations: Vec<u32>,
    /// The level each is registered in; `DEAD` for nobody.
    level_of: Vec<u8>,
    free: Vec<u32>,
    n_bodies: usize,
    levels: Vec<Level>,
    /// Levels from this on are empty.
    n_used_levels: usize,
    detection: DetectionTiming,
    /// The square of each, while a bulk update runs.
    keys: Vec<u32>,
}

const DEAD: u8 = u8::MAX;
/// Squares of the last level are 2^30 / 256 cells wide: a quarter of the world.
const LAST_SHIFT: u32 = 30;

impl Slot {
    #[inline]
    fn at(&self) -> Point2 {
        Point2::new(Fixed::from_raw(self.x), Fixed::from_raw(self.y))
    }
}

impl BodySet {
    /// No objects; the smallest squares are `square` wide, rounded to a power of two, from 1/256
    /// of a cell to 4 million cells.
    ///
    /// Questions are fastest with squares about half as wide as their radius.
    pub fn new(square: Fixed) -> Self {
        let side = square.raw().clamp(1, 1 << LAST_SHIFT).unsigned_abs();
        // To the nearest power of two, upwards from the geometric middle.
        let low = side.ilog2();
        let is_upper = u64::from(side) * u64::from(side) >= 1 << (2 * low + 1);
        let first = (low + u32::from(is_upper)).min(LAST_SHIFT);
        let mut levels = Vec::new();
        let mut shift = first;
        loop {
            levels.push(Level::new(shift));
            if shift == LAST_SHIFT {
                break;
            }
            shift = (shift + 2).min(LAST_SHIFT);
        }
        Self {
            at: Vec::new(),
            before: Vec::new(),
            extents: Vec::new(),
            heights: Vec::new(),
            tags: Vec::new(),
            generations: Vec::new(),
            level_of: Vec::new(),
            free: Vec::new(),
            n_bodies: 0,
            levels,
            n_used_levels: 0,
            detection: DetectionTiming::default(),
            keys: Vec::new(),
        }
    }

    /// The same, with objects found at the other end of their paths.
    #[must_use]
    pub fn with_detection(mut self, detection: DetectionTiming) -> Self {
        self.detection = detection;
        self.rebuild();
        self
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.n_bodies
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.n_bodies == 0
    }

    /// How many places the table has, those of the dead included: one more than any index.
    pub fn n_slots(&self) -> usize {
        self.at.len()
    }

    /// Side of the smallest squares.
    pub fn square(&self) -> Fixed {
        Fixed::from_raw(1 << self.levels[0].shift)
    }

    /// The same as a power of two, in 1/256 of a cell.
    pub fn square_shift(&self) -> u32 {
        self.levels[0].shift
    }

    /// Bytes that the squares and the table of objects take.
    pub fn bytes(&self) -> usize {
        let one = 2 * size_of::<Point2>() + size_of::<Extent>() + size_of::<(i32, i32)>();
        let levels: usize = self.levels.iter().map(Level::bytes).sum();
        self.at.capacity() * (one + size_of::<Tag>() + 9) + levels
    }

    /// The name of who lives at a place of the table.
    #[inline]
    pub fn id_at(&self, index: u32) -> Option<BodyId> {
        let place = index as usize;
        let level = *self.level_of.get(place)?;
        (level != DEAD).then(|| Id::new(index, self.generations[place]))
    }

    /// True if the object lives.
    pub fn is_alive(&self, id: BodyId) -> bool {
        self.id_at(id.index()) == Some(id)
    }

    fn place(&self, id: BodyId) -> Result<usize, BodyError> {
        if self.is_alive(id) {
            Ok(id.index() as usize)
        } else {
            Err(BodyError::Dead { id })
        }
    }

    /// What is registered under a name.
    ///
    /// # Errors
    /// A dead name.
    pub fn body(&self, id: BodyId) -> Result<Body, BodyError> {
        let place = self.place(id)?;
        let (z, height) = self.heights[place];
        Ok(Body {
            position: self.at[place],
            outline: self.extents[place].outline(),
            z: Fixed::from_raw(z),
            height: Fixed::from_raw(height),
            categories: self.tags[place].categories(),
            team: self.tags[place].team(),
        })
    }

    /// Where its way of this tick begins and ends.
    ///
    /// # Errors
    /// A dead name.
    pub fn motion(&self, id: BodyId) -> Result<(Point2, Point2), BodyError> {
        let place = self.place(id)?;
        Ok((self.before[place], self.at[place]))
    }

    /// Where an object is found: the end of its way, or the beginning if it is asked before
    /// movement.
    ///
    /// # Errors
    /// A dead name.
    pub fn detection_point(&self, id: BodyId) -> Result<Point2, BodyError> {
        Ok(self.registered_at(self.place(id)?))
    }

    /// The same for a place of the table.
    #[inline]
    fn registered_at(&self, place: usize) -> Point2 {
        match self.detection {
            DetectionTiming::AfterMovement => self.at[place],
            DetectionTiming::BeforeMovement => self.before[place],
        }
    }

    /// How far it reaches from there, its way included.
    #[inline]
    fn reach_of(&self, place: usize) -> i32 {
        reach_of(self.extents[place], self.before[place], self.at[place])
    }

    fn slot_of(&self, place: usize) -> Slot {
        let at = self.registered_at(place);
        Slot {
            x: at.x.raw(),
            y: at.y.raw(),
            index: u32::try_from(place).expect("places have 32 bits"),
            tag: self.tags[place].0,
        }
    }

    /// Registers a new object.
    ///
    /// # Errors
    /// A body beyond the limits.
    pub fn register(&mut self, body: &Body) -> Result<BodyId, ShapeError> {
        body.check()?;
        let extent = Extent::of(body.outline)?;
        let heights = (body.z.raw(), body.height.raw());
        let tag = Tag::new(body.categories, body.team);
        let place = if let Some(index) = self.free.pop() {
            let place = index as usize;
            self.at[place] = body.position;
            self.before[place] = body.position;
            self.extents[place] = extent;
            self.heights[place] = heights;
            self.tags[place] = tag;
            place
        } else {
            self.at.push(body.position);
            self.before.push(body.position);
            self.extents.push(extent);
            self.heights.push(heights);
            self.tags.push(tag);
            self.generations.push(0);
            self.level_of.push(DEAD);
            self.at.len() - 1
        };
        self.n_bodies += 1;
        self.enter(place);
        let index = u32::try_from(place).expect("fewer than 2^32 objects");
        Ok(Id::new(index, self.generations[place]))
    }

    /// Takes an object out; its name is dead from now on.
    ///
    /// # Errors
    /// A dead name.
    pub fn unregister(&mut self, id: BodyId) -> Result<(), BodyError> {
        let place = self.place(id)?;
        self.leave(place);
        self.generations[place] = self.generations[place].wrapping_add(1);
        self.free.push(id.index());
        self.n_bodies -= 1;
        Ok(())
    }

    /// Puts one who is in no level into the one it belongs to.
    fn enter(&mut self, place: usize) {
        let reach = self.reach_of(place);
        let slot = self.slot_of(place);
        let extent = self.extents[place];
        let number = level_for(&self.levels, reach);
        self.level_of[place] = u8::try_from(number).expect("at most 16 levels");
        let level = &mut self.levels[number];
        level.insert(slot);
        level.widen(slot.x, slot.y, reach);
        level.bounds.widen(extent, reach);
        self.n_used_levels = self.n_used_levels.max(number + 1);
        if self.levels[number].is_wasteful() {
            self.rebuild();
        }
    }

    fn leave(&mut self, place: usize) {
        let at = self.registered_at(place);
        let level = &mut self.levels[usize::from(self.level_of[place])];
        let index = u32::try_from(place).expect("places have 32 bits");
        level.remove(index, at.x.raw(), at.y.raw());
        level.bounds.n_wide -= usize::from(!self.extents[place].is_point());
        self.level_of[place] = DEAD;
    }

    fn shift(&mut self, place: usize, before: Point2, at: Point2) {
        let was = self.registered_at(place);
        let level = usize::from(self.level_of[place]);
        let reach = reach_of(self.extents[place], before, at);
        let is_now = match self.detection {
            DetectionTiming::AfterMovement => at,
            DetectionTiming::BeforeMovement => before,
        };
        let shift = self.levels[level].shift;
        let square = |point: Point2| (point.x.raw() >> shift, point.y.raw() >> shift);
        if square(was) == square(is_now) && level_for(&self.levels, reach) == level {
            // The square stays the same.
            let (x, y) = (was.x.raw(), was.y.raw());
            let index = u32::try_from(place).expect("places have 32 bits");
            if let Some(slot) = self.levels[level].slot_mut(index, x, y) {
                slot.x = is_now.x.raw();
                slot.y = is_now.y.raw();
            }
            self.levels[level].widen(x, y, reach);
            self.levels[level].bounds.widen(Extent::POINT, reach);
            self.at[place] = at;
            self.before[place] = before;
            return;
        }
        self.leave(place);
        self.at[place] = at;
        self.before[place] = before;
        self.enter(place);
    }

    /// Moves one object within the tick: its way now ends at `to`.
    ///
    /// # Errors
    /// A dead name, or a position beyond the limits.
    pub fn move_to(&mut self, id: BodyId, to: Point2) -> Result<(), BodyError> {
        let place = self.place(id)?;
        body::position(to)?;
        self.shift(place, self.before[place], to);
        Ok(())
    }

    /// Puts one object somewhere else without a way there.
    ///
    /// # Errors
    /// A dead name, or a position beyond the limits.
    pub fn teleport(&mut self, id: BodyId, to: Point2) -> Result<(), BodyError> {
        let place = self.place(id)?;
        body::position(to)?;
        self.shift(place, to, to);
        Ok(())
    }

    /// Changes the height of an object's feet; heights have no ways.
    ///
    /// # Errors
    /// A dead name, or a height beyond the limits.
    pub fn set_height(&mut self, id: BodyId, z: Fixed) -> Result<(), BodyError> {
        let place = self.place(id)?;
        body::elevation(z)?;
        self.heights[place].0 = z.raw();
        Ok(())
    }

    /// Notes up to which level there is anybody.
    fn mark_used(&mut self) {
        let last = self.levels.iter().rposition(|level| level.n_bodies > 0);
        self.n_used_levels = last.map_or(0, |last| last + 1);
    }

    /// The levels in which there is anybody, small bodies first.
    #[inline]
    fn used_levels(&self) -> impl Iterator<Item = &Level> {
        let levels = self.levels[..self.n_used_levels].iter();
        levels.filter(|level| level.n_bodies > 0)
    }
}

#[inline]
fn reach_of(extent: Extent, before: Point2, at: Point2) -> i32 {
    extent.reach().saturating_add(motion_length(before, at))
}

/// The lowest level with squares as wide as the reach; the last takes all the rest.
fn level_for(levels: &[Level], reach: i32) -> usize {
    let fits = |level: &Level| reach <= level.limit();
    levels.iter().position(fits).unwrap_or(levels.len() - 1)
}

#[cfg(test)]
mod tests;
