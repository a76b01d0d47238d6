//! From costs to cells: which frame cells a path crosses, and the cells between them.
//!
//! No parents are stored: the frame cell before another one is that whose cost and table entry add
//! up to its cost, the cheapest of equals (so that legs are long), then the first. A leg is unpacked
//! by one fixed function of its block, so a path follows from the graph and the query alone.

use wayfarer_base::{LinkDirection, SectorId};
use wayfarer_world::ground::NodeId;

use super::super::nav_graph::NavGraph;
use super::ends::End;
use super::flood::FloodDirection;
use super::frame::TWINS;
use super::min_plus::INFINITE;
use super::search::BlockSearch;
use super::store::{LevelId, NO_BLOCK, Store, Unsuitable};
use super::sweep::{Scope, locate};
use super::unpack::Unpack;

/// A part of a path between two frame cells of a block, or along a nav link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leg {
    pub(super) level: LevelId,
    /// `NO_BLOCK` for a nav link.
    pub(super) block: u32,
    pub(super) from: u16,
    pub(super) to: u16,
    /// The node at its end.
    pub(super) end: u32,
}

/// Where a walk along legs ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'e> {
    /// At a frame cell of the end's block whose cost the end gave.
    End(&'e End),
    /// At a frame cell of the end's block of 16 whose cost the end's flood gave.
    Flood(&'e End),
    /// At this node.
    Node(u32),
}

/// Scratch of traces.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    legs: Vec<Leg>,
    goal_legs: Vec<Leg>,
    unpack: Unpack,
    nodes: Vec<u32>,
}

impl Trace {
    /// Writes the nodes of the path that a search found.
    pub(super) fn path(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        search: &BlockSearch,
        nodes: &mut Vec<NodeId>,
    ) -> Result<(), Unsuitable> {
        let (start, goal) = (&search.start, &search.goal);
        self.nodes.clear();
        self.nodes.push(start.node.index());
        if search.is_direct {
            if start.node != goal.node {
                let block = store.block(LevelId::Fine, start.fine_block);
                (start.flood).path_from_source(&block.cells, goal.cell, &mut self.nodes);
                self.nodes.push(goal.node.index());
            }
        } else {
            let at = meeting_cell(store, search);
            let last = self.find_legs(nav_graph, store, search, at)?;
            let legs = std::mem::take(&mut self.legs);
            for leg in &legs {
                (self.unpack).append(nav_graph, store, *leg, &mut self.nodes)?;
            }
            self.legs = legs;
            if last != goal.node.index() {
                // Unpacking may have evicted it.
                store.ensure_frame(nav_graph, LevelId::Fine, goal.fine_block)?;
                let block = store.block(LevelId::Fine, goal.fine_block);
                if let Some(cell) = cell_of(block, last) {
                    (goal.flood).path_to_source(&block.cells, cell, &mut self.nodes);
                }
                self.nodes.push(goal.node.index());
            }
        }
        nodes.clear();
        nodes.extend(self.nodes.iter().map(|node| NodeId::from_index(*node)));
        Ok(())
    }

    /// Writes the nodes of the path from the start to a frame cell that the search has reached, and
    /// returns its cost.
    pub(super) fn path_to_frame_cell(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        search: &BlockSearch,
        at: (u32, usize),
        nodes: &mut Vec<NodeId>,
    ) -> Result<(), Unsuitable> {
        self.nodes.clear();
        self.nodes.push(search.start.node.index());
        self.find_start_legs(nav_graph, store, search, at)?;
        let legs = std::mem::take(&mut self.legs);
        for leg in &legs {
            (self.unpack).append(nav_graph, store, *leg, &mut self.nodes)?;
        }
        self.legs = legs;
        nodes.clear();
        nodes.extend(self.nodes.iter().map(|node| NodeId::from_index(*node)));
        Ok(())
    }

