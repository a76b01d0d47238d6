use super::*;
use wayfarer_base::{
    Budget, Cell, Column, Cost, Dice, Edit, Explain, PathStatus, Place, Progress, Raster, Revision,
    SearchEvent, Session, Spent, Terrain, UnreachableProof, WatchKey,
};

/// `.` is ground, all else nothing; the first character is cell (0, 0).
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
fn noise(dice: &mut Dice, width: u32, height: u32, of: u32) -> DenseGround {
    let cells = (0..width * height).map(|_| if dice.chance(1, of) { 255 } else { 0 });
    let raster = Raster::from_bytes(width, height, cells.collect()).unwrap();
    DenseGround::from_raster(raster).unwrap()
}

/// What every cell costs from `start`, slowly: rounds over all cells until nothing gets cheaper.
fn slow_costs(ground: &DenseGround, start: Cell) -> Vec<Option<u32>> {
    let raster = ground.raster();
    let place = |x, y| raster.index(x, y).unwrap();
    let mut costs = vec![None; raster.bytes().len()];
    costs[place(start.x, start.y)] = Some(0_u32);
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
            let Some(here) = costs[place(x, y)].filter(|_| is_legal) else {
                continue;
            };
            let cost = here + if dx != 0 && dy != 0 { 2069 } else { 1463 };
            let there = &mut costs[place(x + dx, y + dy)];
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

/// The path's cost added up step by step; panics at the first step that is not legal.
fn walked(ground: &DenseGround, path: &DensePath) -> Cost {
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
            Cost::of_step(dx + dy == 2)
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

/// Cells of a ground that one can stand on, row by row.
fn open_cells(ground: &DenseGround) -> Vec<Cell> {
    let all = ground.rect().columns().map(|at| at.at(0));
    all.filter(|cell| ground.is_walkable(*cell)).collect()
}

/// A ground drawn from `seed`, and requests over it with every method and queue.
fn sample(seed: u64) -> (Dice, DenseGround, Vec<DenseRequest>) {
    let mut dice = Dice::new(seed);
    let (width, height) = (1 + dice.below(24), 1 + dice.below(24));
    let of = 2 + dice.below(6);
    let ground = noise(&mut dice, width, height, of);
    let open = open_cells(&ground);
    let mut requests = Vec::new();
    if let (Some(&start), Some(&goal)) = (dice.pick(&open), dice.pick(&open)) {
        for method in [DenseMethod::AStar, DenseMethod::Dijkstra] {
            for queue in [DenseQueue::Buckets, DenseQueue::Heap] {
                let plain = DenseRequest::new(start, goal);
                requests.push(DenseRequest {
                    method,
                    queue,
                    ..plain
                });
            }
        }
    }
    (dice, ground, requests)
}

fn slow_cost(ground: &DenseGround, start: Cell, goal: Cell) -> Option<Cost> {
    let cost = slow_costs(ground, start)[ground.raster().index(goal.x, goal.y).unwrap()];
    cost.map(Cost::from_units)
}

#[test]
fn every_method_finds_a_cheapest_path_or_knows_that_there_is_none() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..300 {
        let (_, ground, requests) = sample(seed);
        for request in requests {
            let outcome = find_path(&ground, &mut searcher, &request).unwrap();
            let expected = slow_cost(&ground, request.start, request.goal);
            match outcome {
                Outcome::Found(path) => {
                    assert_eq!(Some(path.cost), expected, "seed {seed}");
                    assert_eq!(path.cells.first(), Some(&request.start));
                    assert_eq!(path.cells.last(), Some(&request.goal));
                    assert_eq!(walked(&ground, &path), path.cost);
                    assert_eq!(path.expansions, searcher.spent().expansions);
                }
                Outcome::Unreachable { proof, .. } => {
                    assert_eq!(expected, None, "seed {seed}");
                    assert_eq!(proof, UnreachableProof::DifferentComponents);
                    assert_eq!(searcher.spent(), Spent::default(), "known without a search");
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        }
    }
}

#[test]
fn the_queue_changes_neither_the_answer_nor_what_is_observed() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..200 {
        let (_, ground, requests) = sample(seed);
        let mut answer = |request| {
            let mut events: Vec<SearchEvent> = Vec::new();
            let outcome = find_path_observed(&ground, &mut searcher, request, &mut events);
            (outcome, events, searcher.spent())
        };
        for pair in requests.chunks_exact(2) {
            assert_eq!(answer(&pair[0]), answer(&pair[1]), "seed {seed}");
        }
    }
}

#[test]
fn what_a_searcher_did_before_does_not_show() {
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
fn a_star_expands_no_cell_that_looks_dearer_than_the_way_and_none_twice() {
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
        let costs = slow_costs(&ground, request.start);
        let mut seen = Vec::new();
        for event in events {
            let SearchEvent::Expanded {
                at: Place::Cell(at),
                cost,
            } = event
            else {
                continue;
            };
            let rest = Cost::octile(at.x.abs_diff(request.goal.x), at.y.abs_diff(request.goal.y));
            assert!(cost + rest <= path.cost);
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
fn a_sliced_search_gives_the_same_outcome_as_a_whole_one() {
    let mut searcher = DenseSearcher::default();
    let mut session: Option<DenseSession> = None;
    for seed in 0..300 {
        let (mut dice, ground, requests) = sample(seed);
        for mut request in requests {
            if dice.chance(1, 3) {
                request.budget = Budget::expansions(1 + u64::from(dice.below(80)));
            }
            let whole = find_path(&ground, &mut searcher, &request).unwrap();
            let mut sliced = match session.take() {
                Some(mut session) => {
                    session.begin_anew(&ground, &request).unwrap();
                    session
                }
                None => DenseSession::begin(&ground, DenseSearcher::default(), &request).unwrap(),
            };
            let mut used = 0;
            loop {
                let slice = u64::from(dice.below(9));
                match sliced.advance(&ground, Budget::expansions(slice)) {
                    Progress::Working { spent } => {
                        assert!(spent.expansions <= used + slice);
                        used = spent.expansions;
                    }
                    Progress::Done(outcome) => {
                        assert_eq!(outcome, whole, "seed {seed}");
                        break;
                    }
                    stale @ Progress::Stale { .. } => panic!("{stale:?}"),
                }
            }
            let again = sliced.advance(&ground, Budget::expansions(1));
            assert_eq!(again, Progress::Done(whole), "done stays done");
            session = Some(sliced);
        }
    }
}

#[test]
fn a_session_notices_that_the_world_moved_on() {
    let mut world = ground("....");
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(3, 0));
    let mut session = DenseSession::begin(&world, DenseSearcher::default(), &request).unwrap();
    assert!(matches!(
        session.advance(&world, Budget::expansions(1)),
        Progress::Working { .. }
    ));
    world.apply(&[]).unwrap();
    let stale = Progress::Stale {
        began: Revision(0),
        now: Revision(1),
    };
    assert_eq!(session.advance(&world, Budget::UNLIMITED), stale);
    // Another ground at the same revision, but of another size.
    let small = ground(".");
    let progress = session.advance(&small, Budget::UNLIMITED);
    assert!(matches!(progress, Progress::Stale { .. }));

    session.begin_anew(&world, &request).unwrap();
    assert_eq!(session.began(), Revision(1));
    let progress = session.advance(&world, Budget::UNLIMITED);
    assert!(matches!(progress, Progress::Done(Outcome::Found(_))));
}

#[test]
fn a_budget_is_kept_and_what_was_found_by_then_can_be_walked() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..200 {
        let (mut dice, ground, requests) = sample(seed);
        for request in requests {
            let budget = Budget::expansions(1 + u64::from(dice.below(60)));
            let whole = find_path(&ground, &mut searcher, &request).unwrap();
            let request = DenseRequest { budget, ..request };
            let outcome = find_path(&ground, &mut searcher, &request).unwrap();
            assert!(searcher.spent().expansions <= budget.expansions);
            if let Outcome::OutOfBudget { best, spent } = outcome {
                assert_eq!(spent.expansions, budget.expansions);
                assert_eq!(best.cells.first(), Some(&request.start));
                assert_eq!(walked(&ground, &best), best.cost);
                let whole = whole.found().expect("else no budget would be used");
                assert!(whole.expansions > budget.expansions);
            } else {
                assert_eq!(outcome, whole);
            }
        }
    }
}

#[test]
fn without_memory_the_best_is_where_one_stands() {
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
    assert_eq!(
        whole.clone().best().map(|path| path.cells),
        Some(vec![request.start])
    );
    assert!(matches!(whole, Outcome::OutOfBudget { .. }));
    let mut session = DenseSession::begin(&ground, searcher, &request).unwrap();
    assert_eq!(
        session.advance(&ground, Budget::UNLIMITED),
        Progress::Done(whole)
    );

    // With the memory already there, none is needed.
    let mut searcher = session.into_searcher();
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
        let mut dice = Dice::new(seed);
        let ground = noise(&mut dice, 40, 40, 6);
        let open = open_cells(&ground);
        let (&start, &goal) = (dice.pick(&open).unwrap(), dice.pick(&open).unwrap());
        for queue in [DenseQueue::Buckets, DenseQueue::Heap] {
            let memory_bytes = 14_000 + u64::from(dice.below(4_000));
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
fn check_refused(text: &str, request: &DenseRequest, expected: &str) {
    let ground = ground(text);
    let mut searcher = DenseSearcher::default();
    let refusal = find_path(&ground, &mut searcher, request).unwrap_err();
    assert_eq!(refusal.to_string(), expected);
    let refusal = DenseSession::begin(&ground, searcher, request).unwrap_err();
    assert_eq!(refusal.to_string(), expected);
}

#[test]
fn a_request_that_cannot_be_tried_is_refused_with_the_place() {
    let (here, there) = (Cell::flat(0, 0), Cell::flat(1, 0));
    check_refused(
        "#.",
        &DenseRequest::new(here, there),
        "the start, cell (0, 0, 0), cannot be stood on: there is no floor",
    );
    check_refused(
        "..",
        &DenseRequest::new(here, Cell::flat(2, 0)),
        "the goal, cell (2, 0, 0), cannot be stood on: it lies outside the map",
    );
    check_refused(
        "..",
        &DenseRequest::new(Cell::new(0, 0, 4), there),
        "the start, cell (0, 0, 4), cannot be stood on: a dense ground has one floor, at height 0",
    );
    check_refused(
        "..",
        &DenseRequest {
            budget: Budget::expansions(0),
            ..DenseRequest::new(here, there)
        },
        "the budget in expansions is 0, expected at least 1",
    );
}

#[test]
fn a_path_to_where_one_stands_is_one_cell_and_costs_nothing() {
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

#[test]
fn distances_are_those_of_the_slow_search_and_end_at_the_budget() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..100 {
        let (mut dice, ground, requests) = sample(seed);
        let Some(source) = requests.first().map(|request| request.start) else {
            continue;
        };
        let slow = slow_costs(&ground, source);
        let mut all = distances_from(&ground, &mut searcher, source, Budget::UNLIMITED).unwrap();
        assert!(all.is_complete());
        for (at, cost) in ground.rect().columns().zip(&slow) {
            assert_eq!(
                all.cost_to(at.at(0)),
                cost.map(Cost::from_units),
                "seed {seed}"
            );
            if let Some(path) = all.path_to(at.at(0)) {
                assert_eq!(Some(walked(&ground, &path).units()), *cost);
                assert_eq!(path.cells.first(), Some(&source));
            }
        }
        assert_eq!(all.cost_to(Cell::flat(-1, 0)), None);
        let budget = Budget::expansions(u64::from(dice.below(20)));
        let some = distances_from(&ground, &mut searcher, source, budget).unwrap();
        let reachable = slow.iter().flatten().count() as u64;
        assert_eq!(some.is_complete(), reachable <= budget.expansions);
        assert!(searcher.spent().expansions <= budget.expansions);
    }
    let nothing = ground("#");
    let refused = distances_from(&nothing, &mut searcher, Cell::flat(0, 0), Budget::UNLIMITED);
    assert!(refused.is_err());
}

#[test]
fn the_status_of_a_path_agrees_with_searching_anew() {
    let mut searcher = DenseSearcher::default();
    let mut seen = [0; 3];
    for seed in 0..400 {
        let (mut dice, mut ground, requests) = sample(seed);
        let Some(request) = requests.first() else {
            continue;
        };
        let outcome = find_path(&ground, &mut searcher, request).unwrap();
        let Some(path) = outcome.found() else {
            continue;
        };
        for _ in 0..6 {
            let all: Vec<Column> = ground.rect().columns().collect();
            let cell = dice.pick(&all).unwrap().at(0);
            let edit = if ground.is_walkable(cell) {
                Edit::RemoveCell { cell }
            } else {
                Edit::PutCell {
                    cell,
                    terrain: Terrain::GROUND,
                }
            };
            ground.apply(&[edit]).unwrap();
            let first_broken = if ground.is_walkable(path.cells[0]) {
                (0..)
                    .zip(path.cells.windows(2))
                    .find(|(_, leg)| {
                        let is_open = |x, y| ground.is_walkable(Cell::flat(x, y));
                        let [from, to] = [leg[0], leg[1]];
                        !(is_open(to.x, to.y) && is_open(from.x, to.y) && is_open(to.x, from.y))
                    })
                    .map(|(leg, cells)| (leg, cells[1]))
            } else {
                Some((0, path.cells[0]))
            };
            match (status(&ground, &path), first_broken) {
                (PathStatus::Broken { leg, at }, Some(expected)) => {
                    assert_eq!(
                        (leg, at),
                        (expected.0, Place::Cell(expected.1)),
                        "seed {seed}"
                    );
                    seen[0] += 1;
                }
                (PathStatus::ShorterMayExist, None) => seen[1] += 1,
                (PathStatus::Holds, None) => {
                    let now = slow_cost(&ground, request.start, request.goal);
                    assert_eq!(now, Some(path.cost), "seed {seed}");
                    seen[2] += 1;
                }
                (status, broken) => panic!("seed {seed}: {status:?}, broken {broken:?}"),
            }
        }
    }
    assert!(
        seen.iter().all(|times| *times > 50),
        "all kinds were met: {seen:?}"
    );
}

#[test]
fn what_opens_far_away_does_not_cast_doubt_on_a_path() {
    let mut ground = ground(
        "......
         ......
         ......
         .....#",
    );
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(3, 0));
    let outcome = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    let path = outcome.found().unwrap();
    let put = |x, y| Edit::PutCell {
        cell: Cell::flat(x, y),
        terrain: Terrain::GROUND,
    };
    ground.apply(&[put(5, 3)]).unwrap();
    assert_eq!(status(&ground, &path), PathStatus::Holds);
}

#[test]
fn a_path_older_than_the_log_is_forgotten() {
    let mut ground = ground("..");
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(1, 0));
    let outcome = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    let path = outcome.found().unwrap();
    for _ in 0..DenseGround::CHANGES_KEPT {
        ground.apply(&[]).unwrap();
    }
    assert_eq!(status(&ground, &path), PathStatus::Holds);
    ground.apply(&[]).unwrap();
    assert_eq!(status(&ground, &path), PathStatus::Forgotten);
}

#[test]
fn an_explanation_names_the_cell_that_opens_the_cheapest_way() {
    let mut searcher = DenseSearcher::default();
    let mut n_opened = 0;
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let (width, height) = (1 + dice.below(12), 1 + dice.below(12));
        let ground = noise(&mut dice, width, height, 2);
        let all: Vec<Column> = ground.rect().columns().collect();
        let goal = dice.pick(&all).unwrap().at(0);
        let Some(&start) = dice.pick(&open_cells(&ground)) else {
            continue;
        };
        let request = DenseRequest::new(start, goal);
        let why = explain(&ground, &mut searcher, &request).unwrap();
        if ground.is_connected(start, goal) {
            assert_eq!(why, Explain::default());
            continue;
        }
        let ways = all.iter().filter_map(|at| {
            let mut opened = ground.clone();
            let (cell, terrain) = (at.at(0), Terrain::GROUND);
            opened.apply(&[Edit::PutCell { cell, terrain }]).unwrap();
            slow_cost(&opened, start, goal).filter(|_| opened.is_walkable(goal))
        });
        let step = why.cheapest_blocked;
        assert_eq!(step.map(|step| step.cost), ways.min(), "seed {seed}");
        n_opened += usize::from(step.is_some());
        let costs = slow_costs(&ground, start);
        for place in &why.frontier {
            let Place::Cell(cell) = place else {
                panic!("{place:?} is no cell");
            };
            assert!(costs[ground.raster().index(cell.x, cell.y).unwrap()].is_some());
        }
        assert!(!why.frontier.is_empty(), "some obstacle was met");
    }
    assert!(n_opened > 30, "one cell was enough {n_opened} times");
}

#[test]
fn a_change_that_touches_no_key_of_a_path_does_not_break_it() {
    let mut searcher = DenseSearcher::default();
    let mut n_broken = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut ground = noise(&mut dice, 50, 50, 9);
        let open = open_cells(&ground);
        let request = DenseRequest::new(*dice.pick(&open).unwrap(), *dice.pick(&open).unwrap());
        let Some(path) = find_path(&ground, &mut searcher, &request).unwrap().found() else {
            continue;
        };
        let keys = path.watch_keys();
        assert!(keys.is_sorted_by(|a, b| a < b));
        // Close a cell beside the path: those at corners are the ones easily forgotten.
        let near = dice.pick(&path.cells).unwrap();
        let cell = Cell::flat(near.x + dice.between(-1, 1), near.y + dice.between(-1, 1));
        let changes = ground.apply(&[Edit::RemoveCell { cell }]).unwrap();
        let is_watched = changes
            .touched
            .iter()
            .any(|touched| keys.contains(&WatchKey::of_sector(touched.sector)));
        if !status(&ground, &path).is_walkable() {
            assert!(is_watched, "seed {seed}");
            n_broken += 1;
        }
    }
    assert!(n_broken > 50, "paths were broken {n_broken} times");
}

#[test]
fn a_diagonal_over_the_corner_of_four_sectors_is_filed_under_all_of_them() {
    let cell = |x, y| Cell::flat(x, y);
    let path = DensePath {
        cells: vec![cell(15, 15), cell(16, 16)],
        cost: Cost::DIAGONAL,
        revision: Revision(0),
        expansions: 0,
    };
    assert_eq!(path.watch_keys().len(), 4);
}

/// The status of the path from the north-west corner to the south-east one after `edits`, one
/// batch each: `true` puts ground there, `false` takes it away.
#[track_caller]
fn check_status(text: &str, edits: &[(i32, i32, bool)], expected: PathStatus) {
    let mut ground = ground(text);
    let (start, goal) = (ground.rect().low.at(0), ground.rect().high.at(0));
    let request = DenseRequest::new(start, goal);
    let outcome = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    let path = outcome.found().unwrap();
    for &(x, y, is_put) in edits {
        let (cell, terrain) = (Cell::flat(x, y), Terrain::GROUND);
        let edit = if is_put {
            Edit::PutCell { cell, terrain }
        } else {
            Edit::RemoveCell { cell }
        };
        ground.apply(&[edit]).unwrap();
    }
    assert_eq!(status(&ground, &path), expected);
}

#[test]
fn the_status_of_a_path_follows_what_opens_and_closes() {
    // Opening the corner allows the diagonal, though the way over that cell is no shorter.
    check_status(".# ..", &[(1, 0, true)], PathStatus::ShorterMayExist);
    check_status(".# ..", &[(1, 0, true), (1, 0, false)], PathStatus::Holds);
    let broken = PathStatus::Broken {
        leg: 0,
        at: Place::Cell(Cell::flat(1, 1)),
    };
    check_status(".. ..", &[(0, 1, false)], broken);
    // Opened again it is as before, and no way over it beats the diagonal.
    check_status(".. ..", &[(0, 1, false), (0, 1, true)], PathStatus::Holds);
    let at = Place::Cell(Cell::flat(0, 0));
    check_status(".. ..", &[(0, 0, false)], PathStatus::Broken { leg: 0, at });
}
