//! Who asks the way: what an agent can do, registered with the world once.

use thiserror::Error;
use wayfarer_base::{Cell, Cost, Fixed, Location, Profile, RequestError, Voxel};
use wayfarer_search::ground::NavGraph;
use wayfarer_search::multimodal::{AirLink, FlightProfile, GridAlignment, MultimodalGraph};
use wayfarer_world::ground::{ProfileError, ProfileId};
use wayfarer_world::obstacles::DiscAgent;

use super::World;
use crate::Position;

/// What an agent can do: walk, climb and swim, fly, or any of these together.
///
/// ```
/// use wayfarer::AgentType;
/// use wayfarer::base::{Profile, Terrain};
/// use wayfarer::search::multimodal::FlightProfile;
///
/// // A duck ground, swims and flight.
/// let terrains = Profile::DEFAULT.terrains | Terrain::WATER.bit();
/// let duck = AgentType {
///     ground: Some(Profile { terrains, ..Profile::DEFAULT }),
///     flight: Some(FlightProfile::default()),
///     ..AgentType::default()
/// };
/// assert!(duck.planar.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentType {
    /// How it gets over the ground: what it climbs, drops from, swims in and at what cost multiplier.
    pub ground: Option<Profile>,
    /// How it flies.
    pub flight: Option<FlightProfile>,
    /// How it goes about the field freely, without regard to the ground; only for one who neither
    /// walks nor flies.
    pub planar: Option<DiscAgent>,
}

impl From<Profile> for AgentType {
    fn from(profile: Profile) -> Self {
        Self {
            ground: Some(profile),
            ..Self::default()
        }
    }
}

impl From<FlightProfile> for AgentType {
    fn from(flight: FlightProfile) -> Self {
        Self {
            flight: Some(flight),
            ..Self::default()
        }
    }
}

impl From<DiscAgent> for AgentType {
    fn from(agent: DiscAgent) -> Self {
        Self {
            planar: Some(agent),
            ..Self::default()
        }
    }
}

/// Why a kind of agent was not registered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AgentTypeError {
    /// A number of how it walks is outside its limits.
    #[error(transparent)]
    Ground(#[from] ProfileError),
    /// Its body in the air is too small or too large.
    #[error("the radius of its wings is {found}, expected 0 to 12 voxels")]
    Flight {
        /// The radius, in voxels.
        found: Fixed,
    },
    /// Its body in the field is too small or too large.
    #[error("the radius with which it roams is {found}, expected 0 to 262,144 cells")]
    Planar {
        /// The radius, in cells.
        found: Fixed,
    },
    /// It would roam the field, and walk or fly as well.
    #[error("it roams and walks or flies as well, expected one that only roams")]
    PlanarCombined,
}

impl AgentType {
    /// Whether everything but how it walks is within its limits.
    pub(super) fn check(&self) -> Result<(), AgentTypeError> {
        if let Some(flight) = self.flight
            && !(0..=12 * Fixed::PARTS).contains(&flight.radius.raw())
        {
            let found = flight.radius;
            return Err(AgentTypeError::Flight { found });
        }
        let Some(agent) = self.planar else {
            return Ok(());
        };
        if self.ground.is_some() || self.flight.is_some() {
            return Err(AgentTypeError::PlanarCombined);
        }
        let found = agent.radius;
        if found.raw() < 0 || found > DiscAgent::MAX_RADIUS {
            return Err(AgentTypeError::Planar { found });
        }
        Ok(())
    }
}

/// The name of a kind of agent registered with a world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AgentTypeId(u32);

impl AgentTypeId {
    /// The world's own walker, who is always there.
    pub const DEFAULT: Self = Self(0);
}

/// A kind with the view of the ground that was made for it.
#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) agent_type: AgentType,
    /// `None` for the world's own walker, and for who does not walk.
    pub(super) profile_id: Option<ProfileId>,
}

impl Registered {
    /// Headroom of the body in steps, for what is seen of it.
    pub(super) fn height(&self) -> i32 {
        self.agent_type
            .ground
            .as_ref()
            .map_or(0, |walker| walker.height)
    }
}

impl World {
    /// Lets agents of this kind ask: name it in [`PathRequest::who`](crate::Request::who). From then on
    /// every batch of edits keeps what is derived for it true. Kinds are numbered as they come and
    /// never forgotten.
    ///
    /// # Errors
    /// If a number of its profile, wings or body is outside its limits, or if it roams and walks or
    /// flies as well.
    pub fn add_agent_type(
        &mut self,
        kind: impl Into<AgentType>,
    ) -> Result<AgentTypeId, AgentTypeError> {
        let agent_type = kind.into();
        agent_type.check()?;
        let profile_id = match &agent_type.ground {
            Some(profile) if profile != self.ground.default_profile() => {
                Some(self.ground.register_profile(profile.clone())?)
            }
            _ => None,
        };
        let number = u32::try_from(self.agent_types.len()).expect("fewer than 2^32 kinds");
        self.agent_types.push(Registered {
            agent_type,
            profile_id,
        });
        Ok(AgentTypeId(number))
    }

