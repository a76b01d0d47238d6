//! Report of the abstraction benchmark.

use serde::Serialize;
use wayfarer_measure::machine::Machine;
use wayfarer_measure::statistics;

use crate::report::pretty_json;

/// One question that was answered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Answered {
    pub(super) length: f64,
    pub(super) ratio: f64,
    pub(super) regions: u64,
    pub(super) cells: u64,
    pub(super) max_segment: u64,
    /// What A* expands.
    pub(super) exact: u64,
    pub(super) is_longest: bool,
}

impl Answered {
    /// Regions and cells expanded.
    pub(super) fn work(&self) -> f64 {
        (self.regions + self.cells) as f64
    }
}

/// Bytes of a baked map: sectors and region data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Bytes {
    /// Default sectors left out.
    pub baked: usize,
    /// All sectors stored.
    pub with_defaults: usize,
    /// Sectors of 16 bits; `None` if that cannot be.
    pub compressed: Option<usize>,
    /// The same with half the edges.
    pub half_edges: Option<usize>,
}

/// Mean time to find the neighbors of a region, over all regions, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Neighbors {
    /// In the baked map.
    pub baked: f64,
    /// With sectors of 16 bits; `None` if that cannot be.
    pub compressed: Option<f64>,
    /// The same with half the edges.
    pub half_edges: Option<f64>,
}

/// What is expanded for the paths of some length.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bucket {
    /// The lengths begin here, in cells.
    pub from: f64,
    /// And end below this.
    pub to: f64,
    /// Paths of such lengths.
    pub queries: usize,
    /// Regions and cells expanded, mean.
    pub expansions_mean: f64,
    /// The most for one path.
    pub expansions_max: f64,
    /// What A* expands, mean.
    pub astar_mean: f64,
    /// The most for one path.
    pub astar_max: f64,
}

/// One map with one sector size and one center placement.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Row {
    /// The map's name.
    pub map: String,
    /// How paths were refined.
    pub refine: String,
    /// Cells along a side of a sector.
    pub sector: u32,
    /// Where centers lie.
    pub centers: &'static str,
    /// Regions.
    pub n_regions: u32,
    /// Edges, counted from both ends.
    pub n_edges: u32,
    /// Default sectors.
    pub n_defaults: u32,
    /// Bytes of the baked map.
    pub bytes: Bytes,
    /// Time to find the neighbors of a region.
    pub neighbors_ns: Neighbors,
    /// Time to place the centers.
    pub prepare_ms: f64,
    /// Questions asked.
    pub queries: usize,
    /// Answers that were wrong.
    pub wrong: usize,
    /// Mean time of a question, best run.
    pub mean_us: f64,
    #[serde(skip)]
    pub(super) answered: Vec<Answered>,
}

/// Mean, 90th percentile and largest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// Sum over count.
    pub mean: f64,
    /// Nine in ten are at most this.
    pub p90: f64,
    /// The largest.
    pub max: f64,
}

impl Ratio {
    fn of(numbers: impl Iterator<Item = f64>) -> Option<Self> {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_unstable_by(f64::total_cmp);
        Some(Self {
            mean: statistics::mean(&numbers)?,
            p90: statistics::percentile(&numbers, 90)?,
            max: *numbers.last()?,
        })
    }
}

/// Mean and largest over maps.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanMax {
    /// Sum over count.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

/// All maps with one sector size and one center placement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// How paths were refined.
    pub refine: String,
    /// Cells along a side of a sector.
    pub sector: u32,
    /// Where centers lie.
    pub centers: &'static str,
    /// Questions asked.
    pub queries: usize,
    /// Answers that were wrong.
    pub wrong: usize,
    /// Questions of the longest lengths.
    pub queries_longest: usize,
    /// Everything expanded over what A* expands, on those: sums.
    pub expansions_ratio_longest: Option<f64>,
    /// Regions and cells expanded on those, mean.
    pub expansions_longest: Option<f64>,
    /// 95th percentile of the same.
    pub expansions_longest_p95: Option<f64>,
    /// Cells expanded on those, without planning, mean: does it depend on the sectors' size?
    pub refinement_longest: Option<f64>,
    /// 95th percentile of the costliest piece on those.
    pub worst_piece_longest_p95: Option<f64>,
    /// Half of the longest lengths are at most this over the optimum.
    pub length_ratio_longest_p50: Option<f64>,
    /// One in twenty of them is at most this over the optimum.
    pub length_ratio_longest_p5: Option<f64>,
    /// Length over the optimum, all questions.
    pub length_ratio: Option<Ratio>,
    /// The same for the longest lengths.
    pub length_ratio_longest: Option<Ratio>,
    /// Bytes of the baked map.
    pub baked_bytes: MeanMax,
    /// The same with default sectors stored.
    pub baked_with_defaults_bytes: MeanMax,
    /// With sectors of 16 bits, mean over maps that allow it.
    pub compressed_bytes: Option<f64>,
    /// The same with half the edges.
    pub half_edges_bytes: Option<f64>,
    /// Time to find the neighbors of a region, mean over maps.
    pub neighbors_ns: Neighbors,
    /// Mean time of a question.
    pub mean_us: f64,
}

