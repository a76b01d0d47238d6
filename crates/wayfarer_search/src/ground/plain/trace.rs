//! Writing a way down, cell by cell, from the places where it turned.

use wayfarer_base::{Cell, Direction};
use wayfarer_world::ground::{Ground, NodeId};

use super::vertices::{NONE, Vertex, Vertices};

/// Writes the cells of `nodes` to `cells`, in order, quicker than one by one.
pub fn write_cells(ground: &Ground, nodes: &[NodeId], cells: &mut Vec<Cell>) {
    cells.clear();
    cells.reserve(nodes.len());
    for run in nodes.chunk_by(|one, next| one.shares_sheet(*next)) {
        if let Some(&first) = run.first() {
            let bits = ground.bits(first);
            let Some(z) = bits.level() else {
                cells.extend(run.iter().map(|node| bits.cell(*node)));
                continue;
            };
            let origin = bits.origin();
            cells.extend(run.iter().map(|node| {
                let x = origin.x + node.x_in_sector().cast_signed();
                Cell::new(x, origin.y + node.y_in_sector().cast_signed(), z)
            }));
        }
    }
}

/// Writes every cell from the beginning of the search to place `number`, both included.
pub(super) fn write(ground: &Ground, vertices: &Vertices, number: u32, cells: &mut Vec<NodeId>) {
    cells.clear();
    // Backwards, then turned round: parents are known, children are not.
    let mut at = vertices.at(number);
    cells.push(at.node);
    while at.parent != NONE {
        let before = vertices.at(at.parent);
        if at.by_step {
            cells.push(before.node);
        } else {
            write_jump(ground, at, before, cells);
        }
        at = before;
    }
    cells.reverse();
}

/// Writes the cells from `to`, left out, back to `from`: a jump goes diagonally first, so back
/// the straight part comes first.
fn write_jump(ground: &Ground, to: &Vertex, from: &Vertex, cells: &mut Vec<NodeId>) {
    let (dx, dy) = (from.x - to.x, from.y - to.y);
    let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
    let n_diagonal = wide.min(high);
    let straight = if wide > high {
        (dx.signum(), 0)
    } else {
        (0, dy.signum())
    };
    let node = write_run(
        ground,
        to.node,
        straight,
        wide.max(high) - n_diagonal,
        cells,
    );
    let node = write_run(ground, node, (dx.signum(), dy.signum()), n_diagonal, cells);
    debug_assert_eq!(node, from.node, "a jump leads back to where it began");
}

/// Writes `n_cells` cells in one direction from `node`, left out; returns the last.
pub(in crate::ground) fn write_run(
    ground: &Ground,
    mut node: NodeId,
    (dx, dy): (i32, i32),
    mut n_cells: u32,
    cells: &mut Vec<NodeId>,
) -> NodeId {
    let room = |at: u32, step: i32| match step {
        0 => u32::MAX,
        1 => 15 - at,
        _ => at,
    };
    let offset = dy * 16 + dx;
    while n_cells > 0 {
        let (room_x, room_y) = (room(node.x_in_sector(), dx), room(node.y_in_sector(), dy));
        let inside = room_x.min(room_y).min(n_cells);
        let first = node;
        // Always as many as there can be, and then fewer: quicker than counting.
        let mut run = [first; 16];
        for (n, node) in (1..).zip(&mut run) {
            *node = first.moved(n * offset);
        }
        let n_before = cells.len();
        cells.extend_from_slice(&run);
        cells.truncate(n_before + inside as usize);
        node = first.moved(inside.cast_signed() * offset);
        n_cells -= inside;
        if n_cells == 0 {
            break;
        }
        let over = (
            if room_x == inside { dx } else { 0 },
            if room_y == inside { dy } else { 0 },
        );
        let next = towards(over).and_then(|direction| ground.bits(node).next(direction));
        let Some(next) = next else {
            debug_assert!(false, "a jump led over sheets that exist");
            break;
        };
        node = next.node(
            node.x_in_sector().wrapping_add_signed(dx),
            node.y_in_sector().wrapping_add_signed(dy),
        );
        cells.push(node);
        n_cells -= 1;
    }
    node
}

/// The direction of a step; `None` of no step at all.
const fn towards(step: (i32, i32)) -> Option<Direction> {
    let index = match step {
        (0, -1) => 0,
        (1, -1) => 1,
        (1, 0) => 2,
        (1, 1) => 3,
        (0, 1) => 4,
        (-1, 1) => 5,
        (-1, 0) => 6,
        (-1, -1) => 7,
        _ => return None,
    };
    Some(Direction::from_index(index))
}
