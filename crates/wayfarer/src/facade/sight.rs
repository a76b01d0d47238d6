//! Who sees what: over the ground, through the air and past tall objects, all at once.

use wayfarer_base::{Fixed, Point2, Point3, Voxel};
use wayfarer_search::sight::{
    GroundVisibility, LineOfSightTest, OcclusionRules, is_clear_of_bodies,
};
use wayfarer_world::air::Air;
use wayfarer_world::bodies::{
    BodyFilter, BodyId, BodySet, Contacts, Footprint, Sensor, SensorEvent, SensorId, ShapeError,
    SightQuery,
};
use wayfarer_world::ground::Ground;

use super::World;
use crate::{Position, Scale};

/// The world as the eye finds it: its ground, its air and who stands in the way.
#[derive(Clone, Copy, Debug)]
pub struct WorldVisibility<'w> {
    pub(super) scale: Scale,
    pub(super) rules: OcclusionRules,
    pub(super) ground: &'w Ground,
    pub(super) air: Option<&'w Air>,
    pub(super) bodies: &'w BodySet,
}

impl WorldVisibility<'_> {
    /// True if neither ground nor air blocks the line; the same from both ends. `false` for places
    /// outside the world.
    pub fn is_clear(&self, from: Position, to: Position) -> bool {
        let over = |at| self.scale.over_ground(at);
        let (Some(a), Some(b)) = (over(from), over(to)) else {
            return false;
        };
        self.ground_is_clear(a, b) && self.air_is_clear(from, to)
    }

    /// True if nothing blocks the line, bodies included: none but those in `but` whose outline the
    /// line touches between its feet and its top. A body without width hides nobody. `false` for
    /// lines longer than 16,384 cells.
    pub fn is_clear_past(
        &self,
        (from, to): (Position, Position),
        but: &[BodyId],
        contacts: &mut Contacts,
    ) -> bool {
        let over = |at| self.scale.over_ground(at);
        let (Some(a), Some(b)) = (over(from), over(to)) else {
            return false;
        };
        self.ground_is_clear(a, b)
            && self.air_is_clear(from, to)
            && is_clear_of_bodies(self.bodies, (a, b), &BodyFilter::ALL, but, contacts) == Ok(true)
    }

    /// True if the feet, the middle or the top of somebody is in sight.
    fn shows(&self, look: &SightQuery, contacts: &mut Contacts) -> bool {
        let place = |at: Point2, height: Fixed| self.scale.of_ground(at, height);
        let center = i32::midpoint(look.feet.raw(), look.top.raw());
        let but = [look.viewer.unwrap_or(look.target), look.target];
        let eye = place(look.from, look.eye);
        [look.top, Fixed::from_raw(center), look.feet]
            .into_iter()
            .any(|z| self.is_clear_past((eye, place(look.to, z)), &but, contacts))
    }

    fn ground_is_clear(&self, from: Point3, to: Point3) -> bool {
        let sight = GroundVisibility {
            ground: self.ground,
            rules: self.rules,
        };
        sight.is_clear(from, to)
    }

    /// What lies outside the bounds of the air blocks nothing.
    fn air_is_clear(&self, from: Position, to: Position) -> bool {
        let Some(air) = self.air else {
            return true;
        };
        let (a, b) = if from <= to { (from, to) } else { (to, from) };
        let (Some(a), Some(b)) = (self.scale.in_air(a), self.scale.in_air(b)) else {
            return false;
        };
        match clipped(a, b, (air.low(), air.high())) {
            Some((a, b)) => matches!(air.cast_ray(a, b), Ok(None)),
            None => true,
        }
    }
}

