//! The ground of a world of any format, and its statistics.

use serde::Serialize;
use wayfarer_engine::base::collections::{OrderedMap, OrderedSet};
use wayfarer_engine::world::ground::import::{
    self, HeightmapImportOptions, ImportReport, Imported, MeshImportOptions,
};
use wayfarer_engine::world::ground::{Ground, MemoryReport};

use crate::load::{Loaded, Reading};
use crate::words;

/// Imports the ground of a world.
///
/// # Errors
/// The world has no ground, or it exceeds the limits.
pub(crate) fn import(world: &Loaded, reading: &Reading) -> Result<Imported, String> {
    let made = match world {
        Loaded::Flat(map) => return Ok(import::from_raster(map)),
        Loaded::Data(data) => import::from_data(data),
        Loaded::Heights(map) => {
            let options = HeightmapImportOptions {
                meters_per_step: reading.step(),
                max_slope: reading.max_slope,
                no_data: reading.no_data,
                ..HeightmapImportOptions::default()
            };
            import::from_heightmap(map, &options)
        }
        Loaded::Mesh(soup) => {
            let defaults = MeshImportOptions::default();
            let options = MeshImportOptions {
                step: reading.step(),
                max_slope: reading.max_slope.unwrap_or(defaults.max_slope),
                ..defaults
            };
            import::from_mesh(soup, &options)
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

/// Statistics of a ground.
#[derive(Serialize, Default)]
pub(crate) struct GroundFacts {
    /// Cells that are walkable for the default profile.
    pub(crate) walkable: u64,
    sectors: u64,
    sheets: u64,
    regions: u64,
    /// Portals between regions, each counted once.
    portals: u64,
    /// Steps across the widest of them in one direction.
    widest_portal: u32,
    /// Connected components, and the cells of the largest.
    pub(crate) components: u64,
    pub(crate) largest_component: u64,
    memory_bytes: usize,
    memory: Memory,
    /// What of the file did not become a floor.
    skipped: Vec<Skipped>,
    /// Heights: adjacent floors without a step in either direction.
    cliffs: u64,
    /// Meshes: edges of one triangle only.
    open_edges: u64,
}

/// Bytes by use.
#[derive(Serialize, Default)]
struct Memory {
    pages: usize,
    sheets: usize,
    regions: usize,
    details: usize,
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
    pub(crate) fn new(Imported { ground, report }: &Imported) -> Self {
        let (cells, regions, sheets) = ground.counts();
        let mut facts = Self {
            walkable: cells as u64,
            sheets: sheets as u64,
            regions: regions as u64,
            skipped: skipped(report),
            cliffs: report.n_cliffs,
            open_edges: report.n_boundary_edges,
            ..Self::default()
        };
        facts.count(ground);
        facts.set_memory(&ground.memory_report());
        facts
    }

    fn count(&mut self, ground: &Ground) {
        let mut sectors = OrderedSet::new();
        let mut sizes: OrderedMap<_, u64> = OrderedMap::new();
        for region in ground.regions() {
            sectors.insert(ground.sector_of(region));
            let size = sizes.entry(ground.component_of_region(region)).or_default();
            *size += u64::from(ground.region_cell_counts(region).0);
            ground.for_each_portal(region, |portal| {
                // A portal passable in both directions is visited from both sides.
                self.portals += u64::from(region < portal.to);
                self.widest_portal = self.widest_portal.max(portal.support.into());
            });
        }
        self.sectors = sectors.len() as u64;
        self.components = sizes.len() as u64;
        self.largest_component = sizes.values().copied().max().unwrap_or(0);
    }

    fn set_memory(&mut self, report: &MemoryReport) {
        self.memory_bytes = report.total();
        self.memory = Memory {
            pages: report.pages,
            sheets: report.sheets,
            regions: report.regions,
            details: report.details,
            features: report.features,
            cost_modifiers: report.cost_modifiers,
            components: report.components,
        };
    }

    /// Names and values for the terminal.
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
            ("  sheet details", memory.details),
            ("  walls, nav links", memory.features),
            ("  cost modifiers", memory.cost_modifiers),
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
        for skipped in &self.skipped {
            let first = skipped
                .first
                .first()
                .map(|[x, y, z]| format!("{x},{y},{z}"));
            row(
                &format!("skipped: {}", skipped.reason),
                format!(
                    "{}, first {}",
                    words::count(skipped.count),
                    first.unwrap_or_default()
                ),
            );
        }
        rows
    }
}

fn skipped(report: &ImportReport) -> Vec<Skipped> {
    let skipped = |dropped: &import::Dropped| Skipped {
        reason: dropped.reason.to_string(),
        count: dropped.count,
        first: dropped.first.iter().map(|at| [at.x, at.y, at.z]).collect(),
    };
    report.dropped.iter().map(skipped).collect()
}
