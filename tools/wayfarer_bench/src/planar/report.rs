//! Figures of the planar benchmark.

use serde::Serialize;
use wayfarer_measure::statistics::{Spread, mean};

use super::Seen;
use crate::report::{Figures, MAX_FAULTS_SHOWN};
use crate::table::{fixed, spreads, table};

/// How lengths compare with the shortest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// Sum over count.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// Compared paths.
    pub count: usize,
}

/// One kind of query on a baseline and on the obstacle set.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct BaselineRow {
    /// The baseline.
    pub name: &'static str,
    /// The query.
    pub what: &'static str,
    /// Mean microseconds of the obstacle set.
    pub ours_us: f64,
    /// Mean microseconds of the baseline.
    pub theirs_us: f64,
    /// The second over the first.
    pub times_ours: f64,
    /// Compared results.
    pub compared: usize,
    /// Different results.
    pub different: usize,
}

/// Paths among moving obstacles.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlanarFigures {
    /// Obstacles.
    #[serde(rename = "entities")]
    pub obstacles: usize,
    /// Number of path queries.
    pub queries: usize,
    /// Time to find a path, string pulling included.
    pub path_us: Option<Spread>,
    /// Moving every obstacle and updating the broad phase.
    pub update_us: Option<Spread>,
    /// Both together.
    pub tick_us: Option<Spread>,
    /// Moving one obstacle, its share of the broad phase included: the mean, in nanoseconds.
    pub update_ns: Option<f64>,
    /// Finding all overlapping pairs.
    pub pairs_us: Option<Spread>,
    /// The same through the quadtree, on the oracle's ticks.
    pub pairs_tree_us: Option<Spread>,
    /// Mean nanoseconds of one ray cast of up to 2,000 cells along each axis.
    pub ray_ns: Option<f64>,
    /// Mean number of pairs.
    pub pairs: Option<f64>,
    /// Quads, 0 where the quadtree was not used.
    pub spaces: Option<Spread>,
    /// Expansions.
    pub expansions: Option<Spread>,
    /// Waypoints of a path.
    pub points: Option<f64>,
    /// Lengths against the shortest there is.
    pub length_ratio: Option<Ratio>,
    /// Lengths against the straight line.
    pub straight_ratio: Option<f64>,
    /// The baselines, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<BaselineRow>,
    /// Unreachable requests.
    pub unreachable: usize,
    /// Wrong results.
    pub wrong: usize,
    /// The first ten of them.
    pub faults: Vec<String>,
}

impl PlanarFigures {
    pub(super) fn new(seen: Seen) -> Self {
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
            faults: seen.faults.into_iter().take(MAX_FAULTS_SHOWN).collect(),
        }
    }
}

impl Figures for PlanarFigures {
    const SCHEMA: &'static str = "wayfarer/bench-planar/2";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn summary(&self) -> String {
        let (obstacles, queries) = (self.obstacles, self.queries);
        let unreachable = self.unreachable;
        format!("{obstacles} obstacles, {queries} queries, {unreachable} unreachable")
    }

    fn render(&self) -> String {
        let times = [
            ("path us", self.path_us),
            ("update us", self.update_us),
            ("path and update us", self.tick_us),
            ("pairs us", self.pairs_us),
            ("pairs through the quadtree us", self.pairs_tree_us),
            ("expansions", self.expansions),
            ("quads", self.spaces),
        ];
        let mut text = spreads("", times);
        if !self.baselines.is_empty() {
            text += "\n";
            text += &table!(row in &self.baselines;
                "baseline" => row.name,
                "query" => row.what,
                "ours us" => row.ours_us,
                "theirs us" => row.theirs_us,
                "times" => fixed(row.times_ours, 1),
                "compared" => row.compared,
                "different" => row.different,
            );
        }
        let ratio = self.length_ratio;
        let figures = [
            ("update per moving obstacle, ns", self.update_ns),
            ("ray cast, ns", self.ray_ns),
            ("length x the shortest", ratio.map(|it| it.mean)),
            ("  at most", ratio.map(|it| it.max)),
            ("  compared", ratio.map(|it| it.count as f64)),
            ("length x the straight line", self.straight_ratio),
            ("waypoints", self.points),
        ];
        let figures = figures.into_iter();
        let figures = figures.filter_map(|(name, figure)| Some((name, figure?)));
        text + "\n"
            + &table!((name, figure) in figures; "mean" => name, "figure" => fixed(figure, 4))
    }

    fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }
}
