//! The graph of a whole streamed world, always in memory: tiles, their components and the crossings
//! between them.
//!
//! It is exact: a path leads from a cell to another exactly if they are in one component of a window, or
//! their components are joined through crossings and one-way links. Components are found by union-find over all
//! lines, once after edits that changed a line. Paths are planned by weighted A\* \[Pohl1970\] over
//! crossings, the octile distance between their middles standing for what the tile costs, as in HPA\*
//! \[Botea2004\] without distances inside clusters: a plan can be walked, its cost has no bound. Flights are
//! planned alike, by straight distances between voxels of [walls](super::air_lines).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_engine::base::collections::{FastMap, OrderedSet};
use wayfarer_engine::base::{Cell, Column, Cost};

use super::air_lines;
use super::layout::Grid;
use super::lines::{Crossing, Lines, OneWay, Run, Side, crossings};
use super::parts::{root_of, unite};

/// The graph of one agent type.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// By tile.
    lines: Vec<Lines>,
    lines_bytes: usize,
    /// The highest voxel of the air if agents of the type fly.
    top: Option<i32>,
    components: Option<Components>,
}

/// The components of the whole world.
#[derive(Clone, Debug)]
struct Components {
    /// For each tile, the place of its first label.
    first: Vec<u32>,
    /// For each label of each tile, the least label of its component.
    roots: Vec<u32>,
    /// One-way links from one component into another, sorted.
    edges: Vec<(u32, u32)>,
}

impl Components {
    /// True if a path leads from a component into another.
    fn leads(&self, from: u32, to: u32) -> bool {
        let mut reached: OrderedSet<u32> = OrderedSet::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            let first = self.edges.partition_point(|(from, _)| *from < at);
            let edges = self.edges[first..].iter();
            for (_, next) in edges.take_while(|(from, _)| *from == at) {
                if reached.insert(*next) {
                    open.push(*next);
                }
            }
        }
        false
    }
}

/// A place in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) tile: u32,
    pub(super) label: u32,
    pub(super) cell: Cell,
}

/// A crossing on the plan of a path, from one tile into the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) from: u32,
    pub(super) into: u32,
    /// The line: that of the western or northern side of this tile.
    pub(super) owner: u32,
    pub(super) is_west: bool,
    pub(super) crossing: Crossing,
    /// Instead of a crossing, a link inside a tile.
    pub(super) link: Option<OneWay>,
}

impl Step {
    /// The column of a cell of its crossing.
    pub(super) fn column(&self, grid: &Grid, offset: u16) -> Column {
        let low = grid.corner(self.owner);
        let offset = i32::from(offset);
        if self.is_west {
            Column::new(low.x, low.y + offset)
        } else {
            Column::new(low.x + offset, low.y)
        }
    }

    pub(super) fn middle(&self, grid: &Grid) -> Cell {
        if let Some(link) = self.link {
            return link.to;
        }
        let run = self.crossing.low;
        let column = self.column(grid, run.start + run.len / 2);
        column.at(run.z + i32::from(self.crossing.height / 2))
    }

    /// The component in the tile that it leads into.
    const fn label(&self) -> u32 {
        if self.into == self.owner {
            self.crossing.high
        } else {
            self.crossing.low.label
        }
    }
}

/// A crossing that the search has reached.
struct Node {
    step: Step,
    cost: u64,
    parent: Option<usize>,
    is_closed: bool,
}

impl Graph {
    /// The graph of all lines, or of all walls under the highest voxel `top`.
    pub(super) fn new(lines: Vec<Lines>, top: Option<i32>) -> Self {
        let bytes = |lines: &Lines| lines.heap_bytes() + size_of::<Lines>();
        Self {
            lines_bytes: lines.iter().map(bytes).sum(),
            lines,
            top,
            components: None,
        }
    }

    pub(super) fn lines(&self, tile: u32) -> &Lines {
        &self.lines[tile as usize]
    }

    /// Replaces the lines of a tile; true if they differ.
    pub(super) fn set(&mut self, tile: u32, lines: Lines) -> bool {
        let old = &mut self.lines[tile as usize];
        if *old == lines {
            return false;
        }
        self.lines_bytes = self.lines_bytes + lines.heap_bytes() - old.heap_bytes();
        *old = lines;
        self.components = None;
        true
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let components = self.components.as_ref();
        let components = components.map_or(0, |found| {
            (found.first.len() + found.roots.len() + 2 * found.edges.len()) * 4
        });
        self.lines_bytes + components
    }

