//! Lines over floors, walls and bodies against sampled and exact references.

use wayfarer_base::{Cost, Fixed, GroundEdit, LinkDirection, NavLink, Profile, Rect, Rng, Terrain};
use wayfarer_testkit::sight as reference;
use wayfarer_world::bodies::{Body, BodyFilter, BodySet, BodyShape, Contacts};

use super::super::{OpacityGrid, Visibility, cover_points, is_clear_of_bodies, visibility};
use super::*;

fn at(x: i32, y: i32, z: i32) -> Point3 {
    Point3 {
        x: Fixed::from_raw(256 * x + 128),
        y: Fixed::from_raw(256 * y + 128),
        z: Fixed::from_raw(z),
    }
}

fn ground_of(floors: impl IntoIterator<Item = (i32, i32, i32)>) -> Ground {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let edits: Vec<GroundEdit> = floors
        .into_iter()
        .map(|(x, y, z)| GroundEdit::PutCell {
            cell: Column::new(x, y).at(z),
            terrain: Terrain::GROUND,
        })
        .collect();
    ground.apply(&edits).unwrap();
    ground
}

fn sight_over(ground: &Ground) -> GroundVisibility<'_> {
    GroundVisibility {
        ground,
        rules: OcclusionRules::default(),
    }
}

/// Tests 4,001 points of the line; `None` where the samples are ambiguous.
fn by_sampling(ground: &Ground, from: Point3, to: Point3) -> Option<bool> {
    let part = |a: Fixed, b: Fixed, t: f64| {
        f64::from(a.raw()) + t * (f64::from(b.raw()) - f64::from(a.raw()))
    };
    let mut level: Option<(Column, usize)> = None;
    let mut is_close = false;
    for step in 0..=4_000 {
        let t = f64::from(step) / 4_000.0;
        let (x, y) = (part(from.x, to.x, t) / 256.0, part(from.y, to.y, t) / 256.0);
        let z = part(from.z, to.z, t) / 256.0;
        let edge = |at: f64| (at - at.round()).abs() < 0.01;
        is_close |= edge(x) && edge(y);
        #[expect(clippy::cast_possible_truncation, reason = "small worlds")]
        let column = |x: f64, y: f64| Column::new(x.floor() as i32, y.floor() as i32);
        if edge(x) || edge(y) {
            level = None;
            // A floor crossed this close to an edge makes the samples ambiguous.
            for (dx, dy) in [(-0.02, -0.02), (0.02, -0.02), (0.02, 0.02), (-0.02, 0.02)] {
                let mut floors = ground.floors(column(x + dx, y + dy));
                is_close |= floors.any(|(floor, _)| (f64::from(floor) - z).abs() < 0.15);
            }
            continue;
        }
        let column = column(x, y);
        let floors: Vec<f64> = ground.floors(column).map(|(z, _)| f64::from(z)).collect();
        let below = floors.iter().filter(|floor| **floor <= z).count();
        if below == 0 {
            return (!is_close).then_some(false);
        }
        if level.is_some_and(|(known, n)| known == column && n != below) {
            return (!is_close).then_some(false);
        }
        level = Some((column, below));
    }
    (!is_close).then_some(true)
}

#[test]
fn lines_over_hills_and_between_floors_equal_a_sampled_reference() {
    let mut rng = Rng::new(77);
    let (mut n_seen, mut n_blocked) = (0, 0);
    for _ in 0..30 {
        let mut floors = Vec::new();
        for y in 0..7 {
            for x in 0..7 {
                floors.push((x, y, rng.between(0, 3)));
                if rng.chance(1, 4) {
                    floors.push((x, y, rng.between(6, 8)));
                }
            }
        }
        let ground = ground_of(floors);
        let sight = sight_over(&ground);
        for _ in 0..60 {
            let mut point = || {
                let (x, y) = (rng.between(0, 6), rng.between(0, 6));
                at(x, y, 256 * rng.between(1, 9) + rng.between(100, 200))
            };
            let (from, to) = (point(), point());
            let seen = sight.is_clear(from, to);
            assert_eq!(sight.is_clear(to, from), seen, "{to:?} {from:?}");
            if let Some(expected) = by_sampling(&ground, from, to) {
                assert_eq!(seen, expected, "{from:?} {to:?}");
                n_seen += usize::from(expected);
                n_blocked += usize::from(!expected);
            }
        }
    }
    assert!(n_seen > 150 && n_blocked > 150, "{n_seen} {n_blocked}");
}

