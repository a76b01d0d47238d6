//! Golden digests of crowds: agents through a gap, against each other, and to one goal; flyers around a
//! solid.

use wayfarer_engine::base::{Cell, Raster, Rng, Voxel};
use wayfarer_engine::crowd::flight::{Flock, Flyer, Vec3};
use wayfarer_engine::crowd::{Crowd, CrowdAgent, CrowdOptions, RoutePoint, RouteStep, Vec2};
use wayfarer_engine::world::air::AirBuilder;
use wayfarer_engine::world::ground::Ground;

use super::values::Values;

const SIDE: i32 = 40;
/// A wall with a gap of one cell in it.
const WALL: i32 = 20;
const GAP: i32 = 17;

fn point(x: i32, y: i32) -> RoutePoint {
    RoutePoint {
        at: Vec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5),
        cell: Cell::flat(x, y),
        next: RouteStep::Walk,
    }
}

/// 120 agents, half of them through the gap, for 400 ticks.
pub(super) fn crowds(values: &mut Values) {
    let is_wall = |index: i32| index % SIDE == WALL && index / SIDE != GAP;
    let cells = (0..SIDE * SIDE).map(|index| u8::from(is_wall(index)) * 255);
    let raster = Raster::from_bytes(SIDE.unsigned_abs(), SIDE.unsigned_abs(), cells.collect());
    let Some(raster) = raster else { return };
    let ground = Ground::from_raster(&raster);
    let Ok(mut crowd) = Crowd::new(CrowdOptions::default()) else {
        return;
    };
    let mut rng = Rng::new(25);
    for index in 0..120 {
        let (x, y) = (index % 12 + 2, index / 12 * 3 + 2);
        let from = point(x, y);
        let Ok(id) = crowd.add(&ground, CrowdAgent::DEFAULT, from.at, from.cell) else {
            continue;
        };
        let far = point(rng.between(24, 38), rng.between(2, 38));
        let near = point(rng.between(2, 16), rng.between(2, 38));
        let route = match index % 3 {
            0 => vec![from, point(WALL - 1, GAP), point(WALL + 1, GAP), far],
            1 => vec![from, near],
            _ => vec![from, point(10, 20)],
        };
        values.number(u64::from(crowd.set_route(id, route.into()).is_ok()));
    }
    for tick in 0..400 {
        let n_events = crowd.tick(&ground).len();
        if tick % 20 == 0 {
            values.number(n_events as u64);
            values.number(crowd.state_hash());
        }
    }
}

/// 60 flyers through each other and around a solid cube, for 200 ticks.
pub(super) fn flocks(values: &mut Values) {
    let Ok(mut builder) = AirBuilder::new(Voxel::new(0, 0, 0), [32; 3]) else {
        return;
    };
    let built = builder.add_box(Voxel::new(14, 14, 14), Voxel::new(17, 17, 17));
    values.number(u64::from(built.is_ok()));
    let (Ok(air), Ok(mut flock)) = (builder.build(), Flock::new(CrowdOptions::default())) else {
        return;
    };
    let mut rng = Rng::new(26);
    for _ in 0..60 {
        let mut at = || f64::from(rng.between(2, 29)) + 0.5;
        let from = Vec3::new(at(), at(), at());
        let (middle, to) = (Vec3::new(at(), at(), 4.5), Vec3::new(at(), at(), at()));
        if let Ok(id) = flock.add(&air, Flyer::DEFAULT, from) {
            let set = flock.set_flight(id, [from, middle, to].into());
            values.number(u64::from(set.is_ok()));
        }
    }
    for tick in 0..200 {
        let n_events = flock.tick(&air).len();
        if tick % 20 == 0 {
            values.number(n_events as u64);
            values.number(flock.state_hash());
        }
    }
}
