//! `bench sensors`: sensors with line of sight in moving crowds.
//!
//! Each agent carries a cone of 60 degrees and 30 cells; walls are put and removed between ticks. The
//! members of some sensors are compared with brute force over all bodies in some ticks.

use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::{Cell, Fixed, GroundEdit, Point2, Raster, Rng, Terrain};
use wayfarer_engine::world::bodies::{
    Body, BodyId, BodyShape, Contacts, Footprint, Heading, Mount, Sensor, SensorId,
};
use wayfarer_engine::{BodyEdit, Edit};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::table;

/// Columns along a side of the world.
const SIDE: u32 = 240;
/// Length of a cone in cells.
const RANGE: i32 = 30;
/// Height of the eyes, in 1/256 of a step.
const EYE: i32 = 400;
/// Ticks between those whose members are checked.
const CHECK_EVERY: u32 = 20;

/// What to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Ticks of each crowd.
    pub ticks: u32,
    /// Seed of walls, agents and edits.
    pub seed: u64,
}

/// A crowd and where it is.
struct CrowdPlan {
    name: &'static str,
    n_agents: usize,
    /// Columns along the side of the square they keep to.
    side: i32,
    /// True if agents occlude each other.
    is_solid: bool,
}

const CROWDS: [CrowdPlan; 4] = [
    CrowdPlan {
        name: "500 agents, past each other",
        n_agents: 500,
        side: 240,
        is_solid: true,
    },
    CrowdPlan {
        name: "500 agents, past walls only",
        n_agents: 500,
        side: 240,
        is_solid: false,
    },
    CrowdPlan {
        name: "160 agents in 8 x 8 cells, past each other",
        n_agents: 160,
        side: 8,
        is_solid: true,
    },
    CrowdPlan {
        name: "160 agents in 8 x 8 cells, past walls only",
        n_agents: 160,
        side: 8,
        is_solid: false,
    },
];

/// The updates of one crowd.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CrowdRow {
    /// The crowd.
    pub crowd: &'static str,
    /// An update in milliseconds: mean.
    pub mean_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// Longest, the first included.
    pub max_ms: f64,
    /// The first.
    pub first_ms: f64,
    /// Members of all sensors, mean over the ticks.
    pub members: f64,
    /// Events of a tick, mean.
    pub events: f64,
}

/// All crowds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SensorFigures {
    /// Crowd by crowd.
    pub rows: Vec<CrowdRow>,
    /// Sensors whose members differ from brute force.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Figures for SensorFigures {
    const SCHEMA: &'static str = "wayfarer-bench-sensors/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        table!(row in &self.rows;
            "cones of 60 degrees and 30 cells" => row.crowd,
            "ms a tick" => row.mean_ms,
            "p99" => row.p99_ms,
            "max" => row.max_ms,
            "first" => row.first_ms,
            "members" => row.members,
            "events" => row.events,
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.of("sensors")
    }
}

impl Benchmark for Arguments {
    type Figures = SensorFigures;

