//! Persistent area queries: a sensor on a body or at a point reports enter, stay and leave events.
//!
//! Updated once per tick; each update merges the sorted hits with the sorted members of the
//! previous tick. Sight, hearing, radio range and interest management are all sensors. No
//! allocation once warm.

use wayfarer_base::{Fixed, Id, Point2};

mod memberships;

pub(super) use memberships::Entry;
use memberships::{GROUP_SIZE, Memberships};

use super::body::ShapeError;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::overlap::overlaps_extent;
use super::query::BodyFilter;
use super::sweep::Contacts;
use super::{BodyId, BodySet};

/// Where a sensor is mounted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mount {
    /// On a body, which it follows and never detects; blind once the body is removed.
    Body(BodyId),
    /// At a point.
    Point(Point2),
}

/// The configuration of a sensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sensor {
    /// Its mount; the footprint's [origin](Footprint::origin) is moved there.
    pub mount: Mount,
    /// The area it covers.
    pub footprint: Footprint,
    /// The bodies it detects.
    pub filter: BodyFilter,
    /// Hysteresis: a member leaves only when it is outside the footprint
    /// [inflated](Footprint::inflated) by this margin; 0 to 16,384 cells.
    pub exit_margin: Fixed,
    /// Ticks that a body must be inside without interruption before it is reported; 0 reports at
    /// once.
    pub enter_delay: u16,
    /// Ticks that a member must be outside without interruption before it is reported; 0 reports at
    /// once.
    pub leave_delay: u16,
    /// True to report every member that stays, every tick.
    pub reports_stay: bool,
    /// True to detect contact at any time of the tick, not only where bodies are registered.
    pub is_continuous: bool,
    /// If line of sight is required, the height of the eye above the feet of the mount (above 0 at
    /// a point).
    pub eye_height: Option<Fixed>,
}

impl Sensor {
    /// A sensor without margin, delays or line of sight.
    pub const fn new(mount: Mount, footprint: Footprint) -> Self {
        Self {
            mount,
            footprint,
            filter: BodyFilter::ALL,
            exit_margin: Fixed::from_raw(0),
            enter_delay: 0,
            leave_delay: 0,
            reports_stay: false,
            is_continuous: false,
            eye_height: None,
        }
    }
}

/// The id of a sensor; stale after the sensor is removed.
pub type SensorId = Id<Sensor>;

/// What happened between a sensor and a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SensorEventKind {
    /// The body left or was removed.
    Leave,
    /// The body entered.
    Enter,
    /// The body was inside and still is.
    Stay,
}

/// An event of a sensor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SensorEvent {
    /// The sensor.
    pub sensor: SensorId,
    /// The body.
    pub body: BodyId,
    /// What happened.
    pub kind: SensorEventKind,
}

/// A line of sight to test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SightQuery {
    /// The position of the eye.
    pub from: Point2,
    /// The height of the eye.
    pub eye: Fixed,
    /// The center of the target.
    pub to: Point2,
    /// The height of the target's feet.
    pub feet: Fixed,
    /// The height of the target's top.
    pub top: Fixed,
    /// The body that carries the sensor, if any.
    pub viewer: Option<BodyId>,
    /// The target.
    pub target: BodyId,
}

/// A slot of the table: its generation and its sensor.
pub(super) type SensorSlot = (u32, Option<Sensor>);

/// All sensors of a world.
///
/// ```
/// use wayfarer_base::{Fixed, Point2};
/// use wayfarer_world::bodies::{Body, SensorEventKind, Footprint, Mount, BodySet, Sensor, Sensors};
///
/// let at = |x: i32| Point2::from_raw(256 * x, 0);
/// let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
/// let guard = bodies.register(&Body::at(at(0)))?;
/// let thief = bodies.register(&Body::at(at(50)))?;
/// let mut sensors = Sensors::default();
/// let circle = Footprint::circle(at(0), Fixed::from_raw(10 * 256));
/// sensors.add(Sensor::new(Mount::Body(guard), circle))?;
///
/// let mut events = Vec::new();
/// for x in [50, 9, 8, 30] {
///     bodies.move_all(&[at(0), at(x)])?;
///     sensors.update(&bodies, |_| true, &mut events);
/// }
/// let changes: Vec<SensorEventKind> = events.iter().map(|sensor_event| sensor_event.kind).collect();
/// assert_eq!(changes, [SensorEventKind::Enter, SensorEventKind::Leave]);
/// assert_eq!(events[0].body, thief);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sensors {
    pub(super) slots: Vec<SensorSlot>,
    /// The members of each group of [`GROUP_SIZE`] sensors.
    memberships: Vec<Memberships>,
    pub(super) free: Vec<u32>,
    scratches: Vec<Scratch>,
    /// The work of the last update.
    pub stats: QueryStats,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    hits: QueryHits,
    contacts: Contacts,
    /// Bodies in the inflated footprint, by ascending index.
    indices: Vec<u32>,
    /// The next memberships of a group.
    memberships: Memberships,
    stats: QueryStats,
}

