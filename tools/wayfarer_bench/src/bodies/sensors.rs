//! Ten thousand sensors over a hundred thousand moving bodies.

use wayfarer_engine::base::Fixed;
use wayfarer_engine::world::bodies::{
    BodySet, Footprint, Heading, Mount, Sensor, SensorId, Sensors,
};
use wayfarer_measure::clock::Timer;

use super::{Crowd, RANGE, SensorRow};

const N_MOVING: usize = 100_000;
const N_SENSORS: usize = 10_000;
/// Sensors whose memberships are compared with brute force.
const N_CHECKED: usize = 40;

pub(super) fn measure(timer: &Timer, ticks: u32) -> SensorRow {
    let mut crowd = Crowd::new(N_MOVING, 20, 9);
    let mut bodies = crowd.bodies(RANGE);
    let mut sensors = Sensors::default();
    let names = add_sensors(&mut sensors, &bodies);
    let (mut events, mut by_two) = (Vec::new(), Vec::new());
    let (mut tick, mut moving, mut two) = (f64::MAX, f64::MAX, f64::MAX);
    let mut wrong = 0;
    let mut other = sensors.clone();
    for _ in 0..=ticks {
        crowd.step();
        events.clear();
        by_two.clear();
        let (moved, move_ns) = timer.time(|| bodies.move_all(&crowd.places));
        moved.expect("inside the world by construction");
        let ((), ask_ns) = timer.time(|| sensors.update(&bodies, |_| true, &mut events));
        let ((), two_ns) =
            timer.time_of_all(|| other.update_parallel(2, &bodies, |_| true, &mut by_two));
        wrong += usize::from(events != by_two);
        tick = tick.min(move_ns + ask_ns);
        moving = moving.min(move_ns);
        two = two.min(two_ns);
    }
    let members: usize = names
        .iter()
        .map(|(name, _)| sensors.detected(*name).count())
        .sum();
    wrong += wrong_sensors(&sensors, &bodies, &names);
    SensorRow {
        sensors: N_SENSORS,
        moving: N_MOVING,
        hits: members as f64 / N_SENSORS as f64,
        tick_ms: tick / 1e6,
        move_ms: moving / 1e6,
        two_threads_ms: two / 1e6,
        events: events.len(),
        wrong,
    }
}

/// Half circles and half wedges of 60 degrees, each with about 20 in it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a circle of six times the area"
)]
fn add_sensors(sensors: &mut Sensors, bodies: &BodySet) -> Vec<(SensorId, Sensor)> {
    let wedge_range = (f64::from(RANGE) * 6.0_f64.sqrt()) as i32;
    let half_opening = 3.0_f64.sqrt() / 2.0;
    let headings = [(1, 0), (1, 2), (-3, 1), (-1, -1), (2, -5)];
    let mut names = Vec::new();
    for (place, index) in (0..N_SENSORS).zip((0_u32..).step_by(N_MOVING / N_SENSORS)) {
        let bearer = bodies.id_at(index).expect("every body is alive");
        let origin = bodies.body(bearer).expect("every body is alive").position;
        let footprint = if place % 2 == 0 {
            Footprint::circle(origin, Fixed::from_raw(RANGE))
        } else {
            let (x, y) = headings[place % headings.len()];
            let heading = Heading::new(x, y).expect("points somewhere");
            Footprint::wedge(origin, Fixed::from_raw(wedge_range), heading, half_opening)
        };
        let sensor = Sensor::new(Mount::Body(bearer), footprint);
        let name = sensors.add(sensor).expect("within the limits");
        names.push((name, sensor));
    }
    names
}

fn wrong_sensors(sensors: &Sensors, bodies: &BodySet, names: &[(SensorId, Sensor)]) -> usize {
    // Circles and wedges in turn.
    let some = names.iter().step_by(N_SENSORS / N_CHECKED + 1);
    let is_wrong = |(name, sensor): &&(SensorId, Sensor)| {
        let Mount::Body(bearer) = sensor.mount else {
            return true;
        };
        let at = bodies.body(bearer).expect("every body is alive").position;
        let footprint = sensor.footprint.translated_to(at);
        let ids = (0_u32..).map_while(|index| bodies.id_at(index));
        let inside = ids.filter(|id| {
            let position = bodies.body(*id).map(|body| body.position);
            *id != bearer && position.is_ok_and(|position| footprint.contains(position))
        });
        !inside.eq(sensors.detected(*name))
    };
    some.filter(is_wrong).count()
}
