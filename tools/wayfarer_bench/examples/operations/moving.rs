//! Bodies that move every tick: bulk update, range queries, sensors.

use wayfarer_engine::base::{Fixed, Point2, Rng};
use wayfarer_engine::make::Generator;
use wayfarer_engine::world::bodies::{
    Body, BodyFilter, BodySet, BodyShape, Footprint, Mount, NeighborLists, QueryHits, Sensor,
    SensorEvent, SensorId, Sensors,
};
use wayfarer_engine::{BodyEdit, World};

use crate::worlds::{SEED, flat};
use crate::{Entry, Fault, Operation, ensure};

pub(crate) const ENTRIES: &[Entry] = &[
    Entry {
        name: "objects",
        what: "everything moves, then is asked for its neighbours",
        n_rounds: 4,
        set_up: Near::set_up,
    },
    Entry {
        name: "sensors",
        what: "everything moves, then every sensor looks through walls",
        n_rounds: 4,
        set_up: Blind::set_up,
    },
    Entry {
        name: "sensors-sight",
        what: "the same over a city, with eyes that walls and bodies block",
        n_rounds: 1,
        set_up: Eyes::set_up,
    },
];

/// Cells along each side of the world.
const SIDE: i32 = 256;
/// How far is near: 12 cells.
const RANGE: Fixed = Fixed::from_raw(12 * 256);
/// One object in so many carries a sensor.
const ONE_SENSOR_IN: usize = 8;

/// Where everything is in even and in odd ticks.
fn places(count: usize) -> [Vec<Point2>; 2] {
    let mut rng = Rng::new(SEED);
    let most = SIDE * 256 - 1;
    let mut ticks = [Vec::new(), Vec::new()];
    for _ in 0..count {
        let (x, y) = (rng.between(0, most), rng.between(0, most));
        for places in &mut ticks {
            let mut near = |at: i32| (at + rng.between(-100, 100)).clamp(0, most);
            let (x, y) = (Fixed::from_raw(near(x)), Fixed::from_raw(near(y)));
            places.push(Point2::new(x, y));
        }
    }
    ticks
}

fn registered(places: &[Point2]) -> Result<BodySet, Fault> {
    let mut bodies = BodySet::new(Fixed::from_raw(16 * 256));
    for &place in places {
        bodies.register(&Body::at(place))?;
    }
    bodies.begin_tick();
    Ok(bodies)
}

/// Bodies that query their neighbors.
struct Near {
    ticks: [Vec<Point2>; 2],
    bodies: BodySet,
    found: QueryHits,
    n_found: usize,
}

impl Near {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let ticks = places(4_000);
        Ok(Box::new(Self {
            bodies: registered(&ticks[0])?,
            ticks,
            found: QueryHits::default(),
            n_found: 0,
        }))
    }
}

impl Operation for Near {
    fn round(&mut self) -> Result<(), Fault> {
        for places in &self.ticks {
            self.bodies.move_all(places)?;
            self.n_found = 0;
            for &place in places {
                let circle = Footprint::circle(place, RANGE);
                self.bodies
                    .find(&circle, &BodyFilter::ALL, &mut self.found)?;
                self.n_found += self.found.len();
            }
        }
        Ok(())
    }

    /// As many as the query of all neighbors at once finds; a single query finds its own body too.
    fn check(&mut self) -> Result<(), Fault> {
        let (all, mut room) = (BodyFilter::ALL, NeighborLists::default());
        let mut n_near = self.bodies.len();
        let count = |_, near: &[_]| n_near += near.len();
        self.bodies.neighbors(RANGE, &all, &all, &mut room, count)?;
        ensure(self.n_found == n_near, || {
            format!("{} found, expected {n_near}", self.n_found)
        })
    }
}

/// Sensors that nothing blocks.
struct Blind {
    ticks: [Vec<Point2>; 2],
    bodies: BodySet,
    sensors: Sensors,
    names: Vec<(usize, SensorId)>,
    sensor_events: Vec<SensorEvent>,
}

