//! Golden digests of the plane: overlapping pairs, ray casts, influence, and paths among moving
//! obstacles.

use wayfarer_engine::base::{Aabb2, CostMultiplier, Fixed, Outcome, Point2, Rng};
use wayfarer_engine::search::planar::{
    EndpointPolicy, PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher, status,
};
use wayfarer_engine::world::obstacles::quadtree::{ObstacleQuadtree, SplitCriterion};
use wayfarer_engine::world::obstacles::{
    DiscAgent, FreeScratch, Influence, InfluenceMap, Obstacle, ObstacleCategories,
    ObstaclePairScratch, ObstacleSet, ObstacleShape,
};

use super::values::Values;

const SIDE: i32 = 600 * 256;

/// Boxes and discs that move for several ticks: pairs, rays, free points, paths of both methods for
/// agents of several radii, and the status of the previous paths.
pub(super) fn obstacle_sets(values: &mut Values) {
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let Ok(mut obstacles) = ObstacleSet::square(600) else {
            return;
        };
        let mut ids = Vec::new();
        let mut batch = obstacles.edit();
        for _ in 0..60 + 40 * seed {
            match batch.insert(&some_obstacle(&mut rng)) {
                Ok(id) => ids.push(id),
                Err(error) => values.take(&error),
            }
        }
        drop(batch);
        let mut searcher = PlanarSearcher::default();
        let mut previous = Vec::new();
        for _ in 0..4 {
            query(&obstacles, &mut rng, values);
            for path in &previous {
                values.take(&status(&obstacles, path));
            }
            previous.clear();
            find_paths(&obstacles, &mut searcher, &mut rng, values, &mut previous);
            let mut batch = obstacles.edit();
            for id in &ids {
                let by = [rng.between(-700, 700), rng.between(-700, 700)].map(Fixed::from_raw);
                let moved = batch.move_by(*id, by[0], by[1]);
                values.number(moved.is_ok().into());
            }
        }
    }
}

fn some_point(rng: &mut Rng) -> Point2 {
    let [x, y] = [rng.between(0, SIDE), rng.between(0, SIDE)].map(Fixed::from_raw);
    Point2::new(x, y)
}

fn some_obstacle(rng: &mut Rng) -> Obstacle {
    let at = some_point(rng);
    let (mut width, mut height) = (rng.between(500, 14_000), rng.between(500, 14_000));
    // Some are long thin walls, which the obstacle set stores separately.
    match rng.below(8) {
        0 => (width, height) = (6 * width, height / 32),
        1 => (width, height) = (width / 32, 6 * height),
        _ => {}
    }
    let shape = if rng.chance(1, 4) {
        ObstacleShape::Disc {
            center: at,
            radius: Fixed::from_raw(width / 2),
        }
    } else {
        let far = |from: Fixed, by: i32| Fixed::from_raw(from.raw() + by);
        ObstacleShape::Box(Aabb2 {
            low: at,
            high: Point2::new(far(at.x, width), far(at.y, height)),
        })
    };
    let categories = ObstacleCategories::from_bits(1 << rng.below(4));
    Obstacle { shape, categories }
}

fn query(obstacles: &ObstacleSet, rng: &mut Rng, values: &mut Values) {
    let mut pairs = ObstaclePairScratch::default();
    for &(a, b) in obstacles.pairs(
        ObstacleCategories::ALL,
        ObstacleCategories::from_bits(0b110),
        &mut pairs,
    ) {
        values.number(a.to_bits());
        values.number(b.to_bits());
    }
    let mut tree = ObstacleQuadtree::default();
    for &(a, b) in tree.pairs(
        obstacles,
        ObstacleCategories::ALL,
        ObstacleCategories::from_bits(0b110),
        &mut pairs,
    ) {
        values.number(a.to_bits());
        values.number(b.to_bits());
    }
    let influence = Influence {
        categories: ObstacleCategories::from_bits(0b101),
        strength: 3_000,
        reach: Fixed::from_raw(20_000),
    };
    let mut map = InfluenceMap::default();
    map.compute(obstacles, &tree, &[influence]);
    for id in tree.quads() {
        map.in_quad(id)
            .iter()
            .for_each(|strength| values.number((*strength).into()));
    }
    let mut free = FreeScratch::default();
    let mut found = Vec::new();
    for _ in 0..12 {
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 1500)),
            blocked_by: ObstacleCategories::from_bits(u64::from(1 + rng.below(15))),
        };
        let (from, to) = (some_point(rng), some_point(rng));
        if let Some(hit) = obstacles.cast_ray(from, to, agent) {
            values.number(hit.obstacle.to_bits());
            values.number(hit.fraction.to_bits());
        }
        if let Some(at) = obstacles.nearest_free(from, agent, &mut free) {
            values.take(&at);
        }
        obstacles.in_disc(from, Fixed::from_raw(9_000), agent.blocked_by, &mut found);
        found.iter().for_each(|id| values.number(id.to_bits()));
        if let Some((id, distance)) = obstacles.nearest(to, agent.blocked_by, Fixed::MAX) {
            values.number(id.to_bits());
            values.signed(distance.raw().into());
        }
    }
}

fn find_paths(
    obstacles: &ObstacleSet,
    searcher: &mut PlanarSearcher,
    rng: &mut Rng,
    values: &mut Values,
    previous: &mut Vec<PlanarPath>,
) {
    for round in 0..7 {
        let multipliers = match round {
            5 => CostMultiplier::from_sixteenths(64)
                .map(|multiplier| (ObstacleCategories::from_bits(8), multiplier)),
            _ => None,
        };
        let request = PlanarRequest {
            agent: DiscAgent {
                radius: Fixed::from_raw(400 * (round % 3)),
                blocked_by: ObstacleCategories::from_bits(0b111),
            },
            method: if round % 2 == 0 {
                PlanarMethod::TangentGraph
            } else {
                PlanarMethod::Quadtree
            },
            start_policy: EndpointPolicy::NearestFree,
            goal_policy: EndpointPolicy::NearestFree,
            criterion: SplitCriterion {
                min_side: Fixed::from_raw(1280),
                diagonal: round == 3,
                occupancy: u32::from(round == 1),
                ..SplitCriterion::GUERRILLA_2013
            },
            category_costs: multipliers.into_iter().collect(),
            influences: if round == 6 {
                vec![Influence {
                    categories: ObstacleCategories::from_bits(8),
                    strength: 40,
                    reach: Fixed::from_raw(8_000),
                }]
            } else {
                Vec::new()
            },
            ..PlanarRequest::new(some_point(rng), some_point(rng))
        };
        let outcome = match searcher.find(obstacles, &request) {
            Ok(outcome) => outcome,
            Err(error) => {
                values.take(&error);
                continue;
            }
        };
        if round == 0 && matches!(outcome, Outcome::Unreachable { .. }) {
            let explanation = searcher.explain(obstacles, &request);
            values.take(&explanation);
        }
        values.number(searcher.stats().expansions);
        values.number(searcher.quadtree().len() as u64);
        values.take(&outcome);
        previous.extend(outcome.best());
    }
}
