//! String pulling of random paths in random crowds.

use wayfarer_base::{Fixed, Rng};
use wayfarer_world::obstacles::ObstacleCategories;

use super::*;
use crate::planar::distance;
use crate::planar::tests::{cells, crowd, free_point};

fn length(points: &[Point2]) -> f64 {
    let legs = points.windows(2);
    legs.map(|leg| distance(leg[0], leg[1], 1.0).to_cells())
        .sum()
}

#[test]
fn a_path_around_one_box_is_pulled_to_its_corners() {
    let mut obstacles = ObstacleSet::square(100).unwrap();
    let rock = wayfarer_world::obstacles::Obstacle::cells(40, 40, 20, 20, ObstacleCategories::ALL)
        .unwrap();
    let id = obstacles.edit().insert(&rock).unwrap();
    let outline = obstacles.outline(id, DiscAgent::POINT).unwrap();
    let mut points = vec![cells(10, 50), cells(12, 3), cells(95, 2), cells(90, 50)];
    pull(&obstacles, DiscAgent::POINT, &mut points);
    let (begin, end) = (cells(10, 50), cells(90, 50));
    assert_eq!(points, [begin, outline.corner(0), outline.corner(1), end]);
}

#[test]
fn no_turn_of_a_string_pulled_path_can_be_cut() {
    let mut n_turns = 0;
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 900)),
            ..DiscAgent::POINT
        };
        let obstacles = crowd(&mut rng, 400, 40, agent);
        // A random path of clear legs.
        let Some(start) = free_point(&mut rng, &obstacles, agent) else {
            continue;
        };
        let mut points = vec![start];
        for _ in 0..400 {
            let Some(next) = free_point(&mut rng, &obstacles, agent) else {
                break;
            };
            if obstacles.is_segment_clear(points[points.len() - 1], next, agent) {
                points.push(next);
            }
        }
        let loose = length(&points);
        let (first, last) = (points[0], points[points.len() - 1]);
        pull(&obstacles, agent, &mut points);
        assert!(length(&points) <= loose + 1e-6);
        assert_eq!((points[0], points[points.len() - 1]), (first, last));
        for leg in points.windows(2) {
            assert!(
                obstacles.is_segment_clear(leg[0], leg[1], agent),
                "seed {seed}"
            );
        }
        for turn in points.windows(3) {
            n_turns += 1;
            // No line of sight between the midpoints of both legs: rounding aside, it would be a
            // shortcut.
            let midpoint = |to: Point2| {
                let half = |from: Fixed, to: Fixed| Fixed::from_raw((from.raw() + to.raw()) / 2);
                Point2::new(half(turn[1].x, to.x), half(turn[1].y, to.y))
            };
            let (a, b) = (midpoint(turn[0]), midpoint(turn[2]));
            let is_sharp = length(&[a, turn[1], b]) - length(&[a, b]) > 0.05;
            assert!(
                !is_sharp || !obstacles.is_segment_clear(a, b, agent),
                "seed {seed}: {turn:?}"
            );
        }
    }
    assert!(n_turns > 100, "{n_turns}");
}
