//! Ray casts through the obstacles, timed and compared with a test of every obstacle.

use wayfarer_engine::base::{Fixed, Point2, Rng};
use wayfarer_engine::world::obstacles::{DiscAgent, ObstacleSet};
use wayfarer_measure::clock::Timer;

use super::{Seen, is_near, obstacles};

/// Rays in a tick.
const N_RAYS: usize = 256;
/// How far each reaches along either axis, at most: 2,000 cells.
const REACH: i32 = 2_000 * Fixed::UNITS_PER_CELL;

/// Rays drawn at random.
pub(super) struct Rays {
    rng: Rng,
    rays: Vec<(Point2, Point2)>,
}

impl Rays {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::for_stream(seed, 2),
            rays: Vec::new(),
        }
    }

    /// Casts some, and compares them if `compare`.
    pub(super) fn cast(
        &mut self,
        obstacle_set: &ObstacleSet,
        agent: DiscAgent,
        timer: &Timer,
        compare: bool,
        seen: &mut Seen,
    ) {
        let (low, high) = (obstacle_set.bounds().low, obstacle_set.bounds().high);
        let rng = &mut self.rng;
        self.rays.clear();
        self.rays.extend((0..N_RAYS).map(|_| {
            let mut end = |low: Fixed, high: Fixed| {
                let from = rng.between(low.raw(), high.raw());
                let to = (from + rng.between(-REACH, REACH)).clamp(low.raw(), high.raw());
                (Fixed::from_raw(from), Fixed::from_raw(to))
            };
            let (x, y) = (end(low.x, high.x), end(low.y, high.y));
            (Point2::new(x.0, y.0), Point2::new(x.1, y.1))
        }));
        let mut n_met = 0_usize;
        let ((), ns) = timer.time(|| {
            for (from, to) in &self.rays {
                n_met += usize::from(obstacle_set.cast_ray(*from, *to, agent).is_some());
            }
        });
        std::hint::black_box(n_met);
        seen.ray_ns.push(ns / N_RAYS as f64);
        if !compare {
            return;
        }
        let things = obstacles(obstacle_set);
        let radius = agent.radius.raw();
        for &(from, to) in &self.rays {
            let touches = |radius: i32| {
                let mut near = things.iter().filter(|it| is_near(it, from, to, radius));
                near.any(|thing| thing.is_hit_by_sweep(from, to, radius))
            };
            // What stops a ray is 1/256 of a cell wider than what touches it.
            let is_met = obstacle_set.cast_ray(from, to, agent).is_some();
            if (touches(radius) && !is_met) || (is_met && !touches(radius + 1)) {
                seen.faults.push(format!("{from} to {to}: wrong ray cast"));
            }
        }
    }
}