impl Sensors {
    /// Adds a sensor.
    ///
    /// # Errors
    /// A footprint, point or margin beyond the limits.
    pub fn add(&mut self, sensor: Sensor) -> Result<SensorId, ShapeError> {
        check(&sensor)?;
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.1 = Some(sensor);
            return Ok(Id::new(index, slot.0));
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 sensors");
        self.put((0, Some(sensor)), &[]);
        Ok(Id::new(index, 0))
    }

    /// Appends a slot with its memberships.
    pub(super) fn put(&mut self, slot: SensorSlot, entries: &[Entry]) {
        if self.slots.len().is_multiple_of(GROUP_SIZE) {
            self.memberships.push(Memberships::default());
        }
        self.slots.push(slot);
        let memberships = self
            .memberships
            .last_mut()
            .expect("one group for each slot");
        memberships.add(entries);
    }

    /// The memberships of a slot, by ascending index.
    pub(super) fn memberships_of(&self, slot: usize) -> &[Entry] {
        match self.memberships.get(slot / GROUP_SIZE) {
            Some(memberships) => memberships.entries_of(slot % GROUP_SIZE),
            None => &[],
        }
    }

    fn sensor_mut(&mut self, id: SensorId) -> Option<&mut Sensor> {
        let slot = self.slots.get_mut(id.index() as usize)?;
        slot.1.as_mut().filter(|_| slot.0 == id.generation())
    }

    /// Removes a sensor without leave events; false if the id is stale.
    pub fn remove(&mut self, id: SensorId) -> bool {
        if self.sensor_mut(id).is_none() {
            return false;
        }
        let index = id.index() as usize;
        let slot = &mut self.slots[index];
        slot.1 = None;
        slot.0 = slot.0.wrapping_add(1);
        self.memberships[index / GROUP_SIZE].clear(index % GROUP_SIZE);
        self.free.push(id.index());
        true
    }

    /// Replaces the footprint of a sensor, for example when its mount turns; effective from the
    /// next update. False if the id is stale.
    ///
    /// # Errors
    /// A footprint beyond the limits, as given or at the sensor's mount.
    pub fn set_footprint(
        &mut self,
        id: SensorId,
        footprint: Footprint,
    ) -> Result<bool, ShapeError> {
        footprint.check()?;
        let Some(sensor) = self.sensor_mut(id) else {
            return Ok(false);
        };
        let updated = Sensor {
            footprint,
            ..*sensor
        };
        check(&updated)?;
        *sensor = updated;
        Ok(true)
    }

    /// The sensor with this id; `None` once it is removed.
    pub fn sensor(&self, id: SensorId) -> Option<&Sensor> {
        let slot = self.slots.get(id.index() as usize)?;
        slot.1.as_ref().filter(|_| slot.0 == id.generation())
    }

    /// Every sensor, by ascending index.
    pub fn iter(&self) -> impl Iterator<Item = (SensorId, &Sensor)> {
        (0..).zip(&self.slots).filter_map(|(index, slot)| {
            let sensor = slot.1.as_ref()?;
            Some((Id::new(index, slot.0), sensor))
        })
    }

    /// The members, by ascending index; none if the id is stale.
    pub fn detected(&self, id: SensorId) -> impl Iterator<Item = BodyId> {
        let exists = self.sensor(id).is_some();
        let entries = exists.then(|| self.memberships_of(id.index() as usize));
        let members = entries
            .unwrap_or(&[])
            .iter()
            .filter(|entry| entry.is_member);
        members.map(|entry| entry.id)
    }

