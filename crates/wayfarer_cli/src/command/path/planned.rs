//! `wayfarer path --method mm:…`: far paths planned over regions and refined piece by piece.

use serde::Serialize;
use wayfarer::base::{Budget, Cell, Column, Profile, Progress, Raster};
use wayfarer::picture::{Mark, Picture};
use wayfarer::search::abstraction::{
    AbstractGraph, BakedGraph, CenterPlacement, LiveGraph, RefinedPath, RefinementParams,
    RefinementRequest, Refiner,
};
use wayfarer::search::ground::{NavGraph, polyline_length};
use wayfarer::world::baked::BakedAbstraction;
use wayfarer::world::dense::DenseGround;
use wayfarer::world::ground::{FlatGround, Ground};

use super::{Path, narrowed, options, report};
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::load::Loaded;
use crate::location::LocationArg;
use crate::output::Output;
use crate::{area, baked, ground, words};

/// Cells along a side of a sector where no baked map says otherwise.
const SIDE: u32 = 16;

/// The result as JSON.
#[derive(Serialize, Default)]
struct Report {
    file: String,
    from: [i32; 3],
    to: [i32; 3],
    method: String,
    /// What was planned over: `baked` map or `live` ground.
    over: &'static str,
    /// Bytes of the baked map, sectors and regions.
    baked_bytes: Option<usize>,
    /// Variants of the baked map that are on.
    variants: Vec<String>,
    found: bool,
    outcome: &'static str,
    /// How long the way is over the map, in cells.
    length: Option<f64>,
    /// What it costs, cost multipliers included, in cells of uniform ground and in units.
    cost: Option<f64>,
    cost_units: Option<u32>,
    steps: Option<usize>,
    /// Everything expanded: regions and cells.
    expansions: u64,
    work: Work,
    /// How many regions the plan leads over, and how far it is from center to center, in cells.
    plan_regions: usize,
    plan_length: f64,
    /// The centers of those regions.
    plan: Vec<[i32; 3]>,
    /// For each piece, the number of the cell of `path` at which it ends.
    segments: Vec<usize>,
    path: Vec<[i32; 3]>,
    revision: u64,
}

#[derive(Serialize, Default)]
struct Work {
    regions: u64,
    cells: u64,
    max_segment: u64,
}

/// What was found, and the picture of where.
struct Found {
    ends: (Cell, Cell),
    outcome: &'static str,
    path: RefinedPath,
    picture: Picture,
}

impl Path {
    /// Plans over regions, over a baked map or the live ground.
    pub(super) fn plan(&self, world: Loaded, refine: RefinementParams) -> Result<Verdict, Failure> {
        self.check_planned()?;
        let mut report = Report {
            file: self.file.display().to_string(),
            method: format!("mm:{refine}"),
            ..Report::default()
        };
        let is_flat = matches!(world, Loaded::Flat(_));
        let found = if is_flat || self.how.baked.is_some() {
            report.over = "frozen";
            let (found, baked) = match &world {
                Loaded::Flat(map) => {
                    let cell = |wish: LocationArg| Cell::new(wish.x, wish.y, wish.z.unwrap_or(0));
                    let ends = (cell(self.from), cell(self.to.to[0]));
                    self.plan_baked(map, ends, refine)?
                }
                _ => self.plan_flat(world, refine)?,
            };
            report.baked_bytes = Some(baked.payload_bytes());
            let on = baked.variants().filter(|(_, is_on, _)| *is_on);
            report.variants = on.map(|(name, ..)| name.to_owned()).collect();
            found
        } else {
            report.over = "live";
            self.plan_live(world, refine)?
        };
        report.fill(&found);
        let mut out = Output::default();
        report.speak(&mut out);
        if let Some(png) = &self.png {
            let wishes = SceneOptions {
                title: report.title(),
                zoom: self.zoom,
            };
            out.line(format!("picture   {}", png.display()));
            out.file(png, draw::to_file(&found.picture, &wishes, png)?);
        }
        out.json(&self.json, "path", &report)?;
        out.finish()?;
        Ok(if report.found {
            Verdict::Done
        } else {
            Verdict::Negative
        })
    }

