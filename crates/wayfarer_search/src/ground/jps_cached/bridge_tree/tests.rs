#![expect(clippy::cast_sign_loss, reason = "small worlds")]

use wayfarer_base::{Cell, GroundEdit, Raster, Rng, Terrain};

use super::*;

/// Rooms of some ten cells with doors of one to five cells in the walls between them.
fn rooms(side: i32, rng: &mut Rng) -> Raster {
    let mut cells = vec![0_u8; (side * side).cast_unsigned() as usize];
    let mut put = |x: i32, y: i32, what: u8| {
        if (0..side).contains(&x) && (0..side).contains(&y) {
            cells[(y * side + x) as usize] = what;
        }
    };
    let room = rng.between(7, 13);
    for wall in (room..side).step_by(room as usize) {
        for along in 0..side {
            put(wall, along, 255);
            put(along, wall, 255);
        }
    }
    for wall in (room..side).step_by(room as usize) {
        for first in (0..side).step_by(room as usize) {
            for is_row in [true, false] {
                let door = first + rng.between(1, room - 1);
                for along in door..door + rng.between(0, 4) {
                    let (x, y) = if is_row { (along, wall) } else { (wall, along) };
                    put(x, y, 0);
                }
            }
        }
    }
    Raster::from_bytes(side.cast_unsigned(), side.cast_unsigned(), cells).unwrap()
}

/// What a tree says of a way: the legs, and what the rest costs at least from many cells.
fn reported(
    tree: &mut BridgeTree,
    ground: &Ground,
    ends: (NodeId, NodeId),
    from: &[NodeId],
) -> String {
    let hangs_together = tree.set_out(ground, ends.0, ends.1);
    let rest = from.iter().map(|node| {
        let Cell { x, y, .. } = ground.cell(*node);
        tree.rest(tree.area(ground, *node), x, y)
    });
    format!(
        "{hangs_together} {:?} {:?}",
        tree.legs,
        rest.collect::<Vec<_>>()
    )
}

#[test]
fn a_tree_that_followed_edits_says_what_a_new_one_says() {
    let (mut n_kept, mut n_moved, mut n_legs, mut n_at_rest) = (0, 0, 0, 0_usize);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut ground = Ground::from_raster(&rooms(60, &mut rng));
        let mut tree = BridgeTree::default();
        for round in 0..60 {
            tree.prepare(&ground);
            let previous = tree.borders.clone();
            let nodes = ground.nodes().map(|node| (node, tree.area(&ground, node)));
            let areas: Vec<(NodeId, u32)> = nodes.collect();
            let cell = Cell::flat(rng.between(0, 59), rng.between(0, 59));
            // Most changes lie at a border of sectors, where they may matter.
            let cell = match rng.below(3) {
                0 => Cell::flat(cell.x & !15 | (15 * rng.between(0, 1)), cell.y),
                1 => Cell::flat(cell.x, cell.y & !15 | (15 * rng.between(0, 1))),
                _ => cell,
            };
            let edit = match ground.node(cell) {
                Some(_) => GroundEdit::RemoveCell { cell },
                None => GroundEdit::PutCell {
                    cell,
                    terrain: Terrain::GROUND,
                },
            };
            ground.apply(&[edit]).unwrap();
            let column = cell.column();
            let rect = Rect::around(column, column);
            let moved = tree.apply_changes(&ground, SectorId::from_column(column), rect);
            if !tree.is_made {
                assert_eq!(moved, Moved::All);
                continue;
            }
            for (node, area) in &areas {
                let may_move = match moved {
                    Moved::None => false,
                    Moved::Sheet(sheet) => sheet == node.index() >> 8,
                    Moved::All => true,
                };
                if !may_move && Some(*node) == ground.node(ground.cell(*node)) {
                    assert_eq!(tree.area(&ground, *node), *area, "seed {seed}, {cell}");
                    n_at_rest += 1;
                }
            }
            n_kept += 1;
            n_moved += usize::from(tree.borders != previous);
            let mut fresh = BridgeTree::default();
            fresh.prepare(&ground);
            let nodes: Vec<NodeId> = ground.nodes().step_by(7).collect();
            for _ in 0..10 {
                let ends = (*rng.pick(&nodes).unwrap(), *rng.pick(&nodes).unwrap());
                assert_eq!(
                    reported(&mut tree, &ground, ends, &nodes),
                    reported(&mut fresh, &ground, ends, &nodes),
                    "seed {seed}, round {round}, {cell}"
                );
                n_legs += tree.legs.len().saturating_sub(1);
            }
        }
    }
    assert!(n_kept > 1_000 && n_moved > 300, "{n_kept}, {n_moved}");
    assert!(
        n_legs > 3_000 && n_at_rest > 1_000_000,
        "{n_legs}, {n_at_rest}"
    );
}
