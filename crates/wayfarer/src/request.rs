//! [`PathRequest`]: everything a path search may be asked for, in world units.

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::Budget;
use wayfarer_engine::search::ground;

use crate::agent_type::AgentTypeId;
use crate::baked::RefinementParams;
use crate::body::{BodyError, BodyId, Categories};
use crate::goal::{Area, Goal};
use crate::path::Path;
use crate::sensor::Viewer;
use crate::units::{BadNumber, Frame, Position, multiplier};

/// A request for a path. It owns what it holds; cloning shares the previous path.
///
/// ```
/// use wayfarer::{Budget, Goal, PartialPolicy, PathRequest, Position};
///
/// let (from, target) = (Position::new(0.5, 0.5, 0.0), Position::new(7.5, 3.5, 0.0));
/// let request = PathRequest {
///     budget: Budget::expansions(2_000),
///     partial: PartialPolicy::NearestOctile,
///     ..PathRequest::new(from, Goal::Within { center: target, distance: 2.0 })
/// };
/// assert!(request.smoothing);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PathRequest {
    /// Where the agent is.
    pub from: Position,
    /// Where the path may end.
    pub to: Goal,
    /// The agent type; [`AgentTypeId::DEFAULT`] by default.
    pub agent_type: AgentTypeId,
    /// The search method; [`Method::Bounded`] by default.
    pub method: Method,
    /// Limit on the work of the request; at least 1 expansion.
    pub budget: Budget,
    /// What to return if the goal is blocked, unreachable or beyond the budget.
    pub partial: PartialPolicy,
    /// What to do if the agent does not fit where it stands.
    pub start: StartPolicy,
    /// Areas that the path may not enter; it may start in them. Every cell that is looked at is tested
    /// against each: at most [`PathRequest::MAX_AREAS`]. Ground only.
    pub avoid: Vec<Area>,
    /// Areas with a cost multiplier of at least 1. Ground only.
    pub area_costs: Vec<(Area, f64)>,
    /// Bodies of these categories that block movement are avoided on the ground, where they are now;
    /// [`Categories::NONE`] by default. Planar agents avoid all of them in any case.
    pub avoid_bodies: Categories,
    /// The agent's own body, which neither blocks its path nor occludes it.
    pub own_body: Option<BodyId>,
    /// The eyes whose sight is costly; not for planar agents.
    pub viewers: Vec<Viewer>,
    /// The cost multiplier of a location in sight of one viewer, at least 1; its excess over 1 is
    /// added once per viewer. 4 by default.
    pub exposure_cost: f64,
    /// The path that the agent follows: kept unless another is cheaper by more than
    /// `previous_tolerance`. Ground only; ignored unless the start lies on it.
    pub previous: Option<Path>,
    /// How much costlier than the optimum the previous path may be, as a share: 0.1 is 10 %.
    pub previous_tolerance: f64,
    /// True to string-pull the waypoints for the body of the agent; false for every cell.
    pub smoothing: bool,
}

impl PathRequest {
    /// Most areas of [`PathRequest::avoid`] and [`PathRequest::area_costs`] together.
    pub const MAX_AREAS: usize = 1_024;

    /// A request for the default agent type without limit.
    pub fn new(from: Position, to: impl Into<Goal>) -> Self {
        Self {
            from,
            to: to.into(),
            agent_type: AgentTypeId::DEFAULT,
            method: Method::default(),
            budget: Budget::UNLIMITED,
            partial: PartialPolicy::default(),
            start: StartPolicy::default(),
            avoid: Vec::new(),
            area_costs: Vec::new(),
            avoid_bodies: Categories::NONE,
            own_body: None,
            viewers: Vec::new(),
            exposure_cost: 4.0,
            previous: None,
            previous_tolerance: 0.1,
            smoothing: true,
        }
    }