#[test]
fn a_low_wall_occludes_the_feet_and_not_the_head() {
    let low_wall = [(0, 0, 0), (1, 0, 0), (2, 0, 1), (3, 0, 0), (4, 0, 0)];
    let side = |y: i32| low_wall.map(|(x, _, z)| (x, y, z));
    let ground = ground_of([side(-1), side(0), side(1)].concat());
    let sight = sight_over(&ground);
    let center = Point2::center_of(Column::new(4, 0)).unwrap();
    let (feet, top) = (Fixed::from_raw(0), Fixed::from_raw(2 * 256));
    let half = Fixed::from_raw(100);
    let crouched = visibility(&sight, at(0, 0, 200), center, half, (feet, top));
    let upright = visibility(&sight, at(0, 0, 2 * 256), center, half, (feet, top));
    assert_eq!(crouched, Visibility { n_seen: 3 });
    assert!(upright > crouched && !upright.is_whole());
}

#[test]
fn a_body_occludes_lines_below_its_top() {
    let mut bodies = BodySet::new(Fixed::from_raw(256));
    let flat = |x: i32| Point2::center_of(Column::new(x, 0)).unwrap();
    let body = |x: i32, height: i32| Body {
        shape: BodyShape::Disc {
            radius: Fixed::from_raw(100),
        },
        height: Fixed::from_raw(256 * height),
        ..Body::at(flat(x))
    };
    let archer = bodies.register(&body(0, 2)).unwrap();
    let troll = bodies.register(&body(5, 3)).unwrap();
    let target = bodies.register(&body(9, 2)).unwrap();
    let mut contacts = Contacts::default();
    let mut is_clear = |z: i32, excluded: &[_]| {
        let line = (at(0, 0, z), at(9, 0, z));
        is_clear_of_bodies(&bodies, line, &BodyFilter::ALL, excluded, &mut contacts).unwrap()
    };
    assert!(!is_clear(400, &[archer, target]));
    assert!(is_clear(400, &[archer, target, troll]));
    assert!(is_clear(900, &[archer, target])); // over its head
    assert!(!is_clear(400, &[]));
}

#[test]
fn cover_points_are_hidden_and_next_to_an_occluder() {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(20, 20),
    };
    let mut grid = OpacityGrid::open(rect);
    for y in 8..=12 {
        grid.set_opaque(Column::new(10, y), true);
    }
    let threat = Column::new(18, 10);
    let points = cover_points(&grid, &[threat], Column::new(9, 10), 6);
    assert_eq!(points[0].column, Column::new(9, 10));
    for point in &points {
        assert!(!grid.has_line_of_sight(threat, point.column));
        if let Some(peek) = point.peek {
            assert!(grid.has_line_of_sight(threat, peek));
        }
    }
    assert!(points.iter().any(|point| point.peek.is_some()));
    // The radius is clipped to the grid.
    let all = cover_points(&grid, &[threat], Column::new(9, 10), i32::MAX);
    assert!(all.len() > points.len() && all[..3] == points[..3]);
    assert!(cover_points(&grid, &[threat], Column::new(9, 10), i32::MIN).is_empty());
}

