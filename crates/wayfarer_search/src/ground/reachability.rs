//! How far one can get: cells within a cost, the nearest of many targets, a cell drawn at random.

use wayfarer_base::{Budget, Cell, Cost, Location, RequestError, Rng};
use wayfarer_world::ground::NodeId;

use super::dijkstra_sweep::{DijkstraSweep, Span, SweepDirection};
use super::nav_graph::NavGraph;

/// The memory that questions about reach reuse.
///
/// ```
/// use wayfarer_base::{Budget, Cell, Cost, Raster};
/// use wayfarer_search::ground::ReachabilitySearcher;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(5, 1, vec![0; 5]).unwrap());
/// let mut searcher = ReachabilitySearcher::default();
/// let two_steps = Cost::from_units(2 * Cost::STRAIGHT.units());
/// let reach = searcher.within_cost(&ground, Cell::flat(1, 0), two_steps, Budget::UNLIMITED)?;
/// assert_eq!(reach.len(), 4);
/// assert_eq!(reach.cost_to(Cell::flat(0, 0)), Some(Cost::STRAIGHT));
/// assert_eq!(reach.cost_to(Cell::flat(4, 0)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReachabilitySearcher {
    pub(super) spread: DijkstraSweep,
    /// Spreads from the goal, to explain why there is no way.
    pub(super) back: DijkstraSweep,
    sought: Vec<(u32, usize)>,
    found: Vec<NearestTarget>,
}

/// The cells that can be reached from one within a cost; lives in the searcher's memory until its
/// next question.
#[derive(Clone, Copy, Debug)]
pub struct ReachableSet<'a> {
    nav_graph: NavGraph<'a>,
    spread: &'a DijkstraSweep,
    is_complete: bool,
}

/// A target, and what it costs to get there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearestTarget {
    /// Its position in the list of targets.
    pub index: usize,
    /// What the way costs.
    pub cost: Cost,
}

impl ReachabilitySearcher {
    /// Everything that can be reached from `from` at no more than `limit`.
    ///
    /// # Errors
    /// If one cannot stand at `from`.
    pub fn within_cost<'a>(
        &'a mut self,
        nav_graph: impl Into<NavGraph<'a>>,
        from: Cell,
        limit: Cost,
        budget: Budget,
    ) -> Result<ReachableSet<'a>, RequestError> {
        let nav_graph = nav_graph.into();
        let start = start_node(nav_graph, from)?;
        let sources = [start];
        let span = Span {
            limit,
            budget,
            ..Span::new(&sources, SweepDirection::Out)
        };
        let is_complete = self.spread.run(nav_graph, span, |_, _| true);
        Ok(ReachableSet {
            nav_graph,
            spread: &self.spread,
            is_complete,
        })
    }

    /// The `n_wanted` targets that are the cheapest to get to from `from`, by rising cost; of
    /// equals the first in the list. Fewer if not so many can be reached within the budget. A
    /// target that is in the list twice is found twice. The list lives in the searcher's memory.
    ///
    /// # Errors
    /// If one cannot stand at `from`.
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
        let home = nav_graph.component(start);
        let Self { sought, found, .. } = self;
        sought.clear();
        found.clear();
        let nodes = targets
            .iter()
            .enumerate()
            .filter_map(|(index, cell)| Some((nav_graph.node(*cell)?, index)))
            .filter(|(node, _)| nav_graph.component(*node) == home);
        sought.extend(nodes.map(|(node, index)| (node.index(), index)));
        sought.sort_unstable();
        let n_wanted = n_wanted.min(sought.len());
        if n_wanted == 0 {
            return Ok(found);
        }
        let visit = |node: NodeId, cost: Cost| {
            // All that cost the same are gathered before the first in the list is chosen.
            if found.len() >= n_wanted && found.last().is_some_and(|last| last.cost < cost) {
                return false;
            }
            let first = sought.partition_point(|(at, _)| *at < node.index());
            let here = sought[first..].iter();
            let here = here.take_while(|(at, _)| *at == node.index());
            found.extend(here.map(|(_, index)| NearestTarget {
                index: *index,
                cost,
            }));
            true
        };
        let sources = [start];
        let span = Span {
            budget,
            ..Span::new(&sources, SweepDirection::Out)
        };
        self.spread.run(nav_graph, span, visit);
        found.sort_unstable_by_key(|target| (target.cost, target.index));
        found.truncate(n_wanted);
        Ok(found)
    }

    /// A cell drawn at random from all that can be reached from `from` at no more than `limit`, each
    /// alike likely; equal seeds give equal cells.
    ///
    /// # Errors
    /// If one cannot stand at `from`.
    pub fn random_reachable<'g>(
        &mut self,
        nav_graph: impl Into<NavGraph<'g>>,
        from: Cell,
        limit: Cost,
        seed: u64,
        budget: Budget,
    ) -> Result<Cell, RequestError> {
        let nav_graph = nav_graph.into();
        self.within_cost(nav_graph, from, limit, budget)?;
        let records = self.spread.arena.records();
        let n_cells = u32::try_from(records.len()).unwrap_or(u32::MAX);
        let drawn = Rng::new(seed).below(n_cells) as usize;
        let drawn = records.get(drawn);
        Ok(drawn.map_or(from, |record| {
            nav_graph.cell(NodeId::from_index(record.node))
        }))
    }
}

impl ReachableSet<'_> {
    /// How many cells there are, the first included.
    pub fn len(&self) -> usize {
        self.spread.arena.records().len()
    }

    /// Never: the first cell belongs to it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells with what it costs to get there, in the order they were come to: one that
    /// follows from the ground alone.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Cost)> {
        self.spread.arena.records().iter().map(|record| {
            let cell = self.nav_graph.cell(NodeId::from_index(record.node));
            (cell, Cost::from_units(record.cost))
        })
    }

    /// What it costs to get to a cell; `None` if that is not within the limit.
    pub fn cost_to(&self, cell: Cell) -> Option<Cost> {
        self.spread.cost(self.nav_graph.node(cell)?)
    }

    /// True if the budget was enough; else costs of the cells farthest away may be too high, and
    /// some cells be missing.
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
