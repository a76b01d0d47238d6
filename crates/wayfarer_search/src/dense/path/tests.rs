//! Tests of path status against searching again.

use super::*;
use crate::dense::tests::{ground, reference_cost, sample};
use crate::dense::{DenseRequest, DenseSearcher, find_path};
use wayfarer_base::{Column, GroundEdit, Terrain};

#[test]
fn the_status_of_a_path_agrees_with_a_new_search() {
    let mut searcher = DenseSearcher::default();
    let mut seen = [0; 3];
    for seed in 0..400 {
        let (mut rng, mut ground, requests) = sample(seed);
        let Some(request) = requests.first() else {
            continue;
        };
        let outcome = find_path(&ground, &mut searcher, request).unwrap();
        let Some(path) = outcome.found() else {
            continue;
        };
        for _ in 0..6 {
            let all: Vec<Column> = ground.rect().columns().collect();
            let cell = rng.pick(&all).unwrap().at(0);
            let edit = if ground.is_walkable(cell) {
                GroundEdit::RemoveCell { cell }
            } else {
                GroundEdit::PutCell {
                    cell,
                    terrain: Terrain::GROUND,
                }
            };
            ground.apply(&[edit]).unwrap();
            let first_invalid = if ground.is_walkable(path.cells[0]) {
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
            match (status(&ground, &path), first_invalid) {
                (PathStatus::Invalid { leg, at }, Some(expected)) => {
                    assert_eq!(
                        (leg, at),
                        (expected.0, Location::Cell(expected.1)),
                        "seed {seed}"
                    );
                    seen[0] += 1;
                }
                (PathStatus::MaybeSuboptimal, None) => seen[1] += 1,
                (PathStatus::Valid, None) => {
                    let now = reference_cost(&ground, request.start, request.goal);
                    assert_eq!(now, Some(path.cost), "seed {seed}");
                    seen[2] += 1;
                }
                (status, invalid) => panic!("seed {seed}: {status:?}, invalid leg {invalid:?}"),
            }
        }
    }
    assert!(
        seen.iter().all(|times| *times > 50),
        "every status occurs: {seen:?}"
    );
}

#[test]
fn a_cell_added_far_away_leaves_a_path_valid() {
    let mut ground = ground(
        "......
         ......
         ......
         .....#",
    );
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(3, 0));
    let outcome = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    let path = outcome.found().unwrap();
    let put = |x, y| GroundEdit::PutCell {
        cell: Cell::flat(x, y),
        terrain: Terrain::GROUND,
    };
    ground.apply(&[put(5, 3)]).unwrap();
    assert_eq!(status(&ground, &path), PathStatus::Valid);
}

#[test]
fn the_status_of_a_path_older_than_the_change_log_is_unknown() {
    let mut ground = ground("..");
    let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(1, 0));
    let outcome = find_path(&ground, &mut DenseSearcher::default(), &request).unwrap();
    let path = outcome.found().unwrap();
    for _ in 0..DenseGround::CHANGE_LOG_CAPACITY {
        ground.apply(&[]).unwrap();
    }
    assert_eq!(status(&ground, &path), PathStatus::Valid);
    ground.apply(&[]).unwrap();
    assert_eq!(status(&ground, &path), PathStatus::Unknown);
}

/// Checks the status of the path from the north-west corner to the south-east one after `edits`,
/// one batch each: `true` puts a cell, `false` removes it.
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
            GroundEdit::PutCell { cell, terrain }
        } else {
            GroundEdit::RemoveCell { cell }
        };
        ground.apply(&[edit]).unwrap();
    }
    assert_eq!(status(&ground, &path), expected);
}

#[test]
fn the_status_of_a_path_follows_added_and_removed_cells() {
    // The new corner allows the diagonal, though the path over that cell is no shorter.
    check_status(".# ..", &[(1, 0, true)], PathStatus::MaybeSuboptimal);
    check_status(".# ..", &[(1, 0, true), (1, 0, false)], PathStatus::Valid);
    let invalid = PathStatus::Invalid {
        leg: 0,
        at: Location::Cell(Cell::flat(1, 1)),
    };
    check_status(".. ..", &[(0, 1, false)], invalid);
    // Once restored, no path over the cell beats the diagonal.
    check_status(".. ..", &[(0, 1, false), (0, 1, true)], PathStatus::Valid);
    let at = Location::Cell(Cell::flat(0, 0));
    check_status(
        ".. ..",
        &[(0, 0, false)],
        PathStatus::Invalid { leg: 0, at },
    );
}
