//! Questions that stand: who comes into a footprint, who stays, who leaves.
//!
//! A sensor sits on an object or at a place and is asked once a tick. It tells only what has
//! changed. Sight is one kind of sensor; so are hearing, the range of a radio, supply, and what a
//! player's screen must be told.

use wayfarer_base::{Fixed, Id, Point2};

mod memberships;

pub(super) use memberships::Entry;
use memberships::{Memberships, POSTS};

use super::body::ShapeError;
use super::footprint::Footprint;
use super::hits::{QueryHits, QueryStats};
use super::overlap::touches;
use super::query::BodyFilter;
use super::sweep::Contacts;
use super::{BodyId, BodySet};

/// Where a sensor sits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mount {
    /// On an object, which it follows and never sees; blind once that is dead.
    Body(BodyId),
    /// At a place.
    Point(Point2),
}

/// What a sensor is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sensor {
    /// Where it sits: the footprint's [origin](Footprint::origin) is put there.
    pub mount: Mount,
    /// What it covers.
    pub footprint: Footprint,
    /// Whom it cares for.
    pub filter: BodyFilter,
    /// Who is in leaves only when the footprint [grown](Footprint::grown) by this is left, too;
    /// 0 to 16,384 cells.
    pub exit_margin: Fixed,
    /// Ticks that somebody must have been in without a gap before it is told; 0 tells at once.
    pub enter_delay: u16,
    /// Ticks that somebody must have been out without a gap before it is told; 0 tells at once.
    pub leave_delay: u16,
    /// True to be told of everybody who stays, every tick.
    pub reports_stay: bool,
    /// True if whoever touches the footprint at any moment of the tick is in, not only who does
    /// where it is registered.
    pub is_continuous: bool,
    /// If sight is needed, how high the eye is above the feet of the mount (above 0 at a place).
    pub eye_height: Option<Fixed>,
}

impl Sensor {
    /// A sensor without margin, delay or sight.
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

/// The name of a sensor; dead with it.
pub type SensorId = Id<Sensor>;

/// What happened between a sensor and an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SensorEventKind {
    /// It went out, or died.
    Leave,
    /// It came in.
    Enter,
    /// It was in and still is.
    Stay,
}

/// One thing that a sensor tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SensorEvent {
    /// Who tells.
    pub sensor: SensorId,
    /// Of whom.
    pub body: BodyId,
    /// What.
    pub kind: SensorEventKind,
}

/// A line that must be clear if sight is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SightQuery {
    /// Where the eye is.
    pub from: Point2,
    /// How high the eye is.
    pub eye: Fixed,
    /// Where the middle of the other is.
    pub to: Point2,
    /// The height of its feet.
    pub feet: Fixed,
    /// The height of its top.
    pub top: Fixed,
    /// Who looks, if it is an object.
    pub viewer: Option<BodyId>,
    /// Who is looked at.
    pub target: BodyId,
}

/// A place of the table: its generation, and who sits there.
pub(super) type Post = (u32, Option<Sensor>);

/// All sensors of a world.
///
/// ```
/// use wayfarer_base::{Fixed, Point2};
/// use wayfarer_world::bodies::{Body, SensorEventKind, Footprint, Mount, BodySet, Sensor, Sensors};
///
/// let at = |x: i32| Point2::new(Fixed::from_raw(256 * x), Fixed::from_raw(0));
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
    pub(super) posts: Vec<Post>,
    /// Whom they know, for each [`POSTS`] of them.
    notes: Vec<Memberships>,
    pub(super) free: Vec<u32>,
    scratches: Vec<Scratch>,
    /// What the last tick took.
    pub work: QueryStats,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    found: QueryHits,
    contacts: Contacts,
    /// Who is in the grown footprint, by rising index.
    inside: Vec<u32>,
    /// What the notes of some posts become.
    notes: Memberships,
    work: QueryStats,
}

impl Sensors {
    /// Adds a sensor.
    ///
    /// # Errors
    /// A footprint, place or margin beyond the limits.
    pub fn add(&mut self, sensor: Sensor) -> Result<SensorId, ShapeError> {
        check(&sensor)?;
        if let Some(index) = self.free.pop() {
            let place = &mut self.posts[index as usize];
            place.1 = Some(sensor);
            return Ok(Id::new(index, place.0));
        }
        let index = u32::try_from(self.posts.len()).expect("fewer than 2^32 sensors");
        self.put((0, Some(sensor)), &[]);
        Ok(Id::new(index, 0))
    }

