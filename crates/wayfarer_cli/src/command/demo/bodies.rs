//! `wayfarer demo bodies`: six guards in a village, the footprints of their sensors, and the bodies
//! they detect.

use std::path::Path;

use serde::Serialize;
use wayfarer_engine::base::{Column, Fixed, Point2, Rect, Rng, Terrain};
use wayfarer_engine::picture::{Mark, Picture, Role};
use wayfarer_engine::search::sight::{FieldOfView, OpacityGrid};
use wayfarer_engine::world::bodies::{
    Body, BodyFilter, BodyId, BodySet, ConvexPolygon, Footprint, Heading, Mount, QueryHits, Sensor,
    SensorEventKind, SensorId, Sensors, ShapeError,
};

use crate::clock;
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::output::{Json, Output};
use crate::words;

const WIDTH: i32 = 140;
const HEIGHT: i32 = 92;
/// Side of a grid bin, in cells.
const BIN: i32 = 4;
/// Radius of the fields of view, in cells.
const RADIUS: i32 = 20;
const N_VILLAGERS: usize = 400;
const N_HOUSES: usize = 60;
const TICKS: u32 = 12;

#[derive(Serialize)]
struct Report {
    seed: u64,
    width: i32,
    height: i32,
    #[serde(rename = "objects")]
    bodies: usize,
    sensors: Vec<SensorRow>,
    ticks: Vec<Tick>,
    pictures: Vec<String>,
}

/// The footprint of one sensor at the end.
#[derive(Serialize)]
struct SensorRow {
    name: &'static str,
    #[serde(rename = "squares_inside")]
    bins_inside: usize,
    #[serde(rename = "squares_in_part")]
    bins_in_part: usize,
    tests: u64,
    skips: u64,
    in_range: usize,
    in_sight: usize,
}

/// The work of all sensors in a tick.
#[derive(Serialize)]
struct Tick {
    tick: u32,
    brute: usize,
    tests: u64,
    skips: u64,
    lines_of_sight: u64,
    members: usize,
    entered: usize,
    left: usize,
    microseconds: f64,
}

/// The village: opaque houses, bodies, guards.
struct Village {
    opacity: OpacityGrid,
    bodies: BodySet,
    positions: Vec<Point2>,
    velocities: Vec<(i32, i32)>,
    guards: Vec<Guard>,
    sensors: Sensors,
}

struct Guard {
    name: &'static str,
    body: BodyId,
    sensor: SensorId,
}

/// Draws the bins of footprints to `files[0]`, and the detected bodies to `files[1]`.
pub(super) fn run(seed: u64, files: [&Path; 2], json: &Json) -> Result<Verdict, Failure> {
    let mut village = Village::new(&mut Rng::new(seed))?;
    let mut ticks = Vec::new();
    for tick in 1..=TICKS {
        ticks.push(village.tick(tick)?);
    }
    let mut pictures = [village.ground(), village.ground()];
    let mut rows = Vec::new();
    let mut roles = [
        vec![Role::Other; village.positions.len()],
        vec![Role::Other; village.positions.len()],
    ];
    let mut found = QueryHits::default();
    for guard in &village.guards {
        rows.push(village.draw_sensor(guard, &mut pictures, &mut roles, &mut found)?);
    }
    for guard in &village.guards {
        let index = guard.body.index() as usize;
        for roles in &mut roles {
            roles[index] = Role::QueryOrigin;
        }
    }
    for (picture, roles) in pictures.iter_mut().zip(&roles) {
        for (index, role) in (0..).zip(roles) {
            if let Some(id) = village.bodies.id_at(index) {
                picture.add_body(&village.bodies, id, *role);
            }
        }
        for (guard, row) in village.guards.iter().zip(&rows) {
            let column = village.positions[guard.body.index() as usize].column();
            picture.add(Mark::Label {
                at: column.at(0),
                text: row.name.to_owned(),
            });
        }
    }
    let report = Report {
        seed,
        width: WIDTH,
        height: HEIGHT,
        bodies: village.bodies.len(),
        sensors: rows,
        ticks,
        pictures: files.map(|file| file.display().to_string()).to_vec(),
    };
    let mut out = Output::default();
    report.print(&mut out);
    let titles = [
        "grid bins of 4 cells that footprints cover",
        "bodies that six guards detect",
    ];
    for ((picture, title), file) in pictures.iter().zip(titles).zip(files) {
        let options = SceneOptions {
            title: format!("{title}, seed {seed}"),
            zoom: None,
        };
        out.file(file, draw::to_file(picture, &options, file)?);
    }
    out.json(json, "demo/2", &report)?;
    out.finish()?;
    Ok(Verdict::Done)
}

