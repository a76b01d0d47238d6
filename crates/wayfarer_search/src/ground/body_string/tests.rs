use wayfarer_base::{GroundEdit, Profile, Raster, Rng, Wall, WallSide};
use wayfarer_world::ground::Ground;

use super::swept_body::row;
use super::*;
use crate::ground::{GroundRequest, PathSearcher};

fn point(x: f64, y: f64) -> Point2 {
    let fixed = |at| Fixed::from_cells(at).unwrap();
    Point2::new(fixed(x), fixed(y))
}

fn ground(rows: &[&str]) -> Ground {
    let bytes = rows.iter().flat_map(|row| row.bytes());
    let bytes: Vec<u8> = bytes
        .map(|byte| if byte == b'#' { 255 } else { 0 })
        .collect();
    let (width, height) = (rows[0].len(), rows.len());
    let size = |at: usize| u32::try_from(at).unwrap();
    Ground::from_raster(&Raster::from_bytes(size(width), size(height), bytes).unwrap())
}

#[test]
fn a_segment_is_clear_only_if_the_whole_disc_is() {
    let ground = ground(&[
        "......", //
        "..#...", //
        "......", //
    ]);
    let check = |from: (f64, f64), to: (f64, f64), expected: bool| {
        let from = (point(from.0, from.1), 0);
        let found = is_clear_for_body((&ground).into(), from, (point(to.0, to.1), 0));
        assert_eq!(found, expected, "{from:?} {to:?}");
    };
    check((0.5, 0.5), (5.5, 0.5), true);
    check((0.5, 0.5), (1.5, 2.5), true);
    // The line passes the corner of the wall nearer than half a cell.
    check((0.5, 0.5), (5.5, 2.5), false);
    check((0.5, 0.75), (5.5, 0.75), false);
    check((5.5, 0.5), (4.5, 2.5), true);
}

#[test]
fn a_thin_wall_under_the_disc_blocks_the_segment() {
    let mut ground = ground(&["......", "......", "......"]);
    let wall = Wall {
        cell: Cell::flat(2, 1),
        side: WallSide::East,
    };
    ground.apply(&[GroundEdit::PutWall(wall)]).unwrap();
    let clear = |y: f64| {
        let (from, to) = (point(0.5, y), point(5.5, y));
        is_clear_for_body((&ground).into(), (from, 0), (to, 0))
    };
    assert!(clear(0.5));
    assert!(!clear(0.75));
    assert!(!clear(1.5));
}

#[test]
fn a_thin_wall_under_a_wide_disc_blocks_the_segment() {
    let mut ground = ground(&["........"; 8]);
    let wide = Profile {
        radius: Fixed::from_raw(384),
        ..Profile::DEFAULT
    };
    let id = ground.register_profile(wide).unwrap();
    let is_clear = |ground: &Ground| {
        let nav_graph = NavGraph::new(ground, Some(id)).unwrap();
        is_clear_for_body(nav_graph, (point(2.5, 3.5), 0), (point(5.5, 3.5), 0))
    };
    assert!(is_clear(&ground));
    for (x, y, side) in [(4, 2, WallSide::East), (3, 3, WallSide::South)] {
        let cell = Cell::flat(x, y);
        let wall = Wall { cell, side };
        ground.apply(&[GroundEdit::PutWall(wall)]).unwrap();
        assert!(!is_clear(&ground), "{wall:?}");
        ground.apply(&[GroundEdit::RemoveWall(wall)]).unwrap();
    }
    assert!(is_clear(&ground));
}

/// The independent test: samples along the segment, each against the squares of blocked columns.
fn is_free(ground: &Ground, from: Point2, to: Point2, radius: i64) -> bool {
    let raw = |at: Point2| (i64::from(at.x.raw()), i64::from(at.y.raw()));
    let ((ax, ay), (bx, by)) = (raw(from), raw(to));
    let n = ((bx - ax).abs().max((by - ay).abs()) / 8).max(1);
    (0..=n).all(|part| {
        let (x, y) = (ax + (bx - ax) * part / n, ay + (by - ay) * part / n);
        let columns = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy)));
        columns.into_iter().all(|(dx, dy): (i64, i64)| {
            let column = Column::new(row(x + dx * 256), row(y + dy * 256));
            let (low_x, low_y) = (i64::from(column.x) * 256, i64::from(column.y) * 256);
            let off_x = x - x.clamp(low_x, low_x + 256);
            let off_y = y - y.clamp(low_y, low_y + 256);
            let is_near = off_x * off_x + off_y * off_y < (radius - 2) * (radius - 2);
            !is_near || ground.node(column.at(0)).is_some()
        })
    })
}

