//! Report of the planar benchmark.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics::{Spread, mean};

use super::Seen;
use crate::report::pretty_json;

/// How lengths compare with the shortest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// Sum over count.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// How many were compared.
    pub count: usize,
}

/// A baseline and one thing it was asked, beside the field's own answer.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct BaselineRow {
    /// The baseline.
    pub name: &'static str,
    /// What was asked.
    pub what: &'static str,
    /// What it took the field, in microseconds, on average.
    pub ours_us: f64,
    /// What it took the baseline.
    pub theirs_us: f64,
    /// How many times as long the baseline took.
    pub times_ours: f64,
    /// How many answers were compared.
    pub compared: usize,
    /// How many were not the same.
    pub different: usize,
}

/// A whole measurement of the field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlanarReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// Obstacles.
    #[serde(rename = "entities")]
    pub obstacles: usize,
    /// Number of path queries.
    pub queries: usize,
    /// Time to find a path, string pulling included.
    pub path_us: Option<Spread>,
    /// Moving every obstacle and sorting the field anew.
    pub update_us: Option<Spread>,
    /// Both together.
    pub tick_us: Option<Spread>,
    /// Moving one obstacle, its share of the sorting included: the mean, in nanoseconds.
    pub update_ns: Option<f64>,
    /// Finding all overlapping pairs.
    pub pairs_us: Option<Spread>,
    /// The same through the spaces of the tree, on the oracle's ticks.
    pub pairs_tree_us: Option<Spread>,
    /// Mean nanoseconds of one ray cast of up to 2,000 cells along each axis.
    pub ray_ns: Option<f64>,
    /// How many pairs there were.
    pub pairs: Option<f64>,
    /// Spaces of the tree, 0 where it was not used.
    pub spaces: Option<Spread>,
    /// Expansions.
    pub expansions: Option<Spread>,
    /// Waypoints of a path.
    pub points: Option<f64>,
    /// Lengths against the shortest there is.
    pub length_ratio: Option<Ratio>,
    /// Lengths against the straight line.
    pub straight_ratio: Option<f64>,
    /// The baselines beside, if wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<BaselineRow>,
    /// Unreachable requests.
    pub unreachable: usize,
    /// Answers that were wrong.
    pub wrong: usize,
    /// What was wrong with the first ten.
    pub faults: Vec<String>,
}

impl PlanarReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-planar/2";

    pub(super) fn new(command: String, machine: Machine, calibration: f64, seen: Seen) -> Self {
        let micro = |numbers: &[f64]| -> Option<Spread> {
            Spread::of(&mut numbers.iter().map(|ns| ns / 1000.0).collect::<Vec<_>>())
        };
        let ticks: Vec<f64> = (seen.path_ns.iter().zip(&seen.update_ns))
            .map(|(path, update)| path + update)
            .collect();
        let moving = seen.n_moving.max(1) as f64;
        let ratio = mean(&seen.ratios).map(|mean| Ratio {
            mean,
            max: seen.ratios.iter().copied().fold(0.0, f64::max),
            count: seen.ratios.len(),
        });
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            obstacles: seen.n_obstacles,
            queries: seen.path_ns.len(),
            path_us: micro(&seen.path_ns),
            update_us: micro(&seen.update_ns),
            tick_us: micro(&ticks),
            update_ns: mean(&seen.update_ns).map(|ns| ns / moving),
            pairs_us: micro(&seen.pairs_ns),
            pairs_tree_us: micro(&seen.pairs_tree_ns),
            ray_ns: mean(&seen.ray_ns),
            pairs: mean(&seen.n_pairs),
            spaces: Spread::of(&mut seen.spaces.clone()),
            expansions: Spread::of(&mut seen.expansions.clone()),
            points: mean(&seen.turns),
            length_ratio: ratio,
            straight_ratio: mean(&seen.straight),
            baselines: seen.baselines,
            unreachable: seen.n_unreachable,
            wrong: seen.faults.len(),
            faults: seen.faults.into_iter().take(10).collect(),
        }
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}
