//! Jump point search over a flat map, with the requests and results of the dense methods.

use wayfarer_engine::base::{Cell, Location, Outcome, RequestError, SearchObserver};
use wayfarer_engine::search::dense::{DensePath, DenseRequest};
use wayfarer_engine::search::ground::jps::{JpsSearcher, Query, find, write_cells};
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::{Ground, NodeId};

/// A flat map as sparse ground, with the search state.
pub(crate) struct FlatJps<'g> {
    dense: &'g DenseGround,
    ground: Ground,
    searcher: JpsSearcher,
    nodes: Vec<NodeId>,
}

impl<'g> FlatJps<'g> {
    pub(crate) fn new(dense: &'g DenseGround) -> Self {
        Self {
            dense,
            ground: Ground::from_raster(dense.raster()),
            searcher: JpsSearcher::default(),
            nodes: Vec::new(),
        }
    }

    /// The node of a cell, or why it is blocked.
    fn node(&self, cell: Cell) -> Result<NodeId, &'static str> {
        match (self.ground.node(cell), self.dense.blocked_reason(cell)) {
            (Some(node), None) => Ok(node),
            (_, reason) => Err(reason.unwrap_or("there is no floor")),
        }
    }

    /// Finds an optimal path; uses only the endpoints and the budget of the request.
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
                expansions,
            }
        }))
    }
}
