//! Ground that is costly here and there: where most of a search goes step by step it is left to
//! `plain`, and whether it is follows from the ground alone.

use super::*;

/// A box in which every step costs more, somewhere on a square.
fn costly(name: u64, rng: &mut Rng, side: i32) -> GroundEdit {
    let corner = (rng.between(0, side), rng.between(0, side));
    costly_at(name, rng, corner)
}

/// A box in which every step costs more, with its first corner there.
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
fn dear_ground_is_left_to_plain_or_not_whatever_was_asked_before() {
    const SIDE: i32 = 120;
    let (mut n_left, mut n_kept) = (0, 0);
    for (seed, n_boxes) in (0..9).zip([1, 4, 14].into_iter().cycle()) {
        let mut rng = Rng::new(400 + seed);
        let one_in = [4, 30, 500][rng.below(3) as usize];
        let mut ground = Ground::from_raster(&clutter(SIDE.cast_unsigned(), one_in, &mut rng));
        let boxes: Vec<GroundEdit> = (0..n_boxes).map(|n| costly(n, &mut rng, SIDE)).collect();
        ground.apply(&boxes).unwrap();
        let mut old = CachedJpsSearcher::default();
        let mut tight = CachedJpsSearcher::with_cache_limit(CacheLimit::Bytes(20_000));
        for round in 0..6 {
            let open = standing(&ground);
            for number in 0..10 {
                let ends = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
                let note = format!("seed {seed}, round {round}, {ends:?}");
                let weight = [HeuristicWeight::ONE, HeuristicWeight::BOUNDED][number % 2];
                let slices = [u64::MAX, 7, u64::from(rng.below(200) + 1)];
                let mut fresh = CachedJpsSearcher::default();
                let due = ask_weighed(&ground, &mut fresh, ends, weight, slices[0]);
                for (searcher, slice) in [(&mut old, slices[1]), (&mut tight, slices[2])] {
                    let result = ask_weighed(&ground, searcher, ends, weight, slice);
                    assert_eq!(result, due, "{note}");
                    assert_eq!(
                        searcher.fell_back_to_jps(),
                        fresh.fell_back_to_jps(),
                        "{note}"
                    );
                }
                if weight == HeuristicWeight::ONE {
                    check(&ground, &mut old, &mut tight, ends, &note);
                }
                n_left += usize::from(fresh.fell_back_to_jps());
                n_kept += usize::from(!fresh.fell_back_to_jps());
            }
            let cell = *rng.pick(&open).unwrap();
            let close = GroundEdit::RemoveCell { cell };
            let changes = ground.apply(&[close, costly(round, &mut rng, SIDE)]);
            let changes = changes.unwrap();
            old.apply_changes(&ground, &changes);
            tight.apply_changes(&ground, &changes);
        }
    }
    assert!(n_left > 100 && n_kept > 100, "{n_left}, {n_kept}");
}

#[test]
fn a_budget_that_ends_in_the_midst_of_dear_ground_gives_the_same_best() {
    let mut rng = Rng::new(77);
    let mut ground = Ground::from_raster(&clutter(120, 20, &mut rng));
    let boxes: Vec<GroundEdit> = (0..8).map(|n| costly(n, &mut rng, 120)).collect();
    ground.apply(&boxes).unwrap();
    let open = standing(&ground);
    let mut old = CachedJpsSearcher::default();
    let (mut n_short, mut n_left) = (0, 0);
    for _ in 0..200 {
        let (from, to) = (*rng.pick(&open).unwrap(), *rng.pick(&open).unwrap());
        let most = u64::from(rng.below(400));
        let query = Query {
            budget: Budget::expansions(most),
            ..Query::new(ground.node(from).unwrap(), ground.node(to).unwrap())
        };
        let ask = |searcher: &mut CachedJpsSearcher| {
            let mut nodes = Vec::new();
            let outcome = find(&ground, searcher, &query, &mut NoopObserver, &mut nodes);
            (
                outcome,
                nodes,
                searcher.stats(),
                searcher.fell_back_to_jps(),
            )
        };
        let fresh = ask(&mut CachedJpsSearcher::default());
        assert_eq!(ask(&mut old), fresh);
        assert!(fresh.2.expansions <= most, "{:?} of {most}", fresh.2);
        n_short += usize::from(matches!(fresh.0, Outcome::OutOfBudget { .. }));
        n_left += usize::from(fresh.3);
    }
    assert!(n_short > 40 && n_left > 40, "{n_short}, {n_left}");
}
