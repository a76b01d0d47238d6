use wayfarer_base::{Dice, Fixed, Point2, Shape};

use super::*;

const EAST: Spot = (1.0, 0.0);
const SOUTH: Spot = (0.0, 1.0);
const WEST: Spot = (-1.0, 0.0);
const NORTH: Spot = (0.0, -1.0);
const HERE: Spot = (0.0, 0.0);

fn spot(dice: &mut Dice) -> Spot {
    let mut at = || f64::from(dice.between(-800, 800)) / 100.0;
    (at(), at())
}

#[test]
fn ranges_hold_their_edge() {
    let spots = [HERE, (3.0, 4.0), (-3.0, -4.0), (6.0, 0.0)];
    assert_eq!(within(&spots, HERE, 5.0), [0, 1, 2]);
    assert_eq!(within(&spots, HERE, 4.999), [0]);
    assert_eq!(pairs_within(&spots, 5.0), [(0, 1), (0, 2), (1, 3)]);
    assert_eq!(nearest(&spots, HERE, 3), [0, 1, 2]);
    assert_eq!(nearest(&spots, (6.0, 0.0), 9), [3, 1, 0, 2]);
}

#[test]
fn wedges_open_clockwise() {
    let holds = |left, right, at| in_wedge(HERE, 2.0, left, right, at);
    assert!(holds(EAST, SOUTH, (1.0, 1.0)));
    assert!(holds(EAST, SOUTH, EAST) && holds(EAST, SOUTH, SOUTH));
    assert!(!holds(EAST, SOUTH, (1.0, -0.001)) && !holds(EAST, SOUTH, WEST));
    // Three quarters: all but between east and south.
    assert!(!holds(SOUTH, EAST, (1.0, 1.0)));
    assert!(
        [WEST, NORTH, EAST, SOUTH]
            .iter()
            .all(|at| holds(SOUTH, EAST, *at))
    );
    // A half turn and a single ray.
    assert!(holds(WEST, EAST, NORTH) && !holds(WEST, EAST, SOUTH));
    assert!(holds(EAST, EAST, (1.5, 0.0)) && !holds(EAST, EAST, (1.5, 0.01)));
    assert!(!holds(EAST, EAST, WEST));
    assert!(holds(EAST, EAST, HERE), "the tip belongs to it");
    assert!(!holds(EAST, SOUTH, (2.0, 2.0)), "out of reach");
}

#[test]
fn capsules_are_round_at_their_ends() {
    let (from, to) = (HERE, (4.0, 0.0));
    assert!(in_capsule(from, to, 1.0, (2.0, 1.0)));
    assert!(in_capsule(from, to, 1.0, (5.0, 0.0)));
    assert!(!in_capsule(from, to, 1.0, (4.8, 0.8)));
    assert!((distance_to_segment(from, to, (7.0, 4.0)) - 5.0).abs() < 1e-12);
    assert!((distance_to_segment(from, from, (3.0, 4.0)) - 5.0).abs() < 1e-12);
    assert!((distance_to_box(HERE, (2.0, 2.0), (5.0, 6.0)) - 5.0).abs() < 1e-12);
    assert!(distance_to_box(HERE, (2.0, 2.0), (1.0, 2.0)).abs() < 1e-12);
}

/// When a point going from `from` to `to` is within 1 of the origin.
#[track_caller]
fn check_sweep(from: Spot, to: Spot, expected: Option<(f64, f64)>) {
    let found = sweep(from, to, HERE, 1.0);
    let close = match (found, expected) {
        (Some(found), Some((enters, leaves))) => {
            (found.enters - enters).abs() < 1e-12 && (found.leaves - leaves).abs() < 1e-12
        }
        (found, expected) => found.is_none() && expected.is_none(),
    };
    assert!(close, "{found:?}, not {expected:?}");
}

