//! Fields of view against single lines of sight.

use wayfarer_base::{Rect, Rng, WallSide};

use super::*;

#[test]
fn a_field_of_view_of_radius_50_on_a_large_grid_equals_single_lines() {
    let rect = Rect {
        low: Column::new(-100, -100),
        high: Column::new(99, 99),
    };
    let mut rng = Rng::new(4);
    let mut grid = OpacityGrid::open(rect);
    for column in rect.columns() {
        grid.set_opaque(column, rng.chance(3, 100));
    }
    let mut fov = FieldOfView::default();
    for eye in [
        Column::new(3, -7),
        Column::new(-90, 80),
        Column::new(99, 99),
    ] {
        grid.set_opaque(eye, false);
        fov.compute(&grid, eye, 50);
        for y in eye.y - 51..=eye.y + 51 {
            for x in eye.x - 51..=eye.x + 51 {
                let to = Column::new(x, y);
                let distance = (x - eye.x).pow(2) + (y - eye.y).pow(2);
                let expected = distance <= 2_500 && grid.has_line_of_sight(eye, to);
                assert_eq!(fov.contains(to), expected, "{eye} {to}");
            }
        }
    }
}

#[test]
fn nothing_is_visible_from_an_opaque_column() {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(4, 4),
    };
    let mut grid = OpacityGrid::open(rect);
    grid.set_opaque(Column::new(2, 2), true);
    let mut fov = FieldOfView::default();
    fov.compute(&grid, Column::new(2, 2), 5);
    assert!(fov.is_empty());
    fov.compute(&grid, Column::new(9, 9), 5);
    assert!(fov.is_empty());
}

/// Checks the field of view from every column of a grid against single lines.
fn check_all(grid: &OpacityGrid, radius: i32) {
    let rect = grid.rect();
    let mut fov = FieldOfView::default();
    for eye in rect.columns() {
        fov.compute(grid, eye, radius);
        for to in rect.columns() {
            let distance = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
            let expected = distance <= radius * radius && grid.has_line_of_sight(eye, to);
            assert_eq!(fov.contains(to), expected, "{eye} {to}\n{grid:?}");
        }
    }
}

#[test]
fn fields_of_view_with_thin_walls_equal_single_lines() {
    let mut rng = Rng::new(11);
    for (side, n_grids) in [(3, 3_000), (5, 600), (9, 120), (16, 12)] {
        let rect = Rect {
            low: Column::new(-2, 5),
            high: Column::new(side - 3, side + 4),
        };
        for _ in 0..n_grids {
            let mut grid = OpacityGrid::open(rect);
            let (walls, opaque) = (rng.between(1, 40), rng.between(0, 12));
            for column in rect.columns() {
                grid.set_opaque(column, rng.between(0, 99) < opaque);
                for side in [WallSide::East, WallSide::South] {
                    grid.set_wall(column, side, rng.between(0, 99) < walls);
                }
            }
            check_all(&grid, 2 * side);
        }
    }
}

#[test]
fn sight_is_symmetric_on_every_grid_of_three_by_three_with_walls() {
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
        let mut grid = OpacityGrid::open(rect);
        for (index, &(column, side)) in edges.iter().enumerate() {
            grid.set_wall(column, side, set >> index & 1 != 0);
        }
        check_all(&grid, 4);
        for from in rect.columns() {
            for to in rect.columns() {
                assert_eq!(
                    grid.has_line_of_sight(from, to),
                    grid.has_line_of_sight(to, from),
                    "{from} {to} {set:b}"
                );
            }
        }
    }
}

#[test]
fn large_fields_of_view_over_few_walls_and_squares_equal_single_lines() {
    let mut rng = Rng::new(17);
    let mut fov = FieldOfView::default();
    for round in 0..30 {
        let (width, height) = (rng.between(20, 150), rng.between(20, 150));
        let rect = Rect {
            low: Column::new(-40, 70),
            high: Column::new(width - 41, height + 69),
        };
        let mut grid = OpacityGrid::open(rect);
        // Per mille: from almost none, where distant corners matter, to a maze.
        let walls = [1, 5, 30, 150][rng.below(4) as usize];
        let opaque = [0, 2, 10][rng.below(3) as usize];
        for column in rect.columns() {
            grid.set_opaque(column, rng.between(0, 999) < opaque);
            for side in [WallSide::East, WallSide::South] {
                grid.set_wall(column, side, rng.between(0, 999) < walls);
            }
        }
        for _ in 0..4 {
            let eye = Column::new(
                rng.between(rect.low.x, rect.high.x),
                rng.between(rect.low.y, rect.high.y),
            );
            let radius = rng.between(0, 160);
            fov.compute(&grid, eye, radius);
            let mut n_seen = 0;
            for to in rect.columns() {
                let distance = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
                let expected = distance <= radius * radius && grid.has_line_of_sight(eye, to);
                assert_eq!(fov.contains(to), expected, "round {round}: {eye} {to}");
                assert_eq!(
                    grid.has_line_of_sight(to, eye),
                    grid.has_line_of_sight(eye, to),
                    "{to} {eye}"
                );
                n_seen += usize::from(expected);
            }
            assert_eq!(fov.len(), n_seen, "round {round}: nothing beyond the grid");
        }
    }
}
