//! The cells of a leg: a fixed function of its block and its ends.
//!
//! A leg of a block of 32 is split by the tables of its blocks of 16. A leg of a block of 16 is one
//! of two octile shapes, if that costs what the table says, else found by a flood.

use wayfarer_base::Direction;

use super::super::nav_graph::NavGraph;
use super::cells::{Cells, SIDE};
use super::flood::{Flood, FloodDirection};
use super::store::{LevelId, NO_BLOCK, Store, Unsuitable};
use super::sweep::{Scope, Sweep};
use super::trace::{Leg, Target, child_of, walk};

/// Scratch of unpacking.
#[derive(Clone, Debug, Default)]
pub(super) struct Unpack {
    flood: Flood,
    sweep: Sweep,
    legs: Vec<Leg>,
}

impl Unpack {
    /// Appends the nodes of a leg without that where it begins. Ends the current search of the
    /// store.
    pub(super) fn append(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        leg: Leg,
        nodes: &mut Vec<u32>,
    ) -> Result<(), Unsuitable> {
        if leg.block == NO_BLOCK {
            nodes.push(leg.end);
            return Ok(());
        }
        let key = (store.block(leg.level, leg.block).version, leg.from, leg.to);
        if let Some(known) = store.legs.find(key) {
            nodes.extend_from_slice(known);
            return Ok(());
        }
        let first = nodes.len();
        match leg.level {
            LevelId::Fine => self.append_fine(nav_graph, store, leg, nodes)?,
            LevelId::Coarse => self.append_coarse(nav_graph, store, leg, nodes)?,
        }
        store.legs.insert(key, &nodes[first..]);
        Ok(())
    }

    fn append_coarse(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        leg: Leg,
        nodes: &mut Vec<u32>,
    ) -> Result<(), Unsuitable> {
        store.ensure_table(nav_graph, LevelId::Coarse, leg.block)?;
        for child in store.coarse.block(leg.block).children {
            store.ensure_frame(nav_graph, LevelId::Fine, child)?;
        }
        if append_coarse_octile(store, leg, nodes) {
            return Ok(());
        }
        store.begin_search();
        let block = store.coarse.block(leg.block);
        let scope = Scope {
            nav_graph,
            level: LevelId::Fine,
            direction: FloodDirection::From,
            within: Some(block.at),
            lower_bound: None,
        };
        let (from, to) = (usize::from(leg.from), usize::from(leg.to));
        let (start, cost) = (block.frame.nodes[from], block.table.entry(from, to));
        let [from, to] = [from, to].map(|i| child_of(store, (leg.block, i)));
        for child in store.coarse.block(leg.block).children {
            let at = store.fine.block(child).at;
            store.touch_at(nav_graph, LevelId::Fine, at)?;
        }
        self.sweep.begin();
        self.sweep.seed(store, &scope, from, 0)?;
        while let Some((key, block)) = self.sweep.peek(store, LevelId::Fine)
            && key < cost.cast_unsigned()
        {
            self.sweep.visit(store, &scope, block)?;
        }
        let mut legs = std::mem::take(&mut self.legs);
        legs.clear();
        walk(store, &scope, to, Target::Node(start), &mut legs)?;
        for leg in legs.iter().rev() {
            self.append_fine(nav_graph, store, *leg, nodes)?;
        }
        self.legs = legs;
        Ok(())
    }

    fn append_fine(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        leg: Leg,
        nodes: &mut Vec<u32>,
    ) -> Result<(), Unsuitable> {
        store.ensure_table(nav_graph, LevelId::Fine, leg.block)?;
        let block = store.fine.block(leg.block);
        let (from, to) = (usize::from(leg.from), usize::from(leg.to));
        let cost = block.table.entry(from, to);
        let [from, to] = [from, to].map(|i| usize::from(block.frame.numbers[i]));
        let cells = &block.cells;
        if !append_octile(cells, (from, to), cost, nodes) {
            let target = Some((to, cost));
            self.flood.run(cells, from, FloodDirection::From, target);
            self.flood.path_from_source(cells, to, nodes);
            nodes.push(leg.end);
        }
        Ok(())
    }
}

