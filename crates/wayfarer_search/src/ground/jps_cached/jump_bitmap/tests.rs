//! Scans over the bitmap against scans over the ground.

use wayfarer_base::{Cell, GroundEdit, Raster, Rng, Terrain};
use wayfarer_world::ground::Ground;

use super::super::successor_scan::SuccessorScan;
use super::super::tests::toggled;
use super::*;

impl JumpBitmap {
    /// Builds the bitmap, however few scans there were.
    pub(in super::super) fn build_now(&mut self, ground: &Ground) {
        self.n_scans = 100_000;
        self.build(ground.into(), usize::MAX);
    }
}

fn clutter(side: (u32, u32), one_in: u32, rng: &mut Rng) -> Raster {
    let n_cells = side.0 * side.1;
    let cells = (0..n_cells).map(|_| if rng.chance(1, one_in) { 255 } else { 0 });
    Raster::from_bytes(side.0, side.1, cells.collect()).unwrap()
}

/// Compares scans with and without the bitmap from random cells in random directions.
#[track_caller]
fn check(ground: &Ground, bitmap: &JumpBitmap, rng: &mut Rng, note: &str) {
    let (mut with, mut without) = (SuccessorScan::default(), SuccessorScan::default());
    let open: Vec<_> = ground.nodes().collect();
    for _ in 0..90 {
        let node = *rng.pick(&open).unwrap();
        let at = ground.cell(node);
        let directions = [255, rng.below(256) as u8][rng.below(2) as usize];
        let origin = (node, at.x, at.y);
        let measures = rng.chance(1, 2);
        assert!(
            with.scan(ground.into(), Some(bitmap), origin, directions, measures),
            "{note}"
        );
        assert!(
            without.scan(ground.into(), None, origin, directions, true),
            "{note}"
        );
        assert_eq!(with.edges, without.edges, "{note}: {at}, {directions:08b}");
        assert_eq!(with.diagonals, without.diagonals, "{note}: {at}");
        if !measures {
            continue;
        }
        for (with, without) in with.extents.iter().zip(without.extents) {
            assert!(
                *with <= without,
                "{note}: {at} reads {with}, no further than {without}"
            );
        }
    }
}

#[test]
fn bitmap_and_ground_scans_give_the_same_edges_in_the_same_order_while_the_ground_changes() {
    let (mut n_applied, mut n_rebuilt) = (0, 0);
    let sides = [(70, 70), (200, 40), (33, 180), (150, 150)];
    for (seed, one_in) in (0..16).zip([3, 12, 60, 400].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let side = sides[seed as usize / 4];
        let mut ground = Ground::from_raster(&clutter(side, one_in, &mut rng));
        let mut bitmap = JumpBitmap::default();
        for round in 0..25 {
            let note = format!("seed {seed}, round {round}");
            if bitmap.built().is_none() {
                bitmap.build_now(&ground);
                n_rebuilt += 1;
            }
            check(&ground, bitmap.built().unwrap(), &mut rng, &note);
            let mut edits = Vec::new();
            let (x, y) = (rng.between(-1, 160), rng.between(-1, 160));
            for _ in 0..[1, 3, 40][rng.below(3) as usize] {
                let cell = Cell::flat(x + rng.between(0, 9), y + rng.between(0, 9));
                edits.push(toggled(&ground, cell));
            }
            let changes = ground.apply(&edits).unwrap();
            for difference in &changes.changes.differences {
                if let wayfarer_world::ground::GroundDifference::Floor { cell, .. } = difference {
                    let at = cell.column();
                    bitmap.apply_changes(
                        (&ground).into(),
                        SectorId::from_column(at),
                        Rect::around(at, at),
                    );
                    n_applied += 1;
                }
            }
        }
    }
    assert!(n_applied > 1_000, "{n_applied}");
    assert!(n_rebuilt < 250, "{n_rebuilt}");
}

#[test]
fn only_flat_uniform_ground_has_a_bitmap() {
    let flat = clutter((40, 40), 5, &mut Rng::new(1));
    let check = |edits: &[GroundEdit], expected: bool| {
        let mut ground = Ground::from_raster(&flat);
        ground.apply(edits).unwrap();
        let mut bitmap = JumpBitmap::default();
        bitmap.build_now(&ground);
        assert_eq!(bitmap.built().is_some(), expected, "{edits:?}");
    };
    let put = |x, y, z| GroundEdit::PutCell {
        cell: Cell::new(x, y, z),
        terrain: Terrain::GROUND,
    };
    check(&[], true);
    check(&[put(60, 60, 0)], true);
    check(&[put(3, 3, 9)], false);
    check(&[put(60, 60, 4)], false);
    check(&[put(1 << 20, 1 << 20, 0)], false);
}