/// The part of a line that lies in a box of voxels, rounded to 1/256; `None` if there is none.
#[expect(
    clippy::cast_possible_truncation,
    reason = "held within the bounds of the air"
)]
fn clipped(from: Point3, to: Point3, (low, high): (Voxel, Voxel)) -> Option<(Point3, Point3)> {
    let raw = |at: Point3| [at.x, at.y, at.z].map(|at| f64::from(at.raw()));
    let (a, b) = (raw(from), raw(to));
    let low = [low.x, low.y, low.z].map(|at| f64::from(at) * 256.0);
    let high = [high.x, high.y, high.z].map(|at| (f64::from(at) + 1.0) * 256.0 - 1.0);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let by = b[axis] - a[axis];
        if by == 0.0 {
            if a[axis] < low[axis] || a[axis] > high[axis] {
                return None;
            }
            continue;
        }
        let (one, other) = ((low[axis] - a[axis]) / by, (high[axis] - a[axis]) / by);
        enter = enter.max(one.min(other));
        leave = leave.min(one.max(other));
    }
    if enter > leave {
        return None;
    }
    let at = |moment: f64| {
        let part = |axis: usize| {
            let at = (a[axis] + moment * (b[axis] - a[axis])).round();
            Fixed::from_raw(at.clamp(low[axis], high[axis]) as i32)
        };
        Point3 {
            x: part(0),
            y: part(1),
            z: part(2),
        }
    };
    Some((
        if enter <= 0.0 { from } else { at(enter) },
        if leave >= 1.0 { to } else { at(leave) },
    ))
}

impl World {
    /// The world as the eye finds it.
    pub fn sight(&self) -> WorldVisibility<'_> {
        WorldVisibility {
            scale: self.scale,
            rules: self.rules,
            ground: &self.ground,
            air: self.air.as_ref(),
            bodies: &self.bodies,
        }
    }

    /// True if neither ground nor air blocks the line; the same from both ends. The ground blocks
    /// by the world's [rules](World::sight_rules), the air where it is solid; outside the bounds
    /// of the air only the ground does. `false` for places outside the world.
    pub fn has_line_of_sight(&self, from: Position, to: Position) -> bool {
        self.sight().is_clear(from, to)
    }

    /// Adds a standing question: who comes into a footprint, and is in sight if it has an eye. See
    /// [`World::update_sensors`].
    ///
    /// # Errors
    /// A footprint, place or margin beyond the limits.
    pub fn add_sensor(&mut self, sensor: Sensor) -> Result<SensorId, ShapeError> {
        self.sensors.add(sensor)
    }

    /// Takes a sensor out; false if it is gone already.
    pub fn remove_sensor(&mut self, id: SensorId) -> bool {
        self.sensors.remove(id)
    }

    /// Changes what a sensor covers, as when its bearer turns; false if it is gone.
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn set_sensor_footprint(
        &mut self,
        id: SensorId,
        footprint: Footprint,
    ) -> Result<bool, ShapeError> {
        self.sensors.set_footprint(id, footprint)
    }

    /// All sensors, in the order of their names.
    pub fn sensors(&self) -> impl Iterator<Item = (SensorId, &Sensor)> {
        self.sensors.iter()
    }

    /// Who is in the footprint of a sensor, and in sight if that is asked, since the last look.
    pub fn detected_by(&self, id: SensorId) -> impl Iterator<Item = BodyId> {
        self.sensors.detected(id)
    }

    /// Asks every sensor once, at the end of a tick, and adds what has changed to `events`: sensor
    /// by sensor, object by object. Sensors with an eye see over the ground, through the air and
    /// past other bodies: the feet, the middle or the top of who is seen must be in sight.
    pub fn update_sensors(&mut self, events: &mut Vec<SensorEvent>) {
        let sight = WorldVisibility {
            scale: self.scale,
            rules: self.rules,
            ground: &self.ground,
            air: self.air.as_ref(),
            bodies: &self.bodies,
        };
        let mut contacts = Contacts::default();
        let sees = |look: &SightQuery| sight.shows(look, &mut contacts);
        self.sensors.update(&self.bodies, sees, events);
    }
}
