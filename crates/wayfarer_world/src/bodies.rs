//! Moving bodies in a hierarchical grid: range, sweep, nearest and pair queries, and sensors
//! \[Smith\].
//!
//! A body is registered at its center in one bin. Levels of bins grow by a factor of four; a body
//! lives in the lowest level whose bins are at least as wide as its reach, its motion within the
//! tick included. Pages of bins exist only where bodies are, so the world has no bounds.
//!
//! A query visits the bins that its footprint overlaps and tests bodies only in bins that it covers
//! in part. Results and their order depend on positions and indices alone, not on history. Queries
//! write into caller-owned buffers and do not allocate once these are warm.

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
mod occlusion;
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
pub use occlusion::SegmentOcclusion;
pub use pairs::{Pair, PairScratch, Ranges};
pub use query::BodyFilter;
pub use record::{BodySetRecord, BodySetRecordError, PlacedBody, PlacedSensor};
pub use sensor::{
    Mount, Sensor, SensorEvent, SensorEventKind, SensorId, SensorShard, Sensors, SightQuery,
};
pub use sweep::{Contact, Contacts};

use area::{Area, PreparedArea, with_area};
use body::{Extent, Tag};
use level::{BinEntry, Level, motion_length};

/// The id of a body; stale after the body is unregistered.
pub type BodyId = Id<Body>;

/// Errors of changing a [`BodySet`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// No body has this id, or no longer.
    #[error("no body has id {id:?}")]
    UnknownBody {
        /// The id.
        id: BodyId,
    },
    /// A body beyond the limits.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The number of positions differs from the number of slots.
    #[error("{found} positions, expected {expected}: one for each slot")]
    Length {
        /// The number of positions given.
        found: usize,
        /// The number of slots.
        expected: usize,
    },
}

/// Which end of its motion within a tick a body is registered at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DetectionTiming {
    /// Bodies move before queries run: they are registered where their motion ends.
    #[default]
    AfterMovement,
    /// Queries run before bodies move: they are registered where their motion starts.
    BeforeMovement,
}

/// All bodies of a world.
///
/// ```
/// use wayfarer_base::{Fixed, Point2};
/// use wayfarer_world::bodies::{Body, BodyFilter, Footprint, QueryHits, BodySet};
///
/// let at = |x: i32, y: i32| Point2::from_raw(256 * x, 256 * y);
/// let mut bodies = BodySet::new(Fixed::from_raw(4 * 256)); // bins of 4 cells
/// let orc = bodies.register(&Body::at(at(10, 10)))?;
/// let elf = bodies.register(&Body::at(at(13, 14)))?;
///
/// let near = |bodies: &BodySet, radius: i32| {
///     let circle = Footprint::circle(at(10, 10), Fixed::from_raw(256 * radius));
///     bodies.count(&circle, &BodyFilter::all_except(orc))
/// };
/// assert_eq!(near(&bodies, 5)?, 1);
/// assert_eq!(near(&bodies, 4)?, 0);
///
/// bodies.move_to(elf, at(12, 12))?;
/// assert_eq!(near(&bodies, 4)?, 1);
/// bodies.unregister(elf)?;
/// assert!(bodies.move_to(elf, at(0, 0)).is_err()); // stale id
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodySet {
    /// Positions at the end of the motions.
    at: Vec<Point2>,
    /// Positions at the start of the motions.
    before: Vec<Point2>,
    extents: Vec<Extent>,
    heights: Vec<(i32, i32)>,
    tags: Vec<Tag>,
    /// The bits of all tags that bodies have had: those missing here no body has.
    tag_bits: u32,
    generations: Vec<u32>,
    /// The level of each body; `VACANT` for unused slots.
    level_of: Vec<u8>,
    free: Vec<u32>,
    n_bodies: usize,
    levels: Vec<Level>,
    /// Levels from this on are empty.
    n_used_levels: usize,
    detection: DetectionTiming,
    /// The bin of each body during a bulk update.
    keys: Vec<u32>,
}

const VACANT: u8 = u8::MAX;
/// Bins of the last level are 2^30 / 256 cells wide: a quarter of the world.
const LAST_SHIFT: u32 = 30;

impl BinEntry {
    #[inline]
    fn at(&self) -> Point2 {
        Point2::from_raw(self.x, self.y)
    }
}

impl BodySet {
    /// An empty set; the smallest bins are `bin_size` wide, rounded to a power of two, from 1/256
    /// of a cell to 4 million cells.
    ///
    /// Queries are fastest with bins about half as wide as their radius.
    pub fn new(bin_size: Fixed) -> Self {
        let side = bin_size.raw().clamp(1, 1 << LAST_SHIFT).unsigned_abs();
        // Rounds to the nearest power of two, upwards from the geometric mean.
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
            tag_bits: 0,
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

    /// Sets the end of the motion at which bodies are registered.
    #[must_use]
    pub fn with_detection(mut self, detection: DetectionTiming) -> Self {
        self.detection = detection;
        self.rebuild();
        self
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.n_bodies
    }

    /// True if there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.n_bodies == 0
    }

