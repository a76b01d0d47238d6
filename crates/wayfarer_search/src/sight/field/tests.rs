use wayfarer_base::{Dice, Rect};

use super::*;

#[test]
fn a_view_of_radius_50_on_a_large_board_is_what_single_lines_show() {
    let rect = Rect {
        low: Column::new(-100, -100),
        high: Column::new(99, 99),
    };
    let mut dice = Dice::new(4);
    let mut board = SightBoard::open(rect);
    for column in rect.columns() {
        board.set_opaque(column, dice.chance(3, 100));
    }
    let mut view = FieldOfView::default();
    for eye in [
        Column::new(3, -7),
        Column::new(-90, 80),
        Column::new(99, 99),
    ] {
        board.set_opaque(eye, false);
        view.look(&board, eye, 50);
        for y in eye.y - 51..=eye.y + 51 {
            for x in eye.x - 51..=eye.x + 51 {
                let to = Column::new(x, y);
                let away = (x - eye.x).pow(2) + (y - eye.y).pow(2);
                let expected = away <= 2_500 && board.sees(eye, to);
                assert_eq!(view.contains(to), expected, "{eye} {to}");
            }
        }
    }
}

#[test]
fn who_stands_in_a_wall_sees_nothing() {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(4, 4),
    };
    let mut board = SightBoard::open(rect);
    board.set_opaque(Column::new(2, 2), true);
    let mut view = FieldOfView::default();
    view.look(&board, Column::new(2, 2), 5);
    assert!(view.is_empty());
    view.look(&board, Column::new(9, 9), 5);
    assert!(view.is_empty());
}
