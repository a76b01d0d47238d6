use wayfarer_engine::base::Terrain;

use super::*;

/// `#` is blocked.
fn map(text: &str) -> Raster {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let size = |n: usize| u32::try_from(n).unwrap();
    let mut map = Raster::new(size(rows[0].len()), size(rows.len())).unwrap();
    for (y, row) in (0..).zip(rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            map.set(x, y, (letter == '.').then_some(Terrain::GROUND));
        }
    }
    map
}

#[track_caller]
fn check(cells: &[(i32, i32)], expected: Result<f64, &str>) {
    let map = map("
        ...#
        .#..
        ....");
    let path: Vec<Cell> = cells.iter().map(|&(x, y)| Cell::flat(x, y)).collect();
    let found = walk(&map, Cell::flat(0, 0), Cell::flat(3, 2), &path);
    match (found, expected) {
        (Ok(found), Ok(expected)) => assert!((found - expected).abs() < 1e-9, "{found}"),
        (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
        (found, expected) => panic!("found {found:?}, expected {expected:?}"),
    }
}

#[test]
fn a_valid_path_has_the_length_of_its_steps() {
    let sqrt_2 = std::f64::consts::SQRT_2;
    check(&[(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2)], Ok(5.0));
    check(&[(0, 0), (1, 0), (2, 0), (2, 1), (3, 2)], Ok(3.0 + sqrt_2));
}

#[test]
fn every_kind_of_invalid_path_is_rejected() {
    check(&[], Err("from the start"));
    check(&[(0, 0), (0, 1)], Err("from the start"));
    check(
        &[(0, 0), (1, 1), (2, 2), (3, 2)],
        Err("1,1, which is blocked"),
    );
    check(
        &[(0, 0), (-1, 1), (0, 2), (1, 2), (2, 2), (3, 2)],
        Err("-1,1, which is blocked"),
    );
    check(
        &[(0, 0), (0, 1), (1, 2), (2, 2), (3, 2)],
        Err("cuts a corner"),
    );
    check(&[(0, 0), (2, 0), (2, 1), (3, 2)], Err("not to a neighbor"));
    check(&[(0, 0), (0, 0), (3, 2)], Err("not to a neighbor"));
}
