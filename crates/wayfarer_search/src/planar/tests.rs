//! Planar paths through random crowds against a full visibility graph.

use wayfarer_base::{
    Aabb2, Budget, Fixed, Location, Outcome, PathStatus, Point2, Progress, RequestError, Rng,
    Session, UnreachableProof,
};
use wayfarer_testkit::obstacles::{ReferenceObstacle, ReferenceOutlines};
pub(super) use wayfarer_testkit::point;
use wayfarer_world::obstacles::quadtree::SplitCriterion;
use wayfarer_world::obstacles::{
    DiscAgent, Influence, Obstacle, ObstacleCategories, ObstacleSet, ObstacleShape,
};

use super::*;

mod adversarial;
mod corridor;
mod figures;
mod results;

pub(super) fn cells(x: i32, y: i32) -> Point2 {
    point(x * 256, y * 256)
}

/// The obstacles that block an agent, for the reference implementation.
pub(super) fn blocking(obstacles: &ObstacleSet, agent: DiscAgent) -> Vec<ReferenceObstacle> {
    let blocking = obstacles
        .obstacles()
        .filter(|(_, obstacle)| obstacle.categories.intersects(agent.blocked_by));
    blocking
        .map(|(_, obstacle)| match obstacle.shape {
            ObstacleShape::Box(area) => ReferenceObstacle::Box(area),
            ObstacleShape::Disc { center, radius } => ReferenceObstacle::Disc(center, radius.raw()),
        })
        .collect()
}

/// A square crowd of boxes and discs of mixed sizes that covers about `percent` of it.
pub(super) fn crowd(rng: &mut Rng, side: i32, percent: i32, agent: DiscAgent) -> ObstacleSet {
    let mut obstacles = ObstacleSet::square(side).unwrap();
    let mut batch = obstacles.edit_bulk();
    let far = side * 256;
    let mut left = i64::from(far) * i64::from(far) / 100 * i64::from(percent);
    while left > 0 {
        let max_side = if rng.chance(1, 8) { far / 4 } else { far / 12 };
        let (width, height) = (rng.between(256, max_side), rng.between(256, max_side));
        let at = point(rng.between(-max_side, far), rng.between(-max_side, far));
        let shape = if rng.chance(1, 5) {
            ObstacleShape::Disc {
                center: at,
                radius: Fixed::from_raw(width / 2),
            }
        } else {
            ObstacleShape::Box(Aabb2 {
                low: at,
                high: point(at.x.raw() + width, at.y.raw() + height),
            })
        };
        let categories = ObstacleCategories::one(u8::try_from(rng.below(4)).unwrap()).unwrap();
        let is_blocking = categories.intersects(agent.blocked_by);
        batch.insert(&Obstacle { shape, categories }).unwrap();
        let radius = i64::from(agent.radius.raw());
        if is_blocking {
            left -= (i64::from(width) + 2 * radius) * (i64::from(height) + 2 * radius);
        }
    }
    drop(batch);
    obstacles
}

pub(super) fn free_point(
    rng: &mut Rng,
    obstacles: &ObstacleSet,
    agent: DiscAgent,
) -> Option<Point2> {
    let far = obstacles.bounds().high.x.raw();
    (0..200)
        .map(|_| point(rng.between(0, far), rng.between(0, far)))
        .find(|at| obstacles.is_free(*at, agent))
}

#[track_caller]
pub(super) fn check_path(
    obstacle_set: &ObstacleSet,
    path: &PlanarPath,
    from: Point2,
    to: Point2,
    what: &str,
) {
    assert_eq!((path.start(), path.end()), (Some(from), Some(to)), "{what}");
    let radius = path.agent.radius.raw();
    let blocking = blocking(obstacle_set, path.agent);
    for leg in path.points.windows(2).skip(path.n_exit_legs) {
        for obstacle in &blocking {
            assert!(
                !obstacle.is_hit_by_sweep(leg[0], leg[1], radius),
                "{what}: {obstacle:?} is touched between {} and {}",
                leg[0],
                leg[1]
            );
        }
        assert!(
            obstacle_set.is_inside(leg[0]) && obstacle_set.is_inside(leg[1]),
            "{what}"
        );
    }
    let length: f64 = path
        .points
        .windows(2)
        .map(|leg| length(leg[0], leg[1]))
        .sum();
    assert!((path.cost.to_cells() - length).abs() < 0.1, "{what}");
}

