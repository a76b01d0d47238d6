//! The method `jps` over a flat map, answering as the flat methods do.

use wayfarer::base::{Cell, Location, Outcome, RequestError, SearchObserver};
use wayfarer::search::dense::{DensePath, DenseRequest};
use wayfarer::search::ground::jps::{JpsSearcher, Query, find, write_cells};
use wayfarer::world::dense::DenseGround;
use wayfarer::world::ground::{Ground, NodeId};

/// A flat map as ground that changes, with what searching it needs.
pub(crate) struct Plain<'g> {
    dense: &'g DenseGround,
    ground: Ground,
    searcher: JpsSearcher,
    nodes: Vec<NodeId>,
}

impl<'g> Plain<'g> {
    pub(crate) fn new(dense: &'g DenseGround) -> Self {
        Self {
            dense,
            ground: Ground::from_raster(dense.raster()),
            searcher: JpsSearcher::default(),
            nodes: Vec::new(),
        }
    }

    /// The cell's number, or what is in the way.
    fn node(&self, cell: Cell) -> Result<NodeId, &'static str> {
        let obstacle = self.dense.blocked_reason(cell);
        match (self.ground.node(cell), obstacle) {
            (Some(node), None) => Ok(node),
            (_, reason) => Err(reason.unwrap_or("there is no floor")),
        }
    }

    /// Finds a shortest path; of the request only the ends and the budget count.
    pub(crate) fn find(
        &mut self,
        request: &DenseRequest,
        observer: &mut impl SearchObserver,
    ) -> Result<Outcome<DensePath>, RequestError> {
        let [start, goal] = [request.start, request.goal].map(Location::Cell);
        let query = Query {
            start: self
                .node(request.start)
                .map_err(|reason| RequestError::StartBlocked { at: start, reason })?,
            goal: self
                .node(request.goal)
                .map_err(|reason| RequestError::GoalBlocked { at: goal, reason })?,
            budget: request.budget,
        };
        let (searcher, nodes) = (&mut self.searcher, &mut self.nodes);
        let outcome = find(&self.ground, searcher, &query, observer, nodes);
        let expansions = searcher.stats().expansions;
        Ok(outcome.map(|cost| {
            let mut cells = Vec::new();
            write_cells(&self.ground, nodes, &mut cells);
            DensePath {
                cells,
                cost,
                revision: self.dense.revision(),
                expansions,
            }
        }))
    }
}
