//! A\* over the abstract graph of one level: the components of clusters.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::Cell;
use wayfarer_base::collections::FastMap;
use wayfarer_world::ground::{AbstractEdge, AbstractNodeId, ProfileGround};

use super::cluster_center;

const NONE: u32 = u32::MAX;

/// The abstract planner and its reusable memory.
///
/// Weighted A\* \[Pohl1970\] with unit edge costs; the heuristic is 5/4 of the Manhattan distance
/// between clusters. Unless nav links skip clusters, a path has at most 5/4 of the minimal number of
/// clusters. Ties: nearest to the straight line from start to goal, then lowest h, then generated
/// first; neighbors are generated in an order that follows from their positions. A path thus follows
/// from the ground and the ends alone, not from abstract node ids.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractPlanner {
    records: Vec<Record>,
    numbers: FastMap<AbstractNodeId, u32>,
    open: BinaryHeap<Reverse<Entry>>,
    neighbors: Vec<Neighbor>,
}

/// A neighbor of the expanded node, its cluster, and the first cell that an edge leads to other than
/// over a side.
#[derive(Clone, Copy, Debug)]
struct Neighbor {
    cluster: (i32, i32),
    node: AbstractNodeId,
    exit: Option<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    node: AbstractNodeId,
    cluster: (i32, i32),
    g: u32,
    parent: u32,
}

/// f, distance from the straight line, h, record number; the lowest comes first.
type Entry = (u32, u64, u32, u32);

/// The ends of a search, and what it may lead through.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannerTask<'t> {
    pub(super) start: AbstractNodeId,
    /// The goal; `None` for any node within the last of `through`.
    pub(super) goal: Option<AbstractNodeId>,
    /// Nodes of the next wider level that the path must stay in; empty for no limit.
    pub(super) through: &'t [AbstractNodeId],
    /// The straight line that breaks ties.
    pub(super) line: Line,
}

/// From which cluster to which.
pub(super) type Line = ((i32, i32), (i32, i32));

impl AbstractPlanner {
    /// Appends the nodes from the start, excluded, to the goal to `nodes`; false if there is no
    /// path.
    pub(super) fn find(
        &mut self,
        ground: ProfileGround<'_>,
        task: &PlannerTask<'_>,
        nodes: &mut Vec<AbstractNodeId>,
    ) -> bool {
        let Some(mut at) = self.search(ground, task) else {
            return false;
        };
        let first = nodes.len();
        while self.records[at as usize].parent != NONE {
            let record = self.records[at as usize];
            nodes.push(record.node);
            at = record.parent;
        }
        nodes[first..].reverse();
        true
    }

    /// The number of the goal's record; `None` if there is no path.
    fn search(&mut self, ground: ProfileGround<'_>, task: &PlannerTask<'_>) -> Option<u32> {
        self.records.clear();
        self.numbers.clear();
        self.open.clear();
        let (low, high) = if let Some(goal) = task.goal {
            (ground.cluster_of(goal), ground.cluster_of(goal))
        } else {
            let (x, y) = ground.cluster_of(*task.through.last()?);
            ((x * 4, y * 4), (x * 4 + 3, y * 4 + 3))
        };
        let (first, last) = task.line;
        let line = (i64::from(last.0 - first.0), i64::from(last.1 - first.1));
        let h = |(x, y): (i32, i32)| {
            let outside = |at: i32, low: i32, high: i32| at.abs_diff(at.clamp(low, high));
            outside(x, low.0, high.0) + outside(y, low.1, high.1)
        };
        let entry = |record: &Record, number: u32| {
            let (x, y) = record.cluster;
            let h = h(record.cluster);
            let (dx, dy) = (i64::from(x - first.0), i64::from(y - first.1));
            let off_line = (dx * line.1 - dy * line.0).unsigned_abs();
            Reverse((record.g * 4 + h * 5, off_line, h, number))
        };
        let record = Record {
            node: task.start,
            cluster: ground.cluster_of(task.start),
            g: 0,
            parent: NONE,
        };
        self.records.push(record);
        self.numbers.insert(task.start, 0);
        self.open.push(entry(&record, 0));
        while let Some(Reverse((f, _, h, number))) = self.open.pop() {
            let from = self.records[number as usize];
            if from.g * 4 + h * 5 != f {
                continue; // A shorter path was found since.
            }
            let is_goal = match task.goal {
                Some(goal) => from.node == goal,
                None => h == 0 && ground.abstract_parent(from.node) == task.through.last().copied(),
            };
            if is_goal {
                return Some(number);
            }
            self.collect_neighbors(ground, from.node, from.cluster);
            for index in 0..self.neighbors.len() {
                let Neighbor { cluster, node, .. } = self.neighbors[index];
                let record = Record {
                    node,
                    cluster,
                    g: from.g + 1,
                    parent: number,
                };
                let next = u32::try_from(self.records.len()).unwrap_or(NONE);
                let known = match self.numbers.get(&node) {
                    Some(known) => *known,
                    None => {
                        let is_inside = || {
                            let parent = ground.abstract_parent(node);
                            parent.is_some_and(|parent| task.through.contains(&parent))
                        };
                        if !task.through.is_empty() && !is_inside() {
                            continue;
                        }
                        self.numbers.insert(node, next);
                        next
                    }
                };
                if known == next {
                    self.records.push(record);
                } else if record.g < self.records[known as usize].g {
                    self.records[known as usize] = record;
                } else {
                    continue;
                }
                self.open.push(entry(&record, known));
            }
        }
        None
    }

    /// The neighbors of a node, each once: those across the sides, then all others in the order of
    /// their clusters and cells.
    fn collect_neighbors(
        &mut self,
        ground: ProfileGround<'_>,
        node: AbstractNodeId,
        cluster: (i32, i32),
    ) {
        let neighbors = &mut self.neighbors;
        neighbors.clear();
        let mut n_adjacent = 0;
        ground.for_each_abstract_neighbor(node, |next, edge| {
            let known = neighbors.iter_mut().find(|known| known.node == next);
            match (known, edge) {
                (Some(known), AbstractEdge::Exit(to)) => known.exit = known.exit.min(to),
                (Some(_), AbstractEdge::Side(_)) => {}
                (None, AbstractEdge::Side(side)) => {
                    let (dx, dy) = side.offset();
                    neighbors.push(Neighbor {
                        cluster: (cluster.0 + dx, cluster.1 + dy),
                        node: next,
                        exit: None,
                    });
                    n_adjacent += 1;
                }
                (None, AbstractEdge::Exit(exit)) => neighbors.push(Neighbor {
                    cluster: ground.cluster_of(next),
                    node: next,
                    exit,
                }),
            }
        });
        // A node of a wider level has no cell of its own.
        let cell = |one: &Neighbor| {
            let node = ground.cell_in(one.node, cluster_center(one.cluster));
            (node.map(|node| ground.cell(node)), one.exit)
        };
        neighbors[n_adjacent..].sort_by(|a, b| {
            let rows = |one: &Neighbor| (one.cluster.1, one.cluster.0);
            rows(a).cmp(&rows(b)).then_with(|| cell(a).cmp(&cell(b)))
        });
    }
}
