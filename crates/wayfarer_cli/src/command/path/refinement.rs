//! `wayfarer path --method refine:…`: an abstract path over regions, refined segment by segment
//! \[Sturtevant2007\].

use serde::Serialize;
use wayfarer_engine::base::{Budget, Cell, Column, Profile, Progress, Raster};
use wayfarer_engine::picture::{Mark, Picture};
use wayfarer_engine::search::abstraction::{
    AbstractGraph, BakedGraph, CenterPlacement, LiveGraph, RefinedPath, RefinementParams,
    RefinementRequest, Refiner,
};
use wayfarer_engine::search::ground::{NavGraph, polyline_length};
use wayfarer_engine::world::baked::BakedAbstraction;
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::{FlatGround, Ground};

use super::{Path, options, report, with_narrow_profile};
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::load::Loaded;
use crate::location::LocationArg;
use crate::output::Output;
use crate::{area, baked, ground, words};

/// Cells along a side of a sector, unless a baked abstraction says otherwise.
const SIDE: u32 = 16;

/// The result as JSON.
#[derive(Serialize, Default)]
struct Report {
    file: String,
    from: [i32; 3],
    to: [i32; 3],
    method: String,
    /// The abstract graph: `baked` abstraction or `live` ground.
    over: &'static str,
    /// Bytes of the baked abstraction: sectors and regions.
    baked_bytes: Option<usize>,
    /// Variants of the baked abstraction that are on.
    variants: Vec<String>,
    found: bool,
    outcome: &'static str,
    /// Length on the map, in cells.
    length: Option<f64>,
    /// Cost with multipliers, in straight steps of multiplier 1 and in units.
    cost: Option<f64>,
    cost_units: Option<u32>,
    steps: Option<usize>,
    /// Expansions of regions and cells together.
    expansions: u64,
    stats: Stats,
    /// Regions of the abstract path, and its length from center to center in cells.
    abstract_regions: usize,
    abstract_length: f64,
    /// The centers of those regions.
    abstract_path: Vec<[i32; 3]>,
    /// For each segment, the index in `path` at which it ends.
    segments: Vec<usize>,
    path: Vec<[i32; 3]>,
    revision: u64,
}

#[derive(Serialize, Default)]
struct Stats {
    regions: u64,
    cells: u64,
    max_segment: u64,
}

/// A refined path and its picture.
struct Found {
    ends: (Cell, Cell),
    outcome: &'static str,
    path: RefinedPath,
    picture: Picture,
}

