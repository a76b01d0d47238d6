//! The ground of a world of any format, and what can be counted in it.

use serde::Serialize;
use wayfarer::base::collections::{OrderedMap, OrderedSet};
use wayfarer::world::ground::import::{
    self, HeightmapImportOptions, ImportReport, Imported, MeshImportOptions,
};
use wayfarer::world::ground::{Ground, MemoryReport};

use crate::load::{Loaded, Reading};
use crate::words;

/// The ground of a world, or why there is none.
pub(crate) fn import(world: &Loaded, reading: &Reading) -> Result<Imported, String> {
    let made = match world {
        Loaded::Flat(map) => return Ok(import::from_raster(map)),
        Loaded::Plan(plan) => import::from_plan(plan),
        Loaded::Heights(map) => {
            let rules = HeightmapImportOptions {
                meters_per_step: reading.step(),
                steepest: reading.steepest,
                no_data: reading.no_data,
                ..HeightmapImportOptions::default()
            };
            import::from_heightmap(map, &rules)
        }
        Loaded::Mesh(soup) => {
            let rules = MeshImportOptions::default();
            let rules = MeshImportOptions {
                step: reading.step(),
                steepest: reading.steepest.unwrap_or(rules.steepest),
                ..rules
            };
            import::from_mesh(soup, &rules)
        }
        Loaded::Saved(world) => {
            return Ok(Imported {
                ground: world.ground().clone(),
                report: ImportReport::default(),
            });
        }
        Loaded::Voxels(_) => return Err("there is no ground in this file".to_owned()),
    };
    made.map_err(|error| error.to_string())
}

/// What follows from a ground, counted.
#[derive(Serialize, Default)]
pub(crate) struct GroundFacts {
    /// Cells that the world's walker can stand on.
    pub(crate) walkable: u64,
    sectors: u64,
    sheets: u64,
    regions: u64,
    /// Borders between regions, each once.
    portals: u64,
    /// Steps across the widest of them, one way.
    widest_portal: u32,
    /// Parts that no chain of steps joins, and the cells of the largest.
    pub(crate) components: u64,
    pub(crate) largest_component: u64,
    memory_bytes: usize,
    memory: Memory,
    /// What of the file did not become a floor.
    left_out: Vec<Skipped>,
    /// Heights: neighbors between which the walker can step neither way.
    cliffs: u64,
    /// Meshes: edges that no second triangle closes.
    open_edges: u64,
}

/// Bytes by what they are for.
#[derive(Serialize, Default)]
struct Memory {
    pages: usize,
    sheets: usize,
    regions: usize,
    planes: usize,
    features: usize,
    cost_modifiers: usize,
    components: usize,
}

#[derive(Serialize)]
struct Skipped {
    reason: String,
    count: u64,
    first: Vec<[i32; 3]>,
}

impl GroundFacts {
    pub(crate) fn of(Imported { ground, report }: &Imported) -> Self {
        let (cells, regions, sheets) = ground.counts();
        let mut facts = Self {
            walkable: cells as u64,
            sheets: sheets as u64,
            regions: regions as u64,
            left_out: left_out(report),
            cliffs: report.n_cliffs,
            open_edges: report.n_leaks,
            ..Self::default()
        };
        facts.count(ground);
        facts.weigh(&ground.memory_report());
        facts
    }

    fn count(&mut self, ground: &Ground) {
        let mut sectors = OrderedSet::new();
        let mut sizes: OrderedMap<_, u64> = OrderedMap::new();
        for region in ground.regions() {
            sectors.insert(ground.sector_of(region));
            let size = sizes.entry(ground.component_of_region(region)).or_default();
            *size += u64::from(ground.counts_of(region).0);
            ground.for_portals(region, |portal| {
                // A border that can be crossed both ways is met from both sides.
                self.portals += u64::from(region < portal.to);
                self.widest_portal = self.widest_portal.max(portal.support.into());
            });
        }
        self.sectors = sectors.len() as u64;
        self.components = sizes.len() as u64;
        self.largest_component = sizes.values().copied().max().unwrap_or(0);
    }

    fn weigh(&mut self, report: &MemoryReport) {
        self.memory_bytes = report.total();
        self.memory = Memory {
            pages: report.pages,
            sheets: report.sheets,
            regions: report.regions,
            planes: report.planes,
            features: report.features,
            cost_modifiers: report.cost_modifiers,
            components: report.components,
        };
    }

    /// As names and values to read.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
        row("components", words::count(self.components));
        row("  largest", words::count(self.largest_component));
        row("sectors", words::count(self.sectors));
        row("sheets", words::count(self.sheets));
        row("regions", words::count(self.regions));
        row("portals", words::count(self.portals));
        row(
            "  widest",
            format!("{} steps", words::count(self.widest_portal.into())),
        );
        row(
            "memory",
            format!("{} bytes", words::count(self.memory_bytes as u64)),
        );
        let memory = &self.memory;
        for (name, bytes) in [
            ("  pages", memory.pages),
            ("  sheets", memory.sheets),
            ("  regions", memory.regions),
            ("  planes", memory.planes),
            ("  walls, passages", memory.features),
            ("  effects", memory.cost_modifiers),
            ("  components", memory.components),
        ] {
            if bytes > 0 {
                row(name, words::count(bytes as u64));
            }
        }
        for (name, count) in [("cliffs", self.cliffs), ("open edges", self.open_edges)] {
            if count > 0 {
                row(name, words::count(count));
            }
        }
        for left in &self.left_out {
            let first = left.first.first().map(|[x, y, z]| format!("{x},{y},{z}"));
            row(
                &format!("left out: {}", left.reason),
                format!(
                    "{}, first {}",
                    words::count(left.count),
                    first.unwrap_or_default()
                ),
            );
        }
        rows
    }
}

fn left_out(report: &ImportReport) -> Vec<Skipped> {
    let plain = |dropped: &import::Dropped| Skipped {
        reason: dropped.reason.to_string(),
        count: dropped.count,
        first: dropped.first.iter().map(|at| [at.x, at.y, at.z]).collect(),
    };
    report.dropped.iter().map(plain).collect()
}