/// A whole measurement. The totals are those of the first refinement, size and centers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AbstractionReport {
    /// The layout of this value.
    pub schema: &'static str,
    /// How to make it again.
    pub command: String,
    /// Where it was made.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    pub calibration: f64,
    /// The longest lengths begin here: the highest bucket of four cells.
    pub longest: f64,
    /// The totals.
    #[serde(flatten)]
    pub totals: Summary,
    /// What is expanded by length of path, in steps of four cells, for the totals.
    pub by_length: Vec<Bucket>,
    /// For each refinement, size and centers.
    pub sectors: Vec<Summary>,
    /// Map by map.
    pub maps: Vec<Row>,
}

impl AbstractionReport {
    /// The layout's name, with its version.
    pub const SCHEMA: &'static str = "wayfarer/bench-abstraction/3";

    pub(super) fn new(
        command: String,
        machine: Machine,
        calibration: f64,
        longest: f64,
        maps: Vec<Row>,
    ) -> Self {
        let mut kinds: Vec<Vec<&Row>> = Vec::new();
        for row in &maps {
            match kinds.iter_mut().find(|kind| kind[0].is_of_kind(row)) {
                Some(kind) => kind.push(row),
                None => kinds.push(vec![row]),
            }
        }
        let sectors: Vec<Summary> = kinds.iter().map(|rows| Summary::of(rows)).collect();
        let none = || Summary::of(&[]);
        let first = kinds.first().map_or(&[][..], Vec::as_slice);
        let by_length = by_length(first, BUCKET);
        Self {
            schema: Self::SCHEMA,
            command,
            machine,
            calibration,
            longest,
            totals: sectors.first().cloned().unwrap_or_else(none),
            by_length,
            sectors,
            maps,
        }
    }

    /// The report as JSON, readable, with a line end.
    pub fn to_json(&self) -> String {
        pretty_json(self)
    }
}

impl Row {
    /// True if refinement, size and centers are the same.
    fn is_of_kind(&self, other: &Self) -> bool {
        let kind = |row: &Self| (row.sector, row.centers);
        kind(self) == kind(other) && self.refine == other.refine
    }
}

/// Cells of a length bucket, as in \[Sturtevant2007\].
const BUCKET: f64 = 4.0;

/// What is expanded by length of path, in steps of `width` cells; empty steps are left out.
fn by_length(rows: &[&Row], width: f64) -> Vec<Bucket> {
    let mut answered: Vec<&Answered> = rows.iter().flat_map(|row| &row.answered).collect();
    answered.sort_unstable_by(|a, b| a.length.total_cmp(&b.length));
    let step = |answered: &Answered| (answered.length / width).floor();
    let chunks = answered.chunk_by(|a, b| step(a).total_cmp(&step(b)).is_eq());
    let bucket = |chunk: &[&Answered]| {
        let from = step(chunk.first()?) * width;
        let work: Vec<f64> = chunk.iter().map(|answered| answered.work()).collect();
        let exact: Vec<f64> = chunk.iter().map(|answered| answered.exact as f64).collect();
        let max = |numbers: &[f64]| numbers.iter().copied().fold(0.0, f64::max);
        Some(Bucket {
            from,
            to: from + width,
            queries: chunk.len(),
            expansions_mean: statistics::mean(&work)?,
            expansions_max: max(&work),
            astar_mean: statistics::mean(&exact)?,
            astar_max: max(&exact),
        })
    };
    chunks.filter_map(bucket).collect()
}

