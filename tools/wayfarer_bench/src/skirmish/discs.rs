//! Whether a unit is inside something, by the documented rules alone: its disc may touch what blocks
//! it, not overlap it. Knows tiles, thin walls, doors and boxes, and nothing of the library.

use super::game::{Block, Game};
use super::map::{Map, SIDE, Tile, Wall};
use super::units::{AIR, Kind, Unit};

/// Positions of paths are rounded to 1/256 of a tile on each axis.
const TOLERANCE: f64 = 1.0 / 128.0;

/// What a unit is inside of; `None` if its disc, or its ball in the air, is free.
pub(super) fn inside(game: &Game, unit: &Unit) -> Option<String> {
    let [x, y, z] = unit.at.units();
    let radius = unit.kind.radius() - TOLERANCE;
    let block = game
        .solids
        .iter()
        .find(|block| overlaps_block(block, unit, radius));
    if let Some(block) = block {
        return Some(format!("a solid from {:?} to {:?}", block.low, block.high));
    }
    if unit.kind == Kind::Drone {
        let side = f64::from(SIDE);
        let is_free = |at: f64, low: f64, high: f64| low <= at - radius && at + radius <= high;
        let is_free = is_free(x, 0.0, side) && is_free(y, 0.0, side) && is_free(z, AIR[0], AIR[1]);
        return (!is_free).then(|| "the border of the air".to_owned());
    }
    if z.abs() > TOLERANCE {
        return Some("no floor at its height".to_owned());
    }
    blocked_tile(&game.map, unit.kind, [x, y], radius).or_else(|| closed_wall(game, [x, y], radius))
}

/// True if the disc, or the ball, overlaps a box.
fn overlaps_block(block: &Block, unit: &Unit, radius: f64) -> bool {
    let [x, y, z] = unit.at.units();
    let gap = |at: f64, axis: usize| {
        let (low, high) = (f64::from(block.low[axis]), f64::from(block.high[axis]));
        (low - at).max(at - high).max(0.0)
    };
    let up = match unit.kind {
        Kind::Drone => gap(z, 2),
        // On the ground every solid stands in the path: each begins at the floor.
        _ => 0.0,
    };
    let (east, south) = (gap(x, 0), gap(y, 1));
    east * east + south * south + up * up < radius * radius
}

/// The first tile under the disc that the unit may not stand on.
fn blocked_tile(map: &Map, kind: Kind, [x, y]: [f64; 2], radius: f64) -> Option<String> {
    let may_stand = |tile: Option<Tile>| match kind {
        Kind::Boat => tile == Some(Tile::Water),
        _ => matches!(tile, Some(Tile::Grass | Tile::Swamp)),
    };
    let first = |at: f64| whole(at - radius);
    let last = |at: f64| whole(at + radius);
    for row in first(y)..=last(y) {
        for column in first(x)..=last(x) {
            let gap = |at: f64, tile: i32| {
                (f64::from(tile) - at)
                    .max(at - f64::from(tile) - 1.0)
                    .max(0.0)
            };
            let (east, south) = (gap(x, column), gap(y, row));
            let overlaps = east * east + south * south < radius * radius;
            if overlaps && !may_stand(tile(map, column, row)) {
                return Some(format!("tile ({column}, {row})"));
            }
        }
    }
    None
}

fn tile(map: &Map, x: i32, y: i32) -> Option<Tile> {
    let is_inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    let index = usize::try_from(y * SIDE + x).ok();
    map.tiles.get(index.filter(|_| is_inside)?).copied()
}

/// The first thin wall that the disc overlaps; an open door is no part of its wall.
fn closed_wall(game: &Game, at: [f64; 2], radius: f64) -> Option<String> {
    for wall in &game.map.walls {
        if distance(wall, at) >= radius {
            continue;
        }
        let is_blocked = unit_lengths(wall).any(|edge| {
            let is_door = |index: usize| {
                let door = game.map.doors[index];
                game.doors[index].1 && border(door.inside, door.outside) == edge
            };
            distance(&edge, at) < radius && !(0..game.doors.len()).any(is_door)
        });
        if is_blocked {
            return Some(format!("the wall from {:?} to {:?}", wall.from, wall.to));
        }
    }
    None
}

/// The distance of a point from a wall along an axis.
fn distance(wall: &Wall, at: [f64; 2]) -> f64 {
    let gap = |axis: usize| {
        let (a, b) = (f64::from(wall.from[axis]), f64::from(wall.to[axis]));
        (a.min(b) - at[axis]).max(at[axis] - a.max(b)).max(0.0)
    };
    (gap(0) * gap(0) + gap(1) * gap(1)).sqrt()
}

/// The borders between tiles that a wall consists of.
fn unit_lengths(wall: &Wall) -> impl Iterator<Item = Wall> {
    let ([x, y], [end_x, end_y]) = (wall.from, wall.to);
    let is_along_x = y == end_y;
    let n = (end_x - x).max(end_y - y);
    (0..n).map(move |index| {
        let from = match is_along_x {
            true => [x + index, y],
            false => [x, y + index],
        };
        let to = match is_along_x {
            true => [from[0] + 1, y],
            false => [x, from[1] + 1],
        };
        Wall { from, to }
    })
}

/// The border between two neighboring tiles.
fn border(a: [i32; 2], b: [i32; 2]) -> Wall {
    let corner = [a[0].max(b[0]), a[1].max(b[1])];
    let to = match a[0] == b[0] {
        true => [corner[0] + 1, corner[1]],
        false => [corner[0], corner[1] + 1],
    };
    Wall { from: corner, to }
}

#[expect(clippy::cast_possible_truncation, reason = "a position on the map")]
fn whole(at: f64) -> i32 {
    at.floor() as i32
}
