//! Random worlds: ground with floors, rocks in the air, obstacles, bodies, agent types.

use wayfarer_engine::base::{
    Cell, Column, Cost, CostMultiplier, Fixed, Location, Point2, Profile, Rng, Terrain, Voxel,
    WorldData,
};
use wayfarer_engine::search::multimodal::{AirLink, FlightProfile};
use wayfarer_engine::search::sight::OcclusionRules;
use wayfarer_engine::world::air::AirBuilder;
use wayfarer_engine::world::bodies::{Body, BodyCategories, BodyShape, Footprint, Heading};
use wayfarer_engine::world::obstacles::{
    DiscAgent, Obstacle, ObstacleCategories, ObstacleSet, ObstacleShape,
};
use wayfarer_engine::{AgentType, AgentTypeId, Position, Scale, World};
use wayfarer_testkit::{ReferenceVoxels, ReferenceWorld, WorldKind, random_profile, random_world};

use super::model::Model;

/// Voxels of the air along x and y, cells of the field.
pub(super) const SIDE: i32 = 16;
/// Voxels of the air along z.
pub(super) const HEIGHT: i32 = 8;
/// The columns on which a world has floors at first.
const FIRST: (i32, i32) = (-6, 17);

/// The agent types of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agent {
    /// The world's own walker.
    Walker,
    /// A second ground profile.
    Other,
    /// A point that flies.
    Flyer,
    /// A ball that flies.
    Stout,
    /// The world's walker with wings.
    Both,
    /// A planar agent.
    Roamer,
}

impl Agent {
    pub(super) const ALL: [Self; 6] = [
        Self::Walker,
        Self::Other,
        Self::Flyer,
        Self::Stout,
        Self::Both,
        Self::Roamer,
    ];
}

/// The registered agent types with their profiles.
#[derive(Clone, Debug)]
pub(super) struct Agents {
    pub(super) walker: Profile,
    pub(super) other: Profile,
    pub(super) flight: FlightProfile,
    pub(super) stout: FlightProfile,
    pub(super) roamer: DiscAgent,
    agent_types: [AgentTypeId; 6],
}

impl Agents {
    pub(super) fn kind(&self, agent: Agent) -> AgentTypeId {
        self.agent_types[agent as usize]
    }

    /// What an agent is on foot.
    pub(super) fn profile(&self, agent: Agent) -> &Profile {
        match agent {
            Agent::Other => &self.other,
            _ => &self.walker,
        }
    }
}

/// A world, its model and its agent types.
pub(super) fn trace(seed: u64) -> Result<(World, Model, Agents), String> {
    let mut rng = Rng::for_stream(seed, 0x6d69_7865);
    let rng = &mut rng;
    let kind = *rng.pick(&WorldKind::ALL).unwrap_or(&WorldKind::Mixed);
    let mut plan = random_world(seed, kind);
    let is_kept = |cell: &Cell| {
        let kept = FIRST.0..=FIRST.1;
        kept.contains(&cell.x) && kept.contains(&cell.y)
    };
    plan.cells.retain(|(cell, _)| is_kept(cell));
    plan.walls.retain(|wall| is_kept(&wall.cell));
    let ground = ReferenceWorld::new(&plan);
    let mut world = World::from_data(&plan).map_err(|error| error.to_string())?;
    let length = *rng.pick(&[1.0, 0.5, 2.5]).unwrap_or(&1.0);
    let mut part = || f64::from(rng.between(-40, 40)) / 4.0;
    let origin = Position::new(part(), part(), part());
    let scale = Scale::new(length, length, length).map_err(|error| error.to_string())?;
    world = world
        .with_scale(scale.at(origin))
        .with_occlusion_rules(OcclusionRules {
            is_void_transparent: rng.chance(1, 2),
            ..OcclusionRules::default()
        });
    let mut space = ReferenceVoxels::new([SIDE, SIDE, HEIGHT]);
    if !seed.is_multiple_of(7) {
        world = world.with_air(air(rng, &plan, &mut space)?);
    }
    if !seed.is_multiple_of(5) {
        let obstacles = ObstacleSet::square(SIDE).map_err(|error| error.to_string())?;
        world = world.with_obstacles(obstacles);
    }
    let agents = agents(rng, &mut world)?;
    Ok((world, Model::new(ground, space), agents))
}

