//! `wayfarer info`: the contents of a file, counted.

mod journal;
mod obstacles;
mod saved;
mod trace;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use wayfarer_engine::base::collections::OrderedMap;
use wayfarer_engine::base::{Raster, Terrain, WorldData};
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::picture::Picture;
use wayfarer_engine::world::ground::import::Imported;

use crate::air::{self, AirFacts};
use crate::baked::{self, BakedFacts};
use crate::failure::{Failure, Verdict};
use crate::ground::{self, GroundFacts};
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;
use journal::JournalFacts;
use obstacles::ObstacleFacts;
use saved::SavedFacts;

/// Count what a file holds
///
/// Cells, components, regions and memory of a world; problems of a scenario; edits of a
/// trace; commands of a journal.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer info caves.map
  wayfarer info tower.world --json -
  wayfarer info caves.map.scen
  wayfarer info belt.3dmap
  wayfarer info caves.frozen
  wayfarer info castle.wayfarer
  wayfarer info caves.d
  wayfarer info dungeon.obj --air --voxel 0.25")]
pub(crate) struct Info {
    /// A world of any format, a scenario, edits, a baked abstraction, or the folder of a journal
    file: PathBuf,
    /// Build the air too: of a mesh, of heights, or of a .world without boxes and voxels
    #[arg(long)]
    air: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize, Default)]
struct Report {
    file: String,
    format: &'static str,
    width: u32,
    height: u32,
    low: Option<[i32; 2]>,
    heights: Option<(i32, i32)>,
    height_bands: usize,
    cells: u64,
    terrains: OrderedMap<String, u64>,
    walkable: u64,
    /// Connected components, and the cells of the largest.
    components: Option<u64>,
    largest_component: Option<u64>,
    /// Sectors, regions, portals, memory.
    ground: Option<GroundFacts>,
    /// Why the file has no ground.
    no_ground: Option<String>,
    nav_links: OrderedMap<&'static str, u64>,
    walls: usize,
    boxes: usize,
    voxels: usize,
    triangles: usize,
    /// The octree: layers, nodes, components, memory.
    air: Option<AirFacts>,
    /// The rest of a saved world.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<SavedFacts>,
}

impl Info {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(self.json.file())?;
        if self.file.is_dir() {
            let facts = JournalFacts::read(&self.file)?;
            let mut out = Output::default();
            out.line(words::facts(&facts.rows()).trim_end());
            out.json(&self.json, "info/2", &facts)?;
            out.finish()?;
            return Ok(Verdict::Done);
        }
        let bytes = load::bytes(&self.file)?;
        let format = load::format(&self.file, &bytes, &self.reading)?;
        let mut out = Output::default();
        let facts = if let Some(trace) = trace::read(&bytes, format) {
            let reading = self.reading.check(format, false);
            reading.map_err(|error| Failure::for_file(&self.file, error))?;
            let mut trace = trace.map_err(|error| Failure::for_file(&self.file, error))?;
            trace.file = self.file.display().to_string();
            out.json(&self.json, "info/3", &trace)?;
            trace.facts()
        } else if format == FileFormat::Obstacles {
            let wrong = |reason: String| Failure::for_file(&self.file, reason);
            self.reading.check(format, false).map_err(wrong)?;
            let facts = ObstacleFacts::new(&self.file, &bytes).map_err(wrong)?;
            out.json(&self.json, "info/3", &facts)?;
            facts.rows()
        } else if format == FileFormat::Baked {
            let reading = self.reading.check(format, false);
            reading.map_err(|error| Failure::for_file(&self.file, error))?;
            let baked = baked::read(&self.file)?;
            let facts = BakedFacts::new(&self.file, &baked, bytes.len());
            out.json(&self.json, "info/3", &facts)?;
            facts.rows()
        } else {
            let report = self.world(&bytes, format)?;
            out.json(&self.json, "info/3", &report)?;
            report.facts()
        };
        out.line(words::facts(&facts).trim_end());
        out.finish()?;
        Ok(Verdict::Done)
    }

    fn world(&self, bytes: &[u8], format: FileFormat) -> Result<Report, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::for_file(&self.file, error);
        let world = load::read(bytes, format, &self.reading).map_err(|error| wrong(&error))?;
        let picture = world.picture();
        let mut report = Report {
            file: self.file.display().to_string(),
            format: format.name(),
            ..Report::default()
        };
        report.measure(&picture);
        match &world {
            Loaded::Flat(map) => report.flat(map),
            Loaded::Data(data) => report.world_data(data),
            Loaded::Voxels(voxels) => report.voxels = voxels.solid().len(),
            Loaded::Mesh(soup) => report.triangles = soup.triangles().len(),
            Loaded::Saved(world) => {
                report.world_data(&world.ground().to_data());
                report.saved = Some(SavedFacts::new(world));
            }
            Loaded::Heights(map) => {
                for _ in map.heights() {
                    report.count(Terrain::GROUND);
                }
            }
        }
        let imported = match &world {
            Loaded::Voxels(_) => None,
            _ => Some(ground::import(&world, &self.reading)),
        };
        match imported {
            None => {}
            Some(Ok(imported)) => report.ground(&imported),
            // Heights and meshes have import options: a failed import is an error.
            Some(Err(reason)) if matches!(world, Loaded::Heights(_) | Loaded::Mesh(_)) => {
                return Err(wrong(&reason));
            }
            Some(Err(reason)) => report.no_ground = Some(reason),
        }
        let has_air = matches!(&world, Loaded::Saved(world) if world.air().is_some());
        if self.air || has_air || air::has_voxels(&world) {
            let (made, boundary_edges) =
                air::import(&world, &self.reading).map_err(|error| wrong(&error))?;
            report.air = Some(AirFacts::new(&made, &boundary_edges));
        }
        Ok(report)
    }
}