impl Blind {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let ticks = places(8_000);
        let bodies = registered(&ticks[0])?;
        let mut sensors = Sensors::default();
        let mut names = Vec::new();
        for (index, place) in ticks[0].iter().enumerate().step_by(ONE_SENSOR_IN) {
            let bearer = bodies
                .id_at(u32::try_from(index)?)
                .ok_or("no body at the index")?;
            let circle = Footprint::circle(*place, RANGE);
            let sensor = Sensor::new(Mount::Body(bearer), circle);
            names.push((index, sensors.add(sensor)?));
        }
        Ok(Box::new(Self {
            ticks,
            bodies,
            sensors,
            names,
            sensor_events: Vec::new(),
        }))
    }
}

impl Operation for Blind {
    fn round(&mut self) -> Result<(), Fault> {
        for places in &self.ticks {
            self.bodies.move_all(places)?;
            self.sensor_events.clear();
            let changed = &mut self.sensor_events;
            self.sensors.update(&self.bodies, |_| true, changed);
        }
        Ok(())
    }

    /// Compares each sensor's memberships with brute force.
    fn check(&mut self) -> Result<(), Fault> {
        let places = &self.ticks[1];
        for (index, name) in self.names.iter().step_by(8) {
            let circle = Footprint::circle(places[*index], RANGE);
            let others = places
                .iter()
                .enumerate()
                .filter(|(other, _)| other != index);
            let inside = others.filter(|(_, place)| circle.contains(**place)).count();
            let found = self.sensors.detected(*name).count();
            ensure(found == inside, || {
                format!("{found} sensed, expected {inside}")
            })?;
        }
        Ok(())
    }
}

/// Sensors with eyes, in a city.
struct Eyes {
    ticks: [Vec<Point2>; 2],
    world: World,
    names: Vec<SensorId>,
    sensor_events: Vec<SensorEvent>,
}

impl Eyes {
    fn set_up() -> Result<Box<dyn Operation>, Fault> {
        let ticks = places(2_000);
        let (world, names) = city_with_eyes(&ticks[0])?;
        Ok(Box::new(Self {
            ticks,
            world,
            names,
            sensor_events: Vec::new(),
        }))
    }
}

/// A city with a body at every place; some of them have eyes.
fn city_with_eyes(places: &[Point2]) -> Result<(World, Vec<SensorId>), Fault> {
    let mut world = World::from_raster(&flat(Generator::City, SIDE.unsigned_abs())?);
    let body = |&place: &Point2| Body {
        shape: BodyShape::Disc {
            radius: Fixed::from_raw(64),
        },
        height: Fixed::from_raw(512),
        ..Body::at(place)
    };
    let edits = places.iter().map(|at| BodyEdit::Register(body(at)));
    let ids: Vec<_> = world.apply(edits)?.new_bodies().collect();
    let mut names = Vec::new();
    for id in ids.into_iter().step_by(ONE_SENSOR_IN) {
        let circle = Footprint::circle(Point2::default(), RANGE);
        names.push(world.add_sensor(Sensor {
            eye_height: Some(Fixed::from_raw(384)),
            ..Sensor::new(Mount::Body(id), circle)
        })?);
    }
    Ok((world, names))
}

impl Operation for Eyes {
    fn round(&mut self) -> Result<(), Fault> {
        for places in &self.ticks {
            self.world.apply([BodyEdit::MoveAll(places.clone())])?;
            self.sensor_events.clear();
            self.world.update_sensors(&mut self.sensor_events);
        }
        Ok(())
    }

    /// New sensors detect the same.
    fn check(&mut self) -> Result<(), Fault> {
        let (mut rebuilt, names) = city_with_eyes(&self.ticks[0])?;
        rebuilt.apply([BodyEdit::MoveAll(self.ticks[1].clone())])?;
        rebuilt.update_sensors(&mut Vec::new());
        let mut n_seen = 0;
        for (old, new) in self.names.iter().zip(&names) {
            n_seen += self.world.detected_by(*old).count();
            ensure(
                self.world.detected_by(*old).eq(rebuilt.detected_by(*new)),
                || "a new sensor detects others".to_owned(),
            )?;
        }
        ensure(n_seen > 0, || "nothing is seen".to_owned())
    }
}
