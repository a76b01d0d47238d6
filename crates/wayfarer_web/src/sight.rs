//! The view of bodies and sight: sensors on a battlefield, footprints, fields of view.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::prelude::*;
use wayfarer::{SensorId, Terrain, Viewer};

use crate::convert::{count, footprint, message, numbers, pair, position};

/// Height of the eyes of a body in meters.
const EYES: f64 = 1.7;

/// A battlefield with bodies of two teams.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SightScene {
    world: World,
    bodies: Vec<BodyId>,
    sensors: Vec<SensorId>,
}

/// How a query for a footprint was answered.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct CoverageArrays {
    /// Four numbers per bin of the grid: corner x, y, side, 1 if it lies inside the footprint.
    pub bins: Vec<f64>,
    /// The indices of the bodies in the footprint.
    pub found: Vec<u32>,
    /// Bodies tested exactly.
    pub tests: f64,
    /// Bodies accepted without a test.
    pub skips: f64,
}

#[wasm_bindgen]
impl SightScene {
    /// A field of `side` meters.
    #[wasm_bindgen(constructor)]
    pub fn new(side: f64) -> Result<Self, String> {
        let mut world = World::new(Scale::meters(1.0)).map_err(message)?;
        let square = Area::rect(Position::default(), Position::new(side, side, 0.0));
        let floors = Edit::add_floors(square, 0.0, Terrain::GROUND);
        world.apply(&[floors]).map_err(message)?;
        Ok(Self {
            world,
            bodies: Vec::new(),
            sensors: Vec::new(),
        })
    }

    /// Places a building: a box between two corners, six numbers.
    #[wasm_bindgen(js_name = addBuilding)]
    pub fn add_building(&mut self, corners: &[f64]) -> Result<(), String> {
        let (low, high) = pair(corners)?;
        let placed = self.world.add_solid(Solid::cuboid(low, high));
        placed.map(|_| ()).map_err(message)
    }

    /// Adds a body of a team and returns its index.
    #[wasm_bindgen(js_name = addBody)]
    pub fn add_body(&mut self, at: &[f64], radius: f64, team: u8) -> Result<usize, String> {
        let body = self.world.add_body(Body {
            position: position(at)?,
            shape: BodyShape::disc(radius),
            height: 1.8,
            team,
            ..Body::default()
        });
        self.bodies.push(body.map_err(message)?);
        Ok(self.bodies.len() - 1)
    }

    /// Mounts a sensor on a body: it sees enemies in a footprint that is not hidden.
    #[wasm_bindgen(js_name = addSensor)]
    pub fn add_sensor(
        &mut self,
        body: usize,
        kind: &str,
        shape: &[f64],
        delay: u16,
    ) -> Result<usize, String> {
        let id = *self.bodies.get(body).ok_or("no such body")?;
        let team = self.world.body(id).map_err(message)?.team;
        let sensor = self.world.add_sensor(Sensor {
            mount: id.into(),
            footprint: footprint(kind, shape)?,
            filter: BodyFilter::enemies_of(team),
            requires_line_of_sight: true,
            eye_height: EYES,
            enter_delay: delay,
            leave_delay: delay,
            ..Sensor::default()
        });
        self.sensors.push(sensor.map_err(message)?);
        Ok(self.sensors.len() - 1)
    }

    /// Turns or resizes the footprint of a sensor.
    #[wasm_bindgen(js_name = setFootprint)]
    pub fn set_footprint(
        &mut self,
        sensor: usize,
        kind: &str,
        shape: &[f64],
    ) -> Result<(), String> {
        let id = *self.sensors.get(sensor).ok_or("no such sensor")?;
        let footprint = footprint(kind, shape)?;
        self.world
            .set_sensor_footprint(id, &footprint)
            .map_err(message)
    }

    /// Moves all bodies: three numbers each.
    #[wasm_bindgen(js_name = moveAll)]
    pub fn move_all(&mut self, positions: &[f64]) -> Result<(), String> {
        let (places, _) = positions.as_chunks::<3>();
        let places = places.iter().map(|[x, y, z]| Position::new(*x, *y, *z));
        let moves: Vec<_> = self.bodies.iter().copied().zip(places).collect();
        self.world.move_bodies(&moves).map_err(message)
    }

    /// Updates all sensors: three numbers per event, 1 for enter and 0 for leave, sensor and body.
    pub fn update(&mut self) -> Vec<u32> {
        let events = self.world.update_sensors().into_iter();
        let sensor = |id| index(&self.sensors, id);
        let body = |id| index(&self.bodies, id);
        let event = |event| match event {
            SensorEvent::Entered { sensor: s, body: b } => Some([1, sensor(s)?, body(b)?]),
            SensorEvent::Left { sensor: s, body: b } => Some([0, sensor(s)?, body(b)?]),
            _ => None,
        };
        events.filter_map(event).flatten().collect()
    }

    /// The bodies that a sensor detects, by index.
    pub fn detected(&self, sensor: usize) -> Result<Vec<u32>, String> {
        let id = *self.sensors.get(sensor).ok_or("no such sensor")?;
        let found = self.world.detected_by(id).map_err(message)?.into_iter();
        Ok(found.filter_map(|id| index(&self.bodies, id)).collect())
    }

    /// The bins of a footprint and the bodies in it.
    pub fn coverage(&self, kind: &str, shape: &[f64]) -> Result<CoverageArrays, String> {
        let footprint = footprint(kind, shape)?;
        let inspector = self.world.inspect();
        let coverage = inspector.coverage(&footprint, BodyFilter::ALL);
        let coverage = coverage.map_err(message)?;
        let found = self.world.bodies_in(&footprint, BodyFilter::ALL);
        let found = found.map_err(message)?.into_iter();
        let bins = coverage.bins.iter().flat_map(|bin| {
            let [x, y, _] = bin.low.units();
            [x, y, bin.side, f64::from(u8::from(bin.is_inside))]
        });
        Ok(CoverageArrays {
            bins: bins.collect(),
            found: found.filter_map(|id| index(&self.bodies, id)).collect(),
            tests: count(coverage.n_tests),
            skips: count(coverage.n_skips),
        })
    }

    /// The cells in sight of an eye above a place, within a range: three numbers each.
    #[wasm_bindgen(js_name = fieldOfView)]
    pub fn field_of_view(&self, at: &[f64], range: f64) -> Result<Vec<f64>, String> {
        let [x, y, z] = position(at)?.units();
        let viewer = Viewer::new(Position::new(x, y, z + EYES), range);
        let seen = self.world.field_of_view(&viewer, 1.0).map_err(message)?;
        Ok(numbers(seen))
    }

    /// For each of the bodies 1 if nothing hides it from an eye above a place.
    #[wasm_bindgen(js_name = inSight)]
    pub fn in_sight(&self, at: &[f64]) -> Result<Vec<u8>, String> {
        let [x, y, z] = position(at)?.units();
        let eye = Position::new(x, y, z + EYES);
        let is_seen = |id: &BodyId| {
            let body = self.world.body(*id).map(|body| body.position.units());
            body.is_ok_and(|[x, y, z]| {
                self.world
                    .has_line_of_sight(eye, Position::new(x, y, z + 1.0))
            })
        };
        Ok(self.bodies.iter().map(|id| u8::from(is_seen(id))).collect())
    }
}

fn index<T: Copy + PartialEq>(all: &[T], one: T) -> Option<u32> {
    let index = all.iter().position(|known| *known == one);
    index.and_then(|index| u32::try_from(index).ok())
}