    /// The first option that only ground paths honor and that is set; the joint search over ground and
    /// air honors the methods `Bounded` and `Optimal`.
    pub(crate) fn ground_option(&self, is_joint: bool) -> Option<&'static str> {
        let is_optimal = is_joint && self.method == Method::Optimal;
        let set = [
            ("to", self.to.is_several()),
            ("method", self.method != Method::default() && !is_optimal),
            ("avoid", !self.avoid.is_empty()),
            ("area_costs", !self.area_costs.is_empty()),
        ];
        let found = set.into_iter().find(|(_, is_set)| *is_set);
        found.map(|(option, _)| option)
    }

    /// The request in the engine's units.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<engine::PathRequest, RequestError> {
        let goal = self.to.to_engine(frame)?;
        let to = self.to.representative(frame).ok_or(RequestError::Count {
            what: "goals",
            found: 0,
            expected: "at least 1",
        })?;
        for (what, at) in [("the start", self.from), ("the goal", to)] {
            if !at.is_finite() {
                return Err(RequestError::NotANumber { what });
            }
        }
        if self.budget.expansions == 0 {
            return Err(RequestError::Count {
                what: "expansions of the budget",
                found: 0,
                expected: "at least 1",
            });
        }
        let n_areas = self.avoid.len() + self.area_costs.len();
        if n_areas > Self::MAX_AREAS {
            return Err(RequestError::Count {
                what: "areas to avoid and with costs",
                found: n_areas,
                expected: "at most 1,024",
            });
        }
        let mut area_costs = Vec::with_capacity(self.area_costs.len());
        for (area, cost) in &self.area_costs {
            let cost = multiplier("the cost of an area", *cost)?;
            area_costs.push((area.to_engine(frame)?, cost));
        }
        let avoid = self.avoid.iter().map(|area| area.to_engine(frame));
        Ok(engine::PathRequest {
            agent_type: self.agent_type,
            budget: self.budget,
            allow_partial: self.partial != PartialPolicy::Never,
            avoided_obstacles: self.avoid_bodies.to_obstacles(),
            own_body: self.own_body,
            viewers: self.viewers_to_engine(frame)?,
            exposure_cost: multiplier("the cost of exposure", self.exposure_cost)?,
            ground: engine::GroundOptions {
                goal,
                method: self.method.to_engine(),
                partial: Some(self.partial.to_engine()),
                avoid: avoid.collect::<Result<_, _>>()?,
                area_costs,
                keep_off: None,
                previous: self.previous_to_engine()?,
            },
            ..engine::PathRequest::new(frame.to_engine(self.from), frame.to_engine(to))
        })
    }

    fn viewers_to_engine(&self, frame: Frame) -> Result<Vec<engine::Viewer>, BodyError> {
        let viewers = self.viewers.iter();
        viewers.map(|viewer| viewer.to_engine(frame)).collect()
    }

    fn previous_to_engine(&self) -> Result<Option<ground::PreviousPath>, RequestError> {
        let per_mille = self.previous_tolerance * 1_000.0;
        if !(0.0..=65_535.0).contains(&per_mille) {
            return Err(RequestError::BadNumber(BadNumber {
                what: "the tolerance of the previous path",
                found: self.previous_tolerance,
                expected: "a share from 0 to 65",
            }));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "compared with the limits just before"
        )]
        let tolerance_per_mille = per_mille.round() as u16;
        let walk = self
            .previous
            .as_ref()
            .and_then(|path| path.engine().as_ground_path());
        Ok(walk.map(|walk| ground::PreviousPath {
            cells: walk.cells.clone(),
            tolerance_per_mille,
        }))
    }
}

/// How a ground path is searched. Flights, planar paths and paths that walk and fly have one method
/// each: the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Method {
    /// Weighted A\* over cached jump points: at most 1.1 times the optimum, mostly far less;
    /// [`Path::bound`] says what is proven. Paths that combine walking and flying or have viewers cost
    /// at most 1.25 times the optimum over cells and voxels.
    #[default]
    Bounded,
    /// A\* over cached jump points: optimal. Over cells and voxels for paths that combine walking and
    /// flying or have viewers, which takes milliseconds.
    Optimal,
    /// Jump point search without a cache: optimal.
    Jps,
    /// A\* cell by cell: optimal.
    AStar,
    /// Dijkstra cell by cell: optimal, without a heuristic.
    Dijkstra,
    /// Lazy Theta\*: any-angle paths. Goal: one position.
    AnyAngle,
    /// A path over clusters of 64 x 64 cells, refined segment by segment: for thousands of cells,
    /// without a bound. Goal: one position.
    Hierarchical,
    /// Refinement R[n, t, c, s] over the live regions, without a bound. Goal: one position; default
    /// agent type.
    Refined(RefinementParams),
    /// The same over the regions of [`World::bake`](crate::World::bake).
    RefinedBaked(RefinementParams),
}