fn air(
    rng: &mut Rng,
    plan: &WorldData,
    space: &mut ReferenceVoxels,
) -> Result<wayfarer_engine::world::air::Air, String> {
    let size = [SIDE, SIDE, HEIGHT].map(i32::unsigned_abs);
    let fault = |error: wayfarer_engine::world::air::AirError| error.to_string();
    let mut builder = AirBuilder::new(Voxel::default(), size).map_err(fault)?;
    let mut solid = Vec::new();
    for _ in 0..rng.between(20, 260) {
        solid.push(voxel(rng));
    }
    // In every other world the ground is solid in the air, too.
    if rng.chance(1, 2) {
        solid.extend(
            plan.cells
                .iter()
                .map(|(cell, _)| Voxel::new(cell.x, cell.y, cell.z - 1)),
        );
    }
    let inside = |at: &Voxel| {
        (0..SIDE).contains(&at.x) && (0..SIDE).contains(&at.y) && (0..HEIGHT).contains(&at.z)
    };
    for at in solid.into_iter().filter(inside) {
        builder.add_voxel(at).map_err(fault)?;
        space.set(at, true);
    }
    builder.build().map_err(fault)
}

fn agents(rng: &mut Rng, world: &mut World) -> Result<Agents, String> {
    let flight = FlightProfile {
        multiplier: CostMultiplier::from_sixteenths(if rng.chance(1, 2) { 16 } else { 40 })
            .unwrap_or(CostMultiplier::ONE),
        take_off: Cost::from_units(rng.below(4_000)),
        landing: Cost::from_units(rng.below(2_000)),
        requires_air_link: rng.chance(1, 3),
        ..FlightProfile::default()
    };
    let stout = FlightProfile {
        radius: Fixed::from_raw(rng.between(60, 400)),
        ..flight
    };
    let walker = world.ground().default_profile().clone();
    let other = random_profile(rng);
    let roamer = DiscAgent {
        radius: Fixed::from_raw(rng.between(0, 2) * 90),
        blocked_by: ObstacleCategories::from_bits(0b011),
    };
    let both = AgentType {
        ground: Some(walker.clone()),
        flight: Some(flight),
        ..AgentType::default()
    };
    let fault = |error: wayfarer_engine::AgentTypeError| error.to_string();
    let agent_types = [
        AgentTypeId::DEFAULT,
        world.add_agent_type(other.clone()).map_err(fault)?,
        world.add_agent_type(flight).map_err(fault)?,
        world.add_agent_type(stout).map_err(fault)?,
        world.add_agent_type(both).map_err(fault)?,
        world.add_agent_type(roamer).map_err(fault)?,
    ];
    Ok(Agents {
        walker,
        other,
        flight,
        stout,
        roamer,
        agent_types,
    })
}

pub(super) fn voxel(rng: &mut Rng) -> Voxel {
    let mut at = |side: i32| rng.between(0, side - 1);
    Voxel::new(at(SIDE), at(SIDE), at(HEIGHT))
}

/// A box of voxels, not large.
pub(super) fn voxels(rng: &mut Rng) -> (Voxel, Voxel) {
    let low = voxel(rng);
    let mut to = |at: i32, side: i32| (at + rng.between(0, 3)).min(side - 1);
    let high = Voxel::new(to(low.x, SIDE), to(low.y, SIDE), to(low.z, HEIGHT));
    (low, high)
}

/// A point of the field, in eighths of a cell.
pub(super) fn point(rng: &mut Rng) -> Point2 {
    let mut at = || Fixed::from_raw(rng.between(0, SIDE * 8) * 32);
    Point2::new(at(), at())
}

