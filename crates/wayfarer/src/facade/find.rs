//! [`World::find_path`]: converts a request, calls the engine's search, and makes the path's
//! waypoints for the body of the agent.

use std::sync::OnceLock;

use wayfarer_engine as engine;
use wayfarer_engine::base::{
    Budget, Cell, Column, Location, Outcome, Progress, RequestError as EngineError,
};
use wayfarer_engine::search::ground::{GroundPath, NavGraph};
use wayfarer_engine::{AgentTypeId, PathSession, SessionMethod};

use super::World;
use crate::body::Categories;
use crate::goal::Goal;
use crate::path::{Path, PathData};
use crate::request::{
    Method, NoPath, PartialPolicy, PartialReason, PathRequest, RequestError, StartPolicy,
};
use crate::searcher::Searcher;
use crate::units::{BadNumber, Position, multiplier};

impl World {
    /// Finds a path. Use one searcher per thread.
    ///
    /// The result depends on the world and the request alone, never on the searcher.
    ///
    /// # Errors
    /// [`NoPath::Unreachable`] if no path exists, [`NoPath::OutOfBudget`] if the budget ended first,
    /// [`NoPath::Invalid`] with the reason if the request is invalid. With a partial policy the
    /// first two give a path whose [`Path::partial`] has the reason.
    pub fn find_path(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Path, NoPath> {
        let converted = self.converted(request)?;
        self.find_converted(&mut searcher.engine, request, &converted)
    }

    /// The path of a request that was converted.
    pub(super) fn find_converted(
        &self,
        searcher: &mut engine::Searcher,
        request: &PathRequest,
        converted: &engine::PathRequest,
    ) -> Result<Path, NoPath> {
        let outcome = match request.method {
            Method::Hierarchical => self.engine.find_hierarchical(searcher, converted),
            Method::AnyAngle => self.engine.find_any_angle(searcher, converted),
            Method::Refined(params) => self.engine.find_refined(searcher, converted, params, None),
            Method::RefinedBaked(params) => {
                let baked = self.baked();
                self.engine.find_refined(searcher, converted, params, baked)
            }
            _ => self.engine.find_path(searcher, converted),
        };
        let outcome = outcome.map_err(|error| self.request_error(request, &error))?;
        self.path_of_outcome(request, outcome)
    }

    /// The request in the engine's units, if the agent type and the method support it.
    pub(crate) fn converted(
        &self,
        request: &PathRequest,
    ) -> Result<engine::PathRequest, RequestError> {
        self.check_support(request)?;
        let mut converted = request.to_engine(self.frame)?;
        if let Some((wide, cost)) = self.clearance(request.agent_type) {
            let cost = multiplier("the cost of the clearance", cost)?;
            converted.ground.keep_off = Some((wide, cost));
        }
        self.check_flight_ends(request)?;
        self.check_walk_ends(request)?;
        if request.start == StartPolicy::LeaveFirst && self.walks_only(request.agent_type) {
            self.leave_first(&mut converted);
        }
        Ok(converted)
    }

    /// Refuses a start or a goal on foot inside a solid: the floor nearest to it is the top of the solid,
    /// which the agent cannot step onto from there.
    fn check_walk_ends(&self, request: &PathRequest) -> Result<(), RequestError> {
        if !self.walks_only(request.agent_type) {
            return Ok(());
        }
        let is_inside = |at: Position| {
            let nav_graph = self.nav_graph(request.agent_type);
            let cell = self.frame.cell(at).filter(|_| at.is_finite());
            nav_graph
                .zip(cell)
                .is_some_and(|(nav_graph, cell)| is_inside_solid(nav_graph, cell))
        };
        let reason = "it is inside a solid";
        let at = request.from;
        if request.start == StartPolicy::Reject && is_inside(at) {
            return Err(RequestError::StartBlocked { at, reason });
        }
        match request.to {
            Goal::Position(at) if request.partial == PartialPolicy::Never && is_inside(at) => {
                Err(RequestError::GoalBlocked { at, reason })
            }
            _ => Ok(()),
        }
    }

    fn walks_only(&self, agent_type: AgentTypeId) -> bool {
        let agent_types = &mut self.engine.agent_types();
        let agent_type = agent_types.nth(agent_type.index());
        agent_type.is_some_and(|one| one.flight.is_none())
    }

    /// Refuses a start or a goal in the air where the ball of the agent overlaps a solid: a search looks
    /// at the centers of voxels. With a policy for partial paths, true if the goal is such a place.
    fn check_flight_ends(&self, request: &PathRequest) -> Result<bool, RequestError> {
        let clips = |at: Position| {
            let at = self.frame.to_engine(at);
            self.engine.clips_at(request.agent_type, at)
        };
        let reason = "the agent overlaps a solid there";
        if request.start == StartPolicy::Reject && clips(request.from) {
            let at = request.from;
            return Err(RequestError::StartBlocked { at, reason });
        }
        match request.to {
            Goal::Position(at) if clips(at) && request.partial == PartialPolicy::Never => {
                Err(RequestError::GoalBlocked { at, reason })
            }
            Goal::Position(at) => Ok(clips(at)),
            _ => Ok(false),
        }
    }

    /// The search of [`World::find_path`] in slices; gives back the searcher if the request is
    /// invalid.
    pub(crate) fn begin_path(
        &self,
        searcher: Searcher,
        request: &PathRequest,
    ) -> Result<PathSession, Box<(Searcher, RequestError)>> {
        let method = match request.method {
            Method::Hierarchical => SessionMethod::Hierarchical,
            Method::AnyAngle => SessionMethod::AnyAngle,
            Method::Refined(params) => SessionMethod::Refined(params, None),
            Method::RefinedBaked(params) => {
                SessionMethod::Refined(params, self.baked_abstraction().cloned())
            }
            _ => SessionMethod::Path,
        };
        match self.converted(request) {
            Ok(converted) => Ok(PathSession::new(searcher.engine, converted, method)),
            Err(error) => Err(Box::new((searcher, error))),
        }
    }

    /// Runs a slice of a search begun with [`World::begin_path`]; `None` if it is not done.
    pub(crate) fn advance_path(
        &self,
        session: &mut PathSession,
        request: &PathRequest,
        budget: Budget,
    ) -> Option<Result<Path, NoPath>> {
        match session.advance(&self.engine, budget) {
            Ok(Progress::Done(outcome)) => Some(self.path_of_outcome(request, outcome)),
            Ok(_) => None,
            Err(error) => Some(Err(self.request_error(request, &error).into())),
        }
    }

    /// Moves a start where the agent does not fit to the nearest cell where it does, by Euclidean
    /// distance on the plane; of equals the first by row and column.
    fn leave_first(&self, converted: &mut engine::PathRequest) {
        let Some(at) = self.frame.scale.cell(converted.from) else {
            return;
        };
        let Some(nav_graph) = self.nav_graph(converted.agent_type) else {
            return;
        };
        let nearest_floor = |x: i32, y: i32| {
            let column = Column::new(x, y);
            if is_inside_solid(nav_graph, column.at(at.z)) {
                return None;
            }
            let floors = self
                .engine
                .ground()
                .floors(column)
                .map(|(z, _)| column.at(z));
            let fits = floors.filter(|cell| nav_graph.node(*cell).is_some());
            fits.min_by_key(|cell| (cell.z.abs_diff(at.z), cell.z))
        };
        if nearest_floor(at.x, at.y).is_some() {
            return;
        }
        let reach = |at: i32| at.saturating_sub(LEAVE_CELLS)..=at.saturating_add(LEAVE_CELLS);
        let cells = reach(at.y).flat_map(|y| reach(at.x).map(move |x| (x, y)));
        let cells = cells.filter_map(|(x, y)| nearest_floor(x, y));
        let nearest = cells.min_by_key(|cell| {
            let (x, y) = (cell.x.abs_diff(at.x), cell.y.abs_diff(at.y));
            (x * x + y * y, cell.y, cell.x)
        });
        if let Some(cell) = nearest {
            converted.from = self.frame.scale.cell_center(cell);
        }
    }

    /// The ground of an agent type; `None` if it is unknown or does not walk.
    pub(crate) fn nav_graph(&self, id: AgentTypeId) -> Option<NavGraph<'_>> {
        self.engine.nav_graph(id).ok()
    }