    /// Finds the legs of the whole path over frame cell `at` of the goal's block, and appends the
    /// nodes from the start to the first one. Returns the node where the last one ends.
    fn find_legs(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        search: &BlockSearch,
        at: (u32, usize),
    ) -> Result<u32, Unsuitable> {
        self.find_start_legs(nav_graph, store, search, at)?;
        let (level, goal) = (search.level, &search.goal);
        let mut last = store.block(level, at.0).frame.nodes[at.1];
        if level == LevelId::Coarse && !goal.is_on_frame {
            let fine = child_of(store, at);
            let scope = Scope {
                nav_graph,
                level: LevelId::Fine,
                direction: FloodDirection::To,
                within: Some(store.coarse.block(goal.block).at),
                lower_bound: None,
            };
            self.goal_legs.clear();
            let target = Target::Flood(goal);
            let (block, i) = walk(store, &scope, fine, target, &mut self.goal_legs)?;
            last = store.fine.block(block).frame.nodes[i];
            self.legs.append(&mut self.goal_legs);
        }
        Ok(last)
    }

    /// Finds the legs from the start to frame cell `at`, and appends the nodes from the start to
    /// the first one.
    fn find_start_legs(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        search: &BlockSearch,
        at: (u32, usize),
    ) -> Result<(), Unsuitable> {
        let start = &search.start;
        let mut scope = Scope {
            nav_graph,
            level: search.level,
            direction: FloodDirection::From,
            within: None,
            lower_bound: None,
        };
        self.legs.clear();
        let mut first = walk(store, &scope, at, Target::End(start), &mut self.legs)?;
        if search.level == LevelId::Coarse && !start.is_on_frame {
            first = child_of(store, first);
            scope.level = LevelId::Fine;
            scope.within = Some(store.coarse.block(start.block).at);
            first = walk(store, &scope, first, Target::Flood(start), &mut self.legs)?;
        }
        self.legs.reverse();
        let first = store.block(scope.level, first.0).frame.nodes[first.1];
        let block = store.block(LevelId::Fine, start.fine_block);
        if first != start.node.index()
            && let Some(cell) = cell_of(block, first)
        {
            (start.flood).path_from_source(&block.cells, cell, &mut self.nodes);
            self.nodes.push(first);
        }
        Ok(())
    }
}

/// The frame cell of the goal's block over which the path leads: of equals that nearest to the
/// goal, so that the end of the path is short.
fn meeting_cell(store: &Store, search: &BlockSearch) -> (u32, usize) {
    let goal = &search.goal;
    let block = store.block(search.level, goal.block);
    let sums = block.costs.iter().zip(&goal.costs).map(|(a, b)| a + b);
    let meeting = (0..).zip(sums).filter(|(_, sum)| *sum == search.cost);
    let nearest = meeting.min_by_key(|(i, _)| goal.costs[*i]);
    (goal.block, nearest.map_or(0, |(i, _)| i))
}

/// Collects legs from frame cell `at` to the target; returns where they meet it. Paths to an end
/// are walked forwards, paths from it backwards.
pub(super) fn walk(
    store: &mut Store,
    scope: &Scope<'_>,
    mut at: (u32, usize),
    target: Target<'_>,
    legs: &mut Vec<Leg>,
) -> Result<(u32, usize), Unsuitable> {
    loop {
        let copies = copies(store, scope.level, at);
        if let Some(met) = met(store, scope.level, &copies, target) {
            return Ok(met);
        }
        let (leg, next) = step(store, scope, &copies)?;
        legs.push(leg);
        at = next;
    }
}

/// A frame cell in all blocks that contain it, its own first.
type Copies = [Option<(u32, usize)>; 4];

fn copies(store: &mut Store, level: LevelId, (number, i): (u32, usize)) -> Copies {
    let frame = &store.block(level, number).frame;
    let segment = frame.segment_at(i);
    let offset = i - usize::from(frame.starts[segment]);
    let mut copies = [Some((number, i)), None, None, None];
    for (copy, &(direction, there)) in copies[1..].iter_mut().zip(TWINS[segment]) {
        let twin = store.level_mut(level).neighbor(number, direction);
        let block = store.block(level, twin);
        if block.stamp == store.stamp {
            *copy = Some((twin, usize::from(block.frame.starts[there]) + offset));
        }
    }
    copies
}

