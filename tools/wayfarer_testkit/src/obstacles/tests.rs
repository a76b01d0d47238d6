//! Known results of the planar oracle.

use crate::point;

use super::*;

fn area(left: i32, top: i32, right: i32, bottom: i32) -> Aabb2 {
    Aabb2 {
        low: point(left, top),
        high: point(right, bottom),
    }
}

#[test]
fn the_shortest_path_leads_around_the_nearer_end_of_a_wall() {
    let wall = ReferenceObstacle::Box(area(400, -1000, 500, 300));
    let outlines = ReferenceOutlines::new(&[wall], area(0, 0, 1000, 1000), 0);
    let found = outlines.shortest(point(0, 0), point(1000, 0), 1e9).unwrap();
    // Around (399, 301) and (501, 301).
    let legs = |x: f64, y: f64| (x * x + y * y).sqrt();
    let expected = legs(399.0, 301.0) + 102.0 + legs(499.0, 301.0);
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    assert_eq!(outlines.shortest(point(0, 0), point(1000, 0), 1100.0), None);
}

#[test]
fn adjacent_boxes_leave_no_gap() {
    let wall = [
        ReferenceObstacle::Box(area(400, -10, 500, 300)),
        ReferenceObstacle::Box(area(400, 300, 500, 1010)),
    ];
    let outlines = ReferenceOutlines::new(&wall, area(0, 0, 1000, 1000), 0);
    assert_eq!(outlines.shortest(point(0, 0), point(1000, 0), 1e9), None);
    let gap = [
        ReferenceObstacle::Box(area(400, -10, 500, 300)),
        ReferenceObstacle::Box(area(400, 302, 500, 1010)),
    ];
    let outlines = ReferenceOutlines::new(&gap, area(0, 0, 1000, 1000), 0);
    assert!(
        outlines
            .shortest(point(0, 0), point(1000, 0), 1e9)
            .is_some()
    );
}

#[test]
fn contact_counts_as_a_hit() {
    let square = ReferenceObstacle::Box(area(0, 0, 10, 10));
    let disc = ReferenceObstacle::Disc(point(5, 5), 5);
    let cases = [
        ((-5, 0), (20, 0), true, true),
        ((-5, -1), (20, -1), false, false),
        ((-5, 10), (20, 10), true, true),
        ((-1, 1), (1, -1), true, false),
        ((-1, 0), (0, -1), false, false),
        ((5, 20), (5, 11), false, false),
        ((5, 20), (5, 10), true, true),
    ];
    for ((ax, ay), (bx, by), is_box_hit, is_disc_hit) in cases {
        let (a, b) = (point(ax, ay), point(bx, by));
        assert_eq!(square.is_hit_by_sweep(a, b, 0), is_box_hit, "{a:?} {b:?}");
        assert_eq!(disc.is_hit_by_sweep(a, b, 0), is_disc_hit, "{a:?} {b:?}");
    }
    assert!(square.is_hit_by_sweep(point(-5, -1), point(20, -1), 1));
}
