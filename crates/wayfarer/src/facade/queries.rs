//! Queries besides paths: floors, distances, reachable sets, flow fields, line of sight.

use wayfarer_engine::base::{Budget, Cell, Cost};
use wayfarer_engine::search::ground::{NavGraph, NearestTarget};
use wayfarer_engine::world::bodies::Contacts;

use super::World;
use crate::agent_type::AgentTypeId;
use crate::request::{Method, NoPath, PartialPolicy, PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::Position;

/// A place that an agent can reach, and the cost of the cheapest path to it as a length.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReachablePlace {
    /// The center of the cell.
    pub position: Position,
    /// The cost of the cheapest path, in units.
    pub cost: f64,
}

/// The walkable cell of a cell's column nearest in height, of equals the lower.
pub(super) fn floor_cell(nav_graph: NavGraph<'_>, cell: Cell) -> Option<Cell> {
    let column = cell.column();
    let floors = nav_graph.ground().floors(column);
    let floors = floors.map(|(z, _)| column.at(z));
    let floors = floors.filter(|floor| nav_graph.node(*floor).is_some());
    floors.min_by_key(|floor| (floor.z.abs_diff(cell.z), floor.z))
}

impl World {
    /// The floor under or over a position, nearest in height, where an agent of a type fits; its
    /// horizontal coordinates stay. `None` if there is none in this column.
    pub fn project_to_floor(&self, agent_type: AgentTypeId, at: Position) -> Option<Position> {
        let nav_graph = self.nav_graph(agent_type)?;
        let floor = self.floor_cell(nav_graph, at)?;
        let z = self.frame.scale.cell_center(floor).z;
        let at = self.frame.to_engine(at);
        Some(self.frame.to_user(Position { z, ..at }))
    }

    /// The cost of the cheapest path as a length, without the path; a lower bound of what
    /// [`World::find_path`] costs.
    ///
    /// # Errors
    /// As [`World::find_path`]; only ground movement has it.
    pub fn distance(&self, searcher: &mut Searcher, request: &PathRequest) -> Result<f64, NoPath> {
        let method = match request.method {
            Method::Bounded => Method::Optimal,
            method => method,
        };
        let request = PathRequest {
            method,
            ..request.clone()
        };
        let converted = self.converted(&request)?;
        let searcher = &mut searcher.engine;
        let Some(distance) = self.engine.distance(searcher, &converted) else {
            let path = self.find_converted(searcher, &request, &converted);
            return path.map(|path| path.cost());
        };
        let outcome = distance.map_err(|error| self.request_error(&request, &error))?;
        let is_exhaustive =
            request.budget == Budget::UNLIMITED && request.partial == PartialPolicy::Never;
        match outcome {
            Some(cost) => Ok(self.frame.cost(cost)),
            None if is_exhaustive => Err(NoPath::Unreachable),
            // Why there is none, or how far a partial path leads, the search itself says.
            None => self
                .find_converted(searcher, &request, &converted)
                .map(|path| path.cost()),
        }
    }

    /// True if two places are in one weakly connected area of an agent type: `false` proves that no
    /// path exists, `true` does not prove one across one-way edges. `None` if the agent does
    /// not fit at one of them. Takes no search.
    pub fn is_connected(&self, agent_type: AgentTypeId, a: Position, b: Position) -> Option<bool> {
        let nav_graph = self.nav_graph(agent_type)?;
        let component = |at: Position| {
            let node = nav_graph.node(self.floor_cell(nav_graph, at)?)?;
            nav_graph.component(node)
        };
        Some(component(a)? == component(b)?)
    }

    /// All places that an agent reaches from `from` at a cost of at most `max_cost`, a length; by
    /// cost, then by place.
    ///
    /// # Errors
    /// The start is blocked or outside the world, or the type does not walk.
    pub fn reachable(
        &self,
        searcher: &mut Searcher,
        agent_type: AgentTypeId,
        from: Position,
        max_cost: f64,
    ) -> Result<Vec<ReachablePlace>, RequestError> {
        let (nav_graph, cell) = self.start_cell(agent_type, from)?;
        let limit = self.frame.cost_of_length("the largest cost", max_cost)?;
        let budget = Budget::UNLIMITED;
        let request = PathRequest::new(from, from);
        let set = searcher
            .engine
            .reachability()
            .within_cost(nav_graph, cell, limit, budget);
        let set = set.map_err(|error| self.request_error(&request, &error))?;
        let mut places: Vec<_> = set.cells().map(|(cell, cost)| (cost, cell)).collect();
        places.sort_unstable();
        let place = |(cost, cell): (Cost, Cell)| ReachablePlace {
            position: self.frame.position_of(cell.into()),
            cost: self.frame.cost(cost),
        };
        Ok(places.into_iter().map(place).collect())
    }

