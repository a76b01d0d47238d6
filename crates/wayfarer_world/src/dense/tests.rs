//! Dense ground: repaired against rebuilt, components, invalid batches.

use super::*;
use wayfarer_base::{Column, Direction, GroundEdit, Rect, Rng, Shape, Terrain};

/// `.` is ground, `s` swamp, `w` water, `t` trees, `#` nothing; the first is cell (0, 0).
fn raster(text: &str) -> Raster {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let letters = rows.concat();
    let cells = letters.bytes().map(|letter| match letter {
        b'.' => 0,
        b's' => 1,
        b'w' => 2,
        b't' => 3,
        _ => 255,
    });
    let size = |n: usize| u32::try_from(n).unwrap();
    Raster::from_bytes(size(rows[0].len()), size(rows.len()), cells.collect()).unwrap()
}

fn ground(text: &str) -> DenseGround {
    DenseGround::from_raster(raster(text)).unwrap()
}

fn put(x: i32, y: i32) -> GroundEdit {
    GroundEdit::PutCell {
        cell: Cell::flat(x, y),
        terrain: Terrain::GROUND,
    }
}

/// The derived state must equal that of a fresh ground over the same raster; a component is
/// compared by its first cell.
#[track_caller]
fn check_repaired(ground: &DenseGround) {
    let fresh = DenseGround::from_raster(ground.raster().clone()).unwrap();
    assert_eq!(ground.moves(), fresh.moves());
    assert_eq!(canonical(ground), canonical(&fresh));
}

fn canonical(ground: &DenseGround) -> Vec<Option<usize>> {
    let labels: Vec<_> = ground
        .rect()
        .columns()
        .map(|at| ground.component(at.at(0)))
        .collect();
    labels
        .iter()
        .map(|label| label.and_then(|_| labels.iter().position(|other| other == label)))
        .collect()
}

/// A batch of edits of all kinds, all inside `width` x `height`.
fn batch(rng: &mut Rng, width: i32, height: i32) -> Vec<GroundEdit> {
    let column = |rng: &mut Rng| Column::new(rng.between(0, width - 1), rng.between(0, height - 1));
    (0..1 + rng.below(4))
        .map(|_| {
            let (at, other) = (column(rng), column(rng));
            let cell = at.at(0);
            let terrain = Terrain::new(u8::try_from(rng.below(4)).unwrap()).unwrap();
            let shape = Shape::Box(Rect::around(at, other));
            match rng.below(12) {
                0 => GroundEdit::Fill {
                    shape,
                    z: 0,
                    terrain,
                },
                1 => GroundEdit::Clear {
                    shape,
                    heights: (-1, 1),
                },
                2 => {
                    let size = |room: i32, rng: &mut Rng| 1 + rng.below(room.unsigned_abs().min(5));
                    let (w, h) = (size(width - at.x, rng), size(height - at.y, rng));
                    let cells = (0..w * h).map(|_| if rng.chance(1, 2) { 0 } else { 255 });
                    let raster = Raster::from_bytes(w, h, cells.collect()).unwrap();
                    GroundEdit::Patch { at, z: 0, raster }
                }
                3..=7 => GroundEdit::PutCell { cell, terrain },
                _ => GroundEdit::RemoveCell { cell },
            }
        })
        .collect()
}

#[test]
fn moves_follow_the_corner_rule() {
    let ground = ground(
        ".s.
         .w.
         ...",
    );
    let moves = |x, y| ground.moves()[ground.layout().index(x, y) as usize];
    let bits = |directions: &[Direction]| {
        directions
            .iter()
            .fold(0_u8, |bits, direction| bits | 1 << direction.index())
    };
    // The water in the center blocks the diagonals past it and into it.
    assert_eq!(moves(0, 0), bits(&[Direction::East, Direction::South]));
    assert_eq!(moves(1, 0), bits(&[Direction::East, Direction::West]));
    assert_eq!(moves(1, 1), 0);
}

#[test]
fn moves_and_components_after_any_edits_equal_those_of_a_fresh_ground() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (width, height) = (rng.between(1, 20), rng.between(1, 20));
        let size = |n: i32| n.unsigned_abs();
        let of = 2 + rng.below(4);
        let cells = (0..width * height).map(|_| if rng.chance(1, of) { 255 } else { 0 });
        let raster = Raster::from_bytes(size(width), size(height), cells.collect()).unwrap();
        let mut ground = DenseGround::from_raster(raster).unwrap();
        check_repaired(&ground);
        for _ in 0..40 {
            assert!(ground.apply(&batch(&mut rng, width, height)));
            check_repaired(&ground);
        }
    }
}

