//! The agents: their roles, how they move, what they do.

use std::f64::consts::FRAC_PI_2;

use wayfarer::prelude::*;
use wayfarer::{
    AgentTypeError, BodyError, Crowd, CrowdAgent, CrowdAgentId, CrowdError, RequestId, SensorId,
    Traversal, Viewer,
};

use super::site::{grass, rubble};

/// Radius of every agent.
const RADIUS: f64 = 0.4;
/// Height of those on foot, and how high they step.
const HEIGHT: f64 = 1.8;
const STEP: f64 = 1.0;
/// Height of a guard's eye, and how far it sees.
const EYE: f64 = 1.6;
const SIGHT: f64 = 11.0;
/// The team of thieves.
const THIEVES: u8 = 2;

/// The role of an agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// Walks.
    Servant,
    /// Walks, with a sensor.
    Guard,
    /// Walks with an exposure cost to guards.
    Thief,
    /// Flies.
    Raven,
    /// Walks and flies.
    Winged,
}

impl Role {
    /// The role of an agent by its number.
    pub(super) const fn of_number(number: usize) -> Self {
        match number % 25 {
            0..=2 => Self::Winged,
            3..=6 => Self::Raven,
            7 | 8 => Self::Guard,
            9 => Self::Thief,
            _ => Self::Servant,
        }
    }

    /// Units per second.
    const fn speed(self) -> f64 {
        match self {
            Self::Servant => 3.0,
            Self::Guard => 2.3,
            Self::Thief => 3.5,
            Self::Raven => 7.8,
            Self::Winged => 5.0,
        }
    }

    /// True for agents that walk in the crowd.
    pub(super) const fn walks(self) -> bool {
        matches!(self, Self::Servant | Self::Guard | Self::Thief)
    }
}

/// The agent types: on foot, in the air, both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Types {
    pub(super) walker: AgentTypeId,
    raven: AgentTypeId,
    winged: AgentTypeId,
}

impl Types {
    pub(super) fn register(world: &mut World) -> Result<Self, AgentTypeError> {
        let walker = AgentType {
            radius: RADIUS,
            height: HEIGHT,
            max_step: STEP,
            max_drop: STEP,
            terrains: TerrainSet::WALKABLE.with(grass()).with(rubble()),
            terrain_costs: vec![(rubble(), 3.0)],
            ..AgentType::GROUND
        };
        let winged = AgentType {
            movement: Movement::GroundAndFlight,
            flight_cost: 1.5,
            take_off_cost: 2.0,
            ..walker.clone()
        };
        let raven = AgentType {
            radius: RADIUS,
            ..AgentType::FLIGHT
        };
        Ok(Self {
            walker: world.add_agent_type(walker)?,
            raven: world.add_agent_type(raven)?,
            winged: world.add_agent_type(winged)?,
        })
    }

    pub(super) const fn of(self, role: Role) -> AgentTypeId {
        match role {
            Role::Raven => self.raven,
            Role::Winged => self.winged,
            _ => self.walker,
        }
    }
}

/// An agent.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    pub(crate) role: Role,
    /// Position: the feet on the ground, the center in the air.
    pub(crate) at: Position,
    /// The path being followed.
    pub(crate) path: Option<Path>,
    /// True once the path was repaired.
    pub(crate) is_repaired: bool,
    /// The sensor of a guard.
    pub(super) sensor: Option<SensorId>,
    pub(super) body: BodyId,
    heading: Heading,
    /// The agent in the crowd, if it walks.
    pub(super) walker: Option<CrowdAgentId>,
    /// The request of an agent that is not in the crowd.
    pub(super) request: Option<RequestId>,
    /// How it moves now.
    traversal: Traversal,
    /// Ticks to rest before the next goal.
    pub(super) rest: u32,
}

