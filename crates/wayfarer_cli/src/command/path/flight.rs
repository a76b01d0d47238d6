//! `wayfarer path` through the air.

use std::path::Path;

use clap::Args;
use serde::Serialize;
use wayfarer_engine::base::{
    Budget, Cell, Fixed, Location, Outcome, RequestError, SearchEvent, Voxel,
};
use wayfarer_engine::picture::{Mark, Picture};
use wayfarer_engine::search::air::{FlightPath, FlightRequest, FlightSearcher};
use wayfarer_engine::world::air::Air;

use crate::failure::Failure;
use crate::load::Loaded;
use crate::location::LocationArg;
use crate::output::Output;
use crate::preset::Preset;
use crate::words;

/// Options of flights.
#[derive(Args)]
#[command(next_help_heading = "Flights")]
pub(super) struct Flying {
    /// Fly in a world that has ground
    #[arg(long)]
    fly: bool,
    /// Search method; balanced if not given
    #[arg(long, value_name = "NAME", value_enum)]
    preset: Option<Preset>,
}

impl Flying {
    /// True if the path is a flight.
    pub(super) fn is_flight(&self, world: &Loaded) -> bool {
        self.fly || matches!(world, Loaded::Voxels(_))
    }

    pub(super) fn preset(&self) -> Preset {
        self.preset.unwrap_or_default()
    }

    /// An error if a preset was given for a path on the ground.
    pub(super) fn check(&self, file: &Path) -> Result<(), Failure> {
        if self.preset.is_none() {
            return Ok(());
        }
        let reason = "--preset is for flights only; give --fly to fly";
        Err(Failure::for_file(file, reason))
    }
}

/// A request for a flight.
pub(crate) struct FlightOptions<'a> {
    pub(crate) file: &'a Path,
    pub(crate) from: LocationArg,
    pub(crate) to: LocationArg,
    pub(crate) preset: Preset,
    pub(crate) radius: Fixed,
    pub(crate) budget: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct Report {
    file: String,
    from: [i32; 3],
    to: [i32; 3],
    preset: &'static str,
    radius: f64,
    pub(crate) found: bool,
    outcome: &'static str,
    length: Option<f64>,
    cost_units: Option<u32>,
    /// Length before string pulling.
    raw_length: Option<f64>,
    legs: Option<usize>,
    expansions: u64,
    /// Expansions of voxels, of leaves, and of nodes of 8, 16, 32 and more voxels a side.
    expansions_by_layer: Vec<u32>,
    /// If the goal is unreachable: the solid voxel that, opened, would give the shortest flight.
    cheapest_blocked_step: Option<[i32; 3]>,
    waypoints: Vec<[i32; 3]>,
}

impl Report {
    /// A summary for the title of a picture.
    pub(crate) fn summary(&self) -> String {
        let expanded = words::count(self.expansions);
        match self.length {
            Some(length) if self.found => format!(
                ", {length:.1} voxels by {}, {expanded} expanded",
                self.preset
            ),
            _ => format!(
                ", no flight: {}, {expanded} expanded by {}",
                self.outcome, self.preset
            ),
        }
    }
}

/// The result of a search for a flight.
pub(crate) struct Flight {
    pub(crate) report: Report,
    path: Option<FlightPath>,
    pub(crate) expanded: Vec<Voxel>,
}

/// Finds a flight.
pub(crate) fn find(air: &Air, options: &FlightOptions<'_>) -> Result<Flight, Failure> {
    let voxel = |option: &str, at: LocationArg| match at.z {
        Some(z) => Ok(Voxel::new(at.x, at.y, z)),
        None => {
            let reason = format!("{option} {at}: expected x,y,z for a flight");
            Err(Failure::BadInput(reason))
        }
    };
    let request = FlightRequest {
        method: options.preset.method(),
        radius: options.radius,
        budget: options.budget.map_or(Budget::UNLIMITED, Budget::expansions),
        ..FlightRequest::new(voxel("--from", options.from)?, voxel("--to", options.to)?)
    };
    let mut searcher = FlightSearcher::default();
    let mut events: Vec<SearchEvent> = Vec::new();
    let result = searcher.find_observed(air, &request, &mut events);
    let result = result.map_err(|error| Failure::BadInput(request_error(options, &error)))?;
    let (stats, layers) = (searcher.stats(), searcher.expansions_by_layer());
    let mut cheapest_blocked_step = None;
    let (outcome, path) = match result {
        Outcome::Found(path) => ("found", Some(path)),
        Outcome::Partial { best, .. } => ("partial", Some(best)),
        Outcome::OutOfBudget { best, .. } => ("out of budget", Some(best)),
        Outcome::Unreachable { .. } => {
            let explanation = searcher.explain(air, &request).ok();
            let step = explanation.and_then(|explanation| explanation.cheapest_blocked);
            cheapest_blocked_step = step.and_then(|step| match step.to {
                Location::Voxel(at) => Some([at.x, at.y, at.z]),
                _ => None,
            });
            ("unreachable", None)
        }
    };
    let triple = |at: Voxel| [at.x, at.y, at.z];
    let expanded = events.iter().filter_map(|event| match event {
        SearchEvent::Expanded {
            at: Location::Voxel(at),
            ..
        } => Some(*at),
        _ => None,
    });
    let by_layer = if stats.expansions > 0 {
        layers.to_vec()
    } else {
        Vec::new()
    };
    let report = Report {
        file: options.file.display().to_string(),
        from: triple(request.from),
        to: triple(request.to),
        preset: options.preset.name(),
        radius: options.radius.to_cells(),
        found: outcome == "found",
        outcome,
        length: path.as_ref().map(FlightPath::length),
        cost_units: path.as_ref().map(|path| path.cost.units()),
        raw_length: path.as_ref().map(|path| path.raw_cost.to_cells()),
        legs: path.as_ref().map(FlightPath::n_legs),
        expansions: stats.expansions,
        expansions_by_layer: by_layer,
        cheapest_blocked_step,
        waypoints: path
            .iter()
            .flat_map(|path| &path.waypoints)
            .map(|at| triple(*at))
            .collect(),
    };
    Ok(Flight {
        report,
        path,
        expanded: expanded.collect(),
    })
}

