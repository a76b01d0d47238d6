use wayfarer_base::Rng;

use super::*;

/// Enters pages at random places of a square of that side and compares with a plain list.
fn check(seed: u64, side: i32, n_pages: usize) {
    let mut rng = Rng::new(seed);
    let mut directory = Directory::default();
    let mut known: Vec<(i32, i32)> = Vec::new();
    for round in 0..2 {
        while known.len() < n_pages {
            let at = (rng.between(-side, side), rng.between(-side, side));
            if !known.contains(&at) {
                let page = u32::try_from(known.len()).unwrap();
                directory.insert(at.0, at.1, page);
                known.push(at);
            }
            let asked = (rng.between(-side, side), rng.between(-side, side));
            for (x, y) in [asked, at, (i32::MIN, i32::MAX), (i32::MAX, i32::MIN)] {
                let page = known.iter().position(|&other| other == (x, y));
                let expected = page.map(|page| u32::try_from(page).unwrap());
                assert_eq!(directory.find(x, y), expected, "({x}, {y}), round {round}");
            }
        }
        directory.clear();
        known.clear();
        assert_eq!(directory.find(0, 0), None);
    }
}

#[test]
fn pages_are_found_where_they_were_entered_near_and_far() {
    for seed in 0..10 {
        check(seed, 3, 40);
        check(seed, 20, 200);
        check(seed, 1 << 20, 200);
    }
    check(1, i32::MAX / 2, 50);
}

#[test]
fn a_window_that_holds_too_little_is_given_up_until_all_is_forgotten() {
    let mut directory = Directory::default();
    directory.insert(0, 0, 0);
    directory.insert(5, 5, 1);
    assert!(!directory.window.is_given_up);
    directory.insert(1 << 24, -(1 << 24), 2);
    assert!(directory.window.is_given_up);
    assert_eq!(directory.find(1 << 24, -(1 << 24)), Some(2));
    assert_eq!(directory.find(5, 5), Some(1));
    directory.clear();
    assert!(!directory.window.is_given_up);
}
