//! [`PathRequest`]: start, goal and options of a path search, in world units.

use wayfarer_base::{Budget, CostMultiplier};
use wayfarer_search::ground::{Area, GroundGoal, Method, PartialPolicy, PreviousPath};
use wayfarer_world::bodies::{BodyId, Footprint, Mount, SensorId};
use wayfarer_world::obstacles::ObstacleCategories;

use super::World;
use super::agent::AgentTypeId;
use crate::Position;

/// A request for a path in world units, for any agent type.
///
/// ```
/// use wayfarer_engine::{Position, PathRequest};
/// use wayfarer_engine::base::Budget;
/// let request = PathRequest {
///     budget: Budget::expansions(2_000),
///     allow_partial: true,
///     ..PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(7.5, 3.5, 0.0))
/// };
/// assert!(request.viewers.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathRequest {
    /// Start of the path.
    pub from: Position,
    /// Goal of the path.
    pub to: Position,
    /// The agent type; [`AgentTypeId::DEFAULT`] by default.
    pub agent_type: AgentTypeId,
    /// Limit on the work of all searches of this request together; at least 1 expansion.
    pub budget: Budget,
    /// True to accept a path to the nearest reachable location if the goal is blocked or
    /// unreachable. Not supported for types that walk and fly, nor with viewers.
    pub allow_partial: bool,
    /// Obstacles of these categories are avoided on the ground: no step enters their outline
    /// inflated by the agent's radius.
    pub avoided_obstacles: ObstacleCategories,
    /// The viewers whose sight is costly.
    pub viewers: Vec<Viewer>,
    /// The cost multiplier of a cell or voxel in sight of one viewer. Its excess over 1 is added
    /// once per viewer.
    pub exposure_cost: CostMultiplier,
    /// The agent's own body, which does not occlude lines of sight to it.
    pub own_body: Option<BodyId>,
    /// What only a search over the ground supports; agents that fly must keep the default.
    pub ground: GroundOptions,
}

/// Options of ground paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GroundOptions {
    /// The goal, in place of the cell at [`PathRequest::to`], which then only names it in errors.
    pub goal: Option<GroundGoal>,
    /// The search method.
    pub method: Method,
    /// What to return if the goal is blocked or unreachable; `None` follows
    /// [`PathRequest::allow_partial`].
    pub partial: Option<PartialPolicy>,
    /// Areas that the path may not enter; it may start in them.
    pub avoid: Vec<Area>,
    /// Cost multipliers of areas.
    pub area_costs: Vec<(Area, CostMultiplier)>,
    /// Cost multiplier of cells where another agent type, usually a wider one, does not fit: a
    /// preference to keep off walls. Ignored for paths that fly or have viewers.
    pub keep_off: Option<(AgentTypeId, CostMultiplier)>,
    /// A path to keep unless a clearly cheaper one exists.
    pub previous: Option<PreviousPath>,
}

impl GroundOptions {
    const NEW: Self = Self {
        goal: None,
        method: Method::Bounded,
        partial: None,
        avoid: Vec::new(),
        area_costs: Vec::new(),
        keep_off: None,
        previous: None,
    };
}

impl PathRequest {
    /// A request for the default agent type with an unlimited budget.
    pub const fn new(from: Position, to: Position) -> Self {
        Self {
            from,
            to,
            agent_type: AgentTypeId::DEFAULT,
            budget: Budget::UNLIMITED,
            allow_partial: false,
            avoided_obstacles: ObstacleCategories::NONE,
            viewers: Vec::new(),
            exposure_cost: CostMultiplier::ONE,
            own_body: None,
            ground: GroundOptions::NEW,
        }
    }
}

/// A viewer: an eye with a range and an optional footprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Viewer {
    /// Position of the eye.
    pub eye: Position,
    /// Range, in 1/65,536 of a unit; a negative one sees nothing.
    pub range: i64,
    /// Restricts the view to these columns, in cells.
    pub footprint: Option<Footprint>,
    /// The body of the viewer, which does not occlude its sight.
    pub body: Option<BodyId>,
}

impl Viewer {
    /// A viewer with a range of `range` units in all directions.
    pub fn new(eye: Position, range: f64) -> Self {
        let range = Position::new(range, 0.0, 0.0).x;
        Self {
            eye,
            range,
            footprint: None,
            body: None,
        }
    }
}

impl World {
    /// The viewer that corresponds to a sensor with an eye, limited by its footprint alone; `None`
    /// if the sensor or its body no longer exists, or it has no eye.
    pub fn viewer_of_sensor(&self, id: SensorId) -> Option<Viewer> {
        let sensor = self.sensors.sensor(id)?;
        let height = sensor.eye_height?;
        let (at, feet, body) = match sensor.mount {
            Mount::Body(id) => {
                let body = self.bodies.body(id).ok()?;
                (self.bodies.detection_point(id).ok()?, body.z, Some(id))
            }
            Mount::Point(at) => (at, wayfarer_base::Fixed::default(), None),
        };
        let eye = wayfarer_base::Fixed::from_raw(feet.raw().saturating_add(height.raw()));
        Some(Viewer {
            eye: self.scale.ground_position(at, eye),
            range: i64::MAX,
            footprint: Some(sensor.footprint.translated_to(at)),
            body,
        })
    }
}
