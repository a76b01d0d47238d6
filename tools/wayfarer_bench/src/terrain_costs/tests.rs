use wayfarer_testkit::ascii;

use super::*;

fn open_square() -> QuerySet {
    let rows = "................................\n".repeat(32);
    QuerySet::new("square", ascii::raster(&rows), &[], None, 0)
}

#[test]
fn every_kind_weighs_the_share_asked_for() {
    let set = open_square();
    for kind in Kind::ALL {
        for share in [2, 30, 100] {
            let map = WeightedMap::new(&set, kind, share, &mut Rng::new(3));
            let n_costly = (set.map.rect().columns())
                .filter(|at| map.at(*at) > 1)
                .count();
            let wanted = match kind {
                Kind::One => 1_024,
                _ => 1_024 * share / 100,
            };
            let most = wanted + if kind == Kind::Random { 60 } else { 160 };
            let least = wanted.saturating_sub(if kind == Kind::Random { 60 } else { 0 });
            let note = format!("{kind:?}, {share} %: {n_costly}");
            assert!((least..=most).contains(&n_costly), "{note}");
        }
    }
}

#[test]
fn equal_seeds_give_equal_maps() {
    let set = open_square();
    for kind in Kind::ALL {
        let [a, b] = [7, 7].map(|seed| WeightedMap::new(&set, kind, 30, &mut Rng::new(seed)));
        assert_eq!(a.world().cells, b.world().cells, "{kind:?}");
    }
}
