//! Obstacles that all move every tick and reflect at the bounds.

use wayfarer_engine::base::{Aabb2, Fixed, Point2, Rng};
use wayfarer_engine::search::planar::PlanarSearcher;
use wayfarer_engine::world::obstacles::quadtree::ObstacleQuadtree;
use wayfarer_engine::world::obstacles::{
    FreeScratch, Obstacle, ObstacleCategories, ObstacleId, ObstaclePairScratch, ObstacleSet,
    ObstacleShape,
};
use wayfarer_measure::clock::Timer;

use super::rays::Rays;
use super::{Arguments, Seen};
use crate::error::BenchError;
use crate::report::Progress;

/// Most obstacles with which every tick is checked; above, the oracle's ticks.
const CHECK_ALWAYS: u32 = 20_000;

struct Mover {
    id: ObstacleId,
    at: [i32; 2],
    speed: [i32; 2],
}

pub(super) fn measure(arguments: &Arguments, progress: Progress<'_>) -> Result<Seen, BenchError> {
    let (mut obstacles, mut moving) = make(arguments)?;
    let mut seen = Seen {
        n_obstacles: obstacles.len(),
        n_moving: moving.len(),
        ..Seen::default()
    };
    let timer = Timer::new();
    let mut searcher = PlanarSearcher::default();
    let (mut pairs, mut free) = (ObstaclePairScratch::default(), FreeScratch::default());
    let (mut tree, mut tree_pairs) = (ObstacleQuadtree::default(), ObstaclePairScratch::default());
    let mut rays = Rays::new(arguments.seed);
    #[cfg(feature = "baselines")]
    let mut baselines = super::baselines::Baselines::new();
    let every = (arguments.n_ticks / arguments.n_oracle.max(1)).max(1);
    for tick in 0..arguments.n_ticks {
        progress("tick", arguments.n_ticks as usize);
        let far = (arguments.world - arguments.size) * Fixed::UNITS_PER_CELL;
        for mover in &mut moving {
            for axis in 0..2 {
                let next = mover.at[axis] + mover.speed[axis];
                if next < 0 || next > far {
                    mover.speed[axis] = -mover.speed[axis];
                }
                mover.at[axis] = (mover.at[axis] + mover.speed[axis]).clamp(0, far);
            }
        }
        let (updated, update_ns) = timer.time(|| {
            let mut batch = obstacles.edit_bulk();
            moving.iter().try_for_each(|mover| {
                let [x, y] = mover.at.map(Fixed::from_raw);
                batch.move_to(mover.id, Point2::new(x, y))
            })
        });
        updated?;
        let (n_pairs, pairs_ns) = timer.time(|| {
            obstacles
                .pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut pairs)
                .len()
        });
        let end = |percent: i32, free: &mut FreeScratch| {
            let at = Fixed::from_raw(arguments.world * Fixed::UNITS_PER_CELL / 100 * percent);
            let found = obstacles.nearest_free(Point2::new(at, at), arguments.agent(), free);
            found.ok_or_else(|| {
                let radius = arguments.radius;
                BenchError::Arguments(format!("no free point for an agent of radius {radius}"))
            })
        };
        let ends = (end(1, &mut free)?, end(99, &mut free)?);
        let request = arguments.request(ends.0, ends.1);
        let (outcome, path_ns) = timer.time(|| searcher.find(&obstacles, &request));
        seen.update_ns.push(update_ns);
        seen.pairs_ns.push(pairs_ns);
        seen.path_ns.push(path_ns);
        seen.n_pairs.push(n_pairs as f64);
        let is_oracles = tick % every == 0 && tick / every < arguments.n_oracle;
        let is_checked = is_oracles || arguments.n_obstacles <= CHECK_ALWAYS;
        let is_compared = is_oracles && arguments.n_obstacles <= CHECK_ALWAYS;
        if is_oracles {
            // As in [Guerrilla2013]; a quadtree of its own, so that the search's stays warm.
            let wanted =
                obstacles.pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut pairs);
            let (found, pairs_tree_ns) = timer.time(|| {
                tree.pairs(
                    &obstacles,
                    ObstacleCategories::ALL,
                    ObstacleCategories::ALL,
                    &mut tree_pairs,
                )
            });
            seen.pairs_tree_ns.push(pairs_tree_ns);
            if found != wanted {
                let (found, wanted) = (found.len(), wanted.len());
                seen.faults.push(format!(
                    "{found} pairs through the quadtree, {wanted} through the grid"
                ));
            }
        }
        rays.cast(
            &obstacles,
            arguments.agent(),
            &timer,
            is_compared,
            &mut seen,
        );
        #[cfg(feature = "baselines")]
        if arguments.baselines && is_oracles {
            baselines.compare(&obstacles, update_ns, &timer);
        }
        seen.result(
            &obstacles,
            &mut searcher,
            outcome?,
            ends,
            (is_checked, is_compared),
        );
    }
    #[cfg(feature = "baselines")]
    {
        seen.baselines = baselines.rows();
        for row in seen.baselines.iter().filter(|row| row.different > 0) {
            seen.faults.push(format!(
                "{}, {}: {} of {} results differ",
                row.name, row.what, row.different, row.compared
            ));
        }
    }
    Ok(seen)
}

fn make(arguments: &Arguments) -> Result<(ObstacleSet, Vec<Mover>), BenchError> {
    let mut rng = Rng::new(arguments.seed);
    let mut obstacles = ObstacleSet::square(arguments.world)?;
    let far = arguments.world.saturating_sub(arguments.size).max(0) * Fixed::UNITS_PER_CELL;
    let side = arguments.size * Fixed::UNITS_PER_CELL;
    let speed = arguments.speed * Fixed::UNITS_PER_CELL;
    let mut moving = Vec::new();
    let mut batch = obstacles.edit_bulk();
    for _ in 0..arguments.n_obstacles {
        let at = [rng.between(0, far), rng.between(0, far)];
        let point = |[x, y]: [i32; 2]| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        let shape = ObstacleShape::Box(Aabb2 {
            low: point(at),
            high: point(at.map(|at| at + side)),
        });
        let id = batch.insert(&Obstacle {
            shape,
            categories: ObstacleCategories::ALL,
        })?;
        let speed = [rng.between(-speed, speed), rng.between(-speed, speed)];
        moving.push(Mover { id, at, speed });
    }
    let [long, thick] = arguments
        .wall
        .map(|cells| cells.saturating_mul(Fixed::UNITS_PER_CELL));
    for _ in 0..arguments.n_walls {
        let room = |size: i32| {
            (arguments.world * Fixed::UNITS_PER_CELL)
                .saturating_sub(size)
                .max(0)
        };
        let (x, y) = (rng.between(0, room(long)), rng.between(0, room(thick)));
        let point = |x: i32, y: i32| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
        let shape = ObstacleShape::Box(Aabb2 {
            low: point(x, y),
            high: point(x.saturating_add(long), y.saturating_add(thick)),
        });
        let types = ObstacleCategories::ALL;
        batch.insert(&Obstacle {
            shape,
            categories: types,
        })?;
    }
    drop(batch);
    Ok((obstacles, moving))
}
