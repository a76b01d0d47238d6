//! Ways pulled string-pulled, in crowds drawn by random numbers.

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
fn a_string_round_one_box_lies_at_its_corner() {
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

/// No turn of a string-pulled path can be moved a little towards its inside.
#[test]
fn no_turn_of_a_taut_way_gives_way() {
    let mut n_turns = 0;
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 900)),
            ..DiscAgent::POINT
        };
        let obstacles = crowd(&mut rng, 400, 40, agent);
        // A way of clear legs drawn by random numbers.
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
            // The middles of both legs do not see each other: the leg's rounding aside, a clear
            // line there would be a shorter way.
            let near = |to: Point2| {
                let half = |from: Fixed, to: Fixed| Fixed::from_raw((from.raw() + to.raw()) / 2);
                Point2::new(half(turn[1].x, to.x), half(turn[1].y, to.y))
            };
            let (a, b) = (near(turn[0]), near(turn[2]));
            let is_sharp = length(&[a, turn[1], b]) - length(&[a, b]) > 0.05;
            assert!(
                !is_sharp || !obstacles.is_segment_clear(a, b, agent),
                "seed {seed}: {turn:?}"
            );
        }
    }
    assert!(n_turns > 100, "{n_turns}");
}
