//! The page directory against a list.
use wayfarer_base::Rng;

use super::*;

/// Inserts random pages within `side` and compares with a list.
fn check(seed: u64, side: i32, n_pages: usize) {
    let mut rng = Rng::new(seed);
    let mut directory = Directory::default();
    let mut pages: Vec<(i32, i32)> = Vec::new();
    for round in 0..2 {
        while pages.len() < n_pages {
            let at = (rng.between(-side, side), rng.between(-side, side));
            if !pages.contains(&at) {
                let page = u32::try_from(pages.len()).unwrap();
                directory.insert(at.0, at.1, page);
                pages.push(at);
            }
            let query = (rng.between(-side, side), rng.between(-side, side));
            for (x, y) in [query, at, (i32::MIN, i32::MAX), (i32::MAX, i32::MIN)] {
                let page = pages.iter().position(|&other| other == (x, y));
                let expected = page.map(|page| u32::try_from(page).unwrap());
                assert_eq!(directory.find(x, y), expected, "({x}, {y}), round {round}");
            }
        }
        directory.clear();
        pages.clear();
        assert_eq!(directory.find(0, 0), None);
    }
}

#[test]
fn pages_are_found_where_they_were_inserted_near_and_far() {
    for seed in 0..10 {
        check(seed, 3, 40);
        check(seed, 20, 200);
        check(seed, 1 << 20, 200);
    }
    check(1, i32::MAX / 2, 50);
}

#[test]
fn a_sparse_window_is_disabled_until_the_directory_is_cleared() {
    let mut directory = Directory::default();
    directory.insert(0, 0, 0);
    directory.insert(5, 5, 1);
    assert!(!directory.window.is_disabled);
    directory.insert(1 << 24, -(1 << 24), 2);
    assert!(directory.window.is_disabled);
    assert_eq!(directory.find(1 << 24, -(1 << 24)), Some(2));
    assert_eq!(directory.find(5, 5), Some(1));
    directory.clear();
    assert!(!directory.window.is_disabled);
}
