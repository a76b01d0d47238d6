//! Reachability queries by Dijkstra: cells within a cost, nearest targets, a random reachable cell.

use wayfarer_base::{Budget, Cell, Cost, Location, RequestError, Rng};
use wayfarer_world::ground::NodeId;

use super::dijkstra_sweep::{DijkstraSweep, SweepDirection, SweepParams};
use super::nav_graph::NavGraph;

/// The reusable scratch of reachability queries and explanations.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Raster};
/// use wayfarer_search::ground::ReachabilitySearcher;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(5, 1, vec![0; 5]).unwrap());
/// let mut searcher = ReachabilitySearcher::default();
/// let two_steps = Cost::from_units(2 * Cost::STRAIGHT.units());
/// let reachable = searcher.within_cost(&ground, Cell::flat(1, 0), two_steps, Budget::UNLIMITED)?;
/// assert_eq!(reachable.len(), 4);
/// assert_eq!(reachable.cost_to(Cell::flat(0, 0)), Some(Cost::STRAIGHT));
/// assert_eq!(reachable.cost_to(Cell::flat(4, 0)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReachabilitySearcher {
    pub(super) forward: DijkstraSweep,
    /// The sweep from the goals, for explanations.
    pub(super) backward: DijkstraSweep,
    /// Stored cells of the targets with their indices, sorted.
    targets: Vec<(u32, usize)>,
    found: Vec<NearestTarget>,
}

/// The cells reachable from a start within a cost; borrows the searcher's memory.
#[derive(Clone, Copy, Debug)]
pub struct ReachableSet<'a> {
    nav_graph: NavGraph<'a>,
    sweep: &'a DijkstraSweep,
    is_complete: bool,
}

/// A target and the cost to reach it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearestTarget {
    /// Its index in the list of targets.
    pub index: usize,
    /// The cost of the cheapest path.
    pub cost: Cost,
}

impl ReachabilitySearcher {
    /// All cells reachable from `from` at a cost of at most `max_cost`.
    ///
    /// # Errors
    /// If `from` is not walkable.
    pub fn within_cost<'a>(
        &'a mut self,
        nav_graph: impl Into<NavGraph<'a>>,
        from: Cell,
        max_cost: Cost,
        budget: Budget,
    ) -> Result<ReachableSet<'a>, RequestError> {
        let nav_graph = nav_graph.into();
        let start = start_node(nav_graph, from)?;
        let sources = [start];
        let params = SweepParams {
            max_cost,
            budget,
            ..SweepParams::new(&sources, SweepDirection::Forward)
        };
        let is_complete = self.forward.run(nav_graph, params, |_, _| true);
        Ok(ReachableSet {
            nav_graph,
            sweep: &self.forward,
            is_complete,
        })
    }

    /// The `n_wanted` targets that are cheapest to reach from `from`, by rising cost; of equals the
    /// first in the list. Fewer if not so many are reachable within the budget. A target listed
    /// twice is found twice. The result borrows the searcher's memory.
    ///
    /// # Errors
    /// If `from` is not walkable.
    pub fn nearest_of<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        from: Cell,
        targets: &[Cell],
        n_wanted: usize,
        budget: Budget,
    ) -> Result<&[NearestTarget], RequestError> {
        let nav_graph = nav_graph.into();
        let start = start_node(nav_graph, from)?;
        let component = nav_graph.component(start);
        let (stored, found) = (&mut self.targets, &mut self.found);
        stored.clear();
        found.clear();
        let nodes = targets
            .iter()
            .enumerate()
            .filter_map(|(index, cell)| Some((nav_graph.node(*cell)?, index)))
            .filter(|(node, _)| nav_graph.component(*node) == component);
        stored.extend(nodes.map(|(node, index)| (node.index(), index)));
        stored.sort_unstable();
        let n_wanted = n_wanted.min(stored.len());
        if n_wanted == 0 {
            return Ok(found);
        }
        let visit = |node: NodeId, cost: Cost| {
            // Gather all targets of equal cost before choosing the first in the list.
            if found.len() >= n_wanted && found.last().is_some_and(|last| last.cost < cost) {
                return false;
            }
            let first = stored.partition_point(|(at, _)| *at < node.index());
            let here = stored[first..].iter();
            let here = here.take_while(|(at, _)| *at == node.index());
            found.extend(here.map(|(_, index)| NearestTarget {
                index: *index,
                cost,
            }));
            true
        };
        let sources = [start];
        let params = SweepParams {
            budget,
            ..SweepParams::new(&sources, SweepDirection::Forward)
        };
        self.forward.run(nav_graph, params, visit);
        found.sort_unstable_by_key(|target| (target.cost, target.index));
        found.truncate(n_wanted);
        Ok(found)
    }

    /// A random cell of all that are reachable from `from` at a cost of at most `max_cost`, uniformly
    /// distributed; equal seeds give equal cells.
    ///
    /// # Errors
    /// If `from` is not walkable.
    pub fn random_reachable<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        from: Cell,
        max_cost: Cost,
        seed: u64,
        budget: Budget,
    ) -> Result<Cell, RequestError> {
        let nav_graph = nav_graph.into();
        self.within_cost(nav_graph, from, max_cost, budget)?;
        let records = self.forward.arena.records();
        let n_cells = u32::try_from(records.len()).unwrap_or(u32::MAX);
        let drawn = Rng::new(seed).below(n_cells) as usize;
        let drawn = records.get(drawn);
        Ok(drawn.map_or(from, |record| {
            nav_graph.cell(NodeId::from_index(record.node))
        }))
    }
}

impl ReachableSet<'_> {
    /// The number of cells, the start included.
    pub fn len(&self) -> usize {
        self.sweep.arena.records().len()
    }

    /// Always false: the start belongs to the set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells with their costs, in the order of generation, which follows from the ground alone.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Cost)> {
        self.sweep.arena.records().iter().map(|record| {
            let cell = self.nav_graph.cell(NodeId::from_index(record.node));
            (cell, Cost::from_units(record.g))
        })
    }

    /// The cost to reach a cell; `None` if it exceeds the limit.
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.sweep.cost(self.nav_graph.node(cell)?)
    }

    /// True if the budget sufficed; else costs of the farthest cells are upper bounds, and cells
    /// may be missing.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

pub(super) fn start_node(nav_graph: NavGraph<'_>, from: Cell) -> Result<NodeId, RequestError> {
    nav_graph.node(from).ok_or(RequestError::StartBlocked {
        at: Location::Cell(from),
        reason: nav_graph.blocked_reason(from),
    })
}
