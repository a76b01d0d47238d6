//! Strings through gates against very many points on each.

use wayfarer_base::{Fixed, Rng};

use super::*;
use crate::planar::distance;

fn point(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn area(x: i32, y: i32, side: i32) -> Aabb2 {
    Aabb2 {
        low: point(x, y),
        high: point(x + side, y + side),
    }
}

fn length(points: &[Point2]) -> f64 {
    let legs = points.windows(2);
    legs.map(|leg| distance(leg[0], leg[1], 1.0).to_cells())
        .sum()
}

/// The shortest path over points of the gates, of which there are many on each.
fn slowly(start: Point2, end: Point2, gates: &[FunnelPortal]) -> f64 {
    const PARTS: i32 = 250;
    let mut paths = vec![(start, 0.0)];
    for gate in gates {
        let part = |n: i32| {
            let mix =
                |a: Fixed, b: Fixed| Fixed::from_raw(a.raw() + (b.raw() - a.raw()) / PARTS * n);
            if n == PARTS {
                return gate.right;
            }
            Point2::new(
                mix(gate.left.x, gate.right.x),
                mix(gate.left.y, gate.right.y),
            )
        };
        let best = |to: Point2| {
            let lengths = paths
                .iter()
                .map(|(from, so_far)| so_far + length(&[*from, to]));
            lengths.fold(f64::INFINITY, f64::min)
        };
        paths = (0..=PARTS).map(|n| (part(n), best(part(n)))).collect();
    }
    let lengths = paths
        .iter()
        .map(|(from, so_far)| so_far + length(&[*from, end]));
    lengths.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_string_is_as_short_as_any_choice_of_points_on_the_gates() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        // A row of spaces, each beside the last.
        let (mut x, mut y, mut side) = (0, 0, 4_000);
        let (mut is_north, mut is_south) = (false, false);
        let mut gates = Vec::new();
        for _ in 0..rng.between(1, 6) {
            let next_side = 1_000 << rng.below(4);
            let along = rng.between(1 - next_side, side - 1);
            let (next_x, next_y) = match rng.below(3) {
                1 if !is_north => (x + along, y + side),
                2 if !is_south => (x + along, y - next_side),
                _ => (x + side, y + along),
            };
            // Nobody goes back through the edge just crossed.
            (is_north, is_south) = (next_y == y - next_side, next_y == y + side);
            gates.extend(FunnelPortal::between(
                area(x, y, side),
                area(next_x, next_y, next_side),
            ));
            (x, y, side) = (next_x, next_y, next_side);
        }
        let start = point(rng.between(0, 4_000), rng.between(0, 4_000));
        let end = point(x + rng.between(0, side), y + rng.between(0, side));
        let mut points = Vec::new();
        pull(start, end, &gates, &mut points);
        assert_eq!((points[0], points[points.len() - 1]), (start, end));
        let (found, best) = (length(&points), slowly(start, end, &gates));
        assert!(
            found <= best + 0.01 && best <= found + 0.1,
            "seed {seed}: {found} {best}"
        );
    }
}

#[test]
fn gates_that_leave_no_choice_are_all_passed() {
    let turns = [point(0, 0), point(5, 9), point(9, 5), point(30, 2)];
    let gates: Vec<_> = turns[1..3]
        .iter()
        .map(|at| FunnelPortal::point(*at))
        .collect();
    let mut points = Vec::new();
    pull(turns[0], turns[3], &gates, &mut points);
    assert_eq!(points, turns);
}
