//! [`Path`]: waypoints in world units that the agent's body follows, with cost, length and bound.

use std::fmt;
use std::sync::{Arc, OnceLock};

use wayfarer_engine as engine;
use wayfarer_engine::base::Revision;

use crate::agent_type::AgentTypeId;
use crate::request::PartialReason;
use crate::units::{Frame, Position};

/// A path at one revision of the world. Cloning counts a reference.
#[derive(Clone, PartialEq, Debug)]
pub struct Path(Arc<PathData>);

#[derive(Debug)]
pub(crate) struct PathData {
    pub(crate) engine: engine::Path,
    pub(crate) waypoints: Vec<Waypoint>,
    pub(crate) frame: Frame,
    /// False if every cell is a waypoint: the lines are then the steps of the search.
    pub(crate) is_pulled: bool,
    /// What [`Path::cells`] returns, once it was asked for.
    pub(crate) cells: OnceLock<Vec<Position>>,
    pub(crate) cost: f64,
    pub(crate) bound: Option<f64>,
    pub(crate) partial: Option<PartialReason>,
}

impl PartialEq for PathData {
    fn eq(&self, other: &Self) -> bool {
        self.engine == other.engine
            && self.waypoints == other.waypoints
            && self.frame == other.frame
            && self.cost.total_cmp(&other.cost).is_eq()
            && self.bound == other.bound
            && self.partial == other.partial
    }
}

/// A vertex of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waypoint {
    /// Where it is; on the ground at the height of the floor.
    pub position: Position,
    /// How the agent gets from here to the next waypoint.
    pub next: Traversal,
}

/// How the agent gets from one waypoint to the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Traversal {
    /// In a straight line on the ground or the plane.
    #[default]
    Walk,
    /// Through a nav link: stairs, ladder, jump, drop, door, teleport.
    NavLink,
    /// From the ground into the air.
    TakeOff,
    /// In a straight line through the air.
    Fly,
    /// From the air to the ground.
    Land,
}

impl Path {
    pub(crate) fn new(data: PathData) -> Self {
        Self(Arc::new(data))
    }

    pub(crate) fn data(&self) -> &PathData {
        &self.0
    }

    /// The path in the engine's units.
    pub(crate) fn engine(&self) -> &engine::Path {
        &self.0.engine
    }

    /// The positions to walk through in straight lines, from the start to the end of the path. The
    /// body of the agent fits along every line. On foot a line is straight on the plane: where floors
    /// differ in height, the height along it is that of the floor, which
    /// [`World::project_to_floor`](crate::World::project_to_floor) gives.
    pub fn waypoints(&self) -> impl ExactSizeIterator<Item = Position> + '_ {
        self.0.waypoints.iter().map(|waypoint| waypoint.position)
    }

    /// The waypoints, each with how the agent gets to the next one.
    pub fn traversal(&self) -> &[Waypoint] {
        &self.0.waypoints
    }

    /// The centers of the cells, voxels or points that the search found, in order; made on the first
    /// call.
    pub fn cells(&self) -> &[Position] {
        self.0.cells.get_or_init(|| {
            let locations = self.0.engine.locations().into_iter();
            locations.map(|at| self.0.frame.position_of(at)).collect()
        })
    }

    /// The number of [`Path::cells`], without making them.
    pub fn n_cells(&self) -> usize {
        match self.engine().as_ground_path() {
            Some(walk) => walk.cells.len(),
            None => self.cells().len(),
        }
    }

    /// Where it starts.
    pub fn start(&self) -> Option<Position> {
        self.0.waypoints.first().map(|at| at.position)
    }

    /// Where it ends.
    pub fn end(&self) -> Option<Position> {
        self.0.waypoints.last().map(|at| at.position)
    }

    /// Its cost as a length: that of base terrain costing the same, over the cells of the search.
    pub fn cost(&self) -> f64 {
        self.0.cost
    }

    /// The length of the lines through its waypoints, heights included.
    pub fn length(&self) -> f64 {
        let waypoints = self.0.waypoints.windows(2);
        let lengths = waypoints.map(|pair| {
            let (a, b) = (pair[0].position.units(), pair[1].position.units());
            let square = |axis: usize| (b[axis] - a[axis]) * (b[axis] - a[axis]);
            (square(0) + square(1) + square(2)).sqrt()
        });
        // Not `sum`: the sum of no lengths is -0.
        lengths.fold(0.0, |sum, length| sum + length)
    }

    /// The proven bound on its cost relative to the optimum over cells: 1 for an optimal path,
    /// `None` if none is known.
    pub fn bound(&self) -> Option<f64> {
        self.0.bound
    }

    /// Why it ends short of the goal; `None` if it reaches it.
    pub fn partial(&self) -> Option<PartialReason> {
        self.0.partial
    }

    /// The revision of the world at which it was found.
    pub fn revision(&self) -> Revision {
        self.0.engine.revision
    }

    /// The agent type that it is for.
    pub fn agent_type(&self) -> AgentTypeId {
        self.0.engine.agent_type
    }

    /// Nodes that the search expanded.
    pub fn expansions(&self) -> u64 {
        self.0.engine.expansions
    }
}

/// The validity of a path at the present revision of its world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PathStatus {
    /// It can be walked at its cost, and no edit could have opened a cheaper path.
    Valid,
    /// It can be walked at its cost; a cheaper path may exist.
    MaybeSuboptimal,
    /// It can no longer be walked at its cost.
    Invalid {
        /// Where the first invalid step is.
        at: Position,
    },
}

impl PathStatus {
    /// True if the path can be walked at its cost.
    pub const fn is_walkable(self) -> bool {
        matches!(self, Self::Valid | Self::MaybeSuboptimal)
    }
}

impl fmt::Display for PathStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Valid => f.write_str("valid"),
            Self::MaybeSuboptimal => f.write_str("maybe suboptimal"),
            Self::Invalid { at } => write!(f, "invalid at {at}"),
        }
    }
}

/// The id of a subscribed path; never reused, the same in a world that was saved and loaded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathSubscription(pub(crate) u64);
