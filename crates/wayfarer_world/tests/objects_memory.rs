//! Moving and asking ask for no memory once everything is warm.

use wayfarer_base::{Dice, Fixed, Point2};
use wayfarer_testkit::allocations::assert_none;
use wayfarer_world::objects::{
    Body, Filter, Footprint, Found, Heading, Nearest, Objects, PairScratch, Ranges,
};

#[global_allocator]
static ALLOCATOR: wayfarer_testkit::Counting = wayfarer_testkit::Counting;

fn some_point(dice: &mut Dice) -> Point2 {
    let mut at = || Fixed::from_raw(dice.between(0, 256 * 100));
    Point2::new(at(), at())
}

#[test]
fn ticks_and_questions_ask_for_no_memory_when_warm() {
    let mut dice = Dice::new(3);
    let mut objects = Objects::new(Fixed::from_raw(4 * 256));
    for _ in 0..2_000 {
        objects.register(&Body::at(some_point(&mut dice))).unwrap();
    }
    let places: Vec<Point2> = (0..2_000).map(|_| some_point(&mut dice)).collect();
    let others: Vec<Point2> = (0..2_000).map(|_| some_point(&mut dice)).collect();
    let ranges = vec![Fixed::from_raw(256); 2_000];
    let ranges = Ranges::new(&ranges).unwrap();
    let (mut found, mut nearest) = (Found::default(), Nearest::default());
    let mut scratch = PairScratch::default();
    let mut tick = |places: &[Point2]| {
        objects.move_all(places).unwrap();
        let radius = Fixed::from_raw(20 * 256);
        for &place in places {
            let circle = Footprint::circle(place, radius);
            let wedge = Footprint::wedge(place, radius, Heading::EAST, 0.8);
            objects.find(&circle, &Filter::ALL, &mut found).unwrap();
            objects.find(&wedge, &Filter::ALL, &mut found).unwrap();
            objects
                .nearest(place, 5, radius, &Filter::ALL, &mut nearest)
                .unwrap();
        }
        let mut n_pairs = 0;
        objects.pairs(&ranges, &mut scratch, |_| n_pairs += 1);
        assert!(n_pairs > 0);
    };
    for _ in 0..3 {
        tick(&places);
        tick(&others);
    }
    assert_none("a tick", || tick(&places));
    assert_none("the next tick", || tick(&others));
}