    /// Updates every sensor and appends events: by sensor, then by body, both ascending. Calls
    /// `sees` only for bodies in the footprint of a sensor that requires line of sight.
    pub fn update(
        &mut self,
        bodies: &BodySet,
        mut sees: impl FnMut(&SightQuery) -> bool,
        events: &mut Vec<SensorEvent>,
    ) {
        self.ensure_scratches(1);
        let mut shard = SensorShard {
            first: 0,
            slots: &self.slots,
            memberships: &mut self.memberships,
            scratch: &mut self.scratches[0],
        };
        shard.update(bodies, &mut sees, events);
        self.stats = shard.scratch.stats;
    }

    /// Updates one of `n_parts` parts of the sensors: each part has every `n_parts`-th group of
    /// sixteen sensors, by index. A caller that updates part `tick` modulo `n_parts` in every tick
    /// spreads the work; sensors then report what they detect with a delay of up to `n_parts` - 1
    /// ticks, and delays count their own updates. The other parts keep their members and report
    /// nothing.
    ///
    /// # Panics
    /// If `part` is not below `n_parts`.
    pub fn update_part(
        &mut self,
        (part, n_parts): (usize, usize),
        bodies: &BodySet,
        mut sees: impl FnMut(&SightQuery) -> bool,
        events: &mut Vec<SensorEvent>,
    ) {
        assert!(part < n_parts, "part {part} of {n_parts}");
        self.ensure_scratches(1);
        self.stats = QueryStats::default();
        let slots = self.slots.chunks(GROUP_SIZE).zip((0..).step_by(GROUP_SIZE));
        let groups = slots.zip(self.memberships.chunks_mut(1));
        for ((slots, first), memberships) in groups.skip(part).step_by(n_parts) {
            let mut shard = SensorShard {
                first,
                slots,
                memberships,
                scratch: &mut self.scratches[0],
            };
            shard.update(bodies, &mut sees, events);
            self.stats += shard.scratch.stats;
        }
    }

    /// The number of groups of sixteen sensors, by index: the parts of
    /// [`update_part`](Self::update_part) if it is given as their number.
    pub fn n_groups(&self) -> usize {
        self.memberships.len()
    }

    /// Ensures scratch buffers for `n_shards`; existing ones keep their memory.
    fn ensure_scratches(&mut self, n_shards: usize) {
        if self.scratches.len() < n_shards {
            self.scratches.resize(n_shards, Scratch::default());
        }
    }

    /// Splits the sensors into at most `n_shards` shards for as many threads; their concatenated
    /// events equal those of [`update`](Self::update). Up to sixteen sensors are one shard.
    pub fn shards(&mut self, n_shards: usize) -> Vec<SensorShard<'_>> {
        let n_shards = n_shards.max(1);
        let n_groups = self.memberships.len().div_ceil(n_shards).max(1);
        self.ensure_scratches(n_shards);
        let slots = self.slots.chunks(n_groups * GROUP_SIZE);
        let chunks = slots.zip(self.memberships.chunks_mut(n_groups));
        let mut first = 0;
        let mut shards = Vec::with_capacity(n_shards);
        for ((slots, memberships), scratch) in chunks.zip(&mut self.scratches) {
            let n_slots = u32::try_from(slots.len()).expect("fewer than 2^32 sensors");
            shards.push(SensorShard {
                first,
                slots,
                memberships,
                scratch,
            });
            first += n_slots;
        }
        shards
    }
}

impl Sensors {
    /// [`update`](Self::update) on up to `n_threads` threads, with the same events in the same
    /// order. Sequential where there are no threads (wasm).
    pub fn update_parallel(
        &mut self,
        n_threads: usize,
        bodies: &BodySet,
        sees: impl Fn(&SightQuery) -> bool + Sync,
        events: &mut Vec<SensorEvent>,
    ) {
        let n_threads = n_threads.min(self.slots.len());
        if n_threads <= 1 || cfg!(target_family = "wasm") {
            self.update(bodies, sees, events);
            return;
        }
        let sees = &sees;
        let lists: Vec<(Vec<SensorEvent>, QueryStats)> = std::thread::scope(|scope| {
            let update = |mut shard: SensorShard<'_>| {
                let mut list = Vec::new();
                shard.update(bodies, sees, &mut list);
                (list, shard.stats())
            };
            let shards = self.shards(n_threads).into_iter();
            let workers: Vec<_> = shards
                .map(|shard| scope.spawn(move || update(shard)))
                .collect();
            let lists = workers.into_iter().map(|worker| match worker.join() {
                Ok(list) => list,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            lists.collect()
        });
        self.stats = QueryStats::default();
        for (list, stats) in lists {
            events.extend(list);
            self.stats += stats;
        }
    }
}

/// Some of the sensors, for one thread.
#[derive(Debug)]
pub struct SensorShard<'a> {
    first: u32,
    slots: &'a [SensorSlot],
    memberships: &'a mut [Memberships],
    scratch: &'a mut Scratch,
}

