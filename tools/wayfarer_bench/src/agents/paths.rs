//! Paths of one sort of type beside those of the default profile.

use wayfarer_engine::base::Cell;
use wayfarer_engine::search::ground::jps_cached::HeuristicWeight;
use wayfarer_engine::search::ground::{GroundRequest, Method, PathSearcher};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::mean;

use super::problems::{self, On};
use super::sorts::{ground_of, map_error};
use super::{AgentFigures, Arguments, LayerRow, PathRow, Sort};
use crate::error::BenchError;
use crate::query::QuerySet;

/// What is measured.
const METHODS: [(Method, &str); 3] = [
    (Method::Jps, "jps"),
    (Method::Optimal, "optimal"),
    (Method::Bounded, "bounded"),
];

/// Queries of each type that A* checks.
const N_CHECKED: usize = 12;

/// A query by a profile: cost in units, cells and nanoseconds; `None` if there is no path.
pub(super) fn find(
    (ground, profile_id): On<'_>,
    searcher: &mut PathSearcher,
    (from, to): (Cell, Cell),
    method: Method,
    timer: &Timer,
) -> Option<(u32, usize, f64)> {
    let request = GroundRequest {
        profile_id,
        method,
        ..GroundRequest::new(from, to)
    };
    let (path, nanoseconds) = timer.time(|| searcher.find(ground, &request).ok()?.found());
    let path = path?;
    let found = (path.cost.units(), path.cells.len(), nanoseconds);
    searcher.recycle(path);
    Some(found)
}

/// One method over all queries, by the default profile and by the type in turn.
struct Runs {
    /// Mean of the best times in microseconds.
    us: [f64; 2],
    /// Mean cells of the paths.
    n_cells: [f64; 2],
    /// Costs of the type's paths.
    costs: Vec<Option<u32>>,
}

fn run(both: [On<'_>; 2], queries: &[(Cell, Cell)], method: Method, n_runs: usize) -> Runs {
    let timer = Timer::new();
    let mut searchers = [PathSearcher::default(), PathSearcher::default()];
    let mut times = [vec![f64::MAX; queries.len()], vec![f64::MAX; queries.len()]];
    let mut n_cells = [0; 2];
    let mut costs = vec![None; queries.len()];
    for number in 0..=n_runs {
        for (one, on) in both.into_iter().enumerate() {
            for (index, query) in queries.iter().enumerate() {
                let found = find(on, &mut searchers[one], *query, method, &timer);
                let Some((cost, length, nanoseconds)) = found else {
                    continue;
                };
                if number == 0 {
                    n_cells[one] += length;
                    if one == 1 {
                        costs[index] = Some(cost);
                    }
                } else {
                    let best = &mut times[one][index];
                    *best = best.min(nanoseconds / 1e3);
                }
            }
        }
    }
    Runs {
        us: times.map(|times| mean(&times).unwrap_or(0.0)),
        n_cells: n_cells.map(|n_cells: usize| n_cells as f64 / queries.len().max(1) as f64),
        costs,
    }
}

/// Measures the paths of a sort of type on one map.
pub(super) fn measure(
    set: &QuerySet,
    sort: Sort,
    arguments: &Arguments,
    figures: &mut AgentFigures,
) -> Result<(), BenchError> {
    // Ponds are the swimmer's alone: the default profile would have other problems there.
    let plain = ground_of(set, None)?;
    let mut ground = match sort {
        Sort::Swimmer => ground_of(set, Some(arguments.seed))?,
        _ => plain.clone(),
    };
    let ground_bytes = ground.memory_report().total();
    let id = ground
        .register_profile(sort.profile())
        .map_err(|error| map_error(set, &error))?;
    let layer_bytes = ground.memory_report().profiles;
    figures.layers.push(LayerRow {
        map: set.name.clone(),
        agent: sort.to_string(),
        layer_bytes,
        layer_ratio: layer_bytes as f64 / ground_bytes.max(1) as f64,
    });
    let both = [(&plain, None), (&ground, Some(id))];
    let queries = problems::draw(set, both[0], both[1], arguments.seed);
    let mut costs = Vec::new();
    for (method, name) in METHODS {
        let runs = run(both, &queries, method, arguments.runs);
        figures.paths.push(PathRow {
            map: set.name.clone(),
            agent: sort.to_string(),
            method: name,
            n_queries: queries.len(),
            cells: runs.n_cells[1],
            walker_cells: runs.n_cells[0],
            us: runs.us[1],
            walker_us: runs.us[0],
            ratio: runs.us[1] / runs.us[0].max(f64::MIN_POSITIVE),
        });
        costs.push(runs.costs);
    }
    check(set, both[1], &queries, &costs, (sort, figures));
    Ok(())
}

/// Compares the costs of the methods with each other, and some with those of A*.
fn check(
    set: &QuerySet,
    agent: On<'_>,
    queries: &[(Cell, Cell)],
    costs: &[Vec<Option<u32>>],
    (sort, figures): (Sort, &mut AgentFigures),
) {
    let stride = queries.len().div_ceil(N_CHECKED).max(1);
    for (index, query) in queries.iter().enumerate() {
        let [jps, optimal, bounded] = [0, 1, 2].map(|method| costs[method][index]);
        let most =
            |cost: u32| u64::from(cost) * u64::from(HeuristicWeight::BOUNDED.to_1024ths()) / 1024;
        let is_bounded = jps
            .zip(bounded)
            .is_some_and(|(best, found)| best <= found && u64::from(found) <= most(best));
        let mut is_right = jps == optimal && is_bounded;
        if index % stride == 0 {
            is_right &= problems::cost(agent, *query, Method::AStar) == jps;
        }
        if !is_right {
            let found = [jps, optimal, bounded];
            let fault = format!("{}, {sort}, {query:?}: {found:?}", set.name);
            figures.faults.push(fault);
        }
    }
}