impl Bucket {
    /// Buckets joined to wider ones, `n` of them in each; gaps stay gaps.
    pub fn joined(buckets: &[Self], n: f64) -> Vec<Self> {
        let step = |bucket: &Self| (bucket.from / ((bucket.to - bucket.from) * n)).floor();
        let chunks = buckets.chunk_by(|a, b| step(a).total_cmp(&step(b)).is_eq());
        let join = |chunk: &[Self]| {
            let first = chunk.first()?;
            let width = (first.to - first.from) * n;
            let queries: usize = chunk.iter().map(|bucket| bucket.queries).sum();
            let mean = |figure: &dyn Fn(&Self) -> f64| {
                let sums = chunk
                    .iter()
                    .map(|bucket| figure(bucket) * bucket.queries as f64);
                sums.sum::<f64>() / queries.max(1) as f64
            };
            let max = |figure: &dyn Fn(&Self) -> f64| chunk.iter().map(figure).fold(0.0, f64::max);
            Some(Self {
                from: step(first) * width,
                to: (step(first) + 1.0) * width,
                queries,
                expansions_mean: mean(&|bucket| bucket.expansions_mean),
                expansions_max: max(&|bucket| bucket.expansions_max),
                astar_mean: mean(&|bucket| bucket.astar_mean),
                astar_max: max(&|bucket| bucket.astar_max),
            })
        };
        chunks.filter_map(join).collect()
    }
}

impl Summary {
    fn of(rows: &[&Row]) -> Self {
        let all = || rows.iter().flat_map(|row| &row.answered);
        let longest = || all().filter(|answered| answered.is_longest);
        let mean = |figure: &dyn Fn(&Answered) -> f64| {
            statistics::mean(&longest().map(figure).collect::<Vec<f64>>())
        };
        let percentile = |percent, figure: &dyn Fn(&Answered) -> f64| {
            let mut figures: Vec<f64> = longest().map(figure).collect();
            figures.sort_unstable_by(f64::total_cmp);
            statistics::percentile(&figures, percent)
        };
        let p95 = |figure: &dyn Fn(&Answered) -> f64| percentile(95, figure);
        let exact = mean(&|answered| answered.exact as f64).filter(|exact| *exact > 0.0);
        let work = mean(&Answered::work);
        let bytes = |figure: &dyn Fn(&Bytes) -> Option<usize>| -> Vec<f64> {
            let figures = rows.iter().filter_map(|row| figure(&row.bytes));
            figures.map(|bytes| bytes as f64).collect()
        };
        let mean_max = |figures: Vec<f64>| MeanMax {
            mean: statistics::mean(&figures).unwrap_or(0.0),
            max: figures.into_iter().fold(0.0, f64::max),
        };
        let queries: usize = rows.iter().map(|row| row.queries).sum();
        let times = rows.iter().map(|row| row.mean_us * row.queries as f64);
        let neighbors = |figure: &dyn Fn(&Neighbors) -> Option<f64>| {
            let figures = rows.iter().filter_map(|row| figure(&row.neighbors_ns));
            statistics::mean(&figures.collect::<Vec<f64>>())
        };
        Self {
            refine: rows
                .first()
                .map_or_else(String::new, |row| row.refine.clone()),
            sector: rows.first().map_or(0, |row| row.sector),
            centers: rows.first().map_or("", |row| row.centers),
            queries,
            wrong: rows.iter().map(|row| row.wrong).sum(),
            queries_longest: longest().count(),
            expansions_ratio_longest: work.zip(exact).map(|(work, exact)| work / exact),
            expansions_longest: work,
            expansions_longest_p95: p95(&Answered::work),
            refinement_longest: mean(&|answered| answered.cells as f64),
            worst_piece_longest_p95: p95(&|answered| answered.max_segment as f64),
            length_ratio_longest_p50: percentile(50, &|answered| answered.ratio),
            length_ratio_longest_p5: percentile(5, &|answered| answered.ratio),
            length_ratio: Ratio::of(all().map(|answered| answered.ratio)),
            length_ratio_longest: Ratio::of(longest().map(|answered| answered.ratio)),
            baked_bytes: mean_max(bytes(&|bytes| Some(bytes.baked))),
            baked_with_defaults_bytes: mean_max(bytes(&|bytes| Some(bytes.with_defaults))),
            compressed_bytes: statistics::mean(&bytes(&|bytes| bytes.compressed)),
            half_edges_bytes: statistics::mean(&bytes(&|bytes| bytes.half_edges)),
            neighbors_ns: Neighbors {
                baked: neighbors(&|times| Some(times.baked)).unwrap_or(0.0),
                compressed: neighbors(&|times| times.compressed),
                half_edges: neighbors(&|times| times.half_edges),
            },
            mean_us: times.sum::<f64>() / queries.max(1) as f64,
        }
    }
}
