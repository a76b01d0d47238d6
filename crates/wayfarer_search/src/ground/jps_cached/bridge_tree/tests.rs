//! An updated tree against one built anew.

#![expect(clippy::cast_sign_loss, reason = "small worlds")]

use wayfarer_base::{Cell, GroundEdit, Raster, Rng, Terrain};

use super::*;
use wayfarer_world::ground::Ground;

/// Rooms of about ten cells with doors of up to four cells in the walls between them.
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

/// The route of a tree, and its lower bounds from many cells.
fn report(
    tree: &mut BridgeTree,
    ground: &Ground,
    ends: (NodeId, NodeId),
    from: &[NodeId],
) -> String {
    let is_connected = tree.set_route(ground.into(), ends.0, ends.1);
    let h = from.iter().map(|node| {
        let Cell { x, y, .. } = ground.cell(*node);
        tree.lower_bound(tree.component(ground.into(), *node), x, y)
    });
    format!(
        "{is_connected} {:?} {:?}",
        tree.targets,
        h.collect::<Vec<_>>()
    )
}

#[test]
fn an_updated_tree_equals_one_built_anew() {
    let (mut n_kept, mut n_moved, mut n_targets, mut n_unmoved) = (0, 0, 0, 0_usize);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut ground = Ground::from_raster(&rooms(60, &mut rng));
        let mut tree = BridgeTree::default();
        for round in 0..60 {
            tree.prepare((&ground).into());
            let previous = tree.borders.clone();
            let nodes = ground
                .nodes()
                .map(|node| (node, tree.component((&ground).into(), node)));
            let components: Vec<(NodeId, u32)> = nodes.collect();
            let cell = Cell::flat(rng.between(0, 59), rng.between(0, 59));
            // Most changes lie at sector borders, where they may matter.
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
            let moved = tree.apply_changes((&ground).into(), SectorId::from_column(column), rect);
            if !tree.is_built {
                assert_eq!(moved, ComponentChange::All);
                continue;
            }
            tree.prepare((&ground).into());
            for (node, component) in &components {
                let may_move = match moved {
                    ComponentChange::None => false,
                    ComponentChange::Sheet(sheet) => sheet == node.index() >> 8,
                    ComponentChange::All => true,
                };
                if !may_move && Some(*node) == ground.node(ground.cell(*node)) {
                    assert_eq!(
                        tree.component((&ground).into(), *node),
                        *component,
                        "seed {seed}, {cell}"
                    );
                    n_unmoved += 1;
                }
            }
            n_kept += 1;
            n_moved += usize::from(tree.borders != previous);
            let mut fresh = BridgeTree::default();
            fresh.prepare((&ground).into());
            let nodes: Vec<NodeId> = ground.nodes().step_by(7).collect();
            for _ in 0..10 {
                let ends = (*rng.pick(&nodes).unwrap(), *rng.pick(&nodes).unwrap());
                assert_eq!(
                    report(&mut tree, &ground, ends, &nodes),
                    report(&mut fresh, &ground, ends, &nodes),
                    "seed {seed}, round {round}, {cell}"
                );
                n_targets += tree.targets.len().saturating_sub(1);
            }
        }
    }
    assert!(n_kept > 1_000 && n_moved > 300, "{n_kept}, {n_moved}");
    assert!(
        n_targets > 3_000 && n_unmoved > 1_000_000,
        "{n_targets}, {n_unmoved}"
    );
}