impl Agent {
    /// Registers its body and, by its role, its sensor and its place in the crowd.
    pub(super) fn new(
        world: &mut World,
        crowd: &mut Crowd,
        (role, agent_type): (Role, AgentTypeId),
        at: Position,
    ) -> Result<Self, CrowdError> {
        let body = world.add_body(Body {
            position: at,
            shape: BodyShape::disc(RADIUS),
            height: if role == Role::Raven { 0.5 } else { HEIGHT },
            team: match role {
                Role::Guard => 1,
                Role::Thief => THIEVES,
                _ => 0,
            },
            blocks_movement: false,
            ..Body::default()
        })?;
        let heading = Heading { x: 0.0, y: 1.0 };
        let mut agent = Self {
            role,
            at,
            path: None,
            is_repaired: false,
            sensor: None,
            body,
            heading,
            walker: None,
            request: None,
            traversal: Traversal::Walk,
            rest: 0,
        };
        if role.walks() {
            let walker = CrowdAgent {
                agent_type,
                max_speed: role.speed(),
                ..CrowdAgent::default()
            };
            agent.walker = Some(crowd.add(world, body, walker)?);
        }
        if role == Role::Guard {
            agent.sensor = Some(world.add_sensor(Sensor {
                mount: body.into(),
                footprint: agent.cone(),
                filter: BodyFilter::team(THIEVES),
                requires_line_of_sight: true,
                eye_height: EYE,
                exit_margin: 1.0,
                ..Sensor::default()
            })?);
        }
        Ok(agent)
    }

    fn cone(&self) -> Footprint {
        Footprint::cone(self.at, self.heading, FRAC_PI_2, SIGHT)
    }

    /// A guard as a viewer.
    pub(crate) fn viewer(&self) -> Option<Viewer> {
        self.sensor?;
        let [x, y, z] = self.at.units();
        Some(Viewer {
            footprint: Some(self.cone()),
            body: Some(self.body),
            ..Viewer::new(Position::new(x, y, z + EYE), SIGHT)
        })
    }

    /// Moves by one tick toward where its path leads next; true on arrival.
    pub(super) fn follow(
        &mut self,
        (world, agent_type): (&World, AgentTypeId),
        planner: &mut Planner,
    ) -> bool {
        let step = self.request.and_then(|id| planner.advance(id, self.at));
        let Some(step) = step else {
            return false;
        };
        self.at = self.at.toward(step.target, self.role.speed() / 30.0);
        self.traversal = step.traversal;
        if self.role == Role::Winged && step.traversal == Traversal::Walk {
            // On foot its height is that of the floor, not of the line.
            self.at = world
                .project_to_floor(agent_type, self.at)
                .unwrap_or(self.at);
        }
        step.has_arrived
    }

    /// Takes over where the crowd moved it, and turns its sensor.
    pub(super) fn walk(&mut self, world: &mut World, crowd: &Crowd) -> Result<(), BodyError> {
        let Some(walker) = self.walker else {
            return Ok(());
        };
        self.at = crowd.position(walker).unwrap_or(self.at);
        let [x, y] = crowd.velocity(walker).unwrap_or_default();
        if let Some(sensor) = self.sensor.filter(|_| (x, y) != (0.0, 0.0)) {
            self.heading = Heading { x, y };
            world.set_sensor_footprint(sensor, &self.cone())?;
        }
        Ok(())
    }

    /// Its body where the agent is: radius, height, and whether it is a ball; a step below its position
    /// does not count, as it may be on stairs.
    pub(super) fn outline(&self) -> (Position, (f64, f64, bool)) {
        if self.traversal == Traversal::Fly || self.role == Role::Raven {
            return (self.at, (RADIUS, 0.0, true));
        }
        let [x, y, z] = self.at.units();
        // Between the floor and the center of a voxel it is less than its height above the floor.
        let is_walk = matches!(self.traversal, Traversal::Walk | Traversal::NavLink);
        let (from, to) = if is_walk { (STEP, HEIGHT) } else { (0.5, 0.9) };
        let body = (RADIUS, to - from, false);
        (Position::new(x, y, z + from), body)
    }

    /// The rest of its path from where it is: the waypoints after the nearest line.
    pub(crate) fn ahead(&self) -> Vec<Position> {
        let waypoints: Vec<Position> = match &self.path {
            Some(path) => path.waypoints().collect(),
            None => Vec::new(),
        };
        let lines = waypoints.windows(2).enumerate();
        let detour = |line: &[Position]| {
            let (a, b) = (line[0], line[1]);
            self.at.distance(a) + self.at.distance(b) - a.distance(b)
        };
        let nearest = lines.min_by(|a, b| detour(a.1).total_cmp(&detour(b.1)));
        let next = nearest.map_or(waypoints.len(), |(index, _)| index + 1);
        let rest = waypoints[next..].iter().copied();
        std::iter::once(self.at).chain(rest).collect()
    }

    /// True if its path leads through the air.
    pub(crate) fn flies(&self) -> bool {
        let mut waypoints = self.path.iter().flat_map(|path| path.traversal());
        waypoints.any(|waypoint| waypoint.next == Traversal::Fly)
    }
}
