//! [`Sensor`]: reports the bodies that enter and leave an area; [`Viewer`]: an eye to stay out of.

use wayfarer_engine as engine;
use wayfarer_engine::world::bodies;

use crate::body::{BodyError, BodyFilter, BodyId, SensorId, height, point, size};
use crate::footprint::Footprint;
use crate::units::{BadNumber, Frame, Position, Rounding};

/// What reports the bodies that enter and leave an area; added with
/// [`World::add_sensor`](crate::World::add_sensor).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sensor {
    /// Where it is.
    pub mount: Mount,
    /// The area it covers, moved so that its center, tip, first end or first vertex is at the mount.
    pub footprint: Footprint,
    /// The bodies it detects; never the one it is mounted on.
    pub filter: BodyFilter,
    /// True to detect a body only if its feet, center or top is in sight past ground, air and
    /// bodies that block sight.
    pub requires_line_of_sight: bool,
    /// The height of the eye above the mount.
    pub eye_height: f64,
    /// A detected body leaves only when it is outside the footprint inflated by this length.
    pub exit_margin: f64,
    /// Updates that a body must be detected before it enters; 0 reports at once.
    pub enter_delay: u16,
    /// Updates that a body must be gone before it leaves; 0 reports at once.
    pub leave_delay: u16,
    /// True to detect a body that only crosses the area between two calls of
    /// [`World::move_bodies`](crate::World::move_bodies).
    pub is_continuous: bool,
}

/// Where a sensor is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mount {
    /// On a body, which it follows; it detects nothing once the body is removed.
    Body(BodyId),
    /// At a position.
    Position(Position),
}

impl Default for Mount {
    fn default() -> Self {
        Self::Position(Position::default())
    }
}

impl From<BodyId> for Mount {
    fn from(id: BodyId) -> Self {
        Self::Body(id)
    }
}

impl From<Position> for Mount {
    fn from(at: Position) -> Self {
        Self::Position(at)
    }
}

impl Sensor {
    /// The engine's sensor.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<bodies::Sensor, BodyError> {
        let what = "the mount of a sensor";
        let mut eye = height(frame, "the height of an eye", self.eye_height)?;
        let mount = match self.mount {
            Mount::Body(id) => bodies::Mount::Body(id),
            Mount::Position(at) => {
                let feet = frame.scale.height(frame.to_engine(at));
                let feet = feet.ok_or(BodyError::OutOfWorld { what, at })?;
                // The engine counts the eye of a sensor at a point from height 0.
                let raw = feet.raw().saturating_add(eye.raw());
                eye = engine::base::Fixed::from_raw(raw);
                bodies::Mount::Point(point(frame, what, at)?)
            }
        };
        let margin = "the exit margin of a sensor";
        Ok(bodies::Sensor {
            filter: self.filter.to_engine(frame)?,
            exit_margin: size(frame, margin, self.exit_margin, Rounding::Down)?,
            enter_delay: self.enter_delay,
            leave_delay: self.leave_delay,
            is_continuous: self.is_continuous,
            eye_height: self.requires_line_of_sight.then_some(eye),
            ..bodies::Sensor::new(mount, self.footprint.to_engine(frame)?)
        })
    }
}

/// A body entered or left the area of a sensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SensorEvent {
    /// The sensor detects the body from now on.
    Entered {
        /// The sensor.
        sensor: SensorId,
        /// The body.
        body: BodyId,
    },
    /// The sensor no longer detects the body, or the body was removed.
    Left {
        /// The sensor.
        sensor: SensorId,
        /// The body.
        body: BodyId,
    },
}

/// An eye that a path should stay out of; see
/// [`PathRequest::viewers`](crate::PathRequest::viewers).
#[derive(Clone, PartialEq, Debug)]
pub struct Viewer {
    /// The position of the eye.
    pub eye: Position,
    /// How far it sees, in units.
    pub range: f64,
    /// Restricts the view to an area of the plane.
    pub footprint: Option<Footprint>,
    /// The body of the viewer, which does not occlude its sight.
    pub body: Option<BodyId>,
}

impl Viewer {
    /// A viewer that sees in all directions.
    pub const fn new(eye: Position, range: f64) -> Self {
        Self {
            eye,
            range,
            footprint: None,
            body: None,
        }
    }

    /// The engine's viewer.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<engine::Viewer, BodyError> {
        if !self.eye.is_finite() {
            let (what, at) = ("the eye of a viewer", self.eye);
            return Err(BodyError::OutOfWorld { what, at });
        }
        if !(0.0..=1e12).contains(&self.range) {
            return Err(BodyError::BadNumber(BadNumber {
                what: "the range of a viewer",
                found: self.range,
                expected: "a length from 0 to 1e12",
            }));
        }
        let footprint = self.footprint.as_ref();
        let footprint = footprint.map(|footprint| footprint.to_engine(frame));
        Ok(engine::Viewer {
            footprint: footprint.transpose()?,
            body: self.body,
            ..engine::Viewer::new(frame.to_engine(self.eye), self.range)
        })
    }
}

/// The part of a path in sight of a viewer.
#[derive(Clone, PartialEq, Debug)]
pub struct PathExposure {
    /// Index of the viewer.
    pub viewer: usize,
    /// The samples in sight, in path order; at most a cell or a voxel apart.
    pub positions: Vec<Position>,
    /// The share of all samples that is in sight, above 0 to 1.
    pub share: f64,
}
