//! The quadtree against testing every obstacle, and its growth.

use wayfarer_base::Rng;
use wayfarer_testkit::point;

use super::*;
use crate::obstacles::{Obstacle, ObstacleShape};

fn cells(n: i32) -> Fixed {
    Fixed::from_cell(n).unwrap()
}

fn random_set(rng: &mut Rng, n_obstacles: u32) -> ObstacleSet {
    let mut obstacles = ObstacleSet::square(300).unwrap();
    let mut batch = obstacles.edit_bulk();
    for _ in 0..n_obstacles {
        let at = point(rng.between(-5_000, 76_000), rng.between(-5_000, 76_000));
        let side = rng.between(100, 9_000);
        let shape = if rng.chance(1, 3) {
            ObstacleShape::Disc {
                center: at,
                radius: Fixed::from_raw(side / 2),
            }
        } else {
            let high = point(at.x.raw() + side, at.y.raw() + rng.between(100, 9_000));
            ObstacleShape::Box(Aabb2 { low: at, high })
        };
        let categories = ObstacleCategories::from_bits(1 << rng.below(3));
        batch.insert(&Obstacle { shape, categories }).unwrap();
    }
    drop(batch);
    obstacles
}

/// The outlines of `categories` that overlap a box.
fn outlines_in(
    obstacles: &ObstacleSet,
    area: Aabb2,
    agent: DiscAgent,
    categories: ObstacleCategories,
) -> Vec<InflatedOutline> {
    let raw = |at: Point2| [at.x.raw(), at.y.raw()];
    let matching = obstacles
        .obstacles()
        .filter(|(_, obstacle)| obstacle.categories.intersects(categories));
    let outlines = matching.map(|(id, _)| obstacles.outline(id, agent).unwrap());
    outlines
        .filter(|outline| outline.overlaps_box(raw(area.low), raw(area.high)))
        .collect()
}

#[test]
fn quads_are_free_exactly_if_they_meet_the_criterion() {
    let mut tree = ObstacleQuadtree::default();
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let obstacles = random_set(&mut rng, 30);
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 700)),
            blocked_by: ObstacleCategories::from_bits(0b011),
        };
        let criterion = SplitCriterion {
            min_side: Fixed::from_raw(rng.between(200, 3_000)),
            max_side: Fixed::from_raw(rng.between(3_000, 30_000)),
            occupancy: rng.below(3),
            diagonal: false,
        };
        tree.reset(&obstacles, criterion, agent, ObstacleCategories::NONE);
        for _ in 0..100 {
            let at = point(rng.between(0, 76_800), rng.between(0, 76_800));
            let id = tree.locate(&obstacles, at).unwrap();
            let area = tree.area(id);
            assert!(area.low <= at && at.x <= area.high.x && at.y <= area.high.y);
            let inside_area = tree.interior(id);
            let n_inside = outlines_in(&obstacles, inside_area, agent, agent.blocked_by).len();
            let expected = n_inside <= criterion.occupancy as usize;
            assert_eq!(
                tree.state(id) == QuadState::Free,
                expected,
                "seed {seed} {area:?}"
            );
            assert!(
                tree.side(id) == 1
                    || tree.state(id) == QuadState::Blocked
                    || area.high.x.raw() - area.low.x.raw() <= criterion.max_side.raw()
            );
        }
    }
}

#[test]
fn adjacency_of_quads_is_symmetric_and_covers_each_edge() {
    let mut tree = ObstacleQuadtree::default();
    let opposite = |side: Side| match side {
        Side::North => Side::South,
        Side::South => Side::North,
        Side::East => Side::West,
        Side::West => Side::East,
    };
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let obstacles = random_set(&mut rng, 25);
        let criterion = SplitCriterion {
            min_side: cells(3),
            max_side: cells(60),
            ..SplitCriterion::GUERRILLA_2013
        };
        tree.reset(
            &obstacles,
            criterion,
            DiscAgent::POINT,
            ObstacleCategories::NONE,
        );
        for _ in 0..30 {
            let at = point(rng.between(0, 76_800), rng.between(0, 76_800));
            let id = tree.locate(&obstacles, at).unwrap();
            for side in Side::ALL {
                let mut neighbors = Vec::new();
                tree.for_each_edge_neighbor(&obstacles, id, side, |_, neighbor| {
                    neighbors.push(neighbor.id);
                });
                let length: i64 = neighbors
                    .iter()
                    .map(|other| {
                        let (a, b) = (tree.area(id), tree.area(*other));
                        let (low, high) = if matches!(side, Side::North | Side::South) {
                            (a.low.x.max(b.low.x), a.high.x.min(b.high.x))
                        } else {
                            (a.low.y.max(b.low.y), a.high.y.min(b.high.y))
                        };
                        i64::from(high.raw()) - i64::from(low.raw())
                    })
                    .sum();
                let area = tree.area(id);
                let edge_length = if matches!(side, Side::North | Side::South) {
                    area.high.x.raw() - area.low.x.raw()
                } else {
                    area.high.y.raw() - area.low.y.raw()
                };
                assert!(
                    neighbors.is_empty() || length == i64::from(edge_length),
                    "seed {seed}"
                );
                for other in neighbors {
                    let mut is_mutual = false;
                    tree.for_each_edge_neighbor(
                        &obstacles,
                        other,
                        opposite(side),
                        |_, neighbor| {
                            is_mutual |= neighbor.id == id;
                        },
                    );
                    assert!(is_mutual, "seed {seed}: {side:?}");
                }
            }
        }
    }
}

