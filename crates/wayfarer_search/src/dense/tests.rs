//! Tests of the searches on a flat grid against a reference search.

use super::*;
use wayfarer_base::{
    Budget, Cell, Cost, Location, Raster, Rng, SearchEvent, SearchStats, UnreachableProof,
};

/// `.` is walkable, all else blocked; the first character is cell (0, 0).
fn ground(text: &str) -> DenseGround {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let letters = rows.concat();
    let cells = letters
        .bytes()
        .map(|letter| if letter == b'.' { 0 } else { 255 });
    let raster = Raster::from_bytes(
        u32::try_from(rows[0].len()).unwrap(),
        u32::try_from(rows.len()).unwrap(),
        cells.collect(),
    );
    DenseGround::from_raster(raster.expect("rows of equal length")).unwrap()
}

/// A ground of which one cell in `of` is blocked.
fn noise(rng: &mut Rng, width: u32, height: u32, of: u32) -> DenseGround {
    let cells = (0..width * height).map(|_| if rng.chance(1, of) { 255 } else { 0 });
    let raster = Raster::from_bytes(width, height, cells.collect()).unwrap();
    DenseGround::from_raster(raster).unwrap()
}

/// The cost of every cell from `start`, by relaxation over all cells until no cost falls.
fn reference_costs(ground: &DenseGround, start: Cell) -> Vec<Option<u32>> {
    let raster = ground.raster();
    let index = |x, y| raster.index(x, y).unwrap();
    let mut costs = vec![None; raster.bytes().len()];
    costs[index(start.x, start.y)] = Some(0_u32);
    loop {
        let mut has_changed = false;
        for (at, step) in raster
            .rect()
            .columns()
            .flat_map(|at| STEPS.map(|step| (at, step)))
        {
            let ((x, y), (dx, dy)) = ((at.x, at.y), step);
            let is_legal = raster.is_walkable(x + dx, y + dy)
                && raster.is_walkable(x, y + dy)
                && raster.is_walkable(x + dx, y);
            let Some(here) = costs[index(x, y)].filter(|_| is_legal) else {
                continue;
            };
            let cost = here + if dx != 0 && dy != 0 { 2069 } else { 1463 };
            let there = &mut costs[index(x + dx, y + dy)];
            if there.is_none_or(|known| cost < known) {
                *there = Some(cost);
                has_changed = true;
            }
        }
        if !has_changed {
            return costs;
        }
    }
}

const STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// The path's cost summed step by step; panics at the first illegal step.
fn step_cost_sum(ground: &DenseGround, path: &DensePath) -> Cost {
    assert!(path.cells.iter().all(|cell| ground.is_walkable(*cell)));
    path.cells
        .windows(2)
        .map(|leg| {
            let (from, to) = (leg[0], leg[1]);
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            assert!(dx.max(dy) == 1, "{from} to {to} is one step");
            assert!(
                ground.is_walkable(Cell::flat(from.x, to.y)),
                "{from} to {to}"
            );
            assert!(
                ground.is_walkable(Cell::flat(to.x, from.y)),
                "{from} to {to}"
            );
            Cost::for_step(dx + dy == 2)
        })
        .sum()
}

#[test]
fn a_diagonal_never_cuts_a_corner() {
    let ground = ground(
        "..
         #.",
    );
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(1, 1));
    let outcome = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    assert_eq!(outcome.found().map(|path| path.cells.len()), Some(3));
}

/// The walkable cells of a ground, row by row.
fn open_cells(ground: &DenseGround) -> Vec<Cell> {
    let all = ground.rect().columns().map(|at| at.at(0));
    all.filter(|cell| ground.is_walkable(*cell)).collect()
}