pub(super) fn obstacle(rng: &mut Rng) -> Obstacle {
    let number = u8::try_from(rng.below(3)).unwrap_or(0);
    let types = ObstacleCategories::one(number).unwrap_or(ObstacleCategories::ALL);
    let (x, y) = (rng.between(0, SIDE - 3), rng.between(0, SIDE - 3));
    let (width, height) = (rng.between(1, 3), rng.between(1, 3));
    match Obstacle::cells(x, y, width, height, types) {
        Ok(obstacle) if rng.chance(2, 3) => obstacle,
        _ => Obstacle {
            shape: ObstacleShape::Disc {
                center: point(rng),
                radius: Fixed::from_raw(rng.between(1, 300)),
            },
            categories: types,
        },
    }
}

pub(super) fn body(rng: &mut Rng) -> Body {
    let size = |rng: &mut Rng| Fixed::from_raw(rng.between(1, 250));
    Body {
        position: point(rng),
        shape: match rng.below(3) {
            0 => BodyShape::Point,
            _ => BodyShape::Disc { radius: size(rng) },
        },
        z: Fixed::from_raw(rng.between(0, 4) * 256),
        height: Fixed::from_raw(rng.between(0, 3) * 256),
        categories: BodyCategories::from_bits(1 + rng.below(7)),
        team: u8::try_from(rng.below(3)).unwrap_or(0),
    }
}

pub(super) fn air_link(rng: &mut Rng, world: &World) -> AirLink {
    let cell = some_cell(rng, world);
    let mut cost = || {
        rng.chance(2, 3)
            .then(|| Cost::from_units(1 + rng.below(9_000)))
    };
    let (take_off, land) = (cost(), cost());
    AirLink {
        cell,
        voxel: voxel(rng),
        take_off,
        landing: land,
    }
}

pub(super) fn footprint(rng: &mut Rng) -> Footprint {
    let at = point(rng);
    let reach = Fixed::from_raw(rng.between(100, 2_600));
    let heading = Heading::new(rng.between(-5, 5), rng.between(1, 5));
    match (rng.below(3), heading) {
        (0, Ok(heading)) => Footprint::wedge(at, reach, heading, 0.5),
        _ => Footprint::circle(at, reach),
    }
}

/// A floor near the air, most often walkable for the default profile.
pub(super) fn some_cell(rng: &mut Rng, world: &World) -> Cell {
    for _ in 0..6 {
        let column = Column::new(rng.between(FIRST.0, FIRST.1), rng.between(FIRST.0, FIRST.1));
        let floors: Vec<(i32, Terrain)> = world.ground().floors(column).collect();
        if let Some((z, _)) = rng.pick(&floors)
            && (world.is_walkable(column.at(*z)) || rng.chance(1, 8))
        {
            return column.at(*z);
        }
    }
    Cell::new(
        rng.between(FIRST.0, FIRST.1),
        rng.between(FIRST.0, FIRST.1),
        0,
    )
}

/// A position in world units, most often a legal one.
pub(super) fn position(rng: &mut Rng, world: &World, agent: Agent) -> Position {
    let at = match agent {
        Agent::Flyer | Agent::Stout => Location::Voxel(voxel(rng)),
        Agent::Both if rng.chance(1, 4) => Location::Voxel(voxel(rng)),
        Agent::Walker | Agent::Other | Agent::Both => Location::Cell(some_cell(rng, world)),
        Agent::Roamer => Location::Point(point(rng)),
    };
    let mut at = world.position_of(at);
    if rng.chance(1, 3) && agent != Agent::Roamer {
        // Somewhere else in the cell or voxel, or a little above or below.
        let quarter = world.scale().lengths()[0] / 4;
        at.x += quarter * i64::from(rng.between(-1, 1));
        at.y += quarter * i64::from(rng.between(-1, 1));
        at.z += quarter * i64::from(rng.between(-1, 4));
    }
    at
}