    /// True if a path leads from a component of a tile into another.
    pub(super) fn is_reachable(&mut self, grid: &Grid, a: (u32, u32), b: (u32, u32)) -> bool {
        let components = match self.components.take() {
            Some(components) => components,
            None => self.join(grid),
        };
        let components = self.components.insert(components);
        let root = |(tile, label): (u32, u32)| {
            components.roots[(components.first[tile as usize] + label) as usize]
        };
        components.leads(root(a), root(b))
    }

    /// The crossings from a place to a place, with the tiles that they lead through; `None` if there is
    /// no path.
    pub(super) fn plan(&mut self, grid: &Grid, from: Place, to: Place) -> Option<Vec<Step>> {
        if (from.tile, from.label) == (to.tile, to.label) {
            return Some(Vec::new());
        }
        let is_reachable = self.is_reachable(grid, (from.tile, from.label), (to.tile, to.label));
        is_reachable.then(|| Search::new(self, grid, to).run(from))
    }

    /// Calls `visit` with every step out of a component of a tile.
    fn for_each_step(
        &self,
        grid: &Grid,
        (tile, label): (u32, u32),
        buffer: &mut Vec<Crossing>,
        mut visit: impl FnMut(Step),
    ) {
        for (side, into) in neighbors(grid, tile) {
            let is_own = matches!(side, Side::West | Side::North);
            let owner = if is_own { tile } else { into };
            let is_west = matches!(side, Side::West | Side::East);
            self.crossings_of(owner, is_west, if is_own { into } else { tile }, buffer);
            for crossing in buffer.iter() {
                let here = if is_own {
                    crossing.high
                } else {
                    crossing.low.label
                };
                if here == label {
                    visit(Step {
                        from: tile,
                        into,
                        owner,
                        is_west,
                        crossing: *crossing,
                        link: None,
                    });
                }
            }
        }
        let links = (0..).zip(&self.lines(tile).one_way);
        for (number, link) in links.filter(|(_, link)| link.labels.0 == label) {
            visit(link_step(tile, number, *link));
        }
    }

    /// The crossings between a tile and its western or northern neighbor.
    fn crossings_of(&self, tile: u32, is_west: bool, neighbor: u32, found: &mut Vec<Crossing>) {
        let (low, high) = if is_west {
            (Side::East, Side::West)
        } else {
            (Side::South, Side::North)
        };
        let (low, high) = (self.lines(neighbor).line(low), self.lines(tile).line(high));
        match self.top {
            Some(top) => air_lines::crossings(low, high, top, found),
            None => crossings(low, high, found),
        }
    }

    /// Union-find over the labels of all tiles.
    fn join(&self, grid: &Grid) -> Components {
        let mut first = Vec::with_capacity(self.lines.len());
        let mut n_labels = 0_u32;
        for lines in &self.lines {
            first.push(n_labels);
            n_labels += lines.n_labels;
        }
        let mut roots: Vec<u32> = (0..n_labels).collect();
        let mut found = Vec::new();
        for tile in 0..grid.n_tiles() {
            for (side, neighbor) in neighbors(grid, tile) {
                if matches!(side, Side::East | Side::South) {
                    continue;
                }
                self.crossings_of(tile, side == Side::West, neighbor, &mut found);
                for crossing in &found {
                    let a = first[neighbor as usize] + crossing.low.label;
                    let b = first[tile as usize] + crossing.high;
                    unite(&mut roots, a, b);
                }
            }
        }
        for label in 0..n_labels {
            let root = root_of(&mut roots, label);
            roots[label as usize] = root;
        }
        let mut edges = Vec::new();
        for (lines, first) in self.lines.iter().zip(&first) {
            let links = lines.one_way.iter();
            let root = |label: u32| roots[(first + label) as usize];
            edges.extend(links.map(|link| (root(link.labels.0), root(link.labels.1))));
        }
        edges.retain(|(from, to)| from != to);
        edges.sort_unstable();
        edges.dedup();
        Components {
            first,
            roots,
            edges,
        }
    }

    /// The distance that stands for what a tile costs between two places.
    fn distance(&self, a: Cell, b: Cell) -> u64 {
        let (x, y) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        if self.top.is_none() {
            return Cost::octile(x, y).units().into();
        }
        let square = [x, y, a.z.abs_diff(b.z)].map(|part| u64::from(part).pow(2));
        // In 1/256 of a voxel; sides are below 2^23 voxels.
        (square.iter().sum::<u64>() << 16).isqrt()
    }
}