    /// The `count` targets that are cheapest to reach, with their costs, cheapest first; the first
    /// in the list of equals. Targets that are blocked or unreachable are left out.
    ///
    /// # Errors
    /// The start is blocked or outside the world, or the type does not walk.
    pub fn nearest_by_path(
        &self,
        searcher: &mut Searcher,
        agent_type: AgentTypeId,
        from: Position,
        targets: &[Position],
        count: usize,
    ) -> Result<Vec<(usize, f64)>, RequestError> {
        let (nav_graph, cell) = self.start_cell(agent_type, from)?;
        let mut cells = Vec::with_capacity(targets.len());
        let mut indices = Vec::with_capacity(targets.len());
        for (index, target) in targets.iter().enumerate() {
            if let Some(cell) = self.floor_cell(nav_graph, *target) {
                cells.push(cell);
                indices.push(index);
            }
        }
        let budget = Budget::UNLIMITED;
        let request = PathRequest::new(from, from);
        let found = searcher
            .engine
            .reachability()
            .nearest_of(nav_graph, cell, &cells, count, budget);
        let found = found.map_err(|error| self.request_error(&request, &error))?;
        let target = |found: &NearestTarget| (indices[found.index], self.frame.cost(found.cost));
        Ok(found.iter().map(target).collect())
    }

    /// A random place that an agent reaches from `from` at a cost of at most `max_cost`, a length;
    /// equal seeds give equal places.
    ///
    /// # Errors
    /// The start is blocked or outside the world, or the type does not walk.
    pub fn random_reachable(
        &self,
        searcher: &mut Searcher,
        agent_type: AgentTypeId,
        from: Position,
        max_cost: f64,
        seed: u64,
    ) -> Result<Position, RequestError> {
        let (nav_graph, cell) = self.start_cell(agent_type, from)?;
        let limit = self.frame.cost_of_length("the largest cost", max_cost)?;
        let searcher = searcher.engine.reachability();
        let drawn = searcher.random_reachable(nav_graph, cell, limit, seed, Budget::UNLIMITED);
        let request = PathRequest::new(from, from);
        let drawn = drawn.map_err(|error| self.request_error(&request, &error))?;
        Ok(self.frame.position_of(drawn.into()))
    }

    /// True if neither ground, air nor a body that blocks sight is in the line between two
    /// positions; symmetric. A body whose outline contains an end of the line does not block it.
    /// `false` outside the world.
    pub fn has_line_of_sight(&self, from: Position, to: Position) -> bool {
        if !from.is_finite() || !to.is_finite() {
            return false;
        }
        let mut ignored = Vec::new();
        self.bodies_at(from, &mut ignored);
        self.bodies_at(to, &mut ignored);
        let line = (self.frame.to_engine(from), self.frame.to_engine(to));
        let visibility = self.engine.visibility();
        visibility.is_clear_past(line, &ignored, &mut Contacts::default())
    }

    /// The walkable cell at a position.
    pub(crate) fn floor_cell(&self, nav_graph: NavGraph<'_>, at: Position) -> Option<Cell> {
        floor_cell(nav_graph, self.frame.cell(at)?)
    }

    /// The ground of an agent type and the cell where an agent stands.
    pub(super) fn start_cell(
        &self,
        agent_type: AgentTypeId,
        from: Position,
    ) -> Result<(NavGraph<'_>, Cell), RequestError> {
        let request = PathRequest::new(from, from);
        let nav_graph = self.engine.nav_graph(agent_type);
        let nav_graph = nav_graph.map_err(|error| self.request_error(&request, &error))?;
        let what = "the start";
        if !from.is_finite() {
            return Err(RequestError::NotANumber { what });
        }
        let cell = self.frame.cell(from);
        let cell = cell.ok_or(RequestError::OutOfWorld { what, at: from })?;
        let floor = self.floor_cell(nav_graph, from).unwrap_or(cell);
        Ok((nav_graph, floor))
    }
}
