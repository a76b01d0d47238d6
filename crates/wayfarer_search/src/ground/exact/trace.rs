//! Writing a way down, cell by cell, from the places where it turned.

use wayfarer_base::Direction;
use wayfarer_world::ground::{Ground, NodeId};

use super::cache::NONE;
use super::searcher::SeenPlace;

/// Writes every cell from `start` to place `number`, and on to `goal` if that is given: each
/// piece goes diagonally first, then straight, over plain ground.
pub(super) fn write(
    ground: &Ground,
    seen: &[SeenPlace],
    number: u32,
    start: (NodeId, i32, i32),
    goal: Option<(i32, i32)>,
    cells: &mut Vec<NodeId>,
) {
    cells.clear();
    // The turns, from the last back to the first, in the room that the cells will take.
    let mut at = number;
    let mut n_turns = 0;
    while at != NONE {
        cells.push(NodeId::from_index(at));
        n_turns += 1;
        at = seen[at as usize].parent;
    }
    let mut turns = std::mem::take(cells);
    turns.reverse();
    let (mut node, mut x, mut y) = start;
    turns.push(node);
    let mut to_next = |cells: &mut Vec<NodeId>, to: (i32, i32)| {
        node = piece(ground, node, (to.0 - x, to.1 - y), cells);
        (x, y) = to;
    };
    // Written behind the turns, which are taken away at the end.
    for turn in 1..n_turns {
        let place = &seen[turns[turn].index() as usize];
        to_next(&mut turns, (place.x, place.y));
    }
    if let Some(goal) = goal {
        to_next(&mut turns, goal);
    }
    turns.drain(..n_turns);
    *cells = turns;
}

/// Writes the cells of a piece that leads (`wide`, `high`) cells on from `node`, left out; returns
/// the last.
fn piece(
    ground: &Ground,
    node: NodeId,
    (wide, high): (i32, i32),
    cells: &mut Vec<NodeId>,
) -> NodeId {
    let n_diagonal = wide.abs().min(high.abs());
    let (dx, dy) = (wide.signum(), high.signum());
    let node = run(ground, node, (dx, dy), n_diagonal, cells);
    if wide.abs() > n_diagonal {
        run(ground, node, (dx, 0), wide.abs() - n_diagonal, cells)
    } else {
        run(ground, node, (0, dy), high.abs() - n_diagonal, cells)
    }
}

/// Writes `n_cells` cells in one direction.
fn run(
    ground: &Ground,
    mut node: NodeId,
    (dx, dy): (i32, i32),
    mut n_cells: i32,
    cells: &mut Vec<NodeId>,
) -> NodeId {
    // Cells up to the edge of the sector in a direction.
    let room = |at: u32, step: i32| match step {
        0 => i32::MAX,
        1 => 15 - at.cast_signed(),
        _ => at.cast_signed(),
    };
    while n_cells > 0 {
        let (in_x, in_y) = (node.x_in_sector(), node.y_in_sector());
        let (room_x, room_y) = (room(in_x, dx), room(in_y, dy));
        let inside = room_x.min(room_y).min(n_cells);
        let first = node;
        cells.extend((1..=inside).map(|n| first.moved(n * (dy * 16 + dx))));
        node = first.moved(inside * (dy * 16 + dx));
        n_cells -= inside;
        if n_cells == 0 {
            break;
        }
        let over = (
            if room_x == inside { dx } else { 0 },
            if room_y == inside { dy } else { 0 },
        );
        let mut sides = Direction::ALL.into_iter();
        let side = sides.find(|direction| direction.offset() == over);
        let next = side.and_then(|side| ground.bits(node).next(side));
        let Some(next) = next else {
            debug_assert!(false, "a piece leads over sheets that exist");
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
