use wayfarer_base::{Dice, Edit, Fixed, Profile, Rect, Terrain};
use wayfarer_world::objects::{Body, Contacts, Filter, Objects, Outline};

use super::super::{SightBoard, Visibility, cover_points, objects_are_clear, visibility};
use super::*;

fn at(x: i32, y: i32, z: i32) -> Point3 {
    Point3 {
        x: Fixed::from_raw(256 * x + 128),
        y: Fixed::from_raw(256 * y + 128),
        z: Fixed::from_raw(z),
    }
}

fn ground_of(floors: impl IntoIterator<Item = (i32, i32, i32)>) -> Ground {
    let mut ground = Ground::new(Profile::WALKER).unwrap();
    let edits: Vec<Edit> = floors
        .into_iter()
        .map(|(x, y, z)| Edit::PutCell {
            cell: Column::new(x, y).at(z),
            terrain: Terrain::GROUND,
        })
        .collect();
    ground.apply(&edits).unwrap();
    ground
}

fn plain(ground: &Ground) -> GroundSight<'_> {
    GroundSight {
        ground,
        rules: SightRules::default(),
    }
}

/// Looks at many points of the line one by one.
fn by_points(ground: &Ground, from: Point3, to: Point3) -> Option<bool> {
    let part = |a: Fixed, b: Fixed, t: f64| {
        f64::from(a.raw()) + t * (f64::from(b.raw()) - f64::from(a.raw()))
    };
    let mut storey: Option<(Column, usize)> = None;
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
            storey = None;
            // Where a floor is crossed this close to an edge, points do not tell.
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
        if storey.is_some_and(|(known, n)| known == column && n != below) {
            return (!is_close).then_some(false);
        }
        storey = Some((column, below));
    }
    (!is_close).then_some(true)
}

#[test]
fn lines_over_hills_and_between_storeys_are_blocked_as_their_points_show() {
    let mut dice = Dice::new(77);
    let (mut n_seen, mut n_blocked) = (0, 0);
    for _ in 0..30 {
        let mut floors = Vec::new();
        for y in 0..7 {
            for x in 0..7 {
                floors.push((x, y, dice.between(0, 3)));
                if dice.chance(1, 4) {
                    floors.push((x, y, dice.between(6, 8)));
                }
            }
        }
        let ground = ground_of(floors);
        let sight = plain(&ground);
        for _ in 0..60 {
            let mut point = || {
                let (x, y) = (dice.between(0, 6), dice.between(0, 6));
                at(x, y, 256 * dice.between(1, 9) + dice.between(100, 200))
            };
            let (from, to) = (point(), point());
            let seen = sight.is_clear(from, to);
            assert_eq!(sight.is_clear(to, from), seen, "{to:?} {from:?}");
            if let Some(expected) = by_points(&ground, from, to) {
                assert_eq!(seen, expected, "{from:?} {to:?}");
                n_seen += usize::from(expected);
                n_blocked += usize::from(!expected);
            }
        }
    }
    assert!(n_seen > 150 && n_blocked > 150, "{n_seen} {n_blocked}");
}

#[test]
fn a_low_wall_hides_the_feet_and_not_the_head() {
    let low_wall = [(0, 0, 0), (1, 0, 0), (2, 0, 1), (3, 0, 0), (4, 0, 0)];
    let side = |y: i32| low_wall.map(|(x, _, z)| (x, y, z));
    let ground = ground_of([side(-1), side(0), side(1)].concat());
    let sight = plain(&ground);
    let middle = Point2::centre_of(Column::new(4, 0)).unwrap();
    let (feet, top) = (Fixed::from_raw(0), Fixed::from_raw(2 * 256));
    let half = Fixed::from_raw(100);
    let crouched = visibility(&sight, at(0, 0, 200), middle, half, (feet, top));
    let upright = visibility(&sight, at(0, 0, 2 * 256), middle, half, (feet, top));
    assert_eq!(crouched, Visibility { n_seen: 3 });
    assert!(upright > crouched && !upright.is_whole());
}

#[test]
fn a_troll_in_the_line_hides_whom_it_is_taller_than() {
    let mut objects = Objects::new(Fixed::from_raw(256));
    let flat = |x: i32| Point2::centre_of(Column::new(x, 0)).unwrap();
    let body = |x: i32, height: i32| Body {
        outline: Outline::Disc {
            radius: Fixed::from_raw(100),
        },
        height: Fixed::from_raw(256 * height),
        ..Body::at(flat(x))
    };
    let archer = objects.register(&body(0, 2)).unwrap();
    let troll = objects.register(&body(5, 3)).unwrap();
    let target = objects.register(&body(9, 2)).unwrap();
    let mut contacts = Contacts::default();
    let mut is_clear = |z: i32, but: &[_]| {
        let line = (at(0, 0, z), at(9, 0, z));
        objects_are_clear(&objects, line, &Filter::ALL, but, &mut contacts).unwrap()
    };
    assert!(!is_clear(400, &[archer, target]));
    assert!(is_clear(400, &[archer, target, troll]));
    assert!(is_clear(900, &[archer, target])); // over its head
    assert!(!is_clear(400, &[]));
}

#[test]
fn cover_is_out_of_sight_and_close_to_something() {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(20, 20),
    };
    let mut board = SightBoard::open(rect);
    for y in 8..=12 {
        board.set_opaque(Column::new(10, y), true);
    }
    let threat = Column::new(18, 10);
    let points = cover_points(&board, &[threat], Column::new(9, 10), 6);
    assert_eq!(points[0].column, Column::new(9, 10));
    for point in &points {
        assert!(!board.sees(threat, point.column));
        if let Some(peek) = point.peek {
            assert!(board.sees(threat, peek));
        }
    }
    assert!(points.iter().any(|point| point.peek.is_some()));
}
