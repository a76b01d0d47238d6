//! Sensors and the exposure of paths to viewers.

use wayfarer_engine as engine;
use wayfarer_engine::world::bodies::{self, SensorEventKind};

use super::World;
use crate::body::{BodyError, BodyId, SensorId, height};
use crate::footprint::{Footprint, bad_footprint};
use crate::path::Path;
use crate::sensor::{Mount, PathExposure, Sensor, SensorEvent, Viewer};
use crate::units::{BadNumber, Position};

impl World {
    /// Adds a sensor, which detects bodies from the next [`World::update_sensors`] on.
    ///
    /// # Errors
    /// A number is out of range, or the sensor is mounted on an unknown body.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the world owns what it is given, as with bodies"
    )]
    pub fn add_sensor(&mut self, sensor: Sensor) -> Result<SensorId, BodyError> {
        if let Mount::Body(id) = sensor.mount {
            self.check_body(Some(id))?;
        }
        self.check_body(sensor.filter.except)?;
        let converted = sensor.to_engine(self.frame)?;
        self.engine.add_sensor(converted).map_err(bad_footprint)
    }

    /// Removes a sensor; it reports nothing more.
    ///
    /// # Errors
    /// The id is unknown.
    pub fn remove_sensor(&mut self, id: SensorId) -> Result<(), BodyError> {
        let is_removed = self.engine.remove_sensor(id);
        is_removed
            .then_some(())
            .ok_or(BodyError::UnknownSensor { id })
    }

    /// Sets the footprint of a sensor, for instance when its body turns.
    ///
    /// # Errors
    /// The id is unknown, or the footprint is out of range.
    pub fn set_sensor_footprint(
        &mut self,
        id: SensorId,
        footprint: &Footprint,
    ) -> Result<(), BodyError> {
        let footprint = footprint.to_engine(self.frame)?;
        let is_set = self.engine.set_sensor_footprint(id, footprint);
        let is_set = is_set.map_err(bad_footprint)?;
        is_set.then_some(()).ok_or(BodyError::UnknownSensor { id })
    }

    /// Updates every sensor, once per tick after all moves, and returns what changed, by sensor and
    /// body.
    pub fn update_sensors(&mut self) -> Vec<SensorEvent> {
        self.update_sensors_within(0, u64::MAX).0
    }

    /// Updates groups of sensors from `first` on within a budget; also returns how many groups were
    /// done, how many there are, and the work.
    pub(crate) fn update_sensors_within(
        &mut self,
        first: usize,
        budget: u64,
    ) -> (Vec<SensorEvent>, (usize, usize, u64)) {
        let mut events = Vec::new();
        let n_groups = self.engine.n_sensor_groups();
        let engine = &mut self.engine;
        let (n_done, work) = engine.update_sensors_within(first, budget, &mut events);
        let event = |event: &bodies::SensorEvent| {
            let (sensor, body) = (event.sensor, event.body);
            match event.kind {
                SensorEventKind::Enter => Some(SensorEvent::Entered { sensor, body }),
                SensorEventKind::Leave => Some(SensorEvent::Left { sensor, body }),
                SensorEventKind::Stay => None,
            }
        };
        let events = events.iter().filter_map(event).collect();
        (events, (n_done, n_groups, work))
    }

    /// The bodies that a sensor detected in the last update, by id.
    ///
    /// # Errors
    /// The id is unknown.
    pub fn detected_by(&self, id: SensorId) -> Result<Vec<BodyId>, BodyError> {
        if !self.engine.sensors().any(|(known, _)| known == id) {
            return Err(BodyError::UnknownSensor { id });
        }
        let mut detected: Vec<BodyId> = self.engine.detected_by(id).collect();
        detected.sort_unstable();
        Ok(detected)
    }

    /// The exposure of a path to each viewer that sees any of it, past ground, air and bodies that
    /// block sight; by viewer. On the ground the target is half the agent's height above the floor.
    ///
    /// # Errors
    /// A number of a viewer is out of range, or its body is unknown.
    pub fn path_exposure(
        &self,
        path: &Path,
        viewers: &[Viewer],
    ) -> Result<Vec<PathExposure>, BodyError> {
        let viewers = self.viewers_to_engine(viewers)?;
        let exposures = self.engine.path_exposure(path.engine(), &viewers);
        let exposure = |exposure: engine::PathExposure| {
            let positions = exposure.positions.iter();
            let positions = positions.map(|at| self.frame.to_user(*at));
            #[expect(clippy::cast_precision_loss, reason = "a share of few samples")]
            let share = exposure.positions.len() as f64 / exposure.n_samples as f64;
            PathExposure {
                viewer: exposure.viewer,
                positions: positions.collect(),
                share,
            }
        };
        Ok(exposures.into_iter().map(exposure).collect())
    }

    /// The floors in view of a viewer: where a target `target_height` units above the floor is in its
    /// range and footprint and in sight past ground, air and bodies that block sight. Centers of
    /// cells, by row, column and height.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::Viewer;
    ///
    /// let map = b"type octile\nheight 1\nwidth 6\nmap\n......\n";
    /// let mut world = World::import("lane.map", map, Scale::UNIT)?;
    /// let (low, high) = (Position::new(3.0, 0.0, 0.0), Position::new(4.0, 1.0, 3.0));
    /// world.add_solid(Solid::cuboid(low, high))?;
    /// let viewer = Viewer::new(Position::new(0.5, 0.5, 1.5), 20.0);
    /// let seen = world.field_of_view(&viewer, 1.0)?;
    /// assert!(seen.contains(&Position::new(2.5, 0.5, 0.0)));
    /// assert!(!seen.contains(&Position::new(5.5, 0.5, 0.0))); // behind the wall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A number is out of range, the range spans more than a million cells, or the body of the viewer
    /// is unknown.
    pub fn field_of_view(
        &self,
        viewer: &Viewer,
        target_height: f64,
    ) -> Result<Vec<Position>, BodyError> {
        self.check_body(viewer.body)?;
        let what = "the height of a target";
        height(self.frame, what, target_height)?;
        // Exact to 1/65,536, as positions are.
        let raised = Position::new(0.0, 0.0, target_height).z;
        let seen = self
            .engine
            .field_of_view(&viewer.to_engine(self.frame)?, raised);
        let seen = seen.ok_or(BodyError::BadNumber(BadNumber {
            what: "the range of a field of view",
            found: viewer.range,
            expected: "at most 511 cells",
        }))?;
        let seen = seen.into_iter();
        Ok(seen
            .map(|cell| self.frame.position_of(cell.into()))
            .collect())
    }

    /// The engine's viewers; their bodies must exist.
    pub(super) fn viewers_to_engine(
        &self,
        viewers: &[Viewer],
    ) -> Result<Vec<engine::Viewer>, BodyError> {
        let viewer = |viewer: &Viewer| {
            self.check_body(viewer.body)?;
            viewer.to_engine(self.frame)
        };
        viewers.iter().map(viewer).collect()
    }

    /// An error if a body does not exist.
    pub(super) fn check_body(&self, id: Option<BodyId>) -> Result<(), BodyError> {
        match id {
            Some(id) if !self.engine.bodies().contains(id) => Err(BodyError::UnknownBody { id }),
            _ => Ok(()),
        }
    }
}