    /// A registered kind.
    pub fn agent_type(&self, id: AgentTypeId) -> Option<&AgentType> {
        self.agent_types
            .get(id.0 as usize)
            .map(|known| &known.agent_type)
    }

    /// Every registered kind in the order of their names, the world's own walker first.
    pub fn agent_types(&self) -> impl Iterator<Item = &AgentType> {
        self.agent_types.iter().map(|known| &known.agent_type)
    }

    /// The air links: nav links between ground and air made by hand, sorted by cell and voxel.
    pub fn air_links(&self) -> &[AirLink] {
        &self.air_links
    }

    pub(super) fn registered(&self, id: AgentTypeId) -> Result<&Registered, RequestError> {
        self.agent_types
            .get(id.0 as usize)
            .ok_or(RequestError::UnknownProfile)
    }

    /// How cells, steps and voxels lie to each other.
    pub(super) fn frame(&self) -> GridAlignment {
        let [cell, step, voxel] = self.scale.lengths();
        GridAlignment { cell, step, voxel }
    }

    /// The world as somebody who walks and flies finds it.
    pub(super) fn mixed(&self, known: &Registered) -> Result<MultimodalGraph<'_>, RequestError> {
        let walks = known.agent_type.ground.is_some();
        let nav_graph = walks.then(|| NavGraph::new(&self.ground, known.profile_id));
        Ok(MultimodalGraph {
            nav_graph: nav_graph.transpose()?,
            air: self.air.as_ref().zip(known.agent_type.flight),
            frame: self.frame(),
            air_links: &self.air_links,
        })
    }

    /// What a flight costs on the scale of the ground.
    pub(super) fn flight_cost(&self, cost: Cost, flight: FlightProfile) -> Cost {
        let one = wayfarer_base::CostMultiplier::ONE;
        self.frame().move_cost(cost, flight.multiplier, (one, one))
    }

    /// Where an agent of a kind is if it is at a position. Who walks stands on the floor of that
    /// column that is nearest in height, of two the lower; who flies as well only if that is no
    /// farther away than it climbs, or a step. Everybody else is in the air, or in the field.
    pub(super) fn place_of(&self, known: &Registered, at: Position) -> Option<Location> {
        let agent_type = &known.agent_type;
        if agent_type.ground.is_none() && agent_type.flight.is_none() {
            return self.scale.point(at).map(Location::Point);
        }
        let flies = agent_type.flight.is_some() && self.air.is_some();
        if let Some(profile) = &agent_type.ground {
            let cell = self.scale.cell(at)?;
            let nav_graph = NavGraph::new(&self.ground, known.profile_id).ok()?;
            let floors = self.ground.floors(cell.column());
            let floors = floors.map(|(z, _)| cell.column().at(z));
            let nearest = floors
                .filter(|floor| nav_graph.node(*floor).is_some())
                .min_by_key(|floor| (floor.z.abs_diff(cell.z), floor.z));
            let reach = profile.max_step.max(1).unsigned_abs();
            match nearest {
                Some(floor) if !flies || floor.z.abs_diff(cell.z) <= reach => {
                    return Some(floor.into());
                }
                _ if !flies => return Some(cell.into()),
                _ => {}
            }
        }
        self.scale.voxel(at).map(Location::Voxel)
    }

    /// The position of a cell's floor, a voxel's middle or a point of the field at height 0.
    pub fn position_of(&self, location: Location) -> Position {
        match location {
            Location::Cell(cell) => self.scale.cell_center(cell),
            Location::Voxel(voxel) => self.scale.voxel_center(voxel),
            Location::Point(point) => self.scale.of_ground(point, Fixed::default()),
        }
    }

    /// What the cheapest nav link between ground and air costs a kind there; `None` if there is
    /// none.
    pub(super) fn transfer_cost(
        &self,
        known: &Registered,
        cell: Cell,
        voxel: Voxel,
        up: bool,
    ) -> Option<Cost> {
        let world = self.mixed(known).ok()?;
        let mut least: Option<Cost> = None;
        let mut take = |is_it: bool, cost: Cost| {
            if is_it {
                least = Some(least.map_or(cost, |least| least.min(cost)));
            }
        };
        if up {
            world.take_offs(cell, |to, cost| take(to == voxel, cost));
        } else {
            world.landings(voxel, |to, cost| take(to == cell, cost));
        }
        least
    }
}
