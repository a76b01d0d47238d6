//! Agent types: how an agent moves on the ground, in the air or on the plane. A type is registered
//! once; a ground profile other than the default gets its own derived data, which every edit repairs.

use thiserror::Error;
use wayfarer_base::{Cell, Cost, Fixed, Location, Profile, RequestError, Voxel};
use wayfarer_search::ground::NavGraph;
use wayfarer_search::multimodal::{AirLink, FlightProfile, GridAlignment, MultimodalGraph};
use wayfarer_world::ground::{ProfileError, ProfileId};
use wayfarer_world::obstacles::DiscAgent;

use super::World;
use crate::Position;

/// How an agent moves: on the ground, in the air, both, or on the plane alone.
///
/// ```
/// use wayfarer_engine::AgentType;
/// use wayfarer_engine::base::{Profile, Terrain};
/// use wayfarer_engine::search::multimodal::FlightProfile;
///
/// // A duck walks, swims and flies.
/// let allowed_terrains = Profile::DEFAULT.allowed_terrains | Terrain::WATER.bit();
/// let duck = AgentType {
///     ground: Some(Profile { allowed_terrains, ..Profile::DEFAULT }),
///     flight: Some(FlightProfile::default()),
///     ..AgentType::default()
/// };
/// assert!(duck.planar.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentType {
    /// Movement on the ground: size, step and drop limits, terrains and their costs.
    pub ground: Option<Profile>,
    /// Movement in the air: radius, cost, take-off and landing.
    pub flight: Option<FlightProfile>,
    /// Movement on the plane among obstacles, ignoring the ground. Excludes the other two.
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

/// Why an agent type was rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AgentTypeError {
    /// A value of the ground profile is out of range.
    #[error(transparent)]
    Ground(#[from] ProfileError),
    /// The flight radius is out of range.
    #[error("the flight radius is {found}, expected 0 to 12 voxels")]
    Flight {
        /// The radius, in voxels.
        found: Fixed,
    },
    /// The planar radius is out of range.
    #[error("the planar radius is {found}, expected 0 to 262,144 cells")]
    Planar {
        /// The radius, in cells.
        found: Fixed,
    },
    /// Planar movement is combined with ground or flight movement.
    #[error("planar movement is combined with ground or flight, expected planar alone")]
    PlanarCombined,
}

impl AgentType {
    /// Checks everything but the ground profile, which the ground checks on registration.
    pub(super) fn check(&self) -> Result<(), AgentTypeError> {
        if let Some(flight) = self.flight
            && !(0..=12 * Fixed::UNITS_PER_CELL).contains(&flight.radius.raw())
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

/// The id of an agent type registered with a world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AgentTypeId(u32);

impl AgentTypeId {
    /// The type of the world's default profile, which always exists.
    pub const DEFAULT: Self = Self(0);

    /// The number of types registered before it.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this [index](Self::index), whether or not a world has registered it; `None` from
    /// 2^32 on.
    pub fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index).ok().map(Self)
    }
}

/// An agent type with the id of its ground profile.
#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) agent_type: AgentType,
    /// `None` for the default profile, and for types without ground movement.
    pub(super) profile_id: Option<ProfileId>,
}

impl Registered {
    /// Height of the agent in steps; 0 without ground movement.
    pub(super) fn height(&self) -> i32 {
        self.agent_type
            .ground
            .as_ref()
            .map_or(0, |profile| profile.height)
    }
}

impl World {
    /// Registers an agent type for [`PathRequest::agent_type`](crate::PathRequest::agent_type). Its
    /// derived data is built now and repaired by every batch of edits; types whose ground profiles
    /// are equal once [normalized](Profile::normalized) share it. Types are never removed.
    ///
    /// # Errors
    /// A value is out of range, or planar movement is combined with another.
    pub fn add_agent_type(
        &mut self,
        agent_type: impl Into<AgentType>,
    ) -> Result<AgentTypeId, AgentTypeError> {
        let mut agent_type = agent_type.into();
        agent_type.check()?;
        agent_type.ground = agent_type.ground.map(Profile::normalized);
        let profile_id = match &agent_type.ground {
            Some(profile) if profile != self.ground.default_profile() => {
                Some(match self.profile_id(profile) {
                    Some(shared) => shared,
                    None => self.ground.register_profile(profile.clone())?,
                })
            }
            _ => None,
        };
        let number = u32::try_from(self.agent_types.len()).expect("fewer than 2^32 agent types");
        self.agent_types.push(Registered {
            agent_type,
            profile_id,
        });
        Ok(AgentTypeId(number))
    }

    /// The id under which an agent type has registered this profile.
    fn profile_id(&self, profile: &Profile) -> Option<ProfileId> {
        let mut known = self.agent_types.iter();
        known.find_map(|known| {
            let is_same = known.agent_type.ground.as_ref() == Some(profile);
            known.profile_id.filter(|_| is_same)
        })
    }

    /// A registered agent type; `None` for the id of another world.
    pub fn agent_type(&self, id: AgentTypeId) -> Option<&AgentType> {
        self.agent_types
            .get(id.0 as usize)
            .map(|registered| &registered.agent_type)
    }

