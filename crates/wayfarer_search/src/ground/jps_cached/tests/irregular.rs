//! Costly areas: the search falls back to `jps` if most nodes are irregular, whatever the cache
//! holds.

use super::*;

/// A costly box, somewhere on a square.
fn costly(name: u64, rng: &mut Rng, side: i32) -> GroundEdit {
    let corner = (rng.between(0, side), rng.between(0, side));
    costly_at(name, rng, corner)
}

/// A costly box with its first corner at (x, y).
pub(super) fn costly_at(name: u64, rng: &mut Rng, (x, y): (i32, i32)) -> GroundEdit {
    let at = |x: i32, y: i32| Column::new(x, y);
    let (wide, high) = (rng.between(2, 30), rng.between(2, 30));
    GroundEdit::PutCostModifier {
        id: CostModifierId(name),
        modifier: CostModifier {
            shape: Shape::Box(Rect::around(at(x, y), at(x + wide, y + high))),
            heights: (0, 0),
            multiplier: CostMultiplier::from_sixteenths(*rng.pick(&[17, 24, 40, 80]).unwrap())
                .unwrap(),
        },
    }
}

#[test]
fn whether_costly_ground_falls_back_to_jps_does_not_depend_on_the_cache() {
    const SIDE: i32 = 120;
    let (mut n_fallbacks, mut n_cached) = (0, 0);
    for (seed, n_boxes) in (0..9).zip([1, 4, 14].into_iter().cycle()) {
        let mut rng = Rng::new(400 + seed);
        let one_in = [4, 30, 500][rng.below(3) as usize];
        let mut ground = Ground::from_raster(&clutter(SIDE.cast_unsigned(), one_in, &mut rng));
        let boxes: Vec<GroundEdit> = (0..n_boxes).map(|n| costly(n, &mut rng, SIDE)).collect();
        ground.apply(&boxes).unwrap();
        let mut warm = CachedJpsSearcher::default();
        let mut limited = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(20_000));
        for round in 0..6 {
            let open = walkable(&ground);
            for number in 0..10 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let note = format!("seed {seed}, round {round}, {ends:?}");
                let weight = [HeuristicWeight::ONE, HeuristicWeight::BOUNDED][number % 2];
                let slices = [u64::MAX, 7, u64::from(rng.below(200) + 1)];
                let mut fresh = CachedJpsSearcher::default();
                let expected = find_weighted(&ground, &mut fresh, ends, weight, slices[0]);
                for (searcher, slice) in [(&mut warm, slices[1]), (&mut limited, slices[2])] {
                    let result = find_weighted(&ground, searcher, ends, weight, slice);
                    assert_eq!(result, expected, "{note}");
                    assert_eq!(
                        searcher.fell_back_to_jps(),
                        fresh.fell_back_to_jps(),
                        "{note}"
                    );
                }
                if weight == HeuristicWeight::ONE {
                    check(&ground, &mut warm, &mut limited, ends, &note);
                }
                n_fallbacks += usize::from(fresh.fell_back_to_jps());
                n_cached += usize::from(!fresh.fell_back_to_jps());
            }
            let cell = *rng.pick(&open).unwrap();
            let close = GroundEdit::RemoveCell { cell };
            let changes = ground.apply(&[close, costly(round, &mut rng, SIDE)]);
            let changes = changes.unwrap();
            warm.apply_changes(&ground, &changes);
            limited.apply_changes(&ground, &changes);
        }
    }
    assert!(
        n_fallbacks > 100 && n_cached > 100,
        "{n_fallbacks}, {n_cached}"
    );
}

#[test]
fn a_budget_that_ends_amid_costly_ground_gives_the_same_partial_path() {
    let mut rng = Rng::new(77);
    let mut ground = Ground::from_raster(&clutter(120, 20, &mut rng));
    let boxes: Vec<GroundEdit> = (0..8).map(|n| costly(n, &mut rng, 120)).collect();
    ground.apply(&boxes).unwrap();
    let open = walkable(&ground);
    let mut warm = CachedJpsSearcher::default();
    let (mut n_short, mut n_fallbacks) = (0, 0);
    for _ in 0..200 {
        let (from, to) = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
        let most = u64::from(rng.below(400));
        let query = Query {
            budget: Budget::expansions(most),
            ..Query::new(ground.node(from).unwrap(), ground.node(to).unwrap())
        };
        let find_path = |searcher: &mut CachedJpsSearcher| {
            let mut nodes = Vec::new();
            let outcome = find(&ground, searcher, &query, &mut NoopObserver, &mut nodes);
            (
                outcome,
                nodes,
                searcher.stats(),
                searcher.fell_back_to_jps(),
            )
        };
        let fresh = find_path(&mut CachedJpsSearcher::default());
        assert_eq!(find_path(&mut warm), fresh);
        assert!(fresh.2.expansions <= most, "{:?} of {most}", fresh.2);
        n_short += usize::from(matches!(fresh.0, Outcome::OutOfBudget { .. }));
        n_fallbacks += usize::from(fresh.3);
    }
    assert!(n_short > 40 && n_fallbacks > 40, "{n_short}, {n_fallbacks}");
}