/// A small world with thin walls, some of them doors, and some columns without a floor.
fn walled(rng: &mut Rng, side: i32, walls: u32, rock: u32) -> Ground {
    let mut edits = Vec::new();
    for column in square(side).columns() {
        if rng.chance(rock, 100) {
            continue;
        }
        let cell = column.at(0);
        edits.push(GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        });
        for side in [WallSide::East, WallSide::South] {
            if rng.chance(walls, 100) {
                edits.push(GroundEdit::PutWall(Wall { cell, side }));
            }
            let next = column.step(side.direction()).unwrap();
            if rng.chance(walls, 300) {
                edits.push(GroundEdit::PutNavLink(NavLink {
                    from: cell,
                    to: next.at(0),
                    kind: NavLinkKind::Door,
                    direction: LinkDirection::Bidirectional,
                    cost: Cost::from_cells(1.0),
                    state: if rng.chance(1, 2) {
                        LinkState::Open
                    } else {
                        LinkState::Closed
                    },
                }));
            }
        }
    }
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    for edit in edits {
        // A door to a column without a floor is rejected.
        let is_door = matches!(edit, GroundEdit::PutNavLink(_));
        assert!(ground.apply(&[edit]).is_ok() || is_door);
    }
    ground
}

fn square(side: i32) -> Rect {
    Rect {
        low: Column::new(0, 0),
        high: Column::new(side - 1, side - 1),
    }
}

/// Whether thin walls leave a line clear, by definition: the squares that touch its start are
/// connected to those that touch its end over edges that the line touches and no wall blocks.
fn are_walls_clear(sight: &GroundVisibility<'_>, from: Point2, to: Point2) -> bool {
    let touched = reference::columns(from, to, reference::LineCoverage::Closed);
    let touches = |point: Point2, column: Column| {
        reference::covers_column(point, point, column, reference::LineCoverage::Closed)
    };
    let mut reached: Vec<Column> = touched
        .iter()
        .copied()
        .filter(|column| touches(from, *column))
        .collect();
    let mut next = 0;
    while let Some(&here) = reached.get(next) {
        next += 1;
        for &there in &touched {
            let (x, y) = (there.x - here.x, there.y - here.y);
            if x.abs() + y.abs() != 1 || reached.contains(&there) {
                continue;
            }
            // The edge between the two.
            let (low, side) = match (x, y) {
                (1, 0) => (here, WallSide::East),
                (-1, 0) => (there, WallSide::East),
                (0, 1) => (here, WallSide::South),
                _ => (there, WallSide::South),
            };
            if touches_edge(from, to, low, side)
                && !sight.is_edge_blocked(low.x, low.y, side, 100.0)
            {
                reached.push(there);
            }
        }
    }
    reached.iter().any(|column| touches(to, *column))
}

/// True if a line and an edge, both closed, intersect.
fn touches_edge(from: Point2, to: Point2, column: Column, side: WallSide) -> bool {
    let raw = |point: Point2| (i64::from(point.x.raw()), i64::from(point.y.raw()));
    let corner = |x: i32, y: i32| (i64::from(x) * 256, i64::from(y) * 256);
    let far = corner(column.x + 1, column.y + 1);
    let near = match side {
        WallSide::East => corner(column.x + 1, column.y),
        WallSide::South => corner(column.x, column.y + 1),
    };
    let orientation = |a: (i64, i64), b: (i64, i64), c: (i64, i64)| {
        ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum()
    };
    let (a, b) = (raw(from), raw(to));
    let overlap = |a: i64, b: i64, c: i64, d: i64| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
    overlap(a.0, b.0, near.0, far.0)
        && overlap(a.1, b.1, near.1, far.1)
        && orientation(a, b, near) * orientation(a, b, far) <= 0
        && orientation(near, far, a) * orientation(near, far, b) <= 0
}