impl Village {
    fn new(rng: &mut Rng) -> Result<Self, Failure> {
        let posts: Vec<Column> = [(23, 23), (69, 23), (115, 23), (23, 69), (69, 69), (115, 69)]
            .map(|(x, y)| Column::new(x, y))
            .to_vec();
        let opacity = build(rng, &posts);
        let mut village = Self {
            opacity,
            bodies: BodySet::new(cells(BIN)),
            positions: Vec::new(),
            velocities: Vec::new(),
            guards: Vec::new(),
            sensors: Sensors::default(),
        };
        for (post, (name, footprint)) in posts.iter().zip(footprints().map_err(shape_fault)?) {
            let body = village.add_body(*post, (70, 0))?;
            let sensor = Sensor {
                eye_height: Some(Fixed::from_raw(0)),
                ..Sensor::new(Mount::Body(body), footprint)
            };
            let sensor = village.sensors.add(sensor).map_err(shape_fault)?;
            village.guards.push(Guard { name, body, sensor });
        }
        while village.positions.len() < N_VILLAGERS {
            let column = Column::new(rng.between(0, WIDTH - 1), rng.between(0, HEIGHT - 1));
            let velocity = (rng.between(-130, 130), rng.between(-130, 130));
            if !village.opacity.is_opaque(column) {
                village.add_body(column, velocity)?;
            }
        }
        village.bodies.begin_tick();
        Ok(village)
    }

    fn add_body(&mut self, column: Column, velocity: (i32, i32)) -> Result<BodyId, Failure> {
        let position =
            Point2::center_of(column).ok_or_else(|| fault("a position outside the world"))?;
        self.positions.push(position);
        self.velocities.push(velocity);
        self.bodies
            .register(&Body::at(position))
            .map_err(shape_fault)
    }

    /// Moves every body, which turns back at a wall; then updates every sensor.
    fn tick(&mut self, tick: u32) -> Result<Tick, Failure> {
        for (number, (position, velocity)) in self
            .positions
            .iter_mut()
            .zip(&mut self.velocities)
            .enumerate()
        {
            let part = |at: Fixed, by: i32| Fixed::from_raw(at.raw() + by);
            let to = Point2::new(part(position.x, velocity.0), part(position.y, velocity.1));
            // Guards patrol back and forth, so that they stay apart.
            let is_turning = number < self.guards.len() && tick.is_multiple_of(4);
            if is_turning || self.opacity.is_opaque(to.column()) {
                *velocity = (-velocity.0, -velocity.1);
            } else {
                *position = to;
            }
        }
        let (opacity, mut n_lines, mut events) = (&self.opacity, 0, Vec::new());
        let (bodies, sensors, positions) = (&mut self.bodies, &mut self.sensors, &self.positions);
        let (moved, time) = clock::timed(|| {
            let moved = bodies.move_all(positions);
            let has_line_of_sight = |query: &wayfarer_engine::world::bodies::SightQuery| {
                n_lines += 1;
                opacity.has_line_of_sight(query.from.column(), query.to.column())
            };
            sensors.update(bodies, has_line_of_sight, &mut events);
            moved
        });
        moved.map_err(|error| fault(&error.to_string()))?;
        let n_reported =
            |change: SensorEventKind| events.iter().filter(|events| events.kind == change).count();
        let members = self.guards.iter();
        let members = members.map(|guard| self.sensors.detected(guard.sensor).count());
        Ok(Tick {
            tick,
            brute: self.guards.len() * (self.positions.len() - 1),
            tests: self.sensors.stats.tests,
            skips: self.sensors.stats.skips,
            lines_of_sight: n_lines,
            members: members.sum(),
            entered: n_reported(SensorEventKind::Enter),
            left: n_reported(SensorEventKind::Leave),
            microseconds: time.as_secs_f64() * 1e6,
        })
    }

