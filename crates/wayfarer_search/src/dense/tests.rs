use super::*;
use wayfarer_base::{Cell, Cost, Dice, Raster};

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
fn every_method_and_queue_finds_a_cheapest_path_or_knows_that_there_is_none() {
    let mut searcher = DenseSearcher::default();
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let (width, height) = (1 + dice.below(24), 1 + dice.below(24));
        let of = 2 + dice.below(6);
        let ground = noise(&mut dice, width, height, of);
        let open: Vec<Cell> = ground.rect().columns().map(|at| at.at(0)).collect();
        let open: Vec<Cell> = open
            .into_iter()
            .filter(|cell| ground.is_walkable(*cell))
            .collect();
        let (Some(&start), Some(&goal)) = (dice.pick(&open), dice.pick(&open)) else {
            continue;
        };
        let slow = slow_costs(&ground, start)[ground.raster().index(goal.x, goal.y).unwrap()];
        for method in [DenseMethod::AStar, DenseMethod::Dijkstra] {
            let answers = [DenseQueue::Buckets, DenseQueue::Heap].map(|queue| {
                let request = DenseRequest {
                    method,
                    queue,
                    ..DenseRequest::new(start, goal)
                };
                find_path(&ground, &mut searcher, &request).unwrap()
            });
            assert_eq!(answers[0], answers[1], "seed {seed}");
            let found = answers[0].clone().found();
            assert_eq!(
                found.as_ref().map(|path| path.cost.units()),
                slow,
                "seed {seed}"
            );
            if let Some(path) = found {
                assert_eq!(path.cells.first(), Some(&start));
                assert_eq!(path.cells.last(), Some(&goal));
                assert_eq!(walked(&ground, &path), path.cost);
            }
        }
    }
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
