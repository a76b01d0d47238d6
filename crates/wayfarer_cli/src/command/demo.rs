//! `wayfarer demo`: a castle that changes, with agents in it; or one domain alone.

mod air;
mod bodies;
mod castle;
mod planar;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::{
    Cell, Cost, Fixed, GroundEdit, NoopObserver, PathStatus, Point2, Raster, SearchObserver, Shape,
};
use wayfarer_engine::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer_engine::picture::{Mark, Picture};
use wayfarer_engine::search::ground::{GroundPath, GroundRequest, Method, PathSearcher, status};

use crate::clock;
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::words;

/// Show what wayfarer does
///
/// Simulates two minutes in a castle: walkers, flyers, guards with sensors, doors that open and
/// close, walls that fall. Prints every operation with its times, and draws the castle floor by
/// floor. Or shows one domain alone.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer demo
  wayfarer demo castle --seed 12 -o castle.svg
  wayfarer demo ground
  wayfarer demo air
  wayfarer demo planar -o planar.png
  wayfarer demo bodies -o bodies.png")]
pub(crate) struct Demo {
    /// What to show
    #[arg(value_enum, default_value_t = Show::Castle)]
    show: Show,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Ticks of 1/30 s to simulate in the castle
    #[arg(long, value_name = "N", default_value_t = 3_600, value_parser = clap::value_parser!(u32).range(1..=108_000))]
    ticks: u32,
    /// Agents in the castle
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=2_000))]
    agents: u16,
    /// The picture to write: .png, .svg or .txt (not the castle); the state after the change goes
    /// beside it
    #[arg(short, long, value_name = "FILE", default_value = "out/demo.png")]
    output: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// Two minutes in a castle that changes
    #[value(alias = "keep")]
    Castle,
    /// A path through caves, and a rock that falls on it
    Ground,
    /// A flight through asteroids, and a rock that drifts onto it
    Air,
    /// A path between moving obstacles, and its repair
    #[value(alias = "field")]
    Planar,
    /// Guards, the footprints of their sensors, and the bodies they detect
    #[value(alias = "objects")]
    Bodies,
}

#[derive(Serialize)]
struct Report {
    seed: u64,
    width: u32,
    height: u32,
    walkable: usize,
    from: [i32; 2],
    to: [i32; 2],
    searches: Vec<Search>,
    rock: [i32; 2],
    broken_leg: Option<usize>,
    #[serde(rename = "length_round")]
    detour_length: Option<f64>,
    pictures: Vec<String>,
}

/// One search of the table.
#[derive(Serialize)]
struct Search {
    name: &'static str,
    length: f64,
    steps: usize,
    expansions: u64,
    microseconds: f64,
}

const WIDTH: u32 = 160;
const HEIGHT: u32 = 90;
/// Runs of each search; the best time is reported.
const RUNS: u32 = 9;

impl Demo {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        draw::format_of(&self.output)?;
        if self.output == Path::new("out/demo.png") {
            output::create_folder(Path::new("out"))?;
        }
        if self.show == Show::Castle {
            let arguments = crate::castle::Arguments {
                seed: self.seed,
                agents: self.agents.into(),
                ticks: self.ticks,
            };
            return castle::run(&arguments, &self.output, &self.json);
        }
        if self.show == Show::Air {
            return air::run(self.seed, &self.output, &self.json);
        }
        let after = beside(&self.output);
        let files = [self.output.as_path(), &after];
        output::can_write(files.into_iter().chain(self.json.file()))?;