    fn ground(&self) -> Picture {
        let clear = self.opacity.rect().columns();
        let clear = clear.filter(|column| !self.opacity.is_opaque(*column));
        let mut picture = Picture::default();
        picture.add_ground(clear.map(|column| (column.at(0), Terrain::GROUND)));
        picture
    }

    /// Draws the footprint of a guard's sensor into both pictures, and counts it.
    fn draw_sensor(
        &self,
        guard: &Guard,
        pictures: &mut [Picture; 2],
        roles: &mut [Vec<Role>; 2],
        found: &mut QueryHits,
    ) -> Result<SensorRow, Failure> {
        let position = self.positions[guard.body.index() as usize];
        let sensor = self.sensors.sensor(guard.sensor);
        let sensor = sensor.ok_or_else(|| fault("a sensor that is gone"))?;
        let footprint = sensor.footprint.translated_to(position);
        let [bins, views] = pictures;
        let n_marks = bins.marks().len();
        bins.add_footprint(&self.bodies, &footprint)
            .map_err(shape_fault)?;
        let count = |wanted: bool| {
            let marks = bins.marks()[n_marks..].iter();
            let is_it = |mark: &&Mark| matches!(mark, Mark::GridBin { is_inside, .. } if *is_inside == wanted);
            marks.filter(is_it).count()
        };
        let (bins_inside, bins_in_part) = (count(true), count(false));
        let edges: Vec<Mark> = bins.marks()[n_marks..]
            .iter()
            .filter(|mark| matches!(mark, Mark::Outline { .. }))
            .cloned()
            .collect();
        let mut fov = FieldOfView::default();
        fov.compute(&self.opacity, position.column(), RADIUS);
        views.add_field_of_view(&fov, 0);
        for edge in edges {
            views.add(edge);
        }
        let filter = BodyFilter::all_except(guard.body);
        self.bodies
            .find(&footprint, &filter, found)
            .map_err(shape_fault)?;
        for &index in found.indices() {
            roles[0][index as usize] = Role::Found;
            let other = &mut roles[1][index as usize];
            if *other == Role::Other {
                *other = Role::Hidden;
            }
        }
        let mut in_sight = 0;
        for id in self.sensors.detected(guard.sensor) {
            roles[1][id.index() as usize] = Role::Found;
            in_sight += 1;
        }
        Ok(SensorRow {
            name: guard.name,
            bins_inside,
            bins_in_part,
            tests: found.stats.tests,
            skips: found.stats.skips,
            in_range: found.len(),
            in_sight,
        })
    }
}