/// The step along a one-way link. Its crossing begins beyond the end of every line, so that it is no other's.
const fn link_step(tile: u32, number: i32, link: OneWay) -> Step {
    let (from, high) = link.labels;
    let low = Run {
        z: number,
        start: u16::MAX,
        len: 1,
        label: from,
    };
    Step {
        from: tile,
        into: tile,
        owner: tile,
        is_west: false,
        crossing: Crossing {
            low,
            high,
            height: 1,
        },
        link: Some(link),
    }
}

/// The neighbors of a tile.
fn neighbors(grid: &Grid, tile: u32) -> impl Iterator<Item = (Side, u32)> + use<> {
    let (x, y) = (tile % grid.n_x, tile / grid.n_x);
    let n_x = grid.n_x;
    let all = [
        (x > 0).then(|| (Side::West, tile - 1)),
        (y > 0).then(|| (Side::North, tile - n_x)),
        (x + 1 < grid.n_x).then(|| (Side::East, tile + 1)),
        (y + 1 < grid.n_y).then(|| (Side::South, tile + n_x)),
    ];
    all.into_iter().flatten()
}

/// Weighted A\* over crossings.
struct Search<'g> {
    graph: &'g Graph,
    grid: &'g Grid,
    goal: Place,
    nodes: Vec<Node>,
    /// Owner of the line, side, direction and first cell of a crossing, to its node.
    known: FastMap<(u32, bool, bool, u16, i32), usize>,
    /// Estimated total, rest, order, node.
    open: BinaryHeap<Reverse<(u64, u64, usize, usize)>>,
    n_pushed: usize,
}

/// The weight of the heuristic, in quarters.
const WEIGHT: u64 = 5;

impl<'g> Search<'g> {
    fn new(graph: &'g Graph, grid: &'g Grid, goal: Place) -> Self {
        Self {
            graph,
            grid,
            goal,
            nodes: Vec::new(),
            known: FastMap::default(),
            open: BinaryHeap::new(),
            n_pushed: 0,
        }
    }

    /// The steps from a place in the component of the goal.
    fn run(mut self, from: Place) -> Vec<Step> {
        let mut buffer = Vec::new();
        self.expand(None, (from.tile, from.label), from.cell, &mut buffer);
        while let Some(Reverse((_, _, _, node))) = self.open.pop() {
            if self.nodes[node].is_closed {
                continue;
            }
            self.nodes[node].is_closed = true;
            let step = self.nodes[node].step;
            let at = (step.into, step.label());
            if at == (self.goal.tile, self.goal.label) {
                return self.steps_to(node);
            }
            let middle = step.middle(self.grid);
            self.expand(Some(node), at, middle, &mut buffer);
        }
        unreachable!("start and goal are in one component")
    }

    fn expand(
        &mut self,
        parent: Option<usize>,
        at: (u32, u32),
        cell: Cell,
        buffer: &mut Vec<Crossing>,
    ) {
        let (graph, grid) = (self.graph, self.grid);
        let cost = parent.map_or(0, |parent| self.nodes[parent].cost);
        graph.for_each_step(grid, at, buffer, |step| {
            let along =
                |link: OneWay| graph.distance(cell, link.from) + graph.distance(link.from, link.to);
            let across = || graph.distance(cell, step.middle(grid));
            let cost = cost + step.link.map_or_else(across, along);
            self.reach(parent, step, cost);
        });
    }

    fn reach(&mut self, parent: Option<usize>, step: Step, cost: u64) {
        let run = step.crossing.low;
        let is_high = step.into == step.owner;
        let key = (step.owner, step.is_west, is_high, run.start, run.z);
        let node = match self.known.get(&key) {
            Some(&node) if self.nodes[node].is_closed || self.nodes[node].cost <= cost => return,
            Some(&node) => node,
            None => {
                self.known.insert(key, self.nodes.len());
                self.nodes.push(Node {
                    step,
                    cost,
                    parent,
                    is_closed: false,
                });
                self.nodes.len() - 1
            }
        };
        self.nodes[node].cost = cost;
        self.nodes[node].parent = parent;
        let rest = self.graph.distance(step.middle(self.grid), self.goal.cell);
        let total = 4 * cost + WEIGHT * rest;
        self.open.push(Reverse((total, rest, self.n_pushed, node)));
        self.n_pushed += 1;
    }

    fn steps_to(&self, node: usize) -> Vec<Step> {
        let parents = std::iter::successors(Some(node), |node| self.nodes[*node].parent);
        let mut steps: Vec<Step> = parents.map(|node| self.nodes[node].step).collect();
        steps.reverse();
        steps
    }
}
