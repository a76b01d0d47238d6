//! Terrain shares, slopes and connectivity of open country.

use std::collections::BTreeMap;

use wayfarer_base::Raster;

use super::*;
use crate::{GeneratedWorld, Generator, make};

fn country(seed: u64) -> Raster {
    match make(&Recipe::new(Generator::Terrain, 256, 256, seed)) {
        Ok(GeneratedWorld::Flat(map)) => map,
        other => panic!("{other:?}"),
    }
}

fn hilly(recipe: &Recipe) -> BTreeMap<(i32, i32), (i32, Terrain)> {
    let Ok(GeneratedWorld::MultiFloor(data)) = make(recipe) else {
        panic!("{recipe:?} makes no hills");
    };
    let n_cells = data.cells.len();
    let map: BTreeMap<_, _> = data
        .cells
        .into_iter()
        .map(|(cell, terrain)| ((cell.x, cell.y), (cell.z, terrain)))
        .collect();
    assert_eq!(map.len(), n_cells, "one floor in each column");
    map
}

#[test]
fn terrain_shares_are_in_range() {
    let mut counts = [0_usize; 256];
    for seed in 0..10 {
        for &cell in country(seed).bytes() {
            counts[usize::from(cell)] += 1;
        }
    }
    let per_mille = |terrain: u8| counts[usize::from(terrain)] * 1000 / (10 * 256 * 256);
    let check = |terrain: u8, low: usize, high: usize| {
        let share = per_mille(terrain);
        assert!((low..=high).contains(&share), "terrain {terrain}: {share}");
    };
    check(GROUND, 350, 700);
    check(SWAMP, 30, 200);
    check(Terrain::WATER.number(), 80, 350);
    check(Terrain::TREES.number(), 80, 300);
    check(ROCK, 20, 150);
}

#[test]
fn hills_have_slopes_cliffs_and_lakes() {
    let (mut n_slopes, mut n_cliffs, mut n_level, mut n_water) = (0, 0, 0, 0);
    for seed in 0..6 {
        let map = hilly(&Recipe::new(Generator::Heights, 160, 120, seed));
        assert_eq!(map.len(), 160 * 120);
        for (&(x, y), &(z, terrain)) in &map {
            n_water += usize::from(terrain == Terrain::WATER);
            assert!(terrain != Terrain::WATER || z == 5, "lakes are level");
            match map.get(&(x + 1, y)).map(|next| next.0.abs_diff(z)) {
                Some(0) => n_level += 1,
                Some(1) => n_slopes += 1,
                Some(_) => n_cliffs += 1,
                None => {}
            }
        }
    }
    let all = n_slopes + n_cliffs + n_level;
    assert!(n_slopes * 100 > all * 5, "{n_slopes} of {all} slopes");
    assert!(n_cliffs * 100 > all, "{n_cliffs} of {all} cliffs");
    assert!(n_cliffs * 10 < all, "{n_cliffs} of {all} cliffs");
    assert!(n_water * 50 > all, "{n_water} of {all} water");
}

#[test]
fn most_of_the_hills_are_one_component() {
    for seed in 0..8 {
        let map = hilly(&Recipe::new(Generator::Heights, 160, 160, seed));
        let walkable_height = |at: &(i32, i32)| {
            map.get(at)
                .filter(|cell| matches!(cell.1, Terrain::GROUND | Terrain::SWAMP))
                .map(|cell| cell.0)
        };
        let mut visited = std::collections::BTreeSet::new();
        let (mut n_all, mut largest) = (0, 0);
        for &first in map.keys() {
            if walkable_height(&first).is_none() || !visited.insert(first) {
                continue;
            }
            let (mut stack, mut size) = (vec![first], 0);
            while let Some((x, y)) = stack.pop() {
                size += 1;
                let z = walkable_height(&(x, y)).unwrap();
                for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                    if walkable_height(&next).is_some_and(|to| to.abs_diff(z) <= 1)
                        && visited.insert(next)
                    {
                        stack.push(next);
                    }
                }
            }
            n_all += size;
            largest = largest.max(size);
        }
        assert!(
            largest * 100 >= n_all * 70,
            "seed {seed}: {largest} of {n_all}"
        );
    }
}

#[test]
fn hills_of_any_size_up_to_the_limit_are_generated() {
    for (width, height) in [(1, 1), (1, 30), (30, 1), (7, 5)] {
        let map = hilly(&Recipe::new(Generator::Heights, width, height, 1));
        assert_eq!(map.len(), width as usize * height as usize);
    }
    assert_eq!(
        make(&Recipe::new(Generator::Heights, 1 << 13, 1 << 12, 1))
            .unwrap_err()
            .to_string(),
        "heights: 33554432 cells in all, expected at most 16777216"
    );
}
