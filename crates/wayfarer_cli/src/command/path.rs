//! `wayfarer path`: a path over the ground of any format, or a flight.

pub(crate) mod flight;
mod options;
mod refinement;
mod report;

use std::path::PathBuf;

use clap::Args;
use wayfarer_engine::base::{
    Cell, Fixed, Location, Outcome, Point2, Profile, RequestError, SearchEvent, Shape,
};
use wayfarer_engine::picture::{Axis, Mark, Picture, ZoneKind};
use wayfarer_engine::search::ground::{
    AnyAngleSearcher, GroundGoal, GroundRequest, NavGraph, PathSearcher, ReachabilitySearcher,
};

use crate::air;
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::ground;
use crate::load::{self, Loaded, Reading};
use crate::location::{self, LocationArg};
use crate::output::{self, Json, Output};
use crate::words;
use options::{AgentOptions, EndpointOptions, MethodOptions, Search};
use report::{DrawnPath, Report};

/// Find a path on the ground or through the air
///
/// Ground of any format: flat maps, floors over floors, heights, meshes, with nav links, thin walls
/// and cost multipliers. Eight directions: a straight step costs 1, a diagonal the square root of 2,
/// times the cost multiplier of the cells; a diagonal requires both orthogonal neighbors. In a world
/// of voxels, or with --fly, the path is a flight. Exit code 1 if there is no path, or only a partial
/// one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer path caves.map --from 10,10 --to 110,60
  wayfarer path caves.map --from 10,10 --to 110,60 --expanded --png path.png
  wayfarer path caves.map --from 10,10 --to 110,60 --to 40,70 --method astar --json -
  wayfarer path tower.world --from 4,4,0 --to 30,20,8 --headroom 3 --keys 2 --png tower.png
  wayfarer path caves.map --from 10,10 --to 110,60 --radius 1.5 --partial euclidean
  wayfarer path caves.map --from 10,10 --to 110,60 --avoid 50,0:60,90 --area-cost 20,20@8=4
  wayfarer path caves.map --from 10,10 --to 110,60 --line-of-sight 12 --budget 2000
  wayfarer path caves.map --from 10,10 --to 110,60 --json old.json
  wayfarer path caves.map --from 10,10 --to 110,60 --previous old.json --tolerance 5
  wayfarer path tower.world --from 4,4,0 --to 30,20,8 --explain
  wayfarer path caves.map --from 10,10 --to 110,60 --method refine:1,10%,-,- --png plan.png
  wayfarer path hills.png --step 20 --from 10,10 --to 300,200 --max-step 3 --method any-angle
  wayfarer path belt.3dmap --from 1,1,1 --to 90,60,40 --preset short --radius 1.5 --png path.png

Methods:
  bounded         weighted A* over cached jump points; at most 1.10 times the optimum
  optimal         A* over cached jump points; optimal
  jps             block-based jump point search, no cache; optimal
  astar           A*, cell by cell; optimal
  dijkstra        Dijkstra's algorithm; optimal
  any-angle       Lazy Theta*; no costlier than the grid path
  hierarchical    cluster graph, then local segments, for thousands of cells; no bound
  refine:n,t,c,s  region refinement R[n,t,c,s]; also refine:smooth, refine:hpa, refine:pra; no bound

A location is x,y or, where floors lie over each other, x,y,z. An area is x,y:x,y (two corners) or
x,y@RADIUS, with /LOW..HIGH appended for some heights only.")]
pub(crate) struct Path {
    /// The world, in any format
    file: PathBuf,
    /// Start: x,y or x,y,z
    #[arg(long, value_name = "CELL", value_parser = location::parse, allow_hyphen_values = true)]
    from: LocationArg,
    #[command(flatten)]
    to: EndpointOptions,
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    how: MethodOptions,
    #[command(flatten)]
    flying: flight::Flying,
    /// Explain an unreachable goal: the frontier, and what would unblock a path
    #[arg(long, help_heading = "Output")]
    explain: bool,
    /// Draw the path, as found and string-pulled, to FILE: .png, .svg or .txt
    #[arg(
        long,
        visible_alias = "picture",
        value_name = "FILE",
        help_heading = "Output"
    )]
    png: Option<PathBuf>,
    /// Draw the expanded cells, too
    #[arg(long, requires = "png", help_heading = "Output")]
    expanded: bool,
    /// Pixels per cell; chosen to fit if not given
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=64), requires = "png", help_heading = "Output")]
    zoom: Option<u32>,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    reading: Reading,
}

