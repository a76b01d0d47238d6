use wayfarer_base::Rng;

use super::super::FieldOfView;
use super::*;

fn rect(width: i32, height: i32) -> Rect {
    Rect {
        low: Column::new(-3, 5),
        high: Column::new(width - 4, height + 4),
    }
}

/// Looks from everywhere: nobody who is seen may be left out. Gives how many of the others were.
fn check(board: &OpacityGrid, radius: i32, name: &str) -> (usize, usize) {
    let rooms = RoomGraph::of(board);
    let (mut visible, mut fov) = (VisibleRooms::default(), FieldOfView::default());
    let (mut n_hidden, mut n_left_out) = (0, 0);
    for eye in board.rect().columns() {
        if board.is_opaque(eye) {
            continue;
        }
        visible.look(&rooms, eye, radius);
        fov.compute(board, eye, radius);
        for to in board.rect().columns() {
            let away = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
            if away > radius * radius || board.is_opaque(to) {
                continue;
            }
            let may_see = visible.may_see(&rooms, to);
            if fov.contains(to) {
                assert!(may_see, "{name}: {eye} sees {to}");
            } else {
                n_hidden += 1;
                n_left_out += usize::from(!may_see);
            }
        }
    }
    (n_hidden, n_left_out)
}

#[test]
fn every_world_of_four_by_three_hides_nobody_who_is_seen() {
    for picture in 0..1_u32 << 12 {
        let mut board = OpacityGrid::open(rect(4, 3));
        for (place, column) in rect(4, 3).columns().enumerate() {
            board.set_opaque(column, picture >> place & 1 != 0);
        }
        check(&board, 9, &format!("world {picture}"));
    }
}

#[test]
fn every_three_by_three_with_thin_walls_hides_nobody_who_is_seen() {
    // Twelve edges between nine columns.
    for picture in 0..1_u32 << 12 {
        let mut board = OpacityGrid::open(rect(3, 3));
        let low = board.rect().low;
        for edge in 0..12 {
            let (along, line) = (edge % 6 % 3, edge % 6 / 3);
            let (x, y, side) = if edge < 6 {
                (line, along, WallSide::East)
            } else {
                (along, line, WallSide::South)
            };
            let column = Column::new(low.x + x, low.y + y);
            board.set_wall(column, side, picture >> edge & 1 != 0);
        }
        check(&board, 9, &format!("walls {picture}"));
    }
}

#[test]
fn worlds_drawn_by_lot_hide_nobody_who_is_seen_and_most_of_those_who_are_not() {
    let (mut n_hidden, mut n_left_out) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut board = OpacityGrid::open(rect(26, 19));
        let percent = rng.below(40);
        for column in board.rect().columns() {
            board.set_opaque(column, rng.chance(percent, 100));
            if seed % 2 == 0 {
                let side = [WallSide::East, WallSide::South][rng.below(2) as usize];
                board.set_wall(column, side, rng.chance(1, 9));
            }
        }
        let radius = rng.between(3, 30);
        let (hidden, left_out) = check(&board, radius, &format!("seed {seed}"));
        n_hidden += hidden;
        n_left_out += left_out;
    }
    assert!(10 * n_left_out > 9 * n_hidden, "{n_left_out} of {n_hidden}");
}

#[test]
fn an_eye_in_a_wall_or_outside_sees_nobody() {
    let mut board = OpacityGrid::open(rect(5, 5));
    let wall = Column::new(0, 7);
    board.set_opaque(wall, true);
    let rooms = RoomGraph::of(&board);
    let mut visible = VisibleRooms::default();
    for eye in [wall, Column::new(100, 100), Column::new(i32::MIN, i32::MAX)] {
        visible.look(&rooms, eye, 50);
        assert!(
            board
                .rect()
                .columns()
                .all(|to| !visible.may_see(&rooms, to))
        );
    }
}