        if self.show == Show::Planar {
            return planar::run(self.seed, files, &self.json);
        }
        if self.show == Show::Bodies {
            return bodies::run(self.seed, files, &self.json);
        }
        let map = self.map()?;
        let mut world = World::from_raster(&map);
        let (start, goal) = far_apart(&world).ok_or_else(|| fault("caves without a floor"))?;
        let mut searcher = PathSearcher::default();
        let mut events = Vec::new();
        let by = |method| GroundRequest {
            method,
            ..GroundRequest::new(start, goal)
        };
        let astar = by(Method::AStar);
        // Once with an observer, to draw and to warm up; then timed.
        search(&world, &mut searcher, &astar, &mut events)?;
        let (path, time) = timed(&world, &mut searcher, &astar)?;
        let mut searches = vec![Search::new("A*", &path, time)];
        for (name, method) in [("Dijkstra", Method::Dijkstra), ("bounded", Method::Bounded)] {
            let (path, time) = timed(&world, &mut searcher, &by(method))?;
            searches.push(Search::new(name, &path, time));
        }
        let before = Picture::from_raster(&map);

        let rock = worst_rock(&world, &astar, &path)?;
        let shape = drop_rock(&mut world, rock)?;
        let broken_leg = match status(world.ground(), world.ground_log(), &path) {
            PathStatus::Invalid { leg, .. } => Some(leg),
            _ => None,
        };
        searcher.sync(world.ground(), world.ground_log());
        let detour = timed(&world, &mut searcher, &astar).ok();
        if let Some((detour, time)) = &detour {
            searches.push(Search::new("A* after the rock", detour, *time));
        }

        let detour = detour.map(|(path, _)| path);
        let report = Report {
            seed: self.seed,
            width: WIDTH,
            height: HEIGHT,
            walkable: walkable(&before),
            from: [start.x, start.y],
            to: [goal.x, goal.y],
            searches,
            rock: [rock.x, rock.y],
            broken_leg,
            detour_length: detour.as_ref().map(|path| path.cost.to_cells()),
            pictures: files.map(|file| file.display().to_string()).to_vec(),
        };
        let mut out = Output::default();
        report.print(&mut out);
        let mut pictures = [before, Picture::from_ground(world.ground())];
        pictures[0].add_events(&events).add_path(&path.cells);
        pictures[1].add(Mark::Footprint { shape, z: 0 });
        pictures[1].add(Mark::Start(start)).add(Mark::Goal(goal));
        if let Some(detour) = detour {
            pictures[1].add_path(&detour.cells);
        }
        let titles = ["path through the caves", "detour around the rock"];
        for ((picture, title), file) in pictures.iter().zip(titles).zip(files) {
            let options = SceneOptions {
                title: format!("{title}, seed {}", self.seed),
                zoom: None,
            };
            out.file(file, draw::to_file(picture, &options, file)?);
        }
        out.json(&self.json, "demo/2", &report)?;
        out.finish()?;
        Ok(Verdict::Done)
    }

    fn map(&self) -> Result<Raster, Failure> {
        let recipe = Recipe::new(Generator::Caves, WIDTH, HEIGHT, self.seed);
        match make(&recipe).map_err(|error| fault(&error.to_string()))? {
            GeneratedWorld::Flat(map) => Ok(map),
            _ => Err(fault("caves that are not flat")),
        }
    }
}

impl Search {
    fn new(name: &'static str, path: &GroundPath, time: Duration) -> Self {
        Self {
            name,
            length: path.cost.to_cells(),
            steps: path.cells.len() - 1,
            expansions: path.expansions,
            microseconds: time.as_secs_f64() * 1e6,
        }
    }
}

