//! Writes the cells of a path from its chain of search nodes, and its cost.

use wayfarer_base::{Cell, Cost, Outcome};
use wayfarer_world::ground::{NodeId, ProfileGround};

use super::HeuristicWeight;
use super::jump_point_graph::NONE;
use super::searcher::CachedJpsSearcher;
use super::successor_scan::ARRIVAL_STEP;
use crate::ground::jps::{write_cells, write_run};
use crate::ground::path::adjacent_step;
use crate::kernel::StopReason;

impl CachedJpsSearcher {
    /// The outcome of a search that ended, with its path in `nodes`: the whole path, the path to
    /// the nearest node expanded, or nothing.
    pub fn outcome<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        stop: StopReason,
        nodes: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        let ground: ProfileGround<'_> = ground.into();
        nodes.clear();
        if self.fallback.is_active {
            return self.fallback.jps.outcome(ground, stop, nodes);
        }
        let (id, goal) = self.last_node(stop);
        write(ground, self, id, goal, nodes);
        self.finish(ground, id, goal)
    }

    /// As [`CachedJpsSearcher::outcome`], with cells instead of node ids.
    pub fn outcome_in_cells<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        stop: StopReason,
        cells: &mut Vec<Cell>,
    ) -> Outcome<Cost> {
        let ground: ProfileGround<'_> = ground.into();
        let mut path = std::mem::take(&mut self.buffers.path);
        let outcome = match self.cache.bitmap.uniform_height() {
            Some(z) if !self.fallback.is_active => {
                let (id, goal) = self.last_node(stop);
                write_uniform_height((self, id, goal), z, &mut path, cells);
                self.finish(ground, id, goal)
            }
            _ => {
                let outcome = self.outcome(ground, stop, &mut path);
                write_cells(ground.ground(), &path, cells);
                outcome
            }
        };
        self.buffers.path = path;
        outcome
    }

    /// The last search node of the path, and the goal if the path continues to it.
    fn last_node(&self, stop: StopReason) -> (u32, Option<(i32, i32)>) {
        match stop {
            StopReason::Goal(id) => (id, Some((self.query.goal.x, self.query.goal.y))),
            _ => (self.query.nearest.0, None),
        }
    }

    /// The outcome of the path that ends at node `id` or continues to `goal`; enforces the cache
    /// limit.
    fn finish(
        &mut self,
        ground: ProfileGround<'_>,
        id: u32,
        goal: Option<(i32, i32)>,
    ) -> Outcome<Cost> {
        let is_known_optimal = goal.is_some() && self.query.goal.weight == HeuristicWeight::ONE;
        let cost = if is_known_optimal {
            self.query.nodes[id as usize].g
        } else {
            path_cost(ground, self, id)
        };
        let (x, y) = self.jump_point(self.query.nodes[id as usize].slot).at();
        let found = cost + self.query.goal.h(x, y);
        self.query.cost_lower_bound = goal.map(|_| self.query.lower_bound(found));
        self.cache.enforce_limit();
        match goal {
            Some(_) => Outcome::Found(Cost::from_units(found)),
            None => Outcome::OutOfBudget {
                best: Cost::from_units(cost),
                stats: self.stats(),
            },
        }
    }
}

/// Writes every cell from the start to node `id`, and on to `goal`. Each segment is a single step,
/// or diagonal first, then straight, over uniform ground.
fn write(
    ground: ProfileGround<'_>,
    searcher: &CachedJpsSearcher,
    id: u32,
    goal: Option<(i32, i32)>,
    cells: &mut Vec<NodeId>,
) {
    // The chain of search nodes uses the buffer of the cells.
    let mut chain = std::mem::take(cells);
    write_chain(searcher, id, &mut chain);
    let n_chain = chain.len();
    let first = searcher.query.nodes[0].slot;
    let (mut x, mut y) = searcher.jump_point(first).at();
    let mut node = searcher.site(first).node;
    chain.push(node);
    // Cells are appended to the chain, which is removed at the end.
    for index in 1..n_chain {
        let slot = searcher.query.nodes[chain[index].index() as usize].slot;
        let at = searcher.jump_point(slot).at();
        if slot & 7 == u32::from(ARRIVAL_STEP) {
            node = searcher.site(slot).node;
            chain.push(node);
        } else {
            node = write_segment(ground, node, (at.0 - x, at.1 - y), &mut chain);
        }
        (x, y) = at;
    }
    if let Some(goal) = goal {
        write_segment(ground, node, (goal.0 - x, goal.1 - y), &mut chain);
    }
    chain.drain(..n_chain);
    *cells = chain;
}

