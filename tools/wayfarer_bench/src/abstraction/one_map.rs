//! One map, baked for every sector size and center placement, all problems refined.

use wayfarer_engine::base::{Cell, Outcome};
use wayfarer_engine::search::abstraction::{
    BakedGraph, CenterPlacement, RefinedPath, RefinementParams, RefinementRequest, Refiner,
    optimize_centers,
};
use wayfarer_engine::search::dense::{DenseRequest, DenseSearcher, find_path};
use wayfarer_engine::world::baked::{
    AbstractionBuilder, BakedAbstraction, BakedRegion, CompressedAbstraction,
};
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_measure::check::{Corners, walk_cells};
use wayfarer_measure::clock::Timer;

use super::report::{Bytes, Neighbors, Row};
use super::totals::Solved;
use super::{Arguments, name};
use crate::error::BenchError;
use crate::query::QuerySet;

/// Measures one map for all sides and centers.
pub(super) fn measure(
    set: &QuerySet,
    arguments: &Arguments,
    longest: f64,
    timer: &Timer,
) -> Result<Vec<Row>, BenchError> {
    let ground = DenseGround::from_raster(set.map.clone());
    let ground = ground.map_err(BenchError::world(&set.name))?;
    let exact = exact_expansions(set, &ground);
    let mut rows = Vec::new();
    for side in &arguments.sides {
        let drawn = AbstractionBuilder::from_raster(&set.map, *side)
            .map_err(BenchError::world(&set.name))?;
        for centers in &arguments.centers {
            let mut draft = drawn.clone();
            let ((), prepare_ns) =
                timer.time(|| optimize_centers(&mut draft, &ground, *centers, |_| {}));
            let queries = Queries {
                set,
                runs: arguments.runs,
                longest,
                ground: &ground,
                exact: &exact,
            };
            for row in one_draft(&queries, arguments, timer, &draft)? {
                rows.push(Row {
                    map: set.name.clone(),
                    sector: *side,
                    centers: name(*centers),
                    prepare_ms: if *centers == CenterPlacement::Center {
                        0.0
                    } else {
                        prepare_ns / 1e6
                    },
                    ..row
                });
            }
        }
    }
    Ok(rows)
}

/// Expansions of A* for each query.
fn exact_expansions(set: &QuerySet, ground: &DenseGround) -> Vec<u64> {
    let mut searcher = DenseSearcher::default();
    let expansions = set.cases.iter().map(|case| {
        let request = DenseRequest::new(case.start.at(0), case.goal.at(0));
        let found = find_path(ground, &mut searcher, &request);
        if let Ok(Outcome::Found(path)) = found {
            searcher.recycle(path);
        }
        searcher.stats().expansions
    });
    expansions.collect()
}

/// The queries of a map, and the expansions of A*.
struct Queries<'a> {
    set: &'a QuerySet,
    /// Runs over all queries; the best counts.
    runs: usize,
    longest: f64,
    ground: &'a DenseGround,
    exact: &'a [u64],
}

fn one_draft(
    queries: &Queries<'_>,
    arguments: &Arguments,
    timer: &Timer,
    draft: &AbstractionBuilder,
) -> Result<Vec<Row>, BenchError> {
    let name = &queries.set.name;
    let baked = draft.bake().map_err(BenchError::world(name))?;
    let all = draft.bake_all().map_err(BenchError::world(name))?;
    let plan = BakedGraph::new(&baked, queries.ground).map_err(BenchError::world(name))?;
    let compressed = CompressedAbstraction::new(&baked, true);
    let half = CompressedAbstraction::new(&baked, false);
    let bytes = |compressed: &Option<CompressedAbstraction>| {
        compressed
            .as_ref()
            .map(CompressedAbstraction::payload_bytes)
    };
    let neighbors = |compressed: &Option<CompressedAbstraction>| {
        let compressed = compressed.as_ref()?;
        let visit = |region, count: &mut u64| compressed.for_each_edge(region, |_| *count += 1);
        Some(neighbors_ns(&baked, timer, visit))
    };
    let visit = |region, count: &mut u64| baked.for_each_edge(region, |_| *count += 1);
    let common = Row {
        n_regions: baked.n_regions(),
        n_edges: baked.n_edges(),
        n_defaults: baked.n_defaults(),
        bytes: Bytes {
            baked: baked.payload_bytes(),
            with_defaults: all.payload_bytes(),
            compressed: bytes(&compressed),
            half_edges: bytes(&half),
        },
        neighbors_ns: Neighbors {
            baked: neighbors_ns(&baked, timer, visit),
            compressed: neighbors(&compressed),
            half_edges: neighbors(&half),
        },
        ..Row::default()
    };
    let rows = arguments.refines.iter();
    let rows = rows.map(|refine| one_plan(queries, *refine, timer, &plan, &common));
    Ok(rows.collect())
}