/// The copy of a frame cell that meets the target.
fn met(store: &Store, level: LevelId, copies: &Copies, target: Target<'_>) -> Option<(u32, usize)> {
    copies.iter().flatten().copied().find(|&(number, i)| {
        let block = store.block(level, number);
        match target {
            Target::Node(node) => block.frame.nodes[i] == node,
            Target::End(end) => number == end.block && end.costs[i] <= block.costs[i],
            Target::Flood(end) if end.is_on_fine_frame => block.frame.nodes[i] == end.node.index(),
            Target::Flood(end) => {
                let cell = usize::from(block.frame.numbers[i]);
                number == end.fine_block && end.flood.costs[cell] <= block.costs[i]
            }
        }
    })
}

/// The leg that ends at a frame cell and where it begins; for paths to a goal the leg that begins
/// there and where it ends.
fn step(
    store: &mut Store,
    scope: &Scope<'_>,
    copies: &Copies,
) -> Result<(Leg, (u32, usize)), Unsuitable> {
    let level = scope.level;
    let is_forward = scope.direction == FloodDirection::To;
    // The least sum, then the least cost.
    let mut best = (INFINITE, INFINITE);
    let mut found = None;
    for (number, i) in copies.iter().flatten().copied() {
        store.ensure_table(scope.nav_graph, level, number)?;
        let block = store.block(level, number);
        if !scope.covers(block.at) {
            continue;
        }
        // Forwards the rest of the path begins at `i`, backwards the part before ends there.
        let direction = match scope.direction {
            FloodDirection::From => FloodDirection::To,
            FloodDirection::To => FloodDirection::From,
        };
        let least = best.0.min(block.costs[i]);
        let costs = &block.costs;
        (block.table).for_each_within(i, direction, costs, least, |j, cost, sum| {
            if (sum, cost) < best && j != i {
                best = (sum, cost);
                let (from, to) = if is_forward { (i, j) } else { (j, i) };
                let leg = Leg {
                    level,
                    block: number,
                    from: index(from),
                    to: index(to),
                    end: block.frame.nodes[to],
                };
                found = Some((leg, (number, j)));
            }
        });
    }
    if scope.within.is_none()
        && let Some((number, i)) = copies[0]
    {
        let here = store.block(level, number).frame.nodes[i];
        for (from, cost) in link_starts(scope.nav_graph, NodeId::from_index(here)) {
            let Some((number, j)) = locate(store, scope, from)? else {
                continue;
            };
            let known = store.block(level, number).costs[j];
            if (known.saturating_add(cost), known) < best {
                best = (known.saturating_add(cost), known);
                let (block, from, to, end) = (NO_BLOCK, 0, 0, here);
                let leg = Leg {
                    level,
                    block,
                    from,
                    to,
                    end,
                };
                found = Some((leg, (number, j)));
            }
        }
    }
    Ok(found.expect("a cost comes from the costs before it"))
}

/// The nodes from which a nav link leads to `node`, with its cost.
fn link_starts(nav_graph: NavGraph<'_>, node: NodeId) -> impl Iterator<Item = (NodeId, i32)> {
    let cell = nav_graph.cell(node);
    let keys = nav_graph.profile().keys;
    let nav_links = nav_graph.nav_links_in(SectorId::from_column(cell.column()));
    let admitting = nav_links
        .iter()
        .filter(move |nav_link| nav_link.state.admits(keys));
    admitting.flat_map(move |nav_link| {
        let is_bidirectional = nav_link.direction == LinkDirection::Bidirectional;
        let there = (nav_link.to == cell).then_some(nav_link.from);
        let back = (nav_link.from == cell && is_bidirectional).then_some(nav_link.to);
        let cost = i32::try_from(nav_link.cost.units()).unwrap_or(INFINITE);
        let starts = there.into_iter().chain(back);
        starts.filter_map(move |start| Some((nav_graph.node(start)?, cost.min(INFINITE))))
    })
}

/// A frame cell of a block of 32 in the child that contains it.
pub(super) fn child_of(store: &Store, (number, i): (u32, usize)) -> (u32, usize) {
    let block = store.coarse.block(number);
    let (child, i) = block.frame.origins[i];
    (block.children[usize::from(child)], usize::from(i))
}

/// The number of a frame cell, by node, among the cells of its block of 16.
fn cell_of(block: &super::store::Block, node: u32) -> Option<usize> {
    let i = block.frame.nodes.iter().position(|known| *known == node)?;
    Some(usize::from(block.frame.numbers[i]))
}

fn index(i: usize) -> u16 {
    u16::try_from(i).expect("a block has few frame cells")
}