impl Path {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        let files = self.png.iter().map(PathBuf::as_path);
        output::can_write(files.chain(self.json.file()))?;
        if let Some(png) = &self.png {
            draw::format_of(png)?;
        }
        let previous = self.how.previous.as_deref().map(options::read_previous);
        let previous = previous.transpose()?;
        let (_, world) = load::world(&self.file, &self.reading)?;
        if self.flying.is_flight(&world) {
            return self.fly(&world);
        }
        self.flying.check(&self.file)?;
        if let Search::Refine(params) = self.how.method {
            return self.refine_path(world, params);
        }
        if let Some(file) = &self.how.baked {
            let reason = "--baked is for --method refine:... only";
            return Err(Failure::for_file(file, reason));
        }
        let (world, own) = with_narrow_profile(world);
        let imported = ground::import(&world, &self.reading)
            .map_err(|reason| Failure::for_file(&self.file, reason))?;
        let mut ground = imported.ground;
        let own = own.unwrap_or_else(|| ground.default_profile().clone());
        let profile = self.agent.profile(&own).unwrap_or(own);
        let other = (profile != *ground.default_profile()).then(|| profile.clone());
        let nav_graph = options::nav_graph(&mut ground, other)?;
        let request = options::request(nav_graph, self.from, (&self.to, &self.how), previous)?;