pub(super) fn length(a: Point2, b: Point2) -> f64 {
    let (x, y) = (
        a.x.to_cells() - b.x.to_cells(),
        a.y.to_cells() - b.y.to_cells(),
    );
    math::length(x, y)
}

struct Tally {
    n_found: u32,
    n_none: u32,
    sum: f64,
    worst: f64,
    /// Against the shortest path through gaps of at least twice the smallest quad.
    n_wide: u32,
    wide_sum: f64,
    wide_worst: f64,
}

/// Queries in random crowds of one density. Checks that every path is free and that one is found
/// whenever the reference has one; sums up relative lengths.
fn tally(method: PlanarMethod, percent: i32, seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally {
        n_found: 0,
        n_none: 0,
        sum: 0.0,
        worst: 1.0,
        n_wide: 0,
        wide_sum: 0.0,
        wide_worst: 1.0,
    };
    let mut searcher = PlanarSearcher::default();
    for seed in seeds {
        let mut rng = Rng::for_stream(seed, u64::try_from(percent).unwrap());
        let agent = DiscAgent {
            radius: Fixed::from_raw(rng.between(0, 3) * 800),
            blocked_by: ObstacleCategories::from_bits(0b0111),
        };
        let obstacle_set = crowd(&mut rng, 400, percent, agent);
        let blocking = blocking(&obstacle_set, agent);
        let outlines = ReferenceOutlines::new(&blocking, obstacle_set.bounds(), agent.radius.raw());
        for query in 0..4 {
            let ends = (
                free_point(&mut rng, &obstacle_set, agent),
                free_point(&mut rng, &obstacle_set, agent),
            );
            let (Some(from), Some(to)) = ends else {
                break;
            };
            let what = format!("{method:?} at {percent} %, seed {seed}, query {query}");
            let request = PlanarRequest {
                agent,
                method,
                criterion: SplitCriterion {
                    min_side: Fixed::from_cell(1).unwrap(),
                    ..SplitCriterion::GUERRILLA_2013
                },
                ..PlanarRequest::new(from, to)
            };
            match searcher.find(&obstacle_set, &request).unwrap() {
                Outcome::Found(path) => {
                    check_path(&obstacle_set, &path, from, to, &what);
                    let found: f64 = path
                        .points
                        .windows(2)
                        .map(|leg| length(leg[0], leg[1]))
                        .sum();
                    let best = outlines.shortest(from, to, found * 256.0 + 8.0);
                    let best =
                        best.unwrap_or_else(|| panic!("{what}: the reference has none")) / 256.0;
                    let ratio = if best > 1.0 { found / best } else { 1.0 };
                    if method == PlanarMethod::Quadtree {
                        // A gap too narrow for the quadtree may be a shortcut of any size: only
                        // gaps of at least twice the smallest quad count.
                        let wide = wide_outlines(&blocking, &obstacle_set, agent);
                        let best = wide.shortest(from, to, found * 256.0 + 512.0);
                        if let Some(best) = best.filter(|best| *best > 256.0) {
                            let ratio = found * 256.0 / best;
                            tally.wide_sum += ratio;
                            tally.wide_worst = tally.wide_worst.max(ratio);
                            tally.n_wide += 1;
                        }
                    }
                    tally.n_found += 1;
                    tally.sum += ratio;
                    tally.worst = tally.worst.max(ratio);
                    searcher.recycle(path);
                }
                Outcome::Unreachable { proof, .. } => {
                    assert_eq!(proof, UnreachableProof::SearchExhausted);
                    tally.n_none += 1;
                    let is_reachable = match method {
                        PlanarMethod::TangentGraph => outlines.shortest(from, to, 1e12).is_some(),
                        // The quadtree guarantees gaps of at least twice the smallest quad.
                        PlanarMethod::Quadtree => wide_outlines(&blocking, &obstacle_set, agent)
                            .shortest(from, to, 1e12)
                            .is_some(),
                    };
                    assert!(
                        !is_reachable,
                        "{what}: {from} to {to}: the reference has a path"
                    );
                }
                other => panic!("{what}: {other:?}"),
            }
        }
    }
    tally
}