    /// Adds a place to the table, with whom its sensor knows.
    pub(super) fn put(&mut self, post: Post, known: &[Entry]) {
        if self.posts.len().is_multiple_of(POSTS) {
            self.notes.push(Memberships::default());
        }
        self.posts.push(post);
        let notes = self.notes.last_mut().expect("one for each post");
        notes.add(known);
    }

    /// Whom the sensor of a place knows, by rising index.
    pub(super) fn known(&self, place: usize) -> &[Entry] {
        match self.notes.get(place / POSTS) {
            Some(notes) => notes.of(place % POSTS),
            None => &[],
        }
    }

    fn post(&mut self, id: SensorId) -> Option<&mut Sensor> {
        let place = self.posts.get_mut(id.index() as usize)?;
        place.1.as_mut().filter(|_| place.0 == id.generation())
    }

    /// Takes a sensor out, without a word about who was in; false if it is gone already.
    pub fn remove(&mut self, id: SensorId) -> bool {
        if self.post(id).is_none() {
            return false;
        }
        let index = id.index() as usize;
        let place = &mut self.posts[index];
        place.1 = None;
        place.0 = place.0.wrapping_add(1);
        self.notes[index / POSTS].clear(index % POSTS);
        self.free.push(id.index());
        true
    }

    /// Changes what a sensor covers, as when its bearer turns; who is in is judged by it from the
    /// next tick on. False if the sensor is gone.
    ///
    /// # Errors
    /// A footprint beyond the limits, as it is or where the sensor sits.
    pub fn set_footprint(
        &mut self,
        id: SensorId,
        footprint: Footprint,
    ) -> Result<bool, ShapeError> {
        footprint.check()?;
        let Some(sensor) = self.post(id) else {
            return Ok(false);
        };
        let aimed = Sensor {
            footprint,
            ..*sensor
        };
        check(&aimed)?;
        *sensor = aimed;
        Ok(true)
    }

    /// What a sensor is, unless it is gone.
    pub fn sensor(&self, id: SensorId) -> Option<&Sensor> {
        let place = self.posts.get(id.index() as usize)?;
        place.1.as_ref().filter(|_| place.0 == id.generation())
    }

    /// Every sensor, by rising index.
    pub fn iter(&self) -> impl Iterator<Item = (SensorId, &Sensor)> {
        (0..).zip(&self.posts).filter_map(|(index, place)| {
            let sensor = place.1.as_ref()?;
            Some((Id::new(index, place.0), sensor))
        })
    }

    /// Who is in, by rising index; nobody if the sensor is gone.
    pub fn detected(&self, id: SensorId) -> impl Iterator<Item = BodyId> {
        let lives = self.sensor(id).is_some();
        let known = lives.then(|| self.known(id.index() as usize));
        let members = known.unwrap_or(&[]).iter().filter(|entry| entry.is_member);
        members.map(|entry| entry.id)
    }

    /// Asks every sensor and adds what has changed to `events`: sensor by sensor, object by object,
    /// by rising indices. `sees` is asked only about those in the footprint of a sensor that needs
    /// sight.
    pub fn update(
        &mut self,
        bodies: &BodySet,
        mut sees: impl FnMut(&SightQuery) -> bool,
        events: &mut Vec<SensorEvent>,
    ) {
        self.have_scratches(1);
        let mut part = SensorShard {
            first: 0,
            posts: &self.posts,
            notes: &mut self.notes,
            scratch: &mut self.scratches[0],
        };
        part.tick(bodies, &mut sees, events);
        self.work = part.scratch.work;
    }

    /// Scratch for so many parts; what there is stays, with its memory.
    fn have_scratches(&mut self, n_parts: usize) {
        if self.scratches.len() < n_parts {
            self.scratches.resize(n_parts, Scratch::default());
        }
    }

    /// All sensors in at most `n_parts` parts, for as many threads: what the parts tell, one after
    /// the other, is what [`update`](Self::tick) tells. Fewer than seventeen are one part.
    pub fn parts(&mut self, n_parts: usize) -> Vec<SensorShard<'_>> {
        let n_parts = n_parts.max(1);
        let n_notes = self.notes.len().div_ceil(n_parts).max(1);
        self.have_scratches(n_parts);
        let posts = self.posts.chunks(n_notes * POSTS);
        let chunks = posts.zip(self.notes.chunks_mut(n_notes));
        let mut first = 0;
        let mut parts = Vec::with_capacity(n_parts);
        for ((posts, notes), scratch) in chunks.zip(&mut self.scratches) {
            let n_posts = u32::try_from(posts.len()).expect("fewer than 2^32 sensors");
            parts.push(SensorShard {
                first,
                posts,
                notes,
                scratch,
            });
            first += n_posts;
        }
        parts
    }
}

