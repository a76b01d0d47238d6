//! `wayfarer path`: the shortest way from one cell to another.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use wayfarer::base::{Budget, Cell, Outcome, Place, Refusal, SearchEvent, UnreachableProof};
use wayfarer::picture::{Mark, Picture};
use wayfarer::search::dense::{
    DenseMethod, DensePath, DenseRequest, DenseSearcher, explain, find_path_observed,
};

use crate::draw::{self, Wishes};
use crate::failure::{Answer, Failure};
use crate::flat::FlatGround;
use crate::load::{self, Reading};
use crate::output::{self, Json, Output};
use crate::place::{self, PlaceWish};
use crate::plain;
use crate::words;

/// Find the shortest way from one cell to another
///
/// Eight directions, a straight step costs 1, a diagonal the square root of 2 and needs both of
/// its straight neighbours open. Exit code 1 if there is no way.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer path caves.map --from 10,10 --to 110,60
  wayfarer path caves.map --from 10,10 --to 110,60 --expanded --png way.png
  wayfarer path caves.map --from 10,10 --to 110,60 --method dijkstra --json -")]
pub(crate) struct Path {
    /// The world: any format
    file: PathBuf,
    /// Where to start: x,y or x,y,z
    #[arg(long, value_name = "PLACE", value_parser = place::parse, allow_hyphen_values = true)]
    from: PlaceWish,
    /// Where to go: x,y or x,y,z
    #[arg(long, value_name = "PLACE", value_parser = place::parse, allow_hyphen_values = true)]
    to: PlaceWish,
    /// How to search; every method finds a shortest way
    #[arg(long, value_enum, default_value_t = Method::Astar)]
    method: Method,
    /// Cells to expand at most; the best way so far is the answer if that is too few
    #[arg(long, value_name = "CELLS", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Draw the way to FILE: .png, .svg or .txt
    #[arg(long, visible_alias = "picture", value_name = "FILE")]
    png: Option<PathBuf>,
    /// Draw which cells were expanded, too
    #[arg(long, requires = "png")]
    expanded: bool,
    /// Dots along the side of a cell; chosen to fit if not given
    #[arg(long, value_name = "DOTS", value_parser = clap::value_parser!(u32).range(1..=64), requires = "png")]
    zoom: Option<u32>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: Json,
}

/// The methods by their names.
#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// Towards the goal, by leaps over plain ground
    Plain,
    /// Towards the goal
    Astar,
    /// In all directions alike
    Dijkstra,
}

impl Method {
    const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Astar => "astar",
            Self::Dijkstra => "dijkstra",
        }
    }
}

#[derive(Serialize)]
struct Report {
    file: String,
    from: [i32; 3],
    to: [i32; 3],
    method: &'static str,
    found: bool,
    outcome: &'static str,
    length: Option<f64>,
    cost_units: Option<u32>,
    steps: Option<usize>,
    expansions: u64,
    /// If there is no path: the cell that, opened, would give the cheapest one, and its length.
    opener: Option<Opener>,
    path: Vec<[i32; 3]>,
}

/// What would open a way.
#[derive(Serialize)]
struct Opener {
    cell: [i32; 3],
    length: f64,
}