/// The outlines for an agent that is wider by the smallest quad.
fn wide_outlines(
    blocking: &[ReferenceObstacle],
    obstacles: &ObstacleSet,
    agent: DiscAgent,
) -> ReferenceOutlines {
    ReferenceOutlines::new(blocking, obstacles.bounds(), agent.radius.raw() + 256)
}

/// Checks relative lengths; those of the quadtree against the shortest path through wide gaps.
#[track_caller]
fn check_crowds(method: PlanarMethod, percent: i32, n_seeds: u64, mean: f64, worst: f64) {
    let tally = tally(method, percent, 0..n_seeds);
    let exact = tally.sum / f64::from(tally.n_found);
    println!(
        "{method:?} {percent} %: {} found, {} not, mean {exact:.4}, worst {:.4}; through wide \
         gaps {} mean {:.4}, worst {:.4}",
        tally.n_found,
        tally.n_none,
        tally.worst,
        tally.n_wide,
        tally.wide_sum / f64::from(tally.n_wide),
        tally.wide_worst
    );
    assert!(tally.n_found > 20);
    let (found, longest) = match method {
        PlanarMethod::TangentGraph => (exact, tally.worst),
        PlanarMethod::Quadtree => (tally.wide_sum / f64::from(tally.n_wide), tally.wide_worst),
    };
    assert!(found <= mean && longest <= worst, "{found} {longest}");
}

#[test]
fn the_tangent_graph_finds_short_paths_through_sparse_crowds() {
    check_crowds(PlanarMethod::TangentGraph, 15, 40, 1.001, 1.01);
    check_crowds(PlanarMethod::TangentGraph, 40, 40, 1.003, 1.06);
}

#[test]
fn the_tangent_graph_finds_a_path_through_dense_crowds_whenever_one_exists() {
    check_crowds(PlanarMethod::TangentGraph, 75, 60, 1.01, 1.12);
    check_crowds(PlanarMethod::TangentGraph, 100, 60, 1.01, 1.12);
}

#[test]
fn the_quadtree_finds_a_path_through_crowds_whenever_a_wide_one_exists() {
    check_crowds(PlanarMethod::Quadtree, 15, 25, 1.005, 1.08);
    check_crowds(PlanarMethod::Quadtree, 75, 25, 1.005, 1.06);
}

#[test]
fn paths_across_long_walls_are_within_three_percent_of_the_shortest() {
    let mut searcher = PlanarSearcher::default();
    let (mut sum, mut n_found) = (0.0, 0);
    for seed in 0..12 {
        let mut rng = Rng::for_stream(seed, 77);
        let mut obstacles = ObstacleSet::square(4_000).unwrap();
        let mut batch = obstacles.edit_bulk();
        for _ in 0..40 {
            // 1,000 x 4 cells, east, at any place.
            let (x, y) = (rng.between(-500, 3_500), rng.between(40, 3_960));
            let wall = Obstacle::cells(x, y, 1_000, 4, ObstacleCategories::ALL);
            batch.insert(&wall.unwrap()).unwrap();
        }
        drop(batch);
        let (from, to) = (cells(2_000, 5), cells(2_000, 3_995));
        let request = PlanarRequest::new(from, to);
        let agent = request.agent;
        let blocking = blocking(&obstacles, agent);
        let outlines = ReferenceOutlines::new(&blocking, obstacles.bounds(), agent.radius.raw());
        let what = format!("seed {seed}");
        let Some(path) = searcher.find(&obstacles, &request).unwrap().found() else {
            continue;
        };
        check_path(&obstacles, &path, from, to, &what);
        let found = path.cost.to_cells();
        let best = outlines.shortest(from, to, found * 256.0 + 512.0).unwrap() / 256.0;
        println!(
            "{what}: {:.4} after {} expansions",
            found / best,
            path.expansions
        );
        (sum, n_found) = (sum + found / best, n_found + 1);
        assert!(found / best <= 1.06, "{what}: {found} instead of {best}");
    }
    let mean = sum / f64::from(n_found);
    assert!(n_found > 8 && mean <= 1.03, "{n_found} paths, mean {mean}");
}