    /// The number of slots including vacant ones: one more than the highest index.
    pub fn n_slots(&self) -> usize {
        self.at.len()
    }

    /// The side of the smallest bins.
    pub fn bin_size(&self) -> Fixed {
        Fixed::from_raw(1 << self.levels[0].shift)
    }

    /// Log2 of the side of the smallest bins in 1/256 of a cell.
    pub fn bin_shift(&self) -> u32 {
        self.levels[0].shift
    }

    /// Heap bytes of the grid and the body table.
    pub fn bytes(&self) -> usize {
        let per_body = 2 * size_of::<Point2>() + size_of::<Extent>() + size_of::<(i32, i32)>();
        let levels: usize = self.levels.iter().map(Level::bytes).sum();
        self.at.capacity() * (per_body + size_of::<Tag>() + 9) + levels
    }

    /// The id of the body in a slot; `None` if the slot is vacant.
    #[inline]
    pub fn id_at(&self, index: u32) -> Option<BodyId> {
        let slot = index as usize;
        let level = *self.level_of.get(slot)?;
        (level != VACANT).then(|| Id::new(index, self.generations[slot]))
    }

    /// True if the id refers to a registered body.
    #[inline]
    pub fn contains(&self, id: BodyId) -> bool {
        self.id_at(id.index()) == Some(id)
    }

    #[inline]
    fn slot(&self, id: BodyId) -> Result<usize, BodyError> {
        if self.contains(id) {
            Ok(id.index() as usize)
        } else {
            Err(BodyError::UnknownBody { id })
        }
    }

