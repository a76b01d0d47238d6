//! `wayfarer demo air`: flights through asteroids, a rock that drifts onto one, and its repair.

use std::path::Path;

use serde::Serialize;
use wayfarer_engine::base::{
    ChangeLog, Fixed, Location, NoopObserver, Outcome, PathStatus, Point3, SearchEvent,
    SearchObserver, Voxel,
};
use wayfarer_engine::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer_engine::picture::{Axis, Mark, Picture};
use wayfarer_engine::search::air::{
    AirLog, FlightMethod, FlightPath, FlightRequest, FlightSearcher, OctreeParams, status,
};
use wayfarer_engine::world::air::{Air, AirBuilder, AirEdit, Geometry, GeometryId};

use super::{RUNS, beside, fault};
use crate::clock;
use crate::command::path::flight::line;
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::words;

const WIDTH: u32 = 192;
const HEIGHT: u32 = 108;
const DEPTH: u32 = 96;

#[derive(Serialize)]
struct Report {
    seed: u64,
    size: [u32; 3],
    solid: u64,
    from: [i32; 3],
    to: [i32; 3],
    searches: Vec<Search>,
    rock: [i32; 3],
    broken_leg: Option<usize>,
    legs_kept: Option<usize>,
    #[serde(rename = "length_round")]
    repaired_length: Option<f64>,
    pictures: Vec<String>,
}

/// One search of the table.
#[derive(Serialize)]
struct Search {
    name: &'static str,
    length: f64,
    legs: usize,
    expansions: u64,
    microseconds: f64,
}

/// Finds flights; draws one to `file`, and the repaired one beside it.
pub(super) fn run(seed: u64, file: &Path, json: &Json) -> Result<Verdict, Failure> {
    let after = beside(file);
    let files = [file, &after];
    output::can_write(files.into_iter().chain(json.file()))?;
    let mut air = asteroids(seed)?;
    let (from, to) = ends(&air).ok_or_else(|| fault("no free voxels at the corners"))?;
    let mut searcher = FlightSearcher::default();
    let mut searches = Vec::new();
    for (name, params) in OctreeParams::PRESETS {
        let method = FlightMethod::Octree(params);
        searches.push(timed(&air, &mut searcher, name, &request((from, to), method))?.0);
    }
    let voxel_astar = request((from, to), FlightMethod::VoxelAStar);
    let row = timed(&air, &mut searcher, "voxel-astar", &voxel_astar)?.0;
    searches.push(row);
    let balanced = request((from, to), FlightMethod::Octree(OctreeParams::BALANCED));
    let mut events: Vec<SearchEvent> = Vec::new();
    let path = search(&air, &mut searcher, &balanced, &mut events)?;
    let mut before = projection(&air)?;
    draw_flight(&mut before, &air, &path, &events);

    let rock = center_of(&path).ok_or_else(|| fault("a flight without waypoints"))?;
    let mut log: AirLog = ChangeLog::new(1);
    let part = |at: i32| Fixed::from_cell(at).unwrap_or_default();
    let center = Point3 {
        x: part(rock.x),
        y: part(rock.y),
        z: part(rock.z),
    };
    let drifts = AirEdit::Put {
        id: GeometryId(1),
        geometry: Geometry::Ball {
            center,
            radius: Fixed::from_raw(9 * 256),
        },
    };
    log.push(
        air.apply(&[drifts])
            .map_err(|error| fault(&error.to_string()))?,
    );
    let broken_leg = match status(&air, &log, &path) {
        PathStatus::Invalid { leg, .. } => Some(leg),
        _ => None,
    };
    let repaired = searcher.repair(&air, &balanced, &path);
    let repaired = repaired.map_err(|error| fault(&error.to_string()))?.found();
    let mut after_rock = projection(&air)?;
    if let Some(repaired) = &repaired {
        draw_flight(&mut after_rock, &air, &repaired.path, &[]);
    }
    let triple = |at: Voxel| [at.x, at.y, at.z];
    let report = Report {
        seed,
        size: air.size(),
        solid: air.n_solid(),
        from: triple(from),
        to: triple(to),
        searches,
        rock: triple(rock),
        broken_leg,
        legs_kept: repaired.as_ref().map(|repaired| repaired.n_kept),
        repaired_length: repaired.as_ref().map(|repaired| repaired.path.length()),
        pictures: files.map(|file| file.display().to_string()).to_vec(),
    };
    let mut out = Output::default();
    report.print(&mut out);
    let titles = [
        "flight through the asteroids",
        "repaired flight around the rock",
    ];
    for ((picture, title), file) in [before, after_rock].iter().zip(titles).zip(files) {
        let options = SceneOptions {
            title: format!("{title}, seed {seed}, from above"),
            zoom: None,
        };
        out.file(file, draw::to_file(picture, &options, file)?);
    }
    out.json(json, "demo/2", &report)?;
    out.finish()?;
    Ok(Verdict::Done)
}