/// One footprint of each shape, at the origin.
fn footprints() -> Result<[(&'static str, Footprint); 6], ShapeError> {
    let origin = Point2::default();
    let at = |x: i32, y: i32| Point2::new(cells(x), cells(y));
    let radius = cells(18);
    Ok([
        ("circle", Footprint::circle(origin, radius)),
        (
            "ring",
            Footprint::Ring {
                center: origin,
                inner: cells(9),
                outer: radius,
            },
        ),
        (
            "capsule",
            Footprint::Capsule {
                from: origin,
                to: at(-10, 9),
                radius: cells(6),
            },
        ),
        (
            // 90 degrees: the cosine of 45 is the root of a half.
            "wedge",
            Footprint::wedge(origin, cells(19), Heading::new(2, -1)?, 0.5_f64.sqrt()),
        ),
        (
            "turned box",
            Footprint::OrientedBox {
                center: origin,
                heading: Heading::new(3, 1)?,
                half_along: cells(17),
                half_across: cells(8),
            },
        ),
        (
            "polygon",
            Footprint::Polygon(ConvexPolygon::new(&[
                origin,
                at(11, -15),
                at(19, -5),
                at(16, 10),
                at(4, 18),
            ])?),
        ),
    ])
}

/// Houses with a door each; the posts of the guards stay free.
fn build(rng: &mut Rng, posts: &[Column]) -> OpacityGrid {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(WIDTH - 1, HEIGHT - 1),
    };
    let mut opacity = OpacityGrid::open(rect);
    for _ in 0..N_HOUSES {
        let (width, height) = (rng.between(5, 10), rng.between(5, 8));
        let x = rng.between(1, WIDTH - width - 2);
        let y = rng.between(1, HEIGHT - height - 2);
        let is_near = |post: &Column| {
            (x - 4..=x + width + 3).contains(&post.x) && (y - 4..=y + height + 3).contains(&post.y)
        };
        // A street's width between houses.
        let around = Rect::around(
            Column::new(x - 2, y - 2),
            Column::new(x + width + 1, y + height + 1),
        );
        let is_built = around
            .columns()
            .any(|at| rect.contains(at) && opacity.is_opaque(at));
        if is_built || posts.iter().any(is_near) {
            continue;
        }
        let door = rng.between(1, width - 3);
        let is_north = rng.chance(1, 2);
        for column in Rect::around(
            Column::new(x, y),
            Column::new(x + width - 1, y + height - 1),
        )
        .columns()
        {
            let (over, down) = (column.x - x, column.y - y);
            let is_edge = over == 0 || down == 0 || over == width - 1 || down == height - 1;
            let on_door_side = if is_north {
                down == 0
            } else {
                down == height - 1
            };
            let is_door = on_door_side && (door..door + 2).contains(&over);
            opacity.set_opaque(column, is_edge && !is_door);
        }
    }
    opacity
}

fn cells(n: i32) -> Fixed {
    Fixed::from_raw(n * Fixed::UNITS_PER_CELL)
}

impl Report {
    fn print(&self, out: &mut Output) {
        out.line(format!(
            "A village of {} x {} cells from seed {} with {} moving bodies; six of them are guards, \
             each with a sensor.\n",
            self.width, self.height, self.seed, self.bodies
        ));
        let names = [
            "tick",
            "brute",
            "tests",
            "skipped",
            "lines of sight",
            "detected",
            "entered",
            "left",
            "time",
        ];
        let mut rows = vec![names.map(str::to_owned).to_vec()];
        rows.extend(self.ticks.iter().map(|tick| {
            vec![
                tick.tick.to_string(),
                words::count(tick.brute as u64),
                words::count(tick.tests),
                words::count(tick.skips),
                words::count(tick.lines_of_sight),
                words::count(tick.members as u64),
                words::count(tick.entered as u64),
                words::count(tick.left as u64),
                format!("{:.0} us", tick.microseconds),
            ]
        }));
        out.line(words::table(&rows));
        out.line(
            "brute: tests of every guard against every body; tests: bodies tested exactly; skipped: \
             bodies in bins that lie inside, taken without a test.\n",
        );
        let names = [
            "sensor",
            "bins inside",
            "in part",
            "tests",
            "skipped",
            "in range",
            "in sight",
        ];
        let mut rows = vec![names.map(str::to_owned).to_vec()];
        rows.extend(self.sensors.iter().map(|row| {
            vec![
                row.name.to_owned(),
                words::count(row.bins_inside as u64),
                words::count(row.bins_in_part as u64),
                words::count(row.tests),
                words::count(row.skips),
                words::count(row.in_range as u64),
                words::count(row.in_sight as u64),
            ]
        }));
        out.line(words::table(&rows));
        for picture in &self.pictures {
            out.line(format!("picture: {picture}"));
        }
    }
}

fn shape_fault(error: ShapeError) -> Failure {
    fault(&error.to_string())
}

fn fault(what: &str) -> Failure {
    Failure::OurFault(what.to_owned())
}
