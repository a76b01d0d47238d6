//! What one asks in world units: from where to where, who goes, and what to keep clear of.

use wayfarer_base::{Budget, CostMultiplier};
use wayfarer_world::bodies::{BodyId, Footprint, Mount, SensorId};
use wayfarer_world::obstacles::ObstacleCategories;

use super::World;
use super::agent::AgentTypeId;
use crate::Position;

/// A request for a path, in world units, whatever part of the world it leads through.
///
/// ```
/// use wayfarer::{Position, PathRequest};
/// use wayfarer::base::Budget;
/// let request = PathRequest {
///     budget: Budget::expansions(2_000),
///     allow_partial: true,
///     ..PathRequest::new(Position::new(0.5, 0.5, 0.0), Position::new(7.5, 3.5, 0.0))
/// };
/// assert!(request.viewers.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathRequest {
    /// Where the path begins.
    pub from: Position,
    /// Where it ends.
    pub to: Position,
    /// Who goes; the world's own walker unless said otherwise.
    pub agent_type: AgentTypeId,
    /// The most it may cost to find.
    pub budget: Budget,
    /// True to go as near as can be if one cannot be at the goal or cannot get there; refused for
    /// who walks and flies in a world with air, and past watchers.
    pub allow_partial: bool,
    /// Obstacles of the field of these types are kept clear of on foot: their outline, grown by the
    /// agent's radius, is not entered.
    pub avoided_obstacles: ObstacleCategories,
    /// Who should not see one.
    pub viewers: Vec<Viewer>,
    /// What uniform ground costs where a watcher sees one; what that adds to 1 is added for each who
    /// does, on the ground and in the air.
    pub exposure_cost: CostMultiplier,
    /// The body of who asks, which hides nobody from watchers.
    pub own_body: Option<BodyId>,
}

impl PathRequest {
    /// A request of the world's own walker, without limit.
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
        }
    }
}

/// Somebody who looks: from where, how far, and in what footprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Viewer {
    /// The eye.
    pub eye: Position,
    /// How far it sees, in 1/65,536 of a unit.
    pub reach: i64,
    /// What it covers on the map, in cells; everything within reach without one.
    pub footprint: Option<Footprint>,
    /// Whose eye it is, if it is an object's: its own body hides nothing from it.
    pub body: Option<BodyId>,
}

impl Viewer {
    /// An eye that sees `reach` units far in all directions.
    pub fn new(eye: Position, reach: f64) -> Self {
        let reach = Position::new(reach, 0.0, 0.0).x;
        Self {
            eye,
            reach,
            footprint: None,
            body: None,
        }
    }
}

impl World {
    /// The watcher that a sensor with an eye is at present; `None` for one that is gone, blind or
    /// sits on somebody dead. It reaches as far as its footprint.
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
            eye: self.scale.of_ground(at, eye),
            reach: i64::MAX,
            footprint: Some(sensor.footprint.translated_to(at)),
            body,
        })
    }
}
