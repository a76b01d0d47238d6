//! The funnel against a reference that samples each portal densely.

use wayfarer_base::{Fixed, Rng};
use wayfarer_testkit::point;

use super::*;
use crate::planar::distance;

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

/// Length of the shortest path over 251 sample points per portal.
fn sampled_length(start: Point2, end: Point2, portals: &[FunnelPortal]) -> f64 {
    const PARTS: i32 = 250;
    let mut paths = vec![(start, 0.0)];
    for portal in portals {
        let sample = |n: i32| {
            let mix =
                |a: Fixed, b: Fixed| Fixed::from_raw(a.raw() + (b.raw() - a.raw()) / PARTS * n);
            if n == PARTS {
                return portal.right;
            }
            Point2::new(
                mix(portal.left.x, portal.right.x),
                mix(portal.left.y, portal.right.y),
            )
        };
        let best = |to: Point2| {
            let lengths = paths
                .iter()
                .map(|(from, so_far)| so_far + length(&[*from, to]));
            lengths.fold(f64::INFINITY, f64::min)
        };
        paths = (0..=PARTS).map(|n| (sample(n), best(sample(n)))).collect();
    }
    let lengths = paths
        .iter()
        .map(|(from, so_far)| so_far + length(&[*from, end]));
    lengths.fold(f64::INFINITY, f64::min)
}

#[test]
fn no_choice_of_points_on_the_portals_is_shorter_than_the_funnel() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        // A chain of adjacent boxes.
        let (mut x, mut y, mut side) = (0, 0, 4_000);
        let (mut is_north, mut is_south) = (false, false);
        let mut portals = Vec::new();
        for _ in 0..rng.between(1, 6) {
            let next_side = 1_000 << rng.below(4);
            let along = rng.between(1 - next_side, side - 1);
            let (next_x, next_y) = match rng.below(3) {
                1 if !is_north => (x + along, y + side),
                2 if !is_south => (x + along, y - next_side),
                _ => (x + side, y + along),
            };
            // The chain does not turn back through the edge just crossed.
            (is_north, is_south) = (next_y == y - next_side, next_y == y + side);
            portals.extend(FunnelPortal::between(
                area(x, y, side),
                area(next_x, next_y, next_side),
            ));
            (x, y, side) = (next_x, next_y, next_side);
        }
        let start = point(rng.between(0, 4_000), rng.between(0, 4_000));
        let end = point(x + rng.between(0, side), y + rng.between(0, side));
        let mut points = Vec::new();
        pull(start, end, &portals, &mut points);
        assert_eq!((points[0], points[points.len() - 1]), (start, end));
        let (found, best) = (length(&points), sampled_length(start, end, &portals));
        assert!(
            found <= best + 0.01 && best <= found + 0.1,
            "seed {seed}: {found} {best}"
        );
    }
}

#[test]
fn every_degenerate_portal_is_a_point_of_the_path() {
    let turns = [point(0, 0), point(5, 9), point(9, 5), point(30, 2)];
    let portals: Vec<_> = turns[1..3]
        .iter()
        .map(|at| FunnelPortal::point(*at))
        .collect();
    let mut points = Vec::new();
    pull(turns[0], turns[3], &portals, &mut points);
    assert_eq!(points, turns);
}
