//! The nearest walkable cell, against a scan of all cells.

use wayfarer_base::{Column, Terrain};

use super::*;

#[test]
fn the_nearest_cell_is_found_at_any_distance_without_scanning_the_void() {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let mut rng = Rng::new(5);
    let cells: Vec<Cell> = (0..60)
        .map(|_| {
            let mut at = |most: i32| rng.between(-most, most);
            Cell::new(at(700), at(700), at(9))
        })
        .collect();
    let put = |cell: &Cell| GroundEdit::PutCell {
        cell: *cell,
        terrain: Terrain::GROUND,
    };
    let edits: Vec<GroundEdit> = cells.iter().map(put).collect();
    ground.apply(&edits).unwrap();
    let walkable: Vec<Cell> = cells
        .into_iter()
        .filter(|cell| ground.node(*cell).is_some())
        .collect();
    for _ in 0..400 {
        let near = *rng.pick(&[3, 30, 200, 900]).unwrap();
        let mut at = || rng.between(-near, near);
        let (column, z) = (Column::new(at(), at()), at());
        let reach = u16::try_from(rng.between(0, near * 2)).unwrap();
        let key = |cell: &Cell| {
            let (dx, dy) = (i64::from(cell.x - column.x), i64::from(cell.y - column.y));
            (
                dx * dx + dy * dy,
                cell.z.abs_diff(z),
                cell.y,
                cell.x,
                cell.z,
            )
        };
        let within = |cell: &&Cell| {
            let far = (cell.x - column.x).abs().max((cell.y - column.y).abs());
            far <= i32::from(reach)
        };
        let expected = walkable.iter().filter(within).min_by_key(|cell| key(cell));
        let found = ground.nearest_walkable(column, z, reach);
        let found = found.map(|node| ground.cell(node));
        assert_eq!(found.as_ref(), expected, "{column:?} {z} within {reach}");
    }
    // Tens of thousands of empty columns around: a scan column by column would take minutes.
    let nowhere = Column::new(7_000_000, -7_000_000);
    assert_eq!(ground.nearest_walkable(nowhere, 0, u16::MAX), None);
}
