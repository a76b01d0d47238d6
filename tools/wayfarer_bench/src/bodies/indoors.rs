//! Line of sight indoors: pairs that the room graph culls before any line is tested.

use wayfarer_engine::base::{Column, Fixed, Point3, Raster, Rect, Rng, Terrain};
use wayfarer_engine::make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer_engine::search::sight::{
    FieldOfView, GroundVisibility, LineOfSightTest, OcclusionRules, OpacityGrid, RoomGraph,
    VisibleRooms,
};
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::clock::Timer;

use super::IndoorsRow;

const SIDE: u32 = 256;
const RADIUS: i32 = 50;
const N_EYES: usize = 200;
/// Runs of each; the best counts.
const RUNS: usize = 5;

pub(super) fn measure(timer: &Timer) -> Vec<IndoorsRow> {
    let worlds = [("rooms and corridors", corridors()), ("offices", offices())];
    let mut rows = Vec::new();
    for (name, map) in &worlds {
        for candidates in [20, 200] {
            rows.push(one_world(timer, name, map, candidates));
        }
    }
    rows
}

/// Rooms of many shapes joined by corridors.
fn corridors() -> Raster {
    match make(&Recipe::new(Generator::Rooms, SIDE, SIDE, 17)) {
        Ok(GeneratedWorld::Flat(map)) => map,
        _ => offices(),
    }
}

/// Rooms of 11 x 11 with walls between, and a door of one cell in every wall.
fn offices() -> Raster {
    let mut map = Raster::new(SIDE, SIDE).expect("a size that a map may have");
    let mut rng = Rng::new(18);
    let side = i32::try_from(SIDE).unwrap_or(0);
    let doors: Vec<i32> = (0..2 * SIDE * SIDE).map(|_| rng.between(1, 11)).collect();
    for y in 0..side {
        for x in 0..side {
            let (room_x, room_y) = (x / 12, y / 12);
            let (in_x, in_y) = (x % 12, y % 12);
            let place = usize::try_from(2 * (room_y * side + room_x)).unwrap_or(0);
            let is_open = match (in_x == 0, in_y == 0) {
                (true, true) => false,
                (true, false) => x > 0 && in_y == doors[place],
                (false, true) => y > 0 && in_x == doors[place + 1],
                (false, false) => true,
            };
            map.set(x, y, is_open.then_some(Terrain::GROUND));
        }
    }
    map
}

/// A viewer and its candidates.
struct Query {
    eye: Column,
    others: Vec<Column>,
}

fn queries(board: &OpacityGrid, candidates: usize) -> Vec<Query> {
    let mut rng = Rng::new(19);
    let Rect { low, high } = board.rect();
    let mut clear = |around: Option<Column>| loop {
        let at = match around {
            None => Column::new(rng.between(low.x, high.x), rng.between(low.y, high.y)),
            Some(eye) => {
                let (x, y) = (rng.between(-RADIUS, RADIUS), rng.between(-RADIUS, RADIUS));
                if x * x + y * y > RADIUS * RADIUS {
                    continue;
                }
                Column::new(eye.x + x, eye.y + y)
            }
        };
        if !board.is_opaque(at) {
            break at;
        }
    };
    let eyes: Vec<Column> = (0..N_EYES).map(|_| clear(None)).collect();
    eyes.into_iter()
        .map(|eye| Query {
            eye,
            others: (0..candidates).map(|_| clear(Some(eye))).collect(),
        })
        .collect()
}

fn one_world(timer: &Timer, name: &'static str, map: &Raster, candidates: usize) -> IndoorsRow {
    let ground = Ground::from_raster(map);
    let board = OpacityGrid::from_ground(&ground, map.rect(), (0, 0), 0);
    let (rooms, build_ns) = timer.time(|| RoomGraph::new(&board));
    let queries = queries(&board, candidates);
    let (mut visible, mut fov) = (VisibleRooms::default(), FieldOfView::default());
    let sight = GroundVisibility {
        ground: &ground,
        rules: OcclusionRules::default(),
    };
    let sees_over = |from: Column, to: Column| {
        let eye = |column: Column| Point3 {
            x: Fixed::from_raw(256 * column.x + 128),
            y: Fixed::from_raw(256 * column.y + 128),
            z: Fixed::from_raw(400),
        };
        sight.is_clear(eye(from), eye(to))
    };
    let mut best = [f64::MAX; 5];
    let mut seen = [0; 5];
    let mut n_lines = 0;
    for _ in 0..RUNS {
        n_lines = 0;
        let mut take = |method: usize, count: &mut dyn FnMut(&Query) -> usize| {
            let (n_seen, time) = timer.time(|| queries.iter().map(count).sum::<usize>());
            best[method] = best[method].min(time);
            seen[method] = n_seen;
        };
        let count = |query: &Query, sees: &dyn Fn(Column) -> bool| {
            query.others.iter().filter(|to| sees(**to)).count()
        };
        take(0, &mut |query| {
            count(query, &|to| board.has_line_of_sight(query.eye, to))
        });
        take(1, &mut |query| {
            visible.compute(&rooms, query.eye, RADIUS);
            count(query, &|to| {
                visible.may_see(&rooms, to) && board.has_line_of_sight(query.eye, to)
            })
        });
        take(2, &mut |query| {
            fov.compute(&board, query.eye, RADIUS);
            count(query, &|to| fov.contains(to))
        });
        take(3, &mut |query| count(query, &|to| sees_over(query.eye, to)));
        take(4, &mut |query| {
            visible.compute(&rooms, query.eye, RADIUS);
            count(query, &|to| {
                visible.may_see(&rooms, to) && sees_over(query.eye, to)
            })
        });
        for query in &queries {
            visible.compute(&rooms, query.eye, RADIUS);
            n_lines += count(query, &|to| visible.may_see(&rooms, to));
        }
    }
    let per_eye = |method: usize| best[method] / N_EYES as f64 / 1e3;
    IndoorsRow {
        world: name,
        rooms: rooms.len(),
        build_us: build_ns / 1e3,
        candidates,
        lines: N_EYES * candidates,
        lines_with_rooms: n_lines,
        seen: seen[0],
        lines_us: per_eye(0),
        rooms_us: per_eye(1),
        field_of_view_us: per_eye(2),
        over_ground_us: per_eye(3),
        over_ground_with_rooms_us: per_eye(4),
        wrong: seen.iter().filter(|other| **other != seen[0]).count(),
    }
}
