//! Figures of the abstraction benchmark.

use serde::Serialize;

use super::totals::{BUCKET, Solved, by_length};
use crate::report::Figures;
use crate::table::{fixed, table};

/// Bytes of a baked map: sectors and region data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Bytes {
    /// Default sectors left out.
    pub baked: usize,
    /// All sectors stored.
    pub with_defaults: usize,
    /// Sectors of 16 bits; `None` if not possible.
    pub compressed: Option<usize>,
    /// The same with half the edges.
    pub half_edges: Option<usize>,
}

/// Mean time to find the neighbors of a region, over all regions, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Neighbors {
    /// In the baked map.
    pub baked: f64,
    /// With sectors of 16 bits; `None` if not possible.
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
    /// Queries.
    pub queries: usize,
    /// Wrong results.
    pub wrong: usize,
    /// Mean time of a query, best run.
    pub mean_us: f64,
    #[serde(skip)]
    pub(super) solved: Vec<Solved>,
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
    /// Queries.
    pub queries: usize,
    /// Wrong results.
    pub wrong: usize,
    /// Queries of the longest lengths.
    pub queries_longest: usize,
    /// All expansions over those of A*, on those: sums.
    pub expansions_ratio_longest: Option<f64>,
    /// Regions and cells expanded on those, mean.
    pub expansions_longest: Option<f64>,
    /// 95th percentile of the same.
    pub expansions_longest_p95: Option<f64>,
    /// Cells expanded on those by refinement alone, mean: whether it depends on the sector size.
    pub refinement_longest: Option<f64>,
    /// 95th percentile of the costliest piece on those.
    pub worst_piece_longest_p95: Option<f64>,
    /// Half of the longest lengths are at most this over the optimum.
    pub length_ratio_longest_p50: Option<f64>,
    /// One in twenty of them is at most this over the optimum.
    pub length_ratio_longest_p5: Option<f64>,
    /// Length over the optimum, all queries.
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
    /// Mean time of a query.
    pub mean_us: f64,
}

/// Bytes, expansions and lengths. The totals are those of the first refinement, size and centers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AbstractionFigures {
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

impl AbstractionFigures {
    pub(super) fn new(longest: f64, maps: Vec<Row>) -> Self {
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
            longest,
            totals: sectors.first().cloned().unwrap_or_else(none),
            by_length,
            sectors,
            maps,
        }
    }
}

impl Row {
    /// True if refinement, size and centers are the same.
    fn is_of_kind(&self, other: &Self) -> bool {
        let kind = |row: &Self| (row.sector, row.centers);
        kind(self) == kind(other) && self.refine == other.refine
    }
}

impl Figures for AbstractionFigures {
    const SCHEMA: &'static str = "wayfarer/bench-abstraction/3";

    fn wrong(&self) -> usize {
        self.sectors.iter().map(|sector| sector.wrong).sum()
    }

    fn summary(&self) -> String {
        let (totals, longest) = (&self.totals, self.longest);
        let (queries, wrong) = (totals.queries, totals.wrong);
        let n_longest = totals.queries_longest;
        format!(
            "{queries} queries, {wrong} wrong; expansions and segments of the {n_longest} of {longest} cells and more"
        )
    }

    fn render(&self) -> String {
        let ratio = |ratio: Option<f64>| ratio.map(|ratio| fixed(ratio, 3));
        let sectors = table!(row in &self.sectors;
            "refine" => row.refine.as_str(),
            "sector" => row.sector,
            "centers" => row.centers,
            "bytes mean" => row.baked_bytes.mean,
            "max" => row.baked_bytes.max,
            "all stored" => row.baked_with_defaults_bytes.mean,
            "16-bit" => row.compressed_bytes,
            "half edges" => row.half_edges_bytes,
            "neighbors ns" => row.neighbors_ns.baked,
            "16-bit" => row.neighbors_ns.compressed,
            "half edges" => row.neighbors_ns.half_edges,
            "us" => row.mean_us,
            "length mean" => ratio(row.length_ratio.map(|it| it.mean)),
            "p90" => ratio(row.length_ratio.map(|it| it.p90)),
            "max" => ratio(row.length_ratio.map(|it| it.max)),
            "longest p90" => ratio(row.length_ratio_longest.map(|it| it.p90)),
            "expansions" => row.expansions_longest,
            "p95" => row.expansions_longest_p95,
            "refine" => row.refinement_longest,
            "segment p95" => row.worst_piece_longest_p95,
            "of A*" => row.expansions_ratio_longest.map(|it| fixed(it, 4)),
        );
        // Steps of 64 cells: figure 10 of [Sturtevant2007].
        let lengths = table!(bucket in Bucket::joined(&self.by_length, 16.0);
            "length" => format!("{} to {}", bucket.from, bucket.to),
            "paths" => bucket.queries,
            "mean" => bucket.expansions_mean,
            "max" => bucket.expansions_max,
            "A* mean" => bucket.astar_mean,
            "A* max" => bucket.astar_max,
            "of A*" => fixed(bucket.expansions_mean / bucket.astar_mean.max(1.0), 4),
        );
        let refine = &self.totals.refine;
        format!("{sectors}\nexpansions by path length, {refine}\n\n{lengths}")
    }

    fn faults(&self) -> Vec<String> {
        let wrong = self.maps.iter().filter(|row| row.wrong > 0);
        let fault = |row: &Row| {
            let (map, refine, sector) = (&row.map, &row.refine, row.sector);
            format!("{map}, {refine}, sectors of {sector}: {} paths", row.wrong)
        };
        wrong.map(fault).collect()
    }
}
