//! `wayfarer path`: the cheapest path from one place to others, over any ground.

pub(crate) mod flight;
mod options;
mod planned;
mod report;

use std::path::PathBuf;

use clap::Args;
use wayfarer::base::{
    Cell, Fixed, Location, Outcome, Point2, Profile, RequestError, SearchEvent, Shape,
};
use wayfarer::picture::{Axis, Mark, Picture, ZoneKind};
use wayfarer::search::air::{FlightMethod, OctreeParams};
use wayfarer::search::ground::{
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
use report::{Drawn, Report};

/// Find the cheapest path from one place to another
///
/// Over any ground: flat maps, floors over floors, heights, meshes, with nav links, thin walls and
/// cost multipliers. Eight directions: a straight step costs 1, a diagonal the square root of 2, each times
/// the cost multiplier of the ground, and a diagonal needs both ways around its corner. Exit code 1 if there
/// is no way, or only a part of one. In a world of voxels one flies, in any direction.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer path caves.map --from 10,10 --to 110,60
  wayfarer path caves.map --from 10,10 --to 110,60 --expanded --png way.png
  wayfarer path caves.map --from 10,10 --to 110,60 --to 40,70 --method astar --json -
  wayfarer path keep.world --from 4,4,0 --to 30,20,8 --headroom 3 --keys 2 --png keep.png
  wayfarer path caves.map --from 10,10 --to 110,60 --radius 1.5 --if-no-way by-air
  wayfarer path caves.map --from 10,10 --to 110,60 --avoid 50,0:60,90 --extra-price 20,20@8=4
  wayfarer path caves.map --from 10,10 --to 110,60 --in-sight 12 --budget 2000
  wayfarer path caves.map --from 10,10 --to 110,60 --json old.json
  wayfarer path caves.map --from 10,10 --to 110,60 --former old.json --slack 5
  wayfarer path keep.world --from 4,4,0 --to 30,20,8 --explain
  wayfarer path caves.map --from 10,10 --to 110,60 --method mm:1,10%,-,- --png plan.png
  wayfarer path hills.png --step 20 --from 10,10 --to 300,200 --climb 3 --method any-angle
  wayfarer path belt.3dmap --from 1,1,1 --to 90,60,40 --preset short --radius 1.5 --png way.png

A place is x,y or, where floors lie over each other, x,y,z. An area is x,y:x,y (two corners) or
x,y@RADIUS, with /LOW..HIGH behind it if only some heights are meant.")]
pub(crate) struct Path {
    /// The world: any format with ground
    file: PathBuf,
    /// Where to start: x,y or x,y,z
    #[arg(long, value_name = "PLACE", value_parser = location::parse, allow_hyphen_values = true)]
    from: LocationArg,
    #[command(flatten)]
    to: EndpointOptions,
    #[command(flatten)]
    agent_type: AgentOptions,
    #[command(flatten)]
    how: MethodOptions,
    #[command(flatten)]
    flying: flight::Flying,
    /// Say what stands in the way: how far one gets, and what would open a way
    #[arg(long, help_heading = "What to show")]
    explain: bool,
    /// Draw the way to FILE: .png, .svg or .txt; as it was found, and pulled straight
    #[arg(
        long,
        visible_alias = "picture",
        value_name = "FILE",
        help_heading = "What to show"
    )]
    png: Option<PathBuf>,
    /// Draw which cells were expanded, too
    #[arg(long, requires = "png", help_heading = "What to show")]
    expanded: bool,
    /// Dots along the side of a cell; chosen to fit if not given
    #[arg(long, value_name = "DOTS", value_parser = clap::value_parser!(u32).range(1..=64), requires = "png", help_heading = "What to show")]
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
        if self.flying.is_meant(&world) {
            return self.fly(&world);
        }
        self.flying.check(&self.file)?;
        if let Search::Planned(refine) = self.how.method {
            return self.plan(world, refine);
        }
        if let Some(file) = &self.how.baked {
            let why = "--frozen is for --method mm:... only";
            return Err(Failure::of_file(file, why));
        }
        let (world, own) = narrowed(world);
        let imported = ground::import(&world, &self.reading)
            .map_err(|why| Failure::of_file(&self.file, why))?;
        let mut ground = imported.ground;
        let own = own.unwrap_or_else(|| ground.default_profile().clone());
        let walks = self.agent_type.profile(&own).unwrap_or(own);
        let other = (walks != *ground.default_profile()).then(|| walks.clone());
        let nav_graph = options::nav_graph(&mut ground, other)?;
        let request = options::request(nav_graph, self.from, (&self.to, &self.how), previous)?;

        let mut events = Vec::new();
        let mut report = Report::new(&self.file, &request, self.how.method.to_string(), &walks);
        let drawn = self.search(nav_graph, &request, &mut report, &mut events)?;
        let mut out = Output::default();
        report.speak(&mut out);
        if let Some(png) = &self.png {
            let mut picture = match world {
                Loaded::Heights(_) | Loaded::Mesh(_) => Picture::from_ground(nav_graph.ground()),
                _ => world.picture(),
            };
            self.draw(&mut picture, &request, &events, drawn, nav_graph);
            let wishes = SceneOptions {
                title: title(&report),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&picture, &wishes, png)?);
        }
        out.json(&self.json, "path", &report)?;
        out.finish()?;
        Ok(if report.found {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }

    /// Looks for a flight instead.
    fn fly(&self, world: &Loaded) -> Result<Verdict, Failure> {
        let [to] = self.to.to[..] else {
            let why = "a flight leads to one place: give --to once";
            return Err(Failure::BadInput(why.to_owned()));
        };
        let is_of_ground = self.how.is_of_ground() || self.to.is_of_ground();
        if is_of_ground || self.agent_type.is_of_ground() {
            let why = "of the options for the ground flights know --to, --radius and --budget only";
            return Err(Failure::of_file(&self.file, why));
        }
        let (air, _) =
            air::import(world, &self.reading).map_err(|why| Failure::of_file(&self.file, why))?;
        let preset = self.flying.preset();
        let wish = flight::FlightOptions {
            file: &self.file,
            from: self.from,
            to,
            preset,
            method: OctreeParams::preset(preset)
                .map_or(FlightMethod::VoxelAStar, FlightMethod::Octree),
            radius: self.agent_type.radius.unwrap_or_default(),
            budget: self.how.budget,
        };
        let flight = flight::find(&air, &wish)?;
        let mut out = Output::default();
        flight.speak(&mut out, &wish);
        if let Some(png) = &self.png {
            let too_large = || Failure::of_file(&self.file, "it is too wide for a picture");
            let mut picture = Picture::from_air_projection(&air, Axis::Z).ok_or_else(too_large)?;
            let z = air.high().z;
            flight.draw(&mut picture, |at| Cell::new(at.x, at.y, z), self.expanded);
            let wishes = SceneOptions {
                title: flight.title(),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&picture, &wishes, png)?);
        }
        out.json(&self.json, "path", &flight.report)?;
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
    ) -> Result<Option<Drawn>, Failure> {
        let ground = nav_graph.ground();
        let refused = |error: RequestError| Failure::BadInput(self.refused(&error));
        let is_cut_off;
        let drawn = if self.how.method == Search::AnyAngle {
            let to = options::check_any_angle(request)?;
            let mut searcher = AnyAngleSearcher::default();
            let (from, budget) = (request.from, request.budget);
            let outcome = searcher.find_observed(nav_graph, from, to, budget, events);
            let outcome = outcome.map_err(refused)?;
            is_cut_off = matches!(outcome, Outcome::Unreachable { .. });
            report.expansions = searcher.stats().expansions;
            let (name, path) = report::judge(outcome);
            report.outcome = name;
            path.map(|path| report.add_free(&path))
        } else {
            let mut searcher = PathSearcher::default();
            let outcome = if self.how.method == Search::Far {
                searcher.find_hierarchical(ground, request.from, options::check_far(request)?)
            } else {
                searcher.find_observed(ground, request, events)
            };
            let outcome = outcome.map_err(refused)?;
            is_cut_off = matches!(outcome, Outcome::Unreachable { .. });
            report.expansions = searcher.stats().expansions;
            let (name, path) = report::judge(outcome);
            if let Some(path) = path.as_ref().filter(|_| self.how.method == Search::Far) {
                report.expansions = path.expansions;
            }
            report.outcome = name;
            path.map(|path| report.add_path(ground, request, &path))
        };
        report.found = report.outcome == "found";
        if is_cut_off || (self.explain && !report.found) {
            let why = ReachabilitySearcher::default().explain(ground, request);
            report.add_explain(&why.map_err(refused)?, self.explain);
        }
        Ok(drawn)
    }

    /// The refusal in the words of the command line: places as they were given.
    fn refused(&self, error: &RequestError) -> String {
        match error {
            RequestError::StartBlocked {
                reason: because, ..
            } => {
                format!("--from {}: cannot be stood on: {because}", self.from)
            }
            RequestError::GoalBlocked {
                reason: because, ..
            } => match self.to.to.first() {
                Some(first) => format!("--to {first}: cannot be stood on: {because}"),
                None => format!("--to-area: cannot be stood on: {because}"),
            },
            other => other.to_string(),
        }
    }

    fn draw(
        &self,
        picture: &mut Picture,
        request: &GroundRequest,
        events: &[SearchEvent],
        drawn: Option<Drawn>,
        nav_graph: NavGraph<'_>,
    ) {
        let mut zone = |kind: ZoneKind, area: &wayfarer::search::ground::Area| {
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
        if radius > Fixed::from_raw(Fixed::PARTS / 2)
            && let Some(center) = Point2::center_of(start.column())
        {
            let shape = Shape::Circle { center, radius };
            picture.add(Mark::Footprint { shape, z: start.z });
        }
        if let Some(Drawn { cells, corners }) = drawn {
            if !cells.is_empty() {
                picture.add(Mark::Path { cells });
            }
            let points = corners.iter().filter_map(|cell| report::middle(*cell));
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

/// The world for a walker that fits every way, and the profile its file asks for if that is wide:
/// others than narrow walkers have views.
fn narrowed(world: Loaded) -> (Loaded, Option<Profile>) {
    match world {
        Loaded::Plan(mut plan) if plan.profile.radius > Profile::DEFAULT.radius => {
            let own = plan.profile.clone();
            plan.profile.radius = Profile::DEFAULT.radius;
            (Loaded::Plan(plan), Some(own))
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
