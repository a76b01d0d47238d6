//! Searches through a field that have run before allocate nothing.

use wayfarer_base::{Dice, Fixed, Point2};
use wayfarer_counting::{Counting, tally};
use wayfarer_search::field::{FieldMethod, FieldRequest, FieldSearcher, IfBlocked};
use wayfarer_world::field::{Entity, Field, PairScratch, TypeMask};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `work` twice; the second time must allocate nothing.
#[track_caller]
fn check(mut work: impl FnMut()) {
    let cold = tally();
    work();
    let warm = tally();
    assert!(
        warm.allocations > cold.allocations,
        "the first time allocates"
    );
    work();
    assert_eq!(tally().allocations, warm.allocations);
}

#[test]
fn warm_searches_through_a_field_that_moves_allocate_nothing() {
    let mut dice = Dice::new(9);
    let mut field = Field::square(2_000).expect("a small field");
    let mut batch = field.edit_most();
    let mut ids = Vec::new();
    for _ in 0..200 {
        let (x, y) = (dice.between(0, 1_900), dice.between(0, 1_900));
        let entity = Entity::cells(x, y, 60, 60, TypeMask::ALL).expect("within the limits");
        ids.push(batch.insert(&entity).expect("room for it"));
    }
    drop(batch);
    let mut searcher = FieldSearcher::default();
    let mut pairs = PairScratch::default();
    let start = field.clone();
    let at = |n: i32| Point2::new(Fixed::from_raw(n * 256), Fixed::from_raw(n * 256));
    let mut n_found = 0;
    check(|| {
        // The same ticks twice: forth, then back to where everything was.
        for way in [1, -1] {
            for tick in 0..10 {
                let mut batch = field.edit_most();
                for (n, id) in (0..).zip(&ids) {
                    let (dx, dy) = ((n % 7 - 3) * 200 * way, (n % 5 - 2) * 200 * way);
                    let moved = batch.move_by(*id, Fixed::from_raw(dx), Fixed::from_raw(dy));
                    moved.expect("within the limits");
                }
                drop(batch);
                field.pairs(TypeMask::ALL, TypeMask::ALL, &mut pairs);
                for method in [FieldMethod::Corners, FieldMethod::Tree] {
                    let request = FieldRequest {
                        method,
                        if_start_blocked: IfBlocked::Nearest,
                        if_goal_blocked: IfBlocked::Nearest,
                        ..FieldRequest::new(at(10 + tick), at(1_990 - tick))
                    };
                    let outcome = searcher.find(&field, &request).expect("free ends");
                    if let Some(path) = outcome.best() {
                        searcher.recycle(path);
                        n_found += 1;
                    }
                }
            }
        }
    });
    assert!(n_found >= 60, "most are found: {n_found}");
    assert!(field.entities().eq(start.entities()), "everything is back");
}