/// As [`write()`], with cells, on ground of one height `z`; `chain` is a buffer.
fn write_uniform_height(
    (searcher, id, goal): (&CachedJpsSearcher, u32, Option<(i32, i32)>),
    z: i32,
    chain: &mut Vec<NodeId>,
    cells: &mut Vec<Cell>,
) {
    write_chain(searcher, id, chain);
    let (mut x, mut y) = searcher.jump_point(searcher.query.nodes[0].slot).at();
    cells.clear();
    cells.push(Cell::new(x, y, z));
    let ends = chain[1..].iter().map(|index| {
        let slot = searcher.query.nodes[index.index() as usize].slot;
        searcher.jump_point(slot).at()
    });
    for end in ends.chain(goal) {
        let (wide, high) = (end.0 - x, end.1 - y);
        let n_diagonal = wide.abs().min(high.abs());
        let (dx, dy) = (wide.signum(), high.signum());
        let run = (1..=n_diagonal).map(|step| Cell::new(x + dx * step, y + dy * step, z));
        cells.extend(run);
        (x, y) = (x + dx * n_diagonal, y + dy * n_diagonal);
        let n_straight = wide.abs().max(high.abs()) - n_diagonal;
        let (dx, dy) = ((end.0 - x).signum(), (end.1 - y).signum());
        cells.extend((1..=n_straight).map(|step| Cell::new(x + dx * step, y + dy * step, z)));
        (x, y) = end;
    }
}

/// Writes the ids of the search nodes from the start to node `id`.
fn write_chain(searcher: &CachedJpsSearcher, id: u32, chain: &mut Vec<NodeId>) {
    chain.clear();
    let mut at = id;
    while at != NONE {
        chain.push(NodeId::from_index(at));
        at = searcher.query.nodes[at as usize].parent;
    }
    chain.reverse();
}

/// Cost of the path to node `id`. Lower than its g if the g of a node before it was lowered after
/// it was generated.
fn path_cost(ground: ProfileGround<'_>, searcher: &CachedJpsSearcher, id: u32) -> u32 {
    let g = searcher.query.nodes[id as usize].g;
    if searcher.query.stats.pushes == searcher.query.nodes.len() as u64 {
        return g; // No g was ever lowered.
    }
    let (mut at, mut cost) = (id, 0);
    while searcher.query.nodes[at as usize].parent != NONE {
        let (here, parent) = (
            searcher.query.nodes[at as usize],
            searcher.query.nodes[at as usize].parent,
        );
        let from = searcher.query.nodes[parent as usize];
        let step = if here.slot & 7 == u32::from(ARRIVAL_STEP) {
            let end = |slot: u32| {
                let node = searcher.site(slot).node;
                (node, ground.cell(node))
            };
            let step = adjacent_step(ground.into(), end(from.slot), end(here.slot));
            step.map_or(Cost::ZERO, |(cost, _)| cost)
        } else {
            let (x, y) = searcher.jump_point(here.slot).at();
            let (from_x, from_y) = searcher.jump_point(from.slot).at();
            Cost::octile(x.abs_diff(from_x), y.abs_diff(from_y))
        };
        cost += step.units();
        at = parent;
    }
    cost
}

/// Writes the cells of a segment by (`wide`, `high`) from `node`, excluded; returns the last.
fn write_segment(
    ground: ProfileGround<'_>,
    node: NodeId,
    (wide, high): (i32, i32),
    cells: &mut Vec<NodeId>,
) -> NodeId {
    let (wide_by, high_by) = (wide.unsigned_abs(), high.unsigned_abs());
    let n_diagonal = wide_by.min(high_by);
    let (dx, dy) = (wide.signum(), high.signum());
    let node = write_run(ground.ground(), node, (dx, dy), n_diagonal, cells);
    if wide_by > n_diagonal {
        write_run(ground.ground(), node, (dx, 0), wide_by - n_diagonal, cells)
    } else {
        write_run(ground.ground(), node, (0, dy), high_by - n_diagonal, cells)
    }
}

#[cfg(test)]
mod tests;
