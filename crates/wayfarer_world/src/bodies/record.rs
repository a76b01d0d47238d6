//! Objects and their sensors as they are saved, and back.

use thiserror::Error;
use wayfarer_base::record::{TableError, TableRecord};
use wayfarer_base::{Fixed, Point2};

use super::body::{Body, Extent, ShapeError, Tag, Teams};
use super::sensor::{Entry, Sensor, Sensors};
use super::{BodyId, BodySet, DEAD, DetectionTiming};

/// Everything about objects that does not follow from something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodySetRecord {
    /// Side of the smallest squares.
    pub square: Fixed,
    /// Where objects are found.
    pub detection: DetectionTiming,
    /// The objects.
    pub bodies: TableRecord<PlacedBody>,
}

/// A body, and where its way of this tick began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedBody {
    /// The body, at the end of its way.
    pub body: Body,
    /// Where it was when the tick began.
    pub before: Point2,
}

/// A sensor, and what it knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedSensor {
    /// The sensor.
    pub sensor: Sensor,
    /// By rising index: who was in or about to be, whether it was told to be in, and the ticks it
    /// has been in without being told of, or out without having left.
    pub known: Vec<(BodyId, bool, u16)>,
}

/// Why a record did not become objects or sensors.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BodySetRecordError {
    /// A table cannot be.
    #[error("{0}")]
    Table(#[from] TableError),
    /// A body or a sensor cannot be.
    #[error("place {place}: {error}")]
    Shape {
        /// Its place in the table.
        place: usize,
        /// What is wrong with it.
        error: ShapeError,
    },
    /// What a sensor knows is not in order.
    #[error("place {place}: what the sensor knows is not by rising index")]
    Order {
        /// The sensor's place in the table.
        place: usize,
    },
}

impl BodySet {
    /// Everything that must be saved.
    pub fn record(&self) -> BodySetRecord {
        let place = |place: usize| {
            let index = u32::try_from(place).expect("places have 32 bits");
            let body = self.id_at(index).and_then(|id| self.body(id).ok());
            let before = self.before[place];
            let placed = body.map(|body| PlacedBody { body, before });
            (self.generations[place], placed)
        };
        BodySetRecord {
            square: self.square(),
            detection: self.detection,
            bodies: TableRecord {
                slots: (0..self.n_slots()).map(place).collect(),
                free: self.free.clone(),
            },
        }
    }

    /// The objects of a record.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &BodySetRecord) -> Result<Self, BodySetRecordError> {
        record.bodies.check()?;
        let mut bodies = Self::new(record.square);
        for (place, (generation, placed)) in record.bodies.slots.iter().enumerate() {
            let nobody = PlacedBody {
                body: Body::at(Point2::default()),
                before: Point2::default(),
            };
            let PlacedBody { body, before } = placed.unwrap_or(nobody);
            let wrong = |error| BodySetRecordError::Shape { place, error };
            body.check().map_err(wrong)?;
            super::body::position(before).map_err(wrong)?;
            bodies.at.push(body.position);
            bodies.before.push(before);
            let extent = Extent::of(body.outline).map_err(wrong)?;
            bodies.extents.push(extent);
            bodies.heights.push((body.z.raw(), body.height.raw()));
            bodies.tags.push(Tag::new(body.categories, body.team));
            bodies.generations.push(*generation);
            bodies
                .level_of
                .push(if placed.is_some() { 0 } else { DEAD });
            bodies.n_bodies += usize::from(placed.is_some());
        }
        bodies.free.clone_from(&record.bodies.free);
        bodies.detection = record.detection;
        bodies.sort(true);
        Ok(bodies)
    }
}

impl Sensors {
    /// Everything that must be saved.
    pub fn record(&self) -> TableRecord<PlacedSensor> {
        let known = |entry: &Entry| (entry.id, entry.is_member, entry.n_ticks);
        let placed = |place: usize, sensor: Sensor| PlacedSensor {
            sensor,
            known: self.known(place).iter().map(known).collect(),
        };
        let places = self.posts.iter().enumerate();
        TableRecord {
            slots: places
                .map(|(place, post)| (post.0, post.1.map(|sensor| placed(place, sensor))))
                .collect(),
            free: self.free.clone(),
        }
    }

    /// The sensors of a record.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &TableRecord<PlacedSensor>) -> Result<Self, BodySetRecordError> {
        record.check()?;
        let mut sensors = Self::default();
        for (place, (generation, placed)) in record.slots.iter().enumerate() {
            let Some(placed) = placed else {
                sensors.put((*generation, None), &[]);
                continue;
            };
            super::sensor::check(&placed.sensor)
                .map_err(|error| BodySetRecordError::Shape { place, error })?;
            let indices = placed.known.iter().map(|(id, ..)| id.index());
            if !indices.is_sorted_by(|a, b| a < b) {
                return Err(BodySetRecordError::Order { place });
            }
            let entry = |&(id, is_member, n_ticks): &(BodyId, bool, u16)| Entry {
                id,
                is_member,
                n_ticks,
            };
            let known: Vec<Entry> = placed.known.iter().map(entry).collect();
            sensors.put((*generation, Some(placed.sensor)), &known);
        }
        sensors.free.clone_from(&record.free);
        Ok(sensors)
    }
}

impl Teams {
    /// The set as four words, team 0 the lowest bit of the first.
    pub const fn words(self) -> [u64; 4] {
        self.0
    }

    /// The set made from [`Teams::words`].
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
        Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
    }

    /// A crowd with births, deaths and a tick under way, and sensors that wait.
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
            let place = at(
                rng.below(40_000).cast_signed(),
                rng.below(40_000).cast_signed(),
            );
            let body = Body {
                outline: BodyShape::Disc { radius },
                ..Body::at(place)
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
    fn a_disc_that_was_saved_is_found_at_its_rim() {
        let mut bodies = BodySet::new(Fixed::from_raw(1024));
        let radius = Fixed::from_raw(300);
        let body = Body {
            outline: BodyShape::Disc { radius },
            ..Body::at(at(5_000, 5_000))
        };
        let id = bodies.register(&body).unwrap();
        let mut other = BodySet::from_record(&bodies.record()).unwrap();
        let border = Footprint::circle(at(5_310, 5_000), Fixed::from_raw(20));
        for bodies in [&mut bodies, &mut other] {
            assert_eq!(bodies.count(&border, &BodyFilter::default()), Ok(1));
            bodies.teleport(id, at(9_000, 5_000)).unwrap();
            assert_eq!(bodies.count(&border, &BodyFilter::default()), Ok(0));
        }
    }

    #[test]
    fn saved_objects_and_sensors_go_on_as_if_nothing_had_happened() {
        for seed in 0..8 {
            let (mut bodies, mut sensors, mut rng) = crowd(seed);
            let mut other = BodySet::from_record(&bodies.record()).unwrap();
            let mut others = Sensors::from_record(&sensors.record()).unwrap();
            assert_eq!(other.record(), bodies.record());
            let mut same = rng.clone();
            let (mut events, mut retold) = (Vec::new(), Vec::new());
            for _ in 0..4 {
                step(&mut bodies, &mut sensors, &mut rng, &mut events);
                step(&mut other, &mut others, &mut same, &mut retold);
            }
            assert!(events.len() > 20, "seed {seed}");
            assert_eq!(events, retold, "seed {seed}");
            let newcomer = Body::at(at(5, 5));
            assert_eq!(bodies.register(&newcomer), other.register(&newcomer));
        }
    }
}
