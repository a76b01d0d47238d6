//! The tree against looking at every obstacle, and how little of it grows.

use wayfarer_base::Rng;

use super::*;
use crate::obstacles::{Obstacle, ObstacleShape};

fn point(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn cells(n: i32) -> Fixed {
    Fixed::from_cell(n).unwrap()
}

fn crowd(rng: &mut Rng, n_obstacles: u32) -> ObstacleSet {
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
        let types = ObstacleCategories::from_bits(1 << rng.below(3));
        batch
            .insert(&Obstacle {
                shape,
                categories: types,
            })
            .unwrap();
    }
    drop(batch);
    obstacles
}

/// The outlines of `categories` that share more than an edge with a space.
fn inside(
    obstacles: &ObstacleSet,
    area: Aabb2,
    agent: DiscAgent,
    types: ObstacleCategories,
) -> Vec<InflatedOutline> {
    let raw = |at: Point2| [at.x.raw(), at.y.raw()];
    let obstacle_set = obstacles
        .obstacles()
        .filter(|(_, obstacle)| obstacle.categories.intersects(types));
    let outlines = obstacle_set.map(|(id, _)| obstacles.outline(id, agent).unwrap());
    outlines
        .filter(|outline| outline.shares_inside(raw(area.low), raw(area.high)))
        .collect()
}

#[test]
fn spaces_are_free_exactly_where_no_more_is_in_them_than_allowed() {
    let mut tree = ObstacleQuadtree::default();
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let obstacles = crowd(&mut rng, 30);
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 700)),
            blocked_by: ObstacleCategories::from_bits(0b011),
        };
        let criterion = SplitCriterion {
            smallest: Fixed::from_raw(rng.between(200, 3_000)),
            largest: Fixed::from_raw(rng.between(3_000, 30_000)),
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
            let n_inside = inside(&obstacles, inside_area, agent, agent.blocked_by).len();
            let is_allowed = n_inside <= criterion.occupancy as usize;
            assert_eq!(
                tree.state(id) == QuadState::Free,
                is_allowed,
                "seed {seed} {area:?}"
            );
            assert!(
                tree.side(id) == 1
                    || tree.state(id) == QuadState::Blocked
                    || area.high.x.raw() - area.low.x.raw() <= criterion.largest.raw()
            );
        }
    }
}

#[test]
fn who_is_beside_me_has_me_beside_it() {
    let mut tree = ObstacleQuadtree::default();
    let opposite = |side: Side| match side {
        Side::North => Side::South,
        Side::South => Side::North,
        Side::East => Side::West,
        Side::West => Side::East,
    };
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let obstacles = crowd(&mut rng, 25);
        let criterion = SplitCriterion {
            smallest: cells(3),
            largest: cells(60),
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
                let mut beside = Vec::new();
                tree.for_each_edge_neighbor(&obstacles, id, side, |_, found| beside.push(found.id));
                let length: i64 = beside
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
                let whole = if matches!(side, Side::North | Side::South) {
                    area.high.x.raw() - area.low.x.raw()
                } else {
                    area.high.y.raw() - area.low.y.raw()
                };
                assert!(
                    beside.is_empty() || length == i64::from(whole),
                    "seed {seed}"
                );
                for other in beside {
                    let mut back = false;
                    tree.for_each_edge_neighbor(&obstacles, other, opposite(side), |_, found| {
                        back |= found.id == id;
                    });
                    assert!(back, "seed {seed}: {side:?}");
                }
            }
        }
    }
}

#[test]
fn the_tree_grows_only_where_one_looks() {
    // Figure 6: northwards through an empty world with small spaces wanted.
    let obstacles = ObstacleSet::square(1024).unwrap();
    let criterion = SplitCriterion {
        smallest: cells(8),
        largest: cells(16),
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
    let leaves = tree
        .spaces()
        .filter(|id| tree.state(*id) == QuadState::Free);
    let looked_at: u64 = leaves.map(|id| u64::from(tree.side(id)).pow(2)).sum();
    // Three columns of 16 x 16 out of 64.
    let whole = 128 * 128;
    assert!(looked_at * 100 <= whole * 5, "{looked_at} of {whole}");
}

#[test]
fn ten_thousand_ticks_take_no_more_memory_than_a_hundred() {
    let mut rng = Rng::new(3);
    let mut obstacles = crowd(&mut rng, 20);
    let ids: Vec<_> = obstacles.obstacles().map(|(id, _)| id).collect();
    let mut tree = ObstacleQuadtree::default();
    let mut after_some = 0;
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
            after_some = tree.heap_bytes() + obstacles.heap_bytes();
        }
    }
    assert!(tree.heap_bytes() + obstacles.heap_bytes() <= 2 * after_some);
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
fn a_space_at_the_end_of_the_field_is_judged_by_what_lies_within() {
    // Spaces of 40 / 256 of a cell; 1, 5 or 39 / 256 of the last ones lie within.
    for rest in [1, 5, 39, 40] {
        let far = 40 * 20 + rest;
        let mut obstacles = ObstacleSet::new(Aabb2 {
            low: point(0, 0),
            high: point(far, far),
        })
        .unwrap();
        // Beyond the end by more than the outline is wider.
        let beyond = Aabb2 {
            low: point(far + 1, -10),
            high: point(far + 100, far + 100),
        };
        let wall = Obstacle {
            shape: ObstacleShape::Box(beyond),
            categories: ObstacleCategories::ALL,
        };
        obstacles.edit().insert(&wall).unwrap();
        let criterion = SplitCriterion {
            smallest: Fixed::from_raw(40),
            ..SplitCriterion::GUERRILLA_2013
        };
        let mut tree = ObstacleQuadtree::default();
        tree.reset(
            &obstacles,
            criterion,
            DiscAgent::POINT,
            ObstacleCategories::NONE,
        );
        for y in [0, far / 2, far] {
            let space = tree.locate(&obstacles, point(far, y)).unwrap();
            assert_eq!(tree.state(space), QuadState::Free, "{rest} {y}");
        }
    }
}