#[test]
fn moments_of_contact_are_right() {
    check_sweep((-2.0, 0.0), (2.0, 0.0), Some((0.25, 0.75)));
    check_sweep((-2.0, 0.0), (0.0, 0.0), Some((0.5, 1.0)));
    check_sweep((0.5, 0.0), (2.5, 0.0), Some((0.0, 0.25)));
    check_sweep((0.5, 0.0), (0.0, 0.5), Some((0.0, 1.0)));
    check_sweep((-2.0, 1.0), (2.0, 1.0), Some((0.5, 0.5))); // grazes
    check_sweep((-2.0, 1.01), (2.0, 1.01), None);
    check_sweep((-3.0, 0.0), (-1.5, 0.0), None); // would come later
    check_sweep((1.5, 0.0), (3.0, 0.0), None); // was before
    check_sweep((1.0, 0.0), (1.0, 0.0), Some((0.0, 1.0))); // stands at the edge
    check_sweep((1.1, 0.0), (1.1, 0.0), None);
    assert_eq!(sweep(HERE, EAST, HERE, -1.0), None);
}

#[test]
fn two_that_move_meet_as_one_that_moves_and_one_that_stands() {
    // They run towards each other from 8 apart and are 2 apart after three eighths.
    let contact = sweep_both((HERE, (8.0, 0.0)), ((8.0, 0.0), HERE), 2.0).unwrap();
    assert!((contact.enters - 0.375).abs() < 1e-12);
    assert!((contact.leaves - 0.625).abs() < 1e-12);
    // Side by side they never meet.
    assert_eq!(sweep_both((HERE, EAST), (SOUTH, (1.0, 1.0)), 0.9), None);
}

#[test]
fn contacts_agree_with_samples() {
    let mut dice = Dice::new(12);
    let mut n_contacts = 0;
    for _ in 0..2_000 {
        let (a, b) = (
            (spot(&mut dice), spot(&mut dice)),
            (spot(&mut dice), spot(&mut dice)),
        );
        let range = f64::from(dice.between(1, 400)) / 100.0;
        let exact = sweep_both(a, b, range);
        let sampled = sampled(501, |moment| {
            distance(on_the_way(a.0, a.1, moment), on_the_way(b.0, b.1, moment)) <= range
        });
        if let Some(sampled) = sampled {
            let exact = exact.expect("what samples see is seen");
            assert!((0.0..=0.002_001).contains(&(sampled.enters - exact.enters + 1e-9)));
            assert!((0.0..=0.002_001).contains(&(exact.leaves - sampled.leaves + 1e-9)));
            n_contacts += 1;
        } else if let Some(exact) = exact {
            assert!(exact.leaves - exact.enters < 0.002, "{exact:?}");
        }
    }
    assert!(n_contacts > 200, "{n_contacts}");
}

#[test]
fn angles_and_whole_numbers_agree_on_wedges_and_capsules() {
    let mut dice = Dice::new(13);
    let mut n_in = 0;
    for _ in 0..5_000 {
        let mut raw = || dice.between(-1_000, 1_000);
        let (tip, at, to) = ((raw(), raw()), (raw(), raw()), (raw(), raw()));
        let (left, right) = ((raw(), raw()), (raw(), raw()));
        let radius = raw().abs();
        if left == (0, 0) || right == (0, 0) {
            continue;
        }
        let point = |(x, y)| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        let real = |(x, y): (i32, i32)| (f64::from(x), f64::from(y));
        let wedge = Shape::Wedge {
            tip: point(tip),
            radius: Fixed::from_raw(radius),
            left,
            right,
        };
        let held = wedge.contains(point(at));
        let angle = in_wedge(
            real(tip),
            f64::from(radius),
            real(left),
            real(right),
            real(at),
        );
        assert_eq!(held, angle, "{wedge:?} {at:?}");
        let segment = Shape::Segment {
            from: point(tip),
            to: point(to),
            radius: Fixed::from_raw(radius),
        };
        let capsule = in_capsule(real(tip), real(to), f64::from(radius), real(at));
        assert_eq!(segment.contains(point(at)), capsule, "{segment:?} {at:?}");
        n_in += u32::from(held) + u32::from(capsule);
    }
    assert!(n_in > 500, "{n_in}");
}