impl Method {
    /// The engine's method of requests that it does not answer by a search of its own.
    pub(crate) const fn to_engine(self) -> ground::Method {
        match self {
            Self::Bounded
            | Self::AnyAngle
            | Self::Hierarchical
            | Self::Refined(_)
            | Self::RefinedBaked(_) => ground::Method::Bounded,
            Self::Optimal => ground::Method::Optimal,
            Self::Jps => ground::Method::Jps,
            Self::AStar => ground::Method::AStar,
            Self::Dijkstra => ground::Method::Dijkstra,
        }
    }
}

/// What to return if the goal is blocked, unreachable or beyond the budget.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PartialPolicy {
    /// An error.
    #[default]
    Never,
    /// A path to the reachable location nearest to the goal by octile distance.
    NearestOctile,
    /// A path to the reachable location nearest to the goal by Euclidean distance.
    NearestEuclidean,
}

impl PartialPolicy {
    const fn to_engine(self) -> ground::PartialPolicy {
        match self {
            Self::Never => ground::PartialPolicy::Never,
            Self::NearestOctile => ground::PartialPolicy::NearestOctile,
            Self::NearestEuclidean => ground::PartialPolicy::NearestEuclidean,
        }
    }
}

/// What to do if the agent does not fit where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StartPolicy {
    /// An error.
    #[default]
    Reject,
    /// The path begins with a straight line to the nearest place where the agent fits: on the ground at
    /// most 8 cells away, in the air the center of the voxel that it is in. Not for planar agents.
    LeaveFirst,
}

/// Why [`World::find_path`](crate::World::find_path) found no path.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum NoPath {
    /// No path exists at this revision of the world, or none that costs less than 2.9 million cells.
    #[error("no path exists")]
    Unreachable,
    /// The budget was exhausted before the search finished.
    #[error("the budget was exhausted")]
    OutOfBudget {
        /// The path to the best location so far.
        best: Option<Path>,
    },
    /// The request is invalid; nothing was searched.
    #[error(transparent)]
    Invalid(#[from] RequestError),
}

/// Why a path ends short of its goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PartialReason {
    /// The goal is blocked.
    GoalBlocked,
    /// No path to the goal exists.
    Unreachable,
    /// The budget was exhausted.
    OutOfBudget,
}

/// An invalid request: what was found and what was expected.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A coordinate is not a number.
    #[error("a coordinate of {what} is not a number")]
    NotANumber {
        /// The position.
        what: &'static str,
    },
    /// A position lies outside every world of this scale.
    #[error("{what}, {at}, is not a position in the world")]
    OutOfWorld {
        /// The position.
        what: &'static str,
        /// Its value.
        at: Position,
    },
    /// The agent does not fit at the start.
    #[error("the start, {at}, is blocked: {reason}")]
    StartBlocked {
        /// The start.
        at: Position,
        /// What blocks it.
        reason: &'static str,
    },
    /// The agent does not fit at the goal, and the request allows no partial path.
    #[error("the goal, {at}, is blocked: {reason}")]
    GoalBlocked {
        /// The goal.
        at: Position,
        /// What blocks it.
        reason: &'static str,
    },
    /// A number is not finite or out of range.
    #[error(transparent)]
    BadNumber(#[from] BadNumber),
    /// A viewer is invalid, or a body is unknown.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A list has too few or too many items.
    #[error("{found} {what}, expected {expected}")]
    Count {
        /// The items.
        what: &'static str,
        /// How many were found.
        found: usize,
        /// The valid range.
        expected: &'static str,
    },
    /// The agent type is not registered with this world.
    #[error("the agent type is not registered with this world")]
    UnknownAgentType,
    /// The movement of the agent type or the method does not support an option of the request.
    #[error("{by} does not support `{option}` of the request: {reason}")]
    Unsupported {
        /// The option.
        option: &'static str,
        /// The movement or the method.
        by: &'static str,
        /// The missing precondition.
        reason: &'static str,
    },
}
