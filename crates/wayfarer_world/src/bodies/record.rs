//! Saving and loading bodies and sensors as plain data.

use thiserror::Error;
use wayfarer_base::record::{TableError, TableRecord};
use wayfarer_base::{Fixed, Point2};

use super::body::{Body, Extent, ShapeError, Tag, Teams};
use super::sensor::{Entry, Sensor, Sensors};
use super::{BodyId, BodySet, DetectionTiming, VACANT};

/// The primary state of a [`BodySet`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodySetRecord {
    /// The side of the smallest bins.
    pub bin_size: Fixed,
    /// Where bodies are registered.
    pub detection: DetectionTiming,
    /// The bodies.
    pub bodies: TableRecord<PlacedBody>,
}

/// A body, and where its motion of this tick starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedBody {
    /// The body, at the end of its motion.
    pub body: Body,
    /// Its position at the start of the tick.
    pub before: Point2,
}

/// A sensor and its memberships.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedSensor {
    /// The sensor.
    pub sensor: Sensor,
    /// By ascending index: a body inside or entering, whether it is a reported member, and the
    /// ticks of its pending enter or leave.
    pub memberships: Vec<(BodyId, bool, u16)>,
}

/// An invalid record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BodySetRecordError {
    /// An invalid table.
    #[error("{0}")]
    Table(#[from] TableError),
    /// An invalid body or sensor.
    #[error("slot {slot}: {error}")]
    Shape {
        /// Its slot.
        slot: usize,
        /// The reason.
        error: ShapeError,
    },
    /// The memberships of a sensor are not sorted.
    #[error("slot {slot}: the sensor's memberships are not in ascending order")]
    Order {
        /// The slot of the sensor.
        slot: usize,
    },
}

impl BodySet {
    /// The primary state.
    pub fn record(&self) -> BodySetRecord {
        let to_record = |slot: usize| {
            let index = u32::try_from(slot).expect("slots have 32 bits");
            let body = self.id_at(index).and_then(|id| self.body(id).ok());
            let before = self.before[slot];
            let placed = body.map(|body| PlacedBody { body, before });
            (self.generations[slot], placed)
        };
        BodySetRecord {
            bin_size: self.bin_size(),
            detection: self.detection,
            bodies: TableRecord {
                slots: (0..self.n_slots()).map(to_record).collect(),
                free: self.free.clone(),
            },
        }
    }

    /// Restores bodies from a record.
    ///
    /// # Errors
    /// The first invalid entry.
    pub fn from_record(record: &BodySetRecord) -> Result<Self, BodySetRecordError> {
        record.bodies.check()?;
        let mut bodies = Self::new(record.bin_size);
        for (slot, (generation, placed)) in record.bodies.slots.iter().enumerate() {
            let vacant = PlacedBody {
                body: Body::at(Point2::default()),
                before: Point2::default(),
            };
            let PlacedBody { body, before } = placed.unwrap_or(vacant);
            let invalid = |error| BodySetRecordError::Shape { slot, error };
            body.check().map_err(invalid)?;
            super::body::position(before).map_err(invalid)?;
            bodies.at.push(body.position);
            bodies.before.push(before);
            let extent = Extent::from_shape(body.shape).map_err(invalid)?;
            bodies.extents.push(extent);
            bodies.heights.push((body.z.raw(), body.height.raw()));
            let tag = Tag::new(body.categories, body.team);
            bodies.tag_bits |= tag.0;
            bodies.tags.push(tag);
            bodies.generations.push(*generation);
            bodies
                .level_of
                .push(if placed.is_some() { 0 } else { VACANT });
            bodies.n_bodies += usize::from(placed.is_some());
        }
        bodies.free.clone_from(&record.bodies.free);
        bodies.detection = record.detection;
        bodies.sort(true);
        Ok(bodies)
    }
}

impl Sensors {
    /// The primary state.
    pub fn record(&self) -> TableRecord<PlacedSensor> {
        let to_tuple = |entry: &Entry| (entry.id, entry.is_member, entry.n_ticks);
        let placed = |slot: usize, sensor: Sensor| PlacedSensor {
            sensor,
            memberships: self.memberships_of(slot).iter().map(to_tuple).collect(),
        };
        let slots = self.slots.iter().enumerate();
        TableRecord {
            slots: slots
                .map(|(slot, post)| (post.0, post.1.map(|sensor| placed(slot, sensor))))
                .collect(),
            free: self.free.clone(),
        }
    }

    /// Restores sensors from a record.
    ///
    /// # Errors
    /// The first invalid entry.
    pub fn from_record(record: &TableRecord<PlacedSensor>) -> Result<Self, BodySetRecordError> {
        record.check()?;
        let mut sensors = Self::default();
        for (slot, (generation, placed)) in record.slots.iter().enumerate() {
            let Some(placed) = placed else {
                sensors.put((*generation, None), &[]);
                continue;
            };
            super::sensor::check(&placed.sensor)
                .map_err(|error| BodySetRecordError::Shape { slot, error })?;
            let indices = placed.memberships.iter().map(|(id, ..)| id.index());
            if !indices.is_sorted_by(|a, b| a < b) {
                return Err(BodySetRecordError::Order { slot });
            }
            let entry = |&(id, is_member, n_ticks): &(BodyId, bool, u16)| Entry {
                id,
                is_member,
                n_ticks,
            };
            let known: Vec<Entry> = placed.memberships.iter().map(entry).collect();
            sensors.put((*generation, Some(placed.sensor)), &known);
        }
        sensors.free.clone_from(&record.free);
        Ok(sensors)
    }
}

