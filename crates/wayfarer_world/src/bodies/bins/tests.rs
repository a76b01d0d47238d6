//! Bin enumeration against point tests.
use wayfarer_base::Rng;

use super::super::overlap::tests::random_footprint;
use super::*;

#[test]
fn inner_bins_lie_in_the_footprint_and_no_point_of_it_lies_in_an_omitted_bin() {
    let mut n_inside = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let footprint = random_footprint(&mut rng, 300);
        let shift = 3 + rng.below(5);
        let side = 1 << shift;
        let mut bins = Vec::new();
        let visit = |bin: GridBin| {
            bins.push(bin);
            ControlFlow::Continue(())
        };
        footprint.for_each_bin(shift, visit).unwrap();
        let key = |bin: &GridBin| (bin.low.y, bin.low.x);
        assert!(
            bins.is_sorted_by(|a, b| key(a) < key(b)),
            "seed {seed}: in order, each once"
        );
        let point_at = |x: i32, y: i32| Point2::from_raw(x, y);
        for bin in bins.iter().filter(|bin| bin.is_inside) {
            n_inside += 1;
            let (x, y) = (bin.low.x.raw(), bin.low.y.raw());
            let offsets = [0, 1, side / 3, side / 2, side - 2, side - 1];
            for (east, south) in offsets.iter().flat_map(|a| offsets.map(|b| (*a, b))) {
                let point = point_at(x + east, y + south);
                assert!(footprint.contains(point), "seed {seed}: {point}");
            }
        }
        let origin = footprint.origin();
        for _ in 0..2_000 {
            let mut jitter = |at: Fixed| at.raw() + rng.between(-600, 600);
            let point = point_at(jitter(origin.x), jitter(origin.y));
            let low = |at: Fixed| Fixed::from_raw(at.raw() >> shift << shift);
            let bin = (low(point.y), low(point.x));
            assert!(
                !footprint.contains(point) || bins.iter().any(|other| key(other) == bin),
                "seed {seed}: {point} in no bin"
            );
        }
    }
    assert!(n_inside > 1_000, "{n_inside} bins inside");
}

#[test]
fn bins_wider_than_the_world_are_rejected_and_a_visit_can_break() {
    let circle = Footprint::circle(Point2::default(), Fixed::from_raw(100));
    assert!(
        circle
            .for_each_bin(31, |_| ControlFlow::Continue(()))
            .is_err()
    );
    let mut n_visited = 0;
    let visit = |_| {
        n_visited += 1;
        ControlFlow::Break(())
    };
    circle.for_each_bin(3, visit).unwrap();
    assert_eq!(n_visited, 1);
}