impl Path {
    /// Finds a path by region refinement, over a baked abstraction or the live ground.
    pub(super) fn refine_path(
        &self,
        world: Loaded,
        params: RefinementParams,
    ) -> Result<Verdict, Failure> {
        self.check_refinement()?;
        let mut report = Report {
            file: self.file.display().to_string(),
            method: format!("refine:{params}"),
            ..Report::default()
        };
        let is_flat = matches!(world, Loaded::Flat(_));
        let found = if is_flat || self.how.baked.is_some() {
            report.over = "baked";
            let (found, baked) = match &world {
                Loaded::Flat(map) => {
                    let cell = |at: LocationArg| Cell::new(at.x, at.y, at.z.unwrap_or(0));
                    let ends = (cell(self.from), cell(self.to.to[0]));
                    self.refine_over_baked(map, ends, params)?
                }
                _ => self.refine_over_flat(world, params)?,
            };
            report.baked_bytes = Some(baked.payload_bytes());
            let on = baked.variants().filter(|(_, is_on, _)| *is_on);
            report.variants = on.map(|(name, ..)| name.to_owned()).collect();
            found
        } else {
            report.over = "live";
            self.refine_over_live(world, params)?
        };
        report.fill(&found);
        let mut out = Output::default();
        report.print(&mut out);
        if let Some(png) = &self.png {
            let options = SceneOptions {
                title: report.title(),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&found.picture, &options, png)?);
        }
        out.json(&self.json, "path/2", &report)?;
        out.finish()?;
        Ok(if report.found {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }

    /// An error if an option was given that refinement does not take.
    fn check_refinement(&self) -> Result<(), Failure> {
        let is_constrained =
            self.how.has_constraints() || self.to.is_for_ground() || self.to.to.len() != 1;
        if is_constrained || self.explain || self.expanded {
            return Err(Failure::BadInput(
                "--method refine takes one --to and neither --to-area, --within, --line-of-sight, \
                 --partial, --avoid, --area-cost, --previous, --memory, --explain nor --expanded"
                    .to_owned(),
            ));
        }
        if self.agent.radius.is_some() || self.agent.is_for_ground() {
            return Err(Failure::BadInput(
                "--method refine is for the world's own profile: give no --radius, --headroom, \
                 --max-step, --max-drop, --keys, --terrains nor --terrain-cost"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Refines over a baked abstraction of a flat ground.
    fn refine_over_flat(
        &self,
        world: Loaded,
        params: RefinementParams,
    ) -> Result<(Found, BakedAbstraction), Failure> {
        let (world, own) = with_narrow_profile(world);
        self.reject_wide(own.as_ref())?;
        let (ground, FlatGround { map, origin }) = baked::flat(&world, &self.reading)
            .map_err(|reason| Failure::for_file(&self.file, reason))?;
        let (from, to) = self.ends(&ground)?;
        let to_map = |cell: Cell| Cell::flat(cell.x - origin.x, cell.y - origin.y);
        let (mut found, baked) =
            self.refine_over_baked(&map, (to_map(from), to_map(to)), params)?;
        // Back to the coordinates of the ground; a flat ground has one floor per column.
        let to_ground = |cell: &mut Cell| {
            let column = Column::new(cell.x + origin.x, cell.y + origin.y);
            *cell = ground
                .floors(column)
                .map(|(z, _)| column.at(z))
                .find(|at| ground.node(*at).is_some())
                .unwrap_or(column.at(0));
        };
        found.ends = (from, to);
        found.path.cells.iter_mut().for_each(to_ground);
        found.path.abstract_path.iter_mut().for_each(to_ground);
        Ok((found, baked))
    }

    fn reject_wide(&self, own: Option<&Profile>) -> Result<(), Failure> {
        let reason = "--method refine is for agents of a radius up to 0.5 cells";
        own.map_or(Ok(()), |_| Err(Failure::for_file(&self.file, reason)))
    }

    /// Start and goal.
    fn ends(&self, ground: &Ground) -> Result<(Cell, Cell), Failure> {
        let nav_graph = NavGraph::new(ground, None);
        let nav_graph = nav_graph.map_err(|error| Failure::BadInput(error.to_string()))?;
        Ok((
            options::cell_of(nav_graph, "--from", self.from)?,
            options::cell_of(nav_graph, "--to", self.to.to[0])?,
        ))
    }

    fn refine_over_baked(
        &self,
        map: &Raster,
        ends: (Cell, Cell),
        params: RefinementParams,
    ) -> Result<(Found, BakedAbstraction), Failure> {
        let wrong = |error: String| Failure::for_file(&self.file, error);
        let dense = DenseGround::from_raster(map.clone());
        let dense = dense.map_err(|error| wrong(error.to_string()))?;
        let baked = if let Some(file) = &self.how.baked {
            let mut baked = baked::read(file)?;
            for name in &self.how.variant {
                let set = baked.set_variant(name, true);
                set.map_err(|error| Failure::for_file(file, error))?;
            }
            baked
        } else {
            let placement = (SIDE, CenterPlacement::LeastWork);
            let builder = baked::build(map, &dense, placement, None);
            let baked = builder.map_err(wrong)?.bake();
            baked.map_err(|error| wrong(error.to_string()))?
        };
        let graph = BakedGraph::new(&baked, &dense).map_err(|error| {
            Failure::for_file(self.how.baked.as_deref().unwrap_or(&self.file), error)
        })?;
        let mut found = self.refine(&graph, ends, params, Picture::from_raster(map))?;
        let picture = &mut found.picture;
        picture.add_corridor(
            &graph,
            &found.path,
            params.corridor,
            baked.side().cast_signed(),
        );
        picture.add_region_graph(&graph, baked.regions());
        Ok((found.drawn(), baked))
    }

    fn refine_over_live(&self, world: Loaded, params: RefinementParams) -> Result<Found, Failure> {
        let (world, own) = with_narrow_profile(world);
        self.reject_wide(own.as_ref())?;
        let imported = ground::import(&world, &self.reading)
            .map_err(|reason| Failure::for_file(&self.file, reason))?;
        let ground = imported.ground;
        let ends = self.ends(&ground)?;
        let graph = LiveGraph::new(&ground);
        let mut found = self.refine(&graph, ends, params, Picture::from_ground(&ground))?;
        let side = SIDE.cast_signed();
        let picture = &mut found.picture;
        picture.add_corridor(&graph, &found.path, params.corridor, side);
        picture.add_region_graph(&graph, ground.regions());
        Ok(found.drawn())
    }

    fn refine<G: AbstractGraph>(
        &self,
        graph: &G,
        ends: (Cell, Cell),
        params: RefinementParams,
        picture: Picture,
    ) -> Result<Found, Failure> {
        let mut refiner = Refiner::default();
        let request = RefinementRequest::new(ends.0, ends.1, params);
        let session = refiner.begin(graph, &request);
        let mut session = session.map_err(|error| Failure::BadInput(self.request_error(&error)))?;
        let budget = Budget {
            expansions: self.how.budget.unwrap_or(u64::MAX),
            ..Budget::UNLIMITED
        };
        let outcome = match refiner.advance(graph, &mut session, budget) {
            Progress::Done(outcome) => report::split_outcome(outcome.map(|_| ())).0,
            Progress::InProgress { .. } => "out of budget",
            Progress::Stale { .. } => {
                return Err(Failure::OurFault("the ground changed".to_owned()));
            }
        };
        Ok(Found {
            ends,
            outcome,
            path: session.path(graph),
            picture,
        })
    }
}

impl Found {
    /// With the path drawn over the rest.
    fn drawn(mut self) -> Self {
        self.picture.add_refined_path(&self.path);
        self.picture.add(Mark::Start(self.ends.0));
        self.picture.add(Mark::Goal(self.ends.1));
        self
    }
}

impl Report {
    fn fill(&mut self, found: &Found) {
        let path = &found.path;
        self.from = report::triple(found.ends.0);
        self.to = report::triple(found.ends.1);
        self.outcome = found.outcome;
        self.found = found.outcome == "found";
        self.stats = Stats {
            regions: path.stats.regions,
            cells: path.stats.cells,
            max_segment: path.stats.max_segment,
        };
        self.expansions = path.stats.expansions();
        self.revision = path.revision.number;
        self.abstract_regions = path.abstract_path.len();
        self.abstract_length = polyline_length(&path.abstract_path);
        self.abstract_path = path
            .abstract_path
            .iter()
            .copied()
            .map(report::triple)
            .collect();
        if self.found || path.cells.len() > 1 {
            self.length = Some(polyline_length(&path.cells));
            self.cost = Some(path.cost.to_cells());
            self.cost_units = Some(path.cost.units());
            self.steps = Some(path.cells.len().saturating_sub(1));
            self.segments.clone_from(&path.segments);
            self.path = path.cells.iter().copied().map(report::triple).collect();
        }
    }

    fn print(&self, out: &mut Output) {
        let at = |[x, y, z]: [i32; 3]| area::cell_text(Cell::new(x, y, z));
        out.line(format!("from      {}", at(self.from)));
        out.line(format!("to        {}", at(self.to)));
        if !self.found {
            out.line(format!("no path   {}", self.outcome));
        }
        if let (Some(length), Some(steps)) = (self.length, self.steps) {
            let steps = words::count(steps as u64);
            out.line(format!("length    {length:.3} cells, {steps} steps"));
            let cost = self
                .cost
                .filter(|cost| (cost - length).abs() > 5e-4 + length * 1e-5);
            if let Some(cost) = cost {
                out.line(format!("cost      {cost:.3} cells of multiplier 1"));
            }
        }
        out.line(format!(
            "abstract  {} regions, {:.3} cells from center to center, over the {}",
            words::count(self.abstract_regions as u64),
            self.abstract_length,
            match self.baked_bytes {
                Some(bytes) => {
                    let bytes = words::count(bytes as u64);
                    let on: String = self
                        .variants
                        .iter()
                        .map(|name| format!(", {name}"))
                        .collect();
                    format!("baked abstraction ({bytes} bytes{on})")
                }
                None => "live ground".to_owned(),
            }
        ));
        out.line(format!(
            "segments  {}, at most {} cells expanded",
            words::count(self.segments.len() as u64),
            words::count(self.stats.max_segment)
        ));
        out.line(format!(
            "expanded  {} regions and {} cells by {}",
            words::count(self.stats.regions),
            words::count(self.stats.cells),
            self.method
        ));
    }

    fn title(&self) -> String {
        let name = std::path::Path::new(&self.file).file_name();
        let name = name.unwrap_or_default().to_string_lossy();
        match self.length {
            Some(length) if self.found => format!(
                "{name}   {length:.1} cells in {} segments by {}",
                words::count(self.segments.len() as u64),
                self.method
            ),
            _ => format!("{name}   no path: {}", self.outcome),
        }
    }
}