/// A random ground, and requests over it with every method and queue.
fn sample(seed: u64) -> (Rng, DenseGround, Vec<DenseRequest>) {
    let mut rng = Rng::new(seed);
    let (width, height) = (1 + rng.below(24), 1 + rng.below(24));
    let of = 2 + rng.below(6);
    let ground = noise(&mut rng, width, height, of);
    let open = open_cells(&ground);
    let mut requests = Vec::new();
    if let (Some(&start), Some(&goal)) = (rng.pick(&open), rng.pick(&open)) {
        for method in [DenseMethod::AStar, DenseMethod::Dijkstra] {
            for queue in [DenseQueue::Buckets, DenseQueue::Heap] {
                let base = DenseRequest::new(start, goal);
                requests.push(DenseRequest {
                    method,
                    queue,
                    ..base
                });
            }
        }
    }
    (rng, ground, requests)
}

fn reference_cost(ground: &DenseGround, start: Cell, goal: Cell) -> Option<Cost> {
    let cost = reference_costs(ground, start)[ground.raster().index(goal.x, goal.y).unwrap()];
    cost.map(Cost::from_units)
}

#[test]
fn every_method_is_optimal_or_proves_the_goal_unreachable() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..300 {
        let (_, ground, requests) = sample(seed);
        for request in requests {
            let outcome = find_path(&ground, &mut searcher, &request).unwrap();
            let expected = reference_cost(&ground, request.start, request.goal);
            match outcome {
                Outcome::Found(path) => {
                    assert_eq!(Some(path.cost), expected, "seed {seed}");
                    assert_eq!(path.cells.first(), Some(&request.start));
                    assert_eq!(path.cells.last(), Some(&request.goal));
                    assert_eq!(step_cost_sum(&ground, &path), path.cost);
                    assert_eq!(path.expansions, searcher.stats().expansions);
                }
                Outcome::Unreachable { proof, .. } => {
                    assert_eq!(expected, None, "seed {seed}");
                    assert_eq!(proof, UnreachableProof::DifferentComponents);
                    assert_eq!(
                        searcher.stats(),
                        SearchStats::default(),
                        "proven without a search"
                    );
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        }
    }
}

#[test]
fn the_queue_changes_neither_the_result_nor_the_events() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..200 {
        let (_, ground, requests) = sample(seed);
        let mut run = |request| {
            let mut events: Vec<SearchEvent> = Vec::new();
            let outcome = find_path_observed(&ground, &mut searcher, request, &mut events);
            (outcome, events, searcher.stats())
        };
        for pair in requests.chunks_exact(2) {
            assert_eq!(run(&pair[0]), run(&pair[1]), "seed {seed}");
        }
    }
}

