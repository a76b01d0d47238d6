//! Rays and moves on the index of bodies and on that of obstacles, with the same boxes: what one
//! index for both would cost.
#![expect(clippy::print_stdout, reason = "a program prints its figures")]

use std::error::Error;

use wayfarer_engine::base::{Aabb2, Fixed, Point2, Rng};
use wayfarer_engine::world::bodies::{Body, BodyFilter, BodySet, BodyShape, Contacts};
use wayfarer_engine::world::obstacles::{
    DiscAgent, Obstacle, ObstacleCategories, ObstacleSet, ObstacleShape,
};
use wayfarer_measure::clock::Timer;

const RUNS: usize = 9;

/// Boxes of `size` cells on a square of `side` cells, as low corners.
fn corners(rng: &mut Rng, n_boxes: usize, side: i32, size: i32) -> Vec<Point2> {
    let mut at = || rng.between(0, (side - size) * 256);
    (0..n_boxes).map(|_| Point2::from_raw(at(), at())).collect()
}

fn moved(at: Point2, by: i32) -> Point2 {
    Point2::from_raw(at.x.raw() + by, at.y.raw() + by)
}

fn obstacles(corners: &[Point2], side: i32, size: i32) -> Result<ObstacleSet, Box<dyn Error>> {
    let mut set = ObstacleSet::square(side)?;
    let mut batch = set.edit_bulk();
    for low in corners {
        let high = moved(*low, size * 256);
        batch.insert(&Obstacle {
            shape: ObstacleShape::Box(Aabb2 { low: *low, high }),
            categories: ObstacleCategories::ALL,
        })?;
    }
    drop(batch);
    Ok(set)
}

fn bodies(corners: &[Point2], size: i32) -> Result<BodySet, Box<dyn Error>> {
    let mut set = BodySet::new(Fixed::from_raw(size.max(4) * 256));
    let half = Fixed::from_raw(size * 128);
    for low in corners {
        set.register(&Body {
            shape: BodyShape::Box {
                half_x: half,
                half_y: half,
            },
            ..Body::at(moved(*low, size * 128))
        })?;
    }
    Ok(set)
}

/// The least time of `RUNS`, in nanoseconds for each of `n` items.
fn best(n: usize, mut run: impl FnMut()) -> f64 {
    let timer = Timer::new();
    let times = (0..RUNS).map(|_| timer.time_of_all(&mut run).1);
    let best = times.fold(f64::INFINITY, f64::min);
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 items")]
    let n = n as f64;
    best / n
}

fn rays(side: i32) -> Result<(), Box<dyn Error>> {
    let mut rng = Rng::new(5);
    let corners = corners(&mut rng, 5_000, side, 20);
    let (obstacles, bodies) = (obstacles(&corners, side, 20)?, bodies(&corners, 20)?);
    let mut at = || Point2::from_raw(rng.between(0, side * 256), rng.between(0, side * 256));
    let reach = 2_000 * 256;
    let rays: Vec<(Point2, Point2)> = (0..1_000)
        .map(|_| {
            let (from, to) = (at(), at());
            let near = |a: Fixed, b: Fixed| {
                Fixed::from_raw(b.raw().clamp(a.raw() - reach, a.raw() + reach))
            };
            (from, Point2::new(near(from.x, to.x), near(from.y, to.y)))
        })
        .collect();
    let mut n_hits = [0_usize; 2];
    let on_obstacles = best(rays.len(), || {
        let hits = rays
            .iter()
            .filter(|(from, to)| obstacles.cast_ray(*from, *to, DiscAgent::POINT).is_some());
        n_hits[0] = hits.count();
    });
    let mut contacts = Contacts::default();
    let zero = Fixed::from_raw(0);
    let on_bodies = best(rays.len(), || {
        let hits = rays.iter().filter(|(from, to)| {
            let swept = bodies.sweep_disc(*from, *to, zero, &BodyFilter::ALL, &mut contacts);
            swept.is_ok() && !contacts.list().is_empty()
        });
        n_hits[1] = hits.count();
    });
    println!("5,000 boxes, 1,000 rays up to 2,000 cells along each axis ({n_hits:?} hit):");
    println!("  obstacles {on_obstacles:.0} ns a ray, bodies {on_bodies:.0} ns");
    Ok(())
}

fn moves(n_boxes: usize, side: i32) -> Result<(), Box<dyn Error>> {
    let mut rng = Rng::new(6);
    let corners = corners(&mut rng, n_boxes, side, 1);
    let (mut obstacles, mut bodies) = (obstacles(&corners, side, 1)?, bodies(&corners, 1)?);
    let ids: Vec<_> = obstacles.obstacles().map(|(id, _)| id).collect();
    let mut offset = 0;
    let mut failed = false;
    let on_obstacles = best(n_boxes, || {
        offset ^= 64;
        let mut batch = obstacles.edit_bulk();
        for (id, low) in ids.iter().zip(&corners) {
            failed |= batch.move_to(*id, moved(*low, offset)).is_err();
        }
    });
    let centers = [0, 64].map(|by| {
        let center = |low: &Point2| moved(*low, 128 + by);
        corners.iter().map(center).collect::<Vec<_>>()
    });
    let mut turn = 0;
    let on_bodies = best(n_boxes, || {
        turn ^= 1;
        failed |= bodies.move_all(&centers[turn]).is_err();
    });
    println!("{n_boxes} boxes of one cell, all moved by a quarter of a cell (failed: {failed}):");
    println!("  obstacles {on_obstacles:.1} ns a move, bodies {on_bodies:.1} ns");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    rays(10_000)?;
    moves(5_000, 2_000)?;
    moves(100_000, 4_000)
}
