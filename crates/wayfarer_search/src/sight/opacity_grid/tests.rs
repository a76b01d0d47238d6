use wayfarer_base::Cost;
use wayfarer_base::{
    Fixed, GroundEdit, LinkDirection, NavLink, Point2, Point3, Profile, Rng, Terrain,
};
use wayfarer_testkit::sight as oracle;

use super::super::{FieldOfView, GroundVisibility, LineOfSightTest, OcclusionRules};
use super::*;

const SIDE: i32 = 11;

fn square() -> Rect {
    Rect {
        low: Column::new(0, 0),
        high: Column::new(SIDE - 1, SIDE - 1),
    }
}

fn some_board(rng: &mut Rng, times: u32) -> OpacityGrid {
    let mut board = OpacityGrid::open(square());
    for column in square().columns() {
        board.set_opaque(column, rng.chance(times, 100));
    }
    board
}

fn middle(column: Column) -> Point2 {
    Point2::center_of(column).unwrap()
}

#[test]
fn a_line_is_clear_exactly_if_it_enters_no_opaque_square_and_so_it_is_backwards() {
    let mut rng = Rng::new(31);
    for round in 0..12 {
        let board = some_board(&mut rng, [0, 4, 12, 30][round % 4]);
        for from in square().columns() {
            for to in square().columns() {
                let blocked = |column: Column| board.is_opaque(column);
                let expected =
                    oracle::sees(middle(from), middle(to), oracle::Meets::Enters, blocked);
                assert_eq!(board.sees(from, to), expected, "{from} {to}");
                assert_eq!(board.walks(from, to), expected, "{from} {to}");
                assert_eq!(board.sees(to, from), expected, "{to} {from}");
            }
        }
    }
}

#[test]
fn a_field_of_view_is_all_that_is_seen_one_by_one() {
    let mut rng = Rng::new(32);
    let mut fov = FieldOfView::default();
    for round in 0..40 {
        let mut board = some_board(&mut rng, [0, 5, 15, 40][round % 4]);
        if round % 5 == 4 {
            board.set_wall(Column::new(4, 4), WallSide::East, true);
            board.set_wall(Column::new(4, 5), WallSide::South, true);
        }
        let eye = Column::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let radius = rng.between(0, 14);
        fov.compute(&board, eye, radius);
        let expected = |to: &Column| {
            let (x, y) = (to.x - eye.x, to.y - eye.y);
            x * x + y * y <= radius * radius && board.sees(eye, *to)
        };
        let expected: Vec<Column> = square().columns().filter(expected).collect();
        let mut seen: Vec<Column> = fov.columns().collect();
        seen.sort_unstable_by_key(|column| (column.y, column.x));
        assert_eq!(seen, expected, "eye {eye} radius {radius}");
        assert_eq!(fov.len(), expected.len());
    }
}

#[test]
fn walls_and_doors_block_the_same_lines_on_the_board_and_over_the_ground() {
    let mut rng = Rng::new(33);
    for _ in 0..8 {
        let mut ground = Ground::new(Profile::DEFAULT).unwrap();
        let cells = square().columns().filter(|_| rng.chance(95, 100));
        let mut edits: Vec<GroundEdit> = cells
            .map(|column| GroundEdit::PutCell {
                cell: column.at(0),
                terrain: Terrain::GROUND,
            })
            .collect();
        ground.apply(&edits).unwrap();
        edits.clear();
        for column in square().columns() {
            let side = if rng.chance(1, 2) {
                WallSide::East
            } else {
                WallSide::South
            };
            let next = column.step(side.direction()).unwrap();
            let has_floor = |column: Column| ground.floors(column).next().is_some();
            if !has_floor(column) || !has_floor(next) {
                continue;
            }
            if rng.chance(1, 6) {
                let cell = column.at(0);
                edits.push(GroundEdit::PutWall(Wall { cell, side }));
            }
            if rng.chance(1, 9) {
                let gate = if rng.chance(1, 2) {
                    LinkState::Open
                } else {
                    LinkState::Closed
                };
                let nav_link = NavLink {
                    from: column.at(0),
                    to: next.at(0),
                    kind: NavLinkKind::Door,
                    direction: LinkDirection::Bidirectional,
                    cost: Cost::STRAIGHT,
                    state: gate,
                };
                edits.push(GroundEdit::PutNavLink(nav_link));
            }
        }
        ground.apply(&edits).unwrap();
        let board = OpacityGrid::of_ground(&ground, square(), (0, 0), 0);
        assert!(board.has_walls());
        let sight = GroundVisibility {
            ground: &ground,
            rules: OcclusionRules::default(),
        };
        let eye = |column: Column| Point3 {
            x: middle(column).x,
            y: middle(column).y,
            z: Fixed::from_raw(300),
        };
        let mut n_seen = 0;
        for from in square().columns() {
            for to in square().columns() {
                let seen = board.sees(from, to);
                n_seen += usize::from(seen);
                assert_eq!(board.sees(to, from), seen, "{to} {from}");
                let over = sight.is_clear(eye(from), eye(to));
                assert_eq!(over, seen, "{from} {to}");
            }
        }
        assert!(n_seen > 500 && n_seen < 12_000, "{n_seen}");
    }
}

#[test]
fn opening_the_door_lets_one_see_through_the_wall() {
    let mut board = OpacityGrid::open(square());
    for y in 0..SIDE {
        board.set_wall(Column::new(4, y), WallSide::East, true);
    }
    let (here, there) = (Column::new(1, 5), Column::new(9, 5));
    assert!(!board.sees(here, there));
    // Not through the corner between two pieces of the wall either.
    assert!(!board.sees(Column::new(4, 4), Column::new(5, 5)));
    board.set_wall(Column::new(4, 5), WallSide::East, false);
    assert!(board.sees(here, there));
}
