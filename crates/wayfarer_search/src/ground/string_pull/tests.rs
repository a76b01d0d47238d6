//! Tests of straight lines and string pulling.

use wayfarer_base::{Column, Outcome, Point2, Rng};
use wayfarer_testkit::{ReferenceWorld, WorldKind, ascii, random_world, sight as oracle};

use super::super::{GroundRequest, PathSearcher};
use super::*;

fn random_ground(kind: WorldKind, seed: u64) -> (Ground, ReferenceWorld) {
    let data = random_world(seed, kind);
    let ground = Ground::from_data(&data).expect("random worlds are well formed");
    (ground, ReferenceWorld::new(&data))
}

fn cells_of(ground: &Ground) -> Vec<Cell> {
    let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn on_flat_ground_a_line_is_walkable_if_and_only_if_it_touches_no_hole() {
    let mut n_clear = 0;
    for seed in 0..8 {
        let (ground, world) = random_ground(WorldKind::Flat, seed);
        let mut rng = Rng::new(seed);
        let cells = cells_of(&ground);
        for _ in 0..400 {
            let (from, to) = (rng.pick(&cells), rng.pick(&cells));
            let (from, to) = (*from.expect("some"), *to.expect("some"));
            let center = |cell: Cell| Point2::center_of(cell.column()).expect("in the world");
            let is_hole = |column: Column| world.floors(column).is_empty();
            let expected = oracle::has_line_of_sight(
                center(from),
                center(to),
                oracle::LineCoverage::Closed,
                is_hole,
            );
            assert_eq!(
                is_straight_walkable(&ground, from, to),
                expected,
                "{from} to {to}"
            );
            n_clear += u32::from(expected);
        }
    }
    assert!(n_clear > 300, "only {n_clear} lines are clear");
}

#[test]
fn straight_walkability_is_symmetric_on_every_kind_of_ground() {
    for kind in WorldKind::ALL {
        let (ground, _) = random_ground(kind, 2);
        let mut rng = Rng::new(3);
        let cells = cells_of(&ground);
        for _ in 0..2_000 {
            let from = *rng.pick(&cells).expect("some");
            let near = |cell: &&Cell| cell.x.abs_diff(from.x) < 6 && cell.y.abs_diff(from.y) < 6;
            let near: Vec<Cell> = cells.iter().filter(near).copied().collect();
            let to = *rng.pick(&near).expect("at least itself");
            let forward = is_straight_walkable(&ground, from, to);
            assert_eq!(
                forward,
                is_straight_walkable(&ground, to, from),
                "{kind:?} {from} {to}"
            );
        }
    }
}

#[test]
fn waypoints_are_walkable_and_no_longer_than_the_path() {
    let mut searcher = PathSearcher::default();
    for kind in WorldKind::ALL {
        let (mut n_cells, mut n_waypoints) = (0, 0);
        for seed in 0..3 {
            let (ground, _) = random_ground(kind, seed);
            let mut rng = Rng::new(seed);
            let cells = cells_of(&ground);
            for _ in 0..40 {
                let (from, to) = (rng.pick(&cells), rng.pick(&cells));
                let (from, to) = (*from.expect("some"), *to.expect("some"));
                let request = GroundRequest::new(from, to);
                let Ok(Outcome::Found(path)) = searcher.find(&ground, &request) else {
                    continue;
                };
                let pulled = waypoints(&ground, &path);
                assert_eq!(pulled.first(), path.cells.first());
                assert_eq!(pulled.last(), path.cells.last());
                let mut at = 0;
                for pair in pulled.windows(2) {
                    let next = path.cells[at..].iter().position(|cell| *cell == pair[1]);
                    let next = at + next.expect("waypoints lie on the path, in order");
                    let is_line = is_straight_walkable(&ground, pair[0], pair[1]);
                    assert!(
                        is_line || next == at + 1 || is_straight_run(&path.cells[at..=next]),
                        "{kind:?} {seed}: {pair:?}"
                    );
                    at = next;
                }
                let length = polyline_length(&pulled);
                assert!(
                    length <= polyline_length(&path.cells) + 1e-9,
                    "{kind:?} {seed}"
                );
                n_cells += path.cells.len();
                n_waypoints += pulled.len();
            }
        }
        assert!(
            n_waypoints * 2 < n_cells,
            "{kind:?}: {n_waypoints} of {n_cells}"
        );
    }
}

/// True if all steps have the same direction.
fn is_straight_run(cells: &[Cell]) -> bool {
    let step = |pair: &[Cell]| (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
    let mut steps = cells.windows(2).map(step);
    let first = steps.next();
    steps.all(|step| Some(step) == first)
}

#[test]
fn a_string_is_pulled_around_corners() {
    let data = ascii::world(
        ".........
         .........
         ...##....
         ...##....
         .........",
    );
    let ground = Ground::from_data(&data).expect("a small map");
    let request = GroundRequest::new(Cell::flat(0, 3), Cell::flat(8, 3));
    let path = PathSearcher::default().find(&ground, &request);
    let path = path.ok().and_then(Outcome::found).expect("reachable");
    let pulled = waypoints(&ground, &path);
    assert_eq!(pulled.first(), Some(&Cell::flat(0, 3)));
    assert!(pulled.len() <= 4, "{pulled:?}");
    assert!(
        polyline_length(&pulled) < path.length().to_cells(),
        "{pulled:?}"
    );
}

#[test]
fn a_string_enters_no_area_that_the_request_avoids_or_makes_costly() {
    use super::super::Area;
    use wayfarer_base::{CostMultiplier, Rect};
    let map = [".........\n"; 7].concat();
    let ground = Ground::from_data(&ascii::world(map.trim_end())).expect("a small map");
    let (from, to) = (Cell::flat(0, 3), Cell::flat(8, 3));
    let block = Area::rect(Rect::around(Column::new(3, 1), Column::new(5, 5)));
    let costly = CostMultiplier::from_sixteenths(160).expect("ten times");
    let avoiding = GroundRequest {
        avoid: vec![block.clone()],
        ..GroundRequest::new(from, to)
    };
    let paying = GroundRequest {
        area_costs: vec![(block.clone(), costly)],
        ..GroundRequest::new(from, to)
    };
    for request in [avoiding, paying] {
        let path = PathSearcher::default().find(&ground, &request);
        let path = path.ok().and_then(Outcome::found).expect("reachable");
        let for_request = waypoints_for(&ground, &request, &path);
        for lines in [&for_request, &waypoints(&ground, &path)] {
            assert!(lines.len() > 2, "{lines:?}");
            for pair in lines.windows(2) {
                for part in 0..=64 {
                    let at = |a: i32, b: i32| (a * 64 + (b - a) * part + 32).div_euclid(64);
                    let cell = Cell::flat(at(pair[0].x, pair[1].x), at(pair[0].y, pair[1].y));
                    assert!(!block.contains(cell), "{pair:?} enters {cell}");
                }
            }
        }
        assert!(for_request.len() <= waypoints(&ground, &path).len());
    }
}
