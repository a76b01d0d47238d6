//! Influence against the sum over every obstacle.

use wayfarer_base::{Aabb2, Rng};
use wayfarer_testkit::point;

use super::*;
use crate::obstacles::quadtree::SplitCriterion;
use crate::obstacles::{DiscAgent, Obstacle, ObstacleShape};

/// The distance from a point to a shape in raw units, rounded down.
fn distance(shape: ObstacleShape, at: Point2) -> i64 {
    let wide = |at: Point2| [i64::from(at.x.raw()), i64::from(at.y.raw())];
    let [x, y] = wide(at);
    match shape {
        ObstacleShape::Box(area) => {
            let ([left, top], [right, bottom]) = (wide(area.low), wide(area.high));
            let dx = (left - x).max(x - right).max(0);
            let dy = (top - y).max(y - bottom).max(0);
            (dx * dx + dy * dy).isqrt()
        }
        ObstacleShape::Disc { center, radius } => {
            let [cx, cy] = wide(center);
            let square = (cx - x) * (cx - x) + (cy - y) * (cy - y);
            (square.isqrt() - i64::from(radius.raw())).max(0)
        }
    }
}

#[test]
fn the_influence_of_every_quad_is_the_sum_over_all_obstacles() {
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let mut obstacles = ObstacleSet::square(200).unwrap();
        let mut batch = obstacles.edit();
        for _ in 0..25 {
            let at = point(rng.between(0, 51_200), rng.between(0, 51_200));
            let side = rng.between(200, 8_000);
            let shape = if rng.chance(1, 3) {
                ObstacleShape::Disc {
                    center: at,
                    radius: Fixed::from_raw(side / 2),
                }
            } else {
                let high = point(at.x.raw() + side, at.y.raw() + side / 2);
                ObstacleShape::Box(Aabb2 { low: at, high })
            };
            let categories = ObstacleCategories::from_bits(1 << rng.below(3));
            batch.insert(&Obstacle { shape, categories }).unwrap();
        }
        drop(batch);
        let mut tree = ObstacleQuadtree::default();
        let agent = DiscAgent {
            blocked_by: ObstacleCategories::from_bits(1),
            ..DiscAgent::POINT
        };
        tree.reset(
            &obstacles,
            SplitCriterion::GUERRILLA_2013,
            agent,
            ObstacleCategories::NONE,
        );
        for _ in 0..40 {
            tree.locate(
                &obstacles,
                point(rng.between(0, 51_200), rng.between(0, 51_200)),
            );
        }
        let influences =
            [(1, 500, 9_000), (6, 70, 30_000), (2, 9, 0)].map(|(categories, strength, reach)| {
                Influence {
                    categories: ObstacleCategories::from_bits(categories),
                    strength,
                    reach: Fixed::from_raw(reach),
                }
            });
        let mut map = InfluenceMap::default();
        map.compute(&obstacles, &tree, &influences);
        let mut n_influenced = 0;
        for id in tree.quads() {
            let is_leaf = matches!(tree.state(id), QuadState::Free | QuadState::Blocked);
            for (influence, strength) in influences.iter().zip(map.in_quad(id)) {
                let matching = obstacles
                    .obstacles()
                    .filter(|(_, obstacle)| obstacle.categories.intersects(influence.categories));
                let expected: i64 = matching
                    .map(|(_, obstacle)| {
                        let distance_raw = distance(obstacle.shape, tree.center(id));
                        let reach = i64::from(influence.reach.raw());
                        if distance_raw == 0 {
                            i64::from(influence.strength)
                        } else {
                            i64::from(influence.strength) * (reach - distance_raw).max(0)
                                / reach.max(1)
                        }
                    })
                    .sum();
                let expected = if is_leaf { expected } else { 0 };
                assert_eq!(
                    i64::from(*strength),
                    expected,
                    "seed {seed} {:?}",
                    tree.area(id)
                );
                n_influenced += u32::from(*strength > 0);
            }
        }
        assert!(n_influenced > 15, "{n_influenced}");
    }
}