/// The error in terms of the command line, with locations as given.
fn request_error(options: &FlightOptions<'_>, error: &RequestError) -> String {
    match error {
        RequestError::StartBlocked { reason, .. } => {
            format!("--from {}: blocked: {reason}", options.from)
        }
        RequestError::GoalBlocked { reason, .. } => {
            format!("--to {}: blocked: {reason}", options.to)
        }
        other => other.to_string(),
    }
}

impl Flight {
    pub(super) fn print(&self, out: &mut Output, options: &FlightOptions<'_>) {
        let report = &self.report;
        out.line(format!("from      {}", options.from));
        out.line(format!("to        {}", options.to));
        match (report.found, report.length, report.legs) {
            (true, Some(length), Some(legs)) => {
                let raw = report.raw_length.unwrap_or(length);
                let legs = words::count(legs as u64);
                out.line(format!(
                    "length    {length:.3} voxels, {legs} legs; {raw:.3} before string pulling"
                ));
            }
            (false, Some(length), _) => out.line(format!(
                "no path   {}: the best so far is {length:.3} voxels long",
                report.outcome
            )),
            _ => out.line(format!("no path   {}", report.outcome)),
        }
        if let Some([x, y, z]) = report.cheapest_blocked_step {
            out.line(format!("blocked   {x},{y},{z}: a wall one voxel thick"));
        }
        let expanded = words::count(report.expansions);
        out.line(format!("expanded  {expanded} nodes by {}", report.preset));
        let names = ["voxels".to_owned(), "leaves".to_owned()].into_iter();
        let names = names.chain((1..).map(|layer| format!("cubes of {}", 4_u32 << layer)));
        for (n, name) in report
            .expansions_by_layer
            .iter()
            .zip(names)
            .filter(|(n, _)| **n > 0)
        {
            out.line(format!("          {name}: {n}"));
        }
        for [x, y, z] in &report.waypoints {
            out.line(format!("          {x},{y},{z}"));
        }
    }

    pub(super) fn title(&self) -> String {
        let report = &self.report;
        let name = Path::new(&report.file)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        match report.length {
            Some(length) if report.found => format!(
                "{name}   {length:.1} voxels, {} expanded, from above",
                words::count(report.expansions)
            ),
            _ => format!("{name}   no flight: {}", report.outcome),
        }
    }

    /// Draws the flight, each voxel at the cell that `flat` maps it to.
    pub(crate) fn draw(
        &self,
        picture: &mut Picture,
        flat: impl Fn(Voxel) -> Cell,
        with_expanded: bool,
    ) {
        if with_expanded {
            for (order, at) in (0..).zip(&self.expanded) {
                picture.add(Mark::Expanded {
                    cell: flat(*at),
                    order,
                });
            }
        }
        if let Some(path) = &self.path {
            let cells = path
                .waypoints
                .windows(2)
                .flat_map(|leg| line(leg[0], leg[1]));
            let mut cells: Vec<Cell> = path.start().into_iter().chain(cells).map(&flat).collect();
            cells.dedup();
            picture.add(Mark::Path { cells });
        }
        let ends = [self.report.from, self.report.to];
        let [start, goal] = ends.map(|[x, y, z]| flat(Voxel::new(x, y, z)));
        picture.add(Mark::Start(start)).add(Mark::Goal(goal));
    }
}

/// The voxels along a straight line, one per step of its longest axis, without the start.
pub(crate) fn line(from: Voxel, to: Voxel) -> impl Iterator<Item = Voxel> {
    let apart = |to: i32, from: i32| i64::from(to) - i64::from(from);
    let (x, y, z) = (
        apart(to.x, from.x),
        apart(to.y, from.y),
        apart(to.z, from.z),
    );
    let steps = x.abs().max(y.abs()).max(z.abs()).max(1);
    (1..=steps).map(move |step| {
        let along = |start: i32, direction: i64| {
            let at = (2 * direction * step + steps * direction.signum()) / (2 * steps);
            start.saturating_add(i32::try_from(at).unwrap_or(0))
        };
        Voxel::new(along(from.x, x), along(from.y, y), along(from.z, z))
    })
}