#[test]
fn no_pulled_path_clips_a_wall_for_the_body() {
    let mut rng = Rng::new(7);
    let mut n_pulled = 0;
    for _ in 0..60 {
        let cells: Vec<u8> = (0..24 * 24)
            .map(|_| if rng.chance(1, 5) { 255 } else { 0 })
            .collect();
        let ground = Ground::from_raster(&Raster::from_bytes(24, 24, cells).unwrap());
        for _ in 0..20 {
            let mut at = || {
                (
                    rng.between(0, 23),
                    rng.between(0, 23),
                    rng.between(0, 255),
                    rng.between(0, 255),
                )
            };
            let (a, b) = (at(), at());
            let (from, to) = (Cell::flat(a.0, a.1), Cell::flat(b.0, b.1));
            if ground.node(from).is_none() || ground.node(to).is_none() {
                continue;
            }
            let found = PathSearcher::default().find(&ground, &GroundRequest::new(from, to));
            let Some(path) = found.unwrap().found() else {
                continue;
            };
            let inner = |cell: Cell, x: i32, y: i32| {
                let raw = |at: i32, by: i32| Fixed::from_raw(at * 256 + by);
                Point2::new(raw(cell.x, x), raw(cell.y, y))
            };
            let ends = (inner(from, a.2, a.3), inner(to, b.2, b.3));
            let waypoints = body_waypoints((&ground).into(), &path, ends, true);
            assert_eq!(waypoints.first().map(|at| at.at), Some(ends.0));
            assert_eq!(waypoints.last().map(|at| at.at), Some(ends.1));
            let radius = i64::from(Profile::DEFAULT.radius.raw());
            // A given point may stand too near to a wall; all between centers must be free.
            let centers = &waypoints[1..waypoints.len() - 1];
            for pair in centers.windows(2) {
                assert!(is_free(&ground, pair[0].at, pair[1].at, radius), "{pair:?}");
            }
            n_pulled += usize::from(waypoints.len() < path.cells.len());
        }
    }
    assert!(n_pulled > 200, "{n_pulled}");
}

#[test]
fn ends_beside_a_corner_are_left_and_reached_around_it() {
    // Both the start and the center of its cell are free for the disc, the line between them is not.
    let mut ground = ground(&[".....", ".....", "...#.", ".....", "....."]);
    let wide = Profile {
        radius: Fixed::from_raw(179),
        ..Profile::DEFAULT
    };
    let id = ground.register_profile(wide).unwrap();
    let nav_graph = NavGraph::new(&ground, Some(id)).unwrap();
    let (near, center) = (point(2.96, 3.74), point(2.5, 3.5));
    let (near_corner, away) = ((near, 0), (center, 0));
    assert!(is_clear_for_body(nav_graph, near_corner, near_corner));
    assert!(is_clear_for_body(nav_graph, away, away));
    assert!(!is_clear_for_body(nav_graph, near_corner, away));
    for is_leaving in [true, false] {
        let mut cells = [Cell::flat(2, 3), Cell::flat(1, 2), Cell::flat(1, 1)];
        let mut ends = (near, point(1.5, 1.5));
        if !is_leaving {
            cells.reverse();
            ends = (ends.1, ends.0);
        }
        let path = GroundPath::from_cells(nav_graph, &cells).unwrap();
        for is_pulled in [true, false] {
            let waypoints = body_waypoints(nav_graph, &path, ends, is_pulled);
            let found = (waypoints[0].at, waypoints[waypoints.len() - 1].at);
            assert_eq!(found, ends);
            for pair in waypoints.windows(2) {
                assert!(is_free(&ground, pair[0].at, pair[1].at, 179), "{pair:?}");
            }
        }
    }
}

