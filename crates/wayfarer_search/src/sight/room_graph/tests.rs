//! Portal culling against fields of view.

use wayfarer_base::Rng;

use super::super::FieldOfView;
use super::*;

fn rect(width: i32, height: i32) -> Rect {
    Rect {
        low: Column::new(-3, 5),
        high: Column::new(width - 4, height + 4),
    }
}

/// Checks that no visible column is culled, from every column. Returns the number of hidden
/// columns and how many of them are culled.
fn check(grid: &OpacityGrid, radius: i32, name: &str) -> (usize, usize) {
    let rooms = RoomGraph::new(grid);
    let (mut visible, mut fov) = (VisibleRooms::default(), FieldOfView::default());
    let (mut n_hidden, mut n_culled) = (0, 0);
    for eye in grid.rect().columns() {
        if grid.is_opaque(eye) {
            continue;
        }
        visible.compute(&rooms, eye, radius);
        fov.compute(grid, eye, radius);
        for to in grid.rect().columns() {
            let distance = (to.x - eye.x).pow(2) + (to.y - eye.y).pow(2);
            if distance > radius * radius || grid.is_opaque(to) {
                continue;
            }
            let may_see = visible.may_see(&rooms, to);
            if fov.contains(to) {
                assert!(may_see, "{name}: {eye} sees {to}");
            } else {
                n_hidden += 1;
                n_culled += usize::from(!may_see);
            }
        }
    }
    (n_hidden, n_culled)
}

#[test]
fn no_visible_column_is_culled_on_any_grid_of_four_by_three() {
    for pattern in 0..1_u32 << 12 {
        let mut grid = OpacityGrid::open(rect(4, 3));
        for (index, column) in rect(4, 3).columns().enumerate() {
            grid.set_opaque(column, pattern >> index & 1 != 0);
        }
        check(&grid, 9, &format!("world {pattern}"));
    }
}

#[test]
fn no_visible_column_is_culled_on_any_three_by_three_with_thin_walls() {
    // Twelve edges between nine columns.
    for pattern in 0..1_u32 << 12 {
        let mut grid = OpacityGrid::open(rect(3, 3));
        let low = grid.rect().low;
        for edge in 0..12 {
            let (along, line) = (edge % 6 % 3, edge % 6 / 3);
            let (x, y, side) = if edge < 6 {
                (line, along, WallSide::East)
            } else {
                (along, line, WallSide::South)
            };
            let column = Column::new(low.x + x, low.y + y);
            grid.set_wall(column, side, pattern >> edge & 1 != 0);
        }
        check(&grid, 9, &format!("walls {pattern}"));
    }
}

#[test]
fn nine_tenths_of_hidden_columns_are_culled_on_random_grids() {
    let (mut n_hidden, mut n_culled) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut grid = OpacityGrid::open(rect(26, 19));
        let percent = rng.below(40);
        for column in grid.rect().columns() {
            grid.set_opaque(column, rng.chance(percent, 100));
            if seed % 2 == 0 {
                let side = [WallSide::East, WallSide::South][rng.below(2) as usize];
                grid.set_wall(column, side, rng.chance(1, 9));
            }
        }
        let radius = rng.between(3, 30);
        let (hidden, culled) = check(&grid, radius, &format!("seed {seed}"));
        n_hidden += hidden;
        n_culled += culled;
    }
    assert!(10 * n_culled > 9 * n_hidden, "{n_culled} of {n_hidden}");
}

#[test]
fn nothing_is_visible_from_an_opaque_column_or_out_of_bounds() {
    let mut grid = OpacityGrid::open(rect(5, 5));
    let wall = Column::new(0, 7);
    grid.set_opaque(wall, true);
    let rooms = RoomGraph::new(&grid);
    let mut visible = VisibleRooms::default();
    for eye in [wall, Column::new(100, 100), Column::new(i32::MIN, i32::MAX)] {
        visible.compute(&rooms, eye, 50);
        assert!(grid.rect().columns().all(|to| !visible.may_see(&rooms, to)));
    }
}