impl Teams {
    /// The set as four words; team 0 is the lowest bit of the first.
    pub const fn words(self) -> [u64; 4] {
        self.0
    }

    /// The set from [`Teams::words`].
    pub const fn from_words(words: [u64; 4]) -> Self {
        Self(words)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BodyFilter, BodyShape, Footprint, Mount, SensorEvent};
    use super::*;
    use wayfarer_base::Rng;

    fn at(x: i32, y: i32) -> Point2 {
        Point2::from_raw(x, y)
    }

    /// Bodies with vacant slots and motions, and sensors with pending delays.
    fn crowd(seed: u64) -> (BodySet, Sensors, Rng) {
        let mut rng = Rng::new(seed);
        let mut bodies = BodySet::new(Fixed::from_raw(1024)).with_detection(if seed & 1 == 0 {
            DetectionTiming::AfterMovement
        } else {
            DetectionTiming::BeforeMovement
        });
        let mut sensors = Sensors::default();
        let mut ids = Vec::new();
        for _ in 0..60 {
            let radius = Fixed::from_raw(rng.below(900).cast_signed());
            let position = at(
                rng.below(40_000).cast_signed(),
                rng.below(40_000).cast_signed(),
            );
            let body = Body {
                shape: BodyShape::Disc { radius },
                ..Body::at(position)
            };
            ids.push(bodies.register(&body).unwrap());
        }
        for id in ids.iter().step_by(7) {
            bodies.unregister(*id).unwrap();
        }
        for (number, &id) in ids.iter().enumerate().skip(1).step_by(5) {
            let circle = Footprint::circle(at(0, 0), Fixed::from_raw(6_000));
            let mut sensor = Sensor::new(Mount::Body(id), circle);
            sensor.enter_delay = u16::try_from(number % 3).unwrap();
            let id = sensors.add(sensor).unwrap();
            if number % 4 == 0 {
                assert!(sensors.remove(id));
            }
        }
        let mut events = Vec::new();
        for _ in 0..3 {
            step(&mut bodies, &mut sensors, &mut rng, &mut events);
        }
        (bodies, sensors, rng)
    }

    fn step(
        bodies: &mut BodySet,
        sensors: &mut Sensors,
        rng: &mut Rng,
        events: &mut Vec<SensorEvent>,
    ) {
        bodies.begin_tick();
        for index in 0..u32::try_from(bodies.n_slots()).unwrap() {
            if let Some(id) = bodies.id_at(index) {
                let to = at(
                    rng.below(40_000).cast_signed(),
                    rng.below(40_000).cast_signed(),
                );
                bodies.move_to(id, to).unwrap();
            }
        }
        sensors.update(bodies, |_| true, events);
    }

    #[test]
    fn a_restored_disc_is_found_at_its_border() {
        let mut bodies = BodySet::new(Fixed::from_raw(1024));
        let radius = Fixed::from_raw(300);
        let body = Body {
            shape: BodyShape::Disc { radius },
            ..Body::at(at(5_000, 5_000))
        };
        let id = bodies.register(&body).unwrap();
        let mut restored = BodySet::from_record(&bodies.record()).unwrap();
        let touching = Footprint::circle(at(5_310, 5_000), Fixed::from_raw(20));
        for bodies in [&mut bodies, &mut restored] {
            assert_eq!(bodies.count(&touching, &BodyFilter::default()), Ok(1));
            bodies.teleport(id, at(9_000, 5_000)).unwrap();
            assert_eq!(bodies.count(&touching, &BodyFilter::default()), Ok(0));
        }
    }

    #[test]
    fn restored_bodies_and_sensors_report_the_same_events() {
        for seed in 0..8 {
            let (mut bodies, mut sensors, mut rng) = crowd(seed);
            let mut restored = BodySet::from_record(&bodies.record()).unwrap();
            let mut restored_sensors = Sensors::from_record(&sensors.record()).unwrap();
            assert_eq!(restored.record(), bodies.record());
            let mut restored_rng = rng.clone();
            let (mut events, mut restored_events) = (Vec::new(), Vec::new());
            for _ in 0..4 {
                step(&mut bodies, &mut sensors, &mut rng, &mut events);
                step(
                    &mut restored,
                    &mut restored_sensors,
                    &mut restored_rng,
                    &mut restored_events,
                );
            }
            assert!(events.len() > 20, "seed {seed}");
            assert_eq!(events, restored_events, "seed {seed}");
            let newcomer = Body::at(at(5, 5));
            assert_eq!(bodies.register(&newcomer), restored.register(&newcomer));
        }
    }
}