#[test]
fn free_ends_are_left_and_reached_without_touching_a_wall() {
    let mut rng = Rng::new(23);
    let mut n_tested = [0; 4];
    for round in 0..160 {
        let share = [5, 7, 10, 14][round % 4];
        let cells: Vec<u8> = (0..24 * 24)
            .map(|_| if rng.chance(1, share) { 255 } else { 0 })
            .collect();
        let mut ground = Ground::from_raster(&Raster::from_bytes(24, 24, cells).unwrap());
        for (index, raw) in [115, 179, 230, 300].into_iter().enumerate() {
            let profile = Profile {
                radius: Fixed::from_raw(raw),
                ..Profile::DEFAULT
            };
            let id = ground.register_profile(profile).unwrap();
            for _ in 0..20 {
                let mut at = || {
                    let raw = |rng: &mut Rng| Fixed::from_raw(rng.between(0, 24 * 256 - 1));
                    Point2::new(raw(&mut rng), raw(&mut rng))
                };
                let ends = (at(), at());
                let radius = i64::from(raw);
                if ![ends.0, ends.1]
                    .iter()
                    .all(|at| is_free(&ground, *at, *at, radius + 2))
                {
                    continue;
                }
                let request = GroundRequest {
                    profile_id: Some(id),
                    ..GroundRequest::new(ends.0.column().at(0), ends.1.column().at(0))
                };
                let found = PathSearcher::default().find(&ground, &request);
                let Some(path) = found.ok().and_then(|found| found.found()) else {
                    continue;
                };
                let nav_graph = NavGraph::new(&ground, Some(id)).unwrap();
                let waypoints = body_waypoints(nav_graph, &path, ends, true);
                for pair in waypoints.windows(2) {
                    assert!(
                        is_free(&ground, pair[0].at, pair[1].at, radius),
                        "{raw}: {pair:?}"
                    );
                }
                n_tested[index] += 1;
            }
        }
    }
    assert!(n_tested.iter().all(|n| *n > 50), "{n_tested:?}");
}

#[test]
fn a_string_stays_on_its_floors_where_the_line_is_clear_on_another() {
    // A roof over a hall, and stairs at its east end: the line from the west of the roof to the west
    // of the hall is clear on the roof, but ends above the hall.
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let floor = |x: i32, y: i32, z: i32| GroundEdit::PutCell {
        cell: Cell::new(x, y, z),
        terrain: wayfarer_base::Terrain::GROUND,
    };
    let mut edits = Vec::new();
    for y in 0..3 {
        for x in 0..10 {
            edits.extend([floor(x, y, 4), floor(x, y, 0)]);
        }
        edits.extend([
            floor(10, y, 3),
            floor(11, y, 2),
            floor(12, y, 1),
            floor(13, y, 0),
        ]);
    }
    // The row in the south leads back below, beside the stairs.
    for x in 9..14 {
        edits.push(floor(x, 3, 0));
    }
    ground.apply(&edits).unwrap();
    let nav_graph: NavGraph<'_> = (&ground).into();
    let (from, to) = (Cell::new(1, 1, 4), Cell::new(8, 1, 0));
    let request = GroundRequest::new(from, to);
    let path = PathSearcher::default().find(&ground, &request).unwrap();
    let path = path.found().unwrap();
    let ends = (point(1.5, 1.5), point(8.5, 1.5));
    let waypoints = body_waypoints(nav_graph, &path, ends, true);
    assert!(waypoints.len() > 2, "{waypoints:?}");
    for pair in waypoints.windows(2) {
        let (a, b) = ((pair[0].at, pair[0].z), (pair[1].at, pair[1].z));
        let cells = [a, b].map(|(at, z)| at.column().at(z));
        let is_step = GroundPath::from_cells(nav_graph, &cells).is_some();
        assert!(is_step || is_clear_for_body(nav_graph, a, b), "{pair:?}");
    }
    assert!(!is_clear_for_body(nav_graph, (ends.0, 4), (ends.1, 0)));
    assert!(is_clear_for_body(nav_graph, (ends.0, 4), (ends.1, 4)));
}

/// A world of 40 x 40 columns: open ground with holes, and in some of its sectors a step up, a roof, a
/// thin wall or swamp.
fn mixed_ground(rng: &mut Rng) -> Ground {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let mut edits = Vec::new();
    let share = [0, 20, 60][rng.below(3) as usize];
    for (x, y) in (0..40).flat_map(|y| (0..40).map(move |x| (x, y))) {
        if !rng.chance(share, 1_000) {
            let cell = Cell::new(x, y, 0);
            let terrain = wayfarer_base::Terrain::GROUND;
            edits.push(GroundEdit::PutCell { cell, terrain });
        }
    }
    for _ in 0..rng.below(4) {
        let (x, y) = (rng.between(0, 36), rng.between(0, 36));
        let cell = Cell::new(x, y, 0);
        match rng.below(3) {
            0 => {
                let z = [1, 1, 5][rng.below(3) as usize];
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let cell = Cell::new(x + dx, y + dy, z);
                    let terrain = wayfarer_base::Terrain::GROUND;
                    edits.push(GroundEdit::PutCell { cell, terrain });
                }
            }
            1 => edits.push(GroundEdit::PutWall(Wall {
                cell,
                side: WallSide::East,
            })),
            _ => {
                let size = rng.between(0, 39 - x.max(y));
                for (dx, dy) in (0..=size).flat_map(|dy| (0..=size).map(move |dx| (dx, dy))) {
                    edits.push(GroundEdit::PutCell {
                        cell: Cell::new(x + dx, y + dy, 0),
                        terrain: wayfarer_base::Terrain::SWAMP,
                    });
                }
            }
        }
    }
    ground.apply(&edits).unwrap();
    ground
}