impl SensorShard<'_> {
    /// [`Sensors::update`] for this shard.
    pub fn update(
        &mut self,
        bodies: &BodySet,
        mut sees: impl FnMut(&SightQuery) -> bool,
        events: &mut Vec<SensorEvent>,
    ) {
        self.scratch.stats = QueryStats::default();
        let mut index = self.first;
        for (slots, memberships) in self
            .slots
            .chunks(GROUP_SIZE)
            .zip(self.memberships.iter_mut())
        {
            let mut next = std::mem::take(&mut self.scratch.memberships);
            next.clear_all();
            for (at, (generation, sensor)) in slots.iter().enumerate() {
                if let Some(sensor) = sensor {
                    let id = Id::new(index, *generation);
                    let emit = |body, change| {
                        events.push(SensorEvent {
                            sensor: id,
                            body,
                            kind: change,
                        });
                    };
                    let (previous, scratch) = (memberships.entries_of(at), &mut *self.scratch);
                    sensor.update(bodies, (previous, &mut next), scratch, &mut sees, emit);
                }
                next.end_slot();
                index += 1;
            }
            memberships.copy_from(&next);
            self.scratch.memberships = next;
        }
    }

    /// The work of the last update.
    pub fn stats(&self) -> QueryStats {
        self.scratch.stats
    }
}

pub(super) fn check(sensor: &Sensor) -> Result<(), ShapeError> {
    sensor.footprint.check()?;
    super::body::size("margin", sensor.exit_margin)?;
    if let Mount::Point(point) = sensor.mount {
        sensor.footprint.translated_to(point).check()?;
    }
    Ok(())
}

/// The pose of a sensor in this tick.
struct SensorPose {
    /// The origin of its footprint at the start of the tick.
    from: Point2,
    /// The origin of its footprint at the end of the tick.
    end: Point2,
    /// The origin of sight lines: where its mount is registered, like the targets.
    eye_at: Point2,
    filter: BodyFilter,
    viewer: Option<BodyId>,
    eye: Option<Fixed>,
}

impl Sensor {
    /// Its current pose; `None` if it is blind.
    fn pose(&self, bodies: &BodySet) -> Option<SensorPose> {
        let mut filter = self.filter;
        let (motion, at, feet, viewer) = match self.mount {
            Mount::Point(point) => ((point, point), point, 0, None),
            Mount::Body(id) => {
                let slot = bodies.slot(id).ok()?;
                // The filter has one exclusion: if it is taken, the mount is removed after
                // gathering.
                filter.except = filter.except.or(Some(id));
                let motion = (bodies.before[slot], bodies.at[slot]);
                let at = bodies.registered_at(slot);
                (motion, at, bodies.heights[slot].0, Some(id))
            }
        };
        let (from, end) = if self.is_continuous { motion } else { (at, at) };
        let eye = self.eye_height.map(|eye| eye.raw().saturating_add(feet));
        Some(SensorPose {
            from,
            end,
            eye_at: at,
            filter,
            viewer,
            eye: eye.map(Fixed::from_raw),
        })
    }
}

impl SensorPose {
    fn is_visible(
        &self,
        bodies: &BodySet,
        index: u32,
        sees: &mut impl FnMut(&SightQuery) -> bool,
    ) -> bool {
        let (Some(eye), Some(target)) = (self.eye, bodies.id_at(index)) else {
            return true;
        };
        let slot = index as usize;
        let (feet, height) = bodies.heights[slot];
        sees(&SightQuery {
            from: self.eye_at,
            eye,
            to: bodies.registered_at(slot),
            feet: Fixed::from_raw(feet),
            top: Fixed::from_raw(feet + height),
            viewer: self.viewer,
            target,
        })
    }