        let mut events = Vec::new();
        let mut report = Report::new(&self.file, &request, self.how.method.to_string(), &profile);
        let drawn = self.search(nav_graph, &request, &mut report, &mut events)?;
        let mut out = Output::default();
        report.print(&mut out);
        if let Some(png) = &self.png {
            let mut picture = match world {
                Loaded::Heights(_) | Loaded::Mesh(_) => Picture::from_ground(nav_graph.ground()),
                _ => world.picture(),
            };
            self.draw(&mut picture, &request, &events, drawn, nav_graph);
            let options = SceneOptions {
                title: title(&report),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&picture, &options, png)?);
        }
        out.json(&self.json, "path/2", &report)?;
        out.finish()?;
        Ok(if report.found {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }

    /// Finds a flight.
    fn fly(&self, world: &Loaded) -> Result<Verdict, Failure> {
        let [to] = self.to.to[..] else {
            let reason = "a flight has one goal: give --to once";
            return Err(Failure::BadInput(reason.to_owned()));
        };
        let is_for_ground = self.how.is_for_ground() || self.to.is_for_ground();
        if is_for_ground || self.agent.is_for_ground() {
            let reason = "of the ground options flights take --to, --radius and --budget only";
            return Err(Failure::for_file(&self.file, reason));
        }
        let (air, _) = air::import(world, &self.reading)
            .map_err(|reason| Failure::for_file(&self.file, reason))?;
        let preset = self.flying.preset();
        let options = flight::FlightOptions {
            file: &self.file,
            from: self.from,
            to,
            preset,
            radius: self.agent.radius.unwrap_or_default(),
            budget: self.how.budget,
        };
        let flight = flight::find(&air, &options)?;
        let mut out = Output::default();
        flight.print(&mut out, &options);
        if let Some(png) = &self.png {
            let too_large = || Failure::for_file(&self.file, "it is too wide to draw");
            let mut picture = Picture::from_air_projection(&air, Axis::Z).ok_or_else(too_large)?;
            let z = air.high().z;
            flight.draw(&mut picture, |at| Cell::new(at.x, at.y, z), self.expanded);
            let options = SceneOptions {
                title: flight.title(),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&picture, &options, png)?);
        }
        out.json(&self.json, "path/2", &flight.report)?;
        out.finish()?;
        Ok(if flight.report.found {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }

    fn search(
        &self,
        nav_graph: NavGraph<'_>,
        request: &GroundRequest,
        report: &mut Report,
        events: &mut Vec<SearchEvent>,
    ) -> Result<Option<DrawnPath>, Failure> {
        let ground = nav_graph.ground();
        let rejected = |error: RequestError| Failure::BadInput(self.request_error(&error));
        let is_unreachable;
        let drawn = if self.how.method == Search::AnyAngle {
            let to = options::check_any_angle(request)?;
            let mut searcher = AnyAngleSearcher::default();
            let (from, budget) = (request.from, request.budget);
            let outcome = searcher.find_observed(nav_graph, from, to, budget, events);
            let outcome = outcome.map_err(rejected)?;
            is_unreachable = matches!(outcome, Outcome::Unreachable { .. });
            report.expansions = searcher.stats().expansions;
            let (name, path) = report::split_outcome(outcome);
            report.outcome = name;
            path.map(|path| report.add_any_angle(&path))
        } else {
            let mut searcher = PathSearcher::default();
            let outcome = if self.how.method == Search::Hierarchical {
                searcher.find_hierarchical(
                    ground,
                    request.from,
                    options::check_hierarchical(request)?,
                )
            } else {
                searcher.find_observed(ground, request, events)
            };
            let outcome = outcome.map_err(rejected)?;
            is_unreachable = matches!(outcome, Outcome::Unreachable { .. });
            report.expansions = searcher.stats().expansions;
            let (name, path) = report::split_outcome(outcome);
            if let Some(path) = path
                .as_ref()
                .filter(|_| self.how.method == Search::Hierarchical)
            {
                report.expansions = path.expansions;
            }
            report.outcome = name;
            path.map(|path| report.add_path(ground, request, &path))
        };
        report.found = report.outcome == "found";
        if is_unreachable || (self.explain && !report.found) {
            let explanation = ReachabilitySearcher::default().explain(ground, request);
            report.add_explanation(&explanation.map_err(rejected)?, self.explain);
        }
        Ok(drawn)
    }

    /// The error in terms of the command line, with locations as given.
    fn request_error(&self, error: &RequestError) -> String {
        match error {
            RequestError::StartBlocked { reason, .. } => {
                format!("--from {}: blocked: {reason}", self.from)
            }
            RequestError::GoalBlocked { reason, .. } => match self.to.to.first() {
                Some(first) => format!("--to {first}: blocked: {reason}"),
                None => format!("--to-area: blocked: {reason}"),
            },
            other => other.to_string(),
        }
    }

    fn draw(
        &self,
        picture: &mut Picture,
        request: &GroundRequest,
        events: &[SearchEvent],
        drawn: Option<DrawnPath>,
        nav_graph: NavGraph<'_>,
    ) {
        let mut zone = |kind: ZoneKind, area: &wayfarer_engine::search::ground::Area| {
            picture.add_zone(kind, area.shape.clone(), area.heights);
        };
        if let Some(area) = request.to.area() {
            zone(ZoneKind::Goal, &area);
        }
        for (area, _) in &request.area_costs {
            zone(ZoneKind::Costly, area);
        }
        for area in &request.avoid {
            zone(ZoneKind::Avoided, area);
        }
        if self.expanded {
            let expanded = events.iter().filter_map(|event| match event {
                SearchEvent::Expanded {
                    at: Location::Cell(cell),
                    ..
                } => Some(*cell),
                _ => None,
            });
            for (order, cell) in (0..).zip(expanded) {
                picture.add(Mark::Expanded { cell, order });
            }
        }
        let start = request.from;
        let radius = nav_graph.profile().radius;
        if radius > Fixed::from_raw(Fixed::UNITS_PER_CELL / 2)
            && let Some(center) = Point2::center_of(start.column())
        {
            let shape = Shape::Circle { center, radius };
            picture.add(Mark::Footprint { shape, z: start.z });
        }
        if let Some(DrawnPath { cells, waypoints }) = drawn {
            if !cells.is_empty() {
                picture.add(Mark::Path { cells });
            }
            let points = waypoints.iter().filter_map(|cell| report::center(*cell));
            let points = points.collect();
            picture.add(Mark::Smoothed { points });
        }
        picture.add(Mark::Start(start));
        for goal in goals(&request.to) {
            picture.add(Mark::Goal(*goal));
        }
    }
}

fn goals(goal: &GroundGoal) -> &[Cell] {
    match goal {
        GroundGoal::Cell(cell)
        | GroundGoal::Within { of: cell, .. }
        | GroundGoal::LineOfSightTo { of: cell, .. } => std::slice::from_ref(cell),
        GroundGoal::AnyOf(cells) => cells,
        _ => &[],
    }
}

/// The world with a default profile that fits through every gap, and the profile of its file if
/// that one is wider: it is registered besides.
fn with_narrow_profile(world: Loaded) -> (Loaded, Option<Profile>) {
    match world {
        Loaded::Data(mut data) if data.profile.radius > Profile::DEFAULT.radius => {
            let own = data.profile.clone();
            data.profile.radius = Profile::DEFAULT.radius;
            (Loaded::Data(data), Some(own))
        }
        other => (other, None),
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