    /// Refuses options that the movement or the method does not honor, by name.
    fn check_support(&self, request: &PathRequest) -> Result<(), RequestError> {
        let agent_types = &mut self.engine.agent_types();
        let agent_type = agent_types.nth(request.agent_type.index());
        let agent_type = agent_type.ok_or(RequestError::UnknownAgentType)?;
        self.check_bodies(request, agent_type)?;
        let is_ground_only = agent_type.flight.is_none() && agent_type.planar.is_none();
        let walks_and_flies = agent_type.flight.is_some() && agent_type.ground.is_some();
        if agent_type.planar.is_some() && request.start != StartPolicy::Reject {
            return Err(RequestError::Unsupported {
                option: "start",
                by: "an agent on the plane",
                reason: "it is never inside the ground",
            });
        }
        if !is_ground_only && let Some(option) = request.ground_option(walks_and_flies) {
            return Err(RequestError::Unsupported {
                option,
                by: "an agent that flies or moves on the plane",
                reason: "only ground paths have it",
            });
        }
        let by = match request.method {
            Method::AnyAngle => "the any-angle method",
            Method::Hierarchical => "the hierarchical method",
            Method::RefinedBaked(_) if self.baked().is_none() => {
                return Err(RequestError::Unsupported {
                    option: "method",
                    by: "the world",
                    reason: "no baked abstraction is attached to it",
                });
            }
            Method::Refined(_) | Method::RefinedBaked(_) => "refinement",
            _ => return Ok(()),
        };
        let unsupported = [
            ("to", request.to.is_several()),
            ("avoid", !request.avoid.is_empty()),
            ("area_costs", !request.area_costs.is_empty()),
            ("previous", request.previous.is_some()),
            ("partial", request.partial != PartialPolicy::Never),
            ("avoid_bodies", request.avoid_bodies != Categories::NONE),
            ("viewers", !request.viewers.is_empty()),
            ("clearance", self.clearance(request.agent_type).is_some()),
        ];
        match unsupported.into_iter().find(|(_, is_set)| *is_set) {
            Some((option, _)) => Err(RequestError::Unsupported {
                option,
                by,
                reason: "it searches complete paths to one position",
            }),
            None => Ok(()),
        }
    }

