//! Report of the ground benchmark.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::{self, Spread};

use super::profiles::{ProfileRow, ProfileTotals};
use crate::report::pretty_json;

/// A strip cut out and put back; times in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Strip {
    /// Walkable cells in it.
    pub n_cells: usize,
    /// Cutting all of it in one batch.
    pub cut_us: f64,
    /// Putting it back in one batch.
    pub add_us: f64,
    /// Cutting it with nothing in the caches, once.
    pub cold_cut_us: f64,
    /// Putting it back with nothing in the caches, once.
    pub cold_add_us: f64,
    /// Cutting it with a batch for each cell, all batches together.
    pub cut_one_by_one_us: f64,
    /// Putting it back with a batch for each cell, all batches together.
    pub add_one_by_one_us: f64,
}

/// What was measured on one map.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MapRow {
    /// Its name.
    pub map: String,
    /// Walkable cells.
    pub n_cells: usize,
    /// Bytes on the heap once built.
    pub memory_bytes: usize,
    /// The same after 1,000 random edits, scratch given back.
    pub memory_after_edits_bytes: usize,
    /// Building it from a map in memory, nanoseconds.
    pub build_ns: f64,
    /// All steps from all cells, in the order they are kept, nanoseconds.
    pub steps_ns: f64,
    /// The same in random order.
    pub random_steps_ns: f64,
    /// The same direction by direction.
    pub single_steps_ns: f64,
    /// The strip in the middle, if something is there.
    #[serde(rename = "middle")]
    pub center: Option<Strip>,
    /// The strip with most cells.
    pub busiest: Option<Strip>,
    /// Single cells cleared and set in sectors with one region, each edit's best, microseconds.
    #[serde(skip)]
    pub lone_edit1_us: Vec<f64>,
    /// The same in sectors with several.
    #[serde(skip)]
    pub shared_edit1_us: Vec<f64>,
    /// Bytes of bits, kept once for all regions of a sector.
    pub shared_grid_bytes: usize,
    /// Bytes of bits, were they kept for each region.
    pub region_grid_bytes: usize,
    /// Sectors with something to walk on.
    pub n_sectors: usize,
    /// Those with several regions.
    pub n_shared_sectors: usize,
    /// Views of other agents, if they were asked for.
    pub profiles: Vec<ProfileRow>,
    /// What was wrong.
    pub faults: Vec<String>,
}

/// A whole measurement of the ground. Spreads are over maps, but those of single cells, which are
/// over edits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroundReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// Maps measured.
    pub n_maps: usize,
    /// Walkable cells of all of them.
    pub n_cells: usize,
    /// Answers that were wrong; see the maps.
    pub wrong: usize,
    /// Bytes on the heap once built.
    pub memory_bytes: Option<Spread>,
    /// The same after 1,000 random edits, scratch given back.
    pub memory_after_edits_bytes: Option<Spread>,
    /// Building from a map in memory, per walkable cell.
    pub build_ns_per_cell: f64,
    /// All steps of a cell with their costs, cells in the order they are kept.
    pub successors_ns: f64,
    /// The same, cells in random order.
    pub successors_random_ns: f64,
    /// The same, asked direction by direction.
    pub successors_single_ns: f64,
    /// Maps that have something in the middle strip.
    #[serde(rename = "n_middle_strips")]
    pub n_center_strips: usize,
    /// Cutting the middle strip: each map's median of 21.
    pub cut99_us: Option<Spread>,
    /// Putting it back.
    pub add99_us: Option<Spread>,
    /// Cutting the strip with most cells.
    pub busiest_cut99_us: Option<Spread>,
    /// Putting it back.
    pub busiest_add99_us: Option<Spread>,
    /// The four of them with nothing in the caches, each once.
    pub cold_edit_us: Option<Spread>,
    /// Cutting the middle strip with a batch for each cell.
    pub cut99_one_by_one_us: Option<Spread>,
    /// Putting it back with a batch for each cell.
    pub add99_one_by_one_us: Option<Spread>,
    /// How many times as long that takes as one batch, cutting.
    pub cut99_one_by_one_ratio: Option<f64>,
    /// The same, putting back.
    pub add99_one_by_one_ratio: Option<f64>,
    /// Clearing or setting one cell: each edit's best of 5.
    pub edit1_us: Option<Spread>,
    /// The same in sectors with one region.
    pub edit1_lone_us: Option<Spread>,
    /// The same in sectors with several.
    pub edit1_shared_us: Option<Spread>,
    /// Bytes of bits kept once for all regions of a sector, mean over maps.
    pub shared_grid_bytes: f64,
    /// Bytes of bits, were they kept for each region, mean over maps.
    pub region_grid_bytes: f64,
    /// Sectors with something to walk on, all maps.
    pub n_sectors: usize,
    /// Those with several regions.
    pub n_shared_sectors: usize,
    /// Views of other agents, if they were asked for.
    pub profiles: Vec<ProfileTotals>,
    /// Map by map.
    pub maps: Vec<MapRow>,
}