/// Appends one of the two octile paths between two frame cells of a block of 32, if it exists and
/// costs what the table says.
fn append_coarse_octile(store: &Store, leg: Leg, nodes: &mut Vec<u32>) -> bool {
    let block = store.coarse.block(leg.block);
    let children = block.children.map(|child| &store.fine.block(child).cells);
    if children.iter().any(|cells| cells.has_layers()) {
        return false;
    }
    let (from, to) = (usize::from(leg.from), usize::from(leg.to));
    let cost = block.table.entry(from, to);
    let side = 2 * (SIDE - 1) + 1;
    let place = |i: usize| {
        let number = usize::from(block.frame.numbers[i]);
        (number % side, number / side)
    };
    let step = |(x, y): (usize, usize), (to_x, to_y): (usize, usize), direction: u8| {
        // The child that contains both cells.
        let corner = |a: usize, b: usize| (a.min(b) / (SIDE - 1)).min(1);
        let (right, down) = (corner(x, to_x), corner(y, to_y));
        let cells = children[down * 2 + right];
        let number = |x: usize, y: usize| (y - down * (SIDE - 1)) * SIDE + x - right * (SIDE - 1);
        let (from, to) = (number(x, y), number(to_x, to_y));
        let target = cells.target(from, direction)?;
        (target == to).then(|| (cells.node(to), cells.step_cost(from, to, direction)))
    };
    [true, false].into_iter().any(|is_diagonal_first| {
        append_shape(
            (place(from), place(to)),
            cost,
            is_diagonal_first,
            nodes,
            step,
        )
    })
}

/// Appends one of the two octile paths between two cells of a block of 16, if it exists and has
/// this cost.
fn append_octile(
    cells: &Cells,
    (from, to): (usize, usize),
    cost: i32,
    nodes: &mut Vec<u32>,
) -> bool {
    let place = |number: usize| (number % SIDE, number / SIDE % SIDE);
    [true, false].into_iter().any(|is_diagonal_first| {
        let mut at = from;
        let first = nodes.len();
        let step = |_, _, direction: u8| {
            let next = cells.target(at, direction)?;
            let cost = cells.step_cost(at, next, direction);
            at = next;
            Some((cells.node(next), cost))
        };
        let ends = (place(from), place(to));
        let is_path = append_shape(ends, cost, is_diagonal_first, nodes, step) && at == to;
        if !is_path {
            nodes.truncate(first);
        }
        is_path
    })
}

/// Appends the nodes of an octile path, diagonal steps first or last, if `step` knows all of its
/// steps and they have this cost.
fn append_shape(
    ((mut x, mut y), (to_x, to_y)): ((usize, usize), (usize, usize)),
    cost: i32,
    is_diagonal_first: bool,
    nodes: &mut Vec<u32>,
    mut step: impl FnMut((usize, usize), (usize, usize), u8) -> Option<(u32, i32)>,
) -> bool {
    let first = nodes.len();
    let (dx, dy) = (x.abs_diff(to_x), y.abs_diff(to_y));
    let (n_diagonal, n_straight) = (dx.min(dy), dx.max(dy) - dx.min(dy));
    let diagonal = match (to_x > x, to_y > y) {
        (true, false) => 1,
        (true, true) => 3,
        (false, true) => 5,
        (false, false) => 7,
    };
    let straight = match (dx > dy, to_x > x, to_y > y) {
        (true, true, _) => 2,
        (true, false, _) => 6,
        (false, _, true) => 4,
        (false, _, false) => 0,
    };
    let runs = [(n_diagonal, diagonal), (n_straight, straight)];
    let runs = if is_diagonal_first {
        runs
    } else {
        [runs[1], runs[0]]
    };
    let mut sum = 0;
    for (n_steps, direction) in runs {
        let (dx, dy) = Direction::from_index(direction).offset();
        for _ in 0..n_steps {
            let next = (shifted(x, dx), shifted(y, dy));
            let Some((node, cost_of_step)) = step((x, y), next, direction) else {
                nodes.truncate(first);
                return false;
            };
            sum += cost_of_step;
            if sum > cost {
                nodes.truncate(first);
                return false;
            }
            nodes.push(node);
            (x, y) = next;
        }
    }
    if sum != cost {
        nodes.truncate(first);
    }
    sum == cost
}

/// A coordinate one step on.
fn shifted(at: usize, by: i32) -> usize {
    match by {
        -1 => at - 1,
        0 => at,
        _ => at + 1,
    }
}