#[test]
fn the_tree_grows_only_where_it_is_queried() {
    // Figure 6 of [Guerrilla2013]: northwards through an empty world with small quads.
    let obstacles = ObstacleSet::square(1024).unwrap();
    let criterion = SplitCriterion {
        min_side: cells(8),
        max_side: cells(16),
        ..SplitCriterion::GUERRILLA_2013
    };
    let mut tree = ObstacleQuadtree::default();
    tree.reset(
        &obstacles,
        criterion,
        DiscAgent::POINT,
        ObstacleCategories::NONE,
    );
    assert!(tree.is_empty());
    for step in 0..64 {
        let at = point(700 * 256, (1023 - 16 * step) * 256);
        let id = tree.locate(&obstacles, at).unwrap();
        assert_eq!(tree.state(id), QuadState::Free);
        for side in Side::ALL {
            tree.for_each_edge_neighbor(&obstacles, id, side, |_, _| {});
        }
    }
    let leaves = tree.quads().filter(|id| tree.state(*id) == QuadState::Free);
    let visited: u64 = leaves.map(|id| u64::from(tree.side(id)).pow(2)).sum();
    // Three columns of 16 x 16 out of 64.
    let total = 128 * 128;
    assert!(visited * 100 <= total * 5, "{visited} of {total}");
}

#[test]
fn memory_does_not_grow_with_the_number_of_resets() {
    let mut rng = Rng::new(3);
    let mut obstacles = random_set(&mut rng, 20);
    let ids: Vec<_> = obstacles.obstacles().map(|(id, _)| id).collect();
    let mut tree = ObstacleQuadtree::default();
    let mut early_bytes = 0;
    for tick in 0..10_000 {
        let mut batch = obstacles.edit();
        for id in &ids {
            let (dx, dy) = (rng.between(-50, 50), rng.between(-50, 50));
            batch
                .move_by(*id, Fixed::from_raw(dx), Fixed::from_raw(dy))
                .unwrap();
        }
        drop(batch);
        tree.reset(
            &obstacles,
            SplitCriterion::GUERRILLA_2013,
            DiscAgent::POINT,
            ObstacleCategories::NONE,
        );
        for n in 0..30 {
            tree.locate(&obstacles, point(n * 2_500, n * 2_500));
        }
        if tick == 100 {
            early_bytes = tree.heap_bytes() + obstacles.heap_bytes();
        }
    }
    assert!(tree.heap_bytes() + obstacles.heap_bytes() <= 2 * early_bytes);
    tree.set_limit(8);
    tree.reset(
        &obstacles,
        SplitCriterion::GUERRILLA_2013,
        DiscAgent::POINT,
        ObstacleCategories::NONE,
    );
    for n in 0..30 {
        tree.locate(&obstacles, point(n * 2_500, n * 2_500));
    }
    assert!(tree.len() <= 8 && tree.is_full());
}

#[test]
fn a_quad_clipped_by_the_bounds_is_classified_by_its_part_inside() {
    // Quads of 40 / 256 of a cell; 1, 5 or 39 / 256 of the last ones lie inside.
    for remainder in [1, 5, 39, 40] {
        let side = 40 * 20 + remainder;
        let mut obstacles = ObstacleSet::new(Aabb2 {
            low: point(0, 0),
            high: point(side, side),
        })
        .unwrap();
        // Beyond the bounds by more than the outline's margin.
        let beyond = Aabb2 {
            low: point(side + 1, -10),
            high: point(side + 100, side + 100),
        };
        let wall = Obstacle {
            shape: ObstacleShape::Box(beyond),
            categories: ObstacleCategories::ALL,
        };
        obstacles.edit().insert(&wall).unwrap();
        let criterion = SplitCriterion {
            min_side: Fixed::from_raw(40),
            ..SplitCriterion::GUERRILLA_2013
        };
        let mut tree = ObstacleQuadtree::default();
        tree.reset(
            &obstacles,
            criterion,
            DiscAgent::POINT,
            ObstacleCategories::NONE,
        );
        for y in [0, side / 2, side] {
            let quad = tree.locate(&obstacles, point(side, y)).unwrap();
            assert_eq!(tree.state(quad), QuadState::Free, "{remainder} {y}");
        }
    }
}
