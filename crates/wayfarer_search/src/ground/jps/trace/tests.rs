//! Runs of cells against their lines.

use wayfarer_base::{Raster, Rng};

use super::*;

const SIDE: u32 = 300;

fn node(ground: &Ground, x: i32, y: i32) -> NodeId {
    ground.node(Cell::flat(x, y)).unwrap()
}

#[test]
fn a_run_contains_every_cell_of_its_line_across_sector_and_page_borders() {
    let map = Raster::from_bytes(SIDE, SIDE, vec![0; (SIDE * SIDE) as usize]).unwrap();
    let ground = Ground::from_raster(&map);
    let mut rng = Rng::new(11);
    let side = SIDE.cast_signed();
    // Cells at the borders of sectors and pages and next to them, and random ones.
    let near = [
        0, 1, 15, 16, 17, 111, 112, 127, 128, 129, 143, 144, 255, 256, 299,
    ];
    let mut n_long = 0;
    for _ in 0..4_000 {
        let mut at = || {
            if rng.chance(1, 2) {
                near[rng.below(15) as usize]
            } else {
                rng.below(SIDE).cast_signed()
            }
        };
        let (x, y) = (at(), at());
        let (dx, dy) = (
            rng.below(3).cast_signed() - 1,
            rng.below(3).cast_signed() - 1,
        );
        let room = |at: i32, step: i32| match step {
            0 => side,
            1 => side - 1 - at,
            _ => at,
        };
        let most = room(x, dx).min(room(y, dy)).min(side - 1).cast_unsigned();
        let n_cells = if (dx, dy) == (0, 0) {
            0
        } else {
            rng.below(most + 1)
        };
        let mut cells = Vec::new();
        let last = write_run(&ground, node(&ground, x, y), (dx, dy), n_cells, &mut cells);
        let expected: Vec<NodeId> = (1..=n_cells.cast_signed())
            .map(|n| node(&ground, x + n * dx, y + n * dy))
            .collect();
        assert_eq!(cells, expected, "from {x}, {y} by {dx}, {dy}");
        assert_eq!(last, *expected.last().unwrap_or(&node(&ground, x, y)));
        n_long += u32::from(n_cells > 128);
        let mut written = vec![Cell::flat(0, 0)];
        write_cells(&ground, &cells, &mut written);
        let by_one: Vec<Cell> = cells.iter().map(|node| ground.cell(*node)).collect();
        assert_eq!(written, by_one);
    }
    assert!(n_long > 100, "some runs cross whole pages");
}
