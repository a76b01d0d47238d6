//! Lines on the grid against the reference, the field of view and lines over the ground.

use wayfarer_base::Cost;
use wayfarer_base::{
    Fixed, GroundEdit, LinkDirection, NavLink, Point2, Point3, Profile, Rng, Terrain,
};
use wayfarer_testkit::sight as reference;

use super::super::{FieldOfView, GroundVisibility, LineOfSightTest, OcclusionRules};
use super::*;

const SIDE: i32 = 11;

fn square() -> Rect {
    Rect {
        low: Column::new(0, 0),
        high: Column::new(SIDE - 1, SIDE - 1),
    }
}

fn random_grid(rng: &mut Rng, percent: u32) -> OpacityGrid {
    let mut grid = OpacityGrid::open(square());
    for column in square().columns() {
        grid.set_opaque(column, rng.chance(percent, 100));
    }
    grid
}

fn center(column: Column) -> Point2 {
    Point2::center_of(column).unwrap()
}

#[test]
fn lines_of_sight_equal_the_reference_and_are_symmetric() {
    let mut rng = Rng::new(31);
    for round in 0..12 {
        let grid = random_grid(&mut rng, [0, 4, 12, 30][round % 4]);
        for from in square().columns() {
            for to in square().columns() {
                let blocked = |column: Column| grid.is_opaque(column);
                let expected = reference::has_line_of_sight(
                    center(from),
                    center(to),
                    reference::LineCoverage::Interior,
                    blocked,
                );
                assert_eq!(grid.has_line_of_sight(from, to), expected, "{from} {to}");
                assert_eq!(grid.traverse(from, to), expected, "{from} {to}");
                assert_eq!(grid.has_line_of_sight(to, from), expected, "{to} {from}");
            }
        }
    }
}

#[test]
fn a_field_of_view_is_the_set_of_columns_in_line_of_sight() {
    let mut rng = Rng::new(32);
    let mut fov = FieldOfView::default();
    for round in 0..40 {
        let mut grid = random_grid(&mut rng, [0, 5, 15, 40][round % 4]);
        if round % 5 == 4 {
            grid.set_wall(Column::new(4, 4), WallSide::East, true);
            grid.set_wall(Column::new(4, 5), WallSide::South, true);
        }
        let eye = Column::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let radius = rng.between(0, 14);
        fov.compute(&grid, eye, radius);
        let expected = |to: &Column| {
            let (x, y) = (to.x - eye.x, to.y - eye.y);
            x * x + y * y <= radius * radius && grid.has_line_of_sight(eye, *to)
        };
        let expected: Vec<Column> = square().columns().filter(expected).collect();
        let mut seen: Vec<Column> = fov.columns().collect();
        seen.sort_unstable_by_key(|column| (column.y, column.x));
        assert_eq!(seen, expected, "eye {eye} radius {radius}");
        assert_eq!(fov.len(), expected.len());
    }
}

#[test]
fn walls_and_doors_block_the_same_lines_on_the_grid_as_over_the_ground() {
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
        let grid = OpacityGrid::from_ground(&ground, square(), (0, 0), 0);
        assert!(grid.has_walls());
        let sight = GroundVisibility {
            ground: &ground,
            rules: OcclusionRules::default(),
        };
        let eye = |column: Column| Point3 {
            x: center(column).x,
            y: center(column).y,
            z: Fixed::from_raw(300),
        };
        let mut n_seen = 0;
        for from in square().columns() {
            for to in square().columns() {
                let seen = grid.has_line_of_sight(from, to);
                n_seen += usize::from(seen);
                assert_eq!(grid.has_line_of_sight(to, from), seen, "{to} {from}");
                let over = sight.is_clear(eye(from), eye(to));
                assert_eq!(over, seen, "{from} {to}");
            }
        }
        assert!(n_seen > 500 && n_seen < 12_000, "{n_seen}");
    }
}

#[test]
fn removing_a_piece_of_a_wall_opens_the_line_of_sight() {
    let mut grid = OpacityGrid::open(square());
    for y in 0..SIDE {
        grid.set_wall(Column::new(4, y), WallSide::East, true);
    }
    let (here, there) = (Column::new(1, 5), Column::new(9, 5));
    assert!(!grid.has_line_of_sight(here, there));
    // Nor through the corner between two pieces of the wall.
    assert!(!grid.has_line_of_sight(Column::new(4, 4), Column::new(5, 5)));
    grid.set_wall(Column::new(4, 5), WallSide::East, false);
    assert!(grid.has_line_of_sight(here, there));
}