#[test]
fn rows_of_bits_tell_what_floors_one_by_one_do() {
    let mut rng = Rng::new(11);
    let (mut n_surely, mut n_decided, mut n_wide, mut n_costly) = (0, [0; 2], [0; 2], 0);
    for _ in 0..80 {
        let mut ground = mixed_ground(&mut rng);
        let narrow = Profile {
            radius: Fixed::from_raw(100),
            terrain_costs: vec![(
                wayfarer_base::Terrain::SWAMP,
                CostMultiplier::from_sixteenths(48).unwrap(),
            )],
            ..Profile::DEFAULT
        };
        let wide = [200, 256, 384].map(|radius| Profile {
            radius: Fixed::from_raw(radius),
            ..narrow.clone()
        });
        let narrow = ground.register_profile(narrow).unwrap();
        let wide = wide.map(|wide| ground.register_profile(wide).unwrap());
        for round in 0..300 {
            let profiles = [None, Some(narrow), Some(wide[round % 3])];
            let profile_id = profiles[round / 3 % 3];
            let nav_graph = NavGraph::new(&ground, profile_id).unwrap();
            let mut at = || {
                let raw = |rng: &mut Rng| Fixed::from_raw(rng.between(0, 40 * 256 - 1));
                (Point2::new(raw(&mut rng), raw(&mut rng)), rng.between(0, 1))
            };
            let ((from, z), (to, to_z)) = (at(), at());
            let Some(start) = nav_graph.floor_at(from.column(), z) else {
                continue;
            };
            let body = || SweptBody::new(from, to, nav_graph.profile().radius);
            let (start, to) = ((start, from.column()), to.column().at(to_z));
            let expected = is_clear_by_floors(nav_graph, body(), start, to);
            if bit_rows::is_surely_blocked(nav_graph, &body(), start) {
                assert!(!expected, "{from:?} {z} {to:?}");
                n_surely += 1;
            }
            if let Some(found) = bit_rows::is_clear(nav_graph, &body(), start, to) {
                assert_eq!(found, expected, "{from:?} {z} {to:?}");
                n_decided[usize::from(found)] += 1;
                n_wide[usize::from(found)] += usize::from(round / 3 % 3 == 2);
                n_costly +=
                    usize::from(found && nav_graph.cost_multiplier(start.0) != CostMultiplier::ONE);
            }
        }
    }
    assert!(n_decided.iter().all(|n| *n > 300), "{n_decided:?}");
    assert!(n_wide.iter().all(|n| *n > 50), "{n_wide:?}");
    assert!(n_costly > 5, "{n_costly}");
    assert!(n_surely > 1_000, "{n_surely}");
}

#[test]
fn the_farthest_corner_in_sight_is_that_of_a_scan_with_fewer_looks() {
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let n_corners = 2 + rng.below(60) as usize;
        let is_seen: Vec<bool> = (0..n_corners).map(|_| rng.chance(1, 5)).collect();
        let (mut farthest, mut next, mut n_scanned) = (1, 2, 0);
        while next < n_corners && next <= farthest + LOOKAHEAD {
            n_scanned += 1;
            if is_seen[next] {
                farthest = next;
            }
            next += 1;
        }
        let mut looks = Vec::new();
        let found = farthest_in_sight((1, n_corners), |at| {
            looks.push(at);
            is_seen[at]
        });
        assert_eq!(found, farthest, "{is_seen:?}");
        assert!(looks.len() <= n_scanned);
        let n_looks = looks.len();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!(looks.len(), n_looks, "a corner is looked at once");
    }
}

#[test]
fn waypoints_count_more_where_the_ground_has_thin_walls() {
    let rows = [".".repeat(40), ".".repeat(40)];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut ground = ground(&rows);
    let mut work = |wall: Option<Wall>| {
        if let Some(wall) = wall {
            ground.apply(&[GroundEdit::PutWall(wall)]).unwrap();
        }
        let request = GroundRequest::new(Cell::flat(0, 0), Cell::flat(39, 0));
        let found = PathSearcher::default().find(&ground, &request);
        waypoint_work((&ground).into(), &found.unwrap().found().unwrap())
    };
    assert_eq!(work(None), 40);
    let wall = Wall {
        cell: Cell::flat(20, 1),
        side: WallSide::East,
    };
    assert_eq!(
        work(Some(wall)),
        24 + 4 * 16,
        "columns 16 to 31 share a sector"
    );
}