impl Path {
    pub(crate) fn run(&self) -> Result<Answer, Failure> {
        let files = self.png.iter().map(PathBuf::as_path);
        output::can_write(files.chain(self.json.file()))?;
        if let Some(png) = &self.png {
            draw::format_of(png)?;
        }
        let (_, world) = load::world(&self.file, &self.reading)?;
        let mut picture = world.picture();
        let flat = FlatGround::of(world, &self.file)?;
        let (outcome, events) = self.search(&flat)?;
        let (mut report, path) = self.report(&flat, &outcome, &events);
        if matches!(outcome, Outcome::Unreachable { .. }) {
            report.opener = self.opener(&flat)?;
        }

        let mut out = Output::default();
        self.speak(&mut out, &report);
        if let Some(png) = &self.png {
            self.draw(&mut picture, &flat, &events, path.as_deref(), &report);
            let wishes = Wishes {
                title: title(&report),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&picture, &wishes, png)?);
        }
        out.json(&self.json, "path", &report)?;
        out.finish()?;
        Ok(if report.found {
            Answer::Done
        } else {
            Answer::Negative
        })
    }

    fn request(&self, flat: &FlatGround) -> DenseRequest {
        let mut request = DenseRequest::new(flat.cell(self.from), flat.cell(self.to));
        request.method = match self.method {
            Method::Plain | Method::Astar => DenseMethod::AStar,
            Method::Dijkstra => DenseMethod::Dijkstra,
        };
        request.budget = self.budget.map_or(Budget::UNLIMITED, Budget::expansions);
        request
    }

    /// The one cell that would open the cheapest way, if a single cell is enough.
    fn opener(&self, flat: &FlatGround) -> Result<Option<Opener>, Failure> {
        let mut searcher = DenseSearcher::default();
        let why = explain(&flat.ground, &mut searcher, &self.request(flat))
            .map_err(|refusal| Failure::BadInput(self.refused(&refusal)))?;
        let step = why.cheapest_blocked.map(|step| (step.to, step.cost));
        Ok(match step {
            Some((Place::Cell(cell), cost)) => {
                let Cell { x, y, z } = flat.place(cell);
                Some(Opener {
                    cell: [x, y, z],
                    length: cost.to_cells(),
                })
            }
            _ => None,
        })
    }

    fn search(&self, flat: &FlatGround) -> Result<(Outcome<DensePath>, Vec<SearchEvent>), Failure> {
        let mut events = Vec::new();
        let request = self.request(flat);
        let outcome = if matches!(self.method, Method::Plain) {
            plain::Plain::new(&flat.ground).find(&request, &mut events)
        } else {
            let mut searcher = DenseSearcher::default();
            find_path_observed(&flat.ground, &mut searcher, &request, &mut events)
        };
        let outcome = outcome.map_err(|refusal| Failure::BadInput(self.refused(&refusal)))?;
        Ok((outcome, events))
    }

    /// The refusal in the words of the command line: places as they were given.
    fn refused(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::StartBlocked { because, .. } => {
                format!("--from {}: cannot be stood on: {because}", self.from)
            }
            Refusal::GoalBlocked { because, .. } => {
                format!("--to {}: cannot be stood on: {because}", self.to)
            }
            other => other.to_string(),
        }
    }

    fn report(
        &self,
        flat: &FlatGround,
        outcome: &Outcome<DensePath>,
        events: &[SearchEvent],
    ) -> (Report, Option<Vec<Cell>>) {
        let (outcome, path) = match outcome {
            Outcome::Found(path) => ("found", Some(path)),
            Outcome::Partial { best, .. } => ("partial", Some(best)),
            Outcome::OutOfBudget { best, .. } => ("out of budget", Some(best)),
            Outcome::Unreachable { proof, .. } => (
                match proof {
                    UnreachableProof::DifferentComponents => "different components",
                    _ => "search exhausted",
                },
                None,
            ),
        };
        let cells: Option<Vec<Cell>> =
            path.map(|path| path.cells.iter().map(|cell| flat.place(*cell)).collect());
        let triple = |cell: Cell| [cell.x, cell.y, cell.z];
        let ends = [self.from, self.to].map(|wish| triple(flat.place(flat.cell(wish))));
        let expanded = |event: &&SearchEvent| matches!(event, SearchEvent::Expanded { .. });
        let report = Report {
            file: self.file.display().to_string(),
            from: ends[0],
            to: ends[1],
            method: self.method.name(),
            found: outcome == "found",
            outcome,
            length: path.map(|path| path.cost.to_cells()),
            cost_units: path.map(|path| path.cost.units()),
            steps: path.map(|path| path.cells.len().saturating_sub(1)),
            expansions: events.iter().filter(expanded).count() as u64,
            opener: None,
            path: cells.iter().flatten().map(|cell| triple(*cell)).collect(),
        };
        (report, cells)
    }

    fn speak(&self, out: &mut Output, report: &Report) {
        let expanded = words::count(report.expansions);
        out.line(format!("from      {}", self.from));
        out.line(format!("to        {}", self.to));
        match (report.found, report.length, report.steps) {
            (true, Some(length), Some(steps)) => {
                let steps = words::count(steps as u64);
                out.line(format!("length    {length:.3} cells, {steps} steps"));
            }
            (false, Some(length), _) => {
                let outcome = report.outcome;
                out.line(format!(
                    "no path   {outcome}: the best so far is {length:.3} cells long"
                ));
            }
            _ => out.line(format!("no path   {}", report.outcome)),
        }
        if let Some(Opener { cell, length }) = &report.opener {
            let [x, y, _] = cell;
            out.line(format!(
                "opener    {x},{y}: if it were open, a way of {length:.3} cells"
            ));
        }
        out.line(format!("expanded  {expanded} cells by {}", report.method));
    }

    fn draw(
        &self,
        picture: &mut Picture,
        flat: &FlatGround,
        events: &[SearchEvent],
        path: Option<&[Cell]>,
        report: &Report,
    ) {
        if self.expanded {
            let expanded = events.iter().filter_map(|event| match event {
                SearchEvent::Expanded {
                    at: Place::Cell(cell),
                    ..
                } => Some(flat.place(*cell)),
                _ => None,
            });
            for (order, cell) in (0..).zip(expanded) {
                picture.add(Mark::Expanded { cell, order });
            }
        }
        if let Some(cells) = path {
            let cells = cells.to_vec();
            picture.add(Mark::Path { cells });
        }
        let [start, goal] = [report.from, report.to].map(|[x, y, z]| Cell::new(x, y, z));
        picture.add(Mark::Start(start)).add(Mark::Goal(goal));
    }
}

fn title(report: &Report) -> String {
    let name = std::path::Path::new(&report.file)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    match report.length {
        Some(length) if report.found => format!(
            "{name}   {length:.1} cells, {} expanded",
            words::count(report.expansions)
        ),
        _ => format!("{name}   no path: {}", report.outcome),
    }
}