impl GroundReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-ground/2";

    /// The totals over all maps.
    pub fn new(command: String, machine: Machine, calibration: f64, maps: Vec<MapRow>) -> Self {
        let n_cells: usize = maps.iter().map(|map| map.n_cells).sum();
        let spread = |figure: &dyn Fn(&MapRow) -> Option<f64>| {
            let mut figures: Vec<f64> = maps.iter().filter_map(figure).collect();
            Spread::of(&mut figures)
        };
        let center = |figure: fn(&Strip) -> f64| spread(&|map| map.center.as_ref().map(figure));
        let busiest = |figure: fn(&Strip) -> f64| spread(&|map| map.busiest.as_ref().map(figure));
        let per_cell = |figure: fn(&MapRow) -> f64| {
            let sum: f64 = maps.iter().map(figure).sum();
            sum / n_cells.max(1) as f64
        };
        let mean = |figure: fn(&MapRow) -> usize| {
            let figures: Vec<f64> = maps.iter().map(|map| figure(map) as f64).collect();
            statistics::mean(&figures).unwrap_or(0.0)
        };
        let strips = maps
            .iter()
            .flat_map(|map| map.center.iter().chain(&map.busiest));
        let mut cold: Vec<f64> = strips
            .flat_map(|strip| [strip.cold_cut_us, strip.cold_add_us])
            .collect();
        let all = |figures: fn(&MapRow) -> &Vec<f64>| {
            let all = maps.iter().flat_map(|map| figures(map).iter().copied());
            all.collect::<Vec<f64>>()
        };
        let (mut lone, mut shared) = (
            all(|map| &map.lone_edit1_us),
            all(|map| &map.shared_edit1_us),
        );
        let mut both: Vec<f64> = lone.iter().chain(&shared).copied().collect();
        let (cut99_us, add99_us) = (center(|strip| strip.cut_us), center(|strip| strip.add_us));
        let cut99_one_by_one_us = center(|strip| strip.cut_one_by_one_us);
        let add99_one_by_one_us = center(|strip| strip.add_one_by_one_us);
        let ratio = |of: Option<Spread>, to: Option<Spread>| Some(of?.mean / to?.mean);
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            n_maps: maps.len(),
            n_cells,
            wrong: maps.iter().map(|map| map.faults.len()).sum(),
            memory_bytes: spread(&|map| Some(map.memory_bytes as f64)),
            memory_after_edits_bytes: spread(&|map| Some(map.memory_after_edits_bytes as f64)),
            build_ns_per_cell: per_cell(|map| map.build_ns),
            successors_ns: per_cell(|map| map.steps_ns),
            successors_random_ns: per_cell(|map| map.random_steps_ns),
            successors_single_ns: per_cell(|map| map.single_steps_ns),
            n_center_strips: maps.iter().filter(|map| map.center.is_some()).count(),
            cut99_us,
            add99_us,
            busiest_cut99_us: busiest(|strip| strip.cut_us),
            busiest_add99_us: busiest(|strip| strip.add_us),
            cold_edit_us: Spread::of(&mut cold),
            cut99_one_by_one_us,
            add99_one_by_one_us,
            cut99_one_by_one_ratio: ratio(cut99_one_by_one_us, cut99_us),
            add99_one_by_one_ratio: ratio(add99_one_by_one_us, add99_us),
            edit1_us: Spread::of(&mut both),
            edit1_lone_us: Spread::of(&mut lone),
            edit1_shared_us: Spread::of(&mut shared),
            shared_grid_bytes: mean(|map| map.shared_grid_bytes),
            region_grid_bytes: mean(|map| map.region_grid_bytes),
            n_sectors: maps.iter().map(|map| map.n_sectors).sum(),
            n_shared_sectors: maps.iter().map(|map| map.n_shared_sectors).sum(),
            profiles: ProfileTotals::all(
                &maps.iter().map(|map| &map.profiles[..]).collect::<Vec<_>>(),
                n_cells,
                maps.iter().map(|map| map.memory_bytes).sum(),
            ),
            maps,
        }
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}