/// Time to visit the neighbors of a region, best of 5 rounds over all regions.
fn neighbors_ns(
    baked: &BakedAbstraction,
    timer: &Timer,
    visit: impl Fn(BakedRegion, &mut u64),
) -> f64 {
    let best = timer.best(5, || {
        let mut count = 0;
        for region in baked.regions() {
            visit(region, &mut count);
        }
        count
    });
    best / f64::from(baked.n_regions().max(1))
}

fn one_plan(
    queries: &Queries<'_>,
    refine: RefinementParams,
    timer: &Timer,
    plan: &BakedGraph<'_>,
    common: &Row,
) -> Row {
    let set = queries.set;
    let mut row = Row {
        refine: refine.to_string(),
        queries: set.cases.len(),
        ..common.clone()
    };
    let mut refiner = Refiner::default();
    for (case, exact) in set.cases.iter().zip(queries.exact) {
        let (start, goal) = (case.start.at(0), case.goal.at(0));
        let request = RefinementRequest::new(start, goal, refine);
        let found = refiner.find(plan, &request).ok().and_then(Outcome::found);
        let best = match (found, case.best) {
            (Some(path), Some(best)) => walked(set, (start, goal), path).map(|path| (path, best)),
            (None, None) => continue,
            _ => None,
        };
        let Some(((length, path), best)) = best else {
            row.wrong += 1;
            continue;
        };
        row.solved.push(Solved {
            length: best,
            ratio: if best > 0.0 { length / best } else { 1.0 },
            regions: path.stats.regions,
            cells: path.stats.cells,
            max_segment: path.stats.max_segment,
            exact: *exact,
            is_longest: best >= queries.longest,
        });
        refiner.recycle(path);
    }
    row.mean_us = best_mean_us(queries, refine, timer, plan, &mut refiner);
    row
}

/// The length of a path that can be walked.
fn walked(set: &QuerySet, ends: (Cell, Cell), path: RefinedPath) -> Option<(f64, RefinedPath)> {
    let is_open = |at| set.open.is_open(at);
    let walked = walk_cells(is_open, Corners::Kept, ends, &path.cells).ok()?;
    let stated = path.cost.to_cells();
    ((walked.length - stated).abs() <= 1e-5 * stated + 1e-9).then_some((walked.length, path))
}

fn best_mean_us(
    queries: &Queries<'_>,
    refine: RefinementParams,
    timer: &Timer,
    plan: &BakedGraph<'_>,
    refiner: &mut Refiner<BakedRegion>,
) -> f64 {
    let cases = &queries.set.cases;
    let mut best = f64::INFINITY;
    for _ in 0..queries.runs.max(1) {
        let mut sum = 0.0;
        for case in cases {
            let (start, goal) = (case.start.at(0), case.goal.at(0));
            let request = RefinementRequest::new(start, goal, refine);
            let (found, nanoseconds) = timer.time(|| refiner.find(plan, &request));
            sum += nanoseconds;
            if let Ok(Outcome::Found(path)) = found {
                refiner.recycle(path);
            }
        }
        best = best.min(sum / 1e3 / cases.len().max(1) as f64);
    }
    best
}
