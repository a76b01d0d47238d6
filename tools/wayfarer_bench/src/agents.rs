//! `bench agents`: registered agent types beside the default profile: paths, edits, bytes.
//!
//! Every sort of type gets queries of the lengths of the given problems: their own ends where it fits
//! there, moved or drawn ones elsewhere. The default profile runs the same queries. Edits run with a
//! growing number of registered types; each is undone by the next, so the ground stays the same.

use std::path::PathBuf;

use serde::Serialize;

use crate::error::BenchError;
use crate::load;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::{fixed, table};

mod edits;
mod paths;
mod problems;
mod sorts;

pub use sorts::{Sort, UnknownSort};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// Problems taken from each map, evenly spread over its list.
    pub sample: usize,
    /// The sorts of types whose paths are measured.
    pub sorts: Vec<Sort>,
    /// Numbers of registered types for the edits.
    pub types: Vec<usize>,
    /// How often each query runs after it ran once; the best time counts.
    pub runs: usize,
    /// Where ponds and edits lie.
    pub seed: u64,
}

/// Paths of one type by one method, and of the default profile on the same queries; means in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PathRow {
    /// The map's name.
    pub map: String,
    /// The sort of type.
    pub agent: String,
    /// The method.
    pub method: &'static str,
    /// Queries, each solved by both.
    pub n_queries: usize,
    /// Mean cells of the type's paths.
    pub cells: f64,
    /// Mean cells of the default profile's paths.
    pub walker_cells: f64,
    /// The type.
    pub us: f64,
    /// The default profile.
    pub walker_us: f64,
    /// Quotient of the two.
    pub ratio: f64,
}

/// Mean and 99th percentile, in microseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct EditTimes {
    /// Mean.
    pub mean: f64,
    /// 99th percentile.
    pub p99: f64,
}

/// Edits by sort.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct EditRow {
    /// A cell removed or put.
    pub cell: EditTimes,
    /// A cell's terrain changed.
    pub terrain: EditTimes,
    /// A modifier put on one cell or removed.
    pub cost: EditTimes,
    /// A thin wall put or removed.
    pub wall: EditTimes,
    /// A nav link between adjacent cells opened or closed.
    pub door: EditTimes,
    /// A solid of three by three cells placed or removed.
    pub solid: EditTimes,
}

/// One map with a number of types.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TypesRow {
    /// The map's name.
    pub map: String,
    /// Registered types.
    pub types: usize,
    /// Time of an edit, repair of all types included.
    pub edit_us: EditRow,
    /// Mean bytes of a layer.
    pub layer_bytes: f64,
    /// The same over the bytes of the ground.
    pub layer_ratio: f64,
    /// Mean of a `bounded` query over the types.
    pub path_us: f64,
}

/// Bytes of the layer of one sort of type.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayerRow {
    /// The map's name.
    pub map: String,
    /// The sort of type.
    pub agent: String,
    /// Bytes of its layer.
    pub layer_bytes: usize,
    /// The same over the bytes of the ground.
    pub layer_ratio: f64,
}

/// Paths, edits and bytes of agent types.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AgentFigures {
    /// The only row of `by_types`, if one number and one map were asked for.
    #[serde(flatten)]
    pub single: Option<TypesRow>,
    /// Paths map by map, type by type.
    pub paths: Vec<PathRow>,
    /// Bytes map by map, type by type.
    pub layers: Vec<LayerRow>,
    /// Edits map by map, number by number.
    pub by_types: Vec<TypesRow>,
    /// Wrong results.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Benchmark for Arguments {
    type Figures = AgentFigures;

    fn command(&self) -> String {
        CommandLine::new("agents")
            .option("maps", self.maps.display())
            .option("sample", self.sample)
            .list("agents", &self.sorts)
            .list("types", &self.types)
            .option("runs", self.runs)
            .option("seed", self.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<AgentFigures, BenchError> {
        let files = load::find(&self.maps)?;
        let mut figures = AgentFigures::default();
        for file in &files {
            progress(&file.name(), files.len());
            let set = file.load(Some(self.sample), 0)?;
            for sort in &self.sorts {
                paths::measure(&set, *sort, self, &mut figures)?;
            }
            for &types in &self.types {
                figures.by_types.push(edits::measure(&set, types, self)?);
            }
        }
        if let [only] = figures.by_types.as_slice() {
            figures.single = Some(only.clone());
        }
        Ok(figures)
    }
}

impl Figures for AgentFigures {
    const SCHEMA: &'static str = "wayfarer/bench-agents/2";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        let paths = table!(row in &self.paths;
            "map" => row.map.as_str(),
            "agent" => row.agent.as_str(),
            "method" => row.method,
            "queries" => row.n_queries,
            "cells" => row.cells,
            "walker cells" => row.walker_cells,
            "us" => row.us,
            "walker us" => row.walker_us,
            "ratio" => fixed(row.ratio, 2),
        );
        let layers = table!(row in &self.layers;
            "map" => row.map.as_str(),
            "agent" => row.agent.as_str(),
            "layer bytes" => row.layer_bytes,
            "of the ground" => fixed(row.layer_ratio, 3),
        );
        let edits = table!(row in &self.by_types;
            "map" => row.map.as_str(),
            "types" => row.types,
            "cell us" => row.edit_us.cell.mean,
            "p99" => row.edit_us.cell.p99,
            "terrain us" => row.edit_us.terrain.mean,
            "cost us" => row.edit_us.cost.mean,
            "wall us" => row.edit_us.wall.mean,
            "door us" => row.edit_us.door.mean,
            "solid us" => row.edit_us.solid.mean,
            "layer bytes" => row.layer_bytes,
            "of the ground" => fixed(row.layer_ratio, 3),
            "path us" => row.path_us,
        );
        format!("{paths}\n{layers}\n{edits}")
    }

    fn faults(&self) -> Vec<String> {
        self.faults.faults.clone()
    }
}