/// Whether columns without a floor leave a line clear: it covers none, and runs between no two.
fn are_columns_clear(ground: &Ground, from: Point2, to: Point2) -> bool {
    let is_rock = |column: Column| ground.floors(column).next().is_none();
    if !reference::has_line_of_sight(from, to, reference::LineCoverage::Interior, is_rock) {
        return false;
    }
    // Split at grid lines: every piece needs one clear adjacent column.
    let mut cuts = vec![0.0, 1.0];
    for (a, b) in [(from.x.raw(), to.x.raw()), (from.y.raw(), to.y.raw())] {
        for line in a.min(b).div_euclid(256)..=a.max(b).div_euclid(256) {
            if a != b {
                let time = f64::from(line * 256 - a) / f64::from(b - a);
                cuts.push(time.clamp(0.0, 1.0));
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    cuts.windows(2).all(|piece| {
        if piece[1] - piece[0] < 1e-9 && from != to {
            return true;
        }
        let midpoint = f64::midpoint(piece[0], piece[1]);
        let near = |a: Fixed, b: Fixed| {
            let at = f64::from(a.raw()) + midpoint * (f64::from(b.raw()) - f64::from(a.raw()));
            let at = at / 256.0;
            let is_edge = (at - at.round()).abs() < 1e-6;
            #[expect(clippy::cast_possible_truncation, reason = "small worlds")]
            let whole = |at: f64| at.floor() as i32;
            if is_edge {
                vec![whole(at.round()) - 1, whole(at.round())]
            } else {
                vec![whole(at)]
            }
        };
        let columns = near(from.x, to.x);
        let rows = near(from.y, to.y);
        rows.iter()
            .any(|y| columns.iter().any(|x| !is_rock(Column::new(*x, *y))))
    })
}

#[test]
fn walls_block_every_line_without_a_path_arbitrarily_close_to_it() {
    let side = 6;
    let (mut n_seen, mut n_blocked, mut n_along) = (0, 0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let walls = [0, 10, 30, 60][rng.below(4) as usize];
        let rock = [0, 10, 40][rng.below(3) as usize];
        let ground = walled(&mut rng, side, walls, rock);
        let sight = sight_over(&ground);
        for round in 0..200 {
            let grain = [256, 128, 64, 1][round % 4];
            let mut part = || Fixed::from_raw(rng.between(0, side * 256 / grain) * grain);
            let (from, to) = (Point2::new(part(), part()), Point2::new(part(), part()));
            let horizontal = Point2::new(to.x, from.y);
            let vertical = Point2::new(from.x, to.y);
            for to in [to, horizontal, vertical, from] {
                let high = |point: Point2| Point3 {
                    x: point.x,
                    y: point.y,
                    z: Fixed::from_raw(100),
                };
                let expected =
                    are_columns_clear(&ground, from, to) && are_walls_clear(&sight, from, to);
                let seen = sight.is_clear(high(from), high(to));
                assert_eq!(seen, expected, "seed {seed}: {from} to {to}");
                assert_eq!(sight.is_clear(high(to), high(from)), seen, "{to} to {from}");
                let on_line = |at: Fixed| at.raw() % 256 == 0;
                let is_along =
                    from.x == to.x && on_line(from.x) || from.y == to.y && on_line(from.y);
                n_along += usize::from(is_along && !seen);
                n_seen += usize::from(seen);
                n_blocked += usize::from(!seen);
            }
        }
    }
    assert!(
        n_seen > 9_000 && n_blocked > 9_000 && n_along > 1_000,
        "{n_seen} {n_blocked} {n_along}"
    );
}

#[test]
fn a_wall_across_a_line_along_the_grid_blocks_it() {
    let mut ground = ground_of((0..4).flat_map(|x| (0..4).map(move |y| (x, y, 0))));
    let wall = |x: i32| {
        GroundEdit::PutWall(Wall {
            cell: Column::new(x, 1).at(0),
            side: WallSide::South,
        })
    };
    let point = |y: i32| Point3 {
        x: Fixed::from_raw(512),
        y: Fixed::from_raw(y),
        z: Fixed::from_raw(100),
    };
    ground.apply(&[wall(1)]).unwrap();
    assert!(sight_over(&ground).is_clear(point(128), point(900))); // past its end
    ground.apply(&[wall(2)]).unwrap();
    assert!(!sight_over(&ground).is_clear(point(128), point(900)));
    assert!(sight_over(&ground).is_clear(point(512), point(900))); // from the wall itself
}

#[test]
fn a_line_along_a_wall_changes_sides_where_it_is_above_the_wall() {
    // A long wall along x = 2; a wall across blocks its west side at y = 1, its east side at y = 3.
    let mut ground = ground_of((0..4).flat_map(|x| (0..5).map(move |y| (x, y, 0))));
    let wall = |x: i32, y: i32, side: WallSide| {
        GroundEdit::PutWall(Wall {
            cell: Column::new(x, y).at(0),
            side,
        })
    };
    let mut edits: Vec<GroundEdit> = (0..5).map(|y| wall(1, y, WallSide::East)).collect();
    edits.extend([wall(1, 0, WallSide::South), wall(2, 2, WallSide::South)]);
    ground.apply(&edits).unwrap();
    let sight = sight_over(&ground);
    let point = |y: i32, z: i32| Point3 {
        x: Fixed::from_raw(512),
        y: Fixed::from_raw(y),
        z: Fixed::from_raw(z),
    };
    assert!(!sight.is_clear(point(100, 100), point(1_000, 100)));
    assert!(!sight.is_clear(point(100, 0), point(1_000, 760)));
    // Walls are three steps high: over both of them, or over the first only.
    assert!(sight.is_clear(point(100, 770), point(1_000, 770)));
    assert!(sight.is_clear(point(100, 1_500), point(1_000, 100)));
    for (a, b) in [
        (point(100, 770), point(1_000, 0)),
        (point(300, 0), point(900, 999)),
    ] {
        assert_eq!(sight.is_clear(a, b), sight.is_clear(b, a));
    }
}

#[test]
fn occlusion_by_bodies_is_symmetric() {
    let mut rng = Rng::new(14);
    let mut contacts = Contacts::default();
    let (mut n_clear, mut n_hidden) = (0, 0);
    for _ in 0..60 {
        let mut bodies = BodySet::new(Fixed::from_raw(256));
        for _ in 0..12 {
            let mut length = |max: i32| Fixed::from_raw(rng.between(0, max));
            let (x, y, half_x, half_y) = (length(2_000), length(2_000), length(300), length(300));
            let height = length(400);
            let outline = if rng.chance(1, 2) {
                BodyShape::Disc { radius: half_x }
            } else {
                BodyShape::Box { half_x, half_y }
            };
            let body = Body {
                shape: outline,
                height,
                ..Body::at(Point2::new(x, y))
            };
            bodies.register(&body).unwrap();
        }
        for _ in 0..200 {
            let mut point = || {
                let mut coordinate = |max: i32| Fixed::from_raw(10 * rng.between(0, max / 10));
                Point3 {
                    x: coordinate(2_000),
                    y: coordinate(2_000),
                    z: coordinate(600),
                }
            };
            let (from, to) = (point(), point());
            let mut is_clear = |line| {
                is_clear_of_bodies(&bodies, line, &BodyFilter::ALL, &[], &mut contacts).unwrap()
            };
            let seen = is_clear((from, to));
            assert_eq!(is_clear((to, from)), seen, "{from:?} {to:?}");
            n_clear += usize::from(seen);
            n_hidden += usize::from(!seen);
        }
    }
    assert!(n_clear > 1_000 && n_hidden > 1_000, "{n_clear} {n_hidden}");
}

/// A time on a line as a fraction with a positive denominator.
type Fraction = (i128, i128);

fn is_before(a: Fraction, b: Fraction) -> bool {
    a.0 * b.1 < b.0 * a.1
}

/// The rules in integer arithmetic; `None` for lines through corners. Not for lines along edges.
fn by_integers(sight: &GroundVisibility<'_>, a: Point3, b: Point3) -> Option<bool> {
    let raw = |point: Point3| [point.x, point.y, point.z].map(|at| i128::from(at.raw()));
    let (a, b) = (raw(a), raw(b));
    let by = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    // The height at a time, times the denominator.
    let height = |at: Fraction| a[2] * at.1 + by[2] * at.0;
    let crossing = |axis: usize, line: i128| {
        let sign = by[axis].signum();
        ((line * 256 - a[axis]) * sign, by[axis] * sign)
    };
    let cells = |axis: usize| {
        let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
        low.div_euclid(256)..=(high - 1).max(low).div_euclid(256)
    };
    let whole = |at: i128| i32::try_from(at).unwrap();
    let is_within = |at: Fraction| is_before((0, 1), at) && is_before(at, (1, 1));
    for y in cells(1) {
        for x in cells(0) {
            let (mut enter, mut leave): (Fraction, Fraction) = ((0, 1), (1, 1));
            let mut is_beside = false;
            for (axis, cell) in [x, y].into_iter().enumerate() {
                if by[axis] == 0 {
                    is_beside |= a[axis].div_euclid(256) != cell || a[axis] % 256 == 0;
                    continue;
                }
                let (one, other) = (crossing(axis, cell), crossing(axis, cell + 1));
                let (first, last) = if by[axis] > 0 {
                    (one, other)
                } else {
                    (other, one)
                };
                enter = if is_before(enter, first) {
                    first
                } else {
                    enter
                };
                leave = if is_before(last, leave) { last } else { leave };
            }
            if is_beside || !is_before(enter, leave) && by[..2] != [0, 0] {
                continue;
            }
            let (one, other) = (height(enter), height(leave));
            // The lower and the higher end, as fractions.
            let (low, high) = if one * leave.1 <= other * enter.1 {
                ((one, enter.1), (other, leave.1))
            } else {
                ((other, leave.1), (one, enter.1))
            };
            let below = |step: i32| is_before(low, (i128::from(step) * 256, 1));
            let above = |step: i32| is_before((i128::from(step) * 256, 1), high);
            let floors: Vec<(i32, Terrain)> = sight
                .ground
                .floors(Column::new(whole(x), whole(y)))
                .collect();
            let mut lowest = None;
            for &(z, terrain) in &floors {
                let top = z + sight.rules.opaque_height;
                if below(z) && above(z)
                    || sight.rules.opaque & terrain.bit() != 0 && below(top) && above(z)
                {
                    return Some(false);
                }
                lowest = Some(lowest.map_or(z, |known: i32| known.min(z)));
            }
            if lowest.map_or(!sight.rules.is_void_transparent, below) {
                return Some(false);
            }
        }
    }
    for (axis, side) in [(0, WallSide::East), (1, WallSide::South)] {
        for line in cells(axis).skip(1).filter(|_| by[axis] != 0) {
            let at = crossing(axis, line);
            let beside = a[1 - axis] * at.1 + by[1 - axis] * at.0;
            if beside.rem_euclid(256 * at.1) == 0 {
                return None;
            }
            let row = whole(beside.div_euclid(256 * at.1));
            let column = match side {
                WallSide::East => Column::new(whole(line) - 1, row),
                WallSide::South => Column::new(row, whole(line) - 1),
            };
            let here = height(at);
            let covers = |z: i32| {
                let (foot, top) = (z, z + sight.rules.wall_height);
                i128::from(foot) * 256 * at.1 <= here && here < i128::from(top) * 256 * at.1
            };
            let mut floors = sight.ground.floors(column);
            let is_blocked = floors.any(|(z, _)| {
                let cell = column.at(z);
                covers(z) && sight.ground.has_wall(Wall { cell, side })
            });
            if is_within(at) && is_blocked {
                return Some(false);
            }
        }
    }
    Some(true)
}

#[test]
fn lines_that_graze_floors_and_tops_of_walls_equal_integer_arithmetic() {
    let mut rng = Rng::new(78);
    let (mut n_seen, mut n_blocked) = (0, 0);
    for _ in 0..60 {
        let side = 9;
        let mut edits = Vec::new();
        for column in square(side).columns() {
            for z in [rng.between(0, 2), rng.between(3, 6)] {
                if z > 2 && rng.chance(3, 4) {
                    continue;
                }
                let cell = column.at(z);
                let is_tree = rng.chance(1, 12);
                edits.push(GroundEdit::PutCell {
                    cell,
                    terrain: if is_tree {
                        Terrain::TREES
                    } else {
                        Terrain::GROUND
                    },
                });
                for side in [WallSide::East, WallSide::South] {
                    if rng.chance(1, 12) {
                        edits.push(GroundEdit::PutWall(Wall { cell, side }));
                    }
                }
            }
        }
        let mut ground = Ground::new(Profile::DEFAULT).unwrap();
        ground.apply(&edits).unwrap();
        let sight = sight_over(&ground);
        for round in 0..400 {
            let grain = [128, 64, 7, 1][round % 4];
            let mut coordinate =
                |max: i32| Fixed::from_raw(rng.between(0, max * 256 / grain) * grain);
            let mut point = || Point3 {
                x: coordinate(side),
                y: coordinate(side),
                z: coordinate(9),
            };
            let (from, to) = (point(), point());
            let is_along = |a: Fixed, b: Fixed| a == b && a.raw() % 256 == 0;
            if is_along(from.x, to.x) || is_along(from.y, to.y) {
                continue;
            }
            if let Some(expected) = by_integers(&sight, from, to) {
                assert_eq!(sight.is_clear(from, to), expected, "{from:?} {to:?}");
                assert_eq!(sight.is_clear(to, from), expected, "{to:?} {from:?}");
                n_seen += usize::from(expected);
                n_blocked += usize::from(!expected);
            }
        }
    }
    assert!(n_seen > 1_000 && n_blocked > 1_000, "{n_seen} {n_blocked}");
}

#[test]
fn a_line_along_the_edges_of_stairs_is_clear_at_any_length() {
    for (rise, n_steps) in (1..=3).flat_map(|rise| (1..=120).map(move |n_steps| (rise, n_steps))) {
        let ground = ground_of((0..n_steps).map(|x| (x, 0, rise * x)));
        let sight = sight_over(&ground);
        let point = |x: i32, more: i32| Point3 {
            x: Fixed::from_raw(256 * x),
            y: Fixed::from_raw(128),
            z: Fixed::from_raw(256 * rise * x + more),
        };
        let (foot, top) = (point(0, 0), point(n_steps, 0));
        assert!(sight.is_clear(foot, top), "{n_steps} steps of {rise}");
        // One unit lower, the last edge blocks the line.
        if n_steps > 1 {
            let lower = point(n_steps, -1);
            assert!(!sight.is_clear(foot, lower), "{n_steps} steps of {rise}");
        }
    }
}

#[test]
fn a_line_along_the_tops_of_walls_is_clear_at_any_length() {
    // Walls on stairs: each top lies on the line, and a line on a top clears the wall.
    for n_steps in 2..=120 {
        let mut ground = ground_of((0..n_steps).map(|x| (x, 0, x)));
        let walls: Vec<GroundEdit> = (0..n_steps - 1)
            .map(|x| {
                GroundEdit::PutWall(Wall {
                    cell: Column::new(x, 0).at(x),
                    side: WallSide::East,
                })
            })
            .collect();
        ground.apply(&walls).unwrap();
        let sight = sight_over(&ground);
        // The wall east of column x stands at x + 1 and is x + 3 high.
        let point = |x: i32, more: i32| Point3 {
            x: Fixed::from_raw(256 * x),
            y: Fixed::from_raw(128),
            z: Fixed::from_raw(256 * (x + 2) + more),
        };
        let (foot, top) = (point(0, 0), point(n_steps, 0));
        assert!(sight.is_clear(foot, top), "{n_steps} walls");
        assert!(!sight.is_clear(foot, point(n_steps, -1)), "{n_steps} walls");
    }
}