    /// The registered agent types by id, [`AgentTypeId::DEFAULT`] first.
    pub fn agent_types(&self) -> impl Iterator<Item = &AgentType> {
        self.agent_types
            .iter()
            .map(|registered| &registered.agent_type)
    }

    /// The id of the agent type registered after `index` others; `None` if there are fewer.
    pub fn agent_type_id(&self, index: usize) -> Option<AgentTypeId> {
        let number = u32::try_from(index).ok()?;
        (index < self.agent_types.len()).then_some(AgentTypeId(number))
    }

    /// The explicit links between ground and air, sorted by cell and voxel.
    pub fn air_links(&self) -> &[AirLink] {
        &self.air_links
    }

    pub(super) fn registered(&self, id: AgentTypeId) -> Result<&Registered, RequestError> {
        self.agent_types
            .get(id.0 as usize)
            .ok_or(RequestError::UnknownProfile)
    }

    /// The ground of an agent type.
    ///
    /// # Errors
    /// The type is unknown or does not walk.
    pub fn nav_graph(&self, id: AgentTypeId) -> Result<NavGraph<'_>, RequestError> {
        let registered = self.registered(id)?;
        if registered.agent_type.ground.is_none() {
            return Err(RequestError::UnsupportedMethod {
                method: "ground",
                reason: "the agent type does not walk",
            });
        }
        NavGraph::new(&self.ground, registered.profile_id)
    }

    /// The sizes of cells, steps and voxels relative to each other.
    pub(super) fn grid_alignment(&self) -> GridAlignment {
        self.scale.alignment()
    }

    /// The joint graph of ground and air for an agent type.
    pub(super) fn multimodal_graph(
        &self,
        registered: &Registered,
    ) -> Result<MultimodalGraph<'_>, RequestError> {
        let has_ground = registered.agent_type.ground.is_some();
        let nav_graph = has_ground.then(|| NavGraph::new(&self.ground, registered.profile_id));
        Ok(MultimodalGraph {
            nav_graph: nav_graph.transpose()?,
            air: self.air.as_ref().zip(registered.agent_type.flight),
            alignment: self.grid_alignment(),
            air_links: &self.air_links,
        })
    }

    /// Converts a cost in voxels to ground units.
    pub(super) fn flight_cost(&self, cost: Cost, flight: FlightProfile) -> Cost {
        let one = wayfarer_base::CostMultiplier::ONE;
        self.grid_alignment()
            .move_cost(cost, flight.multiplier, (one, one))
    }

    /// The cell, voxel or point of an agent at a position. On the ground it is the walkable floor of
    /// the column nearest in height, ties to the lower; for a type that also flies only within
    /// `max_step` (at least 1) of the position, else the voxel.
    pub(super) fn locate(&self, registered: &Registered, at: Position) -> Option<Location> {
        let agent_type = &registered.agent_type;
        if agent_type.ground.is_none() && agent_type.flight.is_none() {
            return self.scale.point(at).map(Location::Point);
        }
        let can_fly = agent_type.flight.is_some() && self.air.is_some();
        if let Some(profile) = &agent_type.ground {
            let cell = self.scale.cell(at)?;
            let nav_graph = NavGraph::new(&self.ground, registered.profile_id).ok()?;
            let floors = self.ground.floors(cell.column());
            let floors = floors.map(|(z, _)| cell.column().at(z));
            let nearest = floors
                .filter(|floor| nav_graph.node(*floor).is_some())
                .min_by_key(|floor| (floor.z.abs_diff(cell.z), floor.z));
            let max_step = profile.max_step.max(1).unsigned_abs();
            match nearest {
                Some(floor) if !can_fly || floor.z.abs_diff(cell.z) <= max_step => {
                    return Some(floor.into());
                }
                _ if !can_fly => return Some(cell.into()),
                _ => {}
            }
        }
        self.scale.voxel(at).map(Location::Voxel)
    }

    /// The center of a cell's floor or of a voxel, or a planar point at height 0, in world units.
    pub fn position_of(&self, location: Location) -> Position {
        match location {
            Location::Cell(cell) => self.scale.cell_center(cell),
            Location::Voxel(voxel) => self.scale.voxel_center(voxel),
            Location::Point(point) => self.scale.ground_position(point, Fixed::default()),
        }
    }

    /// The cost of the cheapest take-off (`up`) or landing between a cell and a voxel; `None`
    /// without one.
    pub(super) fn transition_cost(
        &self,
        registered: &Registered,
        cell: Cell,
        voxel: Voxel,
        up: bool,
    ) -> Option<Cost> {
        let graph = self.multimodal_graph(registered).ok()?;
        let mut min: Option<Cost> = None;
        let mut take = |is_match: bool, cost: Cost| {
            if is_match {
                min = Some(min.map_or(cost, |min| min.min(cost)));
            }
        };
        if up {
            graph.for_each_take_off(cell, |to, cost| take(to == voxel, cost));
        } else {
            graph.for_each_landing(voxel, |to, cost| take(to == cell, cost));
        }
        min
    }
}
