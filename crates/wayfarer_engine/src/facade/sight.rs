//! Line of sight through ground, air and bodies, and the sensors that use it. Symmetric: a line is
//! clear from one end if and only if it is from the other.

use wayfarer_base::{Fixed, Point2, Point3, Voxel};
use wayfarer_search::sight::{
    GroundVisibility, LineOfSightTest, OcclusionCache, OcclusionRules, SegmentVerdict,
    is_clear_of_bodies,
};
use wayfarer_world::air::Air;
use wayfarer_world::bodies::{
    BodyFilter, BodyId, BodySet, Contacts, Footprint, SegmentOcclusion, Sensor, SensorEvent,
    SensorId, ShapeError, SightQuery,
};
use wayfarer_world::ground::Ground;

use super::World;
use crate::{Position, Scale};

/// Line-of-sight tests over the ground, air and bodies of a world.
#[derive(Clone, Copy, Debug)]
pub struct WorldVisibility<'w> {
    pub(super) scale: Scale,
    pub(super) rules: OcclusionRules,
    pub(super) ground: &'w Ground,
    pub(super) air: Option<&'w Air>,
    pub(super) bodies: &'w BodySet,
    pub(super) occluders: BodyFilter,
}

impl WorldVisibility<'_> {
    /// True if neither ground nor air blocks the line; symmetric. `false` for positions outside the
    /// world.
    pub fn is_clear(&self, from: Position, to: Position) -> bool {
        let point = |at| self.scale.ground_point(at);
        let (Some(a), Some(b)) = (point(from), point(to)) else {
            return false;
        };
        self.ground_is_clear(a, b) && self.air_is_clear(from, to)
    }

    /// True if neither ground, air nor bodies block the line. A body whose roles include it blocks
    /// if the line touches its outline between feet and top; point bodies and those in `ignored` do
    /// not. `false` for lines longer than 16,384 cells.
    pub fn is_clear_past(
        &self,
        (from, to): (Position, Position),
        ignored: &[BodyId],
        contacts: &mut Contacts,
    ) -> bool {
        let point = |at| self.scale.ground_point(at);
        let (Some(a), Some(b)) = (point(from), point(to)) else {
            return false;
        };
        self.ground_is_clear(a, b)
            && self.air_is_clear(from, to)
            && is_clear_of_bodies(self.bodies, (a, b), &self.occluders, ignored, contacts)
                == Ok(true)
    }

    /// True if the top, the center or the feet of the target are in sight. Ground and bodies are
    /// looked at for all three lines at once; only where heights decide, line by line.
    fn is_target_visible(&self, query: &SightQuery, cache: &mut OcclusionCache) -> bool {
        let at = |point: Point2, z: Fixed| Point3 {
            x: point.x,
            y: point.y,
            z,
        };
        let eye = at(query.from, query.eye);
        let (feet, top) = (query.feet, query.top);
        let on_ground = cache.verdict(self.ground, eye, query.to, (feet.raw(), top.raw()));
        if on_ground == SegmentVerdict::Blocked {
            return false;
        }
        let ignored = [query.viewer.unwrap_or(query.target), query.target];
        let target = (query.to, feet, top);
        let past_bodies = self
            .bodies
            .occlusion(eye, target, &self.occluders, &ignored);
        let Ok(past_bodies) = past_bodies else {
            return false; // Beyond the limits.
        };
        if past_bodies == SegmentOcclusion::Full {
            return false;
        }
        let center = Fixed::from_raw(i32::midpoint(feet.raw(), top.raw()));
        [top, center, feet].into_iter().any(|z| {
            let end = at(query.to, z);
            let is_occluded = || {
                let line = (eye, end);
                self.bodies
                    .is_segment_occluded(line, &self.occluders, &ignored)
                    != Ok(false)
            };
            (on_ground == SegmentVerdict::Clear || cache.is_clear(self.ground, eye, end))
                && (past_bodies == SegmentOcclusion::None || !is_occluded())
                && self.air_is_clear_between(eye, end)
        })
    }

    /// True if the air does not block the line between two points over the ground.
    fn air_is_clear_between(&self, from: Point3, to: Point3) -> bool {
        let position = |at: Point3| self.scale.ground_position(Point2::new(at.x, at.y), at.z);
        self.air.is_none() || self.air_is_clear(position(from), position(to))
    }

    fn ground_is_clear(&self, from: Point3, to: Point3) -> bool {
        let sight = GroundVisibility {
            ground: self.ground,
            rules: self.rules,
        };
        sight.is_clear(from, to)
    }

    /// Outside the bounds of the air nothing blocks.
    fn air_is_clear(&self, from: Position, to: Position) -> bool {
        let Some(air) = self.air else {
            return true;
        };
        let (a, b) = if from <= to { (from, to) } else { (to, from) };
        let (Some(a), Some(b)) = (self.scale.air_point(a), self.scale.air_point(b)) else {
            return false;
        };
        if is_beside(a, b, (air.low(), air.high())) {
            return true;
        }
        match clipped(a, b, (air.low(), air.high())) {
            Some((a, b)) => matches!(air.cast_ray(a, b), Ok(None)),
            None => true,
        }
    }
}

