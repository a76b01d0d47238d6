use super::*;
use wayfarer_engine::base::Digest;

#[test]
fn the_fixed_world_is_the_one_it_always_was() {
    let set = world();
    let mut digest = Digest::default();
    digest.bytes(set.map.bytes());
    for case in &set.cases {
        for number in [case.start.x, case.start.y, case.goal.x, case.goal.y] {
            digest.signed(i64::from(number));
        }
    }
    assert_eq!(digest.value(), 0xe5ed_ebea_b8a6_97a8);
    let n_reachable = set.cases.iter().filter(|case| case.best.is_some()).count();
    assert!(
        n_reachable > 25,
        "only {n_reachable} questions have an answer"
    );
}

#[test]
fn the_figure_is_a_time() {
    let each = ns_per_expansion().unwrap();
    assert!(each > 0.1 && each < 100_000.0, "{each} ns");
}
