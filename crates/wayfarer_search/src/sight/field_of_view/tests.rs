use wayfarer_base::{Rect, Rng, WallSide};

use super::*;

#[test]
fn a_view_of_radius_50_on_a_large_board_is_what_single_lines_show() {
    let rect = Rect {
        low: Column::new(-100, -100),
        high: Column::new(99, 99),
    };
    let mut rng = Rng::new(4);
    let mut board = OpacityGrid::open(rect);
    for column in rect.columns() {
        board.set_opaque(column, rng.chance(3, 100));
    }
    let mut fov = FieldOfView::default();
    for eye in [
        Column::new(3, -7),
        Column::new(-90, 80),
        Column::new(99, 99),
    ] {
        board.set_opaque(eye, false);
        fov.compute(&board, eye, 50);
        for y in eye.y - 51..=eye.y + 51 {
            for x in eye.x - 51..=eye.x + 51 {
                let to = Column::new(x, y);
                let away = (x - eye.x).pow(2) + (y - eye.y).pow(2);
                let expected = away <= 2_500 && board.sees(eye, to);
                assert_eq!(fov.contains(to), expected, "{eye} {to}");
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
    let mut board = OpacityGrid::open(rect);
    board.set_opaque(Column::new(2, 2), true);
    let mut fov = FieldOfView::default();
    fov.compute(&board, Column::new(2, 2), 5);
    assert!(fov.is_empty());
    fov.compute(&board, Column::new(9, 9), 5);
    assert!(fov.is_empty());
}

/// A view is what single lines show, for every eye of a board.
fn check_all(board: &OpacityGrid, radius: i32) {
    let rect = board.rect();
    let mut fov = FieldOfView::default();
    for eye in rect.columns() {
        fov.compute(board, eye, radius);
        for to in rect.columns() {
            let away = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
            let expected = away <= radius * radius && board.sees(eye, to);
            assert_eq!(fov.contains(to), expected, "{eye} {to}\n{board:?}");
        }
    }
}

#[test]
fn thin_walls_cast_shadows_as_single_lines_see_them() {
    let mut rng = Rng::new(11);
    for (side, n_boards) in [(3, 3_000), (5, 600), (9, 120), (16, 12)] {
        let rect = Rect {
            low: Column::new(-2, 5),
            high: Column::new(side - 3, side + 4),
        };
        for _ in 0..n_boards {
            let mut board = OpacityGrid::open(rect);
            let (walls, opaque) = (rng.between(1, 40), rng.between(0, 12));
            for column in rect.columns() {
                board.set_opaque(column, rng.between(0, 99) < opaque);
                for side in [WallSide::East, WallSide::South] {
                    board.set_wall(column, side, rng.between(0, 99) < walls);
                }
            }
            check_all(&board, 2 * side);
        }
    }
}

#[test]
fn every_board_of_three_by_three_with_walls_is_seen_alike_from_both_ends() {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(2, 2),
    };
    // The twelve edges between the nine columns.
    let mut edges = Vec::new();
    for column in rect.columns() {
        for side in [WallSide::East, WallSide::South] {
            let next = column.step(side.direction()).unwrap();
            if rect.contains(next) {
                edges.push((column, side));
            }
        }
    }
    assert_eq!(edges.len(), 12);
    for set in 0..1_u32 << 12 {
        let mut board = OpacityGrid::open(rect);
        for (place, &(column, side)) in edges.iter().enumerate() {
            board.set_wall(column, side, set >> place & 1 != 0);
        }
        check_all(&board, 4);
        for from in rect.columns() {
            for to in rect.columns() {
                assert_eq!(
                    board.sees(from, to),
                    board.sees(to, from),
                    "{from} {to} {set:b}"
                );
            }
        }
    }
}

#[test]
fn wide_views_over_few_walls_and_squares_are_what_single_lines_show() {
    let mut rng = Rng::new(17);
    let mut fov = FieldOfView::default();
    for round in 0..30 {
        let (width, height) = (rng.between(20, 150), rng.between(20, 150));
        let rect = Rect {
            low: Column::new(-40, 70),
            high: Column::new(width - 41, height + 69),
        };
        let mut board = OpacityGrid::open(rect);
        // Out of 1,000: from next to nothing, where corners far away count, to a maze.
        let walls = [1, 5, 30, 150][rng.below(4) as usize];
        let opaque = [0, 2, 10][rng.below(3) as usize];
        for column in rect.columns() {
            board.set_opaque(column, rng.between(0, 999) < opaque);
            for side in [WallSide::East, WallSide::South] {
                board.set_wall(column, side, rng.between(0, 999) < walls);
            }
        }
        for _ in 0..4 {
            let eye = Column::new(
                rng.between(rect.low.x, rect.high.x),
                rng.between(rect.low.y, rect.high.y),
            );
            let radius = rng.between(0, 160);
            fov.compute(&board, eye, radius);
            let mut n_seen = 0;
            for to in rect.columns() {
                let away = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
                let expected = away <= radius * radius && board.sees(eye, to);
                assert_eq!(fov.contains(to), expected, "round {round}: {eye} {to}");
                assert_eq!(board.sees(to, eye), board.sees(eye, to), "{to} {eye}");
                n_seen += usize::from(expected);
            }
            assert_eq!(fov.len(), n_seen, "round {round}: nothing beyond the board");
        }
    }
}
