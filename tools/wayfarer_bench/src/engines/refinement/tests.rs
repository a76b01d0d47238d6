use super::*;
use crate::measure::{Plan, measure};
use crate::query::QuerySet;
use wayfarer_engine::base::{Rng, Terrain};

/// Noise over several sectors; some goals are unreachable.
fn noise(seed: u64) -> QuerySet {
    let mut rng = Rng::new(seed);
    let mut map = Raster::new(70, 41).unwrap();
    for column in map.rect().columns() {
        if rng.chance(2, 3) {
            map.set(column.x, column.y, Some(Terrain::GROUND));
        }
    }
    QuerySet::random("noise", map, 40, &mut rng)
}

#[test]
fn every_path_can_be_walked_and_none_is_missed() {
    let plan = Plan {
        runs: 1,
        repeats: 1,
        ..Plan::default()
    };
    let (mut found, mut longer) = (0, 0);
    for seed in 0..6 {
        let mut set = noise(seed);
        let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Refinement::paper())];
        for measured in measure(&mut engines, &mut set, &plan) {
            let measured = measured.unwrap();
            assert_eq!(measured.wrong, [], "seed {seed}");
            let expansions = measured.cases.iter().filter_map(|case| case.expansions);
            found += expansions.count();
            longer += measured.n_longer;
        }
    }
    // It plans in the large: some of its paths are longer than need be, which is no fault.
    assert!(found > 60 && longer > 5, "{found} found, {longer} longer");
}

#[test]
fn without_a_map_there_is_no_path() {
    let at = Column::new(0, 0);
    let result = Refinement::paper().result(at, at, &mut PathBuffer::default());
    assert!(!result.found);
}

#[test]
fn a_name_says_how_to_refine() {
    let refine = |name: &str| Refinement::by_name(name).map(|engine| engine.refine.to_string());
    for (name, words) in [
        ("refine", Some("1,10%,-,-")),
        ("refine:2,15%,-,-", Some("2,15%,-,-")),
        ("refine:hpa", Some("1,-,-,simple")),
        ("refine:", None),
        ("refine:1,2", None),
        ("mmm", None),
    ] {
        assert_eq!(refine(name).as_deref(), words, "{name}");
    }
    assert_eq!(
        Refinement::by_name("refine:pra").unwrap().about().name,
        "refine:pra"
    );
}
