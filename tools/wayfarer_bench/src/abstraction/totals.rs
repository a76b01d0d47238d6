//! Totals of the abstraction benchmark over queries and maps.

use wayfarer_measure::statistics;

use super::report::{Bucket, Bytes, MeanMax, Neighbors, Ratio, Row, Summary};

/// One path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Solved {
    pub(super) length: f64,
    pub(super) ratio: f64,
    pub(super) regions: u64,
    pub(super) cells: u64,
    pub(super) max_segment: u64,
    /// Expansions of A*.
    pub(super) exact: u64,
    pub(super) is_longest: bool,
}

impl Solved {
    /// Regions and cells expanded.
    pub(super) fn work(&self) -> f64 {
        (self.regions + self.cells) as f64
    }
}

impl Ratio {
    pub(super) fn of(numbers: impl Iterator<Item = f64>) -> Option<Self> {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_unstable_by(f64::total_cmp);
        Some(Self {
            mean: statistics::mean(&numbers)?,
            p90: statistics::percentile(&numbers, 90)?,
            max: *numbers.last()?,
        })
    }
}

/// Cells of a length bucket, as in \[Sturtevant2007\].
pub(super) const BUCKET: f64 = 4.0;

/// What is expanded by length of path, in steps of `width` cells; empty steps are left out.
pub(super) fn by_length(rows: &[&Row], width: f64) -> Vec<Bucket> {
    let mut solved: Vec<&Solved> = rows.iter().flat_map(|row| &row.solved).collect();
    solved.sort_unstable_by(|a, b| a.length.total_cmp(&b.length));
    let step = |solved: &Solved| (solved.length / width).floor();
    let chunks = solved.chunk_by(|a, b| step(a).total_cmp(&step(b)).is_eq());
    let bucket = |chunk: &[&Solved]| {
        let from = step(chunk.first()?) * width;
        let work: Vec<f64> = chunk.iter().map(|solved| solved.work()).collect();
        let exact: Vec<f64> = chunk.iter().map(|solved| solved.exact as f64).collect();
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
    pub(super) fn of(rows: &[&Row]) -> Self {
        let all = || rows.iter().flat_map(|row| &row.solved);
        let longest = || all().filter(|solved| solved.is_longest);
        let mean = |figure: &dyn Fn(&Solved) -> f64| {
            statistics::mean(&longest().map(figure).collect::<Vec<f64>>())
        };
        let percentile = |percent, figure: &dyn Fn(&Solved) -> f64| {
            let mut figures: Vec<f64> = longest().map(figure).collect();
            figures.sort_unstable_by(f64::total_cmp);
            statistics::percentile(&figures, percent)
        };
        let p95 = |figure: &dyn Fn(&Solved) -> f64| percentile(95, figure);
        let exact = mean(&|solved| solved.exact as f64).filter(|exact| *exact > 0.0);
        let work = mean(&Solved::work);
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
            expansions_longest_p95: p95(&Solved::work),
            refinement_longest: mean(&|solved| solved.cells as f64),
            worst_piece_longest_p95: p95(&|solved| solved.max_segment as f64),
            length_ratio_longest_p50: percentile(50, &|solved| solved.ratio),
            length_ratio_longest_p5: percentile(5, &|solved| solved.ratio),
            length_ratio: Ratio::of(all().map(|solved| solved.ratio)),
            length_ratio_longest: Ratio::of(longest().map(|solved| solved.ratio)),
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
