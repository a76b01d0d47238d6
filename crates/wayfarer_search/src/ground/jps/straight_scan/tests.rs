//! Block scans against scans cell by cell.

use wayfarer_base::{Cell, Profile, Rng};
use wayfarer_make::{GeneratedWorld, Generator, Recipe, make};
use wayfarer_world::ground::Ground;

use super::*;

/// Scans cell by cell: to the goal, a forced neighbor or a blocked cell.
fn scan_slowly(ground: &Ground, from: Cell, to: u8, goal: Cell) -> (u32, u8) {
    let is_open = |cell: Cell| ground.node(cell).is_some();
    let (dx, dy) = Direction::from_index(to).offset();
    let mut cell = from;
    for length in 0.. {
        let next = Cell::flat(cell.x + dx, cell.y + dy);
        if !is_open(next) {
            return (length, 0);
        }
        let mut directions = 1 << to;
        for turn in [2, 6] {
            let side = Direction::from_index(to).turned(turn);
            let (sx, sy) = side.offset();
            let beside = |cell: Cell| Cell::flat(cell.x + sx, cell.y + sy);
            if is_open(beside(next)) && !is_open(beside(cell)) {
                let between = Direction::from_index(to).turned(if turn == 2 { 1 } else { 7 });
                directions |= 1 << side.index() | 1 << between.index();
            }
        }
        if directions != 1 << to || next == goal {
            return (length + 1, directions);
        }
        cell = next;
    }
    unreachable!("scans end")
}

fn check<const DIR: u8>(ground: &Ground, from: Cell, goal: Cell) {
    let node = ground.node(from).unwrap();
    let cursor = SheetCursor {
        sheet: ground.bits(node),
        x: node.x_in_sector(),
        y: node.y_in_sector(),
    };
    let goal_node = ground.node(goal).unwrap();
    let hit = scan::<DIR>(&cursor, Some(goal_node), u32::MAX, false);
    let (length, directions) = scan_slowly(ground, from, DIR, goal);
    assert_eq!(
        (hit.length, hit.directions),
        (length, directions),
        "{from} to {DIR}"
    );
    if directions != 0 {
        let (dx, dy) = Direction::from_index(DIR).offset();
        let steps = length.cast_signed();
        let end = Cell::flat(from.x + dx * steps, from.y + dy * steps);
        assert_eq!(ground.cell(hit.node), end, "{from} to {DIR}");
    }
}

#[test]
fn block_scans_end_where_cell_by_cell_scans_end() {
    for kind in [
        Generator::Caves,
        Generator::Random,
        Generator::Clutter,
        Generator::Open,
        Generator::City,
    ] {
        let GeneratedWorld::Flat(raster) = make(&Recipe::new(kind, 300, 170, 1)).unwrap() else {
            panic!("{kind:?} is flat");
        };
        let ground = Ground::from_raster(&raster);
        assert_eq!(ground.default_profile(), &Profile::DEFAULT);
        let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
        let mut rng = Rng::new(1);
        for _ in 0..4_000 {
            let &from = rng.pick(&cells).unwrap();
            let &other = rng.pick(&cells).unwrap();
            let is_open = |cell: &Cell| ground.node(*cell).is_some();
            let in_row = Some(Cell::flat(other.x, from.y)).filter(is_open);
            let in_column = Some(Cell::flat(from.x, other.y)).filter(is_open);
            let (in_row, in_column) = (in_row.unwrap_or(other), in_column.unwrap_or(other));
            check::<NORTH>(&ground, from, in_column);
            check::<EAST>(&ground, from, in_row);
            check::<SOUTH>(&ground, from, in_column);
            check::<WEST>(&ground, from, in_row);
        }
    }
}