impl Report {
    fn print(&self, out: &mut Output) {
        let walkable = words::count(self.walkable as u64);
        let ([from_x, from_y], [to_x, to_y]) = (self.from, self.to);
        out.line(format!(
            "Caves of {} x {} cells from seed {}, {walkable} of them walkable.\n\
             The path from {from_x},{from_y} to {to_x},{to_y}:\n",
            self.width, self.height, self.seed
        ));
        let names = ["method", "length", "steps", "expanded", "time"];
        let mut rows = vec![names.map(str::to_owned).to_vec()];
        rows.extend(self.searches.iter().map(|search| {
            vec![
                search.name.to_owned(),
                format!("{:.3}", search.length),
                words::count(search.steps as u64),
                words::count(search.expansions),
                format!("{:.0} us", search.microseconds),
            ]
        }));
        out.line(words::table(&rows));
        let [x, y] = self.rock;
        let leg = self.broken_leg.unwrap_or_default();
        out.line(format!(
            "A rock falls at {x},{y}: the path is invalid from leg {leg} on, found without a search."
        ));
        match self.detour_length {
            Some(length) => out.line(format!("The detour is {length:.3} cells long.\n")),
            None => out.line("There is no detour.\n"),
        }
        for picture in &self.pictures {
            out.line(format!("picture: {picture}"));
        }
    }
}

fn search(
    world: &World,
    searcher: &mut PathSearcher,
    request: &GroundRequest,
    observer: &mut impl SearchObserver,
) -> Result<GroundPath, Failure> {
    let outcome = searcher.find_observed(world.ground(), request, observer);
    let outcome = outcome.map_err(|error| fault(&error.to_string()))?;
    outcome
        .found()
        .ok_or_else(|| fault("no path through the caves"))
}

/// The path, and the best time of several runs.
fn timed(
    world: &World,
    searcher: &mut PathSearcher,
    request: &GroundRequest,
) -> Result<(GroundPath, Duration), Failure> {
    let mut run = || clock::timed(|| search(world, searcher, request, &mut NoopObserver));
    let (path, mut best) = run();
    for _ in 1..RUNS {
        best = best.min(run().1);
    }
    Ok((path?, best))
}

/// The walkable cells nearest to the north-west and south-east corners, of one component.
fn far_apart(world: &World) -> Option<(Cell, Cell)> {
    let ground = world.ground();
    let cells = || ground.nodes().map(|node| ground.cell(node));
    let start = cells().min_by_key(|cell| (cell.x + cell.y, *cell))?;
    let reached = cells().filter(|cell| world.is_connected(start, *cell) == Some(true));
    let goal = reached.max_by_key(|cell| (cell.x + cell.y, *cell))?;
    Some((start, goal))
}

/// The cell of the path where a rock costs most, if there is a detour.
fn worst_rock(world: &World, request: &GroundRequest, path: &GroundPath) -> Result<Cell, Failure> {
    let steps = path.cells.len();
    let candidates = (2..15).map(|part| path.cells[steps * part / 16]);
    let mut worst = (Cost::ZERO, path.cells[steps / 2]);
    for cell in candidates {
        let mut blocked = world.clone();
        drop_rock(&mut blocked, cell)?;
        let mut searcher = PathSearcher::default();
        if let Ok(detour) = search(&blocked, &mut searcher, request, &mut NoopObserver) {
            worst = worst.max((detour.cost, cell));
        }
    }
    Ok(worst.1)
}

/// Removes the floor under a rock at `cell`; returns its shape.
fn drop_rock(world: &mut World, cell: Cell) -> Result<Shape, Failure> {
    let shape = Shape::Circle {
        center: Point2::center_of(cell.column()).ok_or_else(|| fault("a rock outside"))?,
        radius: Fixed::from_raw(3 * Fixed::UNITS_PER_CELL),
    };
    let edit = GroundEdit::Clear {
        shape: shape.clone(),
        heights: (0, 0),
    };
    let applied = world.apply(&[edit]);
    applied.map_err(|error| fault(&error.to_string()))?;
    Ok(shape)
}

fn walkable(picture: &Picture) -> usize {
    let cells = picture.marks().iter().map(|mark| match mark {
        Mark::Ground { length, .. } => *length as usize,
        _ => 0,
    });
    cells.sum()
}

/// `demo.png` becomes `demo-after.png`.
fn beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-after.{end}"))
}

fn fault(what: &str) -> Failure {
    Failure::OurFault(what.to_owned())
}