impl Sensors {
    /// The same as [`update`](Self::tick) on up to `n_threads` threads: what is told is the same, in
    /// the same order, for any number. Where there are no threads (wasm) everything is done in
    /// turn.
    pub fn update_parallel(
        &mut self,
        n_threads: usize,
        bodies: &BodySet,
        sees: impl Fn(&SightQuery) -> bool + Sync,
        events: &mut Vec<SensorEvent>,
    ) {
        let n_threads = n_threads.min(self.posts.len());
        if n_threads <= 1 || cfg!(target_family = "wasm") {
            self.update(bodies, sees, events);
            return;
        }
        let sees = &sees;
        let lists: Vec<(Vec<SensorEvent>, QueryStats)> = std::thread::scope(|scope| {
            let ask = |mut part: SensorShard<'_>| {
                let mut list = Vec::new();
                part.tick(bodies, sees, &mut list);
                (list, part.work())
            };
            let parts = self.parts(n_threads).into_iter();
            let workers: Vec<_> = parts.map(|part| scope.spawn(move || ask(part))).collect();
            let lists = workers.into_iter().map(|worker| match worker.join() {
                Ok(list) => list,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            lists.collect()
        });
        self.work = QueryStats::default();
        for (list, work) in lists {
            events.extend(list);
            self.work += work;
        }
    }
}

/// Some of the sensors, to be asked on one thread.
#[derive(Debug)]
pub struct SensorShard<'a> {
    first: u32,
    posts: &'a [Post],
    notes: &'a mut [Memberships],
    scratch: &'a mut Scratch,
}

impl SensorShard<'_> {
    /// As [`Sensors::update`], for these.
    pub fn tick(
        &mut self,
        bodies: &BodySet,
        mut sees: impl FnMut(&SightQuery) -> bool,
        events: &mut Vec<SensorEvent>,
    ) {
        self.scratch.work = QueryStats::default();
        let mut index = self.first;
        for (posts, notes) in self.posts.chunks(POSTS).zip(self.notes.iter_mut()) {
            let mut next = std::mem::take(&mut self.scratch.notes);
            next.clear_all();
            for (at, (generation, sensor)) in posts.iter().enumerate() {
                if let Some(sensor) = sensor {
                    let id = Id::new(index, *generation);
                    let tell = |body, change| {
                        events.push(SensorEvent {
                            sensor: id,
                            body,
                            kind: change,
                        });
                    };
                    let (known, scratch) = (notes.of(at), &mut *self.scratch);
                    sensor.tick(bodies, (known, &mut next), scratch, &mut sees, tell);
                }
                next.end_post();
                index += 1;
            }
            notes.become_like(&next);
            self.scratch.notes = next;
        }
    }

    /// What the last tick took.
    pub fn work(&self) -> QueryStats {
        self.scratch.work
    }
}

pub(super) fn check(sensor: &Sensor) -> Result<(), ShapeError> {
    sensor.footprint.check()?;
    super::body::size("margin", sensor.exit_margin)?;
    if let Mount::Point(place) = sensor.mount {
        sensor.footprint.translated_to(place).check()?;
    }
    Ok(())
}

/// Where a sensor is in this tick, and who asks.
struct Placed {
    /// Where the origin of its footprint was when the tick began.
    from: Point2,
    /// Where it is.
    end: Point2,
    /// Where it looks from: where its mount is found, like everybody who is looked at.
    eye_at: Point2,
    filter: BodyFilter,
    viewer: Option<BodyId>,
    eye: Option<Fixed>,
}

impl Sensor {
    /// Where it is now; `None` if it is blind.
    fn placed(&self, bodies: &BodySet) -> Option<Placed> {
        let mut filter = self.filter;
        let (motion, at, feet, viewer) = match self.mount {
            Mount::Point(place) => ((place, place), place, 0, None),
            Mount::Body(id) => {
                let place = bodies.place(id).ok()?;
                // Whoever the filter leaves out stays out; the bearer goes when all are gathered.
                filter.except = filter.except.or(Some(id));
                let motion = (bodies.before[place], bodies.at[place]);
                let at = bodies.registered_at(place);
                (motion, at, bodies.heights[place].0, Some(id))
            }
        };
        let (from, end) = if self.is_continuous { motion } else { (at, at) };
        let eye = self.eye_height.map(|eye| eye.raw().saturating_add(feet));
        Some(Placed {
            from,
            end,
            eye_at: at,
            filter,
            viewer,
            eye: eye.map(Fixed::from_raw),
        })
    }
}

