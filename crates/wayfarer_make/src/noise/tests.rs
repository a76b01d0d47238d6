//! Blocked percentages of noise, random and clutter maps.

use crate::{GeneratedWorld, Generator, Recipe, make};

fn blocked_percent(generator: Generator, requested: u32, seed: u64) -> usize {
    let recipe = Recipe {
        obstacles: Some(requested),
        ..Recipe::new(generator, 256, 256, seed)
    };
    let Ok(GeneratedWorld::Flat(map)) = make(&recipe) else {
        panic!("{recipe:?} makes no map");
    };
    let n_blocked = map.bytes().iter().filter(|&&cell| cell > 1).count();
    n_blocked * 100 / map.bytes().len()
}

fn check(generator: Generator, requested: u32, tolerance: usize) {
    let n_seeds = 8;
    let mean = (0..n_seeds)
        .map(|seed| blocked_percent(generator, requested, seed))
        .sum::<usize>()
        / 8;
    assert!(
        mean.abs_diff(requested as usize) <= tolerance,
        "{generator} {requested}%: {mean}%"
    );
}

#[test]
fn the_requested_percentage_is_blocked() {
    for requested in [0, 5, 10, 25, 45, 60, 85, 95, 100] {
        check(Generator::Random, requested, 1);
    }
    for requested in [0, 10, 25, 45, 60, 90, 100] {
        check(Generator::Noise, requested, 4);
    }
    for requested in [0, 2, 10, 20, 30] {
        check(Generator::Clutter, requested, 4);
    }
}
