//! Objects and their sensors as they are saved, and back.

use thiserror::Error;
use wayfarer_base::record::{TableError, TableRecord};
use wayfarer_base::{Fixed, Point2};

use super::body::{Body, Extent, ShapeError, Tag, Teams};
use super::sensor::{Entry, Sensor, Sensors};
use super::{DEAD, Detection, ObjectId, Objects};

/// Everything about objects that does not follow from something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectsRecord {
    /// Side of the smallest squares.
    pub square: Fixed,
    /// Where objects are found.
    pub detection: Detection,
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
    pub known: Vec<(ObjectId, bool, u16)>,
}

/// Why a record did not become objects or sensors.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ObjectsRecordError {
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

impl Objects {
    /// Everything that must be saved.
    pub fn record(&self) -> ObjectsRecord {
        let place = |place: usize| {
            let index = u32::try_from(place).expect("places have 32 bits");
            let body = self.id_at(index).and_then(|id| self.body(id).ok());
            let before = self.before[place];
            let placed = body.map(|body| PlacedBody { body, before });
            (self.generations[place], placed)
        };
        ObjectsRecord {
            square: self.square(),
            detection: self.detection,
            bodies: TableRecord {
                places: (0..self.n_places()).map(place).collect(),
                free: self.free.clone(),
            },
        }
    }

    /// The objects of a record.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &ObjectsRecord) -> Result<Self, ObjectsRecordError> {
        record.bodies.check()?;
        let mut objects = Self::new(record.square);
        for (place, (generation, placed)) in record.bodies.places.iter().enumerate() {
            let nobody = PlacedBody {
                body: Body::at(Point2::default()),
                before: Point2::default(),
            };
            let PlacedBody { body, before } = placed.unwrap_or(nobody);
            let wrong = |error| ObjectsRecordError::Shape { place, error };
            body.check().map_err(wrong)?;
            super::body::position(before).map_err(wrong)?;
            objects.at.push(body.position);
            objects.before.push(before);
            let extent = Extent::of(body.outline).map_err(wrong)?;
            objects.extents.push(extent);
            objects.heights.push((body.z.raw(), body.height.raw()));
            objects.tags.push(Tag::new(body.categories, body.team));
            objects.generations.push(*generation);
            objects
                .level_of
                .push(if placed.is_some() { 0 } else { DEAD });
            objects.n_objects += usize::from(placed.is_some());
        }
        objects.free.clone_from(&record.bodies.free);
        objects.detection = record.detection;
        objects.sort(true);
        Ok(objects)
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
            places: places
                .map(|(place, post)| (post.0, post.1.map(|sensor| placed(place, sensor))))
                .collect(),
            free: self.free.clone(),
        }
    }

    /// The sensors of a record.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &TableRecord<PlacedSensor>) -> Result<Self, ObjectsRecordError> {
        record.check()?;
        let mut sensors = Self::default();
        for (place, (generation, placed)) in record.places.iter().enumerate() {
            let Some(placed) = placed else {
                sensors.put((*generation, None), &[]);
                continue;
            };
            super::sensor::check(&placed.sensor)
                .map_err(|error| ObjectsRecordError::Shape { place, error })?;
            let indices = placed.known.iter().map(|(id, ..)| id.index());
            if !indices.is_sorted_by(|a, b| a < b) {
                return Err(ObjectsRecordError::Order { place });
            }
            let entry = |&(id, is_member, n_ticks): &(ObjectId, bool, u16)| Entry {
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
    use super::super::{Filter, Footprint, Mount, Outline, Sighting};
    use super::*;
    use wayfarer_base::Rng;

    fn at(x: i32, y: i32) -> Point2 {
        Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
    }

    /// A crowd with births, deaths and a tick under way, and sensors that wait.
    fn crowd(seed: u64) -> (Objects, Sensors, Rng) {
        let mut rng = Rng::new(seed);
        let mut objects = Objects::new(Fixed::from_raw(1024)).with_detection(if seed & 1 == 0 {
            Detection::AfterMovement
        } else {
            Detection::BeforeMovement
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
                outline: Outline::Disc { radius },
                ..Body::at(place)
            };
            ids.push(objects.register(&body).unwrap());
        }
        for id in ids.iter().step_by(7) {
            objects.unregister(*id).unwrap();
        }
        for (number, &id) in ids.iter().enumerate().skip(1).step_by(5) {
            let circle = Footprint::circle(at(0, 0), Fixed::from_raw(6_000));
            let mut sensor = Sensor::new(Mount::Object(id), circle);
            sensor.enter_after = u16::try_from(number % 3).unwrap();
            let id = sensors.add(sensor).unwrap();
            if number % 4 == 0 {
                assert!(sensors.remove(id));
            }
        }
        let mut told = Vec::new();
        for _ in 0..3 {
            step(&mut objects, &mut sensors, &mut rng, &mut told);
        }
        (objects, sensors, rng)
    }

    fn step(objects: &mut Objects, sensors: &mut Sensors, rng: &mut Rng, told: &mut Vec<Sighting>) {
        objects.begin_tick();
        for index in 0..u32::try_from(objects.n_places()).unwrap() {
            if let Some(id) = objects.id_at(index) {
                let to = at(
                    rng.below(40_000).cast_signed(),
                    rng.below(40_000).cast_signed(),
                );
                objects.move_to(id, to).unwrap();
            }
        }
        sensors.tick(objects, |_| true, told);
    }

    #[test]
    fn a_disc_that_was_saved_is_found_at_its_rim() {
        let mut objects = Objects::new(Fixed::from_raw(1024));
        let radius = Fixed::from_raw(300);
        let body = Body {
            outline: Outline::Disc { radius },
            ..Body::at(at(5_000, 5_000))
        };
        let id = objects.register(&body).unwrap();
        let mut other = Objects::from_record(&objects.record()).unwrap();
        let rim = Footprint::circle(at(5_310, 5_000), Fixed::from_raw(20));
        for objects in [&mut objects, &mut other] {
            assert_eq!(objects.count(&rim, &Filter::default()), Ok(1));
            objects.teleport(id, at(9_000, 5_000)).unwrap();
            assert_eq!(objects.count(&rim, &Filter::default()), Ok(0));
        }
    }

    #[test]
    fn saved_objects_and_sensors_go_on_as_if_nothing_had_happened() {
        for seed in 0..8 {
            let (mut objects, mut sensors, mut rng) = crowd(seed);
            let mut other = Objects::from_record(&objects.record()).unwrap();
            let mut others = Sensors::from_record(&sensors.record()).unwrap();
            assert_eq!(other.record(), objects.record());
            let mut same = rng.clone();
            let (mut told, mut retold) = (Vec::new(), Vec::new());
            for _ in 0..4 {
                step(&mut objects, &mut sensors, &mut rng, &mut told);
                step(&mut other, &mut others, &mut same, &mut retold);
            }
            assert!(told.len() > 20, "seed {seed}");
            assert_eq!(told, retold, "seed {seed}");
            let newcomer = Body::at(at(5, 5));
            assert_eq!(objects.register(&newcomer), other.register(&newcomer));
        }
    }
}
