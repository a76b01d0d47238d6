//! Writing a way down, cell by cell, from the places where it turned.

use wayfarer_world::ground::{Ground, NodeId};

use super::cache::NONE;
use super::searcher::SeenPlace;
use crate::ground::plain::write_run;

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
    let (wide_by, high_by) = (wide.unsigned_abs(), high.unsigned_abs());
    let n_diagonal = wide_by.min(high_by);
    let (dx, dy) = (wide.signum(), high.signum());
    let node = write_run(ground, node, (dx, dy), n_diagonal, cells);
    if wide_by > n_diagonal {
        write_run(ground, node, (dx, 0), wide_by - n_diagonal, cells)
    } else {
        write_run(ground, node, (0, dy), high_by - n_diagonal, cells)
    }
}
