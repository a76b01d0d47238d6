//! One map, frozen for every size of sector and asked every question.

use wayfarer::base::{Cell, Outcome};
use wayfarer::search::abstraction::{
    Criterion, FrozenPlan, RefineRequest, RefinedPath, Refiner, move_centres,
};
use wayfarer::search::dense::{DenseRequest, DenseSearcher, find_path};
use wayfarer::world::dense::DenseGround;
use wayfarer::world::frozen::{Draft, FrozenRegion, Squeezed};

use super::report::{Answered, Bytes, Row};
use super::{AbstractionError, Arguments, name};
use crate::check::{Corners, walk_cells};
use crate::clock::Timer;
use crate::query::QuerySet;

/// Measures one map for all sides and centres.
pub(super) fn measure(
    set: &QuerySet,
    arguments: &Arguments,
    longest: f64,
    timer: &Timer,
) -> Result<Vec<Row>, AbstractionError> {
    let fault = |because: String| AbstractionError::Map {
        map: set.name.clone(),
        because,
    };
    let ground = DenseGround::from_raster(set.map.clone());
    let ground = ground.map_err(|error| fault(error.to_string()))?;
    let exact = exact_expansions(set, &ground);
    let mut rows = Vec::new();
    for side in &arguments.sides {
        let drawn = Draft::of_raster(&set.map, *side).map_err(|error| fault(error.to_string()))?;
        for centres in &arguments.centres {
            let mut draft = drawn.clone();
            let ((), prepare_ns) =
                timer.time(|| move_centres(&mut draft, &ground, *centres, |_| {}));
            let asked = Asked {
                set,
                arguments,
                longest,
                ground: &ground,
                exact: &exact,
            };
            let row = one_plan(&asked, timer, &draft)?;
            rows.push(Row {
                map: set.name.clone(),
                sector: *side,
                centres: name(*centres),
                prepare_ms: if *centres == Criterion::Middle {
                    0.0
                } else {
                    prepare_ns / 1e6
                },
                ..row
            });
        }
    }
    Ok(rows)
}

/// What A* expands for each question.
fn exact_expansions(set: &QuerySet, ground: &DenseGround) -> Vec<u64> {
    let mut searcher = DenseSearcher::default();
    let expansions = set.cases.iter().map(|case| {
        let request = DenseRequest::new(case.start.at(0), case.goal.at(0));
        let found = find_path(ground, &mut searcher, &request);
        if let Ok(Outcome::Found(path)) = found {
            searcher.recycle(path);
        }
        searcher.spent().expansions
    });
    expansions.collect()
}

/// What is asked, of which map, and what A* does with it.
struct Asked<'a> {
    set: &'a QuerySet,
    arguments: &'a Arguments,
    longest: f64,
    ground: &'a DenseGround,
    exact: &'a [u64],
}

fn one_plan(asked: &Asked<'_>, timer: &Timer, draft: &Draft) -> Result<Row, AbstractionError> {
    let Asked {
        set,
        arguments,
        longest,
        ground,
        exact,
    } = *asked;
    let fault = |because: String| AbstractionError::Map {
        map: set.name.clone(),
        because,
    };
    let frozen = draft.freeze().map_err(|error| fault(error.to_string()))?;
    let all = draft
        .freeze_all()
        .map_err(|error| fault(error.to_string()))?;
    let plan = FrozenPlan::new(&frozen, ground).map_err(|error| fault(error.to_string()))?;
    let squeezed = |has_all_edges| {
        let squeezed = Squeezed::new(&frozen, has_all_edges)?;
        Some(squeezed.payload_bytes())
    };
    let mut row = Row {
        n_regions: frozen.n_regions(),
        n_edges: frozen.n_edges(),
        n_defaults: frozen.n_defaults(),
        bytes: Bytes {
            frozen: frozen.payload_bytes(),
            with_defaults: all.payload_bytes(),
            squeezed: squeezed(true),
            half_edges: squeezed(false),
        },
        ..Row::default()
    };
    let mut refiner = Refiner::default();
    for (case, exact) in set.cases.iter().zip(exact) {
        let (start, goal) = (case.start.at(0), case.goal.at(0));
        let request = RefineRequest::new(start, goal, arguments.refine);
        let found = refiner.find(&plan, &request).ok().and_then(Outcome::found);
        let best = match (found, case.best) {
            (Some(path), Some(best)) => walked(set, (start, goal), path).map(|path| (path, best)),
            (None, None) => continue,
            _ => None,
        };
        let Some(((length, path), best)) = best else {
            row.wrong += 1;
            continue;
        };
        row.answered.push(Answered {
            length: best,
            ratio: if best > 0.0 { length / best } else { 1.0 },
            regions: path.work.regions,
            cells: path.work.cells,
            worst_piece: path.work.worst_piece,
            exact: *exact,
            is_longest: best >= longest,
        });
        refiner.recycle(path);
    }
    row.queries = set.cases.len();
    row.mean_us = best_mean_us(set, arguments, timer, &plan, &mut refiner);
    Ok(row)
}

/// The length of a path that can be walked.
fn walked(set: &QuerySet, ends: (Cell, Cell), path: RefinedPath) -> Option<(f64, RefinedPath)> {
    let is_open = |at| set.open.is_open(at);
    let walked = walk_cells(is_open, Corners::Kept, ends, &path.cells).ok()?;
    let said = path.cost.to_cells();
    ((walked.length - said).abs() <= 1e-5 * said + 1e-9).then_some((walked.length, path))
}

fn best_mean_us(
    set: &QuerySet,
    arguments: &Arguments,
    timer: &Timer,
    plan: &FrozenPlan<'_>,
    refiner: &mut Refiner<FrozenRegion>,
) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..arguments.runs.max(1) {
        let mut sum = 0.0;
        for case in &set.cases {
            let (start, goal) = (case.start.at(0), case.goal.at(0));
            let request = RefineRequest::new(start, goal, arguments.refine);
            let (found, nanoseconds) = timer.time(|| refiner.find(plan, &request));
            sum += nanoseconds;
            if let Ok(Outcome::Found(path)) = found {
                refiner.recycle(path);
            }
        }
        best = best.min(sum / 1e3 / set.cases.len().max(1) as f64);
    }
    best
}