fn asteroids(seed: u64) -> Result<Air, Failure> {
    let recipe = Recipe {
        depth: DEPTH,
        obstacles: Some(12),
        ..Recipe::new(Generator::Asteroids, WIDTH, HEIGHT, seed)
    };
    let made = make(&recipe).map_err(|error| fault(&error.to_string()))?;
    let GeneratedWorld::Voxels(voxels) = made else {
        return Err(fault("asteroids that are not voxels"));
    };
    let air = AirBuilder::from_set(&voxels).and_then(AirBuilder::build);
    air.map_err(|error| fault(&error.to_string()))
}

/// Connected free voxels near two opposite corners.
fn ends(air: &Air) -> Option<(Voxel, Voxel)> {
    let from = air.nearest_free(air.low(), 40)?;
    let to = air.nearest_free(air.high(), 40)?;
    air.is_connected(from, to).then_some((from, to))
}

fn request((from, to): (Voxel, Voxel), method: FlightMethod) -> FlightRequest {
    FlightRequest {
        method,
        ..FlightRequest::new(from, to)
    }
}

fn search(
    air: &Air,
    searcher: &mut FlightSearcher,
    request: &FlightRequest,
    observer: &mut impl SearchObserver,
) -> Result<FlightPath, Failure> {
    match searcher.find_observed(air, request, observer) {
        Ok(Outcome::Found(path)) => Ok(path),
        Ok(_) => Err(fault("no path through the asteroids")),
        Err(error) => Err(fault(&error.to_string())),
    }
}

/// A row of the table, with the best time of several runs, and the flight.
fn timed(
    air: &Air,
    searcher: &mut FlightSearcher,
    name: &'static str,
    request: &FlightRequest,
) -> Result<(Search, FlightPath), Failure> {
    let (path, mut best) = clock::timed(|| search(air, searcher, request, &mut NoopObserver));
    let path = path?;
    // Slow searches are timed once.
    let runs = if best.as_millis() > 20 { 1 } else { RUNS };
    for _ in 1..runs {
        let (again, time) = clock::timed(|| search(air, searcher, request, &mut NoopObserver));
        searcher.recycle(again?);
        best = best.min(time);
    }
    let row = Search {
        name,
        length: path.length(),
        legs: path.n_legs(),
        expansions: path.expansions,
        microseconds: best.as_secs_f64() * 1e6,
    };
    Ok((row, path))
}

/// The voxel halfway along a flight.
fn center_of(path: &FlightPath) -> Option<Voxel> {
    let voxels: Vec<Voxel> = path
        .waypoints
        .windows(2)
        .flat_map(|leg| line(leg[0], leg[1]))
        .collect();
    voxels.get(voxels.len() / 2).copied()
}

fn projection(air: &Air) -> Result<Picture, Failure> {
    Picture::from_air_projection(air, Axis::Z)
        .ok_or_else(|| fault("asteroids too wide for a picture"))
}

/// Draws a flight and its expansions from above.
fn draw_flight(picture: &mut Picture, air: &Air, path: &FlightPath, events: &[SearchEvent]) {
    let z = air.high().z;
    let flat = |at: Voxel| wayfarer_engine::base::Cell::new(at.x, at.y, z);
    let expanded = events.iter().filter_map(|event| match event {
        SearchEvent::Expanded {
            at: Location::Voxel(at),
            ..
        } => Some(*at),
        _ => None,
    });
    for (order, at) in (0..).zip(expanded) {
        picture.add(Mark::Expanded {
            cell: flat(at),
            order,
        });
    }
    let cells = path
        .waypoints
        .windows(2)
        .flat_map(|leg| line(leg[0], leg[1]));
    let mut cells: Vec<_> = path.start().into_iter().chain(cells).map(flat).collect();
    cells.dedup();
    picture.add(Mark::Path { cells });
    if let (Some(start), Some(end)) = (path.start(), path.end()) {
        picture
            .add(Mark::Start(flat(start)))
            .add(Mark::Goal(flat(end)));
    }
}

impl Report {
    fn print(&self, out: &mut Output) {
        let [width, height, depth] = self.size;
        let show = |[x, y, z]: [i32; 3]| format!("{x},{y},{z}");
        out.line(format!(
            "Asteroids in {width} x {height} x {depth} voxels from seed {}, {} of them rock.\n\
             The flight from {} to {}:\n",
            self.seed,
            words::count(self.solid),
            show(self.from),
            show(self.to),
        ));
        let names = ["preset", "length", "legs", "expanded", "time"];
        let mut rows = vec![names.map(str::to_owned).to_vec()];
        rows.extend(self.searches.iter().map(|search| {
            vec![
                search.name.to_owned(),
                format!("{:.3}", search.length),
                words::count(search.legs as u64),
                words::count(search.expansions),
                format!("{:.0} us", search.microseconds),
            ]
        }));
        out.line(words::table(&rows));
        out.line(format!(
            "A rock drifts to {}: the balanced flight is invalid from leg {} on, found without a search.",
            show(self.rock),
            self.broken_leg.unwrap_or_default(),
        ));
        match (self.repaired_length, self.legs_kept) {
            (Some(length), Some(kept)) => out.line(format!(
                "The repaired flight is {length:.3} voxels long; {kept} legs are kept.\n"
            )),
            _ => out.line("There is no detour.\n"),
        }
        for picture in &self.pictures {
            out.line(format!("picture: {picture}"));
        }
    }
}
