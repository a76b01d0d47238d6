use wayfarer_base::Rng;

use super::super::overlap::tests::some_footprint;
use super::*;

#[test]
fn squares_inside_hold_points_of_the_footprint_only_and_no_point_lies_in_a_square_left_out() {
    let mut n_inside = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let footprint = some_footprint(&mut rng, 300);
        let shift = 3 + rng.below(5);
        let side = 1 << shift;
        let mut squares = Vec::new();
        let visit = |square: GridBin| {
            squares.push(square);
            ControlFlow::Continue(())
        };
        footprint.squares(shift, visit).unwrap();
        let key = |square: &GridBin| (square.low.y, square.low.x);
        assert!(
            squares.is_sorted_by(|a, b| key(a) < key(b)),
            "seed {seed}: in order, each once"
        );
        let place = |x: i32, y: i32| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        for square in squares.iter().filter(|square| square.is_inside) {
            n_inside += 1;
            let (x, y) = (square.low.x.raw(), square.low.y.raw());
            let some = [0, 1, side / 3, side / 2, side - 2, side - 1];
            for (east, south) in some.iter().flat_map(|a| some.map(|b| (*a, b))) {
                let point = place(x + east, y + south);
                assert!(footprint.contains(point), "seed {seed}: {point}");
            }
        }
        let origin = footprint.origin();
        for _ in 0..2_000 {
            let mut near = |at: Fixed| at.raw() + rng.between(-600, 600);
            let point = place(near(origin.x), near(origin.y));
            let low = |at: Fixed| Fixed::from_raw(at.raw() >> shift << shift);
            let square = (low(point.y), low(point.x));
            assert!(
                !footprint.contains(point) || squares.iter().any(|known| key(known) == square),
                "seed {seed}: {point} in no square"
            );
        }
    }
    assert!(n_inside > 1_000, "{n_inside} squares inside");
}

#[test]
fn squares_wider_than_the_world_are_refused_and_a_visit_can_break_off() {
    let circle = Footprint::circle(Point2::default(), Fixed::from_raw(100));
    assert!(circle.squares(31, |_| ControlFlow::Continue(())).is_err());
    let mut n_seen = 0;
    let visit = |_| {
        n_seen += 1;
        ControlFlow::Break(())
    };
    circle.squares(3, visit).unwrap();
    assert_eq!(n_seen, 1);
}