    /// An error if something was asked for that plans over regions do not know.
    fn check_planned(&self) -> Result<(), Failure> {
        let wishes = self.how.has_wishes() || self.to.is_of_ground() || self.to.to.len() != 1;
        if wishes || self.explain || self.expanded {
            return Err(Failure::BadInput(
                "--method mm leads to one --to and takes neither --to-area, --within, --in-sight, \
                 --if-no-way, --avoid, --extra-price, --former, --memory, --explain nor --expanded"
                    .to_owned(),
            ));
        }
        if self.agent_type.radius.is_some() || self.agent_type.is_of_ground() {
            return Err(Failure::BadInput(
                "--method mm is for the world's own walker: give no --radius, --headroom, \
                 --climb, --drop, --keys, --terrains nor --terrain-price"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Plans with a baked map over a ground that is flat.
    fn plan_flat(
        &self,
        world: Loaded,
        refine: RefinementParams,
    ) -> Result<(Found, BakedAbstraction), Failure> {
        let (world, own) = narrowed(world);
        self.refuse_wide(own.as_ref())?;
        let (ground, FlatGround { map, origin }) =
            baked::flat(&world, &self.reading).map_err(|why| Failure::of_file(&self.file, why))?;
        let (from, to) = self.ends(&ground)?;
        let moved = |cell: Cell| Cell::flat(cell.x - origin.x, cell.y - origin.y);
        let (mut found, baked) = self.plan_baked(&map, (moved(from), moved(to)), refine)?;
        // Back to where the ground lies, every cell on the one floor of its column.
        let back = |cell: &mut Cell| {
            let column = Column::new(cell.x + origin.x, cell.y + origin.y);
            *cell = ground
                .floors(column)
                .map(|(z, _)| column.at(z))
                .find(|at| ground.node(*at).is_some())
                .unwrap_or(column.at(0));
        };
        found.ends = (from, to);
        found.path.cells.iter_mut().for_each(back);
        found.path.abstract_path.iter_mut().for_each(back);
        Ok((found, baked))
    }

    fn refuse_wide(&self, own: Option<&Profile>) -> Result<(), Failure> {
        let why = "--method mm is for walkers of a radius up to 0.5 cells";
        own.map_or(Ok(()), |_| Err(Failure::of_file(&self.file, why)))
    }

    /// Where the way begins and ends.
    fn ends(&self, ground: &Ground) -> Result<(Cell, Cell), Failure> {
        let nav_graph = NavGraph::new(ground, None);
        let nav_graph = nav_graph.map_err(|error| Failure::BadInput(error.to_string()))?;
        Ok((
            options::cell_of(nav_graph, "--from", self.from)?,
            options::cell_of(nav_graph, "--to", self.to.to[0])?,
        ))
    }

    fn plan_baked(
        &self,
        map: &Raster,
        ends: (Cell, Cell),
        refine: RefinementParams,
    ) -> Result<(Found, BakedAbstraction), Failure> {
        let wrong = |error: String| Failure::of_file(&self.file, error);
        let dense = DenseGround::from_raster(map.clone());
        let dense = dense.map_err(|error| wrong(error.to_string()))?;
        let baked = if let Some(file) = &self.how.baked {
            let mut baked = baked::read(file)?;
            for name in &self.how.variant {
                let turned = baked.set_variant(name, true);
                turned.map_err(|error| Failure::of_file(file, error))?;
            }
            baked
        } else {
            let draft = baked::draft(map, &dense, (SIDE, CenterPlacement::LeastWork), None);
            let baked = draft.map_err(wrong)?.bake();
            baked.map_err(|error| wrong(error.to_string()))?
        };
        let plan = BakedGraph::new(&baked, &dense).map_err(|error| {
            Failure::of_file(self.how.baked.as_deref().unwrap_or(&self.file), error)
        })?;
        let mut found = self.refine(&plan, ends, refine, Picture::from_raster(map))?;
        let picture = &mut found.picture;
        picture.add_corridor(
            &plan,
            &found.path,
            refine.corridor,
            baked.side().cast_signed(),
        );
        picture.add_region_graph(&plan, baked.regions());
        Ok((found.drawn(), baked))
    }

    fn plan_live(&self, world: Loaded, refine: RefinementParams) -> Result<Found, Failure> {
        let (world, own) = narrowed(world);
        self.refuse_wide(own.as_ref())?;
        let imported = ground::import(&world, &self.reading)
            .map_err(|why| Failure::of_file(&self.file, why))?;
        let ground = imported.ground;
        let ends = self.ends(&ground)?;
        let plan = LiveGraph::new(&ground);
        let mut found = self.refine(&plan, ends, refine, Picture::from_ground(&ground))?;
        let side = SIDE.cast_signed();
        let picture = &mut found.picture;
        picture.add_corridor(&plan, &found.path, refine.corridor, side);
        picture.add_region_graph(&plan, ground.regions());
        Ok(found.drawn())
    }

    fn refine<P: AbstractGraph>(
        &self,
        plan: &P,
        ends: (Cell, Cell),
        refine: RefinementParams,
        picture: Picture,
    ) -> Result<Found, Failure> {
        let mut refiner = Refiner::default();
        let request = RefinementRequest::new(ends.0, ends.1, refine);
        let session = refiner.begin(plan, &request);
        let mut session = session.map_err(|error| Failure::BadInput(self.refused(&error)))?;
        let budget = Budget {
            expansions: self.how.budget.unwrap_or(u64::MAX),
            ..Budget::UNLIMITED
        };
        let outcome = match refiner.advance(plan, &mut session, budget) {
            Progress::Done(outcome) => report::judge(outcome.map(|_| ())).0,
            Progress::InProgress { .. } => "out of budget",
            Progress::Stale { .. } => {
                return Err(Failure::OurFault("the ground changed".to_owned()));
            }
        };
        Ok(Found {
            ends,
            outcome,
            path: session.path(plan),
            picture,
        })
    }
}

impl Found {
    /// With the way over all that was drawn before.
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
        self.work = Work {
            regions: path.work.regions,
            cells: path.work.cells,
            max_segment: path.work.max_segment,
        };
        self.expansions = path.work.expansions();
        self.revision = path.revision.0;
        self.plan_regions = path.abstract_path.len();
        self.plan_length = polyline_length(&path.abstract_path);
        self.plan = path
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

    fn speak(&self, out: &mut Output) {
        let at = |[x, y, z]: [i32; 3]| area::place(Cell::new(x, y, z));
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
                out.line(format!("cost      {cost:.3} cells of plain ground"));
            }
        }
        out.line(format!(
            "plan      {} regions, {:.3} cells from centre to centre, over the {}",
            words::count(self.plan_regions as u64),
            self.plan_length,
            match self.baked_bytes {
                Some(bytes) => {
                    let bytes = words::count(bytes as u64);
                    let on: String = self
                        .variants
                        .iter()
                        .map(|name| format!(", {name}"))
                        .collect();
                    format!("frozen map ({bytes} bytes{on})")
                }
                None => "live ground".to_owned(),
            }
        ));
        out.line(format!(
            "pieces    {}, the dearest of {} cells expanded",
            words::count(self.segments.len() as u64),
            words::count(self.work.max_segment)
        ));
        out.line(format!(
            "expanded  {} regions and {} cells by {}",
            words::count(self.work.regions),
            words::count(self.work.cells),
            self.method
        ));
    }

    fn title(&self) -> String {
        let name = std::path::Path::new(&self.file).file_name();
        let name = name.unwrap_or_default().to_string_lossy();
        match self.length {
            Some(length) if self.found => format!(
                "{name}   {length:.1} cells in {} pieces by {}",
                words::count(self.segments.len() as u64),
                self.method
            ),
            _ => format!("{name}   no path: {}", self.outcome),
        }
    }
}