    /// Gathers the bodies in the inflated footprint, by ascending index.
    fn gather(&self, bodies: &BodySet, sensor: &Sensor, scratch: &mut Scratch) {
        scratch.indices.clear();
        let Scratch {
            hits,
            contacts,
            indices,
            stats,
            ..
        } = scratch;
        let at = if sensor.is_continuous {
            self.from
        } else {
            self.end
        };
        let mut footprint = sensor.footprint.translated_to(at);
        if sensor.exit_margin.raw() > 0 {
            footprint = footprint.inflated(sensor.exit_margin);
        }
        // A footprint beyond the limits detects nothing.
        if sensor.is_continuous {
            let result = bodies.sweep(&footprint, self.end, &self.filter, contacts);
            if result.is_ok() {
                indices.extend(contacts.list().iter().map(|contact| contact.index));
                *stats += contacts.stats;
            }
        } else if bodies.find(&footprint, &self.filter, hits).is_ok() {
            indices.extend(hits.indices());
            *stats += hits.stats;
        }
        if let Some(own) = self.viewer.filter(|_| self.filter.except != self.viewer) {
            indices.retain(|index| *index != own.index());
        }
        indices.sort_unstable();
    }

    /// True if a body in the inflated footprint is in the footprint itself.
    fn is_within(&self, bodies: &BodySet, index: u32, sensor: &Sensor) -> bool {
        if sensor.exit_margin.raw() == 0 {
            return true;
        }
        let slot = index as usize;
        if !sensor.is_continuous {
            let at = bodies.registered_at(slot);
            let footprint = sensor.footprint.translated_to(self.end);
            return overlaps_extent(&footprint, at, bodies.extents[slot]);
        }
        let begin = sensor.footprint.translated_to(self.from);
        bodies
            .id_at(index)
            .is_some_and(|id| matches!(bodies.contact(id, &begin, self.end), Ok(Some(_))))
    }
}

impl Sensor {
    /// Updates one sensor from its previous to its next memberships.
    fn update(
        &self,
        bodies: &BodySet,
        (previous, next): (&[Entry], &mut Memberships),
        scratch: &mut Scratch,
        sees: &mut impl FnMut(&SightQuery) -> bool,
        mut emit: impl FnMut(BodyId, SensorEventKind),
    ) {
        let sensor = self;
        let Some(pose) = sensor.pose(bodies) else {
            for entry in previous.iter().filter(|entry| entry.is_member) {
                emit(entry.id, SensorEventKind::Leave);
            }
            return;
        };
        pose.gather(bodies, sensor, scratch);
        let mut inside = scratch.indices.iter().copied().peekable();
        let mut previous = previous.iter().copied().peekable();
        loop {
            let index = match (inside.peek(), previous.peek()) {
                (Some(&inside_index), Some(entry)) => inside_index.min(entry.id.index()),
                (Some(&inside_index), None) => inside_index,
                (None, Some(entry)) => entry.id.index(),
                (None, None) => break,
            };
            let is_inside = inside.next_if_eq(&index).is_some();
            let mut entry = previous.next_if(|entry| entry.id.index() == index);
            let id = bodies.id_at(index);
            if let Some(old) = entry
                && id != Some(old.id)
            {
                // The body was removed; its slot may hold a new one.
                if old.is_member {
                    emit(old.id, SensorEventKind::Leave);
                }
                entry = None;
            }
            let Some(id) = id else {
                continue;
            };
            let is_member = entry.is_some_and(|entry| entry.is_member);
            let is_detected = is_inside
                && (is_member || pose.is_within(bodies, index, sensor))
                && pose.is_visible(bodies, index, sees);
            let n_ticks = entry.map_or(0, |entry| entry.n_ticks);
            match (is_member, is_detected) {
                (false, false) => {}
                (false, true) if n_ticks >= sensor.enter_delay => {
                    emit(id, SensorEventKind::Enter);
                    next.push(Entry {
                        id,
                        is_member: true,
                        n_ticks: 0,
                    });
                }
                (true, true) => {
                    if sensor.reports_stay {
                        emit(id, SensorEventKind::Stay);
                    }
                    next.push(Entry {
                        id,
                        is_member,
                        n_ticks: 0,
                    });
                }
                (true, false) if n_ticks >= sensor.leave_delay => emit(id, SensorEventKind::Leave),
                (false, true) | (true, false) => next.push(Entry {
                    id,
                    is_member,
                    n_ticks: n_ticks + 1,
                }),
            }
        }
    }
}

#[cfg(test)]
mod tests;
