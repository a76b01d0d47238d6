//! Warm planar searches and obstacle queries allocate nothing.

use wayfarer_base::{CostMultiplier, Fixed, Point2, Rng};
use wayfarer_search::planar::{
    EndpointPolicy, PlanarMethod, PlanarRequest, PlanarSearcher, status,
};
use wayfarer_testkit::allocations::assert_none_after;
use wayfarer_world::obstacles::quadtree::ObstacleQuadtree;
use wayfarer_world::obstacles::{
    DiscAgent, Influence, InfluenceMap, Obstacle, ObstacleCategories, ObstaclePairScratch,
    ObstacleSet,
};

#[test]
fn warm_searches_among_moving_obstacles_allocate_nothing() {
    let mut rng = Rng::new(9);
    let mut obstacles = ObstacleSet::square(2_000).expect("small bounds");
    let mut batch = obstacles.edit_bulk();
    let mut ids = Vec::new();
    for _ in 0..200 {
        let (x, y) = (rng.between(0, 1_900), rng.between(0, 1_900));
        let obstacle =
            Obstacle::cells(x, y, 60, 60, ObstacleCategories::ALL).expect("within the limits");
        ids.push(batch.insert(&obstacle).expect("room for it"));
    }
    drop(batch);
    let mut searcher = PlanarSearcher::default();
    let mut pairs = ObstaclePairScratch::default();
    let start = obstacles.clone();
    let at = |n: i32| Point2::from_raw(n * 256, n * 256);
    let mut n_found = 0;
    assert_none_after(2, || {
        // The same ticks twice: forth, then back to the initial positions.
        for direction in [1, -1] {
            for tick in 0..10 {
                let mut batch = obstacles.edit_bulk();
                for (n, id) in (0..).zip(&ids) {
                    let (dx, dy) = ((n % 7 - 3) * 200 * direction, (n % 5 - 2) * 200 * direction);
                    let moved = batch.move_by(*id, Fixed::from_raw(dx), Fixed::from_raw(dy));
                    moved.expect("within the limits");
                }
                drop(batch);
                obstacles.pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut pairs);
                for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
                    let request = PlanarRequest {
                        method,
                        start_policy: EndpointPolicy::NearestFree,
                        goal_policy: EndpointPolicy::NearestFree,
                        ..PlanarRequest::new(at(10 + tick), at(1_990 - tick))
                    };
                    let outcome = searcher.find(&obstacles, &request).expect("free ends");
                    if let Some(path) = outcome.best() {
                        searcher.recycle(path);
                        n_found += 1;
                    }
                }
            }
        }
    });
    assert!(n_found >= 60, "most are found: {n_found}");
    assert!(
        obstacles.obstacles().eq(start.obstacles()),
        "every obstacle is back"
    );
}

#[test]
fn warm_weighted_searches_and_obstacle_queries_allocate_nothing() {
    let mut rng = Rng::new(11);
    let (rock, mud) = (
        ObstacleCategories::one(0).expect("a category"),
        ObstacleCategories::one(1).expect("a category"),
    );
    let mut obstacles = ObstacleSet::square(1_000).expect("small bounds");
    let mut batch = obstacles.edit_bulk();
    for number in 0..150 {
        let (x, y) = (rng.between(0, 950), rng.between(0, 950));
        let category = if number % 3 == 0 { mud } else { rock };
        // Some are long thin walls.
        let (width, height) = if number % 10 == 0 { (200, 2) } else { (40, 40) };
        let obstacle = Obstacle::cells(x, y, width, height, category).expect("within the limits");
        batch.insert(&obstacle).expect("room for it");
    }
    drop(batch);
    let cells = |n: i32| Fixed::from_raw(n * 256);
    let at = |x: i32, y: i32| Point2::new(cells(x), cells(y));
    let influence = Influence {
        categories: mud,
        strength: 40,
        reach: cells(60),
    };
    let base = PlanarRequest {
        agent: DiscAgent {
            radius: cells(2),
            blocked_by: rock,
        },
        start_policy: EndpointPolicy::NearestFree,
        goal_policy: EndpointPolicy::NearestFree,
        ..PlanarRequest::new(at(5, 5), at(995, 990))
    };
    let mut weighted = base.clone();
    weighted
        .category_costs
        .push((mud, CostMultiplier::from_sixteenths(64).expect("4 times")));
    let mut influenced = base.clone();
    influenced.influences.push(influence);
    let mut wide = base.clone();
    wide.agent.radius = cells(25);
    let mut by_quadtree = base.clone();
    by_quadtree.method = PlanarMethod::Quadtree;
    by_quadtree.criterion.occupancy = 1;
    let requests = [base, weighted, influenced, wide, by_quadtree];

    let mut searcher = PlanarSearcher::default();
    let (mut pairs, mut quadtree) = (ObstaclePairScratch::default(), ObstacleQuadtree::default());
    let (mut found, mut map) = (Vec::new(), InfluenceMap::default());
    let mut n_paths = 0;
    assert_none_after(1, || {
        for request in &requests {
            let Ok(outcome) = searcher.find(&obstacles, request) else {
                continue;
            };
            map.compute(&obstacles, searcher.quadtree(), &[influence]);
            if let Some(path) = outcome.best() {
                status(&obstacles, &path);
                searcher.recycle(path);
                n_paths += 1;
            }
        }
        quadtree.pairs(&obstacles, ObstacleCategories::ALL, rock, &mut pairs);
        for n in 0..50 {
            let here = at(20 * n, 990 - 19 * n);
            obstacles.in_disc(here, cells(90), mud, &mut found);
            obstacles.nearest(here, rock, Fixed::MAX);
            obstacles.cast_ray(here, at(500, 20 * n), DiscAgent::POINT);
            obstacles.influence_at(here, influence);
        }
    });
    assert!(n_paths >= 8, "most are found: {n_paths}");
}