impl Report {
    fn measure(&mut self, picture: &Picture) {
        let bounds = picture.bounds();
        self.width = bounds.width();
        self.height = bounds.height();
        self.low = (!bounds.is_empty()).then_some([bounds.low.x, bounds.low.y]);
        self.heights = picture.heights();
        self.height_bands = picture.height_bands().len();
    }

    fn count(&mut self, terrain: Terrain) {
        self.cells += 1;
        *self.terrains.entry(terrain.to_string()).or_default() += 1;
    }

    fn flat(&mut self, map: &Raster) {
        for at in map.rect().columns() {
            if let Some(terrain) = map.get(at.x, at.y) {
                self.count(terrain);
            }
        }
    }

    fn ground(&mut self, imported: &Imported) {
        let facts = GroundFacts::new(imported);
        self.walkable = facts.walkable;
        self.components = Some(facts.components);
        self.largest_component = Some(facts.largest_component);
        self.ground = Some(facts);
    }

    fn world_data(&mut self, data: &WorldData) {
        // Of duplicate cells the last counts.
        let cells: OrderedMap<_, _> = data.cells.iter().copied().collect();
        for terrain in cells.into_values() {
            self.count(terrain);
        }
        for nav_link in &data.nav_links {
            *self.nav_links.entry(nav_link.kind.name()).or_default() += 1;
        }
        self.walls = data.walls.len();
        self.boxes = data.boxes.len();
        self.voxels = data.voxels.len();
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let mut row = |name: &str, value: String| facts.push((name.to_owned(), value));
        row("file", self.file.clone());
        row("format", self.format.to_owned());
        row("size", format!("{} x {} cells", self.width, self.height));
        if let Some([x, y]) = self.low.filter(|low| *low != [0, 0]) {
            row("north-west cell", format!("{x},{y}"));
        }
        if let Some((low, high)) = self.heights.filter(|(low, high)| low != high) {
            row("heights", format!("{low} to {high}"));
            row("height bands", self.height_bands.to_string());
        }
        if self.cells > 0 {
            row("cells", words::count(self.cells));
            for (terrain, count) in &self.terrains {
                row(&format!("  {terrain}"), words::count(*count));
            }
        }
        if self.ground.is_some() {
            row("walkable", words::count(self.walkable));
        }
        if let Some(reason) = &self.no_ground {
            row("no ground", reason.clone());
        }
        for (kind, count) in &self.nav_links {
            row(&format!("nav links: {kind}"), words::count(*count));
        }
        let rest = [
            ("walls", self.walls),
            ("boxes", self.boxes),
            ("solid voxels", self.voxels),
            ("triangles", self.triangles),
        ];
        for (name, count) in rest.into_iter().filter(|(_, count)| *count > 0) {
            row(name, words::count(count as u64));
        }
        facts.extend(self.saved.iter().flat_map(SavedFacts::rows));
        facts.extend(self.ground.iter().flat_map(GroundFacts::rows));
        facts.extend(self.air.iter().flat_map(AirFacts::rows));
        facts
    }
}
