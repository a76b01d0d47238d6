//! Writing a way down, cell by cell, from the places where it turned.

use wayfarer_base::Cost;
use wayfarer_world::ground::{Ground, NodeId};

use super::cache::NONE;
use super::draft::BY_STEP;
use super::searcher::ExactSearcher;
use crate::ground::path::known_step;
use crate::ground::plain::write_run;

/// Writes every cell from where the search began to place `number`, and on to `goal` if that is
/// given: each piece is a single step, or goes diagonally first, then straight, over plain ground.
pub(super) fn write(
    ground: &Ground,
    searcher: &ExactSearcher,
    number: u32,
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
        at = searcher.seen[at as usize].parent;
    }
    let mut turns = std::mem::take(cells);
    turns.reverse();
    let first = searcher.seen[0].slot;
    let (mut x, mut y) = searcher.place(first).at();
    let mut node = searcher.stand(first).node;
    turns.push(node);
    // Written behind the turns, which are taken away at the end.
    for turn in 1..n_turns {
        let slot = searcher.seen[turns[turn].index() as usize].slot;
        let at = searcher.place(slot).at();
        if slot & 7 == u32::from(BY_STEP) {
            node = searcher.stand(slot).node;
            turns.push(node);
        } else {
            node = piece(ground, node, (at.0 - x, at.1 - y), &mut turns);
        }
        (x, y) = at;
    }
    if let Some(goal) = goal {
        piece(ground, node, (goal.0 - x, goal.1 - y), &mut turns);
    }
    turns.drain(..n_turns);
    *cells = turns;
}

/// What the way to place `number` costs. Where a cheaper way to one of its turns was found after
/// the next one was come to, that is less than what the search has noted there.
pub(super) fn cost(ground: &Ground, searcher: &ExactSearcher, number: u32) -> u32 {
    let noted = searcher.seen[number as usize].cost;
    if searcher.spent.pushes == searcher.seen.len() as u64 {
        return noted; // Nothing was ever come to more cheaply than at first.
    }
    let (mut at, mut cost) = (number, 0);
    while searcher.seen[at as usize].parent != NONE {
        let (here, parent) = (
            searcher.seen[at as usize],
            searcher.seen[at as usize].parent,
        );
        let from = searcher.seen[parent as usize];
        let leap = if here.slot & 7 == u32::from(BY_STEP) {
            let end = |slot: u32| {
                let node = searcher.stand(slot).node;
                (node, ground.cell(node))
            };
            let step = known_step(ground.into(), end(from.slot), end(here.slot));
            step.map_or(Cost::ZERO, |(cost, _)| cost)
        } else {
            let (x, y) = searcher.place(here.slot).at();
            let (from_x, from_y) = searcher.place(from.slot).at();
            Cost::octile(x.abs_diff(from_x), y.abs_diff(from_y))
        };
        cost += leap.units();
        at = parent;
    }
    cost
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
