//! Who asks the way: what an agent can do, registered with the world once.

use thiserror::Error;
use wayfarer_base::{Cell, Cost, Fixed, Location, Profile, RequestError, Voxel};
use wayfarer_search::ground::NavGraph;
use wayfarer_search::mixed::{AirLink, FlightProfile, GridAlignment, MultimodalGraph};
use wayfarer_world::field::DiscAgent;
use wayfarer_world::ground::{ProfileError, ProfileId};

use super::World;
use crate::Position;

/// What an agent can do: walk, climb and swim, fly, or any of these together.
///
/// ```
/// use wayfarer::AgentKind;
/// use wayfarer::base::{Profile, Terrain};
/// use wayfarer::search::mixed::Wings;
///
/// // A duck walks, swims and flies.
/// let terrains = Profile::WALKER.terrains | Terrain::WATER.bit();
/// let duck = AgentKind {
///     walks: Some(Profile { terrains, ..Profile::WALKER }),
///     flies: Some(Wings::default()),
///     ..AgentKind::default()
/// };
/// assert!(duck.roams.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentKind {
    /// How it gets over the ground: what it climbs, drops from, swims in and at what price.
    pub walks: Option<Profile>,
    /// How it flies.
    pub flies: Option<FlightProfile>,
    /// How it goes about the field freely, without regard to the ground; only for one who neither
    /// walks nor flies.
    pub roams: Option<DiscAgent>,
}

impl From<Profile> for AgentKind {
    fn from(profile: Profile) -> Self {
        Self {
            walks: Some(profile),
            ..Self::default()
        }
    }
}

impl From<FlightProfile> for AgentKind {
    fn from(wings: FlightProfile) -> Self {
        Self {
            flies: Some(wings),
            ..Self::default()
        }
    }
}

impl From<DiscAgent> for AgentKind {
    fn from(agent: DiscAgent) -> Self {
        Self {
            roams: Some(agent),
            ..Self::default()
        }
    }
}

/// Why a kind of agent was not registered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum KindError {
    /// A number of how it walks is outside its limits.
    #[error(transparent)]
    Walks(#[from] ProfileError),
    /// Its body in the air is too small or too large.
    #[error("the radius of its wings is {found}, expected 0 to 12 voxels")]
    Wings {
        /// The radius, in voxels.
        found: Fixed,
    },
    /// Its body in the field is too small or too large.
    #[error("the radius with which it roams is {found}, expected 0 to 262,144 cells")]
    Roams {
        /// The radius, in cells.
        found: Fixed,
    },
    /// It would roam the field, and walk or fly as well.
    #[error("it roams and walks or flies as well, expected one that only roams")]
    RoamsBesides,
}

impl AgentKind {
    /// Whether everything but how it walks is within its limits.
    pub(super) fn check(&self) -> Result<(), KindError> {
        if let Some(wings) = self.flies
            && !(0..=12 * Fixed::PARTS).contains(&wings.radius.raw())
        {
            let found = wings.radius;
            return Err(KindError::Wings { found });
        }
        let Some(agent) = self.roams else {
            return Ok(());
        };
        if self.walks.is_some() || self.flies.is_some() {
            return Err(KindError::RoamsBesides);
        }
        let found = agent.radius;
        if found.raw() < 0 || found > DiscAgent::MAX_RADIUS {
            return Err(KindError::Roams { found });
        }
        Ok(())
    }
}

/// The name of a kind of agent registered with a world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct KindId(u32);

impl KindId {
    /// The world's own walker, who is always there.
    pub const WALKER: Self = Self(0);
}

/// A kind with the view of the ground that was made for it.
#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) kind: AgentKind,
    /// `None` for the world's own walker, and for who does not walk.
    pub(super) view: Option<ProfileId>,
}

impl Registered {
    /// Headroom of the body in steps, for what is seen of it.
    pub(super) fn height(&self) -> i32 {
        self.kind.walks.as_ref().map_or(0, |walker| walker.height)
    }
}

impl World {
    /// Lets agents of this kind ask: name it in [`Request::who`](crate::Request::who). From then on
    /// every batch of edits keeps what is derived for it true. Kinds are numbered as they come and
    /// never forgotten.
    ///
    /// # Errors
    /// If a number of its profile, wings or body is outside its limits, or if it roams and walks or
    /// flies as well.
    pub fn register(&mut self, kind: impl Into<AgentKind>) -> Result<KindId, KindError> {
        let kind = kind.into();
        kind.check()?;
        let view = match &kind.walks {
            Some(profile) if profile != self.ground.default_profile() => {
                Some(self.ground.register_profile(profile.clone())?)
            }
            _ => None,
        };
        let number = u32::try_from(self.kinds.len()).expect("fewer than 2^32 kinds");
        self.kinds.push(Registered { kind, view });
        Ok(KindId(number))
    }

    /// A registered kind.
    pub fn kind(&self, id: KindId) -> Option<&AgentKind> {
        self.kinds.get(id.0 as usize).map(|known| &known.kind)
    }

    /// Every registered kind in the order of their names, the world's own walker first.
    pub fn kinds(&self) -> impl Iterator<Item = &AgentKind> {
        self.kinds.iter().map(|known| &known.kind)
    }

    /// The perches: passages between ground and air made by hand, sorted by cell and voxel.
    pub fn perches(&self) -> &[AirLink] {
        &self.perches
    }

    pub(super) fn registered(&self, id: KindId) -> Result<&Registered, RequestError> {
        self.kinds
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
        let walks = known.kind.walks.is_some();
        let footing = walks.then(|| NavGraph::new(&self.ground, known.view));
        Ok(MultimodalGraph {
            nav_graph: footing.transpose()?,
            air: self.air.as_ref().zip(known.kind.flies),
            frame: self.frame(),
            air_links: &self.perches,
        })
    }

    /// What a flight costs on the scale of the ground.
    pub(super) fn flight_cost(&self, cost: Cost, wings: FlightProfile) -> Cost {
        let one = wayfarer_base::CostMultiplier::ONE;
        self.frame().move_cost(cost, wings.multiplier, (one, one))
    }

    /// Where an agent of a kind is if it is at a position. Who walks stands on the floor of that
    /// column that is nearest in height, of two the lower; who flies as well only if that is no
    /// farther away than it climbs, or a step. Everybody else is in the air, or in the field.
    pub(super) fn place_of(&self, known: &Registered, at: Position) -> Option<Location> {
        let kind = &known.kind;
        if kind.walks.is_none() && kind.flies.is_none() {
            return self.scale.point(at).map(Location::Point);
        }
        let flies = kind.flies.is_some() && self.air.is_some();
        if let Some(profile) = &kind.walks {
            let cell = self.scale.cell(at)?;
            let footing = NavGraph::new(&self.ground, known.view).ok()?;
            let floors = self.ground.floors(cell.column());
            let floors = floors.map(|(z, _)| cell.column().at(z));
            let nearest = floors
                .filter(|floor| footing.node(*floor).is_some())
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
    pub fn position_of(&self, place: Location) -> Position {
        match place {
            Location::Cell(cell) => self.scale.middle_of_cell(cell),
            Location::Voxel(voxel) => self.scale.middle_of_voxel(voxel),
            Location::Point(point) => self.scale.of_ground(point, Fixed::default()),
        }
    }

    /// What the cheapest passage between ground and air costs a kind there; `None` if there is
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