/// True if both ends of a segment lie beyond the same side of a box of voxels: it misses the box.
fn is_beside(from: Point3, to: Point3, (low, high): (Voxel, Voxel)) -> bool {
    let is_beyond = |a: Fixed, b: Fixed, (low, high): (i32, i32)| {
        let (a, b) = (i64::from(a.raw()), i64::from(b.raw()));
        a.max(b) < i64::from(low) * 256 || a.min(b) >= (i64::from(high) + 1) * 256
    };
    is_beyond(from.z, to.z, (low.z, high.z))
        || is_beyond(from.x, to.x, (low.x, high.x))
        || is_beyond(from.y, to.y, (low.y, high.y))
}

/// Clips a segment to a box of voxels (slab method), rounded to 1/256; `None` if it misses the box.
#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to the bounds of the air"
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
    /// The line-of-sight tests of this world.
    pub fn visibility(&self) -> WorldVisibility<'_> {
        WorldVisibility {
            scale: self.scale,
            rules: self.rules,
            ground: &self.ground,
            air: self.air.as_ref(),
            bodies: &self.bodies,
            occluders: self.body_roles.occluders(),
        }
    }

    /// True if neither ground nor air blocks the line; symmetric. The ground blocks by the world's
    /// [rules](World::occlusion_rules), the air by its solid voxels; outside the bounds of the air
    /// only the ground blocks. `false` for positions outside the world.
    pub fn has_line_of_sight(&self, from: Position, to: Position) -> bool {
        self.visibility().is_clear(from, to)
    }

    /// Adds a sensor, which detects the bodies in a footprint, and in sight if it has an eye. See
    /// [`World::update_sensors`].
    ///
    /// # Errors
    /// The footprint, mount point or exit margin is out of range.
    pub fn add_sensor(&mut self, sensor: Sensor) -> Result<SensorId, ShapeError> {
        self.sensors.add(sensor)
    }

    /// Removes a sensor; false if it does not exist.
    pub fn remove_sensor(&mut self, id: SensorId) -> bool {
        self.sensors.remove(id)
    }

    /// Sets the footprint of a sensor, for instance when its body turns; false if it does not exist.
    ///
    /// # Errors
    /// The footprint is out of range.
    pub fn set_sensor_footprint(
        &mut self,
        id: SensorId,
        footprint: Footprint,
    ) -> Result<bool, ShapeError> {
        self.sensors.set_footprint(id, footprint)
    }

    /// All sensors, by id.
    pub fn sensors(&self) -> impl Iterator<Item = (SensorId, &Sensor)> {
        self.sensors.iter()
    }

    /// The bodies that a sensor detected in the last update.
    pub fn detected_by(&self, id: SensorId) -> impl Iterator<Item = BodyId> {
        self.sensors.detected(id)
    }

    /// Updates every sensor, at the end of a tick, and appends the changes to `events`, by sensor
    /// and body. A sensor with an eye detects a body if its feet, center or top is in sight past
    /// ground, air and other bodies.
    pub fn update_sensors(&mut self, events: &mut Vec<SensorEvent>) {
        self.update_sensors_part((0, 1), events);
    }

    /// Updates groups of sixteen sensors from group `first` on, and on from the first one, until all are
    /// updated or the work of the groups done reaches `budget`; at least one. Appends the changes to
    /// `events`, by sensor and body, and returns the number of groups done and the work: 16 for each
    /// line of sight, 4 for each sensor, 1 for each body tested.
    pub fn update_sensors_within(
        &mut self,
        first: usize,
        budget: u64,
        events: &mut Vec<SensorEvent>,
    ) -> (usize, u64) {
        let n_groups = self.sensors.n_groups();
        let n_before = events.len();
        let (mut n_done, mut work) = (0, 0);
        // The next group takes about as much as those before.
        while n_done < n_groups && (n_done == 0 || work + work / n_done as u64 <= budget) {
            let n_lines = self.update_sensors_part(((first + n_done) % n_groups, n_groups), events);
            work += 16 * n_lines + 64 + self.sensors.stats.tests;
            n_done += 1;
        }
        events[n_before..].sort_unstable();
        (n_done, work)
    }

    /// The number of groups of sixteen sensors.
    pub fn n_sensor_groups(&self) -> usize {
        self.sensors.n_groups()
    }

    /// Updates one of `n_parts` parts of the sensors, as
    /// [`Sensors::update_part`](wayfarer_world::bodies::Sensors::update_part): with part `tick`
    /// modulo `n_parts` in every tick, an update takes that fraction of the time, and sensors
    /// report with a delay of up to `n_parts` - 1 ticks. Returns the number of lines of sight tested.
    ///
    /// # Panics
    /// If the part is not below the number of parts.
    pub fn update_sensors_part(
        &mut self,
        part: (usize, usize),
        events: &mut Vec<SensorEvent>,
    ) -> u64 {
        // Not `self.visibility()`: the sensors are borrowed mutably.
        let visibility = WorldVisibility {
            scale: self.scale,
            rules: self.rules,
            ground: &self.ground,
            air: self.air.as_ref(),
            bodies: &self.bodies,
            occluders: self.body_roles.occluders(),
        };
        let cache = &mut self.occlusion_cache;
        cache.sync(&self.ground, self.rules, &self.ground_log);
        let mut n_lines = 0;
        let is_visible = |query: &SightQuery| {
            n_lines += 1;
            visibility.is_target_visible(query, cache)
        };
        let sensors = &mut self.sensors;
        sensors.update_part(part, &self.bodies, is_visible, events);
        n_lines
    }
}