    /// Refuses what the movement does not honor of bodies and viewers, and unknown bodies.
    fn check_bodies(
        &self,
        request: &PathRequest,
        agent_type: &engine::AgentType,
    ) -> Result<(), RequestError> {
        self.check_body(request.own_body)?;
        self.viewers_to_engine(&request.viewers)?;
        let unsupported =
            |option, by, reason| Err(RequestError::Unsupported { option, by, reason });
        let has_viewers = !request.viewers.is_empty();
        if agent_type.ground.is_none() && request.avoid_bodies != Categories::NONE {
            let by = "an agent that does not walk";
            let reason = "planar agents avoid all bodies that block movement, flights none";
            return unsupported("avoid_bodies", by, reason);
        }
        if agent_type.planar.is_some() {
            let by = "an agent on the plane";
            let blocks = |id| self.engine.body_obstacles().any(|(body, _)| body == id);
            if request.own_body.is_some_and(blocks) {
                let reason = "its own body must not block movement";
                return unsupported("own_body", by, reason);
            }
            if has_viewers {
                return unsupported("viewers", by, "planar paths have no exposure");
            }
        }
        if has_viewers {
            let reason = "a search with viewers finds complete paths to one position";
            if request.partial != PartialPolicy::Never {
                return unsupported("partial", "a request with viewers", reason);
            }
            if let Some(option) = request.ground_option(true) {
                return unsupported(option, "a request with viewers", reason);
            }
            if self.clearance(request.agent_type).is_some() {
                let reason = "exposure counts instead of the distance from walls";
                return unsupported("clearance", "a request with viewers", reason);
            }
        }
        Ok(())
    }

    /// The path of the engine's outcome, or why there is none.
    pub(crate) fn path_of_outcome(
        &self,
        request: &PathRequest,
        outcome: Outcome<engine::Path>,
    ) -> Result<Path, NoPath> {
        let allow_partial = request.partial != PartialPolicy::Never;
        let (path, partial) = match outcome {
            Outcome::Found(path) => (path, None),
            Outcome::Partial { best, reason } => {
                use wayfarer_engine::base::PartialReason as Engine;
                let reason = match reason {
                    Engine::GoalBlocked => PartialReason::GoalBlocked,
                    Engine::GoalUnreachable => PartialReason::Unreachable,
                };
                (best, Some(reason))
            }
            Outcome::OutOfBudget { best, .. } if allow_partial => {
                (best, Some(PartialReason::OutOfBudget))
            }
            Outcome::OutOfBudget { best, .. } => {
                let reason = Some(PartialReason::OutOfBudget);
                let best = Some(self.new_path(request, best, reason));
                return Err(NoPath::OutOfBudget { best });
            }
            Outcome::Unreachable {
                nearest: Some(best),
                ..
            } if allow_partial => (best, Some(PartialReason::Unreachable)),
            Outcome::Unreachable { .. } => return Err(NoPath::Unreachable),
        };
        // The world may have changed since a search in slices began.
        let is_goal_blocked = self.check_flight_ends(request)?;
        let partial = partial.or(is_goal_blocked.then_some(PartialReason::GoalBlocked));
        Ok(self.new_path(request, path, partial))
    }

