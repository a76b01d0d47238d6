//! The units: four kinds, their agent types and bodies.

use std::f64::consts::FRAC_PI_3;

use wayfarer::prelude::*;
use wayfarer::{AgentTypeError, BodyError, RequestId, SensorId};

use crate::skirmish::map::{Map, Rng, SIDE, middle};

/// The lowest and the highest floor of the air, in meters: over walls, among the taller solids.
pub(crate) const AIR: [f64; 2] = [4.0, 16.0];

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Soldier,
    Tank,
    Boat,
    Drone,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Soldier, Self::Tank, Self::Boat, Self::Drone];

    /// Of twenty units: twelve soldiers, three tanks, two boats, three drones.
    pub(crate) const fn of_number(number: usize) -> Self {
        match number % 20 {
            0..12 => Self::Soldier,
            12..15 => Self::Tank,
            15..17 => Self::Boat,
            _ => Self::Drone,
        }
    }

    pub(crate) const fn radius(self) -> f64 {
        match self {
            Self::Soldier | Self::Drone => 0.4,
            Self::Tank => 1.5,
            Self::Boat => 1.0,
        }
    }

    /// Meters per tick.
    pub(crate) const fn speed(self) -> f64 {
        match self {
            Self::Soldier => 0.1,
            Self::Tank | Self::Boat => 0.15,
            Self::Drone => 0.3,
        }
    }

    fn agent_type(self) -> AgentType {
        let radius = self.radius();
        let ground = AgentType {
            radius,
            ..AgentType::GROUND
        };
        match self {
            Self::Soldier | Self::Tank => AgentType {
                terrain_costs: vec![(Terrain::SWAMP, 3.0)],
                ..ground
            },
            Self::Boat => AgentType {
                terrains: TerrainSet::of(&[Terrain::WATER]),
                ..ground
            },
            Self::Drone => AgentType {
                radius,
                ..AgentType::FLIGHT
            },
        }
    }

    /// Registers the agent types of all kinds, in order.
    pub(crate) fn register(world: &mut World) -> Result<[AgentTypeId; 4], AgentTypeError> {
        let mut ids = [AgentTypeId::DEFAULT; 4];
        for (id, kind) in ids.iter_mut().zip(Self::ALL) {
            *id = world.add_agent_type(kind.agent_type())?;
        }
        Ok(ids)
    }

    /// A random place where a unit of this kind fits.
    pub(crate) fn place(self, world: &World, types: &[AgentTypeId; 4], rng: &mut Rng) -> Position {
        loop {
            let tile = [rng.between(2, SIDE - 2), rng.between(2, SIDE - 2)];
            if self == Self::Drone {
                let z = f64::from(rng.between(5, 14)) + 0.5;
                return middle(tile, z);
            }
            let place = world.project_to_floor(types[self as usize], middle(tile, 0.0));
            if let Some(place) = place.filter(|place| place.z == 0) {
                return place;
            }
        }
    }
}

/// A unit.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Unit {
    pub(crate) kind: Kind,
    pub(crate) team: u8,
    pub(crate) at: Position,
    pub(crate) heading: Heading,
    pub(crate) body: BodyId,
    pub(crate) sensor: SensorId,
    pub(crate) duty: Duty,
    /// Goals reached so far.
    pub(crate) n_goals: u32,
}

/// What a unit does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Duty {
    /// It follows the path of a request.
    Request(RequestId),
    /// It follows the flow field of a group, now to this place.
    Group(usize, Position),
}

impl Unit {
    /// Registers the unit's body and its sensor.
    pub(crate) fn new(
        world: &mut World,
        (kind, team): (Kind, u8),
        at: Position,
        duty: Duty,
    ) -> Result<Self, BodyError> {
        let body = world.add_body(Body {
            position: at,
            shape: BodyShape::disc(kind.radius()),
            height: 1.8,
            team,
            blocks_movement: false,
            ..Body::default()
        })?;
        let heading = Heading::EAST;
        let sensor = world.add_sensor(Sensor {
            mount: body.into(),
            footprint: sight_cone(at, heading),
            filter: BodyFilter::enemies_of(team),
            requires_line_of_sight: true,
            eye_height: 1.7,
            ..Sensor::default()
        })?;
        Ok(Self {
            kind,
            team,
            at,
            heading,
            body,
            sensor,
            duty,
            n_goals: 0,
        })
    }

    /// Moves toward a target by at most the unit's speed.
    pub(crate) fn move_to(&mut self, target: Position) {
        let next = self.at.toward(target, self.kind.speed());
        if (next.x, next.y) != (self.at.x, self.at.y) {
            self.heading = Heading::toward(self.at, next);
        }
        self.at = next;
    }
}

/// A cone of 60 degrees and 30 m.
pub(crate) fn sight_cone(at: Position, heading: Heading) -> Footprint {
    Footprint::cone(at, heading, FRAC_PI_3, 30.0)
}

/// The world of a map: ground, air, walls, and doors with their links.
pub(crate) fn build_world(map: &Map) -> Result<World, Box<dyn std::error::Error>> {
    use wayfarer::{NavLinkKind, ThinWall};

    let mut world = World::import("skirmish.map", &map.to_file(), Scale::meters(1.0))?;
    let side = f64::from(SIDE);
    world.add_air(
        Position::new(0.0, 0.0, AIR[0]),
        Position::new(side, side, AIR[1]),
    )?;
    let corner = |[x, y]: [i32; 2]| Position::new(f64::from(x), f64::from(y), 0.0);
    let walls = map.walls.iter().map(|wall| {
        let (from, to) = (corner(wall.from), corner(wall.to));
        Edit::add_wall(ThinWall { from, to })
    });
    let doors = map.doors.iter().map(|door| {
        let (from, to) = (middle(door.inside, 0.0), middle(door.outside, 0.0));
        Edit::add_link(NavLink::new(from, to, NavLinkKind::Door))
    });
    world.apply(&walls.chain(doors).collect::<Vec<_>>())?;
    Ok(world)
}