impl Placed {
    fn sees(
        &self,
        bodies: &BodySet,
        index: u32,
        sees: &mut impl FnMut(&SightQuery) -> bool,
    ) -> bool {
        let (Some(eye), Some(target)) = (self.eye, bodies.id_at(index)) else {
            return true;
        };
        let place = index as usize;
        let (feet, height) = bodies.heights[place];
        sees(&SightQuery {
            from: self.eye_at,
            eye,
            to: bodies.registered_at(place),
            feet: Fixed::from_raw(feet),
            top: Fixed::from_raw(feet + height),
            viewer: self.viewer,
            target,
        })
    }

    /// Writes who is in the footprint with its margin, by rising index.
    fn gather(&self, bodies: &BodySet, sensor: &Sensor, scratch: &mut Scratch) {
        scratch.inside.clear();
        let Scratch {
            found,
            contacts,
            inside,
            work,
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
        // A footprint that has left the world sees nobody.
        if sensor.is_continuous {
            let swept = bodies.sweep(&footprint, self.end, &self.filter, contacts);
            if swept.is_ok() {
                inside.extend(contacts.list().iter().map(|contact| contact.index));
                *work += contacts.work;
            }
        } else if bodies.find(&footprint, &self.filter, found).is_ok() {
            inside.extend(found.indices());
            *work += found.work;
        }
        if let Some(bearer) = self.viewer.filter(|_| self.filter.except != self.viewer) {
            inside.retain(|index| *index != bearer.index());
        }
        inside.sort_unstable();
    }

    /// True if somebody in the grown footprint is in the footprint itself.
    fn is_within(&self, bodies: &BodySet, index: u32, sensor: &Sensor) -> bool {
        if sensor.exit_margin.raw() == 0 {
            return true;
        }
        let place = index as usize;
        if !sensor.is_continuous {
            let at = bodies.registered_at(place);
            let footprint = sensor.footprint.translated_to(self.end);
            return touches(&footprint, at, bodies.extents[place]);
        }
        let begin = sensor.footprint.translated_to(self.from);
        bodies
            .id_at(index)
            .is_some_and(|id| matches!(bodies.contact(id, &begin, self.end), Ok(Some(_))))
    }
}

impl Sensor {
    /// Asks one sensor: whom it knows, and whom it will.
    fn tick(
        &self,
        bodies: &BodySet,
        (known, next): (&[Entry], &mut Memberships),
        scratch: &mut Scratch,
        sees: &mut impl FnMut(&SightQuery) -> bool,
        mut tell: impl FnMut(BodyId, SensorEventKind),
    ) {
        let sensor = self;
        let Some(placed) = sensor.placed(bodies) else {
            for entry in known.iter().filter(|entry| entry.is_member) {
                tell(entry.id, SensorEventKind::Leave);
            }
            return;
        };
        placed.gather(bodies, sensor, scratch);
        let mut inside = scratch.inside.iter().copied().peekable();
        let mut known = known.iter().copied().peekable();
        loop {
            let index = match (inside.peek(), known.peek()) {
                (Some(&here), Some(entry)) => here.min(entry.id.index()),
                (Some(&here), None) => here,
                (None, Some(entry)) => entry.id.index(),
                (None, None) => break,
            };
            let is_here = inside.next_if_eq(&index).is_some();
            let mut entry = known.next_if(|entry| entry.id.index() == index);
            let id = bodies.id_at(index);
            if let Some(old) = entry
                && id != Some(old.id)
            {
                // It died; whoever took its place is somebody else.
                if old.is_member {
                    tell(old.id, SensorEventKind::Leave);
                }
                entry = None;
            }
            let Some(id) = id else {
                continue;
            };
            let is_member = entry.is_some_and(|entry| entry.is_member);
            let is_in = is_here
                && (is_member || placed.is_within(bodies, index, sensor))
                && placed.sees(bodies, index, sees);
            let n_ticks = entry.map_or(0, |entry| entry.n_ticks);
            match (is_member, is_in) {
                (false, false) => {}
                (false, true) if n_ticks >= sensor.enter_delay => {
                    tell(id, SensorEventKind::Enter);
                    next.push(Entry {
                        id,
                        is_member: true,
                        n_ticks: 0,
                    });
                }
                (true, true) => {
                    if sensor.reports_stay {
                        tell(id, SensorEventKind::Stay);
                    }
                    next.push(Entry {
                        id,
                        is_member,
                        n_ticks: 0,
                    });
                }
                (true, false) if n_ticks >= sensor.leave_delay => tell(id, SensorEventKind::Leave),
                (false, true) | (true, false) => next.push(Entry {
                    id,
                    is_member,
                    n_ticks: n_ticks + 1,
                }),
            }
        }
    }
}

impl BodySet {}

#[cfg(test)]
mod tests;