    fn command(&self) -> String {
        CommandLine::new("sensors")
            .option("ticks", self.ticks)
            .option("seed", self.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<SensorFigures, BenchError> {
        let mut figures = SensorFigures::default();
        for plan in &CROWDS {
            progress(plan.name, CROWDS.len());
            let row = self.measure_crowd(plan, &mut figures.faults)?;
            figures.rows.push(row);
        }
        Ok(figures)
    }
}

/// A world with agents that carry cones.
struct Crowd {
    world: World,
    ids: Vec<BodyId>,
    sensors: Vec<SensorId>,
    places: Vec<Point2>,
    headings: Vec<(i32, i32)>,
}

impl Crowd {
    fn new(plan: &CrowdPlan, rng: &mut Rng) -> Result<Self, BenchError> {
        let wrong = BenchError::world("crowd");
        let n_columns = (SIDE * SIDE) as usize;
        let open = Raster::from_bytes(SIDE, SIDE, vec![0; n_columns]);
        let mut map = open.ok_or_else(|| wrong("too large"))?;
        let last = SIDE.cast_signed() - 1;
        for _ in 0..n_columns / 200 {
            let (x, y) = (rng.between(0, last), rng.between(0, last));
            let (dx, dy) = if rng.chance(1, 2) { (1, 0) } else { (0, 1) };
            for step in 0..rng.between(3, 16) {
                map.set(x + step * dx, y + step * dy, None);
            }
        }
        let mut crowd = Self {
            world: World::from_raster(&map),
            ids: Vec::new(),
            sensors: Vec::new(),
            places: Vec::new(),
            headings: Vec::new(),
        };
        let shape = if plan.is_solid {
            BodyShape::Disc {
                radius: Fixed::from_raw(90),
            }
        } else {
            BodyShape::Point
        };
        let west = 256 * (SIDE.cast_signed() - plan.side) / 2;
        let side = 256 * plan.side - 1;
        for _ in 0..plan.n_agents {
            let place = Point2::from_raw(west + rng.between(0, side), west + rng.between(0, side));
            let body = Body {
                shape,
                height: Fixed::from_raw(512),
                ..Body::at(place)
            };
            let changes = crowd.world.apply([Edit::Body(BodyEdit::Register(body))]);
            let id = changes
                .map_err(BenchError::world("crowd"))?
                .new_bodies()
                .next();
            let id = id.ok_or_else(|| wrong("no body"))?;
            let heading = (rng.between(-99, 99), rng.between(1, 99));
            let sensor = Sensor {
                eye_height: Some(Fixed::from_raw(EYE)),
                ..Sensor::new(Mount::Body(id), cone(place, heading)?)
            };
            let sensor = crowd.world.add_sensor(sensor);
            crowd
                .sensors
                .push(sensor.map_err(BenchError::world("crowd"))?);
            crowd.ids.push(id);
            crowd.places.push(place);
            crowd.headings.push(heading);
        }
        Ok(crowd)
    }

    /// Moves and turns all agents a little; puts or removes a wall now and then.
    fn step(&mut self, plan: &CrowdPlan, rng: &mut Rng) -> Result<(), BenchError> {
        let wrong = BenchError::world("crowd");
        let low = 256 * (SIDE.cast_signed() - plan.side) / 2;
        let high = low + 256 * plan.side - 1;
        for (index, place) in self.places.iter_mut().enumerate() {
            let mut moved = |at: Fixed| {
                let by = rng.between(-40, 40);
                Fixed::from_raw((at.raw() + by).clamp(low, high))
            };
            *place = Point2::new(moved(place.x), moved(place.y));
            let heading = &mut self.headings[index];
            heading.0 = (heading.0 + rng.between(-5, 5)).clamp(-99, 99);
            let footprint = cone(*place, *heading)?;
            self.world
                .set_sensor_footprint(self.sensors[index], footprint)
                .map_err(BenchError::world("crowd"))?;
        }
        let moves = Edit::Body(BodyEdit::MoveAll(self.places.clone()));
        self.world
            .apply([moves])
            .map_err(BenchError::world("crowd"))?;
        if rng.chance(1, 3) {
            let last = SIDE.cast_signed() - 1;
            let cell = Cell::flat(rng.between(0, last), rng.between(0, last));
            let terrain = Terrain::GROUND;
            let edit = match self.world.ground().terrain(cell) {
                Some(_) => GroundEdit::RemoveCell { cell },
                None => GroundEdit::PutCell { cell, terrain },
            };
            self.world.apply([edit]).map_err(wrong)?;
        }
        Ok(())
    }

    /// Sensors whose members differ from brute force.
    fn n_wrong(&self) -> usize {
        let scale = self.world.scale();
        let sight = self.world.visibility();
        let mut contacts = Contacts::default();
        let mut is_wrong = |index: usize| {
            let (own, at) = (self.ids[index], self.places[index]);
            let Ok(footprint) = cone(at, self.headings[index]) else {
                return true;
            };
            let eye = scale.ground_position(at, Fixed::from_raw(EYE));
            let mut expected = self.ids.iter().copied().filter(|id| {
                let Ok(body) = self.world.bodies().body(*id) else {
                    return false;
                };
                *id != own
                    && footprint.overlaps(body.position, body.shape)
                    && [512, 256, 0].iter().any(|z| {
                        let to = scale.ground_position(body.position, Fixed::from_raw(*z));
                        sight.is_clear_past((eye, to), &[own, *id], &mut contacts)
                    })
            });
            let detected = self.world.detected_by(self.sensors[index]);
            !detected.eq(expected.by_ref())
        };
        (0..self.ids.len())
            .step_by(7)
            .filter(|index| is_wrong(*index))
            .count()
    }
}

fn cone(at: Point2, (x, y): (i32, i32)) -> Result<Footprint, BenchError> {
    let heading = Heading::new(x, y).map_err(BenchError::world("cone"))?;
    let radius = Fixed::from_raw(256 * RANGE);
    Ok(Footprint::wedge(at, radius, heading, 3.0_f64.sqrt() / 2.0))
}

impl Arguments {
    fn measure_crowd(&self, plan: &CrowdPlan, faults: &mut Faults) -> Result<CrowdRow, BenchError> {
        let timer = Timer::new();
        let mut rng = Rng::for_stream(self.seed, 81);
        let mut crowd = Crowd::new(plan, &mut rng)?;
        let mut events = Vec::new();
        let (mut times, mut n_events, mut n_members) = (Vec::new(), 0, 0);
        for tick in 0..self.ticks {
            crowd.step(plan, &mut rng)?;
            events.clear();
            let ((), ns) = timer.time(|| crowd.world.update_sensors(&mut events));
            times.push(ns / 1e6);
            n_events += events.len();
            let sensors = crowd.sensors.iter();
            n_members += sensors
                .map(|sensor| crowd.world.detected_by(*sensor).count())
                .sum::<usize>();
            if tick % CHECK_EVERY == 0 {
                for _ in 0..crowd.n_wrong() {
                    faults.push(format!("{}: tick {tick}", plan.name));
                }
            }
        }
        let first_ms = times[0];
        times.sort_by(f64::total_cmp);
        let ticks = f64::from(self.ticks);
        Ok(CrowdRow {
            crowd: plan.name,
            mean_ms: mean(&times).unwrap_or_default(),
            p99_ms: percentile(&times, 99).unwrap_or_default(),
            max_ms: times.last().copied().unwrap_or_default(),
            first_ms,
            members: n_members as f64 / ticks,
            events: n_events as f64 / ticks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_equal_brute_force() {
        let arguments = Arguments { ticks: 3, seed: 5 };
        let report = arguments.run(false, |_, _| ()).unwrap();
        assert_eq!(report.faults.wrong, 0);
        assert!(report.rows.iter().all(|row| row.members > 100.0));
    }
}