#[test]
fn components_equal_those_of_a_reference_flood_fill() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(20), 1 + rng.below(20));
        let cells = (0..width * height).map(|_| if rng.chance(2, 5) { 255 } else { 0 });
        let raster = Raster::from_bytes(width, height, cells.collect()).unwrap();
        let ground = DenseGround::from_raster(raster.clone()).unwrap();
        let all: Vec<Column> = raster.rect().columns().collect();
        for &from in &all {
            let mut reached = vec![from];
            let mut next = 0;
            while let Some(&at) = reached.get(next) {
                next += 1;
                for direction in Direction::STRAIGHT {
                    let to = at.step(direction).unwrap();
                    if raster.is_walkable(to.x, to.y) && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            for &to in &all {
                let is_connected = raster.is_walkable(from.x, from.y)
                    && raster.is_walkable(to.x, to.y)
                    && reached.contains(&to);
                assert_eq!(ground.is_connected(from.at(0), to.at(0)), is_connected);
            }
        }
    }
}

#[track_caller]
fn check_refused(edit: &GroundEdit) {
    let mut ground = ground(
        "..
         ..",
    );
    assert!(!ground.apply(std::slice::from_ref(edit)), "{edit:?}");
    check_repaired(&ground);
}

#[test]
fn what_a_flat_map_cannot_hold_is_refused() {
    let terrain = Terrain::GROUND;
    check_refused(&put(2, 1));
    check_refused(&GroundEdit::PutCell {
        cell: Cell::new(0, 0, 3),
        terrain,
    });
    check_refused(&GroundEdit::Fill {
        shape: Shape::Box(Rect::around(Column::new(1, 1), Column::new(1, 4))),
        z: 0,
        terrain,
    });
    check_refused(&GroundEdit::Patch {
        at: Column::new(i32::MAX, 0),
        z: 0,
        raster: raster("#."),
    });
    check_refused(&GroundEdit::RemoveCostModifier(
        wayfarer_base::CostModifierId(1),
    ));
}

#[test]
fn removing_outside_the_map_is_no_error() {
    let mut ground = ground("..");
    let everywhere = Rect {
        low: Column::new(i32::MIN, i32::MIN),
        high: Column::new(i32::MAX, i32::MAX),
    };
    let edits = [
        GroundEdit::RemoveCell {
            cell: Cell::flat(-7, 9),
        },
        GroundEdit::RemoveCell {
            cell: Cell::new(0, 0, 5),
        },
        GroundEdit::Clear {
            shape: Shape::Box(everywhere),
            heights: (1, 9),
        },
        GroundEdit::Patch {
            at: Column::new(1, 0),
            z: 0,
            raster: raster(".#"),
        },
    ];
    assert!(ground.apply(&edits));
    assert_eq!(*ground.raster(), raster(".."), "unchanged");
    let all = GroundEdit::Clear {
        shape: Shape::Box(everywhere),
        heights: (0, 0),
    };
    assert!(ground.apply(&[all]));
    assert_eq!(*ground.raster(), raster("##"));
}

#[test]
fn numbers_of_cells_convert_back_to_positions() {
    for (width, height) in [(1, 1), (2, 7), (510, 3), (89_478_000, 1), (1, 89_478_000)] {
        let layout = DenseLayout::new(width, height).unwrap();
        let (width, height) = (width.cast_signed(), height.cast_signed());
        for (x, y) in [
            (0, 0),
            (width - 1, 0),
            (0, height - 1),
            (width - 1, height - 1),
        ] {
            for (x, y) in [
                (x, y),
                (x - 1, y - 1),
                (x + 1, y + 1),
                (x - 1, y + 1),
                (x + 1, y - 1),
            ] {
                assert_eq!(layout.position(layout.index(x, y)), (x, y));
            }
        }
    }
    let layout = DenseLayout::new(98, 61).unwrap();
    for number in 0..layout.n_cells() {
        let (x, y) = layout.position(number);
        // The stride is rounded up to an odd number; the extra cell of a row has no position.
        if x <= 98 {
            assert_eq!(layout.index(x, y), number);
        }
    }
}

#[test]
fn a_ground_that_is_too_large_is_an_error_not_a_wrap() {
    let error = DenseLayout::new(1, u32::MAX).unwrap_err();
    assert_eq!(error.padded, 3 * (u64::from(u32::MAX) + 2));
    assert!(DenseLayout::new(u32::MAX, u32::MAX).is_err());
}

#[test]
fn an_empty_raster_has_no_walkable_cell() {
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        let raster = Raster::new(width, height).unwrap();
        let ground = DenseGround::from_raster(raster).unwrap();
        assert_eq!(
            ground.blocked_reason(Cell::flat(0, 0)),
            Some("it lies outside the map")
        );
        assert!(!ground.is_connected(Cell::flat(0, 0), Cell::flat(0, 0)));
    }
}