    /// The body with this id.
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`].
    pub fn body(&self, id: BodyId) -> Result<Body, BodyError> {
        let slot = self.slot(id)?;
        let (z, height) = self.heights[slot];
        Ok(Body {
            position: self.at[slot],
            shape: self.extents[slot].outline(),
            z: Fixed::from_raw(z),
            height: Fixed::from_raw(height),
            categories: self.tags[slot].categories(),
            team: self.tags[slot].team(),
        })
    }

    /// Where a body is, and the height of its feet: less to read than [`Self::body`].
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`].
    #[inline]
    pub fn place(&self, id: BodyId) -> Result<(Point2, Fixed), BodyError> {
        let slot = self.slot(id)?;
        Ok((self.at[slot], Fixed::from_raw(self.heights[slot].0)))
    }

    /// False if no body has had any of the categories: less to read than every body.
    pub fn have_had(&self, categories: BodyCategories) -> bool {
        self.tag_bits & Tag::new(categories, 0).0 != 0
    }

    /// Where the bodies are, by slot; those of vacant slots mean nothing.
    pub fn positions(&self) -> &[Point2] {
        &self.at
    }

    /// The start and end of a body's motion of this tick.
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`].
    pub fn motion(&self, id: BodyId) -> Result<(Point2, Point2), BodyError> {
        let slot = self.slot(id)?;
        Ok((self.before[slot], self.at[slot]))
    }

    /// Where queries find a body: the end of its motion, or its start with
    /// [`DetectionTiming::BeforeMovement`].
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`].
    pub fn detection_point(&self, id: BodyId) -> Result<Point2, BodyError> {
        Ok(self.registered_at(self.slot(id)?))
    }

    /// [`detection_point`](Self::detection_point) of a slot.
    #[inline]
    fn registered_at(&self, slot: usize) -> Point2 {
        match self.detection {
            DetectionTiming::AfterMovement => self.at[slot],
            DetectionTiming::BeforeMovement => self.before[slot],
        }
    }

    /// The distance a body reaches from there, its motion included.
    #[inline]
    fn reach_of(&self, slot: usize) -> i32 {
        reach_of(self.extents[slot], self.before[slot], self.at[slot])
    }

    fn entry_of(&self, slot: usize) -> BinEntry {
        let at = self.registered_at(slot);
        BinEntry {
            x: at.x.raw(),
            y: at.y.raw(),
            index: u32::try_from(slot).expect("slots have 32 bits"),
            tag: self.tags[slot].0,
        }
    }

    /// Registers a body.
    ///
    /// # Errors
    /// A value of the body beyond the limits.
    pub fn register(&mut self, body: &Body) -> Result<BodyId, ShapeError> {
        body.check()?;
        let extent = Extent::from_shape(body.shape)?;
        let heights = (body.z.raw(), body.height.raw());
        let tag = Tag::new(body.categories, body.team);
        self.tag_bits |= tag.0;
        let slot = if let Some(index) = self.free.pop() {
            let slot = index as usize;
            self.at[slot] = body.position;
            self.before[slot] = body.position;
            self.extents[slot] = extent;
            self.heights[slot] = heights;
            self.tags[slot] = tag;
            slot
        } else {
            self.at.push(body.position);
            self.before.push(body.position);
            self.extents.push(extent);
            self.heights.push(heights);
            self.tags.push(tag);
            self.generations.push(0);
            self.level_of.push(VACANT);
            self.at.len() - 1
        };
        self.n_bodies += 1;
        self.insert_into_level(slot);
        let index = u32::try_from(slot).expect("fewer than 2^32 bodies");
        Ok(Id::new(index, self.generations[slot]))
    }

    /// Removes a body; its id becomes stale.
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`].
    pub fn unregister(&mut self, id: BodyId) -> Result<(), BodyError> {
        let slot = self.slot(id)?;
        self.remove_from_level(slot);
        self.generations[slot] = self.generations[slot].wrapping_add(1);
        self.free.push(id.index());
        self.n_bodies -= 1;
        Ok(())
    }

    /// Registers an unregistered slot in the level of its reach.
    fn insert_into_level(&mut self, slot: usize) {
        let reach = self.reach_of(slot);
        let entry = self.entry_of(slot);
        let extent = self.extents[slot];
        let number = level_for(&self.levels, reach);
        self.level_of[slot] = u8::try_from(number).expect("at most 16 levels");
        let level = &mut self.levels[number];
        level.insert(entry);
        level.widen(entry.x, entry.y, reach);
        level.bounds.widen(extent, reach);
        self.n_used_levels = self.n_used_levels.max(number + 1);
        if self.levels[number].is_wasteful() {
            self.rebuild();
        }
    }

    fn remove_from_level(&mut self, slot: usize) {
        let at = self.registered_at(slot);
        let level = &mut self.levels[usize::from(self.level_of[slot])];
        let index = u32::try_from(slot).expect("slots have 32 bits");
        level.remove(index, at.x.raw(), at.y.raw());
        level.bounds.n_wide -= usize::from(!self.extents[slot].is_point());
        self.level_of[slot] = VACANT;
    }

    fn relocate(&mut self, slot: usize, before: Point2, at: Point2) {
        let old_point = self.registered_at(slot);
        let level = usize::from(self.level_of[slot]);
        let reach = reach_of(self.extents[slot], before, at);
        let new_point = match self.detection {
            DetectionTiming::AfterMovement => at,
            DetectionTiming::BeforeMovement => before,
        };
        let shift = self.levels[level].shift;
        let bin_at = |point: Point2| (point.x.raw() >> shift, point.y.raw() >> shift);
        if bin_at(old_point) == bin_at(new_point) && level_for(&self.levels, reach) == level {
            // The bin stays the same.
            let (x, y) = (old_point.x.raw(), old_point.y.raw());
            let index = u32::try_from(slot).expect("slots have 32 bits");
            if let Some(entry) = self.levels[level].entry_mut(index, x, y) {
                entry.x = new_point.x.raw();
                entry.y = new_point.y.raw();
            }
            self.levels[level].widen(x, y, reach);
            self.levels[level].bounds.widen(Extent::POINT, reach);
            self.at[slot] = at;
            self.before[slot] = before;
            return;
        }
        self.remove_from_level(slot);
        self.at[slot] = at;
        self.before[slot] = before;
        self.insert_into_level(slot);
    }

    /// Moves a body within the tick: its motion now ends at `to`.
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`], or a position beyond the limits.
    pub fn move_to(&mut self, id: BodyId, to: Point2) -> Result<(), BodyError> {
        let slot = self.slot(id)?;
        body::position(to)?;
        self.relocate(slot, self.before[slot], to);
        Ok(())
    }

    /// Places a body at `to` without motion.
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`], or a position beyond the limits.
    pub fn teleport(&mut self, id: BodyId, to: Point2) -> Result<(), BodyError> {
        let slot = self.slot(id)?;
        body::position(to)?;
        self.relocate(slot, to, to);
        Ok(())
    }

    /// Sets the height of a body's feet; heights have no motion.
    ///
    /// # Errors
    /// [`BodyError::UnknownBody`], or a height beyond the limits.
    pub fn set_height(&mut self, id: BodyId, z: Fixed) -> Result<(), BodyError> {
        let slot = self.slot(id)?;
        body::elevation(z)?;
        self.heights[slot].0 = z.raw();
        Ok(())
    }

    /// Updates the number of used levels.
    fn mark_used(&mut self) {
        let last = self.levels.iter().rposition(|level| level.n_bodies > 0);
        self.n_used_levels = last.map_or(0, |last| last + 1);
    }

    /// The levels with bodies, small bodies first.
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

/// The lowest level with bins as wide as the reach; the last level takes the rest.
fn level_for(levels: &[Level], reach: i32) -> usize {
    let fits = |level: &Level| reach <= level.limit();
    levels.iter().position(fits).unwrap_or(levels.len() - 1)
}

#[cfg(test)]
mod tests;
