//! Figures of the ground benchmark, beside those published for \[Sturtevant2011\].

use serde::Serialize;
use wayfarer_measure::statistics::{self, Spread};

use super::profiles::{ProfileRow, ProfileTotals};
use crate::report::{Figures, in_part};
use crate::table::{SpreadTable, table};

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

/// One map.
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
    /// The strip in the middle, if it has a walkable cell.
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
    /// Sectors with a walkable cell.
    pub n_sectors: usize,
    /// Those with several regions.
    pub n_shared_sectors: usize,
    /// Registered profiles, if requested.
    pub profiles: Vec<ProfileRow>,
    /// Wrong results.
    pub faults: Vec<String>,
}

/// Memory, build, successors and edits. Spreads are over maps, but those of single cells, which are
/// over edits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroundFigures {
    /// Maps measured.
    pub n_maps: usize,
    /// Walkable cells of all of them.
    pub n_cells: usize,
    /// Wrong results; see the maps.
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
    /// The same, direction by direction.
    pub successors_single_ns: f64,
    /// Maps with walkable cells in the middle strip.
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
    /// Sectors with a walkable cell, all maps.
    pub n_sectors: usize,
    /// Those with several regions.
    pub n_shared_sectors: usize,
    /// Registered profiles, if requested.
    pub profiles: Vec<ProfileTotals>,
    /// Map by map.
    pub maps: Vec<MapRow>,
}

impl GroundFigures {
    /// The totals over all maps.
    pub fn new(maps: Vec<MapRow>) -> Self {
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
}

/// Figures of \[Sturtevant2011\], sectors of 16 where it matters; times are of its own machine.
mod published {
    pub(super) const MEMORY: [&str; 2] = ["93,064", "519,292"];
    pub(super) const SUCCESSORS: [&str; 2] = ["100 to 240", ""];
    pub(super) const CUT: [&str; 2] = ["172", "804"];
    pub(super) const ADD: [&str; 2] = ["100", "207"];
    pub(super) const ONE_BY_ONE: [&str; 2] = ["about 2", ""];
    pub(super) const NONE: [&str; 2] = ["", ""];
}

impl Figures for GroundFigures {
    const SCHEMA: &'static str = "wayfarer/bench-ground/2";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn summary(&self) -> String {
        format!(
            "{} maps, {} walkable cells, {} of {} sectors with several regions, {} maps with cells in the middle strip",
            self.n_maps, self.n_cells, self.n_shared_sectors, self.n_sectors, self.n_center_strips
        )
    }

    fn render(&self) -> String {
        use published::{ADD, CUT, MEMORY, NONE, ONE_BY_ONE, SUCCESSORS};
        let mut table = SpreadTable::new("", ["2011 mean", "2011 max"]);
        for (name, spread, published) in [
            ("memory, bytes", self.memory_bytes, MEMORY),
            (
                "memory after 1,000 edits, bytes",
                self.memory_after_edits_bytes,
                NONE,
            ),
            ("cut middle strip, us", self.cut99_us, CUT),
            ("add middle strip, us", self.add99_us, ADD),
            ("cut busiest strip, us", self.busiest_cut99_us, NONE),
            ("add busiest strip, us", self.busiest_add99_us, NONE),
            ("both, CPU caches cold, us", self.cold_edit_us, NONE),
            (
                "cut middle strip cell by cell, us",
                self.cut99_one_by_one_us,
                NONE,
            ),
            (
                "add middle strip cell by cell, us",
                self.add99_one_by_one_us,
                NONE,
            ),
            ("one cell, us", self.edit1_us, NONE),
            ("  in sectors with one region", self.edit1_lone_us, NONE),
            (
                "  in sectors with several regions",
                self.edit1_shared_us,
                NONE,
            ),
        ] {
            table.row(name, spread, published.map(str::to_owned));
        }
        for (name, figure, published) in [
            (
                "build, ns per walkable cell",
                Some(self.build_ns_per_cell),
                NONE,
            ),
            (
                "all successors of a cell, ns",
                Some(self.successors_ns),
                SUCCESSORS,
            ),
            (
                "  cells in random order",
                Some(self.successors_random_ns),
                NONE,
            ),
            (
                "  direction by direction",
                Some(self.successors_single_ns),
                NONE,
            ),
            (
                "cut cell by cell over one batch",
                self.cut99_one_by_one_ratio,
                ONE_BY_ONE,
            ),
            (
                "add cell by cell over one batch",
                self.add99_one_by_one_ratio,
                ONE_BY_ONE,
            ),
            (
                "bits once per sector, bytes",
                Some(self.shared_grid_bytes),
                NONE,
            ),
            (
                "bits once per region, bytes",
                Some(self.region_grid_bytes),
                NONE,
            ),
        ] {
            table.mean(name, figure, published.map(str::to_owned));
        }
        let mut text = table.render();
        if !self.profiles.is_empty() {
            text += &format!("\n{}", self.render_profiles());
        }
        text
    }

    fn faults(&self) -> Vec<String> {
        let maps = self.maps.iter();
        maps.flat_map(|row| in_part(&row.map, &row.faults))
            .collect()
    }
}

impl GroundFigures {
    /// Registered profiles beside the ground without any.
    fn render_profiles(&self) -> String {
        let none = ProfileTotals {
            agent: "none",
            n_cells: self.n_cells,
            build_ns_per_cell: self.build_ns_per_cell,
            memory_bytes: self.memory_bytes,
            memory_ratio: 1.0,
            cut99_us: self.cut99_us,
            add99_us: self.add99_us,
            edit1_us: self.edit1_us,
        };
        table!(row in [&none].into_iter().chain(&self.profiles);
            "profile" => row.agent,
            "cells" => row.n_cells,
            "build ns" => row.build_ns_per_cell,
            "bytes" => row.memory_bytes.map(|it| it.mean),
            "max" => row.memory_bytes.map(|it| it.max),
            "of ground" => row.memory_ratio,
            "cut us" => row.cut99_us.map(|it| it.mean),
            "max" => row.cut99_us.map(|it| it.max),
            "add us" => row.add99_us.map(|it| it.mean),
            "max" => row.add99_us.map(|it| it.max),
            "cell us" => row.edit1_us.map(|it| it.mean),
            "max" => row.edit1_us.map(|it| it.max),
        )
    }
}
