//! Noise and strewn cells block as much as was wished.

use crate::{GeneratedWorld, Generator, Recipe, make};

fn blocked_share(kind: Generator, wished: u32, seed: u64) -> usize {
    let recipe = Recipe {
        obstacles: Some(wished),
        ..Recipe::new(kind, 256, 256, seed)
    };
    let Ok(GeneratedWorld::Flat(map)) = make(&recipe) else {
        panic!("{recipe:?} makes no map");
    };
    let n_blocked = map.bytes().iter().filter(|&&cell| cell > 1).count();
    n_blocked * 100 / map.bytes().len()
}

fn check(kind: Generator, wished: u32, tolerance: usize) {
    let n_seeds = 8;
    let mean = (0..n_seeds)
        .map(|seed| blocked_share(kind, wished, seed))
        .sum::<usize>()
        / 8;
    assert!(
        mean.abs_diff(wished as usize) <= tolerance,
        "{kind} {wished}%: {mean}%"
    );
}

#[test]
fn the_wished_share_is_blocked() {
    for wished in [0, 5, 10, 25, 45, 60, 85, 95, 100] {
        check(Generator::Random, wished, 1);
    }
    for wished in [0, 10, 25, 45, 60, 90, 100] {
        check(Generator::Noise, wished, 4);
    }
    for wished in [0, 2, 10, 20, 30] {
        check(Generator::Clutter, wished, 4);
    }
}