#[test]
fn results_do_not_depend_on_the_history_of_the_searcher() {
    let mut used = DenseSearcher::default();
    for seed in 0..200 {
        let (_, ground, requests) = sample(seed);
        for request in requests {
            let fresh = find_path(&ground, &mut DenseSearcher::default(), &request);
            assert_eq!(
                find_path(&ground, &mut used, &request),
                fresh,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn a_star_expands_no_cell_with_f_above_the_optimal_cost_and_none_twice() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..100 {
        let (_, ground, requests) = sample(seed);
        let Some(request) = requests.first() else {
            continue;
        };
        let mut events: Vec<SearchEvent> = Vec::new();
        let outcome = find_path_observed(&ground, &mut searcher, request, &mut events).unwrap();
        let Some(path) = outcome.found() else {
            continue;
        };
        let costs = reference_costs(&ground, request.start);
        let mut seen = Vec::new();
        for event in events {
            let SearchEvent::Expanded {
                at: Location::Cell(at),
                cost,
            } = event
            else {
                continue;
            };
            let h = Cost::octile(at.x.abs_diff(request.goal.x), at.y.abs_diff(request.goal.y));
            assert!(cost + h <= path.cost);
            assert_eq!(
                costs[ground.raster().index(at.x, at.y).unwrap()],
                Some(cost.units())
            );
            assert!(!seen.contains(&at), "{at} is expanded once");
            seen.push(at);
        }
    }
}

#[test]
fn a_budget_is_never_exceeded_and_its_best_path_is_walkable() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..200 {
        let (mut rng, ground, requests) = sample(seed);
        for request in requests {
            let budget = Budget::expansions(1 + u64::from(rng.below(60)));
            let whole = find_path(&ground, &mut searcher, &request).unwrap();
            let request = DenseRequest { budget, ..request };
            let outcome = find_path(&ground, &mut searcher, &request).unwrap();
            assert!(searcher.stats().expansions <= budget.expansions);
            if let Outcome::OutOfBudget { best, stats } = outcome {
                assert_eq!(stats.expansions, budget.expansions);
                assert_eq!(best.cells.first(), Some(&request.start));
                assert_eq!(step_cost_sum(&ground, &best), best.cost);
                let whole = whole.found().expect("the goal is reachable");
                assert!(whole.expansions > budget.expansions);
            } else {
                assert_eq!(outcome, whole);
            }
        }
    }
}

#[test]
fn without_memory_the_best_path_is_the_start() {
    let ground = ground("....");
    let request = DenseRequest {
        budget: Budget {
            memory_bytes: 8,
            ..Budget::UNLIMITED
        },
        ..DenseRequest::new(Cell::flat(0, 0), Cell::flat(3, 0))
    };
    let mut searcher = DenseSearcher::default();
    let whole = find_path(&ground, &mut searcher, &request).unwrap();
    assert!(matches!(whole, Outcome::OutOfBudget { .. }));
    assert_eq!(
        whole.best().map(|path| path.cells),
        Some(vec![request.start])
    );

    // A warm scratch needs no further memory.
    let warm = DenseRequest {
        budget: Budget::UNLIMITED,
        ..request
    };
    find_path(&ground, &mut searcher, &warm).unwrap();
    let request = DenseRequest {
        budget: Budget {
            memory_bytes: 0,
            ..Budget::UNLIMITED
        },
        ..request
    };
    assert!(
        find_path(&ground, &mut searcher, &request)
            .unwrap()
            .found()
            .is_some()
    );
}

#[test]
fn the_scratch_never_grows_by_more_than_the_budget_allows() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let ground = noise(&mut rng, 40, 40, 6);
        let open = open_cells(&ground);
        let (&start, &goal) = (rng.pick(&open).unwrap(), rng.pick(&open).unwrap());
        for queue in [DenseQueue::Buckets, DenseQueue::Heap] {
            let memory_bytes = 14_000 + u64::from(rng.below(4_000));
            let budget = Budget {
                memory_bytes,
                ..Budget::UNLIMITED
            };
            let request = DenseRequest {
                budget,
                queue,
                ..DenseRequest::new(start, goal)
            };
            let mut searcher = DenseSearcher::default();
            let before = searcher.heap_bytes() as u64;
            find_path(&ground, &mut searcher, &request).unwrap();
            assert!(searcher.heap_bytes() as u64 - before <= memory_bytes);
        }
    }
}

#[track_caller]
fn check_rejected(text: &str, request: &DenseRequest, expected: &str) {
    let ground = ground(text);
    let mut searcher = DenseSearcher::default();
    let error = find_path(&ground, &mut searcher, request).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_invalid_request_is_rejected_with_its_location() {
    let (here, there) = (Cell::flat(0, 0), Cell::flat(1, 0));
    check_rejected(
        "#.",
        &DenseRequest::new(here, there),
        "the start, cell (0, 0, 0), is blocked: there is no floor",
    );
    check_rejected(
        "..",
        &DenseRequest::new(here, Cell::flat(2, 0)),
        "the goal, cell (2, 0, 0), is blocked: it lies outside the map",
    );
    check_rejected(
        "..",
        &DenseRequest::new(Cell::new(0, 0, 4), there),
        "the start, cell (0, 0, 4), is blocked: a dense ground has one floor, at height 0",
    );
    check_rejected(
        "..",
        &DenseRequest {
            budget: Budget::expansions(0),
            ..DenseRequest::new(here, there)
        },
        "the budget in expansions is 0, expected at least 1",
    );
}

#[test]
fn a_path_to_the_start_is_one_cell_and_costs_nothing() {
    let here = Cell::flat(0, 0);
    let outcome = find_path(
        &ground("."),
        &mut DenseSearcher::default(),
        &DenseRequest::new(here, here),
    );
    let path = outcome.unwrap().found().unwrap();
    assert_eq!(
        (path.cells, path.cost, path.expansions),
        (vec![here], Cost::ZERO, 0)
    );
}