    /// A path with its waypoints.
    pub(super) fn new_path(
        &self,
        request: &PathRequest,
        path: engine::Path,
        partial: Option<PartialReason>,
    ) -> Path {
        let end = match (&request.to, partial) {
            (Goal::Position(to), None) => Some(*to),
            (Goal::AnyOf(all), None) => self.goal_reached(all, &path),
            _ => None,
        };
        let waypoints = self.waypoints(request, &path, end);
        let bound = path
            .as_ground_path()
            .and_then(GroundPath::suboptimality_bound);
        #[expect(clippy::cast_precision_loss, reason = "a share in millionths")]
        let bound = bound.map(|millionths| millionths as f64 / 1e6);
        Path::new(PathData {
            cost: self.frame.cost(path.cost),
            engine: path,
            waypoints,
            frame: self.frame,
            is_pulled: request.smoothing || request.start == StartPolicy::LeaveFirst,
            cells: OnceLock::new(),
            bound,
            partial,
        })
    }

    /// The goal in whose cell a path ends.
    fn goal_reached(&self, all: &[Position], path: &engine::Path) -> Option<Position> {
        let Some(Location::Cell(end)) = path.end() else {
            return None;
        };
        let is_reached = |at: &&Position| {
            let cell = self.frame.cell(**at);
            cell.is_some_and(|cell| cell.column() == end.column())
        };
        all.iter().find(is_reached).copied()
    }

    /// The error of the engine in the units of the request.
    pub(crate) fn request_error(&self, request: &PathRequest, error: &EngineError) -> RequestError {
        let goal = request
            .to
            .representative(self.frame)
            .unwrap_or(request.from);
        match *error {
            EngineError::StartBlocked { reason, .. } => {
                let at = request.from;
                let reason = self.refined_reason((request.agent_type, at), reason);
                RequestError::StartBlocked { at, reason }
            }
            EngineError::GoalBlocked { reason, .. } => {
                let reason = self.refined_reason((request.agent_type, goal), reason);
                RequestError::GoalBlocked { at: goal, reason }
            }
            EngineError::OutOfRange { what, .. } if what.ends_with("start") => {
                let (what, at) = ("the start", request.from);
                RequestError::OutOfWorld { what, at }
            }
            EngineError::OutOfRange {
                what,
                found,
                expected,
            } => {
                if what.ends_with("goal") {
                    return RequestError::OutOfWorld {
                        what: "the goal",
                        at: goal,
                    };
                }
                #[expect(clippy::cast_precision_loss, reason = "for a message")]
                let found = found as f64;
                RequestError::BadNumber(BadNumber {
                    what,
                    found,
                    expected,
                })
            }
            EngineError::UnknownProfile => RequestError::UnknownAgentType,
            EngineError::UnsupportedMethod { .. } if self.lacks_air(request) => {
                RequestError::Unsupported {
                    option: "agent_type",
                    by: "a world without air",
                    reason: "agents fly in the box of `World::add_air`",
                }
            }
            EngineError::UnsupportedMethod { method, reason } => RequestError::Unsupported {
                option: "method",
                by: method,
                reason,
            },
            _ => RequestError::Unsupported {
                option: "method",
                by: "the engine",
                reason: "an error without a name in this version",
            },
        }
    }
}

impl World {
    /// For an agent on foot, whether a blocked place lies beyond all ground.
    fn refined_reason(
        &self,
        (agent_type, at): (AgentTypeId, Position),
        reason: &'static str,
    ) -> &'static str {
        let column = self.frame.cell(at).map(Cell::column);
        let is_beyond = |column| !self.engine.ground().bounds().contains(column);
        match self.walks_only(agent_type) && column.is_some_and(is_beyond) {
            true => "it is outside the map",
            false => reason,
        }
    }

    /// True if the agent of a request flies and the world has no air.
    fn lacks_air(&self, request: &PathRequest) -> bool {
        !self.walks_only(request.agent_type) && self.engine.air().is_none()
    }
}

/// True if a cell lies inside a solid, deeper than one step of the agent below its top.
pub(super) fn is_inside_solid(nav_graph: NavGraph<'_>, cell: Cell) -> bool {
    let top = nav_graph.ground().solid_top_over(cell);
    top.is_some_and(|top| top - cell.z > nav_graph.profile().max_step)
}

/// How far an agent may leave a place where it does not fit, in cells.
const LEAVE_CELLS: i32 = 8;
