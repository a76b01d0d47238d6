//! Writes the cells of a path from its chain of jump points.

use wayfarer_base::{Cell, Direction};
use wayfarer_world::ground::{Ground, NodeId, SheetBits};

use super::vertices::{NONE, Vertex, Vertices};

/// Writes the cells of `nodes` to `cells`, in order, sheet by sheet.
pub fn write_cells(ground: &Ground, nodes: &[NodeId], cells: &mut Vec<Cell>) {
    cells.clear();
    cells.reserve(nodes.len());
    for run in nodes.chunk_by(|a, b| a.shares_sheet(*b)) {
        append_cells(&ground.bits(run[0]), run, cells);
    }
}

/// Appends the cells of nodes that lie in one sheet.
#[inline]
pub(in crate::ground) fn append_cells(
    sheet: &SheetBits<'_>,
    run: &[NodeId],
    cells: &mut Vec<Cell>,
) {
    let origin = sheet.origin();
    match sheet.uniform_height() {
        Some(z) => cells.extend(run.iter().map(|node| {
            let x = origin.x + node.x_in_sector().cast_signed();
            Cell::new(x, origin.y + node.y_in_sector().cast_signed(), z)
        })),
        None => cells.extend(run.iter().map(|node| sheet.cell(*node))),
    }
}

/// Writes every cell from the start to vertex `id`, both included.
pub(super) fn write_path(ground: &Ground, vertices: &Vertices, id: u32, cells: &mut Vec<NodeId>) {
    cells.clear();
    // From the end: a vertex knows its parent.
    let mut at = vertices.at(id);
    cells.push(at.node);
    while at.parent != NONE {
        let previous = vertices.at(at.parent);
        if at.is_step {
            cells.push(previous.node);
        } else {
            write_jump(ground, at, previous, cells);
        }
        at = previous;
    }
    cells.reverse();
}

/// Writes the cells from `to`, excluded, back to `from`. A jump goes diagonally first, so backwards
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

/// Cells that are written at once.
const BLOCK: usize = 8;

/// Offsets of a block of steps along one axis.
const fn offsets(step: i32) -> &'static [i32; BLOCK] {
    match step {
        0 => &[0; BLOCK],
        1 => &[1, 2, 3, 4, 5, 6, 7, 8],
        _ => &[-1, -2, -3, -4, -5, -6, -7, -8],
    }
}

/// Writes `n_cells` cells in one direction from `node`, excluded; returns the last.
pub(in crate::ground) fn write_run(
    ground: &Ground,
    mut node: NodeId,
    (dx, dy): (i32, i32),
    mut n_cells: u32,
    cells: &mut Vec<NodeId>,
) -> NodeId {
    let room = |at: u32, step: i32| match step {
        0 => u32::MAX,
        1 => NodeId::PAGE - 1 - at,
        _ => at,
    };
    while n_cells > 0 {
        let (x, y) = node.in_page();
        let (room_x, room_y) = (room(x, dx), room(y, dy));
        let inside = room_x.min(room_y).min(n_cells);
        let (offsets_x, offsets_y) = (offsets(dx), offsets(dy));
        let n_wanted = cells.len() + inside as usize;
        let (mut from_x, mut from_y) = (x, y);
        while cells.len() < n_wanted {
            // Whole blocks, then truncated: faster than a counted loop.
            let mut run = [node; BLOCK];
            for (to, (offset_x, offset_y)) in run.iter_mut().zip(offsets_x.iter().zip(offsets_y)) {
                let x = from_x.wrapping_add_signed(*offset_x);
                *to = node.at_in_page(x, from_y.wrapping_add_signed(*offset_y));
            }
            cells.extend_from_slice(&run);
            from_x = from_x.wrapping_add_signed(offsets_x[BLOCK - 1]);
            from_y = from_y.wrapping_add_signed(offsets_y[BLOCK - 1]);
        }
        cells.truncate(n_wanted);
        let along = |at: u32, step: i32| at.wrapping_add_signed(inside.cast_signed() * step);
        node = node.at_in_page(along(x, dx), along(y, dy));
        n_cells -= inside;
        if n_cells == 0 {
            break;
        }
        // The step over the border of the page may leave the sector along both axes.
        let leaves = |at: u32, step: i32| match step {
            1 if at == 15 => 1,
            -1 if at == 0 => -1,
            _ => 0,
        };
        let over = (
            leaves(node.x_in_sector(), dx),
            leaves(node.y_in_sector(), dy),
        );
        let next = Direction::from_offset(over)
            .and_then(|direction| ground.bits(node).neighbor(direction));
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

#[cfg(test)]
mod tests;
